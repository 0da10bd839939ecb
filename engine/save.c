/* A show in its course as bytes: its course first, then rend_show_save. */
#include <math.h>
#include <string.h>

#include "engine/inside.h"

static const double LARGE = 1e12;
enum { FRAMES = 1000 * 1000 * 1000 };

static const uint64_t STEPS = UINT64_C(1) << 40;

static void walk_auto(struct engine_bytes *bytes, struct engine_auto_vj *vj)
{
    uint64_t beats = vj->beats;
    uint64_t heard = vj->heard;
    engine_bytes_real(bytes, &vj->advance, 0, INFINITY);
    engine_bytes_real(bytes, &vj->vary, 0, INFINITY);
    engine_bytes_real(bytes, &vj->due, -LARGE, INFINITY);
    engine_bytes_number(bytes, &beats, UINT32_MAX);
    engine_bytes_number(bytes, &heard, UINT32_MAX);
    engine_bytes_flag(bytes, &vj->hard);
    engine_bytes_number(bytes, &vj->rng.state, UINT64_MAX);
    engine_bytes_number(bytes, &vj->rng.stream, UINT64_MAX);
    vj->beats = (unsigned)beats;
    vj->heard = (unsigned)heard;
}

static void walk_line(struct engine_bytes *bytes, struct engine_tempo *tempo)
{
    engine_bytes_real(bytes, &tempo->bpm, 0, ENGINE_TEMPO_MAX);
    engine_bytes_real(bytes, &tempo->beats, -LARGE, LARGE);
    engine_bytes_real(bytes, &tempo->at, -LARGE, LARGE);
    engine_bytes_flag(bytes, &tempo->runs);
}

static void walk_source(struct engine_bytes *bytes, enum engine_tempo_source *source)
{
    uint64_t number = *source;
    engine_bytes_number(bytes, &number, ENGINE_TEMPO_SOURCES);
    *source = (enum engine_tempo_source)number;
}

static void walk_tempo(struct engine_bytes *bytes, struct engine_tempo_clock *clock)
{
    struct engine_tap *tap = &clock->tap;
    uint64_t taps = tap->count;
    for (size_t i = 0; i < ENGINE_TEMPO_SOURCES; i++) {
        walk_line(bytes, &clock->sources[i]);
    }
    engine_bytes_number(bytes, &taps, ENGINE_TAP_KEPT);
    for (size_t i = 0; i < ENGINE_TAP_KEPT; i++) {
        engine_bytes_real(bytes, &tap->time[i], -LARGE, LARGE);
    }
    engine_bytes_real(bytes, &tap->period, 0, LARGE);
    engine_bytes_real(bytes, &tap->beat, -LARGE, LARGE);
    engine_bytes_real(bytes, &tap->at, -LARGE, LARGE);
    walk_source(bytes, &clock->choice);
    walk_source(bytes, &clock->drives);
    engine_bytes_real(bytes, &clock->nudge, -1, 1);
    engine_bytes_flag(bytes, &clock->given);
    walk_line(bytes, &clock->now);
    tap->count = (uint32_t)taps;
}

static void walk(struct engine_bytes *bytes, struct engine_state *state)
{
    uint64_t ahead = (uint64_t)(state->steps_ahead + (int64_t)STEPS);
    uint64_t asked = state->steps_asked;
    uint64_t beats = state->beats;
    uint64_t wait = state->wait_beats;
    walk_auto(bytes, &state->vj);
    walk_tempo(bytes, &state->tempo);
    engine_bytes_number(bytes, &wait, UINT32_MAX);
    engine_bytes_real(bytes, &state->waited, -LARGE, LARGE);
    engine_bytes_real(bytes, &state->waited_at, -LARGE, LARGE);
    engine_bytes_flag(bytes, &state->wait_over);
    engine_bytes_real(bytes, &state->loud.lowest, -LARGE, LARGE);
    engine_bytes_real(bytes, &state->loud.threshold, -LARGE, LARGE);
    engine_bytes_number(bytes, &state->loud.frames, STEPS);
    engine_bytes_real(bytes, &state->cut_on_loud, 0, LARGE);
    engine_bytes_real(bytes, &state->blend, 0, LARGE);
    engine_bytes_real(bytes, &state->now, 0, LARGE);
    engine_bytes_real(bytes, &state->held_until, 0, LARGE);
    engine_bytes_number(bytes, &state->frame, FRAMES);
    engine_bytes_number(bytes, &state->step, STEPS);
    engine_bytes_number(bytes, &state->heard_step, STEPS);
    engine_bytes_number(bytes, &ahead, 2 * STEPS);
    engine_bytes_number(bytes, &asked, ENGINE_CALL_NUMBER_MAX);
    engine_bytes_number(bytes, &beats, UINT32_MAX);
    engine_bytes_flag(bytes, &state->is_loud);
    engine_bytes_flag(bytes, &state->locked);
    engine_bytes_flag(bytes, &state->random);
    engine_bytes_flag(bytes, &state->frozen);
    engine_bytes_flag(bytes, &state->blackout);
    state->steps_ahead = (int64_t)ahead - (int64_t)STEPS;
    state->steps_asked = (unsigned)asked;
    state->beats = (unsigned)beats;
    state->wait_beats = (unsigned)wait;
}

size_t engine_save_size(const struct engine *engine)
{
    struct engine_state state = engine->state;
    struct engine_bytes bytes = {.to = NULL};
    walk(&bytes, &state);
    return bytes.at + rend_show_save_size(engine->show);
}

size_t engine_save(const struct engine *engine, void *to, size_t size)
{
    struct engine_state state = engine->state;
    struct engine_bytes bytes = {.to = to, .size = size};
    if (size < engine_save_size(engine)) {
        return 0;
    }
    walk(&bytes, &state);
    return bytes.at + rend_show_save(engine->show, bytes.to + bytes.at, size - bytes.at);
}

/* The steps are those of the frame, so that the next one makes no more than its own. */
static bool is_in_step(const struct engine *engine, const struct engine_state *state)
{
    const int64_t clock = (int64_t)engine_clock(engine, state->frame);
    const int64_t by_step = (int64_t)state->step - state->steps_ahead;
    return by_step >= clock - 1 && by_step <= clock &&
           (!engine->setup.exact || (int64_t)state->heard_step == clock);
}

static bool read_state(const struct engine *engine, struct engine_bytes *bytes,
                       struct engine_state *state, const struct base_diag_sink *sink)
{
    walk(bytes, state);
    bytes->bad = bytes->bad || !is_in_step(engine, state);
    if (bytes->bad) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, "the show goes on as it was",
                    "the saved state is cut off, or not a state");
    }
    return !bytes->bad;
}

int engine_saved_cues(const struct engine *engine, const void *from, size_t size,
                      struct rend_saved_cue saved[REND_ROLES], const struct base_diag_sink *sink)
{
    struct engine_bytes bytes = {.from = from, .size = size};
    struct engine_state state = {.step = 0};
    return read_state(engine, &bytes, &state, sink)
               ? rend_show_saved_cues(bytes.from + bytes.at, size - bytes.at, saved, sink)
               : -1;
}

int engine_restore(struct engine *engine, struct rend_cue *const cues[REND_ROLES], const void *from,
                   size_t size, const struct base_diag_sink *sink)
{
    struct engine_bytes bytes = {.from = from, .size = size};
    struct engine_state state = engine->state;
    if (!read_state(engine, &bytes, &state, sink) ||
        rend_show_restore(engine->show, cues, bytes.from + bytes.at, size - bytes.at, sink) != 0) {
        return -1;
    }
    engine->state = state;
    engine_tweaks_forget(&engine->state.tweaks);
    engine_tell_watcher(engine, &(struct engine_told){.kind = ENGINE_TOLD_RESTORE});
    return 0;
}

/* ---- beside the state ---- */

static void walk_held(struct engine_bytes *bytes, struct rend_held *held, size_t *count,
                      size_t most)
{
    uint64_t number = *count;
    engine_bytes_number(bytes, &number, most);
    for (size_t i = 0; i < number && !bytes->bad; i++) {
        struct base_span name = {held[i].name, strnlen(held[i].name, sizeof held[i].name)};
        engine_bytes_text(bytes, &name, sizeof held[i].name - 1);
        engine_bytes_real(bytes, &held[i].value, -INFINITY, INFINITY);
        if (bytes->from != NULL && !bytes->bad) {
            memset(held[i].name, 0, sizeof held[i].name);
            memcpy(held[i].name, name.data, name.size);
        }
    }
    *count = (size_t)number;
}

static void walk_tweaks(struct engine_bytes *bytes, struct engine_tweaks *tweaks)
{
    uint64_t count = tweaks->count;
    uint64_t done = tweaks->done;
    engine_bytes_number(bytes, &count, ENGINE_TWEAKS_DEPTH);
    engine_bytes_number(bytes, &done, count);
    for (size_t i = 0; i < count && !bytes->bad; i++) {
        struct engine_tweak *tweak = &tweaks->items[i];
        uint64_t key = tweak->key;
        engine_bytes_number(bytes, &key, PRESET_KEY_ROWS - 1);
        engine_bytes_real(bytes, &tweak->before, -INFINITY, INFINITY);
        engine_bytes_real(bytes, &tweak->after, -INFINITY, INFINITY);
        engine_bytes_flag(bytes, &tweak->by_set);
        tweak->key = (size_t)key;
    }
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        engine_bytes_flag(bytes, &tweaks->forgotten[i]);
    }
    tweaks->count = (size_t)count;
    tweaks->done = (size_t)done;
}

static void walk_kept(struct engine_bytes *bytes, struct engine_kept *kept)
{
    struct base_span levels = {(const char *)kept->dmx, sizeof kept->dmx};
    engine_bytes_text(bytes, &levels, sizeof kept->dmx);
    bytes->bad = bytes->bad || levels.size != sizeof kept->dmx;
    if (bytes->from != NULL && !bytes->bad) {
        memcpy(kept->dmx, levels.data, sizeof kept->dmx);
    }
    walk_held(bytes, kept->held, &kept->held_count, ENGINE_HELD_MAX);
    walk_held(bytes, kept->controls, &kept->control_count, ENGINE_CONTROLS_MAX);
    walk_tweaks(bytes, &kept->tweaks);
    for (size_t i = 0; i < REND_SHADER_STAGES; i++) {
        uint64_t divisor = (uint64_t)kept->divisors[i];
        engine_bytes_number(bytes, &divisor, REND_DIVISOR_MAX);
        bytes->bad = bytes->bad || divisor < 1;
        kept->divisors[i] = (int)divisor;
    }
}

size_t engine_kept_save(const struct engine_kept *kept, void *to, size_t size)
{
    struct engine_kept copy = *kept;
    struct engine_bytes bytes = {.to = to, .size = size};
    walk_kept(&bytes, &copy);
    return bytes.bad ? 0 : bytes.at;
}

int engine_kept_read(struct engine_kept *kept, const void *from, size_t size, size_t *used)
{
    struct engine_bytes bytes = {.from = from, .size = size};
    memset(kept, 0, sizeof *kept);
    walk_kept(&bytes, kept);
    *used = bytes.at;
    return bytes.bad ? -1 : 0;
}
