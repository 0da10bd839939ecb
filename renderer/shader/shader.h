/* MilkDrop's pixel shaders on the processor. HLSL text becomes a
 * program that runs over tiles of pixels (spec/milk-rendering.md section 9). Compiling may take its
 * time and memory; running allocates nothing and may happen on many threads at once. */
#ifndef RENDERER_SHADER_SHADER_H
#define RENDERER_SHADER_SHADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/text.h"
#include "renderer/shader/ir/stage.h"
#include "renderer/shader/texture/texture.h"

/* A compiled stage; immutable. */
struct shader_program;

/* Compiles the text of a stage. NULL after at least one error message. The text may be freed. */
struct shader_program *shader_compile(enum shader_stage stage, const struct base_source *source,
                                      const struct base_diag_sink *sink);
void shader_free(struct shader_program *program); /* NULL is fine */

/* What the stage reads. Its texture k is bound to textures[k] in shader_frame; slots of
 * texsize_NAME are filled from there. */
size_t shader_bindings(const struct shader_program *program,
                       const struct shader_binding **bindings);
bool shader_reads_input(const struct shader_program *program, enum shader_input input);
int shader_blur_levels(const struct shader_program *program); /* 0..3: the highest one read */

struct shader_stats shader_stats(const struct shader_program *program);

/* The IR as text; arena's memory. NULL without memory. */
struct base_arena;
const char *shader_dump(const struct shader_program *program, struct base_arena *arena);

/* Work memory of a thread that runs programs, 64-byte aligned. */
size_t shader_scratch_size(const struct shader_program *program);

/* What one frame of a stage computes with. Prepared once per frame, then read by all threads.
 * `constants` is memory of shader_constants_size bytes, 64-byte aligned, that the caller owns. */
struct shader_frame {
    const struct shader_program *program;
    enum base_cpu_level cpu;
    const struct shader_texture *textures[SHADER_TEXTURES_MAX]; /* NULL: black */
    float uniforms[SHADER_SLOTS];
    float *constants;
};
size_t shader_constants_size(const struct shader_program *program);

/* Computes what is the same for all pixels. Everything but the memory's content is set already. */
void shader_prepare(struct shader_frame *frame);

/* Inputs and result of a tile. Arrays of SHADER_TILE lanes, 32-byte aligned, in the scratch. The
 * pixels' own places are a grid: SHADER_INPUT_U (in warp SHADER_INPUT_U_ORIG) is the same in both
 * rows, SHADER_INPUT_V (SHADER_INPUT_V_ORIG) along each row. */
struct shader_tile {
    float *input[SHADER_INPUTS]; /* to be filled before a run; NULL: not read */
    const float *ret[3];         /* red, green, blue after the run, not clamped; may be NaN */
    int64_t left;                /* cost that runs may still have; negative: it is used up */
};
/* Makes the scratch ready for runs of a frame that is prepared, and says where inputs and result
 * stand in it, with more left than any run costs. Inputs are to be filled anew for each run. */
struct shader_tile shader_tile(const struct shader_frame *frame, void *scratch);

/* What a tile costs if no loop goes round twice, in about the nanoseconds that it takes with
 * AVX2. */
int64_t shader_cost(const struct shader_program *program);
/* What a tile of this frame, whose textures are set, can cost at most if no loop goes round twice.
 */
int64_t shader_most_cost(const struct shader_frame *frame);

/* The list that the program was made from, which has been through shader_ir_finish. */
struct shader_ir;
const struct shader_ir *shader_list(const struct shader_program *program);

/* Runs the program over a tile, and takes its cost off what is left. Returns false if a loop used
 * up its budget and ended early. If the cost is used up, loops end, `left` becomes negative and the
 * result has no meaning. Bits do not depend on cpu level or thread. */
bool shader_run(const struct shader_frame *frame, void *scratch, struct shader_tile *tile);

#endif
