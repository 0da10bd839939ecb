/* The kernels of span.h over the vectors of base/simd.h; empty without them. */
#ifndef RENDERER_DRAW_SPAN_LANES_H
#define RENDERER_DRAW_SPAN_LANES_H

#include "renderer/draw/span_shade.h"

#if defined(BASE_SIMD)
/* Channels of 16 bits: round(x / 255), 128 added already. */
BASE_INLINE simd_words divided(simd_words x)
{
    return SIMD(srli_epi16)(SIMD(add_epi16)(x, SIMD(srli_epi16)(x, 8)), 8);
}

/* A tint for a vector of pixels. */
struct tint {
    simd_words source; /* additive: by bytes; else by 16-bit channels */
    simd_words rest;
};

BASE_INLINE struct tint tint_of(const struct rend_tint *tint)
{
    const uint64_t s = tint->source;
    const uint64_t ordered = (s & 0xFFFF) | (s >> 32 & 0xFFFF) << 16 | (s >> 16 & 0xFFFF) << 32;
    return (struct tint){tint->additive ? SIMD(set1_epi32)((int)rend_gathered(s))
                                        : simd_all_long(ordered),
                         SIMD(set1_epi16)((short)tint->rest)};
}

BASE_INLINE simd_words tinted(const struct tint *tint, simd_words dst, bool additive)
{
    const simd_words zero = simd_all_words(0);
    if (additive) {
        return SIMD(adds_epu8)(dst, tint->source);
    }
    const simd_words low = SIMD(mullo_epi16)(SIMD(unpacklo_epi8)(dst, zero), tint->rest);
    const simd_words high = SIMD(mullo_epi16)(SIMD(unpackhi_epi8)(dst, zero), tint->rest);
    return SIMD(packus_epi16)(divided(SIMD(add_epi16)(low, tint->source)),
                              divided(SIMD(add_epi16)(high, tint->source)));
}

BASE_INLINE void tint_pixels(const struct rend_tint *tint, uint32_t *pixels, size_t count,
                             bool additive)
{
    const struct tint vector = tint_of(tint);
    size_t i = 0;
    for (; i + SIMD_LANES <= count; i += SIMD_LANES) {
        simd_store_words(pixels + i, tinted(&vector, simd_load_words(pixels + i), additive));
    }
    for (; i < count; i++) {
        pixels[i] = rend_tinted(pixels[i], tint);
    }
}

/* The whole parts of minor. */
BASE_INLINE simd_half_words minors(const struct rend_stroke *stroke, simd_doubles centre)
{
    const simd_doubles along = SIMD(sub_pd)(centre, SIMD(set1_pd)(stroke->major));
    return SIMD(cvttpd_epi32)(SIMD(add_pd)(SIMD(set1_pd)(stroke->minor),
                                           SIMD(mul_pd)(along, SIMD(set1_pd)(stroke->slope))));
}

BASE_INLINE simd_words stroke_places(const struct rend_stroke *stroke, int major)
{
    const simd_doubles centre = SIMD(add_pd)(
        SIMD(set1_pd)(major), SIMD(add_pd)(simd_doubles_in_order(), SIMD(set1_pd)(0.5)));
    const simd_doubles next = SIMD(add_pd)(centre, SIMD(set1_pd)(SIMD_HALF_LANES));
    const simd_words minor = simd_joined(minors(stroke, centre), minors(stroke, next));
    const simd_words majors = SIMD(add_epi32)(SIMD(set1_epi32)(major), simd_words_in_order());
    return SIMD(add_epi32)(SIMD(mullo_epi32)(majors, SIMD(set1_epi32)(stroke->major_step)),
                           SIMD(mullo_epi32)(minor, SIMD(set1_epi32)(stroke->minor_step)));
}

BASE_INLINE void stroke_pixels(const struct rend_stroke *stroke, const struct rend_tint *tint,
                               uint32_t *pixels, bool additive)
{
    const struct tint vector = tint_of(tint);
    const simd_lanes full = simd_lanes_below((size_t)(stroke->stop - stroke->first));
    int major = stroke->first;
    for (; major + SIMD_LANES <= stroke->stop; major += SIMD_LANES) {
        const simd_words places = stroke_places(stroke, major);
        const simd_words dst = simd_gather(pixels, places, full);
        uint32_t at[SIMD_LANES];
        uint32_t drawn[SIMD_LANES];
        simd_store_words(at, places);
        simd_store_words(drawn, tinted(&vector, dst, additive));
        for (int i = 0; i < SIMD_LANES; i++) {
            pixels[at[i]] = drawn[i];
        }
    }
    for (; major < stroke->stop; major++) {
        uint32_t *pixel = pixels + rend_stroke_at(stroke, major);
        *pixel = rend_tinted(*pixel, tint);
    }
}

static void stroke_tinted(const struct rend_stroke *stroke, const struct rend_tint *tint,
                          uint32_t *pixels)
{
    if (tint->additive) {
        stroke_pixels(stroke, tint, pixels, true);
    } else {
        stroke_pixels(stroke, tint, pixels, false);
    }
}

/* 0, step, 2 step and so on. */
BASE_INLINE simd_words lanes_times(uint32_t step)
{
    return SIMD(mullo_epi32)(simd_words_in_order(), SIMD(set1_epi32)((int)step));
}

/* s of kernels, twice: what is in the upper half of each word. */
BASE_INLINE simd_words shares_of(simd_words far)
{
    const simd_words half = SIMD(max_epi16)(second_of(far), simd_all_words(0));
    return SIMD(adds_epi16)(half, half);
}

/* The pixels at some places, but for those beyond the end of a line, whose places are the first. */
struct places {
    uint32_t *pixels;
    uint32_t at[SIMD_LANES];
    int count;
};

BASE_INLINE void shade_places(const struct places *places, const struct gradient *gradient,
                              simd_words far, enum rend_covering covering)
{
    uint32_t drawn[SIMD_LANES];
    simd_words dst = simd_all_words(0);
    if (covering != REND_OPAQUE) {
        dst = simd_gather(places->pixels, simd_load_words(places->at),
                          simd_lanes_below((size_t)places->count));
    }
    simd_store_words(drawn, shaded(gradient, shares_of(far), dst, dst, VARIED, covering));
    for (int i = 0; i < places->count; i++) {
        places->pixels[places->at[i]] = drawn[i];
    }
}

BASE_INLINE void shade_stroke(const struct rend_stroke *stroke, const struct rend_shade *shade,
                              const struct rend_ramp *ramp, uint32_t *pixels,
                              enum rend_covering covering)
{
    const struct gradient gradient = gradient_of(shade, VARIED, covering);
    const simd_words steps = lanes_times(ramp->step);
    struct places places;
    places.pixels = pixels;
    for (int major = stroke->first; major < stroke->stop; major += SIMD_LANES) {
        const int rest = stroke->stop - major;
        const uint32_t far = ramp->start + (uint32_t)(major - ramp->from) * ramp->step;
        places.count = rest < SIMD_LANES ? rest : SIMD_LANES;
        simd_store_words(places.at, stroke_places(stroke, major));
        for (int i = places.count; i < SIMD_LANES; i++) {
            places.at[i] = places.at[0];
        }
        shade_places(&places, &gradient, SIMD(add_epi32)(SIMD(set1_epi32)((int)far), steps),
                     covering);
    }
}

static void stroke_shaded(const struct rend_stroke *stroke, const struct rend_shade *shade,
                          const struct rend_ramp *ramp, uint32_t *pixels)
{
    switch (rend_covering_of(shade)) {
    case REND_OPAQUE:
        shade_stroke(stroke, shade, ramp, pixels, REND_OPAQUE);
        break;
    case REND_BLENDED:
        shade_stroke(stroke, shade, ramp, pixels, REND_BLENDED);
        break;
    case REND_ADDED:
        shade_stroke(stroke, shade, ramp, pixels, REND_ADDED);
        break;
    }
}

static void tint_row(uint32_t colour, unsigned alpha, enum rend_blend blend, uint32_t *pixels,
                     size_t count)
{
    const struct rend_tint tint = rend_tint_of(colour, alpha, blend);
    if (blend == REND_BLEND_ADDITIVE) {
        tint_pixels(&tint, pixels, count, true);
    } else if (alpha == 255) {
        fill(pixels, colour, count);
    } else {
        tint_pixels(&tint, pixels, count, false);
    }
}

#endif

#endif
