/* Pixel kernels behind one function table. The plain C versions are the definition; the others
 * equal them bit for bit (tests/unit/test_tmu_kernels.c). */
#ifndef TMU_KERNELS_H
#define TMU_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "tmu/tmu.h"

/* Texture coordinates in turns: TMU_TURN is one width or height of the texture, measured from the
 * centre of texel 0. In wrap mode only the low bits count, so coordinates may overflow freely. */
enum { TMU_TURN_BITS = 28, TMU_TURN = 1 << TMU_TURN_BITS, TMU_FRACTION_BITS = 8 };

struct tmu_sampler {
    const uint32_t *pixels; /* guard filled for the kernel's address mode */
    uint32_t stride;
    uint32_t width;
    uint32_t height;
    uint32_t decay; /* 0..255 */
};

/* dst[i] = decay(bilinear(u[i], v[i])) for i in 0..count-1.
 *
 * Position: p = ((u mod TURN) * width + 2^19) >> 20 when wrapping; clamped, the same of max(u, 0)
 * and at most 256 * (width - 1). The texel's column is p >> 8, the fraction p & 255; rows likewise.
 *
 * Value: texel = (sum of the four weighted neighbours + 32768) >> 16, then
 * pixel = (texel * decay + 127) / 255.
 *
 * dst may be written up to the next multiple of 8 pixels; u and v are readable that far. */
typedef void (*tmu_sample_row)(uint32_t *dst, const int32_t *u, const int32_t *v, size_t count,
                               const struct tmu_sampler *sampler);

/* out[i] = start + i * step modulo 2^32; may write up to the next multiple of 8. */
typedef void (*tmu_ramp)(int32_t *out, uint32_t start, uint32_t step, size_t count);

struct tmu_kernels {
    tmu_sample_row wrap;
    tmu_sample_row clamp;
    tmu_ramp ramp;
};

extern const struct tmu_kernels tmu_kernels_plain;
extern const struct tmu_kernels tmu_kernels_sse41;
extern const struct tmu_kernels tmu_kernels_avx2;

#endif
