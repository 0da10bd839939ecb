/* What the board's CPU hears and draws, piece by piece. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "renderer/sound/analysis.h"
#include "board/step/draw.h"
#include "board/step/step.h"
#include "board/step/program.h"

enum { SIDE = BOARD_SIDE, BYTES = BOARD_TEXTURE_BYTES };

/* With bytes in front and behind that nobody may write. */
struct canvas {
    uint8_t before[32];
    uint8_t texture[BYTES];
    uint8_t behind[32];
};

static struct canvas *clean(void)
{
    struct canvas *canvas = calloc(1, sizeof *canvas);
    assert_non_null(canvas);
    return canvas;
}

static void finish(struct canvas *canvas)
{
    for (size_t i = 0; i < sizeof canvas->before; i++) {
        assert_int_equal(canvas->before[i] | canvas->behind[i], 0);
    }
    free(canvas);
}

static uint16_t pixel(const struct canvas *canvas, int x, int y)
{
    const uint8_t *at = canvas->texture + 2 * (SIDE * y + x);
    return (uint16_t)(at[0] << 8 | at[1]);
}

static unsigned count_lit(const struct canvas *canvas)
{
    unsigned lit = 0;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            lit += pixel(canvas, x, y) != 0;
        }
    }
    return lit;
}

static const struct board_ink white = {31, 63, 31, 64, false};

static void test_same_filters_as_the_desktop(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static struct rend_bands bands;
    static struct board_hearing sound;
    static int16_t samples[2 * COUNT];
    static float floats[2 * COUNT];
    uint32_t random = 5;
    for (int i = 0; i < 2 * COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        floats[i] = (float)((int32_t)(random >> 16) - 32768) / 32768.0f;
        samples[i] = (int16_t)(floats[i] * 32767.0f);
    }
    rend_bands_init(&bands, REND_LEVELS_BOARD, BOARD_RATE);
    for (int band = 0; band < BOARD_BANDS; band++) {
        for (int tap = 0; tap < BOARD_TAPS; tap++) {
            assert_int_equal(board_taps[band][tap], bands.coefficient[band][tap]);
        }
    }
    rend_bands_step(&bands, REND_LEVELS_BOARD, floats, COUNT);
    board_hear(&sound, samples, COUNT);
    static const int64_t divisors[] = {1200000, 400000, 252000};
    for (int band = 0; band < BOARD_BANDS; band++) {
        const int64_t level = bands.energy[band] * 65536 / divisors[band];
        assert_true(level > 0);
        assert_int_equal(sound.level[band], level);
        assert_int_equal(sound.level_att[band], 2 * level / 5);
    }
}

static void test_levels_do_not_depend_on_the_rate(void **state)
{
    (void)state;
    static struct board_hearing slow;
    static struct board_hearing fast;
    static int16_t samples[2 * BOARD_SAMPLES];
    for (int i = 0; i < BOARD_SAMPLES; i++) {
        samples[2 * i] = samples[2 * i + 1] =
            (int16_t)(20000 * sin(i * 2 * 3.14159265358979 * 300 / BOARD_RATE));
    }
    board_hear(&slow, samples, 2000);
    board_hear(&fast, samples, 1600);
    assert_true(slow.level[1] > BOARD_ONE);
    assert_in_range(fast.level[1], slow.level[1] * 9 / 10, slow.level[1] * 11 / 10);
    board_hear(&fast, samples, 0);
    assert_int_equal(fast.level[1], 0);
}

/* MilkDrop's levels do not depend on the loudness; those of the board's own language do. */
static void test_levels_against_what_is_usual(void **state)
{
    (void)state;
    static struct board_hearing loud;
    static struct board_hearing quiet;
    static int16_t samples[2 * BOARD_SAMPLES];
    assert_int_equal(board_level(&loud, 0, false, false), BOARD_ONE);
    assert_int_equal(board_level(&loud, 0, false, true), 0);
    uint32_t random = 7;
    for (int frame = 0; frame < 400; frame++) {
        const int gain = frame % 20 < 10 ? 4000 : 8000;
        for (int i = 0; i < BOARD_SAMPLES; i++) {
            random = random * 1664525u + 1013904223u;
            samples[2 * i] = samples[2 * i + 1] =
                (int16_t)(((int32_t)(random >> 16) - 32768) * gain / 32768);
        }
        board_hear(&loud, samples, BOARD_SAMPLES);
        for (int i = 0; i < 2 * BOARD_SAMPLES; i++) {
            samples[i] = (int16_t)(samples[i] / 4);
        }
        board_hear(&quiet, samples, BOARD_SAMPLES);
    }
    /* White noise has too little bass to tell. */
    for (int band = 1; band < BOARD_BANDS; band++) {
        /* Energies of 1 and 4 in turns, the louder one now. */
        const int32_t level = board_level(&loud, band, false, false);
        assert_in_range(level, BOARD_ONE * 5 / 4, BOARD_ONE * 2);
        assert_in_range(board_level(&quiet, band, false, false), level * 8 / 10, level * 12 / 10);
        assert_in_range(board_level(&loud, band, true, false), BOARD_ONE, 2 * BOARD_ONE);
        assert_int_equal(board_level(&loud, band, false, true), loud.level[band]);
        assert_true(quiet.level[band] < loud.level[band] / 10);
    }
}

/* A full scale, in the worst order of signs, stays within the words. */
static void test_loudest_sound(void **state)
{
    (void)state;
    static struct board_hearing sound;
    static int16_t samples[2 * BOARD_SAMPLES];
    for (int band = 0; band < BOARD_BANDS; band++) {
        for (int i = 0; i < BOARD_SAMPLES; i++) {
            const int tap = 127 - i % 128;
            samples[2 * i] = samples[2 * i + 1] = board_taps[band][tap] < 0 ? INT16_MIN : INT16_MAX;
        }
        board_hear(&sound, samples, BOARD_SAMPLES);
        assert_in_range(sound.level[band], 1, 1 << 24);
    }
    assert_int_equal(sound.wave[0][BOARD_WAVE - 1], samples[2 * BOARD_SAMPLES - 2]);
}

static void test_short_steps_keep_the_wave(void **state)
{
    (void)state;
    static struct board_hearing sound;
    int16_t samples[2 * 300];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 300; i++) {
            samples[2 * i] = (int16_t)(round * 300 + i);
            samples[2 * i + 1] = (int16_t)-samples[2 * i];
        }
        board_hear(&sound, samples, 300);
    }
    for (int i = 0; i < BOARD_WAVE; i++) {
        assert_int_equal(sound.wave[0][i], 900 - BOARD_WAVE + i);
        assert_int_equal(sound.wave[1][i], -sound.wave[0][i]);
    }
}

static void test_blending(void **state)
{
    (void)state;
    const struct board_ink half = {31, 63, 31, 32, false};
    struct board_ink ink = {10, 20, 30, 64, false};
    assert_int_equal(board_blend(ink, 0xffff), 10 << 11 | 20 << 5 | 30);
    assert_int_equal(board_blend(half, 0), 15 << 11 | 31 << 5 | 15);
    assert_int_equal(board_blend(half, 0xffff), 30 << 11 | 62 << 5 | 30);
    ink.additive = true;
    assert_int_equal(board_blend(ink, 1 << 11 | 2 << 5 | 3), 11 << 11 | 22 << 5 | 31);
    ink.alpha = 0;
    assert_int_equal(board_blend(ink, 0x1234), 0x1234);
    ink = board_ink_of(2 * BOARD_ONE, -5, BOARD_ONE / 2, 100);
    assert_int_equal(ink.red, 31);
    assert_int_equal(ink.green, 0);
    assert_int_equal(ink.blue, 15);
    assert_int_equal(ink.alpha, 64);
}

/* Filled and drawn pixels are blended ones, for all alphas and all values of each component. */
static void test_brushes(void **state)
{
    (void)state;
    struct canvas *canvas = clean();
    for (unsigned i = 0; i < 2 * 65 * 4; i++) {
        const struct board_ink ink = {.red = (uint8_t)(i * 7 % 32),
                                      .green = (uint8_t)(i * 5 % 64),
                                      .blue = (uint8_t)(31 - i * 3 % 32),
                                      .alpha = (uint8_t)(i / 2 % 65),
                                      .additive = i % 2 != 0};
        for (unsigned x = 0; x < BOARD_SIDE; x++) {
            const unsigned under = (x * 0x9E37u + i * 0x85EBu) & UINT16_MAX;
            for (unsigned y = 1; y <= 2; y++) {
                uint8_t *at = canvas->texture + 2 * (BOARD_SIDE * y + x);
                at[0] = (uint8_t)(under >> 8);
                at[1] = (uint8_t)under;
            }
        }
        board_fill(canvas->texture, ink, (struct board_point){0, 1},
                   (struct board_point){BOARD_SIDE, 2});
        board_line(canvas->texture, ink, false, (struct board_point){0, 2},
                   (struct board_point){510, 2});
        for (unsigned x = 0; x < 510; x++) {
            const unsigned under = (x * 0x9E37u + i * 0x85EBu) & UINT16_MAX;
            const uint16_t blended = board_blend(ink, (uint16_t)under);
            assert_int_equal(pixel(canvas, (int)x, 1), blended);
            assert_int_equal(pixel(canvas, (int)x, 2), blended);
        }
    }
    finish(canvas);
}

static void draw(struct canvas *canvas, bool thick, int x0, int y0, int x1, int y1)
{
    board_line(canvas->texture, white, thick, (struct board_point){x0, y0},
               (struct board_point){x1, y1});
}

static void test_lines(void **state)
{
    (void)state;
    struct canvas *canvas = clean();
    draw(canvas, false, 10, 10, 20, 10);
    assert_int_equal(pixel(canvas, 10, 10), 0xffff);
    assert_int_equal(pixel(canvas, 19, 10), 0xffff);
    assert_int_equal(pixel(canvas, 20, 10), 0);
    assert_int_equal(count_lit(canvas), 10);
    draw(canvas, true, 100, 50, 90, 90);
    assert_int_equal(count_lit(canvas), 10 + 80);
    draw(canvas, false, 30, 30, 30, 30);
    assert_int_equal(count_lit(canvas), 90);
    finish(canvas);
    canvas = clean();
    draw(canvas, false, 5, 5, 9, 3);
    assert_int_equal(count_lit(canvas), 4);
    assert_int_equal(pixel(canvas, 8, 4) | pixel(canvas, 8, 3), 0xffff);
    finish(canvas);
}

/* Pixel by pixel the same whether the line needs clipping or not. */
static void test_lines_are_clipped(void **state)
{
    (void)state;
    for (int i = 0; i < 64; i++) {
        const struct board_point from = {100 + 13 * (i % 8), 90 + 17 * (i / 8)};
        const struct board_point to = {i * 29 % 400, i * 37 % 300};
        struct canvas *canvas = clean();
        struct canvas *other = clean();
        draw(canvas, i % 2 != 0, from.x, from.y, to.x, to.y);
        draw(other, i % 2 != 0, from.x + 120, from.y, to.x + 120, to.y);
        for (int y = 0; y < BOARD_SIDE; y++) {
            for (int x = 120; x < BOARD_SIDE; x++) {
                assert_int_equal(pixel(canvas, x - 120, y), pixel(other, x, y));
            }
        }
        finish(canvas);
        finish(other);
    }
}

static void test_nothing_is_drawn_outside(void **state)
{
    (void)state;
    struct canvas *canvas = clean();
    draw(canvas, true, -2048, -2048, 2559, 2559);
    assert_int_equal(pixel(canvas, 511, 511), 0xffff);
    assert_in_range(count_lit(canvas), 1000, 1024);
    draw(canvas, true, -2000, 100, -1000, 300);
    draw(canvas, true, 700, 2500, 2500, -2000);
    draw(canvas, true, -1, 511, 512, 511);
    board_fill(canvas->texture, white, (struct board_point){-100, 505},
               (struct board_point){1000, 2000});
    assert_int_equal(pixel(canvas, 0, 505), 0xffff);
    assert_int_equal(pixel(canvas, 0, 504), 0);
    board_fill(canvas->texture, white, (struct board_point){300, 100},
               (struct board_point){200, 200});
    assert_int_equal(pixel(canvas, 250, 150), 0);
    finish(canvas);
}

static void test_products(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (int i = 0; i < 100000; i++) {
        random = random * 1664525u + 1013904223u;
        const int32_t a = (int32_t)(random & 0xFFFFFFFEu) >> (i % 31);
        random = random * 1664525u + 1013904223u;
        const int32_t b = (int32_t)random >> (i / 31 % 31);
        const int64_t product = ((int64_t)a * b) >> 16;
        if (product >= INT32_MIN && product <= INT32_MAX) {
            assert_int_equal(board_times(a, b), (int32_t)product);
        }
    }
}

static void test_wave_ink(void **state)
{
    (void)state;
    struct board_wave wave = {.mode = 6,
                              .alpha = BOARD_ONE / 2,
                              .treb = 2 * BOARD_ONE,
                              .color = {BOARD_ONE / 4, BOARD_ONE / 2, 0}};
    assert_int_equal(board_wave_ink(&wave).alpha, 50);
    assert_int_equal(board_wave_ink(&wave).green, 31);
    wave.brighten = true;
    assert_int_equal(board_wave_ink(&wave).red, 15);
    assert_int_equal(board_wave_ink(&wave).green, 63);
    wave.mode = 2;
    assert_int_equal(board_wave_ink(&wave).alpha, 4); /* 9 * 0.5 */
    wave.mode = 3;
    assert_int_equal(board_wave_ink(&wave).alpha, 39); /* 19.5 * 0.5 * 2 * 2 */
    wave.alpha = -1;
    assert_int_equal(board_wave_ink(&wave).alpha, 0);
    wave.alpha = INT32_MAX;
    wave.treb = 1 << 24;
    assert_int_equal(board_wave_ink(&wave).alpha, 64);
}

static void test_wave_points(void **state)
{
    (void)state;
    static struct board_hearing sound;
    struct board_point points[BOARD_WAVE_POINTS];
    struct board_wave wave = {
        .mode = 2, .scale = BOARD_ONE, .x = BOARD_ONE / 2, .y = BOARD_ONE / 4};
    for (int i = 0; i < BOARD_WAVE; i++) {
        sound.wave[0][i] = 8192;
        sound.wave[1][i] = 16384;
    }
    assert_int_equal(board_wave_points(&wave, &sound, 0, points), 480);
    assert_int_equal(points[7].x, 256 + 128);
    assert_int_equal(points[7].y, 384 - 64);
    wave.mode = 6; /* up and down is wave_x here */
    wave.x = BOARD_ONE / 4;
    assert_int_equal(board_wave_points(&wave, &sound, 0, points), 170);
    assert_true(points[0].x < 0 && points[169].x >= 511);
    assert_int_equal(points[0].y, 384 - 16);
    wave.mystery = BOARD_ONE; /* a quarter of a turn */
    assert_int_equal(board_wave_points(&wave, &sound, 0, points), 170);
    assert_in_range(points[0].x - points[100].x + 1, 0, 2);
    assert_true(points[0].y > 500 && points[169].y < 10);
    wave.mode = 7; /* two lines, apart by the square of wave_y each way */
    wave.mystery = 0;
    wave.x = BOARD_ONE / 2;
    wave.y = BOARD_ONE / 2;
    assert_int_equal(board_wave_points(&wave, &sound, 0, points), 2 * 170);
    assert_int_equal(points[7].y, 256 - 16 - 64);
    assert_int_equal(points[170 + 7].y, 256 - 32 + 64);
    wave.mode = 0; /* radius 0.5 + 0.4 * 0.5 of half the height */
    assert_int_equal(board_wave_points(&wave, &sound, 0, points), 241);
    assert_in_range(points[0].x - 256, 133, 134);
    assert_in_range(points[60].y, 76, 78);
    assert_int_equal(points[240].x, points[0].x);
    assert_int_equal(points[240].y, points[0].y);
    wave.mystery = 2 * BOARD_ONE; /* is 0 */
    assert_int_equal(board_wave_points(&wave, &sound, 0, points), 241);
    assert_in_range(points[0].x - 256, 133, 134);
    wave.mystery = 0;
    wave.mode = 1; /* radius 0.53 + 0.43 * 0.5, at 1.57 * 0.25 */
    assert_int_equal(board_wave_points(&wave, &sound, 0, points), 240);
    assert_in_range(points[9].x - 256, 131, 134);
    assert_in_range(256 - points[9].y, 71, 74);
    wave.mode = -1;
    assert_int_equal(board_wave_points(&wave, &sound, 0, points), 0);
}

static void test_wave_modes(void **state)
{
    (void)state;
    for (int32_t number = -9; number < 17; number++) {
        assert_int_equal(board_wave_mode(number, false), (number + 16) % 8);
        assert_int_equal(board_wave_mode(number, true), number >= 2 && number <= 6 ? number : -1);
    }
}

/* The two lines of mode 7 are not joined. */
static void test_double_line(void **state)
{
    (void)state;
    static struct board_hearing sound;
    const struct board_wave wave = {.mode = 7,
                                    .x = BOARD_ONE / 2,
                                    .y = BOARD_ONE / 2,
                                    .alpha = BOARD_ONE,
                                    .color = {BOARD_ONE, BOARD_ONE, BOARD_ONE}};
    struct canvas *canvas = clean();
    board_wave_draw(canvas->texture, &wave, &sound, 0);
    assert_int_equal(pixel(canvas, 256, 256 - 64), 0xffff);
    assert_int_equal(pixel(canvas, 256, 256 + 64), 0xffff);
    for (int x = 0; x < SIDE; x++) {
        assert_int_equal(pixel(canvas, x, 256), 0);
    }
    finish(canvas);
}

/* Whatever equations say, no point is further away than lines may be. */
static void test_wild_waves(void **state)
{
    (void)state;
    static struct board_hearing sound;
    struct board_point points[BOARD_WAVE_POINTS];
    static const int32_t wild[] = {INT32_MIN + 1, -70000, -1, 0, 1, 65536, 300000, INT32_MAX};
    enum { WILD = sizeof wild / sizeof *wild };
    for (int i = 0; i < BOARD_WAVE; i++) {
        sound.wave[0][i] = i % 2 == 0 ? INT16_MIN : INT16_MAX;
        sound.wave[1][i] = i % 3 == 0 ? INT16_MIN : INT16_MAX;
    }
    struct canvas *canvas = clean();
    for (unsigned i = 0; i < 8u * WILD * WILD * WILD; i++) {
        const struct board_wave wave = {.mode = (int32_t)(i % 8),
                                        .scale = wild[i / 8 % WILD],
                                        .mystery = wild[i / 8 / WILD % WILD],
                                        .x = wild[i / 8 / WILD / WILD],
                                        .y = wild[(i * 5) % WILD]};
        const uint32_t count = board_wave_points(&wave, &sound, i * 77, points);
        for (uint32_t k = 0; k < count; k++) {
            assert_in_range(points[k].x + 2048, 0, 4608);
            assert_in_range(points[k].y + 2048, 0, 4608);
        }
    }
    finish(canvas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_filters_as_the_desktop),
        cmocka_unit_test(test_levels_do_not_depend_on_the_rate),
        cmocka_unit_test(test_levels_against_what_is_usual),
        cmocka_unit_test(test_loudest_sound),
        cmocka_unit_test(test_short_steps_keep_the_wave),
        cmocka_unit_test(test_blending),
        cmocka_unit_test(test_brushes),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_lines_are_clipped),
        cmocka_unit_test(test_nothing_is_drawn_outside),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_wave_ink),
        cmocka_unit_test(test_wave_points),
        cmocka_unit_test(test_wave_modes),
        cmocka_unit_test(test_double_line),
        cmocka_unit_test(test_wild_waves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
