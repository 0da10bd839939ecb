/* Operands and their conversions: implicit ones, constructors, lists. */
#include <stdio.h>

#include "renderer/shader/lower/lower.h"

const char *shader_type_name(struct shader_type type, char text[SHADER_TYPE_NAME])
{
    static const char *const bases[] = {"void", "float", "int", "bool", "sampler"};
    int size = snprintf(text, SHADER_TYPE_NAME, "%s", bases[type.base]);
    if (shader_is_number(type) && type.matrix) {
        size += snprintf(text + size, SHADER_TYPE_NAME - (size_t)size, "%dx%d", type.rows,
                         type.columns);
    } else if (shader_is_number(type) && type.columns > 1) {
        size += snprintf(text + size, SHADER_TYPE_NAME - (size_t)size, "%d", type.columns);
    }
    if (type.length > 0) {
        snprintf(text + size, SHADER_TYPE_NAME - (size_t)size, "[%d]", type.length);
    }
    return text;
}

struct shader_operand shader_make_scalar(enum shader_base base, shader_value value)
{
    return (struct shader_operand){.type = shader_vector(base, 1), .part = {value}};
}

struct shader_operand shader_make_zero(struct shader_lowering *lowering, struct shader_type type)
{
    struct shader_operand zero = {.type = type};
    const shader_value value = type.base == SHADER_BOOL ? shader_ir_truth(lowering->ir, false)
                                                        : shader_ir_number(lowering->ir, 0.0f);
    for (size_t k = 0; k < SHADER_PARTS_MAX; k++) {
        zero.part[k] = value;
    }
    if (type.length > 0) {
        shader_value *elements =
            shader_work_array(lowering, shader_all_part_count(type), sizeof *elements);
        for (size_t k = 0; elements != NULL && k < shader_all_part_count(type); k++) {
            elements[k] = value;
        }
        zero.elements = elements;
    }
    return zero;
}

shader_value shader_convert_part(struct shader_lowering *lowering, shader_value value,
                                 enum shader_base from, enum shader_base to)
{
    struct shader_ir *ir = lowering->ir;
    if (from == to) {
        return value;
    }
    if (to == SHADER_BOOL) {
        return shader_ir_binary(ir, SHADER_OP_NE, value, shader_ir_number(ir, 0.0f));
    }
    if (from == SHADER_BOOL) {
        return shader_ir_select(ir, value, shader_ir_number(ir, 1.0f), shader_ir_number(ir, 0.0f));
    }
    return to == SHADER_INT ? shader_ir_unary(ir, SHADER_OP_TRUNC, value) : value;
}

static bool is_vector(struct shader_type type)
{
    return !type.matrix || type.rows == 1 || type.columns == 1;
}

bool shader_converts(struct shader_type from, struct shader_type to)
{
    if (from.base == SHADER_SAMPLER || to.base == SHADER_SAMPLER) {
        return from.base == to.base;
    }
    if (!shader_is_number(from) || !shader_is_number(to)) {
        return false;
    }
    if (from.length > 0 || to.length > 0) {
        return from.length == to.length && shader_part_count(from) == shader_part_count(to);
    }
    const size_t parts = shader_part_count(from);
    if (parts == 1 || shader_part_count(to) == 1 || parts == shader_part_count(to)) {
        return true;
    }
    if (is_vector(from) && is_vector(to)) {
        return parts >= shader_part_count(to);
    }
    return from.matrix && to.matrix && from.rows >= to.rows && from.columns >= to.columns;
}

struct shader_operand shader_convert(struct shader_lowering *lowering,
                                     const struct shader_operand *operand, struct shader_type to,
                                     struct base_place place)
{
    char names[2][SHADER_TYPE_NAME];
    if (shader_stopped(lowering)) {
        return shader_make_zero(lowering, to);
    }
    if (!shader_converts(operand->type, to)) {
        shader_fail(lowering, place, "name the missing components, as in float3(x, 0)",
                    "%s cannot become %s", shader_type_name(operand->type, names[0]),
                    shader_type_name(to, names[1]));
        return shader_make_zero(lowering, to);
    }
    if (to.base == SHADER_SAMPLER) {
        return *operand;
    }
    const struct shader_type from = operand->type;
    if (to.length > 0) {
        struct shader_operand array = shader_make_zero(lowering, to);
        shader_value *elements =
            shader_work_array(lowering, shader_all_part_count(to), sizeof *elements);
        for (size_t k = 0; elements != NULL && k < shader_all_part_count(to); k++) {
            elements[k] = shader_convert_part(lowering, operand->elements[k], from.base, to.base);
        }
        array.elements = elements != NULL ? elements : array.elements;
        return array;
    }
    /* A matrix becomes a smaller one row by row; else the parts come in their order. */
    const bool by_order =
        shader_part_count(from) == shader_part_count(to) || !from.matrix || !to.matrix;
    struct shader_operand result = {.type = to};
    for (size_t k = 0; k < shader_part_count(to); k++) {
        const size_t source = shader_part_count(from) == 1 ? 0
                              : by_order                   ? k
                                         : k / to.columns * from.columns + k % to.columns;
        result.part[k] = shader_convert_part(lowering, operand->part[source], from.base, to.base);
    }
    return result;
}

shader_value shader_to_truth(struct shader_lowering *lowering, const struct shader_operand *operand,
                             struct base_place place)
{
    return shader_convert(lowering, operand, shader_vector(SHADER_BOOL, 1), place).part[0];
}

static struct shader_type common_shape(struct shader_type a, struct shader_type b)
{
    if (shader_part_count(a) == 1) {
        return b;
    }
    if (shader_part_count(b) == 1) {
        return a;
    }
    if (a.matrix && b.matrix) {
        a.rows = a.rows < b.rows ? a.rows : b.rows;
        a.columns = a.columns < b.columns ? a.columns : b.columns;
        return a;
    }
    return shader_part_count(a) <= shader_part_count(b) ? a : b;
}

bool shader_common_type(struct shader_lowering *lowering, struct shader_type a,
                        struct shader_type b, struct base_place place, struct shader_type *common)
{
    char names[2][SHADER_TYPE_NAME];
    const bool numbers = shader_is_number(a) && shader_is_number(b) && a.length + b.length == 0;
    if (numbers) {
        const enum shader_base bases[] = {SHADER_FLOAT, SHADER_INT, SHADER_BOOL};
        size_t widest = 0;
        while (a.base != bases[widest] && b.base != bases[widest]) {
            widest++;
        }
        *common = shader_with_base(common_shape(a, b), bases[widest]);
    }
    if (!numbers || !shader_converts(a, *common) || !shader_converts(b, *common)) {
        shader_fail(lowering, place, "use numbers, vectors or matrices of the same size",
                    "%s and %s do not go together", shader_type_name(a, names[0]),
                    shader_type_name(b, names[1]));
        return false;
    }
    return true;
}

/* Constructors and lists: parts are gathered one behind the other, then given out. */
struct gathering {
    shader_value *parts;
    size_t count;
    size_t wanted;
    enum shader_base base;
};

static bool gather(struct shader_lowering *lowering, struct gathering *gathering,
                   const struct shader_operand *operand, struct base_place place)
{
    if (!shader_is_number(operand->type)) {
        shader_fail(lowering, place, NULL, "a number or vector is missing here");
        return false;
    }
    const shader_value *parts = operand->type.length > 0 ? operand->elements : operand->part;
    for (size_t k = 0; k < shader_all_part_count(operand->type); k++) {
        if (gathering->count < gathering->wanted) {
            gathering->parts[gathering->count] =
                shader_convert_part(lowering, parts[k], operand->type.base, gathering->base);
        }
        gathering->count++;
    }
    return true;
}

static bool gather_list(struct shader_lowering *lowering, struct gathering *gathering,
                        const struct shader_expression *list)
{
    if (!shader_descend(lowering, list->place)) {
        return false;
    }
    bool good = true;
    for (size_t k = 0; good && k < list->argument_count; k++) {
        const struct shader_expression *argument = list->arguments[k];
        if (argument->kind == SHADER_E_LIST) {
            good = gather_list(lowering, gathering, argument);
            continue;
        }
        const struct shader_operand operand = shader_evaluate(lowering, argument);
        good = !shader_stopped(lowering) && gather(lowering, gathering, &operand, argument->place);
    }
    shader_ascend(lowering);
    return good;
}

struct shader_operand shader_lower_list(struct shader_lowering *lowering,
                                        const struct shader_expression *list,
                                        struct shader_type type)
{
    char name[SHADER_TYPE_NAME];
    const size_t wanted = shader_all_part_count(type);
    struct gathering gathering = {
        .parts = shader_work_array(lowering, wanted, sizeof *gathering.parts),
        .wanted = wanted,
        .base = type.base,
    };
    struct shader_operand result = {.type = type};
    if (gathering.parts == NULL || !gather_list(lowering, &gathering, list)) {
        return shader_make_zero(lowering, type);
    }
    if (gathering.count != wanted) {
        shader_fail(lowering, list->place, NULL, "%s takes %zu numbers, not %zu",
                    shader_type_name(type, name), wanted, gathering.count);
        return shader_make_zero(lowering, type);
    }
    result.elements = gathering.parts;
    if (type.length == 0) {
        memcpy(result.part, gathering.parts, gathering.wanted * sizeof *gathering.parts);
    }
    return result;
}

struct shader_operand shader_construct(struct shader_lowering *lowering,
                                       const struct shader_expression *expression)
{
    const struct shader_type type = expression->type;
    if (expression->argument_count != 1) {
        return shader_lower_list(lowering, expression, type);
    }
    const struct shader_expression *argument = expression->arguments[0];
    const struct shader_operand operand = shader_evaluate(lowering, argument);
    return shader_convert(lowering, &operand, type, argument->place);
}
