/* What one level of a texture gives to reads on a device (renderer/shader/texture/texture.h). */
#ifndef GPU_SPIRV_LEVEL_H
#define GPU_SPIRV_LEVEL_H

#include "gpu/spirv/lanes.h"
#include "gpu/spirv/read.h"

enum { SPIRV_CHANNELS = 4, SPIRV_AXES = 3 };

/* How it is read. */
struct spirv_level_kind {
    struct shader_sampler sampler;
    bool volume;
    bool opaque;     /* alpha is not read */
    unsigned texels; /* the buffer that they stand in */
};

struct spirv_axis {
    simd_floats scale; /* from turns to places: 256ths of texels; whole ones if nearest */
    simd_words last;   /* clamped, linear: the last place; else the last texel */
};

struct spirv_level {
    struct spirv_axis axis[SPIRV_AXES];
    simd_words depth;
    simd_words pitch;
    simd_words slice;
    simd_words first; /* texel's place in its buffer */
};

/* Red, green, blue and, if it is read, alpha, of 256ths by 256ths. */
struct spirv_sums {
    simd_floats of[SPIRV_CHANNELS];
};

static inline int spirv_channels(const struct spirv_level_kind *kind)
{
    return kind->opaque ? SPIRV_CHANNELS - 1 : SPIRV_CHANNELS;
}

/* That of a texture with one level, as constants. */
struct spirv_level spirv_level_only(const struct spirv_source *source,
                                    const struct spirv_level_kind *kind);
/* The level of that number of a texture whose words stand there; another one for each pixel, or, if
 * the number is made as a single one, the same for all. */
struct spirv_level spirv_level_at(struct spirv *module, uint32_t texture, simd_words number,
                                  const struct spirv_level_kind *kind);
/* One that was made of a single number, for all pixels of a quad. */
struct spirv_level spirv_level_spread(const struct spirv_level *level,
                                      const struct spirv_level_kind *kind);

/* At these coordinates, in turns. */
struct spirv_sums spirv_level_sums(struct spirv *module, const struct spirv_level *level,
                                   const simd_floats at[SPIRV_AXES],
                                   const struct spirv_level_kind *kind);
/* a + (b - a) * weight: a where that is 0, since both are finite and a is not -0. */
struct spirv_sums spirv_sums_mixed(struct spirv_sums a, struct spirv_sums b, simd_floats weight,
                                   const struct spirv_level_kind *kind);

#endif
