/* How long frames took: a histogram of a tenth of a millisecond, for percentiles, and the frames
 * that took longest. Neither allocates nor formats while frames are drawn. */
#ifndef APP_FRAME_TIMES_H
#define APP_FRAME_TIMES_H

#include <stdbool.h>
#include <stddef.h>
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

/* A frame that took long. */
struct app_late_frame {
    double at;       /* seconds of the show */
    double seconds;  /* how long it took */
    double busy;     /* how long the painting thread ran in this time, and did not wait */
    uint32_t preset; /* number in the library of the preset that it shows */
    bool changes;    /* a transition to this preset goes on */
};

enum { APP_LATE_FRAMES = 8 };

/* The longest ones, the longest first. */
struct app_late_frames {
    struct app_late_frame frames[APP_LATE_FRAMES];
    size_t count;
};

/* Keeps the frame if it is one of the longest. */
void app_late_frames_add(struct app_late_frames *late, const struct app_late_frame *frame);

#endif
