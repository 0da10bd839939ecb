#include "pfpu/machine/machine.h"

#include <assert.h>
#include <string.h>

#include "pfpu/machine/word_kernels.h"

/* ---- targets ---- */

/* spec/pfpu.md section 3. A SET takes no slot: the result that it stores is committed where it
 * belongs. */
#define BOUND                                                                                      \
    [PFPU_OP_NUMBER] = {true, true, 0}, [PFPU_OP_GET] = {true, true, 0},                           \
    [PFPU_OP_SET] = {true, true, 0}
#define COMMON                                                                                     \
    .issue_width = 1, .commit_ports = 1, .read_delay = 1, .registers = 128, .first_register = 3,   \
    .program_size = 2048, .columns = 33, .rows = 33

const struct pfpu_target pfpu_target_milkymist_one = {
    .name = "milkymist-one",
    .ops =
        {
            BOUND,
#define PFPU_OPCODE(name, text, operands, arity, chip, thesis)                                     \
    [PFPU_OP_##name] = {true, false, chip},
#include "pfpu/ir/opcodes.def"
        },
    .hertz = 80000000,
    COMMON,
};

const struct pfpu_target pfpu_target_thesis = {
    .name = "thesis",
    .ops =
        {
            BOUND,
#define PFPU_OPCODE(name, text, operands, arity, chip, thesis)                                     \
    [PFPU_OP_##name] = {true, false, thesis},
#include "pfpu/ir/opcodes.def"
        },
    .hertz = 100000000,
    COMMON,
};

/* ---- arithmetic ---- */

enum {
    SINE_STEPS = 2048, /* in a quarter of a turn */
    SINE_INDEX = 4 * SINE_STEPS - 1,
    SUM_BITS = 26,     /* of a sum of two mantissas, one guard bit included */
    INTEGER_BITS = 31, /* of a magnitude */
    EXPONENT_BIAS = 127,
    EXPONENT_WHOLE = 150, /* of a float whose mantissa is the integer itself */
    EXPONENT_MAX = 255,
    DOUBLE_BIAS = 1023,
};

static const uint32_t sign_bit = 0x80000000u;
static const uint32_t one = 0x3F800000u;
static const uint32_t largest = 0x7F7FFFFFu;
static const uint32_t quake_magic = 0x5F3759DFu;
static const uint32_t hidden_bit = 1u << 23;

static const uint32_t sine_table[SINE_STEPS] = {
#include "pfpu/machine/sine_table.inc"
};

const struct pfpu_opcode_row pfpu_opcodes[PFPU_OPCODE_COUNT] = {
#define PFPU_OPCODE(name, text, operands, arity, latency, thesis)                                  \
    [PFPU_OP_##name - PFPU_OP_WORD_NOP] = {text, operands, latency, thesis},
#include "pfpu/ir/opcodes.def"
};

static uint32_t sign_of(uint32_t x)
{
    return x & sign_bit;
}

static uint32_t exponent_of(uint32_t x)
{
    return (x >> 23) & EXPONENT_MAX;
}

static uint32_t mantissa_of(uint32_t x)
{
    return x & (hidden_bit - 1);
}

/* The exponent wraps. */
static uint32_t float_make(uint32_t sign, uint32_t exponent, uint32_t mantissa)
{
    return sign | (exponent & EXPONENT_MAX) << 23 | mantissa;
}

/* Of a number of so many bits; 31 for 0, as the adder and the conversion want it. */
static uint32_t leading_zeros(uint32_t value, uint32_t bits)
{
    uint32_t zeros = 0;
    value <<= 32 - bits;
    for (uint32_t step = 16; step > 0; step /= 2) {
        if (value >> (32 - step) == 0) {
            value <<= step;
            zeros += step;
        }
    }
    return zeros;
}

static uint32_t guarded(uint32_t x)
{
    return (hidden_bit + mantissa_of(x)) << 1;
}

static uint32_t sum(uint32_t a, uint32_t b)
{
    const bool a_is_bigger = (a & ~sign_bit) > (b & ~sign_bit);
    const uint32_t big = a_is_bigger ? a : b;
    const uint32_t small = a_is_bigger ? b : a;
    const uint32_t distance = exponent_of(big) - exponent_of(small);
    uint32_t result = guarded(big);
    if (exponent_of(small) != 0) {
        const uint32_t shifted = distance < SUM_BITS ? guarded(small) >> distance : 0;
        result = sign_of(a) == sign_of(b) ? result + shifted : result - shifted;
    }
    const uint32_t zeros = leading_zeros(result, SUM_BITS);
    /* 31 zeros are more than there are bits: nothing is left of the mantissa then. */
    const uint32_t normal = zeros < SUM_BITS ? result << zeros : 0;
    return float_make(sign_of(big), exponent_of(big) - zeros + 1, mantissa_of(normal >> 2));
}

static uint32_t integer_of(uint32_t a)
{
    const uint32_t exponent = exponent_of(a);
    const uint32_t whole = hidden_bit + mantissa_of(a);
    uint32_t value = 0;
    if (exponent >= EXPONENT_WHOLE && exponent < EXPONENT_WHOLE + 32) {
        value = whole << (exponent - EXPONENT_WHOLE);
    } else if (exponent < EXPONENT_WHOLE && exponent > EXPONENT_WHOLE - 32) {
        value = whole >> (EXPONENT_WHOLE - exponent);
    }
    value &= ~sign_bit;
    return sign_of(a) != 0 ? 0 - value : value;
}

/* The first quarter of a turn, or from its end backwards. */
static uint32_t quarter(uint32_t index, bool backwards)
{
    const uint32_t step = index & (SINE_STEPS - 1);
    if (!backwards) {
        return sine_table[step];
    }
    return step == 0 ? one : sine_table[SINE_STEPS - step];
}

uint32_t pfpu_alu(unsigned opcode, uint32_t a, uint32_t b, bool flag)
{
    switch (pfpu_op_of_opcode(opcode)) {
    case PFPU_OP_WORD_FADD:
        return sum(a, b);
    case PFPU_OP_WORD_FSUB:
        return sum(a, b ^ sign_bit);
    case PFPU_OP_WORD_FMUL: {
        if (exponent_of(a) == 0 || exponent_of(b) == 0) {
            return 0;
        }
        const uint64_t p = (uint64_t)(hidden_bit + mantissa_of(a)) * (hidden_bit + mantissa_of(b));
        const uint32_t carry = (uint32_t)(p >> 47);
        return float_make(sign_of(a ^ b), exponent_of(a) + exponent_of(b) - EXPONENT_BIAS + carry,
                          mantissa_of((uint32_t)(p >> (23 + carry))));
    }
    case PFPU_OP_WORD_FABS:
        return a & ~sign_bit;
    case PFPU_OP_WORD_F2I:
        return integer_of(a);
    case PFPU_OP_WORD_I2F: {
        if (a == 0) {
            return 0;
        }
        const uint32_t value = (sign_of(a) != 0 ? 0 - a : a) & ~sign_bit;
        const uint32_t zeros = leading_zeros(value, INTEGER_BITS);
        return float_make(sign_of(a), EXPONENT_BIAS + INTEGER_BITS - 1 - zeros,
                          mantissa_of((value << zeros) >> 7));
    }
    case PFPU_OP_WORD_SIN: {
        const uint32_t index = (sign_of(a) != 0 ? 2 * SINE_STEPS - a : a) & SINE_INDEX;
        const uint32_t sign = index >> 12 << 31;
        return sign | quarter(index, (index & SINE_STEPS) != 0);
    }
    case PFPU_OP_WORD_COS: {
        const uint32_t index = (sign_of(a) != 0 ? 0 - a : a) & SINE_INDEX;
        const uint32_t sign = (index >> 12 ^ index >> 11) << 31;
        return sign | quarter(index, (index & SINE_STEPS) == 0);
    }
    case PFPU_OP_WORD_ABOVE:
        if (sign_of(a) != sign_of(b)) {
            return sign_of(a) == 0 ? one : 0;
        }
        return (sign_of(a) == 0 ? a > b : a < b) ? one : 0;
    case PFPU_OP_WORD_EQUAL:
        return a == b ? one : 0;
    case PFPU_OP_WORD_COPY:
        return a;
    case PFPU_OP_WORD_IF:
        return flag ? a : b;
    case PFPU_OP_WORD_TSIGN:
        return (a & ~sign_bit) | sign_of(a ^ b);
    case PFPU_OP_WORD_QUAKE:
        return quake_magic - ((a & ~sign_bit) >> 1);
    default:
        return 0;
    }
}

uint32_t pfpu_word_of_number(double number)
{
    if (number != number) {
        return 0;
    }
    const float single = (float)number;
    uint32_t word = 0;
    memcpy(&word, &single, sizeof word);
    if (exponent_of(word) == 0) {
        return sign_of(word);
    }
    return exponent_of(word) == EXPONENT_MAX ? sign_of(word) | largest : word;
}

double pfpu_number_of_word(uint32_t word)
{
    uint64_t bits = (uint64_t)sign_of(word) << 32;
    if (exponent_of(word) != 0) {
        bits |= (uint64_t)(exponent_of(word) + DOUBLE_BIAS - EXPONENT_BIAS) << 52;
        bits |= (uint64_t)mantissa_of(word) << 29;
    }
    double number = 0;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint32_t lane(const struct pfpu_word_operand *operand, size_t index)
{
    return operand->words[index / PFPU_WORD_GROUP * operand->step + index % PFPU_WORD_GROUP];
}

static void run_plain(const struct pfpu_word_step *step, size_t groups)
{
    const struct pfpu_word_operand *operands = step->operands;
    for (size_t i = 0; i < groups * PFPU_WORD_GROUP; i++) {
        step->result[i] =
            pfpu_alu(step->opcode, lane(&operands[0], i), lane(&operands[1], i), false);
    }
}

static void run_if_plain(const struct pfpu_word_step *step, size_t groups)
{
    const struct pfpu_word_operand *operands = step->operands;
    for (size_t i = 0; i < groups * PFPU_WORD_GROUP; i++) {
        step->result[i] = pfpu_alu(step->opcode, lane(&operands[1], i), lane(&operands[2], i),
                                   lane(&operands[0], i) != 0);
    }
}

pfpu_word_kernel *pfpu_word_kernel_for(enum base_cpu_level level, unsigned opcode)
{
    assert(opcode < PFPU_OPCODE_COUNT);
    static pfpu_word_kernel *const *const tables[BASE_CPU_LEVEL_COUNT] = BASE_CPU_LEVELS(
        NULL, pfpu_word_kernels_four, pfpu_word_kernels_avx2, pfpu_word_kernels_avx2);
    if (tables[level] != NULL && tables[level][opcode] != NULL) {
        return tables[level][opcode];
    }
    return opcode == PFPU_OPCODE_IF ? run_if_plain : run_plain;
}

/* ---- the model ---- */

enum {
    WORD_MASK = (1 << 25) - 1,
    COUNTER_MASK = (1 << 11) - 1,
    VERTICES_MASK = (1 << 14) - 1,
    LAST_MASK = PFPU_MACHINE_SIDE - 1,
    BASE_LOW = 7,
    PIPELINE = 16, /* cycles looked ahead: more than any latency */
    NEVER = PFPU_MACHINE_WORDS,
};

/* An instruction word taken apart. */
struct step {
    uint8_t a;
    uint8_t b;
    uint8_t opcode;
    uint8_t latency; /* 0: no result */
    uint8_t destination;
};

/* What is due in a cycle. */
struct due {
    uint32_t value;
    uint32_t count;
};

struct run {
    struct pfpu_machine *machine;
    struct step steps[PFPU_MACHINE_WORDS];
    uint32_t vectout; /* the word that holds it, or NEVER */
    struct due pipeline[PIPELINE];
};

void pfpu_machine_init(struct pfpu_machine *machine, const struct pfpu_target *target)
{
    *machine = (struct pfpu_machine){.bus_cycles = 2};
    for (unsigned i = 0; i < PFPU_OPCODE_COUNT; i++) {
        machine->latency[i] = target->ops[pfpu_op_of_opcode(i)].latency;
    }
}

void pfpu_machine_set_register(struct pfpu_machine *machine, unsigned number, uint32_t value)
{
    assert(number < PFPU_MACHINE_REGISTERS);
    if (number < PFPU_MACHINE_CONDITION) {
        return;
    }
    machine->registers[number] = value;
    if (number == PFPU_MACHINE_CONDITION) {
        machine->flag = value != 0;
    }
}

void pfpu_machine_load(struct pfpu_machine *machine, const uint32_t *words, size_t count)
{
    assert(count <= PFPU_MACHINE_WORDS);
    memset(machine->code, 0, sizeof machine->code);
    for (size_t i = 0; i < count; i++) {
        machine->code[i] = words[i] & WORD_MASK;
    }
}

static struct step step_of(const struct run *run, uint32_t cycle)
{
    return run->steps[cycle % PFPU_MACHINE_WORDS];
}

static void commit(struct run *run, uint32_t cycle)
{
    struct pfpu_machine *machine = run->machine;
    struct due *due = &run->pipeline[cycle % PIPELINE];
    if (due->count == 0) {
        return;
    }
    const unsigned destination = step_of(run, cycle).destination;
    machine->collisions = (machine->collisions + (due->count > 1)) & COUNTER_MASK;
    machine->stray_writes = (machine->stray_writes + (destination == 0)) & COUNTER_MASK;
    pfpu_machine_set_register(machine, destination, due->value);
    *due = (struct due){0};
}

/* One cycle of a word that does not end the run: operands, then the commit, then the issue. */
static void execute(struct run *run, uint32_t cycle)
{
    struct pfpu_machine *machine = run->machine;
    const struct step step = step_of(run, cycle);
    const uint32_t a = machine->registers[step.a];
    const uint32_t b = machine->registers[step.b];
    commit(run, cycle);
    if (step.latency > 0) {
        struct due *due = &run->pipeline[(cycle + step.latency) % PIPELINE];
        due->value |= pfpu_alu(step.opcode, a, b, machine->flag);
        due->count++;
    }
}

static void place(struct pfpu_machine *machine, uint32_t column, uint32_t row)
{
    machine->registers[0] = column;
    machine->registers[1] = row;
}

static void write_word(struct run *run, const struct pfpu_machine_bus *bus, uint32_t address,
                       uint32_t data)
{
    run->machine->last_write = address;
    if (bus != NULL) {
        bus->write(bus->user, address, data);
    }
}

static void run_vertex(struct run *run, const struct pfpu_machine_bus *bus, uint32_t address)
{
    struct pfpu_machine *machine = run->machine;
    memset(run->pipeline, 0, sizeof run->pipeline);
    for (uint32_t cycle = 0; cycle < run->vectout; cycle++) {
        execute(run, cycle);
    }
    const struct step last = step_of(run, run->vectout);
    const uint32_t a = machine->registers[last.a];
    const uint32_t b = machine->registers[last.b];
    commit(run, run->vectout);
    commit(run, run->vectout + 1);
    write_word(run, bus, address, a);
    write_word(run, bus, address + 4, b);
    machine->vertices = (machine->vertices + 1) & VERTICES_MASK;
    machine->cycles += run->vectout + 3 + 2 * (uint64_t)machine->bus_cycles;
}

bool pfpu_machine_run(struct pfpu_machine *machine, const struct pfpu_machine_bus *bus)
{
    struct run run;
    /* Without jumps each vertex takes the same way: up to the first VECTOUT and one word more. */
    run.machine = machine;
    run.vectout = NEVER;
    for (uint32_t i = 0; i < PFPU_MACHINE_WORDS && i <= run.vectout + 1; i++) {
        const uint32_t word = machine->code[i];
        const unsigned opcode = pfpu_word_opcode(word);
        assert(machine->latency[opcode] < PIPELINE);
        run.steps[i] = (struct step){.a = (uint8_t)pfpu_word_a(word),
                                     .b = (uint8_t)pfpu_word_b(word),
                                     .opcode = (uint8_t)opcode,
                                     .latency = machine->latency[opcode],
                                     .destination = (uint8_t)pfpu_word_destination(word)};
        if (run.vectout == NEVER && run.steps[i].opcode == PFPU_OPCODE_VECTOUT) {
            run.vectout = i;
        }
    }
    machine->vertices = 0;
    machine->collisions = 0;
    machine->stray_writes = 0;
    machine->cycles = 0;
    place(machine, 0, 0);
    if (run.vectout == NEVER) {
        /* Until everything has been seen that would go round for ever. */
        memset(run.pipeline, 0, sizeof run.pipeline);
        for (uint32_t cycle = 0; cycle < 2 * PFPU_MACHINE_WORDS; cycle++) {
            execute(&run, cycle);
        }
        run.machine->cycles = 2 * PFPU_MACHINE_WORDS;
        return false;
    }
    const uint32_t base = machine->mesh_base & ~(uint32_t)BASE_LOW;
    for (uint32_t y = 0; y <= (machine->last_row & LAST_MASK); y++) {
        for (uint32_t x = 0; x <= (machine->last_column & LAST_MASK); x++) {
            place(machine, x, y);
            run_vertex(&run, bus, base + PFPU_MACHINE_ROW * y + PFPU_MACHINE_VERTEX * x);
        }
    }
    return true;
}
