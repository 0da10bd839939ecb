/* Variables, functions, and statements. */
#include <string.h>

#include "renderer/shader/text/parse.h"

/* What stands behind a name and does not matter here: ": COLOR0", ": register(s0)", "<..>". */
static bool skip_semantics(struct shader_parser *parser)
{
    while (shader_parse_take(parser, ':')) {
        if (parser->token->kind != SHADER_TOKEN_NAME) {
            return shader_parse_unexpected(parser, "a name behind ':'", "such as COLOR0");
        }
        parser->token++;
        const struct shader_token *opened = parser->token;
        if (!shader_parse_take(parser, '(')) {
            continue;
        }
        while (parser->token->kind != SHADER_TOKEN_END &&
               parser->token->kind != SHADER_TOKEN_BODY && !shader_parse_at(parser, ')')) {
            parser->token++;
        }
        if (!shader_parse_close(parser, ')', opened)) {
            return false;
        }
    }
    return true;
}

/* Over what is in the braces of sampler_state { .. }, or the same without the word. */
static bool skip_sampler_state(struct shader_parser *parser)
{
    parser->token += shader_parse_at(parser, '{') ? 0 : 1;
    const struct shader_token *opened = parser->token++;
    size_t open = 1;
    while (open > 0) {
        if (parser->token->kind == SHADER_TOKEN_END || parser->token->kind == SHADER_TOKEN_BODY) {
            return shader_parse_close(parser, '}', opened);
        }
        open += shader_parse_at(parser, '{') ? 1 : 0;
        open -= shader_parse_at(parser, '}') ? 1 : 0;
        parser->token++;
    }
    return true;
}

/* Whether an expression is a whole number made of literals. */
static bool is_whole(const struct shader_expression *expression, double *value)
{
    if (expression->kind != SHADER_E_BINARY) {
        *value = expression->number;
        return expression->kind == SHADER_E_NUMBER && expression->type.base == SHADER_INT;
    }
    double a;
    double b;
    if (!is_whole(expression->a, &a) || !is_whole(expression->b, &b)) {
        return false;
    }
    switch (expression->op) {
    case SHADER_O_ADD:
        *value = a + b;
        return true;
    case SHADER_O_SUB:
        *value = a - b;
        return true;
    case SHADER_O_MUL:
        *value = a * b;
        return true;
    default:
        return false;
    }
}

static bool set_length(struct shader_parser *parser, const struct shader_token *token,
                       double length, struct shader_type *type)
{
    if (!(length >= 1.0 && length <= SHADER_ARRAY_MAX)) {
        shader_text_complain(parser->text, token->offset, "use a shorter one",
                             "an array has 1 to %d elements", SHADER_ARRAY_MAX);
        return false;
    }
    type->length = (uint16_t)length;
    return true;
}

/* [8], [] or nothing. open is set for []; *length where the number is not a plain one. */
static bool parse_length(struct shader_parser *parser, struct shader_type *type, bool *open,
                         struct shader_expression **length)
{
    const struct shader_token *opened = parser->token;
    double number;
    *open = false;
    *length = NULL;
    if (!shader_parse_take(parser, '[')) {
        return true;
    }
    *open = shader_parse_at(parser, ']');
    struct shader_expression *expression = *open ? NULL : shader_parse_expression(parser);
    if ((!*open && expression == NULL) || !shader_parse_close(parser, ']', opened)) {
        return false;
    }
    if (shader_parse_at(parser, '[')) {
        shader_text_complain(parser->text, parser->token->offset,
                             "use one array and compute the index",
                             "arrays of arrays are not supported");
        return false;
    }
    if (*open || !is_whole(expression, &number)) {
        *length = expression;
        return true;
    }
    return set_length(parser, opened, number, type);
}

/* Numbers that an element of an initialiser list stands for; 0: unknown. */
static size_t numbers_of(const struct shader_expression *expression)
{
    size_t sum = 0;
    switch (expression->kind) {
    case SHADER_E_NUMBER:
        return 1;
    case SHADER_E_UNARY:
        return numbers_of(expression->a);
    case SHADER_E_CONSTRUCT:
        return (size_t)expression->type.rows * expression->type.columns;
    case SHADER_E_LIST:
        for (size_t i = 0; i < expression->argument_count; i++) {
            const size_t count = numbers_of(expression->arguments[i]);
            if (count == 0) {
                return 0;
            }
            sum += count;
        }
        return sum;
    default:
        return 0;
    }
}

static bool parse_variable(struct shader_parser *parser, struct shader_variable *variable)
{
    const struct shader_token *token = parser->token;
    bool open;
    if (token->kind != SHADER_TOKEN_NAME) {
        return shader_parse_unexpected(parser, "the name of a variable",
                                       "write a type and a name, such as float3 glow");
    }
    variable->place = shader_parse_place(parser, token);
    variable->name = shader_token_span(token);
    parser->token++;
    if (!parse_length(parser, &variable->type, &open, &variable->length) ||
        !skip_semantics(parser)) {
        return false;
    }
    const bool sampler = variable->type.base == SHADER_SAMPLER;
    bool fine = true;
    if (sampler && shader_parse_at(parser, '{')) {
        fine = skip_sampler_state(parser);
    } else if (shader_parse_take(parser, '=')) {
        if (sampler &&
            (shader_parse_at(parser, '{') ||
             (shader_parse_at_name(parser, "sampler_state") && parser->token[1].mark == '{'))) {
            fine = skip_sampler_state(parser);
        } else {
            variable->value = shader_parse_initialiser(parser);
            fine = variable->value != NULL;
        }
    }
    if (!fine) {
        return false;
    }
    if (variable->type.base == SHADER_VOID) {
        shader_text_complain(parser->text, token->offset, "use float", "a variable of type void");
        return false;
    }
    if (!open) {
        return true;
    }
    /* The length of float2 a[] = {..}: elements may be written as vectors or number by number. */
    const struct shader_expression *value = variable->value;
    if (value == NULL || value->kind != SHADER_E_LIST) {
        shader_text_complain(parser->text, token->offset, "write float name[4]",
                             "the array has no length");
        return false;
    }
    const size_t size = (size_t)variable->type.rows * variable->type.columns;
    const size_t numbers = numbers_of(value);
    const size_t length = numbers > 0 ? (numbers + size - 1) / size : value->argument_count;
    return set_length(parser, token, (double)length, &variable->type);
}

bool shader_parse_variables(struct shader_parser *parser,
                            const struct shader_qualifiers *qualifiers,
                            const struct shader_type *type, struct shader_variable **variables,
                            size_t *count)
{
    struct shader_variable *list = NULL;
    size_t made = 0;
    size_t capacity = 0;
    const struct shader_token *word = parser->token > parser->first ? parser->token - 1 : NULL;
    do {
        struct shader_variable *larger =
            base_arena_grow(parser->arena, list, &capacity, made + 1, sizeof *larger);
        if (larger == NULL) {
            shader_text_no_memory(parser->text);
            return false;
        }
        list = larger;
        list[made] = (struct shader_variable){
            .type = *type, .constant = qualifiers->constant, .is_static = qualifiers->is_static};
        if (!parse_variable(parser, &list[made++])) {
            return false;
        }
    } while (shader_parse_take(parser, ','));
    /* Textures are named in sampler_state only: they are read and forgotten. */
    const bool texture = word != NULL && word->kind == SHADER_TOKEN_NAME && word->size >= 7 &&
                         memcmp(word->text, "texture", 7) == 0;
    *variables = list;
    *count = texture ? 0 : made;
    if (shader_parse_at(parser, '(')) {
        return shader_parse_unexpected(parser, "a ';' or '='",
                                       "functions stand before shader_body");
    }
    return shader_parse_expect(parser, ';', "behind the declaration", "end it with ';'");
}

static bool parse_parameter(struct shader_parser *parser, struct shader_parameter *parameter)
{
    struct shader_qualifiers qualifiers;
    shader_parse_qualifiers(parser, &qualifiers);
    if (!shader_parse_type(parser, &parameter->type)) {
        return false;
    }
    const struct shader_token *token = parser->token;
    bool open;
    struct shader_expression *length;
    parameter->place = shader_parse_place(parser, token);
    parameter->direction = qualifiers.direction != 0 ? qualifiers.direction : SHADER_IN;
    if (token->kind == SHADER_TOKEN_NAME) {
        parameter->name = shader_token_span(token);
        parser->token++;
    }
    if (!parse_length(parser, &parameter->type, &open, &length) || !skip_semantics(parser)) {
        return false;
    }
    if (open || length != NULL) {
        shader_text_complain(parser->text, token->offset, "write the number itself",
                             "the length of an array parameter is not a number");
        return false;
    }
    if (shader_parse_take(parser, '=')) {
        parameter->value = shader_parse_initialiser(parser);
        return parameter->value != NULL;
    }
    return true;
}

bool shader_parse_function(struct shader_parser *parser, struct shader_function *function)
{
    const struct shader_token *opened = parser->token++;
    size_t capacity = 0;
    if (shader_parse_at_name(parser, "void") && parser->token[1].mark == ')') {
        parser->token++;
    }
    if (!shader_parse_at(parser, ')')) {
        do {
            struct shader_parameter *larger =
                base_arena_grow(parser->arena, function->parameters, &capacity,
                                function->parameter_count + 1, sizeof *larger);
            if (larger == NULL) {
                shader_text_no_memory(parser->text);
                return false;
            }
            function->parameters = larger;
            if (!parse_parameter(parser, &larger[function->parameter_count++])) {
                return false;
            }
        } while (shader_parse_take(parser, ','));
    }
    if (!shader_parse_close(parser, ')', opened) || !skip_semantics(parser)) {
        return false;
    }
    if (shader_parse_take(parser, ';')) {
        return true;
    }
    opened = parser->token;
    if (!shader_parse_expect(parser, '{', "behind the parameters", "write { return ...; }")) {
        return false;
    }
    function->body = shader_parse_statements(parser);
    return function->body != NULL && shader_parse_close(parser, '}', opened);
}

static struct shader_statement *make(struct shader_parser *parser, enum shader_statement_kind kind,
                                     const struct shader_token *token)
{
    struct shader_statement *statement = shader_parse_alloc(parser, sizeof *statement);
    if (statement != NULL) {
        statement->kind = kind;
        statement->place = shader_parse_place(parser, token);
    }
    return statement;
}

static bool end(struct shader_parser *parser)
{
    return shader_parse_expect(parser, ';', "behind the statement", "end it with ';'");
}

/* A value in brackets: the condition of if, while and do. */
static bool parse_condition(struct shader_parser *parser, struct shader_expression **value)
{
    const struct shader_token *opened = parser->token;
    if (!shader_parse_expect(parser, '(', "around the condition", "write (condition)")) {
        return false;
    }
    *value = shader_parse_expression(parser);
    return *value != NULL && shader_parse_close(parser, ')', opened);
}

static struct shader_statement *parse_statement(struct shader_parser *parser);

static bool parse_part(struct shader_parser *parser, struct shader_statement **part)
{
    *part = parse_statement(parser);
    return *part != NULL;
}

static bool parse_if(struct shader_parser *parser, struct shader_statement *statement)
{
    if (!parse_condition(parser, &statement->value) || !parse_part(parser, &statement->body)) {
        return false;
    }
    if (!shader_parse_at_name(parser, "else")) {
        return true;
    }
    parser->token++;
    return parse_part(parser, &statement->other);
}

static bool parse_while(struct shader_parser *parser, struct shader_statement *statement)
{
    return parse_condition(parser, &statement->value) && parse_part(parser, &statement->body);
}

static bool parse_do(struct shader_parser *parser, struct shader_statement *statement)
{
    if (!parse_part(parser, &statement->body)) {
        return false;
    }
    if (!shader_parse_at_name(parser, "while")) {
        return shader_parse_unexpected(parser, "'while'", "write do { ... } while (condition);");
    }
    parser->token++;
    return parse_condition(parser, &statement->value) && end(parser);
}

/* A declaration, or a value, with its ';'. */
static bool parse_simple(struct shader_parser *parser, struct shader_statement *statement)
{
    if (shader_parse_at_declaration(parser)) {
        struct shader_qualifiers qualifiers;
        struct shader_type type;
        statement->kind = SHADER_S_DECLARE;
        shader_parse_qualifiers(parser, &qualifiers);
        return shader_parse_type(parser, &type) &&
               shader_parse_variables(parser, &qualifiers, &type, &statement->variables,
                                      &statement->variable_count);
    }
    statement->value = shader_parse_expression(parser);
    return statement->value != NULL && end(parser);
}

static bool parse_for(struct shader_parser *parser, struct shader_statement *statement)
{
    const struct shader_token *opened = parser->token;
    static const char hint[] = "write for (start; condition; step)";
    if (!shader_parse_expect(parser, '(', "behind 'for'", hint)) {
        return false;
    }
    if (!shader_parse_take(parser, ';')) {
        statement->start = make(parser, SHADER_S_EXPRESSION, parser->token);
        if (statement->start == NULL || !parse_simple(parser, statement->start)) {
            return false;
        }
    }
    if (!shader_parse_at(parser, ';')) {
        statement->value = shader_parse_expression(parser);
        if (statement->value == NULL) {
            return false;
        }
    }
    if (!shader_parse_expect(parser, ';', "behind the condition of 'for'", hint)) {
        return false;
    }
    if (!shader_parse_at(parser, ')')) {
        statement->step = shader_parse_expression(parser);
        if (statement->step == NULL) {
            return false;
        }
    }
    return shader_parse_close(parser, ')', opened) && parse_part(parser, &statement->body);
}

static bool parse_return(struct shader_parser *parser, struct shader_statement *statement)
{
    if (shader_parse_take(parser, ';')) {
        return true;
    }
    statement->value = shader_parse_expression(parser);
    return statement->value != NULL && end(parser);
}

static bool parse_jump(struct shader_parser *parser, struct shader_statement *statement)
{
    (void)statement;
    return end(parser);
}

static bool refuse_switch(struct shader_parser *parser, struct shader_statement *statement)
{
    (void)statement;
    shader_text_complain(parser->text, parser->token[-1].offset, "write if ... else if ...",
                         "switch is not supported");
    return false;
}

static bool refuse_type(struct shader_parser *parser, struct shader_statement *statement)
{
    (void)statement;
    shader_text_complain(parser->text, parser->token[-1].offset, "use separate variables",
                         "types of your own are not supported");
    return false;
}

static const struct keyword {
    const char *name;
    enum shader_statement_kind kind;
    /* Behind the word; false after a message. */
    bool (*parse)(struct shader_parser *parser, struct shader_statement *statement);
} keywords[] = {
    {"if", SHADER_S_IF, parse_if},
    {"for", SHADER_S_FOR, parse_for},
    {"while", SHADER_S_WHILE, parse_while},
    {"do", SHADER_S_DO, parse_do},
    {"return", SHADER_S_RETURN, parse_return},
    {"break", SHADER_S_BREAK, parse_jump},
    {"continue", SHADER_S_CONTINUE, parse_jump},
    {"discard", SHADER_S_DISCARD, parse_jump},
    {"switch", SHADER_S_EXPRESSION, refuse_switch},
    {"struct", SHADER_S_EXPRESSION, refuse_type},
    {"typedef", SHADER_S_EXPRESSION, refuse_type},
};

static struct shader_statement *parse_inside(struct shader_parser *parser)
{
    while (shader_parse_at(parser, '[')) { /* [loop], [unroll(8)] and the like */
        const struct shader_token *opened = parser->token++;
        while (parser->token->kind != SHADER_TOKEN_END && !shader_parse_at(parser, ']') &&
               !shader_parse_at(parser, ';')) {
            parser->token++;
        }
        if (!shader_parse_close(parser, ']', opened)) {
            return NULL;
        }
    }
    const struct shader_token *token = parser->token;
    if (token->mark == '{') {
        parser->token++;
        struct shader_statement *block = shader_parse_statements(parser);
        return block != NULL && shader_parse_close(parser, '}', token) ? block : NULL;
    }
    if (shader_token_is(token, "else")) {
        shader_text_complain(parser->text, token->offset,
                             "is there a ';' or a second statement behind the condition?",
                             "there is no 'if' for this 'else'");
        return NULL;
    }
    const struct keyword *keyword = NULL;
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        keyword = shader_token_is(token, keywords[i].name) ? &keywords[i] : keyword;
    }
    struct shader_statement *statement =
        make(parser, keyword != NULL ? keyword->kind : SHADER_S_EXPRESSION, token);
    if (statement == NULL || shader_parse_take(parser, ';')) {
        return statement;
    }
    parser->token += keyword != NULL ? 1 : 0;
    const bool fine =
        keyword != NULL ? keyword->parse(parser, statement) : parse_simple(parser, statement);
    return fine ? statement : NULL;
}

/* One level deeper. */
static struct shader_statement *parse_statement(struct shader_parser *parser)
{
    if (!shader_parse_enter(parser)) {
        return NULL;
    }
    struct shader_statement *statement = parse_inside(parser);
    shader_parse_leave(parser);
    return statement;
}

struct shader_statement *shader_parse_statements(struct shader_parser *parser)
{
    struct shader_statement *block = make(parser, SHADER_S_BLOCK, parser->token);
    struct shader_statement **link = block != NULL ? &block->body : NULL;
    while (link != NULL && parser->token->kind != SHADER_TOKEN_END &&
           parser->token->kind != SHADER_TOKEN_BODY && !shader_parse_at(parser, '}')) {
        struct shader_statement *statement = parse_statement(parser);
        if (statement == NULL) {
            return NULL;
        }
        *link = statement;
        link = &statement->next;
    }
    return block;
}
