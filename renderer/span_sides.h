/* Where sides cross rows, over vectors, after span_eight.h or span_sixteen.h; empty without them.
 */
#ifndef RENDERER_SPAN_SIDES_H
#define RENDERER_SPAN_SIDES_H

#if defined(__AVX2__)
/* p of some rows. */
BASE_INLINE half_words crossings(const struct rend_edge *edge, doubles centre, doubles limit)
{
    const doubles down = VECTOR(sub_pd)(centre, VECTOR(set1_pd)(edge->y));
    const doubles x = VECTOR(add_pd)(VECTOR(set1_pd)(edge->x),
                                     VECTOR(mul_pd)(down, VECTOR(set1_pd)(edge->slope)));
    const doubles first = VECTOR(ceil_pd)(VECTOR(sub_pd)(x, VECTOR(set1_pd)(0.5)));
    const doubles bounded = VECTOR(min_pd)(VECTOR(max_pd)(first, VECTOR(setzero_pd)()), limit);
    return VECTOR(cvttpd_epi32)(bounded);
}

BASE_INLINE doubles centres(int y)
{
    return VECTOR(add_pd)(VECTOR(set1_pd)(y + 0.5), doubles_in_order());
}

static void widen(const struct rend_edge *edge, int y, int width, struct rend_run *runs,
                  size_t count)
{
    const doubles limit = VECTOR(set1_pd)(width);
    doubles centre = centres(y);
    for (size_t i = 0; i < count; i += HALF_LANES) {
        const size_t rest = count - i < HALF_LANES ? count - i : HALF_LANES;
        const struct some_runs old = runs_load(runs + i, rest);
        const half_words p = crossings(edge, centre, limit);
        const struct some_runs wide = {HALF(min_epi32)(p, old.first), HALF(max_epi32)(p, old.end)};
        words_store_some((uint32_t *)(void *)(runs + i), lanes_below(2 * rest), runs_words(&wide));
        centre = VECTOR(add_pd)(centre, VECTOR(set1_pd)(HALF_LANES));
    }
}
#endif

#endif
