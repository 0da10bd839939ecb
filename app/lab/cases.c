#include "app/lab/cases.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/io/text_reader.h"
#include "app/lab/lab.h"
#include "base/os/print.h"
#include "base/random.h"
#include "tmu/models/arch.h"

enum { CACHE_OF_CHIP = 4 }; /* 32 KB */

static const char machine[] = "milkymist";

/* One model for each size; NULL where the machine cannot have it. */
struct models {
    struct tmu_sim *sims[APP_TMU_CACHES];
    struct tmu_trace_sink sinks[APP_TMU_CACHES];
};

static void send_begin(void *user, const struct tmu_trace_run *run)
{
    const struct models *models = user;
    for (size_t i = 0; i < APP_TMU_CACHES; i++) {
        if (models->sims[i] != NULL) {
            models->sinks[i].begin(models->sinks[i].user, run);
        }
    }
}

static void send_row(void *user, const struct tmu_trace_row *row)
{
    const struct models *models = user;
    for (size_t i = 0; i < APP_TMU_CACHES; i++) {
        if (models->sims[i] != NULL) {
            models->sinks[i].row(models->sinks[i].user, row);
        }
    }
}

static void send_end(void *user)
{
    const struct models *models = user;
    for (size_t i = 0; i < APP_TMU_CACHES; i++) {
        if (models->sims[i] != NULL) {
            models->sinks[i].end(models->sinks[i].user);
        }
    }
}

static bool create_models(struct models *models, const struct board_mapper_registers *registers,
                          const struct base_diag_sink *sink)
{
    struct tmu_arch arch;
    if (!tmu_arch_builtin(&arch, machine, sink)) {
        return false;
    }
    for (size_t i = 0; i < APP_TMU_CACHES; i++) {
        if (!tmu_arch_resize(&arch, (uint32_t)APP_TMU_CACHE_LEAST << i) ||
            !tmu_arch_check_conflicts(&arch, (uint32_t)registers->texhres,
                                      (uint32_t)registers->texvres, NULL)) {
            continue;
        }
        models->sims[i] = tmu_sim_create(&arch);
        if (models->sims[i] == NULL) {
            return false;
        }
        models->sinks[i] = tmu_sim_sink(models->sims[i]);
    }
    return true;
}

static bool run_models(struct app_tmu_outcome *outcome, const struct app_tmu_case *tmu_case,
                       const struct base_diag_sink *sink)
{
    struct models models = {0};
    const bool created = create_models(&models, &tmu_case->registers, sink);
    if (created) {
        const struct tmu_trace_sink all = {&models, send_begin, send_row, send_end};
        board_mapper_trace(&tmu_case->registers, tmu_case->vertices, &all);
        for (size_t i = 0; i < APP_TMU_CACHES; i++) {
            if (models.sims[i] == NULL) {
                continue;
            }
            struct app_tmu_cache *cache = &outcome->caches[i];
            const struct tmu_sim_report report = tmu_sim_report(models.sims[i], 0);
            cache->line = 1;
            cache->refills = (uint32_t)report.refills;
            for (size_t channel = 0; channel < TMU_SIM_CHANNELS; channel++) {
                cache->requests[channel] = (uint32_t)report.requests[channel];
                cache->hits[channel] = (uint32_t)report.hits[channel];
            }
        }
        outcome->numbers[APP_TMU_REFILLS] = outcome->caches[CACHE_OF_CHIP].refills;
    }
    for (size_t i = 0; i < APP_TMU_CACHES; i++) {
        tmu_sim_free(models.sims[i]);
    }
    return created;
}

/* Memories that the board's machine meets: cycles to the first word, 0 for its own. */
static const struct {
    enum app_tmu_number number;
    uint32_t latency;
} memories[] = {
    {APP_TMU_CYCLES_2, 2}, {APP_TMU_CYCLES_5, 5}, {APP_TMU_CYCLES_12, 12}, {APP_TMU_CYCLES, 0}};

static bool count_cycles(struct app_tmu_outcome *outcome, const struct app_tmu_case *tmu_case,
                         const struct base_diag_sink *sink)
{
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++) {
        struct tmu_arch arch;
        if (!tmu_arch_builtin(&arch, "milkymist_one", sink)) {
            return false;
        }
        if (memories[i].latency > 0) {
            arch.memory_kind = TMU_MEMORY_FIXED;
            arch.memory_latency = memories[i].latency;
            arch.memory_waiting = 1;
            arch.target_writes = TMU_WRITES_NONE;
        }
        struct tmu_sim *sim = tmu_sim_create(&arch);
        if (sim == NULL) {
            return false;
        }
        const struct tmu_trace_sink trace = tmu_sim_sink(sim);
        board_mapper_trace(&tmu_case->registers, tmu_case->vertices, &trace);
        outcome->numbers[memories[i].number] = (uint32_t)tmu_sim_report(sim, 0).cycles;
        tmu_sim_free(sim);
    }
    return true;
}

static struct board_mapper make_chip(struct app_tmu_outcome *outcome,
                                     const struct app_tmu_case *tmu_case,
                                     enum board_mapper_revision revision)
{
    struct board_mapper chip;
    board_mapper_reset(&chip, revision);
    chip.registers = tmu_case->registers;
    app_tmu_fill(&tmu_case->registers, &outcome->memory);
    return chip;
}

static uint32_t target_crc(const struct app_tmu_outcome *outcome,
                           const struct app_tmu_case *tmu_case)
{
    uint32_t crc = BASE_CRC32_START;
    for (uint32_t y = 0; y < (uint32_t)tmu_case->registers.dstvres; y++) {
        crc = app_tmu_row_crc(&tmu_case->registers, &outcome->memory, y, crc);
    }
    return crc;
}

/* Returns the CRC of the target. */
static uint32_t run_chip(struct app_tmu_outcome *outcome, const struct app_tmu_case *tmu_case,
                         enum board_mapper_revision revision)
{
    for (size_t level = 0; level < outcome->levels; level++) {
        struct board_mapper fast = make_chip(outcome, tmu_case, revision);
        (void)board_mapper_run_fast(&fast, &outcome->memory, tmu_case->vertices,
                                    (enum base_cpu_level)level);
        outcome->fast[revision][level] = target_crc(outcome, tmu_case);
    }
    struct board_mapper chip = make_chip(outcome, tmu_case, revision);
    const struct board_mapper_counts counts =
        board_mapper_run(&chip, &outcome->memory, tmu_case->vertices);
    outcome->pixels = counts.pixels;
    outcome->numbers[APP_TMU_READ_BURSTS] = counts.dst_read_bursts;
    outcome->numbers[APP_TMU_WRITE_BURSTS] = counts.dst_write_bursts;
    return target_crc(outcome, tmu_case);
}

bool app_tmu_outcome_make(struct app_tmu_outcome *outcome, const struct app_tmu_case *tmu_case,
                          const char *file, const struct base_diag_sink *sink)
{
    *outcome = (struct app_tmu_outcome){.levels = (size_t)base_cpu_best() + 1,
                                        .memory.size = app_tmu_memory_size(&tmu_case->registers)};
    outcome->memory.bytes = calloc(1, (size_t)outcome->memory.size + BOARD_MAPPER_MEMORY_GUARD);
    if (outcome->memory.bytes == NULL || !run_models(outcome, tmu_case, sink) ||
        !count_cycles(outcome, tmu_case, sink)) {
        base_report(sink, BASE_ERROR, (struct base_place){file, 0, 0}, NULL, "not enough memory");
        app_tmu_outcome_free(outcome);
        return false;
    }
    outcome->numbers[APP_TMU_THESIS_CRC] = run_chip(outcome, tmu_case, BOARD_MAPPER_THESIS);
    outcome->numbers[APP_TMU_CRC] = run_chip(outcome, tmu_case, BOARD_MAPPER_CURRENT);
    return true;
}

void app_tmu_outcome_free(struct app_tmu_outcome *outcome)
{
    free(outcome->memory.bytes);
    outcome->memory.bytes = NULL;
}

enum { PART = APP_LAB_WHAT_MAX / 2 };

struct comparison {
    const struct app_tmu_outcome *outcome;
    const struct app_tmu_case *tmu_case;
    const struct app_tmu_expect *expect;
    const char *name;
    struct app_lab_report *report;
};

static void differ(const struct comparison *comparison, uint32_t line, const char *what,
                   uint32_t expected, struct app_lab_word got)
{
    struct app_lab_mismatch mismatch = {
        .line = line, .expected = {true, expected}, .got = got, .care = UINT32_MAX};
    (void)snprintf(mismatch.what, sizeof mismatch.what, "%.31s %s", comparison->name, what);
    app_lab_report_add(comparison->report, &mismatch);
}

static void compare_number(const struct comparison *comparison, uint32_t line, const char *what,
                           uint32_t expected, uint32_t got)
{
    if (expected != got) {
        differ(comparison, line, what, expected, (struct app_lab_word){true, got});
    }
}

static void compare_cache(const struct comparison *comparison, size_t size)
{
    const struct app_tmu_cache *expected = &comparison->expect->caches[size];
    const struct app_tmu_cache *got = &comparison->outcome->caches[size];
    char what[PART];
    (void)snprintf(what, sizeof what, "thesis_%uk refills", APP_TMU_CACHE_LEAST / 1024u << size);
    if (got->line == 0) {
        differ(comparison, expected->line, what, expected->refills, (struct app_lab_word){0});
        return;
    }
    compare_number(comparison, expected->line, what, expected->refills, got->refills);
    for (unsigned i = 0; i < TMU_SIM_CHANNELS; i++) {
        const unsigned kilobytes = APP_TMU_CACHE_LEAST / 1024u << size;
        const char channel = "ABCD"[i];
        (void)snprintf(what, sizeof what, "thesis_%uk requests %c", kilobytes, channel);
        compare_number(comparison, expected->line, what, expected->requests[i], got->requests[i]);
        (void)snprintf(what, sizeof what, "thesis_%uk hits %c", kilobytes, channel);
        compare_number(comparison, expected->line, what, expected->hits[i], got->hits[i]);
    }
}

static void compare_row(const struct comparison *comparison, const struct app_tmu_row *row)
{
    const struct board_mapper_registers *registers = &comparison->tmu_case->registers;
    for (uint32_t x = 0; x < row->count; x++) {
        const bool inside =
            x < (uint32_t)registers->dsthres && row->y < (uint32_t)registers->dstvres;
        const struct app_lab_word got = {
            .given = inside,
            .value = inside ? app_tmu_pixel(registers, &comparison->outcome->memory, x, row->y) : 0,
        };
        if (!inside || got.value != row->pixels[x]) {
            char what[PART];
            (void)snprintf(what, sizeof what, "row %u pixel %u", row->y, x);
            differ(comparison, row->line, what, row->pixels[x], got);
        }
    }
}

void app_tmu_outcome_compare_fast(const struct app_tmu_outcome *outcome, const char *name,
                                  struct app_lab_report *report)
{
    static const char *const revisions[APP_TMU_REVISIONS] = {"", " thesis"};
    const uint32_t expected[APP_TMU_REVISIONS] = {outcome->numbers[APP_TMU_CRC],
                                                  outcome->numbers[APP_TMU_THESIS_CRC]};
    const struct comparison comparison = {.name = name, .report = report};
    for (size_t revision = 0; revision < APP_TMU_REVISIONS; revision++) {
        for (size_t level = 0; level < outcome->levels; level++) {
            char what[PART];
            (void)snprintf(what, sizeof what, "%s rows%s",
                           base_cpu_level_name((enum base_cpu_level)level), revisions[revision]);
            compare_number(&comparison, 0, what, expected[revision],
                           outcome->fast[revision][level]);
        }
    }
}

/* Within 3 %. */
static bool is_near(uint32_t expected, uint32_t got)
{
    const uint64_t distance = got > expected ? got - expected : expected - got;
    return distance * 100 <= (uint64_t)expected * 3;
}

/* Adds what differs; `name` of the case stands in front. */
static void compare_outcome(const struct app_tmu_outcome *outcome,
                            const struct app_tmu_case *tmu_case,
                            const struct app_tmu_expect *expect, const char *name,
                            struct app_lab_report *report)
{
    const struct comparison comparison = {outcome, tmu_case, expect, name, report};
    for (size_t i = 0; i < APP_TMU_NUMBER_COUNT; i++) {
        const uint32_t expected = expect->numbers[i].value;
        const uint32_t got = outcome->numbers[i];
        if (expect->numbers[i].line != 0 &&
            !(app_tmu_numbers[i].kind == APP_TMU_IS_CYCLES && is_near(expected, got))) {
            compare_number(&comparison, expect->numbers[i].line, app_tmu_numbers[i].name, expected,
                           got);
        }
    }
    for (size_t i = 0; i < APP_TMU_CACHES; i++) {
        if (expect->caches[i].line != 0) {
            compare_cache(&comparison, i);
        }
    }
    for (size_t i = 0; i < expect->row_count; i++) {
        compare_row(&comparison, &expect->rows[i]);
    }
    for (uint32_t y = 0; y < expect->row_crc_count; y++) {
        char what[PART];
        (void)snprintf(what, sizeof what, "rowcrc %u", y);
        if (y >= (uint32_t)tmu_case->registers.dstvres) {
            differ(&comparison, expect->row_crc_line, what, expect->row_crcs[y],
                   (struct app_lab_word){0});
        } else {
            compare_number(
                &comparison, expect->row_crc_line, what, expect->row_crcs[y],
                app_tmu_row_crc(&tmu_case->registers, &outcome->memory, y, BASE_CRC32_START));
        }
    }
}

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

/* Compares with the file beside the case, if there is one. False if it cannot be read. */
static bool compare_file(struct job *job, const char *path)
{
    const size_t size = strlen(path);
    const size_t tail = sizeof ending - 1;
    const size_t stem = size > tail && strcmp(path + size - tail, ending) == 0 ? size - tail : size;
    char *file = malloc(stem + sizeof beside);
    if (file == NULL) {
        base_report(job->sink, BASE_ERROR, (struct base_place){path, 0, 0}, NULL,
                    "not enough memory");
        return false;
    }
    memcpy(file, path, stem);
    memcpy(file + stem, beside, sizeof beside);
    const bool exists = access(file, F_OK) == 0;
    bool read = !exists;
    struct base_file text;
    if (exists && base_file_load(&text, file, APP_TEXT_FILE_MAX, job->sink) == 0) {
        read = app_tmu_expect_read(&job->expect, file, (struct base_span){text.data, text.size},
                                   job->sink);
        base_file_free(&text);
    }
    if (exists && read) {
        file[stem] = '\0';
        const char *slash = strrchr(file, '/');
        compare_outcome(&job->outcome, &job->tmu_case, &job->expect,
                        slash != NULL ? slash + 1 : file, &job->report);
    }
    free(file);
    return read;
}

static void print_text(const struct job *job, const char *path)
{
    const struct app_tmu_outcome *outcome = &job->outcome;
    base_plain(job->out, path);
    (void)fprintf(job->out, "\n    pixels %u", outcome->pixels);
    for (size_t i = 0; i < APP_TMU_NUMBER_COUNT; i++) {
        const bool breaks = i > 0 && app_tmu_numbers[i].kind != app_tmu_numbers[i - 1].kind;
        (void)fputs(breaks ? "\n    " : ", ", job->out);
        (void)fprintf(job->out, app_tmu_numbers[i].kind == APP_TMU_IS_HEX ? "%s %08x" : "%s %u",
                      app_tmu_numbers[i].name, outcome->numbers[i]);
    }
    (void)fputs("\n    size  refills", job->out);
    for (size_t i = 0; i < TMU_SIM_CHANNELS; i++) {
        (void)fprintf(job->out, " %6s %c %6s %c", "req", "ABCD"[i], "hit", "ABCD"[i]);
    }
    (void)fputs("  hits %\n", job->out);
    for (size_t i = 0; i < APP_TMU_CACHES; i++) {
        const struct app_tmu_cache *cache = &outcome->caches[i];
        uint64_t requests = 0;
        uint64_t hits = 0;
        (void)fprintf(job->out, "    %3uK", APP_TMU_CACHE_LEAST / 1024u << i);
        if (cache->line == 0) {
            (void)fputs("  channels conflict\n", job->out);
            continue;
        }
        (void)fprintf(job->out, " %8u", cache->refills);
        for (size_t k = 0; k < TMU_SIM_CHANNELS; k++) {
            (void)fprintf(job->out, " %8u %8u", cache->requests[k], cache->hits[k]);
            requests += cache->requests[k];
            hits += cache->hits[k];
        }
        (void)fprintf(job->out, " %7.2f\n",
                      requests > 0 ? 100.0 * (double)hits / (double)requests : 0.0);
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

static void print_json(const struct job *job, const char *path)
{
    const struct app_tmu_outcome *outcome = &job->outcome;
    (void)fputs("{\"case\":", job->out);
    base_json_string(job->out, path);
    (void)fprintf(job->out, ",\"pixels\":%u", outcome->pixels);
    for (size_t i = 0; i < APP_TMU_NUMBER_COUNT; i++) {
        (void)fprintf(job->out,
                      app_tmu_numbers[i].kind == APP_TMU_IS_HEX ? ",\"%s\":\"%08x\"" : ",\"%s\":%u",
                      app_tmu_numbers[i].name, outcome->numbers[i]);
    }
    (void)fputs(",\"caches\":[", job->out);
    for (size_t i = 0; i < APP_TMU_CACHES; i++) {
        const struct app_tmu_cache *cache = &outcome->caches[i];
        (void)fprintf(job->out, "%s{\"size\":%u,\"conflict\":%s", i > 0 ? "," : "",
                      (uint32_t)APP_TMU_CACHE_LEAST << i, cache->line == 0 ? "true" : "false");
        if (cache->line != 0) {
            (void)fprintf(job->out, ",\"refills\":%u", cache->refills);
            print_json_list(job->out, "requests", cache->requests);
            print_json_list(job->out, "hits", cache->hits);
        }
        (void)fputc('}', job->out);
    }
    (void)fputs("]}\n", job->out);
}

static bool run_case(struct job *job, const char *path)
{
    struct base_file file;
    if (base_file_load(&file, path, APP_TEXT_FILE_MAX, job->sink) != 0) {
        return false;
    }
    const struct base_span text = {file.data, file.size};
    const bool whole = app_tmu_case_read(&job->tmu_case, path, text, job->sink);
    base_file_free(&file);
    if (!whole || !app_tmu_outcome_make(&job->outcome, &job->tmu_case, path, job->sink)) {
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
    const bool read = compare_file(job, path);
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
