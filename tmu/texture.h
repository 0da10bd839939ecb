/* Textures of colours or of indices into a colour table, in rows or in tiles of 4x4 texels, with
 * levels of detail. */
#ifndef TMU_TEXTURE_H
#define TMU_TEXTURE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "tmu/tmu.h"

enum {
    TMU_TEXTURE_LEVELS_MAX = 14, /* 8192 to 1 */
    TMU_TEXTURE_TILE = 4,        /* texels of a tile's side */
    TMU_TEXTURE_PALETTE = 256,
};

enum tmu_texture_format {
    TMU_TEXTURE_COLOR,  /* 32 bits, 0xAARRGGBB; 0x00RRGGBB where nobody asks for alpha */
    TMU_TEXTURE_INDEX8, /* into the palette */
    TMU_TEXTURE_INDEX4, /* the first of two texels in the low four bits of a byte */
};

/* In which order a level's texels lie. */
enum tmu_texture_layout {
    TMU_TEXTURE_ROWS,
    TMU_TEXTURE_TILES, /* rows of tiles, texels in a tile by rows; sizes rounded up to whole tiles
                        */
};

struct tmu_texture_form {
    int width; /* of level 0, 1..TMU_SIZE_MAX */
    int height;
    int levels; /* 1 up to what tmu_texture_levels says; 0: that */
    enum tmu_texture_format format;
    enum tmu_texture_layout layout;
};

/* Level l is half as wide and high as level l - 1, rounded down, at least 1. */
struct tmu_texture_level {
    int width;
    int height;
    size_t first; /* texel of the texture's memory */
    size_t pitch; /* texels in a row, or in a row of tiles */
};

struct tmu_texture {
    struct tmu_texture_form form;
    struct tmu_texture_level level[TMU_TEXTURE_LEVELS_MAX]; /* 0 is the largest */
    uint32_t palette[TMU_TEXTURE_PALETTE];                  /* colours; anyone may change them */
    uint8_t *texels; /* all levels in one piece, the smallest first */
    size_t bytes;
};

/* Levels down to 1x1. */
int tmu_texture_levels(int width, int height);

/* A texture of zeros that the caller owns; texels is NULL without memory. */
struct tmu_texture tmu_texture_create(const struct tmu_texture_form *form);
void tmu_texture_free(struct tmu_texture *texture);

/* Brings a level's rows into the order of the layout. Pixels are colours, or indices whose low bits
 * count; stride is in pixels. */
void tmu_texture_put(struct tmu_texture *texture, int level, const uint32_t *pixels, size_t stride);

/* The way back: colours, or indices. */
void tmu_texture_get(const struct tmu_texture *texture, int level, uint32_t *pixels, size_t stride);

/* Makes levels 1 and up of a texture of colours, each from the one before: every channel is the
 * mean of the area under the texel, exact, then rounded to nearest, halves up. Where a size is odd
 * texels lie under two of the next level with parts of their area. */
void tmu_texture_reduce(struct tmu_texture *texture);

/* Where a texel begins in the texture's memory, in bits. */
size_t tmu_texture_bit(const struct tmu_texture *texture, int level, int x, int y);

/* Coordinates are in turns: TMU_TEXTURE_TURN is one width or height of any level, measured from the
 * left and the upper edge, not from the centre of texel 0, which lies elsewhere on each level.
 * Wrapped and mirrored coordinates may overflow freely. */
enum { TMU_TEXTURE_TURN_BITS = 28, TMU_TEXTURE_TURN = 1 << TMU_TEXTURE_TURN_BITS };

enum tmu_texture_filter {
    TMU_TEXTURE_NEAREST,   /* the texel under the place, of the nearest level */
    TMU_TEXTURE_BILINEAR,  /* between four texels of the nearest level */
    TMU_TEXTURE_TRILINEAR, /* between four texels of each of two levels */
};

struct tmu_texture_sampler {
    enum tmu_address address_x;
    enum tmu_address address_y;
    enum tmu_texture_filter filter;
};

/* dst[i] = colour at (u[i], v[i]) on level detail[i] / 256, limited to the texture's levels; a NULL
 * detail is level 0 everywhere.
 *
 * On a level of width w texel column x has its centre at position 256 * x, and the place is at
 * p = ((u * w + 2^19) >> 20) - 128, where u is taken modulo TURN when wrapping; modulo 2 * TURN and
 * u > TURN replaced by 2 * TURN - u when mirroring; limited to 0..TURN when clamping. Columns
 * beyond the edge are those of the other edge when wrapping, else those of the edge. Rows likewise.
 *
 * Bilinear: each channel is (sum of four texels by weights of 8 + 8 bits + 32768) >> 16. Trilinear:
 * (a * (256 - f) + b * f + 128) >> 8 of two such levels, f = detail[i] & 255. Nearest: texel
 * (u * w) >> 28. The nearest level of l is (l + 128) >> 8. */
void tmu_texture_row(uint32_t *dst, const struct tmu_texture *texture,
                     const struct tmu_texture_sampler *sampler, const int32_t *u, const int32_t *v,
                     const uint16_t *detail, size_t count);

/* The whole part of the binary logarithm; 0 for 0. */
static inline unsigned tmu_texture_log2(uint32_t n)
{
    unsigned result = 0;
    for (unsigned step = 16; step != 0; step /= 2) {
        if (n >> step != 0) {
            n >>= step;
            result += step;
        }
    }
    return result;
}

/* Whole level of detail of a quad of 2x2 pixels, upper row first: the logarithm of the longest of
 * its steps to the right and down, in texels of level 0 along one axis; 0 where texels are
 * enlarged. Coordinates have `fraction_bits` bits of fraction; their differences fit 31 bits. */
static inline unsigned tmu_texture_quad_level(const int32_t x[4], const int32_t y[4],
                                              unsigned fraction_bits)
{
    const int32_t steps[8] = {x[1] - x[0], x[3] - x[2], x[2] - x[0], x[3] - x[1],
                              y[1] - y[0], y[3] - y[2], y[2] - y[0], y[3] - y[1]};
    uint32_t longest = 0;
    for (int i = 0; i < 8; i++) {
        const uint32_t length = (uint32_t)(steps[i] < 0 ? -steps[i] : steps[i]);
        longest = length > longest ? length : longest;
    }
    return tmu_texture_log2(longest >> fraction_bits);
}

/* Smaller levels of textures: means over the area under a texel. */

/* The texels of the larger level that lie under one texel of the smaller one, along one axis. The
 * axis is measured in units of which a large texel has as many as there are small texels. */
struct tmu_cover {
    uint32_t first;
    uint32_t count; /* 1..3 */
    uint32_t weight[3];
};

static inline struct tmu_cover tmu_cover_of(uint32_t small, uint32_t small_size,
                                            uint32_t large_size)
{
    const uint32_t from = small * large_size;
    const uint32_t to = from + large_size;
    struct tmu_cover cover = {.first = from / small_size};
    for (uint32_t at = cover.first * small_size; at < to; at += small_size) {
        const uint32_t begin = at > from ? at : from;
        const uint32_t end = at + small_size < to ? at + small_size : to;
        assert(cover.count < 3);
        cover.weight[cover.count++] = end - begin;
    }
    return cover;
}

enum { TMU_SUM_CHANNELS = 4 };

struct tmu_sums {
    uint64_t channel[TMU_SUM_CHANNELS];
};

static inline void tmu_sums_add(struct tmu_sums *sums, uint32_t color, uint64_t weight)
{
    for (unsigned i = 0; i < TMU_SUM_CHANNELS; i++) {
        sums->channel[i] += (color >> 8 * i & 255) * weight;
    }
}

/* Each channel by the whole weight, halves up. */
static inline uint32_t tmu_sums_mean(const struct tmu_sums *sums, uint64_t whole)
{
    uint32_t color = 0;
    for (unsigned i = 0; i < TMU_SUM_CHANNELS; i++) {
        color |= (uint32_t)((2 * sums->channel[i] + whole) / (2 * whole)) << 8 * i;
    }
    return color;
}

#endif
