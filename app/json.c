#include "app/json.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

static bool continues(unsigned char byte, unsigned low, unsigned high)
{
    return byte >= low && byte <= high;
}

/* Bytes of the valid UTF-8 sequence at text, 0 if there is none (Unicode standard, table 3-7). The
 * NUL at the end of the text is no continuation, so nothing behind it is read. */
static size_t sequence_size(const unsigned char *text)
{
    static const struct {
        unsigned char first, last; /* of the leading byte */
        unsigned char low, high;   /* of the second byte */
        unsigned char size;
    } rows[] = {
        {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
        {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
        {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    if (text[0] < 0x80) {
        return 1;
    }
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        if (text[0] < rows[row].first || text[0] > rows[row].last) {
            continue;
        }
        if (!continues(text[1], rows[row].low, rows[row].high)) {
            return 0;
        }
        for (size_t i = 2; i < rows[row].size; i++) {
            if (!continues(text[i], 0x80, 0xBF)) {
                return 0;
            }
        }
        return rows[row].size;
    }
    return 0;
}

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

void app_json_string(FILE *out, const char *text)
{
    if (text == NULL) {
        (void)fputs("null", out);
        return;
    }
    (void)fputc('"', out);
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        const size_t size = sequence_size(at);
        if (size == 0) {
            (void)fputs("\xEF\xBF\xBD", out);
            at++;
        } else if (size == 1) {
            write_ascii(out, *at++);
        } else {
            (void)fwrite(at, 1, size, out);
            at += size;
        }
    }
    (void)fputc('"', out);
}

void app_json_number(FILE *out, double value)
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

void app_json_bool(FILE *out, bool value)
{
    (void)fputs(value ? "true" : "false", out);
}
