/* What comes next: in order, by chance, or back through what was shown. */
#include "app/library_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void app_library_turns_free(struct app_library_turns *turns)
{
    preset_playlist_free(&turns->list);
    free(turns->numbers);
    free(turns->candidates);
    free(turns->room);
}

/* ---- what is played, as positions 0 to length - 1 ---- */

static size_t length_of(const struct app_library *library)
{
    return library->turns.listed ? library->turns.list.count : library->catalog.present;
}

static uint32_t number_at(const struct app_library *library, size_t position)
{
    return library->turns.listed ? library->turns.numbers[position]
                                 : library->catalog.listed[position];
}

static bool is_playable(const struct app_library *library, uint32_t number)
{
    return number < library->catalog.count &&
           preset_entry_playable(&library->catalog.entries[number]);
}

/* The position at or, in the list, behind `from` where the number stands; length_of: nowhere. */
static size_t position_from(const struct app_library *library, uint32_t number, size_t from)
{
    const struct app_library_turns *turns = &library->turns;
    for (size_t i = 0; i < turns->list.count; i++) {
        const size_t position = (from + i) % turns->list.count;
        if (turns->numbers[position] == number) {
            return position;
        }
    }
    return turns->list.count;
}

/* ---- in order ---- */

static size_t neighbour(const struct app_library *library, size_t position, int step)
{
    const size_t length = length_of(library);
    return (step > 0 ? position + 1 : position + length - 1) % length;
}

/* The first that can be shown, from a position on and around the end; length_of: none. */
static size_t playable_from(const struct app_library *library, size_t position, int step)
{
    const size_t length = length_of(library);
    for (size_t i = 0; i < length; i++) {
        if (is_playable(library, number_at(library, position))) {
            return position;
        }
        position = neighbour(library, position, step);
    }
    return length;
}

/* The position behind (before, if step is -1) the current one. */
static size_t next_position(const struct app_library *library, int step)
{
    const struct app_library_turns *turns = &library->turns;
    const size_t length = length_of(library);
    const uint32_t current = preset_history_current(&turns->history);
    if (turns->listed) {
        return turns->at < length ? neighbour(library, turns->at, step) : 0;
    }
    if (current == PRESET_NONE) {
        return 0;
    }
    const size_t at = preset_catalog_index(&library->catalog, current);
    const bool gone = at == length || library->catalog.listed[at] != current;
    return gone && step > 0 ? at % length : neighbour(library, at, step);
}

static uint32_t in_order(struct app_library *library, int steps)
{
    const int step = steps < 0 ? -1 : 1;
    const size_t length = length_of(library);
    size_t position = length > 0 ? next_position(library, step) : 0;
    position = playable_from(library, position, step);
    for (int i = step; i != steps && position < length; i += step) {
        position = playable_from(library, neighbour(library, position, step), step);
    }
    if (position == length) {
        return PRESET_NONE;
    }
    library->turns.at = position;
    return number_at(library, position);
}

/* ---- by chance ---- */

static bool make_room(struct app_library_turns *turns, size_t count)
{
    if (count <= turns->capacity) {
        return true;
    }
    struct preset_candidate *candidates =
        realloc(turns->candidates, count * sizeof *turns->candidates);
    if (candidates != NULL) {
        turns->candidates = candidates;
    }
    uint64_t *room = realloc(turns->room, count * sizeof *room);
    if (room != NULL) {
        turns->room = room;
    }
    if (candidates == NULL || room == NULL) {
        return false;
    }
    turns->capacity = count;
    return true;
}

/* Each preset once, however often it is listed. */
static size_t collect(struct app_library *library)
{
    struct app_library_turns *turns = &library->turns;
    struct preset_catalog *catalog = &library->catalog;
    const size_t length = length_of(library);
    size_t count = 0;
    if (length == 0 || !make_room(turns, length)) {
        return 0;
    }
    memset(catalog->ranks, 0, catalog->count);
    for (size_t i = 0; i < length; i++) {
        const uint32_t number = number_at(library, i);
        if (is_playable(library, number) && catalog->ranks[number] == 0) {
            const struct preset_entry *entry = &catalog->entries[number];
            catalog->ranks[number] = 1;
            turns->candidates[count++] = (struct preset_candidate){
                number, preset_choice_weight(preset_entry_stars(entry)), entry->shown};
        }
    }
    return count;
}

static uint32_t by_chance(struct app_library *library)
{
    struct app_library_turns *turns = &library->turns;
    const size_t count = collect(library);
    return count > 0
               ? turns
                     ->candidates[preset_choose(turns->candidates, count, turns->room, &turns->rng)]
                     .number
               : PRESET_NONE;
}

/* ---- history ---- */

/* Steps that are left when the history ends; what cannot be shown any more is no step. */
static int walk_history(struct app_library *library, int steps)
{
    struct preset_history *history = &library->turns.history;
    const bool forth = steps > 0;
    size_t shown = history->at;
    while (steps != 0 && preset_history_move(history, forth)) {
        if (is_playable(library, preset_history_current(history))) {
            shown = history->at;
            steps += forth ? -1 : 1;
        }
    }
    history->at = shown;
    return steps;
}

static void fill_choice(struct app_library *library, uint32_t number,
                        struct app_library_choice *choice)
{
    struct app_library_turns *turns = &library->turns;
    *choice = (struct app_library_choice){.number = number, .seconds = -1};
    (void)snprintf(choice->path, sizeof choice->path, "%s",
                   preset_catalog_path(&library->catalog, number));
    library->catalog.entries[number].shown = ++turns->turn;
    if (!turns->listed) {
        return;
    }
    const size_t from = turns->at < turns->list.count ? turns->at : 0;
    const size_t position = position_from(library, number, from);
    if (position < turns->list.count) {
        const struct preset_playlist_item *item = &turns->list.items[position];
        turns->at = position;
        choice->seconds = item->seconds;
        memcpy(choice->transition, item->transition, sizeof choice->transition);
    }
}

/* The new one when the history does not say. */
static uint32_t beyond_history(struct app_library *library, int steps)
{
    struct app_library_turns *turns = &library->turns;
    const uint32_t number = turns->random ? by_chance(library) : in_order(library, steps);
    if (number == PRESET_NONE) {
        return PRESET_NONE;
    }
    if (steps < 0) {
        preset_history_add_first(&turns->history, number);
    } else {
        preset_history_add(&turns->history, number);
    }
    return number;
}

static uint32_t step(struct app_library *library, int steps)
{
    enum { STEPS_MAX = 1000 };
    steps = steps > STEPS_MAX ? STEPS_MAX : steps < -STEPS_MAX ? -STEPS_MAX : steps;
    const uint32_t current = preset_history_current(&library->turns.history);
    if (steps == 0 && is_playable(library, current)) {
        return current;
    }
    const int left = walk_history(library, steps == 0 ? 1 : steps);
    return left != 0 ? beyond_history(library, left)
                     : preset_history_current(&library->turns.history);
}

bool app_library_step(struct app_library *library, int steps, struct app_library_choice *choice)
{
    (void)pthread_mutex_lock(&library->lock);
    const uint32_t number = step(library, steps);
    if (number != PRESET_NONE) {
        fill_choice(library, number, choice);
    }
    (void)pthread_mutex_unlock(&library->lock);
    return number != PRESET_NONE;
}

bool app_library_choose(struct app_library *library, uint32_t number,
                        struct app_library_choice *choice)
{
    (void)pthread_mutex_lock(&library->lock);
    const struct preset_entry *entry = app_library_at(library, number);
    const bool there = entry != NULL && !entry->gone;
    if (there) {
        preset_history_add(&library->turns.history, number);
        fill_choice(library, number, choice);
    }
    (void)pthread_mutex_unlock(&library->lock);
    return there;
}

uint32_t app_library_current(struct app_library *library)
{
    (void)pthread_mutex_lock(&library->lock);
    const uint32_t number = preset_history_current(&library->turns.history);
    (void)pthread_mutex_unlock(&library->lock);
    return number;
}

void app_library_random(struct app_library *library, bool random)
{
    (void)pthread_mutex_lock(&library->lock);
    library->turns.random = random;
    (void)pthread_mutex_unlock(&library->lock);
}
