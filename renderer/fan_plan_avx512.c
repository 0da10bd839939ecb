#if defined(__x86_64__)
#include "renderer/fan.h"

#include "renderer/span_sixteen.h"

/* Fans that are smaller or larger, in pixels, or lie beyond that are not of this kind. */
static const float radius_least = 1;
static const float radius_most = 120;
static const float place_most = 1e5f;

/* Fans with fewer sides than a number and a part of their radius are drawn faster triangle by
 * triangle, each with rows of its own, unless much is left out: as measured. */
struct sides_least {
    float number;
    float part;
};

static const struct sides_least sides_least = {4, 1.0f / 3};
static const struct sides_least textured_sides_least = {2, 1.0f / 6};

/* One bit for each vertex. */
struct bits {
    uint64_t low;
    uint64_t high;
};

BASE_INLINE void set_bits(struct bits *bits, int j, lanes some)
{
    if (j < 64) {
        bits->low |= (uint64_t)some << j;
    } else {
        bits->high |= (uint64_t)some << (j - 64);
    }
}

BASE_INLINE bool any_bit(const struct bits *bits)
{
    return (bits->low | bits->high) != 0;
}

BASE_INLINE int first_bit(const struct bits *bits)
{
    return bits->low != 0 ? __builtin_ctzll(bits->low) : 64 + __builtin_ctzll(bits->high);
}

BASE_INLINE int last_bit(const struct bits *bits)
{
    return bits->high != 0 ? 127 - __builtin_clzll(bits->high) : 63 - __builtin_clzll(bits->low);
}

static bool has_few_sides(const struct rend_fan *fan, float reach)
{
    const struct sides_least least = fan->sampler != NULL ? textured_sides_least : sides_least;
    return fan->cover == NULL && (float)fan->sides < least.number + least.part * reach;
}

static bool closed(const struct rend_corner *first, const struct rend_corner *last)
{
    return first->at.x == last->at.x && first->at.y == last->at.y && first->u == last->u &&
           first->v == last->v;
}

/* A word of sixteen corners. */
BASE_INLINE words gathered(const void *of_first, lanes some)
{
    const int stride = (int)sizeof(struct rend_corner);
    const words places = _mm512_mullo_epi32(words_in_order(), _mm512_set1_epi32(stride));
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), some, places, of_first, 1);
}

/* Copies the places twice. Returns how far they go from the centre; negative if they lie nowhere.
 */
static float set_places(struct rend_fan_plan *plan, const struct rend_fan *fan)
{
    const struct rend_corner *rim = fan->rim;
    const floats x = _mm512_set1_ps(fan->centre->at.x);
    const floats y = _mm512_set1_ps(fan->centre->at.y);
    const floats limit = _mm512_set1_ps(place_most);
    floats reach = _mm512_setzero_ps();
    unsigned odd = 0;
    for (int j = 0; j < fan->sides; j += LANES) {
        const lanes some = lanes_below((size_t)(fan->sides - j));
        const floats at_x = _mm512_castsi512_ps(gathered(&rim[j].at.x, some));
        const floats at_y = _mm512_castsi512_ps(gathered(&rim[j].at.y, some));
        const floats far = _mm512_max_ps(_mm512_abs_ps(_mm512_sub_ps(at_x, x)),
                                         _mm512_abs_ps(_mm512_sub_ps(at_y, y)));
        const floats sum = _mm512_add_ps(_mm512_abs_ps(at_x), _mm512_abs_ps(at_y));
        odd |= _mm512_mask_cmp_ps_mask(some, sum, limit, _CMP_NLT_UQ);
        reach = _mm512_mask_max_ps(reach, some, reach, far);
        _mm512_storeu_ps(plan->x + j, at_x);
        _mm512_storeu_ps(plan->y + j, at_y);
    }
    for (int j = 0; j < fan->sides; j += LANES) {
        _mm512_storeu_ps(plan->x + fan->sides + j, _mm512_loadu_ps(plan->x + j));
        _mm512_storeu_ps(plan->y + fan->sides + j, _mm512_loadu_ps(plan->y + j));
    }
    plan->x[2 * fan->sides] = plan->x[0];
    plan->y[2 * fan->sides] = plan->y[0];
    return odd == 0 && closed(&rim[0], &rim[fan->sides]) ? _mm512_reduce_max_ps(reach) : -1;
}

/* Whether the triangles go around the centre, all the same way and none of them narrow. Then the
 * sides of a triangle cross a row so far from each other, unless at one point exactly, that
 * rounding does not change their order: corners are 32-bit numbers, so that none is nearer to a
 * row's centre than 1e-8, and slopes differ by 5e-4 or more. */
static bool goes_around(const struct rend_fan_plan *plan, const struct rend_fan *fan, float reach)
{
    const doubles x = _mm512_set1_pd((double)fan->centre->at.x);
    const doubles y = _mm512_set1_pd((double)fan->centre->at.y);
    const doubles least = _mm512_set1_pd(1e-3 * (double)reach * (double)reach);
    unsigned not_right = 0;
    unsigned not_left = 0;
    for (int j = 0; j < fan->sides; j += HALF_LANES) {
        const __mmask8 some = (__mmask8)lanes_below((size_t)(fan->sides - j));
        const doubles x1 = _mm512_sub_pd(_mm512_cvtps_pd(_mm256_loadu_ps(plan->x + j)), x);
        const doubles y1 = _mm512_sub_pd(_mm512_cvtps_pd(_mm256_loadu_ps(plan->y + j)), y);
        const doubles x2 = _mm512_sub_pd(_mm512_cvtps_pd(_mm256_loadu_ps(plan->x + j + 1)), x);
        const doubles y2 = _mm512_sub_pd(_mm512_cvtps_pd(_mm256_loadu_ps(plan->y + j + 1)), y);
        const doubles area = _mm512_sub_pd(_mm512_mul_pd(x1, y2), _mm512_mul_pd(x2, y1));
        const doubles negative = _mm512_sub_pd(_mm512_setzero_pd(), area);
        not_right |= _mm512_mask_cmp_pd_mask(some, area, least, _CMP_LT_OQ);
        not_left |= _mm512_mask_cmp_pd_mask(some, negative, least, _CMP_LT_OQ);
    }
    return not_right == 0 || not_left == 0;
}

/* The rows of the vertices, as rend_pixel_from gives them, twice. */
static void set_rows(struct rend_fan_plan *plan, const struct rend_fan *fan)
{
    const doubles limit = _mm512_set1_pd(fan->canvas->height);
    words first = _mm512_set1_epi32(plan->middle);
    words end = first;
    for (int j = 0; j < fan->sides; j += HALF_LANES) {
        const doubles y = _mm512_cvtps_pd(_mm256_loadu_ps(plan->y + j));
        const doubles from = _mm512_ceil_pd(_mm512_sub_pd(y, _mm512_set1_pd(0.5)));
        const doubles bounded = _mm512_min_pd(_mm512_max_pd(from, _mm512_setzero_pd()), limit);
        half_words_store(plan->row + j, _mm512_cvttpd_epi32(bounded));
    }
    for (int j = 0; j < fan->sides; j += LANES) {
        const lanes some = lanes_below((size_t)(fan->sides - j));
        const words rows = words_load((const uint32_t *)plan->row + j);
        first = _mm512_mask_min_epi32(first, some, first, rows);
        end = _mm512_mask_max_epi32(end, some, end, rows);
        words_store((uint32_t *)plan->row + fan->sides + j, rows);
    }
    plan->row[2 * fan->sides] = plan->row[0];
    plan->first = _mm512_reduce_min_epi32(first);
    plan->end = _mm512_reduce_max_epi32(end);
}

/* How often the sides change between going up and going down: 64 of them, after one that goes as
 * `last` says, which is set anew. */
BASE_INLINE int turns_of(uint64_t up, uint64_t down, unsigned *last)
{
    const uint64_t ways = _pext_u64(up, up | down);
    const int count = __builtin_popcountll(up | down);
    if (count == 0) {
        return 0;
    }
    const uint64_t changes = ways ^ (ways << 1 | *last);
    *last = (unsigned)(ways >> (count - 1)) & 1;
    return __builtin_popcountll(changes & UINT64_MAX >> (64 - count));
}

/* Whether no row's centre lies between the ends of more than two sides. Finds the shift: vertex 0
 * stands before those above the centre, or if there are none, before those below. */
static bool find_shift(struct rend_fan_plan *plan, int sides)
{
    const words middle = _mm512_set1_epi32(plan->middle);
    struct bits up = {0, 0};
    struct bits down = {0, 0};
    struct bits before_upper = {0, 0};
    struct bits before_lower = {0, 0};
    for (int j = 0; j < sides; j += LANES) {
        const lanes some = lanes_below((size_t)(sides - j));
        const words here = words_load((const uint32_t *)plan->row + j);
        const words next = words_load((const uint32_t *)plan->row + j + 1);
        const lanes lower = _mm512_mask_cmpge_epi32_mask(some, here, middle);
        const lanes upper = _mm512_mask_cmple_epi32_mask(some, here, middle);
        set_bits(&up, j, _mm512_mask_cmplt_epi32_mask(some, next, here));
        set_bits(&down, j, _mm512_mask_cmpgt_epi32_mask(some, next, here));
        set_bits(&before_upper, j, _mm512_mask_cmplt_epi32_mask(lower, next, middle));
        set_bits(&before_lower, j, _mm512_mask_cmpgt_epi32_mask(upper, next, middle));
    }
    const struct bits any = {up.low | down.low, up.high | down.high};
    if (!any_bit(&any)) {
        plan->shift = 0;
        return true;
    }
    const int end = last_bit(&any);
    unsigned last = (unsigned)((end < 64 ? up.low >> end : up.high >> (end - 64)) & 1);
    int turns = turns_of(up.low, down.low, &last);
    turns += turns_of(up.high, down.high, &last);
    plan->shift = any_bit(&before_upper)   ? first_bit(&before_upper)
                  : any_bit(&before_lower) ? first_bit(&before_lower)
                                           : 0;
    return turns <= 2;
}

/* Leaves the rows of the canvas's band. */
static void keep_band(struct rend_fan_plan *plan, const struct rend_canvas *canvas)
{
    plan->first = plan->first > canvas->top ? plan->first : canvas->top;
    plan->end = plan->end < canvas->bottom ? plan->end : canvas->bottom;
    plan->end = plan->end > plan->first ? plan->end : plan->first;
    plan->middle = plan->middle > plan->first ? plan->middle : plan->first;
    plan->middle = plan->middle < plan->end ? plan->middle : plan->end;
}

/* Which of the vertices 1..sides have their row above the next one, or below. */
BASE_INLINE struct rend_fan_spokes spokes_of(const int32_t *row, int sides, int y, bool above)
{
    const words here = _mm512_set1_epi32(y);
    struct bits crossed = {0, 0};
    for (int j = 0; j < sides; j += LANES) {
        const lanes some = lanes_below((size_t)(sides - j));
        const words rows = words_load((const uint32_t *)row + 1 + j);
        set_bits(&crossed, j,
                 above ? _mm512_mask_cmple_epi32_mask(some, rows, here)
                       : _mm512_mask_cmpgt_epi32_mask(some, rows, here));
    }
    return (struct rend_fan_spokes){(int16_t)(first_bit(&crossed) + 1),
                                    (int16_t)(last_bit(&crossed) + 1)};
}

bool rend_fan_plan_avx512(struct rend_fan_plan *plan, const struct rend_fan *fan)
{
    const struct rend_point centre = fan->centre->at;
    if (!(centre.x < place_most && centre.x > -place_most && centre.y < place_most &&
          centre.y > -place_most)) {
        return false;
    }
    const float reach = set_places(plan, fan);
    if (!(reach >= radius_least && reach <= radius_most) || has_few_sides(fan, reach) ||
        !goes_around(plan, fan, reach)) {
        return false;
    }
    plan->middle = rend_pixel_from((double)centre.y, fan->canvas->height);
    set_rows(plan, fan);
    if (!find_shift(plan, fan->sides)) {
        return false;
    }
    keep_band(plan, fan->canvas);
    const int32_t *row = plan->row + plan->shift;
    for (int y = plan->first; y < plan->middle; y++) {
        plan->spokes[y - plan->first] = spokes_of(row, fan->sides, y, true);
    }
    for (int y = plan->middle; y < plan->end; y++) {
        plan->spokes[y - plan->first] = spokes_of(row, fan->sides, y, false);
    }
    return true;
}
#else
typedef int rend_fan_plan_avx512_not_for_this_machine;
#endif
