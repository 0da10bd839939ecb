/* The noise textures: sizes, levels, values and what lies between them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "renderer/shader/texture/texture.h"

static const struct {
    const char *name;
    int size;
    int depth;
    int every;
    int levels;
} kinds[] = {
    {"noise_lq", 256, 1, 1, 9}, {"noise_lq_lite", 32, 1, 1, 6}, {"noise_mq", 256, 1, 4, 9},
    {"noise_hq", 256, 1, 8, 9}, {"noisevol_lq", 32, 32, 1, 6},  {"noisevol_hq", 32, 32, 4, 6},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static struct shader_noises noises;

static int open_noises(void **state)
{
    (void)state;
    return shader_noises_create(&noises);
}

static int close_noises(void **state)
{
    (void)state;
    shader_noises_free(&noises);
    return 0;
}

static const struct shader_level *level_of(size_t kind, int level)
{
    const struct shader_texture *texture = shader_noises_find(&noises, kinds[kind].name);
    assert_non_null(texture);
    return &texture->level[level];
}

static int value_at(const struct shader_level *level, int x, int y, int z, unsigned shift)
{
    const size_t at = (size_t)(x % level->width) + (size_t)(y % level->height) * level->pitch +
                      (size_t)(z % level->depth) * level->slice;
    return (int)(level->texels[at] >> shift & 255);
}

static void test_names_and_sizes(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        const struct shader_level *level = level_of(i, 0);
        const struct shader_texture *texture = shader_noises_find(&noises, kinds[i].name);
        assert_int_equal(level->width, kinds[i].size);
        assert_int_equal(level->height, kinds[i].size);
        assert_int_equal(level->depth, kinds[i].depth);
        assert_int_equal(texture->levels, kinds[i].levels);
        assert_false(texture->opaque);
    }
    static const char *const others[] = {"", "noise", "noise_lq_", "NOISE_LQ", "noisevol", "main"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_null(shader_noises_find(&noises, others[i]));
    }
}

/* How often each value occurs among those that chance has chosen: every n-th texel along each axis.
 * Returns their number. */
static int count_values(size_t kind, unsigned shift, int counts[256])
{
    const struct shader_level *level = level_of(kind, 0);
    const int n = kinds[kind].every;
    int texels = 0;
    for (int z = 0; z < level->depth; z += n) {
        for (int y = 0; y < level->height; y += n) {
            for (int x = 0; x < level->width; x += n) {
                counts[value_at(level, x, y, z, shift)]++;
                texels++;
            }
        }
    }
    return texels;
}

/* In each channel each value as often as any other, but that smooth noise has none of 68..107. */
static void test_values_are_uniform(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            int counts[256] = {0};
            const int texels = count_values(kind, shift, counts);
            const bool smooth = kinds[kind].every > 1;
            const int values = smooth ? 216 : 256;
            double chi = 0;
            for (int i = 0; i < 256; i++) {
                const double expected = (double)texels / values;
                if (smooth && i >= 68 && i <= 107) {
                    assert_int_equal(counts[i], 0);
                } else {
                    chi += (counts[i] - expected) * (counts[i] - expected) / expected;
                }
            }
            assert_true(fabs(chi - values) < 5 * sqrt(2.0 * values));
        }
    }
}

/* All texels, those between as well. Fields of other random numbers, made by the same rule, have
 * the means and deviations of the table, and those spread by the errors, four times over. Values
 * that are uniform would give means of 126. */
static void test_smooth_noise_is_lighter(void **state)
{
    (void)state;
    static const struct {
        size_t kind;
        double mean;
        double mean_error;
        double deviation;
        double deviation_error;
    } table[] = {{2, 134.2, 4, 68.7, 1.4}, {3, 134.3, 8.4, 68.8, 4.1}, {5, 134.7, 12, 64.6, 5.3}};
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        const struct shader_level *level = level_of(table[t].kind, 0);
        const int texels = level->width * level->height * level->depth;
        double of_all = 0;
        for (unsigned shift = 0; shift < 32; shift += 8) {
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < texels; i++) {
                const double value = value_at(level, i % level->width, i / level->width,
                                              i / level->width / level->height, shift);
                sum += value;
                squares += value * value;
            }
            const double mean = sum / texels;
            const double deviation = sqrt(squares / texels - mean * mean);
            assert_true(fabs(mean - table[t].mean) < table[t].mean_error);
            assert_true(fabs(deviation - table[t].deviation) < table[t].deviation_error);
            of_all += mean / 4;
        }
        assert_true(of_all > 130.5);
    }
}

/* The cubic of the page, in doubles; whole numbers of a fraction of 512 are exact there. */
static int cubic(const int y[4], double t)
{
    const int a0 = y[3] - y[2] - y[0] + y[1];
    const int a1 = y[0] - y[1] - a0;
    const int a2 = y[2] - y[0];
    const double value = a0 * t * t * t + a1 * t * t + a2 * t + y[1];
    return (int)floor(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* Of the texel from its neighbours along one axis, of which every n-th is given. */
static int between(const struct shader_level *level, const int at[3], int axis, int n,
                   unsigned shift)
{
    int y[4];
    const int first = at[axis] / n * n;
    for (int k = 0; k < 4; k++) {
        int place[3] = {at[0], at[1], at[2]};
        place[axis] = first + (k - 1) * n + level->width;
        y[k] = value_at(level, place[0], place[1], place[2], shift);
    }
    return cubic(y, (double)(at[axis] - first) / n);
}

/* Along the last axis whose place is not one of the given ones. */
static void test_smooth_between_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        const struct shader_level *level = level_of(i, 0);
        const int n = kinds[i].every;
        for (int k = 0; n > 1 && k < level->width * level->height * level->depth; k++) {
            const int at[3] = {k % level->width, k / level->width % level->height,
                               k / level->width / level->height};
            const int axis = at[2] % n != 0 ? 2 : at[1] % n != 0 ? 1 : 0;
            for (unsigned shift = 0; shift < 32; shift += 8) {
                assert_int_equal(value_at(level, at[0], at[1], at[2], shift),
                                 between(level, at, axis, n, shift));
            }
        }
    }
}

/* Of one kind or of two, texels at the same place have nothing to do with each other. */
static double likeness(const struct shader_level *a, unsigned a_shift, const struct shader_level *b,
                       unsigned b_shift)
{
    double sum = 0;
    for (int i = 0; i < 32 * 32; i++) {
        sum += (value_at(a, i % 32, i / 32, 0, a_shift) - 127.5) *
               (value_at(b, i % 32, i / 32, 0, b_shift) - 127.5);
    }
    return fabs(sum) / (32 * 32 * 73.9 * 73.9);
}

static void test_kinds_and_channels_differ(void **state)
{
    (void)state;
    assert_true(likeness(level_of(0, 0), 0, level_of(0, 0), 0) > 0.9);
    for (size_t i = 0; i < KINDS; i++) {
        for (size_t k = 0; k < KINDS; k++) {
            assert_true(i == k || likeness(level_of(i, 0), 0, level_of(k, 0), 0) < 0.25);
            assert_true(likeness(level_of(i, 0), 0, level_of(i, 0), 16) < 0.25);
        }
    }
}

/* Reduced to one texel all is grey. */
static void test_smallest_level_is_grey(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        const struct shader_level *level = level_of(i, kinds[i].levels - 1);
        for (unsigned shift = 0; shift < 32; shift += 8) {
            const int value = value_at(level, 0, 0, 0, shift);
            assert_true(value > 127 - 20 && value < 127 + 20);
        }
    }
}

static void test_same_in_every_run(void **state)
{
    (void)state;
    struct shader_noises again;
    assert_int_equal(shader_noises_create(&again), 0);
    for (size_t i = 0; i < KINDS; i++) {
        const struct shader_level *a = level_of(i, 0);
        const struct shader_level *b = &shader_noises_find(&again, kinds[i].name)->level[0];
        assert_int_equal(a->slice, b->slice);
        assert_memory_equal(a->texels, b->texels, a->slice * (size_t)a->depth * sizeof *a->texels);
    }
    shader_noises_free(&again);
    assert_null(again.image[0].memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_sizes),
        cmocka_unit_test(test_values_are_uniform),
        cmocka_unit_test(test_smooth_noise_is_lighter),
        cmocka_unit_test(test_smooth_between_values),
        cmocka_unit_test(test_kinds_and_channels_differ),
        cmocka_unit_test(test_smallest_level_is_grey),
        cmocka_unit_test(test_same_in_every_run),
    };
    return cmocka_run_group_tests(tests, open_noises, close_noises);
}
