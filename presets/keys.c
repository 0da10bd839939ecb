#include "presets/keys.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define OWNER_PRESET preset
#define OWNER_WAVE   preset_wave
#define OWNER_SHAPE  preset_shape

#define PRESET_KEY(group, field, type, key, fallback, low, high, variable)                         \
    {PRESET_GROUP_##group,                                                                         \
     PRESET_TYPE_IS_##type,                                                                        \
     key,                                                                                          \
     variable,                                                                                     \
     fallback,                                                                                     \
     low,                                                                                          \
     high,                                                                                         \
     offsetof(struct OWNER_##group, field)},
const struct preset_key preset_keys[PRESET_KEY_ROWS] = {
#include "presets/keys.def"
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
    const char *key_prefix;
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

const char *preset_key_prefix(enum preset_group group)
{
    return groups[group].key_prefix;
}

const char *preset_block_prefix(enum preset_group group)
{
    return groups[group].block_prefix;
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
