/* Mixing of 0x00RRGGBB colours, all channels at once. */
#ifndef UI_BLEND_H
#define UI_BLEND_H

#include <stdint.h>

/* The channels 16 bits apart. */
static inline uint64_t ui_blend_spread(uint32_t colour)
{
    return (uint64_t)(colour & 0xFF0000) << 16 | (uint64_t)(colour & 0xFF00) << 8 | (colour & 0xFF);
}

/* round(sum / 255) for sums of products that are at most 255 * 255 in each channel */
static inline uint32_t ui_blend_gather(uint64_t sums)
{
    sums += 0x008000800080;
    const uint64_t means = (sums + (sums >> 8 & 0x00FF00FF00FF)) >> 8 & 0x00FF00FF00FF;
    return (uint32_t)(means >> 16 & 0xFF0000) | (uint32_t)(means >> 8 & 0xFF00) |
           (uint32_t)(means & 0xFF);
}

/* alpha 0: below .. 255: above */
static inline uint32_t ui_blend(uint32_t below, uint32_t above, uint32_t alpha)
{
    return ui_blend_gather(ui_blend_spread(below) * (255 - alpha) + ui_blend_spread(above) * alpha);
}

#endif
