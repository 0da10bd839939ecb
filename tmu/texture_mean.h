/* Smaller levels of textures: means over the area under a texel. */
#ifndef TMU_TEXTURE_MEAN_H
#define TMU_TEXTURE_MEAN_H

#include <assert.h>
#include <stdint.h>

/* The texels of the larger level that lie under one texel of the smaller one, along one axis. The
 * axis is measured in units of which a large texel has as many as there are small texels. */
struct tmu_cover {
    uint32_t first;
    uint32_t count; /* 1..3 */
    uint32_t weight[3];
};

static inline struct tmu_cover tmu_cover_of(uint32_t small, uint32_t small_size,
                                            uint32_t large_size)
{
    const uint32_t from = small * large_size;
    const uint32_t to = from + large_size;
    struct tmu_cover cover = {.first = from / small_size};
    for (uint32_t at = cover.first * small_size; at < to; at += small_size) {
        const uint32_t begin = at > from ? at : from;
        const uint32_t end = at + small_size < to ? at + small_size : to;
        assert(cover.count < 3);
        cover.weight[cover.count++] = end - begin;
    }
    return cover;
}

enum { TMU_SUM_CHANNELS = 4 };

struct tmu_sums {
    uint64_t channel[TMU_SUM_CHANNELS];
};

static inline void tmu_sums_add(struct tmu_sums *sums, uint32_t color, uint64_t weight)
{
    for (unsigned i = 0; i < TMU_SUM_CHANNELS; i++) {
        sums->channel[i] += (color >> 8 * i & 255) * weight;
    }
}

/* Each channel by the whole weight, halves up. */
static inline uint32_t tmu_sums_mean(const struct tmu_sums *sums, uint64_t whole)
{
    uint32_t color = 0;
    for (unsigned i = 0; i < TMU_SUM_CHANNELS; i++) {
        color |= (uint32_t)((2 * sums->channel[i] + whole) / (2 * whole)) << 8 * i;
    }
    return color;
}

#endif
