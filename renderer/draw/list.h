/* A display list: what is to be drawn, noted in words that a device can walk through, in place of
 * drawing it here. A canvas that has one is not written to.
 *
 * The words begin with one for each tile of the picture and one more: where the tile's items begin,
 * and, with the next tile's, where they end. There the items stand that may have a part of the
 * tile, each by the place of its first word, in the order in which they are drawn. A tile that an
 * item covers with one opaque colour or picture leaves out those before. */
#ifndef RENDERER_DRAW_LIST_H
#define RENDERER_DRAW_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "renderer/draw/span.h"

enum { REND_LIST_COLUMNS = 64, REND_LIST_ROWS = 8 }; /* of a tile */

/* Words of an item. Two numbers in a word are of 16 bits each, the first in the lower half. */
enum rend_item_word {
    REND_ITEM_KIND, /* enum rend_item_kind, and bits of enum rend_item_bit */
    /* A box: its first column and the one behind its last. A stroke: its first and stop. A polygon:
     * its first row and the one behind its last. */
    REND_ITEM_REACH,
    /* A box: its rows, likewise. A stroke: where its minors stand, two in a word. A polygon: where
     * its runs stand, of each row a word of its first pixel and the one behind its last. */
    REND_ITEM_PLACES,
    /* A tint: blue and green of its source, red and `rest`. A shade: `from` and `more`, a word for
     * each value. */
    REND_ITEM_COLOURS,
    REND_ITEM_RAMP_FROM = REND_ITEM_COLOURS + REND_SPAN_VALUES, /* of shaded strokes */
    REND_ITEM_RAMP_START,
    REND_ITEM_RAMP_STEP,
    REND_ITEM_STROKE_WORDS,
    REND_ITEM_SIDES = REND_ITEM_RAMP_FROM, /* of polygons: how many; 0: the colour is one */
    REND_ITEM_DISTANCES,                   /* where they stand: at, per_x and per_y of each, */
    REND_ITEM_SPOKES,                      /* how many there are, */
    REND_ITEM_SLOPES,                      /* where those stand, as floats, */
    REND_ITEM_FIRST,                       /* and the rest of struct rend_distances */
    REND_ITEM_FROM_X,
    REND_ITEM_FROM_Y,
    REND_ITEM_U, /* of textured ones: three words of struct rend_turns */
    REND_ITEM_V = REND_ITEM_U + 3,
    REND_ITEM_POLYGON_WORDS = REND_ITEM_V + 3
};

enum rend_item_kind { REND_ITEM_BOX, REND_ITEM_STROKE, REND_ITEM_POLYGON, REND_ITEM_KINDS = 4 };

enum rend_item_bit {
    REND_ITEM_DOWN = 4,    /* the major axis is y, as a polygon's is */
    REND_ITEM_SHADED = 8,  /* a shade, no tint */
    REND_ITEM_ADDED = 16,  /* of a shade: enum rend_covering; of a tint: additive */
    REND_ITEM_OPAQUE = 32, /* of a shade: enum rend_covering */
    REND_ITEM_FACED = 64,  /* distances are */
    REND_ITEM_TEXTURED = 128
};

/* A texture coordinate over the pixels, 2^32 being once around. */
struct rend_turns {
    uint32_t at;
    uint32_t per_x;
    uint32_t per_y;
};

/* A polygon as it is noted: its rows, and how its pixels are found (struct rend_span_kernels,
 * pieces). */
struct rend_list_polygon {
    int first_row;
    int end_row;
    const struct rend_shade *shade;
    const struct rend_distances *distances; /* NULL: the colour is one */
    bool textured;
    struct rend_turns u;
    struct rend_turns v;
};

struct rend_list;

/* NULL without memory. Any thread; the others: one at a time. */
struct rend_list *rend_list_create(int width, int height);
void rend_list_free(struct rend_list *list); /* NULL is fine */

/* How many words it has room for. */
size_t rend_list_room(int width, int height);

void rend_list_clear(struct rend_list *list);

/* What does not fit makes the list worth nothing until it is cleared. Pixels lie in the picture. */
void rend_list_add_box(struct rend_list *list, int left, int top, int right, int bottom,
                       const struct rend_tint *tint);
/* ramp: NULL for a tint, else the shade's. */
void rend_list_add_stroke(struct rend_list *list, const struct rend_stroke *stroke,
                          const struct rend_tint *tint, const struct rend_shade *shade,
                          const struct rend_ramp *ramp);
/* Gives room for the runs of its rows, which are to be filled in before anything is added; NULL:
 * there is none. */
uint32_t *rend_list_add_polygon(struct rend_list *list, const struct rend_list_polygon *polygon);

/* A row's run as it is to be filled in. */
static inline uint32_t rend_list_run(struct rend_run run)
{
    return (uint32_t)(uint16_t)run.first | (uint32_t)(uint16_t)run.end << 16;
}

/* Finds the tiles' items. NULL: they did not fit. The words are valid until the list is cleared. */
const uint32_t *rend_list_finish(struct rend_list *list, size_t *words);

/* Whether an item reads the texture. */
bool rend_list_textured(const struct rend_list *list);

#endif
