#include "gpu/spirv/arithmetic.h"

#include "gpu/spirv/lanes.h"
#include "renderer/shader/math/terms.h"
#include "renderer/shader/run/kernels.h"

/* Functions that a module has, behind the operations. */
enum { FUNCTION_DIVIDE = SHADER_OP_COUNT, FUNCTION_ROOT, FUNCTION_DETAIL, FUNCTIONS };
_Static_assert((int)FUNCTIONS < (int)SPIRV_FUNCTIONS, "functions of a module");

/* ---- quotients and roots ---- */

enum {
    BITS = 23, /* of a mantissa, without the highest, which no normal number keeps */
    HIDDEN = 1 << BITS,
    FRACTION = HIDDEN - 1,
    DENORMAL = 149, /* denormal numbers are multiples of 2^-149 */
};

/* The bits of an exponent alone. */
#define FIELD(exponent) ((uint32_t)(exponent) << BITS)
/* The bits of the largest finite number. */
#define MOST (LANE_INFINITY - 1)

static simd_words load_words(struct spirv *to, uint32_t variable)
{
    return (simd_words){to, spirv_load(to, SPIRV_UINTS, variable)};
}

/* The bits of a number that is not below 0; a denormal one has its highest bit where others have
 * theirs, and an exponent below 1. */
static simd_words normal(simd_words bits)
{
    const simd_words moved =
        lane_minus(simd_as_word(lane_from_words(bits)), simd_all_words(FIELD(DENORMAL)));
    const uint32_t small = lane_words_compared(SPIRV_UNSIGNED_LESS, bits, simd_all_words(HIDDEN));
    return lane_words_chosen(bits.to, small, moved, bits);
}

/* What a device makes of a quotient or a reciprocal root. */
static simd_floats estimated(simd_floats device)
{
    const int32_t off = device.to->estimates_off;
    return off == 0
               ? device
               : simd_as_number(simd_plus(simd_as_word(device), simd_all_words((uint32_t)off)));
}

/* Of an estimate up to 2, in 2^-25ths, a multiple of 8: the sum's exponent is shifted out. */
static simd_words whole_of(simd_floats estimate)
{
    return simd_left(simd_as_word(simd_add(estimate, simd_all(2.0f))), 3);
}

/* The whole number nearest to a small one; `round` is 1.5 * 2^23 times what 1 is there. */
static simd_words nearest(simd_floats number, float round)
{
    return lane_minus(simd_as_word(simd_add(number, simd_all(round))),
                      simd_as_word(simd_all(round)));
}

/* 2^26 times a quotient or root, without the bits below, the lowest of which is set. Found is that
 * in 2^-25ths, rounded up or down as the rest's sign says. So a float made of it is rounded as the
 * quotient or root itself, which is never halfway between two normal numbers. */
static simd_words doubled(simd_words found, simd_words rest)
{
    return simd_plus(simd_left(found, 1), simd_or(simd_right_signed(rest, 31), simd_all_words(1)));
}

/* As bits of numbers above 0, which may be `normal`. */
struct quotient {
    simd_words doubled;
    simd_words rest;
    simd_words scale; /* a power of two, as what it adds to bits */
    simd_words bits;
};

/* The reciprocal, by the device, may be wrong by 2.5 units in its last place, and by 16 here: the
 * estimate is then wrong by less than 2^7 of 2^-25, and what it leaves, computed modulo 2^32, by
 * less than 2^31. Of that the reciprocal makes a step that is wrong by half and less than 2^-8. */
static struct quotient quotient_of(simd_words a, simd_words b)
{
    const simd_words above =
        simd_or(simd_and(a, simd_all_words(FRACTION)), simd_all_words(FIELD(127 + BITS)));
    const simd_words part = simd_and(b, simd_all_words(FRACTION));
    const simd_words below = simd_or(part, simd_all_words(FIELD(127 - 3)));
    const simd_words divisor = simd_or(part, simd_all_words(HIDDEN));
    const simd_words dividend = simd_left(a, 25);
    const simd_floats reciprocal =
        estimated(lane_floats(SPIRV_FLOAT_DIV, simd_all(0x1p-26f), simd_as_number(below)));
    const simd_words first = whole_of(simd_mul(simd_as_number(above), reciprocal));
    const simd_words left = lane_minus(dividend, lane_times(first, divisor));
    const simd_words step = nearest(simd_mul(lane_from_signed(left), reciprocal), 0x1.8p23f);
    const simd_words found = simd_plus(first, step);
    struct quotient quotient = {.rest = lane_minus(dividend, lane_times(found, divisor))};
    quotient.doubled = doubled(found, quotient.rest);
    quotient.scale = simd_plus(lane_minus(a, above), lane_minus(below, b));
    quotient.bits = simd_plus(simd_as_word(lane_from_words(quotient.doubled)), quotient.scale);
    return quotient;
}

/* A quotient beyond normal numbers: infinite, or denormal, where halves are rounded to even. */
static simd_words far_quotient(const struct quotient *quotient, simd_words a, simd_words b)
{
    enum { LOST_MAX = 31 };
    struct spirv *to = a.to;
    const simd_words one = simd_all_words(1);
    const uint32_t exact =
        lane_words_compared(SPIRV_INTEGER_EQUAL, quotient->rest, simd_all_words(0));
    const simd_words doubled =
        lane_words_chosen(to, exact, lane_minus(quotient->doubled, one), quotient->doubled);
    const simd_words lost = lane_least(
        lane_minus(simd_all_words(0u - DENORMAL), simd_right_signed(quotient->scale, BITS)),
        simd_all_words(LOST_MAX));
    const simd_words below_half = lane_right(lane_minus(lane_left(one, lost), one), one);
    const simd_words odd = simd_and(lane_right(doubled, lost), one);
    const simd_words small = lane_right(simd_plus(doubled, simd_plus(below_half, odd)), lost);
    return lane_words_chosen(to, lane_signed_greater(a, b), simd_all_words(LANE_INFINITY), small);
}

/* What is not between two finite numbers above 0 follows from a product: reciprocals of 0, infinity
 * and NaN are infinity less their bits. Limited it is finite, and 0 where it is no number. */
static void divide_odd(const simd_words given[2], const simd_words operand[2],
                       const struct quotient *quotient, bool limited, uint32_t result)
{
    struct spirv *to = given[0].to;
    const simd_words sign = simd_and(simd_xor(given[0], given[1]), simd_all_words(LANE_SIGN));
    const simd_words above = simd_and(given[0], simd_all_words(~LANE_SIGN));
    const simd_words below = simd_and(given[1], simd_all_words(~LANE_SIGN));
    const uint32_t divides = lane_within(below, 0, MOST);
    const simd_words reciprocal =
        lane_words_chosen(to, divides, simd_as_word(simd_all(1.0f)),
                          lane_minus(simd_all_words(LANE_INFINITY), below));
    const simd_floats product = simd_mul(simd_as_number(above), simd_as_number(reciprocal));
    const uint32_t both =
        SPIRV_MAKE(to, SPIRV_LOGICAL_AND, SPIRV_BOOLS, divides, lane_within(above, 0, MOST));
    const uint32_t far = lane_words_compared(SPIRV_UNSIGNED_GREATER_EQUAL,
                                             lane_minus(quotient->bits, simd_all_words(HIDDEN)),
                                             simd_all_words(LANE_INFINITY - HIDDEN));
    const struct spirv_part beyond = spirv_begin_part(
        to, lane_any(to, SPIRV_MAKE(to, SPIRV_LOGICAL_AND, SPIRV_BOOLS, both, far)));
    spirv_store(
        to, result,
        lane_words_chosen(to, far, far_quotient(quotient, operand[0], operand[1]), quotient->bits)
            .name);
    spirv_end_part(to, beyond);
    const simd_words size =
        lane_words_chosen(to, both, load_words(to, result), simd_as_word(product));
    simd_words bits = simd_or(limited ? lane_least(size, simd_all_words(MOST)) : size, sign);
    if (limited) {
        const uint32_t none =
            lane_words_compared(SPIRV_UNSIGNED_GREATER, size, simd_all_words(LANE_INFINITY));
        bits = lane_words_chosen(to, none, simd_all_words(0), bits);
    }
    spirv_store(to, result, bits.name);
}

/* Numbers from 2^-32 to below 2^32 have normal quotients, whose sign follows from those of their
 * bits, as one modulo 2^32; only where there are others is there more to do. */
static simd_floats quotient(simd_floats a, simd_floats b, bool limited)
{
    enum { TOP = 192 }; /* all that is at least that has the same two bits uppermost */
    struct spirv *to = a.to;
    const simd_words given[] = {simd_as_word(a), simd_as_word(b)};
    const simd_words moved = simd_all_words(FIELD(TOP - (127 - 32)));
    const simd_words uppermost = simd_all_words(FIELD(TOP));
    const simd_words common = simd_and(simd_plus(given[0], moved), simd_plus(given[1], moved));
    const uint32_t odd = lane_any(
        to, lane_words_compared(SPIRV_INTEGER_NOT_EQUAL, simd_and(common, uppermost), uppermost));
    uint32_t kept[2];
    for (int i = 0; i < 2; i++) {
        kept[i] = spirv_variable(to, SPIRV_UINTS);
        spirv_store(to, kept[i], given[i].name);
    }
    const struct spirv_part before = spirv_begin_part(to, odd);
    for (int i = 0; i < 2; i++) {
        spirv_store(to, kept[i], normal(simd_and(given[i], simd_all_words(~LANE_SIGN))).name);
    }
    spirv_end_part(to, before);
    const simd_words operand[] = {load_words(to, kept[0]), load_words(to, kept[1])};
    const struct quotient found = quotient_of(operand[0], operand[1]);
    const uint32_t result = spirv_variable(to, SPIRV_UINTS);
    spirv_store(to, result, found.bits.name);
    const struct spirv_part behind = spirv_begin_part(to, odd);
    divide_odd(given, operand, &found, limited, result);
    spirv_end_part(to, behind);
    return simd_as_number(load_words(to, result));
}

static simd_floats divide(simd_floats a, simd_floats b)
{
    return quotient(a, b, false);
}

/* As lane_divide, which limits all of them. */
static simd_floats divide_limited(simd_floats a, simd_floats b)
{
    return quotient(a, b, true);
}

/* As a quotient, of a square from 1/2 to below 2. The reciprocal root, by the device, may be wrong
 * by 2 units in its last place, and by 4 here: the estimate is then wrong by 22 of 2^-25, and what
 * it leaves by less than 2^31. What is not above 0 or not finite is its own root. */
static simd_floats root(simd_floats x)
{
    struct spirv *to = x.to;
    const simd_words given = simd_as_word(x);
    const uint32_t kept = spirv_variable(to, SPIRV_UINTS);
    spirv_store(to, kept, given.name);
    const uint32_t odd = lane_words_compared(SPIRV_UNSIGNED_LESS, given, simd_all_words(HIDDEN));
    const struct spirv_part before = spirv_begin_part(to, lane_any(to, odd));
    spirv_store(to, kept, normal(given).name);
    spirv_end_part(to, before);
    const simd_words bits = load_words(to, kept);
    const simd_words square =
        simd_or(simd_and(bits, simd_all_words(HIDDEN | FRACTION)), simd_all_words(FIELD(126)));
    const simd_words uneven = simd_and(lane_right(bits, simd_all_words(BITS)), simd_all_words(1));
    const simd_words whole = lane_left(bits, simd_or(uneven, simd_all_words(26)));
    const simd_floats reciprocal =
        estimated(lane_extended(SPIRV_EXTENDED_ROOT_INVERSE, simd_as_number(square)));
    const simd_words first = whole_of(simd_mul(simd_as_number(square), reciprocal));
    const simd_words left = lane_minus(whole, lane_times(first, first));
    const simd_words step = nearest(simd_mul(lane_from_signed(left), reciprocal), 0x1.8p49f);
    const simd_words found = simd_plus(first, step);
    const simd_words rest = lane_minus(whole, lane_times(found, found));
    const simd_words scale =
        lane_minus(simd_right_signed(lane_minus(bits, square), 1), simd_all_words(FIELD(26)));
    const simd_words finite = simd_plus(simd_as_word(lane_from_words(doubled(found, rest))), scale);
    return simd_as_number(lane_words_chosen(to, lane_within(given, 0, MOST), finite, given));
}

/* ---- functions of a module ---- */

static simd_floats call(struct spirv *to, unsigned function, const simd_floats *arguments,
                        size_t count)
{
    uint32_t operands[3] = {*spirv_known(to, function)};
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
    uint32_t *known = spirv_known(to, function);
    if (*known == 0) {
        struct spirv_outer outer;
        const enum spirv_type parameters[] = {SPIRV_FLOATS};
        uint32_t name = 0;
        spirv_function(to, &outer, SPIRV_FLOATS, parameters, 1, &name);
        const uint32_t value = text((simd_floats){to, name}).name;
        *known = spirv_function_end(to, &outer, value);
    }
    return call(to, function, &x, 1);
}

static simd_floats call_binary(unsigned function, simd_floats (*text)(simd_floats, simd_floats),
                               simd_floats a, simd_floats b)
{
    struct spirv *to = a.to != NULL ? a.to : b.to;
    assert(to != NULL);
    uint32_t *known = spirv_known(to, function);
    if (*known == 0) {
        struct spirv_outer outer;
        const enum spirv_type parameters[] = {SPIRV_FLOATS, SPIRV_FLOATS};
        uint32_t names[2] = {0, 0};
        spirv_function(to, &outer, SPIRV_FLOATS, parameters, 2, names);
        const uint32_t value = text((simd_floats){to, names[0]}, (simd_floats){to, names[1]}).name;
        *known = spirv_function_end(to, &outer, value);
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
        return call_binary(op, divide_limited, a, b).name;
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
