/* Playlists from files. */
#ifndef APP_PLAYLIST_FILE_H
#define APP_PLAYLIST_FILE_H

#include "presets/playlist.h"

/* Reads a list. A transition that does not exist is reported and left out of its item. Returns 0,
 * or -1 with a message; *list is then empty. */
int app_playlist_load(struct preset_playlist *list, const char *path,
                      const struct base_diag_sink *sink);

/* The item's file is there; if not, it is reported as left out. */
bool app_playlist_holds(const char *path, const struct preset_playlist_item *item,
                        const struct base_diag_sink *sink);

#endif
