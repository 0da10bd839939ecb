/* The text of a stage as one piece: lines joined, comments gone, split at shader_body and cut at
 * the last brace (spec/milk-rendering.md 9.1). Everything lies in the arena given to
 * shader_text_make. */
#ifndef RENDERER_SHADER_TEXT_LEX_H
#define RENDERER_SHADER_TEXT_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "renderer/shader/text/ast.h"

enum { SHADER_TEXT_MAX = 1 << 20 }; /* characters of a stage */

struct shader_text {
    const struct base_source *source;
    const struct base_diag_sink *sink;
    bool failed;            /* there was an error message; it stays the only one */
    char *data;             /* comments are blanks, their line ends too */
    size_t size;            /* up to the last brace, which is not in it */
    size_t body;            /* of the word shader_body */
    size_t inside;          /* behind the brace that opens it */
    const uint32_t *starts; /* of the source's lines in data */
};

/* 0, or -1 after an error message. The source must outlive the text. */
int shader_text_make(struct shader_text *text, const struct base_source *source,
                     struct base_arena *arena, const struct base_diag_sink *sink);

/* Where a character stands in the file; offset up to size. */
struct base_place shader_text_place(const struct shader_text *text, size_t offset);

/* An error message; dropped if there was one before. hint: static text or NULL. */
void shader_text_complain(struct shader_text *text, size_t offset, const char *hint,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));

/* As above, where memory ran out. */
void shader_text_no_memory(struct shader_text *text);

/* Shader text to tokens: no errors here, what is no token becomes a STRAY one. */

enum shader_token_kind {
    SHADER_TOKEN_END,
    SHADER_TOKEN_NAME,
    SHADER_TOKEN_NUMBER,
    SHADER_TOKEN_MARK,   /* operators, brackets, commas */
    SHADER_TOKEN_BODY,   /* shader_body with its opening brace */
    SHADER_TOKEN_QUOTED, /* "text" */
    SHADER_TOKEN_STRAY,  /* a character or a number that the language does not have */
};

/* A mark is its characters, the first in the lowest byte. */
#define SHADER_MARK(a, b, c) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16)
#define SHADER_MARK2(a, b)   SHADER_MARK(a, b, 0)

struct shader_token {
    const char *text;
    uint32_t size;
    uint32_t offset; /* in the stage's text: of the token, or of the macro that it came from */
    uint32_t mark;   /* MARK, else 0 */
    uint8_t kind;
    bool line_start;    /* the first of its line */
    bool painted;       /* a macro's name that stays as it is */
    uint16_t parameter; /* in a macro's body: 1 + number of a parameter, else 0 */
};

struct shader_lexer {
    const char *data;
    size_t size;
    size_t offset;
    size_t body; /* SIZE_MAX: none */
    size_t inside;
    bool line_start; /* nothing but blanks since the line's start */
};

struct shader_token shader_lex(struct shader_lexer *lexer);

/* On to the end of the line, continued lines included. */
void shader_lex_skip_line(struct shader_lexer *lexer);

struct base_span shader_token_span(const struct shader_token *token);
bool shader_token_is(const struct shader_token *token, const char *name);

/* Value and base type (SHADER_INT, SHADER_FLOAT) of a NUMBER. */
double shader_token_number(const struct shader_token *token, struct base_arena *arena,
                           enum shader_base *base);

/* A list of tokens in an arena; zero-initialised it is empty. */
struct shader_tokens {
    struct shader_token *items;
    size_t count;
    size_t capacity;
};

/* false without memory. */
bool shader_tokens_add(struct shader_tokens *tokens, struct base_arena *arena,
                       const struct shader_token *items, size_t count);

#endif
