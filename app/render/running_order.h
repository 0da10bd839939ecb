/* Which presets a rendering shows one after the other, and for how many frames: the files, folders
 * and playlists that the options name. */
#ifndef APP_RENDER_RUNNING_ORDER_H
#define APP_RENDER_RUNNING_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/io/rate.h"
#include "app/options/options.h"
#include "base/diag.h"
#include "presets/library/find.h"
#include "renderer/renderer.h"

struct app_turn {
    const char *path;       /* of the order, as the next one */
    const char *transition; /* as of --transition; empty: the usual one */
    uint64_t frames;        /* at least 1 */
};

struct app_order_row;

struct app_running_order {
    struct preset_list list;
    struct app_order_row *rows; /* of the list */
    size_t capacity;
    struct app_rate rate;
    uint64_t frames;
    bool timed;           /* a playlist says how long a preset is shown: the order comes again */
    size_t next;          /* in the list */
    uint64_t fixed_total; /* frames of the presets whose time is given */
    uint64_t fixed;       /* the same for presets that are still to come */
    size_t shared_total;  /* presets that share the frames that are left */
    size_t shared;        /* the same for presets that are still to come */
    uint64_t at;          /* the frame for which turns were taken last */
    size_t taken;         /* how many turns that were */
    bool incomplete;      /* a preset that was asked for could not be shown */
};

/* Lists the presets. Returns 0, or -1 with a message if there is none, or if a sound is named as a
 * preset; close it in either case. */
int app_running_order_open(struct app_running_order *order, const struct app_options *options,
                           struct app_rate rate, uint64_t frames,
                           const struct base_diag_sink *sink);
void app_running_order_close(struct app_running_order *order);

/* The preset that begins with this frame (counted from 0, less than `frames`); asked again for the
 * same frame, the one that takes the place of a preset that could not be shown. Presets without a
 * time of their own share what the others leave in equal parts, to within one frame. False: none is
 * left. */
bool app_running_order_next(struct app_running_order *order, uint64_t frame, struct app_turn *turn);

/* Whether every preset that had its turn was shown. Returns 0, or -1 with an error reported. */
int app_running_order_check(const struct app_running_order *order,
                            const struct base_diag_sink *sink);

/* The presets of a rendering, each with its share of the frames and loaded when its turn comes. */

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

/* Loads the scene that begins with this frame, and gives it its frames
 * (app/render/running_order.h). A preset that does not load is reported and left out. Returns 0, or
 * -1 if none is left or somebody asks to stop. Free the scene with app_scene_free; its texts are of
 * the order. */
int app_scenes_load(struct app_scenes *scenes, uint64_t frame, struct app_scene *scene,
                    const struct base_diag_sink *sink);
void app_scene_free(struct app_scene *scene);

/* Warns of what a step noticed, once for each scene. */
void app_scene_warn(struct app_scene *scene, unsigned events, const struct base_diag_sink *sink);

#endif
