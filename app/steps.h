/* Presets move in steps of their own. They are made for about 30 or 60 steps a second: where
 * pictures come at such a rate there is a step for each of them, at any other rate there are 60 a
 * second, so that presets neither race on a fast screen nor drag in a film of 24 pictures a second.
 * Step k (from 1) stands for the time k / steps. */
#ifndef APP_STEPS_H
#define APP_STEPS_H

#include <stdint.h>

#include "app/io/rate.h"
#include "app/options.h"

enum { APP_STEPS_WHOLE = 256 };

struct app_steps {
    struct app_rate steps;
    struct app_rate frames;
    bool blends; /* frames between two steps are mixed; else the newest step is shown */
};

/* By --step-rate, --between and the rate of the frames. */
struct app_steps app_steps_of(const struct app_options *options, struct app_rate frames);

/* The step that frame `frame` (from 1) needs: the first one not before it. */
uint64_t app_steps_due(const struct app_steps *steps, uint64_t frame);

/* The share of that step in the picture, 1..APP_STEPS_WHOLE; the rest belongs to the step before.
 */
unsigned app_steps_weight(const struct app_steps *steps, uint64_t frame);

#endif
