/* Whole numbers of 32 and 64 bits, float and double, with operands the compiler does not know. */

#include "tests/board/check.h"

static int32_t hidden_signed(int32_t value)
{
    return (int32_t)hidden((uint32_t)value);
}

static uint64_t hidden_long(uint64_t value)
{
    return (uint64_t)hidden((uint32_t)(value >> 32)) << 32 | hidden((uint32_t)value);
}

static float hidden_float(uint32_t bits)
{
    const union {
        uint32_t bits;
        float number;
    } both = {.bits = hidden(bits)};
    return both.number;
}

static uint32_t float_bits(float number)
{
    const union {
        float number;
        uint32_t bits;
    } both = {.number = number};
    return both.bits;
}

static uint64_t double_bits(double number)
{
    const union {
        double number;
        uint64_t bits;
    } both = {.number = number};
    return both.bits;
}

static void whole(void)
{
    CHECK(hidden(0xFFFFFFFF) + hidden(2) == 1);
    CHECK(hidden(1) - hidden(2) == 0xFFFFFFFF);
    CHECK(hidden(0x12345678) * hidden(0x9ABCDEF1) == 0x12345678u * 0x9ABCDEF1u);
    CHECK(hidden(0xFFFFFFFE) / hidden(7) == 613566756);
    CHECK(hidden(0xFFFFFFFE) % hidden(7) == 2);
    CHECK(hidden_signed(-100) / hidden_signed(7) == -14);
    CHECK(hidden_signed(-100) % hidden_signed(7) == -2);
    CHECK(hidden_signed(100) / hidden_signed(-7) == -14);
    CHECK(hidden_signed(100) % hidden_signed(-7) == 2);
    CHECK((int8_t)hidden(0x80) == -128);
    CHECK((int16_t)hidden(0x8000) == -32768);
    CHECK((hidden(0xF0F0) & hidden(0xFF00)) == 0xF000);
    CHECK((hidden(0xF0F0) | hidden(0xFF00)) == 0xFFF0);
    CHECK((hidden(0xF0F0) ^ hidden(0xFF00)) == 0x0FF0);
    CHECK(~hidden(0) == 0xFFFFFFFF);
}

static void long_whole(void)
{
    CHECK(hidden_long(0xFFFFFFFF) + hidden_long(1) == 0x100000000);
    CHECK(hidden_long(0x100000000) - hidden_long(1) == 0xFFFFFFFF);
    CHECK(hidden_long(0x123456789) * hidden_long(0x987654321) == 0x123456789u * 0x987654321u);
    CHECK(hidden_long(10000000000000000000u) / hidden_long(3000000007) == 3333333325);
    CHECK(hidden_long(10000000000000000000u) % hidden_long(10000000007) == 3000000007);
    CHECK((int64_t)hidden_long((uint64_t)-10) / (int64_t)hidden_long(3) == -3);
    CHECK(hidden_long(0x8000000000000001) >> hidden(33) == 0x40000000);
    CHECK(hidden_long(3) << hidden(33) == 0x600000000);
}

static void real(void)
{
    const float one = hidden_float(0x3F800000);
    const float three = hidden_float(0x40400000);
    CHECK(float_bits(one / three) == 0x3EAAAAAB);
    CHECK(float_bits(three * three + one) == 0x41200000);
    CHECK(float_bits(one - three) == 0xC0000000);
    CHECK((int32_t)(one / three * hidden_float(0xC47A0000)) == -333);
    CHECK(float_bits((float)hidden_signed(-16777217)) == 0xCB800000);
    CHECK(one < three && !(three < one) && one != three);
    CHECK(double_bits((double)one / (double)three) == 0x3FD5555555555555);
    CHECK(double_bits((double)hidden_signed(-7) * 1.5) == 0xC025000000000000);
    CHECK(float_bits((float)((double)three * 0.1)) == 0x3E99999A);
}

int main(void)
{
    whole();
    long_whole();
    real();
    return 0;
}
