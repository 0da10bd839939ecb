#include "ui/editor_actions.h"
#include "ui/editor_model.h"

enum class { CLASS_BLANK, CLASS_WORD, CLASS_SIGN, CLASS_LINE_END };

static enum class class_at(const struct ui_editor_text *text, size_t at) {
    const unsigned char c = (unsigned char)text->data[at];
    if (c == ' ' || c == '\t'){return CLASS_BLANK;}
if (c == '\n' || c == '\r')
{
    return CLASS_LINE_END;
}
const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
return letter || (c >= '0' && c <= '9') || c == '_' || c >= 0x80 ? CLASS_WORD : CLASS_SIGN;
}

/* Past all bytes of a class, back and on. Code points are never split: all bytes of a longer one
 * are CLASS_WORD. */
static size_t back_over(const struct ui_editor_text *text, size_t at, enum class class)
{
    while (at > 0 && class_at(text, at - 1) == class) {
        at--;
    }
    return at;
}

static size_t on_over(const struct ui_editor_text *text, size_t at, enum class class)
{
    while (at < text->size && class_at(text, at) == class) {
        at++;
    }
    return at;
}

size_t ui_editor_word_before(const struct ui_editor *editor, size_t at)
{
    const struct ui_editor_text *text = &editor->text;
    at = back_over(text, at, CLASS_BLANK);
    if (at == 0) {
        return 0;
    }
    const enum class class = class_at(text, at - 1);
    return class == CLASS_LINE_END ? ui_editor_text_before(text, at) : back_over(text, at, class);
}

size_t ui_editor_word_after(const struct ui_editor *editor, size_t at)
{
    const struct ui_editor_text *text = &editor->text;
    if (at == text->size) {
        return at;
    }
    const enum class class = class_at(text, at);
    if (class == CLASS_LINE_END) {
        return ui_editor_text_after(text, at);
    }
    return on_over(text, on_over(text, at, class), CLASS_BLANK);
}

/* Behind a word counts as in it. */
struct ui_editor_state ui_editor_word_at(const struct ui_editor *editor, size_t at)
{
    const struct ui_editor_text *text = &editor->text;
    const enum class on = at < text->size ? class_at(text, at) : CLASS_LINE_END;
    const enum class before = at > 0 ? class_at(text, at - 1) : CLASS_LINE_END;
    const enum class class = before == CLASS_WORD || on == CLASS_LINE_END ? before : on;
    if (class == CLASS_LINE_END) {
        return (struct ui_editor_state){at, at};
    }
    return (struct ui_editor_state){on_over(text, at, class), back_over(text, at, class)};
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
