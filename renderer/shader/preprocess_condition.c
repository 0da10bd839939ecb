#include "renderer/shader/preprocess_work.h"

enum { DEPTH_MAX = 200 };

/* Reads the tokens of a condition, which end with an END. */
struct reader {
    struct shader_preprocessor *pp;
    const struct shader_token *token;
    unsigned depth;
    bool unused; /* the part before && or || has decided already: 1/0 is fine */
};

static const struct operator_row {
    uint32_t mark;
    int level;
} operators[] = {
    {SHADER_MARK2('|', '|'), 1},
    {SHADER_MARK2('&', '&'), 2},
    {'|', 3},
    {'^', 4},
    {'&', 5},
    {SHADER_MARK2('=', '='), 6},
    {SHADER_MARK2('!', '='), 6},
    {'<', 7},
    {'>', 7},
    {SHADER_MARK2('<', '='), 7},
    {SHADER_MARK2('>', '='), 7},
    {SHADER_MARK2('<', '<'), 8},
    {SHADER_MARK2('>', '>'), 8},
    {'+', 9},
    {'-', 9},
    {'*', 10},
    {'/', 10},
    {'%', 10},
};

static int64_t read_choice(struct reader *reader);

static int64_t wrong(struct reader *reader, const char *what)
{
    shader_text_complain(reader->pp->text, reader->token->offset,
                         "a condition has whole numbers, defined(NAME) and operators",
                         "%s in the condition of #if", what);
    return 0;
}

static int level_of(uint32_t mark)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (operators[i].mark == mark) {
            return operators[i].level;
        }
    }
    return 0;
}

static int64_t read_number(struct reader *reader)
{
    enum shader_base base;
    const double number = shader_token_number(reader->token, reader->pp->arena, &base);
    if (!(number < 9e18)) {
        return wrong(reader, "a number is too large");
    }
    return base == SHADER_FLOAT && number > 0.0 && number < 1.0 ? 1 : (int64_t)number;
}

static int64_t read_primary(struct reader *reader)
{
    const struct shader_token *token = reader->token;
    if (token->kind == SHADER_TOKEN_NUMBER) {
        const int64_t value = read_number(reader);
        reader->token++;
        return value;
    }
    if (token->kind == SHADER_TOKEN_NAME) {
        reader->token++;
        return shader_token_is(token, "true") ? 1 : 0;
    }
    if (token->mark != '(') {
        return wrong(reader, token->kind == SHADER_TOKEN_END ? "a value is missing"
                                                             : "there is something unexpected");
    }
    reader->token++;
    const int64_t value = read_choice(reader);
    if (reader->token->mark != ')') {
        return wrong(reader, "a ')' is missing");
    }
    reader->token++;
    return value;
}

static int64_t read_unary(struct reader *reader)
{
    const uint32_t mark = reader->token->mark;
    if (mark != '!' && mark != '-' && mark != '+' && mark != '~') {
        return read_primary(reader);
    }
    if (++reader->depth > DEPTH_MAX) {
        return wrong(reader, "there are too many levels");
    }
    reader->token++;
    const int64_t value = read_unary(reader);
    reader->depth--;
    switch (mark) {
    case '!':
        return value == 0;
    case '-':
        return (int64_t)(0 - (uint64_t)value);
    case '~':
        return ~value;
    default:
        return value;
    }
}

static int64_t shift(int64_t value, int64_t count)
{
    if (count < 0 || count > 63) {
        return 0;
    }
    return (int64_t)((uint64_t)value << count);
}

static int64_t divide(struct reader *reader, uint32_t mark, int64_t a, int64_t b)
{
    if (b == 0) {
        return reader->unused ? 0 : wrong(reader, "there is a division by zero");
    }
    if (b == -1) {
        return mark == '/' ? (int64_t)(0 - (uint64_t)a) : 0;
    }
    return mark == '/' ? a / b : a % b;
}

static int64_t compare(uint32_t mark, int64_t a, int64_t b)
{
    switch (mark) {
    case '<':
        return a < b;
    case '>':
        return a > b;
    case SHADER_MARK2('<', '='):
        return a <= b;
    case SHADER_MARK2('>', '='):
        return a >= b;
    case SHADER_MARK2('=', '='):
        return a == b;
    default:
        return a != b;
    }
}

static int64_t combine(struct reader *reader, uint32_t mark, int64_t a, int64_t b)
{
    switch (mark) {
    case SHADER_MARK2('|', '|'):
        return a != 0 || b != 0;
    case SHADER_MARK2('&', '&'):
        return a != 0 && b != 0;
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case '&':
        return a & b;
    case SHADER_MARK2('<', '<'):
        return shift(a, b);
    case SHADER_MARK2('>', '>'):
        return b < 0 || b > 63 ? 0 : a >> b;
    case '+':
        return (int64_t)((uint64_t)a + (uint64_t)b);
    case '-':
        return (int64_t)((uint64_t)a - (uint64_t)b);
    case '*':
        return (int64_t)((uint64_t)a * (uint64_t)b);
    case '/':
    case '%':
        return divide(reader, mark, a, b);
    default:
        return compare(mark, a, b);
    }
}

static int64_t read_binary(struct reader *reader, int loosest)
{
    int64_t value = read_unary(reader);
    for (int level = level_of(reader->token->mark); level >= loosest && level > 0;
         level = level_of(reader->token->mark)) {
        const uint32_t mark = reader->token->mark;
        const bool unused = reader->unused;
        reader->unused = unused || (level == 1 && value != 0) || (level == 2 && value == 0);
        reader->token++;
        const int64_t right = read_binary(reader, level + 1);
        reader->unused = unused;
        value = combine(reader, mark, value, right);
    }
    return value;
}

static int64_t read_choice(struct reader *reader)
{
    if (++reader->depth > DEPTH_MAX) {
        return wrong(reader, "there are too many levels");
    }
    int64_t value = read_binary(reader, 1);
    if (reader->token->mark == '?') {
        const bool unused = reader->unused;
        reader->token++;
        reader->unused = unused || value == 0;
        const int64_t yes = read_choice(reader);
        if (reader->token->mark != ':') {
            return wrong(reader, "a ':' is missing");
        }
        reader->token++;
        reader->unused = unused || value != 0;
        const int64_t no = read_choice(reader);
        reader->unused = unused;
        value = value != 0 ? yes : no;
    }
    reader->depth--;
    return value;
}

/* Of `defined NAME` and `defined(NAME)` at the start of the tokens; 0: it is none. */
static size_t defined_size(const struct shader_token *tokens, size_t count)
{
    if (!shader_token_is(&tokens[0], "defined")) {
        return 0;
    }
    if (count > 1 && tokens[1].kind == SHADER_TOKEN_NAME) {
        return 2;
    }
    return count > 3 && tokens[1].mark == '(' && tokens[2].kind == SHADER_TOKEN_NAME &&
                   tokens[3].mark == ')'
               ? 4
               : 0;
}

static bool replace_defined(struct shader_preprocessor *pp, const struct shader_tokens *line,
                            struct shader_tokens *out)
{
    for (size_t i = 0; i < line->count;) {
        struct shader_token token = line->items[i];
        const size_t size = defined_size(line->items + i, line->count - i);
        if (size > 0) {
            const struct shader_token *name = &line->items[i + size / 2];
            token.kind = SHADER_TOKEN_NUMBER;
            token.text = shader_macro_find(pp, shader_token_span(name)) != NULL ? "1" : "0";
            token.size = 1;
        }
        if (!shader_tokens_add(out, pp->arena, &token, 1)) {
            return false;
        }
        i += size > 0 ? size : 1;
    }
    return true;
}

bool shader_condition(struct shader_preprocessor *pp, const struct shader_tokens *line,
                      size_t place)
{
    struct shader_tokens plain = {NULL, 0, 0};
    struct shader_tokens tokens = {NULL, 0, 0};
    const struct shader_token end = {.kind = SHADER_TOKEN_END, .offset = (uint32_t)place};
    if (!replace_defined(pp, line, &plain) ||
        !shader_macro_expand(pp, plain.items, plain.count, &tokens) ||
        !shader_tokens_add(&tokens, pp->arena, &end, 1)) {
        if (pp->arena->failed) {
            shader_text_no_memory(pp->text);
        }
        return false;
    }
    struct reader reader = {.pp = pp, .token = tokens.items};
    const int64_t value = read_choice(&reader);
    if (reader.token->kind != SHADER_TOKEN_END) {
        (void)wrong(&reader, "there is something unexpected");
    }
    return value != 0 && !pp->text->failed;
}
