/* What the files of the engine know of a show in its course. */
#ifndef ENGINE_INSIDE_H
#define ENGINE_INSIDE_H

#include "engine/bytes.h"
#include "engine/engine.h"

struct engine {
    struct engine_setup setup;
    struct rend_show *show;
    struct engine_state state;
    uint32_t *newest; /* pictures of the last two steps, if steps are mixed */
    uint32_t *former;
    float *samples; /* of a frame, or where it is exact of a step */
    size_t sample_most;
    size_t sample_count;
    size_t heard; /* of these, in this frame; 0 where it is exact */
    uint8_t dmx[ENGINE_DMX_CHANNELS];
    struct rend_held held[ENGINE_HELD_MAX];
    size_t held_count;
    size_t control_count;
    struct rend_held controls[ENGINE_CONTROLS_MAX + ENGINE_HELD_MAX]; /* and behind them, in a
                                                                          step, what is held */
    bool may_stay;                                                    /* pictures, on the device */
    bool wanted;                                                      /* what stays is fetched */
    unsigned inside; /* calls that were told of and go on, which call others */
    unsigned said;   /* bits of sources of the beat that stand at the next frame */
};

/* Tells who watches. */
void engine_tell_watcher(const struct engine *engine, const struct engine_told *told);

/* The step that is due at a frame, by the clock. */
uint64_t engine_clock(const struct engine *engine, uint64_t frame);

#endif
