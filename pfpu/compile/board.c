/* The steps of compiling a patch for the board, for board*.c only. */
#include "pfpu/compile/board.h"

#include <stdio.h>
#include <string.h>

#include "pfpu/compile/compilation.h"
#include "pfpu/host/run.h"
#include "pfpu/ir/passes.h"
#include "pfpu/language/lower.h"
#include "pfpu/language/parse.h"
#include "pfpu/language/spelling.h"
#include "pfpu/select/legalise.h"
#include "pfpu/select/select.h"

/* The vertex program before it is scheduled. */
struct pfpu_board_draft {
    struct pfpu_selection selection;
    struct pfpu_builder builder;
    struct pfpu_ir ir;
    bool made;
};

struct pfpu_board_work {
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
    struct pfpu_board_draft
        other;                   /* with fewer operations, if the one that was taken does not fit */
    struct pfpu_seen *seen;      /* by variable of the vertex scope */
    const int32_t *frame_stores; /* by variable, see pfpu_select_stores */
    const int32_t *vertex_stores;
    size_t shared; /* variables of the vertex scope when compilation began */
    bool has_frame;
    bool frame_on_cpu;
    bool plain;
};

/* board_text.c: equations to intermediate representation of one block. */
static struct pfpu_compilation pfpu_board_start(const struct pfpu_board_work *work,
                                                struct pfpu_scope *scope,
                                                const struct base_source *source);
enum pfpu_status pfpu_board_read_frame(struct pfpu_board_work *work);
enum pfpu_status pfpu_board_read_vertex(struct pfpu_board_work *work);

/* board_frame.c: the per-frame equations as the frame program, or left to the CPU. */
static struct pfpu_selection pfpu_board_start_selection(struct pfpu_board_work *work,
                                                        const struct pfpu_ir *source);
enum pfpu_status pfpu_board_make_frame(struct pfpu_board_work *work);
enum pfpu_status pfpu_board_make_frame_host(struct pfpu_board_work *work);
/* What a patch's author calls an operation. */
const char *pfpu_board_name_of(enum pfpu_op op);

/* board_vertex.c: the vertex program, and what the CPU computes for it. */
enum pfpu_status pfpu_board_make_vertex(struct pfpu_board_work *work);
enum pfpu_status pfpu_board_make_cpu_part(struct pfpu_board_work *work);

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

static struct pfpu_compilation pfpu_board_start(const struct pfpu_board_work *work,
                                                struct pfpu_scope *scope,
                                                const struct base_source *source)
{
    return (struct pfpu_compilation){.target = &pfpu_target_host,
                                     .scope = scope,
                                     .source = source,
                                     .arena = work->arena,
                                     .scratch = work->scratch,
                                     .sink = work->sink};
}

static bool simplify(const struct pfpu_board_work *work, struct pfpu_ir *ir)
{
    return pfpu_fold(ir, work->scratch) &&
           (work->plain || (pfpu_cse(ir, work->scratch) && pfpu_dce(ir, work->scratch)));
}

static struct base_place pfpu_board_place(const struct pfpu_compilation *compilation, size_t offset)
{
    return pfpu_text_place(&compilation->text, offset);
}

/* The per-frame equations as one block; what makes that impossible sends them to the CPU. */
enum pfpu_status pfpu_board_read_frame(struct pfpu_board_work *work)
{
    struct pfpu_compilation *frame = &work->frame;
    struct pfpu_complaint complaint = {0};
    *frame = pfpu_board_start(work, work->request->frame_scope, work->request->per_frame);
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
    base_report(work->sink, BASE_NOTE, pfpu_board_place(frame, complaint.offset), complaint.hint,
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

/* A tree of the built-in equations, of which the root is this compilation's: statements are chained
 * through it. */
static struct pfpu_node *own_tree(const struct pfpu_board_work *work, size_t i)
{
    if (work->request->motion == NULL) {
        return parse_own(work->scratch, motion[i].text);
    }
    struct pfpu_node *root = base_arena_alloc(work->scratch, sizeof *root);
    if (root != NULL) {
        *root = *work->request->motion->trees[i];
    }
    return root;
}

static bool append_motion(const struct pfpu_board_work *work, struct pfpu_node *all,
                          struct pfpu_node **last, enum when when)
{
    bool good = true;
    for (size_t i = 0; good && i < MOTIONS; i++) {
        good = motion[i].when != when || append_tree(all, last, own_tree(work, i));
    }
    return good;
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

enum pfpu_status pfpu_board_read_vertex(struct pfpu_board_work *work)
{
    struct pfpu_compilation *vertex = &work->vertex;
    struct pfpu_complaint complaint = {0};
    *vertex = pfpu_board_start(work, work->request->vertex_scope, work->request->per_vertex);
    const enum pfpu_status status =
        work->request->per_vertex == NULL ? PFPU_EMPTY : pfpu_compilation_read(vertex);
    if (status != PFPU_OK && status != PFPU_EMPTY) {
        return status;
    }
    struct pfpu_node *all = pfpu_node_sequence(work->scratch, 0);
    struct pfpu_node *last = NULL;
    if (all == NULL || !append_motion(work, all, &last, BEFORE) ||
        (status == PFPU_OK && speaks_of(&vertex->text, "ang") &&
         !append_motion(work, all, &last, ANGLE)) ||
        (status == PFPU_OK && !append_tree(all, &last, vertex->tree)) ||
        !append_motion(work, all, &last, work->plain ? AFTER : SMALL)) {
        return PFPU_NO_MEMORY;
    }
    pfpu_ir_init(&vertex->ir, work->scratch);
    if (!pfpu_lower_straight(all, vertex->scope, &vertex->ir, work->scratch, &complaint)) {
        return pfpu_compilation_refuse(vertex, &complaint);
    }
    return simplify(work, &vertex->ir) ? PFPU_OK : PFPU_NO_MEMORY;
}

const char *pfpu_board_name_of(enum pfpu_op op)
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

static struct pfpu_selection pfpu_board_start_selection(struct pfpu_board_work *work,
                                                        const struct pfpu_ir *source)
{
    return (struct pfpu_selection){.source = source,
                                   .forms = {.frame = &work->frame_builder,
                                             .vertex = &work->vertex_builder,
                                             .scratch = work->scratch,
                                             .target = work->request->target}};
}

static void pfpu_board_open_frame(struct pfpu_board_work *work)
{
    pfpu_builder_init(&work->frame_builder, &work->board->frame.ir, work->plain, work->arena,
                      work->scratch);
}

/* What a variable of the frame scope holds before the frame program runs. */
static struct pfpu_seen input_of(int variable)
{
    return (struct pfpu_seen){.kind = PFPU_SEEN_INPUT, .key = pfpu_key_of_variable(variable)};
}

static bool select_frame(struct pfpu_board_work *work)
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
    work->frame_selection = pfpu_board_start_selection(work, &work->frame.ir);
    work->frame_selection.seen = seen;
    work->frame_selection.seen_count = count;
    work->frame_selection.stores = work->frame_stores;
    return pfpu_select(&work->frame_selection, roots, root_count);
}

static bool pfpu_board_frame_on_unit(const struct pfpu_board_work *work)
{
    return work->has_frame && !work->frame_on_cpu;
}

/* Translates the per-frame equations, or finds that the CPU must do them. */
enum pfpu_status pfpu_board_make_frame(struct pfpu_board_work *work)
{
    pfpu_board_open_frame(work);
    if (!pfpu_board_frame_on_unit(work)) {
        return PFPU_OK;
    }
    if (!select_frame(work)) {
        return PFPU_NO_MEMORY;
    }
    const struct pfpu_selection *selection = &work->frame_selection;
    if (selection->problem_count > 0) {
        const struct pfpu_problem *problem = &selection->problems[0];
        base_report(work->sink, BASE_NOTE, pfpu_board_place(&work->frame, problem->offset), NULL,
                    "the board's CPU computes the per-frame equations: the coprocessor lacks %s",
                    pfpu_board_name_of(problem->op));
        work->frame_on_cpu = true;
        pfpu_board_open_frame(work);
    }
    return PFPU_OK;
}

/* What the per-frame equations leave in a variable of the frame scope. */
static struct pfpu_seen pfpu_board_left_in(const struct pfpu_board_work *work, int variable)
{
    const bool known = !work->plain && pfpu_board_frame_on_unit(work) &&
                       (size_t)variable < work->frame_selection.seen_count &&
                       work->frame_stores[variable] != PFPU_NO_VALUE;
    if (!known) {
        return input_of(variable);
    }
    const struct pfpu_linear *form = &work->frame_selection.values[work->frame_stores[variable]];
    return (struct pfpu_seen){.kind = PFPU_SEEN_FACTOR, .factor = form->constant};
}

enum pfpu_status pfpu_board_make_frame_host(struct pfpu_board_work *work)
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

static struct pfpu_seen see(struct pfpu_board_work *work, int variable)
{
    struct pfpu_scope *vertex = work->request->vertex_scope;
    const char *name = pfpu_scope_name(vertex, (size_t)variable);
    if (strcmp(name, "@column") == 0 || strcmp(name, "@row") == 0) {
        return (struct pfpu_seen){.kind = work->plain ? PFPU_SEEN_INPUT : PFPU_SEEN_INDEX,
                                  .key = name[1] == 'c' ? PFPU_KEY_COLUMN : PFPU_KEY_ROW};
    }
    if ((size_t)variable < work->shared) {
        return pfpu_board_left_in(work, pfpu_scope_declare(work->request->frame_scope, name));
    }
    const bool set = work->vertex_stores[variable] != PFPU_NO_VALUE;
    return (struct pfpu_seen){.kind = set ? PFPU_SEEN_CARRIED : PFPU_SEEN_ZERO};
}

static bool look_around(struct pfpu_board_work *work)
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
static bool *find_uniform(const struct pfpu_board_work *work)
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

static int32_t stored_in(const struct pfpu_board_work *work, const char *name)
{
    const int variable = pfpu_scope_declare(work->request->vertex_scope, name);
    return work->vertex_stores[variable];
}

/* Where u and v stand: see motion.def. */
static bool find_roots(const struct pfpu_board_work *work, int32_t roots[2])
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

static int32_t value_of(struct pfpu_board_work *work, const struct pfpu_linear *form)
{
    struct pfpu_linear_programs *forms = &work->vertex_selection.forms;
    return work->plain ? pfpu_factor_node(forms, form->constant) : pfpu_linear_value(forms, form);
}

static void finish_vertex(struct pfpu_board_work *work, const int32_t roots[2])
{
    struct pfpu_selection *selection = &work->vertex_selection;
    struct pfpu_linear_programs *forms = &selection->forms;
    struct pfpu_builder *vertex = &work->vertex_builder;
    int32_t out[2];
    for (int i = 0; i < 2; i++) {
        const struct pfpu_linear *form = &selection->values[roots[i]];
        out[i] = value_of(work, form);
    }
    (void)pfpu_build2(vertex, PFPU_OP_WORD_VECTOUT, out[0], out[1]);
    for (int32_t i = 0; i < forms->link_count && !vertex->failed; i++) {
        if (forms->links[i].kind == PFPU_LINK_CARRIED) {
            const int32_t stored = work->vertex_stores[forms->links[i].source];
            const struct pfpu_linear *form = &selection->values[stored];
            pfpu_build_set(vertex, forms->first_link + i, value_of(work, form));
        }
    }
}

static enum pfpu_status refuse_vertex(const struct pfpu_board_work *work)
{
    const struct pfpu_selection *selection = &work->vertex_selection;
    for (size_t i = 0; i < selection->problem_count; i++) {
        base_report(work->sink, BASE_ERROR,
                    pfpu_board_place(&work->vertex, selection->problems[i].offset),
                    selection->problems[i].varies
                        ? "it depends on the vertex, so that the board's CPU cannot help"
                        : NULL,
                    "does not fit target '%s': the coprocessor lacks %s",
                    work->request->target->name, pfpu_board_name_of(selection->problems[i].op));
    }
    return selection->problem_count > 0 ? PFPU_REFUSED : PFPU_OK;
}

static uint32_t path_of(struct pfpu_board_work *work)
{
    const struct pfpu_ir *ir = &work->board->vertex.ir;
    uint32_t path = 0;
    for (size_t i = 0; i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        for (int k = 0; k < 2 && instruction->op == PFPU_OP_WORD_VECTOUT; k++) {
            const uint32_t ready =
                pfpu_linear_ready(&work->vertex_selection.forms, instruction->arguments[k]);
            path = ready > path ? ready : path;
        }
    }
    return path;
}

/* Notes what the vertex program costs at least. False without memory. */
static bool measure(struct pfpu_board_work *work)
{
    struct pfpu_board *board = work->board;
    board->path = path_of(work) + 1;
    board->operations = 0;
    if (work->vertex_builder.failed ||
        (!work->plain && !pfpu_dce(&board->vertex.ir, work->scratch))) {
        return false;
    }
    for (size_t i = 0; i < board->vertex.ir.count; i++) {
        const enum pfpu_op op = board->vertex.ir.instructions[i].op;
        board->operations += work->request->target->ops[op].bound ? 0 : 1;
    }
    return true;
}

static enum pfpu_status select_vertex(struct pfpu_board_work *work, bool spread)
{
    int32_t roots[2];
    pfpu_builder_init(&work->vertex_builder, &work->board->vertex.ir, work->plain, work->arena,
                      work->scratch);
    if (!look_around(work) || !find_roots(work, roots)) {
        return PFPU_NO_MEMORY;
    }
    struct pfpu_selection *selection = &work->vertex_selection;
    *selection = pfpu_board_start_selection(work, &work->vertex.ir);
    selection->forms.first_link =
        pfpu_key_of_variable((int)pfpu_scope_size(work->request->frame_scope));
    selection->forms.frame_stores = pfpu_board_frame_on_unit(work) ? work->frame_stores : NULL;
    selection->forms.frame_store_count = work->frame_selection.seen_count;
    selection->seen = work->seen;
    selection->seen_count = pfpu_scope_size(work->request->vertex_scope);
    selection->stores = work->vertex_stores;
    selection->cpu_helps = !work->plain;
    selection->spread = spread;
    if (work->plain) {
        selection->forms.frame = &work->vertex_builder;
    }
    if (!pfpu_select(selection, roots, 2)) {
        return PFPU_NO_MEMORY;
    }
    finish_vertex(work, roots);
    work->board->first_link = selection->forms.first_link;
    return measure(work) ? refuse_vertex(work) : PFPU_NO_MEMORY;
}

static bool asks_the_cpu(const struct pfpu_board_work *work)
{
    const struct pfpu_linear_programs *forms = &work->vertex_selection.forms;
    for (int32_t i = 0; i < forms->link_count; i++) {
        if (forms->links[i].kind == PFPU_LINK_CPU) {
            return true;
        }
    }
    return false;
}

static struct pfpu_board_draft draft_of(const struct pfpu_board_work *work)
{
    return (struct pfpu_board_draft){work->vertex_selection, work->vertex_builder,
                                     work->board->vertex.ir, true};
}

static void pfpu_board_take_draft(struct pfpu_board_work *work,
                                  const struct pfpu_board_draft *draft)
{
    work->vertex_selection = draft->selection;
    work->vertex_builder = draft->builder;
    work->board->vertex.ir = draft->ir;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Vertices one after the other wait for the longest way: a program with more operations and a
 * shorter way may be better. */
static enum pfpu_status select_shorter(struct pfpu_board_work *work)
{
    if (work->request->scheduler != PFPU_BOARD_CRITICAL || !work->vertex_selection.settled) {
        return PFPU_OK;
    }
    struct pfpu_board *board = work->board;
    const uint32_t operations = board->operations;
    const uint32_t path = board->path;
    const struct pfpu_board_draft fewest = draft_of(work);
    const enum pfpu_status status = select_vertex(work, true);
    if (status != PFPU_OK) {
        return status;
    }
    if (larger(board->operations, board->path) < larger(operations, path)) {
        work->other = fewest;
    } else {
        pfpu_board_take_draft(work, &fewest);
    }
    board->operations = operations;
    board->path = path;
    return PFPU_OK;
}

/* What the CPU computes for the vertices it computes before the frame program runs, from what the
 * per-frame equations leave: then those are the CPU's too. */
enum pfpu_status pfpu_board_make_vertex(struct pfpu_board_work *work)
{
    enum pfpu_status status = select_vertex(work, false);
    if (status != PFPU_OK) {
        return status;
    }
    if (!pfpu_board_frame_on_unit(work) || !asks_the_cpu(work)) {
        return select_shorter(work);
    }
    base_report(work->sink, BASE_NOTE, pfpu_board_place(&work->frame, 0), NULL,
                "the board's CPU computes the per-frame equations: it computes a part of the "
                "per-vertex equations from them");
    work->frame_on_cpu = true;
    pfpu_board_open_frame(work);
    status = pfpu_board_make_frame_host(work);
    status = status == PFPU_OK ? select_vertex(work, false) : status;
    return status == PFPU_OK ? select_shorter(work) : status;
}

/* The equations' values of CPU links as a program that stores them in variables of their own. */
enum pfpu_status pfpu_board_make_cpu_part(struct pfpu_board_work *work)
{
    struct pfpu_linear_programs *forms = &work->vertex_selection.forms;
    struct pfpu_compilation part = pfpu_board_start(work, work->request->vertex_scope, NULL);
    work->board->cpu_part = NULL;
    if (!asks_the_cpu(work)) {
        return PFPU_OK;
    }
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
        if (forms->links[i].kind != PFPU_LINK_CPU) {
            continue;
        }
        (void)snprintf(name, sizeof name, "@cpu%d", (int)i);
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
    const enum pfpu_status status = pfpu_compilation_finish(&part, &program);
    work->board->cpu_part = program;
    return status;
}

const char *const pfpu_board_scheduler_names[PFPU_BOARD_SCHEDULERS] = {"greedy", "critical",
                                                                       "pipelined", "quick"};

/* Stores what the per-frame equations leave, and what the vertex program asks for. */
static void finish_frame(struct pfpu_board_work *work)
{
    struct pfpu_builder *frame = &work->frame_builder;
    struct pfpu_linear_programs *forms = &work->vertex_selection.forms;
    const size_t count = pfpu_board_frame_on_unit(work) ? work->frame_selection.seen_count : 0;
    for (size_t i = 0; i < count; i++) {
        const int32_t stored = work->frame_stores[i];
        if (stored != PFPU_NO_VALUE) {
            const struct pfpu_linear *form = &work->frame_selection.values[stored];
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
static pfpu_scheduler *scheduler_for(const struct pfpu_board_work *work, bool vertex)
{
    static pfpu_scheduler *const schedulers[PFPU_BOARD_SCHEDULERS] = {
        pfpu_schedule_greedy, pfpu_schedule_critical, pfpu_schedule_pipelined, pfpu_schedule_quick};
    return schedulers[vertex ? work->request->scheduler : PFPU_BOARD_GREEDY];
}

static bool make_code(struct pfpu_board_work *work, struct pfpu_board_program *program, bool vertex)
{
    const struct pfpu_target *target = work->request->target;
    struct pfpu_schedule schedule = {0};
    const bool dirty = !work->plain && !vertex;
    if ((dirty && !pfpu_dce(&program->ir, work->scratch)) ||
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

/* The first of a program's equations; without any its file. */
static struct base_place place_of(const struct pfpu_compilation *program,
                                  const struct base_source *source)
{
    return program->text.piece_count > 0
               ? pfpu_board_place(program, 0)
               : (struct base_place){.file = source != NULL ? source->file : NULL};
}

static enum pfpu_status report_fit(const struct pfpu_board_work *work)
{
    const struct pfpu_board *board = work->board;
    if (board->frame.fit != PFPU_FITS) {
        base_report(work->sink, BASE_NOTE, place_of(&work->frame, work->request->per_frame), NULL,
                    "the board's CPU computes the per-frame program: %s",
                    board->frame.fit == PFPU_FIT_REGISTERS
                        ? "it needs more registers than the coprocessor has"
                        : "it is longer than the coprocessor's program memory");
    }
    if (board->vertex.fit == PFPU_FITS) {
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

/* Falls back to fewer operations if that is what fits. */
static enum pfpu_status make_vertex_code(struct pfpu_board_work *work)
{
    struct pfpu_board_program *vertex = &work->board->vertex;
    bool made = make_code(work, vertex, true);
    if (made && vertex->fit != PFPU_FITS && work->other.made) {
        pfpu_board_take_draft(work, &work->other);
        made = make_code(work, vertex, true);
    }
    return made ? PFPU_OK : PFPU_NO_MEMORY;
}

static enum pfpu_status make_frame_code(struct pfpu_board_work *work)
{
    struct pfpu_board *board = work->board;
    const struct pfpu_linear_programs *forms = &work->vertex_selection.forms;
    finish_frame(work);
    if (work->frame_builder.failed || !make_code(work, &board->frame, false)) {
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

static enum pfpu_status compile(struct pfpu_board_work *work)
{
    enum pfpu_status (*const steps[])(struct pfpu_board_work *) = {
        pfpu_board_read_frame,      pfpu_board_read_vertex, pfpu_board_make_frame,
        pfpu_board_make_frame_host, pfpu_board_make_vertex, make_vertex_code,
        pfpu_board_make_cpu_part,   make_frame_code};
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
    struct pfpu_board_work work = {.request = request,
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
        base_report(sink, BASE_ERROR, place_of(&work.frame, request->per_frame),
                    "make the equations shorter", "the equations are too long for target '%s'",
                    request->target->name);
        status = PFPU_REFUSED;
    }
    if (status == PFPU_OK) {
        *board = work.board;
    }
    base_arena_free(&scratch);
    return status;
}
