#include "renderer/shader/ir_inside.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "renderer/shader/math.h"

const struct shader_op_row shader_ops[SHADER_OP_COUNT] = {
#define SHADER_OP(NAME, text, arguments, result, cost)                                             \
    {text, arguments, SHADER_KIND_##result, cost},
#include "renderer/shader/ops.def"
};

size_t shader_op_arity(enum shader_op op)
{
    return strlen(shader_ops[op].arguments);
}

static float truth(bool value)
{
    return value ? 1.0f : 0.0f;
}

static float compute_arithmetic(enum shader_op op, float a, float b)
{
    switch (op) {
    case SHADER_OP_ADD:
        return a + b;
    case SHADER_OP_SUB:
        return a - b;
    case SHADER_OP_MUL:
        return a * b;
    case SHADER_OP_DIV:
        return shader_divide(a, b);
    case SHADER_OP_FMOD:
        return shader_fmod(a, b);
    case SHADER_OP_MIN:
        return b < a ? b : a;
    case SHADER_OP_MAX:
        return a < b ? b : a;
    default:
        assert(op == SHADER_OP_ATAN2);
        return shader_atan2(a, b);
    }
}

static float compute_of_one(enum shader_op op, float a)
{
    switch (op) {
    case SHADER_OP_NEG:
        return -a;
    case SHADER_OP_ABS:
        return fabsf(a);
    case SHADER_OP_FLOOR:
        return floorf(a);
    case SHADER_OP_CEIL:
        return ceilf(a);
    case SHADER_OP_TRUNC:
        return truncf(a);
    case SHADER_OP_ROUND:
        return rintf(a);
    case SHADER_OP_FRAC:
        return a - floorf(a);
    case SHADER_OP_SQRT:
        return shader_sqrt(a);
    case SHADER_OP_RSQRT:
        return shader_rsqrt(a);
    case SHADER_OP_SIN:
        return shader_sin(a);
    case SHADER_OP_COS:
        return shader_cos(a);
    case SHADER_OP_EXP2:
        return shader_exp2(a);
    case SHADER_OP_LOG2:
        return shader_log2(a);
    case SHADER_OP_ASIN:
        return shader_asin(a);
    default:
        assert(op == SHADER_OP_ACOS);
        return shader_acos(a);
    }
}

float shader_op_compute(enum shader_op op, const float *a)
{
    switch (op) {
    case SHADER_OP_LT:
        return truth(a[0] < a[1]);
    case SHADER_OP_LE:
        return truth(a[0] <= a[1]);
    case SHADER_OP_EQ:
        return truth(a[0] == a[1]);
    case SHADER_OP_NE:
        return truth(a[0] < a[1] || a[0] > a[1]);
    case SHADER_OP_AND:
        return truth(a[0] != 0.0f && a[1] != 0.0f);
    case SHADER_OP_OR:
        return truth(a[0] != 0.0f || a[1] != 0.0f);
    case SHADER_OP_NOT:
        return truth(a[0] == 0.0f);
    case SHADER_OP_SELECT:
    case SHADER_OP_CHOOSE:
        return a[0] != 0.0f ? a[1] : a[2];
    default:
        return shader_ops[op].arguments[1] == '\0' ? compute_of_one(op, a[0])
                                                   : compute_arithmetic(op, a[0], a[1]);
    }
}
