#include "tmu/texture_mean.h"
#include "tmu/texture_texel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

/* Places level number i at texel `first`. Returns its texels. */
static size_t place_level(struct tmu_texture *texture, int i, size_t first)
{
    struct tmu_texture_level *level = &texture->level[i];
    *level = (struct tmu_texture_level){
        .width = halved(texture->form.width, i),
        .height = halved(texture->form.height, i),
        .first = first,
    };
    if (texture->form.layout == TMU_TEXTURE_ROWS) {
        level->pitch = (size_t)level->width;
        return level->pitch * (size_t)level->height;
    }
    level->pitch = whole_tiles(level->width) * TMU_TEXTURE_TILE * TMU_TEXTURE_TILE;
    return level->pitch * whole_tiles(level->height);
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
        texels += place_level(&texture, i, texels);
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

static uint32_t reduced(const struct tmu_texture *texture, const struct tmu_texture_level *large,
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

static void reduce_level(struct tmu_texture *texture, const struct tmu_texture_level *large,
                         const struct tmu_texture_level *small)
{
    for (uint32_t y = 0; y < (uint32_t)small->height; y++) {
        const struct tmu_cover down =
            tmu_cover_of(y, (uint32_t)small->height, (uint32_t)large->height);
        for (uint32_t x = 0; x < (uint32_t)small->width; x++) {
            const struct tmu_cover across =
                tmu_cover_of(x, (uint32_t)small->width, (uint32_t)large->width);
            write_texel(texture, tmu_texture_texel(texture, small, x, y),
                        reduced(texture, large, &across, &down));
        }
    }
}

void tmu_texture_reduce(struct tmu_texture *texture)
{
    assert(texture->form.format == TMU_TEXTURE_COLOR);
    for (int i = 1; i < texture->form.levels; i++) {
        reduce_level(texture, &texture->level[i - 1], &texture->level[i]);
    }
}
