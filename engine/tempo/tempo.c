#include "engine/tempo/tempo.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>

static const char *const names[ENGINE_TEMPO_SOURCES + 1] = {
#define ENGINE_TEMPO_SOURCE(id, name, help) name,
#include "engine/tempo/sources.def"
    "auto",
};

const char *engine_tempo_name(enum engine_tempo_source source)
{
    return names[source];
}

bool engine_tempo_by_name(struct base_span name, enum engine_tempo_source *source)
{
    for (size_t i = 0; i <= ENGINE_TEMPO_SOURCES; i++) {
        if (base_span_equal_nocase(name, base_span_of(names[i]))) {
            *source = (enum engine_tempo_source)i;
            return true;
        }
    }
    return false;
}

double engine_tempo_beats(const struct engine_tempo *tempo, double time)
{
    return tempo->runs ? tempo->beats + (time - tempo->at) * (tempo->bpm / 60) : tempo->beats;
}

bool engine_tempo_pulse(const struct engine_tempo *tempo, double after, double *due,
                        int64_t *number)
{
    if (!(tempo->bpm > 0) || !tempo->runs) {
        return false;
    }
    const double pulses = tempo->bpm / 60 * ENGINE_TEMPO_PULSES;
    const double next = floor(engine_tempo_beats(tempo, after) * ENGINE_TEMPO_PULSES) + 1;
    const double time = tempo->at + (next - tempo->beats * ENGINE_TEMPO_PULSES) / pulses;
    /* One that is due at `after` itself may come out a rounding behind it. */
    const bool same = time - after < 1e-6;
    *due = same ? time + 1 / pulses : time;
    *number = (int64_t)next + same;
    return true;
}

void engine_tempo_begin(struct engine_tempo_clock *clock)
{
    *clock =
        (struct engine_tempo_clock){.choice = ENGINE_TEMPO_SOURCES, .drives = ENGINE_TEMPO_SOURCES};
}

static const double far = 1e12; /* positions and times within which a source is believed */

void engine_tempo_set(struct engine_tempo_clock *clock, enum engine_tempo_source source,
                      const struct engine_tempo *tempo)
{
    const bool there = tempo != NULL && tempo->bpm >= ENGINE_TEMPO_MIN &&
                       tempo->bpm <= ENGINE_TEMPO_MAX && fabs(tempo->beats) < far &&
                       fabs(tempo->at) < far;
    clock->sources[source] = there ? *tempo : (struct engine_tempo){.bpm = 0};
}

bool engine_tempo_tap(struct engine_tempo_clock *clock, double now)
{
    if (!engine_tap_take(&clock->tap, now)) {
        return false;
    }
    const struct engine_tap *tap = &clock->tap;
    const struct engine_tempo tempo = {60 / tap->period, tap->beat, tap->at, true};
    engine_tempo_set(clock, ENGINE_TEMPO_TAP, &tempo);
    return true;
}

void engine_tempo_by_hand(struct engine_tempo_clock *clock, double bpm, double now)
{
    const double beats = engine_tempo_beats(&clock->now, now - clock->nudge);
    const struct engine_tempo tempo = {bpm, beats, now, true};
    engine_tempo_set(clock, ENGINE_TEMPO_TAP, &tempo);
}

/* One that was chosen drives also while it stands. */
static enum engine_tempo_source driver(const struct engine_tempo_clock *clock)
{
    const struct engine_tempo *sources = clock->sources;
    if (clock->choice < ENGINE_TEMPO_SOURCES && sources[clock->choice].bpm > 0) {
        return clock->choice;
    }
    size_t source = 0;
    while (source < ENGINE_TEMPO_SOURCES && !(sources[source].bpm > 0 && sources[source].runs)) {
        source++;
    }
    return (enum engine_tempo_source)source;
}

static const double pull = 0.5;    /* of the tempo, by which the beat runs faster or slower */
static const double enough = 1e-6; /* beats by which two agree */

/* Goes on from where it was towards the line of the source, at once or by `pull` at most; returns
 * by how much it is still beside. */
static double follow(struct engine_tempo *now, const struct engine_tempo *source, double time,
                     double nudge, bool at_once)
{
    const double target = engine_tempo_beats(source, time - nudge);
    const double way = source->runs ? (time - now->at) * (source->bpm / 60) : 0;
    const double beside = remainder(target - (now->beats + way), ENGINE_TEMPO_BAR);
    const double most = at_once ? ENGINE_TEMPO_BAR : pull * way;
    const double step = fmin(fmax(beside, -most), most);
    now->beats += way + step;
    return beside - step;
}

struct engine_tempo_beat engine_tempo_step(struct engine_tempo_clock *clock, double time)
{
    struct engine_tempo *now = &clock->now;
    const double before = floor(now->beats);
    const bool began = now->bpm > 0;
    const bool was_own = clock->drives == ENGINE_TEMPO_HEARD && !clock->given;
    time = fmax(time, now->at);
    clock->drives = driver(clock);
    clock->given = false;
    if (clock->drives == ENGINE_TEMPO_SOURCES) {
        now->bpm = 0;
        now->at = time;
        return (struct engine_tempo_beat){.given = false};
    }
    const struct engine_tempo *source = &clock->sources[clock->drives];
    /* What is heard is heard by the renderer itself, once both agree. */
    const bool own = clock->drives == ENGINE_TEMPO_HEARD && clock->nudge == 0;
    double beside = 0;
    if (began) {
        beside = follow(now, source, time, clock->nudge, own && was_own);
    } else {
        const double target = engine_tempo_beats(source, time - clock->nudge);
        const double bars = ceil((now->beats - target) / ENGINE_TEMPO_BAR);
        now->beats = target + bars * ENGINE_TEMPO_BAR;
    }
    now->bpm = source->bpm;
    now->runs = source->runs;
    now->at = time;
    clock->given = !(own && fabs(beside) < enough);
    const double passed = clock->given && began ? floor(now->beats) - before : 0;
    return (struct engine_tempo_beat){.given = clock->given,
                                      .bpm = now->bpm,
                                      .beats = now->beats,
                                      .passed = (unsigned)fmin(passed, INT_MAX)};
}
