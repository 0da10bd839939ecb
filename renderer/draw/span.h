/* Kernels for rows of pixels. Plain C is the definition; vectors give the same bits. A
 * pixel is 0x00RRGGBB; nothing outside the named pixels is changed. */
#ifndef RENDERER_DRAW_SPAN_H
#define RENDERER_DRAW_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

enum rend_blend {
    REND_BLEND_ALPHA,    /* src * a + dst * (1 - a) */
    REND_BLEND_ADDITIVE, /* src * a + dst */
};

enum { REND_SPAN_BLUE, REND_SPAN_GREEN, REND_SPAN_RED, REND_SPAN_ALPHA, REND_SPAN_VALUES };

/* Colours count in parts of a level, and full alpha as this. */
enum { REND_SPAN_LEVEL = 128, REND_SPAN_WHOLE = INT16_MAX };

/* A colour and alpha that change from one place to another. Alpha is 0..REND_SPAN_WHOLE; so are
 * colours that texels are multiplied by, and others are 0..255 * REND_SPAN_LEVEL. */
struct rend_shade {
    int16_t from[REND_SPAN_VALUES];
    int16_t more[REND_SPAN_VALUES]; /* there is at the other place */
    enum rend_blend blend;
};

/* Pixels of a row from `first` up to, not including, `end`; none if end <= first. */
struct rend_run {
    int32_t first;
    int32_t end;
};

enum { REND_POLYGON_SIDES = 100, REND_DISTANCE_WHOLE = 1 << 30, REND_DISTANCE_BLOCK = 32 };

/* Sides are compared four by four, and as vectors: up to sixteen behind the last are read. */
enum { REND_DISTANCE_SIDES = 4, REND_DISTANCE_BEHIND = 16 };

enum { REND_DISTANCE_ROOM = REND_POLYGON_SIDES + REND_DISTANCE_SIDES + REND_DISTANCE_BEHIND };

/* The distance field of a polygon, how far a pixel lies from its centre: of all its sides the
 * greatest at[k] + x per_x[k] + y per_y[k], which is 0 at the centre and REND_DISTANCE_WHOLE on
 * side k. Modulo 2^32. Where sides face each other, one stands for both. */
struct rend_distances {
    uint32_t at[REND_DISTANCE_ROOM];
    uint32_t per_x[REND_DISTANCE_ROOM];
    uint32_t per_y[REND_DISTANCE_ROOM];
    size_t count; /* at least two */
    bool faced;   /* the greatest without regard to its sign counts */

    /* For faced sides that are many: spokes go through the centre to two corners each. Their slopes
     * are x per row, and fall; behind the last, slopes are -infinity. Side (first + k) % count lies
     * between spokes k - 1 and k. All sides then stand twice, and REND_DISTANCE_SIDES a third time,
     * so that those that follow each other around the polygon do so here. */
    float slope[REND_POLYGON_SIDES / 2 + REND_DISTANCE_BEHIND];
    size_t spokes; /* as many as sides, or 0: none */
    size_t first;
    float from_x; /* from the centre to the first pixel's */
    float from_y;
};

/* Sides first..first + count - 1 of those in rend_distances. */
struct rend_side_range {
    size_t first;
    size_t count;
};

/* The sides that may be the nearest for pixels before which a to b spokes lie. */
static inline struct rend_side_range rend_sides_between(const struct rend_distances *distances,
                                                        size_t a, size_t b)
{
    const size_t low = a < b ? a : b;
    const size_t high = a < b ? b : a;
    const size_t groups = (high - low + REND_DISTANCE_SIDES) / REND_DISTANCE_SIDES;
    return (struct rend_side_range){distances->first + low, groups * REND_DISTANCE_SIDES};
}

/* Pixels of a row of a polygon, one at least. */
struct rend_piece {
    uint32_t *pixels; /* of the row; its x is 0 */
    int32_t first;    /* pixels first..end - 1 */
    int32_t end;
    int32_t y;
    int32_t block;  /* where the block of REND_DISTANCE_BLOCK pixels begins that holds `first` */
    uint32_t texel; /* index of that of pixel `first` */
};

/* The side of a polygon, from its upper to its lower end. */
struct rend_edge {
    double x; /* at y */
    double y;
    double slope; /* x per row */
};

/* A line, seen along the axis on which it is longer: `major` steps by whole pixels, `minor`
 * follows. Pixel major, minor stands at major * major_step + minor * minor_step of the picture. */
struct rend_stroke {
    double major;  /* where the line begins */
    double minor;  /* the same */
    double slope;  /* minor per major, -1..1 */
    int32_t first; /* pixels first..stop - 1 on the major axis; all lie in the picture */
    int32_t stop;
    int32_t major_step;
    int32_t minor_step;
};

/* start + (m - from) * step at place m of a line's major axis, modulo 2^32. */
struct rend_ramp {
    int32_t from;
    uint32_t start;
    uint32_t step;
};

/* A colour prepared for rend_tinted, its channels in 16 bits each. */
struct rend_tint {
    uint64_t source; /* alpha: src * a + 128; additive: round(src * a / 255) */
    uint32_t rest;   /* 255 - a */
    bool additive;
};

struct rend_span_kernels {
    /* The pixels of pieces, in order. In whole numbers, where a * b is (ab + 2^14) / 2^15, rounded
     * down, and upper(a) the upper half of 32 bits:
     *
     * far = upper(at + (x - i) per_x + y per_y) + upper(i per_x) for a side, a signed number
     * modulo 2^16, where i is x - block modulo REND_DISTANCE_BLOCK;
     * s = twice the greatest far of the sides, or if faced |far| but for -2^15, bounded by
     * 0 and 2^15 - 1;
     * v[k] = from[k] + s * more[k]; a = v[alpha]; d = 128 dst;
     * colour = 128 texel * v[k], or without texels v[k];
     * sum = additive d + colour . a, else colour if alpha is whole everywhere, or d + (colour - d)
     * . a; out = min(255, (sum + 64) / 128, rounded down). a . b is ab / 2^15 rounded down to an
     * even number, so that only `out` is rounded: half a level less a bit does not become a level,
     * which feedback would make a picture of. Where alpha is whole everywhere 128 texel . v[k] as
     * well.
     *
     * The sides are all, or with spokes (first + low) % count up to first + high, and as many
     * behind as make a multiple of REND_DISTANCE_SIDES. low and high are the lesser and the greater
     * of how many spokes lie before the first pixel of the block and its last: those with slope *
     * |down| > across, where down = y + from_y, and across = x + from_x, or minus that if down is
     * negative, in floats.
     *
     * distances: NULL if the colour does not change. pieces[count] may be read as well.
     * texels: NULL, or readable from 15 before the first to 15 after the last. */
    void (*pieces)(const struct rend_shade *shade, const struct rend_distances *distances,
                   const struct rend_piece *pieces, size_t count, const uint32_t *texels);

    /* Widens the runs of rows y, y + 1, ... to the edge: of x = edge.x + (row + 0.5 - edge.y) *
     * slope they get p = ceil(x - 0.5), bounded by 0 and width: first = min(first, p), end =
     * max(end, p). x is finite. */
    void (*widen)(const struct rend_edge *edge, int y, int width, struct rend_run *runs,
                  size_t count);

    /* Tints the pixels of a line: at place m on the major axis, on the minor one the whole part of
     * minor + (m + 0.5 - major) * slope. */
    void (*stroke)(const struct rend_stroke *stroke, const struct rend_tint *tint,
                   uint32_t *pixels);

    /* The same with the colours of a shade, as pieces are drawn, where s is twice the upper half of
     * the ramp, bounded by 0 and 2^15 - 1. */
    void (*shaded_stroke)(const struct rend_stroke *stroke, const struct rend_shade *shade,
                          const struct rend_ramp *ramp, uint32_t *pixels);

    /* One colour, in whole numbers: per channel round((src * a + dst * (255 - a)) / 255), additive
     * min(255, dst + round(src * a / 255)). */
    void (*tint)(uint32_t colour, unsigned alpha, enum rend_blend blend, uint32_t *pixels,
                 size_t count);
};

const struct rend_span_kernels *rend_span_kernels_for(enum base_cpu_level level);

extern const struct rend_span_kernels rend_span_kernels_plain;
extern const struct rend_span_kernels rend_span_kernels_four;
extern const struct rend_span_kernels rend_span_kernels_avx2;
extern const struct rend_span_kernels rend_span_kernels_avx512;

/* The same for both levels of AVX. */
void rend_span_stroke_avx2(const struct rend_stroke *stroke, const struct rend_tint *tint,
                           uint32_t *pixels);
void rend_span_shaded_stroke_avx2(const struct rend_stroke *stroke, const struct rend_shade *shade,
                                  const struct rend_ramp *ramp, uint32_t *pixels);
void rend_span_tint_avx2(uint32_t colour, unsigned alpha, enum rend_blend blend, uint32_t *pixels,
                         size_t count);

/* ceil(position - 0.5), bounded by 0 and limit: the first pixel whose centre is not left of it. */
static inline int rend_pixel_from(double position, int limit)
{
    const double first = position - 0.5;
    if (!(first > 0)) {
        return 0;
    }
    if (first >= limit) {
        return limit;
    }
    const int whole = (int)first;
    return whole + ((double)whole < first ? 1 : 0);
}

/* What is drawn over what is there. */
enum rend_covering { REND_OPAQUE, REND_BLENDED, REND_ADDED };

static inline enum rend_covering rend_covering_of(const struct rend_shade *shade)
{
    if (shade->blend == REND_BLEND_ADDITIVE) {
        return REND_ADDED;
    }
    return shade->from[REND_SPAN_ALPHA] == REND_SPAN_WHOLE && shade->more[REND_SPAN_ALPHA] == 0
               ? REND_OPAQUE
               : REND_BLENDED;
}

/* A number in parts of 2^-30, bounded by -1 and 1; what is none counts as -1. */
static inline int32_t rend_fixed(double number)
{
    const double low = number > -1 ? number : -1;
    return (int32_t)((low < 1 ? low : 1) * (1 << 30));
}

static inline double rend_minor_at(const struct rend_stroke *stroke, int major)
{
    return stroke->minor + (major + 0.5 - stroke->major) * stroke->slope;
}

/* Index of the pixel at place `major` of a line. */
static inline int32_t rend_stroke_at(const struct rend_stroke *stroke, int major)
{
    return major * stroke->major_step + (int32_t)rend_minor_at(stroke, major) * stroke->minor_step;
}

static inline uint64_t rend_spread(uint32_t pixel)
{
    return (pixel & 0xFF00FF) | (uint64_t)(pixel & 0xFF00) << 24;
}

static inline uint32_t rend_gathered(uint64_t spread)
{
    return (uint32_t)(spread & 0xFF00FF) | (uint32_t)(spread >> 24 & 0xFF00);
}

/* round(x / 255) of each channel; 128 is added already. */
static inline uint64_t rend_spread_divided(uint64_t x)
{
    const uint64_t low = 0x000000FF00FF00FF;
    return (x + (x >> 8 & low)) >> 8 & low;
}

static inline struct rend_tint rend_tint_of(uint32_t colour, uint32_t alpha, enum rend_blend blend)
{
    const uint64_t scaled = rend_spread(colour) * alpha + 0x0000008000800080;
    const bool additive = blend == REND_BLEND_ADDITIVE;
    return (struct rend_tint){additive ? rend_spread_divided(scaled) : scaled, 255 - alpha,
                              additive};
}

/* What `tint` makes of one pixel. */
static inline uint32_t rend_tinted(uint32_t pixel, const struct rend_tint *tint)
{
    if (tint->additive) {
        const uint64_t sum = rend_spread(pixel) + tint->source;
        const uint64_t over = sum & 0x0000010001000100;
        return rend_gathered(sum | (over - (over >> 8)));
    }
    return rend_gathered(rend_spread_divided(rend_spread(pixel) * tint->rest + tint->source));
}

#endif
