/* A preset from a file to what can be drawn. */
#ifndef APP_PATCH_H
#define APP_PATCH_H

#include "base/diag.h"
#include "renderer/renderer.h"

/* Reads and compiles the preset; resources as in rend_patch_create. *name (NULL: not wanted)
 * becomes a copy of its name that the caller frees. NULL with a message if the file is refused or
 * memory is short; *name is then NULL. Any thread. */
struct rend_patch *app_patch_load(const char *path, struct rend_resources *resources, char **name,
                                  const struct base_diag_sink *sink);

#endif
