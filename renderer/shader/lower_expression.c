#include "renderer/shader/lower.h"

/* Component of a vector by its letter, or SHADER_PARTS_MAX. */
static uint8_t component_of(char letter, const char *letters)
{
    const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
    return found != NULL ? (uint8_t)(found - letters) : SHADER_PARTS_MAX;
}

static size_t vector_swizzle(struct base_span name, struct shader_type type,
                             uint8_t component[SHADER_PARTS_MAX])
{
    static const char *const sets[] = {"xyzw", "rgba"};
    for (size_t set = 0; set < 2; set++) {
        size_t count = 0;
        while (count < name.size && count < 4 &&
               (component[count] = component_of(name.data[count], sets[set])) < type.columns) {
            count++;
        }
        if (count == name.size) {
            return count;
        }
    }
    return 0;
}

/* _m00 counts from 0, _11 from 1; up to four of them. */
static size_t matrix_swizzle(struct base_span name, struct shader_type type,
                             uint8_t component[SHADER_PARTS_MAX])
{
    size_t count = 0;
    size_t k = 0;
    while (k < name.size && count < 4) {
        const bool zero = k + 1 < name.size && name.data[k + 1] == 'm';
        const char first = zero ? '0' : '1';
        const size_t digits = k + (zero ? 2 : 1);
        if (name.data[k] != '_' || digits + 2 > name.size) {
            return 0;
        }
        const int row = name.data[digits] - first;
        const int column = name.data[digits + 1] - first;
        if (row < 0 || row >= type.rows || column < 0 || column >= type.columns) {
            return 0;
        }
        component[count++] = (uint8_t)(row * type.columns + column);
        k = digits + 2;
    }
    return k == name.size ? count : 0;
}

size_t shader_swizzle(struct base_span name, struct shader_type type,
                      uint8_t component[SHADER_PARTS_MAX])
{
    if (!shader_is_number(type) || type.length > 0 || name.size == 0) {
        return 0;
    }
    return type.matrix ? matrix_swizzle(name, type, component)
                       : vector_swizzle(name, type, component);
}

static struct shader_operand number(struct shader_lowering *lowering,
                                    const struct shader_expression *expression)
{
    const enum shader_base base = expression->type.base;
    if (base == SHADER_BOOL) {
        return shader_scalar(base, shader_ir_truth(lowering->ir, expression->number != 0));
    }
    return shader_scalar(base, shader_ir_number(lowering->ir, (float)expression->number));
}

static struct shader_operand read_place(struct shader_lowering *lowering,
                                        const struct shader_expression *expression)
{
    struct shader_target target;
    if (!shader_target_of(lowering, expression, &target)) {
        return shader_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    }
    if (!shader_is_number(target.type)) {
        shader_fail(lowering, expression->place, "read it, as in tex2D(sampler_main, uv)",
                    "a sampler is no number");
    }
    return shader_target_read(lowering, &target);
}

static struct shader_operand name(struct shader_lowering *lowering,
                                  const struct shader_expression *expression)
{
    struct shader_operand result;
    if (shader_scope_find(&lowering->scope, expression->name) == NULL &&
        shader_builtin_number(lowering, expression->name, expression->place, &result)) {
        return result;
    }
    return read_place(lowering, expression);
}

static struct shader_operand member(struct shader_lowering *lowering,
                                    const struct shader_expression *expression)
{
    if (shader_is_place(lowering, expression)) {
        return read_place(lowering, expression);
    }
    const struct shader_operand whole = shader_evaluate(lowering, expression->a);
    uint8_t component[SHADER_PARTS_MAX];
    const size_t count = shader_swizzle(expression->name, whole.type, component);
    if (count == 0) {
        char type[SHADER_TYPE_NAME];
        shader_fail(lowering, expression->place, "use x y z w, r g b a, or _11 _m00 of a matrix",
                    "%s has no '%.*s'", shader_type_name(whole.type, type),
                    (int)(expression->name.size < 32 ? expression->name.size : 32),
                    expression->name.data);
        return whole;
    }
    struct shader_operand result = {.type = shader_vector(whole.type.base, count)};
    for (size_t k = 0; k < count; k++) {
        result.part[k] = whole.part[component[k]];
    }
    return result;
}

/* Element `index` of a vector, row of a matrix, or of a whole array. */
static struct shader_operand element(const struct shader_operand *whole, struct shader_type type,
                                     size_t index)
{
    const shader_value *parts = whole->type.length > 0 ? whole->elements : whole->part;
    struct shader_operand result = {.type = type};
    memcpy(result.part, parts + index * shader_parts(type), shader_parts(type) * sizeof *parts);
    return result;
}

static struct shader_operand choose_element(struct shader_lowering *lowering,
                                            const struct shader_operand *whole, shader_value index)
{
    struct shader_type type = shader_vector(whole->type.base, whole->type.columns);
    size_t count = whole->type.rows;
    if (whole->type.length > 0) {
        type = whole->type;
        type.length = 0;
        count = whole->type.length;
    } else if (!whole->type.matrix) {
        count = whole->type.columns;
        type.columns = 1;
    }
    size_t known;
    if (shader_known_index(lowering, index, count, &known)) {
        return element(whole, type, known);
    }
    struct shader_operand result = element(whole, type, 0);
    for (size_t k = 1; k < count; k++) {
        const struct shader_operand next = element(whole, type, k);
        const shader_value here = shader_ir_binary(lowering->ir, SHADER_OP_LE,
                                                   shader_ir_number(lowering->ir, (float)k), index);
        for (size_t part = 0; part < shader_parts(type); part++) {
            result.part[part] =
                shader_ir_select(lowering->ir, here, next.part[part], result.part[part]);
        }
    }
    return result;
}

static struct shader_operand indexed(struct shader_lowering *lowering,
                                     const struct shader_expression *expression)
{
    if (expression->a->kind != SHADER_E_MEMBER && shader_is_place(lowering, expression)) {
        return read_place(lowering, expression);
    }
    const struct shader_operand whole = shader_evaluate(lowering, expression->a);
    const struct shader_operand index = shader_evaluate(lowering, expression->b);
    if (shader_stopped(lowering)) {
        return whole;
    }
    if (!shader_is_number(whole.type) || !shader_is_number(index.type) || index.type.length > 0) {
        shader_fail(lowering, expression->place, NULL, "an index is of no use here");
        return whole;
    }
    return choose_element(
        lowering, &whole,
        shader_convert_part(lowering, index.part[0], index.type.base, SHADER_FLOAT));
}

static struct shader_operand assign(struct shader_lowering *lowering,
                                    const struct shader_expression *expression)
{
    struct shader_target target;
    if (!shader_target_of(lowering, expression->a, &target)) {
        return shader_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    }
    struct shader_operand value = shader_evaluate_as(lowering, expression->b, target.type);
    if (expression->op != SHADER_O_NONE) {
        const struct shader_operand old = shader_target_read(lowering, &target);
        value = shader_binary(lowering, expression->op, &old, &value, expression->place);
    }
    shader_target_write(lowering, &target, &value, expression->b->place);
    return shader_target_read(lowering, &target);
}

static struct shader_operand step(struct shader_lowering *lowering,
                                  const struct shader_expression *expression)
{
    struct shader_target target;
    if (!shader_target_of(lowering, expression->a, &target)) {
        return shader_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    }
    const struct shader_operand old = shader_target_read(lowering, &target);
    const struct shader_operand one =
        shader_scalar(SHADER_INT, shader_ir_number(lowering->ir, 1.0f));
    const struct shader_operand value =
        shader_binary(lowering, expression->op, &old, &one, expression->place);
    shader_target_write(lowering, &target, &value, expression->place);
    return expression->prefix ? shader_target_read(lowering, &target) : old;
}

static struct shader_operand choice(struct shader_lowering *lowering,
                                    const struct shader_expression *expression)
{
    const struct base_place place = expression->place;
    const struct shader_operand condition = shader_evaluate(lowering, expression->a);
    const struct shader_operand yes = shader_evaluate(lowering, expression->b);
    const struct shader_operand no = shader_evaluate(lowering, expression->c);
    struct shader_type sides;
    struct shader_type type;
    if (shader_stopped(lowering) ||
        !shader_common_type(lowering, yes.type, no.type, expression->place, &sides) ||
        !shader_common_type(lowering, sides, condition.type, expression->place, &type)) {
        return yes;
    }
    type.base = sides.base;
    const struct shader_operand conditions =
        shader_convert(lowering, &condition, shader_with_base(type, SHADER_BOOL), place);
    const struct shader_operand a = shader_convert(lowering, &yes, type, place);
    const struct shader_operand b = shader_convert(lowering, &no, type, place);
    struct shader_operand result = {.type = type};
    for (size_t k = 0; k < shader_parts(type); k++) {
        result.part[k] = shader_ir_select(lowering->ir, conditions.part[k], a.part[k], b.part[k]);
    }
    return result;
}

/* a + b + c ... leans to the left, as deep as the text is long: from the inside out. */
static struct shader_operand binary_chain(struct shader_lowering *lowering,
                                          const struct shader_expression *expression)
{
    size_t count = 0;
    for (const struct shader_expression *at = expression; at->kind == SHADER_E_BINARY; at = at->a) {
        count++;
    }
    const struct shader_expression **chain = shader_work_array(lowering, count, sizeof *chain);
    if (chain == NULL) {
        return shader_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    }
    for (size_t k = count; k-- > 0; expression = expression->a) {
        chain[k] = expression;
    }
    struct shader_operand result = shader_evaluate(lowering, expression);
    for (size_t k = 0; k < count && !shader_stopped(lowering); k++) {
        const struct shader_operand right = shader_evaluate(lowering, chain[k]->b);
        result = shader_binary(lowering, chain[k]->op, &result, &right, chain[k]->place);
    }
    return result;
}

static struct shader_operand dispatch(struct shader_lowering *lowering,
                                      const struct shader_expression *expression)
{
    switch (expression->kind) {
    case SHADER_E_NUMBER:
        return number(lowering, expression);
    case SHADER_E_NAME:
        return name(lowering, expression);
    case SHADER_E_UNARY:
        return shader_unary(lowering, expression);
    case SHADER_E_BINARY:
        return binary_chain(lowering, expression);
    case SHADER_E_ASSIGN:
        return assign(lowering, expression);
    case SHADER_E_STEP:
        return step(lowering, expression);
    case SHADER_E_CHOICE:
        return choice(lowering, expression);
    case SHADER_E_CALL:
        return shader_call(lowering, expression);
    case SHADER_E_CONSTRUCT:
        return shader_construct(lowering, expression);
    case SHADER_E_MEMBER:
        return member(lowering, expression);
    case SHADER_E_INDEX:
        return indexed(lowering, expression);
    case SHADER_E_COMMA:
        shader_evaluate(lowering, expression->a);
        return shader_evaluate(lowering, expression->b);
    case SHADER_E_LIST:
        break;
    }
    shader_fail(lowering, expression->place, "write a constructor such as float3(1, 2, 3)",
                "{ } gives values to a new variable only");
    return shader_zero(lowering, shader_vector(SHADER_FLOAT, 1));
}

struct shader_operand shader_evaluate(struct shader_lowering *lowering,
                                      const struct shader_expression *expression)
{
    if (shader_stopped(lowering) || !shader_descend(lowering, expression->place)) {
        return shader_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    }
    const struct shader_operand result = dispatch(lowering, expression);
    shader_ascend(lowering);
    return result;
}

struct shader_operand shader_evaluate_as(struct shader_lowering *lowering,
                                         const struct shader_expression *expression,
                                         struct shader_type type)
{
    return expression->kind == SHADER_E_LIST ? shader_list(lowering, expression, type)
                                             : shader_evaluate(lowering, expression);
}
