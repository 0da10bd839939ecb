/* Playlists as plain data. Plain text (also .m3u): a path on each line, # begins a comment. YAML: a
 * list of paths, or of maps with `preset`, `seconds` and `transition`. */
#ifndef PRESETS_LIBRARY_PLAYLIST_H
#define PRESETS_LIBRARY_PLAYLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/text.h"

enum {
    PRESET_PLAYLIST_MAX = 100000,           /* presets */
    PRESET_PLAYLIST_TEXT = 8 * 1024 * 1024, /* bytes of the file */
    PRESET_PLAYLIST_SECONDS = 24 * 3600,
};

struct preset_playlist_item {
    char *path;          /* relative ones begin with the list's folder */
    double seconds;      /* below 0: the list does not say */
    char transition[32]; /* empty: likewise; any word */
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

#endif
