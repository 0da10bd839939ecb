#include <string.h>

#include "pfpu/arith.h"
#include "pfpu/lanes_code.h"
#include "pfpu/memory.h"

static inline double at(const double *work, const struct pfpu_lanes_place *place, size_t item)
{
    return work[(size_t)place->at + (item & (0 - (size_t)place->step))];
}

static bool is_on(const struct pfpu_lanes_step *step, const double *work, size_t item)
{
    return step->guard.at == PFPU_LANES_NOWHERE || pfpu_true(at(work, &step->guard, item));
}

static double delayed(const struct pfpu_lanes_step *step, const double *work, size_t item)
{
    return item == 0 ? work[step->carry] : at(work, &step->operands[0], item - 1);
}

/* Random numbers and memory. */
static double run_ordered(const struct pfpu_lanes_step *step, struct pfpu_instance *instance,
                          struct pfpu_globals *globals, size_t item, const double *work)
{
    const double a = at(work, &step->operands[0], item);
    if (!is_on(step, work, item)) {
        return 0.0;
    }
    switch (step->code / 2) {
    case PFPU_OP_RAND:
        return pfpu_random(base_twister_next(&globals->random), a);
    case PFPU_OP_MEMORY_LOAD:
        return pfpu_memory_load(instance, globals, a);
    case PFPU_OP_GLOBAL_LOAD:
        return pfpu_global_load(globals, a);
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
            *dst = delayed(step, work, item);
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
#include "pfpu/ops.def"
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

static void begin(const struct pfpu_lanes_step *step, const struct pfpu_lanes_step *end,
                  double *work)
{
    for (; step < end; step++) {
        if (step->carry != PFPU_LANES_NOWHERE && step->kind != PFPU_LANES_DELAY) {
            work[step->dst - 1] = work[step->carry];
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

static void repeat(const struct pfpu_lanes_step *step, const struct pfpu_lanes_step *end,
                   size_t count, double *work)
{
    for (; step < end; step++) {
        double *dst = work + step->dst;
        const double first = dst[0];
        for (size_t i = 1; i < count; i++) {
            dst[i] = first;
        }
    }
}

static void carry_on(const struct pfpu_lanes_step *step, const struct pfpu_lanes_step *end,
                     size_t count, double *work)
{
    for (; step < end; step++) {
        if (step->carry != PFPU_LANES_NOWHERE) {
            work[step->carry] = step->kind == PFPU_LANES_DELAY
                                    ? at(work, &step->operands[0], count - 1)
                                    : work[(size_t)step->dst + count - 1];
        }
    }
}

void pfpu_lanes_run_serial(const struct pfpu_lanes_step *head, struct pfpu_instance *instance,
                           struct pfpu_globals *globals, size_t count, double *work)
{
    const struct pfpu_lanes_step *first = head + 1;
    const struct pfpu_lanes_step *end = first + head->number;
    begin(first, end, work);
    run_item(first, end, instance, globals, 0, work);
    if (head->kind == PFPU_LANES_SETTLING && is_settled(first, end, work)) {
        repeat(first, end, count, work);
    } else {
        for (size_t item = 1; item < count; item++) {
            run_item(first, end, instance, globals, item, work);
        }
    }
    carry_on(first, end, count, work);
}
