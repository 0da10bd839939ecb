/* Objects, slots, and the joining of what branches did. */
#include "renderer/shader/lower/scope.h"

#include <assert.h>

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
