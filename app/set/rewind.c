#include "app/set/rewind.h"

#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/set/set.h"
#include "base/os/thread.h"

enum { WISHES = 64 };

enum kind { BACK, STEP, LOOP, LIVE };

struct wish {
    enum kind kind;
    double amount;
    unsigned turn; /* of LIVE: what was asked for before it is forgotten */
    char folder[1024];
};

struct app_set_rewind {
    const struct base_diag_sink *sink;
    struct app_size size;
    size_t threads;
    enum base_cpu_level cpu;
    struct base_queue wishes;
    sem_t wake;
    pthread_t thread;
    bool runs;
    atomic_bool quit;
    atomic_uint turn;  /* rises with each LIVE */
    atomic_uint shows; /* the turn whose pictures are there, from 1; 0: none */
    struct base_latest latest;
    uint32_t *pictures[BASE_LATEST_SLOTS];
    /* The thread's. */
    struct app_set sets[2];
    unsigned used; /* which of these is open */
    bool open;
    struct app_set_play *play;
    double at; /* seconds of the set that were shown last */
    bool stands;
    double loop_from; /* where a loop begins, and ends; both 0: there is none */
    double loop_to;
    double due; /* clock of the next picture */
};

/* ---- the thread ---- */

static double frame_of(const struct app_set_rewind *rewind)
{
    return 1 / engine_rate_value(app_set_play_rate(rewind->play));
}

static void leave(struct app_set_rewind *rewind)
{
    app_set_play_close(rewind->play);
    rewind->play = NULL;
    if (rewind->open) {
        app_set_close(&rewind->sets[rewind->used]);
    }
    rewind->open = false;
    rewind->loop_from = rewind->loop_to = 0;
    rewind->stands = false;
}

/* The recording as far as it is now. */
static bool read_set(struct app_set_rewind *rewind, const char *folder)
{
    struct app_set *set = &rewind->sets[1 - rewind->used];
    *set = (struct app_set){.frame_count = 0};
    if (app_set_open(set, folder, NULL) != 0 || set->frame_count == 0) {
        app_set_close(set);
        base_report(rewind->sink, BASE_NOTE, (struct base_place){.file = folder}, NULL,
                    "nothing can be read of the recording yet");
        return false;
    }
    if (rewind->play != NULL) {
        app_set_play_of(rewind->play, set);
    }
    if (rewind->open) {
        app_set_close(&rewind->sets[rewind->used]);
    }
    rewind->open = true;
    rewind->used = 1 - rewind->used;
    return true;
}

static double end_of(const struct app_set *set)
{
    return app_set_seconds(&set->events.head, set->frames[set->frame_count - 1].number + 1);
}

static void show(struct app_set_rewind *rewind, unsigned turn)
{
    const size_t bytes =
        (size_t)rewind->size.width * (size_t)rewind->size.height * sizeof(uint32_t);
    memcpy(rewind->pictures[base_latest_back(&rewind->latest)], app_set_play_next(rewind->play),
           bytes);
    base_latest_publish(&rewind->latest);
    rewind->at += frame_of(rewind);
    if (atomic_load(&rewind->turn) == turn) {
        atomic_store(&rewind->shows, turn + 1);
    }
}

/* Shows the picture of that time, with what the recording has now. */
static bool go_to(struct app_set_rewind *rewind, const char *folder, double seconds, unsigned turn)
{
    if (!read_set(rewind, folder)) {
        return false;
    }
    const struct app_set *set = &rewind->sets[rewind->used];
    const double fps = app_set_rate(&set->events.head.config);
    const double from = fmax(0, fmin(seconds, end_of(set) - 1 / fps));
    const double frame = floor(from * fps + 0.5) / fps;
    if (rewind->play == NULL) {
        const struct app_set_wishes wishes = {
            .as_shown = true, .from = frame, .threads = rewind->threads, .cpu = rewind->cpu};
        rewind->play = app_set_play_open(set, &wishes, rewind->sink);
    } else if (app_set_play_seek(rewind->play, frame) != 0) {
        return false;
    }
    if (rewind->play == NULL) {
        return false;
    }
    rewind->at = frame;
    show(rewind, turn);
    rewind->due = base_clock_seconds() + frame_of(rewind);
    return true;
}

/* Where what is shown stands: in the past, or at the end of what is recorded. */
static bool find_now(struct app_set_rewind *rewind, const char *folder, double *now)
{
    if (rewind->play == NULL && !read_set(rewind, folder)) {
        return false;
    }
    *now = rewind->play != NULL ? rewind->at : end_of(&rewind->sets[rewind->used]);
    return true;
}

static void carry_out(struct app_set_rewind *rewind, const struct wish *wish)
{
    double now = 0;
    if (wish->kind == LIVE || wish->turn != atomic_load(&rewind->turn)) {
        leave(rewind);
        return;
    }
    if (!find_now(rewind, wish->folder, &now)) {
        leave(rewind);
        return;
    }
    bool good = true;
    switch (wish->kind) {
    case BACK:
        rewind->stands = false;
        rewind->loop_from = rewind->loop_to = 0;
        good = go_to(rewind, wish->folder, now - wish->amount, wish->turn);
        break;
    case STEP: {
        const double fps = app_set_rate(&rewind->sets[rewind->used].events.head.config);
        rewind->stands = true;
        /* What is shown ends at `now`. */
        good = go_to(rewind, wish->folder, now + (wish->amount - 1) / fps, wish->turn);
        break;
    }
    case LOOP:
        rewind->stands = false;
        rewind->loop_from = wish->amount > 0 ? fmax(0, now - wish->amount) : 0;
        rewind->loop_to = wish->amount > 0 ? now : 0;
        good = wish->amount > 0 ? go_to(rewind, wish->folder, rewind->loop_from, wish->turn)
                                : rewind->play != NULL;
        break;
    case LIVE:
        break;
    }
    if (!good) {
        leave(rewind);
    }
}

/* The next picture of what plays; at the end of what was read, or of a loop, from there on. */
static void play_on(struct app_set_rewind *rewind)
{
    const struct app_set *set = &rewind->sets[rewind->used];
    const unsigned turn = atomic_load(&rewind->turn);
    char folder[sizeof set->folder];
    rewind->due += frame_of(rewind);
    memcpy(folder, set->folder, sizeof folder);
    if (rewind->loop_to > rewind->loop_from && rewind->at >= rewind->loop_to) {
        if (!go_to(rewind, folder, rewind->loop_from, turn)) {
            leave(rewind);
        }
    } else if (rewind->at >= end_of(set) - frame_of(rewind) / 2) {
        if (!go_to(rewind, folder, rewind->at, turn)) {
            leave(rewind);
        }
    } else {
        show(rewind, turn);
    }
}

static void *rewind_main(void *user)
{
    struct app_set_rewind *rewind = user;
    while (!atomic_load(&rewind->quit)) {
        struct wish wish;
        const bool plays = rewind->play != NULL && !rewind->stands;
        const double wait = plays ? rewind->due - base_clock_seconds() : 1;
        if (base_queue_waiting(&rewind->wishes) == 0 && wait > 0) {
            base_clock_wait(&rewind->wake, wait);
        }
        if (base_queue_pop(&rewind->wishes, &wish)) {
            carry_out(rewind, &wish);
        } else if (rewind->play != NULL && !rewind->stands && base_clock_seconds() >= rewind->due) {
            play_on(rewind);
        }
    }
    leave(rewind);
    return NULL;
}

/* ---- its life ---- */

struct app_set_rewind *app_set_rewind_create(struct app_size size, size_t threads,
                                             enum base_cpu_level cpu,
                                             const struct base_diag_sink *sink)
{
    struct app_set_rewind *rewind = calloc(1, sizeof *rewind);
    bool good = rewind != NULL;
    if (good) {
        rewind->sink = sink;
        rewind->size = size;
        rewind->threads = threads;
        rewind->cpu = cpu;
        base_latest_init(&rewind->latest);
        (void)sem_init(&rewind->wake, 0, 0);
        good = base_queue_init(&rewind->wishes, sizeof(struct wish), WISHES) == 0;
        for (size_t i = 0; good && i < BASE_LATEST_SLOTS; i++) {
            rewind->pictures[i] =
                calloc((size_t)size.width * (size_t)size.height, sizeof(uint32_t));
            good = rewind->pictures[i] != NULL;
        }
        rewind->runs = good && pthread_create(&rewind->thread, NULL, rewind_main, rewind) == 0;
        good = rewind->runs;
    }
    if (!good) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL,
                    "not enough memory, or no thread, to go back in a show");
        app_set_rewind_close(rewind);
        return NULL;
    }
    return rewind;
}

void app_set_rewind_close(struct app_set_rewind *rewind)
{
    if (rewind == NULL) {
        return;
    }
    atomic_store(&rewind->quit, true);
    if (rewind->runs) {
        (void)sem_post(&rewind->wake);
        (void)pthread_join(rewind->thread, NULL);
    }
    for (size_t i = 0; i < BASE_LATEST_SLOTS; i++) {
        free(rewind->pictures[i]);
    }
    base_queue_free(&rewind->wishes);
    (void)sem_destroy(&rewind->wake);
    free(rewind);
}

/* ---- the painter's ---- */

static void ask(struct app_set_rewind *rewind, enum kind kind, const char *folder, double amount)
{
    struct wish wish = {.kind = kind, .amount = amount};
    if (rewind == NULL || strlen(folder) >= sizeof wish.folder) {
        return;
    }
    memcpy(wish.folder, folder, strlen(folder) + 1);
    wish.turn = atomic_load(&rewind->turn);
    if (base_queue_push(&rewind->wishes, &wish)) {
        (void)sem_post(&rewind->wake);
    }
}

void app_set_rewind_back(struct app_set_rewind *rewind, const char *folder, double seconds)
{
    ask(rewind, BACK, folder, seconds);
}

void app_set_rewind_step(struct app_set_rewind *rewind, const char *folder, int frames)
{
    ask(rewind, STEP, folder, frames);
}

void app_set_rewind_loop(struct app_set_rewind *rewind, const char *folder, double seconds)
{
    ask(rewind, LOOP, folder, seconds);
}

void app_set_rewind_live(struct app_set_rewind *rewind)
{
    if (rewind != NULL) {
        (void)atomic_fetch_add(&rewind->turn, 1);
        ask(rewind, LIVE, "", 0);
    }
}

const uint32_t *app_set_rewind_picture(struct app_set_rewind *rewind)
{
    if (rewind == NULL || atomic_load(&rewind->shows) != atomic_load(&rewind->turn) + 1) {
        return NULL;
    }
    (void)base_latest_take(&rewind->latest);
    return rewind->pictures[base_latest_front(&rewind->latest)];
}
