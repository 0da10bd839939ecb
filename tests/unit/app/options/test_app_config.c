#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/options/option_table.h"
#include "base/os/print.h"
#include "ui/bindings.h"

struct fixture {
    struct app_config config;
    struct app_options options;
    struct base_diag_list messages;
};

static int read_with(struct fixture *fixture, char **argv, int argc, const char *text)
{
    memset(fixture, 0, sizeof *fixture);
    const struct base_diag_sink sink = base_diag_list_sink(&fixture->messages);
    assert_int_equal(app_options_parse(&fixture->options, argc, argv, &sink), 0);
    return app_config_read(&fixture->config, &fixture->options, "c.yaml", base_span_of(text),
                           &sink);
}

static int read_text(struct fixture *fixture, const char *text)
{
    char program[] = "froth";
    char *argv[] = {program, NULL};
    return read_with(fixture, argv, 1, text);
}

static void values_are_taken(void **state)
{
    (void)state;
    struct fixture fixture;
    assert_int_equal(read_text(&fixture, "size: 640x360\nfps: 30\nthreads: 2\nseed: 9\n"
                                         "fullscreen: true\nvsync: off\ntransition: wipe\n"
                                         "advance: 12.5\ndo: [lock on, 'name']\nno-library: on\n"),
                     0);
    const struct app_options *options = &fixture.options;
    assert_int_equal(fixture.messages.count, 0);
    assert_int_equal(options->size.width, 640);
    assert_true(options->fps.numerator == 30 && options->advance == 12.5);
    assert_int_equal(options->threads, 2);
    assert_int_equal(options->seed, 9);
    assert_true(options->fullscreen && options->no_library);
    assert_string_equal(options->vsync, "off");
    assert_string_equal(options->transition, "wipe");
    assert_int_equal(options->first_commands.count, 2);
    assert_string_equal(options->first_commands.items[0], "lock on");
    assert_true(options->blend < 0);
    app_config_free(&fixture.config);
}

static void the_command_line_wins(void **state)
{
    (void)state;
    struct fixture fixture;
    char words[][24] = {"froth", "--fps=50", "--fullscreen=off", "--do=next", "--seed=0"};
    char *argv[6];
    for (int i = 0; i < 5; i++) {
        argv[i] = words[i];
    }
    assert_int_equal(read_with(&fixture, argv, 5,
                               "fps: 30\nfullscreen: ja\ndo: [cut, quit]\nseed: 4\n"
                               "advance: 5\n"),
                     -1); /* ja is no word for on */
    assert_true(fixture.options.fps.numerator == 50);
    assert_false(fixture.options.fullscreen);
    assert_int_equal(fixture.options.first_commands.count, 1);
    assert_int_equal(fixture.options.seed, 0);
    assert_true(fixture.options.advance == 5);
    app_config_free(&fixture.config);
}

static void a_sound_wins_over_a_device_and_the_other_way_round(void **state)
{
    (void)state;
    static const char *const texts[] = {"audio-device: pulse\n", "audio: demo\n"};
    static const char *const words[] = {"--audio=test", "--audio-device=mic"};
    for (int i = 0; i < 2; i++) {
        struct fixture fixture;
        char program[] = "froth";
        char word[24];
        (void)snprintf(word, sizeof word, "%s", words[i]);
        char *argv[] = {program, word, NULL};
        assert_int_equal(read_with(&fixture, argv, 2, texts[i]), 0);
        assert_int_equal(fixture.options.audio != NULL, i == 0);
        assert_int_equal(fixture.options.audio_device != NULL, i == 1);
        app_config_free(&fixture.config);
    }
}

static void wrong_values_are_explained_and_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line;
        uint32_t column;
        const char *what;
        const char *hint;
    } cases[] = {
        {"fps: 2000\n", 1, 6, "fps: '2000' is out of range", "1 to 1000"},
        {"seed: 1\nfsp: 20\n", 2, 1, "unknown key 'fsp'", "did you mean fps?"},
        {"landscape-orientation: 20\n", 1, 1, "unknown key", "froth help --config"},
        {"start: 20\n", 1, 1, "unknown key 'start'", ""},
        {"hash: on\n", 1, 1, "unknown key 'hash'", ""},
        {"o: x\n", 1, 1, "unknown key 'o'", ""},
        {"size: [1, 2]\n", 1, 7, "size needs one value", ""},
        {"do: {a: b}\n", 1, 5, "do needs a value, or a list", ""},
        {"do: [[a]]\n", 1, 6, "do needs a value, or a list", ""},
        {"do: lok\n", 1, 5, "unknown command 'lok'", "did you mean lock?"},
        {"do:\n  - next\n  - lock maybe\n", 3, 10, "lock cannot take 'maybe'",
         "on, off or nothing"},
        {"fullscreen: 3\n", 1, 13, "fullscreen: '3' is not known", "on or off"},
        {"vsync: maybe\n", 1, 8, "vsync: 'maybe' is not known", "on|off"},
        {"audio: \"a\\0b\"\n", 1, 8, "audio needs one value", ""},
        {"audio:\n", 0, 0, "is empty", ""},
        {"[fps]\n", 1, 1, "must be a map", "key: value"},
        {"fps: 30\nfps: 40\n", 2, 1, "", ""},
        {"fps: {\n", 0, 0, "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture fixture;
        assert_int_equal(read_text(&fixture, cases[i].text), -1);
        assert_int_equal(fixture.messages.count, 1);
        const struct base_diag *message = &fixture.messages.items[0];
        if (strstr(message->what, cases[i].what) == NULL ||
            strstr(message->hint, cases[i].hint) == NULL) {
            fail_msg("%s: %s; %s", cases[i].text, message->what, message->hint);
        }
        assert_string_equal(message->place.file, "c.yaml");
        if (cases[i].line > 0) {
            assert_int_equal(message->place.line, cases[i].line);
            assert_int_equal(message->place.column, cases[i].column);
        }
        app_config_free(&fixture.config);
    }
    struct fixture fixture;
    assert_int_equal(read_text(&fixture, "fps: 0\nadvance: 7\nmesh: 1\nblend: 2\n"), -1);
    assert_int_equal(fixture.messages.count, 2);
    assert_true(fixture.options.fps.numerator == 0 && fixture.options.mesh.width == 0);
    assert_true(fixture.options.advance == 7 && fixture.options.blend == 2);
    app_config_free(&fixture.config);
}

#define COMMANDS_5  "cut,undo,'rate =3',set fDecay 0.9,edit,"
#define COMMANDS_15 COMMANDS_5 COMMANDS_5 COMMANDS_5

static void long_lists_are_refused(void **state)
{
    (void)state;
    struct fixture fixture;
    assert_int_equal(read_text(&fixture, "do: [" COMMANDS_15 "next]\n"), 0);
    assert_int_equal(fixture.options.first_commands.count, APP_LIST_MAX);
    app_config_free(&fixture.config);
    assert_int_equal(read_text(&fixture, "do: [" COMMANDS_15 "next, next]\n"), -1);
    assert_int_equal(fixture.options.first_commands.count, 0);
    app_config_free(&fixture.config);
}

/* Every key stands in the file that comes with froth, commented out, and is one. */
static void the_file_that_is_printed_has_every_key(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    app_config_print(file);
    const long size = ftell(file);
    char *text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    (void)fclose(file);
    struct fixture fixture;
    assert_int_equal(read_text(&fixture, text), 0);
    size_t keys = 0;
    for (size_t i = 0; i < app_option_row_count; i++) {
        if (app_config_has(&app_option_rows[i])) {
            char line[64];
            (void)snprintf(line, sizeof line, "\n#%s: ", app_option_key(&app_option_rows[i]));
            assert_non_null(strstr(text, line));
            keys++;
        }
    }
    assert_true(keys > 25);
    free(text);
    app_config_free(&fixture.config);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    (void)fclose(file);
}

static void files_are_found(void **state)
{
    (void)state;
    char folder[] = "/tmp/test_app_config_XXXXXX";
    char below[64];
    char path[80];
    struct fixture fixture = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&fixture.messages);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("XDG_CONFIG_HOME", folder, 1), 0);
    app_options_default(&fixture.options);
    assert_int_equal(app_config_load(&fixture.config, &fixture.options, &sink), 0);
    (void)snprintf(below, sizeof below, "%s/froth", folder);
    (void)snprintf(path, sizeof path, "%s/config.yaml", below);
    assert_int_equal(mkdir(below, 0700), 0);
    write_text(path, "fps: 25\nfps2: 3\nbindings: projectm\n");
    assert_int_equal(app_config_load(&fixture.config, &fixture.options, &sink), 0);
    assert_true(fixture.options.fps.numerator == 25);
    assert_int_equal(fixture.messages.count, 1);
    assert_string_equal(fixture.messages.items[0].place.file, path);
    struct ui_bindings *bindings = app_config_bindings(&fixture.options, &sink);
    assert_int_equal(ui_bindings_find(bindings, "Y")->command, UI_COMMAND_RANDOM);
    ui_bindings_free(bindings);
    fixture.options.bindings = "no such";
    bindings = app_config_bindings(&fixture.options, &sink);
    assert_int_equal(ui_bindings_find(bindings, "H")->command, UI_COMMAND_CUT);
    ui_bindings_free(bindings);
    assert_int_equal(fixture.messages.by_severity[BASE_ERROR], 2);
    app_config_free(&fixture.config);

    fixture = (struct fixture){0};
    app_options_default(&fixture.options);
    fixture.options.config = "/nowhere/froth.yaml";
    assert_int_equal(app_config_load(&fixture.config, &fixture.options, &sink), -1);
    app_config_free(&fixture.config);
    (void)unlink(path);
    (void)rmdir(below);
    (void)rmdir(folder);
}

static void the_log_keeps_what_is_important(void **state)
{
    (void)state;
    static const char *const levels[] = {"debug", "note", "warning", "error"};
    for (int i = 0; i < 4; i++) {
        struct base_diag_list list = {0};
        const struct base_diag_sink next = base_diag_list_sink(&list);
        struct base_logger log;
        assert_int_equal(base_logger_open(&log, NULL, levels[i], &next), 0);
        const struct base_diag_sink sink = base_logger_sink(&log);
        for (int k = 0; k < BASE_SEVERITY_COUNT; k++) {
            base_report(&sink, (enum base_severity)k, (struct base_place){0}, NULL, "word");
        }
        assert_int_equal(list.count, 4 - i);
        base_logger_close(&log);
    }
}

static void the_log_is_added_to(void **state)
{
    (void)state;
    char path[] = "/tmp/test_app_log_XXXXXX";
    (void)close(mkstemp(path));
    for (int i = 0; i < 2; i++) {
        struct base_diag_list list = {0};
        const struct base_diag_sink next = base_diag_list_sink(&list);
        struct base_logger log;
        assert_int_equal(base_logger_open(&log, path, NULL, &next), 0);
        const struct base_diag_sink sink = base_logger_sink(&log);
        base_report(&sink, BASE_DEBUG, (struct base_place){0}, NULL, "silent");
        base_report(&sink, BASE_WARNING, (struct base_place){"a.milk", 2, 3}, "do", "odd\n%d", i);
        base_logger_close(&log);
        assert_int_equal(list.count, 1);
    }
    FILE *file = fopen(path, "r");
    char line[200];
    for (int i = 0; i < 2; i++) {
        char wanted[64];
        (void)snprintf(wanted, sizeof wanted, "Z a.milk:2:3: warning: odd?%d; do\n", i);
        assert_non_null(fgets(line, sizeof line, file));
        assert_string_equal(line + strlen("2030-01-31T12:00:00.250"), wanted);
    }
    assert_null(fgets(line, sizeof line, file));
    (void)fclose(file);
    (void)unlink(path);
    struct base_logger log;
    assert_int_equal(base_logger_open(&log, "/proc/nowhere/froth.log", NULL, NULL), -1);
    base_logger_close(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_taken),
        cmocka_unit_test(the_command_line_wins),
        cmocka_unit_test(a_sound_wins_over_a_device_and_the_other_way_round),
        cmocka_unit_test(wrong_values_are_explained_and_left_out),
        cmocka_unit_test(long_lists_are_refused),
        cmocka_unit_test(the_file_that_is_printed_has_every_key),
        cmocka_unit_test(files_are_found),
        cmocka_unit_test(the_log_keeps_what_is_important),
        cmocka_unit_test(the_log_is_added_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
