/* Reading the figures of an older run. */
#include "app/bench.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "app/lab_text.h"
#include "base/yaml.h"

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

static void take_series(struct reading *reading, const struct base_yaml *line)
{
    for (size_t i = 0; i < app_bench_series_count(reading->bench); i++) {
        const struct app_bench_series series = app_bench_series(reading->bench, i);
        if (is_of(line, &series)) {
            reading->before->median[i] = seconds_of(line, "median_us");
            reading->before->worst[i] = seconds_of(line, "worst_us");
            reading->known++;
        }
    }
}

static void take_text(const struct base_yaml *line, const char *key, char text[static 24])
{
    const struct base_yaml *node = base_yaml_get(line, key);
    if (node != NULL && node->kind == BASE_YAML_SCALAR && node->text.size < 24) {
        (void)snprintf(text, 24, "%.*s", (int)node->text.size, node->text.data);
    }
}

static void take_head(struct reading *reading, const struct base_yaml *line)
{
    const struct base_yaml *frames = base_yaml_get(line, "frames");
    reading->seen = true;
    take_text(line, "set", reading->before->set);
    take_text(line, "cpu", reading->before->cpu);
    if (frames == NULL || !base_yaml_integer(frames, &reading->before->frames)) {
        reading->before->frames = 0;
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
        take_head(reading, line);
        return true;
    }
    if (base_yaml_get(line, "stage") == NULL) {
        return false;
    }
    take_series(reading, line);
    return true;
}

static int refuse(const struct reading *reading, uint32_t line)
{
    const struct base_place place = {.file = reading->path, .line = line};
    base_report(reading->sink, BASE_ERROR, place, "--compare takes what --json has printed",
                "this is not of 'froth bench --json'");
    return -1;
}

static int read_lines(struct reading *reading, struct base_span text)
{
    struct app_lab_reader lines;
    struct base_source_line line;
    app_lab_reader_begin(&lines, reading->path, text, reading->sink);
    while (app_lab_next_line(&lines, &line)) {
        struct base_arena arena = {0};
        const bool good = take_line(reading, &arena, line.text);
        base_arena_free(&arena);
        if (!good) {
            return refuse(reading, lines.line);
        }
    }
    return reading->seen && reading->known > 0 ? 0 : refuse(reading, 0);
}

int app_bench_read(struct app_bench_before *before, const struct app_bench *bench, const char *path,
                   const struct base_diag_sink *sink)
{
    struct reading reading = {before, bench, path, sink, false, 0};
    struct base_file file;
    *before = (struct app_bench_before){0};
    for (size_t i = 0; i < APP_BENCH_SERIES_MAX; i++) {
        before->median[i] = NAN;
        before->worst[i] = NAN;
    }
    if (base_file_load(&file, path, APP_LAB_FILE_MAX, sink) != 0) {
        return -1;
    }
    const int result = read_lines(&reading, (struct base_span){file.data, file.size});
    base_file_free(&file);
    return result;
}

void app_bench_warn(const struct app_bench_before *before, const struct app_bench *bench,
                    const char *path, const struct base_diag_sink *sink)
{
    char set[24];
    (void)snprintf(set, sizeof set, "%016" PRIx64, app_bench_set(bench));
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
