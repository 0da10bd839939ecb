#include <stdio.h>
#include <string.h>

#include "pfpu/board_work.h"
#include "pfpu/passes.h"

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

static int32_t value_of(struct pfpu_board_work *work, const struct pfpu_form *form)
{
    struct pfpu_forms *forms = &work->vertex_selection.forms;
    return work->plain ? pfpu_factor_node(forms, form->constant) : pfpu_form_value(forms, form);
}

static void finish_vertex(struct pfpu_board_work *work, const int32_t roots[2])
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
                pfpu_forms_ready(&work->vertex_selection.forms, instruction->arguments[k]);
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
    const struct pfpu_forms *forms = &work->vertex_selection.forms;
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

void pfpu_board_take_draft(struct pfpu_board_work *work, const struct pfpu_board_draft *draft)
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
    struct pfpu_forms *forms = &work->vertex_selection.forms;
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
