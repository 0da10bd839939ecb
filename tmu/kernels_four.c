#include "base/simd.h"

#if defined(BASE_SIMD)
#include "tmu/kernels.h"

/* ---- positions ---- */

/* One axis of the texture: what positions are clamped to or multiplied with. */
struct axis {
    simd_words period; /* texels of 2^32, in both halves of each word */
    simd_words far;    /* mirror: where position 0 comes again, going back */
    simd_words last;
};

static inline struct axis axis_of(uint32_t size, enum tmu_address address)
{
    const uint32_t period = address == TMU_MIRROR ? 2 * size : size;
    return (struct axis){SIMD(set1_epi32)((int)(period << 16 | period)),
                         SIMD(set1_epi32)((int)((period - 1) << TMU_POSITION_BITS)),
                         SIMD(set1_epi32)((int)((size - 1) << TMU_POSITION_BITS))};
}

/* (c * period) >> 16 in 16-bit halves. */
static inline simd_words scaled(simd_words c, simd_words period)
{
    const simd_words high = SIMD(mulhi_epu16)(c, period);
    const simd_words low = SIMD(mullo_epi16)(c, period);
    return SIMD(add_epi32)(high, SIMD(srli_epi32)(low, 16));
}

static inline simd_words clamp(simd_words position, simd_words last)
{
    return SIMD(min_epi32)(SIMD(max_epi32)(position, simd_all_words(0)), last);
}

static inline simd_words position(simd_words c, const struct axis *axis, enum tmu_address address)
{
    if (address == TMU_CLAMP) {
        return clamp(c, axis->last);
    }
    const simd_words along = scaled(c, axis->period);
    if (address == TMU_WRAP) {
        return along;
    }
    return clamp(SIMD(min_epi32)(along, SIMD(sub_epi32)(axis->far, along)), axis->last);
}

/* Four neighbouring coordinates and the step to the next four. */
struct four {
    simd_words now;
    simd_words step;
};

static inline simd_words high_word(const uint64_t *value)
{
    return SIMD(set1_epi32)((int)(uint32_t)(*value >> 32));
}

/* From pixel `from` of the ramp on. */
static inline struct four four_of(const uint64_t *at, const uint32_t *step, simd_words from)
{
    const simd_words steps = SIMD(set1_epi32)((int)*step);
    return (struct four){SIMD(add_epi32)(high_word(at), SIMD(mullo_epi32)(from, steps)),
                         SIMD(slli_epi32)(steps, 2)};
}

/* What the loop over ramps keeps in registers. */
struct places {
    uint32_t *x;
    uint32_t *y;
    struct axis across;
    struct axis down;
};

BASE_INLINE void run(const struct places *places, size_t i, size_t end, struct four u,
                     struct four v, enum tmu_address address)
{
    for (; i < end; i += 4) {
        simd_store_words(places->x + i, position(u.now, &places->across, address));
        simd_store_words(places->y + i, position(v.now, &places->down, address));
        u.now = SIMD(add_epi32)(u.now, u.step);
        v.now = SIMD(add_epi32)(v.now, v.step);
    }
}

BASE_INLINE void ramps(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                       struct tmu_diagonal diagonal, const struct tmu_sampler *sampler,
                       enum tmu_address address)
{
    const simd_words index = simd_words_in_order();
    const struct places places = {x, y, axis_of(sampler->width, address),
                                  axis_of(sampler->height, address)};
    for (const struct tmu_ramp *stop = ramp + count; ramp < stop; ramp++) {
        const size_t turn = tmu_ramp_turn(ramp, diagonal.at);
        const simd_words from =
            SIMD(add_epi32)(index, SIMD(set1_epi32)((int)((uint32_t)turn - ramp->first)));
        run(&places, ramp->first, turn,
            four_of(ramp->at + TMU_LEFT_X, ramp->step + TMU_LEFT_X, index),
            four_of(ramp->at + TMU_LEFT_Y, ramp->step + TMU_LEFT_Y, index), address);
        run(&places, turn, ramp->end,
            four_of(ramp->at + TMU_RIGHT_X, ramp->step + TMU_RIGHT_X, from),
            four_of(ramp->at + TMU_RIGHT_Y, ramp->step + TMU_RIGHT_Y, from), address);
        for (size_t k = 0; k < TMU_RAMP_VALUES; k++) {
            ramp->at[k] += ramp->per_row[k];
        }
        diagonal.at += diagonal.pitch;
    }
}

static void wrap_four(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                      struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    ramps(x, y, ramp, count, diagonal, sampler, TMU_WRAP);
}

static void clamp_four(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                       struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    ramps(x, y, ramp, count, diagonal, sampler, TMU_CLAMP);
}

static void mirror_four(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                        struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    ramps(x, y, ramp, count, diagonal, sampler, TMU_MIRROR);
}

/* ---- texels ---- */

/* Two neighbouring texels of two pixels; their bytes in pairs of left and right, less 128. */
static inline simd_words fetch(const uint32_t *pixels, const uint32_t at[2])
{
    const simd_words pairs = SIMD_BYTES(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    const simd_words texels = simd_two_twos(pixels + at[0], pixels + at[1]);
    return simd_xor(SIMD(shuffle_epi8)(texels, pairs), SIMD(set1_epi8)(-128));
}

/* From sums to channels of pixels. */
static inline simd_words finished(simd_words sum, int32_t keep)
{
    const simd_words texel =
        SIMD(mulhi_epu16)(simd_xor(sum, SIMD(set1_epi16)(-32768)), SIMD(set1_epi16)(257));
    return SIMD(mulhrs_epi16)(texel, SIMD(set1_epi16)((short)keep));
}

/* Two pixels as 16-bit channels. across: 255 - fx and fx in turn; fy in every byte. */
static inline simd_words pair(const struct tmu_sampler *sampler, const uint32_t *offset,
                              simd_words across, simd_words fy)
{
    const uint32_t *pixels = sampler->pixels;
    const simd_words upper = SIMD(maddubs_epi16)(across, fetch(pixels, offset));
    const simd_words lower = SIMD(maddubs_epi16)(across, fetch(pixels + sampler->stride, offset));
    const simd_words down = SIMD(srli_epi16)(fy, 1);
    const simd_words stay = simd_xor(down, SIMD(set1_epi16)(32767));
    const simd_words sum =
        SIMD(add_epi16)(SIMD(mulhrs_epi16)(upper, stay), SIMD(mulhrs_epi16)(lower, down));
    return finished(sum, sampler->keep);
}

/* The fraction byte of pixels 0 and 1, eight times each; of 2 and 3 two words further on. */
static inline simd_words fractions(simd_words positions, int word)
{
    const simd_words first = SIMD_BYTES(1, 1, 1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 5, 5);
    return SIMD(shuffle_epi8)(positions, SIMD(add_epi8)(first, SIMD(set1_epi8)((char)(4 * word))));
}

static inline simd_words across_of(simd_words x, int word)
{
    return simd_xor(fractions(x, word), SIMD(set1_epi16)(255));
}

static void sample_four(uint32_t *dst, const uint32_t *x, const uint32_t *y, size_t count,
                        const struct tmu_sampler *sampler)
{
    /* As in kernels_avx2.c. */
    enum { BLOCK = 128 };
    const simd_words pitch = SIMD(set1_epi32)((int)(sampler->stride << 16 | 1));
    uint32_t at[BLOCK];
    for (size_t first = 0; first < count; first += BLOCK) {
        const size_t end = count - first < BLOCK ? count - first : BLOCK;
        for (size_t i = 0; i < end; i += 4) {
            const simd_words columns =
                SIMD(srli_epi32)(simd_load_words(x + first + i), TMU_POSITION_BITS);
            const simd_words texels = simd_lower_upper(columns, simd_load_words(y + first + i));
            simd_store_words(at + i, SIMD(madd_epi16)(texels, pitch));
        }
        for (size_t i = 0; i < end; i += 4) {
            const simd_words px = simd_load_words(x + first + i);
            const simd_words py = simd_load_words(y + first + i);
            const simd_words left = pair(sampler, at + i, across_of(px, 0), fractions(py, 0));
            const simd_words right = pair(sampler, at + i + 2, across_of(px, 2), fractions(py, 2));
            simd_store_words(dst + first + i, SIMD(packus_epi16)(left, right));
        }
    }
}

/* ---- rows that share their columns ---- */

static void across_four(int16_t *sums, const uint32_t *texels, const uint32_t *x, size_t count)
{
    for (size_t i = 0; i < count; i += 4) {
        const simd_words px = simd_load_words(x + i);
        uint32_t at[4];
        simd_store_words(at, SIMD(srli_epi32)(px, TMU_POSITION_BITS));
        uint32_t *to = (uint32_t *)(void *)(sums + 4 * i);
        simd_store_words(to, SIMD(maddubs_epi16)(across_of(px, 0), fetch(texels, at)));
        simd_store_words(to + 4, SIMD(maddubs_epi16)(across_of(px, 2), fetch(texels, at + 2)));
    }
}

static void down_four(uint32_t *dst, const int16_t *upper, const int16_t *lower, uint32_t y,
                      size_t count, int32_t keep)
{
    const simd_words fraction = SIMD(set1_epi8)((char)(y >> TMU_FRACTION_SHIFT));
    const simd_words down = SIMD(srli_epi16)(fraction, 1);
    const simd_words stay = simd_xor(down, SIMD(set1_epi16)(32767));
    for (size_t i = 0; i < count; i += 4) {
        simd_words half[2];
        for (size_t k = 0; k < 2; k++) {
            const simd_words above =
                simd_load_words((const uint32_t *)(const void *)(upper + 4 * i + 8 * k));
            const simd_words below =
                simd_load_words((const uint32_t *)(const void *)(lower + 4 * i + 8 * k));
            half[k] = finished(
                SIMD(add_epi16)(SIMD(mulhrs_epi16)(above, stay), SIMD(mulhrs_epi16)(below, down)),
                keep);
        }
        simd_store_words(dst + i, SIMD(packus_epi16)(half[0], half[1]));
    }
}

const struct tmu_kernels tmu_kernels_four = {
    .ramps = {[TMU_WRAP] = wrap_four, [TMU_CLAMP] = clamp_four, [TMU_MIRROR] = mirror_four},
    .sample = sample_four,
    .across = across_four,
    .down = down_four,
};
#endif
