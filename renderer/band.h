/* Bands of rows, each of which one thread draws whole, everything in order. The picture does not
 * depend on how many there are. */
#ifndef RENDERER_BAND_H
#define RENDERER_BAND_H

#include <stddef.h>
#include <stdint.h>

#include "base/thread.h"
#include "renderer/frame.h"

/* There are several bands for every thread, since some hold more work than others, but none is much
 * narrower than REND_BAND_ROWS rows: what is drawn would be cut into too many pieces. There is only
 * one band where fewer than REND_BAND_WORTH pixels are to be drawn, since waking other threads
 * would cost more than they save. */
enum { REND_BANDS_PER_THREAD = 4, REND_BAND_ROWS = 16, REND_BAND_WORTH = 1 << 15 };

static inline size_t rend_band_count(const struct rend_canvas *canvas, int64_t pixels)
{
    const size_t threads = base_pool_threads(canvas->pool);
    const size_t wanted = threads * REND_BANDS_PER_THREAD;
    const size_t most = (size_t)(canvas->bottom - canvas->top) / REND_BAND_ROWS + 1;
    if (threads == 1 || pixels < REND_BAND_WORTH) {
        return 1;
    }
    return wanted < most ? wanted : most;
}

/* Band `index` of `count`, which may have no rows. Its fill_left is NULL, since how much may be
 * drawn was decided before. */
static inline struct rend_canvas rend_band(const struct rend_canvas *canvas, size_t index,
                                           size_t count)
{
    const int64_t rows = canvas->bottom - canvas->top;
    struct rend_canvas band = *canvas;
    band.top = canvas->top + (int)(rows * (int64_t)index / (int64_t)count);
    band.bottom = canvas->top + (int)(rows * (int64_t)(index + 1) / (int64_t)count);
    band.fill_left = NULL;
    band.pool = NULL;
    return band;
}

#endif
