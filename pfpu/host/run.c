#include "pfpu/host/run.h"

#include <stdlib.h>
#include <string.h>

#include "pfpu/host/memory.h"
#include "pfpu/host/program.h"
#include "pfpu/ir/arith.h"

/* Until the host sets its own. */
enum { FIRST_BUDGET = 1 << 24 };

/* Of MilkDrop's generator at the start of the program (spec/milk-expressions.md section 6). */
static const uint32_t first_seed = 0x4141f00d;

void pfpu_globals_init_plain(struct pfpu_globals *globals, uint64_t seed)
{
    *globals = (struct pfpu_globals){.budget = FIRST_BUDGET};
    base_twister_seed(&globals->random, first_seed + (uint32_t)(seed ^ (seed >> 32)));
}

/* Where no system gives memory that is zeroed when it is touched, clearing it all takes long. */
static bool allocate_buffers(struct pfpu_globals *globals)
{
    const size_t cells = (size_t)PFPU_POOL_BLOCKS * PFPU_MEGABUF_BLOCK;
#ifdef FROTH_SLOW_ZEROS
    globals->gmegabuf = malloc(PFPU_GMEGABUF_CELLS * sizeof *globals->gmegabuf);
    globals->pool = malloc(cells * sizeof *globals->pool);
#else
    globals->gmegabuf = calloc(PFPU_GMEGABUF_CELLS, sizeof *globals->gmegabuf);
    globals->pool = calloc(cells, sizeof *globals->pool);
#endif
    globals->unwritten = malloc(PFPU_PAGES * sizeof *globals->unwritten);
    if (globals->unwritten != NULL) {
        memset(globals->unwritten, true, PFPU_PAGES * sizeof *globals->unwritten);
    }
    return globals->gmegabuf != NULL && globals->pool != NULL && globals->unwritten != NULL;
}

int pfpu_globals_init(struct pfpu_globals *globals, uint64_t seed)
{
    pfpu_globals_init_plain(globals, seed);
    if (!allocate_buffers(globals)) {
        pfpu_globals_free(globals);
        return -1;
    }
    return 0;
}

void pfpu_globals_free(struct pfpu_globals *globals)
{
    free(globals->gmegabuf);
    free(globals->pool);
    free(globals->unwritten);
    globals->gmegabuf = NULL;
    globals->pool = NULL;
    globals->unwritten = NULL;
}

static bool uses(const struct pfpu_program *program, int variable, uint8_t use)
{
    return program != NULL && variable >= 0 && (size_t)variable < program->use_count &&
           (program->uses[variable] & use) != 0;
}

bool pfpu_program_writes(const struct pfpu_program *program, int variable)
{
    return uses(program, variable, PFPU_USE_WRITES);
}

bool pfpu_program_reads(const struct pfpu_program *program, int variable)
{
    return uses(program, variable, PFPU_USE_READS);
}

size_t pfpu_program_length(const struct pfpu_program *program)
{
    return program->code.count;
}

static bool needs_buffers(const struct pfpu_code_list *code)
{
    for (size_t i = 0; i < code->count; i++) {
        switch (code->instructions[i].op / 2) {
        case PFPU_OP_MEMORY_LOAD:
        case PFPU_OP_MEMORY_STORE:
        case PFPU_OP_GLOBAL_LOAD:
        case PFPU_OP_GLOBAL_STORE:
        case PFPU_OP_MEMORY_FILL:
        case PFPU_OP_MEMORY_COPY:
            return true;
        default:
            break;
        }
    }
    return false;
}

bool pfpu_scope_needs_buffers(const struct pfpu_scope *scope)
{
    const struct pfpu_program *program = scope->newest;
    while (program != NULL && !needs_buffers(&program->code)) {
        program = program->older;
    }
    return program != NULL;
}

int pfpu_instance_init(struct pfpu_instance *instance, const struct pfpu_scope *scope,
                       struct base_arena *arena)
{
    double *cells = base_arena_array(arena, scope->local_count + scope->name_count, sizeof *cells);
    if (cells == NULL) {
        return -1;
    }
    instance->values = cells + scope->local_count;
    for (size_t i = 0; i < PFPU_MEGABUF_BLOCKS; i++) {
        instance->megabuf[i] = -1;
    }
    for (const struct pfpu_program *program = scope->newest; program != NULL;
         program = program->older) {
        const struct pfpu_code_list *code = &program->code;
        for (size_t i = 0; i < code->constant_count; i++) {
            instance->values[code->first_cell - (int32_t)i] = code->constants[i];
        }
    }
    return 0;
}

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
#include "pfpu/ir/ops.def"
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
