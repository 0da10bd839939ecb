/* A device on trial: its arithmetic, whole frames, and its time. */
#ifndef APP_DEVICE_TRIAL_H
#define APP_DEVICE_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
