#include "base/simd.h"

#if defined(__AVX2__)
#include "renderer/draw/span_lanes.h"

void rend_span_stroke_avx2(const struct rend_stroke *stroke, const struct rend_tint *tint,
                           uint32_t *pixels)
{
    stroke_tinted(stroke, tint, pixels);
}

void rend_span_shaded_stroke_avx2(const struct rend_stroke *stroke, const struct rend_shade *shade,
                                  const struct rend_ramp *ramp, uint32_t *pixels)
{
    stroke_shaded(stroke, shade, ramp, pixels);
}

void rend_span_tint_avx2(uint32_t colour, unsigned alpha, enum rend_blend blend, uint32_t *pixels,
                         size_t count)
{
    tint_row(colour, alpha, blend, pixels, count);
}

const struct rend_span_kernels rend_span_kernels_avx2 = {
    draw_pieces, widen, rend_span_stroke_avx2, rend_span_shaded_stroke_avx2, rend_span_tint_avx2};
#endif
