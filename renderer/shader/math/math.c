#include "renderer/shader/math/math.h"

#include "renderer/shader/math/terms.h"

float shader_sin(float x)
{
    return lane_sin(x);
}

float shader_cos(float x)
{
    return lane_cos(x);
}

float shader_exp2(float x)
{
    return lane_exp2(x);
}

float shader_log2(float x)
{
    return lane_log2(x);
}

float shader_atan2(float y, float x)
{
    return lane_atan2(y, x);
}

float shader_asin(float x)
{
    return lane_asin(x);
}

float shader_acos(float x)
{
    return lane_acos(x);
}

float shader_sqrt(float x)
{
    return lane_sqrt(x);
}

float shader_rsqrt(float x)
{
    return lane_rsqrt(x);
}

float shader_fmod(float a, float b)
{
    return lane_fmod(a, b);
}

float shader_divide(float a, float b)
{
    return lane_divide(a, b);
}
