

#if defined(__x86_64__)
#include "renderer/draw/span_shade.h"

/* Sixteen channels: round(x / 255), 128 added already. */
BASE_INLINE __m256i divided(__m256i x)
{
    return _mm256_srli_epi16(_mm256_add_epi16(x, _mm256_srli_epi16(x, 8)), 8);
}

/* A tint for eight pixels. */
struct tint {
    __m256i source; /* additive: by bytes; else by 16-bit channels */
    __m256i rest;
};

BASE_INLINE struct tint tint_of(const struct rend_tint *tint)
{
    const uint64_t s = tint->source;
    const uint64_t ordered = (s & 0xFFFF) | (s >> 32 & 0xFFFF) << 16 | (s >> 16 & 0xFFFF) << 32;
    return (struct tint){tint->additive ? _mm256_set1_epi32((int)rend_gathered(s))
                                        : _mm256_set1_epi64x((long long)ordered),
                         _mm256_set1_epi16((short)tint->rest)};
}

BASE_INLINE __m256i tinted(const struct tint *tint, __m256i dst, bool additive)
{
    const __m256i zero = _mm256_setzero_si256();
    if (additive) {
        return _mm256_adds_epu8(dst, tint->source);
    }
    const __m256i low = _mm256_mullo_epi16(_mm256_unpacklo_epi8(dst, zero), tint->rest);
    const __m256i high = _mm256_mullo_epi16(_mm256_unpackhi_epi8(dst, zero), tint->rest);
    return _mm256_packus_epi16(divided(_mm256_add_epi16(low, tint->source)),
                               divided(_mm256_add_epi16(high, tint->source)));
}

BASE_INLINE void tint_pixels(const struct rend_tint *tint, uint32_t *pixels, size_t count,
                             bool additive)
{
    const struct tint eight = tint_of(tint);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        simd_store_words(pixels + i, tinted(&eight, simd_load_words(pixels + i), additive));
    }
    for (; i < count; i++) {
        pixels[i] = rend_tinted(pixels[i], tint);
    }
}

/* The whole part of minor at four places. */
BASE_INLINE __m128i minors(const struct rend_stroke *stroke, __m256d centre)
{
    const __m256d along = _mm256_sub_pd(centre, _mm256_set1_pd(stroke->major));
    return _mm256_cvttpd_epi32(_mm256_add_pd(_mm256_set1_pd(stroke->minor),
                                             _mm256_mul_pd(along, _mm256_set1_pd(stroke->slope))));
}

BASE_INLINE __m256i stroke_places(const struct rend_stroke *stroke, int major)
{
    const __m256d centre = _mm256_add_pd(_mm256_set1_pd(major), _mm256_setr_pd(0.5, 1.5, 2.5, 3.5));
    const __m256i minor = _mm256_set_m128i(minors(stroke, _mm256_add_pd(centre, _mm256_set1_pd(4))),
                                           minors(stroke, centre));
    const __m256i majors =
        _mm256_add_epi32(_mm256_set1_epi32(major), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    return _mm256_add_epi32(_mm256_mullo_epi32(majors, _mm256_set1_epi32(stroke->major_step)),
                            _mm256_mullo_epi32(minor, _mm256_set1_epi32(stroke->minor_step)));
}

BASE_INLINE void stroke_pixels(const struct rend_stroke *stroke, const struct rend_tint *tint,
                               uint32_t *pixels, bool additive)
{
    const struct tint eight = tint_of(tint);
    int major = stroke->first;
    for (; major + 8 <= stroke->stop; major += 8) {
        const __m256i places = stroke_places(stroke, major);
        const __m256i dst = _mm256_i32gather_epi32((const int *)(const void *)pixels, places, 4);
        uint32_t at[8];
        uint32_t drawn[8];
        simd_store_words(at, places);
        simd_store_words(drawn, tinted(&eight, dst, additive));
        for (int i = 0; i < 8; i++) {
            pixels[at[i]] = drawn[i];
        }
    }
    for (; major < stroke->stop; major++) {
        uint32_t *pixel = pixels + rend_stroke_at(stroke, major);
        *pixel = rend_tinted(*pixel, tint);
    }
}

void rend_span_stroke_avx2(const struct rend_stroke *stroke, const struct rend_tint *tint,
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
    const simd_words half = SIMD(max_epi16)(second_of(far), SIMD_BITS(setzero)());
    return SIMD(adds_epi16)(half, half);
}

/* The pixels at eight places, but for those beyond the end of a line. */
struct eight {
    uint32_t *pixels;
    uint32_t at[8];
    int count;
};

BASE_INLINE void shade_eight(const struct eight *eight, const struct gradient *gradient,
                             simd_words far, enum rend_covering covering)
{
    uint32_t drawn[8];
    simd_words dst = _mm256_setzero_si256();
    if (covering != REND_OPAQUE) {
        dst = _mm256_mask_i32gather_epi32(dst, (const int *)(const void *)eight->pixels,
                                          simd_load_words(eight->at),
                                          simd_lanes_below((size_t)eight->count), 4);
    }
    simd_store_words(drawn, shaded(gradient, shares_of(far), dst, dst, VARIED, covering));
    for (int i = 0; i < eight->count; i++) {
        eight->pixels[eight->at[i]] = drawn[i];
    }
}

BASE_INLINE void shade_stroke(const struct rend_stroke *stroke, const struct rend_shade *shade,
                              const struct rend_ramp *ramp, uint32_t *pixels,
                              enum rend_covering covering)
{
    const struct gradient gradient = gradient_of(shade, VARIED, covering);
    const simd_words steps = lanes_times(ramp->step);
    struct eight eight;
    eight.pixels = pixels;
    for (int major = stroke->first; major < stroke->stop; major += 8) {
        const int rest = stroke->stop - major;
        const uint32_t far = ramp->start + (uint32_t)(major - ramp->from) * ramp->step;
        eight.count = rest < 8 ? rest : 8;
        simd_store_words(eight.at, stroke_places(stroke, major));
        shade_eight(&eight, &gradient, _mm256_add_epi32(_mm256_set1_epi32((int)far), steps),
                    covering);
    }
}

void rend_span_shaded_stroke_avx2(const struct rend_stroke *stroke, const struct rend_shade *shade,
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

void rend_span_tint_avx2(uint32_t colour, unsigned alpha, enum rend_blend blend, uint32_t *pixels,
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

const struct rend_span_kernels rend_span_kernels_avx2 = {
    draw_pieces, widen, rend_span_stroke_avx2, rend_span_shaded_stroke_avx2, rend_span_tint_avx2};
#else
typedef int rend_span_avx2_not_for_this_machine;
#endif
