/* Changes of the running preset by keys and sliders, with undo. The painter's; never allocates. */
#ifndef APP_TWEAKS_H
#define APP_TWEAKS_H

#include <stdbool.h>
#include <stddef.h>

#include "renderer/show.h"
#include "ui/command.h"

enum { APP_TWEAKS_DEPTH = 256, APP_TWEAKS_KEYS = 192 /* rows of preset_keys, at most */ };

struct app_tweak {
    size_t key; /* index in preset_keys */
    double before;
    double after;
    bool by_set; /* further ones of the same key join it: a slider is dragged */
};

/* Zeroed at first. The oldest ones are forgotten. */
struct app_tweaks {
    struct app_tweak items[APP_TWEAKS_DEPTH];
    size_t done;                     /* can be taken back, from the start */
    size_t count;                    /* and those behind them that can be made again */
    bool forgotten[APP_TWEAKS_KEYS]; /* keys of those that were forgotten */
};

/* Another preset: nothing to take back. */
void app_tweaks_forget(struct app_tweaks *tweaks);

/* A command of adjust.def. False if nothing runs or the key cannot be changed. */
bool app_tweaks_adjust(struct app_tweaks *tweaks, struct rend_show *show, enum ui_command command,
                       double steps);

/* "KEY NUMBER". False if it is something else, or as above. */
bool app_tweaks_set(struct app_tweaks *tweaks, struct rend_show *show, const char *text);

/* False if there is nothing. */
bool app_tweaks_undo(struct app_tweaks *tweaks, struct rend_show *show);
bool app_tweaks_redo(struct app_tweaks *tweaks, struct rend_show *show);

/* Which keys are not as the preset has them, by row of preset_keys. */
void app_tweaks_changed(const struct app_tweaks *tweaks, bool *changed, size_t count);

/* Makes them all again, on another version of the same preset that was just taken. */
void app_tweaks_again(const struct app_tweaks *tweaks, struct rend_show *show);

#endif
