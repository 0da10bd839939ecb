/* The kernels for rows of pixels: each level against plain C, bit for bit, nothing written outside
 * of the pixels, and plain C against its definition. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../turns.h"
#include "base/random.h"
#include "renderer/draw/span.h"

enum { WIDTH = 700, ROWS = 9, MARGIN = 9, STRIDE = WIDTH + 2 * MARGIN };
enum { WORDS = STRIDE * (ROWS + 2) };

static const struct rend_span_kernels *const plain = &rend_span_kernels_plain;

/* Of the level for which the tests run. */
static const struct rend_span_kernels *kernels_of(void *const *state)
{
    const enum base_cpu_level *level = *state;
    return rend_span_kernels_for(*level);
}

static double random_between(struct base_rng *rng, double low, double high)
{
    return low + (high - low) * (base_rng_next(rng) / 4294967296.0);
}

static size_t random_below(struct base_rng *rng, size_t limit)
{
    return base_rng_next(rng) % limit;
}

static void randomise(struct base_rng *rng, uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        words[i] = base_rng_next(rng) & 0xFFFFFF;
    }
}

enum { LEVEL = REND_SPAN_LEVEL, WHOLE = REND_SPAN_WHOLE, FULL = 255 * LEVEL };

static void set_value(struct rend_shade *shade, int k, int from, int to)
{
    shade->from[k] = (int16_t)from;
    shade->more[k] = (int16_t)(to - from);
}

static int random_value(struct base_rng *rng, int whole)
{
    return (int)random_below(rng, 256) * whole / 255;
}

/* `whole`: what a full colour counts. */
static struct rend_shade random_shade(struct base_rng *rng, int whole)
{
    struct rend_shade shade = {.blend = random_below(rng, 2) == 0 ? REND_BLEND_ALPHA
                                                                  : REND_BLEND_ADDITIVE};
    const bool flat = random_below(rng, 4) == 0;
    for (int k = 0; k < REND_SPAN_ALPHA; k++) {
        const int from = random_value(rng, whole);
        set_value(&shade, k, from, flat ? from : random_value(rng, whole));
    }
    const size_t kind = random_below(rng, 4);
    const int alpha = kind < 2 ? WHOLE : random_value(rng, WHOLE);
    set_value(&shade, REND_SPAN_ALPHA, alpha, kind < 3 ? alpha : random_value(rng, WHOLE));
    return shade;
}

static int compare_falling(const void *a, const void *b)
{
    const float left = *(const float *)a;
    const float right = *(const float *)b;
    return (left < right) - (left > right);
}

/* Spokes in every direction, some of them along a row. */
static void add_spokes(struct base_rng *rng, struct rend_distances *distances)
{
    const size_t count = distances->count;
    distances->spokes = count;
    distances->first = random_below(rng, count);
    distances->from_x = (float)random_between(rng, -800, 100);
    distances->from_y = (float)random_between(rng, -2000, 100);
    for (size_t k = 0; k < count; k++) {
        distances->slope[k] = (float)tan(random_between(rng, -1.6, 1.6));
        distances->slope[k] = random_below(rng, 40) == 0 ? INFINITY : distances->slope[k];
    }
    qsort(distances->slope, count, sizeof *distances->slope, compare_falling);
    for (size_t k = 0; k < REND_DISTANCE_BEHIND; k++) {
        distances->slope[count + k] = -INFINITY;
    }
    for (size_t k = 0; k < count + REND_DISTANCE_SIDES; k++) {
        distances->at[count + k] = distances->at[k];
        distances->per_x[count + k] = distances->per_x[k];
        distances->per_y[count + k] = distances->per_y[k];
    }
}

/* Of polygons of every size, and numbers of every kind. */
static void random_distances(struct base_rng *rng, struct rend_distances *distances)
{
    const bool wild = random_below(rng, 4) == 0;
    const double size = exp(random_between(rng, 0, 7));
    distances->count =
        2 + random_below(rng, random_below(rng, 3) == 0 ? REND_POLYGON_SIDES - 1 : 8);
    distances->faced = random_below(rng, 2) == 0;
    for (size_t k = 0; k < distances->count; k++) {
        const double x = random_between(rng, -1, 1) * REND_DISTANCE_WHOLE / size;
        const double y = random_between(rng, -1, 1) * REND_DISTANCE_WHOLE / size;
        distances->per_x[k] = wild ? base_rng_next(rng) : (uint32_t)(int32_t)x;
        distances->per_y[k] = wild ? base_rng_next(rng) : (uint32_t)(int32_t)y;
        distances->at[k] = base_rng_next(rng);
    }
    distances->spokes = 0;
    if (distances->faced && distances->count <= REND_POLYGON_SIDES / 2 &&
        random_below(rng, 2) == 0) {
        add_spokes(rng, distances);
    }
}

enum { TEXELS = 900, TEXELS_AROUND = 15 };

/* Pieces of rows of a picture, all of them short in every second case; some begin within a block.
 */
static void random_pieces(struct base_rng *rng, struct rend_piece *pieces, uint32_t *words)
{
    const bool all_short = random_below(rng, 2) == 0;
    for (int i = 0; i < ROWS; i++) {
        const int first = (int)random_below(rng, WIDTH);
        const size_t length = random_below(rng, all_short ? 40 : WIDTH);
        const int end = first + 1 + (int)length;
        const int before =
            random_below(rng, 2) == 0 ? 0 : (int)random_below(rng, REND_DISTANCE_BLOCK);
        pieces[i] = (struct rend_piece){
            .pixels = words + STRIDE * (i + 1) + MARGIN,
            .first = first,
            .end = end < WIDTH ? end : WIDTH,
            .y = (int32_t)random_below(rng, 2000),
            .block = first - before,
            .texel = (uint32_t)random_below(rng, TEXELS - WIDTH),
        };
    }
}

static void move_pieces(struct rend_piece *pieces, uint32_t *words)
{
    for (int i = 0; i < ROWS; i++) {
        pieces[i].pixels = words + STRIDE * (i + 1) + MARGIN;
    }
}

/* With texels or without, and with distances unless the colour does not change. */
static void test_pieces_equal(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    static uint32_t expected[WORDS];
    static uint32_t got[WORDS];
    static uint32_t texels[TEXELS_AROUND + TEXELS + TEXELS_AROUND];
    static struct rend_distances distances;
    struct base_rng rng;
    base_rng_seed(&rng, 33, 0);
    for (int round = 0; round < TURNS(3000); round++) {
        const bool textured = round % 2 == 0;
        struct rend_shade shade = random_shade(&rng, textured ? WHOLE : FULL);
        if (round % 14 == 0) {
            shade = (struct rend_shade){.from = {WHOLE, WHOLE, WHOLE, WHOLE}, .blend = shade.blend};
        }
        const bool uniform = round % 7 == 0;
        if (uniform) {
            memset(shade.more, 0, sizeof shade.more);
        }
        struct rend_piece pieces[ROWS + 1];
        memset(pieces, 0x5A, sizeof pieces);
        random_distances(&rng, &distances);
        random_pieces(&rng, pieces, expected);
        randomise(&rng, expected, WORDS);
        randomise(&rng, texels, sizeof texels / sizeof *texels);
        memcpy(got, expected, sizeof got);
        const uint32_t *from = textured ? texels + TEXELS_AROUND : NULL;
        plain->pieces(&shade, uniform ? NULL : &distances, pieces, ROWS, from);
        move_pieces(pieces, got);
        kernels->pieces(&shade, uniform ? NULL : &distances, pieces, ROWS, from);
        assert_memory_equal(expected, got, sizeof got);
    }
}

/* Only the pixels of the pieces change. */
static void test_pieces_stay_inside(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    static uint32_t words[WORDS];
    static uint32_t before[WORDS];
    static struct rend_distances distances;
    struct base_rng rng;
    base_rng_seed(&rng, 34, 0);
    const struct rend_shade shade = {.from = {FULL, FULL, FULL - 9, WHOLE}, .more = {0, 0, 9, 0}};
    for (int round = 0; round < TURNS(500); round++) {
        struct rend_piece pieces[ROWS + 1];
        memset(pieces, 0x5A, sizeof pieces);
        random_distances(&rng, &distances);
        random_pieces(&rng, pieces, words);
        randomise(&rng, before, WORDS);
        for (size_t i = 0; i < WORDS; i++) {
            before[i] &= 0x7F7F7F;
        }
        memcpy(words, before, sizeof words);
        kernels->pieces(&shade, &distances, pieces, ROWS, NULL);
        for (int i = 0; i < WORDS; i++) {
            const int row = i / STRIDE - 1;
            const int x = i % STRIDE - MARGIN;
            const bool drawn =
                row >= 0 && row < ROWS && x >= pieces[row].first && x < pieces[row].end;
            assert_int_equal(words[i], drawn ? 0xFFFFFF : before[i]);
        }
    }
}

/* What begins in the middle of a run is what the whole run draws there. */
static void test_parts_of_runs(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    enum { COUNT = 300 };
    static uint32_t texels[TEXELS_AROUND + COUNT + TEXELS_AROUND];
    static struct rend_distances distances;
    struct base_rng rng;
    base_rng_seed(&rng, 40, 0);
    for (int round = 0; round < TURNS(1000); round++) {
        const struct rend_shade shade = random_shade(&rng, WHOLE);
        uint32_t whole[COUNT];
        uint32_t part[COUNT];
        randomise(&rng, texels, sizeof texels / sizeof *texels);
        randomise(&rng, whole, COUNT);
        memcpy(part, whole, sizeof part);
        random_distances(&rng, &distances);
        const int from = (int)random_below(&rng, COUNT);
        struct rend_piece pieces[2] = {{.pixels = whole, .end = COUNT, .y = round}};
        kernels->pieces(&shade, &distances, pieces, 1, texels + TEXELS_AROUND);
        pieces[0].pixels = part;
        pieces[0].first = from;
        pieces[0].block = from - from % REND_DISTANCE_BLOCK;
        pieces[0].texel = (uint32_t)from;
        kernels->pieces(&shade, &distances, pieces, 1, texels + TEXELS_AROUND);
        assert_memory_equal(whole + from, part + from, (size_t)(COUNT - from) * sizeof *part);
    }
}

/* What plain C draws over a pixel so far away, REND_DISTANCE_WHOLE being all the way; texel: NULL
 * for none. */
static uint32_t drawn_at(const struct rend_shade *shade, int32_t far, const uint32_t *texel,
                         uint32_t pixel)
{
    static struct rend_distances distances;
    const struct rend_piece piece = {.pixels = &pixel, .end = 1};
    distances.count = 2;
    distances.at[0] = (uint32_t)far;
    distances.at[1] = (uint32_t)far;
    plain->pieces(shade, &distances, &piece, 1, texel);
    return pixel;
}

static uint32_t drawn(struct rend_shade shade, uint32_t pixel)
{
    return drawn_at(&shade, 0, NULL, pixel);
}

/* White that covers shows the texture as it is. */
static void test_white_shows_texels(void **state)
{
    (void)state;
    const struct rend_shade shade = {.from = {WHOLE, WHOLE, WHOLE, WHOLE}};
    for (uint32_t value = 0; value < 256; value++) {
        const uint32_t texel = value << 16 | (255 - value) << 8 | value;
        const uint32_t pixel = drawn_at(&shade, 0, &texel, 0x123456);
        assert_int_equal(pixel, texel);
    }
}

static void test_opaque_and_additive(void **state)
{
    (void)state;
    struct rend_shade shade = {.from = {51 * LEVEL, 127 * LEVEL, FULL, WHOLE}};
    assert_int_equal(drawn(shade, 0x00123456), 0x00FF7F33);
    shade.blend = REND_BLEND_ADDITIVE;
    assert_int_equal(drawn(shade, 0x00FF7F33), 0x00FFFE66);
    shade.from[REND_SPAN_ALPHA] = 0;
    assert_int_equal(drawn(shade, 0x00123456), 0x00123456);
    shade.blend = REND_BLEND_ALPHA;
    assert_int_equal(drawn(shade, 0x00123456), 0x00123456);
    const uint32_t texel = 0x00FF0080;
    shade = (struct rend_shade){.from = {WHOLE / 5, WHOLE * 127 / 255, WHOLE, WHOLE}};
    assert_int_equal(drawn_at(&shade, 0, &texel, 0), 0x00FF001A);
}

/* The level nearest to it, or nearly as near as another. */
static void assert_level(uint32_t level, double value)
{
    assert_true(fabs(level - value) <= 0.5 + 1.0 / 32);
}

/* Colours go from one to the other with the greatest distance. */
static void test_distances(void **state)
{
    (void)state;
    enum { PER_X = REND_DISTANCE_WHOLE / 1024, PER_Y = REND_DISTANCE_WHOLE / 64, HALF = 1 << 15 };
    static uint32_t row[WIDTH];
    static struct rend_distances distances = {.at = {REND_DISTANCE_WHOLE / 8 + HALF, HALF},
                                              .per_x = {PER_X, PER_X / 2},
                                              .per_y = {PER_Y, PER_Y},
                                              .count = 2};
    const struct rend_shade shade = {.from = {0, 41 * LEVEL, 200 * LEVEL, WHOLE},
                                     .more = {FULL, 0, -200 * LEVEL, 0}};
    const struct rend_piece piece = {
        .pixels = row, .first = 100, .end = WIDTH, .y = 8, .block = 100};
    plain->pieces(&shade, &distances, &piece, 1, NULL);
    for (int x = 100; x < WIDTH; x++) {
        const double far = fmin(0.25 + x / 1024.0, 1);
        assert_level(row[x] & 255, 255 * far);
        assert_int_equal(row[x] >> 8 & 255, 41);
        assert_level(row[x] >> 16, 200 - 200 * far);
    }
}

/* What is drawn is within a 32nd of a level of what real numbers give, before it is rounded. */
static void test_near_real_numbers(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 44, 0);
    for (int round = 0; round < TURNS(20000); round++) {
        const struct rend_shade shade = random_shade(&rng, FULL);
        const double far = random_between(&rng, -0.2, 1.2);
        const double share = fmin(fmax(far, 0), 1);
        const uint32_t before = base_rng_next(&rng) & 0xFFFFFF;
        const uint32_t pixel = drawn_at(&shade, (int32_t)(far * REND_DISTANCE_WHOLE), NULL, before);
        double value[REND_SPAN_VALUES];
        for (int k = 0; k < REND_SPAN_VALUES; k++) {
            value[k] = shade.from[k] + share * shade.more[k];
        }
        const double alpha = value[REND_SPAN_ALPHA] / WHOLE;
        for (int k = 0; k < REND_SPAN_ALPHA; k++) {
            const double colour = value[k] / LEVEL;
            const double dst = before >> (8 * k) & 255;
            const double sum = shade.blend == REND_BLEND_ADDITIVE
                                   ? dst + colour * alpha
                                   : colour * alpha + dst * (1 - alpha);
            assert_level(pixel >> (8 * k) & 255, fmin(sum, 255));
        }
    }
}

/* What is near to what is there, or faint, is rounded once, to the nearest level: of 255 levels no
 * half less a bit becomes a level, which feedback would add up. */
static void test_faint_is_rounded_once(void **state)
{
    (void)state;
    enum { NEAR = 48, FAINT = 128 };
    for (int whole = 0; whole < 256; whole++) {
        const int16_t alpha = (int16_t)((whole * WHOLE + 127) / 255);
        for (int colour = 0; colour < FAINT; colour += 5) {
            const struct rend_shade plain_one = {.from = {(int16_t)(colour * LEVEL), 0, 0, alpha}};
            const struct rend_shade textured = {.from = {WHOLE, WHOLE, WHOLE, alpha}};
            const uint32_t texel = (uint32_t)colour;
            for (int dst = colour > NEAR ? colour - NEAR : 0; dst <= colour + NEAR; dst++) {
                const double blended = (colour * whole + dst * (255 - whole)) / 255.0;
                const uint32_t expected = (uint32_t)(blended + 0.5);
                assert_int_equal(drawn(plain_one, (uint32_t)dst) & 255, expected);
                assert_int_equal(drawn_at(&textured, 0, &texel, (uint32_t)dst) & 255, expected);
            }
        }
        for (int colour = 0; colour <= NEAR; colour++) {
            const struct rend_shade shade = {.from = {(int16_t)(colour * LEVEL), 0, 0, alpha},
                                             .blend = REND_BLEND_ADDITIVE};
            const double sum = 7 + colour * whole / 255.0;
            assert_int_equal(drawn(shade, 7) & 255, (uint32_t)(sum + 0.5));
        }
    }
}

static void test_widen(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    enum { COUNT = 23, CANARIES = 4 };
    static const double extremes[] = {0, 0.5, -0.5, 1e-300, 1e38, -1e38, 320.5, 639.5, 640.5};
    struct base_rng rng;
    base_rng_seed(&rng, 36, 0);
    for (int round = 0; round < TURNS(5000); round++) {
        struct rend_edge edge = {random_between(&rng, -50, 700), random_between(&rng, -50, 50),
                                 random_between(&rng, -60, 60)};
        if (round % 3 == 0) {
            edge.x = extremes[random_below(&rng, sizeof extremes / sizeof *extremes)];
            edge.slope = extremes[random_below(&rng, sizeof extremes / sizeof *extremes)];
        }
        struct rend_run expected[COUNT + CANARIES];
        struct rend_run got[COUNT + CANARIES];
        for (int i = 0; i < COUNT + CANARIES; i++) {
            expected[i] = (struct rend_run){(int32_t)random_below(&rng, 641),
                                            (int32_t)random_below(&rng, 641)};
        }
        memcpy(got, expected, sizeof got);
        const int y = (int)random_below(&rng, 500);
        const size_t count = random_below(&rng, COUNT + 1);
        for (size_t i = 0; i < count; i++) {
            const double x = edge.x + (y + (int)i + 0.5 - edge.y) * edge.slope;
            const int32_t p = (int32_t)fmin(fmax(ceil(x - 0.5), 0), 640);
            expected[i].first = p < expected[i].first ? p : expected[i].first;
            expected[i].end = p > expected[i].end ? p : expected[i].end;
        }
        struct rend_run again[COUNT + CANARIES];
        memcpy(again, got, sizeof again);
        plain->widen(&edge, y, 640, got, count);
        kernels->widen(&edge, y, 640, again, count);
        assert_memory_equal(expected, got, sizeof got);
        assert_memory_equal(expected, again, sizeof again);
    }
}

static struct rend_stroke random_stroke(struct base_rng *rng, int side)
{
    const bool steep = random_below(rng, 2) == 0;
    const double from = random_between(rng, 0, side - 0.001);
    const double to = random_between(rng, 0, side - 0.001);
    return (struct rend_stroke){
        .major = 0.5,
        .minor = from,
        .slope = (to - from) / (side - 1),
        .first = (int32_t)random_below(rng, (size_t)side),
        .stop = (int32_t)random_below(rng, (size_t)side + 1),
        .major_step = steep ? side : 1,
        .minor_step = steep ? 1 : side,
    };
}

/* A line has the colours that pieces have which lie as far. */
static void test_shaded_strokes(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    enum { SIDE = 40, CANARIES = 9 };
    struct base_rng rng;
    base_rng_seed(&rng, 45, 0);
    for (int round = 0; round < TURNS(5000); round++) {
        uint32_t expected[SIDE * SIDE + CANARIES];
        uint32_t got[2][SIDE * SIDE + CANARIES];
        const struct rend_stroke stroke = random_stroke(&rng, SIDE);
        const struct rend_shade shade = random_shade(&rng, FULL);
        const struct rend_ramp ramp = {stroke.first - (int)random_below(&rng, 9),
                                       base_rng_next(&rng), base_rng_next(&rng)};
        randomise(&rng, expected, SIDE * SIDE + CANARIES);
        memcpy(got[0], expected, sizeof expected);
        memcpy(got[1], expected, sizeof expected);
        for (int32_t major = stroke.first; major < stroke.stop; major++) {
            uint32_t *pixel = &expected[rend_stroke_at(&stroke, major)];
            const uint32_t far = ramp.start + (uint32_t)(major - ramp.from) * ramp.step;
            *pixel = drawn_at(&shade, (int32_t)far, NULL, *pixel);
        }
        plain->shaded_stroke(&stroke, &shade, &ramp, got[0]);
        kernels->shaded_stroke(&stroke, &shade, &ramp, got[1]);
        assert_memory_equal(expected, got[0], sizeof expected);
        assert_memory_equal(expected, got[1], sizeof expected);
    }
}

static uint32_t tinted_channel(uint32_t dst, uint32_t src, uint32_t a, enum rend_blend blend)
{
    if (blend == REND_BLEND_ADDITIVE) {
        const uint32_t sum = dst + (2 * src * a + 255) / 510;
        return sum > 255 ? 255 : sum;
    }
    return (2 * (src * a + dst * (255 - a)) + 255) / 510;
}

/* Every colour and alpha over every tenth value or so. */
static void test_tint(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    enum { COUNT = 67, CANARIES = 9 };
    struct base_rng rng;
    base_rng_seed(&rng, 37, 0);
    for (unsigned round = 0; round < 2 * 256 * 8; round++) {
        const enum rend_blend blend = round % 2 == 0 ? REND_BLEND_ALPHA : REND_BLEND_ADDITIVE;
        const uint32_t alpha = round / 2 % 256;
        const uint32_t colour = base_rng_next(&rng) & 0xFFFFFF;
        uint32_t before[COUNT + CANARIES];
        uint32_t expected[COUNT + CANARIES];
        uint32_t got[COUNT + CANARIES];
        const size_t count = random_below(&rng, COUNT + 1);
        randomise(&rng, before, COUNT + CANARIES);
        memcpy(expected, before, sizeof expected);
        memcpy(got, before, sizeof got);
        for (size_t i = 0; i < count; i++) {
            expected[i] = 0;
            for (unsigned shift = 0; shift < 24; shift += 8) {
                expected[i] |=
                    tinted_channel(before[i] >> shift & 255, colour >> shift & 255, alpha, blend)
                    << shift;
            }
        }
        kernels->tint(colour, alpha, blend, got, count);
        assert_memory_equal(expected, got, sizeof got);
        plain->tint(colour, alpha, blend, before, count);
        assert_memory_equal(expected, before, sizeof before);
    }
}

/* Lines in every direction along and across the rows. */
static void test_strokes_equal(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    enum { SIDE = 40, CANARIES = 9 };
    struct base_rng rng;
    base_rng_seed(&rng, 38, 0);
    for (int round = 0; round < TURNS(5000); round++) {
        uint32_t before[SIDE * SIDE + CANARIES];
        uint32_t expected[SIDE * SIDE + CANARIES];
        uint32_t got[SIDE * SIDE + CANARIES];
        const struct rend_stroke stroke = random_stroke(&rng, SIDE);
        const bool steep = stroke.minor_step == 1;
        const double from = stroke.minor;
        const struct rend_tint tint =
            rend_tint_of(base_rng_next(&rng) & 0xFFFFFF, base_rng_next(&rng) & 255,
                         round % 3 == 0 ? REND_BLEND_ADDITIVE : REND_BLEND_ALPHA);
        randomise(&rng, before, SIDE * SIDE + CANARIES);
        memcpy(expected, before, sizeof expected);
        memcpy(got, before, sizeof got);
        for (int32_t major = stroke.first; major < stroke.stop; major++) {
            const int32_t minor = (int32_t)(from + (major + 0.5 - 0.5) * stroke.slope);
            const int32_t at = steep ? major * SIDE + minor : minor * SIDE + major;
            expected[at] = rend_tinted(before[at], &tint);
        }
        kernels->stroke(&stroke, &tint, got);
        assert_memory_equal(expected, got, sizeof got);
        plain->stroke(&stroke, &tint, before);
        assert_memory_equal(expected, before, sizeof before);
    }
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_equal),
        cmocka_unit_test(test_pieces_stay_inside),
        cmocka_unit_test(test_parts_of_runs),
        cmocka_unit_test(test_white_shows_texels),
        cmocka_unit_test(test_opaque_and_additive),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_near_real_numbers),
        cmocka_unit_test(test_faint_is_rounded_once),
        cmocka_unit_test(test_widen),
        cmocka_unit_test(test_tint),
        cmocka_unit_test(test_strokes_equal),
        cmocka_unit_test(test_shaded_strokes),
    };
    int failed = 0;
    for (int i = 0; i <= (int)base_cpu_best(); i++) {
        enum base_cpu_level level = (enum base_cpu_level)i;
        for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) {
            tests[k].initial_state = &level;
        }
        failed += cmocka_run_group_tests_name(base_cpu_level_name(level), tests, NULL, NULL);
    }
    return failed;
}
