/* Whatever is loaded, typed and pressed: cursor and lines stay where they may be, and undo leads
 * back to what was loaded, byte for byte, redo to the last text.
 *
 * A text up to the first 0x00, then one byte a step: below 0x80 a key by its row of the table (from
 * 0x40 on with Shift), else typing so many of the bytes that follow, at most 15; 0xF0 and above
 * sets the clipboard to them. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/editor/editor.h"
#include "ui/editor/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS_MAX = 2000, SHIFT = 0x40, TYPED = 0x80, CLIPBOARD = 0xF0 };

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check(struct ui_editor *editor)
{
    const struct ui_editor_text *text = &editor->text;
    const size_t cursor = editor->state.cursor;
    require(text->size <= UI_EDITOR_MAX && text->data[text->size] == '\0');
    require(cursor <= text->size && ui_editor_text_snap(text, cursor) == cursor);
    require(ui_editor_text_snap(text, editor->state.anchor) == editor->state.anchor);
    require(text->starts[0] == 0);
    for (size_t i = 1; i < text->count; i++) {
        require(text->starts[i] > text->starts[i - 1] && text->starts[i] <= text->size);
    }
    size_t line = 0;
    size_t column = 0;
    ui_editor_cursor(editor, &line, &column);
    require(line >= 1 && line <= text->count && column >= 1);
}

static void press(struct ui_editor *editor, uint8_t byte)
{
    const char *keys = ui_editor_action_rows[byte % SHIFT % UI_EDITOR_ACTION_ROWS].keys;
    const char *name = strncmp(keys, "Ctrl+", 5) == 0 ? keys + 5 : keys;
    char key[64];
    (void)snprintf(key, sizeof key, "%.*s%s%.*s", (int)(name - keys), keys,
                   byte >= SHIFT ? "Shift+" : "", (int)strcspn(name, " "), name);
    (void)ui_editor_key(editor, key);
}

/* Takes a step off the front of *rest. */
static void step(struct ui_editor *editor, struct base_span *rest)
{
    const uint8_t byte = (uint8_t)rest->data[0];
    *rest = (struct base_span){rest->data + 1, rest->size - 1};
    if (byte < TYPED) {
        press(editor, byte);
        return;
    }
    const size_t wanted = byte % 16;
    const struct base_span text = {rest->data, wanted < rest->size ? wanted : rest->size};
    *rest = (struct base_span){rest->data + text.size, rest->size - text.size};
    if (byte < CLIPBOARD) {
        ui_editor_type(editor, text);
    } else {
        (void)ui_editor_set_clipboard(editor, text);
    }
}

/* If no step can have been dropped, back to what was loaded. */
static void require_way_back(struct ui_editor *editor, struct base_span loaded, bool whole)
{
    while (ui_editor_redo(editor)) {
    }
    const struct base_span text = ui_editor_text(editor);
    char *last = malloc(text.size + 1);
    require(last != NULL);
    memcpy(last, text.data, text.size + 1);
    const struct base_span wanted = {last, text.size};
    while (ui_editor_undo(editor)) {
        check(editor);
    }
    require(!whole || base_span_equal(ui_editor_text(editor), loaded));
    while (ui_editor_redo(editor)) {
    }
    require(base_span_equal(ui_editor_text(editor), wanted));
    free(last);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ui_editor *editor = ui_editor_create();
    const char *bytes = (const char *)data;
    const char *end = size > 0 ? memchr(bytes, 0, size) : NULL;
    const struct base_span loaded = {bytes, end == NULL ? size : (size_t)(end - bytes)};
    if (editor == NULL || ui_editor_load(editor, loaded) != 0) {
        ui_editor_free(editor);
        return 0;
    }
    struct base_span rest = {bytes + loaded.size, size - loaded.size};
    bool whole = true;
    for (int i = 0; i < STEPS_MAX && rest.size > 0 && editor->text.size < 1 << 16; i++) {
        step(editor, &rest);
        check(editor);
        whole = whole && editor->undo.bytes < UI_EDITOR_UNDO_BYTES / 2;
    }
    require_way_back(editor, loaded, whole);
    ui_editor_free(editor);
    return 0;
}
