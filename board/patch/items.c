/* Custom shapes and waves: their equations compiled, their cells, what they begin with. */
#include "board/patch/items.h"

#include <math.h>
#include <string.h>

#include "pfpu/machine/machine.h"
#include "renderer/frame/frame.h"

enum {
    TS = 8,
    MOST = 2 * PRESET_WAVES + PRESET_SHAPES, /* programs */
    /* What runs cost, in cycles. */
    RUN_CYCLES = 700,
    WORD_CYCLES = 2,  /* of microcode */
    MOVE_CYCLES = 26, /* a word into a register or cell, or out of it */
    RANDOM_CYCLES = 40,
    SOFTWARE_CYCLES = 250, /* of the coprocessor's operations, where there is no microcode */
    DOUBLE_CYCLES = 450,
    DOUBLE_RUN_CYCLES = 12000,
    DEAREST = 1 << 26,
    LOOP_BUDGET = 10000,
};

/* A program of an item in the making. */
struct part {
    struct pfpu_scope *scope;
    struct pfpu_board *compiled;
    struct pfpu_program *init; /* NULL: none */
    struct board_item_program *program;
    struct board_value *resets;
    struct board_copy *copies;
    size_t cells; /* of it */
    /* Of it in double precision; by variable of the scope, with which they are all marked. */
    struct pfpu_instance instance;
    bool *given; /* its cell is set before a run */
    size_t variables;
};

struct board_item_cpus {
    struct part parts[MOST];
    size_t count;
    struct board_shape_item shapes[PRESET_SHAPES];
    struct board_wave_item waves[PRESET_WAVES];
    const void *stored[MOST]; /* the shape or wave whose init equations a part has, or NULL */
    uint32_t start[BOARD_ITEM_CELLS];
};

/* Work on one patch. */
struct work {
    struct board_items_made *made;
    board_take_program *take;
    void *user;
    size_t cells; /* handed out */
    bool failed;  /* without memory */
};

void board_report_less(void *user, const struct base_diag *diag)
{
    const struct base_diag_sink *sink = user;
    struct base_diag less = *diag;
    less.severity = less.severity == BASE_ERROR ? BASE_WARNING : less.severity;
    if (sink != NULL && sink->receive != NULL) {
        sink->receive(sink->user, &less);
    }
}

uint32_t board_items_price(const struct pfpu_program *program)
{
    const int64_t price = pfpu_program_price(program);
    return price > DEAREST / DOUBLE_CYCLES ? DEAREST : (uint32_t)price * DOUBLE_CYCLES;
}

const uint16_t *board_randoms_of(const struct pfpu_scope *scope, struct base_arena *arena,
                                 size_t *count)
{
    static const char prefix[] = "@rand";
    uint16_t *cells = base_arena_array(arena, PFPU_RANDOMS + 1, sizeof *cells);
    *count = 0;
    for (size_t i = 0; cells != NULL && i < pfpu_scope_size(scope); i++) {
        if (strncmp(pfpu_scope_name(scope, i), prefix, sizeof prefix - 1) == 0) {
            cells[(*count)++] = (uint16_t)pfpu_key_of_variable((int)i);
        }
    }
    return cells;
}

/* ---- compiling ---- */

static uint16_t variable_cell(const struct part *part, const char *name)
{
    const int variable = pfpu_scope_find(part->scope, name);
    return variable < 0 ? BOARD_NO_CELL : (uint16_t)pfpu_key_of_variable(variable);
}

/* A new part with compiled equations; NULL if they have errors or memory is short. */
static struct part *compile(struct work *work, const struct base_source *init,
                            const struct base_source *source, struct board_item_program *program)
{
    struct board_items_made *made = work->made;
    struct board_item_cpus *cpus = made->cpus;
    struct part *part = &cpus->parts[cpus->count];
    const struct base_diag_sink sink = {board_report_less, (void *)made->sink};
    *part = (struct part){.scope = pfpu_scope_create(made->arena), .program = program};
    if (part->scope == NULL) {
        work->failed = true;
        return NULL;
    }
    enum pfpu_status status = init == NULL ? PFPU_EMPTY
                                           : pfpu_compile(&pfpu_target_host, part->scope, init,
                                                          made->arena, &sink, &part->init);
    if (status == PFPU_OK || status == PFPU_EMPTY) {
        const struct pfpu_board_request request = {.target = &pfpu_target_milkymist_one,
                                                   .scheduler = made->scheduler,
                                                   .frame_scope = part->scope,
                                                   .per_frame = source};
        status = pfpu_board_compile(&request, made->arena, &sink, &part->compiled);
    }
    if (status != PFPU_OK) {
        work->failed = work->failed || status == PFPU_NO_MEMORY;
        return NULL;
    }
    const struct pfpu_board *compiled = part->compiled;
    if (!work->take(work->user, &compiled->frame, &program->program)) {
        work->failed = true;
        return NULL;
    }
    part->cells = (size_t)compiled->first_link;
    part->variables = pfpu_scope_size(part->scope);
    part->given = base_arena_array(made->arena, part->variables, sizeof *part->given);
    enum { RESETS = PRESET_SHAPE_KEYS + TS, OWN = 8, COPIES = REND_QS + TS + BOARD_INPUTS + OWN };
    part->resets = base_arena_array(made->arena, RESETS, sizeof *part->resets);
    part->copies = base_arena_array(made->arena, COPIES, sizeof *part->copies);
    program->on_cpu = compiled->frame_host != NULL;
    program->randoms = board_randoms_of(part->scope, made->arena, &program->random_count);
    if (part->given == NULL || part->resets == NULL || part->copies == NULL ||
        program->randoms == NULL) {
        work->failed = true;
        return NULL;
    }
    program->random_count = program->on_cpu ? 0 : program->random_count;
    program->number = (uint16_t)cpus->count;
    program->resets = part->resets;
    program->copies = part->copies;
    made->need_buffers = made->need_buffers || pfpu_scope_needs_buffers(part->scope);
    cpus->count++;
    return part;
}

static void mark(struct part *part, uint16_t cell)
{
    const size_t variable = (size_t)cell - (size_t)pfpu_key_of_variable(0);
    if (cell != BOARD_NO_CELL && variable < part->variables) {
        part->given[variable] = true;
    }
}

/* The cell of a field, whether the equations name it or not. */
static uint16_t field_cell(struct part *part, const char *name)
{
    uint16_t cell = name[0] == '\0' ? BOARD_NO_CELL : variable_cell(part, name);
    if (cell == BOARD_NO_CELL) {
        cell = (uint16_t)part->cells++;
    }
    return cell;
}

static void add_reset(struct part *part, uint16_t cell, double value)
{
    struct board_item_program *program = part->program;
    part->resets[program->reset_count++] = (struct board_value){cell, pfpu_word_of_number(value)};
    mark(part, cell);
}

/* t1 to t8 are an item's own. */
static bool is_t(const char *name)
{
    return name[0] == 't' && name[1] >= '1' && name[1] <= '8' && name[2] == '\0';
}

/* The variable begins with what another program left: of the item's frame program if it names it,
 * else of the patch's. */
static void add_copy(const struct work *work, struct part *part, const struct part *frame,
                     const char *name)
{
    const uint16_t to = variable_cell(part, name);
    const uint16_t of_item = frame != NULL ? variable_cell(frame, name) : BOARD_NO_CELL;
    const int variable = pfpu_scope_find(work->made->frame_scope, name);
    struct board_copy *copy = &part->copies[part->program->copy_count];
    if (to == BOARD_NO_CELL) {
        return;
    }
    if (of_item != BOARD_NO_CELL) {
        *copy = (struct board_copy){true, (uint16_t)(frame->program->first + of_item), to};
    } else if (variable >= 0 && !is_t(name)) {
        *copy = (struct board_copy){false, (uint16_t)pfpu_key_of_variable(variable), to};
    } else {
        return;
    }
    part->program->copy_count++;
    mark(part, to);
}

enum { NUMBERED = 4 };

static const char *numbered(char letter, int number, char name[NUMBERED])
{
    char *at = name;
    *at++ = letter;
    if (number >= 10) {
        *at++ = (char)('0' + number / 10);
    }
    *at++ = (char)('0' + number % 10);
    *at = '\0';
    return name;
}

static const char *const inputs[] = {
#define REND_INPUT(name) #name,
#include "renderer/frame/inputs.def"
#define BOARD_CONTROL(name) #name,
#include "board/step/inputs.def"
};

static void add_copies(const struct work *work, struct part *part, const struct part *frame)
{
    char name[NUMBERED];
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        add_copy(work, part, NULL, inputs[i]);
    }
    for (int i = 1; i <= REND_QS; i++) {
        add_copy(work, part, frame, numbered('q', i, name));
    }
    for (int i = 1; i <= TS && frame != NULL; i++) {
        add_copy(work, part, frame, numbered('t', i, name));
    }
}

/* Hands out its cells. False if there are no more. */
static bool place(struct work *work, struct part *part)
{
    struct board_item_program *program = part->program;
    if (work->cells + part->cells > BOARD_ITEM_CELLS) {
        base_report(work->made->sink, BASE_WARNING,
                    (struct base_place){.file = work->made->preset->path},
                    "the rest of the preset is drawn",
                    "the board leaves out a custom shape or wave: there are too many variables");
        return false;
    }
    program->first = (uint16_t)work->cells;
    work->cells += part->cells;
    return true;
}

static void set_cost(const struct part *part)
{
    struct board_item_program *program = part->program;
    const struct board_program *code = &program->program;
    const size_t moves = program->reset_count + program->copy_count;
    if (program->on_cpu) {
        program->cost = DOUBLE_RUN_CYCLES + board_items_price(part->compiled->frame_host);
    } else if (code->operation_count == 0) {
        program->cost = MOVE_CYCLES * (uint32_t)moves;
    } else if (code->word_count > 0) {
        program->cost = RUN_CYCLES + WORD_CYCLES * (uint32_t)code->word_count +
                        RANDOM_CYCLES * (uint32_t)program->random_count +
                        MOVE_CYCLES * (uint32_t)(code->load_count + code->result_count + moves);
    } else {
        program->cost = RUN_CYCLES + SOFTWARE_CYCLES * (uint32_t)code->operation_count +
                        RANDOM_CYCLES * (uint32_t)program->random_count +
                        MOVE_CYCLES * (uint32_t)moves;
    }
}

static bool make_shape(struct work *work, const struct preset_shape *shape)
{
    struct board_item_cpus *cpus = work->made->cpus;
    struct board_patch *patch = work->made->patch;
    struct board_shape_item *item = &cpus->shapes[patch->shape_count];
    struct part *part = compile(work, &shape->init, &shape->per_frame, &item->program);
    if (part == NULL) {
        return !work->failed;
    }
    for (int i = 0; i < PRESET_SHAPE_KEYS; i++) {
        const struct preset_key *key = &preset_keys[PRESET_SHAPE_ROW + i];
        item->fields[i] = field_cell(part, key->variable);
        add_reset(part, item->fields[i], preset_key_get(key, shape));
    }
    item->instance = variable_cell(part, "instance");
    mark(part, item->instance);
    const int32_t instances = shape->num_inst;
    item->instances = instances < 0 ? 0 : instances > 1024 ? 1024 : (uint32_t)instances;
    add_copies(work, part, NULL);
    if (place(work, part)) {
        set_cost(part);
        cpus->stored[item->program.number] = shape;
        patch->shape_count++;
    }
    return true;
}

static bool touches(const struct part *part, uint16_t cell, enum board_kind kind)
{
    const struct board_program *program = &part->program->program;
    for (size_t i = 0; i < program->operation_count; i++) {
        const struct board_operation *operation = &program->operations[i];
        if (operation->kind == kind && operation->word == cell) {
            return true;
        }
    }
    return false;
}

static void place_point(struct board_wave_item *item, struct part *part)
{
    static const char *const names[BOARD_POINT_FIELDS] = {"sample", "value1", "value2", "x", "y",
                                                          "r",      "g",      "b",      "a"};
    for (int i = 0; i < BOARD_POINT_FIELDS; i++) {
        const uint16_t cell = variable_cell(part, names[i]);
        const bool known = cell != BOARD_NO_CELL;
        const bool is_result = i >= BOARD_POINT_x;
        item->out[i] = is_result ? field_cell(part, names[i]) : BOARD_NO_CELL;
        /* What it sets without having looked at it need not be given. */
        const bool asked = known ? item->point.on_cpu || touches(part, cell, BOARD_GET) ||
                                       !touches(part, cell, BOARD_SET)
                                 : is_result;
        item->in[i] = !asked ? BOARD_NO_CELL : known ? cell : item->out[i];
        mark(part, known ? cell : BOARD_NO_CELL);
    }
}

static int32_t fixed(double value)
{
    return (int32_t)(fmin(fmax(value, -30000), 30000) * BOARD_ONE);
}

static bool make_wave(struct work *work, const struct preset_wave *wave)
{
    static const char *const tint[] = {"r", "g", "b", "a"};
    const double stored[] = {(double)wave->r, (double)wave->g, (double)wave->b, (double)wave->a};
    struct board_item_cpus *cpus = work->made->cpus;
    struct board_patch *patch = work->made->patch;
    struct board_wave_item *item = &cpus->waves[patch->wave_count];
    const size_t count = cpus->count;
    struct part *frame = compile(work, &wave->init, &wave->per_frame, &item->frame);
    struct part *point = frame == NULL ? NULL : compile(work, NULL, &wave->per_point, &item->point);
    if (point == NULL) {
        cpus->count = count;
        return !work->failed;
    }
    item->samples = field_cell(frame, "samples");
    add_reset(frame, item->samples, wave->samples);
    for (int i = 0; i < 4; i++) {
        item->tint[i] = field_cell(frame, tint[i]);
        add_reset(frame, item->tint[i], stored[i]);
    }
    item->sep = wave->sep < -4096 ? -4096 : wave->sep > 4096 ? 4096 : wave->sep;
    item->scaling = fixed((double)wave->scaling);
    item->smoothing = fixed(sqrt(fmin(fmax(0.98 * (double)wave->smoothing, 0), 1)));
    item->spectrum = wave->spectrum != 0;
    item->dots = wave->use_dots != 0;
    item->thick = wave->draw_thick != 0;
    item->additive = wave->additive != 0;
    add_copies(work, frame, NULL);
    place_point(item, point);
    if (!place(work, frame)) {
        return true;
    }
    add_copies(work, point, frame);
    if (place(work, point)) {
        set_cost(frame);
        set_cost(point);
        cpus->stored[item->frame.number] = wave;
        patch->wave_count++;
    }
    return true;
}

bool board_items_compile(struct board_items_made *made, board_take_program *take, void *user)
{
    struct work work = {.made = made, .take = take, .user = user};
    const struct preset *preset = made->preset;
    made->cpus = base_arena_array(made->arena, 1, sizeof *made->cpus);
    if (made->cpus == NULL) {
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < PRESET_SHAPES && good; i++) {
        good = preset->shapes[i].enabled == 0 || make_shape(&work, &preset->shapes[i]);
    }
    for (size_t i = 0; i < PRESET_WAVES && good; i++) {
        good = preset->waves[i].enabled == 0 || make_wave(&work, &preset->waves[i]);
    }
    made->patch->shapes = made->cpus->shapes;
    made->patch->waves = made->cpus->waves;
    made->patch->item_start = made->cpus->start;
    made->patch->item_cell_count = work.cells;
    return good;
}

/* ---- beginning ---- */

static void set(struct part *part, const char *name, double value)
{
    const int variable = pfpu_scope_find(part->scope, name);
    if (variable >= 0) {
        part->instance.values[variable] = value;
    }
}

static bool start(struct board_items_made *made, struct part *part,
                  const struct pfpu_instance *frame, struct pfpu_globals *globals)
{
    struct board_item_cpus *cpus = made->cpus;
    char name[NUMBERED];
    if (pfpu_instance_init(&part->instance, part->scope, made->arena) != 0) {
        return false;
    }
    const bool has_frame = cpus->stored[part->program->number] != NULL;
    for (int i = 1; i <= REND_QS && has_frame; i++) {
        const char *q = numbered('q', i, name);
        const int variable = pfpu_scope_find(made->frame_scope, q);
        if (variable >= 0) {
            set(part, q, frame->values[variable]);
        }
    }
    for (size_t i = 0; i < part->program->reset_count; i++) {
        const size_t variable = (size_t)part->resets[i].cell - (size_t)pfpu_key_of_variable(0);
        if (variable < part->variables) {
            part->instance.values[variable] = pfpu_number_of_word(part->resets[i].word);
        }
    }
    globals->budget = LOOP_BUDGET;
    globals->exhausted = false;
    pfpu_run(part->init, &part->instance, globals);
    uint32_t *words = cpus->start + part->program->first + pfpu_key_of_variable(0);
    for (size_t i = 0; i < part->variables; i++) {
        words[i] = pfpu_word_of_number(part->instance.values[i]);
    }
    /* t1 to t8 begin each frame as the init equations left them. */
    for (int i = 1; i <= TS && has_frame; i++) {
        const int variable = pfpu_scope_find(part->scope, numbered('t', i, name));
        if (variable >= 0) {
            add_reset(part, (uint16_t)pfpu_key_of_variable(variable),
                      part->instance.values[variable]);
        }
    }
    return true;
}

bool board_items_start(struct board_items_made *made, const struct pfpu_instance *frame,
                       struct pfpu_globals *globals)
{
    for (size_t i = 0; i < made->cpus->count; i++) {
        if (!start(made, &made->cpus->parts[i], frame, globals)) {
            return false;
        }
    }
    return true;
}

/* ---- running ---- */

uint32_t board_items_loops(const struct pfpu_globals *globals, int64_t budget)
{
    const int64_t left = globals->budget > 0 ? globals->budget : 0;
    return (uint32_t)(budget - left) * DOUBLE_CYCLES;
}

int64_t board_items_budget(uint32_t cycles)
{
    return cycles / DOUBLE_CYCLES;
}

uint32_t board_items_run(struct board_item_cpus *cpus, struct pfpu_globals *globals,
                         const struct board_item_program *program, uint32_t *cells)
{
    struct part *part = &cpus->parts[program->number];
    uint32_t *words = cells + pfpu_key_of_variable(0);
    for (size_t i = 0; i < part->variables; i++) {
        if (part->given[i]) {
            part->instance.values[i] = pfpu_number_of_word(words[i]);
        }
    }
    globals->budget = LOOP_BUDGET;
    globals->exhausted = false;
    pfpu_run(part->compiled->frame_host, &part->instance, globals);
    for (size_t i = 0; i < part->variables; i++) {
        if (part->given[i]) {
            words[i] = pfpu_word_of_number(part->instance.values[i]);
        }
    }
    return board_items_loops(globals, LOOP_BUDGET);
}
