/* What the scheduler and code selection need to know about a machine. Plain data. */
#ifndef PFPU_MACHINE_TARGET_H
#define PFPU_MACHINE_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "pfpu/ir/ops.h"

struct pfpu_target_op {
    bool legal;
    bool bound; /* stands ready from the start and takes no issue slot (variables, constants) */
    uint8_t latency; /* cycles from issue to commit; 0 only for bound ones */
};

struct pfpu_target {
    const char *name;
    struct pfpu_target_op ops[PFPU_OP_COUNT];
    uint32_t issue_width;    /* instructions per cycle, at least 1 */
    uint32_t commit_ports;   /* results per cycle; 0: no limit */
    uint32_t read_delay;     /* cycles from commit until an operand can read the result */
    uint32_t registers;      /* 0: no limit */
    uint32_t first_register; /* those before it have a purpose of their own */
    uint32_t program_size;   /* cycles of all blocks together; 0: no limit */
    bool branches;           /* more than one block */
    bool fuses;              /* filtered results, sums of products (pfpu_fuse) */
    uint32_t columns;        /* of the mesh; 0: the host chooses */
    uint32_t rows;
    uint32_t hertz; /* of the clock; 0: not a machine with a clock */
};

extern const struct pfpu_target pfpu_target_milkymist_one; /* the chip */
extern const struct pfpu_target pfpu_target_thesis;        /* with the latencies of the thesis */

#endif
