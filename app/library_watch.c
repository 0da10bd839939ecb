#include "app/library_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/inotify.h>
#endif

enum { EVENTS_SIZE = 64 * 1024, FOLDERS_MAX = 1000000 };

struct folder {
    char *path; /* NULL: not watched */
    uint32_t root;
};

struct app_library_watch {
    int events;             /* of the system; -1: there are none */
    int wake[2];            /* a pipe */
    struct folder *folders; /* by the system's number */
    size_t folder_count;
    size_t filled; /* bytes of `buffer`, and how many of them are told */
    size_t told;
    alignas(8) char buffer[EVENTS_SIZE];
};

static bool open_wake(int wake[2])
{
    if (pipe(wake) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        (void)fcntl(wake[i], F_SETFL, O_NONBLOCK);
        (void)fcntl(wake[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

struct app_library_watch *app_library_watch_open(void)
{
    struct app_library_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL || !open_wake(watch->wake)) {
        free(watch);
        return NULL;
    }
#ifdef __linux__
    watch->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
#else
    watch->events = -1;
#endif
    return watch;
}

void app_library_watch_close(struct app_library_watch *watch)
{
    if (watch == NULL) {
        return;
    }
    if (watch->events >= 0) {
        (void)close(watch->events);
    }
    (void)close(watch->wake[0]);
    (void)close(watch->wake[1]);
    for (size_t i = 0; i < watch->folder_count; i++) {
        free(watch->folders[i].path);
    }
    free(watch->folders);
    free(watch);
}

void app_library_watch_wake(struct app_library_watch *watch)
{
    const ssize_t written = write(watch->wake[1], "", 1);
    (void)written; /* a full pipe wakes as well */
}

void app_library_watch_wait(struct app_library_watch *watch, double seconds)
{
    struct pollfd wait[2] = {{.fd = watch->wake[0], .events = POLLIN},
                             {.fd = watch->events, .events = POLLIN}};
    if (watch->told < watch->filled) {
        return;
    }
    (void)poll(wait, watch->events >= 0 ? 2 : 1, (int)(seconds * 1000));
    char bytes[64];
    while (read(watch->wake[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes) {
    }
}

#ifdef __linux__

static bool keep_folder(struct app_library_watch *watch, size_t number, const char *path,
                        uint32_t root)
{
    if (number >= watch->folder_count) {
        const size_t count = 2 * number + 64;
        struct folder *folders =
            number < FOLDERS_MAX ? realloc(watch->folders, count * sizeof *folders) : NULL;
        if (folders == NULL) {
            return false;
        }
        memset(folders + watch->folder_count, 0, (count - watch->folder_count) * sizeof *folders);
        watch->folders = folders;
        watch->folder_count = count;
    }
    char *copy = strdup(path);
    free(watch->folders[number].path);
    watch->folders[number] = (struct folder){copy, root};
    return copy != NULL;
}

bool app_library_watch_add(struct app_library_watch *watch, const char *folder, uint32_t root)
{
    const uint32_t kinds = IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                           IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    const int number = watch->events >= 0 ? inotify_add_watch(watch->events, folder, kinds) : -1;
    return number >= 0 && keep_folder(watch, (size_t)number, folder, root);
}

/* Reads more when all is told; false: there is none. */
static bool fill(struct app_library_watch *watch)
{
    if (watch->told < watch->filled) {
        return true;
    }
    const ssize_t got =
        watch->events >= 0 ? read(watch->events, watch->buffer, sizeof watch->buffer) : -1;
    watch->told = 0;
    watch->filled = got > 0 ? (size_t)got : 0;
    return watch->filled > 0;
}

static enum app_library_event_kind kind_of(uint32_t mask)
{
    if ((mask & IN_ISDIR) != 0) {
        return APP_LIBRARY_EVENT_FOLDER;
    }
    return (mask & IN_CREATE) != 0 ? APP_LIBRARY_EVENT_MADE : APP_LIBRARY_EVENT_FILE;
}

/* What an event of the system says; kind NONE: nothing that matters. */
static void translate(struct app_library_watch *watch, const struct inotify_event *event,
                      struct app_library_event *told)
{
    if ((event->mask & IN_Q_OVERFLOW) != 0) {
        told->kind = APP_LIBRARY_EVENT_LOST;
        return;
    }
    struct folder *folder = event->wd >= 0 && (size_t)event->wd < watch->folder_count
                                ? &watch->folders[event->wd]
                                : NULL;
    if (folder == NULL || folder->path == NULL) {
        return;
    }
    const bool itself = event->len == 0;
    const size_t size = strlen(folder->path);
    const char *slash = itself || (size > 0 && folder->path[size - 1] == '/') ? "" : "/";
    const int length = snprintf(told->path, sizeof told->path, "%s%s%s", folder->path, slash,
                                itself ? "" : event->name);
    told->root = folder->root;
    if ((event->mask & IN_IGNORED) != 0) {
        free(folder->path);
        folder->path = NULL;
    } else if (length > 0 && (size_t)length < sizeof told->path) {
        told->kind = itself ? APP_LIBRARY_EVENT_FOLDER : kind_of(event->mask);
    }
}

struct app_library_event app_library_watch_next(struct app_library_watch *watch)
{
    struct app_library_event told = {.kind = APP_LIBRARY_EVENT_NONE};
    while (told.kind == APP_LIBRARY_EVENT_NONE && fill(watch)) {
        const struct inotify_event *event = (const void *)(watch->buffer + watch->told);
        watch->told += sizeof *event + event->len;
        translate(watch, event, &told);
    }
    return told;
}

#else

bool app_library_watch_add(struct app_library_watch *watch, const char *folder, uint32_t root)
{
    (void)watch;
    (void)folder;
    (void)root;
    return false;
}

struct app_library_event app_library_watch_next(struct app_library_watch *watch)
{
    (void)watch;
    return (struct app_library_event){.kind = APP_LIBRARY_EVENT_NONE};
}

#endif
