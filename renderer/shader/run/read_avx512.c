/* Texture reads of sixteen lanes. */
#include "base/simd.h"

#if defined(__AVX512BW__)
#include "renderer/shader/run/kernels.h"
#include "renderer/shader/run/read_texels.h"

BASE_INLINE bool details_of(const struct shader_read *read, float *details)
{
    return shader_read_details_avx2(read, details);
}

#include "renderer/shader/run/read_lanes.h"

/* Few lanes are those of a frame's own code, which runs once. */
static void read_avx512(const struct shader_read *read)
{
    if (read->count < SIMD_LANES) {
        shader_read_avx2.read(read);
    } else {
        read_lanes(read);
    }
}

const struct shader_read_kernels shader_read_avx512 = {.read = read_avx512};
#endif
