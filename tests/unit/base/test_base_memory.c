/* Memory that has guards, and memory that is a program. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/os/memory.h"

static void test_reserve(void **state)
{
    (void)state;
    enum { BYTES = 10000 };
    unsigned char *memory = base_memory_reserve(BYTES);
    assert_non_null(memory);
    for (size_t i = 0; i < BYTES; i++) {
        assert_int_equal(0, memory[i]);
    }
    memset(memory, 1, BYTES);
    base_memory_release(memory, BYTES);
    base_memory_release(NULL, BYTES);
    assert_null(base_memory_reserve(SIZE_MAX));
}

static void test_code(void **state)
{
    (void)state;
#if defined(__x86_64__)
    static const unsigned char code[] = {0xB8, 42, 0, 0, 0, 0xC3}; /* mov eax, 42; ret */
#elif defined(__aarch64__)
    static const unsigned char code[] = {0x40, 0x05, 0x80, 0x52,
                                         0xC0, 0x03, 0x5F, 0xD6}; /* mov w0, 42; ret */
#else
    static const unsigned char code[] = {0};
#endif
    void *memory = base_memory_load_code(code, sizeof code);
    assert_non_null(memory);
    assert_memory_equal(code, memory, sizeof code);
    if (sizeof code > 1) {
        assert_int_equal(42, ((int (*)(void))memory)());
    }
    base_memory_unload_code(memory, sizeof code);
    base_memory_unload_code(NULL, 0);
    assert_null(base_memory_load_code(code, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reserve), cmocka_unit_test(test_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
