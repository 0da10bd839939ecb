#include "app/set/event.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/command.h"
#include "engine/course.h"
#include "engine/engine.h"

enum {
    VERSION = 1,
    CHUNK = 2000,               /* events that are read at once */
    ARENA = 1024 * 1024 * 1024, /* bytes of what was read, at most */
    MOMENT = sizeof(struct rend_moment) / sizeof(double),
};

struct engine_rate app_set_frame_rate(const struct froth_config *config)
{
    return engine_rate_exact(config->fps_numerator, config->fps_denominator);
}

double app_set_rate(const struct froth_config *config)
{
    return engine_rate_value(app_set_frame_rate(config));
}

double app_set_seconds(const struct app_set_head *head, uint64_t frame)
{
    const uint64_t before = head->first + 1;
    return frame > before ? (double)(frame - before) / app_set_rate(&head->config) : 0;
}

/* ---- written ---- */

struct text {
    char *to;
    size_t used;
    bool full;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(text->to + text->used, APP_SET_LINE - text->used, format, arguments);
    va_end(arguments);
    text->full = text->full || size < 0 || (size_t)size >= APP_SET_LINE - text->used;
    text->used += text->full ? 0 : (size_t)size;
}

/* The fewest digits that read back as the number. */
static void add_number(struct text *text, double value)
{
    char digits[32];
    (void)snprintf(digits, sizeof digits, "%.15g", value);
    if (strtod(digits, NULL) != value) {
        (void)snprintf(digits, sizeof digits, "%.17g", value);
    }
    add(text, "%s", digits);
}

/* In quotes; what is not UTF-8 becomes U+FFFD. */
static void add_quoted(struct text *text, struct base_span from)
{
    add(text, "\"");
    while (from.size > 0 && !text->full) {
        const char *at = from.data;
        const uint32_t point = base_utf8_next(&from);
        const int size = (int)(from.data - at);
        if (point == '"' || point == '\\') {
            add(text, "\\%c", (char)point);
        } else if (point < ' ' || (point >= 0x7f && point < 0xa0)) {
            add(text, "\\x%02" PRIx32, point);
        } else if (point == BASE_UTF8_REPLACEMENT || (point & 0xfffe) == 0xfffe ||
                   point == 0xfeff) {
            add(text, "\\uFFFD");
        } else {
            add(text, "%.*s", size, at);
        }
    }
    add(text, "\"");
}

static void write_text(struct text *text, const struct app_set_event *event)
{
    add_quoted(text, event->text);
}

static void write_number(struct text *text, const struct app_set_event *event)
{
    add_number(text, event->seconds);
}

static void write_anew(struct text *text, const struct app_set_event *event)
{
    (void)event;
    add(text, "anew");
}

static void write_shaders(struct text *text, const struct app_set_event *event)
{
    add(text, "%dx%d", event->shaders[0], event->shaders[1]);
}

static void write_preset(struct text *text, const struct app_set_event *event)
{
    add_quoted(text, event->text);
    add(text, ", name: ");
    add_quoted(text, event->name);
    add(text, ", transition: %s, blend: ", rend_transition_name(event->change.transition));
    add_number(text, event->change.seconds);
    if (event->again) {
        add(text, ", again: true");
    }
    if (event->seconds >= 0) {
        add(text, ", shown: ");
        add_number(text, event->seconds);
    }
    add(text, ", planned: ");
    add_number(text, event->change.planned);
    add(text, ", chance: %" PRIu64 ", path: ", event->change.seed);
    add_quoted(text, event->path);
    if (event->begins) {
        double numbers[MOMENT];
        memcpy(numbers, &event->moment, sizeof numbers);
        add(text, ", begins: \"");
        for (size_t i = 0; i < MOMENT; i++) {
            add(text, i > 0 ? " " : "");
            add_number(text, numbers[i]);
        }
        add(text, "\"");
    }
}

/* Behind the milliseconds of a time its frame is found by rounding. */
static void add_time(struct text *text, double seconds)
{
    enum { MINUTE = 60 };
    const uint64_t all = (uint64_t)llround(seconds * 1000);
    const uint64_t minutes = all / 1000 / MINUTE;
    add(text, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64 ".%03" PRIu64, minutes / MINUTE,
        minutes % MINUTE, all / 1000 % MINUTE, all % 1000);
}

static const struct {
    const char *key;
    void (*write)(struct text *text, const struct app_set_event *event);
} written[APP_SET_KINDS] = {
#define APP_SET_EVENT(id, key, write, read) [APP_SET_##id] = {key, write},
#include "app/set/events.def"
};

size_t app_set_event_write(const struct app_set_event *event, const struct app_set_head *head,
                           char to[static APP_SET_LINE])
{
    struct text text = {.to = to};
    add(&text, "  - {at: ");
    add_time(&text, app_set_seconds(head, event->frame));
    if (event->after > 0) {
        add(&text, ", after: %u", event->after);
    }
    if (event->bar > 0) {
        add(&text, ", bar: %.2f", event->bar);
    }
    add(&text, ", %s: ", written[event->kind].key);
    written[event->kind].write(&text, event);
    add(&text, "}\n");
    return text.full ? 0 : text.used;
}

static const char *const levels_words[] = {"fft", "fir", "board"};

size_t app_set_head_write(const struct app_set_head *head, char to[static APP_SET_LINE])
{
    const struct froth_config *config = &head->config;
    struct text text = {.to = to};
    add(&text,
        "# What froth showed, as a cue sheet: a line for each thing that changed it, in their "
        "order.\n"
        "# Lines may be taken out, moved to another time, or changed; `froth render` of this "
        "folder\n"
        "# makes the pictures, `froth set check` says what is wrong (docs/set.md).\n"
        "froth-set: %d\nfroth: ",
        VERSION);
    add_quoted(&text, base_span_of(head->froth));
    if (head->begun[0] != '\0') {
        add(&text, "\nbegun: ");
        add_quoted(&text, base_span_of(head->begun));
    }
    add(&text, "\nsize: %dx%d\nfps: %" PRIu32 "/%" PRIu32 "\n", config->width, config->height,
        config->fps_numerator, config->fps_denominator);
    add(&text, "step-rate: ");
    add_number(&text, config->step_rate);
    add(&text, "\nbetween: %s\nmesh: %dx%d\nseed: %" PRIu64 "\nlevels: %s\nshaders: %d\n",
        config->between != 0 ? "blend" : "newest", config->mesh_width, config->mesh_height,
        config->seed, levels_words[config->levels], config->shader_pixels);
    add(&text, "memory: %zu\ncost: %" PRId64 "\nspeed: ", config->memory, head->cost);
    add_number(&text, head->speed);
    add(&text, "\nadvance: ");
    add_number(&text, config->advance);
    add(&text, "\nblend: ");
    add_number(&text, config->blend);
    add(&text, "\nrandom: %s\n", config->random != 0 ? "true" : "false");
    if (head->transition[0] != '\0') {
        add(&text, "transition: %s\n", head->transition);
    }
    add(&text, "first: %" PRIu64 "\nevents:\n", head->first);
    return text.full ? 0 : text.used;
}

/* ---- read ---- */

struct reading {
    struct app_set_events *events;
    struct base_form form;
    const struct base_diag_sink *sink; /* with the lines of the file */
    const char *file;
    size_t capacity;
};

/* Messages about a part of the file, with the lines of the whole. */
struct shifted {
    const struct base_diag_sink *sink;
    uint32_t lines;
};

static void shift(void *user, const struct base_diag *diag)
{
    const struct shifted *shifted = user;
    struct base_diag moved = *diag;
    moved.place.line += moved.place.line > 0 ? shifted->lines : 0;
    if (shifted->sink != NULL) {
        shifted->sink->receive(shifted->sink->user, &moved);
    }
}

static bool keep(struct reading *reading, struct base_span *to, struct base_span from)
{
    char *copy = base_arena_text(&reading->events->arena, from.data, from.size);
    *to = (struct base_span){copy, from.size};
    return copy != NULL;
}

static bool refuse(struct reading *reading, const struct base_yaml *node, const char *hint,
                   const char *what)
{
    base_form_fail(&reading->form, node, hint, what);
    return false;
}

static bool read_whole(const struct base_yaml *node, uint64_t *value)
{
    char digits[24];
    char *end = NULL;
    if (node == NULL || node->kind != BASE_YAML_SCALAR || node->text.size == 0 ||
        node->text.size >= sizeof digits) {
        return false;
    }
    memcpy(digits, node->text.data, node->text.size);
    digits[node->text.size] = '\0';
    *value = strtoull(digits, &end, 10);
    return strspn(digits, "0123456789") == node->text.size && *end == '\0';
}

/* Two whole numbers with a letter between. */
static bool read_pair(const struct base_yaml *node, char between, long low, long high, int pair[2])
{
    char text[32];
    char *end = NULL;
    if (node == NULL || node->kind != BASE_YAML_SCALAR || node->text.size >= sizeof text) {
        return false;
    }
    memcpy(text, node->text.data, node->text.size);
    text[node->text.size] = '\0';
    const long first = strtol(text, &end, 10);
    if (end == text || *end != between) {
        return false;
    }
    char *second_at = end + 1;
    const long second = strtol(second_at, &end, 10);
    pair[0] = (int)first;
    pair[1] = (int)second;
    return end != second_at && *end == '\0' && first >= low && first <= high && second >= low &&
           second <= high;
}

static bool is_text(const struct base_yaml *node, size_t most)
{
    return node != NULL && node->kind == BASE_YAML_SCALAR && node->text.size <= most &&
           (node->text.size == 0 || memchr(node->text.data, '\0', node->text.size) == NULL);
}

static bool read_command(struct reading *reading, const struct base_yaml *node,
                         struct app_set_event *event)
{
    struct engine_call call;
    const struct base_place place = {reading->file, node->line, node->column + node->quoted};
    if (!is_text(node, ENGINE_CALL_TEXT + 64)) {
        return refuse(reading, node, "do: \"next\"", "do is a command of the show");
    }
    if (engine_call_parse(&call, &engine_vocabulary, node->text, place, reading->form.sink) != 0) {
        reading->form.errors++;
        return false;
    }
    return keep(reading, &event->text, node->text);
}

static bool leads_up(struct base_span path)
{
    for (size_t i = 0; i + 1 < path.size; i++) {
        if (path.data[i] == '.' && path.data[i + 1] == '.') {
            return true;
        }
    }
    return false;
}

/* A file below the set's folder, and nowhere else. */
static bool read_file(struct reading *reading, const struct base_yaml *node,
                      struct app_set_event *event)
{
    if (!is_text(node, APP_SET_NAME) || node->text.size == 0 || node->text.data[0] == '/' ||
        leads_up(node->text)) {
        return refuse(reading, node, "such as presets/NAME.milk",
                      "this is the name of a file in the set's folder");
    }
    return keep(reading, &event->text, node->text);
}

static bool read_moment(const struct base_yaml *node, struct rend_moment *moment)
{
    char text[APP_SET_LINE];
    double numbers[MOMENT];
    char *at = text;
    if (!is_text(node, sizeof text - 1)) {
        return false;
    }
    memcpy(text, node->text.data, node->text.size);
    text[node->text.size] = '\0';
    for (size_t i = 0; i < MOMENT; i++) {
        char *end = NULL;
        numbers[i] = strtod(at, &end);
        if (end == at || !isfinite(numbers[i])) {
            return false;
        }
        at = end;
    }
    memcpy(moment, numbers, sizeof numbers);
    return at[strspn(at, " ")] == '\0';
}

static bool read_transition(struct reading *reading, const struct base_yaml *map,
                            struct app_set_event *event)
{
    const struct base_yaml *node = base_form_child(map, "transition");
    char name[32] = "";
    struct engine_changes changes = {.transition = REND_TRANSITIONS};
    if (node == NULL) {
        return true;
    }
    if (is_text(node, sizeof name - 1)) {
        memcpy(name, node->text.data, node->text.size);
        name[node->text.size] = '\0';
    }
    if (!engine_changes_set(&changes, name) || changes.random) {
        char hint[120];
        engine_changes_hint(name, hint, sizeof hint);
        return refuse(reading, node, hint, "there is no such transition");
    }
    event->change.seconds = changes.cut ? 0 : event->change.seconds;
    event->change.transition = changes.cut ? event->change.transition : changes.transition;
    return true;
}

static bool read_preset(struct reading *reading, const struct base_yaml *node,
                        struct app_set_event *event, const struct base_yaml *map)
{
    static const double longest = 1e9;
    const struct base_yaml *name = base_form_child(map, "name");
    const struct base_yaml *path = base_form_child(map, "path");
    const struct base_yaml *chance = base_form_child(map, "chance");
    const struct base_yaml *begins = base_form_child(map, "begins");
    struct base_form *form = &reading->form;
    event->change.seconds = base_form_number(form, map, "blend", 0, longest, 0, false);
    event->change.planned = base_form_number(form, map, "planned", 0, longest, 0, false);
    event->seconds = base_form_number(form, map, "shown", 0, longest, -1, false);
    event->again = base_form_truth(form, map, "again", false);
    if (!read_file(reading, node, event) || !read_transition(reading, map, event)) {
        return false;
    }
    if (chance != NULL && !read_whole(chance, &event->change.seed)) {
        return refuse(reading, chance, NULL, "chance is a whole number");
    }
    if (begins != NULL && !read_moment(begins, &event->moment)) {
        return refuse(reading, begins, "it may be left out", "this is no moment of a show");
    }
    event->begins = begins != NULL;
    if ((name != NULL && !is_text(name, APP_SET_NAME)) || (path != NULL && !is_text(path, 4096))) {
        return refuse(reading, name != NULL ? name : path, NULL, "this is no text");
    }
    return keep(reading, &event->name, name != NULL ? name->text : base_span_of("")) &&
           keep(reading, &event->path, path != NULL ? path->text : base_span_of(""));
}

static bool read_shaders(struct reading *reading, const struct base_yaml *node,
                         struct app_set_event *event)
{
    return read_pair(node, 'x', 1, REND_DIVISOR_MAX, event->shaders) ||
           refuse(reading, node, "1x1 to 4x4: sides of a pixel of the two shaders",
                  "shaders are two numbers");
}

static bool read_number(struct reading *reading, const struct base_yaml *node,
                        struct app_set_event *event)
{
    static const double latest = 1e9;
    return (base_yaml_number(node, &event->seconds) && event->seconds >= 0 &&
            event->seconds <= latest) ||
           refuse(reading, node, NULL, "this is a time of the show in seconds");
}

static bool read_anew(struct reading *reading, const struct base_yaml *node,
                      struct app_set_event *event)
{
    (void)event;
    return (is_text(node, 8) && base_span_equal(node->text, base_span_of("anew"))) ||
           refuse(reading, node, NULL, "the word here is anew");
}

/* NAME=NUMBER, divided by blanks. */
static bool read_pairs(struct reading *reading, const struct base_yaml *node,
                       struct app_set_event *event, const char *what)
{
    if (!is_text(node, APP_SET_LINE)) {
        return refuse(reading, node, NULL, what);
    }
    struct base_span rest = node->text;
    for (struct base_span word = base_span_next_word(&rest); word.size > 0;
         word = base_span_next_word(&rest)) {
        const char *equals = memchr(word.data, '=', word.size);
        if (equals == NULL || equals == word.data) {
            return refuse(reading, node, "\"NAME=NUMBER NAME=NUMBER\"", what);
        }
    }
    return keep(reading, &event->text, node->text);
}

static bool read_light(struct reading *reading, const struct base_yaml *node,
                       struct app_set_event *event)
{
    return read_pairs(reading, node, event, "light is channels and their levels");
}

static bool read_controls(struct reading *reading, const struct base_yaml *node,
                          struct app_set_event *event)
{
    return read_pairs(reading, node, event, "controls are variables and their numbers");
}

static bool read_time(const struct base_yaml *node, double *seconds)
{
    char text[40];
    if (!is_text(node, sizeof text - 1) || node->text.size == 0) {
        return false;
    }
    memcpy(text, node->text.data, node->text.size);
    text[node->text.size] = '\0';
    return base_time_read(text, seconds) && *seconds < 1e6;
}

typedef bool plain_reader(struct reading *, const struct base_yaml *, struct app_set_event *);
typedef bool map_reader(struct reading *, const struct base_yaml *, struct app_set_event *,
                        const struct base_yaml *);

static bool read_kind(struct reading *reading, const struct base_yaml *map,
                      struct app_set_event *event)
{
    static const struct {
        const char *key;
        plain_reader *read;
    } rows[APP_SET_KINDS] = {
#define read_preset                         NULL
#define APP_SET_EVENT(id, key, write, read) [APP_SET_##id] = {key, read},
#include "app/set/events.def"
#undef read_preset
    };
    const struct base_yaml *found = NULL;
    for (size_t i = 0; i < APP_SET_KINDS; i++) {
        const struct base_yaml *node = base_form_child(map, rows[i].key);
        if (node != NULL && found != NULL) {
            return refuse(reading, node, "write two lines", "one line is one event");
        }
        if (node != NULL) {
            found = node;
            event->kind = (enum app_set_kind)i;
        }
    }
    if (found == NULL) {
        return refuse(reading, map, "do: \"next\"", "this line says nothing that happens");
    }
    return rows[event->kind].read != NULL ? rows[event->kind].read(reading, found, event)
                                          : read_preset(reading, found, event, map);
}

static bool read_event(struct reading *reading, const struct base_yaml *map, uint32_t lines)
{
    static const char *const keys[] = {"at",         "after",  "bar",   "name",
                                       "transition", "blend",  "again", "shown",
                                       "planned",    "chance", "path",  "begins",
#define APP_SET_EVENT(id, key, write, read) key,
#include "app/set/events.def"
                                       NULL};
    struct app_set_events *events = reading->events;
    const struct app_set_head *head = &events->head;
    const struct base_yaml *at = base_form_child(map, "at");
    struct app_set_event event = {.line = map->line + lines, .column = map->column};
    double seconds = 0;
    if (!base_form_map(&reading->form, map, "an event", keys)) {
        return false;
    }
    if (at == NULL || !read_time(at, &seconds)) {
        return refuse(reading, at != NULL ? at : map, "at: 0:01:12.350",
                      "each event says at which time of the set it comes");
    }
    event.frame = head->first + 1 + (uint64_t)llround(seconds * app_set_rate(&head->config));
    event.after = (unsigned)base_form_number(&reading->form, map, "after", 0, 1000, 0, true);
    event.bar = base_form_number(&reading->form, map, "bar", 0, 1e12, 0, false);
    if (!read_kind(reading, map, &event)) {
        return false;
    }
    events->items = base_arena_grow_room(&events->arena, events->items, &reading->capacity,
                                         events->count + 1, sizeof event);
    if (events->items == NULL) {
        events->count = 0;
        return refuse(reading, map, NULL, "not enough memory");
    }
    events->moved = events->moved ||
                    (events->count > 0 && events->items[events->count - 1].frame > event.frame);
    events->items[events->count++] = event;
    return true;
}

static void read_config(struct reading *reading, const struct base_yaml *map)
{
    static const double large = 1e15;
    struct app_set_head *head = &reading->events->head;
    struct froth_config *config = &head->config;
    struct base_form *form = &reading->form;
    const struct base_yaml *size = base_form_child(map, "size");
    const struct base_yaml *fps = base_form_child(map, "fps");
    const struct base_yaml *mesh = base_form_child(map, "mesh");
    const struct base_yaml *seed = base_form_child(map, "seed");
    const struct base_yaml *levels = base_form_child(map, "levels");
    const struct base_yaml *between = base_form_child(map, "between");
    int pair[2] = {0, 0};
    if (!read_pair(size, 'x', 16, 8192, pair)) {
        (void)refuse(reading, size != NULL ? size : map, "size: 1280x720", "the set has no size");
    }
    config->width = pair[0];
    config->height = pair[1];
    if (!read_pair(fps, '/', 1, 1000000, pair) || pair[1] > 1001 || pair[0] < pair[1] ||
        pair[0] / pair[1] > 1000) {
        (void)refuse(reading, fps != NULL ? fps : map, "fps: 60/1", "the set has no frame rate");
        pair[0] = pair[1] = 1;
    }
    config->fps_numerator = (uint32_t)pair[0];
    config->fps_denominator = (uint32_t)pair[1];
    if (mesh != NULL && (!read_pair(mesh, 'x', 2, 192, pair) || pair[1] > 144)) {
        (void)refuse(reading, mesh, "mesh: 48x36", "this is no mesh");
    } else if (mesh != NULL) {
        config->mesh_width = pair[0];
        config->mesh_height = pair[1];
    }
    if (seed != NULL && !read_whole(seed, &config->seed)) {
        (void)refuse(reading, seed, NULL, "seed is a whole number");
    }
    for (int i = 0; levels != NULL && i < 3; i++) {
        if (is_text(levels, 8) && base_span_equal(levels->text, base_span_of(levels_words[i]))) {
            config->levels = i;
        }
    }
    config->between = between != NULL && is_text(between, 8) &&
                      base_span_equal(between->text, base_span_of("blend"));
    config->step_rate = base_form_number(form, map, "step-rate", 0, 240, 0, false);
    config->shader_pixels =
        (int)base_form_number(form, map, "shaders", 1, REND_DIVISOR_MAX, 1, true);
    config->memory = (size_t)base_form_number(form, map, "memory", 0, large, 0, true);
    config->memory = config->memory >= 1 << 20 ? config->memory : 0;
    config->advance = base_form_number(form, map, "advance", 0, 1e6, 0, false);
    config->blend = base_form_number(form, map, "blend", 0, 60, 2.7, false);
    config->random = base_form_truth(form, map, "random", false);
    config->step_rate = config->step_rate >= 10 ? config->step_rate : 0;
    head->cost = (int64_t)base_form_number(form, map, "cost", 0, large, 0, true);
    head->speed = base_form_number(form, map, "speed", 0.001, 1000, 1, false);
    head->first = (uint64_t)base_form_number(form, map, "first", 0, 1e9, 0, true);
}

static bool read_head(struct reading *reading, struct base_span text)
{
    static const char *const keys[] = {
        "froth-set", "froth", "begun",  "size",       "fps",    "step-rate", "between",
        "mesh",      "seed",  "levels", "shaders",    "memory", "cost",      "speed",
        "advance",   "blend", "random", "transition", "first",  "events",    NULL};
    struct app_set_events *events = reading->events;
    struct app_set_head *head = &events->head;
    const struct base_yaml *map =
        base_yaml_read(&events->arena, reading->file, text, reading->form.sink);
    if (map == NULL || !base_form_map(&reading->form, map, "a set", keys)) {
        return false;
    }
    (void)froth_config_begin(&head->config, sizeof head->config);
    if (base_form_number(&reading->form, map, "froth-set", 1, 1e6, 0, true) != VERSION) {
        return refuse(reading, map, "froth-set: 1 stands at its beginning",
                      "this is no set that this version of froth reads");
    }
    (void)base_form_text(&reading->form, map, "froth", head->froth, sizeof head->froth);
    (void)base_form_text(&reading->form, map, "begun", head->begun, sizeof head->begun);
    (void)base_form_text(&reading->form, map, "transition", head->transition,
                         sizeof head->transition);
    read_config(reading, map);
    return reading->form.errors == 0;
}

/* ---- the file in parts ---- */

/* Takes a line with its end; false: none is left. */
static bool next_line(struct base_span *rest, struct base_span *line)
{
    const char *end = rest->size > 0 ? memchr(rest->data, '\n', rest->size) : NULL;
    const size_t size = end != NULL ? (size_t)(end - rest->data) + 1 : rest->size;
    *line = (struct base_span){rest->data, size};
    rest->data += size;
    rest->size -= size;
    return size > 0;
}

static bool begins(struct base_span line, const char *with)
{
    const size_t size = strlen(with);
    return line.size >= size && memcmp(line.data, with, size) == 0;
}

/* How far a line that begins an item is set in; 0 for another line, else one more. */
static size_t item_depth(struct base_span line)
{
    size_t blanks = 0;
    while (blanks < line.size && line.data[blanks] == ' ') {
        blanks++;
    }
    return blanks + 1 < line.size && line.data[blanks] == '-' && line.data[blanks + 1] == ' '
               ? blanks + 1
               : 0;
}

static bool read_part(struct reading *reading, struct base_span part, uint32_t lines)
{
    struct shifted shifted = {reading->sink, lines};
    const struct base_diag_sink sink = {shift, &shifted};
    struct base_arena arena;
    base_arena_init(&arena, ARENA);
    reading->form.sink = &sink;
    const struct base_yaml *list = base_yaml_read(&arena, reading->file, part, &sink);
    bool good = list != NULL;
    const struct base_yaml *item = good && list->kind == BASE_YAML_LIST ? list->first : NULL;
    for (; item != NULL; item = item->next) {
        good = read_event(reading, item, lines) && good;
    }
    base_arena_free(&arena);
    return good;
}

static bool read_items(struct reading *reading, struct base_span rest, uint32_t lines)
{
    struct base_span part = {rest.data, 0};
    struct base_span line;
    uint32_t part_lines = 0;
    size_t items = 0;
    size_t depth = 0;
    bool good = true;
    while (next_line(&rest, &line)) {
        const size_t here = item_depth(line);
        depth = depth == 0 ? here : depth;
        if (here > 0 && here == depth && ++items > CHUNK) {
            good = read_part(reading, part, lines) && good;
            lines += part_lines;
            part = (struct base_span){line.data, 0};
            part_lines = 0;
            items = 1;
        }
        part.size += line.size;
        part_lines++;
    }
    return read_part(reading, part, lines) && good;
}

static int by_frame(const void *a, const void *b)
{
    const struct app_set_event *left = a;
    const struct app_set_event *right = b;
    const int order = (left->frame > right->frame) - (left->frame < right->frame);
    return order != 0 ? order : (left->line > right->line) - (left->line < right->line);
}

int app_set_events_read(struct app_set_events *events, const char *file, struct base_span text,
                        const struct base_diag_sink *sink)
{
    struct reading reading = {
        .events = events, .form = {file, sink, 0}, .sink = sink, .file = file};
    struct base_span rest = text;
    struct base_span line;
    uint32_t lines = 0;
    bool found = false;
    base_arena_init(&events->arena, ARENA);
    /* A power cut may have left a part of the last line. */
    while (rest.size > 0 && rest.data[rest.size - 1] != '\n') {
        rest.size--;
    }
    const struct base_span whole = rest;
    while (!found && next_line(&rest, &line)) {
        lines++;
        found = begins(line, "events:");
    }
    const struct base_span head = {whole.data, (size_t)(rest.data - whole.data)};
    if (!found) {
        base_report(sink, BASE_ERROR, (struct base_place){file, 1, 1},
                    "it has froth-set: 1 at its beginning", "this is no set: it has no events");
        return -1;
    }
    if (!read_head(&reading, head)) {
        return -1;
    }
    const bool good = rest.size == 0 || read_items(&reading, rest, lines);
    if (events->count > 1) {
        qsort(events->items, events->count, sizeof *events->items, by_frame);
    }
    return good && reading.form.errors == 0 ? 0 : -1;
}

void app_set_events_free(struct app_set_events *events)
{
    base_arena_free(&events->arena);
    *events = (struct app_set_events){.count = 0};
}
