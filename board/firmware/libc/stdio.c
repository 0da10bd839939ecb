#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct out {
    char *text;
    size_t size;
    size_t length; /* of all, also of what did not fit */
};

struct field {
    bool left;
    bool zeros;
    int width;
    int precision; /* -1: none */
    char length;   /* 'l', 'L' for ll, 'h', 'H' for hh, 'z', or 0 */
};

static void put(struct out *out, char c)
{
    if (out->length + 1 < out->size) {
        out->text[out->length] = c;
    }
    out->length++;
}

static void put_field(struct out *out, const struct field *field, const char *text, size_t size)
{
    const size_t width = field->width > 0 ? (size_t)field->width : 0;
    for (size_t i = size; !field->left && i < width; i++) {
        put(out, ' ');
    }
    for (size_t i = 0; i < size; i++) {
        put(out, text[i]);
    }
    for (size_t i = size; field->left && i < width; i++) {
        put(out, ' ');
    }
}

/* Digits from the end of `text` back; returns how many. */
static size_t digits(char text[64], uint64_t number, unsigned base, bool large, size_t least)
{
    size_t count = 0;
    for (; number != 0 || count < least; number /= base) {
        text[63 - count++] = (large ? "0123456789ABCDEF" : "0123456789abcdef")[number % base];
    }
    return count;
}

static void put_number(struct out *out, const struct field *field, uint64_t size, bool negative,
                       unsigned base, bool large)
{
    char text[64];
    size_t least = field->precision < 0 ? 1 : (size_t)field->precision;
    if (field->precision < 0 && field->zeros && !field->left && field->width > (int)least) {
        least = (size_t)field->width - (negative ? 1 : 0);
    }
    size_t count = digits(text, size, base, large, least < 60 ? least : 60);
    if (negative) {
        text[63 - count++] = '-';
    }
    put_field(out, field, text + 64 - count, count);
}

static void put_signed(struct out *out, const struct field *field, int64_t number)
{
    put_number(out, field, number < 0 ? -(uint64_t)number : (uint64_t)number, number < 0, 10,
               false);
}

/* Up to 9 digits, without exponents; what is as large as 1e18 is only called so. */
static void put_real(struct out *out, const struct field *field, double number, bool short_form)
{
    if (isnan(number) || fabs(number) >= 1e18) {
        put_field(out, field, isnan(number) ? "nan" : "large", isnan(number) ? 3 : 5);
        return;
    }
    int places = field->precision < 0 ? 6 : field->precision;
    places = places < 9 ? places : 9;
    uint64_t scale = 1;
    for (int i = 0; i < places; i++) {
        scale *= 10;
    }
    const double size = fabs(number);
    uint64_t whole = (uint64_t)size;
    const double scaled = (size - (double)whole) * (double)scale;
    uint64_t part = (uint64_t)scaled;
    const double rest = scaled - (double)part;
    const bool odd = ((places > 0 ? part : whole) & 1) != 0;
    part += rest > 0.5 || (rest >= 0.5 && odd) ? 1 : 0;
    whole += part / scale;
    part %= scale;
    for (; short_form && places > 0 && part % 10 == 0; places--) {
        part /= 10;
    }
    char text[64];
    size_t count = places > 0 ? digits(text, part, 10, false, (size_t)places) : 0;
    if (places > 0) {
        text[63 - count++] = '.';
    }
    char front[64];
    const size_t front_count = digits(front, whole, 10, false, 1);
    memcpy(text + 64 - count - front_count, front + 64 - front_count, front_count);
    count += front_count;
    if (signbit(number) != 0) {
        text[63 - count++] = '-';
    }
    put_field(out, field, text + 64 - count, count);
}

static uint64_t next_unsigned(const struct field *field, va_list *arguments)
{
    switch (field->length) {
    case 'L':
        return va_arg(*arguments, unsigned long long);
    case 'l':
        return va_arg(*arguments, unsigned long);
    case 'z':
        return va_arg(*arguments, size_t);
    case 'h':
        return (unsigned short)va_arg(*arguments, unsigned);
    case 'H':
        return (unsigned char)va_arg(*arguments, unsigned);
    default:
        return va_arg(*arguments, unsigned);
    }
}

static int64_t next_signed(const struct field *field, va_list *arguments)
{
    switch (field->length) {
    case 'L':
        return va_arg(*arguments, long long);
    case 'l':
        return va_arg(*arguments, long);
    case 'z':
        return (ptrdiff_t)va_arg(*arguments, size_t);
    case 'h':
        return (short)va_arg(*arguments, int);
    case 'H':
        return (signed char)va_arg(*arguments, int);
    default:
        return va_arg(*arguments, int);
    }
}

static void put_text(struct out *out, const struct field *field, const char *text)
{
    size_t size = 0;
    while ((field->precision < 0 || size < (size_t)field->precision) && text[size] != '\0') {
        size++;
    }
    put_field(out, field, text, size);
}

static void put_next(struct out *out, const struct field *field, char kind, va_list *arguments)
{
    switch (kind) {
    case 'd':
    case 'i':
        put_signed(out, field, next_signed(field, arguments));
        break;
    case 'u':
        put_number(out, field, next_unsigned(field, arguments), false, 10, false);
        break;
    case 'x':
        put_number(out, field, next_unsigned(field, arguments), false, 16, false);
        break;
    case 'X':
        put_number(out, field, next_unsigned(field, arguments), false, 16, true);
        break;
    case 'p':
        put_number(out, field, (uintptr_t)va_arg(*arguments, void *), false, 16, false);
        break;
    case 'c':
        put_field(out, field, (const char[]){(char)va_arg(*arguments, int)}, 1);
        break;
    case 's':
        put_text(out, field, va_arg(*arguments, const char *));
        break;
    case 'f':
        put_real(out, field, va_arg(*arguments, double), false);
        break;
    case 'g':
        put_real(out, field, va_arg(*arguments, double), true);
        break;
    default:
        put(out, kind);
        break;
    }
}

static int read_count(const char **at, va_list *arguments)
{
    if (**at == '*') {
        (*at)++;
        return va_arg(*arguments, int);
    }
    int count = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++) {
        count = count < 10000 ? count * 10 + (**at - '0') : count;
    }
    return count;
}

static struct field read_field(const char **at, va_list *arguments)
{
    struct field field = {.precision = -1};
    for (; **at == '-' || **at == '0'; (*at)++) {
        field.left = field.left || **at == '-';
        field.zeros = field.zeros || **at == '0';
    }
    field.width = read_count(at, arguments);
    if (field.width < 0) {
        field.left = true;
        field.width = -field.width;
    }
    if (**at == '.') {
        (*at)++;
        field.precision = read_count(at, arguments);
    }
    for (; **at == 'l' || **at == 'h' || **at == 'z'; (*at)++) {
        field.length = field.length == **at ? (char)(**at == 'l' ? 'L' : 'H') : **at;
    }
    return field;
}

int vsnprintf(char *text, size_t size, const char *format, va_list arguments)
{
    struct out out = {text, size, 0};
    va_list rest;
    va_copy(rest, arguments);
    for (const char *at = format; *at != '\0'; at++) {
        if (*at != '%') {
            put(&out, *at);
            continue;
        }
        at++;
        const struct field field = read_field(&at, &rest);
        if (*at == '\0') {
            break;
        }
        put_next(&out, &field, *at, &rest);
    }
    va_end(rest);
    if (size > 0) {
        text[out.length < size ? out.length : size - 1] = '\0';
    }
    return (int)out.length;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return length;
}
