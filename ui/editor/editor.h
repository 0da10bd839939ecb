/* A text editor for presets: lines of UTF-8 text, cursor, selection, undo, messages at their lines.
 * The model knows no window; editing allocates and belongs to the operator's thread. */
#ifndef UI_EDITOR_EDITOR_H
#define UI_EDITOR_EDITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "ui/toolkit/imui.h"

enum { UI_EDITOR_MAX = 1024 * 1024, UI_EDITOR_MESSAGES = 32 };

struct ui_editor;

struct ui_editor *ui_editor_create(void); /* empty; NULL without memory */
void ui_editor_free(struct ui_editor *editor);

/* Another text; cursor at the top, nothing to undo. Line ends may be LF or CR LF; the kind is kept.
 * Returns 0, or -1 without memory or if the text is longer than UI_EDITOR_MAX: then nothing
 * changes. */
int ui_editor_load(struct ui_editor *editor, struct base_span text);

/* The whole text as it would stand in a file, owned by the editor, valid until it changes; its data
 * is NUL-terminated. {NULL, 0} without memory. */
struct base_span ui_editor_text(struct ui_editor *editor);

/* Rises with each change of the text; the same number means the same text. */
uint64_t ui_editor_revision(const struct ui_editor *editor);

/* Replaces the text as one step of undo: cursor and scroll position stay where they can. */
int ui_editor_replace(struct ui_editor *editor, struct base_span text);

/* One key (names as in bindings) or typed text. Keys: arrows, Home, End, PageUp, PageDown,
 * Ctrl+Left, Ctrl+Right, Ctrl+Home, Ctrl+End, each with Shift to select; Enter (keeps the
 * indentation), Tab (four blanks), Backspace, Delete, Ctrl+Backspace, Ctrl+A, Ctrl+C, Ctrl+X,
 * Ctrl+V, Ctrl+Z, Ctrl+Y, Ctrl+Shift+Z, Ctrl+D (doubles the line), Ctrl+/ (comment on or off),
 * Alt+Up, Alt+Down (move the line). Returns whether the key was its own. An edit without memory, or
 * one that would make the text too long, does nothing. */
bool ui_editor_key(struct ui_editor *editor, const char *key);
void ui_editor_type(struct ui_editor *editor, struct base_span text);

/* What was cut or copied last, for the window's clipboard; and what Ctrl+V puts in. */
struct base_span ui_editor_clipboard(const struct ui_editor *editor);
int ui_editor_set_clipboard(struct ui_editor *editor, struct base_span text);

bool ui_editor_undo(struct ui_editor *editor); /* false if there is nothing */
bool ui_editor_redo(struct ui_editor *editor);

/* Cursor, counted from 1, column in code points. */
void ui_editor_cursor(const struct ui_editor *editor, size_t *line, size_t *column);
void ui_editor_go(struct ui_editor *editor, size_t line, size_t column);
/* Finds the next place of the text after the cursor, going on at the start after the end, and
 * selects it. Case is ignored. */
bool ui_editor_find(struct ui_editor *editor, struct base_span wanted);

/* Messages shown at their line and column; copied. Lines that changed since keep theirs. */
void ui_editor_set_messages(struct ui_editor *editor, const struct base_diag *messages,
                            size_t count);

/* Draws the editor into the rectangle and lets it take keys, typing, mouse and wheel from the
 * interface's input while it has the keyboard: line numbers, text in the fixed-width font with
 * keys, comments and numbers set apart, selection, cursor, the message of the cursor's line below,
 * marks in the margin. True when the text changed. */
bool ui_editor_draw(struct ui_imui *ui, uint32_t id, struct ui_rect rect, struct ui_editor *editor);

#endif
