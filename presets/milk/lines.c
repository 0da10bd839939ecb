#include "presets/milk/lines.h"

#include <float.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "presets/milk/preset.h"

static bool starts_with(struct base_span data, const char *bytes, size_t size)
{
    return data.size >= size && memcmp(data.data, bytes, size) == 0;
}

/* Latin text in UTF-16 has a NUL in nearly every pair of bytes, always on the same side. */
static bool looks_like_utf16(struct base_span data)
{
    if (starts_with(data, "\xff\xfe", 2) || starts_with(data, "\xfe\xff", 2)) {
        return true;
    }
    const size_t pairs = (data.size < 512 ? data.size : 512) / 2;
    size_t nuls[2] = {0, 0};
    for (size_t i = 0; i < pairs * 2; i++) {
        nuls[i % 2] += data.data[i] == '\0' ? 1 : 0;
    }
    return (nuls[0] == 0 && nuls[1] > pairs / 2) || (nuls[1] == 0 && nuls[0] > pairs / 2);
}

struct preset_refusal preset_scan_refusal(struct base_span data)
{
    if (data.size == 0) {
        return (struct preset_refusal){"the file is empty", NULL};
    }
    if (data.size > PRESET_FILE_MAX) {
        return (struct preset_refusal){"the file is longer than 1 MB", "is it a preset?"};
    }
    if (looks_like_utf16(data)) {
        return (struct preset_refusal){"the text is UTF-16", "save it as ASCII or UTF-8"};
    }
    if (memchr(data.data, '\0', data.size) != NULL) {
        return (struct preset_refusal){"binary data, not a preset", NULL};
    }
    return (struct preset_refusal){NULL, NULL};
}

struct base_span preset_scan_skip_mark(struct base_span data)
{
    if (starts_with(data, "\xef\xbb\xbf", 3)) {
        return (struct base_span){data.data + 3, data.size - 3};
    }
    return data;
}

bool preset_scan_line(struct preset_scan *scan, struct base_span *line)
{
    const char *data = scan->data.data;
    const size_t size = scan->data.size;
    while (scan->at < size) {
        const size_t start = scan->at;
        size_t end = start;
        while (end < size && data[end] != '\n' && data[end] != '\r') {
            end++;
        }
        const bool pair = end + 1 < size && data[end] == '\r' && data[end + 1] == '\n';
        scan->at = end + (pair ? 2 : 1);
        scan->line = scan->next_line++;
        if (end > start) {
            *line = (struct base_span){data + start, end - start};
            return true;
        }
    }
    return false;
}

bool preset_scan_entry(struct base_span line, uint32_t number, struct preset_line_entry *entry)
{
    size_t sign = 0;
    while (sign < line.size && line.data[sign] != '=' && line.data[sign] != ' ') {
        sign++;
    }
    if (sign == 0 || sign == line.size) {
        return false;
    }
    const struct base_span value = {line.data + sign + 1, line.size - sign - 1};
    size_t text = 0;
    while (text < value.size && value.data[text] == ' ') {
        text++;
    }
    *entry = (struct preset_line_entry){
        .key = {line.data, sign},
        .value = value,
        .line = number,
        .column = (uint32_t)sign + 2,
        .blank_before_sign = line.data[sign] == ' ' && text < value.size && value.data[text] == '=',
    };
    return true;
}

enum preset_section preset_scan_section(struct base_span line)
{
    static const char first[] = "[preset00]";
    static const char second[] = "[preset01]";
    if (line.size < sizeof first - 1) {
        return PRESET_SECTION_NONE;
    }
    const struct base_span section = {line.data, sizeof first - 1};
    return base_span_equal_nocase(section, base_span_of(first))    ? PRESET_SECTION_FIRST
           : base_span_equal_nocase(section, base_span_of(second)) ? PRESET_SECTION_SECOND
                                                                   : PRESET_SECTION_NONE;
}

enum {
    EXPONENT_MAX = 9999, /* far beyond any float, far below overflow of an int */
    EXACT_POWER = 22,    /* powers of ten up to this one are exact doubles */
};

struct decimal {
    uint64_t mantissa;
    int exponent;
    size_t digits;
};

static char at(struct base_span text, size_t i)
{
    return i < text.size ? text.data[i] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t skip_blanks(struct base_span text)
{
    size_t i = 0;
    while (at(text, i) == ' ' || at(text, i) == '\t' || at(text, i) == '\v' ||
           at(text, i) == '\f') {
        i++;
    }
    return i;
}

static size_t read_sign(struct base_span text, size_t i, bool *negative)
{
    *negative = at(text, i) == '-';
    return at(text, i) == '-' || at(text, i) == '+' ? i + 1 : i;
}

static bool is_hexadecimal(struct base_span text, size_t i)
{
    return at(text, i) == '0' && (at(text, i + 1) == 'x' || at(text, i + 1) == 'X');
}

/* Digits beyond what the mantissa holds only count for the exponent. */
static size_t read_digits(struct base_span text, size_t i, struct decimal *number, bool fraction)
{
    for (; is_digit(at(text, i)); i++) {
        number->digits++;
        const bool fits = number->mantissa < (UINT64_MAX - 9) / 10;
        if (fits) {
            number->mantissa = number->mantissa * 10 + (uint64_t)(at(text, i) - '0');
        }
        number->exponent += (fits ? 0 : 1) - (fraction ? 1 : 0);
    }
    return i;
}

enum preset_number preset_parse_float(struct base_span text, float *value)
{
    bool negative;
    size_t i = read_sign(text, skip_blanks(text), &negative);
    if (is_hexadecimal(text, i)) {
        return PRESET_NUMBER_NONE;
    }
    struct decimal number = {0};
    i = read_digits(text, i, &number, false);
    if (at(text, i) == '.') {
        i = read_digits(text, i + 1, &number, true);
    }
    if (number.digits == 0) {
        return PRESET_NUMBER_NONE;
    }
    if (at(text, i) == 'e' || at(text, i) == 'E') {
        bool divides;
        int exponent = 0;
        for (i = read_sign(text, i + 1, &divides); is_digit(at(text, i)); i++) {
            exponent = exponent * 10 + (at(text, i) - '0');
            exponent = exponent > EXPONENT_MAX ? EXPONENT_MAX : exponent;
        }
        number.exponent += divides ? -exponent : exponent;
    }
    double size = (double)number.mantissa;
    /* Zero and infinity end the loop early: an exponent may be far out of range. */
    for (int left = number.exponent; left != 0 && size > 0.0 && size <= DBL_MAX;) {
        const int far = left < 0 ? -left : left;
        const int step = far < EXACT_POWER ? far : EXACT_POWER;
        double power = 1.0;
        for (int k = 0; k < step; k++) {
            power *= 10.0;
        }
        size = left < 0 ? size / power : size * power;
        left += left < 0 ? step : -step;
    }
    /* Half a step above the largest float: what lies below rounds to it. */
    if (size >= 0x1.ffffffp127) {
        return PRESET_NUMBER_LARGE;
    }
    const float rounded = size > (double)FLT_MAX ? FLT_MAX : (float)size;
    *value = negative ? -rounded : rounded;
    return PRESET_NUMBER_OK;
}

enum preset_number preset_parse_int(struct base_span text, int32_t *value)
{
    bool negative;
    size_t i = read_sign(text, skip_blanks(text), &negative);
    if (!is_digit(at(text, i)) || is_hexadecimal(text, i)) {
        return PRESET_NUMBER_NONE;
    }
    const int64_t limit = negative ? (int64_t)INT32_MAX + 1 : INT32_MAX;
    int64_t size = 0;
    bool large = false;
    for (; is_digit(at(text, i)); i++) {
        size = size * 10 + (at(text, i) - '0');
        if (size > limit) {
            size = limit;
            large = true;
        }
    }
    *value = (int32_t)(negative ? -size : size);
    return large ? PRESET_NUMBER_LARGE : PRESET_NUMBER_OK;
}

size_t preset_number_size(struct base_span text)
{
    bool negative;
    const size_t first = read_sign(text, 0, &negative);
    if (is_hexadecimal(text, first)) {
        return 0;
    }
    struct decimal number = {0};
    size_t end = read_digits(text, first, &number, false);
    if (at(text, end) == '.') {
        end = read_digits(text, end + 1, &number, true);
    }
    if (number.digits > 0 && (at(text, end) == 'e' || at(text, end) == 'E')) {
        const size_t exponent = read_sign(text, end + 1, &negative);
        const size_t behind = read_digits(text, exponent, &number, false);
        end = behind > exponent ? behind : end;
    }
    return number.digits > 0 ? end : 0;
}

void preset_format_float(float value, char text[PRESET_NUMBER_TEXT])
{
    for (int precision = 6; precision <= FLT_DECIMAL_DIG; precision++) {
        (void)snprintf(text, PRESET_NUMBER_TEXT, "%.*g", precision, (double)value);
        char *comma = strchr(text, ',');
        if (comma != NULL) {
            *comma = '.';
        }
        float back;
        if (preset_parse_float(base_span_of(text), &back) == PRESET_NUMBER_OK && back == value) {
            return;
        }
    }
}
