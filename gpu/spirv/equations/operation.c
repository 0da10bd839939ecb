#include "gpu/spirv/equations/operation.h"

#include <float.h>
#include <math.h>

#include "gpu/spirv/equations/elementary.h"
#include "pfpu/ir/arith.h"

/* As the functions of pfpu/ir/arith.h; truths are BOOL. */

/* 1, 0 and -1 by the halves of their bits that differ: drivers take choices of such numbers for
 * conversions, and some have then made a -0 of 0. */
enum { ONE = 0x3ff00000 };
#define MINUS_ONE UINT32_C(0xbff00000)

static real small_number(struct spirv *to, uint32_t high)
{
    return real_from_words(to, (struct real_words){spirv_word(to, 0), high});
}

static real number_of(struct spirv *to, uint32_t truth)
{
    return small_number(to, spirv_chosen(to, truth, spirv_word(to, ONE), spirv_word(to, 0)));
}

static real filtered_of(real a)
{
    enum { BITS = 20, EXPONENTS = 0x7ff };
    struct spirv *to = a.to;
    const uint32_t exponent = spirv_masked(to, spirv_right(to, real_high(a), BITS), EXPONENTS);
    const uint32_t usual = SPIRV_MAKE(to, SPIRV_UNSIGNED_LESS, SPIRV_BOOL,
                                      spirv_difference(to, exponent, spirv_word(to, 1)),
                                      spirv_word(to, EXPONENTS - 1));
    return real_chosen(to, usual, a, real_of(0.0));
}

static uint32_t is_true(real a)
{
    return real_at_most(real_of(PFPU_CLOSE), real_magnitude(a));
}

static uint32_t is_above_close(real a)
{
    return real_less(real_of(PFPU_CLOSE), real_magnitude(a));
}

static uint32_t differ(real a, real b)
{
    return is_true(real_minus(a, b));
}

/* Where a condition does not hold: also with NaN. */
static real number_of_not(struct spirv *to, uint32_t truth)
{
    return small_number(to, spirv_chosen(to, truth, spirv_word(to, 0), spirv_word(to, ONE)));
}

static real sign_of(real a)
{
    struct spirv *to = a.to;
    const uint32_t below =
        spirv_chosen(to, real_less(a, real_of(0.0)), spirv_word(to, MINUS_ONE), spirv_word(to, 0));
    return small_number(to,
                        spirv_chosen(to, real_less(real_of(0.0), a), spirv_word(to, ONE), below));
}

static real sign_taken(real a, real b)
{
    const uint32_t turns = real_both(a.to, real_signed(b), real_is_number(b));
    return real_chosen(a.to, turns, real_negated(a), a);
}

static real turns_of(real a)
{
    struct spirv *to = a.to;
    const real most = real_of((double)PFPU_LOOP_MAX);
    const real counted = real_chosen(to, real_at_most(most, a), most, real_floor(a));
    return real_chosen(to, real_at_most(real_of(1.0), a), counted, real_of(0.0));
}

static real quake(real a)
{
    struct spirv *to = a.to;
    const real most = real_of((double)FLT_MAX);
    const real size = real_magnitude(a);
    const real least = real_chosen(to, real_less(size, most), size, most);
    const uint32_t bits = SPIRV_MAKE(to, SPIRV_BITCAST, SPIRV_UINT, real_to_float(least));
    const uint32_t guess =
        spirv_difference(to, spirv_word(to, 0x5f3759df), spirv_right(to, bits, 1));
    return real_from_float(to, SPIRV_MAKE(to, SPIRV_BITCAST, SPIRV_FLOAT, guess));
}

/* ---- whole numbers ---- */

static uint32_t magnitude_of(real a)
{
    struct spirv *to = a.to;
    const real size = real_magnitude(a);
    const uint32_t fits = real_less(size, real_of(4294967296.0));
    const uint32_t word = real_to_unsigned(real_chosen(to, fits, size, real_of(0.0)));
    const uint32_t large = real_at_most(real_of(4294967296.0), size);
    return spirv_chosen(to, large, spirv_word(to, UINT32_MAX), word);
}

static real modulo(real a, real b)
{
    struct spirv *to = a.to;
    const uint32_t divisor = magnitude_of(b);
    const uint32_t none =
        SPIRV_MAKE(to, SPIRV_INTEGER_EQUAL, SPIRV_BOOL, divisor, spirv_word(to, 0));
    const uint32_t rest = SPIRV_MAKE(to, SPIRV_UNSIGNED_MODULO, SPIRV_UINT, magnitude_of(a),
                                     spirv_chosen(to, none, spirv_word(to, 1), divisor));
    return real_from_unsigned(to, rest);
}

/* The words of pfpu_integer. */
static struct real_words integer_of(real a)
{
    struct spirv *to = a.to;
    const real end = real_of(0x1p63);
    const uint32_t fits = real_less(real_magnitude(a), end);
    const real whole = real_trunc(real_chosen(to, fits, a, real_of(0.0)));
    const real upper = real_floor(real_times(whole, real_of(0x1p-32)));
    const real lower = real_minus(whole, real_times(upper, real_of(0x1p32)));
    const uint32_t large = real_at_most(end, a);
    const uint32_t small = real_at_most(a, real_of(-0x1p63));
    const uint32_t low =
        spirv_chosen(to, large, spirv_word(to, UINT32_MAX), real_to_unsigned(lower));
    const uint32_t high = spirv_chosen(to, large, spirv_word(to, INT32_MAX), real_to_signed(upper));
    return (struct real_words){low,
                               spirv_chosen(to, small, spirv_word(to, UINT32_C(1) << 31), high)};
}

static real joined(struct spirv *to, enum spirv_op op, real a, real b)
{
    const struct real_words left = integer_of(a);
    const struct real_words right = integer_of(b);
    const uint32_t low = SPIRV_MAKE(to, op, SPIRV_UINT, left.low, right.low);
    const uint32_t high = SPIRV_MAKE(to, op, SPIRV_UINT, left.high, right.high);
    return real_plus(real_times(real_from_signed(to, high), real_of(0x1p32)),
                     real_from_unsigned(to, low));
}

/* ---- all, a group of them in each function ---- */

static real truth_of(struct spirv *to, enum pfpu_op op, real a, real b)
{
    switch (op) {
    case PFPU_OP_EQUAL:
        return number_of_not(to, differ(a, b));
    case PFPU_OP_SAME:
        return number_of(to, real_equal(a, b));
    case PFPU_OP_NOT_EQUAL:
        return number_of(to, differ(a, b));
    case PFPU_OP_BELOW:
        return number_of_not(to, real_at_most(b, a));
    case PFPU_OP_ABOVE:
        return number_of_not(to, real_at_most(a, b));
    case PFPU_OP_BELOW_EQUAL:
        return number_of(to, real_at_most(a, b));
    case PFPU_OP_ABOVE_EQUAL:
        return number_of(to, real_at_most(b, a));
    case PFPU_OP_TRUTH:
        return number_of(to, is_true(a));
    case PFPU_OP_NOT:
        return number_of_not(to, is_true(a));
    case PFPU_OP_AND:
        return number_of(to, real_both(to, is_true(a), is_true(b)));
    case PFPU_OP_OR:
        return number_of(to, real_either(to, is_true(a), is_true(b)));
    case PFPU_OP_BAND:
        return number_of(to, real_both(to, is_above_close(a), is_above_close(b)));
    case PFPU_OP_BOR:
        return number_of(to, real_either(to, is_above_close(a), is_above_close(b)));
    default:
        return real_constant(to, 0.0);
    }
}

static real function_of(struct spirv *to, enum pfpu_op op, real a, real b)
{
    switch (op) {
    case PFPU_OP_POW:
        return spirv_pow(to, a, b);
    case PFPU_OP_TABLE_SIN:
        return spirv_angle_function(REAL_SIN, real_times(a, real_of(BASE_PI / 4096.0)));
    case PFPU_OP_TABLE_COS:
        return spirv_angle_function(REAL_COS, real_times(a, real_of(BASE_PI / 4096.0)));
    case PFPU_OP_SQRT:
        return real_root(real_magnitude(a));
    case PFPU_OP_INVSQRT:
        return real_divide(real_of(1.0), real_root(a));
    case PFPU_OP_SIN:
        return spirv_angle_function(REAL_SIN, a);
    case PFPU_OP_COS:
        return spirv_angle_function(REAL_COS, a);
    case PFPU_OP_TAN:
        return spirv_angle_function(REAL_TAN, a);
    case PFPU_OP_ASIN:
        return spirv_angle_function(REAL_ASIN, a);
    case PFPU_OP_ACOS:
        return spirv_angle_function(REAL_ACOS, a);
    case PFPU_OP_ATAN:
        return spirv_angle_function(REAL_ATAN, a);
    case PFPU_OP_ATAN2:
        return spirv_atan2(to, a, b);
    case PFPU_OP_EXP:
        return spirv_exp(a);
    case PFPU_OP_LOG:
        return spirv_log(a);
    case PFPU_OP_LOG10:
        return spirv_log10(a);
    case PFPU_OP_SIGMOID:
        return real_divide(real_of(1.0),
                           real_plus(real_of(1.0), spirv_exp(real_times(real_negated(a), b))));
    default:
        return truth_of(to, op, a, b);
    }
}

static real rounded_of(struct spirv *to, enum pfpu_op op, real a, real b)
{
    switch (op) {
    case PFPU_OP_MOD:
        return modulo(a, b);
    case PFPU_OP_REST:
        return real_minus(a, real_times(b, real_trunc(real_divide(a, b))));
    case PFPU_OP_BIT_AND:
        return joined(to, SPIRV_BIT_AND, a, b);
    case PFPU_OP_BIT_OR:
        return joined(to, SPIRV_BIT_OR, a, b);
    case PFPU_OP_TURNS:
        return turns_of(a);
    case PFPU_OP_FLOOR:
    case PFPU_OP_INT:
        return real_floor(a);
    case PFPU_OP_TRUNC:
        return real_trunc(a);
    case PFPU_OP_QUAKE:
        return quake(a);
    case PFPU_OP_CEIL:
        return real_ceil(a);
    default:
        return function_of(to, op, a, b);
    }
}

static real value_of(struct spirv *to, enum pfpu_op op, real a, real b, real c)
{
    switch (op) {
    case PFPU_OP_COPY:
    case PFPU_OP_TO_FLOAT:
        return a;
    case PFPU_OP_FILTER:
        return filtered_of(a);
    case PFPU_OP_ADD:
        return real_plus(a, b);
    case PFPU_OP_SUB:
        return real_minus(a, b);
    case PFPU_OP_MUL:
        return real_times(a, b);
    case PFPU_OP_DIV:
        return real_divide(a, b);
    case PFPU_OP_NEG:
        return real_negated(a);
    case PFPU_OP_MUL_ADD:
        return real_plus(real_times(a, b), c);
    case PFPU_OP_MUL_SUB:
        return real_minus(real_times(a, b), c);
    case PFPU_OP_SUB_MUL:
        return real_minus(c, real_times(a, b));
    case PFPU_OP_SELECT:
        return real_chosen(to, is_true(a), b, c);
    case PFPU_OP_MIN:
        return real_chosen(to, real_less(a, b), a, b);
    case PFPU_OP_MAX:
        return real_chosen(to, real_less(b, a), a, b);
    case PFPU_OP_ABS:
        return real_magnitude(a);
    case PFPU_OP_SIGN:
        return sign_of(a);
    case PFPU_OP_TAKE_SIGN:
        return sign_taken(a, b);
    case PFPU_OP_SQR:
        return real_times(a, a);
    default:
        return rounded_of(to, op, a, b);
    }
}

bool spirv_knows_operation(enum pfpu_op op)
{
    return pfpu_ops[op].kind == PFPU_OP_KIND_PURE;
}

real spirv_operation(struct spirv *module, enum pfpu_op op, bool filtered, const real *arguments)
{
    real all[3];
    for (int k = 0; k < 3; k++) {
        all[k] = arguments[k < pfpu_ops[op].arity ? k : 0];
    }
    const real value = value_of(module, op, all[0], all[1], all[2]);
    return filtered ? filtered_of(value) : value;
}
