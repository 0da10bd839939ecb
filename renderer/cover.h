/* What opaque shapes hide: those that are drawn from the front to the back note here which pixels
 * they draw, so that what lies behind is drawn only where nothing is yet. Of each row it is one
 * interval, to the pixel; what would not make one interval cannot be noted. */
#ifndef RENDERER_COVER_H
#define RENDERER_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "renderer/renderer.h"
#include "renderer/span.h"

struct rend_cover {
    struct {
        uint16_t first;
        uint16_t end; /* first = end = UINT16_MAX: nothing */
    } rows[REND_SIZE_MAX];
};

/* Nothing is hidden in rows 0..height - 1. */
void rend_cover_clear(struct rend_cover *cover, int height);

/* How runs lie to what is hidden; of several rows the one furthest down this list. */
enum rend_cover_relation {
    REND_COVER_HIDES, /* every pixel is hidden */
    REND_COVER_MEETS, /* some are not; with what is hidden they make one interval */
    REND_COVER_APART, /* they do not */
};

/* Runs of rows y, y + 1, ..., which begin and end at 0..REND_SIZE_MAX. */
enum rend_cover_relation rend_cover_relation(const struct rend_cover *cover, int y,
                                             const struct rend_run *runs, size_t count);

/* Hides the runs of rows y, y + 1, ..., none of which lies apart. */
void rend_cover_add(struct rend_cover *cover, int y, const struct rend_run *runs, size_t count);

/* What of the runs is not hidden, left and right of the interval. Returns whether there is anything
 * to the right. */
bool rend_cover_split(const struct rend_cover *cover, int y, const struct rend_run *runs,
                      size_t count, struct rend_run *left, struct rend_run *right);

#endif
