/* The network chip's two wires, as IEEE 802.3, clause 22, has them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "board/twin/lines.h"

enum { MDIO = 4, OUT = 1, IN = 2, DRIVEN = 4, CLOCK = 8 };

static void write_pins(struct board_twin_ethernet *ethernet, uint32_t pins)
{
    board_twin_ethernet_write(ethernet, 0, MDIO, pins);
}

/* The management frame of 64 bits, a letter each: 1, 0, or z where the station lets go of the wire.
 * Returns the last 16 bits that the wire had at the clock's rises. */
static uint32_t manage(struct board_twin_ethernet *ethernet, const char *frame)
{
    uint32_t seen = 0;
    for (; *frame != '\0'; frame++) {
        const uint32_t pins = *frame == 'z' ? 0 : DRIVEN | (*frame == '1' ? OUT : 0);
        write_pins(ethernet, pins);
        seen = seen << 1 | ((board_twin_ethernet_read(ethernet, MDIO) & IN) != 0);
        write_pins(ethernet, pins | CLOCK);
    }
    write_pins(ethernet, 0);
    return seen & 0xFFFF;
}

#define ONES "11111111111111111111111111111111"
#define LET  "zzzzzzzzzzzzzzzzzz"

static void the_identity_is_read(void **state)
{
    (void)state;
    struct board_twin_ethernet ethernet;
    board_twin_ethernet_reset(&ethernet);
    assert_int_equal(manage(&ethernet, ONES "0110"
                                            "00001"
                                            "00010" LET),
                     0x0022);
    assert_int_equal(manage(&ethernet, ONES "0110"
                                            "00001"
                                            "00011" LET),
                     0x1619);
    /* Nobody is at another place, answers a write, or without the ones before. */
    assert_int_equal(manage(&ethernet, ONES "0110"
                                            "00010"
                                            "00010" LET),
                     0xFFFF);
    assert_int_equal(manage(&ethernet, ONES "0101"
                                            "00001"
                                            "00010" LET),
                     0xFFFF);
    (void)manage(&ethernet, "0");
    assert_int_equal(manage(&ethernet, "1110"
                                       "0110"
                                       "00001"
                                       "00010" LET),
                     0xFFFF);
    /* Nor while the chip is reset. */
    board_twin_ethernet_write(&ethernet, 0, 0, 1);
    assert_int_equal(manage(&ethernet, ONES "0110"
                                            "00001"
                                            "00010" LET),
                     0xFFFF);
    board_twin_ethernet_write(&ethernet, 0, 0, 0);
    assert_int_equal(manage(&ethernet, ONES "0110"
                                            "00001"
                                            "00010" LET),
                     0x0022);
}

static bool has_link(struct board_twin_ethernet *ethernet)
{
    return (manage(ethernet, ONES "0110"
                                  "00001"
                                  "00001" LET) &
            4) != 0;
}

/* A link that was down is told, even if it is up again. */
static void the_link_is_told(void **state)
{
    (void)state;
    struct board_twin_ethernet ethernet;
    board_twin_ethernet_reset(&ethernet);
    assert_false(has_link(&ethernet));
    board_twin_ethernet_plug(&ethernet, true);
    assert_false(has_link(&ethernet));
    assert_true(has_link(&ethernet));
    board_twin_ethernet_plug(&ethernet, false);
    board_twin_ethernet_plug(&ethernet, true);
    assert_false(has_link(&ethernet));
    assert_true(has_link(&ethernet));
    board_twin_ethernet_plug(&ethernet, false);
    assert_false(has_link(&ethernet));
    assert_false(has_link(&ethernet));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_identity_is_read),
        cmocka_unit_test(the_link_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
