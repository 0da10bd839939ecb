#include <stdlib.h>

#include "ui/editor_actions.h"
#include "ui/editor_model.h"
#include "ui/editor_words.h"

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

/* Swaps two neighbours, each of one or more lines: first..second - 1 and second..end - 1. The line
 * end between them stays between them. The selection goes with its lines, by `shift` bytes. */
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
    const struct ui_editor_words words = ui_editor_words_of(whole);
    size_t at = words.is_program ? words.value : 0;
    while (at < whole.size && (whole.data[at] == ' ' || whole.data[at] == '\t')) {
        at++;
    }
    return ui_editor_text_start(text, line) + at;
}

static bool has_sign(const struct ui_editor_text *text, size_t at)
{
    return text->size - at >= SIGN_SIZE && memcmp(text->data + at, comment_sign, SIGN_SIZE) == 0;
}

static bool all_commented(const struct ui_editor_text *text, struct ui_editor_lines lines)
{
    bool any = false;
    for (size_t line = lines.first; line <= lines.last; line++) {
        const size_t at = comment_place(text, line);
        if (at < ui_editor_text_end(text, line)) {
            if (!has_sign(text, at)) {
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
