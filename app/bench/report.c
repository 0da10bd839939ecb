/* From measured times to what is printed about them. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/bench.h"
#include "app/device/device.h"
#include "app/io/text_reader.h"
#include "base/os/print.h"
#include "base/os/yaml.h"
#include "base/random.h"

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

/* The value that so many of ten are not above; of an even number the upper of the two in the
 * middle. */
static double rank_over(const struct app_time *values, size_t count, bool wall, size_t tenths)
{
    double *copy = malloc(count * sizeof *copy);
    if (copy == NULL) {
        return NAN;
    }
    for (size_t i = 0; i < count; i++) {
        copy[i] = wall ? values[i].wall : values[i].cpu;
    }
    qsort(copy, count, sizeof *copy, by_value);
    const double found = copy[count * tenths / 10];
    free(copy);
    return found;
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
        .median = {rank_over(values, bench->presets, false, 5),
                   rank_over(values, bench->presets, true, 5)},
        .most = {rank_over(values, bench->presets, false, 9),
                 rank_over(values, bench->presets, true, 9)},
        .worst = values[worst],
        .worst_path = bench->paths[worst],
    };
}

/* Hash of the file names of the presets in their order: other presets have other times. */
static uint64_t set_hash(const struct app_bench *bench)
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

/* Reading the figures of an older run. */

struct reading {
    struct app_bench_before *before;
    const struct app_bench *bench;
    const char *path;
    const struct base_diag_sink *sink;
    bool seen; /* the first line of a run */
    size_t known;
};

static bool is_text(const struct base_yaml *node, const char *text)
{
    return node != NULL && base_span_equal(node->text, base_span_of(text));
}

/* Whether the line is about the series. */
static bool is_of(const struct base_yaml *line, const struct app_bench_series *series)
{
    int64_t threads = 0;
    char size[64] = "";
    const struct base_yaml *count = base_yaml_get(line, "threads");
    if (!is_text(base_yaml_get(line, "stage"), series->name)) {
        return false;
    }
    if (count == NULL || !base_yaml_integer(count, &threads)) {
        return series->of.threads == 0;
    }
    (void)snprintf(size, sizeof size, "%dx%d", series->of.width, series->of.height);
    return threads > 0 && (uint64_t)threads == series->of.threads &&
           is_text(base_yaml_get(line, "size"), size);
}

/* Microseconds in the file. */
static double seconds_of(const struct base_yaml *line, const char *key)
{
    double value = 0;
    const struct base_yaml *node = base_yaml_get(line, key);
    if (node == NULL || !base_yaml_number(node, &value) || !(value >= 0 && value < 1e15)) {
        return NAN;
    }
    return value * 1e-6;
}

static void take_text(const struct base_yaml *line, const char *key, char text[static 24])
{
    const struct base_yaml *node = base_yaml_get(line, key);
    if (node != NULL && node->kind == BASE_YAML_SCALAR && node->text.size < 24) {
        (void)snprintf(text, 24, "%.*s", (int)node->text.size, node->text.data);
    }
}

/* False if the line is nothing of a benchmark. */
static bool take_line(struct reading *reading, struct base_arena *arena, struct base_span text)
{
    const struct base_yaml *line = base_yaml_read(arena, reading->path, text, NULL);
    if (line == NULL || line->kind != BASE_YAML_MAP) {
        return false;
    }
    if (base_yaml_get(line, "froth") != NULL) {
        const struct base_yaml *frames = base_yaml_get(line, "frames");
        reading->seen = true;
        take_text(line, "set", reading->before->set);
        take_text(line, "cpu", reading->before->cpu);
        if (frames == NULL || !base_yaml_integer(frames, &reading->before->frames)) {
            reading->before->frames = 0;
        }
        return true;
    }
    if (base_yaml_get(line, "stage") == NULL) {
        return false;
    }
    for (size_t i = 0; i < app_bench_series_count(reading->bench); i++) {
        const struct app_bench_series series = app_bench_series(reading->bench, i);
        if (is_of(line, &series)) {
            reading->before->median[i] = seconds_of(line, "median_us");
            reading->before->worst[i] = seconds_of(line, "worst_us");
            reading->known++;
        }
    }
    return true;
}

static int refuse(const struct reading *reading, uint32_t line)
{
    const struct base_place place = {.file = reading->path, .line = line};
    base_report(reading->sink, BASE_ERROR, place, "--compare takes what --json has printed",
                "this is not of 'froth bench --json'");
    return -1;
}

int app_bench_read(struct app_bench_before *before, const struct app_bench *bench, const char *path,
                   const struct base_diag_sink *sink)
{
    struct reading reading = {before, bench, path, sink, false, 0};
    struct base_file file;
    struct app_text_reader lines;
    struct base_source_line line;
    *before = (struct app_bench_before){0};
    for (size_t i = 0; i < APP_BENCH_SERIES_MAX; i++) {
        before->median[i] = NAN;
        before->worst[i] = NAN;
    }
    if (base_file_load(&file, path, APP_TEXT_FILE_MAX, sink) != 0) {
        return -1;
    }
    int result = 0;
    app_text_reader_begin(&lines, path, (struct base_span){file.data, file.size}, sink);
    while (result == 0 && app_text_next_line(&lines, &line)) {
        struct base_arena arena = {0};
        if (!take_line(&reading, &arena, line.text)) {
            result = refuse(&reading, lines.line);
        }
        base_arena_free(&arena);
    }
    if (result == 0 && !(reading.seen && reading.known > 0)) {
        result = refuse(&reading, 0);
    }
    base_file_free(&file);
    return result;
}

void app_bench_warn(const struct app_bench_before *before, const struct app_bench *bench,
                    const char *path, const struct base_diag_sink *sink)
{
    char set[24];
    (void)snprintf(set, sizeof set, "%016" PRIx64, set_hash(bench));
    const struct {
        bool differs;
        const char *what;
    } doubts[] = {
        {strcmp(before->set, set) != 0, "it is about other presets"},
        {before->frames != (int64_t)bench->frames, "it is about another number of frames"},
        {strcmp(before->cpu, base_cpu_level_name(bench->cpu)) != 0, "it is about another --cpu"},
    };
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++) {
        if (doubts[i].differs) {
            base_report(sink, BASE_WARNING, (struct base_place){.file = path},
                        "the ratios say little", "%s", doubts[i].what);
        }
    }
}

enum { NAME_WIDTH = 22, VALUE_WIDTH = 9 };

static const double MILLI = 1e3;
static const double MICRO = 1e6;

static void print_title(FILE *out, const char *title, bool compared)
{
    (void)fprintf(out, "\n%-*s  %*s  %*s  %*s  %*s  %*s  %*s", NAME_WIDTH, title, VALUE_WIDTH,
                  "median", VALUE_WIDTH, "90 %", VALUE_WIDTH, "worst", VALUE_WIDTH, "by clock",
                  VALUE_WIDTH, "90 %", VALUE_WIDTH, "worst");
    if (compared) {
        (void)fprintf(out, "  %*s  %*s        ", VALUE_WIDTH, "median x", VALUE_WIDTH, "worst x");
    }
    (void)fputs("  worst preset\n", out);
}

static void print_value(FILE *out, double value, int decimals)
{
    if (isfinite(value)) {
        (void)fprintf(out, "  %*.*f", VALUE_WIDTH, decimals, value);
    } else {
        (void)fprintf(out, "  %*s", VALUE_WIDTH, "-");
    }
}

void app_bench_print(const struct app_bench *bench, const struct app_bench_before *before,
                     FILE *out)
{
    (void)fprintf(out, "%zu preset%s, %zu left out, %zu frame%s of each, %s\n", bench->presets,
                  base_plural(bench->presets), bench->left_out, bench->frames,
                  base_plural(bench->frames), base_cpu_level_name(bench->cpu));
    app_device_print_account(out, bench->device);
    (void)fputs("processor time of all threads, and time by the clock, in ms\n", out);
    print_title(out, "", before != NULL);
    for (size_t i = 0; i < app_bench_series_count(bench); i++) {
        if (i % APP_BENCH_ROWS == 1) {
            const struct app_bench_case *of = &bench->cases[i / APP_BENCH_ROWS];
            char title[64];
            (void)snprintf(title, sizeof title, "%dx%d, %zu thread%s", of->width, of->height,
                           of->threads, base_plural(of->threads));
            print_title(out, title, before != NULL);
        }
        const struct app_bench_series series = app_bench_series(bench, i);
        const struct app_bench_figures figures = app_bench_figures(bench, i);
        (void)fprintf(out, "%s%-*s", series.inner ? "  " : "", NAME_WIDTH - (series.inner ? 2 : 0),
                      series.name);
        print_value(out, MILLI * figures.median.cpu, 3);
        print_value(out, MILLI * figures.most.cpu, 3);
        print_value(out, MILLI * figures.worst.cpu, 3);
        print_value(out, MILLI * figures.median.wall, 3);
        print_value(out, MILLI * figures.most.wall, 3);
        print_value(out, MILLI * figures.worst.wall, 3);
        if (before != NULL) {
            print_value(out, app_bench_ratio(before->median[i], figures.median.cpu), 2);
            print_value(out, app_bench_ratio(before->worst[i], figures.worst.cpu), 2);
            (void)fputs(app_bench_slower(before->median[i], figures.median.cpu) ||
                                app_bench_slower(before->worst[i], figures.worst.cpu)
                            ? "  slower"
                            : "        ",
                        out);
        }
        (void)fputs("  ", out);
        const char *slash = strrchr(figures.worst_path, '/');
        base_plain(out, slash != NULL ? slash + 1 : figures.worst_path);
        (void)fputc('\n', out);
    }
}

static void print_json_number(FILE *out, const char *name, double value)
{
    (void)fprintf(out, ",\"%s\":", name);
    base_json_number(out, value);
}

void app_bench_print_json(const struct app_bench *bench, const struct app_bench_before *before,
                          FILE *out)
{
    (void)fprintf(out, "{\"froth\":\"%s\",\"presets\":%zu,\"left_out\":%zu,\"frames\":%zu,",
                  FROTH_VERSION, bench->presets, bench->left_out, bench->frames);
    (void)fprintf(out, "\"cpu\":\"%s\",\"set\":\"%016" PRIx64 "\"", base_cpu_level_name(bench->cpu),
                  set_hash(bench));
    app_device_print_json(out, bench->device);
    (void)fputs("}\n", out);
    for (size_t i = 0; i < app_bench_series_count(bench); i++) {
        const struct app_bench_series series = app_bench_series(bench, i);
        const struct app_bench_figures figures = app_bench_figures(bench, i);
        (void)fprintf(out, "{\"stage\":\"%s\"", series.name);
        if (series.of.threads > 0) {
            (void)fprintf(out, ",\"size\":\"%dx%d\",\"threads\":%zu", series.of.width,
                          series.of.height, series.of.threads);
        }
        print_json_number(out, "median_us", MICRO * figures.median.cpu);
        print_json_number(out, "most_us", MICRO * figures.most.cpu);
        print_json_number(out, "worst_us", MICRO * figures.worst.cpu);
        print_json_number(out, "clock_median_us", MICRO * figures.median.wall);
        print_json_number(out, "clock_most_us", MICRO * figures.most.wall);
        print_json_number(out, "clock_worst_us", MICRO * figures.worst.wall);
        (void)fputs(",\"worst\":", out);
        base_json_string(out, figures.worst_path);
        if (before != NULL) {
            const double median = before->median[i];
            const double worst = before->worst[i];
            print_json_number(out, "median_ratio", app_bench_ratio(median, figures.median.cpu));
            print_json_number(out, "worst_ratio", app_bench_ratio(worst, figures.worst.cpu));
            (void)fputs(",\"slower\":", out);
            base_json_bool(out, app_bench_slower(median, figures.median.cpu) ||
                                    app_bench_slower(worst, figures.worst.cpu));
        }
        (void)fputs("}\n", out);
    }
}
