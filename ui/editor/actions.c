/* What the editor's keys do: a function for each row of actions.def. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "ui/editor/model.h"

struct ui_editor;

/* A move returns where the cursor goes; an action does what it does. */
#define UI_EDITOR_MOVE(action, ...)                                                                \
    size_t ui_editor_move_##action(const struct ui_editor *editor, bool selects);
#define UI_EDITOR_DO(action, ...) void ui_editor_do_##action(struct ui_editor *editor);
#include "ui/editor/actions.def"

enum kind { KIND_BLANK, KIND_WORD, KIND_SIGN, KIND_LINE_END };

static enum kind kind_at(const struct ui_editor_text *text, size_t at)
{
    const unsigned char c = (unsigned char)text->data[at];
    if (c == ' ' || c == '\t') {
        return KIND_BLANK;
    }
    if (c == '\n' || c == '\r') {
        return KIND_LINE_END;
    }
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || c == '_' || c >= 0x80 ? KIND_WORD : KIND_SIGN;
}

/* Past all bytes of a kind, back and on. Code points are never split: all bytes of a longer one are
 * KIND_WORD. */
static size_t back_over(const struct ui_editor_text *text, size_t at, enum kind kind)
{
    while (at > 0 && kind_at(text, at - 1) == kind) {
        at--;
    }
    return at;
}

static size_t on_over(const struct ui_editor_text *text, size_t at, enum kind kind)
{
    while (at < text->size && kind_at(text, at) == kind) {
        at++;
    }
    return at;
}

size_t ui_editor_word_before(const struct ui_editor *editor, size_t at)
{
    const struct ui_editor_text *text = &editor->text;
    at = back_over(text, at, KIND_BLANK);
    if (at == 0) {
        return 0;
    }
    const enum kind kind = kind_at(text, at - 1);
    return kind == KIND_LINE_END ? ui_editor_text_before(text, at) : back_over(text, at, kind);
}

size_t ui_editor_word_after(const struct ui_editor *editor, size_t at)
{
    const struct ui_editor_text *text = &editor->text;
    if (at == text->size) {
        return at;
    }
    const enum kind kind = kind_at(text, at);
    if (kind == KIND_LINE_END) {
        return ui_editor_text_after(text, at);
    }
    return on_over(text, on_over(text, at, kind), KIND_BLANK);
}

/* Behind a word counts as in it. */
struct ui_editor_state ui_editor_word_at(const struct ui_editor *editor, size_t at)
{
    const struct ui_editor_text *text = &editor->text;
    const enum kind on = at < text->size ? kind_at(text, at) : KIND_LINE_END;
    const enum kind before = at > 0 ? kind_at(text, at - 1) : KIND_LINE_END;
    const enum kind kind = before == KIND_WORD || on == KIND_LINE_END ? before : on;
    if (kind == KIND_LINE_END) {
        return (struct ui_editor_state){at, at};
    }
    return (struct ui_editor_state){on_over(text, at, kind), back_over(text, at, kind)};
}

size_t ui_editor_move_left(const struct ui_editor *editor, bool selects)
{
    if (!selects && ui_editor_from(editor) < ui_editor_to(editor)) {
        return ui_editor_from(editor);
    }
    return ui_editor_text_before(&editor->text, editor->state.cursor);
}

size_t ui_editor_move_right(const struct ui_editor *editor, bool selects)
{
    if (!selects && ui_editor_from(editor) < ui_editor_to(editor)) {
        return ui_editor_to(editor);
    }
    return ui_editor_text_after(&editor->text, editor->state.cursor);
}

/* In the line so many lines above, at the goal; above the first line stands the start of the
 * text. */
static size_t above(const struct ui_editor *editor, size_t lines)
{
    const struct ui_editor_text *text = &editor->text;
    const size_t line = ui_editor_text_line_of(text, editor->state.cursor);
    if (line == 0) {
        return 0;
    }
    const size_t to = line > lines ? line - lines : 0;
    return ui_editor_text_start(text, to) +
           ui_editor_at_column(ui_editor_text_line(text, to), editor->goal, NULL);
}

static size_t below(const struct ui_editor *editor, size_t lines)
{
    const struct ui_editor_text *text = &editor->text;
    const size_t line = ui_editor_text_line_of(text, editor->state.cursor);
    const size_t left = text->count - 1 - line;
    if (left == 0) {
        return text->size;
    }
    const size_t to = line + (left > lines ? lines : left);
    return ui_editor_text_start(text, to) +
           ui_editor_at_column(ui_editor_text_line(text, to), editor->goal, NULL);
}

size_t ui_editor_move_up(const struct ui_editor *editor, bool selects)
{
    (void)selects;
    return above(editor, 1);
}

size_t ui_editor_move_down(const struct ui_editor *editor, bool selects)
{
    (void)selects;
    return below(editor, 1);
}

size_t ui_editor_move_page_up(const struct ui_editor *editor, bool selects)
{
    (void)selects;
    return above(editor, editor->view.page);
}

size_t ui_editor_move_page_down(const struct ui_editor *editor, bool selects)
{
    (void)selects;
    return below(editor, editor->view.page);
}

size_t ui_editor_move_word_left(const struct ui_editor *editor, bool selects)
{
    (void)selects;
    return ui_editor_word_before(editor, editor->state.cursor);
}

size_t ui_editor_move_word_right(const struct ui_editor *editor, bool selects)
{
    (void)selects;
    return ui_editor_word_after(editor, editor->state.cursor);
}

size_t ui_editor_move_line_start(const struct ui_editor *editor, bool selects)
{
    (void)selects;
    const struct ui_editor_text *text = &editor->text;
    return ui_editor_text_start(text, ui_editor_text_line_of(text, editor->state.cursor));
}

size_t ui_editor_move_line_end(const struct ui_editor *editor, bool selects)
{
    (void)selects;
    const struct ui_editor_text *text = &editor->text;
    return ui_editor_text_end(text, ui_editor_text_line_of(text, editor->state.cursor));
}

size_t ui_editor_move_text_start(const struct ui_editor *editor, bool selects)
{
    (void)editor;
    (void)selects;
    return 0;
}

size_t ui_editor_move_text_end(const struct ui_editor *editor, bool selects)
{
    (void)selects;
    return editor->text.size;
}

static const struct base_span nothing = {"", 0};

static bool has_selection(const struct ui_editor *editor)
{
    return editor->state.cursor != editor->state.anchor;
}

static void delete_selection(struct ui_editor *editor)
{
    const size_t from = ui_editor_from(editor);
    (void)ui_editor_edit(editor, from, ui_editor_to(editor) - from, nothing, UI_EDITOR_ALONE, NULL);
}

static void delete_part(struct ui_editor *editor, size_t from, size_t to, enum ui_editor_run run)
{
    (void)ui_editor_edit(editor, from, to - from, nothing, run, NULL);
}

enum { INDENTATION_MAX = 256 };

/* What a line begins with that follows this one: its indentation, or the key of its program without
 * the number, which it gets when it is saved. Returns the size. */
static size_t begin_like(struct base_span line, size_t cursor, char bytes[INDENTATION_MAX])
{
    const struct ui_editor_tokens words = ui_editor_tokens_of(line);
    size_t size = 0;
    if (words.is_program && cursor >= words.value && words.value <= INDENTATION_MAX) {
        size_t end = words.value; /* of the number */
        while (line.data[end - 1] == '`' || line.data[end - 1] == '=' ||
               line.data[end - 1] == ' ') {
            end--;
        }
        size_t stem = end;
        while (stem > 0 && line.data[stem - 1] >= '0' && line.data[stem - 1] <= '9') {
            stem--;
        }
        memcpy(bytes, line.data, stem);
        memcpy(bytes + stem, line.data + end, words.value - end);
        return stem + words.value - end;
    }
    while (size < cursor && size < INDENTATION_MAX &&
           (line.data[size] == ' ' || line.data[size] == '\t')) {
        bytes[size] = line.data[size];
        size++;
    }
    return size;
}

void ui_editor_do_enter(struct ui_editor *editor)
{
    const struct ui_editor_text *text = &editor->text;
    const size_t from = ui_editor_from(editor);
    const size_t at = ui_editor_text_line_of(text, from);
    const size_t start = ui_editor_text_start(text, at);
    const struct base_span line = ui_editor_text_line(text, at);
    const struct ui_editor_tokens words = ui_editor_tokens_of(line);
    if (words.is_program && words.value == line.size && from == start + line.size &&
        !has_selection(editor)) {
        delete_part(editor, start, from, UI_EDITOR_ALONE); /* the program ends here */
        return;
    }
    const struct base_span end = ui_editor_line_end(editor);
    char bytes[2 + INDENTATION_MAX];
    memcpy(bytes, end.data, end.size);
    const size_t size = end.size + begin_like(line, from - start, bytes + end.size);
    (void)ui_editor_edit(editor, from, ui_editor_to(editor) - from, (struct base_span){bytes, size},
                         UI_EDITOR_ALONE, NULL);
}

void ui_editor_do_tab(struct ui_editor *editor)
{
    (void)ui_editor_insert(editor, base_span_of("    "), UI_EDITOR_TYPING);
}

void ui_editor_do_backspace(struct ui_editor *editor)
{
    const size_t cursor = editor->state.cursor;
    if (has_selection(editor)) {
        delete_selection(editor);
    } else {
        delete_part(editor, ui_editor_text_before(&editor->text, cursor), cursor,
                    UI_EDITOR_ERASING);
    }
}

void ui_editor_do_delete(struct ui_editor *editor)
{
    const size_t cursor = editor->state.cursor;
    if (has_selection(editor)) {
        delete_selection(editor);
    } else {
        delete_part(editor, cursor, ui_editor_text_after(&editor->text, cursor),
                    UI_EDITOR_DELETING);
    }
}

void ui_editor_do_delete_word(struct ui_editor *editor)
{
    const size_t cursor = editor->state.cursor;
    if (has_selection(editor)) {
        delete_selection(editor);
    } else {
        delete_part(editor, ui_editor_word_before(editor, cursor), cursor, UI_EDITOR_ALONE);
    }
}

void ui_editor_do_select_all(struct ui_editor *editor)
{
    ui_editor_put(editor, 0, false);
    ui_editor_put(editor, editor->text.size, true);
    editor->view.reveal = false;
}

void ui_editor_do_copy(struct ui_editor *editor)
{
    if (has_selection(editor)) {
        (void)ui_editor_set_clipboard(
            editor,
            ui_editor_text_part(&editor->text, ui_editor_from(editor), ui_editor_to(editor)));
    }
}

void ui_editor_do_cut(struct ui_editor *editor)
{
    const size_t from = ui_editor_from(editor);
    const size_t to = ui_editor_to(editor);
    if (from < to &&
        ui_editor_set_clipboard(editor, ui_editor_text_part(&editor->text, from, to)) == 0) {
        delete_selection(editor);
    }
}

void ui_editor_do_paste(struct ui_editor *editor)
{
    const struct base_span clipboard = ui_editor_clipboard(editor);
    if (clipboard.size > 0) {
        (void)ui_editor_insert(editor, clipboard, UI_EDITOR_ALONE);
    }
}

void ui_editor_do_undo(struct ui_editor *editor)
{
    (void)ui_editor_undo(editor);
}

void ui_editor_do_redo(struct ui_editor *editor)
{
    (void)ui_editor_redo(editor);
}

/* Pieces put one behind the other. The size is known before. */
struct builder {
    char *data;
    size_t size;
};

static void add(struct builder *to, struct base_span piece)
{
    if (piece.size > 0) {
        memcpy(to->data + to->size, piece.data, piece.size);
        to->size += piece.size;
    }
}

static struct base_span built(const struct builder *builder)
{
    return (struct base_span){builder->data, builder->size};
}

void ui_editor_do_double_line(struct ui_editor *editor)
{
    const struct ui_editor_text *text = &editor->text;
    const size_t cursor = editor->state.cursor;
    const size_t line = ui_editor_text_line_of(text, cursor);
    const struct base_span content = ui_editor_text_line(text, line);
    const size_t end = ui_editor_text_end(text, line);
    const bool is_last = line + 1 == text->count;
    const struct base_span line_end =
        is_last ? ui_editor_line_end(editor)
                : ui_editor_text_part(text, end, ui_editor_text_next_start(text, line));
    struct builder copy = {malloc(content.size + line_end.size), 0};
    if (copy.data == NULL) {
        return;
    }
    add(&copy, is_last ? line_end : content);
    add(&copy, is_last ? content : line_end);
    const struct ui_editor_state after = {cursor + copy.size, cursor + copy.size};
    (void)ui_editor_edit(editor, ui_editor_text_next_start(text, line), 0, built(&copy),
                         UI_EDITOR_ALONE, &after);
    free(copy.data);
}

/* Swaps the lines first..second - 1 with second..end - 1. The line end between the two blocks stays
 * between them. The selection goes with its lines, by `shift` bytes. */
static void swap_lines(struct ui_editor *editor, size_t first, size_t second, size_t end, bool up)
{
    const struct ui_editor_text *text = &editor->text;
    const size_t from = ui_editor_text_start(text, first);
    const size_t middle = ui_editor_text_start(text, second);
    const size_t middle_end = ui_editor_text_end(text, second - 1);
    const size_t to = ui_editor_text_end(text, end - 1);
    struct builder swapped = {malloc(to - from), 0};
    if (swapped.data == NULL) {
        return;
    }
    add(&swapped, ui_editor_text_part(text, middle, to));
    add(&swapped, ui_editor_text_part(text, middle_end, middle));
    add(&swapped, ui_editor_text_part(text, from, middle_end));
    const size_t shift = up ? (size_t)0 - (middle - from) : to - middle_end;
    const struct ui_editor_state after = {editor->state.cursor + shift,
                                          editor->state.anchor + shift};
    (void)ui_editor_edit(editor, from, to - from, built(&swapped), UI_EDITOR_ALONE, &after);
    free(swapped.data);
}

void ui_editor_do_lines_up(struct ui_editor *editor)
{
    const struct ui_editor_lines lines = ui_editor_lines(editor);
    if (lines.first > 0) {
        swap_lines(editor, lines.first - 1, lines.first, lines.last + 1, true);
    }
}

void ui_editor_do_lines_down(struct ui_editor *editor)
{
    const struct ui_editor_lines lines = ui_editor_lines(editor);
    if (lines.last + 1 < editor->text.count) {
        swap_lines(editor, lines.first, lines.last + 1, lines.last + 2, false);
    }
}

static const char comment_sign[] = "// ";
enum { SIGN_SIZE = 2, SIGN_AND_BLANK = 3 };

/* A change of one line: bytes taken out, or the sign put in. */
struct mark {
    size_t at;
    size_t removed;
    size_t inserted;
};

/* Where a comment starts or would start. In a line of a program it stands behind the key, so that
 * the numbers of the lines go on without a gap. */
static size_t comment_place(const struct ui_editor_text *text, size_t line)
{
    const struct base_span whole = ui_editor_text_line(text, line);
    const struct ui_editor_tokens words = ui_editor_tokens_of(whole);
    size_t at = words.is_program ? words.value : 0;
    while (at < whole.size && (whole.data[at] == ' ' || whole.data[at] == '\t')) {
        at++;
    }
    return ui_editor_text_start(text, line) + at;
}

static bool all_commented(const struct ui_editor_text *text, struct ui_editor_lines lines)
{
    bool any = false;
    for (size_t line = lines.first; line <= lines.last; line++) {
        const size_t at = comment_place(text, line);
        if (at < ui_editor_text_end(text, line)) {
            if (text->size - at < SIGN_SIZE ||
                memcmp(text->data + at, comment_sign, SIGN_SIZE) != 0) {
                return false;
            }
            any = true;
        }
    }
    return any;
}

static struct mark mark_of(const struct ui_editor_text *text, size_t line, bool off)
{
    const size_t at = comment_place(text, line);
    if (at == ui_editor_text_end(text, line)) {
        return (struct mark){at, 0, 0};
    }
    if (!off) {
        return (struct mark){at, 0, SIGN_AND_BLANK};
    }
    const bool blank = text->size - at > SIGN_SIZE && text->data[at + SIGN_SIZE] == ' ';
    return (struct mark){at, blank ? SIGN_AND_BLANK : SIGN_SIZE, 0};
}

/* What the mark adds to a place behind it, or takes from one; wraps as it should. */
static size_t mark_shift(struct mark mark, size_t place)
{
    if (place < mark.at) {
        return 0;
    }
    const size_t inside = place - mark.at;
    return mark.inserted - (inside < mark.removed ? inside : mark.removed);
}

void ui_editor_do_comment(struct ui_editor *editor)
{
    const struct ui_editor_text *text = &editor->text;
    const struct ui_editor_lines lines = ui_editor_lines(editor);
    const bool off = all_commented(text, lines);
    const size_t from = ui_editor_text_start(text, lines.first);
    const size_t to = ui_editor_text_end(text, lines.last);
    struct builder block = {malloc(to - from + (lines.last - lines.first + 1) * SIGN_AND_BLANK), 0};
    if (block.data == NULL) {
        return;
    }
    struct ui_editor_state after = editor->state;
    size_t done = from;
    for (size_t line = lines.first; line <= lines.last; line++) {
        const struct mark mark = mark_of(text, line, off);
        add(&block, ui_editor_text_part(text, done, mark.at));
        add(&block, (struct base_span){comment_sign, mark.inserted});
        done = mark.at + mark.removed;
        after.cursor += mark_shift(mark, editor->state.cursor);
        after.anchor += mark_shift(mark, editor->state.anchor);
    }
    add(&block, ui_editor_text_part(text, done, to));
    if (!base_span_equal(built(&block), ui_editor_text_part(text, from, to))) {
        (void)ui_editor_edit(editor, from, to - from, built(&block), UI_EDITOR_ALONE, &after);
    }
    free(block.data);
}

const struct ui_editor_action_row ui_editor_action_rows[UI_EDITOR_ACTION_ROWS] = {
#define UI_EDITOR_MOVE(action, keys, keeps, help) {keys, help},
#define UI_EDITOR_DO(action, keys, help)          {keys, help},
#include "ui/editor/actions.def"
};

struct action {
    size_t (*move)(const struct ui_editor *editor, bool selects); /* NULL: it is no move */
    void (*act)(struct ui_editor *editor);
    bool keeps_goal;
};

static const bool GOAL = true;
static const bool FREE = false;

static const struct action actions[UI_EDITOR_ACTION_ROWS] = {
#define UI_EDITOR_MOVE(action, keys, keeps, help) {ui_editor_move_##action, NULL, keeps},
#define UI_EDITOR_DO(action, keys, help)          {NULL, ui_editor_do_##action, false},
#include "ui/editor/actions.def"
};

/* The row of a key, UI_EDITOR_ACTION_ROWS if there is none. */
static size_t find_row(struct base_span wanted)
{
    for (size_t row = 0; row < UI_EDITOR_ACTION_ROWS; row++) {
        struct base_span keys = base_span_of(ui_editor_action_rows[row].keys);
        struct base_span key = base_span_next_word(&keys);
        for (; key.size > 0; key = base_span_next_word(&keys)) {
            if (base_span_equal_nocase(key, wanted)) {
                return row;
            }
        }
    }
    return UI_EDITOR_ACTION_ROWS;
}

enum { KEY_SIZE = 32 };

/* The key without its Shift+; an empty one if it has none. */
static struct base_span without_shift(const char *key, char plain[KEY_SIZE])
{
    const struct base_span shift = base_span_of("Shift+");
    const struct base_span whole = base_span_of(key);
    for (size_t at = 0; whole.size < KEY_SIZE && at + shift.size < whole.size; at++) {
        const bool starts_name = at == 0 || key[at - 1] == '+';
        if (starts_name &&
            base_span_equal_nocase((struct base_span){key + at, shift.size}, shift)) {
            const size_t rest = whole.size - at - shift.size;
            memcpy(plain, key, at);
            memcpy(plain + at, key + at + shift.size, rest);
            return (struct base_span){plain, at + rest};
        }
    }
    return (struct base_span){plain, 0};
}

bool ui_editor_key(struct ui_editor *editor, const char *key)
{
    char plain[KEY_SIZE];
    size_t row = find_row(base_span_of(key));
    const bool selects = row == UI_EDITOR_ACTION_ROWS;
    if (selects) {
        row = find_row(without_shift(key, plain));
    }
    if (row == UI_EDITOR_ACTION_ROWS || (selects && actions[row].move == NULL)) {
        return false;
    }
    if (actions[row].move == NULL) {
        editor->goal = SIZE_MAX;
        actions[row].act(editor);
        return true;
    }
    const struct ui_editor_text *text = &editor->text;
    const size_t cursor = editor->state.cursor;
    size_t goal = SIZE_MAX;
    if (actions[row].keeps_goal) {
        const size_t start = ui_editor_text_start(text, ui_editor_text_line_of(text, cursor));
        goal = editor->goal != SIZE_MAX
                   ? editor->goal
                   : ui_editor_columns(ui_editor_text_part(text, start, cursor));
    }
    editor->goal = goal;
    ui_editor_put(editor, actions[row].move(editor, selects), selects);
    editor->goal = goal;
    return true;
}
