#include "pfpu/assemble_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pfpu/names.h"

enum { SHOWN_MAX = 40 };

void pfpu_scan_init(struct pfpu_scan *scan, struct base_span text, const char *file,
                    const struct base_diag_sink *sink)
{
    const struct base_span nothing = {"", 0};
    *scan = (struct pfpu_scan){
        .text = text.size > 0 ? text : nothing, .file = file, .sink = sink, .line = 1};
}

static char next(const struct pfpu_scan *scan, size_t ahead)
{
    return ahead < scan->text.size - scan->at ? scan->text.data[scan->at + ahead] : '\n';
}

void pfpu_scan_skip_blanks(struct pfpu_scan *scan)
{
    char c = next(scan, 0);
    while (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        scan->at++;
        c = next(scan, 0);
    }
}

bool pfpu_scan_at_end_of_line(struct pfpu_scan *scan)
{
    pfpu_scan_skip_blanks(scan);
    const char c = next(scan, 0);
    return c == '\n' || c == ';';
}

bool pfpu_scan_next_line(struct pfpu_scan *scan)
{
    while (next(scan, 0) != '\n') {
        scan->at++;
    }
    if (scan->at == scan->text.size) {
        return false;
    }
    scan->at++;
    scan->line++;
    scan->line_start = scan->at;
    return true;
}

bool pfpu_scan_sees(struct pfpu_scan *scan, const char *characters)
{
    pfpu_scan_skip_blanks(scan);
    const size_t size = strlen(characters);
    return size <= scan->text.size - scan->at &&
           memcmp(scan->text.data + scan->at, characters, size) == 0;
}

bool pfpu_scan_take(struct pfpu_scan *scan, const char *characters)
{
    const bool taken = pfpu_scan_sees(scan, characters);
    scan->at += taken ? strlen(characters) : 0;
    return taken;
}

static bool is_part(const struct pfpu_scan *scan)
{
    const char c = next(scan, 0);
    return pfpu_is_name_part(c) || c == '.' || c == '$' || c == '%' || c == '+' ||
           (c == '-' && next(scan, 1) != '>');
}

struct base_span pfpu_scan_token(struct pfpu_scan *scan)
{
    pfpu_scan_skip_blanks(scan);
    const size_t start = scan->at;
    while (is_part(scan)) {
        scan->at++;
    }
    return (struct base_span){scan->text.data + start, scan->at - start};
}

size_t pfpu_scan_offset(const struct pfpu_scan *scan, struct base_span token)
{
    return (size_t)(token.data - scan->text.data);
}

bool pfpu_scan_error(struct pfpu_scan *scan, size_t offset, const char *hint, const char *format,
                     ...)
{
    char what[160];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const size_t column = offset - scan->line_start + 1;
    const struct base_place place = {scan->file, scan->line,
                                     column < UINT32_MAX ? (uint32_t)column : UINT32_MAX};
    base_report(scan->sink, BASE_ERROR, place, hint, "%s", what);
    return false;
}

static bool is_printable(char c)
{
    return c >= ' ' && c <= '~';
}

bool pfpu_scan_refuse(struct pfpu_scan *scan, struct base_span token, const char *hint,
                      const char *what)
{
    const size_t offset = pfpu_scan_offset(scan, token);
    if (token.size == 0 && offset == scan->text.size) {
        return pfpu_scan_error(scan, offset, hint, "%s at the end of the text", what);
    }
    if (token.size == 0 && token.data[0] == '\n') {
        return pfpu_scan_error(scan, offset, hint, "%s at the end of the line", what);
    }
    if (token.size == 0 && !is_printable(token.data[0])) {
        return pfpu_scan_error(scan, offset, hint, "%s: byte %u", what,
                               (unsigned)(unsigned char)token.data[0]);
    }
    const size_t size = token.size == 0 ? 1 : token.size;
    return pfpu_scan_error(scan, offset, hint, "%s '%.*s'%s", what,
                           size < SHOWN_MAX ? (int)size : SHOWN_MAX, token.data,
                           size > SHOWN_MAX ? " ..." : "");
}
