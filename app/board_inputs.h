/* What reaches the board from outside while it runs: inputs at certain pictures. */
#ifndef APP_BOARD_INPUTS_H
#define APP_BOARD_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "app/board/machine.h"
#include "app/options.h"

/* Checks all items of --at. Returns 0, or -1 with a message. */
int app_board_inputs_check(const struct app_list *at, const struct base_diag_sink *sink);

/* Carries out those that belong behind so many pictures. */
void app_board_inputs_apply(const struct app_list *at, struct app_board *board, uint64_t pictures);

#endif
