/* Which frame is due when. Pure arithmetic over a clock that the caller reads: frame n stands for
 * the time n / fps. A machine that is late skips frames; the picture never runs in slow motion.
 *
 * Where the display itself holds each picture until its refresh and does so about fps times a
 * second, frames follow the display instead of the clock, which drifts along by up to 2 percent. A
 * display that promises this but returns at once is found out and paced by the clock. */
#ifndef UI_PACE_H
#define UI_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct ui_pace {
    double fps;
    bool display;  /* frames follow the display */
    double origin; /* clock, in seconds, of frame 0 */
    uint64_t frame;
    unsigned early;    /* frames in a row that the display did not hold back */
    unsigned distrust; /* frames until the display is tried again */
};

/* refresh: how often per second the display holds a picture back; 0: it does not. */
void ui_pace_start(struct ui_pace *pace, double fps, double refresh, double now);

/* The clock time before which the next frame should not be begun. */
double ui_pace_wake(const struct ui_pace *pace);

/* The number (from 1, rising) of the frame that is begun at `now`. */
uint64_t ui_pace_next(struct ui_pace *pace, double now);

#endif
