/* Texture reads of eight lanes, and details of quads, for AVX-512 too. */
#if defined(__x86_64__)
#include "base/simd.h"

#include "renderer/shader/math/terms.h"
#include "renderer/shader/run/read_texels.h"

BASE_INLINE struct rows rows_at(const struct grid *grid, __m256i at, __m256i column)
{
    (void)column;
    return gathered_rows(grid, at);
}

#include "renderer/shader/run/read_lanes.h"

const struct shader_read_kernels shader_read_avx2 = {.read = read_lanes};

BASE_INLINE __m256 lanes_from(const struct shader_lanes *lanes, size_t i)
{
    return _mm256_loadu_ps(shader_read_lanes(lanes, i));
}

/* Steps of eight quads, in texels: squares so far. */
struct squares {
    __m256 right;
    __m256 down;
};

/* Sixteen columns have their quads in the order 0 1 4 5 2 3 6 7, which spreading them again undoes.
 */
BASE_INLINE struct squares squares_of(const struct shader_lanes *lanes, size_t column, int size)
{
    const __m256 scale = _mm256_set1_ps((float)size);
    const __m256 a = lanes_from(lanes, column);
    const __m256 b = lanes_from(lanes, column + SHADER_LANES);
    const __m256 first = _mm256_shuffle_ps(a, b, 0x88);
    const __m256 below =
        _mm256_shuffle_ps(lanes_from(lanes, column + SHADER_QUAD_DOWN),
                          lanes_from(lanes, column + SHADER_QUAD_DOWN + SHADER_LANES), 0x88);
    const __m256 right = _mm256_mul_ps(_mm256_sub_ps(_mm256_shuffle_ps(a, b, 0xDD), first), scale);
    const __m256 down = _mm256_mul_ps(_mm256_sub_ps(below, first), scale);
    return (struct squares){_mm256_mul_ps(right, right), _mm256_mul_ps(down, down)};
}

BASE_INLINE struct squares both(struct squares a, struct squares b)
{
    return (struct squares){_mm256_add_ps(a.right, b.right), _mm256_add_ps(a.down, b.down)};
}

BASE_INLINE __m256 if_finite(__m256 square)
{
    const __m256 infinity = simd_as_number(simd_all_words(LANE_INFINITY));
    return _mm256_and_ps(square, _mm256_cmp_ps(square, infinity, _CMP_LT_OQ));
}

/* Of the quads from a column on; 0 where texels are enlarged. */
BASE_INLINE __m256 quad_details(const struct shader_read *read, size_t column)
{
    const struct shader_level *level = &read->texture->level[0];
    struct squares squares = both(squares_of(&read->u, column, level->width),
                                  squares_of(&read->v, column, level->height));
    if (read->volume) {
        squares = both(squares, squares_of(&read->w, column, level->depth));
    }
    const __m256 longest = _mm256_max_ps(if_finite(squares.right), if_finite(squares.down));
    const __m256 reduced = _mm256_cmp_ps(longest, _mm256_set1_ps(SHADER_READ_ENLARGED), _CMP_GT_OQ);
    if (_mm256_movemask_ps(reduced) == 0) {
        return _mm256_setzero_ps();
    }
    return _mm256_and_ps(reduced, _mm256_mul_ps(_mm256_set1_ps(0.5f), lane_log2(longest)));
}

static void fill_quad_details(const struct shader_read *read, float *details)
{
    for (size_t column = 0; column < SHADER_TILE_COLUMNS; column += 2 * SHADER_LANES) {
        const __m256 quads = quad_details(read, column);
        const __m256 a = _mm256_unpacklo_ps(quads, quads);
        const __m256 b = _mm256_unpackhi_ps(quads, quads);
        float *upper = details + column;
        _mm256_storeu_ps(upper, a);
        _mm256_storeu_ps(upper + SHADER_LANES, b);
        _mm256_storeu_ps(upper + SHADER_QUAD_DOWN, a);
        _mm256_storeu_ps(upper + SHADER_QUAD_DOWN + SHADER_LANES, b);
    }
}

BASE_INLINE __m256 in_256ths(__m256 detail)
{
    const __m256 scaled = _mm256_mul_ps(detail, _mm256_set1_ps(256.0f));
    const __m256i whole = _mm256_cvttps_epi32(_mm256_add_ps(scaled, _mm256_set1_ps(0.5f)));
    return _mm256_mul_ps(_mm256_cvtepi32_ps(whole), _mm256_set1_ps(1.0f / 256.0f));
}

bool shader_read_details_avx2(const struct shader_read *read, float *details)
{
    const struct shader_lanes quads = {details, SHADER_LANES};
    const bool asked = read->detail.at != NULL;
    const bool known = asked || read->count == SHADER_TILE;
    if (!asked && known) {
        fill_quad_details(read, details);
    }
    const __m256 top = _mm256_set1_ps(shader_read_top(read->texture));
    __m256 any = _mm256_setzero_ps();
    for (size_t i = 0; i < read->count; i += SHADER_LANES) {
        __m256 detail = known ? lanes_from(asked ? &read->detail : &quads, i) : _mm256_setzero_ps();
        if (read->bias.at != NULL) {
            detail = _mm256_add_ps(detail, lanes_from(&read->bias, i));
        }
        /* NaN becomes the second operand. */
        detail = _mm256_min_ps(_mm256_max_ps(detail, _mm256_setzero_ps()), top);
        detail = in_256ths(detail);
        any = _mm256_or_ps(any, detail);
        _mm256_storeu_ps(details + i, detail);
    }
    return _mm256_movemask_ps(_mm256_cmp_ps(any, _mm256_setzero_ps(), _CMP_NEQ_UQ)) != 0;
}
#endif
