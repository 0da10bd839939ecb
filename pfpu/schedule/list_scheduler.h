/* List scheduling: cycle by cycle, the most urgent node that can issue does; and a local search for
 * the urgencies that give the shortest schedule of a block. */
#ifndef PFPU_SCHEDULE_LIST_SCHEDULER_H
#define PFPU_SCHEDULE_LIST_SCHEDULER_H

#include "pfpu/schedule/graph.h"

enum { PFPU_LIST_ANY = INT32_MAX };

struct pfpu_list_rules {
    uint32_t registers; /* for results under way or waiting for their last use;
                           UINT32_MAX: any */
    int32_t stall;      /* a group begins at most this long before all its operands
                              are there */
    int32_t window;     /* how many nodes, from the first that is not placed, are looked
                           at, unless none of them can ever issue */
    bool ahead;         /* the last member of a group may be placed together with the one
                           before it */
    bool idle_first;    /* nodes with neither slot nor edge are placed before all others */
};

/* What a pass counts down, by node or by group. */
struct pfpu_list_counts {
    uint32_t *waiting;   /* node: edges from nodes not placed yet; UINT32_MAX: placed */
    uint32_t *uses_left; /* node: of results in registers */
    int32_t *members;    /* group: not placed yet */
    int32_t *member_sum; /* group: their numbers added */
    uint32_t *outside;   /* group: edges into it from nodes not placed yet */
};

/* Memory for scheduling one graph many times. */
struct pfpu_list_space {
    struct pfpu_list_counts start; /* what every pass begins with */
    struct pfpu_list_counts now;
    int32_t *earliest;    /* node: cycle */
    int32_t *group_ready; /* group: earliest of its members */
    int32_t *rank;        /* node: place in the order of urgency */
    int32_t *next_due;    /* node: another one that can issue from the same cycle on */
    int32_t *idle;        /* nodes without slots and edges */
    int32_t idle_count;
    uint32_t *ready; /* bit by rank: can issue as far as other nodes go, and is
                        not placed */
    uint64_t *keys;  /* twice as many as nodes, for sorting */
};

/* False without memory. */
bool pfpu_list_space_init(struct pfpu_list_space *space, const struct pfpu_graph *graph,
                          struct base_arena *scratch);

/* Memory for sorting as well; false without. */
bool pfpu_list_keys_init(struct pfpu_list_space *space, const struct pfpu_graph *graph,
                         struct base_arena *scratch);

/* Nodes in program order. */
void pfpu_list_in_order(const struct pfpu_graph *graph, int32_t *order);

/* Nodes by falling urgency, equal ones in program order; those that take no
 * slot first. */
void pfpu_list_sort(const struct pfpu_graph *graph, const int32_t *urgency,
                    struct pfpu_list_space *space, int32_t *order);

/* Places all nodes, which are taken in the given order. cycle: of each node.
 * sequence, unless NULL: nodes as they were placed. False if they cannot all be
 * placed under the rules. */
bool pfpu_list_schedule(const struct pfpu_graph *graph, const int32_t *order,
                        const struct pfpu_list_rules *rules, struct pfpu_list_space *space,
                        uint32_t *cycle, int32_t *sequence);

/* The shortest schedule of one block that a bounded number of list passes finds. */

struct pfpu_local_search {
    const struct pfpu_graph *graph;
    uint32_t passes; /* at most */
    uint32_t enough; /* cycles: stop as soon as a schedule is as short as this */
    bool diversify;  /* more random changes, fewer passes after each of them */
    uint32_t *cycle; /* of each node: the result, given memory by the caller */
    uint32_t length; /* cycles of the result; UINT32_MAX before any is found */
};

/* The fewest cycles that a block could take: every operation needs a slot to issue and one to
 * commit, and the longest chain its time (spec/pfpu.md section 10). */
uint32_t pfpu_local_search_bound(const struct pfpu_graph *graph, const int32_t *heights);

/* Searches forwards and backwards by height, then lets each schedule give the
 * urgencies of the next one in the other direction, the last of them with small
 * random changes; always the same ones. Keeps the result it is given if that is
 * shorter. False without memory. */
bool pfpu_local_search(struct pfpu_local_search *improve, struct base_arena *scratch);

#endif
