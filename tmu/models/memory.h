/* A texture machine's memory as its pixels see it: which texels they ask for and where these lie,
 * the tags of a cache, and the bus to a dynamic memory. Addresses and times, no data. */
#ifndef TMU_MODELS_MEMORY_H
#define TMU_MODELS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "tmu/models/arch.h"
#include "tmu/trace.h"

/* Which texels a group of pixels asks for, and where they lie in the machine's memory. */

enum { TMU_TEXELS_PIXELS = 4, TMU_TEXELS_MAX = 16, TMU_TEXELS_LEVELS = 16 };

/* A mip level. Number 0 is the texture itself, each further one half as wide and high. */
struct tmu_texel_level {
    uint64_t address;
    uint32_t width;
    uint32_t height;
    uint32_t tiles; /* from row to row of tiles */
};

struct tmu_texel_map {
    const struct tmu_arch *arch;
    struct tmu_texel_level levels[TMU_TEXELS_LEVELS];
    uint32_t level_count;
    bool folds; /* coordinates are brought into the texture here, not by the run */
    bool wraps_x;
    bool wraps_y;
};

/* Neighbouring pixels: upper left, upper right, lower left, lower right; NULL where there is none.
 * Groups of one pixel have it in the first place. */
struct tmu_texel_group {
    const struct tmu_fragment *pixels[TMU_TEXELS_PIXELS];
};

struct tmu_texel {
    uint64_t address; /* of its first byte */
    uint32_t x;
    uint32_t y;
    unsigned channel; /* as in struct tmu_sim_report */
};

/* Levels follow each other in memory, the smallest first; each begins at a line of the cache. */
void tmu_texel_map_init(struct tmu_texel_map *map, const struct tmu_arch *arch,
                        const struct tmu_trace_run *run);

/* The level of a quad: log2 of the largest step from pixel to pixel in texels, whole and not less
 * than 0. */
uint32_t tmu_texel_level_of(const struct tmu_texel_map *map, const struct tmu_texel_group *group);

uint64_t tmu_texel_address(const struct tmu_texel_map *map, uint32_t level, uint32_t x, uint32_t y);

/* Writes the requests of a group, pixel by pixel, channel by channel. Returns how many. */
unsigned tmu_texel_requests(const struct tmu_texel_map *map, const struct tmu_texel_group *group,
                            struct tmu_texel texels[TMU_TEXELS_MAX]);

/* The tags of a cache: which lines it holds and which one goes. No data, no time. */

#define TMU_CACHE_NONE UINT32_MAX

struct tmu_cache_shape {
    uint32_t bytes;
    uint32_t line_bytes; /* a power of two */
    uint32_t ways;       /* 0: fully associative; sets are a power of two */
    enum tmu_arch_cache_replacement replacement;
};

struct tmu_cache {
    uint32_t lines;
    uint32_t ways;
    uint32_t set_mask;
    unsigned line_shift;
    enum tmu_arch_cache_replacement replacement;
    uint64_t cycle;  /* clocked pairs: that of the next replacement, set by the caller */
    uint64_t *tags;  /* of each slot: line + 1; 0: empty */
    uint32_t *state; /* of each set: lru: the newest slot; pairs: bits; round robin: next way */
    uint32_t *newer; /* lru: a ring through the slots of each set */
    uint32_t *older;
    uint32_t *buckets; /* many ways: slots by line */
    uint32_t *chain;
    unsigned bucket_shift;
};

/* False without memory; tmu_cache_free is then still due. */
bool tmu_cache_init(struct tmu_cache *cache, const struct tmu_cache_shape *shape);
void tmu_cache_free(struct tmu_cache *cache);

/* Empties the cache, as it is after tmu_cache_init. */
void tmu_cache_flush(struct tmu_cache *cache);

static inline uint64_t tmu_cache_line(const struct tmu_cache *cache, uint64_t address)
{
    return address >> cache->line_shift;
}

/* The slot of a line, or TMU_CACHE_NONE. Changes nothing. */
uint32_t tmu_cache_find(const struct tmu_cache *cache, uint64_t line);

/* Notes that the slot has been used. */
void tmu_cache_touch(struct tmu_cache *cache, uint32_t slot);

/* Puts a line that is not there into the place of another; it counts as used. Returns its slot. */
uint32_t tmu_cache_replace(struct tmu_cache *cache, uint64_t line);

/* Takes a line out, which need not be there; with lru its slot is the next to be filled. */
void tmu_cache_drop(struct tmu_cache *cache, uint64_t line);

/* A dynamic memory whose banks keep the row open that was used last ("page mode gamble"), behind a
 * controller that answers one transaction after the other. All times are cycles.
 *
 * Figures: doc of HPDMC, the Milkymist's controller (tRP, tRCD, CAS latency, tREFI, tRFC, tWR). */

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
    uint32_t turn[2]; /* from a read's command to a write's, from a write's to a read's */
    uint32_t burst_words;
    uint32_t refresh_interval;
    uint32_t refresh_cycles;
    uint64_t next_refresh;
    uint64_t data_free; /* the cycle behind the last word carried */
    bool wrote;         /* by the last transaction */
    uint64_t turned[2]; /* from when on a read's command, a write's command may be given */
};

void tmu_dram_init(struct tmu_dram *dram, const struct tmu_arch *arch);

/* Does a transaction that is asked for at `time`: refreshes that are due, the row, the command,
 * which keeps its distance from one in the opposite direction, and the words, behind those before
 * them. Returns the cycle of its first word; the others follow one by one. */
uint64_t tmu_dram_access(struct tmu_dram *dram, uint64_t time, uint64_t address, bool write);

/* The bus to memory and what asks for it: refills of the texture cache, reads and writes of the
 * target, and the scan of the screen. The scan goes first, the others take turns. */

enum { TMU_BUS_WAITING = 64, TMU_BUS_CHANNELS = 8 };

enum tmu_bus_master {
    TMU_BUS_REFILLS,
    TMU_BUS_TARGET, /* its reads */
    TMU_BUS_WRITES,
    TMU_BUS_SCAN,
    TMU_BUS_MASTERS
};

struct tmu_bus_channel {
    struct tmu_dram dram;
    uint64_t free; /* fixed: the cycle behind the last word carried */
};

/* Plain data: a copy is another bus in the same state. */
struct tmu_bus {
    bool fixed;
    uint32_t latency;     /* fixed */
    uint32_t burst_words; /* cycles of data in a transaction */
    uint32_t burst_bytes;
    uint32_t waiting; /* transactions that may wait for their first word */
    bool own_turn;    /* of those one for each master */
    uint32_t change;  /* cycles before a transaction of another master than the last one's */
    uint32_t channel_count;
    uint32_t channel_bytes; /* that lie together in a channel */
    struct tmu_bus_channel channels[TMU_BUS_CHANNELS];

    uint64_t accesses;
    uint64_t firsts[TMU_BUS_WAITING]; /* cycles of the first words of the last transactions */
    uint64_t last_first;
    enum tmu_bus_master master; /* of the last transaction */
    uint64_t own_free[TMU_BUS_MASTERS];
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
uint64_t tmu_bus_read(struct tmu_bus *bus, enum tmu_bus_master master, uint64_t time,
                      uint64_t address, uint32_t bytes);

/* Hands over a transaction to be written. Returns the cycle from which the giver goes on, later
 * than time if there is no room for the transaction before. */
uint64_t tmu_bus_post(struct tmu_bus *bus, uint64_t time, uint64_t address);

/* Lets everything be written. Returns the cycle after that of the last word, not before `time`. */
uint64_t tmu_bus_drain(struct tmu_bus *bus, uint64_t time);

/* Lets the scan go on alone for `transactions` transactions. */
void tmu_bus_scan(struct tmu_bus *bus, uint64_t transactions);

#endif
