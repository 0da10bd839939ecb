/* Pictures that shaders name, from the host. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/embed/instance.h"
#include "renderer/picture/resources.h"

/* What the host has under the name; false: nothing that can be used. */
static bool ask(const struct instance_pictures *host, const char *name,
                struct froth_texture *texture)
{
    *texture = (struct froth_texture){.pixels = NULL};
    return host->function(host->user, name, texture) == 1 && texture->pixels != NULL &&
           texture->width >= 1 && texture->width <= SHADER_SIZE_MAX && texture->height >= 1 &&
           texture->height <= SHADER_SIZE_MAX;
}

static bool find(void *user, const struct rend_picture_request *request, char *path, size_t size)
{
    struct froth_texture texture;
    const int length = snprintf(path, size, "%s", request->name);
    return length >= 0 && (size_t)length < size && ask(user, request->name, &texture);
}

static int refuse(const struct base_diag_sink *sink, const char *name, const char *what)
{
    base_report(sink, BASE_WARNING, (struct base_place){.file = name}, NULL, "%s", what);
    return -1;
}

static int measure(void *user, const char *path, struct rend_extent *extent,
                   const struct base_diag_sink *sink)
{
    struct froth_texture texture;
    if (!ask(user, path, &texture)) {
        return refuse(sink, path, "the host has this picture no more");
    }
    *extent = (struct rend_extent){texture.width, texture.height, 0};
    return 0;
}

/* The mean of a square of pixels, as far as the picture goes. */
static uint32_t mean(const struct froth_texture *texture, int x, int y, int side)
{
    uint64_t sums[4] = {0};
    uint64_t count = 0;
    for (int row = y; row < y + side && row < texture->height; row++) {
        for (int column = x; column < x + side && column < texture->width; column++, count++) {
            const size_t at = (size_t)row * (size_t)texture->width + (size_t)column;
            for (unsigned i = 0; i < 4; i++) {
                sums[i] += texture->pixels[at] >> 8 * i & 255;
            }
        }
    }
    uint32_t pixel = 0;
    for (unsigned i = 0; i < 4; i++) {
        pixel |= (uint32_t)((sums[i] + count / 2) / count) << 8 * i;
    }
    return pixel;
}

static int load(void *user, const char *path, int halvings, size_t room,
                struct rend_picture *picture, const struct base_diag_sink *sink)
{
    struct froth_texture texture;
    (void)room; /* no more than the picture itself is taken */
    if (!ask(user, path, &texture)) {
        return refuse(sink, path, "the host has this picture no more");
    }
    const int side = 1 << halvings;
    const int width = (texture.width + side - 1) >> halvings;
    const int height = (texture.height + side - 1) >> halvings;
    uint32_t *pixels = malloc((size_t)width * (size_t)height * sizeof *pixels);
    if (pixels == NULL) {
        return refuse(sink, path, "not enough memory");
    }
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            pixels[(size_t)y * (size_t)width + (size_t)x] =
                mean(&texture, x << halvings, y << halvings, side);
        }
    }
    *picture = (struct rend_picture){pixels, width, height};
    return 0;
}

struct rend_pictures instance_pictures(struct instance_pictures *host, size_t memory, uint64_t seed)
{
    if (host->function == NULL) {
        return (struct rend_pictures){.memory = memory, .seed = seed};
    }
    return (struct rend_pictures){host, find, measure, load, memory, seed};
}
