/* The blur textures of shaders: six surfaces, each made from the one before, the first from the
 * last picture (spec/milk-rendering.md section 9.4). Plain C is the definition, vectors give the
 * same bits.
 *
 * A pass is separable: each pixel is a sum over some rows and some columns of its source, whose
 * weights come from the fixed taps, each of them a bilinear read, merged per row and per column. */
#ifndef RENDERER_PICTURE_BLUR_H
#define RENDERER_PICTURE_BLUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/cpu.h"
#include "base/os/thread.h"
#include "tmu/tmu.h"

enum { REND_BLUR_LEVELS = 3, REND_BLUR_PASSES = 2 * REND_BLUR_LEVELS, REND_BLUR_TAPS = 16 };

/* Numbers of the preset as they are: blur1_min.., blur1_max.., blur1_edge_darken. */
struct rend_blur_settings {
    float min[REND_BLUR_LEVELS];
    float max[REND_BLUR_LEVELS];
    float edge_darken;
};

/* The limits as passes and shaders use them: each at least 0.1 wide and, but for that, within the
 * one before. What is not finite counts as 0 or 1. */
void rend_blur_ranges(const struct rend_blur_settings *settings, float min[REND_BLUR_LEVELS],
                      float max[REND_BLUR_LEVELS]);

/* What each column (or row) of a pass takes from its source. Weights are in Q14, their sum is 1. */
struct rend_blur_axis {
    int taps;         /* weights of each: 2, 4, 8 or 16 */
    bool halved;      /* all have the same weights, and each begins two after the one before */
    int32_t *first;   /* the first source column of each; may lie outside: then the edge counts */
    int16_t *weights; /* taps of each */
};

struct rend_blur_pass {
    struct tmu_surface target;
    struct rend_blur_axis columns; /* taps 4 or REND_BLUR_TAPS */
    struct rend_blur_axis rows;    /* taps 2 or 8 */
};

struct rend_blur {
    int width; /* of the source */
    int height;
    struct rend_blur_pass pass[REND_BLUR_PASSES];
    float *edge; /* by column of pass 1: what is left of its light at full darkening of the edge */
    float *edge_rows;        /* and by row: a pixel has the lesser of the two */
    struct base_arena arena; /* owns the tables */
};

/* Makes black surfaces for sources of width x height (1..TMU_SIZE_MAX). Returns 0, or -1 without
 * memory (nothing to free). */
int rend_blur_create(struct rend_blur *blur, int width, int height);
void rend_blur_free(struct rend_blur *blur); /* all zero is fine */

/* Makes the levels 1..levels (1..3) from the source; the others stay. The source's guard is not
 * read. Allocates nothing. */
void rend_blur_step(struct rend_blur *blur, const struct tmu_surface *source, int levels,
                    const struct rend_blur_settings *settings, enum base_cpu_level cpu,
                    struct base_pool *pool);

/* What a pass does with sums, as in rend_blur_row; edge_darken: 0 but for the second. */
struct rend_blur_numbers {
    float scale;
    float bias;
    float edge_darken;
};
void rend_blur_find_numbers(const struct rend_blur_settings *settings,
                            struct rend_blur_numbers numbers[REND_BLUR_PASSES]);

/* Level 1..3; guarded. */
static inline const struct tmu_surface *rend_blur_level(const struct rend_blur *blur, int level)
{
    return &blur->pass[2 * level - 1].target;
}

/* One row of a pass, per channel:
 *   c[x] = (sum over rows of row_weight * row[x] + 64) >> 7, in 128ths,
 *   s = sum over the column's taps of weight * c[first + tap], x limited to the row,
 *   out = (int)(min(max(s * scale * factor + bias, 0), 255) + 0.5)
 * in 32-bit floats in this order; factor is left out where there is none. */
enum { REND_BLUR_ROWS = 8, REND_BLUR_UNIT_BITS = 21 };
struct rend_blur_row {
    const uint32_t *row[REND_BLUR_ROWS]; /* 7 pixels behind each may be read */
    const int16_t *row_weights;
    int rows; /* even */
    int width;
    const struct rend_blur_axis *columns;
    float scale; /* 2^-21 leaves the light as it is */
    float bias;
    const float *factor; /* per pixel; may be NULL */
    uint32_t *out;
    int count; /* a multiple of 4 */
};
typedef void (*rend_blur_kernel)(const struct rend_blur_row *row);
void rend_blur_four(const struct rend_blur_row *row);
void rend_blur_avx2(const struct rend_blur_row *row);

/* c of a row with room for what columns read beyond its ends. */
enum { REND_BLUR_LEFT = 8, REND_BLUR_RIGHT = 24, REND_BLUR_CHANNELS = 4 };
enum {
    REND_BLUR_WORK = (REND_BLUR_LEFT + TMU_SIZE_MAX + REND_BLUR_RIGHT) * REND_BLUR_CHANNELS,
    REND_BLUR_ORIGIN = REND_BLUR_LEFT * REND_BLUR_CHANNELS,
};

/* Repeats the ends of a row of width pixels that starts at work[REND_BLUR_ORIGIN]. */
void rend_blur_extend(int16_t *work, int width);

#endif
