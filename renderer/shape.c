/* Custom shapes: milk-rendering.md section 8.2. */
#include "renderer/stages.h"

#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "base/fmath_lanes.h"
#include "renderer/band.h"
#include "renderer/cover.h"
#include "renderer/shape_outline.h"

enum { SIDES_MIN = 3, SIDES_MAX = REND_FAN_SIDES, INSTANCES_MAX = 1024 };

/* Shapes are drawn from the front if there are so many and they may cover such a part of the
 * picture. */
enum { QUEUE_WORTH = 4, COVER_WORTH = 16 };

/* Where a shape may draw, in pixels. A bound that is no number bounds nothing. */
struct box {
    float left;
    float top;
    float right;
    float bottom;
};

/* The numbers of one instance after its program. */
struct shape {
    float field[REND_SHAPE_FIELDS];
    int sides;
    bool textured;
    bool hides; /* what it covers */
    enum rend_blend blend;
    struct box box;
    int64_t cost;
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

/* ---- what a shape is, before it is drawn ---- */

/* With two pixels for a thick outline, and as much again for rounding. */
static struct box box_of(const struct shape *shape, const struct rend_canvas *canvas,
                         const struct rend_frame *frame)
{
    const float *f = shape->field;
    const struct rend_point centre =
        rend_from_ndc(canvas, 2 * f[REND_SHAPE_x] - 1, 2 * f[REND_SHAPE_y] - 1);
    const float radius = fabsf(f[REND_SHAPE_rad]) * 0.5001f;
    const float x = radius * frame->aspect_y * (float)canvas->width + 4;
    const float y = radius * (float)canvas->height + 4;
    return (struct box){centre.x - x, centre.y - y, centre.x + x, centre.y + y};
}

/* How much of a range lies between 0 and the limit. */
static float inside(float first, float end, float limit)
{
    return fmaxf(fminf(end, limit) - fmaxf(first, 0), 0);
}

/* In pixels; an upper limit. A row crosses no more than half of the triangles and two. A triangle
 * crosses half as many rows as its sides do; of a regular polygon the sides to the centre cross, on
 * average, at most 0.36 of its height, and those of the rim all together twice its height. Its area
 * is less than that of the ellipse around it, and rounding adds a pixel to each row of a triangle.
 */
static int64_t cost_of(const struct shape *shape, const struct rend_canvas *canvas)
{
    enum { TRIANGLE = 64, ROW = 16, TEXEL = 4 };
    const struct box *box = &shape->box;
    const float rows = inside(box->top, box->bottom, (float)canvas->height);
    const float columns = inside(box->left, box->right, (float)canvas->width);
    const float height = box->bottom - box->top;
    const float sides = (float)shape->sides;
    const float crossed = fminf((0.5f * sides + 2) * rows, (0.36f * sides + 1) * height);
    const float pixels = fminf(rows * columns, 0.79f * height * (box->right - box->left));
    const bool clear =
        colour_at(shape, REND_SHAPE_r).a == 0 && colour_at(shape, REND_SHAPE_r2).a == 0;
    const float each = clear ? 0 : shape->textured ? TEXEL : 1;
    return (int64_t)(TRIANGLE * sides + ROW * (crossed + 2 * sides) + each * (pixels + crossed));
}

/* Each of the four lines of a thick one may be as long as the picture. */
static int64_t outline_cost_of(const struct shape *shape, const struct rend_canvas *canvas)
{
    enum { PENS = 4 };
    const struct box *box = &shape->box;
    const float around = 2 * (box->right - box->left + box->bottom - box->top);
    const float limit = (float)shape->sides * (float)(canvas->width + canvas->height);
    return has_outline(shape)
               ? PENS * (REND_LINE_COST * (int64_t)shape->sides + (int64_t)fminf(around, limit))
               : 0;
}

static void look_at(struct shape *shape, const struct rend_canvas *canvas,
                    const struct rend_frame *frame)
{
    shape->hides = shape->blend == REND_BLEND_ALPHA && colour_at(shape, REND_SHAPE_r).a == 255 &&
                   colour_at(shape, REND_SHAPE_r2).a == 255 && !has_outline(shape);
    shape->box = box_of(shape, canvas, frame);
    shape->cost = cost_of(shape, canvas) + outline_cost_of(shape, canvas);
}

/* ---- all shapes ---- */

/* The shapes of a frame, in order. */
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

static void run_instances(struct rend_shape_queue *queue, const struct rend_canvas *canvas,
                          const struct rend_frame *frame, const struct rend_patch *patch,
                          struct rend_section_equations *equations, size_t index)
{
    const int instances = instances_of(patch, index);
    for (int k = 0; k < instances && queue->count < queue->capacity; k++) {
        struct shape *shape = &queue->shapes[queue->count++];
        run_instance(shape, patch, index, equations, frame, k);
        look_at(shape, canvas, frame);
    }
}

/* Takes off what the shapes cost, leaves out those that are too many, and returns the cost. */
static int64_t pay(struct rend_shape_queue *queue, const struct rend_canvas *canvas)
{
    int64_t cost = 0;
    for (size_t i = 0; i < queue->count; i++) {
        if (!rend_may_fill(canvas, queue->shapes[i].cost)) {
            queue->count = i;
            break;
        }
        cost += queue->shapes[i].cost;
    }
    return cost;
}

/* How many shapes from `first` on hide what they cover. */
static size_t hiding_from(const struct rend_shape_queue *queue, size_t first)
{
    size_t i = first;
    while (i < queue->count && queue->shapes[i].hides) {
        i++;
    }
    return i - first;
}

/* Whether to look what of them is seen, since they may hide much. */
static bool worth_covering(const struct shape *shapes, size_t count,
                           const struct rend_canvas *canvas)
{
    int64_t cost = 0;
    for (size_t i = 0; i < count; i++) {
        cost += shapes[i].cost;
    }
    return count >= QUEUE_WORTH && cost >= (int64_t)canvas->width * canvas->height / COVER_WORTH;
}

static bool in_band(const struct shape *shape, const struct rend_canvas *band)
{
    return !(shape->box.bottom < (float)band->top || shape->box.top > (float)band->bottom);
}

static void draw_from_front(const struct stage *stage, const struct shape *shapes, size_t count,
                            struct rend_cover cover)
{
    rend_cover_clear(&cover, stage->canvas->top, stage->canvas->bottom);
    for (size_t i = count; i > 0; i--) {
        if (in_band(&shapes[i - 1], stage->canvas)) {
            draw_behind(stage, &shapes[i - 1], &cover);
        }
    }
}

static void draw_in_order(const struct stage *stage, const struct shape *shapes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (in_band(&shapes[i], stage->canvas)) {
            draw_shape(stage, &shapes[i]);
        }
    }
}

static void draw_queue(const struct stage *stage, const struct rend_shape_queue *queue)
{
    for (size_t i = 0; i < queue->count;) {
        const size_t hiding = hiding_from(queue, i);
        const size_t count = hiding > 0 ? hiding : 1;
        if (worth_covering(&queue->shapes[i], hiding, stage->canvas)) {
            draw_from_front(stage, &queue->shapes[i], count, queue->cover);
        } else {
            draw_in_order(stage, &queue->shapes[i], count);
        }
        i += count;
    }
}

struct drawing {
    const struct rend_canvas *canvas;
    const struct rend_frame *frame;
    const struct tmu_surface *texture;
    const struct rend_shape_queue *queue;
    size_t bands;
};

static void draw_band(void *user, size_t index)
{
    const struct drawing *drawing = user;
    const struct rend_canvas band = rend_band(drawing->canvas, index, drawing->bands);
    struct circle circles[2];
    circles[0].sides = 0;
    circles[1].sides = 0;
    draw_queue(&(struct stage){&band, drawing->frame, drawing->texture, circles}, drawing->queue);
}

void rend_draw_shapes(const struct rend_canvas *canvas, const struct rend_frame *frame,
                      const struct rend_patch *patch, struct rend_section_equations *equations,
                      const struct tmu_surface *texture)
{
    struct rend_shape_queue *queue = equations->shape_queue;
    queue->count = 0;
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        if (patch->shapes[i].enabled != 0) {
            run_instances(queue, canvas, frame, patch, equations, i);
        }
    }
    struct drawing drawing = {canvas, frame, texture, queue, 1};
    drawing.bands = rend_band_count(canvas, pay(queue, canvas));
    base_pool_run(canvas->pool, draw_band, &drawing, drawing.bands);
}
