#include <assert.h>
#include <string.h>

#include "pfpu/compile/compilation.h"
#include "pfpu/host/program.h"
#include "pfpu/ir/passes.h"
#include "pfpu/language/lower.h"
#include "pfpu/microcode/listing.h"
#include "pfpu/select/select.h"

static bool lower(struct pfpu_compilation *compilation)
{
    return pfpu_lower(compilation->tree, compilation->scope, compilation->ir, compilation->scratch,
                      &compilation->complaint);
}

static bool lower_straight(struct pfpu_compilation *compilation)
{
    return pfpu_lower_straight(compilation->tree, compilation->scope, compilation->ir,
                               compilation->scratch, &compilation->complaint);
}

static bool fuse(struct pfpu_compilation *compilation)
{
    return !compilation->target->fuses || pfpu_fuse(compilation->ir, compilation->scratch);
}

static bool select_instructions(struct pfpu_compilation *compilation)
{
    return pfpu_select(compilation->selection, compilation->roots, compilation->root_count);
}

static bool schedule(struct pfpu_compilation *compilation)
{
    compilation->fit = compilation->scheduler(compilation->target, compilation->ir,
                                              compilation->scratch, &compilation->schedule);
    return compilation->fit == PFPU_FITS;
}

static bool emit(struct pfpu_compilation *compilation)
{
    compilation->program =
        pfpu_program_create(compilation->scope, compilation->ir, &compilation->schedule,
                            compilation->arena, compilation->scratch);
    return compilation->program != NULL;
}

static bool encode(struct pfpu_compilation *compilation)
{
    compilation->fit =
        pfpu_encode(compilation->target, compilation->ir, &compilation->schedule,
                    compilation->arena, compilation->scratch, compilation->microcode);
    return compilation->fit == PFPU_FITS;
}

/* The order of the passes. A program goes through the rows of one leg after the other:
 *
 *   on the host                     LOWER, HOST
 *   equations of a board's patch    STRAIGHT, EQUATIONS; with the greedy scheduler THESIS instead
 *   what they are on the unit       SELECT, CLEAN (not with the greedy scheduler), MICROCODE
 *   what the CPU does for the unit  HOST, from a copy of the equations after EQUATIONS */
#define LOWER     PFPU_LEG_LOWER
#define STRAIGHT  PFPU_LEG_STRAIGHT
#define HOST      PFPU_LEG_HOST
#define EQUATIONS PFPU_LEG_EQUATIONS
#define THESIS    PFPU_LEG_THESIS
#define SELECT    PFPU_LEG_SELECT
#define CLEAN     PFPU_LEG_CLEAN
#define MICROCODE PFPU_LEG_MICROCODE
static const struct pass {
    char letter; /* for dumps */
    const char *name;
    unsigned legs;
    bool (*rewrite)(struct pfpu_ir *ir, struct base_arena *scratch); /* or step */
    bool (*step)(struct pfpu_compilation *compilation);
} passes[] = {
    {'l', "lower", LOWER, NULL, lower},
    {'l', "lower", STRAIGHT, NULL, lower_straight},
    {'f', "fold", HOST | EQUATIONS | THESIS, pfpu_fold, NULL},
    {'c', "cse", HOST | EQUATIONS, pfpu_cse, NULL},
    {'d', "dce", HOST | EQUATIONS, pfpu_dce, NULL},
    {'u', "fuse", HOST, NULL, fuse},
    {'i', "select", SELECT, NULL, select_instructions},
    {'e', "clean", CLEAN, pfpu_dce, NULL},
    {'g', "legalise", MICROCODE, pfpu_legalise, NULL},
    {'s', "schedule", HOST | MICROCODE, NULL, schedule},
    {'r', "emit", HOST, NULL, emit},
    {'m', "encode", MICROCODE, NULL, encode},
};

enum { PASSES = sizeof passes / sizeof *passes };

enum pfpu_status pfpu_compilation_run(struct pfpu_compilation *compilation, enum pfpu_leg leg)
{
    const struct pfpu_dumper *dumper = compilation->dumper;
    for (size_t i = 0; i < PASSES; i++) {
        const struct pass *pass = &passes[i];
        if ((pass->legs & leg) == 0) {
            continue;
        }
        const bool done = pass->rewrite != NULL
                              ? pass->rewrite(compilation->ir, compilation->scratch)
                              : pass->step(compilation);
        if (!done) {
            const bool fits =
                compilation->fit == PFPU_FITS || compilation->fit == PFPU_FIT_NO_MEMORY;
            return compilation->complaint.set || !fits ? PFPU_REFUSED : PFPU_NO_MEMORY;
        }
        /* What is selected is not complete yet; the board has no time for it. */
        assert(!__STDC_HOSTED__ || leg == SELECT ||
               pfpu_verify(compilation->ir, compilation->scratch) == NULL);
        if (dumper != NULL && strchr(dumper->letters, pass->letter) != NULL) {
            const bool scheduled = compilation->schedule.order != NULL;
            const struct pfpu_snapshot snapshot = {
                .pass = pass->name,
                .program = compilation->name,
                .scope = compilation->scope,
                .ir = compilation->ir,
                .schedule = scheduled ? &compilation->schedule : NULL,
                .code = compilation->program != NULL ? &compilation->program->code : NULL,
                .microcode = pass->step == encode ? compilation->microcode : NULL};
            dumper->show(dumper->user, &snapshot);
        }
    }
    return PFPU_OK;
}

const char *pfpu_pass_name(char letter)
{
    for (size_t i = 0; i < PASSES; i++) {
        if (passes[i].letter == letter) {
            return passes[i].name;
        }
    }
    return NULL;
}

enum pfpu_status pfpu_compilation_refuse(const struct pfpu_compilation *compilation)
{
    const struct pfpu_complaint *complaint = &compilation->complaint;
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
    for (size_t i = 0; i < sizeof separators; i++) {
        compilation->complaint = (struct pfpu_complaint){0};
        if (!pfpu_text_join(&compilation->text, compilation->source, separators[i],
                            compilation->scratch)) {
            return PFPU_NO_MEMORY;
        }
        if (pfpu_text_is_blank(&compilation->text)) {
            return PFPU_EMPTY;
        }
        compilation->tree =
            pfpu_parse(&compilation->text, compilation->scratch, &compilation->complaint);
        if (compilation->tree != NULL) {
            compilation->complaint = (struct pfpu_complaint){0};
            return PFPU_OK;
        }
    }
    return pfpu_compilation_refuse(compilation);
}

enum pfpu_status pfpu_compilation_finish(struct pfpu_compilation *compilation)
{
    static const char *const reasons[] = {
        [PFPU_FIT_ILLEGAL] = "it uses an operation that the machine lacks",
        [PFPU_FIT_BRANCHES] = "it branches or loops, which the machine cannot",
        [PFPU_FIT_REGISTERS] = "it needs more registers than the machine has",
        [PFPU_FIT_LENGTH] = "it is longer than the machine's program memory",
    };
    compilation->scheduler = pfpu_schedule_greedy;
    const enum pfpu_status status = pfpu_compilation_run(compilation, PFPU_LEG_HOST);
    if (status == PFPU_REFUSED) {
        base_report(compilation->sink, BASE_ERROR, pfpu_text_place(&compilation->text, 0),
                    "simplify it or choose another target", "program does not fit target '%s': %s",
                    compilation->target->name, reasons[compilation->fit]);
    }
    return status;
}

enum pfpu_status pfpu_compile_dumping(const struct pfpu_target *target, struct pfpu_scope *scope,
                                      const struct base_source *source, struct base_arena *arena,
                                      const struct base_diag_sink *sink,
                                      const struct pfpu_dumper *dumper, const char *name,
                                      struct pfpu_program **program)
{
    struct base_arena scratch;
    struct pfpu_ir ir;
    base_arena_init(&scratch, 0);
    pfpu_ir_init(&ir, &scratch);
    struct pfpu_compilation compilation = {.target = target,
                                           .scope = scope,
                                           .source = source,
                                           .arena = arena,
                                           .scratch = &scratch,
                                           .sink = sink,
                                           .dumper = dumper,
                                           .name = name,
                                           .ir = &ir};
    enum pfpu_status status = pfpu_compilation_read(&compilation);
    if (status == PFPU_OK) {
        status = pfpu_compilation_run(&compilation, PFPU_LEG_LOWER);
        status = status == PFPU_OK ? pfpu_compilation_finish(&compilation)
                                   : pfpu_compilation_refuse(&compilation);
    }
    *program = compilation.program;
    base_arena_free(&scratch);
    return status;
}

enum pfpu_status pfpu_compile(const struct pfpu_target *target, struct pfpu_scope *scope,
                              const struct base_source *source, struct base_arena *arena,
                              const struct base_diag_sink *sink, struct pfpu_program **program)
{
    return pfpu_compile_dumping(target, scope, source, arena, sink, NULL, NULL, program);
}
