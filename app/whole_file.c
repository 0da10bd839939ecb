#include "app/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/folder.h"
#include "base/hash.h"

enum { PATH_SIZE = 4096, TRIES = 100 };

static ssize_t read_all(int file, char *data, size_t size)
{
    size_t used = 0;
    while (used < size) {
        const ssize_t got = read(file, data + used, size - used);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            return -1;
        }
        used += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)used;
}

static char *read_open(int file, size_t most, size_t *size, struct stat *facts)
{
    if (fstat(file, facts) != 0) {
        return NULL;
    }
    if (!S_ISREG(facts->st_mode)) {
        errno = EINVAL;
        return NULL;
    }
    const size_t wanted =
        facts->st_size >= 0 && (uint64_t)facts->st_size < most ? (size_t)facts->st_size : most;
    char *data = malloc(wanted + 1);
    const ssize_t got = data != NULL ? read_all(file, data, wanted) : -1;
    if (got < 0) {
        free(data);
        return NULL;
    }
    data[got] = '\0';
    *size = (size_t)got;
    return data;
}

char *app_whole_file_read(const char *path, size_t most, size_t *size, struct stat *facts)
{
    struct stat own;
    /* Without O_NONBLOCK, opening a pipe could wait for ever. */
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return NULL;
    }
    char *data = read_open(file, most, size, facts != NULL ? facts : &own);
    const int error = errno;
    (void)close(file);
    errno = error;
    return data;
}

static bool write_all(int file, const char *data, size_t size)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t put = write(file, data + done, size - done);
        if (put == 0) {
            errno = EIO;
        }
        if (put == 0 || (put < 0 && errno != EINTR)) {
            return false;
        }
        done += put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* A new file in the folder of `path`, its name in `beside`. -1 with errno. */
static int open_beside(const char *path, char *beside, size_t size)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash != NULL ? (int)(slash + 1 - path) : 0;
    int file = -1;
    errno = EEXIST;
    for (int i = 0; i < TRIES && file < 0 && errno == EEXIST; i++) {
        const int length =
            snprintf(beside, size, "%.*s.froth-%ld-%d", folder, path, (long)getpid(), i);
        if (length < 0 || (size_t)length >= size) {
            errno = ENAMETOOLONG;
            return -1;
        }
        file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return file;
}

static int make_folder_of(const char *path)
{
    char folder[PATH_SIZE];
    const char *slash = strrchr(path, '/');
    const size_t size = slash != NULL ? (size_t)(slash - path) : 0;
    if (size == 0) {
        return 0;
    }
    if (size >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(folder, path, size);
    folder[size] = '\0';
    return app_folder_make(folder);
}

int app_whole_file_write(const char *path, const char *text, size_t size)
{
    char beside[PATH_SIZE];
    if (make_folder_of(path) != 0) {
        return -1;
    }
    const int file = open_beside(path, beside, sizeof beside);
    if (file < 0) {
        return -1;
    }
    bool written = write_all(file, text, size);
    int error = errno;
    if (close(file) != 0 && written) {
        error = errno;
        written = false;
    }
    if (written && rename(beside, path) == 0) {
        return 0;
    }
    error = written ? errno : error;
    (void)unlink(beside);
    errno = error;
    return -1;
}

uint64_t app_content_hash(const char *data, size_t size)
{
    return base_hash(BASE_HASH_START, data, size);
}
