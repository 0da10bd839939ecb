/* The places of a preset's numbers and programs, for reader, writer and comparison. */
#ifndef PRESETS_MILK_KEYS_H
#define PRESETS_MILK_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "presets/milk/preset.h"

/* The version keys (spec/milk-format.md section 3). They are read like the keys of keys.def, into
 * this struct, and then become version, warp_shader and comp_shader. */
struct preset_versions {
    int32_t version;
    int32_t both;
    int32_t warp;
    int32_t comp;
};

enum {
    PRESET_VERSION_ROWS = 4,
    PRESET_INSTANCE_MAX = 4, /* of any group */
    PRESET_NAME_MAX = 64,    /* room for a full key name */
};

extern const struct preset_key preset_version_keys[PRESET_VERSION_ROWS];

/* A program block (spec/milk-format.md section 4); offset is that of its struct base_source. */
struct preset_block {
    enum preset_group group;
    bool shader; /* lines are written with a backquote */
    const char *name;
    size_t offset;
};

enum { PRESET_BLOCK_ROWS = 10 };
extern const struct preset_block preset_blocks[PRESET_BLOCK_ROWS];

/* How many of a group a preset holds, and where number `index` stands in struct preset. */
size_t preset_group_count(enum preset_group group);
size_t preset_group_offset(enum preset_group group, size_t index);

/* Struct preset, wave or shape of a group, for preset_key_get. */
const void *preset_group_at(const struct preset *preset, enum preset_group group, size_t index);
const struct base_source *preset_block_source(const struct preset_block *block,
                                              const struct preset *preset, size_t index);

/* Stores a number that is in the range of the field's type; a SWITCH becomes 0 or 1. */
void preset_key_set(const struct preset_key *key, void *base, double value);

/* The name as it stands in a file: "wavecode_2_samples"; "shape_0_init" without a line number. */
void preset_key_name(const struct preset_key *key, size_t index, char name[PRESET_NAME_MAX]);
void preset_block_name(const struct preset_block *block, size_t index, char name[PRESET_NAME_MAX]);

/* The number or program line that a key of a file names. */

enum preset_name_kind {
    PRESET_NAME_UNKNOWN,
    PRESET_NAME_NUMBER,
    PRESET_NAME_LINE,
    PRESET_NAME_MISNUMBERED, /* a program line with number 0 or leading zeros: never read */
};

struct preset_name {
    enum preset_name_kind kind;
    bool exact;     /* spelled as in the tables, case included */
    uint32_t row;   /* NUMBER: of preset_keys, beyond them of preset_version_keys; LINE: block */
    uint32_t index; /* of the wave or shape */
    uint32_t line;  /* LINE: its number, UINT32_MAX for all larger ones */
};

/* A hash table over all names, without regard to case. Plain data, read only once made. */
enum { PRESET_NAMES_SIZE = 512 };
struct preset_names {
    uint8_t rows[PRESET_NAMES_SIZE]; /* row + 1; 0: free */
};

void preset_names_init(struct preset_names *names);
struct preset_name preset_names_find(const struct preset_names *names, struct base_span key);

#endif
