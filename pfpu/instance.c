#include <stdlib.h>
#include <string.h>

#include "pfpu/scope.h"

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
    globals->unwritten = malloc(PFPU_PAGES * sizeof *globals->unwritten);
    if (globals->unwritten != NULL) {
        memset(globals->unwritten, true, PFPU_PAGES * sizeof *globals->unwritten);
    }
    return globals->gmegabuf != NULL && globals->pool != NULL && globals->unwritten != NULL;
#else
    globals->gmegabuf = calloc(PFPU_GMEGABUF_CELLS, sizeof *globals->gmegabuf);
    globals->pool = calloc(cells, sizeof *globals->pool);
    return globals->gmegabuf != NULL && globals->pool != NULL;
#endif
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
