/* What `play` does where there is no display. */
#ifndef APP_PLAY_INSTEAD_H
#define APP_PLAY_INSTEAD_H

#include "app/options.h"

/* Renders what would have been seen to froth-demo.mp4 in the current folder, or to froth-demo-2.mp4
 * and so on where that is taken; an odd size becomes even, as videos need it. folder: what is
 * played if the options name no preset. Returns an enum app_exit; prints its own messages. */
int app_play_instead(const struct app_options *options, const char *folder);

#endif
