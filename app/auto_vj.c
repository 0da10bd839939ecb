#include "app/auto_vj.h"

#include <math.h>

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

enum app_auto_change app_auto_step(struct app_auto_vj *vj, double now,
                                   const struct rend_heard *heard, bool loud)
{
    enum app_auto_change change = APP_AUTO_STAY;
    if (isinf(vj->due)) {
        return change;
    }
    vj->heard += heard->beat;
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
