#include "pfpu/lowering.h"

/* Up to this many instructions are computed in vain rather than jumped around. */
enum { CHEAP = 6 };

static bool is_cheap(const struct pfpu_node *node)
{
    return !node->effects && node->cost <= CHEAP;
}

/* From two ended blocks to a new one, where the slot holds the value. */
static int32_t join(struct pfpu_lowering *lowering, int32_t one, int one_which, int32_t other,
                    int32_t slot)
{
    const int32_t block = pfpu_lower_begin_block(lowering);
    pfpu_lower_set_target(lowering, one, one_which, block);
    pfpu_lower_set_target(lowering, other, 0, block);
    return pfpu_lower_get(lowering, slot);
}

int32_t pfpu_lower_if(struct pfpu_lowering *lowering, const struct pfpu_node *node)
{
    const int32_t condition = pfpu_lower_value(lowering, node->arguments[0]);
    if (lowering->straight) {
        return pfpu_lower_select(lowering, condition, node->arguments[1], node->arguments[2]);
    }
    if (is_cheap(node->arguments[1]) && is_cheap(node->arguments[2])) {
        const int32_t yes = pfpu_lower_value(lowering, node->arguments[1]);
        const int32_t no = pfpu_lower_value(lowering, node->arguments[2]);
        return pfpu_lower_op(lowering, PFPU_OP_SELECT, condition, yes, no);
    }
    const int32_t slot = pfpu_lower_new_slot(lowering);
    const int32_t branch = pfpu_lower_end_branch(lowering, condition);
    pfpu_lower_set_target(lowering, branch, 0, pfpu_lower_begin_block(lowering));
    pfpu_lower_set(lowering, slot, pfpu_lower_value(lowering, node->arguments[1]));
    const int32_t yes = pfpu_lower_end_jump(lowering);
    pfpu_lower_set_target(lowering, branch, 1, pfpu_lower_begin_block(lowering));
    pfpu_lower_set(lowering, slot, pfpu_lower_value(lowering, node->arguments[2]));
    const int32_t no = pfpu_lower_end_jump(lowering);
    return join(lowering, yes, 0, no, slot);
}

int32_t pfpu_lower_and_or(struct pfpu_lowering *lowering, const struct pfpu_node *node,
                          int32_t left)
{
    const bool is_and = node->function->kind == PFPU_KIND_AND;
    if (lowering->straight && node->arguments[1]->effects) {
        const int32_t truth = pfpu_lower_op(lowering, PFPU_OP_TRUTH, left, 0, 0);
        struct pfpu_node *right = node->arguments[1];
        const int32_t value =
            pfpu_lower_select(lowering, truth, is_and ? right : NULL, is_and ? NULL : right);
        return pfpu_lower_op(lowering, is_and ? PFPU_OP_AND : PFPU_OP_OR, truth, value, 0);
    }
    if (lowering->straight || is_cheap(node->arguments[1])) {
        const int32_t right = pfpu_lower_value(lowering, node->arguments[1]);
        return pfpu_lower_op(lowering, is_and ? PFPU_OP_AND : PFPU_OP_OR, left, right, 0);
    }
    const int32_t slot = pfpu_lower_new_slot(lowering);
    pfpu_lower_set(lowering, slot, pfpu_lower_op(lowering, PFPU_OP_TRUTH, left, 0, 0));
    const int32_t branch = pfpu_lower_end_branch(lowering, left);
    pfpu_lower_set_target(lowering, branch, is_and ? 0 : 1, pfpu_lower_begin_block(lowering));
    const int32_t right = pfpu_lower_value(lowering, node->arguments[1]);
    pfpu_lower_set(lowering, slot, pfpu_lower_op(lowering, PFPU_OP_TRUTH, right, 0, 0));
    const int32_t rest = pfpu_lower_end_jump(lowering);
    return join(lowering, branch, is_and ? 1 : 0, rest, slot);
}

/* Counts one turn down; returns what is left. */
static int32_t count_down(struct pfpu_lowering *lowering, int32_t counter)
{
    const int32_t turns = pfpu_lower_get(lowering, counter);
    const int32_t one = pfpu_lower_number(lowering, 1.0);
    const int32_t left = pfpu_lower_op(lowering, PFPU_OP_SUB, turns, one, 0);
    pfpu_lower_set(lowering, counter, left);
    return left;
}

int32_t pfpu_lower_loop(struct pfpu_lowering *lowering, const struct pfpu_node *node)
{
    if (lowering->straight) {
        return pfpu_lower_unrolled(lowering, node);
    }
    const int32_t slot = pfpu_lower_new_slot(lowering);
    const int32_t counter = pfpu_lower_new_slot(lowering);
    const int32_t turns = pfpu_lower_op(lowering, PFPU_OP_TURNS,
                                        pfpu_lower_value(lowering, node->arguments[0]), 0, 0);
    pfpu_lower_set(lowering, slot, pfpu_lower_number(lowering, 0.0));
    pfpu_lower_set(lowering, counter, turns);
    const int32_t enter = pfpu_lower_end_branch(lowering, turns);
    const int32_t body = pfpu_lower_begin_block(lowering);
    pfpu_lower_set_target(lowering, enter, 0, body);
    pfpu_lower_set(lowering, slot, pfpu_lower_value(lowering, node->arguments[1]));
    const int32_t again = pfpu_lower_end_branch(lowering, count_down(lowering, counter));
    pfpu_lower_set_target(lowering, again, 0, body);
    const int32_t after = pfpu_lower_begin_block(lowering);
    pfpu_lower_set_target(lowering, enter, 1, after);
    pfpu_lower_set_target(lowering, again, 1, after);
    return pfpu_lower_get(lowering, slot);
}

int32_t pfpu_lower_while(struct pfpu_lowering *lowering, const struct pfpu_node *node)
{
    if (lowering->straight) {
        lowering->offset = node->offset;
        return pfpu_lower_refuse(lowering, "write it without 'while'",
                                 "the machine cannot loop as long as a condition holds");
    }
    const int32_t slot = pfpu_lower_new_slot(lowering);
    const int32_t counter = pfpu_lower_new_slot(lowering);
    pfpu_lower_set(lowering, counter, pfpu_lower_number(lowering, PFPU_LOOP_MAX));
    const int32_t enter = pfpu_lower_end_jump(lowering);
    const int32_t body = pfpu_lower_begin_block(lowering);
    pfpu_lower_set_target(lowering, enter, 0, body);
    const int32_t value = pfpu_lower_value(lowering, node->arguments[0]);
    pfpu_lower_set(lowering, slot, value);
    const int32_t more =
        pfpu_lower_op(lowering, PFPU_OP_AND, value, count_down(lowering, counter), 0);
    const int32_t again = pfpu_lower_end_branch(lowering, more);
    pfpu_lower_set_target(lowering, again, 0, body);
    pfpu_lower_set_target(lowering, again, 1, pfpu_lower_begin_block(lowering));
    return pfpu_lower_get(lowering, slot);
}
