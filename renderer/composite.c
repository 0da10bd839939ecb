/* The fixed-function composite stage: spec/milk-rendering.md section 6. The additive passes of a
 * layer are summed with one rounding instead of one for each pass. */
#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "renderer/picture/rows.h"
#include "renderer/stages.h"

enum { ROW_BAND_ROWS = 16, CORNERS = REND_CORNERS, CHANNELS = REND_CHANNELS };

struct composite {
    const struct tmu_surface *picture;
    const struct tmu_kernels *kernels;
    bool echo;
    struct tmu_vertex echo_vertices[4]; /* the enlarged layer, as a mesh of one cell */
    struct tmu_mesh echo_mesh;
    struct tmu_run echo_run;
    uint32_t *pixels;
    size_t stride;
    rend_mix_row mix_row;
    struct rend_mix mix;
    bool identity;                    /* the picture is shown as it is */
    double corner[CORNERS][CHANNELS]; /* shades */
};

static int32_t weight_of(double value)
{
    return (int32_t)(value * REND_MIX_ONE + 0.5);
}

/* Total weights of picture and echo. Without echo gamma acts from 0 on, with echo from 1 on. */
static void set_weights(struct rend_mix *mix, const struct rend_values *v, bool echo)
{
    const double gamma = (double)v->gamma;
    if (!echo) {
        mix->weight[0] = weight_of(gamma);
        return;
    }
    const double alpha = fmin((double)v->echo_alpha, 1.0);
    mix->weight[0] = weight_of((1 - alpha) * fmax(gamma, 1.0));
    mix->weight[1] = weight_of(alpha * fmax(gamma, 1.0));
}

void rend_shade_corners(double corner[REND_CORNERS][REND_CHANNELS], double strength, double time,
                        const double phase[REND_CHANNELS])
{
    static const double speed[CHANNELS] = {0.0129, 0.0107, 0.0143};
    static const double offset[CHANNELS] = {6, 1, 3};
    static const double corner_step[CHANNELS] = {9, 13, 21};
    for (int i = 0; i < CORNERS; i++) {
        double *c = corner[i];
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

static void composite_row_band(void *user, size_t band)
{
    const struct composite *composite = user;
    const struct tmu_surface *picture = composite->picture;
    const size_t width = (size_t)picture->width;
    uint32_t echo[REND_SIZE_MAX + 8];
    const int first = (int)band * ROW_BAND_ROWS;
    for (int y = first; y < first + ROW_BAND_ROWS && y < picture->height; y++) {
        const size_t row = (size_t)y;
        const uint32_t *from = picture->pixels + row * picture->stride;
        uint32_t *to = composite->pixels + row * composite->stride;
        if (composite->identity) {
            memcpy(to, from, width * sizeof *to);
            continue;
        }
        struct rend_mix mix = composite->mix;
        if (mix.shaded) {
            /* linear between the shades at the row's ends */
            const double(*c)[CHANNELS] = composite->corner;
            const double down = (y + 0.5) / picture->height;
            const double most = REND_SHADE_ONE - 1;
            for (int k = 0; k < CHANNELS; k++) {
                const double left = fmin((c[2][k] + (c[0][k] - c[2][k]) * down) * most, most);
                const double right = fmin((c[3][k] + (c[1][k] - c[3][k]) * down) * most, most);
                mix.shade[k] = (int32_t)(left + (right - left) * 0.5 / picture->width);
                mix.shade_step[k] = (int32_t)((right - left) / picture->width);
            }
        }
        if (composite->echo) {
            tmu_rows(composite->kernels, &composite->echo_run, y, 1, echo, 0);
        }
        composite->mix_row(&mix, from, composite->echo ? echo : NULL, to, width);
    }
}

/* The enlarged layer is not drawn by itself: each row of it is sampled just before it is mixed. */
static void set_echo(struct composite *composite, const struct rend_values *v)
{
    const int orientation = ((rend_int(v->echo_orient) % 4) + 4) % 4;
    const float half = 0.5f / v->echo_zoom;
    const float right = (orientation & 1) != 0 ? -half : half;
    const float down = (orientation & 2) != 0 ? -half : half;
    composite->echo_vertices[0] = (struct tmu_vertex){0.5f - right, 0.5f + down};
    composite->echo_vertices[1] = (struct tmu_vertex){0.5f + right, 0.5f + down};
    composite->echo_vertices[2] = (struct tmu_vertex){0.5f - right, 0.5f - down};
    composite->echo_vertices[3] = (struct tmu_vertex){0.5f + right, 0.5f - down};
    composite->echo_mesh = (struct tmu_mesh){composite->echo_vertices, 1, 1};
    composite->echo_run = (struct tmu_run){
        .texture = composite->picture,
        .mesh = &composite->echo_mesh,
        .address = v->wrap > 0.5f ? TMU_WRAP : TMU_CLAMP,
        .decay = 255,
        .width = composite->picture->width,
        .height = composite->picture->height,
    };
}

void rend_composite(struct rend *rend, const struct rend_frame *frame, uint32_t *pixels,
                    size_t stride)
{
    const struct rend_values *v = &frame->values;
    struct tmu_surface *picture = &rend->canvas.surface[rend->canvas.current];
    const bool echo = v->echo_alpha > 0.001f;
    struct composite composite = {.picture = picture,
                                  .pixels = pixels,
                                  .stride = stride,
                                  .kernels = rend->kernels,
                                  .echo = echo,
                                  .mix_row = rend_mix_for(rend->config.cpu)};
    if (echo) {
        tmu_surface_guard(picture);
        set_echo(&composite, v);
    }
    set_weights(&composite.mix, v, echo);
    composite.mix.filters = (v->brighten != 0 ? REND_FILTER_BRIGHTEN : 0u) |
                            (v->darken != 0 ? REND_FILTER_DARKEN : 0u) |
                            (v->solarize != 0 ? REND_FILTER_SOLARIZE : 0u) |
                            (v->invert != 0 ? REND_FILTER_INVERT : 0u);
    const double strength = v->shader > 0 ? fmin((double)v->shader, 1.0) : 0;
    composite.mix.shaded = strength > 0.001;
    if (composite.mix.shaded) {
        rend_shade_corners(composite.corner, strength, frame->clock.time, rend->chance.shade_phase);
    }
    composite.identity = !echo && !composite.mix.shaded && composite.mix.filters == 0 &&
                         composite.mix.weight[0] == REND_MIX_ONE;
    const size_t bands = ((size_t)picture->height + ROW_BAND_ROWS - 1) / ROW_BAND_ROWS;
    base_pool_run(rend->config.pool, composite_row_band, &composite, bands);
}
