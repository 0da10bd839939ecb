/* Vectors of numbers: one vocabulary for every width. How many lanes there are follows from what
 * the file is compiled for: 16 of 32 bits with AVX-512, 8 with AVX2, 4 with SSE4.1 and on arm64;
 * empty elsewhere, and BASE_SIMD is not defined. base/simd_one.h has those of the operations for
 * one number that formulas are written on.
 *
 * Arithmetic, comparisons and bits are the compiler's own on vector types; what C has no operator
 * for are the processor's operations, by the name that they share between widths: SIMD(madd_epi16).
 * Every operation gives the bits that the same one gives for each lane alone. A truth is a word
 * with all bits set or clear. */
#ifndef BASE_SIMD_H
#define BASE_SIMD_H

#include "base/cpu.h"

#if defined(BASE_CPU_NEON)
#define BASE_SIMD
#include "base/simd_neon.h"
#elif defined(__SSE4_1__)
#define BASE_SIMD
#include <immintrin.h>
#endif

#if defined(BASE_SIMD)
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* SIMD(op) are the processor's operations of this width, SIMD_HALF(op) those of half of it;
 * SIMD_BITS(op) those that do not look at lanes, SIMD_QUARTER(op) those of four words. Half of four
 * words are the first two. */
#if defined(BASE_CPU_NEON)
#define SIMD(op)         simd_neon_##op
#define SIMD_HALF(op)    simd_neon_##op
#define SIMD_QUARTER(op) simd_neon_##op
#define SIMD_BITS(op)    simd_neon_##op
enum { SIMD_LANES = 4 };
typedef simd_words simd_half_words;
typedef simd_words simd_lanes;
typedef simd_words simd_quarter;
#elif defined(__AVX512BW__)
#define SIMD(op)         _mm512_##op
#define SIMD_HALF(op)    _mm256_##op
#define SIMD_QUARTER(op) _mm_##op
#define SIMD_BITS(op)    _mm512_##op##_si512
enum { SIMD_LANES = 16 };
typedef __m512 simd_floats;
typedef __m512d simd_doubles; /* SIMD_HALF_LANES of them */
typedef __m512i simd_words;
typedef __m256i simd_half_words;
typedef __m128i simd_quarter;
typedef __mmask16 simd_lanes; /* some of the lanes */
#elif defined(__AVX2__)
#define SIMD(op)         _mm256_##op
#define SIMD_HALF(op)    _mm_##op
#define SIMD_QUARTER(op) _mm_##op
#define SIMD_BITS(op)    _mm256_##op##_si256
enum { SIMD_LANES = 8 };
typedef __m256 simd_floats;
typedef __m256d simd_doubles;
typedef __m256i simd_words;
typedef __m128i simd_half_words;
typedef __m128i simd_quarter;
typedef __m256i simd_lanes;
#else
#define SIMD(op)         _mm_##op
#define SIMD_HALF(op)    _mm_##op
#define SIMD_QUARTER(op) _mm_##op
#define SIMD_BITS(op)    _mm_##op##_si128
enum { SIMD_LANES = 4 };
typedef __m128 simd_floats;
typedef __m128d simd_doubles;
typedef __m128i simd_words;
typedef __m128i simd_half_words;
typedef __m128i simd_quarter;
typedef __m128i simd_lanes;
#endif
enum { SIMD_HALF_LANES = SIMD_LANES / 2 };

/* The same bits as numbers of 32 bits, for the compiler's operators. */
typedef int32_t simd_signed __attribute__((vector_size(sizeof(simd_words))));
typedef uint32_t simd_unsigned __attribute__((vector_size(sizeof(simd_words))));

/* Of 64 bits. */
typedef int64_t simd_long __attribute__((vector_size(sizeof(simd_words))));

/* The bytes of four words, in their order in memory. */
typedef int8_t simd_quarter_bytes __attribute__((vector_size(sizeof(simd_quarter))));

/* ---- floats ---- */

BASE_INLINE simd_floats simd_load(const float *numbers)
{
    return SIMD(loadu_ps)(numbers);
}

BASE_INLINE void simd_store(float *numbers, simd_floats a)
{
    SIMD(storeu_ps)(numbers, a);
}

BASE_INLINE simd_floats simd_all(float x)
{
    return SIMD(set1_ps)(x);
}

BASE_INLINE simd_floats simd_as_number(simd_words word)
{
    return (simd_floats)word;
}

BASE_INLINE simd_words simd_as_word(simd_floats x)
{
    return (simd_words)x;
}

BASE_INLINE simd_floats simd_add(simd_floats a, simd_floats b)
{
    return a + b;
}

BASE_INLINE simd_floats simd_sub(simd_floats a, simd_floats b)
{
    return a - b;
}

BASE_INLINE simd_floats simd_mul(simd_floats a, simd_floats b)
{
    return a * b;
}

BASE_INLINE simd_floats simd_div(simd_floats a, simd_floats b)
{
    return a / b;
}

/* a where one is NaN or both are equal, as simd_max: the processor gives its second operand. */
BASE_INLINE simd_floats simd_min(simd_floats a, simd_floats b)
{
    return SIMD(min_ps)(b, a);
}

BASE_INLINE simd_floats simd_max(simd_floats a, simd_floats b)
{
    return SIMD(max_ps)(b, a);
}

BASE_INLINE simd_floats simd_root(simd_floats a)
{
    return SIMD(sqrt_ps)(a);
}

#if defined(BASE_CPU_NEON)
#define SIMD_FLOOR vrndmq_f32
#define SIMD_CEIL  vrndpq_f32
#define SIMD_TRUNC vrndq_f32
#define SIMD_ROUND vrndnq_f32
#else
#if defined(__AVX512BW__)
#define SIMD_ROUNDED _mm512_roundscale_ps
#else
#define SIMD_ROUNDED SIMD(round_ps)
#endif
#define SIMD_FLOOR(a) SIMD_ROUNDED(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)
#define SIMD_CEIL(a)  SIMD_ROUNDED(a, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC)
#define SIMD_TRUNC(a) SIMD_ROUNDED(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)
#define SIMD_ROUND(a) SIMD_ROUNDED(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#endif
BASE_INLINE simd_floats simd_floor(simd_floats a)
{
    return SIMD_FLOOR(a);
}

BASE_INLINE simd_floats simd_ceil(simd_floats a)
{
    return SIMD_CEIL(a);
}

BASE_INLINE simd_floats simd_trunc(simd_floats a)
{
    return SIMD_TRUNC(a);
}

/* Halves to even. */
BASE_INLINE simd_floats simd_round(simd_floats a)
{
    return SIMD_ROUND(a);
}

/* False where one is NaN, simd_ne too. */
BASE_INLINE simd_words simd_lt(simd_floats a, simd_floats b)
{
    return (simd_words)(a < b);
}

BASE_INLINE simd_words simd_le(simd_floats a, simd_floats b)
{
    return (simd_words)(a <= b);
}

BASE_INLINE simd_words simd_eq(simd_floats a, simd_floats b)
{
    return (simd_words)(a == b);
}

BASE_INLINE simd_words simd_ne(simd_floats a, simd_floats b)
{
#if defined(__AVX512BW__)
    return _mm512_movm_epi32(_mm512_cmp_ps_mask(a, b, _CMP_NEQ_OQ));
#elif defined(__AVX2__)
    return (simd_words)_mm256_cmp_ps(a, b, _CMP_NEQ_OQ);
#else
    return (simd_words)((a < b) | (b < a));
#endif
}

BASE_INLINE simd_floats simd_select(simd_words truth, simd_floats yes, simd_floats no)
{
#if defined(__AVX512BW__)
    /* A table of three bits: truth ? yes : no. */
    enum { SELECT = 0xCA };
    return (simd_floats)_mm512_ternarylogic_epi32(truth, (simd_words)yes, (simd_words)no, SELECT);
#else
    return SIMD(blendv_ps)(no, yes, (simd_floats)truth);
#endif
}

/* ---- words ---- */

BASE_INLINE simd_words simd_load_words(const uint32_t *words)
{
    return SIMD_BITS(loadu)((const simd_words *)(const void *)words);
}

BASE_INLINE void simd_store_words(uint32_t *to, simd_words words)
{
    SIMD_BITS(storeu)((simd_words *)(void *)to, words);
}

BASE_INLINE simd_words simd_all_words(uint32_t word)
{
    return SIMD(set1_epi32)((int)word);
}

/* 0, 1, 2 and so on. */
BASE_INLINE simd_words simd_words_in_order(void)
{
#if defined(__AVX512BW__)
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#elif defined(__AVX2__)
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
#else
    return (simd_words)(simd_signed){0, 1, 2, 3};
#endif
}

/* The same words, which the compiler takes for unknown: a constant is then made once, before a
 * loop, and not in each round. */
BASE_INLINE simd_words simd_kept(simd_words words)
{
#if defined(__aarch64__)
    __asm__("" : "+w"(words));
#else
    __asm__("" : "+x"(words));
#endif
    return words;
}

BASE_INLINE simd_words simd_and(simd_words a, simd_words b)
{
    return a & b;
}

BASE_INLINE simd_words simd_or(simd_words a, simd_words b)
{
    return a | b;
}

BASE_INLINE simd_words simd_xor(simd_words a, simd_words b)
{
    return a ^ b;
}

/* The bits of b that a has not. */
BASE_INLINE simd_words simd_and_not(simd_words a, simd_words b)
{
    return ~a & b;
}

BASE_INLINE simd_words simd_plus(simd_words a, simd_words b)
{
    return (simd_words)((simd_unsigned)a + (simd_unsigned)b);
}

BASE_INLINE simd_words simd_left(simd_words a, int bits)
{
    return (simd_words)((simd_unsigned)a << bits);
}

/* Copies of the uppermost bit come in. */
BASE_INLINE simd_words simd_right_signed(simd_words a, int bits)
{
    return (simd_words)((simd_signed)a >> bits);
}

BASE_INLINE simd_words simd_equal_words(simd_words a, simd_words b)
{
    return (simd_words)((simd_signed)a == (simd_signed)b);
}

/* The numbers that words of two's complement stand for. */
BASE_INLINE simd_floats simd_signed_whole(simd_words a)
{
    return SIMD(cvtepi32_ps)(a);
}

/* The lower half of each word from the one, the upper from the other. */
BASE_INLINE simd_words simd_lower_upper(simd_words lower, simd_words upper)
{
#if defined(__AVX512BW__)
    return _mm512_mask_blend_epi16(0xAAAAAAAA, lower, upper);
#else
    return SIMD(blend_epi16)(lower, upper, 0xAA);
#endif
}

/* The same bytes for every four words. */
BASE_INLINE simd_words simd_every_four(simd_quarter bytes)
{
#if defined(__AVX512BW__)
    return _mm512_broadcast_i32x4(bytes);
#elif defined(__AVX2__)
    return _mm256_broadcastsi128_si256(bytes);
#else
    return bytes;
#endif
}

/* Sixteen bytes for every four words. */
#define SIMD_BYTES(...) simd_every_four((simd_quarter)(simd_quarter_bytes){__VA_ARGS__})

/* A vector of one number, which stands eight times at `numbers`. */
BASE_INLINE simd_floats simd_load_equal(const float *numbers)
{
#if defined(__AVX512BW__)
    return _mm512_set1_ps(numbers[0]);
#else
    return simd_load(numbers);
#endif
}

/* The first eight lanes, or as many as there are; where there are more, the others are like them.
 */
BASE_INLINE simd_floats simd_load_eight(const float *numbers)
{
#if defined(__AVX512BW__)
    return _mm512_broadcast_f32x8(_mm256_loadu_ps(numbers));
#else
    return simd_load(numbers);
#endif
}

BASE_INLINE void simd_store_eight(float *numbers, simd_floats a)
{
#if defined(__AVX512BW__)
    _mm512_mask_storeu_ps(numbers, 0xFF, a);
#else
    simd_store(numbers, a);
#endif
}

BASE_INLINE simd_doubles simd_doubles_in_order(void)
{
#if defined(__AVX512BW__)
    return _mm512_setr_pd(0, 1, 2, 3, 4, 5, 6, 7);
#elif defined(__AVX2__)
    return _mm256_setr_pd(0, 1, 2, 3);
#else
    return (simd_doubles){0, 1};
#endif
}

/* The same number of 64 bits for every two words. */
BASE_INLINE simd_words simd_all_long(uint64_t number)
{
    return (simd_words)((simd_long){0} + (int64_t)number);
}

/* Whole numbers of 16 bits. */
#if !defined(__AVX512BW__)
BASE_INLINE simd_words simd_load_halves(const uint16_t *numbers)
{
#if defined(__AVX2__)
    return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)numbers));
#else
    uint64_t four = 0;
    memcpy(&four, numbers, sizeof four);
    return SIMD(cvtepu16_epi32)(simd_all_long(four));
#endif
}

/* The lower four words of both, and the upper four; where there are only four, those of the first
 * and those of the second. */
BASE_INLINE simd_words simd_lower_halves(simd_words a, simd_words b)
{
#if defined(__AVX2__)
    return _mm256_permute2x128_si256(a, b, 0x20);
#else
    (void)b;
    return a;
#endif
}

BASE_INLINE simd_words simd_upper_halves(simd_words a, simd_words b)
{
#if defined(__AVX2__)
    return _mm256_permute2x128_si256(a, b, 0x31);
#else
    (void)a;
    return b;
#endif
}
#endif

#if !defined(__AVX512BW__)
/* Every second word, from the first one on or from the second. */
BASE_INLINE simd_half_words simd_even_words(simd_words words)
{
#if defined(__AVX2__)
    const __m128 low = _mm_castsi128_ps(_mm256_castsi256_si128(words));
    const __m128 high = _mm_castsi128_ps(_mm256_extracti128_si256(words, 1));
    return _mm_castps_si128(_mm_shuffle_ps(low, high, 0x88));
#else
    return SIMD(shuffle_epi32)(words, 0x88);
#endif
}

BASE_INLINE simd_half_words simd_odd_words(simd_words words)
{
#if defined(__AVX2__)
    const __m128 low = _mm_castsi128_ps(_mm256_castsi256_si128(words));
    const __m128 high = _mm_castsi128_ps(_mm256_extracti128_si256(words, 1));
    return _mm_castps_si128(_mm_shuffle_ps(low, high, 0xDD));
#else
    return SIMD(shuffle_epi32)(words, 0xDD);
#endif
}

/* Words of the one and the other in turn. */
BASE_INLINE simd_words simd_woven(simd_half_words even, simd_half_words odd)
{
#if defined(__AVX2__)
    return _mm256_set_m128i(_mm_unpackhi_epi32(even, odd), _mm_unpacklo_epi32(even, odd));
#else
    return SIMD(unpacklo_epi32)(even, odd);
#endif
}

/* The words of two halves. */
BASE_INLINE simd_words simd_joined(simd_half_words low, simd_half_words high)
{
#if defined(__AVX2__)
    return _mm256_set_m128i(high, low);
#else
    return SIMD(unpacklo_epi64)(low, high);
#endif
}
#endif

/* Towards zero. */
BASE_INLINE simd_doubles simd_trunc_doubles(simd_doubles a)
{
#if defined(BASE_CPU_NEON)
    return vrndq_f64(a);
#elif defined(__AVX512BW__)
    return _mm512_roundscale_pd(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
#else
    return SIMD(round_pd)(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
#endif
}

/* Doubles by numbers: the one where they are even, the other where they are odd. */
#if !defined(__AVX512BW__)
BASE_INLINE simd_doubles simd_either_double(double even, double odd, simd_words number)
{
#if defined(__AVX2__)
    return _mm256_permutevar_pd(_mm256_setr_pd(even, odd, even, odd), _mm256_slli_epi64(number, 1));
#else
    return SIMD(blendv_pd)(SIMD(set1_pd)(even), SIMD(set1_pd)(odd),
                           (simd_doubles)SIMD(slli_epi64)(number, 63));
#endif
}

BASE_INLINE simd_doubles simd_gather_doubles(const double *from, simd_half_words at)
{
#if defined(__AVX2__)
    return _mm256_i32gather_pd(from, at, sizeof *from);
#else
    return (simd_doubles){from[((simd_signed)at)[0]], from[((simd_signed)at)[1]]};
#endif
}

/* Floats of doubles, and back; in as many words. */
BASE_INLINE simd_half_words simd_floats_of(simd_doubles numbers)
{
    return (simd_half_words)SIMD(cvtpd_ps)(numbers);
}

BASE_INLINE simd_doubles simd_doubles_of(simd_half_words floats)
{
#if defined(__AVX2__)
    return _mm256_cvtps_pd((__m128)floats);
#else
    return SIMD(cvtps_pd)((simd_floats)floats);
#endif
}

/* Shifted by so many bits; by more than 31, or by a negative number of them, it is 0. */
BASE_INLINE simd_words simd_right_each(simd_words words, simd_words bits)
{
#if defined(__AVX2__)
    return _mm256_srlv_epi32(words, bits);
#else
    for (int bit = 0; bit < 5; bit++) {
        const simd_words set = simd_left(bits, 31 - bit);
        words = (simd_words)simd_select(set, simd_as_number(SIMD(srli_epi32)(words, 1 << bit)),
                                        simd_as_number(words));
    }
    return simd_and(words, simd_equal_words(SIMD(srli_epi32)(bits, 5), simd_all_words(0)));
#endif
}

BASE_INLINE simd_words simd_left_each(simd_words words, simd_words bits)
{
#if defined(__AVX2__)
    return _mm256_sllv_epi32(words, bits);
#else
    for (int bit = 0; bit < 5; bit++) {
        const simd_words set = simd_left(bits, 31 - bit);
        words = (simd_words)simd_select(set, simd_as_number(simd_left(words, 1 << bit)),
                                        simd_as_number(words));
    }
    return simd_and(words, simd_equal_words(SIMD(srli_epi32)(bits, 5), simd_all_words(0)));
#endif
}

/* The first, third and so on of the one, the second, fourth and so on of the other. */
BASE_INLINE simd_words simd_alternate(simd_words first, simd_words second)
{
#if defined(__AVX2__)
    return _mm256_blend_epi32(first, second, 0xAA);
#else
    return SIMD(blend_epi16)(first, second, 0xCC);
#endif
}
#endif

BASE_INLINE uint32_t simd_first_word(simd_words words)
{
    return (uint32_t)((simd_signed)words)[0];
}

BASE_INLINE simd_words simd_all_first(simd_words words)
{
#if defined(__AVX512BW__)
    return _mm512_broadcastd_epi32(_mm512_castsi512_si128(words));
#elif defined(__AVX2__)
    return _mm256_broadcastd_epi32(_mm256_castsi256_si128(words));
#else
    return SIMD(shuffle_epi32)(words, 0);
#endif
}

BASE_INLINE bool simd_all_zero(simd_words words)
{
#if defined(__AVX512BW__)
    return _mm512_test_epi32_mask(words, words) == 0;
#elif defined(BASE_CPU_NEON)
    return vmaxvq_u32((uint32x4_t)words) == 0;
#else
    return SIMD_BITS(testz)(words, words) != 0;
#endif
}

/* The smallest and the largest of numbers of 0..32767. */
BASE_INLINE int simd_smallest(simd_words numbers)
{
#if defined(__AVX512BW__)
    return _mm512_reduce_min_epi32(numbers);
#elif defined(__AVX2__)
    const __m128i words =
        _mm_packus_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1));
    return _mm_extract_epi16(_mm_minpos_epu16(words), 0);
#elif defined(BASE_CPU_NEON)
    return vminvq_s32((int32x4_t)numbers);
#else
    return _mm_extract_epi16(_mm_minpos_epu16(_mm_packus_epi32(numbers, numbers)), 0);
#endif
}

BASE_INLINE int simd_largest(simd_words numbers)
{
#if defined(__AVX512BW__)
    return _mm512_reduce_max_epi32(numbers);
#else
    return INT16_MAX - simd_smallest(SIMD(sub_epi32)(SIMD(set1_epi32)(INT16_MAX), numbers));
#endif
}

/* ---- some of the lanes ---- */

BASE_INLINE simd_lanes simd_lanes_below(size_t count)
{
#if defined(__AVX512BW__)
    return (simd_lanes)(count < SIMD_LANES ? (1U << count) - 1 : UINT16_MAX);
#else
    return SIMD(cmpgt_epi32)(SIMD(set1_epi32)((int)count), simd_words_in_order());
#endif
}

BASE_INLINE simd_lanes simd_lanes_between(int first, int end)
{
#if defined(__AVX512BW__)
    const uint32_t below_end = end < SIMD_LANES ? (1U << end) - 1 : UINT16_MAX;
    return (simd_lanes)(below_end & UINT32_MAX << (first > 0 ? first : 0));
#else
    return SIMD(cmpgt_epi32)(SIMD(set1_epi32)(end), simd_words_in_order()) &
           SIMD(cmpgt_epi32)(simd_words_in_order(), SIMD(set1_epi32)(first - 1));
#endif
}

BASE_INLINE simd_lanes simd_positive(simd_words words)
{
#if defined(__AVX512BW__)
    return _mm512_cmpgt_epi32_mask(words, _mm512_setzero_si512());
#else
    return SIMD(cmpgt_epi32)(words, simd_all_words(0));
#endif
}

/* A bit for each of up to eight lanes, the uppermost one of its word. */
#if !defined(__AVX512BW__)
BASE_INLINE unsigned simd_signs(simd_words words)
{
    return (unsigned)SIMD(movemask_ps)((simd_floats)words);
}
#endif

/* In how many lanes the one is greater. */
BASE_INLINE size_t simd_count_greater(simd_floats one, simd_floats other)
{
#if defined(__AVX512BW__)
    const unsigned bits = _mm512_cmp_ps_mask(one, other, _CMP_GT_OQ);
#else
    const unsigned bits = simd_signs(simd_lt(other, one));
#endif
    return (size_t)__builtin_popcount(bits);
}

/* The other lanes are 0. */
BASE_INLINE simd_words simd_load_some(const uint32_t *at, simd_lanes some)
{
#if defined(__AVX512BW__)
    return _mm512_maskz_loadu_epi32(some, at);
#elif defined(__AVX2__)
    return _mm256_maskload_epi32((const int *)(const void *)at, some);
#else
    const simd_signed wanted = (simd_signed)some;
    simd_unsigned words = {0};
    for (int i = 0; i < SIMD_LANES; i++) {
        if (wanted[i] != 0) {
            words[i] = at[i];
        }
    }
    return (simd_words)words;
#endif
}

BASE_INLINE void simd_store_some(uint32_t *at, simd_lanes some, simd_words value)
{
#if defined(__AVX512BW__)
    _mm512_mask_storeu_epi32(at, some, value);
#elif defined(__AVX2__)
    _mm256_maskstore_epi32((int *)(void *)at, some, value);
#else
    const simd_signed wanted = (simd_signed)some;
    for (int i = 0; i < SIMD_LANES; i++) {
        if (wanted[i] != 0) {
            at[i] = ((simd_unsigned)value)[i];
        }
    }
#endif
}

/* Words from places of their own. A gather without a mask would wait for what its register held
 * before, and so would one with a mask that the compiler knows to be full: `full` is one that it
 * does not know, as simd_positive makes it. */
BASE_INLINE simd_words simd_gather(const uint32_t *from, simd_words at, simd_lanes full)
{
#if defined(__AVX512BW__)
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), full, at, from, sizeof *from);
#elif defined(__AVX2__)
    return _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)(const void *)from, at,
                                       full, sizeof *from);
#else
    (void)full;
    const simd_signed place = (simd_signed)at;
    return (simd_words)(simd_unsigned){from[place[0]], from[place[1]], from[place[2]],
                                       from[place[3]]};
#endif
}

BASE_INLINE simd_floats simd_gather_floats(const float *from, simd_words at, simd_lanes full)
{
    return (simd_floats)simd_gather((const uint32_t *)(const void *)from, at, full);
}

#if !defined(__AVX512BW__)
/* Numbers from up to SIMD_NEAR places that follow each other, of which `count` are readable. */
#if defined(__AVX2__)
enum { SIMD_NEAR = 8 };

BASE_INLINE simd_floats simd_near(const float *numbers, simd_words places)
{
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(numbers), places);
}
#else
enum { SIMD_NEAR = 4 };

BASE_INLINE simd_floats simd_near(const float *numbers, simd_words places)
{
    /* Bytes of a word: four times its place, and 0 to 3 more. */
    const simd_words first = SIMD(mullo_epi32)(places, simd_all_words(0x04040404));
    return (simd_floats)SIMD(shuffle_epi8)((simd_words)simd_load(numbers),
                                           simd_plus(first, simd_all_words(0x03020100)));
}
#endif
#endif

/* Two words that follow each other from each of two places. Loads are faster here than a gather. */
BASE_INLINE simd_quarter simd_two_twos(const uint32_t *one, const uint32_t *other)
{
#if defined(BASE_CPU_NEON)
    return (simd_words)vcombine_u32(vld1_u32(one), vld1_u32(other));
#else
    const __m128i first = _mm_loadl_epi64((const __m128i *)(const void *)one);
    const __m128 both = _mm_loadh_pi(_mm_castsi128_ps(first), (const __m64 *)(const void *)other);
    return _mm_castps_si128(both);
#endif
}

#if defined(__AVX2__)
BASE_INLINE __m256i simd_four_twos(const uint32_t *one, const uint32_t *other, const uint32_t at[5])
{
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(simd_two_twos(one + at[0], other + at[0])),
        simd_two_twos(one + at[4], other + at[4]), 1);
}
#endif

/* The word at a place and the one after it, from the one, then from the other; the same for every
 * fourth of the places that follow. */
BASE_INLINE simd_words simd_twos_of_both(const uint32_t *one, const uint32_t *other,
                                         const uint32_t at[SIMD_LANES - 3])
{
#if defined(__AVX512BW__)
    return _mm512_inserti64x4(_mm512_castsi256_si512(simd_four_twos(one, other, at)),
                              simd_four_twos(one, other, at + 8), 1);
#elif defined(__AVX2__)
    return simd_four_twos(one, other, at);
#else
    return simd_two_twos(one + *at, other + *at);
#endif
}

/* Words of a vector by their places in it. */
BASE_INLINE simd_words simd_pick(simd_words from, simd_words at)
{
#if defined(__AVX512BW__)
    return _mm512_permutexvar_epi32(at, from);
#elif defined(__AVX2__)
    return _mm256_permutevar8x32_epi32(from, at);
#else
    const simd_words bytes =
        simd_plus(SIMD(mullo_epi32)(at, simd_all_words(0x04040404)), simd_all_words(0x03020100));
    return SIMD(shuffle_epi8)(from, bytes);
#endif
}
#endif

#endif
