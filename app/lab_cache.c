/* Texture machines side by side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/cache_bench.h"
#include "app/cache_picture.h"
#include "app/cache_preset.h"
#include "app/lab.h"
#include "app/lab_cache_print.h"
#include "app/plot.h"
#include "app/progress.h"
#include "app/stop.h"
#include "tmu/arch_builtin.h"

enum { FRAMES = 60, SIZE_TEXT = 16, TITLE_MAX = 160 };

static const struct base_place NOWHERE = {0};

static bool is_png(const char *output)
{
    const size_t size = strlen(output);
    return size > 4 &&
           base_span_equal_nocase(base_span_of(output + size - 4), base_span_of(".png"));
}

/* Returns 0, or an enum app_exit with a message. */
static int check_usage(const struct app_options *options)
{
    const bool has_set = options->set != NULL;
    if (options->input_count > 2 || (has_set && options->input_count > 1)) {
        return app_lab_refuse_usage(options, "it takes one set or one preset");
    }
    if (!has_set && options->input_count < 2) {
        return app_lab_refuse_usage(options, "which set or preset?");
    }
    if (has_set && (options->audio != NULL || options->frames > 0)) {
        return app_lab_refuse_usage(options, "--audio and --frames belong to presets");
    }
    if (!has_set && options->picture != NULL) {
        return app_lab_refuse_usage(options, "--picture belongs to --set");
    }
    const char *const outputs[] = {options->output, options->picture};
    for (size_t i = 0; i < 2; i++) {
        if (outputs[i] != NULL && !is_png(outputs[i])) {
            base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = outputs[i]},
                        "give it a name like plot.png", "it will be a PNG picture");
            return APP_EXIT_USAGE;
        }
    }
    return 0;
}

static int add_sizes(struct app_cache_bench *bench, const struct app_options *options)
{
    const struct app_list *sizes = &options->cache_sizes;
    for (size_t i = 0; i < sizes->count; i++) {
        if (app_cache_sizes_add(bench, sizes->items[i], &base_diag_stderr) != 0) {
            return -1;
        }
    }
    if (sizes->count > 0) {
        return 0;
    }
    (void)app_cache_size_add(bench, APP_CACHE_OWN_SIZE);
    if (options->output != NULL) {
        app_cache_sizes_add_usual(bench);
    }
    return 0;
}

static int add_machines(struct app_cache_bench *bench, const struct app_options *options)
{
    const bool scan_out = options->set == NULL;
    const struct app_list *names = &options->arch;
    for (size_t i = 0; i < names->count; i++) {
        if (app_cache_machine_add(bench, names->items[i], scan_out, &base_diag_stderr) != 0) {
            return -1;
        }
    }
    for (size_t i = 0; names->count == 0 && tmu_arch_builtin_name(i) != NULL; i++) {
        if (app_cache_machine_add(bench, tmu_arch_builtin_name(i), scan_out, &base_diag_stderr) !=
            0) {
            return -1;
        }
    }
    return 0;
}

static uint64_t frames_of(const struct app_options *options)
{
    return options->frames > 0 ? options->frames : FRAMES;
}

static int feed_preset(struct app_cache_bench *bench, const struct app_options *options,
                       struct app_cache_runs *runs, struct base_pool *pool)
{
    const char *sound = options->audio != NULL ? options->audio : "demo";
    struct app_cache_preset *preset =
        app_cache_preset_open(options->inputs[1], sound, pool, &base_diag_stderr);
    if (preset == NULL) {
        return -1;
    }
    const uint64_t frames = frames_of(options);
    struct app_progress progress;
    uint64_t done = 0;
    app_progress_begin(&progress, stderr, "frames", frames);
    while (done < frames && !app_stop_wanted()) {
        app_cache_preset_next(preset, runs);
        app_cache_bench_feed(bench, runs, pool);
        app_progress_step(&progress, ++done);
    }
    app_progress_end(&progress, done, false);
    app_cache_preset_close(preset);
    if (done < frames) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "stopped");
    }
    return done == frames ? 0 : -1;
}

static int feed(struct app_cache_bench *bench, const struct app_options *options)
{
    struct app_cache_runs *runs = calloc(1, sizeof *runs);
    if (runs == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "not enough memory");
        return -1;
    }
    int result = 0;
    struct base_pool *pool = base_pool_create(base_processor_count());
    if (options->set != NULL) {
        app_cache_runs_set(runs, options->set);
        app_cache_bench_feed(bench, runs, pool);
        if (options->picture != NULL) {
            result = app_cache_picture(&bench->machines[0], &runs->runs[0], options->picture,
                                       &base_diag_stderr);
        }
    } else {
        result = feed_preset(bench, options, runs, pool);
    }
    base_pool_destroy(pool);
    free(runs);
    return result;
}

/* The sizes in growing order, without the machines' own. */
struct columns {
    size_t index[APP_CACHE_SIZES_MAX]; /* in the bench */
    double x[APP_CACHE_SIZES_MAX];
    char texts[APP_CACHE_SIZES_MAX][SIZE_TEXT];
    const char *names[APP_CACHE_SIZES_MAX];
    size_t count;
};

static void make_columns(struct columns *columns, const struct app_cache_bench *bench)
{
    columns->count = 0;
    for (size_t i = 0; i < bench->size_count; i++) {
        const uint32_t bytes = bench->sizes[i];
        if (bytes == APP_CACHE_OWN_SIZE) {
            continue;
        }
        size_t at = columns->count++;
        for (; at > 0 && bench->sizes[columns->index[at - 1]] > bytes; at--) {
            columns->index[at] = columns->index[at - 1];
        }
        columns->index[at] = i;
    }
    for (size_t i = 0; i < columns->count; i++) {
        const uint32_t bytes = bench->sizes[columns->index[i]];
        columns->x[i] = bytes;
        columns->names[i] = columns->texts[i];
        app_cache_size_text(bytes, columns->texts[i], SIZE_TEXT);
    }
}

static int draw_plot(const struct app_cache_bench *bench, const char *input, const char *output)
{
    struct columns columns;
    double values[APP_CACHE_MACHINES_MAX][APP_CACHE_SIZES_MAX];
    struct app_plot_line lines[APP_CACHE_MACHINES_MAX];
    char title[TITLE_MAX];
    make_columns(&columns, bench);
    for (size_t i = 0; i < bench->machine_count; i++) {
        for (size_t k = 0; k < columns.count; k++) {
            values[i][k] = app_cache_hit_percent(app_cache_model_of(bench, i, columns.index[k]));
        }
        lines[i] = (struct app_plot_line){bench->machines[i].name, values[i]};
    }
    const char *slash = strrchr(input, '/');
    (void)snprintf(title, sizeof title, "Texel caches: %s", slash != NULL ? slash + 1 : input);
    const struct app_plot plot = {
        .title = title,
        .x_title = "size of the cache in bytes",
        .y_title = "hit rate, %",
        .x = columns.x,
        .x_names = columns.names,
        .columns = columns.count,
        .lines = lines,
        .line_count = bench->machine_count,
        .y_max = 100,
    };
    return app_plot_write(&plot, output, &base_diag_stderr);
}

static void print(const struct app_cache_bench *bench, const struct app_options *options)
{
    const bool set = options->set != NULL;
    const struct app_lab_cache_view view = {
        .bench = bench,
        .input = set ? options->set : options->inputs[1],
        .frames = set ? 0 : frames_of(options),
        .size_end = bench->asked_count,
    };
    if (options->json) {
        app_lab_cache_print_json(&view, stdout);
    } else {
        app_lab_cache_print(&view, stdout);
    }
}

/* Returns 0, or -1 if something that was asked for is missing, which has been reported. */
static int measure(struct app_cache_bench *bench, const struct app_options *options)
{
    const int errors = app_cache_bench_start(bench, &base_diag_stderr);
    if (errors < 0 || feed(bench, options) != 0) {
        return -1;
    }
    print(bench, options);
    const char *input = options->set != NULL ? options->set : options->inputs[1];
    if (options->output != NULL && draw_plot(bench, input, options->output) != 0) {
        return -1;
    }
    return errors == 0 ? 0 : -1;
}

int app_lab_cache(const struct app_options *options)
{
    const int refused = check_usage(options);
    if (refused != 0) {
        return refused;
    }
    struct app_cache_bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "not enough memory");
        return APP_EXIT_FAILED;
    }
    int result = APP_EXIT_USAGE;
    if (add_sizes(bench, options) == 0) {
        struct app_stop stop;
        app_stop_begin(&stop);
        result = add_machines(bench, options) == 0 && measure(bench, options) == 0
                     ? APP_EXIT_DONE
                     : APP_EXIT_FAILED;
        app_stop_end(&stop);
    }
    app_cache_bench_free(bench);
    free(bench);
    return result;
}
