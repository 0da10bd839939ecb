/* From measured times to what is printed about them. */
#include "app/bench.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Processor seconds; a change below that is the machine's. */
static const double NOISE = 2e-6;

struct app_bench_series app_bench_series(const struct app_bench *bench, size_t series)
{
    if (series == 0) {
        return (struct app_bench_series){.name = "load"};
    }
    const size_t row = (series - 1) % APP_BENCH_ROWS;
    const struct app_bench_case of = bench->cases[(series - 1) / APP_BENCH_ROWS];
    if (row == 0) {
        return (struct app_bench_series){of, "frame", false};
    }
    const enum rend_stage stage = (enum rend_stage)(row - 1);
    return (struct app_bench_series){of, app_stage_name(stage), app_stage_within(stage) != stage};
}

static int by_value(const void *a, const void *b)
{
    const double one = *(const double *)a;
    const double other = *(const double *)b;
    return (one > other) - (one < other);
}

/* Sorts. Of an even number the upper of the two in the middle. */
static double median_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

static double median_over(const struct app_time *values, size_t count, bool wall)
{
    double *copy = malloc(count * sizeof *copy);
    if (copy == NULL) {
        return NAN;
    }
    for (size_t i = 0; i < count; i++) {
        copy[i] = wall ? values[i].wall : values[i].cpu;
    }
    const double median = median_of(copy, count);
    free(copy);
    return median;
}

struct app_bench_figures app_bench_figures(const struct app_bench *bench, size_t series)
{
    assert(bench->presets > 0);
    const struct app_time *values = &bench->values[series * bench->capacity];
    size_t worst = 0;
    for (size_t i = 1; i < bench->presets; i++) {
        worst = values[i].cpu > values[worst].cpu ? i : worst;
    }
    return (struct app_bench_figures){
        .median = {median_over(values, bench->presets, false),
                   median_over(values, bench->presets, true)},
        .worst = values[worst],
        .worst_path = bench->paths[worst],
    };
}

uint64_t app_bench_set(const struct app_bench *bench)
{
    uint64_t hash = BASE_HASH_START;
    for (size_t i = 0; i < bench->presets; i++) {
        const char *slash = strrchr(bench->paths[i], '/');
        const char *name = slash != NULL ? slash + 1 : bench->paths[i];
        hash = base_hash(hash, name, strlen(name));
    }
    return hash;
}

double app_bench_ratio(double before, double now)
{
    return before > 0 ? now / before : NAN;
}

bool app_bench_slower(double before, double now)
{
    return now > 1.1 * before && now - before > NOISE;
}
