#include "pfpu/words.h"

#include "pfpu/alu.h"

static uint32_t operation(const struct pfpu_instruction *instruction, const uint32_t *values)
{
    uint32_t words[3] = {0, 0, 0};
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        words[k] = values[instruction->arguments[k]];
    }
    const unsigned opcode = pfpu_opcode_of_op(instruction->op);
    if (instruction->op == PFPU_OP_WORD_IF) {
        return pfpu_alu(opcode, words[1], words[2], words[0] != 0);
    }
    return pfpu_alu(opcode, words[0], words[1], false);
}

static uint32_t value_of(const struct pfpu_ir *ir, const struct pfpu_instruction *instruction,
                         const uint32_t *keys, const uint32_t *values)
{
    switch (instruction->op) {
    case PFPU_OP_NUMBER:
        return pfpu_word_of_number(instruction->number);
    case PFPU_OP_GET:
        return keys[pfpu_ir_key_index(ir, instruction->key)];
    case PFPU_OP_SET:
        return values[instruction->arguments[0]];
    default:
        return operation(instruction, values);
    }
}

void pfpu_words_run(const struct pfpu_ir *ir, uint32_t *keys, uint32_t *values, uint32_t out[2])
{
    for (size_t i = 0; i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        values[i] = value_of(ir, instruction, keys, values);
        if (instruction->op == PFPU_OP_WORD_VECTOUT) {
            out[0] = values[instruction->arguments[0]];
            out[1] = values[instruction->arguments[1]];
        }
    }
    for (size_t i = 0; i < ir->count; i++) {
        if (ir->instructions[i].op == PFPU_OP_SET) {
            keys[pfpu_ir_key_index(ir, ir->instructions[i].key)] = values[i];
        }
    }
}
