#include "pfpu/board.h"

#include <stdio.h>
#include <string.h>

#include "pfpu/choose.h"
#include "pfpu/compile.h"
#include "pfpu/expand.h"
#include "pfpu/lower.h"
#include "pfpu/names.h"
#include "pfpu/node.h"
#include "pfpu/parse.h"
#include "pfpu/passes.h"
#include "pfpu/scope.h"
#include "pfpu/select.h"

const char *const pfpu_board_scheduler_names[PFPU_BOARD_SCHEDULERS] = {"greedy", "critical",
                                                                       "pipelined"};

struct work {
    const struct pfpu_board_request *request;
    struct pfpu_board *board;
    struct base_arena *arena;
    struct base_arena *scratch;
    const struct base_diag_sink *sink;
    struct pfpu_compilation frame; /* its IR is of one block, unless on_cpu */
    struct pfpu_compilation vertex;
    struct pfpu_builder frame_builder;
    struct pfpu_builder vertex_builder;
    struct pfpu_selection frame_selection;
    struct pfpu_selection vertex_selection;
    struct pfpu_seen *seen;      /* by variable of the vertex scope */
    const int32_t *frame_stores; /* by variable, see pfpu_select_stores */
    const int32_t *vertex_stores;
    size_t shared; /* variables of the vertex scope when compilation began */
    bool has_frame;
    bool frame_on_cpu;
    bool plain;
};

static const char motion_before[] =
#define BEFORE(text) text
#define ANGLE(text)
#define AFTER(text)
#define SMALL(text)
#define PFPU_MOTION(when, text) when(text)
#include "pfpu/motion.def"
#undef BEFORE
#undef ANGLE
    ;
static const char motion_angle[] =
#define BEFORE(text)
#define ANGLE(text)             text
#define PFPU_MOTION(when, text) when(text)
#include "pfpu/motion.def"
#undef ANGLE
#undef AFTER
    ;
static const char motion_plain[] =
#define ANGLE(text)
#define AFTER(text)             text
#define PFPU_MOTION(when, text) when(text)
#include "pfpu/motion.def"
#undef AFTER
#undef SMALL
    ;
static const char motion_small[] =
#define AFTER(text)
#define SMALL(text)             text
#define PFPU_MOTION(when, text) when(text)
#include "pfpu/motion.def"
#undef BEFORE
#undef ANGLE
#undef AFTER
#undef SMALL
    ;

static struct pfpu_compilation start(const struct work *work, struct pfpu_scope *scope,
                                     const struct base_source *source)
{
    return (struct pfpu_compilation){.target = &pfpu_target_host,
                                     .scope = scope,
                                     .source = source,
                                     .arena = work->arena,
                                     .scratch = work->scratch,
                                     .sink = work->sink};
}

static bool simplify(const struct work *work, struct pfpu_ir *ir)
{
    return pfpu_fold(ir, work->scratch) &&
           (work->plain || (pfpu_cse(ir, work->scratch) && pfpu_dce(ir, work->scratch)));
}

static struct base_place place_at(const struct pfpu_compilation *compilation, size_t offset)
{
    return pfpu_text_place(&compilation->text, offset);
}

/* The per-frame equations as one block; what makes that impossible sends them to the CPU. */
static enum pfpu_status read_frame(struct work *work)
{
    struct pfpu_compilation *frame = &work->frame;
    struct pfpu_complaint complaint = {0};
    *frame = start(work, work->request->frame_scope, work->request->per_frame);
    const enum pfpu_status status =
        work->request->per_frame == NULL ? PFPU_EMPTY : pfpu_compilation_read(frame);
    if (status != PFPU_OK) {
        return status == PFPU_EMPTY ? PFPU_OK : status;
    }
    work->has_frame = true;
    pfpu_ir_init(&frame->ir, work->scratch);
    if (pfpu_lower_straight(frame->tree, frame->scope, &frame->ir, work->scratch, &complaint)) {
        return simplify(work, &frame->ir) ? PFPU_OK : PFPU_NO_MEMORY;
    }
    if (!complaint.set) {
        return PFPU_NO_MEMORY;
    }
    work->frame_on_cpu = true;
    base_report(work->sink, BASE_NOTE, place_at(frame, complaint.offset), complaint.hint,
                "the board's CPU computes the per-frame equations: %s", complaint.what);
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

static struct pfpu_node *parse_own(const struct work *work, const char *text)
{
    struct pfpu_complaint complaint = {0};
    struct pfpu_text *own = base_arena_alloc(work->scratch, sizeof *own);
    if (own == NULL) {
        return NULL;
    }
    *own = (struct pfpu_text){.data = text, .size = strlen(text), .end = strlen(text), .own = true};
    return pfpu_parse(own, work->scratch, &complaint);
}

static bool is_name_part_at(const struct pfpu_text *text, size_t offset)
{
    return offset < text->size && pfpu_is_name_part(text->data[offset]);
}

static bool speaks_of(const struct pfpu_text *text, const char *name)
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

static enum pfpu_status read_vertex(struct work *work)
{
    struct pfpu_compilation *vertex = &work->vertex;
    struct pfpu_complaint complaint = {0};
    *vertex = start(work, work->request->vertex_scope, work->request->per_vertex);
    const enum pfpu_status status =
        work->request->per_vertex == NULL ? PFPU_EMPTY : pfpu_compilation_read(vertex);
    if (status != PFPU_OK && status != PFPU_EMPTY) {
        return status;
    }
    struct pfpu_node *all = pfpu_node_sequence(work->scratch, 0);
    struct pfpu_node *last = NULL;
    if (all == NULL || !append_tree(all, &last, parse_own(work, motion_before)) ||
        (status == PFPU_OK && speaks_of(&vertex->text, "ang") &&
         !append_tree(all, &last, parse_own(work, motion_angle))) ||
        (status == PFPU_OK && !append_tree(all, &last, vertex->tree)) ||
        !append_tree(all, &last, parse_own(work, work->plain ? motion_plain : motion_small))) {
        return PFPU_NO_MEMORY;
    }
    pfpu_ir_init(&vertex->ir, work->scratch);
    if (!pfpu_lower_straight(all, vertex->scope, &vertex->ir, work->scratch, &complaint)) {
        return pfpu_compilation_refuse(vertex, &complaint);
    }
    return simplify(work, &vertex->ir) ? PFPU_OK : PFPU_NO_MEMORY;
}

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
    default:
        return pfpu_ops[op].text;
    }
}

/* ---- the frame program ---- */

static struct pfpu_selection start_selection(struct work *work, const struct pfpu_ir *source)
{
    return (struct pfpu_selection){.source = source,
                                   .forms = {.frame = &work->frame_builder,
                                             .vertex = &work->vertex_builder,
                                             .scratch = work->scratch,
                                             .target = work->request->target}};
}

static void open_frame(struct work *work)
{
    pfpu_builder_init(&work->frame_builder, &work->board->frame.ir, work->plain, work->arena,
                      work->scratch);
}

/* What a variable of the frame scope holds before the frame program runs. */
static struct pfpu_seen input_of(int variable)
{
    return (struct pfpu_seen){.kind = PFPU_SEEN_INPUT, .key = pfpu_key_of_variable(variable)};
}

static bool select_frame(struct work *work)
{
    const size_t count = pfpu_scope_size(work->request->frame_scope);
    struct pfpu_seen *seen = base_arena_array(work->scratch, count, sizeof *seen);
    int32_t *roots = base_arena_array(work->scratch, count, sizeof *roots);
    size_t root_count = 0;
    work->frame_stores = pfpu_select_stores(&work->frame.ir, count, work->scratch);
    if (seen == NULL || roots == NULL || work->frame_stores == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const int32_t stored = work->frame_stores[i];
        seen[i] = input_of((int)i);
        if (stored != PFPU_NO_VALUE) {
            roots[root_count++] = stored;
        }
    }
    work->frame_selection = start_selection(work, &work->frame.ir);
    work->frame_selection.seen = seen;
    work->frame_selection.seen_count = count;
    work->frame_selection.stores = work->frame_stores;
    return pfpu_select(&work->frame_selection, roots, root_count);
}

static bool frame_on_unit(const struct work *work)
{
    return work->has_frame && !work->frame_on_cpu;
}

/* Translates the per-frame equations, or finds that the CPU must do them. */
static enum pfpu_status make_frame(struct work *work)
{
    open_frame(work);
    if (!frame_on_unit(work)) {
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

/* What the per-frame equations leave in a variable of the frame scope. */
static struct pfpu_seen left_in(const struct work *work, int variable)
{
    const bool known = !work->plain && frame_on_unit(work) &&
                       (size_t)variable < work->frame_selection.seen_count &&
                       work->frame_stores[variable] != PFPU_NO_VALUE;
    if (!known) {
        return input_of(variable);
    }
    const struct pfpu_form *form = &work->frame_selection.values[work->frame_stores[variable]];
    return (struct pfpu_seen){.kind = PFPU_SEEN_FACTOR, .factor = form->constant};
}

static enum pfpu_status make_frame_host(struct work *work)
{
    struct pfpu_program *program = NULL;
    if (!work->frame_on_cpu) {
        return PFPU_OK;
    }
    const enum pfpu_status status =
        pfpu_compile(&pfpu_target_host, work->request->frame_scope, work->request->per_frame,
                     work->arena, work->sink, &program);
    work->board->frame_host = program;
    return status;
}

/* ---- the vertex program ---- */

static struct pfpu_seen see(struct work *work, int variable)
{
    struct pfpu_scope *vertex = work->request->vertex_scope;
    const char *name = pfpu_scope_name(vertex, (size_t)variable);
    if (strcmp(name, "@column") == 0 || strcmp(name, "@row") == 0) {
        return (struct pfpu_seen){.kind = work->plain ? PFPU_SEEN_INPUT : PFPU_SEEN_INDEX,
                                  .key = name[1] == 'c' ? PFPU_KEY_COLUMN : PFPU_KEY_ROW};
    }
    if ((size_t)variable < work->shared) {
        return left_in(work, pfpu_scope_declare(work->request->frame_scope, name));
    }
    const bool set = work->vertex_stores[variable] != PFPU_NO_VALUE;
    return (struct pfpu_seen){.kind = set ? PFPU_SEEN_CARRIED : PFPU_SEEN_ZERO};
}

static bool look_around(struct work *work)
{
    const size_t count = pfpu_scope_size(work->request->vertex_scope);
    work->seen = base_arena_array(work->scratch, count, sizeof *work->seen);
    work->vertex_stores = pfpu_select_stores(&work->vertex.ir, count, work->scratch);
    if (work->seen == NULL || work->vertex_stores == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        work->seen[i] = see(work, (int)i);
    }
    return true;
}

/* Which values of the equations are the same for all vertices. */
static bool *find_uniform(const struct work *work)
{
    const struct pfpu_ir *ir = &work->vertex.ir;
    bool *uniform = base_arena_array(work->scratch, ir->count, sizeof *uniform);
    for (size_t i = 0; uniform != NULL && i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        if (instruction->op == PFPU_OP_GET) {
            const int32_t variable = instruction->key - PFPU_REGISTERS_GLOBAL;
            const enum pfpu_seen_kind kind =
                variable >= 0 ? work->seen[variable].kind : PFPU_SEEN_CARRIED;
            uniform[i] =
                kind == PFPU_SEEN_FACTOR || kind == PFPU_SEEN_INPUT || kind == PFPU_SEEN_ZERO;
            continue;
        }
        const enum pfpu_op_kind kind = pfpu_ops[instruction->op].kind;
        uniform[i] = kind == PFPU_OP_KIND_PURE || kind == PFPU_OP_KIND_NUMBER;
        for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
            uniform[i] = uniform[i] && uniform[instruction->arguments[k]];
        }
    }
    return uniform;
}

static int32_t stored_in(const struct work *work, const char *name)
{
    const int variable = pfpu_scope_declare(work->request->vertex_scope, name);
    return work->vertex_stores[variable];
}

/* Where u and v stand: see motion.def. */
static bool find_roots(const struct work *work, int32_t roots[2])
{
    roots[0] = stored_in(work, "@xd");
    roots[1] = stored_in(work, "@yd");
    if (work->plain) {
        return true;
    }
    static const char *const shifted[][2] = {
        {"@x0", "@y0"}, {"@x1", "@y1"}, {"@x2", "@y2"}, {"@x3", "@y3"}};
    const bool *uniform = find_uniform(work);
    if (uniform != NULL && uniform[stored_in(work, "@c")] && uniform[stored_in(work, "@kx")] &&
        uniform[stored_in(work, "@ky")]) {
        const int variant =
            (uniform[stored_in(work, "@lx")] ? 0 : 2) + (uniform[stored_in(work, "@ly")] ? 0 : 1);
        roots[0] = stored_in(work, shifted[variant][0]);
        roots[1] = stored_in(work, shifted[variant][1]);
    }
    return uniform != NULL;
}

static int32_t value_of(struct work *work, const struct pfpu_form *form)
{
    struct pfpu_forms *forms = &work->vertex_selection.forms;
    return work->plain ? pfpu_factor_node(forms, form->constant) : pfpu_form_value(forms, form);
}

static void finish_vertex(struct work *work, const int32_t roots[2])
{
    struct pfpu_selection *selection = &work->vertex_selection;
    struct pfpu_forms *forms = &selection->forms;
    struct pfpu_builder *vertex = &work->vertex_builder;
    int32_t out[2];
    for (int i = 0; i < 2; i++) {
        const struct pfpu_form *form = &selection->values[roots[i]];
        out[i] = value_of(work, form);
    }
    (void)pfpu_build2(vertex, PFPU_OP_WORD_VECTOUT, out[0], out[1]);
    for (int32_t i = 0; i < forms->link_count && !vertex->failed; i++) {
        if (forms->links[i].kind == PFPU_LINK_CARRIED) {
            const int32_t stored = work->vertex_stores[forms->links[i].source];
            const struct pfpu_form *form = &selection->values[stored];
            pfpu_build_set(vertex, forms->first_link + i, value_of(work, form));
        }
    }
}

static enum pfpu_status refuse_vertex(const struct work *work)
{
    const struct pfpu_selection *selection = &work->vertex_selection;
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

static enum pfpu_status select_vertex(struct work *work)
{
    int32_t roots[2];
    pfpu_builder_init(&work->vertex_builder, &work->board->vertex.ir, work->plain, work->arena,
                      work->scratch);
    if (!look_around(work) || !find_roots(work, roots)) {
        return PFPU_NO_MEMORY;
    }
    struct pfpu_selection *selection = &work->vertex_selection;
    *selection = start_selection(work, &work->vertex.ir);
    selection->forms.first_link =
        pfpu_key_of_variable((int)pfpu_scope_size(work->request->frame_scope));
    selection->forms.frame_stores = frame_on_unit(work) ? work->frame_stores : NULL;
    selection->forms.frame_store_count = work->frame_selection.seen_count;
    selection->seen = work->seen;
    selection->seen_count = pfpu_scope_size(work->request->vertex_scope);
    selection->stores = work->vertex_stores;
    selection->cpu_helps = !work->plain;
    if (work->plain) {
        selection->forms.frame = &work->vertex_builder;
    }
    if (!pfpu_select(selection, roots, 2)) {
        return PFPU_NO_MEMORY;
    }
    finish_vertex(work, roots);
    work->board->first_link = selection->forms.first_link;
    return work->vertex_builder.failed ? PFPU_NO_MEMORY : refuse_vertex(work);
}

static bool asks_the_cpu(const struct work *work)
{
    const struct pfpu_forms *forms = &work->vertex_selection.forms;
    for (int32_t i = 0; i < forms->link_count; i++) {
        if (forms->links[i].kind == PFPU_LINK_CPU) {
            return true;
        }
    }
    return false;
}

/* What the CPU computes for the vertices it computes before the frame program runs, from what the
 * per-frame equations leave: then those are the CPU's too. */
static enum pfpu_status make_vertex(struct work *work)
{
    enum pfpu_status status = select_vertex(work);
    if (status != PFPU_OK || !frame_on_unit(work) || !asks_the_cpu(work)) {
        return status;
    }
    base_report(work->sink, BASE_NOTE, place_at(&work->frame, 0), NULL,
                "the board's CPU computes the per-frame equations: it computes a part of the "
                "per-vertex equations from them");
    work->frame_on_cpu = true;
    open_frame(work);
    status = make_frame_host(work);
    return status == PFPU_OK ? select_vertex(work) : status;
}

/* ---- what is left to the CPU ---- */

/* The equations' values of CPU links as a program that stores them in variables of their own. */
static enum pfpu_status make_cpu_part(struct work *work)
{
    struct pfpu_forms *forms = &work->vertex_selection.forms;
    struct pfpu_compilation part = start(work, work->request->vertex_scope, NULL);
    bool any = false;
    if (!pfpu_ir_copy(&part.ir, &work->vertex.ir, work->scratch)) {
        return PFPU_NO_MEMORY;
    }
    for (size_t i = 0; i < part.ir.count; i++) {
        struct pfpu_instruction *instruction = &part.ir.instructions[i];
        if (instruction->op == PFPU_OP_SET) {
            *instruction = (struct pfpu_instruction){.op = PFPU_OP_NUMBER};
        }
    }
    for (int32_t i = 0; i < forms->link_count; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "@cpu%d", (int)i);
        if (forms->links[i].kind != PFPU_LINK_CPU) {
            continue;
        }
        any = true;
        const int variable = pfpu_scope_declare(part.scope, name);
        const struct pfpu_instruction set = {.op = PFPU_OP_SET,
                                             .key = pfpu_key_of_variable(variable),
                                             .arguments = {forms->links[i].source, 0, 0}};
        if (variable < 0 || pfpu_ir_append(&part.ir, set) == PFPU_NO_VALUE) {
            return PFPU_NO_MEMORY;
        }
        forms->links[i].source = variable;
    }
    struct pfpu_program *program = NULL;
    const enum pfpu_status status = any ? pfpu_compilation_finish(&part, &program) : PFPU_OK;
    work->board->cpu_part = program;
    return status;
}

/* ---- from selected operations to words ---- */

/* Stores what the per-frame equations leave, and what the vertex program asks for. */
static void finish_frame(struct work *work)
{
    struct pfpu_builder *frame = &work->frame_builder;
    struct pfpu_forms *forms = &work->vertex_selection.forms;
    const size_t count = frame_on_unit(work) ? work->frame_selection.seen_count : 0;
    for (size_t i = 0; i < count; i++) {
        const int32_t stored = work->frame_stores[i];
        if (stored != PFPU_NO_VALUE) {
            const struct pfpu_form *form = &work->frame_selection.values[stored];
            pfpu_build_set(frame, pfpu_key_of_variable((int)i),
                           pfpu_factor_node(&work->frame_selection.forms, form->constant));
        }
    }
    const struct pfpu_ir *vertex = &work->board->vertex.ir;
    for (size_t i = 0; i < vertex->count; i++) {
        const struct pfpu_instruction *instruction = &vertex->instructions[i];
        if (instruction->op == PFPU_OP_GET && instruction->key >= forms->first_link) {
            const struct pfpu_link *link = &forms->links[instruction->key - forms->first_link];
            if (link->kind == PFPU_LINK_FRAME) {
                pfpu_build_set(frame, instruction->key, link->source);
            }
        }
    }
}

/* The frame program runs once: the shortest schedule is not worth looking for. */
static pfpu_scheduler *scheduler_for(const struct work *work, bool vertex)
{
    static pfpu_scheduler *const schedulers[PFPU_BOARD_SCHEDULERS] = {
        pfpu_sched_greedy, pfpu_sched_critical, pfpu_sched_pipelined};
    return schedulers[vertex ? work->request->scheduler : PFPU_BOARD_GREEDY];
}

static bool make_code(struct work *work, struct pfpu_board_program *program, bool vertex)
{
    const struct pfpu_target *target = work->request->target;
    struct pfpu_schedule schedule = {0};
    if ((!work->plain && !pfpu_dce(&program->ir, work->scratch)) ||
        !pfpu_legalise(&program->ir, work->scratch)) {
        return false;
    }
    program->fit = scheduler_for(work, vertex)(target, &program->ir, work->scratch, &schedule);
    if (program->fit == PFPU_FITS) {
        program->fit = pfpu_encode(target, &program->ir, &schedule, work->arena, work->scratch,
                                   &program->microcode);
    }
    return program->fit != PFPU_FIT_NO_MEMORY;
}

static enum pfpu_status report_fit(const struct work *work)
{
    const struct pfpu_board *board = work->board;
    if (board->frame.fit != PFPU_FITS) {
        base_report(work->sink, BASE_NOTE, (struct base_place){.file = NULL}, NULL,
                    "the board's CPU computes the per-frame program: %s",
                    board->frame.fit == PFPU_FIT_REGISTERS
                        ? "it needs more registers than the coprocessor has"
                        : "it is longer than the coprocessor's program memory");
    }
    if (board->vertex.fit == PFPU_FITS) {
        return PFPU_OK;
    }
    const struct base_place place = work->vertex.text.piece_count > 0
                                        ? place_at(&work->vertex, 0)
                                        : (struct base_place){.file = NULL};
    base_report(work->sink, BASE_ERROR, place, "make the per-vertex equations shorter",
                "does not fit target '%s': %s", board->target->name,
                board->vertex.fit == PFPU_FIT_REGISTERS
                    ? "it needs more registers than the coprocessor has"
                    : "it is longer than the coprocessor's program memory");
    return PFPU_REFUSED;
}

static enum pfpu_status make_codes(struct work *work)
{
    struct pfpu_board *board = work->board;
    const struct pfpu_forms *forms = &work->vertex_selection.forms;
    if (!work->plain && !pfpu_dce(&board->vertex.ir, work->scratch)) {
        return PFPU_NO_MEMORY;
    }
    finish_frame(work);
    if (work->frame_builder.failed || !make_code(work, &board->frame, false) ||
        !make_code(work, &board->vertex, true)) {
        return PFPU_NO_MEMORY;
    }
    board->links = base_arena_array(work->arena, (size_t)forms->link_count, sizeof *board->links);
    if (board->links == NULL) {
        return PFPU_NO_MEMORY;
    }
    board->link_count = (size_t)forms->link_count;
    if (board->link_count > 0) {
        memcpy((void *)board->links, forms->links, board->link_count * sizeof *board->links);
    }
    return report_fit(work);
}

static enum pfpu_status compile(struct work *work)
{
    enum pfpu_status (*const steps[])(struct work *) = {read_frame,      read_vertex, make_frame,
                                                        make_frame_host, make_vertex, make_cpu_part,
                                                        make_codes};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const enum pfpu_status status = steps[i](work);
        if (status != PFPU_OK) {
            return status;
        }
    }
    return PFPU_OK;
}

enum pfpu_status pfpu_board_compile(const struct pfpu_board_request *request,
                                    struct base_arena *arena, const struct base_diag_sink *sink,
                                    struct pfpu_board **board)
{
    struct base_arena scratch;
    base_arena_init(&scratch, 0);
    struct work work = {.request = request,
                        .board = base_arena_alloc(arena, sizeof **board),
                        .arena = arena,
                        .scratch = &scratch,
                        .sink = sink,
                        .shared = pfpu_scope_size(request->vertex_scope),
                        .plain = request->scheduler == PFPU_BOARD_GREEDY};
    *board = NULL;
    enum pfpu_status status = PFPU_NO_MEMORY;
    if (work.board != NULL) {
        *work.board = (struct pfpu_board){.target = request->target,
                                          .scheduler = request->scheduler,
                                          .frame_scope = request->frame_scope,
                                          .vertex_scope = request->vertex_scope};
        status = compile(&work);
    }
    if (status == PFPU_NO_MEMORY && !arena->failed && !scratch.failed) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, "make the equations shorter",
                    "the equations are too long for target '%s'", request->target->name);
        status = PFPU_REFUSED;
    }
    if (status == PFPU_OK) {
        *board = work.board;
    }
    base_arena_free(&scratch);
    return status;
}
