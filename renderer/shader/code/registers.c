#include "renderer/shader/code/emit.h"

/* Register allocation by linear scan: registers are given out in one walk over the code. Code jumps
 * backward at the end of loops only: what is made before a loop and used in it is kept up to the
 * loop's end. A jump forward leaves out instructions and never needs a register to be kept longer.
 */

#define NOWHERE UINT32_MAX

/* Of each register of the code so far: its first and last instruction. */
struct life {
    uint32_t start;
    uint32_t end;
    uint32_t next;  /* another one with the same end */
    uint32_t given; /* register, or NOWHERE until it starts */
    bool over;
};

struct loop {
    uint32_t start;
    uint32_t end;
    uint32_t outer;
};

struct allocation {
    struct shader_emission *emission;
    struct shader_code *code;
    uint32_t count;
    struct life *lives;
    uint32_t *ending; /* per instruction: the first of the lives that end there */
    uint32_t *free;   /* registers, the last one first */
    size_t free_count;
    uint32_t registers;
};

static bool is_register(shader_place place)
{
    return (place & SHADER_PLACE_SCALAR) == 0;
}

static void see(struct allocation *allocation, shader_place place, uint32_t at)
{
    if (is_register(place)) {
        struct life *life = &allocation->lives[place];
        life->start = life->start == NOWHERE ? at : life->start;
        life->end = at;
    }
}

/* The innermost loop of each instruction, from the last one back. */
static bool find_loops(struct allocation *allocation, struct loop **loops, uint32_t *loop_at)
{
    size_t count = 0;
    for (uint32_t at = 0; at < allocation->count; at++) {
        count += allocation->code[at].op == SHADER_CODE_ROUND_END ? 1 : 0;
    }
    *loops = base_arena_array(&allocation->emission->arena, count, sizeof **loops);
    if (*loops == NULL) {
        return false;
    }
    uint32_t made = 0;
    uint32_t current = NOWHERE;
    for (uint32_t at = allocation->count; at-- > 0;) {
        if (allocation->code[at].op == SHADER_CODE_ROUND_END) {
            (*loops)[made] = (struct loop){allocation->code[at].target, at, current};
            current = made++;
        }
        loop_at[at] = current;
        while (current != NOWHERE && (*loops)[current].start == at) {
            current = (*loops)[current].outer;
        }
    }
    loop_at[allocation->count] = NOWHERE;
    return true;
}

/* The lives of all registers, and which of them end where. */
static bool find_lives(struct allocation *allocation)
{
    const struct shader_program *program = allocation->emission->program;
    struct loop *loops;
    uint32_t *loop_at = base_arena_array(&allocation->emission->arena,
                                         (size_t)allocation->count + 1, sizeof *loop_at);
    if (loop_at == NULL || !find_loops(allocation, &loops, loop_at)) {
        return false;
    }
    for (uint32_t i = 0; i < allocation->emission->registers; i++) {
        allocation->lives[i] = (struct life){NOWHERE, 0, NOWHERE, NOWHERE, false};
    }
    for (int i = 0; i < SHADER_INPUTS; i++) {
        if (program->input[i] >= 0) {
            see(allocation, (shader_place)program->input[i], 0);
        }
    }
    for (uint32_t at = 0; at < allocation->count; at++) {
        allocation->ending[at] = NOWHERE;
        for (int k = 0; k < 4; k++) {
            see(allocation, allocation->code[at].argument[k], at);
            see(allocation, allocation->code[at].result[k], at);
        }
    }
    allocation->ending[allocation->count] = NOWHERE;
    for (int i = 0; i < 3; i++) {
        see(allocation, program->ret[i], allocation->count);
    }
    for (uint32_t i = 0; i < allocation->emission->registers; i++) {
        struct life *life = &allocation->lives[i];
        if (life->start == NOWHERE) {
            continue;
        }
        for (uint32_t loop = loop_at[life->end]; loop != NOWHERE && life->start < loops[loop].start;
             loop = loops[loop].outer) {
            life->end = loops[loop].end;
        }
        life->next = allocation->ending[life->end];
        allocation->ending[life->end] = i;
    }
    return true;
}

static void give(struct allocation *allocation, shader_place *place)
{
    if (!is_register(*place)) {
        return;
    }
    struct life *life = &allocation->lives[*place];
    if (life->given == NOWHERE) {
        life->given = allocation->free_count > 0 ? allocation->free[--allocation->free_count]
                                                 : allocation->registers++;
    }
    *place = life->given * (uint32_t)SHADER_REGISTER_SIZE;
}

/* Takes back the registers of the lives that end here. */
static void take_back(struct allocation *allocation, uint32_t at)
{
    for (uint32_t i = allocation->ending[at]; i != NOWHERE; i = allocation->lives[i].next) {
        struct life *life = &allocation->lives[i];
        if (life->given != NOWHERE && !life->over) {
            life->over = true;
            allocation->free[allocation->free_count++] = life->given;
        }
    }
}

/* Copies whose two registers became one go; targets move with the code. */
static bool drop_copies(struct allocation *allocation)
{
    uint32_t *moved = base_arena_array(&allocation->emission->arena, (size_t)allocation->count + 1,
                                       sizeof *moved);
    if (moved == NULL) {
        return false;
    }
    uint32_t kept = 0;
    for (uint32_t at = 0; at < allocation->count; at++) {
        moved[at] = kept;
        const struct shader_code *code = &allocation->code[at];
        if (code->op != SHADER_CODE_COPY || code->result[0] != code->argument[0]) {
            allocation->code[kept++] = *code;
        }
    }
    moved[allocation->count] = kept;
    for (uint32_t at = 0; at < kept; at++) {
        if (allocation->code[at].op >= SHADER_CODE_JUMP_NONE) {
            allocation->code[at].target = moved[allocation->code[at].target];
        }
    }
    allocation->emission->pixel.count = kept;
    return true;
}

bool shader_allocate_registers(struct shader_emission *emission)
{
    struct base_arena *arena = &emission->arena;
    struct shader_program *program = emission->program;
    const size_t many = emission->registers;
    struct allocation allocation = {
        .emission = emission,
        .code = emission->pixel.list,
        .count = (uint32_t)emission->pixel.count,
        .lives = base_arena_array(arena, many, sizeof *allocation.lives),
        .ending = base_arena_array(arena, emission->pixel.count + 1, sizeof *allocation.ending),
        .free = base_arena_array(arena, many, sizeof *allocation.free),
    };
    if (arena->failed) {
        return false;
    }
    if (!find_lives(&allocation)) {
        return false;
    }
    for (int i = 0; i < SHADER_INPUTS; i++) {
        if (program->input[i] >= 0) {
            shader_place place = (shader_place)program->input[i];
            give(&allocation, &place);
            program->input[i] = (int)(place / SHADER_REGISTER_SIZE);
        }
    }
    for (uint32_t at = 0; at < allocation.count; at++) {
        struct shader_code *code = &allocation.code[at];
        for (int k = 0; k < 4; k++) {
            give(&allocation, &code->argument[k]);
        }
        take_back(&allocation, at); /* results may stand where arguments do */
        for (int k = 0; k < 4; k++) {
            give(&allocation, &code->result[k]);
        }
        take_back(&allocation, at);
    }
    for (int i = 0; i < 3; i++) {
        give(&allocation, &program->ret[i]);
    }
    program->registers = allocation.registers;
    return drop_copies(&allocation);
}
