/* The coprocessor behind its registers: pfpu/machine.h on the board's memory. What a run writes is
 * there when it ends. */
#ifndef APP_BOARD_PFPU_H
#define APP_BOARD_PFPU_H

#include <stdbool.h>
#include <stdint.h>

#include "app/board/memory.h"
#include "pfpu/machine.h"

struct app_board_pfpu {
    struct pfpu_machine machine;
    uint32_t page;
    bool busy;
    uint64_t began;
    uint64_t due; /* when the run ends; UINT64_MAX: never, or it does not run */
    uint32_t vertex_cycles;
    uint64_t runs;
    uint64_t cycles; /* of all runs that have ended */
};

void app_board_pfpu_reset(struct app_board_pfpu *pfpu);
uint32_t app_board_pfpu_read(const struct app_board_pfpu *pfpu, uint64_t now, uint32_t offset);
void app_board_pfpu_write(struct app_board_pfpu *pfpu, uint64_t now, uint32_t offset,
                          uint32_t value);

/* The end of a run: writes its results through the second-level cache. */
void app_board_pfpu_event(struct app_board_pfpu *pfpu, struct app_board_memory *memory);

#endif
