/* The kernels for rows of pixels: each level against plain C, bit for bit, nothing written outside
 * of the pixels, and plain C against its definition. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "renderer/span.h"

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

/* Gentle planes, steep ones, those that do not change, and numbers from which nothing can be drawn.
 */
static void random_plane(struct base_rng *rng, struct rend_shade *shade)
{
    static const double odd[] = {0, 1, 1e30, -1e30, 1e308, -1e308, INFINITY, NAN, 1e-40, -1e-40};
    const size_t kind = random_below(rng, 8);
    const double steep = kind < 4 ? 0.001 : 0.1;
    shade->at = kind < 2 ? (double)random_below(rng, 2) : random_between(rng, -0.3, 1.3);
    if (kind > 1) {
        shade->per_x = random_between(rng, -steep, steep);
        shade->per_y = random_between(rng, -steep, steep);
    }
    if (kind == 7 && random_below(rng, 3) == 0) {
        shade->per_x = odd[random_below(rng, sizeof odd / sizeof *odd)];
        shade->at = odd[random_below(rng, sizeof odd / sizeof *odd)];
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
    random_plane(rng, &shade);
    for (int k = 0; k < REND_SPAN_ALPHA; k++) {
        const int from = random_value(rng, whole);
        set_value(&shade, k, from, flat ? from : random_value(rng, whole));
    }
    const size_t kind = random_below(rng, 4);
    const int alpha = kind < 2 ? WHOLE : random_value(rng, WHOLE);
    set_value(&shade, REND_SPAN_ALPHA, alpha, kind < 3 ? alpha : random_value(rng, WHOLE));
    return shade;
}

/* All of them short in every second case. */
static void random_runs(struct base_rng *rng, struct rend_run *runs)
{
    const bool all_short = random_below(rng, 2) == 0;
    for (int i = 0; i < ROWS; i++) {
        runs[i].first = (int32_t)random_below(rng, WIDTH);
        const size_t length = random_below(rng, 3) == 0
                                  ? random_below(rng, 20)
                                  : random_below(rng, all_short ? 260 : WIDTH);
        const int32_t end = runs[i].first + (int32_t)length - 3;
        runs[i].end = end > WIDTH ? WIDTH : end;
    }
}

static void test_rows_equal(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    static uint32_t expected[WORDS];
    static uint32_t got[WORDS];
    struct base_rng rng;
    base_rng_seed(&rng, 33, 0);
    for (int round = 0; round < 3000; round++) {
        const struct rend_shade shade = random_shade(&rng, FULL);
        struct rend_run runs[ROWS];
        random_runs(&rng, runs);
        randomise(&rng, expected, WORDS);
        memcpy(got, expected, sizeof got);
        const int y = (int)random_below(&rng, 2000);
        plain->rows(&shade, y, runs, ROWS, expected + STRIDE + MARGIN, STRIDE);
        kernels->rows(&shade, y, runs, ROWS, got + STRIDE + MARGIN, STRIDE);
        assert_memory_equal(expected, got, sizeof got);
    }
}

/* More rows than are worked on together, between edges. */
static void test_many_rows_equal(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    enum { MANY = 150, NARROW = 80, COUNT = NARROW * MANY + MARGIN };
    static uint32_t expected[COUNT];
    static uint32_t got[COUNT];
    struct base_rng rng;
    base_rng_seed(&rng, 42, 0);
    for (int round = 0; round < 1000; round++) {
        const struct rend_shade shade = random_shade(&rng, FULL);
        struct rend_run runs[MANY];
        const int first = (int)random_below(&rng, NARROW);
        for (int i = 0; i < MANY; i++) {
            runs[i].first = (first + i / 3) % NARROW;
            runs[i].end = runs[i].first + (int32_t)random_below(&rng, 40) - 4;
            runs[i].end = runs[i].end > NARROW ? NARROW : runs[i].end;
        }
        randomise(&rng, expected, COUNT);
        memcpy(got, expected, sizeof got);
        const size_t count = random_below(&rng, MANY + 1);
        plain->rows(&shade, 3, runs, count, expected, NARROW);
        kernels->rows(&shade, 3, runs, count, got, NARROW);
        assert_memory_equal(expected, got, sizeof got);
    }
}

/* Only the pixels of the runs change. */
static void test_rows_stay_inside(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    static uint32_t words[WORDS];
    static uint32_t before[WORDS];
    struct base_rng rng;
    base_rng_seed(&rng, 34, 0);
    const struct rend_shade shade = {
        .from = {FULL, FULL, FULL - 9, WHOLE}, .more = {0, 0, 9, 0}, .per_x = 0.001};
    for (int round = 0; round < 500; round++) {
        struct rend_run runs[ROWS];
        random_runs(&rng, runs);
        randomise(&rng, before, WORDS);
        for (size_t i = 0; i < WORDS; i++) {
            before[i] &= 0x7F7F7F;
        }
        memcpy(words, before, sizeof words);
        kernels->rows(&shade, 5, runs, ROWS, words + STRIDE + MARGIN, STRIDE);
        for (int i = 0; i < WORDS; i++) {
            const int row = i / STRIDE - 1;
            const int x = i % STRIDE - MARGIN;
            const bool drawn = row >= 0 && row < ROWS && x >= runs[row].first && x < runs[row].end;
            assert_int_equal(words[i], drawn ? 0xFFFFFF : before[i]);
        }
    }
}

/* Parts of opaque runs are what the whole runs draw there. */
static void test_parts_equal(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    static uint32_t before[WORDS];
    static uint32_t whole[WORDS];
    static uint32_t got[2][WORDS];
    struct base_rng rng;
    base_rng_seed(&rng, 39, 0);
    for (int round = 0; round < 2000; round++) {
        struct rend_shade shade = random_shade(&rng, FULL);
        shade.blend = REND_BLEND_ALPHA;
        set_value(&shade, REND_SPAN_ALPHA, WHOLE, WHOLE);
        struct rend_run runs[ROWS];
        struct rend_run parts[ROWS];
        random_runs(&rng, runs);
        for (int i = 0; i < ROWS; i++) {
            const int length = runs[i].end > runs[i].first ? runs[i].end - runs[i].first : 0;
            parts[i].first = runs[i].first + (int32_t)random_below(&rng, (size_t)length + 1);
            parts[i].end = runs[i].end - (int32_t)random_below(&rng, (size_t)length + 1);
        }
        randomise(&rng, before, WORDS);
        memcpy(whole, before, sizeof whole);
        memcpy(got[0], before, sizeof before);
        memcpy(got[1], before, sizeof before);
        plain->rows(&shade, 7, runs, ROWS, whole + STRIDE + MARGIN, STRIDE);
        plain->parts(&shade, 7, runs, parts, ROWS, got[0] + STRIDE + MARGIN, STRIDE);
        kernels->parts(&shade, 7, runs, parts, ROWS, got[1] + STRIDE + MARGIN, STRIDE);
        for (int i = 0; i < WORDS; i++) {
            const int row = i / STRIDE - 1;
            const int x = i % STRIDE - MARGIN;
            const bool drawn =
                row >= 0 && row < ROWS && x >= parts[row].first && x < parts[row].end;
            assert_int_equal(got[0][i], drawn ? whole[i] : before[i]);
        }
        assert_memory_equal(got[0], got[1], sizeof got[0]);
    }
}

/* One piece, of a run that begins at 3, 4. */
static void draw_textured(const struct rend_span_kernels *kernels, const struct rend_shade *shade,
                          size_t from, const uint32_t *texels, uint32_t *pixels, size_t count)
{
    const struct rend_textured_piece piece = {
        .x = 3, .y = 4, .from = (uint32_t)from, .count = (uint32_t)count, .pixels = pixels};
    kernels->textured(shade, &piece, 1, texels);
}

/* What begins in the middle of a run is what the whole run draws there. */
static void test_textured_from(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    struct base_rng rng;
    base_rng_seed(&rng, 40, 0);
    for (int round = 0; round < 1000; round++) {
        const struct rend_shade shade = random_shade(&rng, WHOLE);
        uint32_t texels[COUNT];
        uint32_t whole[COUNT];
        uint32_t part[COUNT];
        randomise(&rng, texels, COUNT);
        randomise(&rng, whole, COUNT);
        memcpy(part, whole, sizeof part);
        const size_t from = random_below(&rng, COUNT);
        const size_t count = random_below(&rng, COUNT - from + 1);
        draw_textured(plain, &shade, 0, texels, whole, COUNT);
        draw_textured(plain, &shade, from, texels + from, part + from, count);
        assert_memory_equal(whole + from, part + from, count * sizeof *part);
    }
}

static void test_textured_equal(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    enum { COUNT = 300, CANARIES = 9 };
    struct base_rng rng;
    base_rng_seed(&rng, 35, 0);
    for (int round = 0; round < 5000; round++) {
        struct rend_shade shade = random_shade(&rng, WHOLE);
        uint32_t texels[COUNT];
        uint32_t expected[COUNT + CANARIES];
        uint32_t got[COUNT + CANARIES];
        if (round % 5 == 0) {
            shade = (struct rend_shade){.from = {WHOLE, WHOLE, WHOLE, WHOLE}, .blend = shade.blend};
        }
        randomise(&rng, texels, COUNT);
        randomise(&rng, expected, COUNT + CANARIES);
        memcpy(got, expected, sizeof got);
        const size_t count = (size_t)round % (COUNT + 1);
        const size_t from = random_below(&rng, COUNT - count + 1);
        draw_textured(plain, &shade, from, texels, expected, count);
        draw_textured(kernels, &shade, from, texels, got, count);
        assert_memory_equal(expected, got, sizeof got);
    }
}

/* Pieces one after the other, some of them empty, and some over others. */
static void test_textured_pieces(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    enum { COUNT = 600, PIECES = 9 };
    struct base_rng rng;
    base_rng_seed(&rng, 43, 0);
    for (int round = 0; round < 2000; round++) {
        const struct rend_shade shade = random_shade(&rng, WHOLE);
        struct rend_textured_piece pieces[PIECES];
        uint32_t texels[COUNT];
        uint32_t expected[COUNT];
        uint32_t got[COUNT];
        randomise(&rng, texels, COUNT);
        randomise(&rng, expected, COUNT);
        memcpy(got, expected, sizeof got);
        for (int i = 0; i < PIECES; i++) {
            const uint32_t count = (uint32_t)random_below(&rng, i % 2 == 0 ? 40 : 200);
            pieces[i] = (struct rend_textured_piece){
                .x = (int32_t)random_below(&rng, WIDTH),
                .y = i,
                .from = (uint32_t)random_below(&rng, 300),
                .count = count,
                .first_texel = (uint32_t)random_below(&rng, COUNT - count),
                .pixels = got + random_below(&rng, COUNT - count),
            };
        }
        kernels->textured(&shade, pieces, PIECES, texels);
        for (int i = 0; i < PIECES; i++) {
            pieces[i].pixels = expected + (pieces[i].pixels - got);
            plain->textured(&shade, &pieces[i], 1, texels);
        }
        assert_memory_equal(expected, got, sizeof got);
    }
}

/* White that covers shows the texture as it is. */
static void test_white_shows_texels(void **state)
{
    (void)state;
    const struct rend_shade shade = {.from = {WHOLE, WHOLE, WHOLE, WHOLE}};
    for (uint32_t value = 0; value < 256; value++) {
        const uint32_t texel = value << 16 | (255 - value) << 8 | value;
        uint32_t pixel = 0x123456;
        draw_textured(plain, &shade, 0, &texel, &pixel, 1);
        assert_int_equal(pixel, texel);
    }
}

static uint32_t drawn(struct rend_shade shade, uint32_t pixel)
{
    const struct rend_run run = {0, 1};
    plain->rows(&shade, 0, &run, 1, &pixel, 0);
    return pixel;
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
    uint32_t pixel = 0;
    shade = (struct rend_shade){.from = {WHOLE / 5, WHOLE * 127 / 255, WHOLE, WHOLE}};
    draw_textured(plain, &shade, 0, &texel, &pixel, 1);
    assert_int_equal(pixel, 0x00FF001A);
}

/* The level nearest to it, or nearly as near as another. */
static void assert_level(uint32_t level, double value)
{
    assert_true(fabs(level - value) <= 0.5 + 1.0 / 32);
}

/* The value of a pixel depends on its place, not on where a run begins, up to rounding. */
static void test_planes(void **state)
{
    (void)state;
    static uint32_t row[WIDTH];
    const struct rend_shade shade = {.from = {0, 41 * LEVEL, 200 * LEVEL, WHOLE},
                                     .more = {FULL, 0, -200 * LEVEL, 0},
                                     .at = 0.125,
                                     .per_x = 1 / 1024.0,
                                     .per_y = 1 / 64.0};
    const struct rend_run run = {100, WIDTH};
    plain->rows(&shade, 8, &run, 1, row, 0);
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
    for (int round = 0; round < 20000; round++) {
        struct rend_shade shade = random_shade(&rng, FULL);
        const double far = random_between(&rng, -0.2, 1.2);
        const double share = fmin(fmax(far, 0), 1);
        const uint32_t before = base_rng_next(&rng) & 0xFFFFFF;
        shade.at = far;
        shade.per_x = 0;
        shade.per_y = 0;
        const uint32_t pixel = drawn(shade, before);
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

static void test_widen(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    enum { COUNT = 23, CANARIES = 4 };
    static const double extremes[] = {0, 0.5, -0.5, 1e-300, 1e38, -1e38, 320.5, 639.5, 640.5};
    struct base_rng rng;
    base_rng_seed(&rng, 36, 0);
    for (int round = 0; round < 5000; round++) {
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

/* A triangle's runs are {width, 0} widened to its sides, where these are. */
static void test_triangle(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    enum { COUNT = 64, CANARIES = 8, Y = 20, LIMIT = 640 };
    struct base_rng rng;
    base_rng_seed(&rng, 41, 0);
    for (int round = 0; round < 5000; round++) {
        const size_t count = random_below(&rng, COUNT + 1);
        struct rend_side sides[3];
        struct rend_run expected[COUNT + CANARIES];
        struct rend_run got[2][COUNT + CANARIES];
        memset(got, 0x55, sizeof got);
        for (int k = 0; k < 3; k++) {
            sides[k] = (struct rend_side){
                .edge = {random_between(&rng, -50, 700), random_between(&rng, -50, 50),
                         random_between(&rng, -60, 60)},
                .first = (int)random_below(&rng, 100),
                .end = (int)random_below(&rng, 100),
            };
        }
        for (size_t i = 0; i < count; i++) {
            expected[i] = (struct rend_run){LIMIT, 0};
            for (int k = 0; k < 3; k++) {
                const int row = Y + (int)i;
                if (row >= sides[k].first && row < sides[k].end) {
                    plain->widen(&sides[k].edge, row, LIMIT, expected + i, 1);
                }
            }
        }
        plain->triangle(sides, Y, LIMIT, got[0], count);
        kernels->triangle(sides, Y, LIMIT, got[1], count);
        assert_memory_equal(expected, got[0], count * sizeof *expected);
        assert_memory_equal(expected, got[1], count * sizeof *expected);
        assert_int_equal(got[1][count + 7].first, 0x55555555);
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

/* A line has the colours that a run of the same shade has. */
static void test_shaded_strokes(void **state)
{
    const struct rend_span_kernels *const kernels = kernels_of(state);
    enum { SIDE = 40, CANARIES = 9 };
    struct base_rng rng;
    base_rng_seed(&rng, 45, 0);
    for (int round = 0; round < 5000; round++) {
        uint32_t expected[SIDE * SIDE + CANARIES];
        uint32_t got[2][SIDE * SIDE + CANARIES];
        const struct rend_stroke stroke = random_stroke(&rng, SIDE);
        const struct rend_shade shade = random_shade(&rng, FULL);
        const int from = stroke.first - (int)random_below(&rng, 9);
        randomise(&rng, expected, SIDE * SIDE + CANARIES);
        memcpy(got[0], expected, sizeof expected);
        memcpy(got[1], expected, sizeof expected);
        for (int32_t major = stroke.first; major < stroke.stop; major++) {
            uint32_t row[SIDE] = {0};
            uint32_t *pixel = &expected[rend_stroke_at(&stroke, major)];
            row[major] = *pixel;
            plain->parts(&shade, 0, &(struct rend_run){from, major + 1},
                         &(struct rend_run){major, major + 1}, 1, row, 0);
            *pixel = row[major];
        }
        plain->shaded_stroke(&stroke, &shade, from, got[0]);
        kernels->shaded_stroke(&stroke, &shade, from, got[1]);
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
    for (int round = 0; round < 5000; round++) {
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
        cmocka_unit_test(test_rows_equal),
        cmocka_unit_test(test_many_rows_equal),
        cmocka_unit_test(test_rows_stay_inside),
        cmocka_unit_test(test_parts_equal),
        cmocka_unit_test(test_textured_from),
        cmocka_unit_test(test_triangle),
        cmocka_unit_test(test_textured_equal),
        cmocka_unit_test(test_textured_pieces),
        cmocka_unit_test(test_white_shows_texels),
        cmocka_unit_test(test_opaque_and_additive),
        cmocka_unit_test(test_planes),
        cmocka_unit_test(test_near_real_numbers),
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
