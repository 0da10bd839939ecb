/* Operands and targets: values with their conversions, constructors and lists, and variables or
 * parts of them, read and written by known or unknown indexes. */
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
        if (shader_part_count(a) == 1) {
            *common = b;
        } else if (shader_part_count(b) == 1) {
            *common = a;
        } else if (a.matrix && b.matrix) {
            *common = a;
            common->rows = a.rows < b.rows ? a.rows : b.rows;
            common->columns = a.columns < b.columns ? a.columns : b.columns;
        } else {
            *common = shader_part_count(a) <= shader_part_count(b) ? a : b;
        }
        common->base = (uint8_t)bases[widest];
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
        const size_t count = shader_all_part_count(operand.type);
        const shader_value *parts = operand.type.length > 0 ? operand.elements : operand.part;
        good = !shader_stopped(lowering) && shader_is_number(operand.type);
        if (!good) { /* after an error nothing more is said */
            shader_fail(lowering, argument->place, NULL, "a number or vector is missing here");
        }
        for (size_t i = 0; good && i < count; i++, gathering->count++) {
            if (gathering->count < gathering->wanted) {
                gathering->parts[gathering->count] =
                    shader_convert_part(lowering, parts[i], operand.type.base, gathering->base);
            }
        }
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

/* ---- targets ---- */

bool shader_known_index(const struct shader_lowering *lowering, shader_value value, size_t count,
                        size_t *index)
{
    float number;
    if (!shader_ir_known(lowering->ir, value, &number)) {
        return false;
    }
    const float last = (float)(count - 1);
    *index = !(number >= 1.0f) ? 0 : (size_t)(number < last ? number : last);
    return true;
}

bool shader_is_place(struct shader_lowering *lowering, const struct shader_expression *expression)
{
    while (expression->kind == SHADER_E_MEMBER || expression->kind == SHADER_E_INDEX) {
        expression = expression->a;
    }
    struct shader_object builtin;
    return expression->kind == SHADER_E_NAME &&
           (shader_scope_find(&lowering->scope, expression->name) != NULL ||
            shader_builtin_object(lowering, expression->name, &builtin));
}

static bool find_variable(struct shader_lowering *lowering,
                          const struct shader_expression *expression, struct shader_target *target)
{
    const struct shader_object *found = shader_scope_find(&lowering->scope, expression->name);
    struct shader_object builtin;
    if (found == NULL) {
        if (!shader_builtin_object(lowering, expression->name, &builtin)) {
            shader_fail(lowering, expression->place, "declare it, as in float x = 0;",
                        "'%.*s' is not declared",
                        (int)(expression->name.size < 64 ? expression->name.size : 64),
                        expression->name.data);
            return false;
        }
        found = &builtin;
    }
    *target = (struct shader_target){
        .type = found->type, .slot = found->slot, .constant = found->constant};
    if (found->type.length == 0 && shader_is_number(found->type)) {
        for (uint16_t k = 0; k < shader_part_count(found->type); k++) {
            target->offset[k] = k;
        }
    }
    return true;
}

size_t shader_indexed_type(struct shader_type *type)
{
    if (type->length > 0) {
        const size_t count = type->length;
        type->length = 0;
        return count;
    }
    if (type->matrix) {
        const size_t count = type->rows;
        *type = shader_vector(type->base, type->columns);
        return count;
    }
    const size_t count = type->columns;
    type->columns = 1;
    return count;
}

/* Parts of a target that index `index` of its type chooses, its type being `whole` before. */
static void choose_parts(struct shader_target *target, struct shader_type whole, size_t index)
{
    const size_t parts = shader_part_count(target->type);
    for (size_t k = 0; k < parts; k++) {
        target->offset[k] = whole.length > 0
                                ? (uint16_t)(index * parts + k) /* of a whole variable */
                                : target->offset[index * parts + k];
    }
}

/* Whether a step between neighbours is the same for all of them, as it is unless a swizzle mixed
 * them; and which. */
static bool even_stride(const struct shader_target *target, struct shader_type whole, size_t count,
                        uint16_t *stride)
{
    const size_t parts = shader_part_count(target->type);
    if (whole.length > 0) {
        *stride = (uint16_t)parts;
        return true;
    }
    *stride = count > 1 ? (uint16_t)(target->offset[parts] - target->offset[0]) : 0;
    for (size_t k = 1; k < count; k++) {
        if ((uint16_t)(target->offset[k * parts] - target->offset[0]) != (uint16_t)(k * *stride)) {
            return false;
        }
    }
    return count == 1 || target->offset[parts] > target->offset[0];
}

static bool choose_by_index(struct shader_lowering *lowering,
                            const struct shader_expression *expression,
                            struct shader_target *target)
{
    const struct shader_operand operand = shader_evaluate(lowering, expression->b);
    const struct shader_type whole = target->type;
    if (!shader_is_number(whole) || !shader_is_number(operand.type) || operand.type.length > 0) {
        shader_fail(lowering, expression->place, NULL, "an index is of no use here");
        return false;
    }
    const shader_value value =
        shader_convert_part(lowering, operand.part[0], operand.type.base, SHADER_FLOAT);
    const size_t count = shader_indexed_type(&target->type);
    size_t known;
    if (shader_known_index(lowering, value, count, &known)) {
        choose_parts(target, whole, known);
        return true;
    }
    struct shader_index *index = &target->index[target->index_count];
    if (target->index_count == SHADER_INDEXES ||
        !even_stride(target, whole, count, &index->stride)) {
        shader_fail(lowering, expression->place, "use a variable in between",
                    "too many indexes in one place");
        return false;
    }
    index->value = value;
    index->count = (uint16_t)count;
    target->index_count++;
    choose_parts(target, whole, 0);
    return true;
}

bool shader_find_target(struct shader_lowering *lowering,
                        const struct shader_expression *expression, struct shader_target *target)
{
    if (!shader_descend(lowering, expression->place)) {
        return false;
    }
    bool good = false;
    if (expression->kind == SHADER_E_NAME) {
        good = find_variable(lowering, expression, target);
    } else if (expression->kind == SHADER_E_INDEX) {
        good = shader_find_target(lowering, expression->a, target) &&
               choose_by_index(lowering, expression, target);
    } else if (expression->kind == SHADER_E_MEMBER) {
        uint8_t component[SHADER_PARTS_MAX];
        size_t count = 0;
        if (shader_find_target(lowering, expression->a, target)) {
            count = shader_swizzle(lowering, expression, target->type, component);
        }
        good = count > 0;
        if (good) {
            uint16_t offset[SHADER_PARTS_MAX];
            memcpy(offset, target->offset, sizeof offset);
            for (size_t k = 0; k < count; k++) {
                target->offset[k] = offset[component[k]];
            }
            target->type = shader_vector(target->type.base, count);
        }
    } else {
        shader_fail(lowering, expression->place, "assign to a variable",
                    "a result cannot be assigned to");
    }
    shader_ascend(lowering);
    return good && !shader_stopped(lowering);
}

/* Whether an index is at least k; never true of NaN. */
static shader_value reaches(struct shader_lowering *lowering, const struct shader_index *index,
                            size_t k)
{
    return shader_ir_binary(lowering->ir, SHADER_OP_LE, shader_ir_number(lowering->ir, (float)k),
                            index->value);
}

static shader_value read_part(struct shader_lowering *lowering, const struct shader_target *target,
                              uint32_t slot, size_t level)
{
    if (level == target->index_count) {
        return shader_slot_get(&lowering->scope, slot);
    }
    const struct shader_index *index = &target->index[level];
    shader_value value = read_part(lowering, target, slot, level + 1);
    for (size_t k = 1; k < index->count; k++) {
        const shader_value next =
            read_part(lowering, target, slot + (uint32_t)(k * index->stride), level + 1);
        value = shader_ir_select(lowering->ir, reaches(lowering, index, k), next, value);
    }
    return value;
}

struct shader_operand shader_target_read(struct shader_lowering *lowering,
                                         const struct shader_target *target)
{
    struct shader_operand result = {.type = target->type};
    const size_t count = shader_all_part_count(target->type);
    shader_value *parts = result.part;
    if (!shader_is_number(target->type)) {
        return result;
    }
    if (target->type.length > 0) {
        parts = shader_work_array(lowering, count, sizeof *parts);
        if (parts == NULL) {
            return shader_make_zero(lowering, target->type);
        }
        result.elements = parts;
    }
    for (size_t k = 0; k < count; k++) {
        const size_t offset = target->type.length > 0 ? k : target->offset[k];
        parts[k] = read_part(lowering, target, target->slot + (uint32_t)offset, 0);
    }
    return result;
}

/* A value for the slot, or the places that indexes lead to from there, where `condition` holds. */
static void write_part(struct shader_lowering *lowering, const struct shader_target *target,
                       uint32_t slot, size_t level, shader_value condition, shader_value value)
{
    struct shader_ir *ir = lowering->ir;
    if (level == target->index_count) {
        const shader_value old = shader_slot_get(&lowering->scope, slot);
        shader_slot_set(&lowering->scope, slot, shader_ir_select(ir, condition, value, old));
        return;
    }
    const struct shader_index *index = &target->index[level];
    for (size_t k = 0; k < index->count; k++) {
        shader_value here = condition;
        if (k > 0) {
            here = shader_ir_binary(ir, SHADER_OP_AND, here, reaches(lowering, index, k));
        }
        if (k + 1u < index->count) {
            const shader_value beyond = reaches(lowering, index, k + 1);
            here = shader_ir_binary(ir, SHADER_OP_AND, here,
                                    shader_ir_unary(ir, SHADER_OP_NOT, beyond));
        }
        write_part(lowering, target, slot + (uint32_t)(k * index->stride), level + 1, here, value);
    }
}

void shader_target_write(struct shader_lowering *lowering, const struct shader_target *target,
                         const struct shader_operand *value, struct base_place place)
{
    if (target->constant) {
        shader_fail(lowering, place, "take 'const' off its declaration",
                    "a constant cannot be assigned to");
    }
    const struct shader_operand converted = shader_convert(lowering, value, target->type, place);
    if (shader_stopped(lowering) || !shader_is_number(target->type)) {
        return;
    }
    const bool array = target->type.length > 0;
    const shader_value always = shader_ir_truth(lowering->ir, true);
    for (size_t k = 0; k < shader_all_part_count(target->type); k++) {
        const size_t offset = array ? k : target->offset[k];
        write_part(lowering, target, target->slot + (uint32_t)offset, 0, always,
                   array ? converted.elements[k] : converted.part[k]);
    }
}
