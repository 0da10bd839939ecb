#include "pfpu/sched.h"

enum { NOT_ISSUED = UINT32_MAX };

struct scheduler {
    const struct pfpu_target *target;
    const struct pfpu_ir *ir;
    struct pfpu_schedule *schedule;
    int32_t *before; /* instruction that must issue first, or PFPU_NO_VALUE */
    int32_t *block_of;
    int32_t *last_get; /* by key index, while finding `before` */
    uint32_t *uses_left;
    uint8_t *commits; /* by cycle of the current block; only with commit ports */
    size_t commit_room;
    uint32_t alive;     /* values that occupy a register */
    uint32_t last_done; /* first cycle in which everything issued so far can be read */
    size_t placed;
};

static const struct pfpu_target_op *row_of(const struct scheduler *scheduler, int32_t i)
{
    return &scheduler->target->ops[scheduler->ir->instructions[i].op];
}

static uint32_t available(const struct scheduler *scheduler, int32_t value)
{
    const struct pfpu_target_op *row = row_of(scheduler, value);
    const uint32_t delay = row->bound ? 0 : scheduler->target->read_delay;
    return scheduler->schedule->cycle[value] + row->latency + delay;
}

static bool operands_ready(const struct scheduler *scheduler, int32_t i, uint32_t cycle)
{
    const struct pfpu_instruction *instruction = &scheduler->ir->instructions[i];
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        const int32_t value = instruction->arguments[k];
        if (scheduler->block_of[value] == scheduler->block_of[i] &&
            (scheduler->schedule->cycle[value] == NOT_ISSUED ||
             available(scheduler, value) > cycle)) {
            return false;
        }
    }
    return true;
}

static bool commit_slot_free(const struct scheduler *scheduler, int32_t i, uint32_t cycle)
{
    const uint32_t ports = scheduler->target->commit_ports;
    return ports == 0 || row_of(scheduler, i)->bound ||
           scheduler->commits[cycle + row_of(scheduler, i)->latency] < ports;
}

static bool register_free(const struct scheduler *scheduler, int32_t i)
{
    const uint32_t registers = scheduler->target->registers;
    if (registers == 0 || !pfpu_op_has_result(scheduler->ir->instructions[i].op)) {
        return true;
    }
    uint32_t freed = 0;
    const struct pfpu_instruction *instruction = &scheduler->ir->instructions[i];
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        freed += scheduler->uses_left[instruction->arguments[k]] == 1 ? 1 : 0;
    }
    return scheduler->alive < registers + freed;
}

static bool is_ready(const struct scheduler *scheduler, int32_t i, uint32_t cycle)
{
    const int32_t before = scheduler->before[i];
    return (before == PFPU_NO_VALUE || scheduler->schedule->cycle[before] != NOT_ISSUED) &&
           operands_ready(scheduler, i, cycle) && commit_slot_free(scheduler, i, cycle) &&
           register_free(scheduler, i);
}

static void issue(struct scheduler *scheduler, int32_t i, uint32_t cycle)
{
    const struct pfpu_instruction *instruction = &scheduler->ir->instructions[i];
    scheduler->schedule->cycle[i] = cycle;
    scheduler->schedule->order[scheduler->placed++] = i;
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        uint32_t *left = &scheduler->uses_left[instruction->arguments[k]];
        *left -= 1;
        scheduler->alive -= *left == 0 ? 1 : 0;
    }
    if (pfpu_op_has_result(instruction->op) && scheduler->uses_left[i] > 0) {
        scheduler->alive++;
    }
    if (scheduler->commits != NULL && !row_of(scheduler, i)->bound) {
        scheduler->commits[cycle + row_of(scheduler, i)->latency]++;
    }
    const uint32_t done = available(scheduler, i);
    scheduler->last_done = done > scheduler->last_done ? done : scheduler->last_done;
}

/* Issues what one cycle takes, from the first waiting instruction on. Returns how many were placed,
 * bound ones included. */
static size_t fill_cycle(struct scheduler *scheduler, int32_t waiting, int32_t end, uint32_t cycle)
{
    const size_t placed = scheduler->placed;
    uint32_t slots = scheduler->target->issue_width;
    for (int32_t i = waiting; i < end && slots > 0; i++) {
        if (scheduler->schedule->cycle[i] == NOT_ISSUED && is_ready(scheduler, i, cycle)) {
            issue(scheduler, i, cycle);
            slots -= row_of(scheduler, i)->bound ? 0 : 1;
        }
    }
    return scheduler->placed - placed;
}

static enum pfpu_fit schedule_block(struct scheduler *scheduler, size_t b)
{
    const struct pfpu_block *block = &scheduler->ir->blocks[b];
    const int32_t end = block->first + block->count;
    int32_t waiting = block->first;
    uint32_t cycle = 0;
    for (size_t i = 0; i < scheduler->commit_room; i++) {
        scheduler->commits[i] = 0;
    }
    scheduler->last_done = 0;
    while (waiting < end) {
        const size_t placed = fill_cycle(scheduler, waiting, end, cycle);
        if (placed == 0 && cycle > scheduler->last_done) {
            return PFPU_FIT_REGISTERS;
        }
        while (waiting < end && scheduler->schedule->cycle[waiting] != NOT_ISSUED) {
            waiting++;
        }
        cycle++;
    }
    scheduler->schedule->block_length[b] =
        scheduler->last_done > cycle ? scheduler->last_done : cycle;
    return PFPU_FITS;
}

/* Memory operations keep their order; a SET follows the last GET of its key. */
static void find_order(struct scheduler *scheduler, const struct pfpu_block *block)
{
    int32_t last_effect = PFPU_NO_VALUE;
    for (int32_t i = block->first; i < block->first + block->count; i++) {
        const struct pfpu_instruction *instruction = &scheduler->ir->instructions[i];
        const enum pfpu_op_kind kind = pfpu_ops[instruction->op].kind;
        scheduler->before[i] = PFPU_NO_VALUE;
        if (kind == PFPU_OP_KIND_READ || kind == PFPU_OP_KIND_EFFECT) {
            scheduler->before[i] = last_effect;
            last_effect = i;
        } else if (kind == PFPU_OP_KIND_GET || kind == PFPU_OP_KIND_SET) {
            int32_t *last =
                &scheduler->last_get[pfpu_ir_key_index(scheduler->ir, instruction->key)];
            scheduler->before[i] = *last >= block->first ? *last : PFPU_NO_VALUE;
            *last = i;
        }
    }
}

static bool prepare(struct scheduler *scheduler, struct base_arena *scratch)
{
    const struct pfpu_ir *ir = scheduler->ir;
    struct pfpu_schedule *schedule = scheduler->schedule;
    const size_t keys = pfpu_ir_key_count(ir);
    schedule->order = base_arena_array(scratch, ir->count, sizeof *schedule->order);
    schedule->cycle = base_arena_array(scratch, ir->count, sizeof *schedule->cycle);
    schedule->block_length =
        base_arena_array(scratch, ir->block_count, sizeof *schedule->block_length);
    scheduler->before = base_arena_array(scratch, ir->count, sizeof *scheduler->before);
    scheduler->block_of = pfpu_ir_blocks_of(ir, scratch);
    scheduler->last_get = base_arena_array(scratch, keys, sizeof *scheduler->last_get);
    scheduler->uses_left = pfpu_ir_count_uses(ir, scratch);
    if (scratch->failed) {
        return false;
    }
    for (size_t i = 0; i < keys; i++) {
        scheduler->last_get[i] = PFPU_NO_VALUE;
    }
    for (size_t i = 0; i < ir->count; i++) {
        schedule->cycle[i] = NOT_ISSUED;
    }
    for (size_t b = 0; b < ir->block_count; b++) {
        find_order(scheduler, &ir->blocks[b]);
    }
    return true;
}

static size_t longest_block(const struct pfpu_ir *ir)
{
    size_t longest = 0;
    for (size_t b = 0; b < ir->block_count; b++) {
        const size_t count = (size_t)ir->blocks[b].count;
        longest = count > longest ? count : longest;
    }
    return longest;
}

/* Every instruction waits at most for one that takes the largest latency and for the commit slots
 * of all others. */
static bool prepare_commits(struct scheduler *scheduler, struct base_arena *scratch)
{
    size_t wait = 2 + scheduler->target->read_delay;
    for (int op = 0; op < PFPU_OP_COUNT; op++) {
        const size_t latency = scheduler->target->ops[op].latency;
        wait = latency + 2 + scheduler->target->read_delay > wait
                   ? latency + 2 + scheduler->target->read_delay
                   : wait;
    }
    if (scheduler->target->commit_ports == 0) {
        return true;
    }
    scheduler->commit_room = (longest_block(scheduler->ir) + 2) * wait;
    scheduler->commits =
        base_arena_array(scratch, scheduler->commit_room, sizeof *scheduler->commits);
    return scheduler->commits != NULL;
}

static enum pfpu_fit check_target(const struct pfpu_target *target, const struct pfpu_ir *ir)
{
    if (ir->block_count > 1 && !target->branches) {
        return PFPU_FIT_BRANCHES;
    }
    for (size_t i = 0; i < ir->count; i++) {
        if (!target->ops[ir->instructions[i].op].legal) {
            return PFPU_FIT_ILLEGAL;
        }
    }
    return PFPU_FITS;
}

enum pfpu_fit pfpu_sched_greedy(const struct pfpu_target *target, struct pfpu_ir *ir,
                                struct base_arena *scratch, struct pfpu_schedule *schedule)
{
    struct scheduler scheduler = {.target = target, .ir = ir, .schedule = schedule};
    enum pfpu_fit fit = check_target(target, ir);
    if (fit != PFPU_FITS) {
        return fit;
    }
    if (!prepare(&scheduler, scratch) || !prepare_commits(&scheduler, scratch)) {
        return PFPU_FIT_NO_MEMORY;
    }
    uint64_t length = 0;
    for (size_t b = 0; b < ir->block_count; b++) {
        fit = schedule_block(&scheduler, b);
        if (fit != PFPU_FITS) {
            return fit;
        }
        length += schedule->block_length[b];
    }
    return target->program_size != 0 && length > target->program_size ? PFPU_FIT_LENGTH : PFPU_FITS;
}
