/* Which presets a rendering shows, and for how long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/render/film.h"
#include "base/os/file.h"

enum { FPS = 10, INPUTS = 4, TURNS = 16 };

static char root[64];

static void put(const char *name, const char *text)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(base_file_save(path, text, strlen(text)), 0);
}

static int make(void **state)
{
    (void)state;
    (void)snprintf(root, sizeof root, "/tmp/froth-order-XXXXXX");
    assert_non_null(mkdtemp(root));
    put("a.milk", "[preset00]\n");
    put("b.milk", "[preset00]\n");
    put("folder/c.milk", "[preset00]\n");
    put("folder/d.milk", "[preset00]\n");
    put("plain.m3u", "b.milk\na.milk\n");
    put("timed.yaml", "- preset: a.milk\n  seconds: 2\n  transition: wipe\n"
                      "- b.milk\n- preset: folder/c.milk\n  seconds: 3\n  transition: cut\n");
    put("fixed.yaml", "- preset: a.milk\n  seconds: 2\n- preset: b.milk\n  seconds: 1\n");
    put("faulty.yaml", "- none.milk\n- preset: b.milk\n  transition: sneeze\n- folder\n");
    put("song.FLAC", "");
    return 0;
}

static int clear(void **state)
{
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

/* Opens the order of names in the folder, with blanks between. */
static int start_as(struct app_running_order *order, const struct app_options *asked,
                    const char *names, uint64_t frames, struct base_diag_list *messages)
{
    static char paths[INPUTS][128];
    static const char *inputs[INPUTS];
    struct app_options options = *asked;
    options.inputs = inputs;
    const struct base_diag_sink sink = base_diag_list_sink(messages);
    struct base_span rest = base_span_of(names);
    memset(messages, 0, sizeof *messages);
    for (struct base_span name = base_span_next_word(&rest); name.size > 0;
         name = base_span_next_word(&rest)) {
        char *path = paths[options.input_count];
        (void)snprintf(path, sizeof paths[0], "%s/%.*s", root, (int)name.size, name.data);
        inputs[options.input_count++] = path;
    }
    return app_running_order_open(order, &options, (struct engine_rate){FPS, 1}, frames, &sink);
}

static int start(struct app_running_order *order, const char *names, uint64_t frames,
                 struct base_diag_list *messages)
{
    struct app_options options;
    app_options_default(&options);
    return start_as(order, &options, names, frames, messages);
}

/* As "NAME FRAMES TRANSITION, ..." until the frames are used up; those named in `refused` are not
 * shown. */
static void tell(struct app_running_order *order, const char *refused, char *text, size_t size)
{
    uint64_t frame = 0;
    struct app_turn turn;
    text[0] = '\0';
    for (int i = 0; i < TURNS && frame < order->frames; i++) {
        if (!app_running_order_next(order, frame, &turn)) {
            break;
        }
        const char *name = strrchr(turn.path, '/') + 1;
        const bool shown = strchr(refused, name[0]) == NULL;
        const size_t used = strlen(text);
        if (shown) {
            (void)snprintf(text + used, size - used, "%s%c%d%s", used > 0 ? " " : "", name[0],
                           (int)turn.frames, turn.transition);
            frame += turn.frames;
        }
    }
}

static void test_orders(void **state)
{
    (void)state;
    static const struct {
        const char *names;
        uint64_t frames;
        const char *refused;
        const char *turns;
    } cases[] = {
        {"a.milk", 7, "", "a7"},
        {"a.milk b.milk folder", 10, "", "a2 b2 c3 d3"},
        {"a.milk b.milk folder", 3, "", "a1 b1 c1"},
        {"a.milk b.milk folder", 9, "b", "a2 c3 d4"},
        {"a.milk b.milk", 10, "ab", ""},
        {"plain.m3u folder", 8, "", "b2 a2 c2 d2"},
        {"timed.yaml", 100, "", "a20wipe b50 c30cut"},
        {"timed.yaml b.milk", 100, "", "a20wipe b25 c30cut b25"},
        {"timed.yaml", 40, "", "a20wipe b10 c30cut"},
        {"timed.yaml", 10, "", "a20wipe"},
        {"fixed.yaml", 70, "", "a20 b10 a20 b10 a20"},
        {"fixed.yaml", 50, "a", "b10 b10 b10 b10 b10"},
        {"fixed.yaml", 50, "ab", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct app_running_order order;
        struct base_diag_list messages;
        char text[256];
        assert_int_equal(start(&order, cases[i].names, cases[i].frames, &messages), 0);
        assert_int_equal(messages.count, 0);
        tell(&order, cases[i].refused, text, sizeof text);
        assert_string_equal(text, cases[i].turns);
        app_running_order_close(&order);
    }
}

/* --advance: all come again, those of a playlist for as long as that says. */
static void test_each_is_shown_so_long(void **state)
{
    static const struct {
        const char *names;
        double advance;
        uint64_t frames;
        const char *refused;
        const char *turns;
    } cases[] = {
        {"a.milk", 0.5, 12, "", "a5 a5 a5"},
        {"a.milk b.milk folder", 0.5, 30, "", "a5 b5 c5 d5 a5 b5"},
        {"a.milk b.milk folder", 2, 30, "", "a20 b20"},
        {"a.milk b.milk folder", 0.5, 22, "bc", "a5 d5 a5 d5 a5"},
        {"timed.yaml", 1, 90, "", "a20wipe b10 c30cut a20wipe b10"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct app_running_order order;
        struct base_diag_list messages;
        struct app_options options;
        char text[256];
        app_options_default(&options);
        options.advance = cases[i].advance;
        assert_int_equal(start_as(&order, &options, cases[i].names, cases[i].frames, &messages), 0);
        tell(&order, cases[i].refused, text, sizeof text);
        assert_string_equal(text, cases[i].turns);
        app_running_order_close(&order);
    }
}

/* --order random: each round has all of them, none comes before half of the others were shown, the
 * same seed has the same order, and a place in it is found again. */
static void test_chance(void **state)
{
    enum { PRESETS = 4, ROUNDS = 50, SEEDS = 8 };
    size_t different = 0;
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct app_running_order order[2];
        struct base_diag_list messages;
        struct app_options options;
        char shown[PRESETS * ROUNDS];
        app_options_default(&options);
        options.advance = 0.1;
        options.order = "random";
        options.seed = seed;
        for (size_t k = 0; k < 2; k++) {
            assert_int_equal(
                start_as(&order[k], &options, "a.milk b.milk folder", PRESETS * ROUNDS, &messages),
                0);
        }
        for (uint64_t i = 0; i < PRESETS * ROUNDS; i++) {
            struct app_turn turn;
            struct app_turn again;
            assert_true(app_running_order_next(&order[0], i, &turn));
            assert_int_equal(app_running_order_turns(&order[0]), i + 1);
            assert_true(app_running_order_turn(&order[1], i));
            assert_true(app_running_order_next(&order[1], i, &again));
            assert_string_equal(turn.path, again.path);
            shown[i] = strrchr(turn.path, '/')[1];
            for (uint64_t back = 1; back <= (PRESETS - 1) / 2 && back <= i; back++) {
                assert_true(shown[i] != shown[i - back]);
            }
            if (i % PRESETS == PRESETS - 1) {
                for (char name = 'a'; name <= 'd'; name++) {
                    assert_non_null(memchr(shown + i + 1 - PRESETS, name, PRESETS));
                }
            }
        }
        different += memcmp(shown, "abcd", PRESETS) != 0;
        app_running_order_close(&order[0]);
        app_running_order_close(&order[1]);
    }
    assert_true(different >= SEEDS / 2);
}

/* Without --advance each of them shares the film, in an order by chance. */
static void test_chance_of_shares(void **state)
{
    struct app_running_order order;
    struct base_diag_list messages;
    struct app_options options;
    char text[256];
    (void)state;
    app_options_default(&options);
    options.order = "random";
    options.seed = 3;
    assert_int_equal(start_as(&order, &options, "a.milk b.milk folder", 40, &messages), 0);
    tell(&order, "", text, sizeof text);
    assert_int_equal(strlen(text), strlen("a10 b10 c10 d10"));
    for (const char *name = "abcd"; *name != '\0'; name++) {
        assert_non_null(strchr(text, *name));
    }
    assert_false(app_running_order_turn(&order, 5));
    app_running_order_close(&order);
}

static void test_what_is_not_there(void **state)
{
    (void)state;
    struct app_running_order order;
    struct base_diag_list messages;
    char text[256];
    assert_int_equal(start(&order, "none.milk faulty.yaml none.yaml", 10, &messages), 0);
    assert_int_equal(messages.by_severity[BASE_ERROR], 2);
    assert_int_equal(messages.by_severity[BASE_WARNING], 3);
    tell(&order, "", text, sizeof text);
    assert_string_equal(text, "b10");
    app_running_order_close(&order);
    assert_int_equal(start(&order, "none.milk", 10, &messages), -1);
    assert_int_equal(messages.by_severity[BASE_ERROR], 2);
    app_running_order_close(&order);
}

static void test_a_sound_is_no_preset(void **state)
{
    (void)state;
    struct app_running_order order;
    struct base_diag_list messages;
    assert_int_equal(start(&order, "a.milk song.FLAC", 10, &messages), -1);
    assert_int_equal(messages.count, 1);
    assert_string_equal(messages.items[0].hint, "give it with --audio");
    app_running_order_close(&order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_each_is_shown_so_long),
        cmocka_unit_test(test_chance),
        cmocka_unit_test(test_chance_of_shares),
        cmocka_unit_test(test_what_is_not_there),
        cmocka_unit_test(test_a_sound_is_no_preset),
    };
    return cmocka_run_group_tests(tests, make, clear);
}
