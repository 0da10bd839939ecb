/* Sound into a WAV file: 16 bits, stereo. Written beside its final name and renamed at the end. One
 * thread at a time. */
#ifndef APP_IO_WAVE_H
#define APP_IO_WAVE_H

#include <stdint.h>

#include "base/diag.h"

struct app_wave;

/* name: kept by reference. NULL with a message if it cannot be written, or is a folder or a device.
 */
struct app_wave *app_wave_create(const char *name, uint32_t rate,
                                 const struct base_diag_sink *sink);

/* Adds a pair of samples: left, right. What goes wrong is told at the end. */
void app_wave_put(struct app_wave *wave, const int16_t pair[2]);

/* Completes and renames. Returns 0, or -1 with a message and no file; frees. */
int app_wave_finish(struct app_wave *wave, const struct base_diag_sink *sink);

/* Removes what was begun and frees. NULL is fine. */
void app_wave_discard(struct app_wave *wave);

#endif
