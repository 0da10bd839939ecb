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
    bool (*poll)(void *state, bool shown, struct ui_call *call);
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
bool app_controls_poll(struct app_controls *controls, bool shown, struct ui_call *call);

/* The last one first. NULL is fine. */
void app_controls_close(struct app_controls *controls);

/* Changes of the running preset by keys and sliders, with undo. The painter's; never allocates. */

enum { APP_TWEAKS_DEPTH = 256 /* changes that can be taken back */ };

struct app_tweak {
    size_t key; /* index in preset_keys */
    double before;
    double after;
    bool by_set; /* further ones of the same key join it: a slider is dragged */
};

/* All zero at first. Where there is no room for another change, the oldest one is forgotten. */
struct app_tweaks {
    struct app_tweak items[APP_TWEAKS_DEPTH];
    size_t done;                     /* the first ones, which can be taken back */
    size_t count;                    /* these, and the ones after them, which can be made again */
    bool forgotten[PRESET_KEY_ROWS]; /* keys of changes that were forgotten */
};

/* Another preset plays: forgets all changes. */
void app_tweaks_forget(struct app_tweaks *tweaks);

/* Carries out a command of adjust.def. False if nothing runs or the key cannot be changed. */
bool app_tweaks_adjust(struct app_tweaks *tweaks, struct rend_show *show, enum ui_command command,
                       double steps);

/* Sets a key: text is "KEY NUMBER". False if it is something else, or as above. */
bool app_tweaks_set(struct app_tweaks *tweaks, struct rend_show *show, const char *text);

/* Take back the last change, and make it again. False if there is none. */
bool app_tweaks_undo(struct app_tweaks *tweaks, struct rend_show *show);
bool app_tweaks_redo(struct app_tweaks *tweaks, struct rend_show *show);

/* Stores for every row of preset_keys whether its value is not the preset's own. */
void app_tweaks_changed(const struct app_tweaks *tweaks, bool changed[static PRESET_KEY_ROWS]);

/* Makes all changes again, on another version of the same preset that was just taken. */
void app_tweaks_again(const struct app_tweaks *tweaks, struct rend_show *show);

#endif
