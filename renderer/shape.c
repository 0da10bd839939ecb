/* Custom shapes: milk-rendering.md section 8.2. */
#include "renderer/stages.h"

#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "base/fmath_lanes.h"
#include "renderer/cover.h"
#include "renderer/shape_outline.h"

enum { SIDES_MIN = 3, SIDES_MAX = REND_FAN_SIDES, INSTANCES_MAX = 1024 };

/* Shapes drawn together, and how many of them make it worth while. */
enum { QUEUE_LENGTH = 128, QUEUE_WORTH = 4 };

/* The numbers of one instance after its program. */
struct shape {
    float field[REND_SHAPE_FIELDS];
    int sides;
    bool textured;
    enum rend_blend blend;
};

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

/* Sine and cosine at the corners, turned by an angle. */
struct circle {
    double sine[SIDES_MAX];
    double cosine[SIDES_MAX];
};

static void turn_circle(struct circle *circle, int sides, float angle,
                        const struct base_fmath_lanes *lanes)
{
    double theta[SIDES_MAX];
    for (int j = 0; j < sides; j++) {
        const double turn = 2 * BASE_PI * j / sides + BASE_PI / 4;
        theta[j] = turn + (double)angle;
    }
    lanes->sin(circle->sine, theta, (size_t)sides);
    lanes->cos(circle->cosine, theta, (size_t)sides);
}

static void fill_rim(const struct shape *shape, const struct rend_canvas *canvas,
                     const struct rend_frame *frame, struct rend_corner *rim)
{
    const float *f = shape->field;
    const struct rend_colour colour = colour_at(shape, REND_SHAPE_r2);
    struct circle circle;
    turn_circle(&circle, shape->sides, f[REND_SHAPE_ang], base_fmath_lanes_for(canvas->cpu));
    for (int j = 0; j < shape->sides; j++) {
        const float x =
            2 * f[REND_SHAPE_x] - 1 + f[REND_SHAPE_rad] * frame->aspect_y * (float)circle.cosine[j];
        const float y = 2 * f[REND_SHAPE_y] - 1 - f[REND_SHAPE_rad] * (float)circle.sine[j];
        rim[j] = (struct rend_corner){.at = rend_from_ndc(canvas, x, y), .colour = colour};
    }
}

static void fill_texture_places(const struct shape *shape, const struct rend_canvas *canvas,
                                const struct rend_frame *frame, struct rend_corner *rim)
{
    const float *f = shape->field;
    const float zoom = f[REND_SHAPE_tex_zoom];
    struct circle circle;
    turn_circle(&circle, shape->sides, f[REND_SHAPE_tex_ang], base_fmath_lanes_for(canvas->cpu));
    for (int j = 0; j < shape->sides; j++) {
        rim[j].u = 0.5f + 0.5f * frame->aspect_y * (float)circle.cosine[j] / zoom;
        rim[j].v = 0.5f + 0.5f * (float)circle.sine[j] / zoom;
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

/* What all shapes of a frame share. */
struct stage {
    const struct rend_canvas *canvas;
    const struct rend_frame *frame;
    const struct tmu_surface *texture;
};

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
    fill_rim(shape, stage->canvas, stage->frame, fan->rim);
    if (shape->textured) {
        fill_texture_places(shape, stage->canvas, stage->frame, fan->rim);
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

static bool draw_below(const struct stage *stage, const struct shape *shape,
                       struct rend_cover *cover)
{
    struct fan fan;
    make_fan(&fan, stage, shape);
    return rend_draw_fan_below(stage->canvas, cover, &fan.centre, fan.rim, shape->sides,
                               fan.texture);
}

static void draw_behind(const struct stage *stage, const struct shape *shape,
                        const struct rend_cover *cover)
{
    struct fan fan;
    make_fan(&fan, stage, shape);
    rend_draw_fan_behind(stage->canvas, cover, &fan.centre, fan.rim, shape->sides, fan.texture);
}

/* Shapes that hide what they cover, in order; drawn together, since most of them may be hidden. */
struct queue {
    struct shape shapes[QUEUE_LENGTH];
    size_t count;
};

static bool hides(const struct shape *shape)
{
    return shape->blend == REND_BLEND_ALPHA && colour_at(shape, REND_SHAPE_r).a == 255 &&
           colour_at(shape, REND_SHAPE_r2).a == 255 && !has_outline(shape);
}

/* Whether all may be drawn. Those beyond all measure are left out of account. */
static bool affordable(const struct stage *stage, const struct queue *queue)
{
    const struct rend_canvas *canvas = stage->canvas;
    int64_t cost = 0;
    for (size_t i = 0; i < queue->count; i++) {
        const struct shape *shape = &queue->shapes[i];
        const float radius = fabsf(shape->field[REND_SHAPE_rad]);
        cost += rend_fan_cost_limit(canvas, shape->sides, radius * (float)canvas->width,
                                    radius * (float)canvas->height, shape->textured);
    }
    return canvas->fill_left == NULL || cost <= *canvas->fill_left;
}

/* Whether as a rule one lies about where the next does. */
static bool together(const struct queue *queue)
{
    size_t near = 0;
    for (size_t i = 1; i < queue->count; i++) {
        const float *a = queue->shapes[i - 1].field;
        const float *b = queue->shapes[i].field;
        const float radius = fmaxf(fabsf(a[REND_SHAPE_rad]), fabsf(b[REND_SHAPE_rad]));
        near += fabsf(a[REND_SHAPE_x] - b[REND_SHAPE_x]) <= radius / 4 &&
                fabsf(a[REND_SHAPE_y] - b[REND_SHAPE_y]) <= radius / 4;
    }
    return queue->count >= QUEUE_WORTH && near >= queue->count / 2;
}

/* From the front to the back, those left out at the front that the cover cannot note. When one
 * further back cannot be noted, it and all behind it are drawn in order, behind the others. */
static void draw_covering(const struct stage *stage, const struct queue *queue)
{
    struct rend_cover cover;
    rend_cover_clear(&cover, stage->canvas->height);
    size_t front = queue->count;
    while (front > 0 && !draw_below(stage, &queue->shapes[front - 1], &cover)) {
        front--;
    }
    size_t left = front > 0 ? front - 1 : 0;
    while (left > 0 && draw_below(stage, &queue->shapes[left - 1], &cover)) {
        left--;
    }
    for (size_t i = 0; i < left; i++) {
        draw_behind(stage, &queue->shapes[i], &cover);
    }
    for (size_t i = front; i < queue->count; i++) {
        draw_shape(stage, &queue->shapes[i]);
    }
}

static void draw_queue(const struct stage *stage, struct queue *queue)
{
    if (together(queue) && affordable(stage, queue)) {
        draw_covering(stage, queue);
    } else {
        for (size_t i = 0; i < queue->count; i++) {
            draw_shape(stage, &queue->shapes[i]);
        }
    }
    queue->count = 0;
}

static void draw_instances(const struct stage *stage, struct queue *queue,
                           const struct rend_patch *patch, struct rend_section_equations *equations,
                           size_t index)
{
    const int wanted = patch->shapes[index].num_inst;
    const int instances = wanted > INSTANCES_MAX ? INSTANCES_MAX : wanted;
    for (int k = 0; k < instances; k++) {
        if (queue->count == QUEUE_LENGTH) {
            draw_queue(stage, queue);
        }
        struct shape *shape = &queue->shapes[queue->count];
        run_instance(shape, patch, index, equations, stage->frame, k);
        if (hides(shape)) {
            queue->count++;
        } else {
            const struct shape last = *shape;
            draw_queue(stage, queue);
            draw_shape(stage, &last);
        }
    }
}

void rend_draw_shapes(const struct rend_canvas *canvas, const struct rend_frame *frame,
                      const struct rend_patch *patch, struct rend_section_equations *equations,
                      const struct tmu_surface *texture)
{
    const struct stage stage = {canvas, frame, texture};
    struct queue queue;
    queue.count = 0;
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        if (patch->shapes[i].enabled != 0) {
            draw_instances(&stage, &queue, patch, equations, i);
        }
    }
    draw_queue(&stage, &queue);
}
