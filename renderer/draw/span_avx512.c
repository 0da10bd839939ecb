

#if defined(__x86_64__)
#include "renderer/draw/span_shade.h"

const struct rend_span_kernels rend_span_kernels_avx512 = {
    draw_pieces, widen, rend_span_stroke_avx2, rend_span_shaded_stroke_avx2, rend_span_tint_avx2};
#else
typedef int rend_span_avx512_not_for_this_machine;
#endif
