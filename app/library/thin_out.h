/* Keeps a folder of thumbnails within a size: what was not used for longest goes first. */
#ifndef APP_LIBRARY_THIN_OUT_H
#define APP_LIBRARY_THIN_OUT_H

#include <stdbool.h>
#include <stdint.h>

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
