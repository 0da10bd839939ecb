#include "board/twin/memory.h"

#include <stdlib.h>
#include <string.h>

#include "tmu/models/arch.h"

/* Cycles that a line takes longer while the texture mapper takes turns: in the simulated hardware
 * description 13 to 15 to its first word where 5 are enough, and one for the arbiter. */
enum { OTHER_TURN = 8 };

bool board_twin_memory_create(struct board_twin_memory *memory)
{
    struct tmu_arch arch;
    if (!tmu_arch_builtin(&arch, "milkymist_one", NULL)) {
        return false;
    }
    memset(memory, 0, sizeof *memory);
    tmu_bus_init(&memory->bus, &arch);
    memory->sdram = calloc(BOARD_TWIN_SDRAM + BOARD_MAPPER_MEMORY_GUARD, 1);
    return memory->sdram != NULL;
}

void board_twin_memory_free(struct board_twin_memory *memory)
{
    free(memory->sdram);
    memory->sdram = NULL;
}

static struct board_twin_l2_line *line_at(struct board_twin_memory *memory, uint32_t address)
{
    return &memory->lines[address / BOARD_TWIN_L2_BYTES % BOARD_TWIN_L2_LINES];
}

static void write_bytes_back(struct board_twin_memory *memory, struct board_twin_l2_line *line)
{
    memcpy(&memory->sdram[line->block], line->bytes, BOARD_TWIN_L2_BYTES);
    line->dirty = false;
    memory->write_backs++;
}

static void write_back(struct board_twin_memory *memory, uint64_t now,
                       struct board_twin_l2_line *line)
{
    write_bytes_back(memory, line);
    (void)tmu_bus_post(&memory->bus, now, line->block);
}

static void fill_bytes(struct board_twin_memory *memory, struct board_twin_l2_line *line,
                       uint32_t block)
{
    memcpy(line->bytes, &memory->sdram[block], BOARD_TWIN_L2_BYTES);
    line->block = block;
    line->valid = true;
    memory->misses++;
}

struct board_twin_l2_line *board_twin_memory_line(struct board_twin_memory *memory, uint64_t now,
                                                  uint32_t address, uint32_t *cycles)
{
    const uint32_t block = address & (BOARD_TWIN_SDRAM - BOARD_TWIN_L2_BYTES);
    struct board_twin_l2_line *line = line_at(memory, address);
    *cycles = BOARD_TWIN_BRIDGE;
    if (!line->valid || line->block != block) {
        /* The texture mapper has half of the turns while it runs. */
        uint64_t time = now < memory->busy_until ? now + OTHER_TURN : now;
        if (line->valid && line->dirty) {
            write_back(memory, time, line);
        }
        time = tmu_bus_read(&memory->bus, TMU_BUS_REFILLS, time, block, BOARD_TWIN_L2_BYTES);
        fill_bytes(memory, line, block);
        *cycles += time > now ? (uint32_t)(time - now) : 0;
    }
    return line;
}

uint32_t board_twin_memory_flush(struct board_twin_memory *memory, uint64_t now, uint32_t address)
{
    struct board_twin_l2_line *line = line_at(memory, address);
    uint32_t cycles = BOARD_TWIN_BRIDGE;
    if (line->valid && line->dirty) {
        write_back(memory, now, line);
        const uint64_t done = tmu_bus_drain(&memory->bus, now);
        cycles += done > now ? (uint32_t)(done - now) : 0;
    }
    line->valid = false;
    return cycles;
}

uint32_t board_twin_memory_read(struct board_twin_memory *memory, uint64_t now, uint32_t address,
                                uint32_t *cycles)
{
    const struct board_twin_l2_line *line = board_twin_memory_line(memory, now, address, cycles);
    return board_twin_word(&line->bytes[address & (BOARD_TWIN_L2_BYTES - 4)]);
}

void board_twin_memory_write(struct board_twin_memory *memory, uint64_t now, uint32_t address,
                             uint32_t word, uint32_t mask, uint32_t *cycles)
{
    struct board_twin_l2_line *line = board_twin_memory_line(memory, now, address, cycles);
    uint8_t *bytes = &line->bytes[address & (BOARD_TWIN_L2_BYTES - 4)];
    board_twin_put_word(bytes, (board_twin_word(bytes) & ~mask) | (word & mask));
    line->dirty = true;
}

/* The line around an address, without waiting for the bus; *misses counts those that were not
 * there. */
static struct board_twin_l2_line *quiet_line(struct board_twin_memory *memory, uint32_t address,
                                             uint32_t *misses)
{
    const uint32_t block = address & (BOARD_TWIN_SDRAM - BOARD_TWIN_L2_BYTES);
    struct board_twin_l2_line *line = line_at(memory, address);
    *misses = 0;
    if (!line->valid || line->block != block) {
        if (line->valid && line->dirty) {
            write_bytes_back(memory, line);
            memory->bus.busy += memory->bus.burst_words;
        }
        fill_bytes(memory, line, block);
        memory->bus.busy += memory->bus.burst_words;
        *misses = 1;
    }
    return line;
}

uint32_t board_twin_memory_deliver(struct board_twin_memory *memory, uint32_t address,
                                   uint32_t word, bool contended)
{
    uint32_t misses;
    struct board_twin_l2_line *line = quiet_line(memory, address, &misses);
    board_twin_put_word(&line->bytes[address & (BOARD_TWIN_L2_BYTES - 4)], word);
    line->dirty = true;
    const uint32_t miss = contended ? BOARD_TWIN_LINE + OTHER_TURN : BOARD_TWIN_LINE;
    return BOARD_TWIN_BRIDGE + misses * miss;
}

uint64_t board_twin_memory_taken(const struct board_twin_memory *memory)
{
    return memory->bus.busy - memory->bus.scan_busy;
}

uint32_t board_twin_memory_fetch(struct board_twin_memory *memory, uint32_t address)
{
    uint32_t misses;
    const struct board_twin_l2_line *line = quiet_line(memory, address, &misses);
    return board_twin_word(&line->bytes[address & (BOARD_TWIN_L2_BYTES - 4)]);
}

const uint8_t *board_twin_memory_snoop(const struct board_twin_memory *memory, uint32_t address)
{
    const uint32_t block = address & (BOARD_TWIN_SDRAM - BOARD_TWIN_L2_BYTES);
    const struct board_twin_l2_line *line =
        &memory->lines[block / BOARD_TWIN_L2_BYTES % BOARD_TWIN_L2_LINES];
    return line->valid && line->block == block ? line->bytes : &memory->sdram[block];
}

void board_twin_memory_load(struct board_twin_memory *memory, uint32_t address, const void *bytes,
                            size_t size)
{
    const uint32_t start = address & (BOARD_TWIN_SDRAM - 1);
    const size_t room = BOARD_TWIN_SDRAM - start;
    memcpy(&memory->sdram[start], bytes, size < room ? size : room);
}
