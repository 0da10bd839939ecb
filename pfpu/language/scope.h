/* A scope is one namespace of variables; several programs may be compiled into one scope and then
 * share its variables. */
#ifndef PFPU_LANGUAGE_SCOPE_H
#define PFPU_LANGUAGE_SCOPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

enum {
    PFPU_VARIABLES_MAX = 8192, /* names per scope */
    PFPU_RANDOMS = 64,         /* @rand1 and on of a program of one block (lower.h) */
};

struct pfpu_program;

/* Fields are for the rooms of pfpu. */
struct pfpu_scope {
    struct base_arena *arena;
    char **names;
    size_t name_count;
    size_t name_capacity;
    int32_t *table; /* hash table of indices + 1 */
    size_t table_size;
    struct pfpu_program *newest; /* see host/program.h; so are the cells */
    size_t local_count;          /* cells below values[0] */
};

/* A scope lives in the arena and dies with it. NULL without memory. */
struct pfpu_scope *pfpu_scope_create(struct base_arena *arena);

/* A scope with the same variables, as long as nothing has been compiled in it; their names stay
 * where they are. NULL without memory. */
struct pfpu_scope *pfpu_scope_copy(const struct pfpu_scope *scope, struct base_arena *arena);

/* Declares a variable (ASCII, any case, any length) or finds it; returns its index from 0, or -1
 * when the scope is full or memory is short. Indices never change. The caller declares built-in
 * variables first, in the order of its own table, so that index = row. regNN are not variables of a
 * scope. */
int pfpu_scope_declare(struct pfpu_scope *scope, const char *name);

/* The variable of the name, or -1; declares nothing. */
int pfpu_scope_find(const struct pfpu_scope *scope, const char *name);

size_t pfpu_scope_size(const struct pfpu_scope *scope);                       /* variables */
const char *pfpu_scope_name(const struct pfpu_scope *scope, size_t variable); /* lower case */

/* As pfpu_scope_declare, for a name that need not end in NUL. */
int pfpu_scope_declare_span(struct pfpu_scope *scope, struct base_span name);

/* n for regNN with exactly two digits (any case), else -1. */
int pfpu_register_number(struct base_span name);

#endif
