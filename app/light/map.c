#include "app/light/map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/control/control.h"
#include "base/os/file.h"
#include "base/os/form.h"

enum { GRID_MAX = 1024, MEMORY = 64 * 1024 * 1024, TEXT_MOST = 1024 * 1024, HINT = 96 };

struct reader {
    struct app_light_map *map;
    struct base_arena scratch;
    struct base_form form;
    struct base_span *zone_names;
    size_t fixture_room;
    double area; /* of all zones, in pictures */
};

static bool address_of(struct reader *reader, const struct base_yaml *map, const char *key,
                       uint8_t address[4])
{
    char text[16];
    unsigned parts[4];
    int end = 0;
    if (!base_form_text(&reader->form, map, key, text, sizeof text)) {
        return false;
    }
    if (sscanf(text, "%3u.%3u.%3u.%3u%n", &parts[0], &parts[1], &parts[2], &parts[3], &end) != 4 ||
        text[end] != '\0' || parts[0] > 255 || parts[1] > 255 || parts[2] > 255 || parts[3] > 255) {
        base_form_fail(&reader->form, base_form_child(map, key), "write it like 192.168.0.42",
                       "that is no address");
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
    const struct base_yaml *node = base_form_child(map, "protocol");
    if (node != NULL && !base_form_text(&reader->form, map, "protocol", text, sizeof text)) {
        return false;
    }
    *artnet = strcmp(text, "artnet") == 0;
    if (!*artnet && strcmp(text, "sacn") != 0) {
        base_form_fail(&reader->form, node != NULL ? node : map,
                       "protocol: sacn, or protocol: artnet",
                       node != NULL ? "no protocol of this name" : "which protocol?");
        return false;
    }
    return true;
}

static bool universe_of(struct reader *reader, const struct base_yaml *map, bool artnet,
                        uint16_t *universe)
{
    if (base_form_child(map, "universe") == NULL) {
        base_form_fail(&reader->form, map, artnet ? "universe: 0" : "universe: 1",
                       "which universe?");
        return false;
    }
    const double low = artnet ? 0 : ENGINE_SACN_FIRST;
    const double high = artnet ? ENGINE_ARTNET_UNIVERSES - 1 : ENGINE_SACN_LAST;
    const unsigned errors = reader->form.errors;
    *universe = (uint16_t)base_form_number(&reader->form, map, "universe", low, high, low, true);
    return reader->form.errors == errors;
}

/* ---- what is heard ---- */

static void read_input(struct reader *reader, const struct base_yaml *node)
{
    static const char *const keys[] = {"protocol", "universe", "merge", NULL};
    struct app_light_input input = {0};
    char merge[16] = "highest";
    if (!base_form_map(&reader->form, node, "a universe that is heard", keys) ||
        !protocol_of(reader, node, &input.artnet) ||
        !universe_of(reader, node, input.artnet, &input.universe)) {
        return;
    }
    if (base_form_text(&reader->form, node, "merge", merge, sizeof merge)) {
        input.latest = strcmp(merge, "latest") == 0;
        if (!input.latest && strcmp(merge, "highest") != 0) {
            base_form_fail(&reader->form, base_form_child(node, "merge"),
                           "merge: highest, or merge: latest", "no way of merging of this name");
        } else if (input.latest && !input.artnet) {
            base_form_fail(&reader->form, base_form_child(node, "merge"), NULL,
                           "sACN merges by its priorities");
        }
    }
    if (!app_light_map_hear(reader->map, input)) {
        char what[64];
        (void)snprintf(what, sizeof what, "at most %d universes are heard", APP_LIGHT_INPUTS);
        base_form_fail(&reader->form, node, NULL, what);
    }
}

static void read_set(struct reader *reader, const struct base_yaml *node)
{
    static const char *const keys[] = {"channel", "value", "from", "to", "call", NULL};
    struct app_light_set *set = &reader->map->sets[reader->map->set_count];
    char text[ENGINE_CALL_TEXT];
    *set = (struct app_light_set){0};
    if (!base_form_map(&reader->form, node, "what a channel sets", keys)) {
        return;
    }
    set->channel =
        (uint32_t)base_form_number(&reader->form, node, "channel", 1, ENGINE_DMX_CHANNELS, 0, true);
    if (base_form_child(node, "channel") == NULL) {
        base_form_fail(&reader->form, node, "channel: 1", "which channel?");
    }
    const struct base_yaml *value = base_form_child(node, "value");
    const struct base_yaml *call = base_form_child(node, "call");
    if ((value == NULL) == (call == NULL)) {
        base_form_fail(&reader->form, node, "value: zoom, or call: next",
                       "a channel sets one value or calls");
        return;
    }
    if (call != NULL && base_form_text(&reader->form, node, "call", text, sizeof text)) {
        if (ui_call_parse(&set->call, call->text,
                          (struct base_place){reader->form.file, call->line, call->column},
                          reader->form.sink) != 0) {
            reader->form.errors++;
        }
    } else if (value != NULL && base_form_text(&reader->form, node, "value", text, sizeof text)) {
        struct app_value_row row = {.low = 0, .high = 1};
        set->value = app_value_by_name(base_span_of(text));
        if (!app_value_row(set->value, &row)) {
            char hint[HINT];
            app_value_hint(text, hint, sizeof hint);
            base_form_fail(&reader->form, value, hint, "no value of this name");
        }
        const double most = ENGINE_CALL_NUMBER_MAX;
        set->from = base_form_number(&reader->form, node, "from", -most, most, row.low, false);
        set->to = base_form_number(&reader->form, node, "to", -most, most, row.high, false);
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
    if (!base_form_map(&reader->form, node, "a zone", keys)) {
        return;
    }
    const double x = base_form_number(&reader->form, node, "x", 0, 1, 0, false);
    const double y = base_form_number(&reader->form, node, "y", 0, 1, 0, false);
    const double width = base_form_number(&reader->form, node, "width", 0, 1, 1 - x, false);
    const double height = base_form_number(&reader->form, node, "height", 0, 1, 1 - y, false);
    const struct engine_zone zone = {
        .left = part_of(x),
        .top = part_of(y),
        .right = part_of(fmin(x + width, 1)),
        .bottom = part_of(fmin(y + height, 1)),
        .columns = (uint32_t)base_form_number(&reader->form, node, "columns", 1, GRID_MAX, 1, true),
        .rows = (uint32_t)base_form_number(&reader->form, node, "rows", 1, GRID_MAX, 1, true),
    };
    const size_t cells = (size_t)zone.columns * zone.rows;
    if (zone.right <= zone.left || zone.bottom <= zone.top) {
        base_form_fail(&reader->form, node,
                       "x, y, width and height are parts of the picture, from 0 to 1",
                       "the zone has no area");
    } else if (cells > APP_LIGHT_CELLS - map->cell_count) {
        base_form_fail(&reader->form, node, "fewer columns or rows",
                       "there are more cells than channels");
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
        base_report(reader->form.sink, BASE_ERROR, (struct base_place){.file = reader->form.file},
                    "several fixtures lie on the same channels",
                    "there are more fixtures than channels");
        reader->form.errors++;
        return;
    }
    struct app_light_fixture *grown = base_arena_grow(
        &map->arena, map->fixtures, &reader->fixture_room, map->fixture_count + 1, sizeof *grown);
    if (grown == NULL) {
        base_report(reader->form.sink, BASE_ERROR, (struct base_place){.file = reader->form.file},
                    NULL, "not enough memory");
        reader->form.errors++;
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
    if (!base_form_map(&reader->form, node, "a fixture", keys)) {
        return;
    }
    (void)base_form_text(&reader->form, node, "order", order, sizeof order);
    const size_t size = engine_zones_order(order);
    if (size == 0) {
        base_form_fail(&reader->form, base_form_child(node, "order"),
                       "letters of r g b w d, large for two channels each, f for full, 0 for off",
                       "that is no order of channels");
        return;
    }
    const double dim = base_form_number(&reader->form, node, "dim", 0, 1, 1, false);
    if (base_form_child(node, "channel") != NULL) {
        place->output = place->first;
        place->channel = (uint32_t)base_form_number(&reader->form, node, "channel", 1,
                                                    ENGINE_MERGE_CHANNELS, 1, true) -
                         1;
    }
    if (base_form_child(node, "zone") == NULL) {
        base_form_fail(&reader->form, node, "zone: NAME, as under zones", "which zone?");
        return;
    }
    if (!base_form_text(&reader->form, node, "zone", name, sizeof name)) {
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
        base_form_fail(&reader->form, base_form_child(node, "zone"), "its name stands under zones",
                       "no zone of this name");
        return;
    }
    const uint32_t cells = zone->zone.columns * zone->zone.rows;
    for (uint32_t i = 0; i < cells && reader->form.errors == 0; i++) {
        put_cell(reader, place, (uint32_t)zone->first_cell + i, kept, size, part_of(dim));
    }
    if (place->output >= place->end) {
        base_form_fail(&reader->form, node, "universes: how many the row has, one after the other",
                       "the fixture does not fit into the universe");
    }
}

static void read_output(struct reader *reader, const struct base_yaml *node)
{
    static const char *const keys[] = {"protocol", "universe", "universes", "priority",
                                       "to",       "fixtures", "patch",     NULL};
    struct app_light_map *map = reader->map;
    struct app_light_output output = {.priority = ENGINE_SACN_PRIORITY};
    if (!base_form_map(&reader->form, node, "a universe that is sent", keys) ||
        !protocol_of(reader, node, &output.artnet) ||
        !universe_of(reader, node, output.artnet, &output.universe)) {
        return;
    }
    const size_t count =
        (size_t)base_form_number(&reader->form, node, "universes", 1, APP_LIGHT_UNIVERSES, 1, true);
    output.priority = (uint8_t)base_form_number(
        &reader->form, node, "priority", 0, ENGINE_SACN_PRIORITY_MAX, ENGINE_SACN_PRIORITY, true);
    output.has_to = address_of(reader, node, "to", output.to);
    if (output.artnet && base_form_child(node, "priority") != NULL) {
        base_form_fail(&reader->form, base_form_child(node, "priority"), NULL,
                       "Art-Net has no priorities");
    }
    const unsigned last = output.universe + (unsigned)count - 1;
    if (count > APP_LIGHT_UNIVERSES - map->output_count) {
        char what[64];
        (void)snprintf(what, sizeof what, "at most %d universes are sent", APP_LIGHT_UNIVERSES);
        base_form_fail(&reader->form, node, NULL, what);
        return;
    }
    if (last > (output.artnet ? ENGINE_ARTNET_UNIVERSES - 1 : ENGINE_SACN_LAST)) {
        base_form_fail(&reader->form, node, NULL,
                       "there are not so many universes behind this one");
        return;
    }
    const struct place begin = {map->output_count, map->output_count + count, map->output_count, 0};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < map->output_count; k++) {
            if (map->outputs[k].artnet == output.artnet &&
                map->outputs[k].universe == output.universe) {
                base_form_fail(&reader->form, node, "give it all its fixtures in one row",
                               "this universe is sent already");
                return;
            }
        }
        map->outputs[map->output_count++] = output;
        output.universe++;
    }
    const double last_patch = ENGINE_MERGE_CHANNELS + 1 - REND_DMX_OUTPUTS;
    struct app_light_output *first = &map->outputs[begin.first];
    first->patch = (uint16_t)base_form_number(&reader->form, node, "patch", 1, last_patch, 0, true);
    first->channels = (uint16_t)(first->patch > 0 ? first->patch + REND_DMX_OUTPUTS - 1 : 0);
    struct place place = begin;
    const struct base_yaml *list = base_form_list(&reader->form, node, "fixtures");
    for (const struct base_yaml *fixture = list != NULL ? list->first : NULL; fixture != NULL;
         fixture = fixture->next) {
        read_fixture(reader, fixture, &place);
    }
    if (first->patch == 0 && (list == NULL || list->first == NULL)) {
        base_form_fail(&reader->form, node, "fixtures: and under it - {zone: NAME}",
                       "a universe without fixtures");
    }
}

/* ---- the whole ---- */

static bool make_room(struct reader *reader, const struct base_yaml *root)
{
    struct app_light_map *map = reader->map;
    const size_t sets = base_form_count(base_form_child(root, "set"));
    const size_t zones = base_form_count(base_form_child(root, "zones"));
    if (sets > APP_LIGHT_SETS || zones > APP_LIGHT_ZONES) {
        char what[64];
        (void)snprintf(what, sizeof what, "at most %d of them",
                       sets > APP_LIGHT_SETS ? APP_LIGHT_SETS : APP_LIGHT_ZONES);
        base_form_fail(&reader->form,
                       base_form_child(root, sets > APP_LIGHT_SETS ? "set" : "zones"), NULL, what);
        return false;
    }
    map->sets = base_arena_array(&map->arena, sets + 1, sizeof *map->sets);
    map->zones = base_arena_array(&map->arena, zones + 1, sizeof *map->zones);
    reader->zone_names = base_arena_array(&map->arena, zones + 1, sizeof *reader->zone_names);
    if (map->sets == NULL || map->zones == NULL || reader->zone_names == NULL) {
        base_form_fail(&reader->form, root, NULL, "not enough memory");
        return false;
    }
    return true;
}

static void read_root(struct reader *reader, const struct base_yaml *root)
{
    static const char *const keys[] = {"name", "interface", "rate",  "in",
                                       "set",  "out",       "zones", NULL};
    struct app_light_map *map = reader->map;
    if (!base_form_map(&reader->form, root, "a map of light", keys) || !make_room(reader, root)) {
        return;
    }
    (void)base_form_text(&reader->form, root, "name", map->name, sizeof map->name);
    map->has_interface = address_of(reader, root, "interface", map->interface);
    map->rate =
        base_form_number(&reader->form, root, "rate", 1, APP_LIGHT_RATE_MAX, APP_LIGHT_RATE, false);
    const struct base_yaml *list = base_form_list(&reader->form, root, "in");
    const struct base_yaml *node;
    for (node = list != NULL ? list->first : NULL; node != NULL; node = node->next) {
        read_input(reader, node);
    }
    list = base_form_list(&reader->form, root, "set");
    for (node = list != NULL ? list->first : NULL; node != NULL; node = node->next) {
        read_set(reader, node);
    }
    const struct base_yaml *zones = base_form_child(root, "zones");
    if (zones != NULL && zones->kind != BASE_YAML_MAP) {
        base_form_fail(&reader->form, zones, "NAME: {x: 0, y: 0, width: 0.5, height: 1}",
                       "zones is a map");
        return;
    }
    for (node = zones != NULL ? zones->first : NULL; node != NULL; node = node->next) {
        read_zone(reader, node);
    }
    if (reader->area > APP_LIGHT_PICTURES) {
        base_form_fail(&reader->form, zones, "fixtures can share a zone",
                       "the zones together are larger than eight pictures");
    }
    list = base_form_list(&reader->form, root, "out");
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
    struct reader reader = {.map = map, .form = {.file = file, .sink = sink}};
    base_arena_init(&reader.scratch, MEMORY);
    const struct base_yaml *root = base_yaml_read(&reader.scratch, file, text, sink);
    if (root != NULL) {
        read_root(&reader, root);
    }
    base_arena_free(&reader.scratch);
    return root != NULL && reader.form.errors == 0 ? 0 : -1;
}

int app_light_map_load(struct app_light_map *map, const char *file,
                       const struct base_diag_sink *sink)
{
    struct base_file text = {0};
    if (base_file_load(&text, file, TEXT_MOST, sink) != 0) {
        return -1;
    }
    const int result =
        app_light_map_read(map, file, (struct base_span){text.data, text.size}, sink);
    base_file_free(&text);
    return result;
}

void app_light_map_follow(const struct app_light_map *map, const uint8_t *before,
                          const uint8_t *now, const struct app_light_audience *audience)
{
    for (size_t i = 0; i < map->set_count; i++) {
        const struct app_light_set *set = &map->sets[i];
        const uint8_t to = now[set->channel - 1];
        const uint8_t from = before[set->channel - 1];
        if (set->value != 0 && to != from) {
            audience->set(audience->user, set->value,
                          set->from + (set->to - set->from) * (to / 255.0));
        } else if (set->value == 0 && to >= 128 && from < 128) {
            audience->call(audience->user, &set->call);
        }
    }
}
