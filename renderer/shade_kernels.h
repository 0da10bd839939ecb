/* Kernels of the stages around a shader. Plain C is the definition, AVX2 gives the same bits. */
#ifndef RENDERER_SHADE_KERNELS_H
#define RENDERER_SHADE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

struct rend_shade_kernels {
    /* Results to pixels: each channel limited to 0..1, NaN to 0, times 255, rounded to nearest,
     * halves up. ret: red, green, blue, 32-byte aligned. */
    void (*pack)(uint32_t *pixels, const float *const ret[3], size_t count);

    /* out[i] = edge[c] + (edge[c + 1] - edge[c]) * within[i] with c = cell[i]. count is a multiple
     * of 8. */
    void (*between)(float *out, const float *edge, const int32_t *cell, const float *within,
                    size_t count);
};

extern const struct rend_shade_kernels rend_shade_kernels_plain;
extern const struct rend_shade_kernels rend_shade_kernels_avx2;
const struct rend_shade_kernels *rend_shade_kernels_for(enum base_cpu_level level);

#endif
