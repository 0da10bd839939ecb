/* What reaches the board from outside while it runs: sound, and inputs at certain pictures. */
#ifndef APP_BOARD_INPUTS_H
#define APP_BOARD_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "app/board/machine.h"
#include "app/io/audio.h"
#include "app/options.h"

enum { APP_BOARD_SOUND_BLOCK = 1024 };

/* Frames at 44100 per second, from which those at 48000 are interpolated: exact on every machine.
 */
struct app_board_source {
    struct app_audio *audio; /* NULL: silence. The caller's */
    float block[2 * APP_BOARD_SOUND_BLOCK];
    size_t count; /* frames in the block */
    size_t at;
    int32_t before[2]; /* the frames around the moment */
    int32_t behind[2];
    unsigned phase; /* of the moment between them, in units of 1/160 */
};

/* The next frame at 48000 per second. Behind the end there is silence. */
void app_board_source_next(struct app_board_source *source, int16_t frame[2]);

/* Checks all items of --at. Returns 0, or -1 with a message. */
int app_board_inputs_check(const struct app_list *at, const struct base_diag_sink *sink);

/* Carries out those that belong behind so many pictures. */
void app_board_inputs_apply(const struct app_list *at, struct app_board *board, uint64_t pictures);

#endif
