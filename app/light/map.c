#include "app/light/map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/control/control.h"
#include "base/os/yaml.h"

enum { ERRORS_MAX = 10, GRID_MAX = 1024, MEMORY = 64 * 1024 * 1024 };

struct reader {
    struct app_light_map *map;
    struct base_arena scratch;
    const char *file;
    const struct base_diag_sink *sink;
    unsigned errors;
    struct base_span *zone_names;
    size_t fixture_room;
    double area; /* of all zones, in pictures */
};

static const struct base_yaml *child(const struct base_yaml *map, const char *key)
{
    return map != NULL && map->kind == BASE_YAML_MAP ? base_yaml_get(map, key) : NULL;
}

static void fail(struct reader *reader, const struct base_yaml *node, const char *hint,
                 const char *what)
{
    if (reader->errors++ < ERRORS_MAX) {
        base_report(reader->sink, BASE_ERROR,
                    (struct base_place){reader->file, node->line, node->column}, hint, "%s", what);
    }
}

/* Names keys of a map that nobody knows. keys: ends in NULL. */
static bool check_map(struct reader *reader, const struct base_yaml *node, const char *what,
                      const char *const *keys)
{
    char text[160];
    if (node->kind != BASE_YAML_MAP) {
        (void)snprintf(text, sizeof text, "%s is a map", what);
        fail(reader, node, NULL, text);
        return false;
    }
    for (const struct base_yaml *entry = node->first; entry != NULL; entry = entry->next) {
        struct base_closest closest = {0};
        bool known = false;
        (void)snprintf(text, sizeof text, "%.*s", (int)entry->key.size, entry->key.data);
        for (size_t i = 0; keys[i] != NULL; i++) {
            known = known || strcmp(keys[i], text) == 0;
            base_closest_try(&closest, text, keys[i]);
        }
        if (!known && reader->errors++ < ERRORS_MAX) {
            char list[160] = "it has";
            char hint[160];
            for (size_t i = 0; keys[i] != NULL; i++) {
                const size_t size = strlen(list);
                (void)snprintf(list + size, sizeof list - size, "%s %s", i > 0 ? "," : "", keys[i]);
            }
            base_closest_hint(&closest, list, hint, sizeof hint);
            base_report(reader->sink, BASE_ERROR,
                        (struct base_place){reader->file, entry->key_line, entry->key_column}, hint,
                        "%s has no '%.40s'", what, text);
        }
    }
    return true;
}

/* A number of a map, or `otherwise` where it is not there; wrong ones are told. */
static double number_of(struct reader *reader, const struct base_yaml *map, const char *key,
                        double low, double high, double otherwise, bool whole)
{
    const struct base_yaml *node = child(map, key);
    double number = otherwise;
    int64_t count = 0;
    if (node == NULL) {
        return otherwise;
    }
    const bool read = whole ? base_yaml_integer(node, &count) : base_yaml_number(node, &number);
    number = whole && read ? (double)count : number;
    if (!read || !(number >= low && number <= high)) {
        char what[120];
        (void)snprintf(what, sizeof what, "%s is a %snumber from %.15g to %.15g", key,
                       whole ? "whole " : "", low, high);
        fail(reader, node, NULL, what);
        return otherwise;
    }
    return number;
}

/* A short text, as NUL-terminated copy; false where it is not there, or wrong. */
static bool text_of(struct reader *reader, const struct base_yaml *map, const char *key, char *text,
                    size_t size)
{
    const struct base_yaml *node = child(map, key);
    if (node == NULL) {
        return false;
    }
    if (node->kind != BASE_YAML_SCALAR || node->text.size == 0 || node->text.size >= size ||
        memchr(node->text.data, '\0', node->text.size) != NULL) {
        char what[120];
        (void)snprintf(what, sizeof what, "%s is a text of 1 to %zu bytes", key, size - 1);
        fail(reader, node, NULL, what);
        return false;
    }
    memcpy(text, node->text.data, node->text.size);
    text[node->text.size] = '\0';
    return true;
}

static bool address_of(struct reader *reader, const struct base_yaml *map, const char *key,
                       uint8_t address[4])
{
    char text[16];
    unsigned parts[4];
    int end = 0;
    if (!text_of(reader, map, key, text, sizeof text)) {
        return false;
    }
    if (sscanf(text, "%3u.%3u.%3u.%3u%n", &parts[0], &parts[1], &parts[2], &parts[3], &end) != 4 ||
        text[end] != '\0' || parts[0] > 255 || parts[1] > 255 || parts[2] > 255 || parts[3] > 255) {
        fail(reader, child(map, key), "write it like 192.168.0.42", "that is no address");
        return false;
    }
    for (int i = 0; i < 4; i++) {
        address[i] = (uint8_t)parts[i];
    }
    return true;
}

/* protocol: artnet or sacn; false if it is neither. */
static bool protocol_of(struct reader *reader, const struct base_yaml *map, bool *artnet)
{
    char text[16] = "";
    const struct base_yaml *node = child(map, "protocol");
    if (node != NULL && !text_of(reader, map, "protocol", text, sizeof text)) {
        return false;
    }
    *artnet = strcmp(text, "artnet") == 0;
    if (!*artnet && strcmp(text, "sacn") != 0) {
        fail(reader, node != NULL ? node : map, "protocol: sacn, or protocol: artnet",
             node != NULL ? "no protocol of this name" : "which protocol?");
        return false;
    }
    return true;
}

static bool universe_of(struct reader *reader, const struct base_yaml *map, bool artnet,
                        uint16_t *universe)
{
    if (child(map, "universe") == NULL) {
        fail(reader, map, artnet ? "universe: 0" : "universe: 1", "which universe?");
        return false;
    }
    const double low = artnet ? 0 : ENGINE_SACN_FIRST;
    const double high = artnet ? ENGINE_ARTNET_UNIVERSES - 1 : ENGINE_SACN_LAST;
    const unsigned errors = reader->errors;
    *universe = (uint16_t)number_of(reader, map, "universe", low, high, low, true);
    return reader->errors == errors;
}

/* The list under a key; NULL where there is none. */
static const struct base_yaml *list_of(struct reader *reader, const struct base_yaml *map,
                                       const char *key)
{
    const struct base_yaml *node = child(map, key);
    if (node != NULL && node->kind != BASE_YAML_LIST) {
        char what[64];
        (void)snprintf(what, sizeof what, "%s is a list", key);
        fail(reader, node, "each of its lines begins with -", what);
        return NULL;
    }
    return node;
}

static size_t count_of(const struct base_yaml *list)
{
    size_t count = 0;
    for (const struct base_yaml *node = list != NULL ? list->first : NULL; node != NULL;
         node = node->next) {
        count++;
    }
    return count;
}

/* ---- what is heard ---- */

static void read_input(struct reader *reader, const struct base_yaml *node)
{
    static const char *const keys[] = {"protocol", "universe", "merge", NULL};
    struct app_light_input input = {0};
    char merge[16] = "highest";
    if (!check_map(reader, node, "a universe that is heard", keys) ||
        !protocol_of(reader, node, &input.artnet) ||
        !universe_of(reader, node, input.artnet, &input.universe)) {
        return;
    }
    if (text_of(reader, node, "merge", merge, sizeof merge)) {
        input.latest = strcmp(merge, "latest") == 0;
        if (!input.latest && strcmp(merge, "highest") != 0) {
            fail(reader, child(node, "merge"), "merge: highest, or merge: latest",
                 "no way of merging of this name");
        } else if (input.latest && !input.artnet) {
            fail(reader, child(node, "merge"), NULL, "sACN merges by its priorities");
        }
    }
    if (!app_light_map_hear(reader->map, input)) {
        char what[64];
        (void)snprintf(what, sizeof what, "at most %d universes are heard", APP_LIGHT_INPUTS);
        fail(reader, node, NULL, what);
    }
}

static void read_set(struct reader *reader, const struct base_yaml *node)
{
    static const char *const keys[] = {"channel", "value", "from", "to", "call", NULL};
    struct app_light_set *set = &reader->map->sets[reader->map->set_count];
    char text[ENGINE_CALL_TEXT];
    *set = (struct app_light_set){0};
    if (!check_map(reader, node, "what a channel sets", keys)) {
        return;
    }
    set->channel = (uint32_t)number_of(reader, node, "channel", 1, ENGINE_DMX_CHANNELS, 0, true);
    if (child(node, "channel") == NULL) {
        fail(reader, node, "channel: 1", "which channel?");
    }
    const struct base_yaml *value = child(node, "value");
    const struct base_yaml *call = child(node, "call");
    if ((value == NULL) == (call == NULL)) {
        fail(reader, node, "value: zoom, or call: next", "a channel sets one value or calls");
        return;
    }
    if (call != NULL && text_of(reader, node, "call", text, sizeof text)) {
        if (ui_call_parse(&set->call, call->text,
                          (struct base_place){reader->file, call->line, call->column},
                          reader->sink) != 0) {
            reader->errors++;
        }
    } else if (value != NULL && text_of(reader, node, "value", text, sizeof text)) {
        struct app_value_row row = {.low = 0, .high = 1};
        set->value = app_value_by_name(base_span_of(text));
        if (!app_value_row(set->value, &row)) {
            fail(reader, value, "a command that sets a number, or a key of a .milk file",
                 "no value of this name");
        }
        const double most = ENGINE_CALL_NUMBER_MAX;
        set->from = number_of(reader, node, "from", -most, most, row.low, false);
        set->to = number_of(reader, node, "to", -most, most, row.high, false);
    }
    reader->map->set_count++;
}

/* ---- what is sent ---- */

static uint32_t part_of(double part)
{
    return (uint32_t)lrint(part * ENGINE_ZONES_WHOLE);
}

static void read_zone(struct reader *reader, const struct base_yaml *node)
{
    static const char *const keys[] = {"x", "y", "width", "height", "columns", "rows", NULL};
    struct app_light_map *map = reader->map;
    if (!check_map(reader, node, "a zone", keys)) {
        return;
    }
    const double x = number_of(reader, node, "x", 0, 1, 0, false);
    const double y = number_of(reader, node, "y", 0, 1, 0, false);
    const double width = number_of(reader, node, "width", 0, 1, 1 - x, false);
    const double height = number_of(reader, node, "height", 0, 1, 1 - y, false);
    const struct engine_zone zone = {
        .left = part_of(x),
        .top = part_of(y),
        .right = part_of(fmin(x + width, 1)),
        .bottom = part_of(fmin(y + height, 1)),
        .columns = (uint32_t)number_of(reader, node, "columns", 1, GRID_MAX, 1, true),
        .rows = (uint32_t)number_of(reader, node, "rows", 1, GRID_MAX, 1, true),
    };
    const size_t cells = (size_t)zone.columns * zone.rows;
    if (zone.right <= zone.left || zone.bottom <= zone.top) {
        fail(reader, node, "x, y, width and height are parts of the picture, from 0 to 1",
             "the zone has no area");
    } else if (cells > APP_LIGHT_CELLS - map->cell_count) {
        fail(reader, node, "fewer columns or rows", "there are more cells than channels");
    } else {
        reader->area += (double)(zone.right - zone.left) * (double)(zone.bottom - zone.top) /
                        ((double)ENGINE_ZONES_WHOLE * ENGINE_ZONES_WHOLE);
        reader->zone_names[map->zone_count] = node->key;
        map->zones[map->zone_count++] = (struct app_light_zone){zone, map->cell_count};
        map->cell_count += cells;
    }
}

/* Where the next fixture of an output begins. */
struct place {
    size_t first; /* of the outputs that the row has */
    size_t end;
    size_t output;
    uint32_t channel; /* from 0 on */
};

static void put_cell(struct reader *reader, struct place *place, uint32_t cell, const char *order,
                     size_t size, uint32_t dim)
{
    struct app_light_map *map = reader->map;
    if (place->channel + size > ENGINE_MERGE_CHANNELS) {
        place->output++;
        place->channel = 0;
    }
    if (place->output >= place->end) {
        return;
    }
    if (map->fixture_count == APP_LIGHT_CELLS) {
        base_report(reader->sink, BASE_ERROR, (struct base_place){.file = reader->file},
                    "several fixtures lie on the same channels",
                    "there are more fixtures than channels");
        reader->errors++;
        return;
    }
    struct app_light_fixture *grown = base_arena_grow(
        &map->arena, map->fixtures, &reader->fixture_room, map->fixture_count + 1, sizeof *grown);
    if (grown == NULL) {
        base_report(reader->sink, BASE_ERROR, (struct base_place){.file = reader->file}, NULL,
                    "not enough memory");
        reader->errors++;
        return;
    }
    map->fixtures = grown;
    grown[map->fixture_count++] = (struct app_light_fixture){.output = (uint16_t)place->output,
                                                             .channel = (uint16_t)place->channel,
                                                             .cell = cell,
                                                             .dim = dim,
                                                             .order = order};
    place->channel += (uint32_t)size;
    struct app_light_output *output = &map->outputs[place->output];
    output->channels =
        (uint16_t)(place->channel > output->channels ? place->channel : output->channels);
}

static void read_fixture(struct reader *reader, const struct base_yaml *node, struct place *place)
{
    static const char *const keys[] = {"zone", "channel", "order", "dim", NULL};
    struct app_light_map *map = reader->map;
    char name[64];
    char order[ENGINE_ZONES_ORDER + 1] = "rgb";
    if (!check_map(reader, node, "a fixture", keys)) {
        return;
    }
    (void)text_of(reader, node, "order", order, sizeof order);
    const size_t size = engine_zones_order(order);
    if (size == 0) {
        fail(reader, child(node, "order"),
             "letters of r g b w d, large for two channels each, f for full, 0 for off",
             "that is no order of channels");
        return;
    }
    const double dim = number_of(reader, node, "dim", 0, 1, 1, false);
    if (child(node, "channel") != NULL) {
        place->output = place->first;
        place->channel =
            (uint32_t)number_of(reader, node, "channel", 1, ENGINE_MERGE_CHANNELS, 1, true) - 1;
    }
    if (child(node, "zone") == NULL) {
        fail(reader, node, "zone: NAME, as under zones", "which zone?");
        return;
    }
    if (!text_of(reader, node, "zone", name, sizeof name)) {
        return;
    }
    const struct app_light_zone *zone = NULL;
    for (size_t i = 0; i < map->zone_count; i++) {
        if (base_span_equal(reader->zone_names[i], base_span_of(name))) {
            zone = &map->zones[i];
        }
    }
    const char *kept = base_arena_text(&map->arena, order, strlen(order));
    if (zone == NULL || kept == NULL) {
        fail(reader, child(node, "zone"), "its name stands under zones", "no zone of this name");
        return;
    }
    const uint32_t cells = zone->zone.columns * zone->zone.rows;
    for (uint32_t i = 0; i < cells && reader->errors == 0; i++) {
        put_cell(reader, place, (uint32_t)zone->first_cell + i, kept, size, part_of(dim));
    }
    if (place->output >= place->end) {
        fail(reader, node, "universes: how many the row has, one after the other",
             "the fixture does not fit into the universe");
    }
}

static void read_output(struct reader *reader, const struct base_yaml *node)
{
    static const char *const keys[] = {"protocol", "universe", "universes", "priority",
                                       "to",       "fixtures", NULL};
    struct app_light_map *map = reader->map;
    struct app_light_output output = {.priority = ENGINE_SACN_PRIORITY};
    if (!check_map(reader, node, "a universe that is sent", keys) ||
        !protocol_of(reader, node, &output.artnet) ||
        !universe_of(reader, node, output.artnet, &output.universe)) {
        return;
    }
    const size_t count =
        (size_t)number_of(reader, node, "universes", 1, APP_LIGHT_UNIVERSES, 1, true);
    output.priority = (uint8_t)number_of(reader, node, "priority", 0, ENGINE_SACN_PRIORITY_MAX,
                                         ENGINE_SACN_PRIORITY, true);
    output.has_to = address_of(reader, node, "to", output.to);
    if (output.artnet && child(node, "priority") != NULL) {
        fail(reader, child(node, "priority"), NULL, "Art-Net has no priorities");
    }
    const unsigned last = output.universe + (unsigned)count - 1;
    if (count > APP_LIGHT_UNIVERSES - map->output_count) {
        char what[64];
        (void)snprintf(what, sizeof what, "at most %d universes are sent", APP_LIGHT_UNIVERSES);
        fail(reader, node, NULL, what);
        return;
    }
    if (last > (output.artnet ? ENGINE_ARTNET_UNIVERSES - 1 : ENGINE_SACN_LAST)) {
        fail(reader, node, NULL, "there are not so many universes behind this one");
        return;
    }
    const struct place begin = {map->output_count, map->output_count + count, map->output_count, 0};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < map->output_count; k++) {
            if (map->outputs[k].artnet == output.artnet &&
                map->outputs[k].universe == output.universe) {
                fail(reader, node, "give it all its fixtures in one row",
                     "this universe is sent already");
                return;
            }
        }
        map->outputs[map->output_count++] = output;
        output.universe++;
    }
    struct place place = begin;
    const struct base_yaml *list = list_of(reader, node, "fixtures");
    for (const struct base_yaml *fixture = list != NULL ? list->first : NULL; fixture != NULL;
         fixture = fixture->next) {
        read_fixture(reader, fixture, &place);
    }
    if (list == NULL || list->first == NULL) {
        fail(reader, node, "fixtures: and under it - {zone: NAME}", "a universe without fixtures");
    }
}

/* ---- the whole ---- */

static bool make_room(struct reader *reader, const struct base_yaml *root)
{
    struct app_light_map *map = reader->map;
    const size_t sets = count_of(child(root, "set"));
    const size_t zones = count_of(child(root, "zones"));
    if (sets > APP_LIGHT_SETS || zones > APP_LIGHT_ZONES) {
        char what[64];
        (void)snprintf(what, sizeof what, "at most %d of them",
                       sets > APP_LIGHT_SETS ? APP_LIGHT_SETS : APP_LIGHT_ZONES);
        fail(reader, child(root, sets > APP_LIGHT_SETS ? "set" : "zones"), NULL, what);
        return false;
    }
    map->sets = base_arena_array(&map->arena, sets + 1, sizeof *map->sets);
    map->zones = base_arena_array(&map->arena, zones + 1, sizeof *map->zones);
    reader->zone_names = base_arena_array(&map->arena, zones + 1, sizeof *reader->zone_names);
    if (map->sets == NULL || map->zones == NULL || reader->zone_names == NULL) {
        fail(reader, root, NULL, "not enough memory");
        return false;
    }
    return true;
}

static void read_root(struct reader *reader, const struct base_yaml *root)
{
    static const char *const keys[] = {"name", "interface", "rate",  "in",
                                       "set",  "out",       "zones", NULL};
    struct app_light_map *map = reader->map;
    if (!check_map(reader, root, "a map of light", keys) || !make_room(reader, root)) {
        return;
    }
    (void)text_of(reader, root, "name", map->name, sizeof map->name);
    map->has_interface = address_of(reader, root, "interface", map->interface);
    map->rate = number_of(reader, root, "rate", 1, APP_LIGHT_RATE_MAX, APP_LIGHT_RATE, false);
    const struct base_yaml *list = list_of(reader, root, "in");
    const struct base_yaml *node;
    for (node = list != NULL ? list->first : NULL; node != NULL; node = node->next) {
        read_input(reader, node);
    }
    list = list_of(reader, root, "set");
    for (node = list != NULL ? list->first : NULL; node != NULL; node = node->next) {
        read_set(reader, node);
    }
    const struct base_yaml *zones = child(root, "zones");
    if (zones != NULL && zones->kind != BASE_YAML_MAP) {
        fail(reader, zones, "NAME: {x: 0, y: 0, width: 0.5, height: 1}", "zones is a map");
        return;
    }
    for (node = zones != NULL ? zones->first : NULL; node != NULL; node = node->next) {
        read_zone(reader, node);
    }
    if (reader->area > APP_LIGHT_PICTURES) {
        fail(reader, zones, "fixtures can share a zone",
             "the zones together are larger than eight pictures");
    }
    list = list_of(reader, root, "out");
    for (node = list != NULL ? list->first : NULL; node != NULL; node = node->next) {
        read_output(reader, node);
    }
}

void app_light_map_init(struct app_light_map *map)
{
    *map = (struct app_light_map){.name = "froth", .rate = APP_LIGHT_RATE};
    base_arena_init(&map->arena, MEMORY);
}

void app_light_map_free(struct app_light_map *map)
{
    base_arena_free(&map->arena);
}

bool app_light_map_hear(struct app_light_map *map, struct app_light_input input)
{
    if (map->input_count == APP_LIGHT_INPUTS) {
        return false;
    }
    map->inputs[map->input_count++] = input;
    return true;
}

int app_light_map_read(struct app_light_map *map, const char *file, struct base_span text,
                       const struct base_diag_sink *sink)
{
    struct reader reader = {.map = map, .file = file, .sink = sink};
    base_arena_init(&reader.scratch, MEMORY);
    const struct base_yaml *root = base_yaml_read(&reader.scratch, file, text, sink);
    if (root != NULL) {
        read_root(&reader, root);
    }
    base_arena_free(&reader.scratch);
    return root != NULL && reader.errors == 0 ? 0 : -1;
}
