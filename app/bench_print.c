#include "app/bench.h"

#include <inttypes.h>
#include <math.h>

#include "app/json.h"
#include "app/plain.h"

enum { NAME_WIDTH = 22, VALUE_WIDTH = 9 };

static const double MILLI = 1e3;
static const double MICRO = 1e6;

static const char *base_name(const char *path)
{
    const char *name = path;
    for (; *path != '\0'; path++) {
        name = *path == '/' ? path + 1 : name;
    }
    return name;
}

static void print_title(FILE *out, const char *title, bool compared)
{
    (void)fprintf(out, "\n%-*s  %*s  %*s  %*s  %*s", NAME_WIDTH, title, VALUE_WIDTH, "median",
                  VALUE_WIDTH, "worst", VALUE_WIDTH, "by clock", VALUE_WIDTH, "worst");
    if (compared) {
        (void)fprintf(out, "  %*s  %*s        ", VALUE_WIDTH, "median x", VALUE_WIDTH, "worst x");
    }
    (void)fputs("  worst preset\n", out);
}

static void print_case_title(FILE *out, const struct app_bench_case *of, bool compared)
{
    char title[64];
    (void)snprintf(title, sizeof title, "%dx%d, %zu thread%s", of->width, of->height, of->threads,
                   of->threads == 1 ? "" : "s");
    print_title(out, title, compared);
}

static void print_value(FILE *out, double value, int decimals)
{
    if (isfinite(value)) {
        (void)fprintf(out, "  %*.*f", VALUE_WIDTH, decimals, value);
    } else {
        (void)fprintf(out, "  %*s", VALUE_WIDTH, "-");
    }
}

static void print_series(const struct app_bench *bench, const struct app_bench_before *before,
                         size_t index, FILE *out)
{
    const struct app_bench_series series = app_bench_series(bench, index);
    const struct app_bench_figures figures = app_bench_figures(bench, index);
    (void)fprintf(out, "%s%-*s", series.inner ? "  " : "", NAME_WIDTH - (series.inner ? 2 : 0),
                  series.name);
    print_value(out, MILLI * figures.median.cpu, 3);
    print_value(out, MILLI * figures.worst.cpu, 3);
    print_value(out, MILLI * figures.median.wall, 3);
    print_value(out, MILLI * figures.worst.wall, 3);
    if (before != NULL) {
        print_value(out, app_bench_ratio(before->median[index], figures.median.cpu), 2);
        print_value(out, app_bench_ratio(before->worst[index], figures.worst.cpu), 2);
        (void)fputs(app_bench_slower(before->median[index], figures.median.cpu) ||
                            app_bench_slower(before->worst[index], figures.worst.cpu)
                        ? "  slower"
                        : "        ",
                    out);
    }
    (void)fputs("  ", out);
    app_plain(out, base_name(figures.worst_path));
    (void)fputc('\n', out);
}

void app_bench_print(const struct app_bench *bench, const struct app_bench_before *before,
                     FILE *out)
{
    (void)fprintf(out, "%zu presets, %zu left out, %zu frames of each, %s\n", bench->presets,
                  bench->left_out, bench->frames, base_cpu_level_name(bench->cpu));
    (void)fputs("processor time of all threads, and time by the clock, in ms\n", out);
    print_title(out, "", before != NULL);
    for (size_t i = 0; i < app_bench_series_count(bench); i++) {
        if (i % APP_BENCH_ROWS == 1) {
            print_case_title(out, &bench->cases[i / APP_BENCH_ROWS], before != NULL);
        }
        print_series(bench, before, i, out);
    }
}

static void print_json_number(FILE *out, const char *name, double value)
{
    (void)fprintf(out, ",\"%s\":", name);
    app_json_number(out, value);
}

static void print_json_series(const struct app_bench *bench, const struct app_bench_before *before,
                              size_t index, FILE *out)
{
    const struct app_bench_series series = app_bench_series(bench, index);
    const struct app_bench_figures figures = app_bench_figures(bench, index);
    (void)fprintf(out, "{\"stage\":\"%s\"", series.name);
    if (series.of.threads > 0) {
        (void)fprintf(out, ",\"size\":\"%dx%d\",\"threads\":%zu", series.of.width, series.of.height,
                      series.of.threads);
    }
    print_json_number(out, "median_us", MICRO * figures.median.cpu);
    print_json_number(out, "worst_us", MICRO * figures.worst.cpu);
    print_json_number(out, "clock_median_us", MICRO * figures.median.wall);
    print_json_number(out, "clock_worst_us", MICRO * figures.worst.wall);
    (void)fputs(",\"worst\":", out);
    app_json_string(out, figures.worst_path);
    if (before != NULL) {
        const double median = before->median[index];
        const double worst = before->worst[index];
        print_json_number(out, "median_ratio", app_bench_ratio(median, figures.median.cpu));
        print_json_number(out, "worst_ratio", app_bench_ratio(worst, figures.worst.cpu));
        (void)fputs(",\"slower\":", out);
        app_json_bool(out, app_bench_slower(median, figures.median.cpu) ||
                               app_bench_slower(worst, figures.worst.cpu));
    }
    (void)fputs("}\n", out);
}

void app_bench_print_json(const struct app_bench *bench, const struct app_bench_before *before,
                          FILE *out)
{
    (void)fprintf(out, "{\"froth\":\"%s\",\"presets\":%zu,\"left_out\":%zu,\"frames\":%zu,",
                  FROTH_VERSION, bench->presets, bench->left_out, bench->frames);
    (void)fprintf(out, "\"cpu\":\"%s\",\"set\":\"%016" PRIx64 "\"}\n",
                  base_cpu_level_name(bench->cpu), app_bench_set(bench));
    for (size_t i = 0; i < app_bench_series_count(bench); i++) {
        print_json_series(bench, before, i, out);
    }
}
