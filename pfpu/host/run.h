/* The executor: programs on doubles, as the players of MilkDrop's presets compute them.
 *
 * Programs are immutable; all that changes while running lives in struct pfpu_instance (one per
 * scope) and struct pfpu_globals (one per loaded preset). */
#ifndef PFPU_HOST_RUN_H
#define PFPU_HOST_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/random.h"
#include "pfpu/ir/ir.h"
#include "pfpu/language/scope.h"
#include "pfpu/machine/machine.h"

/* The board has less memory. */
#ifndef FROTH_POOL_BLOCKS
#define FROTH_POOL_BLOCKS 128
#endif

enum {
    PFPU_GMEGABUF_CELLS = 1 << 20,
    PFPU_MEGABUF_CELLS = 8388608,
    PFPU_MEGABUF_BLOCK = 65536, /* cells */
    PFPU_MEGABUF_BLOCKS = PFPU_MEGABUF_CELLS / PFPU_MEGABUF_BLOCK,
    PFPU_DMX_CHANNELS = 2048,
    PFPU_PAGE = 1024, /* cells */
    PFPU_GMEGABUF_PAGES = PFPU_GMEGABUF_CELLS / PFPU_PAGE,
    PFPU_BLOCK_PAGES = PFPU_MEGABUF_BLOCK / PFPU_PAGE,
    PFPU_POOL_BLOCKS = FROTH_POOL_BLOCKS, /* blocks that all scopes of a preset may use together */
    PFPU_PAGES = PFPU_GMEGABUF_PAGES + PFPU_POOL_BLOCKS * PFPU_BLOCK_PAGES,
};

/* One instruction after the other, no limits. */
extern const struct pfpu_target pfpu_target_host;

struct pfpu_program; /* program.h */

/* What a program reads or writes, so that the host can skip work. */
bool pfpu_program_writes(const struct pfpu_program *program, int variable);
bool pfpu_program_reads(const struct pfpu_program *program, int variable);
size_t pfpu_program_length(const struct pfpu_program *program); /* instructions */

/* What a run costs in which no loop goes round twice, in simple operations (pfpu/ir/ops.def); NULL
 * costs nothing. */
int64_t pfpu_program_price(const struct pfpu_program *program);

/* Shared by all programs of one loaded preset. */
struct pfpu_globals {
    double registers[PFPU_REGISTERS_GLOBAL];
    double *gmegabuf; /* PFPU_GMEGABUF_CELLS cells */
    double *pool;     /* PFPU_POOL_BLOCKS blocks of PFPU_MEGABUF_BLOCK cells */
    size_t pool_used; /* blocks handed out */
    bool *unwritten;  /* by page, of gmegabuf and then of the pool: reads as 0, holds anything */
    struct base_twister random; /* what rand() gives */
    /* Simple operations that loops, memset and memcpy may still cost; the host refills it for each
     * frame. When it runs out, the running program ends where it stands and `exhausted` is set;
     * further programs run until their first loop turn. */
    int64_t budget;
    bool exhausted;
    bool pool_exhausted; /* a write to megabuf found no block left and was dropped */
    const uint8_t *dmx;  /* what dmx_in() gives: PFPU_DMX_CHANNELS levels, the caller's; NULL: 0 */
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

/* The same in parts: pauses where a loop goes round with less than `pause` of the budget left; 0:
 * never. False: it has paused, and *at is where the next call goes on; nothing else may touch the
 * instance's values in between. *at: 0 for the beginning. */
bool pfpu_run_part(const struct pfpu_program *program, struct pfpu_instance *instance,
                   struct pfpu_globals *globals, int64_t pause, size_t *at);

#endif
