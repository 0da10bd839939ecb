#include <stdlib.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* More digits than these only say whether a number lies above a middle between two doubles. */
enum { DIGITS_MOST = 800, EXPONENT_MOST = 100000 };
/* For so many digits times the largest power of ten that matters, and a few bits. */
enum { LIMBS = 220 };

struct big {
    uint32_t limbs[LIMBS]; /* lowest first */
    int count;             /* without zeros on top */
};

static void multiply_add(struct big *big, uint32_t factor, uint32_t more)
{
    uint64_t carry = more;
    for (int i = 0; i < big->count; i++) {
        carry += (uint64_t)big->limbs[i] * factor;
        big->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        big->limbs[big->count++] = (uint32_t)carry;
    }
}

static void multiply_power_of_ten(struct big *big, int exponent)
{
    for (int i = 0; i < exponent; i++) {
        multiply_add(big, 10, 0);
    }
}

static int bits_in(const struct big *big)
{
    return big->count == 0 ? 0 : 32 * big->count - __builtin_clz(big->limbs[big->count - 1]);
}

static void shift_left(struct big *big, int bits)
{
    for (; bits >= 31; bits -= 31) {
        multiply_add(big, (uint32_t)1 << 31, 0);
    }
    multiply_add(big, (uint32_t)1 << bits, 0);
}

static int compare(const struct big *a, const struct big *b)
{
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    for (int i = a->count; i > 0; i--) {
        if (a->limbs[i - 1] != b->limbs[i - 1]) {
            return a->limbs[i - 1] < b->limbs[i - 1] ? -1 : 1;
        }
    }
    return 0;
}

/* a is at least b. */
static void subtract(struct big *a, const struct big *b)
{
    uint32_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        const uint64_t taken = (uint64_t)(i < b->count ? b->limbs[i] : 0) + borrow;
        borrow = a->limbs[i] < taken ? 1 : 0;
        a->limbs[i] -= (uint32_t)taken;
    }
    while (a->count > 0 && a->limbs[a->count - 1] == 0) {
        a->count--;
    }
}

/* quotient * 2^exponent, ties to even; `more`: and a little more. The quotient has 55 bits. */
static double rounded(uint64_t quotient, int exponent, bool more)
{
    const int last = exponent + 2 > -1074 ? exponent + 2 : -1074;
    const int drop = last - exponent;
    if (drop > 56) {
        return 0.0;
    }
    const uint64_t lost = quotient & (((uint64_t)1 << drop) - 1);
    const uint64_t half = (uint64_t)1 << (drop - 1);
    uint64_t kept = quotient >> drop;
    if (lost > half || (lost == half && (more || (kept & 1) != 0))) {
        kept++;
    }
    return ldexp((double)kept, last);
}

static double divided(struct big *number, struct big *divisor)
{
    int shift = bits_in(number) - bits_in(divisor);
    if (shift > 0) {
        shift_left(divisor, shift);
    } else {
        shift_left(number, -shift);
    }
    if (compare(number, divisor) < 0) {
        shift_left(number, 1);
        shift--;
    }
    uint64_t quotient = 0;
    for (int i = 0; i < 55; i++) {
        quotient <<= 1;
        if (compare(number, divisor) >= 0) {
            subtract(number, divisor);
            quotient |= 1;
        }
        shift_left(number, 1);
    }
    return rounded(quotient, shift - 54, number->count != 0);
}

struct decimal {
    struct big digits;
    int count; /* digits in it */
    int exponent;
    bool more; /* dropped digits that were not all 0 */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *read_digits(const char *at, struct decimal *decimal, bool *any)
{
    bool fraction = false;
    for (; is_digit(*at) || (*at == '.' && !fraction); at++) {
        if (*at == '.') {
            fraction = true;
            continue;
        }
        *any = true;
        const uint32_t digit = (uint32_t)(*at - '0');
        if (decimal->count >= DIGITS_MOST) {
            decimal->more = decimal->more || digit != 0;
            decimal->exponent += fraction ? 0 : 1;
            continue;
        }
        multiply_add(&decimal->digits, 10, digit);
        decimal->count += decimal->digits.count > 0 ? 1 : 0;
        decimal->exponent -= fraction ? 1 : 0;
    }
    return at;
}

static const char *read_exponent(const char *at, int *exponent)
{
    const char *digits = at + 1;
    if (*at != 'e' && *at != 'E') {
        return at;
    }
    const bool negative = *digits == '-';
    digits += *digits == '-' || *digits == '+' ? 1 : 0;
    if (!is_digit(*digits)) {
        return at;
    }
    int value = 0;
    for (; is_digit(*digits); digits++) {
        value = value < EXPONENT_MOST ? value * 10 + (*digits - '0') : value;
    }
    *exponent += negative ? -value : value;
    return digits;
}

double strtod(const char *text, char **end)
{
    struct decimal decimal = {0};
    bool any = false;
    const char *at = read_digits(text, &decimal, &any);
    if (any) {
        at = read_exponent(at, &decimal.exponent);
    }
    if (end != NULL) {
        *end = (char *)(uintptr_t)(any ? at : text);
    }
    if (decimal.digits.count == 0 || decimal.count + decimal.exponent < -330) {
        return 0.0;
    }
    if (decimal.count + decimal.exponent > 310) {
        return HUGE_VAL;
    }
    if (decimal.more) {
        multiply_add(&decimal.digits, 10, 1);
        decimal.exponent--;
    }
    struct big divisor = {.limbs = {1}, .count = 1};
    if (decimal.exponent > 0) {
        multiply_power_of_ten(&decimal.digits, decimal.exponent);
    } else {
        multiply_power_of_ten(&divisor, -decimal.exponent);
    }
    return divided(&decimal.digits, &divisor);
}
