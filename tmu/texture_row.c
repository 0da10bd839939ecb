#include "tmu/texture_texel.h"

enum { SHIFT = TMU_TEXTURE_TURN_BITS - 8, ONE = 256 };

/* Two channels of a colour, 32 bits apart. */
static const uint64_t low_channel = 0x000000FF000000FF;

/* Along one axis: two neighbours and how far the place lies from the first to the second. */
struct axis {
    uint32_t near;
    uint32_t far;
    uint32_t fraction; /* of 256 */
};

/* Brought to 0..TURN; wrapped, TURN itself does not occur. */
static inline uint32_t folded(int32_t turns, enum tmu_address address)
{
    const uint32_t turn = TMU_TEXTURE_TURN;
    if (address == TMU_WRAP) {
        return (uint32_t)turns & (turn - 1);
    }
    if (address == TMU_MIRROR) {
        const uint32_t twice = (uint32_t)turns & (2 * turn - 1);
        return twice > turn ? 2 * turn - twice : twice;
    }
    const uint32_t from_zero = turns < 0 ? 0 : (uint32_t)turns;
    return from_zero < turn ? from_zero : turn;
}

static inline struct axis between(int32_t turns, uint32_t size, enum tmu_address address)
{
    const uint64_t along = (uint64_t)folded(turns, address) * size;
    const uint32_t position = (uint32_t)((along + (1u << (SHIFT - 1))) >> SHIFT) + ONE / 2;
    const uint32_t far = position / ONE; /* 0..size, and so one more than near */
    const uint32_t last = size - 1;
    const bool wraps = address == TMU_WRAP;
    return (struct axis){
        .near = far > 0 ? far - 1
                : wraps ? last
                        : 0,
        .far = far < size ? far
               : wraps    ? 0
                          : last,
        .fraction = position % ONE,
    };
}

static uint32_t nearest(int32_t turns, uint32_t size, enum tmu_address address)
{
    const uint64_t along = (uint64_t)folded(turns, address) * size;
    const uint32_t texel = (uint32_t)(along >> TMU_TEXTURE_TURN_BITS);
    return texel < size ? texel : size - 1;
}

static inline uint32_t color_of(const struct tmu_texture *texture, size_t texel)
{
    const uint32_t value = tmu_texture_read(texture, texel);
    return texture->form.format == TMU_TEXTURE_COLOR ? value : texture->palette[value];
}

/* Channels 0 and 2, moved 32 bits apart; of color >> 8: channels 1 and 3. */
static uint64_t spread(uint32_t color)
{
    return ((uint64_t)color << 16 | color) & low_channel;
}

static uint32_t gathered(uint64_t even, uint64_t odd)
{
    even &= low_channel;
    odd &= low_channel;
    return (uint32_t)(even | even >> 16) | (uint32_t)(odd | odd >> 16) << 8;
}

static uint32_t bilinear(const struct tmu_texture *texture, const struct tmu_texture_level *level,
                         const struct tmu_texture_sampler *sampler, int32_t u, int32_t v)
{
    const struct axis x = between(u, (uint32_t)level->width, sampler->address_x);
    const struct axis y = between(v, (uint32_t)level->height, sampler->address_y);
    const size_t upper = tmu_texture_line(texture, level, y.near);
    const size_t lower = tmu_texture_line(texture, level, y.far);
    const size_t left = tmu_texture_column(texture, x.near);
    const size_t right = tmu_texture_column(texture, x.far);
    const uint32_t a = color_of(texture, upper + left);
    const uint32_t b = color_of(texture, upper + right);
    const uint32_t c = color_of(texture, lower + left);
    const uint32_t d = color_of(texture, lower + right);
    const uint32_t weight_b = x.fraction * (ONE - y.fraction);
    const uint32_t weight_c = (ONE - x.fraction) * y.fraction;
    const uint32_t weight_d = x.fraction * y.fraction;
    const uint32_t weight_a = ONE * ONE - weight_b - weight_c - weight_d;
    const uint64_t half = 0x0000800000008000;
    const uint64_t even = spread(a) * weight_a + spread(b) * weight_b + spread(c) * weight_c +
                          spread(d) * weight_d + half;
    const uint64_t odd = spread(a >> 8) * weight_a + spread(b >> 8) * weight_b +
                         spread(c >> 8) * weight_c + spread(d >> 8) * weight_d + half;
    return gathered(even >> 16, odd >> 16);
}

static uint32_t mixed(uint32_t a, uint32_t b, uint32_t fraction)
{
    const uint64_t half = 0x0000008000000080;
    const uint64_t even = spread(a) * (ONE - fraction) + spread(b) * fraction + half;
    const uint64_t odd = spread(a >> 8) * (ONE - fraction) + spread(b >> 8) * fraction + half;
    return gathered(even >> 8, odd >> 8);
}

static const struct tmu_texture_level *level_at(const struct tmu_texture *texture, uint32_t number)
{
    const uint32_t last = (uint32_t)texture->form.levels - 1;
    return &texture->level[number < last ? number : last];
}

static uint32_t trilinear(const struct tmu_texture *texture,
                          const struct tmu_texture_sampler *sampler, int32_t u, int32_t v,
                          uint32_t detail)
{
    const struct tmu_texture_level *fine = level_at(texture, detail / ONE);
    const struct tmu_texture_level *coarse = level_at(texture, detail / ONE + 1);
    const uint32_t color = bilinear(texture, fine, sampler, u, v);
    if (detail % ONE == 0 || fine == coarse) {
        return color;
    }
    return mixed(color, bilinear(texture, coarse, sampler, u, v), detail % ONE);
}

static uint32_t sample(const struct tmu_texture *texture, const struct tmu_texture_sampler *sampler,
                       int32_t u, int32_t v, uint32_t detail)
{
    const struct tmu_texture_level *level = level_at(texture, (detail + ONE / 2) / ONE);
    switch (sampler->filter) {
    case TMU_TEXTURE_BILINEAR:
        return bilinear(texture, level, sampler, u, v);
    case TMU_TEXTURE_TRILINEAR:
        return trilinear(texture, sampler, u, v, detail);
    case TMU_TEXTURE_NEAREST:
        break;
    }
    const uint32_t x = nearest(u, (uint32_t)level->width, sampler->address_x);
    const uint32_t y = nearest(v, (uint32_t)level->height, sampler->address_y);
    return color_of(texture, tmu_texture_texel(texture, level, x, y));
}

void tmu_texture_row(uint32_t *dst, const struct tmu_texture *texture,
                     const struct tmu_texture_sampler *sampler, const int32_t *u, const int32_t *v,
                     const uint16_t *detail, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        dst[i] = sample(texture, sampler, u[i], v[i], detail == NULL ? 0 : detail[i]);
    }
}
