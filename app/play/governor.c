#include "app/play/player.h"

#include <math.h>
#include <string.h>

/* ---- how long frames took ---- */

void app_frame_times_add(struct app_frame_times *times, double seconds)
{
    const double bin = floor(seconds * 1000 * APP_FRAME_TIMES_PER_MS);
    const double last = APP_FRAME_TIMES_BINS - 1;
    times->bins[(int)fmin(fmax(bin, 0), last)]++;
    times->count++;
    times->longest = seconds > times->longest ? seconds : times->longest;
}

double app_frame_times_percentile(const struct app_frame_times *times, double percent)
{
    const double wanted = percent / 100 * (double)times->count;
    uint64_t seen = 0;
    for (int i = 0; i < APP_FRAME_TIMES_BINS && percent < 100; i++) {
        seen += times->bins[i];
        if (seen > 0 && (double)seen >= wanted) {
            return (i + 1.0) / APP_FRAME_TIMES_PER_MS;
        }
    }
    return times->longest * 1000;
}

uint64_t app_frame_times_over(const struct app_frame_times *times, double milliseconds)
{
    uint64_t count = 0;
    for (int i = 0; i < APP_FRAME_TIMES_BINS; i++) {
        const bool over = (double)i / APP_FRAME_TIMES_PER_MS >= milliseconds;
        count += over ? times->bins[i] : 0;
    }
    return count;
}

void app_late_frames_add(struct app_late_frames *late, const struct app_late_frame *frame)
{
    size_t at = late->count;
    while (at > 0 && late->frames[at - 1].seconds < frame->seconds) {
        at--;
    }
    if (at == APP_LATE_FRAMES) {
        return;
    }
    late->count += late->count < APP_LATE_FRAMES ? 1 : 0;
    for (size_t i = late->count - 1; i > at; i--) {
        late->frames[i] = late->frames[i - 1];
    }
    late->frames[at] = *frame;
}

/* ---- how coarsely shaders are computed ---- */

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
static const double fit = 0.8; /* up to which a level is begun with */

const int app_governor_divisors[APP_GOVERNOR_LEVELS][SHADER_STAGES] = {
    {1, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 3}, {4, 4},
};

/* Pixels that both stages compute, as a share of the finest level's. */
static double share_of(int level)
{
    const int *divisor = app_governor_divisors[level];
    return 0.5 / (divisor[0] * divisor[0]) + 0.5 / (divisor[1] * divisor[1]);
}

static double load_at(const struct app_governor_cost *cost, int level)
{
    return cost->shaded ? cost->load * share_of(level) / share_of(cost->level) : cost->load;
}

/* The finest level at which what is drawn should take no more than this part of the budget; the
 * coarsest if there is none. */
static int level_for(const struct app_governor *governor, double limit)
{
    const struct app_governor_cost *running = &governor->running;
    const struct app_governor_cost *leaving = &governor->leaving;
    int level = 0;
    while ((running->shaded || leaving->shaded) && level + 1 < APP_GOVERNOR_LEVELS &&
           load_at(running, level) + load_at(leaving, level) > limit) {
        level++;
    }
    return level;
}

static bool go(struct app_governor *governor, int level)
{
    const bool other = level != governor->level;
    governor->tight = 0;
    governor->easy = 0;
    governor->frames = 0;
    governor->load = 0;
    governor->level = level;
    return other;
}

void app_governor_begin(struct app_governor *governor, double budget)
{
    *governor = (struct app_governor){
        .budget = budget, .patience = PATIENCE_FIRST, .running = {.shaded = true}};
}

void app_governor_change(struct app_governor *governor, uint32_t preset, bool shaded, bool soft)
{
    struct app_governor_cost *running = &governor->running;
    struct app_governor_cost *kept = &governor->kept[preset % APP_GOVERNOR_KEPT];
    if (!governor->both && governor->frames >= SURE_FRAMES) {
        running->level = governor->level;
        running->load = governor->load;
        governor->kept[running->preset % APP_GOVERNOR_KEPT] = *running;
        governor->usual = running->shaded ? *running : governor->usual;
    }
    governor->leaving = soft ? *running : (struct app_governor_cost){0};
    governor->both = soft;
    governor->guessed = kept->preset != preset || kept->load <= 0 || kept->shaded != shaded;
    if (!governor->guessed) {
        *running = *kept;
    } else {
        *running = shaded ? governor->usual : (struct app_governor_cost){0};
    }
    running->preset = preset;
    running->shaded = shaded;
    governor->came_back = false;
    governor->patience = governor->guessed ? PATIENCE_GUESSED : PATIENCE_FIRST;
    (void)go(governor, level_for(governor, fit));
}

bool app_governor_coarsest(struct app_governor *governor)
{
    return go(governor, APP_GOVERNOR_LEVELS - 1);
}

/* One of two presets has gone. */
static bool end_both(struct app_governor *governor)
{
    struct app_governor_cost *running = &governor->running;
    if (governor->guessed && governor->frames >= SURE_FRAMES) {
        const double others = load_at(&governor->leaving, governor->level);
        running->level = governor->level;
        running->load = fmax(governor->load - others, 0.1 * governor->load);
    }
    governor->both = false;
    governor->leaving = (struct app_governor_cost){0};
    return go(governor, level_for(governor, fit));
}

bool app_governor_step(struct app_governor *governor, double seconds, bool both)
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
    if ((late || governor->tight >= TIGHT_FRAMES) && level + 1 < APP_GOVERNOR_LEVELS) {
        int coarser = level + 1;
        if (governor->came_back && governor->patience < PATIENCE_MOST) {
            governor->patience = 2 * (int)fmax(governor->patience, PATIENCE_FIRST);
        }
        governor->came_back = false;
        while (late && governor->guessed && governor->frames <= FIRST_FRAMES &&
               coarser + 1 < APP_GOVERNOR_LEVELS &&
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
