/* Playlists and presets from files: the only functions of the engine that read any. */
#ifndef ENGINE_LOADING_H
#define ENGINE_LOADING_H

#include <stdbool.h>

#include "base/text.h"
#include "presets/library/order.h"
#include "renderer/picture/resources.h"
#include "renderer/renderer.h"

/* Reads a list. A transition that does not exist is reported and left out of its item. Returns 0,
 * or -1 with a message; *list is then empty. */
int engine_playlist_load(struct preset_playlist *list, const char *path,
                         const struct base_diag_sink *sink);

/* The item's file is there; if not, it is reported as left out. */
bool engine_playlist_holds(const char *path, const struct preset_playlist_item *item,
                           const struct base_diag_sink *sink);

/* A preset from a file to what can be drawn. */

enum { ENGINE_PRESET_NAME = 256 /* bytes, with the NUL; what is longer is cut */ };

/* Reads and compiles the preset: the text of the file `path`, or, if text.data is NULL, that file;
 * resources as in rend_patch_create. Stores its name (NULL: not wanted). NULL with a message if the
 * preset is refused or memory is short. Any thread. */
struct rend_patch *engine_patch_load(const char *path, struct base_span text,
                                     struct rend_resources *resources,
                                     char name[ENGINE_PRESET_NAME],
                                     const struct base_diag_sink *sink);

#endif
