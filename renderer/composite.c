/* The fixed-function composite stage: milk-rendering.md section 6. */
#include "renderer/stages.h"

#include <math.h>
#include <string.h>

#include "base/fmath.h"

enum { BAND_ROWS = 16, ONE_Q16 = 1 << 16, HALF_Q16 = 1 << 15, CORNERS = 4, CHANNELS = 3 };

/* Weights of the passes of one layer: `whole` passes of weight layer, one of weight layer * rest.
 */
struct layer {
    uint32_t whole;
    uint32_t weight_q16;
    uint32_t rest_q16;
};

/* Colours of the four corners: bottom left, bottom right, top left, top right; then r, g, b. */
struct shades {
    double corner[CORNERS][CHANNELS];
};

struct composite {
    const struct tmu_surface *picture;
    const struct tmu_surface *echo; /* NULL: no echo */
    uint32_t *pixels;
    size_t stride;
    struct layer layers[2];
    uint8_t filter[256];
    uint8_t direct[256]; /* first layer and filters in one, for a picture without echo and shades */
    bool identity;       /* direct changes nothing */
    bool shaded;
    struct shades shades;
};

static uint32_t q16(double value)
{
    return (uint32_t)(value * ONE_Q16 + 0.5);
}

static struct layer layer_of(double alpha, uint32_t whole, double rest)
{
    return (struct layer){whole, q16(alpha), q16(alpha * rest)};
}

/* Saturated sum of all passes of a layer for one channel; shade in Q16. */
static uint32_t layer_value(const struct layer *layer, uint32_t value, uint32_t shade)
{
    const uint32_t one = (uint32_t)(((uint64_t)layer->weight_q16 * shade) >> 16);
    const uint32_t rest = (uint32_t)(((uint64_t)layer->rest_q16 * shade) >> 16);
    return layer->whole * ((value * one + HALF_Q16) >> 16) + ((value * rest + HALF_Q16) >> 16);
}

static uint32_t saturated(uint32_t value)
{
    return value > 255 ? 255 : value;
}

static void set_layers(struct composite *composite, const struct rend_values *v, bool echo)
{
    const double gamma = (double)v->gamma;
    if (!echo) {
        const int more = (int)(gamma - 0.001);
        composite->layers[0] = layer_of(1, (uint32_t)more, gamma - more);
        return;
    }
    const double alpha = fmin((double)v->echo_alpha, 1.0);
    const int more = (int)(gamma - 0.0001);
    const double rest = more > 0 ? gamma - more : 0;
    const uint32_t whole = more > 0 ? (uint32_t)more : 1;
    composite->layers[0] = layer_of(1 - alpha, whole, rest);
    composite->layers[1] = layer_of(alpha, whole, rest);
}

static uint32_t square255(uint32_t x)
{
    return (x * x + 127) / 255;
}

static void set_filters(struct composite *composite, const struct rend_values *v)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t x = i;
        if (v->brighten != 0) {
            x = 255 - square255(255 - x);
        }
        if (v->darken != 0) {
            x = square255(x);
        }
        if (v->solarize != 0) {
            x = (2 * x * (255 - x) + 127) / 255;
        }
        if (v->invert != 0) {
            x = 255 - x;
        }
        composite->filter[i] = (uint8_t)x;
    }
    composite->identity = true;
    for (uint32_t i = 0; i < 256; i++) {
        const uint32_t shown = saturated(layer_value(&composite->layers[0], i, ONE_Q16));
        composite->direct[i] = composite->filter[shown];
        composite->identity = composite->identity && composite->direct[i] == i;
    }
}

static void set_shades(struct composite *composite, double strength, double time,
                       const double phase[CHANNELS])
{
    static const double speed[CHANNELS] = {0.0143, 0.0107, 0.0129};
    static const double offset[CHANNELS] = {3, 1, 6};
    static const double corner_step[CHANNELS] = {21, 13, 9};
    composite->shaded = strength > 0.001;
    for (int i = 0; i < CORNERS; i++) {
        double *c = composite->shades.corner[i];
        for (int k = 0; k < CHANNELS; k++) {
            c[k] = 0.6 +
                   0.3 * base_sin(30 * time * speed[k] + offset[k] + corner_step[k] * i + phase[k]);
        }
        const double largest = fmax(c[0], fmax(c[1], c[2]));
        for (int k = 0; k < CHANNELS; k++) {
            c[k] = (0.5 + 0.5 * c[k] / largest) * strength + (1 - strength);
        }
    }
}

static void direct_row(const struct composite *composite, const uint32_t *from, uint32_t *to,
                       int width)
{
    if (composite->identity) {
        memcpy(to, from, (size_t)width * sizeof *to);
        return;
    }
    const uint8_t *table = composite->direct;
    for (int x = 0; x < width; x++) {
        const uint32_t p = from[x];
        to[x] = (uint32_t)table[(p >> 16) & 255] << 16 | (uint32_t)table[(p >> 8) & 255] << 8 |
                table[p & 255];
    }
}

/* Shade of one channel along a row, in Q16 at x = first + step * x. */
struct shade_run {
    int64_t first_q32;
    int64_t step_q32;
};

static void make_shade_runs(const struct composite *composite, int y, struct shade_run *runs)
{
    const int width = composite->picture->width;
    const double down = (y + 0.5) / composite->picture->height;
    for (int k = 0; k < CHANNELS; k++) {
        const double(*c)[CHANNELS] = composite->shades.corner;
        const double left = c[2][k] + (c[0][k] - c[2][k]) * down;
        const double right = c[3][k] + (c[1][k] - c[3][k]) * down;
        const double one = 4294967296.0;
        runs[k].step_q32 = (int64_t)((right - left) / width * one);
        runs[k].first_q32 = (int64_t)((left + (right - left) * 0.5 / width) * one);
    }
}

static void mixed_row(const struct composite *composite, int y, const uint32_t *from,
                      const uint32_t *echo, uint32_t *to)
{
    static const unsigned shifts[CHANNELS] = {16, 8, 0};
    struct shade_run runs[CHANNELS] = {{0}};
    for (int k = 0; k < CHANNELS; k++) {
        runs[k].first_q32 = (int64_t)1 << 32;
    }
    if (composite->shaded) {
        make_shade_runs(composite, y, runs);
    }
    for (int x = 0; x < composite->picture->width; x++) {
        uint32_t pixel = 0;
        for (int k = 0; k < CHANNELS; k++) {
            const uint32_t shade = (uint32_t)((runs[k].first_q32 + x * runs[k].step_q32) >> 16);
            uint32_t sum = layer_value(&composite->layers[0], (from[x] >> shifts[k]) & 255, shade);
            if (echo != NULL) {
                sum += layer_value(&composite->layers[1], (echo[x] >> shifts[k]) & 255, shade);
            }
            pixel |= (uint32_t)composite->filter[saturated(sum)] << shifts[k];
        }
        to[x] = pixel;
    }
}

static void composite_band(void *user, size_t band)
{
    const struct composite *composite = user;
    const struct tmu_surface *picture = composite->picture;
    const int first = (int)band * BAND_ROWS;
    for (int y = first; y < first + BAND_ROWS && y < picture->height; y++) {
        const uint32_t *from = picture->pixels + (size_t)y * picture->stride;
        uint32_t *to = composite->pixels + (size_t)y * composite->stride;
        if (composite->echo == NULL && !composite->shaded) {
            direct_row(composite, from, to, picture->width);
        } else {
            const uint32_t *echo =
                composite->echo == NULL
                    ? NULL
                    : composite->echo->pixels + (size_t)y * composite->echo->stride;
            mixed_row(composite, y, from, echo, to);
        }
    }
}

/* The enlarged layer, as a mesh of one rectangle. */
static void draw_echo(struct rend *rend, const struct rend_values *v, struct tmu_surface *picture)
{
    const int orientation = ((rend_int(v->echo_orient) % 4) + 4) % 4;
    const float half = 0.5f / v->echo_zoom;
    const float right = (orientation & 1) != 0 ? -half : half;
    const float down = (orientation & 2) != 0 ? -half : half;
    const struct tmu_vertex vertices[4] = {
        {0.5f - right, 0.5f + down},
        {0.5f + right, 0.5f + down},
        {0.5f - right, 0.5f - down},
        {0.5f + right, 0.5f - down},
    };
    const struct tmu_mesh mesh = {vertices, 1, 1};
    const enum tmu_address address = v->wrap > 0.5f ? TMU_WRAP : TMU_CLAMP;
    tmu_surface_guard(picture, address);
    tmu_warp(rend->kernels, rend->config.pool, &rend->canvas.echo, picture, &mesh, address, 255);
}

void rend_composite(struct rend *rend, const struct rend_frame *frame, uint32_t *pixels,
                    size_t stride)
{
    const struct rend_values *v = &frame->values;
    struct tmu_surface *picture = &rend->canvas.surface[rend->canvas.current];
    const bool echo = v->echo_alpha > 0.001f;
    struct composite composite = {.picture = picture, .pixels = pixels, .stride = stride};
    if (echo) {
        draw_echo(rend, v, picture);
        composite.echo = &rend->canvas.echo;
    }
    set_layers(&composite, v, echo);
    set_filters(&composite, v);
    set_shades(&composite, (double)v->shader, frame->clock.time, rend->chance.shade_phase);
    const size_t bands = ((size_t)picture->height + BAND_ROWS - 1) / BAND_ROWS;
    base_pool_run(rend->config.pool, composite_band, &composite, bands);
}
