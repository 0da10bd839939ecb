/* From ordered operations to steps. Until the places are assigned, dst and operands of a step name
 * nodes. */
#ifndef PFPU_LANES_PLAN_H
#define PFPU_LANES_PLAN_H

#include "pfpu/lanes_code.h"
#include "pfpu/lanes_order.h"

struct pfpu_lanes_plan {
    const struct pfpu_lanes_graph *graph;
    const struct pfpu_lanes_order *order;
    const struct pfpu_lanes_ports *ports;
    struct pfpu_lanes *lanes;
    struct base_arena *arena; /* of the result */
    struct base_arena *scratch;
    struct pfpu_lanes_step *steps;
    int32_t *arm; /* by step */
    size_t count;
    size_t capacity;
    int32_t *source; /* by node: of a carried GET the value whose cell it is read from, one item
                        earlier; of all others the node itself */
    int32_t *place;  /* by node: offset in the scratch memory */
    int32_t end;     /* of the scratch memory, so far */
    size_t serial_in_arms; /* operations of serial groups that not every item would take */
};

/* lanes_skip.c: leaves out the steps of arms that no item takes. False without memory. */
bool pfpu_lanes_insert_skips(struct pfpu_lanes_plan *plan);

/* lanes_cells.c: gives every step its place in scratch memory; places are shared by values that are
 * not needed at the same time. False without memory. */
bool pfpu_lanes_assign_cells(struct pfpu_lanes_plan *plan);

#endif
