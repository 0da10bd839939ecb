/* The inside of a timing model. All times are cycles since the model was created. */
#ifndef TMU_SIM_MODEL_H
#define TMU_SIM_MODEL_H

#include "tmu/cache.h"
#include "tmu/sim.h"
#include "tmu/sim_bus.h"
#include "tmu/sim_texels.h"

enum { TMU_SIM_WAITING = 256 };

/* Bursts of the target that are being gathered, or were read last: one for each row of a group. */
enum { TMU_SIM_ROWS = 2 };
struct tmu_sim_target {
    uint64_t gathered[TMU_SIM_ROWS]; /* number of the burst + 1; 0: none */
    uint64_t read[TMU_SIM_ROWS];
};

/* A row that waits for the one below it. */
struct tmu_sim_row {
    struct tmu_trace_row row;
    struct tmu_fragment fragments[TMU_TRACE_ROW_MAX];
};

/* Pixels that are worked on together, and where the first of them goes. */
struct tmu_sim_group {
    struct tmu_texel_group texels;
    int x;
    int y;
};

struct tmu_sim {
    struct tmu_arch arch;
    struct tmu_trace_run run;
    struct tmu_texel_map map;
    struct tmu_cache first;
    struct tmu_cache second; /* without lines: none */
    struct tmu_bus bus;
    struct tmu_sim_target target;
    struct tmu_sim_row above; /* count 0: none */

    uint64_t *arrivals;             /* of the line in each slot of the first level */
    uint64_t last_line;             /* of the register, + 1; 0: none */
    uint64_t *second_arrivals;      /* as arrivals, of the second level; NULL: none */
    uint64_t second_free;           /* when the second level takes another request */
    uint64_t now;                   /* when the next group may ask for its texels */
    uint64_t row_ready;             /* when the next row of a rectangle has been set up */
    uint64_t last_out;              /* when the last group had its texels */
    uint64_t groups;                /* taken */
    uint64_t outs[TMU_SIM_WAITING]; /* queue: of the last groups; registers: when each is free */
    uint64_t fetches;
    uint64_t fetched[TMU_BUS_WAITING]; /* arrivals of the last lines */

    struct tmu_sim_report counts; /* nothing derived yet */
};

/* Texels of one group: counts, refills, time (sim_group.c). Returns when the last has come. */
uint64_t tmu_sim_texels(struct tmu_sim *sim, const struct tmu_texel_group *group);

/* One line read into the first level, asked for at a time. Returns when it is there
 * (sim_refill.c). */
uint64_t tmu_sim_refill(struct tmu_sim *sim, uint64_t time, uint64_t line);

/* Reads of the target that a group needs (sim_target.c). Returns when they are there. */
uint64_t tmu_sim_target_read(struct tmu_sim *sim, const struct tmu_sim_group *group, uint64_t time);

/* Pixels of a group that are done. Returns from when on the machine goes on. */
uint64_t tmu_sim_target_write(struct tmu_sim *sim, const struct tmu_sim_group *group,
                              uint64_t time);

/* Everything gathered is written. */
uint64_t tmu_sim_target_end(struct tmu_sim *sim, uint64_t time);

static inline uint64_t tmu_sim_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
