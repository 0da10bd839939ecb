/* Custom shapes: spec/milk-rendering.md section 8.2. */
#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "renderer/draw/draw.h"
#include "renderer/draw/polygon.h"
#include "renderer/stages.h"

enum { SIDES_MIN = 3, SIDES_MAX = REND_POLYGON_SIDES, INSTANCES_MAX = 1024 };

/* Shapes are drawn from the front if there are so many and they may cover such a part of the
 * picture. */
enum { QUEUE_WORTH = 4, COVER_WORTH = 16 };

/* Row bands for each thread: shapes lie here and there, and to divide them costs little. */
enum { ROW_BANDS_EACH = 8 };

/* What a pixel costs at most, in nanoseconds: a texel, and the sides that are compared. */
enum { MOST_OF_A_PIXEL = 8 };

/* Where a shape may draw, in pixels. A bound that is no number bounds nothing. */
struct box {
    float left;
    float top;
    float right;
    float bottom;
};

/* The numbers of one instance after its program. */
struct shape {
    float field[PRESET_SHAPE_KEYS];
    int sides;
    bool textured;
    bool hides; /* what it covers */
    enum rend_blend blend;
    struct box box;
    int64_t cost;
    int64_t filling; /* the part of the cost that its pixels are, if none is hidden */
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
    rend_set_held(values, patch->shape[index].scope, frame);
    pfpu_run(patch->shape[index].run, scope, &equations->globals);
    for (int i = 0; i < PRESET_SHAPE_KEYS; i++) {
        const int variable = patch->shape_variable[i];
        shape->field[i] = (float)(variable >= 0 ? values[variable] : patch->shape_stored[index][i]);
    }
    const int sides = rend_int(shape->field[PRESET_SHAPE_sides]);
    shape->sides = sides < SIDES_MIN ? SIDES_MIN : sides > SIDES_MAX ? SIDES_MAX : sides;
    shape->textured = rend_int(shape->field[PRESET_SHAPE_textured]) != 0;
    shape->blend =
        rend_int(shape->field[PRESET_SHAPE_additive]) != 0 ? REND_BLEND_ADDITIVE : REND_BLEND_ALPHA;
}

static struct rend_colour colour_at(const struct shape *shape, enum preset_shape_key red)
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

/* What all shapes of a row band share. */
struct target {
    const struct rend_canvas *canvas;
    const struct rend_frame *frame;
    const struct tmu_surface *texture;
    struct circle *circle;
};

static bool has_outline(const struct shape *shape)
{
    return shape->field[PRESET_SHAPE_border_a] > 0 &&
           colour_at(shape, PRESET_SHAPE_border_r).a != 0;
}

static void draw_outline(const struct shape *shape, const struct rend_canvas *canvas,
                         const struct rend_point *rim)
{
    const struct rend_colour colour = colour_at(shape, PRESET_SHAPE_border_r);
    struct rend_colour colours[SIDES_MAX + 1];
    for (int j = 0; j <= shape->sides; j++) {
        colours[j] = colour;
    }
    const struct rend_strip strip = {
        .points = rim,
        .colours = colours,
        .count = (size_t)shape->sides + 1,
        .pen = {.blend = shape->blend, .four = rend_int(shape->field[PRESET_SHAPE_thick]) != 0},
    };
    const struct rend_strips strips = rend_pay_strips(canvas, &strip, 1);
    rend_draw_strips(canvas, &strips);
}

static void draw_shape(const struct target *target, const struct shape *shape,
                       const struct rend_cover *cover)
{
    const float *f = shape->field;
    const struct rend_canvas *canvas = target->canvas;
    struct rend_point rim[SIDES_MAX + 1];
    turn_circle(target->circle, shape->sides, f[PRESET_SHAPE_ang],
                base_fmath_lanes_for(canvas->cpu));
    /* The last corner is where the first is. */
    for (int j = 0; j < shape->sides; j++) {
        const float x =
            2 * f[PRESET_SHAPE_x] - 1 +
            f[PRESET_SHAPE_rad] * target->frame->aspect_y * (float)target->circle->cosine[j];
        const float y =
            2 * f[PRESET_SHAPE_y] - 1 - f[PRESET_SHAPE_rad] * (float)target->circle->sine[j];
        rim[j] = rend_from_ndc(canvas, x, y);
    }
    rim[shape->sides] = rim[0];
    struct rend_polygon polygon = {
        .sides = shape->sides,
        .centre = rend_from_ndc(canvas, 2 * f[PRESET_SHAPE_x] - 1, 2 * f[PRESET_SHAPE_y] - 1),
        .reach_x =
            0.5 * (double)f[PRESET_SHAPE_rad] * (double)target->frame->aspect_y * canvas->width,
        .reach_y = 0.5 * (double)f[PRESET_SHAPE_rad] * canvas->height,
        .cosine = target->circle->cosine,
        .sine = target->circle->sine,
        .rim = rim,
        .inner = colour_at(shape, PRESET_SHAPE_r),
        .outer = colour_at(shape, PRESET_SHAPE_r2),
        .blend = shape->blend,
    };
    if (shape->textured) {
        /* A corner's angle in the texture is its own and `turn`. */
        const double turn = (double)f[PRESET_SHAPE_tex_ang] - (double)f[PRESET_SHAPE_ang];
        const double down = 0.5 / (double)f[PRESET_SHAPE_tex_zoom];
        const double across =
            0.5 * (double)target->frame->aspect_y / (double)f[PRESET_SHAPE_tex_zoom];
        const double cosine = base_cos(turn);
        const double sine = base_sin(turn);
        polygon.texture = target->texture;
        polygon.u = (struct rend_texture_place){0.5, across * cosine, -across * sine};
        polygon.v = (struct rend_texture_place){0.5, down * sine, down * cosine};
    }
    rend_draw_polygon(canvas, &polygon, cover);
    if (has_outline(shape)) {
        draw_outline(shape, canvas, rim);
    }
}

/* ---- what a shape is, before it is drawn ---- */

/* How much of a range lies between 0 and the limit. */
static float inside(float first, float end, float limit)
{
    return fmaxf(fminf(end, limit) - fmaxf(first, 0), 0);
}

/* What a texel costs, in nanoseconds. Those of neighbouring pixels that lie in other rows of the
 * texture, or many columns apart, come from other lines of the cache, and from memory if the
 * texture is large. */
static float texel_cost(const struct shape *shape, float area)
{
    const float *f = shape->field;
    const float beside = 1.2f;
    const float apart_most = 6;
    const float scattered_most = 1.6f;
    /* texels from pixel to pixel, if the texture spans the shape `tex_zoom` times */
    const float step = fabsf(1 / (f[PRESET_SHAPE_tex_zoom] * f[PRESET_SHAPE_rad]));
    const float turn = f[PRESET_SHAPE_tex_ang] - f[PRESET_SHAPE_ang];
    const float scattered = step * (0.7f * fabsf(rend_sin(turn)) + 0.125f * fabsf(rend_cos(turn)));
    /* What is no number takes the most. */
    return beside + fminf(1 + area / (1.7f * 1000 * 1000), apart_most) *
                        (scattered < scattered_most ? scattered : scattered_most);
}

/* What a pixel costs, in nanoseconds. */
static float pixel_cost(const struct shape *shape, struct rend_colour inner,
                        struct rend_colour outer, float area)
{
    enum {
        NEAR_SIDES = 8
    }; /* of those that lie opposite each other, if there are more than that */
    const float large = 4 * 1000 * 1000;
    const float flat = 0.35f + 0.35f * fminf(area / large, 2);
    const float shaded = 0.4f;
    const float side = 0.016f;
    const bool uniform = memcmp(&inner, &outer, sizeof inner) == 0;
    const int half = shape->sides / 2;
    const int sides = shape->sides % 2 != 0 ? shape->sides : half > 16 ? NEAR_SIDES : half;
    return (uniform ? flat : shaded + side * (float)sides) +
           (shape->textured ? texel_cost(shape, area) : 0);
}

/* Finds the costs, in about the nanoseconds that AVX2 takes; an upper limit. The area is less than
 * that of the ellipse around it, and rounding adds a pixel to each row. Each row band looks at all
 * sides. */
static void set_costs(struct shape *shape, const struct rend_canvas *canvas)
{
    enum { SIDE = 25, ROW = 16, BANDS = 8, PENS = 4 };
    const struct box *box = &shape->box;
    const float width = (float)canvas->width;
    const float height = (float)canvas->height;
    const float rows = inside(box->top, box->bottom, height);
    const float columns = inside(box->left, box->right, width);
    const float area = 0.79f * (box->bottom - box->top) * (box->right - box->left);
    const float sides = (float)shape->sides;
    const struct rend_colour from = colour_at(shape, PRESET_SHAPE_r);
    const struct rend_colour to = colour_at(shape, PRESET_SHAPE_r2);
    const bool clear = from.a == 0 && to.a == 0;
    const float pixels = clear ? 0 : fminf(rows * columns, area) + rows;
    const float bands = 1 + BANDS * rows / height;
    /* Each of the four lines of a thick outline may be as long as the picture. */
    const float around = 1.6f * (box->right - box->left + box->bottom - box->top);
    const float length = fminf(around, sides * (width + height));
    const float line = REND_LINE_COST * sides + REND_LINE_PIXEL_COST * length;
    shape->filling = (int64_t)(pixel_cost(shape, from, to, width * height) * pixels);
    shape->cost = (int64_t)(SIDE * sides * bands + ROW * rows) + shape->filling +
                  (has_outline(shape) ? PENS * (int64_t)line : 0);
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

struct drawing {
    const struct rend_canvas *canvas;
    const struct rend_frame *frame;
    const struct tmu_surface *texture;
    const struct rend_shape_queue *queue;
    size_t count; /* of its shapes, that are drawn */
    size_t row_bands;
};

/* Shapes from `first` on that follow each other and hide what they cover. */
struct group {
    size_t count;
    bool from_front; /* there are enough of them, and they cover enough, to be drawn so */
    int64_t cost;
};

static struct group group_at(const struct rend_shape_queue *queue, size_t first,
                             const struct rend_canvas *canvas)
{
    const int64_t area = (int64_t)canvas->width * canvas->height;
    const struct shape *shapes = &queue->shapes[first];
    struct group group = {.count = 0};
    int64_t filling = 0;
    while (first + group.count < queue->count && shapes[group.count].hides) {
        const struct shape *shape = &shapes[group.count++];
        group.cost += shape->cost;
        filling += shape->filling;
    }
    group.from_front = group.count >= QUEUE_WORTH && group.cost >= area / COVER_WORTH;
    if (group.count == 0) {
        group = (struct group){1, false, shapes->cost};
    } else if (group.from_front) {
        /* Each pixel is drawn once. */
        const int64_t once = MOST_OF_A_PIXEL * area;
        group.cost -= filling > once ? filling - once : 0;
    }
    return group;
}

static void draw_row_band(void *user, size_t index)
{
    const struct drawing *drawing = user;
    const struct rend_canvas band = rend_row_band(drawing->canvas, index, drawing->row_bands);
    struct circle circle;
    circle.sides = 0;
    const struct target target = {&band, drawing->frame, drawing->texture, &circle};
    const struct rend_shape_queue *queue = drawing->queue;
    for (size_t i = 0; i < drawing->count;) {
        const struct shape *shapes = &queue->shapes[i];
        const struct group group = group_at(queue, i, &band);
        const size_t count = group.count;
        const bool from_front = group.from_front && band.list == NULL;
        if (from_front) {
            rend_cover_clear(&queue->cover, band.top, band.bottom);
        }
        for (size_t k = 0; k < count; k++) {
            const struct shape *shape = &shapes[from_front ? count - 1 - k : k];
            const struct box *box = &shape->box;
            if (!(box->bottom < (float)band.top || box->top > (float)band.bottom ||
                  box->right < 0 || box->left > (float)band.width)) {
                draw_shape(&target, shape, from_front ? &queue->cover : NULL);
            }
        }
        i += count;
    }
}

void rend_find_shapes(const struct rend_canvas *canvas, const struct rend_frame *frame,
                      const struct rend_patch *patch, struct rend_section_equations *equations)
{
    struct rend_shape_queue *queue = equations->shape_queue;
    queue->count = 0;
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        if (patch->shapes[i].enabled != 0) {
            const int instances = instances_of(patch, i);
            for (int k = 0; k < instances && queue->count < queue->capacity; k++) {
                if (!rend_may_run(equations, &patch->shape[i], 1)) {
                    break;
                }
                struct shape *shape = &queue->shapes[queue->count++];
                run_instance(shape, patch, i, equations, frame, k);
                shape->hides = shape->blend == REND_BLEND_ALPHA &&
                               colour_at(shape, PRESET_SHAPE_r).a == 255 &&
                               colour_at(shape, PRESET_SHAPE_r2).a == 255 && !has_outline(shape);
                /* With two pixels for a thick outline, and as much again for rounding. */
                const float *f = shape->field;
                const struct rend_point centre =
                    rend_from_ndc(canvas, 2 * f[PRESET_SHAPE_x] - 1, 2 * f[PRESET_SHAPE_y] - 1);
                const float radius = fabsf(f[PRESET_SHAPE_rad]) * 0.5001f;
                const float x = radius * frame->aspect_y * (float)canvas->width + 4;
                const float y = radius * (float)canvas->height + 4;
                shape->box = (struct box){centre.x - x, centre.y - y, centre.x + x, centre.y + y};
                set_costs(shape, canvas);
            }
        }
    }
}

void rend_draw_shapes(const struct rend_canvas *canvas, const struct rend_frame *frame,
                      struct rend_section_equations *equations, const struct tmu_surface *texture)
{
    const struct rend_shape_queue *queue = equations->shape_queue;
    struct drawing drawing = {canvas, frame, texture, queue, 0, 1};
    /* Takes off what the shapes cost, and leaves out those that are too many. */
    int64_t cost = 0;
    while (drawing.count < queue->count) {
        const struct group group = group_at(queue, drawing.count, canvas);
        if (!rend_may_fill(canvas, group.cost)) {
            break;
        }
        cost += group.cost;
        drawing.count += group.count;
    }
    drawing.row_bands = rend_row_bands_for(canvas, cost, ROW_BANDS_EACH);
    base_pool_run(canvas->pool, draw_row_band, &drawing, drawing.row_bands);
}

/* Dark centre and borders: spec/milk-rendering.md sections 8.3 and 8.4. */

void rend_draw_darken_center(const struct rend_canvas *canvas, const struct rend_frame *frame)
{
    if (frame->values.darken_center == 0) {
        return;
    }
    enum { CORNERS = 4 };
    static const double cosine[CORNERS] = {-1, 0, 1, 0};
    static const double sine[CORNERS] = {0, -1, 0, 1};
    const float size = 0.05f;
    const float x = size * frame->aspect_y;
    const struct rend_point rim[CORNERS + 1] = {
        rend_from_ndc(canvas, -x, 0), rend_from_ndc(canvas, 0, size), rend_from_ndc(canvas, x, 0),
        rend_from_ndc(canvas, 0, -size), rend_from_ndc(canvas, -x, 0)};
    const struct rend_polygon polygon = {
        .sides = CORNERS,
        .centre = rend_from_ndc(canvas, 0, 0),
        .reach_x = 0.5 * (double)x * canvas->width,
        .reach_y = 0.5 * (double)size * canvas->height,
        .cosine = cosine,
        .sine = sine,
        .rim = rim,
        .inner = {0, 0, 0, (uint8_t)(255 * 3 / 32)},
        .outer = {0, 0, 0, 0},
        .blend = REND_BLEND_ALPHA,
    };
    rend_draw_polygon(canvas, &polygon, NULL);
}

/* The outer border and the inner one. */
enum { BORDERS = 2 };

static void find_borders(const struct rend_frame *frame, float edge[BORDERS + 1],
                         struct rend_colour colour[BORDERS])
{
    const struct rend_values *v = &frame->values;
    edge[0] = 1.0f;
    edge[1] = 1.0f - v->ob_size;
    edge[2] = edge[1] - v->ib_size;
    colour[0] = rend_colour_low_bits(v->ob_r, v->ob_g, v->ob_b, v->ob_a > 0.001f ? v->ob_a : 0);
    colour[1] = rend_colour_low_bits(v->ib_r, v->ib_g, v->ib_b, v->ib_a > 0.001f ? v->ib_a : 0);
}

int64_t rend_borders_cost(const struct rend_canvas *canvas, const struct rend_frame *frame)
{
    float edge[BORDERS + 1];
    struct rend_colour colour[BORDERS];
    int64_t cost = 0;
    find_borders(frame, edge, colour);
    for (int i = 0; i < BORDERS; i++) {
        cost += rend_draw_frame_cost(canvas, edge[i], edge[i + 1], colour[i]);
    }
    return cost;
}

void rend_draw_borders(const struct rend_canvas *canvas, const struct rend_frame *frame)
{
    float edge[BORDERS + 1];
    struct rend_colour colour[BORDERS];
    find_borders(frame, edge, colour);
    for (int i = 0; i < BORDERS; i++) {
        rend_draw_frame(canvas, edge[i], edge[i + 1], colour[i]);
    }
}
