/* Short names for the coprocessor's operations, for the files expand*.c. */
#ifndef PFPU_EXPAND_OPS_H
#define PFPU_EXPAND_OPS_H

#include "pfpu/build.h"

static inline int32_t number(struct pfpu_builder *builder, double value)
{
    return pfpu_build_number(builder, value);
}

static inline int32_t add(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    return pfpu_build2(builder, PFPU_OP_WORD_FADD, a, b);
}

static inline int32_t subtract(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    return pfpu_build2(builder, PFPU_OP_WORD_FSUB, a, b);
}

static inline int32_t multiply(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    return pfpu_build2(builder, PFPU_OP_WORD_FMUL, a, b);
}

static inline bool is_number(const struct pfpu_builder *builder, int32_t value, double *result)
{
    if (builder->failed || builder->ir->instructions[value].op != PFPU_OP_NUMBER) {
        return false;
    }
    *result = builder->ir->instructions[value].number;
    return true;
}

/* a + value */
static inline int32_t plus(struct pfpu_builder *builder, int32_t a, double value)
{
    return add(builder, a, number(builder, value));
}

/* value - a */
static inline int32_t from(struct pfpu_builder *builder, double value, int32_t a)
{
    return subtract(builder, number(builder, value), a);
}

/* value * a, in the order that lets the builder merge a following factor with this one. */
static inline int32_t times(struct pfpu_builder *builder, double value, int32_t a)
{
    return multiply(builder, number(builder, value), a);
}

static inline int32_t magnitude(struct pfpu_builder *builder, int32_t a)
{
    return pfpu_build1(builder, PFPU_OP_WORD_FABS, a);
}

static inline int32_t signed_by(struct pfpu_builder *builder, int32_t a, int32_t sign)
{
    return pfpu_build2(builder, PFPU_OP_WORD_TSIGN, a, sign);
}

static inline int32_t quake(struct pfpu_builder *builder, int32_t a)
{
    return pfpu_build1(builder, PFPU_OP_WORD_QUAKE, a);
}

static inline int32_t to_integer(struct pfpu_builder *builder, int32_t a)
{
    return pfpu_build1(builder, PFPU_OP_WORD_F2I, a);
}

static inline int32_t to_float(struct pfpu_builder *builder, int32_t a)
{
    return pfpu_build1(builder, PFPU_OP_WORD_I2F, a);
}

static inline int32_t above(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    return pfpu_build2(builder, PFPU_OP_WORD_ABOVE, a, b);
}

static inline int32_t choose(struct pfpu_builder *builder, int32_t condition, int32_t yes,
                             int32_t no)
{
    return pfpu_build3(builder, PFPU_OP_WORD_IF, condition, yes, no);
}

/* 1 / x for x > 0: as pfpu_expand_coarse_reciprocal, in 7 operations; as pfpu_expand_reciprocal,
 * but never below the true value, in 8. */
int32_t pfpu_expand_positive_coarse_reciprocal(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_positive_reciprocal(struct pfpu_builder *builder, int32_t x);

#endif
