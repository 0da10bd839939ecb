/* A program on its way through the passes, for compile.c and board.c. */
#ifndef PFPU_COMPILE_COMPILATION_H
#define PFPU_COMPILE_COMPILATION_H

#include "pfpu/compile/compile.h"
#include "pfpu/language/lex.h"
#include "pfpu/language/parse.h"
#include "pfpu/schedule/schedule.h"

struct pfpu_selection;

struct pfpu_compilation {
    const struct pfpu_target *target;
    struct pfpu_scope *scope; /* of the program's keys; those above its variables are links */
    const struct base_source *source;
    struct base_arena *arena; /* of what comes out */
    struct base_arena *scratch;
    const struct base_diag_sink *sink;
    const struct pfpu_dumper *dumper; /* NULL: none */
    const char *name;                 /* for the dumper */
    struct pfpu_text text;
    struct pfpu_node *tree;
    struct pfpu_complaint complaint; /* why it was not read or lowered */
    struct pfpu_ir *ir;
    struct pfpu_selection *selection; /* to be selected: these values of it */
    const int32_t *roots;
    size_t root_count;
    pfpu_scheduler *scheduler;
    struct pfpu_schedule schedule;
    enum pfpu_fit fit;                /* why it was not scheduled or encoded */
    struct pfpu_program *program;     /* comes out for the host */
    struct pfpu_microcode *microcode; /* comes out for the coprocessor; the caller's */
};

/* Text to tree; an error has been reported if it is refused. */
enum pfpu_status pfpu_compilation_read(struct pfpu_compilation *compilation);

/* A part of the table of passes: see compile.c. */
enum pfpu_leg {
    PFPU_LEG_LOWER = 1,
    PFPU_LEG_STRAIGHT = 2,
    PFPU_LEG_HOST = 4,
    PFPU_LEG_EQUATIONS = 8,
    PFPU_LEG_THESIS = 16,
    PFPU_LEG_SELECT = 32,
    PFPU_LEG_CLEAN = 64,
    PFPU_LEG_MICROCODE = 128,
};

/* Runs the passes of a leg. PFPU_REFUSED: complaint or fit say why; nothing is reported. */
enum pfpu_status pfpu_compilation_run(struct pfpu_compilation *compilation, enum pfpu_leg leg);

/* The leg HOST with the greedy scheduler; an error has been reported if the program does not fit.
 * The program becomes the newest one of the scope. */
enum pfpu_status pfpu_compilation_finish(struct pfpu_compilation *compilation);

/* Reports the complaint; without one it was memory that was missing. */
enum pfpu_status pfpu_compilation_refuse(const struct pfpu_compilation *compilation);

#endif
