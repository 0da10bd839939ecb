/* Which presets a window plays. */
#ifndef APP_PLAY_INPUTS_H
#define APP_PLAY_INPUTS_H

#include "app/options.h"
#include "presets/library.h"

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

#endif
