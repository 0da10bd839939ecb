#include "pfpu/node.h"

static struct pfpu_node *make(struct base_arena *arena, enum pfpu_node_kind kind, size_t offset)
{
    struct pfpu_node *node = base_arena_alloc(arena, sizeof *node);
    if (node != NULL) {
        node->kind = kind;
        node->offset = offset;
    }
    return node;
}

struct pfpu_node *pfpu_node_number(struct base_arena *arena, size_t offset, double number)
{
    struct pfpu_node *node = make(arena, PFPU_NODE_NUMBER, offset);
    if (node != NULL) {
        node->number = number;
    }
    return node;
}

struct pfpu_node *pfpu_node_name(struct base_arena *arena, size_t offset, struct base_span name)
{
    struct pfpu_node *node = make(arena, PFPU_NODE_NAME, offset);
    if (node != NULL) {
        node->name = name;
    }
    return node;
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned cost_sum(unsigned a, unsigned b)
{
    return a + b < PFPU_COST_MAX ? a + b : PFPU_COST_MAX;
}

static bool has_effects(const struct pfpu_function *function)
{
    switch (function->kind) {
    case PFPU_KIND_ASSIGN:
    case PFPU_KIND_LOOP:
    case PFPU_KIND_WHILE:
        return true;
    default:
        return pfpu_ops[function->op].kind == PFPU_OP_KIND_EFFECT;
    }
}

struct pfpu_node *pfpu_node_call(struct base_arena *arena, size_t offset,
                                 const struct pfpu_function *function,
                                 struct pfpu_node *const arguments[PFPU_ARGUMENTS_MAX])
{
    struct pfpu_node *node = make(arena, PFPU_NODE_CALL, offset);
    if (node == NULL) {
        return NULL;
    }
    node->function = function;
    node->cost = pfpu_ops[function->op].cost;
    node->effects = has_effects(function);
    const bool chain = pfpu_node_is_chain(node);
    for (unsigned i = 0; i < function->arity; i++) {
        struct pfpu_node *argument = arguments[i];
        node->arguments[i] = argument;
        node->depth = larger(node->depth, argument->depth + (chain && i == 0 ? 0 : 1));
        node->cost = cost_sum(node->cost, argument->cost);
        node->effects = node->effects || argument->effects;
    }
    return node;
}

struct pfpu_node *pfpu_node_sequence(struct base_arena *arena, size_t offset)
{
    return make(arena, PFPU_NODE_SEQUENCE, offset);
}

void pfpu_node_append(struct pfpu_node *sequence, struct pfpu_node *last,
                      struct pfpu_node *statement)
{
    if (last == NULL) {
        sequence->first = statement;
    } else {
        last->next = statement;
    }
    sequence->depth = larger(sequence->depth, statement->depth + 1);
    sequence->cost = cost_sum(sequence->cost, statement->cost);
    sequence->effects = sequence->effects || statement->effects;
}
