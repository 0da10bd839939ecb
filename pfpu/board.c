#include "pfpu/board.h"

#include <string.h>

#include "pfpu/board_work.h"
#include "pfpu/passes.h"

const char *const pfpu_board_scheduler_names[PFPU_BOARD_SCHEDULERS] = {"greedy", "critical",
                                                                       "pipelined", "quick"};

/* Stores what the per-frame equations leave, and what the vertex program asks for. */
static void finish_frame(struct pfpu_board_work *work)
{
    struct pfpu_builder *frame = &work->frame_builder;
    struct pfpu_forms *forms = &work->vertex_selection.forms;
    const size_t count = pfpu_board_frame_on_unit(work) ? work->frame_selection.seen_count : 0;
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
static pfpu_scheduler *scheduler_for(const struct pfpu_board_work *work, bool vertex)
{
    static pfpu_scheduler *const schedulers[PFPU_BOARD_SCHEDULERS] = {
        pfpu_sched_greedy, pfpu_sched_critical, pfpu_sched_pipelined, pfpu_sched_quick};
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
    const struct pfpu_forms *forms = &work->vertex_selection.forms;
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
