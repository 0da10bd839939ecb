#include "app/scenes.h"

#include <assert.h>

#include "app/patch.h"
#include "app/resources.h"
#include "app/stop.h"

static const struct base_place NOWHERE = {0};

int app_scenes_open(struct app_scenes *scenes, const struct app_options *options, uint64_t frames,
                    const struct base_diag_sink *sink)
{
    *scenes = (struct app_scenes){.frames = frames};
    scenes->resources = app_resources_create(options->textures);
    for (size_t i = 0; i < options->input_count; i++) {
        /* What cannot be read is reported; the others are still to be seen. */
        (void)preset_list_add(&scenes->list, options->inputs[i], sink);
    }
    if (scenes->list.count == 0) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "there is no preset to render");
        return -1;
    }
    return 0;
}

void app_scenes_close(struct app_scenes *scenes)
{
    preset_list_free(&scenes->list);
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
    assert(frame < scenes->frames);
    const uint64_t frames_left = scenes->frames - frame;
    while (scenes->next < scenes->list.count && !app_stop_wanted()) {
        const uint64_t presets_left = scenes->list.count - scenes->next;
        const uint64_t share = presets_left < frames_left ? frames_left / presets_left : 1;
        const char *path = scenes->list.paths[scenes->next++];
        struct rend_patch *patch = app_patch_load(path, scenes->resources, NULL, sink);
        if (patch != NULL) {
            warn_degraded(patch, path, sink);
            *scene = (struct app_scene){.patch = patch, .path = path, .end = frame + share};
            return 0;
        }
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
