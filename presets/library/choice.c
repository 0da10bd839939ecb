#include "presets/library/choice.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "presets/library/catalog.h"

uint32_t preset_choice_weight(int stars)
{
    return 1 + (uint32_t)(stars * stars);
}

static int newest_first(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;
    return (left < right) - (left > right);
}

/* Whoever was shown in this turn or later has to wait: as many as are half of the others. */
static uint64_t first_waiting(const struct preset_candidate *candidates, size_t count,
                              uint64_t *room)
{
    const size_t waiting = count / 2;
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        if (candidates[i].shown > 0) {
            room[shown++] = candidates[i].shown;
        }
    }
    if (waiting == 0) {
        return UINT64_MAX;
    }
    if (shown <= waiting) {
        return 1;
    }
    qsort(room, shown, sizeof *room, newest_first);
    return room[waiting - 1];
}

size_t preset_choose(const struct preset_candidate *candidates, size_t count, uint64_t *room,
                     struct base_rng *rng)
{
    assert(count > 0);
    const uint64_t limit = first_waiting(candidates, count, room);
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        total += candidates[i].shown < limit ? candidates[i].weight : 0;
    }
    const uint64_t high = base_rng_next(rng);
    const uint64_t drawn = (high << 32 | base_rng_next(rng)) % (total > 0 ? total : 1);
    uint64_t passed = 0;
    for (size_t i = 0; i < count; i++) {
        passed += candidates[i].shown < limit ? candidates[i].weight : 0;
        if (drawn < passed) {
            return i;
        }
    }
    return 0;
}

uint32_t preset_history_current(const struct preset_history *history)
{
    return history->count > 0 ? history->numbers[history->at] : PRESET_NONE;
}

void preset_history_add(struct preset_history *history, uint32_t number)
{
    if (history->count == 0) {
        history->numbers[history->count++] = number;
        return;
    }
    if (history->numbers[history->at] == number) {
        return;
    }
    history->count = history->at + 1;
    if (history->count == PRESET_HISTORY) {
        history->count--;
        memmove(history->numbers, history->numbers + 1, history->count * sizeof number);
    }
    history->at = history->count;
    history->numbers[history->count++] = number;
}

void preset_history_add_first(struct preset_history *history, uint32_t number)
{
    history->count -= history->count == PRESET_HISTORY;
    memmove(history->numbers + 1, history->numbers, history->count * sizeof number);
    history->numbers[0] = number;
    history->count++;
    history->at = 0;
}

bool preset_history_move(struct preset_history *history, bool forth)
{
    if (history->count == 0 || history->at == (forth ? history->count - 1 : 0)) {
        return false;
    }
    history->at = forth ? history->at + 1 : history->at - 1;
    return true;
}
