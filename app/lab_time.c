/* How long compiling takes. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "app/board_patch.h"
#include "app/json.h"
#include "app/lab.h"
#include "presets/library.h"
#include "renderer/renderer.h"

/* The shortest of so many tries counts: what is longer is the rest of the machine. */
enum { TRIES = 3, COLUMNS = 1 + PFPU_BOARD_SCHEDULERS };

struct timing {
    double ms;
    const char *path;
};

static double host_seconds(const struct preset *preset)
{
    struct timespec start;
    struct timespec end;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    rend_patch_free(rend_patch_create(preset, NULL));
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

/* Column 0: the host. Negative: the preset cannot be read. */
static double seconds(const char *path, int column)
{
    struct app_board_patch patch;
    const enum pfpu_board_scheduler scheduler =
        column == 0 ? PFPU_BOARD_GREEDY : (enum pfpu_board_scheduler)(column - 1);
    const int read =
        app_board_patch_load(&patch, path, &pfpu_target_milkymist_one, scheduler, NULL);
    const double result = read != 0     ? -1
                          : column == 0 ? host_seconds(&patch.preset)
                                        : patch.seconds;
    app_board_patch_free(&patch);
    return result;
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

static void print(const char *what, const struct timing *timings, size_t count, bool json)
{
    const struct timing none = {0, ""};
    const struct timing median = count > 0 ? timings[count / 2] : none;
    const struct timing worst = count > 0 ? timings[count - 1] : none;
    if (!json) {
        (void)printf("%-24s %4zu presets, median %.3f ms, worst %.3f ms (%s)\n", what, count,
                     median.ms, worst.ms, worst.path);
        return;
    }
    (void)printf("{\"compiler\":\"%s\",\"presets\":%zu,\"median_ms\":", what, count);
    app_json_number(stdout, median.ms);
    (void)fputs(",\"worst_ms\":", stdout);
    app_json_number(stdout, worst.ms);
    (void)fputs(",\"worst\":", stdout);
    app_json_string(stdout, worst.path);
    (void)fputs("}\n", stdout);
}

static bool measure(const struct preset_list *list, bool json)
{
    static const char *const names[COLUMNS] = {"host", "milkymist-one greedy",
                                               "milkymist-one critical", "milkymist-one pipelined"};
    struct timing *timings = calloc(list->count + 1, sizeof *timings);
    bool all = timings != NULL;
    for (int column = 0; timings != NULL && column < COLUMNS; column++) {
        size_t count = 0;
        for (size_t i = 0; i < list->count; i++) {
            const double best = shortest(list->paths[i], column);
            timings[count] = (struct timing){1e3 * best, list->paths[i]};
            count += best >= 0 ? 1 : 0;
        }
        all = all && count == list->count;
        qsort(timings, count, sizeof *timings, by_time);
        print(names[column], timings, count, json);
    }
    free(timings);
    return all;
}

int app_lab_time(const struct app_options *options)
{
    struct preset_list list = {0};
    bool good = true;
    if (options->input_count < 2) {
        return app_lab_refuse_usage(options, "which presets?");
    }
    for (size_t i = 1; i < options->input_count; i++) {
        good = preset_list_add(&list, options->inputs[i], &base_diag_stderr) == 0 && good;
    }
    good = measure(&list, options->json) && good;
    preset_list_free(&list);
    return good ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
