/* When the next preset comes by itself. Pure: time and what is heard go in. */
#ifndef APP_AUTO_VJ_H
#define APP_AUTO_VJ_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "renderer/renderer.h"

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

/* Once for each frame: what is to be done now. heard: of the last step; loud: the music asks for a
 * cut. After a change it stays silent until app_auto_shown. */
enum app_auto_change app_auto_step(struct app_auto_vj *vj, double now,
                                   const struct rend_heard *heard, bool loud);

#endif
