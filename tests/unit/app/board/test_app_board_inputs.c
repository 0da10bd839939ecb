#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/board/inputs.h"
#include "base/os/file.h"

static bool is_input(const char *item, struct board_twin *board)
{
    const struct app_list list = {.items = {item}, .count = 1};
    if (app_board_inputs_check(&list, NULL) != 0) {
        return false;
    }
    app_board_inputs_apply(&list, board, 3);
    return true;
}

static void values_are_looked_at(void **state)
{
    static const char *const good[] = {
        "3:buttons=7",    "3:infrared=0x1fff", "3:infrared=5/36", "3:dmx=511/255",
        "3:midi=",        "3:uart=00ff",       "3:card=in",       "3:card=out/4294967295",
        "3:sound=silent", "3:type=a=b:c",      "3:card=out",      "3:sound=off",
        "3:sound=on"};
    static const char *const bad[] = {
        "3:buttons=8",   "3:infrared=0x2000", "3:infrared=5/38", "3:infrared=5/", "3:dmx=512/0",
        "3:midi=9",      "3:uart=xy",         "3:card=",         "3:card=out/",   "3:card=up",
        "3:card=out/-1", "3:sound=loud",      "3:sound=",        "3:sounds=on",   "3:",
        "x:type=a",      "3:card=out/1x"};
    (void)state;
    struct board_twin *board = board_twin_create("\xE0\0\0\0", 4, NULL);
    assert_non_null(board);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(is_input(good[i], board));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(is_input(bad[i], board));
    }
    assert_int_equal(board->system.coming[0].value & 7, 7);
    assert_int_equal(board->infrared.queue[0].bits, 0x1fff);
    assert_int_equal(board->infrared.queue[1].half, BOARD_TWIN_INFRARED_NORM);
    assert_int_equal(board->dmx_in.channels[511], 255);
    assert_int_equal(board->console.queued, 5 + 2);
    board_twin_free(board);
}

static void states_are_set(void **state)
{
    (void)state;
    struct board_twin *board = board_twin_create("\xE0\0\0\0", 4, NULL);
    assert_non_null(board);
    assert_true(is_input("3:card=out", board));
    assert_true(board->card.out);
    assert_true(is_input("3:card=sdhc", board));
    assert_false(board->card.out);
    assert_true(board->card.kind.high_capacity);
    assert_true(is_input("3:card=in", board));
    assert_false(board->card.kind.high_capacity);
    assert_true(is_input("3:card=out/2", board));
    assert_int_equal(board->card.pulled_in, 5 * BOARD_TWIN_CARD_WORDS / 2);
    assert_true(is_input("3:osc=1/0.5,2/3", board));
    assert_true(board->ethernet.receiving);
    assert_true(is_input("3:sound=off", board));
    assert_int_equal(board->ac97.state, BOARD_TWIN_AC97_OFF);
    assert_true(is_input("4:sound=on", board));
    assert_int_equal(board->ac97.state, BOARD_TWIN_AC97_OFF);
    board_twin_free(board);
}

struct heard {
    uint8_t midi[8];
    size_t count;
    unsigned channel;
    uint8_t level;
    uint32_t words[4]; /* osc1 to osc4 */
};

static void hear_midi(void *user, uint8_t byte)
{
    struct heard *heard = user;
    assert_true(heard->count < sizeof heard->midi);
    heard->midi[heard->count++] = byte;
}

static void hear_dmx(void *user, unsigned channel, uint8_t level)
{
    struct heard *heard = user;
    heard->channel = channel;
    heard->level = level;
}

static void hear_osc(void *user, unsigned number, uint32_t word)
{
    struct heard *heard = user;
    assert_true(number < 4);
    heard->words[number] = word;
}

/* Without a board: midi, dmx and osc, and nothing else, at their picture. */
static void render_hears_midi_dmx_and_osc(void **state)
{
    (void)state;
    struct heard heard = {.count = 0};
    const struct app_board_listener listener = {&heard, hear_midi, hear_dmx, hear_osc};
    const struct app_list list = {.items = {"3:midi=b0077f", "3:dmx=511/0x80", "4:midi=00",
                                            "3:osc=1/0.5,4/-1e-40", "3:osc=2/-2"},
                                  .count = 5};
    static const char *const bad[] = {
        "3:midi=b0077", "3:midi=xy",    "3:dmx=512/0",
        "3:dmx=1/256",  "3:dmx=1",      "3:osc=",
        "3:osc=0/1",    "3:osc=5/1",    "3:osc=1/",
        "3:osc=1/nan",  "3:osc=1/1e99", "3:osc=1/2;2/3",
        "3:osc=1/2,2",  "3:buttons=7",  "3:mid=00",
        "3:midii=00",   "3;midi=00",    "midi=00",
        "-1:midi=00",   "3:card=out",   "99999999999999999999:midi=00"};
    assert_int_equal(app_board_inputs_check_heard(&list, NULL), 0);
    app_board_inputs_hear(&list, &listener, 2);
    assert_int_equal(heard.count, 0);
    app_board_inputs_hear(&list, &listener, 3);
    assert_int_equal(heard.count, 3);
    assert_memory_equal(heard.midi, "\xb0\x07\x7f", 3);
    assert_int_equal(heard.channel, 511);
    assert_int_equal(heard.level, 0x80);
    assert_int_equal(heard.words[0], 0x3f000000);
    assert_int_equal(heard.words[1], 0xc0000000);
    assert_int_equal(heard.words[2], 0);
    assert_int_equal(heard.words[3], 0); /* too small for the coprocessor */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct base_diag_list messages = {.count = 0};
        const struct base_diag_sink sink = base_diag_list_sink(&messages);
        const struct app_list one = {.items = {bad[i]}, .count = 1};
        char expected[200];
        (void)snprintf(expected, sizeof expected, "--at: '%s' is no input of the equations",
                       bad[i]);
        assert_int_equal(app_board_inputs_check_heard(&one, &sink), -1);
        assert_int_equal(messages.count, 1);
        assert_string_equal(messages.items[0].what, expected);
        app_board_inputs_hear(&one, &listener, 3);
    }
}

/* A row as docs/twin.md has it: a bar within a cell has a backslash before it. */
static void make_row(const struct app_board_input_row *input, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "| `%s=", input->name);
    for (const char *from = input->value; *from != '\0' && at + 2 < size; from++) {
        if (*from == '|') {
            text[at++] = '\\';
        }
        text[at++] = *from;
    }
    (void)snprintf(text + at, size - at, "` | %s |\n", input->help);
}

static void page_has_all_inputs(void **state)
{
    struct stat facts;
    size_t size;
    char row[600];
    (void)state;
    char *page = base_file_read(TEST_SOURCE "/docs/twin.md", 1 << 20, &size, &facts);
    assert_non_null(page);
    for (size_t i = 0; i < app_board_input_row_count; i++) {
        make_row(&app_board_input_rows[i], row, sizeof row);
        if (strstr(page, row) == NULL) {
            fail_msg("docs/twin.md has no row: %s", row);
        }
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_looked_at),
        cmocka_unit_test(states_are_set),
        cmocka_unit_test(render_hears_midi_dmx_and_osc),
        cmocka_unit_test(page_has_all_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
