/* Tokens to syntax tree (spec/milk-expressions.md section 4). */
#ifndef PFPU_PARSE_H
#define PFPU_PARSE_H

#include "base/arena.h"
#include "pfpu/ast.h"
#include "pfpu/complaint.h"
#include "pfpu/text.h"

/* Returns a SEQUENCE node in the scratch arena, or NULL with a complaint (none: no memory). The
 * tree points into the text. */
struct pfpu_node *pfpu_parse(const struct pfpu_text *text, struct base_arena *scratch,
                             struct pfpu_complaint *complaint);

#endif
