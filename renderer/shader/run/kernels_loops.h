/* The executor's operations over the vectors of base/simd.h, which is included before; empty
 * without them. */
#ifndef RENDERER_SHADER_RUN_KERNELS_LOOPS_H
#define RENDERER_SHADER_RUN_KERNELS_LOOPS_H

#if defined(BASE_SIMD)
#include "renderer/shader/run/kernels.h"
#include "renderer/shader/run/kernels_body.h"

/* The loops are expanded for each combination of steps, so that these are constants there. What is
 * left over behind whole groups is eight lanes. */
enum { GROUP = 4, FLOATS = GROUP * SIMD_LANES, REST = SHADER_LANES };

BASE_INLINE simd_floats lanes_at(const float *numbers, size_t step, size_t vector)
{
    return step != 0 ? simd_load(numbers + vector * SIMD_LANES) : simd_load_equal(numbers);
}

/* What to add to a place to come to the next group. */
BASE_INLINE size_t group_of(size_t step)
{
    return step != 0 ? FLOATS : 0;
}

BASE_INLINE void store_group(float *result, simd_floats first, simd_floats second,
                             simd_floats third, simd_floats fourth)
{
    simd_store(result, first);
    simd_store(result + SIMD_LANES, second);
    simd_store(result + 2 * SIMD_LANES, third);
    simd_store(result + 3 * SIMD_LANES, fourth);
}

BASE_INLINE void loop_1(float *result, const float *a, size_t a_step, size_t count,
                        simd_floats (*function)(simd_floats a))
{
    for (; count >= FLOATS; count -= FLOATS) {
        const simd_floats first = function(lanes_at(a, a_step, 0));
        const simd_floats second = function(lanes_at(a, a_step, 1));
        const simd_floats third = function(lanes_at(a, a_step, 2));
        const simd_floats fourth = function(lanes_at(a, a_step, 3));
        store_group(result, first, second, third, fourth);
        result += FLOATS;
        a += group_of(a_step);
    }
    for (size_t i = 0; count > 0 && i < REST; i += SIMD_LANES) {
        simd_store_eight(result + i, function(simd_load_eight(a + i)));
    }
}

BASE_INLINE void loop_2(float *result, const float *a, size_t a_step, const float *b, size_t b_step,
                        size_t count, simd_floats (*function)(simd_floats a, simd_floats b))
{
    for (; count >= FLOATS; count -= FLOATS) {
        const simd_floats first = function(lanes_at(a, a_step, 0), lanes_at(b, b_step, 0));
        const simd_floats second = function(lanes_at(a, a_step, 1), lanes_at(b, b_step, 1));
        const simd_floats third = function(lanes_at(a, a_step, 2), lanes_at(b, b_step, 2));
        const simd_floats fourth = function(lanes_at(a, a_step, 3), lanes_at(b, b_step, 3));
        store_group(result, first, second, third, fourth);
        result += FLOATS;
        a += group_of(a_step);
        b += group_of(b_step);
    }
    for (size_t i = 0; count > 0 && i < REST; i += SIMD_LANES) {
        simd_store_eight(result + i, function(simd_load_eight(a + i), simd_load_eight(b + i)));
    }
}

BASE_INLINE void loop_3(float *result, const float *a, size_t a_step, const float *b, size_t b_step,
                        const float *c, size_t c_step, size_t count,
                        simd_floats (*function)(simd_floats a, simd_floats b, simd_floats c))
{
    for (; count >= FLOATS; count -= FLOATS) {
        const simd_floats first =
            function(lanes_at(a, a_step, 0), lanes_at(b, b_step, 0), lanes_at(c, c_step, 0));
        const simd_floats second =
            function(lanes_at(a, a_step, 1), lanes_at(b, b_step, 1), lanes_at(c, c_step, 1));
        const simd_floats third =
            function(lanes_at(a, a_step, 2), lanes_at(b, b_step, 2), lanes_at(c, c_step, 2));
        const simd_floats fourth =
            function(lanes_at(a, a_step, 3), lanes_at(b, b_step, 3), lanes_at(c, c_step, 3));
        store_group(result, first, second, third, fourth);
        result += FLOATS;
        a += group_of(a_step);
        b += group_of(b_step);
        c += group_of(c_step);
    }
    for (size_t i = 0; count > 0 && i < REST; i += SIMD_LANES) {
        simd_store_eight(result + i, function(simd_load_eight(a + i), simd_load_eight(b + i),
                                              simd_load_eight(c + i)));
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
