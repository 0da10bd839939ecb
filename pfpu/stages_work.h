/* The inside of cutting a program into stages, for stages*.c only. */
#ifndef PFPU_STAGES_WORK_H
#define PFPU_STAGES_WORK_H

#include "pfpu/stages.h"

enum {
    PFPU_CUT_NEVER = -1, /* the stage that loads the registers: before all others */
    PFPU_CUT_COLUMN = 0, /* operation */
    PFPU_CUT_READY = -1, /* operand that stands ready from the start */
    PFPU_CUT_VERSIONS = PFPU_STAGES_MAX,
    PFPU_CUT_END = -1, /* of a way */
};

/* Where the limits do not count. */
enum pfpu_cut_fixed { PFPU_CUT_FREE, PFPU_CUT_FIRST, PFPU_CUT_LAST };

struct pfpu_cut_operation {
    int32_t operands[PFPU_CUT_OPERANDS];  /* operations, or PFPU_CUT_READY */
    int32_t distances[PFPU_CUT_OPERANDS]; /* from their commit to this */
    int32_t latency;
    int32_t end; /* cycles from the issue to the VECTOUT at least */
    int32_t group;
    int32_t ready; /* cycles from the start to the commit at least */
    enum pfpu_cut_fixed fixed;
    bool row_only; /* does not depend on the column */
};

/* The result of an operation, or a copy of it, as made in one of the stages. */
struct pfpu_cut_version {
    int32_t inner;  /* longest way within the stage */
    int32_t way;    /* longest way, through all stages */
    int32_t next;   /* version on it, or PFPU_CUT_END */
    int8_t through; /* operand of this operation that is made anew after it, or
                       PFPU_CUT_READY */
};

/* The stage in which an operation or the column is made. */
static inline int pfpu_cut_made_in(const struct pfpu_cutter *cutter, int32_t i)
{
    return i == PFPU_CUT_COLUMN ? PFPU_CUT_NEVER : cutter->stage[i];
}

/* The stage whose version of an operand is read. */
static inline int pfpu_cut_read_in(const struct pfpu_cutter *cutter,
                                   const struct pfpu_cut_places *places, int32_t user, int k)
{
    const int32_t value = cutter->operations[user].operands[k];
    const int made = pfpu_cut_made_in(cutter, value);
    const int used = cutter->stage[user];
    if (value != PFPU_CUT_COLUMN && cutter->steady[value]) {
        return made;
    }
    if (cutter->operations[user].end == 0 ||
        (places->own != NULL && places->own[user * PFPU_CUT_OPERANDS + k])) {
        return used;
    }
    return used > made ? used - 1 : made;
}

/* Gives each operation its stage. */
void pfpu_cut_assign(const struct pfpu_cutter *cutter, const struct pfpu_cut_places *places);

/* Finds the last stage in which each result is needed; returns how many copies that makes. */
int32_t pfpu_cut_copies(const struct pfpu_cutter *cutter, const struct pfpu_cut_places *places);

#endif
