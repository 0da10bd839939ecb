/* The project's own benchmark: how long presets take to load, and each stage of their frames, at
 * several sizes, with one thread and with more. */
#ifndef APP_BENCH_BENCH_H
#define APP_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "app/bench/stage_times.h"
#include "base/diag.h"

enum {
    APP_BENCH_SIZES_MAX = 8,
    APP_BENCH_CASES_MAX = 2 * APP_BENCH_SIZES_MAX,
    APP_BENCH_ROWS = 1 + REND_STAGES, /* the whole frame, then its stages */
    APP_BENCH_SERIES_MAX = 1 + APP_BENCH_CASES_MAX * APP_BENCH_ROWS,
    APP_BENCH_FRAMES_MAX = 10000,
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
    const char *textures;             /* folder of pictures, may be NULL */
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

#endif
