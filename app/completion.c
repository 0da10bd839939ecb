#include "app/completion.h"

#include <assert.h>
#include <string.h>

#include "app/lab/lab.h"
#include "app/options/option_table.h"
#include "ui/command.h"

enum { WORDS_MAX = 256, ENDINGS_MAX = 8 };

/* What may stand at one place of the command line. */
struct offer {
    struct base_span words[WORDS_MAX];
    size_t word_count;
    struct base_span endings[ENDINGS_MAX]; /* of files, behind the point */
    size_t ending_count;
    bool files; /* of any ending */
    bool folders;
};

/* How usage and arguments of options name files. */
static const struct {
    const char *name;
    const char *endings; /* with blanks between them; empty: any */
} file_kinds[] = {
    {"PRESET", "milk fnp"}, {"PLAYLIST", "txt m3u m3u8 yaml yml"},
    {"FILE", ""},           {"OUT", ""},
    {"IMAGE", ""},          {"ELF", ""},
    {"DEVICE", ""},
};

static void offer_word(struct offer *offer, struct base_span word)
{
    assert(offer->word_count < WORDS_MAX);
    offer->words[offer->word_count++] = word;
}

static void offer_endings(struct offer *offer, struct base_span endings)
{
    struct base_span ending = base_span_next_word(&endings);
    offer->files = offer->files || ending.size == 0;
    for (; ending.size > 0; ending = base_span_next_word(&endings)) {
        assert(offer->ending_count < ENDINGS_MAX);
        offer->endings[offer->ending_count++] = ending;
    }
}

static void offer_commands(struct offer *offer)
{
    for (size_t i = 0; i < app_command_row_count; i++) {
        offer_word(offer, base_span_of(app_command_rows[i].name));
    }
}

/* An instrument has a row for each way to use it. */
static void offer_instruments(struct offer *offer)
{
    for (size_t i = 0; i < app_lab_row_count; i++) {
        if (i == 0 || strcmp(app_lab_rows[i].name, app_lab_rows[i - 1].name) != 0) {
            offer_word(offer, base_span_of(app_lab_rows[i].name));
        }
    }
    offer->files = true;
}

static bool is(struct base_span word, const char *name)
{
    return base_span_equal(word, base_span_of(name));
}

/* One of the alternatives of an argument: a value in small letters, or what it stands for. */
static void offer_alternative(struct offer *offer, struct base_span word)
{
    static const char small[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
    size_t letters = 0;
    while (letters < word.size && memchr(small, word.data[letters], sizeof small - 1) != NULL) {
        letters++;
    }
    if (letters == word.size) {
        offer_word(offer, word);
        return;
    }
    const char *point = memchr(word.data, '.', word.size);
    if (point != NULL && point + 1 < word.data + word.size && point[1] != '.') {
        const size_t behind = (size_t)(word.data + word.size - point) - 1;
        offer_endings(offer, (struct base_span){point + 1, behind});
    } else if (is(word, "FOLDER")) {
        offer->folders = true;
    } else if (is(word, "COMMAND")) {
        offer_commands(offer);
    } else if (is(word, "INSTRUMENT")) {
        offer_instruments(offer);
    }
    for (size_t i = 0; i < sizeof file_kinds / sizeof *file_kinds; i++) {
        if (is(word, file_kinds[i].name)) {
            offer_endings(offer, base_span_of(file_kinds[i].endings));
        }
    }
}

static void offer_alternatives(struct offer *offer, struct base_span text)
{
    for (size_t at = 0; at < text.size;) {
        const char *rest = text.data + at;
        const char *bar = memchr(rest, '|', text.size - at);
        const size_t size = bar != NULL ? (size_t)(bar - rest) : text.size - at;
        offer_alternative(offer, (struct base_span){rest, size});
        at += size + 1;
    }
}

/* The value of an option; nothing for one that takes none. */
static struct offer offer_of_option(const struct app_option_row *row)
{
    struct offer offer = {0};
    if (row->kind == APP_OPTION_CALLS) {
        for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
            offer_word(&offer, base_span_of(ui_command_rows[i].name));
        }
    } else {
        offer_alternatives(&offer, base_span_of(row->argument));
    }
    return offer;
}

/* What a command takes beside its options: the words of its usage after its name and before its
 * options, which may stand in brackets. */
static struct offer offer_of_inputs(const struct app_command_row *row)
{
    struct offer offer = {0};
    struct base_span usage = base_span_of(row->usage);
    for (struct base_span word = base_span_next_word(&usage); word.size > 0;
         word = base_span_next_word(&usage)) {
        if (word.data[0] == '[') {
            word = (struct base_span){word.data + 1, word.size - 1};
        }
        if (word.size > 0 && word.data[word.size - 1] == ']') {
            word.size--;
        }
        if (word.size > 0 && word.data[0] == '-') {
            break;
        }
        if (!is(word, row->name) && !is(word, "...")) {
            offer_alternatives(&offer, word);
        }
    }
    return offer;
}

static bool offers_nothing(const struct offer *offer)
{
    return offer->word_count == 0 && offer->ending_count == 0 && !offer->files && !offer->folders;
}

static void print_spans(FILE *out, const struct base_span *spans, size_t count, const char *between)
{
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(out, "%s%.*s", i == 0 ? "" : between, (int)spans[i].size, spans[i].data);
    }
}

/* Between ' and ': `escape` stands before each character of `marked`, and quote for a '. */
static void print_quoted(FILE *out, struct base_span text, const char *marked, const char *quote)
{
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '\'') {
            (void)fputs(quote, out);
        } else {
            (void)fprintf(out, "%s%c", strchr(marked, text.data[i]) != NULL ? "\\" : "",
                          text.data[i]);
        }
    }
}

/* The arguments of _froth_offer, which is a function of the scripts for bash and for zsh. */
static void print_offer(FILE *out, const struct offer *offer, char quote)
{
    (void)fprintf(out, "_froth_offer %c", quote);
    print_spans(out, offer->words, offer->word_count, " ");
    (void)fputc(quote, out);
    if (offer->files || offer->ending_count > 0 || offer->folders) {
        (void)fprintf(out, " %c", quote);
        if (offer->files) {
            (void)fputc('*', out);
        } else if (offer->ending_count > 0) {
            print_spans(out, offer->endings, offer->ending_count, "|");
        } else {
            (void)fputc('/', out);
        }
        (void)fputc(quote, out);
    }
}

/* ---- bash ---- */

static const char BASH_HEAD[] =
    "# Completion of froth for bash, printed by 'froth help --completion bash'.\n"
    "# It stands on the package bash-completion.\n"
    "\n"
    "# _froth_offer WORDS [ENDINGS]: words with blanks between them, and files: * any, / folders\n"
    "_froth_offer()\n"
    "{\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
    "    case ${2-} in\n"
    "        '') ;;\n"
    "        /) _filedir -d ;;\n"
    "        '*') _filedir ;;\n"
    "        *) _filedir \"@($2)\" ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "_froth()\n"
    "{\n"
    "    local cur prev words cword split command=play\n"
    "    _init_completion -s || return\n"
    "    if ((cword > 1)); then\n"
    "        case ${words[1]} in\n"
    "            ";

static void print_command_names(FILE *out, unsigned commands, const char *before,
                                const char *between, const char *after)
{
    const char *first = "";
    for (size_t i = 0; i < app_command_row_count; i++) {
        if (commands & app_command_rows[i].bit) {
            (void)fprintf(out, "%s%s%s%s", first, before, app_command_rows[i].name, after);
            first = between;
        }
    }
}

static void print_bash(FILE *out)
{
    (void)fputs(BASH_HEAD, out);
    print_command_names(out, ~0U, "", " | ", "");
    (void)fputs(") command=${words[1]} ;;\n"
                "        esac\n"
                "    fi\n"
                "    case $command:$prev in\n",
                out);
    for (size_t i = 0; i < app_option_row_count; i++) {
        const struct app_option_row *row = &app_option_rows[i];
        if (row->kind != APP_OPTION_FLAG) {
            const struct offer offer = offer_of_option(row);
            char name[64];
            (void)snprintf(name, sizeof name, ":%s", row->name);
            (void)fputs("        ", out);
            print_command_names(out, row->commands, "", " | ", name);
            (void)fputs(")\n", out);
            if (!offers_nothing(&offer)) {
                (void)fputs("            ", out);
                print_offer(out, &offer, '\'');
                (void)fputc('\n', out);
            }
            (void)fputs("            return\n            ;;\n", out);
        }
    }
    (void)fputs("    esac\n"
                "    $split && return\n"
                "    case $command:$cur in\n",
                out);
    for (size_t k = 0; k < app_command_row_count; k++) {
        (void)fprintf(out, "        %s:-*)\n            _froth_offer '--help --version",
                      app_command_rows[k].name);
        for (size_t i = 0; i < app_option_row_count; i++) {
            if (app_option_rows[i].commands & app_command_rows[k].bit) {
                (void)fprintf(out, " %s", app_option_rows[i].name);
            }
        }
        (void)fputs("'\n            ;;\n", out);
    }
    for (size_t k = 0; k < app_command_row_count; k++) {
        const struct offer offer = offer_of_inputs(&app_command_rows[k]);
        if (!offers_nothing(&offer)) {
            (void)fprintf(out, "        %s:*)\n            ", app_command_rows[k].name);
            print_offer(out, &offer, '\'');
            (void)fputs("\n            ;;\n", out);
        }
    }
    struct offer commands = {0};
    offer_commands(&commands);
    (void)fputs("    esac\n"
                "    if ((cword == 1)) && [[ $cur != -* ]]; then\n"
                "        local command\n"
                "        while read -r command; do\n"
                "            COMPREPLY+=(\"$command\")\n"
                "        done < <(compgen -W '",
                out);
    print_spans(out, commands.words, commands.word_count, " ");
    (void)fputs("' -- \"$cur\")\n"
                "    fi\n"
                "} &&\n"
                "    complete -F _froth froth\n",
                out);
}

/* ---- zsh ---- */

static const char ZSH_HEAD[] =
    "#compdef froth\n"
    "# Completion of froth for zsh, printed by 'froth help --completion zsh'.\n"
    "\n"
    "# _froth_offer WORDS [ENDINGS]: words with blanks between them, and files: * any, / folders\n"
    "_froth_offer()\n"
    "{\n"
    "    local found=1\n"
    "    compadd -- ${=1} && found=0\n"
    "    case ${2-} in\n"
    "    ('') ;;\n"
    "    (/) _files -/ && found=0 ;;\n"
    "    ('*') _files && found=0 ;;\n"
    "    (*) _files -g \"*.($2)\" && found=0 ;;\n"
    "    esac\n"
    "    return found\n"
    "}\n"
    "\n"
    "_froth()\n"
    "{\n"
    "    local curcontext=$curcontext command=play found=1\n"
    "    local -a commands=(\n";

static void print_zsh_text(FILE *out, struct base_span text)
{
    print_quoted(out, text, "[]:\\", "'\\''");
}

static void print_zsh(FILE *out)
{
    (void)fputs(ZSH_HEAD, out);
    for (size_t i = 0; i < app_command_row_count; i++) {
        (void)fprintf(out, "        '%s:", app_command_rows[i].name);
        print_quoted(out, base_span_of(app_command_rows[i].brief), "\\", "'\\''");
        (void)fputs("'\n", out);
    }
    (void)fputs("    )\n"
                "    if (( CURRENT == 2 )); then\n"
                "        _describe -t commands command commands && found=0\n"
                "    elif (( ${commands[(I)${words[2]}:*]} )); then\n"
                "        command=$words[2]\n"
                "        shift words\n"
                "        (( CURRENT-- ))\n"
                "    fi\n"
                "    case $command in\n",
                out);
    for (size_t k = 0; k < app_command_row_count; k++) {
        const struct app_command_row *command = &app_command_rows[k];
        (void)fprintf(out,
                      "    (%s)\n        _arguments \\\n"
                      "            '--help[explain this command]' \\\n"
                      "            '--version[print the version]' \\\n",
                      command->name);
        for (size_t i = 0; i < app_option_row_count; i++) {
            const struct app_option_row *row = &app_option_rows[i];
            if (row->commands & command->bit) {
                const struct offer offer = offer_of_option(row);
                const bool value = row->kind != APP_OPTION_FLAG;
                (void)fprintf(out, "            '%s%s%s[", app_option_repeats(row) ? "*" : "",
                              row->name, value && app_option_key(row) != NULL ? "=" : "");
                print_zsh_text(out, app_option_brief(row));
                (void)fputc(']', out);
                if (value) {
                    (void)fputc(':', out);
                    print_zsh_text(out, base_span_of(row->argument));
                    (void)fputs(": ", out);
                    if (!offers_nothing(&offer)) {
                        print_offer(out, &offer, '"');
                    }
                }
                (void)fputs("' \\\n", out);
            }
        }
        const struct offer inputs = offer_of_inputs(command);
        if (!offers_nothing(&inputs)) {
            (void)fputs("            '*: : ", out);
            print_offer(out, &inputs, '"');
            (void)fputs("' \\\n", out);
        }
        (void)fputs("            && found=0\n        ;;\n", out);
    }
    (void)fputs("    esac\n"
                "    return found\n"
                "}\n"
                "\n"
                "_froth \"$@\"\n",
                out);
}

/* ---- fish ---- */

static const char FISH_HEAD[] =
    "# Completion of froth for fish, printed by 'froth help --completion fish'.\n"
    "\n"
    "# __froth_is COMMAND...: whether the command of the line is one of these\n"
    "function __froth_is\n"
    "    set -l words (commandline -opc)\n"
    "    set -l command play\n"
    "    if set -q words[2]; and contains -- $words[2] ";

static const char FISH_FILES[] =
    "\n"
    "        set command $words[2]\n"
    "    end\n"
    "    contains -- $command $argv\n"
    "end\n"
    "\n"
    "function __froth_first\n"
    "    test (count (commandline -opc)) -eq 1\n"
    "end\n"
    "\n"
    "# __froth_files ENDING...: files of these endings, and folders\n"
    "function __froth_files\n"
    "    __fish_complete_path (commandline -ct) file |\n"
    "        string match -r '^[^\\t]*(?:/|\\.(?:'(string join '|' $argv)'))(?=\\t|$)'\n"
    "end\n"
    "\n"
    "complete -c froth -f\n"
    "complete -c froth -l help -d 'explain froth, or this command'\n"
    "complete -c froth -l version -d 'print the version'\n";

static void print_fish_text(FILE *out, struct base_span text)
{
    print_quoted(out, text, "\\", "\\'");
}

/* The arguments of `complete` for a value. */
static void print_fish_offer(FILE *out, const struct offer *offer)
{
    (void)fputs(offer->files ? " -F" : "", out);
    if (offer->word_count > 0 || offer->ending_count > 0 || offer->folders) {
        (void)fputs(" -a '", out);
        print_spans(out, offer->words, offer->word_count, " ");
        if (!offer->files && offer->ending_count > 0) {
            (void)fputs(" (__froth_files ", out);
            print_spans(out, offer->endings, offer->ending_count, " ");
            (void)fputc(')', out);
        } else if (!offer->files && offer->folders) {
            (void)fputs(" (__fish_complete_directories)", out);
        }
        (void)fputc('\'', out);
    }
}

static void print_fish(FILE *out)
{
    (void)fputs(FISH_HEAD, out);
    print_command_names(out, ~0U, "", " ", "");
    (void)fputs(FISH_FILES, out);
    for (size_t i = 0; i < app_command_row_count; i++) {
        const struct app_command_row *command = &app_command_rows[i];
        (void)fprintf(out, "complete -c froth -n __froth_first -a %s -d '", command->name);
        print_fish_text(out, base_span_of(command->brief));
        (void)fputs("'\n", out);
        const struct offer inputs = offer_of_inputs(command);
        if (!offers_nothing(&inputs)) {
            (void)fprintf(out, "complete -c froth -n '__froth_is %s'", command->name);
            print_fish_offer(out, &inputs);
            (void)fputc('\n', out);
        }
    }
    for (size_t i = 0; i < app_option_row_count; i++) {
        const struct app_option_row *row = &app_option_rows[i];
        const char *key = app_option_key(row);
        (void)fputs("complete -c froth -n '__froth_is ", out);
        print_command_names(out, row->commands, "", " ", "");
        (void)fprintf(out, "' %s %s", key != NULL ? "-l" : "-s", key != NULL ? key : row->name + 1);
        if (row->kind != APP_OPTION_FLAG) {
            const struct offer offer = offer_of_option(row);
            (void)fputs(offer.files ? " -r" : " -x", out);
            print_fish_offer(out, &offer);
        }
        (void)fputs(" -d '", out);
        print_fish_text(out, app_option_brief(row));
        (void)fputs("'\n", out);
    }
}

void app_completion_print(FILE *out, const char *shell)
{
    static const struct {
        const char *name;
        void (*print)(FILE *out);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    size_t i = 0;
    while (strcmp(shells[i].name, shell) != 0) {
        i++;
        assert(i < sizeof shells / sizeof *shells);
    }
    shells[i].print(out);
}
