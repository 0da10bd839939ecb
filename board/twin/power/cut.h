/* The power that goes while something is being stored: a model of what a memory then holds. */
#ifndef BOARD_TWIN_POWER_CUT_H
#define BOARD_TWIN_POWER_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What becomes of the block that is being written. */
enum board_twin_cut_kind {
    BOARD_TWIN_CUT_BEFORE,  /* it is as it was */
    BOARD_TWIN_CUT_HALF,    /* its first half is new */
    BOARD_TWIN_CUT_GARBAGE, /* it holds neither */
    BOARD_TWIN_CUT_AFTER,   /* it is new */
    BOARD_TWIN_CUT_KINDS
};

extern const char *const board_twin_cut_names[BOARD_TWIN_CUT_KINDS];

/* Plain data. */
struct board_twin_cut {
    uint32_t in; /* the power goes at the in-th write from here; 0: it stays */
    enum board_twin_cut_kind kind;
    bool gone;       /* it has gone: nothing is stored any more */
    uint32_t writes; /* so far */
};

/* Counts a write. True if it may be stored; not if the power has gone, or goes with it. */
bool board_twin_cut_count(struct board_twin_cut *cut);

/* Counts a write, and stores `fresh` over `bytes`, both of `size` bytes, or what the cut leaves of
 * it. */
void board_twin_cut_write(struct board_twin_cut *cut, uint8_t *bytes, const uint8_t *fresh,
                          size_t size);

#endif
