/* Sound as the Milkymist One's codec delivers it: 16 bits, 48000 samples a second. */
#ifndef APP_BOARD_SOUND_H
#define APP_BOARD_SOUND_H

#include <stddef.h>
#include <stdint.h>

#include "app/io/audio.h"
#include "app/io/live.h"

enum { APP_BOARD_CHUNK = 256 };

/* Plain data; begins with the audio set and all else 0. One thread at a time. */
struct app_board_sound {
    struct app_audio *audio;
    struct app_live *live; /* in place of audio: what is heard; NULL: none */
    uint64_t written;      /* pairs that were delivered */
    uint64_t read;         /* pairs of the audio that were taken */
    int32_t pair[2][2];    /* the last two of them, older first: left, right */
    float chunk[2 * APP_BOARD_CHUNK];
    size_t chunk_count;
    size_t chunk_at;
};

/* Fills `count` pairs of samples: on straight lines between those of the audio, and silence after
 * its end. The same bits on every machine. */
void app_board_sound_read(struct app_board_sound *sound, int16_t *samples, size_t count);

#endif
