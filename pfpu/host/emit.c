#include "pfpu/host/program.h"
#include "pfpu/host/run.h"

#include <string.h>

#include "pfpu/ir/ir.h"
#include "pfpu/machine/machine.h"
#include "pfpu/schedule/schedule.h"

/* Where each value of a scheduled program lives while it runs. */
struct allocation {
    int32_t *cell; /* of each value */
    bool *emitted; /* by value: it makes code; a SET whose value was made in place makes none */
    double *constants;
    size_t constant_count;
    size_t cell_count; /* constants, slots and temporaries */
};

const struct pfpu_target pfpu_target_host = {
    .name = "host",
    .ops =
        {
#define ROW_NUMBER                                {true, true, 0},
#define ROW_GET                                   {true, true, 0},
#define ROW_SET                                   {true, false, 1},
#define ROW_READ                                  {true, false, 1},
#define ROW_EFFECT                                {true, false, 1},
#define PFPU_PURE(name, text, arity, cost, value) {true, false, 1},
#define PFPU_OTHER(name, text, arity, cost, kind) ROW_##kind
#include "pfpu/ir/ops.def"
#undef PFPU_PURE
#undef PFPU_OTHER
        },
    .issue_width = 1,
    .branches = true,
    .fuses = true,
};

/* Cell numbers before they are made relative to values[]: temporaries are numbered apart. */
enum { NO_CELL = INT32_MIN, POSITION_FAR = INT32_MAX };

struct allocator {
    struct allocation *cells;
    const struct pfpu_ir *ir;
    const struct pfpu_schedule *schedule;
    int32_t first_cell;
    int32_t *block_of;
    int32_t *position;  /* of each instruction in the whole program's order */
    int32_t *last_use;  /* position; POSITION_FAR: in another block too */
    int32_t *end_use;   /* position of the last use wherever it is */
    int32_t *last_read; /* by key index: last use of the block's GETs */
    bool *key_written;  /* by key index: somewhere in the program */
    int32_t *free_cells;
    size_t free_count;
    int32_t temporary_count;
    int32_t *table; /* hash table of constants: number + 1 */
    size_t table_mask;
};

static const struct pfpu_instruction *at(const struct allocator *allocator, int32_t i)
{
    return &allocator->ir->instructions[i];
}

/* Cell of a variable or slot. */
static int32_t cell_of(const struct allocation *cells, int32_t key, int32_t first_cell)
{
    if (pfpu_key_is_slot(key)) {
        return first_cell - (int32_t)cells->constant_count - (-1 - key);
    }
    return key - PFPU_REGISTERS_GLOBAL;
}

static int32_t cell_of_key(const struct allocator *allocator, int32_t key)
{
    return cell_of(allocator->cells, key, allocator->first_cell);
}

static void note_use(struct allocator *allocator, int32_t value, int32_t block, int32_t position)
{
    const bool far = allocator->block_of[value] != block;
    allocator->last_use[value] =
        far || allocator->last_use[value] == POSITION_FAR ? POSITION_FAR : position;
    allocator->end_use[value] = position;
}

static int32_t constant_of(struct allocator *allocator, double number)
{
    struct allocation *cells = allocator->cells;
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    size_t place = (size_t)((bits * 0x9e3779b97f4a7c15u) >> 32) & allocator->table_mask;
    while (allocator->table[place] != 0) {
        const int32_t known = allocator->table[place] - 1;
        if (memcmp(&cells->constants[known], &number, sizeof number) == 0) {
            return known;
        }
        place = (place + 1) & allocator->table_mask;
    }
    cells->constants[cells->constant_count] = number;
    allocator->table[place] = (int32_t)++cells->constant_count;
    return allocator->table[place] - 1;
}

static bool is_cell_get(const struct pfpu_instruction *instruction)
{
    return instruction->op == PFPU_OP_GET && !pfpu_key_is_register(instruction->key);
}

/* An operation of the block may make its result right in the variable that is set from it, if
 * nobody needs the old value after that. */
static bool may_make_in_place(const struct allocator *allocator, int32_t set)
{
    const int32_t value = at(allocator, set)->arguments[0];
    const size_t key = pfpu_ir_key_index(allocator->ir, at(allocator, set)->key);
    return allocator->block_of[value] == allocator->block_of[set] &&
           allocator->cells->cell[value] == NO_CELL && at(allocator, value)->op != PFPU_OP_GET &&
           allocator->last_use[value] != POSITION_FAR &&
           allocator->last_read[key] <= allocator->position[value];
}

static void place_block(struct allocator *allocator, const struct pfpu_block *block,
                        int32_t *written_at)
{
    const int32_t end = block->first + block->count;
    for (int32_t i = block->first; i < end; i++) {
        const struct pfpu_instruction *get = at(allocator, i);
        if (is_cell_get(get)) {
            const size_t key = pfpu_ir_key_index(allocator->ir, get->key);
            int32_t *last = &allocator->last_read[key];
            *last = allocator->last_use[i] > *last ? allocator->last_use[i] : *last;
        }
    }
    for (int32_t i = block->first; i < end; i++) {
        const struct pfpu_instruction *set = at(allocator, i);
        if (set->op != PFPU_OP_SET || pfpu_key_is_register(set->key)) {
            continue;
        }
        written_at[pfpu_ir_key_index(allocator->ir, set->key)] = allocator->position[i];
        if (may_make_in_place(allocator, i)) {
            const int32_t value = set->arguments[0];
            allocator->cells->cell[value] = cell_of_key(allocator, set->key);
            allocator->cells->emitted[i] = false;
            written_at[pfpu_ir_key_index(allocator->ir, set->key)] = allocator->position[value];
        }
    }
    for (int32_t i = block->first; i < block->first + block->count; i++) {
        const struct pfpu_instruction *get = at(allocator, i);
        if (!is_cell_get(get)) {
            continue;
        }
        const size_t key = pfpu_ir_key_index(allocator->ir, get->key);
        const bool far = allocator->last_use[i] == POSITION_FAR;
        const bool safe =
            far ? !allocator->key_written[key] : allocator->last_use[i] <= written_at[key];
        if (safe) {
            allocator->cells->cell[i] = cell_of_key(allocator, get->key);
            allocator->cells->emitted[i] = false;
        }
    }
    for (int32_t i = block->first; i < end; i++) {
        const struct pfpu_instruction *instruction = at(allocator, i);
        if (instruction->op == PFPU_OP_GET || instruction->op == PFPU_OP_SET) {
            const size_t key = pfpu_ir_key_index(allocator->ir, instruction->key);
            written_at[key] = POSITION_FAR;
            allocator->last_read[key] = -1;
        }
    }
}

static void release(struct allocator *allocator, int32_t value, int32_t position)
{
    /* Temporaries carry cells below the fixed ones while they are in use. */
    const int32_t fixed = (int32_t)allocator->cells->constant_count + allocator->ir->slot_count;
    const int32_t cell = allocator->cells->cell[value];
    if (cell != NO_CELL && cell <= allocator->first_cell - fixed &&
        allocator->end_use[value] == position) {
        allocator->free_cells[allocator->free_count++] = cell;
        allocator->end_use[value] = POSITION_FAR;
    }
}

static void place_temporaries(struct allocator *allocator)
{
    const int32_t fixed = (int32_t)allocator->cells->constant_count + allocator->ir->slot_count;
    const int32_t first = allocator->first_cell - fixed;
    for (size_t b = 0; b < allocator->ir->block_count; b++) {
        const struct pfpu_block *block = &allocator->ir->blocks[b];
        const int32_t end = block->first + block->count;
        for (int32_t n = block->first; n < end; n++) {
            /* Operands are read before the result is written, so both may share a cell. */
            const int32_t i = allocator->schedule->order[n];
            const struct pfpu_instruction *instruction = at(allocator, i);
            const int32_t position = allocator->position[i];
            for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
                release(allocator, instruction->arguments[k], position);
            }
            if (pfpu_op_has_result(instruction->op) && allocator->cells->cell[i] == NO_CELL) {
                allocator->cells->cell[i] = allocator->free_count > 0
                                                ? allocator->free_cells[--allocator->free_count]
                                                : first - allocator->temporary_count++;
                if (allocator->end_use[i] < 0) {
                    allocator->end_use[i] = position;
                    release(allocator, i, position);
                }
            }
        }
        if (block->end == PFPU_END_BRANCH) {
            const int32_t position = end + (int32_t)b;
            release(allocator, block->condition, position);
        }
    }
    allocator->cells->cell_count = allocator->cells->constant_count +
                                   (size_t)allocator->ir->slot_count +
                                   (size_t)allocator->temporary_count;
}

static bool prepare(struct allocator *allocator, struct base_arena *scratch)
{
    const size_t count = allocator->ir->count;
    const size_t keys = pfpu_ir_key_count(allocator->ir);
    struct allocation *cells = allocator->cells;
    size_t table_size = 16;
    while (table_size < count * 2) {
        table_size *= 2;
    }
    cells->cell = base_arena_array(scratch, count, sizeof *cells->cell);
    cells->emitted = base_arena_array(scratch, count, sizeof *cells->emitted);
    cells->constants = base_arena_array(scratch, count, sizeof *cells->constants);
    allocator->block_of = pfpu_ir_blocks_of(allocator->ir, scratch);
    allocator->position = base_arena_array(scratch, count, sizeof *allocator->position);
    allocator->last_use = base_arena_array(scratch, count, sizeof *allocator->last_use);
    allocator->end_use = base_arena_array(scratch, count, sizeof *allocator->end_use);
    allocator->last_read = base_arena_array(scratch, keys, sizeof *allocator->last_read);
    allocator->key_written = base_arena_array(scratch, keys, sizeof *allocator->key_written);
    allocator->free_cells = base_arena_array(scratch, count, sizeof *allocator->free_cells);
    allocator->table = base_arena_array(scratch, table_size, sizeof *allocator->table);
    allocator->table_mask = table_size - 1;
    for (size_t i = 0; i < count && !scratch->failed; i++) {
        allocator->last_use[i] = -1;
        allocator->end_use[i] = -1;
    }
    return !scratch->failed;
}

/* Constants and slots get cells of their own; a variable is read in place and written in place
 * unless it is still needed with its old value; temporaries share cells by linear scan in schedule
 * order. first_cell: own cell n is first_cell - n. False without memory. */
static bool allocate(struct allocation *cells, const struct pfpu_ir *ir,
                     const struct pfpu_schedule *schedule, int32_t first_cell,
                     struct base_arena *scratch)
{
    struct allocator allocator = {
        .cells = cells, .ir = ir, .schedule = schedule, .first_cell = first_cell};
    *cells = (struct allocation){0};
    if (!prepare(&allocator, scratch)) {
        return false;
    }
    int32_t position = 0;
    for (size_t b = 0; b < allocator.ir->block_count; b++) {
        const struct pfpu_block *block = &allocator.ir->blocks[b];
        for (int32_t n = block->first; n < block->first + block->count; n++, position++) {
            const int32_t i = allocator.schedule->order[n];
            allocator.position[i] = position;
            for (int k = 0; k < pfpu_ops[at(&allocator, i)->op].arity; k++) {
                note_use(&allocator, at(&allocator, i)->arguments[k], (int32_t)b, position);
            }
        }
        if (block->end == PFPU_END_BRANCH) {
            note_use(&allocator, block->condition, (int32_t)b, position);
        }
        position++;
    }
    for (size_t i = 0; i < allocator.ir->count; i++) {
        const struct pfpu_instruction *instruction = &allocator.ir->instructions[i];
        const bool is_number = instruction->op == PFPU_OP_NUMBER;
        allocator.cells->emitted[i] = !is_number;
        allocator.cells->cell[i] =
            is_number ? allocator.first_cell - constant_of(&allocator, instruction->number)
                      : NO_CELL;
        if (instruction->op == PFPU_OP_SET) {
            allocator.key_written[pfpu_ir_key_index(allocator.ir, instruction->key)] = true;
        }
    }
    const size_t keys = pfpu_ir_key_count(ir);
    int32_t *written_at = base_arena_array(scratch, keys, sizeof *written_at);
    if (written_at == NULL) {
        return false;
    }
    for (size_t i = 0; i < keys; i++) {
        written_at[i] = POSITION_FAR;
        allocator.last_read[i] = -1;
    }
    for (size_t b = 0; b < ir->block_count; b++) {
        place_block(&allocator, &ir->blocks[b], written_at);
    }
    place_temporaries(&allocator);
    return true;
}

struct emitter {
    const struct pfpu_ir *ir;
    const struct allocation *cells;
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

static void put_instruction(struct emitter *emitter, int32_t i)
{
    const struct pfpu_instruction *instruction = &emitter->ir->instructions[i];
    if (!emitter->cells->emitted[i]) {
        return;
    }
    if (instruction->op == PFPU_OP_GET) {
        const int32_t to = emitter->cells->cell[i];
        if (pfpu_key_is_register(instruction->key)) {
            put(emitter, (struct pfpu_code){2 * PFPU_OP_GET, to, instruction->key, 0, 0});
            return;
        }
        const int32_t from = cell_of(emitter->cells, instruction->key, emitter->first_cell);
        put(emitter, (struct pfpu_code){2 * PFPU_OP_COPY, to, from, 0, 0});
    } else if (instruction->op == PFPU_OP_SET) {
        const int32_t from = operand(emitter, instruction, 0);
        if (pfpu_key_is_register(instruction->key)) {
            put(emitter, (struct pfpu_code){2 * PFPU_OP_SET, instruction->key, from, 0, 0});
            return;
        }
        const int32_t to = cell_of(emitter->cells, instruction->key, emitter->first_cell);
        if (to != from) {
            put(emitter, (struct pfpu_code){2 * PFPU_OP_COPY, to, from, 0, 0});
        }
    } else {
        const bool result = pfpu_op_has_result(instruction->op);
        put(emitter, (struct pfpu_code){
                         2 * (int32_t)instruction->op + (instruction->filtered ? 1 : 0),
                         result ? emitter->cells->cell[i] : 0, operand(emitter, instruction, 0),
                         operand(emitter, instruction, 1), operand(emitter, instruction, 2)});
    }
}

/* What instructions cost, each taken once. */
static int64_t price_of(const struct pfpu_code *code, size_t count)
{
    int64_t price = 0;
    for (size_t i = 0; i < count; i++) {
        const int cost = code[i].op < PFPU_CODE_CONTROL ? pfpu_ops[code[i].op / 2].cost : 1;
        price += cost > 1 ? cost : 1;
    }
    return price;
}

/* next: the block whose code follows. */
static void put_branch(struct emitter *emitter, const struct pfpu_block *block, int32_t from,
                       int32_t next)
{
    const int32_t condition = emitter->cells->cell[block->condition];
    const int32_t yes = emitter->landing[block->targets[0]];
    const int32_t no = emitter->landing[block->targets[1]];
    if (yes <= from) {
        const size_t start = (size_t)emitter->start[yes];
        const int64_t body = price_of(emitter->code + start, emitter->count - start);
        put(emitter, (struct pfpu_code){PFPU_CODE_AGAIN, yes, condition, 0,
                                        body < INT32_MAX ? (int32_t)body + 1 : INT32_MAX});
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

static void put_program(struct emitter *emitter, const struct pfpu_schedule *schedule)
{
    /* Jumps to a block without code go on to where that leads. The program starts with the first
     * block, so that one is never left out. */
    for (size_t b = emitter->ir->block_count; b-- > 0;) {
        const struct pfpu_block *block = &emitter->ir->blocks[b];
        bool silent = b > 0 && block->end == PFPU_END_JUMP;
        for (int32_t i = block->first; silent && i < block->first + block->count; i++) {
            silent = !emitter->cells->emitted[i];
        }
        emitter->landing[b] = silent ? emitter->landing[block->targets[0]] : (int32_t)b;
    }
    for (size_t b = 0; b < emitter->ir->block_count; b++) {
        const struct pfpu_block *block = &emitter->ir->blocks[b];
        emitter->start[b] = (int32_t)emitter->count;
        if (emitter->landing[b] != (int32_t)b) {
            continue;
        }
        for (int32_t n = block->first; n < block->first + block->count; n++) {
            put_instruction(emitter, schedule->order[n]);
        }
        /* Targets are block numbers at first. */
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
    for (size_t i = 0; i < emitter->count; i++) {
        struct pfpu_code *code = &emitter->code[i];
        if (code->op > PFPU_CODE_END) {
            code->dst = emitter->start[code->dst];
        }
    }
}

bool pfpu_emit(const struct pfpu_ir *ir, const struct pfpu_schedule *schedule, int32_t first_cell,
               struct base_arena *arena, struct base_arena *scratch, struct pfpu_code_list *code)
{
    struct allocation cells;
    if (!allocate(&cells, ir, schedule, first_cell, scratch)) {
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
    *code = (struct pfpu_code_list){.count = emitter.count,
                                    .constant_count = cells.constant_count,
                                    .slot_count = (size_t)ir->slot_count,
                                    .cell_count = cells.cell_count,
                                    .first_cell = first_cell};
    code->instructions = base_arena_array(arena, code->count, sizeof *code->instructions);
    code->constants = base_arena_array(arena, code->constant_count, sizeof *code->constants);
    if (code->instructions == NULL || code->constants == NULL) {
        return false;
    }
    memcpy(code->instructions, emitter.code, code->count * sizeof *code->instructions);
    memcpy(code->constants, cells.constants, code->constant_count * sizeof *code->constants);
    return true;
}

struct pfpu_program *pfpu_program_create(struct pfpu_scope *scope, const struct pfpu_ir *ir,
                                         const struct pfpu_schedule *schedule,
                                         struct base_arena *arena, struct base_arena *scratch)
{
    struct pfpu_program *program = base_arena_alloc(arena, sizeof *program);
    const int32_t first_cell = -1 - (int32_t)scope->local_count;
    if (program == NULL || !pfpu_ir_copy(&program->ir, ir, arena) ||
        !pfpu_emit(ir, schedule, first_cell, arena, scratch, &program->code)) {
        return NULL;
    }
    program->use_count = scope->name_count;
    uint8_t *uses = base_arena_array(arena, program->use_count, sizeof *uses);
    for (size_t i = 0; uses != NULL && i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        const enum pfpu_op op = instruction->op;
        if ((op == PFPU_OP_GET || op == PFPU_OP_SET) && pfpu_key_is_variable(instruction->key)) {
            uses[instruction->key - PFPU_REGISTERS_GLOBAL] |=
                op == PFPU_OP_GET ? PFPU_USE_READS : PFPU_USE_WRITES;
        }
    }
    program->uses = uses;
    if (program->uses == NULL) {
        return NULL;
    }
    program->price = price_of(program->code.instructions, program->code.count);
    program->scope = scope;
    program->older = scope->newest;
    scope->newest = program;
    scope->local_count += program->code.cell_count;
    return program;
}
