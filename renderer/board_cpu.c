#include "renderer/board_cpu.h"

#include <stdlib.h>
#include <string.h>

#include "pfpu/alu.h"
#include "pfpu/form.h"
#include "renderer/board_names.h"
#include "renderer/board_step.h"

enum { FRAME_BUDGET = 1000 * 1000 };

struct rend_board_cpu {
    const struct pfpu_board *board;
    struct base_arena *arena;
    struct pfpu_globals globals;
    struct pfpu_instance frame;
    struct pfpu_instance vertex;
    size_t variables; /* of the frame scope that have a cell */
    bool *fresh;      /* by variable: its cell is set in each frame */
    int32_t *shared;  /* by variable of the vertex scope: that of the frame scope, or -1 */
    size_t shared_count;
};

static bool begin_globals(struct rend_board_cpu *cpu, uint64_t seed)
{
    const struct pfpu_board *board = cpu->board;
    if (pfpu_scope_needs_buffers(board->frame_scope) ||
        pfpu_scope_needs_buffers(board->vertex_scope)) {
        return pfpu_globals_init(&cpu->globals, seed) == 0;
    }
    pfpu_globals_init_plain(&cpu->globals, seed);
    return true;
}

static bool allocate(struct rend_board_cpu *cpu, uint64_t seed)
{
    const struct pfpu_board *board = cpu->board;
    struct base_arena *arena = cpu->arena;
    cpu->variables = (size_t)(board->first_link - pfpu_key_of_variable(0));
    cpu->shared_count = pfpu_scope_size(board->vertex_scope);
    cpu->fresh = base_arena_array(arena, cpu->variables, sizeof *cpu->fresh);
    cpu->shared = base_arena_array(arena, cpu->shared_count, sizeof *cpu->shared);
    return cpu->fresh != NULL && cpu->shared != NULL &&
           pfpu_instance_init(&cpu->frame, board->frame_scope, arena) == 0 &&
           pfpu_instance_init(&cpu->vertex, board->vertex_scope, arena) == 0 &&
           begin_globals(cpu, seed);
}

/* The frame scope's variable; mostly the one in the same place. */
static int32_t shared_with(const struct pfpu_board *board, size_t variable)
{
    const char *name = pfpu_scope_name(board->vertex_scope, variable);
    const bool same = variable < pfpu_scope_size(board->frame_scope) &&
                      strcmp(pfpu_scope_name(board->frame_scope, variable), name) == 0;
    return same ? (int32_t)variable : pfpu_scope_find(board->frame_scope, name);
}

struct rend_board_cpu *rend_board_cpu_create(const struct pfpu_board *board,
                                             struct base_arena *arena, uint64_t seed)
{
    struct rend_board_cpu *cpu = base_arena_alloc(arena, sizeof *cpu);
    if (cpu == NULL) {
        return NULL;
    }
    *cpu = (struct rend_board_cpu){.board = board, .arena = arena};
    if (!allocate(cpu, seed)) {
        return NULL;
    }
    for (size_t i = 0; i < cpu->shared_count; i++) {
        cpu->shared[i] = shared_with(board, i);
    }
    return cpu;
}

void rend_board_cpu_free(struct rend_board_cpu *cpu)
{
    if (cpu != NULL) {
        pfpu_globals_free(&cpu->globals);
    }
}

static void set(struct rend_board_cpu *cpu, const char *name, double value)
{
    const int variable = pfpu_scope_find(cpu->board->frame_scope, name);
    if (variable >= 0) {
        cpu->frame.values[variable] = value;
    }
}

const struct pfpu_instance *rend_board_cpu_begin(struct rend_board_cpu *cpu,
                                                 const struct pfpu_program *init,
                                                 const struct preset *preset, unsigned fps)
{
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        const struct preset_key *key = &preset_keys[i];
        if (key->group == PRESET_GROUP_PRESET && key->variable[0] != '\0') {
            set(cpu, key->variable, preset_key_get(key, preset));
        }
    }
    for (size_t i = 0; i < rend_board_reset_count; i++) {
        const struct rend_board_reset *row = &rend_board_resets[i];
        set(cpu, row->name, row->stored ? rend_board_stored(preset, row->name) : row->value);
    }
    set(cpu, "fps", fps);
    pfpu_run(init, &cpu->frame, &cpu->globals);
    return &cpu->frame;
}

static void mark_fresh(struct rend_board_cpu *cpu, uint16_t cell)
{
    const size_t variable = (size_t)cell - PFPU_REGISTERS_GLOBAL;
    if (cell != REND_BOARD_NO_CELL && variable < cpu->variables) {
        cpu->fresh[variable] = true;
    }
}

void rend_board_cpu_bind(struct rend_board_cpu *cpu, const struct rend_board_patch *patch)
{
    for (size_t i = 0; i < patch->reset_count; i++) {
        mark_fresh(cpu, patch->resets[i].cell);
    }
    for (size_t i = 0; i < REND_BOARD_INPUTS; i++) {
        mark_fresh(cpu, patch->inputs[i]);
    }
}

static void run_frame(struct rend_board_cpu *cpu, uint32_t *cells)
{
    uint32_t *words = cells + pfpu_key_of_variable(0);
    for (size_t i = 0; i < cpu->variables; i++) {
        if (cpu->fresh[i]) {
            cpu->frame.values[i] = pfpu_number_of_word(words[i]);
        }
    }
    pfpu_run(cpu->board->frame_host, &cpu->frame, &cpu->globals);
    for (size_t i = 0; i < cpu->variables; i++) {
        words[i] = pfpu_word_of_number(cpu->frame.values[i]);
    }
}

static void run_part(struct rend_board_cpu *cpu, uint32_t *cells)
{
    const struct pfpu_board *board = cpu->board;
    for (size_t i = 0; i < cpu->shared_count; i++) {
        cpu->vertex.values[i] = cpu->shared[i] < 0 ? 0 : cpu->frame.values[cpu->shared[i]];
    }
    pfpu_run(board->cpu_part, &cpu->vertex, &cpu->globals);
    for (size_t i = 0; i < board->link_count; i++) {
        if (board->links[i].kind == PFPU_LINK_CPU) {
            cells[(size_t)board->first_link + i] =
                pfpu_word_of_number(cpu->vertex.values[board->links[i].source]);
        }
    }
}

void rend_board_cpu_run(struct rend_board_cpu *cpu, uint32_t *cells)
{
    cpu->globals.budget = FRAME_BUDGET;
    cpu->globals.exhausted = false;
    run_frame(cpu, cells);
    run_part(cpu, cells);
}
