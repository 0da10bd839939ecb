#include "pfpu/cells.h"

#include <string.h>

/* Cell numbers before they are made relative to values[]: temporaries are numbered apart. */
enum { NO_CELL = INT32_MIN, POSITION_FAR = INT32_MAX };

struct assigner {
    struct pfpu_cells *cells;
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

static const struct pfpu_instruction *at(const struct assigner *assigner, int32_t i)
{
    return &assigner->ir->instructions[i];
}

int32_t pfpu_cells_of_key(const struct pfpu_cells *cells, int32_t key, int32_t first_cell)
{
    if (pfpu_key_is_slot(key)) {
        return first_cell - (int32_t)cells->constant_count - (-1 - key);
    }
    return key - PFPU_REGISTERS_GLOBAL;
}

static int32_t cell_of_key(const struct assigner *assigner, int32_t key)
{
    return pfpu_cells_of_key(assigner->cells, key, assigner->first_cell);
}

static void note_use(struct assigner *assigner, int32_t value, int32_t block, int32_t position)
{
    const bool far = assigner->block_of[value] != block;
    assigner->last_use[value] =
        far || assigner->last_use[value] == POSITION_FAR ? POSITION_FAR : position;
    assigner->end_use[value] = position;
}

static void find_last_uses(struct assigner *assigner)
{
    int32_t position = 0;
    for (size_t b = 0; b < assigner->ir->block_count; b++) {
        const struct pfpu_block *block = &assigner->ir->blocks[b];
        for (int32_t n = block->first; n < block->first + block->count; n++, position++) {
            const int32_t i = assigner->schedule->order[n];
            assigner->position[i] = position;
            for (int k = 0; k < pfpu_ops[at(assigner, i)->op].arity; k++) {
                note_use(assigner, at(assigner, i)->arguments[k], (int32_t)b, position);
            }
        }
        if (block->end == PFPU_END_BRANCH) {
            note_use(assigner, block->condition, (int32_t)b, position);
        }
        position++;
    }
}

static int32_t constant_of(struct assigner *assigner, double number)
{
    struct pfpu_cells *cells = assigner->cells;
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    size_t place = (size_t)((bits * 0x9e3779b97f4a7c15u) >> 32) & assigner->table_mask;
    while (assigner->table[place] != 0) {
        const int32_t known = assigner->table[place] - 1;
        if (memcmp(&cells->constants[known], &number, sizeof number) == 0) {
            return known;
        }
        place = (place + 1) & assigner->table_mask;
    }
    cells->constants[cells->constant_count] = number;
    assigner->table[place] = (int32_t)++cells->constant_count;
    return assigner->table[place] - 1;
}

static void place_constants(struct assigner *assigner)
{
    for (size_t i = 0; i < assigner->ir->count; i++) {
        const struct pfpu_instruction *instruction = &assigner->ir->instructions[i];
        const bool is_number = instruction->op == PFPU_OP_NUMBER;
        assigner->cells->emitted[i] = !is_number;
        assigner->cells->cell[i] =
            is_number ? assigner->first_cell - constant_of(assigner, instruction->number) : NO_CELL;
        if (instruction->op == PFPU_OP_SET) {
            assigner->key_written[pfpu_ir_key_index(assigner->ir, instruction->key)] = true;
        }
    }
}

static bool is_cell_get(const struct pfpu_instruction *instruction)
{
    return instruction->op == PFPU_OP_GET && !pfpu_key_is_register(instruction->key);
}

/* An operation of the block may make its result right in the variable that is set from it, if
 * nobody needs the old value after that. */
static bool may_make_in_place(const struct assigner *assigner, int32_t set)
{
    const int32_t value = at(assigner, set)->arguments[0];
    const size_t key = pfpu_ir_key_index(assigner->ir, at(assigner, set)->key);
    return assigner->block_of[value] == assigner->block_of[set] &&
           assigner->cells->cell[value] == NO_CELL && at(assigner, value)->op != PFPU_OP_GET &&
           assigner->last_use[value] != POSITION_FAR &&
           assigner->last_read[key] <= assigner->position[value];
}

static void place_gets(struct assigner *assigner, const struct pfpu_block *block,
                       const int32_t *written_at)
{
    for (int32_t i = block->first; i < block->first + block->count; i++) {
        const struct pfpu_instruction *get = at(assigner, i);
        if (!is_cell_get(get)) {
            continue;
        }
        const size_t key = pfpu_ir_key_index(assigner->ir, get->key);
        const bool far = assigner->last_use[i] == POSITION_FAR;
        const bool safe =
            far ? !assigner->key_written[key] : assigner->last_use[i] <= written_at[key];
        if (safe) {
            assigner->cells->cell[i] = cell_of_key(assigner, get->key);
            assigner->cells->emitted[i] = false;
        }
    }
}

static void place_block(struct assigner *assigner, const struct pfpu_block *block,
                        int32_t *written_at)
{
    const int32_t end = block->first + block->count;
    for (int32_t i = block->first; i < end; i++) {
        const struct pfpu_instruction *get = at(assigner, i);
        if (is_cell_get(get)) {
            const size_t key = pfpu_ir_key_index(assigner->ir, get->key);
            int32_t *last = &assigner->last_read[key];
            *last = assigner->last_use[i] > *last ? assigner->last_use[i] : *last;
        }
    }
    for (int32_t i = block->first; i < end; i++) {
        const struct pfpu_instruction *set = at(assigner, i);
        if (set->op != PFPU_OP_SET || pfpu_key_is_register(set->key)) {
            continue;
        }
        written_at[pfpu_ir_key_index(assigner->ir, set->key)] = assigner->position[i];
        if (may_make_in_place(assigner, i)) {
            const int32_t value = set->arguments[0];
            assigner->cells->cell[value] = cell_of_key(assigner, set->key);
            assigner->cells->emitted[i] = false;
            written_at[pfpu_ir_key_index(assigner->ir, set->key)] = assigner->position[value];
        }
    }
    place_gets(assigner, block, written_at);
    for (int32_t i = block->first; i < end; i++) {
        const struct pfpu_instruction *instruction = at(assigner, i);
        if (instruction->op == PFPU_OP_GET || instruction->op == PFPU_OP_SET) {
            const size_t key = pfpu_ir_key_index(assigner->ir, instruction->key);
            written_at[key] = POSITION_FAR;
            assigner->last_read[key] = -1;
        }
    }
}

static bool place_variables(struct assigner *assigner, struct base_arena *scratch)
{
    const size_t keys = pfpu_ir_key_count(assigner->ir);
    int32_t *written_at = base_arena_array(scratch, keys, sizeof *written_at);
    if (written_at == NULL) {
        return false;
    }
    for (size_t i = 0; i < keys; i++) {
        written_at[i] = POSITION_FAR;
        assigner->last_read[i] = -1;
    }
    for (size_t b = 0; b < assigner->ir->block_count; b++) {
        place_block(assigner, &assigner->ir->blocks[b], written_at);
    }
    return true;
}

/* Temporaries carry cells below this while they are in use. */
static bool is_temporary(const struct assigner *assigner, int32_t value)
{
    const int32_t fixed = (int32_t)assigner->cells->constant_count + assigner->ir->slot_count;
    return assigner->cells->cell[value] != NO_CELL &&
           assigner->cells->cell[value] <= assigner->first_cell - fixed;
}

static void release(struct assigner *assigner, int32_t value, int32_t position)
{
    if (is_temporary(assigner, value) && assigner->end_use[value] == position) {
        assigner->free_cells[assigner->free_count++] = assigner->cells->cell[value];
        assigner->end_use[value] = POSITION_FAR;
    }
}

static int32_t take_temporary(struct assigner *assigner)
{
    if (assigner->free_count > 0) {
        return assigner->free_cells[--assigner->free_count];
    }
    const int32_t fixed = (int32_t)assigner->cells->constant_count + assigner->ir->slot_count;
    return assigner->first_cell - fixed - assigner->temporary_count++;
}

/* Operands are read before the result is written, so both may share a cell. */
static void place_temporary(struct assigner *assigner, int32_t i)
{
    const struct pfpu_instruction *instruction = at(assigner, i);
    const int32_t position = assigner->position[i];
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        release(assigner, instruction->arguments[k], position);
    }
    if (pfpu_op_has_result(instruction->op) && assigner->cells->cell[i] == NO_CELL) {
        assigner->cells->cell[i] = take_temporary(assigner);
        if (assigner->end_use[i] < 0) {
            assigner->end_use[i] = position;
            release(assigner, i, position);
        }
    }
}

static void place_temporaries(struct assigner *assigner)
{
    for (size_t b = 0; b < assigner->ir->block_count; b++) {
        const struct pfpu_block *block = &assigner->ir->blocks[b];
        const int32_t end = block->first + block->count;
        for (int32_t n = block->first; n < end; n++) {
            place_temporary(assigner, assigner->schedule->order[n]);
        }
        if (block->end == PFPU_END_BRANCH) {
            const int32_t position = end + (int32_t)b;
            release(assigner, block->condition, position);
        }
    }
    assigner->cells->cell_count = assigner->cells->constant_count +
                                  (size_t)assigner->ir->slot_count +
                                  (size_t)assigner->temporary_count;
}

static bool prepare(struct assigner *assigner, struct base_arena *scratch)
{
    const size_t count = assigner->ir->count;
    const size_t keys = pfpu_ir_key_count(assigner->ir);
    struct pfpu_cells *cells = assigner->cells;
    size_t table_size = 16;
    while (table_size < count * 2) {
        table_size *= 2;
    }
    cells->cell = base_arena_array(scratch, count, sizeof *cells->cell);
    cells->emitted = base_arena_array(scratch, count, sizeof *cells->emitted);
    cells->constants = base_arena_array(scratch, count, sizeof *cells->constants);
    assigner->block_of = pfpu_ir_blocks_of(assigner->ir, scratch);
    assigner->position = base_arena_array(scratch, count, sizeof *assigner->position);
    assigner->last_use = base_arena_array(scratch, count, sizeof *assigner->last_use);
    assigner->end_use = base_arena_array(scratch, count, sizeof *assigner->end_use);
    assigner->last_read = base_arena_array(scratch, keys, sizeof *assigner->last_read);
    assigner->key_written = base_arena_array(scratch, keys, sizeof *assigner->key_written);
    assigner->free_cells = base_arena_array(scratch, count, sizeof *assigner->free_cells);
    assigner->table = base_arena_array(scratch, table_size, sizeof *assigner->table);
    assigner->table_mask = table_size - 1;
    for (size_t i = 0; i < count && !scratch->failed; i++) {
        assigner->last_use[i] = -1;
        assigner->end_use[i] = -1;
    }
    return !scratch->failed;
}

bool pfpu_cells_assign(struct pfpu_cells *cells, const struct pfpu_ir *ir,
                       const struct pfpu_schedule *schedule, int32_t first_cell,
                       struct base_arena *scratch)
{
    struct assigner assigner = {
        .cells = cells, .ir = ir, .schedule = schedule, .first_cell = first_cell};
    *cells = (struct pfpu_cells){0};
    if (!prepare(&assigner, scratch)) {
        return false;
    }
    find_last_uses(&assigner);
    place_constants(&assigner);
    if (!place_variables(&assigner, scratch)) {
        return false;
    }
    place_temporaries(&assigner);
    return true;
}
