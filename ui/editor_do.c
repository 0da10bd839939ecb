#include "ui/editor_actions.h"
#include "ui/editor_model.h"

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

void ui_editor_do_enter(struct ui_editor *editor)
{
    const struct ui_editor_text *text = &editor->text;
    const size_t from = ui_editor_from(editor);
    const size_t start = ui_editor_text_start(text, ui_editor_text_line_of(text, from));
    const struct base_span end = ui_editor_line_end(editor);
    char bytes[2 + INDENTATION_MAX];
    memcpy(bytes, end.data, end.size);
    size_t size = end.size;
    for (size_t at = start; at < from && at - start < INDENTATION_MAX; at++) {
        if (text->data[at] != ' ' && text->data[at] != '\t') {
            break;
        }
        bytes[size++] = text->data[at];
    }
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
