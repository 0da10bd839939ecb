#include "app/play/player.h"

#include <math.h>
#include <string.h>

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
