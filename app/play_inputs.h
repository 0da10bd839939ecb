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

#endif
