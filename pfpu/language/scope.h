/* The inside of struct pfpu_scope and struct pfpu_program.
 *
 * Cells of a running instance, seen from pfpu_instance.values:
 *   values[0 ..]    variables by index; their number may still grow
 *   values[-1 ..]   downwards, for one program after the other: constants, slots, temporaries
 * so a program's code never needs to be relocated. */
#ifndef PFPU_LANGUAGE_SCOPE_H
#define PFPU_LANGUAGE_SCOPE_H

#include "base/arena.h"
#include "base/text.h"
#include "pfpu/ir/code.h"
#include "pfpu/ir/ir.h"
#include "pfpu/pfpu.h"

enum { PFPU_USE_READS = 1, PFPU_USE_WRITES = 2 };

struct pfpu_program {
    const struct pfpu_scope *scope;
    struct pfpu_program *older; /* compiled into the scope before this one */
    struct pfpu_ir ir;          /* as it was scheduled */
    struct pfpu_code_list code;
    const uint8_t *uses; /* PFPU_USE_ bits by variable */
    size_t use_count;
};

struct pfpu_scope {
    struct base_arena *arena;
    char **names;
    size_t name_count;
    size_t name_capacity;
    int32_t *table; /* hash table of indices + 1 */
    size_t table_size;
    struct pfpu_program *newest;
    size_t local_count; /* cells below values[0] */
};

/* As pfpu_scope_declare, for a name that need not end in NUL. */
int pfpu_scope_declare_span(struct pfpu_scope *scope, struct base_span name);

/* n for regNN with exactly two digits (any case), else -1. */
int pfpu_register_number(struct base_span name);

#endif
