#include "renderer/shader/ir_finish.h"

#include <assert.h>
#include <string.h>

/* A list is made anew through the makers: they fold and merge what has become known or equal. */
struct rewriter {
    const struct shader_analysis *analysis;
    const struct shader_ir *from;
    struct shader_ir *to;
    shader_value *map; /* of each old value: the new one */
};

static shader_value mapped(const struct rewriter *rewriter, shader_value old)
{
    shader_value origin = old;
    while (rewriter->analysis->still[origin] && rewriter->map[origin] == SHADER_NO_VALUE) {
        origin = rewriter->from->list[origin].argument[0];
    }
    const shader_value value = rewriter->map[origin];
    assert(rewriter->to->failed || value != SHADER_NO_VALUE);
    rewriter->map[old] = value;
    return value;
}

static shader_value make(struct rewriter *rewriter, const struct shader_instruction *instruction)
{
    struct shader_ir *to = rewriter->to;
    const enum shader_op op = instruction->op;
    shader_value arguments[SHADER_ARGUMENTS];
    const size_t arity = shader_op_arity(op);
    for (size_t k = 0; k < arity; k++) {
        arguments[k] = mapped(rewriter, instruction->argument[k]);
    }
    if (op == SHADER_OP_CONST) {
        return shader_ir_number(to, instruction->number);
    }
    if (op == SHADER_OP_TRUTH) {
        return shader_ir_truth(to, instruction->number != 0.0f);
    }
    if (op == SHADER_OP_PART) {
        return shader_ir_part(to, arguments[0], instruction->index);
    }
    if (shader_op_reads(op)) {
        return shader_ir_read(to, op, instruction->index, arguments);
    }
    if (arity == 0) {
        return shader_ir_indexed(to, op, instruction->index);
    }
    if (arity == 3) {
        return shader_ir_select(to, arguments[0], arguments[1], arguments[2]);
    }
    return arity == 1 ? shader_ir_unary(to, op, arguments[0])
                      : shader_ir_binary(to, op, arguments[0], arguments[1]);
}

static void rewrite_value(struct rewriter *rewriter, shader_value v)
{
    rewriter->map[v] = make(rewriter, &rewriter->from->list[v]);
}

/* IF. Where only the second part holds something, it becomes the first. */

static bool has_markers(const struct shader_region *region)
{
    return region->needed && !region->flat;
}

static void rewrite_if(struct rewriter *rewriter, const struct shader_region *region)
{
    shader_value condition = mapped(rewriter, rewriter->from->list[region->begin].argument[0]);
    if (!region->part_needed[0]) {
        condition = shader_ir_unary(rewriter->to, SHADER_OP_NOT, condition);
    }
    shader_ir_if(rewriter->to, condition);
}

/* LOOP. */

static void rewrite_loop(struct rewriter *rewriter, const struct shader_region *region)
{
    const struct shader_analysis *analysis = rewriter->analysis;
    const struct shader_instruction *list = rewriter->from->list;
    for (shader_value v = region->moved[0]; v != SHADER_NO_VALUE; v = analysis->chain[v]) {
        rewrite_value(rewriter, v);
    }
    if (!region->needed) {
        return;
    }
    shader_ir_loop(rewriter->to, mapped(rewriter, list[region->begin].argument[0]));
    for (shader_value v = region->begin + 1; shader_op_carries(list[v].op); v++) {
        if (analysis->live[v] && !analysis->still[v]) {
            rewriter->map[v] = shader_ir_carry(rewriter->to, mapped(rewriter, list[v].argument[0]));
        }
    }
}

/* A WHILE that all pass is left out beside another one. */
static void rewrite_while(struct rewriter *rewriter, shader_value v,
                          const struct shader_region *region)
{
    const shader_value condition = rewriter->from->list[v].argument[0];
    if (region->open_whiles == 0 || !shader_ir_known(rewriter->from, condition, NULL)) {
        shader_ir_while(rewriter->to, mapped(rewriter, condition));
    }
}

static void rewrite_endloop(struct rewriter *rewriter, const struct shader_region *region)
{
    const struct shader_analysis *analysis = rewriter->analysis;
    const struct shader_instruction *list = rewriter->from->list;
    for (shader_value v = region->begin + 1; shader_op_carries(list[v].op); v++) {
        if (analysis->live[v] && !analysis->still[v]) {
            shader_ir_carry_next(rewriter->to, mapped(rewriter, v),
                                 mapped(rewriter, list[v].argument[1]));
        }
    }
    shader_ir_endloop(rewriter->to);
}

static void rewrite_marker(struct rewriter *rewriter, shader_value v)
{
    const struct shader_region *region =
        &rewriter->analysis->regions[rewriter->analysis->region[v]];
    const enum shader_op op = rewriter->from->list[v].op;
    if (op == SHADER_OP_LOOP) {
        rewrite_loop(rewriter, region);
    } else if (!has_markers(region)) {
        return;
    } else if (op == SHADER_OP_IF) {
        rewrite_if(rewriter, region);
    } else if (op == SHADER_OP_ELSE) {
        if (region->part_needed[0] && region->part_needed[1]) {
            shader_ir_else(rewriter->to);
        }
    } else if (op == SHADER_OP_ENDIF) {
        shader_ir_endif(rewriter->to);
    } else if (op == SHADER_OP_WHILE) {
        rewrite_while(rewriter, v, region);
    } else {
        rewrite_endloop(rewriter, region);
    }
}

/* What is the same for all pixels and the inputs come first, where all can see them. */
static bool comes_first(const struct rewriter *rewriter, shader_value v)
{
    return rewriter->analysis->uniform[v] || rewriter->from->list[v].op == SHADER_OP_INPUT;
}

void shader_rewrite(const struct shader_analysis *analysis, struct shader_ir *to, shader_value *map)
{
    const struct shader_ir *from = analysis->ir;
    struct rewriter rewriter = {.analysis = analysis, .from = from, .to = to, .map = map};
    for (shader_value v = 0; v < from->count; v++) {
        map[v] = SHADER_NO_VALUE;
    }
    for (shader_value v = 0; v < from->count; v++) {
        if (analysis->live[v] && comes_first(&rewriter, v)) {
            rewrite_value(&rewriter, v);
        }
    }
    for (shader_value v = 0; v < from->count && !to->failed; v++) {
        const enum shader_op op = from->list[v].op;
        if (shader_op_marks(op)) {
            rewrite_marker(&rewriter, v);
        } else if (analysis->live[v] && !comes_first(&rewriter, v) && analysis->before[v] == 0 &&
                   !shader_op_carries(op)) {
            rewrite_value(&rewriter, v);
        }
    }
    for (size_t k = 0; k < sizeof to->ret / sizeof to->ret[0]; k++) {
        to->ret[k] = mapped(&rewriter, from->ret[k]);
    }
}
