#if defined(__x86_64__)
#include "renderer/shader/math_eight.h"

#include "renderer/shader/code.h"
#include "renderer/shader/kernels_body.h"

/* The loops are expanded for each combination of steps, so that these are constants there. What is
 * left over behind whole groups is one vector. */
enum { GROUP = 4, FLOATS = GROUP * SHADER_LANES };

BASE_INLINE void store_group(float *result, __m256 first, __m256 second, __m256 third,
                             __m256 fourth)
{
    _mm256_store_ps(result, first);
    _mm256_store_ps(result + SHADER_LANES, second);
    _mm256_store_ps(result + 2 * SHADER_LANES, third);
    _mm256_store_ps(result + 3 * SHADER_LANES, fourth);
}

BASE_INLINE void loop_1(float *result, const float *a, size_t a_step, size_t count,
                        __m256 (*function)(__m256 a))
{
    for (; count >= FLOATS; count -= FLOATS) {
        const __m256 first = function(_mm256_load_ps(a));
        const __m256 second = function(_mm256_load_ps(a + a_step));
        const __m256 third = function(_mm256_load_ps(a + 2 * a_step));
        const __m256 fourth = function(_mm256_load_ps(a + 3 * a_step));
        store_group(result, first, second, third, fourth);
        result += FLOATS;
        a += GROUP * a_step;
    }
    if (count > 0) {
        _mm256_store_ps(result, function(_mm256_load_ps(a)));
    }
}

BASE_INLINE void loop_2(float *result, const float *a, size_t a_step, const float *b, size_t b_step,
                        size_t count, __m256 (*function)(__m256 a, __m256 b))
{
    for (; count >= FLOATS; count -= FLOATS) {
        const __m256 first = function(_mm256_load_ps(a), _mm256_load_ps(b));
        const __m256 second = function(_mm256_load_ps(a + a_step), _mm256_load_ps(b + b_step));
        const __m256 third =
            function(_mm256_load_ps(a + 2 * a_step), _mm256_load_ps(b + 2 * b_step));
        const __m256 fourth =
            function(_mm256_load_ps(a + 3 * a_step), _mm256_load_ps(b + 3 * b_step));
        store_group(result, first, second, third, fourth);
        result += FLOATS;
        a += GROUP * a_step;
        b += GROUP * b_step;
    }
    if (count > 0) {
        _mm256_store_ps(result, function(_mm256_load_ps(a), _mm256_load_ps(b)));
    }
}

BASE_INLINE void loop_3(float *result, const float *a, size_t a_step, const float *b, size_t b_step,
                        const float *c, size_t c_step, size_t count,
                        __m256 (*function)(__m256 a, __m256 b, __m256 c))
{
    for (; count >= FLOATS; count -= FLOATS) {
        const __m256 first = function(_mm256_load_ps(a), _mm256_load_ps(b), _mm256_load_ps(c));
        const __m256 second = function(_mm256_load_ps(a + a_step), _mm256_load_ps(b + b_step),
                                       _mm256_load_ps(c + c_step));
        const __m256 third =
            function(_mm256_load_ps(a + 2 * a_step), _mm256_load_ps(b + 2 * b_step),
                     _mm256_load_ps(c + 2 * c_step));
        const __m256 fourth =
            function(_mm256_load_ps(a + 3 * a_step), _mm256_load_ps(b + 3 * b_step),
                     _mm256_load_ps(c + 3 * c_step));
        store_group(result, first, second, third, fourth);
        result += FLOATS;
        a += GROUP * a_step;
        b += GROUP * b_step;
        c += GROUP * c_step;
    }
    if (count > 0) {
        _mm256_store_ps(result, function(_mm256_load_ps(a), _mm256_load_ps(b), _mm256_load_ps(c)));
    }
}

BASE_INLINE void each_1(float *result, const struct shader_lanes *arguments, size_t count,
                        __m256 (*function)(__m256 a))
{
    if (arguments[0].step != 0) {
        loop_1(result, arguments[0].at, SHADER_LANES, count, function);
    } else {
        loop_1(result, arguments[0].at, 0, count, function);
    }
}

BASE_INLINE void stepped_2(float *result, const struct shader_lanes *arguments, size_t a_step,
                           size_t count, __m256 (*function)(__m256 a, __m256 b))
{
    const float *a = arguments[0].at;
    const float *b = arguments[1].at;
    if (arguments[1].step != 0) {
        loop_2(result, a, a_step, b, SHADER_LANES, count, function);
    } else {
        loop_2(result, a, a_step, b, 0, count, function);
    }
}

BASE_INLINE void each_2(float *result, const struct shader_lanes *arguments, size_t count,
                        __m256 (*function)(__m256 a, __m256 b))
{
    if (arguments[0].step != 0) {
        stepped_2(result, arguments, SHADER_LANES, count, function);
    } else {
        stepped_2(result, arguments, 0, count, function);
    }
}

BASE_INLINE void stepped_3(float *result, const struct shader_lanes *arguments, size_t a_step,
                           size_t b_step, size_t count,
                           __m256 (*function)(__m256 a, __m256 b, __m256 c))
{
    const float *a = arguments[0].at;
    const float *b = arguments[1].at;
    const float *c = arguments[2].at;
    if (arguments[2].step != 0) {
        loop_3(result, a, a_step, b, b_step, c, SHADER_LANES, count, function);
    } else {
        loop_3(result, a, a_step, b, b_step, c, 0, count, function);
    }
}

BASE_INLINE void each_3(float *result, const struct shader_lanes *arguments, size_t count,
                        __m256 (*function)(__m256 a, __m256 b, __m256 c))
{
    const bool varied = arguments[1].step != 0;
    if (arguments[0].step != 0 && varied) {
        stepped_3(result, arguments, SHADER_LANES, SHADER_LANES, count, function);
    } else if (arguments[0].step != 0) {
        stepped_3(result, arguments, SHADER_LANES, 0, count, function);
    } else if (varied) {
        stepped_3(result, arguments, 0, SHADER_LANES, count, function);
    } else {
        stepped_3(result, arguments, 0, 0, count, function);
    }
}

KERNELS(KERNEL_FUNCTION)

static bool any(const struct shader_lanes *truth, size_t count)
{
    const float *at = truth->at;
    __m256 some = _mm256_load_ps(at);
    for (size_t done = SHADER_LANES; done < count; done += SHADER_LANES) {
        at += truth->step;
        some = _mm256_or_ps(some, _mm256_load_ps(at));
    }
    return _mm256_movemask_ps(some) != 0;
}

static bool all(const struct shader_lanes *truth, size_t count)
{
    const float *at = truth->at;
    __m256 every = _mm256_load_ps(at);
    for (size_t done = SHADER_LANES; done < count; done += SHADER_LANES) {
        at += truth->step;
        every = _mm256_and_ps(every, _mm256_load_ps(at));
    }
    return _mm256_movemask_ps(every) == 0xff;
}

const struct shader_kernels shader_kernels_avx2 = {
    .compute = {KERNELS(KERNEL_ROW)}, .any = any, .all = all};
#endif
