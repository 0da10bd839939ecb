#include <stdio.h>

#include "renderer/shader/parse_work.h"
#include "renderer/shader/preprocess.h"

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

static bool at_function(const struct shader_parser *parser)
{
    return parser->token->kind == SHADER_TOKEN_NAME && parser->token[1].mark == '(';
}

static bool parse_function(struct shader_parser *parser, const struct shader_type *type,
                           struct globals *globals)
{
    struct shader_function *function = shader_parse_alloc(parser, sizeof *function);
    if (function == NULL) {
        return false;
    }
    function->place = shader_parse_place(parser, parser->token);
    function->name = shader_token_span(parser->token++);
    function->result = *type;
    return shader_parse_function(parser, function) &&
           add_global(parser, globals, (struct shader_global){.function = function});
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
    if (at_function(parser)) {
        return parse_function(parser, &type, globals);
    }
    struct shader_global global = {.function = NULL};
    struct shader_variable *variables;
    if (!shader_parse_variables(parser, &qualifiers, &type, &variables, &global.variable_count)) {
        return false;
    }
    global.variables = variables;
    return global.variable_count == 0 || add_global(parser, globals, global);
}

static bool parse_stage(struct shader_parser *parser, struct shader_tree *tree)
{
    struct globals globals = {NULL, 0, 0};
    while (parser->token->kind != SHADER_TOKEN_BODY) {
        if (!shader_parse_take(parser, ';') && !parse_global(parser, &globals)) {
            return false;
        }
    }
    tree->globals = globals.items;
    tree->global_count = globals.count;
    parser->token++;
    tree->body = shader_parse_statements(parser);
    if (tree->body != NULL && parser->token->kind != SHADER_TOKEN_END) {
        shader_text_complain(parser->text, parser->token->offset,
                             "count the brackets; shader_body ends at the last '}' of the text",
                             "this '}' closes nothing");
    }
    return !parser->text->failed;
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
    if (!parse_stage(&parser, tree)) {
        *tree = (struct shader_tree){.body = NULL};
        return -1;
    }
    return 0;
}
