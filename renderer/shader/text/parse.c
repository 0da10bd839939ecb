/* Types, what all functions of the parser share, and the global scope. */
#include "renderer/shader/text/parse.h"

#include <stdio.h>
#include <string.h>

#include "renderer/shader/text/preprocess.h"

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

static bool find_number(const struct shader_token *token, struct shader_type *type)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const size_t size = strlen(numbers[i].name);
        if (token->text[0] == numbers[i].name[0] && token->size >= size &&
            memcmp(token->text, numbers[i].name, size) == 0) {
            *type = (struct shader_type){.base = (uint8_t)numbers[i].base, .rows = 1, .columns = 1};
            /* Behind the base: "", "3", "4x3". */
            const char *rest = token->text + size;
            const size_t left = token->size - size;
            if (left == 1 && is_size(rest[0])) {
                type->columns = (uint8_t)(rest[0] - '0');
            } else if (left == 3 && is_size(rest[0]) && rest[1] == 'x' && is_size(rest[2])) {
                type->rows = (uint8_t)(rest[0] - '0');
                type->columns = (uint8_t)(rest[2] - '0');
                type->matrix = true;
            } else {
                return left == 0;
            }
            return true;
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

bool shader_parse_at_type(const struct shader_parser *parser)
{
    struct shader_type type;
    return find_type(parser->token, &type);
}

/* `linear` and its like are names of variables too. */
static bool at_qualifier(const struct shader_token *token)
{
    if (token->kind != SHADER_TOKEN_NAME || token[1].kind != SHADER_TOKEN_NAME) {
        return false;
    }
    for (size_t i = 0; i < sizeof qualifier_names / sizeof qualifier_names[0]; i++) {
        if (shader_token_is(token, qualifier_names[i])) {
            return true;
        }
    }
    return false;
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

bool shader_parse_type(struct shader_parser *parser, struct shader_type *type)
{
    if (!find_type(parser->token, type)) {
        if (shader_parse_at_name(parser, "struct") || shader_parse_at_name(parser, "typedef")) {
            shader_text_complain(parser->text, parser->token->offset,
                                 "use separate variables and out parameters",
                                 "types of your own (%.*s) are not supported",
                                 (int)parser->token->size, parser->token->text);
            return false;
        }
        return shader_parse_unexpected(parser, "a type", "such as float, float3 or sampler");
    }
    const struct shader_token *token = parser->token++;
    if (shader_token_is(token, "vector") || shader_token_is(token, "matrix")) {
        return parse_template(parser, token->text[0] == 'm', type);
    }
    return true;
}

bool shader_parse_at(const struct shader_parser *parser, uint32_t mark)
{
    return parser->token->mark == mark;
}

bool shader_parse_at_name(const struct shader_parser *parser, const char *name)
{
    return shader_token_is(parser->token, name);
}

bool shader_parse_take(struct shader_parser *parser, uint32_t mark)
{
    if (parser->token->mark != mark) {
        return false;
    }
    parser->token++;
    return true;
}

struct base_place shader_parse_place(const struct shader_parser *parser,
                                     const struct shader_token *token)
{
    return shader_text_place(parser->text, token->offset);
}

/* As it is named in messages. */
static const char *token_name(const struct shader_token *token, char text[64])
{
    if (token->kind == SHADER_TOKEN_END) {
        return "the end of shader_body";
    }
    if (token->kind == SHADER_TOKEN_BODY) {
        return "shader_body";
    }
    (void)snprintf(text, 64, "'%.*s'", (int)(token->size < 60 ? token->size : 60), token->text);
    return text;
}

static bool complain_stray(struct shader_parser *parser, const struct shader_token *token)
{
    char name[64];
    if (token->kind == SHADER_TOKEN_QUOTED) {
        shader_text_complain(parser->text, token->offset, NULL, "shaders have no texts in quotes");
    } else if (token->text[0] == '.' || (token->text[0] >= '0' && token->text[0] <= '9')) {
        shader_text_complain(parser->text, token->offset,
                             "put an operator between the number and the letters",
                             "malformed number %s", token_name(token, name));
    } else if ((unsigned char)token->text[0] < 0x20 || (unsigned char)token->text[0] > 0x7E) {
        shader_text_complain(parser->text, token->offset, "remove it",
                             "a character that shaders do not have (code %u)",
                             (unsigned)(unsigned char)token->text[0]);
    } else {
        shader_text_complain(parser->text, token->offset, "remove it",
                             "a character that shaders do not have: %s", token_name(token, name));
    }
    return false;
}

bool shader_parse_unexpected(struct shader_parser *parser, const char *wanted, const char *hint)
{
    char name[64];
    const struct shader_token *token = parser->token;
    if (token->kind == SHADER_TOKEN_STRAY || token->kind == SHADER_TOKEN_QUOTED) {
        return complain_stray(parser, token);
    }
    shader_text_complain(parser->text, token->offset, hint, "%s is missing before %s", wanted,
                         token_name(token, name));
    return false;
}

bool shader_parse_expect(struct shader_parser *parser, uint32_t mark, const char *context,
                         const char *hint)
{
    char name[64];
    if (shader_parse_take(parser, mark)) {
        return true;
    }
    const struct shader_token *token = parser->token;
    if (token->kind == SHADER_TOKEN_STRAY || token->kind == SHADER_TOKEN_QUOTED) {
        return complain_stray(parser, token);
    }
    shader_text_complain(parser->text, token->offset, hint, "'%c' is missing %s, before %s",
                         (char)mark, context, token_name(token, name));
    return false;
}

bool shader_parse_close(struct shader_parser *parser, uint32_t mark,
                        const struct shader_token *opened)
{
    char name[64];
    if (shader_parse_take(parser, mark)) {
        return true;
    }
    const struct shader_token *token = parser->token;
    if (token->kind == SHADER_TOKEN_STRAY || token->kind == SHADER_TOKEN_QUOTED) {
        return complain_stray(parser, token);
    }
    const struct base_place here = shader_parse_place(parser, token);
    const struct base_place there = shader_parse_place(parser, opened);
    if (here.line == there.line) {
        shader_text_complain(parser->text, token->offset, "count the brackets",
                             "'%c' for the '%c' at column %u is missing before %s", (char)mark,
                             (char)opened->mark, there.column, token_name(token, name));
    } else {
        shader_text_complain(parser->text, token->offset, "count the brackets",
                             "'%c' for the '%c' at line %u, column %u is missing before %s",
                             (char)mark, (char)opened->mark, there.line, there.column,
                             token_name(token, name));
    }
    return false;
}

void *shader_parse_alloc(struct shader_parser *parser, size_t size)
{
    void *memory = base_arena_alloc(parser->arena, size);
    if (memory == NULL) {
        shader_text_no_memory(parser->text);
    }
    return memory;
}

bool shader_parse_enter(struct shader_parser *parser)
{
    if (parser->depth >= SHADER_NESTING_MAX) {
        shader_text_complain(parser->text, parser->token->offset, "use variables between",
                             "nested more than %d levels deep", SHADER_NESTING_MAX);
        return false;
    }
    parser->depth++;
    return true;
}

void shader_parse_leave(struct shader_parser *parser)
{
    parser->depth--;
}

/* The global scope. */

struct globals {
    struct shader_global *items;
    size_t count;
    size_t capacity;
};

static bool add_global(struct shader_parser *parser, struct globals *globals,
                       struct shader_global global)
{
    struct shader_global *larger = base_arena_grow(
        parser->arena, globals->items, &globals->capacity, globals->count + 1, sizeof *larger);
    if (larger == NULL) {
        shader_text_no_memory(parser->text);
        return false;
    }
    globals->items = larger;
    globals->items[globals->count++] = global;
    return true;
}

static bool parse_global(struct shader_parser *parser, struct globals *globals)
{
    struct shader_qualifiers qualifiers;
    struct shader_type type;
    if (!shader_parse_at_declaration(parser)) {
        return shader_parse_unexpected(parser, "the type of a variable or function",
                                       "before shader_body there are only declarations");
    }
    shader_parse_qualifiers(parser, &qualifiers);
    if (!shader_parse_type(parser, &type)) {
        return false;
    }
    struct shader_global global = {.function = NULL};
    const struct shader_token *token = parser->token;
    if (token->kind == SHADER_TOKEN_NAME && token[1].mark == '(') {
        struct shader_function *function = shader_parse_alloc(parser, sizeof *function);
        if (function == NULL) {
            return false;
        }
        function->place = shader_parse_place(parser, token);
        function->name = shader_token_span(token);
        function->result = type;
        parser->token++;
        global.function = function;
        return shader_parse_function(parser, function) && add_global(parser, globals, global);
    }
    struct shader_variable *variables;
    if (!shader_parse_variables(parser, &qualifiers, &type, &variables, &global.variable_count)) {
        return false;
    }
    global.variables = variables;
    return global.variable_count == 0 || add_global(parser, globals, global);
}

int shader_parse(struct shader_tree *tree, const struct base_source *source,
                 struct base_arena *arena, const struct base_diag_sink *sink)
{
    struct shader_text text;
    struct shader_tokens tokens = {NULL, 0, 0};
    *tree = (struct shader_tree){.body = NULL};
    if (shader_text_make(&text, source, arena, sink) != 0 ||
        shader_preprocess(&text, arena, &tokens) != 0) {
        return -1;
    }
    struct shader_parser parser = {
        .text = &text, .arena = arena, .first = tokens.items, .token = tokens.items};
    struct globals globals = {NULL, 0, 0};
    while (parser.token->kind != SHADER_TOKEN_BODY) {
        if (!shader_parse_take(&parser, ';') && !parse_global(&parser, &globals)) {
            return -1;
        }
    }
    parser.token++;
    struct shader_statement *body = shader_parse_statements(&parser);
    if (body != NULL && parser.token->kind != SHADER_TOKEN_END) {
        shader_text_complain(&text, parser.token->offset,
                             "count the brackets; shader_body ends at the last '}' of the text",
                             "this '}' closes nothing");
    }
    if (text.failed) {
        return -1;
    }
    *tree =
        (struct shader_tree){.globals = globals.items, .global_count = globals.count, .body = body};
    return 0;
}
