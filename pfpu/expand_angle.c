#include "base/fmath.h"
#include "pfpu/expand.h"
#include "pfpu/expand_ops.h"

static const double steps_per_radian = 8192.0 / (2.0 * BASE_PI);

/* Radians to the integer angle of the tables. */
static int32_t table_angle(struct pfpu_builder *builder, int32_t x)
{
    return to_integer(builder, times(builder, steps_per_radian, x));
}

int32_t pfpu_expand_sin(struct pfpu_builder *builder, int32_t x)
{
    return pfpu_build1(builder, PFPU_OP_WORD_SIN, table_angle(builder, x));
}

int32_t pfpu_expand_cos(struct pfpu_builder *builder, int32_t x)
{
    return pfpu_build1(builder, PFPU_OP_WORD_COS, table_angle(builder, x));
}

int32_t pfpu_expand_tan(struct pfpu_builder *builder, int32_t x)
{
    const int32_t cosine = pfpu_expand_cos(builder, x);
    const int32_t inverse = pfpu_expand_coarse_reciprocal(builder, cosine);
    return multiply(builder, pfpu_expand_sin(builder, x), inverse);
}

/* Near 1 / sqrt(z) but for a factor of 0.37521, |z - 1| < 0.07. */
static int32_t inverse_root(struct pfpu_builder *builder, int32_t z)
{
    const int32_t m = from(builder, 3.33550883, z);
    return from(builder, 5.00068778, multiply(builder, z, m));
}

/* The angle's arcsine is of m * 0.37521 / sqrt(2), |m| <= 1 / 0.37521; the value lacks the factor
 * arcsine_scale. */
static const double arcsine_scale = 5.69203386e-05 * 0.375209675 * 0.70710678118654752440;

static int32_t arcsine(struct pfpu_builder *builder, int32_t m)
{
    const int32_t u = multiply(builder, m, m);
    const int32_t a = plus(builder, multiply(builder, u, u), 225.763932);
    return multiply(builder, m, plus(builder, multiply(builder, u, a), 17552.4147));
}

/* With the vector turned into the first quadrant, its angle from the diagonal has the sine
 * difference / sqrt(2 * square). The angle lacks the factor arcsine_scale. */
static int32_t from_diagonal(struct pfpu_builder *builder, int32_t difference, int32_t square)
{
    const int32_t y = quake(builder, square);
    const int32_t z = multiply(builder, multiply(builder, square, y), y);
    const int32_t start = multiply(builder, difference, y);
    return arcsine(builder, multiply(builder, start, inverse_root(builder, z)));
}

int32_t pfpu_expand_scaled_atan2(struct pfpu_builder *builder, int32_t y, int32_t x, double *scale)
{
    const int32_t y_square = multiply(builder, y, y);
    const int32_t square = add(builder, multiply(builder, x, x), y_square);
    const int32_t y_size = magnitude(builder, y);
    const int32_t difference = subtract(builder, magnitude(builder, x), y_size);
    const int32_t angle = from_diagonal(builder, difference, square);
    const int32_t below = plus(builder, angle, BASE_PI / 4 / arcsine_scale);
    const int32_t half_turn =
        from(builder, BASE_PI / 2 / arcsine_scale, signed_by(builder, below, x));
    *scale = arcsine_scale;
    return signed_by(builder, half_turn, y);
}

int32_t pfpu_expand_atan2(struct pfpu_builder *builder, int32_t y, int32_t x)
{
    double scale = 1;
    const int32_t value = pfpu_expand_scaled_atan2(builder, y, x, &scale);
    return times(builder, scale, value);
}

int32_t pfpu_expand_atan(struct pfpu_builder *builder, int32_t x)
{
    const int32_t square = plus(builder, multiply(builder, x, x), 1.0);
    const int32_t difference = plus(builder, magnitude(builder, x), -1.0);
    const int32_t angle = from_diagonal(builder, difference, square);
    const int32_t positive = plus(builder, angle, BASE_PI / 4 / arcsine_scale);
    return times(builder, arcsine_scale, signed_by(builder, positive, x));
}

/* acos(|x|) is sqrt(1 - |x|) times a cubic. The root is taken of |x| - 1, which never has another
 * sign: 1 - 1 is no zero here. So z and the value have the wrong sign; the value lacks the factor
 * arccosine_scale. */
static const double arccosine_scale = 0.375209675 * 0.0208777588;

static int32_t negative_arccosine(struct pfpu_builder *builder, int32_t x)
{
    const int32_t size = magnitude(builder, x);
    const int32_t rest = subtract(builder, size, number(builder, 1.0));
    const int32_t y = quake(builder, rest);
    const int32_t s = multiply(builder, rest, y);
    const int32_t z = multiply(builder, s, y);
    const int32_t m = plus(builder, z, 3.33550883);
    const int32_t root = multiply(builder, s, plus(builder, multiply(builder, z, m), 5.00068778));
    const int32_t linear = from(builder, 4.81236253, size);
    const int32_t product = multiply(builder, size, plus(builder, size, 1.12997902));
    const int32_t quadratic = plus(builder, product, 15.633892);
    return multiply(builder, multiply(builder, root, linear), quadratic);
}

static int32_t scaled_asin(struct pfpu_builder *builder, int32_t x)
{
    const int32_t negative = negative_arccosine(builder, x);
    return signed_by(builder, plus(builder, negative, BASE_PI / 2 / arccosine_scale), x);
}

int32_t pfpu_expand_asin(struct pfpu_builder *builder, int32_t x)
{
    return times(builder, arccosine_scale, scaled_asin(builder, x));
}

int32_t pfpu_expand_acos(struct pfpu_builder *builder, int32_t x)
{
    const int32_t value = from(builder, BASE_PI / 2 / arccosine_scale, scaled_asin(builder, x));
    return times(builder, arccosine_scale, value);
}
