#include "engine/feed/loader.h"

#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/os/thread.h"
#include "engine/feed/making.h"

enum {
    TOLD_MAX = 64,
    PASSED_MAX = 16,
    GONE_LOOKS = 20, /* an editor may take a file away for a moment while it saves */
};

static const double watch_seconds = 0.05; /* between looks at the file */

/* What tells one version of a file from another. */
struct stamp {
    struct timespec changed;
    off_t size;
    ino_t inode;
};

/* Written by the painter, read by who loads. Each number is whole in itself; that they may belong
 * to two frames in a row harms nobody. */
struct told {
    _Atomic double numbers[sizeof(struct rend_moment) / sizeof(double)];
};

/* A text that waits to be tried. */
struct edit {
    char *text; /* NULL: none */
    size_t size;
    uint64_t revision;
    char path[ENGINE_PATH];
};

/* Which preset a show opens with. */
struct opening {
    uint32_t told_of[TOLD_MAX]; /* presets that could not be loaded; before the first that could */
    size_t told_count;
    int may_pass;          /* presets that may be passed over as too slow */
    bool passes_shaders;   /* one with shaders was too slow: others are not tried */
    bool passed;           /* the one tried last was passed over */
    uint32_t lightest;     /* of those passed over; ENGINE_NUMBER_NONE: none yet */
    double lightest_steps; /* seconds for each */
};

struct engine_loader {
    struct engine_loader_setup setup;
    const struct base_diag_sink *sink;
    struct told told;
    pthread_t thread;
    sem_t wake;
    atomic_bool quit;
    atomic_bool failed;
    atomic_bool hard;     /* what is asked for comes with a cut */
    atomic_int steps;     /* asked for and not yet gone */
    atomic_bool first;    /* the first of a plain order is asked for */
    atomic_uint wanted;   /* of the order; ENGINE_NUMBER_NONE: none */
    atomic_uint rejected; /* of the order; ENGINE_NUMBER_NONE: none */
    atomic_bool busy;     /* what was asked for is being made */
    atomic_bool random;
    atomic_size_t count; /* of the order */
    atomic_uint loaded;  /* counts */
    atomic_uint refused;
    _Atomic double blend;  /* asked for and not yet taken over; NAN: nothing */
    atomic_int transition; /* asked for and not yet taken over, as of pack(); -1: nothing */

    pthread_mutex_t work; /* of what follows: who has it loads */
    struct engine_making making;
    struct engine_source source;
    struct engine_order order; /* a plain one */
    struct engine_choice current;
    struct stamp stamp; /* of the file that was loaded last */
    int gone;           /* looks in a row that did not find it, one more when told */
    struct opening opening;
    bool begun;  /* one was loaded */
    bool cuts;   /* what was asked for last comes with a cut */
    bool flawed; /* there were errors in the preset that was handed over last */

    pthread_mutex_t lock; /* of what follows; held for moments */
    struct engine_changes changes;
    struct edit edit;
    struct engine_loader_outcome outcome;
    struct engine_loader_outcome file_outcome;
    char file_path[ENGINE_PATH];

    _Atomic(struct engine_loaded *) ready;   /* to the painter */
    _Atomic(struct engine_loaded *) retired; /* a chain, from the painter */
};

/* ---- what transitions are like ---- */

enum { KIND = (1 << 16) - 1, RANDOM = 1 << 16, CUT = 1 << 17 };

/* A kind of transitions in one number. */
static int pack(const struct engine_changes *changes)
{
    return (int)changes->transition + (changes->random ? RANDOM : 0) + (changes->cut ? CUT : 0);
}

static void unpack(int packed, struct engine_changes *changes)
{
    changes->random = (packed & RANDOM) != 0;
    changes->cut = (packed & CUT) != 0;
    if (!changes->random && !changes->cut) {
        changes->transition = (enum rend_transition)(packed & KIND);
    }
}

/* Takes over what was asked for. Under `lock`. */
static void settle(struct engine_loader *loader)
{
    const double blend = atomic_exchange(&loader->blend, NAN);
    const int transition = atomic_exchange(&loader->transition, -1);
    if (!isnan(blend)) {
        loader->changes.seconds = blend;
    }
    if (transition >= 0) {
        unpack(transition, &loader->changes);
    }
}

/* The next change: a cut for another version of what runs, or where one was asked for. */
static struct rend_change next_change(struct engine_loader *loader,
                                      const struct engine_choice *choice, bool cut)
{
    const double planned = choice->seconds >= 0 ? choice->seconds : loader->setup.planned;
    const double longest = cut ? 0 : planned > 0 ? planned / 2 : INFINITY;
    (void)pthread_mutex_lock(&loader->lock);
    settle(loader);
    struct rend_change change = engine_changes_once(&loader->changes, choice->transition, longest);
    (void)pthread_mutex_unlock(&loader->lock);
    change.planned = planned;
    return change;
}

/* ---- making one ready, under `work` ---- */

/* The messages about one preset. */
struct message_list {
    const char *path;                  /* of the preset; that of a message may not last */
    const struct base_diag_sink *also; /* who gets them at once; NULL: nobody */
    struct base_diag_list list;
};

static void keep_message(void *user, const struct base_diag *diag)
{
    struct message_list *messages = user;
    const struct base_diag_sink list = base_diag_list_sink(&messages->list);
    struct base_diag lasting = *diag;
    lasting.place.file = diag->place.file != NULL ? messages->path : NULL;
    list.receive(list.user, &lasting);
    if (messages->also != NULL) {
        messages->also->receive(messages->also->user, diag);
    }
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

/* Returns all zero if the file is not there. */
static struct stamp stamp_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return (struct stamp){0};
    }
    return (struct stamp){status.st_mtim, status.st_size, status.st_ino};
}

/* Whether the show may open with it. */
static bool may_open(struct engine_loader *loader, const struct engine_loaded *loaded)
{
    struct opening *opening = &loader->opening;
    const double budget = 0.85 / loader->making.config.fps;
    const struct rend_patch *patch = loaded->preset->patch;
    const bool shaded = rend_patch_has_shaders(patch);
    const double seconds = shaded && opening->passes_shaders
                               ? INFINITY
                               : engine_making_step_seconds(&loader->making, patch, budget);
    if (seconds < opening->lightest_steps) {
        opening->lightest_steps = seconds;
        opening->lightest = loaded->number;
    }
    opening->passes_shaders = opening->passes_shaders || (shaded && seconds > budget);
    opening->passed = seconds > budget;
    if (opening->passed && isfinite(seconds)) {
        base_report(loader->sink, BASE_DEBUG, (struct base_place){.file = loaded->preset->path},
                    NULL, "the show does not open with it: a step takes %.1f ms", 1000 * seconds);
    }
    return !opening->passed;
}

/* Tries the current preset, in the words of `text` (data NULL: of its file). A changed one with
 * errors does not take the place of one without. Returns what is handed over; NULL: nothing is. */
static const struct engine_preset *try_current(struct engine_loader *loader, struct base_span text,
                                               bool changed, struct message_list *messages)
{
    const struct base_diag_sink sink = {keep_message, messages};
    const struct engine_choice *choice = &loader->current;
    struct engine_preset *preset = engine_preset_make(&loader->making, choice->path, text, &sink);
    struct engine_loaded *loaded = NULL;
    if (preset != NULL) {
        const struct rend_change change = next_change(loader, choice, changed || loader->cuts);
        const struct rend_moment moment = moment_of(loader);
        loaded = engine_loaded_make(&loader->making, preset, choice, &moment, &change, &sink);
    }
    const bool flawed = messages->list.by_severity[BASE_ERROR] > 0;
    if (loaded == NULL || (changed && flawed && !loader->flawed)) {
        engine_loaded_free(&loader->making, loaded);
        return NULL;
    }
    if (loader->opening.may_pass > 0 && !may_open(loader, loaded)) {
        loader->opening.may_pass--;
        engine_loaded_free(&loader->making, loaded);
        return NULL;
    }
    loader->opening.may_pass = 0;
    loaded->again = changed;
    loader->flawed = flawed;
    loader->begun = true;
    (void)atomic_fetch_add(&loader->loaded, 1);
    engine_loaded_free(&loader->making, atomic_exchange(&loader->ready, loaded));
    return preset;
}

/* Under `lock` too. */
static void put_outcome(struct engine_loader_outcome *outcome, uint64_t revision, bool shown,
                        double begun, const struct message_list *messages)
{
    outcome->revision = revision;
    outcome->shown = shown;
    outcome->seconds = base_clock_seconds() - begun;
    outcome->message_count = messages->list.count;
    memcpy(outcome->messages, messages->list.items, sizeof outcome->messages);
}

/* What cannot be loaded is reported by who remembers it, or here. */
static const struct engine_preset *load_current(struct engine_loader *loader, bool changed)
{
    struct engine_choice *current = &loader->current;
    const struct base_place place = {.file = current->path};
    const struct engine_source *source = &loader->source;
    struct message_list messages = {.path = current->path,
                                    .also = source->tells == NULL ? loader->sink : NULL};
    const double begun = base_clock_seconds();
    loader->opening.passed = false;
    loader->stamp = loader->setup.watches ? stamp_of(current->path) : (struct stamp){.inode = 0};
    loader->gone = 0;
    const struct engine_preset *preset = try_current(loader, current->text, changed, &messages);
    const bool passed = loader->opening.passed;
    current->text = (struct base_span){NULL, 0};
    if (loader->setup.beside) {
        base_report(loader->sink, BASE_DEBUG, place, NULL,
                    preset != NULL ? "made ready in %.1f ms"
                    : passed       ? "passed over after %.1f ms"
                                   : "refused after %.1f ms",
                    1000 * (base_clock_seconds() - begun));
    }
    struct engine_loader_outcome *outcome = &loader->file_outcome;
    (void)pthread_mutex_lock(&loader->lock);
    memcpy(loader->file_path, current->path, sizeof loader->file_path);
    put_outcome(outcome, outcome->revision + 1, preset != NULL, begun, &messages);
    (void)pthread_mutex_unlock(&loader->lock);
    if (source->tells != NULL && !passed &&
        (preset != NULL || changed || source->tells(source->user, current->number))) {
        for (size_t i = 0; i < messages.list.count; i++) {
            loader->sink->receive(loader->sink->user, &messages.list.items[i]);
        }
    }
    return preset;
}

static bool quits(const struct engine_loader *loader)
{
    return atomic_load(&loader->quit);
}

static void refuse(struct engine_loader *loader)
{
    struct opening *opening = &loader->opening;
    (void)atomic_fetch_add(&loader->refused, 1);
    if (loader->source.mark != NULL) {
        loader->source.mark(loader->source.user, loader->current.number);
    }
    if (opening->told_count < TOLD_MAX) {
        opening->told_of[opening->told_count++] = loader->current.number;
    }
}

/* Loads the current preset, or else the first good one in the direction of `step`. */
static void load_good(struct engine_loader *loader, int step)
{
    const struct engine_source *source = &loader->source;
    const size_t most = source->count(source->user);
    bool there = true;
    for (size_t tried = 0; there && tried <= most && !quits(loader); tried++) {
        if (load_current(loader, false) != NULL) {
            return;
        }
        if (!loader->opening.passed) {
            refuse(loader);
        } else if (loader->opening.may_pass == 0) {
            return;
        }
        /* Without marks the order would begin again. */
        there = (source->mark != NULL || tried + 1 < most) &&
                source->step(source->user, step, &loader->current);
    }
}

static void go(struct engine_loader *loader, int steps)
{
    const struct engine_source *source = &loader->source;
    loader->order.random = atomic_load(&loader->random);
    if (source->step(source->user, steps, &loader->current)) {
        load_good(loader, steps < 0 ? -1 : 1);
    }
}

/* ---- what was asked for, under `work` ---- */

static void reject(struct engine_loader *loader, uint32_t number)
{
    const struct engine_source *source = &loader->source;
    if (source->mark == NULL) {
        return;
    }
    source->mark(source->user, number);
    if (loader->current.number == number) {
        if (source->step(source->user, 1, &loader->current)) {
            loader->cuts = true; /* it would take its time during a transition too */
            load_good(loader, 1);
        } else {
            source->unmark(source->user, number);
        }
    }
}

/* An edit of a preset that is not the current one any more is dropped. */
static bool try_edit(struct engine_loader *loader)
{
    (void)pthread_mutex_lock(&loader->lock);
    const struct edit edit = loader->edit;
    loader->edit = (struct edit){0};
    (void)pthread_mutex_unlock(&loader->lock);
    if (edit.text == NULL) {
        return false;
    }
    if (strcmp(edit.path, loader->current.path) == 0) {
        struct message_list messages = {.path = loader->current.path};
        const double begun = base_clock_seconds();
        const bool shown =
            try_current(loader, (struct base_span){edit.text, edit.size}, true, &messages) != NULL;
        (void)pthread_mutex_lock(&loader->lock);
        put_outcome(&loader->outcome, edit.revision, shown, begun, &messages);
        (void)pthread_mutex_unlock(&loader->lock);
    }
    free(edit.text);
    return true;
}

static void look_at_file(struct engine_loader *loader)
{
    const struct stamp *known = &loader->stamp;
    const struct stamp stamp = stamp_of(loader->current.path);
    const bool same = stamp.changed.tv_sec == known->changed.tv_sec &&
                      stamp.changed.tv_nsec == known->changed.tv_nsec &&
                      stamp.size == known->size && stamp.inode == known->inode;
    if (stamp.inode == 0) {
        loader->gone += loader->gone < GONE_LOOKS;
        if (loader->gone == GONE_LOOKS) {
            loader->gone++;
            base_report(
                loader->sink, BASE_WARNING, (struct base_place){.file = loader->current.path},
                "it is loaded again when it is back", "this file is gone; its picture goes on");
        }
    } else if (stamp.size > 0 && (loader->gone > GONE_LOOKS || !same)) {
        /* An empty file is one that is just being written. */
        (void)load_current(loader, true);
    }
}

static void serve(struct engine_loader *loader)
{
    const struct engine_source *source = &loader->source;
    (void)pthread_mutex_lock(&loader->work);
    atomic_store(&loader->busy, true);
    if (atomic_load(&loader->count) < 2) { /* asking may go through a whole library */
        atomic_store(&loader->count, source->count(source->user));
    }
    engine_loaded_free(&loader->making, atomic_exchange(&loader->retired, NULL));
    loader->cuts = false;
    const uint32_t rejected = atomic_exchange(&loader->rejected, ENGINE_NUMBER_NONE);
    if (rejected != ENGINE_NUMBER_NONE) {
        reject(loader, rejected);
    }
    const uint32_t wanted = atomic_exchange(&loader->wanted, ENGINE_NUMBER_NONE);
    const int steps = atomic_exchange(&loader->steps, 0);
    const bool first = atomic_exchange(&loader->first, false) && !loader->begun;
    loader->cuts =
        atomic_load(&loader->hard) && (wanted != ENGINE_NUMBER_NONE || steps != 0) && !first;
    if (wanted != ENGINE_NUMBER_NONE) {
        if (source->choose(source->user, wanted, &loader->current)) {
            load_good(loader, 1);
        }
    } else if (steps != 0 || first) {
        go(loader, steps != 0 ? steps : 1);
    } else if (!try_edit(loader) && loader->setup.watches && loader->begun) {
        look_at_file(loader);
    }
    atomic_store(&loader->busy, false);
    (void)pthread_mutex_unlock(&loader->work);
}

/* ---- the thread ---- */

/* Where all are marked as not fit: whatever still can be loaded, and else why it cannot be. */
static void load_any(struct engine_loader *loader)
{
    const struct engine_source *source = &loader->source;
    const struct opening *opening = &loader->opening;
    uint32_t numbers[TOLD_MAX];
    const size_t fit = source->list(source->user, numbers, TOLD_MAX);
    bool loaded = false;
    for (size_t i = 0; i < fit && i < TOLD_MAX && !loaded && !quits(loader); i++) {
        bool told = false;
        for (size_t k = 0; k < opening->told_count; k++) {
            told = told || opening->told_of[k] == numbers[i];
        }
        if (!told && source->choose(source->user, numbers[i], &loader->current)) {
            loaded = load_current(loader, false) != NULL;
            if (!loaded) {
                refuse(loader);
            }
        }
    }
}

/* Loads the first preset. The first files that are found may be bad ones; more come while the
 * source grows. */
static void open_show(struct engine_loader *loader)
{
    const struct engine_source *source = &loader->source;
    struct opening *opening = &loader->opening;
    bool grows = source->wait(source->user);
    while (grows && atomic_load(&loader->loaded) == 0 && !quits(loader) &&
           !(opening->passed && opening->may_pass == 0)) {
        grows = source->grows(source->user);
        (void)pthread_mutex_lock(&loader->work);
        go(loader, 1);
        (void)pthread_mutex_unlock(&loader->work);
        if (grows && atomic_load(&loader->loaded) == 0) {
            base_clock_wait(&loader->wake, watch_seconds);
        }
    }
    /* Where the machine is too slow for all that were tried: the lightest. */
    (void)pthread_mutex_lock(&loader->work);
    opening->may_pass = 0;
    opening->passed = false;
    if (atomic_load(&loader->loaded) == 0 && opening->lightest != ENGINE_NUMBER_NONE &&
        source->choose(source->user, opening->lightest, &loader->current)) {
        (void)load_current(loader, false);
    }
    if (atomic_load(&loader->loaded) == 0) {
        load_any(loader);
    }
    (void)pthread_mutex_unlock(&loader->work);
    atomic_store(&loader->failed, atomic_load(&loader->loaded) == 0);
}

static void *loader_main(void *argument)
{
    struct engine_loader *loader = argument;
    if (loader->source.wait != NULL && !loader->setup.resumes) {
        open_show(loader);
    }
    while (!quits(loader) && !atomic_load(&loader->failed)) {
        if (loader->setup.watches) {
            base_clock_wait(&loader->wake, watch_seconds);
        } else {
            while (sem_wait(&loader->wake) != 0) {
            }
        }
        if (!quits(loader)) {
            serve(loader);
        }
    }
    return NULL;
}

/* ---- its life ---- */

static void destroy(struct engine_loader *loader)
{
    engine_loaded_free(&loader->making, atomic_load(&loader->ready));
    engine_loaded_free(&loader->making, atomic_load(&loader->retired));
    engine_order_free(&loader->order);
    rend_resources_free(loader->making.resources);
    free(loader->edit.text);
    (void)pthread_mutex_destroy(&loader->lock);
    (void)pthread_mutex_destroy(&loader->work);
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
    loader->changes = setup->changes;
    loader->making = (struct engine_making){.config = setup->config, .dresser = setup->dresser};
    loader->opening = (struct opening){.may_pass = setup->opens ? PASSED_MAX : 0,
                                       .lightest = ENGINE_NUMBER_NONE,
                                       .lightest_steps = INFINITY};
    loader->source =
        setup->source.step != NULL ? setup->source : engine_order_source(&loader->order);
    base_rng_seed(&loader->order.rng, setup->config.seed, 7);
    atomic_init(&loader->random, setup->random);
    atomic_init(&loader->wanted, ENGINE_NUMBER_NONE);
    atomic_init(&loader->rejected, ENGINE_NUMBER_NONE);
    atomic_init(&loader->blend, NAN);
    atomic_init(&loader->transition, -1);
    (void)sem_init(&loader->wake, 0, 0);
    (void)pthread_mutex_init(&loader->work, NULL);
    (void)pthread_mutex_init(&loader->lock, NULL);
    loader->making.resources = rend_resources_create(&setup->pictures);
    const bool made =
        loader->making.resources != NULL &&
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

/* Under `work`. */
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
    (void)pthread_mutex_lock(&loader->work);
    const long added = engine_order_add(&loader->order, path, loader->sink);
    ask_for_first(loader);
    (void)pthread_mutex_unlock(&loader->work);
    return added;
}

int engine_loader_add_text(struct engine_loader *loader, const char *name, struct base_span text)
{
    (void)pthread_mutex_lock(&loader->work);
    const int result = engine_order_add_text(&loader->order, name, text);
    ask_for_first(loader);
    (void)pthread_mutex_unlock(&loader->work);
    return result;
}

void engine_loader_clear(struct engine_loader *loader)
{
    (void)pthread_mutex_lock(&loader->work);
    engine_order_free(&loader->order);
    atomic_store(&loader->count, 0);
    (void)pthread_mutex_unlock(&loader->work);
}

bool engine_loader_path(struct engine_loader *loader, size_t item, char *path, size_t size)
{
    (void)pthread_mutex_lock(&loader->work);
    const bool there = item < loader->order.count;
    if (there) {
        (void)snprintf(path, size, "%s", loader->order.items[item].path);
    }
    (void)pthread_mutex_unlock(&loader->work);
    return there;
}

int engine_loader_choose(struct engine_loader *loader, uint32_t number, bool hard)
{
    const struct engine_source *source = &loader->source;
    (void)pthread_mutex_lock(&loader->work);
    loader->cuts = hard;
    const bool good = source->choose(source->user, number, &loader->current) &&
                      load_current(loader, false) != NULL;
    (void)pthread_mutex_unlock(&loader->work);
    return good ? 0 : -1;
}

/* One that is in no order. */
static const struct rend_patch *load_other(struct engine_loader *loader, const char *path,
                                           struct base_span text, const char *transition,
                                           double seconds, bool hard)
{
    if (strlen(path) >= ENGINE_PATH) {
        base_report(loader->sink, BASE_ERROR, (struct base_place){.file = path}, NULL,
                    "the path is too long");
        return NULL;
    }
    (void)pthread_mutex_lock(&loader->work);
    struct engine_choice *current = &loader->current;
    *current =
        (struct engine_choice){.number = ENGINE_NUMBER_NONE, .seconds = seconds, .text = text};
    (void)snprintf(current->path, sizeof current->path, "%s", path);
    (void)snprintf(current->transition, sizeof current->transition, "%s", transition);
    loader->cuts = hard;
    const struct engine_preset *preset = load_current(loader, false);
    (void)pthread_mutex_unlock(&loader->work);
    return preset != NULL ? preset->patch : NULL;
}

int engine_loader_load(struct engine_loader *loader, const char *path, struct base_span text,
                       bool hard)
{
    return load_other(loader, path, text, "", -1, hard) != NULL ? 0 : -1;
}

const struct rend_patch *engine_loader_load_for(struct engine_loader *loader, const char *path,
                                                const char *transition, double seconds)
{
    return load_other(loader, path, (struct base_span){NULL, 0}, transition, seconds, false);
}

struct engine_loaded *engine_loader_resize(struct engine_loader *loader,
                                           const struct rend_config *config,
                                           const struct engine_loaded *current, bool *failed)
{
    (void)pthread_mutex_lock(&loader->work);
    const struct rend_config former = loader->making.config;
    struct engine_loaded *ready = atomic_exchange(&loader->ready, NULL);
    const struct engine_loaded *from = ready != NULL ? ready : current;
    struct engine_loaded *made = NULL;
    loader->making.config = *config;
    *failed = false;
    if (from != NULL) {
        const struct rend_change cut = {.planned = loader->setup.planned};
        const struct rend_moment moment = moment_of(loader);
        from->preset->users++;
        made = engine_loaded_make(&loader->making, from->preset, NULL, &moment, &cut, loader->sink);
        *failed = made == NULL;
    }
    if (made != NULL) {
        made->seconds = from->seconds;
        made->number = from->number;
    }
    if (*failed) {
        loader->making.config = former;
        engine_loaded_free(&loader->making, atomic_exchange(&loader->ready, ready));
    } else {
        engine_loaded_free(&loader->making, ready);
    }
    (void)pthread_mutex_unlock(&loader->work);
    return made;
}

struct engine_loaded *engine_loader_remake(struct engine_loader *loader,
                                           const struct engine_loaded *like, const char *path,
                                           struct base_span text, const struct rend_change *change,
                                           const struct rend_moment *moment)
{
    struct engine_loaded *made = NULL;
    (void)pthread_mutex_lock(&loader->work);
    struct engine_preset *preset =
        like != NULL ? like->preset : engine_preset_make(&loader->making, path, text, loader->sink);
    if (preset != NULL) {
        const struct rend_moment now = moment_of(loader);
        preset->users += like != NULL;
        made = engine_loaded_make(&loader->making, preset, NULL, moment != NULL ? moment : &now,
                                  change, loader->sink);
    }
    if (made != NULL && like != NULL) {
        made->number = like->number;
    }
    loader->begun = true;
    (void)pthread_mutex_unlock(&loader->work);
    return made;
}

/* ---- without waiting for a preset ---- */

struct engine_changes engine_loader_changes(struct engine_loader *loader)
{
    (void)pthread_mutex_lock(&loader->lock);
    settle(loader);
    const struct engine_changes changes = loader->changes;
    (void)pthread_mutex_unlock(&loader->lock);
    return changes;
}

void engine_loader_follow(struct engine_loader *loader, const char *path)
{
    (void)pthread_mutex_lock(&loader->work);
    struct engine_choice *current = &loader->current;
    *current = (struct engine_choice){.number = ENGINE_NUMBER_NONE, .seconds = -1};
    (void)snprintf(current->path, sizeof current->path, "%s", path);
    loader->stamp = stamp_of(path);
    loader->gone = 0;
    (void)pthread_mutex_unlock(&loader->work);
}

bool engine_loader_try_changes(struct engine_loader *loader, struct engine_changes *changes)
{
    if (pthread_mutex_trylock(&loader->lock) != 0) {
        return false;
    }
    settle(loader);
    *changes = loader->changes;
    (void)pthread_mutex_unlock(&loader->lock);
    return true;
}

void engine_loader_put_changes(struct engine_loader *loader, const struct engine_changes *changes)
{
    (void)pthread_mutex_lock(&loader->lock);
    settle(loader);
    loader->changes = *changes;
    (void)pthread_mutex_unlock(&loader->lock);
}

bool engine_loader_edit(struct engine_loader *loader, const char *path, struct base_span text,
                        uint64_t revision)
{
    struct edit edit = {.text = malloc(text.size + 1), .size = text.size, .revision = revision};
    if (edit.text == NULL) {
        return false;
    }
    memcpy(edit.text, text.data, text.size);
    (void)snprintf(edit.path, sizeof edit.path, "%s", path);
    (void)pthread_mutex_lock(&loader->lock);
    char *former = loader->edit.text;
    loader->edit = edit;
    (void)pthread_mutex_unlock(&loader->lock);
    free(former);
    wake(loader);
    return true;
}

void engine_loader_outcome(struct engine_loader *loader, struct engine_loader_outcome *outcome)
{
    (void)pthread_mutex_lock(&loader->lock);
    *outcome = loader->outcome;
    (void)pthread_mutex_unlock(&loader->lock);
}

bool engine_loader_file_outcome(struct engine_loader *loader, const char *path, uint64_t known,
                                struct engine_loader_outcome *outcome)
{
    (void)pthread_mutex_lock(&loader->lock);
    const bool told =
        loader->file_outcome.revision != known && strcmp(loader->file_path, path) == 0;
    if (told) {
        *outcome = loader->file_outcome;
    }
    (void)pthread_mutex_unlock(&loader->lock);
    return told;
}

static bool is_asked(const struct engine_loader *loader)
{
    return atomic_load(&loader->first) || atomic_load(&loader->steps) != 0 ||
           atomic_load(&loader->wanted) != ENGINE_NUMBER_NONE || atomic_load(&loader->busy);
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

/* ---- any thread's ---- */

void engine_loader_want(struct engine_loader *loader, uint32_t number, bool hard)
{
    atomic_store(&loader->hard, hard);
    atomic_store(&loader->wanted, number);
    wake(loader);
}

void engine_loader_random(struct engine_loader *loader, bool on)
{
    atomic_store(&loader->random, on);
}

void engine_loader_blend(struct engine_loader *loader, double seconds)
{
    atomic_store(&loader->blend, seconds > 0 ? seconds : 0);
}

bool engine_loader_transition(struct engine_loader *loader, const char *name)
{
    struct engine_changes changes = {0};
    if (!engine_changes_set(&changes, name)) {
        return false;
    }
    atomic_store(&loader->transition, pack(&changes));
    return true;
}

size_t engine_loader_count(const struct engine_loader *loader)
{
    return atomic_load(&loader->count);
}

bool engine_loader_alone(const struct engine_loader *loader)
{
    return atomic_load(&loader->count) < 2;
}

bool engine_loader_failed(const struct engine_loader *loader)
{
    return atomic_load(&loader->failed);
}

struct engine_loader_counts engine_loader_counts(const struct engine_loader *loader)
{
    return (struct engine_loader_counts){atomic_load(&loader->loaded),
                                         atomic_load(&loader->refused)};
}

/* ---- the painter's ---- */

void engine_loader_step(struct engine_loader *loader, int steps, bool hard)
{
    atomic_store(&loader->hard, hard);
    (void)atomic_fetch_add(&loader->steps, steps);
    wake(loader);
}

void engine_loader_reject(struct engine_loader *loader, uint32_t number)
{
    atomic_store(&loader->rejected, number);
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
    if (loaded == NULL) {
        return;
    }
    loaded->next = atomic_load(&loader->retired);
    while (!atomic_compare_exchange_weak(&loader->retired, &loaded->next, loaded)) {
    }
    if (!loader->setup.watches) { /* who watches looks soon */
        wake(loader);
    }
}
