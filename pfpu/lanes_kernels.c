#include "pfpu/lanes_kernels.h"

#include "pfpu/arith.h"

#define A operands[0].at[i * operands[0].step]
#define B operands[1].at[i * operands[1].step]
#define C operands[2].at[i * operands[2].step]
#define PFPU_OTHER(name, text, arity, cost, kind)
#define PFPU_PURE(name, text, arity, cost, value)                                                  \
    static void plain_##name(double *dst, const struct pfpu_lanes_operand operands[3],             \
                             size_t count)                                                         \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            dst[i] = value;                                                                        \
        }                                                                                          \
    }                                                                                              \
    static void filtered_##name(double *dst, const struct pfpu_lanes_operand operands[3],          \
                                size_t count)                                                      \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            dst[i] = pfpu_filtered(value);                                                         \
        }                                                                                          \
    }
#include "pfpu/ops.def"
#undef PFPU_PURE
#undef A
#undef B
#undef C

const pfpu_lanes_kernel pfpu_lanes_kernels_plain[PFPU_LANES_KERNELS] = {
#define PFPU_PURE(name, text, arity, cost, value)                                                  \
    [2 * PFPU_OP_##name] = plain_##name, [2 * PFPU_OP_##name + 1] = filtered_##name,
#include "pfpu/ops.def"
#undef PFPU_PURE
#undef PFPU_OTHER
};

pfpu_lanes_kernel pfpu_lanes_kernel_for(enum base_cpu_level level, int32_t code)
{
#if defined(__x86_64__)
    if (level >= BASE_CPU_AVX2 && pfpu_lanes_kernels_avx2[code] != NULL) {
        return pfpu_lanes_kernels_avx2[code];
    }
#endif
    (void)level;
    return pfpu_lanes_kernels_plain[code];
}
