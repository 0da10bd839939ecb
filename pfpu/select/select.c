#include "pfpu/select/select.h"

#include <math.h>

#include "pfpu/select/expand.h"

enum { SPREAD_TERMS = 3 };

static const struct pfpu_instruction *at(const struct pfpu_selection *selection, int32_t i)
{
    return &selection->source->instructions[i];
}

static struct pfpu_linear *form_of(const struct pfpu_selection *selection, int32_t value)
{
    return &selection->values[value];
}

const int32_t *pfpu_select_stores(const struct pfpu_ir *source, size_t variables,
                                  struct base_arena *scratch)
{
    int32_t *stores = base_arena_array(scratch, variables + 1, sizeof *stores);
    for (size_t i = 0; stores != NULL && i < variables; i++) {
        stores[i] = PFPU_NO_VALUE;
    }
    for (size_t i = 0; stores != NULL && i < source->count; i++) {
        const struct pfpu_instruction *instruction = &source->instructions[i];
        if (instruction->op == PFPU_OP_SET && pfpu_key_is_variable(instruction->key)) {
            stores[instruction->key - PFPU_REGISTERS_GLOBAL] = instruction->arguments[0];
        }
    }
    return stores;
}

static const struct pfpu_variable_role *role_of(const struct pfpu_selection *selection, int32_t key)
{
    static const struct pfpu_variable_role zero = {.kind = PFPU_ROLE_ZERO};
    const int32_t variable = key - PFPU_REGISTERS_GLOBAL;
    return variable >= 0 && (size_t)variable < selection->role_count ? &selection->roles[variable]
                                                                     : &zero;
}

static struct pfpu_linear number(struct pfpu_selection *selection, double value)
{
    return pfpu_linear_uniform(pfpu_factor_number(&selection->programs, value));
}

static bool all_uniform(const struct pfpu_selection *selection,
                        const struct pfpu_instruction *instruction)
{
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        if (!pfpu_linear_is_uniform(form_of(selection, instruction->arguments[k]))) {
            return false;
        }
    }
    return true;
}

static void note_problem(struct pfpu_selection *selection, int32_t value)
{
    const struct pfpu_problem problem = {at(selection, value)->op, at(selection, value)->offset,
                                         !all_uniform(selection, at(selection, value))};
    for (size_t i = 0; i < selection->problem_count; i++) {
        if (selection->problems[i].op == problem.op) {
            return;
        }
    }
    if (selection->problem_count < PFPU_PROBLEMS_MAX) {
        selection->problems[selection->problem_count++] = problem;
    }
}

static struct pfpu_linear atom(struct pfpu_selection *selection, int32_t value)
{
    return pfpu_linear_atom(&selection->programs, (struct pfpu_atom){value, false});
}

static struct pfpu_linear get(struct pfpu_selection *selection, int32_t value)
{
    const int32_t key = at(selection, value)->key;
    if (pfpu_key_is_register(key)) {
        note_problem(selection, value);
        return number(selection, 0);
    }
    const struct pfpu_variable_role *role = role_of(selection, key);
    switch (role->kind) {
    case PFPU_ROLE_FACTOR:
        return pfpu_linear_uniform(role->factor);
    case PFPU_ROLE_INPUT:
        return pfpu_linear_uniform(
            (struct pfpu_factor){pfpu_build_get(selection->programs.frame, role->key), false});
    case PFPU_ROLE_INDEX:
        return atom(selection, pfpu_build_get(selection->programs.vertex, role->key));
    case PFPU_ROLE_CARRIED: {
        /* What the vertex before left in a variable. */
        const int32_t variable = key - PFPU_REGISTERS_GLOBAL;
        struct pfpu_linear_programs *programs = &selection->programs;
        int32_t link = 0;
        for (int32_t i = 0; i < programs->link_count; i++) {
            if (programs->links[i].kind == PFPU_LINK_CARRIED &&
                programs->links[i].source == variable) {
                link = programs->first_link + i;
            }
        }
        if (link == 0) {
            link = pfpu_linear_new_link(programs, PFPU_LINK_CARRIED, variable);
        }
        const int32_t carried = link != 0 ? pfpu_build_get(programs->vertex, link) : 0;
        return programs->frame->plain ? pfpu_linear_uniform((struct pfpu_factor){carried, false})
                                      : atom(selection, carried);
    }
    default:
        return number(selection, 0);
    }
}

static struct pfpu_linear choose_uniform(struct pfpu_selection *selection, int32_t value)
{
    const struct pfpu_instruction *instruction = at(selection, value);
    int32_t nodes[3] = {0, 0, 0};
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        const struct pfpu_linear *argument = form_of(selection, instruction->arguments[k]);
        nodes[k] = pfpu_factor_node(&selection->programs, argument->constant);
    }
    int32_t node = pfpu_select_operation(selection->programs.frame, instruction->op, nodes);
    if (node == PFPU_NO_VALUE) {
        /* Left to the CPU: it hands the result over before the frame program runs. */
        if (!selection->cpu_helps || pfpu_ops[instruction->op].kind != PFPU_OP_KIND_PURE) {
            note_problem(selection, value);
            return number(selection, 0);
        }
        const int32_t link = pfpu_linear_new_link(&selection->programs, PFPU_LINK_CPU, value);
        node = link != 0 ? pfpu_build_get(selection->programs.frame, link) : 0;
    }
    return pfpu_linear_uniform(pfpu_factor_of(&selection->programs, node));
}

static struct pfpu_linear divide(struct pfpu_selection *selection, const struct pfpu_linear *a,
                                 const struct pfpu_linear *b);

/* What is linear, for any mixture of uniform and other values. False if it is not. */
static bool linear(struct pfpu_selection *selection, int32_t value, struct pfpu_linear *result)
{
    struct pfpu_linear_programs *programs = &selection->programs;
    const struct pfpu_instruction *instruction = at(selection, value);
    const struct pfpu_linear *a = form_of(selection, instruction->arguments[0]);
    const struct pfpu_linear *b = form_of(selection, instruction->arguments[1]);
    struct pfpu_linear minus;
    switch (instruction->op) {
    case PFPU_OP_COPY:
    case PFPU_OP_FILTER:
        *result = *a;
        return true;
    case PFPU_OP_ADD:
        *result = pfpu_linear_add(programs, a, b);
        return true;
    case PFPU_OP_SUB:
        minus = pfpu_linear_negate(*b);
        *result = pfpu_linear_add(programs, a, &minus);
        return true;
    case PFPU_OP_NEG:
        *result = pfpu_linear_negate(*a);
        return true;
    case PFPU_OP_MUL:
        *result = pfpu_linear_multiply(programs, a, b);
        return true;
    case PFPU_OP_SQR:
        *result = pfpu_linear_multiply(programs, a, a);
        return true;
    case PFPU_OP_DIV:
        *result = divide(selection, a, b);
        return true;
    default:
        return false;
    }
}

static struct pfpu_linear divide(struct pfpu_selection *selection, const struct pfpu_linear *a,
                                 const struct pfpu_linear *b)
{
    struct pfpu_linear_programs *programs = &selection->programs;
    double known = 0;
    struct pfpu_factor scale = pfpu_factor_number(programs, 1);
    struct pfpu_linear inverse;
    if (pfpu_linear_is_uniform(b)) {
        scale = b->constant;
        inverse = number(selection, 1);
    } else {
        const struct pfpu_linear rest = pfpu_linear_normalise(programs, b, &scale);
        const struct pfpu_atom below = pfpu_linear_make(programs, &rest);
        inverse = atom(selection, pfpu_expand_reciprocal(programs->vertex, below.value));
        inverse = below.negative ? pfpu_linear_negate(inverse) : inverse;
    }
    struct pfpu_factor outside;
    if (pfpu_factor_known(programs, scale, &known) && known != 0) {
        outside = pfpu_factor_number(programs, 1 / known);
    } else {
        outside = (struct pfpu_factor){pfpu_expand_reciprocal(programs->frame, scale.node),
                                       scale.negative};
    }
    inverse = pfpu_linear_scale(programs, &inverse, outside);
    return pfpu_linear_multiply(programs, a, &inverse);
}

static struct pfpu_linear turn(struct pfpu_selection *selection, const struct pfpu_linear *radians,
                               enum pfpu_op op)
{
    struct pfpu_linear_programs *programs = &selection->programs;
    const struct pfpu_linear steps =
        pfpu_linear_scale(programs, radians, pfpu_factor_number(programs, PFPU_STEPS_PER_RADIAN));
    const struct pfpu_atom angle = pfpu_linear_make(programs, &steps);
    const int32_t whole = pfpu_build1(programs->vertex, PFPU_OP_WORD_F2I, angle.value);
    const struct pfpu_linear result = atom(selection, pfpu_build1(programs->vertex, op, whole));
    const bool odd = op == PFPU_OP_WORD_SIN;
    return angle.negative && odd ? pfpu_linear_negate(result) : result;
}

/* sqrt and invsqrt of scale * x: the scale comes out where it is a positive number. */
static struct pfpu_linear root(struct pfpu_selection *selection, const struct pfpu_linear *x,
                               enum pfpu_op op)
{
    struct pfpu_linear_programs *programs = &selection->programs;
    struct pfpu_factor scale;
    double known = 0;
    struct pfpu_linear rest = pfpu_linear_normalise(programs, x, &scale);
    if (!pfpu_factor_known(programs, scale, &known) || known <= 0) {
        rest = *x;
        known = 1;
    }
    const bool inverse = op == PFPU_OP_INVSQRT;
    double left = 1;
    int32_t inside = pfpu_linear_value(programs, &rest);
    if (!inverse && !programs->vertex->failed &&
        !pfpu_select_is_positive(programs->vertex, inside)) {
        inside = pfpu_build1(programs->vertex, PFPU_OP_WORD_FABS, inside);
    }
    const int32_t value = inverse ? pfpu_expand_scaled_invsqrt(programs->vertex, inside, &left)
                                  : pfpu_expand_scaled_sqrt(programs->vertex, inside, &left);
    const struct pfpu_linear result = atom(selection, value);
    const double outside = left * (inverse ? 1 / sqrt(known) : sqrt(known));
    return pfpu_linear_scale(programs, &result, pfpu_factor_number(programs, outside));
}

static struct pfpu_linear absolute(struct pfpu_selection *selection, const struct pfpu_linear *x)
{
    struct pfpu_linear_programs *programs = &selection->programs;
    struct pfpu_factor scale;
    double known = 0;
    struct pfpu_linear rest = pfpu_linear_normalise(programs, x, &scale);
    if (!pfpu_factor_known(programs, scale, &known)) {
        rest = *x;
        known = 1;
    }
    const struct pfpu_atom inside = pfpu_linear_make(programs, &rest);
    const int32_t value =
        !programs->vertex->failed && pfpu_select_is_positive(programs->vertex, inside.value)
            ? inside.value
            : pfpu_build1(programs->vertex, PFPU_OP_WORD_FABS, inside.value);
    const struct pfpu_linear result = atom(selection, value);
    return pfpu_linear_scale(programs, &result, pfpu_factor_number(programs, fabs(known)));
}

/* a > b, as a comparison of atoms where their difference is a known multiple of one atom. */
static int32_t above(struct pfpu_selection *selection, const struct pfpu_linear *a,
                     const struct pfpu_linear *b)
{
    struct pfpu_linear_programs *programs = &selection->programs;
    double known = 0;
    const struct pfpu_linear minus = pfpu_linear_negate(*b);
    const struct pfpu_linear difference = pfpu_linear_add(programs, a, &minus);
    if (difference.count != 1 || !pfpu_factor_known(programs, difference.terms[0].factor, &known) ||
        known == 0) {
        const int32_t right = pfpu_linear_value(programs, b);
        const int32_t left = pfpu_linear_value(programs, a);
        return pfpu_build2(programs->vertex, PFPU_OP_WORD_ABOVE, left, right);
    }
    const struct pfpu_factor inverse = pfpu_factor_number(programs, -1 / known);
    const int32_t limit =
        pfpu_linear_operand(programs, pfpu_factor_multiply(programs, difference.constant, inverse));
    const int32_t value = difference.terms[0].atom;
    return known > 0 ? pfpu_build2(programs->vertex, PFPU_OP_WORD_ABOVE, value, limit)
                     : pfpu_build2(programs->vertex, PFPU_OP_WORD_ABOVE, limit, value);
}

static int32_t close_to(struct pfpu_selection *selection, const struct pfpu_linear *a,
                        const struct pfpu_linear *b)
{
    struct pfpu_linear_programs *programs = &selection->programs;
    double known = 0;
    struct pfpu_factor scale;
    const struct pfpu_linear minus = pfpu_linear_negate(*b);
    const struct pfpu_linear difference = pfpu_linear_add(programs, a, &minus);
    struct pfpu_linear rest = pfpu_linear_normalise(programs, &difference, &scale);
    if (!pfpu_factor_known(programs, scale, &known) || known == 0) {
        rest = difference;
        known = 1;
    }
    const struct pfpu_atom apart = pfpu_linear_make(programs, &rest);
    double size = 0;
    if (pfpu_linear_is_uniform(a)) {
        (void)pfpu_factor_known(programs, a->constant, &size);
    } else if (pfpu_linear_is_uniform(b)) {
        (void)pfpu_factor_known(programs, b->constant, &size);
    }
    return pfpu_select_close(programs->vertex, apart.value, size, 1 / fabs(known));
}

/* Comparisons give a value of the vertex program; PFPU_NO_VALUE for any other operation. */
static int32_t compare(struct pfpu_selection *selection, const struct pfpu_instruction *instruction)
{
    struct pfpu_builder *vertex = selection->programs.vertex;
    const struct pfpu_linear *a = form_of(selection, instruction->arguments[0]);
    const struct pfpu_linear *b = form_of(selection, instruction->arguments[1]);
    switch (instruction->op) {
    case PFPU_OP_ABOVE:
        return above(selection, a, b);
    case PFPU_OP_BELOW:
        return above(selection, b, a);
    case PFPU_OP_ABOVE_EQUAL:
        return pfpu_select_not(vertex, above(selection, b, a));
    case PFPU_OP_BELOW_EQUAL:
        return pfpu_select_not(vertex, above(selection, a, b));
    case PFPU_OP_EQUAL:
        return close_to(selection, a, b);
    case PFPU_OP_NOT_EQUAL:
        return pfpu_select_not(vertex, close_to(selection, a, b));
    default:
        return PFPU_NO_VALUE;
    }
}

static struct pfpu_linear choose_varying(struct pfpu_selection *selection, int32_t value)
{
    const struct pfpu_instruction *instruction = at(selection, value);
    int32_t arguments[3] = {0, 0, 0};
    for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
        const struct pfpu_linear *argument = form_of(selection, instruction->arguments[k]);
        arguments[k] = pfpu_linear_value(&selection->programs, argument);
    }
    const int32_t result =
        pfpu_select_operation(selection->programs.vertex, instruction->op, arguments);
    if (result == PFPU_NO_VALUE) {
        note_problem(selection, value);
        return number(selection, 0);
    }
    return atom(selection, result);
}

static struct pfpu_linear translate_varying(struct pfpu_selection *selection, int32_t value)
{
    const struct pfpu_instruction *instruction = at(selection, value);
    const struct pfpu_linear *a = form_of(selection, instruction->arguments[0]);
    switch (instruction->op) {
    case PFPU_OP_SIN:
        return turn(selection, a, PFPU_OP_WORD_SIN);
    case PFPU_OP_COS:
        return turn(selection, a, PFPU_OP_WORD_COS);
    case PFPU_OP_SQRT:
    case PFPU_OP_INVSQRT:
        return root(selection, a, instruction->op);
    case PFPU_OP_ABS:
        return absolute(selection, a);
    case PFPU_OP_SELECT: {
        if (!pfpu_linear_is_uniform(a)) {
            return choose_varying(selection, value);
        }
        struct pfpu_linear_programs *programs = &selection->programs;
        const int32_t node = pfpu_factor_node(programs, a->constant);
        return pfpu_linear_select(programs, pfpu_select_condition(programs->frame, node),
                                  form_of(selection, instruction->arguments[1]),
                                  form_of(selection, instruction->arguments[2]));
    }
    default:
        break;
    }
    const int32_t compared = compare(selection, instruction);
    return compared != PFPU_NO_VALUE ? atom(selection, compared) : choose_varying(selection, value);
}

static struct pfpu_linear translate(struct pfpu_selection *selection, int32_t value)
{
    const struct pfpu_instruction *instruction = at(selection, value);
    struct pfpu_linear result;
    switch (pfpu_ops[instruction->op].kind) {
    case PFPU_OP_KIND_NUMBER:
        return number(selection, instruction->number);
    case PFPU_OP_KIND_GET:
        return get(selection, value);
    case PFPU_OP_KIND_PURE:
        break;
    default:
        note_problem(selection, value);
        return number(selection, 0);
    }
    if (!selection->programs.frame->plain && linear(selection, value, &result)) {
        return result;
    }
    return all_uniform(selection, instruction) ? choose_uniform(selection, value)
                                               : translate_varying(selection, value);
}

/* What is linear and the same for all vertices needs no form to compute with. */
static bool linear_factor(const struct pfpu_selection *selection,
                          const struct pfpu_instruction *instruction,
                          struct pfpu_linear_programs *programs, struct pfpu_factor *factor)
{
    const struct pfpu_factor a = form_of(selection, instruction->arguments[0])->constant;
    const struct pfpu_factor b = form_of(selection, instruction->arguments[1])->constant;
    switch (instruction->op) {
    case PFPU_OP_COPY:
    case PFPU_OP_FILTER:
        *factor = a;
        return true;
    case PFPU_OP_ADD:
        *factor = pfpu_factor_add(programs, a, b);
        return true;
    case PFPU_OP_SUB:
        *factor = pfpu_factor_add(programs, a, pfpu_factor_negate(b));
        return true;
    case PFPU_OP_NEG:
        *factor = pfpu_factor_negate(a);
        return true;
    case PFPU_OP_MUL:
        *factor = pfpu_factor_multiply(programs, b, a);
        return true;
    case PFPU_OP_SQR:
        *factor = pfpu_factor_multiply(programs, a, a);
        return true;
    default:
        return false;
    }
}

/* Stores to memory cannot be left out even if nobody here reads them. */
static void translate_next(struct pfpu_selection *selection, int32_t value)
{
    struct pfpu_linear_programs *programs = &selection->programs;
    const struct pfpu_instruction *instruction = at(selection, value);
    if (!pfpu_op_has_result(instruction->op)) {
        if (instruction->op != PFPU_OP_SET || pfpu_key_is_register(instruction->key)) {
            note_problem(selection, value);
        }
        return;
    }
    if (!selection->live[value] && !programs->frame->plain) {
        return;
    }
    programs->frame->offset = instruction->offset;
    programs->vertex->offset = instruction->offset;
    /* In place what is linear and uniform. */
    struct pfpu_linear *form = &selection->values[value];
    if (instruction->op == PFPU_OP_NUMBER) {
        form->constant = pfpu_factor_number(programs, instruction->number);
        return;
    }
    if (!programs->frame->plain && pfpu_ops[instruction->op].kind == PFPU_OP_KIND_PURE &&
        all_uniform(selection, instruction) &&
        linear_factor(selection, instruction, programs, &form->constant)) {
        return;
    }
    *form = translate(selection, value);
    /* A value of several terms that is needed several times is summed up once. Spread out over two
     * uses, its terms take a product more each, but what scales the sum afterwards melts into their
     * factors. */
    const uint32_t uses = selection->uses[value];
    const bool spreads = form->count <= SPREAD_TERMS && uses == 2;
    if (form->count >= 2 && uses >= 2 && (!spreads || !selection->favours_short_path)) {
        selection->has_shorter = selection->has_shorter || spreads;
        *form = pfpu_linear_atom(programs, pfpu_linear_make(programs, form));
    }
}

bool pfpu_select(struct pfpu_selection *selection, const int32_t *roots, size_t root_count)
{
    struct pfpu_linear_programs *programs = &selection->programs;
    const size_t count = selection->source->count;
    selection->values = base_arena_room(programs->scratch, count, sizeof *selection->values);
    selection->live = base_arena_array(programs->scratch, count, sizeof *selection->live);
    selection->uses = base_arena_array(programs->scratch, count, sizeof *selection->uses);
    if (selection->values == NULL || selection->live == NULL || selection->uses == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        selection->values[i].count = 0;
        selection->values[i].constant = (struct pfpu_factor){0, false};
    }
    for (size_t i = 0; i < root_count; i++) {
        selection->live[roots[i]] = true;
    }
    for (bool news = true; news;) {
        /* What live values are made of is live. */
        for (size_t i = count; i-- > 0;) {
            const struct pfpu_instruction *instruction = at(selection, (int32_t)i);
            for (int k = 0; selection->live[i] && k < pfpu_ops[instruction->op].arity; k++) {
                selection->live[instruction->arguments[k]] = true;
            }
        }
        /* What a needed variable takes to the next vertex is needed too. */
        news = false;
        for (size_t i = 0; i < count; i++) {
            const struct pfpu_instruction *get = at(selection, (int32_t)i);
            if (selection->live[i] && get->op == PFPU_OP_GET &&
                role_of(selection, get->key)->kind == PFPU_ROLE_CARRIED) {
                const int32_t stored = selection->stores[get->key - PFPU_REGISTERS_GLOBAL];
                news = news || !selection->live[stored];
                selection->live[stored] = true;
            }
        }
    }
    for (size_t i = 0; i < selection->source->count; i++) {
        const struct pfpu_instruction *instruction = at(selection, (int32_t)i);
        for (int k = 0; selection->live[i] && k < pfpu_ops[instruction->op].arity; k++) {
            selection->uses[instruction->arguments[k]]++;
        }
    }
    for (size_t i = 0; i < count && !programs->frame->failed && !programs->vertex->failed; i++) {
        translate_next(selection, (int32_t)i);
    }
    return !programs->frame->failed && !programs->vertex->failed;
}
