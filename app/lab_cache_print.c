#include "app/lab_cache_print.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "app/json.h"
#include "app/plain.h"

enum { NAME_WIDTH = 26, COLUMN_WIDTH = 12, TEXT_MAX = 24 };

static double seconds_of(const struct app_lab_cache_view *view)
{
    return (double)view->frames / APP_CACHE_FPS;
}

static struct tmu_sim_report report_of(const struct app_lab_cache_view *view,
                                       const struct app_cache_model *model)
{
    return tmu_sim_report(model->sim, seconds_of(view));
}

static uint64_t sum(const uint64_t counts[TMU_SIM_CHANNELS])
{
    uint64_t all = 0;
    for (int i = 0; i < TMU_SIM_CHANNELS; i++) {
        all += counts[i];
    }
    return all;
}

static double channel_percent(const struct tmu_sim_report *report, int channel)
{
    return 100.0 * (double)report->hits[channel] / (double)report->requests[channel];
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
        return channel_percent(report, (int)row - ROW_CHANNEL);
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

static void print_machines(const struct app_lab_cache_view *view, FILE *out, const char *title)
{
    app_plain_cell(out, title, NAME_WIDTH);
    for (size_t i = 0; i < view->bench->machine_count; i++) {
        const char *name = view->bench->machines[i].name;
        const size_t size = strlen(name);
        (void)fprintf(out, "  %*s", size < COLUMN_WIDTH ? (int)(COLUMN_WIDTH - size) : 0, "");
        app_plain_cell(out, name, size < COLUMN_WIDTH ? size : COLUMN_WIDTH);
    }
    (void)fputc('\n', out);
}

static void print_row(const struct app_lab_cache_view *view, FILE *out, size_t size, enum row row)
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

static void print_input(const struct app_lab_cache_view *view, FILE *out)
{
    app_plain(out, view->input);
    if (view->frames > 0) {
        (void)fprintf(out, ", %" PRIu64 " frames, %d per second", view->frames, APP_CACHE_FPS);
    }
}

static void print_table(const struct app_lab_cache_view *view, FILE *out, size_t size)
{
    print_input(view, out);
    const uint32_t bytes = view->bench->sizes[size];
    if (bytes != APP_CACHE_OWN_SIZE) {
        char text[TEXT_MAX];
        app_cache_size_text(bytes, text, sizeof text);
        (void)fprintf(out, ", cache of %s", text);
    }
    (void)fputc('\n', out);
    print_machines(view, out, "");
    for (int row = 0; row < ROW_COUNT; row++) {
        print_row(view, out, size, (enum row)row);
    }
    (void)fputc('\n', out);
}

static void print_hit_rates(const struct app_lab_cache_view *view, FILE *out)
{
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
    app_plain_cell(out, name, NAME_WIDTH);
    print_value(out, bandwidth, 0);
    print_value(out, occupancy, 1);
    print_value(out, access_time, 2);
    print_value(out, bound, 0);
    (void)fputc('\n', out);
}

static void print_memory(const struct app_lab_cache_view *view, FILE *out, size_t size)
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

void app_lab_cache_print(const struct app_lab_cache_view *view, FILE *out)
{
    for (size_t k = view->first_size; k < view->size_end; k++) {
        print_table(view, out, k);
        if (view->frames > 0) {
            print_memory(view, out, k);
        }
    }
    if (view->size_end - view->first_size > 1) {
        print_hit_rates(view, out);
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

static void print_json_report(FILE *out, const struct tmu_sim_report *report)
{
    const struct {
        const char *name;
        uint64_t count;
    } counts[] = {
        {"pixels", report->pixels},       {"refills", report->refills},
        {"conflicts", report->conflicts}, {"stalls", report->stalls},
        {"cycles", report->cycles},       {"bus_words", report->bus_words},
        {"bus_busy", report->bus_busy},   {"bus_accesses", report->bus_accesses},
    };
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"hit_percent", 100 * report->hit_rate}, {"megapixels", report->megapixels},
        {"bandwidth", report->bandwidth},        {"occupancy_percent", 100 * report->occupancy},
        {"access_time", report->access_time},    {"bandwidth_bound", report->bandwidth_bound},
    };
    print_json_counts(out, "requests", report->requests);
    print_json_counts(out, "hits", report->hits);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        (void)fprintf(out, ",\"%s\":%" PRIu64, counts[i].name, counts[i].count);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        (void)fprintf(out, ",\"%s\":", numbers[i].name);
        app_json_number(out, numbers[i].value);
    }
}

static void print_json_model(const struct app_lab_cache_view *view, FILE *out,
                             const struct app_cache_model *model, uint32_t bytes)
{
    (void)fputs("{\"input\":", out);
    app_json_string(out, view->input);
    (void)fprintf(out, ",\"frames\":%" PRIu64 ",\"arch\":", view->frames);
    app_json_string(out, model->arch.name);
    (void)fprintf(out, ",\"cache_bytes\":%" PRIu32,
                  bytes != APP_CACHE_OWN_SIZE ? bytes : model->arch.cache_bytes);
    (void)fprintf(out, ",\"line_bytes\":%" PRIu32, model->arch.cache_line_bytes);
    if (model->state == APP_CACHE_NO_SIZE) {
        (void)fputs(",\"error\":\"size\"", out);
    } else if (model->state == APP_CACHE_CONFLICT) {
        (void)fputs(",\"error\":\"conflict\"", out);
    } else {
        const struct tmu_sim_report report = report_of(view, model);
        print_json_report(out, &report);
    }
    (void)fputs("}\n", out);
}

void app_lab_cache_print_json(const struct app_lab_cache_view *view, FILE *out)
{
    for (size_t k = view->first_size; k < view->size_end; k++) {
        for (size_t i = 0; i < view->bench->machine_count; i++) {
            print_json_model(view, out, app_cache_model_of(view->bench, i, k),
                             view->bench->sizes[k]);
        }
    }
}
