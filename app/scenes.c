#include "app/scenes.h"

#include "app/patch.h"
#include "app/resources.h"
#include "app/stop.h"

int app_scenes_open(struct app_scenes *scenes, const struct app_options *options,
                    struct app_rate rate, uint64_t frames, const struct base_diag_sink *sink)
{
    scenes->resources = app_resources_create(options->textures);
    return app_running_order_open(&scenes->order, options, rate, frames, sink);
}

void app_scenes_close(struct app_scenes *scenes)
{
    app_running_order_close(&scenes->order);
    rend_resources_free(scenes->resources);
    *scenes = (struct app_scenes){0};
}

static void warn_degraded(const struct rend_patch *patch, const char *path,
                          const struct base_diag_sink *sink)
{
    if (rend_patch_status(patch) == REND_PATCH_DEGRADED) {
        base_report(sink, BASE_WARNING, (struct base_place){.file = path}, NULL,
                    "degraded: not everything of this preset is drawn");
    }
}

int app_scenes_load(struct app_scenes *scenes, uint64_t frame, struct app_scene *scene,
                    const struct base_diag_sink *sink)
{
    struct app_turn turn;
    while (!app_stop_wanted() && app_running_order_next(&scenes->order, frame, &turn)) {
        struct rend_patch *patch = app_patch_load(turn.path, scenes->resources, NULL, sink);
        if (patch != NULL) {
            warn_degraded(patch, turn.path, sink);
            *scene = (struct app_scene){.patch = patch,
                                        .path = turn.path,
                                        .transition = turn.transition,
                                        .end = frame + turn.frames};
            return 0;
        }
        scenes->order.incomplete = true;
    }
    return -1;
}

void app_scene_free(struct app_scene *scene)
{
    rend_patch_free(scene->patch);
    *scene = (struct app_scene){0};
}

void app_scene_warn(struct app_scene *scene, unsigned events, const struct base_diag_sink *sink)
{
    static const struct {
        unsigned event;
        const char *what;
    } texts[] = {
        {REND_EVENT_BUDGET, "the equations took too many operations and were ended early"},
        {REND_EVENT_MEMORY, "the memory of the equations is used up; writes are dropped"},
        {REND_EVENT_FILL,
         "shapes and lines covered more pixels than a frame may; the rest is left out"},
        {REND_EVENT_SHADER, "a loop of a shader took too many rounds and was ended early"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (events & ~scene->warned & texts[i].event) {
            base_report(sink, BASE_WARNING, (struct base_place){.file = scene->path}, NULL, "%s",
                        texts[i].what);
        }
    }
    scene->warned |= events;
}
