#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../turns.h"
#include "base/cpu.h"
#include "base/os/thread.h"
#include "base/random.h"
#include "presets/presets.h"
#include "renderer/picture/resources.h"
#include "renderer/save.h"
#include "renderer/show.h"

enum { WIDTH = 64, HEIGHT = 48, FPS = 30, SAMPLES = REND_AUDIO_RATE / FPS, AFTER = 6 };
enum { HEAD = 16, PAGE_BYTES = 8192, CANARY = 64 };

/* Uses everything that lasts: variables of each namespace, registers, both memories, chance. */
static const char everything[] =
    "[preset00]\nfDecay=0.96\nfWaveAlpha=0.8\nbMotionVectorsOn=1\nnMotionVectorsX=12\n"
    "nMotionVectorsY=9\nmv_a=0.7\n"
    "per_frame_init_1=mine=1;reg07=2;megabuf(70000)=0.3;gmegabuf(5)=0.2;q3=rand(100)*0.01;\n"
    "per_frame_1=mine=mine*1.01+rand(10)*0.001;gmegabuf(5)=gmegabuf(5)+0.013;\n"
    "per_frame_2=megabuf(frame%3*2000)=mine;zoom=1+0.05*sin(mine+megabuf(70000));\n"
    "per_frame_3=wave_r=0.5+0.5*sin(reg07);wave_x=0.5+0.3*sin(gmegabuf(5)*5);\n"
    "per_frame_4=cx=0.3+0.4*q3;cy=0.3+0.4*progress;\n"
    "per_pixel_1=own=own*0.9+rad*0.1;reg07=reg07+own*0.0001;rot=rot+0.02*own;\n"
    "wavecode_0_enabled=1\nwavecode_0_samples=64\nwavecode_0_a=1\n"
    "wave_0_init1=t1=rand(100)*0.01;\nwave_0_per_frame1=turn=turn+0.1;t2=turn+t1;\n"
    "wave_0_per_point1=far=far*0.5+sample*0.5;x=0.5+0.3*sin(far*6+t2);y=0.5+value1;\n"
    "shapecode_0_enabled=1\nshapecode_0_sides=5\nshapecode_0_rad=0.2\n"
    "shape_0_init1=t1=rand(100)*0.01;\n"
    "shape_0_per_frame1=spin=spin+0.07;ang=spin+t1;x=0.5+0.2*sin(spin+rand(100)*0.001);\n";

/* Shaders that read what was blurred in the frame before, and chances of the preset. */
static const char shaded[] =
    "MILKDROP_PRESET_VERSION=201\nPSVERSION=2\n[preset00]\nfDecay=0.96\nfWaveAlpha=1\n"
    "warp_1=`shader_body { ret = lerp(tex2D(sampler_main, uv).xyz, GetBlur2(uv), 0.4)\n"
    "warp_2=` + 0.1 * sin(mul(float4(uv, 0, 1), rot_uf1)); }\n"
    "comp_1=`shader_body { ret = tex2D(sampler_main, uv).xyz + GetBlur1(uv) * rand_preset.xyz; }\n";

static const char *const names[] = {"froth - Ember Tunnel", "froth - Tidal Glass",
                                    "froth - Corona"};

static struct rend_patch *compile(const char *text, struct rend_resources *resources)
{
    struct preset preset;
    assert_int_equal(preset_read(&preset, "test.milk", text, strlen(text), NULL), 0);
    struct rend_patch *patch = rend_patch_create(&preset, resources, NULL);
    assert_non_null(patch);
    preset_free(&preset);
    return patch;
}

static struct rend_patch *load(const char *name)
{
    char path[512];
    struct preset preset;
    (void)snprintf(path, sizeof path, "%s/presets/originals/%s.milk", TEST_SOURCE, name);
    assert_int_equal(preset_read_file(&preset, path, NULL), 0);
    struct rend_patch *patch = rend_patch_create(&preset, NULL, NULL);
    assert_non_null(patch);
    preset_free(&preset);
    return patch;
}

static const struct rend_config usual = {
    .width = WIDTH, .height = HEIGHT, .mesh_x = 12, .mesh_y = 9, .fps = FPS};

/* A state with little to it, so that each of its bytes can be tried. */
static const struct rend_config small = {
    .width = REND_SIZE_MIN, .height = REND_SIZE_MIN, .mesh_x = 2, .mesh_y = 2, .fps = FPS};

static struct rend *start(const struct rend_config *config, const struct rend_patch *patch)
{
    struct rend *rend = rend_create(config);
    assert_non_null(rend);
    assert_true(patch == NULL || rend_load(rend, patch, 3, NULL) == 0);
    return rend;
}

static struct rend_input input_of(uint64_t frame)
{
    static float samples[2 * SAMPLES];
    for (int k = 0; k < 2 * SAMPLES; k++) {
        const double t = (double)frame * SAMPLES + k / 2.0;
        samples[k] = (float)(0.5 * sin(t * 0.03) + 0.3 * sin(t * 0.21));
    }
    return (struct rend_input){.frame = frame,
                               .time = (double)frame / FPS,
                               .fps = FPS,
                               .audio = samples,
                               .audio_frames = SAMPLES};
}

/* Frames first..first + count - 1; keeps the last ones' pictures, one after the other, if asked. */
static void paint(struct rend *rend, const struct rend_config *config, uint64_t first, int count,
                  uint32_t *pictures)
{
    static uint32_t scrap[WIDTH * HEIGHT];
    const size_t size = (size_t)config->width * (size_t)config->height;
    for (int i = 0; i < count; i++) {
        const struct rend_input input = input_of(first + (uint64_t)i);
        uint32_t *pixels = pictures != NULL ? pictures + (size_t)i * size : scrap;
        (void)rend_step(rend, &input, pixels, (size_t)config->width);
    }
}

struct saved {
    uint8_t *bytes;
    size_t size;
};

static struct saved save(const struct rend *rend)
{
    struct saved saved = {.size = rend_save_size(rend)};
    saved.bytes = malloc(saved.size);
    assert_non_null(saved.bytes);
    assert_int_equal(rend_save(rend, saved.bytes, saved.size), saved.size);
    return saved;
}

/* The one message of a refusal. */
static void expect_refusal(struct rend *rend, const uint8_t *bytes, size_t size, const char *what)
{
    struct base_diag_list list = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    const struct saved before = save(rend);
    assert_int_equal(rend_restore(rend, bytes, size, &sink), -1);
    assert_int_equal(list.count, 1);
    if (strstr(list.items[0].what, what) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", list.items[0].what, what);
    }
    const struct saved after = save(rend);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.bytes, after.bytes, after.size);
    free(before.bytes);
    free(after.bytes);
}

static void frames_go_on(void **state)
{
    (void)state;
    static uint32_t expected[AFTER * WIDTH * HEIGHT];
    static uint32_t got[AFTER * WIDTH * HEIGHT];
    const int divisors[REND_SHADER_STAGES] = {2, 1};
    for (int i = 0; i < 5; i++) {
        struct rend_patch *patch =
            i < 3 ? load(names[i]) : compile(i == 3 ? everything : shaded, NULL);
        for (int levels = REND_LEVELS_FFT; levels <= REND_LEVELS_BOARD; levels++) {
            struct rend_config config = usual;
            config.levels = (enum rend_levels)levels;
            struct rend *rend = start(&config, patch);
            struct rend *other = start(&config, patch);
            paint(rend, &config, 1, 5, NULL);
            rend_set_divisors(rend, divisors);
            paint(rend, &config, 6, 5, NULL);
            const struct saved saved = save(rend);
            paint(rend, &config, 11, AFTER, expected);
            paint(other, &config, 500, 3, NULL);
            assert_int_equal(rend_load(other, patch, 99, NULL), 0); /* with other chances */
            paint(other, &config, 503, 3, NULL);
            assert_int_equal(rend_restore(other, saved.bytes, saved.size, NULL), 0);
            paint(other, &config, 11, AFTER, got);
            assert_memory_equal(expected, got, sizeof expected);
            free(saved.bytes);
            rend_free(other);
            rend_free(rend);
        }
        rend_patch_free(patch);
    }
}

/* What the operator sees is as it was, too. */
static void looks_are_restored(void **state)
{
    (void)state;
    struct rend_patch *patch = compile(everything, NULL);
    struct rend *rend = start(&usual, patch);
    struct rend *other = start(&usual, patch);
    const int divisors[REND_SHADER_STAGES] = {2, 3};
    paint(rend, &usual, 1, 10, NULL);
    assert_true(rend_set_value(rend, PRESET_KEY_gamma, 3));
    rend_set_divisors(rend, divisors);
    const struct saved saved = save(rend);
    assert_int_equal(rend_restore(other, saved.bytes, saved.size, NULL), 0);
    assert_true(rend_value(other, PRESET_KEY_gamma) == 3);
    const struct rend_heard a = rend_heard(rend);
    const struct rend_heard b = rend_heard(other);
    assert_memory_equal(a.level, b.level, sizeof a.level);
    assert_memory_equal(a.level_att, b.level_att, sizeof a.level_att);
    assert_true(a.beats == b.beats && a.bpm == b.bpm && a.beat_phase == b.beat_phase);
    static struct rend_variable_view views[2][300];
    assert_int_equal(rend_variables(rend, views[0], 300), rend_variables(other, views[1], 300));
    assert_memory_equal(views[0], views[1], sizeof views[0]);
    const struct rend_mapping here = rend_mapping(rend);
    const struct rend_mapping there = rend_mapping(other);
    assert_memory_equal(here.mesh.vertices, there.mesh.vertices,
                        (size_t)13 * 10 * sizeof *here.mesh.vertices);
    assert_true(here.echo_alpha == there.echo_alpha && here.echo_zoom == there.echo_zoom);
    const struct saved again = save(other);
    assert_int_equal(again.size, saved.size);
    assert_memory_equal(again.bytes, saved.bytes, saved.size);
    free(again.bytes);
    free(saved.bytes);
    rend_free(other);
    rend_free(rend);
    rend_patch_free(patch);
}

/* Eight seconds of clicks, so that there is a tempo, in short frames, so that filters remember the
 * last ones: what is heard goes on as if nothing had been. */
static void hearing_goes_on(void **state)
{
    (void)state;
    enum { RATE = 100, COUNT = REND_AUDIO_RATE / RATE, FRAMES = 60, BEFORE = 8 * RATE };
    static uint32_t pixels[REND_SIZE_MIN * REND_SIZE_MIN];
    struct rend_heard expected[FRAMES];
    for (int levels = REND_LEVELS_FFT; levels <= REND_LEVELS_BOARD; levels++) {
        struct rend_config config = small;
        config.levels = (enum rend_levels)levels;
        struct rend *rend = start(&config, NULL);
        struct rend *other = start(&config, NULL);
        struct saved saved = {NULL, 0};
        for (int n = 1; n <= BEFORE + 2 * FRAMES; n++) {
            const int frame = n <= BEFORE + FRAMES ? n : n - FRAMES;
            float samples[2 * COUNT];
            for (int i = 0; i < 2 * COUNT; i++) {
                const bool click = frame % (RATE / 2) < 2;
                samples[i] = click && i % 7 < 3 ? 0.8f : 0.001f * (float)(i % 13);
            }
            const struct rend_input input = {.frame = (uint64_t)frame,
                                             .time = (double)frame / RATE,
                                             .fps = RATE,
                                             .audio = samples,
                                             .audio_frames = COUNT};
            struct rend *which = n <= BEFORE + FRAMES ? rend : other;
            (void)rend_step(which, &input, pixels, REND_SIZE_MIN);
            const struct rend_heard heard = rend_heard(which);
            if (n == BEFORE) {
                assert_true(heard.bpm > 0);
                saved = save(rend);
                assert_int_equal(rend_restore(other, saved.bytes, saved.size, NULL), 0);
            } else if (n > BEFORE + FRAMES) {
                const struct rend_heard *as = &expected[n - BEFORE - FRAMES - 1];
                assert_memory_equal(heard.level, as->level, sizeof heard.level);
                assert_memory_equal(heard.level_att, as->level_att, sizeof heard.level_att);
                assert_true(heard.beats == as->beats && heard.bpm == as->bpm &&
                            heard.beat_phase == as->beat_phase);
            } else if (n > BEFORE) {
                expected[n - BEFORE - 1] = heard;
            }
        }
        free(saved.bytes);
        rend_free(other);
        rend_free(rend);
    }
}

static void bytes_know_no_machine(void **state)
{
    (void)state;
    struct base_pool *pool = base_pool_create(3);
    assert_non_null(pool);
    for (int i = 0; i < 4; i++) {
        struct rend_patch *patch = i < 3 ? load(names[i]) : compile(everything, NULL);
        struct rend_config config = usual;
        config.cpu = base_cpu_best();
        config.pool = pool;
        struct rend *plain = start(&usual, patch);
        struct rend *best = start(&config, patch);
        paint(plain, &usual, 1, 12, NULL);
        paint(best, &config, 1, 12, NULL);
        const struct saved a = save(plain);
        const struct saved b = save(best);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.bytes, b.bytes, a.size);
        free(a.bytes);
        free(b.bytes);
        rend_free(plain);
        rend_free(best);
        rend_patch_free(patch);
    }
    base_pool_destroy(pool);
}

/* Only pages that were written are in the bytes; restoring takes others away. */
static void memory_is_sparse(void **state)
{
    (void)state;
    struct rend_patch *patch =
        compile("[preset00]\nper_frame_1=if(equal(frame,3),exec2(megabuf(frame*5000)=1,"
                "gmegabuf(9999)=1),0);\nper_frame_2=monitor=megabuf(15000)+gmegabuf(9999);\n",
                NULL);
    struct rend *rend = start(&small, patch);
    paint(rend, &small, 1, 2, NULL);
    const struct saved before = save(rend);
    paint(rend, &small, 3, 1, NULL);
    const struct saved after = save(rend);
    /* the block's number and place, the bits of its pages */
    assert_int_equal(after.size, before.size + 2 * PAGE_BYTES + 3 * sizeof(uint64_t));
    assert_int_equal(rend_restore(rend, before.bytes, before.size, NULL), 0);
    assert_int_equal(rend_save_size(rend), before.size);
    paint(rend, &small, 4, 1, NULL);
    struct rend_variable_view views[300];
    const size_t count = rend_variables(rend, views, 300);
    for (size_t i = 0; i < count && i < 300; i++) {
        assert_true(strcmp(views[i].name, "monitor") != 0 || views[i].value == 0);
    }
    assert_int_equal(rend_restore(rend, after.bytes, after.size, NULL), 0);
    paint(rend, &small, 4, 1, NULL);
    (void)rend_variables(rend, views, 300);
    for (size_t i = 0; i < count && i < 300; i++) {
        assert_true(strcmp(views[i].name, "monitor") != 0 || views[i].value == 2);
    }
    free(before.bytes);
    free(after.bytes);
    rend_free(rend);
    rend_patch_free(patch);
}

static void nothing_loaded(void **state)
{
    (void)state;
    struct rend_patch *patch = compile(everything, NULL);
    struct rend *rend = start(&small, NULL);
    struct rend *loaded = start(&small, patch);
    paint(rend, &small, 1, 3, NULL);
    const struct saved empty = save(rend);
    const struct saved full = save(loaded);
    expect_refusal(loaded, empty.bytes, empty.size, "another preset");
    expect_refusal(rend, full.bytes, full.size, "another preset");
    assert_int_equal(rend_restore(rend, empty.bytes, empty.size, NULL), 0);
    free(empty.bytes);
    free(full.bytes);
    rend_free(loaded);
    rend_free(rend);
    rend_patch_free(patch);
}

static void others_are_refused(void **state)
{
    (void)state;
    struct rend_patch *patch = compile(everything, NULL);
    struct rend_patch *second = compile("[preset00]\nfDecay=0.9\n", NULL);
    struct rend_config configs[7];
    static const char *const what[7] = {
        "width", "height", "columns", "rows", "measured", "frames per second", "seed"};
    for (int i = 0; i < 7; i++) {
        configs[i] = small;
    }
    configs[0].width++;
    configs[1].height++;
    configs[2].mesh_x++;
    configs[3].mesh_y++;
    configs[4].levels = REND_LEVELS_FIR;
    configs[5].fps = 60;
    configs[6].seed = 1;
    struct rend *rend = start(&small, patch);
    paint(rend, &small, 1, 3, NULL);
    const struct saved saved = save(rend);
    for (int i = 0; i < 7; i++) {
        struct rend *other = start(&configs[i], patch);
        expect_refusal(other, saved.bytes, saved.size, what[i]);
        rend_free(other);
    }
    struct rend *other = start(&small, second);
    expect_refusal(other, saved.bytes, saved.size, "another preset");
    rend_free(other);
    free(saved.bytes);
    rend_free(rend);
    rend_patch_free(second);
    rend_patch_free(patch);
}

static uint64_t whole_at(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) {
        value |= (uint64_t)bytes[i] << (8 * i);
    }
    return value;
}

/* Every section: another version, another tag, another length. */
static void sections_are_checked(void **state)
{
    (void)state;
    struct rend_patch *patch = load("froth - Corona");
    struct rend *rend = start(&small, patch);
    paint(rend, &small, 1, 3, NULL);
    const struct saved saved = save(rend);
    size_t sections = 0;
    for (size_t at = 0; at < saved.size; sections++) {
        const size_t length = (size_t)whole_at(saved.bytes + at + HEAD / 2);
        char text[40];
        uint8_t *version = saved.bytes + at + HEAD / 4;
        (void)snprintf(text, sizeof text, "%.4s has version %u, not %u",
                       (const char *)saved.bytes + at, *version + 1u, *version + 0u);
        ++*version;
        expect_refusal(rend, saved.bytes, saved.size, text);
        --*version;
        saved.bytes[at] ^= 1;
        expect_refusal(rend, saved.bytes, saved.size, "not where it belongs");
        saved.bytes[at] ^= 1;
        saved.bytes[at + HEAD / 2] ^= 8;
        expect_refusal(rend, saved.bytes, saved.size, "section");
        saved.bytes[at + HEAD / 2] ^= 8;
        saved.bytes[at + HEAD - 1] = 0xFF;
        expect_refusal(rend, saved.bytes, saved.size, "end early");
        saved.bytes[at + HEAD - 1] = 0;
        at += HEAD + length;
    }
    assert_int_equal(sections, 8);
    assert_int_equal(rend_restore(rend, saved.bytes, saved.size, NULL), 0);
    free(saved.bytes);
    rend_free(rend);
    rend_patch_free(patch);
}

static void cut_bytes_are_refused(void **state)
{
    (void)state;
    struct rend_patch *patch = compile(everything, NULL);
    struct rend *rend = start(&small, patch);
    static uint32_t expected[REND_SIZE_MIN * REND_SIZE_MIN];
    static uint32_t got[REND_SIZE_MIN * REND_SIZE_MIN];
    const struct saved saved = save(rend);
    paint(rend, &small, 1, 1, expected);
    assert_int_equal(rend_restore(rend, saved.bytes, saved.size, NULL), 0);
    for (size_t size = 0; size < saved.size; size += size < 40000 ? EACH(13) : 97 * EACH(13)) {
        uint8_t *cut = malloc(size > 0 ? size : 1); /* a byte read behind its end would be seen */
        assert_non_null(cut);
        memcpy(cut, saved.bytes, size);
        assert_int_equal(rend_restore(rend, cut, size, NULL), -1);
        free(cut);
    }
    uint8_t *longer = malloc(saved.size + 1);
    assert_non_null(longer);
    memcpy(longer, saved.bytes, saved.size);
    longer[saved.size] = 0;
    expect_refusal(rend, longer, saved.size + 1, "left over");
    expect_refusal(rend, longer, 0, "");
    free(longer);
    paint(rend, &small, 1, 1, got);
    assert_memory_equal(expected, got, sizeof got);
    free(saved.bytes);
    rend_free(rend);
    rend_patch_free(patch);
}

/* Whatever the bytes say, they are refused or played; afterwards good bytes give good frames. */
static void odd_bytes_do_no_harm(void **state)
{
    (void)state;
    enum { TRIES = TURNS(1000) };
    static const uint8_t odd[] = {0, 1, 0x7F, 0x80, 0xF0, 0xFF};
    struct base_rng rng;
    base_rng_seed(&rng, 5, 1);
    for (int i = 0; i < 2; i++) {
        struct rend_patch *patch = i == 0 ? load("froth - Corona") : compile(everything, NULL);
        struct rend_config config = small;
        config.levels = i == 0 ? REND_LEVELS_FIR : REND_LEVELS_FFT;
        struct rend *rend = start(&config, patch);
        static uint32_t expected[REND_SIZE_MIN * REND_SIZE_MIN];
        static uint32_t got[REND_SIZE_MIN * REND_SIZE_MIN];
        paint(rend, &config, 1, 40, NULL);
        const struct saved saved = save(rend);
        paint(rend, &config, 41, 1, expected);
        uint8_t *bytes = malloc(saved.size);
        assert_non_null(bytes);
        int accepted = 0;
        for (int n = 0; n < TRIES; n++) {
            memcpy(bytes, saved.bytes, saved.size);
            const size_t at = base_rng_next(&rng) % saved.size;
            const size_t count = 1 + base_rng_next(&rng) % 8;
            const uint8_t value = odd[base_rng_next(&rng) % sizeof odd];
            memset(bytes + at, value, count < saved.size - at ? count : saved.size - at);
            if (rend_restore(rend, bytes, saved.size, NULL) == 0) {
                paint(rend, &config, 41, 1, NULL);
                accepted++;
            }
        }
        assert_in_range(accepted, TRIES / 20, TRIES - 1);
        assert_int_equal(rend_restore(rend, saved.bytes, saved.size, NULL), 0);
        paint(rend, &config, 41, 1, got);
        assert_memory_equal(expected, got, sizeof got);
        free(bytes);
        free(saved.bytes);
        rend_free(rend);
        rend_patch_free(patch);
    }
}

static void nothing_is_written_outside(void **state)
{
    (void)state;
    struct rend_patch *patch = compile(everything, NULL);
    struct rend *rend = start(&small, patch);
    paint(rend, &small, 1, 3, NULL);
    const size_t size = rend_save_size(rend);
    uint8_t *bytes = malloc(size + 2 * CANARY);
    uint8_t *clean = malloc(size + 2 * CANARY);
    assert_non_null(bytes);
    assert_non_null(clean);
    memset(bytes, 0x5A, size + 2 * CANARY);
    memset(clean, 0x5A, size + 2 * CANARY);
    assert_int_equal(rend_save(rend, bytes + CANARY, size - 1), 0);
    assert_int_equal(rend_save(rend, bytes + CANARY, 0), 0);
    assert_memory_equal(bytes, clean, size + 2 * CANARY);
    assert_int_equal(rend_save(rend, bytes + CANARY, size + CANARY), size);
    assert_memory_equal(bytes, clean, CANARY);
    assert_memory_equal(bytes + CANARY + size, clean, CANARY);
    free(bytes);
    free(clean);
    rend_free(rend);
    rend_patch_free(patch);
}

/* ---- what a patch is made of ---- */

static bool find_picture(void *user, const struct rend_picture_request *request, char *path,
                         size_t size)
{
    (void)user;
    (void)snprintf(path, size, "%s", request->name);
    return true;
}

static int measure_picture(void *user, const char *path, struct rend_extent *extent,
                           const struct base_diag_sink *sink)
{
    (void)user;
    (void)path;
    (void)sink;
    *extent = (struct rend_extent){2, 2, 0};
    return 0;
}

static int load_picture(void *user, const char *path, int halvings, size_t room,
                        struct rend_picture *picture, const struct base_diag_sink *sink)
{
    (void)path;
    (void)halvings;
    (void)room;
    (void)sink;
    *picture = (struct rend_picture){malloc(4 * sizeof(uint32_t)), 2, 2};
    assert_non_null(picture->pixels);
    for (uint32_t i = 0; i < 4; i++) {
        picture->pixels[i] = 0xFF000000u | (i + *(const uint32_t *)user);
    }
    return 0;
}

static uint64_t content_of(const char *text, uint32_t colour)
{
    const struct rend_pictures pictures = {
        .user = &colour, .find = find_picture, .measure = measure_picture, .load = load_picture};
    struct rend_resources *resources = rend_resources_create(&pictures);
    assert_non_null(resources);
    struct rend_patch *patch = compile(text, resources);
    const uint64_t content = rend_patch_content(patch);
    rend_patch_free(patch);
    rend_resources_free(resources);
    return content;
}

static void content_names_a_patch(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[preset00]\nfDecay=0.9\n",
        "[preset00]\nfDecay=0.91\n",
        "[preset00]\nfDecay=0.9\nper_frame_1=a=1;\n",
        "[preset00]\nfDecay=0.9\nper_frame_init_1=a=1;\n",
        "[preset00]\nfDecay=0.9\nwavecode_1_a=0.25\n",
        "[preset00]\nfDecay=0.9\nwavecode_2_a=0.25\n",
        "[preset00]\nfDecay=0.9\nshape_2_per_frame1=a=1;\n",
        "MILKDROP_PRESET_VERSION=201\nPSVERSION=2\n[preset00]\nfDecay=0.9\n"
        "comp_1=`shader_body { ret = tex2D(sampler_mine, uv).xyz; }\n",
    };
    const size_t count = sizeof texts / sizeof *texts;
    uint64_t contents[sizeof texts / sizeof *texts];
    for (size_t i = 0; i < count; i++) {
        contents[i] = content_of(texts[i], 1);
        assert_true(contents[i] == content_of(texts[i], 1) && contents[i] != 0);
        for (size_t k = 0; k < i; k++) {
            assert_true(contents[i] != contents[k]);
        }
    }
    assert_true(contents[0] == content_of(texts[0], 2));
    assert_true(contents[count - 1] != content_of(texts[count - 1], 2));
}

/* ---- shows ---- */

enum { BLEND_FRAMES = 8 };

struct stage {
    struct rend_patch *patches[3];
    struct rend_show *show;
    uint64_t frame;
};

static void free_retired(struct rend_show *show)
{
    struct rend_cue *cue = rend_show_retired(show);
    for (; cue != NULL; cue = rend_show_retired(show)) {
        rend_cue_free(cue);
    }
}

static void open_stage(struct stage *stage)
{
    *stage = (struct stage){.patches = {load(names[0]), load(names[2]), compile(everything, NULL)},
                            .show = rend_show_create(&usual)};
    assert_non_null(stage->show);
}

static void close_stage(struct stage *stage)
{
    rend_show_end(stage->show);
    free_retired(stage->show);
    rend_show_free(stage->show);
    for (int i = 0; i < 3; i++) {
        rend_patch_free(stage->patches[i]);
    }
}

static void take(struct stage *stage, int patch, double seconds)
{
    const struct rend_change change = {
        .transition = REND_TRANSITION_fade, .seconds = seconds, .seed = 5, .planned = 2};
    const struct rend_moment moment = rend_show_moment(stage->show);
    struct rend_cue *cue = rend_cue_create(&usual, stage->patches[patch], &change, &moment, NULL);
    assert_non_null(cue);
    rend_show_take(stage->show, cue);
    free_retired(stage->show);
}

static void play(struct stage *stage, int frames, uint32_t *pictures)
{
    static uint32_t scrap[WIDTH * HEIGHT];
    for (int i = 0; i < frames; i++) {
        const struct rend_input input = input_of(++stage->frame);
        uint32_t *pixels = pictures != NULL ? pictures + (size_t)i * WIDTH * HEIGHT : scrap;
        (void)rend_show_step(stage->show, &input, pixels, WIDTH);
        free_retired(stage->show);
    }
}

static struct saved save_show(const struct stage *stage)
{
    struct saved saved = {.size = rend_show_save_size(stage->show)};
    saved.bytes = malloc(saved.size);
    assert_non_null(saved.bytes);
    assert_int_equal(rend_show_save(stage->show, saved.bytes, saved.size - 1), 0);
    assert_int_equal(rend_show_save(stage->show, saved.bytes, saved.size), saved.size);
    return saved;
}

/* Cues as the saved show has them. */
static void make_cues(const struct stage *stage, const struct saved *saved,
                      struct rend_cue *cues[REND_ROLES])
{
    struct rend_saved_cue list[REND_ROLES];
    const struct rend_moment moment = rend_show_moment(stage->show);
    assert_int_equal(rend_show_saved_cues(saved->bytes, saved->size, list, NULL), 0);
    for (int role = 0; role < REND_ROLES; role++) {
        cues[role] = NULL;
        for (int i = 0; i < 3 && list[role].there; i++) {
            if (rend_patch_content(stage->patches[i]) == list[role].patch) {
                cues[role] =
                    rend_cue_create(&usual, stage->patches[i], &list[role].change, &moment, NULL);
                assert_non_null(cues[role]);
            }
        }
        assert_true((cues[role] != NULL) == list[role].there);
    }
}

/* moment: 0 nothing yet, 1 taken only, 2 runs, 3 crosses, 4 crosses from a picture that stands, 5
 * crosses while another one waits. */
static void play_to(struct stage *stage, int moment)
{
    const double seconds = (double)BLEND_FRAMES / FPS;
    if (moment >= 1) {
        take(stage, 2, 0);
    }
    if (moment >= 2) {
        play(stage, 5, NULL);
    }
    if (moment >= 3) {
        take(stage, 1, seconds);
        play(stage, 3, NULL);
    }
    if (moment == 4) {
        take(stage, 0, seconds);
        play(stage, 2, NULL);
    }
    if (moment == 5) {
        take(stage, 0, seconds);
    }
}

static void shows_go_on(void **state)
{
    (void)state;
    enum { FRAMES = BLEND_FRAMES + 4 };
    static uint32_t expected[FRAMES * WIDTH * HEIGHT];
    static uint32_t got[FRAMES * WIDTH * HEIGHT];
    for (int moment = 0; moment <= 5; moment++) {
        struct stage stage;
        struct stage other;
        struct rend_cue *cues[REND_ROLES];
        open_stage(&stage);
        open_stage(&other);
        play_to(&stage, moment);
        const bool changes = rend_show_changes(stage.show);
        assert_int_equal(changes, moment >= 3);
        const struct saved saved = save_show(&stage);
        other.frame = 700;
        play_to(&other, 5 - moment);
        make_cues(&other, &saved, cues);
        assert_int_equal(rend_show_restore(other.show, cues, saved.bytes, saved.size, NULL), 0);
        free_retired(other.show);
        assert_int_equal(rend_show_changes(other.show), changes);
        const struct rend_moment here = rend_show_moment(stage.show);
        const struct rend_moment there = rend_show_moment(other.show);
        assert_memory_equal(&here, &there, sizeof here);
        const struct saved again = save_show(&other);
        assert_int_equal(again.size, saved.size);
        assert_memory_equal(again.bytes, saved.bytes, saved.size);
        other.frame = stage.frame;
        play(&stage, FRAMES, expected);
        play(&other, FRAMES, got);
        assert_memory_equal(expected, got, sizeof got);
        free(again.bytes);
        free(saved.bytes);
        close_stage(&stage);
        close_stage(&other);
    }
}

/* Back and forth within a transition with the cues that are there. */
static void own_cues_stay(void **state)
{
    (void)state;
    static uint32_t expected[3 * WIDTH * HEIGHT];
    static uint32_t got[3 * WIDTH * HEIGHT];
    struct rend_cue *const none[REND_ROLES] = {NULL};
    struct stage stage;
    open_stage(&stage);
    play_to(&stage, 3);
    const struct saved saved = save_show(&stage);
    const struct rend *front = rend_show_front(stage.show);
    play(&stage, 3, expected);
    assert_int_equal(rend_show_restore(stage.show, none, saved.bytes, saved.size, NULL), 0);
    assert_null(rend_show_retired(stage.show));
    assert_ptr_equal(rend_show_front(stage.show), front);
    stage.frame -= 3;
    play(&stage, 3, got);
    assert_memory_equal(expected, got, sizeof got);
    free(saved.bytes);
    close_stage(&stage);
}

static void expect_show_refusal(struct stage *stage, struct rend_cue *const cues[REND_ROLES],
                                const struct saved *saved, const char *what)
{
    struct base_diag_list list = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&list);
    const struct saved before = save_show(stage);
    assert_int_equal(rend_show_restore(stage->show, cues, saved->bytes, saved->size, &sink), -1);
    assert_int_equal(list.count, 1);
    if (strstr(list.items[0].what, what) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", list.items[0].what, what);
    }
    assert_null(rend_show_retired(stage->show));
    const struct saved after = save_show(stage);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.bytes, after.bytes, after.size);
    free(before.bytes);
    free(after.bytes);
}

static void other_shows_are_refused(void **state)
{
    (void)state;
    struct rend_cue *none[REND_ROLES] = {NULL};
    struct rend_cue *cues[REND_ROLES];
    struct stage stage;
    struct stage other;
    open_stage(&stage);
    open_stage(&other);
    play_to(&stage, 3);
    play_to(&other, 2);
    struct saved saved = save_show(&stage);
    make_cues(&other, &saved, cues);
    expect_show_refusal(&other, none, &saved, "another transition");
    struct rend_cue *const few[REND_ROLES] = {cues[0], NULL, NULL};
    expect_show_refusal(&other, few, &saved, "other cues");
    struct rend_cue *const wrong[REND_ROLES] = {cues[1], cues[0], NULL};
    expect_show_refusal(&other, wrong, &saved, "another");
    struct rend_cue *const many[REND_ROLES] = {cues[0], cues[1], cues[1]};
    expect_show_refusal(&other, many, &saved, "other cues");
    const struct rend_change change = {.seconds = 1};
    const struct rend_moment moment = rend_show_moment(other.show);
    struct rend_cue *slow = rend_cue_create(&usual, stage.patches[1], &change, &moment, NULL);
    assert_non_null(slow);
    struct rend_cue *const slower[REND_ROLES] = {slow, cues[1], NULL};
    expect_show_refusal(&other, slower, &saved, "another transition");
    rend_cue_free(slow);
    for (size_t size = 0; size < saved.size; size += 1 + size / 50) {
        const struct saved cut = {saved.bytes, size};
        expect_show_refusal(&other, cues, &cut, "section");
    }
    ++saved.bytes[HEAD / 4];
    expect_show_refusal(&other, cues, &saved, "SHOW has version");
    --saved.bytes[HEAD / 4];
    assert_int_equal(rend_show_restore(other.show, cues, saved.bytes, saved.size, NULL), 0);
    free(saved.bytes);
    close_stage(&stage);
    close_stage(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_go_on),
        cmocka_unit_test(looks_are_restored),
        cmocka_unit_test(hearing_goes_on),
        cmocka_unit_test(bytes_know_no_machine),
        cmocka_unit_test(memory_is_sparse),
        cmocka_unit_test(nothing_loaded),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(sections_are_checked),
        cmocka_unit_test(cut_bytes_are_refused),
        cmocka_unit_test(odd_bytes_do_no_harm),
        cmocka_unit_test(nothing_is_written_outside),
        cmocka_unit_test(content_names_a_patch),
        cmocka_unit_test(shows_go_on),
        cmocka_unit_test(own_cues_stay),
        cmocka_unit_test(other_shows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
