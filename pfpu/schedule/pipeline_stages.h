/* Cuts a program into stages that work on successive vertices (spec/pfpu.md section 10). */
#ifndef PFPU_SCHEDULE_PIPELINE_STAGES_H
#define PFPU_SCHEDULE_PIPELINE_STAGES_H

#include "pfpu/schedule/graph.h"
#include "pfpu/schedule/schedule.h"

struct pfpu_cut_operation;
struct pfpu_cut_version;

/* What every cut of one program starts from, and the room for judging cuts: by
 * operation, in program order. Operation 0 stands for the column. */
struct pfpu_cutter {
    const struct pfpu_target *target;
    const struct pfpu_ir *ir; /* legalised, one block, without SETs */
    struct pfpu_cut_operation *operations;
    int32_t count;          /* of operations, the column included */
    int32_t *operation_of;  /* by value; PFPU_NO_VALUE: stands ready from the start */
    uint32_t critical_path; /* the earliest word of the VECTOUT */
    uint32_t slots;         /* operations without the column */
    int32_t results;        /* of them, those that have one */
    int32_t latencies;      /* added */
    int32_t group_count;
    int32_t *start; /* earliest and latest cycle, added */
    uint8_t *stage; /* as the last cut has it, like all that follows */
    bool *steady;
    uint8_t *group_stage;
    bool *group_moves;                 /* not all members depend on the row only */
    int8_t *last;                      /* the last stage that needs a copy, or the first one */
    struct pfpu_cut_version *versions; /* by operation and stage */
};

/* A program cut into stages, with the copies that this takes. */
struct pfpu_cut {
    struct pfpu_ir ir;
    struct pfpu_stages stages;
    struct pfpu_block scheduled; /* the part of ir that takes slots; values that are there before
                                    the program runs come first */
};

/* Where to cut. */
struct pfpu_cut_places {
    uint32_t stages;                     /* 2..PFPU_STAGES_MAX */
    int32_t limits[PFPU_STAGES_MAX - 1]; /* of start, rising: at a limit the next stage begins */
    const bool *own;                     /* by use, PFPU_CUT_OPERANDS * operation + operand: reads a
                                            copy made in its   own stage; NULL: none */
};

enum { PFPU_CUT_OPERANDS = 3 };

/* What a cut promises. */
struct pfpu_cut_outlook {
    uint32_t hope;    /* the fewest cycles that a run could take if stages never had
                         to wait */
    uint32_t bound;   /* the fewest cycles that it could take */
    uint32_t paths;   /* the longest ways of all operations, added */
    int32_t critical; /* version from which the longest way starts */
};

/* False without memory. */
bool pfpu_cutter_init(struct pfpu_cutter *cutter, const struct pfpu_target *target,
                      const struct pfpu_ir *ir, struct base_arena *scratch);

/* Works the cut out in the cutter's room, unless its operations alone take more
 * than `most` cycles; hope and bound are then UINT32_MAX. */
struct pfpu_cut_outlook pfpu_cut_judge(struct pfpu_cutter *cutter,
                                       const struct pfpu_cut_places *places, uint32_t most);

/* The same for the places that were judged last, with other copies. */
struct pfpu_cut_outlook pfpu_cut_judge_again(struct pfpu_cutter *cutter,
                                             const struct pfpu_cut_places *places);

/* Flags a use on the longest way of the cut that was judged last, one that
 * makes one stage wait for another, for the next cut at the same places. False
 * if there is none left. */
bool pfpu_cut_relieve(const struct pfpu_cutter *cutter, const struct pfpu_cut_outlook *outlook,
                      bool *own);

/* Makes the program. False without memory. */
bool pfpu_cut_at(struct pfpu_cutter *cutter, const struct pfpu_cut_places *places,
                 struct base_arena *scratch, struct pfpu_cut *cut);

#endif
