/* Choice by chance: what is rated better comes more often, and none comes again before half of the
 * others were shown. Pure. */
#ifndef PRESETS_CHOICE_H
#define PRESETS_CHOICE_H

#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

struct preset_candidate {
    uint32_t number;
    uint32_t weight; /* preset_choice_weight */
    uint64_t shown;  /* number of the turn in which it was shown last; 0: never */
};

/* 1 + stars squared. */
uint32_t preset_choice_weight(int stars);

/* Index of the chosen one. count > 0; room: as many numbers. The same candidates and the same state
 * of rng give the same choice. */
size_t preset_choose(const struct preset_candidate *candidates, size_t count, uint64_t *room,
                     struct base_rng *rng);

#endif
