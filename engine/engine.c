#include "engine/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool make_pictures(struct engine *engine, int width, int height)
{
    const size_t pixels = (size_t)width * (size_t)height;
    if (!engine->setup.steps.blends) {
        return true;
    }
    uint32_t *newest = calloc(pixels, sizeof *newest);
    uint32_t *former = calloc(pixels, sizeof *former);
    if (newest == NULL || former == NULL) {
        free(newest);
        free(former);
        return false;
    }
    free(engine->newest);
    free(engine->former);
    engine->newest = newest;
    engine->former = former;
    return true;
}

struct engine *engine_create(const struct engine_setup *setup)
{
    struct engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL) {
        return NULL;
    }
    engine->setup = *setup;
    engine->sample_most =
        setup->exact ? (size_t)engine_rate_samples(setup->steps.steps, 1) + 1 : ENGINE_SOUND_KEPT;
    engine->samples = calloc(engine->sample_most, 2 * sizeof *engine->samples);
    engine->show = rend_show_create(&setup->config);
    if (engine->samples == NULL || engine->show == NULL ||
        !make_pictures(engine, setup->config.width, setup->config.height)) {
        engine_free(engine);
        return NULL;
    }
    rend_show_set_divisors(engine->show, setup->divisors);
    struct engine_state *state = &engine->state;
    const struct engine_wishes *wishes = &setup->wishes;
    engine_auto_begin(&state->vj, wishes->advance, wishes->vary, setup->config.seed);
    state->vj.beats = wishes->cut_on_beat;
    state->vj.hard = wishes->hard;
    state->random = wishes->random;
    state->blend = wishes->blend;
    engine_tempo_begin(&state->tempo);
    state->cut_on_loud = wishes->cut_on_loud;
    rend_loud_start(&state->loud, wishes->cut_on_loud > 0 ? wishes->cut_on_loud : 1);
    return engine;
}

void engine_tell_watcher(const struct engine *engine, const struct engine_told *told)
{
    const struct engine_watcher *watcher = &engine->setup.watcher;
    if (watcher->told != NULL && engine->inside == 0) {
        watcher->told(watcher->user, told);
    }
}

static void tell(const struct engine *engine, struct engine_told told)
{
    engine_tell_watcher(engine, &told);
}

void engine_end(struct engine *engine)
{
    rend_show_end(engine->show);
}

void engine_free(struct engine *engine)
{
    if (engine != NULL) {
        rend_show_free(engine->show);
        free(engine->newest);
        free(engine->former);
        free(engine->samples);
        free(engine);
    }
}

const struct rend_show *engine_show(const struct engine *engine)
{
    return engine->show;
}

const struct engine_state *engine_state(const struct engine *engine)
{
    return &engine->state;
}

void engine_set_divisors(struct engine *engine, const int divisors[REND_SHADER_STAGES])
{
    tell(engine, (struct engine_told){.kind = ENGINE_TOLD_DIVISORS, .divisors = divisors});
    memcpy(engine->setup.divisors, divisors, sizeof engine->setup.divisors);
    rend_show_set_divisors(engine->show, divisors);
}

/* ---- presets come and go ---- */

void engine_take(struct engine *engine, struct rend_cue *cue, double seconds, bool again)
{
    tell(engine, (struct engine_told){
                     .kind = ENGINE_TOLD_TAKE, .cue = cue, .seconds = seconds, .again = again});
    rend_show_take(engine->show, cue);
    if (again) {
        engine_tweaks_again(&engine->state.tweaks, engine->show);
    } else {
        engine->state.held_until = 0;
        engine_auto_shown(&engine->state.vj, engine->state.now, seconds);
        engine_tweaks_forget(&engine->state.tweaks);
    }
}

struct rend_cue *engine_retired(struct engine *engine)
{
    return rend_show_retired(engine->show);
}

bool engine_resize(struct engine *engine, int width, int height, struct rend_cue *cue)
{
    struct rend_config config = engine->setup.config;
    config.width = width;
    config.height = height;
    struct rend_show *show = rend_show_create(&config);
    if (show == NULL || !make_pictures(engine, width, height)) {
        rend_show_free(show);
        return false;
    }
    tell(engine, (struct engine_told){
                     .kind = ENGINE_TOLD_RESIZE, .width = width, .height = height, .cue = cue});
    rend_show_set_divisors(show, engine->setup.divisors);
    if (cue != NULL) {
        rend_show_take(show, cue);
        engine_tweaks_again(&engine->state.tweaks, show);
    }
    engine->setup.config = config;
    rend_show_follow(show, engine->show);
    rend_show_free(engine->show);
    engine->show = show;
    return true;
}

bool engine_stays(const struct engine *engine)
{
    const struct engine_supply *supply = &engine->setup.supply;
    return engine->state.locked || engine->state.frozen || supply->step == NULL ||
           (supply->alone != NULL && supply->alone(supply->user));
}

void engine_wait_anew(struct engine *engine)
{
    tell(engine, (struct engine_told){.kind = ENGINE_TOLD_WAIT_ANEW});
    engine_auto_shown(&engine->state.vj, engine->state.now, -1);
}

void engine_step_presets(struct engine *engine, int steps, bool hard)
{
    tell(engine, (struct engine_told){.kind = ENGINE_TOLD_PRESETS, .steps = steps, .hard = hard});
    engine->inside++;
    engine_wait_anew(engine);
    if (engine->setup.supply.step != NULL) {
        engine->setup.supply.step(engine->setup.supply.user, steps, hard);
    }
    engine->inside--;
}

/* ---- the beat ---- */

void engine_set_tempo(struct engine *engine, enum engine_tempo_source source, double bpm,
                      double beats, bool runs)
{
    tell(
        engine,
        (struct engine_told){
            .kind = ENGINE_TOLD_TEMPO, .source = source, .bpm = bpm, .beats = beats, .runs = runs});
    const struct engine_tempo tempo = {bpm, beats, engine->state.now, runs};
    engine_tempo_set(&engine->state.tempo, source, &tempo);
    engine->said |= 1u << source;
}

static const double patience = 2.5; /* of the time that the beats should take */
static const double patience_most = 30;

/* Whether changes of presets that wait come in this frame. */
static void watch_beats(struct engine_state *state)
{
    const struct engine_tempo *beat = &state->tempo.now;
    const double bound = patience * 60 * state->wait_beats / beat->bpm;
    const double reached =
        floor((engine_tempo_beats(beat, state->now) + 1e-9) / fmax(state->wait_beats, 1));
    state->wait_over = state->wait_beats == 0 || !(beat->bpm > 0) || !beat->runs ||
                       reached > state->waited ||
                       state->now - state->waited_at > fmin(bound, patience_most);
    if (state->wait_over) {
        state->waited = reached;
        state->waited_at = state->now;
    }
}

bool engine_waits(const struct engine *engine)
{
    return !engine->state.wait_over && engine->state.now >= engine->state.held_until;
}

void engine_reach(struct engine *engine, double now)
{
    tell(engine, (struct engine_told){.kind = ENGINE_TOLD_REACH, .seconds = now});
    struct engine_state *state = &engine->state;
    state->passed = now - state->now;
    state->now = now;
    for (unsigned source = 0; source < ENGINE_TEMPO_SOURCES; source++) {
        if ((engine->said & 1u << source) != 0) {
            state->tempo.sources[source].at = now;
        }
    }
    engine->said = 0;
    watch_beats(state);
}

/* Of the step that is drawn `behind` steps before the one of this frame. */
static struct rend_tempo tempo_of(struct engine *engine, uint64_t behind)
{
    struct engine_tempo_clock *clock = &engine->state.tempo;
    const struct rend *front = rend_show_front(engine->show);
    if (front != NULL) {
        const struct rend_tempo own = rend_own_beat(front);
        const struct engine_tempo heard = {own.bpm, own.beats, clock->now.at, true};
        engine_tempo_set(clock, ENGINE_TEMPO_HEARD, &heard);
    }
    const double before = (double)behind / engine_rate_value(engine->setup.steps.steps);
    const struct engine_tempo_beat beat = engine_tempo_step(clock, engine->state.now - before);
    return beat.given ? (struct rend_tempo){true, beat.bpm, beat.beats, beat.passed}
                      : (struct rend_tempo){.given = false};
}

void engine_advance(struct engine *engine)
{
    tell(engine, (struct engine_told){.kind = ENGINE_TOLD_ADVANCE});
    struct engine_state *state = &engine->state;
    const unsigned beats = state->beats;
    const bool is_loud = state->is_loud;
    state->beats = 0;
    state->is_loud = false;
    if (state->frozen) {
        engine_auto_wait(&state->vj, state->passed);
    }
    if (rend_show_front(engine->show) == NULL || engine_stays(engine)) {
        return;
    }
    const enum engine_auto_change change = engine_auto_step(&state->vj, state->now, beats, is_loud);
    if (change != ENGINE_AUTO_STAY) {
        engine->inside++;
        engine_step_presets(engine, 1, change == ENGINE_AUTO_HARD);
        engine->inside--;
    }
}

void engine_set_dmx(struct engine *engine, const uint8_t *levels, size_t count)
{
    tell(engine, (struct engine_told){.kind = ENGINE_TOLD_DMX, .levels = levels, .count = count});
    const size_t taken = count < sizeof engine->dmx ? count : sizeof engine->dmx;
    if (taken > 0) {
        memcpy(engine->dmx, levels, taken);
    }
    memset(engine->dmx + taken, 0, sizeof engine->dmx - taken);
}

void engine_set_controls(struct engine *engine, const struct rend_held *controls, size_t count)
{
    tell(engine,
         (struct engine_told){.kind = ENGINE_TOLD_CONTROLS, .controls = controls, .count = count});
    engine->control_count = count < ENGINE_CONTROLS_MAX ? count : ENGINE_CONTROLS_MAX;
    if (engine->control_count > 0) {
        memcpy(engine->controls, controls, engine->control_count * sizeof *controls);
    }
}

void engine_hold(struct engine *engine, double until)
{
    tell(engine, (struct engine_told){.kind = ENGINE_TOLD_HOLD, .seconds = until});
    engine->state.held_until = until;
}

/* ---- steps and frames ---- */

static void count_loud(struct engine_state *state, const struct rend_show *show, size_t heard)
{
    const struct rend *front = rend_show_front(show);
    if (front == NULL) {
        return;
    }
    const struct rend_heard now = rend_heard(front);
    state->beats += now.beats;
    if (state->cut_on_loud > 0 && heard > 0) {
        const double fps = (double)ENGINE_SOUND_RATE / (double)heard;
        state->is_loud = rend_loud_step(&state->loud, now.level, fps) || state->is_loud;
    }
}

static unsigned make_step(struct engine *engine, const struct rend_input *input, uint32_t *pixels,
                          size_t stride)
{
    if (engine->setup.steps.blends) {
        uint32_t *newest = engine->former;
        engine->former = engine->newest;
        engine->newest = newest;
        pixels = newest;
        stride = (size_t)engine->setup.config.width;
    }
    const unsigned events = rend_show_step(engine->show, input, pixels, stride);
    tell(engine, (struct engine_told){.kind = ENGINE_TOLD_STEP});
    if (engine->setup.stepped != NULL) {
        engine->setup.stepped(engine->setup.user, events);
    }
    count_loud(&engine->state, engine->show, input->audio_frames);
    return events;
}

static struct rend_input input_of(struct engine *engine, uint64_t step)
{
    memcpy(engine->controls + engine->control_count, engine->held,
           engine->held_count * sizeof *engine->held);
    const struct engine_rate rate = engine->setup.steps.steps;
    return (struct rend_input){.frame = step,
                               .time = engine_rate_seconds(rate, step),
                               .fps = engine_rate_value(rate),
                               .audio = engine->samples,
                               .dmx = engine->dmx,
                               .held = engine->controls,
                               .held_count = engine->control_count + engine->held_count,
                               .may_stay = engine->may_stay && !engine->setup.steps.blends};
}

void engine_let_stay(struct engine *engine, bool may, bool wanted)
{
    engine->may_stay = may;
    engine->wanted = wanted;
}

bool engine_picture_stays(const struct engine *engine)
{
    return rend_show_stays(engine->show);
}

void engine_fetch(struct engine *engine, uint32_t *pixels, size_t stride)
{
    rend_show_fetch(engine->show, pixels, stride);
}

struct rend_device_shown engine_shown(const struct engine *engine)
{
    return rend_show_shown(engine->show);
}

static size_t hear(const struct engine *engine, uint64_t due, size_t most)
{
    const struct engine_ear *ear = &engine->setup.ear;
    return ear->hear != NULL ? ear->hear(ear->user, due, engine->samples, most) : 0;
}

static const double gap_seconds = 0.5; /* a sound that comes in pieces has none that is longer */

/* What came from the sound since the last time, however much it is. A sound that has stopped is
 * silence: without it, waves and levels would stay for ever as they were in its last moment. That
 * silence is no part of what is told, since who hears the same again makes it again. */
static size_t hear_all(struct engine *engine, uint64_t last, uint64_t clock)
{
    struct engine_state *state = &engine->state;
    const struct engine_rate rate = engine->setup.steps.steps;
    size_t count = hear(engine, engine_rate_samples(rate, last), engine->sample_most);
    engine->heard = count;
    if (count > 0) {
        state->heard_step = clock;
    } else if (state->heard_step > 0 &&
               (double)clock > (double)state->heard_step + gap_seconds * engine_rate_value(rate)) {
        const uint64_t passed = engine_rate_samples(rate, clock) -
                                engine_rate_samples(rate, engine_clock(engine, state->frame));
        count = passed < engine->sample_most ? (size_t)passed : engine->sample_most;
        memset(engine->samples, 0, 2 * count * sizeof *engine->samples);
    }
    engine->sample_count = count;
    return count;
}

/* Makes the steps up to `last`, which share what is heard. Without a step it waits, but for a
 * picture that stands still, whose show listens on. Steps behind one that costs too much are only
 * heard: the frame would be late. So are those of a preset that is left for it, until the next is
 * there. Returns how many steps were made. */
static unsigned make_steps(struct engine *engine, uint64_t last, uint64_t clock, uint32_t *pixels,
                           size_t stride)
{
    struct engine_state *state = &engine->state;
    const uint64_t steps = last > state->step ? last - state->step : 0;
    if (steps == 0 && !state->frozen) {
        return 0;
    }
    const size_t heard = hear_all(engine, last, clock);
    if (steps == 0) {
        struct rend_input input = input_of(engine, last);
        input.audio_frames = heard;
        input.tempo = tempo_of(engine, 0);
        rend_show_hear(engine->show, &input);
    }
    unsigned events = 0;
    for (uint64_t made = 0; made < steps; made++) {
        state->step++;
        const uint64_t from = heard * made / steps;
        struct rend_input input = input_of(engine, state->step);
        input.wanted = engine->wanted && made + 1 == steps;
        input.audio = engine->samples + 2 * from;
        input.audio_frames = heard * (made + 1) / steps - from;
        input.tempo = tempo_of(engine, steps - 1 - made);
        if ((events & REND_EVENTS_COSTLY) != 0 || state->now < state->held_until) {
            rend_show_hear(engine->show, &input);
        } else {
            events = make_step(engine, &input, pixels, stride);
        }
    }
    return (unsigned)steps;
}

/* The samples of a step of the clock; behind the end of the sound there is silence. */
static size_t hear_step(struct engine *engine)
{
    const struct engine_rate rate = engine->setup.steps.steps;
    const uint64_t before = engine_rate_samples(rate, engine->state.heard_step);
    const uint64_t due = engine_rate_samples(rate, ++engine->state.heard_step);
    const size_t count = (size_t)(due - before);
    const size_t got = hear(engine, due, count);
    memset(engine->samples + 2 * got, 0, 2 * (count - got) * sizeof *engine->samples);
    engine->sample_count = count;
    return count;
}

/* Makes the steps up to `last`, each of which hears the samples of its time. Those of a picture
 * that stands still are heard, and steps that are asked for then hear nothing. Returns how many
 * steps were made. */
static unsigned make_exact_steps(struct engine *engine, uint64_t last, uint64_t clock,
                                 uint32_t *pixels, size_t stride)
{
    struct engine_state *state = &engine->state;
    const uint64_t steps = last > state->step ? last - state->step : 0;
    while (state->frozen && state->heard_step < clock) {
        struct rend_input input = input_of(engine, state->step);
        input.audio_frames = hear_step(engine);
        input.tempo = tempo_of(engine, clock - state->heard_step);
        rend_show_hear(engine->show, &input);
    }
    for (uint64_t made = 0; made < steps; made++) {
        const size_t heard = state->heard_step < clock ? hear_step(engine) : 0;
        struct rend_input input = input_of(engine, ++state->step);
        input.wanted = engine->wanted && made + 1 == steps;
        input.audio_frames = heard;
        input.tempo = tempo_of(engine, steps - 1 - made);
        (void)make_step(engine, &input, pixels, stride);
    }
    return (unsigned)steps;
}

uint64_t engine_clock(const struct engine *engine, uint64_t frame)
{
    return engine_steps_due(&engine->setup.steps, frame);
}

/* So many steps fit into a frame. */
static uint64_t most_steps(const struct engine *engine)
{
    return (uint64_t)ceil((double)engine_clock(engine, 1) * engine->setup.speed);
}

/* The step of a frame, without those that are left out. */
static uint64_t step_of(const struct engine *engine, uint64_t frame)
{
    const struct engine_state *state = &engine->state;
    if (state->frozen) {
        const uint64_t most = most_steps(engine);
        return state->step + (state->steps_asked < most ? state->steps_asked : most);
    }
    return (uint64_t)((int64_t)engine_clock(engine, frame) + state->steps_ahead);
}

/* Makes the steps up to the one that is due. A picture that stands still takes the steps that were
 * asked for, at the pace of the show, which goes on from there later. */
static unsigned make_due(struct engine *engine, uint64_t frame, uint32_t *pixels, size_t stride)
{
    struct engine_state *state = &engine->state;
    const uint64_t clock = engine_clock(engine, frame);
    const uint64_t due = step_of(engine, frame);
    const uint64_t most = most_steps(engine);
    /* A machine that is late leaves some out. */
    if (!engine->setup.exact && !state->frozen && due > state->step && due - state->step > most) {
        state->step = due - most;
    }
    const unsigned made = engine->setup.exact ? make_exact_steps(engine, due, clock, pixels, stride)
                                              : make_steps(engine, due, clock, pixels, stride);
    if (state->frozen) {
        state->steps_asked -= made;
        state->steps_ahead = (int64_t)state->step - (int64_t)clock;
    }
    return made;
}

static void mix(const struct engine *engine, uint64_t frame, uint32_t *pixels, size_t stride)
{
    const struct rend_config *config = &engine->setup.config;
    const size_t width = (size_t)config->width;
    const unsigned weight = engine_steps_weight(&engine->setup.steps, frame);
    const struct rend_weights weights = rend_weights_even(weight);
    const rend_cross_row cross = rend_cross_for(config->cpu);
    for (size_t y = 0; y < (size_t)config->height; y++) {
        uint32_t *row = pixels + y * stride;
        const uint32_t *newest = engine->newest + y * width;
        if (weight == ENGINE_STEPS_WHOLE) {
            memcpy(row, newest, width * sizeof *row);
        } else {
            cross(row, engine->former + y * width, newest, NULL, width, &weights);
        }
    }
}

unsigned engine_frame(struct engine *engine, uint64_t frame, uint32_t *pixels, size_t stride)
{
    engine->heard = 0;
    const unsigned made = make_due(engine, frame, pixels, stride);
    engine->state.frame = frame;
    if (engine->setup.steps.blends) {
        mix(engine, frame, pixels, stride);
    }
    tell(engine, (struct engine_told){.kind = ENGINE_TOLD_FRAME,
                                      .frame = frame,
                                      .sound = engine->samples,
                                      .count = engine->heard});
    return made;
}

bool engine_draws(const struct engine *engine, uint64_t frame)
{
    return engine->setup.steps.blends || (step_of(engine, frame) > engine->state.step &&
                                          engine->state.now >= engine->state.held_until);
}

void engine_step_more(struct engine *engine)
{
    tell(engine, (struct engine_told){.kind = ENGINE_TOLD_MORE});
    if (engine->state.frozen) {
        engine->state.steps_asked++;
    } else {
        engine->state.steps_ahead++;
    }
}

uint64_t engine_hears(const struct engine *engine, uint64_t frame)
{
    const struct engine_rate rate = engine->setup.steps.steps;
    const uint64_t clock = engine_clock(engine, frame);
    const uint64_t heard = engine->state.heard_step;
    return clock > heard ? engine_rate_samples(rate, clock) - engine_rate_samples(rate, heard) : 0;
}

const float *engine_heard(const struct engine *engine, size_t *count)
{
    *count = engine->sample_count;
    return engine->samples;
}

/* ---- beside the state ---- */

void engine_keep(const struct engine *engine, struct engine_kept *kept)
{
    memcpy(kept->dmx, engine->dmx, sizeof kept->dmx);
    memcpy(kept->held, engine->held, sizeof kept->held);
    kept->held_count = engine->held_count;
    memcpy(kept->controls, engine->controls, sizeof kept->controls);
    kept->control_count = engine->control_count;
    kept->tweaks = engine->state.tweaks;
    memcpy(kept->divisors, engine->setup.divisors, sizeof kept->divisors);
}

void engine_put_back(struct engine *engine, const struct engine_kept *kept)
{
    memcpy(engine->dmx, kept->dmx, sizeof engine->dmx);
    memcpy(engine->held, kept->held, sizeof engine->held);
    engine->held_count = kept->held_count;
    memcpy(engine->controls, kept->controls, sizeof kept->controls);
    engine->control_count = kept->control_count;
    engine->state.tweaks = kept->tweaks;
    memcpy(engine->setup.divisors, kept->divisors, sizeof kept->divisors);
    rend_show_set_divisors(engine->show, kept->divisors);
}

void engine_retime(struct engine *engine, struct engine_rate frames)
{
    const double seconds = engine_rate_seconds(engine->setup.steps.frames, engine->state.frame);
    engine->setup.steps.frames = frames;
    engine->state.frame = (uint64_t)(seconds * engine_rate_value(frames) + 1e-6);
}
