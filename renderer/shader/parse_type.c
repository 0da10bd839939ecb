#include <string.h>

#include "renderer/shader/parse_work.h"

/* Names of numbers; a size may follow: float3, float4x3. */
static const struct number_row {
    const char *name;
    enum shader_base base;
} numbers[] = {
    {"float", SHADER_FLOAT},  {"int", SHADER_INT},  {"bool", SHADER_BOOL}, {"half", SHADER_FLOAT},
    {"double", SHADER_FLOAT}, {"uint", SHADER_INT}, {"dword", SHADER_INT}, {"DWORD", SHADER_INT},
};

/* Other types. A texture is only named in sampler_state, which is not used. */
static const struct other_row {
    const char *name;
    enum shader_base base;
    bool volume;
} others[] = {
    {"void", SHADER_VOID, false},         {"sampler", SHADER_SAMPLER, false},
    {"sampler1D", SHADER_SAMPLER, false}, {"sampler2D", SHADER_SAMPLER, false},
    {"sampler3D", SHADER_SAMPLER, true},  {"samplerCUBE", SHADER_SAMPLER, false},
    {"texture", SHADER_SAMPLER, false},   {"texture2D", SHADER_SAMPLER, false},
    {"texture3D", SHADER_SAMPLER, true},  {"vector", SHADER_FLOAT, false},
    {"matrix", SHADER_FLOAT, false},
};

static const char *const qualifier_names[] = {
    "const",        "static", "uniform",  "extern",        "inline",   "volatile",
    "in",           "out",    "inout",    "row_major",     "precise",  "shared",
    "column_major", "linear", "centroid", "noperspective", "unsigned", "nointerpolation",
};

static bool is_size(char c)
{
    return c >= '1' && c <= '4';
}

/* What stands behind the base: "", "3", "4x3". */
static bool read_size(const char *text, size_t size, struct shader_type *type)
{
    if (size == 0) {
        return true;
    }
    if (size == 1 && is_size(text[0])) {
        type->columns = (uint8_t)(text[0] - '0');
        return true;
    }
    if (size == 3 && is_size(text[0]) && text[1] == 'x' && is_size(text[2])) {
        type->rows = (uint8_t)(text[0] - '0');
        type->columns = (uint8_t)(text[2] - '0');
        type->matrix = true;
        return true;
    }
    return false;
}

static bool find_number(const struct shader_token *token, struct shader_type *type)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const size_t size = strlen(numbers[i].name);
        if (token->text[0] == numbers[i].name[0] && token->size >= size &&
            memcmp(token->text, numbers[i].name, size) == 0) {
            *type = (struct shader_type){.base = (uint8_t)numbers[i].base, .rows = 1, .columns = 1};
            return read_size(token->text + size, token->size - size, type);
        }
    }
    return false;
}

static bool find_type(const struct shader_token *token, struct shader_type *type)
{
    if (token->kind != SHADER_TOKEN_NAME) {
        return false;
    }
    if (find_number(token, type)) {
        return true;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (shader_token_is(token, others[i].name)) {
            *type = (struct shader_type){.base = (uint8_t)others[i].base,
                                         .rows = 1,
                                         .columns = 1,
                                         .volume = others[i].volume};
            return true;
        }
    }
    return false;
}

static bool is_qualifier(const struct shader_token *token)
{
    for (size_t i = 0; i < sizeof qualifier_names / sizeof qualifier_names[0]; i++) {
        if (shader_token_is(token, qualifier_names[i])) {
            return true;
        }
    }
    return false;
}

bool shader_parse_at_type(const struct shader_parser *parser)
{
    struct shader_type type;
    return find_type(parser->token, &type);
}

/* `linear` and its like are names of variables too. */
static bool at_qualifier(const struct shader_token *token)
{
    return token->kind == SHADER_TOKEN_NAME && token[1].kind == SHADER_TOKEN_NAME &&
           is_qualifier(token);
}

bool shader_parse_at_declaration(const struct shader_parser *parser)
{
    const struct shader_token *token = parser->token;
    return at_qualifier(token) || (token[0].kind == SHADER_TOKEN_NAME && token[1].mark != '(' &&
                                   shader_parse_at_type(parser));
}

void shader_parse_qualifiers(struct shader_parser *parser, struct shader_qualifiers *qualifiers)
{
    *qualifiers = (struct shader_qualifiers){.constant = false};
    for (; at_qualifier(parser->token); parser->token++) {
        const struct shader_token *token = parser->token;
        qualifiers->constant = qualifiers->constant || shader_token_is(token, "const");
        qualifiers->is_static = qualifiers->is_static || shader_token_is(token, "static");
        qualifiers->direction |= shader_token_is(token, "in") ? SHADER_IN : 0u;
        qualifiers->direction |= shader_token_is(token, "out") ? SHADER_OUT : 0u;
        qualifiers->direction |= shader_token_is(token, "inout") ? SHADER_INOUT : 0u;
    }
}

/* A size between < and >. */
static bool parse_size(struct shader_parser *parser, uint8_t *size)
{
    const struct shader_token *token = parser->token;
    if (token->kind != SHADER_TOKEN_NUMBER || token->size != 1 || !is_size(token->text[0])) {
        return shader_parse_unexpected(parser, "a size from 1 to 4", "write float3 or float3x3");
    }
    *size = (uint8_t)(token->text[0] - '0');
    parser->token++;
    return true;
}

/* vector and matrix: <base, rows, columns> may follow. */
static bool parse_template(struct shader_parser *parser, bool matrix, struct shader_type *type)
{
    static const char hint[] = "write vector<float, 3> or matrix<float, 4, 3>";
    *type = (struct shader_type){
        .base = SHADER_FLOAT, .rows = matrix ? 4 : 1, .columns = 4, .matrix = matrix};
    if (!shader_parse_take(parser, '<')) {
        return true;
    }
    struct shader_type base;
    if (!find_number(parser->token, &base) || base.columns != 1 || base.matrix) {
        return shader_parse_unexpected(parser, "float, int or bool", hint);
    }
    type->base = base.base;
    parser->token++;
    return (!matrix || (shader_parse_expect(parser, ',', "between type and size", hint) &&
                        parse_size(parser, &type->rows))) &&
           shader_parse_expect(parser, ',', "between type and size", hint) &&
           parse_size(parser, &type->columns) &&
           shader_parse_expect(parser, '>', "behind the size", hint);
}

static bool complain_type(struct shader_parser *parser)
{
    if (shader_parse_at_name(parser, "struct") || shader_parse_at_name(parser, "typedef")) {
        shader_text_complain(parser->text, parser->token->offset,
                             "use separate variables and out parameters",
                             "types of your own (%.*s) are not supported", (int)parser->token->size,
                             parser->token->text);
        return false;
    }
    return shader_parse_unexpected(parser, "a type", "such as float, float3 or sampler");
}

bool shader_parse_type(struct shader_parser *parser, struct shader_type *type)
{
    if (!find_type(parser->token, type)) {
        return complain_type(parser);
    }
    const struct shader_token *token = parser->token++;
    if (shader_token_is(token, "vector") || shader_token_is(token, "matrix")) {
        return parse_template(parser, token->text[0] == 'm', type);
    }
    return true;
}
