#include "app/play_loader.h"

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "app/patch.h"
#include "app/play_order.h"
#include "app/resources.h"

enum { WATCH_NANOSECONDS = 250 * 1000 * 1000, SECOND_NANOSECONDS = 1000 * 1000 * 1000 };

/* What tells one version of a file from another. */
struct stamp {
    struct timespec changed;
    off_t size;
    ino_t inode;
};

/* Written by the painter, read by the loader. Each number is whole in itself; that they may belong
 * to two frames in a row harms nobody. */
struct told {
    _Atomic double numbers[sizeof(struct rend_moment) / sizeof(double)];
};

struct app_loader {
    const struct preset_list *list;
    struct rend_config config;
    struct app_changes changes;
    double planned;
    struct rend_resources *resources;
    struct told told;
    const struct base_diag_sink *sink;
    struct app_order order;
    struct stamp stamp; /* of the file that was loaded last */
    bool loaded_any;
    bool flawed; /* there were errors in the preset that was handed over last */
    pthread_t thread;
    sem_t wake;
    atomic_bool quit;
    atomic_bool random;
    atomic_bool failed;
    atomic_int steps;                     /* asked for and not yet gone */
    atomic_bool hard;                     /* the next change is a cut */
    _Atomic(struct app_loaded *) ready;   /* from the loader to the painter */
    _Atomic(struct app_loaded *) retired; /* a chain, from the painter to the loader */
};

static void free_loaded(struct app_loaded *loaded)
{
    while (loaded != NULL) {
        struct app_loaded *next = loaded->next;
        rend_cue_free(loaded->cue);
        rend_patch_free(loaded->patch);
        free(loaded->name);
        free(loaded);
        loaded = next;
    }
}

/* Passes messages on and counts errors. */
struct counter {
    const struct base_diag_sink *sink;
    size_t errors;
};

static void count_error(void *user, const struct base_diag *diag)
{
    struct counter *counter = user;
    counter->errors += diag->severity == BASE_ERROR;
    counter->sink->receive(counter->sink->user, diag);
}

static struct rend_moment moment_of(const struct app_loader *loader)
{
    struct rend_moment moment;
    double numbers[sizeof moment / sizeof(double)];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        numbers[i] = atomic_load_explicit(&loader->told.numbers[i], memory_order_relaxed);
    }
    memcpy(&moment, numbers, sizeof moment);
    return moment;
}

void app_loader_tell(struct app_loader *loader, const struct rend_moment *moment)
{
    double numbers[sizeof *moment / sizeof(double)];
    memcpy(numbers, moment, sizeof numbers);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        atomic_store_explicit(&loader->told.numbers[i], numbers[i], memory_order_relaxed);
    }
}

static bool make_ready(struct app_loader *loader, struct app_loaded *loaded, double longest,
                       const struct base_diag_sink *sink)
{
    const struct rend_moment moment = moment_of(loader);
    struct rend_change change = app_changes_next(&loader->changes, longest);
    change.planned = loader->planned;
    change.user = loaded;
    loaded->cue = rend_cue_create(&loader->config, loaded->patch, &change, &moment, sink);
    return loaded->cue != NULL;
}

static struct app_loaded *load(struct app_loader *loader, const char *path, double longest,
                               const struct base_diag_sink *sink)
{
    struct app_loaded *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL, "not enough memory");
        return NULL;
    }
    loaded->path = path;
    loaded->patch = app_patch_load(path, loader->resources, &loaded->name, sink);
    if (loaded->patch == NULL || !make_ready(loader, loaded, longest, sink)) {
        free_loaded(loaded);
        return NULL;
    }
    return loaded;
}

/* All zero if the file is not there. */
static struct stamp stamp_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return (struct stamp){0};
    }
    return (struct stamp){status.st_mtim, status.st_size, status.st_ino};
}

static bool same_stamp(const struct stamp *a, const struct stamp *b)
{
    return a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec &&
           a->size == b->size && a->inode == b->inode;
}

static const char *current_path(const struct app_loader *loader)
{
    return loader->list->paths[app_order_current(&loader->order)];
}

/* Seconds that the next transition may take: none for an edit or where a cut was asked for. */
static double longest_change(struct app_loader *loader, bool changed)
{
    return atomic_exchange(&loader->hard, false) || changed ? 0 : loader->planned / 2;
}

/* Loads the current preset of the order and hands it over. A changed one with errors does not take
 * the place of one without. */
static bool load_current(struct app_loader *loader, bool changed)
{
    const char *path = current_path(loader);
    struct counter counter = {loader->sink, 0};
    const struct base_diag_sink sink = {count_error, &counter};
    loader->stamp = stamp_of(path);
    struct app_loaded *loaded = load(loader, path, longest_change(loader, changed), &sink);
    if (changed && counter.errors > 0 && !loader->flawed) {
        free_loaded(loaded);
        return false;
    }
    if (loaded == NULL) {
        return false;
    }
    loader->loaded_any = true;
    loader->flawed = counter.errors > 0;
    free_loaded(atomic_exchange(&loader->ready, loaded));
    return true;
}

static bool quits(const struct app_loader *loader)
{
    return atomic_load(&loader->quit);
}

/* Loads the current preset, or else the first good one in the direction of `step`. */
static void load_good(struct app_loader *loader, int step)
{
    for (size_t tried = 0; tried < loader->list->count && !quits(loader); tried++) {
        if (load_current(loader, false)) {
            return;
        }
        app_order_step(&loader->order, step);
    }
    loader->stamp = stamp_of(current_path(loader)); /* it has been reported */
    atomic_store(&loader->failed, !loader->loaded_any);
}

static void go(struct app_loader *loader, int steps)
{
    app_order_shuffle(&loader->order, atomic_load(&loader->random));
    app_order_step(&loader->order, steps);
    load_good(loader, steps < 0 ? -1 : 1);
}

/* An empty file is one that is just being written. */
static void watch(struct app_loader *loader)
{
    const struct stamp stamp = stamp_of(current_path(loader));
    if (stamp.size > 0 && !same_stamp(&stamp, &loader->stamp)) {
        (void)load_current(loader, true);
    }
}

static void wait_for_wake(struct app_loader *loader)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WATCH_NANOSECONDS;
    if (until.tv_nsec >= SECOND_NANOSECONDS) {
        until.tv_nsec -= SECOND_NANOSECONDS;
        until.tv_sec++;
    }
    (void)sem_timedwait(&loader->wake, &until);
}

static void *loader_main(void *argument)
{
    struct app_loader *loader = argument;
    load_good(loader, 1);
    while (!quits(loader) && !atomic_load(&loader->failed)) {
        wait_for_wake(loader);
        free_loaded(atomic_exchange(&loader->retired, NULL));
        const int steps = atomic_exchange(&loader->steps, 0);
        if (steps != 0) {
            go(loader, steps);
        } else {
            watch(loader);
        }
    }
    return NULL;
}

struct app_loader *app_loader_start(const struct app_loader_setup *setup,
                                    const struct base_diag_sink *sink)
{
    const size_t count = setup->list->count;
    assert(count > 0);
    struct app_loader *loader = calloc(1, sizeof *loader);
    if (loader != NULL && app_order_init(&loader->order, count, setup->seed) == 0) {
        loader->list = setup->list;
        loader->config = setup->config;
        loader->changes = setup->changes;
        loader->planned = setup->planned;
        loader->resources = app_resources_create(setup->textures);
        loader->sink = sink;
        (void)sem_init(&loader->wake, 0, 0);
        if (pthread_create(&loader->thread, NULL, loader_main, loader) == 0) {
            return loader;
        }
        (void)sem_destroy(&loader->wake);
        rend_resources_free(loader->resources);
        app_order_free(&loader->order);
    }
    free(loader);
    base_report(sink, BASE_ERROR, (struct base_place){0}, NULL,
                "the thread that loads presets cannot be started");
    return NULL;
}

void app_loader_stop(struct app_loader *loader)
{
    if (loader == NULL) {
        return;
    }
    atomic_store(&loader->quit, true);
    (void)sem_post(&loader->wake);
    (void)pthread_join(loader->thread, NULL);
    free_loaded(atomic_load(&loader->ready));
    free_loaded(atomic_load(&loader->retired));
    rend_resources_free(loader->resources);
    (void)sem_destroy(&loader->wake);
    app_order_free(&loader->order);
    free(loader);
}

void app_loader_step(struct app_loader *loader, int steps, enum app_loader_change change)
{
    atomic_store(&loader->hard, change == APP_CHANGE_HARD);
    (void)atomic_fetch_add(&loader->steps, steps);
    (void)sem_post(&loader->wake);
}

void app_loader_random(struct app_loader *loader, bool random)
{
    atomic_store(&loader->random, random);
}

struct app_loaded *app_loader_take(struct app_loader *loader)
{
    if (atomic_load_explicit(&loader->ready, memory_order_relaxed) == NULL) {
        return NULL;
    }
    return atomic_exchange(&loader->ready, NULL);
}

void app_loader_retire(struct app_loader *loader, struct app_loaded *loaded)
{
    if (loaded == NULL) {
        return;
    }
    loaded->next = atomic_load(&loader->retired);
    while (!atomic_compare_exchange_weak(&loader->retired, &loaded->next, loaded)) {
    }
}

bool app_loader_failed(const struct app_loader *loader)
{
    return atomic_load(&loader->failed);
}
