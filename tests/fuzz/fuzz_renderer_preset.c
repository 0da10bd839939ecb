/* Whole presets: whatever bytes come in, they are refused or loaded and drawn for some frames, of
 * which the first are the same at every level of the processor. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "presets/presets.h"
#include "renderer/renderer.h"

enum { WIDTH = 64, HEIGHT = 48, STRIDE = WIDTH + 3, FRAMES = 30, COMPARED = 6, FPS = 30 };
enum { SAMPLES = REND_AUDIO_RATE / FPS };

static const uint32_t canary = 0xC0FFEE11;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A tone that sweeps up, under noise, with a beat. */
static void make_sound(float *samples, uint64_t frame)
{
    struct base_rng rng;
    base_rng_seed(&rng, 7, frame);
    const float loud = frame % 12 == 0 ? 0.9f : 0.2f;
    for (int i = 0; i < SAMPLES; i++) {
        const int period = 400 - (int)(frame * 9 % 350);
        const float tone = (float)(i % period) / (float)period - 0.5f;
        const float noise = (float)(base_rng_next(&rng) >> 8) / 16777216.0f - 0.5f;
        samples[2 * i] = loud * (tone + noise);
        samples[2 * i + 1] = loud * (tone - noise);
    }
}

static void check_canaries(const uint32_t *pixels)
{
    for (size_t y = 0; y < HEIGHT; y++) {
        for (size_t x = WIDTH; x < STRIDE; x++) {
            if (pixels[y * STRIDE + x] != canary) {
                abort();
            }
        }
    }
}

/* Draws up to so many frames and keeps a hash of each; returns how many. A frame that uses up its
 * budget is slow, and the last: those after it show nothing new. */
static int draw(struct rend *rend, int frames, uint64_t hashes[FRAMES])
{
    static float samples[2 * SAMPLES];
    static uint32_t pixels[HEIGHT * STRIDE];
    const unsigned hungry = REND_EVENT_BUDGET | REND_EVENT_FILL | REND_EVENT_SHADER;
    for (size_t i = 0; i < sizeof pixels / sizeof *pixels; i++) {
        pixels[i] = canary;
    }
    for (int i = 0; i < frames; i++) {
        const uint64_t frame = (uint64_t)i + 1;
        make_sound(samples, frame);
        const struct rend_input input = {.frame = frame,
                                         .time = (double)frame / FPS,
                                         .fps = FPS,
                                         .audio = samples,
                                         .audio_frames = SAMPLES};
        const unsigned events = rend_step(rend, &input, pixels, STRIDE);
        hashes[i] = base_hash(0, pixels, sizeof pixels);
        check_canaries(pixels);
        if ((events & hungry) != 0) {
            return i + 1;
        }
    }
    return frames;
}

static int play(const struct rend_patch *patch, enum base_cpu_level level, int frames,
                uint64_t hashes[FRAMES])
{
    struct rend *rend = rend_create(&(struct rend_config){
        .width = WIDTH, .height = HEIGHT, .mesh_x = 12, .mesh_y = 10, .fps = FPS, .cpu = level});
    int drawn = 0;
    if (rend != NULL && rend_load(rend, patch, 10, NULL) == 0) {
        drawn = draw(rend, frames, hashes);
    }
    rend_free(rend);
    return drawn;
}

static void play_at_levels(const struct rend_patch *patch)
{
    uint64_t best[FRAMES];
    uint64_t plain[FRAMES];
    const int frames = play(patch, base_cpu_best(), FRAMES, best);
    const int again = play(patch, BASE_CPU_PLAIN, frames < COMPARED ? frames : COMPARED, plain);
    if (frames > 0 && again > 0 && memcmp(best, plain, (size_t)again * sizeof *best) != 0) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct preset preset;
    if (preset_read(&preset, "fuzz.milk", data, size, NULL) != 0) {
        return 0;
    }
    struct rend_patch *patch = rend_patch_create(&preset, NULL, NULL);
    preset_free(&preset);
    if (patch == NULL) {
        return 0;
    }
    play_at_levels(patch);
    rend_patch_free(patch);
    return 0;
}
