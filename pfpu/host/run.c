#include "pfpu/host/run.h"

#include <stdlib.h>
#include <string.h>

#ifndef FROTH_SLOW_ZEROS
#include "base/os/memory.h"
#endif
#include "pfpu/host/program.h"
#include "pfpu/ir/arith.h"

/* ---- globals, programs, instances ---- */

/* Until the host sets its own. */
enum { FIRST_BUDGET = 1 << 24 };

static const size_t POOL_CELLS = (size_t)PFPU_POOL_BLOCKS * PFPU_MEGABUF_BLOCK;

/* Of MilkDrop's generator at the start of the program (spec/milk-expressions.md section 6). */
static const uint32_t first_seed = 0x4141f00d;

void pfpu_globals_init_plain(struct pfpu_globals *globals, uint64_t seed)
{
    *globals = (struct pfpu_globals){.budget = FIRST_BUDGET};
    base_twister_seed(&globals->random, first_seed + (uint32_t)(seed ^ (seed >> 32)));
}

/* A preset touches little of it, or nothing. Where no system gives memory as it is touched, all of
 * it is taken, and clearing it would take long. */
#ifdef FROTH_SLOW_ZEROS
static double *reserve(size_t cells)
{
    return malloc(cells * sizeof(double));
}

static void release(double *memory, size_t cells)
{
    (void)cells;
    free(memory);
}
#else
static double *reserve(size_t cells)
{
    return base_memory_reserve(cells * sizeof(double));
}

static void release(double *memory, size_t cells)
{
    base_memory_release(memory, cells * sizeof(double));
}
#endif

int pfpu_globals_init(struct pfpu_globals *globals, uint64_t seed)
{
    pfpu_globals_init_plain(globals, seed);
    globals->gmegabuf = reserve(PFPU_GMEGABUF_CELLS);
    globals->pool = reserve(POOL_CELLS);
    globals->unwritten = malloc(PFPU_PAGES * sizeof *globals->unwritten);
    if (globals->gmegabuf == NULL || globals->pool == NULL || globals->unwritten == NULL) {
        pfpu_globals_free(globals);
        return -1;
    }
    memset(globals->unwritten, true, PFPU_PAGES * sizeof *globals->unwritten);
    return 0;
}

void pfpu_globals_free(struct pfpu_globals *globals)
{
    release(globals->gmegabuf, PFPU_GMEGABUF_CELLS);
    release(globals->pool, POOL_CELLS);
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

int64_t pfpu_program_price(const struct pfpu_program *program)
{
    return program == NULL ? 0 : program->price;
}

bool pfpu_scope_needs_buffers(const struct pfpu_scope *scope)
{
    for (const struct pfpu_program *program = scope->newest; program != NULL;
         program = program->older) {
        for (size_t i = 0; i < program->code.count; i++) {
            switch (program->code.instructions[i].op / 2) {
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
    }
    return false;
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

/* ---- megabuf and gmegabuf ---- */

enum { NO_BLOCK = -1, POOL_PAGE = PFPU_GMEGABUF_PAGES };

/* Beyond this an index is as good as any, and sums do not overflow. */
#define FAR_OUTSIDE ((int64_t)1 << 40)

static int64_t index_of(double index)
{
    return pfpu_integer(index + PFPU_CLOSE);
}

/* Before the first write into a page. cells: those of the page. */
static void clear_page(struct pfpu_globals *globals, size_t page, double *cells)
{
    if (globals->unwritten[page]) {
        memset(cells, 0, PFPU_PAGE * sizeof *cells);
        globals->unwritten[page] = false;
    }
}

/* The cell in the pool, or NULL where nothing was ever written. */
static double *find_cell(const struct pfpu_instance *instance, const struct pfpu_globals *globals,
                         int64_t cell)
{
    const int16_t block = instance->megabuf[cell / PFPU_MEGABUF_BLOCK];
    const size_t place = (size_t)block * PFPU_MEGABUF_BLOCK + (size_t)(cell % PFPU_MEGABUF_BLOCK);
    return block == NO_BLOCK || globals->unwritten[POOL_PAGE + place / PFPU_PAGE]
               ? NULL
               : globals->pool + place;
}

/* NULL when the pool is used up. */
static double *make_cell(struct pfpu_instance *instance, struct pfpu_globals *globals, int64_t cell)
{
    int16_t *block = &instance->megabuf[cell / PFPU_MEGABUF_BLOCK];
    if (*block == NO_BLOCK) {
        if (globals->pool_used >= PFPU_POOL_BLOCKS) {
            globals->pool_exhausted = true;
            return NULL;
        }
        *block = (int16_t)globals->pool_used++;
    }
    const size_t page =
        (size_t)*block * PFPU_BLOCK_PAGES + (size_t)(cell % PFPU_MEGABUF_BLOCK) / PFPU_PAGE;
    clear_page(globals, POOL_PAGE + page, globals->pool + page * PFPU_PAGE);
    return find_cell(instance, globals, cell);
}

double pfpu_memory_load(const struct pfpu_instance *instance, const struct pfpu_globals *globals,
                        double index)
{
    const int64_t cell = index_of(index);
    if (cell < 0 || cell >= PFPU_MEGABUF_CELLS) {
        return 0.0;
    }
    const double *place = find_cell(instance, globals, cell);
    return place == NULL ? 0.0 : *place;
}

void pfpu_memory_store(struct pfpu_instance *instance, struct pfpu_globals *globals, double index,
                       double value)
{
    const int64_t cell = index_of(index);
    if (cell < 0 || cell >= PFPU_MEGABUF_CELLS) {
        return;
    }
    double *place = make_cell(instance, globals, cell);
    if (place != NULL) {
        *place = value;
    }
}

static size_t global_cell(double index)
{
    return (size_t)((uint64_t)index_of(index) % PFPU_GMEGABUF_CELLS);
}

double pfpu_global_load(const struct pfpu_globals *globals, double index)
{
    const size_t cell = global_cell(index);
    return globals->unwritten[cell / PFPU_PAGE] ? 0.0 : globals->gmegabuf[cell];
}

void pfpu_global_store(struct pfpu_globals *globals, double index, double value)
{
    const size_t cell = global_cell(index);
    clear_page(globals, cell / PFPU_PAGE, globals->gmegabuf + cell / PFPU_PAGE * PFPU_PAGE);
    globals->gmegabuf[cell] = value;
}

double pfpu_dmx_load(const struct pfpu_globals *globals, double channel)
{
    const int64_t number = index_of(channel);
    return globals->dmx != NULL && number >= 1 && number <= PFPU_DMX_CHANNELS
               ? globals->dmx[number - 1] / 255.0
               : 0.0;
}

/* high counts when low is above it. */
static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    const int64_t raised = value < low ? low : value;
    return raised > high ? high : raised;
}

int64_t pfpu_memory_span(double count)
{
    return clamp(pfpu_integer(count), 0, PFPU_MEGABUF_CELLS);
}

static int64_t run_length(int64_t cell, int64_t left)
{
    const int64_t room = PFPU_PAGE - cell % PFPU_PAGE;
    return room < left ? room : left;
}

/* Cells of one page. */
static void fill_run(struct pfpu_instance *instance, struct pfpu_globals *globals, int64_t cell,
                     int64_t count, double value)
{
    if (value == 0.0 && find_cell(instance, globals, cell) == NULL) {
        return;
    }
    double *place = make_cell(instance, globals, cell);
    for (int64_t i = 0; place != NULL && i < count; i++) {
        place[i] = value;
    }
}

void pfpu_memory_fill(struct pfpu_instance *instance, struct pfpu_globals *globals,
                      double destination, double value, double count)
{
    const int64_t start = clamp(index_of(destination), -FAR_OUTSIDE, FAR_OUTSIDE);
    const int64_t size = clamp(pfpu_integer(count), 0, FAR_OUTSIDE);
    const int64_t end = clamp(start + size, 0, PFPU_MEGABUF_CELLS);
    for (int64_t cell = start < 0 ? 0 : start; cell < end;) {
        const int64_t run = run_length(cell, end - cell);
        fill_run(instance, globals, cell, run, pfpu_filtered(value));
        cell += run;
    }
}

/* Cells of one page on either side. */
static void copy_run(struct pfpu_instance *instance, struct pfpu_globals *globals, int64_t to,
                     int64_t from, int64_t count)
{
    const double *source = find_cell(instance, globals, from);
    if (source == NULL) {
        fill_run(instance, globals, to, count, 0.0);
        return;
    }
    double *place = make_cell(instance, globals, to);
    if (place != NULL) {
        memmove(place, source, (size_t)count * sizeof *place);
    }
}

/* Cells down to the start of the page, counted from the cell below `end`. */
static int64_t run_below(int64_t end, int64_t left)
{
    const int64_t room = (end - 1) % PFPU_PAGE + 1;
    return room < left ? room : left;
}

void pfpu_memory_copy(struct pfpu_instance *instance, struct pfpu_globals *globals,
                      double destination, double source, double count)
{
    const int64_t to = clamp(index_of(destination), -FAR_OUTSIDE, FAR_OUTSIDE);
    const int64_t from = clamp(index_of(source), -FAR_OUTSIDE, FAR_OUTSIDE);
    const int64_t lower = to < from ? to : from;
    const int64_t upper = to < from ? from : to;
    const int64_t first = lower < 0 ? -lower : 0;
    const int64_t end = clamp(pfpu_integer(count), first, PFPU_MEGABUF_CELLS - upper);
    if (first >= end) {
        return;
    }
    for (int64_t at = first; to < from && at < end;) {
        const int64_t run = run_length(to + at, run_length(from + at, end - at));
        copy_run(instance, globals, to + at, from + at, run);
        at += run;
    }
    for (int64_t at = end; to >= from && at > first;) {
        const int64_t run = run_below(to + at, run_below(from + at, at - first));
        at -= run;
        copy_run(instance, globals, to + at, from + at, run);
    }
}

/* ---- running ---- */

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

bool pfpu_run_part(const struct pfpu_program *program, struct pfpu_instance *instance,
                   struct pfpu_globals *globals, int64_t pause, size_t *at)
{
    if (program == NULL) {
        return true;
    }
    const struct pfpu_code *const start = program->code.instructions;
    const struct pfpu_code *code = start + *at;
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
        case 2 * PFPU_OP_DMX_LOAD:
            values[code->dst] = pfpu_dmx_load(globals, A);
            break;
        case PFPU_CODE_END:
            return true;
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
                return true;
            }
            code = start + code->dst;
            if (globals->budget < pause) {
                *at = (size_t)(code - start);
                return false;
            }
            continue;
        default:
            if (!run_other(code, values, instance, globals)) {
                return true;
            }
            break;
        }
        code++;
    }
}

void pfpu_run(const struct pfpu_program *program, struct pfpu_instance *instance,
              struct pfpu_globals *globals)
{
    size_t at = 0;
    (void)pfpu_run_part(program, instance, globals, 0, &at);
}
