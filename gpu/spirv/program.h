/* Stages of shaders as SPIR-V programs: an invocation computes a quad of 2 x 2 pixels from the
 * list itself (renderer/shader/ir/ir.h), so that a program has the bits of shader_reference_run.
 * What is the same for all pixels is computed on the processor before. */
#ifndef GPU_SPIRV_PROGRAM_H
#define GPU_SPIRV_PROGRAM_H

#include "gpu/spirv/read.h"
#include "gpu/spirv/words.h"
#include "renderer/shader/ir/ir.h"

/* What an invocation writes for each pixel. */
enum spirv_result {
    SPIRV_PIXELS, /* one word, 0x00RRGGBB */
    SPIRV_NUMBERS /* three floats, red, green, blue, of the quad's pixels one after the other */
};

/* Quads along x and y, in groups of so many along x. */
enum { SPIRV_GROUP = 64, SPIRV_LENGTH_MAX = 1 << 14 };

/* Words of SPIRV_BUFFER_NUMBERS; behind them, numbers of the frame. */
enum spirv_number_word {
    SPIRV_NUMBER_PITCH, /* pixels of a row, of inputs and results */
    SPIRV_NUMBER_PLANE, /* words from an input to the next one */
    SPIRV_NUMBER_FIRST
};

struct spirv_program;

/* The list has been through shader_ir_finish and must outlive the program. NULL without memory, and
 * where a device does not run it: for its loops, or its length. */
struct spirv_program *spirv_program_create(const struct shader_ir *ir, enum spirv_result result,
                                           struct spirv_controls controls);
void spirv_program_free(struct spirv_program *program); /* NULL is fine */

const uint32_t *spirv_program_words(const struct spirv_program *program, size_t *count);
/* Words of SPIRV_BUFFER_NUMBERS. */
size_t spirv_program_numbers(const struct spirv_program *program);
/* The inputs that it reads, in the order in which they stand in SPIRV_BUFFER_INPUTS. */
size_t spirv_program_inputs(const struct spirv_program *program, const enum shader_input **inputs);

/* Computes what is the same for all pixels of a frame; textures by binding. One thread at a time.
 */
void spirv_program_fill(struct spirv_program *program, const float *uniforms,
                        const struct shader_texture *const *textures, uint32_t pitch, uint32_t rows,
                        uint32_t *numbers);

#endif
