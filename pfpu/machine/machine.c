#include "pfpu/machine/machine.h"

#include <assert.h>
#include <string.h>

#include "pfpu/machine/alu.h"
#include "pfpu/machine/target.h"

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

static struct step decode(const struct pfpu_machine *machine, uint32_t word)
{
    const unsigned opcode = pfpu_word_opcode(word);
    assert(machine->latency[opcode] < PIPELINE);
    return (struct step){
        .a = (uint8_t)pfpu_word_a(word),
        .b = (uint8_t)pfpu_word_b(word),
        .opcode = (uint8_t)opcode,
        .latency = machine->latency[opcode],
        .destination = (uint8_t)pfpu_word_destination(word),
    };
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
        run.steps[i] = decode(machine, machine->code[i]);
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
