#include "ui/text.h"

#include <assert.h>

/* 256 inside start..start+size, falling with a soft bend to 0 at `soft` pixels outside. */
static uint32_t weight(int64_t position, int64_t start, int64_t size, int64_t soft)
{
    int64_t outside = 0;
    if (position < start) {
        outside = start - position;
    } else if (position >= start + size) {
        outside = position - (start + size) + 1;
    }
    if (outside == 0) {
        return 256;
    }
    if (outside > soft) {
        return 0;
    }
    const int64_t t = 256 * (soft + 1 - outside) / (soft + 1);
    return (uint32_t)(t * t * (3 * 256 - 2 * t) >> 16);
}

static uint32_t darken(uint32_t pixel, uint32_t keep)
{
    const uint32_t red_blue = ((pixel & 0xFF00FF) * keep >> 8) & 0xFF00FF;
    const uint32_t green = ((pixel & 0x00FF00) * keep >> 8) & 0x00FF00;
    return red_blue | green;
}

static int64_t at_least(int64_t value, int64_t low)
{
    return value < low ? low : value;
}

static int64_t at_most(int64_t value, int64_t high)
{
    return value > high ? high : value;
}

void ui_backing_draw(const struct ui_surface *surface, struct ui_rect rect, int soft,
                     unsigned strength)
{
    assert(strength <= 255 && soft >= 0);
    const int64_t left = at_least((int64_t)rect.x - soft, 0);
    const int64_t top = at_least((int64_t)rect.y - soft, 0);
    const int64_t right = at_most((int64_t)rect.x + rect.width + soft, surface->width);
    const int64_t bottom = at_most((int64_t)rect.y + rect.height + soft, surface->height);
    for (int64_t y = top; y < bottom; y++) {
        const uint32_t row = weight(y, rect.y, rect.height, soft) * (strength + 1);
        uint32_t *pixels = surface->pixels + (size_t)y * surface->stride;
        for (int64_t x = left; x < right; x++) {
            const uint32_t take = row * weight(x, rect.x, rect.width, soft) >> 16;
            pixels[x] = darken(pixels[x], 256 - take);
        }
    }
}
