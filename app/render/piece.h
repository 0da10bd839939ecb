/* Pieces of a film: what is written beside each, by which they are joined. */
#ifndef APP_RENDER_PIECE_H
#define APP_RENDER_PIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/options/options.h"
#include "base/text.h"
#include "engine/feed/order.h"
#include "engine/rate.h"

/* A preset that begins in a piece. */
struct app_piece_scene {
    uint64_t frame; /* of the film, from 0 */
    char name[256];
};

/* Where a rendering stands behind a piece, beside the state of its show: the running order, and
 * what of the scene outlasts it. */
struct app_piece_stand {
    bool there;
    bool incomplete;   /* a preset could not be shown */
    bool begins;       /* the last frame was the first one of a preset */
    uint64_t encoding; /* how its video is encoded */
    uint64_t item;     /* the preset of the order that plays, from 0, */
    uint64_t began;    /* its first frame, */
    uint64_t end;      /* and the frame before which it ends */
    uint64_t warned;   /* as of struct app_scene */
    uint64_t lines[2];
    uint64_t turns; /* as app_running_order_turns */
    uint64_t heard; /* stereo frames of the sound */
};

/* What a piece is of. Zero-initialise, app_piece_free. */
struct app_piece {
    char version[32]; /* of froth */
    char cpu[16];     /* level at which it was painted */
    char codec[16];
    uint64_t inputs; /* hash of the presets, the sound, and the options that make pictures */
    uint64_t first;  /* frames of the film before it, */
    uint64_t count;  /* in it, */
    uint64_t total;  /* and in all */
    int width;
    int height;
    struct engine_rate rate;
    char sound[4096]; /* as --audio; empty: none */
    double start;     /* second of the sound at which the film begins */
    uint64_t bytes;   /* hash of the video file */
    uint64_t *hashes; /* of its frames */
    size_t hash_room;
    struct app_piece_scene *scenes;
    size_t scene_count;
    size_t scene_room;
    struct app_piece_stand stand; /* of checkpoints alone */
};

/* Reads I/N. False: it is something else. */
bool app_piece_share(const char *text, uint64_t *piece, uint64_t *pieces);

/* The frames of one of the pieces of a film, which differ by one at most: the frames before it, and
 * how many it has. */
void app_piece_cut(uint64_t frames, uint64_t piece, uint64_t pieces, uint64_t *first,
                   uint64_t *count);

/* The next frame, and a preset of that name that begins with frame `frame`. Return 0, or -1 without
 * memory. */
int app_piece_add(struct app_piece *piece, uint64_t hash);
int app_piece_begin(struct app_piece *piece, uint64_t frame, const char *name);

/* A hash of what pictures are made of: options, the sound's content, the presets' and their order.
 * 0, or -1 with a message. */
int app_piece_inputs(const struct app_options *options, const struct engine_order *presets,
                     uint64_t *hash, const struct base_diag_sink *sink);

/* Writes it beside its video, which is whole: VIDEO.piece. 0, or -1 with a message. */
int app_piece_write(struct app_piece *piece, const char *video, const struct base_diag_sink *sink);

/* Reads what stands beside a video, and whether it is of that file. 0, or -1 after messages. */
int app_piece_read(struct app_piece *piece, const char *video, const struct base_diag_sink *sink);

/* The same of the text alone, which is written over. False: it is none. */
bool app_piece_parse(struct app_piece *piece, char *text, size_t size);

void app_piece_free(struct app_piece *piece);

/* Whether both are of one film, of the same inputs, length, size, rate and codec; versions of froth
 * are not looked at. */
bool app_piece_is_of_film(const struct app_piece *piece, const struct app_piece *other);

/* "frame N HASH" on standard output for each frame. */
void app_piece_print_hashes(const struct app_piece *piece);

/* The film of these pieces, in any order, which have to be all of one film, made by one version of
 * froth; with sound and chapters. Returns 0, or -1 with a message and nothing left behind. */
int app_piece_join(const char *const *paths, size_t count, const char *output,
                   const struct base_diag_sink *sink);

#endif
