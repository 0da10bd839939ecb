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
    assert_true(is_input("3:sound=off", board));
    assert_int_equal(board->ac97.state, BOARD_TWIN_AC97_OFF);
    assert_true(is_input("4:sound=on", board));
    assert_int_equal(board->ac97.state, BOARD_TWIN_AC97_OFF);
    board_twin_free(board);
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
        cmocka_unit_test(page_has_all_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
