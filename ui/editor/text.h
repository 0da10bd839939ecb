/* The bytes of a text under edit and where its lines start. A line ends with LF, CR LF or CR, as
 * the reader of presets counts them. A place is an offset in bytes, 0..size; proper places are
 * those between whole code points and not inside a CR LF. Bytes that are no UTF-8 are code points
 * of one byte. */
#ifndef UI_EDITOR_TEXT_H
#define UI_EDITOR_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { UI_EDITOR_TAB = 4 };

struct ui_editor_text {
    char *data; /* NUL behind the last byte */
    size_t size;
    size_t capacity; /* without the NUL */
    uint32_t *starts;
    size_t count; /* of lines, at least 1 */
    size_t line_capacity;
};

/* An empty text; false without memory. */
bool ui_editor_text_init(struct ui_editor_text *text);
void ui_editor_text_free(struct ui_editor_text *text);

/* Room for a splice that puts in `inserted`; false without memory, nothing changed. */
bool ui_editor_text_reserve(struct ui_editor_text *text, struct base_span inserted);

/* Puts `inserted`, which is not part of the text, in place of `removed` bytes. Needs
 * ui_editor_text_reserve before it; cannot fail. */
void ui_editor_text_splice(struct ui_editor_text *text, size_t at, size_t removed,
                           struct base_span inserted);

/* Lines count from 0 here. */
size_t ui_editor_text_line_of(const struct ui_editor_text *text, size_t at);
size_t ui_editor_text_start(const struct ui_editor_text *text, size_t line);
size_t ui_editor_text_end(const struct ui_editor_text *text, size_t line); /* before its end */
size_t ui_editor_text_next_start(const struct ui_editor_text *text, size_t line); /* or size */
struct base_span ui_editor_text_line(const struct ui_editor_text *text, size_t line);
struct base_span ui_editor_text_part(const struct ui_editor_text *text, size_t from, size_t to);

/* The nearest proper place at or before; the next and the one before (they stay at the ends). */
size_t ui_editor_text_snap(const struct ui_editor_text *text, size_t at);
size_t ui_editor_text_after(const struct ui_editor_text *text, size_t at);
size_t ui_editor_text_before(const struct ui_editor_text *text, size_t at);

/* Code points between two proper places of one line, and the place that many further on, at most
 * `end`. */
size_t ui_editor_text_points(const struct ui_editor_text *text, size_t from, size_t to);
size_t ui_editor_text_skip(const struct ui_editor_text *text, size_t from, size_t points,
                           size_t end);

/* Columns on the screen, from 0: a code point takes one, those of East Asia two, an accent that
 * joins the one before none, and a tab leads to the next multiple of UI_EDITOR_TAB.
 * ui_editor_column_behind: behind a code point at this column. ui_editor_columns: of a line's
 * beginning. ui_editor_at_column: how many bytes of the line lie before the column; *reached, if
 * not NULL, is the column of that place, at most the one asked for. Fast where the text is ASCII
 * without tabs. */
size_t ui_editor_column_behind(size_t column, uint32_t code);
size_t ui_editor_columns(struct base_span beginning);
size_t ui_editor_at_column(struct base_span line, size_t column, size_t *reached);

/* A line of a preset, cut into pieces of one kind. Each line stands for itself: nothing is carried
 * over from the lines above. */

enum ui_editor_token_kind {
#define UI_EDITOR_TOKEN(kind, ...) UI_EDITOR_##kind,
#include "ui/editor/tokens.def"
    UI_EDITOR_TOKEN_KINDS,
};

extern const uint32_t ui_editor_token_colours[UI_EDITOR_TOKEN_KINDS]; /* 0x00RRGGBB */

/* Bytes first..end - 1 of the line. */
struct ui_editor_token {
    enum ui_editor_token_kind kind;
    size_t first;
    size_t end;
};

struct ui_editor_tokens {
    struct base_span line;
    size_t at;
    size_t value;    /* where the value starts; 0: the line has no key */
    bool is_program; /* the value is a line of equations or of a shader */
};

/* A line without its end; its bytes stay with the caller. */
struct ui_editor_tokens ui_editor_tokens_of(struct base_span line);

/* The next piece; each is at least a byte long, together they are the line. False at its end. */
bool ui_editor_tokens_next(struct ui_editor_tokens *words, struct ui_editor_token *word);

/* What was done to a text, to take it back. A step is one replacement of bytes; typing, and erasing
 * in one direction, grow the newest step. Memory is bounded: the oldest steps are dropped. */

enum { UI_EDITOR_UNDO_STEPS = 4096, UI_EDITOR_UNDO_BYTES = 8 * 1024 * 1024 };

/* Where the operator was, in bytes. The selection lies between; equal: there is none. */
struct ui_editor_state {
    size_t cursor;
    size_t anchor;
};

/* What may join a step. */
enum ui_editor_run { UI_EDITOR_ALONE, UI_EDITOR_TYPING, UI_EDITOR_ERASING, UI_EDITOR_DELETING };

struct ui_editor_step {
    size_t at;
    size_t removed;
    size_t inserted;
    char *bytes; /* what was removed, then what was put in */
    struct ui_editor_state before;
    struct ui_editor_state after;
};

struct ui_editor_undo {
    struct ui_editor_step *steps; /* oldest first */
    size_t count;
    size_t done; /* of them; the others can be done again */
    size_t capacity;
    size_t bytes;           /* held by all steps */
    enum ui_editor_run run; /* what may join the newest step */
};

/* Zero-initialised it is empty. */
void ui_editor_undo_clear(struct ui_editor_undo *undo);

/* Notes a replacement that is about to be made, as a step of its own or, where `run` allows, in the
 * newest one. Forgets what could have been done again. Returns the step, NULL without memory: then
 * all is as before. The step's `after` is for the caller to fill in. */
struct ui_editor_step *ui_editor_undo_note(struct ui_editor_undo *undo, size_t at,
                                           struct base_span removed, struct base_span inserted,
                                           enum ui_editor_run run, struct ui_editor_state before);

/* Nothing joins the newest step any more. */
void ui_editor_undo_break(struct ui_editor_undo *undo);

/* The step to take back or to do again, counted as such; NULL if there is none. */
const struct ui_editor_step *ui_editor_undo_back(struct ui_editor_undo *undo);
const struct ui_editor_step *ui_editor_undo_again(struct ui_editor_undo *undo);

#endif
