#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *path, const char *why, const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){path, 0, 0}, NULL, "cannot be read: %s", why);
    return -1;
}

/* Returns NULL, or why it failed. */
static const char *read_all(struct base_file *file, int descriptor, size_t capacity)
{
    file->data = malloc(capacity);
    if (file->data == NULL) {
        return "not enough memory";
    }
    while (file->size < capacity) {
        const ssize_t got = read(descriptor, file->data + file->size, capacity - file->size);
        if (got == 0) {
            return NULL;
        }
        if (got < 0 && errno != EINTR) {
            return strerror(errno);
        }
        file->size += got > 0 ? (size_t)got : 0;
    }
    return NULL;
}

static const char *read_open(struct base_file *file, int descriptor, size_t limit)
{
    struct stat facts;
    if (fstat(descriptor, &facts) != 0) {
        return strerror(errno);
    }
    if (!S_ISREG(facts.st_mode)) {
        return "not an ordinary file";
    }
    const size_t size = (uint64_t)facts.st_size < limit ? (size_t)facts.st_size : limit;
    return read_all(file, descriptor, size + 1);
}

int base_file_load(struct base_file *file, const char *path, size_t limit,
                   const struct base_diag_sink *sink)
{
    *file = (struct base_file){0};
    /* Without O_NONBLOCK, opening a pipe could wait for ever. */
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return fail(path, strerror(errno), sink);
    }
    const char *why = read_open(file, descriptor, limit);
    (void)close(descriptor);
    char too_large[48];
    if (why == NULL && file->size > limit) {
        (void)snprintf(too_large, sizeof too_large, "it is larger than %zu KiB", limit / 1024);
        why = too_large;
    }
    if (why != NULL) {
        base_file_free(file);
        return fail(path, why, sink);
    }
    return 0;
}

void base_file_free(struct base_file *file)
{
    free(file->data);
    *file = (struct base_file){0};
}
