#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/os/file.h"
#include "ui/toolkit/parts.h"
#include "ui/toolkit/text.h"

enum { EDGE_MAX = 1 << 24 };

static int clamp_edge(int64_t edge)
{
    return (int)(edge < -EDGE_MAX ? -EDGE_MAX : edge > EDGE_MAX ? EDGE_MAX : edge);
}

struct ui_rect ui_rect_clamp(struct ui_rect rect)
{
    const int left = clamp_edge(rect.x);
    const int top = clamp_edge(rect.y);
    const int right = clamp_edge((int64_t)rect.x + rect.width);
    const int bottom = clamp_edge((int64_t)rect.y + rect.height);
    return (struct ui_rect){left, top, right > left ? right - left : 0,
                            bottom > top ? bottom - top : 0};
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

struct ui_rect ui_rect_intersect(struct ui_rect a, struct ui_rect b)
{
    a = ui_rect_clamp(a);
    b = ui_rect_clamp(b);
    const int left = larger(a.x, b.x);
    const int top = larger(a.y, b.y);
    const int right = smaller(a.x + a.width, b.x + b.width);
    const int bottom = smaller(a.y + a.height, b.y + b.height);
    return (struct ui_rect){left, top, larger(right - left, 0), larger(bottom - top, 0)};
}

bool ui_rect_contains(struct ui_rect rect, int x, int y)
{
    return x >= rect.x && y >= rect.y && (int64_t)x < (int64_t)rect.x + rect.width &&
           (int64_t)y < (int64_t)rect.y + rect.height;
}

static int clamp_size(int size, int room)
{
    return size < 0 ? 0 : smaller(size, room);
}

struct ui_rect ui_cut_left(struct ui_rect *rect, int width)
{
    *rect = ui_rect_clamp(*rect);
    struct ui_rect piece = *rect;
    piece.width = clamp_size(width, rect->width);
    rect->x += piece.width;
    rect->width -= piece.width;
    return piece;
}

struct ui_rect ui_cut_right(struct ui_rect *rect, int width)
{
    *rect = ui_rect_clamp(*rect);
    struct ui_rect piece = *rect;
    piece.width = clamp_size(width, rect->width);
    rect->width -= piece.width;
    piece.x += rect->width;
    return piece;
}

struct ui_rect ui_cut_top(struct ui_rect *rect, int height)
{
    *rect = ui_rect_clamp(*rect);
    struct ui_rect piece = *rect;
    piece.height = clamp_size(height, rect->height);
    rect->y += piece.height;
    rect->height -= piece.height;
    return piece;
}

struct ui_rect ui_cut_bottom(struct ui_rect *rect, int height)
{
    *rect = ui_rect_clamp(*rect);
    struct ui_rect piece = *rect;
    piece.height = clamp_size(height, rect->height);
    rect->height -= piece.height;
    piece.y += rect->height;
    return piece;
}

struct ui_rect ui_inset(struct ui_rect rect, int by)
{
    rect = ui_rect_clamp(rect);
    const int most = larger(smaller(rect.width, rect.height), 0) / 2;
    by = smaller(larger(by, -EDGE_MAX), most);
    return ui_rect_clamp(
        (struct ui_rect){rect.x + by, rect.y + by, rect.width - 2 * by, rect.height - 2 * by});
}

static struct ui_rect whole(const struct ui_surface *surface)
{
    return (struct ui_rect){0, 0, surface->width, surface->height};
}

static uint32_t *row_of(const struct ui_surface *surface, int y)
{
    return surface->pixels + (size_t)y * surface->stride;
}

enum { BLOCK = 16 };

void ui_fill(const struct ui_surface *surface, struct ui_rect rect, uint32_t colour, unsigned alpha)
{
    assert(alpha <= 255);
    rect = ui_rect_intersect(rect, whole(surface));
    if (rect.width == 0 || rect.height == 0 || alpha == 0) {
        return;
    }
    if (alpha == 255) {
        /* The first row in blocks of a fixed size, which compilers turn into vectors; the others
         * are copies of it. */
        uint32_t *first = row_of(surface, rect.y) + rect.x;
        int filled = 0;
        for (; rect.width - filled >= BLOCK; filled += BLOCK) {
            for (int x = 0; x < BLOCK; x++) {
                first[filled + x] = colour;
            }
        }
        for (; filled < rect.width; filled++) {
            first[filled] = colour;
        }
        for (int y = 1; y < rect.height; y++) {
            memcpy(row_of(surface, rect.y + y) + rect.x, first, (size_t)rect.width * sizeof *first);
        }
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
    rect = ui_rect_clamp(rect);
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
    rect = ui_rect_clamp(rect);
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
            /* one pixel that lies between two */
            const int low = (int)floor(b);
            const unsigned upper = (unsigned)((b - low) * alpha + 0.5);
            dot(surface, steep ? low : a, steep ? a : low, colour, alpha - upper);
            dot(surface, steep ? low + 1 : a, steep ? a : low + 1, colour, upper);
        }
    }
}

struct ui_surface ui_surface_part(const struct ui_surface *surface, struct ui_rect rect)
{
    const struct ui_rect part = ui_rect_intersect(rect, whole(surface));
    if (part.width == 0 || part.height == 0) {
        return (struct ui_surface){surface->pixels, 0, 0, surface->stride};
    }
    return (struct ui_surface){row_of(surface, part.y) + part.x, part.width, part.height,
                               surface->stride};
}

struct ui_rect ui_tile_rect(const struct ui_surface *surface, int tile)
{
    const int column = tile % UI_TILE_COLUMNS;
    const int row = tile / UI_TILE_COLUMNS;
    const int x = (int)((int64_t)surface->width * column / UI_TILE_COLUMNS);
    const int y = (int)((int64_t)surface->height * row / UI_TILE_ROWS);
    return (struct ui_rect){x, y,
                            (int)((int64_t)surface->width * (column + 1) / UI_TILE_COLUMNS) - x,
                            (int)((int64_t)surface->height * (row + 1) / UI_TILE_ROWS) - y};
}

void ui_tiles_of(struct ui_tiles *tiles, const struct ui_surface *surface)
{
    static const uint64_t odd = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < UI_TILES; i++) {
        const struct ui_rect rect = ui_tile_rect(surface, i);
        const uint32_t *row = surface->pixels + (size_t)rect.y * surface->stride + rect.x;
        uint64_t hash = odd;
        for (int y = 0; y < rect.height; y++, row += surface->stride) {
            hash = hash * odd ^ base_content_hash(row, (size_t)rect.width * sizeof *row);
        }
        tiles->hashes[i] = hash;
    }
}

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

void ui_backing_draw(const struct ui_surface *surface, struct ui_rect rect, int soft,
                     unsigned strength)
{
    assert(strength <= 255 && soft >= 0);
    const int64_t left = (int64_t)rect.x - soft;
    const int64_t top = (int64_t)rect.y - soft;
    const int64_t right = (int64_t)rect.x + rect.width + soft;
    const int64_t bottom = (int64_t)rect.y + rect.height + soft;
    for (int64_t y = top > 0 ? top : 0; y < bottom && y < surface->height; y++) {
        const uint32_t row = weight(y, rect.y, rect.height, soft) * (strength + 1);
        uint32_t *pixels = surface->pixels + (size_t)y * surface->stride;
        for (int64_t x = left > 0 ? left : 0; x < right && x < surface->width; x++) {
            const uint32_t keep = 256 - (row * weight(x, rect.x, rect.width, soft) >> 16);
            const uint32_t red_blue = ((pixels[x] & 0xFF00FF) * keep >> 8) & 0xFF00FF;
            const uint32_t green = ((pixels[x] & 0x00FF00) * keep >> 8) & 0x00FF00;
            pixels[x] = red_blue | green;
        }
    }
}

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

void ui_picture(const struct ui_surface *surface, struct ui_rect rect,
                const struct ui_surface *picture)
{
    rect = ui_rect_clamp(rect);
    const struct ui_rect seen =
        ui_rect_intersect(rect, (struct ui_rect){0, 0, surface->width, surface->height});
    if (picture->width <= 0 || picture->height <= 0) {
        return;
    }
    for (int y = 0; seen.width > 0 && y < seen.height; y++) {
        const struct texels rows = texels_of(seen.y + y - rect.y, rect.height, picture->height);
        uint32_t *to = surface->pixels + (size_t)(seen.y + y) * surface->stride + seen.x;
        const uint32_t *row = picture->pixels + (size_t)rows.first * picture->stride;
        for (int x = 0; x < seen.width; x++) {
            const struct texels columns =
                texels_of(seen.x + x - rect.x, rect.width, picture->width);
            const bool single = columns.end - columns.first == 1 && rows.end - rows.first == 1;
            to[x] = single ? row[columns.first] & 0xFFFFFF : mean(picture, columns, rows);
        }
    }
}

/* Signs of the interface that are drawn rather than taken from a font, so that they look the same
 * with every font: arrows, triangles, stars, check mark, cross, pause, stop, dot. */

/* In a box of 1 x 1, y downwards. */
struct point {
    double x, y;
};

static const struct point star_full[] = {
    {0.500, 0.005}, {0.634, 0.351}, {1.004, 0.371}, {0.717, 0.605},  {0.812, 0.964},
    {0.500, 0.763}, {0.188, 0.964}, {0.283, 0.605}, {-0.004, 0.371}, {0.366, 0.351}};
static const struct point star_hollow[] = {
    {0.500, 0.005}, {0.634, 0.351}, {1.004, 0.371}, {0.717, 0.605},  {0.812, 0.964},
    {0.500, 0.763}, {0.188, 0.964}, {0.283, 0.605}, {-0.004, 0.371}, {0.366, 0.351},
    {0.500, 0.175}, {0.591, 0.410}, {0.843, 0.424}, {0.647, 0.583},  {0.712, 0.827},
    {0.500, 0.690}, {0.288, 0.827}, {0.353, 0.583}, {0.157, 0.424},  {0.409, 0.410}};
static const struct point circle[] = {
    {0.500, 0.140}, {0.570, 0.147}, {0.638, 0.167}, {0.700, 0.201}, {0.755, 0.245}, {0.799, 0.300},
    {0.833, 0.362}, {0.853, 0.430}, {0.860, 0.500}, {0.853, 0.570}, {0.833, 0.638}, {0.799, 0.700},
    {0.755, 0.755}, {0.700, 0.799}, {0.638, 0.833}, {0.570, 0.853}, {0.500, 0.860}, {0.430, 0.853},
    {0.362, 0.833}, {0.300, 0.799}, {0.245, 0.755}, {0.201, 0.700}, {0.167, 0.638}, {0.147, 0.570},
    {0.140, 0.500}, {0.147, 0.430}, {0.167, 0.362}, {0.201, 0.300}, {0.245, 0.245}, {0.300, 0.201},
    {0.362, 0.167}, {0.430, 0.147}};
static const struct point triangle_up[] = {{0.500, 0.180}, {0.920, 0.820}, {0.080, 0.820}};
static const struct point triangle_right[] = {{0.820, 0.500}, {0.180, 0.920}, {0.180, 0.080}};
static const struct point triangle_down[] = {{0.500, 0.820}, {0.080, 0.180}, {0.920, 0.180}};
static const struct point triangle_left[] = {{0.180, 0.500}, {0.820, 0.080}, {0.820, 0.920}};
static const struct point arrow_up[] = {{0.500, 0.060}, {0.860, 0.440}, {0.780, 0.520},
                                        {0.555, 0.270}, {0.555, 0.940}, {0.445, 0.940},
                                        {0.445, 0.270}, {0.220, 0.520}, {0.140, 0.440}};
static const struct point arrow_right[] = {{0.940, 0.500}, {0.560, 0.860}, {0.480, 0.780},
                                           {0.730, 0.555}, {0.060, 0.555}, {0.060, 0.445},
                                           {0.730, 0.445}, {0.480, 0.220}, {0.560, 0.140}};
static const struct point arrow_down[] = {{0.500, 0.940}, {0.140, 0.560}, {0.220, 0.480},
                                          {0.445, 0.730}, {0.445, 0.060}, {0.555, 0.060},
                                          {0.555, 0.730}, {0.780, 0.480}, {0.860, 0.560}};
static const struct point arrow_left[] = {{0.060, 0.500}, {0.440, 0.140}, {0.520, 0.220},
                                          {0.270, 0.445}, {0.940, 0.445}, {0.940, 0.555},
                                          {0.270, 0.555}, {0.520, 0.780}, {0.440, 0.860}};
static const struct point check[] = {{0.060, 0.560}, {0.170, 0.440}, {0.390, 0.650},
                                     {0.840, 0.150}, {0.950, 0.260}, {0.400, 0.870}};
static const struct point pause_sign[] = {{0.180, 0.120}, {0.410, 0.120}, {0.410, 0.880},
                                          {0.180, 0.880}, {0.590, 0.120}, {0.820, 0.120},
                                          {0.820, 0.880}, {0.590, 0.880}};
static const struct point square[] = {
    {0.150, 0.150}, {0.850, 0.150}, {0.850, 0.850}, {0.150, 0.850}};
static const struct point cross[] = {
    {0.224, 0.125}, {0.500, 0.401}, {0.776, 0.125}, {0.875, 0.224}, {0.599, 0.500}, {0.875, 0.776},
    {0.776, 0.875}, {0.500, 0.599}, {0.224, 0.875}, {0.125, 0.776}, {0.401, 0.500}, {0.125, 0.224}};

struct mark {
    uint32_t code;
    size_t first; /* points of the first outline; the others are the second */
    size_t count;
    const struct point *points;
};

#define MARK(code, points)                                                                         \
    {                                                                                              \
        code, sizeof points / sizeof points[0], sizeof points / sizeof points[0], points           \
    }
#define MARK_OF_TWO(code, points)                                                                  \
    {                                                                                              \
        code, sizeof points / sizeof points[0] / 2, sizeof points / sizeof points[0], points       \
    }
static const struct mark marks[] = {
    MARK(0x2190, arrow_left),     MARK(0x2191, arrow_up),      MARK(0x2192, arrow_right),
    MARK(0x2193, arrow_down),     MARK(0x25A0, square),        MARK(0x25B2, triangle_up),
    MARK(0x25B6, triangle_right), MARK(0x25BC, triangle_down), MARK(0x25C0, triangle_left),
    MARK(0x25CF, circle),         MARK(0x2605, star_full),     MARK_OF_TWO(0x2606, star_hollow),
    MARK(0x2713, check),          MARK(0x2715, cross),         MARK_OF_TWO(0x23F8, pause_sign),
};

enum { LINES = 8 /* per row of pixels */, CROSSINGS = 8 };

static const struct mark *find_mark(uint32_t code)
{
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (marks[i].code == code) {
            return &marks[i];
        }
    }
    return NULL;
}

bool ui_marks_has(uint32_t code)
{
    return find_mark(code) != NULL;
}

/* Where the outlines cross a line, from left to right. Returns how many. */
static size_t find_crossings(const struct mark *mark, double y, double crossings[CROSSINGS])
{
    size_t count = 0;
    for (size_t i = 0; i < mark->count; i++) {
        const struct point a = mark->points[i];
        const size_t next = i + 1 == mark->first ? 0 : i + 1 == mark->count ? mark->first : i + 1;
        const struct point b = mark->points[next];
        if ((a.y <= y) == (b.y <= y) || count == CROSSINGS) {
            continue;
        }
        const double x = a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y);
        size_t place = count++;
        for (; place > 0 && crossings[place - 1] > x; place--) {
            crossings[place] = crossings[place - 1];
        }
        crossings[place] = x;
    }
    return count;
}

/* Adds to each pixel how much of it lies between two places, in pixels. */
static void add_span(double *sums, int size, double from, double to)
{
    for (int x = from < 0 ? 0 : (int)from; x < size && x < to; x++) {
        const double left = from > x ? from : x;
        const double right = to < x + 1 ? to : x + 1;
        sums[x] += right > left ? right - left : 0;
    }
}

void ui_marks_draw(uint32_t code, int size, uint8_t *coverage)
{
    const struct mark *mark = find_mark(code);
    assert(mark != NULL && size > 0 && size <= UI_MARKS_SIZE_MAX);
    double sums[UI_MARKS_SIZE_MAX];
    for (int row = 0; row < size; row++) {
        memset(sums, 0, sizeof sums);
        for (int line = 0; line < LINES; line++) {
            double crossings[CROSSINGS];
            const size_t count =
                find_crossings(mark, (row + (line + 0.5) / LINES) / size, crossings);
            for (size_t i = 0; i + 1 < count; i += 2) {
                add_span(sums, size, crossings[i] * size, crossings[i + 1] * size);
            }
        }
        for (int x = 0; x < size; x++) {
            coverage[row * size + x] = (uint8_t)(sums[x] * 255 / LINES + 0.5);
        }
    }
}
