/* A preset made ready for the board: compiled for the coprocessor, what the processor has to do,
 * and the cells that all of it shares. */
#include "board/patch/patch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "board/patch/items.h"
#include "board/step/step.h"
#include "pfpu/machine/machine.h"
#include "pfpu/select/linear.h"
#include "renderer/frame/frame.h"

/* ---- compiling ---- */

/* What a variable of the equations holds at the beginning of each frame, besides params.def. */
static const struct reset {
    const char *name;
    bool stored; /* what the preset stores; else value */
    double value;
} resets[] = {
    {"zoom", true, 0},
    {"zoomexp", true, 0},
    {"rot", true, 0},
    {"warp", true, 0},
    {"cx", true, 0},
    {"cy", true, 0},
    {"dx", true, 0},
    {"dy", true, 0},
    {"sx", true, 0},
    {"sy", true, 0},
    {"fwarpanimspeed", true, 0},
    {"fwarpscale", true, 0},
    {"gamma", true, 0},
    {"brighten", true, 0},
    {"darken", true, 0},
    {"solarize", true, 0},
    {"invert", true, 0},
    {"darken_center", true, 0},
    {"progress", false, 0},
    {"meshx", false, BOARD_MESH},
    {"meshy", false, BOARD_MESH},
    {"pixelsx", false, BOARD_WIDTH},
    {"pixelsy", false, BOARD_HEIGHT},
    {"aspectx", false, 1},
    {"aspecty", false, 1},
};

enum { RESETS = sizeof resets / sizeof *resets };

enum { Q_NAME = 4 };

/* "q1" to "q99" into name, which it returns. */
static const char *q_name(int number, char name[Q_NAME])
{
    char *at = name;
    *at++ = 'q';
    if (number >= 10) {
        *at++ = (char)('0' + number / 10 % 10);
    }
    *at++ = (char)('0' + number % 10);
    *at = '\0';
    return name;
}

/* Most names differ in their first letter. */
static bool same(const char *a, const char *b)
{
    return a[0] == b[0] && strcmp(a, b) == 0;
}

/* What the preset stores for the variable; 0 if it stores nothing. */
static double stored_of(const struct preset *preset, const char *name)
{
    static const struct {
        const char *variable;
        const char *key;
    } others[] = {{"fwarpanimspeed", "fWarpAnimSpeed"},
                  {"fwarpscale", "fWarpScale"},
                  {"wave_scale", "fWaveScale"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        name = same(name, others[i].variable) ? others[i].key : name;
    }
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        const struct preset_key *key = &preset_keys[i];
        if (key->group == PRESET_GROUP_PRESET &&
            (same(key->variable, name) || same(key->key, name))) {
            return preset_key_get(key, preset);
        }
    }
    return 0;
}

/* What per-frame and per-vertex equations of the board share (spec/flickernoise-patch-language.md
 * section 3). The last two are keys of the preset, which MilkDrop's equations cannot reach. */
static const char *const shared_names[] = {
#define REND_INPUT(name) #name,
#include "renderer/frame/inputs.def"
#define REND_GEOMETRY(name) #name,
#include "renderer/frame/inputs.def"
#define BOARD_CONTROL(name) #name,
#include "board/step/inputs.def"
    "@rand0", "zoom", "zoomexp", "rot", "warp",           "cx",        "cy",
    "dx",     "dy",   "sx",      "sy",  "fwarpanimspeed", "fwarpscale"};

static void note(const struct preset *preset, const struct base_diag_sink *sink, bool is,
                 const char *what)
{
    if (is) {
        base_report(sink, BASE_WARNING, (struct base_place){.file = preset->path},
                    "the rest of the preset is drawn", "the board draws no %s", what);
    }
}

bool board_common_init(struct board_common *common)
{
    *common = (struct board_common){.scope = NULL};
    common->scope = board_scope(NULL, &common->arena);
    common->motion = pfpu_motion_read(&common->arena);
    if (common->scope == NULL || common->motion == NULL) {
        board_common_free(common);
        return false;
    }
    return true;
}

void board_common_free(struct board_common *common)
{
    base_arena_free(&common->arena);
    *common = (struct board_common){.scope = NULL};
}

struct pfpu_scope *board_scope(const struct board_common *common, struct base_arena *arena)
{
    if (common != NULL) {
        return pfpu_scope_copy(common->scope, arena);
    }
    struct pfpu_scope *scope = pfpu_scope_create(arena);
    char name[Q_NAME];
    bool good = scope != NULL;
    for (size_t i = 0; good && i < sizeof shared_names / sizeof *shared_names; i++) {
        good = pfpu_scope_declare(scope, shared_names[i]) >= 0;
    }
    for (int i = 1; good && i <= REND_QS; i++) {
        good = pfpu_scope_declare(scope, q_name(i, name)) >= 0;
    }
    return good ? scope : NULL;
}

enum pfpu_status board_compile(const struct preset *preset, const struct pfpu_target *target,
                               enum pfpu_board_scheduler scheduler, struct base_arena *arena,
                               const struct base_diag_sink *sink, struct pfpu_board **board)
{
    return board_compile_in(preset, target, scheduler, NULL, board_scope(NULL, arena), NULL, arena,
                            sink, board);
}

enum pfpu_status board_compile_in(const struct preset *preset, const struct pfpu_target *target,
                                  enum pfpu_board_scheduler scheduler,
                                  const struct board_common *common, struct pfpu_scope *frame_scope,
                                  const struct pfpu_dumper *dumper, struct base_arena *arena,
                                  const struct base_diag_sink *sink, struct pfpu_board **board)
{
    const struct pfpu_board_request request = {.target = target,
                                               .scheduler = scheduler,
                                               .frame_scope = frame_scope,
                                               .vertex_scope = board_scope(common, arena),
                                               .per_frame = &preset->per_frame,
                                               .per_vertex = &preset->per_vertex,
                                               .motion = common != NULL ? common->motion : NULL,
                                               .dumper = dumper};
    *board = NULL;
    if (request.frame_scope == NULL || request.vertex_scope == NULL) {
        return PFPU_NO_MEMORY;
    }
    const enum pfpu_status status = pfpu_board_compile(&request, arena, sink, board);
    if (status == PFPU_OK) {
        note(preset, sink, preset->warp_shader != 0, "warp shader");
        note(preset, sink, preset->comp_shader != 0, "composite shader");
    }
    return status;
}

/* ---- equations in double precision ---- */

enum { FRAME_BUDGET = 1000 * 1000 };

struct board_cpu {
    const struct pfpu_board *board;
    struct base_arena *arena;
    struct pfpu_globals globals;
    struct pfpu_instance frame;
    struct pfpu_instance vertex;
    bool paused;    /* the frame's equations are, */
    size_t at;      /* here, */
    int64_t budget; /* with this left */
    struct board_item_cpus *items;
    size_t variables; /* of the frame scope that have a cell */
    bool *fresh;      /* by variable: its cell is set in each frame */
    int32_t *shared;  /* by variable of the vertex scope: that of the frame scope, or -1 */
    size_t shared_count;
};

/* After the last program has been compiled into the board's scopes. The programs outlive it, the
 * arena too. NULL without memory. */
static struct board_cpu *create_cpu(const struct pfpu_board *board, struct base_arena *arena,
                                    uint64_t seed, bool need_buffers)
{
    struct board_cpu *cpu = base_arena_alloc(arena, sizeof *cpu);
    if (cpu == NULL) {
        return NULL;
    }
    *cpu = (struct board_cpu){
        .board = board,
        .arena = arena,
        .variables = (size_t)(board->first_link - pfpu_key_of_variable(0)),
        .shared_count = pfpu_scope_size(board->vertex_scope),
    };
    cpu->fresh = base_arena_array(arena, cpu->variables, sizeof *cpu->fresh);
    cpu->shared = base_arena_array(arena, cpu->shared_count, sizeof *cpu->shared);
    if (cpu->fresh == NULL || cpu->shared == NULL ||
        pfpu_instance_init(&cpu->frame, board->frame_scope, arena) != 0 ||
        pfpu_instance_init(&cpu->vertex, board->vertex_scope, arena) != 0) {
        return NULL;
    }
    if (!need_buffers && !pfpu_scope_needs_buffers(board->frame_scope) &&
        !pfpu_scope_needs_buffers(board->vertex_scope)) {
        pfpu_globals_init_plain(&cpu->globals, seed);
    } else if (pfpu_globals_init(&cpu->globals, seed) != 0) {
        return NULL;
    }
    for (size_t i = 0; i < cpu->shared_count; i++) {
        /* The frame scope's variable; mostly the one in the same place. */
        const char *name = pfpu_scope_name(board->vertex_scope, i);
        const bool same = i < pfpu_scope_size(board->frame_scope) &&
                          strcmp(pfpu_scope_name(board->frame_scope, i), name) == 0;
        cpu->shared[i] = same ? (int32_t)i : pfpu_scope_find(board->frame_scope, name);
    }
    return cpu;
}

static void set(struct board_cpu *cpu, const char *name, double value)
{
    const int variable = pfpu_scope_find(cpu->board->frame_scope, name);
    if (variable >= 0) {
        cpu->frame.values[variable] = value;
    }
}

/* Sets what the preset stores and runs the init equations (NULL: there are none). Returns the
 * variables of the frame scope, of the cpu. */
static const struct pfpu_instance *begin_cpu(struct board_cpu *cpu, const struct pfpu_program *init,
                                             const struct preset *preset, unsigned fps)
{
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        const struct preset_key *key = &preset_keys[i];
        if (key->group == PRESET_GROUP_PRESET && key->variable[0] != '\0') {
            set(cpu, key->variable, preset_key_get(key, preset));
        }
    }
    for (size_t i = 0; i < RESETS; i++) {
        const struct reset *row = &resets[i];
        set(cpu, row->name, row->stored ? stored_of(preset, row->name) : row->value);
    }
    set(cpu, "fps", fps);
    pfpu_run(init, &cpu->frame, &cpu->globals);
    return &cpu->frame;
}

static void mark_fresh(struct board_cpu *cpu, uint16_t cell)
{
    const size_t variable = (size_t)cell - PFPU_REGISTERS_GLOBAL;
    if (cell != BOARD_NO_CELL && variable < cpu->variables) {
        cpu->fresh[variable] = true;
    }
}

static void take_inputs(struct board_cpu *cpu, const uint32_t *words)
{
    for (size_t i = 0; i < cpu->variables; i++) {
        if (cpu->fresh[i]) {
            cpu->frame.values[i] = pfpu_number_of_word(words[i]);
        }
    }
}

/* What the equations have left, and what the CPU computes of it for the vertices. */
static void give_results(struct board_cpu *cpu, uint32_t *cells)
{
    const struct pfpu_board *board = cpu->board;
    uint32_t *words = cells + pfpu_key_of_variable(0);
    for (size_t i = 0; i < cpu->variables; i++) {
        words[i] = pfpu_word_of_number(cpu->frame.values[i]);
    }
    for (size_t i = 0; i < cpu->shared_count; i++) {
        cpu->vertex.values[i] = cpu->shared[i] < 0 ? 0 : cpu->frame.values[cpu->shared[i]];
    }
    pfpu_run(board->cpu_part, &cpu->vertex, &cpu->globals);
    for (size_t i = 0; i < board->link_count; i++) {
        if (board->links[i].kind == PFPU_LINK_CPU) {
            cells[(size_t)board->first_link + i] =
                pfpu_word_of_number(cpu->vertex.values[board->links[i].source]);
        }
    }
}

uint32_t board_cpu_run(struct board_cpu *cpu, uint32_t *cells, uint32_t most, bool *done)
{
    struct pfpu_globals *globals = &cpu->globals;
    if (!cpu->paused) {
        cpu->at = 0;
        cpu->budget = FRAME_BUDGET;
        take_inputs(cpu, cells + pfpu_key_of_variable(0));
    }
    /* Equations of items have budgets of their own in between. */
    const int64_t before = cpu->budget;
    globals->budget = before;
    globals->exhausted = false;
    const int64_t pause = before - board_items_budget(most);
    *done = pfpu_run_part(cpu->board->frame_host, &cpu->frame, globals, pause, &cpu->at);
    cpu->paused = !*done;
    if (*done) {
        give_results(cpu, cells);
    }
    cpu->budget = globals->budget;
    return board_items_loops(globals, before);
}

uint32_t board_cpu_run_item(struct board_cpu *cpu, const struct board_item_program *program,
                            uint32_t *cells)
{
    return board_items_run(cpu->items, &cpu->globals, program, cells);
}

/* ---- programs ---- */

/* A patch in the making. */
struct making {
    const struct preset *preset;
    const struct board_common *common;
    struct board_loaded *loaded;
    const struct base_diag_sink *sink;
    enum pfpu_board_scheduler scheduler;
    struct pfpu_scope *scope; /* of the frame */
    struct board_items_made items;
    uint32_t *start;
    struct board_value *resets;
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

static struct board_operation operation_of(const struct pfpu_instruction *instruction)
{
    struct board_operation operation = {.kind = BOARD_ALU};
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        operation.arguments[k] = (uint16_t)instruction->arguments[k];
    }
    switch (instruction->op) {
    case PFPU_OP_NUMBER:
        operation.kind = BOARD_NUMBER;
        operation.word = pfpu_word_of_number(instruction->number);
        break;
    case PFPU_OP_GET:
    case PFPU_OP_SET:
        operation.kind = instruction->op == PFPU_OP_GET ? BOARD_GET : BOARD_SET;
        operation.word = (uint32_t)instruction->key;
        break;
    case PFPU_OP_WORD_VECTOUT:
        operation.kind = BOARD_OUT;
        break;
    default:
        operation.opcode = (uint8_t)pfpu_opcode_of_op(instruction->op);
        break;
    }
    return operation;
}

static const struct board_register *registers_of(struct base_arena *arena,
                                                 const struct pfpu_binding *bindings, size_t count)
{
    struct board_register *registers = base_arena_array(arena, count, sizeof *registers);
    for (size_t i = 0; registers != NULL && i < count; i++) {
        const struct pfpu_binding *binding = &bindings[i];
        registers[i] = (struct board_register){.number = binding->number,
                                               .cell = binding->constant ? BOARD_NO_CELL
                                                                         : (uint16_t)binding->key,
                                               .word = binding->word};
    }
    return registers;
}

static bool take_program(void *user, const struct pfpu_board_program *from,
                         struct board_program *program)
{
    const struct making *making = user;
    struct base_arena *arena = &making->loaded->arena;
    if (from->ir.count > BOARD_OPERATIONS) {
        return refuse(making, "the equations are too long");
    }
    struct board_operation *operations =
        base_arena_array(arena, from->ir.count, sizeof *operations);
    for (size_t i = 0; operations != NULL && i < from->ir.count; i++) {
        operations[i] = operation_of(&from->ir.instructions[i]);
    }
    *program = (struct board_program){
        .operations = operations, .operation_count = from->ir.count, .stages = 1};
    if (from->fit == PFPU_FITS) {
        const struct pfpu_microcode *microcode = &from->microcode;
        program->words = microcode->words;
        program->word_count = microcode->length;
        program->stages = microcode->stages;
        program->loads = registers_of(arena, microcode->inputs, microcode->input_count);
        program->load_count = microcode->input_count;
        program->results = registers_of(arena, microcode->outputs, microcode->output_count);
        program->result_count = microcode->output_count;
    }
    return !arena->failed || lack_memory(making);
}

/* ---- cells ---- */

static uint16_t cell_of(const struct making *making, const char *name)
{
    const int variable = pfpu_scope_find(making->scope, name);
    return variable < 0 ? BOARD_NO_CELL : (uint16_t)pfpu_key_of_variable(variable);
}

/* Every frame begins with the value; a parameter that no equation names gets a cell of its own. */
static uint16_t reset(struct making *making, const char *name, double value, bool needed)
{
    struct board_patch *patch = &making->loaded->patch;
    uint16_t cell = cell_of(making, name);
    if (cell == BOARD_NO_CELL && needed) {
        cell = (uint16_t)patch->cell_count++;
    }
    if (cell != BOARD_NO_CELL) {
        making->resets[patch->reset_count++] =
            (struct board_value){cell, pfpu_word_of_number(value)};
    }
    return cell;
}

static const struct {
    const char *name;
    double value;
    bool own;
} rows[BOARD_PARAMS] = {
#define BOARD_KEY(name, variable) [BOARD_##name] = {variable, 0, false},
#include "board/language/params.def"
#define BOARD_OWN(name, value) [BOARD_##name] = {#name, value, true},
#include "board/language/params.def"
};

/* What no equation and no drawing asks for needs no controller. */
static void place_bindings(struct making *making, struct board_binding *bindings)
{
    struct board_patch *patch = &making->loaded->patch;
    patch->bindings = bindings;
    for (size_t i = 0; i < making->preset->binding_count; i++) {
        const struct preset_binding *from = &making->preset->bindings[i];
        int param = 0;
        while (param < BOARD_PARAMS && strcmp(rows[param].name, from->variable) != 0) {
            param++;
        }
        const uint16_t cell =
            param < BOARD_PARAMS ? patch->params[param] : cell_of(making, from->variable);
        if (cell != BOARD_NO_CELL && patch->binding_count < BOARD_BINDINGS) {
            bindings[patch->binding_count++] =
                (struct board_binding){.cell = cell,
                                       .element = (uint8_t)from->element,
                                       .way = (uint8_t)from->way,
                                       .channel = from->channel,
                                       .controller = from->controller,
                                       .initial = pfpu_word_of_number((double)from->initial)};
        }
    }
}

static bool place_cells(struct making *making, const struct pfpu_instance *frame)
{
    struct base_arena *arena = &making->loaded->arena;
    struct board_patch *patch = &making->loaded->patch;
    const struct pfpu_board *compiled = making->loaded->compiled;
    const size_t keys = (size_t)compiled->first_link + compiled->link_count;
    const size_t most = BOARD_PARAMS + REND_QS + RESETS;
    if (keys + BOARD_PARAMS > BOARD_CELLS) {
        return refuse(making, "there are too many variables");
    }
    making->start = base_arena_array(arena, BOARD_CELLS, sizeof *making->start);
    making->resets = base_arena_array(arena, most, sizeof *making->resets);
    struct board_binding *bindings =
        base_arena_array(arena, making->preset->binding_count, sizeof *bindings);
    if (making->start == NULL || making->resets == NULL || bindings == NULL) {
        return lack_memory(making);
    }
    patch->cell_count = keys;
    patch->start = making->start;
    patch->resets = making->resets;
    const size_t count = pfpu_scope_size(making->scope);
    for (size_t i = 0;
         i < count && pfpu_key_of_variable((int)i) < making->loaded->compiled->first_link; i++) {
        making->start[pfpu_key_of_variable((int)i)] = pfpu_word_of_number(frame->values[i]);
    }
    for (int i = 0; i < BOARD_PARAMS; i++) {
        const double value = rows[i].own ? rows[i].value : stored_of(making->preset, rows[i].name);
        making->loaded->patch.params[i] = reset(making, rows[i].name, value, true);
    }
    /* What else a frame begins with: the motion, constants, q1 to q32. */
    for (size_t i = 0; i < RESETS; i++) {
        const struct reset *row = &resets[i];
        const double value = row->stored ? stored_of(making->preset, row->name) : row->value;
        (void)reset(making, row->name, value, false);
    }
    for (int i = 1; i <= REND_QS; i++) {
        char name[Q_NAME];
        (void)q_name(i, name);
        const uint16_t cell = cell_of(making, name);
        (void)reset(making, name, pfpu_number_of_word(making->start[cell]), false);
    }
    static const char *const names[BOARD_INPUTS] = {
#define BOARD_INPUT(name) [BOARD_IN_##name] = #name,
#include "board/step/inputs.def"
#define BOARD_CONTROL(name) [BOARD_IN_##name] = #name,
#include "board/step/inputs.def"
    };
    for (int i = 0; i < BOARD_INPUTS; i++) {
        making->loaded->patch.inputs[i] = cell_of(making, names[i]);
    }
    place_bindings(making, bindings);
    return true;
}

static bool name_images(const struct making *making)
{
    static_assert((int)BOARD_IMAGES == (int)PRESET_IMAGES && (int)BOARD_VIDEO == (int)PRESET_VIDEO,
                  "a patch has as many pictures as its file");
    struct base_arena *arena = &making->loaded->arena;
    for (size_t i = 0; i < BOARD_IMAGES; i++) {
        const char *name = making->preset->images[i];
        if (name != NULL) {
            making->loaded->patch.image_names[i] = base_arena_text(arena, name, strlen(name));
        }
    }
    return !arena->failed || lack_memory(making);
}

/* ---- what is left out ---- */

static void warn(const struct making *making, bool is, const char *what)
{
    if (is) {
        base_report(making->sink, BASE_WARNING, (struct base_place){.file = making->preset->path},
                    "the rest of the preset is drawn", "the board draws no %s", what);
    }
}

static void warn_of_items(const struct making *making)
{
    const struct preset *preset = making->preset;
    const struct base_place place = {.file = preset->path};
    bool textured = false;
    bool spectrum = false;
    for (size_t i = 0; i < PRESET_SHAPES; i++) {
        textured = textured || (preset->shapes[i].enabled != 0 && preset->shapes[i].textured != 0);
    }
    for (size_t i = 0; i < PRESET_WAVES; i++) {
        spectrum = spectrum || (preset->waves[i].enabled != 0 && preset->waves[i].spectrum != 0);
    }
    if (textured) {
        base_report(making->sink, BASE_WARNING, place, "all else of them is drawn",
                    "the board draws textured custom shapes as upright squares of one brightness");
    }
    if (spectrum) {
        base_report(making->sink, BASE_WARNING, place, "all else of them is drawn",
                    "the board measures no spectrum: custom waves get the waveform's size");
    }
}

/* ---- all of it ---- */

/* Passes messages on; errors as warnings if the per-vertex equations are right in themselves. */
struct forgiving {
    struct making *making;
    bool asked;
    bool right;
};

static void report_forgiving(void *user, const struct base_diag *diag)
{
    struct forgiving *forgiving = user;
    const struct base_diag_sink *sink = forgiving->making->sink;
    if (diag->severity == BASE_ERROR && !forgiving->asked) {
        struct base_arena arena;
        struct pfpu_program *program = NULL;
        base_arena_init(&arena, 0);
        struct pfpu_scope *scope = board_scope(NULL, &arena);
        forgiving->asked = true;
        forgiving->right = scope != NULL && pfpu_compile(&pfpu_target_host, scope,
                                                         &forgiving->making->preset->per_vertex,
                                                         &arena, NULL, &program) == PFPU_OK;
        base_arena_free(&arena);
    }
    if (forgiving->right) {
        board_report_less((void *)sink, diag);
    } else if (sink != NULL && sink->receive != NULL) {
        sink->receive(sink->user, diag);
    }
}

/* Where the coprocessor cannot run a MilkDrop preset's per-vertex equations, the rest of it goes on
 * without them: it was not written for this machine. */
static enum pfpu_status compile_as_far(struct making *making, struct pfpu_board **board)
{
    struct preset rest = *making->preset;
    struct base_arena *arena = &making->loaded->arena;
    const struct pfpu_target *target = &pfpu_target_milkymist_one;
    struct forgiving forgiving = {making, rest.language == PRESET_LANGUAGE_BOARD, false};
    const struct base_diag_sink sink = {report_forgiving, &forgiving};
    enum pfpu_status status = board_compile_in(&rest, target, making->scheduler, making->common,
                                               making->scope, NULL, arena, &sink, board);
    if (status == PFPU_REFUSED && forgiving.right) {
        rest.per_vertex = (struct base_source){.file = rest.per_vertex.file};
        status = board_compile_in(&rest, target, making->scheduler, making->common, making->scope,
                                  NULL, arena, making->sink, board);
        warn(making, status == PFPU_OK, "motion by its per-vertex equations");
    }
    return status;
}

static bool make(struct making *making, unsigned fps, uint64_t seed)
{
    struct board_loaded *loaded = making->loaded;
    struct pfpu_program *init = NULL;
    struct pfpu_board *board = NULL;
    making->scope = board_scope(making->common, &loaded->arena);
    enum pfpu_status status =
        making->scope == NULL
            ? PFPU_NO_MEMORY
            : pfpu_compile(&pfpu_target_host, making->scope, &making->preset->init, &loaded->arena,
                           making->sink, &init);
    if (status != PFPU_NO_MEMORY) {
        status = compile_as_far(making, &board);
    }
    loaded->compiled = board;
    if (status != PFPU_OK) {
        return status == PFPU_NO_MEMORY && lack_memory(making);
    }
    making->items = (struct board_items_made){.preset = making->preset,
                                              .arena = &loaded->arena,
                                              .sink = making->sink,
                                              .scheduler = making->scheduler,
                                              .frame_scope = making->scope,
                                              .patch = &loaded->patch};
    if (!board_items_compile(&making->items, take_program, making)) {
        return lack_memory(making);
    }
    loaded->cpu = create_cpu(loaded->compiled, &loaded->arena, seed, making->items.need_buffers);
    if (loaded->cpu == NULL) {
        return lack_memory(making);
    }
    loaded->cpu->items = making->items.cpus;
    const struct pfpu_instance *frame = begin_cpu(loaded->cpu, init, making->preset, fps);
    loaded->patch.needs_cpu =
        loaded->compiled->frame_host != NULL || loaded->compiled->cpu_part != NULL;
    loaded->patch.cpu_cost = board_items_price(loaded->compiled->frame_host) +
                             board_items_price(loaded->compiled->cpu_part);
    if (!board_items_start(&making->items, frame, &loaded->cpu->globals)) {
        return lack_memory(making);
    }
    loaded->patch.randoms =
        board_randoms_of(making->scope, &loaded->arena, &loaded->patch.random_count);
    /* Any but 0. */
    loaded->patch.seed = (uint32_t)seed * 2654435769u | 1;
    if (loaded->patch.randoms == NULL) {
        return lack_memory(making);
    }
    const bool made = place_cells(making, frame) && name_images(making) &&
                      take_program(making, &loaded->compiled->frame, &loaded->patch.frame) &&
                      take_program(making, &loaded->compiled->vertex, &loaded->patch.vertex);
    if (made) {
        /* Which cells board_cpu_run reads. */
        for (size_t i = 0; i < loaded->patch.reset_count; i++) {
            mark_fresh(loaded->cpu, loaded->patch.resets[i].cell);
        }
        for (size_t i = 0; i < BOARD_INPUTS; i++) {
            mark_fresh(loaded->cpu, loaded->patch.inputs[i]);
        }
        for (size_t i = 0; i < loaded->patch.binding_count; i++) {
            mark_fresh(loaded->cpu, loaded->patch.bindings[i].cell);
        }
        const struct preset *preset = making->preset;
        loaded->patch.own = preset->language == PRESET_LANGUAGE_BOARD;
        warn_of_items(making);
        warn(making, preset->brighten != 0 || preset->darken != 0,
             "brightened or darkened picture");
        warn(making, preset->solarize != 0 || preset->invert != 0, "solarized or inverted picture");
        warn(making, preset->darken_center != 0, "darkened centre");
    }
    return made;
}

struct board_loaded *board_patch_create(const struct board_common *common,
                                        const struct preset *preset, unsigned fps, uint64_t seed,
                                        const struct base_diag_sink *sink)
{
    return board_patch_schedule(common, preset, PFPU_BOARD_QUICK, fps, seed, sink);
}

struct board_loaded *board_patch_schedule(const struct board_common *common,
                                          const struct preset *preset,
                                          enum pfpu_board_scheduler scheduler, unsigned fps,
                                          uint64_t seed, const struct base_diag_sink *sink)
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
        board_patch_free(making.loaded);
        return NULL;
    }
    return making.loaded;
}

void board_patch_free(struct board_loaded *loaded)
{
    if (loaded != NULL) {
        if (loaded->cpu != NULL) {
            pfpu_globals_free(&loaded->cpu->globals);
        }
        base_arena_free(&loaded->arena);
        free(loaded);
    }
}
