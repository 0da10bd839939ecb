/* A show: one preset after the other, with transitions. Presets are made ready beside it, in any
 * thread; the painter takes them over without waiting. While two presets run at once, each has its
 * own canvas and sound; their pictures are mixed (spec/milk-rendering.md section 10). */
#ifndef RENDERER_SHOW_H
#define RENDERER_SHOW_H

#include "renderer/picture/transition.h"
#include "renderer/renderer.h"
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
 * next step replaces the first. */
void rend_show_take(struct rend_show *show, struct rend_cue *cue);

/* Whether a transition runs. */
bool rend_show_changes(const struct rend_show *show);

/* As rend_step; before the first cue the picture is black. */
unsigned rend_show_step(struct rend_show *show, const struct rend_input *input, uint32_t *pixels,
                        size_t stride);

/* A cue that is no longer used, which the caller frees in any thread that has time; NULL if there
 * is none. There is room for three of them: ask after every step and every take until it is
 * NULL. */
struct rend_cue *rend_show_retired(struct rend_show *show);

struct rend_moment rend_show_moment(const struct rend_show *show);

/* As rend_set_divisors, for every preset that runs now or later. */
void rend_show_set_divisors(struct rend_show *show, const int divisors[REND_SHADER_STAGES]);

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
