#include "engine/feed/sound.h"

#include <stdlib.h>
#include <string.h>

#include "base/os/thread.h"
#include "engine/rate.h"

enum { BLOCK = 1024 };

struct engine_sound {
    struct base_ring ring;
    enum engine_resample_quality quality;
    uint32_t rate;                    /* of what was added last; 0: nothing so far */
    struct engine_resample *resample; /* NULL: it has our rate */
    bool ended;
    float stereo[2 * BLOCK];
    float converted[2 * BLOCK];
};

struct engine_sound *engine_sound_create(enum engine_resample_quality quality)
{
    struct engine_sound *sound = calloc(1, sizeof *sound);
    if (sound != NULL && base_ring_init(&sound->ring, ENGINE_SOUND_KEPT) != 0) {
        free(sound);
        return NULL;
    }
    if (sound != NULL) {
        sound->quality = quality;
    }
    return sound;
}

void engine_sound_free(struct engine_sound *sound)
{
    if (sound != NULL) {
        engine_resample_destroy(sound->resample);
        base_ring_free(&sound->ring);
        free(sound);
    }
}

int engine_sound_expect(struct engine_sound *sound, uint32_t rate)
{
    if (rate != sound->rate) {
        struct engine_resample *resample = NULL;
        if (rate != ENGINE_SOUND_RATE) {
            resample = engine_resample_create((int)rate, ENGINE_SOUND_RATE, sound->quality);
            if (resample == NULL) {
                return -1;
            }
        }
        engine_resample_destroy(sound->resample);
        sound->resample = resample;
        sound->rate = rate;
    } else if (sound->ended && sound->resample != NULL) {
        engine_resample_reset(sound->resample);
    }
    sound->ended = false;
    return 0;
}

/* Converts and hands over; `last`: nothing follows. */
static void put(struct engine_sound *sound, const float *stereo, size_t frames, bool last)
{
    if (sound->resample == NULL) {
        (void)base_ring_write(&sound->ring, stereo, frames);
        return;
    }
    for (;;) {
        size_t used = frames;
        const size_t given =
            engine_resample_run(sound->resample, stereo, &used, sound->converted, BLOCK, last);
        engine_samples_clean(sound->converted, 2 * given);
        (void)base_ring_write(&sound->ring, sound->converted, given);
        stereo += 2 * used;
        frames -= used;
        if (given == 0 && (used == 0 || frames == 0)) {
            return;
        }
    }
}

int engine_sound_add(struct engine_sound *sound, const float *samples, size_t frames,
                     unsigned channels, uint32_t rate)
{
    if (engine_sound_expect(sound, rate) != 0) {
        return -1;
    }
    while (frames > 0) {
        const size_t count = frames < BLOCK ? frames : BLOCK;
        for (size_t i = 0; i < count; i++) {
            sound->stereo[2 * i] = samples[channels * i];
            sound->stereo[2 * i + 1] = samples[channels * i + channels - 1];
        }
        engine_samples_clean(sound->stereo, 2 * count);
        put(sound, sound->stereo, count, false);
        samples += channels * count;
        frames -= count;
    }
    return 0;
}

int engine_sound_add_int16(struct engine_sound *sound, const int16_t *samples, size_t frames,
                           unsigned channels, uint32_t rate)
{
    if (engine_sound_expect(sound, rate) != 0) {
        return -1;
    }
    while (frames > 0) {
        const size_t count = frames < BLOCK ? frames : BLOCK;
        for (size_t i = 0; i < count; i++) {
            sound->stereo[2 * i] = (float)samples[channels * i] / 32768.0f;
            sound->stereo[2 * i + 1] = (float)samples[channels * i + channels - 1] / 32768.0f;
        }
        put(sound, sound->stereo, count, false);
        samples += channels * count;
        frames -= count;
    }
    return 0;
}

void engine_sound_end(struct engine_sound *sound)
{
    if (!sound->ended) {
        put(sound, sound->stereo, 0, true);
        sound->ended = true;
    }
}

size_t engine_sound_read(struct engine_sound *sound, float *interleaved, size_t frames)
{
    return base_ring_read(&sound->ring, interleaved, frames);
}

size_t engine_sound_waiting(const struct engine_sound *sound)
{
    return base_ring_waiting(&sound->ring);
}

void engine_sound_keep(struct engine_sound *sound, size_t frames)
{
    base_ring_keep(&sound->ring, frames);
}

size_t engine_sound_wanted(const struct engine_sound *sound, size_t frames)
{
    const size_t waiting = base_ring_waiting(&sound->ring);
    if (sound->ended || waiting >= frames) {
        return 0;
    }
    const uint64_t rate = sound->rate > 0 ? sound->rate : ENGINE_SOUND_RATE;
    const uint64_t lacking = (uint64_t)(frames - waiting);
    return (size_t)((lacking * rate + ENGINE_SOUND_RATE - 1) / ENGINE_SOUND_RATE);
}

size_t engine_sound_dropped(const struct engine_sound *sound)
{
    return base_ring_dropped(&sound->ring);
}
