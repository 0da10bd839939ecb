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

enum {
    VALUES_MAX = 24,
    SETTINGS_MAX = 8,
    WORD_MAX = 48,
    TEXT_MAX = 160,
    FRAMES = 30,
    VALUE_WIDTH = 24,
    COLUMN_WIDTH = 12
};

static const double ZOOM_LEAST = 0.1;
static const double ZOOM_MOST = 100;
static const struct base_place NOWHERE = {0};

struct setting {
    char key[WORD_MAX]; /* "section.key", or "zoom" */
    char values[VALUES_MAX][WORD_MAX];
    size_t count;
};

struct sweep {
    const struct app_options *options;
    struct setting settings[SETTINGS_MAX]; /* the last one is varied, the others hold for all */
    size_t setting_count;
    const struct setting *varied;
    const char *preset;                         /* NULL: a set or zoom */
    struct app_cache_bench benches[VALUES_MAX]; /* one for each value */
};

static bool is_zoom(const struct setting *setting)
{
    return strcmp(setting->key, "zoom") == 0;
}

/* "KEY=V1,V2"; false if it is not of that form or too long. */
static bool read_setting(const char *text, struct setting *setting)
{
    const size_t key = strcspn(text, "=");
    if (text[key] != '=' || key == 0 || key >= WORD_MAX) {
        return false;
    }
    (void)snprintf(setting->key, WORD_MAX, "%.*s", (int)key, text);
    const char *end = text + key;
    do {
        const char *start = end + 1;
        const size_t size = strcspn(start, ",");
        if (size == 0 || size >= WORD_MAX || setting->count == VALUES_MAX) {
            return false;
        }
        (void)snprintf(setting->values[setting->count++], WORD_MAX, "%.*s", (int)size, start);
        end = start + size;
    } while (*end == ',');
    return true;
}

static bool read_zoom(const char *text, double *zoom)
{
    char *end = NULL;
    *zoom = strtod(text, &end);
    return *end == '\0' && *zoom >= ZOOM_LEAST && *zoom <= ZOOM_MOST;
}

/* Takes the words after `lab sweep`. Returns 0, or APP_EXIT_USAGE with a message. */
static int read_words(struct sweep *sweep, const struct app_options *options)
{
    for (size_t i = 1; i < options->input_count; i++) {
        const char *word = options->inputs[i];
        if (strchr(word, '=') == NULL && sweep->preset == NULL) {
            sweep->preset = word;
        } else if (sweep->setting_count == SETTINGS_MAX ||
                   !read_setting(word, &sweep->settings[sweep->setting_count++])) {
            return app_lab_refuse_usage(options, "a setting is KEY=VALUE,VALUE,...");
        }
    }
    if (sweep->setting_count == 0) {
        return app_lab_refuse_usage(options, "what is varied?");
    }
    sweep->varied = &sweep->settings[sweep->setting_count - 1];
    for (const struct setting *setting = sweep->settings; setting < sweep->varied; setting++) {
        if (setting->count != 1 || is_zoom(setting)) {
            return app_lab_refuse_usage(options, "only the last setting is varied");
        }
    }
    const bool has_set = options->set != NULL;
    const bool has_preset = sweep->preset != NULL;
    if (is_zoom(sweep->varied) ? has_set || has_preset : has_set == has_preset) {
        return app_lab_refuse_usage(options, "it takes one set or one preset, or zoom alone");
    }
    if (!has_preset && (options->audio != NULL || options->frames > 0)) {
        return app_lab_refuse_usage(options, "--audio and --frames belong to presets");
    }
    for (size_t i = 0; is_zoom(sweep->varied) && i < sweep->varied->count; i++) {
        double zoom;
        if (!read_zoom(sweep->varied->values[i], &zoom)) {
            return app_lab_refuse_usage(options, "zoom is 0.1 to 100");
        }
    }
    return 0;
}

/* Sets a key of a machine; false with a message. */
static bool change(struct tmu_arch *arch, const struct setting *setting, const char *value)
{
    char text[TEXT_MAX];
    const char *dot = strchr(setting->key, '.');
    if (dot == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE,
                    "section.key of a machine file, as cache.ways, or zoom",
                    "'%s' cannot be varied", setting->key);
        return false;
    }
    (void)snprintf(text, sizeof text, "%.*s: {%s: %s}", (int)(dot - setting->key), setting->key,
                   dot + 1, value);
    return tmu_arch_change(arch, setting->key, base_span_of(text), &base_diag_stderr);
}

static bool change_all(const struct sweep *sweep, struct tmu_arch *arch, size_t value)
{
    for (const struct setting *setting = sweep->settings; setting < sweep->varied; setting++) {
        if (!change(arch, setting, setting->values[0])) {
            return false;
        }
    }
    return is_zoom(sweep->varied) || change(arch, sweep->varied, sweep->varied->values[value]);
}

/* The machines with one of the values. */
static bool start(struct sweep *sweep, size_t value)
{
    static const char usual[] = "milkymist_one";
    const struct app_list *names = &sweep->options->arch;
    struct app_cache_bench *bench = &sweep->benches[value];
    (void)app_cache_size_add(bench, APP_CACHE_OWN_SIZE);
    for (size_t i = 0; i < names->count || (names->count == 0 && i == 0); i++) {
        const char *name = names->count > 0 ? names->items[i] : usual;
        if (app_cache_machine_add(bench, name, sweep->preset != NULL, &base_diag_stderr) != 0 ||
            !change_all(sweep, &bench->machines[i], value)) {
            return false;
        }
    }
    return app_cache_bench_start(bench, &base_diag_stderr) == 0;
}

static int feed_sets(struct sweep *sweep)
{
    struct app_cache_runs *runs = calloc(1, sizeof *runs);
    if (runs == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "not enough memory");
        return -1;
    }
    struct base_pool *pool = base_pool_create(base_processor_count());
    for (size_t i = 0; i < sweep->varied->count; i++) {
        double zoom = 1;
        if (is_zoom(sweep->varied) && read_zoom(sweep->varied->values[i], &zoom)) {
            app_cache_runs_zoom(runs, zoom);
        } else {
            app_cache_runs_set(runs, sweep->options->set);
        }
        app_cache_bench_feed(&sweep->benches[i], runs, pool);
    }
    base_pool_destroy(pool);
    free(runs);
    return 0;
}

static uint64_t frames_of(const struct sweep *sweep)
{
    return sweep->options->frames > 0 ? sweep->options->frames : FRAMES;
}

static int feed(struct sweep *sweep)
{
    if (sweep->preset == NULL) {
        return feed_sets(sweep);
    }
    const char *sound = sweep->options->audio != NULL ? sweep->options->audio : "demo";
    return app_cache_feed_preset(sweep->benches, sweep->varied->count, sweep->preset, sound,
                                 frames_of(sweep), &base_diag_stderr);
}

/* What is told of a machine with a value. */
enum column { HITS, REFILLED, STALLS, CYCLES, MEGAPIXELS, ACCESS, BANDWIDTH, COLUMNS };

static const struct {
    const char *name;
    const char *json;
    int decimals;
} columns[COLUMNS] = {
    [HITS] = {"hits, %", "hit_percent", 2},       [REFILLED] = {"bytes/pixel", "refilled", 2},
    [STALLS] = {"stalls, %", "stall_percent", 1}, [CYCLES] = {"cycles/pixel", "cycles_each", 2},
    [MEGAPIXELS] = {"Mpixel/s", "megapixels", 1}, [ACCESS] = {"access time", "access_time", 2},
    [BANDWIDTH] = {"Mbit/s", "megabits", 0},
};

static double value_of(const struct sweep *sweep, const struct app_cache_model *model,
                       enum column column)
{
    const double seconds = sweep->preset != NULL ? (double)frames_of(sweep) / APP_CACHE_FPS : 0;
    const struct tmu_sim_report report = tmu_sim_report(model->sim, seconds);
    const double pixels = (double)report.pixels;
    const double cycles = (double)report.cycles;
    switch (column) {
    case HITS:
        return 100 * report.hit_rate;
    case REFILLED:
        return (double)report.refills * model->arch.cache_line_bytes / pixels;
    case STALLS:
        return 100 * (double)report.stalls / model->arch.machine_units / cycles;
    case CYCLES:
        return cycles / pixels;
    case MEGAPIXELS:
        return report.megapixels;
    case ACCESS:
        return report.access_time;
    default:
        return report.bandwidth * 8e-6;
    }
}

static const char *input_of(const struct sweep *sweep)
{
    return sweep->preset != NULL ? sweep->preset
                                 : (sweep->options->set != NULL ? sweep->options->set : "zoom");
}

static void print_machine(const struct sweep *sweep, size_t machine)
{
    base_plain(stdout, sweep->benches[0].machines[machine].name);
    (void)fputs(", ", stdout);
    base_plain(stdout, input_of(sweep));
    (void)fputc('\n', stdout);
    base_plain_cell(stdout, sweep->varied->key, VALUE_WIDTH);
    for (int i = 0; i < COLUMNS; i++) {
        (void)printf("  %*s", COLUMN_WIDTH, columns[i].name);
    }
    (void)putchar('\n');
    for (size_t i = 0; i < sweep->varied->count; i++) {
        const struct app_cache_model *model = app_cache_model_of(&sweep->benches[i], machine, 0);
        base_plain_cell(stdout, sweep->varied->values[i], VALUE_WIDTH);
        for (int k = 0; k < COLUMNS; k++) {
            (void)printf("  %*.*f", COLUMN_WIDTH, columns[k].decimals,
                         value_of(sweep, model, (enum column)k));
        }
        (void)putchar('\n');
    }
}

/* One object for each machine and value. */
static void print_json(const struct sweep *sweep, size_t machine)
{
    for (size_t i = 0; i < sweep->varied->count; i++) {
        const struct app_cache_model *model = app_cache_model_of(&sweep->benches[i], machine, 0);
        (void)fputs("{\"input\":", stdout);
        base_json_string(stdout, input_of(sweep));
        (void)fputs(",\"arch\":", stdout);
        base_json_string(stdout, model->arch.name);
        (void)fputs(",\"key\":", stdout);
        base_json_string(stdout, sweep->varied->key);
        (void)fputs(",\"value\":", stdout);
        base_json_string(stdout, sweep->varied->values[i]);
        for (int k = 0; k < COLUMNS; k++) {
            (void)printf(",\"%s\":", columns[k].json);
            base_json_number(stdout, value_of(sweep, model, (enum column)k));
        }
        (void)fputs("}\n", stdout);
    }
}

/* Of the thesis at 16 KB and 100 MHz, beside copies that are enlarged. */
static const struct {
    double zoom;
    double megapixels;
} published[] = {{0.4, 15}, {1.6, 55}};

static double published_at(double zoom)
{
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        if (fabs(published[i].zoom - zoom) < 1e-9) {
            return published[i].megapixels;
        }
    }
    return NAN;
}

/* Hit rates, or for zoom fill rates, over the values, which must be growing numbers. */
static int draw_plot(const struct sweep *sweep)
{
    const bool fills = is_zoom(sweep->varied);
    double x[VALUES_MAX];
    double y[APP_CACHE_MACHINES_MAX + 1][VALUES_MAX];
    const char *names[VALUES_MAX];
    struct app_plot_line lines[APP_CACHE_MACHINES_MAX + 1];
    char title[TEXT_MAX];
    double most = 0;
    for (size_t i = 0; i < sweep->varied->count; i++) {
        char *end = NULL;
        names[i] = sweep->varied->values[i];
        x[i] = strtod(names[i], &end);
        if (*end != '\0' || !(x[i] > (i > 0 ? x[i - 1] : 0))) {
            base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "growing numbers, as 16,32,64",
                        "a plot cannot have '%s' here", names[i]);
            return -1;
        }
    }
    const size_t machines = sweep->benches[0].machine_count;
    for (size_t i = 0; i < machines; i++) {
        for (size_t k = 0; k < sweep->varied->count; k++) {
            y[i][k] = value_of(sweep, app_cache_model_of(&sweep->benches[k], i, 0),
                               fills ? MEGAPIXELS : HITS);
            most = fmax(most, y[i][k]);
        }
        lines[i] = (struct app_plot_line){sweep->benches[0].machines[i].name, y[i]};
    }
    for (size_t k = 0; k < sweep->varied->count; k++) {
        y[machines][k] = published_at(x[k]);
        most = fills && y[machines][k] > most ? y[machines][k] : most;
    }
    lines[machines] = (struct app_plot_line){"thesis, 16 KB", y[machines]};
    const char *slash = strrchr(input_of(sweep), '/');
    (void)snprintf(title, sizeof title, "%s: %s", sweep->varied->key,
                   fills           ? "copies, enlarged"
                   : slash != NULL ? slash + 1
                                   : input_of(sweep));
    const struct app_plot plot = {
        .title = title,
        .x_title = sweep->varied->key,
        .y_title = fills ? "million pixels per second" : "hit rate, %",
        .x = x,
        .x_names = names,
        .columns = sweep->varied->count,
        .lines = lines,
        .line_count = fills ? machines + 1 : machines,
        .y_max = fills ? 10 * ceil(most / 10) : 100,
    };
    return app_plot_write(&plot, sweep->options->output, &base_diag_stderr);
}

static int run(struct sweep *sweep)
{
    for (size_t i = 0; i < sweep->varied->count; i++) {
        if (!start(sweep, i)) {
            return APP_EXIT_FAILED;
        }
    }
    if (feed(sweep) != 0) {
        return APP_EXIT_FAILED;
    }
    for (size_t i = 0; i < sweep->benches[0].machine_count; i++) {
        if (sweep->options->json) {
            print_json(sweep, i);
        } else {
            print_machine(sweep, i);
        }
    }
    return sweep->options->output == NULL || draw_plot(sweep) == 0 ? APP_EXIT_DONE
                                                                   : APP_EXIT_FAILED;
}

int app_lab_sweep(const struct app_options *options)
{
    struct sweep *sweep = calloc(1, sizeof *sweep);
    if (sweep == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "not enough memory");
        return APP_EXIT_FAILED;
    }
    sweep->options = options;
    int result = read_words(sweep, options);
    if (result == 0) {
        struct base_stop stop;
        base_stop_begin(&stop);
        result = run(sweep);
        base_stop_end(&stop);
    }
    for (size_t i = 0; i < VALUES_MAX; i++) {
        app_cache_bench_free(&sweep->benches[i]);
    }
    free(sweep);
    return result;
}
