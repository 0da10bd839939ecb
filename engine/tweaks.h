/* Changes of the running preset by keys, sliders and programs, with undo. Never allocates. */
#ifndef ENGINE_TWEAKS_H
#define ENGINE_TWEAKS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/command.h"
#include "presets/milk/preset.h"
#include "renderer/show.h"

enum { ENGINE_TWEAKS_DEPTH = 256 /* changes that can be taken back */ };

struct engine_tweak {
    size_t key; /* index in preset_keys */
    double before;
    double after;
    bool by_set; /* further ones of the same key join it: a slider is dragged */
};

/* All zero at first. Where there is no room for another change, the oldest one is forgotten. */
struct engine_tweaks {
    struct engine_tweak items[ENGINE_TWEAKS_DEPTH];
    size_t done;                     /* the first ones, which can be taken back */
    size_t count;                    /* these, and the ones after them, which can be made again */
    bool forgotten[PRESET_KEY_ROWS]; /* keys of changes that were forgotten */
};

/* Another preset plays: forgets all changes. */
void engine_tweaks_forget(struct engine_tweaks *tweaks);

/* Carries out a command of adjust.def: a change, or where the call is absolute the value itself, as
 * far as the row's range goes. False if nothing runs or the key cannot be changed. */
bool engine_tweaks_adjust(struct engine_tweaks *tweaks, struct rend_show *show,
                          const struct engine_call *call);

/* Sets a key of the .milk file by its name. False if there is no such key, or as above. */
bool engine_tweaks_put(struct engine_tweaks *tweaks, struct rend_show *show, struct base_span name,
                       double value);

/* The same: text is "KEY NUMBER". False if it is something else. */
bool engine_tweaks_set(struct engine_tweaks *tweaks, struct rend_show *show, const char *text);

/* Take back the last change, and make it again. False if there is none. */
bool engine_tweaks_undo(struct engine_tweaks *tweaks, struct rend_show *show);
bool engine_tweaks_redo(struct engine_tweaks *tweaks, struct rend_show *show);

/* Stores for every row of preset_keys whether its value is not the preset's own. */
void engine_tweaks_changed(const struct engine_tweaks *tweaks,
                           bool changed[static PRESET_KEY_ROWS]);

/* Makes all changes again, on another version of the same preset that was just taken. */
void engine_tweaks_again(const struct engine_tweaks *tweaks, struct rend_show *show);

#endif
