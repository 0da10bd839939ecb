/* What a board's account says, as text and as JSON. */
#ifndef APP_BOARD_ACCOUNT_H
#define APP_BOARD_ACCOUNT_H

#include <stdio.h>

#include "app/options/options.h"
#include "base/os/file.h"
#include "board/twin/account.h"
#include "board/twin/machine.h"

/* seconds: of this machine's time, that the board took. */
void app_board_account_print(FILE *out, const struct board_twin *board, double seconds);

/* One object on one line. Cycles are those of a frame of the show, rates those of the show; nothing
 * depends on the machine that it runs on. */
void app_board_account_json(FILE *out, const struct board_twin *board);

/* froth board --profile: which functions of the boot image the cycles went to. */

struct app_board_profiler {
    struct board_twin_profile profile;
    struct base_file elf;
    uint64_t first; /* cycles count after this picture was shown, */
    uint64_t end;   /* and no longer after this one */
};

/* Reads the ELF file of --profile and lets the board be looked at; does nothing if that is not
 * given. Returns 0, or -1 with a message. app_board_profiler_free is needed in any case. */
int app_board_profiler_begin(struct app_board_profiler *profiler, const struct app_options *options,
                             struct board_twin *board, const struct base_diag_sink *sink);

/* To be told whenever a picture was shown; pictures: how many there were until now. */
void app_board_profiler_picture(struct app_board_profiler *profiler, uint64_t pictures);

/* Prints the table: functions, sorted by the cycles that they spent themselves, each with the
 * functions that called it. Nothing if no picture counts. */
void app_board_profiler_print(struct app_board_profiler *profiler, FILE *out);
void app_board_profiler_free(struct app_board_profiler *profiler);

#endif
