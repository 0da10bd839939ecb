#include "base/cpu.h"

#include <assert.h>

enum base_cpu_level base_cpu_best(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("bmi2")) {
        return BASE_CPU_AVX512;
    }
    if (__builtin_cpu_supports("avx2")) {
        return BASE_CPU_AVX2;
    }
    if (__builtin_cpu_supports("sse4.1")) {
        return BASE_CPU_FOUR;
    }
#elif defined(BASE_CPU_NEON)
    return BASE_CPU_FOUR;
#endif
    return BASE_CPU_PLAIN;
}

const char *base_cpu_level_name(enum base_cpu_level level)
{
#if defined(BASE_CPU_NEON)
    static const char *const names[BASE_CPU_LEVEL_COUNT] = {"plain", "neon", "avx2", "avx512"};
#else
    static const char *const names[BASE_CPU_LEVEL_COUNT] = {"plain", "sse41", "avx2", "avx512"};
#endif
    assert(level < BASE_CPU_LEVEL_COUNT);
    return names[level];
}
