/* What a board's account says, as text and as JSON. */
#ifndef APP_BOARD_ACCOUNT_TEXT_H
#define APP_BOARD_ACCOUNT_TEXT_H

#include <stdio.h>

#include "app/board/machine.h"

/* seconds: of this machine's time, that the board took. */
void app_board_account_print(FILE *out, const struct app_board *board, double seconds);

/* One object on one line. Cycles are those of a frame of the show, rates those of the show; nothing
 * depends on the machine that it runs on. */
void app_board_account_json(FILE *out, const struct app_board *board);

#endif
