/* The beat clock: taps, MIDI clock with jitter, and sources that take over. */
#include "engine/tempo/tempo.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "engine/tempo/link.h"
#include "engine/tempo/midi_clock.h"

#define assert_near(a, b, apart) assert_true(fabs((a) - (b)) <= (apart))

/* ---- MIDI clock ---- */

/* Pulses that come up to `jitter` seconds beside their time. */
struct master {
    struct base_rng rng;
    struct engine_midi_clock clock;
    double jitter;
    double time;  /* of the next pulse */
    double beats; /* there */
};

static struct master master_of(unsigned seed, double jitter)
{
    struct master master = {.jitter = jitter, .time = 10};
    base_rng_seed(&master.rng, seed, 1);
    return master;
}

static void pulse(struct master *master, double bpm)
{
    const double chance = 2.0 * base_rng_next(&master->rng) / 4294967295.0 - 1;
    engine_midi_clock_take(&master->clock, ENGINE_MIDI_CLOCK, 0,
                           master->time + chance * master->jitter);
    master->time += 60 / bpm / ENGINE_TEMPO_PULSES;
    master->beats += 1.0 / ENGINE_TEMPO_PULSES;
}

/* By how many seconds the clock is beside the truth, just before the next pulse. */
static double beside(const struct master *master, double bpm)
{
    struct engine_tempo tempo;
    assert_true(engine_midi_clock_tempo(&master->clock, master->time, &tempo));
    return fabs(engine_tempo_beats(&tempo, master->time) - master->beats) * 60 / bpm;
}

static void jitter_moves_nothing(void **state)
{
    (void)state;
    double worst = 0;
    double worst_bpm = 0;
    for (unsigned bpm = 60; bpm <= 200; bpm += 5) {
        struct master master = master_of(bpm, 0.003);
        for (int i = 0; i < 40 * ENGINE_TEMPO_PULSES; i++) {
            pulse(&master, bpm);
            if (i >= ENGINE_TEMPO_PULSES / 2) {
                worst = fmax(worst, beside(&master, bpm));
            }
            if (i >= 2 * ENGINE_TEMPO_PULSES) {
                struct engine_tempo tempo;
                assert_true(engine_midi_clock_tempo(&master.clock, master.time, &tempo));
                worst_bpm = fmax(worst_bpm, fabs(tempo.bpm / bpm - 1));
            }
        }
    }
    print_message("jitter of 3 ms: phase within %.2f ms, tempo within %.2f %%\n", 1000 * worst,
                  100 * worst_bpm);
    assert_true(worst < 0.005);
    assert_true(worst_bpm < 0.01);
}

static void tempo_drifts(void **state)
{
    (void)state;
    struct master master = master_of(1, 0.003);
    double worst = 0;
    double bpm = 100;
    for (int i = 0; i < 60 * ENGINE_TEMPO_PULSES; i++) {
        /* A beat a minute faster with each beat. */
        pulse(&master, bpm);
        bpm += 1.0 / ENGINE_TEMPO_PULSES;
        if (i >= ENGINE_TEMPO_PULSES) {
            worst = fmax(worst, beside(&master, bpm));
        }
    }
    print_message("drift: phase within %.2f ms\n", 1000 * worst);
    assert_true(worst < 0.005);
}

static void tempo_jumps(void **state)
{
    (void)state;
    static const double steps[][2] = {{120, 140}, {140, 90}, {100, 103}, {60, 200}, {200, 60}};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        struct master master = master_of((unsigned)s, 0.003);
        for (int i = 0; i < 8 * ENGINE_TEMPO_PULSES; i++) {
            pulse(&master, steps[s][0]);
        }
        for (int i = 0; i < 3 * ENGINE_TEMPO_PULSES; i++) {
            pulse(&master, steps[s][1]);
        }
        struct engine_tempo tempo;
        assert_true(engine_midi_clock_tempo(&master.clock, master.time, &tempo));
        print_message("from %.0f to %.0f: after three beats %.2f ms beside, %.2f\n", steps[s][0],
                      steps[s][1], 1000 * beside(&master, steps[s][1]), tempo.bpm);
        assert_true(beside(&master, steps[s][1]) < 0.005);
        assert_true(fabs(tempo.bpm / steps[s][1] - 1) < 0.02);
    }
}

static struct engine_tempo tempo_of(const struct master *master)
{
    struct engine_tempo tempo;
    assert_true(engine_midi_clock_tempo(&master->clock, master->time, &tempo));
    return tempo;
}

static double position(const struct master *master)
{
    const struct engine_tempo tempo = tempo_of(master);
    return engine_tempo_beats(&tempo, tempo.at);
}

static void starts_stops_and_goes_on(void **state)
{
    (void)state;
    struct master master = master_of(1, 0);
    struct engine_midi_clock *clock = &master.clock;
    for (int i = 0; i < 100; i++) {
        pulse(&master, 120);
    }
    assert_near(position(&master), 99 / 24.0, 1e-9);
    engine_midi_clock_take(clock, ENGINE_MIDI_START, 0, master.time - 0.01);
    pulse(&master, 120);
    assert_near(position(&master), 0, 1e-9);
    assert_true(tempo_of(&master).runs);
    for (int i = 0; i < 36; i++) {
        pulse(&master, 120);
    }
    assert_near(position(&master), 1.5, 1e-9);
    engine_midi_clock_take(clock, ENGINE_MIDI_STOP, 0, master.time - 0.01);
    for (int i = 0; i < 30; i++) {
        pulse(&master, 120);
    }
    assert_false(tempo_of(&master).runs);
    assert_near(tempo_of(&master).bpm, 120, 0.01);
    assert_near(position(&master), 1.5, 1e-9);
    engine_midi_clock_take(clock, ENGINE_MIDI_CONTINUE, 0, master.time - 0.01);
    pulse(&master, 120);
    assert_near(position(&master), 1.5 + 1 / 24.0, 1e-9);
    engine_midi_clock_take(clock, ENGINE_MIDI_STOP, 0, master.time - 0.01);
    engine_midi_clock_take(clock, ENGINE_MIDI_SONG_POSITION, 16, master.time - 0.01);
    engine_midi_clock_take(clock, ENGINE_MIDI_CONTINUE, 0, master.time - 0.01);
    pulse(&master, 120);
    assert_near(position(&master), 4, 1e-9);
    assert_true(tempo_of(&master).runs);
}

static void pulses_may_pause(void **state)
{
    (void)state;
    struct engine_tempo tempo;
    struct master master = master_of(1, 0);
    for (int i = 0; i < 11; i++) {
        pulse(&master, 120);
        assert_false(engine_midi_clock_tempo(&master.clock, master.time, &tempo));
    }
    pulse(&master, 120);
    assert_true(engine_midi_clock_tempo(&master.clock, master.time + 0.9, &tempo));
    assert_false(engine_midi_clock_tempo(&master.clock, master.time + 1.1, &tempo));
    /* Half a second without a pulse: the tempo stays, the beat goes on with the pulses. */
    master.time += 0.5;
    const double before = position(&master);
    pulse(&master, 120);
    assert_near(tempo_of(&master).bpm, 120, 0.01);
    assert_near(position(&master), before + 1 / 24.0, 1e-9);
    /* After a long one nothing is known until half a beat has come. */
    master.time += 5;
    pulse(&master, 90);
    assert_false(engine_midi_clock_tempo(&master.clock, master.time, &tempo));
    for (int i = 0; i < 11; i++) {
        pulse(&master, 90);
    }
    assert_near(tempo_of(&master).bpm, 90, 0.01);
}

static void odd_times_do_no_harm(void **state)
{
    (void)state;
    struct engine_midi_clock clock = {.count = 0};
    struct engine_tempo tempo = {.bpm = 0};
    static const double times[] = {0, 0, 0, -5, 1e300, -1e300, INFINITY, NAN, 3, 3, 3};
    for (int turn = 0; turn < 20; turn++) {
        for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
            engine_midi_clock_take(&clock, (uint8_t)(0xf0 + (turn + (int)i) % 16), 0xffff,
                                   times[i]);
            engine_midi_clock_take(&clock, ENGINE_MIDI_CLOCK, 0, times[i]);
            struct engine_tempo_clock beat;
            engine_tempo_begin(&beat);
            if (engine_midi_clock_tempo(&clock, 3, &tempo)) {
                engine_tempo_set(&beat, ENGINE_TEMPO_MIDI, &tempo);
                assert_true(isfinite(engine_tempo_step(&beat, 3).beats));
            }
        }
    }
}

/* ---- taps ---- */

static void tap_all(struct engine_tempo_clock *clock, const double *times, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)engine_tempo_tap(clock, times[i]);
    }
}

#define TAP_ALL(clock, ...)                                                                        \
    tap_all(clock, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / 8)

static const struct engine_tempo *tapped(const struct engine_tempo_clock *clock)
{
    return &clock->sources[ENGINE_TEMPO_TAP];
}

static void taps_make_a_tempo(void **state)
{
    (void)state;
    struct engine_tempo_clock clock;
    engine_tempo_begin(&clock);
    assert_false(engine_tempo_tap(&clock, 1));
    assert_false(engine_tempo_tap(&clock, 1.5));
    assert_true(engine_tempo_tap(&clock, 2));
    assert_near(tapped(&clock)->bpm, 120, 1e-9);
    assert_near(engine_tempo_beats(tapped(&clock), 3), 4, 1e-9);
    /* Fingers are not exact, miss a beat, and slip. */
    TAP_ALL(&clock, 2.51, 2.99, 3.5, 4.5, 4.72, 5.01, 5.49);
    assert_near(tapped(&clock)->bpm, 120, 2);
    assert_near(engine_tempo_beats(tapped(&clock), 6), 10, 0.05);
    TAP_ALL(&clock, 5.52);
    assert_near(engine_tempo_beats(tapped(&clock), 6), 10, 0.05);
    /* Another tempo without a pause. */
    for (int i = 0; i < 10; i++) {
        (void)engine_tempo_tap(&clock, 6 + i * 0.4);
    }
    assert_near(tapped(&clock)->bpm, 150, 1e-6);
    /* And after a pause: the first tap begins a bar, the former tempo lasts until the third. */
    TAP_ALL(&clock, 20, 20.75);
    assert_near(tapped(&clock)->bpm, 150, 1e-6);
    TAP_ALL(&clock, 21.5);
    assert_near(tapped(&clock)->bpm, 80, 1e-9);
    assert_near(engine_tempo_beats(tapped(&clock), 23), 4, 1e-9);
}

static void twice_as_fast_taps_are_heard(void **state)
{
    (void)state;
    struct engine_tempo_clock clock;
    engine_tempo_begin(&clock);
    for (int i = 0; i < 8; i++) {
        (void)engine_tempo_tap(&clock, i * 0.8);
    }
    for (int i = 0; i < 8; i++) {
        (void)engine_tempo_tap(&clock, 6 + i * 0.4);
    }
    assert_near(tapped(&clock)->bpm, 150, 1e-6);
}

/* ---- who drives ---- */

static void set(struct engine_tempo_clock *clock, enum engine_tempo_source source, double bpm,
                double beats, double at)
{
    const struct engine_tempo tempo = {bpm, beats, at, true};
    engine_tempo_set(clock, source, &tempo);
}

static void the_first_that_is_there_drives(void **state)
{
    (void)state;
    struct engine_tempo_clock clock;
    engine_tempo_begin(&clock);
    assert_false(engine_tempo_step(&clock, 1).given);
    assert_int_equal(clock.drives, ENGINE_TEMPO_SOURCES);
    set(&clock, ENGINE_TEMPO_HEARD, 100, 3, 1);
    const struct engine_tempo_beat heard = engine_tempo_step(&clock, 1.1);
    assert_false(heard.given);
    assert_near(heard.bpm, 100, 0);
    set(&clock, ENGINE_TEMPO_MIDI, 110, 0, 1);
    assert_true(engine_tempo_step(&clock, 1.2).given);
    assert_int_equal(clock.drives, ENGINE_TEMPO_MIDI);
    set(&clock, ENGINE_TEMPO_LINK, 120, 0, 1);
    assert_near(engine_tempo_step(&clock, 1.3).bpm, 120, 0);
    clock.choice = ENGINE_TEMPO_HEARD;
    assert_near(engine_tempo_step(&clock, 1.4).bpm, 100, 0);
    /* What was chosen and is gone gives way to what is there. */
    clock.choice = ENGINE_TEMPO_TAP;
    assert_near(engine_tempo_step(&clock, 1.5).bpm, 120, 0);
    clock.choice = ENGINE_TEMPO_SOURCES;
    engine_tempo_set(&clock, ENGINE_TEMPO_LINK, NULL);
    assert_near(engine_tempo_step(&clock, 1.6).bpm, 110, 0);
    set(&clock, ENGINE_TEMPO_MIDI, NAN, 0, 1);
    assert_near(engine_tempo_step(&clock, 1.7).bpm, 100, 0);
    set(&clock, ENGINE_TEMPO_MIDI, 5000, 0, 1);
    assert_int_equal(clock.drives, ENGINE_TEMPO_HEARD);
}

/* At 60 steps a second, from any position of one source to any of another: the beat never goes
 * back, never runs at more than one and a half of the tempo, and is right after four beats. */
static void hands_change_without_a_jump(void **state)
{
    (void)state;
    for (int quarter = 0; quarter < 16; quarter++) {
        struct engine_tempo_clock clock;
        engine_tempo_begin(&clock);
        set(&clock, ENGINE_TEMPO_MIDI, 120, 0, 0);
        double last = 0;
        unsigned beats = 0;
        for (int i = 1; i <= 600; i++) {
            const double time = i / 60.0;
            if (i == 121) {
                set(&clock, ENGINE_TEMPO_LINK, 130, quarter / 4.0, 2);
            }
            const struct engine_tempo_beat beat = engine_tempo_step(&clock, time);
            const double most = beat.bpm / 60 / 60 * 1.5 + 1e-9;
            assert_true(i == 1 || (beat.beats > last && beat.beats - last <= most));
            beats += beat.passed;
            last = beat.beats;
            assert_int_equal((int)beat.beats, beats);
        }
        const double target = quarter / 4.0 + 8 * 130 / 60.0;
        assert_near(remainder(last - target, ENGINE_TEMPO_BAR), 0, 1e-9);
    }
}

static void goes_back_to_what_is_heard(void **state)
{
    (void)state;
    struct engine_tempo_clock clock;
    engine_tempo_begin(&clock);
    set(&clock, ENGINE_TEMPO_TAP, 120, 0, 0);
    set(&clock, ENGINE_TEMPO_HEARD, 120, 0.5, 0);
    assert_true(engine_tempo_step(&clock, 1).given);
    clock.choice = ENGINE_TEMPO_HEARD;
    assert_true(engine_tempo_step(&clock, 1.1).given);
    for (int i = 0; i < 20; i++) {
        (void)engine_tempo_step(&clock, 1.2 + 0.1 * i);
    }
    assert_false(clock.given);
    /* From then on its jumps are those of what is heard. */
    set(&clock, ENGINE_TEMPO_HEARD, 100, 2, 4);
    const struct engine_tempo_beat heard = engine_tempo_step(&clock, 4);
    assert_false(heard.given);
    assert_near(remainder(heard.beats - 2, ENGINE_TEMPO_BAR), 0, 1e-9);
    /* A nudge is nothing that the renderer hears. */
    clock.nudge = 0.1;
    assert_true(engine_tempo_step(&clock, 4.1).given);
}

static void a_clock_that_stands(void **state)
{
    (void)state;
    struct engine_tempo_clock clock;
    engine_tempo_begin(&clock);
    const struct engine_tempo stands = {120, 1.25, 0, false};
    engine_tempo_set(&clock, ENGINE_TEMPO_MIDI, &stands);
    set(&clock, ENGINE_TEMPO_TAP, 100, 0, 0);
    assert_near(engine_tempo_step(&clock, 0.5).bpm, 100, 0);
    clock.choice = ENGINE_TEMPO_MIDI;
    const double before = clock.now.beats;
    const struct engine_tempo_beat beat = engine_tempo_step(&clock, 9);
    assert_near(beat.beats, before, 0);
    assert_int_equal(beat.passed, 0);
    assert_near(beat.bpm, 120, 0);
}

static void by_hand(void **state)
{
    (void)state;
    struct engine_tempo_clock clock;
    engine_tempo_begin(&clock);
    engine_tempo_by_hand(&clock, 90, 1);
    assert_near(engine_tempo_step(&clock, 1).beats, 0, 1e-9);
    assert_near(engine_tempo_step(&clock, 3).beats, 3, 1e-9);
    engine_tempo_by_hand(&clock, 60, 3);
    assert_near(engine_tempo_step(&clock, 4).beats, 4, 1e-9);
    engine_tempo_by_hand(&clock, 0, 4);
    assert_false(engine_tempo_step(&clock, 5).given);
}

static void pulses_are_due(void **state)
{
    (void)state;
    const struct engine_tempo tempo = {120, 3.9, 7, true};
    double time = 7;
    int64_t number = 0;
    int64_t last = 93;
    for (int i = 0; i < 100; i++) {
        assert_true(engine_tempo_pulse(&tempo, time, &time, &number));
        assert_int_equal(number, ++last);
        assert_near(engine_tempo_beats(&tempo, time), (double)number / 24, 1e-9);
    }
    const struct engine_tempo stands = {120, 3.9, 7, false};
    assert_false(engine_tempo_pulse(&stands, time, &time, &number));
    const struct engine_tempo none = {0, 3.9, 7, true};
    assert_false(engine_tempo_pulse(&none, time, &time, &number));
}

/* ---- Ableton Link's helper ---- */

static bool reads(struct engine_link *link, const char *line)
{
    return engine_link_read(link, base_span_of(line));
}

static void lines_of_the_helper(void **state)
{
    (void)state;
    struct engine_link link = {.peers = 0};
    assert_true(reads(&link, "link 2 0 128500000 -1250000 987654321"));
    assert_int_equal(link.peers, 2);
    assert_near(link.tempo.bpm, 128.5, 1e-9);
    assert_near(link.tempo.beats, -1.25, 1e-9);
    assert_near(link.tempo.at, 987.654321, 1e-9);
    /* It runs until it was started and stopped. */
    assert_true(link.tempo.runs);
    assert_true(reads(&link, "link 2 1 128500000 0 987654321") && link.tempo.runs);
    assert_true(reads(&link, "link 2 0 128500000 0 987654321") && !link.tempo.runs);
    assert_true(reads(&link, "link 2 1 128500000 0 987654321") && link.tempo.runs);
    static const char *const wrong[] = {
        "",
        "link",
        "link ",
        "link 1 0 120000000 0",
        "link 1 0 120000000 0 1 ",
        "link 1 0 120000000 0 1 1",
        " link 1 0 120000000 0 1",
        "link  1 0 120000000 0 1",
        "link 1001 0 120000000 0 1",
        "link -1 0 120000000 0 1",
        "link 1 2 120000000 0 1",
        "link 1 0 9999999 0 1",
        "link 1 0 1000000000 0 1",
        "link 1 0 120000000 0 -1",
        "link 1 0 120000000 - 1",
        "link 1 0 120000000 1.5 1",
        "link 1 0 120000000 1000000000000001 1",
        "link 1 0 120000000 99999999999999999999999999 1",
        "Link 1 0 120000000 0 1",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(reads(&link, wrong[i]));
        assert_near(link.tempo.bpm, 128.5, 1e-9);
    }
}

static void lines_come_in_pieces(void **state)
{
    (void)state;
    static const char text[] = "link 1 0 100000000 0 1\nnonsense\nlink 3 0 110000000 0 2\nlink 4";
    struct engine_link link = {.peers = 0};
    struct engine_link_reader reader = {.size = 0};
    unsigned refused = 0;
    for (size_t i = 0; i < sizeof text - 1; i++) {
        refused += engine_link_take(&reader, &link, text + i, 1);
    }
    assert_int_equal(refused, 1);
    assert_int_equal(link.peers, 3);
    /* One that is too long is none, and the next is read. */
    char longer[3 * ENGINE_LINK_LINE];
    memset(longer, '1', sizeof longer);
    assert_int_equal(engine_link_take(&reader, &link, longer, sizeof longer), 0);
    assert_int_equal(engine_link_take(&reader, &link, "\nlink 5 0 110000000 0 3\n", 25), 1);
    assert_int_equal(link.peers, 5);
    char line[ENGINE_LINK_LINE];
    assert_int_equal(engine_link_write_tempo(line, 97.25), strlen("tempo 97250000\n"));
    assert_string_equal(line, "tempo 97250000\n");
    (void)engine_link_write_tempo(line, 1e300);
    assert_string_equal(line, "tempo 999000000\n");
}

static void names(void **state)
{
    (void)state;
    enum engine_tempo_source source;
    assert_true(engine_tempo_by_name(base_span_of("MIDI"), &source));
    assert_int_equal(source, ENGINE_TEMPO_MIDI);
    assert_true(engine_tempo_by_name(base_span_of("auto"), &source));
    assert_int_equal(source, ENGINE_TEMPO_SOURCES);
    assert_false(engine_tempo_by_name(base_span_of("mid"), &source));
    assert_string_equal(engine_tempo_name(ENGINE_TEMPO_LINK), "link");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jitter_moves_nothing),
        cmocka_unit_test(tempo_drifts),
        cmocka_unit_test(tempo_jumps),
        cmocka_unit_test(starts_stops_and_goes_on),
        cmocka_unit_test(pulses_may_pause),
        cmocka_unit_test(odd_times_do_no_harm),
        cmocka_unit_test(taps_make_a_tempo),
        cmocka_unit_test(twice_as_fast_taps_are_heard),
        cmocka_unit_test(the_first_that_is_there_drives),
        cmocka_unit_test(hands_change_without_a_jump),
        cmocka_unit_test(goes_back_to_what_is_heard),
        cmocka_unit_test(a_clock_that_stands),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(pulses_are_due),
        cmocka_unit_test(lines_of_the_helper),
        cmocka_unit_test(lines_come_in_pieces),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
