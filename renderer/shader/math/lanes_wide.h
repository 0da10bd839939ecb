/* The operations of lanes_one.h that AVX2 and AVX-512 have under names of the same pattern, for
 * lanes_eight.h and lanes_sixteen.h, which say by macros how they are called there; empty alone. */
#ifndef RENDERER_SHADER_MATH_LANES_WIDE_H
#define RENDERER_SHADER_MATH_LANES_WIDE_H

#if defined(LANE_OP)
BASE_INLINE LANE_NUMBER lane_load(const float *numbers)
{
    return LANE_OP(loadu_ps)(numbers);
}

BASE_INLINE void lane_store(float *numbers, LANE_NUMBER a)
{
    LANE_OP(storeu_ps)(numbers, a);
}

BASE_INLINE LANE_NUMBER lane_all(float x)
{
    return LANE_OP(set1_ps)(x);
}

BASE_INLINE LANE_WORD lane_all_words(uint32_t word)
{
    return LANE_OP(set1_epi32)((int)word);
}

BASE_INLINE LANE_WORD lane_as_word(LANE_NUMBER x)
{
    return LANE_SI(castps)(x);
}

BASE_INLINE LANE_NUMBER lane_as_number(LANE_WORD word)
{
    return LANE_FROM_WORD(word);
}

BASE_INLINE LANE_NUMBER lane_add(LANE_NUMBER a, LANE_NUMBER b)
{
    return LANE_OP(add_ps)(a, b);
}

BASE_INLINE LANE_NUMBER lane_sub(LANE_NUMBER a, LANE_NUMBER b)
{
    return LANE_OP(sub_ps)(a, b);
}

BASE_INLINE LANE_NUMBER lane_mul(LANE_NUMBER a, LANE_NUMBER b)
{
    return LANE_OP(mul_ps)(a, b);
}

BASE_INLINE LANE_NUMBER lane_div(LANE_NUMBER a, LANE_NUMBER b)
{
    return LANE_OP(div_ps)(a, b);
}

/* The processor gives its second operand where one is NaN or both are equal. */
BASE_INLINE LANE_NUMBER lane_min(LANE_NUMBER a, LANE_NUMBER b)
{
    return LANE_OP(min_ps)(b, a);
}

BASE_INLINE LANE_NUMBER lane_max(LANE_NUMBER a, LANE_NUMBER b)
{
    return LANE_OP(max_ps)(b, a);
}

BASE_INLINE LANE_NUMBER lane_floor(LANE_NUMBER a)
{
    return LANE_ROUNDED(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

BASE_INLINE LANE_NUMBER lane_ceil(LANE_NUMBER a)
{
    return LANE_ROUNDED(a, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}

BASE_INLINE LANE_NUMBER lane_trunc(LANE_NUMBER a)
{
    return LANE_ROUNDED(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

BASE_INLINE LANE_NUMBER lane_round(LANE_NUMBER a)
{
    return LANE_ROUNDED(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

BASE_INLINE LANE_NUMBER lane_root(LANE_NUMBER a)
{
    return LANE_OP(sqrt_ps)(a);
}

BASE_INLINE LANE_WORD lane_lt(LANE_NUMBER a, LANE_NUMBER b)
{
    return LANE_COMPARED(a, b, _CMP_LT_OQ);
}

BASE_INLINE LANE_WORD lane_le(LANE_NUMBER a, LANE_NUMBER b)
{
    return LANE_COMPARED(a, b, _CMP_LE_OQ);
}

BASE_INLINE LANE_WORD lane_eq(LANE_NUMBER a, LANE_NUMBER b)
{
    return LANE_COMPARED(a, b, _CMP_EQ_OQ);
}

BASE_INLINE LANE_WORD lane_ne(LANE_NUMBER a, LANE_NUMBER b)
{
    return LANE_COMPARED(a, b, _CMP_NEQ_OQ);
}

BASE_INLINE LANE_WORD lane_and(LANE_WORD a, LANE_WORD b)
{
    return LANE_SI(and)(a, b);
}

BASE_INLINE LANE_WORD lane_or(LANE_WORD a, LANE_WORD b)
{
    return LANE_SI(or)(a, b);
}

BASE_INLINE LANE_WORD lane_xor(LANE_WORD a, LANE_WORD b)
{
    return LANE_SI(xor)(a, b);
}

BASE_INLINE LANE_WORD lane_and_not(LANE_WORD a, LANE_WORD b)
{
    return LANE_SI(andnot)(a, b);
}

BASE_INLINE LANE_WORD lane_plus(LANE_WORD a, LANE_WORD b)
{
    return LANE_OP(add_epi32)(a, b);
}

BASE_INLINE LANE_WORD lane_left(LANE_WORD a, int bits)
{
    return LANE_OP(slli_epi32)(a, LANE_BITS(bits));
}

BASE_INLINE LANE_WORD lane_right_signed(LANE_WORD a, int bits)
{
    return LANE_OP(srai_epi32)(a, LANE_BITS(bits));
}

BASE_INLINE LANE_NUMBER lane_signed_whole(LANE_WORD a)
{
    return LANE_OP(cvtepi32_ps)(a);
}
#endif

#endif
