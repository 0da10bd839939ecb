/* MIDI as bytes, what moves, and what becomes of a value. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/midi/control.h"

/* ---- bytes ---- */

/* The messages of a stream as text: kind, channel and data in hex, "|" behind each; exclusive ones
 * with their content. */
static const char *messages_of(const uint8_t *bytes, size_t size)
{
    static char text[4096];
    struct engine_midi_reader reader = {0};
    struct engine_midi_message message;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < size; i++) {
        if (!engine_midi_read(&reader, bytes[i], &message)) {
            continue;
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "%02x.%u", (unsigned)message.kind,
                                 message.channel);
        for (unsigned k = 0; k < engine_midi_data(message.kind); k++) {
            used += (size_t)snprintf(text + used, sizeof text - used, " %02x", message.data[k]);
        }
        for (size_t k = 0; k < message.size; k++) {
            used += (size_t)snprintf(text + used, sizeof text - used, " %02x", message.content[k]);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "|");
    }
    return text;
}

#define READS(text, ...)                                                                           \
    do {                                                                                           \
        const uint8_t bytes[] = {__VA_ARGS__};                                                     \
        assert_string_equal(messages_of(bytes, sizeof bytes), text);                               \
    } while (0)

static void messages_are_read_as_published(void **state)
{
    (void)state;
    READS("90.1 3c 40|80.16 3c 00|a0.2 10 11|", 0x90, 0x3c, 0x40, 0x8f, 0x3c, 0x00, 0xa1, 16, 17);
    READS("b0.3 07 7f|c0.4 05|d0.5 06|e0.6 00 40|", 0xb2, 7, 127, 0xc3, 5, 0xd4, 6, 0xe5, 0, 64);
    READS("f1.0 12|f2.0 01 02|f3.0 03|f6.0|", 0xf1, 0x12, 0xf2, 1, 2, 0xf3, 3, 0xf6);
    READS("f8.0|fa.0|fb.0|fc.0|fe.0|ff.0|", 0xf8, 0xfa, 0xfb, 0xfc, 0xfe, 0xff);
    READS("80.1 3c 00|", 0x90, 0x3c, 0x00); /* without force it ends */
}

static void messages_go_on_without_their_status(void **state)
{
    (void)state;
    READS("b0.1 10 01|b0.1 10 02|b0.1 11 03|", 0xb0, 16, 1, 16, 2, 17, 3);
    READS("c0.2 01|c0.2 02|", 0xc1, 1, 2);
    /* Clock inside and between does not end that; a system message does. */
    READS("f8.0|b0.1 10 01|f8.0|fe.0|b0.1 10 02|", 0xb0, 0xf8, 16, 1, 0xf8, 16, 0xfe, 2);
    READS("b0.1 10 01|f6.0|", 0xb0, 16, 1, 0xf6, 16, 2);
    READS("f3.0 01|", 0xf3, 1, 2);
}

static void what_is_no_message_is_left_out(void **state)
{
    (void)state;
    READS("", 1, 2, 3, 0x7f);
    READS("90.1 01 02|", 0xb0, 16, 0x90, 1, 2);
    READS("", 0xf4, 1, 0xf5, 2, 0xf9, 0xfd, 0xf7);
}

static void exclusive_messages_are_kept_up_to_a_limit(void **state)
{
    (void)state;
    READS("f0.0 7e 06|", 0xf0, 0x7e, 6, 0xf7);
    READS("f8.0|f0.0 7e 06|", 0xf0, 0x7e, 0xf8, 6, 0xf7);
    READS("f0.0|", 0xf0, 0xf7);
    READS("b0.1 01 02|", 0xf0, 1, 2, 0xb0, 1, 2, 0xf7); /* broken off */
    uint8_t bytes[ENGINE_MIDI_EXCLUSIVE + 6];
    memset(bytes, 1, sizeof bytes);
    bytes[0] = 0xf0;
    bytes[ENGINE_MIDI_EXCLUSIVE + 2] = 0xf7; /* a byte too long */
    memcpy(bytes + ENGINE_MIDI_EXCLUSIVE + 3, "\xb0\x01\x02", 3);
    assert_string_equal(messages_of(bytes, sizeof bytes), "b0.1 01 02|");
    struct engine_midi_reader reader = {0};
    struct engine_midi_message message;
    bytes[ENGINE_MIDI_EXCLUSIVE + 1] = 0xf7; /* as long as may be */
    for (size_t i = 0; i <= ENGINE_MIDI_EXCLUSIVE; i++) {
        assert_false(engine_midi_read(&reader, bytes[i], &message));
    }
    assert_true(engine_midi_read(&reader, 0xf7, &message));
    assert_int_equal(message.size, ENGINE_MIDI_EXCLUSIVE);
}

static void what_is_written_is_read_as_the_same(void **state)
{
    (void)state;
    static const uint8_t kinds[] = {0x80, 0x90, 0xa0, 0xb0, 0xc0, 0xd0, 0xe0, 0xf1,
                                    0xf2, 0xf3, 0xf6, 0xf8, 0xfa, 0xfb, 0xfc};
    for (size_t i = 0; i < sizeof kinds; i++) {
        const struct engine_midi_message message = {.kind = (enum engine_midi_kind)kinds[i],
                                                    .channel = kinds[i] < 0xf0 ? 11 : 0,
                                                    .data = {100, 101}};
        uint8_t bytes[ENGINE_MIDI_BYTES];
        struct engine_midi_reader reader = {0};
        struct engine_midi_message read = {0};
        const size_t size = engine_midi_write(bytes, &message);
        assert_int_equal(size, 1 + engine_midi_data(message.kind));
        for (size_t k = 0; k < size; k++) {
            assert_int_equal(engine_midi_read(&reader, bytes[k], &read), k + 1 == size);
        }
        assert_int_equal(read.kind, message.kind);
        assert_int_equal(read.channel, message.channel);
        assert_memory_equal(read.data, message.data, size - 1);
    }
    uint8_t exclusive[6];
    assert_int_equal(engine_midi_write_exclusive(exclusive, 5, (const uint8_t *)"\x00\x20\xa9", 3),
                     5);
    assert_memory_equal(exclusive, "\xf0\x00\x20\x29\xf7", 5);
    assert_int_equal(engine_midi_write_exclusive(exclusive, 4, (const uint8_t *)"abc", 3), 0);
}

/* ---- what moves ---- */

struct hand {
    struct engine_midi_reader reader;
    struct engine_midi_device device;
    struct engine_midi_move moves[ENGINE_MIDI_MOVES];
    size_t count;
};

/* Sends bytes; what the last message moves stays in the hand. */
static void send(struct hand *hand, const uint8_t *bytes, size_t size)
{
    struct engine_midi_message message;
    for (size_t i = 0; i < size; i++) {
        if (engine_midi_read(&hand->reader, bytes[i], &message)) {
            hand->count = engine_midi_moves(&hand->device, &message, hand->moves);
        }
    }
}

#define SEND(hand, ...)                                                                            \
    do {                                                                                           \
        const uint8_t bytes[] = {__VA_ARGS__};                                                     \
        send(hand, bytes, sizeof bytes);                                                           \
    } while (0)

/* The move of this part; fails if there is none. */
static const struct engine_midi_move *moved(const struct hand *hand, enum engine_midi_part part)
{
    for (size_t i = 0; i < hand->count; i++) {
        if (hand->moves[i].control.part == part) {
            return &hand->moves[i];
        }
    }
    fail_msg("nothing of that part has moved");
    return NULL;
}

#define MOVED(hand, what, on, which, value)                                                        \
    do {                                                                                           \
        const struct engine_midi_move *move = moved(hand, ENGINE_MIDI_IS_##what);                  \
        assert_int_equal(move->control.channel, on);                                               \
        assert_int_equal(move->control.number, which);                                             \
        assert_int_equal(move->raw, value);                                                        \
    } while (0)

static void controllers_go_from_end_to_end(void **state)
{
    (void)state;
    struct hand hand = {0};
    SEND(&hand, 0xb0, 64, 127);
    assert_int_equal(hand.count, 1);
    MOVED(&hand, CONTROLLER, 1, 64, 127);
    assert_true(moved(&hand, ENGINE_MIDI_IS_CONTROLLER)->place == 1);
    SEND(&hand, 0xbf, 64, 0);
    MOVED(&hand, CONTROLLER, 16, 64, 0);
    assert_true(moved(&hand, ENGINE_MIDI_IS_CONTROLLER)->place == 0);
    SEND(&hand, 0xe2, 0x7f, 0x7f);
    MOVED(&hand, BEND, 3, 0, 16383);
    SEND(&hand, 0xd2, 3);
    MOVED(&hand, PRESSURE, 3, 0, 3);
    SEND(&hand, 0x92, 60, 100, 62, 0);
    MOVED(&hand, NOTE, 3, 62, 0);
    SEND(&hand, 0xf8);
    assert_int_equal(hand.count, 0);
}

static void two_halves_are_one_number_in_either_order(void **state)
{
    (void)state;
    struct hand hand = {0};
    SEND(&hand, 0xb0, 3, 127);
    MOVED(&hand, CONTROLLER14, 1, 3, 127 << 7);
    assert_true(moved(&hand, ENGINE_MIDI_IS_CONTROLLER14)->place == 1); /* the upper one alone */
    SEND(&hand, 0xb0, 35, 127);
    MOVED(&hand, CONTROLLER14, 1, 3, 16383);
    MOVED(&hand, CONTROLLER, 1, 35, 127);
    SEND(&hand, 0xb0, 3, 64, 35, 1);
    MOVED(&hand, CONTROLLER14, 1, 3, (64 << 7) + 1);
    SEND(&hand, 0xb0, 35, 9, 3, 10);
    MOVED(&hand, CONTROLLER14, 1, 3, (10 << 7) + 9);
    struct hand other = {0};
    SEND(&other, 0xb0, 35, 5);
    assert_int_equal(other.count, 1); /* nothing is known of the upper half */
}

static void parameters_have_numbers_of_their_own(void **state)
{
    (void)state;
    struct hand hand = {0};
    SEND(&hand, 0xb0, 6, 1);
    assert_int_equal(hand.count, 2); /* no parameter yet */
    SEND(&hand, 0xb0, 99, 2, 98, 44, 6, 100);
    MOVED(&hand, NRPN, 1, 300, 100 << 7);
    SEND(&hand, 0xb0, 38, 17);
    MOVED(&hand, NRPN, 1, 300, (100 << 7) + 17);
    SEND(&hand, 0xb0, 97, 0);
    MOVED(&hand, NRPN, 1, 300, (100 << 7) + 16);
    SEND(&hand, 0xb0, 96, 0, 96, 0);
    MOVED(&hand, NRPN, 1, 300, (100 << 7) + 18);
    /* What was said of one says nothing of another. */
    SEND(&hand, 0xb0, 98, 45, 38, 1);
    assert_int_equal(hand.count, 2);
    SEND(&hand, 0xb0, 6, 127);
    MOVED(&hand, NRPN, 1, 301, 16256 + 1);
    SEND(&hand, 0xb0, 96, 0, 6, 127, 38, 127, 96, 0);
    MOVED(&hand, NRPN, 1, 301, 16383);
    /* A parameter of the other kind, or none, is nobody's. */
    SEND(&hand, 0xb0, 101, 0, 100, 0, 6, 5);
    assert_int_equal(hand.count, 2);
    SEND(&hand, 0xb0, 99, 127, 98, 127, 6, 5);
    assert_int_equal(hand.count, 2);
}

static void programs_are_counted_through_their_banks(void **state)
{
    (void)state;
    struct hand hand = {0};
    SEND(&hand, 0xc0, 5);
    MOVED(&hand, PROGRAM, 1, 5, 5);
    SEND(&hand, 0xb0, 0, 1, 0xc0, 5);
    MOVED(&hand, PROGRAM, 1, 5, 133);
    SEND(&hand, 0xb0, 0, 0, 32, 2, 0xc0, 5);
    MOVED(&hand, PROGRAM, 1, 5, 261);
    SEND(&hand, 0xc1, 5);
    MOVED(&hand, PROGRAM, 2, 5, 5);
}

/* ---- what becomes of a value ---- */

static struct engine_midi_move move_of(uint32_t raw)
{
    return (struct engine_midi_move){{ENGINE_MIDI_IS_CONTROLLER, 1, 16}, raw, raw / 127.0};
}

static struct engine_midi_move note_of(uint32_t raw)
{
    return (struct engine_midi_move){{ENGINE_MIDI_IS_NOTE, 1, 36}, raw, raw / 127.0};
}

static void a_knob_acts_once_it_has_passed_the_value(void **state)
{
    (void)state;
    struct engine_midi_taker taker = {0};
    const struct engine_midi_stand stand = {.turn = 10, .place = 0.5};
    double place = -1;
    for (uint32_t raw = 0; raw < 63; raw++) {
        const struct engine_midi_move move = move_of(raw);
        assert_false(engine_midi_take(&taker, ENGINE_MIDI_MODE_PICK_UP, 0, &move, &stand, &place));
    }
    struct engine_midi_move move = move_of(63);
    assert_true(engine_midi_take(&taker, ENGINE_MIDI_MODE_PICK_UP, 0, &move, &stand, &place));
    assert_true(place == 63 / 127.0);
    /* From then on it leads, though the show is a frame behind. */
    move = move_of(90);
    assert_true(engine_midi_take(&taker, ENGINE_MIDI_MODE_PICK_UP, 0, &move, &stand, &place));
    const struct engine_midi_stand there = {.turn = 20, .place = 90 / 127.0};
    move = move_of(100);
    assert_true(engine_midi_take(&taker, ENGINE_MIDI_MODE_PICK_UP, 0, &move, &there, &place));
    /* Until somebody else moves the value. */
    const struct engine_midi_stand away = {.turn = 40, .place = 0.1};
    move = move_of(101);
    assert_false(engine_midi_take(&taker, ENGINE_MIDI_MODE_PICK_UP, 0, &move, &away, &place));
    move = move_of(5); /* past it in one go */
    assert_true(engine_midi_take(&taker, ENGINE_MIDI_MODE_PICK_UP, 0, &move, &away, &place));
    assert_true(place == 5 / 127.0);
}

static void a_knob_that_was_let_go_does_not_come_back_by_itself(void **state)
{
    (void)state;
    struct engine_midi_taker taker = {0};
    struct engine_midi_stand stand = {.turn = 10, .place = 0.5};
    double place;
    struct engine_midi_move move = move_of(64);
    assert_true(engine_midi_take(&taker, ENGINE_MIDI_MODE_PICK_UP, 0, &move, &stand, &place));
    stand = (struct engine_midi_stand){.turn = 20, .place = 0.9};
    move = move_of(30);
    assert_false(engine_midi_take(&taker, ENGINE_MIDI_MODE_PICK_UP, 0, &move, &stand, &place));
    stand = (struct engine_midi_stand){.turn = 30, .place = 64 / 127.0};
    move = move_of(29);
    assert_false(engine_midi_take(&taker, ENGINE_MIDI_MODE_PICK_UP, 0, &move, &stand, &place));
}

static void whole_numbers_are_picked_up_and_kept(void **state)
{
    (void)state;
    struct engine_midi_taker taker = {0};
    struct engine_midi_stand stand = {.turn = 10, .place = 3 / 7.0, .fineness = 1 / 7.0};
    double place;
    unsigned taken = 0;
    for (uint32_t raw = 0; raw <= 127; raw++) {
        const struct engine_midi_move move = move_of(raw);
        if (engine_midi_take(&taker, ENGINE_MIDI_MODE_PICK_UP, 0, &move, &stand, &place)) {
            taken++;
            stand.turn += 3;
            stand.place = (int)(place * 7) / 7.0; /* what a whole number makes of it */
        } else {
            assert_true(taken == 0);
        }
    }
    assert_true(taken > 60);
}

static void encoders_step_from_where_the_value_stands(void **state)
{
    (void)state;
    static const struct {
        enum engine_midi_mode mode;
        uint8_t on, back, far;
    } kinds[] = {{ENGINE_MIDI_MODE_TWOS, 1, 127, 125},
                 {ENGINE_MIDI_MODE_CENTRED, 65, 63, 61},
                 {ENGINE_MIDI_MODE_SIGN, 1, 65, 67}};
    for (size_t i = 0; i < 3; i++) {
        struct engine_midi_taker taker = {0};
        struct engine_midi_stand stand = {.turn = 5, .place = 0.5};
        double place = 0;
        struct engine_midi_move move = move_of(kinds[i].on);
        for (int k = 0; k < 4; k++) { /* faster than frames */
            assert_true(engine_midi_take(&taker, kinds[i].mode, 0.05, &move, &stand, &place));
        }
        assert_float_equal(place, 0.7, 1e-9);
        move = move_of(kinds[i].far);
        assert_true(engine_midi_take(&taker, kinds[i].mode, 0.05, &move, &stand, &place));
        assert_float_equal(place, 0.55, 1e-9);
        stand = (struct engine_midi_stand){.turn = 9, .place = 0.02}; /* somebody else's */
        move = move_of(kinds[i].back);
        assert_true(engine_midi_take(&taker, kinds[i].mode, 0.05, &move, &stand, &place));
        assert_true(place == 0);
        assert_int_equal(engine_midi_presses(&taker, kinds[i].mode, &move), -1);
    }
    assert_int_equal(engine_midi_steps(ENGINE_MIDI_MODE_CENTRED, 64), 0);
}

static void buttons_toggle_hold_and_trigger(void **state)
{
    (void)state;
    const struct engine_midi_move down = note_of(1);
    const struct engine_midi_move up = note_of(0);
    const struct engine_midi_move in = move_of(127);
    const struct engine_midi_move out = move_of(0);
    struct engine_midi_stand stand = {.turn = 5, .place = 0};
    double place = -1;
    struct engine_midi_taker taker = {0};
    assert_true(engine_midi_take(&taker, ENGINE_MIDI_MODE_TOGGLE, 0, &down, &stand, &place));
    assert_true(place == 1);
    assert_false(engine_midi_take(&taker, ENGINE_MIDI_MODE_TOGGLE, 0, &up, &stand, &place));
    assert_true(engine_midi_take(&taker, ENGINE_MIDI_MODE_TOGGLE, 0, &down, &stand, &place));
    assert_true(place == 0); /* twice in a frame */
    taker = (struct engine_midi_taker){0};
    assert_true(engine_midi_take(&taker, ENGINE_MIDI_MODE_HOLD, 0, &in, &stand, &place));
    assert_true(place == 1);
    assert_true(engine_midi_take(&taker, ENGINE_MIDI_MODE_HOLD, 0, &out, &stand, &place));
    assert_true(place == 0);
    taker = (struct engine_midi_taker){0};
    assert_true(engine_midi_take(&taker, ENGINE_MIDI_MODE_TRIGGER, 0, &in, &stand, &place));
    assert_true(place == 1);
    assert_false(engine_midi_take(&taker, ENGINE_MIDI_MODE_TRIGGER, 0, &in, &stand, &place));
    assert_false(engine_midi_take(&taker, ENGINE_MIDI_MODE_TRIGGER, 0, &out, &stand, &place));
    const struct engine_midi_move soft = note_of(32);
    assert_true(engine_midi_take(&taker, ENGINE_MIDI_MODE_JUMP, 0, &soft, &stand, &place));
    assert_true(place == 32 / 127.0);
    taker = (struct engine_midi_taker){0};
    assert_int_equal(engine_midi_presses(&taker, ENGINE_MIDI_MODE_TRIGGER, &in), 1);
    assert_int_equal(engine_midi_presses(&taker, ENGINE_MIDI_MODE_TRIGGER, &in), 0);
    assert_int_equal(engine_midi_presses(&taker, ENGINE_MIDI_MODE_TRIGGER, &out), 0);
    assert_int_equal(engine_midi_presses(&taker, ENGINE_MIDI_MODE_TRIGGER, &down), 1);
    assert_int_equal(engine_midi_presses(&taker, ENGINE_MIDI_MODE_TRIGGER, &down), 1);
}

/* ---- which it is ---- */

static struct engine_midi_learner learn(const uint8_t *bytes, size_t size)
{
    struct engine_midi_learner learner = {0};
    struct hand hand = {0};
    for (size_t i = 0; i < size; i++) {
        hand.count = 0;
        send(&hand, bytes + i, 1);
        engine_midi_learn(&learner, hand.moves, hand.count);
    }
    return learner;
}

#define LEARNS(what, on, which, as, ...)                                                           \
    do {                                                                                           \
        const uint8_t bytes[] = {__VA_ARGS__};                                                     \
        const struct engine_midi_learner learner = learn(bytes, sizeof bytes);                     \
        assert_int_equal(learner.control.part, ENGINE_MIDI_IS_##what);                             \
        assert_int_equal(learner.control.channel, on);                                             \
        assert_int_equal(learner.control.number, which);                                           \
        assert_int_equal(learner.mode, ENGINE_MIDI_MODE_##as);                                     \
        assert_false(learner.both_ways);                                                           \
    } while (0)

static void what_is_moved_is_recognised(void **state)
{
    (void)state;
    /* A knob, in the middle, at either end, and with its ends. */
    LEARNS(CONTROLLER, 1, 16, PICK_UP, 0xb0, 16, 60, 16, 61, 16, 62, 16, 63, 16, 65, 16, 66);
    LEARNS(CONTROLLER, 1, 16, PICK_UP, 0xb0, 16, 3, 16, 2, 16, 1, 16, 0, 16, 1, 16, 2, 16, 3);
    LEARNS(CONTROLLER, 1, 16, PICK_UP, 0xb0, 16, 1, 16, 2, 16, 3, 16, 4, 16, 5, 16, 6, 16, 7);
    LEARNS(CONTROLLER, 1, 16, PICK_UP, 0xb0, 16, 120, 16, 124, 16, 127, 16, 127, 16, 100);
    /* A button that sends its two ends, and one that has been pressed. */
    LEARNS(CONTROLLER, 1, 45, TOGGLE, 0xb0, 45, 127);
    LEARNS(CONTROLLER, 1, 45, TOGGLE, 0xb0, 45, 127, 45, 0, 45, 127);
    LEARNS(NOTE, 1, 36, TOGGLE, 0x90, 36, 100, 36, 0);
    LEARNS(BEND, 2, 0, PICK_UP, 0xe1, 0, 64, 0, 65);
    /* Encoders, turned both ways. */
    LEARNS(CONTROLLER, 1, 20, TWOS, 0xb0, 20, 1, 20, 1, 20, 2, 20, 1, 20, 127, 20, 126, 20, 127);
    LEARNS(CONTROLLER, 1, 20, CENTRED, 0xb0, 20, 65, 20, 65, 20, 66, 20, 63, 20, 63, 20, 62);
    LEARNS(CONTROLLER, 1, 20, SIGN, 0xb0, 20, 1, 20, 1, 20, 3, 20, 65, 20, 65, 20, 66);
    LEARNS(CONTROLLER, 1, 20, TWOS, 0xb0, 20, 127, 20, 127, 20, 127);
    /* 14 bits, either half first; a fader and a button by chance so far apart. */
    LEARNS(CONTROLLER14, 1, 3, PICK_UP, 0xb0, 3, 64, 35, 1, 3, 64, 35, 9, 3, 64, 35, 20);
    LEARNS(CONTROLLER14, 1, 3, PICK_UP, 0xb0, 35, 1, 3, 64, 35, 9, 3, 64, 35, 20, 3, 64);
    LEARNS(CONTROLLER, 1, 35, TOGGLE, 0xb0, 3, 64, 3, 65, 3, 66, 35, 127, 35, 0);
    LEARNS(NRPN, 1, 300, PICK_UP, 0xb0, 99, 2, 98, 44, 6, 100, 38, 5, 99, 2, 98, 44, 6, 101, 38, 1);
    LEARNS(NRPN, 1, 300, PICK_UP, 0xb0, 99, 2, 98, 44, 6, 100, 99, 2);
    /* The last that was moved; clock is nothing. */
    LEARNS(CONTROLLER, 1, 17, PICK_UP, 0xb0, 16, 5, 16, 6, 0xf8, 17, 30, 0xf8, 17, 31);
    LEARNS(NOTHING, 0, 0, PICK_UP, 0xf8, 0x80, 36, 0, 0xc0, 4);
}

static void an_encoder_is_known_once_it_was_turned_both_ways(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0xb0, 20, 1, 20, 1, 20, 1};
    struct engine_midi_learner learner = learn(bytes, sizeof bytes);
    assert_true(learner.both_ways);
    static const uint8_t over[] = {0xb0, 20, 65, 20, 65, 20, 66, 20, 66};
    learner = learn(over, sizeof over);
    assert_true(learner.both_ways);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_read_as_published),
        cmocka_unit_test(messages_go_on_without_their_status),
        cmocka_unit_test(what_is_no_message_is_left_out),
        cmocka_unit_test(exclusive_messages_are_kept_up_to_a_limit),
        cmocka_unit_test(what_is_written_is_read_as_the_same),
        cmocka_unit_test(controllers_go_from_end_to_end),
        cmocka_unit_test(two_halves_are_one_number_in_either_order),
        cmocka_unit_test(parameters_have_numbers_of_their_own),
        cmocka_unit_test(programs_are_counted_through_their_banks),
        cmocka_unit_test(a_knob_acts_once_it_has_passed_the_value),
        cmocka_unit_test(a_knob_that_was_let_go_does_not_come_back_by_itself),
        cmocka_unit_test(whole_numbers_are_picked_up_and_kept),
        cmocka_unit_test(encoders_step_from_where_the_value_stands),
        cmocka_unit_test(buttons_toggle_hold_and_trigger),
        cmocka_unit_test(what_is_moved_is_recognised),
        cmocka_unit_test(an_encoder_is_known_once_it_was_turned_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
