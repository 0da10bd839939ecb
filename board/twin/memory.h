/* SDRAM behind the second-level cache and the memory bus. Who reads through the cache and who does
 * not is what programs must know: spec/milkymist-one.md section 5. One thread. */
#ifndef BOARD_TWIN_MEMORY_H
#define BOARD_TWIN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/mapper/mapper.h"
#include "tmu/models/memory.h"

enum {
    BOARD_TWIN_SDRAM = 128 * 1024 * 1024, /* bytes */
    BOARD_TWIN_L2_LINES = 512,
    BOARD_TWIN_L2_BYTES = 32, /* of a line */
    BOARD_TWIN_L2_FLUSH = BOARD_TWIN_SDRAM,
    /* Cycles of the bridge between the processor's bus and memory when the line is there: an
     * estimate, nothing is published. */
    BOARD_TWIN_BRIDGE = 4,
    /* Of a line that is not, in a row of memory that is open: controller, column, four words. */
    BOARD_TWIN_LINE = 3 + 2 + 4,
};

/* 16 KiB, direct mapped, written back, allocated on writes. */
struct board_twin_l2_line {
    uint32_t block; /* address in SDRAM, a multiple of a line */
    bool valid;
    bool dirty;
    uint8_t bytes[BOARD_TWIN_L2_BYTES];
};

struct board_twin_memory {
    uint8_t *sdram; /* with BOARD_MAPPER_MEMORY_GUARD bytes behind; owned */
    struct board_twin_l2_line lines[BOARD_TWIN_L2_LINES];
    struct tmu_bus bus;  /* of the CPU's side, with the scan of the screen */
    uint64_t busy_until; /* while the texture mapper takes part in the bus */
    uint64_t misses;
    uint64_t write_backs;
};

/* SDRAM of zeros, an empty cache, a bus without a scan. False without memory. */
bool board_twin_memory_create(struct board_twin_memory *memory);
void board_twin_memory_free(struct board_twin_memory *memory);

/* The line around an address, of which bit 27 and above do not count, for reading or writing;
 * *cycles are those that it takes from `now` on. */
struct board_twin_l2_line *board_twin_memory_line(struct board_twin_memory *memory, uint64_t now,
                                                  uint32_t address, uint32_t *cycles);

/* Writes a line back and forgets it: the one with the index of the address, whatever it holds. */
uint32_t board_twin_memory_flush(struct board_twin_memory *memory, uint64_t now, uint32_t address);

/* A word through the cache; the low 2 bits of the address do not count. Cycles as above. */
uint32_t board_twin_memory_read(struct board_twin_memory *memory, uint64_t now, uint32_t address,
                                uint32_t *cycles);
void board_twin_memory_write(struct board_twin_memory *memory, uint64_t now, uint32_t address,
                             uint32_t word, uint32_t mask, uint32_t *cycles);

/* Words that a device writes and reads while it runs, through the cache: its turns on the bus lie
 * between those of others and count as busy. Delivering returns the cycles until the word is
 * accepted: those of the bridge, and of a line that is not there, longer while the texture mapper
 * takes turns as well (contended). */
uint32_t board_twin_memory_deliver(struct board_twin_memory *memory, uint32_t address,
                                   uint32_t word, bool contended);
uint32_t board_twin_memory_fetch(struct board_twin_memory *memory, uint32_t address);

/* Cycles in which the bus was at work for the processor's side, the screen's scan left out: the
 * texture mapper cannot have them. */
uint64_t board_twin_memory_taken(const struct board_twin_memory *memory);

/* Bytes as the screen reads them, 32 of them at a multiple of 32: from the cache where it holds
 * them. */
const uint8_t *board_twin_memory_snoop(const struct board_twin_memory *memory, uint32_t address);

/* Puts bytes into SDRAM, as much as fits. */
void board_twin_memory_load(struct board_twin_memory *memory, uint32_t address, const void *bytes,
                            size_t size);

static inline uint32_t board_twin_word(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline void board_twin_put_word(uint8_t *bytes, uint32_t word)
{
    bytes[0] = (uint8_t)(word >> 24);
    bytes[1] = (uint8_t)(word >> 16);
    bytes[2] = (uint8_t)(word >> 8);
    bytes[3] = (uint8_t)word;
}

#endif
