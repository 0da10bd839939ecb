/* A map of MIDI ends within its limits, whatever it says, and each of its rows is written and read
 * as the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/control/control.h"
#include "app/midi/map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ensure(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_row(const struct app_midi_row *row)
{
    static const struct base_diag_sink *const nobody = NULL;
    char line[APP_MIDI_WORDS];
    char text[APP_MIDI_WORDS + 8];
    struct app_midi_map again;
    ensure(row->control.channel <= ENGINE_MIDI_CHANNELS && row->control.number < 16384);
    ensure(row->mode < ENGINE_MIDI_MODES && row->value < APP_VALUE_COUNT);
    ensure(row->value == 0 || row->from != row->to);
    if (!app_midi_row_line(row, line, sizeof line)) {
        return;
    }
    (void)snprintf(text, sizeof text, "set:\n%s", line);
    /* Two ends may be so close that they are written as the same. */
    if (app_midi_map_read(&again, "again", base_span_of(text), nobody) == 0) {
        ensure(again.row_count == 1 && again.rows[0].value == row->value &&
               again.rows[0].call.command == row->call.command &&
               engine_midi_same(&again.rows[0].control, &row->control));
    }
    app_midi_map_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct base_diag_sink *const nobody = NULL;
    enum { CHECKED = 16 };
    struct app_midi_map map;
    if (app_midi_map_read(&map, "map.yaml", (struct base_span){(const char *)data, size}, nobody) ==
        0) {
        ensure(map.row_count <= APP_MIDI_ROWS);
        for (size_t i = 0; i < map.row_count && i < CHECKED; i++) {
            check_row(&map.rows[i]);
        }
    }
    app_midi_map_free(&map);
    return 0;
}
