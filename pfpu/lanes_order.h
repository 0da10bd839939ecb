/* Which operations of a graph are needed, which are the same for all items, which must run item by
 * item, and in what order. */
#ifndef PFPU_LANES_ORDER_H
#define PFPU_LANES_ORDER_H

#include "pfpu/lanes.h"
#include "pfpu/lanes_graph.h"

/* What asking whether any item takes an arm must save, in costs of ops.def. */
enum { PFPU_LANES_TEST_LEAST = 10 };

struct pfpu_lanes_order {
    bool *live;     /* by node */
    bool *steady;   /* by node: needed for every item; else only the last item's value is */
    bool *uniform;  /* by node: the same for all items */
    bool *carried;  /* by node: a GET of what the item before left */
    bool *tested;   /* by arm: large enough to ask whether any item takes it; its guard is live */
    int32_t *group; /* by node: its serial group, or PFPU_NO_VALUE */
    int32_t *order; /* live nodes that are not uniform; groups stand together */
    size_t count;
};

/* Lives in the graph's scratch arena. The GETs of the outputs exist. False without memory. */
bool pfpu_lanes_sort(struct pfpu_lanes_order *order, const struct pfpu_lanes_graph *graph,
                     const struct pfpu_lanes_ports *ports);

/* The node that gives an output. */
int32_t pfpu_lanes_output(const struct pfpu_lanes_graph *graph, int variable);

/* The input that a key is, or NULL. */
const struct pfpu_lanes_input *pfpu_lanes_input_of(const struct pfpu_lanes_ports *ports,
                                                   int32_t key);

#endif
