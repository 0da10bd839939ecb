#include "renderer/shader/parse_work.h"

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

static bool parse_part(struct shader_parser *parser, struct shader_statement **part)
{
    *part = shader_parse_statement(parser);
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

static bool parse_declaration(struct shader_parser *parser, struct shader_statement *statement)
{
    struct shader_qualifiers qualifiers;
    struct shader_type type;
    statement->kind = SHADER_S_DECLARE;
    shader_parse_qualifiers(parser, &qualifiers);
    return shader_parse_type(parser, &type) &&
           shader_parse_variables(parser, &qualifiers, &type, &statement->variables,
                                  &statement->variable_count);
}

/* A declaration, or a value, with its ';'. */
static bool parse_simple(struct shader_parser *parser, struct shader_statement *statement)
{
    if (shader_parse_at_declaration(parser)) {
        return parse_declaration(parser, statement);
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

static const struct keyword *keyword_of(const struct shader_token *token)
{
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (shader_token_is(token, keywords[i].name)) {
            return &keywords[i];
        }
    }
    return NULL;
}

/* [loop], [unroll(8)] and the like. */
static bool skip_attributes(struct shader_parser *parser)
{
    while (shader_parse_at(parser, '[')) {
        const struct shader_token *opened = parser->token++;
        while (parser->token->kind != SHADER_TOKEN_END && !shader_parse_at(parser, ']') &&
               !shader_parse_at(parser, ';')) {
            parser->token++;
        }
        if (!shader_parse_close(parser, ']', opened)) {
            return false;
        }
    }
    return true;
}

static struct shader_statement *parse_block(struct shader_parser *parser)
{
    const struct shader_token *opened = parser->token++;
    struct shader_statement *block = shader_parse_statements(parser);
    return block != NULL && shader_parse_close(parser, '}', opened) ? block : NULL;
}

static bool refuse_else(struct shader_parser *parser)
{
    shader_text_complain(parser->text, parser->token->offset,
                         "is there a ';' or a second statement behind the condition?",
                         "there is no 'if' for this 'else'");
    return false;
}

static struct shader_statement *parse_statement(struct shader_parser *parser)
{
    if (!skip_attributes(parser)) {
        return NULL;
    }
    const struct shader_token *token = parser->token;
    const struct keyword *keyword = keyword_of(token);
    if (token->mark == '{') {
        return parse_block(parser);
    }
    if (shader_token_is(token, "else")) {
        (void)refuse_else(parser);
        return NULL;
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

struct shader_statement *shader_parse_statement(struct shader_parser *parser)
{
    if (!shader_parse_enter(parser)) {
        return NULL;
    }
    struct shader_statement *statement = parse_statement(parser);
    shader_parse_leave(parser);
    return statement;
}

struct shader_statement *shader_parse_statements(struct shader_parser *parser)
{
    struct shader_statement *block = make(parser, SHADER_S_BLOCK, parser->token);
    struct shader_statement **link = block != NULL ? &block->body : NULL;
    while (link != NULL && parser->token->kind != SHADER_TOKEN_END &&
           parser->token->kind != SHADER_TOKEN_BODY && !shader_parse_at(parser, '}')) {
        struct shader_statement *statement = shader_parse_statement(parser);
        if (statement == NULL) {
            return NULL;
        }
        *link = statement;
        link = &statement->next;
    }
    return block;
}
