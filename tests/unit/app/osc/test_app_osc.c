#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/osc/address.h"
#include "app/osc/pattern.h"

/* A door with nothing at its other end but this test. */
static const struct app_source_way *const ways[APP_SOURCE_COUNT] = {NULL};

struct bench {
    struct app_door *door;
    struct app_inlet *inlet;
    struct app_osc *osc;
    double now;
    unsigned sent; /* answers */
    bool broken;   /* none can be sent */
    unsigned client;
    char address[APP_OSC_ADDRESS];
    char type;
    double number;
    char text[256];
    unsigned said;  /* to the operator */
    unsigned calls; /* what the show was given */
    struct engine_call call;
    unsigned sets;
    unsigned value;
    double set_to;
};

static bool send_answer(void *user, unsigned client, const char *address,
                        const struct app_osc_value *values, size_t count)
{
    struct bench *bench = user;
    assert_true(strlen(address) < sizeof bench->address);
    assert_true(count > 0);
    bench->sent++;
    bench->client = client;
    (void)snprintf(bench->address, sizeof bench->address, "%s", address);
    bench->type = values[0].type;
    bench->number = values[0].number;
    (void)snprintf(bench->text, sizeof bench->text, "%s",
                   values[0].text != NULL ? values[0].text : "");
    return !bench->broken;
}

static void say(void *user, const char *words)
{
    struct bench *bench = user;
    bench->said++;
    (void)snprintf(bench->text, sizeof bench->text, "%s", words);
}

static void obey(void *user, enum app_source source, const struct engine_call *call)
{
    struct bench *bench = user;
    assert_int_equal(source, APP_SOURCE_OSC);
    bench->calls++;
    bench->call = *call;
}

static void set(void *user, unsigned value, double number)
{
    struct bench *bench = user;
    bench->sets++;
    bench->value = value;
    bench->set_to = number;
}

static bool ready(void *user)
{
    (void)user;
    return true;
}

static void open_bench(struct bench *bench)
{
    struct app_options options;
    app_options_default(&options);
    *bench = (struct bench){.now = 100, .door = app_door_open(ways, &options, NULL)};
    assert_non_null(bench->door);
    bench->inlet = app_door_inlet(bench->door, APP_SOURCE_OSC);
    const struct app_osc_out out = {bench, send_answer, say};
    bench->osc = app_osc_create(bench->inlet, &out);
    assert_non_null(bench->osc);
}

static void close_bench(struct bench *bench)
{
    app_osc_free(bench->osc);
    app_door_close(bench->door);
}

static void take(struct bench *bench)
{
    const struct app_taker taker = {bench, obey, set, ready};
    app_door_take(bench->door, true, &taker);
}

static void hear(struct bench *bench, const char *address, const struct app_osc_value *value)
{
    app_osc_hear(bench->osc, 3, address, value, value != NULL, bench->now, bench->now);
    take(bench);
}

static struct app_osc_value number(double value)
{
    return (struct app_osc_value){'f', value, NULL};
}

static struct app_osc_value text(const char *value)
{
    return (struct app_osc_value){'s', 0, value};
}

/* The show publishes a frame. */
static void show(struct bench *bench, uint64_t frame)
{
    static struct app_seen seen;
    seen.frame = frame;
    seen.beats = 6;
    seen.beat_phase = 0.5;
    seen.bar_phase = 2.5 / 4;
    memcpy(seen.clock, "midi", sizeof "midi");
    seen.level[0] = 1.25;
    seen.preset = 12;
    (void)snprintf(seen.name, sizeof seen.name, "Some Preset");
    seen.held_count = 1;
    seen.held[0] = (struct rend_held){"q5", -3};
    (void)snprintf(seen.texts[APP_TEXT_TRANSITION], APP_TEXT_SIZE, "zoom");
    seen.values[UI_COMMAND_BLACKOUT] = 1;
    seen.values[UI_COMMAND_ADJUST_DECAY] = 0.75;
    app_door_show(bench->door, &seen);
}

static void every_command_and_value_has_an_address(void **state)
{
    (void)state;
    struct bench bench;
    struct app_value_row row;
    char address[APP_OSC_ADDRESS];
    open_bench(&bench);
    for (unsigned i = 1; i < UI_COMMAND_COUNT; i++) {
        const enum engine_argument argument = ui_command_rows[i].argument;
        const struct app_osc_value one =
            argument == ENGINE_ARGUMENT_TEXT || argument == ENGINE_ARGUMENT_MAYBE ? text("one")
                                                                                  : number(1);
        (void)snprintf(address, sizeof address, "/cmd/%s", ui_command_rows[i].name);
        bench.calls = bench.sets = 0;
        hear(&bench, address, &one);
        assert_int_equal(bench.calls + bench.sets, 1);
        assert_int_equal(bench.sets == 1 ? bench.value : bench.call.command, i);
    }
    for (unsigned i = 0; i < APP_VALUE_COUNT; i++) {
        if (app_value_row(i, &row)) {
            const struct app_osc_value one = number(1);
            (void)snprintf(address, sizeof address, "/value/%s", row.name);
            bench.sets = 0;
            hear(&bench, address, &one);
            assert_int_equal(bench.sets, 1);
            assert_int_equal(bench.value, i);
        }
    }
    assert_int_equal(bench.sent, 0);
    close_bench(&bench);
}

static void arguments_are_those_of_the_command(void **state)
{
    (void)state;
    static const struct {
        const char *address;
        struct app_osc_value value; /* type 0: none */
        bool called;
        enum engine_switch to;
        double number;
        bool absolute;
        const char *text;
    } cases[] = {
        {"/cmd/blackout", {'f', 1, NULL}, true, ENGINE_SWITCH_ON, 0, false, ""},
        {"/cmd/blackout", {'i', 0, NULL}, true, ENGINE_SWITCH_OFF, 0, false, ""},
        {"/cmd/blackout", {'F', 0, NULL}, true, ENGINE_SWITCH_OFF, 0, false, ""},
        {"/cmd/blackout", {'s', 0, "on"}, true, ENGINE_SWITCH_ON, 0, false, ""},
        {"/cmd/blackout", {0, 0, NULL}, true, ENGINE_SWITCH_OTHER, 0, false, ""},
        {"/cmd/blackout", {'s', 0, "maybe"}, false, 0, 0, false, ""},
        {"/cmd/next", {0, 0, NULL}, true, 0, 1, false, ""},
        {"/cmd/next", {'f', 2, NULL}, true, 0, 2, false, ""},
        {"/cmd/next", {'f', 0, NULL}, false, 0, 0, false, ""}, /* a button that is let go */
        {"/cmd/quit", {'f', 0, NULL}, false, 0, 0, false, ""},
        {"/cmd/quit", {'f', 1, NULL}, true, 0, 0, false, ""},
        {"/cmd/decay", {'s', 0, "=0.5"}, true, 0, 0.5, true, ""},
        {"/cmd/advance", {'i', 20, NULL}, true, 0, 20, true, ""},
        {"/cmd/advance", {'f', (double)NAN, NULL}, false, 0, 0, false, ""},
        {"/cmd/advance", {0, 0, NULL}, false, 0, 0, false, ""},
        {"/cmd/load", {'s', 0, "Corona"}, true, 0, 0, false, "Corona"},
        {"/cmd/load", {'i', 4, NULL}, true, 0, 0, false, "=4"},
        {"/cmd/load", {'s', 0, "/etc/passwd"}, false, 0, 0, false, ""},
        {"/cmd/save", {'s', 0, "../x.milk"}, false, 0, 0, false, ""},
        {"/cmd/NEXT", {'b', 0, NULL}, false, 0, 0, false, ""},
        {"/value/only", {'s', 0, "stars>=3"}, true, 0, 0, false, "stars>=3"},
        {"/value/only", {'f', 1, NULL}, false, 0, 0, false, ""},
        {"/value/playlist", {'s', 0, "/etc/passwd"}, false, 0, 0, false, ""},
        {"/preset", {'s', 0, "Corona"}, true, 0, 0, false, "Corona"},
        {"/preset", {'f', 1, NULL}, false, 0, 0, false, ""},
        {"/preset/index", {'i', 7, NULL}, true, 0, 0, false, "=7"},
        {"/preset/index", {'i', -7, NULL}, false, 0, 0, false, ""},
        {"/patch", {'i', 7, NULL}, true, 0, 0, false, "=7"},
        {"/var/q1", {'f', 0.5, NULL}, true, 0, 0, false, "q1 0.5"},
        {"/var/q1", {'s', 0, "x"}, false, 0, 0, false, ""},
        {"/var/", {'f', 0.5, NULL}, false, 0, 0, false, ""},
        {"/var/q1 1", {'f', 0.5, NULL}, false, 0, 0, false, ""},
        {"/free/q1", {0, 0, NULL}, true, 0, 0, false, "q1"},
        {"/free", {0, 0, NULL}, true, 0, 0, false, ""},
        {"/variable", {'i', 1, NULL}, false, 0, 0, false, ""},
        {"/midi", {'i', 176, NULL}, false, 0, 0, false, ""},
        {"/midi", {'m', 0x7F0000, NULL}, false, 0, 0, false, ""},
        {"/patch", {0, 0, NULL}, false, 0, 0, false, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench bench;
        open_bench(&bench);
        hear(&bench, cases[i].address, cases[i].value.type != 0 ? &cases[i].value : NULL);
        assert_int_equal(bench.calls + bench.sets, cases[i].called);
        if (bench.sets == 1) { /* it does not depend on what stands there */
            assert_true(app_value_call(bench.value, bench.set_to, &bench.call));
        }
        if (cases[i].called) {
            assert_int_equal(bench.call.to, cases[i].to);
            assert_true(bench.call.number == cases[i].number);
            assert_int_equal(bench.call.absolute, cases[i].absolute);
            assert_string_equal(bench.call.text, cases[i].text);
        }
        close_bench(&bench);
    }
}

static void what_is_asked_for_is_answered(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench);
    show(&bench, 1);
    hear(&bench, "/get/decay", NULL);
    assert_string_equal(bench.address, "/is/decay");
    assert_true(bench.type == 'f' && bench.number == 0.75);
    assert_int_equal(bench.client, 3);
    hear(&bench, "/value/blackout", NULL);
    assert_string_equal(bench.address, "/value/blackout");
    assert_true(bench.number == 1);
    hear(&bench, "/get/transition", NULL);
    assert_string_equal(bench.address, "/is/transition");
    assert_true(bench.type == 's');
    assert_string_equal(bench.text, "zoom");
    hear(&bench, "/value/transition", NULL);
    assert_string_equal(bench.address, "/value/transition");
    hear(&bench, "/preset", NULL);
    assert_string_equal(bench.address, "/preset");
    assert_string_equal(bench.text, "Some Preset");
    hear(&bench, "/get/preset/index", NULL);
    assert_true(bench.type == 'i' && bench.number == 12);
    hear(&bench, "/sound/bass", NULL);
    assert_true(bench.number == 1.25);
    hear(&bench, "/get/sound/bar", NULL);
    assert_true(bench.number == 2.5 / 4);
    hear(&bench, "/get/sound/clock", NULL);
    assert_string_equal(bench.text, "midi");
    hear(&bench, "/var/Q5", NULL);
    assert_true(strcmp(bench.address, "/var/Q5") == 0 && bench.number == -3);
    const struct app_osc_value pair[] = {{'i', 2, NULL}, {'f', 0.5, NULL}};
    app_osc_hear(bench.osc, 3, "/variable", pair, 2, bench.now, bench.now);
    take(&bench);
    assert_int_equal(bench.call.command, UI_COMMAND_HOLD);
    assert_string_equal(bench.call.text, "osc2 0.5");
    static const struct app_osc_value bytes[][3] = {
        {{'i', 176, NULL}, {'i', 16, NULL}, {'f', 64, NULL}},
        {{'i', 192, NULL}, {'i', 5, NULL}, {'i', 0, NULL}},
        {{'m', 0x903C64, NULL}},
        {{'i', 248, NULL}, {'i', 0, NULL}, {'i', 0, NULL}},
    };
    static const char *const said[] = {"176 16 64", "192 5", "144 60 100", "248"};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        app_osc_hear(bench.osc, 3, "/midi", bytes[i], i == 2 ? 1 : 3, bench.now, bench.now);
        take(&bench);
        assert_int_equal(bench.call.command, UI_COMMAND_MIDI);
        assert_string_equal(bench.call.text, said[i]);
    }
    const unsigned before = bench.sent;
    hear(&bench, "/list", NULL);
    assert_true(bench.sent - before > 150);
    assert_int_equal(app_inlet_counts(bench.inlet).refused, 0);
    hear(&bench, "/list", NULL);
    assert_string_equal(bench.address, "/error");
    close_bench(&bench);
}

static void what_is_wrong_is_told_once_a_second(void **state)
{
    (void)state;
    struct bench bench;
    char longest[4 * APP_OSC_ADDRESS];
    memset(longest, '/', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    const char *const wrong[] = {"/cmd/nxt", "/value/", "/get/nothing", "/", "x", "", longest};
    open_bench(&bench);
    for (int second = 1; second <= 3; second++) {
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            hear(&bench, wrong[i], NULL);
        }
        assert_int_equal(bench.sent, second);
        assert_string_equal(bench.address, "/error");
        bench.now += 1;
    }
    assert_int_equal(app_inlet_counts(bench.inlet).refused, 3 * sizeof wrong / sizeof *wrong);
    /* Another sender is told as well. */
    app_osc_hear(bench.osc, 4, "/x", NULL, 0, bench.now - 1, 0);
    assert_int_equal(bench.client, 4);
    assert_int_equal(bench.calls + bench.sets, 0);
    close_bench(&bench);
}

/* Runs for some seconds, with 60 frames in each. */
static unsigned run(struct bench *bench, double seconds)
{
    static uint64_t frame;
    const unsigned before = bench->sent;
    for (double end = bench->now + seconds; bench->now < end; bench->now += 1.0 / 240) {
        frame++;
        show(bench, 1 + frame / 4);
        app_osc_tick(bench->osc, bench->now);
    }
    return bench->sent - before;
}

static void subscriptions_come_as_often_as_asked_for_and_end(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench);
    struct app_osc_value rate = number(10);
    hear(&bench, "/sub/sound/bass", &rate);
    assert_true(app_osc_waits(bench.osc) && app_osc_subscribes(bench.osc, 3));
    const unsigned ten = run(&bench, 2);
    assert_in_range(ten, 19, 21);
    assert_string_equal(bench.address, "/is/sound/bass");
    rate.number = 1000; /* not more than there are frames */
    hear(&bench, "/sub/sound/bass", &rate);
    assert_in_range(run(&bench, 1), 55, 61);
    rate.number = 1;
    hear(&bench, "/sub/sound/bass", &rate);
    assert_in_range(run(&bench, 59), 57, 61);
    assert_true(app_osc_waits(bench.osc));
    (void)run(&bench, 2);
    assert_false(app_osc_waits(bench.osc));
    hear(&bench, "/sub/decay", &rate);
    rate.number = 0;
    hear(&bench, "/sub/decay", &rate);
    assert_false(app_osc_waits(bench.osc));
    /* One who cannot be reached has none. */
    rate.number = 5;
    hear(&bench, "/sub/decay", &rate);
    bench.broken = true;
    assert_int_equal(run(&bench, 1), 1);
    assert_false(app_osc_waits(bench.osc));
    close_bench(&bench);
}

static void subscriptions_have_a_bound(void **state)
{
    (void)state;
    struct bench bench;
    char address[APP_OSC_ADDRESS];
    unsigned asked = 0;
    const struct app_osc_value rate = number(1);
    open_bench(&bench);
    for (size_t i = 0; i < PRESET_KEYS; i++) {
        (void)snprintf(address, sizeof address, "/sub/%s", preset_keys[i].key);
        hear(&bench, address, &rate);
        asked++;
    }
    assert_true(asked > APP_OSC_SUBSCRIPTIONS);
    assert_string_equal(bench.address, "/error");
    app_osc_forget(bench.osc, 3);
    assert_false(app_osc_waits(bench.osc));
    close_bench(&bench);
}

static void messages_of_a_bundle_wait_for_their_time(void **state)
{
    (void)state;
    struct bench bench;
    const struct app_osc_value half = number(0.5);
    const struct app_osc_value three = number(3);
    open_bench(&bench);
    app_osc_hear(bench.osc, 3, "/value/decay", &half, 1, bench.now, bench.now + 2);
    app_osc_hear(bench.osc, 3, "/cmd/next", &three, 1, bench.now, bench.now + 1);
    app_osc_hear(bench.osc, 3, "/cmd/cut", NULL, 0, bench.now, bench.now + 1);
    assert_true(app_osc_waits(bench.osc));
    app_osc_tick(bench.osc, bench.now + 0.99);
    take(&bench);
    assert_int_equal(bench.calls + bench.sets, 0);
    app_osc_tick(bench.osc, bench.now + 1);
    take(&bench);
    assert_int_equal(bench.calls, 2);
    assert_int_equal(bench.call.command, UI_COMMAND_CUT); /* the last one */
    app_osc_tick(bench.osc, bench.now + 2);
    take(&bench);
    assert_int_equal(bench.sets, 1);
    assert_false(app_osc_waits(bench.osc));
    /* What is over is at once; what is too far or too much is told. */
    app_osc_hear(bench.osc, 3, "/cmd/cut", NULL, 0, bench.now, bench.now - 5);
    take(&bench);
    assert_int_equal(bench.calls, 3);
    app_osc_hear(bench.osc, 3, "/cmd/cut", NULL, 0, bench.now, bench.now + APP_OSC_AHEAD + 1);
    assert_int_equal(bench.sent, 1);
    for (unsigned i = 0; i <= APP_OSC_LATER; i++) {
        assert_int_equal(app_inlet_counts(bench.inlet).refused, 1);
        app_osc_hear(bench.osc, 3, "/cmd/cut", NULL, 0, bench.now, bench.now + 1);
    }
    assert_int_equal(app_inlet_counts(bench.inlet).refused, 2);
    close_bench(&bench);
}

static void a_pattern_fits_what_it_says(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        const char *address;
        bool fits;
    } cases[] = {
        {"/a", "/a", true},
        {"/a", "/ab", false},
        {"/a?", "/ab", true},
        {"/a?", "/a", false},
        {"/?", "/", false},
        {"/a?b", "/a/b", false},
        {"/*", "/", true},
        {"/*", "/abc", true},
        {"/*", "/a/b", false},
        {"/*/*", "/a/b", true},
        {"/a*c", "/abcbc", true},
        {"/a*c", "/abcb", false},
        {"/*a*a*a*a*", "/aaaa", true},
        {"/*a*a*a*a*", "/aaa", false},
        {"/[ab]", "/b", true},
        {"/[a-c]x", "/cx", true},
        {"/[a-c]", "/d", false},
        {"/[!a-c]", "/d", true},
        {"/[!a-c]", "/a", false},
        {"/[!a]b", "//b", false},
        {"/[a-]", "/-", true},
        {"/[]", "/]", false},
        {"/{one,two}", "/two", true},
        {"/{one,two}", "/three", false},
        {"/{one,two}/x", "/one/x", true},
        {"/{a,ab}c", "/abc", true},
        {"/{,a}b", "/b", true},
        {"/{a*,b}", "/ac", false}, /* as it stands there */
        {"/{a*,b}", "/a*", true},
        {"/{a{b}", "/a{b", true},
        {"/{a}{b,c}", "/ac", true},
        {"/]}", "/]}", true},
        {"/a,b", "/a,b", true},
    };
    struct app_osc_pattern pattern;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(app_osc_pattern_read(&pattern, cases[i].pattern));
        if (app_osc_pattern_fits(&pattern, cases[i].address) != cases[i].fits) {
            fail_msg("%s and %s", cases[i].pattern, cases[i].address);
        }
    }
    assert_false(app_osc_pattern_read(&pattern, "/[a"));
    assert_false(app_osc_pattern_read(&pattern, "/{a,b"));
    char longest[APP_OSC_PATTERN + 2];
    memset(longest, '*', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_false(app_osc_pattern_read(&pattern, longest));
    longest[APP_OSC_PATTERN] = '\0';
    assert_true(app_osc_pattern_read(&pattern, longest));
    assert_true(app_osc_pattern_fits(&pattern, "aaa"));
}

static void a_pattern_is_each_address_that_it_fits(void **state)
{
    (void)state;
    struct bench bench;
    const struct app_osc_value half = number(0.5);
    open_bench(&bench);
    show(&bench, 1);
    hear(&bench, "/value/{zoom,warp,rotate}", &half);
    assert_int_equal(bench.sets, 3);
    hear(&bench, "/cmd/{next,previous,nothing}", NULL);
    assert_int_equal(bench.calls, 2);
    hear(&bench, "/cmd/[uo]ndo", NULL);
    assert_int_equal(bench.calls, 3);
    assert_int_equal(bench.call.command, UI_COMMAND_UNDO);
    hear(&bench, "/get/sound/*_att", NULL);
    assert_int_equal(bench.sent, 3);
    assert_string_equal(bench.address, "/is/sound/treb_att");
    hear(&bench, "/free/q?", NULL);
    assert_int_equal(bench.call.command, UI_COMMAND_FREE);
    assert_string_equal(bench.call.text, "q5");
    hear(&bench, "/sub/sound/b*", &half);
    assert_true(app_osc_subscribes(bench.osc, 3));
    assert_int_equal(app_inlet_counts(bench.inlet).refused, 0);
    /* Nothing is done where there is too much, or nothing, to do. */
    bench.calls = bench.sets = 0;
    hear(&bench, "/cmd/*", NULL);
    hear(&bench, "/*/*", NULL);
    hear(&bench, "/cmd/nothing*", NULL);
    hear(&bench, "/cmd/{next", NULL);
    assert_int_equal(bench.calls + bench.sets, 0);
    assert_int_equal(app_inlet_counts(bench.inlet).refused, 4);
    /* What fits and is wrong is counted for each. */
    hear(&bench, "/cmd/{advance,blend}", NULL);
    assert_int_equal(app_inlet_counts(bench.inlet).refused, 6);
    /* A flood of the dearest patterns ends with its second. */
    for (int i = 0; i < 2 * APP_OSC_PATTERNS; i++) {
        hear(&bench, "/value/{zoom,warp}", &half);
    }
    assert_in_range(bench.sets, APP_OSC_PATTERNS, 2 * APP_OSC_PATTERNS);
    bench.now += 1;
    bench.sets = 0;
    hear(&bench, "/value/zo*", &half);
    assert_int_equal(bench.sets, 1);
    close_bench(&bench);
}

static void a_text_is_for_the_operator(void **state)
{
    (void)state;
    struct bench bench;
    const struct app_osc_value words = text("the singer is late");
    const struct app_osc_value one = number(1);
    open_bench(&bench);
    for (int i = 0; i < 3 * APP_OSC_SAID; i++) {
        hear(&bench, "/osd", &words);
    }
    assert_int_equal(bench.said, APP_OSC_SAID);
    bench.now += 1;
    bench.text[0] = '\0';
    hear(&bench, "/osd", &words);
    assert_string_equal(bench.text, "the singer is late");
    assert_int_equal(bench.calls + bench.sets, 0);
    hear(&bench, "/osd", &one);
    hear(&bench, "/osd", NULL);
    assert_int_equal(bench.said, APP_OSC_SAID + 1);
    close_bench(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_and_value_has_an_address),
        cmocka_unit_test(arguments_are_those_of_the_command),
        cmocka_unit_test(what_is_asked_for_is_answered),
        cmocka_unit_test(what_is_wrong_is_told_once_a_second),
        cmocka_unit_test(subscriptions_come_as_often_as_asked_for_and_end),
        cmocka_unit_test(subscriptions_have_a_bound),
        cmocka_unit_test(a_pattern_fits_what_it_says),
        cmocka_unit_test(a_pattern_is_each_address_that_it_fits),
        cmocka_unit_test(a_text_is_for_the_operator),
        cmocka_unit_test(messages_of_a_bundle_wait_for_their_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
