/* Inside the lowering: functions of whole vectors and matrices. */
#ifndef RENDERER_SHADER_INTRINSICS_WHOLE_H
#define RENDERER_SHADER_INTRINSICS_WHOLE_H

#include "renderer/shader/lower.h"

/* arguments: as many numbers, vectors or matrices as the table says. What is given back is left in
 * their values. */
typedef struct shader_operand shader_whole(struct shader_lowering *lowering,
                                           struct shader_argument *arguments,
                                           struct base_place place);

shader_whole shader_whole_all;
shader_whole shader_whole_any;
shader_whole shader_whole_clip;
shader_whole shader_whole_cross;
shader_whole shader_whole_derivative;
shader_whole shader_whole_determinant;
shader_whole shader_whole_distance;
shader_whole shader_whole_dot;
shader_whole shader_whole_faceforward;
shader_whole shader_whole_frexp;
shader_whole shader_whole_length;
shader_whole shader_whole_lit;
shader_whole shader_whole_lum;
shader_whole shader_whole_modf;
shader_whole shader_whole_mul;
shader_whole shader_whole_noise;
shader_whole shader_whole_normalize;
shader_whole shader_whole_reflect;
shader_whole shader_whole_refract;
shader_whole shader_whole_sincos;
shader_whole shader_whole_transpose;

#endif
