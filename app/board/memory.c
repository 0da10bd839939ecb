#include "app/board/memory.h"

#include <stdlib.h>
#include <string.h>

#include "tmu/arch_builtin.h"

/* Cycles of the bridge between the processor's bus and memory when the line is there; the rest is
 * the bus'. An estimate: nothing is published. */
enum { BRIDGE = 4, OTHER_BURST = 4 };

bool app_board_memory_create(struct app_board_memory *memory)
{
    struct tmu_arch arch;
    if (!tmu_arch_builtin(&arch, "milkymist", NULL)) {
        return false;
    }
    memset(memory, 0, sizeof *memory);
    tmu_bus_init(&memory->bus, &arch);
    memory->sdram = calloc(APP_BOARD_SDRAM + TMU_CHIP_MEMORY_GUARD, 1);
    return memory->sdram != NULL;
}

void app_board_memory_free(struct app_board_memory *memory)
{
    free(memory->sdram);
    memory->sdram = NULL;
}

static struct app_board_l2_line *line_at(struct app_board_memory *memory, uint32_t address)
{
    return &memory->lines[address / APP_BOARD_L2_BYTES % APP_BOARD_L2_LINES];
}

/* The texture mapper has half of the turns while it runs; a burst of it is waited for. */
static uint64_t wait_for_mapper(const struct app_board_memory *memory, uint64_t now)
{
    return now < memory->busy_until ? now + OTHER_BURST : now;
}

static void write_back(struct app_board_memory *memory, uint64_t now,
                       struct app_board_l2_line *line)
{
    memcpy(&memory->sdram[line->block], line->bytes, APP_BOARD_L2_BYTES);
    (void)tmu_bus_post(&memory->bus, now, line->block);
    line->dirty = false;
    memory->write_backs++;
}

static uint64_t fill(struct app_board_memory *memory, uint64_t now, struct app_board_l2_line *line,
                     uint32_t block)
{
    uint64_t time = wait_for_mapper(memory, now);
    if (line->valid && line->dirty) {
        write_back(memory, time, line);
    }
    time = tmu_bus_read(&memory->bus, time, block, APP_BOARD_L2_BYTES);
    memcpy(line->bytes, &memory->sdram[block], APP_BOARD_L2_BYTES);
    line->block = block;
    line->valid = true;
    memory->misses++;
    return time;
}

struct app_board_l2_line *app_board_memory_line(struct app_board_memory *memory, uint64_t now,
                                                uint32_t address, uint32_t *cycles)
{
    const uint32_t block = address & (APP_BOARD_SDRAM - APP_BOARD_L2_BYTES);
    struct app_board_l2_line *line = line_at(memory, address);
    *cycles = BRIDGE;
    if (!line->valid || line->block != block) {
        const uint64_t done = fill(memory, now, line, block);
        *cycles += done > now ? (uint32_t)(done - now) : 0;
    }
    return line;
}

uint32_t app_board_memory_flush(struct app_board_memory *memory, uint64_t now, uint32_t address)
{
    struct app_board_l2_line *line = line_at(memory, address);
    uint32_t cycles = BRIDGE;
    if (line->valid && line->dirty) {
        write_back(memory, now, line);
        const uint64_t done = tmu_bus_drain(&memory->bus, now);
        cycles += done > now ? (uint32_t)(done - now) : 0;
    }
    line->valid = false;
    return cycles;
}

uint32_t app_board_memory_read(struct app_board_memory *memory, uint64_t now, uint32_t address,
                               uint32_t *cycles)
{
    const struct app_board_l2_line *line = app_board_memory_line(memory, now, address, cycles);
    return app_board_word(&line->bytes[address & (APP_BOARD_L2_BYTES - 4)]);
}

void app_board_memory_write(struct app_board_memory *memory, uint64_t now, uint32_t address,
                            uint32_t word, uint32_t mask, uint32_t *cycles)
{
    struct app_board_l2_line *line = app_board_memory_line(memory, now, address, cycles);
    uint8_t *bytes = &line->bytes[address & (APP_BOARD_L2_BYTES - 4)];
    app_board_put_word(bytes, (app_board_word(bytes) & ~mask) | (word & mask));
    line->dirty = true;
}

const uint8_t *app_board_memory_snoop(const struct app_board_memory *memory, uint32_t address)
{
    const uint32_t block = address & (APP_BOARD_SDRAM - APP_BOARD_L2_BYTES);
    const struct app_board_l2_line *line =
        &memory->lines[block / APP_BOARD_L2_BYTES % APP_BOARD_L2_LINES];
    return line->valid && line->block == block ? line->bytes : &memory->sdram[block];
}

void app_board_memory_load(struct app_board_memory *memory, uint32_t address, const void *bytes,
                           size_t size)
{
    const uint32_t start = address & (APP_BOARD_SDRAM - 1);
    const size_t room = APP_BOARD_SDRAM - start;
    memcpy(&memory->sdram[start], bytes, size < room ? size : room);
}
