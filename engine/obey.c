/* What each command does to a show. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/inside.h"
#include "presets/file.h"

typedef bool obey_function(struct engine *engine, const struct engine_call *call);
typedef double tell_function(const struct engine *engine);

static double within(const struct engine_call *call)
{
    const struct engine_command_row *row = &engine_command_rows[call->command];
    return fmin(fmax(call->number, row->low), row->high);
}

static bool obey_next(struct engine *engine, const struct engine_call *call)
{
    engine_step_presets(engine, (int)within(call), false);
    return true;
}

static bool obey_cut(struct engine *engine, const struct engine_call *call)
{
    engine_step_presets(engine, (int)within(call), true);
    return true;
}

static bool obey_previous(struct engine *engine, const struct engine_call *call)
{
    engine_step_presets(engine, -(int)within(call), false);
    return true;
}

static bool obey_random(struct engine *engine, const struct engine_call *call)
{
    const struct engine_supply *supply = &engine->setup.supply;
    engine->state.random = engine_switch_of(call->to, engine->state.random);
    if (supply->random != NULL) {
        supply->random(supply->user, engine->state.random);
    }
    return true;
}

static bool obey_lock(struct engine *engine, const struct engine_call *call)
{
    const bool locked = engine_switch_of(call->to, engine->state.locked);
    if (locked != engine->state.locked) {
        engine->state.locked = locked;
        engine_wait_anew(engine);
    }
    return true;
}

static const double vary_most = 0.9; /* of advance */

static bool obey_advance(struct engine *engine, const struct engine_call *call)
{
    struct engine_auto_vj *vj = &engine->state.vj;
    if (!(call->number > 0)) {
        return false;
    }
    vj->advance = within(call);
    vj->vary = fmin(vj->vary, vary_most * vj->advance);
    engine_wait_anew(engine);
    return true;
}

static bool obey_vary(struct engine *engine, const struct engine_call *call)
{
    struct engine_auto_vj *vj = &engine->state.vj;
    vj->vary = fmin(within(call), vary_most * vj->advance);
    engine_wait_anew(engine);
    return true;
}

static bool obey_hard(struct engine *engine, const struct engine_call *call)
{
    engine->state.vj.hard = engine_switch_of(call->to, engine->state.vj.hard);
    return true;
}

static bool obey_cut_on_beat(struct engine *engine, const struct engine_call *call)
{
    engine->state.vj.beats = (unsigned)within(call);
    engine->state.vj.heard = 0;
    return true;
}

static bool obey_cut_on_loud(struct engine *engine, const struct engine_call *call)
{
    struct engine_state *state = &engine->state;
    state->cut_on_loud = within(call);
    state->is_loud = false;
    rend_loud_start(&state->loud, state->cut_on_loud > 0 ? state->cut_on_loud : 1);
    return true;
}

/* Waiting begins anew with where the beat is. */
static bool obey_wait_beats(struct engine *engine, const struct engine_call *call)
{
    struct engine_state *state = &engine->state;
    state->wait_beats = (unsigned)within(call);
    state->waited = floor(state->tempo.now.beats / fmax(state->wait_beats, 1));
    state->waited_at = state->now;
    return true;
}

static bool obey_tap(struct engine *engine, const struct engine_call *call)
{
    (void)call;
    (void)engine_tempo_tap(&engine->state.tempo, engine->state.now);
    return true;
}

static bool obey_tempo(struct engine *engine, const struct engine_call *call)
{
    engine_tempo_by_hand(&engine->state.tempo, within(call), engine->state.now);
    return true;
}

static bool obey_clock(struct engine *engine, const struct engine_call *call)
{
    return engine_tempo_by_name(base_span_of(call->text), &engine->state.tempo.choice);
}

static const double milliseconds = 1e-3;

static bool obey_nudge(struct engine *engine, const struct engine_call *call)
{
    engine->state.tempo.nudge = within(call) * milliseconds;
    return true;
}

static bool obey_blend(struct engine *engine, const struct engine_call *call)
{
    const struct engine_supply *supply = &engine->setup.supply;
    engine->state.blend = within(call);
    if (supply->blend != NULL) {
        supply->blend(supply->user, engine->state.blend);
    }
    return true;
}

static bool obey_transition(struct engine *engine, const struct engine_call *call)
{
    const struct engine_supply *supply = &engine->setup.supply;
    return supply->transition == NULL || supply->transition(supply->user, call->text);
}

static bool obey_blackout(struct engine *engine, const struct engine_call *call)
{
    engine->state.blackout = engine_switch_of(call->to, engine->state.blackout);
    return true;
}

static bool obey_freeze(struct engine *engine, const struct engine_call *call)
{
    engine->state.frozen = engine_switch_of(call->to, engine->state.frozen);
    engine->state.steps_asked = 0;
    return true;
}

static bool obey_step(struct engine *engine, const struct engine_call *call)
{
    engine->state.frozen = true;
    const double asked = engine->state.steps_asked + within(call);
    engine->state.steps_asked = (unsigned)fmin(asked, ENGINE_CALL_NUMBER_MAX);
    return true;
}

static bool obey_set(struct engine *engine, const struct engine_call *call)
{
    return engine_tweaks_set(&engine->state.tweaks, engine->show, call->text);
}

/* The place of a variable among those that are held; their number if it is not. */
static size_t find_held(const struct engine *engine, const char *name)
{
    size_t i = 0;
    while (i < engine->held_count && strcmp(engine->held[i].name, name) != 0) {
        i++;
    }
    return i;
}

/* Copies the first word in lower case. False if it is none, or too long for a variable. */
static bool read_name(const char *text, char name[static sizeof(((struct rend_held *)0)->name)])
{
    enum { NAME = sizeof(((struct rend_held *)0)->name) };
    const size_t size = strcspn(text, " ");
    for (size_t i = 0; i < size && i < NAME; i++) {
        name[i] = (char)tolower((unsigned char)text[i]);
    }
    if (size == 0 || size >= NAME) {
        return false;
    }
    name[size] = '\0';
    return true;
}

static bool obey_hold(struct engine *engine, const struct engine_call *call)
{
    struct rend_held held;
    char *end = NULL;
    const char *number = strchr(call->text, ' ');
    held.value = number != NULL ? strtod(number, &end) : NAN;
    if (number == NULL || end == number || *end != '\0' || !isfinite(held.value) ||
        !read_name(call->text, held.name)) {
        return false;
    }
    const size_t place = find_held(engine, held.name);
    if (place == ENGINE_HELD_MAX) {
        return false;
    }
    engine->held[place] = held;
    engine->held_count += place == engine->held_count;
    return true;
}

static bool obey_free(struct engine *engine, const struct engine_call *call)
{
    char name[sizeof engine->held->name];
    if (call->text[0] == '\0') {
        engine->held_count = 0;
        return true;
    }
    const size_t place = read_name(call->text, name) ? find_held(engine, name) : engine->held_count;
    if (place == engine->held_count) {
        return false;
    }
    engine->held[place] = engine->held[--engine->held_count];
    return true;
}

const struct rend_held *engine_held(const struct engine *engine, size_t *count)
{
    *count = engine->held_count;
    return engine->held;
}

static bool obey_adjust(struct engine *engine, const struct engine_call *call)
{
    return engine_tweaks_adjust(&engine->state.tweaks, engine->show, call);
}

static bool obey_undo(struct engine *engine, const struct engine_call *call)
{
    (void)call;
    return engine_tweaks_undo(&engine->state.tweaks, engine->show);
}

static bool obey_redo(struct engine *engine, const struct engine_call *call)
{
    (void)call;
    return engine_tweaks_redo(&engine->state.tweaks, engine->show);
}

static double tell_nothing(const struct engine *engine)
{
    (void)engine;
    return 0;
}

static double tell_random(const struct engine *engine)
{
    return engine->state.random;
}

static double tell_lock(const struct engine *engine)
{
    return engine->state.locked;
}

static double tell_advance(const struct engine *engine)
{
    return engine->state.vj.advance;
}

static double tell_vary(const struct engine *engine)
{
    return engine->state.vj.vary;
}

static double tell_hard(const struct engine *engine)
{
    return engine->state.vj.hard;
}

static double tell_cut_on_beat(const struct engine *engine)
{
    return engine->state.vj.beats;
}

static double tell_cut_on_loud(const struct engine *engine)
{
    return engine->state.cut_on_loud;
}

static double tell_wait_beats(const struct engine *engine)
{
    return engine->state.wait_beats;
}

static double tell_tempo(const struct engine *engine)
{
    return engine->state.tempo.sources[ENGINE_TEMPO_TAP].bpm;
}

static double tell_nudge(const struct engine *engine)
{
    return engine->state.tempo.nudge / milliseconds;
}

static double tell_blend(const struct engine *engine)
{
    return engine->state.blend;
}

static double tell_blackout(const struct engine *engine)
{
    return engine->state.blackout;
}

static double tell_freeze(const struct engine *engine)
{
    return engine->state.frozen;
}

static const struct {
    obey_function *obey;
    tell_function *tell;
} handlers[ENGINE_COMMAND_ADJUST_FIRST] = {
#define ENGINE_COMMAND(id, name, group, argument, low, high, keys, help, needs, obey, tell)        \
    [ENGINE_COMMAND_##id] = {obey, tell},
#include "engine/commands.def"
};

bool engine_obey(struct engine *engine, const struct engine_call *call)
{
    if (call->command == ENGINE_COMMAND_NONE || call->command >= ENGINE_COMMAND_COUNT) {
        return false;
    }
    engine_tell_watcher(engine, &(struct engine_told){.kind = ENGINE_TOLD_OBEY, .call = call});
    engine->inside++;
    const bool done = call->command >= ENGINE_COMMAND_ADJUST_FIRST
                          ? obey_adjust(engine, call)
                          : handlers[call->command].obey(engine, call);
    engine->inside--;
    return done;
}

bool engine_tells(unsigned command)
{
    return engine_adjust_of(command) != NULL ||
           (command != ENGINE_COMMAND_NONE && command < ENGINE_COMMAND_ADJUST_FIRST &&
            handlers[command].tell != tell_nothing);
}

double engine_tell(const struct engine *engine, unsigned command)
{
    const struct engine_adjust_row *row = engine_adjust_of(command);
    double value = 0;
    if (row != NULL) {
        (void)engine_look(engine, base_span_of(row->key), &value);
        return value;
    }
    return command != ENGINE_COMMAND_NONE && command < ENGINE_COMMAND_COUNT
               ? handlers[command].tell(engine)
               : 0;
}

bool engine_put(struct engine *engine, struct base_span key, double value)
{
    engine_tell_watcher(engine,
                        &(struct engine_told){.kind = ENGINE_TOLD_PUT, .key = key, .value = value});
    return engine_tweaks_put(&engine->state.tweaks, engine->show, key, value);
}

bool engine_look(const struct engine *engine, struct base_span key, double *value)
{
    const struct preset_key *row = preset_key_find(key);
    const struct rend *front = rend_show_front(engine->show);
    if (row == NULL || front == NULL) {
        return false;
    }
    *value = rend_value(front, (size_t)(row - preset_keys));
    return true;
}
