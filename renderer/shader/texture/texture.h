/* Textures of shaders: pictures and volumes with levels of detail, and how a sampler reads them
 * (spec/milk-rendering.md section 9.3). */
#ifndef RENDERER_SHADER_TEXTURE_H
#define RENDERER_SHADER_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

enum { SHADER_SIZE_MAX = 8192, SHADER_VOLUME_MAX = 256, SHADER_LEVELS_MAX = 14 };

/* One level. Texel x, y, z is texels[x + y * pitch + z * slice], 0xAARRGGBB; x from 0 to width,
 * y from 0 to height: one column and one row beyond the edge hold the opposite edge, as in struct
 * tmu_surface, so that a bilinear read needs no test for the right and lower neighbour. */
struct shader_level {
    const uint32_t *texels;
    int width;
    int height;
    int depth; /* 1: a picture */
    size_t pitch;
    size_t slice;
};

struct shader_texture {
    struct shader_level level[SHADER_LEVELS_MAX]; /* 0 is the largest */
    int levels;                                   /* at least 1 */
    bool opaque;                                  /* alpha reads as 1 whatever it holds */
};

/* A texture with memory of its own, all levels down to one texel, made from its largest level:
 * each channel of a smaller level is the mean over the area in the level before, halves up. A size
 * is half the one before, rounded down, at least 1. */
struct shader_image {
    struct shader_texture texture;
    uint32_t *memory;
};

/* Makes an image from pixels 0xAARRGGBB, `height` rows of `stride` pixels per slice, one slice
 * after the other. Returns 0, or -1 without memory or if a size is not 1..SHADER_SIZE_MAX (for
 * volumes 1..SHADER_VOLUME_MAX). */
int shader_image_create(struct shader_image *image, const uint32_t *pixels, size_t stride,
                        int width, int height, int depth);
void shader_image_free(struct shader_image *image);
/* The bytes that an image of this size takes; the sizes are as above. */
size_t shader_image_bytes(int width, int height, int depth);

struct tmu_surface;
/* A view of a guarded surface: one level, opaque. */
struct shader_texture shader_texture_of(const struct tmu_surface *surface);

enum shader_address { SHADER_REPEAT, SHADER_CLAMP };
struct shader_sampler {
    bool linear; /* else nearest */
    enum shader_address address;
};

/* Numbers of many pixels: SHADER_LANES at a time, the next ones `step` floats further on. step 0:
 * the same SHADER_LANES numbers, all equal, for every pixel. */
enum { SHADER_LANES = 8 };
struct shader_lanes {
    const float *at; /* 32-byte aligned */
    size_t step;     /* SHADER_LANES or 0 */
};

/* Reads lanes of a tile. Coordinates are in turns: 0..1 is once over the texture, texel k of W
 * covers k/W..(k+1)/W; repeated coordinates may be any number; NaN and infinities read as 0.
 *
 * Place on a level of width W, in 256ths of a texel: p = (int)floor(c * W * 256 + 0.5f) - 128 with
 * c = u - floor(u) when repeating, c = min(max(u, 0), 1) when clamping, in 32-bit floats in this
 * order; then x = p >> 8, weight f = p & 255; repeating -1 is width - 1 and width is 0; clamping
 * both limit to 0..width - 1. Nearest: texel min((int)(c * W), W - 1).
 * Bilinear, in whole numbers: top = t00 * (256 - fx) + t01 * fx, likewise bottom, sum = top * (256
 * - fy) + bottom * fy: at most 255 * 65536. Result: (float)sum * (1 / (255 * 65536)). Volumes: a =
 * sum of slice z, b = sum of slice z + 1 as floats: (a + (b - a) * (fz / 256)) * the same factor.
 * Levels: with detail d (0: the largest), limited to the levels and rounded to 256ths, and l =
 * (int)d: linear reads mix the sums of levels l and l + 1: a + (b - a) * (d - l), where d - l is 0
 * only one is read; nearest reads take level (int)(d + 0.5). Detail NaN is 0.
 *
 * A result may stand where a coordinate, bias or detail does.
 *
 * Detail of a quad: log2 of the longest step from its upper left lane to the right or down, in
 * texels of the largest level: of sqrt(du^2 + dv^2 (+ dw^2)), as half of shader_log2 (math/math.h)
 * of the square. Squares that are not finite are 0; up to 1.002 (enlarged, or a texel's step that
 * was rounded) the detail is 0. Textures of one level skip it. Differences of repeated coordinates
 * are taken as they are. All lanes are read; coordinates of lanes that nobody needs may be
 * anything. */
struct shader_read {
    const struct shader_texture *texture; /* NULL: all results are 0 */
    struct shader_sampler sampler;
    bool volume;
    bool grid;    /* of a tile: u is the same in all rows, v along each row */
    size_t count; /* SHADER_TILE lanes, or SHADER_LANES of them without quads */
    struct shader_lanes u;
    struct shader_lanes v;
    struct shader_lanes w;      /* volumes only */
    struct shader_lanes bias;   /* added to the detail; at NULL: 0 */
    struct shader_lanes detail; /* instead of what the quads give; at NULL: theirs */
    float *result[4];           /* red, green, blue, alpha; NULL: not wanted */
};

/* The six noise textures that every shader may read (spec/milk-rendering.md section 9.5). They are
 * the same in every run. */

enum { SHADER_NOISES = 6 };

/* Once made they only are read, by any number of threads. */
struct shader_noises {
    struct shader_image image[SHADER_NOISES];
};

/* 0, or -1 without memory. */
int shader_noises_create(struct shader_noises *noises);
void shader_noises_free(struct shader_noises *noises);

/* "noise_lq", ...: the name without "sampler_" and prefix; NULL if it is none of the six. */
const struct shader_texture *shader_noises_find(const struct shader_noises *noises,
                                                const char *name);

#endif
