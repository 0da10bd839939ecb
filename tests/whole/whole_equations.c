#include "whole.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of nudges: how many last bits a value of a custom wave may be off. */
enum { VALUE_BITS = 4 };

static const int64_t budget = 16 * 1000 * 1000; /* operations of loops in a frame */

/* A namespace with its programs. */
struct space {
    struct pfpu_scope *scope;
    struct pfpu_program *init;
    struct pfpu_program *run;
    struct pfpu_instance instance;
};

struct whole_equations {
    const struct preset *preset;
    struct base_arena arena;
    struct pfpu_globals globals;
    struct space frame;
    struct space vertex;
    struct space wave[PRESET_WAVES];
    struct space point[PRESET_WAVES];
    struct space shape[PRESET_SHAPES];
    double q_init[WHOLE_QS];
    double wave_t[PRESET_WAVES][WHOLE_TS];
    double shape_t[PRESET_SHAPES][WHOLE_TS];
};

static double *variable(const struct space *space, const char *name)
{
    const int index = pfpu_scope_find(space->scope, name);
    return index >= 0 ? &space->instance.values[index] : NULL;
}

/* Variables that no equation names are not there. */
static void set(const struct space *space, const char *name, double value)
{
    double *at = variable(space, name);
    if (at != NULL) {
        *at = value;
    }
}

static double get(const struct space *space, const char *name, double otherwise)
{
    const double *at = variable(space, name);
    return at != NULL ? *at : otherwise;
}

static void set_numbered(const struct space *space, char letter, const double *values, int count)
{
    for (int i = 0; i < count; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%c%d", letter, i + 1);
        set(space, name, values[i]);
    }
}

static void get_numbered(const struct space *space, char letter, double *values, int count,
                         const double *otherwise)
{
    for (int i = 0; i < count; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%c%d", letter, i + 1);
        values[i] = get(space, name, otherwise != NULL ? otherwise[i] : 0);
    }
}

static void set_inputs(const struct space *space, const struct whole_frame *frame, const double *q)
{
    set(space, "time", frame->time);
    set(space, "fps", frame->fps);
    set(space, "frame", frame->frame);
    set(space, "progress", frame->progress);
    set(space, "bass", frame->sound->level[0]);
    set(space, "mid", frame->sound->level[1]);
    set(space, "treb", frame->sound->level[2]);
    set(space, "bass_att", frame->sound->level_att[0]);
    set(space, "mid_att", frame->sound->level_att[1]);
    set(space, "treb_att", frame->sound->level_att[2]);
    if (frame->beats) {
        set(space, "beat_now", frame->beat[0]);
        set(space, "beat_phase", frame->beat[1]);
        set(space, "beat_bpm", frame->beat[2]);
    }
    set_numbered(space, 'q', q, WHOLE_QS);
}

static void set_sizes(const struct space *space, const struct whole_frame *frame)
{
    set(space, "meshx", frame->mesh_x);
    set(space, "meshy", frame->mesh_y);
    set(space, "pixelsx", frame->width);
    set(space, "pixelsy", frame->height);
    set(space, "aspectx", 1 / frame->aspect_x);
    set(space, "aspecty", 1 / frame->aspect_y);
}

/* Of a group's keys, whatever equations can reach. */
static void set_stored(const struct space *space, enum preset_group group, const void *base)
{
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        if (preset_keys[i].group == group && preset_keys[i].variable[0] != '\0') {
            set(space, preset_keys[i].variable, preset_key_get(&preset_keys[i], base));
        }
    }
}

/* As drawing sees it: a 32-bit float. */
static double narrow(double value)
{
    return isnan(value) ? 0 : (double)(float)fmin(fmax(value, -(double)FLT_MAX), (double)FLT_MAX);
}

/* ---- making ---- */

static void compile(struct whole_equations *equations, struct space *space,
                    const struct base_source *init, const struct base_source *run)
{
    space->scope = pfpu_scope_create(&equations->arena);
    const struct base_source *sources[2] = {init, run};
    struct pfpu_program **programs[2] = {&space->init, &space->run};
    for (int i = 0; i < 2; i++) {
        if (sources[i] != NULL && pfpu_compile(&pfpu_target_host, space->scope, sources[i],
                                               &equations->arena, NULL, programs[i]) != PFPU_OK) {
            *programs[i] = NULL;
        }
    }
    if (pfpu_instance_init(&space->instance, space->scope, &equations->arena) != 0) {
        abort();
    }
}

struct whole_equations *whole_equations_create(const struct preset *preset,
                                               const struct whole_frame *frame, uint64_t seed)
{
    struct whole_equations *equations = whole_memory(1, sizeof *equations);
    equations->preset = preset;
    base_arena_init(&equations->arena, 0);
    if (pfpu_globals_init(&equations->globals, seed) != 0) {
        abort();
    }
    equations->globals.budget = budget;
    compile(equations, &equations->frame, &preset->init, &preset->per_frame);
    compile(equations, &equations->vertex, NULL, &preset->per_vertex);
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        const struct preset_wave *wave = &preset->waves[i];
        compile(equations, &equations->wave[i], &wave->init, &wave->per_frame);
        compile(equations, &equations->point[i], NULL, &wave->per_point);
    }
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        const struct preset_shape *shape = &preset->shapes[i];
        compile(equations, &equations->shape[i], &shape->init, &shape->per_frame);
    }
    set_inputs(&equations->frame, frame, equations->q_init);
    set_sizes(&equations->frame, frame);
    set_stored(&equations->frame, PRESET_GROUP_PRESET, preset);
    pfpu_run(equations->frame.init, &equations->frame.instance, &equations->globals);
    get_numbered(&equations->frame, 'q', equations->q_init, WHOLE_QS, NULL);
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        const struct space *space = &equations->wave[i];
        set_inputs(space, frame, equations->q_init);
        set_stored(space, PRESET_GROUP_WAVE, &preset->waves[i]);
        pfpu_run(space->init, &equations->wave[i].instance, &equations->globals);
        get_numbered(space, 't', equations->wave_t[i], WHOLE_TS, NULL);
    }
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        const struct space *space = &equations->shape[i];
        set_inputs(space, frame, equations->q_init);
        set_stored(space, PRESET_GROUP_SHAPE, &preset->shapes[i]);
        pfpu_run(space->init, &equations->shape[i].instance, &equations->globals);
        get_numbered(space, 't', equations->shape_t[i], WHOLE_TS, NULL);
    }
    return equations;
}

void whole_equations_free(struct whole_equations *equations)
{
    pfpu_globals_free(&equations->globals);
    base_arena_free(&equations->arena);
    free(equations);
}

/* ---- running ---- */

void whole_equations_frame(struct whole_equations *equations, struct whole_frame *frame)
{
    const struct space *space = &equations->frame;
    equations->globals.budget = budget;
    set_inputs(space, frame, equations->q_init);
    set_sizes(space, frame);
    set_stored(space, PRESET_GROUP_PRESET, equations->preset);
    pfpu_run(space->run, &equations->frame.instance, &equations->globals);
    for (size_t i = 0; i < PRESET_KEYS; i++) {
        const double stored = preset_key_get(&preset_keys[i], equations->preset);
        const char *name = preset_keys[i].variable;
        frame->value[i] = narrow(name[0] != '\0' ? get(space, name, stored) : stored);
    }
    frame->value[PRESET_KEY_gamma] = fmin(fmax(frame->value[PRESET_KEY_gamma], 0), 8);
    frame->value[PRESET_KEY_echo_zoom] =
        fmin(fmax(frame->value[PRESET_KEY_echo_zoom], 0.001), 1000);
    get_numbered(space, 'q', frame->q, WHOLE_QS, equations->q_init);
}

static const char *const motions[WHOLE_MOTIONS] = {"zoom", "zoomexp", "rot", "warp", "cx",
                                                   "cy",   "dx",      "dy",  "sx",   "sy"};

void whole_equations_vertices(struct whole_equations *equations, const struct whole_frame *frame)
{
    set_inputs(&equations->vertex, frame, frame->q);
    set_sizes(&equations->vertex, frame);
}

void whole_equations_vertex(struct whole_equations *equations, const struct whole_frame *frame,
                            double x, double y, double motion[WHOLE_MOTIONS])
{
    static const int keys[WHOLE_MOTIONS] = {
        PRESET_KEY_zoom, PRESET_KEY_zoomexp, PRESET_KEY_rot, PRESET_KEY_warp, PRESET_KEY_cx,
        PRESET_KEY_cy,   PRESET_KEY_dx,      PRESET_KEY_dy,  PRESET_KEY_sx,   PRESET_KEY_sy};
    const struct space *space = &equations->vertex;
    for (int i = 0; i < WHOLE_MOTIONS; i++) {
        motion[i] = frame->value[keys[i]];
    }
    if (space->run == NULL) {
        return;
    }
    const double px = x * frame->aspect_x;
    const double py = y * frame->aspect_y;
    set(space, "x", narrow(0.5 + 0.5 * px));
    set(space, "y", narrow(0.5 - 0.5 * py));
    set(space, "rad", narrow(sqrt(px * px + py * py)));
    set(space, "ang", px == 0 && py == 0 ? 0 : narrow(atan2(py, px)));
    for (int i = 0; i < WHOLE_MOTIONS; i++) {
        set(space, motions[i], get(&equations->frame, motions[i], motion[i]));
    }
    pfpu_run(space->run, &equations->vertex.instance, &equations->globals);
    for (int i = 0; i < WHOLE_MOTIONS; i++) {
        motion[i] = narrow(get(space, motions[i], motion[i]));
    }
}

void whole_equations_shape(struct whole_equations *equations, const struct whole_frame *frame,
                           size_t index, int instance, double field[PRESET_SHAPE_KEYS])
{
    const struct space *space = &equations->shape[index];
    const struct preset_shape *stored = &equations->preset->shapes[index];
    set_inputs(space, frame, frame->q);
    set_numbered(space, 't', equations->shape_t[index], WHOLE_TS);
    set(space, "instance", instance);
    set_stored(space, PRESET_GROUP_SHAPE, stored);
    pfpu_run(space->run, &equations->shape[index].instance, &equations->globals);
    for (size_t i = 0; i < PRESET_SHAPE_KEYS; i++) {
        const struct preset_key *key = &preset_keys[PRESET_SHAPE_ROW + i];
        const double value = preset_key_get(key, stored);
        field[i] =
            (double)(float)(key->variable[0] != '\0' ? get(space, key->variable, value) : value);
    }
}

/* ---- custom waves: section 8.1 ---- */

static int at_least(int value, int least)
{
    return value > least ? value : least;
}

static void fill_values(const struct preset_wave *wave, const struct whole_frame *frame, int side,
                        int count, double *values)
{
    const bool spectrum = wave->spectrum != 0;
    const int most = spectrum ? 512 : 480;
    const int there = spectrum ? WHOLE_SPECTRUM : WHOLE_WAVEFORM;
    const double *source = spectrum ? frame->sound->spectrum[side] : frame->sound->waveform[side];
    const int half = wave->sep / 2;
    const int first = spectrum ? 0 : (most - count) / 2 + (side == 0 ? -half : half);
    const double step = spectrum ? (double)(most - wave->sep) / count : 1;
    const double smoothing = fmin(fmax(0.98 * (double)wave->smoothing, 0), 1);
    const double keep = sqrt(smoothing);
    const double scale =
        (double)wave->scaling * frame->value[PRESET_KEY_wave_scale] * (spectrum ? 0.15 : 0.004);
    for (int j = 0; j < count; j++) {
        const int index = at_least((int)(j * step) + first, 0);
        const double sample = source[index < there ? index : there - 1];
        values[j] = j == 0 ? sample : (1 - keep) * sample + keep * values[j - 1];
    }
    for (int j = count - 2; j >= 0; j--) {
        values[j] = (1 - keep) * values[j] + keep * values[j + 1];
    }
    for (int j = 0; j < count; j++) {
        values[j] = whole_nudged(values[j] * scale, VALUE_BITS, frame->nudge);
    }
}

void whole_equations_wave(struct whole_equations *equations, const struct whole_frame *frame,
                          size_t index, struct whole_wave_points *points)
{
    static const char *const colours[WHOLE_COLOURS] = {"r", "g", "b", "a"};
    const struct preset_wave *wave = &equations->preset->waves[index];
    const struct space *space = &equations->wave[index];
    const struct space *point = &equations->point[index];
    set_inputs(space, frame, frame->q);
    set_numbered(space, 't', equations->wave_t[index], WHOLE_TS);
    set_stored(space, PRESET_GROUP_WAVE, wave);
    pfpu_run(space->run, &equations->wave[index].instance, &equations->globals);
    const double wanted = narrow(get(space, "samples", wave->samples));
    const int count = (int)fmin(fmax(wanted, -1), WHOLE_POINTS_MAX);
    points->count = count >= (wave->use_dots != 0 ? 1 : 2) ? count : 0;
    if (points->count == 0) {
        return;
    }
    double q[WHOLE_QS];
    double t[WHOLE_TS];
    const double stored[WHOLE_COLOURS] = {(double)wave->r, (double)wave->g, (double)wave->b,
                                          (double)wave->a};
    double base[WHOLE_COLOURS];
    double value[2][WHOLE_POINTS_MAX];
    get_numbered(space, 'q', q, WHOLE_QS, frame->q);
    get_numbered(space, 't', t, WHOLE_TS, equations->wave_t[index]);
    for (int k = 0; k < WHOLE_COLOURS; k++) {
        base[k] = get(space, colours[k], stored[k]);
    }
    set_inputs(point, frame, q);
    set_numbered(point, 't', t, WHOLE_TS);
    fill_values(wave, frame, 0, count, value[0]);
    fill_values(wave, frame, 1, count, value[1]);
    for (int j = 0; j < count; j++) {
        set(point, "sample", count > 1 ? (double)j / (count - 1) : 0);
        set(point, "value1", value[0][j]);
        set(point, "value2", value[1][j]);
        set(point, "x", 0.5 + value[0][j]);
        set(point, "y", 0.5 + value[1][j]);
        for (int k = 0; k < WHOLE_COLOURS; k++) {
            set(point, colours[k], base[k]);
        }
        pfpu_run(point->run, &equations->point[index].instance, &equations->globals);
        points->x[j] = narrow(get(point, "x", 0.5 + value[0][j]));
        points->y[j] = narrow(get(point, "y", 0.5 + value[1][j]));
        for (int k = 0; k < WHOLE_COLOURS; k++) {
            points->colour[j][k] = narrow(get(point, colours[k], base[k]));
        }
    }
}
