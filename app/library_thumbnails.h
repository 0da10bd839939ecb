/* Small pictures of presets, painted by a thread of low priority and kept in the cache by the
 * content of the file. All functions are for any thread and never wait for a picture. */
#ifndef APP_LIBRARY_THUMBNAILS_H
#define APP_LIBRARY_THUMBNAILS_H

#include <stdbool.h>
#include <stdint.h>

#include "app/library.h"

enum { APP_THUMBNAIL_PIXELS = APP_THUMBNAIL_WIDTH * APP_THUMBNAIL_HEIGHT };

struct app_thumbnails;

/* A preset to be painted. */
struct app_thumbnail_job {
    uint64_t content;
    uint32_t number; /* for the caller */
    bool failed;     /* not to be loaded: it gets a grey picture */
    char path[1024];
};

struct app_thumbnails_setup {
    const char *cache;    /* folder; NULL: pictures are kept in memory only; copied */
    const char *textures; /* likewise */
    uint64_t cache_bytes; /* what its pictures may take: those unused for longest are deleted */
    void *user;
    /* In the thread: the next preset without a picture, when none is asked for. False: none. Those
     * are no longer painted when the cache is almost full of pictures that were used of late. */
    bool (*next)(void *user, struct app_thumbnail_job *job);
    /* In the thread: this one has a picture now. */
    void (*done)(void *user, const struct app_thumbnail_job *job);
};

/* NULL without memory or threads. */
struct app_thumbnails *app_thumbnails_start(const struct app_thumbnails_setup *setup);
void app_thumbnails_stop(struct app_thumbnails *thumbnails); /* NULL is fine */

/* Copies the picture if it is in memory, or else puts it before all others. */
bool app_thumbnails_get(struct app_thumbnails *thumbnails, const struct app_thumbnail_job *job,
                        uint32_t *pixels);

void app_thumbnails_idle(struct app_thumbnails *thumbnails, bool allowed);
/* There may be something new to paint. */
void app_thumbnails_wake(struct app_thumbnails *thumbnails);

#endif
