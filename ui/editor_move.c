#include "ui/editor_actions.h"
#include "ui/editor_model.h"

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
