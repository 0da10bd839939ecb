/* The map of light as a file: what is taken, and what is told of one that is wrong. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "app/control/control.h"
#include "app/light/map.h"

static int read(struct app_light_map *map, const char *text, struct base_diag_list *messages)
{
    *messages = (struct base_diag_list){0};
    const struct base_diag_sink sink = base_diag_list_sink(messages);
    app_light_map_init(map);
    return app_light_map_read(map, "stage.yaml", base_span_of(text), &sink);
}

static void a_whole_map_is_read(void **state)
{
    (void)state;
    static struct app_light_map map;
    static struct base_diag_list messages;
    const char *text = "name: left wall\n"
                       "interface: 10.0.0.7\n"
                       "rate: 30\n"
                       "in:\n"
                       "  - {protocol: sacn, universe: 63999}\n"
                       "  - {protocol: artnet, universe: 0, merge: latest}\n"
                       "set:\n"
                       "  - {channel: 2048, value: zoom, from: 0.9, to: 1.1}\n"
                       "  - {channel: 1, call: next 2}\n"
                       "zones:\n"
                       "  all: {}\n"
                       "  wall: {x: 0.25, y: 0.5, width: 0.5, columns: 100, rows: 2}\n"
                       "out:\n"
                       "  - {protocol: sacn, universe: 7, universes: 2, priority: 150,\n"
                       "     fixtures: [{zone: wall, channel: 10}, {zone: all, order: Rd}]}\n"
                       "  - {protocol: artnet, universe: 9, to: 10.0.0.255,\n"
                       "     fixtures: [{zone: all, channel: 511, order: rw, dim: 0.5}]}\n";
    assert_int_equal(read(&map, text, &messages), 0);
    assert_int_equal(messages.count, 0);
    assert_string_equal(map.name, "left wall");
    assert_true(map.has_interface && memcmp(map.interface, "\x0a\x00\x00\x07", 4) == 0);
    assert_true(map.rate == 30);
    assert_int_equal(map.input_count, 2);
    assert_true(!map.inputs[0].artnet && map.inputs[0].universe == 63999);
    assert_true(map.inputs[1].artnet && map.inputs[1].latest && map.inputs[1].universe == 0);
    assert_int_equal(map.set_count, 2);
    assert_int_equal(map.sets[0].channel, 2048);
    assert_int_equal(map.sets[0].value, app_value_by_name(base_span_of("zoom")));
    assert_true(map.sets[0].from == 0.9 && map.sets[0].to == 1.1);
    assert_int_equal(map.sets[1].value, 0);
    assert_int_equal(map.sets[1].call.command, ENGINE_COMMAND_NEXT);
    assert_true(map.sets[1].call.number == 2);
    assert_int_equal(map.zone_count, 2);
    assert_int_equal(map.cell_count, 201);
    const struct engine_zone *wall = &map.zones[1].zone;
    assert_true(wall->left == 16384 && wall->right == 49152);
    assert_true(wall->top == 32768 && wall->bottom == 65536);
    assert_int_equal(map.output_count, 3);
    assert_int_equal(map.outputs[1].universe, 8);
    assert_int_equal(map.outputs[1].priority, 150);
    assert_true(map.outputs[2].artnet && map.outputs[2].has_to && map.outputs[2].to[3] == 255);
    /* From channel 10 on 167 fixtures of three channels fit; the others begin the next universe. */
    assert_int_equal(map.fixture_count, 202);
    assert_true(map.fixtures[0].channel == 9 && map.fixtures[0].output == 0);
    assert_true(map.fixtures[166].channel == 507 && map.fixtures[166].output == 0);
    assert_true(map.fixtures[167].channel == 0 && map.fixtures[167].output == 1);
    assert_true(map.fixtures[200].channel == 99 && map.fixtures[200].cell == 0);
    assert_string_equal(map.fixtures[200].order, "Rd");
    assert_int_equal(map.outputs[0].channels, 510);
    assert_int_equal(map.outputs[1].channels, 102);
    assert_int_equal(map.fixtures[201].dim, 32768);
    assert_int_equal(map.outputs[2].channels, 512);
    app_light_map_free(&map);
}

#define OUT(fixture)                                                                               \
    "zones: {a: {}}\nout:\n  - {protocol: sacn, universe: 1, fixtures: [" fixture "]}\n"

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message; /* with its place */
    } rows[] = {
        {"- 1\n", "stage.yaml:1:1: error: a map of light is a map"},
        {"inn: []\n", "stage.yaml:1:1: error: a map of light has no 'inn'; did you mean in?"},
        {"in: 3\n", "stage.yaml:1:5: error: in is a list"},
        {"in:\n  - {universe: 1}\n", "stage.yaml:2:5: error: which protocol?"},
        {"out:\n  - {protocol: sacn, universe: 1, patch: 506}\n",
         "stage.yaml:2:42: error: patch is a whole number from 1 to 505"},
        {"in:\n  - {protocol: dmx, universe: 1}\n",
         "stage.yaml:2:16: error: no protocol of this name"},
        {"in:\n  - {protocol: sacn}\n", "stage.yaml:2:5: error: which universe?"},
        {"in:\n  - {protocol: sacn, universe: 0}\n",
         "stage.yaml:2:32: error: universe is a whole number from 1 to 63999"},
        {"in:\n  - {protocol: artnet, universe: 32768}\n",
         "stage.yaml:2:34: error: universe is a whole number from 0 to 32767"},
        {"in:\n  - {protocol: sacn, universe: 1, merge: latest}\n",
         "stage.yaml:2:42: error: sACN merges by its priorities"},
        {"interface: 10.0.0\n", "stage.yaml:1:12: error: that is no address"},
        {"interface: 10.0.0.256\n", "stage.yaml:1:12: error: that is no address"},
        {"rate: 45\n", "stage.yaml:1:7: error: rate is a number from 1 to 44"},
        {"rate: .nan\n", "stage.yaml:1:7: error: rate is a number from 1 to 44"},
        {"set:\n  - {channel: 0, value: zoom}\n",
         "stage.yaml:2:15: error: channel is a whole number from 1 to 2048"},
        {"set:\n  - {channel: 1}\n", "stage.yaml:2:5: error: a channel sets one value or calls"},
        {"set:\n  - {channel: 1, value: zoooom}\n",
         "stage.yaml:2:25: error: no value of this name"},
        {"set:\n  - {channel: 1, call: nxt}\n", "stage.yaml:2:24: error: "},
        {"zones: {a: {width: 0}}\n", "stage.yaml:1:12: error: the zone has no area"},
        {"zones: {a: {columns: 1024, rows: 1024}}\n",
         "stage.yaml:1:12: error: there are more cells than channels"},
        {"zones: {a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, h: {}, i: {}}\n",
         "stage.yaml:1:8: error: the zones together are larger than eight pictures"},
        {"out:\n  - {protocol: sacn, universe: 1}\n",
         "stage.yaml:2:5: error: a universe without fixtures"},
        {"out:\n  - {protocol: artnet, universe: 1, priority: 1}\n",
         "stage.yaml:2:47: error: Art-Net has no priorities"},
        {"out:\n  - {protocol: sacn, universe: 63999, universes: 2}\n",
         "stage.yaml:2:5: error: there are not so many universes behind this one"},
        {"out:\n  - {protocol: sacn, universe: 1, universes: 65}\n",
         "stage.yaml:2:46: error: universes is a whole number from 1 to 64"},
        {OUT("{zone: b}"), "stage.yaml:3:53: error: no zone of this name"},
        {OUT("{zone: a, order: rgx}"), "stage.yaml:3:63: error: that is no order of channels"},
        {OUT("{zone: a, channel: 511}"),
         "stage.yaml:3:46: error: the fixture does not fit into the universe"},
        {OUT("{channel: 1}"), "stage.yaml:3:46: error: which zone?"},
        {OUT("{zone: a}, 7"), "stage.yaml:3:57: error: a fixture is a map"},
    };
    static struct app_light_map map;
    static struct base_diag_list messages;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[512];
        if (read(&map, rows[i].text, &messages) != -1 || messages.count == 0) {
            fail_msg("taken: %s", rows[i].text);
        }
        (void)base_diag_format(&messages.items[0], line, sizeof line);
        if (strncmp(line, rows[i].message, strlen(rows[i].message)) != 0) {
            fail_msg("%s\n%s\nexpected %s", rows[i].text, line, rows[i].message);
        }
        app_light_map_free(&map);
    }
}

static void too_much_is_refused(void **state)
{
    (void)state;
    static struct app_light_map map;
    static struct base_diag_list messages;
    static char text[200000];
    size_t size = (size_t)snprintf(text, sizeof text, "set:\n");
    for (int i = 0; i <= APP_LIGHT_SETS; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "- {channel: 1, value: zoom}\n");
    }
    assert_int_equal(read(&map, text, &messages), -1);
    app_light_map_free(&map);
    size = (size_t)snprintf(text, sizeof text, "in:\n");
    for (int i = 0; i <= APP_LIGHT_INPUTS; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 "- {protocol: sacn, universe: %d}\n", i + 1);
    }
    assert_int_equal(read(&map, text, &messages), -1);
    app_light_map_free(&map);
    /* One universe twice, and ten messages at most. */
    size = (size_t)snprintf(text, sizeof text, "zones: {a: {}}\nout:\n");
    for (int i = 0; i < 40; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 "- {protocol: sacn, universe: 1, fixtures: [{zone: a}]}\n");
    }
    assert_int_equal(read(&map, text, &messages), -1);
    assert_int_equal(messages.count, 10);
    app_light_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_map_is_read),
        cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
