/* Commands for a running show: where they come from beside the keys and the operator's view, and
 * what those do that change the running preset. app_player_obey (player.h) carries all of them out.
 */
#ifndef APP_PLAY_COMMANDS_H
#define APP_PLAY_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options/options.h"
#include "base/text.h"
#include "presets/milk/preset.h"
#include "renderer/show.h"
#include "ui/command.h"

/* Sources of commands: the rows of controls.def. */

/* One source. What it does in a thread of its own comes to the painter by a base_queue. */
struct app_control {
    /* Begins if the options ask for it; *state is NULL before, and stays so if they do not.
     * Options and sink outlive it. Returns 0, or -1 with a message if what was asked for cannot be
     * had; *state is closed all the same. */
    int (*open)(void **state, const struct app_options *options, const struct base_diag_sink *sink);
    /* Painter's, in every frame until it returns false: the next command; `shown`: there is a
     * preset in the picture. Neither locks, allocates nor waits. */
    bool (*poll)(void *state, bool shown, struct engine_call *call);
    void (*close)(void *state);
};

#define APP_CONTROL(name) extern const struct app_control app_control_##name;
#include "app/play/controls.def"

struct app_controls;

/* Opens all that the options ask for. NULL with a message if one of them cannot be had. */
struct app_controls *app_controls_open(const struct app_options *options,
                                       const struct base_diag_sink *sink);

/* Painter's. The next command of any of them; `shown`: there is a preset in the picture. False if
 * there is no command, or no controls (NULL). */
bool app_controls_poll(struct app_controls *controls, bool shown, struct engine_call *call);

/* The last one first. NULL is fine. */
void app_controls_close(struct app_controls *controls);

#endif
