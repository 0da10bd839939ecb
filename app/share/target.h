/* What the kinds of targets share; only for the files of this folder. A target belongs to its
 * thread, but for what crosses to it from the painter. */
#ifndef APP_SHARE_TARGET_H
#define APP_SHARE_TARGET_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/share/share.h"
#include "base/os/thread.h"

enum { APP_SHARE_NAME = 96 };

/* A picture on its way: without gaps between its rows. */
struct app_share_picture {
    uint32_t *pixels;
    double seconds;   /* the painter's clock */
    uint64_t samples; /* stereo frames that went into the ring up to this picture */
};

/* How the other end is, as it was told last. */
enum app_share_state {
    APP_SHARE_NEW,   /* nothing was told */
    APP_SHARE_WELL,  /* it is there */
    APP_SHARE_AWAY,  /* it is not; told once */
    APP_SHARE_WRONG, /* it never can be; told, and not tried again */
};

struct app_share_target {
    void (*run)(struct app_share_target *target);
    const char *option;        /* as the user has named it */
    const char *place;         /* behind the prefix, or all of it: device, address or file */
    char name[APP_SHARE_NAME]; /* for messages: an address without what nobody is to see */
    const struct app_options *options;
    const struct base_diag_sink *sink;
    struct app_share_format format;

    /* Between painter and thread. */
    struct base_latest latest;
    struct app_share_picture slots[BASE_LATEST_SLOTS];
    struct base_ring sound; /* no samples: the target takes none */
    int wake[2];            /* a pipe: a byte for each picture, and for the end */
    atomic_bool wanted;     /* pictures are to be copied */
    atomic_bool taken;      /* the other end takes them now */
    atomic_bool quit;
    atomic_ullong offered; /* pictures that were copied while it did, */
    atomic_ullong given;   /* and those that it got */
    uint64_t samples;      /* the painter's */

    /* The thread's. */
    enum app_share_state state;
    bool slow;     /* told */
    double looked; /* clock of the last look at how it goes */
    uint64_t offered_then;
    uint64_t given_then;
    pthread_t thread;
    bool runs;
};

/* Waits until a picture comes, at most so many seconds. False: froth ends. */
bool app_share_wait(struct app_share_target *target, double seconds);

/* Takes away what wakes the thread; for threads that wait by other means. */
void app_share_woken(struct app_share_target *target);

/* The newest picture that was not taken yet, until the next call; NULL: there is none. */
const struct app_share_picture *app_share_take(struct app_share_target *target);

/* The picture that was taken has arrived. */
void app_share_arrived(struct app_share_target *target);

/* The other end takes pictures from now on, or does not. */
void app_share_set_taken(struct app_share_target *target, bool taken);

/* To be called twice a second or more often: says once that the other end is slow, and once that
 * it is not any more. */
void app_share_watch(struct app_share_target *target);

/* Something to be told about the target; hint may be NULL. */
void app_share_say(const struct app_share_target *target, enum base_severity severity,
                   const char *hint, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The other end is there: told where it was away, and the first time. */
void app_share_well(struct app_share_target *target, const char *what);

/* It is not there, and will be tried again: told once. True: it was told now. */
bool app_share_away(struct app_share_target *target, const char *hint, const char *why);

/* It never will be. */
void app_share_wrong(struct app_share_target *target, const char *hint, const char *why);

enum { APP_SHARE_RETRY = 2 /* seconds between two tries */ };

/* The threads of the kinds: they return when froth ends, or nothing can be shared any more. */
/* Loads what reaches PipeWire. NULL, or what is missing. */
const char *app_share_load_pipewire(void);
void app_share_run_pipewire(struct app_share_target *target);
void app_share_run_loopback(struct app_share_target *target);
void app_share_run_stream(struct app_share_target *target);
void app_share_run_recording(struct app_share_target *target);

/* Whether the file of a recording can be written; may ask. Returns an enum app_exit, after a
 * message. */
int app_share_check_recording(const char *file, const struct app_options *options,
                              const struct base_diag_sink *sink);

#endif
