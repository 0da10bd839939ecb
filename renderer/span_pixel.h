/* What pixels of a shade become, over vectors, after span_eight.h or span_sixteen.h; empty without
 * them. */
#ifndef RENDERER_SPAN_PIXEL_H
#define RENDERER_SPAN_PIXEL_H

#if defined(__AVX2__)
#include <stdbool.h>

/* What holds for all pixels of a triangle; a constant where a loop is called, so that each kind has
 * a loop of its own. */
enum colours { VARIED, FLAT, TEXTURED };
enum blending { OPAQUE, BLENDED, ADDED };

/* The four values, each in all lanes. */
struct values {
    floats blue;
    floats green;
    floats red;
    floats alpha;
};

BASE_INLINE floats clamp255(floats x)
{
    return VECTOR(min_ps)(VECTOR(max_ps)(x, VECTOR(setzero_ps)()), VECTOR(set1_ps)(255.0f));
}

BASE_INLINE struct values broadcast(__m128 values)
{
    const floats all = floats_of_four(values);
    return (struct values){VECTOR(shuffle_ps)(all, all, 0x00), VECTOR(shuffle_ps)(all, all, 0x55),
                           VECTOR(shuffle_ps)(all, all, 0xAA), VECTOR(shuffle_ps)(all, all, 0xFF)};
}

/* Values along a row. */
struct ramp {
    struct values start;
    struct values step;
};

BASE_INLINE floats value_of(floats start, floats step, floats at, bool clamped)
{
    const floats value = VECTOR(add_ps)(start, VECTOR(mul_ps)(at, step));
    return clamped ? clamp255(value) : value;
}

BASE_INLINE struct values values_of(const struct ramp *ramp, floats at, bool flat, bool clamped)
{
    struct values values = ramp->start;
    values.alpha = value_of(ramp->start.alpha, ramp->step.alpha, at, clamped);
    if (!flat) {
        values.blue = value_of(ramp->start.blue, ramp->step.blue, at, clamped);
        values.green = value_of(ramp->start.green, ramp->step.green, at, clamped);
        values.red = value_of(ramp->start.red, ramp->step.red, at, clamped);
    } else if (clamped) {
        values.blue = clamp255(values.blue);
        values.green = clamp255(values.green);
        values.red = clamp255(values.red);
    }
    return values;
}

/* A byte of each word. */
BASE_INLINE floats byte_of(words pixels, int byte)
{
    const int zero = (int)0x80808000;
    const words from = words_of_four(
        _mm_setr_epi32(zero + byte, zero + byte + 4, zero + byte + 8, zero + byte + 12));
    return VECTOR(cvtepi32_ps)(VECTOR(shuffle_epi8)(pixels, from));
}

BASE_INLINE floats textured(floats colour, words texels, int byte)
{
    return VECTOR(mul_ps)(colour,
                          VECTOR(mul_ps)(byte_of(texels, byte), VECTOR(set1_ps)(1.0f / 255.0f)));
}

/* One channel of some pixels. A blended sum exceeds 255 by rounding at most, which the last step
 * cuts off. */
BASE_INLINE words channel(floats colour, floats alpha, floats kept, words dst, int byte,
                          enum blending blending)
{
    floats sum = colour;
    if (blending == BLENDED) {
        sum =
            VECTOR(add_ps)(VECTOR(mul_ps)(byte_of(dst, byte), kept), VECTOR(mul_ps)(colour, alpha));
    } else if (blending == ADDED) {
        sum = VECTOR(add_ps)(byte_of(dst, byte), VECTOR(mul_ps)(colour, alpha));
        sum = VECTOR(min_ps)(sum, VECTOR(set1_ps)(255.0f));
    }
    return VECTOR(cvttps_epi32)(VECTOR(add_ps)(sum, VECTOR(set1_ps)(0.5f)));
}

/* Pixels of these values, over what is there. */
BASE_INLINE words mixed(struct values v, words dst, words texels, enum colours colours,
                        enum blending blending)
{
    if (colours == TEXTURED) {
        v.blue = textured(v.blue, texels, 0);
        v.green = textured(v.green, texels, 1);
        v.red = textured(v.red, texels, 2);
    }
    const floats alpha = VECTOR(mul_ps)(v.alpha, VECTOR(set1_ps)(1.0f / 255.0f));
    const floats kept = VECTOR(sub_ps)(VECTOR(set1_ps)(1.0f), alpha);
    const words blue = channel(v.blue, alpha, kept, dst, 0, blending);
    const words green = channel(v.green, alpha, kept, dst, 1, blending);
    const words red = channel(v.red, alpha, kept, dst, 2, blending);
    return BITS(or)(BITS(or)(blue, VECTOR(slli_epi32)(green, 8)), VECTOR(slli_epi32)(red, 16));
}

BASE_INLINE words shaded(const struct ramp *ramp, floats at, words dst, words texels,
                         enum colours colours, enum blending blending, bool clamped)
{
    return mixed(values_of(ramp, at, colours == FLAT, clamped), dst, texels, colours, blending);
}
#endif

#endif
