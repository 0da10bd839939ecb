#include "pfpu/board_work.h"

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

struct pfpu_selection pfpu_board_start_selection(struct pfpu_board_work *work,
                                                 const struct pfpu_ir *source)
{
    return (struct pfpu_selection){.source = source,
                                   .forms = {.frame = &work->frame_builder,
                                             .vertex = &work->vertex_builder,
                                             .scratch = work->scratch,
                                             .target = work->request->target}};
}

void pfpu_board_open_frame(struct pfpu_board_work *work)
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

bool pfpu_board_frame_on_unit(const struct pfpu_board_work *work)
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

struct pfpu_seen pfpu_board_left_in(const struct pfpu_board_work *work, int variable)
{
    const bool known = !work->plain && pfpu_board_frame_on_unit(work) &&
                       (size_t)variable < work->frame_selection.seen_count &&
                       work->frame_stores[variable] != PFPU_NO_VALUE;
    if (!known) {
        return input_of(variable);
    }
    const struct pfpu_form *form = &work->frame_selection.values[work->frame_stores[variable]];
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
