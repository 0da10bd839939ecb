/* A dynamic memory whose banks keep the row open that was used last ("page mode gamble"), behind a
 * controller that answers one transaction after the other. All times are cycles.
 *
 * Figures: doc of HPDMC, the Milkymist's controller (tRP, tRCD, CAS latency, tREFI, tRFC, tWR). */
#ifndef TMU_DRAM_H
#define TMU_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "tmu/arch.h"

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

/* A transaction that is asked for at `time`, not before the last one's first word has gone by.
 * Returns the cycle of its first word; the others follow one by one. */
uint64_t tmu_dram_access(struct tmu_dram *dram, uint64_t time, uint64_t address, bool write);

#endif
