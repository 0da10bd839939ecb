/* Equations to programs for the host, and programs as text for people and tests. */
#ifndef PFPU_COMPILE_COMPILE_H
#define PFPU_COMPILE_COMPILE_H

#include "base/arena.h"
#include "base/text.h"
#include "pfpu/host/program.h"
#include "pfpu/ir/ir.h"
#include "pfpu/language/scope.h"
#include "pfpu/machine/machine.h"

struct pfpu_microcode;

enum pfpu_status {
    PFPU_OK,
    PFPU_EMPTY,   /* nothing but blanks and comments: no program, no message */
    PFPU_REFUSED, /* syntax error or over a limit: no program, one error reported */
    PFPU_NO_MEMORY,
};

/* Compiles a block into the scope for a target. Comments are cut, lines joined without separator;
 * if that does not parse, once more with line ends between (spec/milk-expressions.md section 2).
 * Messages carry the file, line and column of the offending character and a hint. The program lives
 * in the arena. */
enum pfpu_status pfpu_compile(const struct pfpu_target *target, struct pfpu_scope *scope,
                              const struct base_source *source, struct base_arena *arena,
                              const struct base_diag_sink *sink, struct pfpu_program **program);

/* A program as a pass has left it. */
struct pfpu_snapshot {
    const char *pass;
    const char *program;            /* "per_frame", "per_pixel" */
    const struct pfpu_scope *scope; /* of its keys; those above its variables are links */
    const struct pfpu_ir *ir;
    const struct pfpu_schedule *schedule; /* NULL until there is one; so are those below */
    const struct pfpu_code_list *code;
    const struct pfpu_microcode *microcode;
};

/* Is shown the program after each of the passes with these letters. */
struct pfpu_dumper {
    const char *letters;
    void (*show)(void *user, const struct pfpu_snapshot *snapshot);
    void *user;
};

/* NULL if no pass has the letter. */
const char *pfpu_pass_name(char letter);

/* As pfpu_compile. name: for the dumper. */
enum pfpu_status pfpu_compile_dumping(const struct pfpu_target *target, struct pfpu_scope *scope,
                                      const struct base_source *source, struct base_arena *arena,
                                      const struct base_diag_sink *sink,
                                      const struct pfpu_dumper *dumper, const char *name,
                                      struct pfpu_program **program);

/* Text lives in the arena, lines end with a line feed; NULL without memory. */

/* A program's IR, or its scheduled instructions. */
enum pfpu_dump { PFPU_DUMP_IR, PFPU_DUMP_CODE };
char *pfpu_program_dump(const struct pfpu_program *program, enum pfpu_dump what,
                        struct base_arena *arena);

/* One instruction or block head per line, values as %0, %1 ... */
char *pfpu_dump_ir(const struct pfpu_ir *ir, const struct pfpu_scope *scope,
                   struct base_arena *arena);

/* One instruction per line with its number; own cells as #constant, s0.. (slots), t0.. A filtered
 * result is written with :=. */
char *pfpu_dump_code(const struct pfpu_code_list *code, const struct pfpu_scope *scope,
                     struct base_arena *arena);

/* What the passes have made of a program so far: IR, after scheduling with the cycle of each
 * instruction, code, or assembler text. */
char *pfpu_snapshot_text(const struct pfpu_snapshot *snapshot, struct base_arena *arena);

#endif
