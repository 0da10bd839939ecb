#include "presets/reader.h"

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

static void place_line(struct preset_reader *reader, struct table *table,
                       const struct preset_code_line *line)
{
    if (line->number > table->size) {
        table->beyond++;
        if (table->first_beyond == NULL || line->number < table->first_beyond->number) {
            table->first_beyond = line;
        }
        return;
    }
    const struct preset_line_entry **place = &table->places[line->number - 1];
    if (*place == NULL) {
        *place = &line->entry;
        table->filled++;
    } else {
        *place = preset_reader_choose(reader, *place, &line->entry);
    }
}

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
        place_line(reader, &tables[reader->lines[i].block], &reader->lines[i]);
    }
    return true;
}

/* One leading backquote goes, spec/milk-format.md section 4. */
static struct base_source_line code_line(const struct preset_line_entry *entry)
{
    const size_t skip = entry->value.size > 0 && entry->value.data[0] == '`' ? 1 : 0;
    return (struct base_source_line){
        .text = {entry->value.data + skip, entry->value.size - skip},
        .line = entry->line,
        .column = entry->column + (uint32_t)skip,
    };
}

/* How many lines of the table are kept: up to a gap or to the limit. Each line counts with a line
 * end. *too_long tells the two cases apart. */
static size_t kept_lines(const struct table *table, bool *too_long)
{
    size_t kept = 0;
    size_t bytes = 0;
    *too_long = false;
    while (kept < table->size && table->places[kept] != NULL) {
        bytes += code_line(table->places[kept]).text.size + 1;
        if (bytes > PRESET_BLOCK_MAX) {
            *too_long = true;
            break;
        }
        kept++;
    }
    return kept;
}

static void warn_too_long(const struct preset_reader *reader, const char *name,
                          const struct table *table, size_t kept)
{
    base_report(reader->sink, BASE_WARNING, preset_reader_line(reader, table->places[kept]),
                "shorten the program",
                "%s is longer than %d bytes, lines lost from number %zu on: %zu", name,
                (int)PRESET_BLOCK_MAX, kept + 1, table->filled + table->beyond - kept);
}

static void warn_gap(const struct preset_reader *reader, const char *name,
                     const struct table *table, size_t kept)
{
    const struct preset_line_entry *later =
        table->first_beyond != NULL ? &table->first_beyond->entry : NULL;
    for (size_t i = kept; i < table->size; i++) {
        if (table->places[i] != NULL) {
            later = table->places[i];
            break;
        }
    }
    if (later != NULL) {
        base_report(reader->sink, BASE_WARNING, preset_reader_line(reader, later),
                    "number the lines without a gap", "%s%zu is missing, lines lost after it: %zu",
                    name, kept + 1, table->filled + table->beyond - kept);
    }
}

static void read_block(struct preset_reader *reader, const struct table *table,
                       const struct preset_block *block, size_t index)
{
    char name[PRESET_NAME_MAX];
    bool too_long;
    const size_t kept = kept_lines(table, &too_long);
    struct preset *preset = reader->preset;
    preset_block_name(block, index, name);
    if (too_long) {
        warn_too_long(reader, name, table, kept);
    } else {
        warn_gap(reader, name, table, kept);
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

static void note_unused_shaders(const struct preset_reader *reader)
{
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

void preset_reader_blocks(struct preset_reader *reader)
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
    note_unused_shaders(reader);
}
