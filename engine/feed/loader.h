/* Makes the presets of a show ready: in the order of who keeps it, and those that are named; by a
 * thread beside the show, or within the call that wants one. */
#ifndef ENGINE_FEED_LOADER_H
#define ENGINE_FEED_LOADER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/course.h"
#include "engine/feed/order.h"
#include "engine/loading.h"
#include "renderer/picture/resources.h"
#include "renderer/show.h"

/* A compiled preset with the text that it was made of; belongs to those of engine_loaded that name
 * it. */
struct engine_preset {
    struct rend_patch *patch;
    char *text;
    size_t size;
    unsigned users; /* under the loader's lock */
    char path[ENGINE_PATH];
    char name[ENGINE_PRESET_NAME];
};

/* A preset with everything that a show needs of it; rend_cue_user of the cue gives it back. */
struct engine_loaded {
    struct engine_preset *preset;
    struct rend_cue *cue;
    void *dress;                /* what the dresser made for it; may be NULL */
    struct engine_loaded *next; /* for the loader's use */
    struct rend_change change;  /* what the cue was made with, */
    struct rend_moment moment;  /* and at which moment */
    double seconds;             /* how long it is to be shown; below 0: as usual */
    uint32_t number;            /* of the order; ENGINE_NUMBER_NONE: in none */
    bool soft;                  /* it comes with a transition */
    bool again;                 /* another version of the preset that was made ready before */
};

/* What else belongs to a preset that is shown, such as its name, ready to be drawn. Called by who
 * loads. */
struct engine_dresser {
    void *user;
    void *(*make)(void *user, const struct engine_choice *choice, const char *name);
    void (*free)(void *dress); /* NULL is fine */
};

struct engine_loader;

struct engine_loader_setup {
    struct rend_config config;
    struct engine_changes changes;
    double planned;                /* seconds for which a preset is shown; 0: not known */
    struct rend_pictures pictures; /* where those come from that shaders name */
    bool random;                   /* of a plain order */
    bool beside;                   /* by a thread */
    /* Who keeps the order, with all its functions: the thread begins with the first of it that can
     * be loaded. step NULL: a plain order, which engine_loader_add fills. */
    struct engine_source source;
    struct engine_dresser dresser; /* make NULL: there is none */
    /* Follows the running preset's file, where there is a thread: when that changes, it comes
     * again, unless it now has errors and had none before. These are reported; the former version
     * stays. When it is gone, this is reported once, what runs goes on, and it is loaded again when
     * it is back. */
    bool watches;
    /* The first preset is one that this machine draws in time with all its pixels; a few steps of
     * those that come before are drawn to see that, with the config's pool, which nobody else may
     * use until the first one can be taken. */
    bool opens;
    /* Nothing is made ready before it is asked for: a state is restored first. */
    bool resumes;
};

/* Messages go to the sink, from the thread that loads. NULL without memory or thread. */
struct engine_loader *engine_loader_create(const struct engine_loader_setup *setup,
                                           const struct base_diag_sink *sink);

/* Ends the thread and frees everything that was not taken, or was retired. NULL is fine. */
void engine_loader_free(struct engine_loader *loader);

/* ---- for any thread but the one that paints: these wait for each other, and for a preset that is
 * being loaded ---- */

/* As of engine_order_add and engine_order_add_text, of a plain order. The first preset of a loader
 * without one is asked for by itself. */
long engine_loader_add(struct engine_loader *loader, const char *path);
int engine_loader_add_text(struct engine_loader *loader, const char *name, struct base_span text);

/* What runs goes on. */
void engine_loader_clear(struct engine_loader *loader);

/* Stores the path or name; false if there is no such preset. */
bool engine_loader_path(struct engine_loader *loader, size_t item, char *path, size_t size);

/* Makes this one of the order ready. 0, or -1 after messages. */
int engine_loader_choose(struct engine_loader *loader, uint32_t number, bool hard);

/* Makes the file ready, or, if text.data is not NULL, this text of that name. 0, or -1
 * after messages. */
int engine_loader_load(struct engine_loader *loader, const char *path, struct base_span text,
                       bool hard);

/* Makes the file ready, with this transition (empty: as usual), to be shown for so many seconds.
 * Its patch, which stays as long as it is in use; NULL after messages. */
const struct rend_patch *engine_loader_load_for(struct engine_loader *loader, const char *path,
                                                const char *transition, double seconds);

/* Presets are made for this config from now on. Returns the newest one made for it, with a cut: the
 * one that waits to be taken, else `current` (NULL: none), of which the caller still gives its own
 * back. NULL if there is none, or without memory: *failed then. */
struct engine_loaded *engine_loader_resize(struct engine_loader *loader,
                                           const struct rend_config *config,
                                           const struct engine_loaded *current, bool *failed);

/* Makes a preset ready for a state that is restored, or a show that is repeated, with that change:
 * `like`'s, or if it is NULL the text of that name. moment: what its init equations find; NULL: the
 * show as it is. NULL after messages. */
struct engine_loaded *engine_loader_remake(struct engine_loader *loader,
                                           const struct engine_loaded *like, const char *path,
                                           struct base_span text, const struct rend_change *change,
                                           const struct rend_moment *moment);

/* ---- for any thread but the one that paints: these wait for no preset ---- */

/* The preset of this path runs, from a state: its file is followed, where files are. */
void engine_loader_follow(struct engine_loader *loader, const char *path);

/* What transitions are like now, with the next one's chance: to be looked at, or kept and put back.
 */
struct engine_changes engine_loader_changes(struct engine_loader *loader);
void engine_loader_put_changes(struct engine_loader *loader, const struct engine_changes *changes);

/* The same where nobody else looks at them just now; false: somebody does. Never waits. */
bool engine_loader_try_changes(struct engine_loader *loader, struct engine_changes *changes);

/* Compiles a text in place of the running preset's file `path`, and shows it if it is not worse
 * than what runs: one with errors does not take the place of one without. The text is copied; a
 * later one replaces one that waits. false without memory. */
bool engine_loader_edit(struct engine_loader *loader, const char *path, struct base_span text,
                        uint64_t revision);

/* What became of the last edit that was tried. */
struct engine_loader_outcome {
    uint64_t revision; /* as given to engine_loader_edit; 0: none yet */
    bool shown;
    double seconds; /* that reading and compiling took */
    size_t message_count;
    struct base_diag messages[BASE_DIAG_LIST_MAX];
};
void engine_loader_outcome(struct engine_loader *loader, struct engine_loader_outcome *outcome);

/* The same of the preset's file `path`, as it was found last, with a revision that rises. False if
 * the last file was another one, or the outcome is that of revision `known`. */
bool engine_loader_file_outcome(struct engine_loader *loader, const char *path, uint64_t known,
                                struct engine_loader_outcome *outcome);

/* Waits until a preset can be taken or none is asked for, at most so many seconds. Returns whether
 * one can be. */
bool engine_loader_wait(struct engine_loader *loader, double seconds);

/* ---- for any thread: these never wait, lock or allocate ---- */

/* Asks for this one of the order. */
void engine_loader_want(struct engine_loader *loader, uint32_t number, bool hard);

/* Presets of a plain order come by chance from now on, or as they are listed. */
void engine_loader_random(struct engine_loader *loader, bool on);

/* Transitions take so many seconds from now on, or are of this kind, as engine_changes_set; false
 * if there is none such. */
void engine_loader_blend(struct engine_loader *loader, double seconds);
bool engine_loader_transition(struct engine_loader *loader, const char *name);

size_t engine_loader_count(const struct engine_loader *loader);

/* There is one preset at most, as far as is known: nothing comes after it by itself. */
bool engine_loader_alone(const struct engine_loader *loader);

/* None of the source's presets could be loaded, not one so far; the loader has given up. */
bool engine_loader_failed(const struct engine_loader *loader);

/* How many were made ready, and how many of the source could not be. */
struct engine_loader_counts {
    unsigned loaded;
    unsigned failed;
};
struct engine_loader_counts engine_loader_counts(const struct engine_loader *loader);

/* ---- for the thread that paints: these never wait, lock or allocate, where the loader has a
 * thread ---- */

/* Asks for the preset that comes `steps` later in order. One that cannot be loaded is reported and
 * passed over. */
void engine_loader_step(struct engine_loader *loader, int steps, bool hard);

/* This one of the order is not fit to be shown: it is marked, and the next takes its place, with a
 * cut, if it is still the current one. It stays, unmarked, where there is no other. */
void engine_loader_reject(struct engine_loader *loader, uint32_t number);

/* Tells what the init equations of the next preset find. */
void engine_loader_tell(struct engine_loader *loader, const struct rend_moment *moment);

/* The newest preset that has not been taken yet, made now where there is no thread; NULL if there
 * is none. It is given back with engine_loader_retire (NULL is fine). */
struct engine_loaded *engine_loader_take(struct engine_loader *loader);
void engine_loader_retire(struct engine_loader *loader, struct engine_loaded *loaded);

#endif
