#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "renderer/stages.h"

static float insert_between(float before, float left, float right, float after)
{
    /* (-0.15 before + 1.15 left + 1.15 right - 0.15 after) / 2, exact where all four are the same:
     * a level line lies on the border of two rows of pixels as often as not. */
    return 0.5f * (left + right) + 0.075f * ((left - before) + (right - after));
}

size_t rend_smooth_strip(const struct rend_point *points, const struct rend_colour *colours,
                         size_t count, struct rend_point *out, struct rend_colour *out_colours)
{
    size_t written = 0;
    for (size_t i = 0; i < count; i++) {
        out[written] = points[i];
        out_colours[written++] = colours[i];
        if (i + 1 == count) {
            break;
        }
        const struct rend_point before = points[i > 0 ? i - 1 : 0];
        const struct rend_point right = points[i + 1];
        const struct rend_point after = points[i + 2 < count ? i + 2 : count - 1];
        out[written] = (struct rend_point){insert_between(before.x, points[i].x, right.x, after.x),
                                           insert_between(before.y, points[i].y, right.y, after.y)};
        out_colours[written++] = colours[i];
    }
    return written;
}

/* The waves of a frame, which are drawn together. */

enum { CUSTOM_POINTS_MAX = 512, STRIPS_MAX = PRESET_WAVES + 2 };
enum { STRIP_POINTS = 2 * CUSTOM_POINTS_MAX }; /* with those between them */
_Static_assert((int)STRIPS_MAX <= (int)REND_STRIPS, "they are drawn together");

struct rend_waves {
    const struct rend_canvas *canvas; /* while they are found */
    const struct rend_frame *frame;
    size_t count;
    struct rend_strip strips[STRIPS_MAX];
    struct rend_point points[STRIPS_MAX][STRIP_POINTS];
    struct rend_colour colours[STRIPS_MAX][STRIP_POINTS];
    struct rend_reach parts[STRIPS_MAX][STRIP_POINTS / REND_PART];
};

struct rend_waves *rend_waves_create(struct base_arena *arena)
{
    return base_arena_array(arena, 1, sizeof(struct rend_waves));
}

/* Also between points, if `smooth`. */
static void add_strip(struct rend_waves *waves, const struct rend_point *points,
                      const struct rend_colour *colours, size_t count, const struct rend_pen *pen,
                      bool smooth)
{
    struct rend_point *to = waves->points[waves->count];
    struct rend_colour *to_colours = waves->colours[waves->count];
    assert(waves->count < STRIPS_MAX && count <= STRIP_POINTS / 2);
    if (smooth) {
        count = rend_smooth_strip(points, colours, count, to, to_colours);
    } else {
        memcpy(to, points, count * sizeof *to);
        memcpy(to_colours, colours, count * sizeof *to_colours);
    }
    struct rend_reach *parts = waves->parts[waves->count];
    rend_find_parts(parts, to, count);
    struct rend_strip *strip = &waves->strips[waves->count++];
    *strip = (struct rend_strip){to, to_colours, parts, count, *pen, 0};
    strip->cost = rend_strip_cost(waves->canvas, strip);
}

/* The built-in wave: spec/milk-rendering.md section 7. */

enum { SAMPLES = 480, POINTS_MAX = 512 };

/* What the modes read and write. Points are in ndc, Y up. */
struct wave {
    const struct rend_frame *frame;
    const struct rend_canvas *canvas;
    float left[REND_WAVEFORM]; /* scaled and smoothed */
    float right[REND_WAVEFORM];
    float x; /* position in ndc */
    float y;
    float param;
    float alpha;
    double time;
    struct rend_point points[POINTS_MAX];
    size_t count;
    size_t second; /* where a second line begins; 0: there is none */
};

static float at(const float *samples, int index)
{
    return samples[index < REND_WAVEFORM ? index : REND_WAVEFORM - 1];
}

/* ang in doubles, so that it still turns evenly after days. */
static void add_polar(struct wave *wave, float rad, double ang)
{
    wave->points[wave->count++] =
        (struct rend_point){rad * (float)base_cos(ang) * wave->frame->aspect_y + wave->x,
                            rad * (float)base_sin(ang) * wave->frame->aspect_x + wave->y};
}

static void mode_circle(struct wave *wave)
{
    enum { COUNT = SAMPLES / 2, OFFSET = (SAMPLES - COUNT) / 2 };
    for (int i = 0; i < COUNT; i++) {
        float rad = 0.5f + 0.4f * wave->right[i + OFFSET] + wave->param;
        if (i < COUNT / 10) {
            const float mix = 0.5f - 0.5f * (float)base_cos(BASE_PI * i / (COUNT * 0.1));
            const float other = 0.5f + 0.4f * at(wave->right, i + COUNT + OFFSET) + wave->param;
            rad = mix * rad + (1 - mix) * other;
        }
        add_polar(wave, rad, 6.28 * i / (COUNT - 1) + 0.2 * wave->time);
    }
    wave->points[wave->count++] = wave->points[0];
}

static void mode_spiral(struct wave *wave)
{
    wave->alpha *= 1.25f;
    for (int i = 0; i < SAMPLES / 2; i++) {
        const float rad = 0.53f + 0.43f * wave->right[i] + wave->param;
        add_polar(wave, rad, 1.57 * (double)at(wave->left, i + 32) + 2.3 * wave->time);
    }
}

/* One of five values by the larger side of the canvas. */
static float by_size(const struct wave *wave, const float values[5])
{
    const int side =
        wave->canvas->width > wave->canvas->height ? wave->canvas->width : wave->canvas->height;
    return values[side <= 256 ? 0 : side <= 512 ? 1 : side <= 1024 ? 2 : side <= 2048 ? 3 : 4];
}

static const float faint[5] = {0.07f, 0.09f, 0.11f, 0.13f, 0.15f};

static void add_spiro(struct wave *wave)
{
    for (int i = 0; i < SAMPLES; i++) {
        wave->points[wave->count++] =
            (struct rend_point){wave->right[i] * wave->frame->aspect_y + wave->x,
                                at(wave->left, i + 32) * wave->frame->aspect_x + wave->y};
    }
}

static void mode_spiro(struct wave *wave)
{
    wave->alpha *= by_size(wave, faint);
    add_spiro(wave);
}

/* By the width alone, and in place of the preset's own alpha, as MilkDrop does it. */
static void mode_spiro_volume(struct wave *wave)
{
    static const float loud[] = {0.075f, 0.15f, 0.22f, 0.33f};
    const float treble = (float)wave->frame->sound.absolute[2];
    for (size_t i = 0; i < sizeof loud / sizeof *loud; i++) {
        wave->alpha = wave->canvas->width == 256 << i ? loud[i] : wave->alpha;
    }
    wave->alpha *= 1.3f * treble * treble;
    add_spiro(wave);
}

/* Points that fit the canvas: at most `most`, one for each three pixels of width. */
static int points_across(const struct wave *wave, int most)
{
    const int fitting = wave->canvas->width / 3;
    return fitting < most ? fitting : most;
}

static void mode_script(struct wave *wave)
{
    const int count = points_across(wave, SAMPLES);
    const int offset = (SAMPLES - count) / 2;
    const float w1 = 0.45f + 0.5f * (0.5f * wave->param + 0.5f);
    const float w2 = 1 - w1;
    struct rend_point *p = wave->points;
    for (int i = 0; i < count; i++) {
        p[i].x = -1 + 2.0f * (float)i / (float)count + wave->x +
                 0.44f * at(wave->right, i + 25 + offset);
        p[i].y = 0.47f * wave->left[i + offset] + wave->y;
        if (i > 1) {
            p[i].x = w2 * p[i].x + w1 * (2 * p[i - 1].x - p[i - 2].x);
            p[i].y = w2 * p[i].y + w1 * (2 * p[i - 1].y - p[i - 2].y);
        }
    }
    wave->count = (size_t)count;
}

static void mode_hash(struct wave *wave)
{
    wave->alpha *= by_size(wave, faint);
    const float c = (float)base_cos(0.3 * wave->time);
    const float s = (float)base_sin(0.3 * wave->time);
    for (int i = 0; i < SAMPLES; i++) {
        const float l32 = at(wave->left, i + 32);
        const float r32 = at(wave->right, i + 32);
        const float a = wave->right[i] * l32 + wave->left[i] * r32;
        const float b = wave->right[i] * wave->right[i] - l32 * l32;
        wave->points[wave->count++] =
            (struct rend_point){(a * c - b * s) * wave->frame->aspect_y + wave->x,
                                (a * s + b * c) * wave->frame->aspect_x + wave->y};
    }
}

/* Moves an end of the segment along it until its coordinate is within the limit. */
static void clip_end(struct rend_point *end, const struct rend_point *other)
{
    const float limit = 1.1f;
    if (end->x > limit || end->x < -limit) {
        const float edge = end->x > limit ? limit : -limit;
        const float t = (edge - other->x) / (end->x - other->x);
        *end = (struct rend_point){edge, other->y + (end->y - other->y) * t};
    }
    if (end->y > limit || end->y < -limit) {
        const float edge = end->y > limit ? limit : -limit;
        const float t = (edge - other->y) / (end->y - other->y);
        *end = (struct rend_point){other->x + (end->x - other->x) * t, edge};
    }
}

/* The straight line that modes 6 and 7 bend. */
struct base_line {
    struct rend_point start;
    struct rend_point step;
    struct rend_point normal;
    int count;
    int offset;
};

static struct base_line base_line_of(const struct wave *wave)
{
    struct base_line line = {.count = points_across(wave, SAMPLES / 2)};
    line.offset = (SAMPLES - line.count) / 2;
    const float ang = 1.57f * wave->param;
    const struct rend_point d = {rend_cos(ang), rend_sin(ang)};
    const float nx = wave->x * rend_cos(ang + 1.57f);
    const float ny = wave->x * rend_sin(ang + 1.57f);
    struct rend_point e0 = {nx - 3 * d.x, ny - 3 * d.y};
    struct rend_point e1 = {nx + 3 * d.x, ny + 3 * d.y};
    clip_end(&e0, &e1);
    clip_end(&e1, &e0);
    line.start = e0;
    line.step =
        (struct rend_point){(e1.x - e0.x) / (float)line.count, (e1.y - e0.y) / (float)line.count};
    const float turn = (float)base_atan2((double)line.step.y, (double)line.step.x) + 1.57f;
    line.normal = (struct rend_point){rend_cos(turn), rend_sin(turn)};
    return line;
}

static void add_bent(struct wave *wave, const struct base_line *line, const float *samples,
                     float shift)
{
    for (int i = 0; i < line->count; i++) {
        const float height = 0.25f * samples[i + line->offset] + shift;
        wave->points[wave->count++] =
            (struct rend_point){line->start.x + (float)i * line->step.x + line->normal.x * height,
                                line->start.y + (float)i * line->step.y + line->normal.y * height};
    }
}

static void mode_line(struct wave *wave)
{
    const struct base_line line = base_line_of(wave);
    add_bent(wave, &line, wave->left, 0);
}

static void mode_double_line(struct wave *wave)
{
    const struct base_line line = base_line_of(wave);
    const float middle = 0.5f * wave->y + 0.5f;
    const float apart = middle * middle;
    add_bent(wave, &line, wave->left, apart);
    wave->second = wave->count;
    add_bent(wave, &line, wave->right, -apart);
}

static const struct {
    void (*draw)(struct wave *);
    bool folded; /* the parameter */
} modes[PRESET_WAVE_MODES] = {
#define PRESET_WAVE_MODE(number, name, folded, ...) [number] = {mode_##name, folded},
#include "presets/milk/wave_modes.def"
};

static void smooth_samples(float *out, const float *waveform, const struct rend_values *v)
{
    const float scale = v->wave_scale / 128.0f;
    const float keep = v->wave_smoothing;
    out[0] = scale * waveform[0];
    for (int i = 1; i < REND_WAVEFORM; i++) {
        out[i] = scale * (1 - keep) * waveform[i] + keep * out[i - 1];
    }
}

static float clamp_unit(float value)
{
    return value > 0 ? fminf(value, 1.0f) : 0;
}

static void add_part(struct rend_waves *waves, const struct wave *wave, size_t first, size_t end,
                     struct rend_colour colour, const struct rend_pen *pen)
{
    struct rend_point points[POINTS_MAX];
    struct rend_colour colours[POINTS_MAX];
    for (size_t i = first; i < end; i++) {
        points[i - first] = rend_from_ndc(wave->canvas, wave->points[i].x, wave->points[i].y);
        colours[i - first] = colour;
    }
    add_strip(waves, points, colours, end - first, pen, true);
}

static void add_built_in(struct rend_waves *waves)
{
    const struct rend_canvas *canvas = waves->canvas;
    const struct rend_frame *frame = waves->frame;
    const struct rend_values *v = &frame->values;
    const int mode =
        ((rend_int(v->wave_mode) % PRESET_WAVE_MODES) + PRESET_WAVE_MODES) % PRESET_WAVE_MODES;
    struct wave wave = {
        .frame = frame,
        .canvas = canvas,
        .x = 2 * v->wave_x - 1,
        .y = 2 * v->wave_y - 1,
        .param = v->wave_mystery,
        .alpha = v->wave_a,
        .time = frame->clock.time,
    };
    if (modes[mode].folded && !(wave.param >= -1 && wave.param <= 1)) {
        const float t = 0.5f * wave.param + 0.5f;
        wave.param = 2 * (t - floorf(t)) - 1;
    }
    smooth_samples(wave.left, frame->sound.waveform[0], v);
    smooth_samples(wave.right, frame->sound.waveform[1], v);
    modes[mode].draw(&wave);
    if (v->wave_alpha_by_volume != 0) {
        const double *level = frame->sound.level;
        const float volume = (float)((level[0] + level[1] + level[2]) / 3);
        wave.alpha *= (volume - v->wave_alpha_start) / (v->wave_alpha_end - v->wave_alpha_start);
    }
    const float alpha = clamp_unit(wave.alpha);
    if (alpha < 0.004f) {
        return;
    }
    float r = clamp_unit(v->wave_r);
    float g = clamp_unit(v->wave_g);
    float b = clamp_unit(v->wave_b);
    const float largest = fmaxf(r, fmaxf(g, b));
    if (v->wave_brighten != 0 && largest > 0.01f) {
        r /= largest;
        g /= largest;
        b /= largest;
    }
    const struct rend_colour colour = rend_colour_low_bits(r, g, b, alpha);
    const bool heavy = v->wave_thick != 0 || v->wave_usedots != 0;
    const struct rend_pen pen = {
        .blend = v->wave_additive != 0 ? REND_BLEND_ADDITIVE : REND_BLEND_ALPHA,
        .dots = v->wave_usedots != 0,
        .dot_size = 1,
        .four = heavy && canvas->width >= 512,
    };
    add_part(waves, &wave, 0, wave.second > 0 ? wave.second : wave.count, colour, &pen);
    if (wave.second > 0) {
        add_part(waves, &wave, wave.second, wave.count, colour, &pen);
    }
}

/* Custom waves: spec/milk-rendering.md section 8.1. */

enum { WAVE_SAMPLES = 480, SPECTRUM_SAMPLES = 512 };

struct custom_wave {
    const struct preset_wave *stored;
    const struct rend_frame *frame;
    const struct rend_canvas *canvas;
    int count;
    float value[2][CUSTOM_POINTS_MAX]; /* value1, value2 of every point */
};

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
        values[j] = source[index < 0 ? 0 : index < available ? index : available - 1];
    }
    const float m1 = sqrtf(fminf(fmaxf(0.98f * stored->smoothing, 0.0f), 1.0f));
    const float m2 = 1 - m1;
    for (int j = 1; j < wave->count; j++) {
        values[j] = m2 * values[j] + m1 * values[j - 1];
    }
    for (int j = wave->count - 2; j >= 0; j--) {
        values[j] = m2 * values[j] + m1 * values[j + 1];
    }
    const float scale =
        stored->scaling * wave->frame->values.wave_scale * (spectrum ? 0.15f : 0.004f);
    for (int j = 0; j < wave->count; j++) {
        values[j] *= scale;
    }
}

/* What goes into the per-point program and comes out, by point. */
struct point_values {
    double in[REND_POINT_R - REND_POINT_SAMPLE][CUSTOM_POINTS_MAX];
    double out[REND_POINT_OUTPUTS][CUSTOM_POINTS_MAX]; /* x y, then the colour */
};

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

static struct rend_pen pen_of(const struct custom_wave *wave)
{
    const struct preset_wave *stored = wave->stored;
    const bool thick = stored->draw_thick != 0;
    const bool dots = stored->use_dots != 0;
    return (struct rend_pen){
        .blend = stored->additive != 0 ? REND_BLEND_ADDITIVE : REND_BLEND_ALPHA,
        .dots = dots,
        .dot_size = (wave->canvas->width >= 1024 ? 2 : 1) + (thick ? 1 : 0),
        .four = thick && !dots,
    };
}

static void add_custom_wave(struct rend_waves *waves, const struct rend_patch *patch,
                            struct rend_section_equations *equations, size_t index)
{
    const struct rend_canvas *canvas = waves->canvas;
    const struct rend_frame *frame = waves->frame;
    struct custom_wave wave = {&patch->waves[index], frame, canvas, 0, {{0}}};
    struct pfpu_instance *per_frame = &equations->wave_frame[index];
    struct pfpu_instance *per_point = &equations->wave_point[index];
    rend_set_inputs(per_frame->values, frame, frame->q);
    memcpy(per_frame->values + REND_VAR_T, equations->wave_t[index],
           sizeof equations->wave_t[index]);
    rend_set_wave(per_frame->values, wave.stored);
    rend_set_held(per_frame->values, patch->wave_frame[index].scope, frame);
    pfpu_run(patch->wave_frame[index].run, per_frame, &equations->globals);
    wave.count = rend_int(rend_float(per_frame->values[REND_WAVE_SAMPLES]));
    wave.count = wave.count > CUSTOM_POINTS_MAX ? CUSTOM_POINTS_MAX : wave.count;
    if (wave.count < (wave.stored->use_dots != 0 ? 1 : 2)) {
        return;
    }
    fill_values(&wave, 0);
    fill_values(&wave, 1);
    rend_set_inputs(per_point->values, frame, per_frame->values + REND_VAR_Q);
    memcpy(per_point->values + REND_VAR_T, per_frame->values + REND_VAR_T,
           REND_TS * sizeof(double));
    rend_set_held(per_point->values, patch->wave_point[index].scope, frame);
    const struct pfpu_lanes *lanes = patch->wave_point[index].lanes;
    const double *rgba = per_frame->values + REND_WAVE_R;
    struct point_values values;
    for (int j = 0; j < wave.count; j++) {
        const double value1 = (double)wave.value[0][j];
        const double value2 = (double)wave.value[1][j];
        values.in[0][j] = wave.count > 1 ? (double)j / (wave.count - 1) : 0;
        values.in[1][j] = value1;
        values.in[2][j] = value2;
        values.in[3][j] = values.out[0][j] = 0.5 + value1;
        values.in[4][j] = values.out[1][j] = 0.5 + value2;
        for (int k = 0; k < 4; k++) {
            values.out[2 + k][j] = rgba[k];
        }
    }
    if (lanes != NULL && rend_may_run(equations, &patch->wave_point[index], (size_t)wave.count)) {
        run_points(&wave, lanes, equations, per_point, rgba, &values);
    }
    struct rend_point points[CUSTOM_POINTS_MAX];
    struct rend_colour colours[CUSTOM_POINTS_MAX];
    for (int j = 0; j < wave.count; j++) {
        const double(*v)[CUSTOM_POINTS_MAX] = values.out;
        const float x = rend_float(2 * v[0][j] - 1) / frame->aspect_x;
        const float y = rend_float(2 * v[1][j] - 1) / frame->aspect_y;
        points[j] = rend_from_ndc(canvas, x, y);
        colours[j] = rend_colour_low_bits(rend_float(v[2][j]), rend_float(v[3][j]),
                                          rend_float(v[4][j]), rend_float(v[5][j]));
    }
    const struct rend_pen pen = pen_of(&wave);
    add_strip(waves, points, colours, (size_t)wave.count, &pen, !pen.dots);
}

void rend_find_waves(struct rend_waves *waves, const struct rend_canvas *canvas,
                     const struct rend_frame *frame, const struct rend_patch *patch,
                     struct rend_section_equations *equations)
{
    waves->canvas = canvas;
    waves->frame = frame;
    waves->count = 0;
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        if (patch->waves[i].enabled != 0) {
            add_custom_wave(waves, patch, equations, i);
        }
    }
    add_built_in(waves);
}

struct rend_strips rend_pay_waves(const struct rend_canvas *canvas, const struct rend_waves *waves)
{
    return rend_pay_strips(canvas, waves->strips, waves->count);
}
