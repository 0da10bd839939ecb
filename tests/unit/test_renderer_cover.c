/* Opaque shapes drawn from the front to the back are, bit for bit, what they are from the back to
 * the front. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "base/rng.h"
#include "renderer/shape_outline.h"
#include "tmu/tmu.h"

enum { WIDTH = 400, HEIGHT = 150, STRIDE = WIDTH + 8, FANS = 12 };

struct picture {
    uint32_t words[STRIDE * HEIGHT];
    struct rend_canvas canvas;
};

struct fan {
    struct rend_corner centre;
    struct rend_corner rim[REND_FAN_SIDES + 1];
    int sides;
    const struct tmu_surface *texture;
};

static void clear(struct picture *picture, enum base_cpu_level cpu)
{
    memset(picture->words, 0, sizeof picture->words);
    picture->canvas = (struct rend_canvas){.pixels = picture->words,
                                           .stride = STRIDE,
                                           .width = WIDTH,
                                           .height = HEIGHT,
                                           .bottom = HEIGHT,
                                           .cpu = cpu};
}

static double random_between(struct base_rng *rng, double low, double high)
{
    return low + (high - low) * (base_rng_next(rng) / 4294967296.0);
}

static struct rend_colour random_colour(struct base_rng *rng)
{
    const uint32_t word = base_rng_next(rng);
    return (struct rend_colour){(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), 255};
}

/* On pixel centres and corners as often as not, where sides meet rows exactly. */
static double snapped(struct base_rng *rng, double place)
{
    return base_rng_next(rng) % 2 == 0 ? place : floor(place * 2) / 2;
}

static int random_sides(struct base_rng *rng)
{
    const uint32_t most = base_rng_next(rng) % 4 == 0 ? 98 : 4;
    return 3 + (int)(base_rng_next(rng) % most);
}

static void make_fan(struct fan *fan, struct base_rng *rng, int sides, double x, double y,
                     double radius, const struct tmu_surface *texture)
{
    const double angle = base_rng_next(rng) % 3 == 0 ? 0 : random_between(rng, 0, 7);
    fan->sides = sides;
    fan->texture = base_rng_next(rng) % 3 == 0 ? texture : NULL;
    fan->centre =
        (struct rend_corner){{(float)x, (float)y}, random_colour(rng), .u = 0.5f, .v = 0.5f};
    const struct rend_colour colour =
        base_rng_next(rng) % 3 == 0 ? fan->centre.colour : random_colour(rng);
    for (int j = 0; j <= fan->sides; j++) {
        const double theta = 2 * BASE_PI * (j % fan->sides) / fan->sides + BASE_PI / 4 + angle;
        fan->rim[j] = (struct rend_corner){
            {(float)(x + radius * cos(theta)), (float)(y + radius * sin(theta))},
            colour,
            (float)(0.5 + cos(theta)),
            (float)(0.5 + sin(theta))};
    }
}

static void draw(struct picture *picture, const struct fan *fan)
{
    rend_draw_fan(&picture->canvas, &fan->centre, fan->rim, fan->sides, REND_BLEND_ALPHA,
                  fan->texture);
}

static uint64_t cover_words[HEIGHT * (WIDTH / 64 + 2)];

static struct rend_cover empty_cover(void)
{
    const struct rend_cover cover = {cover_words, rend_cover_pitch(WIDTH)};
    memset(cover_words, 0xA5, sizeof cover_words);
    rend_cover_clear(&cover, 0, HEIGHT);
    return cover;
}

static void draw_from_front(struct picture *picture, const struct fan *fans, size_t count)
{
    struct rend_cover cover = empty_cover();
    for (size_t i = count; i > 0; i--) {
        rend_draw_fan_behind(&picture->canvas, &cover, &fans[i - 1].centre, fans[i - 1].rim,
                             fans[i - 1].sides, fans[i - 1].texture);
    }
}

static struct tmu_surface random_texture(struct base_rng *rng)
{
    struct tmu_surface texture = tmu_surface_create(37, 29);
    assert_non_null(texture.pixels);
    for (size_t i = 0; i < texture.stride * 29; i++) {
        texture.pixels[i] = base_rng_next(rng) & 0xFFFFFF;
    }
    tmu_surface_guard(&texture);
    return texture;
}

/* Around one place, along a path and all over; of every size, some beyond the picture. */
static void test_covering_is_in_order(void **state)
{
    (void)state;
    static struct picture expected;
    static struct picture got;
    static struct fan fans[FANS];
    struct base_rng rng;
    base_rng_seed(&rng, 90, 0);
    struct tmu_surface texture = random_texture(&rng);
    for (int round = 0; round < 1500; round++) {
        double x = snapped(&rng, random_between(&rng, -20, WIDTH + 20));
        double y = snapped(&rng, random_between(&rng, -20, HEIGHT + 20));
        const double largest = round % 7 == 0 ? 600 : round % 5 == 0 ? 3 : 80;
        double radius = snapped(&rng, random_between(&rng, 0, largest));
        for (int i = 0; i < FANS; i++) {
            make_fan(&fans[i], &rng, random_sides(&rng), x, y, round % 4 == 1 ? -radius : radius,
                     &texture);
            if (round % 3 == 0) {
                radius *= 0.9;
            } else if (round % 3 == 1) {
                x += snapped(&rng, random_between(&rng, -radius, radius) / 2);
                y += snapped(&rng, random_between(&rng, -radius, radius) / 2);
            } else {
                x = snapped(&rng, random_between(&rng, 0, WIDTH));
                y = snapped(&rng, random_between(&rng, 0, HEIGHT));
            }
        }
        clear(&expected, base_cpu_best());
        clear(&got, (enum base_cpu_level)(round % ((int)base_cpu_best() + 1)));
        for (int i = 0; i < FANS; i++) {
            draw(&expected, &fans[i]);
        }
        draw_from_front(&got, fans, FANS);
        assert_memory_equal(expected.words, got.words, sizeof got.words);
    }
    tmu_surface_free(&texture);
}

/* Bits against one flag per pixel. */
static void test_bits(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 94, 0);
    for (int round = 0; round < 300; round++) {
        const struct rend_cover cover = empty_cover();
        bool flags[WIDTH] = {false};
        for (int i = 0; i < 12; i++) {
            const int first = (int)(base_rng_next(&rng) % (WIDTH + 1));
            const int length = (int)(base_rng_next(&rng) % (i % 2 == 0 ? 70 : WIDTH));
            const struct rend_run run = {first, first + length < WIDTH ? first + length : WIDTH};
            struct rend_run rest = run;
            bool all = true;
            for (int x = run.first; x < run.end; x++) {
                all = all && flags[x];
                if (x >= rest.first && !flags[x]) {
                    const struct rend_run seen = rend_cover_seen(&cover, 5, rest);
                    assert_int_equal(seen.first, x);
                    rest.first = x;
                    while (rest.first < run.end && !flags[rest.first]) {
                        rest.first++;
                    }
                    assert_int_equal(seen.end, rest.first);
                }
            }
            assert_int_equal(rend_cover_hides(&cover, 5, run), all);
            const struct rend_run none = rend_cover_seen(&cover, 5, (struct rend_run){run.end, 0});
            assert_true(none.end <= none.first);
            rend_cover_add(&cover, 5, run);
            for (int x = run.first; x < run.end; x++) {
                flags[x] = true;
            }
            assert_true(rend_cover_hides(&cover, 5, run));
        }
        assert_false(rend_cover_hides(&cover, 4, (struct rend_run){0, WIDTH}));
        assert_false(rend_cover_hides(&cover, 6, (struct rend_run){0, WIDTH}));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_covering_is_in_order),
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
