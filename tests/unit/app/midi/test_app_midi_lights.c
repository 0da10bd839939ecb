#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/midi/lights.h"
#include "ui/command.h"

static struct app_seen seen;

static struct app_midi_row row_of(enum engine_midi_part part, unsigned number, unsigned value)
{
    struct app_midi_row row = {.control = {part, 0, (uint16_t)number}, .value = value};
    row.lit = true;
    row.light = 100;
    row.dark = 20;
    app_midi_row_complete(&row);
    return row;
}

static void a_light_shows_where_its_value_stands(void **state)
{
    (void)state;
    struct engine_midi_message message;
    struct app_midi_row row = row_of(ENGINE_MIDI_IS_NOTE, 7, UI_COMMAND_BLACKOUT);
    seen.values[UI_COMMAND_BLACKOUT] = 0;
    assert_true(app_midi_light(&row, &seen, &message));
    assert_int_equal(message.kind, ENGINE_MIDI_NOTE_ON);
    assert_int_equal(message.channel, 1);
    assert_int_equal(message.data[0], 7);
    assert_int_equal(message.data[1], 20);
    seen.values[UI_COMMAND_BLACKOUT] = 1;
    assert_true(app_midi_light(&row, &seen, &message));
    assert_int_equal(message.data[1], 100);
    /* A ring of lights around a knob follows it. */
    row = row_of(ENGINE_MIDI_IS_CONTROLLER, 9, UI_COMMAND_ADJUST_DECAY);
    row.control.channel = 16;
    row.from = 0;
    row.to = 1;
    seen.values[UI_COMMAND_ADJUST_DECAY] = 0.25;
    assert_true(app_midi_light(&row, &seen, &message));
    assert_int_equal(message.kind, ENGINE_MIDI_CONTROL);
    assert_int_equal(message.channel, 16);
    assert_int_equal(message.data[1], 40);
    seen.values[UI_COMMAND_ADJUST_DECAY] = 77;
    assert_true(app_midi_light(&row, &seen, &message));
    assert_int_equal(message.data[1], 100);
    row.lit = false;
    assert_false(app_midi_light(&row, &seen, &message));
    /* What calls has one light for ever. */
    row = row_of(ENGINE_MIDI_IS_NOTE, 8, 0);
    assert_true(app_midi_light(&row, &seen, &message));
    assert_int_equal(message.data[1], 100);
}

static void a_light_is_sent_when_it_changes(void **state)
{
    (void)state;
    static struct app_midi_lights lights;
    const struct engine_midi_message dark = {ENGINE_MIDI_NOTE_ON, 1, {5, 0}, NULL, 0};
    const struct engine_midi_message light = {ENGINE_MIDI_NOTE_ON, 1, {5, 127}, NULL, 0};
    const struct engine_midi_message other = {ENGINE_MIDI_CONTROL, 1, {5, 127}, NULL, 0};
    app_midi_lights_begin(&lights);
    assert_true(app_midi_lights_want(&lights, &dark)); /* nobody knows what it shows */
    app_midi_lights_begin(&lights);
    assert_true(app_midi_lights_want(&lights, &dark)); /* it was not sent */
    app_midi_lights_sent(&lights, &dark);
    assert_false(app_midi_lights_want(&lights, &light)); /* another row has it */
    assert_true(app_midi_lights_want(&lights, &other));
    for (int i = 0; i < 600; i++) {
        app_midi_lights_begin(&lights);
        assert_false(app_midi_lights_want(&lights, &dark));
        assert_false(app_midi_lights_want(&lights, &light));
    }
    app_midi_lights_begin(&lights);
    assert_true(app_midi_lights_want(&lights, &light));
}

struct heard {
    unsigned begins;
    unsigned pulses;
    unsigned halts;
    double last;    /* clock of the last pulse */
    double longest; /* seconds between two */
    double off;     /* beats by which each 24th is beside a beat, at most */
};

/* Turns come as they are asked for, and a little late. */
static void run(struct app_midi_pulses *pulses, const struct engine_tempo *tempo, double *now,
                double seconds, struct heard *heard)
{
    uint8_t bytes[APP_MIDI_PULSES];
    for (const double end = *now + seconds; *now < end;) {
        double wait;
        const size_t size = app_midi_pulses_turn(pulses, tempo, *now, bytes, &wait);
        for (size_t i = 0; i < size; i++) {
            heard->begins += bytes[i] == ENGINE_MIDI_BEGIN;
            heard->halts += bytes[i] == ENGINE_MIDI_HALT;
            if (bytes[i] != ENGINE_MIDI_PULSE) {
                continue;
            }
            heard->longest = heard->last > 0 ? fmax(heard->longest, *now - heard->last) : 0;
            heard->last = *now;
            if (heard->pulses++ % 24 == 0) {
                const double beats = engine_tempo_beats(tempo, *now);
                heard->off = fmax(heard->off, fabs(beats - round(beats)));
            }
        }
        *now += wait >= 0 && wait < 0.03 ? wait + 0.0005 : 0.03;
    }
}

static void the_clock_has_24_pulses_for_a_beat(void **state)
{
    (void)state;
    struct app_midi_pulses pulses = {0};
    struct heard heard = {0};
    double now = 100.123;
    struct engine_tempo tempo = {.bpm = 128, .beats = 7.3, .at = now, .runs = true};
    run(&pulses, &tempo, &now, 60, &heard);
    assert_int_equal(heard.begins, 1);
    assert_in_range(heard.pulses, 128 * 24 - 25, 128 * 24 + 1);
    assert_true(heard.longest < 1.1 * 60 / 128 / 24);
    assert_true(heard.off < 0.002);
    /* Another tempo goes on from where the beat is. */
    tempo = (struct engine_tempo){100, engine_tempo_beats(&tempo, now), now, true};
    heard = (struct heard){.last = heard.last, .pulses = heard.pulses};
    const unsigned before = heard.pulses;
    run(&pulses, &tempo, &now, 60, &heard);
    assert_int_equal(heard.begins, 0);
    assert_in_range(heard.pulses - before, 100 * 24 - 1, 100 * 24 + 1);
    assert_true(heard.off < 0.002);
    /* A short pause is none; a long one stops it, and it begins anew, with a beat. */
    tempo = (struct engine_tempo){100, engine_tempo_beats(&tempo, now), now, false};
    run(&pulses, &tempo, &now, 1, &heard);
    assert_int_equal(heard.halts, 0);
    run(&pulses, &tempo, &now, 4, &heard);
    assert_int_equal(heard.halts, 1);
    tempo = (struct engine_tempo){100, 3.5, now, true};
    heard = (struct heard){0};
    run(&pulses, &tempo, &now, 10, &heard);
    assert_int_equal(heard.begins, 1);
    assert_true(heard.off < 0.002);
    /* Who was away for long is not sent all that he missed. */
    heard = (struct heard){0};
    now += 100;
    run(&pulses, &tempo, &now, 1, &heard);
    assert_in_range(heard.pulses, 38, 42);
}

/* Frames come when they come: each says a little differently where the beat is. */
static void no_pulse_comes_twice_where_frames_are_uneven(void **state)
{
    (void)state;
    struct app_midi_pulses pulses = {0};
    struct heard heard = {0};
    double now = 50;
    for (int frame = 0; frame < 60 * 60; frame++) {
        const struct engine_tempo tempo = {
            .bpm = 120, .beats = 2 * now, .at = now + frame * 7 % 5 * 0.004, .runs = true};
        run(&pulses, &tempo, &now, 1 / 60.0, &heard);
    }
    assert_int_equal(heard.begins, 1);
    assert_in_range(heard.pulses, 2 * (now - 50) * 24 - 26, 2 * (now - 50) * 24 + 2);
}

/* The maps that come with froth: what they name exists, and no control does two things. */
static void the_maps_that_come_with_it_are_whole(void **state)
{
    (void)state;
    static const char *const devices[] = {"APC MINI APC MINI MIDI 1",
                                          "Launchpad Mini MK3 LPMiniMK3 MI", "nanoKONTROL2 _ CTRL"};
    assert_int_equal(app_midi_maps_count, 3);
    for (size_t i = 0; i < app_midi_maps_count; i++) {
        struct base_diag_list said = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&said);
        struct app_midi_map map;
        assert_int_equal(app_midi_map_read(&map, app_midi_maps[i].name,
                                           base_span_of(app_midi_maps[i].text), &sink),
                         0);
        assert_int_equal(said.count, 0);
        assert_true(map.device[0] != '\0' && map.row_count > 40);
        for (size_t k = 0; k < sizeof devices / sizeof *devices; k++) {
            assert_int_equal(app_midi_map_fits(&map, devices[k]), k == i);
        }
        for (size_t a = 0; a < map.row_count; a++) {
            for (size_t b = a + 1; b < map.row_count; b++) {
                if (engine_midi_same(&map.rows[a].control, &map.rows[b].control)) {
                    fail_msg("%s: lines %u and %u have the same control", app_midi_maps[i].name,
                             (unsigned)map.rows[a].line, (unsigned)map.rows[b].line);
                }
            }
        }
        app_midi_map_free(&map);
    }
}

static void what_a_map_sends_is_whole_messages(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int size; /* -1: refused */
    } cases[] = {
        {"start: F0 7E 7F 06 01 F7", 6},
        {"start: f0 00 f7 b0 01 02", 6},
        {"start: F8", 1},
        {"start: F0 7E 7F", -1},
        {"start: B0 01", -1},
        {"start: 01 02", -1},
        {"start: B0 01 02 03 04", -1},
        {"start: F0 G0 F7", -1},
        {"start: F00 F7", -1},
        {"start: F0 80 F7", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct base_diag_list said = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&said);
        struct app_midi_map map;
        const int result = app_midi_map_read(&map, "map", base_span_of(cases[i].text), &sink);
        if ((result == 0) != (cases[i].size >= 0) ||
            (result == 0 && (int)map.start_size != cases[i].size)) {
            fail_msg("%s", cases[i].text);
        }
        app_midi_map_free(&map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_light_shows_where_its_value_stands),
        cmocka_unit_test(a_light_is_sent_when_it_changes),
        cmocka_unit_test(the_clock_has_24_pulses_for_a_beat),
        cmocka_unit_test(no_pulse_comes_twice_where_frames_are_uneven),
        cmocka_unit_test(the_maps_that_come_with_it_are_whole),
        cmocka_unit_test(what_a_map_sends_is_whole_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
