/* Keeps frames in time: decides how coarsely the shader stages are computed, from how long frames
 * take to draw. Knows no clock.
 *
 * A preset begins at the level that it needed when it was drawn last; one that was not drawn yet,
 * as if it took what is estimated from its code, at the pace that this machine has shown so far;
 * without an estimate, as long as the last one with shaders. While it gives way to the next, both
 * have to fit into a frame. */
#ifndef ENGINE_GOVERNOR_H
#define ENGINE_GOVERNOR_H

#include <stdbool.h>
#include <stdint.h>

#include "renderer/renderer.h"

enum { ENGINE_GOVERNOR_LEVELS = 6, ENGINE_GOVERNOR_KEPT = 4096 };

/* Side of a computed pixel, in pixels of the picture, of each level, the finest first. */
extern const int engine_governor_divisors[ENGINE_GOVERNOR_LEVELS][REND_SHADER_STAGES];

/* What a preset takes. */
struct engine_governor_cost {
    uint32_t preset;
    bool shaded;     /* it has stages that levels make faster */
    int level;       /* at which it took `load` */
    double load;     /* of the budget; 0: not known */
    double estimate; /* seconds at the finest level; 0: none */
};

struct engine_governor {
    double budget;  /* seconds for a frame */
    double pace;    /* seconds that an estimated one takes here */
    bool paced;     /* that was measured */
    int level;      /* 0..ENGINE_GOVERNOR_LEVELS - 1 */
    int tight;      /* frames in a row that took nearly all of the budget */
    int easy;       /* frames in a row after which the next finer level would do */
    int patience;   /* how many of these it takes; grows when a finer level did not hold */
    bool came_back; /* the last change was to a finer level */
    bool both;      /* one preset gives way to the next */
    bool guessed;   /* the running one's cost was not known when it began */
    int frames;     /* at this level */
    double load;    /* their mean, in budgets */
    struct engine_governor_cost running;
    struct engine_governor_cost leaving;                    /* while `both` */
    struct engine_governor_cost usual;                      /* of the last one that has shaders */
    struct engine_governor_cost kept[ENGINE_GOVERNOR_KEPT]; /* by number, modulo the size */
};

/* pace: what is known of the machine before it has drawn anything. */
void engine_governor_begin(struct engine_governor *governor, double budget, double pace);

/* Another preset, with shaders or without, is drawn from now on; at first, if `soft`, beside the
 * one before. Sets the level that its first picture is to be drawn with, a quarter in each
 * direction at the coarsest. estimate: seconds that a frame of it should take at the finest level
 * (rend_patch_pixel_seconds); 0: nobody knows. */
void engine_governor_change(struct engine_governor *governor, uint32_t preset, bool shaded,
                            bool soft, double estimate);

/* A picture cost more than it may: the coarsest level from now on. False if it is that already. */
bool engine_governor_coarsest(struct engine_governor *governor);

/* Takes the time that a frame took to draw; those without a step of the preset do not count. both:
 * two presets were drawn. True if the level changed; the next frames are to be drawn with it. A
 * level coarser comes while frames are still in time, after a few in a row that take more than 85 %
 * of the budget, at once if one takes more than twice the budget, and the one that should do if
 * that is among the first of a preset that is not known; a finer one after seconds in which it
 * would have taken less than 70 %, and the one that should do when the other preset has gone. */
bool engine_governor_step(struct engine_governor *governor, double seconds, bool both);

#endif
