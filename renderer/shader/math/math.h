/* Elementary functions of shaders in 32-bit floats: the same bits on every machine and in every
 * lane, made of single IEEE operations in a fixed order. terms.h holds their text, expanded
 * here for one number and in *_avx2.c for eight. Errors are measured against doubles, at floats all
 * through the ranges, by tests/unit/renderer/shader/test_renderer_shader_math.c. */
#ifndef RENDERER_SHADER_MATH_MATH_H
#define RENDERER_SHADER_MATH_MATH_H

/* NaN and infinity give NaN, unless said otherwise. ulp: unit in the last place of the result. */
float shader_sin(float x); /* |error| <= 1e-6 for |x| <= 1e4; any finite x stays in -1..1 */
float shader_cos(float x); /* |error| <= 1e-6 for |x| <= 1e4; any finite x stays in -1..1 */
/* <= 2 ulp; 0 from -125.5 down (no denormals), infinity from 128 up, infinite x too. */
float shader_exp2(float x);
/* The logarithm of |x|: <= 2 ulp; -FLT_MAX at 0 and denormals, infinity at infinity. */
float shader_log2(float x);
/* <= 4 ulp; C's rules for zeros and signs; infinities give some angle. */
float shader_atan2(float y, float x);
float shader_asin(float x);  /* |error| <= 5e-7 in -1..1; beyond and infinite as at the edge */
float shader_acos(float x);  /* |error| <= 5e-7 in -1..1; beyond and infinite as at the edge */
float shader_sqrt(float x);  /* of |x|, exact; infinity at infinity */
float shader_rsqrt(float x); /* 1 / shader_sqrt(x); FLT_MAX at 0 */
float shader_fmod(float a, float b); /* ops.def */
/* a / b within -FLT_MAX..FLT_MAX, so that 0 times what was divided by 0 is 0: shaders were written
 * on hardware where any product with 0 is. 0 where that is NaN. */
float shader_divide(float a, float b);

#endif
