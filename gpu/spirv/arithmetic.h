/* The operations of the shader IR that compute (renderer/shader/ir/ops.def), with the bits of
 * shader_op_compute: instructions that the standard rounds correctly, or functions made of those.
 */
#ifndef GPU_SPIRV_ARITHMETIC_H
#define GPU_SPIRV_ARITHMETIC_H

#include "gpu/spirv/words.h"
#include "renderer/shader/ir/ir.h"

/* ADD to CHOOSE, of FLOATS and BOOLS; gives the result's identifier. */
uint32_t spirv_compute(struct spirv *module, enum shader_op op, const uint32_t *arguments);

/* Half of shader_log2 where a square of steps is above what counts as one texel, else 0; squares
 * are finite (renderer/shader/texture/texture.h). */
uint32_t spirv_detail(struct spirv *module, uint32_t square);

#endif
