#include "pfpu/host/lanes_graph.h"

#include <stdlib.h>
#include <string.h>

/* Limits what the tables of values by block and key take. */
enum { STATES_MAX = 1 << 20 };

struct converter {
    struct pfpu_lanes_graph *graph;
    const struct pfpu_ir *ir;
    int32_t *value_of; /* node of each value of the program */
    int32_t *arm_of;   /* by block */
    int32_t *states;   /* by block and key index: the value at the end of the block */
    int32_t *from[2];  /* by block: the blocks that lead to it, or PFPU_NO_VALUE */
};

bool pfpu_lanes_keeps_order(const struct pfpu_lanes_graph *graph, enum pfpu_op op)
{
    switch (op) {
    case PFPU_OP_RAND:
    case PFPU_OP_MEMORY_STORE:
    case PFPU_OP_GLOBAL_STORE:
        return true;
    case PFPU_OP_MEMORY_LOAD:
        return graph->stores;
    case PFPU_OP_GLOBAL_LOAD:
        return graph->global_stores;
    default:
        return false;
    }
}

/* ---- making nodes ---- */

static int32_t append(struct pfpu_lanes_graph *graph, const struct pfpu_lanes_node *node)
{
    struct pfpu_lanes_node *nodes = NULL;
    if (graph->count < PFPU_LANES_NODES_MAX) {
        nodes = base_arena_grow(graph->scratch, graph->nodes, &graph->capacity, graph->count + 1,
                                sizeof *nodes);
    }
    if (nodes == NULL) {
        graph->failed = true;
        return 0;
    }
    graph->nodes = nodes;
    nodes[graph->count] = *node;
    return (int32_t)graph->count++;
}

/* What a node computes, without where its result matters. */
static struct pfpu_instruction instruction_of(const struct pfpu_lanes_node *node)
{
    return (struct pfpu_instruction){
        .op = node->op,
        .filtered = node->filtered,
        .key = node->key,
        .arguments = {node->arguments[0], node->arguments[1], node->arguments[2]},
        .number = node->number};
}

/* The equal operation that there is, which then also serves this arm, or a new one. */
static int32_t intern(struct pfpu_lanes_graph *graph, const struct pfpu_lanes_node *node)
{
    const struct pfpu_instruction wanted = instruction_of(node);
    size_t place = pfpu_instruction_hash(&wanted) & (graph->table_size - 1);
    while (graph->table[place] != 0) {
        struct pfpu_lanes_node *known = &graph->nodes[graph->table[place] - 1];
        const struct pfpu_instruction made = instruction_of(known);
        if (pfpu_instruction_same(&made, &wanted)) {
            int32_t a = known->arm;
            int32_t b = node->arm;
            while (a != b) {
                if (a > b) {
                    a = graph->arms[a].parent;
                } else {
                    b = graph->arms[b].parent;
                }
            }
            known->arm = a;
            return graph->table[place] - 1;
        }
        place = (place + 1) & (graph->table_size - 1);
    }
    const int32_t made = append(graph, node);
    if (!graph->failed) {
        graph->table[place] = made + 1;
    }
    return made;
}

static int32_t make(struct pfpu_lanes_graph *graph, enum pfpu_op op, int32_t arm, int32_t a,
                    int32_t b, int32_t c)
{
    const struct pfpu_lanes_node node = {
        .op = op, .arguments = {a, b, c}, .guard = PFPU_NO_VALUE, .arm = arm};
    return intern(graph, &node);
}

int32_t pfpu_lanes_entry(struct pfpu_lanes_graph *graph, int32_t key)
{
    int32_t *entry = &graph->entry[pfpu_lanes_key_index(graph, key)];
    if (*entry == PFPU_NO_VALUE) {
        /* A slot is never read before it is set, but two ways may meet of which one has not. */
        const struct pfpu_lanes_node node = {.op = pfpu_key_is_slot(key) ? PFPU_OP_NUMBER
                                                                         : PFPU_OP_GET,
                                             .key = key,
                                             .guard = PFPU_NO_VALUE,
                                             .arm = PFPU_LANES_ROOT};
        *entry = append(graph, &node);
    }
    return *entry;
}

/* ---- blocks ---- */

/* The arm in which the way from one block to the next runs. */
static int32_t arm_of_way(struct converter *converter, int32_t from, int32_t to, int side)
{
    struct pfpu_lanes_graph *graph = converter->graph;
    const struct pfpu_block *block = &converter->ir->blocks[from];
    const int32_t around = converter->arm_of[from];
    if (block->end != PFPU_END_BRANCH) {
        return around;
    }
    const int32_t condition = converter->value_of[block->condition];
    const int taken = block->targets[0] == block->targets[1] ? side
                      : block->targets[0] == to              ? 0
                                                             : 1;
    const int32_t outer = graph->arms[around].guard;
    int32_t guard = condition;
    if (taken == 1) {
        guard = make(graph, PFPU_OP_NOT, PFPU_LANES_ROOT, condition, 0, 0);
    }
    if (outer != PFPU_NO_VALUE) {
        guard = make(graph, PFPU_OP_AND, PFPU_LANES_ROOT, outer, guard, 0);
    }
    graph->arms[graph->arm_count] = (struct pfpu_lanes_arm){around, from, taken, condition, guard};
    return (int32_t)graph->arm_count++;
}

static int32_t *state_of(const struct converter *converter, int32_t block)
{
    return converter->states + (size_t)block * converter->graph->key_count;
}

/* Where two ways meet, variables that differ are selected by the condition that parted them. */
static bool meet(struct converter *converter, int32_t b, int32_t *state)
{
    struct pfpu_lanes_graph *graph = converter->graph;
    const int32_t sources[2] = {converter->from[0][b], converter->from[1][b]};
    const int32_t arms[2] = {arm_of_way(converter, sources[0], b, 0),
                             arm_of_way(converter, sources[1], b, 1)};
    const struct pfpu_lanes_arm first = graph->arms[arms[0]];
    const struct pfpu_lanes_arm second = graph->arms[arms[1]];
    if (arms[0] == PFPU_LANES_ROOT || arms[1] == PFPU_LANES_ROOT || first.branch != second.branch ||
        first.side == second.side) {
        return false;
    }
    converter->arm_of[b] = first.parent;
    const int32_t *yes = state_of(converter, sources[first.side]);
    const int32_t *no = state_of(converter, sources[second.side]);
    for (size_t i = 0; i < graph->key_count; i++) {
        state[i] = yes[i];
        if (yes[i] != no[i]) {
            const int32_t key = (int32_t)i - converter->ir->slot_count;
            const int32_t one = yes[i] == PFPU_NO_VALUE ? pfpu_lanes_entry(graph, key) : yes[i];
            const int32_t other = no[i] == PFPU_NO_VALUE ? pfpu_lanes_entry(graph, key) : no[i];
            state[i] = one == other
                           ? one
                           : make(graph, PFPU_OP_SELECT, first.parent, first.condition, one, other);
        }
    }
    return true;
}

static bool begin_block(struct converter *converter, int32_t b, int32_t *state)
{
    const size_t keys = converter->graph->key_count;
    if (b == 0) {
        for (size_t i = 0; i < keys; i++) {
            state[i] = PFPU_NO_VALUE;
        }
        return true;
    }
    const int32_t source = converter->from[0][b];
    if (source == PFPU_NO_VALUE) {
        return false;
    }
    if (converter->from[1][b] != PFPU_NO_VALUE) {
        return meet(converter, b, state);
    }
    converter->arm_of[b] = arm_of_way(converter, source, b, 0);
    memcpy(state, state_of(converter, source), keys * sizeof *state);
    return true;
}

static void convert_block(struct converter *converter, int32_t b, int32_t *state)
{
    struct pfpu_lanes_graph *graph = converter->graph;
    const struct pfpu_block *block = &converter->ir->blocks[b];
    for (int32_t i = block->first; i < block->first + block->count && !graph->failed; i++) {
        const struct pfpu_instruction *instruction = &converter->ir->instructions[i];
        if (instruction->op == PFPU_OP_GET) {
            const int32_t value = state[pfpu_lanes_key_index(graph, instruction->key)];
            converter->value_of[i] =
                value == PFPU_NO_VALUE ? pfpu_lanes_entry(graph, instruction->key) : value;
        } else if (instruction->op == PFPU_OP_SET) {
            state[pfpu_lanes_key_index(graph, instruction->key)] =
                converter->value_of[instruction->arguments[0]];
        } else {
            struct pfpu_lanes_node node = {.op = instruction->op,
                                           .filtered = instruction->filtered,
                                           .guard = PFPU_NO_VALUE,
                                           .number = instruction->number,
                                           .arm = converter->arm_of[b]};
            for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
                node.arguments[k] = converter->value_of[instruction->arguments[k]];
            }
            const bool ordered = pfpu_lanes_keeps_order(graph, node.op);
            if (ordered && node.op != PFPU_OP_MEMORY_LOAD && node.op != PFPU_OP_GLOBAL_LOAD) {
                node.guard = graph->arms[node.arm].guard;
            }
            converter->value_of[i] = ordered ? append(graph, &node) : intern(graph, &node);
        }
    }
}

static enum pfpu_lanes_built convert(struct converter *converter)
{
    struct pfpu_lanes_graph *graph = converter->graph;
    int32_t *state = NULL;
    const struct pfpu_ir *ir = converter->ir;
    for (size_t b = 0; b < ir->block_count; b++) {
        const struct pfpu_block *block = &ir->blocks[b];
        if (block->end == PFPU_END_RETURN && b + 1 != ir->block_count) {
            return PFPU_LANES_UNFIT;
        }
        for (int k = 0; k < pfpu_ir_target_count(block); k++) {
            const int32_t target = block->targets[k];
            const int which = converter->from[0][target] == PFPU_NO_VALUE ? 0 : 1;
            if ((size_t)target <= b || converter->from[which][target] != PFPU_NO_VALUE) {
                return PFPU_LANES_UNFIT;
            }
            converter->from[which][target] = (int32_t)b;
        }
    }
    for (int32_t b = 0; (size_t)b < ir->block_count; b++) {
        state = state_of(converter, b);
        if (!begin_block(converter, b, state)) {
            return PFPU_LANES_UNFIT;
        }
        convert_block(converter, b, state);
        if (graph->failed) {
            return graph->scratch->failed ? PFPU_LANES_NO_MEMORY : PFPU_LANES_UNFIT;
        }
    }
    graph->final = state;
    return PFPU_LANES_BUILT;
}

/* ---- the whole ---- */

static bool allocate_graph(struct converter *converter)
{
    struct pfpu_lanes_graph *graph = converter->graph;
    struct base_arena *scratch = graph->scratch;
    const struct pfpu_ir *ir = converter->ir;
    graph->table_size = (size_t)2 * PFPU_LANES_NODES_MAX;
    graph->table = base_arena_array(scratch, graph->table_size, sizeof *graph->table);
    graph->entry = base_arena_array(scratch, graph->key_count, sizeof *graph->entry);
    graph->arms = base_arena_array(scratch, 1 + 2 * ir->block_count, sizeof *graph->arms);
    converter->value_of = base_arena_array(scratch, ir->count, sizeof *converter->value_of);
    converter->arm_of = base_arena_array(scratch, ir->block_count, sizeof *converter->arm_of);
    converter->states =
        base_arena_array(scratch, ir->block_count * graph->key_count, sizeof *converter->states);
    for (int k = 0; k < 2; k++) {
        converter->from[k] = base_arena_array(scratch, ir->block_count, sizeof *converter->from[k]);
    }
    if (scratch->failed) {
        return false;
    }
    for (size_t i = 0; i < graph->key_count; i++) {
        graph->entry[i] = PFPU_NO_VALUE;
    }
    for (size_t b = 0; b < ir->block_count; b++) {
        converter->from[0][b] = converter->from[1][b] = PFPU_NO_VALUE;
    }
    graph->arms[PFPU_LANES_ROOT] =
        (struct pfpu_lanes_arm){PFPU_NO_VALUE, PFPU_NO_VALUE, 0, PFPU_NO_VALUE, PFPU_NO_VALUE};
    graph->arm_count = 1;
    return true;
}

enum pfpu_lanes_built pfpu_lanes_build(struct pfpu_lanes_graph *graph, const struct pfpu_ir *ir,
                                       int32_t key_end, struct base_arena *scratch)
{
    const int32_t end = key_end > ir->key_end ? key_end : ir->key_end;
    *graph = (struct pfpu_lanes_graph){
        .ir = ir, .scratch = scratch, .key_count = (size_t)(end + ir->slot_count)};
    struct converter converter = {.graph = graph, .ir = ir};
    /* Also notes which memory is written to. */
    for (size_t i = 0; i < ir->count; i++) {
        const enum pfpu_op op = ir->instructions[i].op;
        const enum pfpu_op_kind kind = pfpu_ops[op].kind;
        if (kind == PFPU_OP_KIND_WORD || op == PFPU_OP_MEMORY_FILL || op == PFPU_OP_MEMORY_COPY ||
            op == PFPU_OP_WORD_NOP || op == PFPU_OP_WORD_VECTOUT) {
            return PFPU_LANES_UNFIT;
        }
        graph->stores = graph->stores || op == PFPU_OP_MEMORY_STORE;
        graph->global_stores = graph->global_stores || op == PFPU_OP_GLOBAL_STORE;
    }
    if (ir->count >= PFPU_LANES_NODES_MAX || ir->block_count * graph->key_count > STATES_MAX) {
        return PFPU_LANES_UNFIT;
    }
    return allocate_graph(&converter) ? convert(&converter) : PFPU_LANES_NO_MEMORY;
}

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
            const bool global = op == PFPU_OP_GLOBAL_LOAD || op == PFPU_OP_GLOBAL_STORE;
            const int chain = op == PFPU_OP_RAND ? 0 : global ? 1 : 2;
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
    while (sorter->depth > 0) {
        const int32_t node = sorter->stack[--sorter->depth];
        for (int k = 0; k < DEPENDENCIES; k++) {
            mark(sorter, marks, dependency(sorter, node, k));
        }
    }
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

static bool allocate_order(struct sorter *sorter)
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
    if (!allocate_order(&sorter)) {
        return false;
    }
    for (size_t i = 0; i < graph->count; i++) {
        const struct pfpu_lanes_node *node = &graph->nodes[i];
        if (node->op == PFPU_OP_GET) {
            const int32_t final = graph->final[pfpu_lanes_key_index(graph, node->key)];
            sorter.order->carried[i] = final != PFPU_NO_VALUE && final != (int32_t)i &&
                                       pfpu_lanes_input_of(sorter.ports, node->key) == NULL;
        }
    }
    find_chains(&sorter);
    for (size_t i = 0; i < graph->count; i++) {
        order->uniform[i] = is_uniform(&sorter, (int32_t)i);
    }
    for (size_t i = 0; i < graph->count; i++) {
        const struct pfpu_lanes_node *node = &graph->nodes[i];
        const int32_t cost = sorter.order->uniform[i] ? 0 : pfpu_ops[node->op].cost;
        for (int32_t arm = node->arm; arm != PFPU_LANES_ROOT; arm = graph->arms[arm].parent) {
            sorter.costs[arm] += cost;
        }
    }
    for (size_t i = 0; i < graph->arm_count; i++) {
        sorter.order->tested[i] = sorter.costs[i] >= PFPU_LANES_TEST_LEAST;
    }
    /* Everything that ends in a variable is live; steady is what the next item or the caller
     * sees. */
    for (size_t key = (size_t)graph->ir->slot_count; key < graph->key_count; key++) {
        mark(&sorter, order->live, graph->final[key]);
    }
    mark_needed(&sorter, order->live);
    for (size_t i = 0; i < graph->count; i++) {
        if (order->live[i] && order->carried[i]) {
            mark(&sorter, order->steady, (int32_t)i);
        }
    }
    mark_needed(&sorter, order->steady);
    for (size_t i = 0; i < graph->count; i++) {
        if (order->live[i] && !order->uniform[i] && sorter.number[i] == 0) {
            enter(&sorter, (int32_t)i);
            while (sorter.depth > 0) {
                advance(&sorter);
            }
        }
    }
    return true;
}
