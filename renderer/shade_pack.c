#include "renderer/shade_pack.h"

static uint32_t level_of(float value)
{
    const float positive = value > 0 ? value : 0;
    const float limited = positive < 1 ? positive : 1;
    return (uint32_t)(int32_t)(limited * 255 + 0.5f);
}

void rend_shade_pack_plain(uint32_t *pixels, const float *const ret[3], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pixels[i] = level_of(ret[0][i]) << 16 | level_of(ret[1][i]) << 8 | level_of(ret[2][i]);
    }
}

rend_shade_pack rend_shade_pack_for(enum base_cpu_level level)
{
#if defined(__x86_64__)
    if (level >= BASE_CPU_AVX2) {
        return rend_shade_pack_avx2;
    }
#endif
    (void)level;
    return rend_shade_pack_plain;
}
