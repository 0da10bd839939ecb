/* A thread for what may take long: it brings files to the disk and packs sound, while the writer of
 * a recording goes on. */
#ifndef APP_SET_KEEPER_H
#define APP_SET_KEEPER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { APP_SET_JOBS = 64 };

/* A descriptor to be brought to the disk, or the path of a WAV to be packed, or something else. */
struct app_set_job {
    int file;
    char *wave;
    void (*run)(void *user);
    void *user;
};

struct app_set_keeper {
    pthread_t thread;
    bool runs;
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct app_set_job jobs[APP_SET_JOBS];
    unsigned first;
    unsigned count;
    bool busy;
    bool quit;
    atomic_int error; /* errno of what could not be brought to the disk; 0: all was */
};

/* 0, or -1 without a thread. */
int app_set_keeper_open(struct app_set_keeper *keeper);

/* Does what is left, and ends. */
void app_set_keeper_close(struct app_set_keeper *keeper);

/* Whether it has nothing to do. */
bool app_set_keeper_is_idle(struct app_set_keeper *keeper);

/* Brings an open file to the disk, as far as it goes now, or the one of this path; left out where
 * too much waits. */
void app_set_keeper_sync(struct app_set_keeper *keeper, int file);
void app_set_keeper_sync_path(struct app_set_keeper *keeper, const char *path);

/* Calls run(user); false, and it will not, where too much waits. */
bool app_set_keeper_run(struct app_set_keeper *keeper, void (*run)(void *user), void *user);

/* Puts NAME.flac in the place of NAME.wav. */
void app_set_keeper_pack(struct app_set_keeper *keeper, const char *wave);

#endif
