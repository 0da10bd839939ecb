/* What a rendering is made of, whatever its target: presets one after the other, the sound that it
 * hears, and the way of its pictures into hashes and a video. */
#ifndef APP_RENDER_FILM_H
#define APP_RENDER_FILM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/io/audio.h"
#include "app/io/progress.h"
#include "app/video/video.h"
#include "app/loading/loading.h"
#include "app/options/options.h"
#include "app/render/piece.h"
#include "base/os/file.h"
#include "base/text.h"
#include "engine/embed/program.h"
#include "engine/feed/order.h"
#include "renderer/renderer.h"
#include "ui/card.h"
#include "ui/overlay.h"

/* ---- the running order: which presets are shown, and for how many frames: the files, folders and
 * playlists that the options name ---- */

struct app_turn {
    const char *path;       /* of the order, as the next one */
    const char *transition; /* as of --transition; empty: the usual one */
    uint64_t frames;        /* at least 1 */
};

struct app_running_order {
    struct engine_order list;
    struct engine_rate rate;
    uint64_t frames;
    double usual;  /* seconds of a preset without a time of its own; below 0: it shares */
    bool shuffled; /* the order is by chance, from this seed on */
    uint64_t seed;
    bool timed;           /* it is said how long a preset is shown: the order comes again */
    size_t *turns;        /* which of the list comes in each turn of this round */
    uint64_t round;       /* how often all of them came before */
    size_t next;          /* of the turns */
    uint64_t fixed_total; /* frames of the presets whose time is given */
    uint64_t fixed;       /* the same for presets that are still to come */
    size_t shared_total;  /* presets that share the frames that are left */
    size_t shared;        /* the same for presets that are still to come */
    uint64_t at;          /* the frame for which turns were taken last */
    size_t taken;         /* how many turns that were */
    bool incomplete;      /* a preset that was asked for could not be shown */
};

/* Lists the presets, for --advance and in --order. Returns 0, or -1 with a message if there is
 * none, or if a sound is named as a preset; close it in either case. */
int app_running_order_open(struct app_running_order *order, const struct app_options *options,
                           struct engine_rate rate, uint64_t frames,
                           const struct base_diag_sink *sink);
void app_running_order_close(struct app_running_order *order);

/* Goes to where an order stood behind so many turns, from its beginning on. False: it has not so
 * many. */
bool app_running_order_turn(struct app_running_order *order, uint64_t turns);
uint64_t app_running_order_turns(const struct app_running_order *order);

/* The preset that begins with this frame (counted from 0, less than `frames`); asked again for the
 * same frame, the one that takes the place of a preset that could not be shown. Presets without a
 * time of their own share what the others leave in equal parts, to within one frame. False: none is
 * left. */
bool app_running_order_next(struct app_running_order *order, uint64_t frame, struct app_turn *turn);

/* Whether every preset that had its turn was shown. Returns 0, or -1 with an error reported. */
int app_running_order_check(const struct app_running_order *order,
                            const struct base_diag_sink *sink);

/* ---- scenes: the presets, each with its share of the frames and loaded when its turn comes ----
 */

struct app_scene {
    const char *path;
    uint64_t begin;                     /* its first frame, counted from 0 */
    uint64_t end;                       /* the frame before which it ends */
    unsigned warned;                    /* rend_event bits that have been reported */
    unsigned lines[REND_SHADER_STAGES]; /* where its shaders begin, as of rend_patch_line */
};

/* Loads the preset that begins with this frame into the show, whose next picture shows it, and
 * gives the scene its frames. A preset that does not load is reported and left out. Returns 0, or
 * -1 if none is left or somebody asks to stop. The scene's path is of the order. */
int app_scene_load(struct app_running_order *order, froth *show, uint64_t frame,
                   struct app_scene *scene, const struct base_diag_sink *sink);

/* The name of a preset's file, without its ending. */
void app_scene_name(const char *path, char *name, size_t size);

/* Notes what the scene's warnings say of this patch of it. */
void app_scene_describe(struct app_scene *scene, const struct rend_patch *patch);

/* Warns of what a step noticed, once for each scene. */
void app_scene_warn(struct app_scene *scene, unsigned events, const struct base_diag_sink *sink);

/* ---- sound and pictures ---- */

/* What the renderings of every target have in common: the sound that they hear, how many frames it
 * asks for, and where the pictures go: hashes on standard output, a video, progress. For one
 * thread. Set it to zero first: it may then be closed whether or not it was opened. */
struct app_film {
    const struct app_options *options;
    bool silent;             /* it has no sound; to be set before it is opened */
    struct app_piece *piece; /* to be set before it is opened: what is made; one without --segment;
                                NULL: no piece */
    const struct app_video_chapter *chapters; /* to be set before it is made; the caller's */
    size_t chapter_count;
    const char *sound; /* its name */
    struct app_audio *audio;
    struct engine_rate rate;
    uint64_t frames;
    uint64_t drawn_from; /* frames that need not be drawn before those that are kept */
    uint64_t first;      /* frames that are not kept */
    uint64_t end;        /* behind the last one that is */
    int width;
    int height;
    struct base_diag_sink sink; /* keeps messages and the line of progress apart */
    struct app_video *video;
    unsigned char *hash_row;
    struct ui_card *card;           /* of --titles; NULL: none is wanted, or nothing is told */
    struct ui_overlay *overlay;     /* of --names; NULL: none is wanted */
    struct ui_line *name;           /* of the preset that is seen; NULL: none */
    struct ui_line *next_name;      /* that of the next one, */
    uint64_t next_begin;            /* and its first frame, from 0; UINT64_MAX: none comes */
    uint32_t *titled[2];            /* pictures with both, by turns */
    struct base_content_stream all; /* of the pictures, for --hash */
    bool flawed;                    /* the sound broke off, which has been reported */
    struct app_progress progress;
    uint64_t begun; /* frames that were there before, of which progress tells nothing */
};

/* Who draws a film. */
struct app_film_painter {
    /* Draws frame `number`, counted from 1. Returns its pixels, which have no gaps between rows and
     * stay until the call after the next one, or NULL when the film cannot go on, which has been
     * reported. */
    const uint32_t *(*draw)(void *user, uint64_t number);
    /* Not NULL: a device may still be at work on them then, and they are whole after this, at the
     * latest, which is asked for before the next frame if this one is kept. Meanwhile the film
     * finishes the frame before; so pixels stay for one call of `draw` more. */
    void (*bring)(void *user);
    void *user;
};

/* So many pictures by turns are enough. */
enum { APP_FILM_PICTURES = 2, APP_FILM_PICTURES_BROUGHT = 3 };

/* Opens the sound at --start and counts the frames. 0, or -1 with an error reported; the film has
 * to be closed in any case. */
int app_film_open(struct app_film *film, const struct app_options *options, struct app_size size,
                  struct engine_rate rate);

/* The second of the sound at which it begins. */
double app_film_start(const struct app_options *options);

/* Says, before frame `begin` (from 0) is handed out, which preset begins with it; where what is
 * made begins later, this one has begun before. For --names, else nothing. */
void app_film_name(struct app_film *film, uint64_t begin, const char *path);

/* Draws and hands out all frames, until done, a failure, or a wish to stop: that leaves a whole
 * video of what was drawn, unless somebody insists; a failure leaves none. 0, or -1 with an error
 * reported, which a film that was stopped is as well. */
int app_film_make(struct app_film *film, const struct app_film_painter *painter);

/* The frames from `first` to `end` alone, behind what was drawn until `drawn_from`, as a video of
 * their own; of the film's piece come the hashes. Progress is the caller's. made: the frame before
 * which somebody asked to stop; without one there is no video. 0, or -1 with an error reported. */
int app_film_make_part(struct app_film *film, const char *output,
                       const struct app_film_painter *painter, uint64_t *made);

/* Reports once that the sound broke off, if it did. */
void app_film_check_sound(struct app_film *film);

/* Reports an error without a place and returns -1. */
int app_film_fail(const struct app_film *film, const char *what);

void app_film_close(struct app_film *film);

/* ---- --target milkymist-one, for render and check ---- */

/* Whether the options ask for it. */
bool app_render_is_for_board(const struct app_options *options);

/* Returns 0, or -1 with a message if the options ask for what the board does not have. */
int app_render_board_check(const struct app_options *options);

/* Frames per second: 24 or 30. After app_render_board_check. */
unsigned app_render_board_fps(const struct app_options *options);

#endif
