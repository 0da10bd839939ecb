/* Writing a video beside the painting of its next frame. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "app/video/output.h"

/* One frame waits or is written while the caller paints the next one. */
struct beside {
    struct app_video video;
    struct app_video *inner; /* the thread's, while there is a frame */
    uint32_t *copy;          /* of a frame that is not lent */
    size_t pixels;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    const uint32_t *frame; /* that is not written yet; NULL: there is none */
    bool failed;
    bool ends;
    struct base_diag_list said; /* by the thread, for the caller to say */
};

static void *write_frames(void *user)
{
    struct beside *beside = user;
    pthread_mutex_lock(&beside->mutex);
    for (;;) {
        while (beside->frame == NULL && !beside->ends) {
            pthread_cond_wait(&beside->changed, &beside->mutex);
        }
        if (beside->frame == NULL) {
            break;
        }
        pthread_mutex_unlock(&beside->mutex);
        const int result = app_video_frame(beside->inner, beside->frame);
        pthread_mutex_lock(&beside->mutex);
        beside->failed = beside->failed || result != 0;
        beside->frame = NULL;
        pthread_cond_signal(&beside->changed);
    }
    pthread_mutex_unlock(&beside->mutex);
    return NULL;
}

/* Says what the thread had to say; the thread rests. */
static void say(struct beside *beside)
{
    for (size_t i = 0; i < beside->said.count; i++) {
        const struct base_diag *diag = &beside->said.items[i];
        if (beside->video.sink.receive != NULL) {
            beside->video.sink.receive(beside->video.sink.user, diag);
        }
    }
    beside->said.count = 0;
}

/* Waits until nothing is written; -1 where a frame could not be. */
static int settle(struct beside *beside)
{
    pthread_mutex_lock(&beside->mutex);
    while (beside->frame != NULL) {
        pthread_cond_wait(&beside->changed, &beside->mutex);
    }
    pthread_mutex_unlock(&beside->mutex);
    say(beside);
    return beside->failed ? -1 : 0;
}

static void hand_over(struct beside *beside, const uint32_t *pixels)
{
    pthread_mutex_lock(&beside->mutex);
    beside->frame = pixels;
    pthread_cond_signal(&beside->changed);
    pthread_mutex_unlock(&beside->mutex);
}

static int add_frame(struct app_video *video, const uint32_t *pixels)
{
    struct beside *beside = (struct beside *)video;
    if (settle(beside) != 0) {
        return -1;
    }
    memcpy(beside->copy, pixels, beside->pixels * sizeof *pixels);
    hand_over(beside, beside->copy);
    return 0;
}

static int lend_frame(struct app_video *video, const uint32_t *pixels)
{
    struct beside *beside = (struct beside *)video;
    if (settle(beside) != 0) {
        return -1;
    }
    hand_over(beside, pixels);
    return 0;
}

/* Ends the thread; gives the video that it wrote, which reports to the caller again. */
static struct app_video *unwrap(struct beside *beside, int *result)
{
    struct app_video *inner = beside->inner;
    *result = settle(beside);
    pthread_mutex_lock(&beside->mutex);
    beside->ends = true;
    pthread_cond_signal(&beside->changed);
    pthread_mutex_unlock(&beside->mutex);
    (void)pthread_join(beside->thread, NULL);
    (void)pthread_cond_destroy(&beside->changed);
    (void)pthread_mutex_destroy(&beside->mutex);
    inner->sink = beside->video.sink;
    free(beside->copy);
    free(beside);
    return inner;
}

static int finish(struct app_video *video)
{
    int result;
    struct app_video *inner = unwrap((struct beside *)video, &result);
    if (result != 0) {
        app_video_discard(inner);
        return -1;
    }
    return app_video_finish(inner);
}

static void discard(struct app_video *video)
{
    int result;
    app_video_discard(unwrap((struct beside *)video, &result));
}

struct app_video *app_video_beside(struct app_video *inner)
{
    static const struct app_video_operations operations = {add_frame, finish, discard, lend_frame};
    struct beside *beside = calloc(1, sizeof *beside);
    if (beside == NULL) {
        return inner;
    }
    beside->video = *inner;
    beside->video.operations = &operations;
    beside->inner = inner;
    beside->pixels = (size_t)inner->width * (size_t)inner->height;
    beside->copy = malloc(beside->pixels * sizeof *beside->copy);
    (void)pthread_mutex_init(&beside->mutex, NULL);
    (void)pthread_cond_init(&beside->changed, NULL);
    if (beside->copy == NULL || pthread_create(&beside->thread, NULL, write_frames, beside) != 0) {
        free(beside->copy);
        free(beside);
        return inner;
    }
    inner->sink = base_diag_list_sink(&beside->said);
    return &beside->video;
}
