#include "base/os/json.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

static void write_ascii(FILE *out, unsigned char byte)
{
    switch (byte) {
    case '"':
        (void)fputs("\\\"", out);
        break;
    case '\\':
        (void)fputs("\\\\", out);
        break;
    case '\n':
        (void)fputs("\\n", out);
        break;
    case '\t':
        (void)fputs("\\t", out);
        break;
    default:
        if (byte < 0x20 || byte == 0x7F) {
            (void)fprintf(out, "\\u%04x", byte);
        } else {
            (void)fputc(byte, out);
        }
    }
}

void base_json_string(FILE *out, const char *text)
{
    if (text == NULL) {
        (void)fputs("null", out);
        return;
    }
    (void)fputc('"', out);
    struct base_span rest = base_span_of(text);
    while (rest.size > 0) {
        const struct base_span before = rest;
        const uint32_t code = base_utf8_next(&rest);
        const size_t size = before.size - rest.size;
        if (size > 1) {
            (void)fwrite(before.data, 1, size, out);
        } else if (code < 0x80) {
            write_ascii(out, (unsigned char)code);
        } else {
            (void)fputs("\xEF\xBF\xBD", out);
        }
    }
    (void)fputc('"', out);
}

void base_json_number(FILE *out, double value)
{
    if (isnan(value)) {
        (void)fputs("null", out);
        return;
    }
    /* Not "%.3f": its decimal point follows the locale. */
    const double size = fmin(fabs(value), 1e12);
    const uint64_t thousandths = (uint64_t)floor(size * 1000.0 + 0.5);
    (void)fprintf(out, "%s%" PRIu64 ".%03" PRIu64, value < 0 && thousandths > 0 ? "-" : "",
                  thousandths / 1000, thousandths % 1000);
}

void base_json_count(FILE *out, uint64_t value)
{
    (void)fprintf(out, "%" PRIu64, value);
}

void base_json_bool(FILE *out, bool value)
{
    (void)fputs(value ? "true" : "false", out);
}
