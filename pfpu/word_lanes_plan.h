/* A program for the coprocessor, taken apart by what its operations depend on. */
#ifndef PFPU_WORD_LANES_PLAN_H
#define PFPU_WORD_LANES_PLAN_H

#include "pfpu/word_kernels.h"
#include "pfpu/word_lanes.h"

enum {
    PFPU_WORD_LANES = 128, /* vertices at a time; few enough for all arrays to stay near */
    PFPU_VARIES_COLUMN = 1,
    PFPU_VARIES_ROW = 2,
    PFPU_VARIES_BOTH = 3, /* or from file to file */
};

struct pfpu_word_phase {
    struct pfpu_word_step *steps;
    size_t count;
};

/* A key that is read: into one group, or from each file into its lane. */
struct pfpu_word_load {
    size_t key;
    uint32_t *lanes;
};

/* What belongs to a column or a row, brought to the vertices of a chunk. */
struct pfpu_word_spread {
    unsigned varies;
    const uint32_t *words;
    uint32_t *lanes;
};

struct pfpu_word_set {
    size_t key;
    unsigned varies;
    const uint32_t *words;
};

struct pfpu_word_lanes {
    const struct pfpu_ir *ir;
    uint32_t columns; /* 0: for files */
    uint32_t rows;
    bool one_by_one;
    uint32_t *values;                                    /* of one vertex, if one by one */
    struct pfpu_word_phase phases[PFPU_VARIES_BOTH + 1]; /* by what their operations vary with */
    struct pfpu_word_load *loads;
    size_t load_count;
    struct pfpu_word_spread *spreads;
    size_t spread_count;
    struct pfpu_word_set *sets;
    size_t set_count;
    bool writes; /* has a VECTOUT */
    struct pfpu_word_operand vectout[2];
};

#endif
