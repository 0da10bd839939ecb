#include <assert.h>
#include <string.h>

#include "renderer/shader/emit.h"

/* Two operations that one of the executor does: the outer one with the inner one at an operand. */
struct pair {
    uint8_t outer;
    uint8_t inner;
    uint8_t side; /* operand of the outer one */
    uint16_t op;
};
static const struct pair pairs[] = {
    {SHADER_OP_ADD, SHADER_OP_MUL, 0, SHADER_CODE_MUL_ADD},
    {SHADER_OP_ADD, SHADER_OP_MUL, 1, SHADER_CODE_MUL_ADD},
    {SHADER_OP_SUB, SHADER_OP_MUL, 0, SHADER_CODE_MUL_SUB},
    {SHADER_OP_SUB, SHADER_OP_MUL, 1, SHADER_CODE_SUB_MUL},
    {SHADER_OP_MUL, SHADER_OP_MUL, 0, SHADER_CODE_MUL_MUL},
    {SHADER_OP_MUL, SHADER_OP_MUL, 1, SHADER_CODE_MUL_MUL},
    {SHADER_OP_MUL, SHADER_OP_SUB, 0, SHADER_CODE_DIF_MUL},
    {SHADER_OP_MUL, SHADER_OP_SUB, 1, SHADER_CODE_DIF_MUL},
    {SHADER_OP_MUL, SHADER_OP_ADD, 0, SHADER_CODE_ADD_MUL},
    {SHADER_OP_MUL, SHADER_OP_ADD, 1, SHADER_CODE_ADD_MUL},
    {SHADER_OP_ADD, SHADER_OP_ADD, 0, SHADER_CODE_ADD_ADD},
    {SHADER_OP_ADD, SHADER_OP_ADD, 1, SHADER_CODE_ADD_ADD},
    {SHADER_OP_MIN, SHADER_OP_MAX, 0, SHADER_CODE_CLAMP},
};

struct facts {
    uint32_t *uses;
    uint32_t *region; /* numbered by the marker that begins it */
};

static void count_uses(const struct shader_ir *ir, uint32_t *uses)
{
    for (size_t i = 0; i < ir->count; i++) {
        const int count = shader_emit_arguments(&ir->list[i]);
        for (int k = 0; k < count; k++) {
            uses[ir->list[i].argument[k]]++;
        }
    }
    for (int i = 0; i < 3; i++) {
        uses[ir->ret[i]]++;
    }
}

static bool number_regions(struct base_arena *arena, const struct shader_ir *ir, uint32_t *region)
{
    uint32_t *outer = base_arena_array(arena, ir->count + 1, sizeof *outer);
    if (outer == NULL) {
        return false;
    }
    size_t depth = 0;
    uint32_t current = 0;
    for (size_t i = 0; i < ir->count; i++) {
        const unsigned op = ir->list[i].op;
        if (op == SHADER_OP_IF || op == SHADER_OP_LOOP) {
            outer[depth++] = current;
        }
        if (op == SHADER_OP_IF || op == SHADER_OP_ELSE || op == SHADER_OP_LOOP) {
            current = (uint32_t)i + 1;
        } else if (op == SHADER_OP_ENDIF || op == SHADER_OP_ENDLOOP) {
            current = outer[--depth];
        }
        region[i] = current;
    }
    return true;
}

static const struct pair *pair_of(const struct shader_emission *emission, shader_value value,
                                  unsigned side)
{
    const struct shader_instruction *outer = &emission->ir->list[value];
    const struct shader_instruction *inner = &emission->ir->list[outer->argument[side]];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (pairs[i].outer == outer->op && pairs[i].inner == inner->op && pairs[i].side == side) {
            return &pairs[i];
        }
    }
    return NULL;
}

/* Of two operands that would do, the later one: it is the one whose result need not wait. */
static void fuse_value(struct shader_emission *emission, const struct facts *facts,
                       shader_value value)
{
    const struct shader_instruction *list = emission->ir->list;
    shader_value best = SHADER_NO_VALUE;
    for (unsigned side = 0; side < 2; side++) {
        const shader_value operand = list[value].argument[side];
        if (facts->uses[operand] == 1 && facts->region[operand] == facts->region[value] &&
            emission->inner[operand] == SHADER_NO_VALUE && !shader_emit_is_scalar(&list[operand]) &&
            pair_of(emission, value, side) != NULL && (best == SHADER_NO_VALUE || operand > best)) {
            best = operand;
        }
    }
    if (best != SHADER_NO_VALUE) {
        emission->inner[value] = best;
        emission->fused[best] = true;
    }
}

bool shader_emit_fuse(struct shader_emission *emission)
{
    const struct shader_ir *ir = emission->ir;
    const struct facts facts = {
        .uses = base_arena_array(&emission->arena, ir->count, sizeof *facts.uses),
        .region = base_arena_array(&emission->arena, ir->count, sizeof *facts.region),
    };
    if (facts.uses == NULL || facts.region == NULL ||
        !number_regions(&emission->arena, ir, facts.region)) {
        return false;
    }
    count_uses(ir, facts.uses);
    for (size_t i = 0; i < ir->count; i++) {
        const bool binary = strcmp(shader_ops[ir->list[i].op].arguments, "FF") == 0;
        if (binary && !shader_emit_is_scalar(&ir->list[i])) {
            fuse_value(emission, &facts, (shader_value)i);
        }
    }
    return true;
}

enum shader_code_op shader_emit_pair(const struct shader_emission *emission, shader_value value,
                                     shader_value arguments[3])
{
    const struct shader_instruction *outer = &emission->ir->list[value];
    const struct shader_instruction *inner = &emission->ir->list[emission->inner[value]];
    const unsigned side = outer->argument[0] == emission->inner[value] ? 0 : 1;
    const struct pair *pair = pair_of(emission, value, side);
    assert(pair != NULL);
    arguments[0] = inner->argument[0];
    arguments[1] = inner->argument[1];
    arguments[2] = outer->argument[1 - side];
    return (enum shader_code_op)pair->op;
}
