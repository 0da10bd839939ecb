#include "pfpu/language/lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- literals ---- */

enum {
    EXACT_POWERS = 23,     /* 1e0 .. 1e22 are doubles */
    EXPONENT_MAX = 100000, /* far beyond the range of a double and of any literal's digits */
};

static size_t digits(const char *text, size_t size, size_t start)
{
    size_t i = start;
    while (i < size && pfpu_is_digit(text[i])) {
        i++;
    }
    return i - start;
}

size_t pfpu_number_length(const char *text, size_t size)
{
    if (size == 0 || (text[0] != '.' && !pfpu_is_digit(text[0]))) {
        return 0;
    }
    size_t i = 0;
    while (i < size && pfpu_hex_digit(text[i]) >= 0) {
        i++;
    }
    const bool ends = i < size && pfpu_lower_case(text[i]) == 'h' &&
                      (i + 1 == size || !pfpu_is_name_part(text[i + 1]));
    const size_t hexadecimal = ends && pfpu_is_digit(text[0]) ? i + 1 : 0;
    if (hexadecimal > 0) {
        return hexadecimal;
    }
    size_t length = digits(text, size, 0);
    if (length < size && text[length] == '.') {
        length++;
        length += digits(text, size, length);
    }
    if (length == 1 && text[0] == '.') {
        return 1;
    }
    if (length >= size || pfpu_lower_case(text[length]) != 'e') {
        return length;
    }
    size_t exponent = length + 1;
    if (exponent < size && (text[exponent] == '+' || text[exponent] == '-')) {
        exponent++;
    }
    const size_t count = digits(text, size, exponent);
    return count > 0 ? exponent + count : length;
}

double pfpu_number_hex(const char *text, size_t size)
{
    double value = 0.0;
    for (size_t i = 0; i < size; i++) {
        value = value * 16.0 + pfpu_hex_digit(text[i]);
    }
    return value;
}

/* The literal as digits * 10^exponent. */
struct decimal {
    uint64_t leading; /* of the first 19 significant digits */
    int significant;
    int exponent;
    size_t mantissa_size; /* characters before the exponent */
};

static int read_exponent(const char *text, size_t size, size_t start)
{
    if (start >= size) {
        return 0;
    }
    size_t i = start + 1;
    const bool negative = text[i] == '-';
    if (text[i] == '+' || text[i] == '-') {
        i++;
    }
    int value = 0;
    for (; i < size; i++) {
        value = value < EXPONENT_MAX ? value * 10 + (text[i] - '0') : value;
    }
    return negative ? -value : value;
}

static struct decimal read_decimal(const char *text, size_t size)
{
    struct decimal number = {0};
    bool fraction = false;
    size_t i = 0;
    for (; i < size && (text[i] == '.' || pfpu_is_digit(text[i])); i++) {
        if (text[i] == '.') {
            fraction = true;
            continue;
        }
        number.exponent -= fraction ? 1 : 0;
        number.significant += number.significant > 0 || text[i] != '0' ? 1 : 0;
        if (number.significant <= 19) {
            number.leading = number.leading * 10 + (uint64_t)(text[i] - '0');
        }
    }
    number.mantissa_size = i;
    number.exponent += read_exponent(text, size, i);
    return number;
}

double pfpu_number_value(const char *text, size_t size, struct base_arena *scratch)
{
    static const double powers[EXACT_POWERS] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (pfpu_lower_case(text[size - 1]) == 'h') {
        return pfpu_number_hex(text, size - 1);
    }
    const struct decimal number = read_decimal(text, size);
    const int exponent = number.exponent;
    if (number.significant == 0) {
        return 0.0;
    }
    /* Both factors are exact doubles, so the one operation rounds correctly. */
    if (number.leading <= (uint64_t)1 << 53 && number.significant <= 19 &&
        exponent > -EXACT_POWERS && exponent < EXACT_POWERS) {
        const double leading = (double)number.leading;
        return exponent < 0 ? leading / powers[-exponent] : leading * powers[exponent];
    }
    /* Digits without a point read the same in every locale. */
    char *copy = base_arena_alloc(scratch, number.mantissa_size + 16);
    if (copy == NULL) {
        return 0.0;
    }
    size_t used = 0;
    for (size_t i = 0; i < number.mantissa_size; i++) {
        if (text[i] != '.') {
            copy[used++] = text[i];
        }
    }
    (void)snprintf(copy + used, 16, "e%d", number.exponent);
    return strtod(copy, NULL);
}

/* ---- the text ---- */

void pfpu_complain(struct pfpu_complaint *complaint, size_t offset, const char *hint,
                   const char *format, ...)
{
    if (complaint->set) {
        return;
    }
    complaint->set = true;
    complaint->offset = offset;
    complaint->hint = hint;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(complaint->what, sizeof complaint->what, format, arguments);
    va_end(arguments);
}

bool pfpu_text_is_space(char character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

static size_t size_without_comment(struct base_span line)
{
    for (size_t i = 0; i + 1 < line.size; i++) {
        if ((line.data[i] == '/' || line.data[i] == '\\') && line.data[i + 1] == line.data[i]) {
            return i;
        }
    }
    return line.size;
}

static size_t comment_end(const char *data, size_t size, size_t start)
{
    const bool block = data[start + 1] == '*';
    for (size_t i = start + 2; i < size; i++) {
        if (!block && data[i] == '\n') {
            return i;
        }
        if (block && data[i] == '*' && i + 1 < size && data[i + 1] == '/') {
            return i + 2;
        }
    }
    return size;
}

bool pfpu_text_join(struct pfpu_text *text, const struct base_source *source, char separator,
                    struct base_arena *arena)
{
    *text = (struct pfpu_text){.file = source->file};
    size_t room = 0;
    for (size_t i = 0; i < source->count && room <= PFPU_TEXT_MAX; i++) {
        room += size_without_comment(source->lines[i].text) + (separator != '\0' ? 1 : 0);
    }
    room = room < PFPU_TEXT_MAX ? room : PFPU_TEXT_MAX;
    char *data = base_arena_alloc(arena, room + 1);
    struct pfpu_text_piece *pieces = base_arena_array(arena, source->count, sizeof *pieces);
    if (data == NULL || pieces == NULL) {
        return false;
    }
    for (size_t i = 0; i < source->count; i++) {
        const struct base_source_line *line = &source->lines[i];
        const size_t size = size_without_comment(line->text);
        const size_t gap = separator != '\0' && i > 0 ? 1 : 0;
        if (text->size + gap + size > PFPU_TEXT_MAX) {
            break;
        }
        memset(data + text->size, separator, gap);
        text->size += gap;
        pieces[text->piece_count++] =
            (struct pfpu_text_piece){text->size, line->line, line->column};
        if (size > 0) {
            memcpy(data + text->size, line->text.data, size);
        }
        text->size += size;
    }
    size_t i = 0;
    while (i + 1 < text->size) {
        if (data[i] != '/' || (data[i + 1] != '/' && data[i + 1] != '*')) {
            i++;
            continue;
        }
        const size_t end = comment_end(data, text->size, i);
        memset(data + i, ' ', end - i);
        i = end;
    }
    size_t end = text->size;
    while (end > 0 && pfpu_text_is_space(data[end - 1])) {
        end--;
    }
    text->end = end;
    text->data = data;
    text->pieces = pieces;
    return true;
}

bool pfpu_text_is_blank(const struct pfpu_text *text)
{
    return text->end == 0;
}

static struct base_place place_of_character(const struct pfpu_text *text, size_t offset)
{
    size_t low = 0;
    size_t high = text->piece_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (text->pieces[middle].start <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (low >= text->piece_count) {
        return (struct base_place){.file = text->file};
    }
    const struct pfpu_text_piece *piece = &text->pieces[low];
    return (struct base_place){text->file, piece->line,
                               piece->column + (uint32_t)(offset - piece->start)};
}

struct base_place pfpu_text_place(const struct pfpu_text *text, size_t offset)
{
    if (offset < text->end || text->end == 0) {
        return place_of_character(text, offset);
    }
    struct base_place place = place_of_character(text, text->end - 1);
    place.column++;
    return place;
}

const struct pfpu_function pfpu_functions[PFPU_FUNCTION_COUNT] = {
#define PFPU_FUNCTION(id, name, arity, kind, operation)                                            \
    [PFPU_FUNCTION_##id] = {name, arity, PFPU_KIND_##kind, PFPU_OP_##operation},
#include "pfpu/language/functions.def"
#undef PFPU_FUNCTION
};

static int compare(struct base_span name, const char *lower)
{
    for (size_t i = 0; i < name.size; i++) {
        const int difference = pfpu_lower_case(name.data[i]) - lower[i];
        if (difference != 0 || lower[i] == '\0') {
            return difference;
        }
    }
    return lower[name.size] == '\0' ? 0 : -1;
}

const struct pfpu_function *pfpu_function_find(struct base_span name)
{
    size_t low = 0;
    size_t high = PFPU_FUNCTION_COUNT;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = compare(name, pfpu_functions[middle].name);
        if (order == 0) {
            return &pfpu_functions[middle];
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

static const struct pfpu_operator operators[] = {
#define LEFT  false
#define RIGHT true
#define PFPU_OPERATOR(text, level, associativity, function)                                        \
    {text, level, associativity, PFPU_FUNCTION_##function},
#include "pfpu/language/operators.def"
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

static struct pfpu_token lex_symbol(struct pfpu_lexer *lexer, struct base_span text)
{
    struct pfpu_token token = {PFPU_TOKEN_OPERATOR, lexer->offset, 0, '\0', 0.0, NULL};
    /* Marks with which no operator begins. */
    const bool plain =
        text.data[0] == '(' || text.data[0] == ')' || text.data[0] == ';' || text.data[0] == ',';
    const size_t count = plain ? 0 : OPERATOR_COUNT;
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
        const char character = text.data[0];
        if (character > ' ' && character <= '~') {
            pfpu_complain(lexer->complaint, lexer->offset, "it has no meaning in equations",
                          "unexpected character '%c'", character);
        } else {
            pfpu_complain(lexer->complaint, lexer->offset,
                          "only ASCII text is allowed in equations", "unexpected byte 0x%02X",
                          (unsigned)(unsigned char)character);
        }
        return wrong(lexer);
    }
    token.kind = PFPU_TOKEN_MARK;
    token.size = 1;
    token.mark = text.data[0];
    return token;
}

static struct pfpu_token lex_token(struct pfpu_lexer *lexer)
{
    const struct base_span text = {lexer->text->data + lexer->offset,
                                   lexer->text->size - lexer->offset};
    if (text.size == 0) {
        return (struct pfpu_token){.kind = PFPU_TOKEN_END, .offset = lexer->last_end};
    }
    const size_t number = pfpu_number_length(text.data, text.size);
    if (number > 0) {
        struct pfpu_token token = {PFPU_TOKEN_NUMBER, lexer->offset, number, '\0', 0.0, NULL};
        if (number < text.size && pfpu_is_name_part(text.data[number])) {
            const struct base_span tail = {text.data + number, text.size - number};
            const size_t length = number + name_length(tail);
            pfpu_complain(lexer->complaint, lexer->offset,
                          "put an operator between the number and the letters",
                          "malformed number '%.*s'", length < 40 ? (int)length : 40, text.data);
            return wrong(lexer);
        }
        token.number = pfpu_number_value(text.data, number, lexer->scratch);
        return token;
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
