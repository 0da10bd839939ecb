#include "renderer/draw.h"

#include <math.h>

uint8_t rend_low_bits(float c)
{
    const float scaled = c * 255.0f;
    if (!(fabsf(scaled) < 1e18f)) {
        return 0;
    }
    return (uint8_t)((uint64_t)(int64_t)scaled & 255);
}

struct rend_colour rend_colour_low_bits(float r, float g, float b, float a)
{
    return (struct rend_colour){rend_low_bits(r), rend_low_bits(g), rend_low_bits(b),
                                rend_low_bits(a)};
}

/* Maps 0..255 to 0..whole, rounded. */
static int value_of(uint8_t number, int whole)
{
    return (number * whole + 127) / 255;
}

void rend_set_colours(struct rend_shade *shade, struct rend_colour from, struct rend_colour to,
                      bool textured)
{
    const uint8_t first[REND_SPAN_VALUES] = {from.b, from.g, from.r, from.a};
    const uint8_t last[REND_SPAN_VALUES] = {to.b, to.g, to.r, to.a};
    for (int k = 0; k < REND_SPAN_VALUES; k++) {
        const bool part = textured || k == REND_SPAN_ALPHA;
        const int whole = part ? REND_SPAN_WHOLE : 255 * REND_SPAN_LEVEL;
        shade->from[k] = (int16_t)value_of(first[k], whole);
        shade->more[k] = (int16_t)(value_of(last[k], whole) - shade->from[k]);
    }
}

static uint32_t packed(struct rend_colour colour)
{
    return (uint32_t)colour.r << 16 | (uint32_t)colour.g << 8 | colour.b;
}

static int clamp_int(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* The whole number at or below a position that is not far from the canvas. */
static int floor_of(float position)
{
    const int whole = (int)position;
    return whole - ((float)whole > position ? 1 : 0);
}

static bool near_canvas(float position)
{
    return fabsf(position) < 1e6f;
}

void rend_draw_dot(const struct rend_canvas *canvas, struct rend_point at, int size,
                   struct rend_colour colour, enum rend_blend blend)
{
    if (!near_canvas(at.x) || !near_canvas(at.y)) {
        return;
    }
    const int x = floor_of(at.x);
    const int y = floor_of(at.y);
    const int x0 = clamp_int(x, 0, canvas->width);
    const int x1 = clamp_int(x + size, 0, canvas->width);
    const int y1 = clamp_int(y + size, canvas->top, canvas->bottom);
    const struct rend_tint tint = rend_tint_of(packed(colour), colour.a, blend);
    for (int row = clamp_int(y, canvas->top, canvas->bottom); row < y1; row++) {
        uint32_t *pixels = canvas->pixels + (size_t)row * canvas->stride;
        for (int column = x0; column < x1; column++) {
            pixels[column] = rend_tinted(pixels[column], &tint);
        }
    }
}

void rend_draw_frame(const struct rend_canvas *canvas, float outer, float inner,
                     struct rend_colour colour)
{
    if (!isfinite(outer) || !isfinite(inner) || colour.a == 0) {
        return;
    }
    const struct rend_span_kernels *kernels = rend_span_kernels_for(canvas->cpu);
    const uint32_t source = packed(colour);
    const int width = canvas->width;
    const double half_width = 0.5 * width;
    const double half_height = 0.5 * canvas->height;
    const double out = fmax((double)fmaxf(outer, inner), 0.0);
    const double in = fmax((double)fminf(outer, inner), 0.0);
    const int out_x = rend_pixel_from(half_width * (1 - out), width);
    const int out_y = rend_pixel_from(half_height * (1 - out), canvas->height);
    const int in_x = clamp_int(rend_pixel_from(half_width * (1 - in), width), out_x, width);
    const int in_y =
        clamp_int(rend_pixel_from(half_height * (1 - in), canvas->height), out_y, canvas->height);
    for (int y = out_y; y < canvas->height - out_y; y++) {
        uint32_t *row = canvas->pixels + (size_t)y * canvas->stride;
        if (in == 0 || y < in_y || y >= canvas->height - in_y || in_x * 2 >= width) {
            const int count = width - 2 * out_x;
            kernels->tint(source, colour.a, REND_BLEND_ALPHA, row + out_x,
                          (size_t)(count > 0 ? count : 0));
        } else {
            const size_t count = (size_t)(in_x - out_x);
            kernels->tint(source, colour.a, REND_BLEND_ALPHA, row + out_x, count);
            kernels->tint(source, colour.a, REND_BLEND_ALPHA, row + width - in_x, count);
        }
    }
}
