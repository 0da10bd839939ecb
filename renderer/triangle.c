/* Filled triangles and fans, row by row. An edge is always computed from its upper to its lower
 * end, so that two triangles that share it agree on every pixel. */
#include <math.h>

#include "renderer/cover.h"
#include "renderer/draw.h"
#include "renderer/fan.h"
#include "renderer/shape_outline.h"
#include "renderer/shape_sides.h"
#include "renderer/span.h"
#include "tmu/kernels.h"

/* A number that changes over the pixels: at + x * per_x + y * per_y. */
struct plane {
    double at;
    double per_x;
    double per_y;
};

/* How triangles of a fan are drawn. */
struct brush {
    const struct rend_canvas *canvas;
    const struct rend_span_kernels *kernels;
    const struct tmu_kernels *texture_kernels;
    struct tmu_sampler sampler; /* pixels NULL: no texture */
    double half_texel_u;        /* half a texel, of the texture's width */
    double half_texel_v;        /* the same of its height */
    struct rend_shade shade;    /* but for its plane */
    struct rend_cover *cover;   /* NULL: nothing is hidden. Only for what is opaque */
};

struct triangle {
    struct rend_shade shade;
    struct plane u; /* in the texture */
    struct plane v;
    uint64_t step_u; /* per pixel, as ramps count */
    uint64_t step_v;
};

static struct brush brush_of(const struct rend_canvas *canvas, const struct rend_corner *centre,
                             const struct rend_corner *rim, enum rend_blend blend,
                             const struct tmu_surface *texture)
{
    struct brush brush = {
        .canvas = canvas,
        .kernels = rend_span_kernels_for(canvas->cpu),
        .texture_kernels = tmu_kernels_for(canvas->cpu),
        .shade = {.blend = blend},
    };
    rend_set_colours(&brush.shade, centre->colour, rim->colour, texture != NULL);
    if (texture != NULL) {
        brush.sampler = (struct tmu_sampler){texture->pixels, (uint32_t)texture->stride,
                                             (uint32_t)texture->width, (uint32_t)texture->height,
                                             tmu_keep_of(255)};
        brush.half_texel_u = 0.5 / brush.sampler.width;
        brush.half_texel_v = 0.5 / brush.sampler.height;
    }
    return brush;
}

/* Through a value at corner 0 and what is more at the other two. */
static struct plane plane_of(double value, double d1, double d2, const double x[3],
                             const double y[3], double inverse)
{
    const double per_x = (d1 * y[2] - d2 * y[1]) * inverse;
    const double per_y = (d2 * x[1] - d1 * x[2]) * inverse;
    return (struct plane){value + (0.5 - x[0]) * per_x + (0.5 - y[0]) * per_y, per_x, per_y};
}

/* Texture coordinate as ramps count it when wrapping. */
static uint64_t turns_of(double coordinate)
{
    const double turns = coordinate * 4294967296.0;
    return fabs(turns) < 4e18 ? (uint64_t)(int64_t)turns << 32 : 0;
}

/* Returns false for a triangle without area. */
static bool make_planes(struct triangle *triangle, const struct rend_corner *const c[3],
                        bool textured)
{
    const double x[3] = {(double)c[0]->at.x, (double)c[1]->at.x - (double)c[0]->at.x,
                         (double)c[2]->at.x - (double)c[0]->at.x};
    const double y[3] = {(double)c[0]->at.y, (double)c[1]->at.y - (double)c[0]->at.y,
                         (double)c[2]->at.y - (double)c[0]->at.y};
    const double area = x[1] * y[2] - x[2] * y[1];
    if (rend_without_area(area)) {
        return false;
    }
    const double inverse = 1 / area;
    const struct plane far = plane_of(0, 1, 1, x, y, inverse);
    triangle->shade.at = far.at;
    triangle->shade.per_x = far.per_x;
    triangle->shade.per_y = far.per_y;
    if (textured) {
        const double u = rend_texture_place(c[0]->u);
        const double v = rend_texture_place(c[0]->v);
        triangle->u = plane_of(u, rend_texture_place(c[1]->u) - u, rend_texture_place(c[2]->u) - u,
                               x, y, inverse);
        triangle->v = plane_of(v, rend_texture_place(c[1]->v) - v, rend_texture_place(c[2]->v) - v,
                               x, y, inverse);
        triangle->step_u = turns_of(triangle->u.per_x);
        triangle->step_v = turns_of(triangle->v.per_x);
    }
    return true;
}

static uint64_t turns_at(const struct plane *plane, int x, int y, double half_texel)
{
    return turns_of(plane->at + x * plane->per_x + y * plane->per_y - half_texel);
}

/* Pieces of rows whose texels are fetched at one go. */
enum { BATCH_TEXELS = 512 };

struct batch {
    struct tmu_ramp ramps[REND_ROWS]; /* first: of its texels */
    struct rend_textured_piece pieces[REND_ROWS];
    size_t count;
    uint32_t texels;
};

static void draw_batch(const struct brush *brush, const struct triangle *triangle,
                       struct batch *batch)
{
    uint32_t u[BATCH_TEXELS + 16];
    uint32_t v[BATCH_TEXELS + 16];
    uint32_t texels[BATCH_TEXELS + 16];
    if (batch->count == 0) {
        return;
    }
    struct tmu_ramp *last = &batch->ramps[batch->count - 1];
    last->count = (batch->texels + 7) / 8 * 8 - last->first;
    brush->texture_kernels->ramps[TMU_WRAP](u, v, batch->ramps, batch->count, &brush->sampler);
    brush->texture_kernels->sample(texels, u, v, batch->texels, &brush->sampler);
    brush->kernels->textured(&triangle->shade, batch->pieces, batch->count, texels);
    batch->count = 0;
    batch->texels = 0;
}

/* Up to BATCH_TEXELS pixels x + from.. of row y, x being where its run begins. */
static void add_piece(const struct brush *brush, const struct triangle *triangle,
                      struct batch *batch, int x, int y, int from, uint32_t count)
{
    if (batch->count == REND_ROWS || batch->texels + count > BATCH_TEXELS) {
        draw_batch(brush, triangle, batch);
    }
    const struct rend_canvas *canvas = brush->canvas;
    const uint64_t steps = (uint64_t)from;
    batch->pieces[batch->count] = (struct rend_textured_piece){
        .x = x,
        .y = y,
        .from = (uint32_t)from,
        .count = count,
        .first_texel = batch->texels,
        .pixels = canvas->pixels + (size_t)y * canvas->stride + x + from,
    };
    batch->ramps[batch->count++] = (struct tmu_ramp){
        .at = {[TMU_X] =
                   turns_at(&triangle->u, x, y, brush->half_texel_u) + steps * triangle->step_u,
               [TMU_X_STEP] = triangle->step_u,
               [TMU_Y] =
                   turns_at(&triangle->v, x, y, brush->half_texel_v) + steps * triangle->step_v,
               [TMU_Y_STEP] = triangle->step_v},
        .first = batch->texels,
        .count = count,
    };
    batch->texels += count;
}

/* The part of a run. */
static void add_part(const struct brush *brush, const struct triangle *triangle,
                     struct batch *batch, int y, struct rend_run run, struct rend_run part)
{
    for (int x = part.first; x < part.end; x += BATCH_TEXELS) {
        const int rest = part.end - x;
        add_piece(brush, triangle, batch, run.first, y, x - run.first,
                  (uint32_t)(rest < BATCH_TEXELS ? rest : BATCH_TEXELS));
    }
}

static void draw_textured(const struct brush *brush, const struct triangle *triangle, int y,
                          const struct rend_run *runs, const struct rend_run *parts, int rows)
{
    struct batch batch;
    batch.count = 0;
    batch.texels = 0;
    for (int i = 0; i < rows; i++) {
        add_part(brush, triangle, &batch, y + i, runs[i], parts[i]);
    }
    draw_batch(brush, triangle, &batch);
}

static void draw_parts(const struct brush *brush, const struct triangle *triangle, int y,
                       const struct rend_run *runs, const struct rend_run *parts, int rows)
{
    const struct rend_canvas *canvas = brush->canvas;
    if (brush->sampler.pixels != NULL) {
        draw_textured(brush, triangle, y, runs, parts, rows);
    } else {
        brush->kernels->parts(&triangle->shade, y, runs, parts, (size_t)rows,
                              canvas->pixels + (size_t)y * canvas->stride, canvas->stride);
    }
}

/* After the parts of runs, those that follow and are not hidden. Returns whether there are any. */
static bool next_parts(const struct rend_cover *cover, int y, const struct rend_run *runs, int rows,
                       struct rend_run *parts)
{
    bool any = false;
    for (int i = 0; i < rows; i++) {
        parts[i] = rend_cover_seen(cover, y + i, (struct rend_run){parts[i].end, runs[i].end});
        any = any || parts[i].end > parts[i].first;
    }
    return any;
}

static void draw_seen(const struct brush *brush, const struct triangle *triangle, int y,
                      const struct rend_run *runs, int rows)
{
    struct rend_run parts[REND_ROWS];
    for (int i = 0; i < rows; i++) {
        parts[i] = (struct rend_run){runs[i].first, runs[i].first};
    }
    while (next_parts(brush->cover, y, runs, rows, parts)) {
        draw_parts(brush, triangle, y, runs, parts, rows);
    }
    for (int i = 0; i < rows; i++) {
        rend_cover_add(brush->cover, y + i, runs[i]);
    }
}

static void draw_rows(const struct brush *brush, const struct triangle *triangle, int y,
                      const struct rend_run *runs, int rows)
{
    const struct rend_canvas *canvas = brush->canvas;
    if (brush->cover != NULL) {
        draw_seen(brush, triangle, y, runs, rows);
    } else if (brush->sampler.pixels != NULL) {
        draw_textured(brush, triangle, y, runs, runs, rows);
    } else {
        brush->kernels->rows(&triangle->shade, y, runs, (size_t)rows,
                             canvas->pixels + (size_t)y * canvas->stride, canvas->stride);
    }
}

/* The rows of the canvas's band in which sides lie; end <= first: none. */
static struct rend_run rows_of(const struct brush *brush, const struct rend_side *sides, int count)
{
    const struct rend_canvas *canvas = brush->canvas;
    struct rend_run rows = {canvas->bottom, canvas->top};
    for (int i = 0; i < count; i++) {
        rows.first = sides[i].first < rows.first ? sides[i].first : rows.first;
        rows.end = sides[i].end > rows.end ? sides[i].end : rows.end;
    }
    rows.first = rows.first > canvas->top ? rows.first : canvas->top;
    rows.end = rows.end < canvas->bottom ? rows.end : canvas->bottom;
    return rows;
}

/* Of the rows what lies inside of the sides, which are those of a convex polygon. */
static void draw_polygon(const struct brush *brush, const struct triangle *triangle,
                         struct rend_run all, const struct rend_side *sides, int count)
{
    struct rend_run runs[REND_ROWS];
    for (int y = all.first; y < all.end; y += REND_ROWS) {
        const int rows = all.end - y < REND_ROWS ? all.end - y : REND_ROWS;
        rend_side_runs(brush->kernels, brush->canvas->width, sides, count, y, rows, runs);
        draw_rows(brush, triangle, y, runs, rows);
    }
}

static void draw_triangle(const struct brush *brush, const struct rend_corner *const c[3],
                          const struct rend_side sides[3])
{
    struct triangle triangle;
    const struct rend_run rows = rows_of(brush, sides, 3);
    triangle.shade = brush->shade;
    if (rows.end > rows.first && !rend_invisible(brush->canvas, c) &&
        make_planes(&triangle, c, brush->sampler.pixels != NULL)) {
        draw_polygon(brush, &triangle, rows, sides, 3);
    }
}

void rend_draw_triangle(const struct rend_canvas *canvas, const struct rend_corner corners[3],
                        enum rend_blend blend, const struct tmu_surface *texture)
{
    const struct brush brush = brush_of(canvas, &corners[0], &corners[1], blend, texture);
    const struct rend_corner *const c[3] = {&corners[0], &corners[1], &corners[2]};
    struct rend_side sides[3];
    for (int i = 0; i < 3; i++) {
        if (!rend_finite_point(c[i]->at)) {
            return;
        }
        sides[i] = rend_side_of(c[i]->at, c[(i + 1) % 3]->at, canvas->height);
    }
    draw_triangle(&brush, c, sides);
}

static void draw_plain_fan(const struct brush *brush, const struct rend_corner *rim, int count)
{
    struct rend_side sides[REND_FAN_SIDES];
    const struct triangle triangle = {.shade = brush->shade};
    if (rim[0].colour.a == 0) {
        return;
    }
    for (int i = 0; i < count; i++) {
        sides[i] = rend_side_of(rim[i].at, rim[i + 1].at, brush->canvas->height);
    }
    draw_polygon(brush, &triangle, rows_of(brush, sides, count), sides, count);
}

/* Each side that two triangles share is made once. What hides others is drawn from the front, which
 * is the last triangle. */
static void draw_triangles(const struct brush *brush, const struct rend_corner *centre,
                           const struct rend_corner *rim, int sides)
{
    const int height = brush->canvas->height;
    const bool back = brush->cover != NULL;
    if (!rend_finite_point(centre->at)) {
        return;
    }
    struct rend_side last = rend_side_of(centre->at, rim[back ? sides : 0].at, height);
    for (int k = 0; k < sides; k++) {
        const int i = back ? sides - 1 - k : k;
        const struct rend_corner *const c[3] = {centre, &rim[i], &rim[i + 1]};
        const struct rend_side next = rend_side_of(c[0]->at, c[back ? 1 : 2]->at, height);
        if (rend_finite_point(c[1]->at) && rend_finite_point(c[2]->at)) {
            draw_triangle(
                brush, c,
                (const struct rend_side[3]){last, rend_side_of(c[1]->at, c[2]->at, height), next});
        }
        last = next;
    }
}

static bool draw_at_one_go(const struct brush *brush, const struct rend_corner *centre,
                           const struct rend_corner *rim, int sides)
{
    const struct rend_fan fan = {
        .canvas = brush->canvas,
        .centre = centre,
        .rim = rim,
        .sides = sides,
        .shade = &brush->shade,
        .sampler = brush->sampler.pixels != NULL ? &brush->sampler : NULL,
        .texture_kernels = brush->texture_kernels,
        .cover = brush->cover,
    };
    const rend_fan_kernel kernel = rend_fan_kernel_for(brush->canvas->cpu);
    return kernel != NULL && sides <= REND_FAN_SIDES && kernel(&fan);
}

static void draw_fan(const struct brush *brush, const struct rend_corner *centre,
                     const struct rend_corner *rim, int sides)
{
    const bool textured = brush->sampler.pixels != NULL;
    if (rend_fan_is_plain(textured, centre, rim, sides)) {
        draw_plain_fan(brush, rim, sides);
        return;
    }
    if (draw_at_one_go(brush, centre, rim, sides)) {
        return;
    }
    if (brush->cover == NULL ||
        !rend_fan_hidden(brush->canvas, brush->cover, centre, rim, sides, textured)) {
        draw_triangles(brush, centre, rim, sides);
    }
}

void rend_draw_fan(const struct rend_canvas *canvas, const struct rend_corner *centre,
                   const struct rend_corner *rim, int sides, enum rend_blend blend,
                   const struct tmu_surface *texture)
{
    const struct brush brush = brush_of(canvas, centre, rim, blend, texture);
    draw_fan(&brush, centre, rim, sides);
}

void rend_draw_fan_behind(const struct rend_canvas *canvas, struct rend_cover *cover,
                          const struct rend_corner *centre, const struct rend_corner *rim,
                          int sides, const struct tmu_surface *texture)
{
    struct brush brush = brush_of(canvas, centre, rim, REND_BLEND_ALPHA, texture);
    brush.cover = cover;
    draw_fan(&brush, centre, rim, sides);
}
