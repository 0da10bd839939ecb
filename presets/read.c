#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/language/language.h"
#include "presets/milk/lines.h"
#include "presets/presets.h"

/* Kinds of warnings of which a hostile file could have any number; each is limited. */
enum preset_warning {
    PRESET_WARN_DUPLICATE,
    PRESET_WARN_MISNUMBERED,
    PRESET_WARN_BLANK,
    PRESET_WARN_NUMBER,
    PRESET_WARN_COUNT,
    PRESET_WARN_LIMIT = 8, /* shown of each kind */
};

/* A line of a program as it stands in the file. */
struct preset_code_line {
    struct preset_line_entry entry;
    uint32_t number;
    uint32_t block; /* row * PRESET_INSTANCE_MAX + index */
};

struct preset_reader {
    const char *path; /* the caller's, so that it outlives every message */
    const struct base_diag_sink *sink;
    struct preset *preset;
    struct base_arena scratch; /* lives as long as the reader */

    struct preset_names names;
    struct preset_line_entry numbers[PRESET_KEY_ROWS + PRESET_VERSION_ROWS][PRESET_INSTANCE_MAX];
    struct preset_code_line *lines; /* in the order of the file, duplicates included */
    size_t line_count;
    size_t line_capacity;
    size_t known; /* keys found */

    size_t warned[PRESET_WARN_COUNT];
    bool seen_first_section;
    bool seen_control;
    bool seen_ff;
};

/* Counts a warning; true if it is to be shown. */
static bool allows(struct preset_reader *reader, enum preset_warning kind)
{
    return reader->warned[kind]++ < PRESET_WARN_LIMIT;
}

/* The start of the line. */
static struct base_place line_of(const struct preset_reader *reader,
                                 const struct preset_line_entry *entry)
{
    return (struct base_place){reader->path, entry->line, 1};
}

/* The start of the value. */
static struct base_place value_of(const struct preset_reader *reader,
                                  const struct preset_line_entry *entry)
{
    return (struct base_place){reader->path, entry->line, entry->column};
}

/* Which of two entries for the same thing applies: an exact spelling goes before another, the
 * earlier before the later. Warns about the other one; held is the earlier in the file. */
static const struct preset_line_entry *choose(struct preset_reader *reader,
                                              const struct preset_line_entry *held,
                                              const struct preset_line_entry *next)
{
    const struct preset_line_entry *chosen = next->exact && !held->exact ? next : held;
    if (allows(reader, PRESET_WARN_DUPLICATE)) {
        /* Both keys are names of the tables, so they are short and printable. */
        base_report(reader->sink, BASE_WARNING, line_of(reader, next), "remove one of the lines",
                    "'%.*s' stands in line %u already, and line %u applies", (int)next->key.size,
                    next->key.data, (unsigned)held->line, (unsigned)chosen->line);
    }
    return chosen;
}

static void take_entry(struct preset_reader *reader, struct preset_line_entry *entry)
{
    const struct preset_name name = preset_names_find(&reader->names, entry->key);
    entry->exact = name.exact;
    if (name.kind == PRESET_NAME_UNKNOWN) {
        return;
    }
    if (name.kind == PRESET_NAME_MISNUMBERED) {
        if (allows(reader, PRESET_WARN_MISNUMBERED)) {
            base_report(reader->sink, BASE_WARNING, line_of(reader, entry),
                        "number the lines 1, 2, 3 and so on, without leading zeros",
                        "this line has no valid number and is not read");
        }
        return;
    }
    reader->known++;
    if (name.kind == PRESET_NAME_NUMBER) {
        struct preset_line_entry *held = &reader->numbers[name.row][name.index];
        if (held->line == 0 || choose(reader, held, entry) != held) {
            *held = *entry;
        }
        return;
    }
    struct preset_code_line *lines =
        base_arena_grow(&reader->scratch, reader->lines, &reader->line_capacity,
                        reader->line_count + 1, sizeof *lines);
    if (lines != NULL) {
        reader->lines = lines;
        lines[reader->line_count++] = (struct preset_code_line){
            *entry, name.line, name.row * PRESET_INSTANCE_MAX + name.index};
    }
    if (entry->blank_before_sign && allows(reader, PRESET_WARN_BLANK)) {
        base_report(reader->sink, BASE_WARNING, line_of(reader, entry),
                    "remove the blanks around '='",
                    "the blank ends '%.*s', so that its value begins with '='",
                    (int)entry->key.size, entry->key.data);
    }
}

static void collect(struct preset_reader *reader, struct base_span text)
{
    struct preset_scan scan = {text, 0, 1, 0};
    struct base_span line;
    preset_names_init(&reader->names);
    while (preset_scan_line(&scan, &line)) {
        struct preset_line_entry entry;
        /* The first byte of each kind is reported; all are kept. */
        for (size_t i = 0; i < line.size; i++) {
            const unsigned char c = (unsigned char)line.data[i];
            const struct base_place place = {reader->path, scan.line, (uint32_t)i + 1};
            if (c == 0xff && !reader->seen_ff) {
                reader->seen_ff = true;
                base_report(reader->sink, BASE_WARNING, place, "remove it",
                            "byte 0xFF, where other players stop reading");
            } else if (((c < 0x20 && c != '\t') || c == 0x7f) && !reader->seen_control) {
                reader->seen_control = true;
                base_report(reader->sink, BASE_WARNING, place, "remove it",
                            "control character 0x%02X in the text", (unsigned)c);
            }
        }
        const enum preset_section section = preset_scan_section(line);
        reader->seen_first_section = reader->seen_first_section || section == PRESET_SECTION_FIRST;
        if (reader->seen_first_section && section == PRESET_SECTION_SECOND) {
            base_report(reader->sink, BASE_NOTE, (struct base_place){reader->path, scan.line, 1},
                        "split the file to use the other one",
                        "the file holds two presets, of which only the first is read");
            return;
        }
        if (preset_scan_entry(line, scan.line, &entry)) {
            take_entry(reader, &entry);
        }
    }
}

enum {
    VALUE_MAX = 255,  /* longer values are cut (spec/milk-format.md section 2) */
    VALUE_SHOWN = 40, /* of a value in a message */
};

struct field {
    const struct preset_key *key;
    size_t index;
    const struct preset_line_entry *entry; /* line 0: absent */
    double fallback;
};

/* Says that the value, from byte `at` on, is not what applies. */
static void warn_number(struct preset_reader *reader, const struct field *field, size_t at,
                        const char *what, const char *hint, double applies)
{
    char name[PRESET_NAME_MAX];
    char shown[VALUE_SHOWN + 1];
    if (!allows(reader, PRESET_WARN_NUMBER)) {
        return;
    }
    preset_key_name(field->key, field->index, name);
    /* Bytes that could confuse a terminal become question marks. */
    const struct base_span value = {field->entry->value.data + at, field->entry->value.size - at};
    size_t size = value.size < VALUE_SHOWN ? value.size : VALUE_SHOWN;
    shown[size] = '\0';
    while (size-- > 0) {
        const char c = value.data[size];
        shown[size] = c >= ' ' && c <= '~' ? c : '?';
    }
    struct base_place place = value_of(reader, field->entry);
    place.column += (uint32_t)at;
    base_report(reader->sink, BASE_WARNING, place,
                field->entry->blank_before_sign ? "remove the blanks around '='" : hint,
                "%s: '%s' %s, so %g applies", name, shown, what, applies);
}

static size_t count_blanks(struct base_span text, size_t i)
{
    const size_t from = i;
    while (i < text.size && strchr(" \t\v\f", text.data[i]) != NULL) {
        i++;
    }
    return i - from;
}

/* A number is read up to where it ends; what stands behind it was meant to be something. */
static void check_end(struct preset_reader *reader, const struct field *field,
                      struct base_span text, double applies)
{
    const size_t start = count_blanks(text, 0);
    const size_t end =
        start + preset_number_size((struct base_span){text.data + start, text.size - start});
    float number = 0.0f;
    if (field->key->type != PRESET_TYPE_IS_FLOAT &&
        (preset_parse_float(text, &number) != PRESET_NUMBER_OK || number != (float)applies)) {
        warn_number(reader, field, start, "is not a whole number", "write it like 1", applies);
        return;
    }
    const size_t rest = end + count_blanks(text, end);
    if (rest < text.size) {
        warn_number(reader, field, rest, "behind the number is not read", "write it like 1.25",
                    applies);
    }
}

static double parse_field(struct preset_reader *reader, const struct field *field)
{
    struct base_span text = field->entry->value;
    if (text.size > VALUE_MAX) {
        if (allows(reader, PRESET_WARN_NUMBER)) {
            base_report(reader->sink, BASE_WARNING, value_of(reader, field->entry), NULL,
                        "the value has %zu characters, of which %d are read", text.size,
                        (int)VALUE_MAX);
        }
        text.size = VALUE_MAX;
    }
    enum preset_number result;
    double value = field->fallback;
    if (field->key->type == PRESET_TYPE_IS_FLOAT) {
        float number = 0.0f;
        result = preset_parse_float(text, &number);
        value = result == PRESET_NUMBER_OK ? (double)number : value;
    } else {
        int32_t number = 0;
        result = preset_parse_int(text, &number);
        value = result == PRESET_NUMBER_NONE ? value : (double)number;
    }
    if (result == PRESET_NUMBER_NONE) {
        warn_number(reader, field, 0, "is not a number", "write it like 1.25", value);
    } else if (result == PRESET_NUMBER_LARGE) {
        warn_number(reader, field, 0, "is too large", NULL, value);
    } else {
        check_end(reader, field, text, value);
    }
    return value;
}

static void read_key(struct preset_reader *reader, size_t row, size_t index)
{
    const struct preset_key *key = &preset_keys[row];
    struct preset *preset = reader->preset;
    struct field field = {key, index, &reader->numbers[row][index], key->fallback};
    if (row == PRESET_KEY_mv_a) {
        field.fallback = preset->motion_vectors_on ? 1.0 : 0.0;
    }
    double value = field.fallback;
    if (field.entry->line != 0) {
        value = parse_field(reader, &field);
    }
    /* The only number that the tables clamp when it is read: it is a count of passes. */
    if (row == PRESET_SHAPE_ROW + PRESET_SHAPE_num_inst &&
        !(value >= key->low && value <= key->high)) {
        const double clamped = value < key->low ? key->low : key->high;
        if (allows(reader, PRESET_WARN_NUMBER)) {
            base_report(reader->sink, BASE_WARNING, value_of(reader, field.entry), NULL,
                        "shapecode_%zu_num_inst is %.0f, so %.0f applies", index, value, clamped);
        }
        value = clamped;
    }
    preset_key_set(key, (unsigned char *)preset + preset_group_offset(key->group, index), value);
}

static void read_numbers(struct preset_reader *reader)
{
    struct preset *preset = reader->preset;
    struct preset_versions versions;
    for (size_t i = 0; i < PRESET_VERSION_ROWS; i++) {
        const struct preset_key *key = &preset_version_keys[i];
        const struct field field = {key, 0, &reader->numbers[PRESET_KEY_ROWS + i][0],
                                    key->fallback};
        preset_key_set(key, &versions,
                       field.entry->line == 0 ? field.fallback : parse_field(reader, &field));
    }
    preset->version = versions.version;
    if (versions.version < 200) {
        preset->warp_shader = 0;
        preset->comp_shader = 0;
    } else if (versions.version == 200) {
        preset->warp_shader = versions.both;
        preset->comp_shader = versions.both;
    } else {
        preset->warp_shader = versions.warp;
        preset->comp_shader = versions.comp;
    }
    for (size_t row = 0; row < PRESET_KEY_ROWS; row++) {
        for (size_t index = 0; index < preset_group_count(preset_keys[row].group); index++) {
            read_key(reader, row, index);
        }
    }
}

enum { BLOCKS = PRESET_BLOCK_ROWS * PRESET_INSTANCE_MAX };

/* The lines of one block by number. A block of n lines can hold numbers 1..n without a gap at most,
 * so the table has n places, and whatever has a larger number stands after a gap. */
struct table {
    const struct preset_line_entry **places;
    size_t size;
    size_t filled;
    size_t beyond;
    const struct preset_code_line *first_beyond; /* the one with the lowest number */
};

static bool make_tables(struct preset_reader *reader, struct table tables[BLOCKS])
{
    for (size_t i = 0; i < reader->line_count; i++) {
        tables[reader->lines[i].block].size++;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        tables[i].places =
            base_arena_array(&reader->scratch, tables[i].size, sizeof *tables[i].places);
        if (tables[i].places == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < reader->line_count; i++) {
        const struct preset_code_line *line = &reader->lines[i];
        struct table *table = &tables[line->block];
        if (line->number > table->size) {
            table->beyond++;
            if (table->first_beyond == NULL || line->number < table->first_beyond->number) {
                table->first_beyond = line;
            }
            continue;
        }
        const struct preset_line_entry **place = &table->places[line->number - 1];
        table->filled += *place == NULL;
        *place = *place == NULL ? &line->entry : choose(reader, *place, &line->entry);
    }
    return true;
}

/* The line without the backquote that may lead it (spec/milk-format.md section 4). */
static struct base_source_line code_line(const struct preset_line_entry *entry)
{
    const size_t skip = entry->value.size > 0 && entry->value.data[0] == '`' ? 1 : 0;
    return (struct base_source_line){
        .text = {entry->value.data + skip, entry->value.size - skip},
        .line = entry->line,
        .column = entry->column + (uint32_t)skip,
    };
}

/* Keeps the lines of a table up to a gap or to the limit; each counts with a line end. */
static void read_block(struct preset_reader *reader, const struct table *table,
                       const struct preset_block *block, size_t index)
{
    char name[PRESET_NAME_MAX];
    struct preset *preset = reader->preset;
    bool too_long = false;
    size_t kept = 0;
    size_t bytes = 0;
    while (kept < table->size && table->places[kept] != NULL && !too_long) {
        bytes += code_line(table->places[kept]).text.size + 1;
        too_long = bytes > PRESET_BLOCK_MAX;
        kept += !too_long;
    }
    preset_block_name(block, index, name);
    if (too_long) {
        base_report(reader->sink, BASE_WARNING, line_of(reader, table->places[kept]),
                    "shorten the program",
                    "%s is longer than %d bytes, lines lost from number %zu on: %zu", name,
                    (int)PRESET_BLOCK_MAX, kept + 1, table->filled + table->beyond - kept);
    } else {
        const struct preset_line_entry *later =
            table->first_beyond != NULL ? &table->first_beyond->entry : NULL;
        for (size_t i = table->size; i-- > kept;) {
            later = table->places[i] != NULL ? table->places[i] : later;
        }
        if (later != NULL) {
            base_report(reader->sink, BASE_WARNING, line_of(reader, later),
                        "number the lines without a gap",
                        "%s%zu is missing, lines lost after it: %zu", name, kept + 1,
                        table->filled + table->beyond - kept);
        }
    }
    struct base_source_line *lines = base_arena_array(&preset->arena, kept, sizeof *lines);
    if (lines == NULL) {
        return;
    }
    for (size_t i = 0; i < kept; i++) {
        lines[i] = code_line(table->places[i]);
    }
    unsigned char *owner = (unsigned char *)preset + preset_group_offset(block->group, index);
    struct base_source *source = (void *)(owner + block->offset);
    *source = (struct base_source){preset->path, lines, kept};
}

static void read_blocks(struct preset_reader *reader)
{
    struct table tables[BLOCKS] = {0};
    if (!make_tables(reader, tables)) {
        return;
    }
    for (size_t row = 0; row < PRESET_BLOCK_ROWS; row++) {
        const struct preset_block *block = &preset_blocks[row];
        for (size_t index = 0; index < preset_group_count(block->group); index++) {
            read_block(reader, &tables[row * PRESET_INSTANCE_MAX + index], block, index);
        }
    }
    const struct preset *preset = reader->preset;
    const struct base_source *text =
        preset->warp_code.count > 0 ? &preset->warp_code : &preset->comp_code;
    if (preset->version < 200 && text->count > 0) {
        base_report(reader->sink, BASE_NOTE,
                    (struct base_place){reader->path, text->lines[0].line, 1},
                    "add the line MILKDROP_PRESET_VERSION=201",
                    "version %d has no shaders, so their text is ignored", (int)preset->version);
    }
}

/* A reader's data and a preset stay far below this, whatever a file holds. */
static const size_t memory_limit = 64u * 1024 * 1024;

/* The reason given for a preset whose reader has already reported why it is refused. */
static const char reported[] = "";

/* Returns why the preset is refused, NULL if it is not. */
static const char *read_text(struct preset_reader *reader, struct base_span data)
{
    struct preset *preset = reader->preset;
    /* A preset's name has no folders and no ending; a point before a blank begins no ending. */
    const char *slash = strrchr(reader->path, '/');
    const char *name = slash == NULL ? reader->path : slash + 1;
    const char *dot = strrchr(name, '.');
    const bool ends = dot != NULL && dot != name && strchr(dot, ' ') == NULL;
    const char *copy = base_arena_text(&preset->arena, data.data, data.size);
    preset->path = base_arena_text(&preset->arena, reader->path, strlen(reader->path));
    preset->name =
        base_arena_text(&preset->arena, name, ends ? (size_t)(dot - name) : strlen(name));
    if (copy == NULL || preset->path == NULL || preset->name == NULL) {
        return "not enough memory";
    }
    const struct base_span text = preset_scan_skip_mark((struct base_span){copy, data.size});
    if (board_fnp_is(reader->path, text)) {
        return board_fnp_read(preset, reader->path, text, &reader->scratch, reader->sink)
                   ? NULL
                   : reported;
    }
    collect(reader, text);
    if (reader->known == 0) {
        for (size_t i = 0; i < data.size; i++) {
            if (strchr(" \t\r\n", data.data[i]) == NULL) {
                return "no known key, so this is no preset";
            }
        }
        base_report(reader->sink, BASE_NOTE, (struct base_place){reader->path, 0, 0}, NULL,
                    "a blank preset: every key has its default");
    }
    read_numbers(reader);
    read_blocks(reader);
    size_t left_out = 0;
    for (size_t i = 0; i < PRESET_WARN_COUNT; i++) {
        left_out +=
            reader->warned[i] > PRESET_WARN_LIMIT ? reader->warned[i] - PRESET_WARN_LIMIT : 0;
    }
    if (left_out > 0) {
        base_report(reader->sink, BASE_NOTE, (struct base_place){reader->path, 0, 0}, NULL,
                    "more warnings of the same kinds, which are not shown: %zu", left_out);
    }
    return preset->arena.failed || reader->scratch.failed ? "not enough memory" : NULL;
}

static int refuse(const char *path, const struct base_diag_sink *sink, struct preset_refusal why)
{
    if (why.what != reported) {
        base_report(sink, BASE_ERROR, (struct base_place){path, 0, 0}, why.hint, "%s", why.what);
    }
    return -1;
}

int preset_read(struct preset *preset, const char *path, const void *data, size_t size,
                const struct base_diag_sink *sink)
{
    assert(path != NULL && (data != NULL || size == 0));
    *preset = (struct preset){0};
    struct preset_refusal why = preset_scan_refusal((struct base_span){data, size});
    if (why.what != NULL) {
        return refuse(path, sink, why);
    }
    struct preset_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return refuse(path, sink, (struct preset_refusal){"not enough memory", NULL});
    }
    reader->path = path;
    reader->sink = sink;
    reader->preset = preset;
    base_arena_init(&reader->scratch, memory_limit);
    base_arena_init(&preset->arena, memory_limit);
    why.what = read_text(reader, (struct base_span){data, size});
    base_arena_free(&reader->scratch);
    free(reader);
    if (why.what == NULL) {
        return 0;
    }
    preset_free(preset);
    return refuse(path, sink, why);
}

void preset_free(struct preset *preset)
{
    base_arena_free(&preset->arena);
    *preset = (struct preset){0};
}
