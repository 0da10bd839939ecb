/* Names and what they mean: the table of them, those of samplers, what is built in; objects, slots,
 * and the joining of what branches did. */
#include "renderer/shader/lower/scope.h"

#include <assert.h>
#include <string.h>

#include "renderer/shader/lower/lower.h"

/* ---- names ---- */

enum { ROWS = sizeof(((struct shader_names *)0)->rows) / sizeof(struct shader_names_row) };

/* The row of the name, or the free one where it belongs. */
static size_t row_of(const struct shader_names *names, struct base_span name)
{
    uint32_t hash = UINT32_C(2166136261); /* FNV-1a */
    for (size_t k = 0; k < name.size; k++) {
        hash = (hash ^ (unsigned char)name.data[k]) * UINT32_C(16777619);
    }
    size_t row = (hash ^ hash >> 15) & (ROWS - 1);
    while (names->rows[row].name.size > 0 && !base_span_equal(names->rows[row].name, name)) {
        row = (row + 1) & (ROWS - 1);
    }
    return row;
}

void shader_names_add(struct shader_names *names, const char *name, uint16_t number)
{
    const struct base_span span = base_span_of(name);
    struct shader_names_row *row = &names->rows[row_of(names, span)];
    if (row->name.size == 0) {
        *row = (struct shader_names_row){span, number};
    }
}

uint16_t shader_names_find(const struct shader_names *names, struct base_span name)
{
    const struct shader_names_row *row = &names->rows[row_of(names, name)];
    return row->name.size > 0 ? row->number : SHADER_NAMES_NONE;
}

static bool begins(struct base_span name, const char *with)
{
    const size_t size = strlen(with);
    return name.size >= size && memcmp(name.data, with, size) == 0;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static struct base_span skip(struct base_span name, size_t count)
{
    return (struct base_span){name.data + count, name.size - count};
}

static bool names_sampler(struct base_span name)
{
    return begins(name, "sampler_");
}

bool shader_names_size(struct base_span name)
{
    return begins(name, "texsize_");
}

int shader_blur_level(const char *texture)
{
    const bool blur = strncmp(texture, "blur", 4) == 0 && texture[4] >= '1' && texture[4] <= '3' &&
                      texture[5] == '\0';
    return blur ? texture[4] - '0' : 0;
}

/* What a letter of a prefix sets: filter (1), addressing (2), or nothing (0). */
static int letter(char c, struct shader_sampler *sampler)
{
    switch (lower(c)) {
    case 'f':
    case 'p':
        sampler->linear = lower(c) == 'f';
        return 1;
    case 'w':
    case 'c':
        sampler->address = lower(c) == 'w' ? SHADER_REPEAT : SHADER_CLAMP;
        return 2;
    default:
        return 0;
    }
}

bool shader_sampler_name(struct base_span name, struct shader_sampler_name *result)
{
    *result = (struct shader_sampler_name){.sampler = {.linear = true, .address = SHADER_REPEAT}};
    if (names_sampler(name) || shader_names_size(name)) {
        name = skip(name, strlen("sampler_"));
    }
    struct shader_sampler prefix = result->sampler;
    bool prefixed = false;
    if (name.size > 3 && name.data[2] == '_') {
        prefixed = letter(name.data[0], &prefix) + letter(name.data[1], &prefix) == 3;
        name = skip(name, 3);
    }
    if (name.size == 0 || name.size >= sizeof result->texture) {
        return false;
    }
    for (size_t k = 0; k < name.size; k++) {
        result->texture[k] = lower(name.data[k]);
    }
    const bool blur = shader_blur_level(result->texture) > 0;
    if (prefixed) {
        result->sampler = prefix;
    } else if (blur) {
        result->sampler.address = SHADER_CLAMP;
    }
    result->flat = blur || strcmp(result->texture, "main") == 0;
    result->volume = strncmp(result->texture, "noisevol_", 9) == 0;
    return true;
}

/* spec/milk-rendering.md section 9.1 and 9.2. */
struct builtin {
    const char *name;
    uint8_t rows;
    uint8_t columns;
    bool reserved;
    uint16_t slot;
};

static const struct builtin uniforms[] = {
#define SHADER_UNIFORM(name, rows, columns, reserved)                                              \
    {#name, rows, columns, reserved, SHADER_SLOT_##name},
#include "renderer/shader/ir/uniforms.def"
};

enum { UNIFORMS = sizeof uniforms / sizeof uniforms[0], HUE = 4 };

static const struct builtin inputs[SHADER_STAGES][HUE + 1] = {
    [SHADER_WARP] = {{"uv", 1, 2, true, SHADER_SLOTS + SHADER_INPUT_U},
                     {"uv_orig", 1, 2, true, SHADER_SLOTS + SHADER_INPUT_U_ORIG},
                     {"rad", 1, 1, true, SHADER_SLOTS + SHADER_INPUT_RAD},
                     {"ang", 1, 1, true, SHADER_SLOTS + SHADER_INPUT_ANG}},
    [SHADER_COMP] = {{"uv", 1, 2, true, SHADER_SLOTS + SHADER_INPUT_U},
                     {"uv_orig", 1, 2, true, SHADER_SLOTS + SHADER_INPUT_U},
                     {"rad", 1, 1, true, SHADER_SLOTS + SHADER_INPUT_RAD},
                     {"ang", 1, 1, true, SHADER_SLOTS + SHADER_INPUT_ANG},
                     {"hue_shader", 1, 3, true, SHADER_SLOTS + SHADER_INPUT_HUE_R}},
};

static const struct constant {
    const char *name;
    float value;
} constants[] = {
    {"M_PI", 3.14159265359f},
    {"M_PI_2", 6.28318530718f},
    {"M_INV_PI_2", 0.159154943091895f},
};
enum { CONSTANTS = sizeof constants / sizeof constants[0] };

void shader_add_builtins(struct shader_lowering *lowering)
{
    struct shader_names *names = &lowering->builtins;
    for (uint16_t k = 0; k < UNIFORMS; k++) {
        shader_names_add(names, uniforms[k].name, k);
    }
    const struct builtin *of_stage = inputs[lowering->stage];
    for (uint16_t k = 0; k <= HUE && of_stage[k].name != NULL; k++) {
        shader_names_add(names, of_stage[k].name, (uint16_t)(UNIFORMS + k));
    }
    for (uint16_t k = 0; k < CONSTANTS; k++) {
        shader_names_add(names, constants[k].name, (uint16_t)(UNIFORMS + HUE + 1 + k));
    }
}

static const struct builtin *builtin_of(const struct shader_lowering *lowering, uint16_t number)
{
    if (number < UNIFORMS) {
        return &uniforms[number];
    }
    return number <= UNIFORMS + HUE ? &inputs[lowering->stage][number - UNIFORMS] : NULL;
}

bool shader_builtin_object(const struct shader_lowering *lowering, struct base_span name,
                           struct shader_object *object)
{
    const struct builtin *builtin =
        builtin_of(lowering, shader_names_find(&lowering->builtins, name));
    if (builtin == NULL) {
        return false;
    }
    *object = (struct shader_object){
        .name = name, .type = shader_vector(SHADER_FLOAT, builtin->columns), .slot = builtin->slot};
    object->type.rows = builtin->rows;
    object->type.matrix = builtin->rows > 1;
    return true;
}

static bool texture_size(struct shader_lowering *lowering, struct base_span name,
                         struct base_place place, struct shader_operand *size)
{
    struct shader_sampler_name sampler;
    unsigned binding = 0;
    size->type = shader_vector(SHADER_FLOAT, 4);
    if (!shader_sampler_name(name, &sampler)) {
        shader_fail(lowering, place, NULL, "'%.*s' names no texture", (int)name.size, name.data);
        return false;
    }
    if (strcmp(sampler.texture, "main") == 0) {
        for (unsigned k = 0; k < 4; k++) {
            size->part[k] = shader_ir_indexed(lowering->ir, SHADER_OP_UNIFORM,
                                              (unsigned)SHADER_SLOT_texsize + k);
        }
        return true;
    }
    /* It is a volume, too, if a sampler of it was declared as one. */
    const struct shader_scope *scope = &lowering->scope;
    bool volume = sampler.volume;
    for (size_t k = 0; k < scope->global_count && !volume; k++) {
        const struct shader_sampler_name *declared = scope->objects[k].sampler;
        volume =
            declared != NULL && declared->volume && strcmp(declared->texture, sampler.texture) == 0;
    }
    if (!shader_ir_binding(lowering->ir, sampler.texture, volume, &binding)) {
        shader_fail(lowering, place, NULL, "more than %d textures", SHADER_TEXTURES_MAX);
        return false;
    }
    for (unsigned k = 0; k < 4; k++) {
        size->part[k] =
            shader_ir_indexed(lowering->ir, SHADER_OP_UNIFORM, SHADER_SLOTS + 4 * binding + k);
    }
    return true;
}

bool shader_builtin_number(struct shader_lowering *lowering, struct base_span name,
                           struct base_place place, struct shader_operand *number)
{
    const uint16_t found = shader_names_find(&lowering->builtins, name);
    if (found != SHADER_NAMES_NONE && found > UNIFORMS + HUE) {
        *number = shader_make_scalar(
            SHADER_FLOAT,
            shader_ir_number(lowering->ir, constants[found - UNIFORMS - HUE - 1].value));
        return true;
    }
    return shader_names_size(name) && texture_size(lowering, name, place, number);
}

const char *shader_reserved(const struct shader_lowering *lowering, struct base_span name,
                            bool function)
{
    const uint16_t found = shader_names_find(&lowering->builtins, name);
    const struct builtin *builtin = builtin_of(lowering, found);
    if ((builtin != NULL && builtin->reserved) || (builtin == NULL && found != SHADER_NAMES_NONE) ||
        shader_intrinsic_reserved(lowering, name, function)) {
        return "it is there already in every shader; choose another name";
    }
    return NULL;
}

const struct shader_sampler_name *shader_sampler_of(struct shader_lowering *lowering,
                                                    const struct shader_expression *expression)
{
    const struct base_span name = expression->name;
    if (expression->kind != SHADER_E_NAME) {
        shader_fail(lowering, expression->place, "as in tex2D(sampler_main, uv)",
                    "a sampler is missing here");
        return NULL;
    }
    const struct shader_object *object = shader_scope_find(&lowering->scope, name);
    if (object != NULL && object->sampler != NULL) {
        return object->sampler;
    }
    struct shader_sampler_name *sampler = shader_work_array(lowering, 1, sizeof *sampler);
    if (sampler == NULL) {
        return NULL;
    }
    if (!names_sampler(name) || object != NULL || !shader_sampler_name(name, sampler)) {
        shader_fail(lowering, expression->place, "as in tex2D(sampler_main, uv)",
                    "'%.*s' is no sampler", (int)(name.size < 64 ? name.size : 64), name.data);
        return NULL;
    }
    return sampler;
}

/* ---- objects and slots ---- */

static bool grow(struct shader_scope *scope, void *array_pointer, size_t *capacity, size_t wanted,
                 size_t size)
{
    void *array;
    memcpy(&array, array_pointer, sizeof array);
    if (wanted > *capacity) {
        const size_t doubled = *capacity * 2;
        array = base_arena_grow(scope->arena, array, capacity, wanted > doubled ? wanted : doubled,
                                size);
        if (array == NULL) {
            return false;
        }
        memcpy(array_pointer, &array, sizeof array);
    }
    return true;
}

static bool grow_slots(struct shader_scope *scope, size_t wanted)
{
    return grow(scope, &scope->slots, &scope->slot_capacity, wanted, sizeof *scope->slots);
}

bool shader_scope_init(struct shader_scope *scope, struct shader_ir *ir, struct base_arena *arena)
{
    *scope = (struct shader_scope){.arena = arena, .ir = ir, .region_count = 1};
    if (!grow_slots(scope, 1024) ||
        !grow(scope, &scope->objects, &scope->object_capacity, 128, sizeof *scope->objects) ||
        !grow(scope, &scope->changes, &scope->change_capacity, 256, sizeof *scope->changes)) {
        return false;
    }
    for (size_t k = 0; k < SHADER_FIRST_SLOT; k++) {
        scope->slots[k] = (struct shader_slot_state){SHADER_NO_VALUE, SHADER_NO_VALUE, 0, false};
    }
    scope->slot_count = SHADER_FIRST_SLOT;
    return true;
}

static struct shader_object *find(const struct shader_scope *scope, struct base_span name,
                                  size_t from, size_t to)
{
    for (size_t k = to; k-- > from;) {
        if (base_span_equal(scope->objects[k].name, name)) {
            return &scope->objects[k];
        }
    }
    return NULL;
}

struct shader_object *shader_scope_find(const struct shader_scope *scope, struct base_span name)
{
    struct shader_object *found = find(scope, name, scope->frame, scope->object_count);
    return found != NULL || scope->frame == 0 ? found : find(scope, name, 0, scope->global_count);
}

struct shader_object *shader_scope_find_in_block(const struct shader_scope *scope,
                                                 struct base_span name)
{
    return find(scope, name, scope->block, scope->object_count);
}

/* The first of count new slots, SHADER_NO_SLOT if there is no room. */
static uint32_t add_slots(struct shader_scope *scope, size_t count, enum shader_base base,
                          bool exit)
{
    if (scope->slot_count + count > SHADER_SLOTS_MAX ||
        !grow_slots(scope, scope->slot_count + count)) {
        return SHADER_NO_SLOT;
    }
    const shader_value value =
        base == SHADER_BOOL ? shader_ir_truth(scope->ir, false) : shader_ir_number(scope->ir, 0.0f);
    for (size_t k = 0; k < count; k++) {
        scope->slots[scope->slot_count + k] =
            (struct shader_slot_state){value, SHADER_NO_VALUE, scope->region, exit};
    }
    scope->slot_count += count;
    return (uint32_t)(scope->slot_count - count);
}

struct shader_object *shader_scope_add(struct shader_scope *scope,
                                       const struct shader_object *object)
{
    if (!grow(scope, &scope->objects, &scope->object_capacity, scope->object_count + 1,
              sizeof *scope->objects)) {
        return NULL;
    }
    const struct shader_type type = object->type;
    const size_t elements = type.length > 0 ? type.length : 1;
    const size_t count =
        type.base == SHADER_SAMPLER ? 0 : (size_t)type.rows * type.columns * elements;
    const uint32_t slot = add_slots(scope, count, type.base, false);
    if (slot == SHADER_NO_SLOT) {
        return NULL;
    }
    struct shader_object *added = &scope->objects[scope->object_count++];
    *added = *object;
    added->slot = slot;
    return added;
}

uint32_t shader_scope_slot(struct shader_scope *scope, enum shader_base base, bool exit)
{
    return add_slots(scope, 1, base, exit);
}

struct shader_block shader_scope_enter(struct shader_scope *scope, bool function)
{
    const struct shader_block block = {scope->object_count, scope->slot_count, scope->frame,
                                       scope->block};
    scope->block = scope->object_count;
    if (function) {
        scope->frame = scope->object_count;
    }
    return block;
}

void shader_scope_leave(struct shader_scope *scope, struct shader_block block)
{
    scope->object_count = block.objects;
    scope->slot_count = block.slots;
    scope->frame = block.frame;
    scope->block = block.block;
}

shader_value shader_slot_get(struct shader_scope *scope, uint32_t slot)
{
    const shader_value value = scope->slots[slot].value;
    if (value != SHADER_NO_VALUE) {
        return value;
    }
    return slot < SHADER_SLOTS ? shader_ir_indexed(scope->ir, SHADER_OP_UNIFORM, slot)
                               : shader_ir_indexed(scope->ir, SHADER_OP_INPUT, slot - SHADER_SLOTS);
}

void shader_slot_set(struct shader_scope *scope, uint32_t slot, shader_value value)
{
    struct shader_slot_state *state = &scope->slots[slot];
    if (state->region != scope->region) {
        if (!grow(scope, &scope->changes, &scope->change_capacity, scope->change_count + 1,
                  sizeof *scope->changes)) {
            return;
        }
        scope->changes[scope->change_count++] =
            (struct shader_change){slot, state->region, state->value};
        state->region = scope->region;
    }
    state->value = value;
}

struct shader_region shader_region_open(struct shader_scope *scope)
{
    const struct shader_region region = {scope->region, scope->region_count++, scope->change_count,
                                         scope->slot_count};
    scope->region = region.inner;
    return region;
}

void shader_region_close(struct shader_scope *scope, const struct shader_region *region)
{
    assert(scope->region == region->inner);
    size_t kept = region->first_change;
    for (size_t k = region->first_change; k < scope->change_count; k++) {
        const struct shader_change change = scope->changes[k];
        struct shader_slot_state *state = &scope->slots[change.slot];
        if (change.slot < region->slots) {
            scope->changes[kept++] = (struct shader_change){change.slot, 0, state->value};
            state->value = change.value;
            state->region = change.region;
        }
    }
    scope->change_count = kept;
    scope->region = region->outer;
}

void shader_region_drop(struct shader_scope *scope, const struct shader_region *region)
{
    scope->change_count = region->first_change;
}

/* Here and below a change is read before what it leads to is pushed: each leads to one at most, so
 * that the stack never overtakes. */
void shader_region_keep(struct shader_scope *scope, const struct shader_region *region)
{
    const size_t end = scope->change_count;
    scope->change_count = region->first_change;
    for (size_t k = region->first_change; k < end; k++) {
        const struct shader_change change = scope->changes[k];
        shader_slot_set(scope, change.slot, change.value);
    }
}

/* What the slot holds for those who came one way and for the others. */
static void join(struct shader_scope *scope, shader_value condition, uint32_t slot,
                 shader_value yes, shader_value no)
{
    const shader_value value = yes == no ? yes : shader_ir_select(scope->ir, condition, yes, no);
    if (value != scope->slots[slot].value) {
        shader_slot_set(scope, slot, value);
    }
}

void shader_region_join(struct shader_scope *scope, shader_value condition,
                        const struct shader_region *first, const struct shader_region *second,
                        bool rest)
{
    const size_t end = scope->change_count;
    const size_t middle = second != NULL ? second->first_change : end;
    for (size_t k = middle; k < end; k++) {
        scope->slots[scope->changes[k].slot].other = scope->changes[k].value;
    }
    scope->change_count = first->first_change;
    for (size_t k = first->first_change; k < middle; k++) {
        const struct shader_change change = scope->changes[k];
        struct shader_slot_state *state = &scope->slots[change.slot];
        const shader_value other = state->other;
        state->other = SHADER_NO_VALUE;
        float known;
        if (rest && state->exit && shader_ir_known(scope->ir, change.value, &known) &&
            known == 0.0f) {
            continue; /* who came here had not left; the others have */
        }
        join(scope, condition, change.slot, change.value,
             other != SHADER_NO_VALUE ? other : shader_slot_get(scope, change.slot));
    }
    for (size_t k = middle; k < end; k++) {
        const struct shader_change change = scope->changes[k];
        struct shader_slot_state *state = &scope->slots[change.slot];
        if (state->other != SHADER_NO_VALUE) {
            state->other = SHADER_NO_VALUE;
            join(scope, condition, change.slot, shader_slot_get(scope, change.slot), change.value);
        }
    }
}
