#include "base/os/file.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/os/thread.h"

/* The size of its state. */
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

enum { PATH_SIZE = 4096 };

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

void base_file_close(int *descriptor)
{
    if (*descriptor >= 0) {
        (void)close(*descriptor);
        *descriptor = -1;
    }
}

/* ---- writing ---- */

/* A number that nobody can guess. Where the system has none to give, what is planted under a name
 * is refused all the same. */
static uint64_t unguessed(void)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) {
        number = (uint64_t)getpid() ^ (uint64_t)(base_clock_seconds() * 1e9);
    }
    return number;
}

void base_part_name(char *part, size_t size, const char *path, const char *ending)
{
    char tail[BASE_PART_EXTRA - sizeof "froth"];
    (void)snprintf(tail, sizeof tail, ".%016" PRIx64 "%s", unguessed(), ending);
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const bool fits = strlen(name) + strlen(tail) <= NAME_MAX;
    (void)snprintf(part, size, "%.*s%s%s", (int)(name - path), path, fits ? name : "froth", tail);
}

char *base_part_of(const char *path, const char *ending)
{
    const size_t size = strlen(path) + BASE_PART_EXTRA;
    char *part = malloc(size);
    if (part != NULL) {
        base_part_name(part, size, path, ending);
    }
    return part;
}

int base_part_create(const char *part)
{
    return open(part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/* The process that has given a part file its name, ".froth-PID-DIGITS"; 0: it has another name. */
static pid_t maker_of(const char *name)
{
    static const char mark[] = ".froth-";
    char *end = NULL;
    if (strncmp(name, mark, sizeof mark - 1) != 0 || name[sizeof mark - 1] < '1' ||
        name[sizeof mark - 1] > '9') {
        return 0;
    }
    errno = 0;
    const long id = strtol(name + sizeof mark - 1, &end, 10);
    uint64_t number;
    const bool ours = errno == 0 && id > 1 && id <= INT_MAX && *end == '-' &&
                      base_content_read(&number, base_span_of(end + 1));
    return ours ? (pid_t)id : 0;
}

bool base_file_is_left(const char *name)
{
    const pid_t maker = maker_of(name);
    return maker != 0 && kill(maker, 0) != 0 && errno == ESRCH;
}

/* Removes part files that a killed froth has left: ordinary ones of this user, an hour old, whose
 * process is gone. */
static void sweep(const char *path, size_t size)
{
    enum { OLD = 60 * 60 };
    char folder[PATH_SIZE] = ".";
    if (size >= sizeof folder) {
        return;
    }
    memcpy(folder, path, size);
    folder[size > 0 ? size : 1] = '\0';
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    const time_t now = time(NULL);
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        struct stat facts;
        if (base_file_is_left(entry->d_name) &&
            fstatat(dirfd(entries), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(facts.st_mode) && facts.st_uid == geteuid() && facts.st_mtime < now - OLD) {
            (void)unlinkat(dirfd(entries), entry->d_name, 0);
        }
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
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
    sweep(path, folder);
    memcpy(*name, path, folder);
    int file = -1;
    errno = EEXIST;
    for (int i = 0; i < TRIES && file < 0 && (errno == EEXIST || errno == EINTR); i++) {
        (void)snprintf(*name + folder, NAME_ROOM, ".froth-%ld-%016" PRIx64, (long)getpid(),
                       unguessed());
        file = base_part_create(*name);
    }
    if (file < 0) {
        const int error = errno;
        free(*name);
        *name = NULL;
        errno = error;
    }
    return file;
}

/* Waits until the file, or the entries of the folder, are on the disk. Some file systems know no
 * such thing. */
static bool settle(int file)
{
    int result;
    do {
        result = fsync(file);
    } while (result != 0 && errno == EINTR);
    return result == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

/* Closes the file; true if all of it is on its way to the disk, or, if it is to last, there. */
static bool fill(int file, const char *path, struct base_span data, bool lasting)
{
    struct stat old;
    if (stat(path, &old) == 0 && S_ISREG(old.st_mode)) {
        (void)fchmod(file, old.st_mode & 0777);
    }
    size_t done = 0;
    bool written = true;
    while (done < data.size && written) {
        const ssize_t put = write(file, data.data + done, data.size - done);
        if (put == 0) {
            errno = EIO;
        }
        written = put > 0 || (put < 0 && errno == EINTR);
        done += put > 0 ? (size_t)put : 0;
    }
    written = written && (!lasting || settle(file));
    const int error = errno;
    /* An interrupted close has closed. */
    const bool closed = close(file) == 0 || errno == EINTR;
    if (!written) {
        errno = error;
    }
    return written && closed;
}

/* Waits until the new name of a file is on the disk, where the folder may be read. */
static bool settle_name(const char *path)
{
    char folder[PATH_SIZE];
    const char *slash = strrchr(path, '/');
    const size_t size = slash == NULL || slash == path ? 1 : (size_t)(slash - path);
    if (size >= sizeof folder) {
        return true;
    }
    memcpy(folder, slash == NULL ? "." : path, size);
    folder[size] = '\0';
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) {
        return true;
    }
    const bool settled = settle(file);
    const int error = errno;
    (void)close(file);
    errno = error;
    return settled;
}

/* The file that the path names, links being followed, whether it exists or not; malloc'ed. NULL
 * with errno. */
static char *follow(const char *path)
{
    enum { LINKS_MAX = 40 };
    char link[PATH_SIZE];
    char *at = strdup(path);
    for (int i = 0; at != NULL; i++) {
        const ssize_t size = readlink(at, link, sizeof link);
        if (size < 0) {
            return at;
        }
        const char *slash = strrchr(at, '/');
        const size_t folder = link[0] == '/' || slash == NULL ? 0 : (size_t)(slash - at) + 1;
        const bool fits = i < LINKS_MAX && size < (ssize_t)sizeof link;
        char *next = fits ? malloc(folder + (size_t)size + 1) : NULL;
        if (next != NULL) {
            memcpy(next, at, folder);
            memcpy(next + folder, link, (size_t)size);
            next[folder + (size_t)size] = '\0';
        }
        free(at);
        at = next;
        errno = fits ? ENOMEM : ELOOP;
    }
    return NULL;
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

static int write_there(const char *path, struct base_span data, enum base_file_way way)
{
    char *name;
    const int file = open_beside(path, &name);
    if (file < 0) {
        return -1;
    }
    const bool lasting = way != BASE_FILE_CACHE;
    const bool named = fill(file, path, data, lasting) &&
                       (way == BASE_FILE_NEW ? name_new(name, path) : rename(name, path) == 0);
    const int error = errno;
    if (!named) {
        (void)unlink(name);
    }
    free(name);
    errno = error;
    return named && (!lasting || settle_name(path)) ? 0 : -1;
}

int base_file_write(const char *path, const char *data, size_t size, enum base_file_way way)
{
    char *real = way != BASE_FILE_NEW ? follow(path) : NULL;
    if (real == NULL && way != BASE_FILE_NEW) {
        return -1;
    }
    const int result = write_there(real != NULL ? real : path, (struct base_span){data, size}, way);
    const int error = errno;
    free(real);
    errno = error;
    return result;
}

/* ---- one after the other ---- */

int base_file_lock(const char *path, double seconds)
{
    static const char name[] = ".froth.lock";
    char lock[PATH_SIZE];
    char *real = follow(path);
    if (real == NULL) {
        return -1;
    }
    const char *slash = strrchr(real, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - real) + 1 : 0;
    int file = -1;
    errno = ENAMETOOLONG;
    if (folder + sizeof name <= sizeof lock) {
        memcpy(lock, real, folder);
        memcpy(lock + folder, name, sizeof name);
        file = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    }
    int error = errno;
    free(real);
    const double end = base_clock_seconds() + seconds;
    while (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
        error = errno;
        if ((error != EWOULDBLOCK && error != EINTR) || base_clock_seconds() > end) {
            (void)close(file);
            file = -1;
        } else {
            base_clock_sleep_until(base_clock_seconds() + 0.002);
        }
    }
    errno = error;
    return file;
}

void base_file_unlock(int lock)
{
    if (lock >= 0) {
        (void)close(lock);
    }
}

/* ---- folders ---- */

bool base_program(char *path, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", path, size);
    if (length <= 0 || (size_t)length >= size) {
        return false;
    }
    path[length] = '\0';
    return true;
}

bool base_beside_program(char *path, size_t size, const char *suffix)
{
    if (!base_program(path, size)) {
        return false;
    }
    char *slash = strrchr(path, '/');
    const size_t used = slash != NULL ? (size_t)(slash - path) : size;
    if (used + strlen(suffix) + 1 > size) {
        return false;
    }
    memcpy(slash, suffix, strlen(suffix) + 1);
    return true;
}

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
    if (mkdir(path, 0777) == 0) {
        return 0;
    }
    const int reason = errno; /* of a folder that is there it may be another one than EEXIST */
    const bool there = base_is_folder(path);
    errno = reason;
    return there ? 0 : -1;
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

int base_folder_make_above(const char *file)
{
    char folder[PATH_SIZE];
    const char *slash = strrchr(file, '/');
    const size_t above = slash != NULL ? (size_t)(slash - file) : 0;
    if (above >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(folder, file, above);
    folder[above] = '\0';
    return above > 0 ? base_folder_make(folder) : 0;
}

static int save(const char *path, struct base_span text, enum base_file_way way)
{
    if (base_folder_make_above(path) != 0) {
        return -1;
    }
    return base_file_write(path, text.data, text.size, way);
}

int base_file_save(const char *path, const char *text, size_t size)
{
    return save(path, (struct base_span){text, size}, BASE_FILE_OVER);
}

int base_file_cache(const char *path, const char *text, size_t size)
{
    return save(path, (struct base_span){text, size}, BASE_FILE_CACHE);
}

/* ---- the hash of content ---- */

static_assert(sizeof(XXH64_state_t) <= sizeof(struct base_content_stream),
              "the library's state has room");

uint64_t base_content_hash(const void *data, size_t size)
{
    return XXH64(data, size, 0);
}

bool base_content_read(uint64_t *hash, struct base_span text)
{
    static const char digits[] = "0123456789abcdef";
    *hash = 0;
    for (size_t i = 0; i < text.size && text.size == BASE_CONTENT_DIGITS; i++) {
        const char *digit = memchr(digits, text.data[i], sizeof digits - 1);
        if (digit == NULL) {
            return false;
        }
        *hash = *hash << 4 | (uint64_t)(digit - digits);
    }
    return text.size == BASE_CONTENT_DIGITS;
}

void base_content_stream_begin(struct base_content_stream *stream)
{
    (void)XXH64_reset((XXH64_state_t *)stream, 0);
}

void base_content_stream_add(struct base_content_stream *stream, const void *data, size_t size)
{
    (void)XXH64_update((XXH64_state_t *)stream, data, size);
}

int base_content_stream_file(struct base_content_stream *stream, const char *path)
{
    char block[1 << 16];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return -1;
    }
    size_t got;
    while ((got = fread(block, 1, sizeof block, file)) > 0) {
        base_content_stream_add(stream, block, got);
    }
    const int error = ferror(file) ? errno : 0;
    (void)fclose(file);
    errno = error;
    return error == 0 ? 0 : -1;
}

uint64_t base_content_stream_hash(const struct base_content_stream *stream)
{
    return XXH64_digest((const XXH64_state_t *)stream);
}
