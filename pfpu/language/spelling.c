#include "pfpu/language/spelling.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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

static size_t exponent_length(const char *text, size_t size, size_t start)
{
    if (start >= size || pfpu_lower_case(text[start]) != 'e') {
        return 0;
    }
    size_t i = start + 1;
    if (i < size && (text[i] == '+' || text[i] == '-')) {
        i++;
    }
    const size_t count = digits(text, size, i);
    return count > 0 ? i + count - start : 0;
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
    return length + exponent_length(text, size, length);
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
