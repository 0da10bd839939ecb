/* Recorded light: what is read of the text, and what a film hears of it and when. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/control/control.h"
#include "app/light/recording.h"

static void levels_come_with_their_time(void **state)
{
    (void)state;
    struct app_light_reader reader;
    struct app_light_moment moment;
    const char *text = "OLA Show\r\n7 1,2 ,3\n\n40\n0\n 1000 \n4294967295 255\n0\n7\t9";
    assert_int_equal(app_light_reader_open(&reader, "show", base_span_of(text), NULL), 0);
    assert_int_equal(app_light_reader_next(&reader, &moment, NULL), 1);
    assert_true(moment.milliseconds == 0 && moment.universe == 7);
    assert_memory_equal(moment.levels, "\1\2\3\0", 4);
    assert_int_equal(app_light_reader_next(&reader, &moment, NULL), 1);
    assert_true(moment.milliseconds == 40 && moment.universe == 0 && moment.levels[0] == 0);
    assert_int_equal(app_light_reader_next(&reader, &moment, NULL), -1);
    const char *most = "OLA Show\n7 1\n40\n999999999 255\n0\n7\t9";
    assert_int_equal(app_light_reader_open(&reader, "show", base_span_of(most), NULL), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(app_light_reader_next(&reader, &moment, NULL), 1);
    }
    assert_true(moment.milliseconds == 40 && moment.universe == 7 && moment.levels[0] == 9);
    assert_int_equal(app_light_reader_next(&reader, &moment, NULL), 0);
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"", "show:1:1: error: that is no recording of light"},
        {"OLA", "show:1:1: error: that is no recording of light"},
        {"OLA Show\nx 1\n", "show:2:1: error: a universe and its levels come here"},
        {"OLA Show\n1,2\n", "show:2:2: error: a universe and its levels come here"},
        {"OLA Show\n1 1,256\n", "show:2:5: error: a level is a whole number from 0 to 255"},
        {"OLA Show\n1 1,,2\n", "show:2:5: error: a level is a whole number from 0 to 255"},
        {"OLA Show\n1 1 2\n", "show:2:5: error: there is a comma between two levels"},
        {"OLA Show\n\n1 1\n1 1\n", "show:4:2: error: the milliseconds until the next levels"},
        {"OLA Show\n1 1\n-1\n", "show:3:1: error: the milliseconds until the next levels"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct base_diag_list messages = {0};
        const struct base_diag_sink sink = base_diag_list_sink(&messages);
        struct app_light_reader reader;
        struct app_light_moment moment;
        int result = app_light_reader_open(&reader, "show", base_span_of(rows[i].text), &sink);
        while (result >= 0 && (result = app_light_reader_next(&reader, &moment, &sink)) == 1) {
        }
        assert_int_equal(result, -1);
        assert_int_equal(messages.count, 1);
        char line[300];
        (void)snprintf(line, sizeof line, "%s:%u:%u: error: %s", messages.items[0].place.file,
                       messages.items[0].place.line, messages.items[0].place.column,
                       messages.items[0].what);
        assert_int_equal(strncmp(line, rows[i].message, strlen(rows[i].message)), 0);
        assert_int_equal(app_light_reader_next(&reader, &moment, &sink), 0);
    }
}

struct heard {
    double zoom;
    unsigned calls;
};

static void set(void *user, unsigned value, double number)
{
    assert_int_equal(value, app_value_by_name(base_span_of("zoom")));
    ((struct heard *)user)->zoom = number;
}

static void call(void *user, const struct engine_call *asked)
{
    assert_int_equal(asked->command, ENGINE_COMMAND_NEXT);
    ((struct heard *)user)->calls++;
}

static void write_file(char *path, const char *text)
{
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    (void)close(file);
}

static void a_film_hears_it_in_time(void **state)
{
    (void)state;
    char map[] = "/tmp/froth_map_XXXXXX";
    char show[] = "/tmp/froth_show_XXXXXX";
    write_file(map, "in: [{protocol: artnet, universe: 3}, {protocol: sacn, universe: 1}]\n"
                    "set: [{channel: 513, value: zoom, from: 1, to: 2}, "
                    "{channel: 1, call: next}]\n");
    write_file(show, "OLA Show\n1 255\n0\n2 9\n500\n3 200\n10\n3 0\n10\n3 200\n");
    struct app_options options = {.light = map, .light_recording = show};
    struct app_light_film *film = NULL;
    struct heard heard = {0};
    const struct app_light_audience audience = {&heard, set, call};
    const struct base_diag_sink sink = {0};
    assert_int_equal(app_light_film_open(&film, &options, &sink), 0);
    const uint8_t *levels = app_light_film_until(film, 0, NULL);
    assert_true(levels[512] == 255 && levels[0] == 0 && heard.zoom == 0);
    (void)app_light_film_until(film, 0.25, &audience);
    assert_true(heard.zoom == 2 && heard.calls == 0);
    levels = app_light_film_until(film, 0.5, &audience);
    assert_true(levels[0] == 200 && heard.calls == 1);
    /* What came between two pictures called as well. */
    levels = app_light_film_until(film, 1, &audience);
    assert_true(levels[0] == 200 && heard.calls == 2);
    app_light_film_close(film);
    /* Without a map: the universes in the order in which they come. */
    options.light = NULL;
    assert_int_equal(app_light_film_open(&film, &options, &sink), 0);
    levels = app_light_film_until(film, 1, &audience);
    assert_true(levels[0] == 255 && levels[512] == 9 && levels[1024] == 200);
    app_light_film_close(film);
    (void)unlink(map);
    (void)unlink(show);
    options.light_recording = show;
    assert_int_equal(app_light_film_open(&film, &options, &sink), -1);
    options.light_recording = NULL;
    assert_int_equal(app_light_film_open(&film, &options, &sink), 0);
    assert_null(film);
    assert_null(app_light_film_until(film, 0, NULL));
    app_light_film_close(film);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_come_with_their_time),
        cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(a_film_hears_it_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
