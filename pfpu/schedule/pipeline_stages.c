#include "pfpu/schedule/pipeline_stages.h"

#include <string.h>

enum {
    BEFORE_ALL = -1, /* the stage that loads the registers: before all others */
    COLUMN = 0,      /* operation */
    READY = -1,      /* operand that stands ready from the start */
    VERSIONS = PFPU_STAGES_MAX,
    WAY_END = -1, /* of a way */
};

/* Where the limits do not count. */
enum fixed { FIXED_NOT, FIXED_FIRST, FIXED_LAST };

struct pfpu_cut_operation {
    int32_t operands[PFPU_CUT_OPERANDS];  /* operations, or READY */
    int32_t distances[PFPU_CUT_OPERANDS]; /* from their commit to this */
    int32_t latency;
    int32_t end; /* cycles from the issue to the VECTOUT at least */
    int32_t group;
    int32_t ready; /* cycles from the start to the commit at least */
    enum fixed fixed;
    bool row_only; /* does not depend on the column */
};

/* The result of an operation, or a copy of it, as made in one of the stages. */
struct pfpu_cut_version {
    int32_t inner;  /* longest way within the stage */
    int32_t way;    /* longest way, through all stages */
    int32_t next;   /* version on it, or WAY_END */
    int8_t through; /* operand of this operation that is made anew after it, or
                       READY */
};

/* The stage in which an operation or the column is made. */
static inline int made_in(const struct pfpu_cutter *cutter, int32_t i)
{
    return i == COLUMN ? BEFORE_ALL : cutter->stage[i];
}

/* The stage whose version of an operand is read. */
static inline int read_in(const struct pfpu_cutter *cutter, const struct pfpu_cut_places *places,
                          int32_t user, int k)
{
    const int32_t value = cutter->operations[user].operands[k];
    const int made = made_in(cutter, value);
    const int used = cutter->stage[user];
    if (value != COLUMN && cutter->steady[value]) {
        return made;
    }
    if (cutter->operations[user].end == 0 ||
        (places->own != NULL && places->own[user * PFPU_CUT_OPERANDS + k])) {
        return used;
    }
    return used > made ? used - 1 : made;
}

/* Gives each operation its stage. */
static void assign_stages(const struct pfpu_cutter *cutter, const struct pfpu_cut_places *places);

/* Finds the last stage in which each result is needed; returns how many copies that makes. */
static int32_t count_copies(const struct pfpu_cutter *cutter, const struct pfpu_cut_places *places);

/* A program as it is made. */
struct cutting {
    const struct pfpu_cutter *cutter;
    const struct pfpu_cut_places *places;
    int32_t *made;  /* by value and stage, from BEFORE_ALL on: in the program made */
    int32_t column; /* the value that reads it first */
    struct pfpu_cut *cut;
};

static int32_t append(const struct cutting *cutting, struct pfpu_instruction instruction, int stage,
                      bool steady)
{
    const int32_t value = pfpu_ir_append(&cutting->cut->ir, instruction);
    if (value != PFPU_NO_VALUE) {
        cutting->cut->stages.stage[value] = (uint8_t)(stage < 0 ? 0 : stage);
        cutting->cut->stages.steady[value] = steady;
    }
    return value;
}

static bool append_with_copies(struct cutting *cutting, int32_t i)
{
    const struct pfpu_cutter *cutter = cutting->cutter;
    const int32_t operation = cutter->operation_of[i];
    const bool computed = operation > COLUMN;
    struct pfpu_instruction instruction = cutter->ir->instructions[i];
    int32_t *made = &cutting->made[i * (VERSIONS + 1) + 1];
    if (operation == COLUMN && cutting->column != PFPU_NO_VALUE) {
        memcpy(made - 1, &cutting->made[cutting->column * (VERSIONS + 1)],
               (VERSIONS + 1) * sizeof *made);
        return true;
    }
    cutting->column = operation == COLUMN ? i : cutting->column;
    for (int k = 0; k < pfpu_ops[instruction.op].arity; k++) {
        const int from = cutter->operations[operation].operands[k] == READY
                             ? BEFORE_ALL
                             : read_in(cutter, cutting->places, operation, k);
        instruction.arguments[k] =
            cutting->made[instruction.arguments[k] * (VERSIONS + 1) + 1 + from];
    }
    int stage = computed ? cutter->stage[operation] : BEFORE_ALL;
    made[stage] = append(cutting, instruction, stage, computed && cutter->steady[operation]);
    while (made[stage] != PFPU_NO_VALUE && operation != READY && stage < cutter->last[operation]) {
        const struct pfpu_instruction copy = {.op = PFPU_OP_WORD_COPY,
                                              .arguments = {made[stage], 0, 0},
                                              .offset = instruction.offset};
        stage++;
        made[stage] = append(cutting, copy, stage, false);
    }
    return made[stage] != PFPU_NO_VALUE;
}

bool pfpu_cut_at(struct pfpu_cutter *cutter, const struct pfpu_cut_places *places,
                 struct base_arena *scratch, struct pfpu_cut *cut)
{
    struct cutting cutting = {
        .cutter = cutter, .places = places, .column = PFPU_NO_VALUE, .cut = cut};
    assign_stages(cutter, places);
    const struct pfpu_ir *ir = cutter->ir;
    const size_t count = ir->count + (size_t)count_copies(cutter, places);
    pfpu_ir_init(&cut->ir, scratch);
    cut->ir.slot_count = ir->slot_count;
    cut->ir.key_end = ir->key_end;
    cut->ir.capacity = count;
    cut->ir.instructions = base_arena_room(scratch, count, sizeof *cut->ir.instructions);
    cut->stages.stage = base_arena_array(scratch, count, sizeof *cut->stages.stage);
    cut->stages.steady = base_arena_array(scratch, count, sizeof *cut->stages.steady);
    cutting.made = base_arena_array(scratch, ir->count * (VERSIONS + 1), sizeof *cutting.made);
    if (scratch->failed || pfpu_ir_open_block(&cut->ir) == PFPU_NO_VALUE) {
        return false;
    }
    /* What stands ready first, then the column with its copies, then all else. */
    for (int turn = 0; turn < 3; turn++) {
        for (int32_t i = 0; (size_t)i < ir->count; i++) {
            const int32_t operation = cutter->operation_of[i];
            const int own = operation == READY ? 0 : operation == COLUMN ? 1 : 2;
            if (own == turn && !append_with_copies(&cutting, i)) {
                return false;
            }
        }
    }
    cut->scheduled = cut->ir.blocks[0];
    while (cut->scheduled.count > 0 &&
           cutter->target->ops[cut->ir.instructions[cut->scheduled.first].op].bound) {
        cut->scheduled.first++;
        cut->scheduled.count--;
    }
    return true;
}

/* What reads the column and nothing else that is computed stays with it. */
static bool belongs_to_column(const struct pfpu_cut_operation *operation)
{
    bool reads = false;
    for (int k = 0; k < PFPU_CUT_OPERANDS; k++) {
        reads = reads || operation->operands[k] == COLUMN;
        if (operation->operands[k] > COLUMN) {
            return false;
        }
    }
    return reads;
}

static void describe_operation(struct pfpu_cutter *cutter, const struct pfpu_instruction *made_by)
{
    const int32_t latency = cutter->target->ops[made_by->op].latency;
    const bool is_if = made_by->op == PFPU_OP_WORD_IF;
    struct pfpu_cut_operation *operation = &cutter->operations[cutter->count++];
    *operation = (struct pfpu_cut_operation){.operands = {READY, READY, READY},
                                             .latency = latency,
                                             .end = latency > 2 ? latency - 1 : 1,
                                             .group = PFPU_NO_GROUP,
                                             .row_only = true};
    for (int k = 0; k < pfpu_ops[made_by->op].arity; k++) {
        operation->distances[k] = is_if && k == 0 ? 0 : (int32_t)cutter->target->read_delay;
        const int32_t made = cutter->operation_of[made_by->arguments[k]];
        operation->operands[k] = made;
        if (made == READY) {
            continue;
        }
        const struct pfpu_cut_operation *maker = &cutter->operations[made];
        const int32_t ready = made == COLUMN ? 0 : maker->ready + operation->distances[k];
        operation->row_only = operation->row_only && maker->row_only;
        operation->ready = ready > operation->ready ? ready : operation->ready;
    }
    if (is_if && operation->operands[0] > COLUMN) {
        /* IFs and their conditions form groups. */
        struct pfpu_cut_operation *condition = &cutter->operations[operation->operands[0]];
        if (condition->group == PFPU_NO_GROUP) {
            condition->group = cutter->group_count++;
        }
        operation->group = condition->group;
    }
    operation->ready += latency;
    cutter->results += latency > 0 ? 1 : 0;
    cutter->latencies += latency;
    operation->fixed = belongs_to_column(operation) ? FIXED_FIRST : FIXED_NOT;
    if (made_by->op == PFPU_OP_WORD_VECTOUT) {
        operation->fixed = FIXED_LAST;
        operation->end = 0;
    }
}

bool pfpu_cutter_init(struct pfpu_cutter *cutter, const struct pfpu_target *target,
                      const struct pfpu_ir *ir, struct base_arena *scratch)
{
    size_t count = 1;
    for (size_t i = 0; i < ir->count; i++) {
        count += target->ops[ir->instructions[i].op].bound ? 0 : 1;
    }
    *cutter = (struct pfpu_cutter){.target = target, .ir = ir};
    cutter->operation_of = base_arena_array(scratch, ir->count, sizeof *cutter->operation_of);
    cutter->operations = base_arena_array(scratch, count, sizeof *cutter->operations);
    cutter->start = base_arena_array(scratch, count, sizeof *cutter->start);
    cutter->stage = base_arena_array(scratch, count, sizeof *cutter->stage);
    cutter->steady = base_arena_array(scratch, count, sizeof *cutter->steady);
    cutter->group_stage = base_arena_array(scratch, count, sizeof *cutter->group_stage);
    cutter->group_moves = base_arena_array(scratch, count, sizeof *cutter->group_moves);
    cutter->last = base_arena_array(scratch, count, sizeof *cutter->last);
    cutter->versions = base_arena_array(scratch, count * VERSIONS, sizeof *cutter->versions);
    if (scratch->failed) {
        return false;
    }
    cutter->operations[COLUMN] =
        (struct pfpu_cut_operation){.operands = {READY, READY, READY}, .group = PFPU_NO_GROUP};
    cutter->count = 1;
    for (size_t i = 0; i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        const bool column = instruction->op == PFPU_OP_GET && instruction->key == PFPU_KEY_COLUMN;
        cutter->operation_of[i] = column ? COLUMN : READY;
        if (!cutter->target->ops[instruction->op].bound) {
            cutter->operation_of[i] = cutter->count;
            describe_operation(cutter, instruction);
        }
    }
    cutter->slots = (uint32_t)cutter->count - 1;
    /* The VECTOUT waits for everything to be committed, so it cannot come before its operands are
     * made anew: they belong to its stage, or have copies there. */
    for (int32_t i = 1; i < cutter->count; i++) {
        const struct pfpu_cut_operation *operation = &cutter->operations[i];
        for (int k = 0; k < PFPU_CUT_OPERANDS; k++) {
            if (operation->operands[k] > COLUMN) {
                cutter->stage[operation->operands[k]] |= operation->fixed == FIXED_LAST ? 2 : 1;
            }
        }
    }
    for (int32_t i = 1; i < cutter->count; i++) {
        if (cutter->stage[i] == 2) {
            cutter->operations[i].fixed = FIXED_LAST;
        }
    }
    /* From the longest ways to the end to the sums of earliest and latest cycles. */
    int32_t *ways = cutter->start;
    int32_t longest = 0;
    for (int32_t i = cutter->count - 1; i > COLUMN; i--) {
        const struct pfpu_cut_operation *operation = &cutter->operations[i];
        ways[i] = operation->end > ways[i] ? operation->end : ways[i];
        longest = ways[i] > longest ? ways[i] : longest;
        for (int k = 0; k < PFPU_CUT_OPERANDS; k++) {
            const int32_t made = operation->operands[k];
            if (made > COLUMN) {
                const int32_t way =
                    ways[i] + cutter->operations[made].latency + operation->distances[k];
                ways[made] = way > ways[made] ? way : ways[made];
            }
        }
    }
    cutter->critical_path = (uint32_t)longest;
    for (int32_t i = 1; i < cutter->count; i++) {
        const struct pfpu_cut_operation *operation = &cutter->operations[i];
        cutter->start[i] = longest - ways[i] + operation->ready - operation->latency;
    }
    return true;
}

static uint8_t stage_by_limits(const struct pfpu_cutter *cutter,
                               const struct pfpu_cut_places *places, int32_t i)
{
    if (cutter->operations[i].fixed != FIXED_NOT) {
        return cutter->operations[i].fixed == FIXED_LAST ? (uint8_t)(places->stages - 1) : 0;
    }
    uint8_t stage = 0;
    while (stage + 1u < places->stages && cutter->start[i] >= places->limits[stage]) {
        stage++;
    }
    return stage;
}

/* Raises the stage to that of the operands; true if anything changed. */
static bool follow_operands(const struct pfpu_cutter *cutter, int32_t i)
{
    bool steady = cutter->steady[i];
    uint8_t stage = cutter->stage[i];
    for (int k = 0; k < PFPU_CUT_OPERANDS; k++) {
        const int32_t made = cutter->operations[i].operands[k];
        if (made > COLUMN && !cutter->steady[made]) {
            steady = false;
            stage = cutter->stage[made] > stage ? cutter->stage[made] : stage;
        }
    }
    const bool changed = steady != cutter->steady[i] || stage != cutter->stage[i];
    cutter->steady[i] = steady;
    cutter->stage[i] = stage;
    return changed;
}

static bool follow_group(const struct pfpu_cutter *cutter, int32_t i)
{
    const int32_t group = cutter->operations[i].group;
    if (group == PFPU_NO_GROUP) {
        return false;
    }
    uint8_t *stage = &cutter->group_stage[group];
    bool *moves = &cutter->group_moves[group];
    const bool changed = *stage != cutter->stage[i] || *moves == cutter->steady[i];
    *stage = cutter->stage[i] > *stage ? cutter->stage[i] : *stage;
    *moves = *moves || !cutter->steady[i];
    cutter->stage[i] = *stage;
    cutter->steady[i] = !*moves;
    return changed;
}

static void assign_stages(const struct pfpu_cutter *cutter, const struct pfpu_cut_places *places)
{
    const size_t groups = (size_t)cutter->group_count;
    memset(cutter->group_stage, 0, groups * sizeof *cutter->group_stage);
    memset(cutter->group_moves, 0, groups * sizeof *cutter->group_moves);
    for (int32_t i = 1; i < cutter->count; i++) {
        /* The chain that leads to it must not make the run longer than it is anyway. */
        const struct pfpu_cut_operation *operation = &cutter->operations[i];
        const uint32_t share = cutter->critical_path / places->stages;
        const uint32_t run = share > cutter->slots ? share : cutter->slots;
        cutter->steady[i] =
            operation->row_only && operation->latency > 0 && operation->ready <= (int32_t)run;
        cutter->stage[i] = cutter->steady[i] ? 0 : stage_by_limits(cutter, places, i);
        (void)follow_operands(cutter, i);
    }
    for (bool changed = groups > 0; changed;) {
        changed = false;
        for (int32_t i = 1; i < cutter->count; i++) {
            changed |= follow_operands(cutter, i);
            changed |= follow_group(cutter, i);
        }
    }
}

static int32_t count_copies(const struct pfpu_cutter *cutter, const struct pfpu_cut_places *places)
{
    int32_t copies = 0;
    for (int32_t i = 0; i < cutter->count; i++) {
        cutter->last[i] = (int8_t)made_in(cutter, i);
    }
    for (int32_t i = 1; i < cutter->count; i++) {
        for (int k = 0; k < PFPU_CUT_OPERANDS && cutter->stage[i] > 0; k++) {
            const int32_t value = cutter->operations[i].operands[k];
            const int stage = value == READY ? BEFORE_ALL : read_in(cutter, places, i, k);
            if (value != READY && stage > cutter->last[value]) {
                copies += stage - cutter->last[value];
                cutter->last[value] = (int8_t)stage;
            }
        }
    }
    return copies;
}

/* What a cut's ways are found with. */
struct sweep {
    struct pfpu_cutter *cutter;
    const struct pfpu_cut_places *places;
    int32_t copy_latency;
    int32_t inner;    /* the longest way within a stage so far */
    int32_t critical; /* version with the longest way so far */
    uint32_t paths;
};

static int32_t latency_of(const struct sweep *sweep, int32_t i, int stage)
{
    return stage > made_in(sweep->cutter, i) ? sweep->copy_latency
                                             : sweep->cutter->operations[i].latency;
}

/* A version of the stage before is made anew only after it has been read. */
static void come_before(const struct sweep *sweep, struct pfpu_cut_version *version, int32_t made,
                        int stage, int through)
{
    const int32_t from = made * VERSIONS + stage;
    const int32_t way = sweep->cutter->versions[from].way - latency_of(sweep, made, stage);
    if (way > version->way) {
        version->way = way;
        version->next = from;
        version->through = (int8_t)through;
    }
}

static void finish_version(struct sweep *sweep, int32_t index)
{
    const struct pfpu_cut_version *versions = sweep->cutter->versions;
    sweep->paths += (uint32_t)versions[index].way;
    if (versions[index].inner > sweep->inner) {
        sweep->inner = versions[index].inner;
    }
    if (sweep->critical == WAY_END || versions[index].way > versions[sweep->critical].way) {
        sweep->critical = index;
    }
}

static void start_version(struct pfpu_cut_version *version, int32_t end)
{
    if (version->way <= end) {
        version->way = end;
        version->next = WAY_END;
    }
    version->inner = version->inner < end ? end : version->inner;
}

static void visit_operation(struct sweep *sweep, int32_t i, int stage)
{
    const struct pfpu_cutter *cutter = sweep->cutter;
    const struct pfpu_cut_operation *operation = &cutter->operations[i];
    const int32_t index = i * VERSIONS + stage;
    int read[PFPU_CUT_OPERANDS];
    start_version(&cutter->versions[index], operation->end);
    for (int k = 0; k < PFPU_CUT_OPERANDS; k++) {
        const int32_t value = operation->operands[k];
        read[k] = value == READY ? BEFORE_ALL : read_in(cutter, sweep->places, i, k);
        if (read[k] != BEFORE_ALL && read[k] < stage &&
            (value == COLUMN || !cutter->steady[value])) {
            come_before(sweep, &cutter->versions[index], value, read[k], k);
        }
    }
    finish_version(sweep, index);
    for (int k = 0; k < PFPU_CUT_OPERANDS; k++) {
        if (read[k] == stage) {
            const int32_t made = operation->operands[k];
            const struct pfpu_cut_version *version = &sweep->cutter->versions[i * VERSIONS + stage];
            struct pfpu_cut_version *before = &sweep->cutter->versions[made * VERSIONS + stage];
            const int32_t length = latency_of(sweep, made, stage) + operation->distances[k];
            before->inner =
                version->inner + length > before->inner ? version->inner + length : before->inner;
            if (version->way + length > before->way) {
                before->way = version->way + length;
                before->next = i * VERSIONS + stage;
                before->through = READY;
            }
        }
    }
}

/* Stage by stage and backwards in each: what a version waits for has been
 * visited before. */
static void visit_versions(struct sweep *sweep)
{
    const struct pfpu_cutter *cutter = sweep->cutter;
    memset(cutter->versions, 0, (size_t)cutter->count * VERSIONS * sizeof *cutter->versions);
    for (int stage = 0; stage < (int)sweep->places->stages; stage++) {
        for (int32_t i = cutter->count - 1; i >= COLUMN; i--) {
            const int made = made_in(cutter, i);
            if (stage == made) {
                visit_operation(sweep, i, stage);
            } else if (stage > made && stage <= cutter->last[i]) {
                const int32_t index = i * VERSIONS + stage;
                struct pfpu_cut_version *version = &sweep->cutter->versions[index];
                start_version(version, sweep->copy_latency > 2 ? sweep->copy_latency - 1 : 1);
                if (stage > 0) {
                    come_before(sweep, version, i, stage - 1, READY);
                }
                finish_version(sweep, index);
            }
        }
    }
}

static struct pfpu_cut_outlook look_out(struct pfpu_cutter *cutter,
                                        const struct pfpu_cut_places *places, uint32_t most)
{
    struct sweep sweep = {.cutter = cutter,
                          .places = places,
                          .copy_latency = cutter->target->ops[PFPU_OP_WORD_COPY].latency,
                          .critical = WAY_END};
    const int32_t copies = count_copies(cutter, places);
    /* As pfpu_local_search_bound. */
    const int32_t count = cutter->results + copies;
    const int32_t latencies = cutter->latencies + copies * sweep.copy_latency;
    const uint32_t slots = count == 0 ? 0 : (uint32_t)(count + (latencies + count - 1) / count);
    if (slots > most) {
        return (struct pfpu_cut_outlook){.hope = UINT32_MAX, .bound = UINT32_MAX};
    }
    visit_versions(&sweep);
    const uint32_t inner = (uint32_t)sweep.inner + 2;
    const uint32_t way = (uint32_t)cutter->versions[sweep.critical].way + 2;
    return (struct pfpu_cut_outlook){.hope = inner > slots ? inner : slots,
                                     .bound = way > slots ? way : slots,
                                     .paths = sweep.paths,
                                     .critical = sweep.critical};
}

struct pfpu_cut_outlook pfpu_cut_judge(struct pfpu_cutter *cutter,
                                       const struct pfpu_cut_places *places, uint32_t most)
{
    assign_stages(cutter, places);
    return look_out(cutter, places, most);
}

struct pfpu_cut_outlook pfpu_cut_judge_again(struct pfpu_cutter *cutter,
                                             const struct pfpu_cut_places *places)
{
    return look_out(cutter, places, UINT32_MAX);
}

bool pfpu_cut_relieve(const struct pfpu_cutter *cutter, const struct pfpu_cut_outlook *outlook,
                      bool *own)
{
    const struct pfpu_cut_version *versions = cutter->versions;
    for (int32_t at = outlook->critical; versions[at].next != WAY_END; at = versions[at].next) {
        const int through = versions[at].through;
        if (through == READY) {
            continue;
        }
        const int32_t user = at / VERSIONS;
        for (int k = 0; k < PFPU_CUT_OPERANDS; k++) {
            if (cutter->operations[user].operands[k] ==
                cutter->operations[user].operands[through]) {
                own[user * PFPU_CUT_OPERANDS + k] = true;
            }
        }
        return true;
    }
    return false;
}
