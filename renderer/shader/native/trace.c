/* The steps of each operation: its text, carried out over lanes that write down what is done. */
#include "renderer/shader/native/lanes.h"

#include "renderer/shader/run/kernels_body.h"

uint16_t native_add(struct native_list *list, const struct native_step *step)
{
    if (list->count == NATIVE_STEPS_MOST) {
        list->failed = true;
        return 0;
    }
    struct native_step *added = &list->step[list->count];
    *added = *step;
    added->first = NATIVE_NEVER;
    return (uint16_t)list->count++;
}

uint16_t native_number(struct native_list *list, uint32_t bits)
{
    const struct native_step number = {
        .op = NATIVE_NUMBER,
        .place = SHADER_PLACE_NONE,
        .number = bits,
        .operand = {NATIVE_NONE, NATIVE_NONE, NATIVE_NONE},
    };
    return native_add(list, &number);
}

#define TRACE_1(function) function(a)
#define TRACE_2(function) function(a, b)
#define TRACE_3(function) function(a, b, c)
#define TRACE_4(function) function(a, b, c, d)
#define TRACE(arguments_count, NAME, word, function)                                               \
    case SHADER_CODE_##NAME:                                                                       \
        return (uint16_t)TRACE_##arguments_count(function).name;

uint16_t native_trace(struct native_list *list, enum shader_code_op op, const uint16_t *arguments)
{
    const simd_floats a = {list, arguments[0]};
    const simd_floats b = {list, arguments[1]};
    const simd_floats c = {list, arguments[2]};
    const simd_floats d = {list, arguments[3]};
    switch (op) {
        KERNELS(TRACE)
    default:
        assert(false);
        return 0;
    }
}
