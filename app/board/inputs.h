/* What reaches the board from outside while it runs: the items PICTURE:NAME=VALUE of --at, and
 * sound. */
#ifndef APP_BOARD_INPUTS_H
#define APP_BOARD_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/io/audio.h"
#include "app/io/live.h"
#include "app/options/options.h"
#include "board/twin/machine.h"

/* A row of inputs.def. */
struct app_board_input_row {
    const char *name;
    const char *value;
    const char *help;
    /* Gives the value to the board, or only checks it if board is NULL. False: it is not valid. */
    bool (*apply)(struct board_twin *board, const char *value);
};

extern const struct app_board_input_row app_board_input_rows[];
extern const size_t app_board_input_row_count;

/* Checks all items of --at. Returns 0, or -1 with a message. */
int app_board_inputs_check(const struct app_list *at, const struct base_diag_sink *sink);

/* Gives the board the inputs of the items whose PICTURE is `pictures`. */
void app_board_inputs_apply(const struct app_list *at, struct board_twin *board, uint64_t pictures);

/* Who hears MIDI, DMX and Open Sound Control without a board. */
struct app_board_listener {
    void *user;
    void (*midi)(void *user, uint8_t byte);
    void (*dmx)(void *user, unsigned channel, uint8_t level); /* channel from 0 */
    /* osc1 to osc4, number from 0; the bits of a number of single precision */
    void (*osc)(void *user, unsigned number, uint32_t word);
};

/* The same two for render: of those items that are midi, dmx and osc, and no others may be there.
 */
int app_board_inputs_check_heard(const struct app_list *at, const struct base_diag_sink *sink);
void app_board_inputs_hear(const struct app_list *at, const struct app_board_listener *listener,
                           uint64_t pictures);

/* Sound as the Milkymist One's codec delivers it: 16 bits, 48000 samples a second. */

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
