/* What the processor can do, for choosing kernels at run time. */
#ifndef BASE_CPU_H
#define BASE_CPU_H

enum base_cpu_level {
    BASE_CPU_PLAIN, /* portable C */
    BASE_CPU_SSE41,
    BASE_CPU_AVX2,
    BASE_CPU_AVX512, /* F, BW, DQ and VL; what has no kernel of its own takes that of AVX2 */
    BASE_CPU_LEVEL_COUNT,
};

/* The best level of this machine. */
enum base_cpu_level base_cpu_best(void);

const char *base_cpu_level_name(enum base_cpu_level level);

/* BASE_INLINE marks functions that are called with constants as arguments, so that every call
 * becomes code of its own. */

#define BASE_INLINE static inline __attribute__((always_inline))

#endif
