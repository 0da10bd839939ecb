#include "app/board/tmu.h"

#include <stdlib.h>
#include <string.h>

#include "app/board/registers.h"
#include "app/board/system.h"
#include "tmu/arch_builtin.h"
#include "tmu/chip_walk.h"

enum {
    START = 1,
    CHROMA_KEY = 2,
    FLAGS = TMU_CHIP_CHROMA_KEY | TMU_CHIP_ADDITIVE,
    VERTEX_BYTES = 8,
    DIVISION = 19, /* cycles before each row of a square */
    VERTICES_LOW = 7,
    QUEUE = 32,
    MISSES = 16,
};

/* Its tags run ahead of the data. */
bool app_board_tmu_arch(struct tmu_arch *arch)
{
    if (!tmu_arch_builtin(arch, "milkymist", NULL)) {
        return false;
    }
    arch->machine_clock = APP_BOARD_CLOCK;
    arch->cache_waiting = TMU_WAITING_QUEUE;
    arch->cache_queue = QUEUE;
    arch->cache_misses = MISSES;
    return true;
}

bool app_board_tmu_create(struct app_board_tmu *tmu)
{
    memset(tmu, 0, sizeof *tmu);
    tmu_chip_reset(&tmu->chip, TMU_REVISION_CURRENT);
    tmu->level = base_cpu_best();
    tmu->due = UINT64_MAX;
    tmu->vertices = calloc((size_t)TMU_CHIP_PITCH * TMU_CHIP_PITCH, sizeof *tmu->vertices);
    return tmu->vertices != NULL && app_board_tmu_arch(&tmu->arch);
}

void app_board_tmu_free(struct app_board_tmu *tmu)
{
    free(tmu->vertices);
    tmu->vertices = NULL;
}

uint32_t app_board_tmu_read(const struct app_board_tmu *tmu, uint32_t offset)
{
    if (offset == APP_BOARD_tmu_control) {
        return (uint32_t)tmu->busy | (tmu->chip.registers.flags & CHROMA_KEY);
    }
    switch (offset) {
#define TMU_REGISTER(name, place, bits, reset, sign)                                               \
    case place:                                                                                    \
        return (uint32_t)tmu->chip.registers.name;
#include "tmu/chip_registers.def"
    default:
        return 0;
    }
}

static void set(struct tmu_chip_registers *registers, uint32_t offset, uint32_t value)
{
    switch (offset) {
#define TMU_REGISTER(name, place, bits, reset, sign)                                               \
    case place:                                                                                    \
        registers->name = tmu_chip_kept((int32_t)value, bits, (sign) == TMU_SIGNED);               \
        break;
#include "tmu/chip_registers.def"
    default:
        break;
    }
}

static void read_mesh(struct app_board_tmu *tmu, struct app_board_memory *memory)
{
    const struct tmu_chip_registers *registers = &tmu->chip.registers;
    const uint32_t base = (uint32_t)registers->vertices & ~(uint32_t)VERTICES_LOW;
    for (uint32_t y = 0; y <= (uint32_t)registers->vmeshlast; y++) {
        for (uint32_t x = 0; x <= (uint32_t)registers->hmeshlast; x++) {
            const uint32_t place = TMU_CHIP_PITCH * y + x;
            const uint32_t address = base + VERTEX_BYTES * place;
            tmu->vertices[place] = (struct tmu_chip_vertex){
                .x = (int32_t)app_board_memory_fetch(memory, address),
                .y = (int32_t)app_board_memory_fetch(memory, address + 4),
            };
        }
    }
}

/* What a run takes at least. The pixels of squares outside the target are passed over one by one as
 * well. */
static uint64_t least_cycles(const struct tmu_chip_registers *registers)
{
    const uint64_t width = (uint64_t)registers->dstsquarew;
    const uint64_t rows = (uint64_t)registers->hmeshlast * (uint64_t)registers->vmeshlast *
                          (uint64_t)registers->dstsquareh;
    return APP_BOARD_TMU_FLUSH + rows * (width > DIVISION ? width : DIVISION);
}

void app_board_tmu_write(struct app_board_tmu *tmu, struct app_board_memory *memory, uint64_t now,
                         uint32_t offset, uint32_t value)
{
    if (tmu->busy) {
        return;
    }
    if (offset != APP_BOARD_tmu_control) {
        set(&tmu->chip.registers, offset, value);
        return;
    }
    tmu->chip.registers.flags = value & FLAGS;
    if ((value & START) != 0) {
        tmu->busy = true;
        tmu->timed = false;
        tmu->began = now;
        tmu->due = now + least_cycles(&tmu->chip.registers);
        memory->busy_until = tmu->due;
    }
}

static void add_report(struct tmu_sim_report *sum, const struct tmu_sim_report *report)
{
    for (int i = 0; i < TMU_SIM_CHANNELS; i++) {
        sum->requests[i] += report->requests[i];
        sum->hits[i] += report->hits[i];
    }
    sum->bus_busy += report->bus_busy;
    sum->bus_accesses += report->bus_accesses;
    sum->scans += report->scans;
    sum->scan_busy += report->scan_busy;
    sum->stalls += report->stalls;
    sum->refills += report->refills;
}

/* The time that the model finds for the mesh as it is now. */
static uint64_t measure(struct app_board_tmu *tmu, const struct app_board_memory *memory)
{
    struct tmu_arch arch = tmu->arch;
    const double period = memory->bus.scan_period;
    arch.background_bytes_per_second =
        period > 0 ? (double)APP_BOARD_CLOCK * APP_BOARD_L2_BYTES / period : 0;
    struct tmu_sim *sim = tmu_sim_create(&arch);
    if (sim == NULL) {
        tmu->failed = true;
        return 0;
    }
    const struct tmu_trace_sink sink = tmu_sim_sink(sim);
    tmu_chip_trace(&tmu->chip.registers, tmu->vertices, &sink);
    const struct tmu_sim_report report = tmu_sim_report(sim, 0);
    add_report(&tmu->bus, &report);
    tmu_sim_free(sim);
    return report.cycles + APP_BOARD_TMU_FLUSH;
}

static void finish(struct app_board_tmu *tmu, struct app_board_memory *memory)
{
    const struct tmu_chip_memory pixels = {memory->sdram, APP_BOARD_SDRAM};
    const struct tmu_chip_counts counts =
        tmu_chip_run_fast(&tmu->chip, &pixels, tmu->vertices, tmu->level);
    tmu->pixels += counts.pixels;
    tmu->runs++;
    tmu->cycles += tmu->due - tmu->began;
    tmu->busy = false;
    tmu->due = UINT64_MAX;
}

bool app_board_tmu_event(struct app_board_tmu *tmu, struct app_board_memory *memory)
{
    if (!tmu->timed) {
        tmu->timed = true;
        read_mesh(tmu, memory);
        const uint64_t end = tmu->quick ? tmu->due : tmu->began + measure(tmu, memory);
        if (end > tmu->due) {
            tmu->due = end;
            memory->busy_until = end;
            return false;
        }
    }
    finish(tmu, memory);
    return true;
}
