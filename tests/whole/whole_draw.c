#include "whole.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pictures ---- */

void *whole_memory(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        (void)fprintf(stderr, "whole: no memory\n");
        exit(1);
    }
    return memory;
}

struct whole_picture whole_picture_create(int width, int height)
{
    const size_t pixels = (size_t)width * (size_t)height;
    return (struct whole_picture){width, height, whole_memory(pixels, WHOLE_CHANNELS)};
}

uint8_t whole_byte(double value)
{
    /* Sums of doubles miss halves by less than this. */
    return value > 0 ? (uint8_t)(fmin(value, 255) + 0.5 + 1e-9) : 0;
}

static uint8_t *pixel_at(const struct whole_picture *picture, int x, int y)
{
    return picture->rgb + ((size_t)y * (size_t)picture->width + (size_t)x) * WHOLE_CHANNELS;
}

static int placed(double whole, int size, bool repeat)
{
    if (repeat) {
        return (int)(whole - floor(whole / size) * size);
    }
    return (int)fmin(fmax(whole, 0), size - 1);
}

double whole_error(double value, unsigned nudge)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits += nudge * UINT64_C(0x9e3779b97f4a7c15);
    for (int round = 0; round < 2; round++) {
        bits ^= bits >> 31;
        bits *= UINT64_C(0xbf58476d1ce4e5b9);
    }
    return (double)(bits >> 11) * 0x1p-52 - 1;
}

double whole_nudged(double value, double bits, unsigned nudge)
{
    if (nudge == 0 || !isfinite(value) || (double)(float)value == value) {
        return value;
    }
    int exponent;
    (void)frexp(value, &exponent);
    return value + ldexp(bits * whole_error(value, nudge), exponent - 24);
}

double whole_nudged_level(double level, int parts, unsigned nudge)
{
    return nudge != 0 ? level + whole_error(level, nudge) / parts : level;
}

double whole_weight(double weight, unsigned nudge)
{
    return nudge != 0 ? floor(weight * 256 + 0.5 + 0.5 * whole_error(weight, nudge)) / 256 : weight;
}

void whole_sample(const struct whole_picture *picture, double u, double v, bool repeat,
                  unsigned nudge, double rgb[WHOLE_CHANNELS])
{
    const double x = u * picture->width - 0.5;
    const double y = v * picture->height - 0.5;
    const double fx = whole_weight(x - floor(x), nudge);
    const double fy = whole_weight(y - floor(y), nudge);
    const int x0 = placed(floor(x), picture->width, repeat);
    const int x1 = placed(floor(x) + 1, picture->width, repeat);
    const int y0 = placed(floor(y), picture->height, repeat);
    const int y1 = placed(floor(y) + 1, picture->height, repeat);
    for (int k = 0; k < WHOLE_CHANNELS; k++) {
        const double top =
            pixel_at(picture, x0, y0)[k] * (1 - fx) + pixel_at(picture, x1, y0)[k] * fx;
        const double bottom =
            pixel_at(picture, x0, y1)[k] * (1 - fx) + pixel_at(picture, x1, y1)[k] * fx;
        rgb[k] = top * (1 - fy) + bottom * fy;
    }
}

/* ---- the mesh and the warp without a shader: sections 3 and 4 ---- */

void whole_mesh_at(const struct whole_mesh *mesh, const struct whole_frame *frame, int x, int y,
                   double *u, double *v)
{
    const double right = (x + 0.5) / frame->width * frame->mesh_x;
    const double up = (1 - (y + 0.5) / frame->height) * frame->mesh_y;
    const int i = (int)right;
    const int j = (int)up;
    const double fx = right - i;
    const double fy = up - j;
    const size_t pitch = (size_t)frame->mesh_x + 1;
    const size_t at = (size_t)j * pitch + (size_t)i;
    const double *const from[2] = {mesh->u + at, mesh->v + at};
    double *const to[2] = {u, v};
    for (int k = 0; k < 2; k++) {
        const double *c = from[k];
        *to[k] = fx + fy <= 1 ? c[0] + fx * (c[1] - c[0]) + fy * (c[pitch] - c[0])
                              : c[pitch + 1] + (1 - fx) * (c[pitch] - c[pitch + 1]) +
                                    (1 - fy) * (c[1] - c[pitch + 1]);
    }
}

void whole_warp(const struct whole_picture *to, const struct whole_picture *from,
                const struct whole_mesh *mesh, const struct whole_frame *frame)
{
    const bool repeat = frame->value[PRESET_KEY_wrap] > 0.5;
    const double decay = frame->value[PRESET_KEY_decay];
    const double kept = (double)((unsigned)(int)(255 * fmin(fmax(decay, -1e6), 1e6)) & 255) / 255;
    for (int y = 0; y < to->height; y++) {
        for (int x = 0; x < to->width; x++) {
            double u;
            double v;
            double rgb[WHOLE_CHANNELS];
            whole_mesh_at(mesh, frame, x, y, &u, &v);
            whole_sample(from, u, v, repeat, frame->nudge, rgb);
            for (int k = 0; k < WHOLE_CHANNELS; k++) {
                pixel_at(to, x, y)[k] = whole_byte(whole_byte(rgb[k]) * kept);
            }
        }
    }
}

/* ---- figures ---- */

/* Colour and alpha in 0..255; each drawing rounds. */
static void blend(const struct whole_picture *to, int x, int y, const double *colour, bool additive,
                  unsigned nudge)
{
    uint8_t *pixel = pixel_at(to, x, y);
    const double alpha = colour[WHOLE_ALPHA] / 255;
    for (int k = 0; k < WHOLE_CHANNELS; k++) {
        const double sum = colour[k] * alpha + pixel[k] * (additive ? 1 : 1 - alpha);
        pixel[k] = whole_byte(whole_nudged_level(sum, WHOLE_PARTS, nudge));
    }
}

static bool inside(const struct whole_picture *to, double x, double y)
{
    return x >= 0 && x < to->width && y >= 0 && y < to->height;
}

/* Without what rounding adds to a place between two pixels. */
static double snapped(double place)
{
    return fabs(place) < 1e6 ? round(place * 65536) / 65536 : place;
}

/* A pixel for each step along the longer axis whose middle lies from `a` up to, not including, `b`.
 */
static void draw_line(const struct whole_picture *to, const struct whole_corner *a,
                      const struct whole_corner *b, double shift_x, double shift_y, bool additive,
                      unsigned nudge)
{
    const double x0 = snapped(a->x);
    const double y0 = snapped(a->y);
    const double dx = snapped(b->x) - x0;
    const double dy = snapped(b->y) - y0;
    const bool steep = fabs(dy) > fabs(dx);
    const double start = steep ? y0 + shift_y : x0 + shift_x;
    const double other = steep ? x0 + shift_x : y0 + shift_y;
    const double length = steep ? dy : dx;
    const double across = steep ? dx : dy;
    const int limit = steep ? to->height : to->width;
    if (!(fabs(length) > 0) || !isfinite(start) || !isfinite(other) || !isfinite(length)) {
        return;
    }
    for (int step = 0; step < limit; step++) {
        const double t = (step + 0.5 - start) / length;
        if (t < 0 || t >= 1) {
            continue;
        }
        const double minor = floor(other + t * across);
        const double x = steep ? minor : step;
        const double y = steep ? step : minor;
        double colour[WHOLE_COLOURS];
        for (int k = 0; k < WHOLE_COLOURS; k++) {
            colour[k] = a->colour[k] + t * (b->colour[k] - a->colour[k]);
        }
        if (inside(to, x, y)) {
            blend(to, (int)x, (int)y, colour, additive, nudge);
        }
    }
}

static void draw_dot(const struct whole_picture *to, const struct whole_corner *at, double shift_x,
                     double shift_y, int size, bool additive, unsigned nudge)
{
    for (int row = 0; row < size; row++) {
        for (int column = 0; column < size; column++) {
            const double x = floor(snapped(at->x) + shift_x) + column;
            const double y = floor(snapped(at->y) + shift_y) + row;
            if (inside(to, x, y)) {
                blend(to, (int)x, (int)y, at->colour, additive, nudge);
            }
        }
    }
}

/* Twice the area of a, b and a point, the same but for its sign if a and b change places. */
static double side_of(const struct whole_corner *a, const struct whole_corner *b, double x,
                      double y)
{
    const bool swap = b->x < a->x || (b->x == a->x && b->y < a->y);
    const struct whole_corner *p = swap ? b : a;
    const struct whole_corner *q = swap ? a : b;
    const double area = (q->x - p->x) * (y - p->y) - (q->y - p->y) * (x - p->x);
    return swap ? -area : area;
}

/* Whether a middle on the edge from a to b, with the inside at its right, belongs to the triangle:
 * upper and left edges do. */
static bool owns_edge(const struct whole_corner *a, const struct whole_corner *b)
{
    return b->y < a->y || (b->y == a->y && b->x > a->x);
}

static int bounded(double value, int most)
{
    return (int)fmin(fmax(floor(value), 0), most);
}

static void draw_triangle(const struct whole_picture *to, const struct whole_picture *texture,
                          const struct whole_corner *a, const struct whole_corner *b,
                          const struct whole_corner *c, bool additive, unsigned nudge)
{
    double area = side_of(a, b, c->x, c->y);
    if (area < 0) {
        const struct whole_corner *swap = b;
        b = c;
        c = swap;
        area = -area;
    }
    if (!(area > 0) || !isfinite(area)) {
        return;
    }
    const int left = bounded(fmin(a->x, fmin(b->x, c->x)) - 1, to->width);
    const int right = bounded(fmax(a->x, fmax(b->x, c->x)) + 1, to->width);
    const int top = bounded(fmin(a->y, fmin(b->y, c->y)) - 1, to->height);
    const int bottom = bounded(fmax(a->y, fmax(b->y, c->y)) + 1, to->height);
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            const double wa = side_of(b, c, x + 0.5, y + 0.5);
            const double wb = side_of(c, a, x + 0.5, y + 0.5);
            const double wc = side_of(a, b, x + 0.5, y + 0.5);
            if (wa < 0 || wb < 0 || wc < 0 || (wa == 0 && !owns_edge(b, c)) ||
                (wb == 0 && !owns_edge(c, a)) || (wc == 0 && !owns_edge(a, b))) {
                continue;
            }
            double colour[WHOLE_COLOURS];
            for (int k = 0; k < WHOLE_COLOURS; k++) {
                colour[k] = (wa * a->colour[k] + wb * b->colour[k] + wc * c->colour[k]) / area;
            }
            if (texture != NULL) {
                double texel[WHOLE_CHANNELS] = {0};
                const double u = (wa * a->u + wb * b->u + wc * c->u) / area;
                const double v = (wa * a->v + wb * b->v + wc * c->v) / area;
                if (fabs(u) < 1e9 && fabs(v) < 1e9) {
                    whole_sample(texture, u, v, true, nudge, texel);
                }
                for (int k = 0; k < WHOLE_CHANNELS; k++) {
                    colour[k] *= (nudge != 0 ? whole_byte(texel[k]) : texel[k]) / 255;
                }
            }
            blend(to, x, y, colour, additive, nudge);
        }
    }
}

static void draw_frame(const struct whole_picture *to, const struct whole_figure *figure,
                       const double *colour, unsigned nudge)
{
    const double outer = fmax(figure->outer, figure->inner);
    const double inner = fmin(figure->outer, figure->inner);
    for (int y = 0; y < to->height; y++) {
        for (int x = 0; x < to->width; x++) {
            const double far =
                fmax(fabs((x + 0.5) / to->width * 2 - 1), fabs((y + 0.5) / to->height * 2 - 1));
            if (far > inner && far <= outer) {
                blend(to, x, y, colour, false, nudge);
            }
        }
    }
}

static void draw_pass(const struct whole_picture *to, const struct whole_figure *figure,
                      const struct whole_corner *corners, double shift_x, double shift_y,
                      unsigned nudge)
{
    for (size_t i = 0; i < figure->count; i++) {
        if (figure->kind == WHOLE_DOTS) {
            draw_dot(to, &corners[i], shift_x, shift_y, figure->dot_size, figure->additive, nudge);
        } else if (i + 1 < figure->count) {
            draw_line(to, &corners[i], &corners[i + 1], shift_x, shift_y, figure->additive, nudge);
        }
    }
}

void whole_draw(const struct whole_picture *to, const struct whole_picture *texture,
                const struct whole_figures *figures, unsigned nudge)
{
    static const double shifts[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (size_t i = 0; i < figures->count; i++) {
        const struct whole_figure *figure = &figures->figures[i];
        const struct whole_corner *corners = figures->corners + figure->first;
        if (figure->kind == WHOLE_FRAME) {
            draw_frame(to, figure, corners->colour, nudge);
        } else if (figure->kind == WHOLE_FAN) {
            for (size_t j = 1; j < figure->count; j++) {
                draw_triangle(to, figure->textured ? texture : NULL, &corners[0], &corners[j],
                              &corners[j + 1 < figure->count ? j + 1 : 1], figure->additive, nudge);
            }
        } else {
            for (int pass = 0; pass < (figure->four ? 4 : 1); pass++) {
                draw_pass(to, figure, corners, shifts[pass][0], shifts[pass][1], nudge);
            }
        }
    }
}

/* ---- the picture as it is shown, without a shader: section 6 ---- */

void whole_corner_shades(double corner[4][WHOLE_CHANNELS], double strength, double time,
                         const double phase[WHOLE_CHANNELS])
{
    static const double speed[WHOLE_CHANNELS] = {0.0143, 0.0107, 0.0129};
    static const double start[WHOLE_CHANNELS] = {3, 1, 6};
    static const double step[WHOLE_CHANNELS] = {21, 13, 9};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < WHOLE_CHANNELS; k++) {
            corner[i][k] =
                0.6 + 0.3 * sin(30 * time * speed[k] + start[k] + step[k] * i + phase[k]);
        }
        const double most = fmax(corner[i][0], fmax(corner[i][1], corner[i][2]));
        for (int k = 0; k < WHOLE_CHANNELS; k++) {
            const double c = 0.5 + 0.5 * corner[i][k] / most;
            /* A vertex has no negative colour. */
            corner[i][k] = strength > 0.001 ? fmax(c * strength + (1 - strength), 0) : 1;
        }
    }
}

static double filtered(double x, const double *value)
{
    if (value[PRESET_KEY_brighten] != 0) {
        x = whole_byte(255 * (1 - (1 - x / 255) * (1 - x / 255)));
    }
    if (value[PRESET_KEY_darken] != 0) {
        x = whole_byte(x * x / 255);
    }
    if (value[PRESET_KEY_solarize] != 0) {
        x = whole_byte(2 * x * (1 - x / 255));
    }
    return value[PRESET_KEY_invert] != 0 ? 255 - x : x;
}

void whole_composite(const struct whole_picture *to, const struct whole_picture *from,
                     const struct whole_frame *frame, const double phase[WHOLE_CHANNELS])
{
    const double *value = frame->value;
    const unsigned nudge = frame->nudge;
    const double alpha = fmin(value[PRESET_KEY_echo_alpha], 1);
    const bool echo = alpha > 0.001;
    const double gamma = echo ? fmax(value[PRESET_KEY_gamma], 1) : value[PRESET_KEY_gamma];
    const int orientation = ((int)fmod(value[PRESET_KEY_echo_orient], 4) + 4) % 4;
    double corner[4][WHOLE_CHANNELS];
    whole_corner_shades(corner, value[PRESET_KEY_shader], frame->time, phase);
    for (int y = 0; y < to->height; y++) {
        for (int x = 0; x < to->width; x++) {
            const double u = (x + 0.5) / to->width;
            const double v = (y + 0.5) / to->height;
            double second[WHOLE_CHANNELS] = {0};
            if (echo) {
                const double eu = (u - 0.5) / value[PRESET_KEY_echo_zoom] + 0.5;
                const double ev = (v - 0.5) / value[PRESET_KEY_echo_zoom] + 0.5;
                whole_sample(from, orientation % 2 != 0 ? 1 - eu : eu,
                             orientation >= 2 ? 1 - ev : ev, value[PRESET_KEY_wrap] > 0.5, nudge,
                             second);
            }
            for (int k = 0; k < WHOLE_CHANNELS; k++) {
                const double top = corner[2][k] * (1 - u) + corner[3][k] * u;
                const double bottom = corner[0][k] * (1 - u) + corner[1][k] * u;
                const double weight = gamma * (top * (1 - v) + bottom * v);
                const double first = pixel_at(from, x, y)[k];
                const double other = nudge != 0 ? whole_byte(second[k]) : second[k];
                const double sum = (echo ? first * (1 - alpha) + other * alpha : first) * weight;
                const uint8_t level =
                    whole_byte(whole_nudged_level(sum, WHOLE_COMPOSITE_PARTS, nudge));
                pixel_at(to, x, y)[k] = whole_byte(filtered(level, value));
            }
        }
    }
}
