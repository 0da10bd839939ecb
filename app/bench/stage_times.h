/* How long the stages of frames take: an observer of the renderer with clocks. */
#ifndef APP_BENCH_STAGE_TIMES_H
#define APP_BENCH_STAGE_TIMES_H

#include <stdint.h>
#include <stdio.h>

#include "renderer/renderer.h"

/* Seconds. */
struct app_time {
    double cpu;  /* of the processor, all threads of the process added */
    double wall; /* that went by */
};

/* Not to be moved or copied: the observer points into it. */
struct app_stage_times {
    struct rend_observer observer; /* for rend_config */
    struct app_time stages[REND_STAGES];
    struct app_time frame; /* whole frames; sums since the last app_stage_times_clear */
    uint64_t frames;
    struct app_time began[REND_STAGES];
    double reading;    /* seconds that it takes to read the clocks */
    uint64_t readings; /* so far; what they took is not counted */
};

/* Measures the clocks; everything else is 0. */
void app_stage_times_begin(struct app_stage_times *times);
void app_stage_times_clear(struct app_stage_times *times);

/* Calls rend_step and measures it. The rend must have been created with the observer, and nothing
 * else of the process may be at work. */
unsigned app_stage_times_step(struct app_stage_times *times, struct rend *rend,
                              const struct rend_input *input, uint32_t *pixels, size_t stride);

/* The time now, of processor and clock; the difference of two tells what lies between. */
struct app_time app_stage_times_now(struct app_stage_times *times);

/* Counts a frame that began `from` and ends now. */
void app_stage_times_count(struct app_stage_times *times, struct app_time from);

/* The stage's name, such as "warp"; and the stage that it is a part of, or itself. */
const char *app_stage_name(enum rend_stage stage);
enum rend_stage app_stage_within(enum rend_stage stage);

/* A table: for each stage and the whole frame the means over the frames in milliseconds. */
void app_stage_times_print(const struct app_stage_times *times, FILE *out);

#endif
