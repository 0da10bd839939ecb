#include <assert.h>
#include <math.h>
#include <string.h>

#include "ui/blend.h"
#include "ui/imui_parts.h"

static struct ui_rect whole(const struct ui_surface *surface)
{
    return (struct ui_rect){0, 0, surface->width, surface->height};
}

static uint32_t *row_of(const struct ui_surface *surface, int y)
{
    return surface->pixels + (size_t)y * surface->stride;
}

enum { BLOCK = 16 };

/* In blocks of a fixed size, which compilers turn into vectors. */
static void fill_row(uint32_t *row, int count, uint32_t colour)
{
    for (; count >= BLOCK; count -= BLOCK, row += BLOCK) {
        for (int x = 0; x < BLOCK; x++) {
            row[x] = colour;
        }
    }
    for (int x = 0; x < count; x++) {
        row[x] = colour;
    }
}

/* The first row is filled, the others are copies of it. */
static void fill_solid(const struct ui_surface *surface, struct ui_rect rect, uint32_t colour)
{
    uint32_t *first = row_of(surface, rect.y) + rect.x;
    fill_row(first, rect.width, colour);
    for (int y = 1; y < rect.height; y++) {
        memcpy(row_of(surface, rect.y + y) + rect.x, first, (size_t)rect.width * sizeof *first);
    }
}

void ui_fill(const struct ui_surface *surface, struct ui_rect rect, uint32_t colour, unsigned alpha)
{
    assert(alpha <= 255);
    rect = ui_rect_common(rect, whole(surface));
    if (rect.width == 0 || rect.height == 0 || alpha == 0) {
        return;
    }
    if (alpha == 255) {
        fill_solid(surface, rect, colour);
        return;
    }
    const uint64_t above = ui_blend_spread(colour) * alpha;
    for (int y = rect.y; y < rect.y + rect.height; y++) {
        uint32_t *row = row_of(surface, y) + rect.x;
        for (int x = 0; x < rect.width; x++) {
            row[x] = ui_blend_gather(ui_blend_spread(row[x]) * (255 - alpha) + above);
        }
    }
}

static void dot(const struct ui_surface *surface, int x, int y, uint32_t colour, unsigned alpha)
{
    if (x >= 0 && y >= 0 && x < surface->width && y < surface->height) {
        uint32_t *pixel = row_of(surface, y) + x;
        *pixel = ui_blend(*pixel, colour, alpha);
    }
}

/* How much of a pixel lies in a disc; all in pixels from its centre. */
static double inside_disc(double x, double y, double radius)
{
    const double cover = radius + 0.5 - sqrt(x * x + y * y);
    return radius <= 0 || cover < 0 ? 0 : cover > 1 ? 1 : cover;
}

/* The four corners of a rounded rectangle, without a smaller disc of radius `hole`. */
static void draw_corners(const struct ui_surface *surface, struct ui_rect rect, int radius,
                         int hole, uint32_t colour, unsigned alpha)
{
    const int right = rect.x + rect.width - 1;
    const int bottom = rect.y + rect.height - 1;
    for (int y = 0; y < radius; y++) {
        for (int x = 0; x < radius; x++) {
            const double dx = radius - x - 0.5;
            const double dy = radius - y - 0.5;
            const double cover = inside_disc(dx, dy, radius) - inside_disc(dx, dy, hole);
            const unsigned strength = (unsigned)(cover * alpha + 0.5);
            dot(surface, rect.x + x, rect.y + y, colour, strength);
            dot(surface, right - x, rect.y + y, colour, strength);
            dot(surface, rect.x + x, bottom - y, colour, strength);
            dot(surface, right - x, bottom - y, colour, strength);
        }
    }
}

enum { RADIUS_MAX = 64 };

static int fitting_radius(struct ui_rect rect, int radius)
{
    const int side = rect.width < rect.height ? rect.width : rect.height;
    radius = radius < RADIUS_MAX ? radius : RADIUS_MAX;
    return radius < 0 ? 0 : radius < side / 2 ? radius : side / 2;
}

void ui_fill_round(const struct ui_surface *surface, struct ui_rect rect, int radius,
                   uint32_t colour, unsigned alpha)
{
    rect = ui_rect_sane(rect);
    radius = fitting_radius(rect, radius);
    draw_corners(surface, rect, radius, 0, colour, alpha);
    struct ui_rect top = ui_cut_top(&rect, radius);
    struct ui_rect bottom = ui_cut_bottom(&rect, radius);
    top = (struct ui_rect){top.x + radius, top.y, top.width - 2 * radius, top.height};
    bottom =
        (struct ui_rect){bottom.x + radius, bottom.y, bottom.width - 2 * radius, bottom.height};
    ui_fill(surface, top, colour, alpha);
    ui_fill(surface, rect, colour, alpha);
    ui_fill(surface, bottom, colour, alpha);
}

void ui_frame_round(const struct ui_surface *surface, struct ui_rect rect, int radius, int thick,
                    uint32_t colour)
{
    rect = ui_rect_sane(rect);
    const int most = (rect.width < rect.height ? rect.width : rect.height) / 2;
    thick = thick < most ? thick : most;
    radius = fitting_radius(rect, radius);
    radius = radius < thick ? 0 : radius;
    if (thick <= 0) {
        return;
    }
    draw_corners(surface, rect, radius, radius - thick, colour, 255);
    const int end = radius > thick ? radius : thick;
    const int right = rect.x + rect.width - thick;
    const int bottom = rect.y + rect.height - thick;
    const struct ui_rect sides[] = {
        {rect.x + radius, rect.y, rect.width - 2 * radius, thick},
        {rect.x + radius, bottom, rect.width - 2 * radius, thick},
        {rect.x, rect.y + end, thick, rect.height - 2 * end},
        {right, rect.y + end, thick, rect.height - 2 * end},
    };
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        ui_fill(surface, sides[i], colour, 255);
    }
}

/* One pixel of a line that lies between two: along its longer direction at `a`. */
static void line_dot(const struct ui_surface *surface, bool steep, int a, double b, uint32_t colour,
                     unsigned alpha)
{
    const double low = floor(b);
    const unsigned upper = (unsigned)((b - low) * alpha + 0.5);
    for (int i = 0; i < 2; i++) {
        const int side = (int)low + i;
        dot(surface, steep ? side : a, steep ? a : side, colour, i == 0 ? alpha - upper : upper);
    }
}

void ui_line(const struct ui_surface *surface, int x0, int y0, int x1, int y1, uint32_t colour,
             unsigned alpha)
{
    assert(alpha <= 255);
    const double dx = (double)x1 - x0;
    const double dy = (double)y1 - y0;
    const bool steep = fabs(dy) > fabs(dx);
    const bool turned = steep ? dy < 0 : dx < 0;
    const double from = steep ? (turned ? y1 : y0) : (turned ? x1 : x0);
    const double to = steep ? (turned ? y0 : y1) : (turned ? x0 : x1);
    const double start = steep ? (turned ? x1 : x0) : (turned ? y1 : y0);
    const double slope = from == to ? 0 : steep ? dx / dy : dy / dx;
    const int along = steep ? surface->height : surface->width;
    const int across = steep ? surface->width : surface->height;
    const int first = from > 0 ? (int)from : 0;
    for (int a = first; a < along && a <= to; a++) {
        const double b = start + slope * (a - from);
        if (b > -2 && b < across + 1) {
            line_dot(surface, steep, a, b, colour, alpha);
        }
    }
}

struct ui_surface ui_surface_part(const struct ui_surface *surface, struct ui_rect rect)
{
    const struct ui_rect part = ui_rect_common(rect, whole(surface));
    if (part.width == 0 || part.height == 0) {
        return (struct ui_surface){surface->pixels, 0, 0, surface->stride};
    }
    return (struct ui_surface){row_of(surface, part.y) + part.x, part.width, part.height,
                               surface->stride};
}
