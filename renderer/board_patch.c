#include "renderer/board_patch.h"

#include <stdlib.h>
#include <string.h>

#include "pfpu/alu.h"
#include "renderer/board_cpu.h"
#include "renderer/board_names.h"
#include "renderer/board_step.h"
#include "renderer/board_wave.h"
#include "renderer/frame.h"

/* A patch in the making. */
struct making {
    const struct preset *preset;
    const struct rend_board_common *common;
    struct rend_board_loaded *loaded;
    const struct base_diag_sink *sink;
    enum pfpu_board_scheduler scheduler;
    struct pfpu_scope *scope; /* of the frame */
    uint32_t *start;
    struct rend_board_value *resets;
};

static bool refuse(const struct making *making, const char *what)
{
    base_report(making->sink, BASE_ERROR, (struct base_place){.file = making->preset->path}, NULL,
                "does not fit target 'milkymist-one': %s", what);
    return false;
}

static bool lack_memory(const struct making *making)
{
    base_report(making->sink, BASE_ERROR, (struct base_place){.file = making->preset->path}, NULL,
                "not enough memory for the preset");
    return false;
}

static uint8_t kind_of(enum pfpu_op op)
{
    switch (op) {
    case PFPU_OP_NUMBER:
        return REND_BOARD_NUMBER;
    case PFPU_OP_GET:
        return REND_BOARD_GET;
    case PFPU_OP_SET:
        return REND_BOARD_SET;
    case PFPU_OP_WORD_VECTOUT:
        return REND_BOARD_OUT;
    default:
        return REND_BOARD_ALU;
    }
}

static struct rend_board_operation operation_of(const struct pfpu_instruction *instruction)
{
    struct rend_board_operation operation = {.kind = kind_of(instruction->op)};
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        operation.arguments[k] = (uint16_t)instruction->arguments[k];
    }
    switch ((enum rend_board_kind)operation.kind) {
    case REND_BOARD_NUMBER:
        operation.word = pfpu_word_of_number(instruction->number);
        break;
    case REND_BOARD_GET:
    case REND_BOARD_SET:
        operation.word = (uint32_t)instruction->key;
        break;
    case REND_BOARD_ALU:
        operation.opcode = (uint8_t)pfpu_opcode_of_op(instruction->op);
        break;
    case REND_BOARD_OUT:
        break;
    }
    return operation;
}

static struct rend_board_register register_of(const struct pfpu_binding *binding)
{
    return (struct rend_board_register){.number = binding->number,
                                        .cell = binding->constant ? REND_BOARD_NO_CELL
                                                                  : (uint16_t)binding->key,
                                        .word = binding->word};
}

static const struct rend_board_register *
registers_of(struct base_arena *arena, const struct pfpu_binding *bindings, size_t count)
{
    struct rend_board_register *registers = base_arena_array(arena, count, sizeof *registers);
    for (size_t i = 0; registers != NULL && i < count; i++) {
        registers[i] = register_of(&bindings[i]);
    }
    return registers;
}

/* Failing, the arena has failed. */
static void take_microcode(struct base_arena *arena, const struct pfpu_microcode *microcode,
                           struct rend_board_program *program)
{
    program->words = microcode->words;
    program->word_count = microcode->length;
    program->stages = microcode->stages;
    program->loads = registers_of(arena, microcode->inputs, microcode->input_count);
    program->load_count = microcode->input_count;
    program->results = registers_of(arena, microcode->outputs, microcode->output_count);
    program->result_count = microcode->output_count;
}

static bool take_program(const struct making *making, const struct pfpu_board_program *from,
                         struct rend_board_program *program)
{
    struct base_arena *arena = &making->loaded->arena;
    if (from->ir.count > REND_BOARD_OPERATIONS) {
        return refuse(making, "the equations are too long");
    }
    struct rend_board_operation *operations =
        base_arena_array(arena, from->ir.count, sizeof *operations);
    for (size_t i = 0; operations != NULL && i < from->ir.count; i++) {
        operations[i] = operation_of(&from->ir.instructions[i]);
    }
    *program = (struct rend_board_program){
        .operations = operations, .operation_count = from->ir.count, .stages = 1};
    if (from->fit == PFPU_FITS) {
        take_microcode(arena, &from->microcode, program);
    }
    return !arena->failed || lack_memory(making);
}

/* ---- cells ---- */

static uint16_t cell_of(const struct making *making, const char *name)
{
    const int variable = pfpu_scope_find(making->scope, name);
    return variable < 0 ? REND_BOARD_NO_CELL : (uint16_t)pfpu_key_of_variable(variable);
}

/* Every frame begins with the value; a parameter that no equation names gets a cell of its own. */
static uint16_t reset(struct making *making, const char *name, double value, bool needed)
{
    struct rend_board_patch *patch = &making->loaded->patch;
    uint16_t cell = cell_of(making, name);
    if (cell == REND_BOARD_NO_CELL && needed) {
        cell = (uint16_t)patch->cell_count++;
    }
    if (cell != REND_BOARD_NO_CELL) {
        making->resets[patch->reset_count++] =
            (struct rend_board_value){cell, pfpu_word_of_number(value)};
    }
    return cell;
}

static const struct {
    const char *name;
    double value;
    bool own;
} rows[REND_BOARD_PARAMS] = {
#define REND_BOARD_KEY(name, variable) [REND_BOARD_##name] = {variable, 0, false},
#include "renderer/board_params.def"
#define REND_BOARD_OWN(name, value) [REND_BOARD_##name] = {#name, value, true},
#include "renderer/board_params.def"
};

static void place_params(struct making *making)
{
    for (int i = 0; i < REND_BOARD_PARAMS; i++) {
        const double value =
            rows[i].own ? rows[i].value : rend_board_stored(making->preset, rows[i].name);
        making->loaded->patch.params[i] = reset(making, rows[i].name, value, true);
    }
}

/* What else a frame begins with: the motion, constants, q1 to q32. */
static void place_others(struct making *making)
{
    for (size_t i = 0; i < rend_board_reset_count; i++) {
        const struct rend_board_reset *row = &rend_board_resets[i];
        const double value =
            row->stored ? rend_board_stored(making->preset, row->name) : row->value;
        (void)reset(making, row->name, value, false);
    }
    for (int i = 1; i <= REND_QS; i++) {
        char name[REND_BOARD_Q_NAME];
        (void)rend_board_q_name(i, name);
        const uint16_t cell = cell_of(making, name);
        (void)reset(making, name, pfpu_number_of_word(making->start[cell]), false);
    }
}

static void place_inputs(struct making *making)
{
    static const char *const names[REND_BOARD_INPUTS] = {
#define REND_BOARD_INPUT(name) [REND_BOARD_IN_##name] = #name,
#include "renderer/board_inputs.def"
#define REND_BOARD_CONTROL(name) [REND_BOARD_IN_##name] = #name,
#include "renderer/board_inputs.def"
    };
    for (int i = 0; i < REND_BOARD_INPUTS; i++) {
        making->loaded->patch.inputs[i] = cell_of(making, names[i]);
    }
}

static uint16_t bound_cell(const struct making *making, const char *name)
{
    for (int i = 0; i < REND_BOARD_PARAMS; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return making->loaded->patch.params[i];
        }
    }
    return cell_of(making, name);
}

/* What no equation and no drawing asks for needs no controller. */
static void place_bindings(struct making *making, struct rend_board_binding *bindings)
{
    struct rend_board_patch *patch = &making->loaded->patch;
    patch->bindings = bindings;
    for (size_t i = 0; i < making->preset->binding_count; i++) {
        const struct preset_binding *from = &making->preset->bindings[i];
        const uint16_t cell = bound_cell(making, from->variable);
        if (cell != REND_BOARD_NO_CELL && patch->binding_count < REND_BOARD_BINDINGS) {
            bindings[patch->binding_count++] =
                (struct rend_board_binding){.cell = cell,
                                            .element = (uint8_t)from->element,
                                            .way = (uint8_t)from->way,
                                            .channel = from->channel,
                                            .controller = from->controller,
                                            .initial = pfpu_word_of_number((double)from->initial)};
        }
    }
}

/* After the init equations. */
static void place_variables(struct making *making, const struct pfpu_instance *frame)
{
    const size_t count = pfpu_scope_size(making->scope);
    for (size_t i = 0;
         i < count && pfpu_key_of_variable((int)i) < making->loaded->compiled->first_link; i++) {
        making->start[pfpu_key_of_variable((int)i)] = pfpu_word_of_number(frame->values[i]);
    }
}

static bool place_cells(struct making *making, const struct pfpu_instance *frame)
{
    struct base_arena *arena = &making->loaded->arena;
    struct rend_board_patch *patch = &making->loaded->patch;
    const struct pfpu_board *compiled = making->loaded->compiled;
    const size_t keys = (size_t)compiled->first_link + compiled->link_count;
    const size_t resets = REND_BOARD_PARAMS + REND_QS + rend_board_reset_count;
    if (keys + REND_BOARD_PARAMS > REND_BOARD_CELLS) {
        return refuse(making, "there are too many variables");
    }
    making->start = base_arena_array(arena, REND_BOARD_CELLS, sizeof *making->start);
    making->resets = base_arena_array(arena, resets, sizeof *making->resets);
    struct rend_board_binding *bindings =
        base_arena_array(arena, making->preset->binding_count, sizeof *bindings);
    if (making->start == NULL || making->resets == NULL || bindings == NULL) {
        return lack_memory(making);
    }
    patch->cell_count = keys;
    patch->start = making->start;
    patch->resets = making->resets;
    place_variables(making, frame);
    place_params(making);
    place_others(making);
    place_inputs(making);
    place_bindings(making, bindings);
    return true;
}

/* ---- what is left out ---- */

static void warn(const struct making *making, bool is, const char *what)
{
    if (is) {
        base_report(making->sink, BASE_WARNING, (struct base_place){.file = making->preset->path},
                    "the rest of the preset is drawn", "the board draws no %s", what);
    }
}

static void warn_missing(const struct making *making)
{
    const struct preset *preset = making->preset;
    const bool mode_is_fixed = cell_of(making, "wave_mode") == REND_BOARD_NO_CELL;
    warn(making, mode_is_fixed && preset->wave_a > 0 && !rend_board_wave_drawn(preset->wave_mode),
         "wave of mode 0, 1 and 7");
    warn(making, preset->brighten != 0 || preset->darken != 0, "brightened or darkened picture");
    warn(making, preset->solarize != 0 || preset->invert != 0, "solarized or inverted picture");
    warn(making, preset->darken_center != 0, "darkened centre");
}

/* ---- all of it ---- */

static bool compile(struct making *making, struct pfpu_program **init)
{
    struct rend_board_loaded *loaded = making->loaded;
    struct pfpu_board *board = NULL;
    making->scope = rend_board_scope(making->common, &loaded->arena);
    enum pfpu_status status =
        making->scope == NULL
            ? PFPU_NO_MEMORY
            : pfpu_compile(&pfpu_target_host, making->scope, &making->preset->init, &loaded->arena,
                           making->sink, init);
    if (status != PFPU_NO_MEMORY) {
        status = rend_board_compile_in(making->preset, &pfpu_target_milkymist_one,
                                       making->scheduler, making->common, making->scope,
                                       &loaded->arena, making->sink, &board);
    }
    loaded->compiled = board;
    return status == PFPU_OK || (status == PFPU_NO_MEMORY && lack_memory(making));
}

static bool make(struct making *making, unsigned fps, uint64_t seed)
{
    struct rend_board_loaded *loaded = making->loaded;
    struct pfpu_program *init = NULL;
    if (!compile(making, &init)) {
        return false;
    }
    loaded->cpu = rend_board_cpu_create(loaded->compiled, &loaded->arena, seed);
    if (loaded->cpu == NULL) {
        return lack_memory(making);
    }
    const struct pfpu_instance *frame =
        rend_board_cpu_begin(loaded->cpu, init, making->preset, fps);
    loaded->patch.needs_cpu =
        loaded->compiled->frame_host != NULL || loaded->compiled->cpu_part != NULL;
    const bool made = place_cells(making, frame) &&
                      take_program(making, &loaded->compiled->frame, &loaded->patch.frame) &&
                      take_program(making, &loaded->compiled->vertex, &loaded->patch.vertex);
    if (made) {
        rend_board_cpu_bind(loaded->cpu, &loaded->patch);
        warn_missing(making);
    }
    return made;
}

struct rend_board_loaded *rend_board_patch_create(const struct rend_board_common *common,
                                                  const struct preset *preset, unsigned fps,
                                                  uint64_t seed, const struct base_diag_sink *sink)
{
    return rend_board_patch_schedule(common, preset, PFPU_BOARD_QUICK, fps, seed, sink);
}

struct rend_board_loaded *rend_board_patch_schedule(const struct rend_board_common *common,
                                                    const struct preset *preset,
                                                    enum pfpu_board_scheduler scheduler,
                                                    unsigned fps, uint64_t seed,
                                                    const struct base_diag_sink *sink)
{
    enum { ARENA_LIMIT = 256 * 1024 * 1024 };
    struct making making = {.preset = preset,
                            .common = common,
                            .sink = sink,
                            .scheduler = scheduler,
                            .loaded = calloc(1, sizeof *making.loaded)};
    if (making.loaded == NULL) {
        (void)lack_memory(&making);
        return NULL;
    }
    base_arena_init(&making.loaded->arena, ARENA_LIMIT);
    if (!make(&making, fps, seed)) {
        rend_board_patch_free(making.loaded);
        return NULL;
    }
    return making.loaded;
}

void rend_board_patch_free(struct rend_board_loaded *loaded)
{
    if (loaded != NULL) {
        rend_board_cpu_free(loaded->cpu);
        base_arena_free(&loaded->arena);
        free(loaded);
    }
}
