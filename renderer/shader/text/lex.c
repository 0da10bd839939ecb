/* The text of a stage as one piece, and its tokens. */
#include "renderer/shader/text/lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pfpu/language/lex.h"

struct base_place shader_text_place(const struct shader_text *text, size_t offset)
{
    const struct base_source *source = text->source;
    struct base_place place = {.file = source->file};
    if (source->count == 0 || text->starts == NULL) {
        return place;
    }
    size_t low = 0;
    size_t high = source->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (text->starts[middle] <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    place.line = source->lines[low].line;
    place.column = source->lines[low].column + (uint32_t)(offset - text->starts[low]);
    return place;
}

void shader_text_complain(struct shader_text *text, size_t offset, const char *hint,
                          const char *format, ...)
{
    char what[200];
    if (text->failed) {
        return;
    }
    text->failed = true;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    base_report(text->sink, BASE_ERROR, shader_text_place(text, offset), hint, "%s", what);
}

void shader_text_no_memory(struct shader_text *text)
{
    shader_text_complain(text, 0, NULL, "not enough memory for the shader");
}

static bool join(struct shader_text *text, struct base_arena *arena)
{
    const struct base_source *source = text->source;
    size_t size = 0;
    for (size_t i = 0; i < source->count && size <= SHADER_TEXT_MAX; i++) {
        size += source->lines[i].text.size + 1;
    }
    if (size > SHADER_TEXT_MAX) {
        shader_text_complain(text, 0, NULL, "the shader has more than %d characters",
                             SHADER_TEXT_MAX);
        return false;
    }
    text->data = base_arena_alloc(arena, size + 1);
    uint32_t *starts = base_arena_array(arena, source->count + 1, sizeof *starts);
    if (text->data == NULL || starts == NULL) {
        shader_text_no_memory(text);
        return false;
    }
    for (size_t i = 0; i < source->count; i++) {
        const struct base_span line = source->lines[i].text;
        starts[i] = (uint32_t)text->size;
        if (line.size > 0) {
            memcpy(text->data + text->size, line.data, line.size);
        }
        text->size += line.size;
        text->data[text->size++] = '\n';
    }
    text->starts = starts;
    return true;
}

static bool find_body(struct shader_text *text)
{
    static const char word[] = "shader_body";
    const char *found = text->data == NULL ? NULL : strstr(text->data, word);
    if (found == NULL) {
        shader_text_complain(text, 0, "write shader_body { ret = ...; }",
                             "the shader has no shader_body");
        return false;
    }
    text->body = (size_t)(found - text->data);
    size_t open = text->body + sizeof word - 1;
    while (open < text->size && text->data[open] != '{') {
        open++;
    }
    text->inside = open + 1;
    size_t end = text->size;
    while (end > text->inside && text->data[end - 1] != '}') {
        end--;
    }
    if (end <= text->inside) {
        shader_text_complain(text, text->body, "write shader_body { ret = ...; }",
                             open < text->size ? "the '}' of shader_body is missing"
                                               : "the '{' of shader_body is missing");
        return false;
    }
    text->size = end - 1;
    return true;
}

int shader_text_make(struct shader_text *text, const struct base_source *source,
                     struct base_arena *arena, const struct base_diag_sink *sink)
{
    *text = (struct shader_text){.source = source, .sink = sink};
    if (!join(text, arena)) {
        return -1;
    }
    for (size_t i = 0; i < text->size; i++) {
        /* A NUL would end the search for shader_body; '$' is as wrong in a shader. */
        text->data[i] = text->data[i] == '\0' ? '$' : text->data[i];
    }
    /* Comments become blanks. */
    char *data = text->data;
    for (size_t i = 0; i + 1 < text->size;) {
        const size_t start = i++;
        if (data[start] != '/' || (data[i] != '/' && data[i] != '*')) {
            continue;
        }
        const bool line = data[i++] == '/';
        while (i < text->size &&
               (line ? data[i] != '\n'
                     : data[i] != '*' || i + 1 == text->size || data[i + 1] != '/')) {
            i++;
        }
        if (!line && i == text->size) {
            base_report(sink, BASE_WARNING, shader_text_place(text, start), "write */ at its end",
                        "this comment does not end; all behind it is left out");
        } else if (!line) {
            i += 2;
        }
        memset(data + start, ' ', i - start);
    }
    return find_body(text) ? 0 : -1;
}

struct base_span shader_token_span(const struct shader_token *token)
{
    return (struct base_span){token->text, token->size};
}

bool shader_token_is(const struct shader_token *token, const char *name)
{
    return token->kind == SHADER_TOKEN_NAME && token->text[0] == name[0] &&
           strncmp(token->text, name, token->size) == 0 && name[token->size] == '\0';
}

bool shader_tokens_add(struct shader_tokens *tokens, struct base_arena *arena,
                       const struct shader_token *items, size_t count)
{
    const size_t wanted = tokens->count + count;
    if (wanted > tokens->capacity) {
        struct shader_token *larger =
            base_arena_grow(arena, tokens->items, &tokens->capacity, wanted, sizeof *items);
        if (larger == NULL) {
            return false;
        }
        tokens->items = larger;
    }
    if (count > 0) {
        memcpy(tokens->items + tokens->count, items, count * sizeof *items);
        tokens->count = wanted;
    }
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static char at(struct base_span text, size_t i)
{
    return i < text.size ? text.data[i] : '\0';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Of a backslash with the line end behind it; 0: it is none. */
static size_t continuation_size(struct base_span text)
{
    size_t i = 1;
    while (is_blank(at(text, i))) {
        i++;
    }
    return text.size > 0 && text.data[0] == '\\' && at(text, i) == '\n' ? i + 1 : 0;
}

static struct base_span rest_of(const struct shader_lexer *lexer)
{
    return (struct base_span){lexer->data + lexer->offset, lexer->size - lexer->offset};
}

static void skip_blanks(struct shader_lexer *lexer)
{
    while (lexer->offset < lexer->size) {
        const char c = lexer->data[lexer->offset];
        if (c == '\n') {
            lexer->line_start = true;
            lexer->offset++;
        } else if (is_blank(c)) {
            lexer->offset++;
        } else if (c == '\\') {
            const size_t size = continuation_size(rest_of(lexer));
            if (size == 0) {
                return;
            }
            lexer->offset += size;
        } else {
            return;
        }
    }
}

void shader_lex_skip_line(struct shader_lexer *lexer)
{
    while (lexer->offset < lexer->size && lexer->data[lexer->offset] != '\n') {
        const size_t size =
            lexer->data[lexer->offset] == '\\' ? continuation_size(rest_of(lexer)) : 0;
        lexer->offset += size > 0 ? size : 1;
    }
}

static size_t digits_end(struct base_span text, size_t i)
{
    while (is_digit(at(text, i))) {
        i++;
    }
    return i;
}

static size_t name_end(struct base_span text, size_t i)
{
    while (is_name_start(at(text, i)) || is_digit(at(text, i))) {
        i++;
    }
    return i;
}

static int hexadecimal_digit(char c)
{
    if (is_digit(c)) {
        return c - '0';
    }
    const char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static bool is_hexadecimal(struct base_span text)
{
    return at(text, 0) == '0' && (at(text, 1) | 0x20) == 'x' && hexadecimal_digit(at(text, 2)) >= 0;
}

/* 2.xxx is the swizzle of a whole number. */
static bool point_is_swizzle(struct base_span text, size_t point)
{
    const size_t end = name_end(text, point + 1);
    for (size_t i = point + 1; i < end; i++) {
        if (!is_one_of(text.data[i], "xyzwrgba")) {
            return false;
        }
    }
    return end > point + 1;
}

/* Behind digits, point and exponent. */
static size_t decimal_end(struct base_span text)
{
    size_t end = digits_end(text, 0);
    if (at(text, end) == '.' && (end == 0 || !point_is_swizzle(text, end))) {
        end = digits_end(text, end + 1);
    }
    if ((at(text, end) | 0x20) == 'e') {
        const size_t sign = at(text, end + 1) == '+' || at(text, end + 1) == '-' ? 1 : 0;
        const size_t exponent = digits_end(text, end + 1 + sign);
        end = exponent > end + 1 + sign ? exponent : end;
    }
    return end;
}

static size_t hexadecimal_end(struct base_span text)
{
    size_t end = 2;
    while (hexadecimal_digit(at(text, end)) >= 0) {
        end++;
    }
    return end;
}

static size_t mark_size(struct base_span text)
{
    const char first = at(text, 0);
    const char second = at(text, 1);
    if (first == second && is_one_of(first, "<>")) {
        return at(text, 2) == '=' ? 3 : 2;
    }
    if ((first == second && is_one_of(first, "+-&|#=")) ||
        (second == '=' && is_one_of(first, "+-*/%<>!&|^"))) {
        return 2;
    }
    return is_one_of(first, "()[]{},;:?.+-*/%<>=!&|^~#") ? 1 : 0;
}

struct shader_token shader_lex(struct shader_lexer *lexer)
{
    skip_blanks(lexer);
    struct base_span text = rest_of(lexer);
    struct shader_token token = {
        .text = text.data, .offset = (uint32_t)lexer->offset, .line_start = lexer->line_start};
    if (text.size == 0) {
        return token;
    }
    /* shader_body may stand directly behind other letters. */
    if (lexer->offset < lexer->body && lexer->body - lexer->offset < text.size) {
        text.size = lexer->body - lexer->offset;
    }
    const char first = text.data[0];
    size_t size = 1;
    size_t quote = 1; /* what ends a text in quotes */
    while (first == '"' && quote < text.size && text.data[quote] != '"' &&
           text.data[quote] != '\n') {
        quote++;
    }
    token.kind = SHADER_TOKEN_STRAY;
    if (lexer->offset == lexer->body) {
        token.kind = SHADER_TOKEN_BODY;
        size = lexer->inside - lexer->body;
    } else if (is_name_start(first)) {
        token.kind = SHADER_TOKEN_NAME;
        size = name_end(text, 0);
    } else if (is_digit(first) || (first == '.' && is_digit(at(text, 1)))) {
        size_t end = is_hexadecimal(text) ? hexadecimal_end(text) : decimal_end(text);
        end += is_one_of(at(text, end), "fFhHlLuU") ? 1 : 0;
        size = name_end(text, end);
        token.kind = size > end ? SHADER_TOKEN_STRAY : SHADER_TOKEN_NUMBER;
    } else if (first == '"' && at(text, quote) == '"') {
        token.kind = SHADER_TOKEN_QUOTED;
        size = quote + 1;
    } else if (mark_size(text) > 0) {
        token.kind = SHADER_TOKEN_MARK;
        size = mark_size(text);
        for (size_t i = 0; i < size; i++) {
            token.mark |= (uint32_t)(unsigned char)text.data[i] << (8 * i);
        }
    }
    token.size = (uint32_t)size;
    lexer->offset += size;
    lexer->line_start = false;
    return token;
}

static double digits_value(const char *text, size_t size, double radix)
{
    double value = 0.0;
    for (size_t i = 0; i < size; i++) {
        value = value * radix + hexadecimal_digit(text[i]);
    }
    return value;
}

double shader_token_number(const struct shader_token *token, struct base_arena *arena,
                           enum shader_base *base)
{
    const struct base_span text = shader_token_span(token);
    if (is_hexadecimal(text)) {
        *base = SHADER_INT;
        return digits_value(text.data + 2, hexadecimal_end(text) - 2, 16.0);
    }
    const size_t end = decimal_end(text);
    const bool whole = digits_end(text, 0) == end;
    *base = whole && !is_one_of(at(text, end), "fFhH") ? SHADER_INT : SHADER_FLOAT;
    size_t octal = 0; /* digits: 017 is octal, 08 is not */
    while (octal < end && text.data[octal] >= '0' && text.data[octal] <= '7') {
        octal++;
    }
    return *base == SHADER_INT && end > 1 && text.data[0] == '0' && octal == end
               ? digits_value(text.data, end, 8.0)
               : pfpu_number_value(text.data, end, arena);
}
