/* Whatever bytes come in: the readers of TMU cases and expectations take them or refuse them with
 * an error. The first byte chooses the reader and the size of the memory that a case, if it is
 * small, runs in. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/lab/cases.h"
#include "base/random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORK = 1 << 15, MODEL_MEMORY = 1 << 20, CANARY = 0x5A };

static bool is_small(const struct board_mapper_registers *registers)
{
    const int64_t squares = (int64_t)registers->hmeshlast * registers->vmeshlast;
    return squares * registers->dstsquarew * registers->dstsquareh <= WORK &&
           registers->texhres * registers->texvres <= WORK &&
           registers->dsthres * registers->dstvres <= WORK;
}

static void ignore_run(void *user, const struct tmu_trace_run *run)
{
    (void)user;
    (void)run;
}

static void count_row(void *user, const struct tmu_trace_row *row)
{
    *(uint32_t *)user += (uint32_t)row->count;
}

static void ignore_end(void *user)
{
    (void)user;
}

static void run(const struct app_tmu_case *tmu_case, uint32_t size)
{
    struct board_mapper_memory memory = {malloc(size + BOARD_MAPPER_MEMORY_GUARD), size};
    if (memory.bytes == NULL) {
        return;
    }
    memset(memory.bytes, CANARY, size + BOARD_MAPPER_MEMORY_GUARD);
    app_tmu_fill(&tmu_case->registers, &memory);
    for (int revision = 0; revision < 2; revision++) {
        struct board_mapper chip;
        board_mapper_reset(&chip, (enum board_mapper_revision)revision);
        chip.registers = tmu_case->registers;
        uint32_t pixels = 0;
        const struct tmu_trace_sink sink = {&pixels, ignore_run, count_row, ignore_end};
        board_mapper_trace(&chip.registers, tmu_case->vertices, &sink);
        if (board_mapper_run(&chip, &memory, tmu_case->vertices).pixels != pixels) {
            abort();
        }
    }
    for (uint32_t y = 0; y < (uint32_t)tmu_case->registers.dstvres; y++) {
        (void)app_tmu_row_crc(&tmu_case->registers, &memory, y, BASE_CRC32_START);
    }
    for (uint32_t i = 0; i < BOARD_MAPPER_MEMORY_GUARD; i++) {
        if (memory.bytes[size + i] != CANARY) {
            abort();
        }
    }
    free(memory.bytes);
}

/* All models of the laboratory. */
static void run_models(const struct app_tmu_case *tmu_case)
{
    struct app_tmu_outcome outcome;
    if (app_tmu_memory_size(&tmu_case->registers) <= MODEL_MEMORY &&
        app_tmu_outcome_make(&outcome, tmu_case, "fuzz", NULL)) {
        app_tmu_outcome_free(&outcome);
    }
}

static bool passes_case(struct base_span text, uint8_t choice, const struct base_diag_sink *sink)
{
    struct app_tmu_case *tmu_case = malloc(sizeof *tmu_case);
    if (tmu_case == NULL) {
        abort();
    }
    const bool passes = app_tmu_case_read(tmu_case, "fuzz", text, sink);
    if (passes && is_small(&tmu_case->registers)) {
        run(tmu_case, 32u << choice % 12);
        run_models(tmu_case);
    }
    free(tmu_case);
    return passes;
}

static bool passes_expect(struct base_span text, const struct base_diag_sink *sink)
{
    struct app_tmu_expect *expect = malloc(sizeof *expect);
    if (expect == NULL) {
        abort();
    }
    const bool passes = app_tmu_expect_read(expect, "fuzz", text, sink);
    if (expect->row_count > APP_TMU_ROWS || expect->row_crc_count > APP_TMU_HEIGHT_MAX) {
        abort();
    }
    free(expect);
    return passes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    struct base_diag_list messages = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    const struct base_span text = {(const char *)data + 1, size - 1};
    const bool passes =
        (data[0] & 1) != 0 ? passes_case(text, data[0] >> 1, &sink) : passes_expect(text, &sink);
    if (passes != (messages.count == 0)) {
        abort();
    }
    return 0;
}
