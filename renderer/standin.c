#include "renderer/standin.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "renderer/standin_paint.h"

enum { SIDE = 192 };

static const struct {
    rend_painter paint;
    const char *names;
} standins[] = {
#define REND_STANDIN(painter, names) {rend_paint_##painter, names},
#include "renderer/standin.def"
};

static bool holds(const char *name, const char *part, size_t size)
{
    for (; *name != '\0'; name++) {
        if (strncmp(name, part, size) == 0) {
            return true;
        }
    }
    return false;
}

static bool asks_for(const char *name, const char *parts)
{
    while (*parts != '\0') {
        const size_t size = strcspn(parts, " ");
        if (holds(name, parts, size)) {
            return true;
        }
        parts += size;
        parts += *parts == ' ' ? 1 : 0;
    }
    return false;
}

static rend_painter painter_of(const char *name, uint64_t hash)
{
    const size_t count = sizeof standins / sizeof *standins;
    for (size_t i = 0; i < count; i++) {
        if (asks_for(name, standins[i].names)) {
            return standins[i].paint;
        }
    }
    return standins[hash % count].paint;
}

static uint32_t level_of(double value)
{
    return (uint32_t)((value < 0 ? 0 : value > 1 ? 1 : value) * 255 + 0.5);
}

int rend_standin_draw(struct rend_picture *picture, const char *name)
{
    const uint64_t hash = base_hash(BASE_HASH_START, name, strlen(name));
    const rend_painter paint = painter_of(name, hash >> 32);
    uint32_t *pixels = malloc((size_t)SIDE * SIDE * sizeof *pixels);
    if (pixels == NULL) {
        return -1;
    }
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const struct rend_ink ink = paint((uint32_t)hash, (x + 0.5) / SIDE, (y + 0.5) / SIDE);
            pixels[y * SIDE + x] = 0xFF000000U | level_of(ink.red) << 16 |
                                   level_of(ink.green) << 8 | level_of(ink.blue);
        }
    }
    *picture = (struct rend_picture){pixels, SIDE, SIDE};
    return 0;
}
