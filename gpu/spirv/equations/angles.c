#include "gpu/spirv/equations/elementary.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "gpu/spirv/read.h"

void spirv_put_tables(uint32_t words[SPIRV_TABLE_WORDS])
{
    memcpy(words + SPIRV_TABLE_ATAN, base_fmath_atan_table, sizeof base_fmath_atan_table);
    memcpy(words + SPIRV_TABLE_LOG, base_fmath_log_table, sizeof base_fmath_log_table);
}

struct real_parts spirv_look_up(struct spirv *to, uint32_t first, uint32_t row)
{
    enum { ROW = sizeof(struct base_fmath_parts) / sizeof(uint32_t) };
    const uint32_t at =
        spirv_sum(to, spirv_product(to, row, spirv_word(to, ROW)), spirv_word(to, first));
    return (struct real_parts){
        real_read(to, SPIRV_BUFFER_TEXELS, at),
        real_read(to, SPIRV_BUFFER_TEXELS, spirv_sum(to, at, spirv_word(to, ROW / 2))),
    };
}

/* ---- angles ---- */

struct angle {
    struct real_parts rest;
    uint32_t quadrant; /* a word */
};

static struct angle reduce_angle(real x)
{
    struct spirv *to = x.to;
    const uint32_t variable = spirv_variable(to, SPIRV_DOUBLE);
    spirv_store(to, variable, x.name);
    const struct spirv_part far =
        spirv_begin_part(to, real_less(real_of(BASE_FMATH_FAR_ANGLE), real_magnitude(x)));
    spirv_store(to, variable, real_far_angle(x).name);
    spirv_end_part(to, far);
    const real near = real_named(to, spirv_load(to, SPIRV_DOUBLE, variable));
    const uint32_t small = real_at_most(real_magnitude(near), real_of(BASE_FMATH_QUARTER_PI));
    const real shifted =
        real_plus(real_times(near, real_of(BASE_FMATH_TWO_BY_PI)), real_of(BASE_FMATH_ROUND));
    const real turns = real_minus(shifted, real_of(BASE_FMATH_ROUND));
    const real rest = real_minus(near, real_times(turns, real_of(BASE_FMATH_HALF_PI_1)));
    const struct real_parts sum =
        real_exact_sum(rest, real_negated(real_times(turns, real_of(BASE_FMATH_HALF_PI_2))));
    const real low = real_minus(sum.low, real_times(turns, real_of(BASE_FMATH_HALF_PI_3)));
    const struct real_parts all = real_exact_sum(sum.high, low);
    return (struct angle){
        {real_chosen(to, small, near, all.high), real_chosen(to, small, real_of(0.0), all.low)},
        spirv_chosen(to, small, spirv_word(to, 0), real_to_signed(turns)),
    };
}

/* Six terms of a sum in s, and of s2, its square. */
static real six_terms(const double t[6], real s, real s2)
{
    const real last =
        real_with(real_constant_with(t[2], s, t[3]), s2, real_constant_with(t[4], s, t[5]));
    return real_with(real_constant_with(t[0], s, t[1]), s2, last);
}

static real sine_of(struct real_parts r)
{
    const real s = real_times(r.high, r.high);
    const real s2 = real_times(s, s);
    const real tail = six_terms(base_fmath_sine, s, s2);
    const real start = real_minus(real_of(1.0), real_times(real_of(0.5), s));
    return real_plus(r.high, real_with(real_times(real_times(r.high, s), tail), r.low, start));
}

static real cosine_of(struct real_parts r)
{
    const real s = real_times(r.high, r.high);
    const real s2 = real_times(s, s);
    const real tail = six_terms(base_fmath_cosine, s, s2);
    const real half = real_times(real_of(0.5), s);
    const real start = real_minus(real_of(1.0), half);
    const real lost = real_minus(real_minus(real_of(1.0), start), half);
    const real small = real_minus(real_times(s2, tail), real_times(r.high, r.low));
    return real_plus(start, real_plus(lost, small));
}

static real sine_turned(real x, uint32_t turn)
{
    struct spirv *to = x.to;
    const struct angle angle = reduce_angle(x);
    const uint32_t quadrant = spirv_sum(to, angle.quadrant, spirv_word(to, turn));
    const real value =
        real_chosen(to, real_has_bit(to, quadrant, 1), cosine_of(angle.rest), sine_of(angle.rest));
    const real turned = real_chosen(to, real_has_bit(to, quadrant, 2), real_negated(value), value);
    return real_chosen(to, real_is_finite(x), turned, real_of(NAN));
}

static real sin_of(const real *arguments)
{
    const real x = arguments[0];
    const uint32_t tiny = real_less(real_magnitude(x), real_of(0x1p-27));
    return real_chosen(x.to, tiny, x, sine_turned(x, 0));
}

static real cos_of(const real *arguments)
{
    return sine_turned(arguments[0], 1);
}

static real tan_of(const real *arguments)
{
    const real x = arguments[0];
    struct spirv *to = x.to;
    const uint32_t tiny = real_less(real_magnitude(x), real_of(0x1p-27));
    const struct angle angle = reduce_angle(x);
    const uint32_t odd = real_has_bit(to, angle.quadrant, 1);
    const real sine = sine_of(angle.rest);
    const real cosine = cosine_of(angle.rest);
    const real value = real_divide(real_chosen(to, odd, real_negated(cosine), sine),
                                   real_chosen(to, odd, sine, cosine));
    return real_chosen(to, tiny, x, real_chosen(to, real_is_finite(x), value, real_of(NAN)));
}

/* ---- inverse functions of angles ---- */

static const struct base_fmath_parts half_pi = {0.5 * BASE_FMATH_PI_HIGH, 0.5 * BASE_FMATH_PI_LOW};
static const struct base_fmath_parts whole_pi = {BASE_FMATH_PI_HIGH, BASE_FMATH_PI_LOW};

static struct real_parts flat_angle(real rise, real run)
{
    enum { LAST = 8 };
    struct spirv *to = rise.to;
    const real slope = real_with(real_of(0.5), real_of(8.0), real_divide(rise, run));
    /* The bound keeps what is not used inside the table. */
    const uint32_t step = spirv_least(to, real_to_signed(slope), spirv_word(to, LAST));
    const real c = real_times(real_of(0.125), real_from_signed(to, step));
    const struct real_words words = real_words(run);
    const real run_high = real_from_words(
        to, (struct real_words){spirv_masked(to, words.low, ~UINT32_C(0x7ffffff)), words.high});
    const real across = real_minus(real_minus(rise, real_times(c, run_high)),
                                   real_times(c, real_minus(run, run_high)));
    const real t = real_divide(across, real_with(run, c, rise));
    const real s = real_times(t, t);
    const real s2 = real_times(s, s);
    const double *terms = base_fmath_atan;
    const real tail =
        real_with(real_constant_with(terms[0], s, terms[1]), s2,
                  real_with(real_constant_with(terms[2], s, terms[3]), s2, real_of(terms[4])));
    const struct real_parts near = spirv_look_up(to, SPIRV_TABLE_ATAN, step);
    const struct real_parts sum = real_exact_sum(near.high, t);
    const real small = real_with(near.low, real_times(t, s), tail);
    return (struct real_parts){sum.high, real_plus(sum.low, small)};
}

static struct real_parts difference(struct spirv *to, const struct base_fmath_parts *a,
                                    struct real_parts b)
{
    const real high = real_constant(to, a->high);
    const struct real_parts sum = real_exact_sum(high, real_negated(b.high));
    return (struct real_parts){sum.high, real_plus(sum.low, real_minus(real_of(a->low), b.low))};
}

static struct real_parts parts_chosen(struct spirv *to, uint32_t truth, struct real_parts yes,
                                      struct real_parts no)
{
    return (struct real_parts){real_chosen(to, truth, yes.high, no.high),
                               real_chosen(to, truth, yes.low, no.low)};
}

static struct real_parts steep_angle(real rise, real run)
{
    struct spirv *to = rise.to;
    const uint32_t steep = real_less(run, rise);
    const real larger = real_chosen(to, steep, rise, run);
    const real smaller = real_chosen(to, steep, run, rise);
    const uint32_t huge = real_less(real_of(0x1p500), larger);
    const uint32_t tiny = real_less(larger, real_of(0x1p-500));
    const real factor = real_chosen(to, huge, real_of(0x1p-540),
                                    real_chosen(to, tiny, real_of(0x1p540), real_of(1.0)));
    const struct real_parts flat =
        flat_angle(real_times(smaller, factor), real_times(larger, factor));
    return parts_chosen(to, steep, difference(to, &half_pi, flat), flat);
}

static real half_plane_angle(real rise, real run)
{
    struct spirv *to = rise.to;
    const struct real_parts angle = steep_angle(rise, real_magnitude(run));
    const struct real_parts turned =
        parts_chosen(to, real_signed(run), difference(to, &whole_pi, angle), angle);
    return real_plus(turned.high, turned.low);
}

static real atan_of(const real *arguments)
{
    const real x = arguments[0];
    struct spirv *to = x.to;
    const real size = real_magnitude(x);
    const real one = real_constant(to, 1.0);
    const struct real_parts angle = steep_angle(size, one);
    const real far = real_chosen(to, real_less(real_of(0x1p60), size), real_of(half_pi.high),
                                 real_plus(angle.high, angle.low));
    const uint32_t itself =
        real_either(to, real_less(size, real_of(0x1p-28)), real_not(to, real_is_number(x)));
    return real_chosen(to, itself, x, real_with_sign(far, x));
}

static real atan2_of(const real *arguments)
{
    struct spirv *to = arguments[0].to;
    const real infinity = real_of(INFINITY);
    real y = arguments[0];
    real x = arguments[1];
    const uint32_t nan = real_not(to, real_both(to, real_is_number(x), real_is_number(y)));
    const uint32_t x_infinite = real_equal(real_magnitude(x), infinity);
    const uint32_t y_infinite = real_equal(real_magnitude(y), infinity);
    const uint32_t infinite = real_either(to, x_infinite, y_infinite);
    const real x_end = real_chosen(to, x_infinite, real_of(1.0), real_of(0.0));
    const real y_end = real_chosen(to, y_infinite, real_of(1.0), real_of(0.0));
    x = real_chosen(to, infinite, real_with_sign(x_end, x), x);
    y = real_chosen(to, infinite, real_with_sign(y_end, y), y);
    const uint32_t origin = real_both(to, real_equal(x, real_of(0.0)), real_equal(y, real_of(0.0)));
    const real end = real_chosen(to, real_signed(x), real_of(whole_pi.high), real_of(0.0));
    const real angle = real_chosen(to, origin, end, half_plane_angle(real_magnitude(y), x));
    return real_chosen(to, nan, real_of(NAN), real_with_sign(angle, y));
}

static real other_side(real x)
{
    return real_root(real_times(real_minus(real_of(1.0), x), real_plus(real_of(1.0), x)));
}

static real asin_of(const real *arguments)
{
    const real x = arguments[0];
    struct spirv *to = x.to;
    const real size = real_magnitude(x);
    const struct real_parts angle = steep_angle(size, other_side(x));
    const real value = real_with_sign(real_plus(angle.high, angle.low), x);
    const real inside = real_chosen(to, real_less(size, real_of(0x1p-28)), x, value);
    return real_chosen(to, real_at_most(size, real_of(1.0)), inside, real_of(NAN));
}

static real acos_of(const real *arguments)
{
    const real x = arguments[0];
    return real_chosen(x.to, real_at_most(real_magnitude(x), real_of(1.0)),
                       half_plane_angle(other_side(x), x), real_of(NAN));
}

real spirv_angle_function(enum real_function function, real a)
{
    static real (*const bodies[REAL_ATAN + 1])(const real *arguments) = {
        [REAL_SIN] = sin_of,   [REAL_COS] = cos_of,   [REAL_TAN] = tan_of,
        [REAL_ASIN] = asin_of, [REAL_ACOS] = acos_of, [REAL_ATAN] = atan_of,
    };
    assert(function >= REAL_SIN && function <= REAL_ATAN);
    return real_call(a.to, function, bodies[function], &a, 1);
}

real spirv_atan2(struct spirv *module, real y, real x)
{
    const real arguments[] = {y, x};
    return real_call(module, REAL_ATAN2, atan2_of, arguments, 2);
}
