/* What pixels of a shade become, over vectors, after span_eight.h or span_sixteen.h; empty without
 * them. */
#ifndef RENDERER_SPAN_PIXEL_H
#define RENDERER_SPAN_PIXEL_H

#if defined(__AVX2__)
#include <stdbool.h>

/* What holds for all pixels of a polygon, beside their covering; a constant where a loop is
 * called, so that each kind has a loop of its own. */
enum colours { VARIED, UNIFORM, TEXTURED };

/* Four values for each pixel, in 16 bits each: the first of a pair lower than the second. */
struct values {
    words blue_red;
    words green_alpha;
};

/* What a shade has. Half a level is added already to colours, but to those of
 * texels and those that are added to what is there. */
struct gradient {
    struct values from;
    struct values more;
};

/* The same pair for all pixels. */
BASE_INLINE words pairs(int first, int second)
{
    return VECTOR(set1_epi32)((int)((uint32_t)(first & 0xFFFF) | (uint32_t)second << 16));
}

BASE_INLINE struct gradient gradient_of(const struct rend_shade *shade, enum colours colours,
                                        enum rend_covering covering)
{
    const int16_t *from = shade->from;
    const int16_t *more = shade->more;
    const int half = colours == TEXTURED || covering == REND_ADDED ? 0 : REND_SPAN_LEVEL / 2;
    return (struct gradient){
        {pairs(from[REND_SPAN_BLUE] + half, from[REND_SPAN_RED] + half),
         pairs(from[REND_SPAN_GREEN] + half, from[REND_SPAN_ALPHA])},
        {pairs(more[REND_SPAN_BLUE], more[REND_SPAN_RED]),
         pairs(more[REND_SPAN_GREEN], more[REND_SPAN_ALPHA])},
    };
}

/* The second of each pair, for both. */
BASE_INLINE words second_of(words both)
{
    const __m128i seconds = _mm_setr_epi8(2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15);
    return VECTOR(shuffle_epi8)(both, words_of_four(seconds));
}

BASE_INLINE words value_at(words from, words more, words share)
{
    return VECTOR(add_epi16)(from, VECTOR(mulhrs_epi16)(share, more));
}

BASE_INLINE struct values values_at(const struct gradient *gradient, words share, bool uniform)
{
    if (uniform) {
        return gradient->from;
    }
    return (struct values){value_at(gradient->from.blue_red, gradient->more.blue_red, share),
                           value_at(gradient->from.green_alpha, gradient->more.green_alpha, share)};
}

/* Channels in parts of a level, and so much more of it. What stands beside green is of no use. */
BASE_INLINE words blue_red_of(words pixels, int more)
{
    return words_masked(VECTOR(slli_epi16)(pixels, 7), 0x7F80, more);
}

BASE_INLINE words green_of(words pixels, int more)
{
    return words_masked(VECTOR(srli_epi16)(pixels, 1), 0x7F80, more);
}

/* Channels of some pixels; dst, but not colour, where it is added or of texels, has half a level
 * more. */
BASE_INLINE words covered(words colour, words alpha, words dst, enum colours colours,
                          enum rend_covering covering)
{
    if (covering == REND_ADDED) {
        return VECTOR(adds_epi16)(dst, VECTOR(mulhrs_epi16)(colour, alpha));
    }
    if (colours == TEXTURED) {
        colour = VECTOR(add_epi16)(colour, VECTOR(set1_epi16)(REND_SPAN_LEVEL / 2));
    }
    if (covering == REND_OPAQUE) {
        return colour;
    }
    return VECTOR(add_epi16)(dst, VECTOR(mulhrs_epi16)(VECTOR(sub_epi16)(colour, dst), alpha));
}

/* Pixels so far away, over what is there; share: s of kernels, twice for each. */
BASE_INLINE words shaded(const struct gradient *gradient, words share, words dst, words texels,
                         enum colours colours, enum rend_covering covering)
{
    struct values v = values_at(gradient, share, colours == UNIFORM);
    const words alpha = second_of(v.green_alpha);
    if (colours == TEXTURED) {
        v.blue_red = VECTOR(mulhrs_epi16)(blue_red_of(texels, 0), v.blue_red);
        v.green_alpha = VECTOR(mulhrs_epi16)(green_of(texels, 0), v.green_alpha);
    }
    const int half = REND_SPAN_LEVEL / 2;
    const words blue_red = covered(v.blue_red, alpha, blue_red_of(dst, half), colours, covering);
    const words green = covered(v.green_alpha, alpha, green_of(dst, half), colours, covering);
    return words_chosen(0xFF00, VECTOR(slli_epi16)(green, 1), VECTOR(srli_epi16)(blue_red, 7));
}
#endif

#endif
