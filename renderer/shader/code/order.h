/* The order of a stage's operations. */
#ifndef RENDERER_SHADER_CODE_ORDER_H
#define RENDERER_SHADER_CODE_ORDER_H

#include "renderer/shader/code/code.h"

/* Until places are bytes: registers and scalars are numbers, and these have this bit. */
#define SHADER_PLACE_SCALAR UINT32_C(0x80000000)
static inline bool shader_is_register(shader_place place)
{
    return (place & SHADER_PLACE_SCALAR) == 0;
}

/* Changes the order between jumps so that arithmetic stands together in long runs: it waits until a
 * read or a function needs it, or too many numbers wait for it. `ret` are the three registers that
 * are asked for behind the code. False without memory. */
bool shader_order(struct base_arena *arena, struct shader_code *code, size_t count,
                  uint32_t registers, const shader_place ret[3]);

#endif
