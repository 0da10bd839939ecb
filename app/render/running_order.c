#include "app/render/running_order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/loading/loading.h"
#include "app/loading/resources.h"
#include "base/os/stop.h"

struct app_order_row {
    uint64_t frames;     /* 0: not given */
    char transition[32]; /* empty: the usual one */
};

static const char *const sound_endings[] = {".wav",  ".flac", ".mp3",  ".ogg", ".oga",
                                            ".opus", ".aif",  ".aiff", ".m4a", ".aac"};

static bool is_sound(const char *path)
{
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending != NULL && i < sizeof sound_endings / sizeof *sound_endings; i++) {
        if (strcasecmp(ending, sound_endings[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Gives the presets that have come to the list their rows. False without memory. */
static bool add_rows(struct app_running_order *order, size_t from, const struct app_order_row *row)
{
    if (order->list.count > order->capacity) {
        const size_t capacity = order->list.capacity;
        struct app_order_row *rows = realloc(order->rows, capacity * sizeof *rows);
        if (rows == NULL) {
            return false;
        }
        order->rows = rows;
        order->capacity = capacity;
    }
    for (size_t i = from; i < order->list.count; i++) {
        order->rows[i] = *row;
        order->fixed_total += row->frames;
        order->shared_total += row->frames == 0;
    }
    return true;
}

/* What cannot be read is reported; the others are still to be seen. */
static bool add(struct app_running_order *order, const char *path, const struct app_order_row *row,
                const struct base_diag_sink *sink)
{
    const size_t before = order->list.count;
    if (preset_list_add(&order->list, path, sink) != 0) {
        order->incomplete = true;
    }
    return add_rows(order, before, row);
}

static bool add_playlist(struct app_running_order *order, const char *path,
                         const struct base_diag_sink *sink)
{
    struct preset_playlist list;
    bool added = true;
    if (app_playlist_load(&list, path, sink) != 0) {
        order->incomplete = true;
        return true;
    }
    for (size_t i = 0; added && i < list.count; i++) {
        const struct preset_playlist_item *item = &list.items[i];
        struct app_order_row row = {0};
        if (app_playlist_holds(path, item, sink)) {
            row.frames = item->seconds >= 0 ? app_rate_frames(order->rate, item->seconds) : 0;
            memcpy(row.transition, item->transition, sizeof row.transition);
            order->timed = order->timed || row.frames > 0;
            added = add(order, item->path, &row, sink);
        } else {
            order->incomplete = true;
        }
    }
    preset_playlist_free(&list);
    return added;
}

static void begin_again(struct app_running_order *order)
{
    order->next = 0;
    order->fixed = order->fixed_total;
    order->shared = order->shared_total;
}

int app_running_order_open(struct app_running_order *order, const struct app_options *options,
                           struct app_rate rate, uint64_t frames, const struct base_diag_sink *sink)
{
    bool added = true;
    *order = (struct app_running_order){.rate = rate, .frames = frames, .at = UINT64_MAX};
    for (size_t i = 0; added && i < options->input_count; i++) {
        const char *path = options->inputs[i];
        if (is_sound(path)) {
            base_report(sink, BASE_ERROR, (struct base_place){.file = path}, "give it with --audio",
                        "this is a sound, not a preset");
            return -1;
        }
        added = preset_is_playlist(path) ? add_playlist(order, path, sink)
                                         : add(order, path, &(struct app_order_row){0}, sink);
    }
    if (!added || order->list.count == 0) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL,
                    added ? "there is no preset to render" : "not enough memory");
        return -1;
    }
    begin_again(order);
    return 0;
}

void app_running_order_close(struct app_running_order *order)
{
    preset_list_free(&order->list);
    free(order->rows);
    *order = (struct app_running_order){0};
}

bool app_running_order_next(struct app_running_order *order, uint64_t frame, struct app_turn *turn)
{
    assert(frame < order->frames);
    order->taken = frame == order->at ? order->taken : 0;
    order->at = frame;
    if (order->next == order->list.count && order->timed) {
        begin_again(order);
    }
    if (order->next == order->list.count || order->taken++ == order->list.count) {
        return false;
    }
    const struct app_order_row *row = &order->rows[order->next];
    /* Those without a time of their own share what is left. */
    const uint64_t left = order->frames - frame;
    const bool fits = order->fixed < left;
    const uint64_t frames = fits ? left - order->fixed : left;
    const uint64_t presets = fits ? order->shared : order->list.count - order->next;
    *turn = (struct app_turn){
        .path = order->list.paths[order->next],
        .transition = row->transition,
        .frames = row->frames > 0    ? row->frames
                  : presets < frames ? frames / presets
                                     : 1,
    };
    order->fixed -= row->frames;
    order->shared -= row->frames == 0;
    order->next++;
    return true;
}

int app_running_order_check(const struct app_running_order *order,
                            const struct base_diag_sink *sink)
{
    if (order->incomplete) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, "the messages before this say which",
                    "a preset is missing in what was rendered");
    }
    return order->incomplete ? -1 : 0;
}

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

int app_scenes_load(struct app_scenes *scenes, uint64_t frame, struct app_scene *scene,
                    const struct base_diag_sink *sink)
{
    struct app_turn turn;
    while (!base_stop_wanted() && app_running_order_next(&scenes->order, frame, &turn)) {
        struct rend_patch *patch =
            app_patch_load(turn.path, (struct base_span){0}, scenes->resources, NULL, sink);
        if (patch != NULL) {
            if (rend_patch_status(patch) == REND_PATCH_DEGRADED) {
                base_report(sink, BASE_WARNING, (struct base_place){.file = turn.path}, NULL,
                            "degraded: not everything of this preset is drawn");
            }
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
