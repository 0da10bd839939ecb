#include "renderer/span.h"

static float clamp255(float x)
{
    x = x > 0.0f ? x : 0.0f;
    return x < 255.0f ? x : 255.0f;
}

void rend_span_plain(const struct rend_span *span, const uint32_t *texels, uint32_t *pixels,
                     size_t count)
{
    const float per_255 = 1.0f / 255.0f;
    for (size_t i = 0; i < count; i++) {
        const float at = (float)(int32_t)i;
        const float alpha =
            clamp255(span->start[REND_SPAN_ALPHA] + at * span->step[REND_SPAN_ALPHA]) * per_255;
        const float rest = 1.0f - alpha;
        const float kept = span->keep > rest ? span->keep : rest;
        uint32_t pixel = 0;
        for (unsigned k = 0; k < REND_SPAN_ALPHA; k++) {
            float colour = clamp255(span->start[k] + at * span->step[k]);
            if (texels != NULL) {
                colour = colour * ((float)(int32_t)((texels[i] >> (8 * k)) & 255) * per_255);
            }
            const float dst = (float)(int32_t)((pixels[i] >> (8 * k)) & 255);
            const float sum = dst * kept + colour * alpha;
            pixel |= (uint32_t)(int32_t)((sum < 255.0f ? sum : 255.0f) + 0.5f) << (8 * k);
        }
        pixels[i] = pixel;
    }
}

rend_span_row rend_span_for(enum base_cpu_level level)
{
#if defined(__x86_64__)
    if (level >= BASE_CPU_AVX2) {
        return rend_span_avx2;
    }
#endif
    (void)level;
    return rend_span_plain;
}
