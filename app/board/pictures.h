/* The pictures of the board's own patches on the desktop. */
#ifndef APP_BOARD_PICTURES_H
#define APP_BOARD_PICTURES_H

#include "app/loading/loading.h"
#include "board/host/host.h"

/* Loads the pictures of a patch into the memory of the host's units (board_pictures_load), for a
 * patch that is not loaded into a state yet; those of the one before go. path: of the patch; its
 * pictures are looked for as loading.h says. They are decoded in a process of its own each
 * (app/apart/apart.h), by the board's decoder, and so have the same bytes. */
void app_board_pictures_load(struct board_host *host, struct board_loaded *loaded, const char *path,
                             const struct app_textures *textures,
                             const struct base_diag_sink *sink);

#endif
