#include "pfpu/arith.h"
#include "pfpu/memory.h"
#include "pfpu/scope.h"

/* Takes a price from the budget. False when it does not cover it: the program ends. */
static bool pay(struct pfpu_globals *globals, int64_t price)
{
    if (globals->budget >= price) {
        globals->budget -= price;
        return true;
    }
    globals->budget = -1;
    globals->exhausted = true;
    return false;
}

/* Operations on anything but cells. False: the budget is used up. */
static bool run_other(const struct pfpu_code *code, double *values, struct pfpu_instance *instance,
                      struct pfpu_globals *globals)
{
    const double a = values[code->a];
    switch (code->op / 2) {
    case PFPU_OP_RAND:
        values[code->dst] = pfpu_random(base_twister_next(&globals->random), a);
        return true;
    case PFPU_OP_MEMORY_FILL:
        if (!pay(globals, pfpu_memory_span(values[code->c]))) {
            return false;
        }
        pfpu_memory_fill(instance, globals, a, values[code->b], values[code->c]);
        return true;
    case PFPU_OP_MEMORY_COPY:
        if (!pay(globals, pfpu_memory_span(values[code->c]))) {
            return false;
        }
        pfpu_memory_copy(instance, globals, a, values[code->b], values[code->c]);
        return true;
    default:
        return true;
    }
}

void pfpu_run(const struct pfpu_program *program, struct pfpu_instance *instance,
              struct pfpu_globals *globals)
{
    if (program == NULL) {
        return;
    }
    const struct pfpu_code *const start = program->code.instructions;
    const struct pfpu_code *code = start;
    double *const values = instance->values;
    for (;;) {
        switch (code->op) {
#define A values[code->a]
#define B values[code->b]
#define C values[code->c]
#define PFPU_OTHER(name, text, arity, cost, kind)
#define PFPU_PURE(name, text, arity, cost, value)                                                  \
    case 2 * PFPU_OP_##name:                                                                       \
        values[code->dst] = value;                                                                 \
        code++;                                                                                    \
        continue;                                                                                  \
    case 2 * PFPU_OP_##name + 1:                                                                   \
        values[code->dst] = pfpu_filtered(value);                                                  \
        code++;                                                                                    \
        continue;
#include "pfpu/ops.def"
#undef PFPU_PURE
#undef PFPU_OTHER
        case 2 * PFPU_OP_GET:
            values[code->dst] = globals->registers[code->a];
            break;
        case 2 * PFPU_OP_SET:
            globals->registers[code->dst] = A;
            break;
        case 2 * PFPU_OP_MEMORY_LOAD:
            values[code->dst] = pfpu_memory_load(instance, globals, A);
            break;
        case 2 * PFPU_OP_MEMORY_STORE:
            pfpu_memory_store(instance, globals, A, B);
            break;
        case 2 * PFPU_OP_GLOBAL_LOAD:
            values[code->dst] = pfpu_global_load(globals, A);
            break;
        case 2 * PFPU_OP_GLOBAL_STORE:
            pfpu_global_store(globals, A, B);
            break;
        case PFPU_CODE_END:
            return;
        case PFPU_CODE_JUMP:
            code = start + code->dst;
            continue;
        case PFPU_CODE_BRANCH_TRUE:
            code = pfpu_true(A) ? start + code->dst : code + 1;
            continue;
        case PFPU_CODE_BRANCH_FALSE:
            code = pfpu_true(A) ? code + 1 : start + code->dst;
            continue;
        case PFPU_CODE_AGAIN:
            if (!pfpu_true(A)) {
                break;
            }
            if (!pay(globals, code->c)) {
                return;
            }
            code = start + code->dst;
            continue;
        default:
            if (!run_other(code, values, instance, globals)) {
                return;
            }
            break;
        }
        code++;
    }
}
