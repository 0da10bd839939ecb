#include "base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool base_span_equal_nocase(struct base_span a, struct base_span b)
{
    if (a.size != b.size) {
        return false;
    }
    for (size_t i = 0; i < a.size; i++) {
        if (lower(a.data[i]) != lower(b.data[i])) {
            return false;
        }
    }
    return true;
}

struct base_span base_span_next_word(struct base_span *text)
{
    while (text->size > 0 && text->data[0] == ' ') {
        text->data++;
        text->size--;
    }
    struct base_span word = {text->data, 0};
    while (word.size < text->size && word.data[word.size] != ' ') {
        word.size++;
    }
    text->data += word.size;
    text->size -= word.size;
    return word;
}

struct lead {
    uint8_t mask;
    uint8_t bits;
    uint8_t size;   /* bytes in all */
    uint32_t least; /* smaller values would be overlong */
};

static const struct lead leads[] = {
    {0x80, 0x00, 1, 0}, {0xE0, 0xC0, 2, 0x80}, {0xF0, 0xE0, 3, 0x800}, {0xF8, 0xF0, 4, 0x10000}};

uint32_t base_utf8_next(struct base_span *text)
{
    assert(text->size > 0);
    const uint8_t *bytes = (const uint8_t *)text->data;
    const struct lead *lead = NULL;
    for (size_t i = 0; i < sizeof leads / sizeof leads[0] && lead == NULL; i++) {
        lead = (bytes[0] & leads[i].mask) == leads[i].bits ? &leads[i] : NULL;
    }
    bool valid = lead != NULL && lead->size <= text->size;
    uint32_t code = valid ? (uint32_t)(bytes[0] & ~lead->mask) : 0;
    for (size_t i = 1; valid && i < lead->size; i++) {
        valid = (bytes[i] & 0xC0) == 0x80;
        code = code << 6 | (bytes[i] & 0x3F);
    }
    valid = valid && code >= lead->least && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    const size_t size = valid ? lead->size : 1;
    text->data += size;
    text->size -= size;
    return valid ? code : BASE_UTF8_REPLACEMENT;
}

enum { WORD_MAX = 31, CHANGES_MAX = 3 };

size_t base_distance(const char *a, const char *b)
{
    const size_t length_a = strlen(a);
    const size_t length_b = strlen(b);
    if (length_a > WORD_MAX || length_b > WORD_MAX) {
        return length_a + length_b;
    }
    size_t rows[3][WORD_MAX + 1]; /* the newest of Levenshtein's table, in turns */
    for (size_t j = 0; j <= length_b; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= length_a; i++) {
        const size_t *before = rows[(i + 1) % 3];
        const size_t *above = rows[(i + 2) % 3];
        size_t *row = rows[i % 3];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            const size_t changed = above[j - 1] + (a[i - 1] != b[j - 1]);
            const size_t longer = (above[j] < row[j - 1] ? above[j] : row[j - 1]) + 1;
            row[j] = changed < longer ? changed : longer;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < row[j]) {
                row[j] = before[j - 2] + 1;
            }
        }
    }
    return rows[length_a % 3][length_b];
}

void base_closest_try(struct base_closest *closest, const char *word, const char *name)
{
    const size_t changes = base_distance(word, name);
    if (changes <= CHANGES_MAX && changes < strlen(name) &&
        (closest->name == NULL || changes < closest->changes)) {
        *closest = (struct base_closest){name, changes};
    }
}

void base_closest_hint(const struct base_closest *closest, const char *else_hint, char *text,
                       size_t size)
{
    if (closest->name != NULL) {
        (void)snprintf(text, size, "did you mean %s?", closest->name);
    } else {
        (void)snprintf(text, size, "%s", else_hint);
    }
}

const char *base_severity_name(enum base_severity severity)
{
    static const char *const names[BASE_SEVERITY_COUNT] = {[BASE_DEBUG] = "debug",
                                                           [BASE_NOTE] = "note",
                                                           [BASE_WARNING] = "warning",
                                                           [BASE_ERROR] = "error"};
    assert(severity < BASE_SEVERITY_COUNT);
    return names[severity];
}

void base_report(const struct base_diag_sink *sink, enum base_severity severity,
                 struct base_place place, const char *hint, const char *format, ...)
{
    if (sink == NULL || sink->receive == NULL) {
        return;
    }
    struct base_diag diag = {.severity = severity, .place = place};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(diag.what, sizeof diag.what, format, arguments);
    va_end(arguments);
    if (hint != NULL) {
        (void)snprintf(diag.hint, sizeof diag.hint, "%s", hint);
    }
    sink->receive(sink->user, &diag);
}

size_t base_diag_format(const struct base_diag *diag, char *text, size_t size)
{
    assert(size > 0);
    const struct base_place *place = &diag->place;
    int length = 0;
    if (place->file == NULL) {
        length = snprintf(text, size, "froth: ");
    } else if (place->line == 0) {
        length = snprintf(text, size, "%s: ", place->file);
    } else {
        length = snprintf(text, size, "%s:%u:%u: ", place->file, (unsigned)place->line,
                          (unsigned)place->column);
    }
    size_t used = length < 0 ? 0 : (size_t)length;
    if (used >= size) {
        return size - 1;
    }
    const int rest =
        snprintf(text + used, size - used, "%s: %s%s%s", base_severity_name(diag->severity),
                 diag->what, diag->hint[0] != '\0' ? "; " : "", diag->hint);
    used += rest < 0 ? 0 : (size_t)rest;
    return used < size ? used : size - 1;
}

static void list_receive(void *user, const struct base_diag *diag)
{
    struct base_diag_list *list = user;
    list->by_severity[diag->severity]++;
    if (list->count < BASE_DIAG_LIST_MAX) {
        list->items[list->count++] = *diag;
    }
}

struct base_diag_sink base_diag_list_sink(struct base_diag_list *list)
{
    return (struct base_diag_sink){list_receive, list};
}
