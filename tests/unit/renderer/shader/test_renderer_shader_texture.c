/* Textures of shaders: levels against means, plain reads against the formulas of texture.h, fast
 * against plain reads bit by bit, and that nobody reads outside of a texture. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/random.h"
#include "renderer/shader/shader.h"
#include "renderer/shader/run/kernels.h"
#include "tmu/tmu.h"
#include "../../turns.h"

static const int sizes[][3] = {{1, 1, 1},  {1, 7, 1},   {9, 1, 1},   {2, 2, 1},   {5, 4, 1},
                               {16, 8, 1}, {24, 23, 1}, {40, 17, 1}, {1, 1, 6},   {4, 4, 4},
                               {8, 2, 4},  {5, 3, 7},   {3, 6, 2},   {12, 12, 9}, {300, 9, 1}};
enum { SIZES = sizeof sizes / sizeof sizes[0], STRIDE = 47 };

static uint32_t pixels[STRIDE * 24 * 10];

static void fill_pixels(struct base_rng *rng)
{
    for (size_t i = 0; i < sizeof pixels / sizeof *pixels; i++) {
        pixels[i] = base_rng_next(rng);
    }
}

static struct shader_image random_image(const int *size, struct base_rng *rng)
{
    struct shader_image image;
    fill_pixels(rng);
    assert_int_equal(shader_image_create(&image, pixels, STRIDE, size[0], size[1], size[2]), 0);
    return image;
}

static uint32_t texel_at(const struct shader_level *level, int x, int y, int z)
{
    return level->texels[(size_t)x + (size_t)y * level->pitch + (size_t)z * level->slice];
}

/* ---- levels ---- */

static int size_of(const struct shader_level *level, int axis)
{
    return axis == 0 ? level->width : axis == 1 ? level->height : level->depth;
}

/* How much of texel `large` lies under texel `small`, in parts of the small sizes. */
static uint64_t overlap(int small, int small_size, int large, int large_size)
{
    const int from =
        small * large_size > large * small_size ? small * large_size : large * small_size;
    const int to = (small + 1) * large_size < (large + 1) * small_size ? (small + 1) * large_size
                                                                       : (large + 1) * small_size;
    return to > from ? (uint64_t)(to - from) : 0;
}

static uint32_t mean_under(const struct shader_level *small, const struct shader_level *large,
                           const int at[3], unsigned shift)
{
    uint64_t sum = 0;
    uint64_t whole = 0;
    for (int z = 0; z < large->depth; z++) {
        for (int y = 0; y < large->height; y++) {
            for (int x = 0; x < large->width; x++) {
                const uint64_t weight = overlap(at[0], small->width, x, large->width) *
                                        overlap(at[1], small->height, y, large->height) *
                                        overlap(at[2], small->depth, z, large->depth);
                sum += weight * (texel_at(large, x, y, z) >> shift & 255);
                whole += weight;
            }
        }
    }
    return (uint32_t)((2 * sum + whole) / (2 * whole));
}

static void check_means(const struct shader_level *small, const struct shader_level *large)
{
    for (int z = 0; z < small->depth; z++) {
        for (int y = 0; y < small->height; y++) {
            for (int x = 0; x < small->width; x++) {
                const int at[3] = {x, y, z};
                for (unsigned shift = 0; shift < 32; shift += 8) {
                    assert_int_equal(texel_at(small, x, y, z) >> shift & 255,
                                     mean_under(small, large, at, shift));
                }
            }
        }
    }
}

static void check_guard(const struct shader_level *level)
{
    for (int z = 0; z < level->depth; z++) {
        for (int y = 0; y <= level->height; y++) {
            for (int x = 0; x <= level->width; x++) {
                assert_int_equal(texel_at(level, x, y, z),
                                 texel_at(level, x % level->width, y % level->height, z));
            }
        }
    }
}

static void test_levels(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 1, 0);
    for (size_t i = 0; i < SIZES; i++) {
        struct shader_image image = random_image(sizes[i], &rng);
        const struct shader_texture *texture = &image.texture;
        const struct shader_level *level = texture->level;
        for (int z = 0; z < sizes[i][2]; z++) {
            for (int y = 0; y < sizes[i][1]; y++) {
                for (int x = 0; x < sizes[i][0]; x++) {
                    assert_int_equal(texel_at(level, x, y, z),
                                     pixels[x + (y + z * sizes[i][1]) * STRIDE]);
                }
            }
        }
        for (int k = 0; k < texture->levels; k++) {
            check_guard(&level[k]);
            for (int axis = 0; axis < 3; axis++) {
                const int size = sizes[i][axis] >> k;
                assert_int_equal(size_of(&level[k], axis), size > 0 ? size : 1);
            }
            if (k > 0) {
                check_means(&level[k], &level[k - 1]);
            }
        }
        const struct shader_level *last = &level[texture->levels - 1];
        assert_int_equal(last->width * last->height * last->depth, 1);
        assert_false(texture->opaque);
        shader_image_free(&image);
        assert_null(image.memory);
    }
}

static void test_sizes_that_do_not_fit(void **state)
{
    (void)state;
    static const int wrong[][3] = {
        {0, 1, 1},        {1, 0, 1},   {1, 1, 0},   {-1, 1, 1},  {SHADER_SIZE_MAX + 1, 1, 1},
        {1, 8193, 1},     {1, 1, 257}, {257, 1, 2}, {1, 257, 2}, {INT32_MAX, INT32_MAX, 1},
        {1, INT32_MIN, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct shader_image image;
        assert_int_equal(
            shader_image_create(&image, NULL, 0, wrong[i][0], wrong[i][1], wrong[i][2]), -1);
        assert_null(image.memory);
        shader_image_free(&image);
    }
}

static void test_largest(void **state)
{
    (void)state;
    uint32_t *row = malloc(SHADER_SIZE_MAX * sizeof *row);
    assert_non_null(row);
    for (uint32_t i = 0; i < SHADER_SIZE_MAX; i++) {
        row[i] = i;
    }
    struct shader_image image;
    assert_int_equal(shader_image_create(&image, row, SHADER_SIZE_MAX, SHADER_SIZE_MAX, 1, 1), 0);
    assert_int_equal(image.texture.levels, SHADER_LEVELS_MAX);
    assert_int_equal(texel_at(&image.texture.level[0], SHADER_SIZE_MAX - 1, 1, 0),
                     SHADER_SIZE_MAX - 1);
    shader_image_free(&image);
    free(row);
}

static void test_view_of_a_surface(void **state)
{
    (void)state;
    struct tmu_surface surface = tmu_surface_create(19, 5);
    assert_non_null(surface.pixels);
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 19; x++) {
            surface.pixels[(size_t)y * surface.stride + (size_t)x] = (uint32_t)(100 * y + x);
        }
    }
    tmu_surface_guard(&surface);
    const struct shader_texture texture = shader_texture_of(&surface);
    assert_int_equal(texture.levels, 1);
    assert_true(texture.opaque);
    assert_int_equal(texture.level[0].width, 19);
    assert_int_equal(texture.level[0].height, 5);
    assert_int_equal(texture.level[0].depth, 1);
    assert_int_equal(texel_at(&texture.level[0], 18, 4, 0), 418);
    check_guard(&texture.level[0]);
    tmu_surface_free(&surface);
}

/* ---- a tile to read with ---- */

enum { U, V, W, BIAS, DETAIL, GIVEN };

struct tile {
    alignas(32) float given[GIVEN][SHADER_TILE];
    alignas(32) float result[4][SHADER_TILE];
};

static struct shader_lanes lanes_of(const float *numbers)
{
    return (struct shader_lanes){numbers, SHADER_LANES};
}

static struct shader_read read_of(const struct shader_texture *texture, struct tile *tile)
{
    struct shader_read read = {.texture = texture,
                               .sampler = {true, SHADER_REPEAT},
                               .volume = texture->level[0].depth > 1,
                               .count = SHADER_TILE,
                               .u = lanes_of(tile->given[U]),
                               .v = lanes_of(tile->given[V]),
                               .w = lanes_of(tile->given[W])};
    for (int k = 0; k < 4; k++) {
        read.result[k] = tile->result[k];
    }
    return read;
}

/* ---- plain reads against the formulas ---- */

static float limited(float x, float low, float high)
{
    return !(x > low) ? low : x > high ? high : x;
}

static int whole_mod(int x, int size)
{
    return ((x % size) + size) % size;
}

struct spot {
    int texel[2]; /* this one and the next */
    int weight;
};

static struct spot expected_spot(float c, int size, struct shader_sampler sampler)
{
    const bool repeat = sampler.address == SHADER_REPEAT;
    c = isfinite(c) ? c : 0.0f;
    c = repeat ? c - floorf(c) : limited(c, 0.0f, 1.0f);
    if (!sampler.linear) {
        const int texel = (int)(c * (float)size);
        return (struct spot){{texel < size ? texel : size - 1, 0}, 0};
    }
    const int p = (int)floorf(c * (float)size * 256.0f + 0.5f) - 128;
    const int x = (int)floor(p / 256.0);
    const struct spot spot = {{x, x + 1}, p - 256 * x};
    if (repeat) {
        return (struct spot){{whole_mod(x, size), whole_mod(x + 1, size)}, spot.weight};
    }
    return (struct spot){{(int)limited((float)x, 0, (float)(size - 1)),
                          (int)limited((float)(x + 1), 0, (float)(size - 1))},
                         spot.weight};
}

static float slice_sum(const struct shader_level *level, const struct spot *x, const struct spot *y,
                       int z, unsigned shift)
{
    int rows[2];
    for (int j = 0; j < 2; j++) {
        const int left = (int)(texel_at(level, x->texel[0], y->texel[j], z) >> shift & 255);
        const int right = (int)(texel_at(level, x->texel[1], y->texel[j], z) >> shift & 255);
        rows[j] = left * (256 - x->weight) + right * x->weight;
    }
    return (float)(rows[0] * (256 - y->weight) + rows[1] * y->weight);
}

static float level_sum(const struct shader_read *read, int number, const float c[3], unsigned shift)
{
    const struct shader_level *level = &read->texture->level[number];
    const struct spot x = expected_spot(c[0], level->width, read->sampler);
    const struct spot y = expected_spot(c[1], level->height, read->sampler);
    if (!read->volume) {
        return slice_sum(level, &x, &y, 0, shift);
    }
    const struct spot z = expected_spot(c[2], level->depth, read->sampler);
    const float a = slice_sum(level, &x, &y, z.texel[0], shift);
    const float b = slice_sum(level, &x, &y, z.texel[1], shift);
    return a + (b - a) * ((float)z.weight / 256.0f);
}

static float expected_at(const struct shader_read *read, float detail, const float c[3],
                         unsigned shift)
{
    const float factor = 1.0f / (255.0f * 65536.0f);
    const float d =
        floorf(limited(detail, 0.0f, (float)(read->texture->levels - 1)) * 256.0f + 0.5f) / 256.0f;
    if (!read->sampler.linear) {
        return level_sum(read, (int)(d + 0.5f), c, shift) * factor;
    }
    const float a = level_sum(read, (int)d, c, shift);
    if (d == floorf(d)) {
        return a * factor;
    }
    const float b = level_sum(read, (int)d + 1, c, shift);
    return (a + (b - a) * (d - floorf(d))) * factor;
}

static float random_number(struct base_rng *rng, float from, float to)
{
    return from + (float)(base_rng_next(rng) >> 8) * 0x1p-24f * (to - from);
}

static const float odd_numbers[] = {
    0.0f,  -0.0f,       0.5f,     1.0f,       -1.0f,  2.0f,     NAN,    INFINITY, -INFINITY,
    1e30f, -1e30f,      3.4e38f,  -3.4e38f,   1e-45f, -1e-45f,  1e-30f, -1e-10f,  0.99999994f,
    1e9f,  16777217.0f, -8388609, 1.0000001f, 1e19f,  -2.5e19f, 1e-20f};

/* Different kinds of numbers among the lanes. */
static float any_number(struct base_rng *rng)
{
    switch (base_rng_next(rng) % 8) {
    case 0:
        return odd_numbers[base_rng_next(rng) % (sizeof odd_numbers / sizeof *odd_numbers)];
    case 1:
        return random_number(rng, -1e4f, 1e4f);
    case 2: {
        const uint32_t bits = base_rng_next(rng);
        float number;
        memcpy(&number, &bits, sizeof number);
        return number;
    }
    case 3:
        return (float)(base_rng_next(rng) % 97) / 48.0f;
    default:
        return random_number(rng, -1.0f, 2.0f);
    }
}

static void check_formula(const struct shader_read *read)
{
    static const unsigned shifts[4] = {16, 8, 0, 24};
    shader_read_plain.read(read);
    for (size_t i = 0; i < read->count; i++) {
        const float c[3] = {read->u.at[i], read->v.at[i], read->w.at[i]};
        for (size_t k = 0; k < 4; k++) {
            const bool one = k == 3 && read->texture->opaque;
            const float expected = one ? 1.0f : expected_at(read, read->detail.at[i], c, shifts[k]);
            assert_memory_equal(&read->result[k][i], &expected, sizeof expected);
        }
    }
}

static void test_formulas(void **state)
{
    (void)state;
    struct base_rng rng;
    static struct tile tile;
    base_rng_seed(&rng, 2, 0);
    for (size_t i = 0; i < SIZES * 8; i++) {
        struct shader_image image = random_image(sizes[i / 8], &rng);
        struct shader_read read = read_of(&image.texture, &tile);
        image.texture.opaque = i / 8 % 2 == 1;
        read.sampler = (struct shader_sampler){i % 2 == 0, (enum shader_address)(i / 2 % 2)};
        read.volume = i / 4 % 2 == 1;
        read.detail = lanes_of(tile.given[DETAIL]);
        for (size_t k = 0; k < SHADER_TILE; k++) {
            for (size_t n = 0; n < GIVEN; n++) {
                tile.given[n][k] = any_number(&rng);
            }
            tile.given[DETAIL][k] =
                k % 2 == 0 ? random_number(&rng, -1.0f, 5.0f) : any_number(&rng);
        }
        check_formula(&read);
        shader_image_free(&image);
    }
}

/* ---- known pictures ---- */

/* Two texels, black and white. */
static void test_known_places(void **state)
{
    (void)state;
    static const uint32_t two[2] = {0xFF000000, 0x00FFFFFF};
    static const struct {
        float u;
        bool linear;
        enum shader_address address;
        float red;
    } cases[] = {
        {0.25f, true, SHADER_REPEAT, 0.0f},   {0.75f, true, SHADER_REPEAT, 1.0f},
        {0.5f, true, SHADER_REPEAT, 0.5f},    {0.0f, true, SHADER_REPEAT, 0.5f},
        {1.0f, true, SHADER_REPEAT, 0.5f},    {0.125f, true, SHADER_REPEAT, 0.25f},
        {-0.25f, true, SHADER_REPEAT, 1.0f},  {7.75f, true, SHADER_REPEAT, 1.0f},
        {0.0f, true, SHADER_CLAMP, 0.0f},     {1.0f, true, SHADER_CLAMP, 1.0f},
        {-9.0f, true, SHADER_CLAMP, 0.0f},    {9.0f, true, SHADER_CLAMP, 1.0f},
        {0.5f, true, SHADER_CLAMP, 0.5f},     {0.49f, false, SHADER_REPEAT, 0.0f},
        {0.5f, false, SHADER_REPEAT, 1.0f},   {1.0f, false, SHADER_REPEAT, 0.0f},
        {1.0f, false, SHADER_CLAMP, 1.0f},    {NAN, true, SHADER_CLAMP, 0.0f},
        {INFINITY, true, SHADER_CLAMP, 0.0f}, {INFINITY, true, SHADER_REPEAT, 0.5f},
        {1e30f, true, SHADER_REPEAT, 0.5f},   {1e30f, true, SHADER_CLAMP, 1.0f},
    };
    static struct tile tile;
    struct shader_image image;
    assert_int_equal(shader_image_create(&image, two, 2, 2, 1, 1), 0);
    image.texture.levels = 1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shader_read read = read_of(&image.texture, &tile);
        read.sampler = (struct shader_sampler){cases[i].linear, cases[i].address};
        for (size_t k = 0; k < SHADER_TILE; k++) {
            tile.given[U][k] = cases[i].u;
            tile.given[V][k] = (float)k;
        }
        shader_read_plain.read(&read);
        for (size_t k = 0; k < SHADER_TILE; k++) {
            assert_true(tile.result[0][k] == cases[i].red);
            assert_true(fabsf(tile.result[3][k] - (1.0f - cases[i].red)) < 1e-7f);
        }
    }
    shader_image_free(&image);
}

/* What the quads' steps make of it is what is read at that detail. */
static void test_detail_of_quads(void **state)
{
    (void)state;
    static const struct {
        float right[2]; /* texels of 64 x 32 along u and v */
        float down[2];
        float bias;
        float detail;
    } cases[] = {
        {{1.0f, 0.0f}, {0.0f, 1.0f}, 0.0f, 0.0f},
        {{0.5f, 0.0f}, {0.0f, 0.5f}, 0.0f, 0.0f},
        {{0.5f, 0.0f}, {0.0f, 0.5f}, 1.5f, 1.5f},
        {{2.0f, 0.0f}, {0.0f, 1.0f}, 0.0f, 1.0f},
        {{0.0f, 1.0f}, {-4.0f, 0.0f}, 0.0f, 2.0f},
        {{3.0f, 4.0f}, {0.0f, 0.0f}, 0.0f, 2.3203125f},
        {{0.0f, 8.0f}, {1.0f, 0.0f}, -1.0f, 2.0f},
        {{0.0f, 8.0f}, {1.0f, 0.0f}, -9.0f, 0.0f},
        {{16.0f, 0.0f}, {0.0f, 16.0f}, 9.0f, 6.0f},
        {{0.0f, 0.0f}, {0.0f, 0.0f}, NAN, 0.0f},
        {{0.0f, 0.0f}, {0.0f, 0.0f}, INFINITY, 6.0f},
        {{1e38f, 0.0f}, {2.0f, 0.0f}, 0.0f, 1.0f},
        {{2.0f, 0.0f}, {NAN, 0.0f}, 0.0f, 1.0f},
    };
    static struct tile tile;
    static struct tile other;
    struct base_rng rng;
    base_rng_seed(&rng, 3, 0);
    uint32_t *texels = malloc(64 * 32 * sizeof *texels);
    assert_non_null(texels);
    for (size_t i = 0; i < 64 * 32; i++) {
        texels[i] = base_rng_next(&rng);
    }
    struct shader_image image;
    assert_int_equal(shader_image_create(&image, texels, 64, 64, 32, 1), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shader_read read = read_of(&image.texture, &tile);
        for (size_t k = 0; k < SHADER_TILE; k++) {
            const float x = (float)(k % 2);
            const bool lower = k >= SHADER_TILE_COLUMNS;
            tile.given[U][k] = (x > 0 ? cases[i].right[0] : lower ? cases[i].down[0] : 0) / 64.0f;
            tile.given[V][k] = (x > 0 ? cases[i].right[1] : lower ? cases[i].down[1] : 0) / 32.0f;
            tile.given[BIAS][k] = cases[i].bias;
            other.given[DETAIL][k] = cases[i].detail;
        }
        read.bias = lanes_of(tile.given[BIAS]);
        shader_read_plain.read(&read);
        struct shader_read same = read_of(&image.texture, &other);
        same.u = read.u;
        same.v = read.v;
        same.detail = lanes_of(other.given[DETAIL]);
        shader_read_plain.read(&same);
        assert_memory_equal(tile.result, other.result, sizeof tile.result);
    }
    shader_image_free(&image);
    free(texels);
}

/* ---- fast reads against plain ones ---- */

enum coordinates { STEADY, SHIFTED, TURNED, LONG_STEPS, ALL_KINDS, COORDINATES };

static float steady(const struct shader_level *level, int axis, float x)
{
    return (x + 0.5f) / (float)size_of(level, axis);
}

static void place_tile(struct tile *tile, const struct shader_level *level, enum coordinates how,
                       struct base_rng *rng)
{
    const float scale = how == LONG_STEPS ? random_number(rng, 0.0f, 9.0f)
                        : how == TURNED   ? random_number(rng, -1.5f, 1.5f)
                                          : 1.0f;
    const float skew = how == TURNED ? random_number(rng, -0.5f, 0.5f) : 0.0f;
    const float shift = how == STEADY    ? (float)(base_rng_next(rng) % 40)
                        : how == SHIFTED ? random_number(rng, -40.0f, 40.0f)
                                         : 0.0f;
    for (size_t i = 0; i < SHADER_TILE; i++) {
        const float x = (float)(i % SHADER_TILE_COLUMNS);
        const float y = (float)(i / SHADER_TILE_COLUMNS);
        tile->given[U][i] = steady(level, 0, scale * x + skew * y + shift);
        tile->given[V][i] = steady(level, 1, scale * y - skew * x + shift);
        tile->given[W][i] = steady(level, 2, skew * x);
        for (int k = 0; how == ALL_KINDS && k <= W; k++) {
            tile->given[k][i] = any_number(rng);
        }
        tile->given[BIAS][i] =
            base_rng_next(rng) % 4 == 0 ? any_number(rng) : random_number(rng, -2.0f, 4.0f);
        tile->given[DETAIL][i] =
            base_rng_next(rng) % 4 == 0 ? any_number(rng) : random_number(rng, -1.0f, 6.0f);
    }
}

/* u depends on the column alone, v on the row. */
static void make_grid(struct tile *tile)
{
    for (size_t i = 0; i < SHADER_TILE; i++) {
        tile->given[U][i] = tile->given[U][i % SHADER_TILE_COLUMNS];
        tile->given[V][i] = tile->given[V][i / SHADER_TILE_COLUMNS * SHADER_TILE_COLUMNS];
    }
}

/* Which of the numbers are given, and which are the same for all pixels. */
static void choose_form(struct shader_read *read, struct tile *tile, uint32_t bits)
{
    read->sampler = (struct shader_sampler){(bits & 1) != 0, (enum shader_address)(bits >> 1 & 1)};
    read->volume = read->texture->level[0].depth > 1 ? (bits & 4) == 0 : (bits & 28) == 0;
    if ((bits >> 5 & 3) == 1) {
        read->bias = lanes_of(tile->given[BIAS]);
    } else if ((bits >> 5 & 3) == 2) {
        read->detail = lanes_of(tile->given[DETAIL]);
    }
    read->count = (bits >> 7 & 7) == 0 ? SHADER_LANES : SHADER_TILE;
    struct shader_lanes *lanes[] = {&read->u, &read->v, &read->w, &read->bias, &read->detail};
    for (unsigned i = 0; i < 5; i++) {
        if ((bits >> (10 + 2 * i) & 3) == 0) {
            lanes[i]->step = 0;
            for (size_t k = 1; k < SHADER_LANES; k++) {
                tile->given[i][k] = tile->given[i][0];
            }
        }
    }
    read->grid = read->count == SHADER_TILE && (bits >> 25 & 1) != 0;
    if (read->grid) {
        make_grid(tile);
    }
    for (unsigned k = 0; k < 4; k++) {
        if ((bits >> 20 & 1) != 0 && (bits >> (21 + k) & 1) != 0) {
            read->result[k] = NULL;
        }
    }
}

/* The same read of another tile; results stand where coordinates do if `in_place`. */
static struct shader_read moved(const struct shader_read *read, struct tile *to, bool in_place)
{
    struct shader_read other = *read;
    struct shader_lanes *lanes[] = {&other.u, &other.v, &other.w, &other.bias, &other.detail};
    for (int i = 0; i < 5; i++) {
        if (lanes[i]->at != NULL) {
            lanes[i]->at = to->given[i];
        }
        in_place = in_place && (lanes[i]->at == NULL || lanes[i]->step != 0);
    }
    for (int k = 0; k < 4; k++) {
        if (other.result[k] != NULL) {
            other.result[k] = in_place ? to->given[k] : to->result[k];
        }
    }
    return other;
}

static void check_level(const struct shader_read *read, const struct tile *tile, bool in_place,
                        enum base_cpu_level level)
{
    static struct tile plain;
    static struct tile other;
    plain = *tile;
    other = *tile;
    const struct shader_read first = moved(read, &plain, false);
    const struct shader_read second = moved(read, &other, in_place);
    shader_read_plain.read(&first);
    shader_read_for(level)->read(&second);
    for (int k = 0; k < 4; k++) {
        if (read->result[k] != NULL) {
            assert_memory_equal(first.result[k], second.result[k], read->count * sizeof(float));
        } else if (!in_place) {
            assert_memory_equal(other.result[k], tile->result[k], sizeof other.result[k]);
        }
    }
}

static void check_same(const struct shader_read *read, const struct tile *tile, bool in_place)
{
    for (int level = BASE_CPU_FOUR; level <= (int)base_cpu_best(); level++) {
        check_level(read, tile, in_place, (enum base_cpu_level)level);
    }
}

static bool has_fast(void)
{
    return base_cpu_best() >= BASE_CPU_FOUR;
}

static void test_same_bits(void **state)
{
    (void)state;
    if (!has_fast()) {
        SKIP("this processor has no fast kernels");
    }
    struct base_rng rng;
    static struct tile tile;
    base_rng_seed(&rng, 4, 0);
    for (size_t i = 0; i < 40 * SIZES; i++) {
        struct shader_image image = random_image(sizes[i % SIZES], &rng);
        image.texture.opaque = base_rng_next(&rng) % 2 == 0;
        image.texture.levels = base_rng_next(&rng) % 3 == 0 ? 1 : image.texture.levels;
        for (size_t k = 0; k < 12; k++) {
            struct shader_read read = read_of(&image.texture, &tile);
            place_tile(&tile, &image.texture.level[0],
                       (enum coordinates)(base_rng_next(&rng) % COORDINATES), &rng);
            choose_form(&read, &tile, base_rng_next(&rng));
            check_same(&read, &tile, k % 2 == 1);
        }
        shader_image_free(&image);
    }
}

/* Every weight between every two texels of three channels, and of slices. */
static void test_same_bits_of_all_weights(void **state)
{
    (void)state;
    if (!has_fast()) {
        SKIP("this processor has no fast kernels");
    }
    static const uint32_t texels[8] = {0x00FF00FF, 0xFF00FF00, 0xFFFFFFFF, 0x00000000,
                                       0x01FE7F80, 0xFF00FFFF, 0x80808080, 0x7F7F7F7F};
    static struct tile tile;
    struct shader_image image;
    assert_int_equal(shader_image_create(&image, texels, 2, 2, 2, 2), 0);
    for (int y = 0; y < 512; y++) {
        for (int x = 0; x < 512; x += SHADER_TILE) {
            struct shader_read read = read_of(&image.texture, &tile);
            for (int i = 0; i < SHADER_TILE; i++) {
                tile.given[U][i] = (float)(x + i) / 512.0f;
                tile.given[V][i] = (float)y / 512.0f;
                tile.given[W][i] = (float)((x + i) * 7 % 512) / 512.0f;
            }
            read.volume = y % 2 == 0;
            read.sampler.address = (enum shader_address)(y / 2 % 2);
            image.texture.levels = 1;
            check_same(&read, &tile, false);
        }
    }
    shader_image_free(&image);
}

static void test_nothing_bound(void **state)
{
    (void)state;
    static const enum base_cpu_level levels[] = {BASE_CPU_PLAIN, BASE_CPU_FOUR, BASE_CPU_AVX2,
                                                 BASE_CPU_AVX512};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        static struct tile tile;
        const struct shader_texture texture = {.levels = 1};
        struct shader_read read = read_of(&texture, &tile);
        if (levels[i] > base_cpu_best()) {
            continue;
        }
        memset(tile.result, 0x55, sizeof tile.result);
        read.texture = NULL;
        read.result[2] = NULL;
        shader_read_for(levels[i])->read(&read);
        for (size_t k = 0; k < SHADER_TILE; k++) {
            assert_true(tile.result[0][k] == 0.0f && tile.result[1][k] == 0.0f);
            assert_true(tile.result[2][k] != 0.0f && tile.result[3][k] == 0.0f);
        }
    }
}

/* ---- memory ---- */

/* Pages with one before and one behind that nobody may touch. */
struct fence {
    unsigned char *pages;
    size_t size; /* between the two */
    size_t page;
};

static struct fence fence_create(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct fence fence = {.size = (bytes + page - 1) / page * page, .page = page};
    const int zero = open("/dev/zero", O_RDWR);
    assert_true(zero >= 0);
    fence.pages = mmap(NULL, fence.size + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
    assert_true(fence.pages != MAP_FAILED);
    (void)close(zero);
    assert_int_equal(mprotect(fence.pages, page, PROT_NONE), 0);
    assert_int_equal(mprotect(fence.pages + page + fence.size, page, PROT_NONE), 0);
    return fence;
}

static void fence_free(struct fence *fence)
{
    (void)munmap(fence->pages, fence->size + 2 * fence->page);
}

/* A level that ends with the last texel that may be read, behind the first page or before the last
 * one. */
static struct shader_level fenced(const struct fence *fence, const struct shader_level *level,
                                  bool at_end)
{
    const size_t texels = (size_t)(level->depth - 1) * level->slice +
                          (size_t)level->height * level->pitch + (size_t)level->width + 1;
    const size_t bytes = texels * sizeof *level->texels;
    struct shader_level moved_level = *level;
    unsigned char *to = fence->pages + fence->page + (at_end ? fence->size - bytes : 0);
    memcpy(to, level->texels, bytes);
    moved_level.texels = (const uint32_t *)(const void *)to;
    return moved_level;
}

static void test_reads_stay_inside(void **state)
{
    (void)state;
    struct base_rng rng;
    static struct tile tile;
    base_rng_seed(&rng, 5, 0);
    struct fence fence = fence_create(sizeof pixels);
    for (size_t i = 0; i < 2 * SIZES; i++) {
        struct shader_image image = random_image(sizes[i / 2], &rng);
        image.texture.level[0] = fenced(&fence, &image.texture.level[0], i % 2 == 1);
        image.texture.levels = 1;
        for (size_t k = 0; k < 200; k++) {
            struct shader_read read = read_of(&image.texture, &tile);
            place_tile(&tile, &image.texture.level[0], (enum coordinates)(k % COORDINATES), &rng);
            choose_form(&read, &tile, base_rng_next(&rng));
            for (int level = 0; level <= (int)base_cpu_best(); level++) {
                shader_read_for((enum base_cpu_level)level)->read(&read);
            }
        }
        shader_image_free(&image);
    }
    fence_free(&fence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_sizes_that_do_not_fit),
        cmocka_unit_test(test_largest),
        cmocka_unit_test(test_view_of_a_surface),
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_known_places),
        cmocka_unit_test(test_detail_of_quads),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_same_bits_of_all_weights),
        cmocka_unit_test(test_nothing_bound),
        cmocka_unit_test(test_reads_stay_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
