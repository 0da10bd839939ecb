

#if defined(__x86_64__)
#include "renderer/picture/blur.h"

#include <immintrin.h>
#include <stdalign.h>
#include <string.h>

#include "base/cpu.h"

static inline __m256i load(const void *at)
{
    return _mm256_loadu_si256(at);
}

/* Two weights, side by side, for every channel. */
static inline __m256i pair_of(const int16_t *weights)
{
    int32_t both;
    memcpy(&both, weights, sizeof both);
    return _mm256_set1_epi32(both);
}

/* Sums of eight pixels: 0 4, 1 5, 2 6, 3 7, as unpacking inside 128-bit halves gives them. */
struct sums {
    __m256i pixels[4];
};

static inline __m256i added(__m256i sum, __m256i bytes, __m256i weights)
{
    return _mm256_add_epi32(sum, _mm256_madd_epi16(bytes, weights));
}

static inline void add_rows(struct sums *sums, __m256i a, __m256i b, __m256i weights)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i low = _mm256_unpacklo_epi8(a, b);
    const __m256i high = _mm256_unpackhi_epi8(a, b);
    sums->pixels[0] = added(sums->pixels[0], _mm256_unpacklo_epi8(low, zero), weights);
    sums->pixels[1] = added(sums->pixels[1], _mm256_unpackhi_epi8(low, zero), weights);
    sums->pixels[2] = added(sums->pixels[2], _mm256_unpacklo_epi8(high, zero), weights);
    sums->pixels[3] = added(sums->pixels[3], _mm256_unpackhi_epi8(high, zero), weights);
}

static inline void store_sums(const struct sums *sums, int16_t *out)
{
    __m256i s[4];
    for (int i = 0; i < 4; i++) {
        s[i] = _mm256_srai_epi32(sums->pixels[i], 7);
    }
    const __m256i near = _mm256_packs_epi32(s[0], s[1]); /* 0 1 4 5 */
    const __m256i far = _mm256_packs_epi32(s[2], s[3]);  /* 2 3 6 7 */
    _mm256_store_si256((void *)out, _mm256_permute2x128_si256(near, far, 0x20));
    _mm256_store_si256((void *)(out + 16), _mm256_permute2x128_si256(near, far, 0x31));
}

BASE_INLINE void mix_rows(const struct rend_blur_row *row, int rows, int16_t *work)
{
    const __m256i half = _mm256_set1_epi32(64);
    for (int x = 0; x < row->width; x += 8) {
        struct sums sums = {{half, half, half, half}};
        for (int i = 0; i < rows; i += 2) {
            add_rows(&sums, load(row->row[i] + x), load(row->row[i + 1] + x),
                     pair_of(row->row_weights + i));
        }
        store_sums(&sums, work + x * REND_BLUR_CHANNELS);
    }
}

/* Sums of one pixel in both halves, to be added up: blue green red alpha. `at` is its first source
 * column. */
BASE_INLINE __m256i column(const int16_t *at, const int16_t *weights, int taps)
{
    const __m256i neighbours = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    const __m256i spread = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    __m256i sum = _mm256_setzero_si256();
    for (int i = 0; i < taps; i += 4) {
        const __m256i four = _mm256_castsi128_si256(_mm_loadl_epi64((const void *)(weights + i)));
        const __m256i pixels = _mm256_shuffle_epi8(load(at + i * REND_BLUR_CHANNELS), neighbours);
        sum = added(sum, pixels, _mm256_permutevar8x32_epi32(four, spread));
    }
    return sum;
}

struct finish {
    __m256 scale;
    __m256 bias;
};

static inline __m256 factors(const float *factor)
{
    return _mm256_setr_m128(_mm_set1_ps(factor[0]), _mm_set1_ps(factor[1]));
}

/* Two pixels, a channel in each 32 bits. */
BASE_INLINE __m256i finished(const struct finish *finish, __m256i a, __m256i b, const float *factor)
{
    const __m256i sum = _mm256_add_epi32(_mm256_permute2x128_si256(a, b, 0x20),
                                         _mm256_permute2x128_si256(a, b, 0x31));
    __m256 level = _mm256_mul_ps(_mm256_cvtepi32_ps(sum), finish->scale);
    if (factor != NULL) {
        level = _mm256_mul_ps(level, factors(factor));
    }
    level = _mm256_add_ps(level, finish->bias);
    level = _mm256_min_ps(_mm256_max_ps(level, _mm256_setzero_ps()), _mm256_set1_ps(255.0f));
    return _mm256_cvttps_epi32(_mm256_add_ps(level, _mm256_set1_ps(0.5f)));
}

BASE_INLINE void mix_columns(const struct rend_blur_row *row, const int16_t *work, int taps,
                             const float *factor)
{
    const struct finish finish = {_mm256_set1_ps(row->scale), _mm256_set1_ps(row->bias)};
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 0, 4, 1, 5);
    const int16_t *weights = row->columns->weights;
    const int32_t *first = row->columns->first;
    for (int x = 0; x < row->count; x += 4) {
        __m256i sum[4];
        for (int i = 0; i < 4; i++) {
            sum[i] =
                column(work + first[x + i] * REND_BLUR_CHANNELS, weights + (x + i) * taps, taps);
        }
        const __m256i low = finished(&finish, sum[0], sum[1], factor == NULL ? NULL : factor + x);
        const __m256i high =
            finished(&finish, sum[2], sum[3], factor == NULL ? NULL : factor + x + 2);
        const __m256i words = _mm256_packus_epi32(low, high); /* pixels 0 2, 1 3 */
        const __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(words, words), order);
        _mm_storeu_si128((void *)(row->out + x),
                         _mm_and_si128(_mm256_castsi256_si128(bytes), _mm_set1_epi32(0x00FFFFFF)));
    }
}

/* Rows and taps are constants where the loops are. */
void rend_blur_avx2(const struct rend_blur_row *row)
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
#else
typedef int rend_blur_avx2_not_for_this_machine;
#endif
