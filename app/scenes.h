/* The presets of a rendering, each with its share of the frames and loaded when its turn comes. */
#ifndef APP_SCENES_H
#define APP_SCENES_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "app/options.h"
#include "app/running_order.h"
#include "renderer/renderer.h"

struct app_scene {
    struct rend_patch *patch; /* owned; NULL: none */
    const char *path;
    const char *transition; /* into it, as of --transition; empty: the usual one */
    uint64_t end;           /* the frame, counted from 0, before which it ends */
    unsigned warned;        /* rend_event bits that have been reported */
};

struct app_scenes {
    struct app_running_order order;
    struct rend_resources *resources; /* of all scenes */
};

/* Lists the presets that the options name, for a show of `frames` frames. Returns 0, or -1 with a
 * message if there is none. */
int app_scenes_open(struct app_scenes *scenes, const struct app_options *options,
                    struct app_rate rate, uint64_t frames, const struct base_diag_sink *sink);
void app_scenes_close(struct app_scenes *scenes);

/* Loads the scene that begins with this frame, and gives it its frames (app/running_order.h). A
 * preset that does not load is reported and left out. Returns 0, or -1 if none is left or somebody
 * asks to stop. Free the scene with app_scene_free; its texts are of the order. */
int app_scenes_load(struct app_scenes *scenes, uint64_t frame, struct app_scene *scene,
                    const struct base_diag_sink *sink);
void app_scene_free(struct app_scene *scene);

/* Warns of what a step noticed, once for each scene. */
void app_scene_warn(struct app_scene *scene, unsigned events, const struct base_diag_sink *sink);

#endif
