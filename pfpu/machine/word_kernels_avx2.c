

#if defined(__x86_64__)
#include "pfpu/machine/word_kernels.h"

#include <immintrin.h>

/* Eight lanes of each operation, spec/pfpu.md section 4. */

static inline __m256i constant(uint32_t word)
{
    return _mm256_set1_epi32((int)word);
}

static inline __m256i fraction(__m256i word)
{
    return _mm256_and_si256(word, constant(0x007fffff));
}

static inline __m256i exponent(__m256i word)
{
    return _mm256_and_si256(word, constant(0x7f800000));
}

static inline __m256i magnitude(__m256i word)
{
    return _mm256_and_si256(word, constant(0x7fffffff));
}

static inline __m256i sign(__m256i word)
{
    return _mm256_and_si256(word, constant(0x80000000));
}

static inline __m256i negated_where(__m256i word, __m256i all_ones)
{
    return _mm256_sub_epi32(_mm256_xor_si256(word, all_ones), all_ones);
}

static inline __m256i as_float(__m256i integer)
{
    return _mm256_castps_si256(_mm256_cvtepi32_ps(integer));
}

/* A float keeps 24 bits of at most 26. Without the first bit that it must leave, it rounds down. */
static inline __m256i cut_to_float(__m256i sum)
{
    return _mm256_andnot_si256(_mm256_srli_epi32(sum, 24), sum);
}

/* 2^24 + 2 * fraction. */
static inline __m256i guarded(__m256i word)
{
    return _mm256_or_si256(_mm256_slli_epi32(fraction(word), 1), constant(1 << 24));
}

static inline __m256i add(__m256i a, __m256i b)
{
    const __m256i size_a = magnitude(a);
    const __m256i size_b = magnitude(b);
    const __m256i big = _mm256_max_epi32(size_a, size_b);
    const __m256i small = _mm256_min_epi32(size_a, size_b);
    const __m256i from_a = _mm256_cmpgt_epi32(size_a, size_b);
    const __m256i unlike = _mm256_xor_si256(a, b);
    const __m256i signs = sign(_mm256_xor_si256(b, _mm256_and_si256(unlike, from_a)));

    const __m256i distance =
        _mm256_sub_epi32(_mm256_srli_epi32(big, 23), _mm256_srli_epi32(small, 23));
    const __m256i shifted = _mm256_srlv_epi32(guarded(small), distance);
    const __m256i counts = _mm256_cmpgt_epi32(small, constant(0x007fffff));
    const __m256i addend =
        negated_where(_mm256_and_si256(shifted, counts), _mm256_srai_epi32(unlike, 31));
    const __m256i sum = _mm256_add_epi32(guarded(big), addend);

    /* The conversion does the normalising: its exponent is 152 less the leading zeros of 26 bits. A
     * sum of 0 counts as 31 of them. */
    const __m256i normal =
        _mm256_max_epi32(as_float(cut_to_float(sum)), constant((uint32_t)(152 - 31) << 23));
    const __m256i sized =
        _mm256_add_epi32(_mm256_sub_epi32(normal, constant(151U << 23)), exponent(big));
    return _mm256_or_si256(magnitude(sized), signs);
}

static inline __m256i subtract(__m256i a, __m256i b)
{
    return add(a, _mm256_xor_si256(b, constant(0x80000000)));
}

/* Bits 47..23 of the products of 24 bits by 24 bits. */
static inline __m256i product(__m256i a, __m256i b)
{
    const __m256i even = _mm256_mul_epu32(a, b);
    const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
    return _mm256_blend_epi32(_mm256_srli_epi64(even, 23), _mm256_slli_epi64(odd, 9), 0xAA);
}

static inline __m256i multiply(__m256i a, __m256i b)
{
    const __m256i one = constant(1 << 23);
    const __m256i top =
        product(_mm256_or_si256(fraction(a), one), _mm256_or_si256(fraction(b), one));
    const __m256i carry = _mm256_srli_epi32(top, 24);
    const __m256i exponent_a = exponent(a);
    const __m256i exponent_b = exponent(b);
    /* The leading one of the product adds 1 to the exponent, hence 128 in place of 127. */
    const __m256i biased =
        _mm256_sub_epi32(_mm256_add_epi32(exponent_a, exponent_b), constant(128U << 23));
    const __m256i fractions =
        _mm256_add_epi32(_mm256_srlv_epi32(top, carry), _mm256_slli_epi32(carry, 23));
    const __m256i signs = sign(_mm256_xor_si256(a, b));
    const __m256i word = _mm256_or_si256(magnitude(_mm256_add_epi32(biased, fractions)), signs);
    const __m256i zero =
        _mm256_cmpeq_epi32(_mm256_min_epi32(exponent_a, exponent_b), _mm256_setzero_si256());
    return _mm256_andnot_si256(zero, word);
}

static inline __m256i to_integer(__m256i a)
{
    const __m256i whole = _mm256_or_si256(fraction(a), constant(1 << 23));
    const __m256i place = _mm256_sub_epi32(_mm256_srli_epi32(exponent(a), 23), constant(150));
    const __m256i right = _mm256_sub_epi32(_mm256_setzero_si256(), place);
    /* Shifts by 32 and more, and negative ones, give 0. */
    const __m256i value = magnitude(
        _mm256_or_si256(_mm256_sllv_epi32(whole, place), _mm256_srlv_epi32(whole, right)));
    return negated_where(value, _mm256_srai_epi32(a, 31));
}

static inline __m256i to_float(__m256i a)
{
    const __m256i value = magnitude(negated_where(a, _mm256_srai_epi32(a, 31)));
    /* Without the bit behind the first one no rounding reaches the next power of two. Nothing at
     * all, which is left of 80000000, counts as 31 leading zeros. */
    const __m256i rough = as_float(_mm256_andnot_si256(_mm256_srli_epi32(value, 1), value));
    const __m256i size = _mm256_max_epi32(exponent(rough), constant(126U << 23));
    const __m256i zeros = _mm256_sub_epi32(constant(157), _mm256_srli_epi32(size, 23));
    const __m256i fractions = fraction(_mm256_srli_epi32(_mm256_sllv_epi32(value, zeros), 7));
    const __m256i word = _mm256_or_si256(_mm256_or_si256(size, fractions), sign(a));
    return _mm256_andnot_si256(_mm256_cmpeq_epi32(a, _mm256_setzero_si256()), word);
}

/* The sine of an angle of 13 bits; what is above them does not count. */
static inline __m256i sine(__m256i angle, const uint32_t *sines)
{
    const __m256i within = _mm256_and_si256(angle, constant(2047));
    const __m256i falling = _mm256_srai_epi32(_mm256_slli_epi32(angle, 31 - 11), 31);
    const __m256i index =
        _mm256_add_epi32(negated_where(within, falling), _mm256_and_si256(falling, constant(2048)));
    const __m256i word = _mm256_i32gather_epi32((const int *)(const void *)sines, index, 4);
    return _mm256_or_si256(word, sign(_mm256_slli_epi32(angle, 31 - 12)));
}

static inline __m256i sine_of(__m256i a, const uint32_t *sines)
{
    const __m256i negative = _mm256_srai_epi32(a, 31);
    const __m256i turned = _mm256_and_si256(negative, constant(4096));
    return sine(_mm256_add_epi32(negated_where(a, negative), turned), sines);
}

static inline __m256i cosine_of(__m256i a, const uint32_t *sines)
{
    const __m256i angle = negated_where(a, _mm256_srai_epi32(a, 31));
    return sine(_mm256_add_epi32(angle, constant(2048)), sines);
}

static inline __m256i truth(__m256i all_ones)
{
    return _mm256_and_si256(all_ones, constant(0x3f800000));
}

/* Sign and magnitude to an integer with the same order; -0 comes just before +0. */
static inline __m256i ordered(__m256i word)
{
    return _mm256_xor_si256(word, _mm256_srli_epi32(_mm256_srai_epi32(word, 31), 1));
}

static inline __m256i above(__m256i a, __m256i b)
{
    return truth(_mm256_cmpgt_epi32(ordered(a), ordered(b)));
}

static inline __m256i choose(__m256i condition, __m256i a, __m256i b)
{
    return _mm256_blendv_epi8(a, b, _mm256_cmpeq_epi32(condition, _mm256_setzero_si256()));
}

static inline __m256i quake(__m256i a)
{
    return _mm256_sub_epi32(constant(0x5f3759df), _mm256_srli_epi32(magnitude(a), 1));
}

static inline __m256i load(struct pfpu_word_operand operand, size_t group)
{
    return _mm256_loadu_si256(
        (const __m256i *)(const void *)(operand.words + group * operand.step));
}

static inline void store(uint32_t *result, size_t group, __m256i word)
{
    _mm256_storeu_si256((__m256i *)(void *)(result + group * PFPU_WORD_GROUP), word);
}

#define A load(a, group)
#define B load(b, group)
#define C load(c, group)
#define KERNEL(name, value)                                                                        \
    static void run_##name(const struct pfpu_word_step *step, size_t groups)                       \
    {                                                                                              \
        const struct pfpu_word_operand a = step->operands[0];                                      \
        const struct pfpu_word_operand b = step->operands[1];                                      \
        const struct pfpu_word_operand c = step->operands[2];                                      \
        const uint32_t *const sines = step->sines;                                                 \
        uint32_t *const result = step->result;                                                     \
        (void)b;                                                                                   \
        (void)c;                                                                                   \
        (void)sines;                                                                               \
        for (size_t group = 0; group < groups; group++) {                                          \
            store(result, group, value);                                                           \
        }                                                                                          \
    }

KERNEL(fadd, add(A, B))
KERNEL(fsub, subtract(A, B))
KERNEL(fmul, multiply(A, B))
KERNEL(fabs, magnitude(A))
KERNEL(f2i, to_integer(A))
KERNEL(i2f, to_float(A))
KERNEL(sin, sine_of(A, sines))
KERNEL(cos, cosine_of(A, sines))
KERNEL(above, above(A, B))
KERNEL(equal, truth(_mm256_cmpeq_epi32(A, B)))
KERNEL(copy, A)
KERNEL(if, choose(A, B, C))
KERNEL(tsign, _mm256_xor_si256(A, sign(B)))
KERNEL(quake, quake(A))

#define AT(name) [PFPU_OP_WORD_##name - PFPU_OP_WORD_NOP]
pfpu_word_kernel *const pfpu_word_kernels_avx2[PFPU_OPCODE_COUNT] = {
    AT(FADD) = run_fadd,   AT(FSUB) = run_fsub,   AT(FMUL) = run_fmul, AT(FABS) = run_fabs,
    AT(F2I) = run_f2i,     AT(I2F) = run_i2f,     AT(SIN) = run_sin,   AT(COS) = run_cos,
    AT(ABOVE) = run_above, AT(EQUAL) = run_equal, AT(COPY) = run_copy, AT(IF) = run_if,
    AT(TSIGN) = run_tsign, AT(QUAKE) = run_quake,
};

#else
typedef int pfpu_word_kernels_avx2_not_for_this_machine;
#endif
