/* Texture reads of eight lanes, and details of quads, for AVX-512 too. */
#include "base/simd.h"

#if defined(__AVX2__)
#include "renderer/shader/run/read_texels.h"

#include "renderer/shader/run/read_details.h"
#include "renderer/shader/run/read_lanes.h"

const struct shader_read_kernels shader_read_avx2 = {.read = read_lanes};

bool shader_read_details_avx2(const struct shader_read *read, float *details)
{
    return details_of(read, details);
}
#endif
