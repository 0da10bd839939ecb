/* Syntax tree to intermediate representation; variables are declared in the scope on the way. */
#ifndef PFPU_LOWER_H
#define PFPU_LOWER_H

#include "pfpu/ast.h"
#include "pfpu/complaint.h"
#include "pfpu/ir.h"

/* Fills an initialised program. False with a complaint when there are too many variables or
 * instructions; false without one: no memory. */
bool pfpu_lower(struct pfpu_node *tree, struct pfpu_scope *scope, struct pfpu_ir *ir,
                struct base_arena *scratch, struct pfpu_complaint *complaint);

#endif
