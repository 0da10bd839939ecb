/* What was found in files, so that they need not be read again: a text of a row per file. What
 * cannot be read counts as not there. */
#ifndef PRESETS_LIBRARY_INDEX_H
#define PRESETS_LIBRARY_INDEX_H

#include <stdio.h>

#include "base/arena.h"
#include "base/text.h"
#include "presets/library/catalog.h"

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
