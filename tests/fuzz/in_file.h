/* Input for readers that take a path. */
#ifndef TESTS_FUZZ_IN_FILE_H
#define TESTS_FUZZ_IN_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A new file of no name, which goes when it is closed. */
static inline int fuzz_file_without_name(void)
{
    char name[] = "/tmp/froth_fuzz_XXXXXX";
    const int file = mkstemp(name);
    if (file < 0 || unlink(name) != 0) {
        abort();
    }
    return file;
}

/* Puts the bytes into the one file of this process, which has no name and goes with it. Returns its
 * path, valid until the next call. */
static inline const char *fuzz_in_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int file = -1;
    if (file < 0) {
        file = fuzz_file_without_name();
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size) {
        abort();
    }
    return path;
}

#endif
