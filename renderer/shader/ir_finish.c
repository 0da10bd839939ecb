#include "renderer/shader/ir_finish.h"

#include <assert.h>
#include <string.h>

/* Each round makes the list anew; most settle in the third. The last ones flatten no more, so that
 * conditions without a use are gone at the end. */
enum { ROUNDS = 8, FLATTENING_ROUNDS = 6 };

static bool has_moves(const struct shader_analysis *analysis)
{
    for (size_t k = 1; k < analysis->region_count; k++) {
        const struct shader_region *region = &analysis->regions[k];
        if (!region->needed || region->flat || region->moved[0] != SHADER_NO_VALUE) {
            return true;
        }
    }
    return false;
}

/* Makes `to` out of `from`. Whether another round may find more. */
static bool round_of(const struct shader_ir *from, struct shader_ir *to, struct base_arena *arena,
                     bool flatten)
{
    shader_ir_init(to, arena);
    memcpy(to->bindings, from->bindings, sizeof to->bindings);
    memcpy(to->fetches, from->fetches, sizeof to->fetches);
    to->binding_count = from->binding_count;
    to->fetch_count = from->fetch_count;
    struct shader_analysis analysis;
    shader_value *map = base_arena_array(arena, from->count, sizeof *map);
    if (map == NULL || !shader_analyse(&analysis, from, arena, flatten)) {
        to->failed = true;
        return false;
    }
    shader_rewrite(&analysis, to, map);
    return !to->failed && (to->count != from->count || has_moves(&analysis));
}

static void mark_uniforms(struct shader_ir *ir, bool *uniform)
{
    for (size_t v = 0; v < ir->count; v++) {
        uniform[v] = shader_is_uniform(&ir->list[v], uniform);
        ir->list[v].uniform = uniform[v];
    }
}

/* Fetches and bindings without a use are gone; the others keep their order. */

static void keep_bindings(struct shader_ir *ir, uint8_t *renamed, const bool *used)
{
    size_t kept = 0;
    for (size_t k = 0; k < ir->binding_count; k++) {
        if (used[k]) {
            ir->bindings[kept] = ir->bindings[k];
            renamed[k] = (uint8_t)kept++;
        }
    }
    ir->binding_count = kept;
}

static void keep_fetches(struct shader_ir *ir, uint8_t *renamed, const bool *used)
{
    size_t kept = 0;
    for (size_t k = 0; k < ir->fetch_count; k++) {
        if (used[k]) {
            ir->fetches[kept] = ir->fetches[k];
            renamed[k] = (uint8_t)kept++;
        }
    }
    ir->fetch_count = kept;
}

static bool is_size(const struct shader_instruction *instruction)
{
    return instruction->op == SHADER_OP_UNIFORM && instruction->index >= SHADER_SLOTS;
}

static void drop_unused(struct shader_ir *ir)
{
    bool fetch_used[SHADER_FETCHES_MAX] = {false};
    bool binding_used[SHADER_TEXTURES_MAX] = {false};
    uint8_t fetch_renamed[SHADER_FETCHES_MAX] = {0};
    uint8_t binding_renamed[SHADER_TEXTURES_MAX] = {0};
    for (size_t v = 0; v < ir->count; v++) {
        const struct shader_instruction *instruction = &ir->list[v];
        if (shader_op_reads(instruction->op)) {
            fetch_used[instruction->index] = true;
            binding_used[ir->fetches[instruction->index].binding] = true;
        } else if (is_size(instruction)) {
            binding_used[(instruction->index - SHADER_SLOTS) / 4] = true;
        }
    }
    keep_fetches(ir, fetch_renamed, fetch_used);
    keep_bindings(ir, binding_renamed, binding_used);
    for (size_t k = 0; k < ir->fetch_count; k++) {
        ir->fetches[k].binding = binding_renamed[ir->fetches[k].binding];
    }
    for (size_t v = 0; v < ir->count; v++) {
        struct shader_instruction *instruction = &ir->list[v];
        if (shader_op_reads(instruction->op)) {
            instruction->index = fetch_renamed[instruction->index];
        } else if (is_size(instruction)) {
            const unsigned place = instruction->index - (unsigned)SHADER_SLOTS;
            instruction->index =
                (uint16_t)(SHADER_SLOTS + 4u * binding_renamed[place / 4] + place % 4);
        }
    }
}

/* The two values that every list begins with may have no use. `renamed` is of all values. */
static void drop_beginning(struct shader_ir *ir, shader_value *renamed)
{
    bool used[2] = {ir->ret[0] == 0 || ir->ret[1] == 0 || ir->ret[2] == 0, false};
    for (size_t v = 0; v < ir->count; v++) {
        for (size_t k = 0; k < SHADER_ARGUMENTS; k++) {
            if (ir->list[v].argument[k] < 2) {
                used[ir->list[v].argument[k]] = true;
            }
        }
    }
    shader_value kept = 0;
    for (size_t v = 0; v < ir->count; v++) {
        renamed[v] = kept;
        if (v >= 2 || used[v]) {
            ir->list[kept++] = ir->list[v];
        }
    }
    ir->count = kept;
    for (size_t v = 0; v < ir->count; v++) {
        for (size_t k = 0; k < SHADER_ARGUMENTS; k++) {
            shader_value *argument = &ir->list[v].argument[k];
            *argument = *argument == SHADER_NO_VALUE ? SHADER_NO_VALUE : renamed[*argument];
        }
    }
    for (size_t k = 0; k < sizeof ir->ret / sizeof ir->ret[0]; k++) {
        ir->ret[k] = renamed[ir->ret[k]];
    }
}

/* The list of a round becomes the one of the caller, in the caller's arena. */
static bool take_over(struct shader_ir *ir, const struct shader_ir *made)
{
    struct shader_instruction *list = ir->list;
    if (made->count > ir->capacity) {
        list = base_arena_array(ir->arena, made->count, sizeof *list);
        if (list == NULL) {
            return false;
        }
        ir->capacity = made->count;
    }
    memcpy(list, made->list, made->count * sizeof *list);
    ir->list = list;
    ir->count = made->count;
    memcpy(ir->ret, made->ret, sizeof ir->ret);
    ir->table = NULL; /* the makers are done */
    return true;
}

void shader_ir_finish(struct shader_ir *ir)
{
    if (ir->failed) {
        return;
    }
    struct base_arena arena;
    base_arena_init(&arena, 0);
    struct shader_ir lists[2];
    const struct shader_ir *now = ir;
    bool more = true;
    for (int k = 0; k < ROUNDS && more; k++) {
        more = round_of(now, &lists[k % 2], &arena, k < FLATTENING_ROUNDS);
        now = &lists[k % 2];
    }
    bool *uniform = base_arena_array(&arena, now->count, sizeof *uniform);
    shader_value *renamed = base_arena_array(&arena, now->count, sizeof *renamed);
    ir->failed = now->failed || uniform == NULL || renamed == NULL || !take_over(ir, now);
    if (!ir->failed) {
        drop_unused(ir);
        drop_beginning(ir, renamed);
        mark_uniforms(ir, uniform);
    }
    base_arena_free(&arena);
}
