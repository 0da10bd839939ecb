/* One preset as plain data: its keys and its .milk text (spec/milk-format.md). Files are read by
 * the functions of presets/presets.h. Nothing here compiles or draws. No function here is tied to a
 * thread; none keeps state. */
#ifndef PRESETS_MILK_PRESET_H
#define PRESETS_MILK_PRESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

enum {
    PRESET_WAVES = 4,
    PRESET_SHAPES = 4,
    PRESET_FILE_MAX = 1024 * 1024, /* bytes; a longer file is refused */
    PRESET_BINDINGS_MAX = 128,
    PRESET_VIDEO = 32, /* pictures that a patch of the board may name; number of the one that
                          stands for live video */
    PRESET_IMAGES = PRESET_VIDEO + 1,
    PRESET_BLOCK_MAX = 32767, /* bytes of one program block; the rest is dropped at a line */
};

/* What the number wave_mode stands for. */
enum preset_wave_mode {
#define PRESET_WAVE_MODE(number, name, ...) PRESET_WAVE_MODE_##name = number,
#include "presets/milk/wave_modes.def"
    PRESET_WAVE_MODES
};

/* What the wave of a mode costs the Milkymist One. */
enum preset_wave_cost { PRESET_WAVE_COST_LINE, PRESET_WAVE_COST_PAIR, PRESET_WAVE_COST_KNOT };

#define PRESET_TYPE_FLOAT  float
#define PRESET_TYPE_INT    int32_t
#define PRESET_TYPE_SWITCH int32_t

/* Fields come from keys.def; names, meanings, defaults and ranges stand there. All floats are
 * finite. SWITCH fields are 0 or 1. */
struct preset_wave {
#define PRESET_WAVE(field, type, ...) PRESET_TYPE_##type field;
#include "presets/milk/keys.def"
    struct base_source init;
    struct base_source per_frame;
    struct base_source per_point;
};

struct preset_shape {
#define PRESET_SHAPE(field, type, ...) PRESET_TYPE_##type field;
#include "presets/milk/keys.def"
    struct base_source init;
    struct base_source per_frame;
};

/* Whose rules a preset's equations go by. A patch of the board has the equations of a .milk file
 * when it has been read, but x, y and rad are the board's, rot turns the other way, nothing goes
 * from vertex to vertex, and fwarpanimspeed, fwarpscale and wave_scale are variables. */
enum preset_language { PRESET_LANGUAGE_MILK, PRESET_LANGUAGE_BOARD };

enum preset_element {
#define PRESET_ELEMENT(name, text) PRESET_ELEMENT_##name,
#include "presets/milk/controls.def"
    PRESET_ELEMENTS
};

enum preset_way {
#define PRESET_WAY(name, text) PRESET_WAY_##name,
#include "presets/milk/controls.def"
    PRESET_WAYS
};

/* A variable that a MIDI controller sets: each frame begins with what it says, until it has said
 * anything with `initial`. */
struct preset_binding {
    const char *variable; /* of the per-frame equations */
    enum preset_element element;
    enum preset_way way;
    uint8_t channel;    /* 1 to 16; 0: any */
    uint8_t controller; /* 0 to 127 */
    float initial;
};

struct preset {
    char *path;      /* as given to the reader; also the `file` of every source below */
    char *name;      /* file name without folders and ending */
    int32_t version; /* MILKDROP_PRESET_VERSION; 100 if absent */
    /* Shader model of each stage, by the rules of spec/milk-format.md section 3; 0: none, the stage
     * is fixed-function. */
    int32_t warp_shader;
    int32_t comp_shader;
#define PRESET_KEY(field, type, ...) PRESET_TYPE_##type field;
#include "presets/milk/keys.def"
    /* Lines of text as they stand in the file, one leading backquote removed, comments kept. */
    struct base_source init;
    struct base_source per_frame;
    struct base_source per_vertex;
    struct base_source warp_code;
    struct base_source comp_code;
    struct preset_wave waves[PRESET_WAVES];
    struct preset_shape shapes[PRESET_SHAPES];
    enum preset_language language;
    struct base_span text; /* of a patch of the board: as it was read */
    const struct preset_binding *bindings;
    size_t binding_count;
    /* Of a patch of the board: the files of its pictures, by number, with folders where the patch
     * has them; NULL: none. That of live video is there if the patch draws any. */
    const char *images[PRESET_IMAGES];
    struct base_arena arena; /* owns every text of this preset */
};

/* Writes the preset as .milk text of version preset->version: all keys in a fixed order; a patch
 * of the board as the text that it was read from. Reading the result gives the same data (path and
 * name aside, positions in sources aside). Returns a malloc'ed NUL-terminated text that the caller
 * frees, its length in *size; NULL without memory. */
char *preset_write(const struct preset *preset, size_t *size);

/* Same data: every number and every line of text (path, name and positions aside). */
bool preset_equal(const struct preset *a, const struct preset *b);

/* The number of every key among those of a preset, of a wave and of a shape. */
enum preset_own_key {
#define PRESET_KEY(field, ...) PRESET_KEY_##field,
#include "presets/milk/keys.def"
    PRESET_KEYS
};
enum preset_wave_key {
#define PRESET_WAVE(field, ...) PRESET_WAVE_##field,
#include "presets/milk/keys.def"
    PRESET_WAVE_KEYS
};
enum preset_shape_key {
#define PRESET_SHAPE(field, ...) PRESET_SHAPE_##field,
#include "presets/milk/keys.def"
    PRESET_SHAPE_KEYS
};

/* Rows of preset_keys: the preset's from 0 on, then those of a wave and those of a shape. */
enum {
    PRESET_WAVE_ROW = PRESET_KEYS,
    PRESET_SHAPE_ROW = PRESET_WAVE_ROW + PRESET_WAVE_KEYS,
    PRESET_KEY_ROWS = PRESET_SHAPE_ROW + PRESET_SHAPE_KEYS
};

/* One row of keys.def, for tools that walk over all keys (writer, documentation, tests, editor). */
enum preset_group { PRESET_GROUP_PRESET, PRESET_GROUP_WAVE, PRESET_GROUP_SHAPE };
enum preset_type { PRESET_TYPE_IS_FLOAT, PRESET_TYPE_IS_INT, PRESET_TYPE_IS_SWITCH };
struct preset_key {
    enum preset_group group;
    enum preset_type type;
    const char *key;
    const char *variable;
    double fallback;
    double low;
    double high;
    size_t offset; /* of the field in its struct */
};
extern const struct preset_key preset_keys[PRESET_KEY_ROWS];

/* The field as a number; base is the struct that the key's group names. */
double preset_key_get(const struct preset_key *key, const void *base);

/* The value that a file can hold for the key: within a float, an INT rounded and within an int32_t,
 * a SWITCH rounded to 0 or else 1. value is not NaN. */
double preset_key_limit(const struct preset_key *key, double value);

/* The places of a preset's numbers and programs, for reader, writer and comparison. */

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
