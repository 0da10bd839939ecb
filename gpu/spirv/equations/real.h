/* Floats of 64 bits in a module that begins with them (words.h), one for each invocation, with the
 * bits of C's doubles. Sums, differences, products and comparisons are the device's own; quotients,
 * roots and remainders are made of those, so that they are right whatever the device has for them.
 * Which NaN a result is, is left open. */
#ifndef GPU_SPIRV_EQUATIONS_REAL_H
#define GPU_SPIRV_EQUATIONS_REAL_H

#include <stddef.h>

#include "base/cpu.h"
#include "gpu/spirv/words.h"

/* A number is an identifier of a module, or a constant as long as nothing is made of it. */
typedef struct {
    struct spirv *to; /* NULL: a constant */
    uint32_t name;
    double constant;
} real;

/* The halves of its bits. */
struct real_words {
    uint32_t low;
    uint32_t high;
};

BASE_INLINE real real_of(double number)
{
    return (real){NULL, 0, number};
}

BASE_INLINE real real_named(struct spirv *to, uint32_t name)
{
    return (real){to, name, 0.0};
}

/* A constant that is one already. */
BASE_INLINE real real_constant(struct spirv *to, double number)
{
    return real_named(to, spirv_double(to, number));
}

BASE_INLINE uint32_t real_name(struct spirv *to, real a)
{
    return a.to != NULL ? a.name : spirv_double(to, a.constant);
}

BASE_INLINE struct spirv *real_module(real a, real b)
{
    return a.to != NULL ? a.to : b.to;
}

BASE_INLINE real real_made(enum spirv_op op, real a, real b)
{
    struct spirv *to = real_module(a, b);
    return real_named(to, SPIRV_MAKE(to, op, SPIRV_DOUBLE, real_name(to, a), real_name(to, b)));
}

BASE_INLINE real real_plus(real a, real b)
{
    return real_made(SPIRV_FLOAT_ADD, a, b);
}

BASE_INLINE real real_minus(real a, real b)
{
    return real_made(SPIRV_FLOAT_SUB, a, b);
}

BASE_INLINE real real_times(real a, real b)
{
    return real_made(SPIRV_FLOAT_MUL, a, b);
}

/* a + b * c */
BASE_INLINE real real_with(real a, real b, real c)
{
    return real_plus(a, real_times(b, c));
}

BASE_INLINE real real_constant_with(double a, real b, double c)
{
    return real_with(real_of(a), b, real_of(c));
}

BASE_INLINE real real_extended(enum spirv_extended op, real a)
{
    return real_named(a.to, SPIRV_EXTEND(a.to, op, SPIRV_DOUBLE, a.name));
}

BASE_INLINE real real_floor(real a)
{
    return real_extended(SPIRV_EXTENDED_FLOOR, a);
}

BASE_INLINE real real_ceil(real a)
{
    return real_extended(SPIRV_EXTENDED_CEIL, a);
}

BASE_INLINE real real_trunc(real a)
{
    return real_extended(SPIRV_EXTENDED_TRUNC, a);
}

BASE_INLINE real real_magnitude(real a)
{
    return real_extended(SPIRV_EXTENDED_FLOAT_MAGNITUDE, a);
}

BASE_INLINE real real_negated(real a)
{
    return real_named(a.to, SPIRV_MAKE(a.to, SPIRV_FLOAT_NEGATE, SPIRV_DOUBLE, a.name));
}

/* ---- truths (BOOL) ---- */

BASE_INLINE uint32_t real_compared(enum spirv_op op, real a, real b)
{
    struct spirv *to = real_module(a, b);
    return SPIRV_MAKE(to, op, SPIRV_BOOL, real_name(to, a), real_name(to, b));
}

/* a < b of numbers that are no NaN. */
BASE_INLINE uint32_t real_below(real a, real b)
{
    return real_compared(SPIRV_FLOAT_LESS, a, b);
}

BASE_INLINE uint32_t real_equal(real a, real b)
{
    return real_compared(SPIRV_FLOAT_EQUAL, a, b);
}

BASE_INLINE uint32_t real_not(struct spirv *to, uint32_t truth)
{
    return SPIRV_MAKE(to, SPIRV_LOGICAL_NOT, SPIRV_BOOL, truth);
}

BASE_INLINE uint32_t real_both(struct spirv *to, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(to, SPIRV_LOGICAL_AND, SPIRV_BOOL, a, b);
}

BASE_INLINE uint32_t real_either(struct spirv *to, uint32_t a, uint32_t b)
{
    return SPIRV_MAKE(to, SPIRV_LOGICAL_OR, SPIRV_BOOL, a, b);
}

BASE_INLINE real real_chosen(struct spirv *to, uint32_t truth, real yes, real no)
{
    return real_named(to, SPIRV_MAKE(to, SPIRV_SELECT, SPIRV_DOUBLE, truth, real_name(to, yes),
                                     real_name(to, no)));
}

/* ---- bits ---- */

/* Of the upper half: all but the sign, and those of infinity. */
#define REAL_SIZE     UINT32_C(0x7fffffff)
#define REAL_INFINITE UINT32_C(0x7ff00000)

/* The bit of a word, as a truth. */
BASE_INLINE uint32_t real_has_bit(struct spirv *to, uint32_t word, uint32_t bit)
{
    return SPIRV_MAKE(to, SPIRV_INTEGER_NOT_EQUAL, SPIRV_BOOL, spirv_masked(to, word, bit),
                      spirv_word(to, 0));
}

BASE_INLINE struct real_words real_words(real a)
{
    const uint32_t pair = SPIRV_MAKE(a.to, SPIRV_BITCAST, SPIRV_PAIR, a.name);
    return (struct real_words){SPIRV_MAKE(a.to, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, pair, 0),
                               SPIRV_MAKE(a.to, SPIRV_COMPOSITE_EXTRACT, SPIRV_UINT, pair, 1)};
}

BASE_INLINE real real_from_words(struct spirv *to, struct real_words words)
{
    const uint32_t pair =
        SPIRV_MAKE(to, SPIRV_COMPOSITE_CONSTRUCT, SPIRV_PAIR, words.low, words.high);
    return real_named(to, SPIRV_MAKE(to, SPIRV_BITCAST, SPIRV_DOUBLE, pair));
}

BASE_INLINE uint32_t real_high(real a)
{
    return real_words(a).high;
}

/* Its sign bit is set (BOOL): also that of -0. */
BASE_INLINE uint32_t real_signed(real a)
{
    return SPIRV_MAKE(a.to, SPIRV_UNSIGNED_GREATER, SPIRV_BOOL, real_high(a),
                      spirv_word(a.to, INT32_MAX));
}

/* No NaN (BOOL), by whole numbers. */
BASE_INLINE uint32_t real_is_number(real a)
{
    const struct real_words words = real_words(a);
    const uint32_t some = spirv_least(a.to, words.low, spirv_word(a.to, 1));
    const uint32_t size =
        SPIRV_MAKE(a.to, SPIRV_BIT_OR, SPIRV_UINT, spirv_masked(a.to, words.high, REAL_SIZE), some);
    return SPIRV_MAKE(a.to, SPIRV_UNSIGNED_GREATER_EQUAL, SPIRV_BOOL,
                      spirv_word(a.to, REAL_INFINITE), size);
}

BASE_INLINE uint32_t real_is_finite(real a)
{
    return SPIRV_MAKE(a.to, SPIRV_UNSIGNED_LESS, SPIRV_BOOL,
                      spirv_masked(a.to, real_high(a), REAL_SIZE), spirv_word(a.to, REAL_INFINITE));
}

/* Drivers make the opposite of a >= b when they want that of a < b, which is wrong for NaN: that is
 * told apart by whole numbers, so that either is right. No constant is NaN. */
BASE_INLINE uint32_t real_ordered(enum spirv_op op, real a, real b)
{
    struct spirv *to = real_module(a, b);
    uint32_t truth = real_compared(op, a, b);
    truth = a.to != NULL ? real_both(to, truth, real_is_number(a)) : truth;
    return b.to != NULL ? real_both(to, truth, real_is_number(b)) : truth;
}

BASE_INLINE uint32_t real_less(real a, real b)
{
    return real_ordered(SPIRV_FLOAT_LESS, a, b);
}

BASE_INLINE uint32_t real_at_most(real a, real b)
{
    return real_ordered(SPIRV_FLOAT_LESS_EQUAL, a, b);
}

/* Two words of a buffer. */
BASE_INLINE real real_read(struct spirv *to, unsigned buffer, uint32_t index)
{
    const uint32_t low = spirv_read(to, buffer, index);
    const uint32_t high = spirv_read(to, buffer, spirv_sum(to, index, spirv_word(to, 1)));
    return real_from_words(to, (struct real_words){low, high});
}

/* 2^exponent of a word of two's complement, -1022..1023. */
real real_power_of_two(struct spirv *to, uint32_t exponent);

/* a with the sign of b, which is no NaN. */
real real_with_sign(real a, real b);

/* ---- conversions ---- */

/* The whole part as a word; what has none that fits gives any. */
BASE_INLINE uint32_t real_to_signed(real a)
{
    return SPIRV_MAKE(a.to, SPIRV_BITCAST, SPIRV_UINT,
                      SPIRV_MAKE(a.to, SPIRV_FLOAT_TO_SIGNED, SPIRV_INT, a.name));
}

BASE_INLINE uint32_t real_to_unsigned(real a)
{
    return SPIRV_MAKE(a.to, SPIRV_FLOAT_TO_UNSIGNED, SPIRV_UINT, a.name);
}

BASE_INLINE real real_from_signed(struct spirv *to, uint32_t word)
{
    return real_named(to, SPIRV_MAKE(to, SPIRV_SIGNED_TO_FLOAT, SPIRV_DOUBLE,
                                     SPIRV_MAKE(to, SPIRV_BITCAST, SPIRV_INT, word)));
}

BASE_INLINE real real_from_unsigned(struct spirv *to, uint32_t word)
{
    return real_named(to, SPIRV_MAKE(to, SPIRV_UNSIGNED_TO_FLOAT, SPIRV_DOUBLE, word));
}

/* FLOAT */
BASE_INLINE uint32_t real_to_float(real a)
{
    return SPIRV_MAKE(a.to, SPIRV_FLOAT_CONVERT, SPIRV_FLOAT, a.name);
}

BASE_INLINE real real_from_float(struct spirv *to, uint32_t number)
{
    return real_named(to, SPIRV_MAKE(to, SPIRV_FLOAT_CONVERT, SPIRV_DOUBLE, number));
}

/* ---- functions ---- */

/* Those that a module has. */
enum real_function {
    REAL_DIVIDE,
    REAL_ROOT,
    REAL_FAR_ANGLE,
    REAL_SIN,
    REAL_COS,
    REAL_TAN,
    REAL_ASIN,
    REAL_ACOS,
    REAL_ATAN,
    REAL_ATAN2,
    REAL_EXP,
    REAL_LOG,
    REAL_LOG10,
    REAL_POW,
    REAL_FUNCTIONS
};

enum { REAL_ARGUMENTS = 2 };

/* Calls a function of one number or two; makes it first with `body`, unless the module has it. */
real real_call(struct spirv *to, enum real_function function, real (*body)(const real *arguments),
               const real *arguments, size_t count);

real real_divide(real a, real b); /* one of them is no constant */
real real_root(real a);

/* fmod(a, 2 pi) for finite a beyond 2 pi either way. */
real real_far_angle(real a);

/* An exact sum or product: its rounded value and what that lacks. Not both numbers of a sum are
 * constants, and none of a product. */
struct real_parts {
    real high;
    real low;
};
struct real_parts real_exact_sum(real a, real b);

/* a * b as base/fmath.c has it, with the same bits in both parts. */
struct real_parts real_exact_product(real a, real b);

#endif
