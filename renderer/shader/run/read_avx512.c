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

/* Texels that lie apart are loaded one by one for each width, and sixteen of them take longer to
 * put into order than two times eight: many processors have but one unit for that. */
static bool is_for_eight(const struct shader_read *read)
{
    const struct shader_texture *texture = read->texture;
    return read->count < SIMD_LANES ||
           (texture != NULL && read->sampler.linear && !(read->grid && texture->levels == 1) &&
            !may_be_in_line(read, texture->level[0].width, texture->level[0].height));
}

static void read_avx512(const struct shader_read *read)
{
    if (is_for_eight(read)) {
        shader_read_avx2.read(read);
    } else {
        read_lanes(read);
    }
}

const struct shader_read_kernels shader_read_avx512 = {.read = read_avx512};
#endif
