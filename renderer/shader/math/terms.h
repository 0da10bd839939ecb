/* The text of math.h's functions, lane_NAME for shader_NAME, in the operations of lanes_one.h, or
 * of lanes_eight.h where that is included before. Coefficients are minimax fits over the reduced
 * range, found among floats. */
#ifndef RENDERER_SHADER_MATH_TERMS_H
#define RENDERER_SHADER_MATH_TERMS_H

#include <float.h>

#ifndef LANE_NUMBER
#include "renderer/shader/math/lanes_one.h"
#endif

#define LANE_SIGN     UINT32_C(0x80000000)
#define LANE_INFINITY UINT32_C(0x7f800000)
/* Adding and taking away 1.5 * 2^23 rounds |x| < 2^22 to a whole number, and leaves that in the
 * lowest bits of the sum. */
#define LANE_ROUND 0x1.8p23f

#define LANE_HALF_PI 0x1.921fb6p+0f
#define LANE_PI      0x1.921fb6p+1f

BASE_INLINE LANE_NUMBER lane_neg(LANE_NUMBER a)
{
    return lane_as_number(lane_xor(lane_as_word(a), lane_all_words(LANE_SIGN)));
}

BASE_INLINE LANE_NUMBER lane_abs(LANE_NUMBER a)
{
    return lane_as_number(lane_and(lane_as_word(a), lane_all_words(~LANE_SIGN)));
}

BASE_INLINE LANE_WORD lane_sign(LANE_NUMBER a)
{
    return lane_and(lane_as_word(a), lane_all_words(LANE_SIGN));
}

/* The number where the truth is true, else 0. */
BASE_INLINE LANE_NUMBER lane_only(LANE_WORD truth, LANE_NUMBER a)
{
    return lane_as_number(lane_and(truth, lane_as_word(a)));
}

/* The number where the truth is false, else 0. */
BASE_INLINE LANE_NUMBER lane_unless(LANE_WORD truth, LANE_NUMBER a)
{
    return lane_as_number(lane_and_not(truth, lane_as_word(a)));
}

/* One step of a polynomial, from its highest coefficient down. */
BASE_INLINE LANE_NUMBER lane_step(LANE_NUMBER sum, LANE_NUMBER x, float coefficient)
{
    return lane_add(lane_mul(sum, x), lane_all(coefficient));
}

/* ---- sine and cosine ---- */

/* x - turns * pi; pi is in pieces of 8, 11 and 24 bits, so that for turns below 2^13 in halves only
 * the last product is rounded. The result is kept where the polynomial is, whatever x is. */
BASE_INLINE LANE_NUMBER lane_rest_of_turns(LANE_NUMBER x, LANE_NUMBER turns)
{
    LANE_NUMBER rest = lane_sub(x, lane_mul(turns, lane_all(0x1.92p+1f)));
    rest = lane_sub(rest, lane_mul(turns, lane_all(0x1.fb4p-11f)));
    rest = lane_sub(rest, lane_mul(turns, lane_all(0x1.4442d2p-23f)));
    return lane_max(lane_min(rest, lane_all(LANE_HALF_PI)), lane_all(-LANE_HALF_PI));
}

/* |x| at most pi/2; the result is within -1..1. */
BASE_INLINE LANE_NUMBER lane_sine_near_zero(LANE_NUMBER x)
{
    const LANE_NUMBER square = lane_mul(x, x);
    LANE_NUMBER sum = lane_all(0x1.5ccfb6p-19f);
    sum = lane_step(sum, square, -0x1.9f5cd4p-13f);
    sum = lane_step(sum, square, 0x1.110e58p-7f);
    sum = lane_step(sum, square, -0x1.555548p-3f);
    return lane_add(x, lane_mul(lane_mul(sum, square), x));
}

/* Every odd half turn changes the sign. */
BASE_INLINE LANE_NUMBER lane_signed_by_turns(LANE_NUMBER a, LANE_NUMBER shifted)
{
    return lane_as_number(lane_xor(lane_as_word(a), lane_left(lane_as_word(shifted), 31)));
}

BASE_INLINE LANE_NUMBER lane_sin(LANE_NUMBER x)
{
    const LANE_NUMBER shifted =
        lane_add(lane_mul(x, lane_all(0x1.45f306p-2f)), lane_all(LANE_ROUND));
    const LANE_NUMBER turns = lane_sub(shifted, lane_all(LANE_ROUND));
    return lane_signed_by_turns(lane_sine_near_zero(lane_rest_of_turns(x, turns)), shifted);
}

/* With x = (n - 1/2) pi + rest the cosine is the sine of the rest, up to its sign. */
BASE_INLINE LANE_NUMBER lane_cos(LANE_NUMBER x)
{
    const LANE_NUMBER half = lane_all(0.5f);
    const LANE_NUMBER shifted =
        lane_add(lane_add(lane_mul(x, lane_all(0x1.45f306p-2f)), half), lane_all(LANE_ROUND));
    const LANE_NUMBER turns = lane_sub(lane_sub(shifted, lane_all(LANE_ROUND)), half);
    return lane_signed_by_turns(lane_sine_near_zero(lane_rest_of_turns(x, turns)), shifted);
}

/* ---- exponential and logarithm ---- */

/* The polynomial gives twice the power of the fraction, so that 2^(whole - 1) is a number even at
 * the upper end; at the lower end its bits are those of 0, beyond the upper end the product
 * overflows. */
BASE_INLINE LANE_NUMBER lane_exp2(LANE_NUMBER x)
{
    const LANE_NUMBER kept = lane_max(lane_min(x, lane_all(128.25f)), lane_all(-126.0f));
    const LANE_NUMBER shifted = lane_add(kept, lane_all(LANE_ROUND));
    const LANE_NUMBER fraction = lane_sub(kept, lane_sub(shifted, lane_all(LANE_ROUND)));
    LANE_NUMBER sum = lane_all(0x1.41fbbcp-12f);
    sum = lane_step(sum, fraction, 0x1.5f3e86p-9f);
    sum = lane_step(sum, fraction, 0x1.3b2e2ep-6f);
    sum = lane_step(sum, fraction, 0x1.c6af2cp-4f);
    sum = lane_step(sum, fraction, 0x1.ebfbdap-2f);
    sum = lane_step(sum, fraction, 0x1.62e430p+0f);
    sum = lane_step(sum, fraction, 2.0f);
    const LANE_WORD exponent = lane_plus(lane_as_word(shifted), lane_all_words(126));
    return lane_mul(sum, lane_as_number(lane_left(exponent, 23)));
}

/* The logarithm of 1 + x, x from sqrt(1/2) - 1 to sqrt(2) - 1. With s = x / (2 + x) and c = log2(e)
 * it is c x - s (c x - series of s^2); x itself is taken out, so that what is rounded before the
 * last sum is less than half of it. */
BASE_INLINE LANE_NUMBER lane_log2_near_one(LANE_NUMBER x)
{
    const LANE_NUMBER s = lane_div(x, lane_add(x, lane_all(2.0f)));
    const LANE_NUMBER square = lane_mul(s, s);
    LANE_NUMBER series = lane_all(0x1.b94a16p-2f);
    series = lane_step(series, square, 0x1.274c7ep-1f);
    series = lane_step(series, square, 0x1.ec70d2p-1f);
    series = lane_mul(series, square);
    const LANE_NUMBER less = lane_mul(s, lane_sub(lane_mul(x, lane_all(0x1.715476p+0f)), series));
    return lane_add(x, lane_sub(lane_mul(x, lane_all(0x1.c551dap-2f)), less));
}

/* Added to the logarithm of a number that is not normal: infinities and NaN, and -FLT_MAX below
 * all normal numbers; else 0. */
BASE_INLINE LANE_NUMBER lane_log2_rare(LANE_NUMBER size)
{
    const LANE_WORD finite = lane_le(size, lane_all(FLT_MAX));
    const LANE_WORD small = lane_lt(size, lane_all(FLT_MIN));
    return lane_sub(lane_unless(finite, size), lane_only(small, lane_all(FLT_MAX)));
}

BASE_INLINE LANE_NUMBER lane_log2(LANE_NUMBER x)
{
    const uint32_t root_of_half = UINT32_C(0x3f3504f3);
    const LANE_NUMBER size = lane_abs(x);
    const LANE_WORD moved = lane_plus(lane_as_word(size), lane_all_words(0 - root_of_half));
    const LANE_NUMBER exponent = lane_signed_whole(lane_right_signed(moved, 23));
    const LANE_WORD fraction = lane_and(moved, lane_all_words(UINT32_C(0x7fffff)));
    const LANE_NUMBER near_one = lane_as_number(lane_plus(fraction, lane_all_words(root_of_half)));
    const LANE_NUMBER rest = lane_log2_near_one(lane_sub(near_one, lane_all(1.0f)));
    return lane_add(lane_add(exponent, rest), lane_log2_rare(size));
}

/* ---- angles ---- */

/* x in 0..1 */
BASE_INLINE LANE_NUMBER lane_flat_angle(LANE_NUMBER x)
{
    const LANE_NUMBER square = lane_mul(x, x);
    LANE_NUMBER sum = lane_all(-0x1.d32dbcp-10f);
    sum = lane_step(sum, square, 0x1.6410e6p-7f);
    sum = lane_step(sum, square, -0x1.fd6fbcp-6f);
    sum = lane_step(sum, square, 0x1.da24cap-5f);
    sum = lane_step(sum, square, -0x1.580814p-4f);
    sum = lane_step(sum, square, 0x1.c08c1ap-4f);
    sum = lane_step(sum, square, -0x1.242084p-3f);
    sum = lane_step(sum, square, 0x1.9991e4p-3f);
    sum = lane_step(sum, square, -0x1.55553ep-2f);
    return lane_add(x, lane_mul(lane_mul(sum, square), x));
}

/* Infinities count as the largest numbers, and 0 by 0 as 0. The angle of the first eighth is turned
 * into its own eighth by one sum. */
BASE_INLINE LANE_NUMBER lane_atan2(LANE_NUMBER y, LANE_NUMBER x)
{
    const LANE_NUMBER rise = lane_min(lane_abs(y), lane_all(FLT_MAX));
    const LANE_NUMBER run = lane_min(lane_abs(x), lane_all(FLT_MAX));
    const LANE_NUMBER larger = lane_max(lane_max(run, rise), lane_all(0x1p-149f));
    const LANE_NUMBER flat = lane_flat_angle(lane_div(lane_min(rise, run), larger));
    const LANE_WORD steep = lane_lt(run, rise);
    const LANE_NUMBER straight =
        lane_only(lane_right_signed(lane_as_word(x), 31), lane_all(LANE_PI));
    const LANE_NUMBER start = lane_select(steep, lane_all(LANE_HALF_PI), straight);
    const LANE_WORD back = lane_and(lane_xor(steep, lane_as_word(x)), lane_all_words(LANE_SIGN));
    const LANE_NUMBER part = lane_as_number(lane_xor(lane_as_word(flat), back));
    const LANE_NUMBER angle = lane_add(start, part);
    return lane_as_number(lane_or(lane_as_word(angle), lane_sign(y)));
}

/* The arcsine of x in 0..1/2, whose square is given. */
BASE_INLINE LANE_NUMBER lane_small_asin(LANE_NUMBER x, LANE_NUMBER square)
{
    LANE_NUMBER sum = lane_all(0x1.595c92p-5f);
    sum = lane_step(sum, square, 0x1.8c3e28p-6f);
    sum = lane_step(sum, square, 0x1.747bbap-5f);
    sum = lane_step(sum, square, 0x1.330204p-4f);
    sum = lane_step(sum, square, 0x1.5555c8p-3f);
    return lane_add(x, lane_mul(lane_mul(sum, square), x));
}

/* The arcsine of size in 0..1 up to 1/2, and half the arccosine above. */
BASE_INLINE LANE_NUMBER lane_part_of_asin(LANE_NUMBER size, LANE_WORD large)
{
    const LANE_NUMBER beyond = lane_mul(lane_sub(lane_all(1.0f), size), lane_all(0.5f));
    const LANE_NUMBER square = lane_select(large, beyond, lane_mul(size, size));
    return lane_small_asin(lane_select(large, lane_root(beyond), size), square);
}

BASE_INLINE LANE_NUMBER lane_asin(LANE_NUMBER x)
{
    const LANE_NUMBER size = lane_min(lane_abs(x), lane_all(1.0f));
    const LANE_WORD large = lane_lt(lane_all(0.5f), size);
    const LANE_NUMBER part = lane_part_of_asin(size, large);
    const LANE_NUMBER rest = lane_sub(lane_all(LANE_HALF_PI), lane_add(part, part));
    const LANE_NUMBER angle = lane_select(large, rest, part);
    return lane_as_number(lane_or(lane_as_word(angle), lane_sign(x)));
}

BASE_INLINE LANE_NUMBER lane_acos(LANE_NUMBER x)
{
    const LANE_NUMBER size = lane_min(lane_abs(x), lane_all(1.0f));
    const LANE_WORD large = lane_lt(lane_all(0.5f), size);
    const LANE_NUMBER part = lane_part_of_asin(size, large);
    const LANE_WORD left = lane_right_signed(lane_as_word(x), 31);
    const LANE_NUMBER edge = lane_only(left, lane_all(LANE_PI));
    const LANE_NUMBER start = lane_select(large, edge, lane_all(LANE_HALF_PI));
    const LANE_NUMBER turned = lane_select(large, lane_add(part, part), lane_neg(part));
    const LANE_NUMBER move = lane_as_number(lane_xor(lane_as_word(turned), lane_sign(x)));
    return lane_add(start, move);
}

/* ---- the others ---- */

BASE_INLINE LANE_NUMBER lane_sqrt(LANE_NUMBER x)
{
    return lane_root(lane_abs(x));
}

BASE_INLINE LANE_NUMBER lane_rsqrt(LANE_NUMBER x)
{
    return lane_min(lane_div(lane_all(1.0f), lane_sqrt(x)), lane_all(FLT_MAX));
}

BASE_INLINE LANE_NUMBER lane_divide(LANE_NUMBER a, LANE_NUMBER b)
{
    const LANE_NUMBER ratio = lane_div(a, b);
    const LANE_NUMBER number = lane_only(lane_eq(ratio, ratio), ratio);
    return lane_max(lane_min(number, lane_all(FLT_MAX)), lane_all(-FLT_MAX));
}

/* Rounding may bring the rest to below 0, and with huge quotients anywhere. */
BASE_INLINE LANE_NUMBER lane_fmod(LANE_NUMBER a, LANE_NUMBER b)
{
    const LANE_NUMBER size = lane_abs(a);
    const LANE_NUMBER unit = lane_abs(b);
    const LANE_NUMBER times = lane_trunc(lane_div(size, unit));
    const LANE_NUMBER left = lane_sub(size, lane_mul(unit, times));
    const LANE_NUMBER rest = lane_select(lane_lt(size, unit), size, left);
    const LANE_WORD valid = lane_lt(rest, unit);
    const LANE_NUMBER kept = lane_max(lane_all(0.0f), rest);
    return lane_as_number(lane_and(valid, lane_or(lane_as_word(kept), lane_sign(a))));
}

#endif
