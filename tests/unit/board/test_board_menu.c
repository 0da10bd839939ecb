/* The menu as a pure machine: every short sequence of presses, a million random ones, what it asks
 * for, what it shows; buttons that bounce, and codes of remote controls in both timings. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../turns.h"
#include "base/random.h"
#include "board/operate/keys.h"
#include "board/operate/menu.h"

enum { PATCHES = 25 };

static const char *name_of(void *user, int32_t number)
{
    char(*names)[64] = user;
    assert_in_range(number, 0, PATCHES - 1);
    return names[number];
}

struct fixture {
    char names[PATCHES][64];
    struct board_menu_facts facts;
    struct board_settings settings;
    struct board_menu menu;
    uint32_t now;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    memset(&fixture, 0, sizeof fixture);
    for (int i = 0; i < PATCHES; i++) {
        (void)snprintf(fixture.names[i], sizeof fixture.names[i], "Patch number %d.milk", i);
    }
    fixture.facts = (struct board_menu_facts){.patches = PATCHES,
                                              .current = 3,
                                              .shown = fixture.names[3],
                                              .name = name_of,
                                              .user = fixture.names,
                                              .program = "FROTH",
                                              .next_seconds = -1};
    board_settings_init(&fixture.settings);
    *state = &fixture;
    return 0;
}

static struct board_menu_request press(struct fixture *fixture, enum board_key key, bool repeated)
{
    return board_menu_press(&fixture->menu, (struct board_press){(uint8_t)key, repeated},
                            &fixture->settings, &fixture->facts, fixture->now);
}

static void press_all(struct fixture *fixture, const char *keys)
{
    static const char letters[] = "udlrcm";
    static const enum board_key meant[] = {BOARD_KEY_UP,    BOARD_KEY_DOWN,   BOARD_KEY_LEFT,
                                           BOARD_KEY_RIGHT, BOARD_KEY_CHOOSE, BOARD_KEY_MENU};
    for (; *keys != '\0'; keys++) {
        (void)press(fixture, meant[strchr(letters, *keys) - letters], false);
    }
}

/* The lines, and that each is whole. */
static void show(const struct fixture *fixture, struct board_panel_line lines[BOARD_PANEL_LINES])
{
    unsigned selected = 0;
    memset(lines, 0x55, BOARD_PANEL_LINES * sizeof *lines);
    board_menu_write(&fixture->menu, &fixture->settings, &fixture->facts, lines);
    for (int i = 0; i < BOARD_PANEL_LINES; i++) {
        assert_int_equal(strlen(lines[i].text), BOARD_PANEL_COLUMNS);
        assert_true(lines[i].look < BOARD_PANEL_LOOKS);
        assert_true(lines[i].bar <= BOARD_PANEL_BAR || lines[i].bar == BOARD_PANEL_NO_BAR);
        selected += lines[i].look == BOARD_PANEL_SELECTED || lines[i].look == BOARD_PANEL_EDITED;
    }
    assert_int_equal(selected, fixture->menu.page == BOARD_MENU_STATUS ? 0 : 1);
}

/* Ranges, and that what is selected is seen. */
static void check(const struct fixture *fixture)
{
    const struct board_menu *menu = &fixture->menu;
    assert_true(menu->page < BOARD_MENU_PAGES);
    assert_true(!menu->editing || menu->page == BOARD_MENU_ROWS);
    assert_in_range(menu->patch, 0, PATCHES - 1);
    for (int i = 0; i < BOARD_SETTINGS; i++) {
        const struct board_setting_row *row = &board_setting_rows[i];
        int32_t number;
        if (row->kind != BOARD_SETTING_IS_TEXT) {
            memcpy(&number, (const char *)&fixture->settings + row->place, sizeof number);
            assert_in_range(number, row->least, row->most);
        }
    }
    if (menu->page != BOARD_MENU_CLOSED) {
        struct board_panel_line lines[BOARD_PANEL_LINES];
        show(fixture, lines);
    }
}

static bool shows(const struct fixture *fixture, const char *text)
{
    struct board_panel_line lines[BOARD_PANEL_LINES];
    bool found = false;
    show(fixture, lines);
    for (int i = 0; i < BOARD_PANEL_LINES; i++) {
        found = found || strstr(lines[i].text, text) != NULL;
    }
    return found;
}

/* ---- sequences ---- */

/* The three buttons, short and long, up to six in a row from the start, and from within the menu.
 */
static void test_every_sequence_of_six(void **state)
{
    static const enum board_key keys[] = {BOARD_KEY_UP, BOARD_KEY_CHOOSE, BOARD_KEY_DOWN,
                                          BOARD_KEY_MENU};
    enum { KEYS = 4, LENGTH = 6, ALL = 1 << (2 * LENGTH) };
    struct fixture *fixture = *state;
    const struct fixture start = *fixture;
    for (int opened = 0; opened < 2; opened++) {
        for (unsigned sequence = 0; sequence < ALL; sequence++) {
            *fixture = start;
            press_all(fixture, opened != 0 ? "m" : "");
            for (unsigned i = 0; i < LENGTH; i++) {
                (void)press(fixture, keys[sequence >> 2 * i & (KEYS - 1)], false);
                check(fixture);
            }
        }
    }
}

static void test_a_million_random_presses(void **state)
{
    struct fixture *fixture = *state;
    unsigned pages[BOARD_MENU_PAGES] = {0};
    struct base_rng rng;
    base_rng_seed(&rng, 7, 0);
    for (int i = 0; i < TURNS(1000000); i++) {
        const uint32_t bits = base_rng_next(&rng);
        /* Mostly the keys that a menu has. */
        const enum board_key key =
            bits % 16 != 0 ? (enum board_key)(1 + bits % 7 % 6) : (enum board_key)(bits / 16 % 40);
        fixture->now += bits >> 26 == 0 ? 9999 + bits / 256 % 3 : bits / 256 % 150;
        fixture->facts.current = (int32_t)(bits / 64 % (PATCHES + 1)) - 1;
        fixture->facts.patches = 1 + (int32_t)(bits / 4096 % PATCHES);
        const struct board_menu_request request = press(fixture, key, (bits >> 20 & 3) == 0);
        assert_in_range(fixture->menu.patch, 0, fixture->facts.patches - 1);
        if (request.wish == BOARD_MENU_CHANGED) {
            assert_in_range(request.number, 0, BOARD_SETTINGS - 1);
        }
        check(fixture);
        pages[fixture->menu.page]++;
    }
    for (int i = 0; i < BOARD_MENU_PAGES; i++) {
        assert_true(pages[i] > TURNS(1000000) / 200);
    }
}

/* ---- what it does ---- */

static void test_closed_keys_are_those_of_the_show(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        enum board_key key;
        enum board_menu_wish wish;
        int32_t number;
    } rows[] = {
        {BOARD_KEY_UP, BOARD_MENU_STEP, -1},       {BOARD_KEY_DOWN, BOARD_MENU_STEP, 1},
        {BOARD_KEY_NEXT, BOARD_MENU_STEP, 1},      {BOARD_KEY_PREVIOUS, BOARD_MENU_STEP, -1},
        {BOARD_KEY_CHOOSE, BOARD_MENU_NAME, 0},    {BOARD_KEY_LEFT, BOARD_MENU_NOTHING, 0},
        {BOARD_KEY_DIGIT + 7, BOARD_MENU_LOAD, 7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct board_menu_request request = press(fixture, rows[i].key, false);
        assert_int_equal(request.wish, rows[i].wish);
        assert_int_equal(request.number, rows[i].number);
        assert_int_equal(press(fixture, rows[i].key, true).wish, BOARD_MENU_NOTHING);
        assert_int_equal(fixture->menu.page, BOARD_MENU_CLOSED);
    }
}

static void test_it_never_opens_while_it_is_locked(void **state)
{
    struct fixture *fixture = *state;
    fixture->menu.locked = true;
    assert_int_equal(press(fixture, BOARD_KEY_MENU, false).wish, BOARD_MENU_NOTHING);
    assert_int_equal(fixture->menu.page, BOARD_MENU_CLOSED);
}

static void test_it_closes_after_ten_seconds(void **state)
{
    struct fixture *fixture = *state;
    fixture->now = UINT32_MAX - 5000; /* the clock may wrap */
    press_all(fixture, "mdc");
    assert_true(fixture->menu.editing);
    board_menu_pass(&fixture->menu, fixture->now + 9999);
    assert_int_equal(fixture->menu.page, BOARD_MENU_ROWS);
    board_menu_pass(&fixture->menu, fixture->now + 10000);
    assert_int_equal(fixture->menu.page, BOARD_MENU_CLOSED);
    assert_false(fixture->menu.editing);
    /* What is pressed then is pressed on a closed menu. */
    fixture->now += 20000;
    assert_int_equal(press(fixture, BOARD_KEY_DOWN, false).wish, BOARD_MENU_STEP);
}

static void test_a_patch_is_chosen_from_the_list(void **state)
{
    struct fixture *fixture = *state;
    press_all(fixture, "mc");
    assert_int_equal(fixture->menu.patch, 3);
    assert_true(shows(fixture, ">PATCH NUMBER 3 ") || shows(fixture, ">Patch number 3 "));
    press_all(fixture, "ddddddddd");
    assert_true(shows(fixture, "Patch number 12 "));
    assert_false(shows(fixture, "Patch number 13"));
    assert_false(shows(fixture, ".milk"));
    const struct board_menu_request request = press(fixture, BOARD_KEY_CHOOSE, false);
    assert_int_equal(request.wish, BOARD_MENU_LOAD);
    assert_int_equal(request.number, 12);
    assert_int_equal(fixture->menu.page, BOARD_MENU_PATCHES);
    /* Up from the first one is the last one, but not for a key that is held. */
    for (int i = 0; i < 20; i++) {
        (void)press(fixture, BOARD_KEY_UP, true);
    }
    assert_int_equal(fixture->menu.patch, 0);
    press_all(fixture, "u");
    assert_int_equal(fixture->menu.patch, PATCHES - 1);
    assert_true(shows(fixture, "Patch number 24 "));
    press_all(fixture, "m");
    assert_int_equal(fixture->menu.page, BOARD_MENU_ROWS);
}

static void test_a_value_is_changed(void **state)
{
    struct fixture *fixture = *state;
    press_all(fixture, "mdc");
    assert_true(shows(fixture, "100%"));
    const struct board_menu_request request = press(fixture, BOARD_KEY_DOWN, false);
    assert_int_equal(request.wish, BOARD_MENU_CHANGED);
    assert_int_equal(request.number, BOARD_SETTING_brightness);
    assert_int_equal(fixture->settings.brightness, 95);
    assert_true(shows(fixture, " 95%"));
    assert_int_equal(press(fixture, BOARD_KEY_UP, true).wish, BOARD_MENU_CHANGED);
    assert_int_equal(press(fixture, BOARD_KEY_UP, true).wish, BOARD_MENU_NOTHING);
    press_all(fixture, "cd");
    assert_int_equal(fixture->settings.brightness, 100);
    press_all(fixture, "l");
    assert_int_equal(fixture->settings.gain, 14);
    assert_true(shows(fixture, "21.0DB"));
    press_all(fixture, "dc");
    assert_int_equal(fixture->settings.auto_gain, 1);
    assert_false(fixture->menu.editing);
    char text[BOARD_PANEL_COLUMNS + 1];
    board_menu_write_setting(BOARD_SETTING_auto_gain, &fixture->settings, text, sizeof text);
    assert_string_equal(text, "GAIN BY ITSELF on");
}

/* The last rows, from the first one upwards: a program is replaced by the second press alone. */
static void test_saving_and_updating(void **state)
{
    struct fixture *fixture = *state;
    press_all(fixture, "mu");
    assert_int_equal(press(fixture, BOARD_KEY_CHOOSE, false).wish, BOARD_MENU_NOTHING);
    assert_true(shows(fixture, "2 AGAIN"));
    press_all(fixture, "m");
    assert_int_equal(fixture->menu.page, BOARD_MENU_ROWS);
    assert_int_equal(press(fixture, BOARD_KEY_CHOOSE, false).wish, BOARD_MENU_NOTHING);
    press_all(fixture, "ud");
    assert_int_equal(press(fixture, BOARD_KEY_CHOOSE, false).wish, BOARD_MENU_NOTHING);
    assert_int_equal(press(fixture, BOARD_KEY_CHOOSE, false).wish, BOARD_MENU_UPDATE);
    press_all(fixture, "u");
    assert_int_equal(press(fixture, BOARD_KEY_CHOOSE, false).wish, BOARD_MENU_SAVE);
    assert_int_equal(fixture->menu.page, BOARD_MENU_ROWS);
}

/* Names of any length and with any bytes, and a card that was pulled out. */
static void test_odd_names(void **state)
{
    struct fixture *fixture = *state;
    memset(fixture->names[4], 'x', sizeof fixture->names[4] - 1);
    memset(fixture->names[5], 0xFF, sizeof fixture->names[5] - 1);
    fixture->names[6][0] = '\0';
    (void)snprintf(fixture->names[7], sizeof fixture->names[7], ".fnp");
    press_all(fixture, "mc");
    check(fixture);
    fixture->facts.current = -1;
    press_all(fixture, "muuuc");
    assert_int_equal(fixture->menu.page, BOARD_MENU_STATUS);
    check(fixture);
    assert_true(shows(fixture, "Patch number 3 "));
    assert_true(shows(fixture, "NONE"));
    fixture->facts.address = 0xC0A8002A;
    assert_true(shows(fixture, "192.168.0.42"));
}

/* ---- what is drawn ---- */

enum { GUARD = 4, PIXELS = BOARD_PANEL_WIDTH * BOARD_PANEL_HEIGHT };

/* Every line with every letter in every look touches its own pixels and no others. */
static void test_lines_are_drawn_in_their_places(void **state)
{
    (void)state;
    uint16_t *memory = calloc(PIXELS + 2 * GUARD, sizeof *memory);
    assert_non_null(memory);
    uint16_t *panel = memory + GUARD;
    for (unsigned number = 0; number < BOARD_PANEL_LINES; number++) {
        for (unsigned first = 1; first < 256; first += BOARD_PANEL_COLUMNS - 1) {
            struct board_panel_line line = {.look = (uint8_t)(first % (BOARD_PANEL_LOOKS + 2)),
                                            .bar = (uint8_t)first};
            for (unsigned i = 0; i < BOARD_PANEL_COLUMNS; i++) {
                line.text[i] = (char)(first + i);
            }
            memset(memory, 0x5A, (PIXELS + 2 * GUARD) * sizeof *memory);
            board_panel_draw(panel, number, &line);
            const int begin = (int)number * BOARD_PANEL_LINE * BOARD_PANEL_WIDTH;
            const int end = begin + BOARD_PANEL_LINE * BOARD_PANEL_WIDTH;
            for (int i = -GUARD; i < PIXELS + GUARD; i++) {
                assert_int_equal(panel[i] != 0x5A5A, i >= begin && i < end);
            }
        }
    }
    free(memory);
}

/* As long as its number says. */
static void test_bars(void **state)
{
    (void)state;
    uint16_t *panel = calloc(PIXELS, sizeof *panel);
    int before = -1;
    assert_non_null(panel);
    for (uint8_t bar = 0; bar <= BOARD_PANEL_BAR; bar++) {
        const struct board_panel_line line = {.text = "", .bar = bar};
        int ink = 0;
        board_panel_draw(panel, 0, &line);
        for (int x = 0; x < BOARD_PANEL_WIDTH; x++) {
            ink += panel[BOARD_PANEL_LINE / 2 * BOARD_PANEL_WIDTH + x] != 0;
        }
        assert_true(ink > before);
        before = ink;
    }
    const struct board_panel_line line = {.text = "", .bar = BOARD_PANEL_NO_BAR};
    board_panel_draw(panel, 0, &line);
    for (int i = 0; i < BOARD_PANEL_LINE * BOARD_PANEL_WIDTH; i++) {
        assert_int_equal(panel[i], 0);
    }
    free(panel);
}

/* ---- keys ---- */

static char taken(struct board_keys *keys)
{
    static const char letters[] = "-udlrcm+*)([]0123456789";
    struct board_press pressed;
    return board_keys_take(keys, &pressed)
               ? (char)(letters[pressed.key] + (pressed.repeated ? 128 : 0))
               : '\0';
}

/* Pins as they bounce: five changes in 8 milliseconds at each press and release. */
static void test_bouncing_buttons_count_once(void **state)
{
    (void)state;
    struct board_keys keys = {0};
    uint32_t now = 1000;
    for (unsigned button = 0; button < 3; button++) {
        for (unsigned edge = 0; edge < 2; edge++) {
            for (unsigned i = 0; i < 5; i++, now += 2) {
                board_keys_buttons(&keys, ((edge + i) & 1) != 0 ? 0 : 1u << button, now);
            }
            for (unsigned i = 0; i < 5; i++, now += 40) {
                board_keys_buttons(&keys, edge != 0 ? 0 : 1u << button, now);
            }
        }
        assert_int_equal(taken(&keys), "ucd"[button]);
        assert_int_equal(taken(&keys), '\0');
    }
}

/* A short press is told when it ends, a long one while it lasts, and neither as the other. */
static void test_short_and_long(void **state)
{
    (void)state;
    struct board_keys keys = {0};
    board_keys_buttons(&keys, 2, 1000);
    board_keys_buttons(&keys, 2, 1000 + BOARD_PRESS_LONG - 1);
    assert_int_equal(taken(&keys), '\0');
    board_keys_buttons(&keys, 0, 1000 + BOARD_PRESS_LONG);
    assert_int_equal(taken(&keys), 'c');
    board_keys_buttons(&keys, 2, 5000);
    for (uint32_t now = 5000; now < 9000; now += 33) {
        board_keys_buttons(&keys, 2, now);
    }
    board_keys_buttons(&keys, 0, 9000);
    assert_int_equal(taken(&keys), 'm');
    assert_int_equal(taken(&keys), '\0');
}

static void test_a_held_button_repeats(void **state)
{
    (void)state;
    struct board_keys keys = {0};
    uint32_t presses = 0;
    for (uint32_t now = 1000; now < 3000; now += 10) {
        board_keys_buttons(&keys, 4, now);
        for (char key = taken(&keys); key != '\0'; key = taken(&keys)) {
            assert_int_equal(key, presses == 0 ? 'd' : (char)('d' + 128));
            presses++;
        }
    }
    assert_int_equal(presses, 1 + (2000 - BOARD_PRESS_REPEATS + BOARD_PRESS_EVERY - 1) / 120);
}

/* As the receiver gives a code in the timing of 36 kHz: the low nine bits inverted. */
static void test_remotes_of_both_timings(void **state)
{
    (void)state;
    static const struct {
        uint32_t command;
        char key;
    } rows[] = {{80, 'u'}, {81, 'd'}, {85, 'l'}, {86, 'r'}, {87, 'c'}, {82, 'm'},
                {32, '+'}, {33, '*'}, {16, ')'}, {17, '('}, {18, '['}, {19, ']'},
                {0, '0'},  {9, '9'},  {15, 'm'}, {53, 'c'}};
    struct board_keys keys = {0};
    uint32_t now = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t code =
            (rows[i].command < 64 ? 0x1000u : 0) | (rows[i].command & 63) | 5 << 6;
        for (uint32_t inverted = 0; inverted < 2; inverted++, now += 1000) {
            board_keys_remote(&keys, code ^ (inverted != 0 ? 0x1FF : 0), now);
            assert_int_equal(taken(&keys), rows[i].key);
            assert_int_equal(taken(&keys), '\0');
        }
    }
}

/* Nothing means something as it is and something else when it is inverted. */
static void test_no_command_is_ambiguous(void **state)
{
    (void)state;
    for (uint32_t command = 0; command < 128; command++) {
        assert_true(board_key_of(command) == BOARD_KEY_NONE ||
                    board_key_of(command ^ 63) == BOARD_KEY_NONE);
    }
}

/* The same code again is a key that is held; with the other toggle bit, or much later, it is a new
 * press. */
static void test_a_held_remote(void **state)
{
    (void)state;
    struct board_keys keys = {0};
    char heard[16];
    size_t count = 0;
    for (uint32_t now = 1000; now < 2000; now += 114) {
        board_keys_remote(&keys, 0x1020, now);
    }
    board_keys_remote(&keys, 0x1820, 2100);
    board_keys_remote(&keys, 0x1820, 3000);
    while ((heard[count] = taken(&keys)) != '\0') {
        count++;
    }
    assert_int_equal(count, 1 + 5 + 2);
    assert_int_equal(heard[0], '+');
    assert_int_equal(heard[1], (char)('+' + 128));
    assert_int_equal(heard[6], '+');
    assert_int_equal(heard[7], '+');
}

static void test_presses_that_nobody_takes_are_lost(void **state)
{
    (void)state;
    struct board_keys keys = {0};
    unsigned count = 0;
    for (uint32_t i = 0; i < 100; i++) {
        board_keys_remote(&keys, 0x1000 | (i & 1) << 11, 1000 * i);
    }
    while (taken(&keys) != '\0') {
        count++;
    }
    assert_int_equal(count, BOARD_PRESSES);
    board_keys_remote(&keys, 0x1001, 1000000);
    assert_int_equal(taken(&keys), '1');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_every_sequence_of_six, set_up),
        cmocka_unit_test_setup(test_a_million_random_presses, set_up),
        cmocka_unit_test_setup(test_closed_keys_are_those_of_the_show, set_up),
        cmocka_unit_test_setup(test_it_never_opens_while_it_is_locked, set_up),
        cmocka_unit_test_setup(test_it_closes_after_ten_seconds, set_up),
        cmocka_unit_test_setup(test_a_patch_is_chosen_from_the_list, set_up),
        cmocka_unit_test_setup(test_a_value_is_changed, set_up),
        cmocka_unit_test_setup(test_saving_and_updating, set_up),
        cmocka_unit_test_setup(test_odd_names, set_up),
        cmocka_unit_test(test_lines_are_drawn_in_their_places),
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_bouncing_buttons_count_once),
        cmocka_unit_test(test_short_and_long),
        cmocka_unit_test(test_a_held_button_repeats),
        cmocka_unit_test(test_remotes_of_both_timings),
        cmocka_unit_test(test_no_command_is_ambiguous),
        cmocka_unit_test(test_a_held_remote),
        cmocka_unit_test(test_presses_that_nobody_takes_are_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
