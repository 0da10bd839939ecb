/* A device on trial: its arithmetic, whole frames, and its time. */
#ifndef ENGINE_DEVICE_TRIAL_H
#define ENGINE_DEVICE_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

enum { ENGINE_TRIAL_WHY = 240, ENGINE_TRIAL_FRAMES = 20 };

/* What a frame of 1920x1080 takes, its picture brought to the processor, in milliseconds: of the
 * clock; of a driver that computes with the processor, and of what it is compared with, of all
 * processors' time, which others that work do not lengthen. */
struct engine_trial_times {
    double device;
    double processor; /* without the device, all threads */
};

struct engine_trial {
    bool passed;
    bool unsure;    /* it did not come to an end, for want of memory or of the device */
    bool busy;      /* others worked while it was timed by the clock: its times say little */
    bool doubles;   /* it passed with its floats of 64 bits, too */
    size_t numbers; /* that were compared, all equal */
    struct engine_trial_times shaded; /* with two shaders */
    struct engine_trial_times plain;  /* with none */
    char why[ENGINE_TRIAL_WHY];       /* it did not pass */
};

/* Takes some seconds. A driver may end the process, or not come back. */
struct engine_trial engine_trial_run(const char *key);

/* A trial as a line of text, and back. False: it is none. */
enum { ENGINE_TRIAL_LINE = 512 };
void engine_trial_print(char line[static ENGINE_TRIAL_LINE], const struct engine_trial *trial);
bool engine_trial_read(struct engine_trial *trial, const char *line);

#endif
