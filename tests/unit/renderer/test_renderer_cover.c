/* Opaque shapes drawn from the front to the back are, bit for bit, what they are from the back to
 * the front. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "../turns.h"
#include "test_renderer_polygons.h"

enum { WIDTH = 1100, HEIGHT = 90, STRIDE = WIDTH + 8, POLYGONS = 12 };

struct picture {
    uint32_t words[STRIDE * HEIGHT];
    struct rend_canvas canvas;
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

static void make_random(struct made_polygon *made, struct base_rng *rng, double x, double y,
                        double radius, const struct tmu_surface *texture)
{
    const double angle = base_rng_next(rng) % 3 == 0 ? 0 : random_between(rng, 0, 7);
    const double stretched = base_rng_next(rng) % 2 == 0 ? 0.75 : 1;
    make_polygon(made, random_sides(rng), (struct rend_point){(float)x, (float)y},
                 stretched * radius, radius, angle);
    made->polygon.texture = base_rng_next(rng) % 3 == 0 ? texture : NULL;
    made->polygon.inner = random_opaque(rng);
    made->polygon.outer = base_rng_next(rng) % 3 == 0 ? made->polygon.inner : random_opaque(rng);
}

static uint64_t cover_words[HEIGHT * ((WIDTH + 63) / 64)];

static struct rend_cover empty_cover(void)
{
    const struct rend_cover cover = {cover_words, rend_cover_pitch(WIDTH)};
    memset(cover_words, 0xA5, sizeof cover_words);
    rend_cover_clear(&cover, 0, HEIGHT);
    return cover;
}

static void draw_from_front(struct picture *picture, const struct made_polygon *made, size_t count)
{
    const struct rend_cover cover = empty_cover();
    for (size_t i = count; i > 0; i--) {
        rend_draw_polygon(&picture->canvas, &made[i - 1].polygon, &cover);
    }
}

/* Around one place, along a path and all over; of every size, some beyond the picture. */
static void test_covering_is_in_order(void **state)
{
    (void)state;
    static struct picture expected;
    static struct picture got;
    static struct made_polygon made[POLYGONS];
    struct base_rng rng;
    base_rng_seed(&rng, 90, 0);
    struct tmu_surface texture = random_texture(&rng);
    assert_non_null(texture.pixels);
    for (int round = 0; round < TURNS(1500); round++) {
        double x = snapped(&rng, random_between(&rng, -20, WIDTH + 20));
        double y = snapped(&rng, random_between(&rng, -20, HEIGHT + 20));
        const double largest = round % 7 == 0 ? 1200 : round % 5 == 0 ? 3 : 80;
        double radius = snapped(&rng, random_between(&rng, 0, largest));
        for (int i = 0; i < POLYGONS; i++) {
            make_random(&made[i], &rng, x, y, round % 4 == 1 ? -radius : radius, &texture);
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
        for (int i = 0; i < POLYGONS; i++) {
            rend_draw_polygon(&expected.canvas, &made[i].polygon, NULL);
        }
        draw_from_front(&got, made, POLYGONS);
        assert_memory_equal(expected.words, got.words, sizeof got.words);
    }
    tmu_surface_free(&texture);
}

static bool hides(const struct rend_cover *cover, int y, struct rend_run run)
{
    const struct rend_run seen = rend_cover_seen(cover, y, run);
    return seen.end <= seen.first;
}

/* Bits against one flag per pixel. */
static void test_bits(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 94, 0);
    for (int round = 0; round < TURNS(300); round++) {
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
            assert_int_equal(hides(&cover, 5, run), all);
            const struct rend_run none = rend_cover_seen(&cover, 5, (struct rend_run){run.end, 0});
            assert_true(none.end <= none.first);
            rend_cover_add(&cover, 5, run);
            for (int x = run.first; x < run.end; x++) {
                flags[x] = true;
            }
            assert_true(hides(&cover, 5, run));
        }
        assert_false(hides(&cover, 4, (struct rend_run){0, WIDTH}));
        assert_false(hides(&cover, 6, (struct rend_run){0, WIDTH}));
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
