/* The steps in which preset_read reads a .milk file, and what they share. One reader reads one
 * file. */
#ifndef PRESETS_MILK_READER_H
#define PRESETS_MILK_READER_H

#include "presets/milk/keys.h"
#include "presets/milk/lines.h"
#include "presets/milk/preset.h"

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

/* The steps in their order. Memory that runs out shows in the arenas' `failed`. */
void preset_reader_collect(struct preset_reader *reader, struct base_span text);
void preset_reader_numbers(struct preset_reader *reader);
void preset_reader_blocks(struct preset_reader *reader);

#endif
