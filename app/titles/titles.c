#include "app/titles/titles.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio.h"
#include "app/io/picture.h"
#include "base/os/thread.h"

enum { QUEUE = 8, COVER_SIDE = 512 };
enum { COVER_ROOM = 256 << 20 }; /* bytes that decoding a cover may take */

static const double turn_seconds = 0.25; /* within which the thread ends */

/* What the thread hands over; `card` NULL: nothing plays. */
struct title {
    struct ui_card *card;
};

struct app_titles {
    struct base_diag_sink sink;
    int width;
    int height;
    char *sound;
    pthread_t thread;
    sem_t wanted;
    atomic_bool asked; /* somebody wants titles */
    atomic_bool stop;
    _Atomic(struct title *) fresh; /* for the painter; NULL: nothing new */
    struct base_queue used;        /* of pointers, from the painter to the thread */
    struct title *shown;           /* the painter's */
};

/* ---- a card ---- */

/* The picture of a file, not much larger than it is drawn. False without one. */
static bool read_cover(const char *path, struct rend_picture *picture, const atomic_bool *stop)
{
    struct rend_extent extent;
    int halvings = 0;
    if (app_picture_measure(path, &extent, stop, NULL) != 0) {
        return false;
    }
    const int side = extent.width < extent.height ? extent.width : extent.height;
    while (side >> (halvings + 1) >= COVER_SIDE) {
        halvings++;
    }
    return app_picture_read(path, halvings, COVER_ROOM, picture, stop, NULL) == 0;
}

static struct ui_card *make(const struct app_track *track, int width, int height,
                            const atomic_bool *stop, const struct base_diag_sink *sink)
{
    struct rend_picture picture = {.pixels = NULL};
    const bool pictured = track->cover[0] != '\0' && read_cover(track->cover, &picture, stop);
    const struct ui_surface cover = {picture.pixels, picture.width, picture.height,
                                     (size_t)picture.width};
    struct ui_card *card =
        ui_card_create(width, height, track->title, track->artist, pictured ? &cover : NULL, sink);
    free(picture.pixels);
    return card;
}

static struct ui_card *make_of_file(const char *path, int width, int height,
                                    const atomic_bool *stop, const struct base_diag_sink *sink)
{
    struct app_audio_tags tags;
    (void)app_audio_read_tags(path, &tags, stop, sink);
    struct ui_surface cover = {tags.cover, APP_AUDIO_COVER, APP_AUDIO_COVER, APP_AUDIO_COVER};
    struct ui_card *card = ui_card_create(width, height, tags.title, tags.artist,
                                          tags.cover != NULL ? &cover : NULL, sink);
    free(tags.cover);
    return card;
}

struct ui_card *app_titles_of_file(const char *path, int width, int height,
                                   const struct base_diag_sink *sink)
{
    return make_of_file(path, width, height, NULL, sink);
}

/* ---- the thread ---- */

static void free_title(struct title *title)
{
    if (title != NULL) {
        ui_card_free(title->card);
        free(title);
    }
}

static void publish(struct app_titles *titles, struct ui_card *card)
{
    struct title *title = malloc(sizeof *title);
    struct title *old;
    while (base_queue_pop(&titles->used, &old)) {
        free_title(old);
    }
    if (title == NULL) {
        ui_card_free(card);
        return;
    }
    title->card = card;
    free_title(atomic_exchange(&titles->fresh, title));
}

static void watch(struct app_titles *titles)
{
    struct app_track track = {.title = ""};
    struct app_players *players = app_players_open(&titles->stop, &titles->sink);
    while (players != NULL && !atomic_load(&titles->stop)) {
        if (app_players_wait(players, turn_seconds, &track)) {
            publish(titles,
                    make(&track, titles->width, titles->height, &titles->stop, &titles->sink));
        }
    }
    app_players_close(players);
}

static void *run(void *user)
{
    struct app_titles *titles = user;
    while (sem_wait(&titles->wanted) != 0) {
    }
    if (!atomic_load(&titles->stop)) {
        if (titles->sound != NULL) {
            publish(titles, make_of_file(titles->sound, titles->width, titles->height,
                                         &titles->stop, &titles->sink));
        } else {
            watch(titles);
        }
    }
    return NULL;
}

struct app_titles *app_titles_open(const struct app_titles_setup *setup,
                                   const struct base_diag_sink *sink)
{
    struct app_titles *titles = calloc(1, sizeof *titles);
    bool made = titles != NULL;
    if (made) {
        titles->sink = *sink;
        titles->width = setup->width;
        titles->height = setup->height;
        titles->sound = setup->sound != NULL ? strdup(setup->sound) : NULL;
        made = (setup->sound == NULL || titles->sound != NULL) &&
               base_queue_init(&titles->used, sizeof(struct title *), QUEUE) == 0;
        (void)sem_init(&titles->wanted, 0, 0);
        if (made && pthread_create(&titles->thread, NULL, run, titles) != 0) {
            base_queue_free(&titles->used);
            made = false;
        }
        if (!made) {
            (void)sem_destroy(&titles->wanted);
            free(titles->sound);
        }
    }
    if (!made) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory for titles");
        free(titles);
        return NULL;
    }
    return titles;
}

void app_titles_close(struct app_titles *titles)
{
    struct title *old;
    if (titles == NULL) {
        return;
    }
    atomic_store(&titles->stop, true);
    (void)sem_post(&titles->wanted);
    (void)pthread_join(titles->thread, NULL);
    while (base_queue_pop(&titles->used, &old)) {
        free_title(old);
    }
    free_title(atomic_load(&titles->fresh));
    free_title(titles->shown);
    base_queue_free(&titles->used);
    (void)sem_destroy(&titles->wanted);
    free(titles->sound);
    free(titles);
}

/* ---- the painter's ---- */

void app_titles_want(struct app_titles *titles)
{
    if (titles != NULL && !atomic_exchange(&titles->asked, true)) {
        (void)sem_post(&titles->wanted);
    }
}

bool app_titles_take(struct app_titles *titles)
{
    struct title *fresh = titles != NULL ? atomic_exchange(&titles->fresh, NULL) : NULL;
    if (fresh == NULL) {
        return false;
    }
    /* The thread empties the queue before it publishes: there is always room. */
    if (titles->shown != NULL) {
        (void)base_queue_push(&titles->used, &titles->shown);
    }
    titles->shown = fresh;
    return true;
}

const struct ui_card *app_titles_card(const struct app_titles *titles)
{
    return titles != NULL && titles->shown != NULL ? titles->shown->card : NULL;
}
