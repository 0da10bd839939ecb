/* froth board --profile: which functions of the boot image the cycles went to. */
#ifndef APP_BOARD_PROFILER_H
#define APP_BOARD_PROFILER_H

#include <stdio.h>

#include "app/board/profile.h"
#include "app/options.h"
#include "base/file.h"

struct app_board_profiler {
    struct app_board_profile profile;
    struct base_file elf;
    uint64_t first; /* cycles count after this picture was shown, */
    uint64_t end;   /* and no longer after this one */
};

/* Reads the ELF file of --profile and lets the board be looked at; does nothing if that is not
 * given. Returns 0, or -1 with a message. app_board_profiler_free is needed in any case. */
int app_board_profiler_begin(struct app_board_profiler *profiler, const struct app_options *options,
                             struct app_board *board, const struct base_diag_sink *sink);

/* To be told whenever a picture was shown; pictures: how many there were until now. */
void app_board_profiler_picture(struct app_board_profiler *profiler, uint64_t pictures);

/* Prints the table: functions, sorted by the cycles that they spent themselves, each with the
 * functions that called it. Nothing if no picture counts. */
void app_board_profiler_print(struct app_board_profiler *profiler, FILE *out);
void app_board_profiler_free(struct app_board_profiler *profiler);

#endif
