/* Pictures in place of those that are not there. */
#include "renderer/standin/standin.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/fmath.h"
#include "base/random.h"

/* Distances to the nearest and second nearest of period x period points scattered in a grid, in
 * grid steps; scatter 0..1: from a regular grid, each second row shifted, to a random one. */
struct field_cells {
    double nearest;
    double second;
    double chance; /* 0..1, of the nearest point */
};
static struct field_cells field_cells(uint32_t seed, int period, double scatter, double u,
                                      double v);

/* What the pictures show. */

/* Red, green, blue, 0..1; beyond is cut off. */
struct ink {
    double red;
    double green;
    double blue;
};

/* The colour at u, v (0..1, v down) of one picture of many. */
typedef struct ink (*painter_function)(uint32_t seed, double u, double v);

/* STANDIN(painter, "names"): the painter, and parts of names that ask for it, the first match
 * counts. */
#define REND_STANDIN(painter, ...) static struct ink paint_##painter(uint32_t, double, double);
#include "renderer/standin/standin.def"

/* 0..1, the same for the same numbers. */
static double field_chance(uint32_t seed, int x, int y)
{
    const uint32_t place = (uint32_t)x * 0x9E3779B9U + (uint32_t)y * 0x85EBCA6BU;
    uint32_t mixed = place ^ seed * 0xC2B2AE35U;
    mixed ^= mixed >> 16;
    mixed *= 0x7feb352dU;
    mixed ^= mixed >> 15;
    mixed *= 0x846ca68bU;
    return (mixed ^ mixed >> 16) / 4294967296.0;
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

/* 0..1: smooth noise with `period` values along a side. */
static double field_noise(uint32_t seed, int period, double u, double v)
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
    const double a = field_chance(seed, left, top);
    const double b = field_chance(seed, right, top);
    const double c = field_chance(seed, left, bottom);
    const double d = field_chance(seed, right, bottom);
    const double upper = a + (b - a) * tx;
    return upper + (c + (d - c) * tx - upper) * ty;
}

/* 0..1: the sum of octaves, each twice as fine and half as strong. */
static double field_clouds(uint32_t seed, int period, int octaves, double u, double v)
{
    double sum = 0;
    double weight = 0.5;
    double total = 0;
    for (int i = 0; i < octaves; i++) {
        sum += weight * field_noise(seed + (uint32_t)i, period << i, u, v);
        total += weight;
        weight /= 2;
    }
    return sum / total;
}

static struct field_cells field_cells(uint32_t seed, int period, double scatter, double u, double v)
{
    const double x = u * period;
    const double y = v * period;
    const int x0 = whole_below(x);
    const int y0 = whole_below(y);
    struct field_cells cells = {.nearest = 9, .second = 9};
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            const int i = wrapped(x0 + dx, period);
            const int j = wrapped(y0 + dy, period);
            const double shift = (j & 1) != 0 ? 0.25 : -0.25;
            const double px =
                x0 + dx + 0.5 + (1 - scatter) * shift + scatter * (field_chance(seed, i, j) - 0.5);
            const double py = y0 + dy + 0.5 + scatter * (field_chance(seed + 1, i, j) - 0.5);
            const double distance = sqrt((px - x) * (px - x) + (py - y) * (py - y));
            if (distance < cells.nearest) {
                cells.second = cells.nearest;
                cells.nearest = distance;
                cells.chance = field_chance(seed + 2, i, j);
            } else if (distance < cells.second) {
                cells.second = distance;
            }
        }
    }
    return cells;
}

static const double turn = 2 * BASE_PI;

static double clamp_unit(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* 0 below low, 1 above high, smooth between. */
static double ramp(double low, double high, double x)
{
    const double t = clamp_unit((x - low) / (high - low));
    return t * t * (3 - 2 * t);
}

static struct ink lerp_ink(struct ink a, struct ink b, double t)
{
    t = clamp_unit(t);
    return (struct ink){a.red + (b.red - a.red) * t, a.green + (b.green - a.green) * t,
                        a.blue + (b.blue - a.blue) * t};
}

static struct ink shaded(struct ink a, double light)
{
    return (struct ink){a.red * light, a.green * light, a.blue * light};
}

/* The colour at t of inks evenly spread over 0..1. */
static struct ink along(const struct ink *inks, int count, double t)
{
    const double at = clamp_unit(t) * (count - 1);
    const int first = at >= count - 1 ? count - 2 : (int)at;
    return lerp_ink(inks[first], inks[first + 1], at - first);
}

static struct ink rainbow(double t)
{
    return (struct ink){0.5 + 0.5 * base_cos(turn * t), 0.5 + 0.5 * base_cos(turn * (t - 0.33)),
                        0.5 + 0.5 * base_cos(turn * (t - 0.67))};
}

/* How far other noise moves a place. */
struct stir {
    double du;
    double dv;
};

static struct stir stir(uint32_t seed, int period, double strength, double u, double v)
{
    return (struct stir){strength * (field_clouds(seed + 50, period, 2, u, v) - 0.5),
                         strength * (field_clouds(seed + 60, period, 2, u, v) - 0.5)};
}

/* Noise whose place is moved by other noise. */
static double stirred(uint32_t seed, int period, double strength, double u, double v)
{
    const struct stir by = stir(seed, period, strength, u, v);
    return field_clouds(seed, period, 4, u + by.du, v + by.dv);
}

static struct ink paint_worms(uint32_t seed, double u, double v)
{
    static const struct ink inks[] = {
        {0.10, 0.04, 0.08}, {0.62, 0.28, 0.26}, {0.93, 0.66, 0.52}, {1.0, 0.93, 0.82}};
    const double field = stirred(seed, 6, 0.15, u, v);
    const double wave = 0.5 + 0.5 * base_sin(field * 60);
    const double rings = 0.9 + 0.1 * base_sin(field_noise(seed + 7, 64, u, v) * 20);
    return along(inks, 4, wave * rings);
}

static struct ink paint_scales(uint32_t seed, double u, double v)
{
    static const struct ink inks[] = {
        {0.05, 0.10, 0.04}, {0.16, 0.36, 0.10}, {0.50, 0.62, 0.20}, {0.86, 0.88, 0.52}};
    const struct field_cells cell = field_cells(seed, 14, 0.12, u, v);
    const double dome = 1 - ramp(0.1, 0.62, cell.nearest);
    const double patch = field_clouds(seed + 3, 4, 3, u, v);
    return along(inks, 4, dome * (0.35 + 0.75 * patch) + 0.12 * cell.chance);
}

static struct ink paint_meat(uint32_t seed, double u, double v)
{
    static const struct ink inks[] = {
        {0.22, 0.01, 0.03}, {0.58, 0.06, 0.09}, {0.82, 0.28, 0.26}, {0.98, 0.84, 0.76}};
    const double grain = stirred(seed, 5, 0.3, u, v);
    const double fat = ramp(0.47, 0.5, grain) - ramp(0.53, 0.57, grain);
    return along(inks, 4, 0.2 + 0.5 * field_clouds(seed + 9, 9, 3, u, v) + 0.6 * fat);
}

static struct ink paint_fish(uint32_t seed, double u, double v)
{
    static const struct ink deep = {0.02, 0.16, 0.28};
    static const struct ink light = {0.16, 0.52, 0.62};
    enum { SCHOOLS = 5 };
    const double row = v * SCHOOLS;
    const int j = (int)floor(row);
    const double column = u * SCHOOLS + ((j & 1) != 0 ? 0.5 : 0);
    const int i = (int)floor(column) % SCHOOLS;
    const double x = (column - floor(column) - 0.5) * ((j & 1) != 0 ? -2 : 2);
    const double y = (row - j - 0.5) * 2.4;
    const double body = 1 - (x * x / 0.42 + y * y / 0.12);
    const double tail = x > -0.92 ? (-x - 0.5) * 0.75 - fabs(y) : -1;
    const double shape = fmax(ramp(0, 0.25, body), ramp(0, 0.06, tail));
    const double eye = 1 - ramp(0.004, 0.01, (x - 0.42) * (x - 0.42) + (y + 0.06) * (y + 0.06));
    const double stripes = 0.75 + 0.25 * base_sin(x * 22 + y * 4);
    const struct ink sea = lerp_ink(deep, light, field_clouds(seed, 4, 4, u, v) * 1.3 - 0.2);
    const struct ink fish = shaded(rainbow(field_chance(seed, i, j)), stripes * (0.8 - 0.5 * y));
    return shaded(lerp_ink(sea, fish, shape), 1 - eye);
}

static struct ink paint_cells(uint32_t seed, double u, double v)
{
    static const struct ink wall = {0.93, 0.97, 0.80};
    static const struct ink inks[] = {
        {0.03, 0.16, 0.22}, {0.10, 0.42, 0.44}, {0.34, 0.62, 0.42}, {0.72, 0.80, 0.46}};
    const struct field_cells cell = field_cells(seed, 9, 0.9, u, v);
    const double edge = 1 - ramp(0.02, 0.16, cell.second - cell.nearest);
    const double core = 1 - ramp(0.06, 0.16, cell.nearest);
    const struct ink inside = along(inks, 4, cell.chance * 0.8 + 0.35 * cell.nearest);
    return lerp_ink(lerp_ink(inside, inks[0], core * 0.8), wall, edge * 0.85);
}

static struct ink paint_lichen(uint32_t seed, double u, double v)
{
    static const struct ink stone[] = {{0.20, 0.20, 0.19}, {0.44, 0.43, 0.40}, {0.62, 0.60, 0.55}};
    static const struct ink growth[] = {
        {0.24, 0.34, 0.16}, {0.52, 0.60, 0.28}, {0.80, 0.80, 0.48}, {0.86, 0.54, 0.18}};
    const double patch = stirred(seed, 4, 0.35, u, v);
    const double fine = field_clouds(seed + 4, 24, 3, u, v);
    const struct ink rock = along(stone, 3, fine);
    const struct ink green = along(growth, 4, 1.6 * (patch - 0.35) + 0.7 * (fine - 0.3));
    return lerp_ink(rock, green, ramp(0.43, 0.52, patch + 0.12 * (fine - 0.5)));
}

static struct ink paint_clouds(uint32_t seed, double u, double v)
{
    static const struct ink high = {0.16, 0.36, 0.72};
    static const struct ink low = {0.42, 0.64, 0.90};
    static const struct ink cloud[] = {{0.56, 0.60, 0.70}, {0.86, 0.88, 0.92}, {1, 1, 1}};
    const struct stir by = stir(seed, 3, 0.2, u, v);
    const double density = field_clouds(seed, 3, 5, u + by.du, v + by.dv);
    const double above = field_clouds(seed, 3, 3, u + by.du, v + by.dv - 0.02);
    const double light = 0.55 + 4 * (density - above);
    const struct ink blue = lerp_ink(high, low, 0.5 + 0.5 * base_cos(turn * v));
    return lerp_ink(blue, along(cloud, 3, light), ramp(0.44, 0.62, density));
}

static struct ink paint_sunrise(uint32_t seed, double u, double v)
{
    static const struct ink sky[] = {{0.05, 0.05, 0.20}, {0.28, 0.12, 0.40}, {0.74, 0.24, 0.36},
                                     {0.98, 0.56, 0.22}, {1.0, 0.90, 0.56},  {0.34, 0.14, 0.18},
                                     {0.06, 0.03, 0.08}};
    const double haze = 0.05 * (field_clouds(seed, 4, 4, u, v) - 0.5);
    const double du = u - 0.5;
    const double dv = v - 0.62;
    const double sun = 1 - ramp(0.006, 0.012, du * du + dv * dv);
    const struct ink glow = {1, 0.97, 0.8};
    return lerp_ink(along(sky, 7, v + haze), glow, v < 0.68 ? sun : 0);
}

static struct ink paint_spectrum(uint32_t seed, double u, double v)
{
    (void)seed;
    const struct ink hue = rainbow(u);
    const struct ink white = {1, 1, 1};
    return v < 0.5 ? lerp_ink(white, hue, 0.3 + 1.4 * v) : shaded(hue, 1.6 - 1.2 * v);
}

static struct ink paint_heart(uint32_t seed, double u, double v)
{
    static const struct ink back[] = {{0.12, 0.02, 0.08}, {0.36, 0.05, 0.16}};
    static const struct ink red[] = {{0.45, 0.0, 0.05}, {0.90, 0.08, 0.14}, {1.0, 0.62, 0.56}};
    const double x = (u - 0.5) * 2.7;
    const double y = (0.55 - v) * 2.7;
    const double ring = x * x + y * y - 1;
    const double inside = y * base_pow(x * x, 1.0 / 3) - ring;
    const double shape = ramp(0, 0.05, inside);
    const double light = 0.45 + 0.35 * y - 0.25 * x - 0.25 * ring;
    const struct ink cloth = along(back, 2, field_clouds(seed, 6, 4, u, v));
    return lerp_ink(cloth, along(red, 3, light), shape);
}

static struct ink paint_rose(uint32_t seed, double u, double v)
{
    static const struct ink leaf[] = {{0.02, 0.10, 0.04}, {0.12, 0.32, 0.12}};
    static const struct ink petal[] = {
        {0.34, 0.0, 0.10}, {0.82, 0.12, 0.32}, {1.0, 0.62, 0.66}, {1.0, 0.94, 0.80}};
    const double x = (u - 0.5) * 2;
    const double y = (v - 0.5) * 2;
    const double rad = sqrt(x * x + y * y);
    const double ang = rad == 0 ? 0 : base_atan2(y, x);
    double ink = -1;
    for (int ring = 0; ring < 5; ring++) {
        const double size = 0.9 - 0.17 * ring;
        const double lobes = fabs(base_cos(ang * 2.5 + ring * 1.3));
        const double edge = size * (0.72 + 0.28 * sqrt(lobes));
        if (rad < edge) {
            ink = 0.15 + 0.16 * ring + 0.55 * (rad / edge) * (rad / edge) - 0.2 * (1 - lobes);
        }
    }
    const struct ink back = along(leaf, 2, field_clouds(seed, 8, 4, u, v));
    return ink < 0 ? back : along(petal, 4, ink);
}

static struct ink paint_skull(uint32_t seed, double u, double v)
{
    static const struct ink back[] = {{0.03, 0.03, 0.05}, {0.16, 0.14, 0.18}};
    static const struct ink bone[] = {{0.24, 0.19, 0.13}, {0.70, 0.62, 0.47}, {0.97, 0.93, 0.80}};
    const double x = fabs(u - 0.5) * 2;
    const double y = (v - 0.42) * 2;
    const double dome = 1 - (x * x / 0.42 + y * y / 0.46);
    const double jaw = fmin(0.40 - x - 0.1 * (y - 0.5), 0.95 - y) * 2.5;
    const double shape = ramp(0, 0.08, fmax(dome, y > 0.3 ? jaw : -1));
    const double eye =
        1 - ramp(0.7, 1.1, (x - 0.27) * (x - 0.27) / 0.033 + (y - 0.1) * (y - 0.1) / 0.030);
    const double nose = y > 0.3 && y < 0.5 ? ramp(0, 0.03, (y - 0.3) * 0.55 - x) : 0;
    const double teeth =
        y > 0.62 && y < 0.84 && x < 0.34 ? ramp(0.75, 0.95, fabs(base_cos(x * 26))) : 0;
    const double light = 0.55 + 0.4 * dome - 0.25 * x + 0.25 * field_clouds(seed, 8, 4, u, v) - 0.2;
    const struct ink face =
        shaded(along(bone, 3, light), 1 - 0.92 * fmax(eye, fmax(nose, 0.7 * teeth)));
    return lerp_ink(along(back, 2, field_clouds(seed + 5, 5, 4, u, v)), face, shape);
}

static struct ink paint_facade(uint32_t seed, double u, double v)
{
    static const struct ink brick[] = {{0.34, 0.16, 0.11}, {0.56, 0.28, 0.19}, {0.70, 0.42, 0.30}};
    static const struct ink mortar = {0.62, 0.58, 0.52};
    static const struct ink dark = {0.05, 0.08, 0.12};
    static const struct ink lit = {1.0, 0.84, 0.48};
    enum { FLOORS = 4, ROWS = 40 };
    const double wx = u * FLOORS - floor(u * FLOORS);
    const double wy = v * FLOORS - floor(v * FLOORS);
    const int row = (int)floor(v * ROWS);
    const double along_row = u * 16 + ((row & 1) != 0 ? 0.5 : 0);
    const double bx = along_row - floor(along_row);
    const double by = v * ROWS - row;
    const bool joint = bx < 0.06 || by < 0.14;
    const bool window = wx > 0.28 && wx < 0.72 && wy > 0.2 && wy < 0.8;
    const bool frame = window && (wx < 0.31 || wx > 0.69 || wy < 0.23 || wy > 0.77 ||
                                  fabs(wx - 0.5) < 0.012 || fabs(wy - 0.45) < 0.012);
    const double chance = field_chance(seed, (int)(u * FLOORS), (int)(v * FLOORS));
    if (frame) {
        return shaded(mortar, 1.3);
    }
    if (window) {
        return chance > 0.55 ? shaded(lit, 0.7 + 0.5 * wy) : lerp_ink(dark, mortar, 0.4 * (1 - wy));
    }
    const double tone = 0.6 * field_chance(seed, (int)floor(along_row) % 16, row) +
                        0.5 * field_clouds(seed, 16, 3, u, v) - 0.05;
    return joint ? mortar : along(brick, 3, tone);
}

static struct ink paint_grain(uint32_t seed, double u, double v)
{
    enum { GRAINS = 64 };
    const int x = (int)(u * GRAINS);
    const int y = (int)(v * GRAINS);
    return (struct ink){field_chance(seed, x, y), field_chance(seed + 1, x, y),
                        field_chance(seed + 2, x, y)};
}

static struct ink paint_fire(uint32_t seed, double u, double v)
{
    static const struct ink inks[] = {{0.04, 0.0, 0.0},
                                      {0.45, 0.03, 0.0},
                                      {0.92, 0.32, 0.02},
                                      {1.0, 0.74, 0.16},
                                      {1.0, 0.98, 0.78}};
    const double field = stirred(seed, 5, 0.4, u, v);
    return along(inks, 5, 1 - 2.6 * fabs(field - 0.5) - 0.25 * field_noise(seed + 8, 4, u, v));
}

static struct ink paint_water(uint32_t seed, double u, double v)
{
    static const struct ink inks[] = {
        {0.01, 0.12, 0.26}, {0.03, 0.34, 0.50}, {0.20, 0.62, 0.72}, {0.88, 1.0, 0.98}};
    const double du = 0.05 * (field_clouds(seed + 1, 5, 3, u, v) - 0.5);
    const struct field_cells fine = field_cells(seed, 9, 1, u + du, v - du);
    const struct field_cells broad = field_cells(seed + 9, 5, 1, u - du, v + du);
    const double light = (1 - ramp(0, 0.3, fine.second - fine.nearest)) * 0.5 +
                         (1 - ramp(0, 0.22, broad.second - broad.nearest)) * 0.5;
    return along(inks, 4, 0.2 + 0.3 * field_clouds(seed + 3, 3, 3, u, v) + 0.7 * light);
}

static struct ink paint_wood(uint32_t seed, double u, double v)
{
    static const struct ink inks[] = {{0.24, 0.11, 0.04}, {0.52, 0.28, 0.11}, {0.74, 0.48, 0.24}};
    const double bend = field_clouds(seed, 3, 3, u, v);
    const double rings = 0.5 + 0.5 * base_sin(turn * (6 * u + 3.5 * bend));
    const double fibre = field_noise(seed + 4, 96, u, 0) - 0.5;
    const double pores = field_clouds(seed + 5, 32, 2, u, v) - 0.5;
    return along(inks, 3, 0.15 + 0.7 * rings + 0.2 * fibre + 0.25 * pores);
}

static struct ink paint_marble(uint32_t seed, double u, double v)
{
    static const struct ink inks[] = {
        {0.14, 0.16, 0.20}, {0.50, 0.52, 0.56}, {0.80, 0.78, 0.76}, {0.96, 0.94, 0.90}};
    const double field = stirred(seed, 4, 0.25, u, v);
    const double veins = fabs(base_sin(turn * (u + v) + 11 * field));
    return along(inks, 4, 0.1 + 0.75 * sqrt(veins) + 0.3 * (field - 0.5));
}

static struct ink paint_galaxy(uint32_t seed, double u, double v)
{
    static const struct ink inks[] = {
        {0.01, 0.01, 0.05}, {0.14, 0.05, 0.30}, {0.50, 0.16, 0.46}, {0.96, 0.62, 0.52}};
    const double gas = stirred(seed, 3, 0.4, u, v);
    const struct field_cells star = field_cells(seed + 2, 24, 1, u, v);
    const double bright = star.chance * star.chance * (1 - ramp(0.0, 0.16, star.nearest)) * 1.6;
    const struct ink white = {1, 1, 1};
    return lerp_ink(along(inks, 4, 2.6 * (gas - 0.34)), white, bright);
}

/* What a lit stage shows: much of it is black, for live video is added up. */
static struct ink paint_balls(uint32_t seed, double u, double v)
{
    enum { BALLS = 9 };
    struct ink ink = {0, 0, 0};
    for (int i = 0; i < BALLS; i++) {
        const double radius = 0.05 + 0.08 * field_chance(seed, i, 0);
        double du = u - field_chance(seed, i, 1);
        double dv = v - field_chance(seed, i, 2);
        du += du > 0.5 ? -1 : du < -0.5 ? 1 : 0;
        dv += dv > 0.5 ? -1 : dv < -0.5 ? 1 : 0;
        const double height = 1 - (du * du + dv * dv) / (radius * radius);
        if (height > 0) {
            const double light = 0.6 * sqrt(height) - (0.5 * du + 0.6 * dv) / radius;
            ink = shaded(rainbow(i / (double)BALLS), clamp_unit(0.05 + light));
        }
    }
    return ink;
}

static const struct {
    painter_function paint;
    const char *names;
} standins[] = {
#define REND_STANDIN(painter, names) {paint_##painter, names},
#include "renderer/standin/standin.def"
};

static bool asks_for(const char *name, const char *parts)
{
    while (*parts != '\0') {
        size_t size = 0;
        while (parts[size] != '\0' && parts[size] != ' ') {
            size++;
        }
        for (const char *at = name; *at != '\0'; at++) {
            if (strncmp(at, parts, size) == 0) {
                return true;
            }
        }
        parts += size;
        parts += *parts == ' ' ? 1 : 0;
    }
    return false;
}

static uint32_t level_of(double value)
{
    return (uint32_t)((value < 0 ? 0 : value > 1 ? 1 : value) * 255 + 0.5);
}

void rend_standin_paint(uint32_t *pixels, int side, const char *name)
{
    const uint64_t hash = base_hash(BASE_HASH_START, name, strlen(name));
    const size_t count = sizeof standins / sizeof *standins;
    painter_function paint = standins[(hash >> 32) % (count - 1)].paint;
    for (size_t i = 0; i < count; i++) {
        if (asks_for(name, standins[i].names)) {
            paint = standins[i].paint;
            break;
        }
    }
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            const struct ink ink = paint((uint32_t)hash, (x + 0.5) / side, (y + 0.5) / side);
            pixels[y * side + x] = 0xFF000000U | level_of(ink.red) << 16 |
                                   level_of(ink.green) << 8 | level_of(ink.blue);
        }
    }
}
