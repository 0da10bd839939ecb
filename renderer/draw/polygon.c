#include "renderer/draw/polygon.h"

#include <string.h>

#include "renderer/draw/list.h"
#include "tmu/kernels.h"

void rend_cover_clear(const struct rend_cover *cover, int first, int end)
{
    if (end > first) {
        memset(cover->words + (size_t)first * cover->pitch, 0,
               (size_t)(end - first) * cover->pitch * sizeof *cover->words);
    }
}

/* Bits from `first % 64` on. */
static uint64_t bits_from(int first)
{
    return UINT64_MAX << (first & 63);
}

/* The first place from `from` on, before `end`, whose bit differs from those of `same`; or `end`.
 */
static int find_other(const uint64_t *row, int from, int end, uint64_t same)
{
    if (from >= end) {
        return end;
    }
    size_t word = (unsigned)from / 64;
    const size_t last = (unsigned)(end - 1) / 64;
    uint64_t other = (row[word] ^ same) & bits_from(from);
    while (other == 0 && word < last) {
        word++;
        other = row[word] ^ same;
    }
    const int place = other != 0 ? (int)(word * 64) + __builtin_ctzll(other) : end;
    return place < end ? place : end;
}

struct rend_run rend_cover_seen(const struct rend_cover *cover, int y, struct rend_run run)
{
    const uint64_t *row = cover->words + (size_t)y * cover->pitch;
    const int first = find_other(row, run.first, run.end, UINT64_MAX);
    return (struct rend_run){first, find_other(row, first, run.end, 0)};
}

void rend_cover_add(const struct rend_cover *cover, int y, struct rend_run run)
{
    if (run.end <= run.first) {
        return;
    }
    uint64_t *row = cover->words + (size_t)y * cover->pitch;
    const size_t first = (unsigned)run.first / 64;
    const size_t last = (unsigned)(run.end - 1) / 64;
    const uint64_t to_last = UINT64_MAX >> (63 - ((unsigned)(run.end - 1) & 63));
    if (first == last) {
        row[first] |= bits_from(run.first) & to_last;
        return;
    }
    row[first] |= bits_from(run.first);
    for (size_t word = first + 1; word < last; word++) {
        row[word] = UINT64_MAX;
    }
    row[last] |= to_last;
}

/* Rows are worked on in blocks of this size. */
enum { ROWS = 64 };

/* At most PIECES pieces are drawn, and TEXELS texels read, with one call of a kernel, which may
 * touch TEXELS_AROUND texels more on either side. */
enum { PIECES = ROWS, TEXELS = 512, TEXELS_AROUND = 16 };

/* Where sides lie opposite each other, and there are more than SPOKES_LEAST such pairs and a reach
 * of more than spokes_reach pixels, it pays to compare only the sides that are near a pixel. */
enum { SPOKES_LEAST = 16 };

static const double spokes_reach = 24;

/* Polygons whose reaches have a smaller product, in square pixels, are not drawn. */
static const double reaches_least = 1e-12;

/* A side, and the rows whose centres it crosses. */
struct side {
    struct rend_edge edge;
    int first;
    int end;
};

struct drawing {
    const struct rend_canvas *canvas;
    const struct rend_polygon *polygon;
    const struct rend_cover *cover;
    const struct rend_span_kernels *kernels;
    const struct tmu_kernels *texture_kernels;
    struct tmu_sampler sampler;
    struct rend_turns u;
    struct rend_turns v;
    struct rend_shade shade;
    struct rend_distances distances;
    size_t distance_sides; /* how many sides they count */
    bool uniform;          /* the colour does not change */
    bool ready;            /* distances and texture are */
    struct side sides[REND_POLYGON_SIDES];
    struct rend_run rows;
    struct rend_piece pieces[PIECES + 1]; /* kernels may read the one after the last */
    struct tmu_ramp ramps[PIECES];        /* first: of its texels */
    size_t count;
    uint32_t texels;
};

/* ---- distances, and places in the texture ---- */

/* Rounded, modulo 2^32: the low bits of a number to which such a large one is added. So it is below
 * 2^21; what is larger belongs to polygons of less than a hundredth of a pixel, or far outside. */
static uint32_t distance_units(double number)
{
    const double moved = number * REND_DISTANCE_WHOLE + 0x1.8p52;
    uint64_t bits;
    memcpy(&bits, &moved, sizeof bits);
    return (uint32_t)bits;
}

/* The corners of half of the polygon, from the one with the greatest slope on. */
static void make_spokes(struct rend_distances *distances, const struct rend_polygon *polygon)
{
    const size_t count = distances->count;
    const double *c = polygon->cosine;
    const double *s = polygon->sine;
    const double slope = polygon->reach_x / polygon->reach_y;
    float slopes[REND_POLYGON_SIDES / 2];
    size_t steepest = 0;
    for (size_t k = 0; k < count; k++) {
        slopes[k] = (float)(slope * c[k] / s[k]);
        steepest = slopes[k] > slopes[steepest] ? k : steepest;
    }
    for (size_t k = 0; k < count; k++) {
        distances->slope[k] = slopes[k + steepest < count ? k + steepest : k + steepest - count];
    }
    for (size_t k = 0; k < REND_DISTANCE_BEHIND; k++) {
        distances->slope[count + k] = -INFINITY;
    }
    for (size_t k = 0; k < count + REND_DISTANCE_SIDES; k++) {
        distances->at[count + k] = distances->at[k];
        distances->per_x[count + k] = distances->per_x[k];
        distances->per_y[count + k] = distances->per_y[k];
    }
    distances->spokes = count;
    distances->first = steepest > 0 ? steepest - 1 : count - 1;
    distances->from_x = 0.5f - polygon->centre.x;
    distances->from_y = 0.5f - polygon->centre.y;
}

/* A side's normal points to its middle: for corners on a circle, to the sum of their places, whose
 * length is twice the cosine of half the angle between them. Half a unit of the upper halves, which
 * are what counts, is for rounding. */
static void make_distances(struct drawing *drawing)
{
    const struct rend_polygon *polygon = drawing->polygon;
    struct rend_distances *distances = &drawing->distances;
    const double *c = polygon->cosine;
    const double *s = polygon->sine;
    const double share = 1 / (1 + c[0] * c[1] + s[0] * s[1]);
    const double x = share / polygon->reach_x;
    const double y = share / polygon->reach_y;
    const double from_x = 0.5 - (double)polygon->centre.x;
    const double from_y = 0.5 - (double)polygon->centre.y;
    const double reach = fmin(fabs(polygon->reach_x), fabs(polygon->reach_y));
    const size_t count = drawing->distance_sides;
    for (size_t k = 0; k < count; k++) {
        const size_t next = k + 1 < (size_t)polygon->sides ? k + 1 : 0;
        const double per_x = (c[k] + c[next]) * x;
        const double per_y = (s[k] + s[next]) * y;
        distances->at[k] = distance_units(from_x * per_x + from_y * per_y) + (1 << 15);
        distances->per_x[k] = distance_units(per_x);
        distances->per_y[k] = distance_units(per_y);
    }
    distances->count = count;
    distances->faced = count < (size_t)polygon->sides;
    distances->spokes = 0;
    if (distances->faced && count > SPOKES_LEAST && reach > spokes_reach && x * y > 0) {
        make_spokes(distances, polygon);
    }
}

static uint32_t turns_of(double coordinate)
{
    if (!(fabs(coordinate) < 0x1p52)) {
        return 0;
    }
    return (uint32_t)(uint64_t)((coordinate - floor(coordinate)) * 0x1p32 + 0.5);
}

static double finite_or_zero(double number)
{
    return isfinite(number) ? number : 0;
}

/* size: of the texture along this axis. */
static struct rend_turns make_turns(const struct rend_polygon *polygon,
                                    const struct rend_texture_place *place, uint32_t size)
{
    const double per_x = finite_or_zero(place->per_cosine) / polygon->reach_x;
    const double per_y = finite_or_zero(place->per_sine) / polygon->reach_y;
    const double from_x = 0.5 - (double)polygon->centre.x;
    const double from_y = 0.5 - (double)polygon->centre.y;
    const double first = finite_or_zero(place->at) - 0.5 / size;
    return (struct rend_turns){turns_of(first + from_x * per_x + from_y * per_y), turns_of(per_x),
                               turns_of(per_y)};
}

/* What is not needed where everything is hidden. */
static void make_ready(struct drawing *drawing)
{
    const struct rend_polygon *polygon = drawing->polygon;
    if (drawing->ready) {
        return;
    }
    drawing->ready = true;
    if (!drawing->uniform) {
        make_distances(drawing);
    }
    if (polygon->texture != NULL) {
        const struct tmu_surface *texture = polygon->texture;
        drawing->sampler = (struct tmu_sampler){texture->pixels, (uint32_t)texture->stride,
                                                (uint32_t)texture->width, (uint32_t)texture->height,
                                                tmu_keep_of(255)};
        drawing->u = make_turns(polygon, &polygon->u, drawing->sampler.width);
        drawing->v = make_turns(polygon, &polygon->v, drawing->sampler.height);
    }
}

/* ---- pieces ---- */

static void draw_pieces(struct drawing *drawing)
{
    uint32_t u[TEXELS + TEXELS_AROUND];
    uint32_t v[TEXELS + TEXELS_AROUND];
    uint32_t texels[TEXELS + 2 * TEXELS_AROUND];
    if (drawing->count == 0) {
        return;
    }
    const bool textured = drawing->polygon->texture != NULL;
    if (textured) {
        struct tmu_ramp *last = &drawing->ramps[drawing->count - 1];
        last->end = last->flat = (drawing->texels + 7) / 8 * 8;
        drawing->texture_kernels->ramps[TMU_WRAP](u, v, drawing->ramps, drawing->count,
                                                  (struct tmu_diagonal){0}, &drawing->sampler);
        drawing->texture_kernels->sample(texels + TEXELS_AROUND, u, v, drawing->texels,
                                         &drawing->sampler);
    }
    drawing->pieces[drawing->count] = (struct rend_piece){.pixels = NULL};
    drawing->kernels->pieces(&drawing->shade, drawing->uniform ? NULL : &drawing->distances,
                             drawing->pieces, drawing->count,
                             textured ? texels + TEXELS_AROUND : NULL);
    drawing->count = 0;
    drawing->texels = 0;
}

/* Ramps count in the upper words. */
static uint64_t ramp_value(const struct rend_turns *turns, int x, int y)
{
    const uint32_t value = turns->at + (uint32_t)x * turns->per_x + (uint32_t)y * turns->per_y;
    return (uint64_t)value << 32;
}

/* Part of a run that begins at `origin`; of at most TEXELS pixels, if there is a texture. */
static void add_piece(struct drawing *drawing, int y, int origin, struct rend_run part)
{
    const bool textured = drawing->polygon->texture != NULL;
    const uint32_t count = (uint32_t)(part.end - part.first);
    if (drawing->count == PIECES || (textured && drawing->texels + count > TEXELS)) {
        draw_pieces(drawing);
    }
    const struct rend_canvas *canvas = drawing->canvas;
    drawing->pieces[drawing->count] = (struct rend_piece){
        .pixels = canvas->pixels + (size_t)y * canvas->stride,
        .first = part.first,
        .end = part.end,
        .y = y,
        .block = part.first - (int)((unsigned)(part.first - origin) % REND_DISTANCE_BLOCK),
        .texel = drawing->texels};
    if (textured) {
        const struct rend_turns *u = &drawing->u;
        const struct rend_turns *v = &drawing->v;
        drawing->ramps[drawing->count] =
            (struct tmu_ramp){.at = {[TMU_LEFT_X] = ramp_value(u, part.first, y),
                                     [TMU_LEFT_Y] = ramp_value(v, part.first, y)},
                              .step = {[TMU_LEFT_X] = u->per_x, [TMU_LEFT_Y] = v->per_x},
                              .first = drawing->texels,
                              .end = drawing->texels + count,
                              .flat = drawing->texels + count};
        drawing->texels += count;
    }
    drawing->count++;
}

static void add_part(struct drawing *drawing, int y, int origin, struct rend_run part)
{
    while (part.end - part.first > TEXELS && drawing->polygon->texture != NULL) {
        add_piece(drawing, y, origin, (struct rend_run){part.first, part.first + TEXELS});
        part.first += TEXELS;
    }
    add_piece(drawing, y, origin, part);
}

/* ---- rows ---- */

/* Finds the sides, and in which rows of the canvas's row band they lie. */
static void make_sides(struct drawing *drawing)
{
    const struct rend_canvas *canvas = drawing->canvas;
    const struct rend_point *rim = drawing->polygon->rim;
    struct rend_run rows = {canvas->bottom, canvas->top};
    for (int k = 0; k < drawing->polygon->sides; k++) {
        /* An edge is always computed from its upper to its lower end. */
        const struct rend_point a = rim[k];
        const struct rend_point b = rim[k + 1];
        const bool swap = a.y > b.y || (a.y == b.y && a.x > b.x);
        const struct rend_point upper = swap ? b : a;
        const struct rend_point lower = swap ? a : b;
        const double x = (double)upper.x;
        const double y = (double)upper.y;
        const double down = (double)lower.y - y;
        const struct side side = {
            .edge = {x, y, down > 0 ? ((double)lower.x - x) / down : 0},
            .first = rend_pixel_from(y, canvas->height),
            .end = rend_pixel_from((double)lower.y, canvas->height),
        };
        drawing->sides[k] = side;
        rows.first = side.first < rows.first ? side.first : rows.first;
        rows.end = side.end > rows.end ? side.end : rows.end;
    }
    rows.first = rows.first > canvas->top ? rows.first : canvas->top;
    rows.end = rows.end < canvas->bottom ? rows.end : canvas->bottom;
    drawing->rows = rows;
}

/* What of rows y, y + 1, ... lies between the sides. */
static void find_runs(const struct drawing *drawing, int y, int rows, struct rend_run *runs)
{
    const int width = drawing->canvas->width;
    for (int i = 0; i < rows; i++) {
        runs[i] = (struct rend_run){width, 0};
    }
    for (int k = 0; k < drawing->polygon->sides; k++) {
        const struct side *side = &drawing->sides[k];
        const int first = side->first > y ? side->first : y;
        const int end = side->end < y + rows ? side->end : y + rows;
        if (end > first) {
            drawing->kernels->widen(&side->edge, first, width, runs + (first - y),
                                    (size_t)(end - first));
        }
    }
}

/* One piece for each row. */
static void add_rows(struct drawing *drawing, int y, const struct rend_run *runs, int rows)
{
    const size_t stride = drawing->canvas->stride;
    uint32_t *pixels = drawing->canvas->pixels + (size_t)y * stride;
    struct rend_piece *piece = drawing->pieces;
    for (int i = 0; i < rows; i++) {
        *piece = (struct rend_piece){.pixels = pixels,
                                     .first = runs[i].first,
                                     .end = runs[i].end,
                                     .y = y + i,
                                     .block = runs[i].first};
        piece += runs[i].end > runs[i].first;
        pixels += stride;
    }
    drawing->count = (size_t)(piece - drawing->pieces);
    make_ready(drawing);
    draw_pieces(drawing);
}

/* What of a run is not hidden. */
static void add_seen(struct drawing *drawing, int y, struct rend_run run)
{
    const struct rend_cover *cover = drawing->cover;
    struct rend_run part = rend_cover_seen(cover, y, run);
    if (part.end <= part.first) {
        return;
    }
    make_ready(drawing);
    while (part.end > part.first) {
        add_part(drawing, y, run.first, part);
        part = rend_cover_seen(cover, y, (struct rend_run){part.end, run.end});
    }
    rend_cover_add(cover, y, run);
}

static void draw_rows(struct drawing *drawing)
{
    struct rend_run runs[ROWS];
    const struct rend_run all = drawing->rows;
    const bool simple = drawing->cover == NULL && drawing->polygon->texture == NULL;
    for (int y = all.first; y < all.end; y += ROWS) {
        const int rows = all.end - y < ROWS ? all.end - y : ROWS;
        find_runs(drawing, y, rows, runs);
        if (simple) {
            add_rows(drawing, y, runs, rows);
            continue;
        }
        for (int i = 0; i < rows; i++) {
            if (drawing->cover != NULL) {
                add_seen(drawing, y + i, runs[i]);
            } else if (runs[i].end > runs[i].first) {
                make_ready(drawing);
                add_part(drawing, y + i, runs[i].first, runs[i]);
            }
        }
    }
    draw_pieces(drawing);
}

/* Notes it, with what of each row lies between the sides. */
static void list_rows(struct drawing *drawing)
{
    struct rend_run runs[ROWS];
    const struct rend_run all = drawing->rows;
    make_ready(drawing);
    const struct rend_list_polygon polygon = {
        .first_row = all.first,
        .end_row = all.end,
        .shade = &drawing->shade,
        .distances = drawing->uniform ? NULL : &drawing->distances,
        .textured = drawing->polygon->texture != NULL,
        .u = drawing->u,
        .v = drawing->v,
    };
    uint32_t *noted = rend_list_add_polygon(drawing->canvas->list, &polygon);
    for (int y = all.first; noted != NULL && y < all.end; y += ROWS) {
        const int rows = all.end - y < ROWS ? all.end - y : ROWS;
        find_runs(drawing, y, rows, runs);
        for (int i = 0; i < rows; i++) {
            *noted++ = rend_list_run(runs[i]);
        }
    }
}

void rend_draw_polygon(const struct rend_canvas *canvas, const struct rend_polygon *polygon,
                       const struct rend_cover *cover)
{
    struct drawing drawing;
    bool finite = rend_finite_point(polygon->centre);
    for (int k = 0; k <= polygon->sides; k++) {
        finite = finite && rend_finite_point(polygon->rim[k]);
    }
    if (!finite || (polygon->inner.a == 0 && polygon->outer.a == 0) ||
        !(fabs(polygon->reach_x * polygon->reach_y) > reaches_least)) {
        return;
    }
    drawing.canvas = canvas;
    drawing.polygon = polygon;
    drawing.cover = cover;
    drawing.kernels = rend_span_kernels_for(canvas->cpu);
    drawing.texture_kernels = tmu_kernels_for(canvas->cpu);
    drawing.shade.blend = polygon->blend;
    rend_set_colours(&drawing.shade, polygon->inner, polygon->outer, polygon->texture != NULL);
    drawing.uniform = true;
    for (int k = 0; k < REND_SPAN_VALUES; k++) {
        drawing.uniform = drawing.uniform && drawing.shade.more[k] == 0;
    }
    drawing.distance_sides =
        (size_t)(polygon->sides % 2 == 0 ? polygon->sides / 2 : polygon->sides);
    drawing.ready = false;
    drawing.count = 0;
    drawing.texels = 0;
    make_sides(&drawing);
    if (canvas->list == NULL) {
        draw_rows(&drawing);
    } else if (drawing.rows.first < drawing.rows.end) {
        list_rows(&drawing);
    }
}
