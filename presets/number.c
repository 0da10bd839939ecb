#include "presets/number.h"

#include <float.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

static int read_exponent(struct base_span text, size_t i)
{
    if (at(text, i) != 'e' && at(text, i) != 'E') {
        return 0;
    }
    bool negative;
    int exponent = 0;
    for (i = read_sign(text, i + 1, &negative); is_digit(at(text, i)); i++) {
        exponent = exponent * 10 + (at(text, i) - '0');
        exponent = exponent > EXPONENT_MAX ? EXPONENT_MAX : exponent;
    }
    return negative ? -exponent : exponent;
}

static double power_of_ten(int exponent)
{
    double power = 1.0;
    for (int i = 0; i < exponent; i++) {
        power *= 10.0;
    }
    return power;
}

/* Zero and infinity end the loop early: an exponent may be far out of range. */
static double scaled(const struct decimal *number)
{
    double value = (double)number->mantissa;
    int exponent = number->exponent;
    while (exponent != 0 && value > 0.0 && value <= DBL_MAX) {
        const int size = exponent < 0 ? -exponent : exponent;
        const int step = size < EXACT_POWER ? size : EXACT_POWER;
        const double power = power_of_ten(step);
        value = exponent < 0 ? value / power : value * power;
        exponent += exponent < 0 ? step : -step;
    }
    return value;
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
    number.exponent += read_exponent(text, i);
    const double size = scaled(&number);
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
