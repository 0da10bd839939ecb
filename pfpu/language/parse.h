/* The syntax tree: what the parser makes and lowering reads. Nodes live in one arena. */
#ifndef PFPU_LANGUAGE_PARSE_H
#define PFPU_LANGUAGE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "pfpu/language/lex.h"

enum pfpu_node_kind {
    PFPU_NODE_NUMBER,
    PFPU_NODE_NAME,
    PFPU_NODE_CALL,     /* operators too; index expressions are calls of the memory functions */
    PFPU_NODE_SEQUENCE, /* statements; the value is the last one's. Empty: a program of nothing */
};

struct pfpu_node {
    enum pfpu_node_kind kind;
    size_t offset; /* of the name, operator or first character in the text */
    double number;
    struct base_span name;
    const struct pfpu_function *function;
    struct pfpu_node *arguments[PFPU_ARGUMENTS_MAX];
    struct pfpu_node *first; /* statements of a sequence */
    struct pfpu_node *next;  /* the statement after this one */
    struct pfpu_node *above; /* free for walking down and up again */
    /* Recursion needed to walk the tree; chains of left operands are walked without. At most
     * PFPU_NESTING_MAX. */
    unsigned depth;
    unsigned cost; /* of evaluation, in simple instructions; saturates at PFPU_COST_MAX */
    bool effects;  /* assigns, stores, loops or draws a random number */
};

enum {
    PFPU_NESTING_MAX = 256, /* levels of parentheses, calls and operators */
    PFPU_COST_MAX = 10000,
};

/* A call whose left operand chain may be as long as the text. */
static inline bool pfpu_node_is_chain(const struct pfpu_node *node)
{
    return node->kind == PFPU_NODE_CALL && node->function->arity == 2 &&
           (node->function->kind == PFPU_KIND_OPERATION || node->function->kind == PFPU_KIND_AND ||
            node->function->kind == PFPU_KIND_OR);
}

/* Making of syntax tree nodes; depth, cost and effects are derived from the parts. All functions
 * return NULL without memory. */

struct pfpu_node *pfpu_node_number(struct base_arena *arena, size_t offset, double number);
struct pfpu_node *pfpu_node_name(struct base_arena *arena, size_t offset, struct base_span name);

/* All arguments of the function are there. */
struct pfpu_node *pfpu_node_call(struct base_arena *arena, size_t offset,
                                 const struct pfpu_function *function,
                                 struct pfpu_node *const arguments[PFPU_ARGUMENTS_MAX]);

struct pfpu_node *pfpu_node_sequence(struct base_arena *arena, size_t offset);

/* last: the statement appended before, NULL for the first. */
void pfpu_node_append(struct pfpu_node *sequence, struct pfpu_node *last,
                      struct pfpu_node *statement);

/* Tokens to syntax tree (spec/milk-expressions.md section 4). */

/* Returns a SEQUENCE node in the scratch arena, or NULL with a complaint (none: no memory). The
 * tree points into the text. */
struct pfpu_node *pfpu_parse(const struct pfpu_text *text, struct base_arena *scratch,
                             struct pfpu_complaint *complaint);

#endif
