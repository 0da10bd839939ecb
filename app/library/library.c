#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/library/inside.h"
#include "base/os/file.h"
#include "presets/library/search.h"

static_assert((int)APP_VERDICT_FAILED == (int)PRESET_VERDICT_FAILED, "the same verdicts");
static_assert(APP_LIBRARY_NONE == PRESET_NONE, "the same number");
static_assert((int)APP_LIBRARY_OUT == (int)PRESET_PLAYLIST_OUT, "the same place");
static_assert((int)APP_LIBRARY_TAGS > (int)PRESET_TAGS_MAX, "tags fit");

/* ---- what the parts share ---- */

void app_library_changed(struct app_library *library)
{
    library->revision++;
}

struct preset_entry *app_library_at(struct app_library *library, uint32_t number)
{
    return number < library->catalog.count ? &library->catalog.entries[number] : NULL;
}

static uint32_t lower(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void unknow(struct app_library *library, uint32_t number)
{
    library->catalog.entries[number].known = false;
    library->unread = lower(library->unread, number);
    app_library_changed(library);
}

uint32_t app_library_note(struct app_library *library, const struct preset_position *position,
                          const struct stat *facts)
{
    const struct preset_stamp stamp = app_library_stamp(facts);
    const uint32_t before = library->catalog.present;
    const uint32_t known = library->catalog.count;
    const uint32_t number = preset_catalog_add(&library->catalog, position);
    struct preset_entry *entry = app_library_at(library, number);
    if (library->catalog.count > known) {
        entry->unnamed =
            preset_words_find(&library->words, preset_catalog_name(&library->catalog, number)) > 0;
    }
    if (entry != NULL && (!entry->known || !preset_stamp_equal(&entry->stamp, &stamp))) {
        entry->stamp = stamp;
        unknow(library, number);
    }
    if (before == 0 && library->catalog.present > 0) {
        (void)pthread_cond_broadcast(&library->listed_some);
    }
    return number;
}

void app_library_forget(struct app_library *library, uint32_t number)
{
    library->catalog.entries[number].stamp.size = UINT64_MAX;
    unknow(library, number);
}

/* Whether another file has this content. */
static bool is_elsewhere(const struct app_library *library, uint32_t number, uint64_t content)
{
    bool found = false;
    for (uint32_t i = 0; i < library->catalog.count && !found; i++) {
        const struct preset_entry *entry = &library->catalog.entries[i];
        found = i != number && entry->known && !entry->gone && entry->content == content;
    }
    return found;
}

/* The operator's opinion goes with the content, and with a file that is edited. One that an earlier
 * version of froth has kept by its own hash is kept by today's. */
static void learn_opinion(struct app_library *library, uint32_t number,
                          const struct preset_found *found)
{
    static const struct preset_opinion nothing = {0};
    struct app_library_opinions *opinions = &library->opinions;
    struct preset_entry *entry = &library->catalog.entries[number];
    const bool edited = entry->content != 0 && entry->content != found->content;
    const bool stale = edited && !preset_opinion_empty(&entry->opinion) &&
                       app_library_opinions_left(opinions, found->content);
    bool changed = app_library_opinions_seen(opinions, found->content);
    const struct preset_opinion *kept = app_library_opinions_get(opinions, found->content);
    if (kept == NULL && found->former != 0 &&
        app_library_opinions_rename(opinions, found->former, found->content)) {
        changed = true;
        kept = app_library_opinions_get(opinions, found->content);
    }
    bool learned = true;
    if (kept != NULL && !entry->touched && !stale) {
        learned = preset_opinion_copy(&entry->opinion, kept);
    } else if (entry->touched || !preset_opinion_empty(&entry->opinion)) {
        /* What was said before the file was read is added to what is kept. */
        const bool early = entry->content == 0 && kept != NULL;
        changed = true;
        learned = (!early || app_library_opinions_merge(&entry->opinion, &nothing, kept)) &&
                  app_library_opinions_set(opinions, found->content,
                                           preset_catalog_name(&library->catalog, number),
                                           &entry->opinion);
        if (learned && edited && !is_elsewhere(library, number, entry->content)) {
            app_library_opinions_leave(opinions, entry->content);
        }
    }
    entry->touched = entry->touched && !learned;
    library->opinions_changed = library->opinions_changed || changed;
}

void app_library_learn(struct app_library *library, uint32_t number,
                       const struct preset_found *found)
{
    struct preset_entry *entry = &library->catalog.entries[number];
    const bool same = entry->content == 0 || entry->content == found->content;
    if (!entry->judged || !same) {
        entry->judged = false;
        entry->verdict = found->refused
                             ? PRESET_VERDICT_FAILED
                             : (uint8_t)app_verdicts_get(library->verdicts, found->content);
    }
    entry->pictured = entry->pictured && same;
    entry->told = entry->told && same;
    if (found->content != 0) {
        learn_opinion(library, number, found);
    }
    entry->stamp = found->stamp;
    entry->content = found->content;
    entry->file_stars = (uint8_t)found->stars;
    entry->refused = found->refused;
    entry->known = true;
    library->unpictured = lower(library->unpictured, number);
    app_library_changed(library);
}

/* ---- beginning and end ---- */

static bool copy_text(char **copy, const char *text)
{
    *copy = text != NULL ? strdup(text) : NULL;
    return text == NULL || *copy != NULL;
}

static bool copy_setup(struct app_library *library, const struct app_library_setup *setup)
{
    library->roots = calloc(setup->path_count + 1, sizeof *library->roots);
    if (library->roots == NULL || !copy_text(&library->data, setup->data) ||
        !copy_text(&library->cache, setup->cache) ||
        !copy_text(&library->textures, setup->textures)) {
        return false;
    }
    for (size_t i = 0; i < setup->path_count; i++) {
        struct app_library_root *root = &library->roots[library->root_count++];
        const char *path = setup->paths[i];
        root->kind = base_is_folder(path)       ? APP_ROOT_FOLDER
                     : preset_is_playlist(path) ? APP_ROOT_LIST
                                                : APP_ROOT_FILE;
        if (!copy_text(&root->path, setup->paths[i])) {
            return false;
        }
    }
    return true;
}

static void free_library(struct app_library *library)
{
    for (size_t i = 0; i < library->root_count; i++) {
        free(library->roots[i].path);
    }
    free(library->roots);
    for (size_t i = 0; i < APP_LIBRARY_WANTED; i++) {
        free(library->wanted[i]);
    }
    for (size_t i = 0; i < APP_LIBRARY_GONE; i++) {
        free(library->gone[i]);
    }
    free(library->data);
    free(library->cache);
    free(library->textures);
    app_library_watch_close(library->watch);
    app_verdicts_free(library->verdicts);
    preset_index_free(&library->index);
    preset_catalog_free(&library->catalog);
    preset_words_free(&library->words);
    app_library_opinions_free(&library->opinions);
    app_library_turns_free(&library->turns);
    (void)pthread_cond_destroy(&library->listed_some);
    (void)pthread_mutex_destroy(&library->lock);
    free(library);
}

static bool next_job(void *user, struct app_thumbnail_job *job);
static void job_done(void *user, const struct app_thumbnail_job *job);

/* Bytes; room for some 27000 pictures. */
static const uint64_t THUMBNAIL_BYTES = 512 * 1024 * 1024;

static bool start(struct app_library *library, const struct app_library_setup *setup)
{
    enum { RANDOM_STREAM = 0x5048 }; /* apart from the streams of pictures */
    base_rng_seed(&library->turns.rng, setup->seed, RANDOM_STREAM);
    library->scanning = true;
    library->watch = app_library_watch_open();
    library->verdicts = app_verdicts_load(setup->cache);
    if (library->watch == NULL || library->verdicts == NULL || !copy_setup(library, setup)) {
        return false;
    }
    app_library_load_opinions(library);
    app_library_load_words(library, setup->words);
    if (setup->thumbnails) {
        /* Without them the library works as well. */
        library->thumbnails = app_thumbnails_start(&(struct app_thumbnails_setup){
            .cache = library->cache,
            .cache_bytes = THUMBNAIL_BYTES,
            .textures = library->textures,
            .memory = setup->memory,
            .user = library,
            .next = next_job,
            .done = job_done,
        });
    }
    if (pthread_create(&library->scanner, NULL, app_library_scan, library) != 0) {
        app_thumbnails_stop(library->thumbnails);
        return false;
    }
    return true;
}

struct app_library *app_library_open(const struct app_library_setup *setup,
                                     const struct base_diag_sink *sink)
{
    struct app_library *library = calloc(1, sizeof *library);
    if (library != NULL) {
        library->sink = sink != NULL ? *sink : (struct base_diag_sink){NULL, NULL};
        (void)pthread_mutex_init(&library->lock, NULL);
        (void)pthread_cond_init(&library->listed_some, NULL);
        if (start(library, setup)) {
            return library;
        }
        free_library(library);
    }
    base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "the library cannot be opened");
    return NULL;
}

void app_library_close(struct app_library *library)
{
    if (library == NULL) {
        return;
    }
    atomic_store(&library->closing, true);
    app_library_watch_wake(library->watch);
    (void)pthread_join(library->scanner, NULL);
    app_thumbnails_stop(library->thumbnails);
    app_library_read_touched(library);
    app_library_save(library);
    app_library_save_index(library);
    free_library(library);
}

bool app_library_add_folder(struct app_library *library, const char *path)
{
    char *copy = strdup(path);
    size_t at = 0;
    (void)pthread_mutex_lock(&library->lock);
    while (at < APP_LIBRARY_WANTED && library->wanted[at] != NULL) {
        at++;
    }
    const bool kept = copy != NULL && at < APP_LIBRARY_WANTED;
    if (kept) {
        library->wanted[at] = copy;
        atomic_store(&library->wants, true);
    }
    (void)pthread_mutex_unlock(&library->lock);
    if (!kept) {
        free(copy);
    }
    app_library_watch_wake(library->watch);
    return kept;
}

uint32_t app_library_add_file(struct app_library *library, const char *path)
{
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return APP_LIBRARY_NONE;
    }
    const struct preset_position position = {path, 0, UINT32_MAX, 0};
    (void)pthread_mutex_lock(&library->lock);
    const uint32_t number = app_library_note(library, &position, &facts);
    (void)pthread_mutex_unlock(&library->lock);
    app_library_watch_wake(library->watch);
    return number;
}

bool app_library_wait(struct app_library *library)
{
    (void)pthread_mutex_lock(&library->lock);
    while (library->catalog.present == 0 && !library->listed) {
        (void)pthread_cond_wait(&library->listed_some, &library->lock);
    }
    const bool any = library->catalog.present > 0;
    (void)pthread_mutex_unlock(&library->lock);
    return any;
}

/* ---- looking ---- */

struct app_library_state app_library_state(struct app_library *library)
{
    (void)pthread_mutex_lock(&library->lock);
    struct app_library_state *state = &library->counted;
    if (state->revision != library->revision) {
        *state = (struct app_library_state){.presets = library->catalog.present};
        for (uint32_t i = 0; i < library->catalog.count; i++) {
            const struct preset_entry *entry = &library->catalog.entries[i];
            state->failed += !entry->gone && entry->verdict == PRESET_VERDICT_FAILED;
            state->thumbnails += !entry->gone && entry->pictured;
        }
        state->revision = library->revision;
    }
    state->scanning = library->scanning;
    const struct app_library_state copy = *state;
    (void)pthread_mutex_unlock(&library->lock);
    return copy;
}

bool app_library_entry(struct app_library *library, uint32_t number,
                       struct app_library_entry *entry)
{
    (void)pthread_mutex_lock(&library->lock);
    const struct preset_entry *found = app_library_at(library, number);
    if (found != NULL) {
        const struct preset_catalog *catalog = &library->catalog;
        const char *tags = found->opinion.tags;
        *entry = (struct app_library_entry){
            .number = number,
            .stars = preset_entry_stars(found),
            .file_stars = found->file_stars,
            .rated = found->opinion.rated,
            .favourite = found->opinion.favourite,
            .hidden = found->opinion.hidden,
            .unnamed = found->unnamed,
            .gone = found->gone,
            .verdict = (enum app_library_verdict)found->verdict,
        };
        (void)snprintf(entry->path, sizeof entry->path, "%s", preset_catalog_path(catalog, number));
        (void)snprintf(entry->name, sizeof entry->name, "%s", preset_catalog_name(catalog, number));
        (void)snprintf(entry->folder, sizeof entry->folder, "%s",
                       preset_catalog_folder(catalog, number));
        (void)snprintf(entry->tags, sizeof entry->tags, "%s", tags != NULL ? tags : "");
    }
    (void)pthread_mutex_unlock(&library->lock);
    return found != NULL;
}

size_t app_library_search(struct app_library *library, const char *query, uint32_t *numbers,
                          size_t most)
{
    struct preset_query words;
    preset_query_read(&words, query);
    (void)pthread_mutex_lock(&library->lock);
    const struct app_library_turns *turns = &library->turns;
    size_t count = turns->list.count;
    if (words.count > 0 || !turns->listed) {
        count = preset_search(&library->catalog, &words, numbers, most);
    } else if (count > 0 && most > 0) {
        memcpy(numbers, turns->numbers, (count < most ? count : most) * sizeof *numbers);
    }
    (void)pthread_mutex_unlock(&library->lock);
    return count;
}

void app_library_search_says(struct app_library *library, const char *query, bool found, char *says,
                             size_t size)
{
    struct preset_query words;
    preset_query_read(&words, query);
    says[0] = '\0';
    if (words.wrong != NULL) {
        (void)snprintf(says, size, "column %zu: %s", words.column, words.wrong);
    } else if (!found) {
        (void)pthread_mutex_lock(&library->lock);
        preset_query_why(&library->catalog, &words, says, size);
        (void)pthread_mutex_unlock(&library->lock);
    }
}

uint32_t app_library_find(struct app_library *library, const char *path_or_name)
{
    (void)pthread_mutex_lock(&library->lock);
    uint32_t number = preset_catalog_find(&library->catalog, path_or_name);
    if (number == PRESET_NONE) {
        number = preset_find_name(&library->catalog, path_or_name);
    }
    (void)pthread_mutex_unlock(&library->lock);
    return number;
}

/* ---- opinions ---- */

/* Keeps the entry's opinion, for all files of the same content. */
static void keep_opinion(struct app_library *library, uint32_t number)
{
    struct preset_catalog *catalog = &library->catalog;
    struct preset_entry *entry = &catalog->entries[number];
    app_library_changed(library);
    if (!entry->known || entry->content == 0) {
        entry->touched = true;
        return;
    }
    library->opinions_changed = true;
    entry->touched = !app_library_opinions_set(
        &library->opinions, entry->content, preset_catalog_name(catalog, number), &entry->opinion);
    for (uint32_t i = 0; i < catalog->count; i++) {
        struct preset_entry *other = &catalog->entries[i];
        if (i != number && other->known && other->content == entry->content) {
            (void)preset_opinion_copy(&other->opinion, &entry->opinion);
        }
    }
}

/* An entry shows less than what is kept where memory was short: what is added must not take that
 * away. */
static bool complete_opinion(struct app_library *library, struct preset_entry *entry)
{
    const struct preset_opinion *kept =
        entry->known && !entry->touched
            ? app_library_opinions_get(&library->opinions, entry->content)
            : NULL;
    return kept == NULL || app_library_opinions_equal(kept, &entry->opinion) ||
           preset_opinion_copy(&entry->opinion, kept);
}

enum opinion_kind { OPINION_STARS, OPINION_FAVOURITE, OPINION_HIDDEN, OPINION_TAG };

/* What the operator says of a preset. */
struct said {
    enum opinion_kind kind;
    int stars;
    bool on;
    const char *tag;
};

static bool take_said(struct preset_opinion *opinion, const struct said *said)
{
    switch (said->kind) {
    case OPINION_STARS:
        opinion->rated = true;
        opinion->stars = said->stars < 0              ? 0
                         : said->stars > PRESET_STARS ? PRESET_STARS
                                                      : said->stars;
        return true;
    case OPINION_FAVOURITE:
        opinion->favourite = said->on;
        return true;
    case OPINION_HIDDEN:
        opinion->hidden = said->on;
        return true;
    case OPINION_TAG:
        break;
    }
    return preset_set_tag(opinion, said->tag, said->on);
}

static bool say(struct app_library *library, uint32_t number, const struct said *said)
{
    (void)pthread_mutex_lock(&library->lock);
    struct preset_entry *entry = app_library_at(library, number);
    const bool complete = entry == NULL || complete_opinion(library, entry);
    const bool taken = entry != NULL && complete && take_said(&entry->opinion, said);
    if (taken) {
        keep_opinion(library, number);
    }
    (void)pthread_mutex_unlock(&library->lock);
    if (!complete) {
        base_report(&library->sink, BASE_ERROR, (struct base_place){0}, NULL,
                    "not enough memory to keep what you think of this preset");
    }
    return taken;
}

void app_library_rate(struct app_library *library, uint32_t number, int stars)
{
    (void)say(library, number, &(struct said){.kind = OPINION_STARS, .stars = stars});
}

void app_library_favourite(struct app_library *library, uint32_t number, bool favourite)
{
    (void)say(library, number, &(struct said){.kind = OPINION_FAVOURITE, .on = favourite});
}

void app_library_hide(struct app_library *library, uint32_t number, bool hidden)
{
    (void)say(library, number, &(struct said){.kind = OPINION_HIDDEN, .on = hidden});
}

bool app_library_tag(struct app_library *library, uint32_t number, const char *tag, bool on)
{
    return say(library, number, &(struct said){.kind = OPINION_TAG, .tag = tag, .on = on});
}

void app_library_judge(struct app_library *library, uint32_t number,
                       enum app_library_verdict verdict)
{
    (void)pthread_mutex_lock(&library->lock);
    struct preset_entry *entry = app_library_at(library, number);
    if (entry != NULL && entry->verdict != (uint8_t)verdict) {
        entry->verdict = (uint8_t)verdict;
        entry->judged = true;
        library->verdicts_changed = true;
        app_library_changed(library);
    }
    (void)pthread_mutex_unlock(&library->lock);
}

bool app_library_tell(struct app_library *library, uint32_t number)
{
    (void)pthread_mutex_lock(&library->lock);
    struct preset_entry *entry = app_library_at(library, number);
    const bool first = entry != NULL && !entry->told;
    if (first) {
        entry->told = true;
    }
    (void)pthread_mutex_unlock(&library->lock);
    return first;
}

/* ---- thumbnails ---- */

static struct app_thumbnail_job job_of(const struct app_library *library, uint32_t number)
{
    const struct preset_entry *entry = &library->catalog.entries[number];
    struct app_thumbnail_job job = {
        .content = entry->content,
        .number = number,
        .failed = entry->verdict == PRESET_VERDICT_FAILED,
    };
    (void)snprintf(job.path, sizeof job.path, "%s", preset_catalog_path(&library->catalog, number));
    return job;
}

static bool can_be_painted(const struct preset_entry *entry)
{
    return entry->known && !entry->gone && entry->content != 0;
}

static bool next_job(void *user, struct app_thumbnail_job *job)
{
    struct app_library *library = user;
    (void)pthread_mutex_lock(&library->lock);
    const struct preset_catalog *catalog = &library->catalog;
    uint32_t number = library->unpictured;
    while (number < catalog->count &&
           (!can_be_painted(&catalog->entries[number]) || catalog->entries[number].pictured)) {
        number++;
    }
    library->unpictured = number;
    const bool any = number < catalog->count;
    if (any) {
        *job = job_of(library, number);
    }
    (void)pthread_mutex_unlock(&library->lock);
    return any;
}

static void job_done(void *user, const struct app_thumbnail_job *job)
{
    struct app_library *library = user;
    (void)pthread_mutex_lock(&library->lock);
    struct preset_entry *entry = app_library_at(library, job->number);
    if (entry != NULL && entry->content == job->content && !entry->pictured) {
        entry->pictured = true;
        app_library_changed(library);
    }
    (void)pthread_mutex_unlock(&library->lock);
}

bool app_library_thumbnail(struct app_library *library, uint32_t number, uint32_t *pixels)
{
    struct app_thumbnail_job job;
    (void)pthread_mutex_lock(&library->lock);
    const struct preset_entry *entry = app_library_at(library, number);
    const bool wanted = library->thumbnails != NULL && entry != NULL && can_be_painted(entry);
    if (wanted) {
        job = job_of(library, number);
    }
    (void)pthread_mutex_unlock(&library->lock);
    return wanted && app_thumbnails_get(library->thumbnails, &job, pixels);
}

void app_library_idle(struct app_library *library, bool allowed)
{
    if (library->thumbnails != NULL) {
        app_thumbnails_idle(library->thumbnails, allowed);
    }
}
