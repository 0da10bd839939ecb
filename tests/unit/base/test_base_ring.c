#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>

#include "base/os/thread.h"

enum { CAPACITY = 64, TOTAL = 200000 };

static void fill(float *samples, size_t first, size_t frames)
{
    for (size_t i = 0; i < frames; i++) {
        samples[2 * i] = (float)(first + i);
        samples[2 * i + 1] = -(float)(first + i);
    }
}

static void check(const float *samples, size_t first, size_t frames)
{
    for (size_t i = 0; i < frames; i++) {
        assert_true(samples[2 * i] == (float)(first + i));
        assert_true(samples[2 * i + 1] == -(float)(first + i));
    }
}

static void test_full_and_empty(void **state)
{
    (void)state;
    struct base_ring ring;
    float samples[2 * 100];
    assert_int_equal(base_ring_init(&ring, CAPACITY), 0);
    assert_int_equal(base_ring_read(&ring, samples, 10), 0);
    fill(samples, 0, 100);
    assert_int_equal(base_ring_write(&ring, samples, 100), CAPACITY);
    assert_int_equal(base_ring_write(&ring, samples, 1), 0);
    assert_int_equal(base_ring_waiting(&ring), CAPACITY);
    assert_int_equal(base_ring_dropped(&ring), 100 + 1 - CAPACITY);
    assert_int_equal(base_ring_read(&ring, samples, 100), CAPACITY);
    check(samples, 0, CAPACITY);
    assert_int_equal(base_ring_waiting(&ring), 0);
    base_ring_free(&ring);
}

static void test_order_is_kept_round_the_end(void **state)
{
    (void)state;
    struct base_ring ring;
    float samples[2 * 50];
    assert_int_equal(base_ring_init(&ring, CAPACITY), 0);
    for (size_t first = 0; first < 5000; first += 37) {
        fill(samples, first, 37);
        assert_int_equal(base_ring_write(&ring, samples, 37), 37);
        assert_int_equal(base_ring_read(&ring, samples, 50), 37);
        check(samples, first, 37);
    }
    base_ring_free(&ring);
}

static void *write_all(void *argument)
{
    struct base_ring *ring = argument;
    float samples[2 * 40];
    for (size_t written = 0; written < TOTAL;) {
        const size_t wanted = TOTAL - written < 40 ? TOTAL - written : 40;
        fill(samples, written, wanted);
        const size_t taken = base_ring_write(ring, samples, wanted);
        written += taken;
        if (taken == 0) {
            (void)sched_yield();
        }
    }
    return NULL;
}

static void test_two_threads(void **state)
{
    (void)state;
    struct base_ring ring;
    assert_int_equal(base_ring_init(&ring, CAPACITY), 0);
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_all, &ring), 0);
    float samples[2 * 50];
    for (size_t seen = 0; seen < TOTAL;) {
        const size_t got = base_ring_read(&ring, samples, 50);
        check(samples, seen, got);
        seen += got;
        if (got == 0) {
            (void)sched_yield();
        }
    }
    assert_int_equal(pthread_join(writer, NULL), 0);
    assert_int_equal(base_ring_waiting(&ring), 0);
    base_ring_free(&ring);
}

static void test_the_newest_are_kept(void **state)
{
    (void)state;
    struct base_ring ring;
    assert_int_equal(base_ring_init(&ring, CAPACITY), 0);
    float samples[2 * CAPACITY];
    size_t dropped = 0;
    for (size_t written = 0; written < 5 * CAPACITY; written += CAPACITY - 1) {
        fill(samples, written, CAPACITY - 1);
        assert_int_equal(base_ring_write(&ring, samples, CAPACITY - 1), CAPACITY - 1);
        base_ring_keep(&ring, CAPACITY);
        assert_int_equal(base_ring_waiting(&ring), CAPACITY - 1);
        base_ring_keep(&ring, 3);
        assert_int_equal(base_ring_read(&ring, samples, CAPACITY), 3);
        check(samples, written + CAPACITY - 4, 3);
        dropped += CAPACITY - 4;
        assert_int_equal(base_ring_dropped(&ring), dropped);
    }
    base_ring_free(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_and_empty),
        cmocka_unit_test(test_order_is_kept_round_the_end),
        cmocka_unit_test(test_two_threads),
        cmocka_unit_test(test_the_newest_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
