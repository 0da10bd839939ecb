#include "app/midi/map.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/control/control.h"
#include "base/os/file.h"
#include "base/os/form.h"
#include "ui/command.h"

enum { MEMORY = 64 * 1024 * 1024, FILE_MOST = 256 * 1024, TURN = 127, LOCK_SECONDS = 2, HINT = 96 };

static const struct {
    const char *key;
    enum engine_midi_part part;
    int most; /* of its number; 0: it has none, and is written as true */
    const char *words;
} parts[] = {
    {"controller", ENGINE_MIDI_IS_CONTROLLER, 127, "controller"},
    {"controller14", ENGINE_MIDI_IS_CONTROLLER14, 31, "controller of 14 bits"},
    {"nrpn", ENGINE_MIDI_IS_NRPN, 16383, "NRPN"},
    {"note", ENGINE_MIDI_IS_NOTE, 127, "note"},
    {"program", ENGINE_MIDI_IS_PROGRAM, 127, "program"},
    {"bend", ENGINE_MIDI_IS_BEND, 0, "pitch bend"},
    {"pressure", ENGINE_MIDI_IS_PRESSURE, 0, "pressure"},
};
enum { PARTS = sizeof parts / sizeof *parts };

static const struct {
    const char *value;
    double from;
    double to;
} reaches[] = {
#define APP_MIDI_REACH(value, from, to) {value, from, to},
#include "app/midi/reaches.def"
};

static bool is_encoder(enum engine_midi_mode mode)
{
    return mode == ENGINE_MIDI_MODE_TWOS || mode == ENGINE_MIDI_MODE_CENTRED ||
           mode == ENGINE_MIDI_MODE_SIGN;
}

/* Whether it is pressed rather than turned. */
static bool is_button(enum engine_midi_part part)
{
    return part == ENGINE_MIDI_IS_NOTE || part == ENGINE_MIDI_IS_PROGRAM;
}

/* ---- rows ---- */

/* Whether a value has whole numbers only. */
static bool is_whole(unsigned value)
{
    if (value < APP_VALUE_KEYS) {
        const struct engine_adjust_row *adjusts = engine_adjust_of(value);
        return value == UI_COMMAND_CUT_ON_BEAT || value == UI_COMMAND_UI_SCALE ||
               (adjusts != NULL && adjusts->operation == ENGINE_ADJUST_CYCLE);
    }
    return preset_keys[value - APP_VALUE_KEYS].type == PRESET_TYPE_IS_INT;
}

static void reach_of(unsigned value, double *from, double *to)
{
    struct app_value_row known;
    (void)app_value_row(value, &known);
    *from = known.low;
    *to = known.high;
    for (size_t i = 0; i < sizeof reaches / sizeof *reaches; i++) {
        if (strcmp(reaches[i].value, known.name) == 0) {
            *from = reaches[i].from;
            *to = reaches[i].to;
        }
    }
}

static enum engine_midi_mode usual_mode(const struct app_midi_row *row)
{
    struct app_value_row known;
    if (row->value == 0) {
        return ENGINE_MIDI_MODE_TRIGGER;
    }
    (void)app_value_row(row->value, &known);
    return is_button(row->control.part) || known.is_switch ? ENGINE_MIDI_MODE_TOGGLE
                                                           : ENGINE_MIDI_MODE_PICK_UP;
}

/* What follows from the way between the ends; step: of the value, 0 for the usual one. */
static void measure(struct app_midi_row *row, double step)
{
    const double way = fabs(row->to - row->from);
    const bool whole = row->value != 0 && is_whole(row->value);
    row->fineness = whole && way > 0 ? fmin(1 / way, 1) : 0;
    row->step = step > 0 ? step / way : whole ? row->fineness : 1.0 / TURN;
}

void app_midi_row_complete(struct app_midi_row *row)
{
    row->mode = usual_mode(row);
    if (row->value != 0) {
        reach_of(row->value, &row->from, &row->to);
        measure(row, 0);
    }
}

/* ---- reading ---- */

struct reader {
    struct app_midi_map *map;
    struct base_arena scratch;
    struct base_form form;
    uint8_t channel; /* of rows that do not say */
};

/* 1..16, or 0 for any. */
static uint8_t channel_of(struct reader *reader, const struct base_yaml *map, uint8_t otherwise)
{
    const struct base_yaml *node = base_form_child(map, "channel");
    if (node != NULL && node->kind == BASE_YAML_SCALAR &&
        base_span_equal(node->text, base_span_of("any"))) {
        return 0;
    }
    return (uint8_t)base_form_number(&reader->form, map, "channel", 1, ENGINE_MIDI_CHANNELS,
                                     otherwise, true);
}

static bool read_control(struct reader *reader, const struct base_yaml *node,
                         struct app_midi_row *row)
{
    size_t found = PARTS;
    unsigned count = 0;
    for (size_t i = 0; i < PARTS; i++) {
        if (base_form_child(node, parts[i].key) != NULL) {
            found = i;
            count++;
        }
    }
    if (count != 1) {
        base_form_fail(
            &reader->form, node,
            "controller: 16, or one of controller14, nrpn, note, program, bend, pressure",
            count == 0 ? "which control?" : "a row has one control");
        return false;
    }
    row->control.part = parts[found].part;
    row->control.channel = channel_of(reader, node, reader->channel);
    if (parts[found].most > 0) {
        row->control.number = (uint16_t)base_form_number(&reader->form, node, parts[found].key, 0,
                                                         parts[found].most, 0, true);
    } else if (!base_form_truth(&reader->form, node, parts[found].key, true)) {
        base_form_fail(&reader->form, base_form_child(node, parts[found].key), NULL,
                       "it is true, or not there");
    }
    return true;
}

static void read_mode(struct reader *reader, const struct base_yaml *node, struct app_midi_row *row)
{
    char text[16];
    struct base_closest closest = {0};
    if (!base_form_text(&reader->form, node, "mode", text, sizeof text)) {
        return;
    }
    unsigned mode = 0;
    while (mode < ENGINE_MIDI_MODES && strcmp(engine_midi_mode_names[mode], text) != 0) {
        base_closest_try(&closest, text, engine_midi_mode_names[mode++]);
    }
    const struct base_yaml *at = base_form_child(node, "mode");
    if (mode == ENGINE_MIDI_MODES) {
        char hint[160];
        base_closest_hint(&closest,
                          "pick-up, jump, twos, centred, sign, toggle, hold and trigger are known",
                          hint, sizeof hint);
        base_form_fail(&reader->form, at, hint, "no mode of this name");
        return;
    }
    row->mode = (enum engine_midi_mode)mode;
    if (is_encoder(row->mode) && row->control.part != ENGINE_MIDI_IS_CONTROLLER) {
        base_form_fail(&reader->form, at, "an encoder is a controller of 7 bits",
                       "this mode is an encoder's");
    } else if (row->value == 0 && !is_encoder(row->mode) && row->mode != ENGINE_MIDI_MODE_TRIGGER) {
        base_form_fail(&reader->form, at, "trigger, or an encoder's: twos, centred, sign",
                       "this mode is a value's");
    }
}

static void read_value(struct reader *reader, const struct base_yaml *node,
                       struct app_midi_row *row, const char *text)
{
    struct base_form *form = &reader->form;
    row->value = app_value_by_name(base_span_of(text));
    if (row->value == 0) {
        char hint[HINT];
        app_value_hint(text, hint, sizeof hint);
        base_form_fail(form, base_form_child(node, "value"), hint, "no value of this name");
        return;
    }
    app_midi_row_complete(row);
    const double most = ENGINE_CALL_NUMBER_MAX;
    row->from = base_form_number(form, node, "from", -most, most, row->from, false);
    row->to = base_form_number(form, node, "to", -most, most, row->to, false);
    if (row->from == row->to) {
        base_form_fail(form, node, "from and to are the two ends of a turn",
                       "from and to are the same");
        return;
    }
    measure(row, base_form_number(form, node, "step", 1e-6, most, 0, false));
}

static void read_light(struct reader *reader, const struct base_yaml *node,
                       struct app_midi_row *row)
{
    struct base_form *form = &reader->form;
    const struct base_yaml *light = base_form_child(node, "light");
    row->lit = light != NULL;
    row->light = (uint8_t)base_form_number(form, node, "light", 0, 127, 0, true);
    row->dark = (uint8_t)base_form_number(form, node, "dark", 0, 127, 0, true);
    if (row->lit && row->control.part != ENGINE_MIDI_IS_NOTE &&
        row->control.part != ENGINE_MIDI_IS_CONTROLLER) {
        base_form_fail(form, light, "of a note, or of a controller of 7 bits",
                       "this control has no light");
    }
    if (!row->lit && base_form_child(node, "dark") != NULL) {
        base_form_fail(form, node, "light is what it shines with", "there is dark without light");
    }
}

static void read_row(struct reader *reader, const struct base_yaml *node)
{
    static const char *const keys[] = {"device", "channel", "controller", "controller14", "nrpn",
                                       "note",   "program", "bend",       "pressure",     "value",
                                       "from",   "to",      "step",       "mode",         "call",
                                       "light",  "dark",    NULL};
    struct base_form *form = &reader->form;
    struct app_midi_row *row = &reader->map->rows[reader->map->row_count];
    char text[ENGINE_CALL_TEXT];
    *row = (struct app_midi_row){.line = node->line};
    if (!base_form_map(form, node, "what a control does", keys) ||
        !read_control(reader, node, row)) {
        return;
    }
    (void)base_form_text(form, node, "device", row->device, sizeof row->device);
    const struct base_yaml *value = base_form_child(node, "value");
    const struct base_yaml *call = base_form_child(node, "call");
    if ((value == NULL) == (call == NULL)) {
        base_form_fail(form, node, "value: zoom, or call: next",
                       "a control sets one value or calls");
        return;
    }
    if (value != NULL && base_form_text(form, node, "value", text, sizeof text)) {
        read_value(reader, node, row, text);
    } else if (call != NULL && base_form_text(form, node, "call", text, sizeof text)) {
        form->errors += ui_call_parse(&row->call, call->text,
                                      (struct base_place){form->file, call->line, call->column},
                                      form->sink) != 0;
        app_midi_row_complete(row);
    }
    read_mode(reader, node, row);
    read_light(reader, node, row);
    reader->map->row_count++;
}

static int digit_of(char letter)
{
    return letter >= '0' && letter <= '9'   ? letter - '0'
           : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
           : letter >= 'A' && letter <= 'F' ? letter - 'A' + 10
                                            : -1;
}

/* Whether these are whole messages and nothing else. */
static bool is_whole_messages(const uint8_t *bytes, size_t size)
{
    struct engine_midi_reader reader = {0};
    struct engine_midi_message message;
    bool whole = true;
    for (size_t i = 0; i < size; i++) {
        const bool begins = whole;
        if (begins && bytes[i] < 0x80) {
            return false; /* each says its status */
        }
        whole = engine_midi_read(&reader, bytes[i], &message);
    }
    return whole;
}

/* Bytes as two digits each, divided by blanks. Returns how many. */
static size_t read_bytes(struct reader *reader, const struct base_yaml *map, const char *key,
                         uint8_t to[APP_MIDI_SENT])
{
    char text[3 * APP_MIDI_SENT];
    size_t size = 0;
    if (!base_form_text(&reader->form, map, key, text, sizeof text)) {
        return 0;
    }
    struct base_span rest = base_span_of(text);
    struct base_span word = base_span_next_word(&rest);
    bool good = true;
    for (; good && word.size > 0; word = base_span_next_word(&rest)) {
        const int high = digit_of(word.data[0]);
        const int low = word.size == 2 ? digit_of(word.data[1]) : -1;
        good = high >= 0 && low >= 0 && size < APP_MIDI_SENT;
        if (good) {
            to[size++] = (uint8_t)(high * 16 + low);
        }
    }
    if (!good || !is_whole_messages(to, size)) {
        base_form_fail(&reader->form, base_form_child(map, key),
                       "bytes as in F0 7E 7F 06 01 F7, of whole messages",
                       "these are no messages of MIDI");
        return 0;
    }
    return size;
}

static void read_root(struct reader *reader, const struct base_yaml *root)
{
    static const char *const keys[] = {"name",  "device", "channel", "programs", "clock",
                                       "start", "end",    "set",     NULL};
    struct app_midi_map *map = reader->map;
    struct base_form *form = &reader->form;
    if (!base_form_map(form, root, "a map of MIDI", keys)) {
        return;
    }
    (void)base_form_text(form, root, "name", map->name, sizeof map->name);
    (void)base_form_text(form, root, "device", map->device, sizeof map->device);
    map->has_programs = base_form_child(root, "programs") != NULL;
    map->programs = base_form_truth(form, root, "programs", true);
    map->clock = base_form_truth(form, root, "clock", false);
    map->start_size = read_bytes(reader, root, "start", map->start);
    map->end_size = read_bytes(reader, root, "end", map->end);
    reader->channel = channel_of(reader, root, 0);
    const struct base_yaml *set = base_form_child(root, "set");
    const bool empty = set != NULL && set->kind == BASE_YAML_SCALAR && set->text.size == 0;
    const struct base_yaml *list = empty ? NULL : base_form_list(form, root, "set");
    const size_t count = base_form_count(list);
    if (count > APP_MIDI_ROWS) {
        char what[64];
        (void)snprintf(what, sizeof what, "at most %d of them", APP_MIDI_ROWS);
        base_form_fail(form, list, NULL, what);
        return;
    }
    map->rows = base_arena_array(&map->arena, count + 1, sizeof *map->rows);
    if (map->rows == NULL) {
        base_form_fail(form, root, NULL, "not enough memory");
        return;
    }
    for (const struct base_yaml *node = list != NULL ? list->first : NULL; node != NULL;
         node = node->next) {
        read_row(reader, node);
    }
}

int app_midi_map_read(struct app_midi_map *map, const char *file, struct base_span text,
                      const struct base_diag_sink *sink)
{
    struct reader reader = {.map = map, .form = {.file = file, .sink = sink}};
    *map = (struct app_midi_map){.programs = true};
    base_arena_init(&map->arena, MEMORY);
    base_arena_init(&reader.scratch, MEMORY);
    const struct base_yaml *root = base_yaml_read(&reader.scratch, file, text, sink);
    if (root != NULL) {
        read_root(&reader, root);
    }
    base_arena_free(&reader.scratch);
    return root != NULL && reader.form.errors == 0 ? 0 : -1;
}

void app_midi_map_free(struct app_midi_map *map)
{
    base_arena_free(&map->arena);
    *map = (struct app_midi_map){.programs = true};
}

/* ---- devices ---- */

static bool holds_nocase(const char *text, const char *part)
{
    const size_t size = strlen(part);
    const size_t whole = strlen(text);
    for (size_t at = 0; at + size <= whole; at++) {
        if (base_span_equal_nocase((struct base_span){text + at, size},
                                   (struct base_span){part, size})) {
            return true;
        }
    }
    return false;
}

bool app_midi_map_fits(const struct app_midi_map *map, const char *device)
{
    return holds_nocase(device, map->device);
}

bool app_midi_row_fits(const struct app_midi_map *map, const struct app_midi_row *row,
                       const char *device)
{
    return app_midi_map_fits(map, device) && holds_nocase(device, row->device);
}

/* ---- words ---- */

/* Adds to a text; *used becomes `size` once there is no room. */
__attribute__((format(printf, 4, 5))) static void add(char *text, size_t size, size_t *used,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = *used < size ? vsnprintf(text + *used, size - *used, format, arguments) : -1;
    va_end(arguments);
    *used = length < 0 || (size_t)length >= size - *used ? size : *used + (size_t)length;
}

bool app_midi_call_words(const struct engine_call *call, char *text, size_t size)
{
    const struct ui_command_row *row = &ui_command_rows[call->command];
    size_t used = 0;
    add(text, size, &used, "%s", row->name);
    switch (row->argument) {
    case ENGINE_ARGUMENT_SWITCH:
        add(text, size, &used, "%s",
            call->to == ENGINE_SWITCH_ON    ? " on"
            : call->to == ENGINE_SWITCH_OFF ? " off"
                                            : "");
        break;
    case ENGINE_ARGUMENT_STEP:
        add(text, size, &used, call->absolute ? " =%.9g" : " %.9g", call->number);
        break;
    case ENGINE_ARGUMENT_NUMBER:
        add(text, size, &used, " %.9g", call->number);
        break;
    case ENGINE_ARGUMENT_TEXT:
    case ENGINE_ARGUMENT_MAYBE:
        add(text, size, &used, "%s%s", call->text[0] != '\0' ? " " : "", call->text);
        break;
    default:
        break;
    }
    return used < size;
}

void app_midi_control_words(const struct engine_midi_control *control, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < PARTS; i++) {
        if (parts[i].part == control->part) {
            add(text, size, &used, "%s", parts[i].words);
            if (parts[i].most > 0) {
                add(text, size, &used, " %u", control->number);
            }
        }
    }
    if (control->channel != 0) {
        add(text, size, &used, " of channel %u", control->channel);
    }
}

void app_midi_target_words(const struct app_midi_row *row, char *text, size_t size)
{
    struct app_value_row known;
    size_t used = 0;
    if (row->value == 0) {
        (void)app_midi_call_words(&row->call, text, size);
        return;
    }
    (void)app_value_row(row->value, &known);
    if (known.is_switch && row->from < row->to) {
        add(text, size, &used, "%s", known.name);
    } else {
        add(text, size, &used, "%s %.4g to %.4g", known.name, row->from, row->to);
    }
}

/* A text in double quotes, as YAML has it. */
static void add_quoted(char *line, size_t size, size_t *used, const char *text)
{
    add(line, size, used, "\"");
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte < 0x20 || byte == 0x7f) {
            add(line, size, used, "\\x%02x", byte);
        } else {
            add(line, size, used, byte == '"' || byte == '\\' ? "\\%c" : "%c", byte);
        }
    }
    add(line, size, used, "\"");
}

bool app_midi_row_line(const struct app_midi_row *row, char *text, size_t size)
{
    struct app_value_row known;
    size_t used = 0;
    add(text, size, &used, "  - {");
    if (row->device[0] != '\0') {
        add(text, size, &used, "device: ");
        add_quoted(text, size, &used, row->device);
        add(text, size, &used, ", ");
    }
    for (size_t i = 0; i < PARTS; i++) {
        if (parts[i].part == row->control.part && parts[i].most > 0) {
            add(text, size, &used, "%s: %u", parts[i].key, row->control.number);
        } else if (parts[i].part == row->control.part) {
            add(text, size, &used, "%s: true", parts[i].key);
        }
    }
    if (row->control.channel != 0) {
        add(text, size, &used, ", channel: %u", row->control.channel);
    }
    if (row->value != 0) {
        (void)app_value_row(row->value, &known);
        add(text, size, &used, ", value: %s, from: %.9g, to: %.9g", known.name, row->from, row->to);
        if (is_encoder(row->mode)) {
            add(text, size, &used, ", step: %.9g", row->step * fabs(row->to - row->from));
        }
    } else {
        char words[ENGINE_CALL_TEXT + APP_MIDI_NAME];
        if (!app_midi_call_words(&row->call, words, sizeof words)) {
            return false;
        }
        add(text, size, &used, ", call: ");
        add_quoted(text, size, &used, words);
    }
    add(text, size, &used, ", mode: %s}\n", engine_midi_mode_names[row->mode]);
    return used < size;
}

/* ---- the file of learnt rows ---- */

static const char beginning[] = "# What froth has learnt of your MIDI controllers: a line each, "
                                "which 'learn' adds and 'forget'\n"
                                "# takes away. All else in this file stays as you leave it. 'froth "
                                "help play' and docs/midi.md say\n"
                                "# what lines may hold.\n"
                                "set:\n";

/* A text that is being made. */
struct page {
    char *text;
    size_t size;
    size_t room;
};

static bool put(struct page *page, const char *text, size_t size)
{
    const bool fits = size < page->room - page->size;
    if (fits) {
        memcpy(page->text + page->size, text, size);
        page->size += size;
    }
    return fits;
}

static bool same_call(const struct engine_call *a, const struct engine_call *b)
{
    return a->command == b->command && a->to == b->to && a->absolute == b->absolute &&
           a->number == b->number && strcmp(a->text, b->text) == 0;
}

/* Whether a row of the file stands for this one; `whole`: it does the same as well. */
static bool is_row(const struct app_midi_row *known, const struct app_midi_row *row, bool whole)
{
    return engine_midi_same(&known->control, &row->control) &&
           known->control.channel == row->control.channel &&
           strcmp(known->device, row->device) == 0 &&
           (!whole || (known->value == row->value && same_call(&known->call, &row->call)));
}

/* Whether nothing but the row stands in its line. */
static bool is_alone(const struct app_midi_map *map, size_t row, struct base_span line)
{
    size_t at = 0;
    while (at < line.size && line.data[at] == ' ') {
        at++;
    }
    for (size_t i = 0; i < map->row_count; i++) {
        if (i != row && map->rows[i].line == map->rows[row].line) {
            return false;
        }
    }
    return at + 3 <= line.size && memcmp(line.data + at, "- {", 3) == 0 &&
           memchr(line.data, '}', line.size) != NULL;
}

/* Copies the file's lines but for the rows that `row` stands for, and puts `line` (NULL: nothing)
 * behind the last row that is left, or behind "set:". Returns how many rows it has then; -1: no
 * room. */
static int rewrite(struct page *page, const struct app_midi_map *map, struct base_span text,
                   const struct app_midi_row *row, const char *line)
{
    uint32_t last = 0;
    int count = (int)map->row_count;
    bool drops[APP_MIDI_ROWS] = {false};
    uint32_t number = 0;
    for (size_t at = 0; at < text.size;) {
        const char *end = memchr(text.data + at, '\n', text.size - at);
        const size_t size = end != NULL ? (size_t)(end - text.data) - at : text.size - at;
        const struct base_span here = {text.data + at, size};
        number++;
        for (size_t i = 0; i < map->row_count; i++) {
            if (map->rows[i].line == number && is_row(&map->rows[i], row, line == NULL) &&
                is_alone(map, i, here)) {
                drops[i] = true;
                count--;
            }
        }
        if (size >= 4 && memcmp(here.data, "set:", 4) == 0) {
            last = number;
        }
        at += size + (end != NULL);
    }
    for (size_t i = 0; i < map->row_count; i++) {
        last = !drops[i] && map->rows[i].line > last ? map->rows[i].line : last;
    }
    bool fits = true;
    number = 0;
    for (size_t at = 0; at < text.size;) {
        const char *end = memchr(text.data + at, '\n', text.size - at);
        const size_t size = end != NULL ? (size_t)(end - text.data) - at : text.size - at;
        bool dropped = false;
        number++;
        for (size_t i = 0; i < map->row_count; i++) {
            dropped = dropped || (drops[i] && map->rows[i].line == number);
        }
        if (!dropped) {
            fits = fits && put(page, text.data + at, size) && put(page, "\n", 1);
        }
        if (number == last && line != NULL) {
            fits = fits && put(page, line, strlen(line));
        }
        at += size + (end != NULL);
    }
    if (last == 0 && line != NULL) {
        fits = fits && put(page, "set:\n", 5) && put(page, line, strlen(line));
    }
    return fits ? count + (line != NULL) : -1;
}

static int fail_file(const struct base_diag_sink *sink, const char *path, const char *why)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = path},
                "what was learnt holds until froth ends", "the file is not written: %s", why);
    return -1;
}

/* Adds the row, or takes it away. */
static int change(const char *path, const struct app_midi_row *row, bool adds,
                  const struct base_diag_sink *sink)
{
    static const struct base_diag_sink *const nobody = NULL;
    struct app_midi_map map = {0};
    struct app_midi_map then = {0};
    struct page page = {0};
    char line[APP_MIDI_WORDS];
    struct base_file file = {0};
    struct stat status;
    char folder[4096];
    int result = -1;
    (void)snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        *slash = '\0';
        (void)base_folder_make(folder);
    }
    const int lock = base_file_lock(path, LOCK_SECONDS);
    const bool missing = stat(path, &status) != 0 && errno == ENOENT;
    const bool loaded = !missing && base_file_load(&file, path, FILE_MOST, sink) == 0;
    const struct base_span text =
        missing ? base_span_of(beginning) : (struct base_span){file.data, file.size};
    if (!missing && !loaded) {
        base_file_unlock(lock);
        return -1;
    }
    page.room = text.size + 2 * APP_MIDI_WORDS;
    page.text = malloc(page.room);
    if (page.text == NULL || (adds && !app_midi_row_line(row, line, sizeof line))) {
        result = fail_file(sink, path, "not enough memory");
    } else if (app_midi_map_read(&map, path, text, sink) == 0) {
        const int count = rewrite(&page, &map, text, row, adds ? line : NULL);
        const struct base_span made = {page.text, page.size};
        if (count < 0 || app_midi_map_read(&then, path, made, nobody) != 0 ||
            then.row_count != (size_t)count || (!adds && then.row_count == map.row_count)) {
            result = fail_file(sink, path, "its rows are not lines of their own below set:");
        } else if (base_file_save(path, page.text, page.size) != 0) {
            result = fail_file(sink, path, strerror(errno));
        } else {
            result = 0;
        }
    }
    app_midi_map_free(&then);
    app_midi_map_free(&map);
    free(page.text);
    base_file_free(&file);
    base_file_unlock(lock);
    return result;
}

int app_midi_learnt_add(const char *path, const struct app_midi_row *row,
                        const struct base_diag_sink *sink)
{
    return change(path, row, true, sink);
}

int app_midi_learnt_remove(const char *path, const struct app_midi_row *row,
                           const struct base_diag_sink *sink)
{
    return change(path, row, false, sink);
}
