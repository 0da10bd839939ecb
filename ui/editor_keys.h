/* The keys of the text editor with what they do, for its help. */
#ifndef UI_EDITOR_KEYS_H
#define UI_EDITOR_KEYS_H

#include <stddef.h>

struct ui_editor_key_row {
    const char *keys; /* divided by blanks */
    const char *help;
};

enum {
#define UI_EDITOR_MOVE(action, ...) UI_EDITOR_KEY_##action,
#define UI_EDITOR_DO(action, ...)   UI_EDITOR_KEY_##action,
#include "ui/editor_keys.def"
    UI_EDITOR_KEY_ROWS,
};

extern const struct ui_editor_key_row ui_editor_key_rows[UI_EDITOR_KEY_ROWS];

#endif
