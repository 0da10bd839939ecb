#include "renderer/shader/lower/lower.h"

typedef shader_value (*part_maker)(struct shader_lowering *lowering, shader_value a,
                                   shader_value b);

static shader_value make(struct shader_lowering *lowering, enum shader_op op, shader_value a,
                         shader_value b)
{
    return shader_ir_binary(lowering->ir, op, a, b);
}

static shader_value negate(struct shader_lowering *lowering, shader_value truth)
{
    return shader_ir_unary(lowering->ir, SHADER_OP_NOT, truth);
}

struct rule {
    enum { ARITHMETIC, COMPARISON, LOGIC, WHOLE } kind;
    enum shader_op op;
    bool swapped;
};

static const struct rule rules[] = {
    [SHADER_O_ADD] = {ARITHMETIC, SHADER_OP_ADD, false},
    [SHADER_O_SUB] = {ARITHMETIC, SHADER_OP_SUB, false},
    [SHADER_O_MUL] = {ARITHMETIC, SHADER_OP_MUL, false},
    [SHADER_O_DIV] = {ARITHMETIC, SHADER_OP_DIV, false},
    [SHADER_O_MOD] = {ARITHMETIC, SHADER_OP_FMOD, false},
    [SHADER_O_LT] = {COMPARISON, SHADER_OP_LT, false},
    [SHADER_O_LE] = {COMPARISON, SHADER_OP_LE, false},
    [SHADER_O_GT] = {COMPARISON, SHADER_OP_LT, true},
    [SHADER_O_GE] = {COMPARISON, SHADER_OP_LE, true},
    [SHADER_O_EQ] = {COMPARISON, SHADER_OP_EQ, false},
    [SHADER_O_NE] = {COMPARISON, SHADER_OP_NE, false},
    [SHADER_O_AND] = {LOGIC, SHADER_OP_AND, false},
    [SHADER_O_OR] = {LOGIC, SHADER_OP_OR, false},
    [SHADER_O_BIT_AND] = {WHOLE, SHADER_OP_AND, false},
    [SHADER_O_BIT_OR] = {WHOLE, SHADER_OP_OR, false},
    [SHADER_O_BIT_XOR] = {WHOLE, SHADER_OP_NE, false},
    [SHADER_O_SHIFT_LEFT] = {WHOLE, SHADER_OP_MUL, false},
    [SHADER_O_SHIFT_RIGHT] = {WHOLE, SHADER_OP_DIV, false},
};

/* The type in which the parts are computed, and that of the result. */
struct types {
    struct shader_type work;
    struct shader_type result;
};

/* A truth times a number is a choice. */
static bool truth_product(struct shader_lowering *lowering, const struct shader_operand *a,
                          const struct shader_operand *b, const struct types *types,
                          struct base_place place, struct shader_operand *product)
{
    const struct shader_operand *truth = a->type.base == SHADER_BOOL ? a : b;
    const struct shader_operand *number = a->type.base == SHADER_BOOL ? b : a;
    if (truth->type.base != SHADER_BOOL) {
        return false;
    }
    const struct shader_operand factors = shader_convert(lowering, number, types->work, place);
    const struct shader_operand truths =
        shader_convert(lowering, truth, shader_with_base(types->work, SHADER_BOOL), place);
    *product = (struct shader_operand){.type = types->result};
    for (size_t k = 0; k < shader_parts(types->work); k++) {
        product->part[k] = shader_ir_select(lowering->ir, truths.part[k], factors.part[k],
                                            shader_ir_number(lowering->ir, 0.0f));
    }
    return true;
}

/* Of truths as of numbers: equal, or not. */
static shader_value truths_differ(struct shader_lowering *lowering, shader_value a, shader_value b)
{
    return shader_ir_select(lowering->ir, a, negate(lowering, b), b);
}

/* Whole numbers of known value; false if the operation is not known at compile time. */
static bool fold_whole(struct shader_lowering *lowering, enum shader_operator op, shader_value a,
                       shader_value b, shader_value *result)
{
    float x;
    float y;
    if (!shader_ir_known(lowering->ir, a, &x) || !shader_ir_known(lowering->ir, b, &y) ||
        !(x > -1e9f && x < 1e9f && y > -1e9f && y < 1e9f)) {
        return false;
    }
    const int64_t m = (int64_t)x;
    const int64_t n = (int64_t)y;
    const int64_t power = INT64_C(1) << (n & 31);
    const int64_t values[] = {[SHADER_O_BIT_AND - SHADER_O_BIT_AND] = m & n,
                              [SHADER_O_BIT_OR - SHADER_O_BIT_AND] = m | n,
                              [SHADER_O_BIT_XOR - SHADER_O_BIT_AND] = m ^ n,
                              [SHADER_O_SHIFT_LEFT - SHADER_O_BIT_AND] = m * power,
                              [SHADER_O_SHIFT_RIGHT - SHADER_O_BIT_AND] = m / power};
    *result = shader_ir_number(lowering->ir, (float)values[op - SHADER_O_BIT_AND]);
    return true;
}

static shader_value whole_part(struct shader_lowering *lowering, enum shader_operator op,
                               enum shader_base base, const shader_value pair[2],
                               struct base_place place)
{
    shader_value result = pair[0];
    if (base == SHADER_BOOL && op == SHADER_O_BIT_XOR) {
        return truths_differ(lowering, pair[0], pair[1]);
    }
    if (base == SHADER_BOOL) {
        return make(lowering, rules[op].op, pair[0], pair[1]);
    }
    if (!fold_whole(lowering, op, pair[0], pair[1], &result)) {
        shader_fail(lowering, place, "use arithmetic, or && and ||",
                    "shaders have no bits of numbers");
    }
    return result;
}

static shader_value part_of(struct shader_lowering *lowering, enum shader_operator op,
                            enum shader_base base, const shader_value pair[2],
                            struct base_place place)
{
    const struct rule *rule = &rules[op];
    if (rule->kind == WHOLE) {
        return whole_part(lowering, op, base, pair, place);
    }
    if (base == SHADER_BOOL && rule->kind == COMPARISON) { /* == or != */
        const shader_value differ = truths_differ(lowering, pair[0], pair[1]);
        return op == SHADER_O_NE ? differ : negate(lowering, differ);
    }
    const shader_value value = make(lowering, rule->op, pair[rule->swapped], pair[!rule->swapped]);
    return op == SHADER_O_DIV && base == SHADER_INT
               ? shader_ir_unary(lowering->ir, SHADER_OP_TRUNC, value)
               : value;
}

static bool types_of(struct shader_lowering *lowering, enum shader_operator op,
                     const struct shader_operand *a, const struct shader_operand *b,
                     struct base_place place, struct types *types)
{
    if (!shader_common_type(lowering, a->type, b->type, place, &types->work)) {
        return false;
    }
    const enum shader_base base = types->work.base;
    const bool equality = op == SHADER_O_EQ || op == SHADER_O_NE;
    types->result = types->work;
    switch (rules[op].kind) {
    case ARITHMETIC:
        types->work.base = types->result.base = base == SHADER_FLOAT ? SHADER_FLOAT : SHADER_INT;
        break;
    case COMPARISON:
        types->work.base = base == SHADER_BOOL && !equality ? SHADER_INT : (uint8_t)base;
        types->result.base = SHADER_BOOL;
        break;
    case LOGIC:
        types->work.base = types->result.base = SHADER_BOOL;
        break;
    case WHOLE:
        types->work.base = types->result.base =
            base == SHADER_BOOL && op < SHADER_O_SHIFT_LEFT ? SHADER_BOOL : SHADER_INT;
        break;
    }
    return true;
}

struct shader_operand shader_lower_binary(struct shader_lowering *lowering, enum shader_operator op,
                                          const struct shader_operand *a,
                                          const struct shader_operand *b, struct base_place place)
{
    struct types types;
    struct shader_operand result;
    if (shader_stopped(lowering) || !types_of(lowering, op, a, b, place, &types)) {
        return *a;
    }
    if (op == SHADER_O_MUL && truth_product(lowering, a, b, &types, place, &result)) {
        return result;
    }
    const struct shader_operand left = shader_convert(lowering, a, types.work, place);
    const struct shader_operand right = shader_convert(lowering, b, types.work, place);
    result = (struct shader_operand){.type = types.result};
    for (size_t k = 0; k < shader_parts(types.work); k++) {
        const shader_value pair[2] = {left.part[k], right.part[k]};
        result.part[k] = part_of(lowering, op, types.work.base, pair, place);
    }
    return result;
}

static shader_value unary_part(struct shader_lowering *lowering, enum shader_operator op,
                               shader_value value)
{
    struct shader_ir *ir = lowering->ir;
    switch (op) {
    case SHADER_O_NOT:
        return shader_ir_unary(ir, SHADER_OP_NOT, value);
    case SHADER_O_MINUS:
        return shader_ir_unary(ir, SHADER_OP_NEG, value);
    case SHADER_O_BIT_NOT: /* of whole numbers: -1 - x */
        return shader_ir_binary(ir, SHADER_OP_SUB, shader_ir_number(ir, -1.0f), value);
    default:
        return value;
    }
}

struct shader_operand shader_lower_unary(struct shader_lowering *lowering,
                                         const struct shader_expression *expression)
{
    const struct shader_operand operand = shader_evaluate(lowering, expression->a);
    if (shader_stopped(lowering)) {
        return operand;
    }
    if (!shader_is_number(operand.type) || operand.type.length > 0) {
        shader_fail(lowering, expression->place, NULL, "a number or vector is missing here");
        return operand;
    }
    const enum shader_base base = operand.type.base;
    struct shader_type type = operand.type;
    if (expression->op == SHADER_O_NOT) {
        type.base = SHADER_BOOL;
    } else if (base == SHADER_BOOL || expression->op == SHADER_O_BIT_NOT) {
        type.base = SHADER_INT;
    }
    struct shader_operand result = shader_convert(lowering, &operand, type, expression->place);
    for (size_t k = 0; k < shader_parts(type); k++) {
        result.part[k] = unary_part(lowering, expression->op, result.part[k]);
    }
    return result;
}

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
        value = shader_lower_binary(lowering, expression->op, &old, &value, expression->place);
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
        shader_lower_binary(lowering, expression->op, &old, &one, expression->place);
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
        result = shader_lower_binary(lowering, chain[k]->op, &result, &right, chain[k]->place);
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
        return shader_lower_unary(lowering, expression);
    case SHADER_E_BINARY:
        return binary_chain(lowering, expression);
    case SHADER_E_ASSIGN:
        return assign(lowering, expression);
    case SHADER_E_STEP:
        return step(lowering, expression);
    case SHADER_E_CHOICE:
        return choice(lowering, expression);
    case SHADER_E_CALL:
        return shader_lower_call(lowering, expression);
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
    return expression->kind == SHADER_E_LIST ? shader_lower_list(lowering, expression, type)
                                             : shader_evaluate(lowering, expression);
}
