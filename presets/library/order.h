/* The order in which presets are shown: as a playlist says, or by chance, with a history to go back
 * in. */
#ifndef PRESETS_LIBRARY_ORDER_H
#define PRESETS_LIBRARY_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "base/text.h"

/* Playlists as plain data. Plain text (also .m3u): a path on each line, # begins a comment. YAML: a
 * list of paths, or of maps with `preset`, `seconds` and `transition`. */

enum {
    PRESET_PLAYLIST_MAX = 100000,           /* presets */
    PRESET_PLAYLIST_TEXT = 8 * 1024 * 1024, /* bytes of the file */
    PRESET_PLAYLIST_SECONDS = 24 * 3600,
};

struct preset_playlist_item {
    char *path;          /* relative ones begin with the list's folder */
    double seconds;      /* below 0: the list does not say */
    char transition[32]; /* any word; empty: the list does not say */
    uint32_t line;       /* of the path in the list, from 1 */
    uint32_t column;
};

struct preset_playlist {
    struct preset_playlist_item *items;
    size_t count;
    size_t capacity;
};

/* By its ending: .txt, .m3u, .m3u8, .yaml, .yml. */
bool preset_is_playlist(const char *path);

/* Reads a list held in memory. path: for messages, for the kind of list and for its folder. Returns
 * 0 and a list to be freed, or -1 with a message (file:line:column); *list is then empty. Files are
 * not looked at. */
int preset_playlist_read(struct preset_playlist *list, const char *path, struct base_span text,
                         const struct base_diag_sink *sink);
void preset_playlist_free(struct preset_playlist *list);

/* The text of the list at `path` with one more preset behind the others, malloc'ed, NUL-terminated.
 * NULL with a message if the preset's path cannot be written in a list, the list cannot be read or
 * takes no more, or memory is short. */
char *preset_playlist_extend(const char *path, struct base_span text, const char *preset,
                             const struct base_diag_sink *sink);

/* The text of the list at `path` with the preset that is `from` (0: the first) moved to the place
 * `to`, or taken out where that is PRESET_PLAYLIST_OUT; with what is said of it and the comments
 * that belong to it. malloc'ed, NUL-terminated. NULL with a message if the list cannot be read or
 * changed so, or memory is short. */
enum { PRESET_PLAYLIST_OUT = PRESET_PLAYLIST_MAX };
char *preset_playlist_move(const char *path, struct base_span text, size_t from, size_t to,
                           const struct base_diag_sink *sink);

/* Choice by chance: what is rated better comes more often, and none comes again before half of the
 * others were shown. Pure. */

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
