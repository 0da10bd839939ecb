#include "presets/history.h"

#include <string.h>

#include "presets/catalog.h"

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
