#include "pfpu/microcode/words.h"

#include <assert.h>
#include <string.h>

#include "pfpu/machine/machine.h"
#include "pfpu/machine/word_kernels.h"

enum {
    CHUNK = 128, /* vertices at a time; few enough for all arrays to stay near */
    VARIES_COLUMN = 1,
    VARIES_ROW = 2,
    VARIES_BOTH = 3, /* or from file to file */
};

struct phase {
    struct pfpu_word_step *steps;
    size_t count;
};

/* A key that is read: into one group, or from each file into its lane. */
struct load {
    size_t key;
    uint32_t *lanes;
};

/* What belongs to a column or a row, brought to the vertices of a chunk. */
struct spread {
    unsigned varies;
    const uint32_t *words;
    uint32_t *lanes;
};

struct set {
    size_t key;
    unsigned varies;
    const uint32_t *words;
};

/* A program for the coprocessor, taken apart by what its operations depend on. */
struct pfpu_word_lanes {
    const struct pfpu_ir *ir;
    uint32_t columns; /* 0: for files */
    uint32_t rows;
    bool one_by_one;
    uint32_t *values;                     /* of one vertex, if one by one */
    struct phase phases[VARIES_BOTH + 1]; /* by what their operations vary with */
    struct load *loads;
    size_t load_count;
    struct spread *spreads;
    size_t spread_count;
    struct set *sets;
    size_t set_count;
    bool writes; /* has a VECTOUT */
    struct pfpu_word_operand vectout[2];
};

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
    default: {
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

enum { ALIGNMENT = 32, FOR_EVER = INT32_MAX };

struct value {
    unsigned varies;
    uint32_t *words;  /* NULL: not yet made */
    uint32_t *spread; /* the words by vertex, where they are by column or row */
    int32_t last_use; /* by what varies with both; -1: none */
};

struct planner {
    struct pfpu_word_lanes *lanes;
    enum base_cpu_level level;
    struct base_arena *arena;
    struct base_arena *scratch;
    struct value *values;
    const uint32_t *sines;
    uint32_t **unused; /* arrays of a chunk that may be taken again */
    size_t unused_count;
};

static uint32_t *words_for(struct planner *planner, size_t count)
{
    const size_t groups = (count + PFPU_WORD_GROUP - 1) / PFPU_WORD_GROUP;
    unsigned char *memory =
        base_arena_alloc(planner->arena, groups * PFPU_WORD_GROUP * sizeof(uint32_t) + ALIGNMENT);
    if (memory == NULL) {
        return NULL;
    }
    const size_t over = (uintptr_t)memory % ALIGNMENT;
    return (uint32_t *)(void *)(memory + (over == 0 ? 0 : ALIGNMENT - over));
}

static uint32_t *words_by(struct planner *planner, unsigned varies)
{
    const size_t counts[] = {PFPU_WORD_GROUP, planner->lanes->columns, planner->lanes->rows, CHUNK};
    if (varies == VARIES_BOTH && planner->unused_count > 0) {
        return planner->unused[--planner->unused_count];
    }
    return words_for(planner, counts[varies]);
}

static void release(struct planner *planner, struct value *value)
{
    uint32_t *words = value->varies == VARIES_BOTH ? value->words : value->spread;
    planner->unused[planner->unused_count++] = words;
    value->last_use = FOR_EVER;
}

static struct pfpu_word_operand operand_of(struct planner *planner, int32_t argument,
                                           unsigned varies)
{
    struct value *value = &planner->values[argument];
    struct pfpu_word_lanes *lanes = planner->lanes;
    if (value->varies == varies || value->varies == 0) {
        return (struct pfpu_word_operand){value->words, value->varies == 0 ? 0 : PFPU_WORD_GROUP};
    }
    if (value->spread == NULL) {
        /* It is filled before all steps, so the array is one that no step has used. */
        value->spread = words_for(planner, CHUNK);
        lanes->spreads[lanes->spread_count++] =
            (struct spread){value->varies, value->words, value->spread};
    }
    return (struct pfpu_word_operand){value->spread, PFPU_WORD_GROUP};
}

static unsigned varies_of(const struct planner *planner, const struct pfpu_instruction *instruction)
{
    if (instruction->op == PFPU_OP_GET) {
        if (planner->lanes->columns == 0) {
            return VARIES_BOTH;
        }
        return instruction->key == PFPU_KEY_COLUMN ? VARIES_COLUMN
               : instruction->key == PFPU_KEY_ROW  ? VARIES_ROW
                                                   : 0;
    }
    unsigned varies = 0;
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        varies |= planner->values[instruction->arguments[k]].varies;
    }
    return varies;
}

/* What each value varies with, where it is used last, and room for the steps. */
static void survey(struct planner *planner)
{
    struct pfpu_word_lanes *lanes = planner->lanes;
    size_t counts[VARIES_BOTH + 1] = {0};
    for (size_t i = 0; i < lanes->ir->count; i++) {
        struct value *value = &planner->values[i];
        value->varies = varies_of(planner, &lanes->ir->instructions[i]);
        value->last_use = -1;
        counts[value->varies]++;
        const int32_t index = (int32_t)i;
        const struct pfpu_instruction *instruction = &planner->lanes->ir->instructions[index];
        const bool stays = !pfpu_op_has_result(instruction->op);
        if (!stays && planner->values[index].varies != VARIES_BOTH) {
            continue;
        }
        for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
            int32_t *last_use = &planner->values[instruction->arguments[k]].last_use;
            *last_use = stays || *last_use == FOR_EVER ? FOR_EVER : index;
        }
    }
    for (size_t i = 0; i <= VARIES_BOTH; i++) {
        lanes->phases[i].steps =
            base_arena_array(planner->arena, counts[i], sizeof *lanes->phases[i].steps);
    }
}

static void plan_operation(struct planner *planner, int32_t index)
{
    const struct pfpu_instruction *instruction = &planner->lanes->ir->instructions[index];
    struct value *value = &planner->values[index];
    const unsigned opcode = pfpu_opcode_of_op(instruction->op);
    struct pfpu_word_step step = {.run = pfpu_word_kernel_for(planner->level, opcode),
                                  .opcode = opcode,
                                  .sines = planner->sines};
    const int arity = pfpu_ops[instruction->op].arity;
    for (int k = 0; k < 3; k++) {
        const int32_t argument = instruction->arguments[k < arity ? k : 0];
        step.operands[k] = operand_of(planner, argument, value->varies);
    }
    for (int k = 0; k < arity; k++) {
        struct value *argument = &planner->values[instruction->arguments[k]];
        if (argument->last_use == index && argument->varies != 0) {
            release(planner, argument);
        }
    }
    value->words = step.result = words_by(planner, value->varies);
    if (value->last_use < 0 && value->varies == VARIES_BOTH) {
        release(planner, value);
    }
    struct phase *phase = &planner->lanes->phases[value->varies];
    phase->steps[phase->count++] = step;
}

static void plan_instruction(struct planner *planner, int32_t index)
{
    struct pfpu_word_lanes *lanes = planner->lanes;
    const struct pfpu_instruction *instruction = &lanes->ir->instructions[index];
    const int32_t *arguments = instruction->arguments;
    switch (instruction->op) {
    case PFPU_OP_NUMBER: {
        struct value *value = &planner->values[index];
        value->words = words_by(planner, 0);
        for (size_t i = 0; value->words != NULL && i < PFPU_WORD_GROUP; i++) {
            value->words[i] = pfpu_word_of_number(instruction->number);
        }
        break;
    }
    case PFPU_OP_GET: {
        struct value *value = &planner->values[index];
        const uint32_t count = value->varies == VARIES_COLUMN ? lanes->columns : lanes->rows;
        /* Loads come before all steps, so the array is one that no step has used. */
        value->words = words_for(planner, value->varies == VARIES_BOTH ? CHUNK
                                          : value->varies == 0         ? PFPU_WORD_GROUP
                                                                       : count);
        if (value->varies == 0 || value->varies == VARIES_BOTH) {
            lanes->loads[lanes->load_count++] =
                (struct load){pfpu_ir_key_index(lanes->ir, instruction->key), value->words};
            break;
        }
        for (uint32_t i = 0; value->words != NULL && i < count; i++) {
            value->words[i] = i;
        }
        break;
    }
    case PFPU_OP_SET:
        lanes->sets[lanes->set_count++] =
            (struct set){pfpu_ir_key_index(lanes->ir, instruction->key),
                         planner->values[arguments[0]].varies, planner->values[arguments[0]].words};
        break;
    case PFPU_OP_WORD_VECTOUT:
        lanes->writes = true;
        lanes->vectout[0] = operand_of(planner, arguments[0], VARIES_BOTH);
        lanes->vectout[1] = operand_of(planner, arguments[1], VARIES_BOTH);
        break;
    case PFPU_OP_WORD_NOP:
        break;
    default:
        assert(pfpu_ops[instruction->op].kind == PFPU_OP_KIND_WORD);
        plan_operation(planner, index);
    }
}

/* No instruction makes more than one load, spread, SET or array to release. */
static void plan(struct planner *planner)
{
    struct pfpu_word_lanes *lanes = planner->lanes;
    const size_t count = lanes->ir->count;
    planner->values = base_arena_array(planner->scratch, count, sizeof *planner->values);
    planner->unused = base_arena_array(planner->scratch, count, sizeof *planner->unused);
    uint32_t *sines = base_arena_array(planner->arena, PFPU_WORD_SINES, sizeof *sines);
    for (uint32_t i = 0; sines != NULL && i < PFPU_WORD_SINES; i++) {
        sines[i] = pfpu_alu(pfpu_opcode_of_op(PFPU_OP_WORD_SIN), i, 0, false);
    }
    planner->sines = sines;
    lanes->loads = base_arena_array(planner->arena, count, sizeof *lanes->loads);
    lanes->spreads = base_arena_array(planner->arena, count, sizeof *lanes->spreads);
    lanes->sets = base_arena_array(planner->arena, count, sizeof *lanes->sets);
    if (planner->scratch->failed || planner->arena->failed) {
        return;
    }
    survey(planner);
    for (size_t i = 0; i < count && !planner->arena->failed; i++) {
        plan_instruction(planner, (int32_t)i);
    }
}

/* Some key is read and set; true too without memory. */
static bool carries(const struct pfpu_ir *ir, struct base_arena *scratch)
{
    bool *read = base_arena_array(scratch, pfpu_ir_key_count(ir), sizeof *read);
    for (size_t i = 0; read != NULL && i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        if (instruction->op == PFPU_OP_GET) {
            read[pfpu_ir_key_index(ir, instruction->key)] = true;
        } else if (instruction->op == PFPU_OP_SET &&
                   read[pfpu_ir_key_index(ir, instruction->key)]) {
            return true;
        }
    }
    return read == NULL;
}

static struct pfpu_word_lanes *prepare(struct pfpu_word_lanes lanes, enum base_cpu_level level,
                                       struct base_arena *arena)
{
    struct base_arena scratch;
    base_arena_init(&scratch, 0);
    lanes.one_by_one = lanes.columns > 0 && carries(lanes.ir, &scratch);
    if (lanes.one_by_one) {
        lanes.values = base_arena_array(arena, lanes.ir->count, sizeof *lanes.values);
    } else {
        plan(&(struct planner){
            .lanes = &lanes, .level = level, .arena = arena, .scratch = &scratch});
    }
    struct pfpu_word_lanes *copy = base_arena_alloc(arena, sizeof *copy);
    const bool failed = scratch.failed || arena->failed;
    base_arena_free(&scratch);
    if (failed) {
        return NULL;
    }
    *copy = lanes;
    return copy;
}

struct pfpu_word_lanes *pfpu_word_lanes_for_mesh(const struct pfpu_ir *ir,
                                                 enum base_cpu_level level, uint32_t columns,
                                                 uint32_t rows, struct base_arena *arena)
{
    assert(columns > 0 && rows > 0);
    return prepare((struct pfpu_word_lanes){.ir = ir, .columns = columns, .rows = rows}, level,
                   arena);
}

struct pfpu_word_lanes *pfpu_word_lanes_for_files(const struct pfpu_ir *ir,
                                                  enum base_cpu_level level,
                                                  struct base_arena *arena)
{
    return prepare((struct pfpu_word_lanes){.ir = ir}, level, arena);
}

/* Vertices of a chunk that stand next to each other in a row. */
struct segment {
    size_t lane; /* of the first one */
    size_t count;
    size_t column;
    size_t row;
};

static struct segment segment_at(const struct pfpu_word_lanes *lanes, size_t start, size_t lane,
                                 size_t count)
{
    const size_t vertex = start + lane;
    const size_t column = vertex % lanes->columns;
    const size_t rest = lanes->columns - column;
    return (struct segment){lane, rest < count - lane ? rest : count - lane, column,
                            vertex / lanes->columns};
}

static size_t groups_of(size_t count)
{
    return (count + PFPU_WORD_GROUP - 1) / PFPU_WORD_GROUP;
}

static void fill(uint32_t *words, size_t count, uint32_t word)
{
    for (size_t i = 0; i < count; i++) {
        words[i] = word;
    }
}

static void run_phase(const struct phase *phase, size_t groups)
{
    for (size_t i = 0; i < phase->count; i++) {
        phase->steps[i].run(&phase->steps[i], groups);
    }
}

static void spread(const struct pfpu_word_lanes *lanes, size_t start, size_t count)
{
    for (size_t i = 0; i < lanes->spread_count; i++) {
        const struct spread *each = &lanes->spreads[i];
        for (size_t lane = 0; lane < count;) {
            const struct segment at = segment_at(lanes, start, lane, count);
            if (each->varies == VARIES_COLUMN) {
                memcpy(each->lanes + lane, each->words + at.column, at.count * sizeof *each->lanes);
            } else {
                fill(each->lanes + lane, at.count, each->words[at.row]);
            }
            lane += at.count;
        }
    }
}

static uint32_t word_at(const struct pfpu_word_operand *operand, size_t lane)
{
    return operand->words[lane / PFPU_WORD_GROUP * operand->step + lane % PFPU_WORD_GROUP];
}

static void write_out(const struct pfpu_word_lanes *lanes, size_t lane, size_t count, uint32_t *out)
{
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = word_at(&lanes->vectout[0], lane + i);
        out[2 * i + 1] = word_at(&lanes->vectout[1], lane + i);
    }
}

static void set_place(const struct pfpu_word_lanes *lanes, uint32_t column, uint32_t row,
                      uint32_t *keys)
{
    const int32_t places[] = {PFPU_KEY_COLUMN, PFPU_KEY_ROW};
    const uint32_t words[] = {column, row};
    for (size_t i = 0; i < 2; i++) {
        const size_t key = pfpu_ir_key_index(lanes->ir, places[i]);
        if (key < pfpu_ir_key_count(lanes->ir)) {
            keys[key] = words[i];
        }
    }
}

void pfpu_word_lanes_run_mesh(struct pfpu_word_lanes *lanes, uint32_t *keys, uint32_t *out,
                              size_t row_words)
{
    assert(lanes->columns > 0);
    if (lanes->one_by_one) {
        for (uint32_t row = 0; row < lanes->rows; row++) {
            for (uint32_t column = 0; column < lanes->columns; column++) {
                uint32_t *vertex = out == NULL ? NULL : out + row * row_words + 2 * (size_t)column;
                set_place(lanes, column, row, keys);
                pfpu_words_run(lanes->ir, keys, lanes->values, vertex);
            }
        }
        return;
    }
    for (size_t i = 0; i < lanes->load_count; i++) {
        fill(lanes->loads[i].lanes, PFPU_WORD_GROUP, keys[lanes->loads[i].key]);
    }
    run_phase(&lanes->phases[0], 1);
    run_phase(&lanes->phases[VARIES_COLUMN], groups_of(lanes->columns));
    run_phase(&lanes->phases[VARIES_ROW], groups_of(lanes->rows));
    const size_t total = (size_t)lanes->columns * lanes->rows;
    size_t count = 0;
    for (size_t start = 0; start < total; start += count) {
        count = total - start < CHUNK ? total - start : CHUNK;
        spread(lanes, start, count);
        run_phase(&lanes->phases[VARIES_BOTH], groups_of(count));
        if (lanes->writes) {
            for (size_t lane = 0; lane < count;) {
                const struct segment at = segment_at(lanes, start, lane, count);
                write_out(lanes, lane, at.count, out + at.row * row_words + 2 * at.column);
                lane += at.count;
            }
        }
    }
    set_place(lanes, lanes->columns - 1, lanes->rows - 1, keys);
    /* What the keys hold after the last vertex, which stands in `lane` of the last chunk. */
    const size_t lane_of[] = {0, lanes->columns - 1, lanes->rows - 1, count - 1};
    for (size_t i = 0; i < lanes->set_count; i++) {
        const struct set *set = &lanes->sets[i];
        keys[set->key] = set->words[lane_of[set->varies]];
    }
}

void pfpu_word_lanes_run_files(struct pfpu_word_lanes *lanes, uint32_t *files, size_t count,
                               uint32_t *out)
{
    assert(lanes->columns == 0);
    const size_t words = pfpu_ir_key_count(lanes->ir);
    run_phase(&lanes->phases[0], 1);
    for (size_t start = 0; start < count; start += CHUNK) {
        const size_t chunk = count - start < CHUNK ? count - start : CHUNK;
        uint32_t *file = files + start * words;
        for (size_t i = 0; i < lanes->load_count; i++) {
            for (size_t lane = 0; lane < chunk; lane++) {
                lanes->loads[i].lanes[lane] = file[lane * words + lanes->loads[i].key];
            }
        }
        run_phase(&lanes->phases[VARIES_BOTH], groups_of(chunk));
        if (lanes->writes) {
            write_out(lanes, 0, chunk, out + 2 * start);
        }
        for (size_t i = 0; i < lanes->set_count; i++) {
            const struct set *set = &lanes->sets[i];
            for (size_t lane = 0; lane < chunk; lane++) {
                file[lane * words + set->key] = set->words[set->varies == 0 ? 0 : lane];
            }
        }
    }
}

bool pfpu_word_lanes_one_by_one(const struct pfpu_word_lanes *lanes)
{
    return lanes->one_by_one;
}
