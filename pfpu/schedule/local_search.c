#include "pfpu/schedule/local_search.h"

#include <string.h>

#include "base/random.h"

enum {
    IMPATIENT = 2, /* the latency of a comparison: its IF finds its operands there */
    PATIENT = 8,
    IDLE = 2,  /* passes in a row that settle nothing */
    SHAKE = 4, /* cycles by which random changes move an operation */
};

/* A schedule, and the nodes as they were placed in it. */
struct result {
    uint32_t *cycle;
    int32_t *sequence;
    bool backwards; /* the sequence is */
};

struct search {
    struct pfpu_local_search *improve;
    struct base_arena *scratch;
    struct pfpu_graph reversed;
    struct pfpu_list_space space;
    struct pfpu_list_space reversed_space;
    int32_t *heights;
    int32_t *depths; /* from the start to the commit */
    int32_t *urgency;
    int32_t *order;
    struct result last;
    struct result best; /* its cycles are the caller's */
    uint32_t length;    /* of the last schedule */
    uint32_t passes;
    struct base_rng rng;
};

static const struct pfpu_graph *graph_of(const struct search *search)
{
    return search->improve->graph;
}

uint32_t pfpu_local_search_bound(const struct pfpu_graph *graph, const int32_t *heights)
{
    const uint32_t chain = pfpu_graph_critical_path(graph, heights) + 2;
    uint32_t count = 0;
    uint32_t latencies = 0;
    for (int32_t n = 0; n < graph->count; n++) {
        count += graph->nodes[n].commits ? 1 : 0;
        latencies += graph->nodes[n].commits ? graph->nodes[n].latency : 0;
    }
    const uint32_t slots = count == 0 ? 0 : count + (latencies + count - 1) / count;
    return slots > chain ? slots : chain;
}

static bool allocate(struct search *search)
{
    const struct pfpu_graph *graph = graph_of(search);
    const size_t count = (size_t)graph->count;
    struct base_arena *scratch = search->scratch;
    search->heights = base_arena_array(scratch, count, sizeof *search->heights);
    search->depths = base_arena_array(scratch, count, sizeof *search->depths);
    search->urgency = base_arena_array(scratch, count, sizeof *search->urgency);
    search->order = base_arena_array(scratch, count, sizeof *search->order);
    search->last.cycle = base_arena_array(scratch, count, sizeof *search->last.cycle);
    search->last.sequence = base_arena_array(scratch, count, sizeof *search->last.sequence);
    search->best.cycle = search->improve->cycle;
    search->best.sequence = base_arena_array(scratch, count, sizeof *search->best.sequence);
    return !scratch->failed && pfpu_graph_reverse(graph, scratch, &search->reversed) &&
           pfpu_list_space_init(&search->space, graph, scratch) &&
           pfpu_list_space_init(&search->reversed_space, &search->reversed, scratch) &&
           pfpu_list_keys_init(&search->space, graph, scratch) &&
           pfpu_graph_heights(graph, scratch, search->heights) &&
           pfpu_graph_heights(&search->reversed, scratch, search->depths);
}

/* One pass in the present order. */
static bool schedule(struct search *search, bool backwards, int32_t patience)
{
    const struct pfpu_graph *graph = backwards ? &search->reversed : search->improve->graph;
    const struct pfpu_list_rules rules = {.registers = UINT32_MAX,
                                          .patience = patience,
                                          .window = PFPU_LIST_ANY,
                                          .ahead = true,
                                          .idle_first = true};
    search->passes++;
    struct pfpu_list_space *space = backwards ? &search->reversed_space : &search->space;
    if (!pfpu_list_schedule(graph, search->order, &rules, space, search->last.cycle,
                            search->last.sequence)) {
        return false;
    }
    search->last.backwards = backwards;
    if (backwards) {
        /* From cycles of the reversed graph to those of the graph. */
        uint32_t end = 0;
        for (int32_t n = 0; n < graph->count; n++) {
            const uint32_t issue = search->last.cycle[n] + graph->nodes[n].latency;
            end = issue > end ? issue : end;
        }
        for (int32_t n = 0; n < graph->count; n++) {
            search->last.cycle[n] = end - search->last.cycle[n] - graph->nodes[n].latency;
        }
    }
    /* Keeps the last schedule if it is the shortest. */
    struct pfpu_local_search *improve = search->improve;
    const size_t count = (size_t)improve->graph->count;
    search->length = pfpu_graph_length(improve->graph, search->last.cycle, 1);
    if (search->length < improve->length) {
        improve->length = search->length;
        search->best.backwards = search->last.backwards;
        memcpy(search->best.cycle, search->last.cycle, count * sizeof *search->best.cycle);
        memcpy(search->best.sequence, search->last.sequence, count * sizeof *search->best.sequence);
    }
    return true;
}

static bool is_done(const struct search *search)
{
    return search->improve->length <= search->improve->enough ||
           search->passes >= search->improve->passes;
}

/* By when a schedule has it, with random changes. */
static void order_by_schedule(struct search *search, const struct result *result, bool backwards,
                              int32_t shake)
{
    const struct pfpu_graph *graph = backwards ? &search->reversed : graph_of(search);
    const int32_t last = graph->count - 1;
    for (int32_t n = 0; n < graph->count; n++) {
        const int32_t issue = (int32_t)result->cycle[n];
        const int32_t when = backwards ? issue + graph->nodes[n].latency : -issue;
        search->urgency[n] = 8 * when;
        if (shake != 0) {
            search->urgency[n] += (int32_t)(base_rng_next(&search->rng) % (uint32_t)(8 * shake));
        }
    }
    for (int32_t i = 0; i <= last; i++) {
        search->order[i] = result->sequence[result->backwards == backwards ? i : last - i];
    }
    pfpu_list_sort_again(graph, search->urgency, &search->space, search->order);
}

/* Back and forth until that makes it no shorter. */
static bool settle(struct search *search, bool backwards, int32_t patience, int passes)
{
    uint32_t shortest = search->length;
    for (int idle = 0; idle < passes && !is_done(search); idle++) {
        order_by_schedule(search, &search->last, backwards, 0);
        if (!schedule(search, backwards, patience)) {
            return false;
        }
        backwards = !backwards;
        if (search->length < shortest) {
            shortest = search->length;
            idle = -1;
        }
    }
    return true;
}

static bool start_and_settle(struct search *search, bool backwards, int32_t patience)
{
    /* By the longest way to go; among equals, the one that has come the longest
     * way. */
    const struct pfpu_graph *graph = backwards ? &search->reversed : graph_of(search);
    const int32_t *first = backwards ? search->depths : search->heights;
    const int32_t *second = backwards ? search->heights : search->depths;
    for (int32_t n = 0; n < graph->count; n++) {
        search->urgency[n] = first[n] * 1024 + (second[n] < 1023 ? second[n] : 1023);
    }
    pfpu_list_sort(graph, search->urgency, &search->space, search->order);
    return schedule(search, backwards, patience) && settle(search, !backwards, patience, IDLE);
}

static bool shake(struct search *search)
{
    const int passes = search->improve->hasty ? 1 : IDLE;
    bool backwards = true;
    base_rng_seed(&search->rng, 1, 0);
    while (!is_done(search)) {
        order_by_schedule(search, &search->best, backwards, SHAKE);
        if (!schedule(search, backwards, IMPATIENT) ||
            !settle(search, !backwards, IMPATIENT, passes)) {
            return false;
        }
        backwards = !backwards;
    }
    return true;
}

bool pfpu_local_search(struct pfpu_local_search *improve, struct base_arena *scratch)
{
    struct search search = {.improve = improve, .scratch = scratch};
    if (!allocate(&search)) {
        return false;
    }
    const uint32_t bound = pfpu_local_search_bound(improve->graph, search.heights);
    improve->enough = improve->enough > bound ? improve->enough : bound;
    if (improve->length != UINT32_MAX) {
        pfpu_list_in_order(improve->graph, search.best.sequence);
    }
    static const int32_t patiences[] = {IMPATIENT, PATIENT, PFPU_LIST_ANY};
    const bool goes_on = search.improve->length != UINT32_MAX;
    const size_t count = goes_on ? 0 : graph_of(&search)->group_count == 0 ? 1 : 3;
    for (size_t i = 0; i < count && !is_done(&search); i++) {
        if (!start_and_settle(&search, false, patiences[i]) ||
            (!is_done(&search) && !start_and_settle(&search, true, patiences[i]))) {
            return false;
        }
    }
    return shake(&search);
}
