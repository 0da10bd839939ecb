#include "base/simd.h"

#if defined(__AVX2__)
#include <stdalign.h>
#include <string.h>

#include "tmu/kernels.h"

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

static void wrap_avx2(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                      struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    if (is_power(sampler->width) && is_power(sampler->height)) {
        ramps(x, y, ramp, count, diagonal, sampler, WRAP_POWER);
    } else {
        ramps(x, y, ramp, count, diagonal, sampler, WRAP);
    }
}

static void clamp_avx2(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                       struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    ramps(x, y, ramp, count, diagonal, sampler, CLAMP);
}

static void mirror_avx2(uint32_t *x, uint32_t *y, struct tmu_ramp *ramp, size_t count,
                        struct tmu_diagonal diagonal, const struct tmu_sampler *sampler)
{
    ramps(x, y, ramp, count, diagonal, sampler, MIRROR);
}

/* ---- texels ---- */

/* How far down the texture it pays to ask for texels early, and once in how many pixels. */
enum { ROWS_AHEAD = 8, PIXELS_AHEAD = 16 };

/* What the loop over a row keeps in registers. */
struct source {
    const uint32_t *upper; /* row 0 */
    const uint32_t *lower; /* row 1 */
    uintptr_t ahead;       /* row ROWS_AHEAD, which need not exist */
    __m256i pitch;         /* texels from a position's row and column */
    __m256i keep;
};

static inline struct source source_of(const struct tmu_sampler *sampler)
{
    const uintptr_t row = sampler->stride * sizeof *sampler->pixels;
    return (struct source){
        .upper = sampler->pixels,
        .lower = sampler->pixels + sampler->stride,
        .ahead = (uintptr_t)sampler->pixels + ROWS_AHEAD * row,
        .pitch = _mm256_set1_epi32((int)(sampler->stride << 16 | 1)),
        .keep = _mm256_set1_epi16((short)sampler->keep),
    };
}

/* Two neighbouring texels, four times: a load does that, where to put them in place takes more. */
static inline __m256i two_at(const uint32_t *pixels)
{
    long long both;
    memcpy(&both, pixels, sizeof both);
    return _mm256_set1_epi64x(both);
}

/* Two neighbouring texels of pixels 0 1 4 5, their bytes in pairs of left and right, less 128. They
 * are read one by one: gathers are hardly faster on any processor, and several times slower where
 * their microcode has been mended. */
static inline __m256i fetch(const uint32_t *pixels, const uint32_t at[6])
{
    const __m256i pairs = SIMD_BYTES(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    const __m256i low = _mm256_blend_epi32(two_at(pixels + at[0]), two_at(pixels + at[1]), 0x0C);
    const __m256i high = _mm256_blend_epi32(two_at(pixels + at[4]), two_at(pixels + at[5]), 0xC0);
    const __m256i texels = _mm256_blend_epi32(low, high, 0xF0);
    return _mm256_xor_si256(_mm256_shuffle_epi8(texels, pairs), _mm256_set1_epi8(-128));
}

/* From sums to channels of pixels. */
static inline __m256i finished(__m256i sum, __m256i keep)
{
    const __m256i texel = _mm256_mulhi_epu16(_mm256_xor_si256(sum, _mm256_set1_epi16(-32768)),
                                             _mm256_set1_epi16(257));
    return _mm256_mulhrs_epi16(texel, keep);
}

/* Four pixels as 16-bit channels. across: 255 - fx and fx in turn; fy in every byte. */
static inline __m256i half_row(const struct source *source, const uint32_t *at, __m256i across,
                               __m256i fy)
{
    const __m256i upper = _mm256_maddubs_epi16(across, fetch(source->upper, at));
    const __m256i lower = _mm256_maddubs_epi16(across, fetch(source->lower, at));
    const __m256i down = _mm256_srli_epi16(fy, 1);
    const __m256i stay = _mm256_xor_si256(down, _mm256_set1_epi16(32767));
    const __m256i sum =
        _mm256_add_epi16(_mm256_mulhrs_epi16(upper, stay), _mm256_mulhrs_epi16(lower, down));
    return finished(sum, source->keep);
}

/* The fraction bytes of pixels 0 1 4 5, eight times each; of 2 3 6 7 if `word` is 2. */
static inline __m256i fractions(__m256i positions, int word)
{
    const __m256i first = SIMD_BYTES(1, 1, 1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 5, 5);
    return _mm256_shuffle_epi8(positions,
                               _mm256_add_epi8(first, _mm256_set1_epi8((char)(4 * word))));
}

static inline __m256i across_of(__m256i x, int word)
{
    return _mm256_xor_si256(fractions(x, word), _mm256_set1_epi16(255));
}

/* Eight pixels, as two times four: 0 1 4 5 and 2 3 6 7, because that is what packing inside 128-bit
 * halves puts in order. at: their texels. */
BASE_INLINE void sample_eight(const struct source *source, uint32_t *dst, const uint32_t *at,
                              const uint32_t *x, const uint32_t *y, bool ahead)
{
    const __m256i px = load(x);
    const __m256i py = load(y);
    if (ahead) {
        _mm_prefetch((const char *)(source->ahead + at[0] * sizeof *source->upper), _MM_HINT_T0);
    }
    const __m256i first = half_row(source, at, across_of(px, 0), fractions(py, 0));
    const __m256i second = half_row(source, at + 2, across_of(px, 2), fractions(py, 2));
    store(dst, _mm256_packus_epi16(first, second));
}

static void sample_avx2(uint32_t *dst, const uint32_t *x, const uint32_t *y, size_t count,
                        const struct tmu_sampler *sampler)
{
    /* Words of a vector that was only just stored come late: a block of places is stored first. */
    enum { BLOCK = 128 };
    const struct source source = source_of(sampler);
    alignas(32) uint32_t at[BLOCK];
    for (size_t first = 0; first < count; first += BLOCK) {
        const size_t end = count - first < BLOCK ? count - first : BLOCK;
        for (size_t i = 0; i < end; i += 8) {
            const __m256i columns = _mm256_srli_epi32(load(x + first + i), TMU_POSITION_BITS);
            store(at + i,
                  _mm256_madd_epi16(simd_lower_upper(columns, load(y + first + i)), source.pitch));
        }
        __asm__("" : "+m"(at)); /* else the compiler takes them out of vectors, which is slower */
        for (size_t i = 0; i < end; i += PIXELS_AHEAD) {
            sample_eight(&source, dst + first + i, at + i, x + first + i, y + first + i, true);
            if (i + 8 < end) {
                sample_eight(&source, dst + first + i + 8, at + i + 8, x + first + i + 8,
                             y + first + i + 8, false);
            }
        }
    }
}

/* ---- rows that share their columns ---- */

/* The column of a position, which is its upper half. */
static inline const uint32_t *column_at(const uint32_t *texels, const uint32_t *position)
{
    uint16_t halves[2];
    memcpy(halves, position, sizeof halves);
    return texels + halves[1];
}

/* Two neighbouring texels of pixels 0 1 2 3, as fetch has them. */
static inline __m256i fetch_in_order(const uint32_t *texels, const uint32_t *x)
{
    const __m256i pairs = SIMD_BYTES(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    const __m256i low =
        _mm256_blend_epi32(two_at(column_at(texels, x)), two_at(column_at(texels, x + 1)), 0x0C);
    const __m256i high = _mm256_blend_epi32(two_at(column_at(texels, x + 2)),
                                            two_at(column_at(texels, x + 3)), 0xC0);
    const __m256i both = _mm256_blend_epi32(low, high, 0xF0);
    return _mm256_xor_si256(_mm256_shuffle_epi8(both, pairs), _mm256_set1_epi8(-128));
}

static void across_avx2(int16_t *sums, const uint32_t *texels, const uint32_t *x, size_t count)
{
    const __m256i first = _mm256_setr_epi32(0, 1, 0, 1, 2, 3, 2, 3);
    const __m256i second = _mm256_setr_epi32(4, 5, 4, 5, 6, 7, 6, 7);
    for (size_t i = 0; i < count; i += 8) {
        const __m256i px = load(x + i);
        const __m256i left = across_of(_mm256_permutevar8x32_epi32(px, first), 0);
        const __m256i right = across_of(_mm256_permutevar8x32_epi32(px, second), 0);
        __m256i *to = (__m256i *)(void *)(sums + 4 * i);
        _mm256_storeu_si256(to, _mm256_maddubs_epi16(left, fetch_in_order(texels, x + i)));
        _mm256_storeu_si256(to + 1, _mm256_maddubs_epi16(right, fetch_in_order(texels, x + i + 4)));
    }
}

/* The weights of both rows, and what a whole row has of each. */
struct between {
    __m256i stay;
    __m256i down;
    __m256i keep;
};

static inline __m256i four_down(const struct between *between, const int16_t *upper,
                                const int16_t *lower)
{
    const __m256i sum = _mm256_add_epi16(_mm256_mulhrs_epi16(load(upper), between->stay),
                                         _mm256_mulhrs_epi16(load(lower), between->down));
    return finished(sum, between->keep);
}

static void down_avx2(uint32_t *dst, const int16_t *upper, const int16_t *lower, uint32_t y,
                      size_t count, int32_t keep)
{
    const __m256i fraction = _mm256_set1_epi8((char)(y >> TMU_FRACTION_SHIFT));
    const __m256i down = _mm256_srli_epi16(fraction, 1);
    const struct between between = {_mm256_xor_si256(down, _mm256_set1_epi16(32767)), down,
                                    _mm256_set1_epi16((short)keep)};
    for (size_t i = 0; i < count; i += 8) {
        const __m256i first = four_down(&between, upper + 4 * i, lower + 4 * i);
        const __m256i second = four_down(&between, upper + 4 * i + 16, lower + 4 * i + 16);
        const __m256i mixed = _mm256_packus_epi16(first, second); /* 0 1 4 5 2 3 6 7 */
        store(dst + i, _mm256_permute4x64_epi64(mixed, 0xD8));
    }
}

/* For AVX-512 too: cells of a mesh are too narrow for wider vectors, and texels that are read one
 * by one do not come any faster in them. */
const struct tmu_kernels tmu_kernels_avx2 = {
    .ramps = {[TMU_WRAP] = wrap_avx2, [TMU_CLAMP] = clamp_avx2, [TMU_MIRROR] = mirror_avx2},
    .sample = sample_avx2,
    .across = across_avx2,
    .down = down_avx2,
};
#endif
