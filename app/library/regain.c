/* Opinions of texts that are gone: files were edited, or moved and edited, while froth did not run.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/library/inside.h"

/* What is thought of a text that no file of the library has. */
struct lost {
    uint64_t content;
    char *name; /* that its file had */
    bool elsewhere;
    uint32_t number; /* of a file of that name that nothing was known of */
    size_t claims;   /* how many such files there are */
};

struct search {
    struct app_library *library;
    uint64_t *present; /* texts of the library's files, in order */
    size_t present_count;
    uint64_t *indexed; /* texts that files had before, in order */
    struct lost *lost; /* by content */
    size_t lost_count;
    struct lost **named; /* of them, those that have a name, by that */
    size_t named_count;
    bool adopted; /* an opinion */
};

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const struct lost *const *)a)->name, (*(const struct lost *const *)b)->name);
}

static int compare_to_name(const void *name, const void *lost)
{
    return strcmp(name, (*(const struct lost *const *)lost)->name);
}

static bool has(const uint64_t *contents, size_t count, uint64_t content)
{
    return count > 0 &&
           bsearch(&content, contents, count, sizeof content, app_library_compare_contents) != NULL;
}

static bool is_without(const struct preset_entry *entry)
{
    return entry->known && !entry->gone && !entry->touched && entry->content != 0 &&
           preset_opinion_empty(&entry->opinion);
}

/* False: nobody looks for anything, or there is no memory. */
static bool gather_texts(struct search *search)
{
    const struct preset_index *index = &search->library->index;
    const struct preset_catalog *catalog = &search->library->catalog;
    bool wanted = false;
    (void)pthread_mutex_lock(&search->library->lock);
    search->present = calloc(catalog->count + (size_t)1, sizeof *search->present);
    for (uint32_t i = 0; search->present != NULL && i < catalog->count; i++) {
        const struct preset_entry *entry = &catalog->entries[i];
        wanted = wanted || ((entry->former != 0 || entry->strange) && is_without(entry));
        if (entry->known && !entry->gone && entry->content != 0) {
            search->present[search->present_count++] = entry->content;
        }
    }
    (void)pthread_mutex_unlock(&search->library->lock);
    search->indexed = wanted ? calloc(index->count + 1, sizeof *search->indexed) : NULL;
    if (search->indexed == NULL) {
        return false;
    }
    for (size_t i = 0; i < index->count; i++) {
        search->indexed[i] = index->rows[i].content;
    }
    qsort(search->present, search->present_count, sizeof *search->present,
          app_library_compare_contents);
    qsort(search->indexed, index->count, sizeof *search->indexed, app_library_compare_contents);
    return true;
}

static bool gather_lost(struct search *search)
{
    const struct app_library_opinions *opinions = &search->library->opinions;
    (void)pthread_mutex_lock(&search->library->lock);
    search->lost = calloc(opinions->count + 1, sizeof *search->lost);
    for (size_t i = 0; search->lost != NULL && i < opinions->count; i++) {
        const struct app_library_opinion *item = &opinions->items[i];
        if (item->left == 0 && !preset_opinion_empty(&item->opinion) &&
            !has(search->present, search->present_count, item->content)) {
            search->lost[search->lost_count++] = (struct lost){
                .content = item->content, .name = item->name != NULL ? strdup(item->name) : NULL};
        }
    }
    (void)pthread_mutex_unlock(&search->library->lock);
    return search->lost != NULL;
}

/* The index also has files of other folders, whose texts are not gone. */
static void look_elsewhere(struct search *search)
{
    struct app_library *library = search->library;
    for (size_t i = 0; i < library->index.count && search->lost_count > 0; i++) {
        const struct preset_found *row = &library->index.rows[i];
        struct lost *lost = bsearch(&row->content, search->lost, search->lost_count,
                                    sizeof *search->lost, app_library_compare_contents);
        if (lost != NULL && !lost->elsewhere) {
            (void)pthread_mutex_lock(&library->lock);
            const bool here = preset_catalog_find(&library->catalog, row->path) != PRESET_NONE;
            (void)pthread_mutex_unlock(&library->lock);
            lost->elsewhere = !here && access(row->path, F_OK) == 0;
        }
    }
}

/* The rest is under the lock. */

/* What is thought of a text is thought of the entry's, of which nothing is. False if that is not
 * so, or without memory. */
static bool adopt(struct search *search, uint32_t number, uint64_t from)
{
    struct app_library *library = search->library;
    const struct preset_entry *entry = &library->catalog.entries[number];
    const struct preset_opinion *opinion = app_library_opinions_get(&library->opinions, from);
    struct preset_opinion copy = {0};
    const bool adopted =
        opinion != NULL && is_without(entry) && preset_opinion_copy(&copy, opinion) &&
        app_library_opinions_set(&library->opinions, entry->content,
                                 preset_catalog_name(&library->catalog, number), &copy);
    free(copy.tags);
    library->opinions_changed = library->opinions_changed || adopted;
    search->adopted = search->adopted || adopted;
    return adopted;
}

/* Where the index has another text for the file, it was edited; a text that the index knows was
 * moved there. */
static void follow_files(struct search *search)
{
    struct app_library *library = search->library;
    for (uint32_t i = 0; i < library->catalog.count; i++) {
        struct preset_entry *entry = &library->catalog.entries[i];
        const uint64_t former = entry->former;
        entry->former = 0;
        if (former != 0 && !has(search->indexed, library->index.count, entry->content) &&
            adopt(search, i, former) && !has(search->present, search->present_count, former)) {
            app_library_opinions_leave(&library->opinions, former);
        }
    }
}

/* Both stay: who has the name alone is perhaps another one. */
static void follow_names(struct search *search)
{
    struct app_library *library = search->library;
    for (uint32_t i = 0; i < library->catalog.count; i++) {
        struct preset_entry *entry = &library->catalog.entries[i];
        struct lost **found =
            entry->strange && is_without(entry) && search->named_count > 0
                ? bsearch(preset_catalog_name(&library->catalog, i), search->named,
                          search->named_count, sizeof *search->named, compare_to_name)
                : NULL;
        entry->strange = false;
        if (found != NULL) {
            (*found)->number = i;
            (*found)->claims++;
        }
    }
    for (size_t i = 0; i < search->named_count; i++) {
        struct lost *const *lost = &search->named[i];
        const bool alone = (i == 0 || compare_names(lost - 1, lost) != 0) &&
                           (i + 1 == search->named_count || compare_names(lost, lost + 1) != 0);
        if (alone && (*lost)->claims == 1) {
            (void)adopt(search, (*lost)->number, (*lost)->content);
        }
    }
}

bool app_library_regain(struct app_library *library)
{
    struct search search = {.library = library};
    bool any = false;
    const bool good = gather_texts(&search) && gather_lost(&search);
    search.named = good ? calloc(search.lost_count + 1, sizeof(struct lost *)) : NULL;
    if (search.named != NULL) {
        look_elsewhere(&search);
        for (size_t i = 0; i < search.lost_count; i++) {
            struct lost *lost = &search.lost[i];
            if (lost->name != NULL && lost->name[0] != '\0' && !lost->elsewhere) {
                search.named[search.named_count++] = lost;
            }
        }
        qsort(search.named, search.named_count, sizeof *search.named, compare_names);
        (void)pthread_mutex_lock(&library->lock);
        follow_files(&search);
        follow_names(&search);
        any = search.adopted;
        app_library_show_opinions(library);
        (void)pthread_mutex_unlock(&library->lock);
    }
    for (size_t i = 0; i < search.lost_count; i++) {
        free(search.lost[i].name);
    }
    free(search.lost);
    free(search.named);
    free(search.present);
    free(search.indexed);
    return any;
}
