#include "painter.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Frames of sound that are interleaved at once; seconds up to which froth_render_at counts. */
enum { PIECE = 256, SECONDS_MAX = 1000000, WAIT = 2 };

enum order_kind { ORDER_PLAY, ORDER_SET, ORDER_DO, ORDER_LOOK };

struct order {
    struct order *next;
    enum order_kind kind;
    double value;
    char text[]; /* a path, name or command */
};

struct froth_painter {
    struct froth_painter_setup setup;
    uint32_t rate;
    froth *show;
    pthread_t thread;
    sem_t wake;
    sem_t told;                     /* values are those after the last look */
    _Atomic(struct order *) orders; /* the newest first */
    atomic_bool quit;
    atomic_bool shown;
    atomic_bool due;        /* a picture is to be drawn */
    _Atomic double clock;   /* seconds for which it was shown */
    atomic_int width;       /* of the next picture */
    atomic_int height;      /* of the next picture */
    _Atomic double *values; /* one for each row */

    /* The thread's own. */
    unsigned char *pixels;
    size_t size;    /* of the pixels, in bytes */
    int last_fault; /* enum froth_result that was told last */
};

/* ---- orders, in the thread ---- */

/* What stands at the path is added to the list first: where that fails, the list and the place in
 * it are as they were. */
static void play(struct froth_painter *painter, const char *path)
{
    froth *show = painter->show;
    char running[2] = "";
    (void)froth_preset_path(show, running, sizeof running);
    const bool begun = running[0] != '\0' || froth_wait(show, WAIT) == 1;
    const bool fresh = froth_playlist_count(show) == 0;
    long added = froth_playlist_add(show, path);
    if (added > 0 && !fresh) {
        (void)froth_playlist_clear(show);
        added = froth_playlist_add(show, path);
    }
    if (added == 0) {
        painter->setup.say(painter->setup.user, "there is no preset in what is to be shown");
    }
    if (added > 0 && begun) {
        (void)froth_next(show, 1, FROTH_SOFT);
    }
}

static void tell_values(struct froth_painter *painter)
{
    const size_t count = froth_value_count();
    for (size_t i = 0; i < count; i++) {
        struct froth_value row;
        double value = 0;
        if (froth_value_info(i, &row) == FROTH_OK && row.kind != FROTH_ACTION) {
            (void)froth_get(painter->show, row.name, &value);
        }
        atomic_store(&painter->values[i], value);
    }
    (void)sem_post(&painter->told);
}

static void obey(struct froth_painter *painter, const struct order *order)
{
    switch (order->kind) {
    case ORDER_PLAY:
        play(painter, order->text);
        break;
    case ORDER_SET:
        (void)froth_set(painter->show, order->text, order->value);
        break;
    case ORDER_DO:
        (void)froth_do(painter->show, order->text);
        break;
    case ORDER_LOOK:
        tell_values(painter);
        break;
    }
}

static void obey_all(struct froth_painter *painter)
{
    struct order *newest = atomic_exchange(&painter->orders, NULL);
    struct order *oldest = NULL;
    while (newest != NULL) {
        struct order *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    while (oldest != NULL) {
        struct order *next = oldest->next;
        if (!atomic_load(&painter->quit)) {
            obey(painter, oldest);
        }
        free(oldest);
        oldest = next;
    }
}

/* ---- pictures, in the thread ---- */

static bool make_room(struct froth_painter *painter, size_t size)
{
    if (size > painter->size) {
        free(painter->pixels);
        painter->pixels = malloc(size);
        painter->size = painter->pixels != NULL ? size : 0;
    }
    return painter->pixels != NULL;
}

static int draw(struct froth_painter *painter)
{
    const double seconds = atomic_load(&painter->clock);
    struct froth_picture picture = {
        .width = atomic_load(&painter->width),
        .height = atomic_load(&painter->height),
        .format = FROTH_BGRX,
    };
    picture.stride = (size_t)picture.width * froth_format_bytes(FROTH_BGRX);
    if (!make_room(painter, picture.stride * (size_t)picture.height)) {
        return FROTH_NO_MEMORY;
    }
    picture.pixels = painter->pixels;
    /* Behind the longest time that can be named, which is eleven days, pictures are counted. */
    const int result = seconds <= SECONDS_MAX ? froth_render_at(painter->show, seconds, &picture)
                                              : froth_render(painter->show, &picture);
    if (result == FROTH_OK) {
        painter->setup.take(painter->setup.user, &picture);
    }
    return result;
}

static void *painter_main(void *argument)
{
    struct froth_painter *painter = argument;
    while (!atomic_load(&painter->quit)) {
        while (sem_wait(&painter->wake) != 0) {
        }
        obey_all(painter);
        if (atomic_exchange(&painter->due, false) && !atomic_load(&painter->quit)) {
            const int result = draw(painter);
            if (result != FROTH_OK && result != painter->last_fault) {
                painter->setup.say(painter->setup.user, froth_result_text(result));
            }
            painter->last_fault = result;
        }
    }
    return NULL;
}

/* ---- its life ---- */

static void destroy(struct froth_painter *painter)
{
    atomic_store(&painter->quit, true);
    obey_all(painter);
    froth_free(painter->show);
    (void)sem_destroy(&painter->wake);
    (void)sem_destroy(&painter->told);
    free(painter->values);
    free(painter->pixels);
    free(painter);
}

struct froth_painter *froth_painter_create(const struct froth_config *config, uint32_t rate,
                                           const struct froth_painter_setup *setup)
{
    const float silence[2] = {0, 0};
    struct froth_painter *painter = calloc(1, sizeof *painter);
    if (painter == NULL) {
        return NULL;
    }
    painter->setup = *setup;
    painter->rate = rate;
    (void)sem_init(&painter->wake, 0, 0);
    (void)sem_init(&painter->told, 0, 0);
    atomic_store(&painter->width, config->width);
    atomic_store(&painter->height, config->height);
    painter->values = calloc(froth_value_count(), sizeof *painter->values);
    painter->show = froth_create(config, NULL);
    /* The first sound of a rate allocates: none that follows does. */
    const bool made = painter->values != NULL && painter->show != NULL &&
                      froth_add_sound_float(painter->show, silence, 1, 2, rate) == FROTH_OK &&
                      pthread_create(&painter->thread, NULL, painter_main, painter) == 0;
    if (!made) {
        destroy(painter);
        return NULL;
    }
    return painter;
}

void froth_painter_free(struct froth_painter *painter)
{
    if (painter == NULL) {
        return;
    }
    atomic_store(&painter->quit, true);
    (void)sem_post(&painter->wake);
    (void)pthread_join(painter->thread, NULL);
    destroy(painter);
}

/* ---- any thread ---- */

static bool give_order(struct froth_painter *painter, enum order_kind kind, const char *text,
                       double value)
{
    const size_t size = strlen(text) + 1;
    struct order *order = malloc(sizeof *order + size);
    if (order == NULL) {
        return false;
    }
    order->kind = kind;
    order->value = value;
    memcpy(order->text, text, size);
    order->next = atomic_load(&painter->orders);
    while (!atomic_compare_exchange_weak(&painter->orders, &order->next, order)) {
    }
    (void)sem_post(&painter->wake);
    return true;
}

bool froth_painter_play(struct froth_painter *painter, const char *path)
{
    return give_order(painter, ORDER_PLAY, path, 0);
}

bool froth_painter_set(struct froth_painter *painter, const char *name, double value)
{
    return give_order(painter, ORDER_SET, name, value);
}

bool froth_painter_do(struct froth_painter *painter, const char *words)
{
    return give_order(painter, ORDER_DO, words, 0);
}

void froth_painter_show(struct froth_painter *painter, bool shown)
{
    atomic_store(&painter->shown, shown);
}

bool froth_painter_look(struct froth_painter *painter, double *values, size_t count)
{
    /* An answer that came too late for an earlier look. */
    while (sem_trywait(&painter->told) == 0) {
    }
    bool told = give_order(painter, ORDER_LOOK, "", 0);
    if (told) {
        struct timespec until;
        (void)clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        int result;
        do {
            result = sem_timedwait(&painter->told, &until);
        } while (result != 0 && errno == EINTR);
        told = result == 0;
    }
    const size_t rows = froth_value_count();
    for (size_t i = 0; i < count && i < rows; i++) {
        values[i] = atomic_load(&painter->values[i]);
    }
    return told;
}

/* ---- time and sound ---- */

void froth_painter_tick(struct froth_painter *painter, double seconds, int width, int height,
                        double rate)
{
    if (!atomic_load(&painter->shown)) {
        return;
    }
    const double before = atomic_load_explicit(&painter->clock, memory_order_relaxed);
    const double now = before + seconds;
    atomic_store(&painter->clock, now);
    atomic_store(&painter->width, width);
    atomic_store(&painter->height, height);
    if (rate > 0 && floor(now * rate) <= floor(before * rate)) {
        return;
    }
    if (!atomic_exchange(&painter->due, true)) {
        (void)sem_post(&painter->wake);
    }
}

void froth_painter_hear(struct froth_painter *painter, const float *const *planes, size_t channels,
                        size_t frames)
{
    if (!atomic_load_explicit(&painter->shown, memory_order_relaxed) || channels == 0) {
        return;
    }
    const float *left = planes[0];
    const float *right = channels > 1 ? planes[1] : left;
    float both[2 * PIECE];
    for (size_t done = 0; done < frames;) {
        const size_t piece = frames - done < PIECE ? frames - done : PIECE;
        for (size_t i = 0; i < piece; i++) {
            both[2 * i] = left != NULL ? left[done + i] : 0;
            both[2 * i + 1] = right != NULL ? right[done + i] : 0;
        }
        (void)froth_add_sound_float(painter->show, both, piece, 2, painter->rate);
        done += piece;
    }
}
