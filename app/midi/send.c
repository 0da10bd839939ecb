#include <math.h>
#include <string.h>

#include "app/midi/state.h"
#include "base/os/file.h"

enum { LIGHTS = 24 /* that are changed in light_seconds, so that a cable has room for more */ };

static const double idle_seconds = 0.5;   /* between two looks where no light is to change */
static const double light_seconds = 0.03; /* between two looks at what lights are to show */
static const double deaf_seconds = 2;     /* until a device that took nothing is tried again */

static bool send(struct app_midi *midi, int number, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < midi->raw_count; i++) {
        if (midi->raws[i].device == number) {
            return app_midi_raw_send(&midi->raws[i], bytes, size);
        }
    }
    return midi->sequencer != NULL && app_midi_sequencer_send(midi->sequencer, number, bytes, size);
}

/* What its maps send to a device that has come, or is left. */
static void greet(struct app_midi *midi, int number, bool begins)
{
    for (size_t i = 0; i < midi->source_count; i++) {
        const struct app_midi_map *map = &midi->sources[i].map;
        if (app_midi_is_for(midi, &midi->sources[i], &midi->devices[number])) {
            const size_t size = begins ? map->start_size : map->end_size;
            (void)(size > 0 && send(midi, number, begins ? map->start : map->end, size));
        }
    }
}

/* Sends what lights are to show and do not. seen NULL: all go dark. Returns whether there are any;
 * *sent: how many were sent. */
static bool light_device(struct app_midi *midi, int number, const struct app_seen *seen,
                         unsigned *sent)
{
    static const struct app_seen nothing;
    struct app_midi_device *device = &midi->devices[number];
    struct engine_midi_message message;
    uint8_t bytes[ENGINE_MIDI_BYTES];
    bool any = false;
    app_midi_lights_begin(&device->lights);
    for (size_t i = 0; i < midi->source_count; i++) {
        struct app_midi_source *source = &midi->sources[i];
        const bool counts = app_midi_is_for(midi, source, device);
        for (size_t k = 0; counts && k < source->map.row_count; k++) {
            const struct app_midi_row *row = &source->map.rows[k];
            if (!row->lit || !app_midi_row_fits(&source->map, row, device->name) ||
                !app_midi_light(row, seen != NULL ? seen : &nothing, &message)) {
                continue;
            }
            any = true;
            message.data[1] = seen != NULL ? message.data[1] : 0;
            if (!app_midi_lights_want(&device->lights, &message) || *sent >= LIGHTS) {
                continue;
            }
            if (!send(midi, number, bytes, engine_midi_write(bytes, &message))) {
                device->light_due = base_clock_seconds() + deaf_seconds;
                return any;
            }
            app_midi_lights_sent(&device->lights, &message);
            ++*sent;
        }
    }
    return any;
}

/* Whether a map gives the beat to a device. */
static bool hears_clock(const struct app_midi *midi, const struct app_midi_device *device)
{
    for (size_t i = 0; i < midi->source_count; i++) {
        if (midi->sources[i].map.clock && app_midi_is_for(midi, &midi->sources[i], device)) {
            return true;
        }
    }
    return false;
}

double app_midi_send_all(struct app_midi *midi, double now)
{
    uint8_t bytes[APP_MIDI_PULSES];
    bool clocked[APP_MIDI_DEVICES] = {false};
    bool any_clock = false;
    double due = INFINITY;
    (void)app_door_look(app_inlet_door(midi->inlet), &midi->seen);
    midi->looked = false;
    for (int i = 0; i < APP_MIDI_DEVICES; i++) {
        struct app_midi_device *device = &midi->devices[i];
        clocked[i] = device->there && hears_clock(midi, device);
        any_clock = any_clock || clocked[i];
        if (!device->there || device->given || now < midi->light_due || now < device->light_due) {
            continue;
        }
        if (!device->greeted) {
            device->greeted = true;
            memset(device->lights.shown, 0, sizeof device->lights.shown);
            greet(midi, i, true);
        }
        unsigned sent = 0;
        if (light_device(midi, i, &midi->seen, &sent)) {
            due = now + light_seconds;
        }
    }
    midi->light_due = now < midi->light_due ? midi->light_due : now + light_seconds;
    due = fmin(due, midi->light_due + idle_seconds);
    double wait = -1;
    const size_t size =
        any_clock ? app_midi_pulses_turn(&midi->pulses, &midi->seen.tempo, now, bytes, &wait) : 0;
    for (int i = 0; i < APP_MIDI_DEVICES; i++) {
        (void)(size > 0 && clocked[i] && send(midi, i, bytes, size));
    }
    return wait >= 0 ? fmin(due, now + wait) : due;
}

void app_midi_leave_all(struct app_midi *midi)
{
    static const uint8_t halt = ENGINE_MIDI_HALT;
    for (int i = 0; i < APP_MIDI_DEVICES; i++) {
        struct app_midi_device *device = &midi->devices[i];
        if (!device->there || device->given) {
            continue;
        }
        unsigned sent = 0;
        do {
            sent = 0;
            (void)light_device(midi, i, NULL, &sent);
        } while (sent == LIGHTS);
        if (midi->pulses.begun && hears_clock(midi, device)) {
            (void)send(midi, i, &halt, 1);
        }
        greet(midi, i, false);
    }
}
