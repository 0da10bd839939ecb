/* The inside of custom shapes: which pixels, which colours and texels, and the same at every level.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "../turns.h"
#include "test_renderer_polygons.h"

enum { WIDTH = 150, HEIGHT = 90, STRIDE = WIDTH + 7, GUARD = 64 };
enum { WORDS = STRIDE * HEIGHT + 2 * GUARD };

struct picture {
    uint32_t words[WORDS];
    struct rend_canvas canvas;
};

static void clear(struct picture *picture, enum base_cpu_level cpu)
{
    memset(picture->words, 0, sizeof picture->words);
    picture->canvas = (struct rend_canvas){.pixels = picture->words + GUARD,
                                           .stride = STRIDE,
                                           .width = WIDTH,
                                           .height = HEIGHT,
                                           .bottom = HEIGHT,
                                           .cpu = cpu};
}

static uint32_t pixel(const struct picture *picture, int x, int y)
{
    return picture->words[GUARD + y * STRIDE + x];
}

static void assert_margin_whole(const struct picture *picture)
{
    for (int i = 0; i < GUARD; i++) {
        assert_int_equal(picture->words[i], 0);
        assert_int_equal(picture->words[WORDS - 1 - i], 0);
    }
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = WIDTH; x < STRIDE; x++) {
            assert_int_equal(pixel(picture, x, y), 0);
        }
    }
}

static size_t random_below(struct base_rng *rng, size_t limit)
{
    return base_rng_next(rng) % limit;
}

static int random_sides(struct base_rng *rng)
{
    return 3 + (int)random_below(rng, random_below(rng, 3) == 0 ? 98 : 8);
}

/* How far pixel i of the picture lies from the centre, 1 being the rim. */
static double far_from_centre(const struct rend_polygon *polygon, int i)
{
    const double x = i % WIDTH + 0.5 - (double)polygon->centre.x;
    const double y = i / WIDTH + 0.5 - (double)polygon->centre.y;
    double far = 0;
    for (int k = 0; k < polygon->sides; k++) {
        const int next = (k + 1) % polygon->sides;
        const double x1 = polygon->reach_x * polygon->cosine[k];
        const double y1 = polygon->reach_y * polygon->sine[k];
        const double x2 = polygon->reach_x * polygon->cosine[next];
        const double y2 = polygon->reach_y * polygon->sine[next];
        const double side = (x * (y2 - y1) - y * (x2 - x1)) / (x1 * y2 - y1 * x2);
        far = fmax(far, side);
    }
    return far;
}

/* Polygons of every size, some turned over, across the picture and around it. */
static void random_polygon(struct base_rng *rng, struct made_polygon *made)
{
    const struct rend_point centre = {(float)random_between(rng, -30, WIDTH + 30),
                                      (float)random_between(rng, -30, HEIGHT + 30)};
    const double radius = random_between(rng, 0.5, random_below(rng, 4) == 0 ? 400 : 50);
    const double turned = random_below(rng, 4) == 0 ? -1 : 1;
    make_polygon(made, random_sides(rng), centre, radius * random_between(rng, 0.5, 1),
                 turned * radius, random_between(rng, -7, 7));
}

/* The pixels whose centres lie inside, once each: the sum of additive 1s is 1. */
static void test_inside_once(void **state)
{
    (void)state;
    static struct picture picture;
    struct made_polygon made;
    struct base_rng rng;
    base_rng_seed(&rng, 5, 0);
    for (int round = 0; round < TURNS(400); round++) {
        random_polygon(&rng, &made);
        made.polygon.inner = made.polygon.outer = (struct rend_colour){1, 1, 1, 255};
        made.polygon.outer.r = (uint8_t)(1 + round % 2);
        made.polygon.blend = REND_BLEND_ADDITIVE;
        clear(&picture, base_cpu_best());
        rend_draw_polygon(&picture.canvas, &made.polygon, NULL);
        const double margin = 1e-3 / fabs(made.polygon.reach_x);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            const double far = far_from_centre(&made.polygon, i);
            const uint32_t green = pixel(&picture, i % WIDTH, i / WIDTH) >> 8 & 255;
            assert_true(green <= 1);
            assert_true(far < 1 + margin || green == 0);
            assert_true(far > 1 - margin || green == 1);
        }
        assert_margin_whole(&picture);
    }
}

/* Colours go evenly from the centre to the rim. */
static void test_colours(void **state)
{
    (void)state;
    static struct picture picture;
    struct made_polygon made;
    struct base_rng rng;
    base_rng_seed(&rng, 6, 0);
    for (int round = 0; round < TURNS(400); round++) {
        random_polygon(&rng, &made);
        made.polygon.inner = random_opaque(&rng);
        made.polygon.outer = random_opaque(&rng);
        clear(&picture, base_cpu_best());
        rend_draw_polygon(&picture.canvas, &made.polygon, NULL);
        const double first = made.polygon.inner.g;
        const double more = made.polygon.outer.g - first;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            const uint32_t drawn = pixel(&picture, i % WIDTH, i / WIDTH);
            const double far = far_from_centre(&made.polygon, i);
            if (drawn != 0) {
                assert_true(fabs((drawn >> 8 & 255) - (first + more * fmin(far, 1))) < 0.58);
            }
        }
    }
}

/* With numbers of every kind: the same at every level, and nothing outside of the canvas. */
static void random_manner(struct base_rng *rng, struct rend_polygon *polygon,
                          const struct tmu_surface *texture)
{
    static const double odd[] = {0, 1, -3.25, 1e6, -1e30, 1e300, NAN, INFINITY};
    polygon->inner = random_opaque(rng);
    polygon->outer = random_below(rng, 3) == 0 ? polygon->inner : random_opaque(rng);
    if (random_below(rng, 2) == 0) {
        polygon->inner.a = (uint8_t)random_below(rng, 256);
        polygon->outer.a = (uint8_t)random_below(rng, 256);
    }
    polygon->blend = random_below(rng, 3) == 0 ? REND_BLEND_ADDITIVE : REND_BLEND_ALPHA;
    polygon->texture = random_below(rng, 2) == 0 ? texture : NULL;
    for (int i = 0; i < 3 && random_below(rng, 4) == 0; i++) {
        double *const places[] = {&polygon->u.at, &polygon->u.per_cosine, &polygon->v.per_sine};
        *places[i] = odd[random_below(rng, sizeof odd / sizeof *odd)];
    }
}

static void random_odd_polygon(struct base_rng *rng, struct made_polygon *made)
{
    static const double reaches[] = {0, 1e-9, 1e-3, 0.3, 4, 1e5, 1e9, 1e30};
    const size_t kind = random_below(rng, 8);
    random_polygon(rng, made);
    struct rend_point centre = made->polygon.centre;
    double x = made->polygon.reach_x;
    double y = made->polygon.reach_y;
    if (kind < 3) {
        centre.x = floorf(centre.x) + 0.5f;
        centre.y = nextafterf(floorf(centre.y) + 0.5f, kind == 0 ? 1e9f : -1e9f);
    } else if (kind == 3) {
        x = reaches[random_below(rng, 8)];
        y = reaches[random_below(rng, 8)];
    } else if (kind == 4) {
        centre.x *= 1e7f;
        x = fabs((double)centre.x);
    }
    make_polygon(made, made->polygon.sides, centre, x, y, random_between(rng, -9, 9));
}

static void test_levels_equal(void **state)
{
    (void)state;
    static struct picture expected;
    static struct picture got;
    struct made_polygon made;
    struct base_rng rng;
    base_rng_seed(&rng, 72, 0);
    struct tmu_surface texture = random_texture(&rng);
    assert_non_null(texture.pixels);
    for (int round = 0; round < TURNS(5000); round++) {
        random_odd_polygon(&rng, &made);
        random_manner(&rng, &made.polygon, &texture);
        clear(&expected, BASE_CPU_PLAIN);
        memset(expected.canvas.pixels, round, STRIDE * HEIGHT * sizeof *expected.words);
        got = expected;
        rend_draw_polygon(&expected.canvas, &made.polygon, NULL);
        for (int level = BASE_CPU_FOUR; level <= (int)base_cpu_best(); level++) {
            memset(got.words + GUARD, round, STRIDE * HEIGHT * sizeof *got.words);
            got.canvas = expected.canvas;
            got.canvas.pixels = got.words + GUARD;
            got.canvas.cpu = (enum base_cpu_level)level;
            rend_draw_polygon(&got.canvas, &made.polygon, NULL);
            assert_memory_equal(expected.words, got.words, sizeof got.words);
        }
    }
    tmu_surface_free(&texture);
}

/* Opaque white shows the texture: an upright square of its size shows it pixel by pixel. */
static void test_texture_shown(void **state)
{
    (void)state;
    enum { SIDE = 32, LEFT = 4, TOP = 8 };
    static struct picture picture;
    struct made_polygon made;
    struct tmu_surface texture = tmu_surface_create(SIDE, SIDE);
    assert_non_null(texture.pixels);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        texture.pixels[i / SIDE * texture.stride + i % SIDE] = 0x010203 + i * 0x101;
    }
    tmu_surface_guard(&texture);
    const double reach = SIDE / 2 * sqrt(2);
    const struct rend_point centre = {LEFT + SIDE / 2, TOP + SIDE / 2};
    make_polygon(&made, 4, centre, reach, reach, BASE_PI / 4);
    made.polygon.inner = made.polygon.outer = (struct rend_colour){255, 255, 255, 255};
    made.polygon.texture = &texture;
    made.polygon.u.per_cosine = made.polygon.v.per_sine = sqrt(0.5);
    for (int level = BASE_CPU_PLAIN; level <= (int)base_cpu_best(); level++) {
        clear(&picture, (enum base_cpu_level)level);
        rend_draw_polygon(&picture.canvas, &made.polygon, NULL);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            const int x = i % WIDTH - LEFT;
            const int y = i / WIDTH - TOP;
            const bool inside = x >= 0 && x < SIDE && y >= 0 && y < SIDE;
            const size_t at = inside ? (size_t)y * texture.stride + (size_t)x : 0;
            assert_int_equal(pixel(&picture, i % WIDTH, i / WIDTH),
                             inside ? texture.pixels[at] : 0);
        }
    }
    tmu_surface_free(&texture);
}

/* A texture that is turned is read where its place says, however far around. */
static void test_texture_places(void **state)
{
    (void)state;
    enum { SIDE = 16, STEP = 15 };
    static struct picture picture;
    struct made_polygon made;
    struct base_rng rng;
    struct tmu_surface texture = tmu_surface_create(SIDE, SIDE);
    assert_non_null(texture.pixels);
    base_rng_seed(&rng, 8, 0);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        texture.pixels[i / SIDE * texture.stride + i % SIDE] =
            i % SIDE * STEP << 16 | i / SIDE * STEP;
    }
    tmu_surface_guard(&texture);
    for (int round = 0; round < 200; round++) {
        const struct rend_texture_place u = {
            random_between(&rng, -9, 9), random_between(&rng, -2, 2), random_between(&rng, -2, 2)};
        const double reach = random_between(&rng, 20, 80);
        make_polygon(&made, 5, (struct rend_point){70, 40}, reach, -reach, round);
        made.polygon.inner = made.polygon.outer = (struct rend_colour){255, 255, 255, 255};
        made.polygon.texture = &texture;
        made.polygon.u = u;
        clear(&picture, base_cpu_best());
        rend_draw_polygon(&picture.canvas, &made.polygon, NULL);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            const double x = (i % WIDTH + 0.5 - 70) / reach;
            const double y = (i / WIDTH + 0.5 - 40) / -reach;
            const double turns = u.at + u.per_cosine * x + u.per_sine * y;
            const double column = (turns - floor(turns)) * SIDE - 0.5;
            if (pixel(&picture, i % WIDTH, i / WIDTH) != 0 && column > 0 && column < SIDE - 1) {
                const double red = pixel(&picture, i % WIDTH, i / WIDTH) >> 16;
                assert_true(fabs(red - column * STEP) < 1);
            }
        }
    }
    tmu_surface_free(&texture);
}

static void test_nothing_from_bad_places(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    static struct picture picture;
    struct made_polygon made;
    clear(&picture, base_cpu_best());
    for (size_t i = 0; i < 3; i++) {
        make_polygon(&made, 5, (struct rend_point){bad[i], 20}, 9, 9, 0);
        rend_draw_polygon(&picture.canvas, &made.polygon, NULL);
        make_polygon(&made, 5, (struct rend_point){20, 20}, (double)bad[i], 9, 0);
        rend_draw_polygon(&picture.canvas, &made.polygon, NULL);
        make_polygon(&made, 5, (struct rend_point){20, 20}, 9, 9, 0);
        made.polygon.inner = made.polygon.outer = (struct rend_colour){255, 255, 255, 0};
        rend_draw_polygon(&picture.canvas, &made.polygon, NULL);
        made.polygon.inner.a = 255;
        made.rim[3].x = bad[i];
        rend_draw_polygon(&picture.canvas, &made.polygon, NULL);
    }
    for (size_t i = 0; i < WORDS; i++) {
        assert_int_equal(picture.words[i], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inside_once),    cmocka_unit_test(test_colours),
        cmocka_unit_test(test_levels_equal),   cmocka_unit_test(test_texture_shown),
        cmocka_unit_test(test_texture_places), cmocka_unit_test(test_nothing_from_bad_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
