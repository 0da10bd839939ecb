#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/random.h"

static void known_values(void **state)
{
    static const struct {
        const char *text;
        uint32_t crc;
    } cases[] = {
        {"", 0},
        {"a", 0xe8b7be43u},
        {"123456789", 0xcbf43926u},
        {"The quick brown fox jumps over the lazy dog", 0x414fa339u},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t size = strlen(cases[i].text);
        assert_int_equal(base_crc32(BASE_CRC32_START, cases[i].text, size), cases[i].crc);
    }
    unsigned char all[256];
    for (size_t i = 0; i < sizeof all; i++) {
        all[i] = (unsigned char)i;
    }
    assert_int_equal(base_crc32(BASE_CRC32_START, all, sizeof all), 0x29058c73u);
}

static void cuts_do_not_matter(void **state)
{
    static const char text[] = "123456789";
    (void)state;
    for (size_t cut = 0; cut < sizeof text; cut++) {
        const uint32_t first = base_crc32(BASE_CRC32_START, text, cut);
        assert_int_equal(base_crc32(first, text + cut, strlen(text) - cut), 0xcbf43926u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(cuts_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
