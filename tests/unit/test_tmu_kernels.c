/* Every CPU level against the plain C kernels: random and adversarial coordinates, all small
 * counts, odd sizes, canaries behind the row. `test_tmu_kernels bench` also measures them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "tmu/kernels.h"

enum { COUNT_MAX = 200, CANARY = 0x5A, CANARY_WORDS = 16 };

struct fixture {
    struct base_rng rng;
    struct tmu_surface texture;
    int32_t u[COUNT_MAX + 8];
    int32_t v[COUNT_MAX + 8];
    uint32_t expected[COUNT_MAX + CANARY_WORDS];
    uint32_t got[COUNT_MAX + CANARY_WORDS];
};

static int32_t coordinate(struct base_rng *rng, unsigned kind)
{
    static const int32_t edges[] = {0,
                                    1,
                                    -1,
                                    TMU_TURN,
                                    TMU_TURN - 1,
                                    TMU_TURN + 1,
                                    -TMU_TURN,
                                    TMU_TURN / 2,
                                    4 * TMU_TURN,
                                    -3 * TMU_TURN,
                                    INT32_MAX,
                                    INT32_MIN,
                                    INT32_MIN + 1};
    if (kind == 0) {
        return edges[base_rng_next(rng) % (sizeof edges / sizeof *edges)];
    }
    const uint32_t bits = base_rng_next(rng);
    return kind == 1 ? (int32_t)(bits % TMU_TURN) : (int32_t)bits;
}

static void fill(struct fixture *f, int width, int height, enum tmu_address address, unsigned kind)
{
    f->texture = tmu_surface_create(width, height);
    assert_non_null(f->texture.pixels);
    for (size_t i = 0; i < f->texture.stride * (size_t)height; i++) {
        f->texture.pixels[i] = base_rng_next(&f->rng) & 0xFFFFFF;
    }
    tmu_surface_guard(&f->texture, address);
    for (size_t i = 0; i < COUNT_MAX + 8; i++) {
        f->u[i] = coordinate(&f->rng, kind);
        f->v[i] = coordinate(&f->rng, kind);
    }
}

static void compare_level(struct fixture *f, enum base_cpu_level level, enum tmu_address address,
                          size_t count, uint32_t decay)
{
    const struct tmu_kernels *kernels = tmu_kernels_for(level);
    const struct tmu_sampler sampler = {f->texture.pixels, (uint32_t)f->texture.stride,
                                        (uint32_t)f->texture.width, (uint32_t)f->texture.height,
                                        decay};
    memset(f->expected, CANARY, sizeof f->expected);
    memset(f->got, CANARY, sizeof f->got);
    const tmu_sample_row plain =
        address == TMU_WRAP ? tmu_kernels_plain.wrap : tmu_kernels_plain.clamp;
    const tmu_sample_row fast = address == TMU_WRAP ? kernels->wrap : kernels->clamp;
    plain(f->expected, f->u, f->v, count, &sampler);
    fast(f->got, f->u, f->v, count, &sampler);
    assert_memory_equal(f->expected, f->got, count * sizeof *f->got);
    const size_t written = (count + 7) / 8 * 8;
    for (size_t i = written; i < COUNT_MAX + CANARY_WORDS; i++) {
        assert_int_equal(f->got[i], 0x5A5A5A5A);
    }
}

static void test_levels_equal(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1},     {2, 3},   {16, 16}, {33, 17},
                                   {640, 480}, {511, 7}, {8192, 2}};
    static struct fixture f;
    base_rng_seed(&f.rng, 7, 0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (unsigned mode = 0; mode < 6; mode++) {
            const enum tmu_address address = mode & 1 ? TMU_CLAMP : TMU_WRAP;
            fill(&f, sizes[s][0], sizes[s][1], address, mode / 2);
            for (int level = 0; level <= (int)base_cpu_best(); level++) {
                for (size_t count = 0; count < COUNT_MAX; count += 1 + count / 9) {
                    compare_level(&f, (enum base_cpu_level)level, address, count,
                                  base_rng_next(&f.rng) % 256);
                }
            }
            tmu_surface_free(&f.texture);
        }
    }
}

static void test_ramps_equal(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 17, 0);
    int32_t expected[COUNT_MAX + CANARY_WORDS];
    int32_t got[COUNT_MAX + CANARY_WORDS];
    for (size_t count = 0; count <= COUNT_MAX; count++) {
        const uint32_t start = base_rng_next(&rng);
        const uint32_t step = base_rng_next(&rng);
        tmu_kernels_plain.ramp(expected, start, step, count);
        for (int level = 0; level <= (int)base_cpu_best(); level++) {
            memset(got, CANARY, sizeof got);
            tmu_kernels_for((enum base_cpu_level)level)->ramp(got, start, step, count);
            assert_memory_equal(expected, got, count * sizeof *got);
            for (size_t i = (count + 7) / 8 * 8; i < COUNT_MAX + CANARY_WORDS; i++) {
                assert_int_equal(got[i], 0x5A5A5A5A);
            }
        }
    }
}

static void fill_random(struct tmu_surface *surface, struct base_rng *rng)
{
    for (int y = 0; y < surface->height; y++) {
        for (int x = 0; x < surface->width; x++) {
            surface->pixels[(size_t)y * surface->stride + (size_t)x] =
                base_rng_next(rng) & 0xFFFFFF;
        }
    }
}

static void identity_mesh(struct tmu_vertex *vertices, int columns, int rows, float du, float dv)
{
    for (int j = 0; j <= rows; j++) {
        for (int i = 0; i <= columns; i++) {
            *vertices++ = (struct tmu_vertex){(float)i / (float)columns + du,
                                              1 - (float)j / (float)rows + dv};
        }
    }
}

/* A mesh at rest copies every pixel; one moved by whole pixels moves it, around the edges. */
static void test_identity_and_shift(void **state)
{
    (void)state;
    static const int sizes[][2] = {{640, 480}, {1280, 720}, {333, 77}, {16, 16}, {1920, 1080}};
    struct tmu_vertex vertices[49 * 37];
    struct base_rng rng;
    base_rng_seed(&rng, 3, 0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int width = sizes[s][0];
        const int height = sizes[s][1];
        struct tmu_surface src = tmu_surface_create(width, height);
        struct tmu_surface dst = tmu_surface_create(width, height);
        fill_random(&src, &rng);
        tmu_surface_guard(&src, TMU_WRAP);
        const struct tmu_mesh mesh = {vertices, 48, 36};
        for (int shift = 0; shift < 2; shift++) {
            identity_mesh(vertices, 48, 36, (float)shift * 3.0f / (float)width,
                          (float)shift * -2.0f / (float)height);
            tmu_warp(tmu_kernels_for(base_cpu_best()), NULL, &dst, &src, &mesh, TMU_WRAP, 255);
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    const int from_x = (x + 3 * shift) % width;
                    const int from_y = (y - 2 * shift + height) % height;
                    assert_int_equal(dst.pixels[(size_t)y * dst.stride + (size_t)x],
                                     src.pixels[(size_t)from_y * src.stride + (size_t)from_x]);
                }
            }
        }
        tmu_surface_free(&src);
        tmu_surface_free(&dst);
    }
}

/* Any level, any number of threads: the same bytes. */
static void test_threads_and_levels(void **state)
{
    (void)state;
    static const size_t threads[] = {1, 2, 7};
    struct tmu_vertex vertices[33 * 25];
    struct base_rng rng;
    base_rng_seed(&rng, 11, 0);
    for (size_t i = 0; i < sizeof vertices / sizeof *vertices; i++) {
        vertices[i].u = (float)base_rng_next(&rng) / 4294967296.0f * 6 - 3;
        vertices[i].v = (float)base_rng_next(&rng) / 4294967296.0f * 20000 - 10000;
    }
    struct tmu_surface src = tmu_surface_create(317, 211);
    struct tmu_surface reference = tmu_surface_create(400, 300);
    struct tmu_surface dst = tmu_surface_create(400, 300);
    fill_random(&src, &rng);
    const struct tmu_mesh mesh = {vertices, 32, 24};
    for (int address = TMU_WRAP; address <= TMU_CLAMP; address++) {
        tmu_surface_guard(&src, (enum tmu_address)address);
        tmu_warp(&tmu_kernels_plain, NULL, &reference, &src, &mesh, (enum tmu_address)address, 249);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            struct base_pool *pool = base_pool_create(threads[t]);
            for (int level = 0; level <= (int)base_cpu_best(); level++) {
                tmu_warp(tmu_kernels_for((enum base_cpu_level)level), pool, &dst, &src, &mesh,
                         (enum tmu_address)address, 249);
                for (size_t y = 0; y < 300; y++) {
                    assert_memory_equal(dst.pixels + y * dst.stride,
                                        reference.pixels + y * reference.stride,
                                        400 * sizeof(uint32_t));
                }
            }
            base_pool_destroy(pool);
        }
    }
    tmu_surface_free(&src);
    tmu_surface_free(&reference);
    tmu_surface_free(&dst);
}

/* 0.98 keeps 25 for ever: the sample is rounded before the decay (milk-rendering.md section 4). */
static void test_decay_rounding(void **state)
{
    (void)state;
    struct tmu_vertex vertices[4];
    identity_mesh(vertices, 1, 1, 0, 0);
    const struct tmu_mesh mesh = {vertices, 1, 1};
    struct tmu_surface src = tmu_surface_create(16, 16);
    struct tmu_surface dst = tmu_surface_create(16, 16);
    for (uint32_t value = 0; value < 256; value++) {
        src.pixels[0] = value << 16 | value << 8 | value;
        tmu_surface_guard(&src, TMU_CLAMP);
        tmu_warp(tmu_kernels_for(base_cpu_best()), NULL, &dst, &src, &mesh, TMU_CLAMP, 249);
        const uint32_t faded = (uint32_t)(value * 249 / 255.0 + 0.5);
        assert_int_equal(dst.pixels[0], faded << 16 | faded << 8 | faded);
    }
    tmu_surface_free(&src);
    tmu_surface_free(&dst);
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void bench(void)
{
    enum { SIZE = 512, FRAMES = 60 };
    struct tmu_vertex vertices[33 * 33];
    for (int j = 0; j < 33; j++) {
        for (int i = 0; i < 33; i++) {
            vertices[j * 33 + i] = (struct tmu_vertex){(float)(i * 67 - j * 28) / 2048.0f,
                                                       (float)(i * 28 + j * 67) / 2048.0f};
        }
    }
    const struct tmu_mesh mesh = {vertices, 32, 32};
    struct tmu_surface src = tmu_surface_create(SIZE, SIZE);
    struct tmu_surface dst = tmu_surface_create(SIZE, SIZE);
    struct base_rng rng;
    base_rng_seed(&rng, 1, 0);
    fill_random(&src, &rng);
    for (int level = 0; level <= (int)base_cpu_best(); level++) {
        const double start = seconds();
        for (int i = 0; i < FRAMES; i++) {
            tmu_surface_guard(&src, TMU_WRAP);
            tmu_warp(tmu_kernels_for((enum base_cpu_level)level), NULL, &dst, &src, &mesh, TMU_WRAP,
                     249);
        }
        const double each = (seconds() - start) / FRAMES;
        printf("%-6s rotozoom %dx%d: %.3f ms, %.2f ns per pixel\n",
               base_cpu_level_name((enum base_cpu_level)level), SIZE, SIZE, each * 1e3,
               each * 1e9 / (SIZE * SIZE));
    }
    tmu_surface_free(&src);
    tmu_surface_free(&dst);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "bench") == 0) {
        bench();
        return EXIT_SUCCESS;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_equal),       cmocka_unit_test(test_ramps_equal),
        cmocka_unit_test(test_identity_and_shift), cmocka_unit_test(test_threads_and_levels),
        cmocka_unit_test(test_decay_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
