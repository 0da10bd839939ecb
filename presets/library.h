/* Finding presets: files and folders on the command line become a list of paths. */
#ifndef PRESETS_LIBRARY_H
#define PRESETS_LIBRARY_H

#include <stddef.h>

#include "base/diag.h"

struct preset_list {
    char **paths; /* sorted by name within each folder, folders walked recursively */
    size_t count;
    size_t capacity;
};

/* Adds a .milk file (any other regular file too when named directly), or all .milk files under a
 * folder. Names that begin with a point are left out, links to folders are not followed, and
 * folders more than 32 deep are left out with a warning. Returns 0, or -1 with a message if path
 * cannot be read or holds no preset; the list is then as before. */
int preset_list_add(struct preset_list *list, const char *path, const struct base_diag_sink *sink);
void preset_list_free(struct preset_list *list);

#endif
