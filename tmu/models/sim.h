/* Timing models of texture machines. A model takes the stream of texel requests and counts; it
 * never sees a pixel. */
#ifndef TMU_MODELS_SIM_H
#define TMU_MODELS_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "tmu/models/arch.h"
#include "tmu/trace.h"

enum { TMU_SIM_CHANNELS = 4 };

/* Counts of everything asked of the machine, and rates that follow. Those of the bus are the four
 * formulas of the thesis on the Milkymist ("A performance-driven SoC architecture for video
 * synthesis", 2010, "Performance measurement"): S and A are what its bus meter counts, w the bits
 * of a word, n the words of a transaction, f the cycles per second, T the seconds. On its bus one
 * request may wait at a time, k = 1. */
struct tmu_sim_report {
    uint64_t pixels;
    uint64_t requests[TMU_SIM_CHANNELS]; /* by channel: the texel, right, below, right below */
    uint64_t hits[TMU_SIM_CHANNELS];     /* held, or on the way, before the group */
    uint64_t refills;   /* lines read into the first level, those of the target's reads included */
    uint64_t conflicts; /* cycles lost because ports, banks or tags were taken; of all units */
    uint64_t stalls;    /* cycles lost waiting for memory; of all units */
    uint64_t cycles;    /* in which the machine was busy */
    uint64_t bus_words; /* carried to and from memory, of texture, target and background */
    uint64_t bus_busy;  /* S: cycles in which a request was up */
    uint64_t bus_accesses; /* A: transactions, each acknowledged with its first word */
    uint64_t scans;        /* of these the background's, while the machine was busy */
    uint64_t scan_busy;
    double hit_rate;        /* 0..1, of all channels */
    double megapixels;      /* per second at the machine's clock */
    double bandwidth;       /* bytes per second that were carried: w n A / (8 T) */
    double occupancy;       /* 0..1: S / (T f) */
    double access_time;     /* cycles from request to first word, mean: (S - A) / A for k = 1 */
    double bandwidth_bound; /* bytes per second: min(1, k n / (access_time + 1)) f w / 8, with
                             * channels and units as many more words at a time */
};

struct tmu_sim;

/* NULL without memory. Caches start empty. Copies what it needs of arch. */
struct tmu_sim *tmu_sim_create(const struct tmu_arch *arch);
void tmu_sim_free(struct tmu_sim *sim);

/* Takes requests of any number of runs, one after the other. The sink lives as long as the model.
 */
struct tmu_trace_sink tmu_sim_sink(struct tmu_sim *sim);

/* Everything since the model was created. `seconds` in which the machine was busy or idle, for the
 * rates of a live picture: bandwidth and occupancy are of that time, and the background goes on in
 * the rest of it. 0, or less than the machine was busy: as fast as it can. */
struct tmu_sim_report tmu_sim_report(const struct tmu_sim *sim, double seconds);

#endif
