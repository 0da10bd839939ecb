#include "engine/feed/loader.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/file.h"
#include "base/os/thread.h"
#include "engine/feed/order.h"
#include "presets/presets.h"

/* Written by the painter, read by who loads. Each number is whole in itself; that they may belong
 * to two frames in a row harms nobody. */
struct told {
    _Atomic double numbers[sizeof(struct rend_moment) / sizeof(double)];
};

struct engine_loader {
    struct engine_loader_setup setup;
    const struct base_diag_sink *sink;
    struct told told;
    pthread_t thread;
    sem_t wake;
    atomic_bool quit;
    atomic_bool hard;     /* what is asked for comes with a cut */
    atomic_int steps;     /* asked for and not yet gone */
    atomic_bool first;    /* the first of the order is asked for */
    atomic_bool busy;     /* what was asked for is being made */
    atomic_size_t count;  /* of the order */
    pthread_mutex_t lock; /* of what follows; never taken by a painter beside a thread */
    struct rend_resources *resources;
    struct engine_order order;
    bool begun;                              /* one was loaded */
    _Atomic(struct engine_loaded *) ready;   /* to the painter */
    _Atomic(struct engine_loaded *) retired; /* a chain, from the painter */
};

/* ---- making one ready, under the lock ---- */

static void free_preset(struct engine_preset *preset)
{
    if (preset != NULL && --preset->users == 0) {
        rend_patch_free(preset->patch);
        free(preset->text);
        free(preset);
    }
}

/* With all that follow it by `next`. NULL is fine. */
static void free_loaded(struct engine_loaded *loaded)
{
    while (loaded != NULL) {
        struct engine_loaded *next = loaded->next;
        rend_cue_free(loaded->cue);
        free_preset(loaded->preset);
        free(loaded);
        loaded = next;
    }
}

static int report(const struct engine_loader *loader, const char *path, const char *what)
{
    base_report(loader->sink, BASE_ERROR, (struct base_place){.file = path}, NULL, "%s", what);
    return -1;
}

/* Reads the file into the preset. */
static int read_text(const struct engine_loader *loader, struct engine_preset *preset)
{
    preset->text = base_file_read(preset->path, PRESET_FILE_MAX + 1, &preset->size, NULL);
    if (preset->text == NULL) {
        base_report(loader->sink, BASE_ERROR, (struct base_place){.file = preset->path}, NULL,
                    "cannot open: %s", errno == EINVAL ? "not an ordinary file" : strerror(errno));
        return -1;
    }
    return 0;
}

static struct engine_preset *read_preset(struct engine_loader *loader, const char *path,
                                         struct base_span text)
{
    struct engine_preset *preset = calloc(1, sizeof *preset);
    if (preset == NULL || strlen(path) >= sizeof preset->path) {
        (void)report(loader, path, preset == NULL ? "not enough memory" : "the path is too long");
        free(preset);
        return NULL;
    }
    preset->users = 1;
    (void)snprintf(preset->path, sizeof preset->path, "%s", path);
    int result = 0;
    if (text.data == NULL) {
        result = read_text(loader, preset);
    } else {
        preset->text = malloc(text.size + 1);
        if (preset->text == NULL) {
            result = report(loader, path, "not enough memory");
        } else {
            memcpy(preset->text, text.data, text.size);
            preset->text[text.size] = '\0';
            preset->size = text.size;
        }
    }
    if (result == 0) {
        preset->patch =
            engine_patch_load(preset->path, (struct base_span){preset->text, preset->size},
                              loader->resources, preset->name, loader->sink);
    }
    if (preset->patch == NULL) {
        free_preset(preset);
        return NULL;
    }
    return preset;
}

static struct rend_moment moment_of(const struct engine_loader *loader)
{
    struct rend_moment moment;
    double numbers[sizeof moment / sizeof(double)];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        numbers[i] = atomic_load_explicit(&loader->told.numbers[i], memory_order_relaxed);
    }
    memcpy(&moment, numbers, sizeof moment);
    return moment;
}

/* Takes the preset over, also where it fails. */
static struct engine_loaded *make_cue(struct engine_loader *loader, struct engine_preset *preset,
                                      const struct rend_change *change, double seconds, long item)
{
    struct engine_loaded *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL) {
        (void)report(loader, preset->path, "not enough memory");
        free_preset(preset);
        return NULL;
    }
    *loaded = (struct engine_loaded){.preset = preset, .seconds = seconds, .item = item};
    struct rend_change ours = *change;
    ours.user = loaded;
    const struct rend_moment moment = moment_of(loader);
    loaded->cue =
        rend_cue_create(&loader->setup.config, preset->patch, &ours, &moment, loader->sink);
    if (loaded->cue == NULL) {
        free_loaded(loaded);
        return NULL;
    }
    return loaded;
}

static struct rend_change next_change(struct engine_loader *loader, const char *transition,
                                      double seconds, bool hard)
{
    const double planned = seconds >= 0 ? seconds : loader->setup.planned;
    const double longest = hard ? 0 : planned > 0 ? planned / 2 : INFINITY;
    struct rend_change change = engine_changes_once(&loader->setup.changes, transition, longest);
    change.planned = planned;
    return change;
}

/* The preset, which is ready to be taken; NULL after messages. */
static const struct engine_preset *load(struct engine_loader *loader,
                                        const struct engine_choice *choice, bool hard)
{
    struct engine_preset *preset = read_preset(loader, choice->path, choice->text);
    if (preset == NULL) {
        return NULL;
    }
    const struct rend_change change =
        next_change(loader, choice->transition, choice->seconds, hard);
    struct engine_loaded *loaded =
        make_cue(loader, preset, &change, choice->seconds, choice->number);
    if (loaded == NULL) {
        return NULL;
    }
    loader->begun = true;
    free_loaded(atomic_exchange(&loader->ready, loaded));
    return preset;
}

static int load_item(struct engine_loader *loader, const struct engine_item *item, bool hard)
{
    struct engine_choice choice = {.number = (long)(item - loader->order.items),
                                   .seconds = item->seconds,
                                   .text = {item->text, item->size}};
    memcpy(choice.transition, item->transition, sizeof choice.transition);
    (void)snprintf(choice.path, sizeof choice.path, "%s", item->path);
    return load(loader, &choice, hard) != NULL ? 0 : -1;
}

/* One that is in no order. */
static const struct engine_preset *load_other(struct engine_loader *loader, const char *path,
                                              struct base_span text, const char *transition,
                                              double seconds, bool hard)
{
    struct engine_choice choice = {.number = -1, .seconds = seconds, .text = text};
    if (strlen(path) >= sizeof choice.path) {
        (void)report(loader, path, "the path is too long");
        return NULL;
    }
    (void)snprintf(choice.path, sizeof choice.path, "%s", path);
    (void)snprintf(choice.transition, sizeof choice.transition, "%s", transition);
    (void)pthread_mutex_lock(&loader->lock);
    const struct engine_preset *preset = load(loader, &choice, hard);
    (void)pthread_mutex_unlock(&loader->lock);
    return preset;
}

/* The preset so many steps on, or the first good one behind it. */
static void go(struct engine_loader *loader, int steps, bool hard)
{
    const struct engine_item *item = engine_order_step(&loader->order, steps);
    for (size_t tried = 1; item != NULL && load_item(loader, item, hard) != 0; tried++) {
        item = tried < loader->order.count && !atomic_load(&loader->quit)
                   ? engine_order_step(&loader->order, steps < 0 ? -1 : 1)
                   : NULL;
    }
}

static void serve(struct engine_loader *loader)
{
    (void)pthread_mutex_lock(&loader->lock);
    atomic_store(&loader->busy, true);
    free_loaded(atomic_exchange(&loader->retired, NULL));
    const int steps = atomic_exchange(&loader->steps, 0);
    const bool first = atomic_exchange(&loader->first, false) && !loader->begun;
    const bool hard = atomic_load(&loader->hard);
    if (first || steps != 0) {
        go(loader, steps != 0 ? steps : 1, hard && !first);
    }
    atomic_store(&loader->busy, false);
    (void)pthread_mutex_unlock(&loader->lock);
}

static void *loader_main(void *argument)
{
    struct engine_loader *loader = argument;
    while (!atomic_load(&loader->quit)) {
        while (sem_wait(&loader->wake) != 0) {
        }
        if (!atomic_load(&loader->quit)) {
            serve(loader);
        }
    }
    return NULL;
}

/* ---- its life ---- */

static void destroy(struct engine_loader *loader)
{
    free_loaded(atomic_load(&loader->ready));
    free_loaded(atomic_load(&loader->retired));
    engine_order_free(&loader->order);
    rend_resources_free(loader->resources);
    (void)pthread_mutex_destroy(&loader->lock);
    (void)sem_destroy(&loader->wake);
    free(loader);
}

struct engine_loader *engine_loader_create(const struct engine_loader_setup *setup,
                                           const struct base_diag_sink *sink)
{
    struct engine_loader *loader = calloc(1, sizeof *loader);
    if (loader == NULL) {
        return NULL;
    }
    loader->setup = *setup;
    loader->sink = sink;
    loader->order.random = setup->random;
    base_rng_seed(&loader->order.rng, setup->config.seed, 7);
    (void)sem_init(&loader->wake, 0, 0);
    (void)pthread_mutex_init(&loader->lock, NULL);
    loader->resources = rend_resources_create(&setup->pictures);
    const bool made =
        loader->resources != NULL &&
        (!setup->beside || pthread_create(&loader->thread, NULL, loader_main, loader) == 0);
    if (!made) {
        destroy(loader);
        return NULL;
    }
    return loader;
}

void engine_loader_free(struct engine_loader *loader)
{
    if (loader == NULL) {
        return;
    }
    atomic_store(&loader->quit, true);
    if (loader->setup.beside) {
        (void)sem_post(&loader->wake);
        (void)pthread_join(loader->thread, NULL);
    }
    destroy(loader);
}

static void wake(struct engine_loader *loader)
{
    if (loader->setup.beside) {
        (void)sem_post(&loader->wake);
    }
}

/* ---- the order, by others than the painter ---- */

static void ask_for_first(struct engine_loader *loader)
{
    atomic_store(&loader->count, loader->order.count);
    if (!loader->begun && loader->order.count > 0) {
        atomic_store(&loader->first, true);
        wake(loader);
    }
}

long engine_loader_add(struct engine_loader *loader, const char *path)
{
    (void)pthread_mutex_lock(&loader->lock);
    const long added = engine_order_add(&loader->order, path, loader->sink);
    ask_for_first(loader);
    (void)pthread_mutex_unlock(&loader->lock);
    return added;
}

int engine_loader_add_text(struct engine_loader *loader, const char *name, struct base_span text)
{
    (void)pthread_mutex_lock(&loader->lock);
    const int result = engine_order_add_text(&loader->order, name, text);
    ask_for_first(loader);
    (void)pthread_mutex_unlock(&loader->lock);
    return result;
}

void engine_loader_clear(struct engine_loader *loader)
{
    (void)pthread_mutex_lock(&loader->lock);
    engine_order_free(&loader->order);
    atomic_store(&loader->count, 0);
    (void)pthread_mutex_unlock(&loader->lock);
}

size_t engine_loader_count(struct engine_loader *loader)
{
    return atomic_load(&loader->count);
}

bool engine_loader_path(struct engine_loader *loader, size_t item, char *path, size_t size)
{
    (void)pthread_mutex_lock(&loader->lock);
    const bool there = item < loader->order.count;
    if (there) {
        (void)snprintf(path, size, "%s", loader->order.items[item].path);
    }
    (void)pthread_mutex_unlock(&loader->lock);
    return there;
}

int engine_loader_choose(struct engine_loader *loader, size_t item, bool hard)
{
    (void)pthread_mutex_lock(&loader->lock);
    const struct engine_item *chosen = engine_order_choose(&loader->order, item);
    const int result = chosen != NULL ? load_item(loader, chosen, hard) : -1;
    (void)pthread_mutex_unlock(&loader->lock);
    return result;
}

int engine_loader_load(struct engine_loader *loader, const char *path, struct base_span text,
                       bool hard)
{
    return load_other(loader, path, text, "", -1, hard) != NULL ? 0 : -1;
}

const struct rend_patch *engine_loader_load_for(struct engine_loader *loader, const char *path,
                                                const char *transition, double seconds)
{
    const struct base_span none = {NULL, 0};
    const struct engine_preset *preset = load_other(loader, path, none, transition, seconds, false);
    return preset != NULL ? preset->patch : NULL;
}

void engine_loader_random(struct engine_loader *loader, bool on)
{
    (void)pthread_mutex_lock(&loader->lock);
    loader->order.random = on;
    (void)pthread_mutex_unlock(&loader->lock);
}

void engine_loader_blend(struct engine_loader *loader, double seconds)
{
    (void)pthread_mutex_lock(&loader->lock);
    loader->setup.changes.seconds = seconds;
    (void)pthread_mutex_unlock(&loader->lock);
}

bool engine_loader_transition(struct engine_loader *loader, const char *name)
{
    (void)pthread_mutex_lock(&loader->lock);
    const bool known = engine_changes_set(&loader->setup.changes, name);
    (void)pthread_mutex_unlock(&loader->lock);
    return known;
}

struct engine_loaded *engine_loader_resize(struct engine_loader *loader,
                                           const struct rend_config *config,
                                           const struct engine_loaded *current, bool *failed)
{
    (void)pthread_mutex_lock(&loader->lock);
    const struct rend_config former = loader->setup.config;
    struct engine_loaded *ready = atomic_exchange(&loader->ready, NULL);
    const struct engine_loaded *from = ready != NULL ? ready : current;
    struct engine_loaded *made = NULL;
    loader->setup.config = *config;
    *failed = false;
    if (from != NULL) {
        const struct rend_change cut = {.planned = loader->setup.planned};
        from->preset->users++;
        made = make_cue(loader, from->preset, &cut, from->seconds, from->item);
        *failed = made == NULL;
    }
    if (*failed) {
        loader->setup.config = former;
        free_loaded(atomic_exchange(&loader->ready, ready));
    } else {
        free_loaded(ready);
    }
    (void)pthread_mutex_unlock(&loader->lock);
    return made;
}

struct engine_changes engine_loader_changes(struct engine_loader *loader)
{
    (void)pthread_mutex_lock(&loader->lock);
    const struct engine_changes changes = loader->setup.changes;
    (void)pthread_mutex_unlock(&loader->lock);
    return changes;
}

void engine_loader_put_changes(struct engine_loader *loader, const struct engine_changes *changes)
{
    (void)pthread_mutex_lock(&loader->lock);
    loader->setup.changes = *changes;
    loader->begun = true;
    (void)pthread_mutex_unlock(&loader->lock);
}

struct engine_loaded *engine_loader_remake(struct engine_loader *loader,
                                           const struct engine_loaded *like, const char *path,
                                           struct base_span text, const struct rend_change *change)
{
    struct engine_loaded *made = NULL;
    (void)pthread_mutex_lock(&loader->lock);
    struct engine_preset *preset = like != NULL ? like->preset : read_preset(loader, path, text);
    if (preset != NULL) {
        preset->users += like != NULL;
        made = make_cue(loader, preset, change, -1, like != NULL ? like->item : -1);
    }
    (void)pthread_mutex_unlock(&loader->lock);
    return made;
}

static bool is_asked(const struct engine_loader *loader)
{
    return atomic_load(&loader->first) || atomic_load(&loader->steps) != 0 ||
           atomic_load(&loader->busy);
}

bool engine_loader_wait(struct engine_loader *loader, double seconds)
{
    static const double look_seconds = 0.002;
    const double until = base_clock_seconds() + seconds;
    if (!loader->setup.beside) {
        serve(loader);
    }
    while (atomic_load(&loader->ready) == NULL && is_asked(loader) &&
           base_clock_seconds() < until) {
        base_clock_sleep_until(base_clock_seconds() + look_seconds);
    }
    return atomic_load(&loader->ready) != NULL;
}

/* ---- the painter's ---- */

void engine_loader_step(struct engine_loader *loader, int steps, bool hard)
{
    atomic_store(&loader->hard, hard);
    (void)atomic_fetch_add(&loader->steps, steps);
    wake(loader);
}

void engine_loader_tell(struct engine_loader *loader, const struct rend_moment *moment)
{
    double numbers[sizeof *moment / sizeof(double)];
    memcpy(numbers, moment, sizeof numbers);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        atomic_store_explicit(&loader->told.numbers[i], numbers[i], memory_order_relaxed);
    }
}

struct engine_loaded *engine_loader_take(struct engine_loader *loader)
{
    if (!loader->setup.beside) {
        serve(loader);
    }
    if (atomic_load_explicit(&loader->ready, memory_order_relaxed) == NULL) {
        return NULL;
    }
    return atomic_exchange(&loader->ready, NULL);
}

void engine_loader_retire(struct engine_loader *loader, struct engine_loaded *loaded)
{
    loaded->next = atomic_load(&loader->retired);
    while (!atomic_compare_exchange_weak(&loader->retired, &loaded->next, loaded)) {
    }
    wake(loader);
}

bool engine_loader_alone(const struct engine_loader *loader)
{
    return atomic_load(&loader->count) < 2;
}
