#if defined(__x86_64__)
#include "tmu/kernels.h"

#include <immintrin.h>

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

static inline __m256i limited(__m256i position, __m256i last)
{
    return _mm256_min_epi32(_mm256_max_epi32(position, _mm256_setzero_si256()), last);
}

static inline __m256i position(__m256i c, const struct axis *axis, enum mode mode)
{
    if (mode == WRAP_POWER) {
        return _mm256_srl_epi32(c, axis->shift);
    }
    if (mode == CLAMP) {
        return limited(c, axis->last);
    }
    const __m256i along = scaled(c, axis->period);
    if (mode == WRAP) {
        return along;
    }
    return limited(_mm256_min_epi32(along, _mm256_sub_epi32(axis->far, along)), axis->last);
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

static inline struct eight eight_of(const uint64_t *at)
{
    const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i step = high_word(at + 1);
    return (struct eight){_mm256_add_epi32(high_word(at), _mm256_mullo_epi32(index, step)),
                          _mm256_slli_epi32(step, 3)};
}

static inline void store(uint32_t *to, __m256i value)
{
    _mm256_storeu_si256((__m256i *)(void *)to, value);
}

static inline __m256i load(const void *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

static inline void ramps(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                         const struct tmu_sampler *sampler, enum mode mode)
{
    const struct axis across = axis_of(sampler->width, mode);
    const struct axis down = axis_of(sampler->height, mode);
    for (const struct tmu_ramp *end = ramp + count; ramp < end; ramp++) {
        struct eight u = eight_of(ramp->at + TMU_X);
        struct eight v = eight_of(ramp->at + TMU_Y);
        const size_t behind = ramp->first + ramp->count;
        for (size_t i = ramp->first; i < behind; i += 8) {
            store(x + i, position(u.now, &across, mode));
            store(y + i, position(v.now, &down, mode));
            u.now = _mm256_add_epi32(u.now, u.step);
            v.now = _mm256_add_epi32(v.now, v.step);
        }
        _mm256_storeu_si256((__m256i *)(void *)ramp->at,
                            _mm256_add_epi64(load(ramp->at), load(ramp->per_row)));
    }
}

static bool is_power(uint32_t size)
{
    return (size & (size - 1)) == 0;
}

void tmu_wrap_avx2(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                   const struct tmu_sampler *sampler)
{
    if (is_power(sampler->width) && is_power(sampler->height)) {
        ramps(x, y, ramp, count, sampler, WRAP_POWER);
    } else {
        ramps(x, y, ramp, count, sampler, WRAP);
    }
}

void tmu_clamp_avx2(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                    const struct tmu_sampler *sampler)
{
    ramps(x, y, ramp, count, sampler, CLAMP);
}

void tmu_mirror_avx2(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                     const struct tmu_sampler *sampler)
{
    ramps(x, y, ramp, count, sampler, MIRROR);
}

/* ---- texels ---- */

/* How far down the texture it pays to ask for texels early. */
enum { ROWS_AHEAD = 8 };

/* What the loop over a row keeps in registers. */
struct source {
    const uint32_t *upper; /* row 0 */
    const uint32_t *lower; /* row 1 */
    uintptr_t ahead;       /* row ROWS_AHEAD, which need not exist */
    __m256i pitch;         /* texels from a position's row and column */
    __m256i full;          /* a mask of which the compiler cannot know that it has all bits */
    __m256i keep;
};

static struct source source_of(const struct tmu_sampler *sampler)
{
    const uintptr_t row = sampler->stride * sizeof *sampler->pixels;
    const __m256i pitch = _mm256_set1_epi32((int)(sampler->stride << 16 | 1));
    return (struct source){
        .upper = sampler->pixels,
        .lower = sampler->pixels + sampler->stride,
        .ahead = (uintptr_t)sampler->pixels + ROWS_AHEAD * row,
        .pitch = pitch,
        .full = _mm256_cmpgt_epi32(pitch, _mm256_setzero_si256()),
        .keep = _mm256_set1_epi16((short)sampler->keep),
    };
}

/* Two neighbouring texels of four pixels each; their bytes in pairs of left and right, less 128. A
 * gather without a mask would wait for what its register held before. */
static inline __m256i fetch(const uint32_t *pixels, __m128i offset, __m256i full)
{
    const __m256i pairs = _mm256_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15, 0,
                                           4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    const __m256i texels =
        _mm256_mask_i32gather_epi64(_mm256_setzero_si256(), (const long long *)(const void *)pixels,
                                    offset, full, sizeof *pixels);
    return _mm256_xor_si256(_mm256_shuffle_epi8(texels, pairs), _mm256_set1_epi8(-128));
}

/* Four pixels as 16-bit channels. across: 255 - fx and fx in turn; fy in every byte. */
static inline __m256i quad(struct source source, __m128i offset, __m256i across, __m256i fy)
{
    const __m256i upper = _mm256_maddubs_epi16(across, fetch(source.upper, offset, source.full));
    const __m256i lower = _mm256_maddubs_epi16(across, fetch(source.lower, offset, source.full));
    const __m256i down = _mm256_srli_epi16(fy, 1);
    const __m256i stay = _mm256_xor_si256(down, _mm256_set1_epi16(32767));
    const __m256i sum =
        _mm256_add_epi16(_mm256_mulhrs_epi16(upper, stay), _mm256_mulhrs_epi16(lower, down));
    const __m256i texel = _mm256_mulhi_epu16(_mm256_xor_si256(sum, _mm256_set1_epi16(-32768)),
                                             _mm256_set1_epi16(257));
    return _mm256_mulhrs_epi16(texel, source.keep);
}

/* The fraction byte of pixels 0 1 4 5, eight times each; of 2 3 6 7 if `word` is 2. */
static inline __m256i fractions(__m256i positions, int word)
{
    const __m256i first = _mm256_setr_epi8(1, 1, 1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 5, 5, 1, 1, 1,
                                           1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 5, 5);
    return _mm256_shuffle_epi8(positions,
                               _mm256_add_epi8(first, _mm256_set1_epi8((char)(4 * word))));
}

static inline __m256i across_of(__m256i x, int word)
{
    return _mm256_xor_si256(fractions(x, word), _mm256_set1_epi16(255));
}

/* Eight pixels are worked on as two quads, 0 1 4 5 and 2 3 6 7, because that is what packing inside
 * 128-bit halves puts in order. */
static void sample_avx2(uint32_t *dst, const uint32_t *x, const uint32_t *y, size_t count,
                        const struct tmu_sampler *sampler)
{
    const struct source source = source_of(sampler);
    for (size_t i = 0; i < count; i += 8) {
        const __m256i px = load(x + i);
        const __m256i py = load(y + i);
        const __m256i texels =
            _mm256_blend_epi16(_mm256_srli_epi32(px, TMU_POSITION_BITS), py, 0xAA);
        const __m256i offsets = _mm256_madd_epi16(texels, source.pitch);
        const __m256i grouped = _mm256_permute4x64_epi64(offsets, 0xD8);
        const __m128i low = _mm256_castsi256_si128(grouped);
        const __m128i high = _mm256_extracti128_si256(grouped, 1);
        if (i % 16 == 0) {
            const uint32_t offset = (uint32_t)_mm_cvtsi128_si32(low);
            _mm_prefetch((const char *)(source.ahead + offset * sizeof *source.upper), _MM_HINT_T0);
        }
        const __m256i first = quad(source, low, across_of(px, 0), fractions(py, 0));
        const __m256i second = quad(source, high, across_of(px, 2), fractions(py, 2));
        store(dst + i, _mm256_packus_epi16(first, second));
    }
}

const struct tmu_kernels tmu_kernels_avx2 = {
    .ramps =
        {[TMU_WRAP] = tmu_wrap_avx2, [TMU_CLAMP] = tmu_clamp_avx2, [TMU_MIRROR] = tmu_mirror_avx2},
    .sample = sample_avx2,
};
#else
typedef int tmu_kernels_avx2_not_for_this_machine;
#endif
