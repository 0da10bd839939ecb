/* Loads and stores of all sizes, byte order, and the four functions the compiler calls. */

#include <stddef.h>
#include <string.h>

#include "tests/board/check.h"

static void sizes(void)
{
    volatile union {
        uint64_t long_word;
        uint32_t words[2];
        uint16_t halves[4];
        int16_t signed_halves[4];
        uint8_t bytes[8];
        int8_t signed_bytes[8];
    } place = {.long_word = 0x8182838485868788};
    CHECK(place.words[0] == 0x81828384 && place.words[1] == 0x85868788);
    CHECK(place.halves[1] == 0x8384 && place.signed_halves[3] == (int16_t)0x8788);
    CHECK(place.bytes[0] == 0x81 && place.signed_bytes[7] == (int8_t)0x88);
    place.bytes[2] = 0x12;
    place.halves[3] = 0x3456;
    CHECK(place.words[0] == 0x81821284 && place.words[1] == 0x85863456);
    CHECK(place.signed_bytes[2] == 0x12 && place.signed_halves[3] == 0x3456);
}

static void fill(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(i * 7 + 1);
    }
}

static void copy(size_t from, size_t to, size_t size)
{
    uint8_t source[48];
    uint8_t target[48];
    fill(source, sizeof source);
    memset(target, 0xEE, sizeof target);
    CHECK(memcpy(target + to, source + from, size) == target + to);
    for (size_t i = 0; i < sizeof target; i++) {
        const uint8_t wanted = i >= to && i < to + size ? source[i - to + from] : 0xEE;
        CHECK(target[i] == wanted);
    }
    CHECK(memcmp(target + to, source + from, size) == 0);
    fill(target, sizeof target);
    (void)memmove(target + to, target + from, size);
    for (size_t i = 0; i < sizeof target; i++) {
        CHECK(target[i] == (i >= to && i < to + size ? source[i - to + from] : source[i]));
    }
    memset(target + to, 5, size);
    for (size_t i = 0; i < size; i++) {
        CHECK(target[to + i] == 5);
    }
    CHECK(target[to + size] == source[to + size]);
}

int main(void)
{
    sizes();
    for (size_t from = 0; from < 6; from++) {
        for (size_t to = 0; to < 6; to++) {
            for (size_t size = 0; size < 20; size++) {
                copy(from, to, size);
            }
        }
    }
    CHECK(memcmp("abc", "abd", 3) < 0 && memcmp("\xFF", "\x01", 1) > 0);
    return 0;
}
