/* Saved states of libfroth: whatever bytes come in, they are refused or played, and afterwards a
 * good state gives the picture that it always gives.
 *
 * The first byte chooses. Bit 0: the rest is the state; else it is a list of changes to a good one,
 * in the middle of a transition, each of an offset (3 bytes), a count (1) and so many bytes. Bit 1:
 * of an instance that has never seen the presets of the state. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/embed/froth.h"

enum { SIDE = 16, BEFORE = 12, SAMPLES = 735 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char first[] =
    "[preset00]\nfDecay=0.9\nzoom=1.02\nper_frame_1=mine=mine+rand(9);rot=mine*0.01;\n";
static const char second[] =
    "[preset00]\nfDecay=0.98\nnWaveMode=2\nper_frame_1=wave_r=q1;q1=q1+0.1;\n";

static froth *shows[2]; /* one that has seen the presets, and one that has not */
static uint8_t *good;
static size_t good_size;
static uint32_t pixels[SIDE * SIDE];
static uint32_t next[SIDE * SIDE];

static void need(int is)
{
    if (!is) {
        abort();
    }
}

static int draw(froth *show)
{
    static float samples[2 * SAMPLES];
    const struct froth_picture picture = {pixels, 4 * SIDE, SIDE, SIDE, FROTH_BGRX};
    for (int i = 0; i < 2 * SAMPLES; i++) {
        samples[i] = (float)(i * 13 % 200 - 100) / 128.0f;
    }
    while (froth_sound_wanted(show) > 0 && froth_sound_waiting(show) < 4 * SAMPLES) {
        need(froth_add_sound_float(show, samples, SAMPLES, 2, 44100) == FROTH_OK);
    }
    return froth_render(show, &picture);
}

static void set_up(void)
{
    struct froth_config config;
    need(froth_config_begin(&config, sizeof config) == FROTH_OK);
    config.exact = 1;
    config.threads = 1;
    config.width = SIDE;
    config.height = SIDE;
    config.mesh_width = 2;
    config.mesh_height = 2;
    config.transition = "fade";
    for (int i = 0; i < 2; i++) {
        shows[i] = froth_create(&config, NULL);
        need(shows[i] != NULL);
    }
    froth *show = shows[0];
    need(froth_load_text(show, "first", first, sizeof first - 1, FROTH_SOFT) == FROTH_OK);
    for (int i = 0; i < BEFORE; i++) {
        need(draw(show) == FROTH_OK);
    }
    need(froth_load_text(show, "second", second, sizeof second - 1, FROTH_SOFT) == FROTH_OK);
    need(draw(show) == FROTH_OK && froth_changes(show) == 1);
    good_size = froth_save_size(show);
    good = malloc(good_size);
    need(good != NULL && froth_save(show, good, good_size, NULL) == FROTH_OK);
    need(draw(show) == FROTH_OK);
    memcpy(next, pixels, sizeof next);
}

/* A state out of the input, in memory of exactly its size. */
static uint8_t *make(const uint8_t *data, size_t *size, int whole)
{
    const size_t made = whole ? *size : good_size;
    uint8_t *bytes = malloc(made > 0 ? made : 1);
    need(bytes != NULL);
    if (whole) {
        memcpy(bytes, data, made);
    } else {
        memcpy(bytes, good, made);
        for (size_t at = 0; at + 4 < *size;) {
            const size_t place = data[at] | (size_t)data[at + 1] << 8 | (size_t)data[at + 2] << 16;
            const size_t count = data[at + 3];
            at += 4;
            for (size_t i = 0; i < count && at < *size; i++, at++) {
                if (place + i < made) {
                    bytes[place + i] = data[at];
                }
            }
        }
    }
    *size = made;
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (good == NULL) {
        set_up();
    }
    if (size == 0) {
        return 0;
    }
    const uint8_t choice = data[0];
    froth *show = shows[choice >> 1 & 1];
    size--;
    uint8_t *bytes = make(data + 1, &size, choice & 1);
    if (froth_restore(show, bytes, size) == FROTH_OK) {
        (void)draw(show);
    }
    free(bytes);
    need(froth_restore(show, good, good_size) == FROTH_OK);
    need(draw(show) == FROTH_OK);
    need(memcmp(pixels, next, sizeof next) == 0);
    return 0;
}
