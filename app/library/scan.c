#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/library/inside.h"
#include "base/os/file.h"
#include "base/os/thread.h"
#include "base/random.h"
#include "presets/library/find.h"
#include "presets/presets.h"

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

enum event_kind {
    EVENT_NONE,
    EVENT_FILE,   /* this file has come, changed or gone */
    EVENT_MADE,   /* this file has come, and may still be written */
    EVENT_FOLDER, /* this folder has come or gone */
    EVENT_LOST,   /* anything may have happened */
};

struct event {
    enum event_kind kind;
    char path[2048];
    uint32_t root;
};

struct app_library_watch *app_library_watch_open(void)
{
    struct app_library_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL || pipe(watch->wake) != 0) {
        free(watch);
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        (void)fcntl(watch->wake[i], F_SETFL, O_NONBLOCK);
        (void)fcntl(watch->wake[i], F_SETFD, FD_CLOEXEC);
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

/* False: it cannot be watched. A folder may be added again. */
static bool watch_folder(struct app_library_watch *watch, const char *folder, uint32_t root)
{
    const uint32_t kinds = IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                           IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    const int number = watch->events >= 0 ? inotify_add_watch(watch->events, folder, kinds) : -1;
    return number >= 0 && keep_folder(watch, (size_t)number, folder, root);
}

/* Translates an event of the system; kind NONE if it does not matter. */
static void translate(struct app_library_watch *watch, const struct inotify_event *event,
                      struct event *told)
{
    if ((event->mask & IN_Q_OVERFLOW) != 0) {
        told->kind = EVENT_LOST;
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
        told->kind = itself || (event->mask & IN_ISDIR) != 0 ? EVENT_FOLDER
                     : (event->mask & IN_CREATE) != 0        ? EVENT_MADE
                                                             : EVENT_FILE;
    }
}

/* Returns the next thing that has happened; kind NONE when there is no more. Never waits. */
static struct event next_event(struct app_library_watch *watch)
{
    struct event told = {.kind = EVENT_NONE};
    while (told.kind == EVENT_NONE) {
        if (watch->told == watch->filled) {
            const ssize_t got =
                watch->events >= 0 ? read(watch->events, watch->buffer, sizeof watch->buffer) : -1;
            watch->told = 0;
            watch->filled = got > 0 ? (size_t)got : 0;
            if (watch->filled == 0) {
                break;
            }
        }
        const struct inotify_event *event = (const void *)(watch->buffer + watch->told);
        watch->told += sizeof *event + event->len;
        translate(watch, event, &told);
    }
    return told;
}

#else

static bool watch_folder(struct app_library_watch *watch, const char *folder, uint32_t root)
{
    (void)watch;
    (void)folder;
    (void)root;
    return false;
}

static struct event next_event(struct app_library_watch *watch)
{
    (void)watch;
    return (struct event){.kind = EVENT_NONE};
}

#endif

/* The thread that finds files, reads them, watches for changes and writes what is kept. */

static const double save_seconds = 2;
static const double poll_seconds = 5;

static bool closes(const struct app_library *library)
{
    return atomic_load_explicit(&library->closing, memory_order_relaxed);
}

/* ---- finding ---- */

/* A walk below one of the roots. */
struct walk {
    struct app_library *library;
    uint32_t root;
    size_t shown_from;
    bool watched;   /* there are folders, and the changes of those are told, */
    bool unwatched; /* but for some */
};

static bool see_folder(void *user, const char *path)
{
    struct walk *walk = user;
    const bool watched = watch_folder(walk->library->watch, path, walk->root);
    walk->watched = walk->watched || watched;
    walk->unwatched = walk->unwatched || !watched;
    return !closes(walk->library);
}

static bool see_file(void *user, const char *path, const struct stat *facts)
{
    const struct walk *walk = user;
    struct app_library *library = walk->library;
    const struct preset_position position = {path, walk->shown_from, walk->root, 0};
    (void)pthread_mutex_lock(&library->lock);
    (void)app_library_note(library, &position, facts);
    (void)pthread_mutex_unlock(&library->lock);
    return !closes(library);
}

/* Finds all files of the root, or of a folder below it. Returns whether all changes will be told.
 */
static bool walk_below(struct app_library *library, uint32_t root, const char *path,
                       const struct base_diag_sink *sink)
{
    const char *shown = library->roots[root].path;
    struct walk walk = {library, root, strlen(shown), false, false};
    const struct preset_visitor visitor = {&walk, see_folder, see_file};
    (void)preset_walk(path, &visitor, sink);
    return walk.watched && !walk.unwatched;
}

static void find_root(struct app_library *library, uint32_t number,
                      const struct base_diag_sink *sink)
{
    struct app_library_root *root = &library->roots[number];
    if (root->kind == APP_ROOT_LIST) {
        app_library_find_list(library, number, sink);
    } else {
        root->polled = !walk_below(library, number, root->path, sink);
    }
}

/* Presets that are there, of a root (UINT32_MAX: any), and, if there is a path, below that. */
static size_t count_presets(struct app_library *library, uint32_t root, const char *below)
{
    size_t count = 0;
    const size_t size = below != NULL ? strlen(below) : 0;
    (void)pthread_mutex_lock(&library->lock);
    const struct preset_catalog *catalog = &library->catalog;
    for (uint32_t i = 0; i < catalog->present; i++) {
        const uint32_t number = catalog->listed[i];
        const char *path = preset_catalog_path(catalog, number);
        count += (root == UINT32_MAX || catalog->entries[number].root == root) &&
                 (below == NULL || (strncmp(path, below, size) == 0 && path[size] == '/'));
    }
    (void)pthread_mutex_unlock(&library->lock);
    return count;
}

/* Takes in the folders that were added. */
static void take_wanted(struct app_library *library)
{
    if (!atomic_exchange(&library->wants, false)) {
        return;
    }
    for (size_t i = 0; i < APP_LIBRARY_WANTED; i++) {
        (void)pthread_mutex_lock(&library->lock);
        char *path = library->wanted[i];
        library->wanted[i] = NULL;
        (void)pthread_mutex_unlock(&library->lock);
        uint32_t at = 0;
        while (path != NULL && at < library->root_count &&
               strcmp(library->roots[at].path, path) != 0) {
            at++;
        }
        struct app_library_root *roots =
            path != NULL && at == library->root_count
                ? realloc(library->roots, (library->root_count + 1) * sizeof *roots)
                : NULL;
        if (roots != NULL) {
            library->roots = roots;
            roots[library->root_count++] =
                (struct app_library_root){.path = strdup(path), .kind = APP_ROOT_FOLDER};
            if (roots[at].path == NULL) {
                library->root_count--;
            }
        }
        if (path != NULL && at < library->root_count) {
            find_root(library, at, &library->sink);
            const size_t count = count_presets(library, UINT32_MAX, path);
            base_report(&library->sink, BASE_NOTE, (struct base_place){.file = path}, NULL,
                        "the folder %s joined the library, with %zu preset%s", path, count,
                        count == 1 ? "" : "s");
        }
        free(path);
    }
}

/* ---- reading ---- */

struct unread {
    uint32_t number;
    struct preset_stamp stamp;
    char path[PRESET_PATH_MAX + 1];
};

static bool next_unread(struct app_library *library, struct unread *unread)
{
    (void)pthread_mutex_lock(&library->lock);
    const struct preset_catalog *catalog = &library->catalog;
    uint32_t number = library->unread;
    while (number < catalog->count &&
           (catalog->entries[number].known || catalog->entries[number].gone)) {
        number++;
    }
    library->unread = number;
    const bool any = number < catalog->count;
    if (any) {
        unread->number = number;
        unread->stamp = catalog->entries[number].stamp;
        memcpy(unread->path, preset_catalog_path(catalog, number),
               strlen(preset_catalog_path(catalog, number)) + 1);
    }
    (void)pthread_mutex_unlock(&library->lock);
    return any;
}

/* Reports the first error of a file that is no preset. */
static void report(const struct app_library *library, const char *path,
                   const struct base_diag_list *said)
{
    for (size_t i = 0; i < said->count; i++) {
        if (said->items[i].severity == BASE_ERROR && library->sink.receive != NULL) {
            struct base_diag error = said->items[i];
            error.place.file = path;
            library->sink.receive(library->sink.user, &error);
            return;
        }
    }
}

/* Returns false if the file is gone. One that cannot be read has no stamp, so that it is tried
 * again. */
static bool read_preset(const char *path, struct preset_found *found, struct base_diag_list *said)
{
    const struct base_diag_sink sink = base_diag_list_sink(said);
    size_t size;
    struct stat facts;
    struct preset preset;
    char *data = base_file_read(path, BASE_CONTENT_MAX, &size, &facts);
    *found = (struct preset_found){.path = path, .refused = true};
    if (data == NULL) {
        return errno != ENOENT && errno != ENOTDIR;
    }
    found->stamp = app_library_stamp(&facts);
    found->content = base_content_hash(data, size);
    found->former = base_hash(BASE_HASH_START, data, size);
    if (preset_read(&preset, path, data, size, &sink) == 0) {
        found->refused = false;
        found->stars = (int)lrintf(fminf(fmaxf(preset.rating, 0), PRESET_STARS));
        preset_free(&preset);
    }
    free(data);
    return true;
}

/* Reads the files that are not known yet, until the library is closed. */
static void read_all(struct app_library *library)
{
    struct unread unread;
    size_t count = 0;
    while (!closes(library) && next_unread(library, &unread)) {
        struct preset_found found;
        const bool recalled = app_library_recall(library, unread.path, &unread.stamp, &found);
        struct base_diag_list said = {0};
        const bool there = recalled || read_preset(unread.path, &found, &said);
        const struct preset_found *row =
            recalled ? &found : preset_index_find(&library->index, unread.path);
        library->index_changed = library->index_changed || !recalled;
        (void)pthread_mutex_lock(&library->lock);
        if (there) {
            struct preset_entry *entry = &library->catalog.entries[unread.number];
            const bool first = entry->content == 0 && library->scanning;
            entry->former =
                first && row != NULL && row->content != found.content ? row->content : 0;
            entry->strange = first && row == NULL;
            app_library_learn(library, unread.number, &found);
        } else {
            preset_catalog_lose(&library->catalog, unread.number);
            app_library_changed(library);
        }
        (void)pthread_mutex_unlock(&library->lock);
        if (there && !recalled && found.refused && app_library_tell(library, unread.number)) {
            report(library, unread.path, &said);
        }
        count++;
        take_wanted(library);
        if (base_clock_seconds() - library->saved > save_seconds) {
            app_library_save(library);
        }
    }
    if (count > 0 && library->thumbnails != NULL) {
        app_thumbnails_wake(library->thumbnails);
    }
}

/* ---- changes ---- */

static bool is_file(const char *path, struct stat *facts)
{
    return stat(path, facts) == 0 && S_ISREG(facts->st_mode);
}

/* Marks the files that are not there any more. Returns how many. */
static size_t lose_missing(struct app_library *library, const char *below, uint32_t root)
{
    char path[PRESET_PATH_MAX + 1];
    struct stat facts;
    size_t lost = 0;
    bool end = false;
    for (uint32_t i = 0; !end && !closes(library); i++) {
        /* An entry that is there and stands below the path ("": any) or, with a root, in it. */
        const size_t size = strlen(below);
        bool fits = false;
        (void)pthread_mutex_lock(&library->lock);
        end = i >= library->catalog.count;
        if (!end) {
            const struct preset_entry *entry = &library->catalog.entries[i];
            const char *text = preset_catalog_path(&library->catalog, i);
            fits = !entry->gone && (root == UINT32_MAX || entry->root == root) &&
                   strncmp(text, below, size) == 0 && (size == 0 || text[size] == '/');
            if (fits) {
                memcpy(path, text, strlen(text) + 1);
            }
        }
        (void)pthread_mutex_unlock(&library->lock);
        if (fits && !is_file(path, &facts)) {
            (void)pthread_mutex_lock(&library->lock);
            preset_catalog_lose(&library->catalog, i);
            app_library_changed(library);
            (void)pthread_mutex_unlock(&library->lock);
            lost++;
        }
    }
    return lost;
}

/* ---- folders that go and come ---- */

static void tell_gone(const struct app_library *library, const char *path, size_t presets)
{
    base_report(&library->sink, BASE_WARNING, (struct base_place){.file = path},
                "the show goes on; they come back with it",
                "this folder is gone, and %zu preset%s with it", presets, presets == 1 ? "" : "s");
}

static void tell_back(const struct app_library *library, const char *path, size_t presets)
{
    base_report(&library->sink, BASE_NOTE, (struct base_place){.file = path}, NULL,
                "the folder %s is back, with %zu preset%s", path, presets, presets == 1 ? "" : "s");
}

/* Tells of folders that were named when they go, also where an empty one is left, as of a disk
 * that was taken off, and when they are back. */
static void tell_roots(struct app_library *library)
{
    for (uint32_t i = 0; i < library->root_count; i++) {
        struct app_library_root *root = &library->roots[i];
        if (root->kind == APP_ROOT_LIST || preset_is_file_name(root->path)) {
            continue;
        }
        const size_t held = count_presets(library, i, NULL);
        if (root->held > 0 && held == 0) {
            root->gone = true;
            tell_gone(library, root->path, root->held);
        } else if (root->gone && held > 0) {
            root->gone = false;
            tell_back(library, root->path, held);
        }
        root->held = held;
    }
}

/* The folder's place among those that are gone; APP_LIBRARY_GONE: it is not there. */
static size_t find_gone(const struct app_library *library, const char *path)
{
    size_t at = 0;
    while (at < APP_LIBRARY_GONE &&
           (library->gone[at] == NULL || strcmp(library->gone[at], path) != 0)) {
        at++;
    }
    return at;
}

static void take_gone(struct app_library *library, size_t at)
{
    free(library->gone[at]);
    memmove(library->gone + at, library->gone + at + 1,
            (APP_LIBRARY_GONE - at - 1) * sizeof *library->gone);
    library->gone[APP_LIBRARY_GONE - 1] = NULL;
}

static void tell_folder(struct app_library *library, const struct event *event, bool there,
                        size_t lost)
{
    const size_t at = find_gone(library, event->path);
    if (there && at < APP_LIBRARY_GONE) {
        const size_t held = count_presets(library, event->root, event->path);
        if (held > 0) {
            take_gone(library, at);
            tell_back(library, event->path, held);
        }
    } else if (!there && lost > 0 && at == APP_LIBRARY_GONE) {
        take_gone(library, APP_LIBRARY_GONE - 1);
        memmove(library->gone + 1, library->gone, (APP_LIBRARY_GONE - 1) * sizeof *library->gone);
        library->gone[0] = strdup(event->path);
        tell_gone(library, event->path, lost);
    }
}

static bool is_hidden(const char *path)
{
    const char *slash = strrchr(path, '/');
    return (slash != NULL ? slash[1] : path[0]) == '.';
}

static void file_event(struct app_library *library, const struct event *event)
{
    struct stat facts;
    if (!preset_is_file_name(event->path) || is_hidden(event->path)) {
        return;
    }
    const bool there = is_file(event->path, &facts);
    if (there && event->kind == EVENT_MADE && facts.st_size == 0) {
        return; /* what is written will be told */
    }
    const struct preset_position position = {event->path, strlen(library->roots[event->root].path),
                                             event->root, 0};
    (void)pthread_mutex_lock(&library->lock);
    const uint32_t number = there ? app_library_note(library, &position, &facts)
                                  : preset_catalog_find(&library->catalog, event->path);
    struct preset_entry *entry = app_library_at(library, number);
    if (entry != NULL && there) {
        app_library_forget(library, number);
    } else if (entry != NULL) {
        preset_catalog_lose(&library->catalog, number);
        app_library_changed(library);
    }
    (void)pthread_mutex_unlock(&library->lock);
}

static void folder_event(struct app_library *library, const struct event *event)
{
    struct stat facts;
    bool root = false;
    for (size_t i = 0; i < library->root_count; i++) {
        root = root || strcmp(library->roots[i].path, event->path) == 0;
    }
    if (is_hidden(event->path) && !root) {
        return;
    }
    const bool folder = (root ? stat(event->path, &facts) : lstat(event->path, &facts)) == 0 &&
                        S_ISDIR(facts.st_mode);
    struct app_library_root *named = &library->roots[event->root];
    if (folder && !walk_below(library, event->root, event->path, NULL)) {
        named->polled = true;
    }
    named->polled = named->polled || (root && !folder);
    const size_t lost = lose_missing(library, event->path, UINT32_MAX);
    if (!root) {
        tell_folder(library, event, folder, lost);
    }
}

static void look_again(struct app_library *library, bool all)
{
    for (uint32_t i = 0; i < library->root_count && !closes(library); i++) {
        if (all || library->roots[i].polled) {
            find_root(library, i, NULL);
            (void)lose_missing(library, "", i);
        }
    }
}

/* Those that are gone are looked for more often than others are looked at. */
static void find_returned(struct app_library *library)
{
    for (uint32_t i = 0; i < library->root_count && !closes(library); i++) {
        if (library->roots[i].gone && base_is_folder(library->roots[i].path)) {
            find_root(library, i, NULL);
        }
    }
}

static void take_events(struct app_library *library)
{
    for (;;) {
        const struct event event = next_event(library->watch);
        switch (event.kind) {
        case EVENT_NONE:
            return;
        case EVENT_FILE:
        case EVENT_MADE:
            file_event(library, &event);
            break;
        case EVENT_FOLDER:
            folder_event(library, &event);
            break;
        case EVENT_LOST:
            look_again(library, true);
            break;
        }
    }
}

/* ---- the thread ---- */

static void watch(struct app_library *library)
{
    double polled = base_clock_seconds();
    uint64_t told = 0; /* the revision of which all is told */
    while (!closes(library)) {
        /* Sleeps until something has happened, it is woken, or the time is over. */
        struct app_library_watch *from = library->watch;
        if (from->told == from->filled) {
            struct pollfd wait[2] = {{.fd = from->wake[0], .events = POLLIN},
                                     {.fd = from->events, .events = POLLIN}};
            (void)poll(wait, from->events >= 0 ? 2 : 1, (int)(save_seconds * 1000));
            char bytes[64];
            while (read(from->wake[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes) {
            }
        }
        take_events(library);
        if (base_clock_seconds() - polled > poll_seconds) {
            look_again(library, false);
            polled = base_clock_seconds();
        }
        find_returned(library);
        take_wanted(library);
        const uint64_t revision = app_library_state(library).revision;
        if (revision != told) {
            tell_roots(library);
            told = revision;
        }
        read_all(library);
        if (base_clock_seconds() - library->saved > save_seconds) {
            app_library_save(library);
        }
    }
}

void *app_library_scan(void *user)
{
    struct app_library *library = user;
    library->saved = base_clock_seconds();
    for (uint32_t i = 0; i < library->root_count && !closes(library); i++) {
        find_root(library, i, &library->sink);
        library->roots[i].held = count_presets(library, i, NULL);
        library->roots[i].gone = access(library->roots[i].path, F_OK) != 0;
    }
    (void)pthread_mutex_lock(&library->lock);
    library->listed = true;
    (void)pthread_cond_broadcast(&library->listed_some);
    (void)pthread_mutex_unlock(&library->lock);
    app_library_load_index(library);
    read_all(library);
    const bool regained = !closes(library) && app_library_regain(library);
    (void)pthread_mutex_lock(&library->lock);
    library->scanning = false;
    app_library_changed(library);
    (void)pthread_mutex_unlock(&library->lock);
    if (!closes(library)) {
        if (regained) {
            /* Before the index, by which it is seen that a file was edited. */
            app_library_save(library);
        }
        app_library_save_index(library);
        preset_index_free(&library->index);
    }
    watch(library);
    return NULL;
}

void app_library_read_touched(struct app_library *library)
{
    for (uint32_t i = 0; i < library->catalog.count; i++) {
        const struct preset_entry *entry = &library->catalog.entries[i];
        struct preset_found found;
        struct base_diag_list said = {0};
        if (entry->touched && !entry->known && !entry->gone &&
            read_preset(preset_catalog_path(&library->catalog, i), &found, &said)) {
            (void)pthread_mutex_lock(&library->lock);
            app_library_learn(library, i, &found);
            (void)pthread_mutex_unlock(&library->lock);
        }
    }
}
