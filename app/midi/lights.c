#include "app/midi/lights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lights ---- */

bool app_midi_light(const struct app_midi_row *row, const struct app_seen *seen,
                    struct engine_midi_message *message)
{
    struct app_value_row known;
    double place = 1;
    if (!row->lit) {
        return false;
    }
    if (row->value != 0 && app_value_row(row->value, &known)) {
        place = (seen->values[row->value] - row->from) / (row->to - row->from);
        place = fmin(fmax(place, 0), 1);
        place = known.is_switch || row->mode == ENGINE_MIDI_MODE_TOGGLE ? place >= 0.5 : place;
    }
    const bool note = row->control.part == ENGINE_MIDI_IS_NOTE;
    const double shown = row->dark + (row->light - row->dark) * place;
    *message = (struct engine_midi_message){
        .kind = note ? ENGINE_MIDI_NOTE_ON : ENGINE_MIDI_CONTROL,
        .channel = row->control.channel != 0 ? row->control.channel : 1,
        .data = {(uint8_t)row->control.number, (uint8_t)lround(shown)}};
    return true;
}

void app_midi_lights_begin(struct app_midi_lights *lights)
{
    lights->round++;
    if (lights->round == 0) {
        memset(lights->claimed, 0, sizeof lights->claimed);
        lights->round = 1;
    }
}

static uint8_t *place_of(uint8_t places[2][ENGINE_MIDI_CHANNELS][128],
                         const struct engine_midi_message *message)
{
    return &places[message->kind == ENGINE_MIDI_CONTROL][message->channel - 1][message->data[0]];
}

bool app_midi_lights_want(struct app_midi_lights *lights, const struct engine_midi_message *message)
{
    uint8_t *claimed = place_of(lights->claimed, message);
    const bool first = *claimed != lights->round;
    *claimed = lights->round;
    return first && *place_of(lights->shown, message) != message->data[1] + 1;
}

void app_midi_lights_sent(struct app_midi_lights *lights, const struct engine_midi_message *message)
{
    *place_of(lights->shown, message) = (uint8_t)(message->data[1] + 1);
}

/* ---- the beat ---- */

static const double silent_seconds = 2; /* until it stops */

size_t app_midi_pulses_turn(struct app_midi_pulses *pulses, const struct engine_tempo *tempo,
                            double now, uint8_t bytes[APP_MIDI_PULSES], double *wait)
{
    size_t count = 0;
    double due;
    int64_t number;
    const bool comes = engine_tempo_pulse(tempo, now, &due, &number);
    const int64_t reached = comes ? number - 1 : pulses->number;
    /* A line that moves to and fro a little gives each pulse once; one that is elsewhere begins
     * anew. */
    if (!pulses->follows || llabs(reached - pulses->number) > ENGINE_TEMPO_PULSES) {
        pulses->number = reached;
    }
    pulses->follows = comes;
    while (pulses->number < reached && count + 2 <= APP_MIDI_PULSES) {
        pulses->number++;
        if (!pulses->begun && pulses->number % ENGINE_TEMPO_PULSES == 0) {
            pulses->begun = true;
            bytes[count++] = ENGINE_MIDI_BEGIN;
        }
        if (pulses->begun) {
            bytes[count++] = ENGINE_MIDI_PULSE;
        }
    }
    pulses->stood = comes ? 0 : pulses->stood > 0 ? pulses->stood : now;
    if (pulses->begun && !comes && now - pulses->stood > silent_seconds) {
        pulses->begun = false;
        bytes[count++] = ENGINE_MIDI_HALT;
    }
    *wait = !comes ? -1 : pulses->number < reached ? 0 : due - now;
    return count;
}
