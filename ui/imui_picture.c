#include "ui/imui_parts.h"

/* Texels of one direction that a pixel stands for: at least one. */
struct texels {
    int first;
    int end;
};

static struct texels texels_of(int64_t pixel, int64_t pixels, int texels)
{
    const int first = (int)(pixel * texels / pixels);
    const int end = (int)((pixel + 1) * texels / pixels);
    return (struct texels){first, end > first ? end : first + 1};
}

static uint32_t mean(const struct ui_surface *picture, struct texels columns, struct texels rows)
{
    uint64_t red_blue = 0; /* 32 bits apart */
    uint64_t green = 0;
    for (int y = rows.first; y < rows.end; y++) {
        const uint32_t *row = picture->pixels + (size_t)y * picture->stride;
        for (int x = columns.first; x < columns.end; x++) {
            red_blue += (uint64_t)(row[x] & 0xFF0000) << 16 | (row[x] & 0xFF);
            green += row[x] >> 8 & 0xFF;
        }
    }
    const uint64_t count =
        (uint64_t)(columns.end - columns.first) * (uint64_t)(rows.end - rows.first);
    const uint64_t half = count / 2;
    const uint64_t blue = (red_blue & 0xFFFFFFFF) + half;
    return (uint32_t)(((red_blue >> 32) + half) / count << 16 | (green + half) / count << 8 |
                      blue / count);
}

static void draw_row(const struct ui_surface *picture, struct texels rows, struct ui_rect rect,
                     struct ui_rect seen, uint32_t *to)
{
    const uint32_t *row = picture->pixels + (size_t)rows.first * picture->stride;
    for (int x = 0; x < seen.width; x++) {
        const struct texels columns = texels_of(seen.x + x - rect.x, rect.width, picture->width);
        const bool single = columns.end - columns.first == 1 && rows.end - rows.first == 1;
        to[x] = single ? row[columns.first] & 0xFFFFFF : mean(picture, columns, rows);
    }
}

void ui_picture(const struct ui_surface *surface, struct ui_rect rect,
                const struct ui_surface *picture)
{
    rect = ui_rect_sane(rect);
    const struct ui_rect seen =
        ui_rect_common(rect, (struct ui_rect){0, 0, surface->width, surface->height});
    if (picture->width <= 0 || picture->height <= 0) {
        return;
    }
    for (int y = 0; seen.width > 0 && y < seen.height; y++) {
        const struct texels rows = texels_of(seen.y + y - rect.y, rect.height, picture->height);
        uint32_t *to = surface->pixels + (size_t)(seen.y + y) * surface->stride + seen.x;
        draw_row(picture, rows, rect, seen, to);
    }
}
