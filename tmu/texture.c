/* Where texels lie in a texture's memory and how they are read. */
#include "tmu/texture.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The number of a texel in the texture's memory is a part for its row and a part for its column. */
static inline size_t tmu_texture_line(const struct tmu_texture *texture,
                                      const struct tmu_texture_level *level, uint32_t y)
{
    const uint32_t side = TMU_TEXTURE_TILE;
    if (texture->form.layout == TMU_TEXTURE_ROWS) {
        return level->first + level->pitch * y;
    }
    return level->first + level->pitch * (y / side) + y % side * side;
}

static inline size_t tmu_texture_column(const struct tmu_texture *texture, uint32_t x)
{
    const uint32_t side = TMU_TEXTURE_TILE;
    return texture->form.layout == TMU_TEXTURE_ROWS ? x : x / side * (side * side) + x % side;
}

static inline size_t tmu_texture_texel(const struct tmu_texture *texture,
                                       const struct tmu_texture_level *level, uint32_t x,
                                       uint32_t y)
{
    return tmu_texture_line(texture, level, y) + tmu_texture_column(texture, x);
}

/* A colour, or an index. */
static inline uint32_t tmu_texture_read(const struct tmu_texture *texture, size_t texel)
{
    uint32_t color;
    switch (texture->form.format) {
    case TMU_TEXTURE_INDEX8:
        return texture->texels[texel];
    case TMU_TEXTURE_INDEX4:
        return texture->texels[texel / 2] >> 4 * (texel % 2) & 15;
    case TMU_TEXTURE_COLOR:
        break;
    }
    memcpy(&color, texture->texels + texel * sizeof color, sizeof color);
    return color;
}

enum { CHANNELS = 4 };

static int halved(int size, int times)
{
    return size >> times > 0 ? size >> times : 1;
}

static size_t whole_tiles(int size)
{
    return ((size_t)size + TMU_TEXTURE_TILE - 1) / TMU_TEXTURE_TILE;
}

int tmu_texture_levels(int width, int height)
{
    assert(width >= 1 && width <= TMU_SIZE_MAX && height >= 1 && height <= TMU_SIZE_MAX);
    return (int)tmu_texture_log2((uint32_t)(width > height ? width : height)) + 1;
}

static unsigned bits_of(enum tmu_texture_format format)
{
    switch (format) {
    case TMU_TEXTURE_INDEX8:
        return 8;
    case TMU_TEXTURE_INDEX4:
        return 4;
    case TMU_TEXTURE_COLOR:
        break;
    }
    return 32;
}

struct tmu_texture tmu_texture_create(const struct tmu_texture_form *form)
{
    struct tmu_texture texture = {.form = *form};
    const int most = tmu_texture_levels(form->width, form->height);
    assert(form->levels >= 0 && form->levels <= most);
    if (form->levels == 0) {
        texture.form.levels = most;
    }
    size_t texels = 0;
    for (int i = texture.form.levels; i-- > 0;) {
        struct tmu_texture_level *level = &texture.level[i];
        *level = (struct tmu_texture_level){
            .width = halved(form->width, i), .height = halved(form->height, i), .first = texels};
        if (form->layout == TMU_TEXTURE_ROWS) {
            level->pitch = (size_t)level->width;
            texels += level->pitch * (size_t)level->height;
        } else {
            level->pitch = whole_tiles(level->width) * TMU_TEXTURE_TILE * TMU_TEXTURE_TILE;
            texels += level->pitch * whole_tiles(level->height);
        }
    }
    texture.bytes = (texels * bits_of(form->format) + 7) / 8;
    texture.texels = calloc(texture.bytes, 1);
    return texture;
}

void tmu_texture_free(struct tmu_texture *texture)
{
    free(texture->texels);
    texture->texels = NULL;
}

static const struct tmu_texture_level *level_of(const struct tmu_texture *texture, int level)
{
    assert(level >= 0 && level < texture->form.levels);
    return &texture->level[level];
}

size_t tmu_texture_bit(const struct tmu_texture *texture, int level, int x, int y)
{
    const struct tmu_texture_level *place = level_of(texture, level);
    assert(x >= 0 && x < place->width && y >= 0 && y < place->height);
    return tmu_texture_texel(texture, place, (uint32_t)x, (uint32_t)y) *
           bits_of(texture->form.format);
}

static void write_texel(struct tmu_texture *texture, size_t texel, uint32_t value)
{
    uint8_t *byte;
    switch (texture->form.format) {
    case TMU_TEXTURE_INDEX8:
        texture->texels[texel] = (uint8_t)value;
        break;
    case TMU_TEXTURE_INDEX4:
        byte = &texture->texels[texel / 2];
        *byte = (uint8_t)(texel % 2 == 0 ? (*byte & 0xF0) | (value & 15)
                                         : (*byte & 15) | (value & 15) << 4);
        break;
    case TMU_TEXTURE_COLOR:
        memcpy(texture->texels + texel * sizeof value, &value, sizeof value);
        break;
    }
}

void tmu_texture_put(struct tmu_texture *texture, int level, const uint32_t *pixels, size_t stride)
{
    const struct tmu_texture_level *place = level_of(texture, level);
    for (uint32_t y = 0; y < (uint32_t)place->height; y++) {
        for (uint32_t x = 0; x < (uint32_t)place->width; x++) {
            write_texel(texture, tmu_texture_texel(texture, place, x, y), pixels[y * stride + x]);
        }
    }
}

void tmu_texture_get(const struct tmu_texture *texture, int level, uint32_t *pixels, size_t stride)
{
    const struct tmu_texture_level *place = level_of(texture, level);
    for (uint32_t y = 0; y < (uint32_t)place->height; y++) {
        for (uint32_t x = 0; x < (uint32_t)place->width; x++) {
            pixels[y * stride + x] =
                tmu_texture_read(texture, tmu_texture_texel(texture, place, x, y));
        }
    }
}

static uint32_t mean_of(const struct tmu_texture *texture, const struct tmu_texture_level *large,
                        const struct tmu_cover *across, const struct tmu_cover *down)
{
    struct tmu_sums sums = {{0}};
    for (uint32_t j = 0; j < down->count; j++) {
        for (uint32_t i = 0; i < across->count; i++) {
            const size_t texel =
                tmu_texture_texel(texture, large, across->first + i, down->first + j);
            tmu_sums_add(&sums, tmu_texture_read(texture, texel),
                         (uint64_t)across->weight[i] * down->weight[j]);
        }
    }
    return tmu_sums_mean(&sums, (uint64_t)large->width * (uint64_t)large->height);
}

void tmu_texture_reduce(struct tmu_texture *texture)
{
    assert(texture->form.format == TMU_TEXTURE_COLOR);
    for (int i = 1; i < texture->form.levels; i++) {
        const struct tmu_texture_level *large = &texture->level[i - 1];
        const struct tmu_texture_level *small = &texture->level[i];
        for (uint32_t y = 0; y < (uint32_t)small->height; y++) {
            const struct tmu_cover down =
                tmu_cover_of(y, (uint32_t)small->height, (uint32_t)large->height);
            for (uint32_t x = 0; x < (uint32_t)small->width; x++) {
                const struct tmu_cover across =
                    tmu_cover_of(x, (uint32_t)small->width, (uint32_t)large->width);
                write_texel(texture, tmu_texture_texel(texture, small, x, y),
                            mean_of(texture, large, &across, &down));
            }
        }
    }
}

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

static uint32_t lerp(uint32_t a, uint32_t b, uint32_t fraction)
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

static uint32_t sample(const struct tmu_texture *texture, const struct tmu_texture_sampler *sampler,
                       int32_t u, int32_t v, uint32_t detail)
{
    const struct tmu_texture_level *level = level_at(texture, (detail + ONE / 2) / ONE);
    switch (sampler->filter) {
    case TMU_TEXTURE_BILINEAR:
        return bilinear(texture, level, sampler, u, v);
    case TMU_TEXTURE_TRILINEAR: {
        const struct tmu_texture_level *fine = level_at(texture, detail / ONE);
        const struct tmu_texture_level *coarse = level_at(texture, detail / ONE + 1);
        const uint32_t color = bilinear(texture, fine, sampler, u, v);
        if (detail % ONE == 0 || fine == coarse) {
            return color;
        }
        return lerp(color, bilinear(texture, coarse, sampler, u, v), detail % ONE);
    }
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
