#include "pfpu/expand.h"

#include <math.h>

#include "pfpu/expand_ops.h"

/* So high that the truncated quotient of a multiple is never one too small. */
static const double raise_inverse = 1.0000005;

static int32_t remainder_of(struct pfpu_builder *builder, int32_t dividend, int32_t divisor,
                            int32_t inverse)
{
    const int32_t quotient = pfpu_expand_trunc(builder, multiply(builder, dividend, inverse));
    return subtract(builder, dividend, multiply(builder, divisor, quotient));
}

int32_t pfpu_expand_modulo(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    const int32_t dividend = pfpu_expand_trunc(builder, magnitude(builder, a));
    double known = 0;
    if (is_number(builder, b, &known)) {
        const double whole = trunc(fabs(known));
        if (whole == 0) {
            return number(builder, 0.0);
        }
        const int32_t inverse = number(builder, raise_inverse / whole);
        return remainder_of(builder, dividend, number(builder, whole), inverse);
    }
    const int32_t divisor = pfpu_expand_trunc(builder, magnitude(builder, b));
    /* By 0, or less than 1, nothing is left. */
    const int32_t large = above(builder, divisor, number(builder, 0.5));
    const int32_t inverse = pfpu_expand_positive_reciprocal(builder, divisor);
    return multiply(builder, remainder_of(builder, dividend, divisor, inverse), large);
}

int32_t pfpu_expand_rest(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    double known = 0;
    const int32_t inverse = is_number(builder, b, &known) && known != 0
                                ? number(builder, raise_inverse / known)
                                : pfpu_expand_reciprocal(builder, b);
    return remainder_of(builder, a, b, inverse);
}

const struct pfpu_expansion pfpu_expansions[PFPU_EXPANSION_COUNT] = {
    {PFPU_OP_DIV, 2, 10, NULL, pfpu_expand_divide},
    {PFPU_OP_MOD, 2, 21, NULL, pfpu_expand_modulo},
    {PFPU_OP_REST, 2, 14, NULL, pfpu_expand_rest},
    {PFPU_OP_POW, 2, 26, NULL, pfpu_expand_pow},
    {PFPU_OP_INT, 1, 2, pfpu_expand_trunc, NULL},
    {PFPU_OP_FLOOR, 1, 4, pfpu_expand_floor, NULL},
    {PFPU_OP_CEIL, 1, 4, pfpu_expand_ceil, NULL},
    {PFPU_OP_SIGN, 1, 3, pfpu_expand_sign, NULL},
    {PFPU_OP_MIN, 2, 2, NULL, pfpu_expand_min},
    {PFPU_OP_MAX, 2, 2, NULL, pfpu_expand_max},
    {PFPU_OP_SQRT, 1, 10, pfpu_expand_sqrt, NULL},
    {PFPU_OP_INVSQRT, 1, 10, pfpu_expand_invsqrt, NULL},
    {PFPU_OP_SIN, 1, 3, pfpu_expand_sin, NULL},
    {PFPU_OP_COS, 1, 3, pfpu_expand_cos, NULL},
    {PFPU_OP_TAN, 1, 13, pfpu_expand_tan, NULL},
    {PFPU_OP_ASIN, 1, 18, pfpu_expand_asin, NULL},
    {PFPU_OP_ACOS, 1, 19, pfpu_expand_acos, NULL},
    {PFPU_OP_ATAN, 1, 21, pfpu_expand_atan, NULL},
    {PFPU_OP_ATAN2, 2, 25, NULL, pfpu_expand_atan2},
    {PFPU_OP_EXP, 1, 14, pfpu_expand_exp, NULL},
    {PFPU_OP_LOG, 1, 13, pfpu_expand_log, NULL},
    {PFPU_OP_LOG10, 1, 13, pfpu_expand_log10, NULL},
    {PFPU_OP_SIGMOID, 2, 25, NULL, pfpu_expand_sigmoid},
};

const struct pfpu_expansion *pfpu_expansion_of(enum pfpu_op op)
{
    for (size_t i = 0; i < PFPU_EXPANSION_COUNT; i++) {
        if (pfpu_expansions[i].op == op) {
            return &pfpu_expansions[i];
        }
    }
    return NULL;
}

int32_t pfpu_expand(struct pfpu_builder *builder, const struct pfpu_expansion *expansion,
                    const int32_t *arguments)
{
    return expansion->arity == 1 ? expansion->one(builder, arguments[0])
                                 : expansion->two(builder, arguments[0], arguments[1]);
}
