/* Whole pictures of the fast mapper: the same bytes at every CPU level, on any number of threads
 * and in any pieces, and each pixel from where real numbers say. */
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

enum { TAIL = 7, CANARY = 0x5A, CANARY_WORDS = 16 };

static const uint32_t canary = 0x5A5A5A5A;
static const int sizes[][2] = {{1, 1},   {2, 3},   {3, 2},   {7, 6},    {10, 11},
                               {17, 16}, {64, 32}, {511, 7}, {8192, 2}, {2, 8192}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static double random_between(struct base_rng *rng, double low, double high)
{
    return low + (high - low) * base_rng_next(rng) / 4294967296.0;
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
    static const int pictures[][2] = {{640, 480}, {1280, 720}, {333, 77}, {16, 16}, {1920, 1080}};
    struct tmu_vertex vertices[49 * 37];
    struct base_rng rng;
    base_rng_seed(&rng, 3, 0);
    for (size_t s = 0; s < sizeof pictures / sizeof *pictures; s++) {
        const int width = pictures[s][0];
        const int height = pictures[s][1];
        struct tmu_surface src = random_surface(width, height, &rng);
        struct tmu_surface dst = tmu_surface_create(width, height);
        const struct tmu_mesh mesh = {vertices, 48, 36};
        for (int shift = 0; shift < 2; shift++) {
            identity_mesh(vertices, 48, 36, (float)shift * 3.0f / (float)width,
                          (float)shift * -2.0f / (float)height);
            tmu_warp(tmu_kernels_for(base_cpu_best()), NULL, &dst, &src, &mesh, TMU_WRAP, 255,
                     NULL);
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

/* Meshes from tame to the far ends of what is allowed. */
static void random_mesh(struct tmu_vertex *vertices, size_t count, struct base_rng *rng)
{
    static const double reaches[] = {0.5, 1.5, 20, 1e4};
    const double reach = reaches[base_rng_next(rng) % 4];
    for (size_t i = 0; i < count; i++) {
        const double wide = base_rng_next(rng) % 16 == 0 ? 1e4 : reach;
        vertices[i].u = (float)random_between(rng, -wide, wide);
        vertices[i].v = (float)random_between(rng, -wide, wide);
        if (base_rng_next(rng) % 32 == 0) {
            vertices[i].u = base_rng_next(rng) % 2 == 0 ? 1e4f : -1e4f;
        }
    }
}

static void compare_rows(const struct tmu_surface *a, const struct tmu_surface *b)
{
    for (size_t y = 0; y < (size_t)a->height; y++) {
        assert_memory_equal(a->pixels + y * a->stride, b->pixels + y * b->stride,
                            (size_t)a->width * sizeof *a->pixels);
    }
}

/* Any level, any number of threads, any size and mesh: the same bytes. */
static void test_threads_and_levels(void **state)
{
    (void)state;
    static const size_t threads[] = {1, 2, 7};
    static const int results[][2] = {{400, 300}, {17, 61}, {97, 33}, {16, 250}};
    static struct tmu_vertex vertices[193 * 145];
    struct base_pool *pools[3];
    struct base_rng rng;
    base_rng_seed(&rng, 11, 0);
    for (size_t t = 0; t < 3; t++) {
        pools[t] = base_pool_create(threads[t]);
    }
    for (size_t round = 0; round < 36; round++) {
        const int *size = sizes[round % SIZES];
        const int *result = results[round % 4];
        const struct tmu_mesh mesh = {vertices, round % 5 == 0 ? 192 : 1 + (int)round,
                                      round % 7 == 0 ? 144 : 1 + (int)round / 2};
        random_mesh(vertices, sizeof vertices / sizeof *vertices, &rng);
        struct tmu_surface src = random_surface(size[0], size[1], &rng);
        struct tmu_surface reference = tmu_surface_create(result[0], result[1]);
        struct tmu_surface dst = tmu_surface_create(result[0], result[1]);
        const enum tmu_address address = (enum tmu_address)(round % TMU_ADDRESSES);
        const unsigned decay = base_rng_next(&rng) % 256;
        tmu_warp(&tmu_kernels_plain, NULL, &reference, &src, &mesh, address, decay, NULL);
        for (size_t t = 0; t < 3; t++) {
            for (int level = 0; level <= (int)base_cpu_best(); level++) {
                tmu_warp(tmu_kernels_for(level_of(level)), pools[t], &dst, &src, &mesh, address,
                         decay, NULL);
                compare_rows(&dst, &reference);
            }
        }
        tmu_surface_free(&src);
        tmu_surface_free(&reference);
        tmu_surface_free(&dst);
    }
    for (size_t t = 0; t < 3; t++) {
        base_pool_destroy(pools[t]);
    }
}

/* Rows may be drawn in any pieces, and nothing else is written. */
static void check_pieces(const struct tmu_run *run, const struct tmu_kernels *kernels,
                         const struct tmu_surface *whole, struct base_rng *rng)
{
    const size_t stride = (size_t)run->width + TAIL + CANARY_WORDS;
    const size_t words = stride * ((size_t)run->height + 2);
    uint32_t *pixels = malloc(words * sizeof *pixels);
    assert_non_null(pixels);
    memset(pixels, CANARY, words * sizeof *pixels);
    for (int row = 0; row < run->height;) {
        const int most = 1 + (int)(base_rng_next(rng) % 5);
        const int count = run->height - row < most ? run->height - row : most;
        tmu_rows(kernels, run, row, count, pixels + stride * (size_t)(row + 1), stride);
        row += count;
    }
    for (size_t i = 0; i < words; i++) {
        const size_t x = i % stride;
        const size_t y = i / stride;
        const bool row = y >= 1 && y <= (size_t)run->height;
        if (row && x < (size_t)run->width) {
            assert_int_equal(pixels[i], whole->pixels[(y - 1) * whole->stride + x]);
        } else if (!row || x >= (size_t)run->width + TAIL) {
            assert_int_equal(pixels[i], canary);
        }
    }
    free(pixels);
}

static void test_rows_in_pieces(void **state)
{
    (void)state;
    struct tmu_vertex vertices[18 * 18];
    struct base_rng rng;
    base_rng_seed(&rng, 29, 0);
    for (int size = 1; size <= 17; size++) {
        struct tmu_surface texture = random_surface(size, 18 - size, &rng);
        struct tmu_surface whole = tmu_surface_create(16 + 3 * size, 61 - 2 * size);
        random_mesh(vertices, sizeof vertices / sizeof *vertices, &rng);
        const struct tmu_mesh mesh = {vertices, size, 1 + size * 5 % 17};
        for (int kind = 0; kind < TMU_ADDRESSES * BASE_CPU_LEVEL_COUNT; kind++) {
            const struct tmu_run run = {&texture, &mesh,       (enum tmu_address)(kind % 3),
                                        200,      whole.width, whole.height};
            if (level_of(kind / 3) <= base_cpu_best()) {
                const struct tmu_kernels *kernels = tmu_kernels_for(level_of(kind / 3));
                tmu_warp(kernels, NULL, &whole, &texture, &mesh, run.address, run.decay, NULL);
                check_pieces(&run, kernels, &whole, &rng);
            }
        }
        tmu_surface_free(&texture);
        tmu_surface_free(&whole);
    }
}

/* ---- surfaces ---- */

static void test_surfaces(void **state)
{
    (void)state;
    static const int widths[] = {1, 7, 8, 9, 15, 16, 17, 32, 512, TMU_SIZE_MAX};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct tmu_surface surface = tmu_surface_create(widths[i], 2);
        assert_non_null(surface.pixels);
        assert_true(surface.stride >= (size_t)widths[i] + 8);
        for (size_t at = 0; at < 3 * surface.stride; at++) {
            assert_int_equal(surface.pixels[at], 0);
        }
        uint32_t *below = surface.pixels + surface.stride;
        surface.pixels[0] = 3;
        below[0] = 5;
        tmu_surface_guard(&surface);
        assert_int_equal(surface.pixels[widths[i]], 3);
        assert_int_equal(below[widths[i]], 5);
        assert_int_equal(below[surface.stride], 3);
        assert_int_equal(below[surface.stride + (size_t)widths[i]], 3);
        assert_int_equal(below[0], 5);
        tmu_surface_free(&surface);
    }
}

/* ---- where pixels come from ---- */

/* A texture whose blue tells the column and whose green tells the row. */
static struct tmu_surface plan(int width, int height)
{
    struct tmu_surface surface = tmu_surface_create(width, height);
    assert_non_null(surface.pixels);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            surface.pixels[(size_t)y * surface.stride + (size_t)x] = (uint32_t)(y << 8 | x);
        }
    }
    tmu_surface_guard(&surface);
    return surface;
}

/* The texel that lies at a coordinate of 0..1, in the plan's terms. */
static double planned(double coordinate, int size, enum tmu_address address)
{
    double texel = coordinate * size - 0.5;
    if (address == TMU_MIRROR) {
        texel -= 2 * size * floor(texel / (2 * size));
        texel = texel > size - 0.5 ? 2 * size - 1 - texel : texel;
    }
    return fmin(fmax(texel, 0), size - 1);
}

struct expected {
    double u;
    double v;
};

/* Linear in the triangles on both sides of the diagonal from upper left to lower right. */
static struct expected expected_at(const struct tmu_mesh *mesh, double x, double y)
{
    const int column = (int)(x * mesh->columns);
    const int row = (int)(y * mesh->rows);
    const double across = x * mesh->columns - column;
    const double down = y * mesh->rows - row;
    const struct tmu_vertex *top =
        mesh->vertices + (mesh->rows - row) * (mesh->columns + 1) + column;
    const struct tmu_vertex *bottom = top - (mesh->columns + 1);
    /* weights of the corner beside the diagonal, of the upper left and of the lower right one */
    const struct tmu_vertex *corner = across < down ? bottom : top + 1;
    const double beside = fabs(across - down);
    const double upper = 1 - fmax(across, down);
    const double lower = fmin(across, down);
    return (struct expected){
        (double)corner->u * beside + (double)top[0].u * upper + (double)bottom[1].u * lower,
        (double)corner->v * beside + (double)top[0].v * upper + (double)bottom[1].v * lower};
}

/* Clamped and mirrored pictures show the texels that real numbers say, near and far. */
static void check_places(double reach, enum tmu_address address, double tolerance,
                         struct base_rng *rng)
{
    enum { COLUMNS = 7, ROWS = 5, WIDTH = 203, HEIGHT = 111 };
    struct tmu_vertex vertices[(COLUMNS + 1) * (ROWS + 1)];
    const struct tmu_mesh mesh = {vertices, COLUMNS, ROWS};
    struct tmu_surface texture = plan(250, 199);
    struct tmu_surface dst = tmu_surface_create(WIDTH, HEIGHT);
    for (size_t i = 0; i < sizeof vertices / sizeof *vertices; i++) {
        vertices[i].u = (float)random_between(rng, -reach, reach);
        vertices[i].v = (float)random_between(rng, -reach, reach);
    }
    tmu_warp(tmu_kernels_for(base_cpu_best()), NULL, &dst, &texture, &mesh, address, 255, NULL);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const struct expected at = expected_at(&mesh, (x + 0.5) / WIDTH, (y + 0.5) / HEIGHT);
            const uint32_t pixel = dst.pixels[(size_t)y * dst.stride + (size_t)x];
            assert_near(pixel & 255, planned(at.u, texture.width, address), tolerance);
            assert_near(pixel >> 8, planned(at.v, texture.height, address), tolerance);
        }
    }
    tmu_surface_free(&texture);
    tmu_surface_free(&dst);
}

static void test_places(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 31, 0);
    for (int round = 0; round < 8; round++) {
        check_places(1.5, TMU_CLAMP, 0.6, &rng);
        check_places(100, TMU_CLAMP, 0.6, &rng);
        check_places(200, TMU_CLAMP, 0.6, &rng); /* about where cells begin to be far */
        check_places(1e4, TMU_CLAMP, 0.6, &rng);
        check_places(1.5, TMU_MIRROR, 0.6, &rng);
        check_places(100, TMU_MIRROR, 0.7, &rng);
    }
}

/* A mirrored texture is one of twice the size that holds its reflections, wrapped. */
static void test_mirror_is_wrapped_reflection(void **state)
{
    (void)state;
    enum { WIDTH = 29, HEIGHT = 18 };
    struct base_rng rng;
    base_rng_seed(&rng, 37, 0);
    struct tmu_surface texture = random_surface(WIDTH, HEIGHT, &rng);
    struct tmu_surface twice = tmu_surface_create(2 * WIDTH, 2 * HEIGHT);
    struct tmu_surface mirrored = tmu_surface_create(160, 120);
    struct tmu_surface wrapped = tmu_surface_create(160, 120);
    for (int y = 0; y < 2 * HEIGHT; y++) {
        for (int x = 0; x < 2 * WIDTH; x++) {
            const int from_x = x < WIDTH ? x : 2 * WIDTH - 1 - x;
            const int from_y = y < HEIGHT ? y : 2 * HEIGHT - 1 - y;
            twice.pixels[(size_t)y * twice.stride + (size_t)x] =
                texture.pixels[(size_t)from_y * texture.stride + (size_t)from_x];
        }
    }
    tmu_surface_guard(&twice);
    struct tmu_vertex there[4] = {{-2.3f, 1.7f}, {1.9f, 2.6f}, {-1.4f, -0.8f}, {2.2f, -1.1f}};
    struct tmu_vertex half[4];
    for (int i = 0; i < 4; i++) {
        half[i] = (struct tmu_vertex){there[i].u / 2, there[i].v / 2};
    }
    const struct tmu_mesh mesh = {there, 1, 1};
    const struct tmu_mesh half_mesh = {half, 1, 1};
    const struct tmu_kernels *kernels = tmu_kernels_for(base_cpu_best());
    tmu_warp(kernels, NULL, &mirrored, &texture, &mesh, TMU_MIRROR, 255, NULL);
    tmu_warp(kernels, NULL, &wrapped, &twice, &half_mesh, TMU_WRAP, 255, NULL);
    for (size_t i = 0; i < 120 * mirrored.stride; i++) {
        for (unsigned shift = 0; i % mirrored.stride < 160 && shift < 24; shift += 8) {
            assert_near((double)(mirrored.pixels[i] >> shift & 255),
                        (double)(wrapped.pixels[i] >> shift & 255), 2.1);
        }
    }
    tmu_surface_free(&texture);
    tmu_surface_free(&twice);
    tmu_surface_free(&mirrored);
    tmu_surface_free(&wrapped);
}

/* Enlarged, shrunk, turned over, and so far out that positions are clamped: in blocks of any width
 * and rows from anywhere the pixels of tmu_rows. */
static void test_upright_runs(void **state)
{
    (void)state;
    static const float halves[] = {0.5f, 0.4999f, 0.3f, 0.6f, 2.7f, -0.5f, -0.45f, 90.0f, 1e6f};
    enum { HALVES = sizeof halves / sizeof *halves, WIDE = 1100, ROWS = 37 };
    static struct tmu_upright upright;
    static struct tmu_upright_sums sums;
    static uint32_t expected[ROWS * (WIDE + 8)];
    uint32_t got[TMU_UPRIGHT_BLOCK + 8];
    uint32_t y[ROWS];
    struct base_rng rng;
    base_rng_seed(&rng, 11, 0);
    struct tmu_surface texture = random_surface(61, 43, &rng);
    for (int i = 0; i < HALVES * HALVES * TMU_ADDRESSES; i++) {
        const float right = halves[i % HALVES];
        const float down = halves[i / HALVES % HALVES];
        const struct tmu_vertex corners[4] = {{0.5f - right, 0.5f + down},
                                              {0.5f + right, 0.5f + down},
                                              {0.5f - right, 0.5f - down},
                                              {0.5f + right, 0.5f - down}};
        const struct tmu_mesh mesh = {corners, 1, 1};
        const struct tmu_run run = {
            .texture = &texture,
            .mesh = &mesh,
            .address = (enum tmu_address)(i / HALVES / HALVES),
            .decay = i % 2 == 0 ? 255 : 201,
            .width = i % 3 == 0 ? WIDE : 1 + i % 150,
            .height = 1 + i % ROWS,
        };
        const size_t stride = (size_t)run.width + 8;
        const struct tmu_kernels *kernels =
            tmu_kernels_for(level_of(i % ((int)base_cpu_best() + 1)));
        tmu_rows(kernels, &run, 0, run.height, expected, stride);
        tmu_upright_begin(&upright, kernels, &run);
        const int first = i % run.height;
        tmu_upright_rows(&upright, 0, first, y);
        tmu_upright_rows(&upright, first, run.height - first, y + first);
        for (int x = 0; x < run.width; x += TMU_UPRIGHT_BLOCK) {
            const int left = run.width - x;
            const int count = left < TMU_UPRIGHT_BLOCK ? left : TMU_UPRIGHT_BLOCK;
            sums.row[0] = sums.row[1] = -1;
            for (int row = 0; row < run.height; row++) {
                tmu_upright_block(&upright, &sums, x, (size_t)count, y[row], got);
                assert_memory_equal(got, expected + (size_t)row * stride + x,
                                    (size_t)count * sizeof *got);
            }
        }
    }
    tmu_surface_free(&texture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_upright_runs),
        cmocka_unit_test(test_identity_and_shift),
        cmocka_unit_test(test_threads_and_levels),
        cmocka_unit_test(test_rows_in_pieces),
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_mirror_is_wrapped_reflection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
