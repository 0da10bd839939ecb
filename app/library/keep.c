#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/library/inside.h"
#include "base/os/clock.h"
#include "base/os/content_hash.h"
#include "base/os/file.h"
#include "base/os/yaml.h"

struct reader {
    struct app_library_opinions *opinions;
    const char *path;
    const struct base_diag_sink *sink;
};

static void warn_at(const struct reader *reader, uint32_t line, uint32_t column, const char *what)
{
    base_report(reader->sink, BASE_WARNING, (struct base_place){reader->path, line, column},
                "it is left out", "%s", what);
}

void app_library_opinions_free(struct app_library_opinions *opinions)
{
    for (size_t i = 0; i < opinions->count; i++) {
        free(opinions->items[i].name);
        free(opinions->items[i].opinion.tags);
    }
    free(opinions->items);
    *opinions = (struct app_library_opinions){0};
}

/* ---- the table ---- */

static int compare(const void *a, const void *b)
{
    const struct app_library_opinion *left = a;
    const struct app_library_opinion *right = b;
    return (left->content > right->content) - (left->content < right->content);
}

/* Returns how many entries come before the content. */
static size_t rank_of(const struct app_library_opinions *opinions, uint64_t content)
{
    size_t low = 0;
    size_t high = opinions->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (opinions->items[middle].content < content) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_at(const struct app_library_opinions *opinions, size_t at, uint64_t content)
{
    return at < opinions->count && opinions->items[at].content == content;
}

const struct preset_opinion *app_library_opinions_get(const struct app_library_opinions *opinions,
                                                      uint64_t content)
{
    const size_t at = rank_of(opinions, content);
    return is_at(opinions, at, content) ? &opinions->items[at].opinion : NULL;
}

static bool make_room(struct app_library_opinions *opinions)
{
    if (opinions->count < opinions->capacity) {
        return true;
    }
    const size_t capacity = 2 * opinions->capacity + 64;
    struct app_library_opinion *items = realloc(opinions->items, capacity * sizeof *items);
    if (items == NULL) {
        return false;
    }
    opinions->items = items;
    opinions->capacity = capacity;
    return true;
}

bool app_library_opinions_set(struct app_library_opinions *opinions, uint64_t content,
                              const char *name, const struct preset_opinion *opinion)
{
    const size_t at = rank_of(opinions, content);
    const bool there = is_at(opinions, at, content);
    if (preset_opinion_empty(opinion)) {
        if (there) {
            free(opinions->items[at].name);
            free(opinions->items[at].opinion.tags);
            opinions->count--;
            memmove(opinions->items + at, opinions->items + at + 1,
                    (opinions->count - at) * sizeof *opinions->items);
        }
        return true;
    }
    if (there) {
        return preset_opinion_copy(&opinions->items[at].opinion, opinion);
    }
    struct app_library_opinion item = {.content = content, .name = strdup(name)};
    if (item.name == NULL || !make_room(opinions) || !preset_opinion_copy(&item.opinion, opinion)) {
        free(item.name);
        return false;
    }
    memmove(opinions->items + at + 1, opinions->items + at,
            (opinions->count - at) * sizeof *opinions->items);
    opinions->items[at] = item;
    opinions->count++;
    return true;
}

bool app_library_opinions_rename(struct app_library_opinions *opinions, uint64_t from, uint64_t to)
{
    const size_t old = rank_of(opinions, from);
    if (!is_at(opinions, old, from)) {
        return false;
    }
    struct app_library_opinion item = opinions->items[old];
    item.content = to;
    memmove(opinions->items + old, opinions->items + old + 1,
            (opinions->count - old - 1) * sizeof *opinions->items);
    opinions->count--;
    const size_t at = rank_of(opinions, to);
    memmove(opinions->items + at + 1, opinions->items + at,
            (opinions->count - at) * sizeof *opinions->items);
    opinions->items[at] = item;
    opinions->count++;
    return true;
}

/* ---- reading ---- */

static bool take_value(const struct base_yaml *node, struct app_library_opinion *item)
{
    int64_t stars = 0;
    if (base_span_equal(node->key, base_span_of("stars"))) {
        item->opinion.rated =
            base_yaml_integer(node, &stars) && stars >= 0 && stars <= PRESET_STARS;
        item->opinion.stars = item->opinion.rated ? (int)stars : 0;
        return item->opinion.rated;
    }
    if (base_span_equal(node->key, base_span_of("favourite"))) {
        return base_yaml_truth(node, &item->opinion.favourite);
    }
    if (base_span_equal(node->key, base_span_of("hidden"))) {
        return base_yaml_truth(node, &item->opinion.hidden);
    }
    if (base_span_equal(node->key, base_span_of("tags"))) {
        bool right = node->kind == BASE_YAML_LIST;
        for (const struct base_yaml *tag = node->first; right && tag != NULL; tag = tag->next) {
            right = tag->kind == BASE_YAML_SCALAR &&
                    preset_is_tag(tag->text.data, tag->text.size) &&
                    preset_set_tag(&item->opinion, tag->text.data, true);
        }
        return right;
    }
    if (base_span_equal(node->key, base_span_of("name")) && node->kind == BASE_YAML_SCALAR) {
        item->name = strndup(node->text.data, PRESET_SHOWN_MAX);
        return true;
    }
    return false;
}

static bool take_entry(const struct reader *reader, const struct base_yaml *entry)
{
    struct app_library_opinion item = {0};
    if (!base_content_read(&item.content, entry->key) || entry->kind != BASE_YAML_MAP) {
        warn_at(reader, entry->key_line, entry->key_column, "this is no entry of a preset");
        return true;
    }
    if (!make_room(reader->opinions)) {
        return false;
    }
    for (const struct base_yaml *node = entry->first; node != NULL; node = node->next) {
        if (!take_value(node, &item)) {
            warn_at(reader, node->key_line, node->key_column, "this says nothing of a preset");
        }
    }
    reader->opinions->items[reader->opinions->count++] = item;
    return true;
}

static int take_entries(const struct reader *reader, const struct base_yaml *root)
{
    if (root->kind != BASE_YAML_MAP) {
        base_report(reader->sink, BASE_ERROR,
                    (struct base_place){reader->path, root->line, root->column}, NULL,
                    "this is no list of opinions");
        return -1;
    }
    for (const struct base_yaml *entry = root->first; entry != NULL; entry = entry->next) {
        if (!take_entry(reader, entry)) {
            base_report(reader->sink, BASE_ERROR, (struct base_place){.file = reader->path}, NULL,
                        "not enough memory");
            return -1;
        }
    }
    return 0;
}

/* Reads the text of the file. What is wrong in an entry is left out with a warning; a text that is
 * not YAML is an error, and -1. */
static int read_opinions(struct app_library_opinions *opinions, const char *path,
                         struct base_span text, const struct base_diag_sink *sink)
{
    *opinions = (struct app_library_opinions){0};
    const struct reader reader = {opinions, path, sink};
    struct base_arena arena = {0};
    const struct base_yaml *root = base_yaml_read(&arena, path, text, sink);
    const int result = root != NULL ? take_entries(&reader, root) : -1;
    base_arena_free(&arena);
    if (result != 0) {
        app_library_opinions_free(opinions);
    } else if (opinions->count > 1) {
        qsort(opinions->items, opinions->count, sizeof *opinions->items, compare);
    }
    return result;
}

/* ---- writing ---- */

/* The text of the file, malloc'ed; NULL without memory. */
static char *print_opinions(const struct app_library_opinions *opinions, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL) {
        return NULL;
    }
    (void)fputs("# What you think of presets, by the content of their files.\n", out);
    for (size_t i = 0; i < opinions->count; i++) {
        const struct preset_opinion *opinion = &opinions->items[i].opinion;
        (void)fprintf(out, "\"%016" PRIx64 "\": {", opinions->items[i].content);
        const char *name = opinions->items[i].name != NULL ? opinions->items[i].name : "";
        (void)fputs("name: \"", out);
        for (const char *at = name; *at != '\0'; at++) {
            if (*at == '"' || *at == '\\') {
                (void)fputc('\\', out);
            }
            (void)fputc((unsigned char)*at < 0x20 ? '?' : *at, out);
        }
        (void)fputs("\"", out);
        if (opinion->rated) {
            (void)fprintf(out, ", stars: %d", opinion->stars);
        }
        if (opinion->favourite) {
            (void)fputs(", favourite: true", out);
        }
        if (opinion->hidden) {
            (void)fputs(", hidden: true", out);
        }
        if (opinion->tags != NULL) {
            (void)fputs(", tags: [", out);
            for (const char *at = opinion->tags; *at != '\0';) {
                const size_t length = strcspn(at, " ");
                (void)fprintf(out, "%s\"%.*s\"", at > opinion->tags ? ", " : "", (int)length, at);
                at += length + (at[length] == ' ');
            }
            (void)fputs("]", out);
        }
        (void)fputs("}\n", out);
    }
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

/* What the library keeps on disk: opinions, verdicts, the index. */

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
    } else if (text != NULL && read_opinions(&library->opinions, path,
                                             (struct base_span){text, size}, &library->sink) != 0) {
        put_aside(library, path);
    }
    free(text);
}

/* ---- opinions and verdicts ---- */

void app_library_save(struct app_library *library)
{
    char path[APP_LIBRARY_PATH];
    char *text = NULL;
    size_t size = 0;
    const bool kept = app_library_join(path, library->data, "library.yaml");
    (void)pthread_mutex_lock(&library->lock);
    const bool wanted = kept && library->opinions_changed;
    if (wanted) {
        text = print_opinions(&library->opinions, &size);
    }
    library->opinions_changed = false;
    (void)pthread_mutex_unlock(&library->lock);
    if (wanted && (text == NULL || base_file_save(path, text, size) != 0)) {
        warn(library, &library->warned_of_opinions, path,
             "ratings, favourites and tags are lost at the end if this stays so");
        (void)pthread_mutex_lock(&library->lock);
        library->opinions_changed = true;
        (void)pthread_mutex_unlock(&library->lock);
    }
    free(text);
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
            path, entry->stamp, entry->content, entry->own_stars, entry->refused, 0};
        const bool known = entry->known && !entry->gone && entry->content != 0;
        (void)pthread_mutex_unlock(&library->lock);
        if (known) {
            preset_index_print(out, &row);
            rows++;
        }
    }
    read_index(library, &old);
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
    if (fclose(out) == 0 && !failed && base_file_save(path, text, size) != 0) {
        warn_of_cache(library, path);
    }
    library->index_changed = false;
    free(text);
}
