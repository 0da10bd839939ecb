#include "ui/bindings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/os/file.h"
#include "base/os/yaml.h"
#include "base/text.h"

enum { MODIFIERS = 4, SHIFT = 1 << 3, REPLACEMENT = 0xFFFD };

static const char *const modifiers[MODIFIERS] = {"Ctrl+", "Alt+", "Super+", "Shift+"};

static const char *const names[] = {
#define UI_KEY(name) name,
#include "ui/key_names.def"
};

static unsigned take_modifiers(struct base_span *text)
{
    unsigned found = 0;
    for (int i = 0; i < MODIFIERS; i++) {
        const struct base_span word = base_span_of(modifiers[i]);
        if ((found & 1u << i) == 0 && text->size > word.size &&
            base_span_equal_nocase((struct base_span){text->data, word.size}, word)) {
            found |= 1u << i;
            text->data += word.size;
            text->size -= word.size;
            i = -1;
        }
    }
    return found;
}

static const char *refuse_key(struct base_span text, char *hint, size_t hint_size)
{
    char word[UI_KEY_NAME] = "";
    struct base_closest closest = {0};
    if (text.size > 0 && text.size < sizeof word) {
        memcpy(word, text.data, text.size);
        word[text.size] = '\0';
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        base_closest_try(&closest, word, names[i]);
    }
    base_closest_hint(&closest, "keys are called as in 'Ctrl+Z', 'Shift+I', 'PageUp' or '!'", hint,
                      hint_size);
    return "is no key";
}

static void write_name(char name[static UI_KEY_NAME], unsigned found, const char *key)
{
    name[0] = '\0';
    for (int i = 0; i < MODIFIERS; i++) {
        const size_t used = strlen(name);
        (void)snprintf(name + used, UI_KEY_NAME - used, "%s",
                       (found & 1u << i) != 0 ? modifiers[i] : "");
    }
    const size_t used = strlen(name);
    (void)snprintf(name + used, UI_KEY_NAME - used, "%s", key);
}

const char *ui_key_name(char name[static UI_KEY_NAME], struct base_span text, char *hint,
                        size_t hint_size)
{
    hint[0] = '\0';
    const unsigned found = take_modifiers(&text);
    for (size_t i = 0; text.size > 0 && i < sizeof names / sizeof *names; i++) {
        if (base_span_equal_nocase(text, base_span_of(names[i]))) {
            write_name(name, found, names[i]);
            return NULL;
        }
    }
    struct base_span rest = text;
    const uint32_t code = text.size > 0 && text.size <= 4 ? base_utf8_next(&rest) : 0;
    if (rest.size > 0 || code <= 0x20 || code == 0x7F || code == REPLACEMENT ||
        (code >= 0x80 && code < 0xA0)) {
        return refuse_key(text, hint, hint_size);
    }
    const bool ascii = text.size == 1;
    const bool letter = !ascii || isalpha((unsigned char)text.data[0]) != 0;
    char character[5] = {0};
    memcpy(character, text.data, text.size);
    character[0] = ascii ? (char)toupper((unsigned char)character[0]) : character[0];
    if (!letter && (found & SHIFT) != 0) {
        (void)snprintf(hint, hint_size, "a character is named by itself, without Shift");
        return "is no key";
    }
    write_name(name, found, character);
    return NULL;
}

bool ui_key_edits(const char *key)
{
    static const char *const chords[] = {"A",    "C",    "D",   "U",         "V",      "X",
                                         "Y",    "Z",    "/",   "Left",      "Right",  "Up",
                                         "Down", "Home", "End", "Backspace", "Delete", "Insert"};
    static const char *const never[] = {"PrintScreen", "ScrollLock", "Pause",     "Menu",
                                        "AudioNext",   "AudioPrev",  "AudioPlay", "AudioStop"};
    struct base_span name = base_span_of(key);
    const bool chord = (take_modifiers(&name) & ~(unsigned)SHIFT) != 0;
    const bool function =
        name.size > 1 && name.data[0] == 'F' && isdigit((unsigned char)name.data[1]) != 0;
    bool listed = false;
    const char *const *list = chord ? chords : never;
    const size_t count = chord ? sizeof chords / sizeof *chords : sizeof never / sizeof *never;
    for (size_t i = 0; i < count; i++) {
        listed = listed || base_span_equal_nocase(name, base_span_of(list[i]));
    }
    return !function && listed == chord;
}

enum {
    KEYS_MAX = 1000,
    FILE_MAX = 256 * 1024,
    HINT_MAX = 160,
    HEADING_MAX = 64,
    SHOWN_MAX = 40, /* of a wrong word, in a message */
    ERRORS_MAX = 20 /* then the rest of the file is not looked at */
};

static const char profile_key[] = "profile";

const char *const ui_bindings_profiles[] = {"milkdrop", "projectm", NULL};

struct ui_bindings {
    struct base_arena arena;
    struct ui_binding *rows;
    size_t count;
};

struct reader {
    struct ui_bindings *bindings;
    const struct base_yaml *map;
    const char *file;
    const struct base_diag_sink *sink;
    size_t inherited; /* rows of the profile that it begins with */
    unsigned errors;
    bool is_builtin;
};

static const struct base_place NOWHERE = {0};

/* The file of a profile as it stands in ui/bindings/; NULL if there is none of this name. */
static const char *file_of(const char *profile)
{
    for (size_t i = 0; i < ui_bindings_texts_count; i++) {
        if (strcmp(ui_bindings_texts[i].name, profile) == 0) {
            return ui_bindings_texts[i].text;
        }
    }
    return NULL;
}

static struct base_place place_of_key(const struct reader *reader, const struct base_yaml *node)
{
    return (struct base_place){reader->file, node->key_line, node->key_column};
}

static struct base_place place_of(const struct reader *reader, const struct base_yaml *node)
{
    return (struct base_place){reader->file, node->line, node->column};
}

static void refuse(struct reader *reader, struct base_place place, const char *hint,
                   struct base_span word, const char *why)
{
    base_report(reader->sink, BASE_ERROR, place, hint, "'%.*s' %s",
                (int)(word.size < SHOWN_MAX ? word.size : SHOWN_MAX), word.data, why);
    reader->errors++;
}

static size_t find_row(const struct ui_bindings *bindings, const char *key, size_t from)
{
    const struct base_span wanted = base_span_of(key);
    for (size_t i = from; i < bindings->count; i++) {
        if (base_span_equal_nocase(base_span_of(bindings->rows[i].key), wanted)) {
            return i;
        }
    }
    return bindings->count;
}

/* What is bound anew stands where the file has it. */
static void forget_inherited(struct reader *reader, const char *key)
{
    struct ui_bindings *bindings = reader->bindings;
    const size_t at = find_row(bindings, key, 0);
    if (at < reader->inherited) {
        bindings->count--;
        reader->inherited--;
        memmove(&bindings->rows[at], &bindings->rows[at + 1],
                (bindings->count - at) * sizeof *bindings->rows);
    }
}

static void add_row(struct reader *reader, struct base_span key, struct base_span words,
                    const struct engine_call *call)
{
    struct ui_bindings *bindings = reader->bindings;
    const struct ui_binding row = {base_arena_text(&bindings->arena, key.data, key.size),
                                   base_arena_text(&bindings->arena, words.data, words.size),
                                   *call};
    if (row.key != NULL && row.words != NULL) {
        bindings->rows[bindings->count++] = row;
    }
}

static void read_key(struct reader *reader, const struct base_yaml *node)
{
    char key[UI_KEY_NAME];
    char hint[HINT_MAX];
    const char *why = ui_key_name(key, node->key, hint, sizeof hint);
    if (why != NULL) {
        refuse(reader, place_of_key(reader, node), hint, node->key, why);
        return;
    }
    if (node->kind != BASE_YAML_SCALAR) {
        refuse(reader, place_of(reader, node), "write 'Key: command'", node->key,
               "needs one command");
        return;
    }
    if (find_row(reader->bindings, key, reader->inherited) < reader->bindings->count) {
        refuse(reader, place_of_key(reader, node), "take one of them away", node->key,
               "is bound twice");
        return;
    }
    struct engine_call call;
    if (base_span_equal_nocase(node->text, base_span_of("none"))) {
        forget_inherited(reader, key);
    } else if (ui_call_parse(&call, node->text, place_of(reader, node), reader->sink) != 0) {
        reader->errors++;
    } else {
        forget_inherited(reader, key);
        add_row(reader, base_span_of(key), node->text, &call);
    }
}

static size_t count_children(const struct base_yaml *map)
{
    size_t count = 0;
    for (const struct base_yaml *node = map->first; node != NULL; node = node->next) {
        count++;
    }
    return count;
}

static struct ui_bindings *load_profile(const char *profile, const struct base_diag_sink *sink);

/* The rows of the profile that a file begins with; NULL if it names none. */
static struct ui_bindings *read_profile(struct reader *reader)
{
    const struct base_yaml *node = base_yaml_get(reader->map, profile_key);
    if (node == NULL) {
        return NULL;
    }
    const bool named = node->kind == BASE_YAML_SCALAR && !reader->is_builtin;
    if (!named || file_of(node->text.data) == NULL) {
        char hint[HINT_MAX] = "those that come with froth are ";
        for (size_t i = 0; ui_bindings_profiles[i] != NULL; i++) {
            const size_t used = strlen(hint);
            (void)snprintf(hint + used, sizeof hint - used, "%s%s", i > 0 ? ", " : "",
                           ui_bindings_profiles[i]);
        }
        refuse(reader, place_of(reader, node), hint,
               node->kind == BASE_YAML_SCALAR ? node->text : node->key, "is no profile");
        return NULL;
    }
    return load_profile(node->text.data, reader->sink);
}

static void read_keys(struct reader *reader)
{
    struct ui_bindings *profile = read_profile(reader);
    const size_t room = count_children(reader->map) + ui_bindings_count(profile);
    reader->bindings->rows =
        base_arena_array(&reader->bindings->arena, room, sizeof *reader->bindings->rows);
    if (reader->bindings->rows != NULL) {
        for (size_t i = 0; i < ui_bindings_count(profile); i++) {
            add_row(reader, base_span_of(profile->rows[i].key),
                    base_span_of(profile->rows[i].words), &profile->rows[i].call);
        }
        reader->inherited = reader->bindings->count;
        const struct base_yaml *node = reader->map->first;
        for (; node != NULL && reader->errors < ERRORS_MAX; node = node->next) {
            if (!base_span_equal(node->key, base_span_of(profile_key))) {
                read_key(reader, node);
            }
        }
    }
    ui_bindings_free(profile);
}

static struct ui_bindings *read_text(const char *file, struct base_span text,
                                     const struct base_diag_sink *sink, bool is_builtin)
{
    struct ui_bindings *bindings = calloc(1, sizeof *bindings);
    if (bindings == NULL) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "not enough memory for bindings");
        return NULL;
    }
    struct base_arena arena = {0};
    struct reader reader = {.bindings = bindings,
                            .map = base_yaml_read(&arena, file, text, sink),
                            .file = file,
                            .sink = sink,
                            .is_builtin = is_builtin};
    if (reader.map == NULL) {
        reader.errors++;
    } else if (reader.map->kind != BASE_YAML_MAP) {
        base_report(sink, BASE_ERROR, place_of(&reader, reader.map), "write 'Key: command' lines",
                    "bindings must be a map");
        reader.errors++;
    } else if (count_children(reader.map) > KEYS_MAX) {
        base_report(sink, BASE_ERROR, place_of(&reader, reader.map), NULL,
                    "there are more than %d keys", KEYS_MAX);
        reader.errors++;
    } else {
        read_keys(&reader);
    }
    if (bindings->arena.failed) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "not enough memory for bindings");
        reader.errors++;
    }
    base_arena_free(&arena);
    if (reader.errors > 0) {
        ui_bindings_free(bindings);
        return NULL;
    }
    return bindings;
}

struct ui_bindings *ui_bindings_read(const char *file, struct base_span text,
                                     const struct base_diag_sink *sink)
{
    return read_text(file, text, sink, false);
}

/* Prints the rows of commands.def of a group whose keys the profile's file leaves free, below the
 * heading unless that is NULL. Sets `bound` for each command that has a key. */
static void print_group(FILE *out, const struct ui_bindings *own, int group, const char *heading,
                        bool bound[static UI_COMMAND_COUNT])
{
    for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
        const struct ui_command_row *row = &ui_command_rows[i];
        for (const char *next = row->keys; (int)row->group == group && *next != '\0';) {
            const char *end = strstr(next, "  ");
            const size_t size = end != NULL ? (size_t)(end - next) : strlen(next);
            char key[UI_KEY_NAME];
            (void)snprintf(key, sizeof key, "%.*s", (int)size, next);
            next += size + (end != NULL ? 2 : 0);
            if (find_row(own, key, 0) == own->count) {
                const char *quote = isalpha((unsigned char)key[0]) != 0 ? "" : "\"";
                (void)fprintf(out, "%s%s%s%s: %s\n", heading != NULL ? heading : "", quote, key,
                              quote, row->name);
                heading = NULL;
                bound[i] = true;
            }
        }
    }
}

/* Each heading of the file names a group of commands, in their order; a blank line ends its part.
 */
static void print_whole(FILE *out, const struct ui_bindings *own, const char *file)
{
    bool bound[UI_COMMAND_COUNT] = {false};
    for (size_t i = 0; i < own->count; i++) {
        bound[own->rows[i].call.command] = true;
    }
    for (int group = 0; group < UI_GROUP_COUNT; group++) {
        char heading[HEADING_MAX];
        (void)snprintf(heading, sizeof heading, "\n# %s\n", ui_command_group_names[group]);
        const char *part = strstr(file, heading);
        if (part != NULL) {
            const char *end = strstr(part + 1, "\n\n");
            const size_t size = end != NULL ? (size_t)(end + 1 - file) : strlen(file);
            (void)fwrite(file, 1, size, out);
            file += size;
        }
        print_group(out, own, group, part == NULL ? heading : NULL, bound);
    }
    (void)fprintf(out, "%s\n# Without a key\n", file);
    for (int group = 0; group < UI_GROUP_COUNT; group++) {
        for (int i = UI_COMMAND_NONE + 1; i < UI_COMMAND_COUNT; i++) {
            if ((int)ui_command_rows[i].group == group && !bound[i]) {
                (void)fprintf(out, "# %s: %s\n", ui_command_rows[i].name, ui_command_rows[i].help);
            }
        }
    }
}

char *ui_bindings_text(const char *profile)
{
    char *text = NULL;
    size_t size = 0;
    const char *file = file_of(profile);
    struct ui_bindings *own =
        file != NULL ? read_text(profile, base_span_of(file), NULL, true) : NULL;
    FILE *out = own != NULL ? open_memstream(&text, &size) : NULL;
    if (out != NULL) {
        print_whole(out, own, file);
        if (fclose(out) != 0) {
            free(text);
            text = NULL;
        }
    }
    ui_bindings_free(own);
    return text;
}

static struct ui_bindings *load_profile(const char *profile, const struct base_diag_sink *sink)
{
    char *text = ui_bindings_text(profile);
    if (text == NULL) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "not enough memory for bindings");
        return NULL;
    }
    struct ui_bindings *bindings = read_text(profile, base_span_of(text), sink, true);
    free(text);
    return bindings;
}

struct ui_bindings *ui_bindings_load(const char *name, const struct base_diag_sink *sink)
{
    if (file_of(name) != NULL) {
        return load_profile(name, sink);
    }
    if (strpbrk(name, "./") == NULL) {
        struct base_closest closest = {0};
        char hint[HINT_MAX];
        for (size_t i = 0; ui_bindings_profiles[i] != NULL; i++) {
            base_closest_try(&closest, name, ui_bindings_profiles[i]);
        }
        base_closest_hint(&closest, "name a file, milkdrop or projectm", hint, sizeof hint);
        base_report(sink, BASE_ERROR, NOWHERE, hint, "there are no bindings '%.60s'", name);
        return NULL;
    }
    struct base_file file;
    if (base_file_load(&file, name, FILE_MAX, sink) != 0) {
        return NULL;
    }
    struct ui_bindings *bindings =
        ui_bindings_read(name, (struct base_span){file.data, file.size}, sink);
    base_file_free(&file);
    return bindings;
}

void ui_bindings_free(struct ui_bindings *bindings)
{
    if (bindings != NULL) {
        base_arena_free(&bindings->arena);
        free(bindings);
    }
}

const struct engine_call *ui_bindings_find(const struct ui_bindings *bindings, const char *key)
{
    const size_t at = find_row(bindings, key, 0);
    return at < bindings->count ? &bindings->rows[at].call : NULL;
}

size_t ui_bindings_count(const struct ui_bindings *bindings)
{
    return bindings != NULL ? bindings->count : 0;
}

const struct ui_binding *ui_bindings_at(const struct ui_bindings *bindings, size_t index)
{
    return &bindings->rows[index];
}

void ui_bindings_keys(const struct ui_bindings *bindings, enum ui_command command, char *text,
                      size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < ui_bindings_count(bindings); i++) {
        const struct ui_binding *row = &bindings->rows[i];
        const size_t used = strlen(text);
        if (row->call.command == command && used + strlen(row->key) + 2 < size) {
            (void)snprintf(text + used, size - used, "%s%s", used > 0 ? "  " : "", row->key);
        }
    }
}
