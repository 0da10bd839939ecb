/* froth library: thumbnails of many presets. A picture is named by its preset's content, and has
 * the same bytes wherever it is painted, so parts that were made by many machines are one folder.
 */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/check/shards.h"
#include "app/io/picture.h"
#include "app/io/progress.h"
#include "app/library/painter.h"
#include "app/options/options.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "presets/library/find.h"

enum { PATH = 4096, THREADS = 64 };

static const struct base_place NOWHERE = {0};

static int fail(const char *file, const char *hint, const char *what,
                const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = file}, hint, "%s", what);
    return -1;
}

/* The folder that -o names, or that of froth play. Returns 0, or -1 with a message. */
static int open_folder(const struct app_options *options, char folder[static PATH])
{
    const char *output = options->output;
    const bool named = output != NULL
                           ? snprintf(folder, PATH, "%s", output) < PATH
                           : base_folder_path(BASE_FOLDER_CACHE, "/thumbnails", folder, PATH);
    if (!named) {
        return fail(output, "-o FOLDER", "there is no such folder for thumbnails",
                    &base_diag_stderr);
    }
    return base_folder_make(folder) == 0 ? 0
                                         : fail(folder, NULL, strerror(errno), &base_diag_stderr);
}

/* ---- painting ---- */

struct gallery {
    const struct app_options *options;
    const char *folder;
    const struct preset_list *list;
    struct base_diag_sink sink;
    atomic_size_t next;   /* in the list */
    pthread_mutex_t lock; /* of what is below */
    struct app_progress progress;
    size_t painted;
    size_t there;
    size_t grey;
    size_t failed;
    size_t done;
};

static bool may_go_on(void *user)
{
    (void)user;
    return !base_stop_wanted();
}

/* Counts a preset as one of these; what: an error, or NULL. */
static void count(struct gallery *gallery, size_t *kind, const char *path, const char *what)
{
    (void)pthread_mutex_lock(&gallery->lock);
    if (what != NULL) {
        (void)fail(path, NULL, what, &gallery->sink);
    }
    ++*kind;
    app_progress_step(&gallery->progress, ++gallery->done);
    (void)pthread_mutex_unlock(&gallery->lock);
}

static void make(struct gallery *gallery, struct app_painter *painter, const char *path)
{
    uint32_t pixels[APP_THUMBNAIL_PIXELS];
    char picture[PATH + 32];
    size_t size = 0;
    uint64_t bytes = 0;
    char *data = base_file_read(path, BASE_CONTENT_MAX, &size, NULL);
    if (data == NULL) {
        count(gallery, &gallery->failed, path, strerror(errno));
        return;
    }
    const uint64_t content = base_content_hash(data, size);
    free(data);
    (void)app_thumbnail_path(gallery->folder, content, picture, sizeof picture);
    if (app_thumbnail_is_there(picture)) {
        count(gallery, &gallery->there, path, NULL);
        return;
    }
    const enum app_painted painted = app_painter_paint(painter, path, content, pixels);
    if (painted == APP_PAINT_CHANGED) {
        if (!base_stop_wanted()) {
            count(gallery, &gallery->failed, path, "it was changed while it was painted");
        }
        return;
    }
    if (painted == APP_PAINT_FAILED) {
        app_painter_grey(pixels);
    }
    if (app_painter_write(picture, pixels, &bytes) != 0) {
        count(gallery, &gallery->failed, picture, strerror(errno));
        return;
    }
    count(gallery, painted == APP_PAINTED ? &gallery->painted : &gallery->grey, path, NULL);
}

static void *paint_all(void *user)
{
    struct gallery *gallery = user;
    struct app_painter painter = {
        .textures = {gallery->options->textures, NULL},
        .memory = app_options_memory(gallery->options),
        .cpu = app_options_cpu(gallery->options),
        .user = gallery,
        .may_go_on = may_go_on,
    };
    size_t at = atomic_fetch_add(&gallery->next, 1);
    for (; at < gallery->list->count && !base_stop_wanted();
         at = atomic_fetch_add(&gallery->next, 1)) {
        make(gallery, &painter, gallery->list->paths[at]);
    }
    app_painter_free(&painter);
    return NULL;
}

static void run(struct gallery *gallery)
{
    pthread_t threads[THREADS];
    const size_t wanted = app_options_threads(gallery->options);
    size_t started = 0;
    while (started + 1 < wanted && started < THREADS &&
           pthread_create(&threads[started], NULL, paint_all, gallery) == 0) {
        started++;
    }
    (void)paint_all(gallery);
    for (size_t i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
}

static int paint(const struct app_options *options, struct preset_list *list)
{
    char folder[PATH];
    struct gallery gallery = {.options = options, .folder = folder, .list = list};
    if (open_folder(options, folder) != 0) {
        return -1;
    }
    (void)pthread_mutex_init(&gallery.lock, NULL);
    app_progress_begin(&gallery.progress, stderr, "presets", list->count > 0 ? list->count : 1);
    gallery.sink = app_progress_sink(&gallery.progress);
    run(&gallery);
    app_progress_end(&gallery.progress, gallery.done, gallery.done == list->count);
    (void)pthread_mutex_destroy(&gallery.lock);
    base_report(&base_diag_stderr, BASE_NOTE, (struct base_place){.file = folder}, NULL,
                "%zu preset%s: %zu painted, %zu there before, %zu that cannot be shown %s grey",
                list->count, base_plural(list->count), gallery.painted, gallery.there, gallery.grey,
                gallery.grey == 1 ? "is" : "are");
    return gallery.done == list->count && gallery.failed == 0 ? 0
           : base_stop_wanted() ? fail(NULL, NULL, "stopped", &base_diag_stderr)
                                : -1;
}

static int thumbnails(const struct app_options *options)
{
    struct preset_list list = {0};
    struct app_check_shard shard;
    int failed = 0;
    for (size_t i = 1; i < options->input_count; i++) {
        failed |= preset_list_add(&list, options->inputs[i], &base_diag_stderr);
    }
    if (list.count == 0 ||
        (options->shard != NULL &&
         app_check_shard_cut(&shard, &list, options->shard, &base_diag_stderr) != 0)) {
        failed = -1;
    } else {
        failed |= paint(options, &list);
    }
    preset_list_free(&list);
    return failed;
}

/* ---- one folder of many ---- */

/* Takes a picture over that can be read, unless there is one. Returns 0, or -1 with a message. */
static int take(const char *from, const char *to, size_t *taken)
{
    enum { MOST = 1 << 20 };
    struct rend_picture picture;
    struct base_file file;
    if (app_picture_read(from, 0, REND_MEMORY, &picture, NULL, &base_diag_stderr) != 0) {
        return -1;
    }
    free(picture.pixels);
    if (picture.width != APP_THUMBNAIL_WIDTH || picture.height != APP_THUMBNAIL_HEIGHT) {
        return fail(from, NULL, "this is no thumbnail: it has another size", &base_diag_stderr);
    }
    if (base_file_load(&file, from, MOST, &base_diag_stderr) != 0) {
        return -1;
    }
    const int result = base_file_write(to, file.data, file.size, BASE_FILE_NEW);
    const int error = errno;
    base_file_free(&file);
    *taken += result == 0;
    return result == 0 || error == EEXIST ? 0 : fail(to, NULL, strerror(error), &base_diag_stderr);
}

static int join_folder(const char *from, const char *to, size_t *found, size_t *taken)
{
    DIR *entries = opendir(from);
    const struct dirent *entry;
    int result = 0;
    if (entries == NULL) {
        return fail(from, NULL, strerror(errno), &base_diag_stderr);
    }
    while (!base_stop_wanted() && (entry = readdir(entries)) != NULL) {
        char here[PATH + 256];
        char there[PATH + 256];
        if (app_thumbnail_is_name(entry->d_name)) {
            (void)snprintf(here, sizeof here, "%s/%s", from, entry->d_name);
            (void)snprintf(there, sizeof there, "%s/%s", to, entry->d_name);
            ++*found;
            result |= take(here, there, taken);
        }
    }
    (void)closedir(entries);
    return result;
}

static int join(const struct app_options *options)
{
    char folder[PATH];
    size_t found = 0;
    size_t taken = 0;
    int result = open_folder(options, folder);
    for (size_t i = 1; result == 0 && i < options->input_count; i++) {
        result |= join_folder(options->inputs[i], folder, &found, &taken);
    }
    base_report(&base_diag_stderr, BASE_NOTE, (struct base_place){.file = folder}, NULL,
                "%zu thumbnail%s, of which %zu %s not there", found, base_plural(found), taken,
                taken == 1 ? "was" : "were");
    return base_stop_wanted() ? fail(NULL, NULL, "stopped", &base_diag_stderr) : result;
}

/* ---- the command ---- */

int app_gallery(const struct app_options *options)
{
    static const struct {
        const char *name;
        int (*function)(const struct app_options *options);
    } works[] = {{"thumbnails", thumbnails}, {"join", join}};
    const char *name = options->input_count > 0 ? options->inputs[0] : "";
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        if (strcmp(name, works[i].name) == 0 && options->input_count > 1) {
            struct base_stop stop;
            base_stop_begin(&stop);
            const int result = works[i].function(options);
            base_stop_end(&stop);
            return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
        }
    }
    char hint[96];
    struct base_closest closest = {0};
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        if (strcmp(name, works[i].name) != 0) {
            base_closest_try(&closest, name, works[i].name);
        }
    }
    base_closest_hint(&closest, "see 'froth help library'", hint, sizeof hint);
    base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, hint,
                "library needs what to do and with what: thumbnails PRESET|FOLDER, or join FOLDER");
    return APP_EXIT_USAGE;
}
