/* Making one preset ready: its file or text, what is compiled of it, its cue. For the loader. */
#ifndef ENGINE_FEED_MAKING_H
#define ENGINE_FEED_MAKING_H

#include "engine/feed/loader.h"

/* What every preset is made ready with. */
struct engine_making {
    struct rend_config config;
    struct rend_resources *resources;
    struct engine_dresser dresser;
};

/* Compiles the text under that name, or the file if text.data is NULL. NULL after messages. */
struct engine_preset *engine_preset_make(const struct engine_making *making, const char *path,
                                         struct base_span text, const struct base_diag_sink *sink);
void engine_preset_give_back(struct engine_preset *preset); /* NULL is fine */

/* Makes the preset ready for that change, and takes it over, also where it fails; choice: NULL: it
 * is not to be dressed. NULL after messages. */
struct engine_loaded *
engine_loaded_make(const struct engine_making *making, struct engine_preset *preset,
                   const struct engine_choice *choice, const struct rend_moment *moment,
                   const struct rend_change *change, const struct base_diag_sink *sink);

/* With all that follow it by `next`. NULL is fine. */
void engine_loaded_free(const struct engine_making *making, struct engine_loaded *loaded);

/* Seconds that a step of the patch takes, the best of a few; of one that is far over the budget,
 * which is seen in its first step, it is that one. INFINITY without memory. */
double engine_making_step_seconds(const struct engine_making *making,
                                  const struct rend_patch *patch, double budget);

#endif
