#include "app/set/record/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/io/audio.h"

static void pack(const char *wave)
{
    const size_t stem = strlen(wave) - strlen("wav");
    char *flac = malloc(stem + sizeof "flac");
    if (flac != NULL) {
        memcpy(flac, wave, stem);
        memcpy(flac + stem, "flac", sizeof "flac");
        if (app_audio_pack(wave, flac) == 0) {
            (void)unlink(wave);
        }
        free(flac);
    }
}

static void work(struct app_set_keeper *keeper, const struct app_set_job *job)
{
    if (job->run != NULL) {
        job->run(job->user);
        return;
    }
    if (job->wave != NULL) {
        pack(job->wave);
        free(job->wave);
        return;
    }
    if (fdatasync(job->file) != 0 && errno != EINVAL && errno != EROFS) {
        atomic_store(&keeper->error, errno);
    }
    (void)close(job->file);
}

static void *keeper_main(void *user)
{
    struct app_set_keeper *keeper = user;
    (void)pthread_mutex_lock(&keeper->lock);
    while (!keeper->quit || keeper->count > 0) {
        if (keeper->count == 0) {
            (void)pthread_cond_wait(&keeper->more, &keeper->lock);
            continue;
        }
        const struct app_set_job job = keeper->jobs[keeper->first];
        keeper->first = (keeper->first + 1) % APP_SET_JOBS;
        keeper->count--;
        keeper->busy = true;
        (void)pthread_mutex_unlock(&keeper->lock);
        work(keeper, &job);
        (void)pthread_mutex_lock(&keeper->lock);
        keeper->busy = false;
    }
    (void)pthread_mutex_unlock(&keeper->lock);
    return NULL;
}

int app_set_keeper_open(struct app_set_keeper *keeper)
{
    memset(keeper, 0, sizeof *keeper);
    (void)pthread_mutex_init(&keeper->lock, NULL);
    (void)pthread_cond_init(&keeper->more, NULL);
    keeper->runs = pthread_create(&keeper->thread, NULL, keeper_main, keeper) == 0;
    return keeper->runs ? 0 : -1;
}

void app_set_keeper_close(struct app_set_keeper *keeper)
{
    if (keeper->runs) {
        (void)pthread_mutex_lock(&keeper->lock);
        keeper->quit = true;
        (void)pthread_cond_signal(&keeper->more);
        (void)pthread_mutex_unlock(&keeper->lock);
        (void)pthread_join(keeper->thread, NULL);
        keeper->runs = false;
    }
}

bool app_set_keeper_is_idle(struct app_set_keeper *keeper)
{
    (void)pthread_mutex_lock(&keeper->lock);
    const bool idle = keeper->count == 0 && !keeper->busy;
    (void)pthread_mutex_unlock(&keeper->lock);
    return idle;
}

/* Takes the job over; false: it stays the caller's. */
static bool add(struct app_set_keeper *keeper, struct app_set_job job)
{
    (void)pthread_mutex_lock(&keeper->lock);
    const bool room = keeper->runs && keeper->count < APP_SET_JOBS;
    if (room) {
        keeper->jobs[(keeper->first + keeper->count++) % APP_SET_JOBS] = job;
        (void)pthread_cond_signal(&keeper->more);
    }
    (void)pthread_mutex_unlock(&keeper->lock);
    return room;
}

void app_set_keeper_sync(struct app_set_keeper *keeper, int file)
{
    const int again = fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (again >= 0 && !add(keeper, (struct app_set_job){.file = again})) {
        (void)close(again);
    }
}

void app_set_keeper_sync_path(struct app_set_keeper *keeper, const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && !add(keeper, (struct app_set_job){.file = file})) {
        (void)close(file);
    }
}

bool app_set_keeper_run(struct app_set_keeper *keeper, void (*run)(void *user), void *user)
{
    return add(keeper, (struct app_set_job){.file = -1, .run = run, .user = user});
}

void app_set_keeper_pack(struct app_set_keeper *keeper, const char *wave)
{
    char *path = strdup(wave);
    if (path != NULL && !add(keeper, (struct app_set_job){.file = -1, .wave = path})) {
        free(path);
    }
}
