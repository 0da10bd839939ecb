#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lab/lab.h"
#include "app/lab/mapper/machines.h"
#include "app/lab/plot.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "tmu/models/arch.h"

struct view {
    const struct app_cache_bench *bench;
    const char *input; /* name of the set, or path of the preset */
    uint64_t frames;   /* of the preset; 0: a set */
    size_t first_size; /* those from here to size_end are shown */
    size_t size_end;
};

enum { NAME_WIDTH = 26, COLUMN_WIDTH = 13, TEXT_MAX = 24 };

static struct tmu_sim_report report_of(const struct view *view, const struct app_cache_model *model)
{
    return tmu_sim_report(model->sim, (double)view->frames / APP_CACHE_FPS);
}

static uint64_t sum(const uint64_t counts[TMU_SIM_CHANNELS])
{
    uint64_t all = 0;
    for (int i = 0; i < TMU_SIM_CHANNELS; i++) {
        all += counts[i];
    }
    return all;
}

/* The rows of the table. Those that count are written without decimals, NaN as a dash. */
enum row {
    ROW_SIZE,
    ROW_PIXELS,
    ROW_REQUESTS,
    ROW_HITS,
    ROW_HIT_RATE,
    ROW_CHANNEL,
    ROW_REFILLS = ROW_CHANNEL + TMU_SIM_CHANNELS,
    ROW_REFILLED,
    ROW_STALLS,
    ROW_CONFLICTS,
    ROW_CYCLES,
    ROW_CYCLES_EACH,
    ROW_MEGAPIXELS,
    ROW_BUS_WORDS,
    ROW_BANDWIDTH,
    ROW_OCCUPANCY,
    ROW_ACCESS_TIME,
    ROW_BOUND,
    ROW_COUNT
};

static const struct {
    const char *name;
    int decimals;
} rows[ROW_COUNT] = {
    [ROW_SIZE] = {"cache, bytes", 0},
    [ROW_PIXELS] = {"pixels", 0},
    [ROW_REQUESTS] = {"requests", 0},
    [ROW_HITS] = {"hits", 0},
    [ROW_HIT_RATE] = {"hit rate, %", 2},
    [ROW_CHANNEL] = {"  of the texel", 2},
    [ROW_CHANNEL + 1] = {"  right of it", 2},
    [ROW_CHANNEL + 2] = {"  below it", 2},
    [ROW_CHANNEL + 3] = {"  right below it", 2},
    [ROW_REFILLS] = {"refills", 0},
    [ROW_REFILLED] = {"refilled, bytes per pixel", 2},
    [ROW_STALLS] = {"stalls, cycles", 0},
    [ROW_CONFLICTS] = {"conflicts, cycles", 0},
    [ROW_CYCLES] = {"cycles", 0},
    [ROW_CYCLES_EACH] = {"cycles per pixel", 2},
    [ROW_MEGAPIXELS] = {"megapixels per second", 1},
    [ROW_BUS_WORDS] = {"bus words", 0},
    [ROW_BANDWIDTH] = {"bandwidth, Mbit/s", 0},
    [ROW_OCCUPANCY] = {"occupancy of the bus, %", 1},
    [ROW_ACCESS_TIME] = {"access time, cycles", 2},
    [ROW_BOUND] = {"bound on it, Mbit/s", 0},
};

static double megabits(double bytes)
{
    return bytes * 8e-6;
}

static double value_of(const struct tmu_sim_report *report, const struct tmu_arch *arch,
                       enum row row)
{
    switch (row) {
    case ROW_SIZE:
        return arch->cache_bytes;
    case ROW_PIXELS:
        return (double)report->pixels;
    case ROW_REQUESTS:
        return (double)sum(report->requests);
    case ROW_HITS:
        return (double)sum(report->hits);
    case ROW_HIT_RATE:
        return 100 * report->hit_rate;
    case ROW_REFILLS:
        return (double)report->refills;
    case ROW_REFILLED:
        return (double)report->refills * arch->cache_line_bytes / (double)report->pixels;
    case ROW_STALLS:
        return (double)report->stalls;
    case ROW_CONFLICTS:
        return (double)report->conflicts;
    case ROW_CYCLES:
        return (double)report->cycles;
    case ROW_CYCLES_EACH:
        return (double)report->cycles / (double)report->pixels;
    case ROW_MEGAPIXELS:
        return report->megapixels;
    case ROW_BUS_WORDS:
        return (double)report->bus_words;
    case ROW_BANDWIDTH:
        return megabits(report->bandwidth);
    case ROW_OCCUPANCY:
        return 100 * report->occupancy;
    case ROW_ACCESS_TIME:
        return report->access_time;
    case ROW_BOUND:
        return megabits(report->bandwidth_bound);
    default:
        return 100.0 * (double)report->hits[row - ROW_CHANNEL] /
               (double)report->requests[row - ROW_CHANNEL];
    }
}

static void print_value(FILE *out, double value, int decimals)
{
    char text[TEXT_MAX] = "-";
    if (isfinite(value)) {
        (void)snprintf(text, sizeof text, "%.*f", decimals, value);
    }
    (void)fprintf(out, "  %*s", COLUMN_WIDTH, text);
}

static void print_machines(const struct view *view, FILE *out, const char *title)
{
    base_plain_cell(out, title, NAME_WIDTH);
    for (size_t i = 0; i < view->bench->machine_count; i++) {
        const char *name = view->bench->machines[i].name;
        const size_t size = strlen(name);
        (void)fprintf(out, "  %*s", size < COLUMN_WIDTH ? (int)(COLUMN_WIDTH - size) : 0, "");
        base_plain_cell(out, name, size < COLUMN_WIDTH ? size : COLUMN_WIDTH);
    }
    (void)fputc('\n', out);
}

static void print_row(const struct view *view, FILE *out, size_t size, enum row row)
{
    (void)fprintf(out, "%-*s", NAME_WIDTH, rows[row].name);
    for (size_t i = 0; i < view->bench->machine_count; i++) {
        const struct app_cache_model *model = app_cache_model_of(view->bench, i, size);
        double value = NAN;
        if (model->sim != NULL) {
            const struct tmu_sim_report report = report_of(view, model);
            value = value_of(&report, &model->arch, row);
        }
        print_value(out, value, rows[row].decimals);
    }
    (void)fputc('\n', out);
}

/* Six patches at 640x480 in 30 frames per second, on the slides to the thesis (Performance
 * measurement): Mbit/s carried, mean access time, bound in Mbit/s. The screen alone is the first.
 */
static const struct {
    const char *name;
    double bandwidth;
    double access_time;
    double bound;
} measured[] = {
    {"nothing but the screen", 292, 5.51, 3932},
    {"Bright Fiber Matrix 1", 990, 6.37, 3474},
    {"Swirlie 3", 1080, 6.71, 3320},
    {"Spacedust", 1021, 6.47, 3427},
    {"Snowflake Delight", 1399, 6.28, 3516},
    {"Balk Acid", 1427, 6.38, 3469},
};

static void print_memory_row(FILE *out, const char *name, double bandwidth, double occupancy,
                             double access_time, double bound)
{
    base_plain_cell(out, name, NAME_WIDTH);
    print_value(out, bandwidth, 0);
    print_value(out, occupancy, 1);
    print_value(out, access_time, 2);
    print_value(out, bound, 0);
    (void)fputc('\n', out);
}

static void print_memory(const struct view *view, FILE *out, size_t size)
{
    (void)fprintf(out, "%-*s  %*s  %*s  %*s  %*s\n", NAME_WIDTH, "memory, 640x480", COLUMN_WIDTH,
                  "Mbit/s", COLUMN_WIDTH, "occupancy, %", COLUMN_WIDTH, "access time", COLUMN_WIDTH,
                  "bound");
    for (size_t i = 0; i < view->bench->machine_count; i++) {
        const struct app_cache_model *model = app_cache_model_of(view->bench, i, size);
        if (model->sim != NULL) {
            const struct tmu_sim_report report = report_of(view, model);
            print_memory_row(out, model->arch.name, megabits(report.bandwidth),
                             100 * report.occupancy, report.access_time,
                             megabits(report.bandwidth_bound));
        }
    }
    (void)fputs("measured on the board, by the slides to the thesis:\n", out);
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        print_memory_row(out, measured[i].name, measured[i].bandwidth, NAN, measured[i].access_time,
                         measured[i].bound);
    }
    (void)fputc('\n', out);
}

/* Prints a table for every size, with the machines side by side, and, if there are several sizes,
 * another one of all hit rates; for a preset also the memory's load as the thesis has it. */
static void print(const struct view *view, FILE *out)
{
    for (size_t k = view->first_size; k < view->size_end; k++) {
        base_plain(out, view->input);
        if (view->frames > 0) {
            (void)fprintf(out, ", %" PRIu64 " frame%s, %d per second", view->frames,
                          base_plural(view->frames), APP_CACHE_FPS);
        }
        const uint32_t bytes = view->bench->sizes[k];
        if (bytes != APP_CACHE_OWN_SIZE) {
            char text[TEXT_MAX];
            app_cache_size_text(bytes, text, sizeof text);
            (void)fprintf(out, ", cache of %s", text);
        }
        (void)fputc('\n', out);
        print_machines(view, out, "");
        for (int row = 0; row < ROW_COUNT; row++) {
            print_row(view, out, k, (enum row)row);
        }
        (void)fputc('\n', out);
        if (view->frames > 0) {
            print_memory(view, out, k);
        }
    }
    if (view->size_end - view->first_size > 1) {
        print_machines(view, out, "hit rate, %");
        for (size_t k = view->first_size; k < view->size_end; k++) {
            char text[TEXT_MAX];
            app_cache_size_text(view->bench->sizes[k], text, sizeof text);
            (void)fprintf(out, "%-*s", NAME_WIDTH, text);
            for (size_t i = 0; i < view->bench->machine_count; i++) {
                print_value(out, app_cache_hit_percent(app_cache_model_of(view->bench, i, k)), 2);
            }
            (void)fputc('\n', out);
        }
        (void)fputc('\n', out);
    }
}

static void print_json_counts(FILE *out, const char *name, const uint64_t counts[TMU_SIM_CHANNELS])
{
    (void)fprintf(out, ",\"%s\":[", name);
    for (int i = 0; i < TMU_SIM_CHANNELS; i++) {
        (void)fprintf(out, "%s%" PRIu64, i > 0 ? "," : "", counts[i]);
    }
    (void)fputc(']', out);
}

static void print_json_model(const struct view *view, FILE *out,
                             const struct app_cache_model *model, uint32_t bytes)
{
    (void)fputs("{\"input\":", out);
    base_json_string(out, view->input);
    (void)fprintf(out, ",\"frames\":%" PRIu64 ",\"arch\":", view->frames);
    base_json_string(out, model->arch.name);
    (void)fprintf(out, ",\"cache_bytes\":%" PRIu32,
                  bytes != APP_CACHE_OWN_SIZE ? bytes : model->arch.cache_bytes);
    (void)fprintf(out, ",\"line_bytes\":%" PRIu32, model->arch.cache_line_bytes);
    if (model->state == APP_CACHE_NO_SIZE) {
        (void)fputs(",\"error\":\"size\"", out);
    } else if (model->state == APP_CACHE_CONFLICT) {
        (void)fputs(",\"error\":\"conflict\"", out);
    } else {
        const struct tmu_sim_report report = report_of(view, model);
        const struct {
            const char *name;
            uint64_t count;
        } counts[] = {
            {"pixels", report.pixels},       {"refills", report.refills},
            {"conflicts", report.conflicts}, {"stalls", report.stalls},
            {"cycles", report.cycles},       {"bus_words", report.bus_words},
            {"bus_busy", report.bus_busy},   {"bus_accesses", report.bus_accesses},
        };
        const struct {
            const char *name;
            double value;
        } numbers[] = {
            {"hit_percent", 100 * report.hit_rate}, {"megapixels", report.megapixels},
            {"bandwidth", report.bandwidth},        {"occupancy_percent", 100 * report.occupancy},
            {"access_time", report.access_time},    {"bandwidth_bound", report.bandwidth_bound},
        };
        print_json_counts(out, "requests", report.requests);
        print_json_counts(out, "hits", report.hits);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            (void)fprintf(out, ",\"%s\":%" PRIu64, counts[i].name, counts[i].count);
        }
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            (void)fprintf(out, ",\"%s\":", numbers[i].name);
            base_json_number(out, numbers[i].value);
        }
    }
    (void)fputs("}\n", out);
}

enum { FRAMES = 60, SIZE_TEXT = 16, TITLE_MAX = 160 };

static const struct base_place NOWHERE = {0};

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
        const size_t size = outputs[i] != NULL ? strlen(outputs[i]) : 0;
        if (outputs[i] != NULL &&
            !(size > 4 &&
              base_span_equal_nocase(base_span_of(outputs[i] + size - 4), base_span_of(".png")))) {
            base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){.file = outputs[i]},
                        "give it a name like plot.png", "it will be a PNG picture");
            return APP_EXIT_USAGE;
        }
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

static int feed_set(struct app_cache_bench *bench, const struct app_options *options)
{
    struct app_cache_runs *runs = calloc(1, sizeof *runs);
    if (runs == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "not enough memory");
        return -1;
    }
    struct base_pool *pool = base_pool_create(base_processor_count());
    app_cache_runs_set(runs, options->set);
    app_cache_bench_feed(bench, runs, pool);
    base_pool_destroy(pool);
    const int result = options->picture != NULL
                           ? app_cache_picture(&bench->machines[0], &runs->runs[0],
                                               options->picture, &base_diag_stderr)
                           : 0;
    free(runs);
    return result;
}

static int feed(struct app_cache_bench *bench, const struct app_options *options)
{
    const char *sound = options->audio != NULL ? options->audio : "demo";
    return options->set != NULL ? feed_set(bench, options)
                                : app_cache_feed_preset(bench, 1, options->inputs[1], sound,
                                                        frames_of(options), &base_diag_stderr);
}

/* The sizes in growing order, without the machines' own. */
struct columns {
    size_t index[APP_CACHE_SIZES_MAX]; /* in the bench */
    double x[APP_CACHE_SIZES_MAX];
    char texts[APP_CACHE_SIZES_MAX][SIZE_TEXT];
    const char *names[APP_CACHE_SIZES_MAX];
    size_t count;
};

static int draw_plot(const struct app_cache_bench *bench, const char *input, const char *output)
{
    struct columns columns;
    double values[APP_CACHE_MACHINES_MAX][APP_CACHE_SIZES_MAX];
    struct app_plot_line lines[APP_CACHE_MACHINES_MAX];
    char title[TITLE_MAX];
    columns.count = 0;
    for (size_t i = 0; i < bench->size_count; i++) {
        const uint32_t bytes = bench->sizes[i];
        if (bytes == APP_CACHE_OWN_SIZE) {
            continue;
        }
        size_t at = columns.count++;
        for (; at > 0 && bench->sizes[columns.index[at - 1]] > bytes; at--) {
            columns.index[at] = columns.index[at - 1];
        }
        columns.index[at] = i;
    }
    for (size_t i = 0; i < columns.count; i++) {
        const uint32_t bytes = bench->sizes[columns.index[i]];
        columns.x[i] = bytes;
        columns.names[i] = columns.texts[i];
        app_cache_size_text(bytes, columns.texts[i], SIZE_TEXT);
    }
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

/* Returns 0, or -1 if something that was asked for is missing, which has been reported. */
static int measure(struct app_cache_bench *bench, const struct app_options *options)
{
    const int errors = app_cache_bench_start(bench, &base_diag_stderr);
    if (errors < 0 || feed(bench, options) != 0) {
        return -1;
    }
    const bool set = options->set != NULL;
    const struct view view = {
        .bench = bench,
        .input = set ? options->set : options->inputs[1],
        .frames = set ? 0 : frames_of(options),
        .size_end = bench->asked_count,
    };
    if (options->json) {
        /* One object for each machine and size. */
        for (size_t k = view.first_size; k < view.size_end; k++) {
            for (size_t i = 0; i < view.bench->machine_count; i++) {
                print_json_model(&view, stdout, app_cache_model_of(view.bench, i, k),
                                 view.bench->sizes[k]);
            }
        }
    } else {
        print(&view, stdout);
    }
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
    const struct app_list *sizes = &options->cache_sizes;
    bool sized = true;
    for (size_t i = 0; sized && i < sizes->count; i++) {
        sized = app_cache_sizes_add(bench, sizes->items[i], &base_diag_stderr) == 0;
    }
    if (sizes->count == 0) {
        (void)app_cache_size_add(bench, APP_CACHE_OWN_SIZE);
        if (options->output != NULL) {
            app_cache_sizes_add_usual(bench);
        }
    }
    if (sized) {
        struct base_stop stop;
        base_stop_begin(&stop);
        result = add_machines(bench, options) == 0 && measure(bench, options) == 0
                     ? APP_EXIT_DONE
                     : APP_EXIT_FAILED;
        base_stop_end(&stop);
    }
    app_cache_bench_free(bench);
    free(bench);
    return result;
}
