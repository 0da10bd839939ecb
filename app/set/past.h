/* The last minutes of a show that is on, in memory: what it was told and what it heard, and states
 * of it, packed. It can be read as a set, played again from any frame, and written into a folder.
 *
 * One thread tells it what happens, others read; each call holds a lock for a short while, so none
 * is for who paints or plays sound. It takes no more memory than it was given: then states are
 * thinned, the older the more, and at last the past gets shorter. */
#ifndef APP_SET_PAST_H
#define APP_SET_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/set/event.h"
#include "app/set/set.h"

struct app_set_past;

enum { APP_SET_THUMB_WIDTH = 96, APP_SET_THUMB_HEIGHT = 54 };

/* A small picture, 0x00RRGGBB, its rows without gaps. */
struct app_set_thumb {
    int width; /* at most as above */
    int height;
    uint32_t pixels[APP_SET_THUMB_WIDTH * APP_SET_THUMB_HEIGHT];
};

/* bytes: that it may take. NULL without memory. */
struct app_set_past *app_set_past_create(const struct app_set_head *head, size_t bytes);
void app_set_past_free(struct app_set_past *past); /* NULL is fine */

/* ---- what happens, by one thread; where memory runs out the past begins anew ---- */

/* Forgets all; what is told next is of frames behind this one, of which a state comes next. */
void app_set_past_begin(struct app_set_past *past, uint64_t frame);

/* Before its frame is told. Copied. */
void app_set_past_event(struct app_set_past *past, const struct app_set_event *event);
void app_set_past_said(struct app_set_past *past, const struct app_set_said *said);

/* The preset that events call by this name. Copied. */
void app_set_past_preset(struct app_set_past *past, const char *name, const char *text,
                         size_t size);

/* Where a preset's picture was found, as in struct app_set_picture. Copied. */
void app_set_past_picture(struct app_set_past *past, const char *preset, const char *name,
                          bool is_file, const char *path);

/* A frame, with what it heard: stereo frames of 24 bits (app_set_round). bar: where the beat stood
 * behind it, 0: there was none. */
void app_set_past_frame(struct app_set_past *past, uint64_t number, const float *samples,
                        size_t count, double bar);

/* A state behind this frame, which is the last one, or an older one: packed, as of
 * app_set_state_pack, taken over. work: what drawing took until then, in seconds; of the past's
 * states those stay from which it is not far, in work, to the next. thumb: copied; NULL: none. */
void app_set_past_state(struct app_set_past *past, uint64_t frame, double work, void *packed,
                        size_t size, const struct app_set_thumb *thumb);

/* ---- looked at, by any thread ---- */

/* The past as a set, which begins with its oldest state. Zero-initialised, closed with
 * app_set_close; the past outlives it. False: there is nothing yet. What is told later is not in
 * it, and what is forgotten later cannot be played any more. */
bool app_set_past_read(struct app_set_past *past, struct app_set *set);

/* Frames of the show between which it can be played, and how fast they pass. */
struct app_set_span {
    uint64_t first; /* 0: there is nothing */
    uint64_t last;
    double fps;
};
struct app_set_span app_set_past_span(struct app_set_past *past);

/* The small picture nearest to this frame. False: there is none. */
bool app_set_past_thumb(struct app_set_past *past, uint64_t frame, struct app_set_thumb *thumb);

/* What a timeline shows, the oldest first. */
struct app_set_mark {
    enum app_set_kind kind; /* a command or a preset */
    uint64_t frame;
    char text[64]; /* the command, or the preset's name */
};

/* The newest of them between two frames; returns how many. */
size_t app_set_past_marks(struct app_set_past *past, uint64_t from, uint64_t to,
                          struct app_set_mark *marks, size_t most);

/* The bars that begin between two frames: the frames at which they do, the newest if there are more
 * than `most`. */
size_t app_set_past_bars(struct app_set_past *past, uint64_t from, uint64_t to, uint64_t *frames,
                         size_t most);

/* The frame at which what is shown at `frame` was so many bars earlier, by the beat as it was. 0:
 * the beat is not known for so long. */
uint64_t app_set_past_bars_before(struct app_set_past *past, uint64_t frame, double bars);

/* What it holds. */
struct app_set_holds {
    size_t bytes;  /* of memory, */
    size_t limit;  /* and the most that it may be */
    size_t states; /* so many */
    double seconds;
};
struct app_set_holds app_set_past_holds(struct app_set_past *past);

#endif
