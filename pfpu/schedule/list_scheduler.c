#include "pfpu/schedule/list_scheduler.h"

#include <string.h>

#include "base/random.h"

/* ---- one pass ---- */

enum {
    RING = 256,     /* cycles of slots in sight: more than any latency */
    SHORTEST = 2,   /* latency of a condition: the next one comes into R2 only after
                       so many cycles */
    WORD_BITS = 32, /* of the set of ready nodes */
};

static const uint32_t PLACED = UINT32_MAX;
static const int32_t NONE = -1;

struct pass {
    const struct pfpu_graph *graph;
    const struct pfpu_list_rules *rules;
    const int32_t *order;
    struct pfpu_list_space *space;
    uint32_t *cycle;
    int32_t *sequence;
    size_t first_word; /* of the set: those before it are empty */
    int32_t first;     /* in the order: not placed yet */
    int32_t window;
    int32_t placed;
    int32_t now;
    int32_t horizon; /* by then whatever was placed lets others go on */
    int32_t open_group;
    uint32_t alive;    /* results that occupy registers */
    bool limited;      /* registers are */
    int32_t due[RING]; /* nodes that can issue from a cycle on, chained through
                          next_due */
    uint8_t commits[RING];
    uint8_t issues[RING]; /* slots of later cycles that are taken */
    uint8_t unused[RING]; /* results that are committed and that nobody reads */
};

static size_t words_for(const struct pfpu_graph *graph)
{
    return (size_t)graph->count / WORD_BITS + 1;
}

static bool allocate_counts(struct pfpu_list_counts *counts, const struct pfpu_graph *graph,
                            struct base_arena *scratch)
{
    const size_t count = (size_t)graph->count;
    const size_t groups = (size_t)graph->group_count;
    counts->waiting = base_arena_array(scratch, count, sizeof *counts->waiting);
    counts->uses_left = base_arena_array(scratch, count, sizeof *counts->uses_left);
    counts->members = base_arena_array(scratch, groups, sizeof *counts->members);
    counts->member_sum = base_arena_array(scratch, groups, sizeof *counts->member_sum);
    counts->outside = base_arena_array(scratch, groups, sizeof *counts->outside);
    return !scratch->failed;
}

bool pfpu_list_space_init(struct pfpu_list_space *space, const struct pfpu_graph *graph,
                          struct base_arena *scratch)
{
    const size_t count = (size_t)graph->count;
    const size_t groups = (size_t)graph->group_count;
    space->earliest = base_arena_array(scratch, count, sizeof *space->earliest);
    space->group_ready = base_arena_array(scratch, groups, sizeof *space->group_ready);
    space->rank = base_arena_array(scratch, count, sizeof *space->rank);
    space->next_due = base_arena_array(scratch, count, sizeof *space->next_due);
    space->idle = base_arena_array(scratch, count, sizeof *space->idle);
    space->ready = base_arena_array(scratch, words_for(graph), sizeof *space->ready);
    space->idle_count = 0;
    space->keys = NULL;
    if (!allocate_counts(&space->start, graph, scratch) ||
        !allocate_counts(&space->now, graph, scratch)) {
        return false;
    }
    for (int32_t n = 0; n < graph->count; n++) {
        const int32_t own = graph->nodes[n].group;
        const struct pfpu_instruction *instruction = &graph->instructions[n];
        if (own != PFPU_NO_GROUP) {
            space->start.members[own]++;
            space->start.member_sum[own] += n;
        }
        for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
            const int32_t value = instruction->arguments[k] - graph->first;
            if (value >= 0) {
                space->start.uses_left[value]++;
            }
        }
        for (uint32_t e = graph->first_edge[n]; e < graph->first_edge[n + 1]; e++) {
            const int32_t to = graph->edges[e].to;
            const int32_t group = graph->nodes[to].group;
            space->start.waiting[to]++;
            if (group != PFPU_NO_GROUP && group != own) {
                space->start.outside[group]++;
            }
        }
    }
    for (int32_t n = 0; n < graph->count; n++) {
        const struct pfpu_graph_node *node = &graph->nodes[n];
        if (!node->issues && !node->commits && node->group == PFPU_NO_GROUP &&
            n != graph->vectout && space->start.waiting[n] == 0 &&
            graph->first_edge[n] == graph->first_edge[n + 1]) {
            space->idle[space->idle_count++] = n;
        }
    }
    return true;
}

bool pfpu_list_keys_init(struct pfpu_list_space *space, const struct pfpu_graph *graph,
                         struct base_arena *scratch)
{
    space->keys = base_arena_array(scratch, 2 * (size_t)graph->count, sizeof *space->keys);
    return space->keys != NULL;
}

static uint64_t key_of(const struct pfpu_graph *graph, const int32_t *urgency, int32_t n)
{
    const struct pfpu_graph_node *node = &graph->nodes[n];
    const uint32_t place = (uint32_t)((int64_t)INT32_MAX - urgency[n]);
    return (uint64_t)(node->issues || node->commits ? place : 0) << 32 | (uint32_t)n;
}

void pfpu_list_sort(const struct pfpu_graph *graph, const int32_t *urgency,
                    struct pfpu_list_space *space, int32_t *order)
{
    const size_t count = (size_t)graph->count;
    uint64_t *keys = space->keys;
    uint64_t *spare = space->keys + count;
    for (int32_t n = 0; n < graph->count; n++) {
        keys[n] = key_of(graph, urgency, n);
    }
    for (size_t size = 1; size < count; size *= 2) {
        /* Merges rising runs of keys of the given size from one array into the other. */
        for (size_t first = 0; first < count; first += 2 * size) {
            const size_t middle = first + size < count ? first + size : count;
            const size_t end = middle + size < count ? middle + size : count;
            size_t a = first;
            size_t b = middle;
            for (size_t i = first; i < end; i++) {
                const bool left = b >= end || (a < middle && keys[a] <= keys[b]);
                spare[i] = left ? keys[a++] : keys[b++];
            }
        }
        uint64_t *merged = spare;
        spare = keys;
        keys = merged;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (int32_t)(keys[i] & UINT32_MAX);
    }
}

/* The same where the order is nearly that already: moves few nodes, and over short ways. */
static void sort_again(const struct pfpu_graph *graph, const int32_t *urgency,
                       struct pfpu_list_space *space, int32_t *order)
{
    uint64_t *keys = space->keys;
    size_t first = 0;
    size_t count = 0;
    for (int32_t i = 0; i < graph->count; i++) {
        const int32_t n = order[i];
        const uint64_t key = key_of(graph, urgency, n);
        if (key >> 32 == 0) {
            order[first++] = n;
            continue;
        }
        size_t place = count++;
        while (place > 0 && keys[place - 1] > key) {
            keys[place] = keys[place - 1];
            place--;
        }
        keys[place] = key;
    }
    for (size_t i = 0; i < count; i++) {
        order[first + i] = (int32_t)(keys[i] & UINT32_MAX);
    }
}

void pfpu_list_in_order(const struct pfpu_graph *graph, int32_t *order)
{
    for (int32_t n = 0; n < graph->count; n++) {
        order[n] = n;
    }
}

static const struct pfpu_graph_node *node_of(const struct pass *pass, int32_t n)
{
    return &pass->graph->nodes[n];
}

static int32_t value_of(const struct pass *pass, int32_t n, int k)
{
    return pass->graph->instructions[n].arguments[k] - pass->graph->first;
}

/* Registers are looked at only where they are limited. */
static int arity_of(const struct pass *pass, int32_t n)
{
    return pass->limited ? pfpu_ops[pass->graph->instructions[n].op].arity : 0;
}

static void set_ready(struct pass *pass, int32_t n)
{
    const size_t word = (size_t)pass->space->rank[n] / WORD_BITS;
    pass->space->ready[word] |= 1u << (pass->space->rank[n] % WORD_BITS);
    pass->first_word = word < pass->first_word ? word : pass->first_word;
}

/* Ready now, or as soon as what it waits for lets it. */
static void wake(struct pass *pass, int32_t n)
{
    const int32_t earliest = pass->space->earliest[n];
    if (earliest <= pass->now) {
        set_ready(pass, n);
        return;
    }
    const int32_t last = pass->now + RING - 1;
    int32_t *due = &pass->due[(uint32_t)(earliest < last ? earliest : last) % RING];
    pass->space->next_due[n] = *due;
    *due = n;
}

static void start_pass(struct pass *pass)
{
    const struct pfpu_graph *graph = pass->graph;
    struct pfpu_list_space *space = pass->space;
    const size_t count = (size_t)graph->count;
    const size_t groups = (size_t)graph->group_count;
    memcpy(space->now.waiting, space->start.waiting, count * sizeof *space->now.waiting);
    if (pass->limited) {
        memcpy(space->now.uses_left, space->start.uses_left, count * sizeof *space->now.uses_left);
    }
    memcpy(space->now.members, space->start.members, groups * sizeof *space->now.members);
    memcpy(space->now.member_sum, space->start.member_sum, groups * sizeof *space->now.member_sum);
    memcpy(space->now.outside, space->start.outside, groups * sizeof *space->now.outside);
    memset(space->earliest, 0, count * sizeof *space->earliest);
    memset(space->group_ready, 0, groups * sizeof *space->group_ready);
    memset(space->ready, 0, words_for(graph) * sizeof *space->ready);
    for (size_t i = 0; i < RING; i++) {
        pass->due[i] = NONE;
    }
    if (pass->rules->idle_first) {
        /* What has neither slot nor edge is in nobody's way. */
        for (int32_t i = 0; i < pass->space->idle_count; i++) {
            const int32_t n = pass->space->idle[i];
            pass->space->now.waiting[n] = PLACED;
            pass->cycle[n] = 0;
            if (pass->sequence != NULL) {
                pass->sequence[i] = n;
            }
        }
        pass->placed = pass->space->idle_count;
    }
    for (int32_t i = 0; i < graph->count; i++) {
        space->rank[pass->order[i]] = i;
        if (space->now.waiting[pass->order[i]] == 0) {
            set_ready(pass, pass->order[i]);
        }
    }
}

static bool group_may_go_on(const struct pass *pass, int32_t group)
{
    if (group == PFPU_NO_GROUP || group == pass->open_group) {
        return true;
    }
    return pass->open_group == PFPU_NO_GROUP && pass->space->now.outside[group] == 0 &&
           pass->space->group_ready[group] - pass->rules->stall <= pass->now;
}

static bool register_free(const struct pass *pass, int32_t n)
{
    if (!pass->limited || !node_of(pass, n)->holds) {
        return true;
    }
    uint32_t freed = 0;
    for (int k = 0; k < arity_of(pass, n); k++) {
        const int32_t value = value_of(pass, n, k);
        freed +=
            value >= 0 && node_of(pass, value)->holds && pass->space->now.uses_left[value] == 1;
    }
    return pass->alive < pass->rules->registers + freed;
}

static bool commit_slot_free(const struct pass *pass, int32_t n, int32_t cycle)
{
    const struct pfpu_graph_node *node = node_of(pass, n);
    const uint32_t ports = pass->graph->commit_ports;
    return !node->commits || ports == 0 ||
           pass->commits[(uint32_t)(cycle + node->latency) % RING] < ports;
}

/* What a SET without a slot stores stays in its register; what nobody uses is
 * in the way until it is committed. */
static void note_registers(struct pass *pass, int32_t n)
{
    const struct pfpu_graph_node *node = node_of(pass, n);
    if (!pass->limited) {
        return;
    }
    for (int k = 0; node->issues && k < arity_of(pass, n); k++) {
        const int32_t value = value_of(pass, n, k);
        if (value >= 0) {
            const uint32_t left = --pass->space->now.uses_left[value];
            pass->alive -= left == 0 && node_of(pass, value)->holds ? 1 : 0;
        }
    }
    if (node->holds) {
        pass->alive++;
        if (pass->space->now.uses_left[n] == 0) {
            pass->unused[(uint32_t)(pass->now + node->latency) % RING]++;
        }
    }
}

static void release_users(struct pass *pass, int32_t n)
{
    const struct pfpu_graph *graph = pass->graph;
    struct pfpu_list_space *space = pass->space;
    const int32_t own = node_of(pass, n)->group;
    for (uint32_t e = graph->first_edge[n]; e < graph->first_edge[n + 1]; e++) {
        const int32_t to = graph->edges[e].to;
        const int32_t group = node_of(pass, to)->group;
        const int32_t earliest = (int32_t)pass->cycle[n] + graph->edges[e].distance;
        space->earliest[to] = earliest > space->earliest[to] ? earliest : space->earliest[to];
        pass->horizon = earliest > pass->horizon ? earliest : pass->horizon;
        if (--space->now.waiting[to] == 0) {
            wake(pass, to);
        }
        if (group != PFPU_NO_GROUP && group != own) {
            space->now.outside[group]--;
            space->group_ready[group] =
                earliest > space->group_ready[group] ? earliest : space->group_ready[group];
        }
    }
}

static void place(struct pass *pass, int32_t n, int32_t cycle)
{
    const struct pfpu_graph_node *node = node_of(pass, n);
    const size_t word = (size_t)pass->space->rank[n] / WORD_BITS;
    pass->space->ready[word] &= ~(1u << (pass->space->rank[n] % WORD_BITS));
    pass->space->now.waiting[n] = PLACED;
    pass->cycle[n] = (uint32_t)cycle;
    if (pass->sequence != NULL) {
        pass->sequence[pass->placed] = n;
    }
    pass->placed++;
    if (node->commits) {
        const int32_t commit = cycle + node->latency;
        pass->commits[(uint32_t)commit % RING]++;
        pass->horizon = commit > pass->horizon ? commit : pass->horizon;
    }
    if (node->group != PFPU_NO_GROUP) {
        pass->space->now.member_sum[node->group] -= n;
        pass->open_group =
            --pass->space->now.members[node->group] > 0 ? node->group : PFPU_NO_GROUP;
    }
    note_registers(pass, n);
    release_users(pass, n);
    while (pass->window != PFPU_LIST_ANY && pass->first < pass->graph->count &&
           pass->space->now.waiting[pass->order[pass->first]] == PLACED) {
        pass->first++;
    }
}

/* Behind the last member of a group but one: the last, if it can issue so soon
 * that the next group may begin at once. */
static void place_ahead(struct pass *pass, int32_t first)
{
    const int32_t group = node_of(pass, first)->group;
    if (!pass->rules->ahead || group == PFPU_NO_GROUP || pass->space->now.members[group] != 1) {
        return;
    }
    const int32_t second = pass->space->now.member_sum[group];
    const int32_t cycle = pass->space->earliest[second];
    const bool in_time = cycle > pass->now && cycle <= pass->now + SHORTEST;
    if (in_time && pass->space->now.waiting[second] == 0 &&
        pass->issues[(uint32_t)cycle % RING] < pass->graph->issue_width &&
        commit_slot_free(pass, second, cycle)) {
        pass->issues[(uint32_t)cycle % RING]++;
        place(pass, second, cycle);
    }
}

/* The number of the lowest bit that is set. The upper five bits of the product are different for
 * each bit (a de Bruijn sequence). */
static unsigned lowest_bit(uint32_t bits)
{
    static const uint8_t numbers[WORD_BITS] = {0,  1,  28, 2,  29, 14, 24, 3,  30, 22, 20,
                                               15, 25, 17, 4,  8,  31, 27, 13, 23, 21, 19,
                                               16, 7,  26, 12, 18, 6,  11, 5,  10, 9};
    return numbers[((bits & (~bits + 1)) * 0x077CB531u) >> 27];
}

/* Issues what the cycle takes. Returns how many nodes were placed, those
 * without slot included. */
static int32_t fill_cycle(struct pass *pass)
{
    const int32_t placed = pass->placed;
    const size_t words = words_for(pass->graph);
    uint32_t slots = pass->graph->issue_width - pass->issues[(uint32_t)pass->now % RING];
    pass->alive -= pass->unused[(uint32_t)pass->now % RING];
    pass->unused[(uint32_t)pass->now % RING] = 0;
    int32_t *due = &pass->due[(uint32_t)pass->now % RING];
    int32_t woken = *due;
    *due = NONE;
    while (woken != NONE) {
        const int32_t following = pass->space->next_due[woken];
        if (pass->space->now.waiting[woken] != PLACED) {
            wake(pass, woken);
        }
        woken = following;
    }
    while (pass->first_word < words && pass->space->ready[pass->first_word] == 0) {
        pass->first_word++;
    }
    for (size_t word = pass->first_word; word < words; word++) {
        uint32_t bits = pass->space->ready[word];
        while (bits != 0 && slots > 0) {
            const unsigned bit = lowest_bit(bits);
            const int32_t n = pass->order[word * WORD_BITS + bit];
            if (pass->space->rank[n] - pass->first < pass->window &&
                commit_slot_free(pass, n, pass->now) &&
                group_may_go_on(pass, node_of(pass, n)->group) && register_free(pass, n)) {
                place(pass, n, pass->now);
                place_ahead(pass, n);
                slots -= node_of(pass, n)->issues ? 1 : 0;
            }
            /* Placing may have made more of them ready. */
            bits = pass->space->ready[word] & ~((2u << bit) - 1);
        }
        if (slots == 0) {
            break;
        }
    }
    return pass->placed - placed;
}

bool pfpu_list_schedule(const struct pfpu_graph *graph, const int32_t *order,
                        const struct pfpu_list_rules *rules, struct pfpu_list_space *space,
                        uint32_t *cycle, int32_t *sequence)
{
    struct pass pass = {.graph = graph,
                        .rules = rules,
                        .order = order,
                        .space = space,
                        .cycle = cycle,
                        .sequence = sequence,
                        .window = rules->window,
                        .limited = rules->registers != UINT32_MAX,
                        .open_group = PFPU_NO_GROUP};
    start_pass(&pass);
    if (graph->reversed && graph->vectout != PFPU_NO_NODE) {
        place(&pass, graph->vectout, 1);
    }
    while (pass.placed < graph->count) {
        const bool stuck = fill_cycle(&pass) == 0 && pass.now > pass.horizon;
        if (stuck && pass.window >= graph->count) {
            return false;
        }
        pass.window = stuck ? 2 * pass.window : rules->window;
        pass.commits[(uint32_t)pass.now % RING] = 0;
        pass.issues[(uint32_t)pass.now % RING] = 0;
        pass.now++;
    }
    return true;
}

/* ---- local search ---- */

enum {
    SHORT_STALL = 2, /* the latency of a comparison: its IF finds its operands there */
    LONG_STALL = 8,
    IDLE = 2,         /* passes in a row that settle nothing */
    PERTURBATION = 4, /* cycles by which random changes move an operation */
};

/* A schedule, and the nodes as they were placed in it. */
struct result {
    uint32_t *cycle;
    int32_t *sequence;
    bool backwards; /* the sequence is */
};

struct search {
    struct pfpu_local_search *improve;
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

/* One pass in the present order. */
static bool schedule(struct search *search, bool backwards, int32_t stall)
{
    const struct pfpu_graph *graph = backwards ? &search->reversed : search->improve->graph;
    const struct pfpu_list_rules rules = {.registers = UINT32_MAX,
                                          .stall = stall,
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
                              int32_t perturbation)
{
    const struct pfpu_graph *graph = backwards ? &search->reversed : graph_of(search);
    const int32_t last = graph->count - 1;
    for (int32_t n = 0; n < graph->count; n++) {
        const int32_t issue = (int32_t)result->cycle[n];
        const int32_t when = backwards ? issue + graph->nodes[n].latency : -issue;
        search->urgency[n] = 8 * when;
        if (perturbation != 0) {
            search->urgency[n] +=
                (int32_t)(base_rng_next(&search->rng) % (uint32_t)(8 * perturbation));
        }
    }
    for (int32_t i = 0; i <= last; i++) {
        search->order[i] = result->sequence[result->backwards == backwards ? i : last - i];
    }
    sort_again(graph, search->urgency, &search->space, search->order);
}

/* Back and forth until that makes it no shorter. */
static bool settle(struct search *search, bool backwards, int32_t stall, int passes)
{
    uint32_t shortest = search->length;
    for (int idle = 0; idle < passes && !is_done(search); idle++) {
        order_by_schedule(search, &search->last, backwards, 0);
        if (!schedule(search, backwards, stall)) {
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

static bool start_and_settle(struct search *search, bool backwards, int32_t stall)
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
    return schedule(search, backwards, stall) && settle(search, !backwards, stall, IDLE);
}

static bool perturb(struct search *search)
{
    const int passes = search->improve->diversify ? 1 : IDLE;
    bool backwards = true;
    base_rng_seed(&search->rng, 1, 0);
    while (!is_done(search)) {
        order_by_schedule(search, &search->best, backwards, PERTURBATION);
        if (!schedule(search, backwards, SHORT_STALL) ||
            !settle(search, !backwards, SHORT_STALL, passes)) {
            return false;
        }
        backwards = !backwards;
    }
    return true;
}

bool pfpu_local_search(struct pfpu_local_search *improve, struct base_arena *scratch)
{
    const struct pfpu_graph *graph = improve->graph;
    const size_t nodes = (size_t)graph->count;
    struct search search = {.improve = improve, .best.cycle = improve->cycle};
    search.heights = base_arena_array(scratch, nodes, sizeof *search.heights);
    search.depths = base_arena_array(scratch, nodes, sizeof *search.depths);
    search.urgency = base_arena_array(scratch, nodes, sizeof *search.urgency);
    search.order = base_arena_array(scratch, nodes, sizeof *search.order);
    search.last.cycle = base_arena_array(scratch, nodes, sizeof *search.last.cycle);
    search.last.sequence = base_arena_array(scratch, nodes, sizeof *search.last.sequence);
    search.best.sequence = base_arena_array(scratch, nodes, sizeof *search.best.sequence);
    if (scratch->failed || !pfpu_graph_reverse(graph, scratch, &search.reversed) ||
        !pfpu_list_space_init(&search.space, graph, scratch) ||
        !pfpu_list_space_init(&search.reversed_space, &search.reversed, scratch) ||
        !pfpu_list_keys_init(&search.space, graph, scratch) ||
        !pfpu_graph_heights(graph, scratch, search.heights) ||
        !pfpu_graph_heights(&search.reversed, scratch, search.depths)) {
        return false;
    }
    const uint32_t bound = pfpu_local_search_bound(graph, search.heights);
    improve->enough = improve->enough > bound ? improve->enough : bound;
    if (improve->length != UINT32_MAX) {
        pfpu_list_in_order(graph, search.best.sequence);
    }
    static const int32_t stalls[] = {SHORT_STALL, LONG_STALL, PFPU_LIST_ANY};
    const bool goes_on = improve->length != UINT32_MAX;
    const size_t count = goes_on ? 0 : graph->group_count == 0 ? 1 : 3;
    for (size_t i = 0; i < count && !is_done(&search); i++) {
        if (!start_and_settle(&search, false, stalls[i]) ||
            (!is_done(&search) && !start_and_settle(&search, true, stalls[i]))) {
            return false;
        }
    }
    return perturb(&search);
}
