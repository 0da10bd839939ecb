/* Programs over a grid of numbers instead of pixels, by which devices are compared with the plain
 * definition. */
#ifndef GPU_PROOF_NUMBERS_H
#define GPU_PROOF_NUMBERS_H

#include "gpu/kernel.h"
#include "gpu/spirv/program.h"

enum {
    GPU_NUMBERS_COLUMNS = 2 * SPIRV_GROUP,
    GPU_NUMBERS_ROWS = 32,
    GPU_NUMBERS = GPU_NUMBERS_COLUMNS * GPU_NUMBERS_ROWS
};

struct gpu_numbers;

/* The program of a list that has been through shader_ir_finish, with textures by binding; all of
 * them outlive it. NULL where the device does not take it. */
struct gpu_numbers *gpu_numbers_create(struct gpu_device *device, const struct shader_ir *ir,
                                       const struct shader_texture *const *textures);
void gpu_numbers_free(struct gpu_numbers *numbers); /* NULL is fine */

/* Of each input GPU_NUMBERS floats, row by row. Gives red, green and blue of each place, until the
 * next run; NULL: it did not run. */
const float *gpu_numbers_run(struct gpu_numbers *numbers, const float *const inputs[SHADER_INPUTS],
                             const float *uniforms);

#endif
