#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/bindings.h"

static struct base_diag_list messages;

static struct ui_bindings *read_size(const char *text, size_t size)
{
    messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    return ui_bindings_read("mine.yaml", (struct base_span){text, size}, &sink);
}

static struct ui_bindings *read_text(const char *text)
{
    return read_size(text, strlen(text));
}

static struct ui_bindings *load(const char *name)
{
    messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    return ui_bindings_load(name, &sink);
}

static enum ui_command command_of(const struct ui_bindings *bindings, const char *key)
{
    const struct engine_call *call = ui_bindings_find(bindings, key);
    return call != NULL ? call->command : UI_COMMAND_NONE;
}

static void keys_have_one_name(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *name; /* NULL: it is no key */
        const char *hint;
    } cases[] = {
        {"Space", "Space", ""},
        {"pageup", "PageUp", ""},
        {"i", "I", ""},
        {"shift+i", "Shift+I", ""},
        {"Shift+Ctrl+Z", "Ctrl+Shift+Z", ""},
        {"super+ALT+ctrl+F11", "Ctrl+Alt+Super+F11", ""},
        {"!", "!", ""},
        {"Ctrl++", "Ctrl++", ""},
        {"+", "+", ""},
        {"keypad +", "Keypad +", ""},
        {"\xC3\xA4", "\xC3\xA4", ""},
        {"WheelUp", "WheelUp", ""},
        {"Shift+1", NULL, "without Shift"},
        {"Ctrl+Ctrl+Z", NULL, "Ctrl+Z"},
        {"", NULL, "PageUp"},
        {"Ctrl+", NULL, "PageUp"},
        {"Spcae", NULL, "did you mean Space?"},
        {"ii", NULL, ""},
        {"\xC3", NULL, ""},
        {"\n", NULL, ""},
        {"\xC2\x85", NULL, ""},
        {" ", NULL, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[UI_KEY_NAME] = "";
        char hint[160];
        const char *why = ui_key_name(name, base_span_of(cases[i].text), hint, sizeof hint);
        assert_int_equal(why == NULL, cases[i].name != NULL);
        if (why == NULL) {
            assert_string_equal(name, cases[i].name);
        } else {
            assert_non_null(strstr(hint, cases[i].hint));
        }
    }
}

/* Each command has a key, or stands as `# name: help` in the text. */
static void assert_documents(const char *profile, const struct ui_bindings *bindings)
{
    char *text = ui_bindings_text(profile);
    assert_non_null(text);
    for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
        char keys[200];
        char line[300];
        ui_bindings_keys(bindings, (enum ui_command)i, keys, sizeof keys);
        (void)snprintf(line, sizeof line, "\n# %s: %s\n", ui_command_rows[i].name,
                       ui_command_rows[i].help);
        if ((keys[0] != '\0') == (strstr(text, line) != NULL)) {
            fail_msg("%s: %s: %s", profile, keys[0] != '\0' ? "has keys, but also" : "lacks", line);
        }
    }
    free(text);
}

static void profiles_are_whole(void **state)
{
    (void)state;
    size_t profiles = 0;
    for (; ui_bindings_profiles[profiles] != NULL; profiles++) {
        struct ui_bindings *bindings = load(ui_bindings_profiles[profiles]);
        assert_non_null(bindings);
        assert_int_equal(messages.count, 0);
        assert_documents(ui_bindings_profiles[profiles], bindings);
        for (size_t i = 0; i < ui_bindings_count(bindings); i++) {
            const struct ui_binding *row = ui_bindings_at(bindings, i);
            char name[UI_KEY_NAME];
            char hint[160];
            assert_null(ui_key_name(name, base_span_of(row->key), hint, sizeof hint));
            assert_string_equal(name, row->key);
            assert_ptr_equal(ui_bindings_find(bindings, row->key), &row->call);
        }
        ui_bindings_free(bindings);
    }
    assert_int_equal(profiles, 2);
    assert_null(ui_bindings_text("nothing"));
}

static void milkdrop_has_the_keys_of_milkdrop(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        const char *words;
    } cases[] = {
        {"Space", "next"},
        {"H", "cut"},
        {"Backspace", "previous"},
        {"R", "random"},
        {"L", "panel library"},
        {"M", "edit"},
        {"S", "save"},
        {"ScrollLock", "lock"},
        {"`", "lock"},
        {"F1", "help"},
        {"F4", "name"},
        {"F5", "fps"},
        {"N", "panel variables"},
        {"I", "zoom"},
        {"Shift+I", "zoom -1"},
        {"O", "warp -1"},
        {"G", "gamma -1"},
        {"Shift+W", "wave -1"},
        {"Ctrl+Z", "undo"},
        {"Escape", "leave"},
        {"Ctrl+Q", "quit"},
    };
    struct ui_bindings *bindings = load("milkdrop");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t at = 0;
        while (strcmp(ui_bindings_at(bindings, at)->key, cases[i].key) != 0) {
            at++;
        }
        assert_string_equal(ui_bindings_at(bindings, at)->words, cases[i].words);
    }
    assert_true(ui_bindings_find(bindings, "I")->number == 1);
    assert_true(ui_bindings_find(bindings, "shift+i")->number == -1);
    assert_null(ui_bindings_find(bindings, "Ctrl+Alt+Z"));
    assert_null(ui_bindings_find(bindings, ""));
    ui_bindings_free(bindings);
}

/* What a key press may do by accident never ends the show. */
static void only_ctrl_quits(void **state)
{
    (void)state;
    for (size_t k = 0; ui_bindings_profiles[k] != NULL; k++) {
        struct ui_bindings *bindings = load(ui_bindings_profiles[k]);
        char keys[100];
        ui_bindings_keys(bindings, UI_COMMAND_QUIT, keys, sizeof keys);
        assert_string_equal(keys, "Ctrl+Q");
        ui_bindings_free(bindings);
    }
}

/* Blackout and its like in every profile, and while a text is edited too. */
static void the_show_has_keys_that_work_everywhere(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        enum ui_command command;
    } cases[] = {{"F3", UI_COMMAND_LOCK},     {"F6", UI_COMMAND_PREVIOUS},
                 {"F7", UI_COMMAND_NEXT},     {"F8", UI_COMMAND_FREEZE},
                 {"F9", UI_COMMAND_BLACKOUT}, {"Ctrl+F", UI_COMMAND_FIND},
                 {"Ctrl+S", UI_COMMAND_SAVE}, {"Alt+3", UI_COMMAND_PANEL}};
    for (size_t k = 0; ui_bindings_profiles[k] != NULL; k++) {
        struct ui_bindings *bindings = load(ui_bindings_profiles[k]);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            assert_int_equal(command_of(bindings, cases[i].key), cases[i].command);
            assert_false(ui_key_edits(cases[i].key));
        }
        ui_bindings_free(bindings);
    }
}

static void what_edits_belongs_to_the_field(void **state)
{
    (void)state;
    static const char *const edits[] = {"",         "A",      "Shift+A", "Space",     "5",
                                        "Enter",    "Escape", "Tab",     "Backspace", "Shift+Left",
                                        "Keypad 7", "Delete", "Ctrl+Z",  "Ctrl+/",    "Ctrl+U",
                                        "Home",     "F",      "\xC3\xA9"};
    static const char *const commands[] = {"F1",     "F24",         "Shift+F9",   "Ctrl+F5",
                                           "Ctrl+Q", "PrintScreen", "ScrollLock", "Alt+Enter",
                                           "Alt+1",  "AudioNext",   "Ctrl++",     "Super+A+"};
    static const char *const editor[] = {
#define UI_EDITOR_MOVE(action, keys, ...) keys,
#define UI_EDITOR_DO(action, keys, ...)   keys,
#include "ui/editor/actions.def"
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        assert_true(ui_key_edits(edits[i]));
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        assert_false(ui_key_edits(commands[i]));
    }
    for (size_t i = 0; i < sizeof editor / sizeof *editor; i++) {
        struct base_span rest = base_span_of(editor[i]);
        struct base_span word = base_span_next_word(&rest);
        for (; word.size > 0; word = base_span_next_word(&rest)) {
            char key[UI_KEY_NAME];
            (void)snprintf(key, sizeof key, "%.*s", (int)word.size, word.data);
            assert_true(ui_key_edits(key));
        }
    }
}

static void a_file_changes_a_profile(void **state)
{
    (void)state;
    struct ui_bindings *usual = load("milkdrop");
    struct ui_bindings *bindings =
        read_text("space: cut\nprofile: milkdrop\nH: none\nF13: 'set fDecay 0.5'\n");
    assert_non_null(bindings);
    assert_int_equal(ui_bindings_count(bindings), ui_bindings_count(usual));
    assert_int_equal(command_of(bindings, "Space"), UI_COMMAND_CUT);
    assert_int_equal(command_of(bindings, "H"), UI_COMMAND_NONE);
    assert_int_equal(command_of(bindings, "f13"), UI_COMMAND_SET);
    assert_string_equal(ui_bindings_find(bindings, "F13")->text, "fDecay 0.5");
    assert_int_equal(command_of(bindings, "F1"), UI_COMMAND_HELP);
    const size_t last = ui_bindings_count(bindings) - 1;
    assert_string_equal(ui_bindings_at(bindings, last)->key, "F13");
    assert_string_equal(ui_bindings_at(bindings, last - 1)->key, "Space");
    ui_bindings_free(bindings);
    ui_bindings_free(usual);

    bindings = read_text("");
    assert_non_null(bindings);
    assert_int_equal(ui_bindings_count(bindings), 0);
    ui_bindings_free(bindings);
}

static void keys_of_a_command_fit_or_are_left_out(void **state)
{
    (void)state;
    struct ui_bindings *bindings = read_text("Space: next\nRight: next\nH: cut\nN: next 2\n");
    char keys[20];
    ui_bindings_keys(bindings, UI_COMMAND_NEXT, keys, sizeof keys);
    assert_string_equal(keys, "Space  Right  N");
    ui_bindings_keys(bindings, UI_COMMAND_NEXT, keys, 11);
    assert_string_equal(keys, "Space  N");
    ui_bindings_keys(bindings, UI_COMMAND_QUIT, keys, sizeof keys);
    assert_string_equal(keys, "");
    ui_bindings_free(bindings);
}

static void wrong_files_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line;
        uint32_t column;
        const char *what;
        const char *hint;
    } cases[] = {
        {"Space: nxt\n", 1, 8, "unknown command 'nxt'", "did you mean next?"},
        {"H: cut\nSpace: lock  yes\n", 2, 14, "lock cannot take 'yes'", "on, off"},
        {"\n  Spaec: next\n", 2, 3, "'Spaec' is no key", "did you mean Space?"},
        {"Shift+!: next\n", 1, 1, "is no key", "without Shift"},
        {"H: cut\nh: next\n", 2, 1, "'h' is bound twice", "take one"},
        {"H: [cut]\n", 1, 4, "'H' needs one command", "Key: command"},
        {"H:\n", 1, 1, "unknown command ''", ""},
        {"- next\n", 1, 1, "bindings must be a map", "Key: command"},
        {"profile: winamp\n", 1, 10, "'winamp' is no profile", "milkdrop, projectm"},
        {"profile: [milkdrop]\n", 1, 10, "is no profile", "milkdrop, projectm"},
        {"H: cut\nH: next\n", 2, 1, "", ""},
        {"H: &a cut\nI: *a\n", 2, 4, "", ""},
        {"{", 1, 1, "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(read_text(cases[i].text));
        assert_int_equal(messages.count, 1);
        const struct base_diag *message = &messages.items[0];
        if (strstr(message->what, cases[i].what) == NULL ||
            strstr(message->hint, cases[i].hint) == NULL) {
            fail_msg("%s: %s; %s", cases[i].text, message->what, message->hint);
        }
        assert_string_equal(message->place.file, "mine.yaml");
        if (cases[i].what[0] != '\0' && strcmp(cases[i].text, "H:\n") != 0) {
            assert_int_equal(message->place.line, cases[i].line);
            assert_int_equal(message->place.column, cases[i].column);
        }
    }
}

static void endless_files_end(void **state)
{
    (void)state;
    enum { LINES = 2000, LINE = 16 };
    char *text = calloc(LINES, LINE);
    assert_non_null(text);
    for (size_t i = 0; i < LINES; i++) {
        (void)snprintf(text + strlen(text), LINE, "x%zu: next\n", i);
    }
    assert_null(read_text(text));
    assert_int_equal(messages.count, 1);
    assert_non_null(strstr(messages.items[0].what, "more than 1000 keys"));
    text[LINE * 30] = '\0';
    assert_null(read_text(text));
    assert_int_equal(messages.by_severity[BASE_ERROR], 20);
    free(text);
    assert_null(read_size("H: cut\0\nI: \0", 12));
}

static void files_are_loaded(void **state)
{
    (void)state;
    assert_null(load("milkdorp"));
    assert_non_null(strstr(messages.items[0].hint, "did you mean milkdrop?"));
    assert_null(load("/dev/zero"));
    assert_null(load("./missing.yaml"));
    char path[] = "/tmp/test_ui_bindings_XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    static const char text[] = "profile: projectm\nSpace: next\n";
    assert_int_equal(write(descriptor, text, sizeof text - 1), sizeof text - 1);
    (void)close(descriptor);
    struct ui_bindings *bindings = load(path);
    (void)unlink(path);
    assert_non_null(bindings);
    assert_int_equal(command_of(bindings, "Space"), UI_COMMAND_NEXT);
    assert_int_equal(command_of(bindings, "L"), UI_COMMAND_LOCK);
    ui_bindings_free(bindings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_have_one_name),
        cmocka_unit_test(profiles_are_whole),
        cmocka_unit_test(milkdrop_has_the_keys_of_milkdrop),
        cmocka_unit_test(only_ctrl_quits),
        cmocka_unit_test(the_show_has_keys_that_work_everywhere),
        cmocka_unit_test(what_edits_belongs_to_the_field),
        cmocka_unit_test(a_file_changes_a_profile),
        cmocka_unit_test(keys_of_a_command_fit_or_are_left_out),
        cmocka_unit_test(wrong_files_are_explained),
        cmocka_unit_test(endless_files_end),
        cmocka_unit_test(files_are_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
