/* What was done to a text, to take it back. A step is one replacement of bytes; typing, and erasing
 * in one direction, grow the newest step. Memory is bounded: the oldest steps are dropped. */
#ifndef UI_EDITOR_UNDO_H
#define UI_EDITOR_UNDO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/span.h"

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
