#include "pfpu/lanes_order.h"

#include <stdlib.h>

/* Operands, guard, the operation before in the order of memory, the value of a carried GET. */
enum { DEPENDENCIES = 6 };

struct sorter {
    struct pfpu_lanes_order *order;
    const struct pfpu_lanes_graph *graph;
    const struct pfpu_lanes_ports *ports;
    int32_t *before; /* by node: the operation on the same memory before it, by way of the item's
                        end if need be; PFPU_NO_VALUE: none */
    int32_t *costs;  /* by arm */
    int32_t *stack;  /* nodes to be looked at */
    size_t depth;
    /* Tarjan, "Depth-first search and linear graph algorithms" (1972) */
    int32_t *number;
    int32_t *low;
    int32_t *next; /* dependency to look at */
    int32_t *path;
    size_t path_length;
    int32_t visited;
};

const struct pfpu_lanes_input *pfpu_lanes_input_of(const struct pfpu_lanes_ports *ports,
                                                   int32_t key)
{
    for (size_t i = 0; i < ports->input_count; i++) {
        if (pfpu_key_of_variable(ports->inputs[i].variable) == key) {
            return &ports->inputs[i];
        }
    }
    return NULL;
}

int32_t pfpu_lanes_output(const struct pfpu_lanes_graph *graph, int variable)
{
    const size_t key = pfpu_lanes_key_index(graph, pfpu_key_of_variable(variable));
    return graph->final[key] != PFPU_NO_VALUE ? graph->final[key] : graph->entry[key];
}

/* What the item before left in the key of a GET, if it is carried. */
static int32_t carried_value(const struct sorter *sorter, int32_t node)
{
    const struct pfpu_lanes_graph *graph = sorter->graph;
    return sorter->order->carried[node]
               ? graph->final[pfpu_lanes_key_index(graph, graph->nodes[node].key)]
               : PFPU_NO_VALUE;
}

static int32_t dependency(const struct sorter *sorter, int32_t node, int which)
{
    const struct pfpu_lanes_node *n = &sorter->graph->nodes[node];
    switch (which) {
    case 3:
        return n->guard;
    case 4:
        return sorter->before[node];
    case 5:
        return carried_value(sorter, node);
    default:
        return which < pfpu_ops[n->op].arity ? n->arguments[which] : PFPU_NO_VALUE;
    }
}

/* ---- what carries, what is needed, what varies ---- */

static void find_carried(struct sorter *sorter)
{
    const struct pfpu_lanes_graph *graph = sorter->graph;
    for (size_t i = 0; i < graph->count; i++) {
        const struct pfpu_lanes_node *node = &graph->nodes[i];
        if (node->op == PFPU_OP_GET) {
            const int32_t final = graph->final[pfpu_lanes_key_index(graph, node->key)];
            sorter->order->carried[i] = final != PFPU_NO_VALUE && final != (int32_t)i &&
                                        pfpu_lanes_input_of(sorter->ports, node->key) == NULL;
        }
    }
}

static bool is_global(enum pfpu_op op)
{
    return op == PFPU_OP_GLOBAL_LOAD || op == PFPU_OP_GLOBAL_STORE;
}

/* Chains the operations that keep their order: rand, megabuf, gmegabuf. */
static void find_chains(struct sorter *sorter)
{
    const struct pfpu_lanes_graph *graph = sorter->graph;
    int32_t first[3] = {PFPU_NO_VALUE, PFPU_NO_VALUE, PFPU_NO_VALUE};
    int32_t last[3] = {PFPU_NO_VALUE, PFPU_NO_VALUE, PFPU_NO_VALUE};
    for (size_t i = 0; i < graph->count; i++) {
        const enum pfpu_op op = graph->nodes[i].op;
        sorter->before[i] = PFPU_NO_VALUE;
        if (pfpu_lanes_keeps_order(graph, op)) {
            const int chain = op == PFPU_OP_RAND ? 0 : is_global(op) ? 1 : 2;
            sorter->before[i] = last[chain];
            last[chain] = (int32_t)i;
            first[chain] = first[chain] == PFPU_NO_VALUE ? (int32_t)i : first[chain];
        }
    }
    for (int chain = 0; chain < 3; chain++) {
        if (first[chain] != PFPU_NO_VALUE) {
            sorter->before[first[chain]] = last[chain];
        }
    }
}

static void mark(struct sorter *sorter, bool *marks, int32_t node)
{
    if (node != PFPU_NO_VALUE && !marks[node]) {
        marks[node] = true;
        sorter->stack[sorter->depth++] = node;
    }
}

static void mark_all(struct sorter *sorter, bool *marks)
{
    while (sorter->depth > 0) {
        const int32_t node = sorter->stack[--sorter->depth];
        for (int k = 0; k < DEPENDENCIES; k++) {
            mark(sorter, marks, dependency(sorter, node, k));
        }
    }
}

/* Marks what effects and outputs need, and the nodes already marked as roots. */
static void mark_needed(struct sorter *sorter, bool *marks)
{
    const struct pfpu_lanes_graph *graph = sorter->graph;
    for (size_t i = 0; i < graph->count; i++) {
        if (pfpu_ops[graph->nodes[i].op].kind == PFPU_OP_KIND_EFFECT) {
            mark(sorter, marks, (int32_t)i);
        }
    }
    for (size_t i = 0; i < sorter->ports->output_count; i++) {
        mark(sorter, marks, pfpu_lanes_output(graph, sorter->ports->outputs[i]));
    }
    for (size_t i = 1; i < graph->arm_count; i++) {
        mark(sorter, marks, sorter->order->tested[i] ? graph->arms[i].guard : PFPU_NO_VALUE);
    }
    mark_all(sorter, marks);
}

/* Everything that ends in a variable is live; steady is what the next item or the caller sees. */
static void find_live(struct sorter *sorter)
{
    const struct pfpu_lanes_graph *graph = sorter->graph;
    struct pfpu_lanes_order *order = sorter->order;
    for (size_t key = (size_t)graph->ir->slot_count; key < graph->key_count; key++) {
        mark(sorter, order->live, graph->final[key]);
    }
    mark_needed(sorter, order->live);
    for (size_t i = 0; i < graph->count; i++) {
        if (order->live[i] && order->carried[i]) {
            mark(sorter, order->steady, (int32_t)i);
        }
    }
    mark_needed(sorter, order->steady);
}

static bool is_uniform(const struct sorter *sorter, int32_t i)
{
    const struct pfpu_lanes_graph *graph = sorter->graph;
    const struct pfpu_lanes_node *node = &graph->nodes[i];
    if (node->op == PFPU_OP_GET) {
        const struct pfpu_lanes_input *input = pfpu_lanes_input_of(sorter->ports, node->key);
        return input != NULL ? !input->varies : !sorter->order->carried[i];
    }
    if (pfpu_lanes_keeps_order(graph, node->op)) {
        return false;
    }
    for (int k = 0; k < pfpu_ops[node->op].arity; k++) {
        if (!sorter->order->uniform[node->arguments[k]]) {
            return false;
        }
    }
    return true;
}

static void find_tested(struct sorter *sorter)
{
    const struct pfpu_lanes_graph *graph = sorter->graph;
    for (size_t i = 0; i < graph->count; i++) {
        const struct pfpu_lanes_node *node = &graph->nodes[i];
        const int32_t cost = sorter->order->uniform[i] ? 0 : pfpu_ops[node->op].cost;
        for (int32_t arm = node->arm; arm != PFPU_LANES_ROOT; arm = graph->arms[arm].parent) {
            sorter->costs[arm] += cost;
        }
    }
    for (size_t i = 0; i < graph->arm_count; i++) {
        sorter->order->tested[i] = sorter->costs[i] >= PFPU_LANES_TEST_LEAST;
    }
}

/* ---- order ---- */

static void enter(struct sorter *sorter, int32_t node)
{
    sorter->number[node] = sorter->low[node] = ++sorter->visited;
    sorter->stack[sorter->depth++] = node;
    sorter->path[sorter->path_length++] = node;
}

static int compare_nodes(const void *a, const void *b)
{
    const int32_t left = *(const int32_t *)a;
    const int32_t right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

/* Takes the nodes that depend on one another off the path, in the order of the program. */
static void leave_component(struct sorter *sorter, int32_t root)
{
    struct pfpu_lanes_order *order = sorter->order;
    int32_t *members = order->order + order->count;
    size_t count = 0;
    int32_t node = PFPU_NO_VALUE;
    do {
        node = sorter->path[--sorter->path_length];
        sorter->low[node] = INT32_MAX;
        members[count++] = node;
    } while (node != root);
    qsort(members, count, sizeof *members, compare_nodes);
    const bool serial =
        count > 1 || sorter->before[root] == root || carried_value(sorter, root) == root;
    for (size_t i = 0; i < count; i++) {
        order->group[members[i]] = serial ? root : PFPU_NO_VALUE;
    }
    order->count += count;
}

/* Looks at one more dependency of the node on top, or leaves it. */
static void advance(struct sorter *sorter)
{
    const int32_t node = sorter->stack[sorter->depth - 1];
    if (sorter->next[node] < DEPENDENCIES) {
        const int32_t other = dependency(sorter, node, sorter->next[node]++);
        if (other == PFPU_NO_VALUE || sorter->order->uniform[other]) {
            return;
        }
        if (sorter->number[other] == 0) {
            enter(sorter, other);
        } else if (sorter->low[other] != INT32_MAX && sorter->number[other] < sorter->low[node]) {
            sorter->low[node] = sorter->number[other];
        }
        return;
    }
    sorter->depth--;
    const int32_t low = sorter->low[node];
    if (low == sorter->number[node]) {
        leave_component(sorter, node);
    } else if (low < sorter->low[sorter->stack[sorter->depth - 1]]) {
        sorter->low[sorter->stack[sorter->depth - 1]] = low;
    }
}

static void sort_nodes(struct sorter *sorter)
{
    const struct pfpu_lanes_order *order = sorter->order;
    for (size_t i = 0; i < sorter->graph->count; i++) {
        if (order->live[i] && !order->uniform[i] && sorter->number[i] == 0) {
            enter(sorter, (int32_t)i);
            while (sorter->depth > 0) {
                advance(sorter);
            }
        }
    }
}

static bool allocate(struct sorter *sorter)
{
    struct base_arena *scratch = sorter->graph->scratch;
    struct pfpu_lanes_order *order = sorter->order;
    const size_t count = sorter->graph->count;
    order->live = base_arena_array(scratch, count, sizeof *order->live);
    order->steady = base_arena_array(scratch, count, sizeof *order->steady);
    order->uniform = base_arena_array(scratch, count, sizeof *order->uniform);
    order->carried = base_arena_array(scratch, count, sizeof *order->carried);
    order->group = base_arena_array(scratch, count, sizeof *order->group);
    order->order = base_arena_array(scratch, count, sizeof *order->order);
    order->tested = base_arena_array(scratch, sorter->graph->arm_count, sizeof *order->tested);
    sorter->costs = base_arena_array(scratch, sorter->graph->arm_count, sizeof *sorter->costs);
    sorter->before = base_arena_array(scratch, count, sizeof *sorter->before);
    sorter->stack = base_arena_array(scratch, count, sizeof *sorter->stack);
    sorter->number = base_arena_array(scratch, count, sizeof *sorter->number);
    sorter->low = base_arena_array(scratch, count, sizeof *sorter->low);
    sorter->next = base_arena_array(scratch, count, sizeof *sorter->next);
    sorter->path = base_arena_array(scratch, count, sizeof *sorter->path);
    return !scratch->failed;
}

bool pfpu_lanes_sort(struct pfpu_lanes_order *order, const struct pfpu_lanes_graph *graph,
                     const struct pfpu_lanes_ports *ports)
{
    struct sorter sorter = {.order = order, .graph = graph, .ports = ports};
    *order = (struct pfpu_lanes_order){0};
    if (!allocate(&sorter)) {
        return false;
    }
    find_carried(&sorter);
    find_chains(&sorter);
    for (size_t i = 0; i < graph->count; i++) {
        order->uniform[i] = is_uniform(&sorter, (int32_t)i);
    }
    find_tested(&sorter);
    find_live(&sorter);
    sort_nodes(&sorter);
    return true;
}
