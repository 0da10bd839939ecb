#include "app/lab.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/json.h"
#include "app/lab_report.h"
#include "app/lab_text.h"
#include "app/tmu_outcome.h"

static const char ending[] = ".case";
static const char beside[] = ".expect";

struct job {
    struct app_tmu_case tmu_case;
    struct app_tmu_expect expect;
    struct app_tmu_outcome outcome;
    struct app_lab_report report;
    FILE *out;
    bool json;
    const struct base_diag_sink *sink;
};

/* The path without ".case". */
static size_t stem_size(const char *path)
{
    const size_t size = strlen(path);
    const size_t tail = sizeof ending - 1;
    return size > tail && strcmp(path + size - tail, ending) == 0 ? size - tail : size;
}

static bool load_case(struct job *job, const char *path)
{
    struct base_file file;
    if (base_file_load(&file, path, APP_LAB_FILE_MAX, job->sink) != 0) {
        return false;
    }
    const struct base_span text = {file.data, file.size};
    const bool read = app_tmu_case_read(&job->tmu_case, path, text, job->sink);
    base_file_free(&file);
    return read;
}

static bool load_expect(struct job *job, const char *path)
{
    struct base_file file;
    if (base_file_load(&file, path, APP_LAB_FILE_MAX, job->sink) != 0) {
        return false;
    }
    const struct base_span text = {file.data, file.size};
    const bool read = app_tmu_expect_read(&job->expect, path, text, job->sink);
    base_file_free(&file);
    return read;
}

/* Compares with the file beside the case, if there is one. False if it cannot be read. */
static bool compare(struct job *job, const char *path)
{
    const size_t stem = stem_size(path);
    char *file = malloc(stem + sizeof beside);
    if (file == NULL) {
        base_report(job->sink, BASE_ERROR, (struct base_place){path, 0, 0}, NULL,
                    "not enough memory");
        return false;
    }
    memcpy(file, path, stem);
    memcpy(file + stem, beside, sizeof beside);
    const bool exists = access(file, F_OK) == 0;
    const bool read = !exists || load_expect(job, file);
    if (exists && read) {
        file[stem] = '\0';
        const char *slash = strrchr(file, '/');
        app_tmu_outcome_compare(&job->outcome, &job->tmu_case, &job->expect,
                                slash != NULL ? slash + 1 : file, &job->report);
    }
    free(file);
    return read;
}

static void print_heading(FILE *out)
{
    (void)fputs("\n    size  refills", out);
    for (size_t i = 0; i < TMU_SIM_CHANNELS; i++) {
        (void)fprintf(out, " %6s %c %6s %c", "req", "ABCD"[i], "hit", "ABCD"[i]);
    }
    (void)fputs("  hits %\n", out);
}

static void print_cache(FILE *out, size_t size, const struct app_tmu_cache *cache)
{
    uint64_t requests = 0;
    uint64_t hits = 0;
    (void)fprintf(out, "    %3uK", APP_TMU_CACHE_LEAST / 1024u << size);
    if (cache->line == 0) {
        (void)fputs("  channels conflict\n", out);
        return;
    }
    (void)fprintf(out, " %8u", cache->refills);
    for (size_t i = 0; i < TMU_SIM_CHANNELS; i++) {
        (void)fprintf(out, " %8u %8u", cache->requests[i], cache->hits[i]);
        requests += cache->requests[i];
        hits += cache->hits[i];
    }
    (void)fprintf(out, " %7.2f\n", requests > 0 ? 100.0 * (double)hits / (double)requests : 0.0);
}

static void print_text(const struct job *job, const char *path)
{
    const struct app_tmu_outcome *outcome = &job->outcome;
    (void)fprintf(job->out, "%s\n    pixels %u", path, outcome->pixels);
    for (size_t i = 0; i < APP_TMU_NUMBER_COUNT; i++) {
        const bool breaks = i > 0 && app_tmu_numbers[i].hex != app_tmu_numbers[i - 1].hex;
        (void)fputs(breaks ? "\n    " : ", ", job->out);
        (void)fprintf(job->out, app_tmu_numbers[i].hex ? "%s %08x" : "%s %u",
                      app_tmu_numbers[i].name, outcome->numbers[i]);
    }
    print_heading(job->out);
    for (size_t i = 0; i < APP_TMU_CACHES; i++) {
        print_cache(job->out, i, &outcome->caches[i]);
    }
}

static void print_json_list(FILE *out, const char *key, const uint32_t *values)
{
    (void)fprintf(out, ",\"%s\":[", key);
    for (size_t i = 0; i < TMU_SIM_CHANNELS; i++) {
        (void)fprintf(out, i > 0 ? ",%u" : "%u", values[i]);
    }
    (void)fputc(']', out);
}

static void print_json_cache(FILE *out, size_t size, const struct app_tmu_cache *cache)
{
    (void)fprintf(out, "%s{\"size\":%u,\"conflict\":%s", size > 0 ? "," : "",
                  (uint32_t)APP_TMU_CACHE_LEAST << size, cache->line == 0 ? "true" : "false");
    if (cache->line != 0) {
        (void)fprintf(out, ",\"refills\":%u", cache->refills);
        print_json_list(out, "requests", cache->requests);
        print_json_list(out, "hits", cache->hits);
    }
    (void)fputc('}', out);
}

static void print_json(const struct job *job, const char *path)
{
    const struct app_tmu_outcome *outcome = &job->outcome;
    (void)fputs("{\"case\":", job->out);
    app_json_string(job->out, path);
    (void)fprintf(job->out, ",\"pixels\":%u", outcome->pixels);
    for (size_t i = 0; i < APP_TMU_NUMBER_COUNT; i++) {
        (void)fprintf(job->out, app_tmu_numbers[i].hex ? ",\"%s\":\"%08x\"" : ",\"%s\":%u",
                      app_tmu_numbers[i].name, outcome->numbers[i]);
    }
    (void)fputs(",\"caches\":[", job->out);
    for (size_t i = 0; i < APP_TMU_CACHES; i++) {
        print_json_cache(job->out, i, &outcome->caches[i]);
    }
    (void)fputs("]}\n", job->out);
}

static bool run_case(struct job *job, const char *path)
{
    if (!load_case(job, path) ||
        !app_tmu_outcome_make(&job->outcome, &job->tmu_case, path, job->sink)) {
        return false;
    }
    job->report.cases++;
    if (job->json) {
        print_json(job, path);
    } else {
        print_text(job, path);
    }
    const char *slash = strrchr(path, '/');
    app_tmu_outcome_compare_fast(&job->outcome, slash != NULL ? slash + 1 : path, &job->report);
    const bool read = compare(job, path);
    app_tmu_outcome_free(&job->outcome);
    return read;
}

int app_lab_check_tmu(const char *const *paths, size_t count, FILE *out, bool json,
                      const struct base_diag_sink *sink)
{
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        return APP_EXIT_FAILED;
    }
    job->out = out;
    job->json = json;
    job->sink = sink;
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        good = run_case(job, paths[i]) && good;
    }
    app_lab_report_print(&job->report, out, "tmu", "cases", json);
    good = good && job->report.mismatches == 0;
    free(job);
    return good ? APP_EXIT_DONE : APP_EXIT_FAILED;
}

int app_lab_tmu(const struct app_options *options)
{
    if (options->input_count < 2) {
        return app_lab_refuse_usage(options, "it takes case files");
    }
    return app_lab_check_tmu(options->inputs + 1, options->input_count - 1, stdout, options->json,
                             &base_diag_stderr);
}
