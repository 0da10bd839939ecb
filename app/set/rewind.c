#include "app/set/rewind.h"

#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio.h"
#include "app/set/set.h"
#include "base/os/thread.h"

enum { WISHES = 64, SOUND_MOST = 4096 };

/* What plays stays ready for so many seconds after the show is live again. */
static const double ready_seconds = 30;

/* A picture that is not further than this is found by playing on. */
static const double near_seconds = 0.25;

/* Where pictures come later than this, they are no longer hurried after. */
static const double late_seconds = 0.1;

enum kind { BACK, TO, STEP, LOOP, LIVE };

struct wish {
    enum kind kind;
    double amount;
    double bpm;    /* of LOOP */
    unsigned turn; /* of LIVE: what was asked for before it is forgotten */
    char folder[1024];
};

struct app_set_rewind {
    struct app_set_rewind_setup setup;
    const struct base_diag_sink *sink;
    struct base_queue wishes;
    sem_t wake;
    pthread_t thread;
    bool runs;
    atomic_bool quit;
    atomic_uint turn;  /* rises with each LIVE */
    atomic_uint shows; /* the turn whose pictures are there, from 1; 0: none */
    atomic_ullong told_frame;
    atomic_ullong told_from;
    atomic_ullong told_to;
    atomic_bool told_stands;
    struct base_latest latest;
    uint32_t *pictures[BASE_LATEST_SLOTS];
    uint64_t numbers[BASE_LATEST_SLOTS]; /* their frames */
    /* The thread's. */
    struct wish next; /* taken already, if `waits` */
    bool waits;
    struct app_set sets[2];
    unsigned used; /* which of these is open */
    bool open;
    char folder[1024]; /* of it; empty: the past */
    bool follows;      /* what plays may go on in it */
    struct app_set_play *play;
    struct app_set_ear ear;
    uint64_t at; /* frame that was shown last; 0: the show is live */
    bool stands;
    uint64_t loop_from; /* frames where a loop begins, and ends; both 0: there is none */
    uint64_t loop_to;
    double due;  /* clock of the next picture */
    double left; /* clock at which the show was live again */
};

/* ---- the thread ---- */

static const struct app_set *set_of(const struct app_set_rewind *rewind)
{
    return &rewind->sets[rewind->used];
}

static double fps_of(const struct app_set_rewind *rewind)
{
    return app_set_rate(&set_of(rewind)->events.head.config);
}

static void tell(struct app_set_rewind *rewind)
{
    atomic_store(&rewind->told_from, rewind->loop_from);
    atomic_store(&rewind->told_to, rewind->loop_to);
    atomic_store(&rewind->told_stands, rewind->stands);
    atomic_store(&rewind->told_frame, rewind->at);
}

static void close_play(struct app_set_rewind *rewind)
{
    app_set_play_close(rewind->play);
    app_set_ear_close(&rewind->ear);
    rewind->play = NULL;
    if (rewind->open) {
        app_set_close(&rewind->sets[rewind->used]);
    }
    rewind->open = false;
}

/* The show is live. */
static void leave(struct app_set_rewind *rewind)
{
    rewind->at = rewind->loop_from = rewind->loop_to = 0;
    rewind->stands = false;
    rewind->left = base_clock_seconds();
    tell(rewind);
}

/* It is live since there is nothing else to be shown. */
static void give_up(struct app_set_rewind *rewind)
{
    leave(rewind);
    close_play(rewind);
    (void)atomic_fetch_add(&rewind->turn, 1);
}

/* What is kept as far as it is now. What plays goes on in it, if it can. */
static bool read_set(struct app_set_rewind *rewind, const char *folder)
{
    struct app_set *set = &rewind->sets[1 - rewind->used];
    *set = (struct app_set){.frame_count = 0};
    const bool good = rewind->setup.past != NULL ? app_set_past_read(rewind->setup.past, set)
                                                 : app_set_open(set, folder, NULL) == 0;
    if (!good || set->frame_count == 0) {
        app_set_close(set);
        base_report(rewind->sink, BASE_NOTE, (struct base_place){0}, NULL,
                    "nothing of the show can be seen again yet");
        return false;
    }
    if (rewind->play != NULL) {
        rewind->follows = app_set_play_of(rewind->play, set);
        app_set_ear_close(&rewind->ear);
    }
    if (rewind->open) {
        app_set_close(&rewind->sets[rewind->used]);
    }
    rewind->open = true;
    rewind->used = 1 - rewind->used;
    (void)snprintf(rewind->folder, sizeof rewind->folder, "%s", folder);
    return true;
}

static uint64_t last_of(const struct app_set *set)
{
    return set->frames[set->frame_count - 1].number;
}

static uint64_t within(const struct app_set *set, double frame)
{
    const double first = (double)set->events.head.first + 1;
    return (uint64_t)fmax(first, fmin(frame, (double)last_of(set)));
}

/* The first frame of a set that is not before this one. */
static size_t place_of(const struct app_set *set, uint64_t frame)
{
    size_t low = 0;
    size_t high = set->frame_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (set->frames[middle].number < frame) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* What was heard with the frame. */
static void hear(struct app_set_rewind *rewind)
{
    const struct app_set *set = set_of(rewind);
    const size_t place = place_of(set, rewind->at);
    if (rewind->setup.hear == NULL || rewind->stands || place == 0 || place == set->frame_count ||
        set->frames[place].number != rewind->at) {
        return;
    }
    float samples[2 * SOUND_MOST];
    uint64_t from = set->frames[place - 1].heard;
    size_t got = 1;
    while (from < set->frames[place].heard && got > 0) {
        const uint64_t left = set->frames[place].heard - from;
        (void)set->store->hear(set, &rewind->ear, from, samples,
                               left < SOUND_MOST ? (size_t)left : SOUND_MOST, &got, NULL);
        rewind->setup.hear(rewind->setup.user, samples, got);
        from += got;
    }
}

/* The next picture, which is that of this frame. */
static bool show(struct app_set_rewind *rewind, uint64_t frame, unsigned turn)
{
    const struct app_size size = rewind->setup.size;
    const size_t bytes = (size_t)size.width * (size_t)size.height * sizeof(uint32_t);
    const uint32_t *pixels = app_set_play_next(rewind->play);
    if (pixels == NULL) {
        return false;
    }
    const unsigned slot = base_latest_back(&rewind->latest);
    memcpy(rewind->pictures[slot], pixels, bytes);
    rewind->numbers[slot] = frame;
    base_latest_publish(&rewind->latest);
    rewind->at = frame;
    tell(rewind);
    hear(rewind);
    if (atomic_load(&rewind->turn) == turn) {
        atomic_store(&rewind->shows, turn + 1);
    }
    return true;
}

static bool open_play(struct app_set_rewind *rewind, double from)
{
    const struct app_set_wishes wishes = {.as_shown = true,
                                          .from = from,
                                          .threads = rewind->setup.threads,
                                          .cpu = rewind->setup.cpu,
                                          .textures = rewind->setup.textures};
    rewind->play = app_set_play_open(set_of(rewind), &wishes, rewind->sink);
    rewind->follows = true;
    return rewind->play != NULL;
}

/* Shows the picture of that frame, or the nearest that there is. */
static bool go_to(struct app_set_rewind *rewind, const char *folder, double wanted, unsigned turn)
{
    const bool there = rewind->open && strcmp(folder, rewind->folder) == 0 &&
                       wanted <= (double)last_of(set_of(rewind)) && rewind->setup.past == NULL;
    if (!there && !read_set(rewind, folder)) {
        return false;
    }
    const struct app_set *set = set_of(rewind);
    const uint64_t frame = within(set, wanted);
    const uint64_t made = rewind->play != NULL ? app_set_play_frame(rewind->play) : 0;
    const bool is_near = rewind->follows && made > set->events.head.first && made < frame &&
                         (double)(frame - made) <= near_seconds * fps_of(rewind);
    if (is_near) {
        for (uint64_t i = made + 1; i < frame; i++) {
            (void)app_set_play_next(rewind->play);
        }
    } else {
        const double from = app_set_seconds(&set->events.head, frame);
        if (rewind->play == NULL ? !open_play(rewind, from)
                                 : app_set_play_seek(rewind->play, from) != 0) {
            return false;
        }
        rewind->follows = true;
    }
    const bool shown = show(rewind, frame, turn);
    rewind->due = base_clock_seconds() + 1 / fps_of(rewind);
    return shown;
}

/* Where what is shown stands: in the past, or at the end of what is kept. */
static bool find_now(struct app_set_rewind *rewind, const char *folder, double *now)
{
    const bool live = rewind->at == 0;
    if ((live || !rewind->open) && !read_set(rewind, folder)) {
        return false;
    }
    *now = live ? (double)last_of(set_of(rewind)) : (double)rewind->at;
    return true;
}

static double loop_begin(const struct app_set_rewind *rewind, const struct wish *wish, double now)
{
    enum { BEATS = 4, MINUTE = 60 };
    const uint64_t known =
        rewind->setup.past != NULL
            ? app_set_past_bars_before(rewind->setup.past, (uint64_t)now, wish->amount)
            : 0;
    return known > 0 ? (double)known
                     : now - wish->amount * BEATS * MINUTE / wish->bpm * fps_of(rewind);
}

static bool carry_out_in(struct app_set_rewind *rewind, const struct wish *wish, double now)
{
    switch (wish->kind) {
    case BACK:
    case TO:
        rewind->stands = false;
        rewind->loop_from = rewind->loop_to = 0;
        return go_to(rewind, wish->folder, now - wish->amount * fps_of(rewind), wish->turn);
    case STEP:
        rewind->stands = true;
        return go_to(rewind, wish->folder, now + wish->amount, wish->turn);
    case LOOP:
        rewind->loop_from = rewind->loop_to = 0;
        if (wish->amount <= 0) {
            tell(rewind);
            return rewind->at != 0;
        }
        rewind->stands = false;
        rewind->loop_to = within(set_of(rewind), now);
        rewind->loop_from = within(set_of(rewind), loop_begin(rewind, wish, now));
        return go_to(rewind, wish->folder, (double)rewind->loop_from, wish->turn);
    case LIVE:
        break;
    }
    return false;
}

static void carry_out(struct app_set_rewind *rewind, const struct wish *wish)
{
    double now = 0;
    if (wish->kind == TO) {
        rewind->at = 0; /* from the live picture on */
    }
    if (wish->kind == LIVE || wish->turn != atomic_load(&rewind->turn)) {
        leave(rewind);
    } else if (!find_now(rewind, wish->folder, &now) || !carry_out_in(rewind, wish, now)) {
        give_up(rewind);
    }
}

/* The next picture of what plays, or the first one of a loop. What was read may be at its end, or
 * all that there is is shown. */
static void play_on(struct app_set_rewind *rewind)
{
    const unsigned turn = atomic_load(&rewind->turn);
    const double clock = base_clock_seconds();
    const double frame = 1 / fps_of(rewind);
    const double due = clock - rewind->due > late_seconds ? clock + frame : rewind->due + frame;
    const bool turns = rewind->loop_to > rewind->loop_from && rewind->at >= rewind->loop_to;
    char folder[sizeof rewind->folder];
    memcpy(folder, rewind->folder, sizeof folder);
    bool good = true;
    if (turns) {
        good = go_to(rewind, folder, (double)rewind->loop_from, turn);
    } else {
        const bool ends = rewind->at >= last_of(set_of(rewind));
        good = !ends || read_set(rewind, folder);
        if (good && rewind->at < last_of(set_of(rewind))) {
            good = rewind->follows ? show(rewind, rewind->at + 1, turn)
                                   : go_to(rewind, folder, (double)rewind->at + 1, turn);
        }
    }
    rewind->due = due;
    if (!good) {
        give_up(rewind);
    }
}

/* The next wish; of several that ask for a time of the show the last one. */
static bool take_wish(struct app_set_rewind *rewind, struct wish *wish)
{
    if (!rewind->waits && !base_queue_pop(&rewind->wishes, &rewind->next)) {
        return false;
    }
    *wish = rewind->next;
    rewind->waits = base_queue_pop(&rewind->wishes, &rewind->next);
    while (rewind->waits && wish->kind == TO && rewind->next.kind == TO) {
        *wish = rewind->next;
        rewind->waits = base_queue_pop(&rewind->wishes, &rewind->next);
    }
    return true;
}

static void *rewind_main(void *user)
{
    struct app_set_rewind *rewind = user;
    while (!atomic_load(&rewind->quit)) {
        struct wish wish;
        const bool plays = rewind->at != 0 && !rewind->stands;
        const double clock = base_clock_seconds();
        const double wait = plays ? rewind->due - clock : 1;
        if (!rewind->waits && base_queue_waiting(&rewind->wishes) == 0 && wait > 0) {
            if (rewind->play == NULL) {
                (void)sem_wait(&rewind->wake);
            } else {
                base_clock_wait(&rewind->wake, wait);
            }
        }
        if (take_wish(rewind, &wish)) {
            carry_out(rewind, &wish);
        } else if (plays && base_clock_seconds() >= rewind->due) {
            play_on(rewind);
        } else if (rewind->at == 0 && rewind->play != NULL &&
                   base_clock_seconds() - rewind->left > ready_seconds) {
            close_play(rewind);
        }
    }
    close_play(rewind);
    return NULL;
}

/* ---- its life ---- */

struct app_set_rewind *app_set_rewind_create(const struct app_set_rewind_setup *setup,
                                             const struct base_diag_sink *sink)
{
    struct app_set_rewind *rewind = calloc(1, sizeof *rewind);
    bool good = rewind != NULL;
    if (good) {
        const size_t pixels = (size_t)setup->size.width * (size_t)setup->size.height;
        rewind->setup = *setup;
        rewind->sink = sink;
        base_latest_init(&rewind->latest);
        (void)sem_init(&rewind->wake, 0, 0);
        good = base_queue_init(&rewind->wishes, sizeof(struct wish), WISHES) == 0;
        for (size_t i = 0; good && i < BASE_LATEST_SLOTS; i++) {
            rewind->pictures[i] = calloc(pixels, sizeof(uint32_t));
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

static void ask(struct app_set_rewind *rewind, enum kind kind, const char *folder, double amount,
                double bpm)
{
    struct wish wish = {.kind = kind, .amount = amount, .bpm = bpm};
    const char *where = folder != NULL ? folder : "";
    if (rewind == NULL || strlen(where) >= sizeof wish.folder) {
        return;
    }
    memcpy(wish.folder, where, strlen(where) + 1);
    if (rewind->setup.past != NULL) {
        wish.folder[0] = '\0';
    }
    wish.turn = atomic_load(&rewind->turn);
    if (base_queue_push(&rewind->wishes, &wish)) {
        (void)sem_post(&rewind->wake);
    }
}

void app_set_rewind_back(struct app_set_rewind *rewind, const char *folder, double seconds)
{
    ask(rewind, BACK, folder, seconds, 0);
}

void app_set_rewind_to(struct app_set_rewind *rewind, const char *folder, double seconds)
{
    ask(rewind, TO, folder, seconds, 0);
}

void app_set_rewind_step(struct app_set_rewind *rewind, const char *folder, int frames)
{
    ask(rewind, STEP, folder, frames, 0);
}

void app_set_rewind_loop(struct app_set_rewind *rewind, const char *folder, double bars, double bpm)
{
    ask(rewind, LOOP, folder, bars, bpm);
}

void app_set_rewind_live(struct app_set_rewind *rewind)
{
    if (rewind != NULL) {
        (void)atomic_fetch_add(&rewind->turn, 1);
        ask(rewind, LIVE, NULL, 0, 0);
    }
}

const uint32_t *app_set_rewind_picture(struct app_set_rewind *rewind, uint64_t *frame, bool *fresh)
{
    if (rewind == NULL || atomic_load(&rewind->shows) != atomic_load(&rewind->turn) + 1) {
        return NULL;
    }
    *fresh = base_latest_take(&rewind->latest);
    const unsigned slot = base_latest_front(&rewind->latest);
    *frame = rewind->numbers[slot];
    return rewind->pictures[slot];
}

struct app_set_shown_past app_set_rewind_tell(const struct app_set_rewind *rewind)
{
    struct app_set_shown_past shown = {.frame = 0};
    if (rewind != NULL && atomic_load(&rewind->shows) == atomic_load(&rewind->turn) + 1) {
        shown.frame = atomic_load(&rewind->told_frame);
        shown.from = atomic_load(&rewind->told_from);
        shown.to = atomic_load(&rewind->told_to);
        shown.stands = atomic_load(&rewind->told_stands);
    }
    return shown;
}
