/* Texture reads of sixteen lanes. */
#include "base/simd.h"

#if defined(__AVX512BW__)
#include "renderer/shader/run/kernels.h"
#include "renderer/shader/run/read_texels.h"

/* ---- windows ---- */

/* Where coordinates change steadily, what sixteen pixels need lies in a few texels of two or three
 * rows: these are loaded as they lie and picked from registers, which is faster than a gather. */
enum { WINDOW = 2 * SIMD_LANES };

struct window {
    __m512i half[2];
};

BASE_INLINE struct window window_at(const uint32_t *texels)
{
    return (struct window){{simd_load_words(texels), simd_load_words(texels + SIMD_LANES)}};
}

BASE_INLINE __m512i picked(const struct window *window, __m512i at)
{
    return _mm512_permutex2var_epi32(window->half[0], at, window->half[1]);
}

BASE_INLINE struct pairs picked_pairs(const struct window *window, __m512i left, __m512i right,
                                      const struct fixed *fixed)
{
    return pairs_of(picked(window, left), picked(window, right), fixed);
}

/* The same, of the second window where the mask says so. */
BASE_INLINE struct pairs picked_either(const struct window *first, const struct window *second,
                                       __m512i left, __m512i right, __mmask16 next,
                                       const struct fixed *fixed)
{
    return pairs_of(_mm512_mask_blend_epi32(next, picked(first, left), picked(second, left)),
                    _mm512_mask_blend_epi32(next, picked(first, right), picked(second, right)),
                    fixed);
}

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* In the upper one of the rows of the outer lanes, with their columns in the middle. */
BASE_INLINE uint32_t window_start(__m512i at, __m512i column)
{
    const uint32_t first = simd_first_word(column);
    const uint32_t last = simd_last_word(column);
    const uint32_t row = smaller(simd_first_word(at) - first, simd_last_word(at) - last);
    const uint32_t middle = (first + last) / 2;
    return row + middle - smaller(middle, SIMD_LANES - 1);
}

BASE_INLINE struct quads quads_at(const struct grid *grid, __m512i at, __m512i column,
                                  const uint32_t places[SIMD_LANES], const struct fixed *fixed)
{
    const uint32_t start = window_start(at, column);
    const __m512i pitch = grid->row;
    const __m512i away = _mm512_sub_epi32(at, _mm512_set1_epi32((int)start));
    const __mmask16 next = _mm512_cmpge_epu32_mask(away, pitch);
    const __m512i left = _mm512_mask_sub_epi32(away, next, away, pitch);
    const size_t rows = next == 0 ? 1 : 2;
    if (start + rows * grid->pitch + WINDOW > grid->count ||
        _mm512_cmpge_epu32_mask(left, _mm512_set1_epi32(WINDOW - 1)) != 0) {
        return gathered_quads(grid, places, fixed);
    }
    const __m512i right = _mm512_add_epi32(left, _mm512_set1_epi32(1));
    const uint32_t *texels = grid->texels + start;
    const struct window upper = window_at(texels);
    const struct window middle = window_at(texels + grid->pitch);
    if (next == 0) {
        return quads_of(picked_pairs(&upper, left, right, fixed),
                        picked_pairs(&middle, left, right, fixed));
    }
    const struct window lower = window_at(texels + 2 * grid->pitch);
    return quads_of(picked_either(&upper, &middle, left, right, next, fixed),
                    picked_either(&middle, &lower, left, right, next, fixed));
}

BASE_INLINE bool details_of(const struct shader_read *read, float *details)
{
    return shader_read_details_avx2(read, details);
}

#include "renderer/shader/run/read_lanes.h"

/* Few lanes are those of a frame's own code, which runs once. */
static void read_avx512(const struct shader_read *read)
{
    if (read->count < SIMD_LANES) {
        shader_read_avx2.read(read);
    } else {
        read_lanes(read);
    }
}

const struct shader_read_kernels shader_read_avx512 = {.read = read_avx512};
#endif
