#include "renderer/standin_field.h"

#include <math.h>

static uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

double rend_field_chance(uint32_t seed, int x, int y)
{
    const uint32_t place = (uint32_t)x * 0x9E3779B9U + (uint32_t)y * 0x85EBCA6BU;
    return scramble(place ^ seed * 0xC2B2AE35U) / 4294967296.0;
}

/* i is no more than two periods away. */
static int wrapped(int i, int period)
{
    const int up = i < 0 ? i + 2 * period : i;
    const int down = up >= 2 * period ? up - 2 * period : up;
    return down >= period ? down - period : down;
}

/* floor of numbers that are not far from 0, without a call. */
static int whole_below(double x)
{
    enum { FAR = 1 << 16 };
    return (int)(x + FAR) - FAR;
}

static double eased(double t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

double rend_field_noise(uint32_t seed, int period, double u, double v)
{
    const double x = u * period;
    const double y = v * period;
    const int x0 = whole_below(x);
    const int y0 = whole_below(y);
    const double tx = eased(x - x0);
    const double ty = eased(y - y0);
    const int left = wrapped(x0, period);
    const int right = wrapped(x0 + 1, period);
    const int top = wrapped(y0, period);
    const int bottom = wrapped(y0 + 1, period);
    const double a = rend_field_chance(seed, left, top);
    const double b = rend_field_chance(seed, right, top);
    const double c = rend_field_chance(seed, left, bottom);
    const double d = rend_field_chance(seed, right, bottom);
    const double upper = a + (b - a) * tx;
    return upper + (c + (d - c) * tx - upper) * ty;
}

double rend_field_clouds(uint32_t seed, int period, int octaves, double u, double v)
{
    double sum = 0;
    double weight = 0.5;
    double total = 0;
    for (int i = 0; i < octaves; i++) {
        sum += weight * rend_field_noise(seed + (uint32_t)i, period << i, u, v);
        total += weight;
        weight /= 2;
    }
    return sum / total;
}

struct rend_field_cells rend_field_cells(uint32_t seed, int period, double scatter, double u,
                                         double v)
{
    const double x = u * period;
    const double y = v * period;
    const int x0 = whole_below(x);
    const int y0 = whole_below(y);
    struct rend_field_cells cells = {.nearest = 9, .second = 9};
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            const int i = wrapped(x0 + dx, period);
            const int j = wrapped(y0 + dy, period);
            const double shift = (j & 1) != 0 ? 0.25 : -0.25;
            const double px = x0 + dx + 0.5 + (1 - scatter) * shift +
                              scatter * (rend_field_chance(seed, i, j) - 0.5);
            const double py = y0 + dy + 0.5 + scatter * (rend_field_chance(seed + 1, i, j) - 0.5);
            const double distance = sqrt((px - x) * (px - x) + (py - y) * (py - y));
            if (distance < cells.nearest) {
                cells.second = cells.nearest;
                cells.nearest = distance;
                cells.chance = rend_field_chance(seed + 2, i, j);
            } else if (distance < cells.second) {
                cells.second = distance;
            }
        }
    }
    return cells;
}
