/* What the boot loader's command line says: words between blanks.
 *   exact       a frame for each block of sound, however late, each seen, nothing written into it
 *   fps=24|30   frames per second
 *   schedule=NAME  how the coprocessor's programs are scheduled, in place of the compiler's choice:
 *               greedy (as in the thesis), critical, pipelined; last bits of the mesh may differ
 *   patch=TEXT  the first patch: part of its name; _ stands for a blank */
#ifndef APP_MILKYMIST_ONE_SETTINGS_H
#define APP_MILKYMIST_ONE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "pfpu/board.h"

struct board_settings {
    bool exact;
    uint32_t fps;
    bool schedules; /* a scheduler is named */
    enum pfpu_board_scheduler scheduler;
    char patch[64]; /* empty: the first one there is */
};

/* command_line: NULL for none. Words that are none of these are said on the console and passed
 * over.
 */
void board_settings_read(struct board_settings *settings, const char *command_line);

#endif
