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

#endif
