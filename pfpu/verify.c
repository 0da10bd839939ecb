#include "pfpu/passes.h"

struct verifier {
    const struct pfpu_ir *ir;
    struct base_arena *scratch;
    int32_t *block_of;
    int32_t *dominator; /* of each block; the entry's is itself, -1: not reached */
    int32_t *set_in;    /* by key index: block + 1 that holds its SET */
};

static const char *check_block_frame(const struct verifier *verifier, size_t b, int32_t *next)
{
    const struct pfpu_block *block = &verifier->ir->blocks[b];
    if (block->first != *next || block->count < 0) {
        return "blocks do not cover the instructions in order";
    }
    *next += block->count;
    for (int k = 0; k < pfpu_ir_target_count(block); k++) {
        if (block->targets[k] < 0 || (size_t)block->targets[k] >= verifier->ir->block_count) {
            return "a block ends with a target that does not exist";
        }
        const bool back = (size_t)block->targets[k] <= b;
        if (back && (block->end != PFPU_END_BRANCH || k != 0)) {
            return "only the first target of a branch may lead back";
        }
    }
    return NULL;
}

static const char *check_frames(const struct verifier *verifier)
{
    int32_t next = 0;
    if (verifier->ir->block_count == 0) {
        return "no block";
    }
    for (size_t b = 0; b < verifier->ir->block_count; b++) {
        const char *wrong = check_block_frame(verifier, b, &next);
        if (wrong != NULL) {
            return wrong;
        }
    }
    return (size_t)next == verifier->ir->count ? NULL : "instructions outside of every block";
}

static int32_t common_dominator(const int32_t *dominator, int32_t a, int32_t b)
{
    while (a != b) {
        if (a > b) {
            a = dominator[a];
        } else {
            b = dominator[b];
        }
    }
    return a;
}

/* Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm": one sweep is enough because blocks
 * stand in reverse postorder and a loop is entered at its head only. */
static void find_dominators(struct verifier *verifier)
{
    const struct pfpu_ir *ir = verifier->ir;
    for (size_t b = 0; b < ir->block_count; b++) {
        verifier->dominator[b] = b == 0 ? 0 : -1;
    }
    for (size_t b = 0; b < ir->block_count; b++) {
        for (int k = 0; k < pfpu_ir_target_count(&ir->blocks[b]); k++) {
            const int32_t target = ir->blocks[b].targets[k];
            if ((size_t)target <= b || verifier->dominator[b] < 0) {
                continue;
            }
            int32_t *dominator = &verifier->dominator[target];
            *dominator = *dominator < 0
                             ? (int32_t)b
                             : common_dominator(verifier->dominator, *dominator, (int32_t)b);
        }
    }
}

static bool dominates(const struct verifier *verifier, int32_t over, int32_t under)
{
    while (under > over) {
        under = verifier->dominator[under];
    }
    return under == over;
}

static bool enters_loop(const struct pfpu_ir *ir, int32_t from, int32_t to)
{
    for (int32_t b = to; (size_t)b < ir->block_count; b++) {
        const struct pfpu_block *block = &ir->blocks[b];
        if (block->end == PFPU_END_BRANCH && block->targets[0] <= b && block->targets[0] > from &&
            block->targets[0] <= to) {
            return true;
        }
    }
    return false;
}

/* user: an instruction's index, or ir->count for the end of the block. */
static const char *check_use(const struct verifier *verifier, int32_t value, size_t user,
                             int32_t block)
{
    const struct pfpu_ir *ir = verifier->ir;
    if (value < 0 || (size_t)value >= ir->count || (size_t)value >= user) {
        return "a value is used before it is made";
    }
    if (!pfpu_op_has_result(ir->instructions[value].op)) {
        return "the result of an operation without result is used";
    }
    const int32_t home = verifier->block_of[value];
    if (home == block || verifier->dominator[block] < 0) {
        return NULL;
    }
    if (!dominates(verifier, home, block)) {
        return "a value is used in a block that can be reached without making it";
    }
    return enters_loop(ir, home, block) ? "a value from outside is used in a loop" : NULL;
}

static const char *check_key(const struct verifier *verifier,
                             const struct pfpu_instruction *instruction, int32_t block)
{
    const struct pfpu_ir *ir = verifier->ir;
    if (instruction->key < -ir->slot_count || instruction->key >= ir->key_end) {
        return "a key that does not exist";
    }
    int32_t *set_in = &verifier->set_in[pfpu_ir_key_index(ir, instruction->key)];
    if (*set_in == block + 1) {
        return "a variable is read or set again behind its SET";
    }
    if (instruction->op == PFPU_OP_SET) {
        *set_in = block + 1;
    }
    return NULL;
}

static const char *check_instruction(const struct verifier *verifier, size_t i)
{
    const struct pfpu_instruction *instruction = &verifier->ir->instructions[i];
    const int32_t block = verifier->block_of[i];
    if (instruction->op >= PFPU_OP_COUNT) {
        return "an operation that does not exist";
    }
    const struct pfpu_op_row *row = &pfpu_ops[instruction->op];
    if (instruction->filtered && row->kind != PFPU_OP_KIND_PURE) {
        return "a filter on an operation that has none";
    }
    for (int k = 0; k < row->arity; k++) {
        const char *wrong = check_use(verifier, instruction->arguments[k], i, block);
        if (wrong != NULL) {
            return wrong;
        }
    }
    const bool keyed = row->kind == PFPU_OP_KIND_GET || row->kind == PFPU_OP_KIND_SET;
    return keyed ? check_key(verifier, instruction, block) : NULL;
}

static const char *check_program(struct verifier *verifier)
{
    const struct pfpu_ir *ir = verifier->ir;
    for (size_t i = 0; i < ir->count; i++) {
        const char *wrong = check_instruction(verifier, i);
        if (wrong != NULL) {
            return wrong;
        }
    }
    for (size_t b = 0; b < ir->block_count; b++) {
        const struct pfpu_block *block = &ir->blocks[b];
        if (block->end == PFPU_END_BRANCH) {
            const size_t end = (size_t)(block->first + block->count);
            const char *wrong = check_use(verifier, block->condition, end, (int32_t)b);
            if (wrong != NULL) {
                return wrong;
            }
        }
    }
    return NULL;
}

const char *pfpu_verify(const struct pfpu_ir *ir, struct base_arena *scratch)
{
    struct verifier verifier = {.ir = ir, .scratch = scratch};
    const char *wrong = check_frames(&verifier);
    if (wrong != NULL) {
        return wrong;
    }
    verifier.block_of = pfpu_ir_blocks_of(ir, scratch);
    verifier.dominator = base_arena_array(scratch, ir->block_count, sizeof *verifier.dominator);
    verifier.set_in = base_arena_array(scratch, pfpu_ir_key_count(ir), sizeof *verifier.set_in);
    if (verifier.block_of == NULL || verifier.dominator == NULL || verifier.set_in == NULL) {
        return NULL;
    }
    find_dominators(&verifier);
    return check_program(&verifier);
}
