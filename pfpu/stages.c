#include "pfpu/stages.h"

#include "pfpu/microcode.h"

enum {
    NEVER = -1, /* the stage that loads the registers: before all others */
    VERSIONS = PFPU_STAGES_MAX + 1,
    ARGUMENTS = 3,
};

struct cutting {
    const struct pfpu_cutter *cutter;
    const struct pfpu_cut_places *places;
    struct base_arena *scratch;
    uint8_t *stage; /* by value of the program that is cut */
    bool *steady;
    uint8_t *group_stage;
    bool *group_moves; /* not all members depend on the row only */
    int8_t *last;      /* by value: the last stage that needs a copy, or NEVER */
    int32_t *version;  /* by value and stage: in the program made */
    struct pfpu_cut *cut;
};

static const struct pfpu_instruction *at(const struct cutting *cutting, int32_t i)
{
    return &cutting->cutter->ir->instructions[i];
}

static bool is_bound(const struct cutting *cutting, int32_t i)
{
    return cutting->cutter->target->ops[at(cutting, i)->op].bound;
}

static bool is_column(const struct pfpu_instruction *instruction)
{
    return instruction->op == PFPU_OP_GET && instruction->key == PFPU_KEY_COLUMN;
}

static void find_row_only(struct pfpu_cutter *cutter)
{
    for (size_t i = 0; i < cutter->ir->count; i++) {
        const struct pfpu_instruction *instruction = &cutter->ir->instructions[i];
        bool row_only = !is_column(instruction);
        for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
            row_only = row_only && cutter->row_only[instruction->arguments[k]];
        }
        cutter->row_only[i] = row_only;
    }
}

bool pfpu_cutter_init(struct pfpu_cutter *cutter, const struct pfpu_target *target,
                      const struct pfpu_ir *ir, struct base_arena *scratch)
{
    struct pfpu_graph_maker maker;
    struct pfpu_graph reversed;
    *cutter = (struct pfpu_cutter){.target = target, .ir = ir};
    cutter->ready = base_arena_array(scratch, ir->count, sizeof *cutter->ready);
    cutter->start = base_arena_array(scratch, ir->count, sizeof *cutter->start);
    cutter->row_only = base_arena_array(scratch, ir->count, sizeof *cutter->row_only);
    cutter->uses = pfpu_ir_count_uses(ir, scratch);
    if (scratch->failed || !pfpu_graph_maker_init(&maker, target, ir, NULL, scratch) ||
        !pfpu_graph_of_block(&maker, &ir->blocks[0], &cutter->graph) ||
        !pfpu_graph_reverse(&cutter->graph, scratch, &reversed) ||
        !pfpu_graph_heights(&cutter->graph, scratch, cutter->start) ||
        !pfpu_graph_heights(&reversed, scratch, cutter->ready)) {
        return false;
    }
    cutter->critical_path = pfpu_graph_critical_path(&cutter->graph, cutter->start);
    for (int32_t n = 0; n < cutter->graph.count; n++) {
        const int32_t latest = (int32_t)cutter->critical_path - cutter->start[n];
        cutter->start[n] = latest + cutter->ready[n] - cutter->graph.nodes[n].latency;
        cutter->slots += cutter->graph.nodes[n].issues ? 1 : 0;
    }
    cutter->vectout = cutter->graph.vectout;
    find_row_only(cutter);
    return true;
}

static bool allocate(struct cutting *cutting)
{
    const size_t count = cutting->cutter->ir->count;
    const size_t groups = (size_t)cutting->cutter->graph.group_count;
    struct base_arena *scratch = cutting->scratch;
    cutting->stage = base_arena_array(scratch, count, sizeof *cutting->stage);
    cutting->steady = base_arena_array(scratch, count, sizeof *cutting->steady);
    cutting->group_stage = base_arena_array(scratch, groups, sizeof *cutting->group_stage);
    cutting->group_moves = base_arena_array(scratch, groups, sizeof *cutting->group_moves);
    cutting->last = base_arena_array(scratch, count, sizeof *cutting->last);
    cutting->version = base_arena_array(scratch, count * VERSIONS, sizeof *cutting->version);
    return !scratch->failed;
}

/* What reads the column and nothing else that is computed stays with it. */
static bool belongs_to_column(const struct cutting *cutting, int32_t i)
{
    bool reads = false;
    for (int k = 0; k < pfpu_ops[at(cutting, i)->op].arity; k++) {
        const int32_t value = at(cutting, i)->arguments[k];
        reads = reads || is_column(at(cutting, value));
        if (!is_bound(cutting, value)) {
            return false;
        }
    }
    return reads;
}

/* The VECTOUT waits for everything to be committed, so it cannot come before its operands are made
 * anew: they belong to its stage, or have copies there. */
static bool is_only_written(const struct cutting *cutting, int32_t i)
{
    const int32_t *written = at(cutting, cutting->cutter->vectout)->arguments;
    const uint32_t uses = (i == written[0] ? 1u : 0u) + (i == written[1] ? 1u : 0u);
    return uses > 0 && cutting->cutter->uses[i] == uses;
}

static uint8_t stage_by_limits(const struct cutting *cutting, int32_t i)
{
    const struct pfpu_cut_places *places = cutting->places;
    uint8_t stage = 0;
    if (i == cutting->cutter->vectout || is_only_written(cutting, i)) {
        return (uint8_t)(places->stages - 1);
    }
    while (stage + 1u < places->stages && cutting->cutter->start[i] >= places->limits[stage]) {
        stage++;
    }
    return belongs_to_column(cutting, i) ? 0 : stage;
}

/* Raises the stage to that of the operands; true if anything changed. */
static bool follow_operands(struct cutting *cutting, int32_t i)
{
    bool steady = cutting->steady[i];
    uint8_t stage = cutting->stage[i];
    for (int k = 0; k < pfpu_ops[at(cutting, i)->op].arity; k++) {
        const int32_t value = at(cutting, i)->arguments[k];
        if (is_bound(cutting, value) || cutting->steady[value]) {
            continue;
        }
        steady = false;
        stage = cutting->stage[value] > stage ? cutting->stage[value] : stage;
    }
    const bool changed = steady != cutting->steady[i] || stage != cutting->stage[i];
    cutting->steady[i] = steady;
    cutting->stage[i] = stage;
    return changed;
}

static bool follow_group(struct cutting *cutting, int32_t i)
{
    const int32_t group = cutting->cutter->graph.nodes[i].group;
    if (group == PFPU_NO_GROUP) {
        return false;
    }
    uint8_t *stage = &cutting->group_stage[group];
    bool *moves = &cutting->group_moves[group];
    const bool changed = *stage != cutting->stage[i] || *moves == cutting->steady[i];
    *stage = cutting->stage[i] > *stage ? cutting->stage[i] : *stage;
    *moves = *moves || !cutting->steady[i];
    cutting->stage[i] = *stage;
    cutting->steady[i] = !*moves;
    return changed;
}

/* The chain that leads to it must not make the run longer than it is anyway. */
static bool can_be_steady(const struct cutting *cutting, int32_t i)
{
    const struct pfpu_cutter *cutter = cutting->cutter;
    const uint32_t share = cutter->critical_path / cutting->places->stages;
    const uint32_t run = share > cutter->slots ? share : cutter->slots;
    return cutter->row_only[i] && !is_bound(cutting, i) && i != cutter->vectout &&
           cutter->ready[i] <= (int32_t)run;
}

static void assign_stages(struct cutting *cutting)
{
    const int32_t count = (int32_t)cutting->cutter->ir->count;
    for (int32_t i = 0; i < count; i++) {
        cutting->steady[i] = can_be_steady(cutting, i);
        cutting->stage[i] =
            is_bound(cutting, i) || cutting->steady[i] ? 0 : stage_by_limits(cutting, i);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < count; i++) {
            if (!is_bound(cutting, i)) {
                changed |= follow_operands(cutting, i);
                changed |= follow_group(cutting, i);
            }
        }
    }
}

/* The stage whose version of an operand an instruction reads. The column is a value of stage NEVER.
 */
static int read_stage(const struct cutting *cutting, int32_t user, int k)
{
    const bool *own = cutting->places->own;
    const int32_t value = at(cutting, user)->arguments[k];
    const int made = is_column(at(cutting, value)) ? NEVER : cutting->stage[value];
    const int used = cutting->stage[user];
    if (is_bound(cutting, value) ? made != NEVER : cutting->steady[value]) {
        return made;
    }
    if (user == cutting->cutter->vectout || (own != NULL && own[user * ARGUMENTS + k])) {
        return used;
    }
    return used > made ? used - 1 : made;
}

static size_t find_copies(struct cutting *cutting)
{
    size_t copies = 0;
    const int32_t count = (int32_t)cutting->cutter->ir->count;
    for (int32_t i = 0; i < count; i++) {
        cutting->last[i] = is_column(at(cutting, i)) ? NEVER : (int8_t)cutting->stage[i];
    }
    for (int32_t i = 0; i < count; i++) {
        for (int k = 0; k < pfpu_ops[at(cutting, i)->op].arity; k++) {
            const int32_t value = at(cutting, i)->arguments[k];
            const int stage = read_stage(cutting, i, k);
            if (stage > cutting->last[value]) {
                copies += (size_t)(stage - cutting->last[value]);
                cutting->last[value] = (int8_t)stage;
            }
        }
    }
    return copies;
}

static bool prepare_cut(const struct cutting *cutting, size_t copies)
{
    const struct pfpu_ir *ir = cutting->cutter->ir;
    struct pfpu_cut *cut = cutting->cut;
    const size_t count = ir->count + copies;
    pfpu_ir_init(&cut->ir, cutting->scratch);
    cut->ir.slot_count = ir->slot_count;
    cut->ir.key_end = ir->key_end;
    cut->ir.capacity = count;
    cut->ir.instructions = base_arena_array(cutting->scratch, count, sizeof *cut->ir.instructions);
    cut->stages.stage = base_arena_array(cutting->scratch, count, sizeof *cut->stages.stage);
    cut->stages.steady = base_arena_array(cutting->scratch, count, sizeof *cut->stages.steady);
    cut->origin = base_arena_array(cutting->scratch, count, sizeof *cut->origin);
    return !cutting->scratch->failed && pfpu_ir_open_block(&cut->ir) != PFPU_NO_VALUE;
}

static int32_t append(const struct cutting *cutting, struct pfpu_instruction instruction, int stage,
                      bool steady, int32_t origin)
{
    const int32_t value = pfpu_ir_append(&cutting->cut->ir, instruction);
    if (value != PFPU_NO_VALUE) {
        cutting->cut->stages.stage[value] = (uint8_t)(stage < 0 ? 0 : stage);
        cutting->cut->stages.steady[value] = steady;
        cutting->cut->origin[value] = origin;
    }
    return value;
}

static bool append_with_copies(const struct cutting *cutting, int32_t i)
{
    struct pfpu_instruction instruction = *at(cutting, i);
    int stage = is_column(&instruction) ? NEVER : cutting->stage[i];
    int32_t *versions = &cutting->version[i * VERSIONS + 1];
    for (int k = 0; k < pfpu_ops[instruction.op].arity; k++) {
        const int32_t value = instruction.arguments[k];
        instruction.arguments[k] =
            cutting->version[value * VERSIONS + 1 + read_stage(cutting, i, k)];
    }
    versions[stage] = append(cutting, instruction, stage, cutting->steady[i], i);
    while (versions[stage] != PFPU_NO_VALUE && stage < cutting->last[i]) {
        const struct pfpu_instruction copy = {.op = PFPU_OP_WORD_COPY,
                                              .arguments = {versions[stage], 0, 0},
                                              .offset = instruction.offset};
        stage++;
        versions[stage] = append(cutting, copy, stage, false, PFPU_NO_VALUE);
    }
    return versions[stage] != PFPU_NO_VALUE;
}

bool pfpu_cut_at(const struct pfpu_cutter *cutter, const struct pfpu_cut_places *places,
                 struct base_arena *scratch, struct pfpu_cut *cut)
{
    struct cutting cutting = {.cutter = cutter, .places = places, .scratch = scratch, .cut = cut};
    if (!allocate(&cutting)) {
        return false;
    }
    assign_stages(&cutting);
    if (!prepare_cut(&cutting, find_copies(&cutting))) {
        return false;
    }
    for (int32_t i = 0; (size_t)i < cutter->ir->count; i++) {
        if (!append_with_copies(&cutting, i)) {
            return false;
        }
    }
    return true;
}

int32_t pfpu_cut_inner_path(const struct pfpu_graph *graph, int32_t *heights)
{
    int32_t longest = 0;
    for (int32_t n = graph->count - 1; n >= 0; n--) {
        heights[n] = 0;
        for (uint32_t e = graph->first_edge[n]; e < graph->first_edge[n + 1]; e++) {
            const struct pfpu_graph_edge edge = graph->edges[e];
            const int32_t way = edge.distance > 0 ? edge.distance + heights[edge.to] : 0;
            heights[n] = way > heights[n] ? way : heights[n];
        }
        longest = heights[n] > longest ? heights[n] : longest;
    }
    return longest;
}

/* Flags the operands through which the user must come before the value is made again. */
static bool flag_operands(const struct pfpu_cut *cut, int32_t user, int32_t value, bool *own)
{
    bool flagged = false;
    const int32_t origin = cut->origin[user];
    const struct pfpu_instruction *instruction = &cut->ir.instructions[user];
    for (int k = 0; origin != PFPU_NO_VALUE && k < pfpu_ops[instruction->op].arity; k++) {
        if (instruction->arguments[k] == value && !own[origin * ARGUMENTS + k]) {
            own[origin * ARGUMENTS + k] = true;
            flagged = true;
        }
    }
    return flagged;
}

bool pfpu_cut_relieve(const struct pfpu_cut *cut, const struct pfpu_graph *graph,
                      const int32_t *heights, bool *own)
{
    int32_t node = 0;
    for (int32_t n = 1; n < graph->count; n++) {
        node = heights[n] > heights[node] ? n : node;
    }
    while (node != graph->vectout) {
        uint32_t e = graph->first_edge[node];
        while (graph->edges[e].distance + heights[graph->edges[e].to] != heights[node]) {
            e++;
        }
        const int32_t next = graph->edges[e].to;
        if (cut->stages.stage[next] < cut->stages.stage[node] &&
            flag_operands(cut, node, next, own)) {
            return true;
        }
        node = next;
    }
    return false;
}
