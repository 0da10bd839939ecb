#include <assert.h>

#include "pfpu/compile.h"
#include "pfpu/dump.h"
#include "pfpu/emit.h"
#include "pfpu/lower.h"
#include "pfpu/parse.h"
#include "pfpu/passes.h"
#include "pfpu/sched.h"
#include "pfpu/scope.h"
#include "pfpu/text.h"

enum pfpu_status pfpu_compilation_refuse(const struct pfpu_compilation *compilation,
                                         const struct pfpu_complaint *complaint)
{
    if (compilation->scratch->failed || !complaint->set) {
        return PFPU_NO_MEMORY;
    }
    base_report(compilation->sink, BASE_ERROR,
                pfpu_text_place(&compilation->text, complaint->offset), complaint->hint, "%s",
                complaint->what);
    return PFPU_REFUSED;
}

enum pfpu_status pfpu_compilation_read(struct pfpu_compilation *compilation)
{
    /* Without separator as most players do, then with line ends; the second try sees no split
     * words, so its complaint is the better one. */
    static const char separators[] = {'\0', '\n'};
    struct pfpu_complaint complaint = {0};
    for (size_t i = 0; i < sizeof separators; i++) {
        complaint = (struct pfpu_complaint){0};
        if (!pfpu_text_join(&compilation->text, compilation->source, separators[i],
                            compilation->scratch)) {
            return PFPU_NO_MEMORY;
        }
        if (pfpu_text_is_blank(&compilation->text)) {
            return PFPU_EMPTY;
        }
        compilation->tree = pfpu_parse(&compilation->text, compilation->scratch, &complaint);
        if (compilation->tree != NULL) {
            return PFPU_OK;
        }
    }
    return pfpu_compilation_refuse(compilation, &complaint);
}

static bool optimise(struct pfpu_compilation *compilation)
{
    struct pfpu_ir *ir = &compilation->ir;
    struct base_arena *scratch = compilation->scratch;
    assert(pfpu_verify(ir, scratch) == NULL);
    if (!pfpu_fold(ir, scratch) || !pfpu_cse(ir, scratch) || !pfpu_dce(ir, scratch)) {
        return false;
    }
    assert(pfpu_verify(ir, scratch) == NULL);
    if (compilation->target->fuses && !pfpu_fuse(ir, scratch)) {
        return false;
    }
    assert(pfpu_verify(ir, scratch) == NULL);
    return true;
}

static enum pfpu_status schedule(struct pfpu_compilation *compilation)
{
    static const char *const reasons[] = {
        [PFPU_FIT_ILLEGAL] = "it uses an operation that the machine lacks",
        [PFPU_FIT_BRANCHES] = "it branches or loops, which the machine cannot",
        [PFPU_FIT_REGISTERS] = "it needs more registers than the machine has",
        [PFPU_FIT_LENGTH] = "it is longer than the machine's program memory",
    };
    const enum pfpu_fit fit = pfpu_sched_greedy(compilation->target, &compilation->ir,
                                                compilation->scratch, &compilation->schedule);
    if (fit == PFPU_FITS) {
        return PFPU_OK;
    }
    if (fit == PFPU_FIT_NO_MEMORY) {
        return PFPU_NO_MEMORY;
    }
    base_report(compilation->sink, BASE_ERROR, pfpu_text_place(&compilation->text, 0),
                "simplify it or choose another target", "program does not fit target '%s': %s",
                compilation->target->name, reasons[fit]);
    return PFPU_REFUSED;
}

static const uint8_t *find_uses(const struct pfpu_ir *ir, size_t count, struct base_arena *arena)
{
    uint8_t *uses = base_arena_array(arena, count, sizeof *uses);
    for (size_t i = 0; uses != NULL && i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        const enum pfpu_op op = instruction->op;
        if ((op == PFPU_OP_GET || op == PFPU_OP_SET) && pfpu_key_is_variable(instruction->key)) {
            uses[instruction->key - PFPU_REGISTERS_GLOBAL] |=
                op == PFPU_OP_GET ? PFPU_USE_READS : PFPU_USE_WRITES;
        }
    }
    return uses;
}

static enum pfpu_status build(struct pfpu_compilation *compilation, struct pfpu_program **result)
{
    struct pfpu_scope *scope = compilation->scope;
    struct base_arena *arena = compilation->arena;
    struct pfpu_program *program = base_arena_alloc(arena, sizeof *program);
    if (program == NULL || !pfpu_ir_copy(&program->ir, &compilation->ir, arena) ||
        !pfpu_emit(&compilation->ir, &compilation->schedule, -1 - (int32_t)scope->local_count,
                   arena, compilation->scratch, &program->code)) {
        return PFPU_NO_MEMORY;
    }
    program->use_count = scope->name_count;
    program->uses = find_uses(&program->ir, program->use_count, arena);
    if (program->uses == NULL) {
        return PFPU_NO_MEMORY;
    }
    program->scope = scope;
    program->older = scope->newest;
    scope->newest = program;
    scope->local_count += program->code.cell_count;
    *result = program;
    return PFPU_OK;
}

enum pfpu_status pfpu_compilation_finish(struct pfpu_compilation *compilation,
                                         struct pfpu_program **program)
{
    if (!optimise(compilation)) {
        return PFPU_NO_MEMORY;
    }
    const enum pfpu_status fit = schedule(compilation);
    return fit == PFPU_OK ? build(compilation, program) : fit;
}

static enum pfpu_status compile(struct pfpu_compilation *compilation, struct pfpu_program **program)
{
    struct pfpu_complaint complaint = {0};
    const enum pfpu_status text = pfpu_compilation_read(compilation);
    if (text != PFPU_OK) {
        return text;
    }
    pfpu_ir_init(&compilation->ir, compilation->scratch);
    if (!pfpu_lower(compilation->tree, compilation->scope, &compilation->ir, compilation->scratch,
                    &complaint)) {
        return pfpu_compilation_refuse(compilation, &complaint);
    }
    return pfpu_compilation_finish(compilation, program);
}

enum pfpu_status pfpu_compile(const struct pfpu_target *target, struct pfpu_scope *scope,
                              const struct base_source *source, struct base_arena *arena,
                              const struct base_diag_sink *sink, struct pfpu_program **program)
{
    struct base_arena scratch;
    base_arena_init(&scratch, 0);
    struct pfpu_compilation compilation = {.target = target,
                                           .scope = scope,
                                           .source = source,
                                           .arena = arena,
                                           .scratch = &scratch,
                                           .sink = sink};
    *program = NULL;
    const enum pfpu_status status = compile(&compilation, program);
    base_arena_free(&scratch);
    return status;
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

char *pfpu_program_dump(const struct pfpu_program *program, enum pfpu_dump what,
                        struct base_arena *arena)
{
    return what == PFPU_DUMP_IR ? pfpu_dump_ir(&program->ir, program->scope, arena)
                                : pfpu_dump_code(&program->code, program->scope, arena);
}
