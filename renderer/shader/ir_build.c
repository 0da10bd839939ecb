#include "renderer/shader/ir_inside.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const struct shader_range anything = {-INFINITY, INFINITY, false, false};

enum shader_kind shader_ir_kind(const struct shader_ir *ir, shader_value value)
{
    if (value >= ir->count) {
        /* Without memory not even the first values are there. */
        return value == shader_ir_nothing(SHADER_KIND_B) ? SHADER_KIND_B : SHADER_KIND_F;
    }
    return shader_ops[ir->list[value].op].result;
}

bool shader_ir_known(const struct shader_ir *ir, shader_value value, float *number)
{
    if (value >= ir->count || ir->list[value].op > SHADER_OP_TRUTH) {
        return false;
    }
    if (number != NULL) {
        *number = ir->list[value].number;
    }
    return true;
}

shader_value shader_ir_number(struct shader_ir *ir, float number)
{
    struct shader_instruction instruction = shader_ir_blank(SHADER_OP_CONST);
    instruction.number = isnan(number) ? NAN : number;
    return shader_ir_intern(ir, &instruction, shader_range_of(ir, &instruction));
}

shader_value shader_ir_truth(struct shader_ir *ir, bool truth)
{
    struct shader_instruction instruction = shader_ir_blank(SHADER_OP_TRUTH);
    instruction.number = truth ? 1.0f : 0.0f;
    return shader_ir_intern(ir, &instruction, anything);
}

shader_value shader_ir_indexed(struct shader_ir *ir, enum shader_op op, unsigned index)
{
    assert(op == SHADER_OP_UNIFORM || op == SHADER_OP_INPUT);
    struct shader_instruction instruction = shader_ir_blank(op);
    instruction.index = (uint16_t)index;
    return shader_ir_intern(ir, &instruction, anything);
}

/* In assertions: without memory any kind will do. */
#define IS_KIND(ir, value, kind) ((ir)->failed || shader_ir_kind(ir, value) == (kind))

/* Constants stand on the right, else the older value on the left. */
static void order(const struct shader_ir *ir, shader_value *arguments)
{
    const bool first = shader_ir_known(ir, arguments[0], NULL);
    const bool second = shader_ir_known(ir, arguments[1], NULL);
    if (first == second ? arguments[0] > arguments[1] : first) {
        const shader_value swapped = arguments[0];
        arguments[0] = arguments[1];
        arguments[1] = swapped;
    }
}

static bool commutes(enum shader_op op)
{
    return op == SHADER_OP_ADD || op == SHADER_OP_MUL || op == SHADER_OP_EQ || op == SHADER_OP_NE ||
           op == SHADER_OP_AND || op == SHADER_OP_OR;
}

static shader_value make(struct shader_ir *ir, enum shader_op op, const shader_value *arguments)
{
    const char *kinds = shader_ops[op].arguments;
    struct shader_instruction instruction = shader_ir_blank(op);
    for (size_t k = 0; kinds[k] != '\0'; k++) {
        assert(ir->failed || "FBSN"[shader_ir_kind(ir, arguments[k])] == kinds[k]);
        instruction.argument[k] = arguments[k];
    }
    if (ir->failed) {
        return shader_ir_nothing(shader_ops[op].result);
    }
    if (commutes(op)) {
        order(ir, instruction.argument);
    }
    const shader_value folded = shader_ir_fold(ir, op, instruction.argument);
    return folded != SHADER_NO_VALUE
               ? folded
               : shader_ir_intern(ir, &instruction, shader_range_of(ir, &instruction));
}

shader_value shader_ir_unary(struct shader_ir *ir, enum shader_op op, shader_value a)
{
    assert(shader_op_arity(op) == 1 && op < SHADER_OP_SELECT);
    return make(ir, op, &a);
}

shader_value shader_ir_binary(struct shader_ir *ir, enum shader_op op, shader_value a,
                              shader_value b)
{
    assert(shader_op_arity(op) == 2 && op < SHADER_OP_SELECT);
    const shader_value arguments[2] = {a, b};
    return make(ir, op, arguments);
}

shader_value shader_ir_select(struct shader_ir *ir, shader_value condition, shader_value a,
                              shader_value b)
{
    const shader_value arguments[3] = {condition, a, b};
    return make(ir, shader_ir_kind(ir, a) == SHADER_KIND_B ? SHADER_OP_CHOOSE : SHADER_OP_SELECT,
                arguments);
}

/* A bias of 0 changes nothing. */
static enum shader_op without_bias(const struct shader_ir *ir, enum shader_op op,
                                   const shader_value *arguments)
{
    float bias = NAN;
    if (op == SHADER_OP_READ2_BIAS && shader_ir_known(ir, arguments[2], &bias) && bias == 0.0f) {
        return SHADER_OP_READ2;
    }
    if (op == SHADER_OP_READ3_BIAS && shader_ir_known(ir, arguments[3], &bias) && bias == 0.0f) {
        return SHADER_OP_READ3;
    }
    return op;
}

shader_value shader_ir_read(struct shader_ir *ir, enum shader_op op, unsigned fetch,
                            const shader_value *arguments)
{
    assert(shader_op_reads(op) && (ir->failed || fetch < ir->fetch_count));
    op = without_bias(ir, op, arguments);
    struct shader_instruction instruction = shader_ir_blank(op);
    instruction.index = (uint16_t)fetch;
    for (size_t k = 0; k < shader_op_arity(op); k++) {
        assert(IS_KIND(ir, arguments[k], SHADER_KIND_F));
        instruction.argument[k] = arguments[k];
    }
    return shader_ir_intern(ir, &instruction, anything);
}

shader_value shader_ir_part(struct shader_ir *ir, shader_value read, unsigned component)
{
    assert(IS_KIND(ir, read, SHADER_KIND_S) && component < 4);
    struct shader_instruction instruction = shader_ir_blank(SHADER_OP_PART);
    instruction.index = (uint16_t)component;
    instruction.argument[0] = read;
    return shader_ir_intern(ir, &instruction, shader_range_of(ir, &instruction));
}

bool shader_ir_binding(struct shader_ir *ir, const char *name, bool volume, unsigned *binding)
{
    assert(strlen(name) < SHADER_TEXTURE_NAME);
    size_t k = 0;
    while (k < ir->binding_count &&
           (strcmp(ir->bindings[k].name, name) != 0 || ir->bindings[k].volume != volume)) {
        k++;
    }
    if (k == SHADER_TEXTURES_MAX) {
        return false;
    }
    if (k == ir->binding_count) {
        struct shader_binding *made = &ir->bindings[ir->binding_count++];
        *made = (struct shader_binding){.volume = volume};
        memcpy(made->name, name, strlen(name));
    }
    *binding = (unsigned)k;
    return true;
}

static bool same_sampler(struct shader_sampler a, struct shader_sampler b)
{
    return a.linear == b.linear && a.address == b.address;
}

bool shader_ir_fetch(struct shader_ir *ir, const char *name, bool volume,
                     struct shader_sampler sampler, unsigned *fetch)
{
    unsigned binding;
    if (!shader_ir_binding(ir, name, volume, &binding)) {
        return false;
    }
    size_t k = 0;
    while (k < ir->fetch_count &&
           (ir->fetches[k].binding != binding || !same_sampler(ir->fetches[k].sampler, sampler))) {
        k++;
    }
    if (k == SHADER_FETCHES_MAX) {
        return false;
    }
    if (k == ir->fetch_count) {
        ir->fetches[ir->fetch_count++] =
            (struct shader_fetch){.binding = (uint8_t)binding, .sampler = sampler};
    }
    *fetch = (unsigned)k;
    return true;
}

/* Markers. An IF whose condition is known is none. */

static void append_marker(struct shader_ir *ir, enum shader_op op, shader_value argument)
{
    struct shader_instruction instruction = shader_ir_blank(op);
    instruction.argument[0] = argument;
    shader_ir_append(ir, &instruction, anything);
}

void shader_ir_if(struct shader_ir *ir, shader_value condition)
{
    assert(IS_KIND(ir, condition, SHADER_KIND_B));
    if (ir->failed) {
        return;
    }
    if (shader_ir_known(ir, condition, NULL)) {
        shader_ir_open(ir, SHADER_SCOPE_PLAIN);
        return;
    }
    append_marker(ir, SHADER_OP_IF, condition);
    shader_ir_open(ir, SHADER_SCOPE_PART);
}

void shader_ir_else(struct shader_ir *ir)
{
    if (ir->failed || shader_ir_innermost(ir) == SHADER_SCOPE_PLAIN) {
        return;
    }
    assert(shader_ir_innermost(ir) == SHADER_SCOPE_PART);
    shader_ir_close(ir);
    append_marker(ir, SHADER_OP_ELSE, SHADER_NO_VALUE);
    shader_ir_open(ir, SHADER_SCOPE_PART);
}

void shader_ir_endif(struct shader_ir *ir)
{
    if (!ir->failed && shader_ir_close(ir) == SHADER_SCOPE_PART) {
        append_marker(ir, SHADER_OP_ENDIF, SHADER_NO_VALUE);
    }
}

void shader_ir_loop(struct shader_ir *ir, shader_value mask)
{
    assert(IS_KIND(ir, mask, SHADER_KIND_B));
    if (!ir->failed) {
        append_marker(ir, SHADER_OP_LOOP, mask);
        shader_ir_open(ir, SHADER_SCOPE_LOOP);
    }
}

shader_value shader_ir_carry(struct shader_ir *ir, shader_value start)
{
    const enum shader_kind kind = shader_ir_kind(ir, start);
    assert(kind == SHADER_KIND_F || kind == SHADER_KIND_B);
    if (ir->failed) {
        return shader_ir_nothing(kind);
    }
    assert(ir->list[ir->count - 1].op == SHADER_OP_LOOP ||
           shader_op_carries(ir->list[ir->count - 1].op));
    struct shader_instruction instruction =
        shader_ir_blank(kind == SHADER_KIND_B ? SHADER_OP_CARRY_TRUTH : SHADER_OP_CARRY);
    instruction.argument[0] = start;
    return shader_ir_append(ir, &instruction, anything);
}

void shader_ir_carry_next(struct shader_ir *ir, shader_value carry, shader_value next)
{
    if (!ir->failed) {
        assert(shader_op_carries(ir->list[carry].op));
        assert(shader_ir_kind(ir, carry) == shader_ir_kind(ir, next));
        ir->list[carry].argument[1] = next;
    }
}

void shader_ir_while(struct shader_ir *ir, shader_value condition)
{
    assert(IS_KIND(ir, condition, SHADER_KIND_B));
    if (!ir->failed) {
        append_marker(ir, SHADER_OP_WHILE, condition);
    }
}

void shader_ir_endloop(struct shader_ir *ir)
{
    if (!ir->failed) {
        shader_ir_close(ir);
        append_marker(ir, SHADER_OP_ENDLOOP, SHADER_NO_VALUE);
    }
}
