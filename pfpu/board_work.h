/* The steps of compiling a patch for the board, for board*.c only. */
#ifndef PFPU_BOARD_WORK_H
#define PFPU_BOARD_WORK_H

#include "pfpu/board.h"
#include "pfpu/compile.h"
#include "pfpu/select.h"

/* The vertex program before it is scheduled. */
struct pfpu_board_draft {
    struct pfpu_selection selection;
    struct pfpu_builder builder;
    struct pfpu_ir ir;
    bool made;
};

struct pfpu_board_work {
    const struct pfpu_board_request *request;
    struct pfpu_board *board;
    struct base_arena *arena;
    struct base_arena *scratch;
    const struct base_diag_sink *sink;
    struct pfpu_compilation frame; /* its IR is of one block, unless on_cpu */
    struct pfpu_compilation vertex;
    struct pfpu_builder frame_builder;
    struct pfpu_builder vertex_builder;
    struct pfpu_selection frame_selection;
    struct pfpu_selection vertex_selection;
    struct pfpu_board_draft
        other;                   /* with fewer operations, if the one that was taken does not fit */
    struct pfpu_seen *seen;      /* by variable of the vertex scope */
    const int32_t *frame_stores; /* by variable, see pfpu_select_stores */
    const int32_t *vertex_stores;
    size_t shared; /* variables of the vertex scope when compilation began */
    bool has_frame;
    bool frame_on_cpu;
    bool plain;
};

/* board_text.c: equations to intermediate representation of one block. */
struct pfpu_compilation pfpu_board_start(const struct pfpu_board_work *work,
                                         struct pfpu_scope *scope,
                                         const struct base_source *source);
struct base_place pfpu_board_place(const struct pfpu_compilation *compilation, size_t offset);
enum pfpu_status pfpu_board_read_frame(struct pfpu_board_work *work);
enum pfpu_status pfpu_board_read_vertex(struct pfpu_board_work *work);

/* board_frame.c: the per-frame equations as the frame program, or left to the CPU. */
struct pfpu_selection pfpu_board_start_selection(struct pfpu_board_work *work,
                                                 const struct pfpu_ir *source);
void pfpu_board_open_frame(struct pfpu_board_work *work);
bool pfpu_board_frame_on_unit(const struct pfpu_board_work *work);
enum pfpu_status pfpu_board_make_frame(struct pfpu_board_work *work);
enum pfpu_status pfpu_board_make_frame_host(struct pfpu_board_work *work);
/* What a patch's author calls an operation. */
const char *pfpu_board_name_of(enum pfpu_op op);
/* What the per-frame equations leave in a variable of the frame scope. */
struct pfpu_seen pfpu_board_left_in(const struct pfpu_board_work *work, int variable);

/* board_vertex.c: the vertex program, and what the CPU computes for it. */
enum pfpu_status pfpu_board_make_vertex(struct pfpu_board_work *work);
void pfpu_board_take_draft(struct pfpu_board_work *work, const struct pfpu_board_draft *draft);
enum pfpu_status pfpu_board_make_cpu_part(struct pfpu_board_work *work);

#endif
