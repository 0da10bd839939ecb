/* A program without loops as one graph of operations: branches are gone, variables have become
 * values. */
#ifndef PFPU_HOST_LANES_GRAPH_H
#define PFPU_HOST_LANES_GRAPH_H

#include "base/arena.h"
#include "pfpu/host/lanes.h"
#include "pfpu/ir/ir.h"

enum { PFPU_LANES_NODES_MAX = 1 << 15, PFPU_LANES_ROOT = 0 };

/* An operation; operands are nodes before it. GET: the value of the key when an item begins. */
struct pfpu_lanes_node {
    enum pfpu_op op;
    bool filtered;
    int32_t key;
    int32_t arguments[3];
    int32_t guard; /* of RAND and stores: acts only if this is true; PFPU_NO_VALUE: always */
    double number;
    int32_t arm; /* its result matters only where this arm is taken */
};

/* One side of a branch. Arm PFPU_LANES_ROOT is the program itself. */
struct pfpu_lanes_arm {
    int32_t parent;
    int32_t branch; /* block */
    int side;
    int32_t condition;
    int32_t guard; /* node that is true where the arm is taken; PFPU_NO_VALUE for the root */
};

struct pfpu_lanes_graph {
    const struct pfpu_ir *ir;
    struct base_arena *scratch;
    struct pfpu_lanes_node *nodes;
    size_t count;
    size_t capacity;
    struct pfpu_lanes_arm *arms;
    size_t arm_count;
    size_t key_count;
    int32_t *final;     /* by key index: the value that an item leaves; PFPU_NO_VALUE: as it was */
    int32_t *entry;     /* by key index: its GET, or PFPU_NO_VALUE */
    bool stores;        /* to megabuf */
    bool global_stores; /* to gmegabuf */
    bool failed;        /* no memory, or over the limit */
    int32_t *table;
    size_t table_size;
};

enum pfpu_lanes_built {
    PFPU_LANES_BUILT,
    PFPU_LANES_UNFIT, /* loops, or too large */
    PFPU_LANES_NO_MEMORY,
};

/* Lives in the scratch arena. key_end: above every key that will be asked for. */
enum pfpu_lanes_built pfpu_lanes_build(struct pfpu_lanes_graph *graph, const struct pfpu_ir *ir,
                                       int32_t key_end, struct base_arena *scratch);

static inline size_t pfpu_lanes_key_index(const struct pfpu_lanes_graph *graph, int32_t key)
{
    return pfpu_ir_key_index(graph->ir, key);
}

/* The GET of a key; makes one if need be. */
int32_t pfpu_lanes_entry(struct pfpu_lanes_graph *graph, int32_t key);

/* The operation reads or writes memory that the program writes to. */
bool pfpu_lanes_keeps_order(const struct pfpu_lanes_graph *graph, enum pfpu_op op);

/* Which operations of a graph are needed, which are the same for all items, which must run item by
 * item, and in what order. */

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
