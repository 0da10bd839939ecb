#include "engine/governor.h"

#include <math.h>

enum {
    TIGHT_FRAMES = 4,
    SURE_FRAMES = 8, /* after which the mean of a level is worth keeping */
    MEAN_FRAMES = 16,
    FIRST_FRAMES = 3, /* of a preset of which nothing is known: they may skip levels */
    PATIENCE_GUESSED = 15,
    PATIENCE_FIRST = 120,
    PATIENCE_MOST = 3840,
};

static const double too_tight = 0.85; /* of the budget */
static const double easy = 0.7;
static const double fit = 0.8;         /* up to which a level is begun with, */
static const double guessed_fit = 0.5; /* and with one that is estimated only */

const int engine_governor_divisors[ENGINE_GOVERNOR_LEVELS][REND_SHADER_STAGES] = {
    {1, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 3}, {4, 4},
};

/* Pixels that both stages compute, as a share of the finest level's. */
static double share_of(int level)
{
    const int *divisor = engine_governor_divisors[level];
    return 0.5 / (divisor[0] * divisor[0]) + 0.5 / (divisor[1] * divisor[1]);
}

static double load_at(const struct engine_governor_cost *cost, int level)
{
    return cost->shaded ? cost->load * share_of(level) / share_of(cost->level) : cost->load;
}

/* The finest level at which what is drawn should take no more than this part of the budget; the
 * coarsest if there is none. */
static int level_for(const struct engine_governor *governor, double limit)
{
    const struct engine_governor_cost *running = &governor->running;
    const struct engine_governor_cost *leaving = &governor->leaving;
    int level = 0;
    while ((running->shaded || leaving->shaded) && level + 1 < ENGINE_GOVERNOR_LEVELS &&
           load_at(running, level) + load_at(leaving, level) > limit) {
        level++;
    }
    return level;
}

static bool go(struct engine_governor *governor, int level)
{
    const bool other = level != governor->level;
    governor->tight = 0;
    governor->easy = 0;
    governor->frames = 0;
    governor->load = 0;
    governor->level = level;
    return other;
}

void engine_governor_begin(struct engine_governor *governor, double budget, double pace)
{
    *governor = (struct engine_governor){
        .budget = budget, .pace = pace, .patience = PATIENCE_FIRST, .running = {.shaded = true}};
}

/* How long this one took beside what was estimated counts as much as all before it together. */
static void learn_pace(struct engine_governor *governor, const struct engine_governor_cost *cost)
{
    if (cost->shaded && cost->estimate > 0) {
        const double pace = load_at(cost, 0) * governor->budget / cost->estimate;
        governor->pace = governor->paced ? sqrt(governor->pace * pace) : pace;
        governor->paced = true;
    }
}

/* What is known of a preset before its first picture. */
static struct engine_governor_cost expected(const struct engine_governor *governor, bool shaded,
                                            double estimate)
{
    if (!shaded) {
        return (struct engine_governor_cost){0};
    }
    if (estimate > 0) {
        return (struct engine_governor_cost){.load = estimate * governor->pace / governor->budget};
    }
    return governor->usual;
}

void engine_governor_change(struct engine_governor *governor, uint32_t preset, bool shaded,
                            bool soft, double estimate)
{
    struct engine_governor_cost *running = &governor->running;
    struct engine_governor_cost *kept = &governor->kept[preset % ENGINE_GOVERNOR_KEPT];
    if (!governor->both && governor->frames >= SURE_FRAMES) {
        running->level = governor->level;
        running->load = governor->load;
        governor->kept[running->preset % ENGINE_GOVERNOR_KEPT] = *running;
        governor->usual = running->shaded ? *running : governor->usual;
        learn_pace(governor, running);
    }
    governor->leaving = soft ? *running : (struct engine_governor_cost){0};
    governor->both = soft;
    governor->guessed = kept->preset != preset || kept->load <= 0 || kept->shaded != shaded;
    *running = governor->guessed ? expected(governor, shaded, estimate) : *kept;
    running->preset = preset;
    running->shaded = shaded;
    running->estimate = estimate;
    governor->came_back = false;
    governor->patience = governor->guessed ? PATIENCE_GUESSED : PATIENCE_FIRST;
    const bool estimated = governor->guessed && estimate > 0;
    (void)go(governor, level_for(governor, estimated ? guessed_fit : fit));
}

bool engine_governor_coarsest(struct engine_governor *governor)
{
    return go(governor, ENGINE_GOVERNOR_LEVELS - 1);
}

/* One of two presets has gone. */
static bool end_both(struct engine_governor *governor)
{
    struct engine_governor_cost *running = &governor->running;
    if (governor->guessed && governor->frames >= SURE_FRAMES) {
        const double others = load_at(&governor->leaving, governor->level);
        running->level = governor->level;
        running->load = fmax(governor->load - others, 0.1 * governor->load);
    }
    governor->both = false;
    governor->leaving = (struct engine_governor_cost){0};
    return go(governor, level_for(governor, fit));
}

bool engine_governor_step(struct engine_governor *governor, double seconds, bool both)
{
    if (governor->both && !both) {
        return end_both(governor);
    }
    const double load = seconds / governor->budget;
    const int level = governor->level;
    governor->frames++;
    governor->load += (load - governor->load) / fmin(governor->frames, MEAN_FRAMES);
    if (!governor->running.shaded && !governor->leaving.shaded) {
        return false;
    }
    const bool late = load > 2;
    governor->tight = load > too_tight ? governor->tight + 1 : 0;
    if ((late || governor->tight >= TIGHT_FRAMES) && level + 1 < ENGINE_GOVERNOR_LEVELS) {
        int coarser = level + 1;
        if (governor->came_back && governor->patience < PATIENCE_MOST) {
            governor->patience = 2 * (int)fmax(governor->patience, PATIENCE_FIRST);
        }
        governor->came_back = false;
        while (late && governor->guessed && governor->frames <= FIRST_FRAMES &&
               coarser + 1 < ENGINE_GOVERNOR_LEVELS &&
               load * share_of(coarser) / share_of(level) > too_tight) {
            coarser++;
        }
        return go(governor, coarser);
    }
    const bool is_easy = level > 0 && !both && load * share_of(level - 1) / share_of(level) < easy;
    governor->easy = is_easy ? governor->easy + 1 : 0;
    if (governor->easy <= governor->patience) {
        return false;
    }
    governor->came_back = true;
    return go(governor, level - 1);
}
