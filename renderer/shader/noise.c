#include "renderer/shader/noise.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

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
 * k of n texels from the second, rounded down, limited to 0..255. In whole numbers: n^3 times all.
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
        const uint32_t limited = value < 0 ? 0 : value > 255 ? 255 : (uint32_t)value;
        uint32_t *texel = &line->texels[(first + k) * line->step];
        *texel = (*texel & ~(UINT32_C(255) << shift)) | limited << shift;
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

/* Along x on the rows that have values, then y, then z. */
static void smooth(uint32_t *texels, const struct kind *kind)
{
    const int n = kind->every;
    const int size = kind->size;
    const int slice = size * size;
    for (int z = 0; z < kind->depth; z += n) {
        for (int y = 0; y < size; y += n) {
            fill_line(&(struct line){texels + z * slice + y * size, 1, size}, n);
        }
        for (int x = 0; x < size; x++) {
            fill_line(&(struct line){texels + z * slice + x, size, size}, n);
        }
    }
    for (int i = 0; kind->depth > 1 && i < slice; i++) {
        fill_line(&(struct line){texels + i, slice, kind->depth}, n);
    }
}

static int create(struct shader_image *image, const struct kind *kind, uint32_t *texels,
                  uint64_t stream)
{
    struct base_rng rng;
    base_rng_seed(&rng, SEED, stream);
    for (int i = 0; i < kind->size * kind->size * kind->depth; i++) {
        texels[i] = base_rng_next(&rng);
    }
    if (kind->every > 1) {
        smooth(texels, kind);
    }
    return shader_image_create(image, texels, (size_t)kind->size, kind->size, kind->size,
                               kind->depth);
}

int shader_noises_create(struct shader_noises *noises)
{
    *noises = (struct shader_noises){0};
    uint32_t *texels = malloc(MOST_TEXELS * sizeof *texels);
    int status = texels == NULL ? -1 : 0;
    for (size_t i = 0; i < SHADER_NOISES && status == 0; i++) {
        status = create(&noises->image[i], &kinds[i], texels, i);
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
