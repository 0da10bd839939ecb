#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/options/option_table.h"
#include "ui/command.h"
#include "ui/overlay.h"

enum { WORDS_MAX = 16 };

/* Parses words that are separated by one blank. argv points into `text`, which lives in the test.
 */
struct line {
    char text[256];
    char *argv[WORDS_MAX];
    int argc;
    struct app_options options;
    struct base_diag_list diags;
};

static int parse(struct line *line, const char *words)
{
    memset(line, 0, sizeof *line);
    (void)snprintf(line->text, sizeof line->text, "%s", words);
    char *at = line->text;
    while (at != NULL) {
        line->argv[line->argc++] = at;
        at = strchr(at, ' ');
        if (at != NULL) {
            *at++ = '\0';
        }
    }
    const struct base_diag_sink sink = base_diag_list_sink(&line->diags);
    return app_options_parse(&line->options, line->argc, line->argv, &sink);
}

static const char *command_for(const struct app_option_row *row)
{
    size_t i = 0;
    while (!(app_command_rows[i].bit & row->commands)) {
        i++;
    }
    return app_command_rows[i].name;
}

/* The first of the alternatives, where no other value is taken. */
static const char *first_of(const char *alternatives)
{
    static char first[32];
    const size_t size = strcspn(alternatives, "|");
    assert_true(size < sizeof first);
    memcpy(first, alternatives, size);
    first[size] = '\0';
    return first;
}

static const char *value_for(const struct app_option_row *row)
{
    switch (row->kind) {
    case APP_OPTION_TEXT:
        return strpbrk(row->argument, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == NULL
                   ? first_of(row->argument)
                   : "some=thing";
    case APP_OPTION_LIST:
        return "some=thing";
    case APP_OPTION_CALLS:
        return "rate";
    case APP_OPTION_SIZE:
        return "64x48";
    case APP_OPTION_NUMBER:
        return row->high < 12.5 ? "1.5" : "12.5";
    case APP_OPTION_TIME:
        return "0:12.5";
    case APP_OPTION_RATE:
        return "24000/1001";
    default:
        return row->low > 7 ? "128" : "7";
    }
}

static void check_field(const struct app_options *options, const struct app_option_row *row)
{
    const void *field = (const char *)options + row->offset;
    switch (row->kind) {
    case APP_OPTION_TEXT:
        assert_string_equal(*(const app_option_TEXT *)field, value_for(row));
        break;
    case APP_OPTION_LIST:
    case APP_OPTION_CALLS:
        assert_int_equal(((const app_option_LIST *)field)->count, 1);
        assert_string_equal(((const app_option_LIST *)field)->items[0], value_for(row));
        break;
    case APP_OPTION_SIZE:
        assert_int_equal(((const app_option_SIZE *)field)->width, 64);
        assert_int_equal(((const app_option_SIZE *)field)->height, 48);
        break;
    case APP_OPTION_NUMBER:
        assert_true(*(const app_option_NUMBER *)field == atof(value_for(row)));
        break;
    case APP_OPTION_TIME:
        assert_true(*(const app_option_TIME *)field == 12.5);
        break;
    case APP_OPTION_RATE:
        assert_int_equal(((const app_option_RATE *)field)->numerator, 24000);
        assert_int_equal(((const app_option_RATE *)field)->denominator, 1001);
        break;
    case APP_OPTION_COUNT:
    case APP_OPTION_SEED:
        assert_int_equal(*(const uint64_t *)field, atoi(value_for(row)));
        break;
    case APP_OPTION_FLAG:
        assert_true(*(const app_option_FLAG *)field);
        break;
    }
}

static void every_option_parses_in_both_spellings(void **state)
{
    (void)state;
    for (size_t i = 0; i < app_option_row_count; i++) {
        const struct app_option_row *row = &app_option_rows[i];
        for (int joined = 0; joined < 2; joined++) {
            char words[128];
            const bool flag = row->kind == APP_OPTION_FLAG;
            (void)snprintf(words, sizeof words, "froth %s %s%s%s", command_for(row), row->name,
                           flag     ? ""
                           : joined ? "="
                                    : " ",
                           flag ? "" : value_for(row));
            struct line line;
            assert_int_equal(parse(&line, words), 0);
            assert_int_equal(line.options.input_count, 0);
            check_field(&line.options, row);
        }
    }
}

static void every_option_is_refused_elsewhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < app_option_row_count; i++) {
        const struct app_option_row *row = &app_option_rows[i];
        const bool flag = row->kind == APP_OPTION_FLAG;
        char words[128];
        const char *other = (row->commands & APP_VERSION) != 0 ? "help" : "version";
        (void)snprintf(words, sizeof words, "froth %s %s%s%s", other, row->name, flag ? "" : "=",
                       flag ? "" : value_for(row));
        struct line line;
        assert_int_equal(parse(&line, words), -1);
        assert_non_null(strstr(line.diags.items[0].what, row->name));
        assert_non_null(strstr(line.diags.items[0].hint, command_for(row)));
    }
}

static void ranges_hold_at_both_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < app_option_row_count; i++) {
        const struct app_option_row *row = &app_option_rows[i];
        if (row->kind != APP_OPTION_NUMBER && row->kind != APP_OPTION_COUNT &&
            row->kind != APP_OPTION_TIME && row->kind != APP_OPTION_RATE) {
            continue;
        }
        const struct {
            double value;
            int result;
        } cases[] = {{row->low, 0}, {row->high, 0}, {row->low - 1, -1}, {row->high + 1, -1}};
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
            char words[128];
            (void)snprintf(words, sizeof words, "froth %s %s %.10g", command_for(row), row->name,
                           cases[k].value);
            struct line line;
            assert_int_equal(parse(&line, words), cases[k].result);
            assert_true(line.diags.count == (cases[k].result == 0 ? 0u : 1u));
        }
    }
}

static void wrong_words_are_explained(void **state)
{
    static const struct {
        const char *words;
        const char *what;
        const char *hint;
    } cases[] = {
        {"froth render --frmes 3", "unknown option --frmes", "did you mean --frames?"},
        {"froth render --out x.mp4", "unknown option --out", "did you mean -o?"},
        {"froth render --lenght 3", "unknown option --lenght", "did you mean --duration?"},
        {"froth render --frmes=3", "unknown option --frmes", "did you mean --frames?"},
        {"froth render --xyzzyxyzzy", "unknown option", "froth help"},
        {"froth -q", "unknown option -q", ""},
        {"froth render --size 15x16", "--size: '15x16' is out of range", "16x16 to 8192x8192"},
        {"froth render --size 16x8193", "out of range", "16x16 to 8192x8192"},
        {"froth render --size 99999999999999999999x16", "not a size", "WxH"},
        {"froth render --size 640", "not a size", "WxH"},
        {"froth render --size 640x", "not a size", "WxH"},
        {"froth render --size 640x480x2", "not a size", "WxH"},
        {"froth render --size -640x480", "not a size", "WxH"},
        {"froth render --mesh 192x145", "out of range", "2x2 to 192x144"},
        {"froth lab --mesh 129x1", "out of range", "1x1 to 128x128"},
        {"froth --mesh 129x1 lab", "out of range", "1x1 to 128x128"},
        {"froth --mesh 1x1 render", "out of range", "2x2 to 192x144"},
        {"froth --mesh 1x1 x.milk", "out of range", "2x2 to 192x144"},
        {"froth devices --mesh 3x3", "'froth devices' does not know --mesh", "'froth lab'"},
        {"froth render --fps 0", "--fps: '0' is out of range", "1 to 1000"},
        {"froth render --fps nan", "not a rate", "1 to 1000"},
        {"froth render --fps 0x10", "not a rate", "1 to 1000"},
        {"froth render --fps 1e", "not a rate", "1 to 1000"},
        {"froth render --fps 1e9", "out of range", "1 to 1000"},
        {"froth render --fps=", "not a rate", "1 to 1000"},
        {"froth render --fps 30/", "not a rate", "N|N/D"},
        {"froth render --fps 30/0", "not a rate", "N|N/D"},
        {"froth render --fps 30/1/1", "not a rate", "N|N/D"},
        {"froth render --fps 30000/29", "out of range", "1 to 1000"},
        {"froth render --fps 1/2", "out of range", "1 to 1000"},
        {"froth render --fps 29.97/1", "not a rate", "N|N/D"},
        {"froth render --duration 1:60", "--duration: '1:60' is not a time", "4:30 or 1:10:00"},
        {"froth render --duration 1:", "not a time", "0.001 to 1000000 seconds"},
        {"froth render --duration 1:2:3:4", "not a time", ""},
        {"froth render --duration 1.5:00", "not a time", ""},
        {"froth render --duration 0:00", "out of range", "0.001 to 1000000 seconds"},
        {"froth render --bitrate 1:00", "not a number", "MBIT"},
        {"froth render -y", "unknown option -y", "did you mean --overwrite?"},
        {"froth play -ss", "unknown option -ss", "did you mean --start?"},
        {"froth render --force", "unknown option --force", "did you mean --overwrite?"},
        {"froth render --codec hvec", "--codec: 'hvec' is not known", "it takes h264|h265"},
        {"froth rendr x.milk -o y.mp4", "'rendr' is no command", "did you mean render?"},
        {"froth rendr x.milk --frmes 3", "'rendr' is no command", "did you mean render?"},
        {"froth --hash chekc x.milk", "'chekc' is no command", "did you mean check?"},
        {"froth render --start -1", "out of range", "0 to 1000000"},
        {"froth render --frames 0", "out of range", "1 to 1000000000"},
        {"froth render --frames -3", "out of range", "1 to 1000000000"},
        {"froth render --frames 1.5", "not a whole number", "1 to 1000000000"},
        {"froth render --seed -1", "not a whole number", "N"},
        {"froth render --seed 18446744073709551616", "out of range", "N"},
        {"froth render --cpu avx", "--cpu: 'avx' is not known", "plain|sse41|neon|avx2|avx512"},
        {"froth render --cpu avx", "is not known", "did you mean avx2? it takes plain|"},
        {"froth play --transition wpe", "is not known", "did you mean wipe?"},
        {"froth play --do=lokc", "unknown command 'lokc'", "did you mean lock?"},
        {"froth render --cpu plain|sse41", "is not known", "plain|sse41|neon|avx2|avx512"},
        {"froth render --target thesis", "is not known", "host"},
        {"froth compile --target milkymist", "--target: 'milkymist' is not known",
         "host|milkymist-one|thesis"},
        {"froth compile --program per_vertex", "is not known", "per_frame|per_pixel"},
        {"froth compile --scheduler best", "is not known", "greedy|critical|pipelined"},
        {"froth compile --emit words", "is not known", "stats|ir|asm|hex|regs|schedule"},
        {"froth render --audio=", "is empty", "FILE|demo|test"},
        {"froth render -o", "-o needs a value: OUT", ""},
        {"froth render -o --hash", "-o needs a value: OUT", ""},
        {"froth render --audio --size=64x64", "--audio needs a value", ""},
        {"froth render --hash=maybe", "--hash: 'maybe' is not known", "it takes on or off"},
        {"froth render --json", "'froth render' does not know --json", "'froth check'"},
        {"froth x.milk -o y.mp4", "'froth play' does not know -o", "'froth render'"},
        {"froth version extra", "'froth version' takes nothing more: 'extra'", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct line line;
        assert_int_equal(parse(&line, cases[i].words), -1);
        assert_int_equal(line.diags.count, 1);
        if (strstr(line.diags.items[0].what, cases[i].what) == NULL ||
            strstr(line.diags.items[0].hint, cases[i].hint) == NULL) {
            fail_msg("%s: %s; %s", cases[i].words, line.diags.items[0].what,
                     line.diags.items[0].hint);
        }
    }
}

static void commands_and_inputs_are_told_apart(void **state)
{
    static const struct {
        const char *words;
        enum app_command_bit command;
        size_t count;
        const char *last;
    } cases[] = {
        {"froth", APP_PLAY, 0, NULL},
        {"froth play", APP_PLAY, 0, NULL},
        {"froth a.milk b.milk", APP_PLAY, 2, "b.milk"},
        {"froth play render", APP_PLAY, 1, "render"},
        {"froth render a --hash b", APP_RENDER, 2, "b"},
        {"froth --mesh 1x1 lab pfpu", APP_LAB, 1, "pfpu"},
        {"froth --size 64x64 render a", APP_RENDER, 1, "a"},
        {"froth a render", APP_PLAY, 2, "render"},
        {"froth -- render", APP_PLAY, 1, "render"},
        {"froth -- rendr", APP_PLAY, 1, "rendr"},
        {"froth landscape", APP_PLAY, 1, "landscape"},
        {"froth render -- --hash", APP_RENDER, 1, "--hash"},
        {"froth render -", APP_RENDER, 1, "-"},
        {"froth render a -o -", APP_RENDER, 1, "a"},
        {"froth check x --json y", APP_CHECK, 2, "y"},
        {"froth help render", APP_HELP, 1, "render"},
        {"froth render --bogus --help", APP_HELP, 1, "render"},
        {"froth x.milk -h", APP_HELP, 0, NULL},
        {"froth --version", APP_VERSION, 0, NULL},
        {"froth version", APP_VERSION, 0, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct line line;
        assert_int_equal(parse(&line, cases[i].words), 0);
        assert_int_equal(line.options.command, cases[i].command);
        assert_int_equal(line.options.input_count, cases[i].count);
        if (cases[i].last != NULL) {
            assert_string_equal(line.options.inputs[cases[i].count - 1], cases[i].last);
        }
    }
}

static void what_is_not_given_is_marked(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, "froth render x"), 0);
    for (size_t i = 0; i < app_option_row_count; i++) {
        const void *field = (const char *)&line.options + app_option_rows[i].offset;
        if (app_option_rows[i].kind == APP_OPTION_NUMBER) {
            assert_true(*(const app_option_NUMBER *)field < 0);
        } else if (app_option_rows[i].kind == APP_OPTION_TEXT) {
            assert_null(*(const app_option_TEXT *)field);
        }
    }
    assert_int_equal(line.options.frames, 0);
    assert_int_equal(line.options.size.width, 0);
    assert_false(line.options.hash);
}

static void the_processor_is_only_limited(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, "froth render x --cpu plain"), 0);
    assert_int_equal(app_options_cpu(&line.options), BASE_CPU_PLAIN);
    const enum base_cpu_level best = base_cpu_best();
    const enum base_cpu_level four = best < BASE_CPU_FOUR ? best : BASE_CPU_FOUR;
    assert_int_equal(parse(&line, "froth render x --cpu neon"), 0);
    assert_int_equal(app_options_cpu(&line.options), four);
    assert_int_equal(parse(&line, "froth render x --cpu sse41"), 0);
    assert_int_equal(app_options_cpu(&line.options), four);
    assert_int_equal(parse(&line, "froth render x"), 0);
    assert_int_equal(app_options_cpu(&line.options), base_cpu_best());
    assert_int_equal(parse(&line, "froth render x --cpu avx512"), 0);
    assert_int_equal(app_options_cpu(&line.options), base_cpu_best());
}

/* Everything written through FILE comes back as text to be freed. */
static char *read_back(FILE *file)
{
    const long size = ftell(file);
    assert_true(size > 0);
    char *text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    (void)fclose(file);
    return text;
}

/* Every one of the words that stand between bars. */
static void assert_words(const char *text, const char *words)
{
    while (*words != '\0') {
        char word[64];
        const size_t size = strcspn(words, "|");
        assert_true(size < sizeof word);
        memcpy(word, words, size);
        word[size] = '\0';
        assert_non_null(strstr(text, word));
        words += size + (words[size] == '|');
    }
}

static void help_mentions_everything(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    app_options_help_all(file);
    char *text = read_back(file);
    for (size_t i = 0; i < app_option_row_count; i++) {
        assert_non_null(strstr(text, app_option_rows[i].name));
        assert_words(text, app_option_rows[i].argument);
    }
    for (size_t i = 0; i < app_command_row_count; i++) {
        assert_non_null(strstr(text, app_command_rows[i].usage));
    }
    for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
        assert_non_null(strstr(text, ui_command_rows[i].name));
    }
    assert_non_null(strstr(text, "FROTH_PRESETS"));
    for (const char *row = text; row != NULL && *row != '\0'; row = strchr(row, '\n') + 1) {
        assert_true(strcspn(row, "\n") <= 80);
    }
    free(text);
}

/* An option may have several rows. */
static unsigned commands_of(const char *name)
{
    unsigned commands = 0;
    for (size_t i = 0; i < app_option_row_count; i++) {
        commands |= strcmp(app_option_rows[i].name, name) == 0 ? app_option_rows[i].commands : 0;
    }
    return commands;
}

static void help_of_a_command_has_its_options_only(void **state)
{
    (void)state;
    for (size_t k = 0; k < app_command_row_count; k++) {
        FILE *file = tmpfile();
        assert_non_null(file);
        app_options_help(file, app_command_rows[k].bit);
        char *text = read_back(file);
        for (size_t i = 0; i < app_option_row_count; i++) {
            char title[64];
            char flag[64];
            (void)snprintf(title, sizeof title, "\n  %s ", app_option_rows[i].name);
            (void)snprintf(flag, sizeof flag, "\n  %s\n", app_option_rows[i].name);
            const bool known =
                (commands_of(app_option_rows[i].name) & app_command_rows[k].bit) != 0;
            assert_int_equal(strstr(text, title) != NULL || strstr(text, flag) != NULL, known);
        }
        free(text);
    }
}

static size_t lines_within(const char *text, size_t width)
{
    size_t lines = 0;
    for (const char *row = text; *row != '\0'; row = strchr(row, '\n') + 1) {
        assert_true(strcspn(row, "\n") <= width);
        lines++;
    }
    return lines;
}

/* Help is a screen, that of a command with many options another one; each says what to ask next. */
static void help_fits_on_screens(void **state)
{
    enum { COLUMNS = 80, SCREEN = 24, LARGE = 72 };
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    app_options_help(file, 0);
    char *text = read_back(file);
    assert_true(lines_within(text, COLUMNS) <= SCREEN);
    for (size_t i = 0; i < app_command_row_count; i++) {
        assert_non_null(strstr(text, app_command_rows[i].brief));
    }
    for (int i = 0; i < 3; i++) {
        static const char *const more[] = {"froth help COMMAND", "froth help commands",
                                           "froth help all"};
        assert_non_null(strstr(text, more[i]));
    }
    free(text);
    static const enum app_command_bit commands[] = {APP_RENDER, APP_CHECK, APP_COMPILE, APP_SEND};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        file = tmpfile();
        assert_non_null(file);
        app_options_help(file, commands[i]);
        text = read_back(file);
        assert_true(lines_within(text, COLUMNS) <= LARGE);
        free(text);
    }
    file = tmpfile();
    assert_non_null(file);
    app_options_help(file, APP_RENDER);
    text = read_back(file);
    assert_non_null(strstr(text, "  --size WxH              picture size in pixels (1280x720)\n"));
    assert_non_null(strstr(text, "froth help all"));
    free(text);
}

/* How many options the manual page of a command describes (0: that of all), which is roff of few
 * requests. */
static size_t options_in_manual(unsigned command, const char *const *words, size_t word_count)
{
    static const char *const requests[] = {".TH ", ".SH ", ".SS ", ".TP\n", ".B ", ".br\n"};
    FILE *file = tmpfile();
    assert_non_null(file);
    app_options_man(file, command);
    char *text = read_back(file);
    for (size_t i = 0; i < word_count; i++) {
        assert_non_null(strstr(text, words[i]));
    }
    size_t options = 0;
    for (const char *row = text; *row != '\0'; row = strchr(row, '\n') + 1) {
        bool known = row[0] != '.' && row[0] != '\'';
        for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
            known = known || strncmp(row, requests[i], strlen(requests[i])) == 0;
        }
        assert_true(known);
        options += strncmp(row, "\\fB\\-", 5) == 0;
    }
    free(text);
    return options;
}

static void manuals_are_roff_without_stray_requests(void **state)
{
    static const char *const whole[] = {"ScrollLock", "FROTH_PRESETS", "froth\\-render(1)"};
    (void)state;
    assert_int_equal(options_in_manual(0, whole, sizeof whole / sizeof *whole),
                     app_option_row_count);
    for (size_t k = 0; k < app_command_row_count; k++) {
        const struct app_command_row *command = &app_command_rows[k];
        const char *const own[] = {command->name, "froth(1)"};
        size_t known = 0;
        for (size_t i = 0; i < app_option_row_count; i++) {
            known += (app_option_rows[i].commands & command->bit) != 0;
        }
        assert_int_equal(options_in_manual(command->bit, own, 2), known);
    }
}

static void names_have_three_ways(void **state)
{
    static const struct {
        const char *words;
        enum ui_overlay_names names;
    } cases[] = {{"froth play", UI_NAMES_NEVER},
                 {"froth play --names first", UI_NAMES_AT_FIRST},
                 {"froth play --names always", UI_NAMES_ALWAYS},
                 {"froth play --names never", UI_NAMES_NEVER}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct line line;
        assert_int_equal(parse(&line, cases[i].words), 0);
        assert_int_equal(app_options_names(&line.options), cases[i].names);
    }
    struct line line;
    assert_int_not_equal(parse(&line, "froth play --names sometimes"), 0);
}

static void times_are_seconds_minutes_and_hours(void **state)
{
    static const struct {
        const char *words;
        double seconds;
    } cases[] = {
        {"froth render --duration 12.5", 12.5},    {"froth render --duration 1:00", 60},
        {"froth render --duration 0:00.25", 0.25}, {"froth render --duration 90:30", 5430},
        {"froth render --duration 1:10:00", 4200}, {"froth render --duration 1:00:00.5", 3600.5},
        {"froth play --duration 1e2", 100},        {"froth board --duration .5", 0.5}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct line line;
        assert_int_equal(parse(&line, cases[i].words), 0);
        assert_true(line.options.duration == cases[i].seconds);
    }
    struct line line;
    assert_int_equal(parse(&line, "froth set trim x --from 1:00:00 --to 1:00:01.5"), 0);
    assert_true(line.options.from == 3600 && line.options.to == 3601.5);
}

static void rates_are_exact(void **state)
{
    static const struct {
        const char *words;
        uint32_t numerator;
        uint32_t denominator;
    } cases[] = {{"froth render --fps 60", 60, 1},
                 {"froth render --fps 30000/1001", 30000, 1001},
                 {"froth render --fps 60000/2002", 30000, 1001},
                 {"froth render --fps 29.97", 30000, 1001},
                 {"froth render --fps 2997/100", 2997, 100},
                 {"froth render --fps 25/2", 25, 2},
                 {"froth render --fps 12.5", 25, 2},
                 {"froth render --fps 119880/1001", 119880, 1001},
                 {"froth render --fps 1000/1", 1000, 1},
                 {"froth render --fps 2997000000/100000000", 2997, 100}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct line line;
        assert_int_equal(parse(&line, cases[i].words), 0);
        assert_int_equal(app_options_fps(&line.options).numerator, cases[i].numerator);
        assert_int_equal(app_options_fps(&line.options).denominator, cases[i].denominator);
    }
    struct line line;
    assert_int_equal(parse(&line, "froth render x"), 0);
    assert_int_equal(app_options_fps(&line.options).numerator, 60);
}

static void other_words_for_values_are_taken(void **state)
{
    static const struct {
        const char *words;
        const char *value;
        size_t offset;
    } cases[] = {
        {"froth render --codec hevc", "h265", offsetof(struct app_options, codec)},
        {"froth render --codec HEVC", "h265", offsetof(struct app_options, codec)},
        {"froth render --codec H.264", "h264", offsetof(struct app_options, codec)},
        {"froth render --codec=avc", "h264", offsetof(struct app_options, codec)},
        {"froth render --codec H265", "h265", offsetof(struct app_options, codec)},
        {"froth render --codec vp9", "vp9", offsetof(struct app_options, codec)},
        {"froth render --quality high", "fine", offsetof(struct app_options, quality)},
        {"froth render --order shuffle", "random", offsetof(struct app_options, order)},
        {"froth play --names off", "never", offsetof(struct app_options, names)},
        {"froth play --vsync no", "off", offsetof(struct app_options, vsync)},
        {"froth play --remote network", "lan", offsetof(struct app_options, remote)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct line line;
        assert_int_equal(parse(&line, cases[i].words), 0);
        assert_string_equal(*(const char **)((char *)&line.options + cases[i].offset),
                            cases[i].value);
        assert_int_equal(line.options.input_count, 0);
    }
    struct line line;
    assert_int_equal(parse(&line, "froth render --hash=yes --overwrite=no"), 0);
    assert_true(line.options.hash && !line.options.overwrite);
}

static void commands_are_guessed(void **state)
{
    (void)state;
    assert_string_equal(app_command_closest("rendr"), "render");
    assert_string_equal(app_command_closest("versoin"), "version");
    assert_null(app_command_closest("landscape"));
    assert_null(app_command_closest("a"));
    assert_null(app_command_closest(""));
}

static void flags_may_be_turned_off(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, "froth --fullscreen=on --counters=off"), 0);
    assert_true(line.options.fullscreen);
    assert_false(line.options.counters);
}

/* The word behind it is its value, if it can be nothing else. */
static void a_wrong_word_behind_an_option_that_stands_alone_is_told(void **state)
{
    static const struct {
        const char *words;
        const char *remote; /* NULL: refused */
        size_t inputs;
    } cases[] = {{"froth play --remote", "on", 0},
                 {"froth play --remote lan", "lan", 0},
                 {"froth play --remote lan " TEST_DATA, "lan", 1},
                 {"froth play --remote " TEST_DATA, "on", 1},
                 {"froth play --remote missing.milk", "on", 1},
                 {"froth --remote play", "on", 0},
                 {"froth play --remote --fullscreen", "on", 0},
                 {"froth play --remote wan", NULL, 0},
                 {"froth --remote wan play", NULL, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct line line;
        assert_int_equal(parse(&line, cases[i].words), cases[i].remote != NULL ? 0 : -1);
        if (cases[i].remote != NULL) {
            assert_string_equal(line.options.remote, cases[i].remote);
            assert_int_equal(line.options.input_count, cases[i].inputs);
        } else {
            assert_string_equal(line.diags.items[0].what, "--remote: 'wan' is not known");
            assert_string_equal(line.diags.items[0].hint, "did you mean lan? it takes on|lan|off");
        }
    }
}

/* A recording alone is what is gone on from: a folder of one, or what is not there. */
static void resume_needs_no_name(void **state)
{
    char folder[] = "/tmp/froth-resume-XXXXXX";
    char path[64];
    char words[128];
    struct line line;
    (void)state;
    assert_int_equal(parse(&line, "froth play --resume"), 0);
    assert_string_equal(line.options.resume, "on");
    assert_int_equal(parse(&line, "froth --resume play"), 0);
    assert_string_equal(line.options.resume, "on");
    assert_int_equal(parse(&line, "froth play --resume --record tonight-2"), 0);
    assert_string_equal(line.options.resume, "on");
    assert_string_equal(line.options.record, "tonight-2");
    assert_int_equal(parse(&line, "froth play --resume=tonight"), 0);
    assert_string_equal(line.options.resume, "tonight");
    assert_int_equal(parse(&line, "froth play --resume tonight"), 0);
    assert_string_equal(line.options.resume, "tonight");
    assert_non_null(mkdtemp(folder));
    (void)snprintf(words, sizeof words, "froth play --resume %s", folder);
    assert_int_equal(parse(&line, words), 0);
    assert_string_equal(line.options.resume, "on");
    assert_int_equal(line.options.input_count, 1);
    (void)snprintf(path, sizeof path, "%s/events.yaml", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fclose(file);
    assert_int_equal(parse(&line, words), 0);
    assert_string_equal(line.options.resume, folder);
    assert_int_equal(line.options.input_count, 0);
    assert_int_equal(remove(path), 0);
    assert_int_equal(remove(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_parses_in_both_spellings),
        cmocka_unit_test(every_option_is_refused_elsewhere),
        cmocka_unit_test(ranges_hold_at_both_ends),
        cmocka_unit_test(wrong_words_are_explained),
        cmocka_unit_test(commands_and_inputs_are_told_apart),
        cmocka_unit_test(what_is_not_given_is_marked),
        cmocka_unit_test(the_processor_is_only_limited),
        cmocka_unit_test(help_mentions_everything),
        cmocka_unit_test(help_fits_on_screens),
        cmocka_unit_test(help_of_a_command_has_its_options_only),
        cmocka_unit_test(manuals_are_roff_without_stray_requests),
        cmocka_unit_test(commands_are_guessed),
        cmocka_unit_test(times_are_seconds_minutes_and_hours),
        cmocka_unit_test(rates_are_exact),
        cmocka_unit_test(other_words_for_values_are_taken),
        cmocka_unit_test(resume_needs_no_name),
        cmocka_unit_test(names_have_three_ways),
        cmocka_unit_test(flags_may_be_turned_off),
        cmocka_unit_test(a_wrong_word_behind_an_option_that_stands_alone_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
