#include "app/play/governor.h"

#include <math.h>
#include <stdbool.h>

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

enum { TIGHT_FRAMES = 4, PATIENCE_FIRST = 120, PATIENCE_MOST = 3840 };

const int app_governor_divisors[APP_GOVERNOR_LEVELS][SHADER_STAGES] = {
    {1, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 3}, {4, 4},
};

/* Pixels that both stages compute, as a share of the finest level's. */
static double share_of(int level)
{
    const int *divisor = app_governor_divisors[level];
    return 0.5 / (divisor[0] * divisor[0]) + 0.5 / (divisor[1] * divisor[1]);
}

void app_governor_begin(struct app_governor *governor, double budget)
{
    *governor = (struct app_governor){.budget = budget, .patience = PATIENCE_FIRST};
}

void app_governor_reset(struct app_governor *governor)
{
    app_governor_begin(governor, governor->budget);
}

static bool go(struct app_governor *governor, int level)
{
    governor->tight = 0;
    governor->easy = 0;
    governor->level = level;
    return true;
}

static bool is_easy(const struct app_governor *governor, double seconds)
{
    const double finer = seconds * share_of(governor->level - 1) / share_of(governor->level);
    return finer < 0.7 * governor->budget;
}

bool app_governor_step(struct app_governor *governor, double seconds)
{
    const bool late = seconds > 2 * governor->budget;
    governor->tight = seconds > 0.85 * governor->budget ? governor->tight + 1 : 0;
    if ((late || governor->tight >= TIGHT_FRAMES) && governor->level + 1 < APP_GOVERNOR_LEVELS) {
        if (governor->came_back && governor->patience < PATIENCE_MOST) {
            governor->patience *= 2;
        }
        governor->came_back = false;
        return go(governor, governor->level + 1);
    }
    const bool easy = governor->level > 0 && is_easy(governor, seconds);
    governor->easy = easy ? governor->easy + 1 : 0;
    if (governor->easy <= governor->patience) {
        return false;
    }
    governor->came_back = true;
    return go(governor, governor->level - 1);
}
