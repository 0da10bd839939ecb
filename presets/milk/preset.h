/* One preset as plain data, its .milk reader and writer (spec/milk-format.md), and the reader of
 * the board's own patches (spec/flickernoise-patch-language.md). Nothing here compiles or draws. No
 * function here is tied to a thread; none keeps state. */
#ifndef PRESETS_MILK_PRESET_H
#define PRESETS_MILK_PRESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"

enum {
    PRESET_WAVES = 4,
    PRESET_SHAPES = 4,
    PRESET_FILE_MAX = 1024 * 1024, /* bytes; a longer file is refused */
    PRESET_BINDINGS_MAX = 64,
    PRESET_BLOCK_MAX = 32767, /* bytes of one program block; the rest is dropped at a line */
};

#define PRESET_TYPE_FLOAT  float
#define PRESET_TYPE_INT    int32_t
#define PRESET_TYPE_SWITCH int32_t

/* Fields come from keys.def; names, meanings, defaults and ranges stand there. All floats are
 * finite. SWITCH fields are 0 or 1. */
#define PRESET_FIELD_PRESET(field, type)
#define PRESET_FIELD_WAVE(field, type)
#define PRESET_FIELD_SHAPE(field, type)

struct preset_wave {
#undef PRESET_FIELD_WAVE
#define PRESET_FIELD_WAVE(field, type)      PRESET_TYPE_##type field;
#define PRESET_KEY(group, field, type, ...) PRESET_FIELD_##group(field, type)
#include "presets/milk/keys.def"
#undef PRESET_FIELD_WAVE
#define PRESET_FIELD_WAVE(field, type)
    struct base_source init;
    struct base_source per_frame;
    struct base_source per_point;
};

struct preset_shape {
#undef PRESET_FIELD_SHAPE
#define PRESET_FIELD_SHAPE(field, type)     PRESET_TYPE_##type field;
#define PRESET_KEY(group, field, type, ...) PRESET_FIELD_##group(field, type)
#include "presets/milk/keys.def"
#undef PRESET_FIELD_SHAPE
#define PRESET_FIELD_SHAPE(field, type)
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
#undef PRESET_FIELD_PRESET
#define PRESET_FIELD_PRESET(field, type)    PRESET_TYPE_##type field;
#define PRESET_KEY(group, field, type, ...) PRESET_FIELD_##group(field, type)
#include "presets/milk/keys.def"
#undef PRESET_FIELD_PRESET
#undef PRESET_FIELD_WAVE
#undef PRESET_FIELD_SHAPE
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
    struct base_arena arena; /* owns every text of this preset */
};

/* Writes the preset as .milk text of version preset->version: all keys in a fixed order; a patch
 * of the board as the text that it was read from. Reading the result gives the same data (path and
 * name aside, positions in sources aside). Returns a malloc'ed NUL-terminated text that the caller
 * frees, its length in *size; NULL without memory. */
char *preset_write(const struct preset *preset, size_t *size);

/* Same data: every number and every line of text (path, name and positions aside). */
bool preset_equal(const struct preset *a, const struct preset *b);

/* The index of every row of keys.def in preset_keys, and how many rows there are. */
enum {
#define PRESET_KEY(group, field, ...) PRESET_ROW_##group##_##field,
#include "presets/milk/keys.def"
    PRESET_KEY_ROWS
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

#endif
