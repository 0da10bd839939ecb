#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/remote/client.h"

/* A door with nothing at its other end but this test. */
static const struct app_source_way *const ways[APP_SOURCE_COUNT] = {NULL};

struct bench {
    struct app_door *door;
    struct app_remote_show show;
    struct app_remote_client client;
    unsigned calls; /* what the show was given */
    struct engine_call call;
    unsigned sets;
    unsigned value;
    double set_to;
    char *told;
    double now;
};

static void obey(void *user, enum app_source source, const struct engine_call *call)
{
    struct bench *bench = user;
    assert_int_equal(source, APP_SOURCE_REMOTE);
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
    *bench = (struct bench){.door = app_door_open(ways, &options, NULL), .now = 100};
    assert_non_null(bench->door);
    bench->show = (struct app_remote_show){
        .inlet = app_door_inlet(bench->door, APP_SOURCE_REMOTE), .width = 640, .height = 480};
    app_remote_client_begin(&bench->client, bench->now);
}

static void close_bench(struct bench *bench)
{
    free(bench->told);
    app_door_close(bench->door);
}

static uint64_t refused(const struct bench *bench)
{
    return app_inlet_counts(bench->show.inlet).refused;
}

static void hear(struct bench *bench, const char *line)
{
    const struct app_taker taker = {bench, obey, set, ready};
    app_remote_client_hear(&bench->client, &bench->show, base_span_of(line), bench->now);
    app_door_take(bench->door, true, &taker);
}

/* The next thing that is told; empty: nothing. */
static const char *tell(struct bench *bench)
{
    size_t size = 0;
    free(bench->told);
    bench->told = NULL;
    const bool waits = app_remote_client_waits(&bench->client, &bench->show, bench->now);
    FILE *out = open_memstream(&bench->told, &size);
    assert_non_null(out);
    app_remote_client_tell(&bench->client, &bench->show, out, bench->now);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(waits, size > 0);
    return bench->told;
}

static void show_frame(struct bench *bench, uint64_t frame)
{
    struct app_seen seen = {.frame = frame, .preset = 7, .name = "a \"preset\"", .bpm = 120};
    seen.values[UI_COMMAND_BLACKOUT] = 1;
    seen.values[app_value_by_name(base_span_of("zoom"))] = (double)frame + 1e-4;
    app_door_show(bench->door, &seen);
    (void)app_remote_show_look(&bench->show, bench->now);
}

static void commands(void **state)
{
    struct bench whole;
    struct bench *bench = &whole;
    (void)state;
    open_bench(bench);
    hear(bench, "call next");
    assert_int_equal(bench->calls, 1);
    assert_int_equal(bench->call.command, UI_COMMAND_NEXT);
    hear(bench, "call blackout on");
    assert_int_equal(bench->call.to, ENGINE_SWITCH_ON);
    hear(bench, "call load =12");
    assert_int_equal(bench->call.command, UI_COMMAND_LOAD);
    assert_string_equal(bench->call.text, "=12");
    assert_int_equal(bench->calls, 3);
    assert_int_equal(refused(bench), 0);
    static const char *const wrong[] = {"call quit",
                                        "call load /etc/passwd",
                                        "call load one",
                                        "call load =",
                                        "call load =1 2",
                                        "call save x",
                                        "call screenshot",
                                        "call playlist ../x",
                                        "call nothing",
                                        "call",
                                        "call next x",
                                        "call device",
                                        "call edit",
                                        "call unpair",
                                        "next",
                                        "",
                                        " ",
                                        "CALL next",
                                        "call\tnext",
                                        "call next\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hear(bench, wrong[i]);
        if (refused(bench) != i + 1) {
            fail_msg("taken: %s", wrong[i]);
        }
    }
    assert_int_equal(bench->calls, 3);
    assert_int_equal(bench->sets, 0);
    close_bench(bench);
}

static void values(void **state)
{
    struct bench whole;
    struct bench *bench = &whole;
    (void)state;
    open_bench(bench);
    hear(bench, "value zoom 1.25");
    assert_int_equal(bench->sets, 1);
    assert_int_equal(bench->value, app_value_by_name(base_span_of("zoom")));
    assert_true(bench->set_to == 1.25);
    hear(bench, "value fWaveScale -2e1");
    assert_int_equal(bench->sets, 2);
    assert_true(bench->set_to == -20);
    static const char *const wrong[] = {"value zoom",       "value zoom x",       "value zoom 1 2",
                                        "value zoom nan",   "value zoom 0x10",    "value zoom inf",
                                        "value nothing 1",  "value fullscreen 1", "value",
                                        "value operator 1", "value zoom 1e999",   "value next 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hear(bench, wrong[i]);
        if (refused(bench) != i + 1) {
            fail_msg("taken: %s", wrong[i]);
        }
    }
    assert_int_equal(bench->sets, 2);
    close_bench(bench);
}

/* What a network kept back is not done when it comes at last. */
static void late(void **state)
{
    struct bench whole;
    struct bench *bench = &whole;
    (void)state;
    open_bench(bench);
    hear(bench, "@99 call next");
    hear(bench, "@97.5 value zoom 1.25");
    assert_int_equal(bench->calls, 1);
    assert_int_equal(bench->sets, 1);
    hear(bench, "@96.9 call next");
    hear(bench, "@0 value zoom 1.5");
    assert_int_equal(bench->calls, 1);
    assert_int_equal(bench->sets, 1);
    assert_int_equal(refused(bench), 2);
    (void)tell(bench);
    assert_string_equal(tell(bench), "{\"note\":\"it came too late\"}");
    close_bench(bench);
}

static void lines(void **state)
{
    struct app_remote_line line;
    char longest[APP_REMOTE_LINE + 2];
    (void)state;
    assert_null(app_remote_read(&line, base_span_of("list 5 500  two words ")));
    assert_int_equal(line.kind, APP_REMOTE_LIST);
    assert_int_equal(line.ask.from, 5);
    assert_int_equal(line.ask.count, APP_REMOTE_ENTRIES);
    assert_string_equal(line.ask.search, "two words ");
    assert_null(app_remote_read(&line, base_span_of("list 1e6 1")));
    assert_int_equal(line.ask.from, APP_REMOTE_FROM);
    assert_string_equal(line.ask.search, "");
    assert_null(app_remote_read(&line, base_span_of("where x")));
    assert_string_equal(line.ask.search, "x");
    assert_null(app_remote_read(&line, base_span_of("watch 0")));
    assert_false(line.on);
    assert_false(line.dated);
    assert_null(app_remote_read(&line, base_span_of("@12.5 watch 1")));
    assert_true(line.on);
    assert_true(line.dated && line.seen == 12.5);
    static const char *const wrong[] = {"list",  "list 1",   "list -1 5",  "list 1 0",   "list a 5",
                                        "watch", "watch 2",  "values x",   "list 1 nan", "@",
                                        "@1",    "@x where", "@nan where", "@1 @2 where"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_non_null(app_remote_read(&line, base_span_of(wrong[i])));
    }
    memset(longest, 'x', sizeof longest);
    memcpy(longest, "where ", 6);
    assert_non_null(app_remote_read(&line, (struct base_span){longest, 6 + APP_REMOTE_SEARCH}));
    assert_null(app_remote_read(&line, (struct base_span){longest, 5 + APP_REMOTE_SEARCH}));
    assert_int_equal(strlen(line.ask.search), APP_REMOTE_SEARCH - 1);
    assert_non_null(app_remote_read(&line, (struct base_span){longest, APP_REMOTE_LINE + 1}));
}

static void told(void **state)
{
    struct bench whole;
    struct bench *bench = &whole;
    (void)state;
    open_bench(bench);
    assert_memory_equal(tell(bench), "{\"hello\":{\"version\":\"", 21);
    assert_non_null(strstr(bench->told, "\",\"size\":[640,480]}}"));
    assert_non_null(strstr(tell(bench), "{\"state\":{\"now\":100.000,\"preset\":null,"));
    assert_string_equal(tell(bench), "");
    show_frame(bench, 1);
    assert_string_equal(tell(bench), ""); /* not yet */
    bench->now += 0.06;
    assert_non_null(strstr(tell(bench), "\"preset\":7,\"name\":\"a \\\"preset\\\"\","));
    assert_non_null(strstr(bench->told, "\"bpm\":120.000"));
    assert_non_null(strstr(bench->told, "\"blackout\":1.000"));
    assert_non_null(strstr(bench->told, "\"zoom\":1.0001"));
    bench->now += 0.06;
    assert_string_equal(tell(bench), ""); /* the same frame */
    show_frame(bench, 2);
    assert_non_null(strstr(tell(bench), "\"values\":{\"zoom\":2.0001}")); /* only what changed */
    bench->now += 0.9;
    assert_string_equal(tell(bench), "");
    bench->now += 0.2;
    assert_non_null(strstr(tell(bench), "\"values\":{}}")); /* that there is somebody */
    hear(bench, "watch 0");
    bench->now += 10;
    show_frame(bench, 3);
    assert_string_equal(tell(bench), "");
    hear(bench, "watch 1");
    assert_non_null(strstr(tell(bench), "\"blackout\":1,")); /* all of it */
    assert_non_null(strstr(bench->told, "\"zoom\":3.0001"));
    hear(bench, "call quit");
    assert_string_equal(tell(bench), "{\"note\":\"it ends the show\"}");
    hear(bench, "values");
    assert_non_null(strstr(tell(bench), "{\"name\":\"zoom\",\"help\":"));
    assert_null(strstr(bench->told, "\"fullscreen\""));
    app_remote_client_changed(&bench->client);
    app_remote_client_changed(&bench->client);
    assert_string_equal(tell(bench), "{\"changed\":true}");
    assert_string_equal(tell(bench), "");
    close_bench(bench);
}

/* What a page is told does not pile up. */
static void little_waits(void **state)
{
    struct bench whole;
    struct bench *bench = &whole;
    (void)state;
    open_bench(bench);
    hear(bench, "list 0 10"); /* without a library */
    assert_int_equal(bench->client.count, 0);
    assert_non_null(bench->client.note);
    unsigned taken = 0;
    while (app_remote_client_ready(&bench->client, bench->now)) {
        hear(bench, "values");
        taken++;
    }
    assert_int_equal(taken, APP_REMOTE_ONCE - 1);
    bench->now += 0.5;
    for (taken = 0; app_remote_client_ready(&bench->client, bench->now); taken++) {
        hear(bench, "values");
    }
    assert_in_range(taken, APP_REMOTE_RATE / 2 - 1, APP_REMOTE_RATE / 2 + 1);
    unsigned parts = 0;
    while (tell(bench)[0] != '\0') {
        parts++;
    }
    assert_int_equal(parts, 4); /* hello, note, state, values */
    close_bench(bench);
}

/* Every command of the window's own is decided on. */
static void permissions(void **state)
{
    static const unsigned rows[] = {
#define APP_REMOTE_MAY(id, takes)   UI_COMMAND_##id,
#define APP_REMOTE_MAY_NOT(id, why) UI_COMMAND_##id,
#include "app/remote/commands.def"
    };
    (void)state;
    for (unsigned i = UI_COMMAND_OWN_FIRST; i < UI_COMMAND_COUNT; i++) {
        unsigned times = 0;
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            times += rows[k] == i;
        }
        if (times != 1) {
            fail_msg("%s needs a row of app/remote/commands.def", ui_command_rows[i].name);
        }
    }
    assert_null(app_remote_refuses(UI_COMMAND_NEXT));
    assert_non_null(app_remote_refuses(UI_COMMAND_NONE));
    assert_non_null(app_remote_refuses(UI_COMMAND_COUNT));
    assert_false(app_remote_sets(0));
    assert_false(app_remote_sets(APP_VALUE_COUNT));
    assert_false(app_remote_sets(UI_COMMAND_FULLSCREEN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands),    cmocka_unit_test(values), cmocka_unit_test(late),
        cmocka_unit_test(lines),       cmocka_unit_test(told),   cmocka_unit_test(little_waits),
        cmocka_unit_test(permissions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
