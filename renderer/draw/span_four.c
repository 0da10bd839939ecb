#include "renderer/draw/span_lanes.h"

#if defined(BASE_SIMD)
const struct rend_span_kernels rend_span_kernels_four = {draw_pieces, widen, stroke_tinted,
                                                         stroke_shaded, tint_row};
#endif
