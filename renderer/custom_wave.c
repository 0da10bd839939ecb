/* Custom waves: spec/milk-rendering.md section 8.1. */
#include "renderer/stages.h"

#include <math.h>
#include <string.h>

enum { POINTS_MAX = 512, WAVE_SAMPLES = 480, SPECTRUM_SAMPLES = 512 };

struct custom_wave {
    const struct preset_wave *stored;
    const struct rend_frame *frame;
    const struct rend_canvas *canvas;
    int count;
    float value[2][POINTS_MAX]; /* value1, value2 of every point */
};

static int clamp_int(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static void smooth_both_ways(float *values, int count, float smoothing)
{
    const float m1 = sqrtf(fminf(fmaxf(0.98f * smoothing, 0.0f), 1.0f));
    const float m2 = 1 - m1;
    for (int j = 1; j < count; j++) {
        values[j] = m2 * values[j] + m1 * values[j - 1];
    }
    for (int j = count - 2; j >= 0; j--) {
        values[j] = m2 * values[j] + m1 * values[j + 1];
    }
}

static void fill_values(struct custom_wave *wave, int side)
{
    const struct preset_wave *stored = wave->stored;
    const bool spectrum = stored->spectrum != 0;
    const int most = spectrum ? SPECTRUM_SAMPLES : WAVE_SAMPLES;
    const int available = spectrum ? REND_SPECTRUM : REND_WAVEFORM;
    const int sep = stored->sep;
    const float *source =
        spectrum ? wave->frame->sound.spectrum[side] : wave->frame->sound.waveform[side];
    const int start = spectrum ? 0 : (most - wave->count) / 2 + (side == 0 ? -(sep / 2) : sep / 2);
    const float step = spectrum ? ((float)most - (float)sep) / (float)wave->count : 1;
    float *values = wave->value[side];
    for (int j = 0; j < wave->count; j++) {
        const int index = rend_int((float)j * step) + start;
        values[j] = source[clamp_int(index, 0, available - 1)];
    }
    smooth_both_ways(values, wave->count, stored->smoothing);
    const float scale =
        stored->scaling * wave->frame->values.wave_scale * (spectrum ? 0.15f : 0.004f);
    for (int j = 0; j < wave->count; j++) {
        values[j] *= scale;
    }
}

static void run_frame_program(const struct rend_block *block, struct pfpu_instance *instance,
                              struct pfpu_globals *globals, const struct preset_wave *stored,
                              const double *t, const struct rend_frame *frame)
{
    double *values = instance->values;
    rend_set_inputs(values, frame, frame->q);
    memcpy(values + REND_VAR_T, t, REND_TS * sizeof *t);
    rend_set_wave(values, stored);
    pfpu_run(block->run, instance, globals);
}

/* What goes into the per-point program and comes out, by point. */
struct point_values {
    double in[REND_POINT_R - REND_POINT_SAMPLE][POINTS_MAX];
    double out[REND_POINT_OUTPUTS][POINTS_MAX]; /* x y, then the colour */
};

static void set_points(const struct custom_wave *wave, struct point_values *values,
                       const double *rgba)
{
    for (int j = 0; j < wave->count; j++) {
        const double value1 = (double)wave->value[0][j];
        const double value2 = (double)wave->value[1][j];
        values->in[0][j] = wave->count > 1 ? (double)j / (wave->count - 1) : 0;
        values->in[1][j] = value1;
        values->in[2][j] = value2;
        values->in[3][j] = values->out[0][j] = 0.5 + value1;
        values->in[4][j] = values->out[1][j] = 0.5 + value2;
        for (int k = 0; k < 4; k++) {
            values->out[2 + k][j] = rgba[k];
        }
    }
}

static void run_points(const struct custom_wave *wave, const struct pfpu_lanes *lanes,
                       struct rend_section_equations *equations, struct pfpu_instance *instance,
                       const double *rgba, struct point_values *values)
{
    const double *inputs[REND_POINT_INPUTS];
    double *outputs[REND_POINT_OUTPUTS];
    for (int i = 0; i < REND_POINT_INPUTS; i++) {
        const int own = REND_POINT_R - REND_POINT_SAMPLE;
        inputs[i] = i < own ? values->in[i] : &rgba[i - own];
    }
    for (int i = 0; i < REND_POINT_OUTPUTS; i++) {
        outputs[i] = values->out[i];
    }
    const struct pfpu_lanes_items items = {(size_t)wave->count, inputs, outputs};
    pfpu_lanes_run(lanes, wave->canvas->cpu, instance, &equations->globals, &items,
                   equations->lanes_work);
}

/* Where and how the points are drawn. */
static void read_points(const struct custom_wave *wave, const struct point_values *values,
                        struct rend_point *points, struct rend_colour *colours)
{
    const double(*v)[POINTS_MAX] = values->out;
    for (int j = 0; j < wave->count; j++) {
        const float x = rend_float(2 * v[0][j] - 1) / wave->frame->aspect_x;
        const float y = rend_float(2 * v[1][j] - 1) / wave->frame->aspect_y;
        points[j] = rend_from_ndc(wave->canvas, x, y);
        colours[j] = rend_colour_low_bits(rend_float(v[2][j]), rend_float(v[3][j]),
                                          rend_float(v[4][j]), rend_float(v[5][j]));
    }
}

static void draw_points(const struct custom_wave *wave, const struct rend_point *points,
                        const struct rend_colour *colours)
{
    const struct preset_wave *stored = wave->stored;
    const bool thick = stored->draw_thick != 0;
    const bool dots = stored->use_dots != 0;
    const struct rend_pen pen = {
        .blend = stored->additive != 0 ? REND_BLEND_ADDITIVE : REND_BLEND_ALPHA,
        .dots = dots,
        .dot_size = (wave->canvas->width >= 1024 ? 2 : 1) + (thick ? 1 : 0),
        .four = thick && !dots,
    };
    if (dots) {
        rend_draw_strip(wave->canvas, points, colours, (size_t)wave->count, &pen);
        return;
    }
    struct rend_point smooth[2 * POINTS_MAX];
    struct rend_colour smooth_colours[2 * POINTS_MAX];
    const size_t count =
        rend_smooth_strip(points, colours, (size_t)wave->count, smooth, smooth_colours);
    rend_draw_strip(wave->canvas, smooth, smooth_colours, count, &pen);
}

static void draw_custom_wave(const struct rend_canvas *canvas, const struct rend_frame *frame,
                             const struct rend_patch *patch,
                             struct rend_section_equations *equations, size_t index)
{
    struct custom_wave wave = {&patch->waves[index], frame, canvas, 0, {{0}}};
    struct pfpu_instance *per_frame = &equations->wave_frame[index];
    struct pfpu_instance *per_point = &equations->wave_point[index];
    run_frame_program(&patch->wave_frame[index], per_frame, &equations->globals, wave.stored,
                      equations->wave_t[index], frame);
    wave.count = rend_int(rend_float(per_frame->values[REND_WAVE_SAMPLES]));
    wave.count = wave.count > POINTS_MAX ? POINTS_MAX : wave.count;
    if (wave.count < (wave.stored->use_dots != 0 ? 1 : 2)) {
        return;
    }
    fill_values(&wave, 0);
    fill_values(&wave, 1);
    rend_set_inputs(per_point->values, frame, per_frame->values + REND_VAR_Q);
    memcpy(per_point->values + REND_VAR_T, per_frame->values + REND_VAR_T,
           REND_TS * sizeof(double));
    const struct pfpu_lanes *lanes = patch->wave_point[index].lanes;
    const double *rgba = per_frame->values + REND_WAVE_R;
    struct point_values values;
    set_points(&wave, &values, rgba);
    if (lanes != NULL) {
        run_points(&wave, lanes, equations, per_point, rgba, &values);
    }
    struct rend_point points[POINTS_MAX];
    struct rend_colour colours[POINTS_MAX];
    read_points(&wave, &values, points, colours);
    draw_points(&wave, points, colours);
}

void rend_draw_custom_waves(const struct rend_canvas *canvas, const struct rend_frame *frame,
                            const struct rend_patch *patch,
                            struct rend_section_equations *equations)
{
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        if (patch->waves[i].enabled != 0) {
            draw_custom_wave(canvas, frame, patch, equations, i);
        }
    }
}
