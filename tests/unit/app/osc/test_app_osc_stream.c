#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/osc/stream.h"
#include "base/os/thread.h"

/* The listening end, and what it heard. */
struct bench {
    struct app_osc_streams *streams;
    unsigned port;
    unsigned taken;
    unsigned ended;
    unsigned last; /* stream */
    size_t size;
    uint8_t packet[APP_OSC_PACKET];
    int keeps; /* stream; -1: none */
};

static void take(void *user, unsigned stream, uint8_t *packet, size_t size)
{
    struct bench *bench = user;
    assert_true(size > 0 && size <= APP_OSC_PACKET && stream < APP_OSC_STREAMS);
    assert_int_equal((uintptr_t)packet % 4, 0);
    bench->taken++;
    bench->last = stream;
    bench->size = size;
    memcpy(bench->packet, packet, size);
}

static void end(void *user, unsigned stream)
{
    (void)stream;
    ((struct bench *)user)->ended++;
}

static bool keep(void *user, unsigned stream)
{
    return ((const struct bench *)user)->keeps == (int)stream;
}

static int open_bench(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    const struct app_osc_stream_taker taker = {bench, take, end, keep};
    bench->keeps = -1;
    for (bench->port = 20000; bench->streams == NULL && bench->port < 65000; bench->port += 7) {
        bench->streams = app_osc_streams_open(bench->port + 7, &taker);
    }
    assert_non_null(bench->streams);
    *state = bench;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *bench = *state;
    app_osc_streams_close(bench->streams);
    free(bench);
    return 0;
}

static int connect_to(const struct bench *bench)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)bench->port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int socket_of = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(socket_of >= 0);
    assert_int_equal(
        connect(socket_of, (const struct sockaddr *)(const void *)&address, sizeof address), 0);
    return socket_of;
}

static void serve(struct bench *bench, double now)
{
    (void)app_osc_streams_serve(bench->streams, now, 100);
}

/* Serves until it is so; a test that waits in vain has failed. */
#define AWAIT(bench, condition)                                                                    \
    do {                                                                                           \
        const double until = base_clock_seconds() + 300;                                           \
        while (!(condition) && base_clock_seconds() < until) {                                     \
            serve(bench, 1);                                                                       \
        }                                                                                          \
        assert_true(condition);                                                                    \
    } while (0)

static void give(int to, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    while (size > 0) {
        const ssize_t sent = send(to, from, size, MSG_NOSIGNAL);
        assert_true(sent > 0);
        from += sent;
        size -= (size_t)sent;
    }
}

static void packets_come_by_their_sizes(void **state)
{
    struct bench *bench = *state;
    static const uint8_t two[] = {0, 0, 0,   4,   '/', 'a', 0,   0, 0, 0,
                                  0, 8, '/', 'l', 'o', 'n', 'g', 0, 0, 0};
    const int client = connect_to(bench);
    give(client, two, sizeof two);
    AWAIT(bench, bench->taken == 2);
    assert_int_equal(bench->size, 8);
    assert_memory_equal(bench->packet, two + 12, 8);
    for (size_t i = 0; i < sizeof two; i++) { /* byte by byte */
        give(client, two + i, 1);
        serve(bench, 1);
    }
    AWAIT(bench, bench->taken == 4);
    assert_true(app_osc_streams_send(bench->streams, bench->last, two + 4, 4));
    uint8_t answer[8];
    assert_int_equal(recv(client, answer, sizeof answer, MSG_WAITALL), 8);
    assert_memory_equal(answer, two, 8);
    assert_int_equal(app_osc_streams_count(bench->streams), 1);
    (void)close(client);
    AWAIT(bench, bench->ended == 1);
    assert_int_equal(app_osc_streams_count(bench->streams), 0);
    assert_false(app_osc_streams_send(bench->streams, bench->last, two + 4, 4));
}

static void packets_come_between_two_ends(void **state)
{
    struct bench *bench = *state;
    static const uint8_t slip[] = {0xC0, '/',  0xDB, 0xDC, 0xDB, 0xDD, 0xC0,
                                   0xC0, 0xC0, '/',  'b',  0,    0,    0xC0};
    static const uint8_t plain[] = {'/', 0xC0, 0xDB};
    const int client = connect_to(bench);
    give(client, slip, 7);
    AWAIT(bench, bench->taken == 1);
    assert_int_equal(bench->size, sizeof plain);
    assert_memory_equal(bench->packet, plain, sizeof plain);
    give(client, slip + 7, sizeof slip - 7);
    AWAIT(bench, bench->taken == 2);
    assert_true(app_osc_streams_send(bench->streams, bench->last, plain, sizeof plain));
    uint8_t answer[7];
    assert_int_equal(recv(client, answer, sizeof answer, MSG_WAITALL), 7);
    assert_memory_equal(answer, slip, 7);
    (void)close(client);
}

/* What came before the end is still taken. */
static void who_sends_and_goes_is_heard(void **state)
{
    struct bench *bench = *state;
    static const uint8_t one[] = {0, 0, 0, 4, '/', 'a', 0, 0};
    const int client = connect_to(bench);
    for (int i = 0; i < 250; i++) {
        give(client, one, sizeof one);
    }
    (void)close(client);
    AWAIT(bench, bench->ended == 1);
    assert_int_equal(bench->taken, 250);
}

static void what_is_no_packet_ends_its_connection(void **state)
{
    struct bench *bench = *state;
    static const struct {
        uint8_t bytes[8];
        size_t size;
    } wrong[] = {
        {{0x7F, 0xFF, 0xFF, 0xFF}, 4},
        {{0, 0, 0, 0}, 4},
        {{0, 0, 0, 3, 'a'}, 5},
        {{'G', 'E', 'T', ' '}, 4},
        {{0xC0, 'a', 0xDB, 'b', 0xC0}, 5},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int client = connect_to(bench);
        give(client, wrong[i].bytes, wrong[i].size);
        AWAIT(bench, bench->ended == i + 1);
        (void)close(client);
    }
    /* One that never ends. */
    const int client = connect_to(bench);
    static uint8_t endless[4 * APP_OSC_PACKET];
    memset(endless, 'a', sizeof endless);
    endless[0] = 0xC0;
    for (size_t at = 0; at < sizeof endless && bench->ended == 5; at += 4096) {
        (void)send(client, endless + at, 4096, MSG_NOSIGNAL);
        serve(bench, 1);
    }
    AWAIT(bench, bench->ended == 6);
    (void)close(client);
    assert_int_equal(bench->taken, 0);
}

static void who_takes_no_answers_is_cut_off(void **state)
{
    struct bench *bench = *state;
    static const uint8_t one[] = {0, 0, 0, 4, '/', 'a', 0, 0};
    static uint8_t large[APP_OSC_PACKET];
    const int client = connect_to(bench);
    give(client, one, sizeof one);
    AWAIT(bench, bench->taken == 1);
    unsigned sent = 0;
    while (app_osc_streams_send(bench->streams, bench->last, large, sizeof large)) {
        sent++;
        assert_true(sent < 100000);
    }
    assert_true(sent >= APP_OSC_UNSENT / APP_OSC_PACKET / 2);
    AWAIT(bench, bench->ended == 1);
    (void)close(client);
}

static void the_one_that_was_silent_for_longest_makes_room(void **state)
{
    struct bench *bench = *state;
    static const uint8_t one[] = {0, 0, 0, 4, '/', 'a', 0, 0};
    int clients[APP_OSC_STREAMS + 2];
    for (unsigned i = 0; i < APP_OSC_STREAMS; i++) {
        clients[i] = connect_to(bench);
        give(clients[i], one, sizeof one);
        const double until = base_clock_seconds() + 300;
        while (bench->taken < i + 1 && base_clock_seconds() < until) {
            serve(bench, i + 1);
        }
        assert_int_equal(bench->taken, i + 1);
        bench->keeps = i == 0 ? (int)bench->last : bench->keeps;
    }
    const unsigned first = (unsigned)bench->keeps;
    for (unsigned i = APP_OSC_STREAMS; i < APP_OSC_STREAMS + 2; i++) {
        clients[i] = connect_to(bench);
        give(clients[i], one, sizeof one);
        AWAIT(bench, bench->taken == i + 1);
        assert_int_not_equal(bench->last, first); /* which is kept */
    }
    assert_int_equal(bench->ended, 2);
    assert_int_equal(app_osc_streams_count(bench->streams), APP_OSC_STREAMS);
    for (unsigned i = 0; i < APP_OSC_STREAMS + 2; i++) {
        (void)close(clients[i]);
    }
}

static void a_port_is_taken_once(void **state)
{
    const struct bench *bench = *state;
    const struct app_osc_stream_taker taker = {NULL, take, end, keep};
    errno = 0;
    assert_null(app_osc_streams_open(bench->port, &taker));
    assert_int_equal(errno, EADDRINUSE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_bench, close_bench)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(packets_come_by_their_sizes),
        TEST(packets_come_between_two_ends),
        TEST(who_sends_and_goes_is_heard),
        TEST(what_is_no_packet_ends_its_connection),
        TEST(who_takes_no_answers_is_cut_off),
        TEST(the_one_that_was_silent_for_longest_makes_room),
        TEST(a_port_is_taken_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
