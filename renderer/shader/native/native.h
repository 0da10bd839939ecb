/* Arithmetic of a stage as machine code: runs of operations that stand next to each other become
 * one function each, which keeps numbers in the processor's registers where the executor's kernels
 * bring each result to memory. The bits are the same. For x86-64 with AVX2 or AVX-512; elsewhere,
 * and where the system lets no memory become a program, kernels do all. */
#ifndef RENDERER_SHADER_NATIVE_NATIVE_H
#define RENDERER_SHADER_NATIVE_NATIVE_H

#include "renderer/shader/code/code.h"

/* Makes the functions of a program that shader_emit has made, for each level of this machine that
 * has them, and marks their runs in its code. Without memory there are none. */
void shader_native_make(struct shader_program *program);
void shader_native_free(struct shader_program *program);

#endif
