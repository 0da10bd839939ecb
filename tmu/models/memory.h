/* A dynamic memory whose banks keep the row open that was used last ("page mode gamble"), behind a
 * controller that answers one transaction after the other. All times are cycles.
 *
 * Figures: doc of HPDMC, the Milkymist's controller (tRP, tRCD, CAS latency, tREFI, tRFC, tWR). */
#ifndef TMU_MODELS_MEMORY_H
#define TMU_MODELS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "tmu/models/arch.h"

enum { TMU_DRAM_BANKS = 16 };

struct tmu_dram_bank {
    uint64_t row;  /* open, counted from 1; 0: none */
    uint64_t free; /* when it may be closed */
};

struct tmu_dram {
    struct tmu_dram_bank banks[TMU_DRAM_BANKS];
    uint32_t bank_count;
    uint32_t row_bytes;
    uint32_t controller;
    uint32_t precharge;
    uint32_t activate;
    uint32_t latency[2]; /* of a read, of a write */
    uint32_t write_recovery;
    uint32_t turnaround;
    uint32_t burst_words;
    uint32_t refresh_interval;
    uint32_t refresh_cycles;
    uint64_t next_refresh;
    uint64_t data_free; /* the cycle behind the last word carried */
    bool wrote;         /* by the last transaction */
};

void tmu_dram_init(struct tmu_dram *dram, const struct tmu_arch *arch);

/* Does a transaction that is asked for at `time`, not before the last one's first word has gone by.
 * Returns the cycle of its first word; the others follow one by one. */
uint64_t tmu_dram_access(struct tmu_dram *dram, uint64_t time, uint64_t address, bool write);

/* The bus to memory and what asks for it: refills of the texture cache, reads and writes of the
 * target, and the scan of the screen. The scan goes first, the others take turns. */

enum { TMU_BUS_WAITING = 64 };

/* Plain data: a copy is another bus in the same state. */
struct tmu_bus {
    bool fixed;
    uint32_t latency;     /* fixed */
    uint32_t burst_words; /* cycles of data in a transaction */
    uint32_t burst_bytes;
    uint32_t waiting; /* transactions that may wait for their first word */
    struct tmu_dram dram;

    uint64_t accesses;
    uint64_t firsts[TMU_BUS_WAITING]; /* cycles of the first words of the last transactions */
    uint64_t last_first;
    bool wrote; /* the last one that had its turn */

    struct tmu_bus_write {
        uint64_t time;
        uint64_t address;
    } writes[TMU_BUS_WAITING]; /* posted; a ring */
    uint32_t write_places;
    uint64_t posted;
    uint64_t written;
    uint64_t write_ends[TMU_BUS_WAITING];

    double scan_period; /* cycles between the transactions of the scan; 0: none */
    double scan_due;
    uint64_t scan_address;

    uint64_t busy;  /* cycles in which a transaction waited or had its first word */
    uint64_t waits; /* sum of the cycles from request to first word */
    uint64_t scans; /* the scan's part of the accesses and of the busy cycles */
    uint64_t scan_busy;
};

void tmu_bus_init(struct tmu_bus *bus, const struct tmu_arch *arch);

/* Reads bytes from a time on. Returns the cycle after that of the last word. */
uint64_t tmu_bus_read(struct tmu_bus *bus, uint64_t time, uint64_t address, uint32_t bytes);

/* Hands over a transaction to be written. Returns the cycle from which the giver goes on, later
 * than time if there is no room for the transaction before. */
uint64_t tmu_bus_post(struct tmu_bus *bus, uint64_t time, uint64_t address);

/* Lets everything be written. Returns the cycle after that of the last word, not before `time`. */
uint64_t tmu_bus_drain(struct tmu_bus *bus, uint64_t time);

/* Lets the scan go on alone for `transactions` transactions. */
void tmu_bus_scan(struct tmu_bus *bus, uint64_t transactions);

#endif
