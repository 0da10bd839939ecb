#include "app/bench.h"

#include <stdlib.h>

#include "app/options.h"
#include "app/play_inputs.h"
#include "app/progress.h"
#include "app/stop.h"

enum { FRAMES = 60 };

static const struct base_place NOWHERE = {0};

/* Returns 0, or an enum app_exit with a message. */
static int configure(struct app_bench *bench, const struct app_options *options)
{
    static const char usual[] = "640x480,1280x720,1920x1080";
    const size_t threads = app_options_threads(options);
    bench->frames = options->frames > 0 ? (size_t)options->frames : FRAMES;
    bench->cpu = app_options_cpu(options);
    bench->textures = options->textures;
    for (size_t i = 0; i < options->sizes.count; i++) {
        if (app_bench_add_sizes(bench, options->sizes.items[i], threads, &base_diag_stderr) != 0) {
            return APP_EXIT_USAGE;
        }
    }
    if (options->sizes.count == 0) {
        (void)app_bench_add_sizes(bench, usual, threads, &base_diag_stderr);
    }
    return APP_EXIT_DONE;
}

static int measure(struct app_bench *bench, const struct preset_list *list)
{
    struct app_progress progress;
    app_progress_begin(&progress, stderr, "presets", list->count);
    const struct base_diag_sink sink = app_progress_sink(&progress);
    int result = 0;
    size_t done = 0;
    while (done < list->count && result == 0) {
        result = app_bench_measure(bench, list->paths[done], &sink);
        done += result == 0;
        app_progress_step(&progress, done);
    }
    app_progress_end(&progress, done, false);
    if (app_stop_wanted()) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "stopped");
    } else if (result == 0 && bench->presets == 0) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "there is no preset to measure");
        result = -1;
    }
    return result;
}

static void print(const struct app_bench *bench, const struct app_options *options,
                  const struct app_bench_before *before)
{
    if (before != NULL) {
        app_bench_warn(before, bench, options->compare, &base_diag_stderr);
    }
    if (options->json) {
        app_bench_print_json(bench, before, stdout);
    } else {
        app_bench_print(bench, before, stdout);
    }
}

/* Returns an enum app_exit. */
static int run(struct app_bench *bench, const struct app_options *options,
               struct app_bench_before *before)
{
    char folder[APP_PLAY_PATH_MAX];
    struct preset_list list = {0};
    if (options->compare != NULL &&
        app_bench_read(before, bench, options->compare, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    int result = app_play_inputs(&list, options, folder, &base_diag_stderr);
    if (result == 0) {
        result = app_bench_begin(bench, list.count, &base_diag_stderr);
    }
    if (result == 0) {
        result = measure(bench, &list);
    }
    if (result == 0) {
        print(bench, options, options->compare != NULL ? before : NULL);
    }
    preset_list_free(&list);
    return result == 0 && bench->left_out == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}

int app_bench(const struct app_options *options)
{
    struct app_bench *bench = calloc(1, sizeof *bench);
    struct app_bench_before *before = calloc(1, sizeof *before);
    int result = APP_EXIT_FAILED;
    if (bench == NULL || before == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "not enough memory");
    } else if ((result = configure(bench, options)) == APP_EXIT_DONE) {
        struct app_stop stop;
        app_stop_begin(&stop);
        result = run(bench, options, before);
        app_stop_end(&stop);
        app_bench_end(bench);
    }
    free(before);
    free(bench);
    return result;
}
