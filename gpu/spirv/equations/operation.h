/* The pure operations of equations (pfpu/ir/ops.def) in a module with floats of 64 bits, with the
 * bits of pfpu_op_value. */
#ifndef GPU_SPIRV_EQUATIONS_OPERATION_H
#define GPU_SPIRV_EQUATIONS_OPERATION_H

#include "gpu/spirv/equations/real.h"
#include "pfpu/ir/ops.h"

/* arguments: as many as the operation has, no constants. filtered: as an assignment stores it. */
real spirv_operation(struct spirv *module, enum pfpu_op op, bool filtered, const real *arguments);

/* Whether it is one of them: words of the coprocessor are not. */
bool spirv_knows_operation(enum pfpu_op op);

#endif
