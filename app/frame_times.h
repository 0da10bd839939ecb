/* How long frames took, for percentiles: a histogram of a tenth of a millisecond, which neither
 * allocates nor formats while frames are drawn. */
#ifndef APP_FRAME_TIMES_H
#define APP_FRAME_TIMES_H

#include <stdint.h>

enum { APP_FRAME_TIMES_BINS = 20000, APP_FRAME_TIMES_PER_MS = 10 };

struct app_frame_times {
    uint32_t bins[APP_FRAME_TIMES_BINS]; /* the last one holds all that is longer */
    uint64_t count;
    double longest; /* seconds */
};

void app_frame_times_add(struct app_frame_times *times, double seconds);

/* Milliseconds that `percent` of the frames did not exceed, to a tenth; 100: the longest. 0 without
 * frames. */
double app_frame_times_percentile(const struct app_frame_times *times, double percent);

/* How many frames took longer, to a tenth of a millisecond. */
uint64_t app_frame_times_over(const struct app_frame_times *times, double milliseconds);

#endif
