/* What reaches the board from outside while it runs: the items PICTURE:NAME=VALUE of --at. */
#ifndef APP_BOARD_INPUTS_H
#define APP_BOARD_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/board/machine.h"
#include "app/options.h"

/* A row of board_inputs.def. */
struct app_board_input_row {
    const char *name;
    const char *value;
    const char *help;
    /* Gives the value to the board, or only checks it if board is NULL. False: it is not valid. */
    bool (*apply)(struct app_board *board, const char *value);
};

extern const struct app_board_input_row app_board_input_rows[];
extern const size_t app_board_input_row_count;

/* Checks all items of --at. Returns 0, or -1 with a message. */
int app_board_inputs_check(const struct app_list *at, const struct base_diag_sink *sink);

/* Gives the board the inputs of the items whose PICTURE is `pictures`. */
void app_board_inputs_apply(const struct app_list *at, struct app_board *board, uint64_t pictures);

/* Who hears MIDI and DMX without a board. */
struct app_board_listener {
    void *user;
    void (*midi)(void *user, uint8_t byte);
    void (*dmx)(void *user, unsigned channel, uint8_t level); /* channel from 0 */
};

/* The same two for render: of those items that are midi and dmx, and no others may be there. */
int app_board_inputs_check_heard(const struct app_list *at, const struct base_diag_sink *sink);
void app_board_inputs_hear(const struct app_list *at, const struct app_board_listener *listener,
                           uint64_t pictures);

#endif
