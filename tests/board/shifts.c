/* Shifts by every count, in place and by a register. */

#include "tests/board/check.h"

int main(void)
{
    const uint32_t pattern = 0x9ABCDEF1;
    uint32_t left = pattern;
    uint32_t right = pattern;
    uint32_t sign = pattern;
    for (uint32_t count = 0; count < 32; count++) {
        CHECK(hidden(pattern) << hidden(count) == left);
        CHECK(hidden(pattern) >> hidden(count) == right);
        CHECK((uint32_t)((int32_t)hidden(pattern) >> hidden(count)) == sign);
        left += left;
        right = right / 2;
        sign = sign / 2 | 0x80000000;
    }
    CHECK(hidden(pattern) << 31 == 0x80000000);
    CHECK(hidden(pattern) >> 31 == 1);
    CHECK((int32_t)hidden(pattern) >> 31 == -1);
    CHECK(hidden(pattern) << 4 == 0xABCDEF10);
    CHECK(hidden(pattern) >> 4 == 0x09ABCDEF);
    return 0;
}
