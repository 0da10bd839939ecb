#include "board/twin/units.h"

#include <stdlib.h>
#include <string.h>

#include "board/mapper/walk.h"
#include "board/twin/system.h"
#include "pfpu/machine/machine.h"
#include "pfpu/pfpu.h"
#include "tmu/models/arch.h"

enum {
    PFPU_START = 1,
    WORD_MASK = (1 << 25) - 1,
    SIDE_MASK = PFPU_MACHINE_SIDE - 1,
    VERTICES_MASK = (1 << 14) - 1,
    COUNTER_MASK = PFPU_MACHINE_WORDS - 1,
    PAGES = 4,
    PAGE_WORDS = 512,
    BASE_LOW = 7,
};

void board_twin_pfpu_reset(struct board_twin_pfpu *pfpu)
{
    memset(pfpu, 0, sizeof *pfpu);
    pfpu_machine_init(&pfpu->machine, &pfpu_target_milkymist_one);
    pfpu->due = UINT64_MAX;
}

uint32_t board_twin_pfpu_read(const struct board_twin_pfpu *pfpu, uint64_t now, uint32_t offset)
{
    if (offset >= BOARD_TWIN_pfpu_registers) {
        if (pfpu->busy) {
            return 0;
        }
        if (offset >= BOARD_TWIN_pfpu_code) {
            return pfpu->machine
                .code[pfpu->page * PAGE_WORDS + (offset - BOARD_TWIN_pfpu_code) / 4];
        }
        const uint32_t number = (offset - BOARD_TWIN_pfpu_registers) / 4;
        return number < PFPU_MACHINE_REGISTERS ? pfpu->machine.registers[number] : 0;
    }
    switch (offset) {
    case BOARD_TWIN_pfpu_control:
        return pfpu->busy;
    case BOARD_TWIN_pfpu_mesh_base:
        return pfpu->machine.mesh_base;
    case BOARD_TWIN_pfpu_hmeshlast:
        return pfpu->machine.last_column;
    case BOARD_TWIN_pfpu_vmeshlast:
        return pfpu->machine.last_row;
    case BOARD_TWIN_pfpu_code_page:
        return pfpu->page;
    case BOARD_TWIN_pfpu_vertices:
        if (!pfpu->busy || pfpu->timed || pfpu->vertex_cycles == 0) {
            return pfpu->busy && !pfpu->timed ? 0 : pfpu->machine.vertices;
        }
        return (uint32_t)((now - pfpu->began) / pfpu->vertex_cycles) & VERTICES_MASK;
    case BOARD_TWIN_pfpu_collisions:
        return pfpu->machine.collisions;
    case BOARD_TWIN_pfpu_stray_writes:
        return pfpu->machine.stray_writes;
    case BOARD_TWIN_pfpu_last_write:
        return pfpu->machine.last_write;
    case BOARD_TWIN_pfpu_counter:
        return pfpu->busy ? (uint32_t)(now - pfpu->began) & COUNTER_MASK : 0;
    default:
        return 0;
    }
}

/* Cycles from one vertex to the next; 0 if the program never comes to its end. */
static uint32_t vertex_cycles(const struct pfpu_machine *machine)
{
    for (uint32_t i = 0; i < PFPU_MACHINE_WORDS; i++) {
        if (pfpu_word_opcode(machine->code[i]) == PFPU_OPCODE_VECTOUT) {
            return pfpu_machine_vertex_cycles(i);
        }
    }
    return 0;
}

void board_twin_pfpu_write(struct board_twin_pfpu *pfpu, uint64_t now, uint32_t offset,
                           uint32_t value)
{
    if (pfpu->busy) {
        return;
    }
    if (offset == BOARD_TWIN_pfpu_control) {
        pfpu->machine.vertices = 0;
        pfpu->machine.collisions = 0;
        pfpu->machine.stray_writes = 0;
        if ((value & PFPU_START) != 0) {
            const struct pfpu_machine *machine = &pfpu->machine;
            pfpu->busy = true;
            pfpu->timed = false;
            pfpu->began = now;
            pfpu->vertex_cycles = vertex_cycles(machine);
            const uint64_t vertices =
                (uint64_t)(machine->last_column + 1) * (machine->last_row + 1);
            pfpu->due = pfpu->vertex_cycles > 0 ? now + vertices * pfpu->vertex_cycles : UINT64_MAX;
        }
    } else if (offset >= BOARD_TWIN_pfpu_code) {
        const uint32_t word = (offset - BOARD_TWIN_pfpu_code) / 4;
        pfpu->machine.code[pfpu->page * PAGE_WORDS + word] = value & WORD_MASK;
    } else if (offset >= BOARD_TWIN_pfpu_registers) {
        const uint32_t number = (offset - BOARD_TWIN_pfpu_registers) / 4;
        if (number < PFPU_MACHINE_REGISTERS) {
            pfpu_machine_set_register(&pfpu->machine, number, value);
        }
    } else if (offset == BOARD_TWIN_pfpu_mesh_base) {
        pfpu->machine.mesh_base = value & ~(uint32_t)BASE_LOW;
    } else if (offset == BOARD_TWIN_pfpu_hmeshlast) {
        pfpu->machine.last_column = value & SIDE_MASK;
    } else if (offset == BOARD_TWIN_pfpu_vmeshlast) {
        pfpu->machine.last_row = value & SIDE_MASK;
    } else if (offset == BOARD_TWIN_pfpu_code_page) {
        pfpu->page = value % PAGES;
    }
}

/* Where the words of a run go, and what they cost beyond a bus that answers at once. */
struct results {
    struct board_twin_memory *memory;
    bool contended;
    uint64_t waits;
};

enum { AT_ONCE = 2 }; /* cycles of a word, which the model counts */

static void write_word(void *user, uint32_t address, uint32_t data)
{
    struct results *results = user;
    results->waits +=
        board_twin_memory_deliver(results->memory, address, data, results->contended) - AT_ONCE;
}

uint32_t board_twin_pfpu_waits(uint32_t columns, uint32_t rows)
{
    enum { WORDS = 2 };
    const uint32_t lines = (columns * WORDS * 4 + BOARD_TWIN_L2_BYTES - 1) / BOARD_TWIN_L2_BYTES;
    return rows * (columns * WORDS * (BOARD_TWIN_BRIDGE - AT_ONCE) + lines * BOARD_TWIN_LINE);
}

bool board_twin_pfpu_event(struct board_twin_pfpu *pfpu, struct board_twin_memory *memory)
{
    if (!pfpu->timed) {
        struct results results = {memory, pfpu->began < memory->busy_until, 0};
        const struct pfpu_machine_bus bus = {write_word, &results};
        (void)pfpu_machine_run(&pfpu->machine, &bus);
        pfpu->timed = true;
        pfpu->due += results.waits;
        if (results.waits > 0) {
            return false;
        }
    }
    pfpu->runs++;
    pfpu->cycles += pfpu->due - pfpu->began;
    pfpu->busy = false;
    pfpu->due = UINT64_MAX;
    return true;
}

enum {
    TMU_START = 1,
    CHROMA_KEY = 2,
    FLAGS = BOARD_MAPPER_CHROMA_KEY | BOARD_MAPPER_ADDITIVE,
    VERTEX_BYTES = 8,
    DIVISION = 19, /* cycles before each row of a square */
    VERTICES_LOW = 7,
};

bool board_twin_tmu_arch(struct tmu_arch *arch)
{
    return tmu_arch_builtin(arch, "milkymist_one", NULL);
}

bool board_twin_tmu_create(struct board_twin_tmu *tmu)
{
    memset(tmu, 0, sizeof *tmu);
    board_mapper_reset(&tmu->chip, BOARD_MAPPER_CURRENT);
    tmu->level = base_cpu_best();
    tmu->due = UINT64_MAX;
    tmu->vertices = calloc((size_t)BOARD_MAPPER_PITCH * BOARD_MAPPER_PITCH, sizeof *tmu->vertices);
    return tmu->vertices != NULL && board_twin_tmu_arch(&tmu->arch);
}

void board_twin_tmu_free(struct board_twin_tmu *tmu)
{
    free(tmu->vertices);
    tmu->vertices = NULL;
}

uint32_t board_twin_tmu_read(const struct board_twin_tmu *tmu, uint32_t offset)
{
    if (offset == BOARD_TWIN_tmu_control) {
        return (uint32_t)tmu->busy | (tmu->chip.registers.flags & CHROMA_KEY);
    }
    switch (offset) {
#define BOARD_MAPPER_REGISTER(name, place, bits, reset, sign)                                      \
    case place:                                                                                    \
        return (uint32_t)tmu->chip.registers.name;
#include "board/mapper/registers.def"
    default:
        return 0;
    }
}

void board_twin_tmu_write(struct board_twin_tmu *tmu, struct board_twin_memory *memory,
                          uint64_t now, uint32_t offset, uint32_t value)
{
    if (tmu->busy) {
        return;
    }
    struct board_mapper_registers *registers = &tmu->chip.registers;
    if (offset != BOARD_TWIN_tmu_control) {
        switch (offset) {
#define BOARD_MAPPER_REGISTER(name, place, bits, reset, sign)                                      \
    case place:                                                                                    \
        registers->name = board_mapper_kept((int32_t)value, bits, (sign) == BOARD_MAPPER_SIGNED);  \
        break;
#include "board/mapper/registers.def"
        default:
            break;
        }
        return;
    }
    registers->flags = value & FLAGS;
    if ((value & TMU_START) != 0) {
        tmu->busy = true;
        tmu->timed = false;
        tmu->share = 0;
        tmu->lost = board_twin_memory_taken(memory);
        tmu->began = now;
        /* What a run takes at least. The pixels of squares outside the target are passed over one
         * by one as well. */
        const uint64_t width = (uint64_t)registers->dstsquarew;
        const uint64_t rows = (uint64_t)registers->hmeshlast * (uint64_t)registers->vmeshlast *
                              (uint64_t)registers->dstsquareh;
        tmu->due = now + (BOARD_TWIN_TMU_FLUSH + rows * (width > DIVISION ? width : DIVISION));
        memory->busy_until = tmu->due;
    }
}

/* The time that the model finds for the mesh as it is now. */
static uint64_t measure(struct board_twin_tmu *tmu, const struct board_twin_memory *memory)
{
    struct tmu_arch arch = tmu->arch;
    const double period = memory->bus.scan_period;
    arch.background_bytes_per_second =
        period > 0 ? (double)BOARD_TWIN_CLOCK * BOARD_TWIN_L2_BYTES / period : 0;
    struct tmu_sim *sim = tmu_sim_create(&arch);
    if (sim == NULL) {
        tmu->failed = true;
        return 0;
    }
    const struct tmu_trace_sink sink = tmu_sim_sink(sim);
    board_mapper_trace(&tmu->chip.registers, tmu->vertices, &sink);
    const struct tmu_sim_report report = tmu_sim_report(sim, 0);
    struct tmu_sim_report *sum = &tmu->bus;
    for (int i = 0; i < TMU_SIM_CHANNELS; i++) {
        sum->requests[i] += report.requests[i];
        sum->hits[i] += report.hits[i];
    }
    sum->bus_busy += report.bus_busy;
    sum->bus_accesses += report.bus_accesses;
    sum->scans += report.scans;
    sum->scan_busy += report.scan_busy;
    sum->stalls += report.stalls;
    sum->refills += report.refills;
    tmu_sim_free(sim);
    tmu->share = report.cycles > 0 ? (double)report.bus_busy / (double)report.cycles : 0;
    tmu->share = tmu->share < 1 ? tmu->share : 1;
    return report.cycles + BOARD_TWIN_TMU_FLUSH;
}

bool board_twin_tmu_event(struct board_twin_tmu *tmu, struct board_twin_memory *memory)
{
    if (!tmu->timed) {
        tmu->timed = true;
        const struct board_mapper_registers *registers = &tmu->chip.registers;
        const uint32_t base = (uint32_t)registers->vertices & ~(uint32_t)VERTICES_LOW;
        for (uint32_t y = 0; y <= (uint32_t)registers->vmeshlast; y++) {
            for (uint32_t x = 0; x <= (uint32_t)registers->hmeshlast; x++) {
                const uint32_t place = BOARD_MAPPER_PITCH * y + x;
                const uint32_t address = base + VERTEX_BYTES * place;
                tmu->vertices[place] = (struct board_mapper_vertex){
                    .x = (int32_t)board_twin_memory_fetch(memory, address),
                    .y = (int32_t)board_twin_memory_fetch(memory, address + 4),
                };
            }
        }
        const uint64_t end = tmu->quick ? tmu->due : tmu->began + measure(tmu, memory);
        if (end > tmu->due) {
            tmu->due = end;
            memory->busy_until = end;
            return false;
        }
    }
    /* What others had of the bus, the run had not, for as much of its time as it wanted it. */
    const uint64_t lost = board_twin_memory_taken(memory) - tmu->lost;
    const uint64_t late = (uint64_t)((double)lost * tmu->share);
    if (late > 0) {
        tmu->lost += lost;
        tmu->due += late;
        memory->busy_until = tmu->due;
        return false;
    }
    const struct board_mapper_memory pixels = {memory->sdram, BOARD_TWIN_SDRAM};
    const struct board_mapper_counts counts =
        board_mapper_run_fast(&tmu->chip, &pixels, tmu->vertices, tmu->level);
    tmu->pixels += counts.pixels;
    tmu->runs++;
    tmu->cycles += tmu->due - tmu->began;
    tmu->busy = false;
    tmu->due = UINT64_MAX;
    return true;
}
