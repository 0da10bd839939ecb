#include <stdlib.h>
#include <string.h>

#include "app/board/inputs.h"
#include "app/lab/lab.h"
#include "app/options/config.h"
#include "app/options/option_table.h"
#include "ui/bindings.h"
#include "base/os/logger.h"

enum { LINE_WIDTH = 80, INDENT = 6, KEYS_MAX = 60 };

static const struct base_place NOWHERE = {0};

static const char GENERAL_END[] =
    "\nEnvironment:\n"
    "  FROTH_PRESETS\n"
    "      folder of the presets that are played when none is named\n"
    "\nNAME=VALUE and NAME VALUE mean the same; -- ends the options. 'froth help\n"
    "COMMAND' lists the options of one command, 'froth help lab' its instruments,\n"
    "'froth help commands' the commands of the window with your keys.\n"
    "Exit status: 0 done, 1 something failed or was left out, 2 wrong usage.\n";

static void print_wrapped(FILE *out, const char *text)
{
    size_t column = 0;
    while (*text != '\0') {
        const size_t size = strcspn(text, " ");
        if (column == 0 || column + 1 + size > LINE_WIDTH) {
            (void)fprintf(out, "%s%*s", column == 0 ? "" : "\n", INDENT, "");
            column = INDENT;
        } else {
            (void)fputc(' ', out);
            column++;
        }
        (void)fprintf(out, "%.*s", (int)size, text);
        column += size;
        text += size + (text[size] == ' ');
    }
    (void)fputc('\n', out);
}

static void print_option(FILE *out, const struct app_option_row *row, bool with_commands)
{
    char range[APP_OPTION_RANGE_MAX];
    app_option_range(row, range, sizeof range);
    (void)fprintf(out, "  %s%s", row->name, row->argument[0] == '\0' ? "" : " ");
    /* Alternatives go on in the next line where they do not fit. */
    size_t column = 3 + strlen(row->name);
    for (const char *text = row->argument; *text != '\0';) {
        const size_t size = strcspn(text + 1, "|") + 1;
        if (column + size > LINE_WIDTH - 12) {
            (void)fprintf(out, "\n%*s", INDENT, "");
            column = INDENT;
        }
        (void)fprintf(out, "%.*s", (int)size, text);
        column += size;
        text += size;
    }
    if (range[0] != '\0') {
        (void)fprintf(out, " (%s)", range);
    }
    if (with_commands) {
        (void)fputs("  [", out);
        app_commands_print(out, row->commands);
        (void)fputc(']', out);
    }
    (void)fputc('\n', out);
    print_wrapped(out, row->help);
}

static void print_command(FILE *out, const struct app_command_row *row)
{
    (void)fprintf(out, "  froth %s\n", row->usage);
    print_wrapped(out, row->help);
}

static void print_options_of(FILE *out, unsigned commands, bool with_commands)
{
    const char *title = "\nOptions:\n";
    for (size_t i = 0; i < app_option_row_count; i++) {
        if (app_option_rows[i].commands & commands) {
            (void)fputs(title, out);
            title = "";
            print_option(out, &app_option_rows[i], with_commands);
        }
    }
}

static void print_keys(FILE *out, const struct ui_bindings *bindings)
{
    for (int group = 0; group < UI_GROUP_COUNT; group++) {
        (void)fprintf(out, "\nCommands and keys in the window: %s\n",
                      ui_command_group_names[group]);
        for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
            if ((int)ui_command_rows[i].group == group) {
                const enum ui_command command = (enum ui_command)i;
                const struct ui_command_row *row = &ui_command_rows[command];
                char keys[KEYS_MAX];
                ui_bindings_keys(bindings, command, keys, sizeof keys);
                (void)fprintf(out, "  %s%s%s", row->name,
                              row->argument == UI_ARGUMENT_NONE ? "" : " ",
                              ui_argument_names[row->argument]);
                (void)fprintf(out, "%s%s\n", keys[0] != '\0' ? "    " : "", keys);
                print_wrapped(out, row->help);
            }
        }
    }
}

static void print_usual_keys(FILE *out)
{
    struct ui_bindings *bindings = ui_bindings_load(ui_bindings_profiles[0], NULL);
    print_keys(out, bindings);
    ui_bindings_free(bindings);
}

void app_options_help(FILE *out, unsigned command)
{
    if (command == 0) {
        (void)fputs("froth " FROTH_VERSION ": paints to music with MilkDrop presets.\n\nUsage:\n",
                    out);
        for (size_t i = 0; i < app_command_row_count; i++) {
            print_command(out, &app_command_rows[i]);
        }
        print_options_of(out, ~0u, true);
        print_usual_keys(out);
        (void)fputs(GENERAL_END, out);
        return;
    }
    (void)fputs("Usage:\n", out);
    print_command(out, app_command_of((enum app_command_bit)command));
    if (command == APP_LAB) {
        (void)fputs("\nInstruments:\n", out);
        for (size_t i = 0; i < app_lab_row_count; i++) {
            (void)fprintf(out, "  froth lab %s\n", app_lab_rows[i].usage);
            print_wrapped(out, app_lab_rows[i].help);
        }
    }
    print_options_of(out, command, false);
    if (command == APP_PLAY) {
        print_usual_keys(out);
    } else if (command == APP_BOARD) {
        (void)fputs("\nInputs of the board, for --at PICTURE:WHAT:\n", out);
        for (size_t i = 0; i < app_board_input_row_count; i++) {
            const struct app_board_input_row *row = &app_board_input_rows[i];
            (void)fprintf(out, "  %s=%s\n", row->name, row->value);
            print_wrapped(out, row->help);
        }
    }
}

static int help_about(const struct app_options *options)
{
    const char *word = options->inputs[0];
    const struct app_command_row *row = app_command_find(word);
    const bool window = strcmp(word, "commands") == 0;
    if ((row == NULL && !window) || options->input_count > 1) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "'froth help' names them all",
                    "help knows no command '%.60s'",
                    options->inputs[row == NULL && !window ? 0 : 1]);
        return APP_EXIT_USAGE;
    }
    if (window) {
        /* With the keys that play would have. */
        struct app_config config = {0};
        struct app_options play;
        app_options_default(&play);
        (void)app_config_load(&config, &play, &base_diag_stderr);
        struct ui_bindings *bindings = app_config_bindings(&play, &base_diag_stderr);
        (void)fputs("A command stands in a file of bindings behind its key, or behind --do:\n"
                    "N changes by a number (1 if there is none), =N sets it.\n",
                    stdout);
        print_keys(stdout, bindings);
        ui_bindings_free(bindings);
        app_config_free(&config);
    } else {
        app_options_help(stdout, row->bit);
    }
    return APP_EXIT_DONE;
}

int app_help(const struct app_options *options)
{
    if (options->man) {
        app_options_man(stdout);
    } else if (options->help_config) {
        app_config_print(stdout);
    } else if (options->help_bindings != NULL) {
        char *text = ui_bindings_text(options->help_bindings);
        if (text == NULL) {
            base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                        "not enough memory");
            return APP_EXIT_FAILED;
        }
        (void)fputs(text, stdout);
        free(text);
    } else if (options->input_count == 0) {
        app_options_help(stdout, 0);
    } else {
        return help_about(options);
    }
    return APP_EXIT_DONE;
}

int app_version(const struct app_options *options)
{
    (void)options;
    (void)puts("froth " FROTH_VERSION);
    return APP_EXIT_DONE;
}
