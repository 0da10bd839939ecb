/* From options and files to presets: which ones a window plays, playlists, patches, pictures. */
#ifndef APP_LOADING_LOADING_H
#define APP_LOADING_LOADING_H

#include <stdatomic.h>

#include "app/options/options.h"
#include "base/text.h"
#include "presets/library/find.h"
#include "presets/library/order.h"
#include "renderer/picture/resources.h"
#include "renderer/renderer.h"

/* Which presets a window plays. */

enum { APP_PLAY_PATH_MAX = 4096 };

/* Fills the list from the inputs. With none, from the first of these that exists: the folder that
 * the environment variable FROTH_PRESETS names, ../share/froth/presets beside the program, the
 * presets of the source tree; its path then goes to `folder`, which is empty otherwise. Returns 0,
 * or -1 with a message if there is no preset. */
int app_play_inputs(struct preset_list *list, const struct app_options *options,
                    char folder[static APP_PLAY_PATH_MAX], const struct base_diag_sink *sink);

/* What the library of a window is made of. */
struct app_play_paths {
    const char *const *paths;
    size_t count;
    char shipped[APP_PLAY_PATH_MAX]; /* empty where the inputs say what is played */
    char own[APP_PLAY_PATH_MAX];     /* presets that were saved */
    const char *usual[2];
};

/* The inputs as they are; with none, the presets that come with froth (see above) and those among
 * the user's data. *paths must not move. Returns 0, or -1 with a message. */
int app_play_paths_of(struct app_play_paths *paths, const struct app_options *options,
                      const struct base_diag_sink *sink);

/* Playlists from files. */

/* Reads a list. A transition that does not exist is reported and left out of its item. Returns 0,
 * or -1 with a message; *list is then empty. */
int app_playlist_load(struct preset_playlist *list, const char *path,
                      const struct base_diag_sink *sink);

/* The item's file is there; if not, it is reported as left out. */
bool app_playlist_holds(const char *path, const struct preset_playlist_item *item,
                        const struct base_diag_sink *sink);

/* A preset from a file to what can be drawn. */

enum { APP_PRESET_NAME = 256 /* bytes, with the NUL; what is longer is cut */ };

/* Reads and compiles the preset: the text of the file `path`, or, if text.data is NULL, that file;
 * resources as in rend_patch_create. Stores its name (NULL: not wanted). NULL with a message if the
 * preset is refused or memory is short. Any thread. */
struct rend_patch *app_patch_load(const char *path, struct base_span text,
                                  struct rend_resources *resources, char name[APP_PRESET_NAME],
                                  const struct base_diag_sink *sink);

/* What the presets of a run share, with pictures from folders. */

/* Where pictures are looked for first, and until when: once another thread has set *stop, none is
 * waited for any more, and stand-ins take their places. */
struct app_textures {
    const char *folder;      /* NULL: froth's own folder of textures, under XDG_DATA_HOME */
    const atomic_bool *stop; /* NULL: nobody stops it */
};

/* Pictures are looked for in that folder, then beside the preset, in `textures` beside it and one
 * folder higher. textures: must outlive what is made; NULL: as with NULL in it. Which ones stand
 * for "rand00" to "rand15" depends on the preset's file name, on the slot and on `seed`. memory:
 * bytes that each preset may take. NULL without memory. */
struct rend_resources *app_resources_create(const struct app_textures *textures, uint64_t seed,
                                            size_t memory);

/* Where a picture of that name is; as rend_pictures.find, with struct app_textures as user. */
bool app_resources_find(void *textures, const struct rend_picture_request *request, char *path,
                        size_t size);

/* Counting the errors that somebody reports. */

struct app_errors {
    const struct base_diag_sink *next; /* where the messages go; NULL: nowhere */
    size_t count;
};

/* errors must outlive the sink. One thread. */
struct base_diag_sink app_errors_sink(struct app_errors *errors);

#endif
