/* The operations of the executor, for each level of the processor. */
#ifndef RENDERER_SHADER_RUN_KERNELS_H
#define RENDERER_SHADER_RUN_KERNELS_H

#include "renderer/shader/code/code.h"

/* One CPU level's operations over `count` lanes (SHADER_TILE or SHADER_LANES). */
struct shader_kernels {
    /* All of SHADER_CODE but jumps and reads; b and c where the operation has them. */
    void (*compute[SHADER_CODE_COUNT])(float *result, const struct shader_lanes *arguments,
                                       size_t count);
    bool (*any)(const struct shader_lanes *truth, size_t count); /* some lane is true */
    bool (*all)(const struct shader_lanes *truth, size_t count);
};
extern const struct shader_kernels shader_kernels_plain;
extern const struct shader_kernels shader_kernels_avx2;
extern const struct shader_kernels shader_kernels_avx512;
bool shader_any_avx2(const struct shader_lanes *truth, size_t count);
bool shader_all_avx2(const struct shader_lanes *truth, size_t count);
const struct shader_kernels *shader_kernels_for(enum base_cpu_level level);

#endif
