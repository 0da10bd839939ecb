/* Finding presets: files and folders on the command line become a list of paths, or are walked. */
#ifndef PRESETS_LIBRARY_FIND_H
#define PRESETS_LIBRARY_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

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

/* Functions that are called with what a walk finds, in the order of a list. Either returns false to
 * end the walk. */
struct preset_visitor {
    void *user;
    bool (*folder)(void *user, const char *path); /* before it is read; NULL: not of interest */
    bool (*file)(void *user, const char *path, const struct stat *facts);
};

/* Walks as preset_list_add does. Returns 0, also when the visitor has ended it, or -1 with a
 * message if path cannot be read or holds no preset. */
int preset_walk(const char *path, const struct preset_visitor *visitor,
                const struct base_diag_sink *sink);

/* Whether a file below a folder counts as a preset, by its name. */
bool preset_is_file_name(const char *name);

#endif
