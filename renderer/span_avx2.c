#if defined(__x86_64__)
#include "base/inline.h"
#include "renderer/span.h"

#include <immintrin.h>
#include <stdalign.h>
#include <string.h>

/* What holds for all pixels of a triangle; a constant where a loop is called, so that each kind has
 * a loop of its own. */
enum colours { VARIED, FLAT, TEXTURED };
enum blending { OPAQUE, BLENDED, ADDED };

/* The four values, each in eight lanes. */
struct values {
    __m256 blue;
    __m256 green;
    __m256 red;
    __m256 alpha;
};

BASE_INLINE __m256i load(const uint32_t *words)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

BASE_INLINE void store(uint32_t *words, __m256i value)
{
    _mm256_storeu_si256((__m256i *)(void *)words, value);
}

/* Lanes below count. */
BASE_INLINE __m256i mask_of(size_t count)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), lanes);
}

BASE_INLINE __m256 clamp255(__m256 x)
{
    return _mm256_min_ps(_mm256_max_ps(x, _mm256_setzero_ps()), _mm256_set1_ps(255.0f));
}

BASE_INLINE struct values broadcast(__m128 values)
{
    const __m256 both = _mm256_set_m128(values, values);
    return (struct values){_mm256_shuffle_ps(both, both, 0x00), _mm256_shuffle_ps(both, both, 0x55),
                           _mm256_shuffle_ps(both, both, 0xAA),
                           _mm256_shuffle_ps(both, both, 0xFF)};
}

/* A triangle's planes. */
struct planes {
    __m256d at;
    __m256d per_x;
    __m256d per_y;
    __m128 step; /* per_x */
    struct values steps;
};

BASE_INLINE struct planes planes_of(const struct rend_shade *shade)
{
    const __m256d per_x = _mm256_loadu_pd(shade->per_x);
    const __m128 step = _mm256_cvtpd_ps(per_x);
    return (struct planes){_mm256_loadu_pd(shade->at), per_x, _mm256_loadu_pd(shade->per_y), step,
                           broadcast(step)};
}

BASE_INLINE __m128 values_at(const struct planes *planes, int x, int y)
{
    const __m256d moved_x = _mm256_mul_pd(_mm256_set1_pd(x), planes->per_x);
    const __m256d moved_y = _mm256_mul_pd(_mm256_set1_pd(y), planes->per_y);
    return _mm256_cvtpd_ps(_mm256_add_pd(_mm256_add_pd(planes->at, moved_x), moved_y));
}

/* Whether all values stay within 0..255. Rounding a sum or a product does not change the order of
 * numbers, so they lie between the first and the last. */
BASE_INLINE bool within_range(__m128 start, __m128 step, size_t count)
{
    const __m128 zero = _mm_setzero_ps();
    const __m128 most = _mm_set1_ps(255.0f);
    const __m128 last = _mm_add_ps(start, _mm_mul_ps(_mm_set1_ps((float)(int)(count - 1)), step));
    const __m128 first_in = _mm_and_ps(_mm_cmpge_ps(start, zero), _mm_cmple_ps(start, most));
    const __m128 last_in = _mm_and_ps(_mm_cmpge_ps(last, zero), _mm_cmple_ps(last, most));
    return _mm_movemask_ps(_mm_and_ps(first_in, last_in)) == 15;
}

/* Values along a row. */
struct ramp {
    struct values start;
    struct values step;
};

BASE_INLINE __m256 value_of(__m256 start, __m256 step, __m256 at, bool clamped)
{
    const __m256 value = _mm256_add_ps(start, _mm256_mul_ps(at, step));
    return clamped ? clamp255(value) : value;
}

BASE_INLINE struct values values_of(const struct ramp *ramp, __m256 at, bool flat, bool clamped)
{
    struct values values = ramp->start;
    values.alpha = value_of(ramp->start.alpha, ramp->step.alpha, at, clamped);
    if (!flat) {
        values.blue = value_of(ramp->start.blue, ramp->step.blue, at, clamped);
        values.green = value_of(ramp->start.green, ramp->step.green, at, clamped);
        values.red = value_of(ramp->start.red, ramp->step.red, at, clamped);
    } else if (clamped) {
        values.blue = clamp255(values.blue);
        values.green = clamp255(values.green);
        values.red = clamp255(values.red);
    }
    return values;
}

/* A byte of each word. */
BASE_INLINE __m256 byte_of(__m256i words, int byte)
{
    const __m256i all = _mm256_setr_epi32(0, 4, 8, 12, 0, 4, 8, 12);
    const __m256i from = _mm256_or_si256(_mm256_add_epi32(all, _mm256_set1_epi32(byte)),
                                         _mm256_set1_epi32((int)0x80808000));
    return _mm256_cvtepi32_ps(_mm256_shuffle_epi8(words, from));
}

BASE_INLINE __m256 textured(__m256 colour, __m256i texels, int byte)
{
    return _mm256_mul_ps(colour,
                         _mm256_mul_ps(byte_of(texels, byte), _mm256_set1_ps(1.0f / 255.0f)));
}

/* One channel of eight pixels. A blended sum exceeds 255 by rounding at most, which the last step
 * cuts off. */
BASE_INLINE __m256i channel(__m256 colour, __m256 alpha, __m256 kept, __m256i dst, int byte,
                            enum blending blending)
{
    __m256 sum = colour;
    if (blending == BLENDED) {
        sum = _mm256_add_ps(_mm256_mul_ps(byte_of(dst, byte), kept), _mm256_mul_ps(colour, alpha));
    } else if (blending == ADDED) {
        sum = _mm256_add_ps(byte_of(dst, byte), _mm256_mul_ps(colour, alpha));
        sum = _mm256_min_ps(sum, _mm256_set1_ps(255.0f));
    }
    return _mm256_cvttps_epi32(_mm256_add_ps(sum, _mm256_set1_ps(0.5f)));
}

BASE_INLINE __m256i shaded(const struct ramp *ramp, __m256 at, __m256i dst, __m256i texels,
                           enum colours colours, enum blending blending, bool clamped)
{
    struct values v = values_of(ramp, at, colours == FLAT, clamped);
    if (colours == TEXTURED) {
        v.blue = textured(v.blue, texels, 0);
        v.green = textured(v.green, texels, 1);
        v.red = textured(v.red, texels, 2);
    }
    const __m256 alpha = _mm256_mul_ps(v.alpha, _mm256_set1_ps(1.0f / 255.0f));
    const __m256 kept = _mm256_sub_ps(_mm256_set1_ps(1.0f), alpha);
    const __m256i blue = channel(v.blue, alpha, kept, dst, 0, blending);
    const __m256i green = channel(v.green, alpha, kept, dst, 1, blending);
    const __m256i red = channel(v.red, alpha, kept, dst, 2, blending);
    return _mm256_or_si256(_mm256_or_si256(blue, _mm256_slli_epi32(green, 8)),
                           _mm256_slli_epi32(red, 16));
}

/* Pixels from.. of a chunk. */
BASE_INLINE void shade_pixels(const struct ramp *ramp, size_t from, const uint32_t *texels,
                              uint32_t *pixels, size_t count, enum colours colours,
                              enum blending blending, bool clamped)
{
    __m256 at =
        _mm256_add_ps(_mm256_set1_ps((float)(int)from), _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7));
    __m256i texel = _mm256_setzero_si256();
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        texel = colours == TEXTURED ? load(texels + i) : texel;
        const __m256i dst = blending == OPAQUE ? texel : load(pixels + i);
        store(pixels + i, shaded(ramp, at, dst, texel, colours, blending, clamped));
        at = _mm256_add_ps(at, _mm256_set1_ps(8.0f));
    }
    if (i < count) {
        const __m256i mask = mask_of(count - i);
        int *words = (int *)(void *)(pixels + i);
        if (colours == TEXTURED) {
            texel = _mm256_maskload_epi32((const int *)(const void *)(texels + i), mask);
        }
        const __m256i dst = blending == OPAQUE ? texel : _mm256_maskload_epi32(words, mask);
        _mm256_maskstore_epi32(words, mask,
                               shaded(ramp, at, dst, texel, colours, blending, clamped));
    }
}

BASE_INLINE void shade_chunk(const struct planes *planes, int x, int y, size_t from,
                             const uint32_t *texels, uint32_t *pixels, size_t count,
                             enum colours colours, enum blending blending)
{
    const __m128 start = values_at(planes, x, y);
    const struct ramp ramp = {broadcast(start), planes->steps};
    if (within_range(start, planes->step, from + count)) {
        shade_pixels(&ramp, from, texels, pixels, count, colours, blending, false);
    } else {
        shade_pixels(&ramp, from, texels, pixels, count, colours, blending, true);
    }
}

/* The numbers 0..263. */
#define EIGHT(n) n, (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7
#define SIXTY_FOUR(n)                                                                              \
    EIGHT(n), EIGHT(n + 8), EIGHT(n + 16), EIGHT(n + 24), EIGHT(n + 32), EIGHT(n + 40),            \
        EIGHT(n + 48), EIGHT(n + 56)
static const float counting[REND_SPAN_CHUNK + 8] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128),
                                                    SIXTY_FOUR(192), EIGHT(256)};

/* Rows are drawn together in blocks of this size. */
enum { BLOCK = 64 };

/* Pixels of a row: one at least, and a chunk at most. */
struct piece {
    uint32_t *pixels;
    const float *start; /* of BLOCK each: the four values, and the length */
    int64_t length;
};

struct block {
    alignas(16) float start[REND_SPAN_VALUES + 1][BLOCK];
    alignas(16) int32_t length[BLOCK]; /* 0: nothing */
    struct piece pieces[BLOCK + 2];    /* the last ones are read only */
    int vectors;                       /* that all pieces take */
    int outside;                       /* not 0: some value may leave 0..255 */
};

/* Whether sums of what the planes give can be compared: nothing is NaN then. */
BASE_INLINE bool tame(const struct planes *planes)
{
    const __m256d sign = _mm256_set1_pd(-0.0);
    const __m256d most = _mm256_add_pd(_mm256_andnot_pd(sign, planes->at),
                                       _mm256_add_pd(_mm256_andnot_pd(sign, planes->per_x),
                                                     _mm256_andnot_pd(sign, planes->per_y)));
    return _mm256_movemask_pd(_mm256_cmp_pd(most, _mm256_set1_pd(1e30), _CMP_LT_OQ)) == 15;
}

/* Four runs; none of those beyond count. */
struct four_runs {
    __m128i first;
    __m128i length;
};

BASE_INLINE struct four_runs four_runs(const struct rend_run *runs, size_t count)
{
    const __m256i mask = mask_of(2 * (count < 4 ? count : 4));
    const __m256 words =
        _mm256_castsi256_ps(_mm256_maskload_epi32((const int *)(const void *)runs, mask));
    const __m128 low = _mm256_castps256_ps128(words);
    const __m128 high = _mm256_extractf128_ps(words, 1);
    const __m128i first = _mm_castps_si128(_mm_shuffle_ps(low, high, 0x88));
    const __m128i end = _mm_castps_si128(_mm_shuffle_ps(low, high, 0xDD));
    return (struct four_runs){first, _mm_max_epi32(_mm_sub_epi32(end, first), _mm_setzero_si128())};
}

/* Where the values of four runs begin. Returns which leave 0..255. */
BASE_INLINE __m128 start_four(struct block *block, size_t i, const struct rend_shade *shade,
                              const struct four_runs *four, __m256d y)
{
    const __m256d x = _mm256_cvtepi32_pd(four->first);
    const __m128 last = _mm_cvtepi32_ps(_mm_sub_epi32(four->length, _mm_set1_epi32(1)));
    __m128 low = _mm_setzero_ps();
    __m128 high = _mm_set1_ps(255.0f);
    for (int k = 0; k < REND_SPAN_VALUES; k++) {
        const __m256d across = _mm256_mul_pd(x, _mm256_set1_pd(shade->per_x[k]));
        const __m256d down = _mm256_mul_pd(y, _mm256_set1_pd(shade->per_y[k]));
        const __m128 start = _mm256_cvtpd_ps(
            _mm256_add_pd(_mm256_add_pd(_mm256_set1_pd(shade->at[k]), across), down));
        const __m128 step = _mm_set1_ps((float)shade->per_x[k]);
        const __m128 end = _mm_add_ps(start, _mm_mul_ps(last, step));
        _mm_store_ps(block->start[k] + i, start);
        low = _mm_min_ps(low, _mm_min_ps(start, end));
        high = _mm_max_ps(high, _mm_max_ps(start, end));
    }
    return _mm_or_ps(_mm_cmplt_ps(low, _mm_setzero_ps()), _mm_cmpgt_ps(high, _mm_set1_ps(255.0f)));
}

/* Up to BLOCK rows. Returns false if there is a run longer than a chunk. */
BASE_INLINE bool start_block(struct block *block, const struct rend_shade *shade, int y,
                             const struct rend_run *runs, size_t count)
{
    const __m128i chunk = _mm_set1_epi32(REND_SPAN_CHUNK);
    __m256d row = _mm256_add_pd(_mm256_set1_pd(y), _mm256_setr_pd(0, 1, 2, 3));
    __m128i vectors = _mm_setzero_si128();
    __m128i longer = _mm_setzero_si128();
    __m128 outside = _mm_setzero_ps();
    for (size_t i = 0; i < count; i += 4) {
        const struct four_runs four = four_runs(runs + i, count - i);
        const __m128 leaving = start_four(block, i, shade, &four, row);
        const __m128 empty = _mm_castsi128_ps(_mm_cmpeq_epi32(four.length, _mm_setzero_si128()));
        outside = _mm_or_ps(outside, _mm_andnot_ps(empty, leaving));
        longer = _mm_or_si128(longer, _mm_cmpgt_epi32(four.length, chunk));
        vectors = _mm_add_epi32(vectors,
                                _mm_srli_epi32(_mm_add_epi32(four.length, _mm_set1_epi32(7)), 3));
        _mm_store_si128((__m128i *)(void *)(block->length + i), four.length);
        _mm_store_ps(block->start[REND_SPAN_VALUES] + i, _mm_cvtepi32_ps(four.length));
        row = _mm256_add_pd(row, _mm256_set1_pd(4));
    }
    vectors = _mm_add_epi32(vectors, _mm_shuffle_epi32(vectors, 0x4E));
    block->vectors = _mm_cvtsi128_si32(_mm_add_epi32(vectors, _mm_shuffle_epi32(vectors, 0xB1)));
    block->outside = _mm_movemask_ps(outside);
    return _mm_movemask_epi8(longer) == 0;
}

/* A row without pixels is overwritten by the next. */
BASE_INLINE void list_pieces(struct block *block, const struct rend_run *runs, size_t count,
                             uint32_t *pixels, size_t stride)
{
    struct piece *piece = block->pieces;
    for (size_t i = 0; i < count; i++) {
        const int64_t length = block->length[i];
        *piece = (struct piece){pixels + runs[i].first, block->start[0] + i, length};
        piece += length > 0;
        pixels += stride;
    }
    piece[0].length = 0;
    piece[1].length = 0;
}

BASE_INLINE struct ramp ramp_of(const float *start, const struct values *steps)
{
    return (struct ramp){{_mm256_broadcast_ss(start + REND_SPAN_BLUE * BLOCK),
                          _mm256_broadcast_ss(start + REND_SPAN_GREEN * BLOCK),
                          _mm256_broadcast_ss(start + REND_SPAN_RED * BLOCK),
                          _mm256_broadcast_ss(start + REND_SPAN_ALPHA * BLOCK)},
                         *steps};
}

/* All pieces in one loop, whose way does not depend on how short each of them is. */
BASE_INLINE void shade_pieces(const struct block *block, const struct values *steps,
                              enum colours colours, enum blending blending, bool clamped)
{
    const struct piece *piece = block->pieces;
    int64_t length = piece->length;
    int64_t i = 0;
    for (int vector = block->vectors; vector > 0; vector--) {
        const struct ramp ramp = ramp_of(piece->start, steps);
        const __m256 at = _mm256_loadu_ps(counting + i);
        const __m256 stop = _mm256_broadcast_ss(piece->start + REND_SPAN_VALUES * BLOCK);
        const __m256i inside = _mm256_castps_si256(_mm256_cmp_ps(at, stop, _CMP_LT_OQ));
        uint32_t *pixels = piece->pixels + i;
        const __m256i dst = load(pixels);
        const __m256i drawn = shaded(&ramp, at, dst, dst, colours, blending, clamped);
        store(pixels, _mm256_blendv_epi8(dst, drawn, inside));
        i += 8;
        const int64_t next = piece[1].length;
        const int64_t more = (i - length) >> 63;
        i &= more;
        length = next ^ ((length ^ next) & more);
        piece += 1 + more;
    }
}

BASE_INLINE void shade_long_rows(const struct planes *planes, int y, const struct rend_run *runs,
                                 size_t count, uint32_t *pixels, size_t stride,
                                 enum colours colours, enum blending blending)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t *row = pixels + i * stride;
        const int end = runs[i].end;
        for (int x = runs[i].first; x < end; x += REND_SPAN_CHUNK) {
            const int rest = end - x;
            shade_chunk(planes, x, y + (int)i, 0, NULL, row + x,
                        (size_t)(rest < REND_SPAN_CHUNK ? rest : REND_SPAN_CHUNK), colours,
                        blending);
        }
    }
}

BASE_INLINE void shade_rows(const struct rend_shade *shade, int y, const struct rend_run *runs,
                            size_t count, uint32_t *pixels, size_t stride, enum colours colours,
                            enum blending blending)
{
    const struct planes planes = planes_of(shade);
    const bool all_tame = tame(&planes);
    for (size_t i = 0; i < count; i += BLOCK) {
        const size_t rows = count - i < BLOCK ? count - i : BLOCK;
        uint32_t *first = pixels + i * stride;
        struct block block;
        if (!start_block(&block, shade, y + (int)i, runs + i, rows)) {
            shade_long_rows(&planes, y + (int)i, runs + i, rows, first, stride, colours, blending);
            continue;
        }
        list_pieces(&block, runs + i, rows, first, stride);
        if (block.outside == 0 && all_tame) {
            shade_pieces(&block, &planes.steps, colours, blending, false);
        } else {
            shade_pieces(&block, &planes.steps, colours, blending, true);
        }
    }
}

static bool constant(const struct rend_shade *shade, int first, int end)
{
    bool same = true;
    for (int k = first; k < end; k++) {
        same = same && shade->per_x[k] == 0 && shade->per_y[k] == 0;
    }
    return same;
}

static bool flat(const struct rend_shade *shade)
{
    return constant(shade, REND_SPAN_BLUE, REND_SPAN_ALPHA);
}

static enum blending blending_of(const struct rend_shade *shade)
{
    if (shade->blend == REND_BLEND_ADDITIVE) {
        return ADDED;
    }
    return constant(shade, REND_SPAN_ALPHA, REND_SPAN_VALUES) && shade->at[REND_SPAN_ALPHA] == 255
               ? OPAQUE
               : BLENDED;
}

static void fill(uint32_t *pixels, uint32_t colour, size_t count)
{
    const __m256i words = _mm256_set1_epi32((int)colour);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        store(pixels + i, words);
    }
    _mm256_maskstore_epi32((int *)(void *)(pixels + i), mask_of(count - i), words);
}

static void fill_rows(const struct rend_shade *shade, int y, const struct rend_run *runs,
                      size_t count, uint32_t *pixels, size_t stride)
{
    uint32_t colour = 0;
    rend_span_kernels_plain.rows(shade, y, &(struct rend_run){0, 1}, 1, &colour, 0);
    for (size_t i = 0; i < count; i++) {
        if (runs[i].end > runs[i].first) {
            fill(pixels + i * stride + runs[i].first, colour,
                 (size_t)(runs[i].end - runs[i].first));
        }
    }
}

static void rows_avx2(const struct rend_shade *shade, int y, const struct rend_run *runs,
                      size_t count, uint32_t *pixels, size_t stride)
{
    switch (blending_of(shade)) {
    case OPAQUE:
        if (flat(shade)) {
            fill_rows(shade, y, runs, count, pixels, stride);
        } else {
            shade_rows(shade, y, runs, count, pixels, stride, VARIED, OPAQUE);
        }
        break;
    case BLENDED:
        if (flat(shade)) {
            shade_rows(shade, y, runs, count, pixels, stride, FLAT, BLENDED);
        } else {
            shade_rows(shade, y, runs, count, pixels, stride, VARIED, BLENDED);
        }
        break;
    case ADDED:
        if (flat(shade)) {
            shade_rows(shade, y, runs, count, pixels, stride, FLAT, ADDED);
        } else {
            shade_rows(shade, y, runs, count, pixels, stride, VARIED, ADDED);
        }
        break;
    }
}

static void shade_parts(const struct rend_shade *shade, int y, const struct rend_run *runs,
                        const struct rend_run *parts, size_t count, uint32_t *pixels, size_t stride)
{
    const struct planes planes = planes_of(shade);
    for (size_t i = 0; i < count; i++) {
        uint32_t *row = pixels + i * stride;
        for (int x = parts[i].first; x < parts[i].end;) {
            const struct rend_chunk chunk = rend_chunk_at(runs[i], x);
            const int end = chunk.end < parts[i].end ? chunk.end : parts[i].end;
            shade_chunk(&planes, chunk.x, y + (int)i, (size_t)(x - chunk.x), NULL, row + x,
                        (size_t)(end - x), VARIED, OPAQUE);
            x = end;
        }
    }
}

static void parts_avx2(const struct rend_shade *shade, int y, const struct rend_run *runs,
                       const struct rend_run *parts, size_t count, uint32_t *pixels, size_t stride)
{
    if (flat(shade)) {
        fill_rows(shade, y, parts, count, pixels, stride);
    } else {
        shade_parts(shade, y, runs, parts, count, pixels, stride);
    }
}

/* White that covers: the texels as they are. */
static bool plain_white(const struct rend_shade *shade)
{
    return flat(shade) && shade->at[REND_SPAN_BLUE] == 255 && shade->at[REND_SPAN_GREEN] == 255 &&
           shade->at[REND_SPAN_RED] == 255;
}

static void textured_avx2(const struct rend_shade *shade, int x, int y, size_t from,
                          const uint32_t *texels, uint32_t *pixels, size_t count)
{
    const enum blending blending = blending_of(shade);
    if (count == 0) {
        return;
    }
    if (blending == OPAQUE && plain_white(shade)) {
        memcpy(pixels, texels, count * sizeof *pixels);
        return;
    }
    const struct planes planes = planes_of(shade);
    if (blending == OPAQUE) {
        shade_chunk(&planes, x, y, from, texels, pixels, count, TEXTURED, OPAQUE);
    } else if (blending == BLENDED) {
        shade_chunk(&planes, x, y, from, texels, pixels, count, TEXTURED, BLENDED);
    } else {
        shade_chunk(&planes, x, y, from, texels, pixels, count, TEXTURED, ADDED);
    }
}

/* p of four rows. */
BASE_INLINE __m128i four_crossings(const struct rend_edge *edge, __m256d centre, __m256d limit)
{
    const __m256d down = _mm256_sub_pd(centre, _mm256_set1_pd(edge->y));
    const __m256d x =
        _mm256_add_pd(_mm256_set1_pd(edge->x), _mm256_mul_pd(down, _mm256_set1_pd(edge->slope)));
    const __m256d first = _mm256_ceil_pd(_mm256_sub_pd(x, _mm256_set1_pd(0.5)));
    const __m256d bounded = _mm256_min_pd(_mm256_max_pd(first, _mm256_setzero_pd()), limit);
    return _mm256_cvttpd_epi32(bounded);
}

/* The same, twice each. */
BASE_INLINE __m256i crossings(const struct rend_edge *edge, __m256d centre, __m256d limit)
{
    const __m256i words = _mm256_castsi128_si256(four_crossings(edge, centre, limit));
    return _mm256_permutevar8x32_epi32(words, _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3));
}

static void widen_avx2(const struct rend_edge *edge, int y, int width, struct rend_run *runs,
                       size_t count)
{
    const __m256d limit = _mm256_set1_pd(width);
    __m256d centre = _mm256_add_pd(_mm256_set1_pd(y), _mm256_setr_pd(0.5, 1.5, 2.5, 3.5));
    for (size_t i = 0; i < count; i += 4) {
        const __m256i p = crossings(edge, centre, limit);
        const __m256i mask = mask_of(2 * (count - i < 4 ? count - i : 4));
        int *words = (int *)(void *)(runs + i);
        const __m256i old = _mm256_maskload_epi32(words, mask);
        const __m256i wide =
            _mm256_blend_epi32(_mm256_min_epi32(p, old), _mm256_max_epi32(p, old), 0xAA);
        _mm256_maskstore_epi32(words, mask, wide);
        centre = _mm256_add_pd(centre, _mm256_set1_pd(4.0));
    }
}

/* The ends of runs of four rows. */
struct ends {
    __m128i first;
    __m128i end;
};

/* Widens them to a side in those rows that it crosses. */
BASE_INLINE struct ends widened(struct ends ends, const struct rend_side *side, __m128i row,
                                __m256d centre, __m256d limit)
{
    const __m128i crossed = _mm_andnot_si128(_mm_cmpgt_epi32(_mm_set1_epi32(side->first), row),
                                             _mm_cmpgt_epi32(_mm_set1_epi32(side->end), row));
    const __m128i p = four_crossings(&side->edge, centre, limit);
    const __m128i low = _mm_blendv_epi8(ends.first, p, crossed);
    return (struct ends){_mm_min_epi32(ends.first, low),
                         _mm_max_epi32(ends.end, _mm_and_si128(p, crossed))};
}

static int triangle_avx2(const struct rend_side sides[3], int y, int width, struct rend_run *runs,
                         size_t count)
{
    const __m256d limit = _mm256_set1_pd(width);
    const __m128i stop = _mm_set1_epi32(y + (int)count);
    __m256d centre = _mm256_add_pd(_mm256_set1_pd(y), _mm256_setr_pd(0.5, 1.5, 2.5, 3.5));
    __m128i row = _mm_add_epi32(_mm_set1_epi32(y), _mm_setr_epi32(0, 1, 2, 3));
    __m128i pixels = _mm_setzero_si128();
    for (size_t i = 0; i < count; i += 4) {
        struct ends ends = {_mm_set1_epi32(width), _mm_setzero_si128()};
        const int top = y + (int)i;
        for (int k = 0; k < 3; k++) {
            if (sides[k].first < top + 4 && sides[k].end > top) {
                ends = widened(ends, &sides[k], row, centre, limit);
            }
        }
        const __m128i length =
            _mm_max_epi32(_mm_sub_epi32(ends.end, ends.first), _mm_setzero_si128());
        pixels = _mm_add_epi32(pixels, _mm_and_si128(length, _mm_cmpgt_epi32(stop, row)));
        __m128i *words = (__m128i *)(void *)(runs + i);
        _mm_storeu_si128(words, _mm_unpacklo_epi32(ends.first, ends.end));
        _mm_storeu_si128(words + 1, _mm_unpackhi_epi32(ends.first, ends.end));
        centre = _mm256_add_pd(centre, _mm256_set1_pd(4.0));
        row = _mm_add_epi32(row, _mm_set1_epi32(4));
    }
    pixels = _mm_add_epi32(pixels, _mm_shuffle_epi32(pixels, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(pixels, _mm_shuffle_epi32(pixels, 0xB1)));
}

/* Sixteen channels: round(x / 255), 128 added already. */
BASE_INLINE __m256i divided(__m256i x)
{
    return _mm256_srli_epi16(_mm256_add_epi16(x, _mm256_srli_epi16(x, 8)), 8);
}

/* A tint for eight pixels. */
struct tint {
    __m256i source; /* additive: by bytes; else by 16-bit channels */
    __m256i rest;
};

BASE_INLINE struct tint tint_of(const struct rend_tint *tint)
{
    const uint64_t s = tint->source;
    const uint64_t ordered = (s & 0xFFFF) | (s >> 32 & 0xFFFF) << 16 | (s >> 16 & 0xFFFF) << 32;
    return (struct tint){tint->additive ? _mm256_set1_epi32((int)rend_gathered(s))
                                        : _mm256_set1_epi64x((long long)ordered),
                         _mm256_set1_epi16((short)tint->rest)};
}

BASE_INLINE __m256i tinted(const struct tint *tint, __m256i dst, bool additive)
{
    const __m256i zero = _mm256_setzero_si256();
    if (additive) {
        return _mm256_adds_epu8(dst, tint->source);
    }
    const __m256i low = _mm256_mullo_epi16(_mm256_unpacklo_epi8(dst, zero), tint->rest);
    const __m256i high = _mm256_mullo_epi16(_mm256_unpackhi_epi8(dst, zero), tint->rest);
    return _mm256_packus_epi16(divided(_mm256_add_epi16(low, tint->source)),
                               divided(_mm256_add_epi16(high, tint->source)));
}

BASE_INLINE void tint_pixels(const struct rend_tint *tint, uint32_t *pixels, size_t count,
                             bool additive)
{
    const struct tint eight = tint_of(tint);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        store(pixels + i, tinted(&eight, load(pixels + i), additive));
    }
    for (; i < count; i++) {
        pixels[i] = rend_tinted(pixels[i], tint);
    }
}

/* The whole part of minor at four places. */
BASE_INLINE __m128i minors(const struct rend_stroke *stroke, __m256d centre)
{
    const __m256d along = _mm256_sub_pd(centre, _mm256_set1_pd(stroke->major));
    return _mm256_cvttpd_epi32(_mm256_add_pd(_mm256_set1_pd(stroke->minor),
                                             _mm256_mul_pd(along, _mm256_set1_pd(stroke->slope))));
}

BASE_INLINE __m256i stroke_places(const struct rend_stroke *stroke, int major)
{
    const __m256d centre = _mm256_add_pd(_mm256_set1_pd(major), _mm256_setr_pd(0.5, 1.5, 2.5, 3.5));
    const __m256i minor = _mm256_set_m128i(minors(stroke, _mm256_add_pd(centre, _mm256_set1_pd(4))),
                                           minors(stroke, centre));
    const __m256i majors =
        _mm256_add_epi32(_mm256_set1_epi32(major), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    return _mm256_add_epi32(_mm256_mullo_epi32(majors, _mm256_set1_epi32(stroke->major_step)),
                            _mm256_mullo_epi32(minor, _mm256_set1_epi32(stroke->minor_step)));
}

BASE_INLINE void stroke_pixels(const struct rend_stroke *stroke, const struct rend_tint *tint,
                               uint32_t *pixels, bool additive)
{
    const struct tint eight = tint_of(tint);
    int major = stroke->first;
    for (; major + 8 <= stroke->stop; major += 8) {
        const __m256i places = stroke_places(stroke, major);
        const __m256i dst = _mm256_i32gather_epi32((const int *)(const void *)pixels, places, 4);
        uint32_t at[8];
        uint32_t drawn[8];
        store(at, places);
        store(drawn, tinted(&eight, dst, additive));
        for (int i = 0; i < 8; i++) {
            pixels[at[i]] = drawn[i];
        }
    }
    for (; major < stroke->stop; major++) {
        uint32_t *pixel = pixels + rend_stroke_at(stroke, major);
        *pixel = rend_tinted(*pixel, tint);
    }
}

static void stroke_avx2(const struct rend_stroke *stroke, const struct rend_tint *tint,
                        uint32_t *pixels)
{
    if (tint->additive) {
        stroke_pixels(stroke, tint, pixels, true);
    } else {
        stroke_pixels(stroke, tint, pixels, false);
    }
}

static void tint_avx2(uint32_t colour, unsigned alpha, enum rend_blend blend, uint32_t *pixels,
                      size_t count)
{
    const struct rend_tint tint = rend_tint_of(colour, alpha, blend);
    if (blend == REND_BLEND_ADDITIVE) {
        tint_pixels(&tint, pixels, count, true);
    } else if (alpha == 255) {
        fill(pixels, colour, count);
    } else {
        tint_pixels(&tint, pixels, count, false);
    }
}

const struct rend_span_kernels rend_span_kernels_avx2 = {
    textured_avx2, rows_avx2, parts_avx2, widen_avx2, triangle_avx2, stroke_avx2, tint_avx2};
#else
typedef int rend_span_avx2_not_for_this_machine;
#endif
