/* Choice by chance: what is rated better comes more often, and none comes again before half of the
 * others were shown. Pure. */
#ifndef PRESETS_LIBRARY_CHOICE_H
#define PRESETS_LIBRARY_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

struct preset_candidate {
    uint32_t number;
    uint32_t weight; /* preset_choice_weight */
    uint64_t shown;  /* number of the turn in which it was shown last; 0: never */
};

/* The weight of a rating: 1 + stars squared. */
uint32_t preset_choice_weight(int stars);

/* Index of the chosen one. count > 0; room: as many numbers. The same candidates and the same state
 * of rng give the same choice. */
size_t preset_choose(const struct preset_candidate *candidates, size_t count, uint64_t *room,
                     struct base_rng *rng);

/* The presets that were shown, and the current one among them. One moves back and forth; a new
 * preset ends the part that lay ahead. Plain data; zero-initialise. */

enum { PRESET_HISTORY = 512 }; /* the oldest are forgotten */

struct preset_history {
    uint32_t numbers[PRESET_HISTORY];
    size_t count;
    size_t at; /* of the current one; meaningless while count is 0 */
};

/* PRESET_NONE: nothing was shown yet. */
uint32_t preset_history_current(const struct preset_history *history);

/* Puts a preset behind the current one and makes it current, unless it is so already. */
void preset_history_add(struct preset_history *history, uint32_t number);

/* Puts a preset before all others and makes it current; a full history forgets its newest. */
void preset_history_add_first(struct preset_history *history, uint32_t number);

/* Moves one back or forth; false at the end. */
bool preset_history_move(struct preset_history *history, bool forth);

#endif
