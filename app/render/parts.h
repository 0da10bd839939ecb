/* Checkpoints: a film in parts, and the show's state behind each, from which a rendering that was
 * stopped goes on. They lie in a folder beside the film, FILM.checkpoints, until the film is there.
 * A part that is not whole, after a power cut, is made again. */
#ifndef APP_RENDER_PARTS_H
#define APP_RENDER_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "app/render/film.h"
#include "app/render/piece.h"

/* What is rendered. All return 0, or -1 after a message. */
struct app_parts_work {
    struct app_film *film; /* opened, with a piece that says what all parts are of */
    const struct app_film_painter *painter;
    int (*begin)(void *user); /* the film's first frame is set: notes what plays there */
    int (*save)(void *user, struct app_piece_stand *stand, uint8_t **bytes, size_t *size);
    int (*restore)(void *user, uint64_t frame, const struct app_piece_stand *stand,
                   const uint8_t *bytes, size_t size); /* behind so many frames */
    void *user;
};

/* Goes on behind what is kept, a checkpoint each `every` frames, and joins the film at the end.
 * Returns 0, or -1 with an error reported: if somebody asks to stop, with a checkpoint there. */
int app_parts_make(const struct app_parts_work *work, uint64_t every);

#endif
