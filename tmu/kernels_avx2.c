#include "base/simd.h"

#if defined(__AVX2__)
#include "tmu/kernels_lanes.h"

/* ---- positions ---- */

/* Address modes; to wrap around powers of two needs no multiplication. */
enum mode { WRAP, WRAP_POWER, CLAMP, MIRROR };

/* One axis of the texture. */
struct axis {
    __m256i period; /* texels of 2^32, in both halves of each word */
    __m128i shift;  /* from coordinates to positions, if the size is a power of two */
    __m256i far;    /* mirror: where position 0 comes again, going back */
    __m256i last;
};

static inline struct axis axis_of(uint32_t size, enum mode mode)
{
    const uint32_t period = mode == MIRROR ? 2 * size : size;
    int bits = 0;
    while (size >> bits > 1) {
        bits++;
    }
    return (struct axis){_mm256_set1_epi32((int)(period << 16 | period)),
                         _mm_cvtsi32_si128(16 - bits),
                         _mm256_set1_epi32((int)((period - 1) << TMU_POSITION_BITS)),
                         _mm256_set1_epi32((int)((size - 1) << TMU_POSITION_BITS))};
}

/* (c * period) >> 16 in 16-bit halves. */
static inline __m256i scaled(__m256i c, __m256i period)
{
    const __m256i high = _mm256_mulhi_epu16(c, period);
    const __m256i low = _mm256_mullo_epi16(c, period);
    return _mm256_add_epi32(high, _mm256_srli_epi32(low, 16));
}

static inline __m256i clamp(__m256i position, __m256i last)
{
    return _mm256_min_epi32(_mm256_max_epi32(position, _mm256_setzero_si256()), last);
}

static inline __m256i position(__m256i c, const struct axis *axis, enum mode mode)
{
    if (mode == WRAP_POWER) {
        return _mm256_srl_epi32(c, axis->shift);
    }
    if (mode == CLAMP) {
        return clamp(c, axis->last);
    }
    const __m256i along = scaled(c, axis->period);
    if (mode == WRAP) {
        return along;
    }
    return clamp(_mm256_min_epi32(along, _mm256_sub_epi32(axis->far, along)), axis->last);
}

/* Eight neighbouring coordinates and the step to the next eight. */
struct eight {
    __m256i now;
    __m256i step;
};

static inline __m256i high_word(const uint64_t *value)
{
    return _mm256_set1_epi32((int)(uint32_t)(*value >> 32));
}

/* From pixel `from` of the ramp on. */
static inline struct eight eight_of(const uint64_t *at, const uint32_t *step, __m256i from)
{
    const __m256i steps = _mm256_set1_epi32((int)*step);
    return (struct eight){_mm256_add_epi32(high_word(at), _mm256_mullo_epi32(from, steps)),
                          _mm256_slli_epi32(steps, 3)};
}

static inline void store(uint32_t *to, __m256i value)
{
    _mm256_storeu_si256((__m256i *)(void *)to, value);
}

static inline __m256i load(const void *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

/* What the loop over ramps keeps in registers. */
struct places {
    uint32_t *x;
    uint32_t *y;
    struct axis across;
    struct axis down;
};

BASE_INLINE void run(const struct places *places, size_t i, size_t end, struct eight u,
                     struct eight v, enum mode mode)
{
    for (; i < end; i += 8) {
        store(places->x + i, position(u.now, &places->across, mode));
        store(places->y + i, position(v.now, &places->down, mode));
        u.now = _mm256_add_epi32(u.now, u.step);
        v.now = _mm256_add_epi32(v.now, v.step);
    }
}

BASE_INLINE void ramps(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                       struct tmu_diagonal diagonal, const struct tmu_sampler *sampler,
                       enum mode mode)
{
    const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const struct places places = {x, y, axis_of(sampler->width, mode),
                                  axis_of(sampler->height, mode)};
    for (const struct tmu_ramp *stop = ramp + count; ramp < stop; ramp++) {
        const size_t turn = tmu_ramp_turn(ramp, diagonal.at);
        run(&places, ramp->first, turn,
            eight_of(ramp->at + TMU_LEFT_X, ramp->step + TMU_LEFT_X, index),
            eight_of(ramp->at + TMU_LEFT_Y, ramp->step + TMU_LEFT_Y, index), mode);
        if (turn < ramp->end) {
            const __m256i from =
                _mm256_add_epi32(index, _mm256_set1_epi32((int)((uint32_t)turn - ramp->first)));
            run(&places, turn, ramp->end,
                eight_of(ramp->at + TMU_RIGHT_X, ramp->step + TMU_RIGHT_X, from),
                eight_of(ramp->at + TMU_RIGHT_Y, ramp->step + TMU_RIGHT_Y, from), mode);
        }
        _mm256_storeu_si256((__m256i *)(void *)ramp->at,
                            _mm256_add_epi64(load(ramp->at), load(ramp->per_row)));
        diagonal.at += diagonal.pitch;
    }
}

static bool is_power(uint32_t size)
{
    return (size & (size - 1)) == 0;
}

void tmu_wrap_avx2(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                   struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    if (is_power(sampler->width) && is_power(sampler->height)) {
        ramps(x, y, ramp, count, diagonal, sampler, WRAP_POWER);
    } else {
        ramps(x, y, ramp, count, diagonal, sampler, WRAP);
    }
}

void tmu_clamp_avx2(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                    struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    ramps(x, y, ramp, count, diagonal, sampler, CLAMP);
}

void tmu_mirror_avx2(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                     struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    ramps(x, y, ramp, count, diagonal, sampler, MIRROR);
}

/* ---- texels ---- */

static void sample_avx2(uint32_t *dst, const uint32_t *x, const uint32_t *y, size_t count,
                        const struct tmu_sampler *sampler)
{
    sample_lanes(dst, x, y, count, sampler);
}

const struct tmu_kernels tmu_kernels_avx2 = {
    .ramps =
        {[TMU_WRAP] = tmu_wrap_avx2, [TMU_CLAMP] = tmu_clamp_avx2, [TMU_MIRROR] = tmu_mirror_avx2},
    .sample = sample_avx2,
};
#endif
