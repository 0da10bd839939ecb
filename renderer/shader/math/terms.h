/* The text of math.h's functions, lane_NAME for shader_NAME, in the operations of base/simd_one.h,
 * or of base/simd.h where that is included before. Coefficients are minimax fits over the reduced
 * range, found among floats. */
#ifndef RENDERER_SHADER_MATH_TERMS_H
#define RENDERER_SHADER_MATH_TERMS_H

#include <float.h>

#ifndef BASE_SIMD_H
#include "base/simd_one.h"
#endif

#define LANE_SIGN     UINT32_C(0x80000000)
#define LANE_INFINITY UINT32_C(0x7f800000)
/* Adding and taking away 1.5 * 2^23 rounds |x| < 2^22 to a whole number, and leaves that in the
 * lowest bits of the sum. */
#define LANE_ROUND 0x1.8p23f

#define LANE_HALF_PI 0x1.921fb6p+0f
#define LANE_PI      0x1.921fb6p+1f

BASE_INLINE simd_floats lane_neg(simd_floats a)
{
    return simd_as_number(simd_xor(simd_as_word(a), simd_all_words(LANE_SIGN)));
}

BASE_INLINE simd_floats lane_abs(simd_floats a)
{
    return simd_as_number(simd_and(simd_as_word(a), simd_all_words(~LANE_SIGN)));
}

BASE_INLINE simd_words lane_sign(simd_floats a)
{
    return simd_and(simd_as_word(a), simd_all_words(LANE_SIGN));
}

/* The number where the truth is true, else 0. */
BASE_INLINE simd_floats lane_only(simd_words truth, simd_floats a)
{
    return simd_as_number(simd_and(truth, simd_as_word(a)));
}

/* The number where the truth is false, else 0. */
BASE_INLINE simd_floats lane_unless(simd_words truth, simd_floats a)
{
    return simd_as_number(simd_and_not(truth, simd_as_word(a)));
}

/* One step of a polynomial, from its highest coefficient down. */
BASE_INLINE simd_floats lane_step(simd_floats sum, simd_floats x, float coefficient)
{
    return simd_add(simd_mul(sum, x), simd_all(coefficient));
}

/* ---- sine and cosine ---- */

/* x - turns * pi; pi is in pieces of 8, 11 and 24 bits, so that for turns below 2^13 in halves only
 * the last product is rounded. The result is kept where the polynomial is, whatever x is. */
BASE_INLINE simd_floats lane_rest_of_turns(simd_floats x, simd_floats turns)
{
    simd_floats rest = simd_sub(x, simd_mul(turns, simd_all(0x1.92p+1f)));
    rest = simd_sub(rest, simd_mul(turns, simd_all(0x1.fb4p-11f)));
    rest = simd_sub(rest, simd_mul(turns, simd_all(0x1.4442d2p-23f)));
    return simd_max(simd_min(rest, simd_all(LANE_HALF_PI)), simd_all(-LANE_HALF_PI));
}

/* |x| at most pi/2; the result is within -1..1. */
BASE_INLINE simd_floats lane_sine_near_zero(simd_floats x)
{
    const simd_floats square = simd_mul(x, x);
    simd_floats sum = simd_all(0x1.5ccfb6p-19f);
    sum = lane_step(sum, square, -0x1.9f5cd4p-13f);
    sum = lane_step(sum, square, 0x1.110e58p-7f);
    sum = lane_step(sum, square, -0x1.555548p-3f);
    return simd_add(x, simd_mul(simd_mul(sum, square), x));
}

/* Every odd half turn changes the sign. */
BASE_INLINE simd_floats lane_signed_by_turns(simd_floats a, simd_floats shifted)
{
    return simd_as_number(simd_xor(simd_as_word(a), simd_left(simd_as_word(shifted), 31)));
}

BASE_INLINE simd_floats lane_sin(simd_floats x)
{
    const simd_floats shifted =
        simd_add(simd_mul(x, simd_all(0x1.45f306p-2f)), simd_all(LANE_ROUND));
    const simd_floats turns = simd_sub(shifted, simd_all(LANE_ROUND));
    return lane_signed_by_turns(lane_sine_near_zero(lane_rest_of_turns(x, turns)), shifted);
}

/* With x = (n - 1/2) pi + rest the cosine is the sine of the rest, up to its sign. */
BASE_INLINE simd_floats lane_cos(simd_floats x)
{
    const simd_floats half = simd_all(0.5f);
    const simd_floats shifted =
        simd_add(simd_add(simd_mul(x, simd_all(0x1.45f306p-2f)), half), simd_all(LANE_ROUND));
    const simd_floats turns = simd_sub(simd_sub(shifted, simd_all(LANE_ROUND)), half);
    return lane_signed_by_turns(lane_sine_near_zero(lane_rest_of_turns(x, turns)), shifted);
}

/* ---- exponential and logarithm ---- */

/* The polynomial gives twice the power of the fraction, so that 2^(whole - 1) is a number even at
 * the upper end; at the lower end its bits are those of 0, beyond the upper end the product
 * overflows. */
BASE_INLINE simd_floats lane_exp2(simd_floats x)
{
    const simd_floats kept = simd_max(simd_min(x, simd_all(128.25f)), simd_all(-126.0f));
    const simd_floats shifted = simd_add(kept, simd_all(LANE_ROUND));
    const simd_floats fraction = simd_sub(kept, simd_sub(shifted, simd_all(LANE_ROUND)));
    simd_floats sum = simd_all(0x1.41fbbcp-12f);
    sum = lane_step(sum, fraction, 0x1.5f3e86p-9f);
    sum = lane_step(sum, fraction, 0x1.3b2e2ep-6f);
    sum = lane_step(sum, fraction, 0x1.c6af2cp-4f);
    sum = lane_step(sum, fraction, 0x1.ebfbdap-2f);
    sum = lane_step(sum, fraction, 0x1.62e430p+0f);
    sum = lane_step(sum, fraction, 2.0f);
    const simd_words exponent = simd_plus(simd_as_word(shifted), simd_all_words(126));
    return simd_mul(sum, simd_as_number(simd_left(exponent, 23)));
}

/* The logarithm of 1 + x, x from sqrt(1/2) - 1 to sqrt(2) - 1. With s = x / (2 + x) and c = log2(e)
 * it is c x - s (c x - series of s^2); x itself is taken out, so that what is rounded before the
 * last sum is less than half of it. */
BASE_INLINE simd_floats lane_log2_near_one(simd_floats x)
{
    const simd_floats s = simd_div(x, simd_add(x, simd_all(2.0f)));
    const simd_floats square = simd_mul(s, s);
    simd_floats series = simd_all(0x1.b94a16p-2f);
    series = lane_step(series, square, 0x1.274c7ep-1f);
    series = lane_step(series, square, 0x1.ec70d2p-1f);
    series = simd_mul(series, square);
    const simd_floats less = simd_mul(s, simd_sub(simd_mul(x, simd_all(0x1.715476p+0f)), series));
    return simd_add(x, simd_sub(simd_mul(x, simd_all(0x1.c551dap-2f)), less));
}

/* Added to the logarithm of a number that is not normal: infinities and NaN, and -FLT_MAX below
 * all normal numbers; else 0. */
BASE_INLINE simd_floats lane_log2_rare(simd_floats size)
{
    const simd_words finite = simd_le(size, simd_all(FLT_MAX));
    const simd_words small = simd_lt(size, simd_all(FLT_MIN));
    return simd_sub(lane_unless(finite, size), lane_only(small, simd_all(FLT_MAX)));
}

BASE_INLINE simd_floats lane_log2(simd_floats x)
{
    const uint32_t root_of_half = UINT32_C(0x3f3504f3);
    const simd_floats size = lane_abs(x);
    const simd_words moved = simd_plus(simd_as_word(size), simd_all_words(0 - root_of_half));
    const simd_floats exponent = simd_signed_whole(simd_right_signed(moved, 23));
    const simd_words fraction = simd_and(moved, simd_all_words(UINT32_C(0x7fffff)));
    const simd_floats near_one = simd_as_number(simd_plus(fraction, simd_all_words(root_of_half)));
    const simd_floats rest = lane_log2_near_one(simd_sub(near_one, simd_all(1.0f)));
    return simd_add(simd_add(exponent, rest), lane_log2_rare(size));
}

/* ---- angles ---- */

/* x in 0..1 */
BASE_INLINE simd_floats lane_flat_angle(simd_floats x)
{
    const simd_floats square = simd_mul(x, x);
    simd_floats sum = simd_all(-0x1.d32dbcp-10f);
    sum = lane_step(sum, square, 0x1.6410e6p-7f);
    sum = lane_step(sum, square, -0x1.fd6fbcp-6f);
    sum = lane_step(sum, square, 0x1.da24cap-5f);
    sum = lane_step(sum, square, -0x1.580814p-4f);
    sum = lane_step(sum, square, 0x1.c08c1ap-4f);
    sum = lane_step(sum, square, -0x1.242084p-3f);
    sum = lane_step(sum, square, 0x1.9991e4p-3f);
    sum = lane_step(sum, square, -0x1.55553ep-2f);
    return simd_add(x, simd_mul(simd_mul(sum, square), x));
}

/* Infinities count as the largest numbers, and 0 by 0 as 0. The angle of the first eighth is turned
 * into its own eighth by one sum. */
BASE_INLINE simd_floats lane_atan2(simd_floats y, simd_floats x)
{
    const simd_floats rise = simd_min(lane_abs(y), simd_all(FLT_MAX));
    const simd_floats run = simd_min(lane_abs(x), simd_all(FLT_MAX));
    const simd_floats larger = simd_max(simd_max(run, rise), simd_all(0x1p-149f));
    const simd_floats flat = lane_flat_angle(simd_div(simd_min(rise, run), larger));
    const simd_words steep = simd_lt(run, rise);
    const simd_floats straight =
        lane_only(simd_right_signed(simd_as_word(x), 31), simd_all(LANE_PI));
    const simd_floats start = simd_select(steep, simd_all(LANE_HALF_PI), straight);
    const simd_words back = simd_and(simd_xor(steep, simd_as_word(x)), simd_all_words(LANE_SIGN));
    const simd_floats part = simd_as_number(simd_xor(simd_as_word(flat), back));
    const simd_floats angle = simd_add(start, part);
    return simd_as_number(simd_or(simd_as_word(angle), lane_sign(y)));
}

/* The arcsine of x in 0..1/2, whose square is given. */
BASE_INLINE simd_floats lane_small_asin(simd_floats x, simd_floats square)
{
    simd_floats sum = simd_all(0x1.595c92p-5f);
    sum = lane_step(sum, square, 0x1.8c3e28p-6f);
    sum = lane_step(sum, square, 0x1.747bbap-5f);
    sum = lane_step(sum, square, 0x1.330204p-4f);
    sum = lane_step(sum, square, 0x1.5555c8p-3f);
    return simd_add(x, simd_mul(simd_mul(sum, square), x));
}

/* The arcsine of size in 0..1 up to 1/2, and half the arccosine above. */
BASE_INLINE simd_floats lane_part_of_asin(simd_floats size, simd_words large)
{
    const simd_floats beyond = simd_mul(simd_sub(simd_all(1.0f), size), simd_all(0.5f));
    const simd_floats square = simd_select(large, beyond, simd_mul(size, size));
    return lane_small_asin(simd_select(large, simd_root(beyond), size), square);
}

BASE_INLINE simd_floats lane_asin(simd_floats x)
{
    const simd_floats size = simd_min(lane_abs(x), simd_all(1.0f));
    const simd_words large = simd_lt(simd_all(0.5f), size);
    const simd_floats part = lane_part_of_asin(size, large);
    const simd_floats rest = simd_sub(simd_all(LANE_HALF_PI), simd_add(part, part));
    const simd_floats angle = simd_select(large, rest, part);
    return simd_as_number(simd_or(simd_as_word(angle), lane_sign(x)));
}

BASE_INLINE simd_floats lane_acos(simd_floats x)
{
    const simd_floats size = simd_min(lane_abs(x), simd_all(1.0f));
    const simd_words large = simd_lt(simd_all(0.5f), size);
    const simd_floats part = lane_part_of_asin(size, large);
    const simd_words left = simd_right_signed(simd_as_word(x), 31);
    const simd_floats edge = lane_only(left, simd_all(LANE_PI));
    const simd_floats start = simd_select(large, edge, simd_all(LANE_HALF_PI));
    const simd_floats turned = simd_select(large, simd_add(part, part), lane_neg(part));
    const simd_floats move = simd_as_number(simd_xor(simd_as_word(turned), lane_sign(x)));
    return simd_add(start, move);
}

/* ---- the others ---- */

BASE_INLINE simd_floats lane_sqrt(simd_floats x)
{
    return simd_root(lane_abs(x));
}

BASE_INLINE simd_floats lane_rsqrt(simd_floats x)
{
    return simd_min(simd_div(simd_all(1.0f), lane_sqrt(x)), simd_all(FLT_MAX));
}

BASE_INLINE simd_floats lane_divide(simd_floats a, simd_floats b)
{
    const simd_floats ratio = simd_div(a, b);
    const simd_floats number = lane_only(simd_eq(ratio, ratio), ratio);
    return simd_max(simd_min(number, simd_all(FLT_MAX)), simd_all(-FLT_MAX));
}

/* Rounding may bring the rest to below 0, and with huge quotients anywhere. */
BASE_INLINE simd_floats lane_fmod(simd_floats a, simd_floats b)
{
    const simd_floats size = lane_abs(a);
    const simd_floats unit = lane_abs(b);
    const simd_floats times = simd_trunc(simd_div(size, unit));
    const simd_floats left = simd_sub(size, simd_mul(unit, times));
    const simd_floats rest = simd_select(simd_lt(size, unit), size, left);
    const simd_words valid = simd_lt(rest, unit);
    const simd_floats kept = simd_max(simd_all(0.0f), rest);
    return simd_as_number(simd_and(valid, simd_or(simd_as_word(kept), lane_sign(a))));
}

#endif
