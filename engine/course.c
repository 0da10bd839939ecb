#include "engine/course.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static const double USUAL = 60;

struct engine_steps engine_steps_of(double step_rate, bool blends, struct engine_rate frames)
{
    struct engine_steps steps = {.steps = frames, .frames = frames, .blends = blends};
    /* Presets are made for about 30 or 60 steps a second. */
    const double fps = (double)frames.numerator / frames.denominator;
    const bool usual = fabs(fps / 30 - 1) < 0.01 || fabs(fps / 60 - 1) < 0.01;
    if (step_rate > 0) {
        steps.steps = engine_rate_of(step_rate);
    } else if (!usual) {
        steps.steps = engine_rate_of(USUAL);
    }
    return steps;
}

/* A frame's time in steps is numerator / denominator. */
static uint64_t numerator(const struct engine_steps *steps, uint64_t frame)
{
    return frame * steps->frames.denominator * steps->steps.numerator;
}

static uint64_t denominator(const struct engine_steps *steps)
{
    return (uint64_t)steps->frames.numerator * steps->steps.denominator;
}

uint64_t engine_steps_due(const struct engine_steps *steps, uint64_t frame)
{
    const uint64_t below = denominator(steps);
    return (numerator(steps, frame) + below - 1) / below;
}

unsigned engine_steps_weight(const struct engine_steps *steps, uint64_t frame)
{
    const uint64_t below = denominator(steps);
    const uint64_t rest = numerator(steps, frame) % below;
    const double share = (double)rest / (double)below * ENGINE_STEPS_WHOLE;
    const unsigned weight = (unsigned)(share + 0.5);
    return rest == 0 || !steps->blends ? ENGINE_STEPS_WHOLE : weight > 0 ? weight : 1;
}

static const double USUAL_SECONDS = 2.7;

struct engine_changes engine_changes_of(const char *transition, double seconds, uint64_t seed)
{
    struct engine_changes changes = {.seconds = seconds >= 0 ? seconds : USUAL_SECONDS};
    base_rng_seed(&changes.rng, seed, 3);
    (void)engine_changes_set(&changes, transition != NULL ? transition : "random");
    return changes;
}

bool engine_changes_set(struct engine_changes *changes, const char *name)
{
    const bool random = strcmp(name, "random") == 0;
    const bool cut = strcmp(name, "cut") == 0;
    bool known = random || cut;
    for (int i = 0; i < REND_TRANSITIONS; i++) {
        if (strcmp(name, rend_transition_name((enum rend_transition)i)) == 0) {
            changes->transition = (enum rend_transition)i;
            known = true;
        }
    }
    if (known) {
        changes->random = random;
        changes->cut = cut;
    }
    return known;
}

const char *engine_changes_name(const struct engine_changes *changes)
{
    return changes->random ? "random"
           : changes->cut  ? "cut"
                           : rend_transition_name(changes->transition);
}

void engine_changes_hint(const char *name, char *hint, size_t size)
{
    struct base_closest closest = {0};
    base_closest_try(&closest, name, "random");
    base_closest_try(&closest, name, "cut");
    for (int i = 0; i < REND_TRANSITIONS; i++) {
        base_closest_try(&closest, name, rend_transition_name((enum rend_transition)i));
    }
    base_closest_hint(&closest, "'froth help play' lists them", hint, size);
}

struct rend_change engine_changes_next(struct engine_changes *changes, double longest)
{
    struct rend_change change = {.transition = changes->transition};
    change.seed = base_rng_next(&changes->rng);
    const uint32_t choice = base_rng_next(&changes->rng);
    if (changes->random) {
        change.transition = (enum rend_transition)(choice % REND_TRANSITIONS);
    }
    if (changes->begun && !changes->cut) {
        change.seconds = changes->seconds < longest ? changes->seconds : longest;
    }
    changes->begun = true;
    return change;
}

struct rend_change engine_changes_once(struct engine_changes *changes, const char *transition,
                                       double longest)
{
    struct engine_changes once = *changes;
    if (transition[0] != '\0') {
        (void)engine_changes_set(&once, transition);
    }
    const struct rend_change change = engine_changes_next(&once, longest);
    changes->rng = once.rng;
    changes->begun = once.begun;
    return change;
}

static const double vary_most = 0.9; /* of advance */

void engine_auto_begin(struct engine_auto_vj *vj, double advance, double vary, uint64_t seed)
{
    *vj = (struct engine_auto_vj){.advance = advance};
    vj->vary = fmin(vary, vary_most * advance);
    base_rng_seed(&vj->rng, seed, 5);
    engine_auto_shown(vj, 0, -1);
}

void engine_auto_shown(struct engine_auto_vj *vj, double now, double seconds)
{
    const double chance = base_rng_next(&vj->rng) / 4294967296.0;
    vj->due = now + (seconds > 0 ? seconds : vj->advance + (2 * chance - 1) * vj->vary);
    vj->heard = 0;
}

void engine_auto_wait(struct engine_auto_vj *vj, double seconds)
{
    vj->due += seconds;
}

enum engine_auto_change engine_auto_step(struct engine_auto_vj *vj, double now, unsigned beats,
                                         bool loud)
{
    enum engine_auto_change change = ENGINE_AUTO_STAY;
    if (isinf(vj->due)) {
        return change;
    }
    vj->heard += beats;
    if (loud || (vj->beats > 0 && vj->heard >= vj->beats)) {
        change = ENGINE_AUTO_HARD;
    } else if (now >= vj->due) {
        change = vj->hard ? ENGINE_AUTO_HARD : ENGINE_AUTO_SOFT;
    }
    if (change != ENGINE_AUTO_STAY) {
        vj->due = INFINITY;
        vj->heard = 0;
    }
    return change;
}
