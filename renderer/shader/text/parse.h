/* What the parser's files share. All functions report the first error and give NULL or false from
 * then on. */
#ifndef RENDERER_SHADER_TEXT_PARSE_H
#define RENDERER_SHADER_TEXT_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "renderer/shader/text/ast.h"
#include "renderer/shader/text/lex.h"

struct shader_parser {
    struct shader_text *text;
    struct base_arena *arena;
    const struct shader_token *first;
    const struct shader_token *token; /* the next one; the last of all is END */
    unsigned depth;
};

/* parse.c: tokens. */

bool shader_parse_at(const struct shader_parser *parser, uint32_t mark);
bool shader_parse_at_name(const struct shader_parser *parser, const char *name);
/* Steps over the mark if it is next. */
bool shader_parse_take(struct shader_parser *parser, uint32_t mark);
/* The same, an error if it is not: what should stand there, and where. */
bool shader_parse_expect(struct shader_parser *parser, uint32_t mark, const char *context,
                         const char *hint);
/* The ')', ']' or '}' of what was opened. */
bool shader_parse_close(struct shader_parser *parser, uint32_t mark,
                        const struct shader_token *opened);
/* Complains about the next token; always false. */
bool shader_parse_unexpected(struct shader_parser *parser, const char *wanted, const char *hint);
struct base_place shader_parse_place(const struct shader_parser *parser,
                                     const struct shader_token *token);
/* Arena memory; NULL after a message. */
void *shader_parse_alloc(struct shader_parser *parser, size_t size);
/* One level of brackets or statements deeper; false after a message. Then shader_parse_leave. */
bool shader_parse_enter(struct shader_parser *parser);
void shader_parse_leave(struct shader_parser *parser);

/* parse.c: types. */

/* const, static, in, out ... in front of a type. */
struct shader_qualifiers {
    bool constant;
    bool is_static;
    unsigned direction; /* of enum shader_direction; 0: none written */
};
/* The next tokens are qualifiers, or a type that does not begin a constructor. */
bool shader_parse_at_declaration(const struct shader_parser *parser);
void shader_parse_qualifiers(struct shader_parser *parser, struct shader_qualifiers *qualifiers);
/* The next token is the name of a type. */
bool shader_parse_at_type(const struct shader_parser *parser);
bool shader_parse_type(struct shader_parser *parser, struct shader_type *type);

/* parse_expression.c */

struct shader_expression *shader_parse_expression(struct shader_parser *parser); /* with commas */
/* An assignment expression or a list in braces. */
struct shader_expression *shader_parse_initialiser(struct shader_parser *parser);

/* parse_statement.c */

/* Name, array length, semantics and initialiser of variables up to and with ';'; the type is read
 * already. */
bool shader_parse_variables(struct shader_parser *parser,
                            const struct shader_qualifiers *qualifiers,
                            const struct shader_type *type, struct shader_variable **variables,
                            size_t *count);
/* The parameters and body of a function behind its name. */
bool shader_parse_function(struct shader_parser *parser, struct shader_function *function);

/* A BLOCK of the statements up to '}' or the end of the text, not with it. */
struct shader_statement *shader_parse_statements(struct shader_parser *parser);

#endif
