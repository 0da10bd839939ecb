/* Vectors of numbers: one vocabulary for every width. How many lanes there are follows from what
 * the file is compiled for: 16 of 32 bits with AVX-512, 8 with AVX2, 4 with SSE4.1; empty below
 * that. base/simd_one.h has those of the operations for one number that formulas are written on.
 *
 * Arithmetic, comparisons and bits are the compiler's own on vector types; what C has no operator
 * for are the processor's operations, by the name that they share between widths: SIMD(madd_epi16).
 * Every operation gives the bits that the same one gives for each lane alone. A truth is a word
 * with all bits set or clear. */
#ifndef BASE_SIMD_H
#define BASE_SIMD_H

#if defined(__SSE4_1__)
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

/* SIMD(op) are the processor's operations of this width, SIMD_HALF(op) those of half of it;
 * SIMD_BITS(op) those that do not look at lanes. */
#if defined(__AVX512BW__)
#define SIMD(op)      _mm512_##op
#define SIMD_HALF(op) _mm256_##op
#define SIMD_BITS(op) _mm512_##op##_si512
enum { SIMD_LANES = 16 };
typedef __m512 simd_floats;
typedef __m512d simd_doubles; /* SIMD_HALF_LANES of them */
typedef __m512i simd_words;
typedef __m256i simd_half_words;
typedef __mmask16 simd_lanes; /* some of the lanes */
#elif defined(__AVX2__)
#define SIMD(op)      _mm256_##op
#define SIMD_HALF(op) _mm_##op
#define SIMD_BITS(op) _mm256_##op##_si256
enum { SIMD_LANES = 8 };
typedef __m256 simd_floats;
typedef __m256d simd_doubles;
typedef __m256i simd_words;
typedef __m128i simd_half_words;
typedef __m256i simd_lanes;
#else
#define SIMD(op)      _mm_##op
#define SIMD_BITS(op) _mm_##op##_si128
enum { SIMD_LANES = 4 };
typedef __m128 simd_floats;
typedef __m128d simd_doubles;
typedef __m128i simd_words;
#endif
enum { SIMD_HALF_LANES = SIMD_LANES / 2 };

/* The same bits as numbers of 32 bits, for the compiler's operators. */
typedef int32_t simd_signed __attribute__((vector_size(sizeof(simd_words))));
typedef uint32_t simd_unsigned __attribute__((vector_size(sizeof(simd_words))));

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

#if defined(__AVX512BW__)
#define SIMD_ROUNDED _mm512_roundscale_ps
#else
#define SIMD_ROUNDED SIMD(round_ps)
#endif
BASE_INLINE simd_floats simd_floor(simd_floats a)
{
    return SIMD_ROUNDED(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

BASE_INLINE simd_floats simd_ceil(simd_floats a)
{
    return SIMD_ROUNDED(a, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}

BASE_INLINE simd_floats simd_trunc(simd_floats a)
{
    return SIMD_ROUNDED(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

/* Halves to even. */
BASE_INLINE simd_floats simd_round(simd_floats a)
{
    return SIMD_ROUNDED(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
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
    return _mm_setr_epi32(0, 1, 2, 3);
#endif
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
BASE_INLINE simd_words simd_every_four(__m128i bytes)
{
#if defined(__AVX512BW__)
    return _mm512_broadcast_i32x4(bytes);
#elif defined(__AVX2__)
    return _mm256_broadcastsi128_si256(bytes);
#else
    return bytes;
#endif
}

#if defined(__AVX2__)
/* A vector of one number, which stands eight times at `numbers`. */
BASE_INLINE simd_floats simd_load_equal(const float *numbers)
{
#if defined(__AVX512BW__)
    return _mm512_set1_ps(numbers[0]);
#else
    return _mm256_loadu_ps(numbers);
#endif
}

/* The first eight lanes; where there are more, the others are like them. */
BASE_INLINE simd_floats simd_load_eight(const float *numbers)
{
#if defined(__AVX512BW__)
    return _mm512_broadcast_f32x8(_mm256_loadu_ps(numbers));
#else
    return _mm256_loadu_ps(numbers);
#endif
}

BASE_INLINE void simd_store_eight(float *numbers, simd_floats a)
{
#if defined(__AVX512BW__)
    _mm512_mask_storeu_ps(numbers, 0xFF, a);
#else
    _mm256_storeu_ps(numbers, a);
#endif
}

BASE_INLINE simd_doubles simd_doubles_in_order(void)
{
#if defined(__AVX512BW__)
    return _mm512_setr_pd(0, 1, 2, 3, 4, 5, 6, 7);
#else
    return _mm256_setr_pd(0, 1, 2, 3);
#endif
}

BASE_INLINE uint32_t simd_first_word(simd_words words)
{
    return (uint32_t)((simd_signed)words)[0];
}

BASE_INLINE uint32_t simd_last_word(simd_words words)
{
    return (uint32_t)((simd_signed)words)[SIMD_LANES - 1];
}

BASE_INLINE simd_words simd_all_first(simd_words words)
{
#if defined(__AVX512BW__)
    return _mm512_broadcastd_epi32(_mm512_castsi512_si128(words));
#else
    return _mm256_broadcastd_epi32(_mm256_castsi256_si128(words));
#endif
}

BASE_INLINE bool simd_all_zero(simd_words words)
{
#if defined(__AVX512BW__)
    return _mm512_test_epi32_mask(words, words) == 0;
#else
    return _mm256_testz_si256(words, words) != 0;
#endif
}

/* The smallest and the largest of numbers of 0..32767. */
BASE_INLINE int simd_smallest(simd_words numbers)
{
#if defined(__AVX512BW__)
    return _mm512_reduce_min_epi32(numbers);
#else
    const __m128i words =
        _mm_packus_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1));
    return _mm_extract_epi16(_mm_minpos_epu16(words), 0);
#endif
}

BASE_INLINE int simd_largest(simd_words numbers)
{
#if defined(__AVX512BW__)
    return _mm512_reduce_max_epi32(numbers);
#else
    return INT16_MAX - simd_smallest(_mm256_sub_epi32(_mm256_set1_epi32(INT16_MAX), numbers));
#endif
}

/* ---- some of the lanes ---- */

BASE_INLINE simd_lanes simd_lanes_below(size_t count)
{
#if defined(__AVX512BW__)
    return (simd_lanes)(count < SIMD_LANES ? (1U << count) - 1 : UINT16_MAX);
#else
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), simd_words_in_order());
#endif
}

BASE_INLINE simd_lanes simd_lanes_between(int first, int end)
{
#if defined(__AVX512BW__)
    const uint32_t below_end = end < SIMD_LANES ? (1U << end) - 1 : UINT16_MAX;
    return (simd_lanes)(below_end & UINT32_MAX << (first > 0 ? first : 0));
#else
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(end), simd_words_in_order()) &
           _mm256_cmpgt_epi32(simd_words_in_order(), _mm256_set1_epi32(first - 1));
#endif
}

BASE_INLINE simd_lanes simd_positive(simd_words words)
{
#if defined(__AVX512BW__)
    return _mm512_cmpgt_epi32_mask(words, _mm512_setzero_si512());
#else
    return _mm256_cmpgt_epi32(words, _mm256_setzero_si256());
#endif
}

/* In how many lanes the one is greater. */
BASE_INLINE size_t simd_count_greater(simd_floats one, simd_floats other)
{
#if defined(__AVX512BW__)
    const unsigned bits = _mm512_cmp_ps_mask(one, other, _CMP_GT_OQ);
#else
    const unsigned bits = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(one, other, _CMP_GT_OQ));
#endif
    return (size_t)__builtin_popcount(bits);
}

/* The other lanes are 0. */
BASE_INLINE simd_words simd_load_some(const uint32_t *at, simd_lanes some)
{
#if defined(__AVX512BW__)
    return _mm512_maskz_loadu_epi32(some, at);
#else
    return _mm256_maskload_epi32((const int *)(const void *)at, some);
#endif
}

BASE_INLINE void simd_store_some(uint32_t *at, simd_lanes some, simd_words value)
{
#if defined(__AVX512BW__)
    _mm512_mask_storeu_epi32(at, some, value);
#else
    _mm256_maskstore_epi32((int *)(void *)at, some, value);
#endif
}

/* Words from places of their own. A gather without a mask would wait for what its register held
 * before, and so would one with a mask that the compiler knows to be full: simd_positive makes one
 * that it does not know. */
BASE_INLINE simd_words simd_gather(const uint32_t *from, simd_words at, simd_lanes some)
{
#if defined(__AVX512BW__)
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), some, at, from, sizeof *from);
#else
    return _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)(const void *)from, at,
                                       some, sizeof *from);
#endif
}

/* From pairs of places, the word at each and the one after it; loads are faster here than a gather.
 * The places are at[0], at[1], at[4] and at[5], then the same of the next eight. */
BASE_INLINE __m128i simd_two_twos(const uint32_t *from, const uint32_t at[2])
{
    const __m128i first = _mm_loadl_epi64((const __m128i *)(const void *)(from + at[0]));
    const __m128 both =
        _mm_loadh_pi(_mm_castsi128_ps(first), (const __m64 *)(const void *)(from + at[1]));
    return _mm_castps_si128(both);
}

BASE_INLINE __m256i simd_four_twos(const uint32_t *from, const uint32_t at[6])
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(simd_two_twos(from, at)),
                                   simd_two_twos(from, at + 4), 1);
}

BASE_INLINE simd_words simd_twos(const uint32_t *from, const uint32_t at[SIMD_LANES])
{
#if defined(__AVX512BW__)
    return _mm512_inserti64x4(_mm512_castsi256_si512(simd_four_twos(from, at)),
                              simd_four_twos(from, at + 8), 1);
#else
    return simd_four_twos(from, at);
#endif
}
#endif
#endif

#endif
