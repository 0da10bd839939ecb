/* The steps of compiling a block, for compile.c and board.c. */
#ifndef PFPU_COMPILE_COMPILATION_H
#define PFPU_COMPILE_COMPILATION_H

#include "pfpu/compile/compile.h"
#include "pfpu/language/lex.h"
#include "pfpu/language/parse.h"
#include "pfpu/schedule/schedule.h"

struct pfpu_compilation {
    const struct pfpu_target *target;
    struct pfpu_scope *scope;
    const struct base_source *source;
    struct base_arena *arena; /* of the program */
    struct base_arena *scratch;
    const struct base_diag_sink *sink;
    struct pfpu_text text;
    struct pfpu_node *tree;
    struct pfpu_ir ir;
    struct pfpu_schedule schedule;
};

/* Text to tree; an error has been reported if it is refused. */
enum pfpu_status pfpu_compilation_read(struct pfpu_compilation *compilation);

/* Passes, schedule, code of the program in `ir`, which becomes the newest one of the scope. */
enum pfpu_status pfpu_compilation_finish(struct pfpu_compilation *compilation,
                                         struct pfpu_program **program);

/* Reports the complaint; without one it was memory that was missing. */
enum pfpu_status pfpu_compilation_refuse(const struct pfpu_compilation *compilation,
                                         const struct pfpu_complaint *complaint);

#endif
