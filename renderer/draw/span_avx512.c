#include "base/simd.h"

#if defined(__AVX512BW__)
#include "renderer/draw/span_shade.h"

const struct rend_span_kernels rend_span_kernels_avx512 = {
    draw_pieces, widen, rend_span_stroke_avx2, rend_span_shaded_stroke_avx2, rend_span_tint_avx2};
#endif
