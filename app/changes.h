/* Which transition the next change of presets takes. */
#ifndef APP_CHANGES_H
#define APP_CHANGES_H

#include "app/options.h"
#include "base/rng.h"
#include "renderer/show.h"

struct app_changes {
    struct base_rng rng;
    double seconds; /* of a transition; 0: hard cuts only */
    bool cut;       /* hard cuts, whatever `seconds` says */
    bool random;    /* every time a transition by chance; false: always `transition` */
    enum rend_transition transition;
    bool begun; /* a preset was shown before, so that there is something to change from */
};

/* What --transition, --blend and --seed ask for. */
struct app_changes app_changes_of(const struct app_options *options);

/* Takes another transition from now on; name: as --transition takes it. False, and nothing changes,
 * if there is none of this name. */
bool app_changes_set(struct app_changes *changes, const char *name);

/* The next change. It takes `longest` seconds at most; the very first is a cut. */
struct rend_change app_changes_next(struct app_changes *changes, double longest);

/* The same with a transition of this name, as of --transition, for this once; empty: as usual. */
struct rend_change app_changes_once(struct app_changes *changes, const char *transition,
                                    double longest);

#endif
