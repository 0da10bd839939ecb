/* A show that hears what it sends: from a picture by zones and sACN over this machine's own network
 * back to levels, values and commands. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/light/light.h"
#include "base/os/thread.h"
#include "engine/engine.h"

enum { WIDTH = 64, HEIGHT = 32 };

struct stage {
    char path[64];
    struct app_options options;
    struct base_diag_list messages;
    struct base_diag_sink sink;
    struct app_door *door;
    struct app_light *light;
    uint32_t pixels[WIDTH * HEIGHT];
    uint8_t patch[REND_DMX_OUTPUTS];
    uint8_t levels[ENGINE_DMX_CHANNELS];
    double zoom;
    unsigned blackouts;
};

static void open_stage(struct stage *stage, const char *map)
{
    *stage = (struct stage){.path = "/tmp/froth_light_XXXXXX"};
    const int file = mkstemp(stage->path);
    assert_true(file >= 0);
    assert_int_equal(write(file, map, strlen(map)), strlen(map));
    (void)close(file);
    stage->options.artnet = stage->options.sacn = -1;
    stage->options.light = stage->path;
    stage->sink = base_diag_list_sink(&stage->messages);
    static const struct app_source_way *const ways[APP_SOURCE_COUNT] = {NULL};
    stage->door = app_door_open(ways, &stage->options, &stage->sink);
    assert_non_null(stage->door);
    assert_int_equal(app_light_open(&stage->light, &stage->options, WIDTH, HEIGHT, &stage->sink),
                     0);
    assert_int_equal(app_light_start(stage->light, app_door_inlet(stage->door, APP_SOURCE_LIGHT)),
                     0);
}

static void close_stage(struct stage *stage)
{
    app_light_close(stage->light);
    app_door_close(stage->door);
    (void)unlink(stage->path);
}

static void obey(void *user, enum app_source source, const struct engine_call *call)
{
    struct stage *stage = user;
    assert_int_equal(source, APP_SOURCE_LIGHT);
    stage->blackouts += call->command == ENGINE_COMMAND_BLACKOUT && call->to == ENGINE_SWITCH_ON;
}

static void set(void *user, unsigned value, double number)
{
    struct stage *stage = user;
    assert_int_equal(value, app_value_by_name(base_span_of("zoom")));
    stage->zoom = number;
}

static bool ready(void *user)
{
    (void)user;
    return true;
}

/* Shows the picture until these levels have come back; a slow machine may take its time. */
static void expect(struct stage *stage, size_t channel, const char *levels, size_t size)
{
    const struct app_taker taker = {stage, obey, set, ready};
    const double until = base_clock_seconds() + 300;
    bool same = false;
    while (!same && base_clock_seconds() < until) {
        size_t count = 0;
        const uint8_t *fresh = app_light_levels(stage->light, &count);
        if (fresh != NULL) {
            assert_int_equal(count, ENGINE_DMX_CHANNELS);
            memcpy(stage->levels, fresh, count);
        }
        app_light_show(stage->light, stage->pixels, WIDTH, stage->patch);
        app_door_take(stage->door, true, &taker);
        same = memcmp(stage->levels + channel - 1, levels, size) == 0;
        base_clock_sleep_until(base_clock_seconds() + 0.005);
    }
    app_door_take(stage->door, true, &taker);
    assert_true(same);
}

static void paint(struct stage *stage, uint32_t left, uint32_t right)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        stage->pixels[i] = i % WIDTH < WIDTH / 2 ? left : right;
    }
}

static void pictures_come_back_as_levels(void **state)
{
    (void)state;
    static struct stage stage;
    /* Other runs of this test may share the machine's network: each has universes of its own, and
     * what is sent reaches all of them. */
    char map[1024];
    const int base = 1000 + (int)(getpid() % 30000);
    (void)snprintf(
        map, sizeof map,
        "interface: 127.0.0.1\n"
        "in: [{protocol: sacn, universe: %d}, {protocol: sacn, universe: %d},\n"
        "     {protocol: artnet, universe: %d}]\n"
        "set:\n"
        "  - {channel: 1, value: zoom, from: 1, to: 2}\n"
        "  - {channel: 513, call: blackout on}\n"
        "zones: {left: {width: 0.5}, right: {x: 0.5}, both: {columns: 2}}\n"
        "out:\n"
        "  - {protocol: sacn, universe: %d, fixtures: [{zone: both}]}\n"
        "  - {protocol: sacn, universe: %d,\n"
        "     patch: 8, fixtures: [{zone: right, order: gb}, {zone: left, order: Rd, dim: 0.5}]}\n"
        "  - {protocol: artnet, universe: %d, to: 127.255.255.255,\n"
        "     fixtures: [{zone: left, channel: 510}]}\n",
        base, base + 30001, base, base, base + 30001, base);
    open_stage(&stage, map);
    paint(&stage, 0xff0040, 0xbc8001);
    stage.patch[0] = 7;
    stage.patch[7] = 255;
    expect(&stage, 1, "\xff\x00\x0d\x80\x37\x00", 6);
    expect(&stage, 1024 + 510, "\xff\x00\x0d", 3);
    expect(&stage, 513, "\x37\x00\x80\x00", 4);
    expect(&stage, 513 + 7, "\x07\x00\x00\x00\x00\x00\x00\xff", 8);
    assert_true(stage.zoom == 2 && stage.blackouts == 0);
    paint(&stage, 0x000000, 0x00ff00);
    expect(&stage, 513, "\xff\x00\x00\x00", 4);
    expect(&stage, 1, "\x00\x00\x00\x00\xff\x00", 6);
    assert_true(stage.zoom == 1);
    assert_int_equal(stage.blackouts, 1);
    close_stage(&stage);
}

static void a_map_that_is_wrong_or_missing_is_told(void **state)
{
    (void)state;
    static struct stage stage;
    struct app_light *light = NULL;
    stage.options.artnet = stage.options.sacn = -1;
    stage.sink = base_diag_list_sink(&stage.messages);
    memset(stage.options.given, true, sizeof stage.options.given);
    assert_int_equal(app_light_open(&light, &stage.options, WIDTH, HEIGHT, &stage.sink), 0);
    assert_null(light);
    stage.options.light = "/nowhere/stage.yaml";
    assert_int_equal(app_light_open(&light, &stage.options, WIDTH, HEIGHT, &stage.sink), -1);
    assert_null(light);
    stage.options.light = NULL;
    stage.options.sacn = 1.5;
    assert_int_equal(app_light_open(&light, &stage.options, WIDTH, HEIGHT, &stage.sink), -1);
    assert_int_equal(stage.messages.count, 2);
    /* What only the configuration asks for is done without. */
    memset(stage.options.given, false, sizeof stage.options.given);
    assert_int_equal(app_light_open(&light, &stage.options, WIDTH, HEIGHT, &stage.sink), 0);
    assert_null(light);
    assert_int_equal(stage.messages.count, 4);
    assert_int_equal(stage.messages.by_severity[BASE_ERROR], 3);
    app_light_show(NULL, stage.pixels, WIDTH, stage.patch);
    app_light_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_come_back_as_levels),
        cmocka_unit_test(a_map_that_is_wrong_or_missing_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
