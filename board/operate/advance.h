/* When a patch gives way by itself, and to which one. Pure: times are milliseconds that the caller
 * counts, which may wrap. */
#ifndef BOARD_OPERATE_ADVANCE_H
#define BOARD_OPERATE_ADVANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"

enum { BOARD_ADVANCE_PATCHES = 1024 /* of which it remembers something */ };

struct board_advance {
    struct base_rng rng;
    uint32_t shown_at; /* time at which the patch was shown, and beats by then */
    uint32_t beats_then;
    uint32_t seen[BOARD_ADVANCE_PATCHES / 32]; /* bits: since all were */
    uint32_t refused[BOARD_ADVANCE_PATCHES / 32];
};

void board_advance_begin(struct board_advance *advance);

/* What comes at random depends on this number from now on, besides. */
void board_advance_stir(struct board_advance *advance, uint64_t number);

/* A patch is shown from now on, however it was chosen. beats: of all time. */
void board_advance_shown(struct board_advance *advance, int32_t number, uint32_t beats,
                         uint32_t now);

/* The patch cannot be shown: it is passed over until the list changes. */
void board_advance_refuse(struct board_advance *advance, int32_t number);

/* Other patches have these numbers now, the one that is shown this one; -1: none. */
void board_advance_forget(struct board_advance *advance, int32_t shown);

/* The patch behind `current` of `count`; at random one that has not been shown since all others
 * were. -1: there is no other one. */
int32_t board_advance_choose(struct board_advance *advance, int32_t current, int32_t count,
                             bool at_random);

/* Whether the patch has been shown for so many seconds, or beats; 0: for ever. */
bool board_advance_is_due(const struct board_advance *advance, int32_t seconds, int32_t beats,
                          uint32_t beats_now, uint32_t now);

#endif
