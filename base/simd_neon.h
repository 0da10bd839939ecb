/* The operations of base/simd.h that C has no operator for, for arm64: by the names that they have
 * with SSE4.1, and with the bits that they give there, also where Arm's own instructions differ:
 * minimum and maximum give their second operand where one is NaN or both are zero, and what is no
 * whole number of 32 bits becomes -2^31. Whether a NaN that an operation makes is negative differs.
 * Only base/simd.h includes this; it is empty elsewhere. */
#ifndef BASE_SIMD_NEON_H
#define BASE_SIMD_NEON_H

#include "base/cpu.h"

#if defined(BASE_CPU_NEON)
#include <arm_neon.h>
#include <stdint.h>

typedef float32x4_t simd_floats;
typedef float64x2_t simd_doubles;
typedef int64_t simd_words __attribute__((vector_size(16), may_alias));

/* Lanes of all kinds, for the compiler's operators. */
typedef int16_t simd_neon_shorts __attribute__((vector_size(16)));
typedef uint16_t simd_neon_halves __attribute__((vector_size(16)));
typedef int32_t simd_neon_signed __attribute__((vector_size(16)));
typedef uint32_t simd_neon_unsigned __attribute__((vector_size(16)));
typedef uint64_t simd_neon_longs __attribute__((vector_size(16)));

/* ---- loads and constants ---- */

BASE_INLINE simd_words simd_neon_loadu(const void *from)
{
    return (simd_words)vld1q_u8(from);
}

BASE_INLINE void simd_neon_storeu(void *to, simd_words a)
{
    vst1q_u8(to, (uint8x16_t)a);
}

BASE_INLINE void simd_neon_store(void *to, simd_words a)
{
    simd_neon_storeu(to, a);
}

BASE_INLINE simd_floats simd_neon_loadu_ps(const float *from)
{
    return vld1q_f32(from);
}

BASE_INLINE void simd_neon_storeu_ps(float *to, simd_floats a)
{
    vst1q_f32(to, a);
}

BASE_INLINE simd_doubles simd_neon_loadu_pd(const double *from)
{
    return vld1q_f64(from);
}

BASE_INLINE void simd_neon_storeu_pd(double *to, simd_doubles a)
{
    vst1q_f64(to, a);
}

BASE_INLINE simd_words simd_neon_set1_epi8(int number)
{
    return (simd_words)vdupq_n_s8((int8_t)number);
}

BASE_INLINE simd_words simd_neon_set1_epi16(int number)
{
    return (simd_words)vdupq_n_s16((int16_t)number);
}

BASE_INLINE simd_words simd_neon_set1_epi32(int number)
{
    return (simd_words)vdupq_n_s32(number);
}

BASE_INLINE simd_floats simd_neon_set1_ps(float number)
{
    return vdupq_n_f32(number);
}

BASE_INLINE simd_doubles simd_neon_set1_pd(double number)
{
    return vdupq_n_f64(number);
}

BASE_INLINE simd_doubles simd_neon_setzero_pd(void)
{
    return vdupq_n_f64(0);
}

/* ---- whole numbers ---- */

#define SIMD_NEON_BINARY(name, lanes, function)                                                    \
    BASE_INLINE simd_words simd_neon_##name(simd_words a, simd_words b)                            \
    {                                                                                              \
        return (simd_words)function((lanes)a, (lanes)b);                                           \
    }

SIMD_NEON_BINARY(add_epi8, uint8x16_t, vaddq_u8)
SIMD_NEON_BINARY(add_epi16, uint16x8_t, vaddq_u16)
SIMD_NEON_BINARY(add_epi32, uint32x4_t, vaddq_u32)
SIMD_NEON_BINARY(add_epi64, uint64x2_t, vaddq_u64)
SIMD_NEON_BINARY(adds_epi16, int16x8_t, vqaddq_s16)
SIMD_NEON_BINARY(adds_epu8, uint8x16_t, vqaddq_u8)
SIMD_NEON_BINARY(sub_epi16, uint16x8_t, vsubq_u16)
SIMD_NEON_BINARY(sub_epi32, uint32x4_t, vsubq_u32)
SIMD_NEON_BINARY(cmpeq_epi32, int32x4_t, vceqq_s32)
SIMD_NEON_BINARY(cmpgt_epi32, int32x4_t, vcgtq_s32)
SIMD_NEON_BINARY(max_epi16, int16x8_t, vmaxq_s16)
SIMD_NEON_BINARY(max_epi32, int32x4_t, vmaxq_s32)
SIMD_NEON_BINARY(max_epu32, uint32x4_t, vmaxq_u32)
SIMD_NEON_BINARY(min_epi16, int16x8_t, vminq_s16)
SIMD_NEON_BINARY(min_epi32, int32x4_t, vminq_s32)
SIMD_NEON_BINARY(min_epu32, uint32x4_t, vminq_u32)
SIMD_NEON_BINARY(mullo_epi16, uint16x8_t, vmulq_u16)
SIMD_NEON_BINARY(mullo_epi32, uint32x4_t, vmulq_u32)
SIMD_NEON_BINARY(unpacklo_epi8, uint8x16_t, vzip1q_u8)
SIMD_NEON_BINARY(unpackhi_epi8, uint8x16_t, vzip2q_u8)
SIMD_NEON_BINARY(unpacklo_epi16, uint16x8_t, vzip1q_u16)
SIMD_NEON_BINARY(unpackhi_epi16, uint16x8_t, vzip2q_u16)
SIMD_NEON_BINARY(unpacklo_epi32, uint32x4_t, vzip1q_u32)
SIMD_NEON_BINARY(unpackhi_epi32, uint32x4_t, vzip2q_u32)
SIMD_NEON_BINARY(unpacklo_epi64, uint64x2_t, vzip1q_u64)
SIMD_NEON_BINARY(unpackhi_epi64, uint64x2_t, vzip2q_u64)

/* By fewer bits than a lane has. */
#define SIMD_NEON_SHIFT(name, lanes, operator)                                                     \
    BASE_INLINE simd_words simd_neon_##name(simd_words a, int bits)                                \
    {                                                                                              \
        return (simd_words)((lanes)a operator bits);                                               \
    }

SIMD_NEON_SHIFT(slli_epi16, simd_neon_halves, <<)
SIMD_NEON_SHIFT(slli_epi32, simd_neon_unsigned, <<)
SIMD_NEON_SHIFT(slli_epi64, simd_neon_longs, <<)
SIMD_NEON_SHIFT(srli_epi16, simd_neon_halves, >>)
SIMD_NEON_SHIFT(srli_epi32, simd_neon_unsigned, >>)
SIMD_NEON_SHIFT(srli_epi64, simd_neon_longs, >>)
SIMD_NEON_SHIFT(srai_epi16, simd_neon_shorts, >>)
SIMD_NEON_SHIFT(srai_epi32, simd_neon_signed, >>)

BASE_INLINE simd_words simd_neon_abs_epi16(simd_words a)
{
    return (simd_words)vabsq_s16((int16x8_t)a);
}

/* Products of the lower four lanes and the upper four. */
#define SIMD_NEON_LOWER(a, b) vmull_s16(vget_low_s16((int16x8_t)(a)), vget_low_s16((int16x8_t)(b)))
#define SIMD_NEON_UPPER(a, b) vmull_high_s16((int16x8_t)(a), (int16x8_t)(b))

BASE_INLINE simd_words simd_neon_madd_epi16(simd_words a, simd_words b)
{
    return (simd_words)vpaddq_s32(SIMD_NEON_LOWER(a, b), SIMD_NEON_UPPER(a, b));
}

/* Even bytes and odd ones; no product leaves 16 bits. */
BASE_INLINE simd_words simd_neon_maddubs_epi16(simd_words a, simd_words b)
{
    const simd_neon_shorts even = (simd_neon_shorts)((simd_neon_halves)a & 0xFF) *
                                  ((simd_neon_shorts)((simd_neon_halves)b << 8) >> 8);
    const simd_neon_shorts odd =
        (simd_neon_shorts)((simd_neon_halves)a >> 8) * ((simd_neon_shorts)b >> 8);
    return (simd_words)vqaddq_s16((int16x8_t)even, (int16x8_t)odd);
}

BASE_INLINE simd_words simd_neon_mulhi_epi16(simd_words a, simd_words b)
{
    return (simd_words)vuzp2q_s16((int16x8_t)SIMD_NEON_LOWER(a, b),
                                  (int16x8_t)SIMD_NEON_UPPER(a, b));
}

BASE_INLINE simd_words simd_neon_mulhi_epu16(simd_words a, simd_words b)
{
    const uint32x4_t lower = vmull_u16(vget_low_u16((uint16x8_t)a), vget_low_u16((uint16x8_t)b));
    const uint32x4_t upper = vmull_high_u16((uint16x8_t)a, (uint16x8_t)b);
    return (simd_words)vuzp2q_u16((uint16x8_t)lower, (uint16x8_t)upper);
}

/* Without saturation: -2^15 times itself is -2^15. */
BASE_INLINE simd_words simd_neon_mulhrs_epi16(simd_words a, simd_words b)
{
    return (simd_words)vcombine_s16(vrshrn_n_s32(SIMD_NEON_LOWER(a, b), 15),
                                    vrshrn_n_s32(SIMD_NEON_UPPER(a, b), 15));
}

BASE_INLINE simd_words simd_neon_mul_epu32(simd_words a, simd_words b)
{
    return (simd_words)vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)b));
}

BASE_INLINE simd_words simd_neon_packs_epi32(simd_words a, simd_words b)
{
    return (simd_words)vcombine_s16(vqmovn_s32((int32x4_t)a), vqmovn_s32((int32x4_t)b));
}

BASE_INLINE simd_words simd_neon_packus_epi32(simd_words a, simd_words b)
{
    return (simd_words)vcombine_u16(vqmovun_s32((int32x4_t)a), vqmovun_s32((int32x4_t)b));
}

BASE_INLINE simd_words simd_neon_packus_epi16(simd_words a, simd_words b)
{
    return (simd_words)vcombine_u8(vqmovun_s16((int16x8_t)a), vqmovun_s16((int16x8_t)b));
}

/* A byte of the order whose uppermost bit is set gives 0. */
BASE_INLINE simd_words simd_neon_shuffle_epi8(simd_words a, simd_words order)
{
    const uint8x16_t places = vandq_u8((uint8x16_t)order, vdupq_n_u8(0x8F));
    return (simd_words)vqtbl1q_u8((uint8x16_t)a, places);
}

BASE_INLINE simd_words simd_neon_shuffle_epi32(simd_words a, int order)
{
    const simd_neon_signed word = (simd_neon_signed)a;
    return (simd_words)(simd_neon_signed){word[order & 3], word[order >> 2 & 3],
                                          word[order >> 4 & 3], word[order >> 6 & 3]};
}

BASE_INLINE simd_words simd_neon_blend_epi16(simd_words a, simd_words b, int which)
{
    const simd_neon_shorts bits = {1, 2, 4, 8, 16, 32, 64, 128};
    const simd_words second = (simd_words)((bits & (int16_t)which) != 0);
    return (a & ~second) | (b & second);
}

BASE_INLINE simd_words simd_neon_blendv_epi8(simd_words a, simd_words b, simd_words second)
{
    const uint8x16_t mask = (uint8x16_t)vshrq_n_s8((int8x16_t)second, 7);
    return (simd_words)vbslq_u8(mask, (uint8x16_t)b, (uint8x16_t)a);
}

/* Of the lower half. */
BASE_INLINE simd_words simd_neon_cvtepu16_epi32(simd_words a)
{
    return (simd_words)vmovl_u16(vget_low_u16((uint16x8_t)a));
}

BASE_INLINE simd_words simd_neon_cvtepi32_epi64(simd_words a)
{
    return (simd_words)vmovl_s32(vget_low_s32((int32x4_t)a));
}

/* ---- floats ---- */

BASE_INLINE simd_floats simd_neon_add_ps(simd_floats a, simd_floats b)
{
    return a + b;
}

BASE_INLINE simd_floats simd_neon_mul_ps(simd_floats a, simd_floats b)
{
    return a * b;
}

BASE_INLINE simd_floats simd_neon_min_ps(simd_floats a, simd_floats b)
{
    return vbslq_f32(vcltq_f32(a, b), a, b);
}

BASE_INLINE simd_floats simd_neon_max_ps(simd_floats a, simd_floats b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

BASE_INLINE simd_floats simd_neon_sqrt_ps(simd_floats a)
{
    return vsqrtq_f32(a);
}

BASE_INLINE simd_floats simd_neon_blendv_ps(simd_floats a, simd_floats b, simd_floats second)
{
    return vbslq_f32((uint32x4_t)vshrq_n_s32((int32x4_t)second, 31), b, a);
}

BASE_INLINE simd_floats simd_neon_shuffle_ps(simd_floats a, simd_floats b, int order)
{
    return (simd_floats){a[order & 3], a[order >> 2 & 3], b[order >> 4 & 3], b[order >> 6 & 3]};
}

BASE_INLINE simd_floats simd_neon_unpacklo_ps(simd_floats a, simd_floats b)
{
    return vzip1q_f32(a, b);
}

BASE_INLINE simd_floats simd_neon_unpackhi_ps(simd_floats a, simd_floats b)
{
    return vzip2q_f32(a, b);
}

BASE_INLINE simd_floats simd_neon_cvtepi32_ps(simd_words a)
{
    return vcvtq_f32_s32((int32x4_t)a);
}

BASE_INLINE simd_words simd_neon_cvttps_epi32(simd_floats a)
{
    const uint32x4_t fits = vcltq_f32(a, vdupq_n_f32(0x1p31f));
    return (simd_words)vbslq_s32(fits, vcvtq_s32_f32(a), vdupq_n_s32(INT32_MIN));
}

BASE_INLINE int simd_neon_movemask_ps(simd_floats a)
{
    const uint32x4_t bits = {1, 2, 4, 8};
    const uint32x4_t signs = (uint32x4_t)vshrq_n_s32((int32x4_t)a, 31);
    return (int)vaddvq_u32(vandq_u32(signs, bits));
}

/* ---- doubles ---- */

BASE_INLINE simd_doubles simd_neon_add_pd(simd_doubles a, simd_doubles b)
{
    return a + b;
}

BASE_INLINE simd_doubles simd_neon_sub_pd(simd_doubles a, simd_doubles b)
{
    return a - b;
}

BASE_INLINE simd_doubles simd_neon_mul_pd(simd_doubles a, simd_doubles b)
{
    return a * b;
}

BASE_INLINE simd_doubles simd_neon_min_pd(simd_doubles a, simd_doubles b)
{
    return vbslq_f64(vcltq_f64(a, b), a, b);
}

BASE_INLINE simd_doubles simd_neon_max_pd(simd_doubles a, simd_doubles b)
{
    return vbslq_f64(vcgtq_f64(a, b), a, b);
}

BASE_INLINE simd_doubles simd_neon_sqrt_pd(simd_doubles a)
{
    return vsqrtq_f64(a);
}

BASE_INLINE simd_doubles simd_neon_floor_pd(simd_doubles a)
{
    return vrndmq_f64(a);
}

BASE_INLINE simd_doubles simd_neon_ceil_pd(simd_doubles a)
{
    return vrndpq_f64(a);
}

BASE_INLINE simd_doubles simd_neon_blendv_pd(simd_doubles a, simd_doubles b, simd_doubles second)
{
    return vbslq_f64((uint64x2_t)vshrq_n_s64((int64x2_t)second, 63), b, a);
}

BASE_INLINE simd_doubles simd_neon_cvtepi32_pd(simd_words a)
{
    return vcvtq_f64_s64(vmovl_s32(vget_low_s32((int32x4_t)a)));
}

/* Floats stand in the lower half. */
BASE_INLINE simd_doubles simd_neon_cvtps_pd(simd_floats a)
{
    return vcvt_f64_f32(vget_low_f32(a));
}

BASE_INLINE simd_floats simd_neon_cvtpd_ps(simd_doubles a)
{
    return vcombine_f32(vcvt_f32_f64(a), vdup_n_f32(0));
}

/* In the lower half; the upper one is 0. */
BASE_INLINE simd_words simd_neon_cvttpd_epi32(simd_doubles a)
{
    const uint64x2_t fits =
        vandq_u64(vcgtq_f64(a, vdupq_n_f64(-0x1p31 - 1)), vcltq_f64(a, vdupq_n_f64(0x1p31)));
    const int32x2_t words =
        vbsl_s32(vmovn_u64(fits), vmovn_s64(vcvtq_s64_f64(a)), vdup_n_s32(INT32_MIN));
    return (simd_words)vcombine_s32(words, vdup_n_s32(0));
}

BASE_INLINE int simd_neon_movemask_pd(simd_doubles a)
{
    const uint64x2_t bits = {1, 2};
    const uint64x2_t signs = (uint64x2_t)vshrq_n_s64((int64x2_t)a, 63);
    return (int)vaddvq_u64(vandq_u64(signs, bits));
}

#endif

#endif
