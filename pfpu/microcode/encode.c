#include "pfpu/microcode/microcode.h"

#include "pfpu/machine/alu.h"
#include "pfpu/machine/machine.h"
#include "pfpu/schedule/register_allocation.h"
#include "pfpu/schedule/schedule.h"

struct encoder {
    const struct pfpu_target *target;
    const struct pfpu_ir *ir;
    const struct pfpu_schedule *schedule;
    const struct pfpu_registers *registers;
    struct pfpu_microcode *microcode;
};

static unsigned register_of(const struct encoder *encoder, int32_t value)
{
    return encoder->registers->of[value];
}

static void encode_operation(const struct encoder *encoder, int32_t i)
{
    const struct pfpu_instruction *instruction = &encoder->ir->instructions[i];
    const int first = instruction->op == PFPU_OP_WORD_IF ? 1 : 0;
    const int operands = pfpu_ops[instruction->op].arity - first;
    const unsigned a = operands > 0 ? register_of(encoder, instruction->arguments[first]) : 0;
    const unsigned b = operands > 1 ? register_of(encoder, instruction->arguments[first + 1]) : 0;
    const uint32_t cycle = encoder->schedule->cycle[i];
    uint32_t *words = encoder->microcode->words;
    words[cycle] |= pfpu_word_make(a, b, pfpu_opcode_of_op(instruction->op), 0);
    if (pfpu_op_has_result(instruction->op)) {
        words[cycle + encoder->target->ops[instruction->op].latency] |= register_of(encoder, i);
    }
    encoder->microcode->operations += instruction->op == PFPU_OP_WORD_VECTOUT ? 0 : 1;
}

static bool list_bindings(const struct encoder *encoder, struct base_arena *arena)
{
    const struct pfpu_registers *registers = encoder->registers;
    const struct pfpu_ir *ir = encoder->ir;
    struct pfpu_microcode *microcode = encoder->microcode;
    size_t sets = 0;
    for (size_t i = 0; i < ir->count; i++) {
        sets += ir->instructions[i].op == PFPU_OP_SET ? 1 : 0;
    }
    microcode->inputs = base_arena_array(arena, registers->pinned_count, sizeof *microcode->inputs);
    microcode->outputs = base_arena_array(arena, sets, sizeof *microcode->outputs);
    if (microcode->inputs == NULL || microcode->outputs == NULL) {
        return false;
    }
    for (uint32_t n = 0; n < registers->pinned_count; n++) {
        microcode->inputs[microcode->input_count++] = registers->pinned[n];
    }
    for (size_t i = 0; i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        if (instruction->op == PFPU_OP_SET) {
            microcode->outputs[microcode->output_count++] = (struct pfpu_binding){
                .number = registers->of[instruction->arguments[0]], .key = instruction->key};
        }
    }
    return true;
}

enum pfpu_fit pfpu_encode(const struct pfpu_target *target, const struct pfpu_ir *ir,
                          const struct pfpu_schedule *schedule, struct base_arena *arena,
                          struct base_arena *scratch, struct pfpu_microcode *microcode)
{
    struct pfpu_registers registers;
    *microcode = (struct pfpu_microcode){.vectout = pfpu_schedule_vectout(target, ir, schedule),
                                         .stages = schedule->stages};
    const enum pfpu_fit fit = pfpu_registers_allocate(target, ir, schedule, scratch, &registers);
    if (fit != PFPU_FITS) {
        return fit;
    }
    if (target->program_size != 0 && microcode->vectout + 2 > target->program_size) {
        return PFPU_FIT_LENGTH;
    }
    const struct encoder encoder = {target, ir, schedule, &registers, microcode};
    microcode->registers = registers.used;
    microcode->length = (size_t)microcode->vectout + 2;
    microcode->words = base_arena_array(arena, microcode->length, sizeof *microcode->words);
    if (microcode->words == NULL) {
        return PFPU_FIT_NO_MEMORY;
    }
    for (int32_t i = 0; (size_t)i < encoder.ir->count; i++) {
        if (!encoder.target->ops[encoder.ir->instructions[i].op].bound) {
            encode_operation(&encoder, i);
        }
    }
    microcode->words[microcode->vectout] |= pfpu_word_make(0, 0, PFPU_OPCODE_VECTOUT, 0);
    microcode->operations++;
    if (!list_bindings(&encoder, arena)) {
        return PFPU_FIT_NO_MEMORY;
    }
    return PFPU_FITS;
}
