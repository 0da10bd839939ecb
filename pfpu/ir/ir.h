/* Intermediate representation: basic blocks of operations in single assignment form.
 *
 * A value is the index of the instruction that makes it. Variables, registers (reg00..) and slots
 * (cells of the program's own that carry values from block to block) are named by keys. Within a
 * block a key has at most one SET, and its GETs stand before that. Values may be used in every
 * block that their own dominates, but not in a loop that they are made outside of. Blocks stand in
 * the order of the program; only a BRANCH may lead back, to its first target.
 *
 * A program for the coprocessor is one block. Its values are words. It consists of NUMBER (see
 * pfpu_word_of_number), GET, SET and the operations of opcodes.def:
 *   GET of PFPU_KEY_COLUMN, PFPU_KEY_ROW   the indices of the vertex, integers (R0, R1)
 *   GET of another key    a register that is loaded before the run and never changes in it, unless
 *                         there is a SET of the key
 *   SET of a key          at the end of a vertex' run the key's register holds the value; its GETs
 *                         see it for the next vertex, or the CPU reads it after the run
 * Argument 0 of an IF is its condition, true unless all bits are 0; pfpu_legalise gives it a value
 * that goes to R2. There is one VECTOUT, the last instruction but for SETs; programs without one
 * are run once and get a VECTOUT of R0, R0 at their end. */
#ifndef PFPU_IR_IR_H
#define PFPU_IR_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "pfpu/ir/ops.h"

enum {
    PFPU_IR_MAX = 1 << 17,       /* instructions or blocks of one program */
    PFPU_REGISTERS_GLOBAL = 100, /* reg00..reg99 */
    PFPU_NO_VALUE = -1,
};

/* Keys: slots are negative, then registers, then variables. */
static inline int32_t pfpu_key_of_register(int number)
{
    return number;
}

static inline int32_t pfpu_key_of_variable(int variable)
{
    return PFPU_REGISTERS_GLOBAL + variable;
}

static inline int32_t pfpu_key_of_slot(int slot)
{
    return -1 - slot;
}

enum { PFPU_KEY_COLUMN = 0, PFPU_KEY_ROW = 1 }; /* pfpu_key_of_register(0), (1) */

static inline bool pfpu_key_is_slot(int32_t key)
{
    return key < 0;
}

static inline bool pfpu_key_is_register(int32_t key)
{
    return key >= 0 && key < PFPU_REGISTERS_GLOBAL;
}

static inline bool pfpu_key_is_variable(int32_t key)
{
    return key >= PFPU_REGISTERS_GLOBAL;
}

struct pfpu_instruction {
    enum pfpu_op op;
    bool filtered; /* the result passes through the filter of assignments; pure operations only */
    int32_t key;   /* of GET and SET */
    int32_t arguments[3];
    double number;   /* of NUMBER */
    uint32_t offset; /* in the text, for messages; says nothing of what is computed */
};

/* Computes the same from the same values, by bits; where it stands in the text does not count. */
bool pfpu_instruction_same(const struct pfpu_instruction *a, const struct pfpu_instruction *b);
size_t pfpu_instruction_hash(const struct pfpu_instruction *instruction);

enum pfpu_end {
    PFPU_END_RETURN,
    PFPU_END_JUMP,   /* to targets[0] */
    PFPU_END_BRANCH, /* to targets[0] if the condition is true, else to targets[1] */
};

struct pfpu_block {
    int32_t first;
    int32_t count;
    enum pfpu_end end;
    int32_t condition;
    int32_t targets[2];
};

struct pfpu_ir {
    struct pfpu_instruction *instructions;
    size_t count;
    size_t capacity;
    struct pfpu_block *blocks;
    size_t block_count;
    size_t block_capacity;
    int32_t slot_count;
    int32_t key_end; /* above every key */
    struct base_arena *arena;
};

void pfpu_ir_init(struct pfpu_ir *ir, struct base_arena *arena);

/* Makes room for `count` instructions in all, so that appending does not move them. False without
 * memory. */
bool pfpu_ir_reserve(struct pfpu_ir *ir, size_t count);

/* Used by pfpu_ir_append: makes room for one more. False without memory or at the limit. */
bool pfpu_ir_make_room(struct pfpu_ir *ir);

/* Appends to the last block; returns the value, or PFPU_NO_VALUE without memory or at the limit. */
static inline int32_t pfpu_ir_append(struct pfpu_ir *ir, struct pfpu_instruction instruction)
{
    if ((ir->count == ir->capacity || ir->count >= PFPU_IR_MAX) && !pfpu_ir_make_room(ir)) {
        return PFPU_NO_VALUE;
    }
    ir->instructions[ir->count] = instruction;
    ir->blocks[ir->block_count - 1].count++;
    if ((instruction.op == PFPU_OP_GET || instruction.op == PFPU_OP_SET) &&
        instruction.key >= ir->key_end) {
        ir->key_end = instruction.key + 1;
    }
    return (int32_t)ir->count++;
}

/* Opens a block after the last one; it ends with RETURN until told otherwise. Returns its index, or
 * PFPU_NO_VALUE. */
int32_t pfpu_ir_open_block(struct pfpu_ir *ir);

/* Number of targets of a block's end. */
int pfpu_ir_target_count(const struct pfpu_block *block);

/* Keys as array indices: 0 .. pfpu_ir_key_count - 1. */
static inline size_t pfpu_ir_key_index(const struct pfpu_ir *ir, int32_t key)
{
    return (size_t)(key + ir->slot_count);
}

static inline size_t pfpu_ir_key_count(const struct pfpu_ir *ir)
{
    return (size_t)(ir->key_end + ir->slot_count);
}

/* Replaces arguments and conditions: value v becomes renamed[v]. */
void pfpu_ir_rename(struct pfpu_ir *ir, const int32_t *renamed);

/* Keeps only the flagged instructions and blocks, in order. What is kept refers to nothing that
 * goes. False without memory; the program is then unchanged. */
bool pfpu_ir_compact(struct pfpu_ir *ir, const bool *keep, const bool *keep_block);

/* Copy into another arena; false without memory. */
bool pfpu_ir_copy(struct pfpu_ir *copy, const struct pfpu_ir *ir, struct base_arena *arena);

/* Number of uses of each value (arguments and conditions); NULL without memory. */
uint32_t *pfpu_ir_count_uses(const struct pfpu_ir *ir, struct base_arena *scratch);

/* The block of each instruction; NULL without memory. */
int32_t *pfpu_ir_blocks_of(const struct pfpu_ir *ir, struct base_arena *scratch);

#endif
