/* Whether frames come in time: how long they took, and how coarsely shaders are computed so that
 * they do. */
#ifndef APP_PLAY_GOVERNOR_H
#define APP_PLAY_GOVERNOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "renderer/shader/shader.h"

/* How long frames took: a histogram of a tenth of a millisecond, for percentiles, and the frames
 * that took longest. Neither allocates nor formats while frames are drawn. */

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

/* Keeps frames in time: decides how coarsely the shader stages are computed, from how long frames
 * take to draw. Knows no clock. */

enum { APP_GOVERNOR_LEVELS = 6 };

/* Side of a computed pixel, in pixels of the picture, of each level, the finest first. */
extern const int app_governor_divisors[APP_GOVERNOR_LEVELS][SHADER_STAGES];

struct app_governor {
    double budget;  /* seconds for a frame */
    int level;      /* 0..APP_GOVERNOR_LEVELS - 1 */
    int tight;      /* frames in a row that took nearly all of the budget */
    int easy;       /* frames in a row after which the next finer level would do */
    int patience;   /* how many of these it takes; grows when a finer level did not hold */
    bool came_back; /* the last change was to a finer level */
};

void app_governor_begin(struct app_governor *governor, double budget);

/* Another preset is drawn: begins at the finest level, what was learnt is forgotten. */
void app_governor_reset(struct app_governor *governor);

/* Takes the time that a frame took to draw; those without a step of the preset do not count. True
 * if the level changed; the next frames are to be drawn with it. A level coarser comes while frames
 * are still in time, after a few in a row that take more than 85 % of the budget, at once if one
 * takes more than twice the budget; a finer one after seconds in which it would have taken less
 * than 70 %. */
bool app_governor_step(struct app_governor *governor, double seconds);

#endif
