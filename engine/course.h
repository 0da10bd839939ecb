/* The course of a show: its steps, its transitions, and when the next preset comes by itself. */
#ifndef ENGINE_COURSE_H
#define ENGINE_COURSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "engine/rate.h"
#include "renderer/renderer.h"
#include "renderer/show.h"

/* Presets move in steps of their own. They are made for about 30 or 60 steps a second: where
 * pictures come at such a rate there is a step for each of them, at any other rate there are 60 a
 * second, so that presets neither race on a fast screen nor drag in a film of 24 pictures a second.
 * Step k (from 1) stands for the time k / steps. */

enum { ENGINE_STEPS_WHOLE = 256 };

struct engine_steps {
    struct engine_rate steps;
    struct engine_rate frames;
    bool blends; /* frames between two steps are mixed; else the newest step is shown */
};

/* step_rate: steps a second, 1..1000; 0 or less: as it is said above. */
struct engine_steps engine_steps_of(double step_rate, bool blends, struct engine_rate frames);

/* The step that frame `frame` (from 1) needs: the first one not before it. */
uint64_t engine_steps_due(const struct engine_steps *steps, uint64_t frame);

/* The share of that step in the picture, 1..ENGINE_STEPS_WHOLE; the rest belongs to the step
 * before.
 */
unsigned engine_steps_weight(const struct engine_steps *steps, uint64_t frame);

/* Which transition the next change of presets takes. */

struct engine_changes {
    struct base_rng rng;
    double seconds; /* of a transition; 0: hard cuts only */
    bool cut;       /* hard cuts, whatever `seconds` says */
    bool random;    /* every time a transition by chance; false: always `transition` */
    enum rend_transition transition;
    bool begun; /* a preset was shown before, so that there is something to change from */
};

/* transition: as engine_changes_set takes it, NULL for random; seconds: below 0 for the usual 2.7.
 */
struct engine_changes engine_changes_of(const char *transition, double seconds, uint64_t seed);

/* Takes another transition from now on; name: one of transitions.def, "random" or "cut". False, and
 * nothing changes, if there is none of this name. */
bool engine_changes_set(struct engine_changes *changes, const char *name);

/* The name that set it. */
const char *engine_changes_name(const struct engine_changes *changes);

/* What may have been meant by a name that is none. */
void engine_changes_hint(const char *name, char *hint, size_t size);

/* The next change. It takes `longest` seconds at most; the very first is a cut. */
struct rend_change engine_changes_next(struct engine_changes *changes, double longest);

/* The same with a transition of this name, for this once; empty: as usual. */
struct rend_change engine_changes_once(struct engine_changes *changes, const char *transition,
                                       double longest);

/* When the next preset comes by itself. Pure: time and what is heard go in. */

enum engine_auto_change { ENGINE_AUTO_STAY, ENGINE_AUTO_SOFT, ENGINE_AUTO_HARD };

struct engine_auto_vj {
    double advance; /* seconds for a preset */
    double vary;    /* seconds by which it is longer or shorter at most */
    unsigned beats; /* a cut comes after this number of beats; 0: never */
    bool hard;      /* also when the time is over */
    struct base_rng rng;
    double due;     /* time of the next change */
    unsigned heard; /* beats since the last change */
};

/* advance > 0; vary >= 0 (never more than nine tenths of advance count). */
void engine_auto_begin(struct engine_auto_vj *vj, double advance, double vary, uint64_t seed);

/* A preset has come, or was asked for. seconds: what the playlist wants, negative: nothing. */
void engine_auto_shown(struct engine_auto_vj *vj, double now, double seconds);

/* The show stands still for so many seconds, which do not count. */
void engine_auto_wait(struct engine_auto_vj *vj, double seconds);

/* Once for each frame: what is to be done now. beats: in the steps since the last frame, none if
 * there was no step; loud: the music asks for a cut. After a change it stays silent until
 * engine_auto_shown. */
enum engine_auto_change engine_auto_step(struct engine_auto_vj *vj, double now, unsigned beats,
                                         bool loud);

#endif
