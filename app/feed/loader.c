#include "app/feed/loader.h"

#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "app/loading/loading.h"
#include "engine/loading.h"
#include "base/os/thread.h"

/* With all that follow it by `next`. NULL is fine. */
static void free_loaded(struct app_loaded *loaded)
{
    while (loaded != NULL) {
        struct app_loaded *next = loaded->next;
        rend_cue_free(loaded->cue);
        rend_patch_free(loaded->patch);
        ui_line_free(loaded->line);
        free(loaded);
        loaded = next;
    }
}

/* What every preset is made ready with. */
struct making {
    struct rend_config config;
    struct app_textures textures;
    struct rend_resources *resources;
    const struct ui_overlay *overlay; /* that shows the name; may be NULL */
};

/* Compiles the text of the file `choice->path`, or reads that file if text.data is NULL, and makes
 * it ready for the change. NULL with a message. */
static struct app_loaded *make_ready(const struct making *making,
                                     const struct app_library_choice *choice, struct base_span text,
                                     const struct rend_moment *moment,
                                     const struct rend_change *change,
                                     const struct base_diag_sink *sink)
{
    struct app_loaded *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = choice->path}, NULL,
                    "not enough memory");
        return NULL;
    }
    loaded->number = choice->number;
    loaded->seconds = choice->seconds;
    (void)snprintf(loaded->path, sizeof loaded->path, "%s", choice->path);
    loaded->patch = engine_patch_load(loaded->path, text, making->resources, loaded->name, sink);
    if (loaded->patch != NULL) {
        const bool named = strncmp(loaded->name, "froth - ", 8) == 0; /* as the originals are */
        (void)snprintf(loaded->title, sizeof loaded->title, "%s%s",
                       choice->unnamed ? "froth"
                       : named         ? ""
                                       : "froth - ",
                       choice->unnamed ? "" : loaded->name);
        struct rend_change ours = *change;
        ours.user = loaded;
        loaded->soft = ours.seconds > 0;
        loaded->cue = rend_cue_create(&making->config, loaded->patch, &ours, moment, sink);
        loaded->line = making->overlay != NULL && !choice->unnamed
                           ? ui_overlay_name(making->overlay, loaded->name)
                           : NULL;
    }
    if (loaded->cue == NULL) {
        free_loaded(loaded);
        return NULL;
    }
    return loaded;
}

enum {
    TOLD_MAX = 64,
    GONE_LOOKS = 20, /* an editor may take a file away for a moment while it saves */
};

static const double watch_seconds = 0.05; /* between looks at the file */

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

/* A text that waits to be tried; between the operator and the loader. */
struct edit {
    char *text; /* NULL: none */
    size_t size;
    uint64_t revision;
    char path[1024];
};

struct app_loader {
    struct app_library *library;
    struct making making;
    double planned;
    struct told told;
    const struct base_diag_sink *sink;
    struct app_library_choice current;
    struct stamp stamp;         /* of the file that was loaded last */
    int gone;                   /* looks in a row that did not find it, one more when told */
    uint32_t told_of[TOLD_MAX]; /* presets that could not be loaded; before the first that could */
    size_t told_count;
    int may_pass;          /* before the first: presets that may be passed over as too slow */
    bool passes_shaders;   /* one with shaders was too slow: others are not tried */
    bool passed;           /* the one tried last was passed over */
    uint32_t lightest;     /* of those passed over; APP_LIBRARY_NONE: none yet */
    double lightest_steps; /* seconds for each */
    bool cuts;             /* what was asked for last comes with a cut */
    bool flawed;           /* there were errors in the preset that was handed over last */
    pthread_t thread;
    sem_t wake;
    atomic_bool quit;
    atomic_bool failed;
    atomic_bool alone;    /* there is one preset only */
    atomic_int steps;     /* asked for and not yet gone */
    atomic_uint wanted;   /* of the library; APP_LIBRARY_NONE: none */
    atomic_uint rejected; /* likewise */
    atomic_bool hard;     /* what is asked for comes with a cut */
    atomic_uint loaded;   /* counts */
    atomic_uint refused;
    pthread_mutex_t lock; /* of what follows; never taken by the painter */
    struct engine_changes changes;
    struct edit edit;
    struct app_loader_outcome outcome;
    struct app_loader_outcome file_outcome;
    char file_path[1024];
    _Atomic(struct app_loaded *) ready;   /* from the loader to the painter */
    _Atomic(struct app_loaded *) retired; /* a chain, from the painter to the loader */
};

/* The messages about one preset. */
struct message_list {
    const char *path; /* of the preset; that of a message may not last */
    struct base_diag_list list;
};

static void keep_message(void *user, const struct base_diag *diag)
{
    struct message_list *messages = user;
    const struct base_diag_sink list = base_diag_list_sink(&messages->list);
    struct base_diag lasting = *diag;
    lasting.place.file = diag->place.file != NULL ? messages->path : NULL;
    list.receive(list.user, &lasting);
}

void app_loader_tell(struct app_loader *loader, const struct rend_moment *moment)
{
    double numbers[sizeof *moment / sizeof(double)];
    memcpy(numbers, moment, sizeof numbers);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        atomic_store_explicit(&loader->told.numbers[i], numbers[i], memory_order_relaxed);
    }
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

enum { PASSED_MAX = 16, TRIED_STEPS = 5 };

/* Seconds that a step of the patch takes, the best of a few; of one that is far too slow, which is
 * seen in its first step, it is that one. */
static double step_seconds(const struct rend_config *config, const struct rend_patch *patch,
                           double budget)
{
    const struct rend_change cut = {.seconds = 0};
    const struct rend_moment beginning = {.fps = config->fps};
    const size_t pixels = (size_t)config->width * (size_t)config->height;
    struct rend_show *show = rend_show_create(config);
    uint32_t *picture = calloc(pixels, sizeof *picture);
    struct rend_cue *cue = rend_cue_create(config, patch, &cut, &beginning, NULL);
    double best = INFINITY;
    if (show != NULL && picture != NULL && cue != NULL) {
        rend_show_take(show, cue);
        cue = NULL;
        for (unsigned step = 1; step <= TRIED_STEPS && (step == 1 || best < 8 * budget); step++) {
            const struct rend_input input = {
                .frame = step, .time = step / config->fps, .fps = config->fps};
            const double begun = base_clock_seconds();
            (void)rend_show_step(show, &input, picture, (size_t)config->width);
            best = fmin(best, base_clock_seconds() - begun);
        }
    }
    rend_cue_free(cue);
    rend_show_free(show);
    free(picture);
    return best;
}

/* Whether the show may open with it. */
static bool may_open(struct app_loader *loader, const struct app_loaded *loaded)
{
    const struct rend_config *config = &loader->making.config;
    const double budget = 0.85 / config->fps;
    const bool shaded = rend_patch_has_shaders(loaded->patch);
    const double seconds =
        shaded && loader->passes_shaders ? INFINITY : step_seconds(config, loaded->patch, budget);
    if (seconds < loader->lightest_steps) {
        loader->lightest_steps = seconds;
        loader->lightest = loaded->number;
    }
    loader->passes_shaders = loader->passes_shaders || (shaded && seconds > budget);
    loader->passed = seconds > budget;
    if (loader->passed && isfinite(seconds)) {
        base_report(loader->sink, BASE_DEBUG, (struct base_place){.file = loaded->path}, NULL,
                    "the show does not open with it: a step takes %.1f ms", 1000 * seconds);
    }
    return !loader->passed;
}

/* Tries the current preset, in the words of `text` (data NULL: of its file). A changed one with
 * errors does not take the place of one without. */
static bool try_current(struct app_loader *loader, struct base_span text, bool changed,
                        struct message_list *messages)
{
    const struct base_diag_sink sink = {keep_message, messages};
    struct rend_moment moment;
    double numbers[sizeof moment / sizeof(double)];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        numbers[i] = atomic_load_explicit(&loader->told.numbers[i], memory_order_relaxed);
    }
    memcpy(&moment, numbers, sizeof moment);
    /* What the next change of presets is like: a cut for an edit or where one was asked for. */
    const double longest = (changed || loader->cuts) ? 0 : loader->planned / 2;
    (void)pthread_mutex_lock(&loader->lock);
    struct rend_change change =
        engine_changes_once(&loader->changes, loader->current.transition, longest);
    (void)pthread_mutex_unlock(&loader->lock);
    change.planned = loader->current.seconds >= 0 ? loader->current.seconds : loader->planned;
    struct app_loaded *loaded =
        make_ready(&loader->making, &loader->current, text, &moment, &change, &sink);
    const bool flawed = messages->list.by_severity[BASE_ERROR] > 0;
    if (loaded == NULL || (changed && flawed && !loader->flawed)) {
        free_loaded(loaded);
        return false;
    }
    if (loader->may_pass > 0 && !may_open(loader, loaded)) {
        loader->may_pass--;
        free_loaded(loaded);
        return false;
    }
    loader->may_pass = 0;
    loaded->again = changed;
    loader->flawed = flawed;
    (void)atomic_fetch_add(&loader->loaded, 1);
    free_loaded(atomic_exchange(&loader->ready, loaded));
    return true;
}

/* Under the lock. */
static void put_outcome(struct app_loader_outcome *outcome, uint64_t revision, bool shown,
                        double begun, const struct message_list *messages)
{
    outcome->revision = revision;
    outcome->shown = shown;
    outcome->seconds = base_clock_seconds() - begun;
    outcome->message_count = messages->list.count;
    memcpy(outcome->messages, messages->list.items, sizeof outcome->messages);
}

/* What cannot be loaded is reported by the library, or here. */
static bool load_current(struct app_loader *loader, bool changed)
{
    loader->passed = false;
    struct message_list messages = {.path = loader->current.path};
    loader->stamp = stamp_of(loader->current.path);
    loader->gone = 0;
    const double begun = base_clock_seconds();
    const bool good = try_current(loader, (struct base_span){0}, changed, &messages);
    base_report(loader->sink, BASE_DEBUG, (struct base_place){.file = loader->current.path}, NULL,
                good             ? "made ready in %.1f ms"
                : loader->passed ? "passed over after %.1f ms"
                                 : "refused after %.1f ms",
                1000 * (base_clock_seconds() - begun));
    struct app_loader_outcome *outcome = &loader->file_outcome;
    (void)pthread_mutex_lock(&loader->lock);
    (void)snprintf(loader->file_path, sizeof loader->file_path, "%s", loader->current.path);
    put_outcome(outcome, outcome->revision + 1, good, begun, &messages);
    (void)pthread_mutex_unlock(&loader->lock);
    if (!loader->passed &&
        (good || changed || app_library_tell(loader->library, loader->current.number))) {
        for (size_t i = 0; i < messages.list.count; i++) {
            loader->sink->receive(loader->sink->user, &messages.list.items[i]);
        }
    }
    return good;
}

static bool quits(const struct app_loader *loader)
{
    return atomic_load(&loader->quit);
}

static void refuse(struct app_loader *loader)
{
    app_library_judge(loader->library, loader->current.number, APP_VERDICT_FAILED);
    (void)atomic_fetch_add(&loader->refused, 1);
    if (loader->told_count < TOLD_MAX) {
        loader->told_of[loader->told_count++] = loader->current.number;
    }
}

/* Loads the current preset, or else the first good one in the direction of `step`. */
static void load_good(struct app_loader *loader, int step)
{
    const size_t most = app_library_state(loader->library).presets;
    bool there = true;
    for (size_t tried = 0; there && tried <= most && !quits(loader); tried++) {
        if (load_current(loader, false)) {
            return;
        }
        if (!loader->passed) {
            refuse(loader);
        } else if (loader->may_pass == 0) {
            return;
        }
        there = app_library_step(loader->library, step, &loader->current);
    }
}

static void go(struct app_loader *loader, int steps)
{
    if (app_library_step(loader->library, steps, &loader->current)) {
        load_good(loader, steps < 0 ? -1 : 1);
    }
}

/* An edit of a preset that is not the current one any more is dropped. */
static bool try_edit(struct app_loader *loader)
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
            try_current(loader, (struct base_span){edit.text, edit.size}, true, &messages);
        (void)pthread_mutex_lock(&loader->lock);
        put_outcome(&loader->outcome, edit.revision, shown, begun, &messages);
        (void)pthread_mutex_unlock(&loader->lock);
    }
    free(edit.text);
    return true;
}

static void serve(struct app_loader *loader)
{
    if (atomic_load(&loader->alone)) { /* asking goes through all of the library */
        atomic_store(&loader->alone, app_library_state(loader->library).presets < 2);
    }
    free_loaded(atomic_exchange(&loader->retired, NULL));
    loader->cuts = false;
    const uint32_t rejected = atomic_exchange(&loader->rejected, APP_LIBRARY_NONE);
    if (rejected != APP_LIBRARY_NONE) {
        struct app_library_entry entry;
        const enum app_library_verdict former = app_library_entry(loader->library, rejected, &entry)
                                                    ? entry.verdict
                                                    : APP_VERDICT_UNKNOWN;
        app_library_judge(loader->library, rejected, APP_VERDICT_FAILED);
        if (loader->current.number == rejected) {
            if (app_library_step(loader->library, 1, &loader->current)) {
                loader->cuts = true; /* it would take its time during a transition too */
                load_good(loader, 1);
            } else {
                app_library_judge(loader->library, rejected, former);
            }
        }
    }
    const uint32_t wanted = atomic_exchange(&loader->wanted, APP_LIBRARY_NONE);
    const int steps = atomic_exchange(&loader->steps, 0);
    loader->cuts = atomic_load(&loader->hard) && (wanted != APP_LIBRARY_NONE || steps != 0);
    if (wanted != APP_LIBRARY_NONE) {
        if (app_library_choose(loader->library, wanted, &loader->current)) {
            load_good(loader, 1);
        }
    } else if (steps != 0) {
        go(loader, steps);
    } else if (!try_edit(loader)) {
        /* An empty file is one that is just being written. */
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
            (void)load_current(loader, true);
        }
    }
}

static void *loader_main(void *argument)
{
    struct app_loader *loader = argument;
    /* The first files that are found may be bad ones; more come while the library scans. */
    bool scanning = app_library_wait(loader->library);
    while (scanning && atomic_load(&loader->loaded) == 0 && !quits(loader) &&
           !(loader->passed && loader->may_pass == 0)) {
        scanning = app_library_state(loader->library).scanning;
        go(loader, 1);
        if (scanning && atomic_load(&loader->loaded) == 0) {
            base_clock_wait(&loader->wake, watch_seconds);
        }
    }
    /* Where the machine is too slow for all that were tried: the lightest. */
    loader->may_pass = 0;
    loader->passed = false;
    if (atomic_load(&loader->loaded) == 0 && loader->lightest != APP_LIBRARY_NONE &&
        app_library_choose(loader->library, loader->lightest, &loader->current)) {
        (void)load_current(loader, false);
    }
    if (atomic_load(&loader->loaded) == 0) {
        /* Where all are marked as failed: whatever still can be loaded, and else why it cannot be.
         */
        uint32_t numbers[TOLD_MAX];
        const size_t fit = app_library_search(loader->library, "", numbers, TOLD_MAX);
        bool loaded = false;
        for (size_t i = 0; i < fit && i < TOLD_MAX && !loaded && !quits(loader); i++) {
            bool told = false;
            for (size_t k = 0; k < loader->told_count; k++) {
                told = told || loader->told_of[k] == numbers[i];
            }
            if (!told && app_library_choose(loader->library, numbers[i], &loader->current)) {
                loaded = load_current(loader, false);
                if (!loaded) {
                    refuse(loader);
                }
            }
        }
    }
    atomic_store(&loader->failed, atomic_load(&loader->loaded) == 0);
    while (!quits(loader) && !atomic_load(&loader->failed)) {
        base_clock_wait(&loader->wake, watch_seconds);
        serve(loader);
    }
    return NULL;
}

static void destroy(struct app_loader *loader)
{
    if (loader != NULL) {
        rend_resources_free(loader->making.resources);
        free(loader->edit.text);
        (void)pthread_mutex_destroy(&loader->lock);
        (void)sem_destroy(&loader->wake);
        free(loader);
    }
}

struct app_loader *app_loader_start(const struct app_loader_setup *setup,
                                    const struct base_diag_sink *sink)
{
    struct app_loader *loader = calloc(1, sizeof *loader);
    if (loader != NULL) {
        loader->library = setup->library;
        loader->making = (struct making){.config = setup->config,
                                         .textures = {setup->textures, &loader->quit},
                                         .overlay = setup->overlay};
        loader->making.resources =
            app_resources_create(&loader->making.textures, setup->config.seed, setup->memory);
        loader->changes = setup->changes;
        loader->planned = setup->planned;
        loader->sink = sink;
        loader->may_pass = setup->opens ? PASSED_MAX : 0;
        loader->lightest = APP_LIBRARY_NONE;
        loader->lightest_steps = INFINITY;
        atomic_init(&loader->wanted, APP_LIBRARY_NONE);
        atomic_init(&loader->alone, true);
        atomic_init(&loader->rejected, APP_LIBRARY_NONE);
        (void)sem_init(&loader->wake, 0, 0);
        (void)pthread_mutex_init(&loader->lock, NULL);
        if (pthread_create(&loader->thread, NULL, loader_main, loader) == 0) {
            return loader;
        }
    }
    destroy(loader);
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
    destroy(loader);
}

void app_loader_step(struct app_loader *loader, int steps, enum app_loader_change change)
{
    atomic_store(&loader->hard, change == APP_CHANGE_HARD);
    (void)atomic_fetch_add(&loader->steps, steps);
    (void)sem_post(&loader->wake);
}

void app_loader_choose(struct app_loader *loader, uint32_t number, enum app_loader_change change)
{
    atomic_store(&loader->hard, change == APP_CHANGE_HARD);
    atomic_store(&loader->wanted, number);
    (void)sem_post(&loader->wake);
}

void app_loader_reject(struct app_loader *loader, uint32_t number)
{
    atomic_store(&loader->rejected, number);
    (void)sem_post(&loader->wake);
}

bool app_loader_transition(struct app_loader *loader, const char *name)
{
    (void)pthread_mutex_lock(&loader->lock);
    const bool known = engine_changes_set(&loader->changes, name);
    (void)pthread_mutex_unlock(&loader->lock);
    return known;
}

void app_loader_blend(struct app_loader *loader, double seconds)
{
    (void)pthread_mutex_lock(&loader->lock);
    loader->changes.seconds = seconds > 0 ? seconds : 0;
    (void)pthread_mutex_unlock(&loader->lock);
}

struct engine_changes app_loader_changes(struct app_loader *loader)
{
    (void)pthread_mutex_lock(&loader->lock);
    const struct engine_changes changes = loader->changes;
    (void)pthread_mutex_unlock(&loader->lock);
    return changes;
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

bool app_loader_alone(const struct app_loader *loader)
{
    return atomic_load(&loader->alone);
}

bool app_loader_edit(struct app_loader *loader, const char *path, struct base_span text,
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
    (void)sem_post(&loader->wake);
    return true;
}

void app_loader_outcome(struct app_loader *loader, struct app_loader_outcome *outcome)
{
    (void)pthread_mutex_lock(&loader->lock);
    *outcome = loader->outcome;
    (void)pthread_mutex_unlock(&loader->lock);
}

bool app_loader_file_outcome(struct app_loader *loader, const char *path, uint64_t known,
                             struct app_loader_outcome *outcome)
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

struct app_loader_counts app_loader_counts(const struct app_loader *loader)
{
    return (struct app_loader_counts){atomic_load(&loader->loaded), atomic_load(&loader->refused)};
}
