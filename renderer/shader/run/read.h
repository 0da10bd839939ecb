/* What the levels of texture reads share. */
#ifndef RENDERER_SHADER_RUN_READ_H
#define RENDERER_SHADER_RUN_READ_H

#include "renderer/shader/ir/ir.h"

/* By what the largest sum of texels times weights becomes 1. */
#define SHADER_READ_FACTOR (1.0f / (255.0f * 65536.0f))

/* Squares of steps that count as steps of one texel: rounding makes some of those a little longer.
 */
#define SHADER_READ_ENLARGED 1.002f

/* Where the lanes to the right and below of a quad's upper left lane are. */
enum { SHADER_QUAD_RIGHT = 1, SHADER_QUAD_DOWN = SHADER_TILE_COLUMNS };

/* Those of lanes i..i + SHADER_LANES - 1, with i a multiple of that. */
static inline const float *shader_read_lanes(const struct shader_lanes *lanes, size_t i)
{
    return lanes->at + i / SHADER_LANES * lanes->step;
}

/* A texture's smallest level, as a detail. */
static inline float shader_read_top(const struct shader_texture *texture)
{
    return (float)(texture->levels - 1);
}

/* Limited details of all lanes (SHADER_TILE of them at most) of a texture with several levels.
 * Returns whether some lane is not on the largest level alone. */
bool shader_read_details_avx2(const struct shader_read *read, float *details);

#endif
