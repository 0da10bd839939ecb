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

/* Whether it grows where it is, or moves because something stands behind it. */
static void test_growing_touches_nothing_else(void **state)
{
    (void)state;
    struct base_arena arena = {.limit = 100000};
    size_t capacities[2] = {0, 0};
    unsigned char *arrays[2] = {NULL, NULL};
    for (size_t i = 0; i < 4000; i++) {
        const size_t which = i / 37 % 2;
        const size_t n = capacities[which];
        arrays[which] = base_arena_grow(&arena, arrays[which], &capacities[which], n + 1, 1);
        assert_non_null(arrays[which]);
        for (size_t k = n; k < capacities[which]; k++) {
            assert_int_equal(arrays[which][k], 0);
            arrays[which][k] = (unsigned char)(which + 1);
        }
        if (capacities[which] > 8000) {
            break;
        }
    }
    for (size_t which = 0; which < 2; which++) {
        for (size_t k = 0; k < capacities[which]; k++) {
            assert_int_equal(arrays[which][k], which + 1);
        }
    }
    assert_null(base_arena_grow(&arena, arrays[0], &capacities[0], 200000, 1));
    base_arena_free(&arena);
}

static void test_rewinding(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 5000, 70000, 300000};
    struct base_arena arena = {0};
    const struct base_arena_mark empty = base_arena_mark(&arena);
    unsigned char *kept = base_arena_alloc(&arena, 100);
    memset(kept, 7, 100);
    const struct base_arena_mark mark = base_arena_mark(&arena);
    const size_t used = arena.used;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int turn = 0; turn < 2; turn++) {
            unsigned char *memory = base_arena_alloc(&arena, sizes[i]);
            assert_non_null(memory);
            assert_int_equal(memory[0], 0);
            assert_int_equal(memory[sizes[i] - 1], 0);
            memset(memory, 0xff, sizes[i]);
        }
        base_arena_rewind(&arena, mark);
        assert_int_equal(arena.used, used);
    }
    assert_int_equal(kept[0], 7);
    assert_int_equal(kept[99], 7);
    base_arena_rewind(&arena, empty);
    assert_int_equal(arena.used, 0);
    assert_null(arena.newest);
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
        cmocka_unit_test(test_growing_touches_nothing_else),
        cmocka_unit_test(test_rewinding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
