#include "app/changes.h"

#include <string.h>

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
