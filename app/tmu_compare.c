#include "app/tmu_outcome.h"
#include "base/crc32.h"

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

static void compare(const struct comparison *comparison, uint32_t line, const char *what,
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
    compare(comparison, expected->line, what, expected->refills, got->refills);
    for (unsigned i = 0; i < TMU_SIM_CHANNELS; i++) {
        const unsigned kilobytes = APP_TMU_CACHE_LEAST / 1024u << size;
        const char channel = "ABCD"[i];
        (void)snprintf(what, sizeof what, "thesis_%uk requests %c", kilobytes, channel);
        compare(comparison, expected->line, what, expected->requests[i], got->requests[i]);
        (void)snprintf(what, sizeof what, "thesis_%uk hits %c", kilobytes, channel);
        compare(comparison, expected->line, what, expected->hits[i], got->hits[i]);
    }
}

static void compare_row(const struct comparison *comparison, const struct app_tmu_row *row)
{
    const struct tmu_chip_registers *registers = &comparison->tmu_case->registers;
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

static void compare_row_crc(const struct comparison *comparison, uint32_t y)
{
    const struct tmu_chip_registers *registers = &comparison->tmu_case->registers;
    const uint32_t expected = comparison->expect->row_crcs[y];
    char what[PART];
    (void)snprintf(what, sizeof what, "rowcrc %u", y);
    if (y >= (uint32_t)registers->dstvres) {
        differ(comparison, comparison->expect->row_crc_line, what, expected,
               (struct app_lab_word){0});
        return;
    }
    compare(comparison, comparison->expect->row_crc_line, what, expected,
            app_tmu_row_crc(registers, &comparison->outcome->memory, y, BASE_CRC32_START));
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
            compare(&comparison, 0, what, expected[revision], outcome->fast[revision][level]);
        }
    }
}

void app_tmu_outcome_compare(const struct app_tmu_outcome *outcome,
                             const struct app_tmu_case *tmu_case,
                             const struct app_tmu_expect *expect, const char *name,
                             struct app_lab_report *report)
{
    const struct comparison comparison = {outcome, tmu_case, expect, name, report};
    for (size_t i = 0; i < APP_TMU_NUMBER_COUNT; i++) {
        if (expect->numbers[i].line != 0) {
            compare(&comparison, expect->numbers[i].line, app_tmu_numbers[i].name,
                    expect->numbers[i].value, outcome->numbers[i]);
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
        compare_row_crc(&comparison, y);
    }
}
