/* Clocks that observe the stages of frames; and the project's own benchmark, which puts them to
 * use: how long presets take to load, and each stage of their frames, at several sizes, with one
 * thread and with more. */
#ifndef APP_BENCH_BENCH_H
#define APP_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/loading/loading.h"
#include "base/text.h"
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
/* Counts what has gone by since `from` to the frame that was counted last. */
void app_stage_times_count_more(struct app_stage_times *times, struct app_time from);

/* The stage's name, such as "warp"; and the stage that it is a part of, or itself. */
const char *app_stage_name(enum rend_stage stage);
enum rend_stage app_stage_within(enum rend_stage stage);

/* A table: for each stage and the whole frame the means over the frames in milliseconds. */
void app_stage_times_print(const struct app_stage_times *times, FILE *out);

/* ---- froth bench ---- */

enum {
    APP_BENCH_SIZES_MAX = 8,
    APP_BENCH_CASES_MAX = 2 * APP_BENCH_SIZES_MAX,
    APP_BENCH_ROWS = 1 + REND_STAGES, /* the whole frame, then its stages */
    APP_BENCH_SERIES_MAX = 1 + APP_BENCH_CASES_MAX * APP_BENCH_ROWS,
    APP_BENCH_FRAMES_MAX = 10000,
    APP_BENCH_SAMPLES = 735, /* of each frame, of which there are 60 a second */
};

struct app_bench_case {
    int width;
    int height;
    size_t threads;
};

/* Series 0 is loading: reading and compiling, the shortest of some tries. Then come the rows of
 * each case. A series has one value for each preset. */
struct app_bench {
    struct app_bench_case cases[APP_BENCH_CASES_MAX];
    size_t case_count;
    size_t frames; /* of each preset, in each case */
    enum base_cpu_level cpu;
    struct engine_device *device; /* that computes shaders; NULL: the processor */
    struct app_textures textures;
    size_t memory;                    /* bytes that a preset may take */
    struct rend_resources *resources; /* of the preset in work; owned */
    float *sound;                     /* of all frames; owned */
    struct app_time *values;          /* [series * capacity + preset]: mean of a frame; owned */
    const char **paths;               /* of the presets that were measured; the array is owned */
    size_t presets;                   /* presets that were measured */
    size_t left_out;                  /* presets that did not load */
    size_t capacity;                  /* of presets */
    struct app_time scratch[APP_BENCH_SERIES_MAX]; /* of the preset in work */
    struct app_stage_times times;
};

/* Adds the cases of a size, or of several with commas between: one thread and, if it is more,
 * `threads`. Returns 0, or -1 with a message. */
int app_bench_add_sizes(struct app_bench *bench, const char *text, size_t threads,
                        const struct base_diag_sink *sink);

size_t app_bench_series_count(const struct app_bench *bench);

/* What a series has measured. */
struct app_bench_series {
    struct app_bench_case of; /* threads is 0 for loading */
    const char *name;
    bool inner; /* the stage is a part of the one above */
};
struct app_bench_series app_bench_series(const struct app_bench *bench, size_t series);

/* Figures of a series over all presets that were measured, at least one. */
struct app_bench_figures {
    struct app_time median;
    struct app_time most; /* what nine of ten presets do not exceed */
    struct app_time worst;
    const char *worst_path; /* by processor time */
};
struct app_bench_figures app_bench_figures(const struct app_bench *bench, size_t series);

/* An older run. */
struct app_bench_before {
    double median[APP_BENCH_SERIES_MAX]; /* of processor seconds; NaN where it has none */
    double worst[APP_BENCH_SERIES_MAX];
    char set[24]; /* hash of the names of the presets in hex; empty: not known */
    char cpu[24];
    int64_t frames;
};

/* Reads what `froth bench --json` printed once; the bench has its cases. Returns 0, or -1 with a
 * message. */
int app_bench_read(struct app_bench_before *before, const struct app_bench *bench, const char *path,
                   const struct base_diag_sink *sink);

/* Warns if the older run was about something else. */
void app_bench_warn(const struct app_bench_before *before, const struct app_bench *bench,
                    const char *path, const struct base_diag_sink *sink);

/* now/before, NaN if there is none. */
double app_bench_ratio(double before, double now);

/* More than a tenth, and more than what the clocks can tell. */
bool app_bench_slower(double before, double now);

/* before: NULL if there is nothing to compare with. */
void app_bench_print(const struct app_bench *bench, const struct app_bench_before *before,
                     FILE *out);
void app_bench_print_json(const struct app_bench *bench, const struct app_bench_before *before,
                          FILE *out);

/* ---- froth bench --library ---- */

/* Draws the frames of all presets in each case, and prints to standard output what they take: by
 * bare steps, by a show as the program has it, and by one of a host. Returns 0, or -1 with a
 * message, also if the last two paint different pictures. Those that do not load are counted. */
int app_bench_beside(struct app_bench *bench, const struct app_options *options,
                     const struct preset_list *list);

#endif
