/* How long compiling takes. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "app/board_patch.h"
#include "app/errors.h"
#include "app/json.h"
#include "app/lab.h"
#include "app/lab_presets.h"
#include "app/plain.h"
#include "renderer/renderer.h"

/* The shortest of so many tries counts: what is longer is the rest of the machine. */
enum { TRIES = 3, COLUMNS = 1 + PFPU_BOARD_SCHEDULERS };

struct timing {
    double ms;
    const char *path;
};

/* Both return seconds; negative if the preset does not compile. */
static double host_seconds(const char *path)
{
    struct app_errors errors = {0};
    const struct base_diag_sink sink = app_errors_sink(&errors);
    struct preset preset;
    if (preset_read_file(&preset, path, NULL) != 0) {
        return -1;
    }
    struct timespec start;
    struct timespec end;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    struct rend_patch *patch = rend_patch_create(&preset, NULL, &sink);
    const bool compiled = patch != NULL;
    rend_patch_free(patch);
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    preset_free(&preset);
    if (!compiled || errors.count > 0) {
        return -1;
    }
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

static double board_seconds(const char *path, enum pfpu_board_scheduler scheduler)
{
    struct app_board_patch patch;
    const int read =
        app_board_patch_load(&patch, path, &pfpu_target_milkymist_one, scheduler, NULL);
    const double result = read == 0 && patch.board != NULL ? patch.seconds : -1;
    app_board_patch_free(&patch);
    return result;
}

/* Column 0: the host. */
static double seconds(const char *path, int column)
{
    return column == 0 ? host_seconds(path)
                       : board_seconds(path, (enum pfpu_board_scheduler)(column - 1));
}

static double shortest(const char *path, int column)
{
    double best = seconds(path, column);
    for (int i = 1; i < TRIES && best >= 0; i++) {
        const double next = seconds(path, column);
        best = next < best ? next : best;
    }
    return best;
}

static int by_time(const void *a, const void *b)
{
    const double one = ((const struct timing *)a)->ms;
    const double other = ((const struct timing *)b)->ms;
    return (one > other) - (one < other);
}

static void print(const char *what, const struct timing *timings, size_t count, size_t all,
                  bool json)
{
    const struct timing none = {0, ""};
    const struct timing median = count > 0 ? timings[count / 2] : none;
    const struct timing worst = count > 0 ? timings[count - 1] : none;
    if (!json) {
        (void)printf("%-24s %4zu presets, %zu left out, median %.3f ms, worst %.3f ms (", what,
                     count, all - count, median.ms, worst.ms);
        app_plain(stdout, worst.path);
        (void)fputs(")\n", stdout);
        return;
    }
    (void)printf("{\"compiler\":\"%s\",\"presets\":%zu,\"left_out\":%zu,\"median_ms\":", what,
                 count, all - count);
    app_json_number(stdout, median.ms);
    (void)fputs(",\"worst_ms\":", stdout);
    app_json_number(stdout, worst.ms);
    (void)fputs(",\"worst\":", stdout);
    app_json_string(stdout, worst.path);
    (void)fputs("}\n", stdout);
}

/* False, with a message for each, if some cannot be read. */
static bool all_readable(const struct preset_list *list)
{
    bool all = true;
    for (size_t i = 0; i < list->count; i++) {
        struct preset preset;
        if (preset_read_file(&preset, list->paths[i], &base_diag_stderr) == 0) {
            preset_free(&preset);
        } else {
            all = false;
        }
    }
    return all;
}

/* False without memory. */
static bool measure(const struct preset_list *list, bool json)
{
    static const char *const names[COLUMNS] = {"host", "milkymist-one greedy",
                                               "milkymist-one critical", "milkymist-one pipelined"};
    struct timing *timings = calloc(list->count + 1, sizeof *timings);
    for (int column = 0; timings != NULL && column < COLUMNS; column++) {
        size_t count = 0;
        for (size_t i = 0; i < list->count; i++) {
            const double best = shortest(list->paths[i], column);
            timings[count] = (struct timing){1e3 * best, list->paths[i]};
            count += best >= 0 ? 1 : 0;
        }
        qsort(timings, count, sizeof *timings, by_time);
        print(names[column], timings, count, list->count, json);
    }
    const bool measured = timings != NULL;
    free(timings);
    return measured;
}

int app_lab_time(const struct app_options *options)
{
    struct preset_list list;
    int result = app_lab_presets(options, &list);
    if (result != APP_EXIT_USAGE) {
        const bool readable = all_readable(&list);
        result = measure(&list, options->json) && readable ? result : APP_EXIT_FAILED;
    }
    preset_list_free(&list);
    return result;
}
