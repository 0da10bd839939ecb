/* The operations of ops.def over arrays. The plain versions are the definition; the others equal
 * them bit for bit (whether a NaN is negative is left open). */
#ifndef PFPU_LANES_KERNELS_H
#define PFPU_LANES_KERNELS_H

#include <stddef.h>

#include "base/cpu.h"
#include "pfpu/ops.h"

enum { PFPU_LANES_WIDTH = 4, PFPU_LANES_KERNELS = 2 * PFPU_OP_COUNT };

/* step 1: one number per lane; 0: PFPU_LANES_WIDTH times the same number, for all lanes. */
struct pfpu_lanes_operand {
    const double *at;
    size_t step;
};

/* dst[i] = operation(operands[0][i], operands[1][i], operands[2][i]) for i in 0..count-1. count is
 * a multiple of PFPU_LANES_WIDTH. dst may be the array of an operand. All three operands point to
 * something, whatever the operation reads. */
typedef void (*pfpu_lanes_kernel)(double *dst, const struct pfpu_lanes_operand operands[3],
                                  size_t count);

/* By operation * 2, plus 1 for a filtered result. The table of a level may lack rows (NULL), then
 * the plain one counts; that has every pure operation. */
extern const pfpu_lanes_kernel pfpu_lanes_kernels_plain[PFPU_LANES_KERNELS];
extern const pfpu_lanes_kernel pfpu_lanes_kernels_avx2[PFPU_LANES_KERNELS];

/* The best kernel for a level; NULL if the operation is not a pure one. */
pfpu_lanes_kernel pfpu_lanes_kernel_for(enum base_cpu_level level, int32_t code);

#endif
