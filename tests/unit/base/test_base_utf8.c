#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"

static void utf8_is_decoded(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        uint32_t codes[6]; /* up to 0 */
    } cases[] = {
        {"Az", {'A', 'z'}},
        {"\xC3\xA4\xC5\xBF", {0xE4, 0x17F}},
        {"\xE2\x82\xAC", {0x20AC}},
        {"\xF0\x9F\x98\x80!", {0x1F600, '!'}},
        {"\xF4\x8F\xBF\xBF", {0x10FFFF}},
        {"\x80"
         "a",
         {0xFFFD, 'a'}},
        {"\xC3", {0xFFFD}},
        {"\xC3"
         "A",
         {0xFFFD, 'A'}},
        {"\xC0\x80", {0xFFFD, 0xFFFD}},
        {"\xE0\x80\x80", {0xFFFD, 0xFFFD, 0xFFFD}},
        {"\xED\xA0\x80", {0xFFFD, 0xFFFD, 0xFFFD}},
        {"\xF4\x90\x80\x80", {0xFFFD, 0xFFFD, 0xFFFD, 0xFFFD}},
        {"\xF8\x88", {0xFFFD, 0xFFFD}},
        {"\xFF\xFE", {0xFFFD, 0xFFFD}},
        {"\xE2\x82", {0xFFFD, 0xFFFD}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct base_span text = base_span_of(cases[i].bytes);
        for (size_t k = 0; cases[i].codes[k] != 0; k++) {
            assert_true(text.size > 0);
            assert_int_equal(base_utf8_next(&text), cases[i].codes[k]);
        }
        assert_int_equal(text.size, 0);
    }
}

static void every_byte_pair_makes_progress(void **state)
{
    (void)state;
    for (unsigned pair = 0; pair < 65536; pair++) {
        const char bytes[2] = {(char)(pair >> 8), (char)(pair & 255)};
        struct base_span text = {bytes, 2};
        size_t steps = 0;
        while (text.size > 0) {
            assert_true(base_utf8_next(&text) <= 0x10FFFF);
            steps++;
        }
        assert_true(steps <= 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_is_decoded),
        cmocka_unit_test(every_byte_pair_makes_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
