/* Making of syntax tree nodes; depth, cost and effects are derived from the parts. All functions
 * return NULL without memory. */
#ifndef PFPU_NODE_H
#define PFPU_NODE_H

#include "base/arena.h"
#include "pfpu/ast.h"

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

#endif
