/* The patch compiler and its executor: equations (spec/milk-expressions.md) in, programs out.
 *
 *   text -> AST (parse) -> IR (lower) -> fold, cse, dce, fuse -> greedy scheduler -> program -> run
 *
 * A scope is one namespace of variables; several programs may be compiled into one scope and then
 * share its variables. Programs and scopes are immutable once sealed; all that changes while
 * running lives in struct pfpu_instance (one per scope) and struct pfpu_globals (one per loaded
 * preset). */
#ifndef PFPU_PFPU_H
#define PFPU_PFPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/random.h"
#include "base/text.h"

/* The board has less memory. */
#ifndef FROTH_POOL_BLOCKS
#define FROTH_POOL_BLOCKS 128
#endif

enum {
    PFPU_VARIABLES_MAX = 8192,   /* names per scope */
    PFPU_REGISTERS_GLOBAL = 100, /* reg00..reg99 */
    PFPU_GMEGABUF_CELLS = 1 << 20,
    PFPU_MEGABUF_CELLS = 8388608,
    PFPU_MEGABUF_BLOCK = 65536, /* cells */
    PFPU_MEGABUF_BLOCKS = PFPU_MEGABUF_CELLS / PFPU_MEGABUF_BLOCK,
    PFPU_PAGE = 1024, /* cells */
    PFPU_GMEGABUF_PAGES = PFPU_GMEGABUF_CELLS / PFPU_PAGE,
    PFPU_BLOCK_PAGES = PFPU_MEGABUF_BLOCK / PFPU_PAGE,
    PFPU_POOL_BLOCKS = FROTH_POOL_BLOCKS, /* blocks that all scopes of a preset may use together */
    PFPU_PAGES = PFPU_GMEGABUF_PAGES + PFPU_POOL_BLOCKS * PFPU_BLOCK_PAGES,
    PFPU_NESTING_MAX = 256,  /* levels of parentheses, calls and operators */
    PFPU_TEXT_MAX = 32767,   /* bytes of one joined block */
    PFPU_LOOP_MAX = 1048576, /* turns of one loop or while */
};

struct pfpu_target;
extern const struct pfpu_target pfpu_target_host;
extern const struct pfpu_target pfpu_target_milkymist_one; /* the chip; see milkymist.h */
extern const struct pfpu_target pfpu_target_thesis;        /* with the latencies of the thesis */

struct pfpu_scope;
struct pfpu_program;

/* A scope lives in the arena and dies with it. NULL without memory. */
struct pfpu_scope *pfpu_scope_create(struct base_arena *arena);

/* A scope with the same variables, as long as nothing has been compiled in it; their names stay
 * where they are. NULL without memory. */
struct pfpu_scope *pfpu_scope_copy(const struct pfpu_scope *scope, struct base_arena *arena);

/* Declares a variable (ASCII, any case, any length) or finds it; returns its index from 0, or -1
 * when the scope is full or memory is short. Indices never change. The caller declares built-in
 * variables first, in the order of its own table, so that index = row. regNN are not variables of a
 * scope. */
int pfpu_scope_declare(struct pfpu_scope *scope, const char *name);

/* The variable of the name, or -1; declares nothing. */
int pfpu_scope_find(const struct pfpu_scope *scope, const char *name);

size_t pfpu_scope_size(const struct pfpu_scope *scope);                       /* variables */
const char *pfpu_scope_name(const struct pfpu_scope *scope, size_t variable); /* lower case */

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

/* What a program reads or writes, so that the host can skip work. */
bool pfpu_program_writes(const struct pfpu_program *program, int variable);
bool pfpu_program_reads(const struct pfpu_program *program, int variable);
size_t pfpu_program_length(const struct pfpu_program *program); /* instructions */

/* Prints the program's IR or scheduled instructions as text, for people and tests. */
enum pfpu_dump { PFPU_DUMP_IR, PFPU_DUMP_CODE };
char *pfpu_program_dump(const struct pfpu_program *program, enum pfpu_dump what,
                        struct base_arena *arena);

/* Shared by all programs of one loaded preset. */
struct pfpu_globals {
    double registers[PFPU_REGISTERS_GLOBAL];
    double *gmegabuf; /* PFPU_GMEGABUF_CELLS cells */
    double *pool;     /* PFPU_POOL_BLOCKS blocks of PFPU_MEGABUF_BLOCK cells */
    size_t pool_used; /* blocks handed out */
    bool *unwritten; /* by page, of gmegabuf and then of the pool: reads as 0, holds anything; NULL:
                        all pages hold what they read as */
    struct base_twister random; /* what rand() gives */
    /* Operations that loops, memset and memcpy may still execute; the host refills it for each
     * frame. When it runs out, the running program ends where it stands and `exhausted` is set;
     * further programs run until their first loop turn. */
    int64_t budget;
    bool exhausted;
    bool pool_exhausted; /* a write to megabuf found no block left and was dropped */
};

/* Allocates the buffers (zeroed, committed by the system only when touched), seeds the generator
 * (0: the sequence that MilkDrop starts with) and grants a first budget of 2^24. Returns 0, or -1
 * without memory. */
int pfpu_globals_init(struct pfpu_globals *globals, uint64_t seed);
void pfpu_globals_free(struct pfpu_globals *globals);

/* The same without the buffers, for programs of scopes that do not ask for them. */
void pfpu_globals_init_plain(struct pfpu_globals *globals, uint64_t seed);

/* Whether a program of the scope reads or writes megabuf or gmegabuf. */
bool pfpu_scope_needs_buffers(const struct pfpu_scope *scope);

/* The changing part of a scope: variables, temporaries of its programs, its megabuf. */
struct pfpu_instance {
    double *values; /* variables by index; the programs' own cells lie before */
    int16_t megabuf[PFPU_MEGABUF_BLOCKS]; /* block in the pool, -1: not there yet (reads as 0) */
};

/* Call after the last pfpu_compile into the scope. Lives in the arena; all variables 0.
 * Returns 0, or -1 without memory. */
int pfpu_instance_init(struct pfpu_instance *instance, const struct pfpu_scope *scope,
                       struct base_arena *arena);

/* Runs a program of the instance's scope to its end or to the end of the budget. Never allocates,
 * locks or formats; bounded by the length of the program plus the budget. NULL program: nothing
 * happens. */
void pfpu_run(const struct pfpu_program *program, struct pfpu_instance *instance,
              struct pfpu_globals *globals);

#endif
