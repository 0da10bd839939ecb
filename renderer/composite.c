/* The fixed composite stage: spec/milk-rendering.md section 6. What it makes of a frame is found
 * first, for the processor's rows or for a device. */
#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "renderer/picture/rows.h"
#include "renderer/stages.h"

/* Row bands are narrow, so that threads end together; rows of an echo share what is known of those
 * before. */
enum { ROW_BAND_ROWS = 8, PLAIN_BAND_ROWS = 4, CORNERS = REND_CORNERS, CHANNELS = REND_CHANNELS };

/* ---- what a frame's is ---- */

static int32_t weight_of(double value)
{
    return (int32_t)(value * REND_MIX_ONE + 0.5);
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
            c[k] = fmax(1 - (0.5 - 0.5 * c[k] / largest) * strength, 0);
        }
    }
}

/* The enlarged layer is not drawn by itself: each part of it is sampled just before it is mixed. */
static void set_echo(struct rend_composite *composite, const struct tmu_kernels *kernels,
                     const struct rend_values *v)
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
    const struct tmu_run run = {
        .texture = composite->picture,
        .mesh = &composite->echo_mesh,
        .address = v->wrap > 0.5f ? TMU_WRAP : TMU_CLAMP,
        .decay = 255,
        .width = composite->picture->width,
        .height = composite->picture->height,
    };
    tmu_upright_begin(&composite->echo_run, kernels, &run);
}

void rend_find_composite(struct rend_composite *composite, const struct rend *rend,
                         struct tmu_surface *picture, const struct rend_frame *frame)
{
    const struct rend_values *v = &frame->values;
    struct rend_mix *mix = &composite->mix;
    composite->picture = picture;
    composite->echo = v->echo_alpha > 0.001f;
    *mix = (struct rend_mix){.shaded = v->shader > 0.001f};
    /* Total weights: without echo gamma acts from 0 on, with echo from 1 on. */
    const double gamma = (double)v->gamma;
    mix->weight[0] = weight_of(gamma);
    if (composite->echo) {
        const double alpha = fmin((double)v->echo_alpha, 1.0);
        mix->weight[0] = weight_of((1 - alpha) * fmax(gamma, 1.0));
        mix->weight[1] = weight_of(alpha * fmax(gamma, 1.0));
        set_echo(composite, rend->kernels, v);
    }
    mix->filters = (v->brighten != 0 ? REND_FILTER_BRIGHTEN : 0u) |
                   (v->darken != 0 ? REND_FILTER_DARKEN : 0u) |
                   (v->solarize != 0 ? REND_FILTER_SOLARIZE : 0u) |
                   (v->invert != 0 ? REND_FILTER_INVERT : 0u);
    if (mix->shaded) {
        rend_shade_corners(composite->corner, (double)v->shader, frame->clock.time,
                           rend->chance.shade_phase);
    }
    composite->identity =
        !composite->echo && !mix->shaded && mix->filters == 0 && mix->weight[0] == REND_MIX_ONE;
}

/* The shades of a row, linear between those at its ends. */
static void shade_row(const struct rend_composite *composite, int y, int32_t shade[CHANNELS],
                      int32_t step[CHANNELS])
{
    const struct tmu_surface *picture = composite->picture;
    const double(*c)[CHANNELS] = composite->corner;
    const double down = (y + 0.5) / picture->height;
    const double most = REND_SHADE_ONE - 1;
    for (int k = 0; k < CHANNELS; k++) {
        const double left = fmin((c[2][k] + (c[0][k] - c[2][k]) * down) * most, most);
        const double right = fmin((c[3][k] + (c[1][k] - c[3][k]) * down) * most, most);
        shade[k] = (int32_t)(left + (right - left) * 0.5 / picture->width);
        step[k] = (int32_t)((right - left) / picture->width);
    }
}

/* ---- for a device ---- */

struct rend_device_composite rend_hand_composite(const struct rend_composite *composite,
                                                 struct rend_device_composite_row *rows)
{
    enum { ROWS = 256 };
    const int height = composite->picture->height;
    uint32_t echo[ROWS];
    for (int first = 0; first < height; first += ROWS) {
        const int count = height - first < ROWS ? height - first : ROWS;
        if (composite->echo) {
            tmu_upright_rows(&composite->echo_run, first, count, echo);
        }
        for (int i = 0; i < count; i++) {
            struct rend_device_composite_row *row = &rows[first + i];
            *row = (struct rend_device_composite_row){.echo = composite->echo ? echo[i] : 0};
            if (composite->mix.shaded) {
                shade_row(composite, first + i, row->shade, row->step);
            }
        }
    }
    return (struct rend_device_composite){
        .weight = {composite->mix.weight[0], composite->mix.weight[1]},
        .filters = composite->mix.filters,
        .shaded = composite->mix.shaded,
        .columns = composite->echo ? composite->echo_run.x : NULL,
        .rows = rows,
    };
}

/* ---- on the processor ---- */

struct rows {
    const struct rend_composite *composite;
    int band; /* rows that a thread makes at a time */
    rend_mix_row mix_row;
    uint32_t *pixels;
    size_t stride;
};

/* A part of a row, from pixel `column` on. */
static void mix_block(const struct rows *rows, int y, int column, size_t count,
                      const uint32_t *echo)
{
    const struct rend_composite *composite = rows->composite;
    const struct tmu_surface *picture = composite->picture;
    const uint32_t *from = picture->pixels + (size_t)y * picture->stride + column;
    uint32_t *to = rows->pixels + (size_t)y * rows->stride + column;
    struct rend_mix mix = composite->mix;
    if (mix.shaded) {
        shade_row(composite, y, mix.shade, mix.shade_step);
        for (int k = 0; k < CHANNELS; k++) {
            mix.shade[k] += column * mix.shade_step[k];
        }
    }
    rows->mix_row(&mix, from, echo, to, count);
}

/* By blocks of columns, whose echoes share what is known of the rows before. */
static void echo_rows(const struct rows *rows, int first, int stop)
{
    const struct tmu_upright *run = &rows->composite->echo_run;
    const int width = rows->composite->picture->width;
    struct tmu_upright_sums sums;
    uint32_t positions[ROW_BAND_ROWS];
    uint32_t echo[TMU_UPRIGHT_BLOCK];
    tmu_upright_rows(run, first, stop - first, positions);
    for (int x = 0; x < width; x += TMU_UPRIGHT_BLOCK) {
        const int left = width - x;
        const size_t count = (size_t)(left < TMU_UPRIGHT_BLOCK ? left : TMU_UPRIGHT_BLOCK);
        sums.row[0] = sums.row[1] = -1;
        for (int y = first; y < stop; y++) {
            tmu_upright_block(run, &sums, x, count, positions[y - first], echo);
            mix_block(rows, y, x, count, echo);
        }
    }
}

static void make_rows(void *user, size_t band)
{
    const struct rows *rows = user;
    const struct rend_composite *composite = rows->composite;
    const struct tmu_surface *picture = composite->picture;
    const int first = (int)band * rows->band;
    const int end = first + rows->band;
    const int stop = end < picture->height ? end : picture->height;
    if (composite->echo) {
        echo_rows(rows, first, stop);
        return;
    }
    for (int y = first; y < stop; y++) {
        if (composite->identity) {
            memcpy(rows->pixels + (size_t)y * rows->stride,
                   picture->pixels + (size_t)y * picture->stride,
                   (size_t)picture->width * sizeof *picture->pixels);
        } else {
            mix_block(rows, y, 0, (size_t)picture->width, NULL);
        }
    }
}

void rend_draw_composite(const struct rend *rend, const struct rend_composite *composite,
                         uint32_t *pixels, size_t stride)
{
    struct tmu_surface *picture = composite->picture;
    if (composite->echo) {
        tmu_surface_guard(picture);
    }
    struct rows rows = {
        .composite = composite,
        .band = composite->echo ? ROW_BAND_ROWS : PLAIN_BAND_ROWS,
        .mix_row = rend_mix_for(rend->config.cpu),
        .pixels = pixels,
        .stride = stride,
    };
    const int bands = (picture->height + rows.band - 1) / rows.band;
    base_pool_run(rend->config.pool, make_rows, &rows, (size_t)bands);
}

void rend_composite(struct rend *rend, const struct rend_frame *frame, uint32_t *pixels,
                    size_t stride)
{
    struct rend_composite composite;
    rend_find_composite(&composite, rend, &rend->canvas.surface[rend->canvas.current], frame);
    rend_draw_composite(rend, &composite, pixels, stride);
}
