/* Programs as text, for people and tests. Lines end with a line feed; text lives in the arena; NULL
 * without memory. */
#ifndef PFPU_DUMP_H
#define PFPU_DUMP_H

#include "pfpu/scope.h"

/* One instruction or block head per line, values as %0, %1 ... */
char *pfpu_dump_ir(const struct pfpu_ir *ir, const struct pfpu_scope *scope,
                   struct base_arena *arena);

/* One instruction per line with its number; own cells as #constant, s0.. (slots), t0.. A filtered
 * result is written with :=. */
char *pfpu_dump_code(const struct pfpu_code_list *code, const struct pfpu_scope *scope,
                     struct base_arena *arena);

#endif
