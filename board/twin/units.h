/* Coprocessor and texture mapper behind their registers. */
#ifndef BOARD_TWIN_UNITS_H
#define BOARD_TWIN_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cpu.h"
#include "board/twin/memory.h"
#include "pfpu/machine/machine.h"
#include "tmu/models/sim.h"

/* pfpu/machine/machine.h on the board's memory. What a run writes is there when it ends. */
struct board_twin_pfpu {
    struct pfpu_machine machine;
    uint32_t page;
    bool busy;
    bool timed; /* due counts how long memory takes its words */
    uint64_t began;
    uint64_t due; /* when the run ends; UINT64_MAX: never, or it does not run */
    uint32_t vertex_cycles;
    uint64_t runs;
    uint64_t cycles; /* of all runs that have ended */
};

void board_twin_pfpu_reset(struct board_twin_pfpu *pfpu);
uint32_t board_twin_pfpu_read(const struct board_twin_pfpu *pfpu, uint64_t now, uint32_t offset);
void board_twin_pfpu_write(struct board_twin_pfpu *pfpu, uint64_t now, uint32_t offset,
                           uint32_t value);

/* What is due: first the results are written through the second-level cache, each word of which the
 * unit waits for, and that puts its end off (spec/pfpu.md section 6); true when the run has ended.
 */
bool board_twin_pfpu_event(struct board_twin_pfpu *pfpu, struct board_twin_memory *memory);

/* Cycles that memory adds to a run over a mesh, more than the model counts, where the texture
 * mapper takes no turns: for each word, and for each line of 32 bytes, none of which is there. */
uint32_t board_twin_pfpu_waits(uint32_t columns, uint32_t rows);

/* The texture mapper behind its registers: board/mapper/mapper.h on the board's SDRAM, with the
 * time of the timing model. It reads its mesh through the second-level cache, and pixels past it.
 * The picture is drawn when the run ends. */

struct board_twin_tmu {
    struct board_mapper chip;
    enum base_cpu_level level;
    bool quick; /* runs take the least time they can: the timing model is left out */
    bool busy;
    bool timed;    /* due is that of the timing model */
    double share;  /* of its time in which the run uses the bus */
    uint64_t lost; /* cycles of the bus that others had, and that due counts */
    uint64_t began;
    uint64_t due;                         /* UINT64_MAX: it does not run */
    struct board_mapper_vertex *vertices; /* of the mesh, BOARD_MAPPER_PITCH to a row; owned */
    struct tmu_arch arch;
    struct tmu_sim_report bus; /* sums of what the timing model has counted of texels and bus */
    uint64_t runs;
    uint64_t pixels;
    uint64_t cycles; /* of all runs that have ended */
    bool failed;     /* no memory for the timing model */
};

/* The machine whose timing model it is, "milkymist_one". The screen's part of the memory is not in
 * it. False with no such machine. */
bool board_twin_tmu_arch(struct tmu_arch *arch);

enum { BOARD_TWIN_TMU_FLUSH = 1024 /* cycles of a run in which the texel cache is emptied */ };

/* As after a reset. False without memory. */
bool board_twin_tmu_create(struct board_twin_tmu *tmu);
void board_twin_tmu_free(struct board_twin_tmu *tmu);

uint32_t board_twin_tmu_read(const struct board_twin_tmu *tmu, uint32_t offset);
void board_twin_tmu_write(struct board_twin_tmu *tmu, struct board_twin_memory *memory,
                          uint64_t now, uint32_t offset, uint32_t value);

/* What is due: first the run is measured, which may put its end off, as does what others take of
 * the bus meanwhile; true when it has ended. */
bool board_twin_tmu_event(struct board_twin_tmu *tmu, struct board_twin_memory *memory);

#endif
