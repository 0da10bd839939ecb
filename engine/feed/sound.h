/* Sound on its way from who has it to a show: any rate, one or two channels, floats or whole
 * numbers, from a thread of its own. */
#ifndef ENGINE_FEED_SOUND_H
#define ENGINE_FEED_SOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/resample.h"

enum { ENGINE_SOUND_RATE_MIN = 1000, ENGINE_SOUND_RATE_MAX = 768000 };

struct engine_sound;

/* quality: of what has another rate than ENGINE_SOUND_RATE. NULL without memory. */
struct engine_sound *engine_sound_create(enum engine_resample_quality quality);
void engine_sound_free(struct engine_sound *sound); /* NULL is fine */

/* The writer's, or before there is one: makes ready for this rate, so that adding allocates
 * nothing. Returns 0, or -1 without memory. */
int engine_sound_expect(struct engine_sound *sound, uint32_t rate);

/* The writer's, one thread at a time. Adds `frames` of `channels` (1 or 2) interleaved samples,
 * -1..1, of `rate` a second (ENGINE_SOUND_RATE_MIN..ENGINE_SOUND_RATE_MAX). Room is for
 * ENGINE_SOUND_KEPT: what does not fit is dropped. Neither locks nor waits, and allocates only
 * where the rate is another than before. Returns 0, or -1 without memory for that. */
int engine_sound_add(struct engine_sound *sound, const float *samples, size_t frames,
                     unsigned channels, uint32_t rate);

/* The same of whole numbers, -32768..32767. */
int engine_sound_add_int16(struct engine_sound *sound, const int16_t *samples, size_t frames,
                           unsigned channels, uint32_t rate);

/* The writer's: nothing follows, so what the conversion holds back comes too. What is added later
 * is another sound. */
void engine_sound_end(struct engine_sound *sound);

/* The reader's, one thread at a time: at most `frames` stereo frames at ENGINE_SOUND_RATE, and how
 * many wait. Neither locks, waits nor allocates. */
size_t engine_sound_read(struct engine_sound *sound, float *interleaved, size_t frames);
size_t engine_sound_waiting(const struct engine_sound *sound);

/* The reader's: drops the oldest until at most `frames` wait. */
void engine_sound_keep(struct engine_sound *sound, size_t frames);

/* Reader's, where it is the writer as well: frames, of the rate that was added last, after which so
 * many will wait; it may take some more, since the conversion looks ahead: ask again. 0 at the end
 * of the sound. */
size_t engine_sound_wanted(const struct engine_sound *sound, size_t frames);

/* Any thread: frames, at ENGINE_SOUND_RATE, that were dropped so far. */
size_t engine_sound_dropped(const struct engine_sound *sound);

#endif
