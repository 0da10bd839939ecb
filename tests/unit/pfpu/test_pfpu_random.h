/* Random programs for the coprocessor, for the tests of its schedulers. */
#ifndef TEST_PFPU_RANDOM_H
#define TEST_PFPU_RANDOM_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "pfpu/ir/passes.h"
#include "pfpu/microcode/microcode.h"
#include "pfpu/pfpu.h"
#include "pfpu/select/select.h"

enum { RANDOM_FIRST_KEY = PFPU_REGISTERS_GLOBAL, RANDOM_KEYS = 8 };

struct random_shape {
    uint32_t operations;
    uint32_t reach;      /* operands are among so many last values, mostly */
    uint32_t conditions; /* of 100 operations, so many are IFs */
    uint32_t sets;
    bool carries; /* what is SET is also read */
    bool vectout;
};

static inline uint32_t random_below(struct base_rng *rng, uint32_t end)
{
    return base_rng_next(rng) % end;
}

static inline int32_t random_append(struct pfpu_ir *ir, enum pfpu_op op, int32_t a, int32_t b,
                                    int32_t c)
{
    const int32_t value =
        pfpu_ir_append(ir, (struct pfpu_instruction){.op = op, .arguments = {a, b, c}});
    assert_int_not_equal(value, PFPU_NO_VALUE);
    return value;
}

static inline int32_t random_leaf(struct pfpu_ir *ir, struct base_rng *rng, int32_t n, bool carries)
{
    static const double numbers[] = {0.0, 1.0, 0.5, 1303.7972938, 3.0, 1.0000000001};
    struct pfpu_instruction leaf = {.op = PFPU_OP_GET, .key = n};
    if (n > 1 && n < 2 + RANDOM_KEYS) {
        leaf.key = RANDOM_FIRST_KEY + n - 2 + (carries ? 0 : RANDOM_KEYS);
    } else if (n > 1) {
        leaf.op = PFPU_OP_NUMBER;
        leaf.number = numbers[random_below(rng, sizeof numbers / sizeof numbers[0])];
    }
    const int32_t value = pfpu_ir_append(ir, leaf);
    assert_int_not_equal(value, PFPU_NO_VALUE);
    return value;
}

static inline int32_t random_value(const struct pfpu_ir *ir, struct base_rng *rng,
                                   const struct random_shape *shape)
{
    const uint32_t count = (uint32_t)ir->count;
    const uint32_t back = random_below(rng, 4) == 0 || shape->reach > count
                              ? random_below(rng, count)
                              : random_below(rng, shape->reach);
    return (int32_t)(count - 1 - back);
}

static inline void random_operation(struct pfpu_ir *ir, struct base_rng *rng,
                                    const struct random_shape *shape)
{
    static const enum pfpu_op ops[] = {
        PFPU_OP_WORD_FADD, PFPU_OP_WORD_FADD,  PFPU_OP_WORD_FSUB,  PFPU_OP_WORD_FMUL,
        PFPU_OP_WORD_FMUL, PFPU_OP_WORD_FMUL,  PFPU_OP_WORD_FABS,  PFPU_OP_WORD_F2I,
        PFPU_OP_WORD_I2F,  PFPU_OP_WORD_SIN,   PFPU_OP_WORD_COS,   PFPU_OP_WORD_ABOVE,
        PFPU_OP_WORD_COPY, PFPU_OP_WORD_EQUAL, PFPU_OP_WORD_TSIGN, PFPU_OP_WORD_QUAKE};
    const int32_t a = random_value(ir, rng, shape);
    const int32_t b = random_value(ir, rng, shape);
    if (random_below(rng, 100) >= shape->conditions) {
        (void)random_append(ir, ops[random_below(rng, sizeof ops / sizeof ops[0])], a, b, 0);
        return;
    }
    const uint32_t kind = random_below(rng, 4);
    int32_t condition = random_value(ir, rng, shape);
    if (kind == 0) {
        condition = random_append(ir, PFPU_OP_WORD_ABOVE, condition, a, 0);
    } else if (kind == 1) {
        condition = random_append(ir, PFPU_OP_WORD_IF, condition, a, b);
    }
    const int32_t first = random_append(ir, PFPU_OP_WORD_IF, condition, a, b);
    if (kind == 2) {
        (void)random_append(ir, PFPU_OP_WORD_IF, condition, b, first);
    } else if (kind == 3) {
        (void)random_append(ir, PFPU_OP_WORD_IF, condition, b, a);
    }
}

/* A verified program; not legalised. */
static inline struct pfpu_ir random_program(struct base_arena *arena, struct base_rng *rng,
                                            const struct random_shape *shape)
{
    struct pfpu_ir ir;
    pfpu_ir_init(&ir, arena);
    (void)pfpu_ir_open_block(&ir);
    for (int32_t n = 0; n < 2 + RANDOM_KEYS + 4; n++) {
        (void)random_leaf(&ir, rng, n, shape->carries);
    }
    const size_t end = ir.count + shape->operations;
    while (ir.count < end) {
        random_operation(&ir, rng, shape);
    }
    int32_t set_values[RANDOM_KEYS];
    for (uint32_t n = 0; n < shape->sets; n++) {
        set_values[n] = random_value(&ir, rng, shape);
    }
    if (shape->vectout) {
        (void)random_append(&ir, PFPU_OP_WORD_VECTOUT, (int32_t)ir.count - 1,
                            random_value(&ir, rng, shape), 0);
    }
    for (uint32_t n = 0; n < shape->sets; n++) {
        (void)pfpu_ir_append(&ir, (struct pfpu_instruction){.op = PFPU_OP_SET,
                                                            .key = RANDOM_FIRST_KEY + (int32_t)n,
                                                            .arguments = {set_values[n]}});
    }
    assert_null(pfpu_verify(&ir, arena));
    return ir;
}

#endif
