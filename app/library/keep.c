/* What is kept on disk: the list of opinions, verdicts, the index. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/library/inside.h"
#include "base/os/file.h"
#include "base/os/thread.h"

/* ---- verdicts ---- */

static const struct preset_opinion nothing = {0};

enum { TEXT_MAX = 64 * 1024 * 1024, VERDICTS_MAX = 1000000 };

static const double lock_seconds = 1;
static const double list_lock_seconds = 3;

static const char *const verdict_names[] = {
    [APP_VERDICT_UNKNOWN] = "unknown",
    [APP_VERDICT_OK] = "ok",
    [APP_VERDICT_DEGRADED] = "degraded",
    [APP_VERDICT_FAILED] = "failed",
};
enum { VERDICT_NAMES = sizeof verdict_names / sizeof *verdict_names };

struct verdict {
    uint64_t content;
    enum app_library_verdict verdict;
    bool own; /* set since the last writing */
};

struct app_verdicts {
    char path[APP_LIBRARY_PATH]; /* of the file; empty: nothing is kept */
    struct verdict *items;       /* by content */
    size_t count;
    size_t capacity;
};

/* Where the content stands or would stand. */
static size_t find_verdict(const struct app_verdicts *verdicts, uint64_t content)
{
    size_t low = 0;
    size_t high = verdicts->count;
    if (high > 0 && verdicts->items[high - 1].content < content) {
        return high;
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (verdicts->items[middle].content < content) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_judged(const struct app_verdicts *verdicts, size_t at, uint64_t content)
{
    return at < verdicts->count && verdicts->items[at].content == content;
}

static int compare_verdicts(const void *a, const void *b)
{
    const struct verdict *left = a;
    const struct verdict *right = b;
    return (left->content > right->content) - (left->content < right->content);
}

/* A row for each line that can be read, by content; NULL without memory. */
static struct verdict *read_lines(char *text, size_t *count)
{
    size_t lines = 1;
    for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n')) {
        lines++;
    }
    struct verdict *rows = calloc(lines, sizeof *rows);
    *count = 0;
    for (char *line = rows != NULL ? text : NULL; line != NULL && *count < VERDICTS_MAX;) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        struct verdict *row = &rows[*count];
        const struct base_span digits = {line, strcspn(line, " ")};
        if (base_content_read(&row->content, digits) && line[digits.size] == ' ') {
            size_t verdict = VERDICT_NAMES - 1;
            while (verdict > APP_VERDICT_UNKNOWN &&
                   strcmp(line + digits.size + 1, verdict_names[verdict]) != 0) {
                verdict--;
            }
            row->verdict = (enum app_library_verdict)verdict;
            *count += row->verdict != APP_VERDICT_UNKNOWN;
        }
        line = end != NULL ? end + 1 : NULL;
    }
    if (*count > 1) {
        qsort(rows, *count, sizeof *rows, compare_verdicts);
    }
    return rows;
}

static void take_verdicts(struct app_verdicts *verdicts)
{
    size_t size;
    size_t count;
    char *text = base_file_read(verdicts->path, TEXT_MAX, &size, NULL);
    struct verdict *rows = text != NULL ? read_lines(text, &count) : NULL;
    if (rows != NULL) {
        /* Takes the rows in; of two for a content one counts, the one that was set here before all.
         */
        struct verdict *merged = calloc(verdicts->count + count + 1, sizeof *merged);
        size_t used = 0;
        size_t mine = 0;
        size_t theirs = 0;
        if (merged != NULL) {
            while (mine < verdicts->count || theirs < count) {
                const bool from_file =
                    mine == verdicts->count ||
                    (theirs < count && rows[theirs].content < verdicts->items[mine].content);
                const struct verdict next = from_file ? rows[theirs++] : verdicts->items[mine++];
                struct verdict *last = used > 0 ? &merged[used - 1] : NULL;
                if (last == NULL || last->content != next.content) {
                    merged[used++] = next;
                } else if (!last->own) {
                    *last = next;
                }
            }
            free(verdicts->items);
            verdicts->items = merged;
            verdicts->count = used;
            verdicts->capacity = used;
        }
    }
    free(rows);
    free(text);
}

struct app_verdicts *app_verdicts_load(const char *folder)
{
    struct app_verdicts *verdicts = calloc(1, sizeof *verdicts);
    if (verdicts == NULL || folder == NULL) {
        return verdicts;
    }
    const int length = snprintf(verdicts->path, sizeof verdicts->path, "%s/verdicts.txt", folder);
    if (length < 0 || (size_t)length >= sizeof verdicts->path) {
        verdicts->path[0] = '\0';
    } else {
        take_verdicts(verdicts);
    }
    return verdicts;
}

void app_verdicts_free(struct app_verdicts *verdicts)
{
    if (verdicts != NULL) {
        free(verdicts->items);
        free(verdicts);
    }
}

enum app_library_verdict app_verdicts_get(const struct app_verdicts *verdicts, uint64_t content)
{
    const size_t at = find_verdict(verdicts, content);
    return is_judged(verdicts, at, content) ? verdicts->items[at].verdict : APP_VERDICT_UNKNOWN;
}

void app_verdicts_set(struct app_verdicts *verdicts, uint64_t content,
                      enum app_library_verdict verdict)
{
    const size_t at = find_verdict(verdicts, content);
    if (!is_judged(verdicts, at, content)) {
        if (verdicts->count == verdicts->capacity) {
            const size_t capacity = 2 * verdicts->capacity + 256;
            struct verdict *items = capacity <= VERDICTS_MAX
                                        ? realloc(verdicts->items, capacity * sizeof *items)
                                        : NULL;
            if (items == NULL) {
                return;
            }
            verdicts->items = items;
            verdicts->capacity = capacity;
        }
        memmove(verdicts->items + at + 1, verdicts->items + at,
                (verdicts->count - at) * sizeof *verdicts->items);
        verdicts->count++;
    }
    verdicts->items[at] = (struct verdict){content, verdict, true};
}

static char *print_verdicts(const struct app_verdicts *verdicts, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < verdicts->count; i++) {
        const struct verdict *item = &verdicts->items[i];
        if (item->verdict != APP_VERDICT_UNKNOWN) {
            (void)fprintf(out, "%016" PRIx64 " %s\n", item->content, verdict_names[item->verdict]);
        }
    }
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

int app_verdicts_save(struct app_verdicts *verdicts)
{
    if (verdicts->path[0] == '\0') {
        return 0;
    }
    const int lock = base_file_lock(verdicts->path, lock_seconds);
    take_verdicts(verdicts);
    size_t size;
    char *text = print_verdicts(verdicts, &size);
    const int result = text != NULL ? base_file_cache(verdicts->path, text, size) : -1;
    base_file_unlock(lock);
    free(text);
    for (size_t i = 0; result == 0 && i < verdicts->count; i++) {
        verdicts->items[i].own = false;
    }
    return result;
}

/* ---- what the library keeps of these ---- */

/* Of the index, those of files that are not in the catalogue included. */
enum { ROWS_MAX = 200000 };

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

/* Warns once of each kind: a full disk would warn again and again. */
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

/* ---- what an edit has left behind ---- */

int app_library_compare_contents(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void cross_out(uint64_t *contents, bool *known, size_t count, uint64_t content)
{
    const uint64_t *at =
        count > 0 ? bsearch(&content, contents, count, sizeof content, app_library_compare_contents)
                  : NULL;
    if (at != NULL) {
        known[at - contents] = true;
    }
}

/* Takes out the rows of texts that were edited long ago and are in no file that is known: neither
 * in the library, all of which must have been read, nor in the index, which also has the files of
 * other folders. What was thought of them is kept with the text that they became. */
static void prune(struct app_library *library)
{
    size_t count = 0;
    (void)pthread_mutex_lock(&library->lock);
    bool sure = library->listed && !library->scanning;
    uint64_t *contents = sure ? app_library_opinions_old(&library->opinions, &count) : NULL;
    bool *known = contents != NULL ? calloc(count, sizeof *known) : NULL;
    for (uint32_t i = 0; known != NULL && i < library->catalog.count; i++) {
        const struct preset_entry *entry = &library->catalog.entries[i];
        sure = sure && (entry->known || entry->gone);
        cross_out(contents, known, count, entry->content);
    }
    (void)pthread_mutex_unlock(&library->lock);
    struct preset_index index = {0};
    sure = sure && known != NULL && app_library_read_index(library, &index) && index.count > 0;
    for (size_t i = 0; sure && i < index.count; i++) {
        cross_out(contents, known, count, index.rows[i].content);
    }
    (void)pthread_mutex_lock(&library->lock);
    for (size_t i = 0; sure && i < count; i++) {
        if (!known[i] && app_library_opinions_left(&library->opinions, contents[i])) {
            (void)app_library_opinions_set(&library->opinions, contents[i], "", &nothing);
        }
    }
    (void)pthread_mutex_unlock(&library->lock);
    preset_index_free(&index);
    free(known);
    free(contents);
}

/* ---- the file ---- */

static void say(const struct app_library *library, enum base_severity severity, const char *path,
                const char *what, const char *more)
{
    base_report(&library->sink, severity, (struct base_place){.file = path}, NULL, "%s%s", what,
                more);
}

/* The nth name for what could not be read: library.yaml.unread, library.yaml.unread-2, ... */
static bool name_aside(const struct app_library *library, int number, char *path)
{
    char name[64];
    (void)snprintf(name, sizeof name, number > 1 ? "library.yaml.unread-%d" : "library.yaml.unread",
                   number);
    return app_library_join(path, library->data, name);
}

enum { ASIDE_MAX = 10000 };

/* Keeps a copy of a text of which not everything was understood, unless there is one. */
static bool keep_copy(struct app_library *library, struct base_span text)
{
    char path[APP_LIBRARY_PATH];
    for (int i = 1; i < ASIDE_MAX && name_aside(library, i, path); i++) {
        size_t size = 0;
        if (base_file_write(path, text.data, text.size, BASE_FILE_NEW) == 0) {
            say(library, BASE_WARNING, path, "the list as it was, with what could not be read", "");
            return true;
        }
        if (errno != EEXIST) {
            return false;
        }
        char *old = base_file_read(path, text.size + 1, &size, NULL);
        const bool same =
            old != NULL && size == text.size && memcmp(old, text.data, text.size) == 0;
        free(old);
        if (same) {
            return true;
        }
    }
    return false;
}

/* What stands there and cannot be read at all is somebody's all the same: it gets a name of its
 * own. */
static bool put_aside(struct app_library *library, const char *path)
{
    char aside[APP_LIBRARY_PATH];
    for (int i = 1; i < ASIDE_MAX && name_aside(library, i, aside); i++) {
        struct stat facts;
        if (lstat(aside, &facts) != 0) {
            if (errno != ENOENT || rename(path, aside) != 0) {
                return false;
            }
            say(library, BASE_WARNING, path, "a new list is begun; what stood there is ", aside);
            return true;
        }
    }
    return false;
}

/* Whether trying again may help. */
static bool passes(int error)
{
    return error == ENOMEM || error == EMFILE || error == ENFILE || error == EINTR ||
           error == EAGAIN;
}

static char *read_text(const char *path, size_t *size)
{
    char *text = base_file_read(path, (size_t)APP_LIBRARY_OPINIONS_TEXT + 1, size, NULL);
    if (text != NULL && *size > APP_LIBRARY_OPINIONS_TEXT) {
        free(text);
        text = NULL;
        errno = EFBIG;
    }
    return text;
}

static bool is_missing(int error)
{
    return error == ENOENT || error == ENOTDIR;
}

void app_library_load_opinions(struct app_library *library)
{
    char path[APP_LIBRARY_PATH];
    struct app_library_opinions theirs;
    size_t size;
    if (!app_library_join(path, library->data, "library.yaml")) {
        return;
    }
    char *text = read_text(path, &size);
    if (text == NULL && !is_missing(errno)) {
        say(library, BASE_ERROR, path,
            "cannot read: ", errno == EINVAL ? "not a file" : strerror(errno));
    } else if (text != NULL) {
        const struct base_span span = {text, size};
        if (app_library_opinions_read(&theirs, path, span, &library->sink) != 0) {
            say(library, BASE_ERROR, path, "cannot read: ", "not enough memory");
        } else if (app_library_opinions_take(&library->opinions, &theirs)) {
            library->opinions.damaged = theirs.damaged;
            library->opinions.hash = base_content_hash(text, size);
        }
        app_library_opinions_free(&theirs);
    }
    free(text);
}

void app_library_show_opinions(struct app_library *library)
{
    bool any = false;
    for (uint32_t i = 0; i < library->catalog.count; i++) {
        struct preset_entry *entry = &library->catalog.entries[i];
        if (entry->known && !entry->touched && entry->content != 0) {
            const struct preset_opinion *now =
                app_library_opinions_get(&library->opinions, entry->content);
            now = now != NULL ? now : &nothing;
            if (!app_library_opinions_equal(now, &entry->opinion)) {
                any = preset_opinion_copy(&entry->opinion, now) || any;
            }
        }
    }
    if (any) {
        app_library_changed(library);
    }
}

/* Takes in what the file holds by now, and makes ready that it may be written over. Returns 0, or
 * -1 with errno: it must not be. */
static int take_file(struct app_library *library, const char *path)
{
    struct app_library_opinions theirs;
    struct app_library_opinions *mine = &library->opinions;
    size_t size = 0;
    char *text = read_text(path, &size);
    if (text == NULL) {
        return is_missing(errno) || (!passes(errno) && put_aside(library, path)) ? 0 : -1;
    }
    const struct base_span span = {text, size};
    const uint64_t hash = base_content_hash(text, size);
    int result = 0;
    /* An empty file is one that was lost with the power, not a wish to forget everything. */
    if (size > 0 && hash != mine->hash) {
        result = app_library_opinions_read(&theirs, path, span, &library->sink);
        if (result == 0) {
            (void)pthread_mutex_lock(&library->lock);
            result = app_library_opinions_take(mine, &theirs) ? 0 : -1;
            if (result == 0) {
                mine->damaged = theirs.damaged;
                mine->hash = hash;
                app_library_show_opinions(library);
            }
            (void)pthread_mutex_unlock(&library->lock);
            app_library_opinions_free(&theirs);
        }
        errno = ENOMEM;
    }
    if (result == 0 && size > 0 && mine->damaged) {
        result = keep_copy(library, span) ? 0 : -1;
        mine->damaged = result != 0;
    }
    const int error = errno;
    free(text);
    errno = error;
    return result;
}

/* Opinions for which there was no memory when they were given. Under the lock. */
static bool take_touched(struct app_library *library)
{
    bool all = true;
    for (uint32_t i = 0; i < library->catalog.count; i++) {
        struct preset_entry *entry = &library->catalog.entries[i];
        if (entry->touched && entry->known && entry->content != 0) {
            entry->touched = !app_library_opinions_set(&library->opinions, entry->content,
                                                       preset_catalog_name(&library->catalog, i),
                                                       &entry->opinion);
            all = all && !entry->touched;
        }
    }
    return all;
}

static int write_list(struct app_library *library, const char *path)
{
    struct app_library_opinions changes = {0};
    size_t size = 0;
    (void)pthread_mutex_lock(&library->lock);
    library->opinions_changed = false;
    const bool all = take_touched(library);
    char *text = app_library_opinions_changes(&library->opinions, &changes)
                     ? app_library_opinions_print(&library->opinions, &size)
                     : NULL;
    (void)pthread_mutex_unlock(&library->lock);
    errno = ENOMEM;
    const int result = text != NULL ? base_file_save(path, text, size) : -1;
    const int error = errno;
    (void)pthread_mutex_lock(&library->lock);
    if (result == 0) {
        app_library_opinions_note(&library->opinions, &changes);
        library->opinions.hash = base_content_hash(text, size);
    }
    (void)pthread_mutex_unlock(&library->lock);
    app_library_opinions_free(&changes);
    free(text);
    errno = all ? error : ENOMEM;
    return all ? result : -1;
}

int app_library_save_opinions(struct app_library *library)
{
    char path[APP_LIBRARY_PATH];
    (void)pthread_mutex_lock(&library->lock);
    const bool wanted = library->opinions_changed;
    (void)pthread_mutex_unlock(&library->lock);
    if (!wanted || !app_library_join(path, library->data, "library.yaml")) {
        return 0;
    }
    int result = base_folder_make(library->data);
    if (result == 0) {
        /* One that is stuck must not keep the others from writing for ever. */
        const int lock = base_file_lock(path, list_lock_seconds);
        prune(library);
        result = take_file(library, path);
        result = result == 0 ? write_list(library, path) : -1;
        const int error = errno;
        base_file_unlock(lock);
        errno = error;
    }
    if (result != 0) {
        const int error = errno;
        (void)pthread_mutex_lock(&library->lock);
        library->opinions_changed = true;
        (void)pthread_mutex_unlock(&library->lock);
        errno = error;
    }
    return result;
}

void app_library_load_words(struct app_library *library, const char *path)
{
    char own[APP_LIBRARY_PATH];
    struct base_file file;
    if (path == NULL &&
        (!app_library_join(own, library->data, "words.txt") || access(own, F_OK) != 0)) {
        return;
    }
    path = path != NULL ? path : own;
    if (base_file_load(&file, path, PRESET_WORDS_TEXT, &library->sink) == 0) {
        (void)preset_words_read(&library->words, path, (struct base_span){file.data, file.size},
                                &library->sink);
        base_file_free(&file);
    }
}

void app_library_save(struct app_library *library)
{
    char path[APP_LIBRARY_PATH];
    if (app_library_save_opinions(library) != 0 &&
        app_library_join(path, library->data, "library.yaml")) {
        warn(library, &library->warned_of_opinions, path,
             "ratings, favourites and tags are lost at the end if this stays so");
    }
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
    if (any && app_verdicts_save(library->verdicts) != 0) {
        warn_of_cache(library, library->cache);
    }
    library->saved = base_clock_seconds();
}

/* ---- the index ---- */

bool app_library_read_index(const struct app_library *library, struct preset_index *index)
{
    char path[APP_LIBRARY_PATH];
    size_t size;
    bool read = false;
    *index = (struct preset_index){0};
    char *text = app_library_join(path, library->cache, "index.txt")
                     ? base_file_read(path, PRESET_INDEX_TEXT, &size, NULL)
                     : NULL;
    if (text != NULL) {
        read = preset_index_read(index, (struct base_span){text, size});
    }
    free(text);
    return read;
}

void app_library_load_index(struct app_library *library)
{
    (void)app_library_read_index(library, &library->index);
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
        (void)pthread_mutex_lock(&library->lock);
        const struct preset_entry *entry = &library->catalog.entries[i];
        const char *text = preset_catalog_path(&library->catalog, i);
        memcpy(path, text, strlen(text) + 1);
        row = (struct preset_found){
            path, entry->stamp, entry->content, entry->file_stars, entry->refused, 0};
        if (entry->former != 0) {
            /* Whoever reads the file next is to see again that it was edited. */
            row.stamp = (struct preset_stamp){0};
            row.content = entry->former;
        }
        const bool known = entry->known && !entry->gone && entry->content != 0;
        (void)pthread_mutex_unlock(&library->lock);
        if (known) {
            preset_index_print(out, &row);
            rows++;
        }
    }
    (void)app_library_read_index(library, &old);
    for (size_t i = 0; i < old.count && rows < ROWS_MAX; i++) {
        (void)pthread_mutex_lock(&library->lock);
        const uint32_t number = preset_catalog_find(&library->catalog, old.rows[i].path);
        (void)pthread_mutex_unlock(&library->lock);
        if (number == PRESET_NONE) {
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
    if (fclose(out) == 0 && !failed && base_file_cache(path, text, size) != 0) {
        warn_of_cache(library, path);
    }
    library->index_changed = false;
    free(text);
}
