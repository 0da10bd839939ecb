#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"

enum { SIZE = 67 };

/* Every bit counts, wherever it stands. */
static void test_each_bit_changes_it(void **state)
{
    (void)state;
    unsigned char data[SIZE] = {0};
    const uint64_t zeros = base_hash(BASE_HASH_START, data, SIZE);
    for (int bit = 0; bit < SIZE * 8; bit++) {
        data[bit / 8] = (unsigned char)(1 << bit % 8);
        assert_int_not_equal(base_hash(BASE_HASH_START, data, SIZE), zeros);
        data[bit / 8] = 0;
    }
    assert_int_equal(base_hash(BASE_HASH_START, data, SIZE), zeros);
}

static void test_length_and_start_count(void **state)
{
    (void)state;
    const unsigned char data[SIZE] = {0};
    uint64_t seen[SIZE];
    for (size_t size = 0; size < SIZE; size++) {
        seen[size] = base_hash(BASE_HASH_START, data, size);
        for (size_t i = 0; i < size; i++) {
            assert_int_not_equal(seen[i], seen[size]);
        }
    }
    assert_int_not_equal(base_hash(1, data, SIZE), base_hash(2, data, SIZE));
}

/* Stored hashes of pictures rely on these values. */
static void test_known_values(void **state)
{
    (void)state;
    static const char text[] = "froth, sixteen b";
    static const struct {
        size_t size;
        uint64_t hash;
    } known[] = {{0, 0x0000000000000000u},
                 {1, 0xb8e371c23c82cc47u},
                 {8, 0xf087c560db87203au},
                 {15, 0xc114693f53880055u},
                 {16, 0xf320eb266198a411u}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(base_hash(BASE_HASH_START, text, known[i].size), known[i].hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_bit_changes_it),
        cmocka_unit_test(test_length_and_start_count),
        cmocka_unit_test(test_known_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
