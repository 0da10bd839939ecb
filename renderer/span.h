/* Kernels for one row of a triangle: colours and alpha that change linearly, blended into the
 * canvas. Plain C is the definition; the AVX2 version gives the same bits. All arithmetic is in
 * 32-bit floats. */
#ifndef RENDERER_SPAN_H
#define RENDERER_SPAN_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

enum { REND_SPAN_BLUE, REND_SPAN_GREEN, REND_SPAN_RED, REND_SPAN_ALPHA, REND_SPAN_VALUES };

struct rend_span {
    float start[REND_SPAN_VALUES]; /* at pixel 0, 0..255 */
    float step[REND_SPAN_VALUES];  /* per pixel */
    float keep;                    /* 1: what is there stays (additive); 0: it gives way to alpha */
};

/* For pixel i: v = clamp(start + i * step, 0, 255) for each value; colours times texel / 255 if
 * there are texels; a = v[alpha] / 255; out = min(255, dst * max(keep, 1 - a) + colour * a),
 * rounded. */
typedef void (*rend_span_row)(const struct rend_span *span, const uint32_t *texels,
                              uint32_t *pixels, size_t count);

rend_span_row rend_span_for(enum base_cpu_level level);

void rend_span_plain(const struct rend_span *span, const uint32_t *texels, uint32_t *pixels,
                     size_t count);
void rend_span_avx2(const struct rend_span *span, const uint32_t *texels, uint32_t *pixels,
                    size_t count);

#endif
