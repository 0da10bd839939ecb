#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>

#include "base/os/thread.h"

enum { CAPACITY = 8, TOTAL = 100000, WORDS = 64 };

static void test_full_and_empty(void **state)
{
    (void)state;
    struct base_queue queue;
    int item = 0;
    assert_int_equal(base_queue_init(&queue, sizeof item, CAPACITY), 0);
    assert_false(base_queue_pop(&queue, &item));
    for (int i = 0; i < CAPACITY; i++) {
        assert_true(base_queue_push(&queue, &i));
    }
    assert_false(base_queue_push(&queue, &item));
    for (int i = 0; i < CAPACITY; i++) {
        assert_true(base_queue_pop(&queue, &item));
        assert_int_equal(item, i);
    }
    assert_false(base_queue_pop(&queue, &item));
    base_queue_free(&queue);
}

static void *write_all(void *user)
{
    for (int i = 0; i < TOTAL; i++) {
        while (!base_queue_push(user, &i)) {
            sched_yield();
        }
    }
    return NULL;
}

static void test_order_between_threads(void **state)
{
    (void)state;
    struct base_queue queue;
    pthread_t writer;
    assert_int_equal(base_queue_init(&queue, sizeof(int), CAPACITY), 0);
    assert_int_equal(pthread_create(&writer, NULL, write_all, &queue), 0);
    for (int i = 0; i < TOTAL; i++) {
        int item = -1;
        while (!base_queue_pop(&queue, &item)) {
            sched_yield();
        }
        assert_int_equal(item, i);
    }
    (void)pthread_join(writer, NULL);
    base_queue_free(&queue);
}

/* Slots whose words are all the same, so that a torn one shows. */
struct slots {
    struct base_latest latest;
    uint32_t words[BASE_LATEST_SLOTS][WORDS];
};

static void *publish_all(void *user)
{
    struct slots *slots = user;
    for (uint32_t i = 1; i <= TOTAL; i++) {
        uint32_t *words = slots->words[base_latest_back(&slots->latest)];
        for (size_t k = 0; k < WORDS; k++) {
            words[k] = i;
        }
        base_latest_publish(&slots->latest);
    }
    return NULL;
}

static void test_the_latest_is_whole_and_comes(void **state)
{
    (void)state;
    static struct slots slots;
    pthread_t writer;
    base_latest_init(&slots.latest);
    assert_false(base_latest_take(&slots.latest));
    assert_int_equal(pthread_create(&writer, NULL, publish_all, &slots), 0);
    for (uint32_t last = 0; last < TOTAL;) {
        if (!base_latest_take(&slots.latest)) {
            sched_yield();
            continue;
        }
        const uint32_t *words = slots.words[base_latest_front(&slots.latest)];
        assert_true(words[0] > last);
        for (size_t k = 1; k < WORDS; k++) {
            assert_int_equal(words[k], words[0]);
        }
        last = words[0];
    }
    (void)pthread_join(writer, NULL);
    assert_false(base_latest_take(&slots.latest));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_and_empty),
        cmocka_unit_test(test_order_between_threads),
        cmocka_unit_test(test_the_latest_is_whole_and_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
