/* What `froth lab cache` prints. */
#ifndef APP_LAB_CACHE_PRINT_H
#define APP_LAB_CACHE_PRINT_H

#include <stdio.h>

#include "app/cache_bench.h"

struct app_lab_cache_view {
    const struct app_cache_bench *bench;
    const char *input; /* name of the set, or path of the preset */
    uint64_t frames;   /* of the preset; 0: a set */
    size_t first_size; /* those from here to size_end are shown */
    size_t size_end;
};

/* Prints a table for every size, with the machines side by side, and, if there are several sizes,
 * another one of all hit rates; for a preset also the memory's load as the thesis has it. */
void app_lab_cache_print(const struct app_lab_cache_view *view, FILE *out);

/* One object for each machine and size. */
void app_lab_cache_print_json(const struct app_lab_cache_view *view, FILE *out);

#endif
