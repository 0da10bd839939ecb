/* What the emitter shares: from the list of values to code. */
#ifndef RENDERER_SHADER_CODE_EMIT_H
#define RENDERER_SHADER_CODE_EMIT_H

#include "renderer/shader/code/code.h"

/* Code being made. Until shader_allocate_registers, registers and scalars are numbers, not yet
 * bytes, and there are as many registers as it takes. */
struct shader_code_list {
    struct shader_code *list;
    size_t count;
    size_t capacity;
};

struct shader_emission {
    struct base_arena arena; /* gone when the code is made */
    struct shader_program *program;
    const struct shader_ir *ir;
    shader_place *place;      /* of each value that has one, else SHADER_PLACE_NONE */
    shader_place (*parts)[4]; /* by value: where the components stand, if it is a read */
    shader_value *inner; /* by value: its operand that one operation computes together with it, or
                            SHADER_NO_VALUE */
    bool *fused;         /* by value: it is such an operand and has no code of its own */
    struct shader_code_list frame;
    struct shader_code_list pixel;
    uint32_t registers;
    uint32_t scalars;
};

/* Whether a value is computed once per frame, by the frame program or before it. */
bool shader_emit_is_scalar(const struct shader_instruction *instruction);

/* Appends; what is returned is valid until the next one, NULL without memory. */
struct shader_code *shader_emit_code(struct shader_emission *emission,
                                     struct shader_code_list *list, enum shader_code_op op);

/* The code of a value that computes or reads, its operands placed; sets its place or parts. */
bool shader_emit_value(struct shader_emission *emission, struct shader_code_list *list,
                       shader_value value, shader_place (*new_place)(struct shader_emission *));

/* emit_pixel.c: the pixel program. */
bool shader_emit_pixel(struct shader_emission *emission);

/* registers.c: few registers for many, in bytes; sets program->registers, input and ret. */
bool shader_allocate_registers(struct shader_emission *emission);

#endif
