#include "pfpu/schedule/register_allocation.h"

#include <assert.h>

#include "pfpu/machine/machine.h"
#include "pfpu/schedule/schedule.h"

enum { WORD_BITS = 32, RANGES = 2 };

/* When a result is in its register: from the cycle after `commit` to `end`, which may lie in later
 * runs of the program. */
struct interval {
    int32_t value;
    uint32_t commit;
    uint32_t end;
    bool wraps; /* around the end of a run */
};

struct assigner {
    const struct pfpu_target *target;
    const struct pfpu_ir *ir;
    const struct pfpu_schedule *schedule;
    struct pfpu_registers *registers;
    struct interval *intervals;
    size_t interval_count;
    uint32_t *taken; /* by register and cycle; where no interval wraps, by register its last end */
    size_t row_size; /* words of one register */
    uint32_t period; /* cycles of a run */
    bool circular;
};

static bool pin_value(const struct pfpu_target *target, struct pfpu_registers *registers,
                      const struct pfpu_instruction *instruction, uint8_t *number)
{
    const uint32_t room = target->registers - target->first_register;
    struct pfpu_binding binding = {.key = instruction->key};
    if (instruction->op == PFPU_OP_NUMBER) {
        binding = (struct pfpu_binding){.constant = true,
                                        .word = pfpu_word_of_number(instruction->number)};
    } else if (instruction->op != PFPU_OP_GET) {
        return true;
    } else if (target->first_register > PFPU_KEY_ROW &&
               (instruction->key == PFPU_KEY_COLUMN || instruction->key == PFPU_KEY_ROW)) {
        *number = (uint8_t)instruction->key;
        return true;
    }
    /* Finds or makes the binding; false if no register is left. */
    const struct pfpu_binding *pinned = registers->pinned;
    uint32_t n = 0;
    while (n < registers->pinned_count &&
           (pinned[n].constant != binding.constant ||
            (binding.constant ? pinned[n].word != binding.word : pinned[n].key != binding.key))) {
        n++;
    }
    if (n >= room) {
        return false;
    }
    *number = (uint8_t)(target->first_register + n);
    if (n == registers->pinned_count) {
        binding.number = *number;
        registers->pinned[registers->pinned_count++] = binding;
    }
    return true;
}

enum pfpu_fit pfpu_registers_pin(const struct pfpu_target *target, const struct pfpu_ir *ir,
                                 struct base_arena *scratch, struct pfpu_registers *registers)
{
    assert(target->registers > target->first_register && target->registers <= UINT8_MAX + 1);
    *registers = (struct pfpu_registers){.pinned_count = 0};
    registers->of = base_arena_array(scratch, ir->count, sizeof *registers->of);
    registers->pinned = base_arena_array(scratch, target->registers, sizeof *registers->pinned);
    if (registers->of == NULL || registers->pinned == NULL) {
        return PFPU_FIT_NO_MEMORY;
    }
    for (size_t i = 0; i < ir->count; i++) {
        if (!pin_value(target, registers, &ir->instructions[i], &registers->of[i])) {
            return PFPU_FIT_REGISTERS;
        }
    }
    return PFPU_FITS;
}

static bool is_result(const struct assigner *assigner, int32_t value)
{
    const enum pfpu_op op = assigner->ir->instructions[value].op;
    return !assigner->target->ops[op].bound && pfpu_op_has_result(op);
}

static uint32_t stage_of(const struct assigner *assigner, int32_t value)
{
    return assigner->schedule->stage == NULL ? 0 : assigner->schedule->stage[value];
}

static int find_pinned_key(const struct assigner *assigner, int32_t key)
{
    const struct pfpu_registers *registers = assigner->registers;
    for (uint32_t n = 0; n < registers->pinned_count; n++) {
        if (!registers->pinned[n].constant && registers->pinned[n].key == key) {
            return registers->pinned[n].number;
        }
    }
    return -1;
}

static bool make_intervals(struct assigner *assigner, struct base_arena *scratch)
{
    const size_t count = assigner->ir->count;
    bool *fixed = base_arena_array(scratch, count, sizeof *fixed);
    uint32_t *ends = base_arena_array(scratch, count, sizeof *ends);
    assigner->intervals = base_arena_room(scratch, count, sizeof *assigner->intervals);
    if (fixed == NULL || ends == NULL || assigner->intervals == NULL) {
        return false;
    }
    /* Registers that the program itself fixes: R2 for conditions, the key's for what is carried to
     * the next vertex. Sets *fixed. */
    for (size_t i = 0; i < assigner->ir->count; i++) {
        const struct pfpu_instruction *instruction = &assigner->ir->instructions[i];
        const int32_t value = instruction->arguments[0];
        if (instruction->op == PFPU_OP_WORD_IF) {
            assigner->registers->of[value] = PFPU_MACHINE_CONDITION;
            fixed[value] = true;
        } else if (instruction->op == PFPU_OP_SET) {
            const int number = find_pinned_key(assigner, instruction->key);
            if (number >= 0) {
                assigner->registers->of[value] = (uint8_t)number;
                fixed[value] = true;
            }
        }
    }
    /* Last reads; what is set is kept to the end of the run, what nobody reads for one cycle. */
    for (int32_t i = 0; (size_t)i < assigner->ir->count; i++) {
        const struct pfpu_instruction *instruction = &assigner->ir->instructions[i];
        for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
            const int32_t value = instruction->arguments[k];
            const uint32_t runs = stage_of(assigner, i) - stage_of(assigner, value);
            const uint32_t read = instruction->op == PFPU_OP_SET
                                      ? assigner->period
                                      : assigner->schedule->cycle[i] + runs * assigner->period;
            ends[value] = read > ends[value] ? read : ends[value];
        }
    }
    for (int32_t i = 0; (size_t)i < count; i++) {
        if (is_result(assigner, i) && !fixed[i]) {
            const enum pfpu_op op = assigner->ir->instructions[i].op;
            const uint32_t commit =
                assigner->schedule->cycle[i] + assigner->target->ops[op].latency;
            const uint32_t end = ends[i] > commit ? ends[i] : commit + 1;
            assigner->intervals[assigner->interval_count++] =
                (struct interval){i, commit, end, assigner->circular && end >= assigner->period};
        }
    }
    return true;
}

/* Cycles of a row: all of the words between the first and the last, of these two some bits. */
struct range {
    uint32_t first;
    uint32_t last;
    uint32_t first_bits;
    uint32_t last_bits;
};

static struct range range_of(uint32_t from, uint32_t to)
{
    struct range range = {from / WORD_BITS, to / WORD_BITS, UINT32_MAX << from % WORD_BITS,
                          UINT32_MAX >> (WORD_BITS - 1 - to % WORD_BITS)};
    if (range.first == range.last) {
        range.first_bits &= range.last_bits;
        range.last_bits = range.first_bits;
    }
    return range;
}

static bool range_free(const uint32_t *row, const struct range *range)
{
    if ((row[range->first] & range->first_bits) != 0 ||
        (row[range->last] & range->last_bits) != 0) {
        return false;
    }
    for (uint32_t word = range->first + 1; word < range->last; word++) {
        if (row[word] != 0) {
            return false;
        }
    }
    return true;
}

/* The cycles of an interval within a run, as one or two ranges. */
static int ranges_of(const struct assigner *assigner, const struct interval *interval,
                     struct range ranges[RANGES])
{
    const uint32_t period = assigner->period;
    const uint32_t from = interval->commit + 1;
    if (interval->end - interval->commit >= period) {
        ranges[0] = range_of(0, period - 1);
        return 1;
    }
    if (from >= period || interval->end < period) {
        ranges[0] = range_of(from % period, interval->end % period);
        return 1;
    }
    ranges[0] = range_of(from, period - 1);
    ranges[1] = range_of(0, interval->end - period);
    return 2;
}

/* In the order of their beginnings, an interval meets none before it that has ended. */
static bool place_on_line(struct assigner *assigner, const struct interval *interval,
                          uint32_t *ends)
{
    const uint32_t registers = assigner->target->registers;
    uint32_t number = assigner->target->first_register + assigner->registers->pinned_count;
    while (number < registers && ends[number] > interval->commit) {
        number++;
    }
    if (number >= registers) {
        return false;
    }
    ends[number] = interval->end;
    assigner->registers->of[interval->value] = (uint8_t)number;
    return true;
}

static bool place_interval(struct assigner *assigner, const struct interval *interval)
{
    const uint32_t first = assigner->target->first_register + assigner->registers->pinned_count;
    struct range ranges[RANGES];
    const int count = ranges_of(assigner, interval, ranges);
    uint32_t *row = assigner->taken + first * assigner->row_size;
    for (uint32_t number = first; number < assigner->target->registers; number++) {
        if (range_free(row, &ranges[0]) && (count == 1 || range_free(row, &ranges[1]))) {
            for (int r = 0; r < count; r++) {
                const struct range *range = &ranges[r];
                row[range->first] |= range->first_bits;
                row[range->last] |= range->last_bits;
                for (uint32_t word = range->first + 1; word < range->last; word++) {
                    row[word] = UINT32_MAX;
                }
            }
            assigner->registers->of[interval->value] = (uint8_t)number;
            return true;
        }
        row += assigner->row_size;
    }
    return false;
}

static enum pfpu_fit assign_results(struct assigner *assigner, struct base_arena *scratch)
{
    assigner->row_size = assigner->circular ? (size_t)assigner->period / WORD_BITS + 1 : 1;
    assigner->taken = base_arena_array(scratch, assigner->target->registers,
                                       assigner->row_size * sizeof *assigner->taken);
    if (assigner->taken == NULL || !make_intervals(assigner, scratch)) {
        return PFPU_FIT_NO_MEMORY;
    }
    /* What reaches into the next run goes first, so that the rest lies on a line; there, the order
     * of beginnings takes as few registers as possible. They stand by rising value. */
    const size_t count = assigner->interval_count;
    uint32_t latest = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t commit = assigner->intervals[i].commit;
        latest = commit > latest ? commit : latest;
    }
    struct interval *sorted = base_arena_room(scratch, count, sizeof *sorted);
    uint32_t *starts = base_arena_array(scratch, 2 * (size_t)latest + 3, sizeof *starts);
    if (sorted == NULL || starts == NULL) {
        return PFPU_FIT_NO_MEMORY;
    }
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < count; i++) {
            const struct interval *interval = &assigner->intervals[i];
            const size_t key = interval->commit + (interval->wraps ? 0 : latest + 1);
            if (turn == 0) {
                starts[key + 1]++;
            } else {
                sorted[starts[key]++] = *interval;
            }
        }
        for (size_t key = 1; turn == 0 && key < 2 * (size_t)latest + 3; key++) {
            starts[key] += starts[key - 1];
        }
    }
    assigner->intervals = sorted;
    for (size_t i = 0; i < assigner->interval_count; i++) {
        const struct interval *interval = &assigner->intervals[i];
        if (!(assigner->circular ? place_interval(assigner, interval)
                                 : place_on_line(assigner, interval, assigner->taken))) {
            return PFPU_FIT_REGISTERS;
        }
    }
    return PFPU_FITS;
}

enum pfpu_fit pfpu_registers_allocate(const struct pfpu_target *target, const struct pfpu_ir *ir,
                                      const struct pfpu_schedule *schedule,
                                      struct base_arena *scratch, struct pfpu_registers *registers)
{
    struct assigner assigner = {.target = target,
                                .ir = ir,
                                .schedule = schedule,
                                .registers = registers,
                                .period = pfpu_schedule_vectout(target, ir, schedule) + 2,
                                .circular = schedule->stages > 1};
    enum pfpu_fit fit = pfpu_registers_pin(target, ir, scratch, registers);
    if (fit == PFPU_FITS) {
        fit = assign_results(&assigner, scratch);
    }
    bool used[UINT8_MAX + 1] = {false};
    for (int32_t i = 0; fit == PFPU_FITS && (size_t)i < ir->count; i++) {
        const enum pfpu_op op = ir->instructions[i].op;
        used[registers->of[i]] |=
            op == PFPU_OP_NUMBER || op == PFPU_OP_GET || is_result(&assigner, i);
    }
    for (size_t n = 0; n < sizeof used / sizeof used[0]; n++) {
        registers->used += used[n] ? 1 : 0;
    }
    return fit;
}
