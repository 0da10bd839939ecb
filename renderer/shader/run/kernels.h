/* What the executor computes with, for each level of the processor: operations and reads of
 * textures; and the reference. */
#ifndef RENDERER_SHADER_RUN_KERNELS_H
#define RENDERER_SHADER_RUN_KERNELS_H

#include "renderer/shader/code/code.h"
#include "renderer/shader/ir/ir.h"

enum { SHADER_KERNEL_CHOICES = 16 };

/* An operation over `count` lanes (SHADER_TILE or SHADER_LANES); b, c and d where it has them. */
typedef void (*shader_kernel)(float *result, const float *a, const float *b, const float *c,
                              const float *d, size_t count);

/* One CPU level's operations. */
struct shader_kernels {
    /* All of SHADER_CODE but jumps and reads, for each choice of arguments that are SHADER_LANES
     * equal numbers: bit k of the index stands for argument k. */
    shader_kernel compute[SHADER_CODE_COUNT][SHADER_KERNEL_CHOICES];
    bool (*any)(const struct shader_lanes *truth, size_t count); /* some lane is true */
    bool (*all)(const struct shader_lanes *truth, size_t count);
};
extern const struct shader_kernels shader_kernels_plain;
extern const struct shader_kernels shader_kernels_four;
extern const struct shader_kernels shader_kernels_avx2;
extern const struct shader_kernels shader_kernels_avx512;
const struct shader_kernels *shader_kernels_for(enum base_cpu_level level);

/* One CPU level's reads of textures (texture.h). */
struct shader_read_kernels {
    void (*read)(const struct shader_read *read);
};
extern const struct shader_read_kernels shader_read_plain;
extern const struct shader_read_kernels shader_read_four;
extern const struct shader_read_kernels shader_read_avx2;
extern const struct shader_read_kernels shader_read_avx512;
const struct shader_read_kernels *shader_read_for(enum base_cpu_level level);

/* What the levels of reads share. */

/* By what the largest sum of texels times weights becomes 1. */
#define SHADER_READ_FACTOR (1.0f / (255.0f * 65536.0f))

/* Squares of steps that count as steps of one texel: rounding makes some of those a little longer.
 */
#define SHADER_READ_ENLARGED 1.002f

/* Where the lanes to the right and below of a quad's upper left lane are. */
enum { SHADER_QUAD_RIGHT = 1, SHADER_QUAD_DOWN = SHADER_TILE_COLUMNS };

/* Those of lanes i..i + SHADER_LANES - 1, with i a multiple of that. */
static inline const float *shader_read_lanes(const struct shader_lanes *lanes, size_t i)
{
    return lanes->at + i / SHADER_LANES * lanes->step;
}

/* A texture's smallest level, as a detail. */
static inline float shader_read_top(const struct shader_texture *texture)
{
    return (float)(texture->levels - 1);
}

/* Limited details of all lanes (SHADER_TILE of them at most) of a texture with several levels.
 * Returns whether some lane is not on the largest level alone; if not, the details have no meaning.
 */
bool shader_read_details_avx2(const struct shader_read *read, float *details);

/* The definition of what a program computes, one 2x2 quad at a time, in plain C.
 * uniforms: SHADER_SLOTS numbers; inputs: of the four pixels, upper left, upper right, lower left,
 * lower right. Where a quad has no pixel that needs it, a part or round is left out. false if the
 * budget ended it or memory is short. */
struct shader_reference {
    const float *uniforms;
    const struct shader_texture *const *textures;
    float input[SHADER_INPUTS][4];
    float ret[3][4];
};
bool shader_reference_run(const struct shader_ir *ir, struct shader_reference *reference);

#endif
