#include "presets/reader.h"

bool preset_reader_allows(struct preset_reader *reader, enum preset_warning kind)
{
    return reader->warned[kind]++ < PRESET_WARN_LIMIT;
}

struct base_place preset_reader_line(const struct preset_reader *reader,
                                     const struct preset_line_entry *entry)
{
    return (struct base_place){reader->path, entry->line, 1};
}

struct base_place preset_reader_value(const struct preset_reader *reader,
                                      const struct preset_line_entry *entry)
{
    return (struct base_place){reader->path, entry->line, entry->column};
}

const struct preset_line_entry *preset_reader_choose(struct preset_reader *reader,
                                                     const struct preset_line_entry *held,
                                                     const struct preset_line_entry *next)
{
    const struct preset_line_entry *chosen = next->exact && !held->exact ? next : held;
    if (preset_reader_allows(reader, PRESET_WARN_DUPLICATE)) {
        /* Both keys are names of the tables, so they are short and printable. */
        base_report(reader->sink, BASE_WARNING, preset_reader_line(reader, next),
                    "remove one of the lines",
                    "'%.*s' stands in line %u already, and line %u applies", (int)next->key.size,
                    next->key.data, (unsigned)held->line, (unsigned)chosen->line);
    }
    return chosen;
}

static void take_number(struct preset_reader *reader, const struct preset_name *name,
                        const struct preset_line_entry *entry)
{
    struct preset_line_entry *held = &reader->numbers[name->row][name->index];
    if (held->line == 0) {
        *held = *entry;
        return;
    }
    const struct preset_line_entry *chosen = preset_reader_choose(reader, held, entry);
    if (chosen != held) {
        *held = *entry;
    }
}

static void take_code(struct preset_reader *reader, const struct preset_name *name,
                      const struct preset_line_entry *entry)
{
    struct preset_code_line *lines =
        base_arena_grow(&reader->scratch, reader->lines, &reader->line_capacity,
                        reader->line_count + 1, sizeof *lines);
    if (lines == NULL) {
        return;
    }
    reader->lines = lines;
    lines[reader->line_count++] = (struct preset_code_line){
        *entry, name->line, name->row * PRESET_INSTANCE_MAX + name->index};
}

static void warn_blank(struct preset_reader *reader, const struct preset_line_entry *entry)
{
    if (entry->blank_before_sign && preset_reader_allows(reader, PRESET_WARN_BLANK)) {
        base_report(reader->sink, BASE_WARNING, preset_reader_line(reader, entry),
                    "remove the blanks around '='",
                    "the blank ends '%.*s', so that its value begins with '='",
                    (int)entry->key.size, entry->key.data);
    }
}

static void warn_misnumbered(struct preset_reader *reader, const struct preset_line_entry *entry)
{
    if (preset_reader_allows(reader, PRESET_WARN_MISNUMBERED)) {
        base_report(reader->sink, BASE_WARNING, preset_reader_line(reader, entry),
                    "number the lines 1, 2, 3 and so on, without leading zeros",
                    "this line has no valid number and is not read");
    }
}

static void take_entry(struct preset_reader *reader, struct preset_line_entry *entry)
{
    const struct preset_name name = preset_names_find(&reader->names, entry->key);
    entry->exact = name.exact;
    switch (name.kind) {
    case PRESET_NAME_UNKNOWN:
        return;
    case PRESET_NAME_MISNUMBERED:
        warn_misnumbered(reader, entry);
        return;
    case PRESET_NAME_NUMBER:
        take_number(reader, &name, entry);
        break;
    case PRESET_NAME_LINE:
        take_code(reader, &name, entry);
        warn_blank(reader, entry);
        break;
    }
    reader->known++;
}

static bool is_control(unsigned char c)
{
    return (c < 0x20 && c != '\t') || c == 0x7f;
}

/* The first byte of each kind is reported; all are kept. */
static void check_bytes(struct preset_reader *reader, struct base_span line, uint32_t number)
{
    for (size_t i = 0; i < line.size; i++) {
        const unsigned char c = (unsigned char)line.data[i];
        const struct base_place place = {reader->path, number, (uint32_t)i + 1};
        if (c == 0xff && !reader->seen_ff) {
            reader->seen_ff = true;
            base_report(reader->sink, BASE_WARNING, place, "remove it",
                        "byte 0xFF, where other players stop reading");
        } else if (is_control(c) && !reader->seen_control) {
            reader->seen_control = true;
            base_report(reader->sink, BASE_WARNING, place, "remove it",
                        "control character 0x%02X in the text", (unsigned)c);
        }
    }
}

/* true at the start of the second preset of a double preset. */
static bool ends_preset(struct preset_reader *reader, struct base_span line, uint32_t number)
{
    const enum preset_section section = preset_scan_section(line);
    reader->seen_first_section = reader->seen_first_section || section == PRESET_SECTION_FIRST;
    if (!reader->seen_first_section || section != PRESET_SECTION_SECOND) {
        return false;
    }
    base_report(reader->sink, BASE_NOTE, (struct base_place){reader->path, number, 1},
                "split the file to use the other one",
                "the file holds two presets, of which only the first is read");
    return true;
}

void preset_reader_collect(struct preset_reader *reader, struct base_span text)
{
    struct preset_scan scan = {text, 0, 1, 0};
    struct base_span line;
    preset_names_init(&reader->names);
    while (preset_scan_line(&scan, &line)) {
        struct preset_line_entry entry;
        check_bytes(reader, line, scan.line);
        if (ends_preset(reader, line, scan.line)) {
            return;
        }
        if (preset_scan_entry(line, scan.line, &entry)) {
            take_entry(reader, &entry);
        }
    }
}
