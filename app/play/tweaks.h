/* Changes of the running preset by keys and sliders, with undo. The painter's; never allocates. */
#ifndef APP_PLAY_TWEAKS_H
#define APP_PLAY_TWEAKS_H

#include <stdbool.h>
#include <stddef.h>

#include "presets/milk/preset.h"
#include "renderer/show.h"
#include "ui/command.h"

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
