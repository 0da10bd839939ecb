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

/* Pixels 0 1, of eight 4 5 too, and the others. */
static inline void store_mixed(simd_words near, simd_words far, int16_t *out)
{
    SIMD_BITS(storeu)((void *)out, simd_lower_halves(near, far));
    SIMD_BITS(storeu)((void *)(out + 2 * SIMD_LANES), simd_upper_halves(near, far));
}

static inline void store_sums(const struct sums *sums, int16_t *out)
{
    simd_words s[4];
    for (int i = 0; i < 4; i++) {
        s[i] = SIMD(srai_epi32)(sums->pixels[i], 7);
    }
    store_mixed(SIMD(packs_epi32)(s[0], s[1]), SIMD(packs_epi32)(s[2], s[3]), out);
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

/* Both rows weigh the same: their mean in 128ths is a whole number. */
BASE_INLINE void mix_two(const struct rend_blur_row *row, int16_t *work)
{
    const simd_words zero = simd_all_words(0);
    for (int x = 0; x < row->width; x += SIMD_LANES) {
        const simd_words a = load(row->row[0] + x);
        const simd_words b = load(row->row[1] + x);
        const simd_words near =
            SIMD(add_epi16)(SIMD(unpacklo_epi8)(a, zero), SIMD(unpacklo_epi8)(b, zero));
        const simd_words far =
            SIMD(add_epi16)(SIMD(unpackhi_epi8)(a, zero), SIMD(unpackhi_epi8)(b, zero));
        store_mixed(SIMD(slli_epi16)(near, 6), SIMD(slli_epi16)(far, 6),
                    work + x * REND_BLUR_CHANNELS);
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

/* Sums of four pixels, blue green red alpha each; as many of them in a vector as go into it. */
enum { SUMS = 16 / SIMD_LANES };

/* Of a vector's pixels. */
BASE_INLINE simd_floats factors_of(const float *factor)
{
#if defined(__AVX2__)
    return _mm256_setr_m128(_mm_set1_ps(factor[0]), _mm_set1_ps(factor[1]));
#else
    return simd_all(*factor);
#endif
}

/* Four pixels, of which these are the sums. */
BASE_INLINE simd_quarter four_pixels(const struct finish *finish, const simd_words sum[SUMS],
                                     const float *factor)
{
    const bool factored = factor != NULL;
    simd_words level[SUMS];
    for (int i = 0; i < SUMS; i++) {
        const simd_floats factors =
            factored ? factors_of(factor + i * SIMD_LANES / 4) : simd_all(0);
        level[i] = levels_of(finish, sum[i], factors, factored);
    }
#if defined(__AVX2__)
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 0, 4, 1, 5);
    const __m256i words = _mm256_packus_epi32(level[0], level[1]); /* pixels 0 2, 1 3 */
    const __m128i pixels = _mm256_castsi256_si128(
        _mm256_permutevar8x32_epi32(_mm256_packus_epi16(words, words), order));
#else
    const simd_words pixels = SIMD(packus_epi16)(SIMD(packus_epi32)(level[0], level[1]),
                                                 SIMD(packus_epi32)(level[2], level[3]));
#endif
    return pixels & (simd_quarter)(simd_quarter_bytes){-1, -1, -1, 0, -1, -1, -1, 0,
                                                       -1, -1, -1, 0, -1, -1, -1, 0};
}

BASE_INLINE struct finish finish_of(const struct rend_blur_row *row)
{
    return (struct finish){simd_all(row->scale), simd_all(row->bias)};
}

BASE_INLINE void mix_columns(const struct rend_blur_row *row, const int16_t *work, int taps,
                             const float *factor)
{
    const struct finish finish = finish_of(row);
    const int16_t *weights = row->columns->weights;
    const int32_t *first = row->columns->first;
    for (int x = 0; x < row->count; x += 4) {
        simd_words sum[4];
        for (int i = 0; i < 4; i++) {
            sum[i] =
                column(work + first[x + i] * REND_BLUR_CHANNELS, weights + (x + i) * taps, taps);
        }
#if defined(__AVX2__)
        sum[0] = simd_plus(simd_lower_halves(sum[0], sum[1]), simd_upper_halves(sum[0], sum[1]));
        sum[1] = simd_plus(simd_lower_halves(sum[2], sum[3]), simd_upper_halves(sum[2], sum[3]));
#endif
        const simd_quarter pixels = four_pixels(&finish, sum, factor == NULL ? NULL : factor + x);
        memcpy(row->out + x, &pixels, sizeof pixels);
    }
}

/* The channels of pixels 0 1, 2 3 and so on side by side, from the first column's first pixel on,
 * which lets neighbouring columns of half as many be summed up side by side. */
BASE_INLINE void pair_pixels(int16_t *pairs, int count)
{
    const simd_words neighbours = SIMD_BYTES(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    for (int i = 0; i < count; i += SIMD_LANES / 2) {
        int16_t *at = pairs + i * REND_BLUR_CHANNELS;
        SIMD_BITS(storeu)((void *)at, SIMD(shuffle_epi8)(load(at), neighbours));
    }
}

BASE_INLINE simd_words two_pairs(const int16_t *at, const simd_words *weights, int pair)
{
    const int16_t *first = at + 2 * pair * REND_BLUR_CHANNELS;
    const simd_words sum = SIMD(madd_epi16)(load(first), weights[pair]);
    return added(sum, load(first + 2 * REND_BLUR_CHANNELS), weights[pair + 1]);
}

/* Columns of half as many as the source has: pairs of pixels begin where each column does. */
BASE_INLINE void mix_halved(const struct rend_blur_row *row, int16_t *pairs, int taps,
                            const float *factor)
{
    const struct finish finish = finish_of(row);
    simd_words weights[REND_BLUR_TAPS / 2];
    for (int i = 0; i < taps / 2; i++) {
        weights[i] = pair_of(row->columns->weights + 2 * i);
    }
    pair_pixels(pairs, 2 * row->count + taps - 2);
    for (int x = 0; x < row->count; x += 4) {
        simd_words sum[SUMS];
        for (int i = 0; i < SUMS; i++) {
            const int16_t *at = pairs + 2 * (x + i * SIMD_LANES / 4) * REND_BLUR_CHANNELS;
            sum[i] = two_pairs(at, weights, 0);
            if (taps == REND_BLUR_TAPS) {
                sum[i] = simd_plus(simd_plus(sum[i], two_pairs(at, weights, 2)),
                                   simd_plus(two_pairs(at, weights, 4), two_pairs(at, weights, 6)));
            }
        }
        const simd_quarter pixels = four_pixels(&finish, sum, factor == NULL ? NULL : factor + x);
        memcpy(row->out + x, &pixels, sizeof pixels);
    }
}

/* Rows and taps are constants where the loops are. */
static void blur_row(const struct rend_blur_row *row)
{
    const struct rend_blur_axis *columns = row->columns;
    alignas(32) int16_t work[REND_BLUR_WORK];
    int16_t *origin = work + REND_BLUR_ORIGIN;
    if (row->rows == 2 && row->row_weights[0] == row->row_weights[1]) {
        mix_two(row, origin);
    } else if (row->rows == 2) {
        mix_rows(row, 2, origin);
    } else {
        mix_rows(row, row->rows, origin);
    }
    rend_blur_extend(work, row->width);
    int16_t *first = origin + columns->first[0] * REND_BLUR_CHANNELS;
    if (columns->halved && columns->taps == REND_BLUR_TAPS) {
        mix_halved(row, first, REND_BLUR_TAPS, NULL);
    } else if (columns->halved && row->factor == NULL) {
        mix_halved(row, first, 4, NULL);
    } else if (columns->halved) {
        mix_halved(row, first, 4, row->factor);
    } else if (columns->taps == REND_BLUR_TAPS) {
        mix_columns(row, origin, REND_BLUR_TAPS, NULL);
    } else if (row->factor == NULL) {
        mix_columns(row, origin, 4, NULL);
    } else {
        mix_columns(row, origin, 4, row->factor);
    }
}
#endif

#endif
