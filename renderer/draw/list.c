#include "renderer/draw/list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS_MAX = 1 << 16, ROOM_LEAST = 1 << 18 };

struct tile {
    uint32_t from; /* the first item that is drawn there */
    uint32_t count;
};

struct rend_list {
    int width;
    int height;
    size_t columns; /* of tiles */
    size_t rows;
    size_t room;
    size_t used;
    bool full;
    bool textured;
    uint32_t *words;
    uint32_t *items; /* where they stand */
    uint32_t count;
    struct tile *tiles;
};

static size_t tiles_across(int width)
{
    return ((size_t)width + REND_LIST_COLUMNS - 1) / REND_LIST_COLUMNS;
}

static size_t tiles_down(int height)
{
    return ((size_t)height + REND_LIST_ROWS - 1) / REND_LIST_ROWS;
}

size_t rend_list_room(int width, int height)
{
    return tiles_across(width) * tiles_down(height) + 1 + ROOM_LEAST +
           (size_t)width * (size_t)height / 4;
}

struct rend_list *rend_list_create(int width, int height)
{
    struct rend_list *list = calloc(1, sizeof *list);
    if (list == NULL) {
        return NULL;
    }
    list->width = width;
    list->height = height;
    list->columns = tiles_across(width);
    list->rows = tiles_down(height);
    list->room = rend_list_room(width, height);
    list->words = malloc(list->room * sizeof *list->words);
    list->items = malloc(ITEMS_MAX * sizeof *list->items);
    list->tiles = malloc(list->columns * list->rows * sizeof *list->tiles);
    if (list->words == NULL || list->items == NULL || list->tiles == NULL) {
        rend_list_free(list);
        return NULL;
    }
    rend_list_clear(list);
    return list;
}

void rend_list_free(struct rend_list *list)
{
    if (list != NULL) {
        free(list->words);
        free(list->items);
        free(list->tiles);
        free(list);
    }
}

void rend_list_clear(struct rend_list *list)
{
    list->used = list->columns * list->rows + 1;
    list->count = 0;
    list->full = false;
    list->textured = false;
}

bool rend_list_textured(const struct rend_list *list)
{
    return list->textured;
}

/* ---- items ---- */

static uint32_t pair(int low, int high)
{
    return (uint32_t)(uint16_t)low | (uint32_t)(uint16_t)high << 16;
}

static int low_of(uint32_t word)
{
    return (int)(word & UINT16_MAX);
}

static int high_of(uint32_t word)
{
    return (int)(word >> 16);
}

/* Words that follow each other; NULL: there are not so many. */
static uint32_t *take(struct rend_list *list, size_t words)
{
    list->full = list->full || list->room - list->used < words;
    if (list->full) {
        return NULL;
    }
    uint32_t *taken = list->words + list->used;
    list->used += words;
    return taken;
}

static uint32_t place_of(const struct rend_list *list, const uint32_t *words)
{
    return (uint32_t)(words - list->words);
}

static uint32_t *take_item(struct rend_list *list, size_t words)
{
    list->full = list->full || list->count == ITEMS_MAX;
    uint32_t *item = take(list, words);
    if (item != NULL) {
        list->items[list->count++] = place_of(list, item);
    }
    return item;
}

static uint32_t put_tint(uint32_t *item, const struct rend_tint *tint)
{
    uint32_t *colours = item + REND_ITEM_COLOURS;
    const uint64_t source = tint->source;
    colours[0] = pair((int)(source & UINT16_MAX), (int)(source >> 32 & UINT16_MAX));
    colours[1] = pair((int)(source >> 16 & UINT16_MAX), (int)tint->rest);
    return tint->additive ? REND_ITEM_ADDED : 0;
}

static uint32_t put_shade(uint32_t *item, const struct rend_shade *shade)
{
    const enum rend_covering covering = rend_covering_of(shade);
    for (int k = 0; k < REND_SPAN_VALUES; k++) {
        item[REND_ITEM_COLOURS + k] = pair(shade->from[k], shade->more[k]);
    }
    return REND_ITEM_SHADED | (covering == REND_ADDED    ? (uint32_t)REND_ITEM_ADDED
                               : covering == REND_OPAQUE ? (uint32_t)REND_ITEM_OPAQUE
                                                         : 0u);
}

void rend_list_add_box(struct rend_list *list, int left, int top, int right, int bottom,
                       const struct rend_tint *tint)
{
    if (left >= right || top >= bottom) {
        return;
    }
    uint32_t *item = take_item(list, REND_ITEM_STROKE_WORDS);
    if (item != NULL) {
        item[REND_ITEM_KIND] = REND_ITEM_BOX | put_tint(item, tint);
        item[REND_ITEM_REACH] = pair(left, right);
        item[REND_ITEM_PLACES] = pair(top, bottom);
    }
}

void rend_list_add_stroke(struct rend_list *list, const struct rend_stroke *stroke,
                          const struct rend_tint *tint, const struct rend_shade *shade,
                          const struct rend_ramp *ramp)
{
    assert(stroke->first < stroke->stop);
    const size_t count = (size_t)(stroke->stop - stroke->first);
    uint32_t *item = take_item(list, REND_ITEM_STROKE_WORDS);
    uint32_t *minors = item != NULL ? take(list, (count + 1) / 2) : NULL;
    if (minors == NULL) {
        return;
    }
    const uint32_t steep = stroke->minor_step == 1 ? REND_ITEM_DOWN : 0;
    item[REND_ITEM_KIND] =
        REND_ITEM_STROKE | steep | (ramp != NULL ? put_shade(item, shade) : put_tint(item, tint));
    item[REND_ITEM_REACH] = pair(stroke->first, stroke->stop);
    item[REND_ITEM_PLACES] = place_of(list, minors);
    if (ramp != NULL) {
        item[REND_ITEM_RAMP_FROM] = (uint32_t)ramp->from;
        item[REND_ITEM_RAMP_START] = ramp->start;
        item[REND_ITEM_RAMP_STEP] = ramp->step;
    }
    for (int major = stroke->first; major < stroke->stop; major += 2) {
        const int last = stroke->stop - 1;
        const int next = major < last ? major + 1 : last;
        *minors++ = pair((int)rend_minor_at(stroke, major), (int)rend_minor_at(stroke, next));
    }
}

static uint32_t put_distances(struct rend_list *list, uint32_t *item,
                              const struct rend_distances *distances)
{
    const size_t spokes = distances->spokes;
    const size_t sides = spokes > 0 ? 2 * distances->count + REND_DISTANCE_SIDES : distances->count;
    uint32_t *words = take(list, 3 * sides + spokes);
    if (words == NULL) {
        return 0;
    }
    item[REND_ITEM_SIDES] = (uint32_t)distances->count;
    item[REND_ITEM_DISTANCES] = place_of(list, words);
    item[REND_ITEM_SPOKES] = (uint32_t)spokes;
    item[REND_ITEM_SLOPES] = place_of(list, words + 3 * sides);
    item[REND_ITEM_FIRST] = (uint32_t)distances->first;
    for (size_t k = 0; k < sides; k++) {
        *words++ = distances->at[k];
        *words++ = distances->per_x[k];
        *words++ = distances->per_y[k];
    }
    if (spokes > 0) {
        memcpy(words, distances->slope, spokes * sizeof *words);
        memcpy(item + REND_ITEM_FROM_X, &distances->from_x, sizeof *item);
        memcpy(item + REND_ITEM_FROM_Y, &distances->from_y, sizeof *item);
    }
    return distances->faced ? REND_ITEM_FACED : 0;
}

uint32_t *rend_list_add_polygon(struct rend_list *list, const struct rend_list_polygon *polygon)
{
    const size_t rows = (size_t)(polygon->end_row - polygon->first_row);
    uint32_t *item = take_item(list, REND_ITEM_POLYGON_WORDS);
    uint32_t *runs = item != NULL ? take(list, rows) : NULL;
    if (runs == NULL) {
        return NULL;
    }
    memset(item, 0, REND_ITEM_POLYGON_WORDS * sizeof *item);
    item[REND_ITEM_KIND] = REND_ITEM_POLYGON | REND_ITEM_DOWN | put_shade(item, polygon->shade);
    item[REND_ITEM_REACH] = pair(polygon->first_row, polygon->end_row);
    item[REND_ITEM_PLACES] = place_of(list, runs);
    if (polygon->distances != NULL) {
        item[REND_ITEM_KIND] |= put_distances(list, item, polygon->distances);
    }
    if (polygon->textured) {
        item[REND_ITEM_KIND] |= REND_ITEM_TEXTURED;
        memcpy(item + REND_ITEM_U, &polygon->u, sizeof polygon->u);
        memcpy(item + REND_ITEM_V, &polygon->v, sizeof polygon->v);
        list->textured = true;
    }
    return list->full ? NULL : runs;
}

/* ---- tiles ---- */

/* What is done with a tile of which an item may have a part, all of it if `covers`. */
typedef void visit(struct rend_list *list, struct tile *tile, uint32_t item, bool covers);

static void count_item(struct rend_list *list, struct tile *tile, uint32_t item, bool covers)
{
    (void)list;
    if (covers) {
        *tile = (struct tile){item, 0};
    }
    tile->count++;
}

static void put_item(struct rend_list *list, struct tile *tile, uint32_t item, bool covers)
{
    (void)covers;
    if (item >= tile->from) {
        list->words[tile->count++] = list->items[item];
    }
}

/* Tiles of a row of them between two columns of pixels, the last one included; those that lie
 * between the columns of `whole` are covered. */
static void visit_row(struct rend_list *list, visit *visitor, uint32_t item, size_t row,
                      struct rend_run run, struct rend_run whole)
{
    struct tile *tiles = list->tiles + row * list->columns;
    for (int t = run.first / REND_LIST_COLUMNS; t <= run.end / REND_LIST_COLUMNS; t++) {
        const int left = t * REND_LIST_COLUMNS;
        const int right = left + REND_LIST_COLUMNS;
        visitor(list, &tiles[t], item,
                left >= whole.first && (right < list->width ? right : list->width) <= whole.end);
    }
}

static const struct rend_run nothing = {INT32_MAX, 0};

static void visit_box(struct rend_list *list, visit *visitor, uint32_t item, const uint32_t *words)
{
    const struct rend_run columns = {low_of(words[REND_ITEM_REACH]),
                                     high_of(words[REND_ITEM_REACH]) - 1};
    const int top = low_of(words[REND_ITEM_PLACES]);
    const int last = high_of(words[REND_ITEM_PLACES]) - 1;
    for (int t = top / REND_LIST_ROWS; t <= last / REND_LIST_ROWS; t++) {
        visit_row(list, visitor, item, (size_t)t, columns, nothing);
    }
}

/* A stroke goes on in one direction: its ends in a tile bound it. */
static void visit_stroke(struct rend_list *list, visit *visitor, uint32_t item,
                         const uint32_t *words)
{
    const bool steep = (words[REND_ITEM_KIND] & REND_ITEM_DOWN) != 0;
    const int along = steep ? REND_LIST_ROWS : REND_LIST_COLUMNS;
    const int first = low_of(words[REND_ITEM_REACH]);
    const int last = high_of(words[REND_ITEM_REACH]) - 1;
    const uint32_t *minors = list->words + words[REND_ITEM_PLACES];
    for (int t = first / along; t <= last / along; t++) {
        const int from = t * along > first ? t * along : first;
        const int to = (t + 1) * along - 1 < last ? (t + 1) * along - 1 : last;
        const uint32_t a = minors[(from - first) / 2] >> ((from - first) % 2 * 16) & UINT16_MAX;
        const uint32_t b = minors[(to - first) / 2] >> ((to - first) % 2 * 16) & UINT16_MAX;
        const struct rend_run minor = {(int)(a < b ? a : b), (int)(a < b ? b : a)};
        if (steep) {
            visit_row(list, visitor, item, (size_t)t, minor, nothing);
            continue;
        }
        for (int row = minor.first / REND_LIST_ROWS; row <= minor.end / REND_LIST_ROWS; row++) {
            visit_row(list, visitor, item, (size_t)row, (struct rend_run){from, to}, nothing);
        }
    }
}

static void visit_polygon(struct rend_list *list, visit *visitor, uint32_t item,
                          const uint32_t *words)
{
    const int first = low_of(words[REND_ITEM_REACH]);
    const int end = high_of(words[REND_ITEM_REACH]);
    const uint32_t *runs = list->words + words[REND_ITEM_PLACES];
    const bool opaque = (words[REND_ITEM_KIND] & REND_ITEM_OPAQUE) != 0;
    for (int t = first / REND_LIST_ROWS; t * REND_LIST_ROWS < end; t++) {
        const int top = t * REND_LIST_ROWS;
        const int bottom =
            top + REND_LIST_ROWS < list->height ? top + REND_LIST_ROWS : list->height;
        struct rend_run run = nothing;
        struct rend_run whole =
            opaque && top >= first && bottom <= end ? (struct rend_run){0, INT32_MAX} : nothing;
        for (int y = top > first ? top : first; y < bottom && y < end; y++) {
            const struct rend_run here = {low_of(runs[y - first]), high_of(runs[y - first])};
            whole.first = here.first > whole.first ? here.first : whole.first;
            whole.end = here.end < whole.end ? here.end : whole.end;
            if (here.first < here.end) {
                run.first = here.first < run.first ? here.first : run.first;
                run.end = here.end > run.end ? here.end : run.end;
            }
        }
        if (run.first < run.end) {
            run.end--;
            visit_row(list, visitor, item, (size_t)t, run, whole);
        }
    }
}

static void visit_items(struct rend_list *list, visit *visitor)
{
    static void (*const kinds[REND_ITEM_KINDS])(struct rend_list *, visit *, uint32_t,
                                                const uint32_t *) = {
        [REND_ITEM_BOX] = visit_box,
        [REND_ITEM_STROKE] = visit_stroke,
        [REND_ITEM_POLYGON] = visit_polygon,
    };
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *words = list->words + list->items[i];
        kinds[words[REND_ITEM_KIND] % REND_ITEM_KINDS](list, visitor, i, words);
    }
}

const uint32_t *rend_list_finish(struct rend_list *list, size_t *words)
{
    const size_t tiles = list->columns * list->rows;
    memset(list->tiles, 0, tiles * sizeof *list->tiles);
    if (list->full) {
        return NULL;
    }
    visit_items(list, count_item);
    size_t at = list->used;
    for (size_t i = 0; i < tiles; i++) {
        list->words[i] = (uint32_t)at;
        const size_t begins = at;
        at += list->tiles[i].count;
        list->tiles[i].count = (uint32_t)begins;
    }
    list->words[tiles] = (uint32_t)at;
    if (at > list->room) {
        list->full = true;
        return NULL;
    }
    visit_items(list, put_item);
    *words = at;
    return list->words;
}
