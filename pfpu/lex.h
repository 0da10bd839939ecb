/* Program text to tokens (spec/milk-expressions.md section 3). */
#ifndef PFPU_LEX_H
#define PFPU_LEX_H

#include <stddef.h>

#include "base/arena.h"
#include "base/span.h"
#include "pfpu/complaint.h"
#include "pfpu/functions.h"
#include "pfpu/text.h"

/* One row of operators.def. */
struct pfpu_operator {
    const char *text;
    int level;
    bool right; /* associative to the right */
    enum pfpu_function_id function;
};

enum {
    PFPU_LEVEL_ASSIGN = 2,
    PFPU_LEVEL_LOOSEST = 4, /* of the operators with two full operands */
    PFPU_LEVEL_COMPARISON = 5,
    PFPU_LEVEL_UNARY = 10,
    PFPU_LEVEL_POWER = 11,
};

enum pfpu_token_kind {
    PFPU_TOKEN_END,
    PFPU_TOKEN_NUMBER,
    PFPU_TOKEN_NAME,
    PFPU_TOKEN_OPERATOR,
    PFPU_TOKEN_MARK, /* one of ( ) [ ] , ; ? : ! */
    PFPU_TOKEN_WRONG,
};

struct pfpu_token {
    enum pfpu_token_kind kind;
    size_t offset; /* of the first character; at the end: just behind the last token */
    size_t size;
    char mark;
    double number;
    const struct pfpu_operator *operator_row;
};

struct pfpu_lexer {
    const struct pfpu_text *text;
    size_t offset;
    size_t last_end;
    struct base_arena *scratch;
    struct pfpu_complaint *complaint;
};

void pfpu_lex_start(struct pfpu_lexer *lexer, const struct pfpu_text *text,
                    struct base_arena *scratch, struct pfpu_complaint *complaint);

/* The next token. WRONG after a complaint (or without memory): do not go on. */
struct pfpu_token pfpu_lex_next(struct pfpu_lexer *lexer);

/* The characters of a token. */
struct base_span pfpu_lex_span(const struct pfpu_lexer *lexer, const struct pfpu_token *token);

#endif
