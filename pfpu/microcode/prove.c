#include "pfpu/microcode/microcode.h"

#include <string.h>

#include "base/cpu.h"
#include "base/random.h"
#include "pfpu/machine/machine.h"
#include "pfpu/microcode/words.h"

/* Floats that equations have, integers, rare ones, and any word at all. */
static inline uint32_t random_word(struct base_rng *rng)
{
    const uint32_t bits = base_rng_next(rng);
    switch (base_rng_next(rng) % 8) {
    case 0:
        return bits;
    case 1:
        return 0;
    case 2:
        return pfpu_word_of_number((double)(int32_t)bits);
    case 3:
        return bits % 16384;
    case 4:
        return pfpu_word_of_number((double)(int32_t)bits * 0x1p-60);
    default:
        return pfpu_word_of_number((double)(int32_t)bits * 0x1p-29);
    }
}

/* What a program computes, as terms instead of numbers. Equal terms are equal numbers whatever the
 * registers hold. */

#define PFPU_PROVE_NO_MEMORY "there is not enough memory for a proof"

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

static bool same(const struct term *a, const struct term *b)
{
    return a->kind == b->kind && a->what == b->what && a->arguments[0] == b->arguments[0] &&
           a->arguments[1] == b->arguments[1] && a->arguments[2] == b->arguments[2];
}

static int32_t term_of(struct prover *prover, struct term term)
{
    uint64_t hash = ((uint64_t)term.kind << 32) | term.what;
    for (int k = 0; k < 3; k++) {
        hash = (hash ^ (uint32_t)term.arguments[k]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    uint32_t place = (uint32_t)(hash >> 32) & prover->mask;
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
            const unsigned destination = pfpu_word_destination(word);
            const int32_t term = prover->due[i];
            if (destination > 1) {
                prover->registers[destination] = term;
            }
            prover->flag = destination == PFPU_MACHINE_CONDITION ? term : prover->flag;
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

/* Runs the words for as many vertices as are under way at a time, from registers of which only the
 * loaded ones are known, and compares the last vertex with the IR's terms. NULL if they are the
 * same, PFPU_PROVE_NO_MEMORY, or what differs. The words have passed all checks of timing. */
static const char *prove_symbols(const struct pfpu_target *target, const struct pfpu_ir *ir,
                                 const struct pfpu_microcode *microcode, struct base_arena *scratch)
{
    struct prover prover = {.target = target, .ir = ir, .microcode = microcode};
    const size_t runs = prover.microcode->stages;
    const size_t room =
        prover.ir->count + runs * (prover.microcode->length + 1) + 2 * PFPU_MACHINE_REGISTERS + 2;
    uint32_t size = 64;
    while (size < 2 * room) {
        size *= 2;
    }
    prover.mask = size - 1;
    prover.terms = base_arena_array(scratch, room, sizeof *prover.terms);
    prover.table = base_arena_array(scratch, size, sizeof *prover.table);
    prover.due = base_arena_array(scratch, prover.microcode->length, sizeof *prover.due);
    prover.values = base_arena_array(scratch, prover.ir->count, sizeof *prover.values);
    if (scratch->failed) {
        return PFPU_PROVE_NO_MEMORY;
    }
    for (uint32_t n = 0; n < PFPU_MACHINE_REGISTERS; n++) {
        prover.registers[n] = leaf(&prover, UNKNOWN, n);
    }
    prover.flag = leaf(&prover, UNKNOWN, PFPU_MACHINE_REGISTERS);
    for (size_t i = 0; i < microcode->input_count; i++) {
        const struct pfpu_binding *input = &microcode->inputs[i];
        prover.registers[input->number] = input->constant
                                              ? leaf(&prover, CONSTANT, input->word)
                                              : leaf(&prover, KEY, (uint32_t)input->key);
    }
    prover.registers[1] = leaf(&prover, KEY, PFPU_KEY_ROW);
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

enum {
    COLUMNS = 33, /* if the target leaves them open */
    ROWS = 5,
    BASE = 0x40100000, /* of the mesh */
    ROW_WORDS = PFPU_MACHINE_ROW / 4,
    VERTEX_WORDS = PFPU_MACHINE_VERTEX / 4,
};

/* Where the words that the machine writes end up: from the first vertex of the shifted base on. */
struct memory {
    uint32_t *words;
    bool *written;
    size_t count;
    uint32_t base;
    bool outside;
};

struct trial {
    const struct pfpu_target *target;
    const struct pfpu_ir *ir;
    const struct pfpu_microcode *microcode;
    struct base_rng rng;
    uint32_t columns;
    uint32_t rows;
    struct memory memory;
    struct pfpu_machine *machine;
    uint32_t *keys;
    uint32_t *values;
    bool writes; /* the program has a VECTOUT of its own */
};

static const char *check_frame(const struct pfpu_target *target,
                               const struct pfpu_microcode *microcode)
{
    if (microcode->length != (size_t)microcode->vectout + 2) {
        return "the program does not end behind the word after its VECTOUT";
    }
    if (microcode->length > PFPU_MACHINE_WORDS ||
        (target->program_size != 0 && microcode->length > target->program_size)) {
        return "the program is longer than the program memory";
    }
    for (size_t i = 0; i < microcode->length; i++) {
        const bool is_vectout = pfpu_word_opcode(microcode->words[i]) == PFPU_OPCODE_VECTOUT;
        if (is_vectout != (i == microcode->vectout)) {
            return "a VECTOUT is missing, or stands where none belongs";
        }
    }
    if (pfpu_word_opcode(microcode->words[microcode->vectout + 1]) != PFPU_OPCODE_NOP) {
        return "an operation stands behind the VECTOUT";
    }
    if (microcode->stages < 1 || microcode->stages > PFPU_STAGES_MAX ||
        (microcode->stages > 1 && microcode->output_count > 0)) {
        return "the number of stages is not possible";
    }
    return NULL;
}

static const char *check_commits(const struct pfpu_target *target,
                                 const struct pfpu_microcode *microcode)
{
    uint8_t due[PFPU_MACHINE_WORDS] = {0};
    bool loaded[PFPU_MACHINE_REGISTERS] = {false};
    /* Registers that the program must leave alone. */
    for (size_t i = 0; i < microcode->input_count; i++) {
        const struct pfpu_binding *input = &microcode->inputs[i];
        bool carried = false;
        for (size_t n = 0; n < microcode->output_count; n++) {
            const struct pfpu_binding *output = &microcode->outputs[n];
            carried |=
                !input->constant && output->key == input->key && output->number == input->number;
        }
        loaded[input->number] = !carried;
    }
    for (size_t i = 0; i < microcode->length; i++) {
        const uint32_t word = microcode->words[i];
        const unsigned destination = pfpu_word_destination(word);
        const uint8_t latency = target->ops[pfpu_op_of_opcode(pfpu_word_opcode(word))].latency;
        if (i + latency >= microcode->length) {
            return "a result is still under way when the program ends";
        }
        if (latency > 0 && ++due[i + latency] > 1) {
            return "two results are committed in one word";
        }
        if (due[i] > 0 && destination < PFPU_MACHINE_CONDITION) {
            return "a result is committed to no register";
        }
        if (due[i] == 0 && destination != 0) {
            return "a register waits for a result in a word in which there is none";
        }
        if (due[i] > 0 && loaded[destination]) {
            return "a register that is loaded before the run is overwritten";
        }
    }
    return NULL;
}

/* The input that is loaded for a key, or NULL. */
static const struct pfpu_binding *input_of(const struct pfpu_microcode *microcode, int32_t key)
{
    for (size_t i = 0; i < microcode->input_count; i++) {
        if (!microcode->inputs[i].constant && microcode->inputs[i].key == key) {
            return &microcode->inputs[i];
        }
    }
    return NULL;
}

static const char *check_bindings(const struct pfpu_ir *ir, const struct pfpu_microcode *microcode)
{
    bool bound[PFPU_MACHINE_REGISTERS] = {false};
    for (size_t i = 0; i < microcode->input_count; i++) {
        const uint8_t number = microcode->inputs[i].number;
        if (number <= PFPU_MACHINE_CONDITION || number >= PFPU_MACHINE_REGISTERS || bound[number]) {
            return "an input has no register of its own";
        }
        bound[number] = true;
        const struct pfpu_binding *input = &microcode->inputs[i];
        if (!input->constant &&
            (pfpu_key_is_register(input->key) || input_of(microcode, input->key) != input)) {
            return "a register is loaded with what another one holds";
        }
    }
    for (size_t i = 0; i < microcode->output_count; i++) {
        const struct pfpu_binding *output = &microcode->outputs[i];
        const struct pfpu_binding *input = input_of(microcode, output->key);
        if (output->number <= PFPU_MACHINE_CONDITION || output->number >= PFPU_MACHINE_REGISTERS) {
            return "an output has no register";
        }
        size_t sets = 0;
        for (size_t k = 0; k < ir->count; k++) {
            const struct pfpu_instruction *set = &ir->instructions[k];
            sets += set->op == PFPU_OP_SET && set->key == output->key ? 1 : 0;
        }
        if (sets != 1) {
            return "an output is not what the program stores";
        }
        if (input != NULL && input->number != output->number) {
            return "what goes to the next vertex is not where that reads it";
        }
    }
    return NULL;
}

static void write_memory(void *user, uint32_t address, uint32_t data)
{
    struct memory *memory = user;
    const uint32_t word = (address - memory->base) / 4;
    if (address < memory->base || word >= memory->count) {
        memory->outside = true;
        return;
    }
    memory->words[word] = data;
    memory->written[word] = true;
}

static void set_key(const struct trial *trial, int32_t key, uint32_t word)
{
    if (key < trial->ir->key_end && key >= -trial->ir->slot_count) {
        trial->keys[pfpu_ir_key_index(trial->ir, key)] = word;
    }
}

static const char *compare_run(struct trial *trial)
{
    const size_t extra = trial->microcode->stages - 1;
    for (uint32_t row = 0; row < trial->rows; row++) {
        for (uint32_t column = 0; column < trial->columns; column++) {
            const size_t word = row * (size_t)ROW_WORDS + (column + extra) * VERTEX_WORDS;
            uint32_t out[2] = {0, 0};
            bool *written = &trial->memory.written[word];
            set_key(trial, PFPU_KEY_COLUMN, column);
            set_key(trial, PFPU_KEY_ROW, row);
            pfpu_words_run(trial->ir, trial->keys, trial->values, out);
            if (!written[0] || !written[1] ||
                (trial->writes && memcmp(out, &trial->memory.words[word], sizeof out) != 0)) {
                return "a vertex differs from what the program computes";
            }
            written[0] = false;
            written[1] = false;
        }
    }
    if (trial->memory.outside) {
        return "words are written outside of the mesh";
    }
    /* What is written besides the mesh lies right before it or in columns that the mesh does not
     * have. */
    for (size_t word = 0; word < trial->memory.count; word++) {
        if (trial->memory.written[word] && word % ROW_WORDS >= extra * VERTEX_WORDS) {
            return "words are written outside of the mesh";
        }
    }
    for (size_t i = 0; i < trial->microcode->output_count; i++) {
        const struct pfpu_binding *output = &trial->microcode->outputs[i];
        if (trial->machine->registers[output->number] !=
            trial->keys[pfpu_ir_key_index(trial->ir, output->key)]) {
            return "a register differs from what the program sets";
        }
    }
    return NULL;
}

static const char *run_trial(struct trial *trial)
{
    struct memory *memory = &trial->memory;
    const struct pfpu_machine_bus bus = {write_memory, memory};
    memset(memory->written, 0, memory->count * sizeof *memory->written);
    const struct pfpu_microcode *microcode = trial->microcode;
    pfpu_machine_init(trial->machine, trial->target);
    pfpu_machine_load(trial->machine, microcode->words, microcode->length);
    for (unsigned n = PFPU_MACHINE_CONDITION; n < PFPU_MACHINE_REGISTERS; n++) {
        pfpu_machine_set_register(trial->machine, n, random_word(&trial->rng));
    }
    for (size_t i = 0; i < microcode->input_count; i++) {
        const struct pfpu_binding *input = &microcode->inputs[i];
        if (input->constant) {
            pfpu_machine_set_register(trial->machine, input->number, input->word);
        } else {
            set_key(trial, input->key, trial->machine->registers[input->number]);
        }
    }
    trial->machine->mesh_base = memory->base;
    trial->machine->last_column = trial->columns - 1 + microcode->stages - 1;
    trial->machine->last_row = trial->rows - 1;
    if (!pfpu_machine_run(trial->machine, &bus)) {
        return "a run does not end";
    }
    if (trial->machine->collisions != 0 || trial->machine->stray_writes != 0) {
        return "the machine counts collisions or stray writes";
    }
    return compare_run(trial);
}

static const char *run_trials(const struct pfpu_target *target, const struct pfpu_ir *ir,
                              const struct pfpu_microcode *microcode, uint64_t seed,
                              uint32_t trials, struct base_arena *scratch)
{
    struct trial trial = {.target = target, .ir = ir, .microcode = microcode};
    const char *wrong = NULL;
    const uint32_t extra = trial.microcode->stages - 1;
    for (size_t i = 0; i < ir->count; i++) {
        trial.writes |= ir->instructions[i].op == PFPU_OP_WORD_VECTOUT;
    }
    trial.columns = !trial.writes                ? 1
                    : trial.target->columns == 0 ? COLUMNS
                                                 : trial.target->columns;
    trial.rows = trial.writes ? ROWS : 1;
    trial.memory.base = BASE - extra * PFPU_MACHINE_VERTEX;
    trial.memory.count = (size_t)trial.rows * ROW_WORDS + extra * VERTEX_WORDS;
    trial.memory.words = base_arena_array(scratch, trial.memory.count, sizeof *trial.memory.words);
    trial.memory.written =
        base_arena_array(scratch, trial.memory.count, sizeof *trial.memory.written);
    trial.machine = base_arena_alloc(scratch, sizeof *trial.machine);
    trial.keys = base_arena_array(scratch, pfpu_ir_key_count(ir), sizeof *trial.keys);
    trial.values = base_arena_array(scratch, ir->count, sizeof *trial.values);
    if (scratch->failed) {
        return PFPU_PROVE_NO_MEMORY;
    }
    if (trial.columns + microcode->stages - 1 > PFPU_MACHINE_SIDE) {
        return "the extra columns do not fit into a row of memory";
    }
    for (uint32_t n = 0; wrong == NULL && n < trials; n++) {
        base_rng_seed(&trial.rng, seed, n);
        wrong = run_trial(&trial);
    }
    return wrong;
}

const char *pfpu_prove(const struct pfpu_target *target, const struct pfpu_ir *ir,
                       const struct pfpu_microcode *microcode, uint64_t seed, uint32_t trials,
                       struct base_arena *scratch)
{
    const char *wrong = check_frame(target, microcode);
    wrong = wrong != NULL ? wrong : check_bindings(ir, microcode);
    wrong = wrong != NULL ? wrong : check_commits(target, microcode);
    wrong = wrong != NULL ? wrong : prove_symbols(target, ir, microcode, scratch);
    return wrong != NULL ? wrong : run_trials(target, ir, microcode, seed, trials, scratch);
}

/* More columns than one chunk of lanes, and no multiple of anything. */
enum { BATCH = 64, LANES_COLUMNS = 131, LANES_ROWS = 3 };

/* One batch of register files through the IR one by one and through lanes. */
struct batch {
    const struct pfpu_ir *ir;
    size_t keys;
    uint32_t *files; /* as the lanes leave them */
    uint32_t *expected;
    uint32_t *values;
    uint32_t out[BATCH][2];
};

static bool lanes_agree(struct batch *batch, struct pfpu_word_lanes *lanes, struct base_rng *rng)
{
    uint32_t out[BATCH][2] = {{0}};
    const size_t words = BATCH * batch->keys;
    memset(batch->out, 0, sizeof batch->out);
    for (size_t i = 0; i < batch->ir->count; i++) {
        const struct pfpu_instruction *get = &batch->ir->instructions[i];
        for (size_t k = 0; get->op == PFPU_OP_GET && k < BATCH; k++) {
            batch->files[k * batch->keys + pfpu_ir_key_index(batch->ir, get->key)] =
                random_word(rng);
        }
    }
    memcpy(batch->expected, batch->files, words * sizeof *batch->files);
    for (size_t i = 0; i < BATCH; i++) {
        pfpu_words_run(batch->ir, batch->expected + i * batch->keys, batch->values, batch->out[i]);
    }
    pfpu_word_lanes_run_files(lanes, batch->files, BATCH, &out[0][0]);
    return memcmp(out, batch->out, sizeof out) == 0 &&
           memcmp(batch->files, batch->expected, words * sizeof *batch->files) == 0;
}

/* A whole mesh, with the memory of the batch. */
static bool mesh_agrees(struct batch *batch, struct pfpu_word_lanes *lanes, struct base_rng *rng)
{
    uint32_t out[LANES_COLUMNS * LANES_ROWS][2] = {{0}};
    uint32_t expected[LANES_COLUMNS * LANES_ROWS][2] = {{0}};
    const struct pfpu_ir *ir = batch->ir;
    for (size_t i = 0; i < ir->count; i++) {
        if (ir->instructions[i].op == PFPU_OP_GET) {
            batch->files[pfpu_ir_key_index(ir, ir->instructions[i].key)] = random_word(rng);
        }
    }
    memcpy(batch->expected, batch->files, batch->keys * sizeof *batch->files);
    for (uint32_t i = 0; i < LANES_COLUMNS * LANES_ROWS; i++) {
        if (ir->key_end > PFPU_KEY_COLUMN) {
            batch->expected[pfpu_ir_key_index(ir, PFPU_KEY_COLUMN)] = i % LANES_COLUMNS;
        }
        if (ir->key_end > PFPU_KEY_ROW) {
            batch->expected[pfpu_ir_key_index(ir, PFPU_KEY_ROW)] = i / LANES_COLUMNS;
        }
        pfpu_words_run(ir, batch->expected, batch->values, expected[i]);
    }
    pfpu_word_lanes_run_mesh(lanes, batch->files, &out[0][0], 2 * LANES_COLUMNS);
    return memcmp(out, expected, sizeof out) == 0 &&
           memcmp(batch->files, batch->expected, batch->keys * sizeof *batch->files) == 0;
}

static const char *prove_level(struct batch *batch, enum base_cpu_level level, uint64_t seed,
                               uint32_t trials, struct base_arena *scratch)
{
    struct base_rng rng;
    base_rng_seed(&rng, seed, (uint64_t)level);
    struct pfpu_word_lanes *files = pfpu_word_lanes_for_files(batch->ir, level, scratch);
    struct pfpu_word_lanes *mesh =
        pfpu_word_lanes_for_mesh(batch->ir, level, LANES_COLUMNS, LANES_ROWS, scratch);
    if (files == NULL || mesh == NULL) {
        return "not enough memory";
    }
    for (uint32_t i = 0; i < trials; i += BATCH) {
        if (!lanes_agree(batch, files, &rng)) {
            return "the lanes give other words than the intermediate representation";
        }
    }
    return mesh_agrees(batch, mesh, &rng)
               ? NULL
               : "the lanes give other words for a mesh than the intermediate representation";
}

const char *pfpu_prove_lanes(const struct pfpu_ir *ir, uint64_t seed, uint32_t trials,
                             struct base_arena *scratch)
{
    struct batch batch;
    const char *wrong = NULL;
    batch.ir = ir;
    batch.keys = pfpu_ir_key_count(ir);
    batch.files = base_arena_array(scratch, BATCH * batch.keys, sizeof *batch.files);
    batch.expected = base_arena_array(scratch, BATCH * batch.keys, sizeof *batch.expected);
    batch.values = base_arena_array(scratch, ir->count, sizeof *batch.values);
    if (scratch->failed) {
        return "not enough memory";
    }
    for (int level = 0; level <= (int)base_cpu_best() && wrong == NULL; level++) {
        wrong = prove_level(&batch, (enum base_cpu_level)level, seed, trials, scratch);
    }
    return wrong;
}
