/* The texts of tmu/arch/, in alphabetical order; written by the build (tools/embed_text.cmake). */
#ifndef TMU_ARCH_TEXTS_H
#define TMU_ARCH_TEXTS_H

#include <stddef.h>

struct tmu_arch_text {
    const char *name;
    const char *text;
};

extern const struct tmu_arch_text tmu_arch_texts[];
extern const size_t tmu_arch_texts_count;

#endif
