#include "pfpu/expand.h"
#include "pfpu/expand_ops.h"

int32_t pfpu_expand_thesis_invsqrt(struct pfpu_builder *builder, int32_t x)
{
    int32_t root = quake(builder, x);
    for (int step = 0; step < 2; step++) {
        const int32_t half = times(builder, 0.5, x);
        const int32_t square = multiply(builder, root, root);
        const int32_t rest = from(builder, 1.5, multiply(builder, half, square));
        root = multiply(builder, root, rest);
    }
    return root;
}

int32_t pfpu_expand_thesis_sqrt(struct pfpu_builder *builder, int32_t x)
{
    return multiply(builder, x, pfpu_expand_thesis_invsqrt(builder, x));
}

int32_t pfpu_expand_thesis_divide(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    const int32_t dividend = signed_by(builder, a, b);
    const int32_t root = pfpu_expand_thesis_invsqrt(builder, magnitude(builder, b));
    return multiply(builder, dividend, multiply(builder, root, root));
}

/* QUAKE of the square is 1 / |x| within 3.4 %. */
static int32_t first_reciprocal(struct pfpu_builder *builder, int32_t x)
{
    return quake(builder, multiply(builder, x, x));
}

/* r * p(x * r) with p(t) near 1 / t: three terms. */
static int32_t refine_coarsely(struct pfpu_builder *builder, int32_t r, int32_t x)
{
    const int32_t t = multiply(builder, x, r);
    const int32_t m = from(builder, 1.5004385, t);
    return multiply(builder, r, plus(builder, multiply(builder, m, m), 0.74956236));
}

/* The same with four terms. The last constant is high enough that truncation never shows. */
static int32_t refine(struct pfpu_builder *builder, int32_t r, int32_t x)
{
    const int32_t t = multiply(builder, x, r);
    const int32_t m = from(builder, 2.00058538, t);
    const int32_t rest = from(builder, 2.00000072, multiply(builder, t, m));
    return multiply(builder, multiply(builder, r, m), rest);
}

int32_t pfpu_expand_reciprocal(struct pfpu_builder *builder, int32_t x)
{
    return refine(builder, signed_by(builder, first_reciprocal(builder, x), x), x);
}

int32_t pfpu_expand_positive_reciprocal(struct pfpu_builder *builder, int32_t x)
{
    return refine(builder, first_reciprocal(builder, x), x);
}

int32_t pfpu_expand_coarse_reciprocal(struct pfpu_builder *builder, int32_t x)
{
    return refine_coarsely(builder, signed_by(builder, first_reciprocal(builder, x), x), x);
}

int32_t pfpu_expand_positive_coarse_reciprocal(struct pfpu_builder *builder, int32_t x)
{
    return refine_coarsely(builder, first_reciprocal(builder, x), x);
}

int32_t pfpu_expand_divide(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    double divisor = 0;
    if (is_number(builder, b, &divisor) && divisor != 0) {
        return times(builder, 1 / divisor, a);
    }
    return multiply(builder, a, pfpu_expand_reciprocal(builder, b));
}

/* start * p(z) with z = x * y * y near 1, y = QUAKE(x), where p(z) is 1 / sqrt(z) but for the
 * factor root_scale; start is y or x * y. */
static const double root_scale = 0.29541793;

static int32_t refine_root(struct pfpu_builder *builder, int32_t start, int32_t z)
{
    const int32_t linear = from(builder, 2.56934099, z);
    const int32_t m = plus(builder, z, -0.85208779);
    const int32_t quadratic = plus(builder, multiply(builder, m, m), 2.1350997);
    return multiply(builder, multiply(builder, start, linear), quadratic);
}

int32_t pfpu_expand_scaled_invsqrt(struct pfpu_builder *builder, int32_t x, double *scale)
{
    const int32_t y = quake(builder, x);
    const int32_t z = multiply(builder, multiply(builder, x, y), y);
    *scale = root_scale;
    return refine_root(builder, y, z);
}

int32_t pfpu_expand_scaled_sqrt(struct pfpu_builder *builder, int32_t x, double *scale)
{
    const int32_t y = quake(builder, x);
    const int32_t s = multiply(builder, x, y);
    *scale = root_scale;
    return refine_root(builder, s, multiply(builder, s, y));
}

int32_t pfpu_expand_invsqrt(struct pfpu_builder *builder, int32_t x)
{
    double scale = 1;
    const int32_t value = pfpu_expand_scaled_invsqrt(builder, x, &scale);
    return times(builder, scale, value);
}

int32_t pfpu_expand_sqrt(struct pfpu_builder *builder, int32_t x)
{
    double scale = 1;
    const int32_t value = pfpu_expand_scaled_sqrt(builder, x, &scale);
    return times(builder, scale, value);
}
