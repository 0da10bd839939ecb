/* Every CPU level against the plain C kernels, and those against formulas written another way:
 * random and adversarial input, every small size, canaries around what is written. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test_tmu_surface.h"
#include "tmu/kernels.h"

enum { COUNT_MAX = 200, TAIL = 7, CANARY = 0x5A, CANARY_WORDS = 16, RAMPS = 6 };
enum { ROW = COUNT_MAX + CANARY_WORDS };

static const uint32_t canary = 0x5A5A5A5A;
static const int sizes[][2] = {{1, 1},   {2, 3},   {3, 2},   {4, 5},     {7, 6},    {9, 8},
                               {10, 11}, {13, 12}, {15, 14}, {17, 16},   {16, 16},  {33, 17},
                               {511, 7}, {64, 32}, {1, 300}, {640, 480}, {8192, 2}, {2, 8192}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct tmu_sampler sampler_of(const struct tmu_surface *surface, unsigned decay)
{
    return (struct tmu_sampler){surface->pixels, (uint32_t)surface->stride,
                                (uint32_t)surface->width, (uint32_t)surface->height,
                                tmu_keep_of(decay)};
}

/* ---- ramps ---- */

struct ramp_rows {
    uint32_t x[ROW];
    uint32_t y[ROW];
    struct tmu_ramp ramps[RAMPS];
    struct tmu_diagonal diagonal;
};

static uint64_t random_value(struct base_rng *rng, unsigned kind)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     UINT64_MAX,
                                     1ULL << 63,
                                     (1ULL << 63) - 1,
                                     1ULL << 32,
                                     (1ULL << 32) - 1,
                                     0xFFFFFFFFULL << 32,
                                     1ULL << 48,
                                     0 - (1ULL << 48)};
    if (kind == 0) {
        return edges[base_rng_next(rng) % (sizeof edges / sizeof *edges)];
    }
    const uint64_t bits = (uint64_t)base_rng_next(rng) << 32 | base_rng_next(rng);
    return kind == 1 ? bits : bits >> 14; /* the last: small steps */
}

/* Ramps from left to right, with empty ones among them; returns the pixels that they cover. */
static uint32_t random_ramps(struct ramp_rows *rows, struct base_rng *rng)
{
    const uint64_t pitch = ((uint64_t)base_rng_next(rng) * (COUNT_MAX / RAMPS)) >> (rng->state & 7);
    const uint64_t past = base_rng_next(rng);
    const uint64_t into = pitch == 0 ? 0 : random_value(rng, 1) % (pitch + 1);
    rows->diagonal = (struct tmu_diagonal){past + into, pitch};
    for (size_t i = 0; i < RAMPS; i++) {
        struct tmu_ramp *ramp = &rows->ramps[i];
        ramp->first = (uint32_t)((past + i * pitch) >> 32);
        ramp->end = (uint32_t)((past + (i + 1) * pitch) >> 32);
        ramp->flat = base_rng_next(rng) % 4 == 0 ? ramp->end : 0;
        for (size_t k = 0; k < TMU_RAMP_VALUES; k++) {
            ramp->at[k] = random_value(rng, base_rng_next(rng) % 3);
            ramp->per_row[k] = random_value(rng, base_rng_next(rng) % 3);
            ramp->step[k] = (uint32_t)(random_value(rng, base_rng_next(rng) % 3) >> 32);
        }
    }
    return rows->ramps[RAMPS - 1].end;
}

/* Pixels before the diagonal read along the left triangle's line, the others along the right one's.
 */
static void test_triangles(void **state)
{
    (void)state;
    const struct tmu_sampler sampler = {NULL, 0, 8192, 8192, 0};
    const struct tmu_ramp start = {.at = {5ULL << 48, 100ULL << 48, 1000ULL << 48, 0},
                                   .per_row = {1ULL << 48, 0, 0, 3ULL << 48},
                                   .step = {1 << 16, 0, 2 << 16, 7 << 16},
                                   .first = 3,
                                   .end = 23};
    for (int level = 0; level <= (int)base_cpu_best(); level++) {
        const struct tmu_kernels *kernels = tmu_kernels_for(level_of(level));
        for (uint32_t turn = start.first; turn <= start.end; turn++) {
            uint32_t x[40];
            uint32_t y[40];
            struct tmu_ramp ramp = start;
            const struct tmu_diagonal diagonal = {(uint64_t)turn << 32 | 77, 0};
            kernels->ramps[TMU_CLAMP](x, y, &ramp, 1, diagonal, &sampler);
            for (uint32_t i = ramp.first; i < ramp.end; i++) {
                const uint32_t past = i - ramp.first;
                assert_int_equal(x[i] >> 16, i < turn ? 5 + past : 1000 + 2 * past);
                assert_int_equal(y[i] >> 16, i < turn ? 100 : 7 * past);
            }
            assert_int_equal(ramp.at[TMU_LEFT_X] >> 48, 6);
            assert_int_equal(ramp.at[TMU_RIGHT_Y] >> 48, 3);
        }
    }
}

static void check_inside(const struct ramp_rows *rows, size_t written,
                         const struct tmu_sampler *sampler)
{
    for (size_t i = 0; i < written; i++) {
        assert_true(rows->x[i] < sampler->width << TMU_POSITION_BITS);
        assert_true(rows->y[i] < sampler->height << TMU_POSITION_BITS);
    }
    for (size_t i = written; i < ROW; i++) {
        if (rows->x[i] != canary) { /* the tail behind the last ramp */
            assert_true(i < written + TAIL);
            assert_true(rows->x[i] < sampler->width << TMU_POSITION_BITS);
            assert_true(rows->y[i] < sampler->height << TMU_POSITION_BITS);
        }
    }
}

static void compare_ramps(const struct tmu_sampler *sampler, enum tmu_address address,
                          struct base_rng *rng)
{
    static struct ramp_rows expected;
    static struct ramp_rows got;
    memset(&expected, CANARY, sizeof expected);
    const uint32_t pixels = random_ramps(&expected, rng);
    const struct ramp_rows start = expected;
    tmu_kernels_plain.ramps[address](expected.x, expected.y, expected.ramps, RAMPS, start.diagonal,
                                     sampler);
    for (int level = 0; level <= (int)base_cpu_best(); level++) {
        got = start;
        tmu_kernels_for(level_of(level))
            ->ramps[address](got.x, got.y, got.ramps, RAMPS, start.diagonal, sampler);
        assert_memory_equal(got.x, expected.x, pixels * sizeof *got.x);
        assert_memory_equal(got.y, expected.y, pixels * sizeof *got.y);
        assert_memory_equal(got.ramps, expected.ramps, sizeof got.ramps);
        check_inside(&got, pixels, sampler);
    }
}

static void test_ramps_equal(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 17, 0);
    for (size_t s = 0; s < SIZES; s++) {
        const struct tmu_sampler sampler = {NULL, 0, (uint32_t)sizes[s][0], (uint32_t)sizes[s][1],
                                            0};
        for (int address = 0; address < TMU_ADDRESSES; address++) {
            for (int round = 0; round < 60; round++) {
                compare_ramps(&sampler, (enum tmu_address)address, &rng);
            }
        }
    }
}

/* Where coordinate c of a ramp reads, in texels. */
static double texel_at(uint32_t c, int size, enum tmu_address address)
{
    const double turns = c / 4294967296.0;
    double texel = (int32_t)c / 65536.0;
    if (address == TMU_WRAP) {
        return turns * size;
    }
    if (address == TMU_MIRROR) {
        texel = turns * 2 * size;
        texel = texel > size - 0.5 ? 2 * size - 1 - texel : texel;
    }
    return fmin(fmax(texel, 0), size - 1);
}

static void test_positions(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 5, 0);
    for (size_t s = 0; s < SIZES; s++) {
        const struct tmu_sampler sampler = {NULL, 0, (uint32_t)sizes[s][0], (uint32_t)sizes[s][1],
                                            0};
        for (int round = 0; round < 600; round++) {
            const enum tmu_address address = (enum tmu_address)(round % TMU_ADDRESSES);
            struct tmu_ramp ramp = {.end = 1, .flat = 1};
            ramp.at[TMU_LEFT_X] = random_value(&rng, (unsigned)round % 2);
            ramp.at[TMU_LEFT_Y] = random_value(&rng, (unsigned)round % 2);
            const uint32_t c = (uint32_t)(ramp.at[TMU_LEFT_X] >> 32);
            const uint32_t d = (uint32_t)(ramp.at[TMU_LEFT_Y] >> 32);
            uint32_t x = 0;
            uint32_t y = 0;
            tmu_kernels_plain.ramps[address](&x, &y, &ramp, 1, (struct tmu_diagonal){0}, &sampler);
            assert_near(x / 65536.0, texel_at(c, sizes[s][0], address), 2.1 / 65536);
            assert_near(y / 65536.0, texel_at(d, sizes[s][1], address), 2.1 / 65536);
        }
    }
}

/* ---- samples ---- */

static uint32_t random_position(struct base_rng *rng, int size, unsigned kind)
{
    const uint32_t end = (uint32_t)size << TMU_POSITION_BITS;
    const uint32_t at = base_rng_next(rng) % end;
    const uint32_t whole = at & ~(uint32_t)(TMU_TEXEL - 1);
    switch (kind) {
    case 0:
        return at;
    case 1:
        return whole;
    case 2:
        return whole + TMU_TEXEL - 1;
    default:
        return base_rng_next(rng) % 2 == 0 ? 0 : end - 1;
    }
}

static void compare_samples(const struct tmu_sampler *sampler, size_t count, struct base_rng *rng)
{
    uint32_t x[COUNT_MAX + 8];
    uint32_t y[COUNT_MAX + 8];
    uint32_t expected[ROW];
    uint32_t got[ROW];
    for (size_t i = 0; i < COUNT_MAX + 8; i++) {
        x[i] = random_position(rng, (int)sampler->width, base_rng_next(rng) % 4);
        y[i] = random_position(rng, (int)sampler->height, base_rng_next(rng) % 4);
    }
    tmu_kernels_plain.sample(expected, x, y, count, sampler);
    for (int level = 0; level <= (int)base_cpu_best(); level++) {
        memset(got, CANARY, sizeof got);
        tmu_kernels_for(level_of(level))->sample(got, x, y, count, sampler);
        assert_memory_equal(expected, got, count * sizeof *got);
        for (size_t i = (count + 7) / 8 * 8; i < ROW; i++) {
            assert_int_equal(got[i], canary);
        }
    }
}

static void test_samples_equal(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 7, 0);
    for (size_t s = 0; s < SIZES; s++) {
        struct tmu_surface texture = random_surface(sizes[s][0], sizes[s][1], &rng);
        for (size_t count = 0; count <= COUNT_MAX; count += 1 + count / 9) {
            const struct tmu_sampler sampler = sampler_of(&texture, base_rng_next(&rng) % 256);
            compare_samples(&sampler, count, &rng);
        }
        tmu_surface_free(&texture);
    }
}

/* Both steps of a row whose pixels have one y, beside the plain one. */
static void compare_steps(const struct tmu_sampler *sampler, size_t count, struct base_rng *rng)
{
    uint32_t x[COUNT_MAX + 8];
    uint32_t y[COUNT_MAX + 8];
    uint32_t expected[ROW];
    uint32_t got[ROW];
    int16_t sums[2][4 * ROW];
    const uint32_t row = random_position(rng, (int)sampler->height, base_rng_next(rng) % 4);
    for (size_t i = 0; i < COUNT_MAX + 8; i++) {
        x[i] = random_position(rng, (int)sampler->width, base_rng_next(rng) % 4);
        y[i] = row;
    }
    tmu_kernels_plain.sample(expected, x, y, count, sampler);
    const uint32_t *upper = sampler->pixels + (size_t)(row >> TMU_POSITION_BITS) * sampler->stride;
    for (int level = 0; level <= (int)base_cpu_best(); level++) {
        const struct tmu_kernels *kernels = tmu_kernels_for(level_of(level));
        const size_t end = (count + 7) / 8 * 8;
        memset(got, CANARY, sizeof got);
        memset(sums, CANARY, sizeof sums);
        kernels->across(sums[0], upper, x, count);
        kernels->across(sums[1], upper + sampler->stride, x, count);
        kernels->down(got, sums[0], sums[1], row, count, sampler->keep);
        assert_memory_equal(expected, got, count * sizeof *got);
        for (size_t i = end; i < ROW; i++) {
            assert_int_equal(got[i], canary);
            assert_int_equal(sums[0][4 * i], (int16_t)canary);
        }
    }
}

static void test_steps_equal(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 9, 0);
    for (size_t s = 0; s < SIZES; s++) {
        struct tmu_surface texture = random_surface(sizes[s][0], sizes[s][1], &rng);
        for (size_t count = 0; count <= COUNT_MAX; count += 1 + count / 9) {
            const struct tmu_sampler sampler = sampler_of(&texture, base_rng_next(&rng) % 256);
            compare_steps(&sampler, count, &rng);
        }
        tmu_surface_free(&texture);
    }
}

/* A channel in real numbers, unrounded. */
static double bilinear(const uint32_t *top, size_t stride, double fx, double fy, unsigned shift)
{
    const double a = (top[0] >> shift) & 255;
    const double b = (top[1] >> shift) & 255;
    const double c = (top[stride] >> shift) & 255;
    const double d = (top[stride + 1] >> shift) & 255;
    return (a * (1 - fx) + b * fx) * (1 - fy) + (c * (1 - fx) + d * fx) * fy;
}

static void check_sample(const struct tmu_sampler *sampler, uint32_t x, uint32_t y)
{
    const uint32_t *top = sampler->pixels + (size_t)(y >> 16) * sampler->stride + (x >> 16);
    uint32_t pixel[8] = {0};
    tmu_kernels_plain.sample(pixel, &x, &y, 1, sampler);
    for (unsigned shift = 0; shift < 24; shift += 8) {
        const double got = (pixel[0] >> shift) & 255;
        const double stepped =
            bilinear(top, sampler->stride, (x >> 8 & 255) / 255.0, (y >> 8 & 255) / 255.0, shift);
        const double exact =
            bilinear(top, sampler->stride, (x & 65535) / 65536.0, (y & 65535) / 65536.0, shift);
        assert_near(got, stepped, 0.52);
        assert_near(got, exact, 0.52 + 2.0);
    }
}

static void test_sample_formula(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 23, 0);
    struct tmu_surface texture = random_surface(19, 23, &rng);
    const struct tmu_sampler sampler = sampler_of(&texture, 255);
    for (int round = 0; round < 200000; round++) {
        check_sample(&sampler, random_position(&rng, 19, (unsigned)round % 4),
                     random_position(&rng, 23, (unsigned)round / 4 % 4));
    }
    tmu_surface_free(&texture);
}

/* What has one colour keeps it, wherever it is sampled. */
static void test_flat(void **state)
{
    (void)state;
    uint32_t texels[2][2];
    const struct tmu_sampler sampler = {texels[0], 2, 1, 1, tmu_keep_of(255)};
    for (uint32_t value = 0; value < 256; value++) {
        texels[0][0] = texels[0][1] = texels[1][0] = texels[1][1] = value * 0x010101;
        for (uint32_t at = 0; at < 65536; at += 128) {
            uint32_t pixel = 0;
            const uint32_t y = at * 7 % 65536;
            tmu_kernels_plain.sample(&pixel, &at, &y, 1, &sampler);
            assert_int_equal(pixel, value * 0x010101);
        }
    }
}

/* 249 of 255, which is what 0.98 becomes, keeps 21 for ever: the sample is rounded before the decay
 * (spec/milk-rendering.md section 4). */
static void test_decay(void **state)
{
    (void)state;
    unsigned different = 0;
    for (unsigned decay = 0; decay < 256; decay++) {
        for (int32_t value = 0; value < 256; value++) {
            const int32_t rounded = (value * (int32_t)decay * 2 + 255) / 510;
            const int32_t got = (value * tmu_keep_of(decay) + (1 << 14)) >> 15;
            different += got != rounded;
            assert_in_range(got + 1, rounded, rounded + 2);
            assert_true(got == rounded || decay < 245);
        }
    }
    assert_int_equal(different, 22);
    assert_int_equal((21 * tmu_keep_of(249) + (1 << 14)) >> 15, 21);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles),      cmocka_unit_test(test_ramps_equal),
        cmocka_unit_test(test_positions),      cmocka_unit_test(test_samples_equal),
        cmocka_unit_test(test_sample_formula), cmocka_unit_test(test_flat),
        cmocka_unit_test(test_decay),          cmocka_unit_test(test_steps_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
