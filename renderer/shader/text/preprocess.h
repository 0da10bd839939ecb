/* The preprocessor: a stage's text to tokens, macros expanded, directives followed. */
#ifndef RENDERER_SHADER_TEXT_PREPROCESS_H
#define RENDERER_SHADER_TEXT_PREPROCESS_H

#include <stdbool.h>

#include "base/arena.h"
#include "renderer/shader/text/lex.h"

enum {
    SHADER_MACRO_TOKENS_MAX = 200000, /* made by all macros of a stage together */
    SHADER_MACRO_PARAMETERS_MAX = 100,
    SHADER_MACRO_DEPTH_MAX = 200, /* calls in the arguments of calls */
};

/* Tokens of the global scope, BODY, tokens of the body, END. A token out of a macro stands where
 * the macro's name stands; the arguments of a macro where they stand. 0, or -1 after an error
 * message. */
int shader_preprocess(struct shader_text *text, struct base_arena *arena,
                      struct shader_tokens *tokens);

/* What directives (preprocess.c) ask of macros (macro.c). */

struct shader_macro {
    struct base_span name;
    bool function; /* takes arguments */
    struct base_span *parameters;
    size_t parameter_count;
    struct shader_tokens body;
    size_t active; /* expansions being read: the name stays as it is meanwhile */
    struct shader_macro *next;
};

/* Tokens that are read before anything else: what a macro left, or an argument. */
struct shader_macro_frame {
    const struct shader_token *tokens;
    size_t count;
    size_t next;
    struct shader_macro *macro; /* active while this is read; NULL: an argument or a line */
};

enum { SHADER_MACRO_BUCKETS = 256 };

struct shader_preprocessor {
    struct shader_text *text;
    struct base_arena *arena;
    struct shader_lexer lexer;
    struct shader_macro *buckets[SHADER_MACRO_BUCKETS];
    struct shader_macro_frame *frames;
    size_t frame_count;
    size_t frame_capacity;
    size_t floor; /* frames below it are not read */
    bool sealed;  /* the text below the frames is not read either */
    size_t made;  /* tokens by macros */
    unsigned depth;
};

struct shader_macro *shader_macro_find(struct shader_preprocessor *pp, struct base_span name);

/* line: the tokens after `define`. */
void shader_macro_define(struct shader_preprocessor *pp, const struct shader_tokens *line);
void shader_macro_undefine(struct shader_preprocessor *pp, struct base_span name);

/* The next token of frames or text, as it stands. */
struct shader_token shader_macro_read(struct shader_preprocessor *pp);

/* Adds to out what a token stands for, and reads more tokens if it takes arguments. A macro adds
 * nothing yet: its tokens are read next. false after an error. */
bool shader_macro_take(struct shader_preprocessor *pp, struct shader_token token,
                       struct shader_tokens *out);

/* Adds to out what a list of tokens stands for. false after an error. */
bool shader_macro_expand(struct shader_preprocessor *pp, const struct shader_token *tokens,
                         size_t count, struct shader_tokens *out);

#endif
