/* Blur textures: every pass against its formula in doubles, facts of spec/milk-rendering.md section
 * 9.4, vectors against plain C, bands against one thread. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "renderer/picture/blur.h"

static const struct rend_blur_settings plain_settings = {{0, 0, 0}, {1, 1, 1}, 0};

static struct tmu_surface random_surface(int width, int height, uint64_t seed)
{
    struct tmu_surface surface = tmu_surface_create(width, height);
    assert_non_null(surface.pixels);
    struct base_rng rng;
    base_rng_seed(&rng, seed, 0);
    for (size_t i = 0; i < surface.stride * ((size_t)height + 1); i++) {
        surface.pixels[i] = base_rng_next(&rng);
    }
    return surface;
}

static void fill(struct tmu_surface *surface, int x0, int y0, int x1, int y1, uint32_t colour)
{
    for (int y = y0; y < y1; y++) {
        for (int x = x0; x < x1; x++) {
            surface->pixels[(size_t)y * surface->stride + (size_t)x] = colour;
        }
    }
}

static int limited(int value, int last)
{
    return value < 0 ? 0 : (value > last ? last : value);
}

static double texel(const struct tmu_surface *surface, int x, int y, int channel)
{
    const size_t row = (size_t)limited(y, surface->height - 1);
    const size_t at = row * surface->stride + (size_t)limited(x, surface->width - 1);
    return (double)(surface->pixels[at] >> (8 * channel) & 255);
}

/* Bilinear, clamped, at a place in texels; 0 is the centre of the first one. */
static double sample(const struct tmu_surface *surface, double x, double y, int channel)
{
    const int left = (int)floor(x);
    const int top = (int)floor(y);
    const double fx = x - left;
    const double fy = y - top;
    const double above =
        texel(surface, left, top, channel) * (1 - fx) + texel(surface, left + 1, top, channel) * fx;
    const double below = texel(surface, left, top + 1, channel) * (1 - fx) +
                         texel(surface, left + 1, top + 1, channel) * fx;
    return above * (1 - fy) + below * fy;
}

static double sample_uv(const struct tmu_surface *surface, double u, double v, int channel)
{
    return sample(surface, u * surface->width - 0.5, v * surface->height - 0.5, channel);
}

/* A pixel of a pass from the text of section 9.4, before scale, bias and edges. */
static double expected(const struct tmu_surface *source, int pass, double u, double v, int channel)
{
    static const double across[4][2] = {
        {0.974359, 7.8}, {2.90625, 6.4}, {4.774194, 3.1}, {6.6, 1.0}};
    static const double down[2][2] = {{0.901408, 14.2}, {2.487805, 4.1}};
    const double shift = pass == 2 || pass == 4 ? 1 : 0;
    const double x = u * source->width - 0.5 + shift;
    const double y = v * source->height - 0.5 + shift;
    double sum = 0;
    for (int i = 0; pass % 2 == 0 && i < 4; i++) {
        sum += across[i][1] * (sample(source, x - across[i][0], y, channel) +
                               sample(source, x + across[i][0], y, channel));
    }
    for (int i = 0; pass % 2 != 0 && i < 2; i++) {
        sum += down[i][1] * (sample(source, x, y - down[i][0], channel) +
                             sample(source, x, y + down[i][0], channel));
    }
    return sum / 36.6;
}

struct range {
    double scale;
    double bias; /* of 255 */
};

static struct range range_of(int pass, const struct rend_blur_settings *settings)
{
    float min[REND_BLUR_LEVELS];
    float max[REND_BLUR_LEVELS];
    rend_blur_ranges(settings, min, max);
    const int level = pass / 2;
    const double min1 = level == 0 ? 0 : (double)min[level - 1];
    const double max1 = level == 0 ? 1 : (double)max[level - 1];
    if (pass % 2 != 0) {
        return (struct range){1, 0};
    }
    const double a = ((double)min[level] - min1) / (max1 - min1);
    const double b = ((double)max[level] - min1) / (max1 - min1);
    return (struct range){1 / (b - a), -a / (b - a) * 255};
}

static void check_pass(const struct tmu_surface *source, const struct rend_blur *blur, int pass,
                       const struct rend_blur_settings *settings)
{
    const struct tmu_surface *target = &blur->pass[pass].target;
    const struct range range = range_of(pass, settings);
    for (int y = 0; y < target->height; y++) {
        for (int x = 0; x < target->width; x++) {
            const double u = (x + 0.5) / target->width;
            const double v = (y + 0.5) / target->height;
            const double t = fmin(fmin(u, 1 - u), fmin(v, 1 - v));
            const double e = pass == 1 ? (double)settings->edge_darken : 0;
            for (int k = 0; k < 3; k++) {
                double level = expected(source, pass, u, v, k) * range.scale + range.bias;
                level *= 1 - e + e * fmin(1, 5 * sqrt(t));
                level = fmin(fmax(level, 0), 255);
                const double allowed = 0.5 + 0.02 * range.scale;
                assert_true(fabs(texel(target, x, y, k) - level) <= allowed);
            }
            assert_int_equal(target->pixels[(size_t)y * target->stride + (size_t)x] >> 24, 0);
        }
    }
}

static const int sizes[][2] = {{640, 480}, {360, 480}, {1000, 600}, {200, 120}, {16, 16},
                               {17, 23},   {1, 1},     {57, 3},     {64, 500},  {2000, 16}};
static const struct rend_blur_settings all_settings[] = {
    {{0, 0, 0}, {1, 1, 1}, 0},
    {{0, 0, 0}, {1, 1, 1}, 0.25f},
    {{0.2f, 0.3f, 0.4f}, {0.9f, 0.8f, 0.6f}, 1},
    {{0.5f, 0, 0.7f}, {0.55f, 2, 0.2f}, -0.5f},
    {{-1, -2, 0.5f}, {3, 0.5f, 9}, 3},
};

static void test_passes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct rend_blur_settings *settings = &all_settings[i % 5];
        struct tmu_surface source = random_surface(sizes[i][0], sizes[i][1], i);
        struct rend_blur blur;
        assert_int_equal(rend_blur_create(&blur, sizes[i][0], sizes[i][1]), 0);
        rend_blur_step(&blur, &source, 3, settings, base_cpu_best(), NULL);
        for (int pass = 0; pass < REND_BLUR_PASSES; pass++) {
            check_pass(pass == 0 ? &source : &blur.pass[pass - 1].target, &blur, pass, settings);
        }
        rend_blur_free(&blur);
        tmu_surface_free(&source);
    }
}

static void test_sizes(void **state)
{
    (void)state;
    static const int table[][2 + 2 * REND_BLUR_LEVELS] = {
        {640, 480, 160, 120, 80, 60, 32, 32},   {360, 480, 80, 120, 48, 60, 16, 32},
        {1280, 720, 320, 180, 160, 92, 80, 48}, {16, 16, 16, 16, 16, 16, 16, 16},
        {8192, 1, 2048, 16, 1024, 16, 512, 16},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct rend_blur blur;
        assert_int_equal(rend_blur_create(&blur, table[i][0], table[i][1]), 0);
        for (int level = 1; level <= REND_BLUR_LEVELS; level++) {
            assert_int_equal(rend_blur_level(&blur, level)->width, table[i][2 * level]);
            assert_int_equal(rend_blur_level(&blur, level)->height, table[i][2 * level + 1]);
        }
        rend_blur_free(&blur);
    }
}

/* What GetBlur gives, per pixel of a 640 x 480 screen. */
struct fact {
    int level;
    int x;
    int y;
    int expected;
    int tolerance;
};

static void check_facts(const struct tmu_surface *source, const struct rend_blur_settings *settings,
                        const struct fact *facts, size_t count)
{
    struct rend_blur blur;
    float min[REND_BLUR_LEVELS];
    float max[REND_BLUR_LEVELS];
    assert_int_equal(rend_blur_create(&blur, source->width, source->height), 0);
    rend_blur_step(&blur, source, 3, settings, base_cpu_best(), NULL);
    rend_blur_ranges(settings, min, max);
    for (size_t i = 0; i < count; i++) {
        const int k = facts[i].level - 1;
        const double stored =
            sample_uv(rend_blur_level(&blur, facts[i].level), (facts[i].x + 0.5) / source->width,
                      (facts[i].y + 0.5) / source->height, 1);
        const double got = stored * ((double)max[k] - (double)min[k]) + 255 * (double)min[k];
        if (fabs(got - facts[i].expected) > facts[i].tolerance) {
            fail_msg("level %d at %d %d: %.1f, expected %d", facts[i].level, facts[i].x, facts[i].y,
                     got, facts[i].expected);
        }
    }
    rend_blur_free(&blur);
}

/* Levels 2 and 3 lie a little to the upper left. */
static void test_square(void **state)
{
    (void)state;
    static const struct fact facts[] = {
        {1, 320, 240, 255, 2}, {1, 236, 240, 0, 2},   {1, 244, 240, 4, 2},   {1, 252, 240, 141, 2},
        {1, 260, 240, 252, 2}, {1, 388, 240, 114, 2}, {2, 320, 240, 255, 2}, {2, 220, 240, 3, 3},
        {2, 240, 240, 78, 3},  {2, 250, 240, 145, 3}, {2, 384, 240, 124, 3}, {2, 400, 240, 30, 3},
        {3, 320, 240, 243, 4}, {3, 180, 240, 5, 4},   {3, 220, 240, 67, 4},  {3, 240, 240, 127, 4},
        {3, 380, 240, 111, 4}, {3, 420, 240, 18, 5},
    };
    struct tmu_surface source = tmu_surface_create(640, 480);
    fill(&source, 252, 172, 388, 308, 0xFFFFFF);
    check_facts(&source, &plain_settings, facts, sizeof facts / sizeof *facts);
    tmu_surface_free(&source);
}

static void test_dark_edge(void **state)
{
    (void)state;
    static const struct fact facts[] = {
        {1, 320, 240, 255, 2}, {1, 40, 240, 255, 2}, {1, 10, 240, 209, 2},
        {1, 320, 3, 180, 2},   {1, 2, 240, 166, 2},
    };
    struct rend_blur_settings settings = plain_settings;
    settings.edge_darken = 0.5f;
    struct tmu_surface source = tmu_surface_create(640, 480);
    fill(&source, 0, 0, 640, 480, 0xFFFFFF);
    check_facts(&source, &settings, facts, sizeof facts / sizeof *facts);
    tmu_surface_free(&source);
}

static void test_range(void **state)
{
    (void)state;
    static const struct fact facts[] = {
        {1, 60, 240, 51, 1}, {1, 320, 240, 128, 1}, {1, 580, 240, 230, 1}};
    const struct rend_blur_settings settings = {{0.2f, 0, 0}, {0.9f, 1, 1}, 0};
    struct tmu_surface source = tmu_surface_create(640, 480);
    fill(&source, 213, 0, 427, 480, 0x808080);
    fill(&source, 427, 0, 640, 480, 0xFFFFFF);
    check_facts(&source, &settings, facts, sizeof facts / sizeof *facts);
    tmu_surface_free(&source);
}

/* A grey picture stays exactly as it is. */
static void test_flat(void **state)
{
    (void)state;
    struct tmu_surface source = tmu_surface_create(120, 90);
    struct rend_blur blur;
    assert_int_equal(rend_blur_create(&blur, 120, 90), 0);
    for (uint32_t grey = 0; grey < 256; grey++) {
        const uint32_t colour = grey | (255 - grey) << 8 | (grey / 2) << 16;
        fill(&source, 0, 0, 120, 90, colour);
        rend_blur_step(&blur, &source, 3, &plain_settings, base_cpu_best(), NULL);
        for (int level = 1; level <= REND_BLUR_LEVELS; level++) {
            const struct tmu_surface *surface = rend_blur_level(&blur, level);
            for (int x = 0; x <= surface->width; x++) {
                assert_int_equal(surface->pixels[x], colour);
                assert_int_equal(
                    surface->pixels[(size_t)surface->height * surface->stride + (size_t)x], colour);
            }
        }
    }
    rend_blur_free(&blur);
    tmu_surface_free(&source);
}

static void assert_same(const struct rend_blur *a, const struct rend_blur *b)
{
    for (int pass = 0; pass < REND_BLUR_PASSES; pass++) {
        const struct tmu_surface *one = &a->pass[pass].target;
        const struct tmu_surface *other = &b->pass[pass].target;
        assert_memory_equal(one->pixels, other->pixels,
                            one->stride * ((size_t)one->height + 1) * sizeof *one->pixels);
    }
}

static void test_same_bits(void **state)
{
    (void)state;
    static const float odd[] = {0.5f, NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-40f};
    struct base_pool *pool = base_pool_create(3);
    assert_non_null(pool);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct tmu_surface source = random_surface(sizes[i][0], sizes[i][1], 100 + i);
        for (size_t k = 0; k < 12; k++) {
            struct rend_blur_settings settings = all_settings[k % 5];
            if (k >= 5) {
                settings.min[k % 3] = odd[k - 5];
                settings.max[k % 2] = odd[(k + 2) % 7];
                settings.edge_darken = odd[k % 7];
            }
            struct rend_blur plain;
            assert_int_equal(rend_blur_create(&plain, sizes[i][0], sizes[i][1]), 0);
            const int levels = 1 + (int)k % 3;
            rend_blur_step(&plain, &source, levels, &settings, BASE_CPU_PLAIN, NULL);
            for (int cpu = BASE_CPU_FOUR; cpu <= (int)base_cpu_best(); cpu++) {
                struct rend_blur fast;
                assert_int_equal(rend_blur_create(&fast, sizes[i][0], sizes[i][1]), 0);
                rend_blur_step(&fast, &source, levels, &settings, (enum base_cpu_level)cpu, pool);
                assert_same(&plain, &fast);
                rend_blur_free(&fast);
            }
            rend_blur_free(&plain);
        }
        tmu_surface_free(&source);
    }
    base_pool_destroy(pool);
}

/* Only as many levels as are asked for; the others keep what they have. */
static void test_levels(void **state)
{
    (void)state;
    struct tmu_surface source = tmu_surface_create(64, 64);
    fill(&source, 0, 0, 64, 64, 0xFFFFFF);
    struct rend_blur blur;
    assert_int_equal(rend_blur_create(&blur, 64, 64), 0);
    for (int levels = 1; levels <= REND_BLUR_LEVELS; levels++) {
        rend_blur_step(&blur, &source, levels, &plain_settings, base_cpu_best(), NULL);
        for (int level = 1; level <= REND_BLUR_LEVELS; level++) {
            assert_int_equal(rend_blur_level(&blur, level)->pixels[0],
                             level <= levels ? 0xFFFFFF : 0);
        }
    }
    rend_blur_free(&blur);
    tmu_surface_free(&source);
}

static void test_ranges(void **state)
{
    (void)state;
    static const struct {
        struct rend_blur_settings settings;
        float min[REND_BLUR_LEVELS];
        float max[REND_BLUR_LEVELS];
    } table[] = {
        {{{0, 0, 0}, {1, 1, 1}, 0}, {0, 0, 0}, {1, 1, 1}},
        {{{0.25f, 0, 0.5f}, {0.75f, 1, 0.625f}, 0}, {0.25f, 0.25f, 0.5f}, {0.75f, 0.75f, 0.625f}},
        {{{0.5f, 0, 0}, {0.5f, 1, 1}, 0}, {0.45f, 0.45f, 0.45f}, {0.55f, 0.55f, 0.55f}},
        {{{1, 0, 0}, {0, 1, 1}, 0}, {0.45f, 0.45f, 0.45f}, {0.55f, 0.55f, 0.55f}},
        {{{0, 0.5f, 0}, {1, 0.5f, 1}, 0}, {0, 0.45f, 0.45f}, {1, 0.55f, 0.55f}},
        {{{NAN, -INFINITY, 0}, {NAN, 0.5f, INFINITY}, 0}, {0, 0, 0}, {1, 0.5f, 0.5f}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        float min[REND_BLUR_LEVELS];
        float max[REND_BLUR_LEVELS];
        rend_blur_ranges(&table[i].settings, min, max);
        for (int k = 0; k < REND_BLUR_LEVELS; k++) {
            assert_true(fabsf(min[k] - table[i].min[k]) < 1e-6f);
            assert_true(fabsf(max[k] - table[i].max[k]) < 1e-6f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes),    cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_square),    cmocka_unit_test(test_dark_edge),
        cmocka_unit_test(test_range),     cmocka_unit_test(test_flat),
        cmocka_unit_test(test_same_bits), cmocka_unit_test(test_levels),
        cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
