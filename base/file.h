/* A whole file in memory. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

#include "base/diag.h"

struct base_file {
    char *data;
    size_t size;
};

/* Reads an ordinary file of at most `limit` bytes; never waits for a pipe or a device. Returns 0,
 * or -1 with a message and nothing to free. */
int base_file_load(struct base_file *file, const char *path, size_t limit,
                   const struct base_diag_sink *sink);
void base_file_free(struct base_file *file);

#endif
