/* The rows of kernels.h, eight pixels at a time where the file is compiled for AVX2, four for
 * SSE4.1; empty otherwise. Each pixel has a lane of 32 bits. */
#ifndef BOARD_MAPPER_KERNELS_LANES_H
#define BOARD_MAPPER_KERNELS_LANES_H

#if defined(__SSE4_1__)
#include <immintrin.h>
#include <string.h>

#include "board/mapper/kernels.h"

/* V(add_epi32) and BITS(and) are the intrinsics of this width. */
#if defined(__AVX2__)
#define VECTOR   __m256i
#define V(name)  _mm256_##name
#define BITS(op) _mm256_##op##_si256
enum { LANES = 8 };
#else
#define VECTOR   __m128i
#define V(name)  _mm_##name
#define BITS(op) _mm_##op##_si128
enum { LANES = 4 };
#endif

/* Red in the upper, blue in the lower half of a lane; green alone. */
struct lanes_color {
    VECTOR red_blue;
    VECTOR green;
};

static inline VECTOR lanes_all(int32_t value)
{
    return V(set1_epi32)(value);
}

static inline VECTOR lanes_load(const int32_t *values)
{
    VECTOR result;
    memcpy(&result, values, sizeof result);
    return result;
}

#if defined(__AVX2__)
static inline VECTOR lanes_index(void)
{
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}

/* 32 bits from each of the texels. A gather without a mask would wait for what its register held
 * before, and so would one with a mask that the compiler knows to be full. */
static inline VECTOR lanes_fetch(const uint8_t *texels, VECTOR offset, VECTOR full)
{
    return _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)(const void *)texels,
                                       offset, full, 2);
}

static inline VECTOR lanes_widen(__m128i halves)
{
    return _mm256_cvtepu16_epi32(halves);
}

static inline __m128i lanes_narrow(VECTOR lanes)
{
    const __m256i packed = _mm256_packus_epi32(lanes, lanes);
    return _mm256_castsi256_si128(_mm256_permute4x64_epi64(packed, 0x08));
}

static inline unsigned lanes_signs(VECTOR lanes)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(lanes));
}

static inline VECTOR lanes_swap(VECTOR lanes)
{
    return _mm256_shuffle_epi8(lanes, _mm256_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12,
                                                       15, 14, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10,
                                                       13, 12, 15, 14));
}
#else
static inline VECTOR lanes_index(void)
{
    return _mm_setr_epi32(0, 1, 2, 3);
}

static inline VECTOR lanes_fetch(const uint8_t *texels, VECTOR offset, VECTOR full)
{
    (void)full;
    int32_t at[LANES];
    int32_t pair[LANES];
    memcpy(at, &offset, sizeof at);
    for (size_t i = 0; i < LANES; i++) {
        memcpy(&pair[i], texels + 2 * (size_t)at[i], sizeof pair[i]);
    }
    return lanes_load(pair);
}

static inline VECTOR lanes_widen(__m128i halves)
{
    return _mm_cvtepu16_epi32(halves);
}

static inline __m128i lanes_narrow(VECTOR lanes)
{
    return _mm_packus_epi32(lanes, lanes);
}

static inline unsigned lanes_signs(VECTOR lanes)
{
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(lanes));
}

static inline VECTOR lanes_swap(VECTOR lanes)
{
    return _mm_shuffle_epi8(lanes,
                            _mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
}
#endif

/* Big-endian pixels into lanes and back; always reads and writes LANES of them. */
static inline VECTOR lanes_load_pixels(const uint8_t *pixels)
{
    const __m128i swap = _mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    __m128i halves = _mm_setzero_si128();
    memcpy(&halves, pixels, 2 * LANES);
    return lanes_widen(_mm_shuffle_epi8(halves, swap));
}

static inline void lanes_store_pixels(uint8_t *pixels, VECTOR colors)
{
    const __m128i swap = _mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    const __m128i halves = _mm_shuffle_epi8(lanes_narrow(colors), swap);
    memcpy(pixels, &halves, 2 * LANES);
}

/* A line as whole parts in the upper 18 bits of 32, which so wrap by themselves, and fractions
 * beside. Value k of the line is floor((2 * k * d + n - 1) / (2 * n)), or with n instead of n - 1
 * where the difference d is not positive, which is the mirror image. Start and step are at most 1
 * and 2 units of the fraction above the true ones, and never below; 1 / (2 * n) is more than 1024
 * units, so within LINE_MAX values the floor is right. */
enum { WHOLE_SHIFT = 14, LINE_MAX = 512, NARROW_MAX = 32, DISTANCE_MASK = (1 << 17) - 1 };

struct lanes_line {
    int32_t whole;
    int32_t fraction;
    int32_t whole_step;
    int32_t fraction_step;
};

static inline int32_t lanes_wrapped(int64_t value)
{
    return (int32_t)(uint32_t)((uint64_t)value << WHOLE_SHIFT);
}

/* Moves the start of a line with the given rise or fall to value `first`. */
static inline void lanes_line_move(struct lanes_line *line, int64_t from, int64_t rise,
                                   const struct board_mapper_division *width, unsigned first)
{
    const int64_t twice = 2 * (int64_t)width->width;
    const int64_t positive = twice
                             << BOARD_MAPPER_COORDINATE_BITS; /* falls out again of the whole */
    const int64_t along = 2 * (int64_t)first * rise + (int64_t)width->width - (rise > 0) + positive;
    line->whole = lanes_wrapped(from + along / twice);
    line->fraction = (int32_t)((along % twice << BOARD_MAPPER_LINE_BITS) / twice + 1);
}

/* The line from value `first` on. */
static inline struct lanes_line
lanes_line_from(int32_t from, int32_t to, const struct board_mapper_division *width, unsigned first)
{
    const bool rises = to > from;
    const int64_t distance = (rises ? to - from : from - to) & DISTANCE_MASK;
    const int64_t slope = (int64_t)((uint64_t)distance * width->reciprocal >>
                                    (BOARD_MAPPER_WIDTH_BITS - BOARD_MAPPER_LINE_BITS));
    const int64_t step = (rises ? slope : -slope) + 1;
    struct lanes_line line = {
        .whole = lanes_wrapped(from),
        .fraction = rises ? (int32_t)width->start : 1 << (BOARD_MAPPER_LINE_BITS - 1),
        .whole_step = lanes_wrapped(step >> BOARD_MAPPER_LINE_BITS),
        .fraction_step = (int32_t)(step & ((1 << BOARD_MAPPER_LINE_BITS) - 1)),
    };
    if (first != 0) {
        lanes_line_move(&line, from, rises ? distance : -distance, width, first);
    }
    return line;
}

/* start + i * step in lane i */
static inline VECTOR lanes_ramp(int32_t start, int32_t step)
{
    return V(add_epi32)(lanes_all(start), V(mullo_epi32)(lanes_index(), lanes_all(step)));
}

static inline void lanes_line_piece(int32_t *values, struct lanes_line line, unsigned count)
{
    VECTOR whole = lanes_ramp(line.whole, line.whole_step);
    VECTOR fraction = lanes_ramp(line.fraction, line.fraction_step);
    const VECTOR whole_step = V(slli_epi32)(lanes_all(line.whole_step), LANES == 8 ? 3 : 2);
    const VECTOR fraction_step = V(slli_epi32)(lanes_all(line.fraction_step), LANES == 8 ? 3 : 2);
    for (unsigned i = 0; i < count; i += LANES) {
        const VECTOR carried = V(srli_epi32)(fraction, BOARD_MAPPER_LINE_BITS - WHOLE_SHIFT);
        const VECTOR value = V(srai_epi32)(V(add_epi32)(whole, carried), WHOLE_SHIFT);
        memcpy(values + i, &value, sizeof value);
        whole = V(add_epi32)(whole, whole_step);
        fraction = V(add_epi32)(fraction, fraction_step);
    }
}

/* The same with the fraction cut to the bits that are left beside the whole part. Rounded up, start
 * and step are at most 2 units above the true ones, and 1 / (2 * n) is 256 or more: within
 * NARROW_MAX values the floor is right. */
static inline void lanes_line_narrow(int32_t *values, struct lanes_line line, unsigned count)
{
    enum { CUT = BOARD_MAPPER_LINE_BITS - WHOLE_SHIFT, ROUND = (1 << CUT) - 1 };
    const uint32_t start = (uint32_t)line.whole + (uint32_t)((line.fraction + ROUND) >> CUT);
    const uint32_t step =
        (uint32_t)line.whole_step + (uint32_t)((line.fraction_step + ROUND) >> CUT);
    const VECTOR steps = lanes_all((int32_t)(LANES * step));
    VECTOR now = lanes_ramp((int32_t)start, (int32_t)step);
    for (unsigned i = 0; i < count; i += LANES) {
        const VECTOR value = V(srai_epi32)(now, WHOLE_SHIFT);
        memcpy(values + i, &value, sizeof value);
        now = V(add_epi32)(now, steps);
    }
}

static inline void lanes_line(int32_t *values, int32_t from, int32_t to,
                              const struct board_mapper_division *width, unsigned first,
                              unsigned count)
{
    if (width->width <= NARROW_MAX) {
        lanes_line_narrow(values, lanes_line_from(from, to, width, first), count);
        return;
    }
    for (unsigned done = 0; done < count; done += LINE_MAX) {
        const unsigned piece = count - done < LINE_MAX ? count - done : LINE_MAX;
        lanes_line_piece(values + done, lanes_line_from(from, to, width, first + done), piece);
    }
}

/* Masks and clamps. */
static inline VECTOR lanes_place(VECTOR values, int32_t mask, int32_t last)
{
    const VECTOR masked = BITS(and)(values, lanes_all(mask));
    return V(min_epi32)(V(max_epi32)(masked, BITS(setzero)()), lanes_all(last));
}

/* Sums by 2^bits. */
static inline VECTOR lanes_shorten(VECTOR sums, int bits, int32_t odd, int32_t half)
{
    const VECTOR odds = BITS(and)(V(srli_epi32)(sums, bits), lanes_all(odd));
    return V(srli_epi32)(V(add_epi32)(sums, V(add_epi32)(odds, lanes_all(half))), bits);
}

/* Two texels of a lane by their two weights, and those of the row below. */
static inline VECTOR lanes_sum(VECTOR upper, VECTOR lower, VECTOR weights_upper,
                               VECTOR weights_lower)
{
    return V(add_epi32)(V(madd_epi16)(upper, weights_upper), V(madd_epi16)(lower, weights_lower));
}

/* Filters two texels of each row, swapped to the order of the machine. */
static inline struct lanes_color lanes_mean(VECTOR upper, VECTOR lower, VECTOR weights_upper,
                                            VECTOR weights_lower,
                                            const struct board_mapper_sampler *sampler)
{
    const VECTOR five = V(set1_epi16)(31);
    const VECTOR six = V(set1_epi16)(63 << 5);
    const VECTOR red =
        lanes_sum(V(srli_epi16)(upper, 11), V(srli_epi16)(lower, 11), weights_upper, weights_lower);
    const VECTOR green =
        lanes_sum(BITS(and)(upper, six), BITS(and)(lower, six), weights_upper, weights_lower);
    const VECTOR blue =
        lanes_sum(BITS(and)(upper, five), BITS(and)(lower, five), weights_upper, weights_lower);
    const int32_t odd = sampler->odd;
    const int32_t half = sampler->filter_half;
    return (struct lanes_color){
        .red_blue = BITS(or)(V(slli_epi32)(lanes_shorten(red, 12, odd, half), 16),
                             lanes_shorten(blue, 12, odd, half)),
        .green = lanes_shorten(green, 12 + 5, odd, sampler->filter_half_5),
    };
}

static inline struct lanes_color lanes_filter(VECTOR x, VECTOR y,
                                              const struct board_mapper_sampler *sampler)
{
    const VECTOR low = lanes_all(63);
    const VECTOR fx = BITS(and)(x, low);
    const VECTOR fy = BITS(and)(y, low);
    const VECTOR row = V(slli_epi32)(V(srli_epi32)(y, BOARD_MAPPER_FRACTION), 16);
    const VECTOR texel = BITS(or)(V(srli_epi32)(x, BOARD_MAPPER_FRACTION), row);
    const VECTOR offset = V(madd_epi16)(texel, lanes_all(sampler->strides));
    const VECTOR full = V(cmpgt_epi32)(lanes_all(sampler->strides), BITS(setzero)());
    const VECTOR upper = lanes_swap(lanes_fetch(sampler->texels, offset, full));
    const VECTOR lower = lanes_swap(lanes_fetch(sampler->texels_below, offset, full));
    const VECTOR across = BITS(or)(V(slli_epi32)(fx, 16), V(sub_epi32)(lanes_all(64), fx));
    const VECTOR down = BITS(or)(V(slli_epi32)(fy, 16), fy);
    const VECTOR weights_upper = V(mullo_epi16)(across, V(sub_epi16)(V(set1_epi16)(64), down));
    const VECTOR weights_lower = V(mullo_epi16)(across, down);
    return lanes_mean(upper, lower, weights_upper, weights_lower, sampler);
}

static inline VECTOR lanes_joined(struct lanes_color color)
{
    const VECTOR red = V(srli_epi32)(color.red_blue, 5);
    const VECTOR blue = BITS(and)(color.red_blue, lanes_all(31));
    return BITS(or)(BITS(or)(red, blue), V(slli_epi32)(color.green, 5));
}

static inline struct lanes_color lanes_split(VECTOR pixels)
{
    const VECTOR red = V(slli_epi32)(V(srli_epi32)(pixels, 11), 16);
    return (struct lanes_color){
        .red_blue = BITS(or)(red, BITS(and)(pixels, lanes_all(31))),
        .green = BITS(and)(V(srli_epi32)(pixels, 5), lanes_all(63)),
    };
}

/* A lane has two components of 16 bits, or one; so do factors. */
static inline VECTOR lanes_both(int32_t value)
{
    return lanes_all(value << 16 | value);
}

static inline VECTOR lanes_dim(VECTOR components, const struct board_mapper_sampler *sampler)
{
    const VECTOR factor = lanes_both(sampler->brightness);
    return V(srli_epi16)(V(mullo_epi16)(components, factor), BOARD_MAPPER_FRACTION);
}

static inline VECTOR lanes_blend(VECTOR components, VECTOR below, int32_t max,
                                 const struct board_mapper_sampler *sampler)
{
    const VECTOR sum = V(add_epi16)(V(mullo_epi16)(components, lanes_both(sampler->weight)),
                                    V(mullo_epi16)(below, lanes_both(sampler->weight_kept)));
    const VECTOR odd =
        BITS(and)(V(srli_epi16)(sum, BOARD_MAPPER_FRACTION), lanes_both(sampler->odd));
    const VECTOR more = V(add_epi16)(odd, lanes_both(sampler->blend_half));
    const VECTOR result = V(srli_epi16)(V(add_epi16)(sum, more), BOARD_MAPPER_FRACTION);
    return V(min_epi16)(result, lanes_both(max));
}

static inline struct lanes_color lanes_finish(struct lanes_color color, const uint8_t *target,
                                              const struct board_mapper_sampler *sampler)
{
    struct lanes_color result = {lanes_dim(color.red_blue, sampler),
                                 lanes_dim(color.green, sampler)};
    if (sampler->blends) {
        const struct lanes_color below = lanes_split(lanes_load_pixels(target));
        result.red_blue = lanes_blend(result.red_blue, below.red_blue, 31, sampler);
        result.green = lanes_blend(result.green, below.green, 63, sampler);
    }
    return result;
}

/* The first count of LANES pixels. */
static inline void lanes_store_some(uint8_t *target, VECTOR colors, unsigned count)
{
    uint8_t pixels[2 * LANES];
    lanes_store_pixels(pixels, colors);
    memcpy(target, pixels, 2 * (size_t)count);
}

/* Filtered pixels that nothing else happens to. */
static inline void lanes_draw_filtered(uint8_t *target, const int32_t *x, const int32_t *y,
                                       unsigned count, const struct board_mapper_sampler *sampler)
{
    for (unsigned i = 0; i < count; i += LANES) {
        const struct lanes_color color =
            lanes_filter(lanes_place(lanes_load(x + i), sampler->mask_x, sampler->last_x),
                         lanes_place(lanes_load(y + i), sampler->mask_y, sampler->last_y), sampler);
        if (count - i >= LANES) {
            lanes_store_pixels(target + 2 * (size_t)i, lanes_joined(color));
        } else {
            lanes_store_some(target + 2 * (size_t)i, lanes_joined(color), count - i);
        }
    }
}

/* Puts back what the target has where pixels are of the key's colour. Returns a bit for each pixel
 * that is drawn. */
static inline unsigned lanes_drop(VECTOR *colors, VECTOR filtered, const uint8_t *target,
                                  int32_t key)
{
    const VECTOR dropped = V(cmpeq_epi32)(filtered, lanes_all(key));
    *colors = V(blendv_epi8)(*colors, lanes_load_pixels(target), dropped);
    return ~lanes_signs(dropped) & ((1u << LANES) - 1);
}

static inline void lanes_note(uint8_t *drawn, unsigned first, unsigned bits)
{
    uint8_t *byte = &drawn[first / 8];
    *byte = (uint8_t)(first % 8 == 0 ? bits : *byte | bits << first % 8);
}

static inline void lanes_draw_any(uint8_t *target, const int32_t *x, const int32_t *y,
                                  unsigned count, const struct board_mapper_sampler *sampler,
                                  uint8_t *drawn)
{
    for (unsigned i = 0; i < count; i += LANES) {
        uint8_t *at = target + 2 * (size_t)i;
        const unsigned rest = count - i < LANES ? count - i : LANES;
        const struct lanes_color color =
            lanes_filter(lanes_place(lanes_load(x + i), sampler->mask_x, sampler->last_x),
                         lanes_place(lanes_load(y + i), sampler->mask_y, sampler->last_y), sampler);
        VECTOR pixels = lanes_joined(lanes_finish(color, at, sampler));
        if (sampler->keyed) {
            const unsigned bits = lanes_drop(&pixels, lanes_joined(color), at, sampler->key);
            lanes_note(drawn, i, bits & ((1u << rest) - 1));
        }
        if (rest == LANES) {
            lanes_store_pixels(at, pixels);
        } else {
            lanes_store_some(at, pixels, rest);
        }
    }
}

static inline void lanes_draw(uint8_t *target, const int32_t *x, const int32_t *y, unsigned count,
                              const struct board_mapper_sampler *sampler, uint8_t *drawn)
{
    if (!sampler->keyed && !sampler->blends && sampler->brightness == 1 << BOARD_MAPPER_FRACTION) {
        lanes_draw_filtered(target, x, y, count, sampler);
    } else {
        lanes_draw_any(target, x, y, count, sampler, drawn);
    }
}
#endif

#endif
