

#if defined(__x86_64__)
#include "tmu/kernels.h"

#include <smmintrin.h>

/* ---- positions ---- */

/* One axis of the texture: what positions are clamped to or multiplied with. */
struct axis {
    __m128i period; /* texels of 2^32, in both halves of each word */
    __m128i far;    /* mirror: where position 0 comes again, going back */
    __m128i last;
};

static inline struct axis axis_of(uint32_t size, enum tmu_address address)
{
    const uint32_t period = address == TMU_MIRROR ? 2 * size : size;
    return (struct axis){_mm_set1_epi32((int)(period << 16 | period)),
                         _mm_set1_epi32((int)((period - 1) << TMU_POSITION_BITS)),
                         _mm_set1_epi32((int)((size - 1) << TMU_POSITION_BITS))};
}

/* (c * period) >> 16 in 16-bit halves. */
static inline __m128i scaled(__m128i c, __m128i period)
{
    const __m128i high = _mm_mulhi_epu16(c, period);
    const __m128i low = _mm_mullo_epi16(c, period);
    return _mm_add_epi32(high, _mm_srli_epi32(low, 16));
}

static inline __m128i clamp(__m128i position, __m128i last)
{
    return _mm_min_epi32(_mm_max_epi32(position, _mm_setzero_si128()), last);
}

static inline __m128i position(__m128i c, const struct axis *axis, enum tmu_address address)
{
    if (address == TMU_CLAMP) {
        return clamp(c, axis->last);
    }
    const __m128i along = scaled(c, axis->period);
    if (address == TMU_WRAP) {
        return along;
    }
    return clamp(_mm_min_epi32(along, _mm_sub_epi32(axis->far, along)), axis->last);
}

/* Four neighbouring coordinates and the step to the next four. */
struct four {
    __m128i now;
    __m128i step;
};

static inline __m128i high_word(const uint64_t *value)
{
    return _mm_set1_epi32((int)(uint32_t)(*value >> 32));
}

/* From pixel `from` of the ramp on. */
static inline struct four four_of(const uint64_t *at, const uint32_t *step, __m128i from)
{
    const __m128i steps = _mm_set1_epi32((int)*step);
    return (struct four){_mm_add_epi32(high_word(at), _mm_mullo_epi32(from, steps)),
                         _mm_slli_epi32(steps, 2)};
}

static inline void store(uint32_t *to, __m128i value)
{
    _mm_storeu_si128((__m128i *)(void *)to, value);
}

static inline __m128i load(const uint32_t *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
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
        store(places->x + i, position(u.now, &places->across, address));
        store(places->y + i, position(v.now, &places->down, address));
        u.now = _mm_add_epi32(u.now, u.step);
        v.now = _mm_add_epi32(v.now, v.step);
    }
}

BASE_INLINE void ramps(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                       struct tmu_diagonal diagonal, const struct tmu_sampler *sampler,
                       enum tmu_address address)
{
    const __m128i index = _mm_setr_epi32(0, 1, 2, 3);
    const struct places places = {x, y, axis_of(sampler->width, address),
                                  axis_of(sampler->height, address)};
    for (const struct tmu_ramp *stop = ramp + count; ramp < stop; ramp++) {
        const size_t turn = tmu_ramp_turn(ramp, diagonal.at);
        const __m128i from =
            _mm_add_epi32(index, _mm_set1_epi32((int)((uint32_t)turn - ramp->first)));
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

static void wrap_sse41(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                       struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    ramps(x, y, ramp, count, diagonal, sampler, TMU_WRAP);
}

static void clamp_sse41(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                        struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    ramps(x, y, ramp, count, diagonal, sampler, TMU_CLAMP);
}

static void mirror_sse41(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                         struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    ramps(x, y, ramp, count, diagonal, sampler, TMU_MIRROR);
}

/* ---- texels ---- */

/* Two neighbouring texels of two pixels; their bytes in pairs of left and right, less 128. */
static inline __m128i fetch(const uint32_t *first, const uint32_t *second)
{
    const __m128i pairs = _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    const __m128i texels =
        _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)first),
                           _mm_loadl_epi64((const __m128i *)(const void *)second));
    return _mm_xor_si128(_mm_shuffle_epi8(texels, pairs), _mm_set1_epi8(-128));
}

/* Two pixels as 16-bit channels. across: 255 - fx and fx in turn; fy in every byte. */
static inline __m128i pair(const struct tmu_sampler *sampler, const uint32_t *offset,
                           __m128i across, __m128i fy)
{
    const uint32_t *first = sampler->pixels + offset[0];
    const uint32_t *second = sampler->pixels + offset[1];
    const size_t stride = sampler->stride;
    const __m128i upper = _mm_maddubs_epi16(across, fetch(first, second));
    const __m128i lower = _mm_maddubs_epi16(across, fetch(first + stride, second + stride));
    const __m128i down = _mm_srli_epi16(fy, 1);
    const __m128i stay = _mm_xor_si128(down, _mm_set1_epi16(32767));
    const __m128i sum = _mm_add_epi16(_mm_mulhrs_epi16(upper, stay), _mm_mulhrs_epi16(lower, down));
    const __m128i texel =
        _mm_mulhi_epu16(_mm_xor_si128(sum, _mm_set1_epi16(-32768)), _mm_set1_epi16(257));
    return _mm_mulhrs_epi16(texel, _mm_set1_epi16((short)sampler->keep));
}

/* The fraction byte of pixels 0 and 1, eight times each; of 2 and 3 two words further on. */
static inline __m128i fractions(__m128i positions, int word)
{
    const __m128i first = _mm_setr_epi8(1, 1, 1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 5, 5);
    return _mm_shuffle_epi8(positions, _mm_add_epi8(first, _mm_set1_epi8((char)(4 * word))));
}

static inline __m128i across_of(__m128i x, int word)
{
    return _mm_xor_si128(fractions(x, word), _mm_set1_epi16(255));
}

static void sample_sse41(uint32_t *dst, const uint32_t *x, const uint32_t *y, size_t count,
                         const struct tmu_sampler *sampler)
{
    const __m128i pitch = _mm_set1_epi32((int)(sampler->stride << 16 | 1));
    for (size_t i = 0; i < count; i += 4) {
        const __m128i px = load(x + i);
        const __m128i py = load(y + i);
        const __m128i texels = _mm_blend_epi16(_mm_srli_epi32(px, TMU_POSITION_BITS), py, 0xAA);
        uint32_t offset[4];
        store(offset, _mm_madd_epi16(texels, pitch));
        const __m128i first = pair(sampler, offset, across_of(px, 0), fractions(py, 0));
        const __m128i second = pair(sampler, offset + 2, across_of(px, 2), fractions(py, 2));
        store(dst + i, _mm_packus_epi16(first, second));
    }
}

const struct tmu_kernels tmu_kernels_sse41 = {
    .ramps = {[TMU_WRAP] = wrap_sse41, [TMU_CLAMP] = clamp_sse41, [TMU_MIRROR] = mirror_sse41},
    .sample = sample_sse41,
};
#else
typedef int tmu_kernels_sse41_not_for_this_machine;
#endif
