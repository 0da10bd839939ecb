/* Maps of MIDI as files: what is taken, what is told of one that is wrong, and what becomes of the
 * file of learnt rows. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/control/control.h"
#include "app/midi/map.h"
#include "base/os/file.h"
#include "ui/command.h"

static int read_map(struct app_midi_map *map, const char *text, struct base_diag_list *messages)
{
    *messages = (struct base_diag_list){0};
    const struct base_diag_sink sink = base_diag_list_sink(messages);
    return app_midi_map_read(map, "knobs.yaml", base_span_of(text), &sink);
}

static void a_whole_map_is_read(void **state)
{
    (void)state;
    static struct app_midi_map map;
    static struct base_diag_list messages;
    const char *text = "name: desk\n"
                       "device: nanoKONTROL2\n"
                       "channel: 2\n"
                       "programs: false\n"
                       "set:\n"
                       "  - {controller: 16, value: zoom, from: 0.9, to: 1.1}\n"
                       "  - {controller14: 31, channel: any, value: fDecay}\n"
                       "  - {nrpn: 300, channel: 16, value: wave}\n"
                       "  - {controller: 20, value: gamma, mode: sign, step: 0.3}\n"
                       "  - {note: 36, call: next 2}\n"
                       "  - {note: 37, value: blackout}\n"
                       "  - {bend: true, value: rot, mode: jump, device: 'Korg: 2'}\n"
                       "  - {program: 5, call: load =3}\n";
    assert_int_equal(read_map(&map, text, &messages), 0);
    assert_int_equal(messages.count, 0);
    assert_string_equal(map.name, "desk");
    assert_true(map.has_programs && !map.programs);
    assert_int_equal(map.row_count, 8);
    const struct app_midi_row *row = map.rows;
    assert_int_equal(row[0].control.part, ENGINE_MIDI_IS_CONTROLLER);
    assert_int_equal(row[0].control.channel, 2);
    assert_int_equal(row[0].control.number, 16);
    assert_int_equal(row[0].mode, ENGINE_MIDI_MODE_PICK_UP);
    assert_int_equal(row[0].value, UI_COMMAND_ADJUST_ZOOM);
    assert_true(row[0].from == 0.9 && row[0].to == 1.1 && row[0].fineness == 0);
    assert_int_equal(row[1].control.part, ENGINE_MIDI_IS_CONTROLLER14);
    assert_int_equal(row[1].control.channel, 0);
    assert_true(row[1].from == 0.5 && row[1].to == 1);
    assert_int_equal(row[2].control.number, 300);
    assert_true(fabs(row[2].fineness - (1 / 7.0)) < 1e-6);
    assert_true(row[2].step == row[2].fineness);
    assert_int_equal(row[3].mode, ENGINE_MIDI_MODE_SIGN);
    assert_true(row[3].from == 1 && row[3].to == 4); /* its reach */
    assert_true(fabs(row[3].step - (0.1)) < 1e-6);
    assert_int_equal(row[4].value, 0);
    assert_int_equal(row[4].call.command, UI_COMMAND_NEXT);
    assert_true(row[4].call.number == 2 && row[4].mode == ENGINE_MIDI_MODE_TRIGGER);
    assert_int_equal(row[5].mode, ENGINE_MIDI_MODE_TOGGLE);
    assert_int_equal(row[6].mode, ENGINE_MIDI_MODE_JUMP);
    assert_string_equal(row[6].device, "Korg: 2");
    assert_int_equal(row[7].control.part, ENGINE_MIDI_IS_PROGRAM);
    assert_string_equal(row[7].call.text, "=3");
    assert_int_equal(row[7].line, 13);
    assert_true(app_midi_map_fits(&map, "NANOkontrol2 MIDI 1"));
    assert_false(app_midi_map_fits(&map, "nanoKONTROL"));
    assert_false(app_midi_row_fits(&map, &row[6], "nanoKONTROL2"));
    app_midi_map_free(&map);
    assert_int_equal(read_map(&map, "set:\n", &messages), 0);
    assert_true(map.row_count == 0 && map.programs && !map.has_programs);
    app_midi_map_free(&map);
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
    (void)state;
    static struct app_midi_map map;
    static struct base_diag_list messages;
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *what;
    } wrong[] = {
        {"sett: []\n", 1, 1, "a map of MIDI has no 'sett'"},
        {"- 1\n", 1, 1, "a map of MIDI is a map"},
        {"set: 5\n", 1, 6, "set is a list"},
        {"set:\n  - 5\n", 2, 5, "what a control does is a map"},
        {"set:\n  - {value: zoom}\n", 2, 5, "which control?"},
        {"set:\n  - {note: 1, controller: 1, value: zoom}\n", 2, 5, "a row has one control"},
        {"set:\n  - {controller: 128, value: zoom}\n", 2, 18,
         "controller is a whole number from 0 to 127"},
        {"set:\n  - {controller14: 32, value: zoom}\n", 2, 20,
         "controller14 is a whole number from 0 to 31"},
        {"set:\n  - {nrpn: 16384, value: zoom}\n", 2, 12, "nrpn is a whole number from 0 to 16383"},
        {"set:\n  - {note: 1, channel: 0, call: next}\n", 2, 24,
         "channel is a whole number from 1 to 16"},
        {"set:\n  - {note: 1}\n", 2, 5, "a control sets one value or calls"},
        {"set:\n  - {note: 1, value: zoomm}\n", 2, 22, "no value of this name"},
        {"set:\n  - {note: 1, call: nextt}\n", 2, 21, "unknown command 'nextt'"},
        {"set:\n  - {note: 1, value: zoom, from: 1, to: 1}\n", 2, 5, "from and to are the same"},
        {"set:\n  - {note: 1, value: zoom, mode: togle}\n", 2, 34, "no mode of this name"},
        {"set:\n  - {note: 1, value: zoom, mode: twos}\n", 2, 34, "this mode is an encoder's"},
        {"set:\n  - {note: 1, call: next, mode: toggle}\n", 2, 33, "this mode is a value's"},
        {"set:\n  - {bend: false, value: zoom}\n", 2, 12, "it is true, or not there"},
        {"programs: 5\n", 1, 11, "programs is true or false"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(read_map(&map, wrong[i].text, &messages), -1);
        app_midi_map_free(&map);
        assert_true(messages.count >= 1);
        const struct base_diag *diag = &messages.items[0];
        assert_string_equal(diag->what, wrong[i].what);
        assert_int_equal(diag->place.line, wrong[i].line);
        assert_int_equal(diag->place.column, wrong[i].column);
    }
}

static void each_reach_lies_within_its_value(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        double from, to;
    } rows[] = {
#define APP_MIDI_REACH(value, from, to) {value, from, to},
#include "app/midi/reaches.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct app_value_row known;
        assert_true(app_value_row(app_value_by_name(base_span_of(rows[i].value)), &known));
        assert_true(known.low <= rows[i].from && rows[i].from < rows[i].to &&
                    rows[i].to <= known.high);
    }
}

/* Every value and every command, by every control that may: as a line it is read as the same. */
static void rows_are_read_as_they_were_written(void **state)
{
    (void)state;
    static struct app_midi_map map;
    static struct base_diag_list messages;
    char line[APP_MIDI_WORDS];
    char text[APP_MIDI_WORDS + 8];
    for (unsigned i = 1; i < APP_VALUE_COUNT + UI_COMMAND_COUNT; i++) {
        struct app_midi_row row = {.device = "say \"hi\\\" to\tit\x7f",
                                   .control = {ENGINE_MIDI_IS_CONTROLLER, 3, 77}};
        struct app_value_row known;
        if (i < APP_VALUE_COUNT) {
            row.value = i;
            if (!app_value_row(i, &known)) {
                continue;
            }
        } else {
            row.call = (struct engine_call){.command = i - APP_VALUE_COUNT};
            const enum engine_argument argument = ui_command_rows[row.call.command].argument;
            if (row.call.command == 0) {
                continue;
            }
            if (argument == ENGINE_ARGUMENT_TEXT || argument == ENGINE_ARGUMENT_MAYBE) {
                (void)snprintf(row.call.text, sizeof row.call.text, "a \"b\" {c}: #d\\");
            } else if (argument == ENGINE_ARGUMENT_STEP || argument == ENGINE_ARGUMENT_NUMBER) {
                row.call.number = -2.5;
                row.call.absolute = argument == ENGINE_ARGUMENT_STEP;
            }
        }
        app_midi_row_complete(&row);
        assert_true(app_midi_row_line(&row, line, sizeof line));
        (void)snprintf(text, sizeof text, "set:\n%s", line);
        if (read_map(&map, text, &messages) != 0) {
            fail_msg("%s: %s", line, messages.items[0].what);
        }
        assert_int_equal(map.row_count, 1);
        const struct app_midi_row *again = map.rows;
        assert_string_equal(again->device, row.device);
        assert_memory_equal(&again->control, &row.control, sizeof row.control);
        assert_int_equal(again->value, row.value);
        assert_int_equal(again->mode, row.mode);
        assert_true(fabs(again->from - (row.from)) < 1e-6);
        assert_true(fabs(again->to - (row.to)) < 1e-6);
        assert_true(fabs(again->step - (row.step)) < 1e-6);
        assert_int_equal(again->call.command, row.call.command);
        assert_string_equal(again->call.text, row.call.text);
        assert_true(again->call.number == row.call.number);
        app_midi_map_free(&map);
    }
}

/* ---- the file of learnt rows ---- */

static char path[64];

static int make_folder(void **state)
{
    (void)state;
    char folder[] = "/tmp/froth-midi-XXXXXX";
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "%s/midi/learnt.yaml", folder);
    return 0;
}

static void holds(const char *expected)
{
    size_t size;
    char *text = base_file_read(path, 65536, &size, NULL);
    assert_non_null(text);
    const char *rows = strstr(text, "set:\n");
    assert_string_equal(rows != NULL && text[0] == '#' && text[1] == ' ' ? rows : text, expected);
    free(text);
}

static struct app_midi_row row_of(uint16_t number, const char *value)
{
    struct app_midi_row row = {.device = "Knobs",
                               .control = {ENGINE_MIDI_IS_CONTROLLER, 1, number},
                               .value = app_value_by_name(base_span_of(value))};
    app_midi_row_complete(&row);
    return row;
}

#define LINE(number, value, ends)                                                                  \
    "  - {device: \"Knobs\", controller: " number ", channel: 1, value: " value ", " ends          \
    ", mode: pick-up}\n"
#define ZOOM  "from: 0.8, to: 1.25"
#define DECAY "from: 0.8, to: 1"

static void rows_come_and_go_in_their_file(void **state)
{
    (void)state;
    struct base_diag_list messages = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    struct app_midi_row zoom = row_of(16, "zoom");
    struct app_midi_row decay = row_of(17, "decay");
    assert_int_equal(app_midi_learnt_add(path, &zoom, &sink), 0);
    holds("set:\n" LINE("16", "zoom", ZOOM));
    assert_int_equal(app_midi_learnt_add(path, &decay, &sink), 0);
    holds("set:\n" LINE("16", "zoom", ZOOM) LINE("17", "decay", DECAY));
    /* The same knob does something else from now on. */
    struct app_midi_row other = row_of(16, "decay");
    assert_int_equal(app_midi_learnt_add(path, &other, &sink), 0);
    holds("set:\n" LINE("17", "decay", DECAY) LINE("16", "decay", DECAY));
    assert_int_equal(app_midi_learnt_remove(path, &decay, &sink), 0);
    holds("set:\n" LINE("16", "decay", DECAY));
    assert_int_equal(messages.count, 0);
    assert_int_equal(app_midi_learnt_remove(path, &decay, &sink), -1);
    assert_int_equal(messages.count, 1);
    assert_int_equal(app_midi_learnt_remove(path, &other, &sink), 0);
    holds("set:\n");
    assert_int_equal(app_midi_learnt_add(path, &zoom, &sink), 0);
    holds("set:\n" LINE("16", "zoom", ZOOM));
}

static void what_the_user_wrote_stays(void **state)
{
    (void)state;
    struct base_diag_list messages = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    struct app_midi_row zoom = row_of(16, "zoom");
    struct app_midi_row decay = row_of(17, "decay");
    static const char mine[] = "#mine\nset:\n  # the left one\n" LINE(
        "16", "decay", DECAY) "  - controller: 17\n    value: gamma # by hand\n"
                              "  - {note: 1, call: next}  # and this\nname: x # the end\n";
    assert_int_equal(base_file_save(path, mine, strlen(mine)), 0);
    assert_int_equal(app_midi_learnt_add(path, &zoom, &sink), 0);
    holds("#mine\nset:\n  # the left one\n"
          "  - controller: 17\n    value: gamma # by hand\n"
          "  - {note: 1, call: next}  # and this\n" LINE("16", "zoom", ZOOM) "name: x # the end\n");
    assert_int_equal(app_midi_learnt_remove(path, &decay, &sink), -1); /* another does that */
    assert_int_equal(app_midi_learnt_remove(path, &zoom, &sink), 0);
    holds("#mine\nset:\n  # the left one\n"
          "  - controller: 17\n    value: gamma # by hand\n"
          "  - {note: 1, call: next}  # and this\nname: x # the end\n");
    /* What cannot be added to is left alone: no map, and rows that are not lines. */
    static const char *const others[] = {"set: [{note: 1, call: next}]\n", "nonsense: 1\n",
                                         "set:\n- {note: 1,\n   call: next}\n", "\xff\xfe"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(base_file_save(path, others[i], strlen(others[i])), 0);
        assert_int_equal(app_midi_learnt_add(path, &zoom, &sink), -1);
        holds(others[i]);
    }
}

static void a_file_without_its_last_line_end_is_added_to(void **state)
{
    (void)state;
    struct base_diag_list messages = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    struct app_midi_row zoom = row_of(16, "zoom");
    static const char mine[] = "#mine\nset:\n  - {note: 1, call: next}";
    assert_int_equal(base_file_save(path, mine, strlen(mine)), 0);
    assert_int_equal(app_midi_learnt_add(path, &zoom, &sink), 0);
    holds("#mine\nset:\n  - {note: 1, call: next}\n" LINE("16", "zoom", ZOOM));
    assert_int_equal(base_file_save(path, "", 0), 0);
    assert_int_equal(app_midi_learnt_add(path, &zoom, &sink), 0);
    holds("set:\n" LINE("16", "zoom", ZOOM));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_map_is_read),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(each_reach_lies_within_its_value),
        cmocka_unit_test(rows_are_read_as_they_were_written),
        cmocka_unit_test_setup(rows_come_and_go_in_their_file, make_folder),
        cmocka_unit_test_setup(what_the_user_wrote_stays, make_folder),
        cmocka_unit_test_setup(a_file_without_its_last_line_end_is_added_to, make_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
