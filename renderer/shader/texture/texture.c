/* Images with all their levels, and the noise textures. */
#include "renderer/shader/texture/texture.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tmu/texture.h"
#include "tmu/tmu.h"

enum { GUARD = 1, ALIGNMENT = 64, CHANNELS = 4 };

static int halved(int size)
{
    return size > 1 ? size / 2 : 1;
}

/* Each channel's mean over the covered texels, halves up. */
static uint32_t covered_mean(const struct shader_level *large, const struct tmu_cover axes[3])
{
    struct tmu_sums sums = {{0}};
    for (uint32_t k = 0; k < axes[2].count; k++) {
        for (uint32_t j = 0; j < axes[1].count; j++) {
            const uint32_t *row = large->texels + (size_t)axes[0].first +
                                  (size_t)(axes[1].first + j) * large->pitch +
                                  (size_t)(axes[2].first + k) * large->slice;
            for (uint32_t i = 0; i < axes[0].count; i++) {
                tmu_sums_add(&sums, row[i],
                             (uint64_t)axes[0].weight[i] * axes[1].weight[j] * axes[2].weight[k]);
            }
        }
    }
    const uint64_t whole =
        (uint64_t)large->width * (uint64_t)large->height * (uint64_t)large->depth;
    return tmu_sums_mean(&sums, whole);
}

/* Where every axis is halved exactly, or is of one texel already: the offsets of the texels under
 * one of the smaller level. */
struct block {
    size_t offset[8];
    unsigned count; /* 1 << bits */
    unsigned bits;
};

static void extend(struct block *block, int size, size_t step)
{
    if (size > 1) {
        for (unsigned i = 0; i < block->count; i++) {
            block->offset[block->count + i] = block->offset[i] + step;
        }
        block->count *= 2;
        block->bits++;
    }
}

static bool halves_exactly(int size)
{
    return size == 1 || size % 2 == 0;
}

static void reduce_blocks(uint32_t *texels, const struct shader_level *small,
                          const struct shader_level *large)
{
    const uint32_t odd = UINT32_C(0x00FF00FF);
    struct block block = {.count = 1};
    extend(&block, large->width, 1);
    extend(&block, large->height, large->pitch);
    extend(&block, large->depth, large->slice);
    for (size_t z = 0; z < (size_t)small->depth; z++) {
        for (size_t y = 0; y < (size_t)small->height; y++) {
            const uint32_t *from = large->texels + 2 * y * large->pitch + 2 * z * large->slice;
            uint32_t *to = texels + y * small->pitch + z * small->slice;
            for (size_t x = 0; x < (size_t)small->width; x++) {
                uint32_t low = UINT32_C(0x00010001) * (block.count / 2);
                uint32_t high = low;
                for (unsigned i = 0; i < block.count; i++) {
                    const uint32_t texel = from[2 * x + block.offset[i]];
                    low += texel & odd;
                    high += texel >> 8 & odd;
                }
                to[x] = (low >> block.bits & odd) | (high >> block.bits & odd) << 8;
            }
        }
    }
}

static void reduce_covers(uint32_t *texels, const struct shader_level *small,
                          const struct shader_level *large)
{
    for (int z = 0; z < small->depth; z++) {
        struct tmu_cover axes[3];
        axes[2] = tmu_cover_of((uint32_t)z, (uint32_t)small->depth, (uint32_t)large->depth);
        for (int y = 0; y < small->height; y++) {
            uint32_t *to = texels + (size_t)y * small->pitch + (size_t)z * small->slice;
            axes[1] = tmu_cover_of((uint32_t)y, (uint32_t)small->height, (uint32_t)large->height);
            for (int x = 0; x < small->width; x++) {
                axes[0] = tmu_cover_of((uint32_t)x, (uint32_t)small->width, (uint32_t)large->width);
                to[x] = covered_mean(large, axes);
            }
        }
    }
}

/* Sizes of all levels. Returns the texels of all together. */
static size_t plan_levels(struct shader_texture *texture, int width, int height, int depth)
{
    size_t texels = 0;
    for (;;) {
        struct shader_level *level = &texture->level[texture->levels++];
        *level = (struct shader_level){.width = width, .height = height, .depth = depth};
        level->pitch = (size_t)width + GUARD;
        level->slice = level->pitch * ((size_t)height + GUARD);
        texels += level->slice * (size_t)depth;
        if (width == 1 && height == 1 && depth == 1) {
            return texels;
        }
        width = halved(width);
        height = halved(height);
        depth = halved(depth);
    }
}

size_t shader_image_bytes(int width, int height, int depth)
{
    struct shader_texture texture = {0};
    return plan_levels(&texture, width, height, depth) * sizeof(uint32_t);
}

int shader_image_create(struct shader_image *image, const uint32_t *pixels, size_t stride,
                        int width, int height, int depth)
{
    *image = (struct shader_image){0};
    const int most = depth == 1 ? SHADER_SIZE_MAX : SHADER_VOLUME_MAX;
    if (width < 1 || width > most || height < 1 || height > most || depth < 1 ||
        depth > SHADER_VOLUME_MAX) {
        return -1;
    }
    struct shader_texture *texture = &image->texture;
    const size_t bytes =
        plan_levels(texture, width, height, depth) * sizeof *image->memory + ALIGNMENT - 1;
    image->memory = aligned_alloc(ALIGNMENT, bytes / ALIGNMENT * ALIGNMENT);
    if (image->memory == NULL) {
        *image = (struct shader_image){0};
        return -1;
    }
    uint32_t *texels = image->memory;
    for (int i = 0; i < texture->levels; i++) {
        struct shader_level *level = &texture->level[i];
        level->texels = texels;
        if (i == 0) {
            for (size_t y = 0; y < (size_t)depth * (size_t)height; y++) {
                memcpy(texels + y % (size_t)height * level->pitch +
                           y / (size_t)height * level->slice,
                       pixels + y * stride, (size_t)width * sizeof *texels);
            }
        } else if (halves_exactly(level[-1].width) && halves_exactly(level[-1].height) &&
                   halves_exactly(level[-1].depth)) {
            reduce_blocks(texels, level, level - 1);
        } else {
            reduce_covers(texels, level, level - 1);
        }
        for (size_t z = 0; z < (size_t)level->depth; z++, texels += level->slice) {
            for (size_t y = 0; y < (size_t)level->height; y++) {
                texels[y * level->pitch + (size_t)level->width] = texels[y * level->pitch];
            }
            memcpy(texels + (size_t)level->height * level->pitch, texels,
                   ((size_t)level->width + GUARD) * sizeof *texels);
        }
    }
    return 0;
}

void shader_image_free(struct shader_image *image)
{
    free(image->memory);
    *image = (struct shader_image){0};
}

struct shader_texture shader_texture_of(const struct tmu_surface *surface)
{
    struct shader_texture texture = {.levels = 1, .opaque = true};
    texture.level[0] = (struct shader_level){
        .texels = surface->pixels,
        .width = surface->width,
        .height = surface->height,
        .depth = 1,
        .pitch = surface->stride,
        .slice = surface->stride * ((size_t)surface->height + GUARD),
    };
    return texture;
}

/* Noise. */

enum { SEED = 1995, MOST_TEXELS = 256 * 256 };

static const struct kind {
    const char *name;
    int size;  /* of every axis */
    int depth; /* 1, or as the others */
    int every; /* texels from one random value to the next, cubic between them */
} kinds[SHADER_NOISES] = {
    {"noise_lq", 256, 1, 1}, {"noise_lq_lite", 32, 1, 1}, {"noise_mq", 256, 1, 4},
    {"noise_hq", 256, 1, 8}, {"noisevol_lq", 32, 32, 1},  {"noisevol_hq", 32, 32, 4},
};

/* A line of texels along one axis. */
struct line {
    uint32_t *texels;
    int step; /* from one to the next */
    int size;
};

static int channel(const struct line *line, int at, unsigned shift)
{
    const int inside = at < line->size ? at : at - line->size;
    return (int)(line->texels[inside * line->step] >> shift & 255);
}

/* The cubic through a channel of four values, of which the second and third lie on both sides: at
 * k of n texels from the second, rounded down, clamped to 0..255. In whole numbers: n^3 times all.
 */
static void fill_between(const struct line *line, int first, int n, unsigned shift)
{
    const int y0 = channel(line, first + line->size - n, shift);
    const int y1 = channel(line, first, shift);
    const int y2 = channel(line, first + n, shift);
    const int y3 = channel(line, first + 2 * n, shift);
    const int a0 = y3 - y2 - y0 + y1;
    const int a1 = y0 - y1 - a0;
    const int a2 = y2 - y0;
    for (int k = 1; k < n; k++) {
        const int value = (((a0 * k + a1 * n) * k + a2 * n * n) * k + y1 * n * n * n) / (n * n * n);
        const uint32_t clamped = value < 0 ? 0 : value > 255 ? 255 : (uint32_t)value;
        uint32_t *texel = &line->texels[(first + k) * line->step];
        *texel = (*texel & ~(UINT32_C(255) << shift)) | clamped << shift;
    }
}

/* Fills what lies between the line's values at every n-th texel. */
static void fill_line(const struct line *line, int n)
{
    for (int first = 0; first < line->size; first += n) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            fill_between(line, first, n, shift);
        }
    }
}

/* All four channels of a texel between which the cubic runs: 108..255 and 0..67, each as often, as
 * in MilkDrop, so that smooth noise is lighter than the mean of all values and has more contrast.
 */
static uint32_t smooth_value(struct base_rng *rng)
{
    uint32_t texel = 0;
    for (int i = 0; i < CHANNELS; i++) {
        texel = texel << 8 | ((base_rng_next(rng) % 216 + 108) & 255);
    }
    return texel;
}

int shader_noises_create(struct shader_noises *noises)
{
    *noises = (struct shader_noises){0};
    uint32_t *texels = malloc(MOST_TEXELS * sizeof *texels);
    int status = texels == NULL ? -1 : 0;
    for (size_t i = 0; i < SHADER_NOISES && status == 0; i++) {
        const struct kind *kind = &kinds[i];
        struct base_rng rng;
        base_rng_seed(&rng, SEED, i);
        const int n = kind->every;
        const int size = kind->size;
        for (int k = 0; k < size * size * kind->depth; k++) {
            texels[k] = n > 1 ? smooth_value(&rng) : base_rng_next(&rng);
        }
        /* Along x on the rows that have values, then y, then z. */
        const int slice = size * size;
        for (int z = 0; z < kind->depth && n > 1; z += n) {
            for (int y = 0; y < size; y += n) {
                fill_line(&(struct line){texels + z * slice + y * size, 1, size}, n);
            }
            for (int x = 0; x < size; x++) {
                fill_line(&(struct line){texels + z * slice + x, size, size}, n);
            }
        }
        for (int k = 0; kind->depth > 1 && n > 1 && k < slice; k++) {
            fill_line(&(struct line){texels + k, slice, kind->depth}, n);
        }
        status = shader_image_create(&noises->image[i], texels, (size_t)kind->size, kind->size,
                                     kind->size, kind->depth);
    }
    free(texels);
    if (status != 0) {
        shader_noises_free(noises);
    }
    return status;
}

void shader_noises_free(struct shader_noises *noises)
{
    for (size_t i = 0; i < SHADER_NOISES; i++) {
        shader_image_free(&noises->image[i]);
    }
}

const struct shader_texture *shader_noises_find(const struct shader_noises *noises,
                                                const char *name)
{
    for (size_t i = 0; i < SHADER_NOISES; i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            return &noises->image[i].texture;
        }
    }
    return NULL;
}
