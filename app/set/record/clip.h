/* The last seconds of a show as a video and a preset, made by another froth at low priority. */
#ifndef APP_SET_CLIP_H
#define APP_SET_CLIP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "app/set/past.h"
#include "base/text.h"

/* Zero-initialise. */
struct app_set_clips {
    const struct base_diag_sink *sink;
    pthread_t thread;
    bool runs;
    atomic_bool busy; /* one is being made */
    atomic_bool quit;
    struct app_set_past *past; /* NULL: the set is there */
    uint64_t last;             /* frame of the past */
    char set[4096];
    char video[4096 + 64];
    char preset[4096 + 64]; /* without its ending */
    double from;
    double to;
};

/* Makes FOLDER/clips/H-MM-SS.mp4 of what lies between two times of a recording, and beside it the
 * preset that is shown at its end, with its values, unless a clip is being made. Says so when it is
 * there, or why it is not. By one thread. */
void app_set_clips_make(struct app_set_clips *clips, const char *folder, double from, double to);

/* The same of a show that is not recorded: the last seconds until frame `last` become a set of
 * their own, among froth's own data, and its clip is made there. The past outlives the clips. */
void app_set_clips_keep(struct app_set_clips *clips, struct app_set_past *past, uint64_t last,
                        double seconds);

/* Waits for none: what is being made goes on without this process. */
void app_set_clips_close(struct app_set_clips *clips);

#endif
