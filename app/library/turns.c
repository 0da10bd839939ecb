/* Which preset comes next: in order, by chance, or back through those that were shown. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/library/inside.h"
#include "app/loading/loading.h"
#include "engine/loading.h"
#include "base/os/file.h"

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

/* Whether it may come by itself. */
static bool is_wanted(const struct app_library *library, uint32_t number)
{
    const struct app_library_turns *turns = &library->turns;
    return is_playable(library, number) &&
           (!turns->limited || preset_query_fits(&library->catalog, &turns->limit, number));
}

bool app_library_limit(struct app_library *library, const char *query)
{
    struct preset_query words;
    preset_query_read(&words, query != NULL ? query : "");
    (void)pthread_mutex_lock(&library->lock);
    bool any = words.count == 0 || library->scanning;
    for (size_t i = 0; i < length_of(library) && !any; i++) {
        const uint32_t number = number_at(library, i);
        any = is_playable(library, number) && preset_query_fits(&library->catalog, &words, number);
    }
    if (any) {
        library->turns.limited = words.count > 0;
        preset_query_read(&library->turns.limit, query != NULL ? query : "");
    }
    (void)pthread_mutex_unlock(&library->lock);
    return any;
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
        if (is_wanted(library, number_at(library, position))) {
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
        if (number < catalog->count && catalog->ranks[number] == 0 && is_wanted(library, number)) {
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

static void fill_choice(struct app_library *library, uint32_t number, struct engine_choice *choice)
{
    struct app_library_turns *turns = &library->turns;
    *choice = (struct engine_choice){.number = number, .seconds = -1};
    (void)snprintf(choice->path, sizeof choice->path, "%s",
                   preset_catalog_path(&library->catalog, number));
    choice->unnamed = library->catalog.entries[number].unnamed;
    library->catalog.entries[number].shown = ++turns->turn;
    if (!turns->listed) {
        return;
    }
    const size_t from = turns->at < turns->list.count ? turns->at : 0;
    for (size_t i = 0; i < turns->list.count; i++) {
        /* Where the number stands at or behind the current one. */
        const size_t position = (from + i) % turns->list.count;
        const struct preset_playlist_item *item = &turns->list.items[position];
        if (turns->numbers[position] == number) {
            turns->at = position;
            choice->seconds = item->seconds;
            memcpy(choice->transition, item->transition, sizeof choice->transition);
            return;
        }
    }
}

static uint32_t step(struct app_library *library, int steps)
{
    enum { STEPS_MAX = 1000 };
    struct app_library_turns *turns = &library->turns;
    steps = steps > STEPS_MAX ? STEPS_MAX : steps < -STEPS_MAX ? -STEPS_MAX : steps;
    const uint32_t current = preset_history_current(&turns->history);
    if (steps == 0 && is_playable(library, current)) {
        return current;
    }
    const int left = walk_history(library, steps == 0 ? 1 : steps);
    if (left == 0) {
        return preset_history_current(&turns->history);
    }
    const uint32_t number = turns->random ? by_chance(library) : in_order(library, left);
    if (number != PRESET_NONE && left < 0) {
        preset_history_add_first(&turns->history, number);
    } else if (number != PRESET_NONE) {
        preset_history_add(&turns->history, number);
    }
    return number;
}

bool app_library_step(struct app_library *library, int steps, struct engine_choice *choice)
{
    (void)pthread_mutex_lock(&library->lock);
    const uint32_t number = step(library, steps);
    if (number != PRESET_NONE) {
        fill_choice(library, number, choice);
    }
    (void)pthread_mutex_unlock(&library->lock);
    return number != PRESET_NONE;
}

bool app_library_choose(struct app_library *library, uint32_t number, struct engine_choice *choice)
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

/* Playlists: those that were named, and those of the data folder. */

static const char *const endings[] = {"", ".txt", ".m3u", ".m3u8", ".yaml", ".yml"};
enum { ENDINGS = sizeof endings / sizeof *endings, NAME_MAX_BYTES = 200 };

static void report(const struct base_diag_sink *sink, enum base_severity severity, const char *path,
                   const char *what)
{
    base_report(sink, severity, (struct base_place){.file = path}, NULL, "%s", what);
}

/* ---- reading ---- */

/* The presets of a list in the catalogue. */
struct found {
    uint32_t *numbers; /* by item; PRESET_NONE: not there */
    size_t count;      /* of those that are there */
};

/* False without memory. */
static bool find_items(struct app_library *library, const char *path, uint32_t root,
                       const struct preset_playlist *list, struct found *found,
                       const struct base_diag_sink *sink)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash != NULL ? (size_t)(slash + 1 - path) : 0;
    found->count = 0;
    found->numbers = calloc(list->count + 1, sizeof *found->numbers);
    for (size_t i = 0; found->numbers != NULL && i < list->count; i++) {
        const struct preset_playlist_item *item = &list->items[i];
        const size_t shown = strncmp(item->path, path, folder) == 0 ? folder : 0;
        const struct preset_position position = {item->path, shown, root, (uint32_t)i + 1};
        found->numbers[i] = PRESET_NONE;
        if (engine_playlist_holds(path, item, sink)) {
            struct stat facts;
            if (stat(item->path, &facts) == 0) {
                (void)pthread_mutex_lock(&library->lock);
                found->numbers[i] = app_library_note(library, &position, &facts);
                (void)pthread_mutex_unlock(&library->lock);
            }
        }
        found->count += found->numbers[i] != PRESET_NONE;
    }
    return found->numbers != NULL;
}

/* Takes over the list and its numbers. With `from` < SIZE_MAX it is the one that is played,
 * changed: it goes on where it was, and its item `from` now is at `to`. */
static void play_list(struct app_library *library, struct preset_playlist *list,
                      struct found *found, size_t from, size_t to)
{
    struct app_library_turns *turns = &library->turns;
    (void)pthread_mutex_lock(&library->lock);
    size_t at = SIZE_MAX;
    if (from != SIZE_MAX && turns->at < turns->list.count) {
        at = turns->at == from ? to : turns->at - (turns->at > from);
        at += turns->at != from && to <= at;
        /* Out of the list: what came after it is the next. */
        at = at != APP_LIBRARY_OUT ? at : from > 0 ? from - 1 : SIZE_MAX;
    }
    preset_playlist_free(&turns->list);
    free(turns->numbers);
    turns->list = *list;
    turns->numbers = found->numbers;
    turns->listed = found->numbers != NULL;
    turns->at = at;
    app_library_changed(library);
    (void)pthread_mutex_unlock(&library->lock);
}

struct use {
    uint32_t root;
    bool play;
    size_t from; /* as of play_list */
    size_t to;
};

static int use_list(struct app_library *library, const char *path, const struct use *use,
                    const struct base_diag_sink *sink)
{
    struct preset_playlist list;
    struct found found = {0};
    if (engine_playlist_load(&list, path, sink) != 0) {
        return -1;
    }
    if (!find_items(library, path, use->root, &list, &found, sink)) {
        report(sink, BASE_ERROR, path, "not enough memory");
    } else if (found.count == 0) {
        report(sink, BASE_ERROR, path, "no preset of this list can be found");
    } else if (use->play) {
        play_list(library, &list, &found, use->from, use->to);
        app_library_watch_wake(library->watch);
        return 0;
    }
    const bool any = found.count > 0;
    free(found.numbers);
    preset_playlist_free(&list);
    return any ? 0 : -1;
}

void app_library_find_list(struct app_library *library, uint32_t root,
                           const struct base_diag_sink *sink)
{
    struct app_library_root *named = &library->roots[root];
    const bool first = !named->polled;
    named->polled = true;
    const struct use use = {root, first && library->root_count == 1, SIZE_MAX, 0};
    (void)use_list(library, named->path, &use, sink);
}

/* ---- those of the data folder ---- */

static bool is_name(const char *name)
{
    const size_t size = strlen(name);
    if (size == 0 || size > NAME_MAX_BYTES || name[0] == '.') {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        if (name[i] == '/' || (unsigned char)name[i] < 0x20) {
            return false;
        }
    }
    return true;
}

/* The path of a list of the data folder, with the ending that it has. False: there is none. */
static bool find_own(const struct app_library *library, const char *name, char *path)
{
    for (size_t i = 0; is_name(name) && i < ENDINGS; i++) {
        char file[NAME_MAX_BYTES + 32];
        (void)snprintf(file, sizeof file, "playlists/%s%s", name, endings[i]);
        if (preset_is_playlist(file) && app_library_join(path, library->data, file) &&
            access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

int app_library_playlist(struct app_library *library, const char *name,
                         const struct base_diag_sink *sink)
{
    char path[APP_LIBRARY_PATH];
    if (name == NULL) {
        struct preset_playlist none = {0};
        struct found nothing = {0};
        play_list(library, &none, &nothing, SIZE_MAX, 0);
        return 0;
    }
    const struct use use = {UINT32_MAX, true, SIZE_MAX, 0};
    return use_list(library, find_own(library, name, path) ? path : name, &use, sink);
}

bool app_library_item(struct app_library *library, size_t at, struct app_library_item *item)
{
    (void)pthread_mutex_lock(&library->lock);
    const struct app_library_turns *turns = &library->turns;
    const bool there = turns->listed && at < turns->list.count;
    if (there) {
        const struct preset_playlist_item *from = &turns->list.items[at];
        *item = (struct app_library_item){.seconds = from->seconds, .current = at == turns->at};
        (void)snprintf(item->path, sizeof item->path, "%s", from->path);
        memcpy(item->transition, from->transition, sizeof item->transition);
    }
    (void)pthread_mutex_unlock(&library->lock);
    return there;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

size_t app_library_playlists(struct app_library *library, char (*names)[256], size_t most)
{
    char path[APP_LIBRARY_PATH];
    DIR *folder = app_library_join(path, library->data, "playlists") ? opendir(path) : NULL;
    if (folder == NULL) {
        return 0;
    }
    size_t count = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const char *point = strrchr(entry->d_name, '.');
        if (point == NULL || !is_name(entry->d_name) || !preset_is_playlist(entry->d_name)) {
            continue;
        }
        if (count < most) {
            /* Without the ending. */
            (void)snprintf(names[count], sizeof names[count], "%.*s", (int)(point - entry->d_name),
                           entry->d_name);
        }
        count++;
    }
    (void)closedir(folder);
    const size_t written = count < most ? count : most;
    if (written > 1) {
        qsort(names, written, sizeof *names, compare_names);
    }
    return count;
}

/* What is to become of a list's file. */
struct edit {
    const char *preset; /* it is put behind the others; NULL: */
    size_t from;        /* the item here moves */
    size_t to;
};

static int change_locked(const char *path, const struct edit *edit,
                         const struct base_diag_sink *sink)
{
    size_t size = 0;
    char *old = base_file_read(path, PRESET_PLAYLIST_TEXT + 1, &size, NULL);
    if (old == NULL && (edit->preset == NULL || (errno != ENOENT && errno != ENOTDIR))) {
        report(sink, BASE_ERROR, path, strerror(errno));
        return -1;
    }
    const struct base_span before = {old != NULL ? old : "", size};
    char *text = edit->preset != NULL
                     ? preset_playlist_extend(path, before, edit->preset, sink)
                     : preset_playlist_move(path, before, edit->from, edit->to, sink);
    free(old);
    int result = -1;
    if (text != NULL) {
        result = base_file_save(path, text, strlen(text));
        if (result != 0) {
            report(sink, BASE_ERROR, path, strerror(errno));
        }
        free(text);
    }
    return result;
}

/* Others may change it too, one after the other. */
static int change_list(const struct app_library *library, const char *path, const struct edit *edit,
                       const struct base_diag_sink *sink)
{
    static const double lock_seconds = 1;
    char folder[APP_LIBRARY_PATH];
    if (app_library_join(folder, library->data, "playlists")) {
        (void)base_folder_make(folder);
    }
    const int lock = base_file_lock(path, lock_seconds);
    const int result = change_locked(path, edit, sink);
    base_file_unlock(lock);
    return result;
}

int app_library_playlist_again(struct app_library *library, const char *name,
                               const struct base_diag_sink *sink)
{
    char path[APP_LIBRARY_PATH];
    const struct use use = {UINT32_MAX, true, 0, 0};
    return find_own(library, name, path) ? use_list(library, path, &use, sink) : -1;
}

int app_library_playlist_move(struct app_library *library, const char *name, bool played,
                              size_t from, size_t to, const struct base_diag_sink *sink)
{
    char path[APP_LIBRARY_PATH];
    const struct edit edit = {.from = from, .to = to};
    const struct use use = {UINT32_MAX, true, from, to};
    if (!find_own(library, name, path)) {
        report(sink, BASE_ERROR, name, "there is no such playlist of yours");
        return -1;
    }
    if (change_list(library, path, &edit, sink) != 0) {
        return -1;
    }
    return played ? use_list(library, path, &use, sink) : 0;
}

int app_library_playlist_add(struct app_library *library, const char *name, uint32_t number,
                             const struct base_diag_sink *sink)
{
    char path[APP_LIBRARY_PATH];
    char file[NAME_MAX_BYTES + 32];
    struct app_library_entry entry;
    if (library->data == NULL || !is_name(name) || !app_library_entry(library, number, &entry)) {
        report(sink, BASE_ERROR, name, "there can be no such playlist");
        return -1;
    }
    if (!find_own(library, name, path)) {
        (void)snprintf(file, sizeof file, "playlists/%s%s", name,
                       preset_is_playlist(name) ? "" : ".txt");
        if (!app_library_join(path, library->data, file)) {
            report(sink, BASE_ERROR, name, "the path is too long");
            return -1;
        }
    }
    char here[APP_LIBRARY_PATH];
    char whole[APP_LIBRARY_PATH];
    const bool relative = entry.path[0] != '/' && getcwd(here, sizeof here) != NULL &&
                          app_library_join(whole, here, entry.path);
    const struct edit edit = {.preset = relative ? whole : entry.path};
    return change_list(library, path, &edit, sink);
}
