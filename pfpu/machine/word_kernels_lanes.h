/* Lanes of each operation, spec/pfpu.md section 4, over the vectors of base/simd.h; empty without
 * them. */
#ifndef PFPU_MACHINE_WORD_KERNELS_LANES_H
#define PFPU_MACHINE_WORD_KERNELS_LANES_H

#include "base/simd.h"

#if defined(BASE_SIMD)
#include "pfpu/machine/word_kernels.h"

static inline simd_words constant(uint32_t word)
{
    return SIMD(set1_epi32)((int)word);
}

static inline simd_words fraction(simd_words word)
{
    return simd_and(word, constant(0x007fffff));
}

static inline simd_words exponent(simd_words word)
{
    return simd_and(word, constant(0x7f800000));
}

static inline simd_words magnitude(simd_words word)
{
    return simd_and(word, constant(0x7fffffff));
}

static inline simd_words sign(simd_words word)
{
    return simd_and(word, constant(0x80000000));
}

static inline simd_words negated_where(simd_words word, simd_words all_ones)
{
    return SIMD(sub_epi32)(simd_xor(word, all_ones), all_ones);
}

static inline simd_words as_float(simd_words integer)
{
    return simd_as_word(simd_signed_whole(integer));
}

/* A float keeps 24 bits of at most 26. Without the first bit that it must leave, it rounds down. */
static inline simd_words cut_to_float(simd_words sum)
{
    return simd_and_not(SIMD(srli_epi32)(sum, 24), sum);
}

/* 2^24 + 2 * fraction. */
static inline simd_words guarded(simd_words word)
{
    return simd_or(SIMD(slli_epi32)(fraction(word), 1), constant(1 << 24));
}

static inline simd_words add(simd_words a, simd_words b)
{
    const simd_words size_a = magnitude(a);
    const simd_words size_b = magnitude(b);
    const simd_words big = SIMD(max_epi32)(size_a, size_b);
    const simd_words small = SIMD(min_epi32)(size_a, size_b);
    const simd_words from_a = SIMD(cmpgt_epi32)(size_a, size_b);
    const simd_words unlike = simd_xor(a, b);
    const simd_words signs = sign(simd_xor(b, simd_and(unlike, from_a)));

    const simd_words distance =
        SIMD(sub_epi32)(SIMD(srli_epi32)(big, 23), SIMD(srli_epi32)(small, 23));
    const simd_words shifted = simd_right_each(guarded(small), distance);
    const simd_words counts = SIMD(cmpgt_epi32)(small, constant(0x007fffff));
    const simd_words addend =
        negated_where(simd_and(shifted, counts), SIMD(srai_epi32)(unlike, 31));
    const simd_words sum = SIMD(add_epi32)(guarded(big), addend);

    /* The conversion does the normalising: its exponent is 152 less the leading zeros of 26 bits. A
     * sum of 0 counts as 31 of them. */
    const simd_words normal =
        SIMD(max_epi32)(as_float(cut_to_float(sum)), constant((uint32_t)(152 - 31) << 23));
    const simd_words sized =
        SIMD(add_epi32)(SIMD(sub_epi32)(normal, constant(151U << 23)), exponent(big));
    return simd_or(magnitude(sized), signs);
}

static inline simd_words subtract(simd_words a, simd_words b)
{
    return add(a, simd_xor(b, constant(0x80000000)));
}

/* Bits 47..23 of the products of 24 bits by 24 bits. */
static inline simd_words product(simd_words a, simd_words b)
{
    const simd_words even = SIMD(mul_epu32)(a, b);
    const simd_words odd = SIMD(mul_epu32)(SIMD(srli_epi64)(a, 32), SIMD(srli_epi64)(b, 32));
    return simd_alternate(SIMD(srli_epi64)(even, 23), SIMD(slli_epi64)(odd, 9));
}

static inline simd_words multiply(simd_words a, simd_words b)
{
    const simd_words one = constant(1 << 23);
    const simd_words top = product(simd_or(fraction(a), one), simd_or(fraction(b), one));
    const simd_words carry = SIMD(srli_epi32)(top, 24);
    const simd_words exponent_a = exponent(a);
    const simd_words exponent_b = exponent(b);
    /* The leading one of the product adds 1 to the exponent, hence 128 in place of 127. */
    const simd_words biased =
        SIMD(sub_epi32)(SIMD(add_epi32)(exponent_a, exponent_b), constant(128U << 23));
    const simd_words fractions =
        SIMD(add_epi32)(simd_right_each(top, carry), SIMD(slli_epi32)(carry, 23));
    const simd_words signs = sign(simd_xor(a, b));
    const simd_words word = simd_or(magnitude(SIMD(add_epi32)(biased, fractions)), signs);
    const simd_words zero =
        SIMD(cmpeq_epi32)(SIMD(min_epi32)(exponent_a, exponent_b), simd_all_words(0));
    return simd_and_not(zero, word);
}

static inline simd_words to_integer(simd_words a)
{
    const simd_words whole = simd_or(fraction(a), constant(1 << 23));
    const simd_words place = SIMD(sub_epi32)(SIMD(srli_epi32)(exponent(a), 23), constant(150));
    const simd_words right = SIMD(sub_epi32)(simd_all_words(0), place);
    /* Shifts by 32 and more, and negative ones, give 0. */
    const simd_words value =
        magnitude(simd_or(simd_left_each(whole, place), simd_right_each(whole, right)));
    return negated_where(value, SIMD(srai_epi32)(a, 31));
}

static inline simd_words to_float(simd_words a)
{
    const simd_words value = magnitude(negated_where(a, SIMD(srai_epi32)(a, 31)));
    /* Without the bit behind the first one no rounding reaches the next power of two. Nothing at
     * all, which is left of 80000000, counts as 31 leading zeros. */
    const simd_words rough = as_float(simd_and_not(SIMD(srli_epi32)(value, 1), value));
    const simd_words size = SIMD(max_epi32)(exponent(rough), constant(126U << 23));
    const simd_words zeros = SIMD(sub_epi32)(constant(157), SIMD(srli_epi32)(size, 23));
    const simd_words fractions = fraction(SIMD(srli_epi32)(simd_left_each(value, zeros), 7));
    const simd_words word = simd_or(simd_or(size, fractions), sign(a));
    return simd_and_not(SIMD(cmpeq_epi32)(a, simd_all_words(0)), word);
}

/* The sine of an angle of 13 bits; what is above them does not count. */
static inline simd_words sine(simd_words angle, const uint32_t *sines)
{
    const simd_words within = simd_and(angle, constant(2047));
    const simd_words falling = SIMD(srai_epi32)(SIMD(slli_epi32)(angle, 31 - 11), 31);
    const simd_words index =
        SIMD(add_epi32)(negated_where(within, falling), simd_and(falling, constant(2048)));
    const simd_words word = simd_gather(sines, index, simd_positive(constant(1)));
    return simd_or(word, sign(SIMD(slli_epi32)(angle, 31 - 12)));
}

static inline simd_words sine_of(simd_words a, const uint32_t *sines)
{
    const simd_words negative = SIMD(srai_epi32)(a, 31);
    const simd_words turned = simd_and(negative, constant(4096));
    return sine(SIMD(add_epi32)(negated_where(a, negative), turned), sines);
}

static inline simd_words cosine_of(simd_words a, const uint32_t *sines)
{
    const simd_words angle = negated_where(a, SIMD(srai_epi32)(a, 31));
    return sine(SIMD(add_epi32)(angle, constant(2048)), sines);
}

static inline simd_words truth(simd_words all_ones)
{
    return simd_and(all_ones, constant(0x3f800000));
}

/* Sign and magnitude to an integer with the same order; -0 comes just before +0. */
static inline simd_words ordered(simd_words word)
{
    return simd_xor(word, SIMD(srli_epi32)(SIMD(srai_epi32)(word, 31), 1));
}

static inline simd_words above(simd_words a, simd_words b)
{
    return truth(SIMD(cmpgt_epi32)(ordered(a), ordered(b)));
}

static inline simd_words choose(simd_words condition, simd_words a, simd_words b)
{
    return SIMD(blendv_epi8)(a, b, SIMD(cmpeq_epi32)(condition, simd_all_words(0)));
}

static inline simd_words quake(simd_words a)
{
    return SIMD(sub_epi32)(constant(0x5f3759df), SIMD(srli_epi32)(magnitude(a), 1));
}

#define A simd_load_words(a.words + group * a.step + lane)
#define B simd_load_words(b.words + group * b.step + lane)
#define C simd_load_words(c.words + group * c.step + lane)
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
            for (size_t lane = 0; lane < PFPU_WORD_GROUP; lane += SIMD_LANES) {                    \
                simd_store_words(result + group * PFPU_WORD_GROUP + lane, value);                  \
            }                                                                                      \
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
KERNEL(equal, truth(SIMD(cmpeq_epi32)(A, B)))
KERNEL(copy, A)
KERNEL(if, choose(A, B, C))
KERNEL(tsign, simd_xor(A, sign(B)))
KERNEL(quake, quake(A))

#define AT(name) [PFPU_OP_WORD_##name - PFPU_OP_WORD_NOP]
#endif

#endif
