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

static enum blending blending_of(const struct rend_shade *shade)
{
    if (shade->blend == REND_BLEND_ADDITIVE) {
        return ADDED;
    }
    return shade->from[REND_SPAN_ALPHA] == 1 && shade->more[REND_SPAN_ALPHA] == 0 ? OPAQUE
                                                                                  : BLENDED;
}

/* The four values, each in all lanes. */
struct values {
    floats blue;
    floats green;
    floats red;
    floats alpha;
};

/* Of a triangle, what a shade has. */
struct gradient {
    struct values from;
    struct values more;
};

BASE_INLINE struct values four_values(const float *values)
{
    return (struct values){
        VECTOR(set1_ps)(values[REND_SPAN_BLUE]), VECTOR(set1_ps)(values[REND_SPAN_GREEN]),
        VECTOR(set1_ps)(values[REND_SPAN_RED]), VECTOR(set1_ps)(values[REND_SPAN_ALPHA])};
}

BASE_INLINE struct gradient gradient_of(const struct rend_shade *shade)
{
    return (struct gradient){four_values(shade->from), four_values(shade->more)};
}

/* How far pixels lie from the corner, counted from where a piece of a row begins. */
BASE_INLINE floats far_at(floats start, floats step, floats at)
{
    const floats far = VECTOR(add_ps)(start, VECTOR(mul_ps)(at, step));
    return VECTOR(min_ps)(VECTOR(max_ps)(far, VECTOR(setzero_ps)()), VECTOR(set1_ps)(1.0f));
}

BASE_INLINE floats value_at(floats from, floats more, floats far)
{
    return VECTOR(add_ps)(from, VECTOR(mul_ps)(far, more));
}

BASE_INLINE struct values values_at(const struct gradient *gradient, floats far, bool flat)
{
    const struct values *from = &gradient->from;
    const struct values *more = &gradient->more;
    struct values values = *from;
    values.alpha = value_at(from->alpha, more->alpha, far);
    if (!flat) {
        values.blue = value_at(from->blue, more->blue, far);
        values.green = value_at(from->green, more->green, far);
        values.red = value_at(from->red, more->red, far);
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
    return VECTOR(mul_ps)(byte_of(texels, byte), colour);
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
    const floats kept = VECTOR(sub_ps)(VECTOR(set1_ps)(1.0f), v.alpha);
    const words blue = channel(v.blue, v.alpha, kept, dst, 0, blending);
    const words green = channel(v.green, v.alpha, kept, dst, 1, blending);
    const words red = channel(v.red, v.alpha, kept, dst, 2, blending);
    return BITS(or)(BITS(or)(blue, VECTOR(slli_epi32)(green, 8)), VECTOR(slli_epi32)(red, 16));
}

BASE_INLINE words shaded(const struct gradient *gradient, floats far, words dst, words texels,
                         enum colours colours, enum blending blending)
{
    return mixed(values_at(gradient, far, colours == FLAT), dst, texels, colours, blending);
}
#endif

#endif
