#include "app/board/inputs.h"
#include "app/lab/lab.h"
#include "app/options/config.h"
#include "app/options/option_table.h"
#include "ui/bindings.h"

enum { KEYS_MAX = 200 };

static const char HEAD[] = ".TH FROTH 1 \"\" \"froth " FROTH_VERSION "\" \"User Commands\"\n"
                           ".SH NAME\n"
                           "froth \\- paint to music with MilkDrop presets\n"
                           ".SH SYNOPSIS\n";

static const char DESCRIPTION[] =
    ".SH DESCRIPTION\n"
    "froth loads MilkDrop presets (.milk), listens to music and paints, live in a window or\n"
    "into a video file. The same preset, sound and seed give the same pictures.\n"
    ".SH COMMANDS\n";

static const char WINDOW[] =
    ".SH COMMANDS AND KEYS IN THE WINDOW\n"
    "Which keys call which commands stands in a YAML file, a line 'Key: command' for each; two "
    "come\n"
    "with froth, milkdrop and projectm. A file of yours begins with 'profile: milkdrop' and has "
    "what\n"
    "is to be different ('Key: none' takes a key away); \\-\\-bindings names it. N changes by a\n"
    "number (1 if there is none), =N sets it. \\-\\-do carries out a command at the start.\n";

static const char CONFIGURATION[] = ".SH CONFIGURATION\n"
                                    "A YAML file of lines 'key: value', whose keys are options "
                                    "without \\-\\- in front. The command\n"
                                    "line wins over it. What is wrong in it is reported and left "
                                    "out. 'froth help \\-\\-config' prints\n"
                                    "one with every key:\n";

static const char FILES[] =
    ".SH FILES\n"
    "Where XDG_CONFIG_HOME, XDG_DATA_HOME and XDG_CACHE_HOME name other folders, these are meant.\n"
    ".TP\n"
    "~/.config/froth/config.yaml\n"
    "The configuration.\n"
    ".TP\n"
    "~/.local/share/froth\n"
    "Ratings, tags, playlists and textures.\n"
    ".TP\n"
    "~/.cache/froth\n"
    "What froth knows of your presets, and pictures of them; it may be deleted.\n";

static const char FOOT[] =
    ".SH ENVIRONMENT\n"
    ".TP\n"
    ".B FROTH_PRESETS\n"
    "Folder of the presets that are played when none is named.\n"
    ".SH EXAMPLES\n"
    ".TP\n"
    "froth render preset.milk \\-\\-audio song.flac \\-o song.mp4\n"
    "A video as long as the song, with its sound.\n"
    ".TP\n"
    "froth render preset.milk \\-\\-duration 5 \\-o pictures/%05d.png\n"
    "Five seconds of the built\\-in tune as single pictures.\n"
    ".TP\n"
    "froth compile preset.milk \\-\\-scheduler pipelined\n"
    "What the per\\-vertex equations cost on the Milkymist One.\n"
    ".TP\n"
    "froth lab prove presets/\n"
    "Whether the compiled programs compute what they should.\n"
    ".SH EXIT STATUS\n"
    "0: done. 1: something that was asked for failed, or a preset was left out; what\n"
    "could be made is there. 2: wrong usage.\n";

/* Text of ours never begins a line with a control character, so escapes within lines suffice. */
static void print_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '-') {
            (void)fputs("\\-", out);
        } else if (*text == '\\') {
            (void)fputs("\\e", out);
        } else if (*text == '\'') {
            (void)fputs("\\(aq", out);
        } else {
            (void)fputc(*text, out);
        }
    }
}

static void print_option(FILE *out, const struct app_option_row *row)
{
    char range[APP_OPTION_RANGE_MAX];
    app_option_range(row, range, sizeof range);
    (void)fputs(".TP\n\\fB", out);
    print_escaped(out, row->name);
    (void)fputs("\\fR ", out);
    print_escaped(out, row->argument);
    (void)fputc('\n', out);
    print_escaped(out, row->help);
    if (range[0] != '\0') {
        (void)fprintf(out, " (%s)", range);
    }
    (void)fputs(".\n", out);
    (void)fputs(".br\nKnown by ", out);
    app_commands_print(out, row->commands);
    (void)fputs(".\n", out);
}

static void print_window_command(FILE *out, enum ui_command command)
{
    const struct ui_command_row *row = &ui_command_rows[command];
    (void)fputs(".TP\n\\fB", out);
    print_escaped(out, row->name);
    (void)fputs("\\fR ", out);
    print_escaped(out, ui_argument_names[row->argument]);
    (void)fputc('\n', out);
    print_escaped(out, row->help);
    (void)fputs(".\n", out);
    for (size_t i = 0; ui_bindings_profiles[i] != NULL; i++) {
        const char *profile = ui_bindings_profiles[i];
        char keys[KEYS_MAX];
        struct ui_bindings *bindings = ui_bindings_load(profile, NULL);
        ui_bindings_keys(bindings, command, keys, sizeof keys);
        ui_bindings_free(bindings);
        if (keys[0] != '\0') {
            (void)fprintf(out, ".br\nKeys of %s: ", profile);
            print_escaped(out, keys);
            (void)fputc('\n', out);
        }
    }
}

void app_options_man(FILE *out)
{
    (void)fputs(HEAD, out);
    for (size_t i = 0; i < app_command_row_count; i++) {
        (void)fputs(i == 0 ? ".B froth\n" : ".br\n.B froth\n", out);
        print_escaped(out, app_command_rows[i].usage);
        (void)fputc('\n', out);
    }
    (void)fputs(DESCRIPTION, out);
    for (size_t i = 0; i < app_command_row_count; i++) {
        (void)fprintf(out, ".TP\n.B %s\n", app_command_rows[i].name);
        print_escaped(out, app_command_rows[i].help);
        (void)fputs(".\n", out);
    }
    (void)fputs(".SH INSTRUMENTS OF THE LAB\n", out);
    for (size_t i = 0; i < app_lab_row_count; i++) {
        (void)fputs(".TP\n.B ", out);
        print_escaped(out, app_lab_rows[i].usage);
        (void)fputc('\n', out);
        print_escaped(out, app_lab_rows[i].help);
        (void)fputs(".\n", out);
    }
    (void)fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < app_option_row_count; i++) {
        print_option(out, &app_option_rows[i]);
    }
    (void)fputs(".SH INPUTS OF THE BOARD\nFor \\-\\-at PICTURE:WHAT.\n", out);
    for (size_t i = 0; i < app_board_input_row_count; i++) {
        const struct app_board_input_row *row = &app_board_input_rows[i];
        (void)fprintf(out, ".TP\n.B %s=", row->name);
        print_escaped(out, row->value);
        (void)fputc('\n', out);
        print_escaped(out, row->help);
        (void)fputs(".\n", out);
    }
    (void)fputs(WINDOW, out);
    for (int group = 0; group < UI_GROUP_COUNT; group++) {
        (void)fputs(".SS ", out);
        print_escaped(out, ui_command_group_names[group]);
        (void)fputc('\n', out);
        for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
            if ((int)ui_command_rows[i].group == group) {
                print_window_command(out, (enum ui_command)i);
            }
        }
    }
    (void)fputs(CONFIGURATION, out);
    const char *between = "";
    for (size_t i = 0; i < app_option_row_count; i++) {
        if (app_config_has(&app_option_rows[i])) {
            (void)fputs(between, out);
            print_escaped(out, app_option_key(&app_option_rows[i]));
            between = ", ";
        }
    }
    (void)fputs(".\n", out);
    (void)fputs(FILES, out);
    (void)fputs(FOOT, out);
}
