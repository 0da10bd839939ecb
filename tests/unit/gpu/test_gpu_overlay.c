/* Canvases that a device makes beside the processor's: shapes, waves, the dark centre and borders
 * of all kinds, sizes and numbers, textured ones, on what shaders or the mesh have warped, and
 * shown with a shader or without; a state saved in between, lists that are too long, meshes that
 * reach too far, and a device that is lost before any of its runs. */
#include "room.h"

static const char grain[] = "ret = tex2D(sampler_main, uv).xyz * 0.9 + "
                            "tex2D(sampler_noise_lq, uv * 3 + time).xyz * 0.3;";
static const char swirl[] = "ret = tex2D(sampler_main, uv + 0.01 * GetBlur1(uv).xy).xyz * 0.9 + "
                            "tex2D(sampler_noise_lq, uv * 3 + time).xyz * 0.1;";
/* What is read at one place for all pixels is still read on the device. */
static const char plain[] = "ret = tex2D(sampler_main, uv).xyz + 0.2 * GetBlur2(uv) - "
                            "0.1 * tex2D(sampler_main, float2(0.4, 0.3)).xyz + "
                            "0.1 * GetBlur1(float2(0.6, 0.2));";

/* A number of 0..1 that a count of uses names. */
static double chance(unsigned *uses)
{
    const uint32_t mixed = (++*uses * 2654435761u) ^ 0x9E3779B9u;
    return (mixed * 2246822519u >> 8) / 16777216.0;
}

static bool maybe(unsigned *uses)
{
    return chance(uses) < 0.5;
}

struct writer {
    char *text;
    size_t length;
};

#define WRITE(writer, ...)                                                                         \
    ((writer)->length +=                                                                           \
     (size_t)snprintf((writer)->text + (writer)->length, TEXT - (writer)->length, __VA_ARGS__))

static void write_shapes(struct writer *writer, unsigned *uses)
{
    static const int sides[] = {3, 4, 5, 7, 12, 24, 41, 64, 99, 100};
    for (int i = 0; i < 4; i++) {
        const bool opaque = maybe(uses);
        const bool flat = maybe(uses);
        WRITE(writer, "shapecode_%d_enabled=1\nshapecode_%d_sides=%d\nshapecode_%d_num_inst=%d\n",
              i, i, sides[(size_t)(chance(uses) * 10)], i, (int)(chance(uses) * 7));
        WRITE(writer, "shapecode_%d_textured=%d\nshapecode_%d_additive=%d\n", i, maybe(uses), i,
              maybe(uses));
        WRITE(writer, "shapecode_%d_thickOutline=%d\nshapecode_%d_border_a=%f\n", i, maybe(uses), i,
              opaque ? 0.0 : chance(uses));
        WRITE(writer, "shapecode_%d_a=%f\nshapecode_%d_a2=%f\n", i, opaque ? 1.0 : chance(uses), i,
              opaque || flat ? 1.0 : chance(uses));
        WRITE(writer, "shapecode_%d_r2=%f\nshapecode_%d_g=%f\n", i, chance(uses), i, chance(uses));
        WRITE(writer, "shapecode_%d_rad=%f\nshapecode_%d_tex_zoom=%f\n", i,
              maybe(uses) ? 0.02 : chance(uses) * 2.5, i, chance(uses) * 3 + 0.05);
        WRITE(writer,
              "shape_%d_per_frame1=x=%f+0.15*instance; y=%f+0.1*sin(time*9+instance); "
              "ang=time*%f+instance; tex_ang=time; b=0.2*instance;\n",
              i, chance(uses), chance(uses), chance(uses) * 20);
    }
}

static void write_waves(struct writer *writer, unsigned *uses)
{
    for (int i = 0; i < 4; i++) {
        WRITE(writer, "wavecode_%d_enabled=%d\nwavecode_%d_samples=%d\nwavecode_%d_bUseDots=%d\n",
              i, maybe(uses), i, (int)(2 + chance(uses) * 510), i, maybe(uses));
        WRITE(writer, "wavecode_%d_bDrawThick=%d\nwavecode_%d_bAdditive=%d\n", i, maybe(uses), i,
              maybe(uses));
        WRITE(writer, "wavecode_%d_bSpectrum=%d\nwavecode_%d_a=%f\n", i, maybe(uses), i,
              chance(uses));
        WRITE(writer,
              "wave_%d_per_point1=x=%f+%f*sin(sample*%f+time); y=%f+%f*cos(sample*7)+value1; "
              "r=sample; g=%s;\n",
              i, chance(uses), chance(uses), chance(uses) * 40, chance(uses), chance(uses),
              maybe(uses) ? "sin(sample*30)" : "0.5");
    }
    WRITE(writer, "nWaveMode=%d\nfWaveAlpha=%f\nbWaveThick=%d\nbWaveDots=%d\nbAdditiveWaves=%d\n",
          (int)(chance(uses) * 8), 0.3 + chance(uses), maybe(uses), maybe(uses), maybe(uses));
}

static void write_edges(struct writer *writer, unsigned *uses)
{
    WRITE(writer, "bDarkenCenter=%d\nob_size=%f\nob_a=%f\nib_size=%f\nib_a=%f\nib_g=%f\n",
          maybe(uses), chance(uses) * 0.3, chance(uses), maybe(uses) ? 1.5 : chance(uses) * 0.3,
          chance(uses), chance(uses));
}

static void write_ways(struct writer *writer, unsigned *uses)
{
    WRITE(writer, "fDecay=%f\nzoom=%f\nrot=%f\nwarp=%f\nbTexWrap=%d\n", 0.9 + 0.1 * chance(uses),
          0.7 + 0.6 * chance(uses), chance(uses) - 0.5, chance(uses) * 3, maybe(uses));
    WRITE(writer, "fVideoEchoAlpha=%f\nfVideoEchoZoom=%f\nnVideoEchoOrientation=%d\n",
          maybe(uses) ? 0.0 : chance(uses), 0.5 + chance(uses) * 2, (int)(chance(uses) * 4));
    WRITE(writer, "mv_a=%f\nmv_x=%f\nmv_y=%f\nmv_l=%f\n", maybe(uses) ? 0.0 : chance(uses),
          chance(uses) * 64, chance(uses) * 48, chance(uses) * 5);
    WRITE(writer, "fGammaAdj=%f\nfShader=%f\nbBrighten=%d\nbDarken=%d\nbSolarize=%d\nbInvert=%d\n",
          maybe(uses) ? 1.0 : chance(uses) * 4, maybe(uses) ? 0.0 : chance(uses), maybe(uses),
          maybe(uses), maybe(uses), maybe(uses));
}

static struct rend_patch *random_patch(unsigned *uses)
{
    char numbers[TEXT];
    struct writer writer = {numbers, 0};
    write_ways(&writer, uses);
    write_shapes(&writer, uses);
    write_waves(&writer, uses);
    write_edges(&writer, uses);
    assert_true(writer.length < TEXT);
    const char *warp = maybe(uses) ? NULL : maybe(uses) ? grain : swirl;
    return patch_of(numbers, warp, maybe(uses) ? NULL : plain);
}

static void test_random_figures(void **state)
{
    static const int sizes[][2] = {{200, 120}, {64, 8}, {65, 17}, {301, 173}, {640, 360}};
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    unsigned uses = 0;
    const size_t patches = 30 / (size_t)one_in();
    for (size_t i = 0; i < patches; i++) {
        struct rend_patch *patch = random_patch(&uses);
        const int *size = sizes[i % (sizeof sizes / sizeof *sizes)];
        compare(room, patch, size[0] < 16 ? 16 : size[0], size[1] < 16 ? 16 : size[1], false);
        rend_patch_free(patch);
    }
}

static void test_saved_state(void **state)
{
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    unsigned uses = 1000;
    struct rend_patch *patch = random_patch(&uses);
    compare(room, patch, 200, 120, true);
    rend_patch_free(patch);
    patch = patch_of("mv_a=1\nmv_x=20\nmv_y=15\nmv_l=2\nshapecode_0_enabled=1\n"
                     "shapecode_0_textured=1\nshapecode_0_a2=1\nshapecode_0_rad=0.7",
                     "ret = float3(uv, 0.3);", plain);
    compare(room, patch, 200, 120, true);
    rend_patch_free(patch);
}

/* More items than a list has room for, and then a rest without one. */
static void test_too_many(void **state)
{
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    char numbers[TEXT];
    struct writer writer = {numbers, 0};
    for (int i = 0; i < 4; i++) {
        WRITE(&writer,
              "shapecode_%d_enabled=1\nshapecode_%d_sides=100\nshapecode_%d_num_inst=1024\n"
              "shapecode_%d_rad=0.05\nshapecode_%d_border_a=1\nshape_%d_per_frame1=x=rand(100)/"
              "100;\n",
              i, i, i, i, i, i);
    }
    struct rend_patch *patch = patch_of(numbers, grain, plain);
    compare(room, patch, 96, 64, false);
    rend_patch_free(patch);
}

/* Only doubles can say where they read. */
static void test_far_mesh(void **state)
{
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    struct rend_patch *patch = patch_of(
        "bTexWrap=0\nper_frame_1=zoom=if(equal(frame%2,0),1.01,0.0001);\nfWaveAlpha=1\nnWaveMode=1",
        NULL, plain);
    compare(room, patch, 320, 200, true);
    rend_patch_free(patch);
}

/* Where the cost of frames is limited the device draws as well, and both leave out the same. */
static void test_limited_cost(void **state)
{
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    static const int64_t costs[] = {2400000000, 30000000, 3000000, 300000};
    unsigned uses = 3000;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        struct rend_patch *patch = random_patch(&uses);
        const uint64_t before = gpu_account(room->gpu).ran;
        room->cost = costs[i];
        compare(room, patch, 200, 120, false);
        assert_true(i > 0 || gpu_account(room->gpu).ran >= before + 2 * FRAMES);
        rend_patch_free(patch);
    }
    room->cost = 0;
}

static void lose_at_any_run(struct room *room, const char *warp, const char *comp, bool vectors,
                            int all)
{
    char numbers[TEXT];
    struct writer writer = {numbers, 0};
    unsigned uses = 2000;
    WRITE(&writer, "fVideoEchoAlpha=0.4\nfVideoEchoZoom=1.3\nfDecay=0.97\nzoom=1.05\nwarp=2\n");
    write_shapes(&writer, &uses);
    write_waves(&writer, &uses);
    WRITE(&writer, "mv_a=%d\nmv_x=9\nmv_y=7\nmv_l=3\n", vectors);
    struct rend_patch *patch = patch_of(numbers, warp, comp);
    for (int runs = 0; runs < all; runs += stride()) {
        room->runs = runs;
        compare(room, patch, 72, 48, false);
        assert_true(room->lost);
    }
    room->runs = all;
    compare(room, patch, 72, 48, false);
    assert_int_equal(room->runs, 0);
    room->runs = -1;
    rend_patch_free(patch);
}

static void test_lost_at_any_run(void **state)
{
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    /* Warp, blur, overlay, composite begun, canvas, composite ended; vectors from the second frame
     * on. */
    lose_at_any_run(room, swirl, plain, false, 6 * FRAMES);
    lose_at_any_run(room, NULL, plain, false, 6 * FRAMES);
    lose_at_any_run(room, grain, NULL, true, 6 * FRAMES - 1);
    lose_at_any_run(room, NULL, NULL, true, 6 * FRAMES - 1);
    room->small = true;
    lose_at_any_run(room, swirl, plain, false, 6 * FRAMES);
    room->small = false;
    room->device.lends_rooms = false;
    lose_at_any_run(room, NULL, plain, false, 6 * FRAMES);
    room->device.lends_rooms = true;
}

/* What comes paints on what was painted, wherever that lies. */
static void load_again(struct room *room)
{
    struct rend_patch *shaded = patch_of("nWaveMode=2\nwarp=1\n", swirl, plain);
    struct rend_patch *bare = patch_of("nWaveMode=4\nzoom=1.1\n", NULL, NULL);
    struct show ours = open_show(room, shaded, 90, 70, NULL);
    struct show theirs = open_show(room, shaded, 90, 70, &room->device);
    for (unsigned frame = 1; frame <= 3 * FRAMES; frame++) {
        if (frame % FRAMES == 0) {
            const struct rend_patch *next = frame / FRAMES % 2 == 1 ? bare : shaded;
            assert_int_equal(rend_load(ours.rend, next, 0, NULL), 0);
            assert_int_equal(rend_load(theirs.rend, next, 0, NULL), 0);
        }
        step(&ours, frame);
        step(&theirs, frame);
        assert_memory_equal(ours.pixels, theirs.pixels, sizeof *ours.pixels * 90 * 70);
    }
    close_show(&ours);
    close_show(&theirs);
    rend_patch_free(shaded);
    rend_patch_free(bare);
}

static void test_loaded_again(void **state)
{
    struct room *room = *state;
    if (room->gpu == NULL) {
        skip();
    }
    load_again(room);
    room->device.lends_rooms = false;
    load_again(room);
    room->device.lends_rooms = true;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_figures), cmocka_unit_test(test_saved_state),
        cmocka_unit_test(test_too_many),       cmocka_unit_test(test_far_mesh),
        cmocka_unit_test(test_limited_cost),   cmocka_unit_test(test_lost_at_any_run),
        cmocka_unit_test(test_loaded_again),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
