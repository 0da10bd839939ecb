#include "pfpu/ops.h"

#include <assert.h>

#include "pfpu/arith.h"

const struct pfpu_op_row pfpu_ops[PFPU_OP_COUNT] = {
#define PFPU_PURE(name, text, arity, cost, value)                                                  \
    [PFPU_OP_##name] = {text, arity, cost, PFPU_OP_KIND_PURE},
#define PFPU_OTHER(name, text, arity, cost, kind)                                                  \
    [PFPU_OP_##name] = {text, arity, cost, PFPU_OP_KIND_##kind},
#include "pfpu/ops.def"
#undef PFPU_PURE
#undef PFPU_OTHER
#define PFPU_OPCODE(name, text, operands, arity, latency, thesis)                                  \
    [PFPU_OP_##name] = {text, arity, 1, (latency) > 0 ? PFPU_OP_KIND_WORD : PFPU_OP_KIND_EFFECT},
#include "pfpu/opcodes.def"
};

bool pfpu_op_has_result(enum pfpu_op op)
{
    return op != PFPU_OP_SET && op != PFPU_OP_MEMORY_STORE && op != PFPU_OP_GLOBAL_STORE &&
           op != PFPU_OP_MEMORY_FILL && op != PFPU_OP_MEMORY_COPY && op != PFPU_OP_WORD_NOP &&
           op != PFPU_OP_WORD_VECTOUT;
}

bool pfpu_op_gives_small(enum pfpu_op op)
{
    switch (op) {
    case PFPU_OP_EQUAL:
    case PFPU_OP_SAME:
    case PFPU_OP_NOT_EQUAL:
    case PFPU_OP_BELOW:
    case PFPU_OP_ABOVE:
    case PFPU_OP_BELOW_EQUAL:
    case PFPU_OP_ABOVE_EQUAL:
    case PFPU_OP_TRUTH:
    case PFPU_OP_NOT:
    case PFPU_OP_AND:
    case PFPU_OP_OR:
    case PFPU_OP_BAND:
    case PFPU_OP_BOR:
    case PFPU_OP_SIGN:
        return true;
    default:
        return false;
    }
}

double pfpu_op_value(enum pfpu_op op, double a, double b, double c)
{
    assert(pfpu_ops[op].kind == PFPU_OP_KIND_PURE);
#define A a
#define B b
#define C c
#define PFPU_PURE(name, text, arity, cost, value)                                                  \
    case PFPU_OP_##name:                                                                           \
        return value;
#define PFPU_OTHER(name, text, arity, cost, kind) case PFPU_OP_##name:
    switch (op) {
#include "pfpu/ops.def"
    default:
        return 0.0;
    }
#undef A
#undef B
#undef C
#undef PFPU_PURE
#undef PFPU_OTHER
}
