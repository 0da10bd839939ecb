#if defined(__x86_64__)
#include "renderer/span.h"

#include <immintrin.h>

/* Everything about a triangle that holds for all its pixels; constants where a loop is called, so
 * that each kind of triangle has a loop of its own. */
enum colours { VARIED, FLAT, TEXTURED };
enum blending { OPAQUE, BLENDED, ADDED };

/* Values along a row, broadcast. */
struct ramp {
    __m256 start[REND_SPAN_VALUES];
    __m256 step[REND_SPAN_VALUES];
    bool clamped; /* some value leaves 0..255 on its way */
};

static inline __m256i load(const uint32_t *words)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

static inline void store(uint32_t *words, __m256i value)
{
    _mm256_storeu_si256((__m256i *)(void *)words, value);
}

/* Lanes below count. */
static inline __m256i mask_of(size_t count)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), lanes);
}

static inline __m256 clamp255(__m256 x)
{
    return _mm256_min_ps(_mm256_max_ps(x, _mm256_setzero_ps()), _mm256_set1_ps(255.0f));
}

static inline void broadcast(__m256 out[REND_SPAN_VALUES], __m128 values)
{
    const __m256 both = _mm256_set_m128(values, values);
    out[0] = _mm256_shuffle_ps(both, both, 0x00);
    out[1] = _mm256_shuffle_ps(both, both, 0x55);
    out[2] = _mm256_shuffle_ps(both, both, 0xAA);
    out[3] = _mm256_shuffle_ps(both, both, 0xFF);
}

/* Rounded sums and products with positive numbers never change direction, so values lie between
 * the first and the last. */
static inline bool leaves_range(__m128 start, __m128 step, size_t count)
{
    const __m128 last =
        _mm_add_ps(start, _mm_mul_ps(_mm_set1_ps((float)(int)(count - 1)), step));
    const __m128 least = _mm_min_ps(start, last);
    const __m128 most = _mm_max_ps(start, last);
    const __m128 inside = _mm_and_ps(_mm_cmpge_ps(least, _mm_setzero_ps()),
                                     _mm_cmple_ps(most, _mm_set1_ps(255.0f)));
    const __m128 ordered = _mm_cmpord_ps(start, last);
    return _mm_movemask_ps(_mm_and_ps(inside, ordered)) != 15;
}

/* Planes in registers. */
struct planes {
    __m256d at;
    __m256d per_x;
    __m256d per_y;
    __m128 step;
    __m256 steps[REND_SPAN_VALUES];
};

static inline struct planes planes_of(const struct rend_shade *shade)
{
    struct planes planes = {_mm256_loadu_pd(shade->at), _mm256_loadu_pd(shade->per_x),
                            _mm256_loadu_pd(shade->per_y), _mm_setzero_ps(), {{0}}};
    planes.step = _mm256_cvtpd_ps(planes.per_x);
    broadcast(planes.steps, planes.step);
    return planes;
}

static inline struct ramp ramp_of(const struct planes *planes, int x, int y, size_t count)
{
    const __m256d moved_x = _mm256_mul_pd(_mm256_set1_pd(x), planes->per_x);
    const __m256d moved_y = _mm256_mul_pd(_mm256_set1_pd(y), planes->per_y);
    const __m128 start =
        _mm256_cvtpd_ps(_mm256_add_pd(_mm256_add_pd(planes->at, moved_x), moved_y));
    struct ramp ramp = {.clamped = leaves_range(start, planes->step, count)};
    broadcast(ramp.start, start);
    for (int k = 0; k < REND_SPAN_VALUES; k++) {
        ramp.step[k] = planes->steps[k];
    }
    return ramp;
}

static inline __m256 value_at(const struct ramp *ramp, int k, __m256 at, bool clamped)
{
    const __m256 value = _mm256_add_ps(ramp->start[k], _mm256_mul_ps(at, ramp->step[k]));
    return clamped ? clamp255(value) : value;
}

static inline __m256 channel_of(__m256i pixels, int k)
{
    const __m256i byte = _mm256_and_si256(_mm256_srli_epi32(pixels, 8 * k), _mm256_set1_epi32(255));
    return _mm256_cvtepi32_ps(byte);
}

/* Eight pixels. A blended sum exceeds 255 by rounding at most, which the last step cuts off. */
static inline __m256i shaded(const struct ramp *ramp, __m256 at, __m256i dst, __m256i texels,
                             enum colours colours, enum blending blending, bool clamped)
{
    const __m256 per_255 = _mm256_set1_ps(1.0f / 255.0f);
    const __m256 half = _mm256_set1_ps(0.5f);
    const __m256 alpha = _mm256_mul_ps(value_at(ramp, REND_SPAN_ALPHA, at, clamped), per_255);
    const __m256 kept = _mm256_sub_ps(_mm256_set1_ps(1.0f), alpha);
    __m256i result = _mm256_setzero_si256();
    for (int k = 0; k < REND_SPAN_ALPHA; k++) {
        __m256 sum = colours == FLAT ? ramp->start[k] : value_at(ramp, k, at, clamped);
        if (colours == TEXTURED) {
            sum = _mm256_mul_ps(sum, _mm256_mul_ps(channel_of(texels, k), per_255));
        }
        if (blending == BLENDED) {
            sum = _mm256_add_ps(_mm256_mul_ps(channel_of(dst, k), kept),
                                _mm256_mul_ps(sum, alpha));
        } else if (blending == ADDED) {
            sum = _mm256_add_ps(channel_of(dst, k), _mm256_mul_ps(sum, alpha));
            sum = _mm256_min_ps(sum, _mm256_set1_ps(255.0f));
        }
        const __m256i rounded = _mm256_cvttps_epi32(_mm256_add_ps(sum, half));
        result = _mm256_or_si256(result, _mm256_slli_epi32(rounded, 8 * k));
    }
    return result;
}

/* A row of up to REND_SPAN_CHUNK pixels. */
static inline void shade_pixels(const struct ramp *ramp, const uint32_t *texels, uint32_t *pixels,
                                size_t count, enum colours colours, enum blending blending,
                                bool clamped)
{
    __m256 at = _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i texel = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        texel = colours == TEXTURED ? load(texels + i) : texel;
        const __m256i dst = blending == OPAQUE ? texel : load(pixels + i);
        store(pixels + i, shaded(ramp, at, dst, texel, colours, blending, clamped));
        at = _mm256_add_ps(at, _mm256_set1_ps(8.0f));
    }
    if (i < count) {
        const __m256i mask = mask_of(count - i);
        int *words = (int *)(void *)(pixels + i);
        if (colours == TEXTURED) {
            texel = _mm256_maskload_epi32((const int *)(const void *)(texels + i), mask);
        }
        const __m256i dst = blending == OPAQUE ? texel : _mm256_maskload_epi32(words, mask);
        _mm256_maskstore_epi32(words, mask,
                               shaded(ramp, at, dst, texel, colours, blending, clamped));
    }
}

static inline void shade_chunk(const struct planes *planes, int x, int y, const uint32_t *texels,
                               uint32_t *pixels, size_t count, enum colours colours,
                               enum blending blending)
{
    struct ramp ramp = ramp_of(planes, x, y, count);
    if (!ramp.clamped) {
        shade_pixels(&ramp, texels, pixels, count, colours, blending, false);
        return;
    }
    for (int k = 0; k < REND_SPAN_ALPHA && colours == FLAT; k++) {
        ramp.start[k] = clamp255(ramp.start[k]);
    }
    shade_pixels(&ramp, texels, pixels, count, colours, blending, true);
}

static inline void shade_rows(const struct rend_shade *shade, int y, const struct rend_run *runs,
                              size_t count, uint32_t *pixels, size_t stride, enum colours colours,
                              enum blending blending)
{
    const struct planes planes = planes_of(shade);
    for (size_t i = 0; i < count; i++) {
        uint32_t *row = pixels + i * stride;
        const int end = runs[i].end;
        for (int x = runs[i].first; x < end; x += REND_SPAN_CHUNK) {
            const int rest = end - x;
            shade_chunk(&planes, x, y + (int)i, NULL, row + x,
                        (size_t)(rest < REND_SPAN_CHUNK ? rest : REND_SPAN_CHUNK), colours,
                        blending);
        }
    }
}

static bool constant(const struct rend_shade *shade, int first, int end)
{
    bool same = true;
    for (int k = first; k < end; k++) {
        same = same && shade->per_x[k] == 0 && shade->per_y[k] == 0;
    }
    return same;
}

static bool flat(const struct rend_shade *shade)
{
    return constant(shade, REND_SPAN_BLUE, REND_SPAN_ALPHA);
}

static enum blending blending_of(const struct rend_shade *shade)
{
    if (shade->blend == REND_BLEND_ADDITIVE) {
        return ADDED;
    }
    return constant(shade, REND_SPAN_ALPHA, REND_SPAN_VALUES) &&
                   shade->at[REND_SPAN_ALPHA] == 255
               ? OPAQUE
               : BLENDED;
}

static void fill(uint32_t *pixels, uint32_t colour, size_t count)
{
    const __m256i words = _mm256_set1_epi32((int)colour);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        store(pixels + i, words);
    }
    _mm256_maskstore_epi32((int *)(void *)(pixels + i), mask_of(count - i), words);
}

static void fill_rows(const struct rend_shade *shade, int y, const struct rend_run *runs,
                      size_t count, uint32_t *pixels, size_t stride)
{
    uint32_t colour = 0;
    rend_span_kernels_plain.row(shade, 0, y, NULL, &colour, 1);
    for (size_t i = 0; i < count; i++) {
        if (runs[i].end > runs[i].first) {
            fill(pixels + i * stride + runs[i].first, colour,
                 (size_t)(runs[i].end - runs[i].first));
        }
    }
}

static void rows_avx2(const struct rend_shade *shade, int y, const struct rend_run *runs,
                      size_t count, uint32_t *pixels, size_t stride)
{
    switch (blending_of(shade)) {
    case OPAQUE:
        if (flat(shade)) {
            fill_rows(shade, y, runs, count, pixels, stride);
        } else {
            shade_rows(shade, y, runs, count, pixels, stride, VARIED, OPAQUE);
        }
        break;
    case BLENDED:
        if (flat(shade)) {
            shade_rows(shade, y, runs, count, pixels, stride, FLAT, BLENDED);
        } else {
            shade_rows(shade, y, runs, count, pixels, stride, VARIED, BLENDED);
        }
        break;
    case ADDED:
        if (flat(shade)) {
            shade_rows(shade, y, runs, count, pixels, stride, FLAT, ADDED);
        } else {
            shade_rows(shade, y, runs, count, pixels, stride, VARIED, ADDED);
        }
        break;
    }
}

static void row_avx2(const struct rend_shade *shade, int x, int y, const uint32_t *texels,
                     uint32_t *pixels, size_t count)
{
    const struct planes planes = planes_of(shade);
    const bool added = shade->blend == REND_BLEND_ADDITIVE;
    if (count == 0) {
        return;
    }
    if (texels == NULL) {
        const struct rend_run run = {x, x + (int)count};
        rows_avx2(shade, y, &run, 1, pixels - x, 0);
    } else if (added) {
        shade_chunk(&planes, x, y, texels, pixels, count, TEXTURED, ADDED);
    } else {
        shade_chunk(&planes, x, y, texels, pixels, count, TEXTURED, BLENDED);
    }
}

/* p of four rows, twice each. */
static inline __m256i crossings(const struct rend_edge *edge, __m256d centre, __m256d limit)
{
    const __m256d down = _mm256_sub_pd(centre, _mm256_set1_pd(edge->y));
    const __m256d x = _mm256_add_pd(_mm256_set1_pd(edge->x),
                                    _mm256_mul_pd(down, _mm256_set1_pd(edge->slope)));
    const __m256d first = _mm256_ceil_pd(_mm256_sub_pd(x, _mm256_set1_pd(0.5)));
    const __m256d bounded = _mm256_min_pd(_mm256_max_pd(first, _mm256_setzero_pd()), limit);
    const __m256i words = _mm256_castsi128_si256(_mm256_cvttpd_epi32(bounded));
    return _mm256_permutevar8x32_epi32(words, _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3));
}

static void widen_avx2(const struct rend_edge *edge, int y, int width, struct rend_run *runs,
                       size_t count)
{
    const __m256d limit = _mm256_set1_pd(width);
    __m256d centre = _mm256_add_pd(_mm256_set1_pd(y), _mm256_setr_pd(0.5, 1.5, 2.5, 3.5));
    for (size_t i = 0; i < count; i += 4) {
        const __m256i p = crossings(edge, centre, limit);
        const __m256i mask = mask_of(2 * (count - i < 4 ? count - i : 4));
        int *words = (int *)(void *)(runs + i);
        const __m256i old = _mm256_maskload_epi32(words, mask);
        const __m256i wide =
            _mm256_blend_epi32(_mm256_min_epi32(p, old), _mm256_max_epi32(p, old), 0xAA);
        _mm256_maskstore_epi32(words, mask, wide);
        centre = _mm256_add_pd(centre, _mm256_set1_pd(4.0));
    }
}

/* Sixteen channels: round(x / 255), 128 added already. */
static inline __m256i divided(__m256i x)
{
    return _mm256_srli_epi16(_mm256_add_epi16(x, _mm256_srli_epi16(x, 8)), 8);
}

struct mixer {
    __m256i source; /* by channel: src * a + 128 */
    __m256i rest;
};

static inline __m256i mixed(const struct mixer *mixer, __m256i dst)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i low = _mm256_mullo_epi16(_mm256_unpacklo_epi8(dst, zero), mixer->rest);
    const __m256i high = _mm256_mullo_epi16(_mm256_unpackhi_epi8(dst, zero), mixer->rest);
    return _mm256_packus_epi16(divided(_mm256_add_epi16(low, mixer->source)),
                               divided(_mm256_add_epi16(high, mixer->source)));
}

static void mix_pixels(const struct rend_tint *tint, uint32_t *pixels, size_t count)
{
    const uint64_t s = tint->source;
    const uint64_t ordered = (s & 0xFFFF) | (s >> 32 & 0xFFFF) << 16 | (s >> 16 & 0xFFFF) << 32;
    const struct mixer mixer = {_mm256_set1_epi64x((long long)ordered),
                                _mm256_set1_epi16((short)tint->rest)};
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        store(pixels + i, mixed(&mixer, load(pixels + i)));
    }
    for (; i < count; i++) {
        pixels[i] = rend_tinted(pixels[i], tint);
    }
}

static void add_pixels(const struct rend_tint *tint, uint32_t *pixels, size_t count)
{
    const __m256i source = _mm256_set1_epi32((int)rend_gathered(tint->source));
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        store(pixels + i, _mm256_adds_epu8(load(pixels + i), source));
    }
    for (; i < count; i++) {
        pixels[i] = rend_tinted(pixels[i], tint);
    }
}

static void tint_avx2(uint32_t colour, unsigned alpha, enum rend_blend blend, uint32_t *pixels,
                      size_t count)
{
    const struct rend_tint tint = rend_tint_of(colour, alpha, blend);
    if (blend == REND_BLEND_ADDITIVE) {
        add_pixels(&tint, pixels, count);
    } else if (alpha == 255) {
        fill(pixels, colour, count);
    } else {
        mix_pixels(&tint, pixels, count);
    }
}

const struct rend_span_kernels rend_span_kernels_avx2 = {row_avx2, rows_avx2, widen_avx2,
                                                         tint_avx2};
#else
typedef int rend_span_avx2_not_for_this_machine;
#endif
