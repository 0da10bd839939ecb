#include "ui/editor_keys.h"

#include "ui/command.h"
#include "ui/editor_actions.h"
#include "ui/editor_model.h"

const struct ui_editor_key_row ui_editor_key_rows[UI_EDITOR_KEY_ROWS] = {
#define UI_EDITOR_MOVE(action, keys, keeps, help) {keys, help},
#define UI_EDITOR_DO(action, keys, help)          {keys, help},
#include "ui/editor_keys.def"
};

struct action {
    size_t (*move)(const struct ui_editor *editor, bool selects); /* NULL: it is no move */
    void (*act)(struct ui_editor *editor);
    bool keeps_goal;
};

static const bool GOAL = true;
static const bool FREE = false;

static const struct action actions[UI_EDITOR_KEY_ROWS] = {
#define UI_EDITOR_MOVE(action, keys, keeps, help) {ui_editor_move_##action, NULL, keeps},
#define UI_EDITOR_DO(action, keys, help)          {NULL, ui_editor_do_##action, false},
#include "ui/editor_keys.def"
};

/* The row of a key, UI_EDITOR_KEY_ROWS if there is none. */
static size_t find_row(struct base_span wanted)
{
    for (size_t row = 0; row < UI_EDITOR_KEY_ROWS; row++) {
        struct base_span keys = base_span_of(ui_editor_key_rows[row].keys);
        struct base_span key = base_span_next_word(&keys);
        for (; key.size > 0; key = base_span_next_word(&keys)) {
            if (base_span_equal_nocase(key, wanted)) {
                return row;
            }
        }
    }
    return UI_EDITOR_KEY_ROWS;
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

static void make_move(struct ui_editor *editor, const struct action *action, bool selects)
{
    const struct ui_editor_text *text = &editor->text;
    const size_t cursor = editor->state.cursor;
    size_t goal = SIZE_MAX;
    if (action->keeps_goal) {
        const size_t start = ui_editor_text_start(text, ui_editor_text_line_of(text, cursor));
        goal = editor->goal != SIZE_MAX
                   ? editor->goal
                   : ui_editor_columns(ui_editor_text_part(text, start, cursor));
    }
    editor->goal = goal;
    ui_editor_put(editor, action->move(editor, selects), selects);
    editor->goal = goal;
}

bool ui_editor_key(struct ui_editor *editor, const char *key)
{
    char plain[KEY_SIZE];
    size_t row = find_row(base_span_of(key));
    const bool selects = row == UI_EDITOR_KEY_ROWS;
    if (selects) {
        row = find_row(without_shift(key, plain));
    }
    if (row == UI_EDITOR_KEY_ROWS || (selects && actions[row].move == NULL)) {
        return false;
    }
    if (actions[row].move != NULL) {
        make_move(editor, &actions[row], selects);
    } else {
        editor->goal = SIZE_MAX;
        actions[row].act(editor);
    }
    return true;
}
