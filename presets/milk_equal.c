#include "presets/keys.h"

static bool equal_keys(const struct preset_key *key, const struct preset *a, const struct preset *b)
{
    for (size_t i = 0; i < preset_group_count(key->group); i++) {
        if (preset_key_get(key, preset_group_at(a, key->group, i)) !=
            preset_key_get(key, preset_group_at(b, key->group, i))) {
            return false;
        }
    }
    return true;
}

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

static bool equal_blocks(const struct preset_block *block, const struct preset *a,
                         const struct preset *b)
{
    for (size_t i = 0; i < preset_group_count(block->group); i++) {
        if (!equal_sources(preset_block_source(block, a, i), preset_block_source(block, b, i))) {
            return false;
        }
    }
    return true;
}

static bool equal_bindings(const struct preset *a, const struct preset *b)
{
    for (size_t i = 0; a->binding_count == b->binding_count && i < a->binding_count; i++) {
        const struct preset_binding *one = &a->bindings[i];
        const struct preset_binding *other = &b->bindings[i];
        if (strcmp(one->variable, other->variable) != 0 || one->element != other->element ||
            one->way != other->way || one->channel != other->channel ||
            one->controller != other->controller || one->initial != other->initial) {
            return false;
        }
    }
    return a->binding_count == b->binding_count;
}

bool preset_equal(const struct preset *a, const struct preset *b)
{
    if (a->language != b->language || !equal_bindings(a, b) || a->version != b->version ||
        a->warp_shader != b->warp_shader || a->comp_shader != b->comp_shader) {
        return false;
    }
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        if (!equal_keys(&preset_keys[i], a, b)) {
            return false;
        }
    }
    for (size_t i = 0; i < PRESET_BLOCK_ROWS; i++) {
        if (!equal_blocks(&preset_blocks[i], a, b)) {
            return false;
        }
    }
    return true;
}
