/* What was shown, and where in it one stands: back and forth as in a book, a new one ends what lay
 * ahead. Plain data; zero-initialise. */
#ifndef PRESETS_HISTORY_H
#define PRESETS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PRESET_HISTORY = 512 }; /* the oldest are forgotten */

struct preset_history {
    uint32_t numbers[PRESET_HISTORY];
    size_t count;
    size_t at; /* of the current one; meaningless while count is 0 */
};

/* PRESET_NONE: nothing was shown yet. */
uint32_t preset_history_current(const struct preset_history *history);

/* Behind the current one, as the current one; nothing happens if it is that already. */
void preset_history_add(struct preset_history *history, uint32_t number);

/* Before all others, as the current one; a full history forgets its newest. */
void preset_history_add_first(struct preset_history *history, uint32_t number);

/* One back or forth; false at the end. */
bool preset_history_move(struct preset_history *history, bool forth);

#endif
