/* The shortest schedule of one block that a bounded number of list passes
 * finds. */
#ifndef PFPU_SCHEDULE_LOCAL_SEARCH_H
#define PFPU_SCHEDULE_LOCAL_SEARCH_H

#include "pfpu/schedule/graph.h"
#include "pfpu/schedule/list_scheduler.h"

struct pfpu_local_search {
    const struct pfpu_graph *graph;
    uint32_t passes; /* at most */
    uint32_t enough; /* cycles: stop as soon as a schedule is as short as this */
    bool hasty;      /* more random changes, fewer passes after each of them */
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
