#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 16 };

/* Blocks lie side by side; each begins with this. */
struct block {
    size_t size; /* with this head; a multiple of STEP; 0 behind the last */
    bool used;
    unsigned char unused[STEP - sizeof(size_t) - sizeof(bool)];
};

_Static_assert(sizeof(struct block) == STEP, "what is given out is aligned");

/* malloc has no other way to know. */
static struct block *first;

void board_heap_begin(void *memory, size_t size)
{
    const uintptr_t begin = ((uintptr_t)memory + STEP - 1) / STEP * STEP;
    const uintptr_t end = ((uintptr_t)memory + size) / STEP * STEP;
    first = (struct block *)begin;
    *first = (struct block){.size = end - begin - STEP};
    *(struct block *)(end - STEP) = (struct block){.used = true};
}

static struct block *after(struct block *block)
{
    return (struct block *)(void *)((unsigned char *)block + block->size);
}

static void cut(struct block *block, size_t size)
{
    if (block->size - size < 2 * STEP) {
        return;
    }
    const size_t rest = block->size - size;
    block->size = size;
    *after(block) = (struct block){.size = rest};
}

void *malloc(size_t size)
{
    if (first == NULL || size > SIZE_MAX / 2) {
        return NULL;
    }
    const size_t wanted = (size + STEP - 1) / STEP * STEP + STEP;
    for (struct block *block = first; block->size != 0; block = after(block)) {
        if (block->used) {
            continue;
        }
        for (struct block *next = after(block); !next->used; next = after(block)) {
            block->size += next->size;
        }
        if (block->size >= wanted) {
            cut(block, wanted);
            block->used = true;
            return block + 1;
        }
    }
    return NULL;
}

void free(void *memory)
{
    if (memory != NULL) {
        ((struct block *)memory)[-1].used = false;
    }
}

void *calloc(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    void *memory = malloc(count * size);
    if (memory != NULL) {
        memset(memory, 0, count * size);
    }
    return memory;
}

void *realloc(void *memory, size_t size)
{
    if (memory == NULL) {
        return malloc(size);
    }
    const size_t had = ((struct block *)memory)[-1].size - STEP;
    if (size <= had) {
        return memory;
    }
    void *larger = malloc(size);
    if (larger != NULL) {
        memcpy(larger, memory, had);
        free(memory);
    }
    return larger;
}

static void swap(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

static void sink(unsigned char *items, size_t count, size_t size, size_t at,
                 int (*compare)(const void *, const void *))
{
    while (2 * at + 1 < count) {
        size_t child = 2 * at + 1;
        if (child + 1 < count && compare(items + child * size, items + (child + 1) * size) < 0) {
            child++;
        }
        if (compare(items + at * size, items + child * size) >= 0) {
            return;
        }
        swap(items + at * size, items + child * size, size);
        at = child;
    }
}

/* Heap sort: no memory, and never slow. */
void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    unsigned char *bytes = items;
    for (size_t i = count / 2; i > 0; i--) {
        sink(bytes, count, size, i - 1, compare);
    }
    for (size_t i = count; i > 1; i--) {
        swap(bytes, bytes + (i - 1) * size, size);
        sink(bytes, i - 1, size, 0, compare);
    }
}

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
