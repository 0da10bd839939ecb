/* The last seconds of a recording as a video, made by another froth at low priority. */
#ifndef APP_SET_CLIP_H
#define APP_SET_CLIP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/text.h"

/* Zero-initialise. */
struct app_set_clips {
    const struct base_diag_sink *sink;
    pthread_t thread;
    bool runs;
    atomic_bool busy; /* one is being made */
    atomic_bool quit;
    char set[4096];
    char video[4096 + 64];
    double from;
    double to;
};

/* Makes FOLDER/clips/H-MM-SS.mp4 of what lies between two times, unless one is being made. Says so
 * when it is there, or why it is not. By one thread. */
void app_set_clips_make(struct app_set_clips *clips, const char *folder, double from, double to);

/* Waits for none: what is being made goes on without this process. */
void app_set_clips_close(struct app_set_clips *clips);

#endif
