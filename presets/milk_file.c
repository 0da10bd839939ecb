#include "presets/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *path, const struct base_diag_sink *sink, const char *what,
                const char *why)
{
    base_report(sink, BASE_ERROR, (struct base_place){path, 0, 0}, NULL, "%s: %s", what, why);
    return -1;
}

/* Reads at most size bytes. Returns the number read, -1 with errno. */
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

static int read_open_file(struct preset *preset, const char *path, int file, size_t size,
                          const struct base_diag_sink *sink)
{
    char *data = malloc(size);
    if (data == NULL) {
        return fail(path, sink, "cannot read", "not enough memory");
    }
    const ssize_t got = read_all(file, data, size);
    const int result = got < 0 ? fail(path, sink, "cannot read", strerror(errno))
                               : preset_read(preset, path, data, (size_t)got, sink);
    free(data);
    return result;
}

int preset_read_file(struct preset *preset, const char *path, const struct base_diag_sink *sink)
{
    *preset = (struct preset){0};
    /* Without O_NONBLOCK, opening a pipe could wait for ever. */
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return fail(path, sink, "cannot open", strerror(errno));
    }
    struct stat facts;
    int result;
    if (fstat(file, &facts) != 0) {
        result = fail(path, sink, "cannot read", strerror(errno));
    } else if (!S_ISREG(facts.st_mode)) {
        result = fail(path, sink, "cannot read", "not an ordinary file");
    } else {
        /* One byte more than allowed is enough to refuse a file that is too long. */
        const size_t size =
            facts.st_size < PRESET_FILE_MAX ? (size_t)facts.st_size : PRESET_FILE_MAX;
        result = read_open_file(preset, path, file, size + 1, sink);
    }
    (void)close(file);
    return result;
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
static bool fill(int file, const char *path, const char *text, size_t size)
{
    struct stat old;
    if (stat(path, &old) == 0 && S_ISREG(old.st_mode)) {
        (void)fchmod(file, old.st_mode & 0777);
    }
    const bool written = write_all(file, text, size);
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

int preset_file_put(const char *path, struct base_span text, enum preset_file_way way,
                    const struct base_diag_sink *sink)
{
    char *name;
    if (text.size > PRESET_FILE_MAX) {
        return fail(path, sink, "cannot write", "the preset is longer than 1 MB");
    }
    const int file = open_beside(path, &name);
    if (file < 0) {
        return fail(path, sink, "cannot write", strerror(errno));
    }
    int result = 0;
    if (!fill(file, path, text.data, text.size) ||
        !(way == PRESET_FILE_NEW ? name_new(name, path) : rename(name, path) == 0)) {
        result = fail(path, sink, "cannot write", strerror(errno));
        (void)unlink(name);
    }
    free(name);
    return result;
}

int preset_write_file(const struct preset *preset, const char *path,
                      const struct base_diag_sink *sink)
{
    size_t size;
    char *text = preset_write(preset, &size);
    if (text == NULL) {
        return fail(path, sink, "cannot write", "not enough memory");
    }
    const int result =
        preset_file_put(path, (struct base_span){text, size}, PRESET_FILE_OVER, sink);
    free(text);
    return result;
}
