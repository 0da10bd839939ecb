/* Inside presets/: where the numbers and programs of a preset stand, for reader, writer and
 * comparison. */
#ifndef PRESETS_KEYS_H
#define PRESETS_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "presets/preset.h"

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

/* What stands before the number of a wave or shape in a file, "" for the preset itself. */
const char *preset_key_prefix(enum preset_group group);
const char *preset_block_prefix(enum preset_group group);

#endif
