/* Texture machines at several sizes of their caches, which all meet the same runs. */
#ifndef APP_LAB_MAPPER_MACHINES_H
#define APP_LAB_MAPPER_MACHINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/lab/mapper/runs.h"
#include "app/options/options.h"
#include "base/diag.h"
#include "base/os/thread.h"
#include "tmu/models/arch.h"
#include "tmu/models/sim.h"

enum {
    APP_CACHE_MACHINES_MAX = APP_LIST_MAX,
    APP_CACHE_SIZES_MAX = 32,
    APP_CACHE_OWN_SIZE = 0, /* the one in the machine's file */
};

enum app_cache_state {
    APP_CACHE_RUNS,     /* it is there */
    APP_CACHE_NO_SIZE,  /* the machine cannot have this size */
    APP_CACHE_CONFLICT, /* texels of one pixel would drive each other out */
};

/* One machine at one size. */
struct app_cache_model {
    enum app_cache_state state;
    struct tmu_arch arch;
    struct tmu_sim *sim; /* NULL if it does not run */
};

/* Plain data; zero until it is filled, so that freeing needs no order. */
struct app_cache_bench {
    struct tmu_arch machines[APP_CACHE_MACHINES_MAX];
    size_t machine_count;
    uint32_t sizes[APP_CACHE_SIZES_MAX]; /* bytes, or APP_CACHE_OWN_SIZE; no two are equal */
    size_t size_count;
    size_t asked_count; /* the first ones were asked for, the others are tried where they fit */
    struct app_cache_model *models; /* all sizes of the first machine, then of the second, ... */
};

/* Adds a size that was asked for, which must not follow those of app_cache_sizes_add_usual. False
 * if there are too many. */
bool app_cache_size_add(struct app_cache_bench *bench, uint32_t bytes);

/* Adds what an option --size says: "2K,4096". Returns 0, or -1 with a message. */
int app_cache_sizes_add(struct app_cache_bench *bench, const char *text,
                        const struct base_diag_sink *sink);

/* Adds 2K to 128K, the sizes of the thesis' table, as far as they are not there. */
void app_cache_sizes_add_usual(struct app_cache_bench *bench);

/* "16K", "1000"; the text needs 16 bytes. */
void app_cache_size_text(uint32_t bytes, char *text, size_t size);

/* Adds a machine. name: one that comes with froth, or, if it holds a '/' or a '.', the path of a
 * machine file. With `scan_out` the screen is read from the same memory at the same time; this
 * takes place if the memory has a page model and the file names no other traffic. Returns 0, or -1
 * with a message. */
int app_cache_machine_add(struct app_cache_bench *bench, const char *name, bool scan_out,
                          const struct base_diag_sink *sink);

/* Makes the models. If a machine cannot have a size that was asked for, or texels conflict in it,
 * that is an error which leaves the other models alone. Returns how many such errors there are, or
 * -1 with a message without memory. */
int app_cache_bench_start(struct app_cache_bench *bench, const struct base_diag_sink *sink);
void app_cache_bench_free(struct app_cache_bench *bench);

const struct app_cache_model *app_cache_model_of(const struct app_cache_bench *bench,
                                                 size_t machine, size_t size);

/* Gives the runs to all models. */
void app_cache_bench_feed(struct app_cache_bench *bench, const struct app_cache_runs *runs,
                          struct base_pool *pool);

/* Hits of all requests in percent; NaN for a model that does not run. */
double app_cache_hit_percent(const struct app_cache_model *model);

#endif
