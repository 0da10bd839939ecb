#include "renderer/shade_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum { LANES = 8 };

/* A NaN gives the second operand of max and min. */
static inline __m256i levels_of(const float *values)
{
    const __m256 positive = _mm256_max_ps(_mm256_load_ps(values), _mm256_setzero_ps());
    const __m256 limited = _mm256_min_ps(positive, _mm256_set1_ps(1));
    return _mm256_cvttps_epi32(
        _mm256_add_ps(_mm256_mul_ps(limited, _mm256_set1_ps(255)), _mm256_set1_ps(0.5f)));
}

static void pack(uint32_t *pixels, const float *const ret[3], size_t count)
{
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        const __m256i red = _mm256_slli_epi32(levels_of(ret[0] + i), 16);
        const __m256i green = _mm256_slli_epi32(levels_of(ret[1] + i), 8);
        const __m256i blue = levels_of(ret[2] + i);
        _mm256_storeu_si256((__m256i *)(void *)(pixels + i),
                            _mm256_or_si256(_mm256_or_si256(red, green), blue));
    }
    const float *const rest[3] = {ret[0] + i, ret[1] + i, ret[2] + i};
    rend_shade_kernels_plain.pack(pixels + i, rest, count - i);
}

/* The edges on both sides of eight cells. */
struct edges {
    __m256 left;
    __m256 right;
};

static inline struct edges edges_anywhere(const float *edge, __m256i at)
{
    return (struct edges){_mm256_i32gather_ps(edge, at, 4), _mm256_i32gather_ps(edge + 1, at, 4)};
}

/* Neighbours are mostly in few cells, whose edges are loaded as they lie: faster than gathers. No
 * edge behind the last cell's is touched. */
static inline struct edges edges_of(const float *edge, __m256i at)
{
    const int first = _mm256_extract_epi32(at, 0);
    const int last = _mm256_extract_epi32(at, LANES - 1);
    const __m256i places = _mm256_sub_epi32(at, _mm256_set1_epi32(first));
    const __m256i beyond = _mm256_cmpgt_epi32(places, _mm256_set1_epi32(last - first));
    const __m256i before = _mm256_cmpgt_epi32(_mm256_setzero_si256(), places);
    if (last - first > LANES - 2 ||
        !_mm256_testz_si256(_mm256_or_si256(beyond, before), _mm256_set1_epi32(-1))) {
        return edges_anywhere(edge, at);
    }
    const __m256i order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32(last - first + 2), order);
    const __m256 edges = _mm256_maskload_ps(edge + first, there);
    return (struct edges){
        _mm256_permutevar8x32_ps(edges, places),
        _mm256_permutevar8x32_ps(edges, _mm256_add_epi32(places, _mm256_set1_epi32(1)))};
}

static void between(float *out, const float *edge, const int32_t *cell, const float *within,
                    size_t count)
{
    for (size_t i = 0; i < count; i += LANES) {
        const __m256i at = _mm256_loadu_si256((const __m256i *)(const void *)(cell + i));
        const struct edges edges = edges_of(edge, at);
        const __m256 step = _mm256_sub_ps(edges.right, edges.left);
        const __m256 way = _mm256_mul_ps(step, _mm256_loadu_ps(within + i));
        _mm256_storeu_ps(out + i, _mm256_add_ps(edges.left, way));
    }
}

const struct rend_shade_kernels rend_shade_kernels_avx2 = {pack, between};
#else
typedef int rend_shade_kernels_avx2_not_for_this_machine;
#endif
