/* What the processor can do, for choosing kernels at run time. */
#ifndef BASE_CPU_H
#define BASE_CPU_H

enum base_cpu_level {
    BASE_CPU_PLAIN, /* portable C */
    BASE_CPU_FOUR,  /* vectors of four words: SSE4.1, on arm64 NEON */
    BASE_CPU_AVX2,
    BASE_CPU_AVX512, /* F, BW, DQ and VL; what has no kernel of its own takes that of AVX2 */
    BASE_CPU_LEVEL_COUNT,
};

/* The best level of this machine. */
enum base_cpu_level base_cpu_best(void);

const char *base_cpu_level_name(enum base_cpu_level level);

/* arm64 has them always. */
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BASE_CPU_NEON
#endif

/* Of what is given for each level, what there is on this kind of processor: values of an array of
 * BASE_CPU_LEVEL_COUNT. */
#if defined(__x86_64__)
#define BASE_CPU_LEVELS(plain, four, avx2, avx512)                                                 \
    {                                                                                              \
        plain, four, avx2, avx512                                                                  \
    }
#elif defined(BASE_CPU_NEON)
#define BASE_CPU_LEVELS(plain, four, avx2, avx512)                                                 \
    {                                                                                              \
        plain, four, four, four                                                                    \
    }
#else
#define BASE_CPU_LEVELS(plain, four, avx2, avx512)                                                 \
    {                                                                                              \
        plain, plain, plain, plain                                                                 \
    }
#endif

/* BASE_INLINE marks functions that are called with constants as arguments, so that every call
 * becomes code of its own. */

#define BASE_INLINE static inline __attribute__((always_inline))

#endif
