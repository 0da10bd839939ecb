/* Programs over many numbers of 64 bits, by which devices are compared with the plain definition.
 */
#ifndef GPU_PROOF_DOUBLES_H
#define GPU_PROOF_DOUBLES_H

#include "gpu/kernel.h"
#include "gpu/spirv/equations/real.h"
#include "pfpu/ir/ops.h"

enum { GPU_GIVEN = 3, GPU_DOUBLES_GROUP = 64 };

/* Three numbers of each case: first all pairs that hardware may treat in its own way, as far as
 * there is room, then random ones of many kinds. */
void gpu_doubles_fill(double (*given)[GPU_GIVEN], size_t count);

/* What is made of three numbers. */
struct gpu_double_function {
    real (*make)(struct spirv *module, real a, real b); /* NULL: the operation `op` */
    enum pfpu_op op;
    bool filtered;
};

/* count: a multiple of GPU_DOUBLES_GROUP. false: it did not run. The device has floats of 64 bits
 * (gpu_controls). */
bool gpu_doubles_run(struct gpu_device *device, const struct gpu_double_function *function,
                     const double (*given)[GPU_GIVEN], size_t count, double *results);

#endif
