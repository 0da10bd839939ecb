#include "pfpu/compile/board.h"

#include <stdio.h>
#include <string.h>

#include "pfpu/compile/compilation.h"
#include "pfpu/host/run.h"
#include "pfpu/language/lex.h"
#include "pfpu/language/parse.h"
#include "pfpu/select/select.h"

const char *const pfpu_board_scheduler_names[PFPU_BOARD_SCHEDULERS] = {"greedy", "critical",
                                                                       "pipelined", "quick"};

/* The vertex program before it is scheduled. */
struct draft {
    struct pfpu_selection selection;
    struct pfpu_builder builder;
    struct pfpu_ir ir;
    bool made;
};

struct board_work {
    const struct pfpu_board_request *request;
    struct pfpu_board *board;
    struct base_arena *arena;
    struct base_arena *scratch;
    const struct base_diag_sink *sink;
    struct pfpu_compilation frame; /* the equations; of one block, unless frame_on_cpu */
    struct pfpu_compilation vertex;
    struct pfpu_ir frame_ir;
    struct pfpu_ir vertex_ir;
    struct pfpu_builder frame_builder;
    struct pfpu_builder vertex_builder;
    struct pfpu_selection frame_selection;
    struct pfpu_selection vertex_selection;
    struct draft fallback; /* with fewer operations, if the one that was taken does not fit */
    struct pfpu_variable_role *roles; /* by variable of the vertex scope */
    const int32_t *frame_stores;      /* by variable, see pfpu_select_stores */
    const int32_t *vertex_stores;
    size_t shared; /* variables of the vertex scope when compilation began */
    bool has_frame;
    bool frame_on_cpu;
    bool as_in_thesis;
};

/* ---- equations to intermediate representation of one block ---- */

enum when { BEFORE, ANGLE, AFTER, SMALL };

static const struct {
    enum when when;
    const char *text;
} motion[] = {
#define PFPU_MOTION(when, text) {when, text},
#include "pfpu/compile/motion.def"
};

enum { MOTIONS = sizeof motion / sizeof *motion };

struct pfpu_motion {
    struct pfpu_node *trees[MOTIONS];
};

static struct pfpu_compilation start(const struct board_work *work, const char *name,
                                     struct pfpu_scope *scope, const struct base_source *source,
                                     struct pfpu_ir *ir)
{
    return (struct pfpu_compilation){.target = &pfpu_target_host,
                                     .scope = scope,
                                     .source = source,
                                     .arena = work->arena,
                                     .scratch = work->scratch,
                                     .sink = work->sink,
                                     .dumper = work->request->dumper,
                                     .name = name,
                                     .ir = ir};
}

static enum pfpu_status simplify(const struct board_work *work, struct pfpu_compilation *equations)
{
    return pfpu_compilation_run(equations,
                                work->as_in_thesis ? PFPU_LEG_THESIS : PFPU_LEG_EQUATIONS);
}

static struct base_place place_at(const struct pfpu_compilation *compilation, size_t offset)
{
    return pfpu_text_place(&compilation->text, offset);
}

/* The per-frame equations as one block; what makes that impossible sends them to the CPU. */
static enum pfpu_status read_frame(struct board_work *work)
{
    struct pfpu_compilation *frame = &work->frame;
    *frame = start(work, "per_frame", work->request->frame_scope, work->request->per_frame,
                   &work->frame_ir);
    const enum pfpu_status read =
        work->request->per_frame == NULL ? PFPU_EMPTY : pfpu_compilation_read(frame);
    if (read != PFPU_OK) {
        return read == PFPU_EMPTY ? PFPU_OK : read;
    }
    work->has_frame = true;
    pfpu_ir_init(&work->frame_ir, work->scratch);
    const enum pfpu_status lowered = pfpu_compilation_run(frame, PFPU_LEG_STRAIGHT);
    if (lowered != PFPU_REFUSED) {
        return lowered == PFPU_OK ? simplify(work, frame) : lowered;
    }
    work->frame_on_cpu = true;
    base_report(work->sink, BASE_NOTE, place_at(frame, frame->complaint.offset),
                frame->complaint.hint, "the board's CPU computes the per-frame equations: %s",
                frame->complaint.what);
    return PFPU_OK;
}

static bool append_tree(struct pfpu_node *all, struct pfpu_node **last, struct pfpu_node *tree)
{
    if (tree != NULL) {
        pfpu_node_append(all, *last, tree);
        *last = tree;
    }
    return tree != NULL;
}

static struct pfpu_node *parse_own(struct base_arena *arena, const char *text)
{
    struct pfpu_complaint complaint = {0};
    struct pfpu_text *own = base_arena_alloc(arena, sizeof *own);
    if (own == NULL) {
        return NULL;
    }
    *own = (struct pfpu_text){.data = text, .size = strlen(text), .end = strlen(text), .own = true};
    return pfpu_parse(own, arena, &complaint);
}

struct pfpu_motion *pfpu_motion_read(struct base_arena *arena)
{
    struct pfpu_motion *read = base_arena_alloc(arena, sizeof *read);
    for (size_t i = 0; read != NULL && i < MOTIONS; i++) {
        read->trees[i] = parse_own(arena, motion[i].text);
        read = read->trees[i] != NULL ? read : NULL;
    }
    return read;
}

/* Appends built-in equations. Statements are chained through the root of their tree, so that each
 * compilation has roots of its own. */
static bool append_motion(const struct board_work *work, struct pfpu_node *all,
                          struct pfpu_node **last, enum when when)
{
    for (size_t i = 0; i < MOTIONS; i++) {
        struct pfpu_node *tree = NULL;
        if (motion[i].when != when) {
            continue;
        }
        if (work->request->motion == NULL) {
            tree = parse_own(work->scratch, motion[i].text);
        } else if ((tree = base_arena_alloc(work->scratch, sizeof *tree)) != NULL) {
            *tree = *work->request->motion->trees[i];
        }
        if (!append_tree(all, last, tree)) {
            return false;
        }
    }
    return true;
}

static bool is_name_part_at(const struct pfpu_text *text, size_t offset)
{
    return offset < text->size && pfpu_is_name_part(text->data[offset]);
}

static bool mentions(const struct pfpu_text *text, const char *name)
{
    const size_t size = strlen(name);
    for (size_t i = 0; i + size <= text->size; i++) {
        const struct base_span here = {text->data + i, size};
        if (base_span_equal_nocase(here, base_span_of(name)) && !is_name_part_at(text, i + size) &&
            (i == 0 || !is_name_part_at(text, i - 1))) {
            return true;
        }
    }
    return false;
}

static enum pfpu_status read_vertex(struct board_work *work)
{
    struct pfpu_compilation *vertex = &work->vertex;
    *vertex = start(work, "per_pixel", work->request->vertex_scope, work->request->per_vertex,
                    &work->vertex_ir);
    const enum pfpu_status read =
        work->request->per_vertex == NULL ? PFPU_EMPTY : pfpu_compilation_read(vertex);
    if (read != PFPU_OK && read != PFPU_EMPTY) {
        return read;
    }
    struct pfpu_node *all = pfpu_node_sequence(work->scratch, 0);
    struct pfpu_node *last = NULL;
    if (all == NULL || !append_motion(work, all, &last, BEFORE) ||
        (read == PFPU_OK && mentions(&vertex->text, "ang") &&
         !append_motion(work, all, &last, ANGLE)) ||
        (read == PFPU_OK && !append_tree(all, &last, vertex->tree)) ||
        !append_motion(work, all, &last, work->as_in_thesis ? AFTER : SMALL)) {
        return PFPU_NO_MEMORY;
    }
    vertex->tree = all;
    pfpu_ir_init(&work->vertex_ir, work->scratch);
    const enum pfpu_status lowered = pfpu_compilation_run(vertex, PFPU_LEG_STRAIGHT);
    return lowered == PFPU_OK ? simplify(work, vertex) : pfpu_compilation_refuse(vertex);
}

/* ---- the per-frame equations as the frame program, or left to the CPU ---- */

/* What a patch's author calls an operation. */
static const char *name_of(enum pfpu_op op)
{
    switch (op) {
    case PFPU_OP_GET:
    case PFPU_OP_SET:
        return "the variables reg00 to reg99";
    case PFPU_OP_BIT_AND:
        return "&";
    case PFPU_OP_BIT_OR:
        return "|";
    case PFPU_OP_MEMORY_LOAD:
    case PFPU_OP_MEMORY_STORE:
        return "megabuf";
    case PFPU_OP_GLOBAL_LOAD:
    case PFPU_OP_GLOBAL_STORE:
        return "gmegabuf";
    case PFPU_OP_DMX_LOAD:
        return "dmx_in";
    default:
        return pfpu_ops[op].text;
    }
}

static struct pfpu_selection start_selection(struct board_work *work, const struct pfpu_ir *source)
{
    return (struct pfpu_selection){.source = source,
                                   .programs = {.frame = &work->frame_builder,
                                                .vertex = &work->vertex_builder,
                                                .scratch = work->scratch,
                                                .target = work->request->target}};
}

/* One of the coprocessor's programs on its way from selection to microcode. */
static struct pfpu_compilation start_unit(struct board_work *work, bool vertex)
{
    struct pfpu_board *board = work->board;
    struct pfpu_compilation unit =
        start(work, vertex ? "per_pixel" : "per_frame", work->request->frame_scope, NULL,
              vertex ? &board->vertex.ir : &board->frame.ir);
    unit.target = work->request->target;
    return unit;
}

static void open_frame(struct board_work *work)
{
    pfpu_builder_init(&work->frame_builder, &work->board->frame.ir, work->as_in_thesis, work->arena,
                      work->scratch);
}

/* What a variable of the frame scope holds before the frame program runs. */
static struct pfpu_variable_role input_of(int variable)
{
    return (struct pfpu_variable_role){.kind = PFPU_ROLE_INPUT,
                                       .key = pfpu_key_of_variable(variable)};
}

static bool select_frame(struct board_work *work)
{
    const size_t count = pfpu_scope_size(work->request->frame_scope);
    struct pfpu_variable_role *roles = base_arena_array(work->scratch, count, sizeof *roles);
    int32_t *roots = base_arena_array(work->scratch, count, sizeof *roots);
    size_t root_count = 0;
    work->frame_stores = pfpu_select_stores(&work->frame_ir, count, work->scratch);
    if (roles == NULL || roots == NULL || work->frame_stores == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const int32_t stored = work->frame_stores[i];
        roles[i] = input_of((int)i);
        if (stored != PFPU_NO_VALUE) {
            roots[root_count++] = stored;
        }
    }
    work->frame_selection = start_selection(work, &work->frame_ir);
    work->frame_selection.roles = roles;
    work->frame_selection.role_count = count;
    work->frame_selection.stores = work->frame_stores;
    struct pfpu_compilation unit = start_unit(work, false);
    unit.selection = &work->frame_selection;
    unit.roots = roots;
    unit.root_count = root_count;
    return pfpu_compilation_run(&unit, PFPU_LEG_SELECT) == PFPU_OK;
}

static bool frame_on_coprocessor(const struct board_work *work)
{
    return work->has_frame && !work->frame_on_cpu;
}

/* Translates the per-frame equations, or finds that the CPU must do them. */
static enum pfpu_status make_frame(struct board_work *work)
{
    open_frame(work);
    if (!frame_on_coprocessor(work)) {
        return PFPU_OK;
    }
    if (!select_frame(work)) {
        return PFPU_NO_MEMORY;
    }
    const struct pfpu_selection *selection = &work->frame_selection;
    if (selection->problem_count > 0) {
        const struct pfpu_problem *problem = &selection->problems[0];
        base_report(work->sink, BASE_NOTE, place_at(&work->frame, problem->offset), NULL,
                    "the board's CPU computes the per-frame equations: the coprocessor lacks %s",
                    name_of(problem->op));
        work->frame_on_cpu = true;
        open_frame(work);
    }
    return PFPU_OK;
}

static enum pfpu_status make_frame_host(struct board_work *work)
{
    struct pfpu_program *program = NULL;
    if (!work->frame_on_cpu) {
        return PFPU_OK;
    }
    const enum pfpu_status status = pfpu_compile_dumping(
        &pfpu_target_host, work->request->frame_scope, work->request->per_frame, work->arena,
        work->sink, work->request->dumper, "per_frame", &program);
    work->board->frame_host = program;
    return status;
}

/* ---- the vertex program, and what the CPU computes for it ---- */

static bool find_roles(struct board_work *work)
{
    struct pfpu_scope *vertex = work->request->vertex_scope;
    const size_t count = pfpu_scope_size(vertex);
    work->roles = base_arena_array(work->scratch, count, sizeof *work->roles);
    work->vertex_stores = pfpu_select_stores(&work->vertex_ir, count, work->scratch);
    if (work->roles == NULL || work->vertex_stores == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct pfpu_variable_role *role = &work->roles[i];
        const char *name = pfpu_scope_name(vertex, i);
        if (strcmp(name, "@column") == 0 || strcmp(name, "@row") == 0) {
            role->kind = work->as_in_thesis ? PFPU_ROLE_INPUT : PFPU_ROLE_INDEX;
            role->key = name[1] == 'c' ? PFPU_KEY_COLUMN : PFPU_KEY_ROW;
        } else if (i < work->shared) {
            /* What the per-frame equations leave in a variable of the frame scope. */
            const int variable = pfpu_scope_declare(work->request->frame_scope, name);
            const bool known = !work->as_in_thesis && frame_on_coprocessor(work) &&
                               (size_t)variable < work->frame_selection.role_count &&
                               work->frame_stores[variable] != PFPU_NO_VALUE;
            const struct pfpu_linear *form =
                known ? &work->frame_selection.values[work->frame_stores[variable]] : NULL;
            *role = known ? (struct pfpu_variable_role){.kind = PFPU_ROLE_FACTOR,
                                                        .factor = form->constant}
                          : input_of(variable);
        } else {
            const bool set = work->vertex_stores[i] != PFPU_NO_VALUE;
            role->kind = set ? PFPU_ROLE_CARRIED : PFPU_ROLE_ZERO;
        }
    }
    return true;
}

static int32_t stored_in(const struct board_work *work, const char *name)
{
    const int variable = pfpu_scope_declare(work->request->vertex_scope, name);
    return work->vertex_stores[variable];
}

/* Where u and v stand: see motion.def. */
static bool find_roots(const struct board_work *work, int32_t roots[2])
{
    roots[0] = stored_in(work, "@xd");
    roots[1] = stored_in(work, "@yd");
    if (work->as_in_thesis) {
        return true;
    }
    static const char *const shifted[][2] = {
        {"@x0", "@y0"}, {"@x1", "@y1"}, {"@x2", "@y2"}, {"@x3", "@y3"}};
    /* Which values of the equations are the same for all vertices. */
    const struct pfpu_ir *ir = &work->vertex_ir;
    bool *uniform = base_arena_array(work->scratch, ir->count, sizeof *uniform);
    for (size_t i = 0; uniform != NULL && i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        if (instruction->op == PFPU_OP_GET) {
            const int32_t variable = instruction->key - PFPU_REGISTERS_GLOBAL;
            const enum pfpu_role_kind role =
                variable >= 0 ? work->roles[variable].kind : PFPU_ROLE_CARRIED;
            uniform[i] =
                role == PFPU_ROLE_FACTOR || role == PFPU_ROLE_INPUT || role == PFPU_ROLE_ZERO;
            continue;
        }
        const enum pfpu_op_kind kind = pfpu_ops[instruction->op].kind;
        uniform[i] = kind == PFPU_OP_KIND_PURE || kind == PFPU_OP_KIND_NUMBER;
        for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
            uniform[i] = uniform[i] && uniform[instruction->arguments[k]];
        }
    }
    if (uniform != NULL && uniform[stored_in(work, "@c")] && uniform[stored_in(work, "@kx")] &&
        uniform[stored_in(work, "@ky")]) {
        const int variant =
            (uniform[stored_in(work, "@lx")] ? 0 : 2) + (uniform[stored_in(work, "@ly")] ? 0 : 1);
        roots[0] = stored_in(work, shifted[variant][0]);
        roots[1] = stored_in(work, shifted[variant][1]);
    }
    return uniform != NULL;
}

static int32_t value_of(struct board_work *work, const struct pfpu_linear *form)
{
    struct pfpu_linear_programs *programs = &work->vertex_selection.programs;
    return work->as_in_thesis ? pfpu_factor_node(programs, form->constant)
                              : pfpu_linear_value(programs, form);
}

static void finish_vertex(struct board_work *work, const int32_t roots[2])
{
    struct pfpu_selection *selection = &work->vertex_selection;
    struct pfpu_linear_programs *programs = &selection->programs;
    struct pfpu_builder *vertex = &work->vertex_builder;
    int32_t out[2];
    for (int i = 0; i < 2; i++) {
        out[i] = value_of(work, &selection->values[roots[i]]);
    }
    (void)pfpu_build2(vertex, PFPU_OP_WORD_VECTOUT, out[0], out[1]);
    for (int32_t i = 0; i < programs->link_count && !vertex->failed; i++) {
        if (programs->links[i].kind == PFPU_LINK_CARRIED) {
            const int32_t stored = work->vertex_stores[programs->links[i].source];
            const struct pfpu_linear *form = &selection->values[stored];
            pfpu_build_set(vertex, programs->first_link + i, value_of(work, form));
        }
    }
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Notes what the vertex program costs at least. False without memory. */
static bool measure(struct board_work *work, struct pfpu_compilation *unit)
{
    struct pfpu_board *board = work->board;
    const struct pfpu_ir *ir = unit->ir;
    board->path = 1;
    for (size_t i = 0; i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        for (int k = 0; k < 2 && instruction->op == PFPU_OP_WORD_VECTOUT; k++) {
            const uint32_t ready =
                pfpu_linear_ready(&work->vertex_selection.programs, instruction->arguments[k]);
            board->path = larger(board->path, ready + 1);
        }
    }
    if (work->vertex_builder.failed ||
        (!work->as_in_thesis && pfpu_compilation_run(unit, PFPU_LEG_CLEAN) != PFPU_OK)) {
        return false;
    }
    board->operations = 0;
    for (size_t i = 0; i < ir->count; i++) {
        board->operations += unit->target->ops[ir->instructions[i].op].bound ? 0 : 1;
    }
    return true;
}

static enum pfpu_status select_vertex(struct board_work *work, bool favour_short_path)
{
    int32_t roots[2];
    struct pfpu_selection *selection = &work->vertex_selection;
    struct pfpu_compilation unit = start_unit(work, true);
    pfpu_builder_init(&work->vertex_builder, unit.ir, work->as_in_thesis, work->arena,
                      work->scratch);
    if (!find_roles(work) || !find_roots(work, roots)) {
        return PFPU_NO_MEMORY;
    }
    *selection = start_selection(work, &work->vertex_ir);
    selection->programs.first_link =
        pfpu_key_of_variable((int)pfpu_scope_size(work->request->frame_scope));
    selection->programs.frame_stores = frame_on_coprocessor(work) ? work->frame_stores : NULL;
    selection->programs.frame_store_count = work->frame_selection.role_count;
    selection->roles = work->roles;
    selection->role_count = pfpu_scope_size(work->request->vertex_scope);
    selection->stores = work->vertex_stores;
    selection->cpu_helps = !work->as_in_thesis;
    selection->favours_short_path = favour_short_path;
    if (work->as_in_thesis) {
        selection->programs.frame = &work->vertex_builder;
    }
    unit.selection = selection;
    unit.roots = roots;
    unit.root_count = 2;
    if (pfpu_compilation_run(&unit, PFPU_LEG_SELECT) != PFPU_OK) {
        return PFPU_NO_MEMORY;
    }
    finish_vertex(work, roots);
    work->board->first_link = selection->programs.first_link;
    if (!measure(work, &unit)) {
        return PFPU_NO_MEMORY;
    }
    for (size_t i = 0; i < selection->problem_count; i++) {
        base_report(work->sink, BASE_ERROR, place_at(&work->vertex, selection->problems[i].offset),
                    selection->problems[i].varies
                        ? "it depends on the vertex, so that the board's CPU cannot help"
                        : NULL,
                    "does not fit target '%s': the coprocessor lacks %s",
                    work->request->target->name, name_of(selection->problems[i].op));
    }
    return selection->problem_count > 0 ? PFPU_REFUSED : PFPU_OK;
}

static bool needs_cpu(const struct board_work *work)
{
    const struct pfpu_linear_programs *programs = &work->vertex_selection.programs;
    for (int32_t i = 0; i < programs->link_count; i++) {
        if (programs->links[i].kind == PFPU_LINK_CPU) {
            return true;
        }
    }
    return false;
}

static void take_draft(struct board_work *work, const struct draft *draft)
{
    work->vertex_selection = draft->selection;
    work->vertex_builder = draft->builder;
    work->board->vertex.ir = draft->ir;
}

/* Vertices one after the other wait for the longest way: a program with more operations and a
 * shorter way may be better. */
static enum pfpu_status select_shorter(struct board_work *work)
{
    if (work->request->scheduler != PFPU_BOARD_CRITICAL || !work->vertex_selection.has_shorter) {
        return PFPU_OK;
    }
    struct pfpu_board *board = work->board;
    const uint32_t operations = board->operations;
    const uint32_t path = board->path;
    const struct draft fewest = {work->vertex_selection, work->vertex_builder, board->vertex.ir,
                                 true};
    const enum pfpu_status status = select_vertex(work, true);
    if (status != PFPU_OK) {
        return status;
    }
    if (larger(board->operations, board->path) < larger(operations, path)) {
        work->fallback = fewest;
    } else {
        take_draft(work, &fewest);
    }
    board->operations = operations;
    board->path = path;
    return PFPU_OK;
}

/* What the CPU computes for the vertices it computes before the frame program runs, from what the
 * per-frame equations leave: then those are the CPU's too. */
static enum pfpu_status make_vertex(struct board_work *work)
{
    enum pfpu_status status = select_vertex(work, false);
    if (status != PFPU_OK) {
        return status;
    }
    if (!frame_on_coprocessor(work) || !needs_cpu(work)) {
        return select_shorter(work);
    }
    base_report(work->sink, BASE_NOTE, place_at(&work->frame, 0), NULL,
                "the board's CPU computes the per-frame equations: it computes a part of the "
                "per-vertex equations from them");
    work->frame_on_cpu = true;
    open_frame(work);
    status = make_frame_host(work);
    status = status == PFPU_OK ? select_vertex(work, false) : status;
    return status == PFPU_OK ? select_shorter(work) : status;
}

/* The equations' values of CPU links as a program that stores them in variables of their own. */
static enum pfpu_status make_cpu_part(struct board_work *work)
{
    struct pfpu_linear_programs *programs = &work->vertex_selection.programs;
    struct pfpu_ir ir;
    struct pfpu_compilation part = start(work, "per_pixel", work->request->vertex_scope, NULL, &ir);
    if (!needs_cpu(work)) {
        return PFPU_OK;
    }
    if (!pfpu_ir_copy(&ir, &work->vertex_ir, work->scratch)) {
        return PFPU_NO_MEMORY;
    }
    for (size_t i = 0; i < ir.count; i++) {
        struct pfpu_instruction *instruction = &ir.instructions[i];
        if (instruction->op == PFPU_OP_SET) {
            *instruction = (struct pfpu_instruction){.op = PFPU_OP_NUMBER};
        }
    }
    for (int32_t i = 0; i < programs->link_count; i++) {
        char name[32];
        if (programs->links[i].kind != PFPU_LINK_CPU) {
            continue;
        }
        (void)snprintf(name, sizeof name, "@cpu%d", (int)i);
        const int variable = pfpu_scope_declare(part.scope, name);
        const struct pfpu_instruction set = {.op = PFPU_OP_SET,
                                             .key = pfpu_key_of_variable(variable),
                                             .arguments = {programs->links[i].source, 0, 0}};
        if (variable < 0 || pfpu_ir_append(&ir, set) == PFPU_NO_VALUE) {
            return PFPU_NO_MEMORY;
        }
        programs->links[i].source = variable;
    }
    const enum pfpu_status status = pfpu_compilation_finish(&part);
    work->board->cpu_part = part.program;
    return status;
}

/* ---- microcode ---- */

/* Stores what the per-frame equations leave, and what the vertex program asks for. */
static void finish_frame(struct board_work *work)
{
    struct pfpu_builder *frame = &work->frame_builder;
    struct pfpu_linear_programs *programs = &work->vertex_selection.programs;
    const size_t count = frame_on_coprocessor(work) ? work->frame_selection.role_count : 0;
    for (size_t i = 0; i < count; i++) {
        const int32_t stored = work->frame_stores[i];
        if (stored != PFPU_NO_VALUE) {
            const struct pfpu_linear *form = &work->frame_selection.values[stored];
            pfpu_build_set(frame, pfpu_key_of_variable((int)i),
                           pfpu_factor_node(&work->frame_selection.programs, form->constant));
        }
    }
    const struct pfpu_ir *vertex = &work->board->vertex.ir;
    for (size_t i = 0; i < vertex->count; i++) {
        const struct pfpu_instruction *instruction = &vertex->instructions[i];
        if (instruction->op == PFPU_OP_GET && instruction->key >= programs->first_link) {
            const struct pfpu_link *link =
                &programs->links[instruction->key - programs->first_link];
            if (link->kind == PFPU_LINK_FRAME) {
                pfpu_build_set(frame, instruction->key, link->source);
            }
        }
    }
}

/* What does not fit is left as it is, with the reason. False without memory. */
static bool make_code(struct board_work *work, bool vertex)
{
    static pfpu_scheduler *const schedulers[PFPU_BOARD_SCHEDULERS] = {
        pfpu_schedule_greedy, pfpu_schedule_critical, pfpu_schedule_pipelined, pfpu_schedule_quick};
    struct pfpu_board_program *program = vertex ? &work->board->vertex : &work->board->frame;
    struct pfpu_compilation unit = start_unit(work, vertex);
    /* The frame program runs once: the shortest schedule is not worth looking for. */
    unit.scheduler = vertex ? schedulers[work->request->scheduler] : pfpu_schedule_greedy;
    unit.microcode = &program->microcode;
    /* The vertex program is clean since it was measured. */
    if (!vertex && !work->as_in_thesis && pfpu_compilation_run(&unit, PFPU_LEG_CLEAN) != PFPU_OK) {
        return false;
    }
    const enum pfpu_status status = pfpu_compilation_run(&unit, PFPU_LEG_MICROCODE);
    program->fit = unit.fit;
    return status != PFPU_NO_MEMORY;
}

/* The first of a program's equations; without any its file. */
static struct base_place place_of(const struct pfpu_compilation *program,
                                  const struct base_source *source)
{
    return program->text.piece_count > 0
               ? place_at(program, 0)
               : (struct base_place){.file = source != NULL ? source->file : NULL};
}

/* Falls back to fewer operations if that is what fits. */
static enum pfpu_status make_vertex_code(struct board_work *work)
{
    struct pfpu_board_program *vertex = &work->board->vertex;
    bool made = make_code(work, true);
    if (made && vertex->fit != PFPU_FITS && work->fallback.made) {
        take_draft(work, &work->fallback);
        made = make_code(work, true);
    }
    return made ? PFPU_OK : PFPU_NO_MEMORY;
}

static enum pfpu_status make_frame_code(struct board_work *work)
{
    struct pfpu_board *board = work->board;
    const struct pfpu_linear_programs *programs = &work->vertex_selection.programs;
    finish_frame(work);
    if (work->frame_builder.failed || !make_code(work, false)) {
        return PFPU_NO_MEMORY;
    }
    board->links =
        base_arena_array(work->arena, (size_t)programs->link_count, sizeof *board->links);
    if (board->links == NULL) {
        return PFPU_NO_MEMORY;
    }
    board->link_count = (size_t)programs->link_count;
    if (board->link_count > 0) {
        memcpy((void *)board->links, programs->links, board->link_count * sizeof *board->links);
    }
    if (board->frame.fit != PFPU_FITS) {
        base_report(work->sink, BASE_NOTE, place_of(&work->frame, work->request->per_frame), NULL,
                    "the board's CPU computes the per-frame program: %s",
                    board->frame.fit == PFPU_FIT_REGISTERS
                        ? "it needs more registers than the coprocessor has"
                        : "it is longer than the coprocessor's program memory");
    }
    if (work->request->vertex_scope == NULL || board->vertex.fit == PFPU_FITS) {
        return PFPU_OK;
    }
    base_report(work->sink, BASE_ERROR, place_of(&work->vertex, work->request->per_vertex),
                "make the per-vertex equations shorter", "does not fit target '%s': %s",
                board->target->name,
                board->vertex.fit == PFPU_FIT_REGISTERS
                    ? "it needs more registers than the coprocessor has"
                    : "it is longer than the coprocessor's program memory");
    return PFPU_REFUSED;
}

enum pfpu_status pfpu_board_compile(const struct pfpu_board_request *request,
                                    struct base_arena *arena, const struct base_diag_sink *sink,
                                    struct pfpu_board **board)
{
    struct base_arena scratch;
    base_arena_init(&scratch, 0);
    struct board_work work = {.request = request,
                              .board = base_arena_alloc(arena, sizeof **board),
                              .arena = arena,
                              .scratch = &scratch,
                              .sink = sink,
                              .as_in_thesis = request->scheduler == PFPU_BOARD_GREEDY};
    typedef enum pfpu_status make_step(struct board_work *);
    static make_step *const whole[] = {read_frame,      read_vertex,    make_frame,
                                       make_frame_host, make_vertex,    make_vertex_code,
                                       make_cpu_part,   make_frame_code};
    static make_step *const frame_alone[] = {read_frame, make_frame, make_frame_host,
                                             make_frame_code};
    const bool alone = request->vertex_scope == NULL;
    make_step *const *const steps = alone ? frame_alone : whole;
    const size_t step_count =
        alone ? sizeof frame_alone / sizeof *frame_alone : sizeof whole / sizeof *whole;
    work.shared = alone ? 0 : pfpu_scope_size(request->vertex_scope);
    *board = NULL;
    enum pfpu_status status = PFPU_NO_MEMORY;
    if (work.board != NULL) {
        *work.board = (struct pfpu_board){.target = request->target,
                                          .scheduler = request->scheduler,
                                          .frame_scope = request->frame_scope,
                                          .vertex_scope = request->vertex_scope};
        status = PFPU_OK;
        for (size_t i = 0; i < step_count && status == PFPU_OK; i++) {
            status = steps[i](&work);
        }
    }
    if (status == PFPU_NO_MEMORY && !arena->failed && !scratch.failed) {
        base_report(sink, BASE_ERROR, place_of(&work.frame, request->per_frame),
                    "make the equations shorter", "the equations are too long for target '%s'",
                    request->target->name);
        status = PFPU_REFUSED;
    }
    if (status == PFPU_OK && alone) {
        work.board->first_link = pfpu_key_of_variable((int)pfpu_scope_size(request->frame_scope));
    }
    if (status == PFPU_OK) {
        *board = work.board;
    }
    base_arena_free(&scratch);
    return status;
}
