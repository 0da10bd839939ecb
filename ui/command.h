/* The command table of the window. Keys, and whatever else steers froth, all end in a command. */
#ifndef UI_COMMAND_H
#define UI_COMMAND_H

#include "base/span.h"

enum ui_command {
    UI_COMMAND_NONE,
#define UI_COMMAND(id, ...) UI_COMMAND_##id,
#include "ui/commands.def"
    UI_COMMAND_COUNT,
};

struct ui_command_row {
    const char *name;
    const char *keys; /* divided by blanks */
    const char *help;
};

/* Indexed by enum ui_command; the texts of UI_COMMAND_NONE are empty. */
extern const struct ui_command_row ui_command_rows[UI_COMMAND_COUNT];

/* UI_COMMAND_NONE if the key is bound to nothing, or there is no such name. ASCII case is ignored.
 */
enum ui_command ui_command_by_key(struct base_span key);
enum ui_command ui_command_by_name(struct base_span name);

/* Takes the next key name off the front of *keys; empty when none is left. */
struct base_span ui_command_next_key(struct base_span *keys);

#endif
