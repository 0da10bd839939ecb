/* Where texels lie in a texture's memory and how they are read. */
#ifndef TMU_TEXTURE_TEXEL_H
#define TMU_TEXTURE_TEXEL_H

#include <string.h>

#include "tmu/texture.h"

/* The number of a texel in the texture's memory is a part for its row and a part for its column. */
static inline size_t tmu_texture_line(const struct tmu_texture *texture,
                                      const struct tmu_texture_level *level, uint32_t y)
{
    const uint32_t side = TMU_TEXTURE_TILE;
    if (texture->form.layout == TMU_TEXTURE_ROWS) {
        return level->first + level->pitch * y;
    }
    return level->first + level->pitch * (y / side) + y % side * side;
}

static inline size_t tmu_texture_column(const struct tmu_texture *texture, uint32_t x)
{
    const uint32_t side = TMU_TEXTURE_TILE;
    return texture->form.layout == TMU_TEXTURE_ROWS ? x : x / side * (side * side) + x % side;
}

static inline size_t tmu_texture_texel(const struct tmu_texture *texture,
                                       const struct tmu_texture_level *level, uint32_t x,
                                       uint32_t y)
{
    return tmu_texture_line(texture, level, y) + tmu_texture_column(texture, x);
}

/* A colour, or an index. */
static inline uint32_t tmu_texture_read(const struct tmu_texture *texture, size_t texel)
{
    uint32_t color;
    switch (texture->form.format) {
    case TMU_TEXTURE_INDEX8:
        return texture->texels[texel];
    case TMU_TEXTURE_INDEX4:
        return texture->texels[texel / 2] >> 4 * (texel % 2) & 15;
    case TMU_TEXTURE_COLOR:
        break;
    }
    memcpy(&color, texture->texels + texel * sizeof color, sizeof color);
    return color;
}

#endif
