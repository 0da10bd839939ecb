#include "pfpu/language/parse.h"

#include "pfpu/language/lex.h"

static struct pfpu_node *make(struct base_arena *arena, enum pfpu_node_kind kind, size_t offset)
{
    struct pfpu_node *node = base_arena_alloc(arena, sizeof *node);
    if (node != NULL) {
        node->kind = kind;
        node->offset = offset;
    }
    return node;
}

struct pfpu_node *pfpu_node_number(struct base_arena *arena, size_t offset, double number)
{
    struct pfpu_node *node = make(arena, PFPU_NODE_NUMBER, offset);
    if (node != NULL) {
        node->number = number;
    }
    return node;
}

struct pfpu_node *pfpu_node_name(struct base_arena *arena, size_t offset, struct base_span name)
{
    struct pfpu_node *node = make(arena, PFPU_NODE_NAME, offset);
    if (node != NULL) {
        node->name = name;
    }
    return node;
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned cost_sum(unsigned a, unsigned b)
{
    return a + b < PFPU_COST_MAX ? a + b : PFPU_COST_MAX;
}

struct pfpu_node *pfpu_node_call(struct base_arena *arena, size_t offset,
                                 const struct pfpu_function *function,
                                 struct pfpu_node *const arguments[PFPU_ARGUMENTS_MAX])
{
    struct pfpu_node *node = make(arena, PFPU_NODE_CALL, offset);
    if (node == NULL) {
        return NULL;
    }
    node->function = function;
    node->cost = pfpu_ops[function->op].cost;
    node->effects = function->kind == PFPU_KIND_ASSIGN || function->kind == PFPU_KIND_LOOP ||
                    function->kind == PFPU_KIND_WHILE ||
                    pfpu_ops[function->op].kind == PFPU_OP_KIND_EFFECT;
    const bool chain = pfpu_node_is_chain(node);
    for (unsigned i = 0; i < function->arity; i++) {
        struct pfpu_node *argument = arguments[i];
        node->arguments[i] = argument;
        node->depth = larger(node->depth, argument->depth + (chain && i == 0 ? 0 : 1));
        node->cost = cost_sum(node->cost, argument->cost);
        node->effects = node->effects || argument->effects;
    }
    return node;
}

struct pfpu_node *pfpu_node_sequence(struct base_arena *arena, size_t offset)
{
    return make(arena, PFPU_NODE_SEQUENCE, offset);
}

void pfpu_node_append(struct pfpu_node *sequence, struct pfpu_node *last,
                      struct pfpu_node *statement)
{
    if (last == NULL) {
        sequence->first = statement;
    } else {
        last->next = statement;
    }
    sequence->depth = larger(sequence->depth, statement->depth + 1);
    sequence->cost = cost_sum(sequence->cost, statement->cost);
    sequence->effects = sequence->effects || statement->effects;
}

struct parser {
    struct pfpu_lexer lexer;
    struct pfpu_token token; /* the next one */
    const struct pfpu_text *text;
    struct base_arena *scratch;
    struct pfpu_complaint *complaint;
    unsigned depth;
};

static struct pfpu_node *parse_expression(struct parser *parser);
static struct pfpu_node *parse_sequence(struct parser *parser, size_t offset);
static void advance(struct parser *parser)
{
    parser->token = pfpu_lex_next(&parser->lexer);
}

static bool at_mark(const struct parser *parser, char mark)
{
    return parser->token.kind == PFPU_TOKEN_MARK && parser->token.mark == mark;
}

static bool at_text(const struct parser *parser, char operator_text)
{
    const struct pfpu_token *token = &parser->token;
    return token->kind == PFPU_TOKEN_OPERATOR && token->operator_row->text[0] == operator_text &&
           token->operator_row->text[1] == '\0';
}

static struct pfpu_node *too_deep(struct parser *parser, size_t offset)
{
    pfpu_complain(parser->complaint, offset, "split it into several assignments",
                  "expression nested more than %d levels deep", PFPU_NESTING_MAX);
    return NULL;
}

/* Checks a finished node; the parser's own recursion does not bound the depth of the tree. */
static struct pfpu_node *finish(struct parser *parser, struct pfpu_node *node)
{
    return node != NULL && node->depth > PFPU_NESTING_MAX ? too_deep(parser, node->offset) : node;
}

static struct pfpu_node *finish_call(struct parser *parser, size_t offset,
                                     const struct pfpu_function *function, struct pfpu_node *a,
                                     struct pfpu_node *b)
{
    struct pfpu_node *arguments[PFPU_ARGUMENTS_MAX] = {a, b, NULL};
    if (a == NULL || (function->arity > 1 && b == NULL)) {
        return NULL;
    }
    return finish(parser, pfpu_node_call(parser->scratch, offset, function, arguments));
}

static struct pfpu_node *nested(struct parser *parser,
                                struct pfpu_node *(*parse)(struct parser *parser))
{
    if (parser->depth >= PFPU_NESTING_MAX) {
        return too_deep(parser, parser->token.offset);
    }
    parser->depth++;
    struct pfpu_node *node = parse(parser);
    parser->depth--;
    return node;
}

/* Complains that something else stands where an operand should. */
static struct pfpu_node *operand_missing(struct parser *parser)
{
    const struct pfpu_token *token = &parser->token;
    if (token->kind == PFPU_TOKEN_END) {
        pfpu_complain(parser->complaint, token->offset, "write the missing operand",
                      "the text ends where a value should stand");
    } else if (token->kind != PFPU_TOKEN_WRONG) {
        const struct base_span text = pfpu_lex_span(&parser->lexer, token);
        pfpu_complain(parser->complaint, token->offset, "write the missing operand",
                      "a value is missing before '%.*s'", (int)text.size, text.data);
    }
    return NULL;
}

/* Complains about what follows a complete expression. */
static void unexpected(struct parser *parser)
{
    const struct pfpu_token *token = &parser->token;
    if (token->kind == PFPU_TOKEN_NUMBER || token->kind == PFPU_TOKEN_NAME ||
        at_mark(parser, '(')) {
        pfpu_complain(parser->complaint, token->offset, "is a ';' missing?",
                      "two values without an operator between them");
    } else if (at_mark(parser, ')') || at_mark(parser, ']')) {
        pfpu_complain(parser->complaint, token->offset, "remove it or open one before",
                      "'%c' closes nothing", token->mark);
    } else if (token->kind != PFPU_TOKEN_WRONG) {
        const struct base_span text = pfpu_lex_span(&parser->lexer, token);
        pfpu_complain(parser->complaint, token->offset, NULL, "unexpected '%.*s'", (int)text.size,
                      text.data);
    }
}

/* Steps over a closing mark or complains that it is missing. */
static bool close(struct parser *parser, char mark, size_t opened)
{
    if (at_mark(parser, mark)) {
        advance(parser);
        return true;
    }
    const struct pfpu_token *token = &parser->token;
    if (token->kind != PFPU_TOKEN_END && !at_mark(parser, ')') && !at_mark(parser, ']')) {
        unexpected(parser);
        return false;
    }
    const struct base_place here = pfpu_text_place(parser->text, token->offset);
    const struct base_place there = pfpu_text_place(parser->text, opened);
    const char open = parser->text->data[opened];
    if (here.line == there.line) {
        pfpu_complain(parser->complaint, token->offset, "count the brackets",
                      "missing '%c' for the '%c' at column %u", mark, open, there.column);
    } else {
        pfpu_complain(parser->complaint, token->offset, "count the brackets",
                      "missing '%c' for the '%c' at line %u, column %u", mark, open, there.line,
                      there.column);
    }
    return false;
}

static void complain_arity(struct parser *parser, const struct pfpu_function *function,
                           struct base_span name, size_t offset, unsigned given)
{
    pfpu_complain(parser->complaint, offset, NULL, "'%.*s' takes %u argument%s, %u given",
                  (int)name.size, name.data, function->arity, function->arity == 1 ? "" : "s",
                  given);
}

/* The next token is the parenthesis behind the name. */
static struct pfpu_node *parse_call(struct parser *parser, const struct pfpu_function *function,
                                    struct base_span name, size_t offset)
{
    struct pfpu_node *arguments[PFPU_ARGUMENTS_MAX] = {NULL};
    const size_t opened = parser->token.offset;
    unsigned given = 0;
    advance(parser);
    if (at_mark(parser, ')')) {
        complain_arity(parser, function, name, offset, 0);
        return NULL;
    }
    for (;;) {
        struct pfpu_node *argument = parse_sequence(parser, parser->token.offset);
        if (argument == NULL) {
            return NULL;
        }
        if (given < PFPU_ARGUMENTS_MAX) {
            arguments[given] = argument;
        }
        given++;
        if (!at_mark(parser, ',')) {
            break;
        }
        advance(parser);
    }
    if (!close(parser, ')', opened)) {
        return NULL;
    }
    if (given != function->arity) {
        complain_arity(parser, function, name, offset, given);
        return NULL;
    }
    return finish(parser, pfpu_node_call(parser->scratch, offset, function, arguments));
}

static struct pfpu_node *parse_name(struct parser *parser)
{
    const size_t offset = parser->token.offset;
    const struct base_span name = pfpu_lex_span(&parser->lexer, &parser->token);
    const struct pfpu_function *function = pfpu_function_find(name);
    const int shown = name.size < 60 ? (int)name.size : 60;
    advance(parser);
    if (at_mark(parser, '(')) {
        if (function == NULL) {
            pfpu_complain(parser->complaint, offset, "check the spelling",
                          "unknown function '%.*s'", shown, name.data);
            return NULL;
        }
        return parse_call(parser, function, name, offset);
    }
    if (function != NULL) {
        pfpu_complain(parser->complaint, offset, "write its arguments in parentheses",
                      "function '%.*s' without arguments", shown, name.data);
        return NULL;
    }
    return pfpu_node_name(parser->scratch, offset, name);
}

/* x[i] is megabuf(x+i), gmem[i] is gmegabuf(i); the index may be left out. */
static struct pfpu_node *parse_index(struct parser *parser, struct pfpu_node *base)
{
    const bool global =
        base->kind == PFPU_NODE_NAME && base_span_equal_nocase(base->name, base_span_of("gmem"));
    const size_t opened = parser->token.offset;
    struct pfpu_node *index = NULL;
    advance(parser);
    if (!at_mark(parser, ']')) {
        index = parse_sequence(parser, opened);
        if (index == NULL) {
            return NULL;
        }
    }
    if (!close(parser, ']', opened)) {
        return NULL;
    }
    if (index == NULL) {
        index = global ? pfpu_node_number(parser->scratch, opened, 0.0) : base;
    } else if (!global) {
        index = finish_call(parser, opened, &pfpu_functions[PFPU_FUNCTION_ADD], base, index);
    }
    return finish_call(parser, opened,
                       &pfpu_functions[global ? PFPU_FUNCTION_GMEGABUF : PFPU_FUNCTION_MEGABUF],
                       index, NULL);
}

static struct pfpu_node *parse_postfix(struct parser *parser)
{
    const struct pfpu_token first = parser->token;
    struct pfpu_node *node = NULL;
    if (first.kind == PFPU_TOKEN_NUMBER) {
        advance(parser);
        node = pfpu_node_number(parser->scratch, first.offset, first.number);
    } else if (first.kind == PFPU_TOKEN_NAME) {
        node = parse_name(parser);
    } else if (at_mark(parser, '(')) {
        advance(parser);
        node = parse_sequence(parser, first.offset);
        node = node != NULL && close(parser, ')', first.offset) ? node : NULL;
    } else {
        node = operand_missing(parser);
    }
    while (node != NULL && at_mark(parser, '[')) {
        node = parse_index(parser, node);
    }
    const struct pfpu_token token = parser->token;
    if (node == NULL || token.kind != PFPU_TOKEN_OPERATOR ||
        token.operator_row->level != PFPU_LEVEL_ASSIGN) {
        return node;
    }
    advance(parser);
    struct pfpu_node *value = parse_expression(parser);
    return finish_call(parser, token.offset, &pfpu_functions[token.operator_row->function], node,
                       value);
}

/* Operand of a sign or of '!', which take the tightest thing that follows. */
static struct pfpu_node *parse_prefixed(struct parser *parser)
{
    const size_t offset = parser->token.offset;
    if (at_mark(parser, '!')) {
        advance(parser);
        return finish_call(parser, offset, &pfpu_functions[PFPU_FUNCTION_OP_NOT],
                           nested(parser, parse_prefixed), NULL);
    }
    if (at_text(parser, '-')) {
        advance(parser);
        return finish_call(parser, offset, &pfpu_functions[PFPU_FUNCTION_NEG],
                           nested(parser, parse_prefixed), NULL);
    }
    if (at_text(parser, '+')) {
        advance(parser);
        return nested(parser, parse_prefixed);
    }
    return parse_postfix(parser);
}

static struct pfpu_node *parse_unary(struct parser *parser)
{
    const size_t offset = parser->token.offset;
    if (at_text(parser, '-')) {
        advance(parser);
        return finish_call(parser, offset, &pfpu_functions[PFPU_FUNCTION_NEG],
                           nested(parser, parse_unary), NULL);
    }
    if (at_text(parser, '+')) {
        advance(parser);
        return nested(parser, parse_unary);
    }
    /* Level 11; the left operand has no sign. */
    struct pfpu_node *left = at_mark(parser, '!') ? parse_prefixed(parser) : parse_postfix(parser);
    while (left != NULL && parser->token.kind == PFPU_TOKEN_OPERATOR &&
           parser->token.operator_row->level == PFPU_LEVEL_POWER) {
        const struct pfpu_token token = parser->token;
        advance(parser);
        left = finish_call(parser, token.offset, &pfpu_functions[token.operator_row->function],
                           left, parse_prefixed(parser));
    }
    return left;
}

static struct pfpu_node *parse_comparison(struct parser *parser);

static struct pfpu_node *parse_binary(struct parser *parser, int loosest);

/* Levels 4 to 9, where each operator takes tighter operands on its right; from the first operator
 * on. */
static struct pfpu_node *parse_operators(struct parser *parser, struct pfpu_node *left, int loosest)
{
    while (left != NULL && parser->token.kind == PFPU_TOKEN_OPERATOR &&
           parser->token.operator_row->level >= loosest &&
           parser->token.operator_row->level < PFPU_LEVEL_UNARY) {
        const struct pfpu_token token = parser->token;
        const struct pfpu_operator *row = token.operator_row;
        advance(parser);
        struct pfpu_node *right =
            row->right ? nested(parser, parse_comparison) : parse_binary(parser, row->level + 1);
        left = finish_call(parser, token.offset, &pfpu_functions[row->function], left, right);
    }
    return left;
}

static struct pfpu_node *parse_binary(struct parser *parser, int loosest)
{
    return parse_operators(parser, parse_unary(parser), loosest);
}

static struct pfpu_node *parse_comparison(struct parser *parser)
{
    return parse_binary(parser, PFPU_LEVEL_COMPARISON);
}

static struct pfpu_node *parse_conditional(struct parser *parser)
{
    struct pfpu_node *condition = parse_binary(parser, PFPU_LEVEL_LOOSEST);
    if (condition == NULL || !at_mark(parser, '?')) {
        return condition;
    }
    const size_t offset = parser->token.offset;
    advance(parser);
    struct pfpu_node *yes = parse_expression(parser);
    if (yes == NULL) {
        return NULL;
    }
    if (!at_mark(parser, ':')) {
        pfpu_complain(parser->complaint, parser->token.offset, "write condition ? value : value",
                      "missing ':' for the '?'");
        return NULL;
    }
    advance(parser);
    struct pfpu_node *no = parse_expression(parser);
    if (no == NULL) {
        return NULL;
    }
    struct pfpu_node *arguments[PFPU_ARGUMENTS_MAX] = {condition, yes, no};
    const struct pfpu_function *function = &pfpu_functions[PFPU_FUNCTION_IF];
    return finish(parser, pfpu_node_call(parser->scratch, offset, function, arguments));
}

static struct pfpu_node *parse_expression(struct parser *parser)
{
    return nested(parser, parse_conditional);
}

static bool at_end_of_sequence(const struct parser *parser)
{
    return parser->token.kind == PFPU_TOKEN_END || at_mark(parser, ')') || at_mark(parser, ']') ||
           at_mark(parser, ',');
}

static struct pfpu_node *value_of(struct parser *parser, struct pfpu_node *sequence)
{
    struct pfpu_node *first = sequence->first;
    return first != NULL && first->next == NULL ? first : finish(parser, sequence);
}

/* Statements up to a closing mark, a comma or the end; at least one. */
static struct pfpu_node *parse_sequence(struct parser *parser, size_t offset)
{
    struct pfpu_node *sequence = pfpu_node_sequence(parser->scratch, offset);
    struct pfpu_node *last = NULL;
    while (sequence != NULL && !at_end_of_sequence(parser)) {
        struct pfpu_node *before = NULL;
        if (at_mark(parser, ';')) {
            advance(parser);
            continue;
        }
        if (last != NULL && parser->depth > 0 && (at_text(parser, '*') || at_text(parser, '/'))) {
            before = value_of(parser, sequence);
            sequence = before != NULL ? pfpu_node_sequence(parser->scratch, offset) : NULL;
            last = NULL;
        }
        if (sequence == NULL) {
            return NULL;
        }
        struct pfpu_node *statement = before != NULL
                                          ? parse_operators(parser, before, PFPU_LEVEL_LOOSEST)
                                          : parse_expression(parser);
        if (statement == NULL) {
            return NULL;
        }
        if (!at_mark(parser, ';') && !at_end_of_sequence(parser)) {
            unexpected(parser);
            return NULL;
        }
        pfpu_node_append(sequence, last, statement);
        last = statement;
    }
    if (sequence == NULL) {
        return NULL;
    }
    return last == NULL ? operand_missing(parser) : value_of(parser, sequence);
}

struct pfpu_node *pfpu_parse(const struct pfpu_text *text, struct base_arena *scratch,
                             struct pfpu_complaint *complaint)
{
    struct parser parser = {.text = text, .scratch = scratch, .complaint = complaint};
    pfpu_lex_start(&parser.lexer, text, scratch, complaint);
    advance(&parser);
    while (at_mark(&parser, ';')) {
        advance(&parser);
    }
    if (parser.token.kind == PFPU_TOKEN_END) {
        return pfpu_node_sequence(scratch, 0);
    }
    struct pfpu_node *node = parse_sequence(&parser, 0);
    if (node != NULL && parser.token.kind != PFPU_TOKEN_END) {
        unexpected(&parser);
        return NULL;
    }
    return node;
}
