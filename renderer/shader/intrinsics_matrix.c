#include "renderer/shader/intrinsics_whole.h"

static shader_value make(struct shader_lowering *lowering, enum shader_op op, shader_value a,
                         shader_value b)
{
    return shader_ir_binary(lowering->ir, op, a, b);
}

/* Row by column, as far as both reach: what is too long is cut. */
static shader_value row_by_column(struct shader_lowering *lowering, const struct shader_operand *a,
                                  size_t row, const struct shader_operand *b, size_t column)
{
    const size_t steps = a->type.columns < b->type.rows ? a->type.columns : b->type.rows;
    shader_value sum = 0;
    for (size_t k = 0; k < steps; k++) {
        const shader_value product =
            make(lowering, SHADER_OP_MUL, a->part[row * a->type.columns + k],
                 b->part[k * b->type.columns + column]);
        sum = k == 0 ? product : make(lowering, SHADER_OP_ADD, sum, product);
    }
    return sum;
}

static struct shader_operand product(struct shader_lowering *lowering,
                                     const struct shader_operand *a, const struct shader_operand *b)
{
    struct shader_operand result = {.type = a->type};
    result.type.columns = b->type.columns;
    result.type.matrix = true;
    for (size_t row = 0; row < a->type.rows; row++) {
        for (size_t column = 0; column < b->type.columns; column++) {
            result.part[row * b->type.columns + column] =
                row_by_column(lowering, a, row, b, column);
        }
    }
    return result;
}

/* A vector on the left is a row, on the right a column. */
struct shader_operand shader_whole_mul(struct shader_lowering *lowering,
                                       struct shader_argument *arguments, struct base_place place)
{
    struct shader_operand a = arguments[0].value;
    struct shader_operand b = arguments[1].value;
    if (shader_parts(a.type) == 1 || shader_parts(b.type) == 1) {
        return shader_binary(lowering, SHADER_O_MUL, &a, &b, place);
    }
    if (!a.type.matrix && !b.type.matrix) {
        return shader_whole_dot(lowering, arguments, place);
    }
    a = shader_convert(lowering, &a, shader_with_base(a.type, SHADER_FLOAT), place);
    b = shader_convert(lowering, &b, shader_with_base(b.type, SHADER_FLOAT), place);
    const bool matrices = a.type.matrix && b.type.matrix;
    if (!b.type.matrix) {
        b.type.rows = b.type.columns;
        b.type.columns = 1;
    }
    struct shader_operand result = product(lowering, &a, &b);
    if (!matrices) {
        result.type = shader_vector(SHADER_FLOAT, shader_parts(result.type));
    }
    return result;
}

struct shader_operand shader_whole_transpose(struct shader_lowering *lowering,
                                             struct shader_argument *arguments,
                                             struct base_place place)
{
    const struct shader_operand *whole = &arguments[0].value;
    struct shader_operand result = *whole;
    (void)lowering;
    (void)place;
    result.type.matrix = true;
    result.type.rows = whole->type.columns;
    result.type.columns = whole->type.rows;
    for (size_t row = 0; row < result.type.rows; row++) {
        for (size_t column = 0; column < result.type.columns; column++) {
            result.part[row * result.type.columns + column] =
                whole->part[column * whole->type.columns + row];
        }
    }
    return result;
}

/* Along the first of the rows that are left; columns: which of the four are left. */
static shader_value determinant(struct shader_lowering *lowering,
                                const struct shader_operand *matrix, size_t row, unsigned columns)
{
    const size_t size = matrix->type.rows;
    shader_value sum = shader_ir_number(lowering->ir, 0.0f);
    bool minus = false;
    if (row == size) {
        return shader_ir_number(lowering->ir, 1.0f);
    }
    for (size_t k = 0; k < size; k++) {
        if ((columns >> k & 1) == 0) {
            continue;
        }
        const shader_value minor = determinant(lowering, matrix, row + 1, columns & ~(1u << k));
        const shader_value term =
            make(lowering, SHADER_OP_MUL, matrix->part[row * size + k], minor);
        sum = make(lowering, minus ? SHADER_OP_SUB : SHADER_OP_ADD, sum, term);
        minus = !minus;
    }
    return sum;
}

struct shader_operand shader_whole_determinant(struct shader_lowering *lowering,
                                               struct shader_argument *arguments,
                                               struct base_place place)
{
    const struct shader_type type = arguments[0].value.type;
    if (type.rows != type.columns) {
        shader_fail(lowering, place, NULL, "only a square matrix has a determinant");
        return arguments[0].value;
    }
    const struct shader_operand matrix =
        shader_convert(lowering, &arguments[0].value, shader_with_base(type, SHADER_FLOAT), place);
    return shader_scalar(SHADER_FLOAT, determinant(lowering, &matrix, 0, 15));
}
