#include "presets/file.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/file.h"
#include "presets/milk/lines.h"
#include "presets/milk/preset.h"
#include "presets/presets.h"

static int fail(const char *path, const struct base_diag_sink *sink, const char *what,
                const char *why)
{
    base_report(sink, BASE_ERROR, (struct base_place){path, 0, 0}, NULL, "%s: %s", what, why);
    return -1;
}

int preset_read_file(struct preset *preset, const char *path, const struct base_diag_sink *sink)
{
    size_t size;
    *preset = (struct preset){0};
    /* One byte more than allowed is enough to refuse a file that is too long. */
    char *data = base_file_read(path, PRESET_FILE_MAX + 1, &size, NULL);
    if (data == NULL) {
        return fail(path, sink, errno == EINVAL ? "cannot read" : "cannot open",
                    errno == EINVAL ? "not an ordinary file" : strerror(errno));
    }
    const int result = preset_read(preset, path, data, size, sink);
    free(data);
    return result;
}

/* Writes to a file beside path, which then gets its name. 0, or -1 with a message; what stood at
 * path is then unchanged. */
static int put(const char *path, struct base_span text, enum base_file_way way,
               const struct base_diag_sink *sink)
{
    if (text.size > PRESET_FILE_MAX) {
        return fail(path, sink, "cannot write", "the preset is longer than 1 MB");
    }
    if (base_file_write(path, text.data, text.size, way) != 0) {
        return fail(path, sink, "cannot write", strerror(errno));
    }
    return 0;
}

int preset_write_file(const struct preset *preset, const char *path,
                      const struct base_diag_sink *sink)
{
    size_t size;
    char *text = preset_write(preset, &size);
    if (text == NULL) {
        return fail(path, sink, "cannot write", "not enough memory");
    }
    const int result = put(path, (struct base_span){text, size}, BASE_FILE_OVER, sink);
    free(text);
    return result;
}

/* Blanks kept before a number, so that it stands within the part of a value that is read. */
enum { BLANKS_MAX = 200 };

/* Where a key's line is, or belongs. */
struct site {
    struct preset_line_entry entry; /* of the line that the reader takes; line 0: there is none */
    size_t below;                   /* where a new line begins */
    bool unended;                   /* the line above has no end */
    struct base_span ending;        /* of lines */
};

static struct base_span rest_of(struct base_span text, size_t at)
{
    return (struct base_span){text.data + at, text.size - at};
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* The line's end that stands there, if any. */
static struct base_span ending_at(struct base_span text, size_t at)
{
    const struct base_span rest = rest_of(text, at);
    if (rest.size == 0 || !is_line_end(rest.data[0])) {
        return (struct base_span){rest.data, 0};
    }
    const bool pair = rest.size > 1 && rest.data[0] == '\r' && rest.data[1] == '\n';
    return (struct base_span){rest.data, pair ? 2 : 1};
}

static struct site find_site(struct base_span text, const struct preset_key *key)
{
    const struct base_span name = base_span_of(key->key);
    struct preset_scan scan = {preset_scan_skip_mark(text), 0, 1, 0};
    struct site site = {.below = text.size - scan.data.size, .ending = base_span_of("\n")};
    for (size_t i = 0; i < text.size; i++) {
        if (is_line_end(text.data[i])) {
            site.ending = ending_at(text, i);
            break;
        }
    }
    struct base_span line;
    bool first = false;
    while (preset_scan_line(&scan, &line)) {
        const enum preset_section section = preset_scan_section(line);
        if (first && section == PRESET_SECTION_SECOND) {
            break;
        }
        if (!first && section == PRESET_SECTION_FIRST) {
            const size_t end = (size_t)(line.data - text.data) + line.size;
            const struct base_span ending = ending_at(text, end);
            site.below = end + ending.size;
            site.unended = ending.size == 0;
            site.ending = ending.size == 0 ? site.ending : ending;
            first = true;
        }
        struct preset_line_entry entry;
        if (preset_scan_entry(line, scan.line, &entry) && base_span_equal_nocase(entry.key, name)) {
            entry.exact = base_span_equal(entry.key, name);
            if (site.entry.line == 0 || (entry.exact && !site.entry.exact)) {
                site.entry = entry;
            }
        }
    }
    return site;
}

static char *join(const struct base_span *parts, size_t count, size_t *size)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        total += parts[i].size;
    }
    char *text = total <= PRESET_FILE_MAX ? malloc(total + 1) : NULL;
    if (text == NULL) {
        return NULL;
    }
    *size = total;
    total = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(text + total, parts[i].data, parts[i].size);
        total += parts[i].size;
    }
    text[total] = '\0';
    return text;
}

static char *change_line(struct base_span text, const struct preset_line_entry *entry,
                         struct base_span number, size_t *size)
{
    struct base_span before = {text.data, (size_t)(entry->value.data - text.data)};
    struct base_span value = entry->value;
    struct base_span sign = {"", 0};
    if (entry->blank_before_sign) {
        const char *equals = memchr(value.data, '=', value.size);
        before.size = (size_t)(entry->key.data + entry->key.size - text.data);
        value = rest_of(value, (size_t)(equals - value.data) + 1);
        sign = base_span_of("=");
    }
    size_t blanks = 0;
    while (blanks < value.size && strchr(" \t\v\f", value.data[blanks]) != NULL) {
        blanks++;
    }
    const struct base_span old = rest_of(value, blanks);
    const size_t end = (size_t)(old.data - text.data) + preset_number_size(old);
    const struct base_span after = rest_of(text, end);
    /* A number would take in what follows it here. */
    const bool clings = after.size > 0 && strchr(".0123456789eExX", after.data[0]) != NULL;
    const struct base_span parts[] = {
        before,
        sign,
        {value.data, blanks < BLANKS_MAX ? blanks : BLANKS_MAX},
        number,
        base_span_of(clings ? " " : ""),
        after,
    };
    return join(parts, sizeof parts / sizeof *parts, size);
}

/* The text with the key set to a value, in its own line or in a new one. */
static char *set(struct base_span text, const struct preset_key *key, double value, size_t *size)
{
    char number[PRESET_NUMBER_TEXT];
    if (key->type == PRESET_TYPE_IS_FLOAT) {
        preset_format_float((float)value, number);
    } else {
        (void)snprintf(number, sizeof number, "%.0f", value);
    }
    const struct site site = find_site(text, key);
    if (site.entry.line != 0) {
        return change_line(text, &site.entry, base_span_of(number), size);
    }
    const struct base_span none = {"", 0};
    const struct base_span parts[] = {
        {text.data, site.below},   site.unended ? site.ending : none,
        base_span_of(key->key),    base_span_of("="),
        base_span_of(number),      site.unended ? none : site.ending,
        rest_of(text, site.below),
    };
    return join(parts, sizeof parts / sizeof *parts, size);
}

char *preset_edit_set(struct base_span text, const struct preset_key *key, double value,
                      size_t *size)
{
    struct preset preset;
    assert(key->group == PRESET_GROUP_PRESET);
    if (isnan(value) || preset_read(&preset, "", text.data, text.size, NULL) != 0) {
        return NULL;
    }
    const double alpha = (double)preset.mv_a;
    const bool board = preset.language == PRESET_LANGUAGE_BOARD;
    preset_free(&preset);
    if (board) {
        return NULL;
    }
    char *changed = set(text, key, preset_key_limit(key, value), size);
    if (key != &preset_keys[PRESET_KEY_motion_vectors_on]) {
        return changed;
    }
    /* mv_a stays as it was before. */
    if (changed == NULL || preset_read(&preset, "", changed, *size, NULL) != 0) {
        free(changed);
        return NULL;
    }
    const double now = (double)preset.mv_a;
    preset_free(&preset);
    if (now == alpha) {
        return changed;
    }
    char *kept =
        set((struct base_span){changed, *size}, &preset_keys[PRESET_KEY_mv_a], alpha, size);
    free(changed);
    return kept;
}

char *preset_edit_set_shown(struct base_span text, const struct preset_edit_shown *shown,
                            size_t *size, enum preset_language *language, bool *left)
{
    struct preset preset;
    char *result = malloc(text.size + 1);
    *left = false;
    *size = text.size;
    if (result == NULL || preset_read(&preset, "", text.data, text.size, NULL) != 0) {
        free(result);
        return NULL;
    }
    memcpy(result, text.data, text.size);
    result[text.size] = '\0';
    *language = preset.language;
    for (size_t i = 0; result != NULL && i < PRESET_KEY_ROWS; i++) {
        const struct preset_key *key = &preset_keys[i];
        if (!shown->changed[i] || key->group != PRESET_GROUP_PRESET ||
            preset_key_get(key, &preset) == shown->values[i]) {
            continue;
        }
        if (preset.language == PRESET_LANGUAGE_BOARD) {
            *left = true;
        } else {
            char *next =
                preset_edit_set((struct base_span){result, *size}, key, shown->values[i], size);
            free(result);
            result = next;
        }
    }
    preset_free(&preset);
    return result;
}

enum { PROGRAMS = PRESET_BLOCK_ROWS * PRESET_INSTANCE_MAX };

/* A line of a program; it may have no number. */
struct program_line {
    size_t program;        /* PROGRAMS: it is none */
    struct base_span stem; /* its key without the number */
    struct base_span number;
};

static struct program_line program_line_of(const struct preset_names *names, struct base_span line)
{
    struct program_line result = {.program = PROGRAMS};
    struct preset_line_entry entry;
    char key[PRESET_NAME_MAX];
    if (!preset_scan_entry(line, 1, &entry) || entry.key.size + 1 >= sizeof key) {
        return result;
    }
    size_t stem = entry.key.size;
    while (stem > 0 && entry.key.data[stem - 1] >= '0' && entry.key.data[stem - 1] <= '9') {
        stem--;
    }
    memcpy(key, entry.key.data, stem);
    key[stem] = '1';
    const struct preset_name name = preset_names_find(names, (struct base_span){key, stem + 1});
    if (name.kind == PRESET_NAME_LINE) {
        result = (struct program_line){name.row * PRESET_INSTANCE_MAX + name.index,
                                       {entry.key.data, stem},
                                       rest_of(entry.key, stem)};
    }
    return result;
}

/* Tells of each program whether its lines are numbered otherwise than 1, 2, 3 in their order. */
static void find_odd(const struct preset_names *names, struct base_span text, bool odd[PROGRAMS])
{
    uint32_t counts[PROGRAMS] = {0};
    struct preset_scan scan = {text, 0, 1, 0};
    struct base_span line;
    while (preset_scan_line(&scan, &line)) {
        const struct program_line part = program_line_of(names, line);
        if (part.program < PROGRAMS) {
            char wanted[16];
            (void)snprintf(wanted, sizeof wanted, "%u", (unsigned)++counts[part.program]);
            odd[part.program] =
                odd[part.program] || !base_span_equal(part.number, base_span_of(wanted));
        }
    }
}

char *preset_edit_number(struct base_span text, struct base_span former, size_t *size)
{
    enum { MORE = 11 /* bytes of a number, at most, for each line */ };
    struct preset_names names;
    bool odd[PROGRAMS] = {false};
    bool meant[PROGRAMS] = {false};
    preset_names_init(&names);
    find_odd(&names, text, odd);
    find_odd(&names, former, meant);
    bool any = false;
    for (size_t i = 0; i < PROGRAMS; i++) {
        odd[i] = odd[i] && !meant[i];
        any = any || odd[i];
    }
    size_t lines = 1;
    for (size_t i = 0; i < text.size; i++) {
        lines += is_line_end(text.data[i]);
    }
    char *numbered = any ? malloc(text.size + lines * MORE + 1) : NULL;
    if (numbered == NULL) {
        return NULL;
    }
    uint32_t counts[PROGRAMS] = {0};
    struct preset_scan scan = {text, 0, 1, 0};
    struct base_span line;
    size_t done = 0;
    size_t used = 0;
    while (preset_scan_line(&scan, &line)) {
        const struct program_line part = program_line_of(&names, line);
        if (part.program < PROGRAMS && odd[part.program]) {
            const size_t end = (size_t)(part.number.data - text.data);
            memcpy(numbered + used, text.data + done, end - done);
            used += end - done;
            used += (size_t)snprintf(numbered + used, MORE, "%u", (unsigned)++counts[part.program]);
            done = end + part.number.size;
        }
    }
    memcpy(numbered + used, text.data + done, text.size - done);
    *size = used + text.size - done;
    numbered[*size] = '\0';
    return numbered;
}

const struct preset_key *preset_key_find(struct base_span name)
{
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        const struct preset_key *key = &preset_keys[i];
        if (key->group == PRESET_GROUP_PRESET &&
            base_span_equal_nocase(name, base_span_of(key->key))) {
            return key;
        }
    }
    return NULL;
}

int preset_edit_save_new(const char *path, struct base_span text, const struct base_diag_sink *sink)
{
    return put(path, text, BASE_FILE_NEW, sink);
}

int preset_edit_save(const char *path, struct base_span text, const struct base_diag_sink *sink)
{
    return put(path, text, BASE_FILE_OVER, sink);
}
