/* Saved states: whatever bytes come in, they are refused or played, and afterwards a good state
 * gives the frame that it always gives.
 *
 * The first byte chooses. Bit 0: the rest is the state; else it is a list of changes to a good one,
 * each of an offset (3 bytes), a count (1) and so many bytes. Bit 1: of a show in the middle of a
 * transition. Bits 2 and 3 choose how loudness is measured. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "presets/presets.h"
#include "renderer/save.h"
#include "renderer/show.h"

enum { SIDE = REND_SIZE_MIN, FPS = 30, SAMPLES = REND_AUDIO_RATE / FPS, BEFORE = 5, LEVELS = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Blurred pictures, motion vectors, memory, waves, shapes. */
static const char text[] =
    "MILKDROP_PRESET_VERSION=201\nPSVERSION=2\n[preset00]\nfDecay=0.96\nmv_a=0.7\nmv_x=8\nmv_y=6\n"
    "per_frame_init_1=reg07=2;megabuf(70000)=0.3;\n"
    "per_frame_1=mine=mine+rand(10);gmegabuf(mine)=1;megabuf(mine*3000)=mine;zoom=1+0.01*mine;\n"
    "per_pixel_1=own=own*0.9+rad*0.1;rot=0.02*own;\n"
    "wavecode_0_enabled=1\nwavecode_0_bSpectrum=1\nwavecode_0_samples=64\n"
    "wave_0_per_point1=far=far*0.5+sample*0.5;x=far;y=0.5+value1;\n"
    "shapecode_0_enabled=1\nshapecode_0_num_inst=3\nshapecode_0_textured=1\n"
    "shape_0_per_frame1=spin=spin+0.07;ang=spin;\n"
    "warp_1=`shader_body { ret = lerp(tex2D(sampler_main, uv).xyz, GetBlur2(uv), 0.3); }\n"
    "comp_1=`shader_body { ret = tex2D(sampler_main, uv).xyz + GetBlur1(uv) * 0.2; }\n";

struct good {
    uint8_t *bytes;
    size_t size;
    uint32_t next[SIDE * SIDE]; /* the frame after it */
};

static struct rend_patch *patch;
static struct rend *rends[LEVELS];
static struct rend_show *show;
static struct good states[LEVELS];
static struct good show_state;
static uint32_t pixels[SIDE * SIDE];

static void need(bool good)
{
    if (!good) {
        abort();
    }
}

static struct rend_input input_of(uint64_t frame)
{
    static float samples[2 * SAMPLES];
    for (int i = 0; i < 2 * SAMPLES; i++) {
        samples[i] = (float)((int)(frame * 977 + (uint64_t)i * 13) % 200 - 100) / 128.0f;
    }
    return (struct rend_input){.frame = frame,
                               .time = (double)frame / FPS,
                               .fps = FPS,
                               .audio = samples,
                               .audio_frames = SAMPLES};
}

static void step(struct rend *rend, uint64_t frame)
{
    const struct rend_input input = input_of(frame);
    (void)rend_step(rend, &input, pixels, SIDE);
}

static void step_show(uint64_t frame)
{
    const struct rend_input input = input_of(frame);
    (void)rend_show_step(show, &input, pixels, SIDE);
}

/* The role that the cue has in the good state goes along with it. */
static void take(const struct rend_config *config, double seconds, enum rend_role role)
{
    static enum rend_role roles[REND_ROLES] = {REND_ROLE_FRONT, REND_ROLE_LEAVING, REND_ROLE_NEXT};
    const struct rend_change change = {
        .transition = REND_TRANSITION_fade, .seconds = seconds, .user = &roles[role]};
    const struct rend_moment moment = rend_show_moment(show);
    struct rend_cue *cue = rend_cue_create(config, patch, &change, &moment, NULL);
    need(cue != NULL);
    rend_show_take(show, cue);
}

static void set_up(void)
{
    struct rend_cue *const none[REND_ROLES] = {NULL};
    struct preset preset;
    struct rend_config config = {
        .width = SIDE, .height = SIDE, .mesh_x = 2, .mesh_y = 2, .fps = FPS};
    need(preset_read(&preset, "fuzz.milk", text, sizeof text - 1, NULL) == 0);
    patch = rend_patch_create(&preset, NULL, NULL);
    preset_free(&preset);
    need(patch != NULL && rend_patch_status(patch) == REND_PATCH_OK);
    show = rend_show_create(&config);
    need(show != NULL);
    take(&config, 0, REND_ROLE_LEAVING);
    for (uint64_t frame = 1; frame < BEFORE; frame++) {
        step_show(frame);
    }
    take(&config, 0.5, REND_ROLE_FRONT);
    step_show(BEFORE);
    show_state.size = rend_show_save_size(show);
    show_state.bytes = malloc(show_state.size);
    need(rend_show_save(show, show_state.bytes, show_state.size) == show_state.size);
    step_show(BEFORE + 1);
    memcpy(show_state.next, pixels, sizeof pixels);
    need(rend_show_restore(show, none, show_state.bytes, show_state.size, NULL) == 0);
    for (int i = 0; i < LEVELS; i++) {
        config.levels = (enum rend_levels)i;
        rends[i] = rend_create(&config);
        need(rends[i] != NULL && rend_load(rends[i], patch, 2, NULL) == 0);
        for (uint64_t frame = 1; frame <= BEFORE; frame++) {
            step(rends[i], frame);
        }
        states[i].size = rend_save_size(rends[i]);
        states[i].bytes = malloc(states[i].size);
        need(rend_save(rends[i], states[i].bytes, states[i].size) == states[i].size);
        step(rends[i], BEFORE + 1);
        memcpy(states[i].next, pixels, sizeof pixels);
        need(rend_restore(rends[i], states[i].bytes, states[i].size, NULL) == 0);
    }
}

/* A state out of the input, in memory of exactly its size. */
static uint8_t *make(const struct good *good, const uint8_t *data, size_t *size, bool whole)
{
    const size_t made = whole ? *size : good->size;
    uint8_t *bytes = malloc(made > 0 ? made : 1);
    need(bytes != NULL);
    if (whole) {
        memcpy(bytes, data, made);
    } else {
        memcpy(bytes, good->bytes, made);
        for (size_t at = 0; at + 4 < *size;) {
            const size_t place = data[at] | (size_t)data[at + 1] << 8 | (size_t)data[at + 2] << 16;
            const size_t count = data[at + 3];
            at += 4;
            for (size_t i = 0; i < count && at < *size; i++, at++) {
                bytes[(place + i) % made] = data[at];
            }
        }
    }
    *size = made;
    return bytes;
}

static void try_rend(struct rend *rend, const struct good *good, const uint8_t *bytes, size_t size)
{
    if (rend_restore(rend, bytes, size, NULL) == 0) {
        uint8_t *again = malloc(size);
        need(again != NULL && rend_save(rend, again, size) == size);
        free(again);
        step(rend, BEFORE + 1);
        step(rend, BEFORE + 2);
        need(rend_restore(rend, good->bytes, good->size, NULL) == 0);
    }
    step(rend, BEFORE + 1);
    need(memcmp(pixels, good->next, sizeof pixels) == 0);
    need(rend_restore(rend, good->bytes, good->size, NULL) == 0);
}

static void try_show(const uint8_t *bytes, size_t size)
{
    struct rend_cue *cues[REND_ROLES] = {NULL};
    struct rend_saved_cue saved[REND_ROLES];
    (void)rend_show_saved_cues(bytes, size, saved, NULL);
    if (rend_show_restore(show, cues, bytes, size, NULL) == 0) {
        uint8_t *again = malloc(size);
        need(again != NULL && rend_show_save(show, again, size) == size);
        free(again);
        step_show(BEFORE + 1);
        step_show(BEFORE + 2);
        /* Cues that the bytes did not have, or whose time had run out. */
        struct rend_cue *cue = rend_show_retired(show);
        for (; cue != NULL; cue = rend_show_retired(show)) {
            cues[*(const enum rend_role *)rend_cue_user(cue)] = cue;
        }
        need(rend_show_restore(show, cues, show_state.bytes, show_state.size, NULL) == 0);
    }
    step_show(BEFORE + 1);
    need(memcmp(pixels, show_state.next, sizeof pixels) == 0);
    memset(cues, 0, sizeof cues);
    need(rend_show_restore(show, cues, show_state.bytes, show_state.size, NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (patch == NULL) {
        set_up();
    }
    if (size == 0) {
        return 0;
    }
    const int level = (data[0] >> 2 & 3) % LEVELS;
    const bool of_show = (data[0] & 2) != 0;
    const struct good *good = of_show ? &show_state : &states[level];
    size_t made = size - 1;
    uint8_t *bytes = make(good, data + 1, &made, (data[0] & 1) != 0);
    if (of_show) {
        try_show(bytes, made);
    } else {
        try_rend(rends[level], good, bytes, made);
    }
    free(bytes);
    return 0;
}
