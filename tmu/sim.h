/* Timing models of texture machines. A model takes the stream of texel requests and counts; it
 * never sees a pixel. */
#ifndef TMU_SIM_H
#define TMU_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "tmu/arch.h"
#include "tmu/trace.h"

enum { TMU_SIM_CHANNELS = 4 };

struct tmu_sim_report {
    uint64_t pixels;
    uint64_t requests[TMU_SIM_CHANNELS]; /* by channel: the texel, right, below, right below */
    uint64_t hits[TMU_SIM_CHANNELS];
    uint64_t refills;   /* lines read into the first level */
    uint64_t conflicts; /* cycles lost because ports or banks were taken */
    uint64_t stalls;    /* cycles lost waiting for memory */
    uint64_t cycles;    /* in all */
    uint64_t bus_words; /* carried to and from memory, of texture and target */
    uint64_t bus_busy;  /* cycles in which the bus was asked for */
    uint64_t bus_accesses;
    /* Derived: */
    double hit_rate;
    double megapixels;      /* per second at the machine's clock */
    double bandwidth;       /* bytes per second that were carried */
    double occupancy;       /* 0..1: bus_busy of cycles */
    double access_time;     /* cycles from request to the first word, mean */
    double bandwidth_bound; /* bytes per second if the bus were never idle at that access time */
};

struct tmu_sim;

/* NULL without memory. Caches start empty. Copies what it needs of arch. */
struct tmu_sim *tmu_sim_create(const struct tmu_arch *arch);
void tmu_sim_free(struct tmu_sim *sim);

/* Takes requests of any number of runs, one after the other. The sink lives as long as the model.
 */
struct tmu_trace_sink tmu_sim_sink(struct tmu_sim *sim);

/* Everything since the model was created; `seconds` of which the machine would have been busy or
 * idle, for rates of a live picture; 0: as fast as it can. */
struct tmu_sim_report tmu_sim_report(const struct tmu_sim *sim, double seconds);

#endif
