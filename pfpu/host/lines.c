#include "pfpu/host/lines.h"

#include "pfpu/host/lanes_code.h"

struct walker {
    const struct pfpu_lanes *lanes;
    struct pfpu_lines *lines;
    struct pfpu_line *line;
    int32_t *outputs;
    int32_t *uniform; /* by place in the scratch memory: the number that stands there, */
    int32_t *cell;    /* and the value that was made there last */
};

static int32_t value_at(const struct walker *walker, struct pfpu_lanes_place place)
{
    return place.step == 0 ? walker->uniform[place.at] : walker->cell[place.at];
}

static void add_line(struct walker *walker, const struct pfpu_lanes_step *step)
{
    struct pfpu_lines *lines = walker->lines;
    const struct pfpu_op_row *row = &pfpu_ops[step->code / 2];
    struct pfpu_line *line = &walker->line[lines->line_count];
    *line =
        (struct pfpu_line){.op = (enum pfpu_op)(step->code / 2), .filtered = step->code % 2 != 0};
    for (int k = 0; k < row->arity; k++) {
        line->arguments[k] = value_at(walker, step->operands[k]);
    }
    walker->cell[step->dst] =
        (int32_t)(lines->number_count + lines->input_count + lines->line_count++);
    lines->cost += row->cost;
}

/* False: it is not to be computed elsewhere. */
static bool add_step(struct walker *walker, const struct pfpu_lanes_step *step)
{
    const struct pfpu_lines *lines = walker->lines;
    if (step->late) {
        return true;
    }
    switch (step->kind) {
    case PFPU_LANES_KERNEL:
        add_line(walker, step);
        return true;
    case PFPU_LANES_INPUT:
        walker->cell[step->dst] = (int32_t)lines->number_count + step->number;
        return true;
    case PFPU_LANES_OUTPUT:
        walker->outputs[step->number] = value_at(walker, step->operands[0]);
        return true;
    case PFPU_LANES_SKIP:
        return true; /* what it leaves out counts for nothing */
    default:
        return false;
    }
}

static struct pfpu_line_number *numbers_of(const struct pfpu_lanes *lanes, struct base_arena *arena)
{
    struct pfpu_line_number *numbers =
        base_arena_array(arena, lanes->uniform_count + 1, sizeof *numbers);
    for (size_t i = 0; i < lanes->uniform_count && numbers != NULL; i++) {
        numbers[i].fixed = lanes->uniforms[i].op == PFPU_OP_NUMBER;
        numbers[i].number = lanes->uniforms[i].number;
    }
    return numbers;
}

const struct pfpu_lines *pfpu_lines_create(const struct pfpu_lanes *lanes, struct base_arena *arena)
{
    if (!pfpu_lanes_divides(lanes)) {
        return NULL;
    }
    struct pfpu_lines *lines = base_arena_array(arena, 1, sizeof *lines);
    struct walker walker = {
        .lanes = lanes,
        .lines = lines,
        .line = base_arena_array(arena, lanes->step_count + 1, sizeof *walker.line),
        .outputs = base_arena_array(arena, lanes->ports.output_count + 1, sizeof *walker.outputs),
        .uniform = base_arena_array(arena, lanes->work_size + 1, sizeof *walker.uniform),
        .cell = base_arena_array(arena, lanes->work_size + 1, sizeof *walker.cell),
    };
    const struct pfpu_line_number *numbers = numbers_of(lanes, arena);
    if (arena->failed) {
        return NULL;
    }
    *lines = (struct pfpu_lines){.numbers = numbers,
                                 .number_count = lanes->uniform_count,
                                 .input_count = lanes->ports.input_count,
                                 .lines = walker.line,
                                 .outputs = walker.outputs,
                                 .output_count = lanes->ports.output_count};
    for (size_t i = 0; i < lanes->uniform_count; i++) {
        walker.uniform[lanes->uniforms[i].dst] = (int32_t)i;
    }
    for (size_t i = 0; i < lanes->step_count; i++) {
        if (!add_step(&walker, &lanes->steps[i])) {
            return NULL;
        }
    }
    return lines;
}

void pfpu_lines_numbers(const struct pfpu_lanes *lanes, const double *work, double *numbers)
{
    const double *aligned = work + pfpu_lanes_lead(work);
    for (size_t i = 0; i < lanes->uniform_count; i++) {
        numbers[i] = aligned[lanes->uniforms[i].dst];
    }
}
