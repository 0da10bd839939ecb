#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdalign.h>
#include <string.h>

#include "base/arena.h"

static void test_memory_is_zeroed_aligned_apart(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    unsigned char *before = NULL;
    for (size_t size = 0; size < 300; size += 7) {
        unsigned char *memory = base_arena_alloc(&arena, size);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(memory[i], 0);
        }
        memset(memory, 0xff, size);
        if (before != NULL && size > 7) {
            assert_int_equal(before[size - 8], 0xff);
        }
        before = memory;
    }
    assert_non_null(base_arena_alloc(&arena, 1000000));
    base_arena_free(&arena);
    assert_int_equal(arena.used, 0);
    assert_non_null(base_arena_alloc(&arena, 10));
    base_arena_free(&arena);
}

static void test_limit(void **state)
{
    (void)state;
    struct base_arena arena;
    base_arena_init(&arena, 1000);
    char *text = base_arena_text(&arena, "first", 5);
    assert_string_equal(text, "first");
    assert_null(base_arena_alloc(&arena, 2000));
    assert_true(arena.failed);
    assert_string_equal(text, "first");
    assert_non_null(base_arena_alloc(&arena, 900));
    assert_null(base_arena_alloc(&arena, 900));
    base_arena_free(&arena);
    assert_false(arena.failed);
    assert_int_equal(arena.limit, 1000);
    assert_non_null(base_arena_alloc(&arena, 900));
    base_arena_free(&arena);
}

static void test_overflow_is_refused(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    assert_null(base_arena_array(&arena, SIZE_MAX / 2, 3));
    assert_true(arena.failed);
    assert_null(base_arena_alloc(&arena, SIZE_MAX));
    assert_null(base_arena_array(&arena, SIZE_MAX, 1));
    base_arena_free(&arena);
}

static void test_text_is_ended(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    assert_string_equal(base_arena_text(&arena, "abcdef", 3), "abc");
    assert_string_equal(base_arena_text(&arena, NULL, 0), "");
    base_arena_free(&arena);
}

static void test_growing_keeps_the_content(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    int *numbers = NULL;
    size_t capacity = 0;
    for (int i = 0; i < 1000; i++) {
        numbers = base_arena_grow(&arena, numbers, &capacity, (size_t)i + 1, sizeof *numbers);
        assert_non_null(numbers);
        assert_true(capacity > (size_t)i);
        numbers[i] = i;
    }
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(numbers[i], i);
    }
    const size_t room = capacity;
    assert_null(base_arena_grow(&arena, numbers, &capacity, SIZE_MAX / 2, sizeof *numbers));
    assert_int_equal(capacity, room);
    assert_int_equal(numbers[999], 999);
    base_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_is_zeroed_aligned_apart),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_overflow_is_refused),
        cmocka_unit_test(test_text_is_ended),
        cmocka_unit_test(test_growing_keeps_the_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
