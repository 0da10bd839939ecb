/* Watching the stages of a frame from outside: the renderer has no clock itself, but tells a caller
 * that has one when each stage begins and ends. */
#ifndef RENDERER_OBSERVER_H
#define RENDERER_OBSERVER_H

#include <stdbool.h>

enum rend_stage {
#define REND_STAGE(name, ...) REND_STAGE_##name,
#include "renderer/stages.def"
    REND_STAGES
};

/* Called on the thread of rend_step, when all work on what was before is done; a stage within
 * another begins and ends within it. A frame without a patch has the analysis only. */
struct rend_observer {
    void *user;
    void (*stage)(void *user, enum rend_stage stage, bool begins);
};

#endif
