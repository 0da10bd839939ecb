#include "pfpu/microcode.h"

#include <string.h>

#include "base/rng.h"
#include "pfpu/alu.h"
#include "pfpu/machine.h"
#include "pfpu/prove_symbols.h"
#include "pfpu/random_word.h"
#include "pfpu/words.h"

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

static uint8_t latency_of(const struct pfpu_target *target, uint32_t word)
{
    return target->ops[pfpu_op_of_opcode(pfpu_word_opcode(word))].latency;
}

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

/* Registers that the program must leave alone. */
static void find_loaded(const struct pfpu_microcode *microcode, bool *loaded)
{
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
}

static const char *check_commits(const struct pfpu_target *target,
                                 const struct pfpu_microcode *microcode)
{
    uint8_t due[PFPU_MACHINE_WORDS] = {0};
    bool loaded[PFPU_MACHINE_REGISTERS] = {false};
    find_loaded(microcode, loaded);
    for (size_t i = 0; i < microcode->length; i++) {
        const uint32_t word = microcode->words[i];
        const unsigned destination = pfpu_word_destination(word);
        const uint8_t latency = latency_of(target, word);
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

static size_t count_sets(const struct pfpu_ir *ir, int32_t key)
{
    size_t count = 0;
    for (size_t i = 0; i < ir->count; i++) {
        count += ir->instructions[i].op == PFPU_OP_SET && ir->instructions[i].key == key ? 1 : 0;
    }
    return count;
}

static const char *check_outputs(const struct pfpu_ir *ir, const struct pfpu_microcode *microcode)
{
    for (size_t i = 0; i < microcode->output_count; i++) {
        const struct pfpu_binding *output = &microcode->outputs[i];
        const struct pfpu_binding *input = input_of(microcode, output->key);
        if (output->number <= PFPU_MACHINE_CONDITION || output->number >= PFPU_MACHINE_REGISTERS) {
            return "an output has no register";
        }
        if (count_sets(ir, output->key) != 1) {
            return "an output is not what the program stores";
        }
        if (input != NULL && input->number != output->number) {
            return "what goes to the next vertex is not where that reads it";
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
    return check_outputs(ir, microcode);
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

static void load_machine(struct trial *trial)
{
    const struct pfpu_microcode *microcode = trial->microcode;
    const uint32_t extra = microcode->stages - 1;
    pfpu_machine_init(trial->machine, trial->target);
    pfpu_machine_load(trial->machine, microcode->words, microcode->length);
    for (unsigned n = PFPU_MACHINE_CONDITION; n < PFPU_MACHINE_REGISTERS; n++) {
        pfpu_machine_set_register(trial->machine, n, pfpu_random_word(&trial->rng));
    }
    for (size_t i = 0; i < microcode->input_count; i++) {
        const struct pfpu_binding *input = &microcode->inputs[i];
        if (input->constant) {
            pfpu_machine_set_register(trial->machine, input->number, input->word);
        } else {
            set_key(trial, input->key, trial->machine->registers[input->number]);
        }
    }
    trial->machine->mesh_base = trial->memory.base;
    trial->machine->last_column = trial->columns - 1 + extra;
    trial->machine->last_row = trial->rows - 1;
}

static bool vertex_is_right(struct trial *trial, uint32_t column, uint32_t row)
{
    const size_t extra = trial->microcode->stages - 1;
    const size_t word = row * (size_t)ROW_WORDS + (column + extra) * VERTEX_WORDS;
    uint32_t out[2] = {0, 0};
    bool *written = &trial->memory.written[word];
    set_key(trial, PFPU_KEY_COLUMN, column);
    set_key(trial, PFPU_KEY_ROW, row);
    pfpu_words_run(trial->ir, trial->keys, trial->values, out);
    const bool right = written[0] && written[1] &&
                       (!trial->writes || memcmp(out, &trial->memory.words[word], sizeof out) == 0);
    written[0] = false;
    written[1] = false;
    return right;
}

/* What is written besides the mesh lies right before it or in columns that the mesh does not have.
 */
static bool rest_is_harmless(const struct trial *trial)
{
    const size_t extra = trial->microcode->stages - 1;
    for (size_t word = 0; word < trial->memory.count; word++) {
        if (trial->memory.written[word] && word % ROW_WORDS >= extra * VERTEX_WORDS) {
            return false;
        }
    }
    return true;
}

static const char *compare_run(struct trial *trial)
{
    for (uint32_t row = 0; row < trial->rows; row++) {
        for (uint32_t column = 0; column < trial->columns; column++) {
            if (!vertex_is_right(trial, column, row)) {
                return "a vertex differs from what the program computes";
            }
        }
    }
    if (trial->memory.outside || !rest_is_harmless(trial)) {
        return "words are written outside of the mesh";
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
    load_machine(trial);
    if (!pfpu_machine_run(trial->machine, &bus)) {
        return "a run does not end";
    }
    if (trial->machine->collisions != 0 || trial->machine->stray_writes != 0) {
        return "the machine counts collisions or stray writes";
    }
    return compare_run(trial);
}

static bool prepare_trial(struct trial *trial, struct base_arena *scratch)
{
    const struct pfpu_ir *ir = trial->ir;
    const uint32_t extra = trial->microcode->stages - 1;
    for (size_t i = 0; i < ir->count; i++) {
        trial->writes |= ir->instructions[i].op == PFPU_OP_WORD_VECTOUT;
    }
    trial->columns = !trial->writes                ? 1
                     : trial->target->columns == 0 ? COLUMNS
                                                   : trial->target->columns;
    trial->rows = trial->writes ? ROWS : 1;
    trial->memory.base = BASE - extra * PFPU_MACHINE_VERTEX;
    trial->memory.count = (size_t)trial->rows * ROW_WORDS + extra * VERTEX_WORDS;
    trial->memory.words =
        base_arena_array(scratch, trial->memory.count, sizeof *trial->memory.words);
    trial->memory.written =
        base_arena_array(scratch, trial->memory.count, sizeof *trial->memory.written);
    trial->machine = base_arena_alloc(scratch, sizeof *trial->machine);
    trial->keys = base_arena_array(scratch, pfpu_ir_key_count(ir), sizeof *trial->keys);
    trial->values = base_arena_array(scratch, ir->count, sizeof *trial->values);
    return !scratch->failed;
}

static const char *run_trials(const struct pfpu_target *target, const struct pfpu_ir *ir,
                              const struct pfpu_microcode *microcode, uint64_t seed,
                              uint32_t trials, struct base_arena *scratch)
{
    struct trial trial = {.target = target, .ir = ir, .microcode = microcode};
    const char *wrong = NULL;
    if (!prepare_trial(&trial, scratch)) {
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
    wrong = wrong != NULL ? wrong : pfpu_prove_symbols(target, ir, microcode, scratch);
    return wrong != NULL ? wrong : run_trials(target, ir, microcode, seed, trials, scratch);
}
