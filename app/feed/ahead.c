#include "app/feed/ahead.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/os/thread.h"

enum {
    CHUNK_FRAMES = 512,
    CHUNKS = 256, /* 3 s */
    LEAP_FRAMES = 2 * APP_AUDIO_RATE,
    SLEEP_MS = 5,
};

struct chunk {
    uint64_t frame; /* of the source, the first one */
    size_t count;
    float samples[2 * CHUNK_FRAMES];
};

struct app_ahead {
    struct app_audio *source;
    struct base_queue queue; /* of chunks */
    pthread_t thread;
    atomic_bool stop;
    atomic_bool done;        /* nothing more is put into the queue */
    _Atomic uint64_t reader; /* the frame that is read next */
    struct chunk being_read; /* the thread's */
    struct chunk chunk;      /* the reader's */
    bool ended;
};

static bool push(struct app_ahead *ahead)
{
    while (!base_queue_push(&ahead->queue, &ahead->being_read)) {
        if (atomic_load(&ahead->stop)) {
            return false;
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = SLEEP_MS * 1000000L}, NULL);
    }
    return true;
}

static void *read_ahead(void *user)
{
    struct app_ahead *ahead = user;
    struct chunk *chunk = &ahead->being_read;
    bool more = true;
    while (more && !atomic_load(&ahead->stop)) {
        const uint64_t reader = atomic_load(&ahead->reader);
        chunk->frame += chunk->count;
        chunk->count = 0;
        if (reader > chunk->frame + LEAP_FRAMES) {
            chunk->frame = reader;
            if (app_audio_seek(ahead->source, reader) != 0) {
                break;
            }
        }
        chunk->count = app_audio_read(ahead->source, chunk->samples, CHUNK_FRAMES);
        more = push(ahead) && chunk->count == CHUNK_FRAMES;
    }
    atomic_store(&ahead->done, true);
    return NULL;
}

struct app_ahead *app_ahead_start(struct app_audio *source, uint64_t frame)
{
    struct app_ahead *ahead = calloc(1, sizeof *ahead);
    if (ahead == NULL || base_queue_init(&ahead->queue, sizeof(struct chunk), CHUNKS) != 0) {
        free(ahead);
        return NULL;
    }
    ahead->source = source;
    ahead->being_read.frame = frame;
    atomic_init(&ahead->reader, frame);
    if (pthread_create(&ahead->thread, NULL, read_ahead, ahead) != 0) {
        base_queue_free(&ahead->queue);
        free(ahead);
        return NULL;
    }
    return ahead;
}

void app_ahead_stop(struct app_ahead *ahead)
{
    if (ahead != NULL) {
        atomic_store(&ahead->stop, true);
        (void)pthread_join(ahead->thread, NULL);
        base_queue_free(&ahead->queue);
        free(ahead);
    }
}

size_t app_ahead_read(struct app_ahead *ahead, uint64_t frame, float *interleaved, size_t frames)
{
    struct chunk *chunk = &ahead->chunk;
    const uint64_t end = frame + frames;
    const bool done = atomic_load(&ahead->done);
    size_t given = 0;
    memset(interleaved, 0, 2 * frames * sizeof *interleaved);
    for (bool any = true; any;) {
        const uint64_t last = chunk->frame + chunk->count;
        const uint64_t from = chunk->frame > frame ? chunk->frame : frame;
        const uint64_t to = last < end ? last : end;
        if (from < to) {
            memcpy(interleaved + 2 * (from - frame), chunk->samples + 2 * (from - chunk->frame),
                   2 * (size_t)(to - from) * sizeof *interleaved);
            given += (size_t)(to - from);
        }
        any = last <= end && base_queue_pop(&ahead->queue, chunk);
    }
    ahead->ended = done && chunk->frame + chunk->count <= end;
    atomic_store(&ahead->reader, end);
    return given;
}

bool app_ahead_ended(const struct app_ahead *ahead)
{
    return ahead->ended;
}
