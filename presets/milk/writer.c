#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "presets/milk/keys.h"
#include "presets/milk/lines.h"
#include "presets/milk/preset.h"

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

/* Shader lines begin with a backquote, and so does a line that has one of its own to keep. */
static void put_block(struct output *output, const struct preset_block *block, size_t index,
                      const struct base_source *source)
{
    char name[PRESET_NAME_MAX];
    preset_block_name(block, index, name);
    for (size_t i = 0; i < source->count; i++) {
        const struct base_span code = source->lines[i].text;
        const bool quoted = block->shader || (code.size > 0 && code.data[0] == '`');
        put_format(output, "%s%zu=%s", name, i + 1, quoted ? "`" : "");
        char *place = room(output, code.size);
        for (size_t j = 0; place != NULL && j < code.size; j++) {
            const char c = code.data[j];
            place[j] = c == '\n' || c == '\r' || c == '\0' ? ' ' : c; /* those would end the line */
        }
        put_bytes(output, "\n", 1);
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
    for (size_t i = 0; i < PRESET_BLOCK_ROWS; i++) {
        if (preset_blocks[i].group == group) {
            put_block(output, &preset_blocks[i], index,
                      preset_block_source(&preset_blocks[i], preset, index));
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
