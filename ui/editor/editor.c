#include "ui/editor/editor.h"

#include <assert.h>
#include <stdlib.h>

#include "ui/editor/model.h"

enum { FIRST_PAGE = 20, WANTED_MAX = 256 };

static const char line_feed[] = "\n";
static const char both[] = "\r\n";
static const char carriage_return[] = "\r";

struct ui_editor *ui_editor_create(void)
{
    struct ui_editor *editor = calloc(1, sizeof *editor);
    if (editor == NULL || !ui_editor_text_init(&editor->text)) {
        free(editor);
        return NULL;
    }
    editor->goal = SIZE_MAX;
    editor->line_end = line_feed;
    editor->view.page = FIRST_PAGE;
    return editor;
}

void ui_editor_free(struct ui_editor *editor)
{
    if (editor != NULL) {
        ui_editor_undo_clear(&editor->undo);
        ui_editor_text_free(&editor->text);
        free(editor->clipboard);
        free(editor);
    }
}

size_t ui_editor_from(const struct ui_editor *editor)
{
    const struct ui_editor_state *state = &editor->state;
    return state->cursor < state->anchor ? state->cursor : state->anchor;
}

size_t ui_editor_to(const struct ui_editor *editor)
{
    const struct ui_editor_state *state = &editor->state;
    return state->cursor > state->anchor ? state->cursor : state->anchor;
}

struct ui_editor_lines ui_editor_lines(const struct ui_editor *editor)
{
    const struct ui_editor_text *text = &editor->text;
    const size_t to = ui_editor_to(editor);
    struct ui_editor_lines lines = {ui_editor_text_line_of(text, ui_editor_from(editor)),
                                    ui_editor_text_line_of(text, to)};
    if (lines.last > lines.first && to == ui_editor_text_start(text, lines.last)) {
        lines.last--;
    }
    return lines;
}

static size_t proper(const struct ui_editor *editor, size_t at)
{
    return ui_editor_text_snap(&editor->text, at < editor->text.size ? at : editor->text.size);
}

static void put_state(struct ui_editor *editor, struct ui_editor_state state)
{
    editor->state =
        (struct ui_editor_state){proper(editor, state.cursor), proper(editor, state.anchor)};
    editor->moves++;
    editor->view.reveal = true;
}

void ui_editor_put(struct ui_editor *editor, size_t at, bool selects)
{
    put_state(editor, (struct ui_editor_state){at, selects ? editor->state.anchor : at});
    editor->goal = SIZE_MAX;
    ui_editor_undo_break(&editor->undo);
}

/* The line end of the text's first line, NULL if the text has only one line. */
static const char *first_line_end(const struct ui_editor_text *text)
{
    if (text->count < 2) {
        return NULL;
    }
    const char *end = text->data + ui_editor_text_end(text, 0);
    if (*end == '\n') {
        return line_feed;
    }
    return end[1] == '\n' ? both : carriage_return;
}

struct base_span ui_editor_line_end(const struct ui_editor *editor)
{
    const char *end = first_line_end(&editor->text);
    return base_span_of(end != NULL ? end : editor->line_end);
}

static void remember_line_end(struct ui_editor *editor)
{
    const char *end = first_line_end(&editor->text);
    editor->line_end = end != NULL ? end : editor->line_end;
}

/* The text's only way to change; memory is reserved. Messages go with their lines: one that starts
 * at or after the end of the removed bytes still stands before the same byte, one inside them moves
 * to their start. */
static void splice(struct ui_editor *editor, size_t at, size_t removed, struct base_span inserted)
{
    size_t starts[UI_EDITOR_MESSAGES];
    for (size_t i = 0; i < editor->message_count; i++) {
        const size_t line = editor->messages[i].place.line;
        starts[i] = line == 0 || line > editor->text.count
                        ? SIZE_MAX /* of no line of the text */
                        : ui_editor_text_start(&editor->text, line - 1);
    }
    ui_editor_text_splice(&editor->text, at, removed, inserted);
    for (size_t i = 0; i < editor->message_count; i++) {
        if (starts[i] != SIZE_MAX) {
            const size_t place = starts[i] >= at + removed ? starts[i] - removed + inserted.size
                                 : starts[i] < at          ? starts[i]
                                                           : at;
            editor->messages[i].place.line =
                (uint32_t)ui_editor_text_line_of(&editor->text, place) + 1;
        }
    }
    editor->revision++;
    editor->goal = SIZE_MAX;
}

static bool edit_foreign(struct ui_editor *editor, size_t at, size_t removed,
                         struct base_span inserted, enum ui_editor_run run,
                         const struct ui_editor_state *after)
{
    if (!ui_editor_text_reserve(&editor->text, inserted)) {
        return false;
    }
    struct ui_editor_step *step =
        ui_editor_undo_note(&editor->undo, at, ui_editor_text_part(&editor->text, at, at + removed),
                            inserted, run, editor->state);
    if (step == NULL) {
        return false;
    }
    splice(editor, at, removed, inserted);
    const size_t behind = at + inserted.size;
    put_state(editor, after != NULL ? *after : (struct ui_editor_state){behind, behind});
    step->after = editor->state;
    return true;
}

bool ui_editor_edit(struct ui_editor *editor, size_t at, size_t removed, struct base_span inserted,
                    enum ui_editor_run run, const struct ui_editor_state *after)
{
    const size_t kept = editor->text.size - removed;
    if (inserted.size > UI_EDITOR_MAX - kept || (removed == 0 && inserted.size == 0)) {
        return false;
    }
    /* What comes from the text itself would move away under the splice. */
    const uintptr_t data = (uintptr_t)editor->text.data;
    const uintptr_t source = (uintptr_t)inserted.data;
    if (inserted.size == 0 || source < data || source > data + editor->text.size) {
        return edit_foreign(editor, at, removed, inserted, run, after);
    }
    char *copy = malloc(inserted.size);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, inserted.data, inserted.size);
    const bool done =
        edit_foreign(editor, at, removed, (struct base_span){copy, inserted.size}, run, after);
    free(copy);
    return done;
}

bool ui_editor_insert(struct ui_editor *editor, struct base_span text, enum ui_editor_run run)
{
    const size_t from = ui_editor_from(editor);
    const size_t removed = ui_editor_to(editor) - from;
    size_t ends = 0;
    for (size_t i = 0; i < text.size; i++) {
        ends += text.data[i] == '\n' || text.data[i] == '\r' ? 1 : 0;
    }
    if (ends == 0) {
        return ui_editor_edit(editor, from, removed, text, run, NULL);
    }
    if (text.size > 2 * UI_EDITOR_MAX) { /* too long whatever its line ends are */
        return false;
    }
    const struct base_span end = ui_editor_line_end(editor);
    char *converted = malloc(text.size + ends);
    if (converted == NULL) {
        return false;
    }
    /* with the line ends of the text around it */
    size_t size = 0;
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        if (c != '\n' && c != '\r') {
            converted[size++] = c;
            continue;
        }
        memcpy(converted + size, end.data, end.size);
        size += end.size;
        i += c == '\r' && i + 1 < text.size && text.data[i + 1] == '\n' ? 1 : 0;
    }
    const struct base_span inserted = {converted, size};
    const bool done = ui_editor_edit(editor, from, removed, inserted, UI_EDITOR_ALONE, NULL);
    free(converted);
    return done;
}

int ui_editor_load(struct ui_editor *editor, struct base_span text)
{
    struct ui_editor_text fresh;
    if (text.size > UI_EDITOR_MAX || !ui_editor_text_init(&fresh)) {
        return -1;
    }
    if (!ui_editor_text_reserve(&fresh, text)) {
        ui_editor_text_free(&fresh);
        return -1;
    }
    ui_editor_text_splice(&fresh, 0, 0, text);
    ui_editor_text_free(&editor->text);
    editor->text = fresh;
    ui_editor_undo_clear(&editor->undo);
    editor->line_end = line_feed;
    remember_line_end(editor);
    editor->message_count = 0;
    editor->revision++;
    editor->view.scroll.at = 0;
    editor->view.left = 0;
    ui_editor_put(editor, 0, false);
    return 0;
}

struct base_span ui_editor_text(struct ui_editor *editor)
{
    return (struct base_span){editor->text.data, editor->text.size};
}

uint64_t ui_editor_revision(const struct ui_editor *editor)
{
    return editor->revision;
}

static size_t kept_place(size_t place, size_t at, size_t removed, size_t inserted)
{
    if (place <= at) {
        return place;
    }
    if (place >= at + removed) {
        return place - removed + inserted;
    }
    return place < at + inserted ? place : at + inserted;
}

int ui_editor_replace(struct ui_editor *editor, struct base_span text)
{
    if (text.size > UI_EDITOR_MAX) {
        return -1;
    }
    const struct base_span old = ui_editor_text(editor);
    /* What both have in common at their beginnings, and then at their ends, stays. */
    size_t at = 0;
    while (at < old.size && at < text.size && old.data[at] == text.data[at]) {
        at++;
    }
    const struct base_span old_rest = {old.data + at, old.size - at};
    const struct base_span rest = {text.data + at, text.size - at};
    size_t tail = 0;
    while (tail < old_rest.size && tail < rest.size &&
           old_rest.data[old_rest.size - 1 - tail] == rest.data[rest.size - 1 - tail]) {
        tail++;
    }
    const size_t removed = old_rest.size - tail;
    const struct base_span inserted = {rest.data, rest.size - tail};
    if (removed == 0 && inserted.size == 0) {
        return 0;
    }
    const bool was_out_of_sight = !editor->view.reveal;
    const struct ui_editor_state after = {
        kept_place(editor->state.cursor, at, removed, inserted.size),
        kept_place(editor->state.anchor, at, removed, inserted.size)};
    if (!ui_editor_edit(editor, at, removed, inserted, UI_EDITOR_ALONE, &after)) {
        return -1;
    }
    editor->view.reveal = !was_out_of_sight;
    remember_line_end(editor);
    return 0;
}

void ui_editor_type(struct ui_editor *editor, struct base_span text)
{
    /* One word a step: a run of typing ends where the next word begins. */
    const size_t cursor = editor->state.cursor;
    if (text.size > 0 && text.data[0] != ' ' && cursor > 0 &&
        editor->text.data[cursor - 1] == ' ') {
        ui_editor_undo_break(&editor->undo);
    }
    (void)ui_editor_insert(editor, text, UI_EDITOR_TYPING);
}

struct base_span ui_editor_clipboard(const struct ui_editor *editor)
{
    return (struct base_span){editor->clipboard, editor->clipboard_size};
}

int ui_editor_set_clipboard(struct ui_editor *editor, struct base_span text)
{
    char *copy = text.size > UI_EDITOR_MAX ? NULL : malloc(text.size + 1);
    if (copy == NULL) {
        return -1;
    }
    if (text.size > 0) {
        memcpy(copy, text.data, text.size);
    }
    copy[text.size] = '\0';
    free(editor->clipboard);
    editor->clipboard = copy;
    editor->clipboard_size = text.size;
    return 0;
}

bool ui_editor_undo(struct ui_editor *editor)
{
    const struct ui_editor_step *step = ui_editor_undo_back(&editor->undo);
    if (step == NULL) {
        return false;
    }
    const struct base_span removed = {step->bytes, step->removed};
    if (!ui_editor_text_reserve(&editor->text, removed)) {
        (void)ui_editor_undo_again(&editor->undo);
        return false;
    }
    splice(editor, step->at, step->inserted, removed);
    put_state(editor, step->before);
    return true;
}

bool ui_editor_redo(struct ui_editor *editor)
{
    const struct ui_editor_step *step = ui_editor_undo_again(&editor->undo);
    if (step == NULL) {
        return false;
    }
    const struct base_span inserted = {step->bytes + step->removed, step->inserted};
    if (!ui_editor_text_reserve(&editor->text, inserted)) {
        (void)ui_editor_undo_back(&editor->undo);
        return false;
    }
    splice(editor, step->at, step->removed, inserted);
    put_state(editor, step->after);
    return true;
}

void ui_editor_cursor(const struct ui_editor *editor, size_t *line, size_t *column)
{
    const size_t cursor = editor->state.cursor;
    const size_t at = ui_editor_text_line_of(&editor->text, cursor);
    *line = at + 1;
    *column =
        ui_editor_text_points(&editor->text, ui_editor_text_start(&editor->text, at), cursor) + 1;
}

void ui_editor_go(struct ui_editor *editor, size_t line, size_t column)
{
    const struct ui_editor_text *text = &editor->text;
    const size_t last = text->count - 1;
    const size_t to = line == 0 ? 0 : line - 1 < last ? line - 1 : last;
    const size_t points = column == 0 ? 0 : column - 1;
    ui_editor_put(editor,
                  ui_editor_text_skip(text, ui_editor_text_start(text, to), points,
                                      ui_editor_text_end(text, to)),
                  false);
}

/* The first proper place in from..end - 1 where the text stands; SIZE_MAX if there is none. */
static size_t find_from(const struct ui_editor_text *text, struct base_span wanted, size_t from,
                        size_t end)
{
    for (size_t at = from; at < end && wanted.size <= text->size - at; at++) {
        const struct base_span here = {text->data + at, wanted.size};
        if (base_span_equal_nocase(here, wanted) && ui_editor_text_snap(text, at) == at &&
            ui_editor_text_snap(text, at + wanted.size) == at + wanted.size) {
            return at;
        }
    }
    return SIZE_MAX;
}

bool ui_editor_find(struct ui_editor *editor, struct base_span wanted)
{
    if (wanted.size == 0 || wanted.size > WANTED_MAX) {
        return false;
    }
    const struct ui_editor_text *text = &editor->text;
    const size_t cursor = editor->state.cursor;
    size_t found = find_from(text, wanted, cursor, text->size);
    if (found == SIZE_MAX) {
        found = find_from(text, wanted, 0, cursor);
    }
    if (found == SIZE_MAX) {
        return false;
    }
    ui_editor_put(editor, found, false);
    ui_editor_put(editor, found + wanted.size, true);
    return true;
}

void ui_editor_set_messages(struct ui_editor *editor, const struct base_diag *messages,
                            size_t count)
{
    editor->message_count = count < UI_EDITOR_MESSAGES ? count : UI_EDITOR_MESSAGES;
    for (size_t i = 0; i < editor->message_count; i++) {
        editor->messages[i] = messages[i];
        editor->messages[i].place.file = NULL;
    }
}

/* A message behind the text is shown at its last line. */
const struct base_diag *ui_editor_message_at(const struct ui_editor *editor, size_t line)
{
    const struct base_diag *worst = NULL;
    for (size_t i = 0; i < editor->message_count; i++) {
        const struct base_diag *message = &editor->messages[i];
        const size_t at =
            message->place.line < editor->text.count ? message->place.line : editor->text.count;
        if (at == line + 1 && (worst == NULL || message->severity > worst->severity)) {
            worst = message;
        }
    }
    return worst;
}
