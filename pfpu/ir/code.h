/* The executor's program: fixed-size instructions on cells of struct pfpu_instance.values. */
#ifndef PFPU_IR_CODE_H
#define PFPU_IR_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "pfpu/ir/ops.h"

/* code = operation * 2, plus 1 if the result is filtered; from PFPU_CODE_CONTROL on, control. GET
 * and SET stand for registers only: `a` of GET and `dst` of SET are register numbers. */
enum pfpu_code_op {
    PFPU_CODE_CONTROL = 2 * PFPU_OP_COUNT,
    PFPU_CODE_END = PFPU_CODE_CONTROL,
    PFPU_CODE_JUMP,         /* to dst */
    PFPU_CODE_BRANCH_TRUE,  /* to dst if a */
    PFPU_CODE_BRANCH_FALSE, /* to dst unless a */
    PFPU_CODE_AGAIN,        /* back to dst if a, at the price of c */
    PFPU_CODE_COUNT,
};

/* dst, a, b, c: cells (negative: the program's own), or what the operation says. */
struct pfpu_code {
    int32_t op;
    int32_t dst;
    int32_t a;
    int32_t b;
    int32_t c;
};

struct pfpu_code_list {
    struct pfpu_code *instructions; /* the last one is END */
    size_t count;
    double *constants; /* values of the first of the program's own cells */
    size_t constant_count;
    size_t slot_count;  /* cells behind the constants */
    size_t cell_count;  /* constants, slots and temporaries */
    int32_t first_cell; /* own cell n is values[first_cell - n] */
};

#endif
