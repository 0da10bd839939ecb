/* From the lines of a block to tokens: characters and literals, the program's text with its places,
 * and what is found wrong with it. */
#ifndef PFPU_LANGUAGE_LEX_H
#define PFPU_LANGUAGE_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "pfpu/ir/ops.h"

/* Characters of names: ASCII only, case ignored, independent of the locale. */

enum { PFPU_LETTER_CASE = 0x20 }; /* the bit that is set in small letters */

static inline char pfpu_lower_case(char c)
{
    return (unsigned char)(c - 'A') < 26 ? (char)(c | PFPU_LETTER_CASE) : c;
}

static inline bool pfpu_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline bool pfpu_is_name_start(char c)
{
    return (unsigned char)((c | PFPU_LETTER_CASE) - 'a') < 26 || c == '_';
}

static inline bool pfpu_is_name_part(char c)
{
    return pfpu_is_name_start(c) || pfpu_is_digit(c);
}

/* Value of a hexadecimal digit, -1 for anything else. */
static inline int pfpu_hex_digit(char c)
{
    if (pfpu_is_digit(c)) {
        return c - '0';
    }
    const char lower = pfpu_lower_case(c);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Literals to doubles, independent of the locale. */

/* Length of the number at the start of the text (0: none): decimal with optional fraction and
 * exponent, or hexadecimal digits ending in h; a lone point is one too. */
size_t pfpu_number_length(const char *text, size_t size);

/* Value of `size` characters that pfpu_number_length accepted, correctly rounded. Scratch memory
 * serves long literals; without memory the value is 0 and the arena says so. */
double pfpu_number_value(const char *text, size_t size, struct base_arena *scratch);

/* Value of hexadecimal digits. */
double pfpu_number_hex(const char *text, size_t size);

/* The first thing found wrong with a block; later ones are dropped. */
struct pfpu_complaint {
    bool set;
    size_t offset; /* in the program text */
    char what[200];
    const char *hint; /* static text or NULL */
};

/* Keeps the message if it is the first. */
void pfpu_complain(struct pfpu_complaint *complaint, size_t offset, const char *hint,
                   const char *format, ...);

/* From the lines of a block to one program text (spec/milk-expressions.md section 2). */

/* Text that came from one line of the file. */
struct pfpu_text_piece {
    size_t start; /* offset in the joined text */
    uint32_t line;
    uint32_t column;
};

struct pfpu_text {
    const char *data; /* NUL-terminated; a NUL within is an ordinary (wrong) character */
    size_t size;
    size_t end; /* offset after the last character that is not blank */
    const struct pfpu_text_piece *pieces;
    size_t piece_count;
    const char *file;
    bool own; /* froth's, not a patch's: names may begin with @, which no patch can write */
};

enum { PFPU_TEXT_MAX = 32767 }; /* bytes of one joined block */

/* Cuts line comments, joins the lines with the separator between them ('\0': none) and blanks other
 * comments out. A line that would make the text longer than PFPU_TEXT_MAX is dropped together with
 * all after it. Everything lives in the arena. False without memory. */
bool pfpu_text_join(struct pfpu_text *text, const struct base_source *source, char separator,
                    struct base_arena *arena);

/* Nothing but white space. */
bool pfpu_text_is_blank(const struct pfpu_text *text);

/* Where the character at the offset (at most size) stands in the file; for offsets after the last
 * character that is not blank, the place right after that character. */
struct base_place pfpu_text_place(const struct pfpu_text *text, size_t offset);

/* Blank, tab, CR, LF, VT, FF; independent of the locale. */
bool pfpu_text_is_space(char character);

/* The table of functions.def. */

enum pfpu_function_kind {
    PFPU_KIND_OPERATION,
    PFPU_KIND_ASSIGN,
    PFPU_KIND_IF,
    PFPU_KIND_AND,
    PFPU_KIND_OR,
    PFPU_KIND_LOOP,
    PFPU_KIND_WHILE,
    PFPU_KIND_EXEC,
    PFPU_KIND_MEMORY,
    PFPU_KIND_VALUE,
};

enum pfpu_function_id {
#define PFPU_FUNCTION(id, name, arity, kind, operation) PFPU_FUNCTION_##id,
#include "pfpu/language/functions.def"
#undef PFPU_FUNCTION
    PFPU_FUNCTION_COUNT,
};

enum { PFPU_ARGUMENTS_MAX = 3 };

struct pfpu_function {
    const char *name; /* lower case */
    uint8_t arity;
    enum pfpu_function_kind kind;
    enum pfpu_op op;
};

extern const struct pfpu_function pfpu_functions[PFPU_FUNCTION_COUNT];

/* The function of that name, any case; NULL if there is none. */
const struct pfpu_function *pfpu_function_find(struct base_span name);

/* Program text to tokens (spec/milk-expressions.md section 3). */

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
