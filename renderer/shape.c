/* Custom shapes: milk-rendering.md section 8.2. */
#include "renderer/stages.h"

#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "base/fmath_lanes.h"

enum { SIDES_MIN = 3, SIDES_MAX = REND_FAN_SIDES, INSTANCES_MAX = 1024 };

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

static void draw_fill(const struct shape *shape, const struct rend_canvas *canvas,
                      const struct rend_corner *rim, const struct tmu_surface *texture)
{
    const float *f = shape->field;
    const struct rend_corner centre = {
        .at = rend_from_ndc(canvas, 2 * f[REND_SHAPE_x] - 1, 2 * f[REND_SHAPE_y] - 1),
        .colour = colour_at(shape, REND_SHAPE_r),
        .u = 0.5f,
        .v = 0.5f,
    };
    rend_draw_fan(canvas, &centre, rim, shape->sides, shape->blend, texture);
}

static void draw_outline(const struct shape *shape, const struct rend_canvas *canvas,
                         const struct rend_corner *rim)
{
    const struct rend_colour colour = colour_at(shape, REND_SHAPE_border_r);
    if (!(shape->field[REND_SHAPE_border_a] > 0) || colour.a == 0) {
        return;
    }
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

static void draw_instances(const struct rend_canvas *canvas, const struct rend_frame *frame,
                           const struct rend_patch *patch, struct rend_section_equations *equations,
                           const struct tmu_surface *texture, size_t index)
{
    const int wanted = patch->shapes[index].num_inst;
    const int instances = wanted > INSTANCES_MAX ? INSTANCES_MAX : wanted;
    for (int k = 0; k < instances; k++) {
        struct shape shape;
        struct rend_corner rim[SIDES_MAX + 1];
        run_instance(&shape, patch, index, equations, frame, k);
        fill_rim(&shape, canvas, frame, rim);
        if (shape.textured) {
            fill_texture_places(&shape, canvas, frame, rim);
        }
        rim[shape.sides] = rim[0];
        draw_fill(&shape, canvas, rim, shape.textured ? texture : NULL);
        draw_outline(&shape, canvas, rim);
    }
}

void rend_draw_shapes(const struct rend_canvas *canvas, const struct rend_frame *frame,
                      const struct rend_patch *patch, struct rend_section_equations *equations,
                      const struct tmu_surface *texture)
{
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        if (patch->shapes[i].enabled != 0) {
            draw_instances(canvas, frame, patch, equations, texture, i);
        }
    }
}
