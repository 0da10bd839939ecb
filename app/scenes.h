/* The presets of a rendering, each with its share of the frames. */
#ifndef APP_SCENES_H
#define APP_SCENES_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "presets/library.h"
#include "renderer/renderer.h"

struct app_scene {
    struct rend_patch *patch;
    const char *path;
    unsigned warned; /* rend_event bits that have been reported */
};

struct app_scenes {
    struct preset_list list;
    struct app_scene *items;
    size_t count;
    uint64_t frames;
};

/* Compiles the presets that the inputs name, files and folders, at most one for each frame. One
 * that does not load is reported and left out. Returns 0, or -1 with a message if none is left. */
int app_scenes_load(struct app_scenes *scenes, const char *const *inputs, size_t input_count,
                    uint64_t frames, const struct base_diag_sink *sink);
void app_scenes_free(struct app_scenes *scenes);

/* Frames before the scene: equal shares, the same to within one frame. index <= count. */
uint64_t app_scenes_first(const struct app_scenes *scenes, size_t index);

/* Warns of what a step noticed, once for each scene. */
void app_scene_warn(struct app_scene *scene, unsigned events, const struct base_diag_sink *sink);

#endif
