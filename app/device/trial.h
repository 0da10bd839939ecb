/* A device on trial: its arithmetic, whole frames, and its time. */
#ifndef APP_DEVICE_TRIAL_H
#define APP_DEVICE_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { APP_TRIAL_WHY = 240, APP_TRIAL_FRAMES = 20 };

struct app_trial {
    bool passed;
    bool unsure;             /* it did not come to an end, for want of memory or of the device */
    size_t numbers;          /* that were compared, all equal */
    double device_ms;        /* of a frame of 640x360 with two shaders */
    double processor_ms;     /* the same without the device, by all threads */
    char why[APP_TRIAL_WHY]; /* it did not pass */
};

/* Takes some seconds. */
struct app_trial app_trial_run(const char *key);

/* The same in a process of its own, `froth devices trial KEY`: a driver that ends it, or does not
 * come back within minutes, has failed. */
struct app_trial app_trial_run_apart(const char *key);

/* A trial as a line of text, and back. False: it is none. */
void app_trial_print(FILE *out, const struct app_trial *trial);
bool app_trial_read(struct app_trial *trial, const char *line);

#endif
