/* What must happen before what in a block, and how long before: the schedulers' view of a program.
 *
 * A node is an instruction of the block. An edge says cycle[to] >= cycle[from] + distance;
 * distances may be negative (a result may be under way while its register is read for the last
 * time). The instructions that share one condition of the coprocessor form a group: from the issue
 * of its first member to that of its last no other group is begun, so that R2 is its own. */
#ifndef PFPU_SCHEDULE_GRAPH_H
#define PFPU_SCHEDULE_GRAPH_H

#include "pfpu/ir/ir.h"
#include "pfpu/machine/machine.h"

enum { PFPU_NO_NODE = -1, PFPU_NO_GROUP = -1 };

struct pfpu_graph_edge {
    int32_t to;
    int32_t distance;
};

struct pfpu_graph_node {
    int32_t group;   /* or PFPU_NO_GROUP */
    uint8_t latency; /* from the issue to the commit */
    bool issues;     /* takes an issue slot */
    bool commits;    /* takes a commit slot */
    bool holds;      /* the result needs a register that is assigned for it */
};

struct pfpu_graph {
    const struct pfpu_instruction *instructions; /* of the block */
    int32_t first;                               /* value of node 0 */
    int32_t count;
    struct pfpu_graph_node *nodes;
    uint32_t *first_edge; /* of each node in edges; one more at the end */
    struct pfpu_graph_edge *edges;
    int32_t group_count;
    uint32_t issue_width;
    uint32_t commit_ports; /* 0: no limit */
    int32_t vectout;       /* or PFPU_NO_NODE */
    bool reversed;
};

/* Stages of a program that is pipelined over vertices (spec/pfpu.md section 10), by value. */
struct pfpu_stages {
    uint8_t *stage;
    bool *steady; /* depends on the row only and stands in stage 0: later stages read it any time */
};

/* Builds graphs of the blocks of one program. */
struct pfpu_graph_maker {
    const struct pfpu_target *target;
    const struct pfpu_ir *ir;
    const struct pfpu_stages *stages; /* NULL: no stages */
    struct base_arena *scratch;
    int32_t *last_get; /* by key index: value, of any block */
    int32_t *setter;   /* by key index: value that a SET stores, of any block */
};

/* False without memory. */
bool pfpu_graph_maker_init(struct pfpu_graph_maker *maker, const struct pfpu_target *target,
                           const struct pfpu_ir *ir, const struct pfpu_stages *stages,
                           struct base_arena *scratch);
bool pfpu_graph_of_block(struct pfpu_graph_maker *maker, const struct pfpu_block *block,
                         struct pfpu_graph *graph);

/* The same with time running backwards: a node's cycle counts from its commit back to the last
 * cycle in which anything commits. A VECTOUT stands in cycle 1 before everything else is placed.
 * False without memory. */
bool pfpu_graph_reverse(const struct pfpu_graph *graph, struct base_arena *scratch,
                        struct pfpu_graph *reversed);

/* Longest way from each node's cycle to the VECTOUT, without one to the last commit (reversed: from
 * the start to its commit). False without memory, or if the edges form a circle. */
bool pfpu_graph_heights(const struct pfpu_graph *graph, struct base_arena *scratch,
                        int32_t *heights);

/* The earliest word of the VECTOUT, from the heights. */
uint32_t pfpu_graph_critical_path(const struct pfpu_graph *graph, const int32_t *heights);

/* Cycles of a schedule: until everything that is committed can be read, and two for a VECTOUT. */
uint32_t pfpu_graph_length(const struct pfpu_graph *graph, const uint32_t *cycle,
                           uint32_t read_delay);

#endif
