#include "gpu/spirv/arithmetic.h"

#include "gpu/spirv/lanes.h"
#include "renderer/shader/math/terms.h"
#include "renderer/shader/run/kernels.h"

/* Functions that a module has, behind the operations. */
enum { FUNCTION_DIVIDE = SHADER_OP_COUNT, FUNCTION_ROOT, FUNCTION_DETAIL, FUNCTIONS };
_Static_assert((int)FUNCTIONS < (int)SPIRV_FUNCTIONS, "functions of a module");

/* ---- quotients and roots ---- */

enum { BITS = 23, BIAS = 127 };

/* A finite number above 0 as mantissa * 2^exponent, the mantissa from 2^23 to 2^24. */
struct apart {
    simd_words mantissa;
    simd_words exponent;
};

static struct apart apart(simd_words bits)
{
    struct spirv *to = bits.to;
    const simd_words field = lane_right(bits, simd_all_words(BITS));
    const simd_words part = simd_and(bits, simd_all_words((1u << BITS) - 1));
    /* A denormal number is moved up until its highest bit is where others have theirs. */
    const simd_words lowest = {to, SPIRV_EXTEND(to, SPIRV_EXTENDED_UNSIGNED_MAX, SPIRV_UINTS,
                                                part.name, spirv_constant(to, SPIRV_UINTS, 1))};
    const simd_words highest = {
        to, SPIRV_EXTEND(to, SPIRV_EXTENDED_HIGHEST_BIT, SPIRV_UINTS, lowest.name)};
    const simd_words moved = lane_minus(simd_all_words(BITS), highest);
    const uint32_t small = lane_words_compared(SPIRV_INTEGER_EQUAL, field, simd_all_words(0));
    return (struct apart){
        lane_words_chosen(to, small, lane_left(lowest, moved),
                          simd_or(part, simd_all_words(1u << BITS))),
        lane_minus(lane_words_chosen(to, small, lane_minus(simd_all_words(1), moved), field),
                   simd_all_words(BIAS + BITS)),
    };
}

/* quotient * 2^exponent, and a little more where `more` is not 0, to a number, halves to even; the
 * quotient has 25 bits. */
static simd_floats rounded(simd_words quotient, simd_words exponent, simd_words more)
{
    enum { BITS_HELD = BITS + 2, SHIFT_MAX = BITS_HELD + 2 };
    struct spirv *to = quotient.to;
    /* The exponent's field; below 1 for denormal numbers, which lose bits instead. */
    const simd_words field = simd_plus(exponent, simd_all_words(BITS_HELD - 1 + BIAS));
    const uint32_t normal = lane_signed_greater(field, simd_all_words(0));
    const simd_words kept = lane_words_chosen(to, normal, field, simd_all_words(1));
    const simd_words lacking = lane_minus(kept, field);
    const simd_words few =
        lane_words_chosen(to, lane_signed_greater(lacking, simd_all_words(SHIFT_MAX)),
                          simd_all_words(SHIFT_MAX), lacking);
    const simd_words shift = simd_plus(few, simd_all_words(1));
    const simd_words half = lane_left(simd_all_words(1), few);
    const simd_words lost =
        simd_and(quotient, lane_minus(lane_left(half, simd_all_words(1)), simd_all_words(1)));
    const simd_words mantissa = lane_right(quotient, shift);
    /* Up where more than half is lost, or half and the mantissa is odd. */
    const simd_words odd = simd_and(mantissa, simd_all_words(1));
    const simd_words inexact =
        lane_words_chosen(to, lane_words_compared(SPIRV_INTEGER_NOT_EQUAL, more, simd_all_words(0)),
                          simd_all_words(1), odd);
    const simd_words up = lane_words_chosen(
        to, lane_words_compared(SPIRV_UNSIGNED_GREATER, simd_plus(lost, inexact), half),
        simd_all_words(1), simd_all_words(0));
    const simd_words bits =
        simd_plus(lane_left(lane_minus(kept, simd_all_words(1)), simd_all_words(BITS)),
                  simd_plus(mantissa, up));
    const uint32_t large =
        lane_words_compared(SPIRV_UNSIGNED_GREATER, bits, simd_all_words(LANE_INFINITY));
    return simd_as_number(lane_words_chosen(to, large, simd_all_words(LANE_INFINITY), bits));
}

/* The quotient of two finite numbers above 0. That of the mantissas, by the device, may be wrong by
 * 2.5 units in the last place (8 of the quotient's units, generously); what it leaves is computed
 * modulo 2^32 and says by how much. */
static simd_floats quotient_of(simd_words a_bits, simd_words b_bits)
{
    enum { WRONG = 8 };
    struct spirv *to = a_bits.to;
    const struct apart a = apart(a_bits);
    const struct apart b = apart(b_bits);
    const uint32_t smaller = lane_words_compared(SPIRV_UNSIGNED_LESS, a.mantissa, b.mantissa);
    const simd_words scale = lane_words_chosen(to, smaller, simd_all_words(25), simd_all_words(24));
    const simd_floats power =
        simd_as_number(lane_left(simd_plus(scale, simd_all_words(BIAS)), simd_all_words(BITS)));
    const simd_floats estimate =
        lane_floats(SPIRV_FLOAT_DIV, lane_from_words(a.mantissa), lane_from_words(b.mantissa));
    simd_words quotient = lane_minus(lane_cut(simd_mul(estimate, power)), simd_all_words(WRONG));
    simd_words rest = lane_minus(lane_left(a.mantissa, scale), lane_times(quotient, b.mantissa));
    for (uint32_t step = 2 * WRONG; step > 0; step /= 2) {
        const simd_words taken = lane_times(b.mantissa, simd_all_words(step));
        const uint32_t fits = lane_words_compared(SPIRV_SIGNED_GREATER_EQUAL, rest, taken);
        quotient = lane_words_chosen(to, fits, simd_plus(quotient, simd_all_words(step)), quotient);
        rest = lane_words_chosen(to, fits, lane_minus(rest, taken), rest);
    }
    return rounded(quotient, lane_minus(lane_minus(a.exponent, b.exponent), scale), rest);
}

static simd_floats divide(simd_floats a, simd_floats b)
{
    struct spirv *to = a.to;
    const simd_words sign =
        simd_and(simd_xor(simd_as_word(a), simd_as_word(b)), simd_all_words(LANE_SIGN));
    const simd_words above = simd_and(simd_as_word(a), simd_all_words(~LANE_SIGN));
    const simd_words below = simd_and(simd_as_word(b), simd_all_words(~LANE_SIGN));
    /* Whatever is not a finite number above 0 is divided as 1. */
    const simd_words one = simd_all_words((uint32_t)BIAS << BITS);
    const simd_words infinity = simd_all_words(LANE_INFINITY);
    const uint32_t above_zero = lane_words_compared(SPIRV_INTEGER_EQUAL, above, simd_all_words(0));
    const uint32_t below_zero = lane_words_compared(SPIRV_INTEGER_EQUAL, below, simd_all_words(0));
    const uint32_t above_large = lane_words_compared(SPIRV_UNSIGNED_GREATER_EQUAL, above, infinity);
    const uint32_t below_large = lane_words_compared(SPIRV_UNSIGNED_GREATER_EQUAL, below, infinity);
    const uint32_t above_odd =
        SPIRV_MAKE(to, SPIRV_LOGICAL_OR, SPIRV_BOOLS, above_zero, above_large);
    const uint32_t below_odd =
        SPIRV_MAKE(to, SPIRV_LOGICAL_OR, SPIRV_BOOLS, below_zero, below_large);
    const simd_floats finite = quotient_of(lane_words_chosen(to, above_odd, one, above),
                                           lane_words_chosen(to, below_odd, one, below));
    const uint32_t none = SPIRV_MAKE(to, SPIRV_LOGICAL_OR, SPIRV_BOOLS, above_zero, below_large);
    const uint32_t all = SPIRV_MAKE(to, SPIRV_LOGICAL_OR, SPIRV_BOOLS, below_zero, above_large);
    simd_words bits = lane_words_chosen(to, none, simd_all_words(0), simd_as_word(finite));
    bits = lane_words_chosen(to, all, infinity, bits);
    /* 0 by 0, infinity by infinity, and NaN. */
    const uint32_t both = SPIRV_MAKE(to, SPIRV_LOGICAL_AND, SPIRV_BOOLS, none, all);
    const simd_words not_a_number = simd_all_words(UINT32_C(0x7fc00000));
    bits = lane_words_chosen(to, both, not_a_number, bits);
    bits = lane_words_chosen(to, lane_words_compared(SPIRV_UNSIGNED_GREATER, above, infinity),
                             not_a_number, bits);
    bits = lane_words_chosen(to, lane_words_compared(SPIRV_UNSIGNED_GREATER, below, infinity),
                             not_a_number, bits);
    return simd_as_number(simd_or(bits, sign));
}

/* The device's root may be wrong by 6 units in the last place (16 of the root's units, generously).
 */
static simd_floats root(simd_floats x)
{
    enum { WRONG = 16, SCALE = 25 };
    struct spirv *to = x.to;
    const simd_words given = simd_as_word(x);
    const uint32_t zero = lane_words_compared(SPIRV_INTEGER_EQUAL, given, simd_all_words(0));
    const uint32_t large =
        lane_words_compared(SPIRV_UNSIGNED_GREATER_EQUAL, given, simd_all_words(LANE_INFINITY));
    const uint32_t odd = SPIRV_MAKE(to, SPIRV_LOGICAL_OR, SPIRV_BOOLS, zero, large);
    const struct apart part =
        apart(lane_words_chosen(to, odd, simd_all_words((uint32_t)BIAS << BITS), given));
    /* Scaled by 2^25 the exponent has to be even. */
    const simd_words uneven =
        simd_and(lane_minus(part.exponent, simd_all_words(SCALE)), simd_all_words(1));
    const simd_words square = lane_left(part.mantissa, uneven);
    const simd_words exponent =
        lane_minus(lane_minus(part.exponent, uneven), simd_all_words(SCALE));
    const simd_floats scaled = simd_mul(lane_from_words(square), simd_all(0x1p25f));
    simd_words found =
        lane_minus(lane_cut(lane_extended(SPIRV_EXTENDED_SQRT, scaled)), simd_all_words(WRONG));
    simd_words rest =
        lane_minus(lane_left(square, simd_all_words(SCALE)), lane_times(found, found));
    for (uint32_t step = WRONG; step > 0; step /= 2) {
        const simd_words taken =
            simd_plus(lane_times(found, simd_all_words(2 * step)), simd_all_words(step * step));
        const uint32_t fits = lane_words_compared(SPIRV_SIGNED_GREATER_EQUAL, rest, taken);
        found = lane_words_chosen(to, fits, simd_plus(found, simd_all_words(step)), found);
        rest = lane_words_chosen(to, fits, lane_minus(rest, taken), rest);
    }
    const simd_floats finite = rounded(found, simd_right_signed(exponent, 1), rest);
    return simd_as_number(lane_words_chosen(to, odd, given, simd_as_word(finite)));
}

/* ---- functions of a module ---- */

static simd_floats call(struct spirv *to, unsigned function, const simd_floats *arguments,
                        size_t count)
{
    uint32_t operands[3] = {to->function[function]};
    for (size_t i = 0; i < count; i++) {
        operands[i + 1] = lane_float(to, arguments[i]);
    }
    return (simd_floats){to,
                         spirv_make(to, SPIRV_FUNCTION_CALL, SPIRV_FLOATS, operands, count + 1)};
}

/* A function that is made when it is called first. */
static simd_floats call_unary(unsigned function, simd_floats (*text)(simd_floats), simd_floats x)
{
    struct spirv *to = x.to;
    assert(to != NULL);
    if (to->function[function] == 0) {
        struct spirv_outer outer;
        const enum spirv_type parameters[] = {SPIRV_FLOATS};
        uint32_t name = 0;
        spirv_function(to, &outer, SPIRV_FLOATS, parameters, 1, &name);
        const uint32_t value = text((simd_floats){to, name}).name;
        to->function[function] = spirv_function_end(to, &outer, value);
    }
    return call(to, function, &x, 1);
}

static simd_floats call_binary(unsigned function, simd_floats (*text)(simd_floats, simd_floats),
                               simd_floats a, simd_floats b)
{
    struct spirv *to = a.to != NULL ? a.to : b.to;
    assert(to != NULL);
    if (to->function[function] == 0) {
        struct spirv_outer outer;
        const enum spirv_type parameters[] = {SPIRV_FLOATS, SPIRV_FLOATS};
        uint32_t names[2] = {0, 0};
        spirv_function(to, &outer, SPIRV_FLOATS, parameters, 2, names);
        const uint32_t value = text((simd_floats){to, names[0]}, (simd_floats){to, names[1]}).name;
        to->function[function] = spirv_function_end(to, &outer, value);
    }
    const simd_floats arguments[] = {a, b};
    return call(to, function, arguments, 2);
}

simd_floats simd_div(simd_floats a, simd_floats b)
{
    return call_binary(FUNCTION_DIVIDE, divide, a, b);
}

simd_floats simd_root(simd_floats a)
{
    return call_unary(FUNCTION_ROOT, root, a);
}

static simd_floats detail(simd_floats square)
{
    return lane_only(simd_lt(simd_all(SHADER_READ_ENLARGED), square),
                     simd_mul(simd_all(0.5f), lane_log2(square)));
}

uint32_t spirv_detail(struct spirv *module, uint32_t square)
{
    return call_unary(FUNCTION_DETAIL, detail, (simd_floats){module, square}).name;
}

/* ---- operations ---- */

static uint32_t logical(struct spirv *module, enum spirv_op op, const uint32_t *arguments,
                        size_t count)
{
    return spirv_make(module, op, SPIRV_BOOLS, arguments, count);
}

static uint32_t either(struct spirv *module, simd_floats a, simd_floats b)
{
    const uint32_t sides[] = {lane_compared(SPIRV_FLOAT_LESS, a, b),
                              lane_compared(SPIRV_FLOAT_LESS, b, a)};
    return logical(module, SPIRV_LOGICAL_OR, sides, 2);
}

uint32_t spirv_compute(struct spirv *module, enum shader_op op, const uint32_t *arguments)
{
    const simd_floats a = {module, arguments[0]};
    const simd_floats b = {module, arguments[1]};
    switch (op) {
    case SHADER_OP_ADD:
        return simd_add(a, b).name;
    case SHADER_OP_SUB:
        return simd_sub(a, b).name;
    case SHADER_OP_MUL:
        return simd_mul(a, b).name;
    case SHADER_OP_DIV:
        return call_binary(op, lane_divide, a, b).name;
    case SHADER_OP_FMOD:
        return call_binary(op, lane_fmod, a, b).name;
    case SHADER_OP_MIN:
        return simd_min(a, b).name;
    case SHADER_OP_MAX:
        return simd_max(a, b).name;
    case SHADER_OP_NEG:
        return lane_neg(a).name;
    case SHADER_OP_ABS:
        return lane_abs(a).name;
    case SHADER_OP_FLOOR:
        return simd_floor(a).name;
    case SHADER_OP_CEIL:
        return simd_ceil(a).name;
    case SHADER_OP_TRUNC:
        return simd_trunc(a).name;
    case SHADER_OP_ROUND:
        return simd_round(a).name;
    case SHADER_OP_FRAC:
        return simd_sub(a, simd_floor(a)).name;
    case SHADER_OP_SQRT:
        return lane_sqrt(a).name;
    case SHADER_OP_RSQRT:
        return call_unary(op, lane_rsqrt, a).name;
    case SHADER_OP_SIN:
        return call_unary(op, lane_sin, a).name;
    case SHADER_OP_COS:
        return call_unary(op, lane_cos, a).name;
    case SHADER_OP_EXP2:
        return call_unary(op, lane_exp2, a).name;
    case SHADER_OP_LOG2:
        return call_unary(op, lane_log2, a).name;
    case SHADER_OP_ATAN2:
        return call_binary(op, lane_atan2, a, b).name;
    case SHADER_OP_ASIN:
        return call_unary(op, lane_asin, a).name;
    case SHADER_OP_ACOS:
        return call_unary(op, lane_acos, a).name;
    case SHADER_OP_LT:
        return lane_compared(SPIRV_FLOAT_LESS, a, b);
    case SHADER_OP_LE:
        return lane_compared(SPIRV_FLOAT_LESS_EQUAL, a, b);
    case SHADER_OP_EQ:
        return lane_compared(SPIRV_FLOAT_EQUAL, a, b);
    case SHADER_OP_NE:
        return either(module, a, b);
    case SHADER_OP_AND:
        return logical(module, SPIRV_LOGICAL_AND, arguments, 2);
    case SHADER_OP_OR:
        return logical(module, SPIRV_LOGICAL_OR, arguments, 2);
    case SHADER_OP_NOT:
        return logical(module, SPIRV_LOGICAL_NOT, arguments, 1);
    case SHADER_OP_SELECT:
        return spirv_make(module, SPIRV_SELECT, SPIRV_FLOATS, arguments, 3);
    case SHADER_OP_CHOOSE:
        return spirv_make(module, SPIRV_SELECT, SPIRV_BOOLS, arguments, 3);
    default:
        assert(false);
        return 0;
    }
}
