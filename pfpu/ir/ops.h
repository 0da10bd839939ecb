/* The tables of ops.def and opcodes.def. */
#ifndef PFPU_IR_OPS_H
#define PFPU_IR_OPS_H

#include <stdbool.h>
#include <stdint.h>

enum pfpu_op {
#define PFPU_PURE(name, text, arity, cost, value) PFPU_OP_##name,
#define PFPU_OTHER(name, text, arity, cost, kind) PFPU_OP_##name,
#include "pfpu/ir/ops.def"
#undef PFPU_PURE
#undef PFPU_OTHER
#define PFPU_OPCODE(name, text, operands, arity, latency, thesis) PFPU_OP_##name,
#include "pfpu/ir/opcodes.def"
    PFPU_OP_COUNT,
};

enum pfpu_op_kind {
    PFPU_OP_KIND_PURE,
    PFPU_OP_KIND_WORD, /* of the coprocessor: pure too, on words of 32 bits */
    PFPU_OP_KIND_NUMBER,
    PFPU_OP_KIND_GET,
    PFPU_OP_KIND_SET,
    PFPU_OP_KIND_READ,   /* memory; may be dropped if unused, keeps its place among effects */
    PFPU_OP_KIND_EFFECT, /* never dropped, doubled or moved past another effect or read */
};

struct pfpu_op_row {
    const char *text;
    uint8_t arity;
    uint8_t cost;
    enum pfpu_op_kind kind;
};

extern const struct pfpu_op_row pfpu_ops[PFPU_OP_COUNT];

/* False for operations that are run for their effect alone. */
bool pfpu_op_has_result(enum pfpu_op op);

/* The result is always 0 or 1 (-1 too for sign). */
bool pfpu_op_gives_small(enum pfpu_op op);

/* Result of a pure operation, the same bits as at run time. */
double pfpu_op_value(enum pfpu_op op, double a, double b, double c);

#endif
