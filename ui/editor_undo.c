#include "ui/editor_undo.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

enum { FIRST_STEPS = 64, JOINED_MAX = 1024 /* bytes of a step that still grows */ };

static size_t step_bytes(const struct ui_editor_step *step)
{
    return step->removed + step->inserted;
}

static void drop_newest(struct ui_editor_undo *undo)
{
    struct ui_editor_step *step = &undo->steps[--undo->count];
    undo->bytes -= step_bytes(step);
    free(step->bytes);
}

void ui_editor_undo_clear(struct ui_editor_undo *undo)
{
    while (undo->count > 0) {
        drop_newest(undo);
    }
    free(undo->steps);
    *undo = (struct ui_editor_undo){0};
}

static void forget_undone(struct ui_editor_undo *undo)
{
    while (undo->count > undo->done) {
        drop_newest(undo);
    }
}

/* Drops as many of the oldest steps as the bounds ask for, in one move. */
static void make_room(struct ui_editor_undo *undo, size_t bytes)
{
    size_t dropped = undo->count < UI_EDITOR_UNDO_STEPS ? 0 : UI_EDITOR_UNDO_STEPS / 16;
    size_t held = undo->bytes;
    for (size_t i = 0; i < undo->count; i++) {
        if (i >= dropped && held + bytes <= UI_EDITOR_UNDO_BYTES) {
            break;
        }
        held -= step_bytes(&undo->steps[i]);
        free(undo->steps[i].bytes);
        dropped = i + 1 > dropped ? i + 1 : dropped;
    }
    undo->bytes = held;
    undo->count -= dropped;
    undo->done = undo->count;
    if (dropped > 0) {
        memmove(undo->steps, undo->steps + dropped, undo->count * sizeof *undo->steps);
    }
}

static bool reserve_step(struct ui_editor_undo *undo)
{
    if (undo->count < undo->capacity) {
        return true;
    }
    const size_t capacity = undo->capacity == 0 ? FIRST_STEPS : undo->capacity * 2;
    struct ui_editor_step *steps = realloc(undo->steps, capacity * sizeof *steps);
    if (steps == NULL) {
        return false;
    }
    undo->steps = steps;
    undo->capacity = capacity;
    return true;
}

static void copy_bytes(char *to, struct base_span from)
{
    if (from.size > 0) {
        memcpy(to, from.data, from.size);
    }
}

static struct ui_editor_step *append(struct ui_editor_undo *undo, size_t at,
                                     struct base_span removed, struct base_span inserted,
                                     struct ui_editor_state before)
{
    const size_t size = removed.size + inserted.size;
    char *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL || !reserve_step(undo)) {
        free(bytes);
        return NULL;
    }
    copy_bytes(bytes, removed);
    copy_bytes(bytes + removed.size, inserted);
    forget_undone(undo);
    make_room(undo, size);
    struct ui_editor_step *step = &undo->steps[undo->count++];
    *step = (struct ui_editor_step){at,    removed.size,     inserted.size,
                                    bytes, .before = before, .after = before};
    undo->done = undo->count;
    undo->bytes += size;
    return step;
}

static bool continues(const struct ui_editor_step *step, size_t at, size_t removed,
                      enum ui_editor_run run)
{
    switch (run) {
    case UI_EDITOR_TYPING:
        return removed == 0 && at == step->at + step->inserted;
    case UI_EDITOR_ERASING:
        return at + removed == step->at;
    case UI_EDITOR_DELETING:
        return at == step->at;
    case UI_EDITOR_ALONE:
        break;
    }
    return false;
}

/* The newest step, grown; NULL if the edit does not continue it, or without memory. */
static struct ui_editor_step *join(struct ui_editor_undo *undo, size_t at, struct base_span removed,
                                   struct base_span inserted, enum ui_editor_run run)
{
    if (run == UI_EDITOR_ALONE || run != undo->run || undo->done == 0 ||
        undo->done != undo->count) {
        return NULL;
    }
    struct ui_editor_step *step = &undo->steps[undo->done - 1];
    const size_t more = removed.size + inserted.size;
    const size_t held = step_bytes(step);
    if (!continues(step, at, removed.size, run) || held + more > JOINED_MAX ||
        undo->bytes + more > UI_EDITOR_UNDO_BYTES) {
        return NULL;
    }
    char *bytes = realloc(step->bytes, held + more);
    if (bytes == NULL) {
        return NULL;
    }
    step->bytes = bytes;
    if (run == UI_EDITOR_ERASING) {
        memmove(bytes + removed.size, bytes, held);
        copy_bytes(bytes, removed);
        step->at = at;
    } else {
        copy_bytes(bytes + held, run == UI_EDITOR_TYPING ? inserted : removed);
    }
    step->removed += removed.size;
    step->inserted += inserted.size;
    undo->bytes += more;
    return step;
}

struct ui_editor_step *ui_editor_undo_note(struct ui_editor_undo *undo, size_t at,
                                           struct base_span removed, struct base_span inserted,
                                           enum ui_editor_run run, struct ui_editor_state before)
{
    struct ui_editor_step *step = join(undo, at, removed, inserted, run);
    if (step == NULL) {
        step = append(undo, at, removed, inserted, before);
    }
    if (step != NULL) {
        undo->run = run;
    }
    return step;
}

void ui_editor_undo_break(struct ui_editor_undo *undo)
{
    undo->run = UI_EDITOR_ALONE;
}

const struct ui_editor_step *ui_editor_undo_back(struct ui_editor_undo *undo)
{
    undo->run = UI_EDITOR_ALONE;
    return undo->done > 0 ? &undo->steps[--undo->done] : NULL;
}

const struct ui_editor_step *ui_editor_undo_again(struct ui_editor_undo *undo)
{
    undo->run = UI_EDITOR_ALONE;
    return undo->done < undo->count ? &undo->steps[undo->done++] : NULL;
}
