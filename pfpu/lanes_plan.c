#include "pfpu/lanes_plan.h"

#include <assert.h>
#include <string.h>

#include "pfpu/scope.h"

static const struct pfpu_lanes_node *node_at(const struct pfpu_lanes_plan *plan, int32_t node)
{
    return &plan->graph->nodes[node];
}

static void put(struct pfpu_lanes_plan *plan, struct pfpu_lanes_step step, int32_t arm)
{
    assert(plan->count < plan->capacity);
    plan->arm[plan->count] = arm;
    plan->steps[plan->count++] = step;
}

static struct pfpu_lanes_place place_of(int32_t node)
{
    return (struct pfpu_lanes_place){node, 0};
}

static int32_t value_carried(const struct pfpu_lanes_plan *plan, int32_t get)
{
    return plan->graph->final[pfpu_lanes_key_index(plan->graph, node_at(plan, get)->key)];
}

static bool is_carried(const struct pfpu_lanes_plan *plan, int32_t node)
{
    return plan->order->carried[node];
}

/* ---- uniform operations ---- */

static int32_t port_of(const struct pfpu_lanes_plan *plan, int32_t key)
{
    const struct pfpu_lanes_input *input = pfpu_lanes_input_of(plan->ports, key);
    return input == NULL ? PFPU_LANES_NOWHERE : (int32_t)(input - plan->ports->inputs);
}

static bool put_uniforms(struct pfpu_lanes_plan *plan)
{
    const struct pfpu_lanes_graph *graph = plan->graph;
    struct pfpu_lanes *lanes = plan->lanes;
    lanes->uniforms = base_arena_array(plan->arena, graph->count, sizeof *lanes->uniforms);
    if (lanes->uniforms == NULL) {
        return false;
    }
    for (size_t i = 0; i < graph->count; i++) {
        const struct pfpu_lanes_node *node = &graph->nodes[i];
        if (!plan->order->live[i] || !plan->order->uniform[i]) {
            continue;
        }
        struct pfpu_lanes_uniform uniform = {.op = node->op,
                                             .filtered = node->filtered,
                                             .key = node->key,
                                             .port = PFPU_LANES_NOWHERE,
                                             .number = node->number,
                                             .dst = plan->end};
        if (node->op == PFPU_OP_GET) {
            uniform.port = port_of(plan, node->key);
        }
        for (int k = 0; k < pfpu_ops[node->op].arity; k++) {
            uniform.operands[k] = plan->place[node->arguments[k]];
        }
        plan->place[i] = plan->end;
        plan->end += PFPU_LANES_WIDTH;
        lanes->uniforms[lanes->uniform_count++] = uniform;
        lanes->facts.uniform += pfpu_ops[node->op].arity > 0 ? 1 : 0;
    }
    return true;
}

/* ---- steps ---- */

static struct pfpu_lanes_step step_of_get(const struct pfpu_lanes_plan *plan, int32_t i,
                                          struct pfpu_lanes_step step)
{
    if (is_carried(plan, i)) {
        step.kind = PFPU_LANES_DELAY;
        step.operands[0] = place_of(value_carried(plan, i));
    } else {
        step.kind = PFPU_LANES_INPUT;
        step.number = port_of(plan, node_at(plan, i)->key);
    }
    return step;
}

static struct pfpu_lanes_step step_of_node(const struct pfpu_lanes_plan *plan, int32_t i)
{
    const struct pfpu_lanes_node *node = node_at(plan, i);
    const struct pfpu_lanes_place nowhere = {PFPU_LANES_NOWHERE, 0};
    struct pfpu_lanes_step step = {
        .kind = PFPU_LANES_KERNEL,
        .code = 2 * (int32_t)node->op + (node->filtered ? 1 : 0),
        .dst = i,
        .keep = PFPU_LANES_NOWHERE,
        .carry = PFPU_LANES_NOWHERE,
        .late = !plan->order->steady[i],
        .operands = {nowhere, nowhere, nowhere},
        .guard = place_of(node->guard),
    };
    if (node->op == PFPU_OP_GET) {
        return step_of_get(plan, i, step);
    }
    if (node->op == PFPU_OP_MEMORY_LOAD || node->op == PFPU_OP_GLOBAL_LOAD) {
        step.kind = PFPU_LANES_LOAD;
    }
    for (int k = 0; k < pfpu_ops[node->op].arity; k++) {
        step.operands[k] = place_of(node->arguments[k]);
    }
    return step;
}

static void put_outputs(struct pfpu_lanes_plan *plan, int32_t node)
{
    for (size_t i = 0; i < plan->ports->output_count; i++) {
        if (pfpu_lanes_output(plan->graph, plan->ports->outputs[i]) == node) {
            const struct pfpu_lanes_place nowhere = {PFPU_LANES_NOWHERE, 0};
            put(plan,
                (struct pfpu_lanes_step){.kind = PFPU_LANES_OUTPUT,
                                         .dst = PFPU_LANES_NOWHERE,
                                         .number = (int32_t)i,
                                         .keep = PFPU_LANES_NOWHERE,
                                         .carry = PFPU_LANES_NOWHERE,
                                         .operands = {place_of(node), nowhere, nowhere},
                                         .guard = nowhere},
                PFPU_LANES_ROOT);
        }
    }
}

/* Nothing but its own variables changes what the group computes. */
static bool is_settling(const struct pfpu_lanes_plan *plan, const int32_t *members, size_t count)
{
    const int32_t group = plan->order->group[members[0]];
    for (size_t i = 0; i < count; i++) {
        const struct pfpu_lanes_node *node = node_at(plan, members[i]);
        if (pfpu_lanes_keeps_order(plan->graph, node->op)) {
            return false;
        }
        for (int k = 0; k < pfpu_ops[node->op].arity; k++) {
            const int32_t operand = node->arguments[k];
            if (!plan->order->uniform[operand] && plan->order->group[operand] != group) {
                return false;
            }
        }
    }
    return true;
}

static void put_node(struct pfpu_lanes_plan *plan, int32_t node, int32_t arm)
{
    if (plan->source[node] == node) {
        put(plan, step_of_node(plan, node), arm);
    }
}

static void put_group(struct pfpu_lanes_plan *plan, const int32_t *members, size_t count)
{
    const struct pfpu_lanes_place nowhere = {PFPU_LANES_NOWHERE, 0};
    const size_t head = plan->count;
    put(plan,
        (struct pfpu_lanes_step){.kind = is_settling(plan, members, count) ? PFPU_LANES_SETTLING
                                                                           : PFPU_LANES_SERIAL,
                                 .dst = PFPU_LANES_NOWHERE,
                                 .keep = PFPU_LANES_NOWHERE,
                                 .carry = PFPU_LANES_NOWHERE,
                                 .operands = {nowhere, nowhere, nowhere},
                                 .guard = nowhere},
        PFPU_LANES_ROOT);
    for (size_t i = 0; i < count; i++) {
        put_node(plan, members[i], PFPU_LANES_ROOT);
        plan->serial_in_arms += node_at(plan, members[i])->arm != PFPU_LANES_ROOT ? 1 : 0;
    }
    const size_t steps = plan->count - head - 1;
    plan->steps[head].number = (int32_t)steps;
    plan->lanes->facts.serial += steps;
    for (size_t i = 0; i < count; i++) {
        put_outputs(plan, members[i]);
    }
}

static void put_all(struct pfpu_lanes_plan *plan)
{
    const struct pfpu_lanes_order *order = plan->order;
    for (size_t i = 0; i < order->count;) {
        const int32_t node = order->order[i];
        size_t count = 1;
        if (order->group[node] != PFPU_NO_VALUE) {
            while (i + count < order->count &&
                   order->group[order->order[i + count]] == order->group[node]) {
                count++;
            }
            put_group(plan, order->order + i, count);
        } else {
            put_node(plan, node, node_at(plan, node)->arm);
            put_outputs(plan, node);
            plan->lanes->facts.lanes += pfpu_ops[node_at(plan, node)->op].arity > 0 ? 1 : 0;
        }
        i += count;
    }
    for (size_t i = 0; i < plan->ports->output_count; i++) {
        const int32_t node = pfpu_lanes_output(plan->graph, plan->ports->outputs[i]);
        bool again = !order->uniform[node];
        for (size_t k = 0; k < i; k++) {
            again = again || pfpu_lanes_output(plan->graph, plan->ports->outputs[k]) == node;
        }
        if (!again) {
            put_outputs(plan, node);
        }
    }
}

/* ---- variables before and after ---- */

static int32_t new_single(struct pfpu_lanes_plan *plan)
{
    return plan->end++;
}

static bool leaves_variable(const struct pfpu_lanes_plan *plan, size_t key_index)
{
    const int32_t final = plan->graph->final[key_index];
    return key_index >= (size_t)plan->graph->ir->slot_count && final != PFPU_NO_VALUE &&
           final != plan->graph->entry[key_index];
}

/* A carried GET is read straight from the cell of the value that it gets, one item earlier: the
 * first GET of that value, unless either is something that has to be handed on itself. */
static bool find_sources(struct pfpu_lanes_plan *plan)
{
    const struct pfpu_lanes_graph *graph = plan->graph;
    bool *taken = base_arena_array(plan->scratch, graph->count, sizeof *taken);
    if (taken == NULL) {
        return false;
    }
    for (size_t key = 0; key < graph->key_count; key++) {
        if (leaves_variable(plan, key) && is_carried(plan, graph->final[key])) {
            taken[graph->final[key]] = true;
        }
    }
    for (size_t i = 0; i < graph->count; i++) {
        const int32_t node = (int32_t)i;
        plan->source[i] = node;
        if (!plan->order->live[i] || !is_carried(plan, node) || taken[i]) {
            continue;
        }
        const int32_t value = value_carried(plan, node);
        if (!plan->order->uniform[value] && !taken[value]) {
            plan->source[i] = value;
            taken[value] = true;
        }
    }
    return true;
}

/* Where the last item's values of variables are found at the end. */
static void link_finals(struct pfpu_lanes_plan *plan, int32_t *kept)
{
    struct pfpu_lanes *lanes = plan->lanes;
    for (size_t i = 0; i < plan->graph->key_count; i++) {
        if (!leaves_variable(plan, i)) {
            continue;
        }
        const int32_t final = plan->graph->final[i];
        if (plan->order->uniform[final]) {
            kept[final] = plan->place[final];
        } else if (kept[final] == PFPU_LANES_NOWHERE) {
            kept[final] = new_single(plan);
        }
        const int32_t key = (int32_t)i - plan->graph->ir->slot_count;
        lanes->finals[lanes->final_count++] = (struct pfpu_lanes_link){key, kept[final]};
    }
}

static void link_carries(struct pfpu_lanes_plan *plan, int32_t *carried)
{
    struct pfpu_lanes *lanes = plan->lanes;
    for (size_t i = 0; i < plan->graph->count; i++) {
        if (plan->order->live[i] && is_carried(plan, (int32_t)i)) {
            carried[plan->source[i]] = new_single(plan);
            lanes->carries[lanes->carry_count++] =
                (struct pfpu_lanes_link){plan->graph->nodes[i].key, carried[plan->source[i]]};
        }
    }
}

static bool link_variables(struct pfpu_lanes_plan *plan)
{
    const struct pfpu_lanes_graph *graph = plan->graph;
    struct pfpu_lanes *lanes = plan->lanes;
    lanes->carries = base_arena_array(plan->arena, graph->key_count, sizeof *lanes->carries);
    lanes->finals = base_arena_array(plan->arena, graph->key_count, sizeof *lanes->finals);
    int32_t *kept = base_arena_array(plan->scratch, graph->count, sizeof *kept);
    int32_t *carried = base_arena_array(plan->scratch, graph->count, sizeof *carried);
    if (lanes->carries == NULL || lanes->finals == NULL || kept == NULL || carried == NULL) {
        return false;
    }
    for (size_t i = 0; i < graph->count; i++) {
        kept[i] = carried[i] = PFPU_LANES_NOWHERE;
    }
    link_finals(plan, kept);
    link_carries(plan, carried);
    for (size_t i = 0; i < plan->count; i++) {
        struct pfpu_lanes_step *step = &plan->steps[i];
        if (step->dst != PFPU_LANES_NOWHERE) {
            step->keep = kept[step->dst];
            step->carry = carried[step->dst];
        }
    }
    return true;
}

/* ---- the whole ---- */

static bool copy_ports(struct pfpu_lanes *lanes, const struct pfpu_lanes_ports *ports,
                       struct base_arena *arena)
{
    struct pfpu_lanes_input *inputs = base_arena_array(arena, ports->input_count, sizeof *inputs);
    int *outputs = base_arena_array(arena, ports->output_count, sizeof *outputs);
    if (inputs == NULL || outputs == NULL) {
        return false;
    }
    for (size_t i = 0; i < ports->input_count; i++) {
        inputs[i] = ports->inputs[i];
    }
    for (size_t i = 0; i < ports->output_count; i++) {
        outputs[i] = ports->outputs[i];
    }
    lanes->ports =
        (struct pfpu_lanes_ports){inputs, ports->input_count, outputs, ports->output_count};
    return true;
}

static bool keep_steps(struct pfpu_lanes_plan *plan)
{
    struct pfpu_lanes *lanes = plan->lanes;
    lanes->steps = base_arena_array(plan->arena, plan->count, sizeof *lanes->steps);
    if (lanes->steps == NULL) {
        return false;
    }
    if (plan->count > 0) {
        memcpy(lanes->steps, plan->steps, plan->count * sizeof *lanes->steps);
    }
    lanes->step_count = plan->count;
    lanes->work_size = (size_t)plan->end;
    return true;
}

static bool make_plan(struct pfpu_lanes_plan *plan)
{
    /* Every operation, a head for it as a group or a skip before it, and the outputs. */
    plan->capacity = 3 * plan->order->count + plan->graph->arm_count + plan->ports->output_count;
    plan->steps = base_arena_array(plan->scratch, plan->capacity, sizeof *plan->steps);
    plan->arm = base_arena_array(plan->scratch, plan->capacity, sizeof *plan->arm);
    plan->place = base_arena_array(plan->scratch, plan->graph->count, sizeof *plan->place);
    plan->source = base_arena_array(plan->scratch, plan->graph->count, sizeof *plan->source);
    if (plan->scratch->failed || !find_sources(plan) || !put_uniforms(plan)) {
        return false;
    }
    put_all(plan);
    return link_variables(plan) && pfpu_lanes_insert_skips(plan) && pfpu_lanes_assign_cells(plan) &&
           keep_steps(plan);
}

/* Serial groups cost more than the executor for single items, which also leaves out the arms that
 * an item does not take. */
static bool is_worth_it(const struct pfpu_lanes_facts *facts, size_t serial_in_arms)
{
    return facts->serial + 3 * serial_in_arms <= 2 * (facts->lanes + facts->uniform);
}

static int32_t key_end_of(const struct pfpu_lanes_ports *ports)
{
    int most = -1;
    for (size_t i = 0; i < ports->input_count; i++) {
        most = ports->inputs[i].variable > most ? ports->inputs[i].variable : most;
    }
    for (size_t i = 0; i < ports->output_count; i++) {
        most = ports->outputs[i] > most ? ports->outputs[i] : most;
    }
    return pfpu_key_of_variable(most) + 1;
}

/* False without memory. */
static bool prepare(struct pfpu_lanes *lanes, struct base_arena *arena, struct base_arena *scratch)
{
    struct pfpu_lanes_graph graph;
    struct pfpu_lanes_order order;
    const enum pfpu_lanes_built built =
        pfpu_lanes_build(&graph, &lanes->program->ir, key_end_of(&lanes->ports), scratch);
    if (built != PFPU_LANES_BUILT) {
        lanes->facts.one_by_one = true;
        return built == PFPU_LANES_UNFIT;
    }
    for (size_t i = 0; i < lanes->ports.output_count; i++) {
        const int32_t key = pfpu_key_of_variable(lanes->ports.outputs[i]);
        (void)pfpu_lanes_entry(&graph, key);
    }
    if (graph.failed || !pfpu_lanes_sort(&order, &graph, &lanes->ports)) {
        lanes->facts.one_by_one = true;
        return !scratch->failed;
    }
    struct pfpu_lanes_plan plan = {.graph = &graph,
                                   .order = &order,
                                   .ports = &lanes->ports,
                                   .lanes = lanes,
                                   .arena = arena,
                                   .scratch = scratch};
    if (!make_plan(&plan)) {
        return false;
    }
    lanes->facts.one_by_one = !is_worth_it(&lanes->facts, plan.serial_in_arms);
    lanes->work_size = lanes->facts.one_by_one ? 0 : lanes->work_size;
    return true;
}

const struct pfpu_lanes *pfpu_lanes_create(const struct pfpu_program *program,
                                           const struct pfpu_lanes_ports *ports,
                                           struct base_arena *arena)
{
    struct pfpu_lanes *lanes = base_arena_alloc(arena, sizeof *lanes);
    if (lanes == NULL || !copy_ports(lanes, ports, arena)) {
        return NULL;
    }
    lanes->program = program;
    struct base_arena scratch;
    base_arena_init(&scratch, 0);
    const bool good = prepare(lanes, arena, &scratch);
    base_arena_free(&scratch);
    return good ? lanes : NULL;
}
