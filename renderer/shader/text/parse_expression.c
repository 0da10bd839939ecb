/* Expressions, by descent; binary operators by their levels. */
#include "renderer/shader/text/parse.h"

enum { LEVEL_TIGHTEST = 10 };

static const struct binary_row {
    uint32_t mark;
    int level;
    enum shader_operator op;
} binaries[] = {
    {'*', 10, SHADER_O_MUL},
    {'+', 9, SHADER_O_ADD},
    {'-', 9, SHADER_O_SUB},
    {'/', 10, SHADER_O_DIV},
    {'%', 10, SHADER_O_MOD},
    {'<', 7, SHADER_O_LT},
    {'>', 7, SHADER_O_GT},
    {SHADER_MARK2('<', '='), 7, SHADER_O_LE},
    {SHADER_MARK2('>', '='), 7, SHADER_O_GE},
    {SHADER_MARK2('=', '='), 6, SHADER_O_EQ},
    {SHADER_MARK2('!', '='), 6, SHADER_O_NE},
    {SHADER_MARK2('&', '&'), 2, SHADER_O_AND},
    {SHADER_MARK2('|', '|'), 1, SHADER_O_OR},
    {SHADER_MARK2('<', '<'), 8, SHADER_O_SHIFT_LEFT},
    {SHADER_MARK2('>', '>'), 8, SHADER_O_SHIFT_RIGHT},
    {'&', 5, SHADER_O_BIT_AND},
    {'^', 4, SHADER_O_BIT_XOR},
    {'|', 3, SHADER_O_BIT_OR},
};

static const struct assignment_row {
    uint32_t mark;
    enum shader_operator op;
} assignments[] = {
    {'=', SHADER_O_NONE},
    {SHADER_MARK2('+', '='), SHADER_O_ADD},
    {SHADER_MARK2('-', '='), SHADER_O_SUB},
    {SHADER_MARK2('*', '='), SHADER_O_MUL},
    {SHADER_MARK2('/', '='), SHADER_O_DIV},
    {SHADER_MARK2('%', '='), SHADER_O_MOD},
    {SHADER_MARK2('&', '='), SHADER_O_BIT_AND},
    {SHADER_MARK2('|', '='), SHADER_O_BIT_OR},
    {SHADER_MARK2('^', '='), SHADER_O_BIT_XOR},
    {SHADER_MARK('<', '<', '='), SHADER_O_SHIFT_LEFT},
    {SHADER_MARK('>', '>', '='), SHADER_O_SHIFT_RIGHT},
};

static const struct unary_row {
    uint32_t mark;
    enum shader_operator op;
    bool step;
} unaries[] = {
    {'-', SHADER_O_MINUS, false},
    {'+', SHADER_O_PLUS, false},
    {'!', SHADER_O_NOT, false},
    {'~', SHADER_O_BIT_NOT, false},
    {SHADER_MARK2('+', '+'), SHADER_O_ADD, true},
    {SHADER_MARK2('-', '-'), SHADER_O_SUB, true},
};

/* Expressions as arguments, while they are read. */
struct list {
    struct shader_expression **items;
    size_t count;
    size_t capacity;
};

static struct shader_expression *parse_unary(struct shader_parser *parser);
static struct shader_expression *parse_binary(struct shader_parser *parser, int loosest);
static struct shader_expression *parse_assignment(struct shader_parser *parser); /* no commas */

static struct shader_expression *make(struct shader_parser *parser,
                                      enum shader_expression_kind kind,
                                      const struct shader_token *token)
{
    struct shader_expression *expression = shader_parse_alloc(parser, sizeof *expression);
    if (expression != NULL) {
        expression->kind = kind;
        expression->place = shader_parse_place(parser, token);
        expression->depth = 1;
    }
    return expression;
}

/* Takes the depth of a part into account; false if it is NULL or too deep. */
static bool count_depth(struct shader_parser *parser, struct shader_expression *expression,
                        const struct shader_expression *part, const struct shader_token *token)
{
    if (part == NULL) {
        return false;
    }
    if (part->depth >= SHADER_DEPTH_MAX) {
        shader_text_complain(parser->text, token->offset, "use variables between",
                             "an expression of more than %d levels", SHADER_DEPTH_MAX);
        return false;
    }
    if (part->depth >= expression->depth) {
        expression->depth = (uint16_t)(part->depth + 1);
    }
    return true;
}

/* An expression of one to two parts; NULL if one of them is. */
static struct shader_expression *make_of(struct shader_parser *parser,
                                         enum shader_expression_kind kind,
                                         const struct shader_token *token,
                                         struct shader_expression *a, struct shader_expression *b)
{
    struct shader_expression *expression = make(parser, kind, token);
    if (expression == NULL || !count_depth(parser, expression, a, token) ||
        (b != NULL && !count_depth(parser, expression, b, token))) {
        return NULL;
    }
    expression->a = a;
    expression->b = b;
    return expression;
}

static bool add_argument(struct shader_parser *parser, struct list *list,
                         struct shader_expression *argument)
{
    struct shader_expression **larger =
        base_arena_grow(parser->arena, list->items, &list->capacity, list->count + 1,
                        sizeof(struct shader_expression *));
    if (larger == NULL) {
        shader_text_no_memory(parser->text);
        return false;
    }
    list->items = larger;
    list->items[list->count++] = argument;
    return true;
}

/* Arguments up to the closing mark, into the expression. The opening one is next. */
static struct shader_expression *
parse_arguments(struct shader_parser *parser, struct shader_expression *expression, uint32_t mark,
                struct shader_expression *(*parse)(struct shader_parser *parser))
{
    const struct shader_token *opened = parser->token++;
    struct list list = {NULL, 0, 0};
    if (expression == NULL) {
        return NULL;
    }
    while (!shader_parse_at(parser, mark)) {
        const struct shader_token *start = parser->token;
        struct shader_expression *argument = parse(parser);
        if (argument == NULL || !count_depth(parser, expression, argument, start) ||
            !add_argument(parser, &list, argument)) {
            return NULL;
        }
        if (!shader_parse_take(parser, ',')) {
            break;
        }
        if (mark == ')' && shader_parse_at(parser, mark)) {
            (void)shader_parse_unexpected(parser, "a value", "remove the ',' or write a value");
            return NULL;
        }
    }
    expression->arguments = list.items;
    expression->argument_count = list.count;
    return shader_parse_close(parser, mark, opened) ? expression : NULL;
}

/* float3(x, y, z) */
static struct shader_expression *parse_constructor(struct shader_parser *parser)
{
    const struct shader_token *token = parser->token;
    struct shader_type type;
    if (!shader_parse_type(parser, &type)) {
        return NULL;
    }
    if (!shader_parse_at(parser, '(')) {
        (void)shader_parse_unexpected(parser, "a '(' behind the type",
                                      "a value of the type is float3(x, y, z); declare variables "
                                      "in a statement of their own");
        return NULL;
    }
    struct shader_expression *expression = make(parser, SHADER_E_CONSTRUCT, token);
    if (expression != NULL) {
        expression->type = type;
    }
    return parse_arguments(parser, expression, ')', parse_assignment);
}

static struct shader_expression *parse_primary(struct shader_parser *parser)
{
    const struct shader_token *token = parser->token;
    const bool truth = shader_token_is(token, "true") || shader_token_is(token, "false");
    if (token->mark == '(') {
        parser->token++;
        struct shader_expression *expression = shader_parse_expression(parser);
        return expression != NULL && shader_parse_close(parser, ')', token) ? expression : NULL;
    }
    if (token->kind != SHADER_TOKEN_NUMBER && token->kind != SHADER_TOKEN_NAME) {
        (void)shader_parse_unexpected(parser, "a value", "write the missing value");
        return NULL;
    }
    if (!truth && shader_parse_at_type(parser)) {
        return parse_constructor(parser);
    }
    const bool number = token->kind == SHADER_TOKEN_NUMBER;
    const bool call = !number && !truth && token[1].mark == '(';
    const enum shader_expression_kind kind = number || truth ? SHADER_E_NUMBER
                                             : call          ? SHADER_E_CALL
                                                             : SHADER_E_NAME;
    struct shader_expression *expression = make(parser, kind, token);
    parser->token++;
    if (expression == NULL) {
        return NULL;
    }
    enum shader_base base = SHADER_BOOL;
    if (number) {
        expression->number = shader_token_number(token, parser->arena, &base);
    } else if (truth) {
        expression->number = shader_token_is(token, "true") ? 1.0 : 0.0;
    } else {
        expression->name = shader_token_span(token);
        return call ? parse_arguments(parser, expression, ')', parse_assignment) : expression;
    }
    expression->type = (struct shader_type){.base = (uint8_t)base, .rows = 1, .columns = 1};
    return expression;
}

/* Members, indexes, ++ and -- behind a value. */
static struct shader_expression *parse_postfix(struct shader_parser *parser)
{
    struct shader_expression *value = parse_primary(parser);
    while (value != NULL) {
        const struct shader_token *token = parser->token;
        const bool up = token->mark == SHADER_MARK2('+', '+');
        if (token->mark == '.') {
            parser->token++;
            if (parser->token->kind != SHADER_TOKEN_NAME) {
                (void)shader_parse_unexpected(parser, "a component behind '.'",
                                              "such as x, xyz or rgb");
                return NULL;
            }
            value = make_of(parser, SHADER_E_MEMBER, token, value, NULL);
            if (value != NULL) {
                value->name = shader_token_span(parser->token++);
            }
        } else if (token->mark == '[') {
            parser->token++;
            struct shader_expression *index = shader_parse_expression(parser);
            if (index == NULL || !shader_parse_close(parser, ']', token)) {
                return NULL;
            }
            value = make_of(parser, SHADER_E_INDEX, token, value, index);
        } else if (up || token->mark == SHADER_MARK2('-', '-')) {
            parser->token++;
            value = make_of(parser, SHADER_E_STEP, token, value, NULL);
            if (value != NULL) {
                value->op = up ? SHADER_O_ADD : SHADER_O_SUB;
            }
        } else {
            break;
        }
    }
    return value;
}

/* (float3)x. Puts the parser back if it is something else in brackets. */
static bool take_cast(struct shader_parser *parser, struct shader_type *type)
{
    const struct shader_token *start = parser->token;
    if (start[0].mark != '(' || start[1].kind != SHADER_TOKEN_NAME ||
        (start[2].mark != ')' && start[2].mark != '<')) {
        return false;
    }
    parser->token++;
    if (shader_parse_at_type(parser) && shader_parse_type(parser, type) &&
        shader_parse_take(parser, ')')) {
        return true;
    }
    parser->token = start;
    return false;
}

static struct shader_expression *parse_unary(struct shader_parser *parser)
{
    const struct shader_token *token = parser->token;
    const struct unary_row *row = NULL;
    struct shader_type type;
    for (size_t i = 0; token->mark != 0 && i < sizeof unaries / sizeof unaries[0]; i++) {
        row = unaries[i].mark == token->mark ? &unaries[i] : row;
    }
    const bool cast = row == NULL && take_cast(parser, &type);
    if (row == NULL && !cast) {
        return parse_postfix(parser);
    }
    if (!shader_parse_enter(parser)) {
        return NULL;
    }
    parser->token += cast ? 0 : 1;
    struct shader_expression *value = parse_unary(parser);
    struct shader_expression *expression = NULL;
    if (!cast) {
        expression =
            make_of(parser, row->step ? SHADER_E_STEP : SHADER_E_UNARY, token, value, NULL);
        if (expression != NULL) {
            expression->op = row->op;
            expression->prefix = row->step;
        }
    } else if (value != NULL) {
        struct list list = {NULL, 0, 0};
        expression = make(parser, SHADER_E_CONSTRUCT, token);
        if (expression != NULL && count_depth(parser, expression, value, token) &&
            add_argument(parser, &list, value)) {
            expression->type = type;
            expression->cast = true;
            expression->arguments = list.items;
            expression->argument_count = 1;
        } else {
            expression = NULL;
        }
    }
    shader_parse_leave(parser);
    return expression;
}

/* Operators of this level and tighter ones. */
static struct shader_expression *parse_binary(struct shader_parser *parser, int loosest)
{
    struct shader_expression *left = parse_unary(parser);
    while (left != NULL) {
        const struct shader_token *token = parser->token;
        const struct binary_row *row = NULL;
        for (size_t i = 0; token->mark != 0 && i < sizeof binaries / sizeof binaries[0]; i++) {
            row = binaries[i].mark == token->mark ? &binaries[i] : row;
        }
        if (row == NULL || row->level < loosest) {
            break;
        }
        parser->token++;
        struct shader_expression *right = row->level < LEVEL_TIGHTEST
                                              ? parse_binary(parser, row->level + 1)
                                              : parse_unary(parser);
        left = right != NULL ? make_of(parser, SHADER_E_BINARY, token, left, right) : NULL;
        if (left != NULL) {
            left->op = row->op;
        }
    }
    return left;
}

static struct shader_expression *parse_choice(struct shader_parser *parser)
{
    struct shader_expression *condition = parse_binary(parser, 1);
    const struct shader_token *token = parser->token;
    if (condition == NULL || !shader_parse_take(parser, '?')) {
        return condition;
    }
    struct shader_expression *yes = shader_parse_expression(parser);
    if (yes == NULL ||
        !shader_parse_expect(parser, ':', "for the '?'", "write condition ? value : value")) {
        return NULL;
    }
    struct shader_expression *no = parse_assignment(parser);
    struct shader_expression *choice =
        no != NULL ? make_of(parser, SHADER_E_CHOICE, token, condition, yes) : NULL;
    if (choice == NULL || !count_depth(parser, choice, no, token)) {
        return NULL;
    }
    choice->c = no;
    return choice;
}

static struct shader_expression *parse_assignment(struct shader_parser *parser)
{
    if (!shader_parse_enter(parser)) {
        return NULL;
    }
    struct shader_expression *expression = parse_choice(parser);
    const struct shader_token *token = parser->token;
    const struct assignment_row *row = NULL;
    for (size_t i = 0; token->mark != 0 && i < sizeof assignments / sizeof assignments[0]; i++) {
        row = assignments[i].mark == token->mark ? &assignments[i] : row;
    }
    if (expression != NULL && row != NULL) {
        parser->token++;
        struct shader_expression *value = parse_assignment(parser);
        expression =
            value != NULL ? make_of(parser, SHADER_E_ASSIGN, token, expression, value) : NULL;
        if (expression != NULL) {
            expression->op = row->op;
        }
    }
    shader_parse_leave(parser);
    return expression;
}

struct shader_expression *shader_parse_expression(struct shader_parser *parser)
{
    struct shader_expression *expression = parse_assignment(parser);
    while (expression != NULL && shader_parse_at(parser, ',')) {
        const struct shader_token *token = parser->token++;
        struct shader_expression *right = parse_assignment(parser);
        expression =
            right != NULL ? make_of(parser, SHADER_E_COMMA, token, expression, right) : NULL;
    }
    return expression;
}

struct shader_expression *shader_parse_initialiser(struct shader_parser *parser)
{
    if (!shader_parse_at(parser, '{')) {
        return parse_assignment(parser);
    }
    if (!shader_parse_enter(parser)) {
        return NULL;
    }
    struct shader_expression *list = make(parser, SHADER_E_LIST, parser->token);
    list = parse_arguments(parser, list, '}', shader_parse_initialiser);
    shader_parse_leave(parser);
    return list;
}
