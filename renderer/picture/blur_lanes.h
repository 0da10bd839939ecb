/* The blur of a row over the vectors of base/simd.h; empty without them. */
#ifndef RENDERER_PICTURE_BLUR_LANES_H
#define RENDERER_PICTURE_BLUR_LANES_H

#include "base/simd.h"

#if defined(BASE_SIMD)
#include <stdalign.h>
#include <string.h>

#include "renderer/picture/blur.h"

static inline simd_words load(const void *at)
{
    return SIMD_BITS(loadu)(at);
}

/* Two weights, side by side, for every channel. */
static inline simd_words pair_of(const int16_t *weights)
{
    int32_t both;
    memcpy(&both, weights, sizeof both);
    return SIMD(set1_epi32)(both);
}

/* Sums of pixels: of four 0, 1, 2, 3, of eight 0 4, 1 5, 2 6, 3 7, as unpacking inside 128-bit
 * halves gives them. */
struct sums {
    simd_words pixels[4];
};

static inline simd_words added(simd_words sum, simd_words bytes, simd_words weights)
{
    return SIMD(add_epi32)(sum, SIMD(madd_epi16)(bytes, weights));
}

static inline void add_rows(struct sums *sums, simd_words a, simd_words b, simd_words weights)
{
    const simd_words zero = simd_all_words(0);
    const simd_words low = SIMD(unpacklo_epi8)(a, b);
    const simd_words high = SIMD(unpackhi_epi8)(a, b);
    sums->pixels[0] = added(sums->pixels[0], SIMD(unpacklo_epi8)(low, zero), weights);
    sums->pixels[1] = added(sums->pixels[1], SIMD(unpackhi_epi8)(low, zero), weights);
    sums->pixels[2] = added(sums->pixels[2], SIMD(unpacklo_epi8)(high, zero), weights);
    sums->pixels[3] = added(sums->pixels[3], SIMD(unpackhi_epi8)(high, zero), weights);
}

static inline void store_sums(const struct sums *sums, int16_t *out)
{
    simd_words s[4];
    for (int i = 0; i < 4; i++) {
        s[i] = SIMD(srai_epi32)(sums->pixels[i], 7);
    }
    const simd_words near = SIMD(packs_epi32)(s[0], s[1]); /* 0 1, 4 5 */
    const simd_words far = SIMD(packs_epi32)(s[2], s[3]);  /* 2 3, 6 7 */
    SIMD_BITS(store)((void *)out, simd_lower_halves(near, far));
    SIMD_BITS(store)((void *)(out + 2 * SIMD_LANES), simd_upper_halves(near, far));
}

BASE_INLINE void mix_rows(const struct rend_blur_row *row, int rows, int16_t *work)
{
    const simd_words half = SIMD(set1_epi32)(64);
    for (int x = 0; x < row->width; x += SIMD_LANES) {
        struct sums sums = {{half, half, half, half}};
        for (int i = 0; i < rows; i += 2) {
            add_rows(&sums, load(row->row[i] + x), load(row->row[i + 1] + x),
                     pair_of(row->row_weights + i));
        }
        store_sums(&sums, work + x * REND_BLUR_CHANNELS);
    }
}

/* The next taps' weights, for every channel, and the order of the channels of their pixels: a tap
 * and the next one side by side. */
BASE_INLINE simd_words tap_weights(const int16_t *weights)
{
#if defined(__AVX2__)
    const __m256i spread = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    const __m128i four = _mm_loadl_epi64((const void *)weights);
    return _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(four), spread);
#else
    return pair_of(weights);
#endif
}

/* Sums of one pixel in every four words, to be added up: blue green red alpha. `at` is its first
 * source column. */
BASE_INLINE simd_words column(const int16_t *at, const int16_t *weights, int taps)
{
    const simd_words neighbours = SIMD_BYTES(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    simd_words sum = simd_all_words(0);
    for (int i = 0; i < taps; i += SIMD_HALF_LANES) {
        const simd_words pixels = SIMD(shuffle_epi8)(load(at + i * REND_BLUR_CHANNELS), neighbours);
        sum = added(sum, pixels, tap_weights(weights + i));
    }
    return sum;
}

struct finish {
    simd_floats scale;
    simd_floats bias;
};

/* Levels of channels, each in 32 bits, which count `factor` times. */
BASE_INLINE simd_words levels_of(const struct finish *finish, simd_words sum, simd_floats factor,
                                 bool factored)
{
    simd_floats level = simd_mul(simd_signed_whole(sum), finish->scale);
    if (factored) {
        level = simd_mul(level, factor);
    }
    level = simd_add(level, finish->bias);
    level = SIMD(min_ps)(SIMD(max_ps)(level, simd_all(0.0f)), simd_all(255.0f));
    return SIMD(cvttps_epi32)(simd_add(level, simd_all(0.5f)));
}

/* Four pixels, of which these are the sums. */
#if defined(__AVX2__)
BASE_INLINE simd_words finished(const struct finish *finish, simd_words a, simd_words b,
                                const float *factor)
{
    const simd_words sum = simd_plus(simd_lower_halves(a, b), simd_upper_halves(a, b));
    const bool factored = factor != NULL;
    const simd_floats both =
        factored ? _mm256_setr_m128(_mm_set1_ps(factor[0]), _mm_set1_ps(factor[1])) : simd_all(0);
    return levels_of(finish, sum, both, factored);
}

BASE_INLINE __m128i four_pixels(const struct finish *finish, const simd_words sum[4],
                                const float *factor)
{
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 0, 4, 1, 5);
    const __m256i low = finished(finish, sum[0], sum[1], factor);
    const __m256i high = finished(finish, sum[2], sum[3], factor == NULL ? NULL : factor + 2);
    const __m256i words = _mm256_packus_epi32(low, high); /* pixels 0 2, 1 3 */
    return _mm256_castsi256_si128(
        _mm256_permutevar8x32_epi32(_mm256_packus_epi16(words, words), order));
}
#else
BASE_INLINE simd_words finished(const struct finish *finish, simd_words sum, const float *factor)
{
    const bool factored = factor != NULL;
    return levels_of(finish, sum, simd_all(factored ? *factor : 0), factored);
}

BASE_INLINE simd_words four_pixels(const struct finish *finish, const simd_words sum[4],
                                   const float *factor)
{
    simd_words level[4];
    for (int i = 0; i < 4; i++) {
        level[i] = finished(finish, sum[i], factor == NULL ? NULL : factor + i);
    }
    return SIMD(packus_epi16)(SIMD(packus_epi32)(level[0], level[1]),
                              SIMD(packus_epi32)(level[2], level[3]));
}
#endif

BASE_INLINE void mix_columns(const struct rend_blur_row *row, const int16_t *work, int taps,
                             const float *factor)
{
    const struct finish finish = {simd_all(row->scale), simd_all(row->bias)};
    const simd_quarter colours = (simd_quarter)(simd_quarter_bytes){-1, -1, -1, 0, -1, -1, -1, 0,
                                                                    -1, -1, -1, 0, -1, -1, -1, 0};
    const int16_t *weights = row->columns->weights;
    const int32_t *first = row->columns->first;
    for (int x = 0; x < row->count; x += 4) {
        simd_words sum[4];
        for (int i = 0; i < 4; i++) {
            sum[i] =
                column(work + first[x + i] * REND_BLUR_CHANNELS, weights + (x + i) * taps, taps);
        }
        const simd_quarter pixels =
            four_pixels(&finish, sum, factor == NULL ? NULL : factor + x) & colours;
        memcpy(row->out + x, &pixels, sizeof pixels);
    }
}

/* Rows and taps are constants where the loops are. */
static void blur_row(const struct rend_blur_row *row)
{
    alignas(32) int16_t work[REND_BLUR_WORK];
    int16_t *origin = work + REND_BLUR_ORIGIN;
    if (row->rows == 2) {
        mix_rows(row, 2, origin);
    } else {
        mix_rows(row, row->rows, origin);
    }
    rend_blur_extend(work, row->width);
    if (row->columns->taps == 16) {
        mix_columns(row, origin, 16, NULL);
    } else if (row->factor == NULL) {
        mix_columns(row, origin, 4, NULL);
    } else {
        mix_columns(row, origin, 4, row->factor);
    }
}
#endif

#endif
