#include "app/loading/course.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static const double USUAL = 60;

struct app_steps app_steps_of(const struct app_options *options, struct app_rate frames)
{
    struct app_steps steps = {.steps = frames, .frames = frames};
    /* Presets are made for about 30 or 60 steps a second. */
    const double fps = (double)frames.numerator / frames.denominator;
    const bool usual = fabs(fps / 30 - 1) < 0.01 || fabs(fps / 60 - 1) < 0.01;
    if (options->step_rate > 0) {
        steps.steps = app_rate_of(options->step_rate);
    } else if (!usual) {
        steps.steps = app_rate_of(USUAL);
    }
    steps.blends = options->between != NULL && strcmp(options->between, "blend") == 0;
    return steps;
}

/* A frame's time in steps is numerator / denominator. */
static uint64_t numerator(const struct app_steps *steps, uint64_t frame)
{
    return frame * steps->frames.denominator * steps->steps.numerator;
}

static uint64_t denominator(const struct app_steps *steps)
{
    return (uint64_t)steps->frames.numerator * steps->steps.denominator;
}

uint64_t app_steps_due(const struct app_steps *steps, uint64_t frame)
{
    const uint64_t below = denominator(steps);
    return (numerator(steps, frame) + below - 1) / below;
}

unsigned app_steps_weight(const struct app_steps *steps, uint64_t frame)
{
    const uint64_t below = denominator(steps);
    const uint64_t rest = numerator(steps, frame) % below;
    const double share = (double)rest / (double)below * APP_STEPS_WHOLE;
    const unsigned weight = (unsigned)(share + 0.5);
    return rest == 0 || !steps->blends ? APP_STEPS_WHOLE : weight > 0 ? weight : 1;
}

static const double USUAL_SECONDS = 2.7;

struct app_changes app_changes_of(const struct app_options *options)
{
    struct app_changes changes = {.seconds = options->blend >= 0 ? options->blend : USUAL_SECONDS};
    base_rng_seed(&changes.rng, options->seed, 3);
    (void)app_changes_set(&changes, options->transition != NULL ? options->transition : "random");
    return changes;
}

bool app_changes_set(struct app_changes *changes, const char *name)
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

void app_changes_hint(const char *name, char *hint, size_t size)
{
    struct base_closest closest = {0};
    base_closest_try(&closest, name, "random");
    base_closest_try(&closest, name, "cut");
    for (int i = 0; i < REND_TRANSITIONS; i++) {
        base_closest_try(&closest, name, rend_transition_name((enum rend_transition)i));
    }
    base_closest_hint(&closest, "'froth help play' lists them", hint, size);
}

struct rend_change app_changes_next(struct app_changes *changes, double longest)
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

struct rend_change app_changes_once(struct app_changes *changes, const char *transition,
                                    double longest)
{
    struct app_changes once = *changes;
    if (transition[0] != '\0') {
        (void)app_changes_set(&once, transition);
    }
    const struct rend_change change = app_changes_next(&once, longest);
    changes->rng = once.rng;
    changes->begun = once.begun;
    return change;
}

static const double vary_most = 0.9; /* of advance */

void app_auto_begin(struct app_auto_vj *vj, double advance, double vary, uint64_t seed)
{
    *vj = (struct app_auto_vj){.advance = advance};
    vj->vary = fmin(vary, vary_most * advance);
    base_rng_seed(&vj->rng, seed, 5);
    app_auto_shown(vj, 0, -1);
}

void app_auto_shown(struct app_auto_vj *vj, double now, double seconds)
{
    const double chance = base_rng_next(&vj->rng) / 4294967296.0;
    vj->due = now + (seconds > 0 ? seconds : vj->advance + (2 * chance - 1) * vj->vary);
    vj->heard = 0;
}

void app_auto_wait(struct app_auto_vj *vj, double seconds)
{
    vj->due += seconds;
}

enum app_auto_change app_auto_step(struct app_auto_vj *vj, double now, unsigned beats, bool loud)
{
    enum app_auto_change change = APP_AUTO_STAY;
    if (isinf(vj->due)) {
        return change;
    }
    vj->heard += beats;
    if (loud || (vj->beats > 0 && vj->heard >= vj->beats)) {
        change = APP_AUTO_HARD;
    } else if (now >= vj->due) {
        change = vj->hard ? APP_AUTO_HARD : APP_AUTO_SOFT;
    }
    if (change != APP_AUTO_STAY) {
        vj->due = INFINITY;
        vj->heard = 0;
    }
    return change;
}
