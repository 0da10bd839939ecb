#include "pfpu/emit.h"

#include <string.h>

#include "pfpu/cells.h"

struct emitter {
    const struct pfpu_ir *ir;
    const struct pfpu_cells *cells;
    int32_t first_cell;
    struct pfpu_code *code;
    size_t count;
    int32_t *start;   /* of each block in the code */
    int32_t *landing; /* the block where a jump to each block ends up */
};

static void put(struct emitter *emitter, struct pfpu_code code)
{
    emitter->code[emitter->count++] = code;
}

static int32_t operand(const struct emitter *emitter, const struct pfpu_instruction *instruction,
                       int k)
{
    return k < pfpu_ops[instruction->op].arity ? emitter->cells->cell[instruction->arguments[k]]
                                               : 0;
}

static void put_get(struct emitter *emitter, const struct pfpu_instruction *get, int32_t cell)
{
    if (pfpu_key_is_register(get->key)) {
        put(emitter, (struct pfpu_code){2 * PFPU_OP_GET, cell, get->key, 0, 0});
        return;
    }
    const int32_t from = pfpu_cells_of_key(emitter->cells, get->key, emitter->first_cell);
    put(emitter, (struct pfpu_code){2 * PFPU_OP_COPY, cell, from, 0, 0});
}

static void put_set(struct emitter *emitter, const struct pfpu_instruction *set)
{
    const int32_t from = operand(emitter, set, 0);
    if (pfpu_key_is_register(set->key)) {
        put(emitter, (struct pfpu_code){2 * PFPU_OP_SET, set->key, from, 0, 0});
        return;
    }
    const int32_t to = pfpu_cells_of_key(emitter->cells, set->key, emitter->first_cell);
    if (to != from) {
        put(emitter, (struct pfpu_code){2 * PFPU_OP_COPY, to, from, 0, 0});
    }
}

static void put_instruction(struct emitter *emitter, int32_t i)
{
    const struct pfpu_instruction *instruction = &emitter->ir->instructions[i];
    if (!emitter->cells->emitted[i]) {
        return;
    }
    if (instruction->op == PFPU_OP_GET) {
        put_get(emitter, instruction, emitter->cells->cell[i]);
    } else if (instruction->op == PFPU_OP_SET) {
        put_set(emitter, instruction);
    } else {
        const bool result = pfpu_op_has_result(instruction->op);
        put(emitter, (struct pfpu_code){
                         2 * (int32_t)instruction->op + (instruction->filtered ? 1 : 0),
                         result ? emitter->cells->cell[i] : 0, operand(emitter, instruction, 0),
                         operand(emitter, instruction, 1), operand(emitter, instruction, 2)});
    }
}

/* next: the block whose code follows. */
static void put_branch(struct emitter *emitter, const struct pfpu_block *block, int32_t from,
                       int32_t next)
{
    const int32_t condition = emitter->cells->cell[block->condition];
    const int32_t yes = emitter->landing[block->targets[0]];
    const int32_t no = emitter->landing[block->targets[1]];
    if (yes <= from) {
        const int32_t body = (int32_t)emitter->count - emitter->start[yes];
        put(emitter, (struct pfpu_code){PFPU_CODE_AGAIN, yes, condition, 0, body + 1});
    } else if (yes == next) {
        if (no != next) {
            put(emitter, (struct pfpu_code){PFPU_CODE_BRANCH_FALSE, no, condition, 0, 0});
        }
        return;
    } else {
        put(emitter, (struct pfpu_code){PFPU_CODE_BRANCH_TRUE, yes, condition, 0, 0});
    }
    if (no != next) {
        put(emitter, (struct pfpu_code){PFPU_CODE_JUMP, no, 0, 0, 0});
    }
}

/* Targets are block numbers at first. */
static void put_end(struct emitter *emitter, size_t b)
{
    const struct pfpu_block *block = &emitter->ir->blocks[b];
    int32_t next = (int32_t)b + 1;
    while ((size_t)next < emitter->ir->block_count && emitter->landing[next] != next) {
        next++;
    }
    if (block->end == PFPU_END_BRANCH) {
        put_branch(emitter, block, (int32_t)b, next);
    } else if (block->end == PFPU_END_RETURN) {
        put(emitter, (struct pfpu_code){PFPU_CODE_END, 0, 0, 0, 0});
    } else if (emitter->landing[block->targets[0]] != next) {
        const int32_t target = emitter->landing[block->targets[0]];
        put(emitter, (struct pfpu_code){PFPU_CODE_JUMP, target, 0, 0, 0});
    }
}

static bool is_silent(const struct emitter *emitter, const struct pfpu_block *block)
{
    bool silent = block->end == PFPU_END_JUMP;
    for (int32_t i = block->first; silent && i < block->first + block->count; i++) {
        silent = !emitter->cells->emitted[i];
    }
    return silent;
}

/* Jumps to a block without code go on to where that leads. The program starts with the first
 * block, so that one is never left out. */
static void find_landings(struct emitter *emitter)
{
    for (size_t b = emitter->ir->block_count; b-- > 0;) {
        const struct pfpu_block *block = &emitter->ir->blocks[b];
        emitter->landing[b] =
            b > 0 && is_silent(emitter, block) ? emitter->landing[block->targets[0]] : (int32_t)b;
    }
}

static void resolve_targets(struct emitter *emitter)
{
    for (size_t i = 0; i < emitter->count; i++) {
        struct pfpu_code *code = &emitter->code[i];
        if (code->op > PFPU_CODE_END) {
            code->dst = emitter->start[code->dst];
        }
    }
}

static void put_program(struct emitter *emitter, const struct pfpu_schedule *schedule)
{
    find_landings(emitter);
    for (size_t b = 0; b < emitter->ir->block_count; b++) {
        const struct pfpu_block *block = &emitter->ir->blocks[b];
        emitter->start[b] = (int32_t)emitter->count;
        if (emitter->landing[b] != (int32_t)b) {
            continue;
        }
        for (int32_t n = block->first; n < block->first + block->count; n++) {
            put_instruction(emitter, schedule->order[n]);
        }
        put_end(emitter, b);
    }
    resolve_targets(emitter);
}

static bool keep(const struct emitter *emitter, struct base_arena *arena,
                 struct pfpu_code_list *code)
{
    const struct pfpu_cells *cells = emitter->cells;
    *code = (struct pfpu_code_list){.count = emitter->count,
                                    .constant_count = cells->constant_count,
                                    .slot_count = (size_t)emitter->ir->slot_count,
                                    .cell_count = cells->cell_count,
                                    .first_cell = emitter->first_cell};
    code->instructions = base_arena_array(arena, code->count, sizeof *code->instructions);
    code->constants = base_arena_array(arena, code->constant_count, sizeof *code->constants);
    if (code->instructions == NULL || code->constants == NULL) {
        return false;
    }
    memcpy(code->instructions, emitter->code, code->count * sizeof *code->instructions);
    memcpy(code->constants, cells->constants, code->constant_count * sizeof *code->constants);
    return true;
}

bool pfpu_emit(const struct pfpu_ir *ir, const struct pfpu_schedule *schedule, int32_t first_cell,
               struct base_arena *arena, struct base_arena *scratch, struct pfpu_code_list *code)
{
    struct pfpu_cells cells;
    if (!pfpu_cells_assign(&cells, ir, schedule, first_cell, scratch)) {
        return false;
    }
    struct emitter emitter = {.ir = ir, .cells = &cells, .first_cell = first_cell};
    emitter.code = base_arena_array(scratch, ir->count + 2 * ir->block_count, sizeof *emitter.code);
    emitter.start = base_arena_array(scratch, ir->block_count, sizeof *emitter.start);
    emitter.landing = base_arena_array(scratch, ir->block_count, sizeof *emitter.landing);
    if (emitter.code == NULL || emitter.start == NULL || emitter.landing == NULL) {
        return false;
    }
    put_program(&emitter, schedule);
    return keep(&emitter, arena, code);
}
