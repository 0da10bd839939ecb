/* A patch for the Milkymist One: per-frame and per-vertex equations as two programs of the
 * coprocessor, and what is left to the board's CPU (spec/pfpu.md sections 8 and 10,
 * spec/flickernoise-patch-language.md sections 3 and 6).
 *
 *   per frame, on the CPU   frame_host (if the coprocessor cannot do the per-frame equations), then
 *                           cpu_part; their results and the inputs go into registers by key
 *   per frame, one run      frame: per-frame equations, and all of the per-vertex equations and of
 *                           the built-in motion that is the same for every vertex
 *   per vertex              vertex: the rest; VECTOUT gives u and v in 1/64 pixel of a 512x512
 *                           texture
 *
 * Keys of both programs: pfpu_key_of_variable of a variable of the frame scope, or first_link + the
 * row in `links`. With the greedy scheduler nothing moves from program to program, as in the
 * thesis. */
#ifndef PFPU_COMPILE_BOARD_H
#define PFPU_COMPILE_BOARD_H

#include "pfpu/compile/compile.h"
#include "pfpu/microcode/microcode.h"
#include "pfpu/select/linear.h"

enum pfpu_board_scheduler {
    PFPU_BOARD_GREEDY,
    PFPU_BOARD_CRITICAL,
    PFPU_BOARD_PIPELINED,
    PFPU_BOARD_QUICK,
    PFPU_BOARD_SCHEDULERS
};

extern const char *const pfpu_board_scheduler_names[PFPU_BOARD_SCHEDULERS];

/* The syntax trees of the built-in equations, for compilations one after the other; in an arena
 * that outlives them. */
struct pfpu_motion;

/* NULL without memory. */
struct pfpu_motion *pfpu_motion_read(struct base_arena *arena);

struct pfpu_board_request {
    const struct pfpu_target *target;
    enum pfpu_board_scheduler scheduler;
    /* Names that both scopes have when compilation begins are the same variable: per-vertex
     * equations see what the per-frame equations leave in it, every vertex anew. */
    struct pfpu_scope *frame_scope;
    struct pfpu_scope *vertex_scope; /* NULL: the per-frame equations alone, as the frame program */
    const struct base_source *per_frame; /* either may be NULL or empty */
    const struct base_source *per_vertex;
    struct pfpu_motion *motion;       /* NULL: read anew */
    const struct pfpu_dumper *dumper; /* NULL: none */
};

struct pfpu_board_program {
    struct pfpu_ir ir; /* as scheduled; pfpu_words_run gives its meaning */
    enum pfpu_fit fit; /* PFPU_FITS: microcode is there; else the CPU can run the ir */
    struct pfpu_microcode microcode;
};

struct pfpu_board {
    const struct pfpu_target *target;
    enum pfpu_board_scheduler scheduler;
    struct pfpu_scope *frame_scope;
    struct pfpu_scope *vertex_scope;
    const struct pfpu_program *frame_host; /* NULL: the coprocessor does it, or there is none */
    const struct pfpu_program *cpu_part;   /* in the vertex scope; NULL: nothing to do */
    const struct pfpu_link *links; /* source of a CPU link: variable of the vertex scope; of a
                                      carried one as well */
    size_t link_count;
    int32_t first_link;  /* a key */
    uint32_t operations; /* of the vertex program in its smallest form, VECTOUT among them */
    uint32_t path;       /* words of the longest way through that form, the VECTOUT's among them */
    struct pfpu_board_program frame;
    struct pfpu_board_program vertex;
};

/* Compiles. What does not fit is an error with its place for each operation of the per-vertex
 * equations (PFPU_REFUSED), a note where the CPU takes over. Everything lives in the arena.
 * PFPU_EMPTY is not returned: without equations the built-in motion is left. */
enum pfpu_status pfpu_board_compile(const struct pfpu_board_request *request,
                                    struct base_arena *arena, const struct base_diag_sink *sink,
                                    struct pfpu_board **board);

#endif
