#include "pfpu/machine/word_kernels_lanes.h"

#if defined(BASE_SIMD)
pfpu_word_kernel *const pfpu_word_kernels_four[PFPU_OPCODE_COUNT] = {
    AT(FADD) = run_fadd,   AT(FSUB) = run_fsub,   AT(FMUL) = run_fmul, AT(FABS) = run_fabs,
    AT(F2I) = run_f2i,     AT(I2F) = run_i2f,     AT(SIN) = run_sin,   AT(COS) = run_cos,
    AT(ABOVE) = run_above, AT(EQUAL) = run_equal, AT(COPY) = run_copy, AT(IF) = run_if,
    AT(TSIGN) = run_tsign, AT(QUAKE) = run_quake,
};
#endif
