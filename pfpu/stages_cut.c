#include <string.h>

#include "pfpu/stages_work.h"

/* A program as it is made. */
struct cutting {
    const struct pfpu_cutter *cutter;
    const struct pfpu_cut_places *places;
    int32_t *made;  /* by value and stage, from PFPU_CUT_NEVER on: in the program made */
    int32_t column; /* the value that reads it first */
    struct pfpu_cut *cut;
};

static bool prepare_cut(struct cutting *cutting, size_t copies, struct base_arena *scratch)
{
    const struct pfpu_ir *ir = cutting->cutter->ir;
    struct pfpu_cut *cut = cutting->cut;
    const size_t count = ir->count + copies;
    pfpu_ir_init(&cut->ir, scratch);
    cut->ir.slot_count = ir->slot_count;
    cut->ir.key_end = ir->key_end;
    cut->ir.capacity = count;
    cut->ir.instructions = base_arena_room(scratch, count, sizeof *cut->ir.instructions);
    cut->stages.stage = base_arena_array(scratch, count, sizeof *cut->stages.stage);
    cut->stages.steady = base_arena_array(scratch, count, sizeof *cut->stages.steady);
    cutting->made =
        base_arena_array(scratch, ir->count * (PFPU_CUT_VERSIONS + 1), sizeof *cutting->made);
    return !scratch->failed && pfpu_ir_open_block(&cut->ir) != PFPU_NO_VALUE;
}

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

/* The value made of an operand. */
static int32_t made_of(const struct cutting *cutting, int32_t value, int32_t user, int k)
{
    const struct pfpu_cutter *cutter = cutting->cutter;
    const int stage = cutter->operations[user].operands[k] == PFPU_CUT_READY
                          ? PFPU_CUT_NEVER
                          : pfpu_cut_read_in(cutter, cutting->places, user, k);
    return cutting->made[value * (PFPU_CUT_VERSIONS + 1) + 1 + stage];
}

static bool append_with_copies(struct cutting *cutting, int32_t i)
{
    const struct pfpu_cutter *cutter = cutting->cutter;
    const int32_t operation = cutter->operation_of[i];
    const bool computed = operation > PFPU_CUT_COLUMN;
    struct pfpu_instruction instruction = cutter->ir->instructions[i];
    int32_t *made = &cutting->made[i * (PFPU_CUT_VERSIONS + 1) + 1];
    if (operation == PFPU_CUT_COLUMN && cutting->column != PFPU_NO_VALUE) {
        memcpy(made - 1, &cutting->made[cutting->column * (PFPU_CUT_VERSIONS + 1)],
               (PFPU_CUT_VERSIONS + 1) * sizeof *made);
        return true;
    }
    cutting->column = operation == PFPU_CUT_COLUMN ? i : cutting->column;
    for (int k = 0; k < pfpu_ops[instruction.op].arity; k++) {
        instruction.arguments[k] = made_of(cutting, instruction.arguments[k], operation, k);
    }
    int stage = computed ? cutter->stage[operation] : PFPU_CUT_NEVER;
    made[stage] = append(cutting, instruction, stage, computed && cutter->steady[operation]);
    while (made[stage] != PFPU_NO_VALUE && operation != PFPU_CUT_READY &&
           stage < cutter->last[operation]) {
        const struct pfpu_instruction copy = {.op = PFPU_OP_WORD_COPY,
                                              .arguments = {made[stage], 0, 0},
                                              .offset = instruction.offset};
        stage++;
        made[stage] = append(cutting, copy, stage, false);
    }
    return made[stage] != PFPU_NO_VALUE;
}

/* What stands ready first, then the column with its copies, then all else. */
static int turn_of(const struct pfpu_cutter *cutter, int32_t i)
{
    return cutter->operation_of[i] == PFPU_CUT_READY    ? 0
           : cutter->operation_of[i] == PFPU_CUT_COLUMN ? 1
                                                        : 2;
}

bool pfpu_cut_at(struct pfpu_cutter *cutter, const struct pfpu_cut_places *places,
                 struct base_arena *scratch, struct pfpu_cut *cut)
{
    struct cutting cutting = {
        .cutter = cutter, .places = places, .column = PFPU_NO_VALUE, .cut = cut};
    pfpu_cut_assign(cutter, places);
    if (!prepare_cut(&cutting, (size_t)pfpu_cut_copies(cutter, places), scratch)) {
        return false;
    }
    for (int turn = 0; turn < 3; turn++) {
        for (int32_t i = 0; (size_t)i < cutter->ir->count; i++) {
            if (turn_of(cutter, i) == turn && !append_with_copies(&cutting, i)) {
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
