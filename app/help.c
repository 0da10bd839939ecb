#define _XOPEN_SOURCE 700 /* realpath */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "app/board/inputs.h"
#include "app/completion.h"
#include "app/lab/lab.h"
#include "app/options/option_table.h"
#include "app/osc/address.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "ui/bindings.h"

enum {
    LINE_WIDTH = 80,
    INDENT = 6,
    BRIEF_COLUMN = 26, /* where brief explanations begin */
    BRIEF_FROM = 12,   /* options: more of them are explained in a few words */
    KEYS_MAX = 200,
    HINT_MAX = 160,
    BRIEF_MAX = 400,
    MAN_KEYS_MAX = 200
};

static const struct base_place NOWHERE = {0};

static const char OVERVIEW[] =
    "froth " FROTH_VERSION " paints to music with MilkDrop presets.\n"
    "  froth                                     presets and a tune of its own\n"
    "  froth ~/presets --audio song.flac         yours, to a song\n"
    "  froth render x.milk --audio song.flac -o film.mp4\n";

static const char OVERVIEW_END[] =
    "\n'froth help COMMAND' says more; 'froth help commands': keys; 'froth help all'.\n";

/* Topics of help besides the commands; sections of the manual page. */
static const struct topic {
    const char *name;
    const char *title;
    const char *manual; /* of its section */
    const char
        *text; /* paragraphs end in line ends; lines that begin with blanks stay as they are */
} topics[] = {
    {"playlists", "Playlists", "PLAYLISTS",
     "A PLAYLIST is a file .m3u or .txt with the path of a preset or a folder on each line, or one "
     ".yaml that may say how long each is shown, and how it comes:\n"
     "  - preset: night-drive.milk\n"
     "    seconds: 1:30\n"
     "    transition: wipe\n"
     "  - silk-knot.milk\n"
     "Paths begin at the list's folder. Transitions are those of --transition.\n"},
    {"programs", "In other programs", "IN OTHER PROGRAMS",
     "OBS: a source for its scenes, 'froth (music visualizer)'; on Debian: apt install obs-froth "
     "(docs/obs.md).\n"
     "GStreamer: the element froth, for pipelines and players; on Debian: apt install "
     "gstreamer1.0-froth (docs/gstreamer.md).\n"
     "Any other: --share pipewire makes a camera of the picture, --share v4l2:DEVICE writes it to "
     "a "
     "video device, --stream sends it; libfroth paints into a program's memory "
     "(docs/library.md).\n"},
};

static const char GENERAL_END[] =
    "\nEnvironment:\n"
    "  FROTH_PRESETS\n"
    "      folder of the presets that are played when none is named\n"
    "\nNAME=VALUE and NAME VALUE mean the same; -- ends the options. 'froth help\n"
    "COMMAND' lists the options of one command, 'froth help lab' its instruments,\n"
    "A TIME is seconds, 4:30 or 1:10:00. 'froth help playlists' and 'froth help\n"
    "programs' say how playlists are written and how OBS and others show froth,\n"
    "'froth help commands' the commands of the window with your keys.\n"
    "Exit status: 0 done, 1 something failed or was left out, 2 wrong usage.\n";

/* Words of a text up to `end`, in lines from this column on; the first line has come to `column`.
 */
static void print_words(FILE *out, const char *text, const char *end, size_t indent, size_t column)
{
    bool first = true;
    while (text < end) {
        size_t size = strcspn(text, " ");
        size = size < (size_t)(end - text) ? size : (size_t)(end - text);
        if (column < indent || (!first && column + 1 + size > LINE_WIDTH)) {
            (void)fprintf(out, "%s%*s", column < indent ? "" : "\n",
                          (int)(column < indent ? indent - column : indent), "");
            column = indent;
        } else if (!first) {
            (void)fputc(' ', out);
            column++;
        }
        (void)fprintf(out, "%.*s", (int)size, text);
        first = false;
        column += size;
        text += size + (text[size] == ' ');
    }
    (void)fputc('\n', out);
}

static void print_wrapped(FILE *out, const char *text)
{
    print_words(out, text, text + strlen(text), INDENT, 0);
}

/* "  --name A|B"; alternatives go on in the next line where they do not fit. Returns the column
 * that it comes to. */
static size_t print_name(FILE *out, const struct app_option_row *row)
{
    (void)fprintf(out, "  %s%s", row->name, row->argument[0] == '\0' ? "" : " ");
    size_t column = 2 + strlen(row->name) + (row->argument[0] == '\0' ? 0 : 1);
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
    return column;
}

static void print_option(FILE *out, const struct app_option_row *row, bool with_commands)
{
    char range[APP_OPTION_RANGE_MAX];
    app_option_range(row, range, sizeof range);
    (void)print_name(out, row);
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

/* The word before "if not given", where that is all that a part of the text says. */
static struct base_span usual_value(const char *help)
{
    static const char words[] = " if not given";
    for (const char *part = strstr(help, "; "); part != NULL; part = strstr(part, "; ")) {
        part += 2;
        const size_t size = strcspn(part, " ");
        const char *behind = part + size;
        const bool told = strncmp(behind, words, sizeof words - 1) == 0;
        if (told && (behind[sizeof words - 1] == '\0' || behind[sizeof words - 1] == ';')) {
            return (struct base_span){part, size};
        }
    }
    return (struct base_span){"", 0};
}

/* What its help says first, and what holds without it. */
static void print_brief(FILE *out, const struct app_option_row *row)
{
    const struct base_span first = app_option_brief(row);
    size_t column = print_name(out, row);
    if (column + 1 >= BRIEF_COLUMN) {
        (void)fputc('\n', out);
        column = 0;
    }
    const struct base_span usual = usual_value(row->help);
    char text[BRIEF_MAX];
    const int length = snprintf(text, sizeof text, "%.*s%s%.*s%s", (int)first.size, first.data,
                                usual.size > 0 ? " (" : "", (int)usual.size, usual.data,
                                usual.size > 0 ? ")" : "");
    print_words(out, text, text + (length < BRIEF_MAX ? length : BRIEF_MAX - 1), BRIEF_COLUMN,
                column);
}

/* Paragraphs as they stand above. */
static void print_paragraphs(FILE *out, const char *text, size_t indent)
{
    while (*text != '\0') {
        const size_t size = strcspn(text, "\n");
        if (*text == ' ') {
            (void)fprintf(out, "%*s%.*s\n", (int)indent, "", (int)size, text);
        } else {
            print_words(out, text, text + size, indent, 0);
        }
        text += size + 1;
    }
}

static void print_topic(FILE *out, const struct topic *topic)
{
    (void)fprintf(out, "%s:\n", topic->title);
    print_paragraphs(out, topic->text, 2);
}

/* Where the documentation lies: installed, or in the source in whose build folder this is. */
static void print_documentation(FILE *out)
{
    static const char *const places[] = {"/../share/doc/froth/docs/stage.md",
                                         "/../share/doc/froth/stage.md", "/../../docs/stage.md"};
    char path[PATH_MAX];
    char page[PATH_MAX];
    bool found = false;
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
        found = base_beside_program(path, sizeof path, places[i]) && realpath(path, page) != NULL;
    }
    if (found) {
        *strrchr(page, '/') = '\0';
        (void)fputs("Documentation: ", out);
        base_plain(out, page);
        (void)fputc('\n', out);
    } else {
        (void)fputs("Documentation: docs in the source; on Debian: apt install froth-doc\n", out);
    }
}

static void print_command(FILE *out, const struct app_command_row *row)
{
    (void)fprintf(out, "  froth %s\n", row->usage);
    print_wrapped(out, row->help);
}

/* Usage and options of one command; many of them are explained in a few words. */
static void print_page(FILE *out, const struct app_command_row *command)
{
    size_t count = 0;
    for (size_t i = 0; i < app_option_row_count; i++) {
        count += (app_option_rows[i].commands & command->bit) != 0;
    }
    const bool brief = count > BRIEF_FROM;
    (void)fputs("Usage:\n", out);
    if (brief) {
        (void)fprintf(out, "  froth %s\n", command->usage);
        print_wrapped(out, command->brief);
    } else {
        print_command(out, command);
    }
    if (command->bit == APP_LAB) {
        (void)fputs("\nInstruments:\n", out);
        for (size_t i = 0; i < app_lab_row_count; i++) {
            (void)fprintf(out, "  froth lab %s\n", app_lab_rows[i].usage);
            print_wrapped(out, app_lab_rows[i].help);
        }
    }
    const char *title = brief ? "\nOptions, with what holds without them:\n" : "\nOptions:\n";
    for (size_t i = 0; i < app_option_row_count; i++) {
        if (app_option_rows[i].commands & command->bit) {
            (void)fputs(title, out);
            title = "";
            if (brief) {
                print_brief(out, &app_option_rows[i]);
            } else {
                print_option(out, &app_option_rows[i], false);
            }
        }
    }
    if (brief) {
        (void)fputs("\n'froth help all' and the manual page say more of each.\n", out);
    }
    if (strstr(command->usage, "PLAYLIST") != NULL) {
        (void)fputs("'froth help playlists' says what a PLAYLIST is.\n", out);
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
                int column = fprintf(out, "  %s%s%s", row->name,
                                     row->argument == ENGINE_ARGUMENT_NONE ? "" : " ",
                                     engine_argument_names[row->argument]);
                /* Keys go on in the next line where they do not fit. */
                const char *between = "    ";
                for (const char *key = keys; *key != '\0';) {
                    const char *end = strstr(key, "  ");
                    const int size = (int)(end != NULL ? (size_t)(end - key) : strlen(key));
                    const bool fits = column + (int)strlen(between) + size <= LINE_WIDTH;
                    column = fits ? column : 0;
                    column += fprintf(out, "%s%.*s", fits ? between : "\n            ", size, key);
                    between = "  ";
                    key += size + (end != NULL ? 2 : 0);
                }
                (void)fputc('\n', out);
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

void app_options_help_all(FILE *out)
{
    (void)fputs("froth " FROTH_VERSION ": paints to music with MilkDrop presets.\n\nUsage:\n", out);
    for (size_t i = 0; i < app_command_row_count; i++) {
        print_command(out, &app_command_rows[i]);
    }
    (void)fputs("\nOptions:\n", out);
    for (size_t i = 0; i < app_option_row_count; i++) {
        print_option(out, &app_option_rows[i], true);
    }
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        (void)fputc('\n', out);
        print_topic(out, &topics[i]);
    }
    print_usual_keys(out);
    (void)fputs(GENERAL_END, out);
}

void app_options_help(FILE *out, unsigned command)
{
    if (command == 0) {
        (void)fprintf(out, "%s\nCommands:\n", OVERVIEW);
        for (size_t i = 0; i < app_command_row_count; i++) {
            (void)fprintf(out, "  %-8s  %s\n", app_command_rows[i].name, app_command_rows[i].brief);
        }
        (void)fputs(OVERVIEW_END, out);
        print_documentation(out);
        return;
    }
    print_page(out, app_command_of((enum app_command_bit)command));
    if (command == APP_PLAY) {
        (void)fputs("'froth help commands' lists the commands of the window and their keys.\n",
                    out);
    } else if (command == APP_BOARD) {
        (void)fputs("\nInputs of the board, for --at PICTURE:WHAT:\n", out);
        for (size_t i = 0; i < app_board_input_row_count; i++) {
            const struct app_board_input_row *row = &app_board_input_rows[i];
            (void)fprintf(out, "  %s=%s\n", row->name, row->value);
            print_wrapped(out, row->help);
        }
    }
}

/* ---- the manual page ---- */

static const char MAN_HEAD[] = ".TH FROTH 1 \"\" \"froth " FROTH_VERSION "\" \"User Commands\"\n"
                               ".SH NAME\n"
                               "froth \\- paint to music with MilkDrop presets\n"
                               ".SH SYNOPSIS\n";

static const char MAN_DESCRIPTION[] =
    ".SH DESCRIPTION\n"
    "froth loads MilkDrop presets (.milk), listens to music and paints, live in a window or\n"
    "into a video file. The same preset, sound and seed give the same pictures.\n"
    ".SH COMMANDS\n";

static const char MAN_WINDOW[] =
    ".SH COMMANDS AND KEYS IN THE WINDOW\n"
    "Which keys call which commands stands in a YAML file, a line 'Key: command' for each; two "
    "come\n"
    "with froth, milkdrop and projectm. A file of yours begins with 'profile: milkdrop' and has "
    "what\n"
    "is to be different ('Key: none' takes a key away); \\-\\-bindings names it. N changes by a\n"
    "number (1 if there is none), =N sets it. \\-\\-do carries out a command at the start.\n";

static const char MAN_CONFIGURATION[] =
    ".SH CONFIGURATION\n"
    "A YAML file of lines 'key: value', whose keys are options "
    "without \\-\\- in front. The command\n"
    "line wins over it. What is wrong in it is reported and left "
    "out. 'froth help \\-\\-config' prints\n"
    "one with every key:\n";

static const char MAN_FILES[] =
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

static const char MAN_DOCUMENTATION[] =
    ".SH DOCUMENTATION\n"
    "The pages that are named here as docs/NAME.md lie in share/doc/froth/docs below the folder\n"
    "that froth is installed into (/usr; on Debian of the package froth\\-doc), and in the folder "
    "docs of\n"
    "the source. 'froth help' says where they are.\n";

static const char MAN_FOOT[] =
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

static void print_man_topics(FILE *out)
{
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        const char *text = topics[i].text;
        (void)fprintf(out, ".SH %s\n", topics[i].manual);
        for (const char *begin = text; *text != '\0'; text++) {
            const size_t size = strcspn(text, "\n");
            char line[512];
            (void)snprintf(line, sizeof line, "%.*s", (int)size, text);
            (void)fputs(text == begin ? "" : ".br\n", out);
            print_escaped(out, line);
            (void)fputc('\n', out);
            text += size;
        }
    }
}

static void print_man_option(FILE *out, const struct app_option_row *row, bool with_commands)
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
    if (with_commands) {
        (void)fputs(".br\nKnown by ", out);
        app_commands_print(out, row->commands);
        (void)fputs(".\n", out);
    }
}

static void print_man_command(FILE *out, enum ui_command command)
{
    const struct ui_command_row *row = &ui_command_rows[command];
    (void)fputs(".TP\n\\fB", out);
    print_escaped(out, row->name);
    (void)fputs("\\fR ", out);
    print_escaped(out, engine_argument_names[row->argument]);
    (void)fputc('\n', out);
    print_escaped(out, row->help);
    (void)fputs(".\n", out);
    for (size_t i = 0; ui_bindings_profiles[i] != NULL; i++) {
        const char *profile = ui_bindings_profiles[i];
        char keys[MAN_KEYS_MAX];
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

static void print_man_instruments(FILE *out)
{
    (void)fputs(".SH INSTRUMENTS OF THE LAB\n", out);
    for (size_t i = 0; i < app_lab_row_count; i++) {
        (void)fputs(".TP\n.B ", out);
        print_escaped(out, app_lab_rows[i].usage);
        (void)fputc('\n', out);
        print_escaped(out, app_lab_rows[i].help);
        (void)fputs(".\n", out);
    }
}

static void print_man_inputs(FILE *out)
{
    (void)fputs(".SH INPUTS OF THE BOARD\nFor \\-\\-at PICTURE:WHAT.\n", out);
    for (size_t i = 0; i < app_board_input_row_count; i++) {
        const struct app_board_input_row *row = &app_board_input_rows[i];
        (void)fprintf(out, ".TP\n.B %s=", row->name);
        print_escaped(out, row->value);
        (void)fputc('\n', out);
        print_escaped(out, row->help);
        (void)fputs(".\n", out);
    }
}

static void print_man_window(FILE *out)
{
    (void)fputs(MAN_WINDOW, out);
    for (int group = 0; group < UI_GROUP_COUNT; group++) {
        (void)fputs(".SS ", out);
        print_escaped(out, ui_command_group_names[group]);
        (void)fputc('\n', out);
        for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
            if ((int)ui_command_rows[i].group == group) {
                print_man_command(out, (enum ui_command)i);
            }
        }
    }
}

static void print_man_configuration(FILE *out)
{
    (void)fputs(MAN_CONFIGURATION, out);
    const char *between = "";
    for (size_t i = 0; i < app_option_row_count; i++) {
        if (app_config_has(&app_option_rows[i])) {
            (void)fputs(between, out);
            print_escaped(out, app_option_key(&app_option_rows[i]));
            between = ", ";
        }
    }
    (void)fputs(".\n", out);
}

/* Whether a command has a page of its own; help and version are all that their row says. */
static bool has_page(const struct app_command_row *row)
{
    return row->bit != APP_HELP && row->bit != APP_VERSION;
}

static void print_whole_manual(FILE *out)
{
    (void)fputs(MAN_HEAD, out);
    for (size_t i = 0; i < app_command_row_count; i++) {
        (void)fputs(i == 0 ? ".B froth\n" : ".br\n.B froth\n", out);
        print_escaped(out, app_command_rows[i].usage);
        (void)fputc('\n', out);
    }
    (void)fputs(MAN_DESCRIPTION, out);
    for (size_t i = 0; i < app_command_row_count; i++) {
        (void)fprintf(out, ".TP\n.B %s\n", app_command_rows[i].name);
        print_escaped(out, app_command_rows[i].help);
        (void)fputs(".\n", out);
    }
    print_man_instruments(out);
    (void)fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < app_option_row_count; i++) {
        print_man_option(out, &app_option_rows[i], true);
    }
    print_man_topics(out);
    print_man_inputs(out);
    print_man_window(out);
    print_man_configuration(out);
    (void)fputs(MAN_FILES, out);
    (void)fputs(MAN_DOCUMENTATION, out);
    (void)fputs(MAN_FOOT, out);
    (void)fputs(".SH SEE ALSO\nA page for each command: ", out);
    const char *between = "";
    for (size_t i = 0; i < app_command_row_count; i++) {
        if (has_page(&app_command_rows[i])) {
            (void)fprintf(out, "%sfroth\\-%s(1)", between, app_command_rows[i].name);
            between = ", ";
        }
    }
    (void)fputs(".\n", out);
}

static void print_manual_of(FILE *out, const struct app_command_row *command)
{
    (void)fputs(".TH FROTH\\-", out);
    for (const char *letter = command->name; *letter != '\0'; letter++) {
        (void)fputc(toupper((unsigned char)*letter), out);
    }
    (void)fprintf(out,
                  " 1 \"\" \"froth " FROTH_VERSION "\" \"User Commands\"\n"
                  ".SH NAME\nfroth\\-%s \\- ",
                  command->name);
    print_escaped(out, command->brief);
    (void)fputs("\n.SH SYNOPSIS\n.B froth\n", out);
    print_escaped(out, command->usage);
    (void)fputs("\n.SH DESCRIPTION\n", out);
    print_escaped(out, command->help);
    (void)fputs(".\n", out);
    if (command->bit == APP_LAB) {
        print_man_instruments(out);
    }
    const char *title = ".SH OPTIONS\n";
    for (size_t i = 0; i < app_option_row_count; i++) {
        if (app_option_rows[i].commands & command->bit) {
            (void)fputs(title, out);
            print_man_option(out, &app_option_rows[i], false);
            title = "";
        }
    }
    if (command->bit == APP_BOARD) {
        print_man_inputs(out);
    }
    if (command->bit == APP_PLAY) {
        print_man_window(out);
        print_man_configuration(out);
        (void)fputs(MAN_FILES, out);
    }
    if (strstr(command->usage, "PLAYLIST") != NULL) {
        print_man_topics(out);
    }
    (void)fputs(MAN_DOCUMENTATION, out);
    (void)fputs(".SH SEE ALSO\nfroth(1)\n", out);
}

void app_options_man(FILE *out, unsigned command)
{
    if (command == 0) {
        print_whole_manual(out);
    } else {
        print_manual_of(out, app_command_of((enum app_command_bit)command));
    }
}

/* ---- the commands ---- */

/* `help lab time`: an instrument by itself. False if there is none of this name. */
static bool print_instrument(FILE *out, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < app_lab_row_count; i++) {
        if (strcmp(app_lab_rows[i].name, name) == 0) {
            (void)fprintf(out, "  froth lab %s\n", app_lab_rows[i].usage);
            print_wrapped(out, app_lab_rows[i].help);
            found = true;
        }
    }
    return found;
}

static int refuse_topic(const char *word, bool known)
{
    char hint[HINT_MAX];
    struct base_closest closest = {0};
    for (size_t i = 0; !known && i < app_command_row_count; i++) {
        base_closest_try(&closest, word, app_command_rows[i].name);
    }
    if (!known) {
        base_closest_try(&closest, word, "commands");
        base_closest_try(&closest, word, "osc");
        for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
            base_closest_try(&closest, word, topics[i].name);
        }
        base_closest_try(&closest, word, "all");
    }
    base_closest_hint(&closest, "'froth help' names them all", hint, sizeof hint);
    base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, hint,
                known ? "help explains one command at a time, and no '%.60s' besides"
                      : "help knows no command '%.60s'",
                word);
    return APP_EXIT_USAGE;
}

/* obs and gstreamer are among the programs. */
static const struct topic *topic_of(const char *word)
{
    const bool program = strcmp(word, "obs") == 0 || strcmp(word, "gstreamer") == 0;
    const char *name = program ? "programs" : word;
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        if (strcmp(topics[i].name, name) == 0) {
            return &topics[i];
        }
    }
    return NULL;
}

static int help_about(const struct app_options *options)
{
    const char *word = options->inputs[0];
    const struct app_command_row *row = app_command_find(word);
    const bool window = strcmp(word, "commands") == 0;
    const bool osc = strcmp(word, "osc") == 0;
    const bool all = strcmp(word, "all") == 0;
    const struct topic *topic = topic_of(word);
    const bool known = row != NULL || window || osc || all || topic != NULL;
    if (known && options->input_count == 2 && row != NULL && row->bit == APP_LAB &&
        print_instrument(stdout, options->inputs[1])) {
        return APP_EXIT_DONE;
    }
    if (!known || options->input_count > 1) {
        return refuse_topic(options->inputs[known ? 1 : 0], known);
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
    } else if (topic != NULL) {
        print_topic(stdout, topic);
    } else if (osc) {
        app_osc_print(stdout);
    } else if (all) {
        app_options_help_all(stdout);
    } else {
        app_options_help(stdout, row->bit);
    }
    return APP_EXIT_DONE;
}

/* The whole manual, or the page of one command. */
static int man_about(const struct app_options *options)
{
    if (options->input_count == 0) {
        app_options_man(stdout, 0);
        return APP_EXIT_DONE;
    }
    const struct app_command_row *row = app_command_find(options->inputs[0]);
    if (row == NULL || options->input_count > 1) {
        return refuse_topic(options->inputs[row == NULL ? 0 : 1], row != NULL);
    }
    app_options_man(stdout, row->bit);
    return APP_EXIT_DONE;
}

int app_help(const struct app_options *options)
{
    if (options->man) {
        return man_about(options);
    } else if (options->completion != NULL) {
        app_completion_print(stdout, options->completion);
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
