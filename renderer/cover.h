/* Which pixels opaque shapes cover: those that are drawn from the front to the back note here what
 * they draw, so that what lies behind them is drawn only where nothing is yet. One bit per
 * pixel. */
#ifndef RENDERER_COVER_H
#define RENDERER_COVER_H

#include <stddef.h>
#include <stdint.h>

#include "renderer/span.h"

struct rend_cover {
    uint64_t *words; /* rows of `pitch` words: bit x % 64 of word x / 64 is set where x is hidden */
    size_t pitch;
};

/* The words that a row of `width` pixels takes. */
static inline size_t rend_cover_pitch(int width)
{
    return ((size_t)width + 63) / 64;
}

/* Nothing is hidden in rows first..end - 1. */
void rend_cover_clear(const struct rend_cover *cover, int first, int end);

/* The first pixels of a run in row y that are not hidden; an empty run if there are none. */
struct rend_run rend_cover_seen(const struct rend_cover *cover, int y, struct rend_run run);

/* Hides a run in row y. */
void rend_cover_add(const struct rend_cover *cover, int y, struct rend_run run);

#endif
