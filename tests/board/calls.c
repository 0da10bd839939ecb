/* Calls: arguments in registers and on the stack, structures, pointers to functions, depth. */

#include <stdarg.h>

#include "tests/board/check.h"

struct large {
    uint32_t values[7];
};

__attribute__((noinline)) static uint32_t twelve(uint32_t a, uint32_t b, uint32_t c, uint32_t d,
                                                 uint32_t e, uint32_t f, uint32_t g, uint32_t h,
                                                 uint64_t i, uint8_t j, uint32_t k, uint32_t l)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * (uint32_t)(i >> 32) +
           10 * j + 11 * k + 12 * l;
}

__attribute__((noinline)) static struct large turned(struct large from)
{
    struct large to;
    for (unsigned i = 0; i < 7; i++) {
        to.values[i] = from.values[6 - i];
    }
    return to;
}

__attribute__((noinline)) static uint32_t sum(uint32_t count, ...)
{
    va_list arguments;
    va_start(arguments, count);
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += va_arg(arguments, uint32_t);
    }
    va_end(arguments);
    return total;
}

__attribute__((noinline)) static uint32_t fibonacci(uint32_t n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static uint32_t next(uint32_t value)
{
    return value + 1;
}

static uint32_t before(uint32_t value)
{
    return value - 1;
}

int main(void)
{
    CHECK(twelve(1, 2, 3, 4, 5, 6, 7, 8, (uint64_t)9 << 32, 10, 11, 12) == 650);
    const struct large all = turned((struct large){{hidden(1), 2, 3, 4, 5, 6, 7}});
    CHECK(all.values[0] == 7 && all.values[6] == 1);
    CHECK(sum(10, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u) == 55);
    CHECK(fibonacci(hidden(15)) == 610);
    uint32_t (*const both[2])(uint32_t) = {next, before};
    CHECK(both[hidden(0)](5) == 6 && both[hidden(1)](5) == 4);
    return 0;
}
