/* The sound that a rendering hears, and the way of its pictures into hashes and a video. */
#ifndef APP_RENDER_FILM_H
#define APP_RENDER_FILM_H

#include <stdbool.h>
#include <stdint.h>

#include "app/io/audio.h"
#include "app/io/progress.h"
#include "app/io/rate.h"
#include "app/io/video.h"
#include "app/options/options.h"
#include "base/diag.h"
#include "base/os/content_hash.h"

/* What the renderings of every target have in common: the sound that they hear, how many frames it
 * asks for, and where the pictures go: hashes on standard output, a video, progress. For one
 * thread. Set it to zero first: it may then be closed whether or not it was opened. */
struct app_film {
    const struct app_options *options;
    const char *sound; /* its name */
    struct app_audio *audio;
    struct app_rate rate;
    uint64_t frames;
    int width;
    int height;
    struct base_diag_sink sink; /* keeps messages and the line of progress apart */
    struct app_video *video;
    unsigned char *hash_row;
    struct base_content_stream all; /* of the pictures, for --hash */
    bool flawed;                    /* the sound broke off, which has been reported */
    struct app_progress progress;
};

/* Draws frame `number`, counted from 1. Returns its pixels, which have no gaps between rows and
 * stay until the next call, or NULL when the film cannot go on, which has been reported. */
typedef const uint32_t *(*app_film_draw)(void *user, uint64_t number);

/* Opens the sound at --start and counts the frames. 0, or -1 with an error reported; the film has
 * to be closed in any case. */
int app_film_open(struct app_film *film, const struct app_options *options, struct app_size size,
                  struct app_rate rate);

/* Draws and hands out all frames, until done, a failure, or a wish to stop. What is not complete
 * leaves no video behind. 0, or -1 with an error reported. */
int app_film_make(struct app_film *film, app_film_draw draw, void *user);

/* Reports once that the sound broke off, if it did. */
void app_film_check_sound(struct app_film *film);

/* Reports an error without a place and returns -1. */
int app_film_fail(const struct app_film *film, const char *what);

void app_film_close(struct app_film *film);

#endif
