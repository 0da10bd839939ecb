#include <stdarg.h>
#include <stdio.h>

#include "presets/fnp.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

static char at(const struct preset_fnp *fnp, size_t offset)
{
    return offset < fnp->text.size ? fnp->text.data[offset] : '\0';
}

static bool at_end(const struct preset_fnp *fnp)
{
    return fnp->offset >= fnp->text.size;
}

/* LF, CR or both end a line. */
static void skip_one(struct preset_fnp *fnp)
{
    const char c = at(fnp, fnp->offset++);
    if (c == '\n' || (c == '\r' && at(fnp, fnp->offset) != '\n')) {
        fnp->line++;
        fnp->line_start = fnp->offset;
    }
}

static bool at_line_end(const struct preset_fnp *fnp)
{
    return at_end(fnp) || at(fnp, fnp->offset) == '\n' || at(fnp, fnp->offset) == '\r';
}

static void skip_line(struct preset_fnp *fnp)
{
    while (!at_line_end(fnp)) {
        fnp->offset++;
    }
}

struct base_place preset_fnp_place(const struct preset_fnp *fnp,
                                   const struct preset_fnp_token *token)
{
    return (struct base_place){fnp->path, token->line, token->column};
}

void preset_fnp_fail(struct preset_fnp *fnp, const char *hint, const char *format, ...)
{
    char what[160];
    va_list arguments;
    if (fnp->failed) {
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    base_report(fnp->sink, BASE_ERROR, preset_fnp_place(fnp, &fnp->token), hint, "%s", what);
    fnp->failed = true;
    fnp->offset = fnp->text.size;
    fnp->token.kind = PRESET_FNP_END;
    fnp->token.text = (struct base_span){"", 0};
}

void preset_fnp_fail_long(struct preset_fnp *fnp)
{
    preset_fnp_fail(fnp, "shorten the equations", "the program is longer than %d bytes",
                    (int)PRESET_FNP_PROGRAM_MAX);
}

static struct preset_fnp_token begin(const struct preset_fnp *fnp)
{
    return (struct preset_fnp_token){
        .kind = PRESET_FNP_END,
        .text = {fnp->text.data + fnp->offset, 0},
        .line = fnp->line,
        .column = (uint32_t)(fnp->offset - fnp->line_start) + 1,
    };
}

/* Behind the comment that begins there; there, if none does or it has no end. */
static size_t behind_comment(const struct preset_fnp *fnp, size_t begin)
{
    const struct base_span text = fnp->text;
    const char kind = at(fnp, begin) == '/' ? at(fnp, begin + 1) : '\0';
    size_t end = begin + 2;
    if (kind == '/') {
        while (end < text.size && text.data[end] != '\n' && text.data[end] != '\r') {
            end++;
        }
        return end;
    }
    while (kind == '*' && end < text.size && (at(fnp, end) != '*' || at(fnp, end + 1) != '/')) {
        end++;
    }
    return kind == '*' && end < text.size ? end + 2 : begin;
}

static size_t behind_blanks(const struct preset_fnp *fnp, size_t offset)
{
    for (size_t before = offset + 1; before != offset;) {
        before = offset;
        offset = is_blank(at(fnp, offset)) ? offset + 1 : behind_comment(fnp, offset);
    }
    return offset;
}

static void skip_blanks(struct preset_fnp *fnp)
{
    const size_t end = behind_blanks(fnp, fnp->offset);
    while (fnp->offset < end) {
        skip_one(fnp);
    }
    if (at(fnp, end) == '/' && at(fnp, end + 1) == '*') {
        fnp->token = begin(fnp);
        preset_fnp_fail(fnp, "end it with */", "the comment has no end");
    }
}

static size_t digits(const struct preset_fnp *fnp, size_t offset)
{
    while (is_digit(at(fnp, offset))) {
        offset++;
    }
    return offset;
}

static void take_number(struct preset_fnp *fnp)
{
    size_t end = digits(fnp, fnp->offset);
    end = at(fnp, end) == '.' ? digits(fnp, end + 1) : end;
    fnp->token.kind = PRESET_FNP_NUMBER;
    fnp->token.text.size = end - fnp->offset;
    if (is_name_part(at(fnp, end)) || at(fnp, end) == '.') {
        preset_fnp_fail(fnp, "write it like 1.25", "malformed number");
        return;
    }
    fnp->offset = end;
}

static void take_word(struct preset_fnp *fnp)
{
    size_t end = fnp->offset;
    while (is_name_part(at(fnp, end))) {
        end++;
    }
    fnp->token.kind = PRESET_FNP_WORD;
    fnp->token.text.size = end - fnp->offset;
    if (fnp->token.text.size > PRESET_FNP_NAME_MAX) {
        preset_fnp_fail(fnp, NULL, "the name has more than %d characters",
                        (int)PRESET_FNP_NAME_MAX);
        return;
    }
    fnp->offset = end;
}

static void take_text(struct preset_fnp *fnp)
{
    fnp->offset++;
    const size_t start = fnp->offset;
    while (!at_line_end(fnp) && at(fnp, fnp->offset) != '"') {
        fnp->offset++;
    }
    if (at_line_end(fnp)) {
        preset_fnp_fail(fnp, "end it with \" in the same line", "the text has no end");
        return;
    }
    fnp->token.kind = PRESET_FNP_TEXT;
    fnp->token.text = (struct base_span){fnp->text.data + start, fnp->offset - start};
    fnp->offset++;
}

static void take_mark(struct preset_fnp *fnp)
{
    static const char *const marks[] = {"==", "!=", "<=", ">=", "&&", "||", "=", "<", ">",
                                        "+",  "-",  "*",  "/",  "%",  "!",  "?", ":", "(",
                                        ")",  "{",  "}",  "[",  "]",  ",",  ";"};
    const struct base_span rest = {fnp->text.data + fnp->offset, fnp->text.size - fnp->offset};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t size = strlen(marks[i]);
        if (size <= rest.size && memcmp(rest.data, marks[i], size) == 0) {
            fnp->token.kind = PRESET_FNP_MARK;
            fnp->token.text.size = size;
            fnp->offset += size;
            return;
        }
    }
    const unsigned byte = (unsigned char)rest.data[0];
    if (byte > ' ' && byte <= '~') {
        preset_fnp_fail(fnp, "it has no meaning here", "unexpected character '%c'", rest.data[0]);
    } else {
        preset_fnp_fail(fnp, "only ASCII text is allowed outside comments",
                        "unexpected byte 0x%02X", byte);
    }
}

void preset_fnp_next(struct preset_fnp *fnp)
{
    skip_blanks(fnp);
    if (fnp->failed) {
        return;
    }
    fnp->token = begin(fnp);
    const char c = at(fnp, fnp->offset);
    if (at_end(fnp)) {
        return;
    }
    if (is_digit(c) || (c == '.' && is_digit(at(fnp, fnp->offset + 1)))) {
        take_number(fnp);
    } else if (is_name_part(c)) {
        take_word(fnp);
    } else if (c == '"') {
        take_text(fnp);
    } else {
        take_mark(fnp);
    }
}

bool preset_fnp_at(const struct preset_fnp *fnp, const char *text)
{
    return (fnp->token.kind == PRESET_FNP_MARK || fnp->token.kind == PRESET_FNP_WORD) &&
           base_span_equal(fnp->token.text, base_span_of(text));
}

bool preset_fnp_expect(struct preset_fnp *fnp, const char *mark, const char *hint)
{
    if (preset_fnp_at(fnp, mark)) {
        preset_fnp_next(fnp);
        return !fnp->failed;
    }
    if (fnp->token.kind == PRESET_FNP_END) {
        preset_fnp_fail(fnp, hint, "'%s' is missing at the end", mark);
    } else {
        preset_fnp_fail(fnp, hint, "'%s' is missing before '%.*s'", mark,
                        (int)(fnp->token.text.size < 40 ? fnp->token.text.size : 40),
                        fnp->token.text.data);
    }
    return false;
}

struct base_span preset_fnp_rest_of_line(struct preset_fnp *fnp)
{
    while (!at_line_end(fnp) && is_blank(at(fnp, fnp->offset))) {
        fnp->offset++;
    }
    struct base_span rest = {fnp->text.data + fnp->offset, 0};
    skip_line(fnp);
    rest.size = (size_t)(fnp->text.data + fnp->offset - rest.data);
    while (rest.size > 0 && is_blank(rest.data[rest.size - 1])) {
        rest.size--;
    }
    return rest;
}

char preset_fnp_peek(const struct preset_fnp *fnp)
{
    return at(fnp, behind_blanks(fnp, fnp->offset));
}
