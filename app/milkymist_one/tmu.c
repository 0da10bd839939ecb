#include "app/milkymist_one/tmu.h"

enum { START = 1 };

static void finished(void *user)
{
    struct board_tmu *tmu = user;
    tmu->done = true;
    tmu->runs = tmu->runs + 1;
}

static bool is_done(const void *user)
{
    const struct board_tmu *tmu = user;
    return tmu->done;
}

void board_tmu_begin(struct board_tmu *tmu, struct board_interrupt_handlers *handlers,
                     struct board_tasks *tasks)
{
    *tmu = (struct board_tmu){.tasks = tasks};
    board_interrupt_handle(handlers, BOARD_INTERRUPT_tmu, finished, tmu);
}

static void set_registers(const struct tmu_chip_registers *registers)
{
#define TMU_REGISTER(name, offset, bits, reset, sign)                                              \
    board_write((enum board_csr)(BOARD_CSR_BLOCK_tmu + (offset)), (uint32_t)registers->name);
#include "tmu/chip_registers.def"
}

void board_tmu_draw(struct board_tmu *tmu, const struct tmu_chip_registers *registers)
{
    set_registers(registers);
    tmu->done = false;
    board_write(BOARD_CSR_tmu_control, START | registers->flags);
    board_tasks_wait(tmu->tasks, is_done, tmu);
}
