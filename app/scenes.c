#include "app/scenes.h"

#include <assert.h>
#include <stdlib.h>

#include "app/stop.h"

static const struct base_place NOWHERE = {0};

static struct rend_patch *load_patch(const char *path, const struct base_diag_sink *sink)
{
    struct preset preset;
    if (preset_read_file(&preset, path, sink) != 0) {
        return NULL;
    }
    struct rend_patch *patch = rend_patch_create(&preset, sink);
    preset_free(&preset);
    if (patch != NULL && rend_patch_status(patch) == REND_PATCH_DEGRADED) {
        base_report(sink, BASE_WARNING, (struct base_place){.file = path}, NULL,
                    "degraded: not everything of this preset is drawn");
    }
    return patch;
}

static int collect(struct app_scenes *scenes, const char *const *inputs, size_t count,
                   const struct base_diag_sink *sink)
{
    for (size_t i = 0; i < count; i++) {
        /* What cannot be read is reported; the others are still to be seen. */
        (void)preset_list_add(&scenes->list, inputs[i], sink);
    }
    const size_t found = scenes->list.count;
    scenes->items = calloc(found > 0 ? found : 1, sizeof *scenes->items);
    if (scenes->items == NULL) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "out of memory");
        return -1;
    }
    return 0;
}

int app_scenes_load(struct app_scenes *scenes, const char *const *inputs, size_t input_count,
                    uint64_t frames, const struct base_diag_sink *sink)
{
    *scenes = (struct app_scenes){.frames = frames};
    if (collect(scenes, inputs, input_count, sink) != 0) {
        app_scenes_free(scenes);
        return -1;
    }
    for (size_t i = 0; i < scenes->list.count && scenes->count < frames && !app_stop_wanted();
         i++) {
        const char *path = scenes->list.paths[i];
        struct rend_patch *patch = load_patch(path, sink);
        if (patch != NULL) {
            scenes->items[scenes->count++] = (struct app_scene){.patch = patch, .path = path};
        }
    }
    if (scenes->count == 0) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL,
                    app_stop_wanted() ? "stopped" : "there is no preset to render");
        app_scenes_free(scenes);
        return -1;
    }
    return 0;
}

void app_scenes_free(struct app_scenes *scenes)
{
    for (size_t i = 0; i < scenes->count; i++) {
        rend_patch_free(scenes->items[i].patch);
    }
    free(scenes->items);
    preset_list_free(&scenes->list);
    *scenes = (struct app_scenes){0};
}

uint64_t app_scenes_first(const struct app_scenes *scenes, size_t index)
{
    assert(index <= scenes->count);
    return scenes->frames * index / scenes->count;
}

void app_scene_warn(struct app_scene *scene, unsigned events, const struct base_diag_sink *sink)
{
    static const struct {
        unsigned event;
        const char *what;
    } texts[] = {
        {REND_EVENT_BUDGET, "the equations took too many operations and were ended early"},
        {REND_EVENT_MEMORY, "the memory of the equations is used up; writes are dropped"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (events & ~scene->warned & texts[i].event) {
            base_report(sink, BASE_WARNING, (struct base_place){.file = scene->path}, NULL, "%s",
                        texts[i].what);
        }
    }
    scene->warned |= events;
}
