/* Inside ui/editor: the editor's parts, what its actions share, and the actions as a table, for its
 * help. */
#ifndef UI_EDITOR_MODEL_H
#define UI_EDITOR_MODEL_H

#include <stddef.h>

#include "ui/editor/editor.h"
#include "ui/editor/text.h"

struct ui_editor_action_row {
    const char *keys; /* divided by blanks */
    const char *help;
};

enum {
#define UI_EDITOR_MOVE(action, ...) UI_EDITOR_ACTION_##action,
#define UI_EDITOR_DO(action, ...)   UI_EDITOR_ACTION_##action,
#include "ui/editor/actions.def"
    UI_EDITOR_ACTION_ROWS,
};

extern const struct ui_editor_action_row ui_editor_action_rows[UI_EDITOR_ACTION_ROWS];

/* What of the text is on the screen; drawing keeps it. */
struct ui_editor_view {
    struct ui_scroll scroll;
    size_t left;         /* columns beside the first one shown */
    size_t page;         /* whole rows shown */
    bool reveal;         /* the cursor moved and is to be in sight */
    bool dragging;       /* the mouse selects */
    double still_since;  /* when the cursor came to rest; it then blinks */
    uint64_t moves_seen; /* `moves` of the last frame */
    int strip_rows;      /* below the text */
};

struct ui_editor {
    struct ui_editor_text text;
    struct ui_editor_undo undo;
    struct ui_editor_state state;
    size_t goal;          /* column that moves up and down keep to; SIZE_MAX: that of the cursor */
    const char *line_end; /* where the text has none */
    char *clipboard;
    size_t clipboard_size;
    uint64_t revision;
    uint64_t moves; /* rises when the cursor is put somewhere */
    struct base_diag messages[UI_EDITOR_MESSAGES];
    size_t message_count;
    struct ui_editor_view view;
};

/* The selection's ends in their order. */
size_t ui_editor_from(const struct ui_editor *editor);
size_t ui_editor_to(const struct ui_editor *editor);

/* Lines the selection touches, from 0; a line of which it has only the very start is left out. */
struct ui_editor_lines {
    size_t first;
    size_t last;
};
struct ui_editor_lines ui_editor_lines(const struct ui_editor *editor);

/* Puts the cursor at a place, which is brought to a proper one; anchor stays if `selects`. */
void ui_editor_put(struct ui_editor *editor, size_t at, bool selects);

/* LF, CR LF or CR, as the text has it. */
struct base_span ui_editor_line_end(const struct ui_editor *editor);

/* Replaces bytes as a step of undo, or as a part of one. after: where cursor and anchor stand then;
 * NULL: after the inserted bytes. False if nothing happened: no memory, too long, or no change. */
bool ui_editor_edit(struct ui_editor *editor, size_t at, size_t removed, struct base_span inserted,
                    enum ui_editor_run run, const struct ui_editor_state *after);

/* Replaces the selection by a text whose line ends become those of the editor's text. */
bool ui_editor_insert(struct ui_editor *editor, struct base_span text, enum ui_editor_run run);

/* Places that moves lead to; also for the mouse. */
struct ui_editor_state ui_editor_word_at(const struct ui_editor *editor, size_t at);
size_t ui_editor_word_before(const struct ui_editor *editor, size_t at);
size_t ui_editor_word_after(const struct ui_editor *editor, size_t at);

/* Message of the worst severity at a line (from 0), NULL if there is none. */
const struct base_diag *ui_editor_message_at(const struct ui_editor *editor, size_t line);

#endif
