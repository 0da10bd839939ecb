/* Filled triangles, row by row. An edge is always computed from its upper to its lower end, so that
 * two triangles that share it agree on every pixel. */
#include <math.h>

#include "renderer/draw.h"
#include "tmu/tmu.h"

enum { ATTRIBUTES = 6 }; /* r g b a u v */

/* Attributes as planes: value = at + x * per_x + y * per_y at pixel centres. */
struct plane {
    double at;
    double per_x;
    double per_y;
};

struct triangle {
    const struct rend_corner *corners;
    struct plane planes[ATTRIBUTES];
    enum rend_blend blend;
    const struct tmu_surface *texture;
};

static double edge_x(const struct rend_corner *a, const struct rend_corner *b, double y)
{
    const bool swap = a->at.y > b->at.y || (a->at.y == b->at.y && a->at.x > b->at.x);
    const struct rend_corner *top = swap ? b : a;
    const struct rend_corner *bottom = swap ? a : b;
    const double x0 = (double)top->at.x;
    const double y0 = (double)top->at.y;
    return x0 + (y - y0) * ((double)bottom->at.x - x0) / ((double)bottom->at.y - y0);
}

static double attribute(const struct rend_corner *corner, int index)
{
    const double values[ATTRIBUTES] = {corner->colour.r, corner->colour.g,  corner->colour.b,
                                       corner->colour.a, (double)corner->u, (double)corner->v};
    return values[index];
}

/* Returns false for a triangle without area. */
static bool make_planes(struct triangle *triangle)
{
    const struct rend_corner *c = triangle->corners;
    const double x1 = (double)c[1].at.x - (double)c[0].at.x;
    const double y1 = (double)c[1].at.y - (double)c[0].at.y;
    const double x2 = (double)c[2].at.x - (double)c[0].at.x;
    const double y2 = (double)c[2].at.y - (double)c[0].at.y;
    const double area = x1 * y2 - x2 * y1;
    if (!(fabs(area) > 1e-12)) {
        return false;
    }
    for (int i = 0; i < ATTRIBUTES; i++) {
        const double base = attribute(&c[0], i);
        const double d1 = attribute(&c[1], i) - base;
        const double d2 = attribute(&c[2], i) - base;
        struct plane *plane = &triangle->planes[i];
        plane->per_x = (d1 * y2 - d2 * y1) / area;
        plane->per_y = (d2 * x1 - d1 * x2) / area;
        plane->at = base + (0.5 - (double)c[0].at.x) * plane->per_x +
                    (0.5 - (double)c[0].at.y) * plane->per_y;
    }
    return true;
}

static double value_at(const struct plane *plane, int x, int y)
{
    return plane->at + x * plane->per_x + y * plane->per_y;
}

static uint32_t byte_of(double value)
{
    return value <= 0 ? 0 : value >= 255 ? 255 : (uint32_t)(value + 0.5);
}

/* Bilinear, repeated in both directions; colours 0..255 unrounded. */
static void fetch(const struct tmu_surface *texture, double u, double v, double colour[3])
{
    const double x = (u - floor(u)) * texture->width - 0.5;
    const double y = (v - floor(v)) * texture->height - 0.5;
    const double fx = x - floor(x);
    const double fy = y - floor(y);
    const size_t column = (size_t)(floor(x) < 0 ? texture->width - 1 : (int)floor(x));
    const size_t row = (size_t)(floor(y) < 0 ? texture->height - 1 : (int)floor(y));
    const uint32_t *top = texture->pixels + row * texture->stride + column;
    const uint32_t *bottom = top + texture->stride;
    for (unsigned i = 0; i < 3; i++) {
        const unsigned shift = 16 - 8 * i;
        const double upper = ((top[0] >> shift) & 255) * (1 - fx) + ((top[1] >> shift) & 255) * fx;
        const double lower =
            ((bottom[0] >> shift) & 255) * (1 - fx) + ((bottom[1] >> shift) & 255) * fx;
        colour[i] = upper * (1 - fy) + lower * fy;
    }
}

static uint32_t blend_value(uint32_t dst, double src, double alpha, enum rend_blend blend)
{
    const double kept = blend == REND_BLEND_ADDITIVE ? 1 : 1 - alpha;
    return byte_of(src * alpha + dst * kept);
}

static void shade_pixel(const struct triangle *triangle, uint32_t *pixel, int x, int y)
{
    double colour[4];
    for (int i = 0; i < 4; i++) {
        colour[i] = fmin(fmax(value_at(&triangle->planes[i], x, y), 0.0), 255.0);
    }
    if (triangle->texture != NULL) {
        double texel[3];
        fetch(triangle->texture, value_at(&triangle->planes[4], x, y),
              value_at(&triangle->planes[5], x, y), texel);
        for (int i = 0; i < 3; i++) {
            colour[i] *= texel[i] * (1.0 / 255.0);
        }
    }
    const double alpha = colour[3] * (1.0 / 255.0);
    const uint32_t dst = *pixel;
    *pixel = blend_value((dst >> 16) & 255, colour[0], alpha, triangle->blend) << 16 |
             blend_value((dst >> 8) & 255, colour[1], alpha, triangle->blend) << 8 |
             blend_value(dst & 255, colour[2], alpha, triangle->blend);
}

static int pixel_from(double position, int limit)
{
    const double first = ceil(position - 0.5);
    return first < 0 ? 0 : first > limit ? limit : (int)first;
}

/* The pixels of row y between the two edges that cross it. */
static void draw_row(const struct rend_canvas *canvas, const struct triangle *triangle, int y)
{
    double low = INFINITY;
    double high = -INFINITY;
    for (int i = 0; i < 3; i++) {
        const struct rend_corner *a = &triangle->corners[i];
        const struct rend_corner *b = &triangle->corners[(i + 1) % 3];
        const double centre = y + 0.5;
        if (((double)a->at.y <= centre) != ((double)b->at.y <= centre)) {
            const double x = edge_x(a, b, centre);
            low = fmin(low, x);
            high = fmax(high, x);
        }
    }
    if (!(low <= high)) {
        return;
    }
    uint32_t *row = canvas->pixels + (size_t)y * canvas->stride;
    const int end = pixel_from(high, canvas->width);
    for (int x = pixel_from(low, canvas->width); x < end; x++) {
        shade_pixel(triangle, row + x, x, y);
    }
}

void rend_draw_triangle(const struct rend_canvas *canvas, const struct rend_corner corners[3],
                        enum rend_blend blend, const struct tmu_surface *texture)
{
    struct triangle triangle = {.corners = corners, .blend = blend, .texture = texture};
    for (int i = 0; i < 3; i++) {
        if (!isfinite(corners[i].at.x) || !isfinite(corners[i].at.y) || !isfinite(corners[i].u) ||
            !isfinite(corners[i].v)) {
            return;
        }
    }
    if (!make_planes(&triangle)) {
        return;
    }
    const float top = fminf(fminf(corners[0].at.y, corners[1].at.y), corners[2].at.y);
    const float bottom = fmaxf(fmaxf(corners[0].at.y, corners[1].at.y), corners[2].at.y);
    const int end = pixel_from((double)bottom, canvas->height);
    for (int y = pixel_from((double)top, canvas->height); y < end; y++) {
        draw_row(canvas, &triangle, y);
    }
}
