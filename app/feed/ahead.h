/* A source of sound that a thread of its own reads ahead, for a reader who must not wait: a decoder
 * may hang, and going to another place starts one. */
#ifndef APP_FEED_AHEAD_H
#define APP_FEED_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/io/audio.h"

struct app_ahead;

/* Begins to read the source, which stands at `frame`. It stays the caller's, who leaves it alone
 * until app_ahead_stop, but for app_audio_error once it has ended. NULL without memory or threads.
 */
struct app_ahead *app_ahead_start(struct app_audio *source, uint64_t frame);

/* Ends the thread. A decoder that hangs is waited for, unless app_audio_stop was called before.
 * NULL is fine. */
void app_ahead_stop(struct app_ahead *ahead);

/* One reader's thread; neither waits, locks nor allocates. Fills `frames` stereo frames with those
 * of the source from `frame` on, which never goes back; silence stands for what has not come yet or
 * does not exist, and that will not be given any more. Returns how many came from the source. After
 * a leap of more than two seconds the source leaps as well. */
size_t app_ahead_read(struct app_ahead *ahead, uint64_t frame, float *interleaved, size_t frames);

/* Reader's thread: the source has ended, or broken off, and all it had was read. */
bool app_ahead_ended(const struct app_ahead *ahead);

#endif
