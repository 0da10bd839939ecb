/* From ordered operations to steps. Until the places are assigned, dst and operands of a step name
 * nodes. */
#include <assert.h>
#include <string.h>

#include "pfpu/host/lanes_code.h"
#include "pfpu/host/lanes_graph.h"
#include "pfpu/host/program.h"

struct plan {
    const struct pfpu_lanes_graph *graph;
    const struct pfpu_lanes_order *order;
    const struct pfpu_lanes_ports *ports;
    struct pfpu_lanes *lanes;
    struct base_arena *arena; /* of the result */
    struct base_arena *scratch;
    struct pfpu_lanes_step *steps;
    int32_t *arm; /* by step */
    size_t count;
    size_t capacity;
    int32_t *source; /* by node: of a carried GET the value whose cell it is read from, one item
                        earlier; of all others the node itself */
    int32_t *place;  /* by node: offset in the scratch memory */
    int32_t end;     /* of the scratch memory, so far */
    size_t serial_in_arms; /* operations of serial groups that not every item would take */
};

/* Leaves out the steps of arms that no item takes. False without memory. */
static bool insert_skips(struct plan *plan);

/* Gives every step its place in scratch memory; places are shared by values that are
 * not needed at the same time. False without memory. */
static bool assign_cells(struct plan *plan);

static const struct pfpu_lanes_node *node_at(const struct plan *plan, int32_t node)
{
    return &plan->graph->nodes[node];
}

static void put(struct plan *plan, struct pfpu_lanes_step step, int32_t arm)
{
    assert(plan->count < plan->capacity);
    plan->arm[plan->count] = arm;
    plan->steps[plan->count++] = step;
}

static struct pfpu_lanes_place place_of(int32_t node)
{
    return (struct pfpu_lanes_place){node, 0};
}

static int32_t value_carried(const struct plan *plan, int32_t get)
{
    return plan->graph->final[pfpu_lanes_key_index(plan->graph, node_at(plan, get)->key)];
}

static bool is_carried(const struct plan *plan, int32_t node)
{
    return plan->order->carried[node];
}

/* ---- uniform operations ---- */

static int32_t port_of(const struct plan *plan, int32_t key)
{
    const struct pfpu_lanes_input *input = pfpu_lanes_input_of(plan->ports, key);
    return input == NULL ? PFPU_LANES_NOWHERE : (int32_t)(input - plan->ports->inputs);
}

static bool put_uniforms(struct plan *plan)
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

static struct pfpu_lanes_step step_of_node(const struct plan *plan, int32_t i)
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
        if (is_carried(plan, i)) {
            step.kind = PFPU_LANES_DELAY;
            step.operands[0] = place_of(value_carried(plan, i));
        } else {
            step.kind = PFPU_LANES_INPUT;
            step.number = port_of(plan, node_at(plan, i)->key);
        }
        return step;
    }
    if (node->op == PFPU_OP_MEMORY_LOAD || node->op == PFPU_OP_GLOBAL_LOAD ||
        node->op == PFPU_OP_DMX_LOAD) {
        step.kind = PFPU_LANES_LOAD;
    }
    for (int k = 0; k < pfpu_ops[node->op].arity; k++) {
        step.operands[k] = place_of(node->arguments[k]);
    }
    return step;
}

static void put_outputs(struct plan *plan, int32_t node)
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
static bool is_settling(const struct plan *plan, const int32_t *members, size_t count)
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

static void put_node(struct plan *plan, int32_t node, int32_t arm)
{
    if (plan->source[node] == node) {
        put(plan, step_of_node(plan, node), arm);
    }
}

static void put_group(struct plan *plan, const int32_t *members, size_t count)
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

static void put_all(struct plan *plan)
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

static int32_t new_single(struct plan *plan)
{
    return plan->end++;
}

static bool leaves_variable(const struct plan *plan, size_t key_index)
{
    const int32_t final = plan->graph->final[key_index];
    return key_index >= (size_t)plan->graph->ir->slot_count && final != PFPU_NO_VALUE &&
           final != plan->graph->entry[key_index];
}

/* A carried GET is read straight from the cell of the value that it gets, one item earlier: the
 * first GET of that value, unless either is something that has to be handed on itself. */
static bool find_sources(struct plan *plan)
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

static bool link_variables(struct plan *plan)
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
    /* Where the last item's values of variables are found at the end. */
    for (size_t i = 0; i < graph->key_count; i++) {
        if (!leaves_variable(plan, i)) {
            continue;
        }
        const int32_t final = graph->final[i];
        if (plan->order->uniform[final]) {
            kept[final] = plan->place[final];
        } else if (kept[final] == PFPU_LANES_NOWHERE) {
            kept[final] = new_single(plan);
        }
        const int32_t key = (int32_t)i - graph->ir->slot_count;
        lanes->finals[lanes->final_count++] = (struct pfpu_lanes_link){key, kept[final]};
    }
    for (size_t i = 0; i < plan->graph->count; i++) {
        if (plan->order->live[i] && is_carried(plan, (int32_t)i)) {
            carried[plan->source[i]] = new_single(plan);
            lanes->carries[lanes->carry_count++] =
                (struct pfpu_lanes_link){plan->graph->nodes[i].key, carried[plan->source[i]]};
        }
    }
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

static bool make_plan(struct plan *plan)
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
    if (!link_variables(plan) || !insert_skips(plan) || !assign_cells(plan)) {
        return false;
    }
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

/* False without memory. */
static bool prepare(struct pfpu_lanes *lanes, struct base_arena *arena, struct base_arena *scratch)
{
    struct pfpu_lanes_graph graph;
    struct pfpu_lanes_order order;
    const struct pfpu_lanes_ports *ports = &lanes->ports;
    int most = -1;
    for (size_t i = 0; i < ports->input_count; i++) {
        most = ports->inputs[i].variable > most ? ports->inputs[i].variable : most;
    }
    for (size_t i = 0; i < ports->output_count; i++) {
        most = ports->outputs[i] > most ? ports->outputs[i] : most;
    }
    const enum pfpu_lanes_built built =
        pfpu_lanes_build(&graph, &lanes->program->ir, pfpu_key_of_variable(most) + 1, scratch);
    if (built != PFPU_LANES_BUILT) {
        lanes->facts.one_by_one = true;
        return built == PFPU_LANES_UNFIT;
    }
    for (size_t i = 0; i < ports->output_count; i++) {
        const int32_t key = pfpu_key_of_variable(ports->outputs[i]);
        (void)pfpu_lanes_entry(&graph, key);
    }
    if (graph.failed || !pfpu_lanes_sort(&order, &graph, ports)) {
        lanes->facts.one_by_one = true;
        return !scratch->failed;
    }
    struct plan plan = {.graph = &graph,
                        .order = &order,
                        .ports = ports,
                        .lanes = lanes,
                        .arena = arena,
                        .scratch = scratch};
    if (!make_plan(&plan)) {
        return false;
    }
    lanes->facts.one_by_one = !(lanes->facts.serial + 3 * plan.serial_in_arms <=
                                2 * (lanes->facts.lanes + lanes->facts.uniform));
    lanes->work_size = lanes->facts.one_by_one ? 0 : lanes->work_size;
    return true;
}

const struct pfpu_lanes *pfpu_lanes_create(const struct pfpu_program *program,
                                           const struct pfpu_lanes_ports *ports,
                                           struct base_arena *arena)
{
    struct pfpu_lanes *lanes = base_arena_alloc(arena, sizeof *lanes);
    struct pfpu_lanes_input *inputs = base_arena_array(arena, ports->input_count, sizeof *inputs);
    int *outputs = base_arena_array(arena, ports->output_count, sizeof *outputs);
    if (lanes == NULL || inputs == NULL || outputs == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < ports->input_count; i++) {
        inputs[i] = ports->inputs[i];
    }
    for (size_t i = 0; i < ports->output_count; i++) {
        outputs[i] = ports->outputs[i];
    }
    lanes->ports =
        (struct pfpu_lanes_ports){inputs, ports->input_count, outputs, ports->output_count};
    lanes->program = program;
    struct base_arena scratch;
    base_arena_init(&scratch, 0);
    const bool good = prepare(lanes, arena, &scratch);
    base_arena_free(&scratch);
    return good ? lanes : NULL;
}

struct span {
    int32_t first; /* step */
    int32_t last;
    int32_t steps;
    int32_t cost;
    bool bound; /* has steps that may not be left out */
};

struct skipper {
    struct plan *plan;
    struct span *spans;  /* by arm: the steps in it and the arms inside it */
    int32_t *defined_at; /* by node: step */
    int32_t *starting;   /* by step: the first arm to be skipped from there, 0: none */
    int32_t *next;       /* by arm: another one from the same step, inside it; 0: none */
    int32_t *moved;      /* by step: its new index, or that of the skips before it */
};

static void note_step(struct skipper *skipper, int32_t i)
{
    const struct plan *plan = skipper->plan;
    const struct pfpu_lanes_step *step = &plan->steps[i];
    if (step->dst != PFPU_LANES_NOWHERE) {
        skipper->defined_at[step->dst] = i;
    }
    for (int32_t arm = plan->arm[i]; arm != PFPU_LANES_ROOT; arm = plan->graph->arms[arm].parent) {
        struct span *span = &skipper->spans[arm];
        span->first = span->steps == 0 ? i : span->first;
        span->last = i;
        span->steps++;
        span->cost += step->kind == PFPU_LANES_DELAY ? 1 : pfpu_ops[step->code / 2].cost;
        span->bound = span->bound || step->kind == PFPU_LANES_DELAY ||
                      step->keep != PFPU_LANES_NOWHERE || step->carry != PFPU_LANES_NOWHERE;
    }
}

/* The steps stand together, are worth it, and the guard is known before. */
static bool may_skip(const struct skipper *skipper, size_t arm)
{
    const struct plan *plan = skipper->plan;
    const struct span *span = &skipper->spans[arm];
    const int32_t guard = plan->graph->arms[arm].guard;
    return span->steps > 0 && !span->bound && span->cost >= PFPU_LANES_TEST_LEAST &&
           span->last - span->first + 1 == span->steps && plan->order->tested[arm] &&
           (plan->order->uniform[guard] || skipper->defined_at[plan->source[guard]] < span->first);
}

static void put_skips(struct skipper *skipper, const struct pfpu_lanes_step *steps, size_t count)
{
    const struct pfpu_lanes_place nowhere = {PFPU_LANES_NOWHERE, 0};
    struct plan *plan = skipper->plan;
    plan->count = 0;
    for (size_t i = 0; i < count; i++) {
        skipper->moved[i] = (int32_t)plan->count;
        for (int32_t arm = skipper->starting[i]; arm != 0; arm = skipper->next[arm]) {
            const struct pfpu_lanes_place guard = {plan->graph->arms[arm].guard, 0};
            plan->steps[plan->count++] =
                (struct pfpu_lanes_step){.kind = PFPU_LANES_SKIP,
                                         .dst = PFPU_LANES_NOWHERE,
                                         .number = skipper->spans[arm].last + 1,
                                         .keep = PFPU_LANES_NOWHERE,
                                         .operands = {guard, nowhere, nowhere},
                                         .guard = nowhere};
        }
        plan->steps[plan->count++] = steps[i];
    }
    skipper->moved[count] = (int32_t)plan->count;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->steps[i].kind == PFPU_LANES_SKIP) {
            plan->steps[i].number = skipper->moved[plan->steps[i].number] - (int32_t)i - 1;
        }
    }
}

static bool insert_skips(struct plan *plan)
{
    const size_t arms = plan->graph->arm_count;
    const size_t count = plan->count;
    struct skipper skipper = {.plan = plan};
    skipper.spans = base_arena_array(plan->scratch, arms, sizeof *skipper.spans);
    skipper.defined_at =
        base_arena_array(plan->scratch, plan->graph->count, sizeof *skipper.defined_at);
    skipper.starting = base_arena_array(plan->scratch, count, sizeof *skipper.starting);
    skipper.next = base_arena_array(plan->scratch, arms, sizeof *skipper.next);
    skipper.moved = base_arena_array(plan->scratch, count + 1, sizeof *skipper.moved);
    struct pfpu_lanes_step *steps = base_arena_array(plan->scratch, count, sizeof *steps);
    if (plan->scratch->failed) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        note_step(&skipper, (int32_t)i);
        steps[i] = plan->steps[i];
    }
    /* From the inner arms to the outer, so that these come first in the lists. */
    for (size_t arm = arms; arm-- > 1;) {
        if (may_skip(&skipper, arm)) {
            const int32_t first = skipper.spans[arm].first;
            skipper.next[arm] = skipper.starting[first];
            skipper.starting[first] = (int32_t)arm;
        }
    }
    put_skips(&skipper, steps, count);
    return true;
}

enum { UNUSED = -1, RELEASED = -2 };

/* Room for the number before the first one keeps cells aligned. */
enum { CELL_LEAD = 8, CELL_SIZE = CELL_LEAD + PFPU_LANES };

struct assigner {
    struct plan *plan;
    int32_t *last_use; /* by node: step */
    int32_t *free_cells;
    size_t free_count;
    int32_t cell_count;
    int32_t base; /* of the cells in scratch memory */
};

static bool is_group(const struct pfpu_lanes_step *step)
{
    return step->kind == PFPU_LANES_SERIAL || step->kind == PFPU_LANES_SETTLING;
}

static void note_use(struct assigner *assigner, struct pfpu_lanes_place place, int32_t when)
{
    if (place.at != PFPU_LANES_NOWHERE) {
        assigner->last_use[assigner->plan->source[place.at]] = when;
    }
}

static void take(struct assigner *assigner, int32_t node)
{
    const int32_t cell = assigner->free_count > 0 ? assigner->free_cells[--assigner->free_count]
                                                  : assigner->cell_count++;
    assigner->plan->place[node] = assigner->base + cell * CELL_SIZE + CELL_LEAD;
}

static void release(struct assigner *assigner, int32_t node)
{
    const int32_t at = assigner->plan->place[node] - assigner->base;
    assigner->free_cells[assigner->free_count++] = at / CELL_SIZE;
    assigner->last_use[node] = RELEASED;
}

static void release_if_done(struct assigner *assigner, struct pfpu_lanes_place place, int32_t now)
{
    if (place.at != PFPU_LANES_NOWHERE && !assigner->plan->order->uniform[place.at] &&
        assigner->last_use[assigner->plan->source[place.at]] == now) {
        release(assigner, assigner->plan->source[place.at]);
    }
}

static void release_operands(struct assigner *assigner, const struct pfpu_lanes_step *step,
                             int32_t now)
{
    for (int k = 0; k < 3; k++) {
        release_if_done(assigner, step->operands[k], now);
    }
    release_if_done(assigner, step->guard, now);
}

static void release_if_unused(struct assigner *assigner, int32_t node)
{
    if (assigner->last_use[node] == UNUSED) {
        release(assigner, node);
    }
}

/* A result may take the place of an operand if the operation goes lane by lane. */
static void assign_step(struct assigner *assigner, size_t i)
{
    const struct pfpu_lanes_step *step = &assigner->plan->steps[i];
    bool shifted = false; /* reads a cell one item earlier */
    for (int k = 0; k < 3; k++) {
        const int32_t node = step->operands[k].at;
        shifted = shifted || (node != PFPU_LANES_NOWHERE && assigner->plan->source[node] != node);
    }
    if (!shifted) {
        release_operands(assigner, step, (int32_t)i);
    }
    if (step->dst != PFPU_LANES_NOWHERE) {
        take(assigner, step->dst);
    }
    if (shifted) {
        release_operands(assigner, step, (int32_t)i);
    }
    if (step->dst != PFPU_LANES_NOWHERE) {
        release_if_unused(assigner, step->dst);
    }
}

static void assign_group(struct assigner *assigner, size_t head)
{
    const struct pfpu_lanes_step *steps = assigner->plan->steps;
    const size_t end = head + (size_t)steps[head].number;
    for (size_t i = head + 1; i <= end; i++) {
        take(assigner, steps[i].dst);
    }
    for (size_t i = head + 1; i <= end; i++) {
        release_operands(assigner, &steps[i], (int32_t)end);
        release_if_unused(assigner, steps[i].dst);
    }
}

static void resolve(const struct plan *plan, struct pfpu_lanes_place *place)
{
    const int32_t node = place->at;
    if (node != PFPU_LANES_NOWHERE) {
        place->step = plan->order->uniform[node] ? 0 : 1;
        place->at = plan->place[plan->source[node]] - (plan->source[node] != node ? 1 : 0);
    }
}

static bool assign_cells(struct plan *plan)
{
    const size_t count = plan->graph->count;
    struct assigner assigner = {.plan = plan};
    assigner.last_use = base_arena_array(plan->scratch, count, sizeof *assigner.last_use);
    assigner.free_cells = base_arena_array(plan->scratch, count, sizeof *assigner.free_cells);
    if (plan->scratch->failed) {
        return false;
    }
    assigner.base = (plan->end + CELL_LEAD - 1) / CELL_LEAD * CELL_LEAD;
    for (size_t i = 0; i < count; i++) {
        assigner.last_use[i] = UNUSED;
    }
    /* Values used in a group are used until its end. */
    size_t group_end = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (is_group(&plan->steps[i])) {
            group_end = i + (size_t)plan->steps[i].number;
        }
        const struct pfpu_lanes_step *step = &plan->steps[i];
        const int32_t when = (int32_t)(i < group_end ? group_end : i);
        for (int k = 0; k < 3; k++) {
            note_use(&assigner, step->operands[k], when);
        }
        note_use(&assigner, step->guard, when);
    }
    for (size_t i = 0; i < plan->count; i++) {
        if (is_group(&plan->steps[i])) {
            assign_group(&assigner, i);
            i += (size_t)plan->steps[i].number;
        } else {
            assign_step(&assigner, i);
        }
    }
    for (size_t i = 0; i < plan->count; i++) {
        /* Kernels load all operands, so that those they do not use point to one that they do. */
        struct pfpu_lanes_step *step = &plan->steps[i];
        for (int k = 0; k < 3; k++) {
            resolve(plan, &step->operands[k]);
            if (step->operands[k].at == PFPU_LANES_NOWHERE) {
                step->operands[k] = k > 0 ? step->operands[0] : (struct pfpu_lanes_place){0, 0};
            }
        }
        resolve(plan, &step->guard);
        step->dst = step->dst == PFPU_LANES_NOWHERE ? 0 : plan->place[step->dst];
    }
    plan->end = assigner.base + assigner.cell_count * CELL_SIZE;
    return true;
}
