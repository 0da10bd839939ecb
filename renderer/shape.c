/* Custom shapes: milk-rendering.md section 8.2. */
#include "renderer/stages.h"

#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "base/fmath_lanes.h"
#include "renderer/cover.h"
#include "renderer/shape_outline.h"

enum { SIDES_MIN = 3, SIDES_MAX = REND_FAN_SIDES, INSTANCES_MAX = 1024 };

/* Shapes are drawn together if there are so many and they may cover such a part of the picture. */
enum { QUEUE_WORTH = 4, COVER_WORTH = 16 };

/* The numbers of one instance after its program. */
struct shape {
    float field[REND_SHAPE_FIELDS];
    int sides;
    bool textured;
    enum rend_blend blend;
};

static int instances_of(const struct rend_patch *patch, size_t index)
{
    const int wanted = patch->shapes[index].num_inst;
    return wanted < 0 ? 0 : wanted > INSTANCES_MAX ? INSTANCES_MAX : wanted;
}

static void run_instance(struct shape *shape, const struct rend_patch *patch, size_t index,
                         struct rend_section_equations *equations, const struct rend_frame *frame,
                         int instance)
{
    struct pfpu_instance *scope = &equations->shape[index];
    double *values = scope->values;
    rend_set_inputs(values, frame, frame->q);
    memcpy(values + REND_VAR_T, equations->shape_t[index], sizeof equations->shape_t[index]);
    values[REND_SHAPE_INSTANCE] = instance;
    rend_set_shape(values, patch, index);
    pfpu_run(patch->shape[index].run, scope, &equations->globals);
    for (int i = 0; i < REND_SHAPE_FIELDS; i++) {
        const int variable = patch->shape_variable[i];
        shape->field[i] = (float)(variable >= 0 ? values[variable] : patch->shape_stored[index][i]);
    }
    const int sides = rend_int(shape->field[REND_SHAPE_sides]);
    shape->sides = sides < SIDES_MIN ? SIDES_MIN : sides > SIDES_MAX ? SIDES_MAX : sides;
    shape->textured = rend_int(shape->field[REND_SHAPE_textured]) != 0;
    shape->blend =
        rend_int(shape->field[REND_SHAPE_additive]) != 0 ? REND_BLEND_ADDITIVE : REND_BLEND_ALPHA;
}

static struct rend_colour colour_at(const struct shape *shape, enum rend_shape_field red)
{
    const float *c = shape->field + red;
    return rend_colour_low_bits(c[0], c[1], c[2], c[3]);
}

/* Sine and cosine at the corners, turned by an angle. Many shapes have the same as the last. */
struct circle {
    int sides; /* 0: nothing yet */
    float angle;
    double turn[SIDES_MAX]; /* of each corner */
    double sine[SIDES_MAX];
    double cosine[SIDES_MAX];
};

static void turn_circle(struct circle *circle, int sides, float angle,
                        const struct base_fmath_lanes *lanes)
{
    double theta[SIDES_MAX];
    if (circle->sides == sides && circle->angle == angle) {
        return;
    }
    for (int j = 0; j < sides && circle->sides != sides; j++) {
        circle->turn[j] = 2 * BASE_PI * j / sides + BASE_PI / 4;
    }
    for (int j = 0; j < sides; j++) {
        theta[j] = circle->turn[j] + (double)angle;
    }
    circle->sides = sides;
    circle->angle = angle;
    lanes->sin(circle->sine, theta, (size_t)sides);
    lanes->cos(circle->cosine, theta, (size_t)sides);
}

/* What all shapes of a frame share. */
struct stage {
    const struct rend_canvas *canvas;
    const struct rend_frame *frame;
    const struct tmu_surface *texture;
    struct rend_shape_queue *queue;
    struct circle *circles; /* of the rim, and in the texture */
};

static void fill_rim(const struct shape *shape, const struct stage *stage, struct rend_corner *rim)
{
    const float *f = shape->field;
    const struct rend_canvas *canvas = stage->canvas;
    const struct rend_frame *frame = stage->frame;
    const struct rend_colour colour = colour_at(shape, REND_SHAPE_r2);
    struct circle *circle = &stage->circles[0];
    turn_circle(circle, shape->sides, f[REND_SHAPE_ang], base_fmath_lanes_for(canvas->cpu));
    for (int j = 0; j < shape->sides; j++) {
        const float x = 2 * f[REND_SHAPE_x] - 1 +
                        f[REND_SHAPE_rad] * frame->aspect_y * (float)circle->cosine[j];
        const float y = 2 * f[REND_SHAPE_y] - 1 - f[REND_SHAPE_rad] * (float)circle->sine[j];
        rim[j] = (struct rend_corner){.at = rend_from_ndc(canvas, x, y), .colour = colour};
    }
}

static void fill_texture_places(const struct shape *shape, const struct stage *stage,
                                struct rend_corner *rim)
{
    const float *f = shape->field;
    const struct rend_frame *frame = stage->frame;
    const float zoom = f[REND_SHAPE_tex_zoom];
    struct circle *circle = &stage->circles[1];
    turn_circle(circle, shape->sides, f[REND_SHAPE_tex_ang],
                base_fmath_lanes_for(stage->canvas->cpu));
    for (int j = 0; j < shape->sides; j++) {
        rim[j].u = 0.5f + 0.5f * frame->aspect_y * (float)circle->cosine[j] / zoom;
        rim[j].v = 0.5f + 0.5f * (float)circle->sine[j] / zoom;
    }
}

static bool has_outline(const struct shape *shape)
{
    return shape->field[REND_SHAPE_border_a] > 0 && colour_at(shape, REND_SHAPE_border_r).a != 0;
}

static void draw_outline(const struct shape *shape, const struct rend_canvas *canvas,
                         const struct rend_corner *rim)
{
    if (!has_outline(shape)) {
        return;
    }
    const struct rend_colour colour = colour_at(shape, REND_SHAPE_border_r);
    struct rend_point points[SIDES_MAX + 1];
    struct rend_colour colours[SIDES_MAX + 1];
    for (int j = 0; j <= shape->sides; j++) {
        points[j] = rim[j].at;
        colours[j] = colour;
    }
    const struct rend_pen pen = {
        .blend = shape->blend,
        .four = rend_int(shape->field[REND_SHAPE_thick]) != 0,
    };
    rend_draw_strip(canvas, points, colours, (size_t)shape->sides + 1, &pen);
}

/* A shape with its corners. */
struct fan {
    struct rend_corner centre;
    struct rend_corner rim[SIDES_MAX + 1];
    const struct tmu_surface *texture; /* NULL: none */
};

static void make_fan(struct fan *fan, const struct stage *stage, const struct shape *shape)
{
    const float *f = shape->field;
    fan->centre = (struct rend_corner){
        .at = rend_from_ndc(stage->canvas, 2 * f[REND_SHAPE_x] - 1, 2 * f[REND_SHAPE_y] - 1),
        .colour = colour_at(shape, REND_SHAPE_r),
        .u = 0.5f,
        .v = 0.5f,
    };
    fan->texture = NULL;
    fill_rim(shape, stage, fan->rim);
    if (shape->textured) {
        fill_texture_places(shape, stage, fan->rim);
        fan->texture = stage->texture;
    }
    fan->rim[shape->sides] = fan->rim[0];
}

static void draw_shape(const struct stage *stage, const struct shape *shape)
{
    struct fan fan;
    make_fan(&fan, stage, shape);
    rend_draw_fan(stage->canvas, &fan.centre, fan.rim, shape->sides, shape->blend, fan.texture);
    draw_outline(shape, stage->canvas, fan.rim);
}

static void draw_behind(const struct stage *stage, const struct shape *shape,
                        struct rend_cover *cover)
{
    struct fan fan;
    make_fan(&fan, stage, shape);
    rend_draw_fan_behind(stage->canvas, cover, &fan.centre, fan.rim, shape->sides, fan.texture);
}

/* Shapes that hide what they cover, in order; drawn together, since most of them may be hidden. */
struct rend_shape_queue {
    struct rend_cover cover;
    struct shape *shapes;
    size_t capacity;
    size_t count;
};

struct rend_shape_queue *rend_shape_queue_create(struct base_arena *arena,
                                                 const struct rend_patch *patch,
                                                 const struct rend_config *config)
{
    struct rend_shape_queue *queue = base_arena_array(arena, 1, sizeof *queue);
    if (queue == NULL) {
        return NULL;
    }
    size_t capacity = 1;
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        if (patch->shapes[i].enabled != 0) {
            capacity += (size_t)instances_of(patch, i);
        }
    }
    const size_t pitch = rend_cover_pitch(config->width);
    *queue = (struct rend_shape_queue){
        .cover = {base_arena_array(arena, pitch * (size_t)config->height, sizeof(uint64_t)), pitch},
        .shapes = base_arena_array(arena, capacity, sizeof *queue->shapes),
        .capacity = capacity,
    };
    return queue->cover.words != NULL && queue->shapes != NULL ? queue : NULL;
}

static bool hides(const struct shape *shape)
{
    return shape->blend == REND_BLEND_ALPHA && colour_at(shape, REND_SHAPE_r).a == 255 &&
           colour_at(shape, REND_SHAPE_r2).a == 255 && !has_outline(shape);
}

/* What a shape costs at most. One beyond all measure is left out of account. */
static int64_t cost_limit(const struct stage *stage, const struct shape *shape)
{
    const struct rend_canvas *canvas = stage->canvas;
    const float radius = fabsf(shape->field[REND_SHAPE_rad]);
    return rend_fan_cost_limit(canvas, shape->sides,
                               radius * stage->frame->aspect_y * (float)canvas->width,
                               radius * (float)canvas->height, shape->textured);
}

/* How many from `first` on may be drawn from the front, as may be afforded and may hide enough. */
static size_t worth_covering(const struct stage *stage, size_t first)
{
    const struct rend_canvas *canvas = stage->canvas;
    const struct rend_shape_queue *queue = stage->queue;
    int64_t cost = 0;
    size_t i = first;
    while (i < queue->count) {
        const int64_t more = cost_limit(stage, &queue->shapes[i]);
        if (canvas->fill_left != NULL && cost + more > *canvas->fill_left) {
            break;
        }
        cost += more;
        i++;
    }
    const bool worth = cost >= (int64_t)canvas->width * canvas->height / COVER_WORTH;
    return worth && i - first >= QUEUE_WORTH ? i - first : 0;
}

static void draw_queue(const struct stage *stage)
{
    struct rend_shape_queue *queue = stage->queue;
    size_t first = 0;
    for (size_t count; (count = worth_covering(stage, first)) > 0; first += count) {
        rend_cover_clear(&queue->cover, 0, stage->canvas->height);
        for (size_t i = count; i > 0; i--) {
            draw_behind(stage, &queue->shapes[first + i - 1], &queue->cover);
        }
    }
    for (; first < queue->count; first++) {
        draw_shape(stage, &queue->shapes[first]);
    }
    queue->count = 0;
}

static void draw_instances(const struct stage *stage, const struct rend_patch *patch,
                           struct rend_section_equations *equations, size_t index)
{
    struct rend_shape_queue *queue = stage->queue;
    const int instances = instances_of(patch, index);
    for (int k = 0; k < instances; k++) {
        if (queue->count == queue->capacity) {
            draw_queue(stage);
        }
        struct shape *shape = &queue->shapes[queue->count];
        run_instance(shape, patch, index, equations, stage->frame, k);
        if (hides(shape)) {
            queue->count++;
        } else {
            const struct shape last = *shape;
            draw_queue(stage);
            draw_shape(stage, &last);
        }
    }
}

void rend_draw_shapes(const struct rend_canvas *canvas, const struct rend_frame *frame,
                      const struct rend_patch *patch, struct rend_section_equations *equations,
                      const struct tmu_surface *texture)
{
    struct circle circles[2];
    const struct stage stage = {canvas, frame, texture, equations->shape_queue, circles};
    circles[0].sides = 0;
    circles[1].sides = 0;
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        if (patch->shapes[i].enabled != 0) {
            draw_instances(&stage, patch, equations, i);
        }
    }
    draw_queue(&stage);
}
