/* Small pictures of presets, painted by a thread of low priority and kept in the cache by the
 * content of the file. All functions are for any thread and never wait for a picture. */
#ifndef APP_LIBRARY_THUMBNAILS_H
#define APP_LIBRARY_THUMBNAILS_H

#include <stdbool.h>
#include <stdint.h>

#include "app/library/library.h"
#include "app/library/painter.h"

struct app_thumbnails;

/* A preset to be painted. */
struct app_thumbnail_job {
    uint64_t content;
    uint32_t number; /* the caller's own */
    bool failed;     /* it cannot be loaded and gets a grey picture */
    char path[1024];
};

struct app_thumbnails_setup {
    const char *cache;    /* folder; NULL: pictures are kept in memory only; copied */
    const char *textures; /* folder; copied; NULL: none */
    size_t memory;        /* bytes that a preset may take */
    uint64_t cache_bytes; /* what its pictures may take: those unused for longest are deleted */
    void *user;
    /* Called by the thumbnails' thread when no picture was asked for: stores the next preset that
     * has no picture, or returns false if there is none. No longer called when the cache is almost
     * full of pictures that were used lately. */
    bool (*next)(void *user, struct app_thumbnail_job *job);
    /* Called by the thumbnails' thread: this preset has a picture now. */
    void (*done)(void *user, const struct app_thumbnail_job *job);
};

/* NULL without memory or threads. */
struct app_thumbnails *app_thumbnails_start(const struct app_thumbnails_setup *setup);
void app_thumbnails_stop(struct app_thumbnails *thumbnails); /* NULL is fine */

/* Copies the picture if it is in memory. False if not: it is then the next to be read or
 * painted. */
bool app_thumbnails_get(struct app_thumbnails *thumbnails, const struct app_thumbnail_job *job,
                        uint32_t *pixels);

/* Pictures are painted only while allowed, which they are not at first. */
void app_thumbnails_idle(struct app_thumbnails *thumbnails, bool allowed);
/* Says that there may be something new to paint. */
void app_thumbnails_wake(struct app_thumbnails *thumbnails);

/* Keeps a folder of thumbnails within a size: what was not used for longest goes first. */

struct app_thin_out {
    const char *folder;
    uint64_t bytes_max; /* beyond these, pictures go */
    uint64_t bytes;     /* until the others take at most these */
    void *user;
    bool (*may_go_on)(void *user); /* asked between files; false: what is left stays */
};

struct app_thinned {
    uint64_t bytes; /* of the pictures that are left */
    int64_t oldest; /* when the first of them was used, in seconds since 1970; 0: long ago */
};

/* Looks only at files that are named as a thumbnail is, sixteen digits and ".png". One that it
 * cannot look at or delete stays. Without the folder all is 0. */
struct app_thinned app_thin_out(const struct app_thin_out *setup);

/* Notes that a file is used, at most once a day. */
void app_thin_out_use(const char *path);

#endif
