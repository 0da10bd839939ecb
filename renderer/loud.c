#include "renderer/loud.h"

#include <assert.h>
#include <math.h>

#include "base/fmath.h"

enum { SETTLING_FRAMES = 50 };

static const double usual_lowest = 2.5;
static const double falling = -1.3863; /* -2 log 2 */
static const double falling_seconds = 60;

void rend_loud_start(struct rend_loud *loud, double sensitivity)
{
    assert(sensitivity > 0);
    const double lowest = usual_lowest / sensitivity;
    *loud = (struct rend_loud){.lowest = lowest, .threshold = 2 * lowest};
}

bool rend_loud_step(struct rend_loud *loud, const double level[static 3], double fps)
{
    const double sum = level[0] + level[1] + level[2];
    loud->frames++;
    if (loud->frames > SETTLING_FRAMES && isfinite(sum) && sum > 3 * loud->threshold) {
        loud->threshold *= 2;
        return true;
    }
    const double keep = base_exp(falling / (falling_seconds * fps));
    loud->threshold = loud->lowest + (loud->threshold - loud->lowest) * keep;
    return false;
}
