/* Sources of commands for a running show, beside the keys and the operator's view: the rows of
 * controls.def. */
#ifndef APP_FEED_CONTROLS_H
#define APP_FEED_CONTROLS_H

#include <stdbool.h>

#include "app/options/options.h"
#include "base/diag.h"
#include "ui/command.h"

/* One source. What it does in a thread of its own comes to the painter by a base_queue. */
struct app_control {
    /* Begins if the options ask for it; *state is NULL before, and stays so if they do not.
     * Options and sink outlive it. Returns 0, or -1 with a message if what was asked for cannot be
     * had; *state is closed all the same. */
    int (*open)(void **state, const struct app_options *options, const struct base_diag_sink *sink);
    /* Painter's, in every frame until it returns false: the next command. Neither locks, allocates
     * nor waits. */
    bool (*poll)(void *state, struct ui_call *call);
    void (*close)(void *state);
};

#define APP_CONTROL(name) extern const struct app_control app_control_##name;
#include "app/feed/controls.def"

struct app_controls;

/* Opens all that the options ask for. NULL with a message if one of them cannot be had. */
struct app_controls *app_controls_open(const struct app_options *options,
                                       const struct base_diag_sink *sink);

/* Painter's. The next command of any of them; false if there is none, or no controls (NULL). */
bool app_controls_poll(struct app_controls *controls, struct ui_call *call);

/* The last one first. NULL is fine. */
void app_controls_close(struct app_controls *controls);

#endif
