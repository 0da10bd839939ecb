/* The presets that a show plays, made ready beside it. */
#ifndef APP_FEED_LOADER_H
#define APP_FEED_LOADER_H

#include <stdbool.h>
#include <stdint.h>

#include "app/library/library.h"
#include "engine/course.h"
#include "app/loading/loading.h"
#include "engine/loading.h"
#include "base/text.h"
#include "renderer/show.h"
#include "ui/overlay.h"

/* A preset with everything that a show needs of it.
 *
 * Owns patch, cue and line; rend_cue_user of the cue gives it back. */
struct app_loaded {
    struct rend_patch *patch;
    struct rend_cue *cue;
    struct ui_line *line;    /* its name, ready to be drawn; NULL: it is not, or it is not for the
                                audience */
    struct app_loaded *next; /* for the loader's use */
    uint32_t number;         /* of the library */
    double seconds;          /* how long it is to be shown; < 0: as usual */
    bool soft;               /* it comes with a transition */
    bool again;              /* another version of the preset that was shown before */
    char path[1024];
    char name[ENGINE_PRESET_NAME];
    char title[264]; /* of a window that shows it */
};

/* Reads and compiles presets and makes them ready in a thread of its own, so that this does not
 * delay a frame. Which one comes is the library's choice. Follows the running preset's file: when
 * that changes, it comes again, unless it now has errors and had none before. These are reported;
 * the former version stays. When it is gone, this is reported once, what runs goes on, and it is
 * loaded again when it is back. The same holds for a text that the operator edits.
 *
 * Functions marked so belong to the thread that paints; they never lock, allocate or wait. */

struct app_loader;

struct app_loader_setup {
    struct app_library *library; /* not empty; outlives the loader */
    struct rend_config config;
    struct engine_changes changes;
    double planned;                   /* seconds for which a preset is shown */
    const char *textures;             /* folder of pictures, may be NULL */
    size_t memory;                    /* bytes that a preset may take */
    const struct ui_overlay *overlay; /* that shows names, outlives the loader; may be NULL */
    bool opens; /* the first preset is one that this machine draws in time with all its pixels; a
                   few steps of those that come before are drawn to see that, with the config's
                   pool, which nobody else may use until the first one can be taken */
};

/* Begins with the first of the library that can be loaded. Messages go to the sink, from the
 * loader's thread. NULL with a message without memory or thread. */
struct app_loader *app_loader_start(const struct app_loader_setup *setup,
                                    const struct base_diag_sink *sink);

/* Ends the thread and frees everything that was not taken. NULL is fine. */
void app_loader_stop(struct app_loader *loader);

enum app_loader_change { APP_CHANGE_SOFT, APP_CHANGE_HARD };

/* Painter's. Asks for the preset that comes `steps` later in order (earlier if negative). One that
 * cannot be loaded is reported, marked in the library and skipped. */
void app_loader_step(struct app_loader *loader, int steps, enum app_loader_change change);

/* Any thread. Asks for this one of the library. */
void app_loader_choose(struct app_loader *loader, uint32_t number, enum app_loader_change change);

/* Painter's. This one of the library is not fit to be shown: it is marked, and the next takes its
 * place, with a cut, if it is still the current one. It stays, unmarked, where there is no other.
 */
void app_loader_reject(struct app_loader *loader, uint32_t number);

/* Painter's. Tells what the init equations of the next preset find. */
void app_loader_tell(struct app_loader *loader, const struct rend_moment *moment);

/* Any thread. The kind of transitions from now on, as --transition; false if there is none such. */
bool app_loader_transition(struct app_loader *loader, const char *name);

/* Any thread. Seconds that a transition takes from now on. */
void app_loader_blend(struct app_loader *loader, double seconds);

/* What transitions are like now. Any thread but the painter's. */
struct engine_changes app_loader_changes(struct app_loader *loader);

/* Painter's. The newest preset that has not been taken yet; NULL if there is none. The painter
 * gives it back with app_loader_retire when nothing uses it any more. */
struct app_loaded *app_loader_take(struct app_loader *loader);

/* Painter's. Frees the preset, in the loader's thread. NULL is fine. */
void app_loader_retire(struct app_loader *loader, struct app_loaded *loaded);

/* None of the presets could be loaded, not one so far; the loader has given up. */
bool app_loader_failed(const struct app_loader *loader);

/* There has been just one preset so far: nothing comes after it by itself. Any thread. */
bool app_loader_alone(const struct app_loader *loader);

/* Operator's. Compiles a text in place of the running preset's file `path`, and shows it if it is
 * not worse than what runs: one with errors does not take the place of one without. The text is
 * copied; a later one replaces one that waits. false without memory. */
bool app_loader_edit(struct app_loader *loader, const char *path, struct base_span text,
                     uint64_t revision);

/* What became of the last edit that was tried. */
struct app_loader_outcome {
    uint64_t revision; /* as given to app_loader_edit; 0: none yet */
    bool shown;
    double seconds; /* that reading and compiling took */
    size_t message_count;
    struct base_diag messages[BASE_DIAG_LIST_MAX];
};
void app_loader_outcome(struct app_loader *loader, struct app_loader_outcome *outcome);

/* The same of the preset's file `path`, as it was found last, with a revision that rises. False if
 * the last file was another one, or the outcome is that of revision `known`. */
bool app_loader_file_outcome(struct app_loader *loader, const char *path, uint64_t known,
                             struct app_loader_outcome *outcome);

/* How many were loaded, and how many could not be. Any thread. */
struct app_loader_counts {
    unsigned loaded;
    unsigned failed;
};
struct app_loader_counts app_loader_counts(const struct app_loader *loader);

#endif
