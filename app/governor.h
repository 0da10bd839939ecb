/* Keeps frames in time: decides how coarsely the shader stages are computed, from how long frames
 * take to draw. Knows no clock. */
#ifndef APP_GOVERNOR_H
#define APP_GOVERNOR_H

#include <stdbool.h>

#include "renderer/shader/shader.h"

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
