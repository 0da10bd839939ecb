#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "app/control/control.h"
#include "presets/file.h"

/* ---- values ---- */

static void every_value_has_a_name_of_its_own(void **state)
{
    (void)state;
    struct app_value_row row;
    unsigned commands = 0;
    unsigned keys = 0;
    for (unsigned i = 0; i < APP_VALUE_COUNT; i++) {
        if (!app_value_row(i, &row)) {
            assert_string_equal(row.name, "");
            continue;
        }
        assert_int_equal(app_value_by_name(base_span_of(row.name)), i);
        assert_true(row.help[0] != '\0');
        assert_true(row.low < row.high);
        assert_true(!row.is_switch || (row.low == 0 && row.high == 1));
        commands += i < APP_VALUE_KEYS;
        keys += i >= APP_VALUE_KEYS;
    }
    assert_true(commands >= 30 && keys >= 30);
    assert_false(app_value_row(0, &row));
    assert_false(app_value_row(APP_VALUE_COUNT, &row));
    assert_int_equal(app_value_by_name(base_span_of("next")), 0);
    assert_int_equal(app_value_by_name(base_span_of("")), 0);
    assert_int_equal(app_value_by_name(base_span_of("BLACKOUT")), UI_COMMAND_BLACKOUT);
    assert_int_equal(app_value_by_name(base_span_of("fullscreen")), UI_COMMAND_FULLSCREEN);
    char hint[96];
    app_value_hint("zoooom", hint, sizeof hint);
    assert_string_equal(hint, "did you mean zoom?");
    app_value_hint("fDecya", hint, sizeof hint);
    assert_string_equal(hint, "did you mean fDecay?");
    app_value_hint("nothing like it", hint, sizeof hint);
    assert_string_equal(hint, "a command that sets a number, or a key of a .milk file");
}

/* A command that sets a text is read by its name, which is no value's. */
static void every_text_has_a_command(void **state)
{
    (void)state;
    for (unsigned i = 0; i < APP_TEXT_COUNT; i++) {
        const struct ui_command_row *command = &ui_command_rows[app_text_rows[i].command];
        assert_true(command->argument == ENGINE_ARGUMENT_TEXT ||
                    command->argument == ENGINE_ARGUMENT_MAYBE);
        assert_int_equal(app_text_by_name(base_span_of(command->name)), i);
        assert_int_equal(app_value_by_name(base_span_of(command->name)), 0);
        assert_true(app_text_rows[i].help[0] != '\0');
    }
    assert_int_equal(app_text_by_name(base_span_of("next")), APP_TEXT_COUNT);
    assert_int_equal(app_text_by_name(base_span_of("")), APP_TEXT_COUNT);
    assert_int_equal(app_text_by_name(base_span_of("TRANSITION")), APP_TEXT_TRANSITION);
}

/* Where a key is no value since a command has its name, the command sets that key. */
static void a_name_means_one_thing(void **state)
{
    (void)state;
    unsigned same = 0;
    for (size_t i = 0; i < PRESET_KEYS; i++) {
        const struct base_span key = base_span_of(preset_keys[i].key);
        const unsigned command = ui_command_by_name(key);
        if (command != UI_COMMAND_NONE) {
            const struct engine_adjust_row *adjusts = engine_adjust_of(command);
            assert_non_null(adjusts);
            assert_true(base_span_equal_nocase(base_span_of(adjusts->key), key));
            assert_int_equal(app_value_by_name(key), command);
            same++;
        }
    }
    assert_true(same >= 2);
}

static void a_value_is_brought_within_its_range(void **state)
{
    (void)state;
    struct engine_call call;
    assert_true(app_value_call(UI_COMMAND_BLACKOUT, 0.5, &call));
    assert_int_equal(call.command, UI_COMMAND_BLACKOUT);
    assert_int_equal(call.to, ENGINE_SWITCH_ON);
    assert_true(app_value_call(UI_COMMAND_BLACKOUT, -3, &call));
    assert_int_equal(call.to, ENGINE_SWITCH_OFF);
    assert_true(app_value_call(UI_COMMAND_ADJUST_DECAY, 7, &call));
    assert_true(call.absolute && call.number == 1);
    assert_true(app_value_call(UI_COMMAND_BLEND, 2.5, &call));
    assert_true(call.number == 2.5 && call.text[0] == '\0');
    assert_true(app_value_call(UI_COMMAND_RATE, 9, &call));
    assert_true(call.absolute && call.number == 5);
    assert_true(app_value_call(UI_COMMAND_FAVOURITE, 1, &call));
    assert_int_equal(call.to, ENGINE_SWITCH_ON);
    assert_false(app_value_call(UI_COMMAND_NEXT, 1, &call));
    assert_false(app_value_call(APP_VALUE_KEYS, 1, &call));
}

/* ---- the door ---- */

struct show {
    struct app_door *door;
    struct app_taker taker;
    unsigned calls;
    unsigned last; /* number of the last call */
    bool in_order;
    double values[APP_VALUE_COUNT];
    unsigned sets;
    unsigned set_before_calls; /* values that were set while no call had come */
};

static void obey(void *user, enum app_source source, const struct engine_call *call)
{
    struct show *show = user;
    (void)source;
    show->calls++;
    show->in_order = show->in_order && call->number > show->last;
    show->last = (unsigned)call->number;
}

static void set(void *user, unsigned value, double number)
{
    struct show *show = user;
    show->values[value] = number;
    show->sets++;
    show->set_before_calls += show->calls == 0;
}

static bool ready(void *user)
{
    (void)user;
    return true;
}

static const struct app_source_way *const ways[APP_SOURCE_COUNT] = {
    [APP_SOURCE_SIGNALS] = &app_source_signals,
    [APP_SOURCE_FIRST] = &app_source_first_commands,
};

static const char *const words[] = {"lock on", "wave =3", "quit"};

static struct show open_show(size_t first_commands)
{
    static struct app_options options;
    app_options_default(&options);
    for (size_t i = 0; i < first_commands; i++) {
        options.first_commands.items[i] = words[i];
    }
    options.first_commands.count = first_commands;
    struct show show = {.door = app_door_open(ways, &options, NULL), .in_order = true};
    show.taker = (struct app_taker){NULL, obey, set, ready};
    assert_non_null(show.door);
    return show;
}

static void take(struct show *show, bool shown)
{
    show->taker.user = show;
    app_door_take(show->door, shown, &show->taker);
}

static struct engine_call step(unsigned number)
{
    return (struct engine_call){.command = UI_COMMAND_NEXT, .number = number};
}

static void what_finds_no_room_is_dropped_and_counted(void **state)
{
    (void)state;
    enum { MORE = 100 };
    struct show show = open_show(0);
    struct app_inlet *inlet = app_door_inlet(show.door, APP_SOURCE_KEYS);
    for (unsigned i = 1; i <= APP_INLET_CALLS + MORE; i++) {
        const struct engine_call call = step(i);
        assert_int_equal(app_inlet_call(inlet, &call), i <= APP_INLET_CALLS);
    }
    for (unsigned i = 1; i <= APP_INLET_CALLS / APP_INLET_TURN; i++) {
        take(&show, true);
        assert_int_equal(show.calls, i * APP_INLET_TURN);
    }
    take(&show, true);
    assert_true(show.in_order);
    assert_int_equal(show.last, APP_INLET_CALLS);
    const struct app_inlet_counts counts = app_inlet_counts(inlet);
    assert_int_equal(counts.calls, APP_INLET_CALLS);
    assert_int_equal(counts.dropped, MORE);
    /* Another inlet is not touched by that. */
    assert_int_equal(app_inlet_counts(app_door_inlet(show.door, APP_SOURCE_MOUSE)).dropped, 0);
    app_door_close(show.door);
}

static void the_newest_value_wins(void **state)
{
    (void)state;
    struct show show = open_show(0);
    struct app_inlet *keys = app_door_inlet(show.door, APP_SOURCE_KEYS);
    struct app_inlet *mouse = app_door_inlet(show.door, APP_SOURCE_MOUSE);
    const struct engine_call call = step(1);
    assert_true(app_inlet_call(keys, &call));
    for (int i = 1; i <= 1000; i++) {
        assert_true(app_inlet_value(keys, UI_COMMAND_BLEND, i));
    }
    assert_true(app_inlet_value(mouse, UI_COMMAND_BLEND, 7));
    assert_true(app_inlet_value(mouse, APP_VALUE_COUNT - 1, 0.5));
    assert_false(app_inlet_value(mouse, UI_COMMAND_BLEND, (double)NAN));
    assert_false(app_inlet_value(mouse, UI_COMMAND_NEXT, 1));
    assert_false(app_inlet_value(mouse, APP_VALUE_COUNT, 1));
    const struct engine_call none = {.command = UI_COMMAND_COUNT};
    assert_false(app_inlet_call(mouse, &none));
    take(&show, true);
    assert_int_equal(show.sets, 2);
    assert_int_equal(show.set_before_calls, 2);
    assert_int_equal(show.calls, 1);
    assert_true(show.values[UI_COMMAND_BLEND] == 7);
    assert_true(show.values[APP_VALUE_COUNT - 1] == 0.5);
    take(&show, true);
    assert_int_equal(show.sets, 2);
    const struct app_inlet_counts of_keys = app_inlet_counts(keys);
    const struct app_inlet_counts of_mouse = app_inlet_counts(mouse);
    assert_int_equal(of_keys.values, 1000);
    assert_int_equal(of_keys.replaced + of_mouse.replaced, 1000);
    assert_int_equal(of_mouse.refused, 4);
    app_door_close(show.door);
}

static void first_commands_wait_for_a_preset_in_their_order(void **state)
{
    (void)state;
    struct show show = open_show(3);
    take(&show, false);
    assert_int_equal(show.calls, 1);
    take(&show, false);
    assert_int_equal(show.calls, 1);
    take(&show, true);
    assert_int_equal(show.calls, 3);
    app_door_close(show.door);
}

static void the_operator_reads_of_each_source(void **state)
{
    (void)state;
    struct show show = open_show(0);
    struct app_inlet_state read;
    char text[2 * APP_INLET_STATUS];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    app_inlet_refuse(app_door_inlet(show.door, APP_SOURCE_KEYS));
    app_inlet_say(app_door_inlet(show.door, APP_SOURCE_KEYS), text);
    app_inlet_whisper(app_door_inlet(show.door, APP_SOURCE_KEYS), text + APP_INLET_STATUS);
    app_door_state(show.door, APP_SOURCE_KEYS, &read);
    assert_true(read.runs);
    assert_int_equal(read.counts.refused, 1);
    assert_int_equal(strlen(read.text), APP_INLET_STATUS - 1);
    assert_int_equal(strlen(read.whisper), APP_INLET_STATUS - 1);
    app_door_state(show.door, APP_SOURCE_SIGNALS, &read);
    assert_string_equal(read.text, "");
    assert_true(read.runs);
    app_door_close(show.door);
    app_door_close(NULL);
}

/* ---- between threads ---- */

enum { FLOOD = 200000, FRAMES = 2000 };

struct flood {
    struct app_inlet *inlet;
    atomic_bool ends;
};

static void *flood(void *user)
{
    struct flood *sender = user;
    for (unsigned i = 1; i <= FLOOD; i++) {
        const struct engine_call call = step(i);
        (void)app_inlet_call(sender->inlet, &call);
        (void)app_inlet_value(sender->inlet, UI_COMMAND_BLEND, i);
    }
    atomic_store(&sender->ends, true);
    return NULL;
}

static void a_flood_is_taken_in_turns_and_its_last_value_arrives(void **state)
{
    (void)state;
    struct show show = open_show(0);
    struct flood sender = {app_door_inlet(show.door, APP_SOURCE_KEYS), false};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, flood, &sender), 0);
    unsigned before = 0;
    for (bool ends = false; !ends;) {
        ends = atomic_load(&sender.ends);
        take(&show, true);
        assert_true(show.calls - before <= APP_INLET_TURN);
        before = show.calls;
        sched_yield();
    }
    (void)pthread_join(thread, NULL);
    while (before = show.calls, take(&show, true), show.calls > before) {
    }
    const struct app_inlet_counts counts = app_inlet_counts(sender.inlet);
    assert_true(show.in_order);
    assert_true(show.values[UI_COMMAND_BLEND] == FLOOD);
    assert_int_equal(counts.values, FLOOD);
    assert_int_equal(counts.calls, show.calls);
    assert_int_equal(counts.calls + counts.dropped, FLOOD);
    assert_true(counts.replaced + show.sets >= FLOOD);
    app_door_close(show.door);
}

static void *show_frames(void *user)
{
    static struct app_seen seen;
    for (unsigned i = 1; i <= FRAMES; i++) {
        seen.frame = i;
        seen.bpm = i;
        memset(seen.name, (int)(i % 26) + 'a', sizeof seen.name - 1);
        for (unsigned k = 0; k < APP_VALUE_COUNT; k++) {
            seen.values[k] = i;
        }
        app_door_show(user, &seen);
        sched_yield();
    }
    return NULL;
}

static void what_is_read_back_is_whole(void **state)
{
    (void)state;
    struct show show = open_show(0);
    static struct app_seen seen;
    pthread_t thread;
    assert_false(app_door_look(show.door, &seen));
    assert_int_equal(seen.frame, 0);
    assert_int_equal(pthread_create(&thread, NULL, show_frames, show.door), 0);
    uint64_t last = 0;
    while (last < FRAMES) {
        if (!app_door_look(show.door, &seen)) {
            continue;
        }
        assert_true(seen.frame >= last);
        last = seen.frame;
        for (unsigned k = 0; k < APP_VALUE_COUNT; k++) {
            assert_true(seen.values[k] == (double)seen.frame);
        }
        assert_true(seen.bpm == (double)seen.frame);
        assert_int_equal(seen.name[0], (char)(seen.frame % 26 + 'a'));
        assert_int_equal(seen.name[sizeof seen.name - 2], seen.name[0]);
    }
    (void)pthread_join(thread, NULL);
    app_door_close(show.door);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_has_a_name_of_its_own),
        cmocka_unit_test(every_text_has_a_command),
        cmocka_unit_test(a_name_means_one_thing),
        cmocka_unit_test(a_value_is_brought_within_its_range),
        cmocka_unit_test(what_finds_no_room_is_dropped_and_counted),
        cmocka_unit_test(the_newest_value_wins),
        cmocka_unit_test(first_commands_wait_for_a_preset_in_their_order),
        cmocka_unit_test(the_operator_reads_of_each_source),
        cmocka_unit_test(a_flood_is_taken_in_turns_and_its_last_value_arrives),
        cmocka_unit_test(what_is_read_back_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
