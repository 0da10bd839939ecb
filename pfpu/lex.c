#include "pfpu/lex.h"

#include <string.h>

#include "pfpu/names.h"
#include "pfpu/number.h"

static const struct pfpu_operator operators[] = {
#define LEFT  false
#define RIGHT true
#define PFPU_OPERATOR(text, level, associativity, function)                                        \
    {text, level, associativity, PFPU_FUNCTION_##function},
#include "pfpu/operators.def"
#undef PFPU_OPERATOR
#undef LEFT
#undef RIGHT
};

enum { OPERATOR_COUNT = sizeof operators / sizeof operators[0] };

static const struct constant {
    const char *name;
    double value;
} constants[] = {{"pi", 3.141592653589793}, {"e", 2.71828183}, {"phi", 1.61803399}};

void pfpu_lex_start(struct pfpu_lexer *lexer, const struct pfpu_text *text,
                    struct base_arena *scratch, struct pfpu_complaint *complaint)
{
    *lexer = (struct pfpu_lexer){.text = text, .scratch = scratch, .complaint = complaint};
}

struct base_span pfpu_lex_span(const struct pfpu_lexer *lexer, const struct pfpu_token *token)
{
    return (struct base_span){lexer->text->data + token->offset, token->size};
}

static struct base_span rest(const struct pfpu_lexer *lexer)
{
    const struct pfpu_text *text = lexer->text;
    return (struct base_span){text->data + lexer->offset, text->size - lexer->offset};
}

static size_t name_length(struct base_span text)
{
    size_t length = 0;
    while (length < text.size && pfpu_is_name_part(text.data[length])) {
        length++;
    }
    return length;
}

static struct pfpu_token wrong(struct pfpu_lexer *lexer)
{
    return (struct pfpu_token){.kind = PFPU_TOKEN_WRONG, .offset = lexer->offset};
}

static struct pfpu_token lex_number(struct pfpu_lexer *lexer, struct base_span text, size_t size)
{
    struct pfpu_token token = {PFPU_TOKEN_NUMBER, lexer->offset, size, '\0', 0.0, NULL};
    if (size < text.size && pfpu_is_name_part(text.data[size])) {
        const struct base_span tail = {text.data + size, text.size - size};
        const size_t length = size + name_length(tail);
        pfpu_complain(lexer->complaint, lexer->offset,
                      "put an operator between the number and the letters",
                      "malformed number '%.*s'", length < 40 ? (int)length : 40, text.data);
        return wrong(lexer);
    }
    token.number = pfpu_number_value(text.data, size, lexer->scratch);
    return token;
}

static bool lex_named_constant(struct base_span name, double *value)
{
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        if (base_span_equal_nocase(name, base_span_of(constants[i].name))) {
            *value = constants[i].value;
            return true;
        }
    }
    if (name.size < 2 || pfpu_lower_case(name.data[0]) != 'x') {
        return false;
    }
    for (size_t i = 1; i < name.size; i++) {
        if (pfpu_hex_digit(name.data[i]) < 0) {
            return false;
        }
    }
    *value = pfpu_number_hex(name.data + 1, name.size - 1);
    return true;
}

/* text begins with '$'. */
static struct pfpu_token lex_constant(struct pfpu_lexer *lexer, struct base_span text)
{
    struct pfpu_token token = {PFPU_TOKEN_NUMBER, lexer->offset, 0, '\0', 0.0, NULL};
    const struct base_span tail = {text.data + 1, text.size - 1};
    if (tail.size >= 3 && tail.data[0] == '\'' && tail.data[2] == '\'') {
        token.size = 4;
        token.number = (double)(unsigned char)tail.data[1];
        return token;
    }
    const struct base_span name = {tail.data, name_length(tail)};
    if (!lex_named_constant(name, &token.number)) {
        pfpu_complain(lexer->complaint, lexer->offset,
                      "write $PI, $E, $PHI, $x1F or a character such as $'a'",
                      "unknown constant '$%.*s'", name.size < 40 ? (int)name.size : 40, name.data);
        return wrong(lexer);
    }
    token.size = 1 + name.size;
    return token;
}

static struct pfpu_token lex_unexpected(struct pfpu_lexer *lexer, char character)
{
    if (character > ' ' && character <= '~') {
        pfpu_complain(lexer->complaint, lexer->offset, "it has no meaning in equations",
                      "unexpected character '%c'", character);
    } else {
        pfpu_complain(lexer->complaint, lexer->offset, "only ASCII text is allowed in equations",
                      "unexpected byte 0x%02X", (unsigned)(unsigned char)character);
    }
    return wrong(lexer);
}

/* Marks with which no operator begins. */
static bool is_plain_mark(char character)
{
    return character == '(' || character == ')' || character == ';' || character == ',';
}

static struct pfpu_token lex_symbol(struct pfpu_lexer *lexer, struct base_span text)
{
    struct pfpu_token token = {PFPU_TOKEN_OPERATOR, lexer->offset, 0, '\0', 0.0, NULL};
    const size_t count = is_plain_mark(text.data[0]) ? 0 : OPERATOR_COUNT;
    for (size_t i = 0; i < count; i++) {
        if (operators[i].text[0] != text.data[0]) {
            continue;
        }
        const size_t size = strlen(operators[i].text);
        if (size <= text.size && memcmp(text.data, operators[i].text, size) == 0) {
            token.size = size;
            token.operator_row = &operators[i];
            return token;
        }
    }
    if (text.data[0] == '\0' || strchr("()[],;?:!", text.data[0]) == NULL) {
        return lex_unexpected(lexer, text.data[0]);
    }
    token.kind = PFPU_TOKEN_MARK;
    token.size = 1;
    token.mark = text.data[0];
    return token;
}

static struct pfpu_token lex_token(struct pfpu_lexer *lexer)
{
    const struct base_span text = rest(lexer);
    if (text.size == 0) {
        return (struct pfpu_token){.kind = PFPU_TOKEN_END, .offset = lexer->last_end};
    }
    const size_t number = pfpu_number_length(text.data, text.size);
    if (number > 0) {
        return lex_number(lexer, text, number);
    }
    if (pfpu_is_name_start(text.data[0])) {
        return (struct pfpu_token){
            .kind = PFPU_TOKEN_NAME, .offset = lexer->offset, .size = name_length(text)};
    }
    if (text.data[0] == '@' && lexer->text->own) {
        const struct base_span name = {text.data + 1, text.size - 1};
        return (struct pfpu_token){
            .kind = PFPU_TOKEN_NAME, .offset = lexer->offset, .size = 1 + name_length(name)};
    }
    return text.data[0] == '$' ? lex_constant(lexer, text) : lex_symbol(lexer, text);
}

struct pfpu_token pfpu_lex_next(struct pfpu_lexer *lexer)
{
    const struct pfpu_text *text = lexer->text;
    while (lexer->offset < text->size && pfpu_text_is_space(text->data[lexer->offset])) {
        lexer->offset++;
    }
    const struct pfpu_token token = lex_token(lexer);
    if (lexer->scratch->failed) {
        return wrong(lexer);
    }
    if (token.kind != PFPU_TOKEN_END) {
        lexer->offset += token.size;
        lexer->last_end = lexer->offset;
    }
    return token;
}
