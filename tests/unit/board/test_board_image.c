#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/random.h"
#include "board/storage/image.h"

enum { SIZE = 5000, SEAL = 320 };

static void put32(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static void make(uint8_t *bytes)
{
    uint8_t *sum = bytes + SEAL + offsetof(struct board_image_seal, sum);
    for (size_t i = 0; i < SIZE; i++) {
        bytes[i] = (uint8_t)(i * 7);
    }
    memset(bytes + SEAL, 0, sizeof(struct board_image_seal));
    memcpy(bytes + SEAL, BOARD_IMAGE_MAGIC "1.2.3", 13);
    put32(bytes + SEAL + offsetof(struct board_image_seal, length), SIZE);
    put32(sum, base_crc32(BASE_CRC32_START, bytes, SIZE));
}

static void whole_program(void **state)
{
    uint8_t bytes[SIZE];
    const char *version = NULL;
    const char *problem = NULL;
    (void)state;
    make(bytes);
    assert_true(board_image_check(bytes, SIZE, &version, &problem));
    assert_string_equal(version, "1.2.3");
    assert_null(problem);
}

static void others_are_refused(void **state)
{
    uint8_t bytes[SIZE];
    const char *version;
    const char *problem;
    (void)state;
    make(bytes);
    assert_false(board_image_check(bytes, SIZE - 1, &version, &problem));
    assert_string_equal(problem, "it is not whole");
    assert_false(board_image_check(bytes, 31, &version, &problem));
    assert_false(board_image_check(bytes, SEAL + 39, &version, &problem));
    assert_string_equal(problem, "it is no program of froth for this board");
    for (size_t i = 0; i < SIZE; i++) {
        bytes[i] ^= 0x10;
        assert_false(board_image_check(bytes, SIZE, &version, &problem));
        bytes[i] ^= 0x10;
    }
    assert_true(board_image_check(bytes, SIZE, &version, &problem));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_program),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
