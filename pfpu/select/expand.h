/* Instruction selection operation by operation: the host's in operations of the coprocessor. Those
 * that take many are expanded by a function each. Values are floats unless said otherwise. Error
 * bounds were measured on the coprocessor's own arithmetic, which truncates, with constants as the
 * registers hold them. Counts are for arguments that are not known; in brackets stands the path
 * from the last argument's word to the word that may use the result. */
#ifndef PFPU_SELECT_EXPAND_H
#define PFPU_SELECT_EXPAND_H

#include "pfpu/select/build.h"

/* As the hardware's papers do it (spec/pfpu.md section 8): 11, 12 and 15 operations in a plain
 * builder (invsqrt [63], divide [82]). Relative error up to 4.8e-6 for the roots, 9.7e-6 for
 * divide, b != 0. */
int32_t pfpu_expand_thesis_invsqrt(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_thesis_sqrt(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_thesis_divide(struct pfpu_builder *builder, int32_t a, int32_t b);

/* 1 / x: 9 operations [50], between 0 and 9.5e-7 too large in magnitude, never too small; 5e19 for
 * x = 0. For |x| from 2^-60 to 2^60, as everything that follows unless it says otherwise. */
int32_t pfpu_expand_reciprocal(struct pfpu_builder *builder, int32_t x);

/* 1 / x: 8 operations [50], relative error 1.09e-5. */
int32_t pfpu_expand_coarse_reciprocal(struct pfpu_builder *builder, int32_t x);

/* 10 operations [58], 1 if b is a number. Relative error 1e-6, never below the true quotient as a
 * truncated float, so that trunc(a / b) is right where a is a multiple of b. a / 0 is a * 5e19. */
int32_t pfpu_expand_divide(struct pfpu_builder *builder, int32_t a, int32_t b);

/* The remainder of the magnitudes without their fractions, 0 for |b| < 1: 21 operations [94], 8 if
 * b is a number. Exact for |a| up to 10^6, but that instead of 0 it may be -|a| / 2^23. */
int32_t pfpu_expand_modulo(struct pfpu_builder *builder, int32_t a, int32_t b);

/* a - b * trunc(a / b): 14 operations, 5 if b is a number. */
int32_t pfpu_expand_rest(struct pfpu_builder *builder, int32_t a, int32_t b);

/* 10 operations each [55], relative error 2.4e-6 for x > 0. sqrt(0) is 0, invsqrt(0) is large;
 * negative x have no useful value. */
int32_t pfpu_expand_invsqrt(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_sqrt(struct pfpu_builder *builder, int32_t x);

/* The function is *scale times the value: one operation less [8 less], for callers that multiply
 * by a number anyway. (The builder itself merges factors that meet directly.) */
int32_t pfpu_expand_scaled_invsqrt(struct pfpu_builder *builder, int32_t x, double *scale);
int32_t pfpu_expand_scaled_sqrt(struct pfpu_builder *builder, int32_t x, double *scale);
int32_t pfpu_expand_scaled_atan2(struct pfpu_builder *builder, int32_t y, int32_t x, double *scale);

/* Exact for |x| < 2^31. trunc (toward zero) 2 operations [7], floor and ceil 4 [16]; the floor of
 * -0 is -1. */
int32_t pfpu_expand_trunc(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_floor(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_ceil(struct pfpu_builder *builder, int32_t x);

/* 0 at 0: 3 operations [9]. */
int32_t pfpu_expand_sign(struct pfpu_builder *builder, int32_t x);

/* 2 operations [6], by a condition. */
int32_t pfpu_expand_min(struct pfpu_builder *builder, int32_t a, int32_t b);
int32_t pfpu_expand_max(struct pfpu_builder *builder, int32_t a, int32_t b);

/* The angle is first rounded toward zero to 8192 steps per turn, which changes it by up to 7.7e-4.
 * sin and cos take 3 operations [16], tan 13 [74]; its relative error for the rounded angle is
 * 1.1e-5, but large at odd quarter turns. */
int32_t pfpu_expand_sin(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_cos(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_tan(struct pfpu_builder *builder, int32_t x);

/* Absolute error 8e-5: 18 [89] and 19 [95] operations. No useful value for |x| > 1. */
int32_t pfpu_expand_asin(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_acos(struct pfpu_builder *builder, int32_t x);

/* Absolute error 9.5e-5: 21 [122] and 25 [131] operations. atan2 shares x * x + y * y and three
 * more with a sqrt of that sum, 6 in all. atan2(0, 0) is pi / 4. */
int32_t pfpu_expand_atan(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_atan2(struct pfpu_builder *builder, int32_t y, int32_t x);

/* 14 operations [77]. Relative error 5e-5 for x from -18.7 to 20, 7e-5 to 88; 0 for x below, down
 * to -2^100. Above 88 exponents wrap. */
int32_t pfpu_expand_exp(struct pfpu_builder *builder, int32_t x);

/* 13 operations [72]. Absolute error of log 1e-4, of log10 4.3e-5, for every x > 0 that a register
 * holds. log(0) is -88, of negative x below that. */
int32_t pfpu_expand_log(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_log10(struct pfpu_builder *builder, int32_t x);

/* 26 operations [138], 14 if the base is a number. Relative error 5e-5 + 1e-4 * |exponent| where
 * the result is from 1e-8 to 1e38; smaller ones are 0. A base of 0 gives 0 for exponents from 1/4,
 * negative bases give 0 for positive exponents. Where the exponent is a number, whole or with a
 * half, up to 16: by products, with at most one root and one reciprocal, also of negative bases. */
int32_t pfpu_expand_pow(struct pfpu_builder *builder, int32_t base, int32_t exponent);

/* 1 / (1 + exp(-x * c)): 25 operations [144], 24 if c is a number. Absolute error 2e-5, for
 * |x * c| below 2^100. */
int32_t pfpu_expand_sigmoid(struct pfpu_builder *builder, int32_t x, int32_t c);

enum { PFPU_EXPANSION_COUNT = 23 };

/* int is trunc here, as the hardware has it, not floor. */
struct pfpu_expansion {
    enum pfpu_op op;    /* of the host */
    uint8_t arity;      /* 1 or 2: which of the functions there is; the other is NULL */
    uint8_t operations; /* without those of the arguments */
    int32_t (*one)(struct pfpu_builder *builder, int32_t x);
    int32_t (*two)(struct pfpu_builder *builder, int32_t a, int32_t b);
};

extern const struct pfpu_expansion pfpu_expansions[PFPU_EXPANSION_COUNT];

/* NULL for operations that have none. */
const struct pfpu_expansion *pfpu_expansion_of(enum pfpu_op op);

/* arguments: as many as the arity says. */
int32_t pfpu_expand(struct pfpu_builder *builder, const struct pfpu_expansion *expansion,
                    const int32_t *arguments);

/* Any operation. */

/* 8192 steps per turn, with the hardware's pi (spec/pfpu.md section 8). */
#define PFPU_STEPS_PER_RADIAN (8192.0 / (2 * 3.14159265358))

/* The value of the operation on values of the builder's program; PFPU_NO_VALUE if the coprocessor
 * cannot do it. A plain builder gets the forms of the hardware's papers, any other one ours. */
int32_t pfpu_select_operation(struct pfpu_builder *builder, enum pfpu_op op,
                              const int32_t arguments[3]);

/* Whether two values are equal, from their difference times `scale`, which is positive. size: of
 * one of them if it is known, else 0: the coprocessor's difference of equal values is no exact 0,
 * but up to 2^-30 of them. */
int32_t pfpu_select_close(struct pfpu_builder *builder, int32_t difference, double size,
                          double scale);

/* A value that is 1.0 or 0 as `value` is true or not, ready for IF. */
int32_t pfpu_select_condition(struct pfpu_builder *builder, int32_t value);

int32_t pfpu_select_not(struct pfpu_builder *builder, int32_t value);
int32_t pfpu_select_negative(struct pfpu_builder *builder, int32_t value);

/* Cannot be below 0, as far as its operations tell. */
bool pfpu_select_is_positive(const struct pfpu_builder *builder, int32_t value);

#endif
