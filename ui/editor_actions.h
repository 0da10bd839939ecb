/* Inside ui/editor*: what the keys do, one function for each row of editor_keys.def. */
#ifndef UI_EDITOR_ACTIONS_H
#define UI_EDITOR_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct ui_editor;

/* A move returns where the cursor goes; an action does what it does. */
#define UI_EDITOR_MOVE(action, ...)                                                                \
    size_t ui_editor_move_##action(const struct ui_editor *editor, bool selects);
#define UI_EDITOR_DO(action, ...) void ui_editor_do_##action(struct ui_editor *editor);
#include "ui/editor_keys.def"

#endif
