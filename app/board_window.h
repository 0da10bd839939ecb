/* The twin of the board in a window, at the board's own pace. */
#ifndef APP_BOARD_WINDOW_H
#define APP_BOARD_WINDOW_H

#include "app/board/machine.h"
#include "base/diag.h"

/* Runs the board until it stops, reaches the cycle, or the window is closed. The keys 1 to 3 hold
 * its buttons down for a tenth of a second, other characters go to its console. Where the machine
 * is too slow the board's time is. Returns 0, or -1 with a message if there is no window. */
int app_board_window(struct app_board *board, uint64_t last, const struct base_diag_sink *sink);

#endif
