#include "pfpu/expand.h"
#include "pfpu/expand_ops.h"

int32_t pfpu_expand_trunc(struct pfpu_builder *builder, int32_t x)
{
    return to_float(builder, to_integer(builder, x));
}

int32_t pfpu_expand_floor(struct pfpu_builder *builder, int32_t x)
{
    const int32_t whole = pfpu_expand_trunc(builder, x);
    return subtract(builder, whole, above(builder, whole, x));
}

int32_t pfpu_expand_ceil(struct pfpu_builder *builder, int32_t x)
{
    const int32_t whole = pfpu_expand_trunc(builder, x);
    return add(builder, whole, above(builder, x, whole));
}

int32_t pfpu_expand_sign(struct pfpu_builder *builder, int32_t x)
{
    const int32_t zero = number(builder, 0.0);
    const int32_t there = above(builder, magnitude(builder, x), zero);
    return signed_by(builder, there, x);
}

int32_t pfpu_expand_min(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    return choose(builder, above(builder, a, b), b, a);
}

int32_t pfpu_expand_max(struct pfpu_builder *builder, int32_t a, int32_t b)
{
    return choose(builder, above(builder, a, b), a, b);
}
