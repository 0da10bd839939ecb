/* What a show has come to. */
#ifndef APP_COUNTERS_H
#define APP_COUNTERS_H

#include <stdint.h>
#include <stdio.h>

struct app_counters {
    uint64_t frames;
    uint64_t late;              /* came more than half a frame after their time */
    uint64_t steps;             /* of presets */
    unsigned shown;             /* presets */
    unsigned failed;            /* presets that could not be loaded */
    unsigned slow;              /* presets left because they were too slow */
    uint64_t events;            /* steps in which a preset ran out of its budgets */
    double memory_after_minute; /* bytes; 0: not yet */
    double memory;
    double most_after_minute; /* bytes; the most that was in use at any time until then */
    double most;
};

/* Bytes of memory that this process has in use; 0 where the system does not tell. Opens a file: not
 * for every frame. */
double app_memory_used(void);

/* Bytes of memory that this process had in use at most, at any time. Opens nothing. */
double app_memory_most(void);

/* One line for each, "counter NAME: VALUE". */
void app_counters_print(FILE *out, const struct app_counters *counters);

#endif
