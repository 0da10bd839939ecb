#include "pfpu/prove_symbols.h"

#include "pfpu/alu.h"
#include "pfpu/machine.h"

enum term_kind { OPERATION, CONSTANT, KEY, COLUMN, UNKNOWN };

/* A term is its number in the list. */
struct term {
    enum term_kind kind;
    uint32_t what; /* opcode, word, key, run or register */
    int32_t arguments[3];
};

struct prover {
    const struct pfpu_target *target;
    const struct pfpu_ir *ir;
    const struct pfpu_microcode *microcode;
    struct term *terms;
    int32_t term_count;
    int32_t *table; /* term + 1, by hash */
    uint32_t mask;
    int32_t registers[PFPU_MACHINE_REGISTERS];
    int32_t flag; /* the term that decides IFs */
    int32_t *due; /* by word: result to be committed */
    int32_t out[2];
    int32_t *values; /* of the IR */
};

static uint32_t hash_of(const struct term *term)
{
    uint64_t hash = ((uint64_t)term->kind << 32) | term->what;
    for (int k = 0; k < 3; k++) {
        hash = (hash ^ (uint32_t)term->arguments[k]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 32);
}

static bool same(const struct term *a, const struct term *b)
{
    return a->kind == b->kind && a->what == b->what && a->arguments[0] == b->arguments[0] &&
           a->arguments[1] == b->arguments[1] && a->arguments[2] == b->arguments[2];
}

static int32_t term_of(struct prover *prover, struct term term)
{
    uint32_t place = hash_of(&term) & prover->mask;
    while (prover->table[place] != 0 && !same(&prover->terms[prover->table[place] - 1], &term)) {
        place = (place + 1) & prover->mask;
    }
    if (prover->table[place] == 0) {
        prover->terms[prover->term_count++] = term;
        prover->table[place] = prover->term_count;
    }
    return prover->table[place] - 1;
}

static int32_t leaf(struct prover *prover, enum term_kind kind, uint32_t what)
{
    return term_of(prover, (struct term){.kind = kind, .what = what});
}

/* The operands that the machine does not look at are left out; a copy is what it copies. */
static int32_t operation(struct prover *prover, unsigned opcode, int32_t a, int32_t b, int32_t flag)
{
    if (pfpu_op_of_opcode(opcode) == PFPU_OP_WORD_COPY) {
        return a;
    }
    const uint8_t operands = pfpu_opcodes[opcode].operands;
    const struct term term = {.kind = OPERATION,
                              .what = opcode,
                              .arguments = {operands > 0 ? a : 0, operands > 1 ? b : 0,
                                            opcode == PFPU_OPCODE_IF ? flag : 0}};
    return term_of(prover, term);
}

static bool allocate(struct prover *prover, struct base_arena *scratch)
{
    const size_t runs = prover->microcode->stages;
    const size_t room =
        prover->ir->count + runs * (prover->microcode->length + 1) + 2 * PFPU_MACHINE_REGISTERS + 2;
    uint32_t size = 64;
    while (size < 2 * room) {
        size *= 2;
    }
    prover->mask = size - 1;
    prover->terms = base_arena_array(scratch, room, sizeof *prover->terms);
    prover->table = base_arena_array(scratch, size, sizeof *prover->table);
    prover->due = base_arena_array(scratch, prover->microcode->length, sizeof *prover->due);
    prover->values = base_arena_array(scratch, prover->ir->count, sizeof *prover->values);
    return !scratch->failed;
}

static void load_registers(struct prover *prover)
{
    const struct pfpu_microcode *microcode = prover->microcode;
    for (uint32_t n = 0; n < PFPU_MACHINE_REGISTERS; n++) {
        prover->registers[n] = leaf(prover, UNKNOWN, n);
    }
    prover->flag = leaf(prover, UNKNOWN, PFPU_MACHINE_REGISTERS);
    for (size_t i = 0; i < microcode->input_count; i++) {
        const struct pfpu_binding *input = &microcode->inputs[i];
        prover->registers[input->number] = input->constant
                                               ? leaf(prover, CONSTANT, input->word)
                                               : leaf(prover, KEY, (uint32_t)input->key);
    }
    prover->registers[1] = leaf(prover, KEY, PFPU_KEY_ROW);
}

static void commit(struct prover *prover, unsigned destination, int32_t term)
{
    if (destination > 1) {
        prover->registers[destination] = term;
    }
    prover->flag = destination == PFPU_MACHINE_CONDITION ? term : prover->flag;
}

static void run_vertex(struct prover *prover, uint32_t column)
{
    const struct pfpu_microcode *microcode = prover->microcode;
    prover->registers[0] = leaf(prover, COLUMN, column);
    for (size_t i = 0; i < microcode->length; i++) {
        prover->due[i] = -1;
    }
    for (size_t i = 0; i < microcode->length; i++) {
        const uint32_t word = microcode->words[i];
        const unsigned opcode = pfpu_word_opcode(word);
        const int32_t a = prover->registers[pfpu_word_a(word)];
        const int32_t b = prover->registers[pfpu_word_b(word)];
        if (prover->due[i] >= 0) {
            commit(prover, pfpu_word_destination(word), prover->due[i]);
        }
        const uint8_t latency = prover->target->ops[pfpu_op_of_opcode(opcode)].latency;
        if (latency > 0 && i + latency < microcode->length) {
            prover->due[i + latency] = operation(prover, opcode, a, b, prover->flag);
        }
        if (i == microcode->vectout) {
            prover->out[0] = a;
            prover->out[1] = b;
        }
    }
}

static int32_t get(struct prover *prover, int32_t key)
{
    return key == PFPU_KEY_COLUMN ? leaf(prover, COLUMN, 0) : leaf(prover, KEY, (uint32_t)key);
}

static int32_t value_of(struct prover *prover, const struct pfpu_instruction *instruction)
{
    const int32_t *values = prover->values;
    const int32_t *arguments = instruction->arguments;
    const int arity = pfpu_ops[instruction->op].arity;
    switch (instruction->op) {
    case PFPU_OP_NUMBER:
        return leaf(prover, CONSTANT, pfpu_word_of_number(instruction->number));
    case PFPU_OP_GET:
        return get(prover, instruction->key);
    case PFPU_OP_SET:
        return values[arguments[0]];
    case PFPU_OP_WORD_IF:
        return operation(prover, PFPU_OPCODE_IF, values[arguments[1]], values[arguments[2]],
                         values[arguments[0]]);
    default:
        return operation(prover, pfpu_opcode_of_op(instruction->op),
                         arity > 0 ? values[arguments[0]] : 0, arity > 1 ? values[arguments[1]] : 0,
                         0);
    }
}

static const char *compare_output(struct prover *prover, const struct pfpu_instruction *instruction)
{
    if (instruction->op == PFPU_OP_WORD_VECTOUT) {
        const bool right = prover->out[0] == prover->values[instruction->arguments[0]] &&
                           prover->out[1] == prover->values[instruction->arguments[1]];
        return right ? NULL : "the VECTOUT does not write what the program computes";
    }
    if (instruction->op != PFPU_OP_SET) {
        return NULL;
    }
    for (size_t i = 0; i < prover->microcode->output_count; i++) {
        const struct pfpu_binding *output = &prover->microcode->outputs[i];
        if (output->key == instruction->key) {
            const int32_t value = prover->values[instruction->arguments[0]];
            return prover->registers[output->number] == value
                       ? NULL
                       : "a register does not hold at the end what the program sets";
        }
    }
    return "what the program sets has no register";
}

const char *pfpu_prove_symbols(const struct pfpu_target *target, const struct pfpu_ir *ir,
                               const struct pfpu_microcode *microcode, struct base_arena *scratch)
{
    struct prover prover = {.target = target, .ir = ir, .microcode = microcode};
    if (!allocate(&prover, scratch)) {
        return PFPU_PROVE_NO_MEMORY;
    }
    load_registers(&prover);
    for (uint32_t column = 0; column < microcode->stages; column++) {
        run_vertex(&prover, column);
    }
    for (size_t i = 0; i < ir->count; i++) {
        prover.values[i] = value_of(&prover, &ir->instructions[i]);
    }
    const char *wrong = NULL;
    for (size_t i = 0; wrong == NULL && i < ir->count; i++) {
        wrong = compare_output(&prover, &ir->instructions[i]);
    }
    return wrong;
}
