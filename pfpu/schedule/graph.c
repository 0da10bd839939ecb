#include "pfpu/schedule/graph.h"

#include <assert.h>

/* Edges are visited twice: counted, then stored. */
struct builder {
    const struct pfpu_graph_maker *maker;
    struct pfpu_graph *graph;
    bool storing;
    bool free_sets; /* take no slot: the results go where they belong */
    int32_t last_effect;
};

static const struct pfpu_target_op *row_of(const struct builder *builder, int32_t node)
{
    return &builder->maker->target->ops[builder->graph->instructions[node].op];
}

static void put(struct builder *builder, int32_t from, int32_t to, int32_t distance)
{
    struct pfpu_graph *graph = builder->graph;
    if (builder->storing) {
        graph->edges[graph->first_edge[from + 1]++] = (struct pfpu_graph_edge){to, distance};
    } else {
        graph->first_edge[from + 2]++;
    }
}

static bool allocate_nodes(struct pfpu_graph *graph, struct base_arena *scratch)
{
    const size_t count = (size_t)graph->count;
    graph->nodes = base_arena_array(scratch, count, sizeof *graph->nodes);
    graph->first_edge = base_arena_array(scratch, count + 2, sizeof *graph->first_edge);
    return graph->nodes != NULL && graph->first_edge != NULL;
}

/* Between counting and storing. */
static bool allocate_edges(struct pfpu_graph *graph, struct base_arena *scratch)
{
    for (int32_t n = 0; n < graph->count; n++) {
        graph->first_edge[n + 2] += graph->first_edge[n + 1];
    }
    graph->edges =
        base_arena_room(scratch, graph->first_edge[graph->count + 1], sizeof *graph->edges);
    return graph->edges != NULL;
}

static void put_operand(struct builder *builder, int32_t maker, int32_t user, int k)
{
    const struct pfpu_graph *graph = builder->graph;
    const struct pfpu_stages *stages = builder->maker->stages;
    const int32_t latency = row_of(builder, maker)->latency;
    if (stages != NULL &&
        stages->stage[graph->first + maker] != stages->stage[graph->first + user]) {
        if (!stages->steady[graph->first + maker]) {
            assert(stages->stage[graph->first + user] == stages->stage[graph->first + maker] + 1);
            put(builder, user, maker, -latency);
        }
        return;
    }
    const bool at_commit =
        (graph->instructions[user].op == PFPU_OP_WORD_IF && k == 0) || row_of(builder, user)->bound;
    put(builder, maker, user,
        latency + (at_commit ? 0 : (int32_t)builder->maker->target->read_delay));
}

/* Memory operations keep their order; a SET that takes a slot follows the GETs of its key. */
static void put_order(struct builder *builder, int32_t node)
{
    const struct pfpu_instruction *instruction = &builder->graph->instructions[node];
    const enum pfpu_op_kind kind = pfpu_ops[instruction->op].kind;
    if (kind == PFPU_OP_KIND_READ || kind == PFPU_OP_KIND_EFFECT) {
        if (builder->last_effect != PFPU_NO_NODE) {
            put(builder, builder->last_effect, node, 0);
        }
        builder->last_effect = node;
    } else if (kind == PFPU_OP_KIND_GET || (kind == PFPU_OP_KIND_SET && !builder->free_sets)) {
        int32_t *last =
            &builder->maker->last_get[pfpu_ir_key_index(builder->maker->ir, instruction->key)];
        const int32_t before = *last - builder->graph->first;
        if (before >= 0 && before < node) {
            put(builder, before, node, 0);
        }
        *last = builder->graph->first + node;
    }
}

static void visit_edges(struct builder *builder, bool storing)
{
    builder->storing = storing;
    builder->last_effect = PFPU_NO_NODE;
    for (int32_t n = 0; n < builder->graph->count; n++) {
        const struct pfpu_graph *graph = builder->graph;
        const struct pfpu_instruction *instruction = &graph->instructions[n];
        for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
            const int32_t maker = instruction->arguments[k] - graph->first;
            if (maker < 0) {
                continue;
            }
            if (builder->free_sets && graph->instructions[maker].op == PFPU_OP_GET) {
                /* The node whose result goes into the key's register at the end issues no earlier
                 * than what reads the old value allows. */
                const int32_t value = builder->maker->setter[pfpu_ir_key_index(
                    builder->maker->ir, graph->instructions[maker].key)];
                const int32_t setter = value >= graph->first ? value - graph->first : PFPU_NO_NODE;
                if (setter != PFPU_NO_NODE && setter != n) {
                    put(builder, n, setter, -(int32_t)row_of(builder, setter)->latency);
                }
            }
            if (!row_of(builder, maker)->bound) {
                put_operand(builder, maker, n, k);
            }
        }
        put_order(builder, n);
        /* The run stops behind the word after the VECTOUT: everything must be committed by then. */
        const int32_t vectout = builder->graph->vectout;
        const int32_t latency = row_of(builder, n)->latency;
        if (vectout != PFPU_NO_NODE && n != vectout && !row_of(builder, n)->bound) {
            put(builder, n, vectout, latency > 2 ? latency - 1 : 1);
        }
    }
}

/* A value that is SET for the next vertex needs no register but the key's, a condition none but
 * R2. */
static void note_destination(struct builder *builder, int32_t node)
{
    struct pfpu_graph *graph = builder->graph;
    const struct pfpu_instruction *instruction = &graph->instructions[node];
    const int32_t argument = instruction->arguments[0] - graph->first;
    if (instruction->op == PFPU_OP_GET) {
        builder->maker->last_get[pfpu_ir_key_index(builder->maker->ir, instruction->key)] =
            graph->first + node;
    } else if (instruction->op == PFPU_OP_SET && builder->free_sets && argument >= 0) {
        const size_t key = pfpu_ir_key_index(builder->maker->ir, instruction->key);
        builder->maker->setter[key] = instruction->arguments[0];
        graph->nodes[argument].holds = builder->maker->last_get[key] < graph->first;
    } else if (instruction->op == PFPU_OP_WORD_IF && argument >= 0) {
        struct pfpu_graph_node *condition = &graph->nodes[argument];
        condition->holds = false;
        if (condition->group == PFPU_NO_GROUP) {
            condition->group = graph->group_count++;
        }
        graph->nodes[node].group = condition->group;
    }
}

bool pfpu_graph_maker_init(struct pfpu_graph_maker *maker, const struct pfpu_target *target,
                           const struct pfpu_ir *ir, const struct pfpu_stages *stages,
                           struct base_arena *scratch)
{
    const size_t keys = pfpu_ir_key_count(ir);
    *maker = (struct pfpu_graph_maker){target, ir, stages, scratch, NULL, NULL};
    maker->last_get = base_arena_array(scratch, keys, sizeof *maker->last_get);
    maker->setter = base_arena_array(scratch, keys, sizeof *maker->setter);
    if (maker->last_get == NULL || maker->setter == NULL) {
        return false;
    }
    for (size_t i = 0; i < keys; i++) {
        maker->last_get[i] = PFPU_NO_VALUE;
        maker->setter[i] = PFPU_NO_VALUE;
    }
    return true;
}

bool pfpu_graph_of_block(struct pfpu_graph_maker *maker, const struct pfpu_block *block,
                         struct pfpu_graph *graph)
{
    const struct pfpu_instruction *instructions = maker->ir->instructions;
    *graph =
        (struct pfpu_graph){.instructions = block->count > 0 ? instructions + block->first : NULL,
                            .first = block->first,
                            .count = block->count,
                            .issue_width = maker->target->issue_width,
                            .commit_ports = maker->target->commit_ports,
                            .vectout = PFPU_NO_NODE};
    struct builder builder = {
        .maker = maker, .graph = graph, .free_sets = maker->target->ops[PFPU_OP_SET].bound};
    if (!allocate_nodes(graph, maker->scratch)) {
        return false;
    }
    for (int32_t n = 0; n < graph->count; n++) {
        const enum pfpu_op op = graph->instructions[n].op;
        const struct pfpu_target_op *row = row_of(&builder, n);
        const bool gives = !row->bound && pfpu_op_has_result(op);
        graph->nodes[n] = (struct pfpu_graph_node){.group = PFPU_NO_GROUP,
                                                   .latency = row->latency,
                                                   .issues = !row->bound,
                                                   .commits = !row->bound && row->latency > 0,
                                                   .holds = gives};
        if (op == PFPU_OP_WORD_VECTOUT) {
            graph->vectout = n;
        }
        note_destination(&builder, n);
    }
    visit_edges(&builder, false);
    if (!allocate_edges(graph, maker->scratch)) {
        return false;
    }
    visit_edges(&builder, true);
    return true;
}

/* With cycle' = end - (cycle + latency), issue and commit slots change places, and from -> to at a
 * distance becomes to -> from at distance + latency[to] - latency[from]. */
bool pfpu_graph_reverse(const struct pfpu_graph *graph, struct base_arena *scratch,
                        struct pfpu_graph *reversed)
{
    *reversed = *graph;
    reversed->reversed = !graph->reversed;
    reversed->issue_width = graph->commit_ports == 0 ? UINT32_MAX : graph->commit_ports;
    reversed->commit_ports = graph->issue_width;
    if (!allocate_nodes(reversed, scratch)) {
        return false;
    }
    struct builder builder = {.graph = reversed};
    for (int32_t n = 0; n < graph->count; n++) {
        reversed->nodes[n] = graph->nodes[n];
        reversed->nodes[n].issues = graph->nodes[n].commits;
        reversed->nodes[n].commits = graph->nodes[n].issues && n != graph->vectout;
    }
    for (int turn = 0; turn < 2; turn++) {
        builder.storing = turn == 1;
        if (turn == 1 && !allocate_edges(reversed, scratch)) {
            return false;
        }
        for (int32_t n = 0; n < graph->count; n++) {
            for (uint32_t e = graph->first_edge[n]; e < graph->first_edge[n + 1]; e++) {
                const struct pfpu_graph_edge edge = graph->edges[e];
                put(&builder, edge.to, n,
                    edge.distance + graph->nodes[edge.to].latency - graph->nodes[n].latency);
            }
        }
    }
    return true;
}

bool pfpu_graph_heights(const struct pfpu_graph *graph, struct base_arena *scratch,
                        int32_t *heights)
{
    const size_t count = (size_t)graph->count;
    uint32_t *entering = base_arena_array(scratch, count, sizeof *entering);
    int32_t *order = base_arena_array(scratch, count, sizeof *order);
    if (entering == NULL || order == NULL) {
        return false;
    }
    /* Nodes in an order in which every edge leads forwards; not all of them if there is a circle.
     */
    int32_t known = 0;
    for (uint32_t e = 0; e < graph->first_edge[graph->count]; e++) {
        entering[graph->edges[e].to]++;
    }
    for (int32_t n = 0; n < graph->count; n++) {
        if (entering[n] == 0) {
            order[known++] = n;
        }
    }
    for (int32_t done = 0; done < known; done++) {
        const int32_t n = order[done];
        for (uint32_t e = graph->first_edge[n]; e < graph->first_edge[n + 1]; e++) {
            if (--entering[graph->edges[e].to] == 0) {
                order[known++] = graph->edges[e].to;
            }
        }
    }
    if (known < graph->count) {
        return false;
    }
    const bool to_vectout = graph->vectout != PFPU_NO_NODE && !graph->reversed;
    for (int32_t i = graph->count - 1; i >= 0; i--) {
        const int32_t n = order[i];
        int32_t height = to_vectout ? 0 : graph->nodes[n].latency;
        for (uint32_t e = graph->first_edge[n]; e < graph->first_edge[n + 1]; e++) {
            const int32_t way = graph->edges[e].distance + heights[graph->edges[e].to];
            height = way > height ? way : height;
        }
        heights[n] = height;
    }
    return true;
}

uint32_t pfpu_graph_critical_path(const struct pfpu_graph *graph, const int32_t *heights)
{
    int32_t longest = 0;
    for (int32_t n = 0; n < graph->count; n++) {
        longest = heights[n] > longest ? heights[n] : longest;
    }
    return (uint32_t)(graph->vectout == PFPU_NO_NODE && longest > 0 ? longest - 1 : longest);
}

uint32_t pfpu_graph_length(const struct pfpu_graph *graph, const uint32_t *cycle,
                           uint32_t read_delay)
{
    uint32_t length = 0;
    for (int32_t n = 0; n < graph->count; n++) {
        const struct pfpu_graph_node *node = &graph->nodes[n];
        const uint32_t delay = n == graph->vectout ? 2 : node->commits ? read_delay : 0;
        const uint32_t taken = node->latency + delay;
        const uint32_t end = cycle[n] + (taken == 0 && node->issues ? 1 : taken);
        length = end > length ? end : length;
    }
    return length;
}
