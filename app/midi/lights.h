/* What controllers show: lights of buttons and pads, by the rows of their maps, and the beat as
 * MIDI clock. Plain data and pure functions, without a clock and without a wire. */
#ifndef APP_MIDI_LIGHTS_H
#define APP_MIDI_LIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/control/control.h"
#include "app/midi/map.h"
#include "engine/midi/message.h"

/* The message that a row's light is to show by now. False: it has none. A row of any channel has
 * its light on the first. Of a value between its ends it lies between dark and light, but where
 * there is a switch. */
bool app_midi_light(const struct app_midi_row *row, const struct app_seen *seen,
                    struct engine_midi_message *message);

/* What the lights of a device show. Zeroed, nobody knows. */
struct app_midi_lights {
    uint8_t shown[2][ENGINE_MIDI_CHANNELS][128];   /* notes, controllers: one more than was sent */
    uint8_t claimed[2][ENGINE_MIDI_CHANNELS][128]; /* by a row of this round */
    uint8_t round;
};

/* Another round begins: of several rows with the same light the first one of a round has it. */
void app_midi_lights_begin(struct app_midi_lights *lights);

/* Whether this is to be sent, since the light is this row's and shows something else. */
bool app_midi_lights_want(struct app_midi_lights *lights,
                          const struct engine_midi_message *message);

/* It was sent. */
void app_midi_lights_sent(struct app_midi_lights *lights,
                          const struct engine_midi_message *message);

/* MIDI clock, out of the show's one beat. Zeroed, at rest. */
struct app_midi_pulses {
    bool begun;     /* BEGIN was sent */
    bool follows;   /* there was a beat in the last turn, */
    int64_t number; /* and this pulse was the newest, counted as by engine_tempo_pulse */
    double stood;   /* clock from which on the beat stood; 0: it goes on */
};

enum { APP_MIDI_PULSES = 16 }; /* bytes of a turn, at most */

/* What is due at `now`: BEGIN with a beat, then 24 pulses for each, and HALT where there was no
 * beat for two seconds. tempo: as of the newest frame. Returns how many bytes; *wait: seconds until
 * more is due, less than 0 where nothing is. */
size_t app_midi_pulses_turn(struct app_midi_pulses *pulses, const struct engine_tempo *tempo,
                            double now, uint8_t bytes[APP_MIDI_PULSES], double *wait);

#endif
