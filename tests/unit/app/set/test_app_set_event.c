/* The sheet of a recorded show: each kind of line is written and read as the same, at its frame,
 * and what is wrong is told with its place; records on their way to the writer stay whole. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/set/event.h"
#include "app/set/record/home.h"
#include "app/set/record/ring.h"
#include "app/set/record/recorder.h"
#include "app/set/set.h"
#include "base/os/file.h"
#include "engine/engine.h"

static struct app_set_head head_of(uint32_t numerator, uint32_t denominator, uint64_t first)
{
    struct app_set_head head = {.speed = 1.5, .cost = 123456789, .first = first};
    (void)froth_config_begin(&head.config, sizeof head.config);
    head.config.fps_numerator = numerator;
    head.config.fps_denominator = denominator;
    head.config.width = 320;
    head.config.height = 200;
    head.config.seed = UINT64_MAX;
    head.config.levels = FROTH_LEVELS_BOARD;
    head.config.between = 1;
    (void)snprintf(head.froth, sizeof head.froth, "0.1 \"x\"");
    (void)snprintf(head.transition, sizeof head.transition, "plasma");
    return head;
}

static int read_text(struct app_set_events *events, const char *text,
                     struct base_diag_list *messages)
{
    *messages = (struct base_diag_list){0};
    const struct base_diag_sink sink = base_diag_list_sink(messages);
    *events = (struct app_set_events){.count = 0};
    return app_set_events_read(events, "events.yaml", base_span_of(text), &sink);
}

static void heads_read_back(void **state)
{
    (void)state;
    static struct base_diag_list messages;
    char text[APP_SET_LINE + 1];
    struct app_set_events events;
    const struct app_set_head head = head_of(30000, 1001, 77);
    text[app_set_head_write(&head, text)] = '\0';
    assert_int_equal(read_text(&events, text, &messages), 0);
    assert_int_equal(messages.count, 0);
    assert_int_equal(events.count, 0);
    const struct froth_config *config = &events.head.config;
    assert_int_equal(config->width, 320);
    assert_int_equal(config->height, 200);
    assert_int_equal(config->fps_numerator, 30000);
    assert_int_equal(config->fps_denominator, 1001);
    assert_true(config->seed == UINT64_MAX);
    assert_int_equal(config->levels, FROTH_LEVELS_BOARD);
    assert_int_equal(config->between, 1);
    assert_true(events.head.first == 77 && events.head.cost == 123456789);
    assert_true(events.head.speed == 1.5);
    assert_string_equal(events.head.froth, "0.1 \"x\"");
    assert_string_equal(events.head.transition, "plasma");
    app_set_events_free(&events);
}

/* Times of milliseconds find their frame again, at every rate and for hours. */
static void times_find_their_frames(void **state)
{
    (void)state;
    static const uint32_t rates[][2] = {{24, 1},       {30, 1},  {60, 1},
                                        {60000, 1001}, {144, 1}, {240, 1}};
    static const uint64_t frames[] = {1, 2, 3, 59, 61, 9999, 215999, 1234567, 3456789};
    static struct base_diag_list messages;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        const struct app_set_head head = head_of(rates[i][0], rates[i][1], 5);
        for (size_t k = 0; k < sizeof frames / sizeof *frames; k++) {
            char text[2 * APP_SET_LINE + 1];
            struct app_set_events events;
            const struct app_set_event event = {
                .kind = APP_SET_COMMAND, .frame = frames[k] + 5, .text = base_span_of("next 1")};
            size_t size = app_set_head_write(&head, text);
            size += app_set_event_write(&event, &head, text + size);
            text[size] = '\0';
            assert_int_equal(read_text(&events, text, &messages), 0);
            assert_int_equal(events.count, 1);
            assert_true(events.items[0].frame == event.frame);
            app_set_events_free(&events);
        }
    }
}

static void lines_of_each_kind_read_back(void **state)
{
    (void)state;
    static struct base_diag_list messages;
    static char text[20 * APP_SET_LINE];
    const struct app_set_head head = head_of(60, 1, 0);
    const struct app_set_event events[] = {
        {.kind = APP_SET_COMMAND,
         .frame = 1,
         .text = base_span_of("set fDecay 0.1234567890123456")},
        {.kind = APP_SET_PRESET,
         .frame = 1,
         .bar = 3.25,
         .text = base_span_of("presets/0123456789abcdef.milk"),
         .name = base_span_of("a \"name\" \\ with\tsigns: {é} #"),
         .path = base_span_of("/a/b's c.milk"),
         .change = {REND_TRANSITION_fade, 2.7, UINT64_C(0xfedcba9876543210), 30, NULL},
         .seconds = 12.5,
         .again = true,
         .begins = true,
         .moment = {1.0 / 3, 60, 20, {1, 2, 3}, {0.1, 0.2, 0.3}, {4, 5, 6}}},
        {.kind = APP_SET_SHADERS, .frame = 1, .shaders = {2, 3}, .after = 2},
        {.kind = APP_SET_STILL, .frame = 2, .seconds = 12345.6789},
        {.kind = APP_SET_ANEW, .frame = 2, .after = 1},
        {.kind = APP_SET_MORE, .frame = 3},
        {.kind = APP_SET_LIGHT, .frame = 4, .text = base_span_of("1=255 2048=0")},
        {.kind = APP_SET_CONTROLS, .frame = 5, .text = base_span_of("midi1=0.5 osc4=-1e-05")},
        {.kind = APP_SET_END, .frame = 9},
    };
    enum { COUNT = sizeof events / sizeof *events };
    assert_int_equal(COUNT, APP_SET_KINDS);
    size_t size = app_set_head_write(&head, text);
    for (size_t i = 0; i < COUNT; i++) {
        const size_t used = app_set_event_write(&events[i], &head, text + size);
        assert_true(used > 0);
        size += used;
    }
    text[size] = '\0';
    struct app_set_events read_back;
    assert_int_equal(read_text(&read_back, text, &messages), 0);
    assert_int_equal(read_back.count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        const struct app_set_event *a = &events[i];
        const struct app_set_event *b = &read_back.items[i];
        assert_int_equal(a->kind, b->kind);
        assert_true(a->frame == b->frame && a->after == b->after && a->bar == b->bar);
        assert_true(base_span_equal(a->text, b->text) && base_span_equal(a->name, b->name));
        assert_true(base_span_equal(a->path, b->path));
        assert_int_equal(a->change.transition, b->change.transition);
        assert_true(a->change.seconds == b->change.seconds && a->change.seed == b->change.seed);
        assert_true(a->change.planned == b->change.planned && a->again == b->again);
        assert_memory_equal(&a->moment, &b->moment, sizeof a->moment);
        assert_memory_equal(a->shaders, b->shaders, sizeof a->shaders);
        assert_true(a->seconds == b->seconds || (a->seconds == 0 && b->seconds == -1));
    }
    app_set_events_free(&read_back);
}

static const char good_head[] = "froth-set: 1\nsize: 64x48\nfps: 30/1\nevents:\n";

/* By hand: in any order, over several lines, with times as people write them. */
static void people_may_write(void **state)
{
    (void)state;
    static struct base_diag_list messages;
    char text[2000];
    struct app_set_events events;
    (void)snprintf(text, sizeof text, "%s%s", good_head,
                   "  - at: 1:00\n    do: lock on\n"
                   "  # a word\n"
                   "  - {at: 2.5, preset: my/own.milk,\n     transition: cut}\n"
                   "  - {at: 0:00:01, do: blackout}\n"
                   "  - {at: 0:00:01, do: next");
    assert_int_equal(read_text(&events, text, &messages), 0);
    assert_int_equal(events.count, 3);
    assert_true(events.moved);
    assert_int_equal(events.items[0].frame, 31);
    assert_int_equal(events.items[1].frame, 76);
    assert_int_equal(events.items[1].kind, APP_SET_PRESET);
    assert_true(events.items[1].change.seconds == 0 && !events.items[1].begins);
    assert_int_equal(events.items[2].frame, 1801);
    app_set_events_free(&events);
}

static void wrong_lines_are_told_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *message;
    } rows[] = {
        {"  - {at: 1, do: nxt}\n",
         "events.yaml:6:17: error: unknown command 'nxt'; did you mean next?"},
        {"  - {at: 1, do: \"nxt\"}\n",
         "events.yaml:6:18: error: unknown command 'nxt'; did you mean next?"},
        {"  - {do: next}\n",
         "events.yaml:6:5: error: each event says at which time of the set it comes; "
         "at: 0:01:12.350"},
        {"  - {at: soon, do: next}\n",
         "events.yaml:6:10: error: each event says at which time of the set "
         "it comes; at: 0:01:12.350"},
        {"  - {at: 1}\n",
         "events.yaml:6:5: error: this line says nothing that happens; do: \"next\""},
        {"  - {at: 1, do: next, end: anew}\n",
         "events.yaml:6:28: error: one line is one event; write two lines"},
        {"  - {at: 1, preset: ../a.milk}\n",
         "events.yaml:6:21: error: this is the name of a file in the "
         "set's folder; such as presets/NAME.milk"},
        {"  - {at: 1, preset: a, transition: zomm}\n", NULL},
        {"  - {at: 1, preset: a, colour: 3}\n", NULL},
        {"  - {at: 1, shaders: 9x1}\n", NULL},
        {"  - {at: 1, light: full}\n", NULL},
        {"  - next\n", NULL},
        {"  - {at: 1, do: next\n", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct base_diag_list messages;
        char text[1000];
        char told[400];
        struct app_set_events events;
        (void)snprintf(text, sizeof text, "%s  - {at: 0, do: next}\n%s", good_head, rows[i].line);
        assert_int_equal(read_text(&events, text, &messages), -1);
        assert_true(messages.count > 0);
        assert_true(messages.items[0].place.line >= 6);
        (void)base_diag_format(&messages.items[0], told, sizeof told);
        if (rows[i].message != NULL) {
            assert_string_equal(told, rows[i].message);
        }
        app_set_events_free(&events);
    }
}

/* Many parts that are read one after the other keep their lines. */
static void places_hold_far_down(void **state)
{
    (void)state;
    enum { LINES = 5000 };
    static struct base_diag_list messages;
    char *text = malloc(LINES * 32 + 1000);
    struct app_set_events events;
    assert_non_null(text);
    size_t size = (size_t)sprintf(text, "%s", good_head);
    for (int i = 0; i < LINES; i++) {
        size +=
            (size_t)sprintf(text + size, "  - {at: %d, do: %s}\n", i, i == 4321 ? "nxt" : "next");
    }
    assert_int_equal(read_text(&events, text, &messages), -1);
    assert_int_equal(messages.count, 1);
    assert_int_equal(messages.items[0].place.line, 4 + 4321 + 1);
    assert_int_equal(events.count, LINES - 1);
    app_set_events_free(&events);
    free(text);
}

/* Records of all sizes come out as they went in, round after round; one too many is refused. */
static void records_stay_whole(void **state)
{
    (void)state;
    struct app_set_ring ring;
    unsigned char record[300];
    unsigned char out[300];
    assert_int_equal(app_set_ring_open(&ring, 1024), 0);
    unsigned put = 0;
    unsigned taken = 0;
    for (unsigned round = 0; round < 1000; round++) {
        size_t size = 1 + put * 37 % 299;
        memset(record, (int)put, size);
        const struct app_set_piece pieces[] = {{record, size / 2},
                                               {record + size / 2, size - size / 2}};
        while (app_set_ring_put(&ring, pieces, 2)) {
            put++;
            break;
        }
        if (round % 3 != 0 || put - taken > 3) {
            size = app_set_ring_next(&ring);
            assert_int_equal(size, 1 + taken * 37 % 299);
            app_set_ring_take(&ring, out, size);
            for (size_t i = 0; i < size; i++) {
                assert_int_equal(out[i], (unsigned char)taken);
            }
            taken++;
        }
    }
    assert_true(put > 500 && taken > 500);
    memset(record, 0, sizeof record);
    const struct app_set_piece large = {record, sizeof record};
    unsigned more = 0;
    while (app_set_ring_put(&ring, &large, 1)) {
        assert_true(++more < 10);
    }
    app_set_ring_close(&ring);
}

/* What a file of 24 bits holds is what is heard. */
static void sound_is_of_whole_numbers(void **state)
{
    (void)state;
    float samples[] = {0, 0.1F, -0.1F, 1, -1, 2, -3, 1e-9F, 0.5F, NAN, INFINITY, -INFINITY};
    enum { COUNT = sizeof samples / sizeof *samples };
    app_set_round(samples, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        const double whole = (double)samples[i] * 8388608;
        assert_true(whole == rint(whole) && whole >= -8388608 && whole <= 8388607);
    }
    assert_true(samples[8] == 0.5F && samples[7] == 0);
}

/* ---- room for recordings ---- */

enum { FOLDER = PATH_MAX + 32 };

static void put_recording(const char *home, const char *name, char folder[FOLDER])
{
    enum { SIZE = 100 * 1000 };
    static const char bytes[SIZE];
    char path[FOLDER + 16];
    (void)snprintf(folder, FOLDER, "%s/%s", home, name);
    assert_int_equal(app_set_folders_make(folder), 0);
    (void)snprintf(path, sizeof path, "%s/events.yaml", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, SIZE, file), SIZE);
    assert_int_equal(fclose(file), 0);
}

/* Room is made of the oldest ones, but of none that another show is at. */
static void room_is_made(void **state)
{
    (void)state;
    char data[] = "/tmp/froth_room_XXXXXX";
    char home[PATH_MAX];
    char folders[4][FOLDER];
    static const char *const names[4] = {"2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"};
    assert_non_null(mkdtemp(data));
    assert_int_equal(setenv("XDG_DATA_HOME", data, 1), 0);
    assert_true(app_set_home(home, sizeof home));
    assert_int_equal(base_folder_make(home), 0);
    for (int i = 0; i < 4; i++) {
        put_recording(home, names[i], folders[i]);
    }
    const int kept = open(folders[0], O_RDONLY | O_DIRECTORY);
    assert_true(kept >= 0);
    app_set_keep(kept);
    assert_true(app_set_make_room(folders[3], 0)); /* no limit */
    assert_true(app_set_make_room(folders[3], 350 * 1000));
    assert_true(app_set_is(folders[0]) && app_set_is(folders[2]) && app_set_is(folders[3]));
    assert_false(app_set_is(folders[1]));
    assert_false(
        app_set_make_room(folders[3], 150 * 1000)); /* two are left, one of which is kept */
    assert_true(app_set_is(folders[0]) && app_set_is(folders[3]));
    assert_false(app_set_is(folders[2]));
    assert_int_equal(close(kept), 0);
    assert_true(app_set_make_room(folders[3], 150 * 1000));
    assert_false(app_set_is(folders[0]));
    assert_true(app_set_is(folders[3]));
    char command[PATH_MAX + 16];
    (void)snprintf(command, sizeof command, "rm -rf %s", data);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_is_made),
        cmocka_unit_test(heads_read_back),
        cmocka_unit_test(times_find_their_frames),
        cmocka_unit_test(lines_of_each_kind_read_back),
        cmocka_unit_test(people_may_write),
        cmocka_unit_test(wrong_lines_are_told_with_their_place),
        cmocka_unit_test(places_hold_far_down),
        cmocka_unit_test(records_stay_whole),
        cmocka_unit_test(sound_is_of_whole_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
