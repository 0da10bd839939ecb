/* Stages of shaders as SPIR-V programs: an invocation computes a quad of 2 x 2 pixels from the
 * list itself (renderer/shader/ir/ir.h), so that a program has the bits of shader_reference_run.
 * What is the same for all pixels is computed on the processor before. */
#ifndef GPU_SPIRV_PROGRAM_H
#define GPU_SPIRV_PROGRAM_H

#include "gpu/spirv/place.h"
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

struct spirv_program;

/* What a program is made for. */
struct spirv_purpose {
    enum spirv_result result;
    bool places; /* inputs are made on the device */
    enum shader_stage stage;
    const struct spirv_source *sources; /* textures by binding */
    struct spirv_controls controls;
};

/* The list has been through shader_ir_finish and must outlive the program. NULL without memory, and
 * where a device does not run it: for its loops, or its length. */
struct spirv_program *spirv_program_create(const struct shader_ir *ir,
                                           const struct spirv_purpose *purpose);
void spirv_program_free(struct spirv_program *program); /* NULL is fine */

const uint32_t *spirv_program_words(const struct spirv_program *program, size_t *count);
/* Words of SPIRV_BUFFER_NUMBERS: enum spirv_number_word, then numbers of the frame. */
size_t spirv_program_numbers(const struct spirv_program *program);
/* The inputs that it reads from SPIRV_BUFFER_INPUTS, in the order in which they stand there. */
size_t spirv_program_inputs(const struct spirv_program *program, const enum shader_input **inputs);

/* Computes what is the same for all pixels of a frame, into the words behind enum
 * spirv_number_word; textures by binding. One thread at a time. */
void spirv_program_fill(struct spirv_program *program, const float *uniforms,
                        const struct shader_texture *const *textures, uint32_t *numbers);

#endif
