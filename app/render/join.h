/* froth join: one film of its pieces. */
#ifndef APP_RENDER_JOIN_H
#define APP_RENDER_JOIN_H

#include <stddef.h>

#include "base/text.h"

/* The film of these pieces, in any order, which have to be all of one film, made by one version of
 * froth; with sound and chapters. Returns 0, or -1 with a message and nothing left behind. */
int app_join_pieces(const char *const *paths, size_t count, const char *output,
                    const struct base_diag_sink *sink);

#endif
