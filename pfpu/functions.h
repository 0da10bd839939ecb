/* The table of functions.def. */
#ifndef PFPU_FUNCTIONS_H
#define PFPU_FUNCTIONS_H

#include <stdint.h>

#include "base/span.h"
#include "pfpu/ops.h"

enum pfpu_function_kind {
    PFPU_KIND_OPERATION,
    PFPU_KIND_ASSIGN,
    PFPU_KIND_IF,
    PFPU_KIND_AND,
    PFPU_KIND_OR,
    PFPU_KIND_LOOP,
    PFPU_KIND_WHILE,
    PFPU_KIND_EXEC,
    PFPU_KIND_MEMORY,
    PFPU_KIND_VALUE,
};

enum pfpu_function_id {
#define PFPU_FUNCTION(id, name, arity, kind, operation) PFPU_FUNCTION_##id,
#include "pfpu/functions.def"
#undef PFPU_FUNCTION
    PFPU_FUNCTION_COUNT,
};

enum { PFPU_ARGUMENTS_MAX = 3 };

struct pfpu_function {
    const char *name; /* lower case */
    uint8_t arity;
    enum pfpu_function_kind kind;
    enum pfpu_op op;
};

extern const struct pfpu_function pfpu_functions[PFPU_FUNCTION_COUNT];

/* The function of that name, any case; NULL if there is none. */
const struct pfpu_function *pfpu_function_find(struct base_span name);

#endif
