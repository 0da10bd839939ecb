/* A map of light ends within its limits, whatever it says: each fixture lies within a universe that
 * is sent, each cell within those of its zone. */
#include <stdint.h>
#include <stdlib.h>

#include "app/light/map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ensure(bool holds)
{
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct base_diag_sink *const nobody = NULL;
    struct app_light_map *map = malloc(sizeof *map);
    if (map == NULL) {
        return 0;
    }
    app_light_map_init(map);
    if (app_light_map_read(map, "map.yaml", (struct base_span){(const char *)data, size}, nobody) ==
        0) {
        ensure(map->input_count <= APP_LIGHT_INPUTS && map->output_count <= APP_LIGHT_UNIVERSES);
        ensure(map->cell_count <= APP_LIGHT_CELLS);
        for (size_t i = 0; i < map->set_count; i++) {
            ensure(map->sets[i].channel >= 1 && map->sets[i].channel <= ENGINE_DMX_CHANNELS);
        }
        for (size_t i = 0; i < map->zone_count; i++) {
            const struct app_light_zone *zone = &map->zones[i];
            ensure(zone->zone.left < zone->zone.right && zone->zone.right <= ENGINE_ZONES_WHOLE);
            ensure(zone->zone.top < zone->zone.bottom && zone->zone.bottom <= ENGINE_ZONES_WHOLE);
            ensure(zone->first_cell + (size_t)zone->zone.columns * zone->zone.rows <=
                   map->cell_count);
        }
        for (size_t i = 0; i < map->fixture_count; i++) {
            const struct app_light_fixture *fixture = &map->fixtures[i];
            const size_t channels = engine_zones_order(fixture->order);
            ensure(fixture->output < map->output_count && fixture->cell < map->cell_count);
            ensure(channels > 0 && fixture->channel + channels <= ENGINE_MERGE_CHANNELS);
        }
    }
    app_light_map_free(map);
    free(map);
    return 0;
}
