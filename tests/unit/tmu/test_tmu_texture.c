/* Textures: order in memory, levels of detail, and rows of samples against their formulas. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tmu/texture.h"

enum { TURN = TMU_TEXTURE_TURN, SIDE = 24, TEXELS = SIDE * SIDE, ROW = 200 };

static const int sizes[][2] = {{1, 1},  {1, 7},  {9, 1},   {2, 2},   {3, 3},   {5, 4},
                               {4, 12}, {13, 6}, {16, 16}, {24, 23}, {17, 24}, {7, 24}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void fill_random(uint32_t *pixels, size_t count, struct base_rng *rng)
{
    for (size_t i = 0; i < count; i++) {
        pixels[i] = base_rng_next(rng);
    }
}

static struct tmu_texture create(int width, int height, enum tmu_texture_format format,
                                 enum tmu_texture_layout layout)
{
    const struct tmu_texture_form form = {width, height, 0, format, layout};
    const struct tmu_texture texture = tmu_texture_create(&form);
    assert_non_null(texture.texels);
    return texture;
}

static void test_logarithm(void **state)
{
    (void)state;
    assert_int_equal(tmu_texture_log2(0), 0);
    for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(tmu_texture_log2(1u << i), i);
        assert_int_equal(tmu_texture_log2((1u << i) + ((1u << i) - 1)), i);
    }
}

static void test_level_of_quads(void **state)
{
    (void)state;
    static const struct {
        int32_t x[4];
        int32_t y[4];
        unsigned level;
    } cases[] = {
        {{0, 0, 0, 0}, {0, 0, 0, 0}, 0},         {{0, 64, 0, 64}, {0, 0, 64, 64}, 0},
        {{0, 127, 0, 127}, {0, 0, 64, 64}, 0},   {{0, 128, 0, 128}, {0, 0, 64, 64}, 1},
        {{0, 64, 0, 64}, {0, 0, -256, -256}, 2}, {{0, 64, 0, 600}, {0, 0, 64, 64}, 3},
        {{99, 99, 99, 99}, {0, 0, 0, 64000}, 9}, {{131071, -131072, 0, 0}, {0, 0, 0, 0}, 11},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(tmu_texture_quad_level(cases[i].x, cases[i].y, 6), cases[i].level);
    }
}

static void test_levels_lie_smallest_first(void **state)
{
    (void)state;
    struct tmu_texture texture = create(20, 6, TMU_TEXTURE_COLOR, TMU_TEXTURE_ROWS);
    assert_int_equal(texture.form.levels, 5);
    static const struct {
        int width;
        int height;
        size_t first;
    } levels[] = {{20, 6, 1 + 2 + 5 + 30}, {10, 3, 1 + 2 + 5}, {5, 1, 1 + 2}, {2, 1, 1}, {1, 1, 0}};
    for (int i = 0; i < texture.form.levels; i++) {
        assert_int_equal(texture.level[i].width, levels[i].width);
        assert_int_equal(texture.level[i].height, levels[i].height);
        assert_int_equal(texture.level[i].first, levels[i].first);
    }
    assert_int_equal(texture.bytes, 4 * (38 + 120));
    tmu_texture_free(&texture);
    assert_null(texture.texels);
}

/* 9x6 texels with one level: three tiles in a row of tiles. */
static void test_order_in_tiles(void **state)
{
    (void)state;
    static const int places[][3] = {{0, 0, 0},  {1, 0, 1},  {0, 1, 4},  {3, 3, 15},
                                    {4, 0, 16}, {8, 0, 32}, {8, 3, 44}, {0, 4, 48},
                                    {5, 5, 69}, {8, 5, 84}, {7, 2, 27}, {2, 4, 50}};
    static const struct {
        enum tmu_texture_format format;
        size_t bits;
    } formats[] = {{TMU_TEXTURE_COLOR, 32}, {TMU_TEXTURE_INDEX8, 8}, {TMU_TEXTURE_INDEX4, 4}};
    for (size_t f = 0; f < 3; f++) {
        const struct tmu_texture_form form = {9, 6, 1, formats[f].format, TMU_TEXTURE_TILES};
        struct tmu_texture texture = tmu_texture_create(&form);
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            assert_int_equal(tmu_texture_bit(&texture, 0, places[i][0], places[i][1]),
                             (size_t)places[i][2] * formats[f].bits);
        }
        assert_int_equal(texture.bytes, 96 * formats[f].bits / 8);
        tmu_texture_free(&texture);
    }
}

/* What is put comes back from every level, whatever is put into the others. */
static void test_put_and_get(void **state)
{
    (void)state;
    static const uint32_t masks[] = {0xFFFFFFFF, 255, 15};
    struct base_rng rng;
    base_rng_seed(&rng, 1, 0);
    for (unsigned kind = 0; kind < SIZES * 6; kind++) {
        const int *size = sizes[kind / 6];
        struct tmu_texture texture =
            create(size[0], size[1], (enum tmu_texture_format)(kind % 3),
                   kind / 3 % 2 == 0 ? TMU_TEXTURE_ROWS : TMU_TEXTURE_TILES);
        uint32_t pixels[5][TEXELS];
        uint32_t got[TEXELS];
        for (int l = 0; l < texture.form.levels; l++) {
            fill_random(pixels[l], TEXELS, &rng);
            tmu_texture_put(&texture, l, pixels[l], SIDE);
        }
        for (int l = 0; l < texture.form.levels; l++) {
            tmu_texture_get(&texture, l, got, SIDE);
            for (int y = 0; y < texture.level[l].height; y++) {
                for (int x = 0; x < texture.level[l].width; x++) {
                    const int at = y * SIDE + x;
                    assert_int_equal(got[at], pixels[l][at] & masks[kind % 3]);
                }
            }
        }
        tmu_texture_free(&texture);
    }
}

/* The mean over an area by counting: each texel is cut into so many parts that all edges fit. */
static uint32_t counted_mean(const uint32_t *pixels, const struct tmu_texture_level *large,
                             const struct tmu_texture_level *small, int x, int y)
{
    uint64_t sums[4] = {0};
    const uint64_t whole = (uint64_t)large->width * (uint64_t)large->height;
    for (int j = y * large->height; j < (y + 1) * large->height; j++) {
        for (int i = x * large->width; i < (x + 1) * large->width; i++) {
            const uint32_t color = pixels[j / small->height * SIDE + i / small->width];
            for (unsigned c = 0; c < 4; c++) {
                sums[c] += color >> 8 * c & 255;
            }
        }
    }
    uint32_t color = 0;
    for (unsigned c = 0; c < 4; c++) {
        color |= (uint32_t)floor((double)sums[c] / (double)whole + 0.5) << 8 * c;
    }
    return color;
}

static void compare_level(const struct tmu_texture *texture, int level)
{
    uint32_t large[TEXELS];
    uint32_t small[TEXELS];
    tmu_texture_get(texture, level - 1, large, SIDE);
    tmu_texture_get(texture, level, small, SIDE);
    for (int y = 0; y < texture->level[level].height; y++) {
        for (int x = 0; x < texture->level[level].width; x++) {
            assert_int_equal(small[y * SIDE + x], counted_mean(large, &texture->level[level - 1],
                                                               &texture->level[level], x, y));
        }
    }
}

static void test_reduction(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 2, 0);
    for (size_t s = 0; s < SIZES; s++) {
        uint32_t pixels[TEXELS];
        fill_random(pixels, TEXELS, &rng);
        struct tmu_texture texture = create(sizes[s][0], sizes[s][1], TMU_TEXTURE_COLOR,
                                            s % 2 == 0 ? TMU_TEXTURE_ROWS : TMU_TEXTURE_TILES);
        tmu_texture_put(&texture, 0, pixels, SIDE);
        tmu_texture_reduce(&texture);
        for (int l = 1; l < texture.form.levels; l++) {
            compare_level(&texture, l);
        }
        tmu_texture_free(&texture);
    }
}

static void test_reduction_rounds_halves_up(void **state)
{
    (void)state;
    static const uint32_t pixels[] = {0x00000001, 0x00000100, 0x00000201, 0xFF000001};
    struct tmu_texture texture = create(2, 2, TMU_TEXTURE_COLOR, TMU_TEXTURE_TILES);
    uint32_t got;
    tmu_texture_put(&texture, 0, pixels, 2);
    tmu_texture_reduce(&texture);
    tmu_texture_get(&texture, 1, &got, 1);
    assert_int_equal(got, 0x40000101); /* 63.75, 0, 0.75, 0.75 */
    tmu_texture_free(&texture);
}

/* The largest size: nothing overflows. */
static void test_reduction_of_wide_textures(void **state)
{
    (void)state;
    const struct tmu_texture_form form = {TMU_SIZE_MAX - 1, 2, 0, TMU_TEXTURE_COLOR,
                                          TMU_TEXTURE_ROWS};
    struct tmu_texture texture = tmu_texture_create(&form);
    assert_non_null(texture.texels);
    memset(texture.texels, 0xFF, texture.bytes);
    tmu_texture_reduce(&texture);
    for (size_t i = 0; i < texture.bytes; i++) {
        assert_int_equal(texture.texels[i], 0xFF);
    }
    assert_int_equal(texture.form.levels, 13);
    tmu_texture_free(&texture);
}

/* Everything for one row of samples. */
struct fixture {
    struct base_rng rng;
    struct tmu_texture texture;
    struct tmu_texture_sampler sampler;
    int32_t u[ROW];
    int32_t v[ROW];
    uint16_t detail[ROW];
    uint32_t got[ROW + 1];
};

static int32_t coordinate(struct base_rng *rng)
{
    static const int32_t edges[] = {
        0,        1,         -1,        TURN,      TURN - 1,       TURN + 1,
        2 * TURN, -TURN,     TURN / 2,  -TURN / 2, 3 * (TURN / 2), -2 * TURN,
        TURN / 3, INT32_MAX, INT32_MIN, TURN / 24};
    const uint32_t bits = base_rng_next(rng);
    switch (bits % 3) {
    case 0:
        return edges[bits / 3 % (sizeof edges / sizeof edges[0])];
    case 1:
        return (int32_t)(base_rng_next(rng) % TURN);
    default:
        return (int32_t)base_rng_next(rng);
    }
}

static void prepare(struct fixture *f, unsigned kind)
{
    const int *size = sizes[kind % SIZES];
    f->texture = create(size[0], size[1], (enum tmu_texture_format)(kind % 3),
                        kind / 3 % 2 == 0 ? TMU_TEXTURE_ROWS : TMU_TEXTURE_TILES);
    f->sampler =
        (struct tmu_texture_sampler){(enum tmu_address)(kind % 3), (enum tmu_address)(kind / 2 % 3),
                                     (enum tmu_texture_filter)(kind / 5 % 3)};
    fill_random(f->texture.palette, TMU_TEXTURE_PALETTE, &f->rng);
    for (int l = 0; l < f->texture.form.levels; l++) {
        uint32_t pixels[TEXELS];
        fill_random(pixels, TEXELS, &f->rng);
        tmu_texture_put(&f->texture, l, pixels, SIDE);
    }
    for (size_t i = 0; i < ROW; i++) {
        f->u[i] = coordinate(&f->rng);
        f->v[i] = coordinate(&f->rng);
        f->detail[i] = (uint16_t)(base_rng_next(&f->rng) % (i % 9 == 0 ? 65536 : 6 * 256));
    }
}

static int64_t modulo(int64_t value, int64_t by)
{
    return (value % by + by) % by;
}

static int64_t expected_turns(int64_t turns, enum tmu_address address)
{
    if (address == TMU_WRAP) {
        return modulo(turns, TURN);
    }
    if (address == TMU_MIRROR) {
        return TURN - llabs(modulo(turns, 2 * (int64_t)TURN) - TURN);
    }
    return turns < 0 ? 0 : turns > TURN ? TURN : turns;
}

static int64_t expected_texel(int64_t texel, int64_t size, enum tmu_address address)
{
    if (address == TMU_WRAP) {
        return modulo(texel, size);
    }
    return texel < 0 ? 0 : texel >= size ? size - 1 : texel;
}

static uint32_t expected_color(const struct tmu_texture *texture, int level, int64_t x, int64_t y)
{
    uint32_t pixels[TEXELS];
    tmu_texture_get(texture, level, pixels, SIDE);
    const uint32_t value = pixels[y * SIDE + x];
    return texture->form.format == TMU_TEXTURE_COLOR ? value : texture->palette[value];
}

static uint32_t expected_bilinear(const struct fixture *f, int level, size_t i, unsigned shift)
{
    const struct tmu_texture_level *place = &f->texture.level[level];
    const int64_t u = expected_turns(f->u[i], f->sampler.address_x);
    const int64_t v = expected_turns(f->v[i], f->sampler.address_y);
    const int64_t p = ((u * place->width + (1 << 19)) >> 20) - 128;
    const int64_t q = ((v * place->height + (1 << 19)) >> 20) - 128;
    int64_t sum = 32768;
    for (int tap = 0; tap < 4; tap++) {
        const int64_t x = modulo(p, 256);
        const int64_t y = modulo(q, 256);
        const int64_t column = (p - x) / 256 + tap % 2;
        const int64_t row = (q - y) / 256 + tap / 2;
        const uint32_t color = expected_color(
            &f->texture, level, expected_texel(column, place->width, f->sampler.address_x),
            expected_texel(row, place->height, f->sampler.address_y));
        sum += (color >> shift & 255) * (tap % 2 == 0 ? 256 - x : x) * (tap / 2 == 0 ? 256 - y : y);
    }
    return (uint32_t)(sum >> 16);
}

static int limited(int level, const struct tmu_texture *texture)
{
    return level < texture->form.levels ? level : texture->form.levels - 1;
}

static uint32_t expected_channel(const struct fixture *f, size_t i, unsigned shift)
{
    const int detail = f->detail[i];
    const int level = limited((detail + 128) / 256, &f->texture);
    if (f->sampler.filter == TMU_TEXTURE_BILINEAR) {
        return expected_bilinear(f, level, i, shift);
    }
    if (f->sampler.filter == TMU_TEXTURE_TRILINEAR) {
        const uint32_t part = f->detail[i] & 255u;
        const uint32_t a = expected_bilinear(f, limited(detail / 256, &f->texture), i, shift);
        const uint32_t b = expected_bilinear(f, limited(detail / 256 + 1, &f->texture), i, shift);
        return (a * (256 - part) + b * part + 128) >> 8;
    }
    const struct tmu_texture_level *place = &f->texture.level[level];
    const int64_t x = expected_turns(f->u[i], f->sampler.address_x) * place->width / TURN;
    const int64_t y = expected_turns(f->v[i], f->sampler.address_y) * place->height / TURN;
    const uint32_t color =
        expected_color(&f->texture, level, expected_texel(x, place->width, TMU_CLAMP),
                       expected_texel(y, place->height, TMU_CLAMP));
    return color >> shift & 255;
}

static void test_rows_equal_the_formula(void **state)
{
    (void)state;
    static struct fixture f;
    base_rng_seed(&f.rng, 3, 0);
    for (unsigned kind = 0; kind < 270; kind++) {
        prepare(&f, kind);
        f.got[ROW] = 0x5A5A5A5A;
        tmu_texture_row(f.got, &f.texture, &f.sampler, f.u, f.v, f.detail, ROW);
        assert_int_equal(f.got[ROW], 0x5A5A5A5A);
        for (size_t i = 0; i < ROW; i++) {
            for (unsigned shift = 0; shift < 32; shift += 8) {
                assert_int_equal(f.got[i] >> shift & 255, expected_channel(&f, i, shift));
            }
        }
        tmu_texture_free(&f.texture);
    }
}

/* The centre of each texel shows just that texel, whatever the filter. */
static void test_centres(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 4, 0);
    for (unsigned kind = 0; kind < SIZES * 9; kind++) {
        const int *size = sizes[kind / 9];
        struct tmu_texture texture = create(size[0], size[1], TMU_TEXTURE_COLOR, TMU_TEXTURE_TILES);
        uint32_t pixels[TEXELS];
        fill_random(pixels, TEXELS, &rng);
        tmu_texture_put(&texture, 0, pixels, SIDE);
        const struct tmu_texture_sampler sampler = {(enum tmu_address)(kind % 3),
                                                    (enum tmu_address)(kind % 3),
                                                    (enum tmu_texture_filter)(kind / 3 % 3)};
        for (int i = 0; i < size[0] * size[1]; i++) {
            const int x = i % size[0];
            const int y = i / size[0];
            const int32_t u = (int32_t)((int64_t)TURN * (2 * x + 1) / (2 * size[0]));
            const int32_t v = (int32_t)((int64_t)TURN * (2 * y + 1) / (2 * size[1]));
            uint32_t got;
            tmu_texture_row(&got, &texture, &sampler, &u, &v, NULL, 1);
            assert_int_equal(got, pixels[y * SIDE + x]);
        }
        tmu_texture_free(&texture);
    }
}

/* A colour table gives what its colours give. */
static void test_tables_equal_colors(void **state)
{
    (void)state;
    static struct fixture f;
    base_rng_seed(&f.rng, 5, 0);
    for (unsigned kind = 0; kind < 60; kind++) {
        prepare(&f, kind);
        struct tmu_texture colors = create(f.texture.form.width, f.texture.form.height,
                                           TMU_TEXTURE_COLOR, TMU_TEXTURE_ROWS);
        for (int l = 0; l < colors.form.levels; l++) {
            uint32_t pixels[TEXELS] = {0};
            tmu_texture_get(&f.texture, l, pixels, SIDE);
            for (size_t i = 0; i < TEXELS && f.texture.form.format != TMU_TEXTURE_COLOR; i++) {
                pixels[i] = f.texture.palette[pixels[i]];
            }
            tmu_texture_put(&colors, l, pixels, SIDE);
        }
        uint32_t got[ROW];
        tmu_texture_row(f.got, &f.texture, &f.sampler, f.u, f.v, f.detail, ROW);
        tmu_texture_row(got, &colors, &f.sampler, f.u, f.v, f.detail, ROW);
        assert_memory_equal(got, f.got, sizeof got);
        tmu_texture_free(&colors);
        tmu_texture_free(&f.texture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logarithm),
        cmocka_unit_test(test_level_of_quads),
        cmocka_unit_test(test_levels_lie_smallest_first),
        cmocka_unit_test(test_order_in_tiles),
        cmocka_unit_test(test_put_and_get),
        cmocka_unit_test(test_reduction),
        cmocka_unit_test(test_reduction_rounds_halves_up),
        cmocka_unit_test(test_reduction_of_wide_textures),
        cmocka_unit_test(test_rows_equal_the_formula),
        cmocka_unit_test(test_centres),
        cmocka_unit_test(test_tables_equal_colors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
