/* Details of texture reads, over vectors of eight lanes or four; read_texels.h is included before.
 * Empty without base/simd.h. */
#ifndef RENDERER_SHADER_RUN_READ_DETAILS_H
#define RENDERER_SHADER_RUN_READ_DETAILS_H

#if defined(BASE_SIMD)
#include "renderer/shader/math/terms.h"
#include "renderer/shader/run/kernels.h"

BASE_INLINE simd_floats lanes_from(const struct shader_lanes *lanes, size_t i)
{
    return simd_load(shader_read_lanes(lanes, i) + i % SHADER_LANES);
}

/* Steps of quads, one in each lane, in texels: squares so far. */
struct squares {
    simd_floats right;
    simd_floats down;
};

/* Of two vectors of columns. Quads stand in an order (for eight lanes 0 1 4 5 2 3 6 7) that
 * spreading them again undoes. */
BASE_INLINE struct squares squares_of(const struct shader_lanes *lanes, size_t column, int size)
{
    const simd_floats scale = simd_all((float)size);
    const simd_floats a = lanes_from(lanes, column);
    const simd_floats b = lanes_from(lanes, column + SIMD_LANES);
    const simd_floats first = SIMD(shuffle_ps)(a, b, 0x88);
    const simd_floats below =
        SIMD(shuffle_ps)(lanes_from(lanes, column + SHADER_QUAD_DOWN),
                         lanes_from(lanes, column + SHADER_QUAD_DOWN + SIMD_LANES), 0x88);
    const simd_floats right = simd_mul(simd_sub(SIMD(shuffle_ps)(a, b, 0xDD), first), scale);
    const simd_floats down = simd_mul(simd_sub(below, first), scale);
    return (struct squares){simd_mul(right, right), simd_mul(down, down)};
}

BASE_INLINE struct squares both(struct squares a, struct squares b)
{
    return (struct squares){simd_add(a.right, b.right), simd_add(a.down, b.down)};
}

BASE_INLINE simd_floats if_finite(simd_floats square)
{
    const simd_floats infinity = simd_as_number(simd_all_words(LANE_INFINITY));
    return simd_as_number(simd_and(simd_as_word(square), simd_lt(square, infinity)));
}

/* Of the quads from a column on; 0 where texels are enlarged. */
BASE_INLINE simd_floats quad_details(const struct shader_read *read, size_t column)
{
    const struct shader_level *level = &read->texture->level[0];
    struct squares squares = both(squares_of(&read->u, column, level->width),
                                  squares_of(&read->v, column, level->height));
    if (read->volume) {
        squares = both(squares, squares_of(&read->w, column, level->depth));
    }
    const simd_floats longest = SIMD(max_ps)(if_finite(squares.right), if_finite(squares.down));
    const simd_words reduced = simd_lt(simd_all(SHADER_READ_ENLARGED), longest);
    if (simd_all_zero(reduced)) {
        return simd_all(0.0f);
    }
    const simd_floats detail = simd_mul(simd_all(0.5f), lane_log2(longest));
    return simd_as_number(simd_and(reduced, simd_as_word(detail)));
}

/* Returns whether some texels are reduced. */
static bool fill_quad_details(const struct shader_read *read, float *details)
{
    simd_words any = simd_all_words(0);
    for (size_t column = 0; column < SHADER_TILE_COLUMNS; column += 2 * SIMD_LANES) {
        const simd_floats quads = quad_details(read, column);
        const simd_floats a = SIMD(unpacklo_ps)(quads, quads);
        const simd_floats b = SIMD(unpackhi_ps)(quads, quads);
        any = simd_or(any, simd_as_word(quads));
        float *upper = details + column;
        simd_store(upper, a);
        simd_store(upper + SIMD_LANES, b);
        simd_store(upper + SHADER_QUAD_DOWN, a);
        simd_store(upper + SHADER_QUAD_DOWN + SIMD_LANES, b);
    }
    return !simd_all_zero(any);
}

BASE_INLINE simd_floats in_256ths(simd_floats detail)
{
    const simd_floats scaled = simd_mul(detail, simd_all(256.0f));
    const simd_words whole = SIMD(cvttps_epi32)(simd_add(scaled, simd_all(0.5f)));
    return simd_mul(simd_signed_whole(whole), simd_all(1.0f / 256.0f));
}

static bool details_of(const struct shader_read *read, float *details)
{
    const struct shader_lanes quads = {details, SHADER_LANES};
    const bool asked = read->detail.at != NULL;
    const bool known = asked || read->count == SHADER_TILE;
    if (!asked && known && !fill_quad_details(read, details) && read->bias.at == NULL) {
        return false;
    }
    const simd_floats top = simd_all(shader_read_top(read->texture));
    simd_words any = simd_all_words(0);
    for (size_t i = 0; i < read->count; i += SIMD_LANES) {
        simd_floats detail = known ? lanes_from(asked ? &read->detail : &quads, i) : simd_all(0.0f);
        if (read->bias.at != NULL) {
            detail = simd_add(detail, lanes_from(&read->bias, i));
        }
        /* NaN becomes the second operand. */
        detail = SIMD(min_ps)(SIMD(max_ps)(detail, simd_all(0.0f)), top);
        detail = in_256ths(detail);
        any = simd_or(any, simd_as_word(detail));
        simd_store(details + i, detail);
    }
    return !simd_all_zero(any);
}
#endif

#endif
