/* Both ends of a transfer, with a line between them that loses, doubles, changes and delays
 * packets. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "board/net/transfer.h"

enum { TICK = 33 /* milliseconds */, SILENCE = 300, WAITING = 64, HOUR = 3600 * 1000 };

struct packet {
    bool there;
    bool to_board;
    uint64_t arrives;
    size_t size;
    uint8_t bytes[BOARD_OSC_PACKET];
};

struct line {
    struct base_rng rng;
    unsigned loss; /* per cent */
    unsigned twice;
    unsigned damaged;
    unsigned late;
    struct packet packets[WAITING];
    struct board_sender sender;
    struct board_receiver receiver;
    struct board_peer peer;
    const char *answer;
    enum board_transfer_result result;
    uint64_t compiled; /* when the answer comes */
    unsigned answers;
};

static bool happens(struct line *line, unsigned percent)
{
    return base_rng_next(&line->rng) % 100 < percent;
}

static void put(struct line *line, uint64_t now, bool to_board, const uint8_t *bytes, size_t size)
{
    for (unsigned copies = happens(line, line->twice) ? 2 : 1; copies > 0; copies--) {
        size_t place = 0;
        while (place < WAITING && line->packets[place].there) {
            place++;
        }
        if (size == 0 || place == WAITING || happens(line, line->loss)) {
            continue;
        }
        struct packet *packet = &line->packets[place];
        *packet = (struct packet){.there = true, .to_board = to_board, .size = size};
        packet->arrives =
            now + 2 + (happens(line, line->late) ? base_rng_next(&line->rng) % 900 : 0);
        memcpy(packet->bytes, bytes, size);
        if (happens(line, line->damaged)) {
            packet->bytes[base_rng_next(&line->rng) % size] ^=
                (uint8_t)(1u << base_rng_next(&line->rng) % 8);
        }
    }
}

struct to_board {
    struct line *line;
    uint64_t now;
};

static void board_hears(void *user, const struct board_osc_message *message)
{
    const struct to_board *to = user;
    uint8_t reply[BOARD_OSC_PACKET];
    const size_t size = board_receiver_hear(&to->line->receiver, to->line->peer, message, reply);
    put(to->line, to->now, false, reply, size);
}

static void deliver(struct line *line, uint64_t now)
{
    for (size_t i = 0; i < WAITING; i++) {
        struct packet *packet = &line->packets[i];
        if (!packet->there || packet->arrives > now) {
            continue;
        }
        packet->there = false;
        const struct packet copy = *packet;
        struct to_board to = {line, now};
        if (copy.to_board) {
            (void)board_osc_read(copy.bytes, copy.size, board_hears, &to);
        } else {
            board_sender_hear(&line->sender, now, copy.bytes, copy.size);
        }
    }
}

/* Milliseconds until the sender has ended. */
static uint64_t run(struct line *line)
{
    uint64_t now = 1000;
    for (; line->sender.state == BOARD_SENDER_RUNS && now < HOUR; now++) {
        uint8_t packet[BOARD_OSC_PACKET];
        const size_t size = board_sender_packet(&line->sender, now, packet);
        put(line, now, true, packet, size);
        deliver(line, now);
        if (now % TICK == 0) {
            board_receiver_tick(&line->receiver);
        }
        if (line->receiver.state == BOARD_RECEIVER_READY && line->compiled == 0) {
            line->compiled = now + 700;
        }
        if (line->receiver.state == BOARD_RECEIVER_READY && now >= line->compiled) {
            board_receiver_answer(&line->receiver, line->result, line->answer);
            line->answers++;
        }
    }
    return now - 1000;
}

static struct line *new_line(const uint8_t *bytes, size_t size)
{
    struct line *line = calloc(1, sizeof *line);
    assert_non_null(line);
    base_rng_seed(&line->rng, size, 7);
    line->receiver.open = true;
    line->receiver.silence = SILENCE;
    line->receiver.bytes = malloc(BOARD_TRANSFER_MAX);
    assert_non_null(line->receiver.bytes);
    line->peer = (struct board_peer){0xC0A8000E, 50000};
    line->answer = "";
    board_sender_begin(&line->sender, "Tidal Glass.milk", bytes, size, BOARD_TRANSFER_STORE, 77);
    return line;
}

static void free_line(struct line *line)
{
    free(line->receiver.bytes);
    free(line);
}

static uint8_t *some_bytes(size_t size)
{
    uint8_t *bytes = malloc(size);
    struct base_rng rng;
    assert_non_null(bytes);
    base_rng_seed(&rng, 5, 5);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)base_rng_next(&rng);
    }
    return bytes;
}

static void check_whole(const struct line *line)
{
    assert_int_equal(line->sender.state, BOARD_SENDER_DONE);
    assert_int_equal(line->receiver.size, line->sender.size);
    assert_memory_equal(line->receiver.bytes, line->sender.bytes, line->sender.size);
    assert_string_equal(line->receiver.name, "Tidal Glass.milk");
    assert_int_equal(line->receiver.flags, BOARD_TRANSFER_STORE);
    assert_int_equal(line->answers, 1);
}

static void every_size_arrives(void **state)
{
    (void)state;
    uint8_t *bytes = some_bytes(BOARD_TRANSFER_MAX);
    const size_t sizes[] = {1, 3, 4, 1023, 1024, 1025, 2048, 100000, BOARD_TRANSFER_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct line *line = new_line(bytes, sizes[i]);
        (void)run(line);
        check_whole(line);
        assert_int_equal(line->sender.result, BOARD_TRANSFER_SHOWN);
        free_line(line);
    }
    free(bytes);
}

static void it_arrives_over_a_bad_line(void **state)
{
    (void)state;
    enum { SIZE = 60000 };
    uint8_t *bytes = some_bytes(SIZE);
    const unsigned losses[] = {0, 10, 40};
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        struct line *line = new_line(bytes, SIZE - i);
        line->loss = losses[i];
        line->twice = 10;
        line->damaged = 5;
        line->late = 20;
        line->answer = "a.milk:1:1: warning: so what";
        const uint64_t milliseconds = run(line);
        check_whole(line);
        assert_string_equal(line->sender.text, line->answer);
        print_message("%u %% lost: %llu ms, %llu packets again\n", losses[i],
                      (unsigned long long)milliseconds, (unsigned long long)line->sender.again);
        free_line(line);
    }
    free(bytes);
}

static void messages_of_the_compiler_come_back(void **state)
{
    (void)state;
    struct line *line = new_line((const uint8_t *)"bad", 3);
    char text[3 * BOARD_TRANSFER_TEXT];
    memset(text, 'e', sizeof text);
    memcpy(text + BOARD_TRANSFER_TEXT - 2, "\xc3\xa9", 2); /* is not cut in two */
    text[sizeof text - 1] = '\0';
    line->answer = text;
    line->result = BOARD_TRANSFER_BAD;
    (void)run(line);
    assert_int_equal(line->sender.result, BOARD_TRANSFER_BAD);
    assert_int_equal(strlen(line->sender.text), BOARD_TRANSFER_TEXT - 2);
    free_line(line);
}

static void a_board_that_is_not_there_is_given_up(void **state)
{
    (void)state;
    struct line *line = new_line((const uint8_t *)"abc", 3);
    line->loss = 100;
    assert_in_range(run(line), 5000, 15000);
    assert_int_equal(line->sender.state, BOARD_SENDER_SILENT);
    free_line(line);
}

static void a_board_that_may_not_refuses(void **state)
{
    (void)state;
    struct line *line = new_line((const uint8_t *)"abc", 3);
    line->receiver.open = false;
    (void)run(line);
    assert_int_equal(line->sender.result, BOARD_TRANSFER_REFUSED);
    assert_non_null(strstr(line->sender.text, "receive=on"));
    assert_int_equal(line->receiver.state, BOARD_RECEIVER_IDLE);
    free_line(line);
}

/* One message to the board, from a peer; its answer's address, "" for none. */
static const char *say(struct board_receiver *receiver, uint16_t port, const char *address,
                       const struct board_osc_value *values, size_t count, uint8_t *reply)
{
    struct board_osc_message message = {.address = address, .count = count};
    memcpy(message.values, values, count * sizeof *values);
    const size_t size =
        board_receiver_hear(receiver, (struct board_peer){1, port}, &message, reply);
    reply[size] = '\0';
    return (const char *)reply;
}

static void what_makes_no_sense_changes_nothing(void **state)
{
    (void)state;
    uint8_t reply[BOARD_OSC_PACKET + 1];
    uint8_t bytes[BOARD_TRANSFER_BLOCK] = {0};
    struct board_receiver receiver = {.open = true, .silence = 3};
    receiver.bytes = malloc(BOARD_TRANSFER_MAX);
    struct board_osc_value begin[] = {board_osc_int(1), board_osc_int(0), board_osc_text("a.milk"),
                                      board_osc_int(2000), board_osc_int(0)};
    static const char *const names[] = {
        "",
        "../a.milk",
        "a/b.milk",
        ".milk",
        "a\nb.milk",
        "c:a.milk",
        "a name of more than sixty-three bytes is too long for it.milk__"};
    static const int32_t sizes[] = {0, -1, BOARD_TRANSFER_MAX + 1};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        begin[2] = board_osc_text(names[i]);
        assert_string_equal(say(&receiver, 9, "/send/begin", begin, 5, reply),
                            strlen(names[i]) == 63 ? "/send/got" : "/send/done");
    }
    receiver.state = BOARD_RECEIVER_IDLE;
    begin[2] = board_osc_text("a.milk");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        begin[3] = board_osc_int(sizes[i]);
        assert_string_equal(say(&receiver, 9, "/send/begin", begin, 5, reply), "/send/done");
    }
    begin[3] = board_osc_int(2000);
    assert_string_equal(say(&receiver, 9, "/send/end", begin, 1, reply), "");
    assert_string_equal(say(&receiver, 9, "/send/begin", begin, 5, reply), "/send/got");
    /* Another one has to wait; with another id too. */
    assert_string_equal(say(&receiver, 10, "/send/begin", begin, 5, reply), "/send/done");
    begin[0] = board_osc_int(2);
    assert_string_equal(say(&receiver, 9, "/send/begin", begin, 5, reply), "/send/done");
    /* Blocks that are not of this patch, of a wrong size or with a wrong sum are not answered. */
    const uint32_t sum = base_crc32(BASE_CRC32_START, bytes, sizeof bytes);
    struct board_osc_value data[] = {board_osc_int(1), board_osc_int(0),
                                     board_osc_int((int32_t)sum),
                                     board_osc_blob(bytes, sizeof bytes)};
    static const int32_t numbers[] = {1, 2, -1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        data[1] = board_osc_int(numbers[i]);
        assert_string_equal(say(&receiver, 9, "/send/data", data, 4, reply), "");
    }
    data[1] = board_osc_int(0);
    data[2].word ^= 1;
    assert_string_equal(say(&receiver, 9, "/send/data", data, 4, reply), "");
    data[2].word ^= 1;
    assert_string_equal(say(&receiver, 10, "/send/data", data, 4, reply), "");
    assert_int_equal(receiver.missing, 2);
    assert_string_equal(say(&receiver, 9, "/send/data", data, 4, reply), "/send/got");
    assert_string_equal(say(&receiver, 9, "/send/data", data, 4, reply), "/send/got");
    assert_int_equal(receiver.missing, 1);
    /* It is not whole. */
    begin[0] = board_osc_int(1);
    assert_string_equal(say(&receiver, 9, "/send/end", begin, 1, reply), "/send/done");
    /* Who stops is forgotten. */
    begin[0] = board_osc_int(3);
    assert_string_equal(say(&receiver, 9, "/send/begin", begin, 5, reply), "/send/got");
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(receiver.state, BOARD_RECEIVER_RECEIVES);
        board_receiver_tick(&receiver);
    }
    assert_int_equal(receiver.state, BOARD_RECEIVER_IDLE);
    free(receiver.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_arrives),
        cmocka_unit_test(it_arrives_over_a_bad_line),
        cmocka_unit_test(messages_of_the_compiler_come_back),
        cmocka_unit_test(a_board_that_is_not_there_is_given_up),
        cmocka_unit_test(a_board_that_may_not_refuses),
        cmocka_unit_test(what_makes_no_sense_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
