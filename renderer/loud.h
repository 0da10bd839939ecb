/* When the music is so loud that the picture should change at once (spec/milk-rendering.md section
 * 11). */
#ifndef RENDERER_LOUD_H
#define RENDERER_LOUD_H

#include <stdbool.h>
#include <stdint.h>

struct rend_loud {
    double lowest;    /* where the threshold falls to, as a mean level */
    double threshold; /* now */
    uint64_t frames;
};

/* sensitivity > 0: 1 is MilkDrop's, 2 cuts at half of its loudness. */
void rend_loud_start(struct rend_loud *loud, double sensitivity);

/* Once per frame, with the relative levels of bass, mid and treb (as in struct rend_heard) and the
 * frames per second, > 0. Returns whether to cut now; the threshold then doubles, and falls back by
 * three quarters of the distance per minute. Levels that are not finite never cut. There is no cut
 * in the first 50 frames, in which levels are still finding their measure and begin with a spike.
 */
bool rend_loud_step(struct rend_loud *loud, const double level[static 3], double fps);

#endif
