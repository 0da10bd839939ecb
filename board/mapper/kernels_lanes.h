/* The rows of kernels.h over the vectors of base/simd.h; empty without them. Each pixel has a lane
 * of 32 bits. */
#ifndef BOARD_MAPPER_KERNELS_LANES_H
#define BOARD_MAPPER_KERNELS_LANES_H

#include "base/simd.h"

#if defined(BASE_SIMD)
#include <string.h>

#include "board/mapper/kernels.h"

/* Red in the upper, blue in the lower half of a lane; green alone. */
struct lanes_color {
    simd_words red_blue;
    simd_words green;
};

static inline simd_words lanes_load(const int32_t *values)
{
    simd_words result;
    memcpy(&result, values, sizeof result);
    return result;
}

#if defined(__AVX2__)
/* 32 bits from each of the texels. A gather without a mask would wait for what its register held
 * before, and so would one with a mask that the compiler knows to be full. */
static inline simd_words lanes_fetch(const uint8_t *texels, simd_words offset, simd_words full)
{
    return _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)(const void *)texels,
                                       offset, full, 2);
}

static inline simd_words lanes_widen(simd_quarter halves)
{
    return _mm256_cvtepu16_epi32(halves);
}

static inline simd_quarter lanes_narrow(simd_words lanes)
{
    const __m256i packed = _mm256_packus_epi32(lanes, lanes);
    return _mm256_castsi256_si128(_mm256_permute4x64_epi64(packed, 0x08));
}

#else
static inline simd_words lanes_fetch(const uint8_t *texels, simd_words offset, simd_words full)
{
    (void)full;
    int32_t at[SIMD_LANES];
    int32_t pair[SIMD_LANES];
    memcpy(at, &offset, sizeof at);
    for (size_t i = 0; i < SIMD_LANES; i++) {
        memcpy(&pair[i], texels + 2 * (size_t)at[i], sizeof pair[i]);
    }
    return lanes_load(pair);
}

static inline simd_words lanes_widen(simd_quarter halves)
{
    return SIMD(cvtepu16_epi32)(halves);
}

static inline simd_quarter lanes_narrow(simd_words lanes)
{
    return SIMD(packus_epi32)(lanes, lanes);
}
#endif

static inline simd_words lanes_swap(simd_words lanes)
{
    return SIMD(shuffle_epi8)(lanes,
                              SIMD_BYTES(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
}

static inline simd_quarter lanes_swap_halves(simd_quarter halves)
{
    const simd_quarter swap =
        (simd_quarter)(simd_quarter_bytes){1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14};
    return SIMD_QUARTER(shuffle_epi8)(halves, swap);
}

/* Big-endian pixels into lanes and back; always reads and writes SIMD_LANES of them. */
static inline simd_words lanes_load_pixels(const uint8_t *pixels)
{
    simd_quarter halves = {0};
    memcpy(&halves, pixels, 2 * SIMD_LANES);
    return lanes_widen(lanes_swap_halves(halves));
}

static inline void lanes_store_pixels(uint8_t *pixels, simd_words colors)
{
    const simd_quarter halves = lanes_swap_halves(lanes_narrow(colors));
    memcpy(pixels, &halves, 2 * SIMD_LANES);
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
static inline simd_words lanes_ramp(int32_t start, int32_t step)
{
    return SIMD(add_epi32)(SIMD(set1_epi32)(start),
                           SIMD(mullo_epi32)(simd_words_in_order(), SIMD(set1_epi32)(step)));
}

static inline void lanes_line_piece(int32_t *values, struct lanes_line line, unsigned count)
{
    simd_words whole = lanes_ramp(line.whole, line.whole_step);
    simd_words fraction = lanes_ramp(line.fraction, line.fraction_step);
    const simd_words whole_step =
        SIMD(slli_epi32)(SIMD(set1_epi32)(line.whole_step), SIMD_LANES == 8 ? 3 : 2);
    const simd_words fraction_step =
        SIMD(slli_epi32)(SIMD(set1_epi32)(line.fraction_step), SIMD_LANES == 8 ? 3 : 2);
    for (unsigned i = 0; i < count; i += SIMD_LANES) {
        const simd_words carried = SIMD(srli_epi32)(fraction, BOARD_MAPPER_LINE_BITS - WHOLE_SHIFT);
        const simd_words value = SIMD(srai_epi32)(SIMD(add_epi32)(whole, carried), WHOLE_SHIFT);
        memcpy(values + i, &value, sizeof value);
        whole = SIMD(add_epi32)(whole, whole_step);
        fraction = SIMD(add_epi32)(fraction, fraction_step);
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
    const simd_words steps = SIMD(set1_epi32)((int32_t)(SIMD_LANES * step));
    simd_words now = lanes_ramp((int32_t)start, (int32_t)step);
    for (unsigned i = 0; i < count; i += SIMD_LANES) {
        const simd_words value = SIMD(srai_epi32)(now, WHOLE_SHIFT);
        memcpy(values + i, &value, sizeof value);
        now = SIMD(add_epi32)(now, steps);
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
static inline simd_words lanes_place(simd_words values, int32_t mask, int32_t last)
{
    const simd_words masked = simd_and(values, SIMD(set1_epi32)(mask));
    return SIMD(min_epi32)(SIMD(max_epi32)(masked, simd_all_words(0)), SIMD(set1_epi32)(last));
}

/* Sums by 2^bits. */
static inline simd_words lanes_shorten(simd_words sums, int bits, int32_t odd, int32_t half)
{
    const simd_words odds = simd_and(SIMD(srli_epi32)(sums, bits), SIMD(set1_epi32)(odd));
    return SIMD(srli_epi32)(SIMD(add_epi32)(sums, SIMD(add_epi32)(odds, SIMD(set1_epi32)(half))),
                            bits);
}

/* Two texels of a lane by their two weights, and those of the row below. */
static inline simd_words lanes_sum(simd_words upper, simd_words lower, simd_words weights_upper,
                                   simd_words weights_lower)
{
    return SIMD(add_epi32)(SIMD(madd_epi16)(upper, weights_upper),
                           SIMD(madd_epi16)(lower, weights_lower));
}

/* Filters two texels of each row, swapped to the order of the machine. */
static inline struct lanes_color lanes_mean(simd_words upper, simd_words lower,
                                            simd_words weights_upper, simd_words weights_lower,
                                            const struct board_mapper_sampler *sampler)
{
    const simd_words five = SIMD(set1_epi16)(31);
    const simd_words six = SIMD(set1_epi16)(63 << 5);
    const simd_words red = lanes_sum(SIMD(srli_epi16)(upper, 11), SIMD(srli_epi16)(lower, 11),
                                     weights_upper, weights_lower);
    const simd_words green =
        lanes_sum(simd_and(upper, six), simd_and(lower, six), weights_upper, weights_lower);
    const simd_words blue =
        lanes_sum(simd_and(upper, five), simd_and(lower, five), weights_upper, weights_lower);
    const int32_t odd = sampler->odd;
    const int32_t half = sampler->filter_half;
    return (struct lanes_color){
        .red_blue = simd_or(SIMD(slli_epi32)(lanes_shorten(red, 12, odd, half), 16),
                            lanes_shorten(blue, 12, odd, half)),
        .green = lanes_shorten(green, 12 + 5, odd, sampler->filter_half_5),
    };
}

static inline struct lanes_color lanes_filter(simd_words x, simd_words y,
                                              const struct board_mapper_sampler *sampler)
{
    const simd_words low = SIMD(set1_epi32)(63);
    const simd_words fx = simd_and(x, low);
    const simd_words fy = simd_and(y, low);
    const simd_words row = SIMD(slli_epi32)(SIMD(srli_epi32)(y, BOARD_MAPPER_FRACTION), 16);
    const simd_words texel = simd_or(SIMD(srli_epi32)(x, BOARD_MAPPER_FRACTION), row);
    const simd_words offset = SIMD(madd_epi16)(texel, SIMD(set1_epi32)(sampler->strides));
    const simd_words full =
        SIMD(cmpgt_epi32)(SIMD(set1_epi32)(sampler->strides), simd_all_words(0));
    const simd_words upper = lanes_swap(lanes_fetch(sampler->texels, offset, full));
    const simd_words lower = lanes_swap(lanes_fetch(sampler->texels_below, offset, full));
    const simd_words across =
        simd_or(SIMD(slli_epi32)(fx, 16), SIMD(sub_epi32)(SIMD(set1_epi32)(64), fx));
    const simd_words down = simd_or(SIMD(slli_epi32)(fy, 16), fy);
    const simd_words weights_upper =
        SIMD(mullo_epi16)(across, SIMD(sub_epi16)(SIMD(set1_epi16)(64), down));
    const simd_words weights_lower = SIMD(mullo_epi16)(across, down);
    return lanes_mean(upper, lower, weights_upper, weights_lower, sampler);
}

static inline simd_words lanes_joined(struct lanes_color color)
{
    const simd_words red = SIMD(srli_epi32)(color.red_blue, 5);
    const simd_words blue = simd_and(color.red_blue, SIMD(set1_epi32)(31));
    return simd_or(simd_or(red, blue), SIMD(slli_epi32)(color.green, 5));
}

static inline struct lanes_color lanes_split(simd_words pixels)
{
    const simd_words red = SIMD(slli_epi32)(SIMD(srli_epi32)(pixels, 11), 16);
    return (struct lanes_color){
        .red_blue = simd_or(red, simd_and(pixels, SIMD(set1_epi32)(31))),
        .green = simd_and(SIMD(srli_epi32)(pixels, 5), SIMD(set1_epi32)(63)),
    };
}

/* A lane has two components of 16 bits, or one; so do factors. */
static inline simd_words lanes_both(int32_t value)
{
    return SIMD(set1_epi32)(value << 16 | value);
}

static inline simd_words lanes_dim(simd_words components,
                                   const struct board_mapper_sampler *sampler)
{
    const simd_words factor = lanes_both(sampler->brightness);
    return SIMD(srli_epi16)(SIMD(mullo_epi16)(components, factor), BOARD_MAPPER_FRACTION);
}

static inline simd_words lanes_blend(simd_words components, simd_words below, int32_t max,
                                     const struct board_mapper_sampler *sampler)
{
    const simd_words sum =
        SIMD(add_epi16)(SIMD(mullo_epi16)(components, lanes_both(sampler->weight)),
                        SIMD(mullo_epi16)(below, lanes_both(sampler->weight_kept)));
    const simd_words odd =
        simd_and(SIMD(srli_epi16)(sum, BOARD_MAPPER_FRACTION), lanes_both(sampler->odd));
    const simd_words more = SIMD(add_epi16)(odd, lanes_both(sampler->blend_half));
    const simd_words result = SIMD(srli_epi16)(SIMD(add_epi16)(sum, more), BOARD_MAPPER_FRACTION);
    return SIMD(min_epi16)(result, lanes_both(max));
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

/* The first count of SIMD_LANES pixels. */
static inline void lanes_store_some(uint8_t *target, simd_words colors, unsigned count)
{
    uint8_t pixels[2 * SIMD_LANES];
    lanes_store_pixels(pixels, colors);
    memcpy(target, pixels, 2 * (size_t)count);
}

/* Filtered pixels that nothing else happens to. */
static inline void lanes_draw_filtered(uint8_t *target, const int32_t *x, const int32_t *y,
                                       unsigned count, const struct board_mapper_sampler *sampler)
{
    for (unsigned i = 0; i < count; i += SIMD_LANES) {
        const struct lanes_color color =
            lanes_filter(lanes_place(lanes_load(x + i), sampler->mask_x, sampler->last_x),
                         lanes_place(lanes_load(y + i), sampler->mask_y, sampler->last_y), sampler);
        if (count - i >= SIMD_LANES) {
            lanes_store_pixels(target + 2 * (size_t)i, lanes_joined(color));
        } else {
            lanes_store_some(target + 2 * (size_t)i, lanes_joined(color), count - i);
        }
    }
}

/* Puts back what the target has where pixels are of the key's colour. Returns a bit for each pixel
 * that is drawn. */
static inline unsigned lanes_drop(simd_words *colors, simd_words filtered, const uint8_t *target,
                                  int32_t key)
{
    const simd_words dropped = SIMD(cmpeq_epi32)(filtered, SIMD(set1_epi32)(key));
    *colors = SIMD(blendv_epi8)(*colors, lanes_load_pixels(target), dropped);
    return ~simd_signs(dropped) & ((1u << SIMD_LANES) - 1);
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
    for (unsigned i = 0; i < count; i += SIMD_LANES) {
        uint8_t *at = target + 2 * (size_t)i;
        const unsigned rest = count - i < SIMD_LANES ? count - i : SIMD_LANES;
        const struct lanes_color color =
            lanes_filter(lanes_place(lanes_load(x + i), sampler->mask_x, sampler->last_x),
                         lanes_place(lanes_load(y + i), sampler->mask_y, sampler->last_y), sampler);
        simd_words pixels = lanes_joined(lanes_finish(color, at, sampler));
        if (sampler->keyed) {
            const unsigned bits = lanes_drop(&pixels, lanes_joined(color), at, sampler->key);
            lanes_note(drawn, i, bits & ((1u << rest) - 1));
        }
        if (rest == SIMD_LANES) {
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
