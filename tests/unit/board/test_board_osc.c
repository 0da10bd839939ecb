#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/random.h"
#include "board/net/osc.h"

struct heard {
    size_t count;
    struct board_osc_message last;
    int32_t sum; /* of all first arguments that are whole numbers */
};

static void hear(void *user, const struct board_osc_message *message)
{
    struct heard *heard = user;
    heard->count++;
    heard->last = *message;
    heard->sum += message->count > 0 ? (int32_t)message->values[0].word : 0;
}

static bool read(const char *bytes, size_t size, struct heard *heard)
{
    *heard = (struct heard){.count = 0};
    return board_osc_read((const uint8_t *)bytes, size, hear, heard);
}

#define READ(bytes, heard) read(bytes, sizeof(bytes) - 1, heard)

/* Packets as liblo 0.31 sends them: `oscsend 127.0.0.1 45678 ...`, recorded. */
static void other_programs_are_understood(void **state)
{
    (void)state;
    struct heard heard;
    assert_true(READ("/variable\0\0\0,if\0\0\0\0\3\x3e\x80\0\0", &heard));
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.last.address, "/variable");
    assert_int_equal(heard.last.count, 2);
    assert_int_equal(heard.last.values[0].type, 'i');
    assert_int_equal(heard.last.values[0].word, 3);
    assert_int_equal(heard.last.values[1].type, 'f');
    assert_int_equal(heard.last.values[1].word, 0x3e800000); /* 0.25 */
    assert_true(READ("/osd\0\0\0\0,s\0\0hello\0\0\0", &heard));
    assert_string_equal((const char *)heard.last.values[0].bytes, "hello");
    assert_int_equal(heard.last.values[0].size, 5);
    assert_true(READ("/midi\0\0\0,m\0\0\0\xb0\x07\x7f", &heard));
    assert_int_equal(heard.last.values[0].type, 'm');
    assert_memory_equal(heard.last.values[0].bytes, "\0\xb0\x07\x7f", 4);
    assert_true(READ("/cmd/next\0\0\0,\0\0\0", &heard));
    assert_int_equal(heard.last.count, 0);
    assert_true(READ("/x\0\0,isfhdTFNI\0\0\xff\xff\xff\xfe"
                     "ab\0\0\x3f\xc0\0\0\0\0\0\0\0\0\0\x05\x40\x04\0\0\0\0\0\0",
                     &heard));
    assert_int_equal(heard.last.count, 9);
    assert_int_equal((int32_t)heard.last.values[0].word, -2);
    assert_int_equal(heard.last.values[2].word, 0x3fc00000);
    assert_int_equal(heard.last.values[5].word, 1);
    assert_int_equal(heard.last.values[6].word, 0);
}

/* The specification's own example of a message, "/oscillator/4/frequency" with 440.0. */
static void the_specification_is_understood(void **state)
{
    (void)state;
    struct heard heard;
    assert_true(READ("/oscillator/4/frequency\0,f\0\0\x43\xdc\0\0", &heard));
    assert_int_equal(heard.last.values[0].word, 0x43dc0000);
}

static void bundles_are_taken_whole(void **state)
{
    (void)state;
    struct heard heard;
    static const char bundle[] =
        "#bundle\0\0\0\0\0\0\0\0\1"
        "\0\0\0\x0c/a\0\0,i\0\0\0\0\0\5"
        "\0\0\0\x20#bundle\0\0\0\0\0\0\0\0\1\0\0\0\x0c/b\0\0,i\0\0\0\0\0\7";
    assert_true(READ(bundle, &heard));
    assert_int_equal(heard.count, 2);
    assert_int_equal(heard.sum, 12);
    /* The second part is cut: nothing of the first one is taken either. */
    for (size_t size = 4; size < sizeof bundle - 1; size += 4) {
        const bool whole = size == 16 || size == 32;
        assert_int_equal(read(bundle, size, &heard), whole);
        assert_int_equal(heard.count, size == 32);
    }
    assert_true(read(bundle, 16, &heard)); /* without parts */
}

static void bad_packets_are_refused(void **state)
{
    (void)state;
    struct heard heard;
    assert_false(READ("", &heard));
    assert_false(READ("/a\0", &heard));
    assert_false(READ("abcd", &heard));
    assert_false(READ("a\0\0\0,\0\0\0", &heard));
    assert_false(READ("/a b\0\0\0\0,\0\0\0", &heard));
    assert_false(READ("/a\0\0i\0\0\0\0\0\0\1", &heard));
    assert_false(READ("/a\0\0,i\0\0", &heard));
    assert_false(READ("/a\0\0,i\0\0\0\0\0\1\0\0\0\1", &heard)); /* too much */
    assert_false(READ("/a\0\0,q\0\0\0\0\0\1", &heard));
    assert_false(READ("/a\0\0,s\0\0abcd", &heard)); /* without an end */
    assert_false(READ("/a\0\0,b\0\0\0\0\0\5abcd", &heard));
    assert_false(READ("/a\0\0,b\0\0\xff\xff\xff\xff"
                      "abcd",
                      &heard));
    assert_false(READ("/a\0\0,iiiiiiiiiiiiiiiii\0\0", &heard));
    assert_int_equal(heard.count, 0);
    /* Old senders leave out the types. */
    assert_true(READ("/a\0\0", &heard));
    /* An address of 63 letters is one, of 64 none. */
    char packet[72] = "/";
    memset(packet + 1, 'x', 63);
    assert_false(read(packet, 68, &heard));
    packet[63] = '\0';
    assert_true(read(packet, 64, &heard));
}

static void deep_and_full_bundles_are_refused(void **state)
{
    (void)state;
    struct heard heard;
    char packet[BOARD_OSC_PACKET] = "";
    size_t size = 0;
    for (unsigned depth = 0; depth < 60; depth++) {
        memcpy(packet + size, "#bundle\0\0\0\0\0\0\0\0\1", 16);
        size += 20;
    }
    const size_t whole = size - 4;
    for (size_t at = 16; at + 4 < whole; at += 20) {
        const size_t left = whole - at - 4;
        packet[at + 2] = (char)(left >> 8);
        packet[at + 3] = (char)left;
    }
    assert_false(read(packet, whole, &heard));
    memset(packet, 0, sizeof packet);
    memcpy(packet, "#bundle\0\0\0\0\0\0\0\0\1", 16);
    for (size = 16; size < 16 + 8 * (size_t)BOARD_OSC_MESSAGES; size += 8) {
        memcpy(packet + size, "\0\0\0\4/a\0\0", 8);
    }
    assert_true(read(packet, size, &heard));
    assert_int_equal(heard.count, BOARD_OSC_MESSAGES);
    memcpy(packet + size, "\0\0\0\4/a\0\0", 8);
    assert_false(read(packet, size + 8, &heard));
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    uint8_t packet[BOARD_OSC_PACKET];
    struct heard heard = {.count = 0};
    const struct board_osc_value values[] = {board_osc_int(-7), board_osc_float(0x3f800000),
                                             board_osc_text("Tidal Glass"),
                                             board_osc_blob((const uint8_t *)"\1\2\3\4\5", 5)};
    const size_t size = board_osc_write(packet, sizeof packet, "/is/patch", values, 4);
    assert_int_equal(size % 4, 0);
    assert_true(board_osc_read(packet, size, hear, &heard));
    assert_int_equal((int32_t)heard.last.values[0].word, -7);
    assert_string_equal((const char *)heard.last.values[2].bytes, "Tidal Glass");
    assert_int_equal(heard.last.values[3].size, 5);
    /* The same bytes as liblo's. */
    const struct board_osc_value two[] = {board_osc_int(3), board_osc_float(0x3e800000)};
    assert_int_equal(board_osc_write(packet, sizeof packet, "/variable", two, 2), 24);
    assert_memory_equal(packet, "/variable\0\0\0,if\0\0\0\0\3\x3e\x80\0\0", 24);
    for (size_t room = 0; room < size; room++) {
        packet[room] = 0xA5;
        assert_int_equal(board_osc_write(packet, room, "/is/patch", values, 4), 0);
        assert_int_equal(packet[room], 0xA5);
    }
}

static void any_bytes_are_read_within_bounds(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 4444, 1);
    static const char good[] =
        "#bundle\0\0\0\0\0\0\0\0\1\0\0\0\x18/variable\0\0\0,if\0\0\0\0\3\x3e\x80\0\0";
    for (unsigned turn = 0; turn < 20000; turn++) {
        uint8_t packet[64];
        struct heard heard = {.count = 0};
        const size_t size = base_rng_next(&rng) % (sizeof good - 1);
        memcpy(packet, good, sizeof good - 1);
        for (unsigned i = base_rng_next(&rng) % 4; i > 0; i--) {
            packet[base_rng_next(&rng) % (sizeof good - 1)] = (uint8_t)base_rng_next(&rng);
        }
        const bool valid = board_osc_read(packet, size / 4 * 4, hear, &heard);
        assert_true(valid || heard.count == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_programs_are_understood),
        cmocka_unit_test(the_specification_is_understood),
        cmocka_unit_test(bundles_are_taken_whole),
        cmocka_unit_test(bad_packets_are_refused),
        cmocka_unit_test(deep_and_full_bundles_are_refused),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(any_bytes_are_read_within_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
