/* Syntax tree to intermediate representation; variables are declared in the scope on the way. */
#ifndef PFPU_LANGUAGE_LOWER_H
#define PFPU_LANGUAGE_LOWER_H

#include "pfpu/ir/ir.h"
#include "pfpu/language/lex.h"
#include "pfpu/language/parse.h"
#include "pfpu/language/scope.h"

/* Fills an initialised program. False with a complaint when there are too many variables or
 * instructions; false without one: no memory. */
bool pfpu_lower(struct pfpu_node *tree, struct pfpu_scope *scope, struct pfpu_ir *ir,
                struct base_arena *scratch, struct pfpu_complaint *complaint);

/* The same as a single block, for machines that cannot branch: both sides of conditions are
 * computed, loops of a known number of turns are written out. Complains also where that cannot be
 * done.
 *
 * Such machines have no rand either. Each call reads a variable of its own, @rand1, @rand2 to the
 * last of PFPU_RANDOMS, and from the first one again, which whoever runs the program fills with
 * another number from 1 up to 2 each time. A program with a variable @column, and so @row, runs for
 * many vertices at a time: there all calls share @rand0, and mix it with the two. */
bool pfpu_lower_straight(struct pfpu_node *tree, struct pfpu_scope *scope, struct pfpu_ir *ir,
                         struct base_arena *scratch, struct pfpu_complaint *complaint);

#endif
