/* The sizes of a benchmark from the command line. */
#include "app/bench.h"

#include <stdlib.h>
#include <string.h>

static const struct base_place NOWHERE = {0};

/* A number of up to four digits, taken off the text. */
static bool take_number(const char **text, int *value)
{
    const size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > 4) {
        return false;
    }
    *value = 0;
    for (size_t i = 0; i < digits; i++) {
        *value = 10 * *value + (*(*text)++ - '0');
    }
    return *value >= REND_SIZE_MIN && *value <= REND_SIZE_MAX;
}

/* WxH up to a comma or the end. */
static bool take_size(const char **text, struct app_bench_case *of)
{
    if (!take_number(text, &of->width) || *(*text)++ != 'x' || !take_number(text, &of->height)) {
        return false;
    }
    return **text == ',' || **text == '\0';
}

/* Each has one case with a single thread. */
static size_t sizes_of(const struct app_bench *bench)
{
    size_t count = 0;
    for (size_t i = 0; i < bench->case_count; i++) {
        count += bench->cases[i].threads == 1;
    }
    return count;
}

static void add(struct app_bench *bench, struct app_bench_case of, size_t threads)
{
    of.threads = 1;
    bench->cases[bench->case_count++] = of;
    if (threads > 1) {
        of.threads = threads;
        bench->cases[bench->case_count++] = of;
    }
}

int app_bench_add_sizes(struct app_bench *bench, const char *text, size_t threads,
                        const struct base_diag_sink *sink)
{
    const char *at = text;
    do {
        struct app_bench_case of = {0};
        if (!take_size(&at, &of)) {
            base_report(sink, BASE_ERROR, NOWHERE,
                        "write WxH, 16x16 to 8192x8192, as 320x240,640x480",
                        "--sizes: '%.60s' are no sizes of pictures", text);
            return -1;
        }
        if (sizes_of(bench) == APP_BENCH_SIZES_MAX) {
            base_report(sink, BASE_ERROR, NOWHERE, NULL, "--sizes: there can be %d at most",
                        APP_BENCH_SIZES_MAX);
            return -1;
        }
        add(bench, of, threads);
    } while (*at++ == ',');
    return 0;
}
