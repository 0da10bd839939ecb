#include "base/os/yaml.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* A list or map that is still open. */
struct level {
    struct base_yaml *node;
    struct base_yaml *last; /* child */
    size_t children;
    bool keyed; /* the key of the next child has been read */
    struct base_span key;
    yaml_mark_t key_mark;
};

struct reader {
    struct base_arena *arena;
    const char *file;
    const struct base_diag_sink *sink;
    yaml_parser_t parser;
    struct level levels[BASE_YAML_DEPTH];
    size_t depth;
    size_t nodes;
    struct base_yaml *root;
    bool ended;
};

static uint32_t from_one(size_t counted_from_zero)
{
    return counted_from_zero < UINT32_MAX ? (uint32_t)counted_from_zero + 1 : UINT32_MAX;
}

static bool refuse(const struct reader *reader, yaml_mark_t mark, const char *hint,
                   const char *what)
{
    const struct base_place place = {reader->file, from_one(mark.line), from_one(mark.column)};
    base_report(reader->sink, BASE_ERROR, place, hint, "%s", what);
    errno = EINVAL;
    return false;
}

static bool refuse_memory(const struct reader *reader)
{
    base_report(reader->sink, BASE_ERROR, (struct base_place){reader->file, 0, 0}, NULL,
                "no memory for the document");
    errno = ENOMEM;
    return false;
}

/* Where a byte that is no text stands: the library knows its offset only. */
static yaml_mark_t mark_of(struct base_span text, size_t offset)
{
    yaml_mark_t mark = {.index = offset};
    for (size_t i = 0; i < offset && i < text.size; i++) {
        mark.column = text.data[i] == '\n' ? 0 : mark.column + 1;
        mark.line += text.data[i] == '\n';
    }
    return mark;
}

static bool copy_scalar(struct reader *reader, const yaml_event_t *event, struct base_span *span)
{
    const char *text = base_arena_text(reader->arena, (const char *)event->data.scalar.value,
                                       event->data.scalar.length);
    *span = (struct base_span){text, event->data.scalar.length};
    return text != NULL || refuse_memory(reader);
}

static struct base_yaml *add_node(struct reader *reader, enum base_yaml_kind kind,
                                  const yaml_event_t *event)
{
    if (++reader->nodes > BASE_YAML_NODES) {
        (void)refuse(reader, event->start_mark, NULL, "the document has too many values");
        return NULL;
    }
    struct base_yaml *node = base_arena_alloc(reader->arena, sizeof *node);
    if (node == NULL) {
        (void)refuse_memory(reader);
        return NULL;
    }
    node->kind = kind;
    node->line = from_one(event->start_mark.line);
    node->column = from_one(event->start_mark.column);
    if (reader->depth == 0) {
        reader->root = node;
        return node;
    }
    struct level *level = &reader->levels[reader->depth - 1];
    if (level->last == NULL) {
        level->node->first = node;
    } else {
        level->last->next = node;
    }
    level->last = node;
    level->children++;
    if (level->node->kind == BASE_YAML_MAP) {
        node->key = level->key;
        node->key_line = from_one(level->key_mark.line);
        node->key_column = from_one(level->key_mark.column);
    }
    level->keyed = false;
    return node;
}

static bool expects_key(const struct reader *reader)
{
    const struct level *level = reader->depth > 0 ? &reader->levels[reader->depth - 1] : NULL;
    return level != NULL && level->node->kind == BASE_YAML_MAP && !level->keyed;
}

static bool open_level(struct reader *reader, enum base_yaml_kind kind, const yaml_event_t *event)
{
    if (expects_key(reader)) {
        return refuse(reader, event->start_mark, NULL, "a key must be a word");
    }
    if (reader->depth == BASE_YAML_DEPTH) {
        return refuse(reader, event->start_mark, NULL, "lists and maps are nested too deeply");
    }
    struct base_yaml *node = add_node(reader, kind, event);
    if (node == NULL) {
        return false;
    }
    reader->levels[reader->depth++] = (struct level){.node = node};
    return true;
}

static int compare_keys(const void *left, const void *right)
{
    const struct base_yaml *a = *(const struct base_yaml *const *)left;
    const struct base_yaml *b = *(const struct base_yaml *const *)right;
    const size_t shorter = a->key.size < b->key.size ? a->key.size : b->key.size;
    const int order = memcmp(a->key.data, b->key.data, shorter);
    if (order != 0 || a->key.size != b->key.size) {
        return order != 0 ? order : (a->key.size > b->key.size) - (a->key.size < b->key.size);
    }
    return a->key_line != b->key_line
               ? (a->key_line > b->key_line) - (a->key_line < b->key_line)
               : (a->key_column > b->key_column) - (a->key_column < b->key_column);
}

/* Finds a key that stands twice, by sorting, so that a map of many keys costs little. */
static bool check_keys(struct reader *reader, const struct level *level)
{
    if (level->node->kind != BASE_YAML_MAP || level->children < 2) {
        return true;
    }
    const struct base_yaml **sorted =
        base_arena_array(reader->arena, level->children, sizeof *sorted);
    if (sorted == NULL) {
        return refuse_memory(reader);
    }
    size_t count = 0;
    for (const struct base_yaml *node = level->node->first; node != NULL; node = node->next) {
        sorted[count++] = node;
    }
    qsort(sorted, count, sizeof *sorted, compare_keys);
    for (size_t i = 1; i < count; i++) {
        if (base_span_equal(sorted[i - 1]->key, sorted[i]->key)) {
            const struct base_yaml *again = sorted[i];
            char hint[64];
            (void)snprintf(hint, sizeof hint, "the first one stands in line %u",
                           (unsigned)sorted[i - 1]->key_line);
            base_report(reader->sink, BASE_ERROR,
                        (struct base_place){reader->file, again->key_line, again->key_column}, hint,
                        "'%.60s' stands twice in this map", again->key.data);
            errno = EINVAL;
            return false;
        }
    }
    return true;
}

static bool take_event(struct reader *reader, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT: {
        if (expects_key(reader)) {
            struct level *level = &reader->levels[reader->depth - 1];
            level->keyed = true;
            level->key_mark = event->start_mark;
            return copy_scalar(reader, event, &level->key);
        }
        struct base_yaml *node = add_node(reader, BASE_YAML_SCALAR, event);
        if (node == NULL) {
            return false;
        }
        node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        return copy_scalar(reader, event, &node->text);
    }
    case YAML_SEQUENCE_START_EVENT:
        return open_level(reader, BASE_YAML_LIST, event);
    case YAML_MAPPING_START_EVENT:
        return open_level(reader, BASE_YAML_MAP, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return check_keys(reader, &reader->levels[--reader->depth]);
    case YAML_ALIAS_EVENT:
        return refuse(reader, event->start_mark, "write the value itself",
                      "aliases are not supported");
    case YAML_DOCUMENT_START_EVENT:
        return reader->root == NULL ||
               refuse(reader, event->start_mark, NULL, "a file may hold one document only");
    case YAML_STREAM_END_EVENT:
        reader->ended = true;
        return true;
    default:
        return true;
    }
}

static bool read_events(struct reader *reader, struct base_span text)
{
    const yaml_parser_t *parser = &reader->parser;
    yaml_event_t event;
    while (!reader->ended && yaml_parser_parse(&reader->parser, &event)) {
        const bool taken = take_event(reader, &event);
        yaml_event_delete(&event);
        if (!taken) {
            return false;
        }
    }
    if (reader->ended) {
        return true;
    }
    if (parser->error == YAML_MEMORY_ERROR) {
        return refuse_memory(reader);
    }
    const char *problem = parser->problem != NULL ? parser->problem : "not YAML";
    if (parser->error == YAML_READER_ERROR) {
        return refuse(reader, mark_of(text, parser->problem_offset), "the text must be UTF-8",
                      problem);
    }
    char hint[128];
    if (parser->context == NULL) {
        return refuse(reader, parser->problem_mark, NULL, problem);
    }
    (void)snprintf(hint, sizeof hint, "%s that begins in line %u", parser->context,
                   (unsigned)from_one(parser->context_mark.line));
    return refuse(reader, parser->problem_mark, hint, problem);
}

const struct base_yaml *base_yaml_read(struct base_arena *arena, const char *file,
                                       struct base_span text, const struct base_diag_sink *sink)
{
    struct reader reader = {.arena = arena, .file = file, .sink = sink};
    if (text.size > BASE_YAML_TEXT) {
        base_report(sink, BASE_ERROR, (struct base_place){file, 0, 0}, NULL,
                    "the file is larger than %d MB", BASE_YAML_TEXT / (1024 * 1024));
        errno = EINVAL;
        return NULL;
    }
    /* The library compares each directive with all before it, and gives no event for them. The last
     * bytes of YAML's line breaks are these; those of other letters among them do no harm here. */
    static const char ends[] = {'\n', '\r', '\x85', '\xA8', '\xA9'};
    size_t directives = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '%' &&
            (i == 0 || memchr(ends, text.data[i - 1], sizeof ends) != NULL) &&
            ++directives > BASE_YAML_DIRECTIVES) {
            (void)refuse(&reader, mark_of(text, i), NULL, "too many lines begin with %");
            return NULL;
        }
    }
    if (!yaml_parser_initialize(&reader.parser)) {
        (void)refuse_memory(&reader);
        return NULL;
    }
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    const char *data = text.size > 0 ? text.data : ""; /* the library asserts that there is one */
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)data, text.size);
    const bool read = read_events(&reader, text);
    yaml_parser_delete(&reader.parser);
    if (!read || reader.root != NULL) {
        return read ? reader.root : NULL;
    }
    struct base_yaml *empty = base_arena_alloc(arena, sizeof *empty);
    if (empty == NULL) {
        (void)refuse_memory(&reader);
        return NULL;
    }
    *empty = (struct base_yaml){.kind = BASE_YAML_MAP, .line = 1, .column = 1};
    return empty;
}

const struct base_yaml *base_yaml_get(const struct base_yaml *map, const char *key)
{
    assert(map->kind == BASE_YAML_MAP);
    const struct base_span wanted = base_span_of(key);
    for (const struct base_yaml *node = map->first; node != NULL; node = node->next) {
        if (base_span_equal(node->key, wanted)) {
            return node;
        }
    }
    return NULL;
}

static bool is_plain(const struct base_yaml *node)
{
    return node->kind == BASE_YAML_SCALAR && !node->quoted && node->text.size > 0;
}

static bool read_digits(const char *text, unsigned base, uint64_t *value)
{
    *value = 0;
    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        const char small = (char)(*text | 0x20); /* of a letter */
        const unsigned digit = *text >= '0' && *text <= '9'   ? (unsigned)(*text - '0')
                               : small >= 'a' && small <= 'f' ? (unsigned)(small - 'a') + 10
                                                              : 16;
        if (digit >= base || *value > ((uint64_t)INT64_MAX - digit) / base) {
            return false;
        }
        *value = *value * base + digit;
    }
    return true;
}

bool base_yaml_integer(const struct base_yaml *node, int64_t *value)
{
    if (!is_plain(node) || strlen(node->text.data) != node->text.size) {
        return false;
    }
    const char *text = node->text.data;
    uint64_t size = 0;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'o')) {
        const bool read = read_digits(text + 2, text[1] == 'x' ? 16 : 8, &size);
        *value = (int64_t)size;
        return read;
    }
    const bool negative = text[0] == '-';
    if (!read_digits(text + (negative || text[0] == '+'), 10, &size)) {
        return false;
    }
    *value = negative ? -(int64_t)size : (int64_t)size;
    return true;
}

static const char *skip_digits(const char *text)
{
    while (*text >= '0' && *text <= '9') {
        text++;
    }
    return text;
}

/* [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )? */
static bool is_number(const char *text)
{
    text += *text == '-' || *text == '+';
    const char *whole = text;
    text = skip_digits(text);
    size_t digits = (size_t)(text - whole);
    if (*text == '.') {
        const char *part = ++text;
        text = skip_digits(text);
        digits += (size_t)(text - part);
    }
    if (digits == 0) {
        return false;
    }
    if (*text == 'e' || *text == 'E') {
        text++;
        text += *text == '-' || *text == '+';
        const char *exponent = text;
        text = skip_digits(text);
        if (text == exponent) {
            return false;
        }
    }
    return *text == '\0';
}

/* .inf and .nan, each in three spellings. */
static bool read_special(struct base_span text, double *value)
{
    static const char *const words[] = {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"};
    const bool negative = text.data[0] == '-';
    const size_t sign = negative || text.data[0] == '+' ? 1 : 0;
    const struct base_span word = {text.data + sign, text.size - sign};
    for (size_t i = 0; i < 6; i++) {
        if (base_span_equal(word, base_span_of(words[i])) && (i < 3 || sign == 0)) {
            *value = i >= 3 ? NAN : negative ? -INFINITY : INFINITY;
            return true;
        }
    }
    return false;
}

bool base_yaml_number(const struct base_yaml *node, double *value)
{
    int64_t integer = 0;
    if (base_yaml_integer(node, &integer)) {
        *value = (double)integer;
        return true;
    }
    if (!is_plain(node) || strlen(node->text.data) != node->text.size) {
        return false;
    }
    if (!is_number(node->text.data)) {
        return read_special(node->text, value);
    }
    *value = strtod(node->text.data, NULL);
    return true;
}

bool base_yaml_truth(const struct base_yaml *node, bool *value)
{
    static const char *const words[2][3] = {{"false", "False", "FALSE"}, {"true", "True", "TRUE"}};
    for (size_t i = 0; i < 6 && is_plain(node); i++) {
        if (base_span_equal(node->text, base_span_of(words[i / 3][i % 3]))) {
            *value = i / 3 != 0;
            return true;
        }
    }
    return false;
}
