/* The texture mapper behind its registers: tmu/chip.h on the board's SDRAM, with the time of the
 * timing model. It reads its mesh through the second-level cache, and pixels past it. The picture
 * is drawn when the run ends. */
#ifndef APP_BOARD_TMU_H
#define APP_BOARD_TMU_H

#include <stdbool.h>
#include <stdint.h>

#include "app/board/memory.h"
#include "base/cpu.h"
#include "tmu/sim.h"

struct app_board_tmu {
    struct tmu_chip chip;
    enum base_cpu_level level;
    bool quick; /* runs take the least time they can: the timing model is left out */
    bool busy;
    bool timed; /* due is that of the timing model */
    uint64_t began;
    uint64_t due;                     /* UINT64_MAX: it does not run */
    struct tmu_chip_vertex *vertices; /* of the mesh, TMU_CHIP_PITCH to a row; owned */
    struct tmu_arch arch;
    struct tmu_sim_report bus; /* sums of what the timing model has counted of texels and bus */
    uint64_t runs;
    uint64_t pixels;
    uint64_t cycles; /* of all runs that have ended */
    bool failed;     /* no memory for the timing model */
};

/* The machine whose timing model it is: that of froth's own, of the current revision, at the
 * board's clock. The screen's part of the memory is not in it. False with no such machine. */
bool app_board_tmu_arch(struct tmu_arch *arch);

enum { APP_BOARD_TMU_FLUSH = 1024 /* cycles of a run in which the texel cache is emptied */ };

/* As after a reset. False without memory. */
bool app_board_tmu_create(struct app_board_tmu *tmu);
void app_board_tmu_free(struct app_board_tmu *tmu);

uint32_t app_board_tmu_read(const struct app_board_tmu *tmu, uint32_t offset);
void app_board_tmu_write(struct app_board_tmu *tmu, struct app_board_memory *memory, uint64_t now,
                         uint32_t offset, uint32_t value);

/* What is due: first the run is measured, which may put its end off; true when it has ended. */
bool app_board_tmu_event(struct app_board_tmu *tmu, struct app_board_memory *memory);

#endif
