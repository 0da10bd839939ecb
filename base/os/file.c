#include "base/os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---- */

char *base_file_read(const char *path, size_t most, size_t *size, struct stat *facts)
{
    struct stat own;
    struct stat *found = facts != NULL ? facts : &own;
    /* Without O_NONBLOCK, opening a pipe could wait for ever. */
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return NULL;
    }
    char *data = NULL;
    size_t wanted = most;
    if (fstat(file, found) == 0) {
        if (!S_ISREG(found->st_mode)) {
            errno = EINVAL;
        } else {
            /* One byte more than the file's size, in case that it grows. */
            if (found->st_size >= 0 && (uint64_t)found->st_size < most) {
                wanted = (size_t)found->st_size + 1;
            }
            data = malloc(wanted + 1);
        }
    }
    size_t used = 0;
    while (data != NULL && used < wanted) {
        const ssize_t got = read(file, data + used, wanted - used);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            free(data);
            data = NULL;
        }
        used += got > 0 ? (size_t)got : 0;
    }
    const int error = errno;
    (void)close(file);
    errno = error;
    if (data != NULL) {
        data[used] = '\0';
        *size = used;
    }
    return data;
}

static int fail(const char *path, const char *why, const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){path, 0, 0}, NULL, "cannot be read: %s", why);
    return -1;
}

int base_file_load(struct base_file *file, const char *path, size_t limit,
                   const struct base_diag_sink *sink)
{
    char too_large[48];
    *file = (struct base_file){0};
    file->data = base_file_read(path, limit + 1, &file->size, NULL);
    if (file->data == NULL) {
        return fail(path, errno == EINVAL ? "not an ordinary file" : strerror(errno), sink);
    }
    if (file->size > limit) {
        (void)snprintf(too_large, sizeof too_large, "it is larger than %zu KiB", limit / 1024);
        base_file_free(file);
        return fail(path, too_large, sink);
    }
    return 0;
}

void base_file_free(struct base_file *file)
{
    free(file->data);
    *file = (struct base_file){0};
}

/* ---- writing ---- */

/* A file of a new name in the same folder, its name in a malloc'ed text. Returns -1 with errno. */
static int open_beside(const char *path, char **name)
{
    enum { NAME_ROOM = 64, TRIES = 100 };
    const char *slash = strrchr(path, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    *name = malloc(folder + NAME_ROOM);
    if (*name == NULL) {
        return -1;
    }
    memcpy(*name, path, folder);
    int file = -1;
    errno = EEXIST;
    for (int i = 0; i < TRIES && file < 0 && errno == EEXIST; i++) {
        (void)snprintf(*name + folder, NAME_ROOM, ".froth-%ld-%d", (long)getpid(), i);
        file = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (file < 0) {
        const int error = errno;
        free(*name);
        *name = NULL;
        errno = error;
    }
    return file;
}

/* Closes the file; true if all of it is on its way to the disk. */
static bool fill(int file, const char *path, const char *data, size_t size)
{
    struct stat old;
    if (stat(path, &old) == 0 && S_ISREG(old.st_mode)) {
        (void)fchmod(file, old.st_mode & 0777);
    }
    size_t done = 0;
    bool written = true;
    while (done < size && written) {
        const ssize_t put = write(file, data + done, size - done);
        if (put == 0) {
            errno = EIO;
        }
        written = put > 0 || (put < 0 && errno == EINTR);
        done += put > 0 ? (size_t)put : 0;
    }
    const int error = errno;
    const bool closed = close(file) == 0;
    if (!written) {
        errno = error;
    }
    return written && closed;
}

/* Gives the file its name if nothing has it. False with errno. */
static bool name_new(const char *name, const char *path)
{
    if (link(name, path) == 0) {
        (void)unlink(name);
        return true;
    }
    if (errno == EEXIST) {
        return false;
    }
    /* No links here: the name is taken first, then the file comes over it. */
    const int taken = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (taken < 0) {
        return false;
    }
    (void)close(taken);
    if (rename(name, path) == 0) {
        return true;
    }
    const int error = errno;
    (void)unlink(path);
    errno = error;
    return false;
}

int base_file_write(const char *path, const char *data, size_t size, enum base_file_way way)
{
    char *name;
    const int file = open_beside(path, &name);
    if (file < 0) {
        return -1;
    }
    const bool done = fill(file, path, data, size) &&
                      (way == BASE_FILE_NEW ? name_new(name, path) : rename(name, path) == 0);
    const int error = errno;
    if (!done) {
        (void)unlink(name);
    }
    free(name);
    errno = error;
    return done ? 0 : -1;
}

enum { PATH_SIZE = 4096 };

bool base_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool join(char *path, size_t size, const char *base, const char *below, const char *more)
{
    const int length = snprintf(path, size, "%s%s%s", base, below, more);
    return length >= 0 && (size_t)length < size;
}

bool base_folder_path(enum base_folder folder, const char *more, char *path, size_t size)
{
    static const struct {
        const char *variable;
        const char *usual; /* below the home folder */
    } places[] = {
        [BASE_FOLDER_CONFIG] = {"XDG_CONFIG_HOME", "/.config/froth"},
        [BASE_FOLDER_DATA] = {"XDG_DATA_HOME", "/.local/share/froth"},
        [BASE_FOLDER_CACHE] = {"XDG_CACHE_HOME", "/.cache/froth"},
    };
    const char *named = getenv(places[folder].variable);
    if (named != NULL && named[0] == '/') {
        return join(path, size, named, "/froth", more);
    }
    const char *home = getenv("HOME");
    return home != NULL && home[0] == '/' && join(path, size, home, places[folder].usual, more);
}

static int make_one(const char *path)
{
    return mkdir(path, 0777) == 0 || (errno == EEXIST && base_is_folder(path)) ? 0 : -1;
}

int base_folder_make(const char *path)
{
    char part[PATH_SIZE];
    const size_t size = strlen(path);
    if (size == 0 || size >= sizeof part) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(part, path, size + 1);
    for (char *at = strchr(part + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = '\0';
        if (make_one(part) != 0) {
            return -1;
        }
        *at = '/';
    }
    return make_one(part);
}

int base_file_save(const char *path, const char *text, size_t size)
{
    char folder[PATH_SIZE];
    const char *slash = strrchr(path, '/');
    const size_t above = slash != NULL ? (size_t)(slash - path) : 0;
    if (above >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(folder, path, above);
    folder[above] = '\0';
    if (above > 0 && base_folder_make(folder) != 0) {
        return -1;
    }
    return base_file_write(path, text, size, BASE_FILE_OVER);
}
