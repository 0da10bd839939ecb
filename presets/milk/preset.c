#include "presets/milk/preset.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "presets/milk/lines.h"

/* ---- keys ---- */

#define ROW(group, owner, field, type, key, fallback, low, high, variable)                         \
    {PRESET_GROUP_##group,         PRESET_TYPE_IS_##type, key, variable, fallback, low, high,      \
     offsetof(struct owner, field)},
const struct preset_key preset_keys[PRESET_KEY_ROWS] = {
#define PRESET_KEY(...) ROW(PRESET, preset, __VA_ARGS__)
#include "presets/milk/keys.def"
#define PRESET_WAVE(...) ROW(WAVE, preset_wave, __VA_ARGS__)
#include "presets/milk/keys.def"
#define PRESET_SHAPE(...) ROW(SHAPE, preset_shape, __VA_ARGS__)
#include "presets/milk/keys.def"
};

#define VERSION_KEY(name, fallback, field)                                                         \
    {                                                                                              \
        PRESET_GROUP_PRESET, PRESET_TYPE_IS_INT, name, "", fallback, 0, 201,                       \
            offsetof(struct preset_versions, field)                                                \
    }
const struct preset_key preset_version_keys[PRESET_VERSION_ROWS] = {
    VERSION_KEY("MILKDROP_PRESET_VERSION", 100, version),
    VERSION_KEY("PSVERSION", 2, both),
    VERSION_KEY("PSVERSION_WARP", 2, warp),
    VERSION_KEY("PSVERSION_COMP", 2, comp),
};

const struct preset_block preset_blocks[PRESET_BLOCK_ROWS] = {
    {PRESET_GROUP_PRESET, false, "per_frame_init_", offsetof(struct preset, init)},
    {PRESET_GROUP_PRESET, false, "per_frame_", offsetof(struct preset, per_frame)},
    {PRESET_GROUP_PRESET, false, "per_pixel_", offsetof(struct preset, per_vertex)},
    {PRESET_GROUP_WAVE, false, "init", offsetof(struct preset_wave, init)},
    {PRESET_GROUP_WAVE, false, "per_frame", offsetof(struct preset_wave, per_frame)},
    {PRESET_GROUP_WAVE, false, "per_point", offsetof(struct preset_wave, per_point)},
    {PRESET_GROUP_SHAPE, false, "init", offsetof(struct preset_shape, init)},
    {PRESET_GROUP_SHAPE, false, "per_frame", offsetof(struct preset_shape, per_frame)},
    {PRESET_GROUP_PRESET, true, "warp_", offsetof(struct preset, warp_code)},
    {PRESET_GROUP_PRESET, true, "comp_", offsetof(struct preset, comp_code)},
};

struct group_facts {
    size_t count;
    size_t offset;
    size_t stride;
    const char *key_prefix; /* stands before the number of a wave or shape in a file */
    const char *block_prefix;
};

static const struct group_facts groups[] = {
    [PRESET_GROUP_PRESET] = {1, 0, 0, "", ""},
    [PRESET_GROUP_WAVE] = {PRESET_WAVES, offsetof(struct preset, waves), sizeof(struct preset_wave),
                           "wavecode_", "wave_"},
    [PRESET_GROUP_SHAPE] = {PRESET_SHAPES, offsetof(struct preset, shapes),
                            sizeof(struct preset_shape), "shapecode_", "shape_"},
};

size_t preset_group_count(enum preset_group group)
{
    return groups[group].count;
}

size_t preset_group_offset(enum preset_group group, size_t index)
{
    assert(index < groups[group].count);
    return groups[group].offset + index * groups[group].stride;
}

const void *preset_group_at(const struct preset *preset, enum preset_group group, size_t index)
{
    return (const unsigned char *)preset + preset_group_offset(group, index);
}

const struct base_source *preset_block_source(const struct preset_block *block,
                                              const struct preset *preset, size_t index)
{
    const unsigned char *owner = preset_group_at(preset, block->group, index);
    return (const void *)(owner + block->offset);
}

double preset_key_get(const struct preset_key *key, const void *base)
{
    const unsigned char *field = (const unsigned char *)base + key->offset;
    if (key->type == PRESET_TYPE_IS_FLOAT) {
        float value;
        memcpy(&value, field, sizeof value);
        return (double)value;
    }
    int32_t value;
    memcpy(&value, field, sizeof value);
    return (double)value;
}

double preset_key_limit(const struct preset_key *key, double value)
{
    switch (key->type) {
    case PRESET_TYPE_IS_FLOAT:
        return (double)(float)fmin(fmax(value, -(double)FLT_MAX), (double)FLT_MAX);
    case PRESET_TYPE_IS_INT:
        return fmin(fmax(round(value), (double)INT32_MIN), (double)INT32_MAX);
    case PRESET_TYPE_IS_SWITCH:
        return round(value) != 0 ? 1 : 0;
    }
    return value;
}

void preset_key_set(const struct preset_key *key, void *base, double value)
{
    unsigned char *field = (unsigned char *)base + key->offset;
    if (key->type == PRESET_TYPE_IS_FLOAT) {
        const float number = (float)value;
        memcpy(field, &number, sizeof number);
        return;
    }
    const int32_t number =
        key->type == PRESET_TYPE_IS_SWITCH ? (int32_t)(value != 0.0) : (int32_t)value;
    memcpy(field, &number, sizeof number);
}

static void full_name(const char *prefix, size_t index, const char *rest, char *name)
{
    if (prefix[0] == '\0') {
        (void)snprintf(name, PRESET_NAME_MAX, "%s", rest);
    } else {
        (void)snprintf(name, PRESET_NAME_MAX, "%s%zu_%s", prefix, index, rest);
    }
}

void preset_key_name(const struct preset_key *key, size_t index, char name[PRESET_NAME_MAX])
{
    full_name(groups[key->group].key_prefix, index, key->key, name);
}

void preset_block_name(const struct preset_block *block, size_t index, char name[PRESET_NAME_MAX])
{
    full_name(groups[block->group].block_prefix, index, block->name, name);
}

enum { NAME_ROWS = PRESET_KEY_ROWS + PRESET_VERSION_ROWS + PRESET_BLOCK_ROWS };
static_assert(NAME_ROWS < UINT8_MAX && NAME_ROWS * 2 < PRESET_NAMES_SIZE, "room for all names");

/* Names of one family are distinct; the families' spellings may overlap. */
struct family {
    enum preset_group group;
    bool block;
};

struct row_name {
    struct family family;
    struct base_span text;
};

static struct row_name row_name(size_t row)
{
    if (row < PRESET_KEY_ROWS) {
        const struct preset_key *key = &preset_keys[row];
        return (struct row_name){{key->group, false}, base_span_of(key->key)};
    }
    row -= PRESET_KEY_ROWS;
    if (row < PRESET_VERSION_ROWS) {
        return (struct row_name){{PRESET_GROUP_PRESET, false},
                                 base_span_of(preset_version_keys[row].key)};
    }
    const struct preset_block *block = &preset_blocks[row - PRESET_VERSION_ROWS];
    return (struct row_name){{block->group, true}, base_span_of(block->name)};
}

/* FNV-1a over letters in one case. */
static size_t hash(struct family family, struct base_span text)
{
    uint32_t value = 2166136261u + (uint32_t)family.group * 2 + (family.block ? 1 : 0);
    for (size_t i = 0; i < text.size; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        value = (value ^ (c >= 'A' && c <= 'Z' ? c + 32u : c)) * 16777619u;
    }
    return (value ^ value >> 16) % PRESET_NAMES_SIZE;
}

void preset_names_init(struct preset_names *names)
{
    *names = (struct preset_names){0};
    for (size_t row = 0; row < NAME_ROWS; row++) {
        const struct row_name name = row_name(row);
        size_t place = hash(name.family, name.text);
        while (names->rows[place] != 0) {
            place = (place + 1) % PRESET_NAMES_SIZE;
        }
        names->rows[place] = (uint8_t)(row + 1);
    }
}

/* Returns row + 1, or 0. *exact is only cleared. */
static size_t look_up(const struct preset_names *names, struct family family, struct base_span text,
                      bool *exact)
{
    size_t place = hash(family, text);
    for (; names->rows[place] != 0; place = (place + 1) % PRESET_NAMES_SIZE) {
        const size_t row = names->rows[place] - 1u;
        const struct row_name name = row_name(row);
        if (name.family.group == family.group && name.family.block == family.block &&
            base_span_equal_nocase(name.text, text)) {
            *exact = *exact && base_span_equal(name.text, text);
            return row + 1;
        }
    }
    return 0;
}

/* A key cut into what its family leaves open. */
struct parts {
    struct family family;
    uint32_t index;
    bool exact;
    struct base_span rest;
};

static struct parts cut(struct base_span key, bool block)
{
    static const enum preset_group numbered[] = {PRESET_GROUP_WAVE, PRESET_GROUP_SHAPE};
    for (size_t i = 0; i < sizeof numbered / sizeof numbered[0]; i++) {
        const enum preset_group group = numbered[i];
        const struct base_span prefix =
            base_span_of(block ? groups[group].block_prefix : groups[group].key_prefix);
        if (key.size < prefix.size + 2) {
            continue;
        }
        const struct base_span start = {key.data, prefix.size};
        const char digit = key.data[prefix.size];
        if (base_span_equal_nocase(start, prefix) && digit >= '0' && digit <= '9' &&
            key.data[prefix.size + 1] == '_' && (size_t)(digit - '0') < preset_group_count(group)) {
            return (struct parts){
                .family = {group, block},
                .index = (uint32_t)(digit - '0'),
                .exact = base_span_equal(start, prefix),
                .rest = {key.data + prefix.size + 2, key.size - prefix.size - 2},
            };
        }
    }
    return (struct parts){{PRESET_GROUP_PRESET, block}, 0, true, key};
}

/* The program line that a key with a number at its end names. */
static struct preset_name find_line(const struct preset_names *names, struct base_span key)
{
    size_t start = key.size;
    while (start > 0 && key.data[start - 1] >= '0' && key.data[start - 1] <= '9') {
        start--;
    }
    if (start == key.size) {
        return (struct preset_name){0};
    }
    struct parts parts = cut((struct base_span){key.data, start}, true);
    const size_t found = look_up(names, parts.family, parts.rest, &parts.exact);
    if (found == 0) {
        return (struct preset_name){0};
    }
    uint64_t number = 0;
    for (size_t i = start; i < key.size && number < UINT32_MAX; i++) {
        number = number * 10 + (uint64_t)(key.data[i] - '0');
    }
    return (struct preset_name){
        .kind = key.data[start] == '0' ? PRESET_NAME_MISNUMBERED : PRESET_NAME_LINE,
        .exact = parts.exact,
        .row = (uint32_t)(found - 1) - PRESET_KEY_ROWS - PRESET_VERSION_ROWS,
        .index = parts.index,
        .line = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX,
    };
}

struct preset_name preset_names_find(const struct preset_names *names, struct base_span key)
{
    struct parts parts = cut(key, false);
    const size_t found = look_up(names, parts.family, parts.rest, &parts.exact);
    if (found == 0) {
        return find_line(names, key);
    }
    return (struct preset_name){PRESET_NAME_NUMBER, parts.exact, (uint32_t)(found - 1), parts.index,
                                0};
}

/* ---- writing ---- */

struct output {
    char *text;
    size_t size;
    size_t capacity;
    bool failed;
};

/* Keeps room for a NUL behind the bytes. */
static char *room(struct output *output, size_t size)
{
    if (output->failed) {
        return NULL;
    }
    if (size >= output->capacity - output->size) {
        const size_t capacity = (output->capacity + size + 4096) * 2;
        char *text = realloc(output->text, capacity);
        if (text == NULL) {
            output->failed = true;
            return NULL;
        }
        output->text = text;
        output->capacity = capacity;
    }
    char *place = output->text + output->size;
    output->size += size;
    output->text[output->size] = '\0';
    return place;
}

static void put_bytes(struct output *output, const char *bytes, size_t size)
{
    char *place = room(output, size);
    if (place != NULL && size > 0) {
        memcpy(place, bytes, size);
    }
}

/* For lines of keys.def and the tables, which are short. */
static void put_format(struct output *output, const char *format, ...)
{
    char line[160];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0) {
        put_bytes(output, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
    }
}

static void put_group(struct output *output, const struct preset *preset, enum preset_group group,
                      size_t index)
{
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        const struct preset_key *key = &preset_keys[i];
        if (key->group != group) {
            continue;
        }
        char name[PRESET_NAME_MAX];
        char number[PRESET_NUMBER_TEXT];
        const double value = preset_key_get(key, preset_group_at(preset, group, index));
        preset_key_name(key, index, name);
        if (key->type == PRESET_TYPE_IS_FLOAT) {
            preset_format_float((float)value, number);
        } else {
            (void)snprintf(number, sizeof number, "%.0f", value);
        }
        put_format(output, "%s=%s\n", name, number);
    }
}

static void put_group_blocks(struct output *output, const struct preset *preset,
                             enum preset_group group, size_t index)
{
    for (size_t row = 0; row < PRESET_BLOCK_ROWS; row++) {
        const struct preset_block *block = &preset_blocks[row];
        if (block->group != group) {
            continue;
        }
        const struct base_source *source = preset_block_source(block, preset, index);
        char name[PRESET_NAME_MAX];
        preset_block_name(block, index, name);
        for (size_t i = 0; i < source->count; i++) {
            /* Shader lines begin with a backquote, and so does a line that has one of its own to
             * keep. Line ends within would end the line. */
            const struct base_span code = source->lines[i].text;
            const bool quoted = block->shader || (code.size > 0 && code.data[0] == '`');
            put_format(output, "%s%zu=%s", name, i + 1, quoted ? "`" : "");
            char *place = room(output, code.size);
            for (size_t j = 0; place != NULL && j < code.size; j++) {
                const char c = code.data[j];
                place[j] = c == '\n' || c == '\r' || c == '\0' ? ' ' : c;
            }
            put_bytes(output, "\n", 1);
        }
    }
}

static void put_groups(struct output *output, const struct preset *preset, enum preset_group group)
{
    for (size_t i = 0; i < preset_group_count(group); i++) {
        put_group(output, preset, group, i);
        put_group_blocks(output, preset, group, i);
    }
}

char *preset_write(const struct preset *preset, size_t *size)
{
    struct output output = {0};
    if (preset->language == PRESET_LANGUAGE_BOARD) {
        put_bytes(&output, preset->text.data, preset->text.size);
        *size = output.size;
        return output.text;
    }
    if (preset->version != 100) {
        put_format(&output, "MILKDROP_PRESET_VERSION=%d\n", (int)preset->version);
    }
    if (preset->version >= 200) {
        const int32_t warp = preset->warp_shader;
        const int32_t comp = preset->comp_shader;
        put_format(&output, "PSVERSION=%d\n", (int)(warp > comp ? warp : comp));
        put_format(&output, "PSVERSION_WARP=%d\n", (int)warp);
        put_format(&output, "PSVERSION_COMP=%d\n", (int)comp);
    }
    put_format(&output, "[preset00]\n");
    put_group(&output, preset, PRESET_GROUP_PRESET, 0);
    put_groups(&output, preset, PRESET_GROUP_WAVE);
    put_groups(&output, preset, PRESET_GROUP_SHAPE);
    put_group_blocks(&output, preset, PRESET_GROUP_PRESET, 0);
    if (output.failed) {
        free(output.text);
        return NULL;
    }
    *size = output.size;
    return output.text;
}

/* ---- comparison ---- */

static bool equal_sources(const struct base_source *a, const struct base_source *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (!base_span_equal(a->lines[i].text, b->lines[i].text)) {
            return false;
        }
    }
    return true;
}

bool preset_equal(const struct preset *a, const struct preset *b)
{
    if (a->language != b->language || a->binding_count != b->binding_count ||
        a->version != b->version || a->warp_shader != b->warp_shader ||
        a->comp_shader != b->comp_shader) {
        return false;
    }
    for (size_t i = 0; i < a->binding_count; i++) {
        const struct preset_binding *one = &a->bindings[i];
        const struct preset_binding *other = &b->bindings[i];
        if (strcmp(one->variable, other->variable) != 0 || one->element != other->element ||
            one->way != other->way || one->channel != other->channel ||
            one->controller != other->controller || one->initial != other->initial) {
            return false;
        }
    }
    for (size_t i = 0; i < PRESET_IMAGES; i++) {
        const char *one = a->images[i];
        const char *other = b->images[i];
        if (one != other && (one == NULL || other == NULL || strcmp(one, other) != 0)) {
            return false;
        }
    }
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        const struct preset_key *key = &preset_keys[i];
        for (size_t index = 0; index < preset_group_count(key->group); index++) {
            if (preset_key_get(key, preset_group_at(a, key->group, index)) !=
                preset_key_get(key, preset_group_at(b, key->group, index))) {
                return false;
            }
        }
    }
    for (size_t i = 0; i < PRESET_BLOCK_ROWS; i++) {
        const struct preset_block *block = &preset_blocks[i];
        for (size_t index = 0; index < preset_group_count(block->group); index++) {
            if (!equal_sources(preset_block_source(block, a, index),
                               preset_block_source(block, b, index))) {
                return false;
            }
        }
    }
    return true;
}
