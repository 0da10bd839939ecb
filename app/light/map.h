/* The map of light: a YAML file that says which universes are heard, which channels set a value or
 * call a command, and which parts of the picture go to which fixtures (docs/light.md). */
#ifndef APP_LIGHT_MAP_H
#define APP_LIGHT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "engine/engine.h"
#include "engine/light/merge.h"
#include "engine/light/zones.h"
#include "renderer/renderer.h"
#include "ui/command.h"

enum {
    APP_LIGHT_INPUTS = ENGINE_DMX_CHANNELS / ENGINE_MERGE_CHANNELS,
    APP_LIGHT_SETS = 1024,
    APP_LIGHT_UNIVERSES = 64,
    APP_LIGHT_ZONES = 1024,
    APP_LIGHT_CELLS = APP_LIGHT_UNIVERSES * ENGINE_MERGE_CHANNELS,
    APP_LIGHT_PICTURES = 8, /* areas of all zones together, in pictures */
    APP_LIGHT_RATE = 40,    /* pictures a second, if the file does not say */
    APP_LIGHT_RATE_MAX = 44,
};

/* A universe that is heard: its channels are those from 512 times its place in the list on. */
struct app_light_input {
    bool artnet; /* else sACN */
    bool latest; /* Art-Net: of two sources the latest counts, not the highest */
    uint16_t universe;
};

/* What a channel does when its level changes. */
struct app_light_set {
    uint32_t channel;        /* from 1 on */
    unsigned value;          /* of app/control/control.h; 0: it calls a command */
    double from;             /* at level 0 */
    double to;               /* at level 255 */
    struct engine_call call; /* when the level passes the middle upward */
};

/* A universe that is sent. */
struct app_light_output {
    bool artnet;
    bool has_to; /* Art-Net: it goes to this address, not to the nodes that ask for it */
    uint8_t to[4];
    uint8_t priority; /* sACN */
    uint16_t universe;
    uint16_t channels; /* up to the last that a fixture or the patch has */
    uint16_t patch;    /* from 1 on: the channel of the patch's dmx1; 0: it has none */
};

struct app_light_zone {
    struct engine_zone zone;
    size_t first_cell; /* in the list of all cells */
};

/* One cell of a zone, as a fixture shows it. */
struct app_light_fixture {
    uint16_t output;
    uint16_t channel; /* from 0 on */
    uint32_t cell;
    uint32_t dim;      /* 0..65536 */
    const char *order; /* engine/light/zones.h */
};

struct app_light_map {
    struct base_arena arena; /* of what follows */
    char name[ENGINE_SACN_NAME];
    bool has_interface;
    uint8_t interface[4]; /* an address of the network to be used; else all are */
    double rate;
    size_t input_count;
    struct app_light_input inputs[APP_LIGHT_INPUTS];
    size_t set_count;
    struct app_light_set *sets;
    size_t output_count;
    struct app_light_output outputs[APP_LIGHT_UNIVERSES];
    size_t zone_count;
    struct app_light_zone *zones;
    size_t cell_count;
    size_t fixture_count;
    struct app_light_fixture *fixtures;
};

/* An empty map: nothing is heard or sent. Ends with app_light_map_free. */
void app_light_map_init(struct app_light_map *map);
void app_light_map_free(struct app_light_map *map);

/* Adds a universe to what is heard. False if there are APP_LIGHT_INPUTS already. */
bool app_light_map_hear(struct app_light_map *map, struct app_light_input input);

/* Adds what a file says. Returns 0, or -1 with messages, at most ten; the map is then good for
 * nothing but app_light_map_free. */
int app_light_map_read(struct app_light_map *map, const char *file, struct base_span text,
                       const struct base_diag_sink *sink);

/* The same with a file of this name. */
int app_light_map_load(struct app_light_map *map, const char *file,
                       const struct base_diag_sink *sink);

/* Who does what channels ask for. */
struct app_light_audience {
    void *user;
    void (*set)(void *user, unsigned value, double number); /* a value of app/control/control.h */
    void (*call)(void *user, const struct engine_call *call);
};

/* Tells what the map makes of levels that have changed, ENGINE_DMX_CHANNELS of them. */
void app_light_map_follow(const struct app_light_map *map, const uint8_t *before,
                          const uint8_t *now, const struct app_light_audience *audience);

#endif
