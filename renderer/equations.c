#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "renderer/stages.h"

/* Simple operations that loops may cost in one frame: some tens of milliseconds. */
static const int64_t frame_budget = 16 * 1000 * 1000;

/* Those that programs may cost beside, which run for each vertex, point or shape: as long again.
 * One that does not run in lanes takes several times as long. */
enum { PLAIN_BUDGET = 48 * 1000 * 1000, PLAIN_VERTEX = 2000, PLAIN_SINGLE = 4 };

int rend_int(float value)
{
    const float limit = 1073741824.0f;
    return isnan(value) ? 0 : (int)fminf(fmaxf(value, -limit), limit);
}

float rend_float(double value)
{
    return isnan(value) ? 0 : (float)fmin(fmax(value, -(double)FLT_MAX), (double)FLT_MAX);
}

float rend_sin(float x)
{
    return (float)base_sin((double)x);
}

float rend_cos(float x)
{
    return (float)base_cos((double)x);
}

void rend_set_inputs(double *values, const struct rend_frame *frame, const double *q)
{
    values[REND_VAR_time] = frame->clock.time;
    values[REND_VAR_fps] = frame->clock.fps;
    values[REND_VAR_frame] = frame->clock.frame;
    values[REND_VAR_progress] = frame->clock.progress;
    values[REND_VAR_bass] = frame->sound.level[0];
    values[REND_VAR_mid] = frame->sound.level[1];
    values[REND_VAR_treb] = frame->sound.level[2];
    values[REND_VAR_bass_att] = frame->sound.level_att[0];
    values[REND_VAR_mid_att] = frame->sound.level_att[1];
    values[REND_VAR_treb_att] = frame->sound.level_att[2];
    if ((frame->own & REND_FAMILY_BEAT) == 0) {
        values[REND_VAR_beat_now] = frame->sound.beats > 0 ? 1 : 0;
        values[REND_VAR_beat_phase] = frame->sound.beat_phase;
        values[REND_VAR_beat_bpm] = frame->sound.bpm;
    }
    if ((frame->own & REND_FAMILY_BAR) == 0) {
        values[REND_VAR_bpm] = frame->sound.bpm;
        values[REND_VAR_bar_phase] = frame->sound.bar_phase;
    }
    memcpy(values + REND_VAR_Q, q, REND_QS * sizeof *q);
}

void rend_set_held(double *values, const struct pfpu_scope *scope, const struct rend_frame *frame)
{
    for (size_t i = 0; i < frame->held_count; i++) {
        const int variable = pfpu_scope_find(scope, frame->held[i].name);
        if (variable >= 0) {
            values[variable] = frame->held[i].value;
        }
    }
}

void rend_set_geometry(double *values, const struct rend_config *config)
{
    values[REND_VAR_meshx] = config->mesh_x;
    values[REND_VAR_meshy] = config->mesh_y;
    values[REND_VAR_pixelsx] = config->width;
    values[REND_VAR_pixelsy] = config->height;
    values[REND_VAR_aspectx] = 1 / rend_aspect_x(config);
    values[REND_VAR_aspecty] = 1 / rend_aspect_y(config);
}

void rend_set_wave(double *values, const struct preset_wave *stored)
{
    values[REND_WAVE_R] = (double)stored->r;
    values[REND_WAVE_R + 1] = (double)stored->g;
    values[REND_WAVE_R + 2] = (double)stored->b;
    values[REND_WAVE_R + 3] = (double)stored->a;
    values[REND_WAVE_SAMPLES] = stored->samples;
}

void rend_set_shape(double *values, const struct rend_patch *patch, size_t index)
{
    for (int field = 0; field < PRESET_SHAPE_KEYS; field++) {
        if (patch->shape_variable[field] >= 0) {
            values[patch->shape_variable[field]] = patch->shape_stored[index][field];
        }
    }
}

static void set_stored(double *values, const struct rend_patch *patch, const double *stored)
{
    for (int i = 0; i < PRESET_KEYS; i++) {
        if (patch->stored_variable[i] >= 0) {
            values[patch->stored_variable[i]] = stored[i];
        }
    }
}

void rend_equations_refill(struct rend_section_equations *equations,
                           const struct rend_config *config)
{
    equations->globals.budget = frame_budget;
    equations->plain_left = PLAIN_BUDGET + (int64_t)PLAIN_VERTEX * config->mesh_x * config->mesh_y;
    equations->globals.exhausted = false;
    equations->globals.pool_exhausted = false;
}

bool rend_may_run(struct rend_section_equations *equations, const struct rend_block *block,
                  size_t items)
{
    const bool single = block->lanes == NULL || pfpu_lanes_facts(block->lanes).one_by_one;
    const int64_t each = pfpu_program_price(block->run) * (single ? PLAIN_SINGLE : 1);
    const int64_t price = each * (int64_t)items;
    if (equations->plain_left < price) {
        equations->plain_left = 0;
        equations->globals.exhausted = true;
        return false;
    }
    equations->plain_left -= price;
    return true;
}

void rend_equations_frame(struct rend_section_equations *equations, const struct rend_patch *patch,
                          const struct rend_config *config, struct rend_frame *frame)
{
    double *values = equations->frame.values;
    rend_set_inputs(values, frame, equations->q_init);
    rend_set_geometry(values, config);
    set_stored(values, patch, equations->stored);
    rend_set_held(values, patch->frame.scope, frame);
    pfpu_run(patch->frame.run, &equations->frame, &equations->globals);
    rend_set_held(values, patch->frame.scope, frame);
    float row[PRESET_KEYS];
    struct rend_values *read = &frame->values;
    static_assert(sizeof row == sizeof *read, "rend_values has one float per row of keys.def");
    for (int i = 0; i < PRESET_KEYS; i++) {
        const int variable = patch->stored_variable[i];
        row[i] = rend_float(variable >= 0 ? values[variable] : equations->stored[i]);
    }
    memcpy(read, row, sizeof *read);
    read->gamma = fminf(fmaxf(read->gamma, 0.0f), 8.0f);
    read->echo_zoom = fminf(fmaxf(read->echo_zoom, 0.001f), 1000.0f);
    memcpy(frame->q, values + REND_VAR_Q, sizeof frame->q);
}

/* Of a mesh that several threads move: some more than there are threads, since not all begin at
 * once. */
static size_t parts_for(const struct rend_config *config)
{
    enum { MOST = 16 };
    const size_t threads = base_pool_threads(config->pool);
    return threads == 1 ? 1 : 2 * threads < MOST ? 2 * threads : MOST;
}

static size_t larger_work(size_t size, const struct pfpu_lanes *lanes)
{
    const size_t other = lanes == NULL ? 0 : pfpu_lanes_work_size(lanes);
    return other > size ? other : size;
}

static void run_item_inits(struct rend_section_equations *equations, const struct rend_patch *patch,
                           const struct rend_frame *frame)
{
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        double *values = equations->wave_frame[i].values;
        rend_set_inputs(values, frame, equations->q_init);
        rend_set_wave(values, &patch->waves[i]);
        pfpu_run(patch->wave_frame[i].init, &equations->wave_frame[i], &equations->globals);
        memcpy(equations->wave_t[i], values + REND_VAR_T, sizeof equations->wave_t[i]);
    }
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        double *values = equations->shape[i].values;
        rend_set_inputs(values, frame, equations->q_init);
        rend_set_shape(values, patch, i);
        pfpu_run(patch->shape[i].init, &equations->shape[i], &equations->globals);
        memcpy(equations->shape_t[i], values + REND_VAR_T, sizeof equations->shape_t[i]);
    }
}

int rend_equations_load(struct rend_section_equations *equations, const struct rend_patch *patch,
                        const struct rend_config *config, const struct rend_frame *frame)
{
    *equations = (struct rend_section_equations){.start_time = frame->clock.time};
    memcpy(equations->stored, patch->stored, sizeof equations->stored);
    /* Chance goes on from preset to preset; where a show begins it is MilkDrop's. */
    const uint64_t seed = config->seed + (uint64_t)frame->clock.frame;
    if (pfpu_globals_init(&equations->globals, seed) != 0) {
        return -1;
    }
    equations->shape_queue = rend_shape_queue_create(&equations->arena, patch, config);
    equations->waves = rend_waves_create(&equations->arena);
    size_t work = larger_work(0, patch->vertex.lanes);
    equations->parts = parts_for(config);
    if (work > 0 && pfpu_lanes_divides(patch->vertex.lanes)) {
        work *= equations->parts;
    }
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        work = larger_work(work, patch->wave_point[i].lanes);
    }
    struct base_arena *arena = &equations->arena;
    equations->lanes_work = base_arena_array(arena, work, sizeof(double));
    int failed =
        equations->shape_queue == NULL || equations->waves == NULL || equations->lanes_work == NULL;
    failed |= pfpu_instance_init(&equations->frame, patch->frame.scope, arena);
    failed |= pfpu_instance_init(&equations->vertex, patch->vertex.scope, arena);
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        failed |= pfpu_instance_init(&equations->wave_frame[i], patch->wave_frame[i].scope, arena);
        failed |= pfpu_instance_init(&equations->wave_point[i], patch->wave_point[i].scope, arena);
    }
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        failed |= pfpu_instance_init(&equations->shape[i], patch->shape[i].scope, arena);
    }
    if (failed != 0) {
        rend_equations_free(equations);
        return -1;
    }
    rend_equations_refill(equations, config);
    double *values = equations->frame.values;
    rend_set_inputs(values, frame, equations->q_init);
    rend_set_geometry(values, config);
    set_stored(values, patch, equations->stored);
    pfpu_run(patch->frame.init, &equations->frame, &equations->globals);
    memcpy(equations->q_init, values + REND_VAR_Q, sizeof equations->q_init);
    run_item_inits(equations, patch, frame);
    return 0;
}

void rend_equations_free(struct rend_section_equations *equations)
{
    pfpu_globals_free(&equations->globals);
    base_arena_free(&equations->arena);
}

/* Values that change while a preset runs, and a look at its variables. */

bool rend_set_value(struct rend *rend, size_t key, double value)
{
    if (rend->patch == NULL || key >= PRESET_KEYS || isnan(value)) {
        return false;
    }
    rend->equations.stored[key] = preset_key_limit(&preset_keys[key], value);
    return true;
}

double rend_value(const struct rend *rend, size_t key)
{
    return rend->patch == NULL || key >= PRESET_KEYS ? 0 : rend->equations.stored[key];
}

void rend_dmx(const struct rend *rend, uint8_t levels[REND_DMX_OUTPUTS])
{
    for (int i = 0; i < REND_DMX_OUTPUTS; i++) {
        const int variable = rend->patch != NULL ? rend->patch->dmx_variable[i] : -1;
        const double value = variable >= 0 ? rend->equations.frame.values[variable] : 0;
        levels[i] = (uint8_t)(value > 0 ? fmin(value, 1) * UINT8_MAX : 0);
    }
}

struct listing {
    const struct rend *rend;
    struct rend_variable_view *views;
    size_t most;
    size_t count;
};

static void add_range(struct listing *listing, size_t first, size_t end)
{
    const struct pfpu_scope *scope = listing->rend->patch->frame.scope;
    for (size_t i = first; i < end; i++) {
        if (listing->count < listing->most) {
            struct rend_variable_view *view = &listing->views[listing->count];
            const char *name = pfpu_scope_name(scope, i);
            const size_t size = strnlen(name, sizeof view->name - 1);
            memcpy(view->name, name, size);
            memset(view->name + size, 0, sizeof view->name - size);
            view->value = listing->rend->equations.frame.values[i];
        }
        listing->count++;
    }
}

size_t rend_variables(const struct rend *rend, struct rend_variable_view *views, size_t most)
{
    if (rend->patch == NULL) {
        return 0;
    }
    struct listing listing = {rend, views, most, 0};
    size_t own = REND_VAR_STORED;
    for (int i = 0; i < PRESET_KEYS; i++) {
        own += rend->patch->stored_variable[i] >= 0 ? 1 : 0;
    }
    add_range(&listing, own, pfpu_scope_size(rend->patch->frame.scope));
    if ((rend->patch->own & REND_FAMILY_BEAT) != 0) {
        add_range(&listing, REND_VAR_EXTRAS, REND_VAR_bpm);
    }
    if ((rend->patch->own & REND_FAMILY_BAR) != 0) {
        add_range(&listing, REND_VAR_bpm, REND_VAR_INPUTS);
    }
    add_range(&listing, REND_VAR_MONITOR, own);
    add_range(&listing, REND_VAR_Q, REND_VAR_Q + REND_QS);
    return listing.count;
}
