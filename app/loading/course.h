/* The course of a show: its steps, its transitions, and when the next preset comes by itself. */
#ifndef APP_LOADING_COURSE_H
#define APP_LOADING_COURSE_H

#include <stdbool.h>
#include <stdint.h>

#include "app/io/audio.h"
#include "app/options/options.h"
#include "base/random.h"
#include "renderer/renderer.h"
#include "renderer/show.h"

/* Presets move in steps of their own. They are made for about 30 or 60 steps a second: where
 * pictures come at such a rate there is a step for each of them, at any other rate there are 60 a
 * second, so that presets neither race on a fast screen nor drag in a film of 24 pictures a second.
 * Step k (from 1) stands for the time k / steps. */

enum { APP_STEPS_WHOLE = 256 };

struct app_steps {
    struct app_rate steps;
    struct app_rate frames;
    bool blends; /* frames between two steps are mixed; else the newest step is shown */
};

/* By --step-rate, --between and the rate of the frames. */
struct app_steps app_steps_of(const struct app_options *options, struct app_rate frames);

/* The step that frame `frame` (from 1) needs: the first one not before it. */
uint64_t app_steps_due(const struct app_steps *steps, uint64_t frame);

/* The share of that step in the picture, 1..APP_STEPS_WHOLE; the rest belongs to the step before.
 */
unsigned app_steps_weight(const struct app_steps *steps, uint64_t frame);

/* Which transition the next change of presets takes. */

struct app_changes {
    struct base_rng rng;
    double seconds; /* of a transition; 0: hard cuts only */
    bool cut;       /* hard cuts, whatever `seconds` says */
    bool random;    /* every time a transition by chance; false: always `transition` */
    enum rend_transition transition;
    bool begun; /* a preset was shown before, so that there is something to change from */
};

/* What --transition, --blend and --seed ask for. */
struct app_changes app_changes_of(const struct app_options *options);

/* Takes another transition from now on; name: as --transition takes it. False, and nothing changes,
 * if there is none of this name. */
bool app_changes_set(struct app_changes *changes, const char *name);

/* What may have been meant by a name that is none. */
void app_changes_hint(const char *name, char *hint, size_t size);

/* The next change. It takes `longest` seconds at most; the very first is a cut. */
struct rend_change app_changes_next(struct app_changes *changes, double longest);

/* The same with a transition of this name, as of --transition, for this once; empty: as usual. */
struct rend_change app_changes_once(struct app_changes *changes, const char *transition,
                                    double longest);

/* When the next preset comes by itself. Pure: time and what is heard go in. */

enum app_auto_change { APP_AUTO_STAY, APP_AUTO_SOFT, APP_AUTO_HARD };

struct app_auto_vj {
    double advance; /* seconds for a preset */
    double vary;    /* seconds by which it is longer or shorter at most */
    unsigned beats; /* a cut comes after this number of beats; 0: never */
    bool hard;      /* also when the time is over */
    struct base_rng rng;
    double due;     /* time of the next change */
    unsigned heard; /* beats since the last change */
};

/* advance > 0; vary >= 0 (never more than nine tenths of advance count). */
void app_auto_begin(struct app_auto_vj *vj, double advance, double vary, uint64_t seed);

/* A preset has come, or was asked for. seconds: what the playlist wants, negative: nothing. */
void app_auto_shown(struct app_auto_vj *vj, double now, double seconds);

/* The show stands still for so many seconds, which do not count. */
void app_auto_wait(struct app_auto_vj *vj, double seconds);

/* Once for each frame: what is to be done now. beats: in the steps since the last frame, none if
 * there was no step; loud: the music asks for a cut. After a change it stays silent until
 * app_auto_shown. */
enum app_auto_change app_auto_step(struct app_auto_vj *vj, double now, unsigned beats, bool loud);

#endif
