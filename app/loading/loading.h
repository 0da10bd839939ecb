/* From options and files to a show: which presets a window plays, its values, pictures. */
#ifndef APP_LOADING_LOADING_H
#define APP_LOADING_LOADING_H

#include <stdatomic.h>

#include "app/options/options.h"
#include "base/text.h"
#include "engine/course.h"
#include "engine/embed/froth.h"
#include "presets/library/find.h"
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

/* Returns 0, or -1 with a message where an input is a file of sound, by its name. */
int app_refuse_sounds(const struct app_options *options, const struct base_diag_sink *sink);

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

/* What an instance of the library is made with: size, rates, mesh, seed, and so on; live. */
struct froth_config app_show_config(const struct app_options *options, struct app_size size);

/* What the presets of a run share, with pictures from folders. */

/* Where pictures are looked for first, and until when: once another thread has set *stop, none is
 * waited for any more, and stand-ins take their places. */
struct app_textures {
    const char *folder;      /* NULL: froth's own folder of textures, under XDG_DATA_HOME */
    const atomic_bool *stop; /* NULL: nobody stops it */
};

/* Pictures are looked for in that folder, then beside the preset, in `textures` beside it and one
 * folder higher; those of the board's own patches, which name a file, beside the patch, in
 * `textures` beside it, then in that folder. textures: must outlive what is made; NULL: as with
 * NULL in it. Which ones stand for "rand00" to "rand15" depends on the preset's file name, on the
 * slot and on `seed`. memory: bytes that each preset may take. NULL without memory. */
struct rend_resources *app_resources_create(const struct app_textures *textures, uint64_t seed,
                                            size_t memory);

/* The same as a table, with --seed and --memory. */
struct rend_pictures app_pictures_of(const struct app_textures *textures,
                                     const struct app_options *options);

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
