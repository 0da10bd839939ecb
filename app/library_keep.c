/* What the library keeps on disk: opinions, verdicts, the index. */
#include "app/library_inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/clock.h"
#include "app/whole_file.h"
#include "base/file.h"
#include "base/yaml.h"

enum {
    ROWS_MAX = 200000
}; /* of the index, those of files that are not in the catalogue included */

bool app_library_join(char *path, const char *folder, const char *name)
{
    const int length =
        folder != NULL ? snprintf(path, APP_LIBRARY_PATH, "%s/%s", folder, name) : -1;
    return length >= 0 && length < APP_LIBRARY_PATH;
}

struct preset_stamp app_library_stamp(const struct stat *facts)
{
    return (struct preset_stamp){facts->st_size > 0 ? (uint64_t)facts->st_size : 0,
                                 (int64_t)facts->st_mtim.tv_sec, (int64_t)facts->st_mtim.tv_nsec};
}

/* Once of each kind: a full disk would say it again and again. */
static void warn(struct app_library *library, bool *warned, const char *path, const char *hint)
{
    if (!*warned) {
        *warned = true;
        base_report(&library->sink, BASE_WARNING, (struct base_place){.file = path}, hint,
                    "cannot write: %s", strerror(errno));
    }
}

static void warn_of_cache(struct app_library *library, const char *path)
{
    warn(library, &library->warned_of_cache, path, NULL);
}

/* ---- opinions ---- */

/* A file that was not read or not understood is somebody's work: it is not written over. */
static void put_aside(struct app_library *library, const char *path)
{
    char aside[APP_LIBRARY_PATH];
    if (app_library_join(aside, library->data, "library.yaml.unread") && rename(path, aside) == 0) {
        base_report(&library->sink, BASE_WARNING, (struct base_place){.file = path}, NULL,
                    "the file now is library.yaml.unread, and a new one is begun");
    }
}

void app_library_load_opinions(struct app_library *library)
{
    char path[APP_LIBRARY_PATH];
    size_t size;
    if (!app_library_join(path, library->data, "library.yaml")) {
        return;
    }
    char *text = base_file_read(path, BASE_YAML_TEXT + 1, &size, NULL);
    if (text == NULL && errno != ENOENT && errno != ENOTDIR) {
        base_report(&library->sink, BASE_ERROR, (struct base_place){.file = path}, NULL,
                    "cannot read: %s", errno == EINVAL ? "not a file" : strerror(errno));
        put_aside(library, path);
    } else if (text != NULL &&
               app_library_opinions_read(&library->opinions, path, (struct base_span){text, size},
                                         &library->sink) != 0) {
        put_aside(library, path);
    }
    free(text);
}

static void save_opinions(struct app_library *library)
{
    char path[APP_LIBRARY_PATH];
    char *text = NULL;
    size_t size = 0;
    const bool kept = app_library_join(path, library->data, "library.yaml");
    (void)pthread_mutex_lock(&library->lock);
    const bool wanted = kept && library->opinions_changed;
    if (wanted) {
        text = app_library_opinions_print(&library->opinions, &size);
    }
    library->opinions_changed = false;
    (void)pthread_mutex_unlock(&library->lock);
    if (wanted && (text == NULL || app_whole_file_write(path, text, size) != 0)) {
        warn(library, &library->warned_of_opinions, path,
             "ratings, favourites and tags are lost at the end if this stays so");
        (void)pthread_mutex_lock(&library->lock);
        library->opinions_changed = true;
        (void)pthread_mutex_unlock(&library->lock);
    }
    free(text);
}

/* ---- verdicts ---- */

static bool collect_verdicts(struct app_library *library)
{
    bool any = false;
    bool left = false;
    (void)pthread_mutex_lock(&library->lock);
    for (uint32_t i = 0; library->verdicts_changed && i < library->catalog.count; i++) {
        struct preset_entry *entry = &library->catalog.entries[i];
        if (entry->judged && entry->known && entry->content != 0) {
            app_verdicts_set(library->verdicts, entry->content,
                             (enum app_library_verdict)entry->verdict);
            entry->judged = false;
            any = true;
        }
        left = left || entry->judged;
    }
    library->verdicts_changed = left;
    (void)pthread_mutex_unlock(&library->lock);
    return any;
}

void app_library_save(struct app_library *library)
{
    save_opinions(library);
    if (collect_verdicts(library) && app_verdicts_save(library->verdicts) != 0) {
        warn_of_cache(library, library->cache);
    }
    library->saved = app_clock_seconds();
}

/* ---- the index ---- */

static void read_index(const struct app_library *library, struct preset_index *index)
{
    char path[APP_LIBRARY_PATH];
    size_t size;
    *index = (struct preset_index){0};
    char *text = app_library_join(path, library->cache, "index.txt")
                     ? base_file_read(path, PRESET_INDEX_TEXT, &size, NULL)
                     : NULL;
    if (text != NULL) {
        (void)preset_index_read(index, (struct base_span){text, size});
    }
    free(text);
}

void app_library_load_index(struct app_library *library)
{
    read_index(library, &library->index);
}

bool app_library_recall(const struct app_library *library, const char *path,
                        const struct preset_stamp *stamp, struct preset_found *found)
{
    const struct preset_found *row = preset_index_find(&library->index, path);
    const bool same = row != NULL && preset_stamp_equal(&row->stamp, stamp);
    if (same) {
        *found = *row;
    }
    return same;
}

/* The entry as a row; false: nothing is known of it. */
static bool row_of(struct app_library *library, uint32_t number, struct preset_found *row,
                   char *path)
{
    (void)pthread_mutex_lock(&library->lock);
    const struct preset_entry *entry = &library->catalog.entries[number];
    const char *text = preset_catalog_path(&library->catalog, number);
    memcpy(path, text, strlen(text) + 1);
    *row =
        (struct preset_found){path, entry->stamp, entry->content, entry->own_stars, entry->refused};
    const bool known = entry->known && !entry->gone && entry->content != 0;
    (void)pthread_mutex_unlock(&library->lock);
    return known;
}

static uint32_t number_of(struct app_library *library, const char *path)
{
    (void)pthread_mutex_lock(&library->lock);
    const uint32_t number = preset_catalog_find(&library->catalog, path);
    (void)pthread_mutex_unlock(&library->lock);
    return number;
}

static void print_index(struct app_library *library, FILE *out)
{
    struct preset_index old;
    struct preset_found row;
    char path[PRESET_PATH_MAX + 1];
    size_t rows = 0;
    preset_index_begin(out);
    (void)pthread_mutex_lock(&library->lock);
    const uint32_t count = library->catalog.count;
    (void)pthread_mutex_unlock(&library->lock);
    for (uint32_t i = 0; i < count; i++) {
        if (row_of(library, i, &row, path)) {
            preset_index_print(out, &row);
            rows++;
        }
    }
    read_index(library, &old);
    for (size_t i = 0; i < old.count && rows < ROWS_MAX; i++) {
        if (number_of(library, old.rows[i].path) == PRESET_NONE) {
            preset_index_print(out, &old.rows[i]);
            rows++;
        }
    }
    preset_index_free(&old);
}

void app_library_save_index(struct app_library *library)
{
    char path[APP_LIBRARY_PATH];
    char *text = NULL;
    size_t size = 0;
    if (!library->index_changed || !app_library_join(path, library->cache, "index.txt")) {
        return;
    }
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return;
    }
    print_index(library, out);
    const bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed && app_whole_file_write(path, text, size) != 0) {
        warn_of_cache(library, path);
    }
    library->index_changed = false;
    free(text);
}
