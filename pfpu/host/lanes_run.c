#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "pfpu/host/lanes_code.h"
#include "pfpu/host/program.h"
#include "pfpu/ir/arith.h"

#define A operands[0].at[i * operands[0].step]
#define B operands[1].at[i * operands[1].step]
#define C operands[2].at[i * operands[2].step]
#define PFPU_OTHER(name, text, arity, cost, kind)
#define PFPU_PURE(name, text, arity, cost, value)                                                  \
    static void plain_##name(double *dst, const struct pfpu_lanes_operand operands[3],             \
                             size_t count)                                                         \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            dst[i] = value;                                                                        \
        }                                                                                          \
    }                                                                                              \
    static void filtered_##name(double *dst, const struct pfpu_lanes_operand operands[3],          \
                                size_t count)                                                      \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            dst[i] = pfpu_filtered(value);                                                         \
        }                                                                                          \
    }
#include "pfpu/ir/ops.def"
#undef PFPU_PURE
#undef A
#undef B
#undef C

const pfpu_lanes_kernel pfpu_lanes_kernels_plain[PFPU_LANES_KERNELS] = {
#define PFPU_PURE(name, text, arity, cost, value)                                                  \
    [2 * PFPU_OP_##name] = plain_##name, [2 * PFPU_OP_##name + 1] = filtered_##name,
#include "pfpu/ir/ops.def"
#undef PFPU_PURE
#undef PFPU_OTHER
};

pfpu_lanes_kernel pfpu_lanes_kernel_for(enum base_cpu_level level, int32_t code)
{
    static const pfpu_lanes_kernel *const tables[BASE_CPU_LEVEL_COUNT] =
        BASE_CPU_LEVELS(pfpu_lanes_kernels_plain, pfpu_lanes_kernels_four, pfpu_lanes_kernels_avx2,
                        pfpu_lanes_kernels_avx2);
    const pfpu_lanes_kernel kernel = tables[level][code];
    return kernel != NULL ? kernel : pfpu_lanes_kernels_plain[code];
}

static inline double at(const double *work, const struct pfpu_lanes_place *place, size_t item)
{
    return work[(size_t)place->at + (item & (0 - (size_t)place->step))];
}

/* Random numbers and memory. */
static double run_ordered(const struct pfpu_lanes_step *step, struct pfpu_instance *instance,
                          struct pfpu_globals *globals, size_t item, const double *work)
{
    const double a = at(work, &step->operands[0], item);
    if (step->guard.at != PFPU_LANES_NOWHERE && !pfpu_true(at(work, &step->guard, item))) {
        return 0.0;
    }
    switch (step->code / 2) {
    case PFPU_OP_RAND:
        return pfpu_random(base_twister_next(&globals->random), a);
    case PFPU_OP_MEMORY_LOAD:
        return pfpu_memory_load(instance, globals, a);
    case PFPU_OP_GLOBAL_LOAD:
        return pfpu_global_load(globals, a);
    case PFPU_OP_DMX_LOAD:
        return pfpu_dmx_load(globals, a);
    case PFPU_OP_MEMORY_STORE:
        pfpu_memory_store(instance, globals, a, at(work, &step->operands[1], item));
        return 0.0;
    case PFPU_OP_GLOBAL_STORE:
        pfpu_global_store(globals, a, at(work, &step->operands[1], item));
        return 0.0;
    default:
        return 0.0;
    }
}

static void run_item(const struct pfpu_lanes_step *step, const struct pfpu_lanes_step *end,
                     struct pfpu_instance *instance, struct pfpu_globals *globals, size_t item,
                     double *work)
{
    for (; step < end; step++) {
        double *dst = work + step->dst + item;
        if (step->kind == PFPU_LANES_DELAY) {
            *dst = item == 0 ? work[step->carry] : at(work, &step->operands[0], item - 1);
            continue;
        }
        switch (step->code) {
#define A at(work, &step->operands[0], item)
#define B at(work, &step->operands[1], item)
#define C at(work, &step->operands[2], item)
#define PFPU_OTHER(name, text, arity, cost, kind)
#define PFPU_PURE(name, text, arity, cost, value)                                                  \
    case 2 * PFPU_OP_##name:                                                                       \
        *dst = value;                                                                              \
        break;                                                                                     \
    case 2 * PFPU_OP_##name + 1:                                                                   \
        *dst = pfpu_filtered(value);                                                               \
        break;
#include "pfpu/ir/ops.def"
#undef PFPU_PURE
#undef PFPU_OTHER
#undef A
#undef B
#undef C
        default:
            *dst = run_ordered(step, instance, globals, item, work);
            break;
        }
    }
}

/* Whether the first item left what it found. */
static bool is_settled(const struct pfpu_lanes_step *step, const struct pfpu_lanes_step *end,
                       const double *work)
{
    for (; step < end; step++) {
        const bool delay = step->kind == PFPU_LANES_DELAY;
        const double *found = work + step->dst - (delay ? 0 : 1);
        const double *left = work + (delay ? step->operands[0].at : step->dst);
        if (step->carry != PFPU_LANES_NOWHERE && memcmp(found, left, sizeof *found) != 0) {
            return false;
        }
    }
    return true;
}

void pfpu_lanes_run_serial(const struct pfpu_lanes_step *head, struct pfpu_instance *instance,
                           struct pfpu_globals *globals, size_t count, double *work)
{
    const struct pfpu_lanes_step *first = head + 1;
    const struct pfpu_lanes_step *end = first + head->number;
    for (const struct pfpu_lanes_step *step = first; step < end; step++) {
        if (step->carry != PFPU_LANES_NOWHERE && step->kind != PFPU_LANES_DELAY) {
            work[step->dst - 1] = work[step->carry];
        }
    }
    run_item(first, end, instance, globals, 0, work);
    if (head->kind == PFPU_LANES_SETTLING && is_settled(first, end, work)) {
        for (const struct pfpu_lanes_step *step = first; step < end; step++) {
            double *dst = work + step->dst;
            const double same = dst[0];
            for (size_t i = 1; i < count; i++) {
                dst[i] = same;
            }
        }
    } else {
        for (size_t item = 1; item < count; item++) {
            run_item(first, end, instance, globals, item, work);
        }
    }
    for (const struct pfpu_lanes_step *step = first; step < end; step++) {
        if (step->carry != PFPU_LANES_NOWHERE) {
            work[step->carry] = step->kind == PFPU_LANES_DELAY
                                    ? at(work, &step->operands[0], count - 1)
                                    : work[(size_t)step->dst + count - 1];
        }
    }
}

struct runner {
    const struct pfpu_lanes *lanes;
    enum base_cpu_level level;
    struct pfpu_instance *instance;
    struct pfpu_globals *globals;
    const struct pfpu_lanes_items *items;
    double *work;
    size_t start; /* of the block */
    size_t count; /* items in the block */
    bool last;
};

/* ---- one by one ---- */

static void set_inputs(const struct runner *runner, size_t item)
{
    const struct pfpu_lanes_ports *ports = &runner->lanes->ports;
    for (size_t i = 0; i < ports->input_count; i++) {
        const size_t place = ports->inputs[i].varies ? item : 0;
        runner->instance->values[ports->inputs[i].variable] = runner->items->inputs[i][place];
    }
}

/* ---- once per run ---- */

static double *cell_of_key(const struct runner *runner, int32_t key)
{
    return pfpu_key_is_register(key) ? &runner->globals->registers[key]
                                     : &runner->instance->values[key - PFPU_REGISTERS_GLOBAL];
}

static double uniform_value(const struct runner *runner, const struct pfpu_lanes_uniform *uniform)
{
    const double a = runner->work[uniform->operands[0]];
    const double b = runner->work[uniform->operands[1]];
    const double c = runner->work[uniform->operands[2]];
    switch (uniform->op) {
    case PFPU_OP_NUMBER:
        return uniform->number;
    case PFPU_OP_GET:
        return uniform->port != PFPU_LANES_NOWHERE ? runner->items->inputs[uniform->port][0]
                                                   : *cell_of_key(runner, uniform->key);
    case PFPU_OP_MEMORY_LOAD:
        return pfpu_memory_load(runner->instance, runner->globals, a);
    case PFPU_OP_GLOBAL_LOAD:
        return pfpu_global_load(runner->globals, a);
    case PFPU_OP_DMX_LOAD:
        return pfpu_dmx_load(runner->globals, a);
    default: {
        const double value = pfpu_op_value(uniform->op, a, b, c);
        return uniform->filtered ? pfpu_filtered(value) : value;
    }
    }
}

/* ---- blocks ---- */

static struct pfpu_lanes_operand operand(const struct runner *runner,
                                         const struct pfpu_lanes_place *place)
{
    return (struct pfpu_lanes_operand){runner->work + place->at, (size_t)place->step};
}

static void run_delay(const struct runner *runner, const struct pfpu_lanes_step *step)
{
    const struct pfpu_lanes_operand value = operand(runner, &step->operands[0]);
    double *dst = runner->work + step->dst;
    const double carry = runner->work[step->carry];
    runner->work[step->carry] = value.at[(runner->count - 1) * value.step];
    if (value.step == 1) {
        memmove(dst + 1, value.at, (runner->count - 1) * sizeof *dst);
    } else {
        for (size_t i = 1; i < runner->count; i++) {
            dst[i] = value.at[0];
        }
    }
    dst[0] = carry;
}

static bool is_off(const struct runner *runner, const struct pfpu_lanes_step *step)
{
    const struct pfpu_lanes_operand guard = operand(runner, &step->operands[0]);
    const size_t count = guard.step == 1 ? runner->count : 1;
    for (size_t i = 0; i < count; i++) {
        if (pfpu_true(guard.at[i])) {
            return false;
        }
    }
    return true;
}

static void run_lanes(const struct runner *runner, const struct pfpu_lanes_step *step)
{
    switch (step->kind) {
    case PFPU_LANES_LOAD: {
        const struct pfpu_lanes_operand index = operand(runner, &step->operands[0]);
        double *dst = runner->work + step->dst;
        const int32_t op = step->code / 2;
        for (size_t i = 0; i < runner->count; i++) {
            dst[i] = op == PFPU_OP_GLOBAL_LOAD ? pfpu_global_load(runner->globals, index.at[i])
                     : op == PFPU_OP_DMX_LOAD
                         ? pfpu_dmx_load(runner->globals, index.at[i])
                         : pfpu_memory_load(runner->instance, runner->globals, index.at[i]);
        }
        break;
    }
    case PFPU_LANES_INPUT:
        memcpy(runner->work + step->dst, runner->items->inputs[step->number] + runner->start,
               runner->count * sizeof(double));
        break;
    default: {
        const struct pfpu_lanes_operand operands[3] = {operand(runner, &step->operands[0]),
                                                       operand(runner, &step->operands[1]),
                                                       operand(runner, &step->operands[2])};
        const size_t lanes =
            (runner->count + PFPU_LANES_WIDTH - 1) & ~(size_t)(PFPU_LANES_WIDTH - 1);
        pfpu_lanes_kernel_for(runner->level, step->code)(runner->work + step->dst, operands, lanes);
        break;
    }
    }
    if (step->carry != PFPU_LANES_NOWHERE) {
        double *dst = runner->work + step->dst;
        dst[-1] = runner->work[step->carry];
        runner->work[step->carry] = dst[runner->count - 1];
    }
}

/* Returns how many of the steps that follow are done with. */
static size_t run_step(const struct runner *runner, const struct pfpu_lanes_step *step)
{
    switch (step->kind) {
    case PFPU_LANES_KERNEL:
    case PFPU_LANES_LOAD:
    case PFPU_LANES_INPUT:
        run_lanes(runner, step);
        return 0;
    case PFPU_LANES_DELAY:
        run_delay(runner, step);
        return 0;
    case PFPU_LANES_OUTPUT: {
        const struct pfpu_lanes_operand value = operand(runner, &step->operands[0]);
        double *to = runner->items->outputs[step->number] + runner->start;
        if (value.step == 1) {
            memcpy(to, value.at, runner->count * sizeof *to);
            return 0;
        }
        const double number = value.at[0];
        for (size_t i = 0; i < runner->count; i++) {
            to[i] = number;
        }
        return 0;
    }
    case PFPU_LANES_SKIP:
        return is_off(runner, step) ? (size_t)step->number : 0;
    case PFPU_LANES_SERIAL:
    case PFPU_LANES_SETTLING:
        pfpu_lanes_run_serial(step, runner->instance, runner->globals, runner->count, runner->work);
        return (size_t)step->number;
    }
    return 0;
}

static void run_block(const struct runner *runner)
{
    const struct pfpu_lanes *lanes = runner->lanes;
    for (size_t i = 0; i < lanes->step_count; i++) {
        const struct pfpu_lanes_step *step = &lanes->steps[i];
        if (step->late && !runner->last) {
            continue;
        }
        const size_t done = run_step(runner, step);
        const size_t steps = 1 + (step->kind != PFPU_LANES_SKIP ? done : 0);
        for (size_t k = 0; runner->last && k < steps; k++) {
            if (step[k].keep != PFPU_LANES_NOWHERE) {
                runner->work[step[k].keep] = runner->work[(size_t)step[k].dst + runner->count - 1];
            }
        }
        i += done;
    }
}

static struct runner runner_of(const struct pfpu_lanes *lanes, enum base_cpu_level level,
                               struct pfpu_instance *instance, struct pfpu_globals *globals,
                               const struct pfpu_lanes_items *items, double *work)
{
    return (struct runner){.lanes = lanes,
                           .level = level,
                           .instance = instance,
                           .globals = globals,
                           .items = items,
                           .work = work + pfpu_lanes_lead(work)};
}

static void run_one_by_one(const struct runner *runner)
{
    const struct pfpu_lanes_ports *ports = &runner->lanes->ports;
    for (size_t item = 0; item < runner->items->count; item++) {
        set_inputs(runner, item);
        pfpu_run(runner->lanes->program, runner->instance, runner->globals);
        for (size_t i = 0; i < ports->output_count; i++) {
            runner->items->outputs[i][item] = runner->instance->values[ports->outputs[i]];
        }
    }
}

/* The items from runner->start to the one before `end`. */
static void run_blocks(struct runner *runner, size_t end)
{
    const struct pfpu_lanes *lanes = runner->lanes;
    for (size_t i = 0; i < lanes->uniform_count; i++) {
        const struct pfpu_lanes_uniform *uniform = &lanes->uniforms[i];
        const double value = uniform_value(runner, uniform);
        for (int k = 0; k < PFPU_LANES_WIDTH; k++) {
            runner->work[uniform->dst + k] = value;
        }
    }
    for (size_t i = 0; i < lanes->carry_count; i++) {
        runner->work[lanes->carries[i].at] = *cell_of_key(runner, lanes->carries[i].key);
    }
    for (; runner->start < end; runner->start += PFPU_LANES) {
        const size_t left = runner->items->count - runner->start;
        runner->count = left < PFPU_LANES ? left : PFPU_LANES;
        runner->last = left <= PFPU_LANES;
        run_block(runner);
    }
}

static void leave_finals(const struct runner *runner)
{
    const struct pfpu_lanes *lanes = runner->lanes;
    set_inputs(runner, runner->items->count - 1);
    for (size_t i = 0; i < lanes->final_count; i++) {
        *cell_of_key(runner, lanes->finals[i].key) = runner->work[lanes->finals[i].at];
    }
}

void pfpu_lanes_run(const struct pfpu_lanes *lanes, enum base_cpu_level level,
                    struct pfpu_instance *instance, struct pfpu_globals *globals,
                    const struct pfpu_lanes_items *items, double *work)
{
    struct runner runner = runner_of(lanes, level, instance, globals, items, work);
    if (lanes->facts.one_by_one) {
        run_one_by_one(&runner);
    } else if (items->count > 0) {
        run_blocks(&runner, items->count);
        leave_finals(&runner);
    }
}

bool pfpu_lanes_divides(const struct pfpu_lanes *lanes)
{
    return !lanes->facts.one_by_one && lanes->facts.serial == 0 && lanes->carry_count == 0;
}

void pfpu_lanes_run_part(const struct pfpu_lanes *lanes, enum base_cpu_level level,
                         struct pfpu_instance *instance, struct pfpu_globals *globals,
                         const struct pfpu_lanes_items *items, double *work, size_t first,
                         size_t end)
{
    struct runner runner = runner_of(lanes, level, instance, globals, items, work);
    assert(pfpu_lanes_divides(lanes) && first % PFPU_LANES == 0);
    runner.start = first;
    run_blocks(&runner, end < items->count ? end : items->count);
}

void pfpu_lanes_end_parts(const struct pfpu_lanes *lanes, struct pfpu_instance *instance,
                          struct pfpu_globals *globals, const struct pfpu_lanes_items *items,
                          double *work)
{
    const struct runner runner = runner_of(lanes, BASE_CPU_PLAIN, instance, globals, items, work);
    leave_finals(&runner);
}

size_t pfpu_lanes_work_size(const struct pfpu_lanes *lanes)
{
    return lanes->work_size + PFPU_LANES_ALIGNMENT / sizeof(double);
}

struct pfpu_lanes_facts pfpu_lanes_facts(const struct pfpu_lanes *lanes)
{
    return lanes->facts;
}
