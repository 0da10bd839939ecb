/* Finding presets: files and folders on the command line become a list of paths, or are walked, and
 * what was found in the files is kept in an index. */
#ifndef PRESETS_LIBRARY_FIND_H
#define PRESETS_LIBRARY_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/text.h"
#include "presets/library/catalog.h"

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

/* What was found in files, so that they need not be read again: a text of a row per file. What
 * cannot be read counts as not there. */

enum { PRESET_INDEX_TEXT = 256 * 1024 * 1024 };

struct preset_found {
    const char *path;
    struct preset_stamp stamp;
    uint64_t content;
    int stars;       /* of the file; 0..PRESET_STARS */
    bool refused;    /* it is no preset */
    uint64_t former; /* what earlier versions of froth knew the content by; 0: not known */
};

struct preset_index {
    struct preset_found *rows; /* by path */
    size_t count;
    struct base_arena arena;
};

/* True, or false and an empty index if any row is not as it was written. */
bool preset_index_read(struct preset_index *index, struct base_span text);
void preset_index_free(struct preset_index *index);

const struct preset_found *preset_index_find(const struct preset_index *index, const char *path);

void preset_index_begin(FILE *out);
void preset_index_print(FILE *out, const struct preset_found *row);

#endif
