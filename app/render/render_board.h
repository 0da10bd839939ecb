/* `froth render --target milkymist-one`: the pictures that the board draws. */
#ifndef APP_RENDER_RENDER_BOARD_H
#define APP_RENDER_RENDER_BOARD_H

#include "app/options/options.h"

/* Whether the options ask for it. */
bool app_render_is_for_board(const struct app_options *options);

/* Frames per second: 24 or 30. After app_render_board_check. */
unsigned app_render_board_fps(const struct app_options *options);

/* Returns 0, or -1 with a message if the options ask for what the board does not have. */
int app_render_board_check(const struct app_options *options);

/* Renders. After app_render_board_check, with signals caught. Returns 0, or -1 with a message. */
int app_render_board(const struct app_options *options);

#endif
