#include "app/tmu_outcome.h"

#include <stdlib.h>

#include "base/crc32.h"
#include "tmu/arch_builtin.h"

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

static bool create_models(struct models *models, const struct tmu_chip_registers *registers,
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

static void free_models(struct models *models)
{
    for (size_t i = 0; i < APP_TMU_CACHES; i++) {
        tmu_sim_free(models->sims[i]);
    }
}

static void keep_reports(struct app_tmu_outcome *outcome, const struct models *models)
{
    for (size_t i = 0; i < APP_TMU_CACHES; i++) {
        if (models->sims[i] == NULL) {
            continue;
        }
        struct app_tmu_cache *cache = &outcome->caches[i];
        const struct tmu_sim_report report = tmu_sim_report(models->sims[i], 0);
        cache->line = 1;
        cache->refills = (uint32_t)report.refills;
        for (size_t channel = 0; channel < TMU_SIM_CHANNELS; channel++) {
            cache->requests[channel] = (uint32_t)report.requests[channel];
            cache->hits[channel] = (uint32_t)report.hits[channel];
        }
    }
    outcome->numbers[APP_TMU_REFILLS] = outcome->caches[CACHE_OF_CHIP].refills;
}

static bool run_models(struct app_tmu_outcome *outcome, const struct app_tmu_case *tmu_case,
                       const struct base_diag_sink *sink)
{
    struct models models = {0};
    const bool created = create_models(&models, &tmu_case->registers, sink);
    if (created) {
        const struct tmu_trace_sink all = {&models, send_begin, send_row, send_end};
        tmu_chip_trace(&tmu_case->registers, tmu_case->vertices, &all);
        keep_reports(outcome, &models);
    }
    free_models(&models);
    return created;
}

static struct tmu_chip make_chip(struct app_tmu_outcome *outcome,
                                 const struct app_tmu_case *tmu_case, enum tmu_revision revision)
{
    struct tmu_chip chip;
    tmu_chip_reset(&chip, revision);
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
                         enum tmu_revision revision)
{
    for (size_t level = 0; level < outcome->levels; level++) {
        struct tmu_chip fast = make_chip(outcome, tmu_case, revision);
        (void)tmu_chip_run_fast(&fast, &outcome->memory, tmu_case->vertices,
                                (enum base_cpu_level)level);
        outcome->fast[revision][level] = target_crc(outcome, tmu_case);
    }
    struct tmu_chip chip = make_chip(outcome, tmu_case, revision);
    const struct tmu_chip_counts counts = tmu_chip_run(&chip, &outcome->memory, tmu_case->vertices);
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
    outcome->memory.bytes = calloc(1, (size_t)outcome->memory.size + TMU_CHIP_MEMORY_GUARD);
    if (outcome->memory.bytes == NULL || !run_models(outcome, tmu_case, sink)) {
        base_report(sink, BASE_ERROR, (struct base_place){file, 0, 0}, NULL, "not enough memory");
        app_tmu_outcome_free(outcome);
        return false;
    }
    outcome->numbers[APP_TMU_THESIS_CRC] = run_chip(outcome, tmu_case, TMU_REVISION_THESIS);
    outcome->numbers[APP_TMU_CRC] = run_chip(outcome, tmu_case, TMU_REVISION_CURRENT);
    return true;
}

void app_tmu_outcome_free(struct app_tmu_outcome *outcome)
{
    free(outcome->memory.bytes);
    outcome->memory.bytes = NULL;
}
