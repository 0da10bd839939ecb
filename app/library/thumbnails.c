#include "app/library/thumbnails.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/io/picture.h"
#include "app/library/library.h"
#include "base/os/file.h"
#include "base/os/thread.h"
#include "renderer/renderer.h"

/* ---- thinning out the folder ---- */

enum { DIGITS = 16, NAME_SIZE = DIGITS + sizeof ".png", DAY = 24 * 60 * 60 };

struct file {
    char name[NAME_SIZE];
    int64_t used; /* its time of change, which app_thin_out_use sets too */
    uint64_t bytes;
};

struct files {
    struct file *items;
    size_t count;
    size_t capacity;
};

/* Lists the pictures of the folder; false if it was told not to go on. */
static bool list_files(const struct app_thin_out *setup, DIR *folder, struct files *files)
{
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        struct stat status;
        if (!setup->may_go_on(setup->user)) {
            return false;
        }
        if (app_thumbnail_is_name(entry->d_name) &&
            fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode)) {
            if (files->count == files->capacity) {
                const size_t capacity = 2 * files->capacity + 1024;
                struct file *items = realloc(files->items, capacity * sizeof *items);
                if (items == NULL) {
                    break;
                }
                files->items = items;
                files->capacity = capacity;
            }
            struct file *file = &files->items[files->count++];
            memcpy(file->name, entry->d_name, NAME_SIZE);
            file->used = status.st_mtime;
            file->bytes = (uint64_t)status.st_size;
        }
    }
    return true;
}

static int compare_use(const void *a, const void *b)
{
    const struct file *left = a;
    const struct file *right = b;
    const int by_use = (left->used > right->used) - (left->used < right->used);
    return by_use != 0 ? by_use : memcmp(left->name, right->name, NAME_SIZE);
}

static struct app_thinned delete_oldest(const struct app_thin_out *setup, DIR *folder,
                                        struct files *files)
{
    struct app_thinned left = {0};
    for (size_t i = 0; i < files->count; i++) {
        left.bytes += files->items[i].bytes;
    }
    qsort(files->items, files->count, sizeof *files->items, compare_use);
    const uint64_t wanted = left.bytes > setup->bytes_max ? setup->bytes : left.bytes;
    size_t next = 0;
    while (next < files->count && left.bytes > wanted && setup->may_go_on(setup->user)) {
        const struct file *file = &files->items[next++];
        if (unlinkat(dirfd(folder), file->name, 0) == 0 || errno == ENOENT) {
            left.bytes -= file->bytes;
        }
    }
    left.oldest = next < files->count ? files->items[next].used : 0;
    return left;
}

struct app_thinned app_thin_out(const struct app_thin_out *setup)
{
    struct files files = {0};
    struct app_thinned left = {0};
    DIR *folder = opendir(setup->folder);
    if (folder == NULL) {
        return left;
    }
    if (list_files(setup, folder, &files) && files.count > 0) {
        left = delete_oldest(setup, folder, &files);
    }
    free(files.items);
    (void)closedir(folder);
    return left;
}

void app_thin_out_use(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && time(NULL) - status.st_mtime > DAY) {
        (void)utimensat(AT_FDCWD, path, NULL, 0);
    }
}

/* ---- thumbnails ---- */

enum {
    KEPT = 1024, /* pictures in memory, as many as a grid shows; the others are read again */
    ASKED = 512, /* requests; the oldest are forgotten */
    PATH_SIZE = 4096,
    NICE = 10,
    OF_LATE = 7 * 24 * 60 * 60, /* seconds */
};

struct kept {
    uint64_t content;
    uint64_t used;    /* number of the last use */
    uint32_t *pixels; /* NULL: empty */
};

struct request {
    struct app_thumbnail_job job;
    bool looked; /* it is not in the cache */
};

struct app_thumbnails {
    struct app_thumbnails_setup setup; /* its texts are these: */
    char *folder;                      /* of the pictures; NULL: in memory only */
    char *textures;
    pthread_t thread;
    sem_t wake;
    atomic_bool allowed;
    atomic_bool closing;
    pthread_mutex_t lock; /* of all below */
    struct kept kept[KEPT];
    uint64_t uses;
    struct request asked[ASKED]; /* the newest last */
    size_t asked_count;
};

/* What the thread knows of the folder. */
struct cache {
    bool known;
    bool crowded;   /* almost full, and with what is used */
    uint64_t bytes; /* of the pictures there */
};

static bool closes(const struct app_thumbnails *thumbnails)
{
    return atomic_load_explicit(&thumbnails->closing, memory_order_relaxed);
}

/* ---- in memory; under the lock ---- */

static struct kept *find(struct app_thumbnails *thumbnails, uint64_t content)
{
    for (size_t i = 0; i < KEPT; i++) {
        struct kept *kept = &thumbnails->kept[i];
        if (kept->pixels != NULL && kept->content == content) {
            kept->used = ++thumbnails->uses;
            return kept;
        }
    }
    return NULL;
}

/* Returns an empty place, or the one that was not used for longest. */
static struct kept *oldest(struct app_thumbnails *thumbnails)
{
    struct kept *oldest = &thumbnails->kept[0];
    for (size_t i = 1; i < KEPT; i++) {
        struct kept *kept = &thumbnails->kept[i];
        if (oldest->pixels != NULL && (kept->pixels == NULL || kept->used < oldest->used)) {
            oldest = kept;
        }
    }
    return oldest;
}

bool app_thumbnails_get(struct app_thumbnails *thumbnails, const struct app_thumbnail_job *job,
                        uint32_t *pixels)
{
    (void)pthread_mutex_lock(&thumbnails->lock);
    const struct kept *kept = find(thumbnails, job->content);
    bool wakes = false;
    if (kept != NULL) {
        memcpy(pixels, kept->pixels, APP_THUMBNAIL_PIXELS * sizeof *pixels);
    } else {
        wakes = true;
        for (size_t i = 0; i < thumbnails->asked_count; i++) {
            wakes = wakes && thumbnails->asked[i].job.content != job->content;
        }
    }
    if (wakes) {
        if (thumbnails->asked_count == ASKED) {
            thumbnails->asked_count--;
            memmove(thumbnails->asked, thumbnails->asked + 1,
                    thumbnails->asked_count * sizeof *thumbnails->asked);
        }
        thumbnails->asked[thumbnails->asked_count++] = (struct request){*job, false};
    }
    (void)pthread_mutex_unlock(&thumbnails->lock);
    if (wakes) {
        app_thumbnails_wake(thumbnails);
    }
    return kept != NULL;
}

/* ---- on disk ---- */

static bool path_of(const struct app_thumbnails *thumbnails, uint64_t content, char *path)
{
    return thumbnails->folder != NULL &&
           app_thumbnail_path(thumbnails->folder, content, path, PATH_SIZE);
}

static bool load(struct app_thumbnails *thumbnails, uint64_t content, uint32_t *pixels)
{
    char path[PATH_SIZE];
    struct rend_picture picture;
    if (!path_of(thumbnails, content, path) ||
        app_picture_read(path, 0, REND_MEMORY, &picture, &thumbnails->closing, NULL) != 0) {
        return false;
    }
    const bool fits =
        picture.width == APP_THUMBNAIL_WIDTH && picture.height == APP_THUMBNAIL_HEIGHT;
    for (size_t i = 0; fits && i < APP_THUMBNAIL_PIXELS; i++) {
        pixels[i] = picture.pixels[i] & 0xFFFFFF;
    }
    free(picture.pixels);
    if (fits) {
        app_thin_out_use(path);
    }
    return fits;
}

static bool is_there(const struct app_thumbnails *thumbnails, uint64_t content)
{
    char path[PATH_SIZE];
    const bool there = path_of(thumbnails, content, path) && app_thumbnail_is_there(path);
    if (there) {
        app_thin_out_use(path);
    }
    return there;
}

static bool is_open(void *user)
{
    return !closes(user);
}

/* Makes room where too little is left. */
static void look_at_cache(struct app_thumbnails *thumbnails, struct cache *cache)
{
    const uint64_t limit = thumbnails->setup.cache_bytes;
    if (thumbnails->folder == NULL || (cache->known && cache->bytes <= limit)) {
        return;
    }
    const struct app_thinned left = app_thin_out(&(struct app_thin_out){
        .folder = thumbnails->folder,
        .bytes_max = limit,
        .bytes = limit - limit / 8,
        .user = thumbnails,
        .may_go_on = is_open,
    });
    *cache = (struct cache){
        .known = true,
        .crowded = left.bytes > limit - limit / 4 && left.oldest > time(NULL) - OF_LATE,
        .bytes = left.bytes,
    };
}

/* A picture that cannot be written is painted again another time. */
static bool save(struct app_thumbnails *thumbnails, struct cache *cache, uint64_t content,
                 const uint32_t *pixels)
{
    char path[PATH_SIZE];
    uint64_t bytes = 0;
    const bool saved = path_of(thumbnails, content, path) &&
                       base_folder_make(thumbnails->folder) == 0 &&
                       app_painter_write(path, pixels, &bytes) == 0;
    if (saved) {
        cache->bytes += bytes;
        look_at_cache(thumbnails, cache);
    }
    return saved;
}

/* ---- the thread ---- */

static void keep(struct app_thumbnails *thumbnails, uint64_t content, const uint32_t *pixels)
{
    struct kept *kept = find(thumbnails, content);
    kept = kept != NULL ? kept : oldest(thumbnails);
    if (kept->pixels == NULL) {
        kept->pixels = malloc(APP_THUMBNAIL_PIXELS * sizeof *kept->pixels);
    }
    if (kept->pixels != NULL) {
        memcpy(kept->pixels, pixels, APP_THUMBNAIL_PIXELS * sizeof *pixels);
        kept->content = content;
        kept->used = ++thumbnails->uses;
    }
}

/* keeps: in memory too. */
static void finish(struct app_thumbnails *thumbnails, const struct app_thumbnail_job *job,
                   const uint32_t *pixels, bool keeps)
{
    (void)pthread_mutex_lock(&thumbnails->lock);
    if (keeps) {
        keep(thumbnails, job->content, pixels);
    }
    size_t left = 0;
    for (size_t i = 0; i < thumbnails->asked_count; i++) {
        if (thumbnails->asked[i].job.content != job->content) {
            thumbnails->asked[left++] = thumbnails->asked[i];
        }
    }
    thumbnails->asked_count = left;
    (void)pthread_mutex_unlock(&thumbnails->lock);
    thumbnails->setup.done(thumbnails->setup.user, job);
}

/* The newest request; with `painted`, also one that is known not to be in the cache. */
static bool next_asked(struct app_thumbnails *thumbnails, bool painted,
                       struct app_thumbnail_job *job)
{
    bool any = false;
    (void)pthread_mutex_lock(&thumbnails->lock);
    for (size_t i = thumbnails->asked_count; !any && i-- > 0;) {
        struct request *request = &thumbnails->asked[i];
        any = painted || !request->looked;
        if (any) {
            *job = request->job;
            request->looked = true;
        }
    }
    (void)pthread_mutex_unlock(&thumbnails->lock);
    return any;
}

/* Serves a request that needs no painting. */
static bool serve(struct app_thumbnails *thumbnails, const struct app_thumbnail_job *job)
{
    uint32_t pixels[APP_THUMBNAIL_PIXELS];
    if (job->failed) {
        app_painter_grey(pixels);
    } else if (!load(thumbnails, job->content, pixels)) {
        return false;
    }
    finish(thumbnails, job, pixels, true);
    return true;
}

static void serve_asked(struct app_thumbnails *thumbnails)
{
    struct app_thumbnail_job job;
    while (!closes(thumbnails) && next_asked(thumbnails, false, &job)) {
        (void)serve(thumbnails, &job);
    }
}

/* Called between two steps of painting: waits until it may go on. False: never. */
static bool may_go_on(void *user)
{
    struct app_thumbnails *thumbnails = user;
    while (!closes(thumbnails) && !atomic_load(&thumbnails->allowed)) {
        serve_asked(thumbnails);
        (void)sem_wait(&thumbnails->wake);
    }
    return !closes(thumbnails);
}

/* What the thread works with. */
struct worker {
    struct app_painter painter;
    struct cache cache;
};

/* ahead: nobody has asked for it, so that its file is enough. */
static void paint(struct app_thumbnails *thumbnails, struct worker *worker,
                  const struct app_thumbnail_job *job, bool ahead)
{
    uint32_t pixels[APP_THUMBNAIL_PIXELS];
    const enum app_painted painted =
        app_painter_paint(&worker->painter, job->path, job->content, pixels);
    if (closes(thumbnails)) {
        return;
    }
    if (painted != APP_PAINTED) {
        app_painter_grey(pixels);
    }
    const bool saved =
        painted != APP_PAINT_CHANGED && save(thumbnails, &worker->cache, job->content, pixels);
    finish(thumbnails, job, pixels, !(ahead && saved));
}

/* Returns false when there is nothing to do for now. */
static bool work(struct app_thumbnails *thumbnails, struct worker *worker)
{
    struct app_thumbnail_job job;
    serve_asked(thumbnails);
    const bool allowed = atomic_load(&thumbnails->allowed);
    const bool asked = allowed && next_asked(thumbnails, true, &job);
    if (!asked &&
        (worker->cache.crowded || !thumbnails->setup.next(thumbnails->setup.user, &job))) {
        return false;
    }
    if (asked && serve(thumbnails, &job)) {
        return true;
    }
    if (!asked && (job.failed || is_there(thumbnails, job.content))) {
        thumbnails->setup.done(thumbnails->setup.user, &job);
        return true;
    }
    if (!allowed) {
        return false;
    }
    look_at_cache(thumbnails, &worker->cache);
    if (asked || !worker->cache.crowded) {
        paint(thumbnails, worker, &job, !asked);
    }
    return true;
}

static void *thumbnails_main(void *user)
{
    struct app_thumbnails *thumbnails = user;
    struct worker worker = {.painter = {.textures = {thumbnails->textures, &thumbnails->closing},
                                        .memory = thumbnails->setup.memory,
                                        .cpu = base_cpu_best(),
                                        .user = thumbnails,
                                        .may_go_on = may_go_on}};
    (void)setpriority(PRIO_PROCESS, 0, NICE); /* on Linux: of this thread */
    while (!closes(thumbnails)) {
        if (!work(thumbnails, &worker)) {
            (void)sem_wait(&thumbnails->wake);
        }
    }
    app_painter_free(&worker.painter);
    return NULL;
}

/* ---- beginning and end ---- */

static bool copy_setup(struct app_thumbnails *thumbnails, const struct app_thumbnails_setup *setup)
{
    static const char below[] = "/thumbnails";
    thumbnails->setup = *setup;
    if (setup->textures != NULL && (thumbnails->textures = strdup(setup->textures)) == NULL) {
        return false;
    }
    if (setup->cache == NULL) {
        return true;
    }
    const size_t size = strlen(setup->cache);
    thumbnails->folder = malloc(size + sizeof below);
    if (thumbnails->folder == NULL) {
        return false;
    }
    memcpy(thumbnails->folder, setup->cache, size);
    memcpy(thumbnails->folder + size, below, sizeof below);
    return true;
}

static void free_thumbnails(struct app_thumbnails *thumbnails)
{
    for (size_t i = 0; i < KEPT; i++) {
        free(thumbnails->kept[i].pixels);
    }
    free(thumbnails->folder);
    free(thumbnails->textures);
    (void)pthread_mutex_destroy(&thumbnails->lock);
    (void)sem_destroy(&thumbnails->wake);
    free(thumbnails);
}

struct app_thumbnails *app_thumbnails_start(const struct app_thumbnails_setup *setup)
{
    struct app_thumbnails *thumbnails = calloc(1, sizeof *thumbnails);
    if (thumbnails == NULL) {
        return NULL;
    }
    (void)sem_init(&thumbnails->wake, 0, 0);
    (void)pthread_mutex_init(&thumbnails->lock, NULL);
    if (!copy_setup(thumbnails, setup) ||
        pthread_create(&thumbnails->thread, NULL, thumbnails_main, thumbnails) != 0) {
        free_thumbnails(thumbnails);
        return NULL;
    }
    return thumbnails;
}

void app_thumbnails_stop(struct app_thumbnails *thumbnails)
{
    if (thumbnails == NULL) {
        return;
    }
    atomic_store(&thumbnails->closing, true);
    app_thumbnails_wake(thumbnails);
    (void)pthread_join(thumbnails->thread, NULL);
    free_thumbnails(thumbnails);
}

void app_thumbnails_idle(struct app_thumbnails *thumbnails, bool allowed)
{
    if (atomic_exchange(&thumbnails->allowed, allowed) != allowed && allowed) {
        app_thumbnails_wake(thumbnails);
    }
}

void app_thumbnails_wake(struct app_thumbnails *thumbnails)
{
    (void)sem_post(&thumbnails->wake);
}
