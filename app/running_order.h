/* Which presets a rendering shows one after the other, and for how many frames: the files, folders
 * and playlists that the options name. */
#ifndef APP_RUNNING_ORDER_H
#define APP_RUNNING_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/io/rate.h"
#include "app/options.h"
#include "base/diag.h"
#include "presets/library.h"

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

#endif
