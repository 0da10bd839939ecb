#if defined(__x86_64__)
#include "renderer/fan.h"

#include <stdalign.h>
#include <string.h>

#include "renderer/fan_tables_avx512.h"

/* Pieces of a row that are drawn together: with the ends of the last they fill a vector. */
enum { GROUP = LANES - 1 };

/* Vectors of textured pixels, whose texels are fetched at one go. */
enum { BATCH = 32 };

struct batch {
    uint32_t far[BATCH][LANES];
    uint32_t *pixels[BATCH];
    lanes inside[BATCH];
    uint32_t x[BATCH * LANES + LANES];
    uint32_t y[BATCH * LANES + LANES];
    uint32_t texels[BATCH * LANES + LANES];
    size_t vectors;
    size_t count; /* of texels */
};

struct painting {
    const struct rend_fan *fan;
    struct rend_fan_plan plan;
    struct tables tables;
    struct gradient gradient;
    bool ready; /* the tables have the planes */
    struct batch batch;
};

/* What all rows have in common; constant where a row is drawn. */
struct manner {
    enum colours colours; /* VARIED or TEXTURED */
    enum rend_covering covering;
    bool hidden; /* some pixels may be */
    bool above;  /* rows above the centre, whose triangles follow each other to the right */
};

/* The planes of all triangles. */
static void make_planes(struct painting *painting)
{
    set_far(&painting->tables, painting->fan);
    if (painting->fan->sampler != NULL) {
        set_places(&painting->tables, painting->fan, painting->plan.shift);
    }
    painting->ready = true;
}

/* Where row y crosses the spokes to eight vertices. */
BASE_INLINE half_words spokes_crossed(const struct painting *painting, size_t j, int y, bool above)
{
    const struct tables *tables = &painting->tables;
    const struct rend_point centre = painting->fan->centre->at;
    const doubles row = _mm512_set1_pd(y + 0.5);
    const doubles x = above ? _mm512_loadu_pd(tables->x + j) : _mm512_set1_pd((double)centre.x);
    const doubles from = above ? _mm512_loadu_pd(tables->y + j) : _mm512_set1_pd((double)centre.y);
    const doubles down = _mm512_sub_pd(row, from);
    return pixels_from(_mm512_add_pd(x, _mm512_mul_pd(down, _mm512_loadu_pd(tables->slope + j))),
                       _mm512_set1_pd(painting->fan->canvas->width));
}

BASE_INLINE words both_halves(half_words low, half_words high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* ---- pixels ---- */

/* Pieces of a row that are drawn together. */
struct pieces {
    size_t first; /* triangle of lane 0 */
    int count;    /* 1..GROUP */
    words bounds; /* piece i lies between lanes i and i + 1 */
};

BASE_INLINE words left_of(const struct pieces *pieces, bool above)
{
    return above ? pieces->bounds : _mm512_alignr_epi32(pieces->bounds, pieces->bounds, 1);
}

BASE_INLINE words right_of(const struct pieces *pieces, bool above)
{
    return left_of(pieces, !above);
}

/* A plane's values at the left ends of eight pieces. */
BASE_INLINE doubles plane_at(const struct plane *plane, size_t j, doubles x, doubles y)
{
    const doubles across = _mm512_mul_pd(x, _mm512_loadu_pd(plane->per_x + j));
    const doubles down = _mm512_mul_pd(y, _mm512_loadu_pd(plane->per_y + j));
    return _mm512_add_pd(_mm512_add_pd(_mm512_loadu_pd(plane->at + j), across), down);
}

/* The left ends, as numbers. */
struct begins {
    doubles low;
    doubles high;
    doubles y;
    bool more; /* than eight pieces */
};

BASE_INLINE words far_from(const struct plane *plane, size_t j, const struct begins *begins)
{
    const half_words low = fixed_of(plane_at(plane, j, begins->low, begins->y));
    half_words high = _mm256_setzero_si256();
    if (begins->more) {
        high = fixed_of(plane_at(plane, j + HALF_LANES, begins->high, begins->y));
    }
    return both_halves(low, high);
}

BASE_INLINE words turns_from(const struct plane *plane, size_t j, const struct begins *begins,
                             double half_texel)
{
    const doubles half = _mm512_set1_pd(half_texel);
    const half_words low =
        turns_of(_mm512_sub_pd(plane_at(plane, j, begins->low, begins->y), half));
    half_words high = _mm256_setzero_si256();
    if (begins->more) {
        high =
            turns_of(_mm512_sub_pd(plane_at(plane, j + HALF_LANES, begins->high, begins->y), half));
    }
    return both_halves(low, high);
}

/* A number of all pieces that grows from pixel to pixel, modulo 2^32. */
struct ramp {
    words start; /* at pixel 0 of the row */
    words step;
};

BASE_INLINE struct ramp ramp_of(words at_left, words step, words left)
{
    return (struct ramp){_mm512_sub_epi32(at_left, _mm512_mullo_epi32(left, step)), step};
}

BASE_INLINE words ramp_at(const struct ramp *ramp, words piece, words x)
{
    const words start = _mm512_permutexvar_epi32(piece, ramp->start);
    const words step = _mm512_permutexvar_epi32(piece, ramp->step);
    return _mm512_add_epi32(start, _mm512_mullo_epi32(x, step));
}

/* Pieces ready to be drawn. */
struct row {
    uint32_t *pixels; /* of the canvas's row */
    words order;      /* pieces that are not empty, in the order of the triangles */
    int count;        /* of those */
    struct ramp far;
    struct ramp turn[2];
};

BASE_INLINE void set_row(struct row *row, const struct painting *painting,
                         const struct pieces *pieces, lanes filled, int y, struct manner manner)
{
    const struct tables *tables = &painting->tables;
    const struct rend_canvas *canvas = painting->fan->canvas;
    const size_t j = pieces->first;
    const words left = left_of(pieces, manner.above);
    row->order = _mm512_maskz_compress_epi32(filled, words_in_order());
    row->count = __builtin_popcount(filled);
    row->pixels = canvas->pixels + (size_t)y * canvas->stride;
    const struct begins begins = {
        _mm512_cvtepi32_pd(_mm512_castsi512_si256(left)),
        _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(left, 1)),
        _mm512_set1_pd(y),
        pieces->count > HALF_LANES,
    };
    row->far = ramp_of(far_from(&tables->plane[PLANE_FAR], j, &begins),
                       words_load((const uint32_t *)tables->step + j), left);
    if (manner.colours == TEXTURED) {
        const struct tmu_sampler *sampler = painting->fan->sampler;
        const double half[2] = {0.5 / sampler->width, 0.5 / sampler->height};
        for (int k = 0; k < 2; k++) {
            row->turn[k] = ramp_of(turns_from(&tables->plane[PLANE_U + k], j, &begins, half[k]),
                                   words_load(tables->turn[k] + j), left);
        }
    }
}

/* The bits at which pieces begin, of 64 pixels from x on. */
BASE_INLINE uint64_t bits_of(words left, lanes filled, int x)
{
    const words places = _mm512_sub_epi32(left, _mm512_set1_epi32(x));
    const __m512i one = _mm512_set1_epi64(1);
    const __m512i low = _mm512_maskz_sllv_epi64(
        (__mmask8)filled, one, _mm512_cvtepu32_epi64(_mm512_castsi512_si256(places)));
    const __m512i high = _mm512_maskz_sllv_epi64(
        (__mmask8)(filled >> 8), one, _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(places, 1)));
    return (uint64_t)_mm512_reduce_or_epi64(_mm512_or_si512(low, high));
}

/* For each of sixteen pixels, how many pieces begin there or at pixels before it; modulo 16. */
BASE_INLINE words begun(unsigned bits)
{
    const uint64_t ones = 0x1111111111111111;
    const uint64_t sums = _pdep_u64(bits, ones) * ones;
    const words halves =
        _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1),
                                 _mm512_castsi128_si512(_mm_cvtsi64_si128((long long)sums)));
    return _mm512_srlv_epi32(
        halves, _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28));
}

/* Which of sixteen pixels from x on are not hidden. */
BASE_INLINE unsigned seen_from(const uint8_t *cover, int x)
{
    uint32_t bits;
    memcpy(&bits, cover + x / 8, sizeof bits);
    return ~(bits >> (x % 8)) & UINT16_MAX;
}

/* Turns to positions: the upper part of 48 bits, worked out in halves of 16. */
BASE_INLINE words position_of(words c, uint32_t size)
{
    const words sizes = _mm512_set1_epi16((short)size);
    return _mm512_add_epi32(_mm512_mulhi_epu16(c, sizes),
                            _mm512_srli_epi32(_mm512_mullo_epi16(c, sizes), 16));
}

BASE_INLINE void draw_batch(struct painting *painting, enum rend_covering covering)
{
    struct batch *batch = &painting->batch;
    words_store(batch->x + batch->count, _mm512_setzero_si512());
    words_store(batch->y + batch->count, _mm512_setzero_si512());
    painting->fan->texture_kernels->sample(batch->texels, batch->x, batch->y, batch->count,
                                           painting->fan->sampler);
    size_t at = 0;
    for (size_t i = 0; i < batch->vectors; i++) {
        const lanes inside = batch->inside[i];
        uint32_t *pixels = batch->pixels[i];
        const words texels = _mm512_maskz_expand_epi32(inside, words_load(batch->texels + at));
        const words dst =
            covering == REND_OPAQUE ? _mm512_setzero_si512() : words_load_some(pixels, inside);
        words_store_some(pixels, inside,
                         shaded(&painting->gradient, words_load(batch->far[i]), dst, texels,
                                TEXTURED, covering));
        at += (size_t)__builtin_popcount(inside);
    }
    batch->vectors = 0;
    batch->count = 0;
}

BASE_INLINE void add_to_batch(struct painting *painting, const struct row *row, words piece,
                              words places, uint32_t *pixels, lanes inside,
                              enum rend_covering covering)
{
    struct batch *batch = &painting->batch;
    const struct tmu_sampler *sampler = painting->fan->sampler;
    const words x = position_of(ramp_at(&row->turn[0], piece, places), sampler->width);
    const words y = position_of(ramp_at(&row->turn[1], piece, places), sampler->height);
    words_store(batch->far[batch->vectors], ramp_at(&row->far, piece, places));
    batch->pixels[batch->vectors] = pixels;
    batch->inside[batch->vectors++] = inside;
    words_store(batch->x + batch->count, _mm512_maskz_compress_epi32(inside, x));
    words_store(batch->y + batch->count, _mm512_maskz_compress_epi32(inside, y));
    batch->count += (size_t)__builtin_popcount(inside);
    if (batch->vectors == BATCH) {
        draw_batch(painting, covering);
    }
}

/* Up to sixteen pixels from x on, each of the piece named. */
BASE_INLINE void draw_pixels(struct painting *painting, const struct row *row, int x, lanes inside,
                             words piece, struct manner manner)
{
    const words places = _mm512_add_epi32(_mm512_set1_epi32(x), words_in_order());
    uint32_t *pixels = row->pixels + x;
    if (manner.colours == TEXTURED) {
        add_to_batch(painting, row, piece, places, pixels, inside, manner.covering);
        return;
    }
    const words dst =
        manner.covering == REND_OPAQUE ? _mm512_setzero_si512() : words_load_some(pixels, inside);
    words_store_some(pixels, inside,
                     shaded(&painting->gradient, ramp_at(&row->far, piece, places), dst, dst,
                            VARIED, manner.covering));
}

/* Pieces that lie side by side. */
BASE_INLINE void draw_pieces(struct painting *painting, const struct pieces *pieces, int y,
                             struct manner manner)
{
    const lanes all = lanes_below((size_t)pieces->count);
    const words left = left_of(pieces, manner.above);
    const lanes filled = _mm512_mask_cmplt_epi32_mask(all, left, right_of(pieces, manner.above));
    if (filled == 0) {
        return;
    }
    const int begin = _mm512_cvtsi512_si32(pieces->bounds);
    const int end = _mm512_cvtsi512_si32(
        _mm512_permutexvar_epi32(_mm512_set1_epi32(pieces->count), pieces->bounds));
    const int stop = manner.above ? end : begin;
    struct row row;
    set_row(&row, painting, pieces, filled, y, manner);
    const struct rend_cover *cover = painting->fan->cover;
    const uint8_t *hidden =
        manner.hidden ? (const uint8_t *)(cover->words + (size_t)y * cover->pitch) : NULL;
    uint64_t bits = 0;
    int before = 0;
    const int start = manner.above ? begin : end;
    for (int x = start; x < stop; x += LANES) {
        if ((x - start) % 64 == 0) {
            bits = bits_of(left, filled, x);
        }
        unsigned inside = lanes_below((size_t)(stop - x));
        if (manner.hidden) {
            inside &= seen_from(hidden, x);
        }
        if (!manner.hidden || inside != 0) {
            const words count = begun((unsigned)bits & UINT16_MAX);
            const words place =
                manner.above ? _mm512_add_epi32(count, _mm512_set1_epi32(before - 1))
                             : _mm512_sub_epi32(_mm512_set1_epi32(row.count - before), count);
            draw_pixels(painting, &row, x, (lanes)inside,
                        _mm512_permutexvar_epi32(place, row.order), manner);
        }
        before += __builtin_popcount((unsigned)bits & UINT16_MAX);
        bits >>= LANES;
    }
}

/* ---- rows ---- */

/* Up to GROUP of the pieces of row y, which are triangles j.. and all in all `rest` from there. */
BASE_INLINE struct pieces pieces_of(const struct painting *painting, int y, int j, int rest,
                                    bool above)
{
    const int i = y - painting->plan.first;
    const half_words low = spokes_crossed(painting, (size_t)j, y, above);
    half_words high = _mm256_setzero_si256();
    if (rest >= HALF_LANES) {
        high = spokes_crossed(painting, (size_t)j + HALF_LANES, y, above);
    }
    words bounds = both_halves(low, high);
    if (j + 1 == painting->plan.spokes[i].first) {
        bounds = _mm512_mask_set1_epi32(bounds, 1, painting->tables.begin[i]);
    }
    if (rest <= GROUP) {
        const lanes last = (lanes)(1U << rest);
        bounds = _mm512_mask_set1_epi32(bounds, last, painting->tables.end[i]);
    }
    return (struct pieces){(size_t)j, rest < GROUP ? rest : GROUP, bounds};
}

/* How many rows ahead pixels are asked for, and in what steps. */
enum { ROWS_AHEAD = 24, LINE_PIXELS = 16 };

/* Asks for the pixels of a row; some more, but of the canvas. */
BASE_INLINE void ask_for_row(const struct painting *painting, int i)
{
    const struct rend_canvas *canvas = painting->fan->canvas;
    const struct rend_fan_plan *plan = &painting->plan;
    const int y = plan->first + i;
    if (y >= plan->end) {
        return;
    }
    const uint32_t *row = canvas->pixels + (size_t)y * canvas->stride;
    const int a = painting->tables.begin[i];
    const int b = painting->tables.end[i];
    const int end = a < b ? b : a;
    for (int x = a < b ? a : b; x < end + LINE_PIXELS; x += LINE_PIXELS) {
        __builtin_prefetch(row + (x < end ? x : end), 1);
    }
}

/* Pixels of the row. */
BASE_INLINE void draw_row(struct painting *painting, int y, struct manner manner)
{
    const int i = y - painting->plan.first;
    const struct rend_fan_spokes spokes = painting->plan.spokes[i];
    const int begin = painting->tables.begin[i];
    const int end = painting->tables.end[i];
    const struct rend_run run =
        manner.above ? (struct rend_run){begin, end} : (struct rend_run){end, begin};
    if (run.end <= run.first) {
        return;
    }
    if (manner.hidden) {
        if (rend_cover_hides(painting->fan->cover, y, run)) {
            return;
        }
        if (!painting->ready) {
            make_planes(painting);
        }
    } else {
        ask_for_row(painting, i + ROWS_AHEAD);
    }
    int j = spokes.first - 1;
    for (int rest = spokes.last - j + 1; rest > 0; rest -= GROUP) {
        const struct pieces pieces = pieces_of(painting, y, j, rest, manner.above);
        draw_pieces(painting, &pieces, y, manner);
        j += GROUP;
    }
    if (manner.hidden) {
        rend_cover_add(painting->fan->cover, y, run);
    }
}

BASE_INLINE void draw_rows(struct painting *painting, struct manner manner)
{
    const struct rend_fan_plan *plan = &painting->plan;
    for (int i = 0; !manner.hidden && i < ROWS_AHEAD; i++) {
        ask_for_row(painting, i);
    }
    if (!manner.hidden) {
        make_planes(painting);
    }
    manner.above = true;
    for (int y = plan->first; y < plan->middle; y++) {
        draw_row(painting, y, manner);
    }
    manner.above = false;
    for (int y = plan->middle; y < plan->end; y++) {
        draw_row(painting, y, manner);
    }
    if (manner.colours == TEXTURED) {
        draw_batch(painting, manner.covering);
    }
}

/* Those that may hide each other are opaque. */
static void draw_hiding(struct painting *painting, enum colours colours)
{
    if (colours == TEXTURED) {
        draw_rows(painting, (struct manner){TEXTURED, REND_OPAQUE, true, true});
    } else {
        draw_rows(painting, (struct manner){VARIED, REND_OPAQUE, true, true});
    }
}

BASE_INLINE void draw_seen(struct painting *painting, enum colours colours,
                           enum rend_covering covering)
{
    switch (covering) {
    case REND_OPAQUE:
        draw_rows(painting, (struct manner){colours, REND_OPAQUE, false, true});
        break;
    case REND_BLENDED:
        draw_rows(painting, (struct manner){colours, REND_BLENDED, false, true});
        break;
    case REND_ADDED:
        draw_rows(painting, (struct manner){colours, REND_ADDED, false, true});
        break;
    }
}

static void draw_kind(struct painting *painting, enum colours colours, enum rend_covering covering)
{
    if (painting->fan->cover != NULL) {
        draw_hiding(painting, colours);
    } else if (colours == TEXTURED) {
        draw_seen(painting, TEXTURED, covering);
    } else {
        draw_seen(painting, VARIED, covering);
    }
}

bool rend_fan_avx512(const struct rend_fan *fan)
{
    struct painting painting;
    painting.fan = fan;
    struct rend_fan_plan *plan = &painting.plan;
    if (!rend_fan_plan_avx512(plan, fan)) {
        return false;
    }
    const bool clear = fan->centre->colour.a == 0 && fan->rim[0].colour.a == 0;
    if (!clear && plan->end > plan->first) {
        const enum colours colours = fan->sampler != NULL ? TEXTURED : VARIED;
        const enum rend_covering covering = rend_covering_of(fan->shade);
        set_vertices(&painting.tables, fan, plan);
        set_sides(&painting.tables, fan->sides);
        cross_rim(&painting.tables, plan, fan->canvas->width);
        painting.gradient = gradient_of(fan->shade, colours, covering);
        painting.ready = false;
        painting.batch.vectors = 0;
        painting.batch.count = 0;
        draw_kind(&painting, colours, covering);
    }
    return true;
}
#else
typedef int rend_fan_avx512_not_for_this_machine;
#endif
