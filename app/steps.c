#include "app/steps.h"

#include <math.h>
#include <string.h>

static const double USUAL = 60;

/* Presets are made for about 30 or 60 steps a second. */
static bool is_usual(double fps)
{
    return fabs(fps / 30 - 1) < 0.01 || fabs(fps / 60 - 1) < 0.01;
}

struct app_steps app_steps_of(const struct app_options *options, struct app_rate frames)
{
    struct app_steps steps = {.steps = frames, .frames = frames};
    if (options->step_rate > 0) {
        steps.steps = app_rate_of(options->step_rate);
    } else if (!is_usual((double)frames.numerator / frames.denominator)) {
        steps.steps = app_rate_of(USUAL);
    }
    steps.blends = options->between != NULL && strcmp(options->between, "blend") == 0;
    return steps;
}

/* A frame's time in steps, as a fraction. */
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
