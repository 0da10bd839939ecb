/* Whatever a helper for Ableton Link writes ends in numbers within their ranges, and a beat that
 * the clock of a show can follow. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "engine/tempo/link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ensure(bool holds)
{
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct engine_link whole = {.peers = 0};
    struct engine_link parts = {.peers = 0};
    struct engine_link_reader reader = {.size = 0};
    struct engine_link_reader other = {.size = 0};
    struct engine_tempo_clock clock;
    unsigned refused = 0;
    engine_tempo_begin(&clock);
    const unsigned all = engine_link_take(&reader, &whole, (const char *)data, size);
    for (size_t i = 0; i < size; i++) {
        refused += engine_link_take(&other, &parts, (const char *)data + i, 1);
        ensure(parts.peers <= ENGINE_LINK_PEERS_MAX && parts.tempo.bpm <= ENGINE_TEMPO_MAX);
        if (data[i] == '\n') {
            engine_tempo_set(&clock, ENGINE_TEMPO_LINK, &parts.tempo);
            ensure(isfinite(engine_tempo_step(&clock, (double)i / 60).beats));
        }
    }
    ensure(refused == all && parts.tempo.beats == whole.tempo.beats);
    return 0;
}
