/* Presets whose shaders read blurred pictures on a device beside the processor: all levels and
 * settings, odd sizes, a state saved in between, and a device that is lost before any of its runs.
 */
#include "room.h"

enum { BLURRED = 3 };

static const char grain[] = "ret = tex2D(sampler_main, uv).xyz * 0.9 + "
                            "tex2D(sampler_noise_lq, uv * 3 + time).xyz * 0.3;";
static const char swirl[] = "ret = tex2D(sampler_main, uv + 0.01 * GetBlur2(uv).xy).xyz * 0.8 + "
                            "tex2D(sampler_noise_lq, uv * 3 + time).xyz * 0.4;";
static const char all[] = "ret = GetBlur1(uv) * float3(1, 0.5, 0.2) + GetBlur2(1 - uv) * 0.3 + "
                          "GetBlur3(uv.yx) * 0.4;";

static void test_levels(void **state)
{
    struct room *room = *state;
    static const char *const comps[BLURRED] = {"ret = GetBlur1(uv);", "ret = GetBlur2(uv);",
                                               "ret = GetBlur3(uv);"};
    static const char *const numbers[] = {
        "b1ed=0", "b1ed=0.7", "b1n=0.2\nb1x=0.7\nb2n=0.3\nb2x=0.6\nb3n=0.1\nb3x=0.9\nb1ed=0.25",
        "b1n=-3\nb1x=5\nb2n=0.5\nb2x=0.5\nb1ed=-2"};
    if (room->gpu == NULL) {
        skip();
    }
    for (size_t i = 0; i < BLURRED; i++) {
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            struct rend_patch *patch = patch_of(numbers[k], grain, comps[i]);
            compare(room, patch, 150, 90, false);
            rend_patch_free(patch);
        }
    }
}

static void test_sizes(void **state)
{
    static const int sizes[][2] = {{16, 16}, {33, 17}, {64, 48}, {301, 173}, {640, 360}};
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    struct rend_patch *patch = patch_of("b1ed=0.25", swirl, all);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        compare(room, patch, sizes[i][0], sizes[i][1], false);
    }
    rend_patch_free(patch);
}

/* Motion vectors are drawn on the picture that is blurred. */
static void test_vectors(void **state)
{
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    struct rend_patch *patch = patch_of("mv_a=1\nmv_x=20\nmv_y=15\nmv_l=2", swirl, all);
    compare(room, patch, 200, 120, false);
    rend_patch_free(patch);
}

static void test_saved_state(void **state)
{
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    struct rend_patch *patch = patch_of("b1ed=0.25", swirl, all);
    compare(room, patch, 200, 120, true);
    rend_patch_free(patch);
}

static void test_lost_at_any_run(void **state)
{
    enum { RUNS = 6 * FRAMES }; /* warp, blur, overlay, composite begun, canvas, composite ended */
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    struct rend_patch *patch = patch_of("b1ed=0.25", swirl, all);
    for (int runs = 0; runs < RUNS; runs += stride()) {
        room->runs = runs;
        compare(room, patch, 72, 48, false);
        assert_true(room->runs < 0);
    }
    room->runs = RUNS;
    compare(room, patch, 72, 48, false);
    assert_int_equal(room->runs, 0);
    room->runs = -1;
    rend_patch_free(patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),          cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_vectors),         cmocka_unit_test(test_saved_state),
        cmocka_unit_test(test_lost_at_any_run),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
