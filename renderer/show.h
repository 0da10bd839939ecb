/* A show: one preset after the other, with transitions. Presets are made ready beside it, in any
 * thread; the painter takes them over without waiting. While two presets run at once, each has its
 * own canvas and sound; their pictures are mixed (spec/milk-rendering.md section 10). */
#ifndef RENDERER_SHOW_H
#define RENDERER_SHOW_H

#include "renderer/picture/transition.h"
#include "renderer/renderer.h"
#include "renderer/shader/device.h"
#include "renderer/sound/analysis.h"

/* What a preset's init equations find: time and levels of the show. Plain data. */
struct rend_moment {
    double time;
    double fps;
    double frame;
    double absolute[REND_BANDS]; /* as in struct rend_analysis */
    double average[REND_BANDS];
    double long_average[REND_BANDS];
};

struct rend_change {
    enum rend_transition transition;
    double seconds; /* 0: a hard cut */
    uint64_t seed;  /* of what the transition leaves to chance */
    double planned; /* seconds until the next change, for `progress`; 0: unknown */
    void *user;     /* for the caller: rend_cue_user gives it back */
};

/* A preset with everything it needs to run. */
struct rend_cue;

/* Does all that takes time: gives compiled equations their memory, runs init equations, draws the
 * pattern of the transition. The patch must outlive the cue. NULL with a message without memory.
 * For any thread but the painter. */
struct rend_cue *rend_cue_create(const struct rend_config *config, const struct rend_patch *patch,
                                 const struct rend_change *change, const struct rend_moment *moment,
                                 const struct base_diag_sink *sink);
void rend_cue_free(struct rend_cue *cue);
void *rend_cue_user(const struct rend_cue *cue);

struct rend_show;

/* Black until the first cue. NULL without memory. */
struct rend_show *rend_show_create(const struct rend_config *config);

/* Retires all cues, for rend_show_retired. */
void rend_show_end(struct rend_show *show);

/* Frees the show and the cues that it still has. NULL is fine. */
void rend_show_free(struct rend_show *show);

/* Takes the cue over; it begins with the next step, on the canvas as it is. One that comes during a
 * transition begins from the picture as it stands; the two before it end. A second one before the
 * next step replaces the first. Where the cost of a frame is limited, a preset that takes more than
 * half of it is left without a transition, and one that does not fit into a frame with the other
 * stands still during it. */
void rend_show_take(struct rend_show *show, struct rend_cue *cue);

/* Whether a transition runs. */
bool rend_show_changes(const struct rend_show *show);

/* As rend_step; before the first cue the picture is black. Of two presets in a transition it tells
 * what was noticed of the one that comes. */
unsigned rend_show_step(struct rend_show *show, const struct rend_input *input, uint32_t *pixels,
                        size_t stride);

/* As rend_stays and rend_fetch; and where the picture lies, for whoever shows it there. */
bool rend_show_stays(const struct rend_show *show);
void rend_show_fetch(struct rend_show *show, uint32_t *pixels, size_t stride);
struct rend_device_shown rend_show_shown(const struct rend_show *show);

/* As rend_hear. */
void rend_show_hear(struct rend_show *show, const struct rend_input *input);

/* A cue that is no longer used, which the caller frees in any thread that has time; NULL if there
 * is none. There is room for three of them: ask after every step and every take until it is
 * NULL. */
struct rend_cue *rend_show_retired(struct rend_show *show);

/* Goes on where another show, of another size, stands, before the first step: the cue that was
 * taken hears on, and begins on the former's picture, scaled; if it is of the patch that ran there,
 * its equations go on. The former has ended; its cues, and
 * those that were retired and not asked for yet, are now this show's retired ones. */
void rend_show_follow(struct rend_show *show, struct rend_show *former);

struct rend_moment rend_show_moment(const struct rend_show *show);

/* As rend_set_divisors, for every preset that runs now or later. */
void rend_show_set_divisors(struct rend_show *show, const int divisors[REND_SHADER_STAGES]);

/* A show as bytes, as a rend in save.h: the rends of its cues, and how far a transition is. */
size_t rend_show_save_size(const struct rend_show *show);
size_t rend_show_save(const struct rend_show *show, void *bytes, size_t size);

/* The cues that a show may have. */
enum rend_role {
    REND_ROLE_FRONT,   /* runs, or comes */
    REND_ROLE_LEAVING, /* while a transition runs, unless its picture stands still */
    REND_ROLE_NEXT,    /* taken, without a step so far */
    REND_ROLES
};

/* What a cue of a saved show was made from. */
struct rend_saved_cue {
    bool there;
    uint64_t patch;            /* rend_patch_content */
    struct rend_change change; /* `user` is NULL */
};

/* The cues of a saved show, for the caller to make them. 0, or -1 with a message. */
int rend_show_saved_cues(const void *bytes, size_t size, struct rend_saved_cue saved[REND_ROLES],
                         const struct base_diag_sink *sink);

/* Takes over a saved show. cues: for each role that is there a new cue, made with that patch and
 * change, whatever its moment; or NULL, if the show's own cue in this role has that patch: going
 * back within a preset needs no new ones. 0: the show has taken the cues, and former ones are
 * retired (ask for them, as after a take). -1 with a message: the bytes or the cues are refused,
 * the show goes on as it was, and the cues stay the caller's. */
int rend_show_restore(struct rend_show *show, struct rend_cue *const cues[REND_ROLES],
                      const void *bytes, size_t size, const struct base_diag_sink *sink);

/* The preset that runs; during a transition, the one that comes. NULL before the first step with a
 * preset. Valid until the next step. */
const struct rend *rend_show_front(const struct rend_show *show);

/* Sets a value of the preset that runs; during a transition, of the one that comes. As
 * rend_set_value, which also says when it refuses; false, and nothing happens, before the first
 * step with a preset. */
bool rend_show_set_value(struct rend_show *show, size_t key, double value);

/* The same for the cue that was taken last, which may not have made a step yet. */
bool rend_show_set_newest(struct rend_show *show, size_t key, double value);

#endif
