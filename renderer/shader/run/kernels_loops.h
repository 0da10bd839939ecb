/* The executor's operations over the vectors of base/simd.h, which is included before; empty
 * without them. */
#ifndef RENDERER_SHADER_RUN_KERNELS_LOOPS_H
#define RENDERER_SHADER_RUN_KERNELS_LOOPS_H

#if defined(BASE_SIMD)
#include "renderer/shader/run/kernels.h"
#include "renderer/shader/run/kernels_body.h"

/* The loops are expanded for each choice of equal arguments. A tile is worked on in groups of
 * vectors, half a group at a time. */
enum { HALF = 4, GROUP = 2 * HALF, FLOATS = GROUP * SIMD_LANES };
_Static_assert(SHADER_TILE % FLOATS == 0, "whole groups");

/* An argument; what is equal for all lanes is loaded once. */
struct operand {
    const float *at;
    simd_floats equal;
    bool varied;
};

BASE_INLINE struct operand operand_of(const float *numbers, size_t step)
{
    return (struct operand){numbers, step != 0 ? simd_all(0) : simd_load_equal(numbers), step != 0};
}

BASE_INLINE simd_floats vector_of(struct operand operand, size_t vector)
{
    return operand.varied ? simd_load(operand.at + vector * SIMD_LANES) : operand.equal;
}

BASE_INLINE struct operand next_group(struct operand operand)
{
    operand.at += operand.varied ? FLOATS : 0;
    return operand;
}

BASE_INLINE void store_half(float *result, simd_floats first, simd_floats second, simd_floats third,
                            simd_floats fourth)
{
    simd_store(result, first);
    simd_store(result + SIMD_LANES, second);
    simd_store(result + 2 * SIMD_LANES, third);
    simd_store(result + 3 * SIMD_LANES, fourth);
}

BASE_INLINE void half_1(float *result, size_t at, struct operand a,
                        simd_floats (*function)(simd_floats a))
{
    const simd_floats first = function(vector_of(a, at));
    const simd_floats second = function(vector_of(a, at + 1));
    const simd_floats third = function(vector_of(a, at + 2));
    const simd_floats fourth = function(vector_of(a, at + 3));
    store_half(result + at * SIMD_LANES, first, second, third, fourth);
}

BASE_INLINE void loop_1(float *result, const float *a, size_t a_step, size_t count,
                        simd_floats (*function)(simd_floats a))
{
    if (count < SHADER_TILE) {
        for (size_t i = 0; i < SHADER_LANES; i += SIMD_LANES) {
            simd_store_eight(result + i, function(simd_load_eight(a + i)));
        }
        return;
    }
    struct operand first = operand_of(a, a_step);
    for (const float *end = result + SHADER_TILE; result < end; result += FLOATS) {
        half_1(result, 0, first, function);
        half_1(result, HALF, first, function);
        first = next_group(first);
    }
}

BASE_INLINE void half_2(float *result, size_t at, struct operand a, struct operand b,
                        simd_floats (*function)(simd_floats a, simd_floats b))
{
    const simd_floats first = function(vector_of(a, at), vector_of(b, at));
    const simd_floats second = function(vector_of(a, at + 1), vector_of(b, at + 1));
    const simd_floats third = function(vector_of(a, at + 2), vector_of(b, at + 2));
    const simd_floats fourth = function(vector_of(a, at + 3), vector_of(b, at + 3));
    store_half(result + at * SIMD_LANES, first, second, third, fourth);
}

BASE_INLINE void loop_2(float *result, const float *a, size_t a_step, const float *b, size_t b_step,
                        size_t count, simd_floats (*function)(simd_floats a, simd_floats b))
{
    if (count < SHADER_TILE) {
        for (size_t i = 0; i < SHADER_LANES; i += SIMD_LANES) {
            simd_store_eight(result + i, function(simd_load_eight(a + i), simd_load_eight(b + i)));
        }
        return;
    }
    struct operand first = operand_of(a, a_step);
    struct operand second = operand_of(b, b_step);
    for (const float *end = result + SHADER_TILE; result < end; result += FLOATS) {
        half_2(result, 0, first, second, function);
        half_2(result, HALF, first, second, function);
        first = next_group(first);
        second = next_group(second);
    }
}

BASE_INLINE void half_3(float *result, size_t at, struct operand a, struct operand b,
                        struct operand c,
                        simd_floats (*function)(simd_floats a, simd_floats b, simd_floats c))
{
    const simd_floats first = function(vector_of(a, at), vector_of(b, at), vector_of(c, at));
    const simd_floats second =
        function(vector_of(a, at + 1), vector_of(b, at + 1), vector_of(c, at + 1));
    const simd_floats third =
        function(vector_of(a, at + 2), vector_of(b, at + 2), vector_of(c, at + 2));
    const simd_floats fourth =
        function(vector_of(a, at + 3), vector_of(b, at + 3), vector_of(c, at + 3));
    store_half(result + at * SIMD_LANES, first, second, third, fourth);
}

BASE_INLINE void loop_3(float *result, const float *a, size_t a_step, const float *b, size_t b_step,
                        const float *c, size_t c_step, size_t count,
                        simd_floats (*function)(simd_floats a, simd_floats b, simd_floats c))
{
    if (count < SHADER_TILE) {
        for (size_t i = 0; i < SHADER_LANES; i += SIMD_LANES) {
            simd_store_eight(result + i, function(simd_load_eight(a + i), simd_load_eight(b + i),
                                                  simd_load_eight(c + i)));
        }
        return;
    }
    struct operand first = operand_of(a, a_step);
    struct operand second = operand_of(b, b_step);
    struct operand third = operand_of(c, c_step);
    for (const float *end = result + SHADER_TILE; result < end; result += FLOATS) {
        half_3(result, 0, first, second, third, function);
        half_3(result, HALF, first, second, third, function);
        first = next_group(first);
        second = next_group(second);
        third = next_group(third);
    }
}

BASE_INLINE void half_4(float *result, size_t at, struct operand a, struct operand b,
                        struct operand c, struct operand d,
                        simd_floats (*function)(simd_floats a, simd_floats b, simd_floats c,
                                                simd_floats d))
{
    const simd_floats first =
        function(vector_of(a, at), vector_of(b, at), vector_of(c, at), vector_of(d, at));
    const simd_floats second = function(vector_of(a, at + 1), vector_of(b, at + 1),
                                        vector_of(c, at + 1), vector_of(d, at + 1));
    const simd_floats third = function(vector_of(a, at + 2), vector_of(b, at + 2),
                                       vector_of(c, at + 2), vector_of(d, at + 2));
    const simd_floats fourth = function(vector_of(a, at + 3), vector_of(b, at + 3),
                                        vector_of(c, at + 3), vector_of(d, at + 3));
    store_half(result + at * SIMD_LANES, first, second, third, fourth);
}

BASE_INLINE void loop_4(float *result, const float *a, size_t a_step, const float *b, size_t b_step,
                        const float *c, size_t c_step, const float *d, size_t d_step, size_t count,
                        simd_floats (*function)(simd_floats a, simd_floats b, simd_floats c,
                                                simd_floats d))
{
    if (count < SHADER_TILE) {
        for (size_t i = 0; i < SHADER_LANES; i += SIMD_LANES) {
            simd_store_eight(result + i, function(simd_load_eight(a + i), simd_load_eight(b + i),
                                                  simd_load_eight(c + i), simd_load_eight(d + i)));
        }
        return;
    }
    struct operand first = operand_of(a, a_step);
    struct operand second = operand_of(b, b_step);
    struct operand third = operand_of(c, c_step);
    struct operand fourth = operand_of(d, d_step);
    for (const float *end = result + SHADER_TILE; result < end; result += FLOATS) {
        half_4(result, 0, first, second, third, fourth, function);
        half_4(result, HALF, first, second, third, fourth, function);
        first = next_group(first);
        second = next_group(second);
        third = next_group(third);
        fourth = next_group(fourth);
    }
}

KERNELS(KERNEL_FUNCTION)

/* The next eight lanes of truths begin a step later. */
static bool any_lane(const struct shader_lanes *truth, size_t count)
{
    const float *at = truth->at;
    simd_words some = simd_all_words(0);
    for (size_t done = 0; done < count; done += SHADER_LANES) {
        for (size_t i = 0; i < SHADER_LANES; i += SIMD_LANES) {
            some = simd_or(some, simd_as_word(simd_load_eight(at + i)));
        }
        at += truth->step;
    }
    return !simd_all_zero(some);
}

static bool all_lanes(const struct shader_lanes *truth, size_t count)
{
    const float *at = truth->at;
    simd_words every = simd_all_words(UINT32_MAX);
    for (size_t done = 0; done < count; done += SHADER_LANES) {
        for (size_t i = 0; i < SHADER_LANES; i += SIMD_LANES) {
            every = simd_and(every, simd_as_word(simd_load_eight(at + i)));
        }
        at += truth->step;
    }
    return simd_all_zero(simd_xor(every, simd_all_words(UINT32_MAX)));
}
#endif

#endif
