/* The settings of this board while it runs: those that the memory card keeps, and those that the
 * boot loader's command line says for this time. For the program, not for tasks; a task may read a
 * number of `settings`. */
#ifndef BOARD_FIRMWARE_SETTINGS_H
#define BOARD_FIRMWARE_SETTINGS_H

#include <stdbool.h>

#include "board/firmware/patches.h"
#include "board/storage/settings.h"

#define BOARD_KEPT_FILE "FROTH.CFG"

struct board_kept {
    struct board_settings settings; /* that count now; the program changes them by settings.h */
    struct board_settings saved;    /* as they are kept */
    struct board_settings commanded;
    bool is_commanded[BOARD_SETTINGS]; /* by the command line: `commanded` has its value */
};

/* The defaults. */
void board_kept_begin(struct board_kept *kept);

/* What the command line says counts in place of what is kept. False if the row does not allow it.
 */
bool board_kept_command(struct board_kept *kept, enum board_setting setting,
                        struct base_span value);

/* What is to be kept: the settings that count, without what only the command line says. */
struct board_settings board_kept_wanted(const struct board_kept *kept);

/* Whether that is something else than what is kept. */
bool board_kept_changed(const struct board_kept *kept);

/* Takes the settings from the card that is there, if it has any; not those of the command line, and
 * none while some were changed and are not kept yet. False with a message. */
bool board_kept_load(struct board_kept *kept, struct board_patches *patches,
                     const struct base_diag_sink *sink);

/* Keeps them on the card. What the card had is whole until the new ones are, whenever the power
 * goes. False with a message. */
bool board_kept_save(struct board_kept *kept, struct board_patches *patches,
                     const struct base_diag_sink *sink);

#endif
