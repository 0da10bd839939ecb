/* Fans drawn as a whole, row by row: for those that are small and go around their centre in order,
 * whose triangles divide each row among themselves. The pixels are those of drawing the triangles
 * one by one, bit for bit. */
#ifndef RENDERER_FAN_H
#define RENDERER_FAN_H

#include "renderer/cover.h"
#include "renderer/draw.h"
#include "tmu/kernels.h"

/* Rows that such a fan may cross. */
enum { REND_FAN_ROWS = 256 };

/* A fan to be drawn. */
struct rend_fan {
    const struct rend_canvas *canvas;
    const struct rend_corner *centre;
    const struct rend_corner *rim;     /* sides + 1, the last where the first is */
    int sides;                         /* 3..REND_FAN_SIDES */
    const struct rend_shade *shade;    /* but for its plane */
    const struct tmu_sampler *sampler; /* NULL: no texture */
    const struct tmu_kernels *texture_kernels;
    struct rend_cover *cover; /* NULL: nothing is hidden. Else the fan is opaque: only what is not
                                 hidden is drawn, and the cover then hides the fan as well */
};

/* Vertices whose sides to the centre a row crosses: first..last; triangles first - 1..last. */
struct rend_fan_spokes {
    int16_t first;
    int16_t last;
};

/* Room for the vertices twice, and for vectors behind them. */
enum { REND_FAN_VERTICES = 2 * REND_FAN_SIDES + 16 };

/* A fan's vertices, renamed so that those above the centre, and also those below it, follow each
 * other in 1..sides: vertex j is corner (shift + j) % sides of the rim and stands at shift + j.
 * Triangle j lies between vertices j and j + 1. */
struct rend_fan_plan {
    int shift;
    int first;  /* rows first..end - 1 are drawn */
    int middle; /* the first row below the centre, or first or end if that is not among them */
    int end;    /* no row: end = first */
    float x[REND_FAN_VERTICES];
    float y[REND_FAN_VERTICES];
    int32_t row[REND_FAN_VERTICES];                   /* the first row below the vertex */
    struct rend_fan_spokes spokes[REND_FAN_ROWS + 8]; /* of each row from `first` on */
};

/* Returns false for a fan that is not of this kind. */
bool rend_fan_plan_avx512(struct rend_fan_plan *plan, const struct rend_fan *fan);

/* Draws the fan. Returns false, with nothing done, for a fan that is not of this kind. */
typedef bool (*rend_fan_kernel)(const struct rend_fan *fan);

bool rend_fan_avx512(const struct rend_fan *fan);

/* NULL: the level has none. */
static inline rend_fan_kernel rend_fan_kernel_for(enum base_cpu_level level)
{
#if defined(__x86_64__)
    if (level >= BASE_CPU_AVX512) {
        return rend_fan_avx512;
    }
#endif
    (void)level;
    return NULL;
}

#endif
